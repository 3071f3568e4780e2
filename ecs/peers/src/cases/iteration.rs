//! Iteration and access. The floor uses arrays.

use std::hint::black_box;

use super::{Case, Work};
use crate::components::{Data, Position, Rare, Velocity, advance_all, age, enrich, position, shuffled, sum, velocity};
use crate::stopwatch::{Runner, repeated};

/// One in this number of entities has the component [`Rare`].
pub(crate) const RARE_ONE_IN: usize = 100;

/// The number of archetypes in the fragmented case.
const KINDS: usize = 26;

pub(super) const CASES: [Case; 19] = [
    Case::new("slices-1k", "position += velocity, 1,000, packed slices", Work::Slices, (1_000, 1_000), 1.05),
    Case::new("slices-10k", "position += velocity, 10,000, packed slices", Work::Slices, (10_000, 200), 1.05),
    Case::new("slices-1m", "position += velocity, 1,000,000, packed slices", Work::Slices, (1_000_000, 4), 1.1),
    Case::new("items-1k", "position += velocity, 1,000, per item", Work::Items, (1_000, 1_000), 2.0),
    Case::new("items-10k", "position += velocity, 10,000, per item", Work::Items, (10_000, 100), 2.0),
    Case::new("items-1m", "position += velocity, 1,000,000, per item", Work::Items, (1_000_000, 2), 2.0),
    Case::new("items-loop", "the same in a `for` loop, 10,000", Work::ItemsInALoop, (10_000, 100), 1.1),
    Case::new("loop-10k", "`for` loop, 10,000 of four components", Work::ItemsOfFourInALoop, (10_000, 100), 1.1),
    Case::new("loop-1m", "the same, 1,000,000", Work::ItemsOfFourInALoop, (1_000_000, 2), 1.6),
    Case::new("items-of-four", "the same by `for_each`, 1,000,000", Work::ItemsOfFour, (1_000_000, 2), 1.3),
    Case::new("loop-tracked", "`for` loop, 10,000, changes tracked", Work::ItemsOfFourTracked, (10_000, 100), 6.0),
    Case::new("loop-hierarchy", "`for` loop, 10,000, half children", Work::ItemsOfFourInAHierarchy, (10_000, 100), 2.4),
    Case::new("fragmented", "one component over 26 shapes × 20", Work::Fragmented, (20, 2_000), 2.5),
    Case::new("fragmented-2000", "the same, 26 shapes × 2,000", Work::Fragmented, (2_000, 50), 1.05),
    Case::new("random-get", "random get, 100,000 of 100,000", Work::RandomGet, (100_000, 5), 2.7),
    Case::new("random-get-each", "the same by the engine", Work::RandomGetEach, (100_000, 5), 4.2),
    Case::new("join", "join of 1 % of 1,000,000", Work::Join, (1_000_000, 10), 1.1),
    Case::new("join-10k", "join of 1 % of 10,000", Work::Join, (10_000, 1_000), 1.1),
    Case::new("random-join", "join of a random 1 % of 1,000,000", Work::RandomJoin, (1_000_000, 10), 1.1),
];

pub(super) fn floor(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Slices
        | Work::Items
        | Work::ItemsInALoop
        | Work::ItemsOfFour
        | Work::ItemsOfFourInALoop
        | Work::ItemsOfFourTracked
        | Work::ItemsOfFourInAHierarchy => slices(count),
        Work::Fragmented => fragmented(count),
        Work::Join => join(count),
        Work::RandomJoin => join_side_by_side(random_rare(count), count),
        Work::RandomGet | Work::RandomGetEach => random_get(count),
        _ => return None,
    })
}

fn slices(count: usize) -> Runner {
    let world: (Vec<Position>, Vec<Velocity>) = (0..count).map(|n| (position(n), velocity(n))).unzip();
    repeated(
        world,
        |(positions, velocities)| advance_all(black_box(positions), black_box(velocities)),
        |(positions, _)| sum(positions.iter().map(|position| position.0)),
    )
}

fn fragmented(count: usize) -> Runner {
    let world: Vec<Data> = (0..KINDS * count).map(|n| Data(n as f32)).collect();
    repeated(
        world,
        |values| black_box(values).iter_mut().for_each(age),
        |values| sum(values.iter().map(|data| [data.0])),
    )
}

/// Looks up the common component of each rare entity.
fn join(count: usize) -> Runner {
    let common: Vec<Data> = (0..count).map(|n| Data(n as f32)).collect();
    let rare: Vec<(u32, Rare)> = (0..count).step_by(RARE_ONE_IN).map(|n| (n as u32, Rare(1.0))).collect();
    repeated(
        (common, rare),
        |(common, rare)| {
            for (owner, rare) in black_box(rare) {
                enrich(&mut common[*owner as usize], rare);
            }
        },
        |(common, _)| sum(common.iter().map(|data| [data.0])),
    )
}

/// Keeps the common components of rare entities in front, in the order of the rare ones.
fn join_side_by_side(front: Vec<usize>, count: usize) -> Runner {
    let mut is_rare = vec![false; count];
    front.iter().for_each(|n| is_rare[*n] = true);
    let behind = (0..count).filter(|n| !is_rare[*n]);
    let rare: Vec<Rare> = front.iter().map(|_| Rare(1.0)).collect();
    let common: Vec<Data> = front.iter().copied().chain(behind).map(|n| Data(n as f32)).collect();
    repeated(
        (common, rare),
        |(common, rare)| common.iter_mut().zip(black_box(rare)).for_each(|(data, rare)| enrich(data, rare)),
        |(common, _)| sum(common.iter().map(|data| [data.0])),
    )
}

/// The numbers of the entities that get the component [`Rare`], in a random order.
pub(crate) fn random_rare(count: usize) -> Vec<usize> {
    shuffled(count)[..count / RARE_ONE_IN].iter().map(|n| *n as usize).collect()
}

fn random_get(count: usize) -> Runner {
    let values: Vec<Data> = (0..count).map(|n| Data(n as f32)).collect();
    repeated(
        (values, shuffled(count), 0),
        |(values, order, total)| {
            let bits = black_box(order).iter().map(|index| u64::from(values[*index as usize].0.to_bits()));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(_, _, total)| *total,
    )
}
