//! Several engines in one process: they share nothing, move between threads, and can be nested.

use ecs::{Engine, EntityId, Query, Setup, System, World};

use super::log::FRAME;

struct Grow;

impl System for Grow {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::grow);
    }
}

impl Grow {
    fn grow(&mut self, mut sizes: Query<&mut u32>) {
        for size in &mut sizes {
            *size += 1;
        }
    }
}

fn grown(frames: u32) -> Engine {
    let mut engine = Engine::new();
    engine.add(Grow).unwrap();
    engine.spawn((0_u32,));
    (0..frames).for_each(|_| engine.update(FRAME).unwrap());
    engine
}

#[test]
fn engines_share_nothing() {
    let (mut a, mut b) = (grown(3), grown(5));
    b.spawn(('x',));
    a.insert_resource(1_u8);
    assert_eq!((a.query::<&u32>().single(), b.query::<&u32>().single()), (Ok(&3), Ok(&5)));
    assert!(a.query::<&char>().is_empty() && b.resource::<u8>().is_none());
    drop(a);
    b.update(FRAME).unwrap();
    assert_eq!(b.query::<&u32>().single(), Ok(&6));
}

#[test]
fn engine_can_be_moved_to_another_thread() {
    fn is_send<T: Send>() {}
    fn is_send_and_sync<T: Send + Sync + ?Sized>() {}
    is_send::<Engine>();
    is_send_and_sync::<World>();
    is_send_and_sync::<ecs::EntityManager>();
    is_send_and_sync::<ecs::ComponentManager>();
    is_send_and_sync::<ecs::EventManager>();
    is_send_and_sync::<ecs::Error>();
    let mut engine = grown(1);
    let engine = std::thread::spawn(move || {
        engine.update(FRAME).unwrap();
        engine
    })
    .join()
    .unwrap();
    assert_eq!(engine.read::<&u32>().single(), Ok(&2));
}

/// A system that owns an engine and updates it.
struct Dream(Engine);

impl System for Dream {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::dream);
    }
}

impl Dream {
    fn dream(&mut self, mut sizes: Query<&mut u32>) {
        self.0.update(FRAME).unwrap();
        fn read(sizes: Query<(EntityId, &u32)>) -> u32 {
            sizes.iter().map(|(_, size)| *size).sum()
        }
        let inner = self.0.run(read).unwrap();
        sizes.iter_mut().for_each(|size| *size += inner);
    }
}

#[test]
fn engine_can_be_a_field_of_a_system() {
    let mut outer = grown(0);
    outer.add(Dream(grown(10))).unwrap();
    outer.update(FRAME).unwrap();
    assert_eq!(outer.query::<&u32>().single(), Ok(&12));
}

#[test]
fn same_inputs_give_the_same_order_of_iteration() {
    let iterate = || {
        let mut engine = Engine::new();
        let all: Vec<_> = (0..50_u32).map(|n| engine.spawn((n,))).collect();
        for id in all.iter().step_by(3) {
            engine.despawn(*id).unwrap();
        }
        for id in all.iter().skip(1).step_by(6) {
            engine.disable(*id).unwrap();
        }
        for n in 0..20_u32 {
            engine.spawn((n + 100,));
        }
        let query = engine.query::<(EntityId, &u32)>();
        query.iter().map(|(id, n)| (id.to_string(), *n)).collect::<Vec<_>>()
    };
    assert_eq!(iterate(), iterate());
}
