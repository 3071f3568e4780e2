//! The saved form of a replay.
//!
//! | bytes | hold |
//! |---|---|
//! | 8 | `BHREPLAY` |
//! | 2 | the number of the format |
//! | 8 | the length of the content |
//! | … | the content: the fields of a [`Replay`] in postcard's encoding |
//! | 8 | the hash of all bytes before, by [`StateHasher::bytes`] |
//!
//! Numbers are little-endian. The content is decoded only if the checksum matches, and inconsistent content is refused,
//! so that foreign bytes lead to an error.

use ecs::snapshot::StateHasher;

use super::{Replay, ReplayError};
use crate::data::limits::STEPS_PER_SECOND;
use crate::foreign_file::FileKind;

const MAGIC: [u8; 8] = *b"BHREPLAY";
/// The format that is written and read.
pub(super) const FORMAT: u16 = 7;
/// The most bytes of a replay; enough for days of play.
pub const MAX_BYTES: u64 = FileKind::Replay.max_bytes();
/// The longest session that can be recorded, seconds: a month. A few bytes could tell of any number of steps.
const MAX_SECONDS: u64 = 31 * 86_400;
const HEADER: usize = 18;
const CHECKSUM: usize = 8;

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    StateHasher::default().bytes(bytes).finish().to_le_bytes()
}

impl Replay {
    /// The saved form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let content = postcard::to_allocvec(self).expect("the length of every part is known");
        let mut bytes = Vec::with_capacity(HEADER + content.len() + CHECKSUM);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// Reads the saved form. Takes at most a small multiple of the memory of `bytes`.
    ///
    /// # Errors
    /// - [`ReplayError`] if it is not a replay, has another format, or is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReplayError> {
        let is_begun = bytes.len() < MAGIC.len() && !bytes.is_empty() && MAGIC.starts_with(bytes);
        if !bytes.starts_with(&MAGIC) && !is_begun {
            return Err(ReplayError::NotAReplay);
        }
        let there = bytes.len() as u64;
        let Some((head, body)) = bytes.split_at_checked(HEADER) else {
            return Err(ReplayError::Truncated { bytes: there, of: (HEADER + CHECKSUM) as u64 });
        };
        let format = u16::from_le_bytes(head[8..10].try_into().expect("these are two bytes"));
        if format > FORMAT {
            return Err(ReplayError::Newer { format });
        }
        if format < FORMAT {
            return Err(ReplayError::Older { format });
        }
        let length = u64::from_le_bytes(head[10..18].try_into().expect("these are eight bytes"));
        let of = length.saturating_add((HEADER + CHECKSUM) as u64);
        if there > MAX_BYTES || there > of {
            return Err(ReplayError::TooLong);
        }
        if there < of {
            return Err(ReplayError::Truncated { bytes: there, of });
        }
        let (content, written) = body.split_at(body.len() - CHECKSUM);
        if checksum(&bytes[..bytes.len() - CHECKSUM]) != written {
            return Err(ReplayError::Damaged("its checksum does not match its content"));
        }
        let (replay, rest): (Self, _) =
            postcard::take_from_bytes(content).map_err(|_| ReplayError::Damaged("its content cannot be decoded"))?;
        if !rest.is_empty() {
            return Err(ReplayError::Damaged("its content is too long"));
        }
        replay.check()?;
        Ok(replay)
    }

    /// Whether the parts fit together.
    fn check(&self) -> Result<(), ReplayError> {
        let Self { about, recording } = self;
        let most = MAX_SECONDS * u64::from(about.steps_per_second);
        if !(1..=STEPS_PER_SECOND.most() as u32).contains(&about.steps_per_second) || about.steps > most {
            return Err(ReplayError::Damaged("its steps, or those of a second, are out of bounds"));
        }
        let last = recording.last_state().map_or(0, |(step, _)| step);
        match recording.frames() == about.steps && last == about.steps && about.begin <= about.steps {
            true => Ok(()),
            false => Err(ReplayError::Damaged("its inputs and hashes do not match its steps")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{About, Playback, Recorder, Seeker};
    use super::*;
    use crate::assets::Assets;
    use crate::data::input::{Cheat, Command, Inputs, Intent};
    use crate::data::spell::Spell;
    use crate::gameplay::player::Seat;
    use crate::simulation::{MatchSetup, Simulation, configuration_hash};
    use ecs::Engine;

    /// Plays a replay whose description and inputs are forged; its configuration is that of the forged set-up.
    fn play(change: impl Fn(&mut About), frames: u64, inputs: Vec<(u64, Inputs)>) -> Result<(), String> {
        let assets = Assets::built_in().in_mode("classic").unwrap();
        let seats = vec![Seat::Script, Seat::Human { person: 0 }];
        let setup = MatchSetup { seed: 7, seats, play_seconds: None };
        let mut simulation = Simulation::new(&assets, &setup).unwrap();
        let mut about = Recorder::new("classic", &assets, &setup).unwrap().replay(&mut simulation).about;
        about.steps = frames;
        change(&mut about);
        if let Ok(hash) = configuration_hash(&assets, &about.setup) {
            about.configuration = hash;
        }
        let states: Vec<(u64, u64)> = (frames > 0).then_some((frames, 7)).into_iter().collect();
        let recording = postcard::from_bytes(&postcard::to_allocvec(&(frames, inputs, states)).unwrap()).unwrap();
        let replay = Replay::from_bytes(&Replay { about, recording }.to_bytes()).map_err(|error| error.to_string())?;
        let playback = Playback::new(replay, &assets, Engine::builder()).map_err(|error| error.to_string())?;
        let mut seeker = Seeker::new(playback).unwrap();
        for goal in [1, frames, 3, frames / 2, u64::MAX] {
            seeker.seek(goal, 90).unwrap();
            _ = seeker.playback().simulation().view();
        }
        Ok(())
    }

    fn refusal(change: impl Fn(&mut About)) -> String {
        play(change, 90, Vec::new()).unwrap_err()
    }

    #[test]
    fn forged_numbers_are_refused_or_played() {
        for frames in [0, 1, 60 * MAX_SECONDS] {
            play(|_| (), frames, Vec::new()).unwrap();
        }
        for frames in [60 * MAX_SECONDS + 1, 1 << 50, u64::MAX] {
            assert!(play(|_| (), frames, Vec::new()).unwrap_err().contains("out of bounds"));
        }
        for begin in [91, u64::MAX] {
            assert!(refusal(|about| about.begin = begin).contains("do not match its steps"));
        }
        for per_second in [0, 1, 1_001, u32::MAX] {
            assert!(refusal(|about| about.steps_per_second = per_second).contains("damaged"));
        }
        for seconds in [f32::NAN, f32::INFINITY, -1.0, 1e-30, 86_401.0, f32::MAX] {
            let refused = refusal(|about| about.setup.play_seconds = Some(seconds));
            assert!(refused.starts_with("play_seconds is "), "{refused}");
        }
        for players in [0, 10_001] {
            assert!(refusal(|about| about.setup.seats = vec![Seat::Script; players]).contains("1 to 10000 players"));
        }
        for person in [4, u8::MAX] {
            let refused = refusal(|about| about.setup.seats = vec![Seat::Human { person }]);
            assert!(refused.starts_with("a seat is of person "), "{refused}");
        }
    }

    #[test]
    fn forged_inputs_are_played() {
        let mut wild = Inputs::none().with(Command::Pause).with(Command::Cheat(Cheat::Previous));
        for seat in [0, 1, 2, u32::MAX] {
            let of = |value| (seat, Intent { drive: value, turn: value });
            wild.intents.extend([f32::NAN, f32::INFINITY, -1e30, 2.0].map(of));
            wild.casts.extend(Spell::ALL.map(|spell| (seat, spell)));
            wild.commands.extend([Command::TakeSeat(seat), Command::ReleaseSeat(seat)]);
        }
        play(|_| (), 300, (1..=300).map(|step| (step, wild.clone())).collect()).unwrap();
        let quit = wild.clone().with(Command::Close);
        play(|_| (), 300, vec![(70, quit.clone()), (71, quit), (72, wild)]).unwrap();
    }
}
