//! Going back in a match: every step of its recent past is there again, bit for bit, and the match goes on from it.

use bounty_hunter::assets::Assets;
use bounty_hunter::history::History;
use bounty_hunter::input::{Inputs, Key};
use bounty_hunter::random::{Purpose, RandomStream};
use bounty_hunter::simulation::{MatchSetup, Simulation};

const STEPS: u64 = 200;

fn short_match(mode: &str, players: usize) -> Simulation {
    let mut assets = Assets::built_in().in_mode(mode).unwrap();
    assets.game.countdown_seconds = 0.2;
    let setup = MatchSetup { play_seconds: Some(4.0), ..MatchSetup::of_ais(3, players, &assets.game.ai) };
    Simulation::new(&assets, &setup).unwrap()
}

/// What enters at a step: a match that is over is begun anew, and now and then there is a pause.
fn inputs_of(tick: u64) -> Inputs {
    match tick % 50 {
        10 => Inputs::none().key_down(Key::P).key_up(Key::P),
        13 => Inputs::none().key_down(Key::P).key_up(Key::P),
        40 => Inputs::none().key_down(Key::R).key_up(Key::R),
        _ => Inputs::none(),
    }
}

/// A match with its history, and the hash after each step that was ever taken.
struct Past {
    simulation: Simulation,
    history: History,
    hashes: Vec<u64>,
}

impl Past {
    fn of(simulation: Simulation) -> Self {
        Self { simulation, history: History::of_steps(STEPS), hashes: vec![0] }
    }

    fn step(&mut self, steps: u64) {
        for _ in 0..steps {
            let inputs = inputs_of(self.simulation.tick());
            self.simulation.step(&inputs);
            self.history.note(&inputs, &mut self.simulation).unwrap();
            let (tick, hash) = (self.simulation.tick() as usize, self.simulation.state_hash());
            match self.hashes.get(tick) {
                Some(before) => assert_eq!(hash, *before, "step {tick} goes as it did before"),
                None => self.hashes.push(hash),
            }
        }
    }

    fn go_back(&mut self, tick: u64) {
        self.history.go_back(&mut self.simulation, tick).unwrap();
        assert_eq!(self.simulation.tick(), tick);
        assert_eq!(self.simulation.state_hash(), self.hashes[tick as usize], "step {tick}");
    }
}

#[test]
fn any_step_of_the_recent_past_is_there_again_and_the_match_goes_on_from_it() {
    let mut random = RandomStream::new(5, Purpose::Wander, 0);
    let mut below = |end: u64| random.between(0.0, end as f32) as u64;
    // The last has so many objects that snapshots are several steps apart.
    for (mode, players) in [("classic", 6), ("spells", 5), ("brawl", 4), ("sandbox", 200)] {
        let mut past = Past::of(short_match(mode, players));
        past.step(STEPS + 40);
        for _ in 0..if players > 100 { 8 } else { 25 } {
            let (oldest, now) = (past.history.oldest().unwrap(), past.simulation.tick());
            let back = oldest + below(now - oldest);
            past.go_back(back);
            // Some steps further back, one by one, as when a key is held.
            for tick in (oldest.max(back.saturating_sub(below(12)))..back).rev() {
                past.go_back(tick);
            }
            past.step(below(40));
        }
    }
}

#[test]
fn history_reaches_back_as_far_as_was_asked_for_and_hardly_further() {
    for (players, apart) in [(4, 1), (150, 30)] {
        let mut past = Past::of(short_match("classic", players));
        past.step(STEPS + 100);
        let reach = past.simulation.tick() - past.history.oldest().unwrap();
        assert!((STEPS..=STEPS + apart).contains(&reach), "{players} players: {reach}");
    }
}

#[test]
fn wishes_beyond_the_history_lead_to_its_ends() {
    let mut past = Past::of(short_match("classic", 3));
    assert!(!past.history.go_back(&mut past.simulation, 0).unwrap(), "nothing was noted");
    past.step(30);
    assert!(!past.history.go_back(&mut past.simulation, 99).unwrap(), "that is yet to come");
    assert_eq!(past.simulation.tick(), 30);
    assert!(past.history.go_back(&mut past.simulation, 0).unwrap());
    assert_eq!(past.simulation.tick(), 1, "the first that was noted");
    assert_eq!(past.simulation.state_hash(), past.hashes[1]);
}

#[test]
fn gap_in_what_was_noted_begins_a_new_history() {
    let mut past = Past::of(short_match("classic", 3));
    past.step(20);
    past.simulation.step(&Inputs::none());
    past.simulation.step(&Inputs::none());
    past.history.note(&Inputs::none(), &mut past.simulation).unwrap();
    assert_eq!(past.history.oldest(), Some(22));
}

#[test]
fn type_without_a_name_is_an_error_that_names_it_and_empties_the_history() {
    struct Stranger;
    let mut past = Past::of(short_match("classic", 2));
    past.step(10);
    past.simulation.engine_mut().spawn((Stranger,));
    past.simulation.step(&Inputs::none());
    let error = past.history.note(&Inputs::none(), &mut past.simulation).unwrap_err();
    assert!(error.to_string().contains("Stranger"), "{error}");
    assert_eq!(past.history.oldest(), None);
}
