//! A query as a value: the components that entities must have and must not have, chosen at run time.

use std::fmt;

use super::needs::Needs;
use super::{QueryData, QueryFilter};
use crate::component::{ComponentManager, ComponentMask};

/// Selects the entities that have all components of one set and none of another.
///
/// It is for code that does not know the types at compile time, such as tools and scripts. Disabled entities and
/// disabled components count as missing, as in every query, unless `includes_disabled` is set.
/// [`World::matching`](crate::World::matching) and [`Entities::matching`](crate::Entities::matching) find the entities.
///
/// # Example
/// ```
/// # use ecs::{Engine, query::MaskQuery};
/// struct Monster;
/// struct Boss;
///
/// let mut engine = Engine::new();
/// let imp = engine.spawn((Monster,));
/// engine.spawn((Monster, Boss));
/// let (monsters, bosses) = (engine.mask_of::<(Monster,)>(), engine.mask_of::<(Boss,)>());
/// assert_eq!(engine.matching(&MaskQuery::new(monsters).without(&bosses)), [imp]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaskQuery {
    /// Components that an entity must have, all of them. If empty, every entity matches.
    pub required: ComponentMask,
    /// Components of which an entity must have none.
    pub excluded: ComponentMask,
    /// Whether disabled entities and disabled components match, too.
    pub includes_disabled: bool,
}

impl MaskQuery {
    /// Entities that have all components of a set.
    #[must_use]
    pub fn new(required: ComponentMask) -> Self {
        Self { required, ..Self::default() }
    }

    /// Excludes entities that have any component of `excluded`.
    #[must_use]
    pub fn without(mut self, excluded: &ComponentMask) -> Self {
        self.excluded.insert_all(excluded);
        self
    }

    /// Includes disabled entities and disabled components.
    #[must_use]
    pub fn include_disabled(mut self) -> Self {
        self.includes_disabled = true;
        self
    }

    /// The mask query for a typed query.
    pub(crate) fn of<D: QueryData, F: QueryFilter>(components: &mut ComponentManager) -> Self {
        const { assert!(F::IS_MASK, "a mask query has no `Or` and no filter of changes") };
        let (_, _, access) = Needs::exclusive(components).of::<D, F>();
        Self { required: access.required, excluded: access.excluded, includes_disabled: access.includes_disabled }
    }

    /// The query with the names of its types, for printing: `all of {Monster}, none of {Boss}`.
    #[must_use]
    pub fn names<'a>(&'a self, components: &'a ComponentManager) -> MaskQueryNames<'a> {
        MaskQueryNames { query: self, components }
    }
}

impl From<ComponentMask> for MaskQuery {
    fn from(required: ComponentMask) -> Self {
        Self::new(required)
    }
}

/// Prints a query by mask with the names of its components; made by [`MaskQuery::names`].
#[derive(Clone, Copy)]
pub struct MaskQueryNames<'a> {
    query: &'a MaskQuery,
    components: &'a ComponentManager,
}

impl fmt::Display for MaskQueryNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MaskQuery { required, excluded, includes_disabled } = self.query;
        write!(f, "all of {}", required.names(self.components))?;
        if !excluded.is_empty() {
            write!(f, ", none of {}", excluded.names(self.components))?;
        }
        f.write_str(if *includes_disabled { ", disabled ones too" } else { "" })
    }
}

impl fmt::Debug for MaskQueryNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
