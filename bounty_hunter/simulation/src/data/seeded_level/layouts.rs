//! The layouts of levels from seeds, and what is added to them. What finds no room is left out.

use ecs::random::RandomStream;

use super::draft::{Draft, Symmetry, TILTS, Thing};

/// Half the thickness of a wall that leads along.
const THIN: i32 = 2;
/// The least half of the length of such a wall.
const SHORTEST: i32 = 6;
/// Free space at the corner of two walls, and at a gate.
const GATE: i32 = 18;
/// How often a place for a scattered thing is drawn.
const TRIES: usize = 200;
/// Scattered things stand within this distance of the centre along both axes.
const SCATTERED: i32 = 104;

/// A whole number from `least` to `most`.
fn between(random: &mut RandomStream, least: i32, most: i32) -> i32 {
    least + random.below((most - least + 1) as u32) as i32
}

/// Blocks in rows and columns, with streets between them.
pub(super) fn streets(draft: &mut Draft, random: &mut RandomStream) {
    // With an odd number of blocks in a row one stands in the centre, with an even number two streets cross there.
    let is_odd = random.below(2) == 0;
    let pitch = if is_odd { between(random, 24, 30) * 2 } else { between(random, 20, 24) * 2 };
    let places: &[(i32, i32)] = match is_odd {
        true => &[(2, 0), (2, 2)],
        false => &[(1, 1), (3, 1), (1, 3), (3, 3)],
    };
    let widest = (pitch - 20) / 2;
    for &(column, row) in places {
        let at = (column * pitch / 2, row * pitch / 2);
        let (width, height) = (between(random, 5, widest), between(random, 5, widest));
        let is_on_diagonal = draft.symmetry() == Symmetry::Mirrored && column == row;
        let half = (width, if is_on_diagonal { width } else { height });
        if random.below(6) > 0 {
            draft.add(Thing::wall(at, half));
        }
    }
}

/// Walls around the centre in one or two squares, with gates.
pub(super) fn rings(draft: &mut Draft, random: &mut RandomStream) {
    let inner = between(random, 28, 44);
    let outer = inner + between(random, 28, 40);
    for distance in [outer, inner] {
        if distance == inner && random.below(4) == 0 {
            continue;
        }
        let longest = distance - THIN - GATE;
        match random.below(3) {
            // The gates are in the middle of the sides, or in the corners alone.
            0 if longest >= 2 * SHORTEST + GATE => {
                let half = (longest - GATE / 2) / 2;
                add_along(draft, (distance, longest - half), (0, 1), half);
                add_along(draft, (distance, half - longest), (0, 1), half);
            }
            1 if draft.symmetry() == Symmetry::Turned => {
                let aside = between(random, 4, 10);
                add_along(draft, (distance, aside), (0, 1), longest - 4);
            }
            _ => add_along(draft, (distance, 0), (0, 1), longest),
        }
    }
}

/// Four rooms without corners, of which some walls are missing.
pub(super) fn rooms(draft: &mut Draft, random: &mut RandomStream) {
    let half = between(random, 30, 36);
    let middle = half + between(random, 10, 14);
    let longest = half - THIN - GATE;
    let missing = random.below(6);
    for (side, way) in [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().enumerate() {
        if side as u32 != missing {
            let at = (middle + way.0 * half, middle + way.1 * half);
            add_along(draft, at, (way.1.abs(), way.0.abs()), longest);
        }
    }
}

/// Adds the longest wall in a direction that has room.
fn add_along(draft: &mut Draft, at: (i32, i32), way: (i32, i32), longest: i32) {
    let half = |length: i32| (way.0 * length + way.1 * THIN, way.1 * length + way.0 * THIN);
    _ = (SHORTEST..=longest).rev().any(|length| draft.add(Thing::wall(at, half(length))));
}

/// Rocks and short walls anywhere, until the level has so many obstacles.
pub(super) fn scattered(draft: &mut Draft, random: &mut RandomStream, wanted: usize) {
    for _ in 0..TRIES {
        if draft.obstacles() >= wanted {
            return;
        }
        let at = somewhere(random);
        let thing = match random.below(3) {
            0 => Thing::wall(at, (between(random, 2, 12), between(random, 2, 12))),
            _ => rock(draft, at, random),
        };
        draft.add(thing);
    }
}

/// A rock of any size. Where mirrors leave the level as it is, they leave each rock, too.
fn rock(draft: &Draft, at: (i32, i32), random: &mut RandomStream) -> Thing {
    let tilt = match draft.symmetry() {
        Symmetry::Turned => random.below(TILTS),
        Symmetry::Mirrored => random.below(2) * TILTS / 2,
    };
    Thing::rock(at, between(random, 2, 5), tilt)
}

fn somewhere(random: &mut RandomStream) -> (i32, i32) {
    let (x, y) = (between(random, 0, SCATTERED), between(random, -SCATTERED, SCATTERED));
    match random.below(4) {
        // On an axis or a diagonal, a thing has fewer images.
        0 => (x, 0),
        1 => (x, x),
        _ => (x, y),
    }
}

/// Something in the centre, or nothing.
pub(super) fn add_centre(draft: &mut Draft, random: &mut RandomStream) {
    let half = between(random, 4, 10);
    _ = match random.below(4) {
        0 => draft.add(Thing::wall((0, 0), (half, half))),
        1 => draft.add(Thing::rock((0, 0), 5, TILTS / 2)),
        2 => draft.add(Thing::boulder((0, 0))),
        _ => false,
    };
}

/// Four portals; each leads to the opposite side.
pub(super) fn add_portals(draft: &mut Draft, random: &mut RandomStream) {
    for _ in 0..TRIES {
        let (distance, inwards) = (between(random, 40, 100), between(random, 18, 30));
        let portal = match random.below(2) {
            0 => Thing::portal((distance, 0), (inwards, 0)),
            _ => Thing::portal((distance, distance), (inwards, inwards)),
        };
        if draft.add(portal) {
            return;
        }
    }
}

/// Rocks or boulders between the stashes, the same for each of them, or nothing.
pub(super) fn add_guards(draft: &mut Draft, random: &mut RandomStream) {
    let ring = draft.ring - between(random, 0, 10);
    _ = match random.below(6) {
        0 => draft.add_guards(|at| Thing::rock(at, 2, TILTS / 2), ring),
        1 | 2 => draft.add_guards(Thing::boulder, ring),
        _ => false,
    };
}

/// Up to three boulders, each with its images.
pub(super) fn add_boulders(draft: &mut Draft, random: &mut RandomStream) {
    for _ in 0..random.below(4) {
        let at = somewhere(random);
        draft.add(Thing::boulder(at));
    }
}
