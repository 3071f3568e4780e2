//! The module of Python: classes around batches and worlds, and functions. Arrays are those of NumPy, written in place.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bounty_hunter::ai::learned::{
    DRIVES, GOALS, OBSERVATION_LENGTH, OBSERVATION_VERSION, TURNS, goal_names, observation_fields,
};
use bounty_hunter::spell::Spell;
use bounty_hunter::view::Ending;
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyList, PyTuple};

use crate::batch::{Actions, Autoreset, Buffers, Finished, choices};
use crate::{ENDINGS, MatchConfig, MatchRecord, Options, check_size, draw, play_matches};

/// A flat array of NumPy.
type Array<'py, T> = Bound<'py, PyArray1<T>>;

fn refused(sentence: String) -> PyErr {
    PyValueError::new_err(sentence)
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

fn config_of(py: Python<'_>, options: &str) -> PyResult<MatchConfig> {
    py.detach(|| Options::from_json(options).and_then(|options| MatchConfig::new(&options))).map_err(refused)
}

/// Flat arrays of actions: whole numbers, or numbers.
enum ActionArray<'py> {
    Discrete(PyReadonlyArray1<'py, i32>),
    Continuous(PyReadonlyArray1<'py, f32>),
}

impl<'py> ActionArray<'py> {
    /// Casts first: an extraction that fails puts its reason into words, which takes as long as a step.
    fn new(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        match array.cast::<PyArray1<i32>>() {
            Ok(indices) => Ok(Self::Discrete(indices.try_readonly()?)),
            Err(_) => Ok(Self::Continuous(array.extract()?)),
        }
    }

    fn actions(&self, are_goals: bool) -> PyResult<Actions<'_>> {
        Ok(match self {
            Self::Discrete(indices) if are_goals => Actions::Goals(indices.as_slice()?),
            Self::Discrete(indices) => Actions::Discrete(indices.as_slice()?),
            Self::Continuous(numbers) => Actions::Continuous(numbers.as_slice()?),
        })
    }
}

/// Many worlds that are stepped together; see `batch.rs`.
#[pyclass(weakref)]
struct Batch(Mutex<crate::Batch>);

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (options, worlds, threads, seed, autoreset, max_decisions))]
    fn new(
        py: Python<'_>,
        options: &str,
        worlds: usize,
        threads: usize,
        seed: u64,
        autoreset: &str,
        max_decisions: Option<u64>,
    ) -> PyResult<Self> {
        let autoreset = match autoreset {
            "NextStep" => Autoreset::NextStep,
            "SameStep" => Autoreset::SameStep,
            "Disabled" => Autoreset::Disabled,
            _ => return Err(refused(format!("there is no autoreset mode {autoreset:?}"))),
        };
        let config = config_of(py, options)?;
        let begin = || crate::Batch::new(config, worlds, threads, seed, autoreset, max_decisions);
        Ok(Self(Mutex::new(py.detach(begin).map_err(refused)?)))
    }

    #[getter]
    fn rows(&self) -> usize {
        locked(&self.0).rows()
    }

    #[getter]
    fn agents(&self) -> usize {
        locked(&self.0).config().agents
    }

    #[getter]
    fn choices(&self) -> usize {
        locked(&self.0).choices()
    }

    #[getter]
    fn frame_skip(&self) -> u32 {
        locked(&self.0).config().frame_skip
    }

    #[getter]
    fn steps_per_second(&self) -> u32 {
        locked(&self.0).config().assets.game.steps_per_second
    }

    /// Time that passed in the simulation, added up over all worlds, seconds.
    #[getter]
    fn simulation_wall_seconds(&self) -> f64 {
        locked(&self.0).simulation_wall().as_secs_f64()
    }

    fn reset(
        &self,
        py: Python<'_>,
        seeds: Vec<Option<u64>>,
        are_reset: Vec<bool>,
        mut observations: PyReadwriteArray1<'_, f32>,
    ) -> PyResult<()> {
        let observations = observations.as_slice_mut()?;
        py.detach(|| locked(&self.0).reset(&seeds, &are_reset, observations)).map_err(refused)
    }

    /// For each row: the seed, the steps, and the content of the stash.
    fn rows_about<'py>(&self, py: Python<'py>) -> (Array<'py, u64>, Array<'py, i64>, Array<'py, f32>) {
        let (seeds, steps, stashes) = locked(&self.0).rows_about();
        (PyArray1::from_vec(py, seeds), PyArray1::from_vec(py, steps), PyArray1::from_vec(py, stashes))
    }

    fn observe(&self, py: Python<'_>, mut observations: PyReadwriteArray1<'_, f32>) -> PyResult<()> {
        let observations = observations.as_slice_mut()?;
        py.detach(|| locked(&self.0).observe(observations)).map_err(refused)
    }

    #[allow(clippy::too_many_arguments)]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'_, PyAny>,
        are_goals: bool,
        mut observations: PyReadwriteArray1<'_, f32>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
        mut final_observations: PyReadwriteArray1<'_, f32>,
    ) -> PyResult<Bound<'py, PyList>> {
        let actions = ActionArray::new(actions)?;
        let actions = actions.actions(are_goals)?;
        let buffers = Buffers {
            observations: observations.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            truncated: truncated.as_slice_mut()?,
            final_observations: final_observations.as_slice_mut()?,
        };
        let finished = py.detach(|| locked(&self.0).step(actions, buffers)).map_err(refused)?;
        let items: Vec<Bound<'py, PyDict>> =
            finished.into_iter().map(|finished| dict_of_finished(py, finished)).collect::<PyResult<_>>()?;
        PyList::new(py, items)
    }

    fn state_hash(&self, py: Python<'_>, world: usize) -> PyResult<u64> {
        self.with_world(py, world, |world| Ok(world.state_hash()))
    }

    fn seed(&self, py: Python<'_>, world: usize) -> PyResult<u64> {
        self.with_world(py, world, |world| Ok(world.seed()))
    }

    fn clone_state(&self, py: Python<'_>, world: usize) -> PyResult<State> {
        self.with_world(py, world, |world| world.snapshot().map(|state| State(Mutex::new(state))))
    }

    fn restore_state(&self, py: Python<'_>, world: usize, state: &State) -> PyResult<()> {
        self.with_world(py, world, |world| world.restore(&locked(&state.0)))
    }

    fn draw<'py>(&self, py: Python<'py>, world: usize, size: i64) -> PyResult<Array<'py, u8>> {
        let size = check_size(size).map_err(refused)?;
        let pixels = self.with_world(py, world, |world| Ok(draw(&world.simulation().view(), size)))?;
        Ok(PyArray1::from_vec(py, pixels))
    }
}

impl Batch {
    /// Releases the interpreter's lock while it works, as all methods that take long do.
    fn with_world<T: Send>(
        &self,
        py: Python<'_>,
        index: usize,
        work: impl FnOnce(&mut crate::World) -> Result<T, String> + Send,
    ) -> PyResult<T> {
        let work = || {
            let mut batch = locked(&self.0);
            let worlds = batch.worlds().len();
            let world = batch.world_mut(index).ok_or_else(|| format!("there is no world {index}, there are {worlds}"));
            world.and_then(work)
        };
        py.detach(work).map_err(refused)
    }
}

/// A copy of a world; see `World::snapshot` in `world.rs`.
#[pyclass(weakref)]
struct State(Mutex<crate::WorldState>);

/// One match with its agents; see `world.rs`.
#[pyclass(weakref)]
struct World {
    config: Arc<MatchConfig>,
    is_recorded: bool,
    /// `None` before the first reset.
    world: Mutex<Option<crate::World>>,
}

#[pymethods]
impl World {
    /// Refuses options of which no match can be made; a match begins with `reset`.
    #[new]
    fn new(py: Python<'_>, options: &str, is_recorded: bool) -> PyResult<Self> {
        let config = config_of(py, options)?;
        if config.agents == 0 {
            return Err(refused("agents is 0, must be at least 1".to_owned()));
        }
        py.detach(|| crate::World::check(&config, is_recorded)).map_err(refused)?;
        Ok(Self { config: Arc::new(config), is_recorded, world: Mutex::new(None) })
    }

    #[getter]
    fn agents(&self) -> usize {
        self.config.agents
    }

    #[getter]
    fn choices(&self) -> usize {
        choices(self.has_spells())
    }

    #[getter]
    fn frame_skip(&self) -> u32 {
        self.config.frame_skip
    }

    #[getter]
    fn steps_per_second(&self) -> u32 {
        self.config.assets.game.steps_per_second
    }

    #[getter]
    fn seed(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |world| Ok(world.seed()))
    }

    /// Steps of the simulation in which agents could act.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |world| Ok(world.steps()))
    }

    /// Decisions taken in this match.
    #[getter]
    fn decisions(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |world| Ok(world.decisions()))
    }

    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        let begin = || {
            let mut world = locked(&self.world);
            match &mut *world {
                Some(world) => world.reset(seed),
                None => crate::World::new(&self.config, seed, self.is_recorded).map(|begun| *world = Some(begun)),
            }
        };
        py.detach(begin).map_err(refused)
    }

    fn observe(&self, py: Python<'_>, mut observations: PyReadwriteArray1<'_, f32>) -> PyResult<()> {
        let observations = observations.as_slice_mut()?;
        check_room(observations.len(), self.config.agents * OBSERVATION_LENGTH)?;
        self.with(py, |world| {
            world.observe(observations);
            Ok(())
        })
    }

    /// Copies the actions of a dictionary that are arrays, or whole numbers, in the space of their agent into its row
    /// of `indices` or `numbers`. Returns the agents whose action is anything else.
    fn gather<'py>(
        &self,
        actions: &Bound<'py, PyDict>,
        seats: &Bound<'py, PyDict>,
        are_goals: bool,
        into: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut into = ActionRows::new(into)?;
        let limits = [DRIVES.len(), TURNS.len(), Spell::COUNT + 1].map(|limit| limit as i64);
        let limits = &limits[..choices(self.has_spells())];
        let mut others = Vec::new();
        for (agent, action) in actions.iter() {
            let is_taken = match seats.get_item(&agent)? {
                Some(seat) => into.take(&action, seat.extract()?, are_goals, limits)?,
                None => false,
            };
            if !is_taken {
                others.push(agent);
            }
        }
        Ok(others)
    }

    /// Returns whether the match is over.
    fn step(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        are_goals: bool,
        mut observations: PyReadwriteArray1<'_, f32>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut terminated: PyReadwriteArray1<'_, bool>,
    ) -> PyResult<bool> {
        let agents = self.config.agents;
        let orders =
            ActionArray::new(actions)?.actions(are_goals)?.decode(agents, self.has_spells()).map_err(refused)?;
        let (observations, rewards) = (observations.as_slice_mut()?, rewards.as_slice_mut()?);
        let terminated = terminated.as_slice_mut()?;
        check_room(observations.len(), agents * OBSERVATION_LENGTH)?;
        check_room(rewards.len(), agents)?;
        check_room(terminated.len(), agents)?;
        self.with(py, |world| {
            let is_over = orders.step(world, 0..agents, rewards);
            world.observe(observations);
            world.write_terminated(terminated);
            Ok(is_over)
        })
    }

    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |world| Ok(world.state_hash()))
    }

    fn clone_state(&self, py: Python<'_>) -> PyResult<State> {
        self.with(py, |world| world.snapshot().map(|state| State(Mutex::new(state))))
    }

    fn restore_state(&self, py: Python<'_>, state: &State) -> PyResult<()> {
        self.with(py, |world| world.restore(&locked(&state.0)))
    }

    fn draw<'py>(&self, py: Python<'py>, size: i64) -> PyResult<Array<'py, u8>> {
        let size = check_size(size).map_err(refused)?;
        let pixels = self.with(py, |world| Ok(draw(&world.simulation().view(), size)))?;
        Ok(PyArray1::from_vec(py, pixels))
    }

    /// Points in the stash of each player.
    fn stashes<'py>(&self, py: Python<'py>) -> PyResult<Array<'py, f32>> {
        Ok(PyArray1::from_vec(py, self.with(py, |world| Ok(world.simulation().stashes()))?))
    }

    /// The winner's seat and why the match ended; `None` before its end.
    fn result(&self, py: Python<'_>) -> PyResult<Option<(Option<u32>, &'static str)>> {
        self.with(py, |world| Ok(world.result().map(|result| (result.winner, result.ending.name()))))
    }

    /// The content of a replay file; `None` if the world is not recorded.
    fn replay<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = self.with(py, |world| Ok(world.replay()))?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }
}

impl World {
    fn has_spells(&self) -> bool {
        self.config.assets.game.rules.spells.is_some()
    }

    /// Releases the interpreter's lock while it works.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut crate::World) -> Result<T, String> + Send,
    ) -> PyResult<T> {
        let outcome = py.detach(|| locked(&self.world).as_mut().map(work));
        let outcome = outcome.ok_or_else(|| PyRuntimeError::new_err("no match has begun: call reset first"))?;
        outcome.map_err(refused)
    }
}

/// Where the actions of all agents are gathered, a row for each seat.
enum ActionRows<'py> {
    Indices(PyReadwriteArray1<'py, i32>),
    Numbers(PyReadwriteArray1<'py, f32>),
}

impl<'py> ActionRows<'py> {
    /// Casts first, as [`ActionArray::new`].
    fn new(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        match array.cast::<PyArray1<i32>>() {
            Ok(indices) => Ok(Self::Indices(indices.try_readwrite()?)),
            Err(_) => Ok(Self::Numbers(array.extract()?)),
        }
    }

    /// Copies an action into the row of a seat, and returns whether it is one of this kind in its space.
    fn take(&mut self, action: &Bound<'_, PyAny>, seat: usize, are_goals: bool, limits: &[i64]) -> PyResult<bool> {
        let width = if are_goals { 1 } else { limits.len() };
        Ok(match self {
            Self::Indices(rows) => {
                let row = rows.as_slice_mut()?.get_mut(seat * width..(seat + 1) * width);
                let Some(row) = row else { return Ok(false) };
                if are_goals {
                    let goal = if action.is_instance_of::<PyBool>() { None } else { action.extract::<i64>().ok() };
                    let goal = goal.filter(|goal| (0..GOALS as i64).contains(goal));
                    goal.map(|goal| row[0] = goal as i32).is_some()
                } else {
                    copy_numbers::<i64, i32>(action, row, |number, place| {
                        (0..limits[place]).contains(&number).then_some(number as i32)
                    }) || copy_numbers::<i32, i32>(action, row, |number, place| {
                        (0..limits[place]).contains(&i64::from(number)).then_some(number)
                    })
                }
            }
            Self::Numbers(rows) => {
                let Some(row) = rows.as_slice_mut()?.get_mut(2 * seat..2 * seat + 2) else { return Ok(false) };
                let in_range = |number: f32, _: usize| (-1.0..=1.0).contains(&number).then_some(number);
                copy_numbers::<f32, f32>(action, row, in_range)
                    || copy_numbers::<f64, f32>(action, row, |number, place| in_range(number as f32, place))
            }
        })
    }
}

/// Copies an array of this type, and returns whether it is one, has the right length, and all its numbers are accepted.
fn copy_numbers<T: Element + Copy, R>(
    action: &Bound<'_, PyAny>,
    row: &mut [R],
    accepted: impl Fn(T, usize) -> Option<R>,
) -> bool {
    let Ok(array) = action.cast::<PyArray1<T>>() else { return false };
    array.len() == row.len()
        && row.iter_mut().enumerate().all(|(place, to)| {
            let number = array.get_owned(place).and_then(|number| accepted(number, place));
            number.map(|number| *to = number).is_some()
        })
}

fn check_room(length: usize, expected: usize) -> PyResult<()> {
    match length == expected {
        true => Ok(()),
        false => Err(refused(format!("an array has {length} numbers, must have {expected}"))),
    }
}

fn dict_of_finished(py: Python<'_>, finished: Finished) -> PyResult<Bound<'_, PyDict>> {
    let Finished { world, seed, winner, ending, stashes, steps } = finished;
    let dict = PyDict::new(py);
    dict.set_item("world", world)?;
    dict.set_item("seed", seed)?;
    dict.set_item("winner", winner)?;
    dict.set_item("ending", ending)?;
    dict.set_item("stashes", stashes)?;
    dict.set_item("steps", steps)?;
    Ok(dict)
}

fn dict_of_record(py: Python<'_>, record: MatchRecord) -> PyResult<Bound<'_, PyDict>> {
    let MatchRecord { seed, ticks, seconds, ending, winner, ais, stashes, deaths, lead_changes, death_places, hash } =
        record;
    let dict = PyDict::new(py);
    dict.set_item("seed", seed)?;
    dict.set_item("ticks", ticks)?;
    dict.set_item("seconds", seconds)?;
    dict.set_item("ending", ending)?;
    dict.set_item("winner", winner)?;
    dict.set_item("ais", ais)?;
    dict.set_item("stashes", stashes)?;
    dict.set_item("deaths", deaths)?;
    dict.set_item("lead_changes", lead_changes)?;
    dict.set_item("death_places", death_places)?;
    dict.set_item("hash", format!("{hash:016x}"))?;
    Ok(dict)
}

/// Plays whole matches of AIs; see `matches.rs`.
#[pyfunction]
fn play<'py>(
    py: Python<'py>,
    options: &str,
    seeds: Vec<u64>,
    threads: usize,
    with_places: bool,
) -> PyResult<Bound<'py, PyList>> {
    let config = config_of(py, options)?;
    // Only this thread may look for signals, such as Ctrl+C.
    let interrupted = Mutex::new(None);
    let go_on = || match Python::attach(|py| py.check_signals()) {
        Ok(()) => true,
        Err(error) => {
            *locked(&interrupted) = Some(error);
            false
        }
    };
    let records = py.detach(|| play_matches(&config, &seeds, threads, with_places, go_on)).map_err(refused)?;
    if let Some(error) = interrupted.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let items: Vec<Bound<'py, PyDict>> =
        records.into_iter().map(|record| dict_of_record(py, record)).collect::<PyResult<_>>()?;
    PyList::new(py, items)
}

/// The level and the size of its world, the number of players and of steps per second of a match, and whether it has
/// spells.
#[pyfunction]
fn describe<'py>(py: Python<'py>, options: &str) -> PyResult<Bound<'py, PyDict>> {
    let config = config_of(py, options)?;
    let dict = PyDict::new(py);
    let level = &config.assets.game.level;
    dict.set_item("level", level)?;
    dict.set_item("world_half_extent_m", config.assets.levels[level].world_half_extent_m)?;
    dict.set_item("players", config.seats.len())?;
    dict.set_item("agents", config.agents)?;
    dict.set_item("steps_per_second", config.assets.game.steps_per_second)?;
    dict.set_item("has_spells", config.assets.game.rules.spells.is_some())?;
    dict.set_item("modes", config.assets.modes.keys().collect::<Vec<_>>())?;
    dict.set_item("levels", config.assets.levels.keys().collect::<Vec<_>>())?;
    dict.set_item("ais", config.assets.ai_names().collect::<Vec<_>>())?;
    Ok(dict)
}

/// The extension module `bounty_hunter._core`.
#[pymodule]
#[pyo3(name = "_core")]
fn core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Batch>()?;
    module.add_class::<World>()?;
    module.add_class::<State>()?;
    module.add_function(wrap_pyfunction!(play, module)?)?;
    module.add_function(wrap_pyfunction!(describe, module)?)?;
    module.add("OBSERVATION_LENGTH", OBSERVATION_LENGTH)?;
    module.add("OBSERVATION_VERSION", OBSERVATION_VERSION)?;
    module.add("OBSERVATION_FIELDS", PyTuple::new(module.py(), observation_fields())?)?;
    module.add("DRIVES", PyTuple::new(module.py(), DRIVES)?)?;
    module.add("GOALS", GOALS)?;
    module.add("GOAL_NAMES", PyTuple::new(module.py(), goal_names())?)?;
    module.add("TURNS", PyTuple::new(module.py(), TURNS)?)?;
    // In tuples, which nobody can change for all environments.
    module.add("ENDINGS", PyTuple::new(module.py(), ENDINGS.map(Ending::name))?)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
