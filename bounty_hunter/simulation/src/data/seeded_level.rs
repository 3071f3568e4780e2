//! Levels made from a seed: `seed:7` names the level of the seed 7 wherever a level is named.
//!
//! The same seed gives the same level on every platform: only whole numbers decide, in half metres, which floats hold
//! exactly. A level is fair by symmetry: a quarter turn around the centre leaves it as it is, and so do mirrors in half
//! of the levels. All obstacles stand apart, so that a collector of any usual size reaches every place.

mod draft;
mod layouts;

use ecs::random::RandomStream;

use self::draft::{Draft, Symmetry};
use self::layouts::{add_boulders, add_centre, add_guards, add_portals, rings, rooms, scattered, streets};
use crate::data::level::Level;

/// What the name of a level from a seed begins with; a file of a level cannot have such a name.
pub const SEED_PREFIX: &str = "seed:";
/// The number of seats of each level from a seed.
pub const SEEDED_SEATS: u32 = 16;
/// Fewer obstacles than this would leave the world as open as the arena.
const LEAST_OBSTACLES: usize = 8;

/// The name of the level of a seed.
#[must_use]
pub fn seeded_name(seed: u64) -> String {
    format!("{SEED_PREFIX}{seed}")
}

/// The seed in the name of a level; `None` for a level that is a file.
///
/// # Errors
/// A sentence that follows the name, if what comes after the prefix is no seed.
#[must_use]
pub fn seed_in(name: &str) -> Option<Result<u64, String>> {
    let number = name.strip_prefix(SEED_PREFIX)?;
    let is_whole = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let seed = number.parse().ok().filter(|_| is_whole);
    Some(seed.ok_or_else(|| format!("the seed after {SEED_PREFIX:?} must be a whole number from 0 to {}", u64::MAX)))
}

/// The level of a seed.
///
/// ```
/// use bounty_hunter_simulation::seeded_level::seeded_level;
///
/// let level = seeded_level(7);
/// assert_eq!((level.most_players(), level == seeded_level(7)), (Some(16), true));
/// assert_ne!(level, seeded_level(8));
/// ```
#[must_use]
pub fn seeded_level(seed: u64) -> Level {
    let random = &mut RandomStream::new(seed, "level");
    let symmetry = if random.below(2) == 0 { Symmetry::Turned } else { Symmetry::Mirrored };
    let draft = &mut Draft::new(symmetry, 122 + 2 * random.below(6) as i32);
    let layout = random.below(4);
    match layout {
        0 => streets(draft, random),
        1 => rings(draft, random),
        2 => rooms(draft, random),
        _ => {}
    }
    add_centre(draft, random);
    if random.below(3) == 0 {
        add_portals(draft, random);
    }
    let scattered_obstacles = random.below(3) as usize * 4 + if layout == 3 { 12 } else { 0 };
    scattered(draft, random, LEAST_OBSTACLES.max(draft.obstacles() + scattered_obstacles));
    add_guards(draft, random);
    add_boulders(draft, random);
    let bounty_region_share = (12 + random.below(4)) as f32 / 20.0;
    draft.level(bounty_region_share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_holds_the_seed_and_nothing_else() {
        for seed in [0, 7, u64::MAX] {
            assert_eq!(seed_in(&seeded_name(seed)), Some(Ok(seed)));
        }
        assert_eq!((seed_in("arena"), seed_in("seed"), seed_in("seed:007")), (None, None, Some(Ok(7))));
        for name in ["seed:", "seed:x", "seed:-1", "seed:+1", "seed: 1", "seed:1.5", "seed:18446744073709551616"] {
            let problem = "the seed after \"seed:\" must be a whole number from 0 to 18446744073709551615";
            assert_eq!(seed_in(name), Some(Err(problem.to_owned())), "{name}");
        }
    }
}
