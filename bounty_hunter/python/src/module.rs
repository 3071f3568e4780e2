//! The module of Python: classes around batches and worlds, and functions. Arrays are those of NumPy, written in place.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bounty_hunter::ai::learned::{
    DRIVES, GOALS, OBSERVATION_LENGTH, OBSERVATION_VERSION, TURNS, goal_names, observation_fields,
};
use numpy::{PyArray1, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::batch::{Actions, Buffers, Finished, choices};
use crate::{MatchConfig, MatchRecord, Options, check_size, draw, play_matches};

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
#[derive(FromPyObject)]
enum ActionArray<'py> {
    Discrete(PyReadonlyArray1<'py, i32>),
    Continuous(PyReadonlyArray1<'py, f32>),
}

impl ActionArray<'_> {
    fn actions(&self, are_goals: bool) -> PyResult<Actions<'_>> {
        Ok(match self {
            Self::Discrete(indices) if are_goals => Actions::Goals(indices.as_slice()?),
            Self::Discrete(indices) => Actions::Discrete(indices.as_slice()?),
            Self::Continuous(numbers) => Actions::Continuous(numbers.as_slice()?),
        })
    }
}

/// Many worlds that are stepped together; see `batch.rs`.
#[pyclass]
struct Batch(Mutex<crate::Batch>);

#[pymethods]
impl Batch {
    #[new]
    fn new(py: Python<'_>, options: &str, worlds: usize, threads: usize, seed: u64) -> PyResult<Self> {
        let config = config_of(py, options)?;
        let batch = py.detach(|| crate::Batch::new(config, worlds, threads, seed)).map_err(refused)?;
        Ok(Self(Mutex::new(batch)))
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

    /// Processor time spent in the simulation by all threads, seconds.
    #[getter]
    fn simulated_seconds(&self) -> f64 {
        locked(&self.0).simulated().as_secs_f64()
    }

    #[pyo3(signature = (observations, seed=None))]
    fn reset(&self, py: Python<'_>, mut observations: PyReadwriteArray1<'_, f32>, seed: Option<u64>) -> PyResult<()> {
        let observations = observations.as_slice_mut()?;
        py.detach(|| locked(&self.0).reset(seed, observations)).map_err(refused)
    }

    fn observe(&self, py: Python<'_>, mut observations: PyReadwriteArray1<'_, f32>) -> PyResult<()> {
        let observations = observations.as_slice_mut()?;
        py.detach(|| locked(&self.0).observe(observations)).map_err(refused)
    }

    #[allow(clippy::too_many_arguments)]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: ActionArray<'_>,
        are_goals: bool,
        mut observations: PyReadwriteArray1<'_, f32>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut final_observations: PyReadwriteArray1<'_, f32>,
    ) -> PyResult<Bound<'py, PyList>> {
        let actions = actions.actions(are_goals)?;
        let buffers = Buffers {
            observations: observations.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
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

    fn draw<'py>(&self, py: Python<'py>, world: usize, size: i64) -> PyResult<Bound<'py, PyArray1<u8>>> {
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
#[pyclass]
struct State(Mutex<crate::WorldState>);

/// One match with its agents; see `world.rs`.
#[pyclass]
struct World {
    world: Mutex<crate::World>,
    agents: usize,
    has_spells: bool,
}

#[pymethods]
impl World {
    #[new]
    fn new(py: Python<'_>, options: &str, seed: u64, is_recorded: bool) -> PyResult<Self> {
        let config = config_of(py, options)?;
        if config.agents == 0 {
            return Err(refused("agents is 0, must be at least 1".to_owned()));
        }
        let (agents, has_spells) = (config.agents, config.assets.game.rules.spells.is_some());
        let config = Arc::new(config);
        let world = py.detach(|| crate::World::new(&config, seed, is_recorded)).map_err(refused)?;
        Ok(Self { world: Mutex::new(world), agents, has_spells })
    }

    #[getter]
    fn agents(&self) -> usize {
        self.agents
    }

    #[getter]
    fn choices(&self) -> usize {
        choices(self.has_spells)
    }

    #[getter]
    fn seed(&self) -> u64 {
        locked(&self.world).seed()
    }

    /// Steps of the simulation in which agents could act.
    #[getter]
    fn steps(&self) -> u64 {
        locked(&self.world).steps()
    }

    #[getter]
    fn is_over(&self) -> bool {
        locked(&self.world).is_over()
    }

    fn is_out(&self, agent: usize) -> bool {
        locked(&self.world).is_out(agent)
    }

    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        py.detach(|| locked(&self.world).reset(seed)).map_err(refused)
    }

    fn observe(&self, py: Python<'_>, mut observations: PyReadwriteArray1<'_, f32>) -> PyResult<()> {
        let observations = observations.as_slice_mut()?;
        let expected = self.agents * OBSERVATION_LENGTH;
        if observations.len() != expected {
            return Err(refused(format!("observations: {} numbers, must be {expected}", observations.len())));
        }
        py.detach(|| locked(&self.world).observe(observations));
        Ok(())
    }

    fn step(
        &self,
        py: Python<'_>,
        actions: ActionArray<'_>,
        are_goals: bool,
        mut observations: PyReadwriteArray1<'_, f32>,
        mut rewards: PyReadwriteArray1<'_, f32>,
    ) -> PyResult<bool> {
        let orders = actions.actions(are_goals)?.decode(self.agents, self.has_spells).map_err(refused)?;
        let (observations, rewards) = (observations.as_slice_mut()?, rewards.as_slice_mut()?);
        if observations.len() != self.agents * OBSERVATION_LENGTH || rewards.len() != self.agents {
            return Err(refused(format!("the arrays must have room for {} agents", self.agents)));
        }
        Ok(py.detach(|| {
            let mut world = locked(&self.world);
            let is_over = orders.step(&mut world, 0..self.agents, rewards);
            world.observe(observations);
            is_over
        }))
    }

    fn state_hash(&self, py: Python<'_>) -> u64 {
        py.detach(|| locked(&self.world).state_hash())
    }

    fn clone_state(&self, py: Python<'_>) -> PyResult<State> {
        let state = py.detach(|| locked(&self.world).snapshot()).map_err(refused)?;
        Ok(State(Mutex::new(state)))
    }

    fn restore_state(&self, py: Python<'_>, state: &State) -> PyResult<()> {
        py.detach(|| locked(&self.world).restore(&locked(&state.0))).map_err(refused)
    }

    fn draw<'py>(&self, py: Python<'py>, size: i64) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let size = check_size(size).map_err(refused)?;
        let pixels = py.detach(|| draw(&locked(&self.world).simulation().view(), size));
        Ok(PyArray1::from_vec(py, pixels))
    }

    /// Points in the stash of each player.
    fn stashes(&self) -> Vec<f32> {
        locked(&self.world).simulation().stashes()
    }

    /// The winner's seat and why the match ended; `None` before its end.
    fn result(&self) -> Option<(Option<u32>, &'static str)> {
        locked(&self.world).result().map(|result| (result.winner, result.ending.name()))
    }

    /// The content of a replay file; `None` if the world is not recorded.
    fn replay<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| locked(&self.world).replay())?;
        Some(PyBytes::new(py, &bytes))
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

/// The level and the size of its world, the number of players and of steps per second of a match, and whether it has spells.
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
    module.add("OBSERVATION_FIELDS", observation_fields())?;
    module.add("DRIVES", DRIVES.to_vec())?;
    module.add("GOALS", GOALS)?;
    module.add("GOAL_NAMES", goal_names())?;
    module.add("TURNS", TURNS.to_vec())?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
