//! Random schedules: systems, order, timers and worlds; and all visible results of a run.

use std::sync::Arc;
use std::time::Duration;

use ecs::{CommandError, Engine, Res, StateHash, system::condition::any_with};
use proptest::prelude::*;

use crate::threads::workers::{
    C, Conditional, Elsewhere, Inner, Membership, Middle, Sent, Settings, Shared, Side, WORKERS, Witness, c, mix,
};

/// Workers in the order of adding, and their world.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pub(crate) workers: Vec<(usize, Settings)>,
    pub(crate) entities: u64,
    pub(crate) frames: usize,
}

impl Schedule {
    /// Workers that run in the given order in every frame.
    pub(crate) fn of(workers: impl IntoIterator<Item = usize>, entities: u64) -> Self {
        let workers = workers.into_iter().map(|worker| (worker, Settings::NONE)).collect();
        Self { workers, entities, frames: 3 }
    }
}

pub(crate) fn any_schedule() -> impl Strategy<Value = Schedule> {
    let all: Vec<_> = (0..WORKERS.len()).collect();
    let workers = prop::sample::subsequence(all, 1..=WORKERS.len()).prop_shuffle();
    // Few priorities, so some are equal.
    let priority = 0_u16..12;
    let interval_ms = prop::option::weighted(0.2, 4_u64..50);
    let side = prop_oneof![6 => Just(Side::Any), 1 => Just(Side::Before), 1 => Just(Side::After)];
    let membership = prop_oneof![
        3 => Just(Membership::None),
        1 => Just(Membership::Conditional),
        1 => Just(Membership::Inner),
    ];
    let settings = (priority, interval_ms, any::<bool>(), side, membership, prop::bool::weighted(0.2));
    let settings = settings.prop_map(|(priority, interval_ms, runs_each_interval, side, membership, has_condition)| {
        Settings { priority, interval_ms, runs_each_interval, side, membership, has_condition }
    });
    let settings = prop::collection::vec(settings, WORKERS.len());
    let entities = prop_oneof![9 => 0_u64..40, 1 => 300_u64..=3_000];
    (workers, settings, entities).prop_map(|(workers, settings, entities)| Schedule {
        workers: workers.into_iter().zip(settings).collect(),
        entities,
        frames: if entities < 300 { 3 } else { 2 },
    })
}

pub(crate) fn engine(threads: usize, schedule: &Schedule, elsewhere: &Arc<Elsewhere>) -> Engine {
    let mut engine = Engine::builder().threads(threads).parallel_threshold(0).dispatch_rounds(200).build();
    add_types::<0>(&mut engine);
    add_types::<1>(&mut engine);
    add_types::<2>(&mut engine);
    add_types::<3>(&mut engine);
    engine.add(Witness(0)).unwrap().add(Middle).unwrap();
    engine.configure_set::<Conditional>(|set| set.run_if(|shared: Res<Shared<1>>| shared.0 % 3 != 1)).unwrap();
    engine.configure_set::<Inner>(|set| set.in_set::<Conditional>().run_if(any_with::<C<2>>)).unwrap();
    for (worker, settings) in &schedule.workers {
        WORKERS[*worker](&mut engine, *settings, elsewhere);
    }
    for index in 0..schedule.entities {
        let value = mix(index, 12345);
        match value % 4 {
            0 => engine.spawn((c::<0>(value), c::<1>(index))),
            1 => engine.spawn((c::<0>(value), c::<1>(index), c::<2>(value / 3), c::<3>(value / 7))),
            2 => engine.spawn((c::<2>(value), c::<3>(index))),
            _ => engine.spawn((c::<3>(value), c::<0>(index))),
        };
    }
    engine
}

/// Inserts the resource, and names the types with the number `N`, so that the state can be hashed.
fn add_types<const N: usize>(engine: &mut Engine) {
    engine.insert_resource(Shared::<N>(0));
    let types = engine.types_mut();
    types.component_by(&format!("c{N}"), |value: &C<N>, hash| _ = hash.add(&(value.0, value.1))).unwrap();
    types.resource_by(&format!("shared{N}"), |shared: &Shared<N>, hash| _ = hash.number(shared.0)).unwrap();
    types.event_by(&format!("sent{N}"), |sent: &Sent<N>, hash| _ = hash.add(&(sent.by, sent.value))).unwrap();
}

/// The number of next ids that are compared.
const NEXT_IDS: usize = 64;

/// All visible results of a run.
pub(crate) struct Trace {
    /// The state hash after each frame, which includes components with their owners in pool order, disabled ones,
    /// states of systems, resources, timers and waiting events; and the failed commands.
    frames: Vec<(StateHash, Vec<CommandError>)>,
    next_ids: Vec<u64>,
    /// The number of entities at the end.
    pub(crate) entities: usize,
}

impl Trace {
    pub(crate) fn of(threads: usize, schedule: &Schedule, elsewhere: &Arc<Elsewhere>) -> Self {
        let mut engine = engine(threads, schedule, elsewhere);
        let frames = (0..schedule.frames).map(|_| {
            engine.update(Duration::from_millis(16)).unwrap();
            (engine.state_hash().unwrap(), engine.command_errors().to_vec())
        });
        let frames = frames.collect();
        let entities = engine.entities().len();
        Self { frames, next_ids: (0..NEXT_IDS).map(|_| engine.spawn(()).bits()).collect(), entities }
    }

    /// The first difference.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        for (frame, (own, others)) in self.frames.iter().zip(&other.frames).enumerate() {
            if let Some(part) = own.0.first_difference(&others.0) {
                return Some(format!("{part} after frame {}", frame + 1));
            }
            if own.1 != others.1 {
                return Some(format!("failed commands of frame {}: {:?}, {:?}", frame + 1, own.1, others.1));
            }
        }
        assert_eq!(self.frames.len(), other.frames.len());
        (self.next_ids != other.next_ids).then(|| format!("next ids: {:?}, {:?}", self.next_ids, other.next_ids))
    }
}
