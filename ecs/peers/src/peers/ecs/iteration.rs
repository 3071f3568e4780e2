//! Iteration and access, on this framework.

use ecs::query::Mut;
use ecs::{Engine, EntityId};

use crate::cases::{RARE_ONE_IN, Work, random_rare};
use crate::components::{
    Data, Position, Rare, Velocity, advance, advance_all, age, enrich, for_each_kind, four, position, shuffled, sum,
    velocity,
};
use crate::stopwatch::{Runner, repeated};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Slices => repeated(movers(count), slices, positions),
        Work::Items => repeated(movers(count), items, positions),
        Work::ItemsInALoop => repeated(movers(count), items_in_a_loop, positions),
        Work::ItemsOfFour => repeated(fours(count), items, positions),
        Work::ItemsOfFourInALoop => repeated(fours(count), items_in_a_loop, positions),
        Work::ItemsOfFourTracked => repeated(tracked(count), items_in_a_loop, positions),
        Work::ItemsOfFourInAHierarchy => repeated(families(count), items_in_a_loop, positions),
        Work::Fragmented => fragmented(count),
        Work::Join => join(Engine::new(), count),
        Work::RandomJoin => random_join(count),
        Work::RandomGet => random_get(count),
        Work::RandomGetEach => random_get_each(count),
        _ => return None,
    })
}

fn movers(count: usize) -> Engine {
    let mut engine = Engine::new();
    engine.spawn_many((0..count).map(|n| (position(n), velocity(n))));
    engine
}

fn fours(count: usize) -> Engine {
    let mut engine = Engine::new();
    engine.spawn_many((0..count).map(four));
    engine
}

fn tracked(count: usize) -> Engine {
    let mut engine = fours(count);
    engine.query::<Mut<Position>>();
    engine
}

fn families(count: usize) -> Engine {
    let mut engine = fours(count);
    let entities: Vec<EntityId> = engine.entities().iter().collect();
    for family in entities.chunks_exact(2) {
        engine.set_parent(family[1], family[0]).expect("both are alive");
    }
    engine
}

fn positions(engine: &mut Engine) -> u64 {
    sum(engine.query::<&Position>().iter().map(|position| position.0))
}

fn slices(engine: &mut Engine) {
    let mut query = engine.query::<(&mut Position, &Velocity)>();
    for (positions, velocities) in query.slices_mut() {
        advance_all(positions, velocities);
    }
}

fn items(engine: &mut Engine) {
    let mut query = engine.query::<(&mut Position, &Velocity)>();
    query.iter_mut().for_each(|(position, velocity)| advance(position, velocity));
}

fn items_in_a_loop(engine: &mut Engine) {
    for (position, velocity) in &mut engine.query::<(&mut Position, &Velocity)>() {
        advance(position, velocity);
    }
}

fn data(engine: &mut Engine) -> u64 {
    sum(engine.query::<&Data>().iter().map(|data| [data.0]))
}

fn fragmented(count: usize) -> Runner {
    let mut engine = Engine::new();
    let mut number = 0;
    macro_rules! spawn {
        ($kind:ident) => {
            for _ in 0..count {
                engine.spawn((crate::components::$kind(0.0), Data(number as f32)));
                number += 1;
            }
        };
    }
    for_each_kind!(spawn);
    repeated(engine, |engine| engine.query::<&mut Data>().iter_mut().for_each(age), data)
}

fn join(mut engine: Engine, count: usize) -> Runner {
    for n in 0..count {
        match n.is_multiple_of(RARE_ONE_IN) {
            true => engine.spawn((Data(n as f32), Rare(1.0))),
            false => engine.spawn((Data(n as f32),)),
        };
    }
    repeated(engine, enrich_all, data)
}

fn enrich_all(engine: &mut Engine) {
    let mut query = engine.query::<(&mut Data, &Rare)>();
    query.iter_mut().for_each(|(data, rare)| enrich(data, rare));
}

fn random_join(count: usize) -> Runner {
    let mut engine = Engine::new();
    let ids: Vec<EntityId> = (0..count).map(|n| engine.spawn((Data(n as f32),))).collect();
    for n in random_rare(count) {
        engine.insert(ids[n], (Rare(1.0),)).expect("the entity was just spawned");
    }
    repeated(engine, enrich_all, data)
}

fn random_get(count: usize) -> Runner {
    let mut engine = Engine::new();
    let ids: Vec<EntityId> = (0..count).map(|n| engine.spawn((Data(n as f32),))).collect();
    let order: Vec<EntityId> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (engine, order, 0),
        |(engine, order, total)| {
            let query = engine.query::<&Data>();
            let bits = order.iter().filter_map(|entity| Some(u64::from(query.get(*entity)?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

fn random_get_each(count: usize) -> Runner {
    let mut engine = Engine::new();
    let ids: Vec<EntityId> = (0..count).map(|n| engine.spawn((Data(n as f32),))).collect();
    let order: Vec<EntityId> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (engine, order, 0),
        |(engine, order, total)| {
            let bits = order.iter().filter_map(|entity| Some(u64::from(engine.get::<Data>(*entity)?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}
