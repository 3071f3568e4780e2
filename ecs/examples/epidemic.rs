//! An epidemic: people walk through a town, infect those they meet, and recover. Prints the course of the epidemic in
//! numbers, and runs it again on two threads with the same result.
//!
//! `cargo run --release -p lockstep_ecs --example epidemic`

use std::time::Duration;

use ecs::prelude::*;
use ecs::random::Purpose;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const ILLNESS: Duration = DAY.saturating_mul(10);
const INFECTIONS_PER_MEETING: f32 = 0.03;
/// The town is a square of blocks; people meet all others on their block once a day.
const PEOPLE_PER_BLOCK: usize = 10;

/// The block on which a person is.
struct Place {
    x: usize,
    y: usize,
}

/// The draws that decide where people walk.
struct Walks;
impl Purpose for Walks {
    const NAME: &'static str = "walks";
}

/// The draws that decide whether a meeting infects.
struct Infections;
impl Purpose for Infections {
    const NAME: &'static str = "infections";
}

struct Susceptible;
struct Infectious {
    until: Duration,
}
struct Recovered;

/// The number of infectious people on each block.
struct Town {
    size: usize,
    infectious: Vec<u32>,
}

impl Town {
    fn infectious_at(&mut self, place: &Place) -> &mut u32 {
        &mut self.infectious[place.y * self.size + place.x]
    }
}

/// Each person walks to a neighbouring block or stays.
fn walk(random: Random<Walks>, town: Res<Town>, mut people: Query<(EntityId, &mut Place)>) {
    people.par_for_each(|(person, place)| {
        // Each person draws from a stream of its own, so the order of people does not matter.
        let mut random = random.of(person);
        // The town has no edge: people who leave it on one side come back on the other.
        let mut step = |from: usize| (from + town.size - 1 + random.below(3) as usize) % town.size;
        (place.x, place.y) = (step(place.x), step(place.y));
    });
}

/// People infect others on their block, and recover.
fn spread(
    time: Time,
    mut random: Random<Infections>,
    mut town: ResMut<Town>,
    sources: Query<&Place, With<Infectious>>,
    targets: Query<(EntityId, &Place), With<Susceptible>>,
    mut commands: Commands,
) {
    town.infectious.fill(0);
    sources.iter().for_each(|place| *town.infectious_at(place) += 1);
    for (person, place) in &targets {
        let meetings = *town.infectious_at(place);
        if random.chance(INFECTIONS_PER_MEETING * meetings as f32) {
            commands.remove::<Susceptible>(person);
            commands.insert(person, (Infectious { until: time.elapsed() + ILLNESS },));
        }
    }
}

fn heal(time: Time, ill: Query<(EntityId, &Infectious)>, mut commands: Commands) {
    for (person, _) in ill.iter().filter(|(_, illness)| illness.until <= time.elapsed()) {
        commands.remove::<Infectious>(person);
        commands.insert(person, (Recovered,));
    }
}

/// Runs the epidemic to its end; returns the numbers of susceptible, infectious and recovered people on each day.
fn epidemic(people: usize, threads: usize) -> Result<Vec<[usize; 3]>, ecs::Error> {
    let mut engine = Engine::builder().seed(1).threads(threads).entities(people).build();
    let size = (people / PEOPLE_PER_BLOCK).isqrt();
    engine.insert_resource(Town { size, infectious: vec![0; size * size] });
    engine.add((walk, spread).chain())?.add(heal.in_post_update())?;
    let person = |n: usize| {
        let block = n % (size * size);
        (Place { x: block % size, y: block / size }, Susceptible)
    };
    let everyone = engine.spawn_many((0..people).map(person));
    for first in everyone.into_iter().step_by(people / 10) {
        engine.remove::<Susceptible>(first).expect("it was spawned with it");
        engine.insert(first, (Infectious { until: ILLNESS },)).expect("it was spawned");
    }
    let mut days = Vec::new();
    while !engine.query::<&Infectious>().is_empty() {
        engine.update(DAY)?;
        let ill = engine.query::<&Infectious>().count();
        days.push([engine.query::<&Susceptible>().count(), ill, engine.query::<&Recovered>().count()]);
    }
    Ok(days)
}

pub(crate) fn main() -> Result<(), ecs::Error> {
    let people = if cfg!(debug_assertions) { 2_000 } else { 200_000 };
    let days = epidemic(people, 1)?;
    println!("  day  susceptible  infectious  recovered");
    for (day, [susceptible, infectious, recovered]) in days.iter().enumerate().step_by(10) {
        println!("{:5}  {susceptible:11}  {infectious:10}  {recovered:9}", day + 1);
    }
    let [spared, _, recovered] = days[days.len() - 1];
    println!("it ended after {} days, {spared} of {people} people were spared", days.len());
    assert!(days.iter().all(|counts| counts.iter().sum::<usize>() == people), "everybody is in one state");
    assert!(recovered > people / 2 && spared > 0);
    assert_eq!(epidemic(people, 2)?, days, "the number of threads changes nothing");
    Ok(())
}
