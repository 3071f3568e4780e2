//! The limits of the numbers in `assets/`, checked when a field is read:
//! `#[serde(deserialize_with = "limits::read::length_m")]`.

use std::f32::consts::TAU;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// The least and the greatest valid value; NaN and infinities are never valid.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    least: f32,
    most: f32,
}

/// Lengths. The physics uses 32-bit floats, which lose precision far outside of these.
pub(crate) const LENGTH_M: Limits = Limits::new(0.01, 10_000.0);
/// The most players of a match.
pub const MAX_PLAYERS: usize = 10_000;
/// The shortest and the longest match.
pub const PLAY_SECONDS: [f32; 2] = [0.01, 86_400.0];
pub(crate) const DURATION_SECONDS: Limits = Limits::new(PLAY_SECONDS[0], PLAY_SECONDS[1]);
pub(crate) const DELAY_SECONDS: Limits = Limits::new(0.0, 86_400.0);
pub(crate) const STEPS_PER_SECOND: Limits = Limits::new(1.0, 1_000.0);
pub(crate) const POINTS: Limits = Limits::new(0.01, 1_000_000.0);

/// A function for each kind of number, for `deserialize_with`.
pub(crate) mod read {
    use super::{
        DELAY_SECONDS, DURATION_SECONDS, Deserialize, Deserializer, LENGTH_M, Limited, Limits, MAX_PLAYERS, POINTS,
        STEPS_PER_SECOND, TAU,
    };

    macro_rules! limits {
        ($($name:ident: $limits:expr;)+) => {
            $(pub(crate) fn $name<'de, D: Deserializer<'de>, T: Limited + Deserialize<'de>>(text: D) -> Result<T, D::Error> {
                $limits.read(text)
            })+
        };
    }

    limits! {
        length_m: LENGTH_M;
        gap_m: Limits::new(0.0, 10_000.0);
        near_miss_m: Limits::new(0.01, 20.0);
        coordinate_m: Limits::new(-10_000.0, 10_000.0);
        wall_half_extent_m: Limits::new(0.5, 10_000.0);
        heading_rad: Limits::new(-TAU, TAU);
        angle_rad: Limits::new(0.01, TAU);
        speed_mps: Limits::new(0.0, 1_000.0);
        turn_radps: Limits::new(0.0, 100.0);
        friction: Limits::new(0.0, 100.0);
        damping_per_second: Limits::new(0.0, 1_000.0);
        density: Limits::new(0.000_001, 1_000_000.0);
        duration_seconds: DURATION_SECONDS;
        tone_seconds: Limits::new(0.0, 10.0);
        pitch_hertz: Limits::new(20.0, 20_000.0);
        music_steps_per_second: Limits::new(0.5, 50.0);
        delay_seconds: DELAY_SECONDS;
        countdown_seconds: Limits::new(0.0, 60.0);
        interval_seconds: Limits::new(0.1, 86_400.0);
        points: POINTS;
        share: Limits::new(0.0, 1.0);
        camera_half_m: Limits::new(5.0, 10_000.0);
        order: Limits::new(0.0, 1_000.0);
        scale: Limits::new(0.01, 100.0);
        weight: Limits::new(-10.0, 10.0);
        acceleration_mps2: Limits::new(-100.0, 100.0);
        steps_per_second: STEPS_PER_SECOND;
        players: Limits::new(1.0, MAX_PLAYERS as f32);
        players_per_team: Limits::new(2.0, 100.0);
        lives: Limits::new(1.0, 1_000.0);
        dash_factor: Limits::new(1.0, 10.0);
        habit_factor: Limits::new(0.0, 10.0);
        links: Limits::new(0.0, 1_000.0);
        spilled_bounties: Limits::new(0.0, 10.0);
        objects: Limits::new(0.0, 10_000.0);
        objects_per_player: Limits::new(0.0, 100.0);
    }

    macro_rules! ranges {
        ($($name:ident: $limits:expr;)+) => {
            $(pub(crate) fn $name<'de, D: Deserializer<'de>>(text: D) -> Result<(f32, f32), D::Error> {
                $limits.read_range(text)
            })+
        };
    }

    ranges! {
        length_range_m: LENGTH_M;
        duration_range_seconds: DURATION_SECONDS;
        points_range: POINTS;
    }

    /// A list of points.
    pub(crate) fn coordinates_m<'de, D: Deserializer<'de>>(text: D) -> Result<Vec<(f32, f32)>, D::Error> {
        #[derive(Deserialize)]
        #[serde(transparent)]
        struct Point(#[serde(deserialize_with = "coordinate_m")] (f32, f32));

        Ok(Vec::<Point>::deserialize(text)?.into_iter().map(|point| point.0).collect())
    }
}

impl Limits {
    const fn new(least: f32, most: f32) -> Self {
        Self { least, most }
    }

    /// What `value` must be instead; `None` if it is valid.
    fn remedy(self, value: f64) -> Option<String> {
        let Self { least, most } = self;
        match value {
            value if value.is_nan() => Some("must be a finite number".to_owned()),
            value if value <= 0.0 && least > 0.0 => Some("must be positive".to_owned()),
            value if value < 0.0 && least == 0.0 => Some("must not be negative".to_owned()),
            value if value < f64::from(least) => Some(format!("must be at least {least}")),
            value if value > f64::from(most) => Some(format!("must be at most {most}")),
            _ => None,
        }
    }

    /// The value, or a sentence that says what it must be.
    pub(crate) fn check(self, value: f32) -> Result<f32, String> {
        value.check("it", self).map(|()| value)
    }

    /// Whether a value that a sentence calls `name` is within the limits.
    pub(crate) fn check_named(self, name: &str, value: f32) -> Result<(), String> {
        value.check(name, self)
    }

    /// The greatest valid value.
    pub(crate) fn most(self) -> f32 {
        self.most
    }

    fn read<'de, D: Deserializer<'de>, T: Limited + Deserialize<'de>>(self, text: D) -> Result<T, D::Error> {
        let value = T::deserialize(text)?;
        value.check("it", self).map(|()| value).map_err(D::Error::custom)
    }

    /// Reads the least and the greatest value of something.
    fn read_range<'de, D: Deserializer<'de>>(self, text: D) -> Result<(f32, f32), D::Error> {
        let (least, most) = <(f32, f32)>::deserialize(text)?;
        let ends = least.check("the lower end", self).and_then(|()| most.check("the upper end", self));
        ends.map_err(D::Error::custom)?;
        if least > most {
            return Err(D::Error::custom(format!("it is ({least}, {most}), must be (least, most)")));
        }
        Ok((least, most))
    }
}

/// A value whose numbers have limits.
pub(crate) trait Limited {
    /// Checks every number; `name` is what the sentence about a wrong one calls the value.
    fn check(&self, name: &str, limits: Limits) -> Result<(), String>;
}

macro_rules! limited_numbers {
    ($($number:ty)+) => {
        $(impl Limited for $number {
            fn check(&self, name: &str, limits: Limits) -> Result<(), String> {
                let Some(remedy) = limits.remedy(f64::from(*self)) else { return Ok(()) };
                // Also what is written with so many digits that the type cannot hold it.
                let value = match f64::from(*self) {
                    f64::INFINITY => "too large a number".to_owned(),
                    f64::NEG_INFINITY => "too small a number".to_owned(),
                    _ => self.to_string(),
                };
                Err(format!("{name} is {value}, {remedy}"))
            }
        })+
    };
}

limited_numbers!(f32 u32);

impl<T: Limited> Limited for Option<T> {
    fn check(&self, name: &str, limits: Limits) -> Result<(), String> {
        self.iter().try_for_each(|value| value.check(name, limits))
    }
}

/// A point or the half extents of a rectangle.
impl Limited for (f32, f32) {
    fn check(&self, _: &str, limits: Limits) -> Result<(), String> {
        self.0.check("x", limits).and_then(|()| self.1.check("y", limits))
    }
}
