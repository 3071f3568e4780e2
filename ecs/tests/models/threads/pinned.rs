//! Systems that only the calling thread runs.

use std::thread::{self, ThreadId};
use std::time::Duration;

use ecs::prelude::*;

struct A;
struct B(u64);
struct C(u64);

/// The threads that ran the pinned function.
#[derive(Default)]
struct Seen(Vec<ThreadId>);

fn draw(mut seen: ResMut<Seen>, all: Query<&A>) {
    assert!(all.count() > 0);
    seen.0.push(thread::current().id());
}

struct Sound(Vec<ThreadId>);

impl System for Sound {
    fn setup(setup: &mut Setup<Self>) {
        setup.pinned().update(Self::play);
    }
}

impl Sound {
    fn play(&mut self, all: Query<&A>) {
        assert!(all.count() > 0);
        self.0.push(thread::current().id());
    }
}

fn work<const FACTOR: u64>(number: &mut u64) {
    (0..200).for_each(|_| *number = number.wrapping_mul(FACTOR).rotate_left(7));
}

#[test]
fn pinned_systems_run_on_the_calling_thread_beside_others_on_any() {
    let mut engine = Engine::builder().threads(4).parallel_threshold(0).build();
    engine.insert_resource(Seen::default());
    engine.spawn_many((0..500).map(|n| (A, B(n), C(n))));
    engine.add(|mut all: Query<&mut B>| all.iter_mut().for_each(|it| work::<3>(&mut it.0))).unwrap();
    let other = |mut all: Query<&mut C>| all.iter_mut().for_each(|it| work::<5>(&mut it.0));
    engine.add((other, draw.pinned())).unwrap().add(Sound(Vec::new())).unwrap();
    for _ in 0..200 {
        engine.update(Duration::ZERO).unwrap();
    }
    let here = thread::current().id();
    assert!(engine.resource::<Seen>().unwrap().0.iter().all(|thread| *thread == here));
    assert_eq!(engine.resource::<Seen>().unwrap().0.len(), 200);
    assert!(engine.system::<Sound>().unwrap().0.iter().all(|thread| *thread == here));
    assert_eq!(engine.system::<Sound>().unwrap().0.len(), 200);
    let explanation = engine.explain().unwrap().to_string();
    assert_eq!(explanation.matches("on the calling thread").count(), 2, "{explanation}");
}
