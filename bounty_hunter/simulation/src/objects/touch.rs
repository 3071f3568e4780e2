//! Contacts as entities: one entity for each pair of touching collectors, and of objects of which one hurts or heals
//! the other.

use ecs::{Commands, Engine, EntityId, Query, Setup, System, With};
use serde::{Deserialize, Serialize};

use crate::events::{CollisionBegin, CollisionEnd};
use crate::objects::health::{Damage, Healing, Health};
use crate::physics::Category;

/// Component of a contact entity: two objects that touch. The entity exists from the beginning to the end of the
/// contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touching {
    /// As in [`CollisionBegin`]: of two collectors, the one that was created first.
    pub a: EntityId,
    /// The other one.
    pub b: EntityId,
}

/// Spawns and despawns contact entities.
#[derive(Debug, Default)]
pub struct Touches;

impl System for Touches {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_begin).listen(Self::on_end);
    }
}

impl Touches {
    fn on_begin(
        &mut self,
        event: &CollisionBegin,
        (damages, healings): (Query<&Damage>, Query<&Healing>),
        healths: Query<&Health>,
        mut commands: Commands,
    ) {
        let are_collectors = (event.category_a, event.category_b) == (Category::Collector, Category::Collector);
        let concerns =
            |by: EntityId, other: EntityId| (damages.contains(by) || healings.contains(by)) && healths.contains(other);
        let is_touch = !is_sight(event.category_a) && !is_sight(event.category_b);
        if are_collectors || is_touch && (concerns(event.a, event.b) || concerns(event.b, event.a)) {
            commands.spawn((Touching { a: event.a, b: event.b },));
        }
    }

    /// If a pair parts and meets again in one step, the end comes first and despawns the old contact.
    fn on_end(&mut self, event: &CollisionEnd, contacts: Query<(EntityId, &Touching)>, mut commands: Commands) {
        if is_sight(event.category_a) || is_sight(event.category_b) {
            return;
        }
        let ended = Touching { a: event.a, b: event.b };
        let contact = contacts.iter().find(|(_, touching)| **touching == ended);
        contact.into_iter().for_each(|(entity, _)| commands.despawn(entity));
    }
}

/// Whether it is a sense of an AI. What a sense detects is reported like a contact, without a touch.
fn is_sight(category: Category) -> bool {
    matches!(category, Category::Radar | Category::Avoider)
}

/// Despawns all contacts at the end of a match.
pub fn clear_touches(engine: &mut Engine) {
    let mut contacts = Vec::new();
    engine.read_filtered::<EntityId, With<Touching>>().for_each(|entity| contacts.push(entity));
    for contact in contacts {
        engine.despawn(contact).expect("the contact was found just now");
    }
}
