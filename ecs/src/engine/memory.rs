//! Memory of an engine: report, reserve, shrink.

use std::fmt;

use super::Engine;
use crate::component::{Bundle, ComponentInfo};

/// Memory of the entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityMemory {
    /// Number of entities.
    pub len: usize,
    /// Largest number of entities so far.
    pub peak: usize,
    /// Bytes allocated.
    pub held_bytes: usize,
}

/// Memory of the event and command buffers of one system, or of those for events from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferMemory {
    /// Name of the system; "outside" for events from the application and from the engine itself.
    pub system: &'static str,
    /// Bytes of its event arena.
    pub event_bytes_held: usize,
    /// Largest number of bytes of the arena that one frame has used.
    pub event_bytes_peak: usize,
    /// Bytes of its command queues.
    pub command_bytes_held: usize,
}

/// Heap memory of an engine, from [`Engine::memory`]; `Display` prints a table.
///
/// Not counted: what components, resources and systems allocate themselves, a few kilobytes of type information, and
/// memory that is shared with snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryReport {
    /// The entities.
    pub entities: EntityMemory,
    /// The pools, in the order in which the component types were registered.
    pub pools: Vec<ComponentInfo>,
    /// The buffers of the systems, after that of "outside".
    pub buffers: Vec<BufferMemory>,
    /// Bytes of the event queue, global ids, entity lists, traced causes and scratch memory.
    pub other_bytes_held: usize,
}

impl MemoryReport {
    /// The sum of all bytes in the report.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let pools = self.pools.iter().map(|pool| pool.value_bytes_held + pool.index_bytes_held).sum::<usize>();
        let buffers =
            self.buffers.iter().map(|buffer| buffer.event_bytes_held + buffer.command_bytes_held).sum::<usize>();
        self.entities.held_bytes + pools + buffers + self.other_bytes_held
    }
}

impl fmt::Display for MemoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EntityMemory { len, peak, held_bytes } = self.entities;
        writeln!(f, "{} bytes on the heap", self.held_bytes())?;
        writeln!(f, "  entities: {len}, at most {peak}: {held_bytes} bytes")?;
        for pool in &self.pools {
            let ComponentInfo { name, len, peak, value_bytes_held, index_bytes_held, .. } = pool;
            writeln!(
                f,
                "  pool {name}: {len}, at most {peak}: values {value_bytes_held}, index {index_bytes_held} bytes"
            )?;
        }
        for BufferMemory { system, event_bytes_held, event_bytes_peak, command_bytes_held } in &self.buffers {
            writeln!(
                f,
                "  buffer of {system}: events {event_bytes_held}, of which at most {event_bytes_peak} in use; commands \
                 {command_bytes_held} bytes"
            )?;
        }
        writeln!(
            f,
            "  queue of events, global ids, entity lists, traced causes and scratch memory: {} bytes",
            self.other_bytes_held
        )
    }
}

/// Memory.
impl Engine {
    /// Heap memory by part, with peaks. O(number of entities).
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// engine.reserve::<(f32, f64)>(1_000);
    /// let memory = engine.memory();
    /// let of_f64 = memory.pools[1];
    /// assert_eq!((of_f64.len, of_f64.value_bytes_held), (0, 8_000));
    /// println!("{memory}");
    /// ```
    pub fn memory(&mut self) -> MemoryReport {
        let Self { world, systems, executor, .. } = self;
        executor.forget_cancelled(systems, world);
        let entities = world.entities_mut();
        let entities = EntityMemory { len: entities.len(), peak: entities.peak(), held_bytes: entities.held_bytes() };
        let outside = world.events.outside_buffer();
        let mut buffers = vec![BufferMemory {
            system: "outside",
            event_bytes_held: outside.held_bytes(),
            event_bytes_peak: outside.peak(),
            command_bytes_held: 0,
        }];
        buffers.extend(systems.nodes.iter_mut().map(|node| BufferMemory {
            system: node.name,
            event_bytes_held: node.buffer.held_bytes(),
            event_bytes_peak: node.buffer.peak(),
            command_bytes_held: node.commands.get_mut().held_bytes(),
        }));
        MemoryReport {
            entities,
            pools: world.components.iter().collect(),
            buffers,
            other_bytes_held: world.events.queue_bytes_held()
                + world.scratch_bytes_held()
                + executor.conflicts.held_bytes()
                + executor.lane_work.held_bytes()
                + executor.causal_trace.as_ref().map_or(0, |causal_trace| causal_trace.held_bytes())
                + world.global_ids.held_bytes()
                + world.random.held_bytes()
                + world.entity_lists.held_bytes(),
        }
    }

    /// Reserves memory for `additional` entities with the components of `B`, so that spawning them allocates nothing.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.reserve::<(f32,)>(10_000);
    /// let before = engine.memory().held_bytes();
    /// engine.spawn_many((0..10_000).map(|n| (n as f32,)));
    /// assert_eq!(engine.memory().held_bytes(), before);
    /// ```
    pub fn reserve<B: Bundle>(&mut self, additional: usize) {
        let entities = self.world.entities_mut();
        entities.reserve_capacity(additional);
        // Indices begin at 1.
        let indices = entities.capacity() + 1;
        self.world.components.reserve::<B>(additional, indices);
    }

    /// Frees unused capacity. The next frames allocate again until they are warm. Entity slots are kept, since they
    /// detect stale ids.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let crowd = engine.spawn_many((0..10_000).map(|n| (n as f32,)));
    /// let before = engine.memory().held_bytes();
    /// engine.despawn_many(crowd)?;
    /// engine.shrink();
    /// assert!(engine.memory().held_bytes() < before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shrink(&mut self) {
        let Self { world, systems, executor, snapshots, .. } = self;
        snapshots.shrink();
        executor.conflicts.shrink();
        executor.lane_work.shrink();
        if let Some(causal_trace) = &mut executor.causal_trace {
            causal_trace.shrink();
        }
        world.entities_mut().shrink();
        world.components.shrink();
        world.global_ids.shrink();
        world.entity_lists.shrink();
        world.shrink_scratch();
        world.events.shrink();
        for node in &mut systems.nodes {
            node.buffer.shrink();
            node.commands.get_mut().shrink();
        }
    }
}
