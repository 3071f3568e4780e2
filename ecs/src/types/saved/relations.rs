//! Relations in saved snapshots. Saves may be forged: loading checks that both ends of each link agree, and that no
//! entity is its own ancestor.

use std::any::TypeId;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

use super::blob::{Notation, SavedValues, read_any};
use crate::component::{Component, Values};
use crate::entity::EntityId;
use crate::error::SnapshotError;
use crate::relation::{LinkedFrom, Links, Parent, Related, Relation, Unrelated};
use crate::type_map::short_name;
use crate::types::TypeRegistry;
use crate::types::different_values::FindPool;

impl<R: Relation + Serialize> Serialize for Links<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<R> Serialize for LinkedFrom<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&**self)
    }
}

/// Reads components of links, which are no `Deserialize`, so that users cannot have one of their own.
fn read_links<R: Relation + DeserializeOwned>(values: SavedValues<'_>, count: usize) -> Result<Vec<Links<R>>, String> {
    read_any::<Vec<(EntityId, R)>>(values, count)?.into_iter().map(Links::of).collect()
}

fn read_linked_from<R: Relation>(values: SavedValues<'_>, count: usize) -> Result<Vec<LinkedFrom<R>>, String> {
    read_any::<Vec<EntityId>>(values, count)?.into_iter().map(LinkedFrom::of).collect()
}

impl TypeRegistry {
    /// Registers a [named](TypeRegistry::relation) relation for saving, as bytes and as text, as this version of `R`.
    ///
    /// # Errors
    /// As [`TypeRegistry::save`].
    pub fn save_relation<R: Relation + Serialize + DeserializeOwned>(
        &mut self,
        version: u32,
    ) -> Result<&mut Self, SnapshotError> {
        self.save_as::<Links<R>>(version, Notation::read_by(read_links), true)?;
        self.save_as::<LinkedFrom<R>>(1, Notation::read_by(read_linked_from), true)?;
        self.save_with_text::<Related<R>>(1)?.save_with_text::<Unrelated<R>>(1)
    }

    /// As [`TypeRegistry::convert`], for the data of a relation.
    ///
    /// # Errors
    /// As [`TypeRegistry::convert`].
    pub fn convert_relation<Old: DeserializeOwned + 'static, R: Relation>(
        &mut self,
        version: u32,
        convert: fn(Old) -> Result<R, String>,
    ) -> Result<&mut Self, SnapshotError> {
        self.convert_by::<_, Links<R>>(version, move |links: Vec<(EntityId, Old)>| {
            let links = links.into_iter().map(|(target, old)| Ok((target, convert(old)?)));
            Links::of(links.collect::<Result<_, String>>()?)
        })
    }
}

/// Checks the links of a relation in a loaded snapshot.
///
/// # Errors
/// The first link with one end only, or an entity that is its own ancestor.
pub(crate) fn check_links<R: Relation>(pools: &FindPool<'_>) -> Result<(), String> {
    let forth = rows::<Links<R>>(pools).flat_map(|(source, links)| links.iter().map(move |link| (source, link.0)));
    let back = rows::<LinkedFrom<R>>(pools).flat_map(|(target, from)| from.iter().map(move |from| (*from, target)));
    let (mut forth, mut back): (Vec<_>, Vec<_>) = (forth.collect(), back.collect());
    forth.sort_unstable();
    back.sort_unstable();
    if forth != back {
        let at = forth.iter().zip(&back).take_while(|(a, b)| a == b).count();
        let problem = |(source, target): &(EntityId, EntityId), which| {
            let name = short_name::<R>();
            Err(format!("the link {name} from entity {source} to {target} is at {which} only"))
        };
        return match (forth.get(at), back.get(at)) {
            (Some(link), other) if other.is_none_or(|other| link < other) => problem(link, "its source"),
            (_, Some(link)) => problem(link, "its target"),
            _ => unreachable!("the lists differ"),
        };
    }
    if TypeId::of::<R>() == TypeId::of::<Parent>() { check_ancestors(&forth) } else { Ok(()) }
}

/// Checks that no entity is its own ancestor. Each link is a child and its parent; children are ascending.
fn check_ancestors(links: &[(EntityId, EntityId)]) -> Result<(), String> {
    // The walk that first visited each child, from 1.
    let mut visited = vec![0; links.len()];
    for walk in 1..=links.len() {
        let mut at = Some(walk - 1);
        while let Some(child) = at {
            match visited[child] {
                0 => visited[child] = walk,
                by if by == walk => return Err(format!("entity {} is its own ancestor", links[child].0)),
                _ => break,
            }
            at = links.binary_search_by_key(&links[child].1, |link| link.0).ok();
        }
    }
    Ok(())
}

/// The owners and values of a pool; none if the snapshot does not have it.
fn rows<'a, T: Component>(pools: &FindPool<'a>) -> impl Iterator<Item = (EntityId, &'a T)> {
    let rows = pools(TypeId::of::<T>());
    rows.into_iter().flat_map(|(rows, values)| {
        let values: Option<&Values<T>> = values.downcast_ref();
        values.into_iter().flat_map(move |values| rows.iter().map(move |row| (row.owner, values.at(row.place))))
    })
}

#[cfg(test)]
mod tests {
    use super::check_ancestors;
    use crate::entity::EntityId;

    fn entity(index: usize) -> EntityId {
        EntityId::from_bits(1 << 32 | index as u64)
    }

    #[test]
    fn cycles_are_found_and_chains_of_any_depth_pass() {
        let chain: Vec<_> = (1..200_000).map(|index| (entity(index), entity(index + 1))).collect();
        assert_eq!(check_ancestors(&chain), Ok(()));
        let mut circle = chain;
        circle.push((entity(200_000), entity(100_000)));
        assert_eq!(check_ancestors(&circle), Err("entity 100000v1 is its own ancestor".to_owned()));
        assert!(check_ancestors(&[(entity(1), entity(1))]).is_err());
    }
}
