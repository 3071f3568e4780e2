//! A match that is played: recorded from its first step on, and, where people may, taken back.

#[cfg(not(feature = "saves"))]
mod no_storage;
#[cfg(feature = "saves")]
mod storage;

use std::cell::RefCell;
use std::rc::Rc;

use bounty_hunter::client::Game;
use bounty_hunter::history::History;
use bounty_hunter::input::{InputEvent, Inputs, Key};
use bounty_hunter::keyboard::HeldKeys;
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::{Simulation, StepReport};
use bounty_hunter::view::{GameState, View};

#[cfg(feature = "saves")]
use self::storage::Results;
#[cfg(feature = "saves")]
pub(super) use self::storage::Storage;

/// How far people can go back.
const REWIND_SECONDS: u64 = 30;
/// How long a notice is shown.
const NOTICE_SECONDS: u32 = 3;

/// A match, and what is kept of it.
pub(super) struct Session {
    simulation: Simulation,
    recorder: Recorder,
    /// What it can go back to, where people may.
    history: Option<History>,
    /// It has gone back, and does not know yet which keys are down now.
    has_gone_back: bool,
    /// A sentence to show, and for how many steps more.
    notice: Option<(String, u32)>,
    #[cfg(feature = "saves")]
    storage: Option<Storage>,
    #[cfg(feature = "saves")]
    results: Results,
}

impl Session {
    /// A match before its first step.
    pub(super) fn new(simulation: Simulation, recorder: Recorder, can_rewind: bool) -> Self {
        let history = history(&simulation, can_rewind);
        Self {
            simulation,
            recorder,
            history,
            has_gone_back: false,
            notice: None,
            #[cfg(feature = "saves")]
            storage: None,
            #[cfg(feature = "saves")]
            results: Results::default(),
        }
    }

    /// The same with somewhere to save it.
    #[cfg(feature = "saves")]
    pub(super) fn with_storage(self, storage: Option<Storage>) -> Self {
        Self { storage, ..self }
    }

    fn tell(&mut self, notice: impl Into<String>) {
        let notice = notice.into();
        tracing::info!(target: "bounty_hunter::play", "{notice}");
        self.notice = Some((notice, NOTICE_SECONDS * self.recorder.about().steps_per_second));
    }

    /// What was played so far.
    pub(super) fn replay(&self) -> Replay {
        self.recorder.replay(&self.simulation)
    }

    fn step(&mut self, inputs: &Inputs) -> StepReport {
        if std::mem::take(&mut self.has_gone_back) {
            let held = self.simulation.engine().resource::<HeldKeys>().map(|held| held.clone()).unwrap_or_default();
            return self.take(&with_keys_as_they_are(inputs, held.keys()));
        }
        self.take(inputs)
    }

    fn take(&mut self, inputs: &Inputs) -> StepReport {
        let before = self.simulation.state();
        let report = self.simulation.step(inputs);
        self.recorder.note(inputs, &self.simulation);
        if let Some(Err(error)) = self.history.as_mut().map(|history| history.note(inputs, &mut self.simulation)) {
            self.history = None;
            self.tell(format!("this match can not be taken back: {error}"));
        }
        self.notice = self.notice.take().and_then(|(text, left)| Some((text, left.checked_sub(1)?)));
        if report.state == GameState::GameOver && before != GameState::GameOver {
            self.keep_result();
        }
        self.try_again_to_keep_results();
        report
    }

    fn go_back(&mut self, steps: u32) -> bool {
        let Some(history) = &mut self.history else { return false };
        // Whatever comes of it: what is pressed meanwhile is not for the match.
        self.has_gone_back = true;
        match history.go_back(&mut self.simulation, u64::from(steps)) {
            Ok(false) => false,
            Ok(true) => {
                tracing::debug!(target: "bounty_hunter::play", tick = self.simulation.tick(), "taken back");
                self.recorder.go_back(self.simulation.tick());
                self.take_results_back();
                true
            }
            Err(error) => {
                self.history = None;
                self.tell(format!("this match can not be taken back: {error}"));
                false
            }
        }
    }

    fn steps_back(&self) -> Option<u64> {
        self.history.as_ref().map(History::steps_back)
    }
}

/// What a match can go back to.
fn history(simulation: &Simulation, can_rewind: bool) -> Option<History> {
    can_rewind.then(|| History::of_steps(REWIND_SECONDS * u64::from(simulation.steps_per_second())))
}

/// The inputs of a step for a game that remembers the keys of another moment: what is down without its knowledge goes down, and
/// what it takes to be down comes up.
fn with_keys_as_they_are(inputs: &Inputs, remembered: &[Key]) -> Inputs {
    let mut corrected = inputs.clone();
    let mut down = Vec::new();
    for event in &mut corrected.events {
        match *event {
            InputEvent::KeyPressed(key) if !remembered.contains(&key) => *event = InputEvent::KeyDown(key),
            _ => {}
        }
        if let InputEvent::KeyDown(key) | InputEvent::KeyPressed(key) = *event {
            down.push(key);
        }
    }
    let gone = remembered.iter().filter(|key| !down.contains(key));
    corrected.events.splice(0..0, gone.map(|key| InputEvent::KeyUp(*key)));
    corrected
}

/// The window's hold on a match, which stays when the window is gone.
pub(super) struct SharedSession(pub(super) Rc<RefCell<Option<Session>>>);

impl SharedSession {
    fn with<R>(&self, what: impl FnOnce(&mut Session) -> R) -> R {
        what(self.0.borrow_mut().as_mut().expect("it is there from before the window opens"))
    }
}

impl Game for SharedSession {
    fn step(&mut self, inputs: &Inputs) -> StepReport {
        self.with(|session| session.step(inputs))
    }

    fn view_into(&self, view: &mut View) {
        self.with(|session| session.simulation.view_into(view));
    }

    fn go_back(&mut self, steps: u32) -> bool {
        self.with(|session| session.go_back(steps))
    }

    fn steps_per_second(&self) -> u32 {
        self.with(|session| session.simulation.steps_per_second())
    }

    fn steps_back(&self) -> Option<u64> {
        self.with(|session| session.steps_back())
    }

    fn notice(&self) -> Option<String> {
        self.with(|session| session.notice.as_ref().map(|(text, _)| text.clone()))
    }

    fn save(&mut self) {
        self.with(Session::save);
    }

    fn load(&mut self) -> bool {
        self.with(Session::load)
    }
}

#[cfg(test)]
mod tests {
    use bounty_hunter::assets::Assets;
    use bounty_hunter::replay::Playback;
    use bounty_hunter::simulation::{MatchSetup, Seat};
    use ecs::Engine;

    use super::*;

    fn session(can_rewind: bool) -> Session {
        let assets = Assets::built_in();
        let mut setup = MatchSetup::of_ais(5, 3, "normal");
        setup.seats[0] = Seat::Human { keys: 0 };
        let simulation = Simulation::new(&assets, &setup).unwrap();
        Session::new(simulation, Recorder::new("classic", &assets, &setup).unwrap(), can_rewind)
    }

    fn held(session: &Session) -> Vec<Key> {
        session.simulation.engine().resource::<HeldKeys>().unwrap().keys().to_vec()
    }

    #[test]
    fn replay_of_a_match_that_was_taken_back_is_that_of_what_came_to_stay() {
        let mut session = session(true);
        for step in 0..500 {
            let inputs = if step == 300 { Inputs::none().key_down(Key::W) } else { Inputs::none() };
            session.step(&inputs);
        }
        assert!(session.go_back(250));
        assert_eq!((session.simulation.tick(), session.steps_back()), (250, Some(249)));
        (0..100).for_each(|_| _ = session.step(&Inputs::none()));
        let replay = Replay::from_bytes(&session.replay().to_bytes()).unwrap();
        assert_eq!(replay.about().steps, 350);
        let mut playback = Playback::new(replay, &Assets::built_in(), Engine::builder()).unwrap();
        playback.verify().unwrap();
        assert_eq!(playback.simulation().state_hash(), session.simulation.state_hash());
    }

    #[test]
    fn keys_are_as_they_are_after_going_back_and_not_as_they_were() {
        let mut session = session(true);
        session.step(&Inputs::none().key_down(Key::W));
        session.step(&Inputs::none().key_down(Key::A));
        (0..20).for_each(|_| _ = session.step(&Inputs::none()));
        session.step(&Inputs::none().key_up(Key::W).key_up(Key::A).key_down(Key::D));
        assert!(session.go_back(10));
        assert_eq!(held(&session), [Key::W, Key::A]);
        // A and D are down by now.
        let down = [Key::A, Key::D].map(InputEvent::KeyPressed);
        session.step(&down.into_iter().fold(Inputs::none(), Inputs::with));
        assert_eq!(held(&session), [Key::A, Key::D]);
    }

    #[test]
    fn match_without_a_history_goes_on() {
        let mut session = session(false);
        (0..20).for_each(|_| _ = session.step(&Inputs::none()));
        assert!(!session.go_back(5));
        assert_eq!((session.steps_back(), session.simulation.tick()), (None, 20));
    }
}
