//! The input of a step: commands, intents and spells.
//!
//! The simulation knows no keyboard: a window, a network and a test fill the same [`Inputs`], and so does a replay.

use serde::{Deserialize, Serialize};

use crate::data::spell::Spell;

/// What a person, or a program, wants of the match as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Pause the match; while it is being built, pause it afterwards.
    Pause,
    /// End the pause.
    Resume,
    /// Begin the match again; granted in a pause and after the end.
    Restart,
    /// End the game; granted in a pause and after the end.
    Quit,
    /// End the game from any state: the window was closed.
    Close,
    /// Cheat, while the match runs.
    Cheat(Cheat),
    /// [`Inputs::intents`] drive this player from now on, instead of its AI, until it is released or the match begins
    /// again.
    TakeSeat(u32),
    /// The AI drives this player again.
    ReleaseSeat(u32),
}

/// A cheat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cheat {
    /// Let a person without a seat drive the first AI's collector.
    Possess,
    /// Give it back.
    Release,
    /// Change to the next AI's collector.
    Next,
    /// Change to the previous AI's collector.
    Previous,
    /// Kill all collectors.
    KillCollectors,
    /// Kill all bounties.
    KillBounties,
    /// Log all rigid bodies.
    LogPhysics,
}

/// The input of one step, in order of occurrence.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// Commands since the last step.
    pub commands: Vec<Command>,
    /// Changes by hand, in the studio or in the tables of a save, each in the bytes of its saved form; they come first.
    pub edits: Vec<Vec<u8>>,
    /// Intents by player, for the seats that no AI drives; a seat keeps its last intent.
    pub intents: Vec<(u32, Intent)>,
    /// Spells by player, for any seat; ignored in a match without spells.
    pub casts: Vec<(u32, Spell)>,
}

impl Clone for Inputs {
    fn clone(&self) -> Self {
        let Self { commands, edits, intents, casts } = self;
        Self { commands: commands.clone(), edits: edits.clone(), intents: intents.clone(), casts: casts.clone() }
    }

    /// Keeps the memory that is there: a step allocates nothing.
    fn clone_from(&mut self, other: &Self) {
        let Self { commands, edits, intents, casts } = other;
        self.commands.clone_from(commands);
        self.edits.clone_from(edits);
        self.intents.clone_from(intents);
        self.casts.clone_from(casts);
    }
}

impl Inputs {
    /// No input.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether there is no input.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds a command.
    #[must_use]
    pub fn with(mut self, command: Command) -> Self {
        self.commands.push(command);
        self
    }

    /// Sets the intent of a seat.
    #[must_use]
    pub fn intent(mut self, player: u32, intent: Intent) -> Self {
        self.intents.push((player, intent));
        self
    }

    /// Requests a spell for a player.
    #[must_use]
    pub fn cast(mut self, player: u32, spell: Spell) -> Self {
        self.casts.push((player, spell));
        self
    }
}

/// What a player wants its collector to do in one step. People, AIs and scripts all yield one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Forward speed as a share of the collector's top speed, −1 (reverse) to 1.
    pub drive: f32,
    /// Turning speed as a share of the collector's top turning speed, −1 (right, clockwise) to 1 (left).
    pub turn: f32,
}

impl Intent {
    /// Neither drives nor turns.
    pub const IDLE: Self = Self { drive: 0.0, turn: 0.0 };

    /// The intent with both shares clamped to −1..=1; NaN becomes 0.
    #[must_use]
    pub fn clamped(self) -> Self {
        let clamp = |share: f32| if share.is_nan() { 0.0 } else { share.clamp(-1.0, 1.0) };
        Self { drive: clamp(self.drive), turn: clamp(self.turn) }
    }
}
