//! The systems that run once a frame, whatever the number of steps: they draw, play sounds and move cameras.

use std::time::Duration;

use super::Engine;
use crate::error::{Error, SetupError, SystemError};
use crate::system::{
    Configure, Executor, Explanation, IntoSystems, Phase, SetSetup, System, SystemManager, SystemNode,
};
use crate::types::TypeRegistry;
use crate::world::World;

/// The systems of the presentation, with an order, timers and errors of their own. No snapshot, hash or save knows
/// them.
pub(super) struct Presenters {
    systems: SystemManager,
    executor: Executor,
    /// The orders of the simulation and of the presentation whose resources were checked last.
    checked: Option<(u64, u64)>,
}

impl Presenters {
    fn like(simulation: &Executor) -> Box<Self> {
        let mut executor = Executor::default();
        (executor.error_policy, executor.meters) = (simulation.error_policy, simulation.meters);
        Box::new(Self { systems: SystemManager::default(), executor, checked: None })
    }

    /// Types were registered, so the resources must be checked again.
    pub(super) fn check_again(&mut self) {
        self.checked = None;
    }

    /// A snapshot was restored: queries and parameters for changes see everything.
    pub(super) fn see_everything(&self) {
        self.systems.forget_resource_changes();
        let queries = self.systems.nodes.iter().flat_map(SystemNode::tracking_queries);
        queries.for_each(|query| query.set_last_run(0));
    }

    /// Checks that no resource that the presentation writes reaches the simulation, unless nothing changed since the
    /// last check.
    fn check_resources(
        &mut self,
        simulation: &SystemManager,
        world: &World,
        types: &TypeRegistry,
    ) -> Result<(), SetupError> {
        let orders = (simulation.orders, self.systems.orders);
        if self.checked == Some(orders) {
            return Ok(());
        }
        for node in &self.systems.nodes {
            for resource in node.all_accesses().flat_map(|access| &access.resource_writes) {
                let name = world.resources.name(*resource);
                let type_id = world.resources.type_of(*resource);
                let problem = if let Some(user) = simulation.user_of(*resource) {
                    format!("it writes resource {name}, which {user} of the simulation uses: only read it here")
                } else if types.resources.of(type_id).is_some() && !types.is_left_out(type_id) {
                    format!(
                        "it writes resource {name}, which is in snapshots and hashes: leave it out of them, or only read it"
                    )
                } else {
                    continue;
                };
                return Err(SetupError::Presents { system: node.name, problem });
            }
        }
        self.checked = Some(orders);
        Ok(())
    }
}

/// Checks that a system only looks at the simulation.
fn check(node: &SystemNode, world: &World) -> Result<(), SetupError> {
    let refuse = |problem: String| Err(SetupError::Presents { system: node.name, problem });
    if !node.listens.is_empty() || node.has_state_methods() {
        let problem = "it listens or has methods for states, which belong to a step: \
                       read events by a reader (engine.reader()), or let a system of the simulation note in a resource \
                       what they tell";
        return refuse(problem.to_owned());
    }
    for access in node.all_accesses() {
        if let Some(component) = access.writes.iter().next() {
            let name = world.components.name(component);
            return refuse(format!(
                "it writes component {name}: read it, and keep what is drawn in the system or in a resource"
            ));
        }
        if access.is_exclusive
            || access.commands
            || access.spawns
            || access.draws
            || access.changes_subscriptions
            || !access.sends.is_empty()
        {
            return refuse("it takes the whole world, commands, draws random numbers of the simulation or sends: only look at the simulation".to_owned());
        }
    }
    Ok(())
}

/// The systems of an engine that run once a frame; see [`Engine::presentation`].
pub struct Presentation<'e> {
    presenters: &'e mut Presenters,
    world: &'e mut World,
    types: &'e mut TypeRegistry,
}

impl Presentation<'_> {
    /// Adds systems and functions, which run once a frame, or less often by a timer. Timers count the time of frames.
    ///
    /// # Errors
    /// - As [`Engine::add`].
    /// - [`SetupError::Presents`] if it listens, sends, commands, draws by `Random`, writes to components or takes the
    ///   whole world.
    ///
    /// # Example
    /// See [`Engine::presentation`].
    #[allow(clippy::implied_bounds_in_impls)]
    pub fn add<M>(&mut self, systems: impl Configure<M> + IntoSystems<M>) -> Result<&mut Self, Error> {
        // The form is matched first, so that an error of the compiler names the parameter at fault.
        self.presenters.systems.add(systems.into_systems(), self.world, self.types, check)?;
        Ok(self)
    }

    /// Configures a set of the presentation, which has nothing to do with a set of the simulation of the same type.
    ///
    /// # Errors
    /// As [`Engine::configure_set`].
    pub fn configure_set<Set: 'static>(
        &mut self,
        declare: impl FnOnce(&mut SetSetup) -> &mut SetSetup,
    ) -> Result<&mut Self, Error> {
        self.presenters.systems.configure_set::<Set>(self.world, declare)?;
        Ok(self)
    }

    /// The state of a system of the presentation.
    ///
    /// # Example
    /// See [`Engine::presentation`].
    #[must_use]
    pub fn system<S: System>(&self) -> Option<&S> {
        self.presenters.systems.state()
    }

    /// The state of a system of the presentation, for changing it.
    #[must_use]
    pub fn system_mut<S: System>(&mut self) -> Option<&mut S> {
        self.presenters.systems.state_mut()
    }

    /// The systems in execution order, without those added since the last frame.
    #[must_use]
    pub fn systems(&self) -> &SystemManager {
        &self.presenters.systems
    }

    /// The errors that systems returned when they ran last.
    #[must_use]
    pub fn system_errors(&self) -> &[SystemError] {
        &self.presenters.executor.system_errors
    }

    /// The order of the systems with the reason for each place.
    ///
    /// # Errors
    /// As [`Engine::order`].
    pub fn explain(&mut self) -> Result<Explanation, Error> {
        self.presenters.systems.order_without_listeners()?;
        Ok(self.presenters.systems.explain(self.world))
    }
}

impl Engine {
    /// The systems that run once a frame, when [`Engine::advance`] has taken the steps: they draw, play sounds and move
    /// cameras.
    ///
    /// They look at the simulation between two steps and change nothing in it, so that the frame rate cannot be told
    /// from inside. They write only to their own state, and to resources that neither the simulation nor a snapshot
    /// uses. So they are in no snapshot, save or hash, and a replay without them is the same. They run on the calling
    /// thread, in an execution order of their own.
    ///
    /// Their [`Time`](crate::Time) is that of frames: [`Time::delta`](crate::Time::delta) is the time since the last
    /// one, and [`Time::overstep_fraction`](crate::Time::overstep_fraction) says where they are between two steps.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// struct Height { before_m: f32, now_m: f32 }
    ///
    /// fn rise(mut balloons: Query<&mut Height>) {
    ///     balloons.iter_mut().for_each(|height| *height = Height { before_m: height.now_m, now_m: height.now_m + 1.0 });
    /// }
    ///
    /// fn draw(time: Time, balloons: Query<&Height>, mut drawn_m: ResMut<Vec<f32>>) {
    ///     let between = |height: &Height| height.before_m + (height.now_m - height.before_m) * time.overstep_fraction();
    ///     drawn_m.extend(balloons.iter().map(between));
    /// }
    ///
    /// const MS: Duration = Duration::from_millis(1);
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Vec::<f32>::new());
    /// engine.spawn((Height { before_m: 0.0, now_m: 0.0 },));
    /// engine.add(rise)?;
    /// engine.presentation().add(draw)?;
    /// let mut clock = StepClock::new(10 * MS);
    /// for elapsed in [15 * MS, 2 * MS, 28 * MS] {
    ///     engine.advance(&mut clock, elapsed, |_| {})?;
    /// }
    /// assert_eq!(*engine.resource::<Vec<f32>>().unwrap(), [0.5, 0.7, 3.5]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn presentation(&mut self) -> Presentation<'_> {
        let presenters = self.presenters.get_or_insert_with(|| Presenters::like(&self.executor));
        Presentation { presenters, world: &mut self.world, types: &mut self.snapshots.types }
    }

    /// Runs the [presentation](Engine::presentation) once. [`Engine::advance`] calls it; a program that takes its steps
    /// itself calls it after them, with the time since the last call.
    ///
    /// # Errors
    /// - [`SetupError::Presents`] if it writes to a resource that the simulation or a snapshot uses: nothing ran.
    /// - [`SetupError`] and [`Error::MissingResource`] as [`Engine::update`].
    /// - [`Error::System`] with the first error that a system returned, if the policy is
    ///   [`ErrorPolicy::Stop`](crate::system::ErrorPolicy::Stop).
    ///
    /// # Panics
    /// If a system does: when the others have run.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0.0_f32);
    /// engine.presentation().add(|time: Time, mut shown: ResMut<f32>| *shown = time.overstep_fraction())?;
    /// engine.update(Duration::from_millis(10))?; // A step presents nothing.
    /// engine.present(Duration::from_millis(12), 0.2)?;
    /// assert_eq!(*engine.resource::<f32>().unwrap(), 0.2);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn present(&mut self, elapsed: Duration, overstep_fraction: f32) -> Result<(), Error> {
        let Self { world, systems: simulation, presenters: Some(presenters), snapshots, .. } = self else {
            return Ok(());
        };
        simulation.order(world)?;
        presenters.systems.order_without_listeners()?;
        presenters.check_resources(simulation, world, &snapshots.types)?;
        let Presenters { systems, executor, .. } = &mut **presenters;
        systems.check_resources(world)?;
        executor.clear_errors();
        executor.begin_frame(elapsed, executor.meters.start());
        executor.time.overstep_fraction = overstep_fraction;
        let conditions = executor.check_conditions(systems, world);
        let ticked = systems.tick(elapsed);
        Phase::ALL.into_iter().for_each(|phase| executor.run_phase(phase, systems, world));
        // Notes the errors that methods returned; there are no other commands.
        executor.apply_commands(systems, world, &snapshots.types);
        executor.end_frame();
        conditions?;
        ticked?;
        executor.stop_at_error()
    }
}
