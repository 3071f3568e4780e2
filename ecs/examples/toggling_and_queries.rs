//! The kinds of queries, and which disabled entities and components they return. Prints the results of each query.
//!
//! `cargo run -p lockstep_ecs --example toggling_and_queries`

use ecs::Error;
use ecs::prelude::*;

struct Name(&'static str);
struct Purse {
    coins: u32,
}
struct Thief;

/// Prints the results of the most common queries.
fn report(
    people: Query<&Name>,
    with_purse: Query<(&Name, &Purse)>,
    optional_purse: Query<(&Name, Option<&Purse>)>,
    honest: Query<&Name, Without<Thief>>,
    thieves: Query<&Name, With<Thief>>,
    all_purses: Query<(&Name, &Purse), IncludeDisabled>,
) {
    let names = |names: &mut dyn Iterator<Item = &Name>| names.map(|name| name.0).collect::<Vec<_>>().join(", ");
    println!("  people:                   {}", names(&mut people.iter()));
    println!("  with a purse:             {}", names(&mut with_purse.iter().map(|(name, _)| name)));
    println!("  honest:                   {}", names(&mut honest.iter()));
    println!("  thieves:                  {}", names(&mut thieves.iter()));
    println!("  purses, disabled or not:  {}", names(&mut all_purses.iter().map(|(name, _)| name)));
    for (name, purse) in &optional_purse {
        println!("    {} has {:?}", name.0, purse.map(|purse| purse.coins));
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    let ann = engine.spawn((Name("Ann"), Purse { coins: 10 }));
    let bob = engine.spawn((Name("Bob"), Purse { coins: 3 }, Thief));
    let cid = engine.spawn((Name("Cid"),));

    println!("all enabled:");
    engine.run(report)?;

    println!("Ann's purse and Bob are disabled:");
    engine.disable_component::<Purse>(ann)?;
    engine.disable(bob)?;
    engine.run(report)?;

    println!("Bob keeps his coins while disabled: {:?}", engine.get::<Purse>(bob).map(|purse| purse.coins));
    engine.enable(bob)?;
    engine.enable_component::<Purse>(ann)?;

    let mut purses = engine.query::<&mut Purse>();
    if let Ok([from, to]) = purses.get_many_mut([ann, bob]) {
        to.coins += std::mem::take(&mut from.coins);
    }
    println!("Bob robs Ann: the purses hold {:?}", purses.iter().map(|purse| purse.coins).collect::<Vec<_>>());
    println!(
        "Cid is the only one without a purse: {:?}",
        engine.query_filtered::<(EntityId, &Name), Without<Purse>>().single().map(|(id, _)| id == cid)
    );
    println!("the only thief: {:?}", engine.query_filtered::<&Name, With<Thief>>().single().map(|name| name.0));
    Ok(())
}
