//! Matter: the surface of a body, and what slows it down.

use serde::{Deserialize, Serialize};

use super::body::BodyHandle;
use super::world::Physics;
use crate::data::limits;

/// Component: the surface of a body, and what slows it down. Without it, and in fields that a prefab leaves out, all
/// are 0: the body slides along others, does not bounce, and keeps its velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Matter {
    /// The coefficient of friction; two bodies that touch have the mean of theirs.
    #[serde(deserialize_with = "limits::read::friction")]
    pub friction: f32,
    /// The share of the speed of a collision that is kept; two bodies that touch have the mean of theirs.
    #[serde(deserialize_with = "limits::read::share")]
    pub restitution_share: f32,
    /// The share of its velocity that it loses per second, at first.
    #[serde(deserialize_with = "limits::read::damping_per_second")]
    pub damping_per_second: f32,
    /// The same of its turning.
    #[serde(deserialize_with = "limits::read::damping_per_second")]
    pub turn_damping_per_second: f32,
}

impl Physics {
    /// Sets the matter of a body.
    pub fn set_matter(&mut self, body: BodyHandle, matter: Matter) -> bool {
        let Some(rigid_body) = self.world.bodies.get_mut(body.to_rapier()) else { return false };
        rigid_body.set_linear_damping(matter.damping_per_second);
        rigid_body.set_angular_damping(matter.turn_damping_per_second);
        for &part in rigid_body.colliders() {
            if let Some(collider) = self.world.colliders.get_mut(part) {
                collider.set_friction(matter.friction);
                collider.set_restitution(matter.restitution_share);
            }
        }
        true
    }

    /// The matter of a body.
    #[must_use]
    pub fn matter(&self, body: BodyHandle) -> Option<Matter> {
        let rigid_body = self.world.bodies.get(body.to_rapier())?;
        let collider = self.world.colliders.get(*rigid_body.colliders().first()?)?;
        Some(Matter {
            friction: collider.friction(),
            restitution_share: collider.restitution(),
            damping_per_second: rigid_body.linear_damping(),
            turn_damping_per_second: rigid_body.angular_damping(),
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, vec2};

    use super::*;
    use crate::physics::{Body, BodyKey, Category, Pose, Shape, Velocity};

    /// The velocity of a box of this matter after a second, from (10, -10); it hits a floor of the same matter, if
    /// there is one.
    fn after_a_second(matter: Matter, has_floor: bool) -> Velocity {
        let mut physics = Physics::new(1.0 / 60.0);
        let body = Body::moving(Category::Default, 1.0);
        let falling = physics.add_body(BodyKey(1), Pose::new(Vec2::ZERO, 0.0), Shape::Square(1.0), body);
        assert!(physics.set_matter(falling, matter));
        if has_floor {
            let below = Pose::new(vec2(0.0, -5.0), 0.0);
            let floor =
                physics.add_body(BodyKey(2), below, Shape::Rectangle(50.0, 1.0), Body::fixed(Category::Default));
            assert!(physics.set_matter(floor, matter));
        }
        physics.set_velocity(falling, vec2(10.0, -10.0), 2.0);
        (0..60).for_each(|_| physics.step());
        physics.velocity(falling).expect("it is there")
    }

    #[test]
    fn usual_body_keeps_its_velocity_and_slides_without_bouncing() {
        let free = after_a_second(Matter::default(), false);
        assert!((free.linear - vec2(10.0, -10.0)).length() < 0.01 && (free.angular - 2.0).abs() < 0.01, "{free:?}");
        let slid = after_a_second(Matter::default(), true);
        assert!((slid.linear.x - 10.0).abs() < 0.5 && slid.linear.y < 2.5, "{slid:?}");
    }

    #[test]
    fn damping_slows_a_body_and_its_turning() {
        let damped = Matter { damping_per_second: 2.0, turn_damping_per_second: 5.0, ..Matter::default() };
        let velocity = after_a_second(damped, false);
        assert!((1.0..1.8).contains(&velocity.linear.x) && velocity.angular < 0.1, "{velocity:?}");
    }

    #[test]
    fn restitution_bounces_and_friction_holds() {
        let bounced = after_a_second(Matter { restitution_share: 1.0, ..Matter::default() }, true);
        assert!(bounced.linear.y > 4.0, "{bounced:?}");
        let held = after_a_second(Matter { friction: 1.0, ..Matter::default() }, true);
        assert!(held.linear.x < 7.5, "{held:?}");
    }
}
