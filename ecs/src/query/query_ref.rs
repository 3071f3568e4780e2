//! A query over a shared world.
//!
//! Soundness: code outside of the crate has a shared engine or world only while no system writes (see `world/peek.rs`), and the query
//! only reads.
#![allow(unsafe_code)]

use super::filter::QueryFilter;
use super::iter::QueryIter;
use super::many::{Query, QueryState};
use super::query_data::ReadOnlyData;
use crate::world::World;

/// A query that only reads; [`World::read`](crate::World::read) returns it. [`QueryRef::query`] gives the query itself.
pub struct QueryRef<'w, D: ReadOnlyData, F: QueryFilter = ()>(Query<'w, D, F>);

impl<'w, D: ReadOnlyData, F: QueryFilter> QueryRef<'w, D, F> {
    pub(crate) fn over(world: &'w World) -> Self {
        // SAFETY: nothing is written for `'w`, as said above, and the query only reads.
        Self(unsafe { Query::unguarded(&QueryState::find(&world.components), world) })
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
