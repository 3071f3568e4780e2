//! A contact is a component: it appears when a touch begins and goes when it ends, and a system hurts whom it appears on.
//!
//! Who can be hurt says a roster, a named list of entities; a plain function heals its members once a second.
//!
//! `cargo run -p lockstep_ecs --example damage_on_contact`

use std::time::Duration;

use ecs::{Added, Commands, Engine, EntityId, EntityLists, Error, Query, Removed, Sender, Setup, System};

const FRAME: Duration = Duration::from_millis(100);

/// The roster of those who can be hurt.
const MORTALS: &str = "mortals";

#[derive(Clone, Copy)]
struct Place {
    x_m: f32,
    speed_mps: f32,
}

#[derive(Debug, PartialEq)]
struct Health {
    points: u32,
    most: u32,
}

/// What a contact with it costs.
struct Damage(u32);

/// The entity touches another one at the moment.
#[derive(Clone, Copy)]
struct Contact {
    with: EntityId,
}

/// Somebody's health is used up.
#[derive(Clone, Copy)]
struct Died {
    entity: EntityId,
}

/// Moves everybody and finds out who touches whom: the stand-in for a physics engine.
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

/// Hurts who is touched by something that does damage, once for each touch.
#[derive(Default)]
struct DamageSystem {
    touches: u32,
    partings: u32,
}

impl System for DamageSystem {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_contact).listen(Self::on_parting).listen(Self::on_death);
    }
}

impl DamageSystem {
    fn on_contact(
        &mut self,
        event: &Added<Contact>,
        contacts: Query<&Contact>,
        damages: Query<&Damage>,
        mortals: EntityLists,
        mut healths: Query<&mut Health>,
        mut died: Sender<Died>,
    ) {
        let Some(contact) = contacts.get(event.entity).filter(|_| mortals.contains(MORTALS, event.entity)) else {
            return;
        };
        let Some((damage, health)) = damages.get(contact.with).zip(healths.get_mut(event.entity)) else { return };
        self.touches += 1;
        health.points = health.points.saturating_sub(damage.0);
        println!("  {} hurts {} by {}, {} are left", contact.with, event.entity, damage.0, health.points);
        if health.points == 0 {
            died.send(Died { entity: event.entity });
        }
    }

    fn on_parting(&mut self, _: &Removed<Contact>) {
        self.partings += 1;
    }

    fn on_death(&mut self, event: &Died, mut commands: Commands) {
        println!("  {} dies", event.entity);
        commands.despawn(event.entity);
    }
}

/// Gives everybody on the roster a little health back.
fn heal(mortals: EntityLists, mut healths: Query<&mut Health>) {
    for mortal in mortals.members(MORTALS) {
        if let Some(health) = healths.get_mut(mortal) {
            health.points = (health.points + 1).min(health.most);
        }
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add(Contacts)?.add(DamageSystem::default())?;
    engine.every(Duration::from_secs(1), heal)?;

    // A roller that comes from the left and passes everybody.
    engine.spawn((Place { x_m: -3.0, speed_mps: 2.0 }, Damage(4)));
    let mut stand = |x_m, most| engine.spawn((Place { x_m, speed_mps: 0.0 }, Health { points: most, most }));
    let (strong, weak, stone) = (stand(0.0, 10), stand(4.0, 3), stand(8.0, 10));
    engine.join(MORTALS, strong)?;
    engine.join(MORTALS, weak)?;

    for _ in 0..80 {
        engine.update(FRAME)?;
    }
    assert_eq!(engine.get(strong), Some(&Health { points: 10, most: 10 }), "four were lost and healed again");
    assert!(!engine.contains(weak), "nobody survives a loss of all");
    assert_eq!(engine.get(stone), Some(&Health { points: 10, most: 10 }), "it is on no entity list");
    assert!(engine.entity_lists().members(MORTALS).eq([strong]), "the dead leave their entity lists");
    let system = engine.system::<DamageSystem>().expect("it was added");
    println!("{} touches of mortals, and {} partings of anybody", system.touches, system.partings);
    assert_eq!(system.touches, 2);
    assert!(engine.command_errors().is_empty());
    Ok(())
}
