//! Sets of systems: named groups with an order, conditions and sets around them.

use std::any::TypeId;
use std::sync::Arc;

use super::condition::{Check, Condition, RunIf};
use super::node::Dependency;
use super::{IntoSystems, SetupError};
use crate::resources::LastAsked;
use crate::type_map::TypeMap;
use crate::world::World;

/// Takes the declarations of a set; see [`Engine::configure_set`](crate::Engine::configure_set).
///
/// A set is named by a type, usually a unit struct. Functions and systems join it by
/// [`Configure::in_set`](super::Configure::in_set), or systems by [`Setup::in_set`](crate::Setup::in_set).
pub struct SetSetup {
    node: SetNode,
}

impl SetSetup {
    /// Runs all systems of the set after `others`: functions by their names.
    pub fn after<M>(&mut self, others: impl IntoSystems<M>) -> &mut Self {
        self.node.after.extend(others.into_systems().labels());
        self
    }

    /// Runs all systems of the set before `others`: functions by their names.
    pub fn before<M>(&mut self, others: impl IntoSystems<M>) -> &mut Self {
        self.node.before.extend(others.into_systems().labels());
        self
    }

    /// Runs all systems of the set after `Other`, which is a system or a set.
    pub fn after_type<Other: 'static>(&mut self) -> &mut Self {
        self.node.after.push(Dependency::of::<Other>());
        self
    }

    /// Runs all systems of the set before `Other`, which is a system or a set.
    pub fn before_type<Other: 'static>(&mut self) -> &mut Self {
        self.node.before.push(Dependency::of::<Other>());
        self
    }

    /// Puts the set into the set `Outer`: its systems are systems of `Outer`, too.
    pub fn in_set<Outer: 'static>(&mut self) -> &mut Self {
        self.node.within.push(Dependency::of::<Outer>());
        self
    }

    /// Runs the systems of the set only in frames in which `condition` holds; it is checked once for all of them. Of
    /// several conditions, all must hold. Otherwise as [`Setup::run_if`](crate::Setup::run_if).
    pub fn run_if<M: 'static>(&mut self, condition: impl Condition<M>) -> &mut Self {
        self.node.conditions.push(RunIf::new(condition));
        self
    }

    /// Disables the systems that are in the set when the systems are ordered next, and each one that joins it later.
    /// [`Engine::enable_set`](crate::Engine::enable_set) enables them.
    pub fn disabled(&mut self) -> &mut Self {
        self.node.begins_disabled = true;
        self
    }
}

/// A set of systems.
pub(crate) struct SetNode {
    pub(crate) name: &'static str,
    pub(super) label: TypeId,
    /// The sets that contain it.
    pub(super) within: Vec<Dependency>,
    pub(super) after: Vec<Dependency>,
    pub(super) before: Vec<Dependency>,
    pub(super) conditions: Vec<RunIf>,
    pub(super) checks: Vec<Box<dyn Check>>,
    /// New members are disabled.
    pub(super) begins_disabled: bool,
    /// Whether its conditions and those of all sets around it hold in this frame.
    pub(super) holds: bool,
    /// The places of the sets around it, direct and indirect, valid while the systems are ordered.
    pub(super) around: Vec<usize>,
}

impl SetNode {
    fn new(label: Dependency) -> Self {
        Self {
            name: label.name,
            label: label.system,
            within: Vec::new(),
            after: Vec::new(),
            before: Vec::new(),
            conditions: Vec::new(),
            checks: Vec::new(),
            begins_disabled: false,
            holds: true,
            around: Vec::new(),
        }
    }
}

/// All sets of an engine, in the order in which they were first named as sets.
#[derive(Default)]
pub(crate) struct Sets {
    pub(super) nodes: Vec<SetNode>,
    /// Indices in `nodes`.
    by_label: TypeMap<usize>,
}

impl Sets {
    pub(super) fn find(&self, label: TypeId) -> Option<usize> {
        self.by_label.get(&label).copied()
    }

    /// The place of a set, which is added if it is new.
    pub(super) fn meet(&mut self, label: Dependency) -> usize {
        self.find(label.system).unwrap_or_else(|| {
            self.by_label.insert(label.system, self.nodes.len());
            self.nodes.push(SetNode::new(label));
            self.nodes.len() - 1
        })
    }

    /// # Errors
    /// [`SetupError::Condition`]; the set is then unchanged.
    pub(crate) fn configure<Label: 'static>(
        &mut self,
        world: &mut World,
        declare: impl FnOnce(&mut SetSetup) -> &mut SetSetup,
    ) -> Result<(), SetupError> {
        let label = Dependency::of::<Label>();
        let mut setup = SetSetup { node: SetNode::new(label) };
        declare(&mut setup);
        let SetSetup { node: new } = setup;
        let mut checks = Vec::with_capacity(new.conditions.len());
        for condition in &new.conditions {
            let check = condition.prepare(world, label.name)?;
            if let Some(local) = check.locals().first() {
                let problem = format!(
                    "it has private state, Local<{}>, which belongs to one function or system: let it read a resource",
                    local.name()
                );
                return Err(condition.refused(label.name, problem));
            }
            checks.push(check);
        }
        new.within.iter().for_each(|outer| _ = self.meet(*outer));
        let place = self.meet(label);
        let set = &mut self.nodes[place];
        set.within.extend(new.within);
        set.after.extend(new.after);
        set.before.extend(new.before);
        set.conditions.extend(new.conditions);
        set.checks.extend(checks);
        set.begins_disabled |= new.begins_disabled;
        Ok(())
    }

    /// The type and the name of each set whose conditions read resources, and what they know of these, in a fixed
    /// order.
    pub(crate) fn last_asked(
        &self,
    ) -> impl Iterator<Item = (TypeId, &'static str, impl Iterator<Item = &Arc<LastAsked>>)> {
        let asking = self.nodes.iter().filter(|set| set.checks.iter().any(|check| !check.last_asked().is_empty()));
        asking.map(|set| (set.label, set.name, set.checks.iter().flat_map(|check| check.last_asked())))
    }

    /// The places of these sets and of all sets around them, each once.
    pub(super) fn closure(&self, labels: &[Dependency]) -> Vec<usize> {
        let mut all: Vec<usize> = Vec::new();
        let mut left: Vec<Dependency> = labels.iter().rev().copied().collect();
        while let Some(label) = left.pop() {
            let Some(place) = self.find(label.system).filter(|place| !all.contains(place)) else { continue };
            all.push(place);
            left.extend(self.nodes[place].within.iter().rev());
        }
        all
    }
}
