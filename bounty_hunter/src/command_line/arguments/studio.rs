//! The arguments for the studio, of all commands that play a match.

#[cfg(feature = "studio")]
use std::time::Duration;

use clap::{Args, value_parser};

/// Where the studio is.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StudioArguments {
    /// Serve an inspector for a browser at this address: entities, systems, events and causes, values that can be
    /// edited, and any frame to go back to
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:7878")]
    pub(crate) studio: Option<String>,
    /// Ask for this word in the address of the inspector, which may then be reachable from other machines
    #[arg(long, value_name = "WORD", requires = "studio")]
    pub(crate) studio_token: Option<String>,
    /// Keep the history of the inspector within this many MiB [default: 1024]
    #[arg(long, value_name = "MIB", requires = "studio", allow_negative_numbers = true, value_parser = value_parser!(u32).range(1..=1_048_576))]
    pub(crate) studio_memory: Option<u32>,
}

#[cfg(feature = "studio")]
impl StudioArguments {
    /// The bytes that the history may take, if they are limited.
    pub(crate) fn history_bytes(&self) -> Option<usize> {
        self.studio_memory.map(|mib| (mib as usize) << 20)
    }
}

/// How a program without a window runs beside its studio.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct HeadlessArguments {
    /// Wait at the beginning until the page of the inspector lets the match run
    #[arg(long, requires = "studio")]
    pub(crate) wait: bool,
    /// Run beside the inspector at this speed: 1 is real time, 0.1 the slowest, max as fast as possible
    #[arg(long, value_name = "TIMES", requires = "studio", allow_negative_numbers = true, value_parser = Speed::parse)]
    pub(crate) speed: Option<Speed>,
}

/// The speed of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Speed {
    /// So many times as fast as in real time.
    Times(f64),
    AsFastAsPossible,
}

impl Speed {
    /// The slowest and the fastest speed that is given as a number.
    const SLOWEST: f64 = 0.1;
    const FASTEST: f64 = 1_000.0;

    fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "max" => Ok(Self::AsFastAsPossible),
            Ok(times) if (Self::SLOWEST..=Self::FASTEST).contains(&times) => Ok(Self::Times(times)),
            _ => Err(format!("it must be a number from {} to {}, or max", Self::SLOWEST, Self::FASTEST)),
        }
    }

    #[cfg(feature = "studio")]
    /// The time from one step to the next; `None` if there is no wait between them.
    pub(crate) fn step(self, steps_per_second: u32) -> Option<Duration> {
        match self {
            Self::Times(times) => Some(Duration::from_secs_f64(1.0 / (f64::from(steps_per_second) * times))),
            Self::AsFastAsPossible => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "studio")]
    #[test]
    fn speed_is_a_number_or_the_fastest() {
        use std::time::Duration;

        use super::Speed;

        assert_eq!(Speed::parse("max"), Ok(Speed::AsFastAsPossible));
        assert_eq!(Speed::parse("0.1").unwrap().step(60), Some(Duration::from_secs_f64(1.0 / 6.0)));
        assert_eq!(Speed::parse("2").unwrap().step(50), Some(Duration::from_millis(10)));
        for wrong in ["0.09", "0", "-1", "1001", "NaN", "inf", "fast", ""] {
            assert_eq!(Speed::parse(wrong).unwrap_err(), "it must be a number from 0.1 to 1000, or max", "{wrong}");
        }
    }
}
