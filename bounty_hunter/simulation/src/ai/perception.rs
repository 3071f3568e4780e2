//! Perception: the areas in which an AI sees bounties (radar) and other collectors (avoider).
//!
//! An AI sees an object where the disc of its half extent touches the area. Both areas are relative to the AI's
//! collector and reach across the edges of the world.

use glam::Vec2;

use crate::data::arena::{Pose, forward, wrapped_delta};
use crate::data::config::AiProfile;

/// A bounty in the radar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The caller's key of the bounty.
    pub key: u64,
    /// Its position, metres.
    pub position: Vec2,
    /// Its value, points.
    pub value: f32,
}

/// Another collector in the avoider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threat {
    /// Its position, metres.
    pub position: Vec2,
    /// Its heading, radians.
    pub heading: f32,
}

/// The area of a sense, relative to an AI's collector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Area {
    /// A sector of a disc, centred on the heading.
    Sector {
        /// The radius of the disc.
        range_m: f32,
        /// The sine of half the opening angle.
        sine: f32,
        /// The cosine of half the opening angle.
        cosine: f32,
    },
    /// A box ahead.
    Box {
        /// Its length.
        range_m: f32,
        /// Half its width.
        half_width_m: f32,
    },
}

impl Area {
    /// The radar of a profile.
    #[must_use]
    pub fn radar(profile: &AiProfile) -> Self {
        let half_angle_rad = profile.radar_angle_rad / 2.0;
        let (sine, cosine) = (libm::sinf(half_angle_rad), libm::cosf(half_angle_rad));
        Self::Sector { range_m: profile.radar_range_m, sine, cosine }
    }

    /// The avoider of a profile.
    #[must_use]
    pub fn avoider(profile: &AiProfile) -> Self {
        Self::Box { range_m: profile.avoider_range_m, half_width_m: profile.avoider_half_width_m }
    }

    /// Whether a disc touches the area of a collector that faces along `ahead`; `delta` leads from the collector to its
    /// centre.
    #[must_use]
    #[inline]
    pub fn touches(&self, ahead: Vec2, delta: Vec2, radius_m: f32) -> bool {
        match *self {
            Self::Sector { range_m, sine, cosine } => {
                let reach_m = range_m + radius_m;
                if delta.length_squared() > reach_m * reach_m {
                    return false;
                }
                let (along_m, aside_m) = (ahead.dot(delta), ahead.perp_dot(delta).abs());
                if along_m >= cosine * delta.length() {
                    return true;
                }
                // Outside of the angle, the nearest point of the sector lies on its straight border.
                let along_border_m = (aside_m * sine + along_m * cosine).clamp(0.0, range_m);
                let nearest = Vec2::new(sine, cosine) * along_border_m;
                nearest.distance_squared(Vec2::new(aside_m, along_m)) <= radius_m * radius_m
            }
            Self::Box { range_m, half_width_m } => {
                let (along_m, aside_m) = (ahead.dot(delta), ahead.perp_dot(delta).abs());
                let apart = Vec2::new(aside_m - half_width_m, (along_m - range_m).max(-along_m)).max(Vec2::ZERO);
                apart.length_squared() <= radius_m * radius_m
            }
        }
    }

    /// A rectangle along the axes of the world, hardly larger than needed, around the area: its centre, from the
    /// collector, and its half extents.
    #[must_use]
    pub fn bounds(&self, ahead: Vec2) -> (Vec2, Vec2) {
        match *self {
            Self::Sector { range_m, sine, cosine } => {
                let (along, aside) = (ahead * (range_m * cosine), ahead.perp() * (range_m * sine));
                let corners = [along + aside, along - aside];
                let mut least = corners[0].min(corners[1]).min(Vec2::ZERO);
                let mut greatest = corners[0].max(corners[1]).max(Vec2::ZERO);
                // The rim reaches furthest along an axis that points into the sector.
                least = Vec2::select(ahead.cmple(Vec2::splat(-cosine)), Vec2::splat(-range_m), least);
                greatest = Vec2::select(ahead.cmpge(Vec2::splat(cosine)), Vec2::splat(range_m), greatest);
                // Wider than rounding in `touches`.
                let half_extents_m = (greatest - least) / 2.0 + Vec2::splat(range_m * 1e-4);
                ((least + greatest) / 2.0, half_extents_m)
            }
            Self::Box { range_m, half_width_m } => {
                let half_length_m = range_m / 2.0;
                let half_extents_m = ahead.abs() * half_length_m + ahead.perp().abs() * half_width_m;
                (ahead * half_length_m, half_extents_m)
            }
        }
    }
}

/// The radar of one AI where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Radar {
    area: Area,
    position: Vec2,
    ahead: Vec2,
    pub(super) half_extent_m: f32,
}

impl Radar {
    /// The radar of an AI at a pose, in a world of this half extent.
    #[must_use]
    pub fn new(profile: &AiProfile, me: Pose, half_extent_m: f32) -> Self {
        let ahead = forward(me.heading);
        Self { area: Area::radar(profile), position: me.position, ahead, half_extent_m }
    }

    /// Whether a point lies in it, including its border.
    #[must_use]
    #[inline]
    pub fn contains(&self, point: Vec2) -> bool {
        self.area.touches(self.ahead, wrapped_delta(self.position, point, self.half_extent_m), 0.0)
    }

    /// A rectangle along the axes of the world around it: its centre and its half extents.
    #[must_use]
    pub fn bounds(&self) -> (Vec2, Vec2) {
        let (center, half_extents_m) = self.area.bounds(self.ahead);
        (self.position + center, half_extents_m)
    }
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
    use std::f32::consts::{FRAC_PI_2, PI, TAU};

    use super::super::original::profile;
    use super::*;
    use ecs::random::RandomStream;

    const HALF_M: f32 = 75.0;

    fn radar_sees(heading: f32, point: (f32, f32)) -> bool {
        Radar::new(&profile(), Pose::new(Vec2::new(70.0, 0.0), heading), HALF_M).contains(Vec2::from(point))
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

    /// A random profile with any angle, and a heading.
    fn any_profile(random: &mut RandomStream) -> (AiProfile, f32) {
        let profile = AiProfile {
            radar_angle_rad: random.between(0.01, TAU),
            radar_range_m: random.between(1.0, 40.0),
            avoider_range_m: random.between(1.0, 20.0),
            avoider_half_width_m: random.between(0.5, 5.0),
            ..profile()
        };
        (profile, random.between(-PI, PI))
    }

    /// Points along a line, at most 5 cm apart.
    fn line(from: Vec2, to: Vec2) -> impl Iterator<Item = Vec2> {
        let steps = (from.distance(to) / 0.05).ceil();
        (0..=steps as u32).map(move |step| from.lerp(to, step as f32 / steps))
    }

    /// Asserts that `is_seen` agrees with the distance of a disc's centre from the border of an area.
    fn assert_seen(is_seen: bool, is_inside: bool, border: impl Iterator<Item = Vec2>, delta: Vec2, radius_m: f32) {
        let distance_m = border.map(|point| point.distance(delta)).fold(f32::MAX, f32::min);
        if is_inside || distance_m < radius_m - 0.05 {
            assert!(is_seen, "{delta}, radius {radius_m}, at {distance_m} m");
        } else if distance_m > radius_m + 0.05 {
            assert!(!is_seen, "{delta}, radius {radius_m}, at {distance_m} m");
        }
    }

    #[test]
    fn disc_is_seen_where_it_touches_the_area() {
        let (mut random, mut seen) = (RandomStream::new(1, "test"), [0; 2]);
        for _ in 0..2_000 {
            let (profile, heading) = any_profile(&mut random);
            let ahead = forward(heading);
            let delta = Vec2::new(random.between(-30.0, 30.0), random.between(-30.0, 30.0));
            let radius_m = random.between(0.5, 3.0);

            let (range_m, half_angle_rad) = (profile.radar_range_m, profile.radar_angle_rad / 2.0);
            let bearing_rad = libm::atan2f(ahead.perp_dot(delta), ahead.dot(delta)).abs();
            let is_inside = delta.length() <= range_m && bearing_rad <= half_angle_rad;
            let rim = |share: f32| forward(heading + half_angle_rad * share) * range_m;
            let parts = (profile.radar_angle_rad * range_m / 0.05).ceil();
            let arc = (0..=parts as u32).map(|part| rim(2.0 * part as f32 / parts - 1.0));
            let border = line(Vec2::ZERO, rim(-1.0)).chain(arc).chain(line(rim(1.0), Vec2::ZERO));
            let is_seen = Area::radar(&profile).touches(ahead, delta, radius_m);
            assert_seen(is_seen, is_inside, border, delta, radius_m);
            seen[0] += i32::from(is_seen);

            let (along_m, aside_m) = (ahead.dot(delta), ahead.perp_dot(delta).abs());
            let is_inside =
                (0.0..=profile.avoider_range_m).contains(&along_m) && aside_m <= profile.avoider_half_width_m;
            let [near_left, far_left, far_right, near_right] =
                avoider_corners(&profile, Pose::new(Vec2::ZERO, heading));
            let sides = line(near_left, far_left).chain(line(far_left, far_right));
            let border = sides.chain(line(far_right, near_right)).chain(line(near_right, near_left));
            let is_seen = Area::avoider(&profile).touches(ahead, delta, radius_m);
            assert_seen(is_seen, is_inside, border, delta, radius_m);
            seen[1] += i32::from(is_seen);
        }
        assert!(seen.iter().all(|seen| (50..1_950).contains(seen)), "{seen:?}");
    }

    #[test]
    fn bounds_contain_the_whole_area() {
        let mut random = RandomStream::new(2, "test");
        for case in 0..20_000 {
            let (profile, heading) = any_profile(&mut random);
            // Half of them on the rim, and of these half at a corner, where rounding decides.
            let border = if random.chance(0.5) { 1.0 } else { random.between(-1.0, 1.0) };
            let on_rim = forward(heading + profile.radar_angle_rad / 2.0 * border) * profile.radar_range_m;
            let anywhere = Vec2::new(random.between(-45.0, 45.0), random.between(-45.0, 45.0));
            let (ahead, delta) = (forward(heading), if random.chance(0.5) { on_rim } else { anywhere });
            for (area, rounding_m) in [(Area::radar(&profile), 0.0), (Area::avoider(&profile), 1e-3)] {
                let (center, half_extents_m) = area.bounds(ahead);
                let is_in = (delta - center).abs().cmple(half_extents_m + Vec2::splat(rounding_m)).all();
                assert!(!area.touches(ahead, delta, 0.0) || is_in, "case {case}: {area:?}, {delta}");
            }
        }
    }

    #[test]
    fn avoider_is_a_box_ahead() {
        let corners = avoider_corners(&profile(), Pose::new(Vec2::new(3.0, 4.0), FRAC_PI_2));
        let expected = [(3.0, 2.5), (-15.75, 2.5), (-15.75, 5.5), (3.0, 5.5)].map(Vec2::from);
        assert!(corners.iter().zip(expected).all(|(found, wanted)| found.distance(wanted) < 1e-5), "{corners:?}");
    }
}
