//! The matches of a query as slices, where the components lie side by side.
//!
//! Soundness: slices cover rows of columns that the query has borrowed, or one extra each. They live as long as the
//! query is borrowed: shared for reading, exclusively for writing. No two parts of a query write to the same pool, and
//! no entity comes twice (see `walk.rs`).
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;

use super::Query;
use super::filter::QueryFilter;
use super::query_data::QueryData;
use super::walk::{RowSource, Segment, Walk};
use crate::component::Component;
use crate::entity::{EntityId, Location};

/// Data that a query can yield as slices: `&T`, `&mut T`, [`EntityId`], or a tuple of up to eight of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be had as slices",
    label = "slices are of `&T`, `&mut T`, `EntityId` or a tuple of up to 8 of these; nothing optional"
)]
pub trait SliceData: QueryData {
    /// The slices: `(&[A], &mut [B])` for `(&A, &mut B)`.
    type Slices<'q>;
    /// The slices of consecutive rows of the kind that was entered; `owners` are those of the rows.
    ///
    /// # Safety
    /// As [`QueryData::at_row`], for each of the rows.
    #[doc(hidden)]
    unsafe fn at_rows<'q>(fetch: &Self::Fetch, rows: Range<usize>, owners: &'q [EntityId]) -> Self::Slices<'q>;
    /// Slices of one component each; `owner` is the entity.
    ///
    /// # Safety
    /// As [`QueryData::item`].
    #[doc(hidden)]
    unsafe fn one<'q>(fetch: &Self::Fetch, owner: &'q EntityId, location: Location) -> Option<Self::Slices<'q>>;
}

impl<T: Component> SliceData for &T {
    type Slices<'q> = &'q [T];

    unsafe fn at_rows<'q>(fetch: &Self::Fetch, rows: Range<usize>, _: &'q [EntityId]) -> &'q [T] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(fetch.at_row(rows.start).as_ptr(), rows.len()) }
    }

    unsafe fn one<'q>(fetch: &Self::Fetch, owner: &'q EntityId, location: Location) -> Option<&'q [T]> {
        // SAFETY: the caller's promise.
        unsafe { Some(std::slice::from_ref(fetch.find(*owner, location)?.as_ref())) }
    }
}

impl<T: Component> SliceData for &mut T {
    type Slices<'q> = &'q mut [T];

    unsafe fn at_rows<'q>(fetch: &Self::Fetch, rows: Range<usize>, _: &'q [EntityId]) -> &'q mut [T] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(fetch.at_row(rows.start).as_ptr(), rows.len()) }
    }

    unsafe fn one<'q>(fetch: &Self::Fetch, owner: &'q EntityId, location: Location) -> Option<&'q mut [T]> {
        // SAFETY: the caller's promise.
        unsafe { Some(std::slice::from_mut(fetch.find(*owner, location)?.as_mut())) }
    }
}

impl SliceData for EntityId {
    type Slices<'q> = &'q [EntityId];

    unsafe fn at_rows<'q>((): &(), _: Range<usize>, owners: &'q [EntityId]) -> &'q [EntityId] {
        owners
    }

    unsafe fn one<'q>((): &(), owner: &'q EntityId, _: Location) -> Option<&'q [EntityId]> {
        Some(std::slice::from_ref(owner))
    }
}

macro_rules! slice_tuple {
    ($($name:ident),+) => {
        #[allow(non_snake_case)]
        impl<$($name: SliceData),+> SliceData for ($($name,)+) {
            type Slices<'q> = ($($name::Slices<'q>,)+);

            unsafe fn at_rows<'q>(
                ($($name,)+): &Self::Fetch,
                rows: Range<usize>,
                owners: &'q [EntityId],
            ) -> Self::Slices<'q> {
                // SAFETY: the caller's promise; a query whose parts conflict does not exist.
                unsafe { ($($name::at_rows($name, rows.clone(), owners),)+) }
            }

            unsafe fn one<'q>(
                ($($name,)+): &Self::Fetch,
                owner: &'q EntityId,
                location: Location,
            ) -> Option<Self::Slices<'q>> {
                // SAFETY: as above.
                unsafe { Some(($($name::one($name, owner, location)?,)+)) }
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

/// The matches of a query as slices; made by [`Query::slices`] and [`Query::slices_mut`].
pub struct SlicesIter<'a, D: SliceData, F: QueryFilter = ()> {
    walk: Walk<'a, D, F>,
    segment: Option<Segment<D, F>>,
    row: usize,
    borrow: PhantomData<&'a mut ()>,
}

impl<'a, D: SliceData, F: QueryFilter> SlicesIter<'a, D, F> {
    fn new(walk: Walk<'a, D, F>) -> Self {
        let (segment, walk) = walk.split();
        Self { walk, segment, row: 0, borrow: PhantomData }
    }

    /// The next rows that lie side by side and have items.
    fn next_here(&mut self) -> Option<D::Slices<'a>> {
        let segment = self.segment.as_ref()?;
        while self.row < segment.rows.len {
            let first = self.row;
            self.row += 1;
            // SAFETY: the rows are those of the segment, the query is borrowed for `'a`, and no row comes twice.
            unsafe {
                let match_at = |row| self.walk.match_at(&segment.rows, row);
                let Some(location) = match_at(first) else { continue };
                let owners = segment.rows.owners.add(first);
                let RowSource::Kind(_) = segment.rows.source else {
                    let slices = D::one(&segment.bound.data, &*owners, location)?;
                    if D::marks(&segment.bound.data) {
                        D::mark(&segment.bound.data, *owners, location);
                    }
                    return Some(slices);
                };
                while self.row < segment.rows.len && (segment.rows.passes_all || match_at(self.row).is_some()) {
                    self.row = if segment.rows.passes_all { segment.rows.len } else { self.row + 1 };
                }
                let owners = std::slice::from_raw_parts(owners, self.row - first);
                if D::marks(&segment.bound.data) {
                    owners.iter().for_each(|owner| D::mark(&segment.bound.data, *owner, location));
                }
                return Some(D::at_rows(&segment.bound.data, first..self.row, owners));
            }
        }
        None
    }
}

impl<'a, D: SliceData, F: QueryFilter> Iterator for SlicesIter<'a, D, F> {
    type Item = D::Slices<'a>;

    fn next(&mut self) -> Option<D::Slices<'a>> {
        loop {
            if let Some(slices) = self.next_here() {
                return Some(slices);
            }
            self.segment.as_ref()?;
            (self.segment, self.walk) = self.walk.split();
            self.row = 0;
        }
    }
}

impl<'q, D: SliceData, F: QueryFilter> Query<'q, D, F> {
    /// The matches as slices for reading, parallel to each other: `(&[A], &[B])` for a query over `(&A, &B)`.
    ///
    /// There is one item for the entities that were made with the same components, and one for each entity to which
    /// required components were added later. A filter that excludes entities in between cuts the slices there. All
    /// items together are all matches, in the order of an iteration.
    ///
    /// `as_flattened` turns a slice of arrays into plain numbers; for `repr(transparent)` structs around arrays, use a
    /// library such as `bytemuck` with `TransparentWrapper::peel_slice_mut`.
    ///
    /// # Example
    /// ```
    /// # use ecs::{Engine, Query};
    /// struct Position([f32; 3]);
    /// struct Velocity([f32; 3]);
    ///
    /// fn advance(mut movers: Query<(&mut Position, &Velocity)>) {
    ///     for (positions, velocities) in movers.slices_mut() {
    ///         for (position, velocity) in positions.iter_mut().zip(velocities) {
    ///             position.0.iter_mut().zip(velocity.0).for_each(|(x, v)| *x += v);
    ///         }
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// let kite = engine.spawn((Position([0.0; 3]), Velocity([1.0, 2.0, 3.0])));
    /// engine.spawn((Position([0.0; 3]),));
    /// engine.run(advance)?;
    /// assert_eq!(engine.get::<Position>(kite).unwrap().0, [1.0, 2.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slices(&self) -> SlicesIter<'_, D::ReadOnly, F>
    where
        D::ReadOnly: SliceData,
    {
        SlicesIter::new(self.walk_read_only())
    }

    /// The matches as slices for writing, parallel to each other: `(&mut [A], &[B])` for a query over `(&mut A, &B)`.
    ///
    /// # Example
    /// See [`Query::slices`].
    pub fn slices_mut(&mut self) -> SlicesIter<'_, D, F> {
        SlicesIter::new(self.walk())
    }
}
