//! The buttons of a gamepad, on every platform.

use super::bindings::Action;
use bounty_hunter_simulation::keymap::Key;

/// Pads at the same time, one for each person.
pub(super) const MAX_PADS: usize = 4;

/// A button, or a direction of the stick or of the cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PadButton {
    Up,
    Down,
    Left,
    Right,
    /// A on an Xbox pad.
    South,
    /// B.
    East,
    /// X.
    West,
    /// Y.
    North,
    /// The right shoulder.
    Shoulder,
    Select,
    Start,
}

impl PadButton {
    /// All buttons, in the order of the bits of `page_pad` in `bounty_hunter/web/page/page.js`.
    pub(crate) const ALL: [Self; 11] = [
        Self::Up,
        Self::Down,
        Self::Left,
        Self::Right,
        Self::South,
        Self::East,
        Self::West,
        Self::North,
        Self::Shoulder,
        Self::Select,
        Self::Start,
    ];

    /// The key that does the same in a menu.
    pub(crate) fn menu_key(self) -> Option<Key> {
        match self {
            Self::Up => Some(Key::Up),
            Self::Down => Some(Key::Down),
            Self::Left => Some(Key::Left),
            Self::Right => Some(Key::Right),
            Self::South | Self::Start => Some(Key::Enter),
            Self::East | Self::Select => Some(Key::Escape),
            Self::West | Self::North | Self::Shoulder => None,
        }
    }

    /// The button for an action of any person, with a letter where several do the same.
    pub(crate) fn of(action: Action) -> Option<Self> {
        let mut letters_first = Self::ALL.into_iter().rev();
        letters_first.find(|button| (0..MAX_PADS).any(|person| button.action(person) == action))
    }

    /// What is written on it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Up => "↑",
            Self::Down => "↓",
            Self::Left => "←",
            Self::Right => "→",
            Self::South => "A",
            Self::East => "B",
            Self::West => "X",
            Self::North => "Y",
            Self::Shoulder => "R",
            Self::Select => "Select",
            Self::Start => "Start",
        }
    }

    /// What it does in a match for a person.
    pub(crate) fn action(self, person: usize) -> Action {
        match self {
            Self::Up | Self::South => Action::Forward(person),
            Self::Down | Self::East => Action::Reverse(person),
            Self::Left => Action::Left(person),
            Self::Right => Action::Right(person),
            Self::West => Action::Purge(person),
            Self::North => Action::Strike(person),
            Self::Shoulder => Action::Magnet(person),
            Self::Select => Action::Rewind,
            Self::Start => Action::Pause,
        }
    }
}

/// A press or a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PadEvent {
    /// The person that holds the pad.
    pub(crate) person: usize,
    pub(crate) button: PadButton,
    pub(crate) is_down: bool,
}
