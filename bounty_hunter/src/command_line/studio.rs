//! `play --studio`: a match that is inspected in a browser while it is played, and changed by the panels of the game.

mod ais;
mod balance;
mod editor;
mod inspected;
mod recorded_match;
mod replayed;
mod report;
mod workshop;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::io::stdout;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bounty_hunter::assets::Assets;
use bounty_hunter::client::Game;
use bounty_hunter::game_object::Transform;
use bounty_hunter::input::Inputs;
use bounty_hunter::keyboard::HeldKeys;
use bounty_hunter::physics::Shape;
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::{Simulation, StepReport};
use bounty_hunter::view::View;
use ecs::{EngineBuilder, EntityId};
use ecs_studio::{PanelAnswer, Studio};
use glam::Vec2;
use serde::de::DeserializeOwned;

pub(crate) use self::inspected::Inspected;
use self::recorded_match::RecordedMatch;
pub(crate) use self::replayed::show as show_replay;
use self::report::Report;
use self::workshop::Workshop;
use super::Failure;
use super::output::write_line;
use super::session::with_current_keys;

/// How far a click may be from an object, metres.
const REACH_M: f32 = 2.0;
/// How long a sentence of this program is shown.
const SENTENCE_SECONDS: u32 = 3;
/// The program that opens an address in the browser that the user prefers.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// The studio of all matches of a program.
pub(super) struct GameStudio {
    studio: RefCell<Studio<Simulation>>,
    workshop: Rc<RefCell<Workshop>>,
    present: RefCell<Option<RecordedMatch>>,
    /// Where the page is served, with its token; empty before it listens.
    address: OnceCell<String>,
}

impl GameStudio {
    /// A studio that does not listen yet. `directory` is that of the assets.
    pub(super) fn new(directory: Option<&Path>, engine: EngineBuilder) -> Result<Self, Failure> {
        let workshop = Workshop::open(directory, engine).map_err(|error| Failure::BadInput(error.to_string()))?;
        let workshop = Rc::new(RefCell::new(workshop));
        let mut studio = Studio::new();
        let of_editor = Rc::clone(&workshop);
        studio.add_panel("Editor", include_str!("studio/editor.js"), move |simulation, request| {
            editor::answer(&mut of_editor.borrow_mut(), simulation, parsed(request)?)
        });
        let (of_balance, mut runs) = (Rc::clone(&workshop), balance::Runs::default());
        studio.add_panel("Balance", include_str!("studio/balance.js"), move |_, request| {
            Ok(PanelAnswer::from(runs.answer(&of_balance.borrow(), parsed(request)?)?))
        });
        add_panel_of_ais(&mut studio);
        let of_report = Rc::clone(&workshop);
        studio.add_panel("Report", include_str!("studio/report.js"), move |_, request| {
            Ok(PanelAnswer::from(of_report.borrow_mut().report.answer(&parsed(request)?)?))
        });
        Ok(Self { studio: RefCell::new(studio), workshop, present: RefCell::new(None), address: OnceCell::new() })
    }

    /// Serves the page at an address, and prints where it is.
    pub(super) fn listen(&self, address: &str, token: Option<&str>) -> Result<(), Failure> {
        let address = self.studio.borrow_mut().listen(address, token);
        let address = address.map_err(|error| Failure::BadInput(error.to_string()))?;
        let page =
            token.map_or_else(|| format!("http://{address}"), |token| format!("http://{address}/?token={token}"));
        _ = self.address.set(page);
        write_line(&mut stdout(), format_args!("the studio is at http://{address}"))
    }

    /// Pauses the match, for a reason that is shown, until somebody lets it go on.
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
        recorded.note(studio.take_changes());
        recorded.replay().ok_or_else(|| {
            let why = "a moment was loaded, or the match was begun again with edited assets";
            Failure::BadInput(format!("the match is not recorded: {why}"))
        })
    }

    /// The assets of the next match: those that were edited and played, or else `own`.
    pub(super) fn assets(&self, own: &Assets) -> Assets {
        self.workshop.borrow().played.clone().unwrap_or_else(|| own.clone())
    }
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

/// A clock for the times of systems. It stands still while no page is open, since reading the time twice for each system takes about
/// 5 % of a match of 16.
pub(super) fn now() -> Duration {
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
    /// The inputs of the last step were not taken.
    has_paused: bool,
    /// A replay in place of the inputs of the window.
    replayed: Option<Replayed>,
    /// A sentence of this program, and the steps for which it is still shown.
    said: Option<(String, u32)>,
}

impl StudioGame {
    /// `recorder` records the simulation from its first step.
    pub(super) fn new(simulation: Simulation, recorder: Recorder, studio: Rc<GameStudio>) -> Self {
        studio.studio.borrow_mut().forget();
        studio.workshop.borrow_mut().present = Some(recorder.about().clone());
        *studio.present.borrow_mut() = Some(RecordedMatch::new(simulation, recorder));
        Self { studio, has_jumped: false, has_paused: false, replayed: None, said: None }
    }

    /// Takes these inputs, by step, in place of those of the window, and waits after so many steps.
    fn replaying(self, inputs: BTreeMap<u64, Inputs>, steps: u64) -> Self {
        Self { replayed: Some(Replayed { inputs, steps }), ..self }
    }

    fn is_watched(&self) -> bool {
        self.studio.studio.borrow().is_watched()
    }

    /// Whether all steps of the replay are taken.
    fn is_at_the_end(&self) -> bool {
        self.with(|_, present| self.replayed.as_ref().is_none_or(|it| present.simulation.tick() >= it.steps))
    }

    fn say(&mut self, sentence: &str) {
        let steps = SENTENCE_SECONDS * self.steps_per_second();
        self.said = Some((sentence.to_owned(), steps));
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
        self.said = self.said.take().and_then(|(sentence, left)| Some((sentence, left.checked_sub(1)?)));
        let mut has_jumped = false;
        let (mut is_another_match, mut is_paused) = (false, false);
        let report = self.with(|studio, present| {
            let runs = studio.begin_frame(&mut present.simulation);
            note_watched(studio.is_watched());
            let changes = studio.take_changes();
            (has_jumped, is_another_match) = (changes.moved, changes.is_incomplete);
            present.note(changes);
            if let report @ Report::Wanted = &mut self.studio.workshop.borrow_mut().report {
                *report = Report::Made(match studio.shows_the_middle_of_a_frame() {
                    true => Err("the middle of a frame is shown: finish the frame first".to_owned()),
                    false => present.report(),
                });
            }
            let tick = present.simulation.tick();
            if !runs {
                is_paused = true;
                return StepReport { tick, state: present.simulation.state() };
            }
            let (none, corrected);
            none = Inputs::none();
            let inputs = match self.replayed.as_ref().filter(|_| !is_another_match) {
                Some(replayed) => replayed.inputs.get(&(tick + 1)).unwrap_or(&none),
                None if self.has_paused || has_jumped => {
                    let held = present.simulation.engine().resource::<HeldKeys>().map(|held| held.keys().to_vec());
                    corrected = with_current_keys(inputs, &held.unwrap_or_default());
                    &corrected
                }
                None => inputs,
            };
            let report = present.step(inputs);
            studio.end_frame(&mut present.simulation);
            if self.replayed.as_ref().is_some_and(|replayed| replayed.steps == report.tick) {
                studio.pause("the replay has ended");
            }
            report
        });
        if is_another_match {
            self.replayed = None;
        }
        self.has_jumped |= has_jumped;
        self.has_paused = is_paused;
        report
    }

    fn view_into(&self, view: &mut View) {
        self.with(|_, present| present.simulation.view_into(view));
    }

    fn take_jump(&mut self) -> bool {
        std::mem::take(&mut self.has_jumped)
    }

    fn open_inspector(&mut self) {
        let Some(address) = self.studio.address.get().cloned() else { return };
        let mut opener = Command::new(OPENER);
        opener.arg(&address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.say(&match opener.spawn() {
            Ok(_) => format!("the studio opens at {address}"),
            Err(_) => format!("open {address} in a browser"),
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
        self.say("not saved: a match with --studio cannot be saved");
    }

    fn load(&mut self) -> bool {
        self.say("not loaded: a match with --studio cannot load a save");
        false
    }

    fn notice(&self) -> Option<String> {
        let said = self.said.as_ref().map(|(sentence, _)| sentence.clone());
        said.or_else(|| self.with(|studio, _| studio.notice()))
    }
}

#[cfg(test)]
mod tests {
    use bounty_hunter::replay::Playback;
    use bounty_hunter::simulation::MatchSetup;

    use super::*;

    fn game(setup: &MatchSetup) -> StudioGame {
        let assets = Assets::built_in();
        let simulation = Simulation::new(&assets, setup).unwrap();
        let studio = GameStudio::new(None, ecs::Engine::builder()).unwrap();
        let recorder = Recorder::new("classic", &assets, setup).unwrap();
        StudioGame::new(simulation, recorder, Rc::new(studio))
    }

    fn ask(game: &StudioGame, request: &str) -> serde_json::Value {
        let answer = game.with(|studio, present| studio.answer(&mut present.simulation, request));
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer.get("error"), None, "{request}");
        answer
    }

    fn refusal(game: &StudioGame, request: &str) -> String {
        let answer = game.with(|studio, present| studio.answer(&mut present.simulation, request));
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        answer["error"].as_str().unwrap_or_else(|| panic!("{request} is not refused: {answer}")).to_owned()
    }

    fn hash(game: &StudioGame) -> u64 {
        game.with(|_, present| present.simulation.state_hash())
    }

    fn steps(game: &mut StudioGame, count: u32) {
        (0..count).for_each(|_| _ = game.step(&Inputs::none()));
    }

    fn first_with(game: &StudioGame, component: &str) -> String {
        let found = ask(game, &format!(r#"{{ "op": "entities", "with": ["{component}"], "limit": 1 }}"#));
        found["entities"][0]["entity"].as_str().unwrap().to_owned()
    }

    fn set_pocket(game: &StudioGame, points: f32) {
        let id = first_with(game, "pocket");
        ask(
            game,
            &format!(
                r#"{{ "op": "set_component", "entity": "{id}", "component": "pocket", "value": {{ "carried": {points:?} }} }}"#
            ),
        );
    }

    #[test]
    fn inspected_match_is_the_same_as_one_that_is_not() {
        let setup = MatchSetup::of_ais(7, 4, "normal");
        let mut alone = Simulation::new(&Assets::built_in(), &setup).unwrap();
        let mut game = game(&setup);
        ask(&game, r#"{ "op": "status" }"#);
        for n in 1..600_u32 {
            alone.step(&Inputs::none());
            game.step(&Inputs::none());
            if n.is_multiple_of(60) {
                ask(&game, r#"{ "op": "entities", "search": "collector", "columns": ["pocket", "transform"] }"#);
                ask(&game, r#"{ "op": "systems" }"#);
                ask(&game, r#"{ "op": "panel", "panel": "AIs", "request": {} }"#);
                ask(&game, r#"{ "op": "seek", "frame": 30 }"#);
                assert!(game.step(&Inputs::none()).tick < 40, "it shows the past");
                assert!(game.take_jump() && game.notice().is_some());
                ask(&game, r#"{ "op": "run" }"#);
                assert!(game.notice().is_none());
            }
        }
        assert_eq!(hash(&game), alone.state_hash());
        set_pocket(&game, 60.0);
        game.step(&Inputs::none());
        let mut view = View::empty();
        game.view_into(&mut view);
        assert!(view.players.iter().any(|player| player.pocket == 60.0), "the edit is seen in the view");
        ask(&game, r#"{ "op": "undo" }"#);
        let collector = view.collectors[0].position;
        game.mark(collector + Vec2::new(0.1, 0.1));
        assert!(game.marked().is_some_and(|(place, _)| place.distance(collector) < 2.0), "it is marked by a click");
        game.mark(Vec2::new(1e6, 0.0));
        assert!(game.marked().is_some(), "a click beside all objects marks nothing else");
    }

    #[test]
    fn value_out_of_its_limits_is_refused_and_changes_nothing() {
        let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
        steps(&mut game, 10);
        let (id, before) = (first_with(&game, "capacity"), hash(&game));
        let set = |points: &str| {
            format!(
                r#"{{ "op": "set_component", "entity": "{id}", "component": "capacity", "path": "/points", "value": {points} }}"#
            )
        };
        assert_eq!(refusal(&game, &set("2000000.0")), "it is 2000000, must be at most 1000000");
        assert_eq!(hash(&game), before);
        let expected =
            format!(r#"{{ "op": "expected", "entity": "{id}", "component": "capacity", "path": "/points" }}"#);
        assert_eq!(ask(&game, &expected)["limits"], serde_json::json!(["at most 1000000", "positive"]));
        ask(&game, &set("999999.0"));
        assert_ne!(hash(&game), before);
    }

    #[test]
    fn replay_with_edits_verifies() {
        let setup = MatchSetup::of_ais(7, 4, "normal");
        let mut game = game(&setup);
        steps(&mut game, 250);
        set_pocket(&game, 60.0);
        steps(&mut game, 100);
        let spawned = ask(&game, r#"{ "op": "spawn", "prefab": "rock", "arguments": { "at_m": [5.0, 5.0] } }"#);
        ask(&game, r#"{ "op": "enable_system", "system": "Lifetimes", "enabled": false }"#);
        steps(&mut game, 60);
        // Another course of the match from an edited frame: its edits stay, later ones are gone.
        let frame = ask(&game, r#"{ "op": "status" }"#)["frame"].as_u64().unwrap();
        set_pocket(&game, 10.0);
        steps(&mut game, 30);
        ask(&game, &format!(r#"{{ "op": "despawn", "entity": {} }}"#, spawned["entity"]));
        steps(&mut game, 10);
        ask(&game, &format!(r#"{{ "op": "seek", "frame": {frame} }}"#));
        ask(&game, r#"{ "op": "run", "from_here": true }"#);
        steps(&mut game, 200);
        set_pocket(&game, 33.0);
        ask(&game, r#"{ "op": "pause" }"#);
        ask(&game, r#"{ "op": "step_system" }"#);
        steps(&mut game, 1);
        assert_eq!(game.notice().as_deref(), Some("the studio shows the middle of a frame"));
        let replay = Replay::from_bytes(&game.studio.replay().unwrap().to_bytes()).unwrap();
        assert_eq!(game.with(|_, present| present.edit_count()), 5, "that of the other course is gone");
        let mut playback = Playback::new(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap();
        playback.verify().unwrap_or_else(|difference| panic!("{difference}"));
        assert_eq!(playback.state_hash(), hash(&game));
        let rock = spawned["entity"].as_str().unwrap();
        let rocks = playback.simulation().engine().entities().iter().filter(|entity| entity.to_string() == rock);
        assert_eq!(rocks.count(), 1, "it was despawned only in the other course");
    }

    #[test]
    fn match_that_cannot_be_repeated_is_not_recorded() {
        let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
        steps(&mut game, 10);
        let moment = ask(&game, r#"{ "op": "save" }"#)["moment"].clone();
        steps(&mut game, 10);
        ask(&game, &format!(r#"{{ "op": "load", "moment": {moment} }}"#));
        steps(&mut game, 10);
        let Err(Failure::BadInput(refusal)) = game.studio.replay() else { panic!("it is recorded") };
        assert!(refusal.starts_with("the match is not recorded: a moment was loaded"), "{refusal}");
    }

    #[test]
    fn edited_level_is_played_at_once_and_in_the_next_match() {
        let mut game = game(&MatchSetup::of_ais(7, 20, "normal"));
        steps(&mut game, 10);
        let editor = |game: &StudioGame, request: &str| {
            ask(game, &format!(r#"{{ "op": "panel", "panel": "Editor", "request": {request} }}"#))["value"].clone()
        };
        const CROSSING: &str = r#""file": "levels/crossing.ron""#;
        editor(
            &game,
            &format!(r#"{{ "do": "set", {CROSSING}, "path": "walls.4.half_extents_m", "value": "(6.0, 6.0)" }}"#),
        );
        editor(
            &game,
            &format!(
                r#"{{ "do": "add", {CROSSING}, "path": "places", "value": "(prefab: \"rock\", at_m: (30.0, 0.0))" }}"#
            ),
        );
        let shown = editor(&game, &format!(r#"{{ "do": "play", {CROSSING} }}"#));
        assert_eq!(
            (&shown["error"], shown["level"]["places"].as_array().map(Vec::len)),
            (&serde_json::Value::Null, Some(7))
        );
        steps(&mut game, 10);
        let mut view = View::empty();
        game.view_into(&mut view);
        assert!(view.walls.iter().any(|wall| wall.half_extents == Vec2::splat(6.0)), "the wall is the edited one");
        assert_eq!((view.objects.len(), view.players.len()), (7, 16), "the level has 16 places");
        let assets = game.studio.assets(&Assets::built_in());
        assert_eq!(assets.levels["crossing"].walls[4].half_extents_m, (6.0, 6.0));

        // A wall in the way of a stash is refused at its place, and not played.
        let wrong = editor(
            &game,
            &format!(r#"{{ "do": "set", {CROSSING}, "path": "walls.4.at_m", "value": "(66.0, 12.0)" }}"#),
        );
        let line = wrong["error"]["position"][0].as_u64().unwrap() as usize;
        assert!(wrong["text"].as_str().unwrap().lines().nth(line - 1).unwrap().contains("(66.0, 12.0)"));
        let request = format!(r#"{{ "op": "panel", "panel": "Editor", "request": {{ "do": "play", {CROSSING} }} }}"#);
        assert!(refusal(&game, &request).contains("crossing.ron:"));
        assert_eq!(editor(&game, &format!(r#"{{ "do": "undo", {CROSSING} }}"#))["error"], serde_json::Value::Null);
    }

    /// The replay that the panel `Report` makes of the shown moment.
    fn report(game: &mut StudioGame) -> Replay {
        let panel = |game: &StudioGame, what: &str| {
            ask(game, &format!(r#"{{ "op": "panel", "panel": "Report", "request": {{ "do": "{what}" }} }}"#))["value"]
                .clone()
        };
        panel(game, "make");
        assert!(panel(game, "take").is_null(), "it is not made before the next step");
        game.step(&Inputs::none());
        let made = panel(game, "take");
        let digits = made["bytes"].as_str().unwrap().as_bytes();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        let replay = Replay::from_bytes(&digits.chunks(2).map(byte).collect::<Vec<_>>()).unwrap();
        assert_eq!(made["steps"], replay.about().steps);
        replay
    }

    #[test]
    fn report_replays_the_match_up_to_the_shown_moment_and_leaves_it_alone() {
        let setup = MatchSetup::of_ais(7, 3, "normal");
        let (mut game, mut unreported) = (game(&setup), game(&setup));
        for game in [&mut game, &mut unreported] {
            ask(game, r#"{ "op": "status" }"#);
            steps(game, 200);
            set_pocket(game, 40.0);
            steps(game, 100);
            ask(game, r#"{ "op": "pause" }"#);
        }
        let verify = |replay: Replay| {
            let mut playback = Playback::new(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap();
            playback.verify().unwrap();
            playback.last_hash()
        };
        let present = report(&mut game);
        assert_eq!((present.about().steps, verify(present)), (300, hash(&game)));
        // An edit that no step has seen needs another step.
        set_pocket(&game, 50.0);
        let edited = report(&mut game);
        assert_eq!(edited.about().steps, 301);
        verify(edited);
        ask(&game, r#"{ "op": "undo" }"#);
        ask(&game, r#"{ "op": "seek", "frame": 250 }"#);
        game.step(&Inputs::none());
        let past = report(&mut game);
        assert_eq!((past.about().steps, verify(past)), (250, hash(&game)));
        ask(&game, r#"{ "op": "run" }"#);
        ask(&unreported, r#"{ "op": "run" }"#);
        steps(&mut game, 50);
        steps(&mut unreported, 50);
        assert_eq!(hash(&game), hash(&unreported));
        let whole = game.studio.replay().unwrap();
        assert_eq!((whole.about().steps, verify(whole)), (350, hash(&game)));
        assert!(
            refusal(&game, r#"{ "op": "panel", "panel": "Report", "request": { "do": "take" } }"#).contains("first")
        );
    }

    #[test]
    fn replay_is_inspected_from_a_step_on_and_waits_at_its_end() {
        let setup = MatchSetup::of_ais(9, 3, "hard");
        let mut recorded = game(&setup);
        ask(&recorded, r#"{ "op": "status" }"#);
        steps(&mut recorded, 200);
        set_pocket(&recorded, 40.0);
        steps(&mut recorded, 100);
        let (end, replay) = (hash(&recorded), report(&mut recorded));
        let replay = Replay::from_bytes(&replay.to_bytes()).unwrap();
        assert_eq!(replay.about().steps, 300);
        let assets = Assets::built_in();
        let open = |at| {
            let studio = Rc::new(GameStudio::new(None, ecs::Engine::builder()).unwrap());
            let playback = Playback::new(replay.clone(), &assets, ecs::Engine::builder()).unwrap();
            self::replayed::game(playback, &assets, at, studio).unwrap()
        };
        let mut opened = open(Some(250));
        steps(&mut opened, 30);
        assert!(opened.notice().unwrap().starts_with("the replay waits at the step"));
        ask(&opened, r#"{ "op": "status" }"#);
        steps(&mut opened, 3);
        ask(&opened, r#"{ "op": "run" }"#);
        steps(&mut opened, 300);
        assert_eq!((hash(&opened), opened.is_at_the_end()), (end, true), "it waits there");
        let status = ask(&opened, r#"{ "op": "status" }"#);
        assert_eq!((&status["paused"], &status["notice"]), (&true.into(), &"the replay has ended".into()));
        // Going back and on from there takes the same inputs again, with the edit, and an edit of its own.
        ask(&opened, r#"{ "op": "seek", "frame": 260 }"#);
        ask(&opened, r#"{ "op": "run", "from_here": true }"#);
        steps(&mut opened, 300);
        assert_eq!(hash(&opened), end);
        ask(&opened, r#"{ "op": "seek", "frame": 260 }"#);
        ask(&opened, r#"{ "op": "run", "from_here": true }"#);
        set_pocket(&opened, 10.0);
        steps(&mut opened, 300);
        assert_ne!(hash(&opened), end);
        let edited = report(&mut opened);
        assert_eq!(edited.about().steps, 300);
        Playback::new(edited, &assets, ecs::Engine::builder()).unwrap().verify().unwrap();
        // Without a step to wait at, it runs at once.
        let mut at_once = open(None);
        steps(&mut at_once, 400);
        assert_eq!(hash(&at_once), end);
    }

    #[test]
    fn match_that_goes_on_from_before_a_system_ran_alone_verifies() {
        let mut game = game(&MatchSetup::of_ais(7, 3, "normal"));
        ask(&game, r#"{ "op": "status" }"#);
        steps(&mut game, 150);
        ask(&game, r#"{ "op": "pause" }"#);
        ask(&game, r#"{ "op": "run_once", "system": "Motion" }"#);
        steps(&mut game, 2);
        ask(&game, r#"{ "op": "seek", "frame": 150 }"#);
        ask(&game, r#"{ "op": "run", "from_here": true }"#);
        steps(&mut game, 60);
        let replay = report(&mut game);
        Playback::new(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap().verify().unwrap();
    }

    #[test]
    fn edit_at_the_step_of_a_recorded_edit_is_repeated_before_it() {
        let assets = Assets::built_in();
        let mut recorded = game(&MatchSetup::of_ais(9, 3, "hard"));
        ask(&recorded, r#"{ "op": "status" }"#);
        steps(&mut recorded, 200);
        ask(&recorded, r#"{ "op": "pause" }"#);
        ask(&recorded, r#"{ "op": "spawn", "prefab": "rock", "arguments": { "at_m": [5.0, 5.0] } }"#);
        ask(&recorded, r#"{ "op": "run" }"#);
        steps(&mut recorded, 50);
        let playback = Playback::new(report(&mut recorded), &assets, ecs::Engine::builder()).unwrap();
        let studio = Rc::new(GameStudio::new(None, ecs::Engine::builder()).unwrap());
        let mut opened = self::replayed::game(playback, &assets, Some(200), studio).unwrap();
        ask(&opened, r#"{ "op": "spawn", "prefab": "rock", "arguments": { "at_m": [-5.0, 5.0] } }"#);
        ask(&opened, r#"{ "op": "run" }"#);
        steps(&mut opened, 40);
        let twice = report(&mut opened);
        Playback::new(twice, &assets, ecs::Engine::builder()).unwrap().verify().unwrap();
    }

    #[test]
    fn middle_of_a_frame_is_not_reported() {
        let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
        ask(&game, r#"{ "op": "status" }"#);
        steps(&mut game, 100);
        ask(&game, r#"{ "op": "pause" }"#);
        ask(&game, r#"{ "op": "step_system" }"#);
        steps(&mut game, 1);
        ask(&game, r#"{ "op": "panel", "panel": "Report", "request": { "do": "make" } }"#);
        steps(&mut game, 1);
        let refused = refusal(&game, r#"{ "op": "panel", "panel": "Report", "request": { "do": "take" } }"#);
        assert_eq!(refused, "the middle of a frame is shown: finish the frame first");
    }

    #[test]
    fn key_that_comes_up_during_a_pause_is_up_afterwards() {
        use bounty_hunter::input::Key;
        use bounty_hunter::simulation::Seat;
        let mut setup = MatchSetup::of_ais(7, 2, "normal");
        setup.seats[0] = Seat::Human { keys: 0 };
        let mut game = game(&setup);
        ask(&game, r#"{ "op": "status" }"#);
        game.step(&Inputs::none().key_down(Key::W));
        steps(&mut game, 200);
        let held = |game: &StudioGame| {
            game.with(|_, present| present.simulation.engine().resource::<HeldKeys>().unwrap().keys().to_vec())
        };
        assert_eq!(held(&game), [Key::W]);
        ask(&game, r#"{ "op": "pause" }"#);
        game.step(&Inputs::none().key_up(Key::W));
        ask(&game, r#"{ "op": "run" }"#);
        steps(&mut game, 2);
        assert_eq!(held(&game), []);
        let replay = report(&mut game);
        Playback::new(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap().verify().unwrap();
    }

    #[test]
    fn state_that_no_match_comes_to_does_not_stop_the_program() {
        let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
        steps(&mut game, 100);
        let set = |path: &str, value: &str| {
            format!(r#"{{ "op": "set_resource", "resource": "game flow", "path": "{path}", "value": {value} }}"#)
        };
        ask(&game, &set("/state/0", r#""Paused""#));
        ask(&game, &set("/requests", r#"["Resume"]"#));
        steps(&mut game, 50);
    }

    #[test]
    fn balance_is_that_of_the_edited_rules_beside_the_run_before() {
        let game = game(&MatchSetup::of_ais(7, 2, "normal"));
        let balance = |request: &str| {
            ask(&game, &format!(r#"{{ "op": "panel", "panel": "Balance", "request": {request} }}"#))["value"].clone()
        };
        let finished = || loop {
            let shown = balance(r#"{ "do": "show" }"#);
            if shown["present"]["is_over"] == true {
                break shown;
            }
            std::thread::yield_now();
        };
        balance(r#"{ "do": "run", "mode": "classic", "matches": 3, "players": 2 }"#);
        let first = finished();
        assert_eq!((&first["present"]["finished"], &first["before"]), (&3.into(), &serde_json::Value::Null));
        ask(
            &game,
            r#"{ "op": "panel", "panel": "Editor", "request": { "do": "set", "file": "game.ron", "path": "play_seconds", "value": "5.0" } }"#,
        );
        balance(r#"{ "do": "run", "mode": "classic", "matches": 2, "players": 2 }"#);
        let second = finished();
        assert_eq!(second["present"]["lengths"], serde_json::json!([2]), "both take at most 5 s");
        assert_eq!(second["before"]["lengths"], first["present"]["lengths"]);
        let request = r#"{ "op": "panel", "panel": "Balance", "request": { "do": "run", "mode": "classic", "matches": 0, "players": 2 } }"#;
        assert!(refusal(&game, request).starts_with("play 1 to 100000 matches"));
    }
}
