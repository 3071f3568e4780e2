//! Commands that call a function.

use std::any::Any;
use std::cell::RefCell;

use super::{Command, CommandBuffer, Commands};
use crate::entity::EntityId;
use crate::error::CommandFailure;
use crate::event::EventBuffer;
use crate::time::Time;
use crate::world::{EntityCopier, World};

/// What a call may use: the world, and where the function's events and commands go.
pub(crate) struct CallContext<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) buffer: &'a EventBuffer,
    pub(crate) commands: &'a RefCell<CommandBuffer>,
    pub(crate) time: &'a Time,
    pub(crate) copier: &'a dyn EntityCopier,
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
    /// Spawns an entity with copies of all components of `entity`, as they are at this place among all commands; see
    /// [`Engine::duplicate`](crate::Engine::duplicate).
    ///
    /// The command fails with [`CommandFailure::NoSuchEntity`] if `entity` is gone by then, and with
    /// [`CommandFailure::Snapshot`] if a component is of a type that is not registered for snapshots. It allocates.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// /// Each cell divides into two.
    /// fn divide(cells: Query<(EntityId, &u32)>, mut commands: Commands) {
    ///     cells.iter().for_each(|(cell, _)| commands.duplicate(cell));
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.types_mut().component::<u32>("genes")?;
    /// engine.spawn((7_u32,));
    /// engine.run(divide)?;
    /// engine.run(divide)?;
    /// assert_eq!(engine.query::<&u32>().iter().collect::<Vec<_>>(), [&7; 4]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn duplicate(&mut self, entity: EntityId) {
        const NAME: &str = "duplicate";
        self.call(NAME, NAME, move |CallContext { world, copier, .. }| copier.copy_entity(entity, world).map(drop));
    }

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
