//! Commands: changes of structure that systems record during the frame. They are applied at its end, in the order of
//! recording.

mod calls;
mod entity_lists;
mod limit;
mod many;
mod parts;
mod queue;
mod relations;
mod switch;
mod traced;

use std::any::TypeId;
use std::borrow::Cow;
use std::cell::{RefCell, RefMut};
use std::collections::VecDeque;

pub(crate) use self::calls::{Call, CallContext};
use self::limit::recording;
use self::many::{InsertFirst, RemoveFirst, SpawnFirst};
use self::queue::{BundleQueue, Queue};
pub(crate) use self::switch::Switch;
pub(crate) use self::traced::TracedCommand;
use crate::component::{Bundle, Component, InsertConflict, InsertConflicts, Tuples};
use crate::entity::{EntityId, EntityManager};
use crate::error::{CommandFailure, SystemError};
use crate::event::EventBuffer;
use crate::panic::{FirstPanic, drop_each};
use crate::world::World;

/// Records changes that are applied at the end of the frame; a parameter of systems and listeners.
///
/// The commands of all systems are applied in execution order. A command that fails, because its entity is gone by then
/// or another system inserted the component first, changes nothing;
/// [`Engine::command_errors`](crate::Engine::command_errors) reports it with the name of the system. A command for many
/// entities skips those for which it fails, and is reported once.
pub struct Commands<'w> {
    buffer: &'w RefCell<CommandBuffer>,
    method: MethodId,
}

/// Tells the running methods of several engines apart, by the address of the buffer to which their events go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodId(usize);

impl MethodId {
    pub(crate) fn of(events: &EventBuffer) -> Self {
        Self(std::ptr::from_ref(events).addr())
    }
}

impl<'w> Commands<'w> {
    pub(crate) fn new(buffer: &'w RefCell<CommandBuffer>, method: MethodId) -> Self {
        Self { buffer, method }
    }

    pub(crate) fn method(&self) -> MethodId {
        self.method
    }

    pub(crate) fn buffer(&self) -> &RefCell<CommandBuffer> {
        self.buffer
    }

    /// The buffer, for one more command.
    ///
    /// # Panics
    /// If as many commands wait as the limit allows.
    fn recording(&self) -> RefMut<'_, CommandBuffer> {
        recording(self.buffer)
    }

    fn push(&mut self, command: Command) {
        self.recording().order.push_back(command);
    }

    /// Spawns an entity with `bundle`. Use a [`Spawner`] to get its id at once.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let count = engine.run(|mut commands: Commands, numbers: Query<&u32>| {
    ///     commands.spawn((7_u32,));
    ///     numbers.count()
    /// })?;
    /// assert_eq!(count, 0); // Commands wait while the function runs,
    /// assert_eq!(engine.query::<&u32>().count(), 1); // and are applied when it returns.
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn spawn<B: Bundle>(&mut self, bundle: B) {
        let index = self.recording().store(bundle);
        self.push(Command::Spawn { index });
    }

    /// Despawns `entity` at the end of the frame; until then systems still see it.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// struct Health(i32);
    ///
    /// fn bury(healths: Query<(EntityId, &Health)>, mut commands: Commands) {
    ///     for (entity, _) in healths.iter().filter(|(_, health)| health.0 <= 0) {
    ///         commands.despawn(entity);
    ///     }
    /// }
    ///
    /// # let mut engine = Engine::new();
    /// # engine.spawn_many([(Health(3),), (Health(0),)]);
    /// engine.run(bury)?;
    /// assert_eq!(engine.query::<&Health>().count(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn despawn(&mut self, entity: EntityId) {
        self.push(Command::Despawn { entity, may_be_gone: false });
    }

    /// As [`Commands::despawn`], but does nothing, without an error, if `entity` is gone by then: for what several
    /// systems may end in one frame.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let bullet = engine.spawn((1_u32,));
    /// engine.run(move |mut commands: Commands| {
    ///     commands.try_despawn(bullet); // It hit a rock,
    ///     commands.try_despawn(bullet); // and its time is over.
    ///     commands.try_insert(bullet, ("burning",));
    /// })?;
    /// assert!(!engine.contains(bullet));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn try_despawn(&mut self, entity: EntityId) {
        self.push(Command::Despawn { entity, may_be_gone: true });
    }

    /// Inserts the components of `bundle` and replaces existing ones.
    ///
    /// Two systems must not insert a component of one type into one entity in the same frame: the second command is
    /// refused as a whole with [`CommandFailure::Conflict`], even if the component was removed in between. One system
    /// may insert several times; the last value is kept. Zero-sized components never conflict.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let door = engine.spawn((1_u32,));
    /// engine.run(move |mut commands: Commands| {
    ///     commands.insert(door, (2_u32, "open"));
    ///     commands.remove::<u32>(door);
    /// })?;
    /// assert!(!engine.has::<u32>(door) && engine.has::<&str>(door)); // In the order of recording.
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn insert<B: Bundle>(&mut self, entity: EntityId, bundle: B) {
        let index = self.recording().store(bundle);
        self.push(Command::Insert { entity, index, may_be_gone: false });
    }

    /// As [`Commands::insert`], but drops the bundle, without an error, if `entity` is gone by then.
    ///
    /// # Example
    /// See [`Commands::try_despawn`].
    pub fn try_insert<B: Bundle>(&mut self, entity: EntityId, bundle: B) {
        let index = self.recording().store(bundle);
        self.push(Command::Insert { entity, index, may_be_gone: true });
    }

    /// Removes the component of type `T` and drops it.
    ///
    /// # Example
    /// See [`Commands::insert`].
    pub fn remove<T: Component>(&mut self, entity: EntityId) {
        self.push(Command::Component { entity, change: "remove", apply: World::remove::<T> });
    }

    /// Moves the component of type `T` from one entity to another, where it replaces one of its type; see
    /// [`Engine::move_component`](crate::Engine::move_component). For insert conflicts it counts as an insert.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// struct Key(u32);
    ///
    /// let mut engine = Engine::new();
    /// let (thief, victim) = (engine.spawn(()), engine.spawn((Key(7),)));
    /// engine.run(move |mut commands: Commands| commands.move_component::<Key>(victim, thief))?;
    /// assert_eq!(engine.get::<Key>(thief).map(|key| key.0), Some(7));
    /// assert!(!engine.has::<Key>(victim));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn move_component<T: Component>(&mut self, from: EntityId, to: EntityId) {
        self.push(Command::Move { from, to, apply: move_one::<T> });
    }

    /// Enables `entity`: queries see it again.
    ///
    /// # Example
    /// See [`Commands::disable`].
    pub fn enable(&mut self, entity: EntityId) {
        self.push(Command::SetEnabled { entity, enabled: true });
    }

    /// Disables `entity`: queries skip it, unless they include disabled ones.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let ghost = engine.spawn((5_u32,));
    /// engine.run(move |mut commands: Commands| commands.disable(ghost))?;
    /// assert!(engine.query::<&u32>().is_empty() && engine.contains(ghost));
    /// engine.run(move |mut commands: Commands| commands.enable(ghost))?;
    /// assert_eq!(engine.query::<&u32>().count(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn disable(&mut self, entity: EntityId) {
        self.push(Command::SetEnabled { entity, enabled: false });
    }

    /// Enables the component of type `T`.
    ///
    /// # Example
    /// See [`Commands::disable_component`].
    pub fn enable_component<T: Component>(&mut self, entity: EntityId) {
        self.push(Command::Component { entity, change: "enable", apply: World::enable_component::<T> });
    }

    /// Disables the component of type `T`: it counts as missing for queries, unless they include disabled ones.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let robot = engine.spawn((5_u32, "robot"));
    /// engine.run(move |mut commands: Commands| commands.disable_component::<u32>(robot))?;
    /// assert_eq!((engine.query::<&u32>().count(), engine.query::<&&str>().count()), (0, 1));
    /// engine.run(move |mut commands: Commands| commands.enable_component::<u32>(robot))?;
    /// assert_eq!(engine.query::<&u32>().count(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn disable_component<T: Component>(&mut self, entity: EntityId) {
        self.push(Command::Component { entity, change: "disable", apply: World::disable_component::<T> });
    }
}

/// Spawns entities and returns their ids at once; a parameter of systems and listeners.
///
/// The entity exists after the commands are applied; until then its id is stale. Systems with a `Spawner` never run
/// side by side, so that ids are the same at any number of threads. If the id is not needed, [`Commands::spawn`] costs
/// less.
pub struct Spawner<'w> {
    entities: &'w EntityManager,
    buffer: &'w RefCell<CommandBuffer>,
}

impl<'w> Spawner<'w> {
    pub(crate) fn new(entities: &'w EntityManager, buffer: &'w RefCell<CommandBuffer>) -> Self {
        Self { entities, buffer }
    }

    /// Spawns an entity with `bundle` at the end of the frame; returns the id that it will have.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let nest = engine.run(|mut spawner: Spawner| {
    ///     let bird = spawner.spawn(("bird",));
    ///     spawner.spawn((vec![bird],)) // The id is known at once.
    /// })?;
    /// let bird = engine.get::<Vec<EntityId>>(nest).unwrap()[0];
    /// assert_eq!(engine.get(bird), Some(&"bird"));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> EntityId {
        let mut buffer = recording(self.buffer);
        let (entity, index) = buffer.store_reserved(bundle, self.entities);
        buffer.order.push_back(Command::SpawnReserved { entity, index });
        entity
    }
}

/// Spawns an entity without components for the first bundle of a queue.
///
/// # Panics
/// If there is no room for one. The bundle is dropped then, so that later commands find their own.
fn spawn_bare_for(bundle: &mut dyn BundleQueue, world: &mut World) -> EntityId {
    if !world.entities().has_room(1) {
        bundle.drop_first();
    }
    world.spawn_bare()
}

/// Moves a component from one entity to another.
type MoveOne = fn(&mut World, EntityId, EntityId, Option<&mut InsertConflicts>) -> Applied;

fn move_one<T: Component>(
    world: &mut World,
    from: EntityId,
    to: EntityId,
    conflicts: Option<&mut InsertConflicts>,
) -> Applied {
    // A component that is not there conflicts with nothing.
    let conflicts = conflicts.filter(|_| world.has::<T>(from));
    match conflicts.map_or(Ok(()), |conflicts| world.record_insert::<(T,)>(to, conflicts)) {
        Ok(()) => Applied::of("move a component", world.move_component::<T>(from, to)),
        Err(conflict) => Applied::Conflict(conflict),
    }
}

#[derive(Clone, Copy)]
enum Command {
    Spawn { index: usize },
    SpawnMany { index: usize, count: usize, spawn: SpawnFirst },
    SpawnReserved { entity: EntityId, index: usize },
    Despawn { entity: EntityId, may_be_gone: bool },
    DespawnMany { count: usize },
    Insert { entity: EntityId, index: usize, may_be_gone: bool },
    InsertMany { index: usize, count: usize, insert: InsertFirst },
    SpawnChild { parent: EntityId, reserved: Option<EntityId>, index: usize },
    RemoveMany { count: usize, finds: fn(&World, EntityId) -> bool, remove: RemoveFirst },
    SetEnabled { entity: EntityId, enabled: bool },
    Component { entity: EntityId, change: &'static str, apply: fn(&mut World, EntityId) -> Result<(), CommandFailure> },
    Move { from: EntityId, to: EntityId, apply: MoveOne },
    EntityList { entity: EntityId, change: &'static str, name_bytes: usize, apply: entity_lists::ChangeEntityList },
    Relate { pair: [EntityId; 2], index: usize, relate: relations::RelateFirst },
    Pair { pair: [EntityId; 2], change: &'static str, apply: relations::ChangePair },
    Switch(Switch),
    Call,
    Fail,
}

/// The result of a command.
pub(crate) enum Applied {
    Done,
    /// The entity was gone, as the command allows.
    Nothing,
    Failed(&'static str, CommandFailure),
    /// Another system has already inserted one of the components. Nothing was inserted.
    Conflict(InsertConflict),
    /// Enables, disables or cancels a system or function; the system manager carries it out.
    Switch(Switch),
    /// Calls a function, or gives one to the engine.
    Call(Call),
    /// A method of the system returned an error.
    MethodFailed(Box<MethodFailure>),
}

/// An error that a method of a system returned.
pub(crate) struct MethodFailure {
    /// The phase, or the listener.
    pub(crate) place: String,
    pub(crate) error: String,
}

impl MethodFailure {
    /// The error of this system.
    pub(crate) fn of(self, system: &'static str) -> SystemError {
        SystemError { system, place: self.place, message: self.error }
    }
}

impl Applied {
    /// The result for several entities: the first conflict, or else the first failure. A conflict is a mistake, an
    /// entity that is gone often is not.
    fn of_all(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::Done, |first, next| match (&first, &next) {
            (Self::Done, _) | (Self::Failed(..), Self::Conflict(_)) => next,
            _ => first,
        })
    }

    fn of<E: Into<CommandFailure>>(command: &'static str, result: Result<(), E>) -> Self {
        result.map_or_else(|failure| Self::Failed(command, failure.into()), |()| Self::Done)
    }
}

/// The recorded commands of one system. Each type of bundle has a queue, so that recording into warm queues allocates
/// nothing.
pub struct CommandBuffer {
    order: VecDeque<Command>,
    /// How many may wait.
    most: usize,
    /// The number of commands that the executor has counted.
    noted: usize,
    queues: Vec<(TypeId, Box<dyn BundleQueue>)>,
    /// The entities of commands about many.
    named: Queue<EntityId>,
    /// Names of entity lists, without separators.
    names: VecDeque<u8>,
    calls: VecDeque<Call>,
    /// The errors of methods. Few, so they need no warm memory.
    failures: VecDeque<Box<MethodFailure>>,
    /// What the commands of [`Commands::spawn_by`] say beside their bundles.
    texts: VecDeque<Cow<'static, str>>,
    /// Empty buffers for the chunks of parallel iterations.
    parts: Vec<parts::CommandPart>,
}

impl CommandBuffer {
    /// A buffer for at most so many commands.
    pub(crate) fn limited(most: usize) -> Self {
        Self {
            order: VecDeque::new(),
            most,
            noted: 0,
            queues: Vec::new(),
            named: Queue::default(),
            names: VecDeque::new(),
            calls: VecDeque::new(),
            failures: VecDeque::new(),
            texts: VecDeque::new(),
            parts: Vec::new(),
        }
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        let bundles: usize = self.queues.iter().map(|(_, queue)| queue.held_bytes()).sum();
        let texts = self.texts.capacity() * size_of::<Cow<'_, str>>();
        let calls = self.calls.capacity() * size_of::<Call>();
        let failures = self.failures.capacity() * size_of::<Box<MethodFailure>>();
        let queues = bundles
            + self.held_bytes_of_parts()
            + self.named.held_bytes()
            + self.names.capacity()
            + calls
            + failures
            + texts;
        self.order.capacity() * size_of::<Command>() + queues
    }

    pub(crate) fn shrink(&mut self) {
        self.order.shrink_to_fit();
        self.queues.iter_mut().for_each(|(_, queue)| queue.shrink());
        self.named.shrink();
        self.names.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.failures.shrink_to_fit();
        drop(std::mem::take(&mut self.parts));
        self.texts.shrink_to_fit();
    }

    pub(crate) fn clear(&mut self, panics: &mut FirstPanic) {
        self.order.clear();
        self.noted = 0;
        self.named.waiting.clear();
        self.names.clear();
        panics.catch(|| drop_each(self.calls.drain(..)));
        self.failures.clear();
        self.texts.clear();
        self.queues.iter_mut().for_each(|(_, queue)| _ = panics.catch(|| queue.clear()));
    }

    /// Drops all commands, and gives back the ids of entities that they would have spawned.
    pub(crate) fn cancel(&mut self, world: &mut World, panics: &mut FirstPanic) {
        for command in &self.order {
            if let Command::SpawnReserved { entity, .. } | Command::SpawnChild { reserved: Some(entity), .. } = command
            {
                world.entities_mut().release(*entity);
            }
        }
        self.clear(panics);
    }

    /// Records that a method returned an error.
    #[cold]
    pub(crate) fn fail(&mut self, place: String, error: String) {
        self.failures.push_back(Box::new(MethodFailure { place, error }));
        self.order.push_back(Command::Fail);
    }

    /// The number of commands that were recorded since the last call.
    pub(crate) fn take_count_of_new(&mut self) -> usize {
        let new = self.order.len() - self.noted;
        self.noted = self.order.len();
        new
    }

    /// Appends the entities that the first command despawns, as far as it names them.
    pub(crate) fn first_despawned(&self, entities: &mut Vec<EntityId>) {
        match self.order.front() {
            Some(Command::Despawn { entity, .. }) => entities.push(*entity),
            Some(Command::DespawnMany { count }) => entities.extend(self.named.waiting.iter().take(*count)),
            _ => {}
        }
    }

    /// Stores a bundle; returns the number of the queue.
    fn store<B: Bundle>(&mut self, bundle: B) -> usize {
        let (index, queue) = self.queue::<B>();
        queue.waiting.push_back(bundle);
        index
    }

    /// Reserves an id and stores the bundle of its entity; returns the id and the number of the queue.
    fn store_reserved<B: Bundle>(&mut self, bundle: B, entities: &EntityManager) -> (EntityId, usize) {
        // First the queue, since a bundle may be refused; then the id, since there may be none left.
        let (index, queue) = self.queue::<B>();
        let entity = entities.reserve();
        queue.waiting.push_back(bundle);
        (entity, index)
    }

    /// The queue of a type of bundle, and its number.
    ///
    /// # Panics
    /// If the bundle is refused: here, so that the message names the system.
    fn queue<B: Bundle>(&mut self) -> (usize, &mut Queue<B>) {
        let known = self.queues.iter().position(|(bundle_type, _)| *bundle_type == TypeId::of::<B>());
        let index = known.unwrap_or_else(|| {
            if let Some(refusal) = B::Tuples::refusal() {
                panic!("{refusal}");
            }
            self.queues.push((TypeId::of::<B>(), Box::new(Queue::<B>::default())));
            self.queues.len() - 1
        });
        (index, queue::typed(&mut *self.queues[index].1))
    }

    /// Applies the first command; `None` if there is none. `conflicts` detects insert conflicts if several systems
    /// recorded commands.
    // Inlined because it runs for every command: returning the result through memory takes a tenth more instructions.
    #[inline(always)]
    pub(crate) fn apply_first(
        &mut self,
        world: &mut World,
        conflicts: Option<&mut InsertConflicts>,
    ) -> Option<Applied> {
        let Self { order, queues, noted, named, names, calls, failures, .. } = self;
        let command = order.pop_front()?;
        *noted -= 1;
        let (command, result) = match command {
            Command::Spawn { index } => {
                queues[index].1.spawn_first(world);
                ("spawn", Ok(()))
            }
            Command::SpawnMany { index, count, spawn } => {
                return Some(Applied::of("spawn", spawn(self, index, count, world)));
            }
            Command::SpawnReserved { entity, index } => {
                let bundle = &mut queues[index].1;
                world.entities_mut().bring_to_life(entity);
                world.note_fresh(entity);
                ("spawn", world.fill_new(entity, |world| bundle.unpack_first(entity, world)))
            }
            Command::SpawnChild { parent, reserved, index } => {
                ("spawn a child", relations::spawn_child(world, &mut *queues[index].1, parent, reserved))
            }
            Command::Relate { pair, index, relate } => return Some(relate(self, index, pair, world, conflicts)),
            Command::Pair { pair, apply, .. } => return Some(apply(world, pair, conflicts)),
            Command::Despawn { entity, may_be_gone } => match world.despawn(entity) {
                Err(_) if may_be_gone => return Some(Applied::Nothing),
                despawned => ("despawn", despawned),
            },
            Command::DespawnMany { count } => ("despawn", world.despawn_many(named.waiting.drain(..count))),
            Command::Insert { entity, index, may_be_gone } => {
                let bundle = &mut queues[index].1;
                if let Some(conflict) =
                    conflicts.and_then(|conflicts| bundle.record_first_insert(entity, world, conflicts).err())
                {
                    bundle.discard_first(entity, world);
                    return Some(Applied::Conflict(conflict));
                }
                match bundle.unpack_first(entity, world) {
                    Err(_) if may_be_gone => return Some(Applied::Nothing),
                    inserted => ("insert", inserted),
                }
            }
            Command::InsertMany { index, count, insert } => {
                return Some(insert(self, index, count, world, conflicts, &mut |_| {}));
            }
            Command::RemoveMany { count, remove, .. } => {
                return Some(Applied::of("remove", remove(world, named.waiting.drain(..count))));
            }
            Command::SetEnabled { entity, enabled: true } => ("enable", world.set_enabled(entity, true).map(drop)),
            Command::SetEnabled { entity, enabled: false } => ("disable", world.set_enabled(entity, false).map(drop)),
            Command::EntityList { entity, change, name_bytes, apply } => {
                return Some(Applied::of(change, entity_lists::apply(world, names, name_bytes, entity, apply)));
            }
            Command::Move { from, to, apply } => return Some(apply(world, from, to, conflicts)),
            Command::Call => return calls.pop_front().map(Applied::Call),
            Command::Switch(switch) => return Some(Applied::Switch(switch)),
            Command::Fail => return failures.pop_front().map(Applied::MethodFailed),
            Command::Component { entity, change, apply } => {
                return Some(Applied::of(change, apply(world, entity)));
            }
        };
        Some(Applied::of(command, result))
    }
}
