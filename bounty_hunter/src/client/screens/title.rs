//! The choices on the title screen.

use super::level_row::LevelRow;
use super::title_row::{OFFER, ROWS, Row};
use crate::client::feat_names::level_name;
use crate::client::platform;
use crate::client::settings::Choices;
use crate::client::translation::{tr, tr_with};
use crate::client::{DailyMatch, ModeChoice, PlayOptions};
use bounty_hunter_simulation::simulation::{MatchSetup, Seat};

/// Range of the number of players.
const PLAYERS: (u32, u32) = (2, 64);
/// Limit of people.
const MAX_HUMANS: u32 = 4;

/// A request to leave the title screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Start,
    Together,
    /// The match of the day, if a try is left.
    Daily,
    Results,
    Tutorial,
    Settings,
    Quit,
    /// Declines the offer of the tutorial.
    NotNow,
}

/// The choices and the selected line.
#[derive(Clone, Debug)]
pub(crate) struct Title {
    /// An index into [`Title::rows`].
    selected: usize,
    /// All lines that there are on this machine.
    rows: Vec<Row>,
    offers_tutorial: bool,
    modes: Vec<ModeChoice>,
    mode: usize,
    level: LevelRow,
    /// The chosen numbers, also while the level has fewer places.
    players: u32,
    humans: u32,
    most_humans: u32,
    profiles: Vec<String>,
    profile: usize,
    lengths: Vec<f32>,
    length: usize,
    daily: Option<DailyMatch>,
    problem: Option<String>,
}

impl Title {
    /// The default choices, with "Start" selected.
    pub(crate) fn new(options: &PlayOptions) -> Self {
        let mut lengths = options.play_seconds_choices.clone();
        lengths.push(options.play_seconds);
        lengths.extend(options.modes.iter().map(|mode| mode.play_seconds));
        lengths.sort_by(f32::total_cmp);
        lengths.dedup();
        let length = lengths.iter().position(|length| *length == options.play_seconds).unwrap_or_default();
        let is_there = |row: &Row| match row {
            Row::Daily => options.daily.is_some(),
            // A browser keeps none.
            Row::Results => !platform::IS_A_PAGE,
            _ => true,
        };
        let rows: Vec<Row> = ROWS.into_iter().filter(is_there).collect();
        Self {
            selected: rows.iter().position(|row| *row == Row::Start).unwrap_or_default(),
            rows,
            offers_tutorial: false,
            modes: options.modes.clone(),
            mode: 0,
            level: LevelRow::new(options.seed),
            players: options.players,
            humans: if options.demo { 0 } else { options.humans },
            most_humans: (options.keymap.people.len() as u32).min(MAX_HUMANS),
            profiles: options.ai_profiles.clone(),
            profile: options.ai_profiles.iter().position(|name| *name == options.ai).unwrap_or_default(),
            lengths,
            length,
            daily: options.daily.clone(),
            problem: None,
        }
    }

    /// The choices, to take them again the next time.
    pub(crate) fn choices(&self) -> Choices {
        Choices {
            mode: self.mode().name.clone(),
            level: self.level().unwrap_or_default(),
            players: self.players(),
            humans: self.humans(),
            ai: self.profiles.get(self.profile).cloned().unwrap_or_default(),
            play_seconds: self.lengths[self.length],
        }
    }

    /// Takes choices of an earlier time as far as they exist; with another mode, none.
    pub(crate) fn take(&mut self, choices: &Choices) {
        let Some(mode) = self.modes.iter().position(|mode| mode.name == choices.mode) else { return };
        self.mode = mode;
        self.level.take(&choices.level);
        let most = self.most_players();
        self.humans = choices.humans.min(self.most_humans).min(most);
        let (least, highest) = self.range_of_players();
        let is_of_mode = choices.players == self.mode().players.min(most);
        self.players = if is_of_mode { choices.players } else { choices.players.clamp(least, highest) };
        self.players = self.players.max(self.humans);
        let is_mixed = choices.ai.is_empty() && self.profile_choices() > self.profiles.len();
        let profile = self.profiles.iter().position(|name| *name == choices.ai);
        self.profile = profile.unwrap_or(if is_mixed { self.profiles.len() } else { self.profile });
        let length = self.lengths.iter().position(|length| *length == choices.play_seconds);
        self.length = length.unwrap_or(self.length);
    }

    /// The match of the present day.
    pub(crate) fn daily(&mut self) -> Option<&DailyMatch> {
        if let Some(today) = self.daily.as_ref().and_then(|daily| daily.tries.of_another_day()) {
            self.daily = Some(today);
        }
        self.daily.as_ref()
    }

    /// What could not be done, until the next key.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Tells what could not be done, or that nothing is wrong.
    pub(crate) fn tell(&mut self, problem: Option<String>) {
        self.problem = problem;
    }

    pub(crate) fn selected(&self) -> Row {
        self.rows()[self.selected]
    }

    /// The lines, from the top.
    pub(crate) fn rows(&self) -> &[Row] {
        if self.offers_tutorial { &OFFER } else { &self.rows }
    }

    /// Whether it offers nothing but the tutorial, as at the first start.
    pub(crate) fn offers_tutorial(&self) -> bool {
        self.offers_tutorial
    }

    /// Offers the tutorial and nothing else, or all lines.
    pub(crate) fn offer_tutorial(&mut self, offers_tutorial: bool) {
        (self.offers_tutorial, self.selected) = (offers_tutorial, 0);
        self.select(Row::Start);
    }

    pub(crate) fn select(&mut self, row: Row) {
        self.selected = self.rows().iter().position(|other| *other == row).unwrap_or(self.selected);
    }

    /// Selects the line above; the last follows the first.
    pub(crate) fn up(&mut self) {
        self.selected = (self.selected + self.rows().len() - 1) % self.rows().len();
    }

    /// Selects the line below; the first follows the last.
    pub(crate) fn down(&mut self) {
        self.selected = (self.selected + 1) % self.rows().len();
    }

    /// Changes the selected choice by one, up or down; numbers stop at their limits, names wrap around.
    pub(crate) fn change(&mut self, step: i32) {
        let moved = |value: u32, least: u32, most: u32| value.saturating_add_signed(step).clamp(least, most.max(least));
        let around = |value: usize, count: usize| (value as i32 + step).rem_euclid(count.max(1) as i32) as usize;
        match self.selected() {
            Row::Mode => {
                let before = self.mode;
                self.mode = around(self.mode, self.modes.len());
                self.apply_mode(before);
            }
            Row::Level => self.level.change(&self.modes[self.mode], step),
            Row::Players => self.players = self.next_number_of_players(step),
            Row::Humans => self.humans = moved(self.humans(), 0, self.most_humans.min(self.players())),
            Row::Ai => self.profile = around(self.profile, self.profile_choices()),
            Row::Length => {
                self.length = moved(self.length as u32, 0, self.lengths.len() as u32 - 1) as usize;
            }
            _ => {}
        }
    }

    /// Chooses a mode by its index, and selects its line.
    pub(crate) fn choose_mode(&mut self, mode: usize) {
        self.select(Row::Mode);
        self.change(mode as i32 - self.mode as i32);
    }

    /// Chooses the defaults of the mode; an AI that is not the default of the mode before stays.
    fn apply_mode(&mut self, before: usize) {
        let mode = &self.modes[self.mode];
        self.players = mode.players;
        self.humans = self.humans.min(self.players);
        if self.profiles.get(self.profile) == Some(&self.modes[before].ai) {
            self.profile = self.profiles.iter().position(|name| *name == mode.ai).unwrap_or(self.profile);
        }
        self.length = self.lengths.iter().position(|length| *length == mode.play_seconds).unwrap_or(self.length);
    }

    /// The next number of players. A number of the mode beyond the usual range follows the highest one.
    fn next_number_of_players(&self, step: i32) -> u32 {
        let (mode, most) = (self.mode(), self.most_players());
        let (least, highest) = self.range_of_players();
        match self.players() {
            players if step < 0 && players > highest => highest,
            players if step > 0 && players >= highest => mode.players.min(most).max(players),
            players => players.saturating_add_signed(step).clamp(least, highest),
        }
    }

    /// The least and the highest number of players, without the own number of the mode.
    fn range_of_players(&self) -> (u32, u32) {
        let most = self.most_players();
        let least = PLAYERS.0.max(self.humans()).min(most);
        (least, PLAYERS.1.min(most).max(least))
    }

    /// Enter on the selected line. On a choice it starts the match.
    pub(crate) fn enter(&self) -> Request {
        match self.selected() {
            Row::Mode | Row::Level | Row::Players | Row::Humans | Row::Ai | Row::Length | Row::Start => Request::Start,
            Row::Together => Request::Together,
            Row::Daily => Request::Daily,
            Row::Results => Request::Results,
            Row::Tutorial => Request::Tutorial,
            Row::Settings => Request::Settings,
            Row::Quit => Request::Quit,
            Row::NotNow => Request::NotNow,
        }
    }

    /// The choice of a line as text.
    pub(crate) fn choice(&self, row: Row) -> String {
        match row {
            Row::Mode => tr(&self.mode().title).to_owned(),
            Row::Level => self.level.text(self.mode()),
            Row::Players => self.players().to_string(),
            Row::Humans => self.humans().to_string(),
            Row::Ai => self.profiles.get(self.profile).map_or(tr("mixed").to_owned(), |name| level_name(name)),
            Row::Length => format!("{} s", self.lengths[self.length]),
            Row::Daily => match &self.daily {
                None => String::new(),
                Some(daily) => match daily.tries.left() {
                    0 => format!("{} · {}", daily.day, tr("come back tomorrow")),
                    1 => format!("{} · {}", daily.day, tr("1 try left")),
                    left => format!("{} · {}", daily.day, tr_with("{left} tries left", &[("left", &left)])),
                },
            },
            _ => String::new(),
        }
    }

    pub(crate) fn mode(&self) -> &ModeChoice {
        &self.modes[self.mode]
    }

    pub(crate) fn modes(&self) -> &[ModeChoice] {
        &self.modes
    }

    /// The chosen level; `None` for that of the mode.
    pub(crate) fn level(&self) -> Option<String> {
        self.level.name(self.mode())
    }

    /// Whether a step to the right draws another seed of the level.
    pub(crate) fn draws_seeds(&self) -> bool {
        self.selected() == Row::Level && self.level.is_seeded()
    }

    fn most_players(&self) -> u32 {
        self.level.most_players(self.mode()).max(1)
    }

    fn players(&self) -> u32 {
        self.players.clamp(1, self.most_players())
    }

    pub(crate) fn humans(&self) -> u32 {
        self.humans.min(self.players())
    }

    /// The most people at this screen.
    pub(crate) fn most_humans(&self) -> u32 {
        self.most_humans
    }

    /// Chooses the number of people at this screen, and selects "Start".
    pub(crate) fn take_people(&mut self, people: u32) {
        self.humans = people.min(self.most_humans).min(self.most_players());
        self.players = self.players.max(self.humans);
        self.select(Row::Start);
    }

    /// The chosen match: people first, in the order of their keys.
    pub(crate) fn setup(&self, seed: u64) -> MatchSetup {
        let seat = |index: u32| {
            let humans = self.humans();
            if index < humans {
                return Seat::Human { person: index as u8 };
            }
            let turn = (index - humans) as usize % self.profiles.len();
            let profile = self.profiles.get(self.profile).unwrap_or(&self.profiles[turn]);
            Seat::Ai { profile: profile.clone() }
        };
        let seats = (0..self.players()).map(seat).collect();
        MatchSetup { seed, seats, play_seconds: Some(self.lengths[self.length]) }
    }

    fn profile_choices(&self) -> usize {
        // A single profile cannot be mixed.
        if self.profiles.len() > 1 { self.profiles.len() + 1 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::{keymap, options};
    use crate::client::translation::{choose, set_languages};
    use bounty_hunter_simulation::assets::{AI_LEVELS, Assets};

    fn title(people: usize) -> Title {
        Title::new(&PlayOptions { keymap: keymap(people), ..options() })
    }

    fn profiles(title: &Title) -> Vec<String> {
        let name = |seat: &Seat| match seat {
            Seat::Ai { profile } => profile.clone(),
            other => format!("{other:?}"),
        };
        title.setup(1).seats.iter().map(name).collect()
    }

    #[test]
    fn enter_starts_at_once() {
        assert_eq!(title(2).enter(), Request::Start);
    }

    #[test]
    fn people_stop_at_the_people_in_the_keymap() {
        for (people, most) in [(2, 2), (9, 4), (0, 0)] {
            let mut title = title(people);
            title.select(Row::Humans);
            (0..10).for_each(|_| title.change(1));
            assert_eq!(title.humans(), most);
            (0..10).for_each(|_| title.change(-1));
            assert_eq!(title.humans(), 0);
        }
    }

    #[test]
    fn people_who_play_together_at_this_screen_are_the_people_of_the_match() {
        let mut title = title(4);
        title.select(Row::Players);
        (0..10).for_each(|_| title.change(-1));
        title.take_people(4);
        assert_eq!((title.humans(), title.setup(1).seats.len(), title.enter()), (4, 4, Request::Start));
        title.take_people(9);
        assert_eq!(title.humans(), 4, "the keys are for four");
    }

    #[test]
    fn players_stay_between_two_and_64_and_never_below_the_people() {
        let mut title = title(4);
        title.select(Row::Humans);
        (0..3).for_each(|_| title.change(1));
        title.select(Row::Players);
        (0..100).for_each(|_| title.change(-1));
        assert_eq!(title.setup(1).seats.len(), 4);
        (0..100).for_each(|_| title.change(1));
        assert_eq!(title.setup(1).seats.len(), 64);
    }

    #[test]
    fn people_take_the_first_seats_and_ais_one_or_all_profiles() {
        let mut title = title(1);
        assert_eq!(profiles(&title), ["Human { person: 0 }", "sharp", "sharp", "sharp"]);
        title.select(Row::Ai);
        title.change(1);
        assert_eq!(profiles(&title), ["Human { person: 0 }", "dull", "dull", "dull"]);
        title.change(1);
        assert_eq!(title.choice(Row::Ai), "mixed");
        assert_eq!(profiles(&title), ["Human { person: 0 }", "sharp", "dull", "sharp"]);
        title.change(1);
        assert_eq!(title.choice(Row::Ai), "sharp");
    }

    #[test]
    fn levels_have_names_and_other_ais_those_of_their_files() {
        let names = AI_LEVELS.map(level_name);
        assert_eq!(names, ["Easy", "Normal", "Hard", "Master"]);
        set_languages(&Assets::built_in().languages);
        choose("de");
        assert_eq!(AI_LEVELS.map(level_name), ["Leicht", "Mittel", "Schwer", "Meister"]);
        choose("");
        assert_eq!(level_name("of_mine"), "of mine");
    }

    #[test]
    fn choices_are_taken_again_the_next_time() {
        let mut before = title(2);
        before.choose_mode(1);
        for (row, step) in [(Row::Players, -1), (Row::Players, -1), (Row::Humans, 1), (Row::Ai, 1), (Row::Length, 1)] {
            before.select(row);
            before.change(step);
        }
        let mut after = title(2);
        after.take(&before.choices());
        assert_eq!(after.setup(1), before.setup(1));
        assert_eq!((after.mode(), after.choice(Row::Ai)), (before.mode(), "mixed".to_owned()));
        before.choose_mode(0);
        after.take(&before.choices());
        assert_eq!(after.setup(1), before.setup(1));
    }

    #[test]
    fn choices_that_do_not_exist_are_passed_over() {
        let usual = title(2);
        let choose = |change: fn(&mut Choices)| {
            let (mut title, mut choices) = (title(2), usual.choices());
            change(&mut choices);
            title.take(&choices);
            title.choices()
        };
        assert_eq!(choose(|choices| choices.mode = "gone".into()), usual.choices());
        assert_eq!(choose(|choices| choices.ai = "gone".into()), usual.choices());
        assert_eq!(choose(|choices| choices.play_seconds = f32::NAN), usual.choices());
        let many = choose(|choices| (choices.players, choices.humans) = (u32::MAX, u32::MAX));
        assert_eq!((many.players, many.humans), (64, 2));
        let few = choose(|choices| (choices.players, choices.humans) = (0, 0));
        assert_eq!((few.players, few.humans), (2, 0));
        assert_eq!(choose(|choices| choices.players = 1).players, 2);
    }

    #[test]
    fn chosen_ai_stays_in_another_mode() {
        let mut title = title(1);
        title.select(Row::Ai);
        title.change(1);
        title.select(Row::Mode);
        title.change(1);
        title.change(1);
        assert_eq!((title.mode().name.as_str(), title.choice(Row::Ai).as_str()), ("calm", "sharp"), "both defaults");
        title.select(Row::Ai);
        title.change(-1);
        title.select(Row::Mode);
        title.change(1);
        assert_eq!((title.mode().name.as_str(), title.choice(Row::Ai).as_str()), ("wild", "mixed"));
    }

    #[test]
    fn lengths_are_sorted_and_begin_with_the_given_one() {
        let mut title = title(1);
        assert_eq!(title.choice(Row::Length), "90 s");
        title.select(Row::Length);
        title.change(1);
        assert_eq!(title.setup(1).play_seconds, Some(180.0));
        (0..5).for_each(|_| title.change(-1));
        assert_eq!(title.setup(1).play_seconds, Some(45.0));
    }

    #[test]
    fn mode_sets_its_players_ai_and_length() {
        let mut title = title(1);
        title.select(Row::Mode);
        title.change(1);
        assert_eq!((title.mode().name.as_str(), title.choice(Row::Mode).as_str()), ("wild", "WILD"));
        assert_eq!([Row::Players, Row::Ai, Row::Length].map(|row| title.choice(row)), ["200", "dull", "45 s"]);
        title.select(Row::Players);
        title.change(-1);
        assert_eq!(title.choice(Row::Players), "64");
        title.change(1);
        assert_eq!(title.choice(Row::Players), "200");
        title.change(1);
        assert_eq!(title.choice(Row::Players), "200");
        title.select(Row::Mode);
        title.change(1);
        assert_eq!([Row::Players, Row::Ai, Row::Length].map(|row| title.choice(row)), ["4", "sharp", "90 s"]);
    }

    #[test]
    fn level_with_few_places_limits_the_players() {
        let mut options = options();
        options.modes[0].most_players = Some(6);
        let mut title = Title::new(&options);
        title.select(Row::Players);
        (0..10).for_each(|_| title.change(1));
        assert_eq!(title.choice(Row::Players), "6");
    }

    #[test]
    fn chosen_level_limits_players_and_people_only_while_it_is_chosen() {
        let mut title = title(2);
        title.choose_mode(1);
        assert_eq!((title.choice(Row::Level), title.level()), ("Crossing (default)".to_owned(), None));
        title.select(Row::Level);
        title.change(1);
        assert!(title.draws_seeds());
        assert_eq!((title.choice(Row::Players), title.setup(1).seats.len()), ("16".to_owned(), 16));
        assert_eq!(title.level().map(|level| level.starts_with("seed:")), Some(true));
        title.change(-1);
        assert_eq!((title.choice(Row::Players), title.draws_seeds()), ("200".to_owned(), false));
        title.choose_mode(0);
        title.select(Row::Players);
        (0..10).for_each(|_| title.change(1));
        title.select(Row::Level);
        title.change(1);
        assert_eq!([Row::Level, Row::Players].map(|row| title.choice(row)), ["Crossing", "6"]);
        assert_eq!(title.enter(), Request::Start);
        title.change(-1);
        assert_eq!(title.choice(Row::Players), "14");
    }

    #[test]
    fn chosen_level_stays_in_a_mode_that_has_it_and_is_taken_again_the_next_time() {
        let mut before = title(2);
        before.select(Row::Level);
        before.change(-1);
        let seed = before.level();
        before.choose_mode(1);
        assert_eq!((before.level(), seed.is_some()), (seed, true));
        let mut after = title(2);
        after.take(&before.choices());
        assert_eq!((after.level(), after.setup(1)), (before.level(), before.setup(1)));
        before.choose_mode(0);
        before.select(Row::Level);
        before.change(-1);
        assert_eq!(before.level().as_deref(), Some("deep_wood"));
        before.choose_mode(1);
        assert_eq!((before.level(), before.choices().level), (None, String::new()), "that mode does not have it");
    }

    #[test]
    fn lines_wrap_around() {
        let mut title = title(1);
        title.select(Row::Quit);
        title.down();
        assert_eq!(title.selected(), Row::Mode);
        title.up();
        assert_eq!(title.enter(), Request::Quit);
    }
}
