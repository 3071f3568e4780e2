//! Plain functions that listen to events.

use std::time::Duration;

use super::Engine;
use crate::entity::EntityId;
use crate::error::Error;
use crate::event::EntityEvent;
use crate::ids::FunctionId;
use crate::query::QueryFilter;
use crate::system::{ListenerFunction, Timing, filtered, listener, observer};

/// Listening functions.
///
/// They are called like the listeners of systems: once for each event, in execution order. A disabled function receives
/// no events. [`Engine::cancel`], [`Engine::enable_function`] and [`Engine::disable_function`] take their ids. A
/// function that is added between frames gets all events that wait. A function may return a `Result<(), E>`;
/// [`Engine::system_errors`] lists the errors.
///
/// Snapshots contain them, with copies of what they capture. A save contains only functions that capture nothing and
/// are not bound to an entity; the program that loads it adds them first.
impl Engine {
    /// Calls `function` with every event of the type in its first parameter.
    ///
    /// # Errors
    /// - [`SetupError::Conflict`](crate::system::SetupError::Conflict) if two parameters access the same data and one
    ///   of them writes.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::{Engine, EntityId, Query};
    /// struct Health(u32);
    ///
    /// #[derive(Clone, Copy)]
    /// struct Hit { target: EntityId, damage: u32 }
    ///
    /// let mut engine = Engine::new();
    /// let wound = engine.listen(|hit: &Hit, mut healths: Query<&mut Health>| {
    ///     if let Some(health) = healths.get_mut(hit.target) {
    ///         health.0 -= hit.damage;
    ///     }
    /// })?;
    /// let troll = engine.spawn((Health(10),));
    /// engine.send(Hit { target: troll, damage: 3 });
    /// engine.update(Duration::ZERO)?;
    /// engine.cancel(wound);
    /// engine.send(Hit { target: troll, damage: 3 });
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.get::<Health>(troll).unwrap().0, 7);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn listen<M: 'static, F: ListenerFunction<M>>(&mut self, function: F) -> Result<FunctionId, Error> {
        let node = listener::<M, F>(function, Timing::every(Duration::ZERO), &mut self.world)?;
        Ok(self.systems.add_function(node, &mut self.world))
    }

    /// As [`Engine::listen`], until `entity` is gone: for events that concern no entity, such as the end of a pause, of
    /// which something hears as long as it exists. It ends as an observer does ([`Engine::observe`]).
    ///
    /// # Errors
    /// - [`Error::NoSuchEntity`]
    /// - As [`Engine::listen`].
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// #[derive(Clone, Copy)]
    /// struct Rang;
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// let sleeper = engine.spawn(());
    /// engine.listen_while(sleeper, |_: &Rang, mut heard: ResMut<u32>| *heard += 1)?;
    /// engine.send(Rang);
    /// engine.update(Duration::ZERO)?;
    /// engine.despawn(sleeper)?;
    /// engine.update(Duration::ZERO)?;
    /// engine.send(Rang);
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn listen_while<M: 'static, F>(&mut self, entity: EntityId, function: F) -> Result<FunctionId, Error>
    where
        F: ListenerFunction<M>,
    {
        self.world.check_exists(entity)?;
        let node = listener::<M, F>(function, Timing::while_exists(entity), &mut self.world)?;
        Ok(self.systems.add_function(node, &mut self.world))
    }

    /// Calls `function` with each event that concerns `entity`, alone or among others. At the end of the frame in which
    /// the entity is gone, the observer is removed: it still gets [`Despawned`](crate::Despawned).
    ///
    /// An event reaches the observers of its entity without a look at all others. They are called event by event, after
    /// the listeners to the events of all entities.
    ///
    /// # Complexity
    /// O(1) for each event and entity that it concerns. O(1) to add one of n observers; the next frame, and each frame
    /// in which observers end, takes O(n log n) once.
    ///
    /// # Errors
    /// - [`Error::NoSuchEntity`]
    /// - As [`Engine::listen`].
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::{Commands, Despawned, Engine};
    /// struct Flag;
    ///
    /// let mut engine = Engine::new();
    /// let (left, right) = (engine.spawn(()), engine.spawn(()));
    /// engine.observe(left, |_: &Despawned, mut commands: Commands| commands.spawn((Flag,)))?;
    /// engine.despawn(right)?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.query::<&Flag>().count(), 0);
    /// engine.despawn(left)?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.query::<&Flag>().count(), 1);
    /// assert!(engine.systems().is_empty());
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn observe<M: 'static, F>(&mut self, entity: EntityId, function: F) -> Result<FunctionId, Error>
    where
        F: ListenerFunction<M, Event: EntityEvent>,
    {
        self.world.check_exists(entity)?;
        let node = observer::<M, F>(function, Timing::of_observer(entity), &mut self.world)?;
        Ok(self.systems.add_function(node, &mut self.world))
    }

    /// Calls `function` with each event that concerns an entity, or one of several, that matches the filter `S`:
    /// `engine.listen_filtered::<With<Player>, _, _>(…)`. As in queries, disabled entities do not match, unless the
    /// filter says so.
    ///
    /// The filter is checked when the event is delivered. An entity that is gone then matches nothing, so
    /// [`Despawned`](crate::Despawned) never arrives; [`Despawning`](crate::event::Despawning) does.
    ///
    /// # Errors
    /// As [`Engine::listen`].
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::{Added, Engine, EntityId, Query, With};
    /// struct Player;
    /// struct Frozen;
    /// struct Speed(f32);
    ///
    /// let mut engine = Engine::new();
    /// engine.listen_filtered::<With<Player>, _, _>(|event: &Added<Frozen>, mut speeds: Query<&mut Speed>| {
    ///     speeds.get_mut(event.entity).unwrap().0 = 0.0;
    /// })?;
    /// let player = engine.spawn((Player, Speed(4.0)));
    /// let wolf = engine.spawn((Speed(6.0),));
    /// engine.insert(player, (Frozen,))?;
    /// engine.insert(wolf, (Frozen,))?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!((engine.get::<Speed>(player).unwrap().0, engine.get::<Speed>(wolf).unwrap().0), (0.0, 6.0));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn listen_filtered<S, M: 'static, F>(&mut self, function: F) -> Result<FunctionId, Error>
    where
        S: QueryFilter + 'static,
        F: ListenerFunction<M, Event: EntityEvent>,
    {
        let node = filtered::<S, M, F>(function, Timing::every(Duration::ZERO), &mut self.world)?;
        Ok(self.systems.add_function(node, &mut self.world))
    }
}
