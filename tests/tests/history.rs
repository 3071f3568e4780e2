//! Going back in a match: every step of its recent past is there again, bit for bit, and the match goes on from it.

use bounty_hunter::assets::Assets;
use bounty_hunter::history::History;
use bounty_hunter::input::{Inputs, Key};
use bounty_hunter::random::{Purpose, RandomStream};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;

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

/// A match with its history, the hash after each step that was ever taken, and the steps that should have been noted.
struct Past {
    simulation: Simulation,
    history: History,
    hashes: Vec<u64>,
    noted: Vec<u64>,
    is_still: bool,
}

impl Past {
    fn of(simulation: Simulation) -> Self {
        Self { simulation, history: History::of_steps(STEPS), hashes: vec![0], noted: vec![], is_still: false }
    }

    fn step(&mut self, steps: u64) {
        for _ in 0..steps {
            self.step_with(&inputs_of(self.simulation.tick()));
        }
    }

    fn step_with(&mut self, inputs: &Inputs) {
        self.simulation.step(inputs);
        self.history.note(inputs, &mut self.simulation).unwrap();
        let (tick, hash) = (self.simulation.tick(), self.simulation.state_hash());
        match self.hashes.get(tick as usize) {
            Some(before) => assert_eq!(hash, *before, "step {tick} goes as it did before"),
            None => self.hashes.push(hash),
        }
        let is_still = is_still(&self.simulation);
        if !(self.is_still && is_still) {
            self.noted.push(tick);
        }
        self.is_still = is_still;
    }

    fn go_back(&mut self, steps: u64) {
        self.history.go_back(&mut self.simulation, steps).unwrap();
        self.noted.truncate(self.noted.len() - steps as usize);
        self.is_still = is_still(&self.simulation);
        let tick = *self.noted.last().unwrap();
        assert_eq!(self.simulation.tick(), tick);
        assert_eq!(self.simulation.state_hash(), self.hashes[tick as usize], "step {tick}");
    }
}

fn is_still(simulation: &Simulation) -> bool {
    matches!(simulation.state(), GameState::Paused | GameState::GameOver)
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
            let back = 1 + below(past.history.steps_back() - 1);
            past.go_back(back);
            // Some steps further back, one by one, as when a key is held.
            for _ in 0..below(12).min(past.history.steps_back()) {
                past.go_back(1);
            }
            past.step(below(40) + 2);
        }
    }
}

#[test]
fn history_reaches_back_as_far_as_was_asked_for_and_hardly_further() {
    for (players, apart) in [(4, 1), (150, 30)] {
        let mut past = Past::of(short_match("classic", players));
        past.step(2 * STEPS);
        let reach = past.history.steps_back();
        assert!((STEPS..=STEPS + apart).contains(&reach), "{players} players: {reach}");
        past.go_back(reach);
        assert!(!past.history.go_back(&mut past.simulation, 1).unwrap(), "that is all there is");
    }
}

#[test]
fn pause_and_the_end_of_a_match_leave_the_past_as_it_is() {
    let mut past = Past::of(short_match("classic", 3));
    (0..STEPS).for_each(|_| past.step_with(&Inputs::none()));
    past.step_with(&Inputs::none().key_down(Key::P).key_up(Key::P));
    past.step_with(&Inputs::none());
    assert_eq!(past.simulation.state(), GameState::Paused);
    let (reach, tick) = (past.history.steps_back(), past.simulation.tick());
    (0..10 * STEPS).for_each(|_| past.step_with(&Inputs::none()));
    assert_eq!((past.history.steps_back(), past.simulation.tick()), (reach, tick + 10 * STEPS));
    // Who goes back is in the midst of the match at once.
    past.go_back(1);
    past.hashes.truncate(past.simulation.tick() as usize + 1);
    assert_eq!((past.simulation.state(), past.simulation.tick() < tick), (GameState::Running, true));
    while past.simulation.state() != GameState::GameOver {
        past.step_with(&Inputs::none().key_down(Key::P).key_up(Key::P));
        past.step_with(&Inputs::none());
    }
    let reach = past.history.steps_back();
    (0..10 * STEPS).for_each(|_| past.step_with(&Inputs::none()));
    assert_eq!(past.history.steps_back(), reach);
    past.go_back(reach);
}

#[test]
fn requests_beyond_the_history_lead_to_its_ends() {
    let mut past = Past::of(short_match("classic", 3));
    assert!(!past.history.go_back(&mut past.simulation, 9).unwrap(), "nothing was noted");
    past.step(30);
    assert!(!past.history.go_back(&mut past.simulation, 0).unwrap(), "that is where it is");
    assert_eq!(past.simulation.tick(), 30);
    assert!(past.history.go_back(&mut past.simulation, u64::MAX).unwrap());
    assert_eq!(past.simulation.tick(), past.noted[0], "the first that was noted");
    assert_eq!(past.simulation.state_hash(), past.hashes[past.noted[0] as usize]);
}

#[test]
fn steps_that_were_not_noted_are_skipped() {
    let mut past = Past::of(short_match("classic", 3));
    (0..8).for_each(|_| past.step_with(&Inputs::none()));
    past.simulation.step(&Inputs::none());
    past.simulation.step(&Inputs::none());
    past.history.note(&Inputs::none(), &mut past.simulation).unwrap();
    assert!(past.history.go_back(&mut past.simulation, 1).unwrap());
    assert_eq!((past.simulation.tick(), past.simulation.state_hash()), (8, past.hashes[8]));
    // A simulation that is earlier than all that was noted has another past.
    let mut other = short_match("classic", 3);
    other.step(&Inputs::none());
    past.history.note(&Inputs::none(), &mut other).unwrap();
    assert_eq!(past.history.steps_back(), 0);
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
    assert_eq!(past.history.steps_back(), 0);
}
