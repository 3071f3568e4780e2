//! Rosters in and out of saved snapshots.

use std::collections::BTreeMap;

use super::{Chain, Membership, Roster, RosterTable};
use crate::entity::EntityId;

type ByRoster = Vec<(String, Vec<EntityId>)>;
type ByEntity = Vec<(EntityId, Vec<u32>)>;

impl RosterTable {
    /// The members of all rosters, and by number the rosters of all members, both in the order of joining.
    pub(crate) fn save(&self) -> (ByRoster, ByEntity) {
        let view = super::Rosters::new(self);
        let by_roster =
            self.rosters.iter().map(|roster| ((*roster.name).to_owned(), view.members(&roster.name).collect()));
        let number = |at: usize| self.memberships[at].roster as u32;
        let by_entity = self.by_entity.keys().map(|entity| (entity, self.memberships_of(entity).map(number).collect()));
        (by_roster.collect(), by_entity.collect())
    }

    /// # Errors
    /// If the two do not say the same.
    pub(crate) fn load(by_roster: &ByRoster, by_entity: &ByEntity) -> Result<Self, String> {
        let mut table = Self { is_changed: true, ..Self::default() };
        let mut places = BTreeMap::new();
        for (roster, (name, members)) in by_roster.iter().enumerate() {
            if table.by_name.insert(name.as_str().into(), roster).is_some() {
                return Err(format!("there are two rosters \"{name}\""));
            }
            let first = table.memberships.len();
            for (number, entity) in members.iter().enumerate() {
                let at = first + number;
                if places.insert((*entity, roster), at).is_some() {
                    return Err(format!("entity {entity} is in roster \"{name}\" twice"));
                }
                let previous = (number > 0).then(|| at - 1);
                let next = (number + 1 < members.len()).then(|| at + 1);
                let (entity, next_of_entity) = (*entity, None);
                table.memberships.push(Membership { entity, roster, previous, next, next_of_entity });
            }
            let (name, len) = (name.as_str().into(), members.len());
            let (first, last) = ((len > 0).then_some(first), (len > 0).then(|| first + len - 1));
            table.rosters.push(Roster { name, first, last, len });
        }
        for (entity, rosters) in by_entity {
            for roster in rosters {
                let at = places.remove(&(*entity, *roster as usize));
                let at = at.ok_or_else(|| format!("entity {entity} is not in roster {roster}, or listed twice"))?;
                match table.by_entity.get_mut(*entity) {
                    Some(chain) => {
                        table.memberships[chain.last].next_of_entity = Some(at);
                        chain.last = at;
                    }
                    None => drop(table.by_entity.insert(*entity, Chain { first: at, last: at })),
                }
            }
        }
        match places.first_key_value() {
            None => Ok(table),
            Some(((entity, _), _)) => Err(format!("entity {entity} has more rosters than are listed")),
        }
    }
}
