//! Wolves and sheep. The floor has an array for each species.

use super::{Case, Work};
use crate::pasture::{Animal, Fate, Pasture};
use crate::stopwatch::{Runner, repeated};

pub(super) const CASES: [Case; 4] = [
    Case::new("wolves", "wolves and sheep: shared components, tags, two systems", Work::Wolves, (490_000, 3), 1.25),
    Case::new("wolves-structs", "the same, a struct for each species", Work::WolvesAsStructs, (490_000, 3), 1.25),
    Case::new("wolves-value", "the same, the species as a value", Work::WolvesAsValue, (490_000, 3), 1.25),
    Case::new("wolves-10k", "with tags, on 10,000 cells", Work::Wolves, (10_000, 50), 1.25),
];

#[derive(Default)]
struct Herds {
    sheep: Vec<Animal>,
    wolves: Vec<Animal>,
}

pub(super) fn floor(work: Work, count: usize) -> Option<Runner> {
    if !matches!(work, Work::Wolves | Work::WolvesAsStructs | Work::WolvesAsValue) {
        return None;
    }
    let pasture = Pasture::new(count);
    let (sheep, wolves) = pasture.first();
    Some(repeated((pasture, Herds { sheep, wolves }), step, |(pasture, Herds { sheep, wolves })| {
        pasture.checksum(sheep.iter().chain(&*wolves).map(|animal| (animal.cell, animal.energy, animal.seed)))
    }))
}

fn step((pasture, Herds { sheep, wolves }): &mut (Pasture, Herds)) {
    for animal in sheep.iter_mut().chain(&mut *wolves) {
        pasture.wander(&mut animal.cell, &mut animal.energy, animal.seed);
    }
    sheep.iter().for_each(|animal| pasture.count_sheep(animal.cell, animal.seed));
    wolves.iter().for_each(|animal| pasture.count_wolf(animal.cell));
    live(sheep, |animal| pasture.graze(animal.cell, &mut animal.energy, animal.seed));
    live(wolves, |animal| pasture.hunt(animal.cell, &mut animal.energy, animal.seed));
    pasture.grow();
}

fn live(herd: &mut Vec<Animal>, fate: impl Fn(&mut Animal) -> Fate) {
    let mut born = Vec::new();
    herd.retain_mut(|animal| match fate(animal) {
        Fate::Lives => true,
        Fate::Dies => false,
        Fate::Bears(young) => {
            born.push(young);
            true
        }
    });
    herd.append(&mut born);
}
