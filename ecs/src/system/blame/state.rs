//! [`StateReaders`]: how the states of systems are shown as values.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::ids::FunctionKey;
use crate::query::Access;
use crate::system::SystemManager;
use crate::system::node::SystemNode;
use crate::type_map::TypeMap;
use crate::types::{AnyLocalState, Show, ShowState, TypeRegistry};

/// The field of a system's own state beside its private state.
const OWN: &str = "state";

/// A system among those of an engine; it stays the same when states are restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SystemKey {
    system: TypeId,
    function: Option<FunctionKey>,
}

impl SystemKey {
    pub(crate) fn of(node: &SystemNode) -> Self {
        Self { system: node.system, function: node.function }
    }

    fn find(self, systems: &SystemManager) -> Option<&SystemNode> {
        systems.nodes.iter().find(|node| self.is_of(node))
    }

    pub(super) fn is_of(self, node: &SystemNode) -> bool {
        self == Self::of(node)
    }
}

/// The systems whose states may be looked at.
#[derive(Clone, Copy)]
pub(crate) enum Systems<'a> {
    All(&'a SystemManager),
    /// Nothing but this one has run.
    One(&'a SystemNode),
    None,
}

impl<'a> Systems<'a> {
    /// Whether the state of a system may have changed.
    pub(super) fn may_contain(self, key: SystemKey) -> bool {
        match self {
            Self::All(_) => true,
            Self::One(node) => key.is_of(node),
            Self::None => false,
        }
    }

    pub(super) fn find(self, key: SystemKey) -> Option<&'a SystemNode> {
        match self {
            Self::All(systems) => key.find(systems),
            Self::One(node) => Some(node).filter(|node| key.is_of(node)),
            Self::None => None,
        }
    }
}

/// How the states of systems of registered types are shown, without the registry.
///
/// The state of a system is the system itself, or the `Local` parameters of its methods and conditions by the names of
/// their types. If it has both, its own state is the field `state` beside them.
#[derive(Default)]
pub(crate) struct StateReaders {
    systems: TypeMap<(Arc<str>, Option<OwnState>)>,
    locals: TypeMap<(Arc<str>, ShowState)>,
}

impl fmt::Debug for StateReaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateReaders").finish_non_exhaustive()
    }
}

impl StateReaders {
    pub(crate) fn of(types: &TypeRegistry) -> Self {
        let systems = types.systems.by_name().filter(|entry| !types.is_left_out(entry.type_id));
        Self {
            systems: systems
                .map(|entry| {
                    let codec = entry.codec.as_deref();
                    let has_fields = entry.what.has_fields(codec);
                    let own = entry.what.shower(codec).map(|show| OwnState { show, has_fields });
                    (entry.type_id, (entry.name.clone(), own))
                })
                .collect(),
            locals: types
                .locals
                .by_name()
                .filter_map(|entry| Some((entry.type_id, (entry.name.clone(), entry.what.shower(None)?))))
                .collect(),
        }
    }

    /// The systems with a state that can be shown, each with a name of its own: that of its registered type, or else
    /// that of its Rust type or function; the second one of a name is called `name 2`.
    pub(crate) fn named<'s>(&self, systems: &'s SystemManager) -> Vec<(String, &'s SystemNode)> {
        let mut named: Vec<(String, &SystemNode)> = Vec::new();
        let is_registered = |node: &&SystemNode| self.systems.contains_key(&node.system);
        let known = systems.nodes.iter().filter(|node| self.is_known(node));
        let (first, others): (Vec<_>, Vec<_>) = known.partition(is_registered);
        for node in first.into_iter().chain(others) {
            let name = unlike(self.first_name(node), |other| named.iter().any(|(known, _)| known == other));
            named.push((name, node));
        }
        named
    }

    /// The name of a system, which others may have, too.
    pub(super) fn first_name<'a>(&'a self, node: &SystemNode) -> &'a str {
        self.systems.get(&node.system).map_or(node.name, |(name, _)| name)
    }

    /// The system of a name, or else the first one with this name in Rust.
    pub(crate) fn find<'s>(&self, name: &str, systems: &'s SystemManager) -> Option<&'s SystemNode> {
        let named = self.named(systems);
        let found = named.iter().find(|(own, _)| own == name);
        Some(found.or_else(|| named.iter().find(|(_, node)| node.name == name))?.1)
    }

    /// Whether a system has a state that can be shown.
    pub(crate) fn is_known(&self, node: &SystemNode) -> bool {
        self.own(node).is_some() || node.locals().any(|local| self.locals.contains_key(&local.value_type()))
    }

    fn own(&self, node: &SystemNode) -> Option<&OwnState> {
        self.systems.get(&node.system).and_then(|(_, own)| own.as_ref())
    }

    /// Shows the state of a system; returns whether it has one.
    pub(crate) fn show(&self, node: &SystemNode, to: Show<'_>) -> bool {
        self.show_if(node, |_| true, to)
    }

    /// Shows what a method of a system may read of its state.
    pub(super) fn show_to_method<'a>(
        &self,
        node: &'a SystemNode,
        accesses: impl Iterator<Item = &'a Access> + Clone,
        to: Show<'_>,
    ) {
        self.show_if(node, |local| accesses.clone().any(|access| has(access, local)), to);
    }

    fn show_if(&self, node: &SystemNode, is_shown: impl Fn(&Arc<dyn AnyLocalState>) -> bool, to: Show<'_>) -> bool {
        let own = self.own(node).map(|own| move |to: Show<'_>| (own.show)(node.work.system().state(), to));
        let all = self.private(node);
        let has_private = !all.is_empty();
        let shown = all.into_iter().filter(|(_, local)| is_shown(local));
        let private: Vec<_> = shown
            .filter_map(|(name, local)| {
                let (_, show) = self.locals.get(&local.value_type())?;
                Some((name, move |to: Show<'_>| local.look(&mut |value| show(value, to))))
            })
            .collect();
        match own {
            Some(own) if !has_private => own(to),
            None if !has_private => return false,
            own => to(Some(&Whole { own, private })),
        }
        true
    }

    /// The `Local` parameters of its methods and conditions, each with its name.
    fn private<'a>(&self, node: &'a SystemNode) -> Vec<(String, &'a Arc<dyn AnyLocalState>)> {
        let mut named: Vec<(String, _)> = Vec::new();
        let has_own = self.own(node).is_some();
        for local in node.locals() {
            let Some((name, _)) = self.locals.get(&local.value_type()) else { continue };
            let is_taken = |other: &str| has_own && other == OWN || named.iter().any(|(known, _)| known == other);
            named.push((unlike(name, is_taken), local));
        }
        named
    }

    /// Whether a method with this access may write a part of its system's state.
    pub(super) fn may_write(&self, node: &SystemNode, access: &Access, path: &[Box<str>]) -> bool {
        let private = self.private(node);
        let own = self.own(node).is_some();
        match path.first() {
            Some(first) if !private.is_empty() => match private.iter().find(|(name, _)| **name == **first) {
                Some((_, local)) => has(access, local),
                None => own,
            },
            Some(_) => own,
            None => own || private.iter().any(|(_, local)| has(access, local)),
        }
    }

    /// Checks the steps of a path into a state that its types alone decide.
    pub(crate) fn check_path<'p>(
        &self,
        node: &SystemNode,
        mut path: impl Iterator<Item = &'p str>,
    ) -> Result<(), NoSuchPart> {
        let Some(first) = path.next() else { return Ok(()) };
        let (own, private) = (self.own(node), self.private(node));
        let has_fields = |own: Option<&OwnState>| own.is_some_and(|own| own.has_fields);
        let are_parts_known = if private.is_empty() {
            has_fields(own)
        } else if private.iter().any(|(name, _)| name == first) {
            path.next().is_none()
        } else if own.is_some() && first == OWN {
            path.next().is_none() || has_fields(own)
        } else {
            let own = own.map(|_| OWN.to_owned());
            return Err(NoSuchPart::Among(own.into_iter().chain(private.into_iter().map(|(name, _)| name)).collect()));
        };
        if are_parts_known { Ok(()) } else { Err(NoSuchPart::Unknown) }
    }
}

/// Why a state has no such part.
pub(crate) enum NoSuchPart {
    /// The names of the parts that there are.
    Among(Vec<String>),
    /// The type of the state is not registered for saving.
    Unknown,
}

/// How the state of a system is shown, and whether its fields are known.
struct OwnState {
    show: ShowState,
    has_fields: bool,
}

fn has(access: &Access, local: &Arc<dyn AnyLocalState>) -> bool {
    access.locals.iter().any(|own| Arc::ptr_eq(own, local))
}

/// A name, or the first one of `name 2`, `name 3` that is not taken.
fn unlike(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let others = (2..).map(|number| format!("{name} {number}"));
    std::iter::once(name.to_owned()).chain(others).find(|name| !is_taken(name)).expect("there are enough numbers")
}

/// A system with private state, as a map.
struct Whole<A, B> {
    own: Option<A>,
    private: Vec<(String, B)>,
}

impl<A: Fn(Show<'_>), B: Fn(Show<'_>)> Serialize for Whole<A, B> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(usize::from(self.own.is_some()) + self.private.len()))?;
        if let Some(own) = &self.own {
            map.serialize_entry(OWN, &Shown(own))?;
        }
        self.private.iter().try_for_each(|(name, show)| map.serialize_entry(name, &Shown(show)))?;
        map.end()
    }
}

/// What a function shows.
struct Shown<'a, F>(&'a F);

impl<F: Fn(Show<'_>)> Serialize for Shown<'_, F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (mut to, mut done) = (Some(to), None);
        self.0(&mut |value| {
            if let Some((value, to)) = value.zip(to.take()) {
                done = Some(value.serialize(to));
            }
        });
        done.unwrap_or_else(|| Err(serde::ser::Error::custom("its fields are unknown")))
    }
}
