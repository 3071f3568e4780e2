//! Wolves and sheep on this framework, in the three layouts that the guide compares.

use ecs::prelude::*;

use super::FRAME;
use crate::cases::Work;
use crate::pasture::{Animal, Cell, Energy, Fate, Pasture, Seed, Sheep, Wolf};
use crate::stopwatch::{Runner, repeated};

/// A species that has a component type of its own.
struct SheepAnimal(Animal);
struct WolfAnimal(Animal);

/// An animal of either species.
struct AnyAnimal {
    is_wolf: bool,
    animal: Animal,
}

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    let pasture = Pasture::new(count);
    let (sheep, wolves) = pasture.first();
    let mut engine = Engine::new();
    engine.insert_resource(pasture);
    match work {
        Work::Wolves => {
            let parts = |Animal { cell, energy, seed }| (cell, energy, seed);
            engine.spawn_many(sheep.into_iter().map(|animal| parts(animal).and((Sheep,))));
            engine.spawn_many(wolves.into_iter().map(|animal| parts(animal).and((Wolf,))));
            engine.add((wander, count_sheep, count_wolves, graze, hunt, grow).chain())
        }
        Work::WolvesAsStructs => {
            engine.spawn_many(sheep.into_iter().map(|animal| (SheepAnimal(animal),)));
            engine.spawn_many(wolves.into_iter().map(|animal| (WolfAnimal(animal),)));
            engine.add((move_structs, graze_structs, hunt_structs, grow).chain())
        }
        Work::WolvesAsValue => {
            let of = |is_wolf: bool| move |animal: Animal| (AnyAnimal { is_wolf, animal },);
            engine.spawn_many(sheep.into_iter().map(of(false)));
            engine.spawn_many(wolves.into_iter().map(of(true)));
            engine.add((move_values, live, grow).chain())
        }
        _ => return None,
    }
    .expect("the systems fit each other");
    let frame = |engine: &mut Engine| engine.update(FRAME).expect("nothing is missing");
    let animals = |engine: &mut Engine| -> Vec<(Cell, Energy, Seed)> {
        let parts = |animal: &Animal| (animal.cell, animal.energy, animal.seed);
        let mut all: Vec<_> = engine.query::<(&Cell, &Energy, &Seed)>().iter().map(|(a, b, c)| (*a, *b, *c)).collect();
        all.extend(engine.query::<&SheepAnimal>().iter().map(|animal| parts(&animal.0)));
        all.extend(engine.query::<&WolfAnimal>().iter().map(|animal| parts(&animal.0)));
        all.extend(engine.query::<&AnyAnimal>().iter().map(|animal| parts(&animal.animal)));
        all
    };
    Some(repeated(engine, frame, move |engine| {
        let animals = animals(engine);
        engine.resource::<Pasture>().expect("it is there").checksum(animals.into_iter())
    }))
}

fn wander(pasture: Res<Pasture>, mut animals: Query<(&mut Cell, &mut Energy, &Seed)>) {
    for (cell, energy, seed) in &mut animals {
        pasture.wander(cell, energy, *seed);
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
    mut sheep: Query<(EntityId, &Cell, &mut Energy, &Seed), With<Sheep>>,
    mut commands: Commands,
) {
    for (entity, cell, energy, seed) in &mut sheep {
        match pasture.graze(*cell, energy, *seed) {
            Fate::Lives => {}
            Fate::Dies => commands.despawn(entity),
            Fate::Bears(young) => commands.spawn((young.cell, young.energy, young.seed, Sheep)),
        }
    }
}

fn hunt(
    pasture: Res<Pasture>,
    mut wolves: Query<(EntityId, &Cell, &mut Energy, &Seed), With<Wolf>>,
    mut commands: Commands,
) {
    for (entity, cell, energy, seed) in &mut wolves {
        match pasture.hunt(*cell, energy, *seed) {
            Fate::Lives => {}
            Fate::Dies => commands.despawn(entity),
            Fate::Bears(young) => commands.spawn((young.cell, young.energy, young.seed, Wolf)),
        }
    }
}

fn grow(mut pasture: ResMut<Pasture>) {
    pasture.grow();
}

fn move_structs(mut pasture: ResMut<Pasture>, mut sheep: Query<&mut SheepAnimal>, mut wolves: Query<&mut WolfAnimal>) {
    for SheepAnimal(Animal { cell, energy, seed }) in &mut sheep {
        pasture.wander(cell, energy, *seed);
        pasture.count_sheep(*cell, *seed);
    }
    for WolfAnimal(Animal { cell, energy, seed }) in &mut wolves {
        pasture.wander(cell, energy, *seed);
        pasture.count_wolf(*cell);
    }
}

fn graze_structs(pasture: Res<Pasture>, mut sheep: Query<(EntityId, &mut SheepAnimal)>, mut commands: Commands) {
    for (entity, SheepAnimal(Animal { cell, energy, seed })) in &mut sheep {
        match pasture.graze(*cell, energy, *seed) {
            Fate::Lives => {}
            Fate::Dies => commands.despawn(entity),
            Fate::Bears(young) => commands.spawn((SheepAnimal(young),)),
        }
    }
}

fn hunt_structs(pasture: Res<Pasture>, mut wolves: Query<(EntityId, &mut WolfAnimal)>, mut commands: Commands) {
    for (entity, WolfAnimal(Animal { cell, energy, seed })) in &mut wolves {
        match pasture.hunt(*cell, energy, *seed) {
            Fate::Lives => {}
            Fate::Dies => commands.despawn(entity),
            Fate::Bears(young) => commands.spawn((WolfAnimal(young),)),
        }
    }
}

fn move_values(mut pasture: ResMut<Pasture>, mut animals: Query<&mut AnyAnimal>) {
    for AnyAnimal { is_wolf, animal: Animal { cell, energy, seed } } in &mut animals {
        pasture.wander(cell, energy, *seed);
        match is_wolf {
            true => pasture.count_wolf(*cell),
            false => pasture.count_sheep(*cell, *seed),
        }
    }
}

fn live(pasture: Res<Pasture>, mut animals: Query<(EntityId, &mut AnyAnimal)>, mut commands: Commands) {
    for (entity, AnyAnimal { is_wolf, animal: Animal { cell, energy, seed } }) in &mut animals {
        let fate = match is_wolf {
            true => pasture.hunt(*cell, energy, *seed),
            false => pasture.graze(*cell, energy, *seed),
        };
        match fate {
            Fate::Lives => {}
            Fate::Dies => commands.despawn(entity),
            Fate::Bears(animal) => commands.spawn((AnyAnimal { is_wolf: *is_wolf, animal },)),
        }
    }
}
