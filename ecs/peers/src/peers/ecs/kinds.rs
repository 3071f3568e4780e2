//! Five kinds of entities that share components, on this framework.

use ecs::{Engine, EntityId};

use crate::components::{A, B, C, D, Data, E, Number, Position, Rare, Velocity, advance, position, sum, velocity};
use crate::kinds::{Kinds, live, own};

pub(super) struct Aged(pub(super) Engine);

impl Aged {
    fn step_of<T: Number>(&mut self) {
        for (position, velocity, lifetime, own) in &mut self.0.query::<(&mut Position, &Velocity, &mut Data, &T)>() {
            live(position, velocity, lifetime, own.value());
        }
    }
}

impl Kinds for Aged {
    type Id = EntityId;

    fn spawn(&mut self, kind: usize, number: usize) -> EntityId {
        let (place, speed, lifetime, own) = (position(number), velocity(number), Data(0.0), own(number));
        match kind {
            0 => self.0.spawn((place, speed, lifetime, A(own))),
            1 => self.0.spawn((place, speed, lifetime, B(own))),
            2 => self.0.spawn((place, speed, lifetime, C(own))),
            3 => self.0.spawn((place, speed, lifetime, D(own))),
            _ => self.0.spawn((place, speed, lifetime, E(own))),
        }
    }

    fn despawn(&mut self, id: EntityId) {
        self.0.despawn(id).expect("it is alive");
    }

    fn ignite(&mut self, id: EntityId) {
        self.0.insert(id, (Rare(1.0),)).expect("it is alive");
    }

    fn extinguish(&mut self, id: EntityId) {
        self.0.remove::<Rare>(id).expect("it burns");
    }

    fn step(&mut self) {
        self.step_of::<A>();
        self.step_of::<B>();
        self.step_of::<C>();
        self.step_of::<D>();
        self.step_of::<E>();
    }

    fn move_all(&mut self) {
        for (position, velocity) in &mut self.0.query::<(&mut Position, &Velocity)>() {
            advance(position, velocity);
        }
    }

    fn checksum(&mut self) -> u64 {
        sum(self.0.query::<&Position>().iter().map(|position| position.0))
    }
}
