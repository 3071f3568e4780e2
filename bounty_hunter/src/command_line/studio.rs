//! `play --studio`: a match that is inspected in a browser while it is played, and changed by the panels of the game.

mod ais;
mod balance;
mod context;
mod editor;
mod inspected;
mod profile;
mod recorded_match;
mod replayed;
mod report;
#[cfg(test)]
mod tests;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::io::stdout;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{Game, Notice};
use bounty_hunter::game_object::Transform;
use bounty_hunter::input::Inputs;
use bounty_hunter::physics::Shape;
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::{Simulation, StepReport};
use bounty_hunter::view::{GameState, View};
use ecs::{EngineBuilder, EntityId};
use ecs_studio::{CountingHeap, PanelAnswer, ServerError, Studio};
use glam::Vec2;
use serde::de::DeserializeOwned;

use self::context::PanelContext;
pub(crate) use self::inspected::Inspected;
pub(crate) use self::profile::start as start_log;
use self::recorded_match::RecordedMatch;
pub(crate) use self::replayed::show as show_replay;
use self::report::Report;
use super::Failure;
use super::arguments::PlayArguments;
use super::output::write_line;

/// Counts the allocations of systems.
#[global_allocator]
static HEAP: CountingHeap = CountingHeap;

/// How far a click may be from an object, metres.
const REACH_M: f32 = 2.0;
/// How long a sentence of this program is shown.
const SENTENCE_SECONDS: u32 = 3;
const REPLAY_HAS_ENDED: &str = "the replay has ended";

/// The studio of all matches of a program.
pub(super) struct GameStudio {
    studio: RefCell<Studio<Simulation>>,
    context: Rc<RefCell<PanelContext>>,
    present: RefCell<Option<RecordedMatch>>,
    /// Where the page is served, with its token; empty before it listens.
    address: OnceCell<String>,
}

impl GameStudio {
    /// A studio that does not listen yet. `directory` is that of the assets; `drafts` that of changes of the built-in
    /// ones.
    pub(super) fn new(directory: Option<&Path>, drafts: Option<&Path>, engine: EngineBuilder) -> Result<Self, Failure> {
        let context =
            PanelContext::open(directory, drafts, engine).map_err(|error| Failure::BadInput(error.to_string()))?;
        let context = Rc::new(RefCell::new(context));
        let mut studio = Studio::new();
        let of_editor = Rc::clone(&context);
        studio.add_panel("Editor", include_str!("studio/editor.js"), move |_, request| {
            editor::answer(&of_editor, parsed(request)?)
        });
        let (of_balance, mut runs) = (Rc::clone(&context), balance::Runs::default());
        studio.add_panel("Balance", include_str!("studio/balance.js"), move |_, request| {
            Ok(PanelAnswer::from(runs.answer(&of_balance.borrow(), parsed(request)?)?))
        });
        add_panel_of_ais(&mut studio);
        let of_report = Rc::clone(&context);
        studio.add_panel("Report", include_str!("studio/report.js"), move |_, request| {
            Ok(PanelAnswer::from(of_report.borrow_mut().report.answer(&parsed(request)?)?))
        });
        Ok(Self { studio: RefCell::new(studio), context, present: RefCell::new(None), address: OnceCell::new() })
    }

    /// The studio that the arguments ask for, which listens; with one, the engine measures.
    pub(super) fn of(arguments: &PlayArguments, engine: &mut EngineBuilder) -> Result<Option<Rc<Self>>, Failure> {
        let Some(address) = arguments.studio.studio.as_deref() else { return Ok(None) };
        *engine = measured(*engine);
        let studio = Self::new(arguments.game.assets.as_deref(), drafts_folder().as_deref(), *engine)?;
        arguments.studio.history_bytes().into_iter().for_each(|bytes| studio.limit_history(bytes));
        studio.listen(address, arguments.studio.studio_token.as_deref())?;
        Ok(Some(Rc::new(studio)))
    }

    /// A match that this studio inspects, from its first step.
    pub(super) fn game(self: &Rc<Self>, simulation: Simulation, recorder: Recorder) -> Box<dyn Game> {
        Box::new(StudioGame::new(simulation, recorder, Rc::clone(self)))
    }

    /// Serves the page at an address, and prints where it is.
    pub(super) fn listen(&self, address: &str, token: Option<&str>) -> Result<(), Failure> {
        let address = self.studio.borrow_mut().listen(address, token);
        let address = address.map_err(|error| match error {
            ServerError::Listen(_) => Failure::Machine(error.to_string()),
            ServerError::NotLocal(_) | ServerError::Token => Failure::BadInput(error.to_string()),
        })?;
        let page = page_at(address, token);
        _ = self.address.set(page.clone());
        write_line(&mut stdout(), format_args!("the studio is at {page}"))
    }

    /// Limits the bytes of the history.
    pub(super) fn limit_history(&self, bytes: usize) {
        self.studio.borrow_mut().limit_history(bytes);
    }

    /// Pauses the match until the page resumes it, and shows the reason.
    pub(super) fn wait(&self, why: &str) {
        self.studio.borrow_mut().pause(why);
    }

    /// The replay of the last match, with the edits by hand as inputs.
    ///
    /// # Errors
    /// - There was no match, or it cannot be repeated.
    pub(super) fn replay(&self) -> Result<Replay, Failure> {
        let mut present = self.present.borrow_mut();
        let recorded = present.as_mut().ok_or_else(|| Failure::BadInput("no match was played".to_owned()))?;
        let mut studio = self.studio.borrow_mut();
        studio.leave(&mut recorded.simulation);
        let changes = studio.take_changes();
        recorded.note(changes, &studio);
        recorded.replay().ok_or_else(|| {
            let why = "a moment was loaded, or the match was begun again with edited assets";
            Failure::BadInput(format!("the match is not recorded: {why}"))
        })
    }

    /// The assets of the next match: those that were edited and played, or else `own`.
    pub(super) fn assets(&self, own: &Assets) -> Assets {
        self.context.borrow().played.clone().unwrap_or_else(|| own.clone())
    }
}

/// The folder of drafts of the built-in assets.
fn drafts_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "bounty_hunter").map(|places| places.data_dir().join("drafts"))
}

/// The address of a page, with the token that it asks for.
fn page_at(address: SocketAddr, token: Option<&str>) -> String {
    token.map_or_else(|| format!("http://{address}"), |token| format!("http://{address}/?token={token}"))
}

fn add_panel_of_ais(studio: &mut Studio<Simulation>) {
    studio.add_panel("AIs", include_str!("studio/ais.js"), |simulation, request| {
        Ok(PanelAnswer::from(ais::answer(simulation, &parsed(request)?)))
    });
}

/// A request of a panel.
fn parsed<T: DeserializeOwned>(request: serde_json::Value) -> Result<T, String> {
    serde_json::from_value(request).map_err(|error| format!("this is no request: {error}"))
}

/// Whether a page is open, so that times of systems are of use.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// Sets, between two frames, whether [`now`] goes.
fn note_watched(is_watched: bool) {
    IS_WATCHED.store(is_watched, Ordering::Relaxed);
}

/// The settings of an engine that measures what the page shows.
pub(super) fn measured(engine: EngineBuilder) -> EngineBuilder {
    engine.clock(now).count_allocations(CountingHeap::of_this_thread)
}

/// A clock for the times of systems. It stands still while no page is open, since reading the time twice for each
/// system takes about 5 % of a match of 16.
fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    match IS_WATCHED.load(Ordering::Relaxed) {
        true => START.get_or_init(Instant::now).elapsed(),
        false => Duration::ZERO,
    }
}

/// The inputs of a replay by step, from 1.
struct Replayed {
    inputs: BTreeMap<u64, Inputs>,
    steps: u64,
}

/// A simulation that the studio may stop, change and send back in time. It is not stored.
pub(super) struct StudioGame {
    studio: Rc<GameStudio>,
    has_jumped: bool,
    /// A replay in place of the inputs of the window.
    replayed: Option<Replayed>,
    /// A sentence of this program, and the steps for which it is still shown.
    said: Option<(Notice, u32)>,
}

impl StudioGame {
    /// `recorder` records the simulation from its first step.
    pub(super) fn new(simulation: Simulation, recorder: Recorder, studio: Rc<GameStudio>) -> Self {
        studio.studio.borrow_mut().forget();
        studio.context.borrow_mut().present = Some(recorder.about().clone());
        *studio.present.borrow_mut() = Some(RecordedMatch::new(simulation, recorder));
        Self { studio, has_jumped: false, replayed: None, said: None }
    }

    /// Takes these inputs, by step, in place of those of the window, and waits after so many steps.
    fn replaying(self, inputs: BTreeMap<u64, Inputs>, steps: u64) -> Self {
        Self { replayed: Some(Replayed { inputs, steps }), ..self }
    }

    /// Takes the steps of a replay up to one, so that the studio can go back to each of them.
    fn play_until(&mut self, tick: u64) {
        // A replay may end before, with the game.
        while self.tick() < tick {
            let before = self.tick();
            self.step(&Inputs::none());
            if self.tick() == before {
                return;
            }
        }
    }

    fn tick(&self) -> u64 {
        self.with(|_, present| present.simulation.tick())
    }

    /// Answers requests between two steps.
    fn serve(&self) {
        self.with(|studio, present| studio.serve(&mut present.simulation));
    }

    /// Lets the page end the program, if it waits already.
    fn wait_at_the_end(&self) {
        self.with(|studio, _| {
            if studio.notice().as_deref() == Some(REPLAY_HAS_ENDED) {
                studio.pause_at_the_end(REPLAY_HAS_ENDED);
            }
        });
    }

    /// Whether the page has ended the program.
    fn is_ended(&self) -> bool {
        self.with(|studio, _| studio.is_ended())
    }

    #[cfg(test)]
    fn is_watched(&self) -> bool {
        self.with(|studio, _| studio.is_watched())
    }

    /// A replay stays open at its end, also that of a match that was left.
    fn shown_state(&self, state: GameState) -> GameState {
        match self.replayed {
            Some(_) if state == GameState::Terminated => GameState::GameOver,
            _ => state,
        }
    }

    /// Whether all steps of the replay are taken.
    fn is_at_the_end(&self) -> bool {
        self.with(|_, present| self.replayed.as_ref().is_none_or(|it| present.simulation.tick() >= it.steps))
    }

    fn say(&mut self, notice: Notice) {
        let steps = SENTENCE_SECONDS * self.steps_per_second();
        self.said = Some((notice, steps));
    }

    fn with<R>(&self, action: impl FnOnce(&mut Studio<Simulation>, &mut RecordedMatch) -> R) -> R {
        let mut present = self.studio.present.borrow_mut();
        let present = present.as_mut().expect("it is set before a game is handed out");
        action(&mut self.studio.studio.borrow_mut(), present)
    }
}

/// The object at a place, or the nearest one within reach; of several, the smallest.
fn object_at(simulation: &Simulation, place: Vec2) -> Option<EntityId> {
    let mut nearest: Option<(f32, f32, EntityId)> = None;
    simulation.engine().read::<(EntityId, &Transform, &Shape)>().for_each(|(entity, transform, shape)| {
        let corners = shape.corners(transform.pose);
        let least = corners.into_iter().fold(Vec2::INFINITY, Vec2::min);
        let most = corners.into_iter().fold(Vec2::NEG_INFINITY, Vec2::max);
        let found = (place.distance(place.clamp(least, most)), shape.half_extent_m(), entity);
        if found.0 < REACH_M && nearest.is_none_or(|nearest| (found.0, found.1) < (nearest.0, nearest.1)) {
            nearest = Some(found);
        }
    });
    nearest.map(|(.., entity)| entity)
}

impl Game for StudioGame {
    fn step(&mut self, inputs: &Inputs) -> StepReport {
        self.said = self.said.take().and_then(|(notice, left)| Some((notice, left.checked_sub(1)?)));
        let mut has_jumped = false;
        let mut is_another_match = false;
        let report = self.with(|studio, present| {
            let runs = studio.begin_frame(&mut present.simulation);
            note_watched(studio.is_watched());
            let changes = studio.take_changes();
            (has_jumped, is_another_match) = (changes.moved, changes.is_incomplete);
            present.note(changes, studio);
            if let report @ Report::Wanted = &mut self.studio.context.borrow_mut().report {
                *report = Report::Made(match studio.shows_the_middle_of_a_frame() {
                    true => Err("the middle of a frame is shown: finish the frame first".to_owned()),
                    false => present.report(),
                });
            }
            let tick = present.simulation.tick();
            if !runs {
                return StepReport { tick, state: present.simulation.state() };
            }
            let inputs = match self.replayed.as_ref().filter(|_| !is_another_match) {
                Some(replayed) => replayed.inputs.get(&(tick + 1)).cloned().unwrap_or_default(),
                None => inputs.clone(),
            };
            let report = present.step(inputs);
            studio.end_frame(&mut present.simulation);
            if self.replayed.as_ref().is_some_and(|replayed| replayed.steps == report.tick) {
                studio.pause(REPLAY_HAS_ENDED);
            }
            report
        });
        if is_another_match {
            self.replayed = None;
        }
        self.has_jumped |= has_jumped;
        StepReport { state: self.shown_state(report.state), ..report }
    }

    fn view_into(&self, view: &mut View) {
        self.with(|_, present| present.simulation.view_into(view));
        view.state = self.shown_state(view.state);
    }

    fn take_jump(&mut self) -> bool {
        std::mem::take(&mut self.has_jumped)
    }

    fn open_inspector(&mut self) {
        let Some(address) = self.studio.address.get().cloned() else { return };
        // The program that opens an address in the browser that the user prefers.
        let opener = match std::env::consts::OS {
            "macos" => "open",
            "windows" => "explorer",
            _ => "xdg-open",
        };
        let mut opener = Command::new(opener);
        opener.arg(&address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.say(match opener.spawn() {
            Ok(_) => Notice::success("the studio opens at {address}", &[("address", &address)]),
            Err(_) => Notice::problem("open {address} in a browser", &[("address", &address)]),
        });
    }

    fn mark(&mut self, place: Vec2) {
        self.with(|studio, present| {
            if let Some(entity) = object_at(&present.simulation, place) {
                studio.select(entity);
            }
        });
    }

    fn marked(&self) -> Option<(Vec2, f32)> {
        self.with(|studio, present| {
            let (entity, engine) = (studio.selected()?, present.simulation.engine());
            let (transform, shape) = (engine.get::<Transform>(entity)?, engine.get::<Shape>(entity)?);
            Some((transform.pose.position, shape.half_extent_m()))
        })
    }

    fn steps_per_second(&self) -> u32 {
        self.with(|_, present| present.simulation.steps_per_second())
    }

    fn save(&mut self) {
        self.say(Notice::problem("not saved: a match with --studio cannot be saved", &[]));
    }

    fn load(&mut self) -> bool {
        self.say(Notice::problem("not loaded: a match with --studio cannot load a save", &[]));
        false
    }

    fn notice(&self) -> Option<Notice> {
        let said = self.said.as_ref().map(|(notice, _)| notice.clone());
        said.or_else(|| self.with(|studio, _| studio.notice()).map(Notice::foreign))
    }
}
