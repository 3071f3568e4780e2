//! The parameter that draws random numbers.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::param::{Param, RunContext};
use crate::entity::EntityId;
use crate::query::Access;
use crate::random::{BorrowedStream, Purpose, RandomStream};
use crate::world::World;

/// Draws random numbers from the stream of a purpose; a parameter of systems and listeners.
///
/// The seed and what was drawn are in snapshots, saves and hashes: [`EngineBuilder::seed`](crate::EngineBuilder::seed).
/// Systems that draw for one purpose never run side by side, so the numbers are the same at any number of threads. In a
/// parallel iteration, draw for each entity from a stream of its own: [`Random::of`].
///
/// # Example
/// ```
/// # use std::time::Duration;
/// # use ecs::prelude::*;
/// use ecs::random::Purpose;
///
/// struct Wandering;
/// impl Purpose for Wandering {
///     const NAME: &'static str = "wandering";
/// }
///
/// struct Direction(f32);
///
/// fn wander(random: Random<Wandering>, mut sheep: Query<(EntityId, &mut Direction)>) {
///     sheep.par_for_each(|(entity, direction)| direction.0 += random.of(entity).between(-0.1, 0.1));
/// }
///
/// let mut engine = Engine::builder().seed(7).build();
/// let one = engine.spawn((Direction(0.0),));
/// engine.run(wander)?;
/// assert_ne!(engine.get::<Direction>(one).unwrap().0, 0.0);
/// # Ok::<(), ecs::Error>(())
/// ```
pub struct Random<'w, P: Purpose> {
    stream: &'w mut RandomStream,
    purpose: PhantomData<fn(P)>,
}

impl<P: Purpose> Random<'_, P> {
    /// The stream of an entity for this call of the system: draw from it as often as needed. A second `of` the same
    /// entity in the same call begins the same stream again; the next call has another one. It does not depend on the
    /// order of entities, so each gets the same numbers at any number of threads.
    ///
    /// # Example
    /// See [`Random`].
    #[must_use]
    pub fn of(&self, entity: EntityId) -> RandomStream {
        self.stream.split(entity.bits())
    }
}

impl<P: Purpose> Deref for Random<'_, P> {
    type Target = RandomStream;

    fn deref(&self) -> &RandomStream {
        self.stream
    }
}

impl<P: Purpose> DerefMut for Random<'_, P> {
    fn deref_mut(&mut self) -> &mut RandomStream {
        self.stream
    }
}

/// Stands for the stream of a purpose in the accesses of systems.
struct StreamOf<P>(#[allow(dead_code)] PhantomData<fn(P)>);

impl<P: Purpose> Param for Random<'_, P> {
    /// The place of the stream.
    type State = usize;
    type Guard<'w> = BorrowedStream<'w>;
    type Item<'g> = Random<'g, P>;

    fn prepare(world: &mut World, access: &mut Access) -> usize {
        let id = world.resources.register::<StreamOf<P>>();
        access.draw(id, P::NAME);
        world.random.register::<P>().unwrap_or_else(|problem| {
            access.refuse(problem);
            0
        })
    }

    fn guard<'w>(place: &'w usize, context: &'w RunContext<'w>) -> BorrowedStream<'w> {
        context.world.random.borrow(*place)
    }

    fn item<'g>(guard: &'g mut BorrowedStream<'_>) -> Random<'g, P> {
        // So that the streams of entities differ from call to call.
        guard.stream.next_u64();
        Random { stream: &mut guard.stream, purpose: PhantomData }
    }
}
