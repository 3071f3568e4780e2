//! Contacts as components: a system inserts `Contact` when two entities touch, another deals damage on [`Added`].
//!
//! An entity list names the entities that can take damage; a timed function heals its members once a second. Prints
//! each hit and each death.
//!
//! `cargo run -p lockstep_ecs --example damage_on_contact`

use std::time::Duration;

use ecs::prelude::*;
use ecs::{EntityLists, Error};

const FRAME: Duration = Duration::from_millis(100);

/// The list of entities that can take damage.
const MORTALS: &str = "mortals";

#[derive(Clone, Copy)]
struct Place {
    x_m: f32,
    speed_mps: f32,
}

#[derive(Debug, PartialEq)]
struct Health {
    points: u32,
    max: u32,
}

/// Health points that a touch takes from the other entity.
struct Damage(u32);

/// The entity touches `with`.
#[derive(Clone, Copy)]
struct Contact {
    with: EntityId,
}

/// An entity has no health left.
#[derive(Clone, Copy)]
struct Died {
    entity: EntityId,
}

/// Moves all entities and detects contacts: a stand-in for a physics engine.
struct Contacts;

impl System for Contacts {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::find);
    }
}

impl Contacts {
    const REACH_M: f32 = 1.0;

    fn find(&mut self, mut places: Query<(EntityId, &mut Place)>, contacts: Query<&Contact>, mut commands: Commands) {
        places.iter_mut().for_each(|(_, place)| place.x_m += place.speed_mps * FRAME.as_secs_f32());
        let near = |a: &Place, b: &Place| (a.x_m - b.x_m).abs() < Self::REACH_M;
        for (entity, place) in &places {
            let touched = places.iter().find(|&(other, at)| other != entity && near(place, at));
            match (touched, contacts.get(entity)) {
                (Some((with, _)), None) => commands.insert(entity, (Contact { with },)),
                (None, Some(_)) => commands.remove::<Contact>(entity),
                _ => {}
            }
        }
    }
}

/// Deals damage once for each contact.
#[derive(Default)]
struct DamageSystem {
    hits: u32,
    contacts_ended: u32,
}

impl System for DamageSystem {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_contact).listen(Self::on_contact_end).listen(Self::on_death);
    }
}

impl DamageSystem {
    fn on_contact(
        &mut self,
        event: &Added<Contact>,
        contacts: Query<&Contact>,
        damages: Query<&Damage>,
        lists: EntityLists,
        mut healths: Query<&mut Health>,
        mut died: Sender<Died>,
    ) {
        let Some(contact) = contacts.get(event.entity).filter(|_| lists.contains(MORTALS, event.entity)) else {
            return;
        };
        let Some((damage, health)) = damages.get(contact.with).zip(healths.get_mut(event.entity)) else { return };
        self.hits += 1;
        health.points = health.points.saturating_sub(damage.0);
        println!("  {} loses {} points to {}, {} are left", event.entity, damage.0, contact.with, health.points);
        if health.points == 0 {
            died.send(Died { entity: event.entity });
        }
    }

    fn on_contact_end(&mut self, _: &Removed<Contact>) {
        self.contacts_ended += 1;
    }

    fn on_death(&mut self, event: &Died, mut commands: Commands) {
        println!("  {} dies", event.entity);
        commands.despawn(event.entity);
    }
}

/// Heals each entity of the list by one point.
fn heal(lists: EntityLists, mut healths: Query<&mut Health>) {
    for mortal in lists.members(MORTALS) {
        if let Some(health) = healths.get_mut(mortal) {
            health.points = (health.points + 1).min(health.max);
        }
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add(Contacts)?.add(DamageSystem::default())?;
    engine.every(Duration::from_secs(1), heal)?;

    // A roller that comes from the left and passes all other entities.
    engine.spawn((Place { x_m: -3.0, speed_mps: 2.0 }, Damage(4)));
    let mut stand = |x_m, max| engine.spawn((Place { x_m, speed_mps: 0.0 }, Health { points: max, max }));
    let (strong, weak, stone) = (stand(0.0, 10), stand(4.0, 3), stand(8.0, 10));
    engine.join(MORTALS, strong)?;
    engine.join(MORTALS, weak)?;

    for _ in 0..80 {
        engine.update(FRAME)?;
    }
    assert_eq!(engine.get(strong), Some(&Health { points: 10, max: 10 }), "lost four points and healed");
    assert!(!engine.contains(weak), "had only three points");
    assert_eq!(engine.get(stone), Some(&Health { points: 10, max: 10 }), "is not in the list");
    assert!(engine.entity_lists().members(MORTALS).eq([strong]), "a despawned entity leaves its lists");
    let system = engine.system::<DamageSystem>().expect("it was added");
    println!("{} hits, {} contacts ended", system.hits, system.contacts_ended);
    assert_eq!(system.hits, 2);
    assert!(engine.command_errors().is_empty());
    Ok(())
}
