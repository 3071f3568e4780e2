//! A uniform grid over the world: finds the discs near a place, also across the edges of the world.

use std::ops::Range;

use glam::Vec2;

use crate::data::arena::wrap;

/// Rectangles are searched wider by this share of the world, so that rounding loses no disc at their border.
const ROUNDING_SHARE: f32 = 1e-5;

/// An object as it is seen: a disc.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Disc {
    /// The caller's key.
    pub(crate) key: u64,
    /// Its centre, metres.
    pub(crate) position: Vec2,
    /// Its radius, metres.
    pub(crate) radius_m: f32,
}

/// Discs, sorted by the square cells of a world that wraps around.
///
/// There are about twice as many cells as discs, so that a search costs no more than the share of the world that it
/// covers. The memory is kept from one filling to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    half_extent_m: f32,
    /// Cells in each row and column.
    side: usize,
    cells_per_m: f32,
    widest_m: f32,
    /// By cell, row after row; in one cell in the order in which they came.
    discs: Vec<Disc>,
    /// The index of each cell's first disc, and the number of discs as the last entry.
    starts: Vec<u32>,
    /// Discs with their cells, before they are sorted.
    unsorted: Vec<(u32, Disc)>,
}

impl Grid {
    /// Replaces all discs. Positions outside the world are wrapped, and discs whose numbers are not finite are left
    /// out.
    pub(crate) fn fill(&mut self, half_extent_m: f32, discs: impl IntoIterator<Item = Disc>) {
        self.half_extent_m = half_extent_m;
        self.unsorted.clear();
        self.unsorted.extend(discs.into_iter().filter(is_finite).map(|disc| {
            let position = wrap(disc.position, half_extent_m).unwrap_or(disc.position);
            (0, Disc { position, ..disc })
        }));
        self.widest_m = self.unsorted.iter().fold(0.0, |widest: f32, (_, disc)| widest.max(disc.radius_m));
        self.side = (2.0 * self.unsorted.len() as f32).sqrt().ceil().max(1.0) as usize;
        self.cells_per_m = self.side as f32 / (2.0 * half_extent_m);
        self.sort();
    }

    /// Sorts the discs by counting those in each cell.
    fn sort(&mut self) {
        self.starts.clear();
        self.starts.resize(self.side * self.side + 1, 0);
        for index in 0..self.unsorted.len() {
            let Vec2 { x, y } = self.unsorted[index].1.position;
            let [column, row] = [x, y].map(|coordinate| (self.line(coordinate).max(0) as usize).min(self.side - 1));
            let cell = row * self.side + column;
            self.unsorted[index].0 = cell as u32;
            self.starts[cell] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        // What is left of an earlier filling is overwritten.
        self.discs.resize(self.unsorted.len(), Disc::default());
        for &(cell, disc) in self.unsorted.iter().rev() {
            let start = &mut self.starts[cell as usize];
            *start -= 1;
            self.discs[*start as usize] = disc;
        }
    }

    /// Whether it holds no disc.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.discs.is_empty()
    }

    /// Calls `visit` once for each disc that reaches into the rectangle around `center`, and for some others nearby.
    ///
    /// The order follows from the discs and the order in which they came.
    pub(crate) fn visit_near(&self, center: Vec2, half_extents_m: Vec2, mut visit: impl FnMut(&Disc)) {
        let reach = half_extents_m + Vec2::splat(self.widest_m + self.half_extent_m * ROUNDING_SHARE);
        if self.is_empty() || !(center.is_finite() && reach.is_finite()) {
            return;
        }
        let corners = [center - reach, center + reach];
        let [least, greatest] = corners.map(|corner| (corner + self.half_extent_m) * self.cells_per_m);
        let side = self.side as f32;
        if least.cmpge(Vec2::ZERO).all() && greatest.cmplt(Vec2::splat(side)).all() {
            // Most searches stay inside the world.
            let columns = least.x as u32 as usize..greatest.x as u32 as usize + 1;
            for row in least.y as u32 as usize..=greatest.y as u32 as usize {
                self.cells(row, &columns).iter().for_each(&mut visit);
            }
            return;
        }
        let center = wrap(center, self.half_extent_m).unwrap_or(center);
        let (columns, columns_across) = self.lines(center.x - reach.x, center.x + reach.x);
        let (rows, rows_across) = self.lines(center.y - reach.y, center.y + reach.y);
        for row in rows.chain(rows_across) {
            for columns in [&columns, &columns_across] {
                self.cells(row, columns).iter().for_each(&mut visit);
            }
        }
    }

    /// The discs in cells of one row.
    fn cells(&self, row: usize, columns: &Range<usize>) -> &[Disc] {
        let first = row * self.side;
        &self.discs[self.starts[first + columns.start] as usize..self.starts[first + columns.end] as usize]
    }

    /// The rows or columns between two coordinates around one inside the world: those on its side of the edge, and
    /// those across.
    fn lines(&self, least: f32, greatest: f32) -> (Range<usize>, Range<usize>) {
        let (first, last) = (self.line(least), self.line(greatest));
        let (side, end) = (self.side as i32, last.saturating_add(1));
        let (here, across) = if end.saturating_sub(first) >= side {
            (0..side, 0..0)
        } else if first < 0 {
            (0..end, first + side..side)
        } else if end > side {
            (first..side, 0..end - side)
        } else {
            (first..end, 0..0)
        };
        let as_indices = |lines: Range<i32>| lines.start as usize..lines.end as usize;
        (as_indices(here), as_indices(across))
    }

    /// The row or column of a coordinate; negative or too great outside the world.
    fn line(&self, coordinate: f32) -> i32 {
        let lines = (coordinate + self.half_extent_m) * self.cells_per_m;
        // Rounded down; `floor` is a function call on processors that lack the instruction.
        let truncated = lines as i32;
        truncated - i32::from(truncated as f32 > lines)
    }
}

fn is_finite(disc: &Disc) -> bool {
    disc.position.is_finite() && disc.radius_m.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::arena::wrapped_delta;
    use ecs::random::RandomStream;

    /// A coordinate of the world; often one on an edge, next to it, or a step outside.
    fn coordinate(random: &mut RandomStream, half_extent_m: f32) -> f32 {
        let edge = if random.chance(0.5) { half_extent_m } else { -half_extent_m };
        match (random.unit() * 10.0) as u32 {
            0 => edge,
            1 => edge.next_down(),
            2 => edge.next_up(),
            3 => edge * 1.01,
            4 => 0.0,
            _ => random.between(-half_extent_m, half_extent_m),
        }
    }

    fn place(random: &mut RandomStream, half_extent_m: f32) -> Vec2 {
        Vec2::new(coordinate(random, half_extent_m), coordinate(random, half_extent_m))
    }

    /// The keys of all discs that reach into the rectangle, found by looking at each.
    fn search(discs: &[Disc], center: Vec2, half_extents_m: Vec2, half_extent_m: f32) -> Vec<u64> {
        let reaches = |disc: &&Disc| {
            let apart = wrapped_delta(center, disc.position, half_extent_m).abs();
            let reach = half_extents_m + Vec2::splat(disc.radius_m);
            apart.x <= reach.x && apart.y <= reach.y
        };
        discs.iter().filter(reaches).map(|disc| disc.key).collect()
    }

    #[test]
    fn grid_finds_what_a_search_through_all_discs_finds() {
        let (mut grid, mut found_at_all) = (Grid::default(), 0);
        for world in 0..400 {
            let mut random = RandomStream::new(world, "test");
            let half_extent_m = [1.0, 26.0, 75.0, 937.5][(random.unit() * 4.0) as usize];
            let count = [0, 1, 2, 7, 60, 300][(random.unit() * 6.0) as usize];
            let discs: Vec<Disc> = (0..count)
                .map(|key| {
                    let radius_m = if random.chance(0.2) { 0.0 } else { random.between(0.0, 3.0) };
                    Disc { key, position: place(&mut random, half_extent_m), radius_m }
                })
                .collect();
            grid.fill(half_extent_m, discs.iter().copied());
            for _ in 0..40 {
                let center = place(&mut random, half_extent_m);
                let widest_m = [0.0, 10.0, 3.0 * half_extent_m][(random.unit() * 3.0) as usize];
                let half_extents_m = Vec2::new(random.between(0.0, widest_m), random.between(0.0, widest_m));
                let mut visited = Vec::new();
                grid.visit_near(center, half_extents_m, |disc| visited.push(disc.key));
                visited.sort_unstable();
                let expected = search(&discs, center, half_extents_m, half_extent_m);
                assert!(visited.is_sorted_by(|one, next| one < next), "world {world}: each disc once: {visited:?}");
                let missing = expected.iter().find(|key| visited.binary_search(key).is_err());
                assert_eq!(missing, None, "world {world}, {half_extents_m} around {center}");
                found_at_all += expected.len();
            }
        }
        assert!(found_at_all > 10_000, "{found_at_all}");
    }

    #[test]
    fn search_of_a_small_part_visits_few_discs() {
        let mut random = RandomStream::new(1, "test");
        let discs = (0..10_000).map(|key| Disc { key, position: place(&mut random, 900.0), radius_m: 1.0 });
        let discs: Vec<Disc> = discs.collect();
        let mut grid = Grid::default();
        grid.fill(900.0, discs);
        let (mut visited, mut random) = (0, RandomStream::new(2, "test"));
        for _ in 0..1_000 {
            let center = Vec2::new(random.between(-600.0, 600.0), random.between(-600.0, 600.0));
            grid.visit_near(center, Vec2::splat(25.0), |_| visited += 1);
        }
        assert!(visited < 40 * 1_000, "{visited} visits of 10,000 discs in 1,000 searches");
    }

    #[test]
    fn numbers_that_are_not_finite_are_never_found_and_find_nothing() {
        let mut grid = Grid::default();
        let disc = |key, x, radius_m| Disc { key, position: Vec2::new(x, 0.0), radius_m };
        grid.fill(
            75.0,
            [disc(1, f32::NAN, 1.0), disc(2, 0.0, f32::INFINITY), disc(3, f32::INFINITY, 1.0), disc(4, 0.0, 1.0)],
        );
        let found = |center, half_extents_m| {
            let mut found = Vec::new();
            grid.visit_near(center, half_extents_m, |disc| found.push(disc.key));
            found
        };
        assert_eq!(found(Vec2::ZERO, Vec2::splat(200.0)), [4]);
        assert!(found(Vec2::new(f32::NAN, 0.0), Vec2::ONE).is_empty());
        assert!(found(Vec2::ZERO, Vec2::splat(f32::INFINITY)).is_empty());
    }

    #[test]
    fn discs_of_an_earlier_filling_are_gone() {
        let mut grid = Grid::default();
        grid.fill(75.0, (0..50).map(|key| Disc { key, position: Vec2::ZERO, radius_m: 1.0 }));
        grid.fill(75.0, []);
        assert!(grid.is_empty());
        grid.visit_near(Vec2::ZERO, Vec2::splat(200.0), |disc| panic!("{disc:?}"));
    }
}
