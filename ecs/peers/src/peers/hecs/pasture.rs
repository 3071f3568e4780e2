//! Wolves and sheep on hecs.

use hecs::{CommandBuffer, Entity, With, World};

use crate::cases::Work;
use crate::pasture::{Animal, Cell, Energy, Fate, Pasture, Seed, Sheep, Wolf};
use crate::stopwatch::{Runner, repeated};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    if work != Work::Wolves {
        return None;
    }
    let pasture = Pasture::new(count);
    let (sheep, wolves) = pasture.first();
    let mut world = World::new();
    world.spawn_batch(sheep.into_iter().map(|Animal { cell, energy, seed }| (cell, energy, seed, Sheep)));
    world.spawn_batch(wolves.into_iter().map(|Animal { cell, energy, seed }| (cell, energy, seed, Wolf)));
    Some(repeated((world, pasture), step, |(world, pasture)| {
        let animals = world.query_mut::<(&Cell, &Energy, &Seed)>().into_iter().map(|(a, b, c)| (*a, *b, *c));
        pasture.checksum(animals)
    }))
}

fn step((world, pasture): &mut (World, Pasture)) {
    for (cell, energy, seed) in world.query_mut::<(&mut Cell, &mut Energy, &Seed)>() {
        pasture.wander(cell, energy, *seed);
    }
    for (cell, seed) in world.query_mut::<With<(&Cell, &Seed), &Sheep>>() {
        pasture.count_sheep(*cell, *seed);
    }
    for cell in world.query_mut::<With<&Cell, &Wolf>>() {
        pasture.count_wolf(*cell);
    }
    let mut commands = CommandBuffer::new();
    for (entity, cell, energy, seed) in world.query_mut::<With<(Entity, &Cell, &mut Energy, &Seed), &Sheep>>() {
        match pasture.graze(*cell, energy, *seed) {
            Fate::Lives => {}
            Fate::Dies => commands.despawn(entity),
            Fate::Bears(young) => commands.spawn((young.cell, young.energy, young.seed, Sheep)),
        }
    }
    for (entity, cell, energy, seed) in world.query_mut::<With<(Entity, &Cell, &mut Energy, &Seed), &Wolf>>() {
        match pasture.hunt(*cell, energy, *seed) {
            Fate::Lives => {}
            Fate::Dies => commands.despawn(entity),
            Fate::Bears(young) => commands.spawn((young.cell, young.energy, young.seed, Wolf)),
        }
    }
    commands.run_on(world);
    pasture.grow();
}
