//! The matches of a query as whole slices, where the components lie side by side.
//!
//! Soundness: slices cover the first rows of pools that the query has borrowed, at most the visible ones. They live as long as the
//! query is borrowed: shared for reading, exclusively for writing. No two parts of a query write to the same pool.
#![allow(unsafe_code)]

use std::fmt;

use super::Query;
use super::fetch::{LeadPool, PoolFetch};
use super::filter::{IncludeDisabled, QueryFilter};
use super::query_data::QueryData;
use crate::component::Component;
use crate::entity::EntityId;
use crate::type_map::short_name;

/// The components of a query are not side by side in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NotGrouped {
    /// The query.
    pub query: &'static str,
}

impl fmt::Display for NotGrouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the query {} has no slices: declare a group of exactly the components that it requires, with Engine::group, \
             and exclude nothing",
            self.query
        )
    }
}

crate::sentence::impl_error!(NotGrouped);

/// Data that a query can yield as slices: `&T`, `&mut T`, [`EntityId`], or a tuple of up to eight of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be had as slices",
    label = "slices are of `&T`, `&mut T`, `EntityId` or a tuple of up to 8 of these; nothing optional"
)]
pub trait SliceData: QueryData {
    /// The slices: `(&[A], &mut [B])` for `(&A, &mut B)`.
    type Slices<'q>;
    /// The number of pools.
    #[doc(hidden)]
    const POOLS: usize;
    /// # Safety
    /// The fetch's borrows last for `'q`, and no other item is alive, except items that only read if this query only reads.
    #[doc(hidden)]
    unsafe fn slices<'q>(fetch: &Self::Fetch, rows: LeadPool) -> Self::Slices<'q>;
}

impl<T: Component> SliceData for &T {
    type Slices<'q> = &'q [T];
    const POOLS: usize = 1;

    unsafe fn slices<'q>(fetch: &Self::Fetch, rows: LeadPool) -> &'q [T] {
        // SAFETY: the caller's promise.
        unsafe { fetch.values(rows.len) }
    }
}

impl<T: Component> SliceData for &mut T {
    type Slices<'q> = &'q mut [T];
    const POOLS: usize = 1;

    unsafe fn slices<'q>(fetch: &Self::Fetch, rows: LeadPool) -> &'q mut [T] {
        // SAFETY: the caller's promise.
        unsafe { fetch.values_mut(rows.len) }
    }
}

impl SliceData for EntityId {
    type Slices<'q> = &'q [EntityId];
    const POOLS: usize = 0;

    unsafe fn slices<'q>((): &(), rows: LeadPool) -> &'q [EntityId] {
        // SAFETY: the caller's promise: the rows are those of a fetch whose borrow lasts.
        unsafe { rows.owners() }
    }
}

macro_rules! slice_tuple {
    ($($name:ident),+) => {
        #[allow(non_snake_case)]
        impl<$($name: SliceData),+> SliceData for ($($name,)+) {
            type Slices<'q> = ($($name::Slices<'q>,)+);
            const POOLS: usize = 0 $(+ $name::POOLS)+;

            unsafe fn slices<'q>(($($name,)+): &Self::Fetch, rows: LeadPool) -> Self::Slices<'q> {
                // SAFETY: the caller's promise; a query whose parts conflict does not exist.
                unsafe { ($($name::slices($name, rows),)+) }
            }
        }
    };
}

slice_tuple!(A);
slice_tuple!(A, B);
slice_tuple!(A, B, C);
slice_tuple!(A, B, C, D);
slice_tuple!(A, B, C, D, E);
slice_tuple!(A, B, C, D, E, F);
slice_tuple!(A, B, C, D, E, F, G);
slice_tuple!(A, B, C, D, E, F, G, H);

impl<D: SliceData, F: QueryFilter> Query<'_, D, F> {
    /// All matches as slices for reading, parallel to each other: `(&[A], &[B])` for a query over `(&A, &B)`.
    ///
    /// A query over one component always has them. One over several has them if a group of exactly its components was
    /// declared (see [`Engine::group`](crate::Engine::group)), even if the group is empty.
    ///
    /// `as_flattened` turns a slice of arrays into plain numbers; for `repr(transparent)` structs around arrays, use a library such
    /// as `bytemuck` with `TransparentWrapper::peel_slice_mut`.
    ///
    /// # Errors
    /// - [`NotGrouped`] if there is no such group, or the filter excludes something.
    ///
    /// # Example
    /// ```
    /// # use ecs::{Engine, Query};
    /// struct Position([f32; 3]);
    /// struct Velocity([f32; 3]);
    ///
    /// fn advance(mut movers: Query<(&mut Position, &Velocity)>) -> Result<(), ecs::query::NotGrouped> {
    ///     let (positions, velocities) = movers.slices_mut()?;
    ///     for (position, velocity) in positions.iter_mut().zip(velocities) {
    ///         position.0.iter_mut().zip(velocity.0).for_each(|(x, v)| *x += v);
    ///     }
    ///     Ok(())
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.group::<(Position, Velocity)>()?;
    /// let kite = engine.spawn((Position([0.0; 3]), Velocity([1.0, 2.0, 3.0])));
    /// engine.spawn((Position([0.0; 3]),));
    /// engine.run(advance)??;
    /// assert_eq!(engine.get::<Position>(kite).unwrap().0, [1.0, 2.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slices(&self) -> Result<<D::ReadOnly as SliceData>::Slices<'_>, NotGrouped>
    where
        D::ReadOnly: SliceData,
    {
        let rows = self.packed_rows()?;
        // SAFETY: the query is borrowed shared for as long as the slices live, and they only read.
        Ok(unsafe { D::ReadOnly::slices(&self.data, rows) })
    }

    /// All matches as slices for writing, parallel to each other: `(&mut [A], &[B])` for a query over `(&mut A, &B)`.
    ///
    /// # Errors
    /// As [`Query::slices`].
    ///
    /// # Example
    /// See [`Query::slices`].
    pub fn slices_mut(&mut self) -> Result<D::Slices<'_>, NotGrouped> {
        let rows = self.packed_rows()?;
        self.mark_all(rows);
        // SAFETY: the query is borrowed exclusively for as long as the slices live.
        Ok(unsafe { D::slices(&self.data, rows) })
    }

    /// Marks the components of all rows as changed.
    fn mark_all(&self, rows: LeadPool) {
        if D::marks(&self.data) {
            // SAFETY: the query borrows the world, and each row has an item.
            unsafe { rows.owners().iter().for_each(|entity| D::mark(&self.data, *entity)) }
        }
    }

    /// The rows that all pools share, if these are exactly the matches.
    fn packed_rows(&self) -> Result<LeadPool, NotGrouped> {
        let own = || (D::POOLS == 1 && !F::HAS_LEAD).then(|| D::lead(&self.data)).flatten();
        let group = || self.group.filter(|rows| self.bind(*rows).is_packed());
        let rows = if F::EXCLUDES { None } else { own().or_else(group) };
        rows.ok_or(NotGrouped { query: short_name::<D>() })
    }
}

/// A query over one component has its pool as slices. With [`IncludeDisabled`], the
/// disabled ones are at the end.
macro_rules! slices {
    ($filter:ty) => {
        impl<T: Component> Query<'_, &T, $filter> {
            /// The components, side by side; parallel to [`Query::owners`].
            #[must_use]
            pub fn values(&self) -> &[T] {
                // SAFETY: the query borrows the values and only reads.
                unsafe { self.data.values(self.data.lead().len) }
            }

            /// The entities, parallel to the values.
            #[must_use]
            pub fn owners(&self) -> &[EntityId] {
                owners(&self.data)
            }
        }

        impl<T: Component> Query<'_, &mut T, $filter> {
            /// The components, side by side; parallel to [`Query::owners`].
            #[must_use]
            pub fn values(&self) -> &[T] {
                // SAFETY: the query is borrowed shared, so nothing writes through it.
                unsafe { self.data.values(self.data.lead().len) }
            }

            /// The components for writing, side by side; parallel to [`Query::owners`].
            pub fn values_mut(&mut self) -> &mut [T] {
                self.mark_all(self.data.lead());
                // SAFETY: the query borrows the values exclusively and is borrowed exclusively.
                unsafe { self.data.values_mut(self.data.lead().len) }
            }

            /// The entities, parallel to the values.
            #[must_use]
            pub fn owners(&self) -> &[EntityId] {
                owners(&self.data)
            }
        }
    };
}

fn owners<T>(fetch: &PoolFetch<T>) -> &[EntityId] {
    // SAFETY: the index does not change while a query exists.
    unsafe { fetch.lead().owners() }
}

slices!(());
slices!(IncludeDisabled);
