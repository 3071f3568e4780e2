//! Frames whose causes are traced: the same, with a note of what led to what.

use super::Executor;
use crate::causal_trace::CausalTrace;
use crate::commands::{Applied, TracedCommand};
use crate::component::InsertConflicts;
use crate::panic::FirstPanic;
use crate::system::SystemManager;
use crate::system::node::SystemNode;
use crate::world::World;

impl Executor {
    /// Notes what was sent and asked for since the last call.
    #[cold]
    pub(crate) fn note_causes(&mut self, systems: &SystemManager, world: &World, heard: Option<u64>) {
        if let Some(causal_trace) = &mut self.causal_trace {
            causal_trace.note(&world.events, &self.recorded, systems, heard);
        }
    }

    /// Applies the command of a system that was recorded first, and notes what it did, also if it panics.
    #[cold]
    pub(super) fn apply_first_traced(
        causal_trace: Option<&mut CausalTrace>,
        node: &mut SystemNode,
        world: &mut World,
        claims: Option<&mut InsertConflicts>,
    ) -> Option<Applied> {
        let before = world.events.outside_buffer().count();
        let (mut command, mut panics) = (TracedCommand::default(), FirstPanic::default());
        let applied = panics.catch(|| node.commands.get_mut().apply_first_traced(world, claims, &mut command));
        if let Some(causal_trace) = causal_trace {
            causal_trace.note_command(command, world.events.outside_buffer().count() - before);
        }
        panics.raise();
        applied.flatten()
    }
}
