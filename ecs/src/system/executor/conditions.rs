//! Checks the conditions of systems and sets, once in each frame.

use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;

use super::Executor;
use super::panic::Panics;
use crate::commands::CommandBuffer;
use crate::error::Error;
use crate::event::EventBuffer;
use crate::panic::{Payload, catch};
use crate::system::condition::{Check, take_back};
use crate::system::param::RunContext;
use crate::system::{SystemManager, SystemNode};
use crate::world::World;

/// Why a condition could not be evaluated.
enum Failure {
    Missing(&'static str),
    Panicked(Payload),
}

impl Executor {
    /// Checks the conditions of all enabled systems and of their sets. Sets without conditions and systems without them
    /// cost nothing.
    ///
    /// # Errors
    /// [`Error::MissingResource`] with the first resource that a condition, or a system whose conditions hold, lacks.
    /// That system does not run in this frame.
    ///
    /// # Panics
    /// If a condition does.
    pub(crate) fn check_conditions(&mut self, systems: &mut SystemManager, world: &mut World) -> Result<(), Error> {
        if systems.conditional.is_empty() {
            return Ok(());
        }
        // A condition only reads, so it leaves both buffers empty.
        let (buffer, commands) = (EventBuffer::new(), RefCell::new(CommandBuffer::limited(usize::MAX)));
        let tick = Cell::new(*world.components.tick());
        let context =
            RunContext { world, buffer: &buffer, commands: &commands, time: &self.time, delivery: None, tick: &tick };
        let mut first = Ok(());
        let mut panicked = None;
        let mut all_hold = |system: &'static str, checks: &[Box<dyn Check>]| match check_all(checks, &context) {
            Ok(all_hold) => all_hold,
            Err(Failure::Missing(resource)) => {
                let error = Err(Error::MissingResource { system, resource });
                first = std::mem::replace(&mut first, Ok(())).and(error);
                false
            }
            Err(Failure::Panicked(payload)) => {
                panicked.get_or_insert((system, payload));
                false
            }
        };
        let SystemManager { nodes, sets, conditional, sets_outer_first, .. } = systems;
        for &place in &*sets_outer_first {
            let set = &sets.nodes[place];
            let holds = set.around.iter().all(|outer| sets.nodes[*outer].holds) && all_hold(set.name, &set.checks);
            sets.nodes[place].holds = holds;
        }
        for &system in &*conditional {
            let node = &mut nodes[system];
            let holds = node.run_state.is_enabled()
                && node.set_places.iter().all(|set| sets.nodes[*set].holds)
                && all_hold(node.name, &node.checks);
            node.run_state.set_holds(holds);
        }
        self.watcher.after_conditions(systems, world);
        if let Some((name, payload)) = panicked {
            systems.ask_again(0);
            let panics = Panics::default();
            panics.note(0, format_args!("a condition of {name} panicked"), payload);
            self.raise(panics, systems);
        }
        for &system in &systems.conditional {
            let node = &mut systems.nodes[system];
            if let Some(resource) = missing(node, world) {
                take_back(&node.checks);
                node.run_state.set_holds(false);
                first = first.and(Err(Error::MissingResource { system: node.name, resource }));
            }
        }
        first
    }
}

/// Whether all conditions hold; those behind the first one that does not are not checked. Then the ones before it have
/// asked for nothing: they ask again the next time.
fn check_all(checks: &[Box<dyn Check>], context: &RunContext<'_>) -> Result<bool, Failure> {
    for (at, check) in checks.iter().enumerate() {
        if let Some(resource) = check.missing(context.world) {
            take_back(&checks[..at]);
            return Err(Failure::Missing(resource));
        }
        check.last_asked().iter().for_each(|asked| asked.note());
        match catch(|| check.holds(context)) {
            Ok(true) => {}
            Ok(false) => {
                take_back(&checks[..at]);
                return Ok(false);
            }
            Err(payload) => {
                take_back(&checks[..=at]);
                return Err(Failure::Panicked(payload));
            }
        }
    }
    Ok(true)
}

/// As [`check_all`], for a listener, whose resources were checked at the beginning of the frame.
///
/// # Panics
/// If a condition does, or if a resource was removed meanwhile.
pub(super) fn all_hold(checks: &[Box<dyn Check>], context: &RunContext<'_>) -> bool {
    match check_all(checks, context) {
        Ok(all_hold) => all_hold,
        Err(Failure::Missing(resource)) => panic!("a condition needs the resource {resource}, which was removed"),
        Err(Failure::Panicked(payload)) => resume_unwind(payload),
    }
}

/// The name of a missing resource that a system with conditions needs in this frame. A check without a missing one
/// holds until a resource is inserted or removed.
fn missing(node: &mut SystemNode, world: &World) -> Option<&'static str> {
    let changes = world.resources.changes();
    if !node.run_state.holds() || node.resources_checked == Some(changes) {
        return None;
    }
    let missing = node.work.missing(world);
    node.resources_checked = missing.is_none().then_some(changes);
    missing
}
