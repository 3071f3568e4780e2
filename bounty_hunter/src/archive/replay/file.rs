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
//! Numbers are little-endian. The content is decoded only if the checksum matches, and inconsistent content is refused, so that
//! foreign bytes lead to an error.

use ecs::snapshot::StateHasher;

use super::{Replay, ReplayError};
use crate::data::limits::STEPS_PER_SECOND;
use crate::foreign_file::FileKind;
use crate::simulation::MAX_TICKS;

const MAGIC: [u8; 8] = *b"BHREPLAY";
/// The format that is written and read.
pub(super) const FORMAT: u16 = 6;
/// The most bytes of a replay; enough for days of play.
pub const MAX_BYTES: u64 = FileKind::Replay.max_bytes();
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
        if !(1..=STEPS_PER_SECOND.most() as u32).contains(&about.steps_per_second) || about.steps > MAX_TICKS {
            return Err(ReplayError::Damaged("its steps, or those of a second, are out of bounds"));
        }
        let last = recording.last_state().map_or(0, |(step, _)| step);
        match recording.frames() == about.steps && last == about.steps && about.begin <= about.steps {
            true => Ok(()),
            false => Err(ReplayError::Damaged("its inputs and hashes do not match its steps")),
        }
    }
}
