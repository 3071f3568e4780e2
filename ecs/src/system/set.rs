//! Sets of systems: named groups with an order, conditions and sets around them.

use std::any::TypeId;
use std::time::Duration;

use super::SetupError;
use super::condition::{Check, Condition, RunIf};
use super::fixed_step::{Backlog, Steps};
use super::node::Dependency;
use crate::type_map::TypeMap;
use crate::types::TypeRegistry;
use crate::world::World;

/// Takes the declarations of a set; see [`Engine::configure_set`](crate::Engine::configure_set).
///
/// A set is named by a type, usually a unit struct. Systems join it by [`Setup::in_set`](crate::Setup::in_set), functions by
/// [`Timing::in_set`](super::Timing::in_set).
pub struct SetSetup {
    node: SetNode,
    step: Option<Duration>,
    most_steps: Option<(u32, Backlog)>,
}

impl SetSetup {
    /// Runs all systems of the set after `Other`, which is a system or a set.
    pub fn after<Other: 'static>(&mut self) -> &mut Self {
        self.node.after.push(Dependency::of::<Other>());
        self
    }

    /// Runs all systems of the set before `Other`, which is a system or a set.
    pub fn before<Other: 'static>(&mut self) -> &mut Self {
        self.node.before.push(Dependency::of::<Other>());
        self
    }

    /// Puts the set into the set `Outer`: its systems are systems of `Outer`, too.
    pub fn in_set<Outer: 'static>(&mut self) -> &mut Self {
        self.node.within.push(Dependency::of::<Outer>());
        self
    }

    /// Runs the systems of the set only in frames in which `condition` holds; it is checked once for all of them. Of several
    /// conditions, all must hold. Otherwise as [`Setup::run_if`](crate::Setup::run_if).
    pub fn run_if<M: 'static>(&mut self, condition: impl Condition<M>) -> &mut Self {
        self.node.conditions.push(RunIf::new(condition));
        self
    }

    /// Runs the systems of the set in fixed steps: in each frame as often as whole steps fit into the time, with
    /// [`Time::delta`](crate::Time::delta) the length of a step. The rest of the time waits for the next frame, so nothing drifts.
    ///
    /// The systems run as a block, one step after the other: with steps of 10 ms, a frame of 30 ms runs *move, hit, move, hit, move,
    /// hit*. In the execution order the systems of a set with a fixed step follow each other, with the highest priority among them. Each
    /// phase repeats its methods. Events are delivered in step 5 of the frame, and commands applied in step 6, as always.
    ///
    /// While the conditions of the set do not hold, its clock stands still. [`FixedStep`](super::FixedStep) is the clock: a resource
    /// with the rest of the time. If a system panics, the frame runs no more steps of the set in this phase.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    /// use ecs::system::{FixedStep, Timing};
    ///
    /// struct Physics;
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Vec::<&str>::new());
    /// engine.configure_set::<Physics>(|set| set.fixed_step(Duration::from_millis(10)))?;
    /// let member = || Timing::every(Duration::ZERO).in_set::<Physics>();
    /// engine.add_function(member(), |mut log: ResMut<Vec<&str>>| log.push("move"))?;
    /// engine.add_function(member(), |mut log: ResMut<Vec<&str>>| log.push("hit"))?;
    /// engine.update(Duration::from_millis(35))?;
    /// assert_eq!(*engine.resource::<Vec<&str>>().unwrap(), ["move", "hit", "move", "hit", "move", "hit"]);
    /// assert_eq!(engine.resource::<FixedStep<Physics>>().unwrap().overstep_fraction(), 0.5);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn fixed_step(&mut self, step: Duration) -> &mut Self {
        self.step = Some(step);
        self
    }

    /// The most steps that a set with a [fixed step](SetSetup::fixed_step) makes in one frame, so that a long frame does not make
    /// the next one longer. `backlog` says what happens to the steps above. Without this call there is no limit.
    pub fn most_steps(&mut self, most: u32, backlog: Backlog) -> &mut Self {
        self.most_steps = Some((most, backlog));
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
    pub(super) steps: Option<Steps>,
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
            steps: None,
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

    /// The set whose clock this is a copy of, and the steps that are due in the next frame.
    #[cfg(feature = "serde")]
    pub(crate) fn steps_in_copy(&self, resource: &dyn std::any::Any) -> Option<(&'static str, u64)> {
        self.nodes.iter().find_map(|set| Some((set.name, set.steps.as_ref()?.due_in_copy(resource)?)))
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
    /// [`SetupError::Condition`], [`SetupError::Set`] and [`SetupError::Types`]; the set is then unchanged.
    pub(crate) fn configure<Label: 'static>(
        &mut self,
        world: &mut World,
        types: &mut TypeRegistry,
        declare: impl FnOnce(&mut SetSetup) -> &mut SetSetup,
    ) -> Result<(), SetupError> {
        let label = Dependency::of::<Label>();
        let mut setup = SetSetup { node: SetNode::new(label), step: None, most_steps: None };
        declare(&mut setup);
        let SetSetup { node: new, step, most_steps } = setup;
        let checks = new.conditions.iter().map(|condition| condition.prepare(world)).collect::<Result<Vec<_>, _>>();
        let checks = checks.map_err(|problem| SetupError::Condition { system: label.name, problem })?;
        let known = self.find(label.system).and_then(|place| self.nodes[place].steps.as_ref());
        let step = step.or(known.map(|steps| steps.step));
        let most = most_steps.or(known.and_then(|steps| steps.most));
        let refuse = |problem: &str| Err(SetupError::Set { set: label.name, problem: problem.to_owned() });
        let steps = match step {
            Some(Duration::ZERO) => return refuse("its step is zero: give it a length"),
            None if most.is_some() => return refuse("it has a limit of steps, but no step: call `fixed_step` first"),
            step => step.map(|step| Steps::of::<Label>(step, most)),
        };
        if let Some(steps) = &steps {
            let named = types.add_fixed_step::<Label>();
            named.map_err(|error| SetupError::Types { system: label.name, error })?;
            steps.prepare(world);
        }
        new.within.iter().for_each(|outer| _ = self.meet(*outer));
        let place = self.meet(label);
        let set = &mut self.nodes[place];
        set.within.extend(new.within);
        set.after.extend(new.after);
        set.before.extend(new.before);
        set.conditions.extend(new.conditions);
        set.checks.extend(checks);
        set.steps = steps;
        set.begins_disabled |= new.begins_disabled;
        Ok(())
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
