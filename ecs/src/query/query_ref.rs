//! A query over a shared world.
//!
//! Soundness: the query only reads, and nothing writes while it exists (see `world/peek.rs`).
#![allow(unsafe_code)]

use super::filter::QueryFilter;
use super::iter::QueryIter;
use super::many::{Query, QueryState};
use super::query_data::ReadOnlyData;
use crate::component::ComponentManager;
use crate::entity::EntityManager;
#[cfg(feature = "parallel")]
use crate::thread_pool::ThreadPool;

/// A query that only reads; [`World::read`](crate::World::read) returns it. [`QueryRef::query`] gives the query itself.
pub struct QueryRef<'w, D: ReadOnlyData, F: QueryFilter = ()>(Query<'w, D, F>);

impl<'w, D: ReadOnlyData, F: QueryFilter> QueryRef<'w, D, F> {
    /// # Safety
    /// For `'w` no system runs and nothing writes to the components.
    pub(crate) unsafe fn new(
        components: &'w ComponentManager,
        entities: &'w EntityManager,
        #[cfg(feature = "parallel")] thread_pool: Option<&'w ThreadPool>,
    ) -> Self {
        let state = QueryState::find(components);
        // SAFETY: the caller's promise, and the query only reads.
        let query = unsafe {
            Query::unguarded(
                &state,
                components,
                entities,
                #[cfg(feature = "parallel")]
                thread_pool,
            )
        };
        Self(query)
    }

    /// The query.
    pub fn query(&mut self) -> Query<'_, D, F> {
        self.0.reborrow()
    }

    /// Calls `visit` with each match.
    pub fn for_each(&mut self, visit: impl FnMut(D::Read<'_>)) {
        QueryIter::new(&self.0).for_each(visit);
    }
}
