//! Maps by entity that give memory back.

use slotmap::SecondaryMap;

use super::EntityId;

/// The same map with no more room than its highest index asks for. O(room).
pub(crate) fn without_gaps<V: Copy>(map: &SecondaryMap<EntityId, V>) -> SecondaryMap<EntityId, V> {
    let indices = map.keys().map(EntityId::index).max().unwrap_or(0);
    let mut smaller = SecondaryMap::with_capacity(indices);
    smaller.extend(map.iter().map(|(entity, value)| (entity, *value)));
    smaller
}
