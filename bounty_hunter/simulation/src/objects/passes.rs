//! What passes through what: lists by category, kind and material, which ghosts and kinds have, and partners.
//!
//! The physics drops all contacts between a body and those that its list names, and between the collectors of a team:
//! they neither collide nor see each other in the senses of AIs.

use std::sync::Arc;

use ecs::prefab::{FromPrefab, Prefabs};
use ecs::{EntityId, Query, Res, ResMut, Setup, System, With};
use serde::{Deserialize, Serialize};

use crate::objects::collector::Collector;
use crate::objects::game_object::RigidBody;
use crate::objects::ghost::Ghost;
use crate::objects::team::Team;
use crate::physics::{Body, BodyKey, Category, CollisionFilter, GroupMember, Physics};

/// The most entries of a list.
const MAX_PASSAGES: usize = 16;

/// Bodies of one category, kind or material.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Passage {
    /// Those of a collision category.
    Category(Category),
    /// The objects of a prefab.
    Kind(String),
    /// The objects of all prefabs that are like this one, directly or through others.
    Material(String),
}

/// Component: the bodies that an object passes through. Ghosts have such a list as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Passage>", into = "Vec<Passage>")]
pub struct Passes(Arc<[Passage]>);

impl Passes {
    /// A list that lets all collectors through.
    #[must_use]
    pub fn collectors() -> Self {
        Self([Passage::Category(Category::Collector)].into())
    }

    /// What is passed through.
    #[must_use]
    pub fn passages(&self) -> &[Passage] {
        &self.0
    }

    /// Whether all collectors are among the bodies.
    #[must_use]
    pub fn let_collectors_through(&self) -> bool {
        self.0.contains(&Passage::Category(Category::Collector))
    }

    /// Whether the objects of a prefab, with bodies of this category, are among the bodies.
    #[must_use]
    pub fn contain(&self, category: Category, kind: &str, prefabs: &Prefabs) -> bool {
        self.0.iter().any(|passage| match passage {
            Passage::Category(passed) => *passed == category,
            Passage::Kind(passed) => passed == kind,
            Passage::Material(passed) => prefabs.lineage(kind).any(|prefab| prefab == passed),
        })
    }
}

impl From<Passes> for Vec<Passage> {
    fn from(passes: Passes) -> Self {
        passes.0.to_vec()
    }
}

impl TryFrom<Vec<Passage>> for Passes {
    type Error = String;

    fn try_from(passages: Vec<Passage>) -> Result<Self, String> {
        let count = passages.len();
        if count == 0 || count > MAX_PASSAGES {
            return Err(format!("it has {count} elements, must have 1 to {MAX_PASSAGES}"));
        }
        match (1..count).find(|&at| passages[..at].contains(&passages[at])) {
            Some(twice) => Err(format!("it has {:?} twice", passages[twice])),
            None => Ok(Self(passages.into())),
        }
    }
}

/// Tells the physics in each step what passes through what.
#[derive(Debug, Default)]
pub struct LetThrough {
    /// The list of each filter. All are rebuilt in each step and keep their memory.
    lists: Vec<Passes>,
    filters: Vec<CollisionFilter>,
    /// The collectors of each team.
    partners: Vec<GroupMember>,
}

impl System for LetThrough {
    fn setup(setup: &mut Setup<Self>) {
        setup.pre_update(Self::tell_physics).pre_update(Self::group_partners);
    }
}

impl LetThrough {
    /// Groups what passes by its list, and collects the bodies that each list names.
    fn tell_physics(
        &mut self,
        ghosts: Query<(EntityId, &Ghost, &RigidBody)>,
        passing: Query<(EntityId, &Passes, &RigidBody)>,
        bodies: Query<(EntityId, &Body, &FromPrefab)>,
        prefabs: Res<Prefabs>,
        mut physics: ResMut<Physics>,
    ) {
        let Self { lists, filters, .. } = self;
        lists.clear();
        filters.iter_mut().for_each(CollisionFilter::clear);
        let ghosts = ghosts.iter().map(|(entity, ghost, body)| (entity, &ghost.passes, body));
        for (entity, passes, body) in ghosts.chain(passing.iter()) {
            let index = lists.iter().position(|list| list == passes).unwrap_or_else(|| {
                lists.push(passes.clone());
                lists.len() - 1
            });
            if index == filters.len() {
                filters.push(CollisionFilter::default());
            }
            filters[index].ghosts.push((BodyKey(entity.bits()), body.0));
        }
        for (list, filter) in lists.iter().zip(filters.iter_mut()) {
            let passed = bodies.iter().filter(|(_, body, kind)| list.contain(body.category, kind.name(), &prefabs));
            filter.ignored.extend(passed.map(|(entity, ..)| BodyKey(entity.bits())));
        }
        physics.exchange_filters(filters);
    }

    fn group_partners(
        &mut self,
        collectors: Query<(EntityId, &Team, &RigidBody), With<Collector>>,
        mut physics: ResMut<Physics>,
    ) {
        self.partners.clear();
        self.partners.extend(collectors.iter().map(|(entity, team, body)| GroupMember {
            key: BodyKey(entity.bits()),
            body: body.0,
            group: team.number,
        }));
        physics.exchange_groups(&mut self.partners);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_has_some_elements_and_none_twice() {
        let read = |passages: &[Passage]| Passes::try_from(passages.to_vec());
        let rocks = || Passage::Kind("rock".into());
        assert_eq!(read(&[]), Err("it has 0 elements, must have 1 to 16".into()));
        assert_eq!(read(&[rocks(), rocks()]), Err("it has Kind(\"rock\") twice".into()));
        let many: Vec<Passage> = (0..17).map(|at| Passage::Kind(format!("rock {at}"))).collect();
        assert_eq!(read(&many), Err("it has 17 elements, must have 1 to 16".into()));
        assert!(read(&many[..16]).is_ok());
    }
}
