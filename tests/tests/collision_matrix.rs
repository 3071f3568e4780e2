//! The collision matrix, cell by cell, in a world of bodies and in matches.

use std::f32::consts::FRAC_PI_2;

use bounty_hunter::arena::Pose;
use bounty_hunter::events::CollisionBegin;
use bounty_hunter::physics::{Body, BodyHandle, BodyKey, Category, Contact, ContactKind, Physics, Shape};
use glam::Vec2;
use tests::{Game, STANDING, ai, scenario, vary_collectors};

/// Default, collector, bounty, stash, wall, radar, avoider, power-up, in the order of [`Category::ALL`]: `x` where two of them
/// touch, `.` where they do not, and `o` where the matrix lets them touch but both are fixed.
const MATRIX: &str = "
    x x x x x . . .
    x x x x x . x x
    x x . . . x . .
    x x . o o . . .
    x x . o . . . .
    . . x . . . . .
    . x . . . . . .
    . x . . . . . .";

fn cells(drawing: &str) -> Vec<Vec<char>> {
    let rows = drawing.lines().filter(|line| !line.trim().is_empty());
    rows.map(|line| line.split_whitespace().flat_map(str::chars).collect()).collect()
}

/// Adds a body whose collider of `category` covers the middle of the world. The collector of a sensor stands 15 m away from
/// the middle, outside of the other one's sensor.
fn cover_middle(physics: &mut Physics, key: u64, category: Category) -> BodyHandle {
    let (here, carrier) = match key {
        1 => (Pose::at(0.0, 0.0), Pose::at(0.0, -15.0)),
        _ => (Pose::at(0.4, 0.3), Pose::new(Vec2::new(-15.0, 0.0), -FRAC_PI_2)),
    };
    let mut add = |pose, shape, body| physics.add_body(BodyKey(key), pose, shape, body);
    let collector = Body::moving(Category::Collector, 1.0);
    match category {
        Category::Collector => add(here, Shape::Triangle(1.0), collector),
        Category::Default | Category::Bounty => add(here, Shape::Square(1.0), Body::moving(category, 1.0)),
        Category::Stash | Category::PowerUp => add(here, Shape::Square(1.0), Body::fixed(category)),
        Category::Wall => add(here, Shape::Rectangle(1.0, 3.0), Body::fixed(category)),
        Category::Radar | Category::Avoider => {
            let body = add(carrier, Shape::Triangle(1.0), collector);
            let is_attached = match category {
                Category::Radar => physics.attach_radar(body, 1.0, 25.0),
                _ => physics.attach_avoider(body, 1.5, 18.75),
            };
            assert!(is_attached);
            body
        }
    }
}

/// The contacts of two overlapping colliders of these categories.
fn contacts_of(one: Category, other: Category) -> Vec<Contact> {
    let mut physics = Physics::new(1.0 / 60.0);
    cover_middle(&mut physics, 1, one);
    cover_middle(&mut physics, 2, other);
    physics.step();
    physics.contacts().to_vec()
}

/// The cells of a drawing that differ from the world.
fn wrong_cells(drawing: &[Vec<char>]) -> Vec<(Category, Category)> {
    let mut wrong = Vec::new();
    for (row, one) in Category::ALL.into_iter().enumerate() {
        for (column, other) in Category::ALL.into_iter().enumerate() {
            let begun = |contact: &Contact| {
                let categories = (contact.category_a, contact.category_b);
                contact.kind == ContactKind::Begin && categories == (one.min(other), one.max(other))
            };
            let contacts = contacts_of(one, other);
            let found = match (contacts.as_slice(), one.meets(other)) {
                ([contact], true) if begun(contact) => 'x',
                ([], false) => '.',
                ([], true) => 'o',
                _ => '?',
            };
            if drawing[row][column] != found {
                wrong.push((one, other));
            }
        }
    }
    wrong
}

#[test]
fn all_64_cells_are_as_drawn() {
    let drawing = cells(MATRIX);
    assert_eq!((drawing.len(), drawing.iter().map(Vec::len).sum::<usize>()), (8, 64));
    assert_eq!(wrong_cells(&drawing), []);
}

#[test]
fn every_wrong_cell_of_a_drawing_is_found() {
    for (row, one) in Category::ALL.into_iter().enumerate() {
        for (column, other) in Category::ALL.into_iter().enumerate() {
            let mut drawing = cells(MATRIX);
            let cell = &mut drawing[row][column];
            *cell = if *cell == 'x' { '.' } else { 'x' };
            assert_eq!(wrong_cells(&drawing), [(one, other)]);
        }
    }
}

#[test]
fn drawing_is_symmetric() {
    let drawing = cells(MATRIX);
    for (row, line) in drawing.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            assert_eq!(*cell, drawing[column][row]);
        }
    }
}

#[test]
fn only_two_solid_bodies_push() {
    for other in Category::ALL {
        let mut physics = Physics::new(1.0 / 60.0);
        let collector = cover_middle(&mut physics, 1, Category::Collector);
        cover_middle(&mut physics, 2, other);
        (0..30).for_each(|_| physics.step());
        let is_pushed = physics.pose(collector).map(|pose| pose.position) != Some(Vec2::ZERO);
        assert_eq!(is_pushed, Category::Collector.meets(other) && !other.is_sensor(), "{other:?}");
    }
}

// In a match

/// The categories of the contacts of the first step.
fn first_collisions(mut game: Game) -> Vec<(Category, Category)> {
    game.step(1);
    let physics = game.simulation().engine().resource::<Physics>().expect("there is physics");
    let mut pairs: Vec<_> = physics.contacts().iter().map(|contact| (contact.category_a, contact.category_b)).collect();
    assert_eq!(game.count::<CollisionBegin>() as usize, pairs.len(), "each contact is one event");
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

#[test]
fn objects_of_a_match_collide_as_drawn() {
    use Category::{Avoider, Bounty, Collector, Radar, Stash, Wall};
    let still = |picture: &str| {
        scenario(picture).with_assets(|assets| {
            vary_collectors(assets, STANDING);
        })
    };
    // Two objects at one place, far from all others.
    let pair = still("").collector_at(0, 0.0, 0.0, 0.0).collector_at(1, 1.0, 0.0, 0.0).begin();
    assert_eq!(first_collisions(pair), [(Collector, Collector)]);
    let with_bounty = still("").collector_at(0, 0.0, 0.0, 0.0).bounty_at(0.5, 0.0, 5.0).begin();
    assert_eq!(first_collisions(with_bounty), [(Collector, Bounty)]);
    assert_eq!(first_collisions(still("").begin()), [(Collector, Stash)], "collectors start on their stashes");
    let at_wall = still("").collector_at(0, 76.5, 0.0, 0.0).begin();
    assert_eq!(first_collisions(at_wall), [(Collector, Wall)]);
    let seen = still("^").seat(0, ai("normal")).bounty_at(0.0, 20.0, 5.0).begin();
    assert_eq!(first_collisions(seen), [(Bounty, Radar)]);
    let avoided = still("^").seat(0, ai("normal")).collector_at(1, 0.0, 10.0, 0.0).begin();
    assert_eq!(first_collisions(avoided), [(Collector, Avoider)]);
    // Bounties and stashes at one place, and sensors of two AIs, never meet.
    let heap = still("").collector_at(0, 30.0, 30.0, 0.0).bounty_at(0.0, 0.0, 5.0).bounty_at(0.5, 0.0, 5.0);
    let mut heap = heap.begin();
    let stash = heap.stash_of(0);
    heap.put(stash, Pose::at(0.3, 0.3));
    assert_eq!(first_collisions(heap), []);
    let face_to_face = still("").collector_at(0, 0.0, -20.0, 0.0).collector_at(1, 0.0, 20.0, std::f32::consts::PI);
    assert_eq!(first_collisions(face_to_face.seat(0, ai("normal")).seat(1, ai("normal")).begin()), []);
}
