//! What a query matches as whole slices, where the components lie side by side.
//!
//! Soundness: slices are made over the first rows of pools that the query has borrowed, no longer than what is visible in
//! each, and for as long as the query itself is borrowed: shared for reading, exclusively for writing. No two parts of a
//! query write to the same pool.
#![allow(unsafe_code)]

use std::fmt;

use super::fetch::LeadPool;
use super::filter::QueryFilter;
use super::many::Query;
use super::query_data::QueryData;
use crate::component::Component;
use crate::entity::EntityId;
use crate::type_map::short_name;

/// The components that a query asks for do not lie side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl std::error::Error for NotGrouped {}

/// What can be had as slices: `&T`, `&mut T`, [`EntityId`], or a tuple of up to eight of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can not be had as slices",
    label = "slices are of `&T`, `&mut T`, `EntityId` or a tuple of up to 8 of these; nothing optional"
)]
pub trait SliceData: QueryData {
    /// The slices for reading: `(&[A], &[B])` for `(&A, &mut B)`.
    type Slices<'q>;
    /// The slices for writing: `(&[A], &mut [B])` for `(&A, &mut B)`.
    type SlicesMut<'q>;
    /// How many pools are asked for.
    #[doc(hidden)]
    const POOLS: usize;
    /// # Safety
    /// The fetch's borrows last for `'q`, and no item for writing is alive.
    #[doc(hidden)]
    unsafe fn slices<'q>(fetch: &Self::Fetch, rows: LeadPool) -> Self::Slices<'q>;
    /// # Safety
    /// The fetch's borrows last for `'q`, and no other item is alive.
    #[doc(hidden)]
    unsafe fn slices_mut<'q>(fetch: &Self::Fetch, rows: LeadPool) -> Self::SlicesMut<'q>;
}

impl<T: Component> SliceData for &T {
    type Slices<'q> = &'q [T];
    type SlicesMut<'q> = &'q [T];
    const POOLS: usize = 1;

    unsafe fn slices<'q>(fetch: &Self::Fetch, rows: LeadPool) -> &'q [T] {
        // SAFETY: the caller's promise.
        unsafe { fetch.values(rows.len) }
    }

    unsafe fn slices_mut<'q>(fetch: &Self::Fetch, rows: LeadPool) -> &'q [T] {
        // SAFETY: the caller's promise.
        unsafe { fetch.values(rows.len) }
    }
}

impl<T: Component> SliceData for &mut T {
    type Slices<'q> = &'q [T];
    type SlicesMut<'q> = &'q mut [T];
    const POOLS: usize = 1;

    unsafe fn slices<'q>(fetch: &Self::Fetch, rows: LeadPool) -> &'q [T] {
        // SAFETY: the caller's promise.
        unsafe { fetch.values(rows.len) }
    }

    unsafe fn slices_mut<'q>(fetch: &Self::Fetch, rows: LeadPool) -> &'q mut [T] {
        // SAFETY: the caller's promise.
        unsafe { fetch.values_mut(rows.len) }
    }
}

impl SliceData for EntityId {
    type Slices<'q> = &'q [EntityId];
    type SlicesMut<'q> = &'q [EntityId];
    const POOLS: usize = 0;

    unsafe fn slices<'q>((): &(), rows: LeadPool) -> &'q [EntityId] {
        // SAFETY: the caller's promise: the rows are those of a fetch whose borrow lasts.
        unsafe { rows.owners() }
    }

    unsafe fn slices_mut<'q>((): &(), rows: LeadPool) -> &'q [EntityId] {
        // SAFETY: the caller's promise.
        unsafe { rows.owners() }
    }
}

macro_rules! slice_tuple {
    ($($name:ident),+) => {
        #[allow(non_snake_case)]
        impl<$($name: SliceData),+> SliceData for ($($name,)+) {
            type Slices<'q> = ($($name::Slices<'q>,)+);
            type SlicesMut<'q> = ($($name::SlicesMut<'q>,)+);
            const POOLS: usize = 0 $(+ $name::POOLS)+;

            unsafe fn slices<'q>(($($name,)+): &Self::Fetch, rows: LeadPool) -> Self::Slices<'q> {
                // SAFETY: the caller's promise.
                unsafe { ($($name::slices($name, rows),)+) }
            }

            unsafe fn slices_mut<'q>(($($name,)+): &Self::Fetch, rows: LeadPool) -> Self::SlicesMut<'q> {
                // SAFETY: the caller's promise; no two parts write to the same pool, or there would be no query.
                unsafe { ($($name::slices_mut($name, rows),)+) }
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
    /// declared (see [`Engine::group`](crate::Engine::group)), whether there are members or not.
    ///
    /// A column of arrays is seen as plain numbers by `as_flattened`, one of a `repr(transparent)` struct around an array by a
    /// library that vouches for layouts, such as `bytemuck` with `TransparentWrapper::peel_slice_mut`.
    ///
    /// # Errors
    /// - [`NotGrouped`] if no group says that the components lie side by side, or something is excluded.
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
    pub fn slices(&self) -> Result<D::Slices<'_>, NotGrouped> {
        let rows = self.packed_rows()?;
        // SAFETY: the query is borrowed shared for as long as the slices live.
        Ok(unsafe { D::slices(&self.data, rows) })
    }

    /// All matches as slices for writing, parallel to each other: `(&mut [A], &[B])` for a query over `(&mut A, &B)`.
    ///
    /// # Errors
    /// As [`Query::slices`].
    pub fn slices_mut(&mut self) -> Result<D::SlicesMut<'_>, NotGrouped> {
        let rows = self.packed_rows()?;
        // SAFETY: the query is borrowed exclusively for as long as the slices live.
        Ok(unsafe { D::slices_mut(&self.data, rows) })
    }

    /// The rows that all pools have in common, if these are exactly the matches.
    fn packed_rows(&self) -> Result<LeadPool, NotGrouped> {
        let own = || (D::POOLS == 1 && !F::HAS_LEAD).then(|| D::lead(&self.data)).flatten();
        let group = || self.group.filter(|rows| self.follow(*rows).is_packed());
        let rows = if F::EXCLUDES { None } else { own().or_else(group) };
        rows.ok_or(NotGrouped { query: short_name::<D>() })
    }
}
