//! Wolves and sheep on bevy_ecs.

use bevy_ecs::prelude::{Commands, Entity, IntoScheduleConfigs, Query, Res, ResMut, Schedule, With, World};
use bevy_ecs::schedule::SingleThreadedExecutor;

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
    world.insert_resource(pasture);
    world.spawn_batch(sheep.into_iter().map(|Animal { cell, energy, seed }| (cell, energy, seed, Sheep)));
    world.spawn_batch(wolves.into_iter().map(|Animal { cell, energy, seed }| (cell, energy, seed, Wolf)));
    let mut schedule = Schedule::default();
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule.add_systems((wander, count_sheep, count_wolves, graze, hunt, grow).chain());
    let step = |(world, schedule): &mut (World, Schedule)| schedule.run(world);
    Some(repeated((world, schedule), step, |(world, _)| {
        let mut animals = world.query::<(&Cell, &Energy, &Seed)>();
        let animals: Vec<_> = animals.iter(world).map(|(a, b, c)| (*a, *b, *c)).collect();
        world.resource::<Pasture>().checksum(animals.into_iter())
    }))
}

fn wander(pasture: Res<Pasture>, mut animals: Query<(&mut Cell, &mut Energy, &Seed)>) {
    for (mut cell, mut energy, seed) in &mut animals {
        pasture.wander(&mut cell, &mut energy, *seed);
    }
}

fn count_sheep(mut pasture: ResMut<Pasture>, sheep: Query<(&Cell, &Seed), With<Sheep>>) {
    for (cell, seed) in &sheep {
        pasture.count_sheep(*cell, *seed);
    }
}

fn count_wolves(mut pasture: ResMut<Pasture>, wolves: Query<&Cell, With<Wolf>>) {
    for cell in &wolves {
        pasture.count_wolf(*cell);
    }
}

fn graze(
    pasture: Res<Pasture>,
    mut sheep: Query<(Entity, &Cell, &mut Energy, &Seed), With<Sheep>>,
    mut commands: Commands,
) {
    for (entity, cell, mut energy, seed) in &mut sheep {
        match pasture.graze(*cell, &mut energy, *seed) {
            Fate::Lives => {}
            Fate::Dies => commands.entity(entity).despawn(),
            Fate::Bears(young) => _ = commands.spawn((young.cell, young.energy, young.seed, Sheep)),
        }
    }
}

fn hunt(
    pasture: Res<Pasture>,
    mut wolves: Query<(Entity, &Cell, &mut Energy, &Seed), With<Wolf>>,
    mut commands: Commands,
) {
    for (entity, cell, mut energy, seed) in &mut wolves {
        match pasture.hunt(*cell, &mut energy, *seed) {
            Fate::Lives => {}
            Fate::Dies => commands.entity(entity).despawn(),
            Fate::Bears(young) => _ = commands.spawn((young.cell, young.energy, young.seed, Wolf)),
        }
    }
}

fn grow(mut pasture: ResMut<Pasture>) {
    pasture.grow();
}
