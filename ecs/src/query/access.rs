//! What a system reads and writes, collected from the parameters of its methods.

use std::fmt;
use std::sync::Arc;

use super::{QueryAccess, QueryStats};
use crate::component::{ComponentId, ComponentManager, ComponentMask};
use crate::error::SetupError;
use crate::event::EventTypeId;
use crate::resources::{LastAsked, ResourceId, Resources};
use crate::types::AnyLocalState;

/// What the parameters of one method read and write.
///
/// It has no public constructor, and no `Default`: queries of one method share pools without guards (decision 0053), so
/// all its parameters must be prepared with one access, by the engine.
#[derive(Clone, Debug)]
pub struct Access {
    pub(crate) method: &'static str,
    pub(crate) reads: ComponentMask,
    pub(crate) writes: ComponentMask,
    /// It sees changes of these. For other systems this is reading; the method itself may write to them.
    observes: ComponentMask,
    /// Ascending.
    pub(crate) resource_reads: Vec<ResourceId>,
    /// Ascending.
    pub(crate) resource_writes: Vec<ResourceId>,
    /// When each parameter for a resource last asked for changes.
    pub(crate) last_asked: Vec<Arc<LastAsked>>,
    pub(crate) sends: Vec<EventTypeId>,
    /// The statistics of its queries, which know the required components.
    pub(crate) queries: Vec<Arc<QueryStats>>,
    /// What each of its queries touches.
    query_accesses: Vec<QueryAccess>,
    /// The private state of its method.
    pub(crate) locals: Vec<Arc<dyn AnyLocalState>>,
    pub(crate) commands: bool,
    /// It assigns entity ids, so no other system may do so or read the entity table meanwhile.
    pub(crate) spawns: bool,
    pub(crate) reads_entities: bool,
    pub(crate) changes_subscriptions: bool,
    /// It draws random numbers.
    pub(crate) draws: bool,
    /// It returns a `Result`.
    pub(crate) can_fail: bool,
    /// It takes the whole world.
    pub(crate) is_exclusive: bool,
    conflict: Option<String>,
}

impl Access {
    /// The access of a method or function with this name, before its parameters are known.
    pub(crate) fn of(method: &'static str) -> Self {
        Self { method, ..Self::new() }
    }

    pub(crate) fn new() -> Self {
        Self {
            method: "",
            reads: ComponentMask::default(),
            writes: ComponentMask::default(),
            observes: ComponentMask::default(),
            resource_reads: Vec::new(),
            resource_writes: Vec::new(),
            last_asked: Vec::new(),
            sends: Vec::new(),
            queries: Vec::new(),
            query_accesses: Vec::new(),
            locals: Vec::new(),
            commands: false,
            spawns: false,
            reads_entities: false,
            changes_subscriptions: false,
            draws: false,
            can_fail: false,
            is_exclusive: false,
            conflict: None,
        }
    }

    /// The access of a method that takes the whole world.
    pub(crate) fn exclusive() -> Self {
        Self { is_exclusive: true, ..Self::new() }
    }

    /// The error if a parameter of this method of `system` is refused, or two exclude each other.
    pub(crate) fn check(&self, system: &'static str) -> Result<(), SetupError> {
        let Some(conflict) = self.conflict() else { return Ok(()) };
        Err(SetupError::Conflict { system, method: self.method, conflict: conflict.to_owned() })
    }

    /// A message about a parameter that is refused, or two that exclude each other.
    pub(crate) fn conflict(&self) -> Option<&str> {
        self.conflict.as_deref()
    }

    fn note(&mut self, is_conflict: bool, kind: &str, name: &str) {
        if is_conflict && self.conflict.is_none() {
            self.conflict = Some(format!(
                "it asks for {kind} {name} for writing and a second time: join the two into one parameter"
            ));
        }
    }

    /// Adds a query. It may share written components with an earlier query of the method only if no entity matches
    /// both.
    ///
    /// Returns the components that it shares with earlier queries, where one of the two writes.
    pub(crate) fn add_query(&mut self, query: QueryAccess, components: &ComponentManager) -> ComponentMask {
        let mut shared = ComponentMask::default();
        let mut conflict = query.conflict(components);
        for earlier in &self.query_accesses {
            conflict = conflict.or_else(|| earlier.conflict_with(&query, components));
            shared.insert_all(&earlier.contested(&query));
        }
        self.conflict = self.conflict.take().or(conflict);
        self.reads.insert_all(&query.reads);
        self.writes.insert_all(&query.writes);
        self.observes.insert_all(&query.tracked);
        self.query_accesses.push(query);
        shared
    }

    /// Adds a resource for reading; returns what its parameter keeps.
    pub(crate) fn read_resource(&mut self, id: ResourceId, name: &str) -> Arc<LastAsked> {
        self.note(self.resource_writes.contains(&id), "resource", name);
        insert_sorted(&mut self.resource_reads, [id]);
        self.asks_of(id)
    }

    /// Adds a resource for writing; returns what its parameter keeps.
    pub(crate) fn write_resource(&mut self, id: ResourceId, name: &str) -> Arc<LastAsked> {
        self.note(self.resource_writes.contains(&id) || self.resource_reads.contains(&id), "resource", name);
        insert_sorted(&mut self.resource_writes, [id]);
        self.asks_of(id)
    }

    fn asks_of(&mut self, id: ResourceId) -> Arc<LastAsked> {
        let last_asked = Arc::new(LastAsked::new(id));
        self.last_asked.push(Arc::clone(&last_asked));
        last_asked
    }

    /// It draws random numbers of a purpose, for which a resource stands.
    pub(crate) fn draw(&mut self, id: ResourceId, purpose: &str) {
        self.draws = true;
        if self.resource_writes.contains(&id) {
            self.refuse(format!("it asks twice for the random numbers {purpose:?}: keep one of the two parameters"));
        }
        insert_sorted(&mut self.resource_writes, [id]);
    }

    /// It asks for something that does not exist; the sentence says what, and the remedy.
    pub(crate) fn refuse(&mut self, problem: String) {
        self.conflict.get_or_insert(problem);
    }

    pub(crate) fn read_entities(&mut self) {
        self.reads_entities = true;
        self.note_entities();
    }

    pub(crate) fn spawn(&mut self) {
        self.note(self.spawns, "the", "Spawner");
        self.spawns = true;
        self.note_entities();
    }

    fn note_entities(&mut self) {
        if self.spawns && self.reads_entities && self.conflict.is_none() {
            self.conflict = Some(
                "it has a Spawner and looks at all entities: let its query require a component, or use `Commands`"
                    .to_owned(),
            );
        }
    }

    /// Whether the method may send events, record commands or return an error.
    pub(crate) fn fills_buffers(&self) -> bool {
        self.commands || self.spawns || self.can_fail || !self.sends.is_empty()
    }

    /// Whether the method changes nothing and records nothing.
    pub(crate) fn only_reads(&self) -> bool {
        let writes_values =
            self.is_exclusive || self.writes.iter().next().is_some() || !self.resource_writes.is_empty();
        !writes_values && !self.fills_buffers() && !self.changes_subscriptions
    }

    /// Whether a query names added or changed components.
    pub(crate) fn sees_changes(&self) -> bool {
        self.queries.iter().any(|query| !query.tracked.is_empty())
    }

    /// Its queries that write a component.
    #[cfg(feature = "inspect")]
    pub(crate) fn queries_that_write(&self, component: ComponentId) -> impl Iterator<Item = &QueryAccess> {
        self.query_accesses.iter().filter(move |query| query.writes.contains(component))
    }

    /// As [`Access::check`], for a function that is called once: private state would always be new.
    pub(crate) fn check_once(&self, function: &'static str) -> Result<(), SetupError> {
        self.check(function)?;
        let Some(local) = self.locals.first() else { return Ok(()) };
        let conflict = format!(
            "it runs once, so it cannot keep private state, Local<{}>: return the value, or write it to a resource",
            local.name()
        );
        Err(SetupError::Conflict { system: function, method: function, conflict })
    }

    /// Sets the tick since which its queries see changes.
    pub(crate) fn see_changes_since(&self, tick: u64) {
        self.queries.iter().for_each(|query| query.set_last_run(tick));
    }

    /// Adds the access of another method of the same phase. The queries of different methods never exist at the same
    /// time.
    pub(crate) fn join(&mut self, other: &Self) {
        self.reads.insert_all(&other.reads);
        self.reads.insert_all(&other.observes);
        self.writes.insert_all(&other.writes);
        insert_sorted(&mut self.resource_reads, other.resource_reads.iter().copied());
        insert_sorted(&mut self.resource_writes, other.resource_writes.iter().copied());
        self.sends.extend(&other.sends);
        self.queries.extend(other.queries.iter().cloned());
        self.commands |= other.commands;
        self.spawns |= other.spawns;
        self.reads_entities |= other.reads_entities;
        self.changes_subscriptions |= other.changes_subscriptions;
        self.draws |= other.draws;
        self.can_fail |= other.can_fail;
        self.is_exclusive |= other.is_exclusive;
    }

    /// What it touches, and whether it writes it. Some may come twice.
    pub(crate) fn uses(&self) -> impl Iterator<Item = (Used, bool)> {
        let read = self.reads.iter().chain(self.observes.iter()).map(|id| (Used::Component(id), false));
        let written = self.writes.iter().map(|id| (Used::Component(id), true));
        let resources_read = self.resource_reads.iter().map(|id| (Used::Resource(*id), false));
        let resources_written = self.resource_writes.iter().map(|id| (Used::Resource(*id), true));
        let ids = (self.spawns || self.reads_entities).then_some((Used::EntityIds, self.spawns));
        read.chain(written).chain(resources_read).chain(resources_written).chain(ids)
    }

    /// All reasons why two systems cannot run side by side; none if they can.
    pub(crate) fn clashes<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Clash> + use<'a> {
        let needs_the_world = self.is_exclusive || other.is_exclusive;
        let parts = (!needs_the_world).then(|| self.clashes_of_parts(other));
        needs_the_world.then_some(Clash::World).into_iter().chain(parts.into_iter().flatten())
    }

    /// As [`Access::clashes`], where neither takes the whole world.
    fn clashes_of_parts<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Clash> + use<'a> {
        let written = self.writes.iter().filter(|id| other.writes.contains(*id) || other.reads.contains(*id));
        let read = other.writes.iter().filter(|id| self.reads.contains(*id) && !self.writes.contains(*id));
        let components = written.chain(read).map(Clash::Component);
        let touched = |id| other.resource_reads.contains(id) || other.resource_writes.contains(id);
        let written = self.resource_writes.iter().filter(move |id| touched(id));
        let is_read_only = |id| self.resource_reads.contains(id) && !self.resource_writes.contains(id);
        let read = other.resource_writes.iter().filter(move |id| is_read_only(id));
        let resources = written.chain(read).map(|id| Clash::Resource(*id));
        let looks = |access: &Self| access.spawns || access.reads_entities;
        let ids = (self.spawns && looks(other)) || (other.spawns && looks(self));
        let subscriptions = self.changes_subscriptions && other.changes_subscriptions;
        let others = [ids.then_some(Clash::EntityIds), subscriptions.then_some(Clash::Subscriptions)];
        components.chain(resources).chain(others.into_iter().flatten())
    }
}

/// Inserts ids into an ascending list without duplicates.
fn insert_sorted(list: &mut Vec<ResourceId>, ids: impl IntoIterator<Item = ResourceId>) {
    for id in ids {
        if let Err(place) = list.binary_search(&id) {
            list.insert(place, id);
        }
    }
}

/// What one listener can touch beside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Used {
    Component(ComponentId),
    Resource(ResourceId),
    EntityIds,
}

/// A reason why two systems cannot run side by side; [`Conflict`] has names instead of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clash {
    Component(ComponentId),
    Resource(ResourceId),
    EntityIds,
    Subscriptions,
    World,
    /// One was declared to run after the other.
    Order,
}

impl Clash {
    pub(crate) fn named(self, components: &ComponentManager, resources: &Resources) -> Conflict {
        match self {
            Self::Component(id) => Conflict::Component(components.name(id)),
            Self::Resource(id) => Conflict::Resource(resources.name(id)),
            Self::EntityIds => Conflict::EntityIds,
            Self::Subscriptions => Conflict::Subscriptions,
            Self::World => Conflict::World,
            Self::Order => Conflict::DeclaredOrder,
        }
    }
}

/// A reason why two systems cannot run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// At least one of them writes components of this type.
    Component(&'static str),
    /// At least one of them writes this resource.
    Resource(&'static str),
    /// One of them assigns entity ids, and the other one does too or reads the entity table.
    EntityIds,
    /// Both switch subscriptions.
    Subscriptions,
    /// At least one of them takes the whole world.
    World,
    /// One was declared to run after the other, directly or indirectly.
    DeclaredOrder,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Component(name) => write!(f, "component {name}"),
            Self::Resource(name) => write!(f, "resource {name}"),
            Self::EntityIds => f.write_str("entity ids"),
            Self::Subscriptions => f.write_str("subscriptions"),
            Self::World => f.write_str("the whole world"),
            Self::DeclaredOrder => f.write_str("the declared order"),
        }
    }
}
