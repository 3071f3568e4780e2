//! Queries of every kind, and what they see of entities and components that are disabled.
//!
//! `cargo run -p lockstep_ecs --example toggling_and_queries`

use ecs::{Engine, EntityId, Error, IncludeDisabled, Query, With, Without};

struct Name(&'static str);
struct Purse {
    coins: u32,
}
struct Thief;

/// Prints what the most usual queries see.
fn report(
    everybody: Query<&Name>,
    rich: Query<(&Name, &Purse)>,
    maybe: Query<(&Name, Option<&Purse>)>,
    honest: Query<&Name, Without<Thief>>,
    thieves: Query<&Name, With<Thief>>,
    all_purses: Query<(&Name, &Purse), IncludeDisabled>,
) {
    let names = |names: &mut dyn Iterator<Item = &Name>| names.map(|name| name.0).collect::<Vec<_>>().join(", ");
    println!("  everybody:           {}", names(&mut everybody.iter()));
    println!("  with a purse:        {}", names(&mut rich.iter().map(|(name, _)| name)));
    println!("  honest:              {}", names(&mut honest.iter()));
    println!("  thieves:             {}", names(&mut thieves.iter()));
    println!("  purses, disabled too: {}", names(&mut all_purses.iter().map(|(name, _)| name)));
    for (name, purse) in &maybe {
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

    println!("Ann hides her purse, Bob is away:");
    engine.disable_component::<Purse>(ann)?;
    engine.disable(bob)?;
    engine.run(report)?;

    println!("nothing was lost: Bob still has {:?}", engine.get::<Purse>(bob).map(|purse| purse.coins));
    engine.enable(bob)?;
    engine.enable_component::<Purse>(ann)?;

    let mut purses = engine.query::<&mut Purse>();
    if let Some((from, to)) = purses.get_pair_mut(ann, bob) {
        to.coins += std::mem::take(&mut from.coins);
    }
    println!("Bob robs Ann: the purses hold {:?}", purses.values().iter().map(|purse| purse.coins).collect::<Vec<_>>());
    println!(
        "who has no purse: {:?}",
        engine.query_filtered::<(EntityId, &Name), Without<Purse>>().single().map(|(id, _)| id == cid)
    );
    println!("the only thief: {:?}", engine.query_filtered::<&Name, With<Thief>>().single().map(|name| name.0));
    Ok(())
}
