//! Change detection: prices are only printed again if they changed, and new goods get a label. A system that looks at
//! all goods and writes to few uses `Mut`, so only what it writes counts as changed.
//!
//! `cargo run -p lockstep_ecs --example changes`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

struct Name(&'static str);
struct Price(u32);
struct Stock(u32);

/// Raises the price of what is almost sold out.
fn raise_prices(mut goods: Query<(&Stock, Mut<Price>), Changed<Stock>>) {
    for (stock, mut price) in &mut goods {
        if stock.0 < 3 {
            price.0 += 10;
        }
    }
}

/// The labels of this frame.
#[derive(Default)]
struct Labels {
    printed: Vec<String>,
}

/// Prints labels for new goods and new prices.
fn print(new: Query<&Name, Added<Name>>, priced: Query<(&Name, &Price), Changed<Price>>, mut labels: ResMut<Labels>) {
    labels.printed.clear();
    for name in &new {
        labels.printed.push(format!("new: {}", name.0));
    }
    for (name, price) in &priced {
        labels.printed.push(format!("{}: {} coins", name.0, price.0));
    }
    println!("  {:?}", labels.printed);
}

/// Runs a frame and compares the printed labels.
fn expect(engine: &mut Engine, labels: &[&str]) -> Result<(), Error> {
    engine.update(Duration::from_secs(1))?;
    assert_eq!(engine.resource::<Labels>().map(|labels| labels.printed.join(", ")), Some(labels.join(", ")));
    Ok(())
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.insert_resource(Labels::default());
    // The labels come last, to see this frame's changes in this frame.
    engine.add((raise_prices, print).chain())?;
    let bread = engine.spawn((Name("bread"), Price(5), Stock(9)));
    let cheese = engine.spawn((Name("cheese"), Price(20), Stock(4)));

    // The first run of a system sees everything.
    expect(&mut engine, &["new: bread", "new: cheese", "bread: 5 coins", "cheese: 20 coins"])?;
    expect(&mut engine, &[])?;

    // Mutable access counts as a change. One loaf less is no shortage, so the price of bread is looked at, but not
    // written.
    engine.get_mut::<Stock>(bread).expect("there is bread").0 -= 1;
    engine.get_mut::<Stock>(cheese).expect("there is cheese").0 -= 2;
    expect(&mut engine, &["cheese: 30 coins"])?;

    // To replace a component is to change it.
    engine.insert(bread, (Price(6),))?;
    expect(&mut engine, &["bread: 6 coins"])?;
    expect(&mut engine, &[])?;
    Ok(())
}
