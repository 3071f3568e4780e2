//! Rewinding a match: every step of its recent past is restored, bit for bit, and the match continues from it.

use bounty_hunter::assets::Assets;
use bounty_hunter::history::History;
use bounty_hunter::input::{Command, Inputs};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;
use ecs::random::RandomStream;

const STEPS: u64 = 200;

fn short_match(mode: &str, players: usize) -> Simulation {
    let mut assets = Assets::built_in().in_mode(mode).unwrap();
    assets.game.countdown_seconds = 0.2;
    let setup = MatchSetup { play_seconds: Some(4.0), ..MatchSetup::of_ais(3, players, &assets.game.ai) };
    Simulation::new(&assets, &setup).unwrap()
}

/// The inputs of a step: some pauses, and restarts of finished matches.
fn inputs_of(tick: u64) -> Inputs {
    match tick % 50 {
        10 => Inputs::none().with(Command::Pause),
        13 => Inputs::none().with(Command::Resume),
        40 => Inputs::none().with(Command::Restart),
        _ => Inputs::none(),
    }
}

/// A match with its history, the hash after each step, and the steps that the history must have recorded.
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
            Some(before) => assert_eq!(hash, *before, "step {tick} is as before"),
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
fn every_step_of_the_recent_past_is_restored_and_continues_equally() {
    let mut random = RandomStream::new(5, "test");
    let mut below = |end: u64| random.between(0.0, end as f32) as u64;
    // The snapshots of the last one are several steps apart.
    for (mode, players) in [("classic", 6), ("spells", 5), ("brawl", 4), ("sandbox", 200)] {
        let mut past = Past::of(short_match(mode, players));
        past.step(STEPS + 40);
        for _ in 0..if players > 100 { 8 } else { 25 } {
            let back = 1 + below(past.history.steps_back() - 1);
            past.go_back(back);
            // Some single steps further back, as with a held key.
            for _ in 0..below(12).min(past.history.steps_back()) {
                past.go_back(1);
            }
            past.step(below(40) + 2);
        }
    }
}

#[test]
fn history_reaches_back_as_far_as_requested_and_hardly_further() {
    for (players, apart) in [(4, 1), (150, 30)] {
        let mut past = Past::of(short_match("classic", players));
        // A match of a crowd is soon over, and nothing is recorded while it is.
        while past.noted.len() < 2 * STEPS as usize {
            past.step(1);
        }
        let reach = past.history.steps_back();
        assert!((STEPS..=STEPS + apart).contains(&reach), "{players} players: {reach}");
        past.go_back(reach);
        assert!(!past.history.go_back(&mut past.simulation, 1).unwrap(), "the history is empty");
    }
}

#[test]
fn pause_and_end_of_a_match_do_not_displace_the_past() {
    let mut past = Past::of(short_match("classic", 3));
    (0..STEPS).for_each(|_| past.step_with(&Inputs::none()));
    past.step_with(&Inputs::none().with(Command::Pause));
    past.step_with(&Inputs::none());
    assert_eq!(past.simulation.state(), GameState::Paused);
    let (reach, tick) = (past.history.steps_back(), past.simulation.tick());
    (0..10 * STEPS).for_each(|_| past.step_with(&Inputs::none()));
    assert_eq!((past.history.steps_back(), past.simulation.tick()), (reach, tick + 10 * STEPS));
    // A rewind leads into the running match.
    past.go_back(1);
    past.hashes.truncate(past.simulation.tick() as usize + 1);
    assert_eq!((past.simulation.state(), past.simulation.tick() < tick), (GameState::Running, true));
    while past.simulation.state() != GameState::GameOver {
        for inputs in [Inputs::none().with(Command::Pause), Inputs::none().with(Command::Resume)] {
            past.step_with(&inputs);
            past.step_with(&Inputs::none());
        }
    }
    let reach = past.history.steps_back();
    (0..10 * STEPS).for_each(|_| past.step_with(&Inputs::none()));
    assert_eq!(past.history.steps_back(), reach);
    past.go_back(reach);
}

#[test]
fn rewind_beyond_the_history_leads_to_its_start() {
    let mut past = Past::of(short_match("classic", 3));
    assert!(!past.history.go_back(&mut past.simulation, 9).unwrap(), "no step was recorded");
    past.step(30);
    assert!(!past.history.go_back(&mut past.simulation, 0).unwrap(), "no step back");
    assert_eq!(past.simulation.tick(), 30);
    assert!(past.history.go_back(&mut past.simulation, u64::MAX).unwrap());
    assert_eq!(past.simulation.tick(), past.noted[0], "the first recorded step");
    assert_eq!(past.simulation.state_hash(), past.hashes[past.noted[0] as usize]);
}

#[test]
fn unrecorded_steps_are_skipped() {
    let mut past = Past::of(short_match("classic", 3));
    (0..8).for_each(|_| past.step_with(&Inputs::none()));
    past.simulation.step(&Inputs::none());
    past.simulation.step(&Inputs::none());
    past.history.note(&Inputs::none(), &mut past.simulation).unwrap();
    assert!(past.history.go_back(&mut past.simulation, 1).unwrap());
    assert_eq!((past.simulation.tick(), past.simulation.state_hash()), (8, past.hashes[8]));
    // A simulation before the first recorded step has another past.
    let mut other = short_match("classic", 3);
    other.step(&Inputs::none());
    past.history.note(&Inputs::none(), &mut other).unwrap();
    assert_eq!(past.history.steps_back(), 0);
}

#[test]
fn unregistered_type_is_an_error_that_names_it_and_empties_the_history() {
    struct Stranger;
    let mut past = Past::of(short_match("classic", 2));
    past.step(10);
    past.simulation.engine_mut().spawn((Stranger,));
    past.simulation.step(&Inputs::none());
    let error = past.history.note(&Inputs::none(), &mut past.simulation).unwrap_err();
    assert!(error.to_string().contains("Stranger"), "{error}");
    assert_eq!(past.history.steps_back(), 0);
}
