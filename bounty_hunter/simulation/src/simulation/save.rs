//! Saves of a simulation: its whole state as bytes, for other runs of the same version of the program.
//!
//! | bytes | hold |
//! |---|---|
//! | 8 | `BHSAVE\r\n` |
//! | 2 | the number of the format |
//! | 4 | the length of the header |
//! | … | the header, in postcard's encoding: version of the program, hash of the configuration, steps, events, statistics |
//! | 8 | the hash of all bytes before, by [`StateHasher::bytes`] |
//! | … | the state, as [`Engine::save`](ecs::Engine::save) writes it |
//!
//! Numbers are little-endian.

use std::collections::BTreeMap;
use std::fmt;

use ecs::{
    prefab::Prefabs,
    snapshot::{SaveError, StateHasher},
};
use serde::{Deserialize, Serialize};

use super::{Simulation, hash_configuration};
use crate::gameplay::statistics::Statistics;

const MAGIC: [u8; 8] = *b"BHSAVE\r\n";
/// The format that is written and read.
const FORMAT: u16 = 8;
/// Bytes before the header.
const BEGIN: usize = 14;
const CHECKSUM: usize = 8;

#[derive(Serialize, Deserialize)]
struct Header {
    /// The version of the program that saved it.
    version: String,
    /// [`configuration_hash`](super::configuration_hash) of the match.
    configuration: u64,
    /// Steps since the simulation was created.
    tick: u64,
    /// The first step of the match.
    begin: u64,
    /// The number of events of each type sent in the match.
    events: BTreeMap<String, u64>,
    statistics: Statistics,
}

/// Why a saved match cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The bytes are not a saved match.
    NotASave,
    /// The bytes end within the header.
    Truncated,
    /// The header is damaged.
    Damaged,
    /// Another version of the game saved it.
    Version {
        /// That version.
        saved: String,
    },
    /// It is in a format that this version does not read.
    Format {
        /// The format.
        format: u16,
        /// The version that saved it.
        saved: String,
    },
    /// The match had another set-up or other assets.
    Configuration,
    /// The state cannot be read.
    State(ecs::snapshot::LoadError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASave => f.write_str("it is not a saved match"),
            Self::Truncated => f.write_str("it ends within its header: use another copy"),
            Self::Damaged => f.write_str("its header is damaged: use another copy"),
            Self::Version { saved } => {
                let own = env!("CARGO_PKG_VERSION");
                write!(
                    f,
                    "version {saved} of the game saved it, and this is version {own}: load it with version {saved}"
                )
            }
            Self::Format { format, saved } => write!(
                f,
                "version {saved} of the game saved it in format {format}, and this version reads format {FORMAT}: load it with the program \
                 that saved it"
            ),
            Self::Configuration => f.write_str("its match has another set-up or other assets: load it with those"),
            Self::State(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Maximum step count: half a million years of play. Counting on from here cannot overflow.
pub const MAX_TICKS: u64 = 1 << 50;

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    StateHasher::default().bytes(bytes).finish().to_le_bytes()
}

/// Saves.
impl Simulation {
    /// Saves the whole state as bytes.
    ///
    /// *Save, load, take n steps* equals *take n steps*, bit for bit, also in another run of the program.
    ///
    /// # Errors
    /// - [`SaveError`] if the engine holds a value that cannot be saved.
    ///
    /// # Example
    /// ```
    /// use bounty_hunter_simulation::assets::Assets;
    /// use bounty_hunter_simulation::input::Inputs;
    /// use bounty_hunter_simulation::simulation::{MatchSetup, Simulation};
    ///
    /// let (assets, setup) = (Assets::built_in(), MatchSetup::of_ais(7, 4, "normal"));
    /// let mut simulation = Simulation::new(&assets, &setup)?;
    /// (0..300).for_each(|_| _ = simulation.step(&Inputs::none()));
    /// let bytes = simulation.save()?;
    ///
    /// let mut later = Simulation::new(&assets, &setup)?;
    /// later.load(&bytes)?;
    /// assert_eq!((later.tick(), later.state_hash()), (300, simulation.state_hash()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&mut self) -> Result<Vec<u8>, SaveError> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let (configuration, events, statistics) =
            (self.configuration(), self.event_counts(), self.statistics().clone());
        let header = Header { version, configuration, tick: self.tick, begin: self.begin, events, statistics };
        let header = postcard::to_allocvec(&header).expect("texts and numbers can be written");
        let mut bytes = Vec::from(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        bytes.extend(checksum(&bytes));
        self.engine.save(&mut bytes)?;
        Ok(bytes)
    }

    /// Loads a save of a simulation with the same assets and set-up.
    ///
    /// # Errors
    /// - [`LoadError`] if it is not a save, is of another version or another match, or is damaged; nothing was changed.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let (header, state) = split(bytes)?;
        if header.version != env!("CARGO_PKG_VERSION") {
            return Err(LoadError::Version { saved: header.version });
        }
        if header.configuration != self.configuration() {
            return Err(LoadError::Configuration);
        }
        self.engine.load(&mut &*state).map_err(LoadError::State)?;
        (self.tick, self.begin) = (header.tick, header.begin);
        self.events.go_on_from_names(&self.engine, &header.events);
        self.engine.insert_resource(header.statistics);
        Ok(())
    }

    /// The hash of the configuration, with the present prefabs, which may have been exchanged.
    fn configuration(&self) -> u64 {
        let prefabs = self.engine.resource::<Prefabs>().expect("the schedule inserts them");
        hash_configuration(&self.plan, &prefabs)
    }
}

/// Splits a save into its header and its state.
fn split(bytes: &[u8]) -> Result<(Header, &[u8]), LoadError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(LoadError::NotASave);
    }
    let (begin, rest) = bytes.split_at_checked(BEGIN).ok_or(LoadError::Truncated)?;
    let length = u32::from_le_bytes(begin[10..].try_into().expect("these are four bytes")) as usize;
    let (header, rest) = rest.split_at_checked(length).ok_or(LoadError::Truncated)?;
    let (written, state) = rest.split_at_checked(CHECKSUM).ok_or(LoadError::Truncated)?;
    if checksum(&bytes[..BEGIN + length]) != written {
        return Err(LoadError::Damaged);
    }
    let format = u16::from_le_bytes(begin[8..10].try_into().expect("these are two bytes"));
    if format != FORMAT {
        // The header of every format begins with the version.
        let (saved, _) = postcard::take_from_bytes(header).map_err(|_| LoadError::Damaged)?;
        return Err(LoadError::Format { format, saved });
    }
    let header: Header = postcard::from_bytes(header).map_err(|_| LoadError::Damaged)?;
    match header.begin <= header.tick && header.tick <= MAX_TICKS {
        true => Ok((header, state)),
        false => Err(LoadError::Damaged),
    }
}
