//! The collision matrix, cell by cell, in a world of bodies and in matches.

use bounty_hunter::arena::Pose;
use bounty_hunter::events::CollisionBegin;
use bounty_hunter::physics::{Body, BodyHandle, BodyKey, Category, Contact, ContactKind, Physics, Shape};
use ecs::{Setup, System};
use glam::Vec2;
use tests::{Game, STANDING, ai, scenario, vary_collectors};

/// The categories of hit boxes; radar and avoider are areas, not bodies.
const BODIES: [Category; 7] = [
    Category::Default,
    Category::Collector,
    Category::Bounty,
    Category::Stash,
    Category::Wall,
    Category::PowerUp,
    Category::Trigger,
];

/// The cells of [`BODIES`]: `x` where two of them touch, `.` where they do not, and `o` where the matrix lets them
/// touch but both are fixed.
const MATRIX: &str = "
    x x x x x . x
    x x x x x x x
    x x . . . . x
    x x . o o . .
    x x . o . . .
    . x . . . . .
    x x x . . . .";

fn cells(drawing: &str) -> Vec<Vec<char>> {
    let rows = drawing.lines().filter(|line| !line.trim().is_empty());
    rows.map(|line| line.split_whitespace().flat_map(str::chars).collect()).collect()
}

/// Adds a body whose collider of `category` covers the middle of the world.
fn cover_middle(physics: &mut Physics, key: u64, category: Category) -> BodyHandle {
    let here = if key == 1 { Pose::at(0.0, 0.0) } else { Pose::at(0.4, 0.3) };
    let (shape, body) = match category {
        Category::Collector => (Shape::Triangle(1.0), Body::moving(category, 1.0)),
        Category::Default | Category::Bounty => (Shape::Square(1.0), Body::moving(category, 1.0)),
        Category::Wall => (Shape::Rectangle(1.0, 3.0), Body::fixed(category)),
        _ => (Shape::Square(1.0), Body::fixed(category)),
    };
    physics.add_body(BodyKey(key), here, shape, body)
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
    for (row, one) in BODIES.into_iter().enumerate() {
        for (column, other) in BODIES.into_iter().enumerate() {
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
fn all_49_cells_are_as_drawn() {
    let drawing = cells(MATRIX);
    assert_eq!((drawing.len(), drawing.iter().map(Vec::len).sum::<usize>()), (7, 49));
    assert_eq!(wrong_cells(&drawing), []);
}

#[test]
fn every_wrong_cell_of_a_drawing_is_found() {
    for (row, one) in BODIES.into_iter().enumerate() {
        for (column, other) in BODIES.into_iter().enumerate() {
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
    for other in BODIES {
        let mut physics = Physics::new(1.0 / 60.0);
        let collector = cover_middle(&mut physics, 1, Category::Collector);
        cover_middle(&mut physics, 2, other);
        (0..30).for_each(|_| physics.step());
        let is_pushed = physics.pose(collector).map(|pose| pose.position) != Some(Vec2::ZERO);
        assert_eq!(is_pushed, Category::Collector.meets(other) && !other.is_sensor(), "{other:?}");
    }
}

// In a match

/// Records the categories of what begins to touch or to be seen.
#[derive(Default)]
struct Beginnings(Vec<(Category, Category)>);

impl System for Beginnings {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_begin);
    }
}

impl Beginnings {
    fn on_begin(&mut self, event: &CollisionBegin) {
        self.0.push((event.category_a, event.category_b));
    }
}

/// The categories that meet in the first step.
fn first_collisions(mut game: Game) -> Vec<(Category, Category)> {
    game.simulation_mut().engine_mut().add(Beginnings::default()).expect("no other system has this name");
    game.step(1);
    let Beginnings(mut pairs) =
        game.simulation_mut().engine_mut().system_mut().map(std::mem::take).expect("it is there");
    assert_eq!(game.count::<CollisionBegin>() as usize, pairs.len());
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
    let seen = still("^").seat(0, ai("normal")).bounty_at(0.0, 15.0, 5.0).begin();
    assert_eq!(first_collisions(seen), [(Bounty, Radar)], "and not the avoider");
    let avoided = still("^").seat(0, ai("normal")).collector_at(1, 0.0, 10.0, 0.0).begin();
    assert_eq!(first_collisions(avoided), [(Collector, Avoider)], "and not the radar");
    // Bounties and stashes at one place, and the areas that two AIs see, never meet.
    let heap = still("").collector_at(0, 30.0, 30.0, 0.0).bounty_at(0.0, 0.0, 5.0).bounty_at(0.5, 0.0, 5.0);
    let mut heap = heap.begin();
    let stash = heap.stash_of(0);
    heap.put(stash, Pose::at(0.3, 0.3));
    assert_eq!(first_collisions(heap), []);
    let face_to_face = still("").collector_at(0, 0.0, -20.0, 0.0).collector_at(1, 0.0, 20.0, std::f32::consts::PI);
    assert_eq!(first_collisions(face_to_face.seat(0, ai("normal")).seat(1, ai("normal")).begin()), []);
}
