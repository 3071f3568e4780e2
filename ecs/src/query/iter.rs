//! Walking over what a query matches.
//!
//! Soundness: a walk visits distinct entities (`Walk::next`), so it asks for each item once, and the iterator borrows the query
//! for as long as its items live: shared for reading, exclusively for writing. Rows that are known to lie in order are looked
//! up no more, so there it rests on each pool counting its changes that different rows are different components (the last
//! invariant of `component/sparse_index.rs`).
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;

use super::data::{QueryData, shorter};
use super::fetch::Driver;
use super::filter::QueryFilter;
use super::many::Query;
use crate::entity::{EntityId, EntityManager, EntityRecord, Records};

/// The fetches of a query, told whom the walk visits.
pub(super) struct Followed<D: QueryData, F: QueryFilter> {
    pub(super) data: D::Fetch,
    filter: F::Fetch,
}

impl<D: QueryData, F: QueryFilter> Clone for Followed<D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: QueryData, F: QueryFilter> Copy for Followed<D, F> {}

impl<D: QueryData, F: QueryFilter> Followed<D, F> {
    /// Whether every row has an item and nothing must be looked up or tested for it.
    pub(super) fn is_packed(&self) -> bool {
        D::is_packed(&self.data) && F::passes_all(&self.filter)
    }

    /// # Safety
    /// As [`QueryData::item`].
    #[inline]
    pub(super) unsafe fn item<'q>(&self, row: usize, entity: EntityId) -> Option<D::Item<'q>> {
        // SAFETY: the caller's promise.
        unsafe { if F::matches(&self.filter, row, entity) { D::item(&self.data, row, entity) } else { None } }
    }

    /// # Safety
    /// As [`QueryData::read`].
    #[inline]
    unsafe fn read<'q>(&self, row: usize, entity: EntityId) -> Option<D::Read<'q>> {
        // SAFETY: the caller's promise.
        unsafe { if F::matches(&self.filter, row, entity) { D::read(&self.data, row, entity) } else { None } }
    }
}

/// Cuts rows into those whose items lie one behind the other in every pool, which need no look-up, and others.
struct Runs<D: QueryData, F: QueryFilter> {
    followed: Followed<D, F>,
    driver: Driver,
    /// The rows that are left.
    rows: Range<usize>,
    /// Rows that are known to lie one behind the other in every pool.
    known: Range<usize>,
    /// Rows to look ahead: twice as many as long as that succeeds, so that no row is compared again and again in vain.
    look_ahead: usize,
    /// How often looking ahead was in vain since it last succeeded.
    misses: u32,
}

/// Some rows of a walk.
enum Run<D: QueryData> {
    /// All have items, which this fetch gives without a look-up.
    Aligned(D::Fetch, Range<usize>),
    /// To be looked up one by one.
    Scattered(Range<usize>),
}

impl<D: QueryData, F: QueryFilter> Runs<D, F> {
    const LEAST: usize = 4;
    const MOST: usize = 1024;
    /// Misses after which the rows are taken for scattered: 64 of them at first, and more each time.
    const PATIENCE: u32 = 4;

    /// # Safety
    /// The rows are rows of the driver, which `followed` follows.
    unsafe fn new(followed: Followed<D, F>, driver: Driver, rows: Range<usize>, known: Range<usize>) -> Self {
        Self { followed, driver, rows, known, look_ahead: Self::LEAST, misses: 0 }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<Run<D>> {
        while !self.rows.is_empty() {
            let row = self.rows.start;
            let is_known = self.known.contains(&row);
            let left =
                if is_known { self.rows.end.min(self.known.end) - row } else { self.rows.len().min(self.look_ahead) };
            // SAFETY: the rows are the driver's, and `left` is at least one.
            let found = unsafe {
                match F::pass(&self.followed.filter, self.driver, row, left) {
                    0 => 0,
                    left => D::align(&mut self.followed.data, self.driver, row, left, is_known),
                }
            };
            if found == left {
                self.look_ahead = (found * 2).clamp(Self::LEAST, Self::MOST);
                self.misses = 0;
            } else {
                self.look_ahead = Self::LEAST;
                self.misses += 1;
                if self.misses > Self::PATIENCE && found <= 1 {
                    let scattered = (32 << (self.misses - Self::PATIENCE).min(6)).min(self.rows.len());
                    self.rows.start += scattered;
                    return Some(Run::Scattered(row..row + scattered));
                }
            }
            if found == 0 {
                self.rows.start += 1;
                continue;
            }
            self.rows.start += found;
            return Some(Run::Aligned(self.followed.data, row..row + found));
        }
        None
    }

    /// The longest stretch of rows that lie one behind the other in every pool.
    fn longest(mut self) -> Range<usize> {
        let (mut current, mut longest) = (0..0, 0..0);
        while let Some(run) = self.next() {
            let Run::Aligned(mut data, rows) = run else { continue };
            let continues = rows.start == current.end
                && rows.start > 0
                // SAFETY: both are rows of the driver.
                && unsafe { D::align(&mut data, self.driver, rows.start - 1, 2, false) } == 2;
            current = if continues { current.start..rows.end } else { rows };
            if current.len() > longest.len() {
                longest = current.clone();
            }
        }
        longest
    }
}

/// Rows of a driver, and the fetches that follow it.
pub(super) struct Stretch<D: QueryData, F: QueryFilter> {
    pub(super) followed: Followed<D, F>,
    pub(super) driver: Driver,
    /// Rows of the driver.
    pub(super) rows: Range<usize>,
    /// Every row has an item.
    pub(super) is_packed: bool,
    /// Rows that are known to lie one behind the other in every pool.
    pub(super) known: Range<usize>,
}

impl<D: QueryData, F: QueryFilter> Stretch<D, F> {
    /// Calls `visit` with the item of each row that has one. `at` gives the item of a row that is packed or aligned, `find` that
    /// of any row, if there is one.
    ///
    /// # Safety
    /// The rows are rows of the driver, which the fetches follow, and `at` and `find` may be called once for each.
    #[inline(always)]
    pub(super) unsafe fn fold<A, I>(
        self,
        start: A,
        at: impl Fn(&D::Fetch, usize, EntityId) -> I,
        find: impl Fn(&Followed<D, F>, usize, EntityId) -> Option<I>,
        mut visit: impl FnMut(A, I) -> A,
    ) -> A {
        let Self { followed, driver, rows, is_packed, known } = self;
        let mut result = start;
        if is_packed {
            for row in rows {
                // SAFETY: the row is one of the driver's.
                result = visit(result, at(&followed.data, row, unsafe { driver.owner_at(row) }));
            }
            return result;
        }
        // SAFETY: the caller's promise.
        let mut runs = unsafe { Runs::new(followed, driver, rows, known) };
        while let Some(run) = runs.next() {
            match run {
                Run::Aligned(data, rows) => {
                    for row in rows {
                        // SAFETY: as above.
                        result = visit(result, at(&data, row, unsafe { driver.owner_at(row) }));
                    }
                }
                Run::Scattered(rows) => {
                    for row in rows {
                        // SAFETY: as above.
                        if let Some(item) = find(&followed, row, unsafe { driver.owner_at(row) }) {
                            result = visit(result, item);
                        }
                    }
                }
            }
        }
        result
    }
}

impl<D: QueryData, F: QueryFilter> Query<'_, D, F> {
    pub(super) fn follow(&self, driver: Driver) -> Followed<D, F> {
        let mut followed = Followed { data: self.data, filter: self.filter };
        D::follow(&mut followed.data, driver);
        F::follow(&mut followed.filter, driver);
        followed
    }

    /// Whom a walk visits: the members of the group, or the shortest list of owners among what is required. `None` where
    /// nothing is required.
    pub(super) fn driver(&self) -> Option<Driver> {
        let shortest = shorter(D::driver(&self.data), F::driver(&self.filter));
        match (self.group, shortest) {
            (Some(group), Some(shortest)) if group.len <= shortest.len => Some(group),
            _ => shortest,
        }
    }

    /// All rows of the driver; `None` where nothing is required. Counted as a walk.
    pub(super) fn stretch(&self) -> Option<Stretch<D, F>> {
        let driver = self.driver()?;
        let followed = self.follow(driver);
        let is_packed = followed.is_packed();
        let rows = 0..driver.len;
        let mut known = 0..0;
        if let (Some(tally), false) = (self.tally, is_packed) {
            tally.note(driver.len);
            // Filters that look at pools would have to be asked about each row.
            if D::CAN_ALIGN && !F::HAS_DRIVER && !F::EXCLUDES {
                // SAFETY: the rows are the driver's, which `followed` follows.
                let find = || unsafe { Runs::new(followed, driver, rows.clone(), 0..0) }.longest();
                let visited = driver.len * 2 + usize::from(driver.is_group);
                known = tally.known_rows.of_walk(D::changes(&self.data), visited, find);
            }
        }
        Some(Stretch { followed, driver, rows, is_packed, known })
    }

    fn walk(&self) -> Walk<'_, D, F> {
        let nobody = || {
            let followed = Followed { data: self.data, filter: self.filter };
            Stretch { followed, driver: Driver::NOBODY, rows: 0..0, is_packed: false, known: 0..0 }
        };
        Walk { stretch: self.stretch().unwrap_or_else(nobody), everybody: self.entities.map(EntityManager::records) }
    }
}

/// The rows that are left to visit.
struct Walk<'a, D: QueryData, F: QueryFilter> {
    stretch: Stretch<D, F>,
    /// All entities, where no component is required.
    everybody: Option<Records<'a>>,
}

impl<D: QueryData, F: QueryFilter> Walk<'_, D, F> {
    const HAS_DRIVER: bool = D::HAS_DRIVER || F::HAS_DRIVER;
    /// Whether the walk can be carried out at once.
    const CAN_FOLD: bool = Self::HAS_DRIVER && D::CAN_ALIGN;

    /// The next entity and its row.
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, EntityId)> {
        if !Self::HAS_DRIVER {
            let seen = |(_, record): &(EntityId, &EntityRecord)| F::INCLUDES_DISABLED || record.is_enabled();
            return self.everybody.as_mut()?.find(seen).map(|(entity, _)| (0, entity));
        }
        let row = self.stretch.rows.next()?;
        // SAFETY: the row is below the number of owners, and the index does not change: the query borrows it.
        Some((row, unsafe { self.stretch.driver.owner_at(row) }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.stretch.rows.len();
        if self.stretch.is_packed { (left, Some(left)) } else { (0, Self::HAS_DRIVER.then_some(left)) }
    }
}

/// Walks over the matches of a query for reading.
pub struct QueryIter<'a, D: QueryData, F: QueryFilter = ()> {
    walk: Walk<'a, D, F>,
    query: PhantomData<&'a ()>,
}

/// Walks over the matches of a query for writing.
pub struct QueryIterMut<'a, D: QueryData, F: QueryFilter = ()> {
    walk: Walk<'a, D, F>,
    query: PhantomData<&'a mut ()>,
}

impl<'a, D: QueryData, F: QueryFilter> QueryIter<'a, D, F> {
    pub(super) fn new(query: &'a Query<'_, D, F>) -> Self {
        Self { walk: query.walk(), query: PhantomData }
    }
}

impl<'a, D: QueryData, F: QueryFilter> QueryIterMut<'a, D, F> {
    pub(super) fn new(query: &'a mut Query<'_, D, F>) -> Self {
        Self { walk: query.walk(), query: PhantomData }
    }
}

impl<'a, D: QueryData, F: QueryFilter> Iterator for QueryIter<'a, D, F> {
    type Item = D::Read<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Read<'a>> {
        loop {
            let (row, entity) = self.walk.next()?;
            // SAFETY: the query is borrowed for `'a`, shared: nobody writes; `row` is the entity's.
            let item = unsafe {
                if self.walk.stretch.is_packed {
                    return Some(D::read_at(&self.walk.stretch.followed.data, row, entity));
                }
                self.walk.stretch.followed.read(row, entity)
            };
            if item.is_some() {
                return item;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }

    #[inline]
    fn fold<A, G: FnMut(A, Self::Item) -> A>(self, start: A, mut visit: G) -> A {
        if Walk::<D, F>::CAN_FOLD {
            // SAFETY: as in `next`.
            return unsafe {
                let at = |data: &D::Fetch, row, entity| D::read_at(data, row, entity);
                self.walk.stretch.fold(start, at, |followed, row, entity| followed.read(row, entity), visit)
            };
        }
        let mut result = start;
        for item in self {
            result = visit(result, item);
        }
        result
    }
}

impl<'a, D: QueryData, F: QueryFilter> Iterator for QueryIterMut<'a, D, F> {
    type Item = D::Item<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'a>> {
        loop {
            let (row, entity) = self.walk.next()?;
            // SAFETY: the query is borrowed for `'a`, exclusively, and no entity is visited twice.
            let item = unsafe {
                if self.walk.stretch.is_packed {
                    return Some(D::item_at(&self.walk.stretch.followed.data, row, entity));
                }
                self.walk.stretch.followed.item(row, entity)
            };
            if item.is_some() {
                return item;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }

    #[inline]
    fn fold<A, G: FnMut(A, Self::Item) -> A>(self, start: A, mut visit: G) -> A {
        if Walk::<D, F>::CAN_FOLD {
            // SAFETY: as in `next`.
            return unsafe {
                let at = |data: &D::Fetch, row, entity| D::item_at(data, row, entity);
                self.walk.stretch.fold(start, at, |followed, row, entity| followed.item(row, entity), visit)
            };
        }
        let mut result = start;
        for item in self {
            result = visit(result, item);
        }
        result
    }
}
