//! What numbers in assets may be: of files that are checked as a whole, and of components that prefabs name.

use std::f32::consts::TAU;

use serde::de::{Deserialize, Deserializer, Error};

/// The least and the most that a number may be; what is not a number, or infinite, never is.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    least: f32,
    most: f32,
}

// The physics works in 32-bit floats: what is much smaller or larger than this loses its precision, or its shape.
pub(crate) const LENGTH_M: Limits = Limits::new(0.01, 10_000.0);
pub(crate) const GAP_M: Limits = Limits::new(0.0, 10_000.0);
pub(crate) const SPEED_MPS: Limits = Limits::new(0.0, 1_000.0);
pub(crate) const TURN_RADPS: Limits = Limits::new(0.0, 100.0);
pub(crate) const ANGLE_RAD: Limits = Limits::new(0.01, TAU);
pub(crate) const HEADING_RAD: Limits = Limits::new(-TAU, TAU);
pub(crate) const DENSITY: Limits = Limits::new(0.000_001, 1_000_000.0);
/// A coordinate within a world.
pub(crate) const COORDINATE_M: Limits = Limits::new(-10_000.0, 10_000.0);
/// Half a wall's thickness: in one step nobody gets through as much as this.
pub(crate) const WALL_HALF_EXTENT_M: Limits = Limits::new(0.5, 10_000.0);
/// A time that has to pass.
pub(crate) const DURATION_SECONDS: Limits = Limits::new(0.01, 86_400.0);
/// A time that may also be nothing.
pub(crate) const DELAY_SECONDS: Limits = Limits::new(0.0, 86_400.0);
pub(crate) const POINTS: Limits = Limits::new(0.01, 1_000_000.0);
pub(crate) const SHARE: Limits = Limits::new(0.0, 1.0);
pub(crate) const STEPS_PER_SECOND: Limits = Limits::new(1.0, 1_000.0);
pub(crate) const PLAYERS: Limits = Limits::new(1.0, 10_000.0);
pub(crate) const LIVES: Limits = Limits::new(1.0, 1_000.0);
/// Bounties, power-ups, and whatever else is dealt.
pub(crate) const BOUNTIES: Limits = Limits::new(0.0, 10_000.0);
pub(crate) const BOUNTIES_PER_PLAYER: Limits = Limits::new(0.0, 100.0);

impl Limits {
    pub(crate) const fn new(least: f32, most: f32) -> Self {
        Self { least, most }
    }

    /// Whether `value` may be what it is.
    pub(crate) fn allow(self, value: f32) -> bool {
        self.remedy(f64::from(value)).is_none()
    }

    /// What `value` must be instead, or `None` if it may be what it is.
    pub(crate) fn remedy(self, value: f64) -> Option<String> {
        let Self { least, most } = self;
        match value {
            value if !value.is_finite() => Some("must be a finite number".to_owned()),
            value if value <= 0.0 && least > 0.0 => Some("must be positive".to_owned()),
            value if value < 0.0 && least == 0.0 => Some("must not be negative".to_owned()),
            value if value < f64::from(least) => Some(format!("must be at least {least}")),
            value if value > f64::from(most) => Some(format!("must be at most {most}")),
            _ => None,
        }
    }

    /// The value, or a sentence that says what it must be.
    pub(crate) fn check(self, value: f32) -> Result<f32, String> {
        self.remedy(f64::from(value)).map_or(Ok(value), |remedy| Err(format!("it is {value}, {remedy}")))
    }

    fn read<'de, D: Deserializer<'de>>(self, text: D) -> Result<f32, D::Error> {
        self.check(f32::deserialize(text)?).map_err(D::Error::custom)
    }

    /// Reads the least and the most of something.
    fn read_range<'de, D: Deserializer<'de>>(self, text: D) -> Result<(f32, f32), D::Error> {
        let (least, most) = Deserialize::deserialize(text)?;
        for (end, value) in [("lower", least), ("upper", most)] {
            if let Some(remedy) = self.remedy(f64::from(value)) {
                return Err(D::Error::custom(format!("the {end} end is {value}, {remedy}")));
            }
        }
        if least > most {
            return Err(D::Error::custom(format!("it is ({least}, {most}), must be (least, most)")));
        }
        Ok((least, most))
    }
}

/// Functions that read fields of components: `#[serde(deserialize_with = "limits::read::length_m")]`.
pub(crate) mod read {
    use super::{
        DELAY_SECONDS, DENSITY, DURATION_SECONDS, Deserializer, GAP_M, LENGTH_M, POINTS, SPEED_MPS, TURN_RADPS,
    };

    macro_rules! readers {
        ($($name:ident: $limits:ident $method:ident $type:ty;)+) => {
            $(pub(crate) fn $name<'de, D: Deserializer<'de>>(text: D) -> Result<$type, D::Error> {
                $limits.$method(text)
            })+
        };
    }

    readers! {
        length_m: LENGTH_M read f32;
        gap_m: GAP_M read f32;
        speed_mps: SPEED_MPS read f32;
        turn_radps: TURN_RADPS read f32;
        density: DENSITY read f32;
        delay_seconds: DELAY_SECONDS read f32;
        duration_seconds: DURATION_SECONDS read f32;
        points: POINTS read f32;
        points_range: POINTS read_range (f32, f32);
        length_range_m: LENGTH_M read_range (f32, f32);
        duration_range_seconds: DURATION_SECONDS read_range (f32, f32);
    }
}
