//! [`Difference`]: where a state first differs from a recorded one.

use std::fmt;
use std::sync::Arc;

use super::different_values::{DifferentValues, Rows};
use super::{HashPart, Snapshot, StateHash, TypeKind, TypeRegistry};
use crate::engine::Engine;
use crate::error::Error;

/// A recorded state that can be compared with an engine: a [`Snapshot`] or a [`StateHash`].
pub trait RecordedState {
    /// The first difference between this state and that of `engine`; `None` if they are equal. The engine does not change.
    ///
    /// # Errors
    /// As [`Engine::state_hash`], and for a snapshot as [`Engine::restore`].
    fn difference(&self, engine: &mut Engine) -> Result<Option<Difference>, Error>;
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

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Some(kind) => write!(f, "{kind} \"{}\"", self.name)?,
            None => f.write_str(&self.name)?,
        }
        let Some(DifferentValues { entity, recorded, now }) = &self.values else {
            return f.write_str(" differs");
        };
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
    fn difference(&self, engine: &mut Engine) -> Result<Option<Difference>, Error> {
        Ok(self.first_difference(&engine.state_hash()?).map(Difference::from))
    }
}

impl RecordedState for Snapshot {
    fn difference(&self, engine: &mut Engine) -> Result<Option<Difference>, Error> {
        let now = engine.snapshot()?;
        let (recorded, own) = (engine.hash_of(self)?, engine.hash_of(&now)?);
        let mut difference = recorded.first_difference(&own).map(Difference::from);
        if let Some(difference) = &mut difference {
            difference.values = different_values(difference, self, &now, engine.types());
        }
        Ok(difference)
    }
}

impl Snapshot {
    fn rows_of(&self, component: &str) -> Rows<'_> {
        let pool = self.pools.iter().find(|pool| pool.name.as_deref() == Some(component))?;
        Some((pool.index.as_ref()?.downcast_ref()?, pool.values.as_ref()?))
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
            let known = types.systems.named(&part.name)?;
            let shown = |snapshot: &Snapshot| {
                let copy = snapshot.systems.iter().find(|copy| copy.name.as_ref() == Some(&part.name))?;
                copy.state.as_ref().map(|state| known.what.show(&**state))
            };
            values(shown(recorded), shown(now))
        }
        TypeKind::Event => None,
    }
}
