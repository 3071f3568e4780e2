//! Where a unit of work may have a value from: the places with the same value among what it may read.

use super::field::{Field, Owner, Readers, walking};
use super::state::SystemKey;
use super::watch::Method;
use crate::system::SystemNode;
use crate::types::Leaf;
use crate::world::World;

/// Components and resources that are looked at.
const MOST_VALUES: usize = 20_000;
/// Places that are told.
const MOST_SOURCES: usize = 8;

/// A place that had a value right before a unit ran.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    Field(Field),
    /// A field of the event that was delivered.
    Event {
        event: &'static str,
        number: u64,
        field: String,
        /// The unit that sent it; `None` for the program and the engine.
        sent_by: Option<(u64, String)>,
    },
}

/// The places with a value, among the state of its system and the components and resources that a method may read,
/// except `own`. Returns whether
/// all were looked at.
pub(super) fn scan(
    leaf: &Leaf,
    own: &Field,
    node: &SystemNode,
    method: Method,
    readers: &Readers,
    world: &World,
    into: &mut Vec<Source>,
) -> bool {
    let mut left = MOST_VALUES;
    let (mut components, mut resources) = (Vec::new(), Vec::new());
    for access in method.accesses(node) {
        if access.is_exclusive {
            // It may read everything.
            return false;
        }
        components.extend(access.reads.iter().chain(access.writes.iter()));
        resources.extend(access.resource_reads.iter().chain(&access.resource_writes).copied());
    }
    components.sort_unstable();
    components.dedup();
    resources.sort_unstable();
    resources.dedup();
    let key = SystemKey::of(node);
    let name = readers.states.first_name(node).into();
    add(leaf, own, Owner::System(key), &name, into, |show| {
        readers.states.show_to_method(node, method.accesses(node), show);
    });
    for id in components {
        let Some(component) = world.components().find(id).map(|pool| pool.value_type()) else { continue };
        let (Some((name, shower)), Some(rows)) = (readers.components.get(&component), world.components().rows(id))
        else {
            continue;
        };
        for row in rows.iter() {
            let Some(next) = left.checked_sub(1) else { return false };
            left = next;
            let entity = row.owner;
            add(leaf, own, Owner::Component(entity, component), name, into, |show| _ = shower(world, entity, show));
        }
    }
    for id in resources {
        let resource = world.resources.type_of(id);
        if let Some((name, shower)) = readers.resources.get(&resource) {
            add(leaf, own, Owner::Resource(resource), name, into, |show| _ = shower(world, show));
        }
    }
    into.len() <= MOST_SOURCES
}

fn add(
    leaf: &Leaf,
    own: &Field,
    owner: Owner,
    name: &std::sync::Arc<str>,
    into: &mut Vec<Source>,
    show: impl FnOnce(crate::types::Show<'_>),
) {
    let mut found = |path: &str, other: Leaf| {
        if !other.is_as(leaf) || into.len() > MOST_SOURCES {
            return;
        }
        let field = Field { owner, name: name.clone(), path: steps(path) };
        if field != *own {
            into.push(Source::Field(field));
        }
    };
    show(&mut walking(&[], &mut found));
}

/// The steps of a path that a `Walker` told.
pub(crate) fn steps(path: &str) -> Box<[Box<str>]> {
    let mut steps: Vec<Box<str>> = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (step, behind) = match rest.strip_prefix('`').and_then(|quoted| quoted.split_once('`')) {
            Some(parts) => parts,
            None => rest.split_at(rest.find('.').unwrap_or(rest.len())),
        };
        steps.push(step.into());
        rest = behind.strip_prefix('.').unwrap_or(behind);
    }
    steps.into()
}
