//! Run conditions and sets: a shop whose functions run by day, by night, or while there are customers. Prints what runs
//! in each hour, and the order with its reasons.
//!
//! `cargo run -p lockstep_ecs --example run_conditions`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;
use ecs::system::condition::any_with;

struct Customer;

/// The hour of the day.
struct Clock(u32);

/// What happened in this hour.
#[derive(Default)]
struct Journal(Vec<&'static str>);

/// A condition is a function that reads the world.
fn is_day(clock: Res<Clock>) -> bool {
    (8..20).contains(&clock.0)
}

/// A set is named by a type.
struct Selling;

/// Opens the shop once, as soon as it is day: a timer stands still while a condition does not hold.
fn open(mut journal: ResMut<Journal>) {
    journal.0.push("open");
}

fn serve(customers: Query<EntityId, With<Customer>>, mut journal: ResMut<Journal>, mut commands: Commands) {
    journal.0.push("serve");
    customers.iter().for_each(|customer| commands.despawn(customer));
}

fn clean(mut journal: ResMut<Journal>) {
    journal.0.push("clean");
}

fn guard(mut journal: ResMut<Journal>) {
    journal.0.push("guard");
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.insert_resource(Journal::default());
    engine.configure_set::<Selling>(|set| set.run_if(is_day))?;
    engine.add((serve.run_if(any_with::<Customer>), clean).chain().in_set::<Selling>())?;
    engine.add((open.run_if(is_day).once_after(Duration::ZERO).before_type::<Selling>(), guard.run_if(not(is_day))))?;

    let mut days = Vec::new();
    for (hour, arrives) in [(7, true), (8, false), (9, false), (12, true), (20, true)] {
        engine.insert_resource(Clock(hour));
        if arrives {
            engine.spawn((Customer,));
        }
        engine.update(Duration::from_secs(3600))?;
        let journal = std::mem::take(&mut engine.resource_mut::<Journal>().expect("it was inserted").0);
        println!("{hour:>2} h: {}", journal.join(", "));
        days.push(journal);
    }
    let expected: [&[&str]; 5] = [&["guard"], &["open", "serve", "clean"], &["clean"], &["serve", "clean"], &["guard"]];
    assert_eq!(days, expected);
    println!("\n{}", engine.explain()?);
    Ok(())
}
