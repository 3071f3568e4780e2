//! Perception: bounties in the radar, collectors in the avoider.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::{Pose, forward, wrapped_delta};
use crate::data::config::AiProfile;

/// The caller's key of a bounty or collector.
pub type SightKey = u64;

/// A bounty in the radar.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Its key.
    pub key: SightKey,
    /// Its position, metres.
    pub position: Vec2,
    /// Its value, points.
    pub value: f32,
}

/// Another collector in the avoider.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Threat {
    /// Its key.
    pub key: SightKey,
    /// Its position, metres.
    pub position: Vec2,
    /// Its heading, radians.
    pub heading: f32,
}

/// An entry of a [`SightList`].
pub trait Sighting {
    /// Its key.
    fn key(&self) -> SightKey;
}

impl Sighting for Seen {
    fn key(&self) -> SightKey {
        self.key
    }
}

impl Sighting for Threat {
    fn key(&self) -> SightKey {
        self.key
    }
}

/// The objects that a sensor detects, each once, in order of detection.
///
/// The lists are short, so they are searched linearly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SightList<T> {
    sightings: Vec<T>,
}

/// Initial capacity of each list of sightings, so that it hardly ever grows in a match.
pub const USUAL_SIGHTINGS: usize = 16;

impl<T> Default for SightList<T> {
    fn default() -> Self {
        Self { sightings: Vec::with_capacity(USUAL_SIGHTINGS) }
    }
}

impl<T: Sighting> SightList<T> {
    /// Adds a sighting. If its key is already in the list, updates it in place and returns `false`.
    pub fn add(&mut self, sighting: T) -> bool {
        match self.sightings.iter_mut().find(|known| known.key() == sighting.key()) {
            Some(known) => {
                *known = sighting;
                false
            }
            None => {
                self.sightings.push(sighting);
                true
            }
        }
    }

    /// Removes a sighting; returns `false` if it was not in the list.
    pub fn remove(&mut self, key: SightKey) -> bool {
        let place = self.sightings.iter().position(|known| known.key() == key);
        place.map(|place| self.sightings.remove(place)).is_some()
    }

    /// Removes all sightings.
    pub fn clear(&mut self) {
        self.sightings.clear();
    }

    /// The sightings, longest-detected first.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.sightings
    }
}

/// Whether a point lies in the radar's cone, including its border.
#[must_use]
pub fn is_in_radar(profile: &AiProfile, me: Pose, point: Vec2, half_extent_m: f32) -> bool {
    let delta = wrapped_delta(me.position, point, half_extent_m);
    let distance_m = delta.length();
    if distance_m > profile.radar_range_m {
        return false;
    }
    let least_cosine = libm::cosf(profile.radar_angle_rad / 2.0);
    forward(me.heading).dot(delta) >= least_cosine * distance_m
}

/// The corners of the avoider's box in the world: near left, far left, far right, near right.
#[must_use]
pub fn avoider_corners(profile: &AiProfile, me: Pose) -> [Vec2; 4] {
    let far = forward(me.heading) * profile.avoider_range_m;
    let left = forward(me.heading).perp() * profile.avoider_half_width_m;
    [left, left + far, far - left, -left].map(|corner| me.position + corner)
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::super::original::profile;
    use super::*;
    use crate::random::{Purpose, RandomStream};

    const HALF_M: f32 = 75.0;

    fn radar_sees(heading: f32, point: (f32, f32)) -> bool {
        is_in_radar(&profile(), Pose::new(Vec2::new(70.0, 0.0), heading), Vec2::from(point), HALF_M)
    }

    #[test]
    fn radar_is_a_cone_of_120_degrees_and_25_metres() {
        assert!(radar_sees(0.0, (70.0, 24.9)) && !radar_sees(0.0, (70.0, 25.1)));
        assert!(radar_sees(0.0, (53.0, 10.0)), "59.5 degrees to the left");
        assert!(!radar_sees(0.0, (52.0, 10.0)), "60.9 degrees to the left");
        assert!(!radar_sees(0.0, (70.0, -1.0)), "astern");
        assert!(radar_sees(FRAC_PI_2, (50.0, 0.0)), "it turns with its collector");
    }

    #[test]
    fn radar_sees_across_the_edge_of_the_world() {
        assert!(radar_sees(-FRAC_PI_2, (-60.0, 0.0)), "20 metres to the right");
        assert!(!radar_sees(FRAC_PI_2, (-60.0, 0.0)));
    }

    #[test]
    fn avoider_is_a_box_ahead() {
        let corners = avoider_corners(&profile(), Pose::new(Vec2::new(3.0, 4.0), FRAC_PI_2));
        let expected = [(3.0, 2.5), (-15.75, 2.5), (-15.75, 5.5), (3.0, 5.5)].map(Vec2::from);
        assert!(corners.iter().zip(expected).all(|(found, wanted)| found.distance(wanted) < 1e-5), "{corners:?}");
    }

    #[test]
    fn sight_list_equals_a_model() {
        let mut random = RandomStream::new(1, Purpose::Wander, 0);
        let mut list = SightList::default();
        let mut model: Vec<SightKey> = Vec::new();
        for _ in 0..5_000 {
            let key = random.between(0.0, 8.0) as SightKey;
            let was_known = model.contains(&key);
            if random.chance(0.5) {
                if !was_known {
                    model.push(key);
                }
                assert_eq!(list.add(Seen { key, position: Vec2::ZERO, value: 1.0 }), !was_known);
            } else {
                model.retain(|known| *known != key);
                assert_eq!(list.remove(key), was_known);
            }
            assert_eq!(list.as_slice().iter().map(Sighting::key).collect::<Vec<_>>(), model);
        }
    }

    #[test]
    fn known_sighting_is_updated_in_place() {
        let mut list = SightList::default();
        for (key, value) in [(1, 10.0), (2, 20.0), (1, 30.0)] {
            list.add(Seen { key, position: Vec2::ZERO, value });
        }
        let seen: Vec<_> = list.as_slice().iter().map(|seen| (seen.key, seen.value)).collect();
        assert_eq!(seen, [(1, 30.0), (2, 20.0)]);
    }
}
