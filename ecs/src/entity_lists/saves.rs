//! Entity lists in saved snapshots.

use std::collections::BTreeMap;

use super::{Chain, EntityList, EntityListTable, Membership};
use crate::entity::EntityId;

type ByEntityList = Vec<(String, Vec<EntityId>)>;
type ByEntity = Vec<(EntityId, Vec<u32>)>;

impl EntityListTable {
    /// The members of each entity list, and the entity lists of each member as indices into the first result; both in
    /// the order of joining.
    pub(crate) fn save(&self) -> (ByEntityList, ByEntity) {
        let view = super::EntityLists::new(self);
        let by_entity_list = self
            .entity_lists
            .iter()
            .map(|entity_list| ((*entity_list.name).to_owned(), view.members(&entity_list.name).collect()));
        let number = |at: usize| self.memberships[at].entity_list as u32;
        let by_entity = self.by_entity.keys().map(|entity| (entity, self.memberships_of(entity).map(number).collect()));
        (by_entity_list.collect(), by_entity.collect())
    }

    /// # Errors
    /// If the two contradict each other.
    pub(crate) fn load(by_entity_list: &ByEntityList, by_entity: &ByEntity) -> Result<Self, String> {
        let mut table = Self { is_changed: true, ..Self::default() };
        let mut places = BTreeMap::new();
        for (entity_list, (name, members)) in by_entity_list.iter().enumerate() {
            if table.by_name.insert(name.as_str().into(), entity_list).is_some() {
                return Err(format!("there are two entity lists \"{name}\""));
            }
            let first = table.memberships.len();
            for (number, entity) in members.iter().enumerate() {
                let at = first + number;
                if places.insert((*entity, entity_list), at).is_some() {
                    return Err(format!("entity {entity} is in entity list \"{name}\" twice"));
                }
                let previous = (number > 0).then(|| at - 1);
                let next = (number + 1 < members.len()).then(|| at + 1);
                let (entity, previous_of_entity, next_of_entity) = (*entity, None, None);
                let membership = Membership { entity, entity_list, previous, next, previous_of_entity, next_of_entity };
                table.memberships.push(membership);
            }
            let (name, len) = (name.as_str().into(), members.len());
            let (first, last) = ((len > 0).then_some(first), (len > 0).then(|| first + len - 1));
            table.entity_lists.push(EntityList { name, first, last, len });
        }
        for (entity, entity_lists) in by_entity {
            for entity_list in entity_lists {
                let at = places.remove(&(*entity, *entity_list as usize));
                let at =
                    at.ok_or_else(|| format!("entity {entity} is not in entity list {entity_list}, or listed twice"))?;
                match table.by_entity.get_mut(*entity) {
                    Some(chain) => {
                        table.memberships[chain.last].next_of_entity = Some(at);
                        table.memberships[at].previous_of_entity = Some(chain.last);
                        chain.last = at;
                    }
                    None => drop(table.by_entity.insert(*entity, Chain { first: at, last: at })),
                }
            }
        }
        match places.first_key_value() {
            None => Ok(table),
            Some(((entity, _), _)) => Err(format!("entity {entity} has more entity lists than are listed")),
        }
    }
}
