//! [`Costs`]: what each system took in the last frames, and the memory of the engine over time.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use ecs::Engine;
use ecs::system::SystemInfo;

/// The last frames whose costs are kept.
const KEPT_FRAMES: usize = 240;
/// Frames between two samples of the memory, and the last samples that are kept.
const MEMORY_STEP: u64 = 15;
const KEPT_MEMORY: usize = 300;

/// What a system took in one frame.
#[derive(Clone, Copy, Debug, Default)]
struct FrameCost {
    running: Duration,
    listening: Duration,
    allocations: u64,
}

/// What a system took in the last frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CostSummary {
    /// Means of a frame.
    pub(crate) running: Duration,
    pub(crate) listening: Duration,
    /// Of 100 frames, 99 took at most this time for both.
    pub(crate) slow: Duration,
    /// The most in a frame; `None` if the program does not count allocations.
    pub(crate) most_allocations: Option<u64>,
}

/// Bytes of the engine after a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemorySample {
    pub(crate) frame: u64,
    /// Values of pools.
    pub(crate) values: usize,
    /// Indices of pools.
    pub(crate) indices: usize,
    /// Buffers of events and commands.
    pub(crate) buffers: usize,
    /// Entities and everything else.
    pub(crate) other: usize,
    /// Values and indices of each pool.
    pools: Vec<(&'static str, usize)>,
}

impl MemorySample {
    /// The bytes of a pool; 0 if there was none with this name.
    pub(crate) fn of_pool(&self, name: &str) -> usize {
        self.pools.iter().find(|(known, _)| *known == name).map_or(0, |(_, bytes)| *bytes)
    }
}

/// What is measured while requests come.
#[derive(Default)]
pub(crate) struct Costs {
    totals: BTreeMap<&'static str, SystemInfo>,
    frames: BTreeMap<&'static str, VecDeque<FrameCost>>,
    memory: VecDeque<MemorySample>,
}

impl Costs {
    /// Measures from now on.
    pub(crate) fn begin(engine: &mut Engine) -> Self {
        let totals = engine.systems().iter().map(|info| (info.name, info)).collect();
        let mut costs = Self { totals, ..Self::default() };
        costs.look_at_memory(engine);
        costs
    }

    /// Leaves out the frames that have run again since the last one.
    pub(crate) fn begin_again(&mut self, engine: &mut Engine) {
        self.totals = engine.systems().iter().map(|info| (info.name, info)).collect();
    }

    /// Adds the frame that has just run.
    pub(crate) fn add_frame(&mut self, engine: &mut Engine) {
        let Self { totals, frames, .. } = self;
        for info in engine.systems().iter() {
            // A system that was added in this frame began with nothing.
            let before = totals.insert(info.name, info);
            let of = |total: fn(&SystemInfo) -> Duration| {
                total(&info).saturating_sub(before.as_ref().map_or(Duration::ZERO, total))
            };
            let cost = FrameCost {
                running: of(|info| info.run_time),
                listening: of(|info| info.listen_time),
                allocations: info.allocations.saturating_sub(before.as_ref().map_or(0, |info| info.allocations)),
            };
            let kept = frames.entry(info.name).or_default();
            kept.push_back(cost);
            if kept.len() > KEPT_FRAMES {
                kept.pop_front();
            }
        }
        if engine.time().frame().is_multiple_of(MEMORY_STEP) {
            self.look_at_memory(engine);
        }
    }

    /// What a system took in the last frames; `None` before the first.
    pub(crate) fn of_system(&self, name: &str) -> Option<CostSummary> {
        let kept = self.frames.get(name)?;
        let frames = u32::try_from(kept.len()).ok().filter(|frames| *frames > 0)?;
        let mut times: Vec<Duration> = kept.iter().map(|cost| cost.running + cost.listening).collect();
        times.sort_unstable();
        // Buffers grow in the first frames of each program, so that a program that counts has a total.
        let is_counted = self.totals.values().any(|info| info.allocations > 0);
        Some(CostSummary {
            running: kept.iter().map(|cost| cost.running).sum::<Duration>() / frames,
            listening: kept.iter().map(|cost| cost.listening).sum::<Duration>() / frames,
            slow: times[(times.len() * 99).div_ceil(100) - 1],
            most_allocations: is_counted.then(|| kept.iter().map(|cost| cost.allocations).max().unwrap_or(0)),
        })
    }

    /// Memory over time, the oldest first.
    pub(crate) fn memory(&self) -> impl Iterator<Item = &MemorySample> {
        self.memory.iter()
    }

    fn look_at_memory(&mut self, engine: &mut Engine) {
        let report = engine.memory();
        self.memory.push_back(MemorySample {
            frame: engine.time().frame(),
            values: report.pools.iter().map(|pool| pool.value_bytes_held).sum(),
            indices: report.pools.iter().map(|pool| pool.index_bytes_held).sum(),
            buffers: report.buffers.iter().map(|buffer| buffer.event_bytes_held + buffer.command_bytes_held).sum(),
            other: report.entities.held_bytes + report.other_bytes_held,
            pools: report.pools.iter().map(|pool| (pool.name, pool.value_bytes_held + pool.index_bytes_held)).collect(),
        });
        if self.memory.len() > KEPT_MEMORY {
            self.memory.pop_front();
        }
    }
}
