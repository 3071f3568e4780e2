//! Five kinds of entities that share components, on a fresh and on an aged world. The floor uses arrays for each kind.

use std::hint::black_box;

use super::{Case, Work};
use crate::components::{Data, Position, Rare, Velocity, advance_all, position, sum, velocity};
use crate::kinds::{KINDS, Kinds, live, own, runner};
use crate::stopwatch::Runner;

pub(super) const CASES: [Case; 8] = [
    Case::new("kinds-10k", "five kinds, a `for` loop each, 10,000", Work::Kinds, (10_000, 100), 1.1),
    Case::new("kinds-1m", "the same, 1,000,000", Work::Kinds, (1_000_000, 2), 1.1),
    Case::new("kinds-aged-10k", "10,000, after 1,000 frames of births and deaths", Work::AgedKinds, (10_000, 100), 1.1),
    Case::new("kinds-aged-1m", "1,000,000, after 200 such frames", Work::AgedKinds, (1_000_000, 2), 1.1),
    Case::new("kinds-in-one-10k", "one `for` loop over the five kinds, 10,000", Work::AllKinds, (10_000, 100), 2.4),
    Case::new("kinds-in-one-aged", "the same after 1,000 such frames", Work::AllAgedKinds, (10_000, 100), 2.4),
    Case::new("kinds-changes-10k", "such frames themselves, 10,000", Work::KindsWithChanges, (10_000, 20), 2.5),
    Case::new("kinds-changes-1m", "the same, 1,000,000", Work::KindsWithChanges, (1_000_000, 1), 2.0),
];

pub(super) fn floor(work: Work, count: usize) -> Option<Runner> {
    runner(Arrays::default(), work, count)
}

/// A row of a kind.
#[derive(Clone, Copy, Default)]
struct Place {
    kind: usize,
    row: usize,
}

#[derive(Default)]
struct Kind {
    owners: Vec<usize>,
    positions: Vec<Position>,
    velocities: Vec<Velocity>,
    lifetimes: Vec<Data>,
    own: Vec<f32>,
}

/// An array for each component of each kind, and where each entity is.
#[derive(Default)]
struct Arrays {
    kinds: [Kind; KINDS],
    places: Vec<Place>,
    free: Vec<usize>,
    /// The burning ones, and where each is among them.
    burning: Vec<(usize, Rare)>,
    fires: Vec<usize>,
}

impl Kinds for Arrays {
    type Id = usize;

    fn spawn(&mut self, kind: usize, number: usize) -> usize {
        let owner = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place::default());
            self.fires.push(0);
            self.places.len() - 1
        });
        let of_kind = &mut self.kinds[kind];
        self.places[owner] = Place { kind, row: of_kind.owners.len() };
        of_kind.owners.push(owner);
        of_kind.positions.push(position(number));
        of_kind.velocities.push(velocity(number));
        of_kind.lifetimes.push(Data(0.0));
        of_kind.own.push(own(number));
        owner
    }

    fn despawn(&mut self, owner: usize) {
        let Place { kind, row } = self.places[owner];
        let of_kind = &mut self.kinds[kind];
        of_kind.owners.swap_remove(row);
        of_kind.positions.swap_remove(row);
        of_kind.velocities.swap_remove(row);
        of_kind.lifetimes.swap_remove(row);
        of_kind.own.swap_remove(row);
        if let Some(moved) = of_kind.owners.get(row) {
            self.places[*moved].row = row;
        }
        self.free.push(owner);
    }

    fn ignite(&mut self, owner: usize) {
        self.fires[owner] = self.burning.len();
        self.burning.push((owner, Rare(1.0)));
    }

    fn extinguish(&mut self, owner: usize) {
        let at = self.fires[owner];
        self.burning.swap_remove(at);
        if let Some((moved, _)) = self.burning.get(at) {
            self.fires[*moved] = at;
        }
    }

    fn step(&mut self) {
        for Kind { positions, velocities, lifetimes, own, .. } in &mut self.kinds {
            let rows = positions.iter_mut().zip(velocities).zip(lifetimes).zip(own);
            rows.for_each(|(((position, velocity), lifetime), own)| live(position, velocity, lifetime, *own));
        }
    }

    fn move_all(&mut self) {
        for Kind { positions, velocities, .. } in &mut self.kinds {
            advance_all(black_box(positions), black_box(velocities));
        }
    }

    fn checksum(&mut self) -> u64 {
        sum(self.kinds.iter().flat_map(|kind| &kind.positions).map(|position| position.0))
    }
}
