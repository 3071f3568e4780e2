//! Relations: typed links between entities with data, found from both ends. Ships dock at ports, and trade agreements
//! between ports say what they pay. A port that closes leaves no link behind.
//!
//! `cargo run -p lockstep_ecs --example relations`

use std::time::Duration;

use ecs::relation::{LinkedFrom, Links, Relation, Unrelated};
use ecs::{Error, prelude::*};

/// A ship lies at a port.
struct DockedAt {
    since_frame: u64,
}

impl Relation for DockedAt {
    // One port at a time: docking somewhere else ends the old link.
    const EXCLUSIVE: bool = true;
}

/// A port pays another one for each of its ships.
struct Pays {
    coins: u32,
}

impl Relation for Pays {}

struct Name(&'static str);
struct Treasury(u32);

/// Charges the ports whose ships lie in the ports of others.
fn pay(
    payers: Query<(EntityId, &Links<Pays>)>,
    docked: Query<&LinkedFrom<DockedAt>>,
    mut treasuries: Query<&mut Treasury>,
) {
    for (payer, links) in payers.iter() {
        for (port, pays) in links.iter() {
            let ships = docked.get(port).map_or(0, |ships| ships.len() as u32);
            let sum = ships * pays.coins;
            if let Ok([payer, port]) = treasuries.get_many_mut([payer, port]) {
                let paid = sum.min(payer.0);
                payer.0 -= paid;
                port.0 += paid;
            }
        }
    }
}

/// Each link that ends is announced, whatever ended it.
fn on_departure(event: &Unrelated<DockedAt>, names: Query<&Name>) {
    let name = |entity| names.get(entity).map_or("a port that is gone", |name| name.0);
    println!("the {} left {}", name(event.source), name(event.target));
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add((pay, on_departure))?;
    let [porto, faro, lagos] = ["Porto", "Faro", "Lagos"].map(|name| engine.spawn((Name(name), Treasury(100))));
    let [cutter, ketch] = ["cutter", "ketch"].map(|name| engine.spawn((Name(name),)));

    engine.relate(porto, faro, Pays { coins: 5 })?;
    engine.relate(porto, lagos, Pays { coins: 1 })?;
    engine.relate(faro, lagos, Pays { coins: 10 })?;
    engine.relate(cutter, faro, DockedAt { since_frame: 0 })?;
    engine.relate(ketch, lagos, DockedAt { since_frame: 0 })?;
    engine.update(Duration::from_secs(1))?;
    let coins = |engine: &Engine| [porto, faro, lagos].map(|port| engine.get::<Treasury>(port).map_or(0, |it| it.0));
    assert_eq!(coins(&engine), [94, 95, 111]);

    // The cutter sails to Lagos by command; systems would do the same.
    engine.run(move |time: Time, mut commands: Commands| {
        commands.relate(cutter, lagos, DockedAt { since_frame: time.frame() });
    })?;
    assert_eq!(engine.related_to::<DockedAt>(lagos), [ketch, cutter]);
    assert!(engine.related_to::<DockedAt>(faro).is_empty());
    assert_eq!(engine.relation::<DockedAt>(cutter, lagos).map(|docked| docked.since_frame), Some(1));

    // Lagos raises its price; the data of a link is read and written from either side.
    if let Some(pays) = engine.relation_mut::<Pays>(faro, lagos) {
        pays.coins = 20;
    }
    engine.update(Duration::from_secs(1))?;
    assert_eq!(coins(&engine), [92, 55, 153]);

    // Lagos closes: its links end with it, and the ships are at sea.
    engine.despawn(lagos)?;
    engine.update(Duration::from_secs(1))?;
    assert_eq!(engine.related::<Pays>(porto).map(|(port, _)| port).collect::<Vec<_>>(), [faro]);
    assert!(!engine.has::<Links<Pays>>(faro) && !engine.has::<Links<DockedAt>>(ketch));
    println!("the treasuries of Porto and Faro: {:?}", &coins(&engine)[..2]);
    Ok(())
}
