//! A query over a shared world, for whoever only looks.

use super::filter::QueryFilter;
use super::iter::QueryIter;
use super::many::{Query, QueryGuard, QueryState};
use super::query_data::ReadOnlyData;
use crate::world::World;

/// A query that only reads; [`Engine::read`](crate::Engine::read) returns it. [`QueryRef::query`] gives the query itself.
///
/// As long as it exists its pools can not be written; one that is leaked (`std::mem::forget`) keeps systems from writing
/// to them for ever.
pub struct QueryRef<'w, D: ReadOnlyData, F: QueryFilter = ()> {
    guard: QueryGuard<'w, D, F>,
}

impl<'w, D: ReadOnlyData, F: QueryFilter> QueryRef<'w, D, F> {
    pub(crate) fn over(world: &'w World) -> Self {
        Self { guard: QueryGuard::new(&QueryState::find(&world.components), None, world) }
    }

    /// The query, for as long as it is looked at.
    pub fn query(&mut self) -> Query<'_, D, F> {
        self.guard.query()
    }

    /// Calls `visit` with each match.
    pub fn for_each(&mut self, visit: impl FnMut(D::Read<'_>)) {
        let query = self.guard.query();
        QueryIter::new(&query).for_each(visit);
    }
}
