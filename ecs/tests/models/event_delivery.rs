//! Event delivery against its model: random systems send random types, answer, and toggle each other's listeners.

use std::collections::BTreeSet;
use std::time::Duration;

use ecs::{Engine, Event, Res, ResMut, Sender, Setup, Subscriptions, System};
use proptest::prelude::*;

use super::event_delivery_model::{
    Delivered, Feed, GENERATIONS, KINDS, Letter, Model, NODES, Outside, Reaction, reaction,
};

/// An event of one of three types, of 16, 16 and 208 bytes.
#[derive(Clone, Copy)]
struct Small(Letter);
#[derive(Clone, Copy)]
struct Other(Letter);
#[derive(Clone, Copy)]
struct Large(Letter, [u64; 24]);

struct Seed(u64);
/// Numbers the events in the order of sending.
struct NextNumber(u64);
struct Updates([Vec<(usize, usize)>; NODES]);
#[derive(Default)]
struct Log(Vec<Delivered>);

struct Senders<'w> {
    small: Sender<'w, Small>,
    other: Sender<'w, Other>,
    large: Sender<'w, Large>,
}

impl Senders<'_> {
    fn send(&mut self, kind: usize, count: usize, generations: u8, next: &mut NextNumber) {
        for _ in 0..count {
            let letter = Letter { number: next.0, generations };
            next.0 += 1;
            match kind {
                0 => self.small.send(Small(letter)),
                1 => self.other.send(Other(letter)),
                _ => self.large.send(Large(letter, [letter.number; 24])),
            }
        }
    }
}

struct Node<const N: usize>;

impl<const N: usize> System for Node<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).listen(Self::on_small).listen(Self::on_other).listen(Self::on_large);
    }
}

impl<const N: usize> Node<N> {
    fn update(
        &mut self,
        updates: Res<Updates>,
        mut next: ResMut<NextNumber>,
        small: Sender<Small>,
        other: Sender<Other>,
        large: Sender<Large>,
    ) {
        let mut senders = Senders { small, other, large };
        for (kind, count) in &updates.0[N] {
            senders.send(*kind, *count, GENERATIONS, &mut next);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn on_small(
        &mut self,
        event: &Small,
        seed: Res<Seed>,
        mut log: ResMut<Log>,
        mut next: ResMut<NextNumber>,
        small: Sender<Small>,
        other: Sender<Other>,
        large: Sender<Large>,
        mut subscriptions: Subscriptions,
    ) {
        log.0.push(Delivered { node: N, kind: 0, number: event.0.number });
        let reaction = reaction(seed.0, N, 0, event.0);
        toggle(reaction, &mut subscriptions);
        answer(reaction, event.0, &mut Senders { small, other, large }, &mut next);
    }

    #[allow(clippy::too_many_arguments)]
    fn on_other(
        &mut self,
        event: &Other,
        seed: Res<Seed>,
        mut log: ResMut<Log>,
        mut next: ResMut<NextNumber>,
        small: Sender<Small>,
        other: Sender<Other>,
        large: Sender<Large>,
        mut subscriptions: Subscriptions,
    ) {
        log.0.push(Delivered { node: N, kind: 1, number: event.0.number });
        let reaction = reaction(seed.0, N, 1, event.0);
        toggle(reaction, &mut subscriptions);
        answer(reaction, event.0, &mut Senders { small, other, large }, &mut next);
    }

    /// Has no `Subscriptions`, so whole runs are delivered at once.
    #[allow(clippy::too_many_arguments)]
    fn on_large(
        &mut self,
        event: &Large,
        seed: Res<Seed>,
        mut log: ResMut<Log>,
        mut next: ResMut<NextNumber>,
        small: Sender<Small>,
        other: Sender<Other>,
        large: Sender<Large>,
    ) {
        assert!(event.1.iter().all(|word| *word == event.0.number));
        log.0.push(Delivered { node: N, kind: 2, number: event.0.number });
        let reaction = reaction(seed.0, N, 2, event.0);
        answer(reaction, event.0, &mut Senders { small, other, large }, &mut next);
    }
}

fn answer(reaction: Reaction, letter: Letter, senders: &mut Senders, next: &mut NextNumber) {
    if let Reaction::Send { kind, count } = reaction {
        senders.send(kind, count, letter.generations - 1, next);
    }
}

fn toggle(reaction: Reaction, subscriptions: &mut Subscriptions) {
    match reaction {
        Reaction::Subscribe { node, kind } => subscribe(node, kind, true, subscriptions),
        Reaction::Unsubscribe { node, kind } => subscribe(node, kind, false, subscriptions),
        Reaction::Restart { node, kind } => {
            subscribe(node, kind, false, subscriptions);
            subscribe(node, kind, true, subscriptions);
        }
        Reaction::Nothing | Reaction::Send { .. } => {}
    }
}

fn subscribe(node: usize, kind: usize, on: bool, subscriptions: &mut Subscriptions) {
    fn one<const N: usize, E: Event>(on: bool, subscriptions: &mut Subscriptions) {
        match on {
            true => subscriptions.subscribe::<Node<N>, E>(),
            false => subscriptions.unsubscribe::<Node<N>, E>(),
        };
    }
    fn all<const N: usize>(kind: usize, on: bool, subscriptions: &mut Subscriptions) {
        match kind {
            0 => one::<N, Small>(on, subscriptions),
            1 => one::<N, Other>(on, subscriptions),
            _ => one::<N, Large>(on, subscriptions),
        }
    }
    match node {
        0 => all::<0>(kind, on, subscriptions),
        1 => all::<1>(kind, on, subscriptions),
        2 => all::<2>(kind, on, subscriptions),
        _ => all::<3>(kind, on, subscriptions),
    }
}

fn engine(seed: u64) -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Seed(seed));
    engine.insert_resource(NextNumber(0));
    engine.insert_resource(Updates(Default::default()));
    engine.insert_resource(Log::default());
    engine.add(Node::<0>).unwrap().add(Node::<1>).unwrap().add(Node::<2>).unwrap().add(Node::<3>).unwrap();
    engine.order().unwrap();
    engine
}

fn frame(engine: &mut Engine, feed: &Feed) {
    for action in &feed.outside {
        match *action {
            Outside::Send { kind } => {
                let next = engine.resource_mut::<NextNumber>().unwrap();
                let letter = Letter { number: next.0, generations: GENERATIONS };
                next.0 += 1;
                match kind {
                    0 => engine.send(Small(letter)),
                    1 => engine.send(Other(letter)),
                    _ => engine.send(Large(letter, [letter.number; 24])),
                }
            }
            Outside::Enable { node, on } => {
                fn set<const N: usize>(engine: &mut Engine, on: bool) {
                    let result =
                        if on { engine.enable_system::<Node<N>>() } else { engine.disable_system::<Node<N>>() };
                    result.unwrap();
                }
                [set::<0>, set::<1>, set::<2>, set::<3>][node](engine, on);
            }
            Outside::Subscribe { node, kind, on } => {
                engine
                    .run(|mut subscriptions: Subscriptions<'_>| subscribe(node, kind, on, &mut subscriptions))
                    .unwrap();
            }
        }
    }
    engine.resource_mut::<Updates>().unwrap().0 = feed.updates.clone();
    engine.update(Duration::from_millis(1)).unwrap();
}

fn outside() -> impl Strategy<Value = Outside> {
    prop_oneof![
        4 => (0..KINDS).prop_map(|kind| Outside::Send { kind }),
        1 => (0..NODES, any::<bool>()).prop_map(|(node, on)| Outside::Enable { node, on }),
        1 => (0..NODES, 0..KINDS, any::<bool>()).prop_map(|(node, kind, on)| Outside::Subscribe { node, kind, on }),
    ]
}

fn feed() -> impl Strategy<Value = Feed> {
    let count = prop_oneof![8 => 1..4_usize, 1 => 100..300_usize];
    let update = || prop::collection::vec((0..KINDS, count.clone()), 0..4);
    let updates = [update(), update(), update(), update()];
    (prop::collection::vec(outside(), 0..6), updates).prop_map(|(outside, updates)| Feed { outside, updates })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn events_are_delivered_as_the_model_delivers_them(seed in any::<u64>(), feeds in prop::collection::vec(feed(), 1..8)) {
        let (mut first, mut second, mut model) = (engine(seed), engine(seed), Model::new(seed));
        for feed in &feeds {
            frame(&mut first, feed);
            frame(&mut second, feed);
            model.frame(feed);
            let log = &first.resource::<Log>().unwrap().0;
            prop_assert!(*log == second.resource::<Log>().unwrap().0, "two engines with the same inputs must agree");
            let same = log.iter().zip(&model.log).take_while(|(a, b)| a == b).count();
            prop_assert!(
                same == log.len() && same == model.log.len(),
                "after {same} deliveries: {:?} instead of {:?}", log.get(same), model.log.get(same)
            );
            let delivered: u64 = first.events().iter().map(|(_, counters)| counters.delivered).sum();
            prop_assert_eq!(delivered, log.len() as u64);
            prop_assert_eq!(first.events().waiting(), 0);
        }
        let log = &first.resource::<Log>().unwrap().0;
        let once: BTreeSet<_> = log.iter().map(|delivered| (delivered.node, delivered.kind, delivered.number)).collect();
        prop_assert_eq!(once.len(), log.len(), "each event is delivered once");
    }
}
