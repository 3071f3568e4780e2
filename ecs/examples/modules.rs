//! Modules: a feature of a game in a plugin of its own, with parameters that have names, methods that use `?`, and a
//! generic system.
//!
//! `cargo run -p lockstep_ecs --example modules --features derive`

use std::collections::BTreeMap;
use std::time::Duration;

use ecs::prelude::*;
use ecs::snapshot::{Saved, StableHash};

/// What a person carries and owes.
#[derive(Clone, Copy, StableHash, Saved)]
#[saved(name = "purse")]
struct Purse {
    coins: i64,
}

/// Prices by the name of a good.
#[derive(Clone, Default, StableHash, Saved)]
#[saved(resource, name = "prices")]
struct Prices(BTreeMap<String, i64>);

/// A person ordered a good.
#[derive(Clone, Copy, StableHash, Saved)]
#[saved(event, name = "ordered")]
struct Ordered {
    by: EntityId,
    good: &'static str,
}

/// All that a purchase needs: several parameters with a name and methods.
#[derive(ecs::Param)]
struct Shop<'w> {
    purses: Query<'w, &'static mut Purse>,
    prices: Res<'w, Prices>,
}

impl Shop<'_> {
    fn sell(&mut self, good: &str, to: EntityId) -> Result<(), String> {
        let price = self.prices.0.get(good).ok_or_else(|| format!("{good} has no price"))?;
        let purse = self.purses.get_mut(to).ok_or_else(|| format!("entity {to} has no purse"))?;
        if purse.coins < *price {
            return Err(format!("{good} costs {price}, and entity {to} has {}", purse.coins));
        }
        purse.coins -= price;
        Ok(())
    }
}

/// Sells what was ordered.
struct Selling;

impl System for Selling {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_ordered).types(|types| types.add::<Purse>()?.add::<Prices>()?.add::<Ordered>());
    }
}

impl Selling {
    /// An error is reported with the names of the system and the event; the other orders are carried out.
    fn on_ordered(&mut self, order: &Ordered, mut shop: Shop) -> Result<(), String> {
        shop.sell(order.good, order.by)
    }
}

/// A value that grows by itself.
trait Growing: Component {
    fn grow(&mut self);
}

impl Growing for Purse {
    fn grow(&mut self) {
        self.coins += self.coins / 10;
    }
}

/// One system for all kinds of values that grow.
struct Growth<T>(std::marker::PhantomData<T>);

impl<T: Growing> System for Growth<T> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::grow);
    }
}

impl<T: Growing> Growth<T> {
    fn grow(&mut self, mut values: Query<&mut T>) {
        for value in &mut values {
            value.grow();
        }
    }
}

/// The interest of all purses: a plugin in a plugin.
fn interest(engine: &mut Engine) -> Result<(), ecs::Error> {
    engine.add(Growth::<Purse>(std::marker::PhantomData))?;
    Ok(())
}

/// Everything about money.
fn money(engine: &mut Engine) -> Result<(), ecs::Error> {
    engine.insert_resource(Prices(BTreeMap::from([("bread".to_owned(), 3), ("castle".to_owned(), 9_000)])));
    engine.add_plugin(interest)?.add(Selling)?;
    Ok(())
}

pub(crate) fn main() -> Result<(), ecs::Error> {
    let mut engine = Engine::new();
    engine.add_plugin(money)?;
    let customer = engine.spawn((Purse { coins: 100 },));
    for good in ["bread", "castle", "moon", "bread"] {
        engine.send(Ordered { by: customer, good });
    }
    let before = engine.snapshot()?;
    engine.update(Duration::from_secs(1))?;

    let errors: Vec<_> = engine.system_errors().iter().map(ToString::to_string).collect();
    println!("{}", errors.join("\n"));
    assert_eq!(
        errors,
        [
            "system Selling failed in its listener for Ordered: castle costs 9000, and entity 1v1 has 97",
            "system Selling failed in its listener for Ordered: moon has no price",
        ]
    );
    assert_eq!(engine.get::<Purse>(customer).unwrap().coins, 94 + 9, "two loaves, then interest");
    engine.restore(&before)?;
    assert_eq!(engine.get::<Purse>(customer).unwrap().coins, 100);
    Ok(())
}
