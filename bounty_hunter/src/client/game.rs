//! The interface between the window and the match that it shows.

use std::fmt::Display;
use std::path::PathBuf;

use glam::Vec2;

use crate::client::feat_names::feat_name;
use crate::client::translation::{tr_with, with_values};
use bounty_hunter_simulation::feats::Feat;
use bounty_hunter_simulation::input::Inputs;
use bounty_hunter_simulation::replay::Playback;
use bounty_hunter_simulation::simulation::view::View;
use bounty_hunter_simulation::simulation::{Simulation, StepReport};

/// A match in the window: advanced by inputs and shown through views.
pub trait Game {
    /// Runs one step.
    fn step(&mut self, inputs: &Inputs) -> StepReport;

    /// Overwrites `view` with the state after the last step, and reuses its memory.
    fn view_into(&self, view: &mut View);

    /// Whether the last step led to another moment of the match, so that nothing is drawn between the two; asked for
    /// once.
    fn take_jump(&mut self) -> bool {
        false
    }

    /// Whether the match is also played in other windows, over a network.
    fn network_role(&self) -> NetworkRole {
        NetworkRole::Alone
    }

    /// Whether no further step can be taken, so that the keys of the menu leave the match.
    fn has_ended(&self) -> bool {
        false
    }

    /// Whether the match can be restarted.
    fn can_restart(&self) -> bool {
        true
    }

    /// Opens the inspector of the match, if it has one.
    fn open_inspector(&mut self) {}

    /// Marks the object at a place of the arena, for an inspector.
    fn mark(&mut self, _place: Vec2) {}

    /// The place and the half extent of the marked object, metres.
    fn marked(&self) -> Option<(Vec2, f32)> {
        None
    }

    /// Rewinds by this many steps, or as far as possible; returns whether the step changed.
    fn go_back(&mut self, _steps: u32) -> bool {
        false
    }

    /// Steps per second at normal speed. Loading a match of another mode can change it.
    fn steps_per_second(&self) -> u32;

    /// Number of steps that can be rewound; `None` without a history.
    fn steps_back(&self) -> Option<u64> {
        None
    }

    /// Saves the match; a notice reports the outcome.
    fn save(&mut self) {}

    /// Loads the saved match; returns whether that succeeded.
    fn load(&mut self) -> bool {
        false
    }

    /// Whether [`replay`](Self::replay) returns something.
    fn is_recorded(&self) -> bool {
        false
    }

    /// The match so far, to watch it; `None` if it is not recorded.
    ///
    /// # Errors
    /// A sentence for the player that says what is wrong.
    fn replay(&mut self) -> Option<Result<Playback, String>> {
        None
    }

    /// The best recorded match of the only person in this one, before its first step: in the same mode and
    /// level, with as many players, of the same length, and for a match of a day of the same day. `None` if there is
    /// none that can be played, and where it could not be compared, as in a match with lives.
    fn own_best(&self) -> Option<Playback> {
        None
    }

    /// The file for a film of the highlight of the match, which does not exist yet; `None` if no film can be made here.
    fn film_file(&self) -> Option<PathBuf> {
        None
    }

    /// How the line of a match over a network is, a few short lines beside the times of frames; nothing for another
    /// match.
    fn line_report(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether [`download`](Self::download) hands out a file.
    fn can_download(&self) -> bool {
        false
    }

    /// Hands the replay of a finished match to the person as a file, where the program keeps no files.
    fn download(&mut self) {}

    /// The result of a finished try of the match of the day, in one line to share; `None` for another match.
    fn result_line(&mut self) -> Option<String> {
        None
    }

    /// A sentence to show, such as a mistake in a watched file; `None` to show nothing.
    fn notice(&self) -> Option<Notice> {
        None
    }
}

/// A sentence at the lower edge of the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    sentence: Sentence,
    is_success: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Sentence {
    /// A text of the window with its values, which is translated.
    OfTheWindow(&'static str, Vec<(&'static str, String)>),
    /// A sentence from elsewhere.
    Foreign(String),
}

impl Notice {
    /// Something was done: an English text of the window, in which `{name}` stands for the value of that name. The
    /// built-in languages translate it.
    #[must_use]
    pub fn success(text: &'static str, values: &[(&'static str, &dyn Display)]) -> Self {
        Self { is_success: true, ..Self::problem(text, values) }
    }

    /// Something was not done or needs attention; a text as that of [`success`](Self::success).
    #[must_use]
    pub fn problem(text: &'static str, values: &[(&'static str, &dyn Display)]) -> Self {
        let values = values.iter().map(|(name, value)| (*name, value.to_string())).collect();
        Self { sentence: Sentence::OfTheWindow(text, values), is_success: false }
    }

    /// Feats that a person has achieved for the first time: the first names in the language of the window, and how many
    /// more.
    #[must_use]
    pub fn new_feats(feats: &[Feat]) -> Self {
        const NAMED: usize = 3;
        let names: Vec<String> = feats.iter().take(NAMED).map(feat_name).collect();
        let names = names.join(" · ");
        match feats.len().saturating_sub(NAMED) {
            0 => Self::success("new: {feats}", &[("feats", &names)]),
            more => Self::success("new: {feats} and {more} more", &[("feats", &names), ("more", &more)]),
        }
    }

    /// A problem in a sentence from elsewhere, such as a mistake in a file; it is shown as it is.
    #[must_use]
    pub fn foreign(sentence: String) -> Self {
        Self { sentence: Sentence::Foreign(sentence), is_success: false }
    }

    /// The sentence in English, for a log.
    #[must_use]
    pub fn in_english(&self) -> String {
        self.sentence(with_values)
    }

    /// The sentence in the language of the window.
    #[must_use]
    pub fn in_the_language(&self) -> String {
        self.sentence(|text, values| tr_with(text, values))
    }

    fn sentence(&self, with_values: impl FnOnce(&'static str, &[(&str, &dyn Display)]) -> String) -> String {
        match &self.sentence {
            Sentence::OfTheWindow(text, values) => {
                let values: Vec<(&str, &dyn Display)> =
                    values.iter().map(|(name, value)| (*name, value as &dyn Display)).collect();
                with_values(text, &values)
            }
            Sentence::Foreign(sentence) => sentence.clone(),
        }
    }

    /// Whether it tells of a success.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.is_success
    }
}

impl Game for Simulation {
    fn step(&mut self, inputs: &Inputs) -> StepReport {
        Self::step(self, inputs)
    }

    fn view_into(&self, view: &mut View) {
        Self::view_into(self, view);
    }

    fn steps_per_second(&self) -> u32 {
        Self::steps_per_second(self)
    }
}

/// Whether a match is also played in other windows. Those cannot wait while this one shows something else, such as the
/// settings, and only the host begins the match again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkRole {
    /// Only in this window.
    #[default]
    Alone,
    /// Guests have joined this window over a network.
    Host,
    /// This window has joined a host over a network.
    Guest,
}

/// The purpose of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPurpose {
    /// Runs behind the title.
    Title,
    /// A match with lessons in place of a goal and a clock.
    Tutorial,
    /// Is played.
    Match,
    /// Is played as a try of the match of the day.
    Daily,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::translation::{choose, set_languages};
    use bounty_hunter_simulation::assets::Assets;

    #[test]
    fn notice_is_shown_in_the_language_of_the_window_and_logged_in_english() {
        set_languages(&Assets::built_in().languages);
        choose("de");
        let saved = Notice::success("saved as {name}", &[("name", &"quick {2}")]);
        assert_eq!(saved.in_the_language(), "gespeichert als quick {2}");
        assert_eq!((saved.in_english(), saved.is_success()), ("saved as quick {2}".to_owned(), true));
        let foreign = Notice::foreign("wall.ron:1:2: {x} is odd".to_owned());
        assert_eq!((foreign.in_the_language(), foreign.is_success()), ("wall.ron:1:2: {x} is odd".to_owned(), false));
        choose("");
    }
}
