//! When memory grows: at the end of the first frame that needs more, or when it is reserved.

use ecs::{Commands, Engine, EntityId, Query, Sender, Setup, System};

use super::{BYTES, FRAME, TOUCHES, touches_after};

#[derive(Clone, Copy)]
struct Ping(#[allow(dead_code)] [u64; 3]);

/// Sends equally many events in every frame.
struct Loud;

impl System for Loud {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send);
    }
}

impl Loud {
    fn send(&mut self, mut pings: Sender<Ping>) {
        (0..10_000).for_each(|n| pings.send(Ping([n; 3])));
    }
}

#[test]
fn frame_no_larger_than_an_earlier_one_allocates_nothing() {
    let mut engine = Engine::new();
    engine.add(Loud).unwrap();
    assert!(touches_after(0, |_| engine.update(FRAME).unwrap()) > 0, "the first frame grows the buffers");
    let mut engine = Engine::new();
    engine.add(Loud).unwrap();
    assert_eq!(touches_after(1, |_| engine.update(FRAME).unwrap()), 0);
}

struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, _: &Ping| {});
    }
}

#[test]
fn builder_reserves_event_memory() {
    let sent_within = |event_bytes: usize| {
        let mut engine = Engine::builder().event_bytes(event_bytes).build();
        // The listener registers the event type.
        engine.add(Listener).unwrap();
        let before = TOUCHES.get();
        (0..4_000).for_each(|n| engine.send(Ping([n; 3])));
        TOUCHES.get() - before
    };
    assert!(sent_within(0) > 0);
    assert_eq!(sent_within(100_000), 0);
}

#[test]
fn largest_event_reservation_is_accepted() {
    let mut engine = Engine::builder().event_bytes(usize::MAX).build();
    engine.send(Ping([1; 3]));
    engine.update(FRAME).unwrap();
}

#[derive(Clone)]
struct Weight(#[expect(dead_code, reason = "it only takes memory")] u64);
#[derive(Clone)]
struct Size(#[expect(dead_code, reason = "it only takes memory")] [f32; 3]);

#[test]
fn spawning_into_reserved_memory_allocates_nothing() {
    const COUNT: usize = 5_000;
    let within = |entities: usize, reserved: usize| {
        let mut engine = Engine::builder().entities(entities).build();
        engine.reserve::<(Weight, Size)>(reserved);
        // The first spawn registers the bundle.
        engine.spawn((Weight(0), Size([0.0; 3])));
        let before = TOUCHES.get();
        (1..COUNT).for_each(|n| _ = engine.spawn((Weight(n as u64), Size([0.0; 3]))));
        let single = TOUCHES.get() - before;
        let all: Vec<_> = engine.entities().iter().collect();
        engine.despawn_many(all).unwrap();
        let before = TOUCHES.get();
        let spawned = engine.spawn_many((0..COUNT).map(|n| (Weight(n as u64), Size([0.0; 3]))));
        let many = TOUCHES.get() - before;
        assert_eq!(spawned.len(), COUNT);
        (single, many)
    };
    assert_eq!(within(0, COUNT), (0, 1), "one allocation: the list of ids");
    let (single, _) = within(0, 0);
    let (with_entities, _) = within(COUNT, 0);
    assert!(
        with_entities > 0 && single > with_entities,
        "{single} heap operations, {with_entities} with entities reserved"
    );
}

/// Sends, spawns, inserts and despawns.
struct Weigher;

impl System for Weigher {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::weigh);
    }
}

impl Weigher {
    fn weigh(&mut self, all: Query<(EntityId, &Weight)>, mut pings: Sender<Ping>, mut commands: Commands) {
        for (place, (entity, weight)) in all.iter().enumerate() {
            match place % 4 {
                0 => commands.insert(entity, (Size([1.0; 3]),)),
                1 => commands.spawn((weight.clone(),)),
                2 => commands.despawn(entity),
                _ => pings.send(Ping([place as u64; 3])),
            }
        }
    }
}

#[test]
fn memory_report_equals_what_the_allocator_counts() {
    let before = BYTES.get();
    let mut engine = Engine::builder().trace_causes(2).build();
    engine.add(Weigher).unwrap().add(Listener).unwrap().add(Loud).unwrap();
    let unnamed = BYTES.get() - before - engine.memory().held_bytes() as isize;
    assert!((0..24_000).contains(&unnamed), "{unnamed} bytes describe systems and types");
    engine.spawn_many((0..30_000).map(|n| (Weight(n),)));
    for step in 0..4 {
        let held = BYTES.get() - before - engine.memory().held_bytes() as isize;
        assert!((held - unnamed).abs() < 10_000, "step {step}: {held} bytes are not in the report, {unnamed} at first");
        match step {
            0 => (0..3).for_each(|_| engine.update(FRAME).unwrap()),
            1 => {
                let some: Vec<_> = engine.entities().iter().take(20_000).collect();
                engine.despawn_many(some).unwrap();
            }
            _ => engine.shrink(),
        }
    }
}
