//! Five kinds of entities that share components, on bevy_ecs.

use bevy_ecs::prelude::{Component, Entity, QueryState, World};

use crate::components::{A, B, C, D, Data, E, Number, Position, Rare, Velocity, advance, position, sum, velocity};
use crate::kinds::{Kinds, live, own};

type OfKind<T> = QueryState<(&'static mut Position, &'static Velocity, &'static mut Data, &'static T)>;

type OfKinds = (OfKind<A>, OfKind<B>, OfKind<C>, OfKind<D>, OfKind<E>);

pub(super) struct Aged {
    world: World,
    /// Made beforehand, as its systems have them; and so is the next one.
    queries: OfKinds,
    all: QueryState<(&'static mut Position, &'static Velocity)>,
}

impl Default for Aged {
    fn default() -> Self {
        let mut world = World::new();
        let queries = (world.query(), world.query(), world.query(), world.query(), world.query());
        let all = world.query();
        Self { world, queries, all }
    }
}

fn step<T: Component + Number>(world: &mut World, query: &mut OfKind<T>) {
    for (mut position, velocity, mut lifetime, own) in query.iter_mut(world) {
        live(&mut position, velocity, &mut lifetime, own.value());
    }
}

impl Kinds for Aged {
    type Id = Entity;

    fn spawn(&mut self, kind: usize, number: usize) -> Entity {
        let (place, speed, lifetime, own) = (position(number), velocity(number), Data(0.0), own(number));
        let spawned = match kind {
            0 => self.world.spawn((place, speed, lifetime, A(own))),
            1 => self.world.spawn((place, speed, lifetime, B(own))),
            2 => self.world.spawn((place, speed, lifetime, C(own))),
            3 => self.world.spawn((place, speed, lifetime, D(own))),
            _ => self.world.spawn((place, speed, lifetime, E(own))),
        };
        spawned.id()
    }

    fn despawn(&mut self, id: Entity) {
        self.world.despawn(id);
    }

    fn ignite(&mut self, id: Entity) {
        self.world.entity_mut(id).insert(Rare(1.0));
    }

    fn extinguish(&mut self, id: Entity) {
        self.world.entity_mut(id).remove::<Rare>();
    }

    fn step(&mut self) {
        let Self { world, queries: (a, b, c, d, e), .. } = self;
        step(world, a);
        step(world, b);
        step(world, c);
        step(world, d);
        step(world, e);
    }

    fn move_all(&mut self) {
        for (mut position, velocity) in self.all.iter_mut(&mut self.world) {
            advance(&mut position, velocity);
        }
    }

    fn checksum(&mut self) -> u64 {
        sum(self.world.query::<&Position>().iter(&self.world).map(|position| position.0))
    }
}
