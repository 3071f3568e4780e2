//! Five kinds of entities that share components, on hecs.

use hecs::{Entity, World};

use crate::components::{A, B, C, D, Data, E, Number, Position, Rare, Velocity, advance, position, sum, velocity};
use crate::kinds::{Kinds, live, own};

pub(super) struct Aged(pub(super) World);

impl Aged {
    fn step_of<T: Number>(&mut self) {
        for (position, velocity, lifetime, own) in self.0.query_mut::<(&mut Position, &Velocity, &mut Data, &T)>() {
            live(position, velocity, lifetime, own.value());
        }
    }
}

impl Kinds for Aged {
    type Id = Entity;

    fn spawn(&mut self, kind: usize, number: usize) -> Entity {
        let (place, speed, lifetime, own) = (position(number), velocity(number), Data(0.0), own(number));
        match kind {
            0 => self.0.spawn((place, speed, lifetime, A(own))),
            1 => self.0.spawn((place, speed, lifetime, B(own))),
            2 => self.0.spawn((place, speed, lifetime, C(own))),
            3 => self.0.spawn((place, speed, lifetime, D(own))),
            _ => self.0.spawn((place, speed, lifetime, E(own))),
        }
    }

    fn despawn(&mut self, id: Entity) {
        self.0.despawn(id).expect("it is alive");
    }

    fn ignite(&mut self, id: Entity) {
        self.0.insert_one(id, Rare(1.0)).expect("it is alive");
    }

    fn extinguish(&mut self, id: Entity) {
        self.0.remove_one::<Rare>(id).expect("it burns");
    }

    fn step(&mut self) {
        self.step_of::<A>();
        self.step_of::<B>();
        self.step_of::<C>();
        self.step_of::<D>();
        self.step_of::<E>();
    }

    fn move_all(&mut self) {
        for (position, velocity) in self.0.query_mut::<(&mut Position, &Velocity)>() {
            advance(position, velocity);
        }
    }

    fn checksum(&mut self) -> u64 {
        sum(self.0.query_mut::<&Position>().into_iter().map(|position| position.0))
    }
}
