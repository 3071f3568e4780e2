//! Commands that change hierarchies and relations.

use super::queue::{self, BundleQueue};
use super::{Applied, Command, CommandBuffer, Commands, Spawner, recording, spawn_bare_for};
use crate::component::{Bundle, InsertConflict, InsertConflicts};
use crate::entity::{EntityId, NoSuchEntity};
use crate::relation::Parent;
use crate::relation::Relation;
use crate::world::World;

/// Links two entities with the first recorded data of a queue. Arguments: the buffer, the queue, source and target, the
/// world.
pub(super) type RelateFirst =
    fn(&mut CommandBuffer, usize, [EntityId; 2], &mut World, Option<&mut InsertConflicts>) -> Applied;

/// A change of a source and its target.
pub(super) type ChangePair = fn(&mut World, [EntityId; 2], Option<&mut InsertConflicts>) -> Applied;

/// Parents and children, and relations. Two systems must not set different targets of one source of an exclusive
/// relation in the same frame: the second command is refused, as that of [`Commands::insert`].
impl Commands<'_> {
    /// Makes `child` the last child of `parent`; it leaves the parent that it had. A cycle is refused and reported.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let [tank, turret, flag] = [(); 3].map(|()| engine.spawn(()));
    /// engine.run(move |mut commands: Commands| {
    ///     commands.set_parent(turret, tank);
    ///     commands.set_parent(flag, tank);
    ///     commands.spawn_child(turret, ("barrel",));
    ///     commands.remove_parent(flag);
    /// })?;
    /// assert_eq!((engine.children(tank), engine.children(turret).len()), (&[turret][..], 1));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn set_parent(&mut self, child: EntityId, parent: EntityId) {
        self.push(Command::Pair { pair: [child, parent], change: SET_PARENT, apply: set_parent });
    }

    /// Detaches `child` from its parent; both stay.
    ///
    /// # Example
    /// See [`Commands::set_parent`].
    pub fn remove_parent(&mut self, child: EntityId) {
        self.push(Command::Component { entity: child, change: "remove the parent", apply: World::remove_parent });
    }

    /// Spawns an entity with `bundle` as the last child of `parent`. If the parent is gone by then, nothing is spawned.
    ///
    /// # Example
    /// See [`Commands::set_parent`].
    pub fn spawn_child<B: Bundle>(&mut self, parent: EntityId, bundle: B) {
        let index = self.recording().store(bundle);
        self.push(Command::SpawnChild { parent, reserved: None, index });
    }

    /// Links `source` to `target`, or replaces the data of their link.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::relation::Relation;
    /// struct Likes(u8);
    /// impl Relation for Likes {}
    ///
    /// let mut engine = Engine::new();
    /// let [anna, berta, carl] = [(); 3].map(|()| engine.spawn(()));
    /// engine.run(move |mut commands: Commands| {
    ///     commands.relate(anna, berta, Likes(1));
    ///     commands.relate(anna, carl, Likes(2));
    ///     commands.unrelate::<Likes>(anna, berta);
    /// })?;
    /// assert!(engine.related::<Likes>(anna).map(|(target, likes)| (target, likes.0)).eq([(carl, 2)]));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn relate<R: Relation>(&mut self, source: EntityId, target: EntityId, relation: R) {
        let index = self.recording().store((relation,));
        self.push(Command::Relate { pair: [source, target], index, relate: relate_first::<R> });
    }

    /// Ends the link from `source` to `target`. It is reported if there is none by then.
    ///
    /// # Example
    /// See [`Commands::relate`].
    pub fn unrelate<R: Relation>(&mut self, source: EntityId, target: EntityId) {
        self.push(Command::Pair { pair: [source, target], change: UNRELATE, apply: unrelate::<R> });
    }
}

impl Spawner<'_> {
    /// Spawns an entity with `bundle` as the last child of `parent` at the end of the frame; returns the id that it
    /// will have. If the parent is gone by then, nothing is spawned.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let tank = engine.spawn(());
    /// let (turret, barrel) = engine.run(move |mut spawner: Spawner| {
    ///     let turret = spawner.spawn_child(tank, ("turret",));
    ///     (turret, spawner.spawn_child(turret, ("barrel",))) // Its parent is spawned by then.
    /// })?;
    /// assert!(engine.descendants(tank).eq([turret, barrel]));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn spawn_child<B: Bundle>(&mut self, parent: EntityId, bundle: B) -> EntityId {
        let mut buffer = recording(self.buffer);
        let (entity, index) = buffer.store_reserved(bundle, self.entities);
        buffer.order.push_back(Command::SpawnChild { parent, reserved: Some(entity), index });
        entity
    }
}

const SET_PARENT: &str = "set the parent";
const UNRELATE: &str = "unrelate";

fn set_parent(world: &mut World, [child, parent]: [EntityId; 2], conflicts: Option<&mut InsertConflicts>) -> Applied {
    match record_insert::<Parent>(world, child, conflicts) {
        Ok(()) => Applied::of(SET_PARENT, world.set_parent(child, parent)),
        Err(conflict) => Applied::Conflict(conflict),
    }
}

fn unrelate<R: Relation>(
    world: &mut World,
    [source, target]: [EntityId; 2],
    _: Option<&mut InsertConflicts>,
) -> Applied {
    Applied::of(UNRELATE, world.unrelate::<R>(source, target))
}

fn relate_first<R: Relation>(
    buffer: &mut CommandBuffer,
    index: usize,
    [source, target]: [EntityId; 2],
    world: &mut World,
    conflicts: Option<&mut InsertConflicts>,
) -> Applied {
    let (relation,) = queue::typed::<(R,)>(&mut *buffer.queues[index].1).first();
    match record_insert::<R>(world, source, conflicts) {
        Ok(()) => Applied::of("relate", world.relate(source, target, relation).map(drop)),
        Err(conflict) => Applied::Conflict(conflict),
    }
}

/// Records that a command sets the only target of a source.
fn record_insert<R: Relation>(
    world: &mut World,
    source: EntityId,
    conflicts: Option<&mut InsertConflicts>,
) -> Result<(), InsertConflict> {
    match conflicts {
        Some(conflicts) if R::EXCLUSIVE && world.contains(source) => {
            conflicts.record_insert(source, &[world.links_id::<R>()])
        }
        _ => Ok(()),
    }
}

/// Spawns a child with the first bundle of a queue.
pub(super) fn spawn_child(
    world: &mut World,
    bundle: &mut dyn BundleQueue,
    parent: EntityId,
    reserved: Option<EntityId>,
) -> Result<(), NoSuchEntity> {
    world.last_spawned().clear();
    if let Err(gone) = world.check_exists(parent) {
        if let Some(entity) = reserved {
            world.entities_mut().release(entity);
        }
        bundle.discard_first(reserved.unwrap_or(parent), world);
        return Err(gone);
    }
    let child = match reserved {
        Some(entity) => {
            world.entities_mut().bring_to_life(entity);
            world.note_fresh(entity);
            entity
        }
        None => spawn_bare_for(bundle, world),
    };
    world.last_spawned().push(child);
    world.fill_child(child, parent, |world| bundle.unpack_first(child, world));
    Ok(())
}
