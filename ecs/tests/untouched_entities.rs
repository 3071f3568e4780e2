//! A frame costs nothing for entities that it does not touch: hardly a page of their memory is accessed.
//!
//! The kernel marks each page of memory that is accessed since the marks were cleared, so pages can be counted without
//! a clock. This file is a binary of its own, since other tests in the same process would access memory as well.

#![cfg(target_os = "linux")]

use std::fs;
use std::time::Duration;

use ecs::{Commands, Despawned, Engine, EntityId, Query, Sender, Setup, Spawned, System};

const IDLE: usize = 1_000_000;
const ACTIVE: usize = 1_000;
const FRAME: Duration = Duration::from_millis(16);

struct A(u64);
struct B(u64);
struct Idle(u64);
struct Mark(#[expect(dead_code, reason = "never read")] u64);
#[derive(Clone, Copy)]
struct Ping(EntityId);

/// Reads and writes, spawns and despawns, inserts and removes, toggles and sends, only for the active entities.
#[derive(Default)]
struct Busy {
    frame: u64,
    pings: usize,
    spawned: usize,
    despawned: usize,
}

impl System for Busy {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).listen(Self::on_ping).listen(Self::on_spawned).listen(Self::on_despawned);
    }
}

impl Busy {
    fn update(
        &mut self,
        mut query: Query<(EntityId, &mut A, Option<&Mark>)>,
        mut pings: Sender<Ping>,
        mut commands: Commands,
    ) {
        self.frame += 1;
        for (entity, a, mark) in &mut query {
            a.0 += self.frame;
            match mix(a.0 ^ entity.bits()) % 5 {
                0 => pings.send(Ping(entity)),
                1 if mark.is_some() => commands.remove::<Mark>(entity),
                1 => commands.insert(entity, (Mark(a.0),)),
                2 => {
                    commands.despawn(entity);
                    commands.spawn((A(a.0), B(self.frame)));
                }
                3 => commands.disable_component::<B>(entity),
                _ => commands.enable_component::<B>(entity),
            }
        }
    }

    fn on_ping(&mut self, ping: &Ping, mut query: Query<&mut B>) {
        if let Some(b) = query.get_mut(ping.0) {
            b.0 += 1;
        }
        self.pings += 1;
    }

    fn on_spawned(&mut self, _: &Spawned) {
        self.spawned += 1;
    }

    fn on_despawned(&mut self, _: &Despawned) {
        self.despawned += 1;
    }
}

/// Also marks some of the active entities, so that two systems insert by command.
struct Marker;

impl System for Marker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).after_type::<Busy>();
    }
}

impl Marker {
    fn update(&mut self, query: Query<(EntityId, &A)>, mut commands: Commands) {
        for (entity, a) in query.iter().filter(|(entity, a)| mix(a.0 ^ entity.bits()) % 5 == 4) {
            commands.insert(entity, (Mark(a.0),));
        }
    }
}

fn mix(value: u64) -> u64 {
    value.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}

/// Bytes of the pages that `work` accesses.
fn touched_bytes(work: impl FnOnce()) -> usize {
    fs::write("/proc/self/clear_refs", "1").expect("the kernel clears the marks of this process");
    work();
    let text = fs::read_to_string("/proc/self/smaps_rollup").expect("the kernel counts the pages of this process");
    let line = text.lines().find_map(|line| line.strip_prefix("Referenced:")).expect("touched pages are counted");
    1_024 * line.trim().trim_end_matches(" kB").parse::<usize>().expect("it is a number")
}

/// A warm engine with active entities and `idle` idle ones; all have A or Idle.
fn engine(idle: usize) -> Engine {
    let mut engine = Engine::new();
    engine.add(Busy::default()).unwrap().add(Marker).unwrap();
    // Idle entities have B and Mark as well, so these pools are as large as the world.
    engine.spawn_many((0..idle as u64).map(|n| (Idle(n), B(n), Mark(n))));
    engine.spawn_many((0..ACTIVE as u64).map(|n| (A(n), B(n))));
    (0..20).for_each(|_| engine.update(FRAME).unwrap());
    engine
}

/// The allowance for single rows here and there: less than a byte per idle entity. If the kernel makes all pages large,
/// a mebibyte or two per array, so only iteration over several arrays is found there.
fn tolerance() -> usize {
    let pages = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    if pages.contains("[always]") { 32 << 20 } else { IDLE / 2 }
}

#[test]
fn frame_accesses_no_more_memory_in_a_world_a_thousand_times_as_large() {
    let frames = |engine: &mut Engine| (0..10).for_each(|_| engine.update(FRAME).unwrap());
    let done = |engine: &Engine| {
        let busy = engine.system::<Busy>().unwrap();
        [busy.pings, busy.spawned, busy.despawned]
    };
    let (mut small, mut large) = (engine(0), engine(IDLE));
    let in_small = touched_bytes(|| frames(&mut small));
    let before = done(&large);
    // The kernel also counts pages that it touches itself, so the least of three measurements counts.
    let in_large = (0..3).map(|_| touched_bytes(|| frames(&mut large))).min().expect("three measurements");
    for (after, before) in done(&large).into_iter().zip(before) {
        assert!(after - before > ACTIVE / 2, "the frames did little: {after} after, {before} before");
    }
    assert!(in_large < in_small + tolerance(), "{in_large} bytes instead of {in_small}");

    // Access to idle entities is detected.
    let walk = touched_bytes(|| {
        let sum: usize = large.query::<(&Idle, &B)>().iter().map(|(idle, b)| (idle.0 + b.0) as usize).sum();
        assert_eq!(sum, IDLE * (IDLE - 1), "each has its number twice");
    });
    assert!(walk > in_small + IDLE * size_of::<(Idle, B)>() / 2, "{walk} bytes");
}
