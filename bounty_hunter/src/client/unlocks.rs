//! The shapes and the trails of own ships, and the feats that unlock them. They change the picture alone: what is hit
//! stays the triangle.

use serde::{Deserialize, Serialize};

use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::feats::{CHALLENGES, Feat};

/// The shape of an own ship.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ShipShape {
    #[default]
    Dart,
    Arrow,
    Kite,
    Fork,
    Manta,
    Star,
}

/// The trail of an own ship.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TrailShape {
    #[default]
    Comet,
    Twin,
    Dots,
    Wave,
    Sparks,
    Rainbow,
}

/// How an own ship looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) ship: ShipShape,
    pub(crate) trail: TrailShape,
}

/// What is asked for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Nothing,
    /// A challenge, by its name.
    Challenge(&'static str),
    /// A gold medal, in any mode.
    Gold,
}

impl ShipShape {
    pub(crate) const ALL: [Self; 6] = [Self::Dart, Self::Arrow, Self::Kite, Self::Fork, Self::Manta, Self::Star];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Dart => tr("Dart"),
            Self::Arrow => tr("Arrow"),
            Self::Kite => tr("Kite"),
            Self::Fork => tr("Fork"),
            Self::Manta => tr("Manta"),
            Self::Star => tr("Star"),
        }
    }

    pub(crate) fn need(self) -> Need {
        match self {
            Self::Dart => Need::Nothing,
            Self::Arrow => Need::Challenge("first-victory"),
            Self::Kite => Need::Challenge("harvest"),
            Self::Fork => Need::Challenge("one-haul"),
            Self::Manta => Need::Challenge("untouched"),
            Self::Star => Need::Gold,
        }
    }
}

impl TrailShape {
    pub(crate) const ALL: [Self; 6] = [Self::Comet, Self::Twin, Self::Dots, Self::Wave, Self::Sparks, Self::Rainbow];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Comet => tr("Comet"),
            Self::Twin => tr("Twin lines"),
            Self::Dots => tr("Dots"),
            Self::Wave => tr("Wave"),
            Self::Sparks => tr("Sparks"),
            Self::Rainbow => tr("Rainbow"),
        }
    }

    pub(crate) fn need(self) -> Need {
        match self {
            Self::Comet => Need::Nothing,
            Self::Twin => Need::Challenge("regular"),
            Self::Dots => Need::Challenge("plenty"),
            Self::Wave => Need::Challenge("clean-hands"),
            Self::Sparks => Need::Challenge("hard-duel"),
            Self::Rainbow => Need::Challenge("hard-eight"),
        }
    }
}

impl Need {
    /// What to do for it.
    fn task(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Challenge(name) => {
                CHALLENGES.iter().find(|challenge| challenge.name == name).map_or("", |challenge| tr(challenge.task))
            }
            Self::Gold => tr("Win a gold medal"),
        }
    }

    /// The name of what needs it, with what is asked unless that is done.
    pub(crate) fn described(self, label: &str, unlocked: &Unlocked) -> String {
        if unlocked.has(self) {
            return label.to_owned();
        }
        tr_with("{name} (locked: {task})", &[("name", &label), ("task", &self.task())])
    }
}

/// The feats that people have achieved.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Unlocked(Vec<Feat>);

impl Unlocked {
    /// The feats of these names; those of a later version are passed over.
    pub(crate) fn by<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self(names.into_iter().filter_map(|name| name.parse().ok()).collect())
    }

    pub(crate) fn has(&self, need: Need) -> bool {
        match need {
            Need::Nothing => true,
            Need::Challenge(name) => {
                self.0.iter().any(|feat| matches!(feat, Feat::Challenge(challenge) if challenge.name == name))
            }
            Need::Gold => self.0.iter().any(|feat| matches!(feat, Feat::Medal(medal) if medal.place == 1)),
        }
    }

    /// The look as it was chosen, as far as it is unlocked.
    pub(crate) fn look(&self, ship: ShipShape, trail: TrailShape) -> Look {
        Look {
            ship: if self.has(ship.need()) { ship } else { ShipShape::default() },
            trail: if self.has(trail.need()) { trail } else { TrailShape::default() },
        }
    }
}

#[cfg(test)]
mod tests {
    use ecs::Engine;

    use super::*;
    use bounty_hunter_simulation::assets::Assets;
    use bounty_hunter_simulation::feats::{self, Performance};
    use bounty_hunter_simulation::input::Inputs;
    use bounty_hunter_simulation::replay::{Playback, Recorder, Replay};
    use bounty_hunter_simulation::simulation::view::GameState;
    use bounty_hunter_simulation::simulation::{MatchSetup, Simulation};

    /// What the players of a match have made of it, as its replay tells.
    fn performances(seed: u64, players: usize, ai: &str) -> Vec<Performance> {
        let (assets, setup) = (Assets::built_in(), MatchSetup::of_ais(seed, players, ai));
        let mut simulation = Simulation::new(&assets, &setup).expect("it can be set up");
        let mut recorder = Recorder::new("classic", &assets, &setup).expect("it can be recorded");
        while simulation.state() != GameState::GameOver {
            simulation.step(&Inputs::none());
            recorder.note(&Inputs::none(), &mut simulation);
        }
        let bytes = recorder.match_replay(&mut simulation).to_bytes();
        let replay = Replay::from_bytes(&bytes).expect("it was written just now");
        let mut playback = Playback::new(replay, &assets, Engine::builder()).expect("it plays");
        while playback.step().is_some() {}
        feats::performances(playback.simulation(), "classic", &setup)
    }

    fn unlocked_by(performance: &Performance) -> Unlocked {
        let names: Vec<String> = feats::of(performance).map(|feat| feat.to_string()).collect();
        Unlocked::by(names.iter().map(String::as_str))
    }

    #[test]
    fn replay_unlocks_what_its_player_has_achieved() {
        let players = performances(1, 2, "easy");
        let winner = unlocked_by(&players[1]);
        let ships = [ShipShape::Arrow, ShipShape::Fork, ShipShape::Manta];
        assert!(ships.iter().all(|ship| winner.has(ship.need())), "{winner:?}");
        assert!(!winner.has(ShipShape::Star.need()), "two players have no medals");
        assert!(winner.has(TrailShape::Wave.need()) && !winner.has(TrailShape::Rainbow.need()), "{winner:?}");
        let loser = unlocked_by(&players[0]);
        assert!(!loser.has(ShipShape::Arrow.need()) && loser.has(ShipShape::Dart.need()), "{loser:?}");
        assert_eq!(
            (winner.look(ShipShape::Manta, TrailShape::Wave), loser.look(ShipShape::Manta, TrailShape::Rainbow)),
            (Look { ship: ShipShape::Manta, trail: TrailShape::Wave }, Look::default()),
        );
    }

    #[test]
    fn gold_medal_of_any_mode_unlocks_the_star() {
        let has = |names: &[&str]| Unlocked::by(names.iter().copied()).has(Need::Gold);
        assert!(has(&["medal/brawl/easy/2", "medal/spells/hard/1", "of a later version"]));
        assert!(!has(&["medal/brawl/easy/2", "untouched"]));
    }

    #[test]
    fn each_need_can_be_met_and_says_what_is_asked() {
        let needs = ShipShape::ALL.map(ShipShape::need).into_iter().chain(TrailShape::ALL.map(TrailShape::need));
        let mut seen = Vec::new();
        for need in needs {
            let is_free = need == Need::Nothing;
            assert_eq!(need.task().is_empty(), is_free, "{need:?}");
            assert!(is_free || !seen.contains(&need), "{need:?} is asked twice");
            seen.push(need);
            assert_eq!(Unlocked::default().has(need), is_free);
        }
        let kite = ShipShape::Kite.need();
        assert_eq!(kite.described("Kite", &Unlocked::default()), "Kite (locked: Collect 25 bounties in a match)");
        assert_eq!(kite.described("Kite", &Unlocked::by(["harvest"])), "Kite");
    }
}
