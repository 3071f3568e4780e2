//! The sequence of screens: the title, the results, then a match.

use ecs::StepClock;
use macroquad::input::mouse_position;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::time::get_frame_time;
use macroquad::window::{clear_background, next_frame, screen_height, screen_width};

use crate::client::devices::Devices;
use crate::client::drawing::camera::Camera;
use crate::client::drawing::light::Light;
use crate::client::drawing::palette::Palette;
use crate::client::drawing::theme;
use crate::client::friends::{self, Chosen};
use crate::client::input::bindings::Bindings;
use crate::client::input::hand::{Controls, Hand};
use crate::client::input::keys::MouseButton;
use crate::client::input::reader::WindowEvent;
use crate::client::match_history::MatchHistory;
use crate::client::picture::Picture;
use crate::client::screens::match_screen::MatchScreen;
use crate::client::screens::replay_screen::Leaving;
use crate::client::screens::results_screen::ResultsScreen;
use crate::client::screens::settings_screen;
use crate::client::screens::title::{Request, Title};
use crate::client::screens::title_row::Row;
use crate::client::screens::title_screen;
use crate::client::settings::SettingsFile;
use crate::client::together::{self, Network};
use crate::client::unlocks::Unlocked;
use crate::client::window::clock::{due_steps, step_clock};
use crate::client::{ClientError, Game, MatchPurpose, PlayOptions};
use bounty_hunter_simulation::input::Inputs;
use bounty_hunter_simulation::keymap::Key;
use bounty_hunter_simulation::mode::DEFAULT_MODE;
use bounty_hunter_simulation::simulation::view::GameState;
use bounty_hunter_simulation::simulation::{MatchSetup, Seat};

/// Makes a match from a mode, a level that is not that of the mode, and a setup.
pub(super) type Factory =
    Box<dyn FnMut(MatchPurpose, &str, Option<&str>, &MatchSetup) -> Result<Box<dyn Game>, String>>;

/// Players in the match behind the title.
const BACKDROP_PLAYERS: usize = 14;
/// The length of the tutorial, which has no clock: a day, the most. And its AI.
const TUTORIAL_SECONDS: f32 = 86_400.0;
const TUTORIAL_AI: &str = "easy";

/// Shows the title, unless the options skip it, then a match, and the title again.
///
/// # Errors
/// - [`ClientError::Match`] if the factory fails.
/// - [`ClientError::Screenshot`] if the picture cannot be written.
pub(super) async fn run(
    options: PlayOptions,
    file: SettingsFile,
    mut factory: Factory,
    match_history: Option<Box<dyn MatchHistory>>,
    mut network: Network,
) -> Result<(), ClientError> {
    let mut devices = Devices::open(&options.devices, file, options.frames.is_some());
    let mut title = Title::new(&options);
    if let Some(choices) = devices.file.settings.choices.as_ref().filter(|_| options.keeps_choices) {
        title.take(choices);
    }
    // A file of settings that cannot be read shows that this is not the first start.
    let is_new = !devices.file.settings.knows_tutorial && devices.file.problem().is_none();
    title.offer_tutorial(is_new && title.humans() > 0);
    let mut backdrop = None;
    if options.begins_daily {
        if play_daily(&mut title, &options, &mut factory, &mut devices).await? == Leaving::Closed {
            return Ok(());
        }
        if let Some(problem) = title.problem() {
            return Err(ClientError::Match(problem.to_owned()));
        }
    }
    let mut skips_title = options.demo || options.skip_title || options.frames.is_some();
    for matches in 0.. {
        // A match may have unlocked something.
        if let Some(Ok(feats)) = match_history.as_ref().filter(|_| matches > 0).map(|history| history.feats()) {
            devices.unlocked = Unlocked::by(feats.iter().map(|record| record.feat.as_str()));
        }
        let has_title = !std::mem::take(&mut skips_title);
        if has_title {
            let backdrop = match &mut backdrop {
                Some(backdrop) => backdrop,
                none => none.insert(Backdrop::new(&options, &mut factory, options.seed)?),
            };
            let (history, before) = (match_history.as_deref(), title.choices());
            let behind = Behind { factory: &mut factory, match_history: history, network: &mut network };
            let leaving = run_title(&mut title, &options, behind, backdrop, &mut devices).await?;
            if options.keeps_choices && title.choices() != before {
                devices.file.settings.choices = Some(title.choices());
                store(&devices.file);
            }
            if leaving == Leaving::Closed {
                return Ok(());
            }
        }
        let setup = title.setup(options.seed.wrapping_add(matches));
        let (mode, level) = (&title.mode().name, title.level());
        tracing::info!(target: "bounty_hunter::client", seed = setup.seed, mode, level, players = setup.seats.len(), people = title.humans(), "match");
        let game = match factory(MatchPurpose::Match, mode, level.as_deref(), &setup) {
            Ok(game) => game,
            Err(problem) if has_title => {
                tracing::warn!(target: "bounty_hunter::client", "match: {problem}");
                title.tell(Some(problem));
                continue;
            }
            Err(problem) => return Err(ClientError::Match(problem)),
        };
        let screen = MatchScreen::new(game, options.clone(), &devices);
        if screen.run(&mut devices).await? == Leaving::Closed {
            break;
        }
    }
    Ok(())
}

/// Stores what was chosen. The settings screen shows why it cannot be stored.
fn store(file: &SettingsFile) {
    match file.store() {
        Ok(()) => tracing::info!(target: "bounty_hunter::client", "choices stored"),
        Err(problem) => tracing::warn!(target: "bounty_hunter::client", "choices {problem}"),
    }
}

/// What the screens behind the title need.
struct Behind<'a> {
    factory: &'a mut Factory,
    match_history: Option<&'a dyn MatchHistory>,
    network: &'a mut Network,
}

/// Shows the title and the screens behind it until a match begins or the window is closed.
async fn run_title(
    title: &mut Title,
    options: &PlayOptions,
    behind: Behind<'_>,
    backdrop: &mut Backdrop,
    devices: &mut Devices,
) -> Result<Leaving, ClientError> {
    let Behind { factory, match_history, network } = behind;
    loop {
        let request = choose_on_title(title, options, factory, backdrop, devices).await?;
        if matches!(request, Request::Tutorial | Request::NotNow) && !devices.file.settings.knows_tutorial {
            title.offer_tutorial(false);
            devices.file.settings.knows_tutorial = true;
            store(&devices.file);
        }
        let leaving = match request {
            Request::Start => return Ok(Leaving::Back),
            Request::Quit => return Ok(Leaving::Closed),
            Request::Together => play_together(title, options, network, devices).await?,
            Request::Results => ResultsScreen::new(match_history).run(devices).await?,
            Request::Settings => settings_screen::run(devices, &options.keymap).await,
            Request::NotNow => Leaving::Back,
            Request::Daily => play_daily(title, options, factory, devices).await?,
            Request::Tutorial => {
                let game = tutorial_match(options, factory)?;
                let screen = MatchScreen::new(game, options.clone(), devices).teaching();
                match screen.run(devices).await? {
                    Leaving::ToFirstMatch => return Ok(Leaving::Back),
                    leaving => leaving,
                }
            }
        };
        if leaving == Leaving::Closed {
            return Ok(Leaving::Closed);
        }
    }
}

async fn choose_on_title(
    title: &mut Title,
    options: &PlayOptions,
    factory: &mut Factory,
    backdrop: &mut Backdrop,
    devices: &mut Devices,
) -> Result<Request, ClientError> {
    tracing::info!(target: "bounty_hunter::client", "title");
    loop {
        devices.sound.play_title();
        let (window, hand) = (vec2(screen_width(), screen_height()), devices.reader.hand());
        // Another day may have begun.
        title.daily();
        for window_event in devices.reader.read() {
            if let Some(request) = apply(title, *window_event, window, hand) {
                return Ok(request);
            }
        }
        if backdrop.advance() == GameState::GameOver {
            let seed = backdrop.seed.wrapping_add(1);
            *backdrop = Backdrop::new(options, factory, seed)?;
        }
        clear_background(theme::BACKGROUND);
        backdrop.draw(window, devices.file.settings.palette(), &mut devices.light);
        let settings = &devices.file.settings;
        let bindings = Bindings::new(settings.keymap.as_ref(), &options.keymap);
        title_screen::draw(title, Controls { hand, keymap: bindings.own() }, settings, window);
        next_frame().await;
    }
}

/// Plays the match of the day, if a try is left; the title tells why it cannot begin.
async fn play_daily(
    title: &mut Title,
    options: &PlayOptions,
    factory: &mut Factory,
    devices: &mut Devices,
) -> Result<Leaving, ClientError> {
    let Some(daily) = title.daily().filter(|daily| daily.tries.left() > 0) else { return Ok(Leaving::Back) };
    tracing::info!(target: "bounty_hunter::client", day = daily.day, mode = daily.mode, "match of the day");
    match factory(MatchPurpose::Daily, &daily.mode, None, &daily.setup) {
        Ok(game) => MatchScreen::new(game, options.clone(), devices).run(devices).await,
        Err(problem) => {
            tracing::warn!(target: "bounty_hunter::client", "match of the day: {problem}");
            title.tell(Some(problem));
            Ok(Leaving::Back)
        }
    }
}

/// Lets people meet, and plays a match over a network if they do so there.
async fn play_together(
    title: &mut Title,
    options: &PlayOptions,
    network: &mut Network,
    devices: &mut Devices,
) -> Result<Leaving, ClientError> {
    match friends::run(title, network, devices).await {
        Chosen::Nothing(leaving) => Ok(leaving),
        Chosen::People(people) => {
            title.take_people(people);
            Ok(Leaving::Back)
        }
        Chosen::Lobby(lobby) => together::play_lobby(lobby, network, options, devices).await,
    }
}

/// A match of one person and one AI, for the tutorial. It is not stored.
fn tutorial_match(options: &PlayOptions, factory: &mut Factory) -> Result<Box<dyn Game>, ClientError> {
    let mode = options.modes.iter().find(|mode| mode.name == DEFAULT_MODE).or(options.modes.first());
    let mode = mode.ok_or_else(|| ClientError::Options("there is no mode to choose".into()))?;
    let profiles = &options.ai_profiles;
    let profile = profiles.iter().find(|name| *name == TUTORIAL_AI).unwrap_or(&profiles[0]).clone();
    let seats = vec![Seat::Human { person: 0 }, Seat::Ai { profile }];
    let setup = MatchSetup { seed: options.seed, seats, play_seconds: Some(TUTORIAL_SECONDS) };
    factory(MatchPurpose::Tutorial, &mode.name, None, &setup).map_err(ClientError::Match)
}

/// Applies an event to the title screen.
fn apply(title: &mut Title, window_event: WindowEvent, window: Vec2, hand: Hand) -> Option<Request> {
    let window_event = match window_event {
        WindowEvent::PadDown(_, button) => WindowEvent::KeyDown(button.menu_key()?),
        other => other,
    };
    if matches!(window_event, WindowEvent::KeyDown(_) | WindowEvent::ButtonDown(_)) {
        title.tell(None);
    }
    match window_event {
        WindowEvent::CloseRequested => return Some(Request::Quit),
        WindowEvent::KeyDown(Key::Escape) if title.offers_tutorial() => return Some(Request::NotNow),
        // The first Escape only selects "Quit": one pressed too often at the end of a match must not end the program.
        WindowEvent::KeyDown(Key::Escape) if title.selected() == Row::Quit => return Some(Request::Quit),
        WindowEvent::KeyDown(Key::Escape) => title.select(Row::Quit),
        WindowEvent::KeyDown(Key::Up) => title.up(),
        WindowEvent::KeyDown(Key::Down) => title.down(),
        WindowEvent::KeyDown(Key::Left) | WindowEvent::KeyRepeated(Key::Left) => title.change(-1),
        WindowEvent::KeyDown(Key::Right) | WindowEvent::KeyRepeated(Key::Right) => title.change(1),
        WindowEvent::KeyDown(Key::Enter | Key::Space) => return Some(title.enter()),
        WindowEvent::PointerMoved(..) => {
            if let Some((row, _)) = title_screen::row_at(title, window, hand, mouse_position().into()) {
                title.select(row);
            }
        }
        WindowEvent::ButtonDown(MouseButton::Left) => {
            if let Some(mode) = title_screen::mode_at(title, window, hand, mouse_position().into()) {
                title.choose_mode(mode);
                return None;
            }
            let (row, direction) = title_screen::row_at(title, window, hand, mouse_position().into())?;
            title.select(row);
            if !row.has_choice() {
                return Some(title.enter());
            }
            title.change(direction);
        }
        _ => {}
    }
    None
}

/// The match of AIs behind the title.
struct Backdrop {
    game: Box<dyn Game>,
    picture: Picture,
    clock: StepClock,
    seed: u64,
}

impl Backdrop {
    fn new(options: &PlayOptions, factory: &mut Factory, seed: u64) -> Result<Self, ClientError> {
        let mode = options.modes.first().ok_or_else(|| ClientError::Options("there is no mode to choose".into()))?;
        let players = mode.most_players.map_or(BACKDROP_PLAYERS, |most| BACKDROP_PLAYERS.min(most as usize));
        let profiles = options.ai_profiles.iter().cycle().take(players);
        let seats = profiles.map(|profile| Seat::Ai { profile: profile.clone() }).collect();
        let setup = MatchSetup { seed, seats, play_seconds: None };
        let game = factory(MatchPurpose::Title, &mode.name, None, &setup).map_err(ClientError::Match)?;
        let (picture, clock) = (Picture::new(game.as_ref()), step_clock(game.steps_per_second()));
        Ok(Self { game, picture, clock, seed })
    }

    fn advance(&mut self) -> GameState {
        for _ in 0..due_steps(&mut self.clock, f64::from(get_frame_time())) {
            self.game.step(&Inputs::none());
            self.picture.advance(self.game.as_ref());
        }
        self.picture.view().state
    }

    /// Fills the window with the middle of the arena.
    fn draw(&mut self, window: Vec2, palette: Palette, light: &mut Light) {
        let larger = window.x.max(window.y) / window.x.min(window.y);
        let half_m = self.picture.view().world_half_extent / larger;
        let camera = Camera::new(Rect::new(0.0, 0.0, window.x, window.y), half_m, palette);
        let alpha = self.clock.overstep_fraction();
        self.picture.draw(&camera, light, alpha);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::screens::title_row::ROWS;

    #[test]
    fn keys_walk_the_title_without_a_mouse() {
        let window = vec2(1280.0, 720.0);
        let mut title = Title::new(&crate::client::sample::options());
        let mut press = |key| apply(&mut title, WindowEvent::KeyDown(key), window, Hand::Keys);
        assert_eq!(press(Key::Enter), Some(Request::Start));
        assert_eq!(press(Key::Down), None);
        assert_eq!(press(Key::Enter), Some(Request::Together));
        assert_eq!(press(Key::Down), None);
        assert_eq!(press(Key::Enter), Some(Request::Results));
        assert_eq!(press(Key::Down), None);
        assert_eq!(press(Key::Enter), Some(Request::Tutorial));
        assert_eq!(press(Key::Down), None);
        assert_eq!(press(Key::Enter), Some(Request::Settings));
        assert_eq!(press(Key::Down), None);
        assert_eq!(press(Key::Enter), Some(Request::Quit));
        assert_eq!(press(Key::Down), None);
        assert_eq!(press(Key::Enter), Some(Request::Start), "with the choices made so far");
        assert_eq!(title.selected(), ROWS[0]);
        let before = title.choice(Row::Mode);
        apply(&mut title, WindowEvent::KeyDown(Key::Right), window, Hand::Keys);
        assert_ne!(title.choice(Row::Mode), before);
    }

    #[test]
    fn tutorial_is_offered_before_anything_else_can_be_chosen() {
        let window = vec2(1280.0, 720.0);
        let mut title = Title::new(&crate::client::sample::options());
        title.offer_tutorial(true);
        let mut press = |key| apply(&mut title, WindowEvent::KeyDown(key), window, Hand::Keys);
        assert_eq!(press(Key::Enter), Some(Request::Tutorial));
        assert_eq!((press(Key::Down), press(Key::Enter)), (None, Some(Request::NotNow)));
        assert_eq!((press(Key::Down), press(Key::Enter)), (None, Some(Request::Tutorial)));
        assert_eq!(press(Key::Escape), Some(Request::NotNow));
        title.offer_tutorial(false);
        assert_eq!(apply(&mut title, WindowEvent::KeyDown(Key::Enter), window, Hand::Keys), Some(Request::Start));
    }

    #[test]
    fn match_of_the_day_follows_playing_together_and_says_how_many_tries_are_left() {
        let window = vec2(1280.0, 720.0);
        let title = |left| {
            let daily = Some(crate::client::sample::daily(left));
            Title::new(&PlayOptions { daily, ..crate::client::sample::options() })
        };
        let mut two_left = title(2);
        (0..2).for_each(|_| _ = apply(&mut two_left, WindowEvent::KeyDown(Key::Down), window, Hand::Keys));
        assert_eq!(apply(&mut two_left, WindowEvent::KeyDown(Key::Enter), window, Hand::Keys), Some(Request::Daily));
        let texts = [2, 1, 0].map(|left| title(left).choice(Row::Daily));
        assert_eq!(texts, ["2026-11-28 · 2 tries left", "2026-11-28 · 1 try left", "2026-11-28 · come back tomorrow"]);
        assert!(!Title::new(&crate::client::sample::options()).rows().contains(&Row::Daily));
    }

    #[test]
    fn escape_quits_only_when_pressed_twice() {
        let mut title = Title::new(&crate::client::sample::options());
        let mut press = |key| apply(&mut title, WindowEvent::KeyDown(key), vec2(1280.0, 720.0), Hand::Keys);
        assert_eq!([press(Key::Escape), press(Key::Escape)], [None, Some(Request::Quit)]);
    }
}
