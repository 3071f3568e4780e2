//! What one query touches and which entities it can match: two queries of a method must not reach the same value if one
//! writes it.

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
    /// The cases of its `Or`s: each match is one of them, if there are any.
    pub(super) cases: Vec<Case>,
    /// Components whose changes it sees.
    pub(crate) tracked: ComponentMask,
    /// Whether disabled entities and components count as present.
    pub(crate) includes_disabled: bool,
    /// Components that it names twice and writes to.
    pub(super) twice: ComponentMask,
    /// Why a type that it names cannot be a component.
    pub(super) refusal: Option<String>,
}

/// What matches have and lack if one condition of each `Or` holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Case {
    pub(super) required: ComponentMask,
    pub(super) excluded: ComponentMask,
}

/// `Or`s with more cases together prove nothing.
const MOST_CASES: usize = 64;

impl Case {
    pub(super) fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.required.insert_all(&other.required);
        both.excluded.insert_all(&other.excluded);
        both
    }
}

impl QueryAccess {
    /// Adds the cases of an `Or`.
    pub(super) fn either(&mut self, cases: &[Case]) {
        if self.cases.is_empty() {
            self.cases.push(Case::default());
        }
        if self.cases.len() * cases.len() <= MOST_CASES {
            self.cases = self.cases.iter().flat_map(|one| cases.iter().map(|other| one.and(other))).collect();
        }
    }

    /// All cases in which the query reaches a component.
    fn cases_with(&self, component: ComponentId) -> Vec<Case> {
        let mut all = Case { required: self.required.clone(), excluded: self.excluded.clone() };
        all.required.insert(component);
        let cases =
            if self.cases.is_empty() { vec![all] } else { self.cases.iter().map(|case| case.and(&all)).collect() };
        cases.into_iter().filter(|case| case.required.is_disjoint(&case.excluded)).collect()
    }

    /// Whether an entity with these components is one of the cases of its `Or`s.
    #[cfg(feature = "inspect")]
    pub(crate) fn has_case(&self, has: impl Fn(ComponentId) -> bool) -> bool {
        let is_one = |case: &Case| case.required.iter().all(&has) && !case.excluded.iter().any(&has);
        self.cases.is_empty() || self.cases.iter().any(is_one)
    }

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

    /// Whether no entity on which this query reaches a component can be one on which `other` reaches it, whatever is
    /// enabled or disabled.
    ///
    /// The proof is complete for what the queries require, exclude and combine by up to [`MOST_CASES`] cases of `Or`.
    pub(super) fn is_disjoint(&self, other: &Self, component: ComponentId) -> bool {
        let others = other.cases_with(component);
        self.cases_with(component).iter().all(|case| {
            others.iter().all(|other_case| {
                is_excluded(self, case, other, other_case) || is_excluded(other, other_case, self, case)
            })
        })
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
        let contested = self.contested(later).iter().find(|contested| !self.is_disjoint(later, *contested))?;
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

/// Whether a case of a query requires a component that a case of `other` excludes.
///
/// A query that includes disabled components finds a disabled one, which `other` overlooks unless it includes them too.
fn is_excluded(query: &QueryAccess, case: &Case, other: &QueryAccess, other_case: &Case) -> bool {
    !case.required.is_disjoint(&other_case.excluded) && (other.includes_disabled || !query.includes_disabled)
}

impl fmt::Display for QueryAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [data, filter] = self.types.map(without_paths);
        if filter == "()" { write!(f, "`Query<{data}>`") } else { write!(f, "`Query<{data}, {filter}>`") }
    }
}
