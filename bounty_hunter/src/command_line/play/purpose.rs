//! The assets of the matches that are not played for a result: the one behind the title, and the tutorial.

use bounty_hunter::assets::Assets;
use bounty_hunter::client::MatchPurpose;
use bounty_hunter::config::{PowerUpRules, RulesConfig, SpellRules};
use bounty_hunter::power_up::PowerUp;

/// Power-ups in the tutorial, so that one is near.
const POWER_UPS: u32 = 6;
/// Cool-down of each spell in the tutorial, seconds.
const COOLDOWN_SECONDS: f32 = 3.0;

/// The assets of a match of this purpose.
pub(super) fn for_purpose(mut assets: Assets, purpose: MatchPurpose) -> Assets {
    match purpose {
        MatchPurpose::Match | MatchPurpose::Daily => {}
        // In a countdown all would stand still.
        MatchPurpose::Title => assets.game.countdown_seconds = 0.0,
        MatchPurpose::Tutorial => teach(&mut assets),
    }
    assets
}

/// Gives a match what the tutorial teaches, as far as the assets have it: a level with walls, power-ups and spells. It
/// has neither a countdown nor a goal, and an unlimited number of lives.
fn teach(assets: &mut Assets) {
    let rules = || assets.modes.values().map(|mode| &mode.game.rules);
    // The lesson is about ghosts.
    let is_ghost = |name: &String| matches!(assets.prefabs.component(name), Some(PowerUp::Ghost { .. }));
    let power_ups = rules().filter_map(|rules| rules.power_ups.clone()).find_map(|rules| {
        let prefabs: Vec<String> = rules.prefabs.iter().filter(|name| is_ghost(name)).cloned().collect();
        (!prefabs.is_empty()).then_some(PowerUpRules { prefabs, ..rules })
    });
    let spells = rules().find_map(|rules| rules.spells);
    if let Some((level, _)) = assets.levels.iter().find(|(_, level)| !level.walls.is_empty()) {
        assets.game.level.clone_from(level);
    }
    assets.game.countdown_seconds = 0.0;
    // A stash as large as that of a day would never look fuller.
    assets.game.stash_sizes.clear();
    assets.game.rules = RulesConfig {
        only_own_stash_accepts: false,
        full_stash_ends_match: false,
        lives: None,
        power_ups: power_ups.map(|rules| PowerUpRules { least_power_ups: POWER_UPS, mine: None, ..rules }),
        spells: spells.map(|rules| SpellRules {
            purge_cooldown_seconds: COOLDOWN_SECONDS,
            strike_cooldown_seconds: COOLDOWN_SECONDS,
            magnet_cooldown_seconds: COOLDOWN_SECONDS,
            ..rules
        }),
        health: None,
        hunger: None,
        chain: None,
        crown: None,
        gold_rush: None,
        teams: None,
    };
}

#[cfg(test)]
mod tests {
    use bounty_hunter::input::Inputs;
    use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
    use bounty_hunter::view::{GameState, View};

    use super::*;

    /// The places of all collectors after each tenth of a second, for some seconds.
    fn places(assets: &Assets, seconds: usize) -> Vec<Vec<[f32; 2]>> {
        let mut simulation = Simulation::new(assets, &MatchSetup::of_ais(5, 14, "normal")).unwrap();
        let mut view = View::empty();
        let mut places = || {
            (0..6).for_each(|_| _ = simulation.step(&Inputs::none()));
            simulation.view_into(&mut view);
            view.collectors.iter().map(|collector| collector.position.to_array()).collect()
        };
        (0..seconds * 10).map(|_| places()).collect()
    }

    #[test]
    fn match_behind_the_title_never_stands_still() {
        let assets = Assets::built_in().in_mode("classic").unwrap();
        let stand_still = |places: Vec<Vec<[f32; 2]>>| places.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(stand_still(places(&for_purpose(assets.clone(), MatchPurpose::Title), 6)), 0);
        assert!(stand_still(places(&for_purpose(assets, MatchPurpose::Match), 6)) > 20, "the countdown of a match");
    }

    #[test]
    fn tutorial_has_all_that_it_teaches_and_neither_a_goal_nor_an_end() {
        let assets = for_purpose(Assets::built_in().in_mode("classic").unwrap(), MatchPurpose::Tutorial);
        let seats = vec![Seat::Human { person: 0 }, Seat::Ai { profile: "easy".to_owned() }];
        let setup = MatchSetup { seed: 3, seats, play_seconds: Some(86_400.0) };
        let mut simulation = Simulation::new(&assets, &setup).unwrap();
        // Longer than a classic match.
        (0..100 * 60).for_each(|_| _ = simulation.step(&Inputs::none()));
        let mut view = View::empty();
        simulation.view_into(&mut view);
        assert_eq!((view.state, view.full_stash_ends_match, view.stashes.len()), (GameState::Running, false, 2));
        assert!(view.clock_seconds > 80_000.0);
        assert!(view.walls.len() > 4 && !view.power_ups.is_empty() && !view.bounties.is_empty());
        assert!(view.players[0].spells.is_some_and(|spells| spells.iter().all(|spell| spell.left_seconds == 0.0)));
    }

    #[test]
    fn tutorial_of_assets_that_lack_something_is_a_match_without_it() {
        let mut assets = Assets::built_in().in_mode("classic").unwrap();
        assets.levels.retain(|name, _| name == "arena");
        assets.modes.retain(|name, _| name == "classic");
        let game = for_purpose(assets, MatchPurpose::Tutorial).game;
        assert_eq!((game.level.as_str(), game.rules.spells, game.rules.power_ups), ("arena", None, None));
    }
}
