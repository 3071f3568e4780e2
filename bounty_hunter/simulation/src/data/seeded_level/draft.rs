//! A level in the making: a thing is added with all its images under the symmetry, or not at all.
//!
//! Coordinates and sizes are whole half metres.

use std::f32::consts::FRAC_PI_2;

use crate::data::level::{Level, LevelWall, Place, StashPlaces};
use crate::data::reaction::{Action, By, Reaction, When};

/// Half the side of the world.
const WORLD: i32 = 150;
/// Free space between any two things: more than the widest collector needs.
const GAP: i32 = 16;
/// Free space between the centre of a stash and things that do not stand beside each stash alike.
const STASH_ROOM: i32 = 26;
/// The most obstacles that stand still: AIs with foresight plan around so many.
const MOST_OBSTACLES: usize = 31;
/// Half the side of the free square where a portal leads to.
const ARRIVAL: i32 = 6;
/// The tilts of a square that differ.
pub(super) const TILTS: u32 = 16;
/// The cosines of 0 to 8 parts of the 32 of a full turn, times 100,000.
const COSINES: [i32; 9] = [100_000, 98_079, 92_388, 83_147, 70_711, 55_557, 38_268, 19_509, 0];
/// The stashes in 32 parts of a full turn, first player first: the first 2, 4, 8 and 16 stand as far apart as they can.
const STASHES: [usize; 16] = [2, 18, 10, 26, 6, 22, 14, 30, 0, 16, 8, 24, 4, 20, 12, 28];

/// A point or a vector.
pub(super) type Point = (i32, i32);

/// What leaves a level as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    /// Quarter turns around the centre alone.
    Turned,
    /// A quarter turn and a mirror along each axis and diagonal.
    Mirrored,
}

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Wall,
    /// Its size in halves of the usual one, and its tilt in parts of a quarter turn.
    Rock {
        halves: i32,
        tilt: u32,
    },
    /// A rock that collectors push.
    Boulder,
    /// What touches it is put to a point on the other side of the world.
    Portal {
        leads_to: Point,
    },
}

/// A thing in the rectangle that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thing {
    pub(super) kind: Kind,
    pub(super) at: Point,
    /// Half its width and its height.
    pub(super) half: Point,
}

impl Thing {
    pub(super) fn wall(at: Point, half: Point) -> Self {
        Self { kind: Kind::Wall, at, half }
    }

    /// A rock in halves of the usual size; it needs its diagonal, whatever its tilt.
    pub(super) fn rock(at: Point, halves: i32, tilt: u32) -> Self {
        Self { kind: Kind::Rock { halves, tilt }, at, half: (2 * halves + 1, 2 * halves + 1) }
    }

    pub(super) fn boulder(at: Point) -> Self {
        Self { kind: Kind::Boulder, at, half: (4, 4) }
    }

    /// A portal that leads to the opposite side, `inwards` nearer to the centre than its counterpart there.
    pub(super) fn portal(at: Point, inwards: Point) -> Self {
        Self { kind: Kind::Portal { leads_to: (inwards.0 - at.0, inwards.1 - at.1) }, at, half: (5, 5) }
    }

    fn is_obstacle(&self) -> bool {
        matches!(self.kind, Kind::Wall | Kind::Rock { .. })
    }

    fn turned(self) -> Self {
        let turn = |(x, y): Point| (-y, x);
        let kind = match self.kind {
            Kind::Portal { leads_to } => Kind::Portal { leads_to: turn(leads_to) },
            kind => kind,
        };
        Self { kind, at: turn(self.at), half: (self.half.1, self.half.0) }
    }

    fn mirrored(self) -> Self {
        let mirror = |(x, y): Point| (x, -y);
        let kind = match self.kind {
            Kind::Portal { leads_to } => Kind::Portal { leads_to: mirror(leads_to) },
            kind => kind,
        };
        Self { kind, at: mirror(self.at), ..self }
    }

    /// Whether there are `gap` half metres between its rectangle and another one, along an axis.
    fn is_apart(&self, at: Point, half: Point, gap: i32) -> bool {
        (self.at.0 - at.0).abs() >= self.half.0 + half.0 + gap || (self.at.1 - at.1).abs() >= self.half.1 + half.1 + gap
    }
}

/// The things of a level so far.
pub(super) struct Draft {
    symmetry: Symmetry,
    /// The distance of all stashes from the centre.
    pub(super) ring: i32,
    stashes: Vec<Point>,
    things: Vec<Thing>,
    /// Points where portals lead to.
    arrivals: Vec<Point>,
}

impl Draft {
    /// An empty level with its stashes at this distance from the centre.
    pub(super) fn new(symmetry: Symmetry, ring: i32) -> Self {
        let stashes = STASHES.map(|part| on_ring(ring, part)).to_vec();
        Self { symmetry, ring, stashes, things: Vec::new(), arrivals: Vec::new() }
    }

    pub(super) fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// The number of things that stand still in the way.
    pub(super) fn obstacles(&self) -> usize {
        self.things.iter().filter(|thing| thing.is_obstacle()).count()
    }

    /// Adds a thing and its images; returns whether all of them had room.
    pub(super) fn add(&mut self, thing: Thing) -> bool {
        let images = self.images(thing);
        let is_free = |image: &Thing| {
            self.stashes.iter().all(|stash| image.is_apart(*stash, (0, 0), STASH_ROOM)) && self.has_room(image)
        };
        images.iter().all(is_free) && self.add_all(images)
    }

    /// Adds a thing between each two neighbours of the ring of stashes.
    pub(super) fn add_guards(&mut self, guard: impl Fn(Point) -> Thing, ring: i32) -> bool {
        let guards: Vec<Thing> = (0..16).map(|stash| guard(on_ring(ring, 2 * stash + 1))).collect();
        guards.iter().all(|guard| self.has_room(guard)) && self.add_all(guards)
    }

    /// Whether a thing stands apart from all others.
    fn has_room(&self, thing: &Thing) -> bool {
        let is_clear = |other: &Thing| thing.is_apart(other.at, other.half, GAP);
        let leaves_arrival = |at: &Point| thing.is_apart(*at, (ARRIVAL, ARRIVAL), 0);
        self.things.iter().all(is_clear) && self.arrivals.iter().all(leaves_arrival)
    }

    /// Adds things if they stand apart from each other, and are not too many.
    fn add_all(&mut self, things: Vec<Thing>) -> bool {
        let obstacles = self.obstacles() + things.iter().filter(|thing| thing.is_obstacle()).count();
        let are_apart = (1..things.len())
            .all(|index| things[..index].iter().all(|other| things[index].is_apart(other.at, other.half, GAP)));
        let arrivals: Vec<Point> = things.iter().filter_map(arrival).collect();
        let all = || self.things.iter().chain(&things);
        let are_open = arrivals.iter().all(|at| all().all(|thing| thing.is_apart(*at, (ARRIVAL, ARRIVAL), 0)));
        if obstacles > MOST_OBSTACLES || !are_apart || !are_open {
            return false;
        }
        self.things.extend(things);
        self.arrivals.extend(arrivals);
        true
    }

    /// The thing and what its symmetry makes of it, each once.
    fn images(&self, thing: Thing) -> Vec<Thing> {
        let mut images = Vec::new();
        let mirrored = (self.symmetry == Symmetry::Mirrored).then(|| thing.mirrored());
        for mut image in [Some(thing), mirrored].into_iter().flatten() {
            for _ in 0..4 {
                if !images.contains(&image) {
                    images.push(image);
                }
                image = image.turned();
            }
        }
        images
    }

    /// The things and the stashes as a level, in metres.
    pub(super) fn level(&self, bounty_region_share: f32) -> Level {
        let walls = self.things.iter().filter(|thing| thing.kind == Kind::Wall);
        let walls = walls.map(|wall| LevelWall { at_m: metres(wall.at), half_extents_m: metres(wall.half) }).collect();
        let (mut places, mut reactions) = (Vec::new(), Vec::new());
        for thing in &self.things {
            let mut place =
                Place { name: None, prefab: String::new(), at_m: metres(thing.at), heading_rad: 0.0, scale: 1.0 };
            place.prefab = match thing.kind {
                Kind::Wall => continue,
                Kind::Rock { halves, tilt } => {
                    place.heading_rad = tilt as f32 * (FRAC_PI_2 / TILTS as f32);
                    place.scale = halves as f32 / 2.0;
                    "rock"
                }
                Kind::Boulder => "boulder",
                Kind::Portal { .. } => {
                    let name = format!("portal {}", reactions.len() + 1);
                    let at_m = arrival(thing).map_or(place.at_m, metres);
                    let action = Action::Teleport { at_m, heading_rad: None };
                    let when = When::Touched(name.clone());
                    reactions.push(Reaction { when, by: By::default(), action, to: None, after_seconds: 0.0 });
                    place.name = Some(name);
                    "portal"
                }
            }
            .to_owned();
            places.push(place);
        }
        Level {
            world_half_extent_m: WORLD as f32 / 2.0,
            stashes: StashPlaces::Places { at_m: self.stashes.iter().map(|stash| metres(*stash)).collect() },
            bounty_region_share,
            walls,
            places,
            gravity_mps2: (0.0, 0.0),
            reactions,
        }
    }
}

fn arrival(thing: &Thing) -> Option<Point> {
    if let Kind::Portal { leads_to } = thing.kind { Some(leads_to) } else { None }
}

fn metres((x, y): Point) -> (f32, f32) {
    (x as f32 / 2.0, y as f32 / 2.0)
}

/// The point on a circle around the centre after so many of the 32 parts of a full turn. Each quarter is an exact turn
/// of the first.
fn on_ring(radius: i32, part: usize) -> Point {
    let along = |cosine: i32| (radius * cosine + 50_000) / 100_000;
    let (x, y) = (along(COSINES[part % 8]), along(COSINES[8 - part % 8]));
    match part / 8 % 4 {
        0 => (x, y),
        1 => (-y, x),
        2 => (-x, -y),
        _ => (y, -x),
    }
}
