//! Warm frames of the game allocate only in the physics.
//!
//! A counting allocator counts the allocations of this thread. rapier allocates in its step and for its lists of
//! changes, so there are two measurements.
//!
//! 1. Real frames. Counting stops before [`DriveCollectors`] sets velocities and resumes after [`Motion`] has taken its
//!    step. Frames with a spawn or a death are skipped, since these change bodies.
//! 2. Frames without a step of rapier, in which another system sends events instead of `Motion`. All frames count,
//!    which covers the framework in the frames that the first measurement skips.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System as SystemAllocator};
use std::cell::Cell;

use bounty_hunter::ai_controller::AiControllers;
use bounty_hunter::assets::Assets;
use bounty_hunter::collector::DriveCollectors;
use bounty_hunter::events::{CollisionBegin, CollisionEnd, GameObjectKilled, GameObjectSpawned};
use bounty_hunter::input::{Inputs, Intent};
use bounty_hunter::lifetime::Lifetimes;
use bounty_hunter::motion::Motion;
use bounty_hunter::physics::Category;
use bounty_hunter::player_control::ControlPlayers;
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::GameState;
use ecs::{EntityId, Sender, Setup, System};
use tests::{ai, match_in};

thread_local! {
    static IS_COUNTING: Cell<bool> = const { Cell::new(false) };
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator; counts the requests of the current thread.
struct Counting;

impl Counting {
    fn count() {
        if IS_COUNTING.get() {
            ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        }
    }
}

// SAFETY: every call is forwarded unchanged to the system's allocator; counting allocates nothing, since the thread's
// counters are plain cells that are initialised at compile time and need no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count();
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        unsafe { SystemAllocator.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and the pointer came from the same allocator.
        unsafe { SystemAllocator.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        Self::count();
        // SAFETY: the caller keeps the contract of `realloc`, and the pointer came from the same allocator.
        unsafe { SystemAllocator.realloc(pointer, layout, bytes) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations while `work` ran.
fn allocations_of(work: impl FnOnce()) -> u64 {
    ALLOCATIONS.set(0);
    IS_COUNTING.set(true);
    work();
    IS_COUNTING.set(false);
    ALLOCATIONS.get()
}

/// Stops counting before the first system in a frame that calls the physics.
struct BeforePhysics;

impl System for BeforePhysics {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .after_type::<ControlPlayers>()
            .after_type::<AiControllers>()
            .before_type::<DriveCollectors>()
            .update(Self::stop);
    }
}

impl BeforePhysics {
    fn stop(&mut self) {
        IS_COUNTING.set(false);
    }
}

/// Resumes counting after the step of the physics.
struct AfterPhysics;

impl System for AfterPhysics {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<Motion>().before_type::<Lifetimes>().update(Self::go_on);
    }
}

impl AfterPhysics {
    fn go_on(&mut self) {
        IS_COUNTING.set(true);
    }
}

/// Sends a varying number of contacts of missing entities, instead of [`Motion`].
struct FakeContacts {
    frame: usize,
}

impl System for FakeContacts {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send);
    }
}

impl FakeContacts {
    fn send(&mut self, mut begins: Sender<CollisionBegin>, mut ends: Sender<CollisionEnd>) {
        self.frame += 1;
        let (a, b) = (EntityId::from_bits(0), EntityId::from_bits(0));
        let (category_a, category_b) = (Category::Default, Category::Default);
        for _ in 0..self.frame % 50 {
            begins.send(CollisionBegin { a, b, category_a, category_b });
            ends.send(CollisionEnd { a, b, category_a, category_b });
        }
    }
}

/// A running match of 15 AIs and a person.
fn running_match() -> Simulation {
    let seats = [vec![Seat::Human { person: 0 }], vec![ai("normal"); 15]].concat();
    let setup = MatchSetup { seed: 12, seats, play_seconds: None };
    let mut assets = Assets::built_in();
    tests::vary_stashes(&mut assets, tests::BOTTOMLESS);
    match_in(&assets, &setup, GameState::Running)
}

/// The numbers of spawns and deaths so far.
fn births_and_deaths(simulation: &Simulation) -> (u64, u64) {
    let events = simulation.engine().events();
    let births = events.counters::<GameObjectSpawned>().map_or(0, |counters| counters.sent);
    (births, events.counters::<GameObjectKilled>().map_or(0, |counters| counters.sent))
}

#[test]
fn quiet_warm_frames_allocate_nothing_outside_the_physics() {
    let mut simulation = running_match();
    simulation.engine_mut().add(BeforePhysics).and_then(|engine| engine.add(AfterPhysics)).expect("both fit in");
    let turns = [0.0, 1.0, -1.0];
    let inputs: Vec<Inputs> = (0..90)
        .map(|step| {
            let intent = Intent { drive: 1.0, turn: turns[step / 30] };
            Inputs::none().intent(0, if step % 30 < 15 { intent } else { Intent::IDLE })
        })
        .collect();
    for step in 0..2_400 {
        simulation.step(&inputs[step % 90]);
    }
    let mut quiet = 0;
    for step in 0..2_400 {
        let before = births_and_deaths(&simulation);
        let allocations = allocations_of(|| _ = simulation.step(&inputs[step % 90]));
        if births_and_deaths(&simulation) == before {
            assert_eq!(allocations, 0, "step {step}");
            quiet += 1;
        }
    }
    assert_eq!(simulation.state(), GameState::Running);
    assert!(quiet > 1_500, "{quiet} quiet steps");
}

#[test]
fn without_the_physics_warm_frames_allocate_only_the_shapes_of_new_bounties() {
    let mut simulation = running_match();
    let engine = simulation.engine_mut();
    engine.disable_system::<Motion>().expect("it is there");
    engine.add(FakeContacts { frame: 0 }).expect("it fits in");
    for _ in 0..1_200 {
        simulation.step(&Inputs::none());
    }
    let ((born_before, died_before), mut allocations) = (births_and_deaths(&simulation), 0);
    for _ in 0..1_200 {
        allocations += allocations_of(|| _ = simulation.step(&Inputs::none()));
    }
    let (born, died) = births_and_deaths(&simulation);
    assert!(born - born_before > 20 && died - died_before > 20, "life goes on");
    // A spawned bounty gets a new shape, which the physics allocates.
    assert_eq!(allocations, born - born_before);
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations_of(|| drop(std::hint::black_box(Box::new(1_u64)))), 1);
    assert_eq!(allocations_of(|| drop(std::hint::black_box(Vec::<u64>::new()))), 0);
    let mut simulation = running_match();
    assert!(allocations_of(|| _ = simulation.step(&Inputs::none())) > 0, "the physics allocates");
}
