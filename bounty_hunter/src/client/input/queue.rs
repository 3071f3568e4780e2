//! Hands what happened at the keyboard to the simulation's steps: each edge to exactly one step.

use crate::data::input::{InputEvent, Inputs, Key, MouseButton};

/// Events of rendered frames on their way to the next step, and what is held.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputQueue {
    pending: Vec<InputEvent>,
    held_keys: Vec<Held<Key>>,
    held_buttons: Vec<Held<MouseButton>>,
    pointer_px: (i32, i32),
}

#[derive(Clone, Copy, Debug)]
struct Held<T> {
    what: T,
    went_down_in_this_step: bool,
}

impl InputQueue {
    /// A key went down; one that is held already (the system's auto-repeat) changes nothing.
    pub(crate) fn key_down(&mut self, key: Key) {
        if !self.held_keys.iter().any(|held| held.what == key) {
            self.held_keys.push(Held { what: key, went_down_in_this_step: true });
            self.pending.push(InputEvent::KeyDown(key));
        }
    }

    /// A key came up; one that was not held changes nothing.
    pub(crate) fn key_up(&mut self, key: Key) {
        if let Some(index) = self.held_keys.iter().position(|held| held.what == key) {
            self.held_keys.remove(index);
            self.pending.push(InputEvent::KeyUp(key));
        }
    }

    /// The pointer moved to a position in pixels.
    pub(crate) fn pointer_moved(&mut self, x_px: i32, y_px: i32) {
        self.pointer_px = (x_px, y_px);
    }

    /// A mouse button went down where the pointer is.
    pub(crate) fn button_down(&mut self, button: MouseButton) {
        if !self.held_buttons.iter().any(|held| held.what == button) {
            self.held_buttons.push(Held { what: button, went_down_in_this_step: true });
            self.pending.push(InputEvent::ButtonDown(button, self.pointer_px.0, self.pointer_px.1));
        }
    }

    /// A mouse button came up where the pointer is.
    pub(crate) fn button_up(&mut self, button: MouseButton) {
        if let Some(index) = self.held_buttons.iter().position(|held| held.what == button) {
            self.held_buttons.remove(index);
            self.pending.push(InputEvent::ButtonUp(button, self.pointer_px.0, self.pointer_px.1));
        }
    }

    /// A key that goes down and up at once, as when an option of a menu is chosen by mouse.
    pub(crate) fn tap(&mut self, key: Key) {
        self.pending.extend([InputEvent::KeyDown(key), InputEvent::KeyUp(key)]);
    }

    /// Anything else that happened.
    pub(crate) fn push(&mut self, event: InputEvent) {
        self.pending.push(event);
    }

    /// Everything that is held comes up, as when the window is no longer in front and would not be told.
    pub(crate) fn release_all(&mut self) {
        self.pending.extend(self.held_keys.drain(..).map(|held| InputEvent::KeyUp(held.what)));
        let (x, y) = self.pointer_px;
        self.pending.extend(self.held_buttons.drain(..).map(|held| InputEvent::ButtonUp(held.what, x, y)));
    }

    /// Forgets keys and buttons that went down or came up; what is held stays held. For a time in which they mean nothing.
    pub(crate) fn forget_keys(&mut self) {
        use InputEvent::{ButtonDown, ButtonPressed, ButtonUp, KeyDown, KeyPressed, KeyUp};
        self.pending.retain(|event| match event {
            KeyDown(_) | KeyPressed(_) | KeyUp(_) | ButtonDown(..) | ButtonPressed(..) | ButtonUp(..) => false,
            InputEvent::WindowResized(..)
            | InputEvent::WindowMinimized
            | InputEvent::WindowRestored
            | InputEvent::QuitRequested => true,
        });
        self.held_keys.iter_mut().for_each(|held| held.went_down_in_this_step = false);
        self.held_buttons.iter_mut().for_each(|held| held.went_down_in_this_step = false);
    }

    /// Whether the end of the game was asked for, and is yet to be told.
    pub(crate) fn is_closing(&self) -> bool {
        self.pending.contains(&InputEvent::QuitRequested)
    }

    /// Moves what is pending into the inputs of one step and adds a repeat for whatever was held before it.
    pub(crate) fn take_into(&mut self, inputs: &mut Inputs) {
        inputs.events.clear();
        inputs.intents.clear();
        inputs.casts.clear();
        inputs.events.append(&mut self.pending);
        for held in &mut self.held_keys {
            if !std::mem::take(&mut held.went_down_in_this_step) {
                inputs.events.push(InputEvent::KeyPressed(held.what));
            }
        }
        let (x, y) = self.pointer_px;
        for held in &mut self.held_buttons {
            if !std::mem::take(&mut held.went_down_in_this_step) {
                inputs.events.push(InputEvent::ButtonPressed(held.what, x, y));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use InputEvent::{ButtonDown, ButtonPressed, ButtonUp, KeyDown, KeyPressed, KeyUp};

    fn step(queue: &mut InputQueue) -> Vec<InputEvent> {
        let mut inputs = Inputs::none();
        queue.take_into(&mut inputs);
        inputs.events
    }

    #[test]
    fn edge_waits_for_the_next_step_over_frames_without_one() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::W); // a frame without a step
        queue.key_down(Key::A); // another one
        assert_eq!(step(&mut queue), [KeyDown(Key::W), KeyDown(Key::A)]);
    }

    #[test]
    fn keys_of_a_time_in_which_they_mean_nothing_are_forgotten_and_what_is_held_is_told_later() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::W);
        queue.key_down(Key::A);
        queue.push(InputEvent::WindowMinimized);
        queue.key_up(Key::A);
        queue.button_down(MouseButton::Left);
        queue.forget_keys();
        assert!(!queue.is_closing());
        queue.push(InputEvent::QuitRequested);
        queue.forget_keys();
        assert!(queue.is_closing());
        let window = [InputEvent::WindowMinimized, InputEvent::QuitRequested];
        let held = [KeyPressed(Key::W), ButtonPressed(MouseButton::Left, 0, 0)];
        assert_eq!(step(&mut queue), [window, held].concat());
    }

    #[test]
    fn edge_reaches_only_the_first_of_two_steps_in_a_frame() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::W);
        assert_eq!(step(&mut queue), [KeyDown(Key::W)]);
        assert_eq!(step(&mut queue), [KeyPressed(Key::W)]);
        queue.key_up(Key::W);
        assert_eq!(step(&mut queue), [KeyUp(Key::W)]);
        assert_eq!(step(&mut queue), []);
    }

    #[test]
    fn short_tap_within_a_frame_keeps_both_edges_in_order() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::P);
        queue.key_up(Key::P);
        assert_eq!(step(&mut queue), [KeyDown(Key::P), KeyUp(Key::P)]);
    }

    #[test]
    fn auto_repeat_of_the_system_is_no_second_edge() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::W);
        queue.key_down(Key::W);
        assert_eq!(step(&mut queue), [KeyDown(Key::W)]);
        queue.key_down(Key::W);
        assert_eq!(step(&mut queue), [KeyPressed(Key::W)]);
    }

    #[test]
    fn key_that_was_never_down_does_not_come_up() {
        let mut queue = InputQueue::default();
        queue.key_up(Key::Q);
        queue.button_up(MouseButton::Left);
        assert_eq!(step(&mut queue), []);
    }

    #[test]
    fn losing_the_window_releases_what_is_held_once() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::Up);
        queue.pointer_moved(7, 9);
        queue.button_down(MouseButton::Right);
        step(&mut queue);
        queue.release_all();
        queue.key_up(Key::Up);
        assert_eq!(step(&mut queue), [KeyUp(Key::Up), ButtonUp(MouseButton::Right, 7, 9)]);
        assert_eq!(step(&mut queue), []);
    }

    #[test]
    fn held_button_repeats_where_the_pointer_is_now() {
        let mut queue = InputQueue::default();
        queue.pointer_moved(1, 2);
        queue.button_down(MouseButton::Left);
        assert_eq!(step(&mut queue), [ButtonDown(MouseButton::Left, 1, 2)]);
        queue.pointer_moved(3, 4);
        assert_eq!(step(&mut queue), [ButtonPressed(MouseButton::Left, 3, 4)]);
    }

    #[test]
    fn old_contents_of_the_inputs_are_replaced() {
        let mut inputs = Inputs::none().key_down(Key::Z);
        InputQueue::default().take_into(&mut inputs);
        assert_eq!(inputs, Inputs::none());
    }
}
