//! [`Difference`]: where a state first differs from a recorded one.

use std::fmt;
use std::sync::Arc;

use super::{HashPart, Snapshot, Snapshots, StateHash};
use crate::error::{Error, TypeKind};
use crate::system::{Executor, SystemManager};
use crate::types::{DifferentValues, Rows, TypeRegistry};
use crate::world::World;

/// A recorded state that can be compared with an engine: a [`Snapshot`] or a [`StateHash`].
pub trait RecordedState {
    /// The first difference between this state and that of `engine`; `None` if they are equal. The engine does not
    /// change.
    ///
    /// # Errors
    /// As [`Engine::state_hash`](crate::Engine::state_hash), and for a snapshot as
    /// [`Engine::restore`](crate::Engine::restore).
    fn difference<'e>(&self, engine: impl Into<EngineState<'e>>) -> Result<Option<Difference>, Error>;
}

/// The parts of an engine that make its state. A `&mut Engine` becomes one.
pub struct EngineState<'e> {
    pub(crate) world: &'e mut World,
    pub(crate) systems: &'e mut SystemManager,
    pub(crate) executor: &'e mut Executor,
    pub(crate) snapshots: &'e mut Snapshots,
}

impl EngineState<'_> {
    pub(crate) fn take(&mut self, snapshot: &mut Snapshot) -> Result<(), Error> {
        self.executor.forget_cancelled(self.systems, self.world);
        self.systems.order(self.world)?;
        Ok(self.snapshots.take(snapshot, self.world, self.systems, self.executor)?)
    }

    pub(crate) fn hash(&mut self, into: &mut StateHash) -> Result<(), Error> {
        self.executor.forget_cancelled(self.systems, self.world);
        self.systems.order(self.world)?;
        Ok(self.snapshots.hash(into, self.world, self.systems, self.executor)?)
    }

    /// The hash of a snapshot that could be restored, except that functions may be missing.
    fn hash_of(&mut self, snapshot: &Snapshot) -> Result<StateHash, Error> {
        Ok(self.snapshots.hash_recorded(snapshot, self.systems)?)
    }
}

/// The first difference between two states. They are compared in the order of [`StateHash::parts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The kind of the type that differs; `None` for a part of the engine itself, such as its entities.
    pub kind: Option<TypeKind>,
    /// The name, as in [`HashPart`].
    pub name: Arc<str>,
    /// The values that differ, if the recorded state is a snapshot; `None` if equal values are in another order.
    pub values: Option<DifferentValues>,
}

impl Difference {
    /// What differs, without a verb.
    pub(crate) fn subject(&self) -> String {
        self.kind.map_or_else(|| self.name.to_string(), |kind| format!("{kind} \"{}\"", self.name))
    }

    /// What differs, as a sentence that says no more. The parts of the engine may be several, such as its entities.
    pub(crate) fn sentence(&self) -> String {
        let is_several = self.kind.is_none() && self.name.ends_with('s');
        format!("{} {}", self.subject(), if is_several { "differ" } else { "differs" })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(DifferentValues { entity, recorded, now }) = &self.values else {
            return f.write_str(&self.sentence());
        };
        f.write_str(&self.subject())?;
        if let Some(entity) = entity {
            write!(f, " of entity {entity}")?;
        }
        let [recorded, now] = [recorded, now].map(|value| value.as_deref().unwrap_or("not there"));
        write!(f, " was {recorded} when it was recorded, and is {now} now")
    }
}

impl From<&HashPart> for Difference {
    fn from(part: &HashPart) -> Self {
        Self { kind: part.kind, name: part.name.clone(), values: None }
    }
}

impl RecordedState for StateHash {
    fn difference<'e>(&self, engine: impl Into<EngineState<'e>>) -> Result<Option<Difference>, Error> {
        let mut now = Self::default();
        engine.into().hash(&mut now)?;
        Ok(self.first_difference(&now).map(Difference::from))
    }
}

impl RecordedState for Snapshot {
    fn difference<'e>(&self, engine: impl Into<EngineState<'e>>) -> Result<Option<Difference>, Error> {
        let (mut engine, mut now) = (engine.into(), Self::new());
        engine.take(&mut now)?;
        let (recorded, own) = (engine.hash_of(self)?, engine.hash_of(&now)?);
        let mut difference = recorded.first_difference(&own).map(Difference::from);
        if let Some(difference) = &mut difference {
            difference.values = different_values(difference, self, &now, &engine.snapshots.types);
        }
        Ok(difference)
    }
}

impl Snapshot {
    fn rows_of(&self, component: &str) -> Rows<'_> {
        self.rows(self.pools.iter().position(|pool| pool.name.as_deref() == Some(component))?)
    }

    /// The state of a system of a registered type; `None` if there is no such system.
    fn system_as_text(&self, name: &str, types: &TypeRegistry) -> Option<String> {
        let copy = self.systems.iter().find(|copy| copy.name.as_deref() == Some(name))?;
        Some(types.systems.named(name)?.what.show(&**copy.state.as_ref()?))
    }
}

fn different_values(
    part: &Difference,
    recorded: &Snapshot,
    now: &Snapshot,
    types: &TypeRegistry,
) -> Option<DifferentValues> {
    let values = |recorded, now| Some(DifferentValues { entity: None, recorded, now });
    match part.kind? {
        TypeKind::Component => {
            let known = types.components.named(&part.name)?;
            known.what.different_values(recorded.rows_of(&part.name), now.rows_of(&part.name))
        }
        TypeKind::Resource => {
            let known = types.resources.named(&part.name)?;
            let shown = |snapshot: &Snapshot| {
                let copy = snapshot.resources.iter().find(|copy| copy.name == part.name)?;
                known.what.show(copy.value.as_ref()?)
            };
            values(shown(recorded), shown(now))
        }
        TypeKind::System => {
            let shown = |snapshot: &Snapshot| snapshot.system_as_text(&part.name, types);
            values(shown(recorded), shown(now))
        }
        // They are many: one for each function.
        TypeKind::Event | TypeKind::Local => None,
    }
}
