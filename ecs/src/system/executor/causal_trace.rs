//! Frames whose causes are traced: the same, with a note of what led to what.

use super::Executor;
use super::dispatch::Current;
use super::panic::Panics;
use crate::causal_trace::CausalTrace;
use crate::commands::{Applied, TracedCommand};
use crate::component::InsertConflicts;
use crate::event::Run;
use crate::panic::{FirstPanic, catch};
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

    /// As [`Executor::deliver_to`], with one event after the other, so that it is known which one led to what. The listener
    /// hears the same in the same order, and what it sends comes in the same order.
    #[cold]
    pub(super) fn deliver_each_to(
        &mut self,
        index: usize,
        run: &Run,
        systems: &mut SystemManager,
        world: &mut World,
        panics: &Panics,
    ) -> Option<(usize, u64)> {
        let current = Current::default();
        let subscriber = &world.events.event_type(run.event_type()).subscribers[index];
        let system = subscriber.system;
        if !current.begin(run, index, subscriber, &systems.nodes[system]) {
            return None;
        }
        let _span =
            tracing::trace_span!(target: "ecs::event", "deliver", system = systems.nodes[system].name).entered();
        let segments: Vec<_> = std::iter::once(run.segment).chain(world.events.other_segments(*run)).collect();
        let layout = world.events.event_type(run.event_type()).layout;
        let events = segments.iter().flat_map(|segment| (0..segment.len()).map(|at| segment.only(at, layout)));
        let numbered = (run.start.sequence..).zip(events);
        let first = current.first();
        for (number, event) in numbered.skip_while(|(number, _)| *number < first) {
            let subscriber = &world.events.event_type(run.event_type()).subscribers[index];
            if !subscriber.is_subscribed() {
                break;
            }
            let started = self.clock.start();
            let node = &mut systems.nodes[system];
            let caught = catch(|| current.call_one(number, event, subscriber, node, world, &self.time));
            if let Some(elapsed) = started.elapsed() {
                node.times.listening += elapsed;
                world.events.event_type_mut(run.event_type()).counters.handler_time += elapsed;
            }
            let broken_off = self.settle(run, &current, caught, systems, world, panics);
            self.note_causes(systems, world, Some(number));
            if broken_off.is_some() {
                return broken_off;
            }
        }
        None
    }
}
