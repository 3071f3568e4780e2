//! Wolves and sheep on a pasture (U. Wilensky, NetLogo Wolf Sheep Predation model, 1997): animals wander, eat, are born
//! and die in each step.
//!
//! Nothing depends on the order of the animals, so all contestants agree: each animal draws from a seed of its own,
//! those that share a cell share what they eat, and of the sheep in a cell with wolves the one with the lowest seed is
//! caught.

/// Where an animal is.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::component::Component))]
pub(crate) struct Cell(pub(crate) u32);

/// What it lives on.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::component::Component))]
pub(crate) struct Energy(pub(crate) i32);

/// What it draws from.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::component::Component))]
pub(crate) struct Seed(pub(crate) u64);

#[derive(Clone, Copy)]
#[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::component::Component))]
pub(crate) struct Sheep;

#[derive(Clone, Copy)]
#[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::component::Component))]
pub(crate) struct Wolf;

/// An animal in one piece.
#[derive(Clone, Copy)]
pub(crate) struct Animal {
    pub(crate) cell: Cell,
    pub(crate) energy: Energy,
    pub(crate) seed: Seed,
}

/// What becomes of an animal in a step.
pub(crate) enum Fate {
    Lives,
    Dies,
    Bears(Animal),
}

const COST: i32 = 8;
const SHEEP_GAIN: i32 = 4 * COST;
const WOLF_GAIN: i32 = 20 * COST;
/// Of a hundred in each step.
const SHEEP_BIRTHS: u64 = 4;
const WOLF_BIRTHS: u64 = 5;
const REGROWTH: u8 = 30;

/// The cells, and how many animals each has in this step.
#[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::resource::Resource))]
pub(crate) struct Pasture {
    side: u32,
    step: u64,
    /// Steps until the grass has grown.
    regrowth: Vec<u8>,
    grazers: Vec<u16>,
    hunters: Vec<u16>,
    /// The lowest seed of the sheep.
    prey: Vec<u64>,
}

/// The output function of `SplitMix64`.
fn draw(seed: u64, step: u64, number: u64) -> u64 {
    let mixed = seed ^ (step * 4 + number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Pasture {
    /// A pasture of about `cells` cells.
    pub(crate) fn new(cells: usize) -> Self {
        let side = cells.isqrt().max(2);
        let cells = side * side;
        Self {
            side: side as u32,
            step: 0,
            regrowth: (0..cells).map(|cell| (draw(7, cell as u64, 0) % 60).saturating_sub(30) as u8).collect(),
            grazers: vec![0; cells],
            hunters: vec![0; cells],
            prey: vec![u64::MAX; cells],
        }
    }

    /// The first animals, one for two cells: sheep, then a wolf for each two of them.
    pub(crate) fn first(&self) -> (Vec<Animal>, Vec<Animal>) {
        let cells = self.regrowth.len() as u64;
        let animal = |number: u64, gain: i32| Animal {
            cell: Cell((draw(number, 0, 1) % cells) as u32),
            energy: Energy((draw(number, 0, 2) % (2 * gain as u64)) as i32),
            seed: Seed(draw(number, 0, 3)),
        };
        let (sheep, all) = (cells / 3, cells / 2);
        ((0..sheep).map(|n| animal(n, SHEEP_GAIN)).collect(), (sheep..all).map(|n| animal(n, WOLF_GAIN)).collect())
    }

    /// An animal goes to a cell beside its own.
    #[inline(always)]
    pub(crate) fn wander(&self, cell: &mut Cell, energy: &mut Energy, seed: Seed) {
        let side = self.side;
        let (x, y) = (cell.0 % side, cell.0 / side);
        let (x, y) = match draw(seed.0, self.step, 0) & 3 {
            0 => (if x + 1 == side { 0 } else { x + 1 }, y),
            1 => (if x == 0 { side - 1 } else { x - 1 }, y),
            2 => (x, if y + 1 == side { 0 } else { y + 1 }),
            _ => (x, if y == 0 { side - 1 } else { y - 1 }),
        };
        cell.0 = y * side + x;
        energy.0 -= COST;
    }

    #[inline(always)]
    pub(crate) fn count_sheep(&mut self, cell: Cell, seed: Seed) {
        let cell = cell.0 as usize;
        self.grazers[cell] += 1;
        self.prey[cell] = self.prey[cell].min(seed.0);
    }

    #[inline(always)]
    pub(crate) fn count_wolf(&mut self, cell: Cell) {
        self.hunters[cell.0 as usize] += 1;
    }

    /// A sheep grazes, unless it is caught.
    #[inline(always)]
    pub(crate) fn graze(&self, cell: Cell, energy: &mut Energy, seed: Seed) -> Fate {
        let at = cell.0 as usize;
        if self.hunters[at] > 0 && self.prey[at] == seed.0 {
            return Fate::Dies;
        }
        if self.regrowth[at] == 0 {
            energy.0 += SHEEP_GAIN / i32::from(self.grazers[at]);
        }
        self.fate(cell, energy, seed, SHEEP_BIRTHS)
    }

    /// A wolf eats what was caught.
    #[inline(always)]
    pub(crate) fn hunt(&self, cell: Cell, energy: &mut Energy, seed: Seed) -> Fate {
        let at = cell.0 as usize;
        if self.grazers[at] > 0 {
            energy.0 += WOLF_GAIN / i32::from(self.hunters[at]);
        }
        self.fate(cell, energy, seed, WOLF_BIRTHS)
    }

    #[inline(always)]
    fn fate(&self, cell: Cell, energy: &mut Energy, seed: Seed, births: u64) -> Fate {
        if energy.0 < 0 {
            return Fate::Dies;
        }
        if draw(seed.0, self.step, 1) % 100 < births {
            energy.0 /= 2;
            return Fate::Bears(Animal { cell, energy: *energy, seed: Seed(draw(seed.0, self.step, 2)) });
        }
        Fate::Lives
    }

    /// Grass grows, and the next step begins.
    pub(crate) fn grow(&mut self) {
        let Self { step, regrowth, grazers, hunters, prey, .. } = self;
        for (left, grazers) in regrowth.iter_mut().zip(&*grazers) {
            *left = if *left == 0 && *grazers > 0 { REGROWTH } else { left.saturating_sub(1) };
        }
        grazers.fill(0);
        hunters.fill(0);
        prey.fill(u64::MAX);
        *step += 1;
    }

    /// The checksum of the grass and of all animals.
    pub(crate) fn checksum(&self, animals: impl Iterator<Item = (Cell, Energy, Seed)>) -> u64 {
        let grass: u64 = self.regrowth.iter().map(|left| u64::from(*left)).sum();
        let of_one = |(cell, energy, seed): (Cell, Energy, Seed)| draw(seed.0, u64::from(cell.0), energy.0 as u64);
        animals.fold(grass, |sum, animal| sum.wrapping_add(of_one(animal)))
    }
}
