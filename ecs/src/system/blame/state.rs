//! [`StateReaders`]: how the states of systems are shown as values.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::ids::FunctionKey;
use crate::system::SystemManager;
use crate::system::node::SystemNode;
use crate::type_map::TypeMap;
use crate::types::{Show, ShowState, TypeRegistry};

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

    pub(crate) fn find(self, systems: &SystemManager) -> Option<&SystemNode> {
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
    /// None has run.
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
/// The state of a system is the system itself, and the `Local` parameters of its methods by the names of their types.
#[derive(Default)]
pub(crate) struct StateReaders {
    systems: TypeMap<(Arc<str>, Option<ShowState>)>,
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
                .map(|entry| (entry.type_id, (entry.name.clone(), entry.what.shower(entry.codec.as_deref()))))
                .collect(),
            locals: types
                .locals
                .by_name()
                .filter_map(|entry| Some((entry.type_id, (entry.name.clone(), entry.what.shower(None)?))))
                .collect(),
        }
    }

    /// The names of a system: that of its registered type, and the one in Rust.
    pub(crate) fn names<'a>(&'a self, node: &SystemNode) -> impl Iterator<Item = &'a str> + use<'a> {
        let registered = self.systems.get(&node.system).map(|(name, _)| &**name);
        registered.into_iter().chain([node.name])
    }

    /// The first system with one of these names whose state can be shown.
    pub(crate) fn find<'s>(&self, name: &str, systems: &'s SystemManager) -> Option<&'s SystemNode> {
        systems.nodes.iter().find(|node| self.names(node).any(|own| own == name) && self.is_known(node))
    }

    /// Whether a system has a state that can be shown.
    pub(crate) fn is_known(&self, node: &SystemNode) -> bool {
        self.show(node, &mut |_| {})
    }

    /// Shows the state of a system; returns whether it has one.
    pub(crate) fn show(&self, node: &SystemNode, to: Show<'_>) -> bool {
        let known = self.systems.get(&node.system).and_then(|(_, show)| show.as_ref());
        let own = known.map(|show| move |to: Show<'_>| show(node.work.system().state(), to));
        let private = self.private(node);
        match own {
            Some(own) if private.is_empty() => own(to),
            None if private.is_empty() => return false,
            own => to(Some(&Whole { own, private })),
        }
        true
    }

    /// The `Local` parameters of its methods, each with its name.
    fn private<'a>(&'a self, node: &'a SystemNode) -> Vec<(String, impl Fn(Show<'_>) + use<'a>)> {
        let mut names: Vec<&str> = Vec::new();
        let locals = node.all_accesses().flat_map(|access| &access.locals);
        locals
            .filter_map(|local| {
                let (name, show) = self.locals.get(&local.value_type())?;
                let earlier = names.iter().filter(|known| **known == &**name).count();
                names.push(name);
                let name = if earlier == 0 { name.to_string() } else { format!("{name} {}", earlier + 1) };
                Some((name, move |to: Show<'_>| local.look(&mut |value| show(value, to))))
            })
            .collect()
    }
}

/// A system with private state, as a map.
struct Whole<A, B> {
    own: Option<A>,
    private: Vec<(String, B)>,
}

impl<A: Fn(Show<'_>), B: Fn(Show<'_>)> Serialize for Whole<A, B> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        if let Some(own) = &self.own {
            map.serialize_entry("state", &Shown(own))?;
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
