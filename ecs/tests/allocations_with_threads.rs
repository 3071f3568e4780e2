//! A steady frame on several threads allocates nothing. An allocator counts the heap operations of all threads of the
//! process, so this is a program without the threads of a test harness: what one prints, such as that a test takes
//! long, would be counted as well.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use ecs::{
    Added, Commands, Despawned, Disabled, Engine, EntityId, IncludeDisabled, Query, Removed, Res, Sender, Setup,
    Spawned, Spawner, System, Time, With,
};

static TOUCHES: AtomicU64 = AtomicU64::new(0);

struct Counting;

// SAFETY: all calls are forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TOUCHES.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        TOUCHES.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { Heap.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        TOUCHES.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { Heap.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Rows that workers visited.
static ASSISTED: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Whether this thread calls `update`.
    static IS_CALLER: Cell<bool> = const { Cell::new(false) };
}

const FRAME: Duration = Duration::from_millis(10);

/// Frames until memory stops growing: the first of them have the largest bursts.
const WARM_UP: u64 = 20;

/// Several times the 63 entries of a block of a queue.
const COUNTED: u64 = 400;

#[derive(Clone, Copy)]
struct Ping(u32);
#[derive(Clone, Copy)]
struct Pong(#[allow(dead_code)] [u64; 9]);

struct Row<const N: usize>(u64);
struct Body(f32);
#[derive(Clone, Copy)]
struct Bounty;
struct Marked;

/// The number of events in this frame: most in the first frames, then varying below that.
fn burst(time: Time) -> u32 {
    if time.frame() < 12 { 2_000 } else { 200 + time.frame() as u32 * 37 % 1_500 }
}

/// Iterates many rows on several threads, with and without results, and sends events.
#[derive(Default)]
struct Mover<const N: usize> {
    odd: Vec<bool>,
    sum: u64,
}

impl<const N: usize> System for Mover<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::advance).update(Self::send).listen(Self::on_ping);
    }
}

impl<const N: usize> Mover<N> {
    fn advance(&mut self, mut rows: Query<&mut Row<N>>) {
        rows.par_for_each(|row| {
            row.0 = row.0.wrapping_mul(31).wrapping_add(N as u64);
            if !IS_CALLER.get() {
                ASSISTED.fetch_add(1, Relaxed);
            }
        });
        self.odd.clear();
        rows.par_map_collect(&mut self.odd, |row| row.0 % 2 == 1);
        self.sum = rows.par_fold(|| 0, |sum, row| row.0.wrapping_add(sum), u64::wrapping_add);
    }

    fn send(&mut self, time: Time, mut pings: Sender<Ping>) {
        (0..burst(time)).for_each(|n| pings.send(Ping(n)));
    }

    fn on_ping(&mut self, ping: &Ping, mut pongs: Sender<Pong>) {
        if ping.0.is_multiple_of(3) {
            pongs.send(Pong([N as u64; 9]));
        }
    }
}

/// Sends events and records commands while it iterates in parallel. Another tenth of the rows does it in each frame.
#[derive(Default)]
struct Sparks;

impl System for Sparks {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fly);
    }
}

impl Sparks {
    fn fly(
        &mut self,
        time: Time,
        mut rows: Query<(EntityId, &Row<3>)>,
        (mut pings, mut pongs, mut commands): (Sender<Ping>, Sender<Pong>, Commands),
    ) {
        let frame = time.frame();
        rows.par_for_each_with((&mut pings, &mut pongs, &mut commands), |(pings, pongs, commands), (entity, row)| {
            if row.0 / 500 == frame % 10 {
                pings.send(Ping(1));
                pongs.send(Pong([row.0; 9]));
                commands.insert(entity, (Marked,));
                commands.remove::<Marked>(entity);
                commands.spawn((Body(2.0),));
            }
        });
    }
}

/// Despawns half of the bodies, spawns others, toggles, inserts and removes, and listens to the events of it.
#[derive(Default)]
struct Nature {
    received: u64,
}

impl System for Nature {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .pre_update(Self::despawn)
            .update(Self::spawn)
            .post_update(Self::toggle)
            .listen(Self::on_event::<Spawned>)
            .listen(Self::on_event::<Despawned>)
            .listen(Self::on_event::<Removed<Bounty>>)
            .listen(Self::on_event::<Pong>)
            .listen(Self::on_added)
            .listen(Self::on_disabled);
    }
}

impl Nature {
    fn on_event<E>(&mut self, _: &E) {
        self.received += 1;
    }

    fn despawn(&mut self, bodies: Query<EntityId, (With<Body>, IncludeDisabled)>, mut commands: Commands) {
        bodies.iter().step_by(2).for_each(|body| commands.despawn(body));
    }

    fn spawn(&mut self, time: Time, speed: Res<f32>, mut spawner: Spawner, mut commands: Commands) {
        for _ in 0..burst(time) / 10 {
            let entity = spawner.spawn((Body(*speed), Bounty));
            commands.insert(entity, (Marked,));
            commands.spawn((Body(2.0 * *speed),));
        }
    }

    fn toggle(&mut self, bodies: Query<(EntityId, &Body, Option<&Marked>)>, mut commands: Commands) {
        for (entity, body, marked) in &bodies {
            match (marked.is_some(), body.0 > 1.5) {
                (true, _) => commands.remove::<Marked>(entity),
                (false, true) => commands.disable(entity),
                (false, false) => commands.disable_component::<Bounty>(entity),
            }
        }
    }

    fn on_added(&mut self, added: &Added<Marked>, mut commands: Commands) {
        commands.disable_component::<Marked>(added.entity);
    }

    fn on_disabled(&mut self, disabled: &Disabled, mut commands: Commands) {
        commands.enable(disabled.entity);
    }
}

/// Heap operations in [`COUNTED`] frames of an engine with `threads` threads.
fn touches(threads: usize) -> u64 {
    let mut engine = Engine::builder().threads(threads).build();
    engine.insert_resource(1.0_f32);
    engine.add(Mover::<0>::default()).unwrap().add(Mover::<1>::default()).unwrap().add(Mover::<2>::default()).unwrap();
    engine.add(Nature::default()).unwrap().add(Sparks).unwrap();
    for n in 0..12_000 {
        engine.spawn((Row::<0>(n), Row::<1>(n), Row::<2>(n)));
    }
    engine.spawn_many((0..5_000).map(|n| (Row::<3>(n),)));
    let mut run = |frames| {
        for _ in 0..frames {
            (0..100).for_each(|n| engine.send(Ping(n)));
            engine.update(FRAME).unwrap();
        }
    };
    IS_CALLER.set(true);
    ASSISTED.store(0, Relaxed);
    run(WARM_UP);
    let before = TOUCHES.load(Relaxed);
    run(COUNTED);
    let touched = TOUCHES.load(Relaxed) - before;
    assert!(engine.system::<Nature>().unwrap().received > 100_000, "the frames do work");
    assert!(engine.explain().unwrap().to_string().contains("may run beside"));
    assert_eq!(ASSISTED.load(Relaxed) > 0, threads > 1, "workers assist if there are any");
    touched
}

fn main() {
    steady_frame_with_threads_allocates_nothing();
    println!("steady_frame_with_threads_allocates_nothing: ok");
}

fn steady_frame_with_threads_allocates_nothing() {
    let before = TOUCHES.load(Relaxed);
    std::thread::scope(|scope| {
        scope.spawn(|| (0..50).for_each(|n| drop(black_box(Box::new(n)))));
    });
    assert!(TOUCHES.load(Relaxed) - before >= 100, "the counter counts on every thread");
    for threads in [1, 2, 4, 16] {
        assert_eq!(touches(threads), 0, "{threads} threads");
    }
}
