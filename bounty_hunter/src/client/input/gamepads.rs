//! Gamepads on Linux: the joystick devices in `/dev/input`, read without a library.
//!
//! The first pad is the one of the first person. Pads come and go while the game runs. The crate `gilrs` needs libudev
//! at build time, and so would every build of the game.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::pad_button::{MAX_PADS, PadButton, PadEvent};

/// Numbers of devices that are looked for.
const DEVICES: usize = 8;
/// Frames between two looks for new pads.
const FRAMES_BETWEEN_LOOKS: u32 = 60;
/// A stick counts as pushed from here on, and as released below; of 32,767.
const PUSHED: i16 = 16_000;
const RELEASED: i16 = 11_000;

/// The button by the number of the kernel, for pads in the layout of an Xbox pad.
fn button_of_number(number: u8) -> Option<PadButton> {
    match number {
        0 => Some(PadButton::South),
        1 => Some(PadButton::East),
        2 => Some(PadButton::West),
        3 => Some(PadButton::North),
        5 => Some(PadButton::Shoulder),
        6 => Some(PadButton::Select),
        7 => Some(PadButton::Start),
        _ => None,
    }
}

/// The pads that are plugged in.
#[derive(Debug)]
pub(crate) struct Gamepads {
    folder: PathBuf,
    pads: [Option<Pad>; MAX_PADS],
    frames_until_look: u32,
}

#[derive(Debug)]
struct Pad {
    path: PathBuf,
    device: File,
    held: Vec<PadButton>,
    /// The bytes of an event of which only a part was read.
    part: Vec<u8>,
}

impl Gamepads {
    /// The pads whose devices are in a folder, usually `/dev/input`.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), pads: Default::default(), frames_until_look: 0 }
    }

    /// Adds the events since the last call.
    pub(crate) fn read(&mut self, events: &mut Vec<PadEvent>) {
        if self.frames_until_look == 0 {
            self.frames_until_look = FRAMES_BETWEEN_LOOKS;
            self.look(events);
        }
        self.frames_until_look -= 1;
        for person in 0..MAX_PADS {
            let Some(pad) = &mut self.pads[person] else { continue };
            let is_there = pad.read(|button, is_down| events.push(PadEvent { person, button, is_down }));
            if !is_there {
                self.unplug(person, events);
            }
        }
    }

    /// Finds pads that have come and gone.
    fn look(&mut self, events: &mut Vec<PadEvent>) {
        for person in 0..MAX_PADS {
            if self.pads[person].as_ref().is_some_and(|pad| !pad.path.exists()) {
                self.unplug(person, events);
            }
        }
        for number in 0..DEVICES {
            let path = self.folder.join(format!("js{number}"));
            if self.pads.iter().flatten().any(|pad| pad.path == path) {
                continue;
            }
            let free = self.pads.iter().position(Option::is_none);
            if let (Some(person), Ok(device)) = (free, open(&path)) {
                tracing::info!(target: "bounty_hunter::client", person, device = %path.display(), "gamepad");
                self.pads[person] = Some(Pad { path, device, held: Vec::new(), part: Vec::new() });
            }
        }
    }

    /// Releases what an unplugged pad holds.
    fn unplug(&mut self, person: usize, events: &mut Vec<PadEvent>) {
        if let Some(pad) = self.pads[person].take() {
            tracing::info!(target: "bounty_hunter::client", person, "gamepad gone");
            events.extend(pad.held.into_iter().map(|button| PadEvent { person, button, is_down: false }));
        }
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    use std::fs::OpenOptions;
    use std::os::unix::fs::OpenOptionsExt;

    /// `O_NONBLOCK`: a frame does not wait for the next event.
    const NON_BLOCKING: i32 = 0o4000;
    OpenOptions::new().read(true).custom_flags(NON_BLOCKING).open(path)
}

impl Pad {
    /// Reads what has happened; returns whether the pad is still there.
    fn read(&mut self, mut report: impl FnMut(PadButton, bool)) -> bool {
        let mut bytes = [0; 512];
        loop {
            match self.device.read(&mut bytes) {
                Ok(0) => return true,
                Ok(count) => self.part.extend(&bytes[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return true,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return false,
            }
            // An event of the kernel: 4 bytes of time, 2 of the value, the kind, and the number of the button or axis.
            let events: Vec<[u8; 8]> = self.part.chunks_exact(8).filter_map(|event| event.try_into().ok()).collect();
            self.part.drain(..8 * events.len());
            for [_, _, _, _, low, high, kind, number] in events {
                self.apply(kind, number, i16::from_le_bytes([low, high]), &mut report);
            }
        }
    }

    fn apply(&mut self, kind: u8, number: u8, value: i16, report: &mut impl FnMut(PadButton, bool)) {
        // The state at plugging in has a further bit.
        match (kind & 0x7F, number) {
            (1, number) => {
                if let Some(button) = button_of_number(number) {
                    self.set(button, value != 0, report);
                }
            }
            // The left stick and the cross.
            (2, 0 | 6) => self.push(PadButton::Left, PadButton::Right, value, report),
            (2, 1 | 7) => self.push(PadButton::Up, PadButton::Down, value, report),
            _ => {}
        }
    }

    fn push(&mut self, low: PadButton, high: PadButton, value: i16, report: &mut impl FnMut(PadButton, bool)) {
        for (button, push) in [(low, value.saturating_neg()), (high, value)] {
            if push >= PUSHED {
                self.set(button, true, report);
            } else if push < RELEASED {
                self.set(button, false, report);
            }
        }
    }

    fn set(&mut self, button: PadButton, is_down: bool, report: &mut impl FnMut(PadButton, bool)) {
        if self.held.contains(&button) != is_down {
            match is_down {
                true => self.held.push(button),
                false => self.held.retain(|held| *held != button),
            }
            report(button, is_down);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    use super::*;

    /// A folder of devices that is gone when the test ends.
    struct Devices(PathBuf);

    impl Devices {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("bounty_hunter_pads_{name}_{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn send(&self, device: &str, bytes: &[u8]) {
            let file = OpenOptions::new().append(true).create(true).open(self.0.join(device));
            file.unwrap().write_all(bytes).unwrap();
        }
    }

    impl Drop for Devices {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn event(kind: u8, number: u8, value: i16) -> [u8; 8] {
        let [low, high] = value.to_le_bytes();
        [1, 2, 3, 4, low, high, kind, number]
    }

    /// The events of enough frames to notice a new pad.
    fn read(pads: &mut Gamepads) -> Vec<(usize, PadButton, bool)> {
        let mut events = Vec::new();
        (0..=FRAMES_BETWEEN_LOOKS).for_each(|_| pads.read(&mut events));
        events.into_iter().map(|event| (event.person, event.button, event.is_down)).collect()
    }

    #[test]
    fn buttons_and_sticks_are_pressed_and_released() {
        let devices = Devices::new("buttons");
        let mut pads = Gamepads::new(&devices.0);
        devices.send("js0", &[event(0x81, 0, 0), event(1, 0, 1), event(2, 0, -32_767), event(1, 99, 1)].concat());
        assert_eq!(read(&mut pads), [(0, PadButton::South, true), (0, PadButton::Left, true)]);
        // From one side to the other, then a little, which changes nothing.
        devices.send("js0", &[event(2, 0, 32_767), event(2, 0, 12_000), event(1, 0, 0)].concat());
        let expected = [(0, PadButton::Left, false), (0, PadButton::Right, true), (0, PadButton::South, false)];
        assert_eq!(read(&mut pads), expected);
        devices.send("js0", &event(2, 0, 0)[..3]);
        assert_eq!(read(&mut pads), [], "half an event waits for the other half");
        devices.send("js0", &event(2, 0, 0)[3..]);
        assert_eq!(read(&mut pads), [(0, PadButton::Right, false)]);
    }

    #[test]
    fn pads_are_plugged_in_and_out_during_the_game() {
        let devices = Devices::new("plug");
        let mut pads = Gamepads::new(&devices.0);
        assert_eq!(read(&mut pads), []);
        devices.send("js3", &event(1, 7, 1));
        assert_eq!(read(&mut pads), [(0, PadButton::Start, true)]);
        devices.send("js0", &event(1, 0, 1));
        assert_eq!(read(&mut pads), [(1, PadButton::South, true)], "the second pad is the second person's");
        fs::remove_file(devices.0.join("js3")).unwrap();
        assert_eq!(read(&mut pads), [(0, PadButton::Start, false)], "a pad that is gone holds nothing");
        devices.send("js3", &event(1, 0, 1));
        assert_eq!(read(&mut pads), [(0, PadButton::South, true)]);
    }
}
