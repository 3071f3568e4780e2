//! The mines that AIs see. An AI drives around them as around walls, and leaves what lies under one.

use glam::Vec2;

use crate::ai::Radar;
use crate::data::arena::{Block, Pose, wrapped_delta};
use crate::data::grid::{Disc, Grid};
use crate::objects::mine::Mine;
use crate::objects::team::{Team, are_partners};
use crate::physics::Shape;

/// The room that AIs leave around a mine besides that around a wall, metres: a wall may be touched.
const MARGIN_M: f32 = 1.2;
/// So near an AI notices a mine at any side, metres: it needs some room to turn.
const NEAR_M: f32 = 8.0;

/// The armed mines of a step, and those that one AI sees. All memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Minefield {
    half_extent_m: f32,
    armed: Vec<ArmedMine>,
    /// Their indices in that list, by place.
    places: Grid,
    /// Indices of those that the AI sees.
    seen: Vec<usize>,
    /// The walls and the mines that the AI sees.
    obstacles: Vec<Block>,
    /// Half the side of the collector of the AI, metres.
    reach_m: f32,
}

/// An armed mine, as AIs know it.
#[derive(Clone, Copy, Debug)]
struct ArmedMine {
    owner: u32,
    team: Option<Team>,
    /// Its square with the margin that collectors keep.
    block: Block,
}

impl Minefield {
    /// Lists the armed mines.
    pub(super) fn fill(
        &mut self,
        half_extent_m: f32,
        walls: &[Block],
        mines: impl Iterator<Item = (Mine, Pose, Shape, Option<Team>)>,
    ) {
        self.half_extent_m = half_extent_m;
        self.armed.clear();
        let armed = mines.filter(|(mine, ..)| mine.arms_in_seconds <= 0.0);
        let block = |pose, shape: Shape| Block::around(shape.corners(pose)).grown(MARGIN_M);
        self.armed.extend(armed.map(|(mine, pose, shape, team)| ArmedMine {
            owner: mine.owner,
            team,
            block: block(pose, shape),
        }));
        let places = self.armed.iter().enumerate();
        let disc =
            |(index, mine): (usize, &ArmedMine)| Disc { key: index as u64, position: mine.block.center, radius_m: 0.0 };
        self.places.fill(half_extent_m, places.map(disc));
        // Room for all of them, so that a warm step allocates nothing.
        self.seen.clear();
        self.seen.reserve(self.armed.len());
        self.obstacles.clear();
        self.obstacles.reserve(walls.len() + self.armed.len());
    }

    /// Finds the mines of rivals that a player's AI sees from a place; without a radar none.
    pub(super) fn look(
        &mut self,
        radar: Option<&Radar>,
        (player, team): (u32, Option<&Team>),
        (place, collector_half_extent_m): (Vec2, f32),
        walls: &[Block],
    ) {
        let Self { half_extent_m, armed, places, seen, obstacles, .. } = self;
        seen.clear();
        obstacles.clear();
        self.reach_m = collector_half_extent_m;
        let Some(radar) = radar.filter(|_| !armed.is_empty()) else { return };
        let (center, half_extents_m) = radar.bounds();
        // The rectangle around the radar has the place on its border at least.
        places.visit_near(center, half_extents_m + Vec2::splat(NEAR_M), |disc| {
            let index = disc.key as usize;
            let is_near = || wrapped_delta(place, disc.position, *half_extent_m).length() <= NEAR_M;
            let mine = &armed[index];
            let is_rival = mine.owner != player && !are_partners(mine.team.as_ref(), team);
            if is_rival && (radar.contains(disc.position) || is_near()) {
                seen.push(index);
            }
        });
        if !seen.is_empty() {
            seen.sort_unstable();
            obstacles.extend_from_slice(walls);
            obstacles.extend(seen.iter().map(|index| armed[*index].block));
        }
    }

    /// The walls and the mines that the AI sees; `None` if it sees no mine.
    pub(super) fn with_walls(&self) -> Option<&[Block]> {
        (!self.seen.is_empty()).then_some(&self.obstacles)
    }

    /// Whether a place is too near to a mine that the AI sees.
    pub(super) fn cover(&self, place: Vec2) -> bool {
        self.seen.iter().any(|index| {
            let block = self.armed[*index].block;
            let aside = wrapped_delta(block.center, place, self.half_extent_m);
            Block { center: Vec2::ZERO, ..block }.grown(self.reach_m).contains(aside)
        })
    }
}
