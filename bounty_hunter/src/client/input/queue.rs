//! Distributes window events to the steps of the simulation: each press and release reaches exactly one step.

use crate::data::input::{InputEvent, Inputs, Key, MouseButton};

/// Events for the next step, and the held keys and buttons.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputQueue {
    pending: Vec<InputEvent>,
    held_keys: Vec<Key>,
    held_buttons: Vec<MouseButton>,
    pointer_px: (i32, i32),
}

impl InputQueue {
    /// Adds a press; a key that is held already (auto-repeat) changes nothing.
    pub(crate) fn key_down(&mut self, key: Key) {
        if !self.held_keys.contains(&key) {
            self.held_keys.push(key);
            self.pending.push(InputEvent::KeyDown(key));
        }
    }

    /// Adds a release; a key that is not held changes nothing.
    pub(crate) fn key_up(&mut self, key: Key) {
        if let Some(index) = self.held_keys.iter().position(|held| *held == key) {
            self.held_keys.remove(index);
            self.pending.push(InputEvent::KeyUp(key));
        }
    }

    pub(crate) fn pointer_moved(&mut self, x_px: i32, y_px: i32) {
        self.pointer_px = (x_px, y_px);
    }

    /// Adds a press at the position of the pointer.
    pub(crate) fn button_down(&mut self, button: MouseButton) {
        if !self.held_buttons.contains(&button) {
            self.held_buttons.push(button);
            self.pending.push(InputEvent::ButtonDown(button, self.pointer_px.0, self.pointer_px.1));
        }
    }

    /// Adds a release at the position of the pointer.
    pub(crate) fn button_up(&mut self, button: MouseButton) {
        if let Some(index) = self.held_buttons.iter().position(|held| *held == button) {
            self.held_buttons.remove(index);
            self.pending.push(InputEvent::ButtonUp(button, self.pointer_px.0, self.pointer_px.1));
        }
    }

    /// Adds a press and a release, for an option of a menu that is chosen by mouse.
    pub(crate) fn tap(&mut self, key: Key) {
        self.pending.extend([InputEvent::KeyDown(key), InputEvent::KeyUp(key)]);
    }

    /// Adds any other event.
    pub(crate) fn push(&mut self, event: InputEvent) {
        self.pending.push(event);
    }

    /// Releases all keys and buttons: a window in the background is not told of releases.
    pub(crate) fn release_all(&mut self) {
        self.pending.extend(self.held_keys.drain(..).map(InputEvent::KeyUp));
        let (x, y) = self.pointer_px;
        self.pending.extend(self.held_buttons.drain(..).map(|button| InputEvent::ButtonUp(button, x, y)));
    }

    /// Drops pending presses and releases, while they mean nothing to the match. Held keys stay held.
    pub(crate) fn forget_keys(&mut self) {
        use InputEvent::{QuitRequested, WindowMinimized, WindowResized, WindowRestored};
        self.pending
            .retain(|event| matches!(event, WindowResized(..) | WindowMinimized | WindowRestored | QuitRequested));
    }

    /// Whether a request to quit is pending.
    pub(crate) fn is_closing(&self) -> bool {
        self.pending.contains(&InputEvent::QuitRequested)
    }

    /// Moves the pending events into the inputs of one step, and adds a repeat for each key and button that was held before.
    pub(crate) fn take_into(&mut self, inputs: &mut Inputs) {
        inputs.events.clear();
        inputs.intents.clear();
        inputs.casts.clear();
        inputs.events.append(&mut self.pending);
        for key in &self.held_keys {
            if !inputs.events.contains(&InputEvent::KeyDown(*key)) {
                inputs.events.push(InputEvent::KeyPressed(*key));
            }
        }
        let (x, y) = self.pointer_px;
        for button in &self.held_buttons {
            let is_down_now = |event: &InputEvent| matches!(event, InputEvent::ButtonDown(down, ..) if down == button);
            if !inputs.events.iter().any(is_down_now) {
                inputs.events.push(InputEvent::ButtonPressed(*button, x, y));
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
    fn press_waits_through_frames_without_a_step() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::W); // a frame without a step
        queue.key_down(Key::A); // another one
        assert_eq!(step(&mut queue), [KeyDown(Key::W), KeyDown(Key::A)]);
    }

    #[test]
    fn forgotten_keys_that_are_still_held_repeat_later() {
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
    fn press_reaches_only_the_first_of_two_steps_in_a_frame() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::W);
        assert_eq!(step(&mut queue), [KeyDown(Key::W)]);
        assert_eq!(step(&mut queue), [KeyPressed(Key::W)]);
        queue.key_up(Key::W);
        assert_eq!(step(&mut queue), [KeyUp(Key::W)]);
        assert_eq!(step(&mut queue), []);
    }

    #[test]
    fn tap_within_a_frame_is_a_press_and_a_release() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::P);
        queue.key_up(Key::P);
        assert_eq!(step(&mut queue), [KeyDown(Key::P), KeyUp(Key::P)]);
    }

    #[test]
    fn auto_repeat_is_not_a_second_press() {
        let mut queue = InputQueue::default();
        queue.key_down(Key::W);
        queue.key_down(Key::W);
        assert_eq!(step(&mut queue), [KeyDown(Key::W)]);
        queue.key_down(Key::W);
        assert_eq!(step(&mut queue), [KeyPressed(Key::W)]);
    }

    #[test]
    fn release_without_a_press_is_ignored() {
        let mut queue = InputQueue::default();
        queue.key_up(Key::Q);
        queue.button_up(MouseButton::Left);
        assert_eq!(step(&mut queue), []);
    }

    #[test]
    fn losing_the_window_releases_held_keys_once() {
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
    fn held_button_repeats_at_the_pointer() {
        let mut queue = InputQueue::default();
        queue.pointer_moved(1, 2);
        queue.button_down(MouseButton::Left);
        assert_eq!(step(&mut queue), [ButtonDown(MouseButton::Left, 1, 2)]);
        queue.pointer_moved(3, 4);
        assert_eq!(step(&mut queue), [ButtonPressed(MouseButton::Left, 3, 4)]);
    }

    #[test]
    fn previous_inputs_are_replaced() {
        let mut inputs = Inputs::none().key_down(Key::Z);
        InputQueue::default().take_into(&mut inputs);
        assert_eq!(inputs, Inputs::none());
    }
}
