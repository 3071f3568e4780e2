//! The components, the structural changes, and a naive model of them.
#![expect(clippy::borrowed_box, reason = "the macro hands each field by reference")]

use std::collections::BTreeMap;

use ecs::EntityId;

use super::queries::Shape;

/// A component that holds a number.
pub(super) trait Value: Send + Sync + 'static {
    /// Its index in the lists of the model.
    const KIND: usize;
    fn new(number: u64) -> Self;
    fn number(&self) -> u64;
}

macro_rules! value {
    ($kind:expr, $name:ident($field:ty), $new:expr, $number:expr) => {
        #[derive(Clone)]
        pub(super) struct $name(pub(super) $field);

        impl Value for $name {
            const KIND: usize = $kind;
            fn new(number: u64) -> Self {
                Self($new(number))
            }
            fn number(&self) -> u64 {
                $number(&self.0)
            }
        }
    };
}

value!(0, A(u64), |n| n, |n: &u64| *n);
// Owns memory, so sanitizers notice a value that is dropped twice or never.
value!(1, B(Box<u64>), Box::new, |n: &Box<u64>| **n);
// Large enough to be visited four at a time.
value!(2, C([u64; 3]), |n| [n; 3], |n: &[u64; 3]| n[2]);
value!(3, D(u64), |n| n, |n: &u64| *n);
value!(4, E(u32), |n| n as u32, |n: &u32| u64::from(*n));
value!(TAG, Tag(()), |_| (), |_: &()| 0);

// `Removed` carries the value.
impl Copy for A {}

pub(super) const TAG: usize = 5;
pub(super) const KINDS: usize = 6;

/// The kinds in a set.
pub(super) fn kinds(set: u8) -> impl Iterator<Item = usize> {
    (0..KINDS).filter(move |kind| set >> kind & 1 == 1)
}

/// The numbers of an entity's components, by kind.
pub(super) type Numbers = [Option<u64>; KINDS];

/// Calls generic code with the component type of a kind.
macro_rules! with_kind {
    ($kind:expr, $T:ident => $call:expr) => {
        with_kind!($kind, $T => $call, 0 A, 1 B, 2 C, 3 D, 4 E, _ Tag)
    };
    ($kind:expr, $T:ident => $call:expr, $($pattern:tt $type:ident),*) => {
        match $kind { $($pattern => { type $T = $type; $call })* }
    };
}

/// The bundles of [`with_bundle`], as sets of kinds.
pub(super) const BUNDLES: [u8; 8] = [0, 0b11, 0b1_1100, 0b11_1111, 0b1, 0b1_0010, 0b10_0100, 0b1000];

/// Calls generic code with a function that makes a bundle.
macro_rules! with_bundle {
    ($bundle:expr, $make:ident => $call:expr) => {
        with_bundle!($bundle, $make => $call, 0 (|_: u64| ()), 1 (|n| (A::new(n), B::new(n))),
            2 (|n| (C::new(n), D::new(n), E::new(n))),
            3 (|n| (E::new(n), C::new(n), A::new(n), Tag(()), D::new(n), B::new(n))),
            4 (|n| (A::new(n),)), 5 (|n| (E::new(n), B::new(n))), 6 (|n| (Tag(()), C::new(n))), _ (|n| (D::new(n),)))
    };
    ($bundle:expr, $make:ident => $call:expr, $($pattern:tt $closure:tt),*) => {
        match $bundle { $($pattern => { let $make = $closure; $call })* }
    };
}

/// A structural change. Its ids may be stale.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// Spawns with one bundle, then inserts another.
    Spawn(usize, usize, u64),
    SpawnMany(usize, Vec<u64>),
    Despawn(EntityId),
    DespawnMany(Vec<EntityId>),
    Insert(EntityId, usize, u64),
    InsertMany(Vec<(EntityId, u64)>, usize),
    Remove(EntityId, usize),
    RemoveMany(Vec<EntityId>, usize),
    /// From the first entity to the second.
    Move(EntityId, EntityId, usize),
    Toggle(EntityId, usize, bool),
    Enable(EntityId, bool),
}

/// The result of a method that makes a change; `()` for commands.
pub(super) trait Outcome: Sized {
    fn is_done(&self) -> bool {
        true
    }
    fn ids(self) -> Vec<EntityId> {
        Vec::new()
    }
}

impl Outcome for () {}
impl Outcome for Vec<EntityId> {
    fn ids(self) -> Vec<EntityId> {
        self
    }
}
impl<T> Outcome for Result<(), T> {
    fn is_done(&self) -> bool {
        self.is_ok()
    }
}

/// Makes a change through an engine or through commands. Returns the spawned ids that are known, and whether all of it
/// succeeded.
macro_rules! make_change {
    ($target:ident, $spawner:ident, $change:expr) => {{
        let mut spawned = Vec::new();
        let is_done = match $change.clone() {
            Change::Spawn(first, second, n) => {
                let id = with_bundle!(first, make => $spawner.spawn(make(n)));
                spawned.push(id);
                with_bundle!(second, make => $target.insert(id, make(n + 1)).is_done())
            }
            Change::SpawnMany(bundle, numbers) => {
                spawned = with_bundle!(bundle, make => $target.spawn_many(numbers.into_iter().map(make)).ids());
                true
            }
            Change::Despawn(id) => $target.despawn(id).is_done(),
            Change::DespawnMany(ids) => $target.despawn_many(ids).is_done(),
            Change::Insert(id, bundle, n) => with_bundle!(bundle, make => $target.insert(id, make(n)).is_done()),
            Change::InsertMany(all, bundle) => with_bundle!(bundle, make => {
                $target.insert_many(all.into_iter().map(|(id, n)| (id, make(n)))).is_done()
            }),
            Change::Remove(id, kind) => with_kind!(kind, T => $target.remove::<T>(id).is_done()),
            Change::RemoveMany(ids, kind) => with_kind!(kind, T => $target.remove_many::<T>(ids).is_done()),
            Change::Move(from, to, kind) => with_kind!(kind, T => $target.move_component::<T>(from, to).is_done()),
            Change::Toggle(id, kind, true) => with_kind!(kind, T => $target.enable_component::<T>(id).is_done()),
            Change::Toggle(id, kind, false) => with_kind!(kind, T => $target.disable_component::<T>(id).is_done()),
            Change::Enable(id, true) => $target.enable(id).is_done(),
            Change::Enable(id, false) => $target.disable(id).is_done(),
        };
        (spawned, is_done)
    }};
}

/// An entity of the model.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub(super) is_enabled: bool,
    /// By kind: the number, and whether the component is enabled.
    pub(super) components: [Option<(u64, bool)>; KINDS],
}

impl Entity {
    pub(super) fn insert(&mut self, kind: usize, number: u64) {
        let is_on = self.components[kind].is_none_or(|(_, is_on)| is_on);
        self.components[kind] = Some((if kind == TAG { 0 } else { number }, is_on));
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub(super) alive: BTreeMap<EntityId, Entity>,
    /// Lifecycle events that no frame has delivered yet.
    pub(super) events: LifecycleEvents,
}

/// Entities in the order of the events, and owners of removed components of type `A`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LifecycleEvents {
    pub(super) spawned: Vec<EntityId>,
    pub(super) despawned: Vec<EntityId>,
    pub(super) removed: Vec<EntityId>,
}

impl Model {
    /// Makes a change, with the given ids for spawned entities. Returns whether all of it succeeded.
    pub(super) fn apply(&mut self, change: &Change, ids: &mut impl Iterator<Item = EntityId>) -> bool {
        match change {
            Change::Spawn(first, second, n) => {
                let id = self.spawn(ids);
                self.insert(id, *first, *n) && self.insert(id, *second, n + 1)
            }
            Change::SpawnMany(bundle, numbers) => numbers.iter().all(|n| {
                let id = self.spawn(ids);
                self.insert(id, *bundle, *n)
            }),
            Change::Despawn(id) => self.despawn(*id),
            Change::DespawnMany(ids) => ids.iter().filter(|id| !self.despawn(**id)).count() == 0,
            Change::Insert(id, bundle, n) => self.insert(*id, *bundle, *n),
            Change::InsertMany(all, bundle) => {
                all.iter().fold(true, |is_done, (id, n)| self.insert(*id, *bundle, *n) && is_done)
            }
            Change::Remove(id, kind) => self.remove(*id, *kind),
            Change::RemoveMany(ids, kind) => ids.iter().filter(|id| !self.remove(**id, *kind)).count() == 0,
            Change::Move(from, to, kind) => self.move_component(*from, *to, *kind),
            Change::Toggle(id, kind, on) => {
                let component = self.alive.get_mut(id).and_then(|entity| entity.components[*kind].as_mut());
                component.map(|(_, is_on)| *is_on = *on).is_some()
            }
            Change::Enable(id, on) => self.alive.get_mut(id).map(|entity| entity.is_enabled = *on).is_some(),
        }
    }

    pub(super) fn spawn(&mut self, ids: &mut impl Iterator<Item = EntityId>) -> EntityId {
        let id = ids.next().expect("the engine returned the ids that it spawned");
        let old = self.alive.insert(id, Entity { is_enabled: true, components: [None; KINDS] });
        assert!(old.is_none(), "{id} is given out twice");
        self.events.spawned.push(id);
        id
    }

    pub(super) fn despawn(&mut self, id: EntityId) -> bool {
        let Some(entity) = self.alive.remove(&id) else { return false };
        self.events.removed.extend(entity.components[A::KIND].map(|_| id));
        self.events.despawned.push(id);
        true
    }

    pub(super) fn insert(&mut self, id: EntityId, bundle: usize, n: u64) -> bool {
        let Some(entity) = self.alive.get_mut(&id) else { return false };
        kinds(BUNDLES[bundle]).for_each(|kind| entity.insert(kind, n));
        true
    }

    pub(super) fn remove(&mut self, id: EntityId, kind: usize) -> bool {
        let was_there = self.alive.get_mut(&id).is_some_and(|entity| entity.components[kind].take().is_some());
        self.events.removed.extend((was_there && kind == A::KIND).then_some(id));
        was_there
    }

    fn move_component(&mut self, from: EntityId, to: EntityId, kind: usize) -> bool {
        let number = self.alive.get(&from).and_then(|entity| entity.components[kind]);
        let (Some((number, _)), true) = (number, self.alive.contains_key(&to)) else { return false };
        if from != to {
            self.remove(from, kind);
            self.alive.get_mut(&to).expect("it is alive").insert(kind, number);
        }
        true
    }

    /// The row that a query yields for an entity; `None` if the entity does not match.
    pub(super) fn row(&self, id: EntityId, shape: &Shape) -> Option<Numbers> {
        let entity = self.alive.get(&id).filter(|entity| entity.is_enabled || shape.with_disabled)?;
        let see = |kind: usize| {
            entity.components[kind].filter(|(_, is_on)| *is_on || shape.with_disabled).map(|(number, _)| number)
        };
        let seen = (0..KINDS).filter(|kind| see(*kind).is_some()).fold(0, |seen, kind| seen | 1 << kind);
        let required = shape.required | shape.with;
        let yielded = |kind| see(kind).filter(|_| (shape.required | shape.optional) >> kind & 1 == 1);
        (seen & required == required && seen & shape.without == 0).then(|| std::array::from_fn(yielded))
    }

    /// All rows that a query yields, by id.
    pub(super) fn rows(&self, shape: &Shape) -> Vec<(EntityId, Numbers)> {
        self.alive.keys().filter_map(|id| Some((*id, self.row(*id, shape)?))).collect()
    }

    /// Adds one to each number that the query may write to.
    pub(super) fn bump(&mut self, shape: &Shape) {
        for (id, row) in self.rows(shape) {
            let components = &mut self.alive.get_mut(&id).expect("the entity has a row").components;
            for kind in kinds(shape.written).filter(|kind| row[*kind].is_some() && *kind != TAG) {
                components[kind].iter_mut().for_each(|(number, _)| *number += 1);
            }
        }
    }
}
