//! Blame: which unit of work wrote a field, and where it had the value from.

use std::fmt;

use super::{InspectError, Inspector};
use crate::entity::EntityId;
use crate::error::TypeKind;
use crate::near_name::may_be_meant;
use crate::snapshot::Difference;
use crate::system::{
    Blame, Field, FieldValue, NoSuchPart, Owner, Source, StateReaders, SystemKey, Write, WriteKind, Writer, steps,
};
use crate::types::{Leaf, Walker, in_path};

/// Before the name of a system.
pub(super) const SYSTEM: &str = "system ";
/// Copies that are followed.
const MOST_ORIGINS: usize = 8;
/// Writes, the last ones, whose values are followed.
const MOST_FOLLOWED: usize = 4;
/// Places that are told if they are several.
const MOST_PLACES: usize = 4;

/// What [`Inspector::begin_blame`] watches for: a field, or what [`WhyValue::find`] asks for.
#[derive(Clone, Debug)]
pub struct BlameRequest {
    field: Field,
    scan: Option<(u64, Leaf)>,
}

impl From<&Field> for BlameRequest {
    fn from(field: &Field) -> Self {
        Self { field: field.clone(), scan: None }
    }
}

/// Blame.
impl Inspector<'_> {
    /// A component of an entity, a resource, the state of a system, or a part of one, by its name and a path, as in
    /// `pocket.carried`. A name may have spaces. A system has the name of its registered type, or that of its Rust type
    /// or function, and `name 2` is the second one; `system wind.speed` is never a resource. The `Local` parameters of
    /// its methods and conditions are fields by the names of their types, as in `count_hits.hits`; a system with both
    /// has its own fields below `state`.
    ///
    /// # Errors
    /// - [`InspectError::Field`] if no component, or without an entity no resource and no system with a registered
    ///   state, has this name, or if the value that is there has no such field; it tells the name that may be meant.
    /// - [`InspectError::NotSaved`] for a part of a value or a state of a type that is not registered for saving.
    ///
    /// # Example
    /// See [`Inspector::begin_blame`].
    pub fn field(&self, entity: Option<EntityId>, text: &str) -> Result<Field, InspectError> {
        let types = self.engine.types();
        let names: Vec<&str> = match entity {
            Some(_) => self.component_names().collect(),
            None => self.resource_names().collect(),
        };
        let of_system = text.strip_prefix(SYSTEM).filter(|_| entity.is_none());
        let named = named_at_beginning(text, names.iter().copied()).filter(|_| of_system.is_none());
        let Some((name, rest)) = named else {
            if entity.is_none()
                && let Some(field) = self.field_of_system(of_system.unwrap_or(text))?
            {
                return Ok(field);
            }
            let (kind, other) = match entity {
                Some(_) => ("component", types.resources.named(text).map(|_| "it is a resource: leave the entity out")),
                None => {
                    let component = types.components.named(text);
                    ("resource or system", component.map(|_| "it is a component: name its entity"))
                }
            };
            let readers = StateReaders::of(types);
            let systems = readers.named(self.engine.systems());
            let systems = systems.iter().map(|(name, _)| &**name).filter(|_| entity.is_none());
            let names = names.into_iter().filter(|_| of_system.is_none()).chain(systems);
            let word = of_system.unwrap_or(text).split('.').next().unwrap_or(text).trim_matches('`');
            let meant = other.map_or_else(|| may_be_meant(word, names), |other| format!(": {other}"));
            return Err(InspectError::Field { problem: format!("no {kind} is registered as `{word}`{meant}") });
        };
        let (owner, name, is_saved) = match (entity, types.components.named(name), types.resources.named(name)) {
            (Some(entity), Some(entry), _) => {
                (Owner::Component(entity, entry.type_id), entry.name.clone(), entry.codec.is_some())
            }
            (None, _, Some(entry)) => (Owner::Resource(entry.type_id), entry.name.clone(), entry.codec.is_some()),
            _ => return Err(InspectError::Missing),
        };
        let field = Field { owner, name, path: steps(rest.strip_prefix('.').unwrap_or(rest)) };
        if !field.path.is_empty() && !is_saved {
            return Err(InspectError::NotSaved);
        }
        self.check_path(&field).map(|()| field)
    }

    /// The state of a system, or a part of it; `None` if no system has such a name.
    fn field_of_system(&self, text: &str) -> Result<Option<Field>, InspectError> {
        let (readers, systems) = (StateReaders::of(self.engine.types()), self.engine.systems());
        let named = readers.named(systems);
        let names = named.iter().map(|(name, _)| &**name).chain(systems.nodes.iter().map(|node| node.name));
        let Some((name, rest)) = named_at_beginning(text, names) else { return Ok(None) };
        let refused = |problem| Err(InspectError::Field { problem });
        let Some(node) = readers.find(name, systems) else {
            return refused(format!(
                "the state of system `{name}` is not known: it has none, or its type is not registered"
            ));
        };
        let owner = Owner::System(SystemKey::of(node));
        let field = Field { owner, name: name.into(), path: steps(rest.strip_prefix('.').unwrap_or(rest)) };
        match readers.check_path(node, field.path.iter().map(|step| &**step)) {
            Ok(()) => self.check_path(&field).map(|()| Some(field)),
            Err(NoSuchPart::Unknown) => Err(InspectError::NotSaved),
            Err(NoSuchPart::Among(known)) => {
                let wanted = &field.path[0];
                refused(format!("`{name}` has no field `{wanted}`: it has {}", known.join(", ")))
            }
        }
    }

    /// Refuses a path that asks a struct for a field that it has not.
    fn check_path(&self, field: &Field) -> Result<(), InspectError> {
        let mut ignored = |_: &str, _| {};
        let mut walker = Walker::new(&field.path, &mut ignored);
        let shown = match field.owner {
            Owner::Component(entity, _) => self.component(entity, &field.name, &mut walker),
            Owner::Resource(_) => self.resource(&field.name, &mut walker),
            Owner::System(_) => self.system(&field.name, &mut walker),
        };
        let (Ok(()), Some((place, known))) = (shown, walker.lacks()) else { return Ok(()) };
        let wanted = &field.path[place];
        let meant = match may_be_meant(wanted, known.iter().copied()) {
            none if none.is_empty() => format!(": it has {}", known.join(", ")),
            meant => meant,
        };
        let whole = Field { path: field.path[..place].into(), ..field.clone() };
        Err(InspectError::Field { problem: format!("`{}` has no field `{wanted}`{meant}", whole.text()) })
    }

    /// The component of an entity, the resource or the system in which two states differ; `None` if they differ in
    /// something else.
    #[must_use]
    pub fn field_of(&self, difference: &Difference) -> Option<Field> {
        let types = self.engine.types();
        let (owner, name) = match difference.kind? {
            TypeKind::Component => {
                let entry = types.components.named(&difference.name)?;
                let entity = difference.values.as_ref()?.entity?;
                (Owner::Component(entity, entry.type_id), entry.name.clone())
            }
            TypeKind::Resource => {
                let entry = types.resources.named(&difference.name)?;
                (Owner::Resource(entry.type_id), entry.name.clone())
            }
            TypeKind::System => return self.field_of_system(&in_path(&difference.name)).ok()?,
            TypeKind::Event | TypeKind::Local => return None,
        };
        Some(Field { owner, name, path: Box::default() })
    }

    /// The value of a field, to be compared with a later one.
    #[must_use]
    pub fn field_value(&self, field: &Field) -> FieldValue {
        FieldValue::of(field, self.engine.types(), self.engine, self.engine.systems())
    }

    /// Begins to watch a field: its value is compared before and after each system, listener and command that runs
    /// from now on, until [`Inspector::end_blame`]. Frames run on the calling thread meanwhile, event by event, and end
    /// in the same state.
    ///
    /// Events and causes are traced meanwhile; what was traced before is forgotten.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// #[derive(Clone, Copy)]
    /// struct Struck { victim: EntityId, points: u32 }
    ///
    /// fn hurt(struck: &Struck, mut health: Query<&mut u32>) {
    ///     if let Some(health) = health.get_mut(struck.victim) {
    ///         *health -= struck.points;
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.types_mut().component::<u32>("health")?.save::<u32>(1)?;
    /// engine.listen(hurt)?;
    /// let victim = engine.spawn((9_u32,));
    /// engine.send(Struck { victim, points: 2 });
    ///
    /// let health = engine.inspector().field(Some(victim), "health")?;
    /// engine.inspector().begin_blame(&health);
    /// engine.update(Duration::ZERO)?;
    /// let blame = engine.inspector().end_blame().expect("it has begun");
    /// assert_eq!(
    ///     blame.writes[0].to_string(),
    ///     "frame 1: hurt in its listener for Struck changed health: 9 → 7; Struck (frame 1)"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_blame(&mut self, request: impl Into<BlameRequest>) {
        let BlameRequest { field, scan } = request.into();
        self.engine.begin_blame(field, scan);
    }

    /// Ends to watch; returns what wrote the field. `None` if nothing was watched.
    ///
    /// # Example
    /// See [`Inspector::begin_blame`].
    pub fn end_blame(&mut self) -> Option<Blame> {
        self.engine.end_blame()
    }
}

/// The name with which a text begins, and the path behind it. The longest one, since names may have dots.
fn named_at_beginning<'a, 't>(text: &'t str, names: impl Iterator<Item = &'a str>) -> Option<(&'a str, &'t str)> {
    let behind = |name: &str| {
        let quoted = || text.strip_prefix('`')?.strip_prefix(name)?.strip_prefix('`');
        let rest = text.strip_prefix(name).or_else(quoted)?;
        (rest.is_empty() || rest.starts_with('.')).then_some(rest)
    };
    names.filter_map(|name| Some((name, behind(name)?))).max_by_key(|(name, _)| name.len())
}

/// Why a field has its value: what wrote it, and where that had the value from, as far as it can be known.
#[derive(Clone, Debug)]
pub struct WhyValue {
    /// All writes of the field, or why there is none.
    pub blame: Blame,
    /// For each write where it had its value from; each place leads on from the one before. None if it wrote several
    /// values, so ask for one of them, and for all but the last four writes.
    pub origins: Vec<Vec<Origin>>,
}

/// Where a written value came from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// From the only field with the same value among all that the writer may read.
    Field {
        /// The field.
        field: Field,
        /// What wrote it before, in these frames.
        write: Option<Box<Write>>,
    },
    /// From the only field of the delivered event, and nothing else that the writer may read, with the same value.
    Event {
        /// Name of the event type.
        event: &'static str,
        /// The field; empty if the event is one value.
        field: String,
        /// What sent it; `None` for the program and the engine.
        sender: Option<String>,
    },
    /// Nothing that the writer may read had the value: it was computed, or is a constant.
    Computed,
    /// Several places had the value; which one was taken cannot be known.
    Several(Vec<String>),
    /// The value is one that many places have, such as 0 or `true`.
    NotFollowed,
    /// There is too much that the writer may read.
    TooMuch,
    /// What a command held, only the system knows that recorded it.
    OfCommand,
}

impl WhyValue {
    /// Finds out why a field has its value after some frames. `again` restores the state before them, calls
    /// [`Inspector::begin_blame`] with the request, runs them, and returns what [`Inspector::end_blame`] tells. It is
    /// called once, once for each write, and once or twice for each copy that is followed.
    ///
    /// # Errors
    /// Those of `again`.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    /// use ecs::inspect::WhyValue;
    ///
    /// fn aim(mut scouts: Query<(&f32, &mut f64)>) {
    ///     scouts.iter_mut().for_each(|(seen, aim)| *aim = f64::from(*seen));
    /// }
    ///
    /// fn look(time: Time, mut seen: Query<&mut f32>) {
    ///     seen.iter_mut().for_each(|seen| *seen = time.frame() as f32 * 2.5);
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.types_mut().component::<f32>("seen")?.save::<f32>(1)?.component::<f64>("aim")?.save::<f64>(1)?;
    /// engine.add((look, aim.after(look)))?;
    /// let scout = engine.spawn((0.0_f32, 0.0_f64));
    ///
    /// let (before, aim) = (engine.snapshot()?, engine.inspector().field(Some(scout), "aim")?);
    /// let why = WhyValue::find(&aim, |request| {
    ///     engine.restore(&before)?;
    ///     engine.inspector().begin_blame(request);
    ///     engine.update(Duration::ZERO)?;
    ///     Ok::<_, ecs::Error>(engine.inspector().end_blame().expect("it has begun"))
    /// })?;
    /// let text = why.to_string();
    /// assert!(text.contains("aim in update changed aim: 0 → 2.5"), "{text}");
    /// assert!(text.contains("from seen of entity 1v1"), "{text}");
    /// assert!(text.contains("look in update changed seen: 0 → 2.5"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find<E>(field: &Field, mut again: impl FnMut(BlameRequest) -> Result<Blame, E>) -> Result<Self, E> {
        let blame = again(field.into())?;
        let not_followed = blame.writes.len().saturating_sub(MOST_FOLLOWED);
        let mut origins = vec![Vec::new(); not_followed];
        for write in &blame.writes[not_followed..] {
            origins.push(Self::origins(field, write, &mut again)?);
        }
        Ok(Self { blame, origins })
    }

    /// Where a write had its value from.
    fn origins<E>(
        field: &Field,
        write: &Write,
        again: &mut impl FnMut(BlameRequest) -> Result<Blame, E>,
    ) -> Result<Vec<Origin>, E> {
        let mut origins = Vec::new();
        // The field that was written, by which unit, and with which value.
        let mut next = Some((field.clone(), write.clone()));
        while let Some((field, write)) = next.take() {
            // Each of several values may come from somewhere else, and what the program wrote is not known here.
            let is_of_unit = matches!(
                write.by,
                Writer::System { .. }
                    | Writer::Listener { .. }
                    | Writer::TransitionMethod { .. }
                    | Writer::Command { .. }
            );
            let Some(leaf) = write.leaf.filter(|_| is_of_unit) else { break };
            if !leaf.is_distinctive() {
                origins.push(Origin::NotFollowed);
                break;
            }
            let mut unit = write.unit;
            let mut is_command = matches!(write.by, Writer::Command { .. });
            // An event leads on to the unit that sent it.
            while origins.len() < MOST_ORIGINS {
                let Blame { mut sources, is_scan_cut, .. } =
                    again(BlameRequest { field: field.clone(), scan: Some((unit, leaf.clone())) })?;
                match (sources.pop(), sources.is_empty(), is_scan_cut) {
                    (_, _, true) => origins.push(Origin::TooMuch),
                    (None, ..) if is_command => origins.push(Origin::OfCommand),
                    // What is said of where it came from ends with the unit that computed it.
                    (None, ..) if !origins.is_empty() => {}
                    (None, ..) => origins.push(Origin::Computed),
                    (Some(Source::Event { event, field, sent_by, .. }), true, _) => {
                        let sender = sent_by.as_ref().map(|(_, name)| name.clone());
                        origins.push(Origin::Event { event, field, sender });
                        if let Some((sender, _)) = sent_by {
                            (unit, is_command) = (sender, false);
                            continue;
                        }
                    }
                    (Some(Source::Field(source)), true, _) => {
                        let mut earlier = again((&source).into())?.writes;
                        earlier.retain(|write| write.unit < unit && write.kind == WriteKind::Changed);
                        let write = earlier.pop();
                        next = write.clone().map(|write| (source.clone(), write));
                        origins.push(Origin::Field { field: source, write: write.map(Box::new) });
                    }
                    (Some(last), false, _) => {
                        sources.push(last);
                        let names = sources.iter().take(MOST_PLACES).map(Source::to_string);
                        origins.push(Origin::Several(names.collect()));
                    }
                }
                break;
            }
            if origins.len() >= MOST_ORIGINS {
                break;
            }
        }
        Ok(origins)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => field.fmt(f),
            Self::Event { event, field, .. } if field.is_empty() => write!(f, "the event {event}"),
            Self::Event { event, field, .. } => write!(f, "{field} of the event {event}"),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { field, write: None } => {
                write!(f, "from {field}, the only field with this value that it may read, which had it before")
            }
            Self::Field { field, write: Some(write) } => {
                write!(f, "from {field}, the only field with this value that it may read: {write}")
            }
            Self::Event { event, field, sender } => {
                let of = if field.is_empty() { String::new() } else { format!("{field} of ") };
                write!(f, "from {of}the event {event}, the only place with this value that it may read, ")?;
                match sender {
                    Some(sender) => write!(f, "sent by {sender}"),
                    None => f.write_str("sent by the program or the engine"),
                }
            }
            Self::Computed => f.write_str("nothing that it may read had this value: it was computed there"),
            Self::Several(places) => {
                write!(
                    f,
                    "this value had, among what it may read, {}: which one it took is not known",
                    places.join(", ")
                )
            }
            Self::NotFollowed => {
                f.write_str("where it comes from is not followed: it is a value that many places have")
            }
            Self::TooMuch => f.write_str("where it comes from is not known: it may read too much"),
            Self::OfCommand => f.write_str("where the command had it from, only the system knows that recorded it"),
        }
    }
}

impl fmt::Display for WhyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { blame, origins } = self;
        blame.tell(f, |f, write| {
            origins.get(write).into_iter().flatten().try_for_each(|origin| write!(f, "\n    {origin}"))
        })
    }
}
