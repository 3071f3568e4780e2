//! Structural changes. The floor uses arrays, a slot map and a sparse set.

use std::hint::black_box;

use slotmap::{DefaultKey, SlotMap};

use super::{Case, Work};
use serde::{Deserialize, Serialize};

use crate::components::{A, B, Position, Rotation, Transform, Velocity, four, numbers, shuffled, sum};
use crate::stopwatch::{Runner, on_new, there_and_back};

pub(super) const CASES: [Case; 11] = [
    Case::new("insert-remove", "insert, then remove a component on 10,000", Work::InsertRemove, (10_000, 10), 2.6),
    Case::new("insert-remove-each", "the same, by calls to the world", Work::InsertRemoveEach, (10_000, 10), 4.0),
    Case::new("insert-remove-bulk", "the same in bulk", Work::InsertRemoveInBulk, (10_000, 10), 2.0),
    Case::new("spawn-bulk", "spawn 10,000 × 4 components in bulk", Work::SpawnInBulk, (10_000, 10), 1.5),
    Case::new("spawn-columns", "from columns", Work::SpawnColumns, (10_000, 10), 1.5),
    Case::new("spawn", "spawn 10,000 × 4 one by one", Work::Spawn, (10_000, 10), 2.0),
    Case::new("spawn-1m", "the same, 1,000,000 × 4", Work::Spawn, (1_000_000, 1), 1.14),
    Case::new("respawn", "despawn and respawn 10,000 × 4", Work::Respawn, (10_000, 10), 2.5),
    Case::new("respawn-each", "the same one by one, in random order", Work::RespawnEach, (10_000, 10), 6.0),
    Case::new(
        "respawn-each-tracked",
        "the same, tracked, with relations",
        Work::RespawnEachTracked,
        (10_000, 10),
        12.0,
    ),
    Case::new("save-load", "save and load 10,000 × 4", Work::SaveLoad, (10_000, 10), 1.5),
];

pub(super) fn floor(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::InsertRemove | Work::InsertRemoveEach | Work::InsertRemoveInBulk => insert_remove(count),
        Work::SpawnInBulk => spawn_in_bulk(count, |columns, count| {
            columns.reserve(count);
            columns.fill(count);
        }),
        Work::SpawnColumns => {
            let mut columns = Columns::default();
            columns.fill(count);
            spawn_in_bulk(count, move |copy, _| copy.clone_from(&columns))
        }
        Work::Spawn => on_new(Columns::default, move |columns| columns.fill(count), Columns::checksum),
        Work::Respawn => respawn(count),
        Work::RespawnEach | Work::RespawnEachTracked => respawn_each(count),
        Work::SaveLoad => save_load(count),
        _ => return None,
    })
}

/// A sparse set without generations or checks.
#[derive(Default)]
struct SparseSet {
    values: Vec<B>,
    owners: Vec<u32>,
    positions: Vec<u32>,
}

impl SparseSet {
    fn insert(&mut self, owner: u32, value: B) {
        if owner as usize >= self.positions.len() {
            self.positions.resize(owner as usize + 1, u32::MAX);
        }
        self.positions[owner as usize] = self.values.len() as u32;
        self.values.push(value);
        self.owners.push(owner);
    }

    fn remove(&mut self, owner: u32) {
        let position = std::mem::replace(&mut self.positions[owner as usize], u32::MAX) as usize;
        self.values.swap_remove(position);
        self.owners.swap_remove(position);
        if let Some(moved) = self.owners.get(position) {
            self.positions[*moved as usize] = position as u32;
        }
    }
}

fn insert_remove(count: usize) -> Runner {
    let common: Vec<A> = (0..count).map(|n| A(n as f32)).collect();
    there_and_back(
        (common, SparseSet::default()),
        move |(_, set)| (0..count as u32).for_each(|owner| set.insert(owner, B(1.0))),
        move |(_, set)| {
            let set = black_box(set);
            (0..count as u32).for_each(|owner| set.remove(owner));
        },
        |(common, set)| sum(common.iter().map(|a| [a.0])) + set.values.len() as u64,
    )
}

/// An array for each of four components.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Columns {
    transforms: Vec<Transform>,
    positions: Vec<Position>,
    rotations: Vec<Rotation>,
    velocities: Vec<Velocity>,
}

impl Columns {
    fn reserve(&mut self, count: usize) {
        self.transforms.reserve(count);
        self.positions.reserve(count);
        self.rotations.reserve(count);
        self.velocities.reserve(count);
    }

    fn fill(&mut self, count: usize) {
        (0..count).for_each(|n| self.push(n));
    }

    fn push(&mut self, n: usize) {
        let (transform, position, rotation, velocity) = four(n);
        self.transforms.push(transform);
        self.positions.push(position);
        self.rotations.push(rotation);
        self.velocities.push(velocity);
    }

    fn swap_remove(&mut self, row: usize) {
        self.transforms.swap_remove(row);
        self.positions.swap_remove(row);
        self.rotations.swap_remove(row);
        self.velocities.swap_remove(row);
    }

    fn clear(&mut self) {
        self.transforms.clear();
        self.positions.clear();
        self.rotations.clear();
        self.velocities.clear();
    }

    fn checksum(&mut self) -> u64 {
        let Self { transforms, positions, rotations, velocities } = self;
        let rows = transforms.iter().zip(positions).zip(rotations).zip(velocities);
        sum(rows.map(|(((transform, position), rotation), velocity)| numbers(transform, position, rotation, velocity)))
    }
}

/// Assigns ids, and fills columns with `fill`.
fn spawn_in_bulk(count: usize, fill: impl Fn(&mut Columns, usize) + 'static) -> Runner {
    type World = (SlotMap<DefaultKey, u32>, Vec<DefaultKey>, Columns);
    on_new(
        World::default,
        move |(ids, owners, columns)| {
            ids.reserve(count);
            owners.extend((0..count as u32).map(|row| ids.insert(row)));
            fill(columns, count);
            black_box((ids, owners));
        },
        |(_, _, columns)| columns.checksum(),
    )
}

fn respawn(count: usize) -> Runner {
    let mut columns = Columns::default();
    columns.fill(count);
    there_and_back(columns, Columns::clear, move |columns| columns.fill(count), Columns::checksum)
}

/// Columns with the owner of each row, and the row of each owner.
#[derive(Default)]
struct Rows {
    columns: Columns,
    owners: Vec<u32>,
    rows: Vec<u32>,
}

impl Rows {
    fn insert(&mut self, owner: u32) {
        self.rows[owner as usize] = self.owners.len() as u32;
        self.owners.push(owner);
        self.columns.push(owner as usize);
    }

    fn remove(&mut self, owner: u32) {
        let row = self.rows[owner as usize] as usize;
        self.owners.swap_remove(row);
        self.columns.swap_remove(row);
        if let Some(moved) = self.owners.get(row) {
            self.rows[*moved as usize] = row as u32;
        }
    }
}

fn respawn_each(count: usize) -> Runner {
    let mut rows = Rows { rows: vec![0; count], ..Rows::default() };
    (0..count as u32).for_each(|owner| rows.insert(owner));
    there_and_back(
        (rows, shuffled(count)),
        |(rows, order)| order.iter().for_each(|owner| rows.remove(*owner)),
        |(rows, order)| order.iter().for_each(|owner| rows.insert(*owner)),
        |(rows, _)| rows.columns.checksum(),
    )
}

/// Owners and columns, in the format that this framework uses.
fn save_load(count: usize) -> Runner {
    type Saved = (Vec<u32>, Columns);
    on_new(
        move || {
            let mut columns = Columns::default();
            columns.fill(count);
            ((0..count as u32).collect(), columns)
        },
        |saved: &mut Saved| {
            let bytes = postcard::to_allocvec(&*saved).expect("the columns are serializable");
            *saved = postcard::from_bytes(black_box(&bytes)).expect("they were just saved");
        },
        |(_, columns)| columns.checksum(),
    )
}
