//! Events, on this framework.

use ecs::event::EntityEvent;
use ecs::{Engine, EntityId, ResMut, Sender, Setup, System};

use super::FRAME;
use crate::cases::Work;
use crate::events::{First, Hit, Second, SendEach, Third, Typed, for_each_type, senders};
use crate::stopwatch::{Runner, repeated};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    if work == Work::Observers {
        return Some(observers(count));
    }
    let threads = if work == Work::HeavyListeners { 2 } else { 1 };
    let mut engine = Engine::builder().threads(threads).build();
    let added = match work {
        Work::Events => engine.add(Hits { count }).and_then(|engine| engine.add(Listener::<0>(0))),
        Work::FanOut => add_ten(&mut engine, count),
        Work::HeavyListeners => add_four(&mut engine, count),
        Work::EventsOfManyTypes => {
            engine.add(ManyTypes { count }).and_then(|engine| engine.add(ListenerOfManyTypes(0)))
        }
        Work::EventsToManySystems => add_hundred(&mut engine, count),
        Work::Cascade => engine.add(Cascades { count, total: 0 }),
        _ => return None,
    };
    added.expect("the systems are valid");
    let total = match work {
        Work::Events | Work::FanOut => totals_of_ten,
        Work::HeavyListeners => totals_of_four,
        Work::EventsOfManyTypes => {
            |engine: &Engine| engine.system::<ListenerOfManyTypes>().map_or(0, |system| system.0)
        }
        Work::EventsToManySystems => totals_of_hundred,
        _ => |engine: &Engine| engine.system::<Cascades>().map_or(0, |system| system.total),
    };
    Some(repeated(engine, |engine| engine.update(FRAME).expect("the frame succeeds"), move |engine| total(engine)))
}

/// A hit on an entity.
#[derive(Clone, Copy)]
struct HitOn(EntityId, Hit);

impl EntityEvent for HitOn {
    fn entity(&self) -> EntityId {
        self.0
    }
}

struct Total(u64);

fn observers(count: usize) -> Runner {
    let mut engine = Engine::new();
    engine.insert_resource(Total(0));
    let entities: Vec<EntityId> = (0..count).map(|_| engine.spawn(())).collect();
    for entity in &entities {
        let hear = |HitOn(_, hit): &HitOn, mut total: ResMut<Total>| total.0 = total.0.wrapping_add(hit.value());
        engine.observe(*entity, hear).expect("the entity exists");
    }
    repeated(
        engine,
        move |engine| {
            entities.iter().enumerate().for_each(|(n, entity)| engine.send(HitOn(*entity, Hit::new(n))));
            engine.update(FRAME).expect("the frame succeeds");
        },
        |engine| engine.resource::<Total>().map_or(0, |total| total.0),
    )
}

/// Sends events of one type.
struct Hits {
    count: usize,
}

impl System for Hits {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send);
    }
}

impl Hits {
    fn send(&mut self, mut hits: Sender<Hit>) {
        (0..self.count).for_each(|n| hits.send(Hit::new(n)));
    }
}

/// One of ten listeners to the same event.
struct Listener<const N: usize>(u64);

impl<const N: usize> System for Listener<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_hit);
    }
}

impl<const N: usize> Listener<N> {
    fn on_hit(&mut self, hit: &Hit) {
        self.0 = self.0.wrapping_add(hit.value());
    }
}

/// One of four listeners to the same event, with much to do.
struct HeavyListener<const N: usize>(u64);

impl<const N: usize> System for HeavyListener<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|listener: &mut Self, hit: &Hit| listener.0 = listener.0.wrapping_add(hit.heavy_value()));
    }
}

fn add_four(engine: &mut Engine, count: usize) -> Result<&mut Engine, ecs::Error> {
    engine.add(HeavyListener::<0>(0))?.add(HeavyListener::<1>(0))?;
    engine.add(HeavyListener::<2>(0))?.add(HeavyListener::<3>(0))?;
    engine.add(Hits { count })
}

fn totals_of_four(engine: &Engine) -> u64 {
    fn total<const N: usize>(engine: &Engine) -> u64 {
        engine.system::<HeavyListener<N>>().map_or(0, |listener| listener.0)
    }
    [total::<0>, total::<1>, total::<2>, total::<3>].iter().map(|total| total(engine)).fold(0, u64::wrapping_add)
}

macro_rules! ten {
    ($($number:literal)*) => {
        fn add_ten(engine: &mut Engine, count: usize) -> Result<&mut Engine, ecs::Error> {
            $(engine.add(Listener::<$number>(0))?;)*
            engine.add(Hits { count })
        }

        fn totals_of_ten(engine: &Engine) -> u64 {
            let totals = [$(engine.system::<Listener<$number>>().map_or(0, |listener| listener.0)),*];
            totals.into_iter().fold(0, u64::wrapping_add)
        }
    };
}
ten!(0 1 2 3 4 5 6 7 8 9);

/// Sends events of a hundred types in turn.
struct ManyTypes {
    count: usize,
}

impl System for ManyTypes {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send);
    }
}

senders!(Sender);

impl<const N: usize> SendEach for Sender<'_, Typed<N>> {
    #[inline]
    fn send_each(&mut self, n: usize) {
        self.send(Typed(Hit::new(n)));
    }
}

impl ManyTypes {
    fn send(&mut self, mut senders: Senders<'_>) {
        (0..self.count).for_each(|n| senders.send_each(n));
    }
}

struct ListenerOfManyTypes(u64);

impl System for ListenerOfManyTypes {
    fn setup(setup: &mut Setup<Self>) {
        macro_rules! listen {
            ($($number:literal)*) => { $(setup.listen(Self::on_typed::<$number>);)* };
        }
        for_each_type!(listen);
    }
}

impl ListenerOfManyTypes {
    fn on_typed<const N: usize>(&mut self, event: &Typed<N>) {
        self.0 = self.0.wrapping_add(event.0.value());
    }
}

/// One of a hundred systems, each of which listens to a type of its own.
struct TypedListener<const N: usize>(u64);

impl<const N: usize> System for TypedListener<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_typed);
    }
}

impl<const N: usize> TypedListener<N> {
    fn on_typed(&mut self, event: &Typed<N>) {
        self.0 = self.0.wrapping_add(event.0.value());
    }
}

macro_rules! hundred {
    ($($number:literal)*) => {
        fn add_hundred(engine: &mut Engine, count: usize) -> Result<&mut Engine, ecs::Error> {
            $(engine.add(TypedListener::<$number>(0))?;)*
            engine.add(ManyTypes { count })
        }

        fn totals_of_hundred(engine: &Engine) -> u64 {
            let totals = [$(engine.system::<TypedListener<$number>>().map_or(0, |listener| listener.0)),*];
            totals.into_iter().fold(0, u64::wrapping_add)
        }
    };
}
for_each_type!(hundred);

/// Sends events that cause a cascade of three rounds.
struct Cascades {
    count: usize,
    total: u64,
}

impl System for Cascades {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send).listen(Self::on_first).listen(Self::on_second).listen(Self::on_third);
    }
}

impl Cascades {
    fn send(&mut self, mut first: Sender<First>) {
        (0..self.count).for_each(|n| first.send(First::new(n)));
    }

    fn on_first(&mut self, event: &First, mut second: Sender<Second>) {
        second.send(event.cause());
    }

    fn on_second(&mut self, event: &Second, mut third: Sender<Third>) {
        third.send(event.cause());
    }

    fn on_third(&mut self, event: &Third) {
        self.total = self.total.wrapping_add(event.value());
    }
}
