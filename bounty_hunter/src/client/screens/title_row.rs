//! The lines of the title screen.

use crate::client::translation::tr;

/// A line of the title screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    Mode,
    Level,
    Players,
    /// Number of people.
    Humans,
    /// Profile of the AIs.
    Ai,
    Length,
    Start,
    /// Plays with others, at this screen or over a network.
    Together,
    /// The match of the day.
    Daily,
    Results,
    Tutorial,
    Settings,
    Quit,
    /// Declines the tutorial at the first start.
    NotNow,
}

/// The lines at the first start.
pub(super) const OFFER: [Row; 2] = [Row::Tutorial, Row::NotNow];

/// All lines, from the top.
pub(crate) const ROWS: [Row; 13] = [
    Row::Mode,
    Row::Level,
    Row::Players,
    Row::Humans,
    Row::Ai,
    Row::Length,
    Row::Start,
    Row::Together,
    Row::Daily,
    Row::Results,
    Row::Tutorial,
    Row::Settings,
    Row::Quit,
];

impl Row {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Mode => tr("Mode"),
            Self::Level => tr("Level"),
            Self::Players => tr("Players"),
            Self::Humans => tr("People"),
            Self::Ai => tr("AI level"),
            Self::Length => tr("Length"),
            Self::Start => tr("Start"),
            Self::Together => tr("Play together"),
            Self::Daily => tr("Match of the day"),
            Self::Results => tr("Results"),
            Self::Tutorial => tr("How to play"),
            Self::Settings => tr("Settings"),
            Self::Quit => tr("Quit"),
            Self::NotNow => tr("Not now"),
        }
    }

    /// Whether the line shows a choice.
    pub(crate) fn has_choice(self) -> bool {
        matches!(self, Self::Mode | Self::Level | Self::Players | Self::Humans | Self::Ai | Self::Length)
    }
}
