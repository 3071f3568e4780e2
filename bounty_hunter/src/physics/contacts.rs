//! Beginnings and ends of contacts: recorded as rapier reports them, handed out in an order of our own.

use std::sync::{Mutex, PoisonError};

use rapier2d::dynamics::{RigidBodySet, SoftBodySet, SoftBodyTearEvent};
use rapier2d::geometry::{Collider, ColliderHandle, ColliderSet, CollisionEvent, ContactPair};
use rapier2d::pipeline::EventHandler;
use serde::{Deserialize, Serialize};

use super::body::BodyKey;
use super::categories::Category;

/// Two parts of two bodies began or ended to touch. Contacts order by their bodies, so that the order in which rapier
/// found them does not show; of one pair an end comes before a beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Contact {
    /// The body of the part with the lower category, or with the lower key where both are of one category.
    pub a: BodyKey,
    /// The other body.
    pub b: BodyKey,
    /// Which part of `a` it is.
    pub category_a: Category,
    /// Which part of `b` it is.
    pub category_b: Category,
    /// Whether they began or ended to touch.
    pub kind: ContactKind,
}

/// Whether a contact began or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ContactKind {
    /// They touched and no longer do, or one of them was disabled or removed.
    End,
    /// They touch and did not before.
    Begin,
}

impl Contact {
    fn between(kind: ContactKind, one: Label, other: Label) -> Self {
        let (a, b) = if one <= other { (one, other) } else { (other, one) };
        Self { a: a.key, b: b.key, category_a: a.category, category_b: b.category, kind }
    }
}

/// Whose part a collider is; packed into its user data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Label {
    pub(super) category: Category,
    pub(super) key: BodyKey,
}

impl Label {
    pub(super) fn pack(self) -> u128 {
        u128::from(self.key.0) | (self.category as u128) << 64
    }

    pub(super) fn unpack(user_data: u128) -> Self {
        let category = Category::from_index((user_data >> 64) as usize).unwrap_or(Category::Default);
        Self { category, key: BodyKey(user_data as u64) }
    }
}

/// Collects what rapier reports during a step. Rapier wants to share it, hence the lock; nobody ever waits for it.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct ContactRecorder {
    /// Empty between steps.
    #[serde(skip)]
    raw: Mutex<Vec<(ContactKind, ColliderHandle, ColliderHandle)>>,
    /// Labels of colliders removed since the last step: their ends are reported when they can no longer be asked.
    departed: Vec<((u32, u32), Label)>,
}

impl ContactRecorder {
    /// Remembers a collider that is about to be removed.
    pub(super) fn forget_later(&mut self, handle: ColliderHandle, collider: &Collider) {
        self.departed.push((handle.into_raw_parts(), Label::unpack(collider.user_data)));
    }

    /// Replaces `contacts` by what was recorded since the last call, sorted and without duplicates.
    pub(super) fn drain_into(&mut self, contacts: &mut Vec<Contact>, colliders: &ColliderSet) {
        let raw = self.raw.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.departed.sort_unstable();
        let departed = |handle: ColliderHandle| {
            let found = self.departed.binary_search_by_key(&handle.into_raw_parts(), |&(departed, _)| departed);
            Some(self.departed[found.ok()?].1)
        };
        let label = |handle: ColliderHandle| {
            let living = colliders.get(handle).map(|collider| Label::unpack(collider.user_data));
            living.or_else(|| departed(handle))
        };
        contacts.clear();
        contacts.extend(
            raw.drain(..).filter_map(|(kind, one, other)| Some(Contact::between(kind, label(one)?, label(other)?))),
        );
        contacts.sort_unstable();
        contacts.dedup();
        self.departed.clear();
    }
}

impl Clone for ContactRecorder {
    fn clone(&self) -> Self {
        let raw = self.raw.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { raw: Mutex::new(raw), departed: self.departed.clone() }
    }
}

impl EventHandler for ContactRecorder {
    fn handle_collision_event(
        &self,
        _bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        event: CollisionEvent,
        _pair: Option<&ContactPair>,
    ) {
        let contact = match event {
            CollisionEvent::Started(one, other, _) => (ContactKind::Begin, one, other),
            CollisionEvent::Stopped(one, other, _) => (ContactKind::End, one, other),
        };
        self.raw.lock().unwrap_or_else(PoisonError::into_inner).push(contact);
    }

    fn handle_contact_force_event(
        &self,
        _dt: f32,
        _bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        _pair: &ContactPair,
        _force: f32,
    ) {
    }

    fn handle_soft_body_tear_event(&self, _bodies: &SoftBodySet, _event: &SoftBodyTearEvent) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(category: Category, key: u64) -> Label {
        Label { category, key: BodyKey(key) }
    }

    #[test]
    fn the_lower_category_comes_first_in_a_pair_and_then_the_lower_key() {
        let mixed = Contact::between(ContactKind::Begin, label(Category::Radar, 1), label(Category::Bounty, 2));
        assert_eq!((mixed.a, mixed.category_a), (BodyKey(2), Category::Bounty));
        assert_eq!((mixed.b, mixed.category_b), (BodyKey(1), Category::Radar));
        let alike = Contact::between(ContactKind::Begin, label(Category::Collector, 9), label(Category::Collector, 4));
        assert_eq!((alike.a, alike.b), (BodyKey(4), BodyKey(9)));
    }

    #[test]
    fn of_one_pair_the_end_comes_before_the_beginning() {
        let (one, other) = (label(Category::Collector, 1), label(Category::Collector, 2));
        let mut contacts =
            [Contact::between(ContactKind::Begin, one, other), Contact::between(ContactKind::End, other, one)];
        contacts.sort_unstable();
        assert_eq!(contacts.map(|contact| contact.kind), [ContactKind::End, ContactKind::Begin]);
    }

    #[test]
    fn a_label_survives_packing_with_every_bit_of_its_key() {
        for category in Category::ALL {
            for key in [0, 1, u64::MAX, 1 << 63] {
                assert_eq!(Label::unpack(label(category, key).pack()), label(category, key));
            }
        }
    }
}
