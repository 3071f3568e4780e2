//! Five kinds of entities that share components, in a world that lives on.

use crate::cases::Work;
use crate::components::{Data, Position, Velocity, advance};
use crate::stopwatch::{Runner, repeated};

/// The number of kinds.
pub(crate) const KINDS: usize = 5;

/// A world with the kinds. Each has [`Position`], [`Velocity`], a lifetime in [`Data`], and a component of its own: `A`
/// to `E`.
pub(crate) trait Kinds: 'static {
    /// Identifies an entity.
    type Id: Copy + 'static;

    /// Spawns the entity of this number.
    fn spawn(&mut self, kind: usize, number: usize) -> Self::Id;
    fn despawn(&mut self, id: Self::Id);
    /// Inserts the component `Rare`.
    fn ignite(&mut self, id: Self::Id);
    /// Removes it.
    fn extinguish(&mut self, id: Self::Id);
    /// Takes the step of each entity, one kind after the other.
    fn step(&mut self);
    /// Moves each entity, all kinds in one loop.
    fn move_all(&mut self);
    /// The checksum of all positions.
    fn checksum(&mut self) -> u64;
}

/// The value of the component that only the entities of one kind have.
pub(crate) fn own(number: usize) -> f32 {
    (number % 3) as f32
}

/// The step of one entity.
#[inline(always)]
pub(crate) fn live(position: &mut Position, velocity: &Velocity, lifetime: &mut Data, own: f32) {
    advance(position, velocity);
    lifetime.0 += own;
}

pub(crate) fn runner<W: Kinds>(world: W, work: Work, count: usize) -> Option<Runner> {
    let aged = if count > 100_000 { 200 } else { 1_000 };
    let (frames_before, changes) = match work {
        Work::Kinds | Work::AllKinds => (0, false),
        Work::AgedKinds | Work::AllAgedKinds => (aged, false),
        Work::KindsWithChanges => (0, true),
        _ => return None,
    };
    let mut life = Life { world, ids: Vec::new(), born: 0, random: 0x2545_F491_4F6C_DD1D };
    for _ in 0..count {
        let id = life.bear();
        life.ids.push(id);
    }
    (0..frames_before).for_each(|_| life.change());
    let frame = move |life: &mut Life<W>| {
        if changes {
            life.change();
        }
        match work {
            Work::AllKinds | Work::AllAgedKinds => life.world.move_all(),
            _ => life.world.step(),
        }
    };
    Some(repeated(life, frame, |life| life.world.checksum()))
}

struct Life<W: Kinds> {
    world: W,
    ids: Vec<W::Id>,
    /// The number of entities that were spawned so far.
    born: usize,
    random: u64,
}

impl<W: Kinds> Life<W> {
    fn draw(&mut self) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % self.ids.len()
    }

    fn bear(&mut self) -> W::Id {
        self.born += 1;
        self.world.spawn(self.born % KINDS, self.born)
    }

    /// The changes of one frame: one by one, 2 % die and are born, and 1 % catch fire and are extinguished.
    fn change(&mut self) {
        let count = self.ids.len();
        for _ in 0..count / 50 {
            let at = self.draw();
            self.world.despawn(self.ids[at]);
            self.ids[at] = self.bear();
        }
        let first = self.draw();
        let burning = |ids: &[W::Id], at: usize| ids[(first + at) % count];
        (0..count / 100).for_each(|at| self.world.ignite(burning(&self.ids, at)));
        (0..count / 100).for_each(|at| self.world.extinguish(burning(&self.ids, at)));
    }
}
