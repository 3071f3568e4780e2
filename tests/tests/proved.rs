//! A short match of each mode is proved: however its steps are run, they end in the same state. The deep checks prove
//! an hour of each mode and explore them all.

use std::error::Error;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use ecs::snapshot::SaveError;
use ecs::{Engine, EngineBuilder};
use ecs_prove::{Program, prove};

const MODES: [&str; 8] = ["classic", "power-ups", "spells", "survival", "brawl", "gold-rush", "sandbox", "teams"];

struct Match(Simulation);

impl Program for Match {
    fn engine(&mut self) -> &mut Engine {
        self.0.engine_mut()
    }

    fn save(&mut self) -> Result<Vec<u8>, SaveError> {
        self.0.save()
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(self.0.load(bytes)?)
    }
}

#[test]
fn short_match_of_each_mode_is_proved_here_and_in_another_process() {
    for mode in MODES {
        let assets = Assets::built_in().in_mode(mode).unwrap();
        let setup = MatchSetup::of_ais(5, 6, "normal");
        let make = |engine: EngineBuilder| Simulation::with_engine(&assets, &setup, engine).map(Match);
        let step = |game: &mut Match, _| -> Result<(), ecs::Error> {
            game.0.step(&Inputs::none());
            Ok(())
        };
        // The first three seconds are the countdown.
        let prover = prove(make, step).frames(360).every(12).orders(0..1);
        let proof = if mode == "power-ups" { prover.processes(1) } else { prover }.run();
        assert_eq!(proof.unwrap_or_else(|refuted| panic!("{mode}: {refuted}")).checked, 30, "{mode}");
    }
}

/// The prover found this in a brawl: an AI that decided after the damage of its step decided otherwise.
#[test]
fn ais_decide_before_damage_and_hunger_whatever_the_order_of_the_rest() {
    let assets = Assets::built_in();
    for (mode, decided_before) in [("brawl", "DealDamage"), ("survival", "Starve")] {
        for profile in ["hard", "learned"] {
            let setup = MatchSetup::of_ais(5, 6, profile);
            let mut simulation = Simulation::new(&assets.clone().in_mode(mode).unwrap(), &setup).unwrap();
            for seed in 0..20 {
                let engine = simulation.engine_mut();
                engine.inspector().shuffle_order(Some(seed)).unwrap();
                let place = |name| engine.systems().iter().position(|system| system.name == name);
                let (ais, later) = (place("AiControllers").unwrap(), place(decided_before).unwrap());
                assert!(ais < later, "{mode}, seed {seed}: {decided_before} is the system {later}, the AIs are {ais}");
                assert!(place("LearnedControllers").is_none_or(|learned| learned < ais), "{mode}, seed {seed}");
            }
            let learned = simulation.engine_mut().systems().iter().any(|system| system.name == "LearnedControllers");
            assert_eq!(learned, profile == "learned");
        }
    }
}
