//! Commands that call a function.

use std::any::Any;
use std::cell::RefCell;

use super::{Command, CommandBuffer, Commands};
use crate::error::CommandFailure;
use crate::event::EventBuffer;
use crate::time::Time;
use crate::world::World;

/// What a call may use: the world, and where the function's events and commands go.
pub(crate) struct CallContext<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) buffer: &'a EventBuffer,
    pub(crate) commands: &'a RefCell<CommandBuffer>,
    pub(crate) time: &'a Time,
    /// The changes of the systems at the end of the frame, whose type systems know.
    pub(crate) pending: &'a mut dyn Any,
}

/// A command that calls a function, or makes one that the engine calls later.
pub(crate) struct Call {
    /// The name of the command.
    pub(crate) name: &'static str,
    /// The name of the function that it runs, or its own.
    pub(crate) function: &'static str,
    pub(crate) make: MakeCall,
}

type MakeCall = Box<dyn FnOnce(CallContext<'_>) -> Result<(), CommandFailure> + Send>;

impl Commands<'_> {
    pub(crate) fn call(
        &mut self,
        name: &'static str,
        function: &'static str,
        make: impl FnOnce(CallContext<'_>) -> Result<(), CommandFailure> + Send + 'static,
    ) {
        self.recording().calls.push_back(Call { name, function, make: Box::new(make) });
        self.push(Command::Call);
    }
}
