//! Checks each cell of the collision matrix in a world.

use std::f32::consts::FRAC_PI_2;

use glam::Vec2;

use super::{BodyKey, Category, Contact, ContactKind, Physics, Pose};

const ONE: BodyKey = BodyKey(1);
const OTHER: BodyKey = BodyKey(2);

/// Adds a body whose collider of `category` covers the centre of the world. The body of a sensor stands 15 m away from the
/// centre, outside of the other one's sensor.
fn cover_middle(physics: &mut Physics, key: BodyKey, category: Category) {
    let (offset, carrier) = match key {
        ONE => (Pose::at(0.0, 0.0), Pose::at(0.0, -15.0)),
        _ => (Pose::at(0.4, 0.3), Pose::new(Vec2::new(-15.0, 0.0), -FRAC_PI_2)),
    };
    match category {
        Category::Default => _ = physics.add_other(key, offset, 1.0, 1.0),
        Category::Collector => _ = physics.add_collector(key, offset, 1.0, 1.0),
        Category::Bounty => _ = physics.add_bounty(key, offset, 1.0, 1.0),
        Category::Stash => _ = physics.add_stash(key, offset, 1.0),
        Category::Wall => _ = physics.add_wall(key, offset, 1.0, 3.0),
        Category::PowerUp => _ = physics.add_power_up(key, offset, 1.0),
        Category::Radar => {
            let body = physics.add_collector(key, carrier, 1.0, 1.0);
            assert!(physics.attach_radar(body, 1.0, 25.0));
        }
        Category::Avoider => {
            let body = physics.add_collector(key, carrier, 1.0, 1.0);
            assert!(physics.attach_avoider(body, 1.5, 18.75));
        }
    }
}

fn contacts_of(one: Category, other: Category) -> Vec<Contact> {
    let mut physics = Physics::new(1.0 / 60.0);
    cover_middle(&mut physics, ONE, one);
    cover_middle(&mut physics, OTHER, other);
    physics.step();
    physics.contacts().to_vec()
}

/// Rapier never checks two fixed sensors, whatever the matrix says.
fn both_are_fixed(one: Category, other: Category) -> bool {
    [one, other].iter().all(|category| matches!(category, Category::Stash | Category::Wall | Category::PowerUp))
}

#[test]
fn overlapping_colliders_meet_where_their_cell_is_marked() {
    for one in Category::ALL {
        for other in Category::ALL {
            let contacts = contacts_of(one, other);
            if !one.meets(other) || both_are_fixed(one, other) {
                assert_eq!(contacts, [], "{one:?} and {other:?}");
                continue;
            }
            let (a, b) = if one <= other { (ONE, OTHER) } else { (OTHER, ONE) };
            let (category_a, category_b) = (one.min(other), one.max(other));
            let begun = Contact { a, b, category_a, category_b, kind: ContactKind::Begin };
            assert_eq!(contacts, [begun], "{one:?} and {other:?}");
        }
    }
}

#[test]
fn only_cells_of_two_fixed_sensors_are_unreachable() {
    let mut unreachable = Vec::new();
    for one in Category::ALL {
        for other in Category::ALL {
            if one <= other && one.meets(other) && contacts_of(one, other).is_empty() {
                unreachable.push((one, other));
            }
        }
    }
    assert_eq!(unreachable, [(Category::Stash, Category::Stash), (Category::Stash, Category::Wall)]);
}

#[test]
fn only_two_solid_bodies_push() {
    for other in Category::ALL {
        let mut physics = Physics::new(1.0 / 60.0);
        let collector = physics.add_collector(ONE, Pose::at(0.0, 0.0), 1.0, 1.0);
        cover_middle(&mut physics, OTHER, other);
        for _ in 0..30 {
            physics.step();
        }
        let is_pushed = physics.pose(collector).map(|pose| pose.position) != Some(Vec2::ZERO);
        assert_eq!(is_pushed, Category::Collector.meets(other) && !other.is_sensor(), "{other:?}");
    }
}
