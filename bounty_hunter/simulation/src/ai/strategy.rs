//! The choice among the seen bounties.

use glam::Vec2;

use super::perception::Seen;
use crate::data::arena::wrapped_delta;
use crate::data::config::Strategy;

/// Least distance in value per distance, which keeps it finite.
const MIN_DISTANCE_M: f32 = 0.01;

/// The index of the bounty that the strategy picks from those seen, longest-seen first; the first one of a tie.
///
/// Distances wrap around the world. Bounties whose position or value is not finite are never picked.
#[must_use]
pub fn choose(strategy: Strategy, me: Vec2, seen: &[Seen], half_extent_m: f32) -> Option<usize> {
    match strategy {
        Strategy::None => None,
        _ => best(seen, |bounty| score(strategy, me, bounty, half_extent_m)),
    }
}

/// How much the strategy wants a bounty; only the order of scores has a meaning, and each strategy has its own unit.
#[must_use]
pub fn score(strategy: Strategy, me: Vec2, bounty: &Seen, half_extent_m: f32) -> f32 {
    let distance_m = || wrapped_delta(me, bounty.position, half_extent_m).length();
    match strategy {
        Strategy::None | Strategy::First => 0.0,
        Strategy::Nearest => -distance_m(),
        Strategy::MostValuable => bounty.value,
        // With foresight the brain calls `score_ahead`, which knows more.
        Strategy::BestValuePerDistance | Strategy::Foresight => bounty.value / distance_m().max(MIN_DISTANCE_M),
    }
}

/// The index of the first bounty with the highest score.
fn best(seen: &[Seen], score: impl Fn(&Seen) -> f32) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (index, bounty) in seen.iter().enumerate() {
        if !(bounty.position.is_finite() && bounty.value.is_finite()) {
            continue;
        }
        let score = score(bounty);
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((index, score));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Strategy; 5] =
        [Strategy::None, Strategy::First, Strategy::Nearest, Strategy::MostValuable, Strategy::BestValuePerDistance];

    /// A case: its name, the bounties as `(x, y, value)`, and the pick of each strategy of `ALL`.
    type Row = (&'static str, &'static [(f32, f32, f32)], [Option<usize>; 5]);

    /// The pick of each strategy of `ALL` at the origin, in a world of 150 m by 150 m.
    fn choices(bounties: &[(f32, f32, f32)]) -> [Option<usize>; 5] {
        let seen: Vec<Seen> =
            (0..).zip(bounties).map(|(key, &(x, y, value))| Seen { key, position: Vec2::new(x, y), value }).collect();
        ALL.map(|strategy| choose(strategy, Vec2::ZERO, &seen, 75.0))
    }

    #[test]
    fn each_strategy_picks_by_its_name() {
        const NAN: f32 = f32::NAN;
        const INFINITE: f32 = f32::INFINITY;
        #[rustfmt::skip]
        let table: &[Row] = &[
            ("nothing seen", &[], [None; 5]),
            ("one", &[(5.0, 5.0, 9.0)], [None, Some(0), Some(0), Some(0), Some(0)]),
            ("all differ", &[(20.0, 0.0, 6.0), (0.0, 4.0, 5.0), (0.0, 24.0, 30.0), (-10.0, 0.0, 20.0)],
                [None, Some(0), Some(1), Some(2), Some(3)]),
            ("a tie in all", &[(3.0, 4.0, 7.0), (-4.0, 3.0, 7.0), (0.0, 5.0, 7.0)],
                [None, Some(0), Some(0), Some(0), Some(0)]),
            ("right here", &[(9.0, 0.0, 9.0), (0.0, 0.0, 5.0)], [None, Some(0), Some(1), Some(0), Some(1)]),
            ("worth nothing", &[(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)], [None, Some(0), Some(0), Some(0), Some(0)]),
            ("not a number", &[(NAN, 0.0, 9.0), (1.0, 1.0, NAN), (9.0, 0.0, 5.0)],
                [None, Some(2), Some(2), Some(2), Some(2)]),
            ("infinite", &[(0.0, INFINITE, 9.0), (9.0, 0.0, INFINITE)], [None; 5]),
        ];
        for (case, bounties, expected) in table {
            assert_eq!(choices(bounties), *expected, "{case}");
        }
    }

    #[test]
    fn distances_wrap_around_the_world() {
        let seen = [(0, 50.0), (1, -70.0)].map(|(key, x)| Seen { key, position: Vec2::new(x, 0.0), value: 10.0 });
        let me = Vec2::new(70.0, 0.0);
        assert_eq!(choose(Strategy::Nearest, me, &seen, 75.0), Some(1));
        assert_eq!(choose(Strategy::BestValuePerDistance, me, &seen, 75.0), Some(1));
        assert_eq!(choose(Strategy::Nearest, me, &seen, 1_000.0), Some(0));
    }
}
