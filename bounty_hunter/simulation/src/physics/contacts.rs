//! Contacts: recorded as rapier reports them, returned in a deterministic order.

use std::sync::{Mutex, PoisonError};

use rapier2d::dynamics::{RigidBodySet, SoftBodySet, SoftBodyTearEvent};
use rapier2d::geometry::{Collider, ColliderHandle, ColliderSet, CollisionEvent, ContactPair};
use rapier2d::pipeline::EventHandler;
use serde::{Deserialize, Serialize};

use super::body::BodyKey;
use super::categories::Category;

/// The beginning or end of a contact between colliders of two bodies. Contacts are ordered by their bodies, independent
/// of the order in which rapier found them; for one pair, the end comes before the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Contact {
    /// The body of the collider with the lower category, or of the lower key in one category.
    pub a: BodyKey,
    /// The other body.
    pub b: BodyKey,
    /// The category of the collider of `a`.
    pub category_a: Category,
    /// The category of the collider of `b`.
    pub category_b: Category,
    /// Whether the contact began or ended.
    pub kind: ContactKind,
}

/// Whether a contact began or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ContactKind {
    /// They no longer touch, or one of them was disabled or removed.
    End,
    /// They began to touch.
    Begin,
}

impl Contact {
    pub(super) fn between(kind: ContactKind, one: Label, other: Label) -> Self {
        let (a, b) = if one <= other { (one, other) } else { (other, one) };
        Self { a: a.key, b: b.key, category_a: a.category, category_b: b.category, kind }
    }
}

/// Category and body of a collider; packed into its user data.
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

/// Records the contacts of a step. Rapier requires a shared reference, hence the lock; it is uncontended.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct ContactRecorder {
    /// Empty between steps.
    #[serde(skip)]
    raw: Mutex<Vec<(ContactKind, ColliderHandle, ColliderHandle)>>,
    /// Labels of colliders removed since the last step, whose contacts still have to end.
    departed: Vec<((u32, u32), Label)>,
}

impl ContactRecorder {
    /// Records a collider that is about to be removed.
    pub(super) fn forget_later(&mut self, handle: ColliderHandle, collider: &Collider) {
        self.departed.push((handle.into_raw_parts(), Label::unpack(collider.user_data)));
    }

    /// Adds the contacts recorded since the last call, then sorts all and removes duplicates.
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
    fn pair_is_ordered_by_category_then_key() {
        let mixed = Contact::between(ContactKind::Begin, label(Category::Radar, 1), label(Category::Bounty, 2));
        assert_eq!((mixed.a, mixed.category_a), (BodyKey(2), Category::Bounty));
        assert_eq!((mixed.b, mixed.category_b), (BodyKey(1), Category::Radar));
        let alike = Contact::between(ContactKind::Begin, label(Category::Collector, 9), label(Category::Collector, 4));
        assert_eq!((alike.a, alike.b), (BodyKey(4), BodyKey(9)));
    }

    #[test]
    fn end_of_a_pair_precedes_its_beginning() {
        let (one, other) = (label(Category::Collector, 1), label(Category::Collector, 2));
        let mut contacts =
            [Contact::between(ContactKind::Begin, one, other), Contact::between(ContactKind::End, other, one)];
        contacts.sort_unstable();
        assert_eq!(contacts.map(|contact| contact.kind), [ContactKind::End, ContactKind::Begin]);
    }

    #[test]
    fn label_survives_packing() {
        for category in Category::ALL {
            for key in [0, 1, u64::MAX, 1 << 63] {
                assert_eq!(Label::unpack(label(category, key).pack()), label(category, key));
            }
        }
    }
}
