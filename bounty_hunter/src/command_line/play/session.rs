//! A match in the window: recorded from its first step, saved, loaded and rewound.

#[cfg(not(feature = "saves"))]
mod no_results;
#[cfg_attr(target_arch = "wasm32", path = "session/browser_storage.rs")]
#[cfg_attr(not(any(feature = "saves", target_arch = "wasm32")), path = "session/no_storage.rs")]
mod storage;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{Game, Notice};
use bounty_hunter::daily;
use bounty_hunter::history::History;
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{Playback, Recorder, Replay};
use bounty_hunter::simulation::{Simulation, StepReport};
use bounty_hunter::view::{GameState, View};
use ecs::EngineBuilder;

pub(super) use self::storage::{Storage, match_history};
use crate::command_line::platform;
use crate::command_line::saves::try_store::Try;

/// Limit of rewinding.
const REWIND_SECONDS: u64 = 30;
/// How long a notice is shown.
const NOTICE_SECONDS: u32 = 3;

/// A match with its recording, history and storage.
pub(super) struct Session {
    simulation: Simulation,
    recorder: Recorder,
    /// The history for rewinding, if the mode allows it.
    history: Option<History>,
    /// A sentence to show, and the steps left to show it.
    notice: Option<(Notice, u32)>,
    storage: Option<Storage>,
    is_daily: bool,
    /// The file of a daily match, until the match ends.
    daily_try: Option<Try>,
    /// The name of that file, also after the end.
    try_name: Option<String>,
}

impl Session {
    /// A match that was not stepped since its recording. The mode may allow rewinding if `can_rewind` does not.
    pub(super) fn new(simulation: Simulation, recorder: Recorder, assets: &Assets, can_rewind: bool) -> Self {
        let mode = assets.modes.get(&recorder.about().mode);
        let history = (can_rewind || mode.is_some_and(|mode| mode.rewind))
            .then(|| History::of_steps(REWIND_SECONDS * u64::from(simulation.steps_per_second())));
        Self {
            simulation,
            recorder,
            history,
            notice: None,
            storage: None,
            is_daily: false,
            daily_try: None,
            try_name: None,
        }
    }

    /// Sets the place for saves and results.
    pub(super) fn with_storage(self, storage: Option<Storage>) -> Self {
        Self { storage, ..self }
    }

    /// Makes it a try of the match of the day.
    pub(super) fn of_the_day(self, daily_try: Try) -> Self {
        let try_name = Some(daily_try.name());
        Self { is_daily: true, daily_try: Some(daily_try), try_name, ..self }
    }

    /// Keeps the replay of a daily match that has ended.
    fn end_try(&mut self) {
        let Some(daily_try) = self.daily_try.take() else { return };
        let replay = self.replay();
        self.tell(match daily_try.end(&replay) {
            Ok(file) => Notice::success("kept as {name}", &[("name", &file)]),
            Err(error) => Notice::problem("not kept: {problem}", &[("problem", &error)]),
        });
    }

    /// Says that the match of the day cannot be saved or loaded, if it is one.
    fn refuse_for_daily(&mut self) -> bool {
        if self.is_daily {
            self.tell(Notice::problem("the match of the day can neither be saved nor loaded", &[]));
        }
        self.is_daily
    }

    fn tell(&mut self, notice: Notice) {
        tracing::info!(target: "bounty_hunter::play", "{}", notice.in_english());
        self.notice = Some((notice, NOTICE_SECONDS * self.recorder.about().steps_per_second));
    }

    /// What the match holds in memory.
    pub(super) fn memory(&mut self) -> ecs::engine::MemoryReport {
        self.simulation.engine_mut().memory()
    }

    /// The recording of the present match, up to its end.
    pub(super) fn replay(&mut self) -> Replay {
        self.recorder.match_replay(&mut self.simulation)
    }

    /// The recording of all steps so far, which a save continues.
    #[cfg_attr(not(feature = "saves"), allow(dead_code))]
    fn whole_replay(&mut self) -> Replay {
        self.recorder.replay(&mut self.simulation)
    }

    fn step(&mut self, inputs: &Inputs) -> StepReport {
        let fair = (self.is_daily && !daily::is_fair(inputs)).then(|| daily::fair_part(inputs));
        if fair.is_some() {
            self.tell(Notice::problem("the match of the day has no cheats and is not begun again", &[]));
        }
        let inputs = fair.as_ref().unwrap_or(inputs);
        let before = self.simulation.state();
        let report = self.simulation.step(inputs);
        self.recorder.note(inputs, &mut self.simulation);
        if let Some(Err(error)) = self.history.as_mut().map(|history| history.note(inputs, &mut self.simulation)) {
            self.history = None;
            self.tell(Notice::problem("this match cannot be rewound: {problem}", &[("problem", &error)]));
        }
        self.notice = self.notice.take().and_then(|(notice, left)| Some((notice, left.checked_sub(1)?)));
        if report.state == GameState::GameOver && before != GameState::GameOver {
            self.add_result();
            // Whether the try is kept is the last word.
            self.end_try();
        }
        self.retry_results();
        report
    }

    fn go_back(&mut self, steps: u32) -> bool {
        let Some(history) = &mut self.history else { return false };
        match history.go_back(&mut self.simulation, u64::from(steps)) {
            Ok(false) => false,
            Ok(true) => {
                tracing::debug!(target: "bounty_hunter::play", tick = self.simulation.tick(), "rewound");
                self.recorder.go_back(self.simulation.tick());
                self.withdraw_results();
                true
            }
            Err(error) => {
                self.history = None;
                self.tell(Notice::problem("this match cannot be rewound: {problem}", &[("problem", &error)]));
                false
            }
        }
    }

    fn steps_back(&self) -> Option<u64> {
        self.history.as_ref().map(History::steps_back)
    }
}

/// The session as the window sees it. The session outlives the window.
pub(super) struct SharedSession {
    pub(super) session: Rc<RefCell<Option<Session>>>,
    /// For watching the replay.
    pub(super) assets: Assets,
    pub(super) engine: EngineBuilder,
    /// The folder for films of highlights, if any can be made.
    pub(super) films: Option<PathBuf>,
}

impl SharedSession {
    fn with<R>(&self, action: impl FnOnce(&mut Session) -> R) -> R {
        action(self.session.borrow_mut().as_mut().expect("the factory sets it before it hands this out"))
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

    fn is_recorded(&self) -> bool {
        true
    }

    fn replay(&mut self) -> Option<Result<Playback, String>> {
        let replay = self.with(Session::replay);
        Some(Playback::with_edits(replay, &self.assets, self.engine).map_err(|error| error.to_string()))
    }

    fn own_best(&self) -> Option<Playback> {
        self.with(|session| session.own_best())
    }

    fn film_file(&self) -> Option<PathBuf> {
        let folder = self.films.as_deref()?;
        let name = self.with(|session| {
            let about = session.recorder.about();
            format!("{}-{}", about.mode, about.setup.seed)
        });
        Some(unused_file(folder, &name, "gif"))
    }

    fn notice(&self) -> Option<Notice> {
        self.with(|session| session.notice.as_ref().map(|(notice, _)| notice.clone()))
    }

    fn can_restart(&self) -> bool {
        self.with(|session| !session.is_daily)
    }

    fn can_download(&self) -> bool {
        platform::CAN_DOWNLOAD && self.with(|session| session.try_name.is_some())
    }

    fn download(&mut self) {
        self.with(|session| {
            if let Some(name) = session.try_name.clone() {
                platform::download(&name, &session.replay().to_bytes());
            }
        });
    }

    fn result_line(&mut self) -> Option<String> {
        self.with(|session| {
            let replay = session.is_daily.then(|| session.replay())?;
            let line = daily::verify(replay, &Assets::built_in()).ok()?.to_string();
            session.tell(Notice::success("copied: {line}", &[("line", &line)]));
            Some(line)
        })
    }

    fn save(&mut self) {
        self.with(|session| {
            if !session.refuse_for_daily() {
                session.save();
            }
        });
    }

    fn load(&mut self) -> bool {
        self.with(|session| !session.refuse_for_daily() && session.load())
    }
}

/// The first file of a name that does not exist: `name.gif`, `name-2.gif` and so on.
fn unused_file(folder: &Path, name: &str, extension: &str) -> PathBuf {
    let file = |number: u32| match number {
        1 => folder.join(format!("{name}.{extension}")),
        number => folder.join(format!("{name}-{number}.{extension}")),
    };
    (1..u32::MAX).map(file).find(|file| !file.exists()).unwrap_or_else(|| file(1))
}

#[cfg(test)]
mod tests {
    use bounty_hunter::input::{Command, Intent};
    use bounty_hunter::simulation::{MatchSetup, Seat};
    use ecs::Engine;

    use super::*;

    fn session(can_rewind: bool) -> Session {
        let assets = Assets::built_in();
        let mut setup = MatchSetup::of_ais(5, 3, "normal");
        setup.seats[0] = Seat::Human { person: 0 };
        let simulation = Simulation::new(&assets, &setup).unwrap();
        Session::new(simulation, Recorder::new("classic", &assets, &setup).unwrap(), &assets, can_rewind)
    }

    #[test]
    fn replay_of_a_rewound_match_contains_only_the_final_steps() {
        let mut session = session(true);
        for step in 0..500 {
            let inputs =
                if step == 300 { Inputs::none().intent(0, Intent { drive: 1.0, turn: 0.0 }) } else { Inputs::none() };
            session.step(&inputs);
        }
        assert!(session.go_back(250));
        assert_eq!((session.simulation.tick(), session.steps_back()), (250, Some(249)));
        (0..100).for_each(|_| _ = session.step(&Inputs::none()));
        let replay = Replay::from_bytes(&session.replay().to_bytes()).unwrap();
        assert_eq!(replay.about().steps, 350);
        let mut playback = Playback::new(replay, &Assets::built_in(), Engine::builder()).unwrap();
        playback.verify().unwrap();
        assert_eq!(playback.state_hash(), session.simulation.state_hash());
    }

    #[test]
    fn finished_match_can_be_watched_in_the_window() {
        let mut session = session(false);
        (0..100).for_each(|_| _ = session.step(&Inputs::none()));
        let hash = session.simulation.state_hash();
        let session = Rc::new(RefCell::new(Some(session)));
        let films = Some(std::env::temp_dir().join("no such folder"));
        let mut game = SharedSession { session, assets: Assets::built_in(), engine: Engine::builder(), films };
        assert!(game.is_recorded() && game.film_file().is_some_and(|file| file.ends_with("classic-5.gif")));
        let mut playback = game.replay().unwrap().unwrap();
        playback.verify().unwrap();
        assert_eq!(playback.state_hash(), hash);
    }

    #[test]
    fn replay_ends_with_its_match_whatever_is_shown_afterwards() {
        let mut assets = Assets::built_in();
        assets.modes.values_mut().for_each(|mode| mode.game.countdown_seconds = 0.1);
        let assets = assets.in_mode("classic").unwrap();
        let setup = MatchSetup { play_seconds: Some(1.0), ..MatchSetup::of_ais(5, 3, "normal") };
        let simulation = Simulation::new(&assets, &setup).unwrap();
        let mut session = Session::new(simulation, Recorder::new("classic", &assets, &setup).unwrap(), &assets, false);
        let mut ends = Vec::new();
        for _ in 0..2 {
            while session.simulation.state() != GameState::GameOver {
                session.step(&Inputs::none());
            }
            ends.push((session.simulation.begin(), session.simulation.tick()));
            // The result is looked at for five seconds, and then another match is begun.
            (0..300).for_each(|_| _ = session.step(&Inputs::none()));
            let replay = session.replay();
            assert_eq!(ends.last(), Some(&(replay.about().begin, replay.about().steps)));
            assert_eq!(session.whole_replay().about().steps, session.simulation.tick());
            let mut playback = Playback::new(replay, &assets, Engine::builder()).unwrap();
            playback.verify().unwrap();
            assert_eq!(playback.simulation().state(), GameState::GameOver);
            session.step(&Inputs { commands: vec![Command::Restart], ..Inputs::none() });
            (0..5).for_each(|_| _ = session.step(&Inputs::none()));
        }
        assert!(session.replay().about().steps > ends[1].1, "the third match has not ended");
        session.step(&Inputs { commands: vec![Command::Close], ..Inputs::none() });
        assert!(session.replay().about().begin > ends[1].1);
    }

    #[test]
    fn match_without_a_history_ignores_a_rewind() {
        let mut session = session(false);
        (0..20).for_each(|_| _ = session.step(&Inputs::none()));
        assert!(!session.go_back(5));
        assert_eq!((session.steps_back(), session.simulation.tick()), (None, 20));
    }
}
