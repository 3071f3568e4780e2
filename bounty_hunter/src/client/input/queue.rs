//! From keys and buttons to the inputs of a step: held ones become intents, pressed ones become commands and spells.

use glam::Vec2;

use super::bindings::Action;
use super::pad_button::PadButton;
use super::stick::steered;
use bounty_hunter_simulation::input::{Command, Inputs, Intent};
use bounty_hunter_simulation::keymap::Key;
use bounty_hunter_simulation::simulation::view::{GameState, View};
use bounty_hunter_simulation::spell::Spell;

/// Reverse speed of a person, as a share of the top speed.
const REVERSE_DRIVE: f32 = -0.5;

/// What can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    Key(Key),
    /// A button on the pad of a person.
    Pad(usize, PadButton),
    /// A finger on a button of the screen.
    Finger(u64),
}

/// A switch that was pressed.
#[derive(Clone, Copy, Debug)]
struct Held {
    switch: Switch,
    action: Action,
    /// Whether a step has had it.
    is_taken: bool,
    /// Whether it was released before a step had it: it counts as held until then, however short the press was.
    is_released: bool,
}

/// What is held, and what was pressed since the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputQueue {
    /// In the order of the presses.
    held: Vec<Held>,
    commands: Vec<Command>,
    /// With the number of the person who casts.
    casts: Vec<(usize, Spell)>,
    /// The push of the stick on the screen, which the first person has.
    push: Option<Vec2>,
}

impl InputQueue {
    /// Takes the push of the stick on the screen as it is now; `None` without a finger on it.
    pub(crate) fn push(&mut self, push: Option<Vec2>) {
        self.push = push;
    }

    /// Takes the press of a switch for an action, in a state of the match; returns `false`, and changes nothing, if it
    /// is held already.
    pub(crate) fn press(&mut self, switch: Switch, action: Action, state: GameState) -> bool {
        if self.held.iter().any(|held| held.switch == switch && !held.is_released) {
            return false;
        }
        self.held.push(Held { switch, action, is_taken: false, is_released: false });
        match action {
            Action::Purge(person) => self.casts.push((person, Spell::Purge)),
            Action::Strike(person) => self.casts.push((person, Spell::Strike)),
            Action::Magnet(person) => self.casts.push((person, Spell::Magnet)),
            Action::Pause | Action::Quit if state.is_match() => self.command(Command::Pause),
            Action::Pause => self.command(Command::Resume),
            Action::Quit => self.command(Command::Quit),
            Action::Restart => self.command(Command::Restart),
            Action::Cheat(cheat) => self.command(Command::Cheat(cheat)),
            _ => {}
        }
        true
    }

    pub(crate) fn release(&mut self, switch: Switch) {
        self.held.retain_mut(|held| {
            held.is_released |= held.switch == switch;
            !(held.is_released && held.is_taken)
        });
    }

    /// Releases everything: a window in the background is not told of releases.
    pub(crate) fn release_all(&mut self) {
        self.held.clear();
        self.push = None;
    }

    /// Whether a switch for an action is held.
    pub(crate) fn holds(&self, action: Action) -> bool {
        self.held.iter().any(|held| held.action == action && !held.is_released)
    }

    pub(crate) fn command(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Drops what was pressed, while it means nothing to the match. What is held stays held.
    pub(crate) fn forget_presses(&mut self) {
        self.held.retain(|held| !held.is_released);
        self.commands.retain(|command| *command == Command::Close);
        self.casts.clear();
    }

    /// Whether [`Command::Close`] is among the commands.
    pub(crate) fn is_closing(&self) -> bool {
        self.commands.contains(&Command::Close)
    }

    /// Replaces `inputs` by those of the step after `view`: the commands and spells, and the intents that have changed.
    pub(crate) fn take_into(&mut self, inputs: &mut Inputs, view: &View) {
        inputs.commands.clear();
        inputs.intents.clear();
        inputs.casts.clear();
        inputs.commands.append(&mut self.commands);
        for player in &view.players {
            let Some(person) = player.person.map(usize::from) else { continue };
            let heading = || view.collectors.iter().find(|one| one.player == player.index).map(|one| one.heading);
            let intent = match self.push.filter(|_| person == 0) {
                Some(push) => heading().map_or(Intent::IDLE, |heading| steered(push, heading)),
                None => self.intent(person),
            };
            if intent != player.intent {
                inputs.intents.push((player.index, intent));
            }
            let casts = self.casts.iter().filter(|(caster, _)| *caster == person);
            inputs.casts.extend(casts.map(|(_, spell)| (player.index, *spell)));
        }
        self.casts.clear();
        self.held.retain(|held| !held.is_released);
        self.held.iter_mut().for_each(|held| held.is_taken = true);
    }

    /// What a person wants. Of two opposite switches the one pressed last counts.
    fn intent(&self, person: usize) -> Intent {
        let latest = |action| self.held.iter().rposition(|held| held.action == action);
        let pick = |plus, minus, plus_share, minus_share| match latest(plus).cmp(&latest(minus)) {
            std::cmp::Ordering::Greater => plus_share,
            std::cmp::Ordering::Less => minus_share,
            std::cmp::Ordering::Equal => 0.0,
        };
        Intent {
            drive: pick(Action::Forward(person), Action::Reverse(person), 1.0, REVERSE_DRIVE),
            turn: pick(Action::Left(person), Action::Right(person), 1.0, -1.0),
        }
    }
}

#[cfg(test)]
mod tests;
