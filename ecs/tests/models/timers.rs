//! Timed systems compared with a model that recomputes all of them in every frame: changed timers, enabling and
//! disabling, functions that are added and cancelled, frames that end with a panic, runs by hand, and snapshots.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::{
    Engine, Res, ResMut, Setup, Snapshot, System, Time,
    prelude::Configure,
    system::{CatchUp, FunctionId},
};
use proptest::prelude::*;

const SYSTEMS: usize = 3;
/// The system that catches up with each interval.
const CATCHES_UP: usize = 1;
/// The system that has begun a frame when it breaks off.
const BEGINS: usize = 2;
/// The name that functions log, and the system that has begun in its first phase.
const FUNCTION: usize = SYSTEMS;
const HAS_BEGUN: usize = SYSTEMS + 1;

/// The systems that ran, with the milliseconds that they were passed.
#[derive(Default)]
struct Ran(Vec<(usize, u64)>);

#[derive(Clone, Copy)]
struct MustBreak(bool);

/// Ends frames with a panic before any update.
struct Bomb;

impl System for Bomb {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .after_type::<Ticker<BEGINS>>()
            .pre_update(|_: &mut Self, must_break: Res<MustBreak>| assert!(!must_break.0, "the frame must break"));
    }
}

struct Ticker<const N: usize>;

impl<const N: usize> System for Ticker<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, time: Time, mut ran: ResMut<Ran>| ran.0.push((N, milliseconds(time))));
        if N == CATCHES_UP {
            setup.catch_up(CatchUp::EachInterval);
        }
        if N == BEGINS {
            setup.pre_update(|_: &mut Self, time: Time, mut ran: ResMut<Ran>| {
                ran.0.push((HAS_BEGUN, milliseconds(time)));
            });
        }
    }
}

fn tick(time: Time, mut ran: ResMut<Ran>) {
    ran.0.push((FUNCTION, milliseconds(time)));
}

fn milliseconds(time: Time) -> u64 {
    time.delta().as_millis() as u64
}

#[derive(Clone, Copy)]
enum Timer {
    EveryFrame,
    Every { interval: u64, waited: u64, since_last_run: u64 },
    OnceAfter { left: Option<u64>, waited: u64 },
}

#[derive(Clone, Copy)]
struct RunState {
    timer: Timer,
    catches_up: bool,
    is_enabled: bool,
}

impl RunState {
    fn every(interval: u64) -> Timer {
        if interval == 0 { Timer::EveryFrame } else { Timer::Every { interval, waited: 0, since_last_run: 0 } }
    }

    /// The times that it is passed in a frame of `delta`; none if it is not due. If the frame breaks off first, it
    /// stays due.
    fn frame(&mut self, delta: u64, is_reached: bool) -> Vec<u64> {
        if !self.is_enabled {
            return vec![];
        }
        match &mut self.timer {
            Timer::EveryFrame => vec![delta],
            Timer::Every { interval, waited, since_last_run } => {
                *waited += delta;
                *since_last_run += delta;
                if *waited < *interval || !is_reached {
                    return vec![];
                }
                let runs = *waited / *interval;
                *waited %= *interval;
                if self.catches_up {
                    *since_last_run = *waited;
                    return vec![*interval; runs as usize];
                }
                vec![std::mem::take(since_last_run)]
            }
            Timer::OnceAfter { left: None, .. } => vec![],
            Timer::OnceAfter { left, waited } => {
                let still = left.unwrap_or(0).saturating_sub(delta);
                *waited += delta;
                *left = if still == 0 && is_reached { None } else { Some(still) };
                if left.is_some() { vec![] } else { vec![std::mem::take(waited)] }
            }
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.timer, Timer::OnceAfter { left: None, .. })
    }
}

#[derive(Clone)]
struct Model {
    systems: [RunState; SYSTEMS],
    functions: Vec<(FunctionId, RunState)>,
}

impl Model {
    fn add_function(&mut self, function: FunctionId, timer: Timer) {
        self.functions.push((function, RunState { timer, catches_up: false, is_enabled: true }));
    }
}

#[derive(Clone, Debug)]
enum Act {
    Frame { delta: u64, breaks_off: bool },
    RunEvery(usize, u64),
    RunOnceAfter(usize, u64),
    Toggle(usize, bool),
    RunByHand(usize),
    AddFunction(u64),
    AddOneShot(u64),
    ToggleFunction(usize, bool),
    Cancel(usize),
    Take,
    Restore,
}

fn act() -> impl Strategy<Value = Act> {
    let system = || 0..SYSTEMS;
    let time = || prop_oneof![Just(0_u64), 1_u64..40];
    prop_oneof![
        12 => (time(), prop::bool::weighted(0.2)).prop_map(|(delta, breaks_off)| Act::Frame { delta, breaks_off }),
        2 => (system(), time()).prop_map(|(system, interval)| Act::RunEvery(system, interval)),
        2 => (system(), time()).prop_map(|(system, delay)| Act::RunOnceAfter(system, delay)),
        3 => (system(), any::<bool>()).prop_map(|(system, is_enabled)| Act::Toggle(system, is_enabled)),
        1 => system().prop_map(Act::RunByHand),
        2 => time().prop_map(Act::AddFunction),
        2 => time().prop_map(Act::AddOneShot),
        1 => (0..4_usize, any::<bool>()).prop_map(|(function, is_enabled)| Act::ToggleFunction(function, is_enabled)),
        1 => (0..4_usize).prop_map(Act::Cancel),
        1 => Just(Act::Take),
        1 => Just(Act::Restore),
    ]
}

struct Pair {
    engine: Engine,
    model: Model,
    taken: Option<(Snapshot, Model)>,
}

/// Calls a method of the engine whose type parameter is a system.
macro_rules! of_system {
    ($engine:expr, $system:expr, $method:ident($($argument:expr),*)) => {
        match $system {
            0 => $engine.$method::<Ticker<0>>($($argument),*),
            1 => $engine.$method::<Ticker<1>>($($argument),*),
            _ => $engine.$method::<Ticker<2>>($($argument),*),
        }
    };
}

impl Pair {
    fn new() -> Self {
        let mut engine = Engine::new();
        engine.insert_resource(Ran::default());
        engine.insert_resource(MustBreak(false));
        engine.types_mut().leave_out_resource::<Ran>().leave_out_resource::<MustBreak>();
        engine.types_mut().function("tick", tick).unwrap();
        engine.add(Bomb).unwrap().add(Ticker::<0>).unwrap().add(Ticker::<1>).unwrap().add(Ticker::<2>).unwrap();
        let run_state =
            |system| RunState { timer: Timer::EveryFrame, catches_up: system == CATCHES_UP, is_enabled: true };
        let systems = std::array::from_fn(run_state);
        Self { engine, model: Model { systems, functions: Vec::new() }, taken: None }
    }

    fn apply(&mut self, act: Act) {
        let Self { engine, model, taken } = self;
        let mut expected = Vec::new();
        match act {
            Act::Frame { delta, breaks_off } => {
                *engine.resource_mut().unwrap() = MustBreak(breaks_off);
                let frame = catch_unwind(AssertUnwindSafe(|| engine.update(Duration::from_millis(delta)).unwrap()));
                assert_eq!(frame.is_err(), breaks_off);
                let begins = model.systems[BEGINS].frame(delta, true);
                expected.extend(begins.iter().map(|passed| (HAS_BEGUN, *passed)));
                let functions = model.functions.iter_mut().map(|(_, run_state)| (FUNCTION, run_state));
                for (name, run_state) in model.systems.iter_mut().enumerate().chain(functions) {
                    let passed = if name == BEGINS { begins.clone() } else { run_state.frame(delta, !breaks_off) };
                    expected.extend(passed.into_iter().filter(|_| !breaks_off).map(|passed| (name, passed)));
                }
                model.functions.retain(|(_, run_state)| !run_state.is_over());
            }
            Act::RunEvery(system, interval) => {
                of_system!(engine, system, run_every(Duration::from_millis(interval))).unwrap();
                model.systems[system].timer = RunState::every(interval);
            }
            Act::RunOnceAfter(system, delay) => {
                of_system!(engine, system, run_once_after(Duration::from_millis(delay))).unwrap();
                model.systems[system].timer = Timer::OnceAfter { left: Some(delay), waited: 0 };
            }
            Act::Toggle(system, is_enabled) => {
                match is_enabled {
                    true => of_system!(engine, system, enable_system()).unwrap(),
                    false => of_system!(engine, system, disable_system()).unwrap(),
                }
                model.systems[system].is_enabled = is_enabled;
            }
            Act::RunByHand(system) => {
                of_system!(engine, system, run_system()).unwrap();
                expected.extend((system == BEGINS).then_some((HAS_BEGUN, 0)));
                expected.push((system, 0));
            }
            Act::AddFunction(interval) if model.functions.len() < 4 => {
                let function = engine.every(Duration::from_millis(interval), tick).unwrap();
                model.add_function(function, RunState::every(interval));
            }
            Act::AddOneShot(delay) if model.functions.len() < 4 => {
                engine.add(tick.once_after(Duration::from_millis(delay))).unwrap();
                let function = engine.systems().ids_of(tick).last().unwrap();
                model.add_function(function, Timer::OnceAfter { left: Some(delay), waited: 0 });
            }
            Act::ToggleFunction(function, is_enabled) if function < model.functions.len() => {
                let (id, run_state) = &mut model.functions[function];
                match is_enabled {
                    true => engine.enable_function(*id).unwrap(),
                    false => engine.disable_function(*id).unwrap(),
                }
                run_state.is_enabled = is_enabled;
            }
            Act::Cancel(function) if function < model.functions.len() => {
                assert!(engine.cancel(model.functions.remove(function).0));
            }
            Act::Take => *taken = Some((engine.snapshot().unwrap(), model.clone())),
            Act::Restore => {
                if let Some((snapshot, then)) = taken {
                    engine.restore(snapshot).unwrap();
                    model.clone_from(then);
                }
            }
            Act::AddFunction(_) | Act::AddOneShot(_) | Act::ToggleFunction(..) | Act::Cancel(_) => {}
        }
        let ran = std::mem::take(&mut engine.resource_mut::<Ran>().unwrap().0);
        assert_eq!(ran, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn timed_systems_run_when_the_model_says(acts in prop::collection::vec(act(), 1..80)) {
        let mut pair = Pair::new();
        for act in acts {
            pair.apply(act);
        }
    }
}
