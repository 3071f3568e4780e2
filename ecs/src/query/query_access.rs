//! What one query touches and which entities it can match: two queries of a method must not reach the same value if one writes it.

use std::fmt;

use crate::component::{ComponentId, ComponentManager, ComponentMask};
use crate::type_map::without_paths;

/// What one query reads and writes, and which entities it matches at most.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueryAccess {
    /// The names of its data and its filter.
    pub(super) types: [&'static str; 2],
    pub(crate) reads: ComponentMask,
    pub(crate) writes: ComponentMask,
    /// Components that each match has.
    pub(crate) required: ComponentMask,
    /// Components that no match has.
    pub(crate) excluded: ComponentMask,
    /// Components whose changes it sees.
    pub(crate) tracked: ComponentMask,
    /// Whether disabled entities and components count as present.
    pub(crate) includes_disabled: bool,
    /// Components that it names twice and writes to.
    pub(super) twice: ComponentMask,
    /// Why a type that it names cannot be a component.
    pub(super) refusal: Option<String>,
}

impl QueryAccess {
    pub(super) fn read(&mut self, id: ComponentId) {
        if self.writes.contains(id) {
            self.twice.insert(id);
        }
        self.reads.insert(id);
    }

    pub(super) fn write(&mut self, id: ComponentId) {
        if self.reads.contains(id) || !self.writes.insert(id) {
            self.twice.insert(id);
        }
    }

    pub(super) fn refuse(&mut self, refusal: String) {
        self.refusal.get_or_insert(refusal);
    }

    /// The components that both touch and at least one writes.
    pub(crate) fn contested(&self, other: &Self) -> ComponentMask {
        let touches = |query: &Self, id| query.reads.contains(id) || query.writes.contains(id);
        let written = self.writes.iter().filter(|id| touches(other, *id));
        written.chain(other.writes.iter().filter(|id| touches(self, *id))).collect()
    }

    /// Whether no entity can match both queries, whatever is enabled or disabled.
    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        self.is_excluded_by(other) || other.is_excluded_by(self)
    }

    /// Whether this query requires a component that `other` excludes.
    ///
    /// A query that includes disabled components finds a disabled one, which `other` overlooks unless it includes them too.
    fn is_excluded_by(&self, other: &Self) -> bool {
        !self.required.is_disjoint(&other.excluded) && (other.includes_disabled || !self.includes_disabled)
    }

    /// A message if the query names a type that cannot be a component, or reaches one component twice.
    pub(crate) fn conflict(&self, components: &ComponentManager) -> Option<String> {
        if self.refusal.is_some() {
            return self.refusal.clone();
        }
        let name = components.name(self.twice.iter().next()?);
        Some(format!("{self} asks for component {name} for writing and a second time: ask for it once"))
    }

    /// A message if both queries may reach the same component and one of them writes it.
    pub(crate) fn conflict_with(&self, later: &Self, components: &ComponentManager) -> Option<String> {
        let contested = self.contested(later).iter().next()?;
        if self.is_disjoint(later) {
            return None;
        }
        let name = components.name(contested);
        let excluded = |required: &Self, by: &Self| required.required.iter().find(|id| by.excluded.contains(*id));
        let remedy = match excluded(self, later).or_else(|| excluded(later, self)) {
            Some(id) => {
                let excluded = components.name(id);
                format!(
                    "`Without<{excluded}>` overlooks disabled components, which the other query includes: \
                     let both include them, or neither"
                )
            }
            None => {
                "join the two into one query, or make them disjoint by `Without<X>`, where the other one requires X"
                    .to_owned()
            }
        };
        Some(format!(
            "{self} and {later} may find component {name} of the same entity, and one of them writes it: {remedy}"
        ))
    }
}

impl fmt::Display for QueryAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [data, filter] = self.types.map(without_paths);
        if filter == "()" { write!(f, "`Query<{data}>`") } else { write!(f, "`Query<{data}, {filter}>`") }
    }
}
