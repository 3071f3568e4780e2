//! Listeners that do not wait for each other, against a dispatcher that calls one after the other: random wirings with
//! shared resources, answers, commands, listeners in line and panics, at several numbers of threads.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ecs::engine::Limits;
use ecs::hierarchy::Hierarchy;
use ecs::query::Mut;
use ecs::{Commands, Engine, EngineBuilder, EntityId, Query, Res, ResMut, Sender, Setup, Subscriptions, System};
use proptest::prelude::*;

use super::lanes_model::{Heard, KINDS, Letter, Model, Reaction, State, Touch, WINDOW, Wire, answer, mix, reaction};
use crate::threads::panics::{EXPECTED, silence_expected_panics};

/// Large enough for runs of several segments.
#[derive(Clone, Copy)]
struct Sent<const K: usize>(Letter, [u64; 30]);

impl<const K: usize> Sent<K> {
    fn new(letter: Letter) -> Self {
        Self(letter, [letter.number; 30])
    }

    /// What it says, as it was sent.
    fn letter(&self) -> Letter {
        assert!(self.1.iter().all(|number| *number == self.0.number));
        self.0
    }
}

/// The listeners that were called with it, with the numbers of the events.
#[derive(Default)]
struct Shared<const S: usize>(Vec<(usize, u64)>);

/// Changed by each event of those that touch it.
struct Mark(u64);

#[derive(Debug, PartialEq)]
struct Born(usize, u64);

#[derive(Clone)]
struct Ear {
    seed: u64,
    listener: usize,
    heard: Arc<Mutex<Heard>>,
}

type Senders<'a> =
    (Sender<'a, Sent<0>>, Sender<'a, Sent<1>>, Sender<'a, Sent<2>>, Sender<'a, Sent<3>>, Sender<'a, Sent<4>>);

fn send(senders: &mut Senders, kind: usize, letter: Letter) {
    match kind {
        0 => senders.0.send(Sent::new(letter)),
        1 => senders.1.send(Sent::new(letter)),
        2 => senders.2.send(Sent::new(letter)),
        3 => senders.3.send(Sent::new(letter)),
        _ => senders.4.send(Sent::new(letter)),
    }
}

impl Ear {
    fn hear(&self, letter: Letter, first: usize, second: usize) {
        self.heard.lock().unwrap().push((letter.number, first, second));
    }

    /// A silent one only panics.
    fn react(&self, letter: Letter, out: Option<(Senders, Commands)>) {
        let Self { seed, listener, .. } = *self;
        let reaction = reaction(seed, listener, letter);
        if let Some((mut senders, mut commands)) = out {
            match reaction {
                Reaction::Nothing => {}
                Reaction::Send { kind, count } => {
                    (0..count).for_each(|n| send(&mut senders, kind, answer(listener, letter, n)));
                }
                Reaction::Spawn => commands.spawn((Born(listener, letter.number),)),
                Reaction::Panic { kind } => send(&mut senders, kind, answer(listener, letter, 0)),
            }
        }
        if let Reaction::Panic { .. } = reaction {
            panic!("{EXPECTED}: {listener} at {}", letter.number);
        }
    }
}

fn listen<const K: usize>(engine: &mut Engine, touch: Touch, ear: Ear) {
    type Event<const K: usize> = Sent<K>;
    let result = match touch {
        Touch::Nothing => engine.listen(move |event: &Event<K>, senders: Senders, commands: Commands| {
            ear.hear(event.letter(), 0, 0);
            ear.react(event.letter(), Some((senders, commands)));
        }),
        Touch::WritesFirst => engine.listen(
            move |event: &Event<K>, mut first: ResMut<Shared<0>>, senders: Senders, commands: Commands| {
                ear.hear(event.letter(), first.0.len(), 0);
                first.0.push((ear.listener, event.letter().number));
                ear.react(event.letter(), Some((senders, commands)));
            },
        ),
        Touch::WritesSecond => engine.listen(
            move |event: &Event<K>, mut second: ResMut<Shared<1>>, senders: Senders, commands: Commands| {
                ear.hear(event.letter(), 0, second.0.len());
                second.0.push((ear.listener, event.letter().number));
                ear.react(event.letter(), Some((senders, commands)));
            },
        ),
        Touch::ReadsFirst => {
            engine.listen(move |event: &Event<K>, first: Res<Shared<0>>, senders: Senders, commands: Commands| {
                ear.hear(event.letter(), first.0.len(), 0);
                ear.react(event.letter(), Some((senders, commands)));
            })
        }
        Touch::Both => engine.listen(
            move |event: &Event<K>,
                  mut first: ResMut<Shared<0>>,
                  second: Res<Shared<1>>,
                  senders: Senders,
                  commands: Commands| {
                ear.hear(event.letter(), first.0.len(), second.0.len());
                first.0.push((ear.listener, event.letter().number));
                ear.react(event.letter(), Some((senders, commands)));
            },
        ),
        Touch::Marks => {
            engine.listen(move |event: &Event<K>, mut marks: Query<&mut Mark>, senders: Senders, commands: Commands| {
                marks.iter_mut().for_each(|mark| mark.0 = mix(mark.0, event.letter().number));
                ear.hear(event.letter(), 0, 0);
                ear.react(event.letter(), Some((senders, commands)));
            })
        }
        Touch::InLine => {
            engine.listen(move |event: &Event<K>, _: Subscriptions, senders: Senders, commands: Commands| {
                ear.hear(event.letter(), 0, 0);
                ear.react(event.letter(), Some((senders, commands)));
            })
        }
        Touch::Silent => engine.listen(move |event: &Event<K>| {
            ear.hear(event.letter(), 0, 0);
            ear.react(event.letter(), None);
        }),
        Touch::SilentMarks => engine.listen(move |event: &Event<K>, mut marks: Query<Mut<Mark>>| {
            let mut mark = marks.iter_mut().next().expect("there is one");
            ear.hear(event.letter(), usize::from(mark.is_changed()), 0);
            mark.0 = mix(mark.0, event.letter().number);
            ear.react(event.letter(), None);
        }),
        Touch::SilentHierarchy => engine.listen(move |event: &Event<K>, hierarchy: Hierarchy| {
            assert_eq!(hierarchy.parent(EntityId::from_bits(0)), None);
            ear.hear(event.letter(), 0, 0);
            ear.react(event.letter(), None);
        }),
        Touch::SilentSecond => engine.listen(move |event: &Event<K>, mut second: ResMut<Shared<1>>| {
            ear.hear(event.letter(), 0, second.0.len());
            second.0.push((ear.listener, event.letter().number));
            ear.react(event.letter(), None);
        }),
    };
    result.unwrap();
}

/// An engine with listeners, and what each of them heard.
struct Wired {
    engine: Engine,
    heard: Vec<Arc<Mutex<Heard>>>,
    panics: Vec<Option<String>>,
    delivered: Vec<u64>,
}

impl Wired {
    fn new(seed: u64, wires: &[Wire], mut engine: Engine) -> Self {
        engine.insert_resource(Shared::<0>::default());
        engine.insert_resource(Shared::<1>::default());
        engine.spawn((Mark(1),));
        let mut heard = Vec::new();
        for (listener, Wire { kind, touch }) in wires.iter().enumerate() {
            let own = Arc::<Mutex<Heard>>::default();
            heard.push(Arc::clone(&own));
            let ear = Ear { seed, listener, heard: own };
            [listen::<0>, listen::<1>, listen::<2>, listen::<3>, listen::<4>][*kind](&mut engine, *touch, ear);
        }
        Self { engine, heard, panics: Vec::new(), delivered: Vec::new() }
    }

    fn frame(&mut self, sent: &[(usize, Letter)]) {
        for (kind, letter) in sent {
            match kind {
                0 => self.engine.send(Sent::<0>::new(*letter)),
                1 => self.engine.send(Sent::<1>::new(*letter)),
                2 => self.engine.send(Sent::<2>::new(*letter)),
                3 => self.engine.send(Sent::<3>::new(*letter)),
                _ => self.engine.send(Sent::<4>::new(*letter)),
            }
        }
        let result = catch_unwind(AssertUnwindSafe(|| self.engine.update(Duration::from_millis(1))));
        self.panics.push(match result {
            Ok(result) => {
                result.unwrap();
                None
            }
            Err(payload) => {
                let text = payload.downcast::<String>().expect("panics of listeners have texts");
                Some(text[text.find(EXPECTED).unwrap()..].to_owned())
            }
        });
        self.delivered.push(self.engine.events().iter().map(|(_, counters)| counters.delivered).sum());
    }

    fn state(&mut self) -> State {
        let first = self.engine.resource::<Shared<0>>().unwrap().0.clone();
        let second = self.engine.resource::<Shared<1>>().unwrap().0.clone();
        State {
            heard: self.heard.iter().map(|heard| heard.lock().unwrap().clone()).collect(),
            first,
            second,
            born: self.engine.query::<&Born>().into_iter().map(|born| (born.0, born.1)).collect(),
            mark: self.engine.query::<&Mark>().into_iter().next().unwrap().0,
            delivered: self.delivered.clone(),
            counters: [counters::<0>, counters::<1>, counters::<2>, counters::<3>, counters::<4>]
                .map(|of| of(&self.engine))
                .to_vec(),
            waiting: self.engine.events().waiting(),
            panics: self.panics.clone(),
        }
    }
}

fn counters<const K: usize>(engine: &Engine) -> (u64, u64) {
    engine.events().counters::<Sent<K>>().map_or((0, 0), |counters| (counters.sent, counters.delivered))
}

fn engines() -> Vec<(&'static str, Engine)> {
    let threads = |threads| Engine::builder().threads(threads).parallel_threshold(1).build();
    vec![
        ("one thread", Engine::new()),
        ("traced", Engine::builder().trace_causes(3).build()),
        ("metered", Engine::builder().clock(|| Duration::ZERO).build()),
        ("two threads", threads(2)),
        ("four threads", threads(4)),
    ]
}

/// Compares every engine with the model, until no event waits.
fn compare(seed: u64, wires: &[Wire], frames: &[Vec<(usize, Letter)>]) -> Result<(), TestCaseError> {
    silence_expected_panics();
    let mut model = Model::new(seed, wires);
    frames.iter().for_each(|sent| model.frame(sent));
    let mut more = 0;
    while model.state.panics.last().is_some_and(Option::is_some) {
        model.frame(&[]);
        more += 1;
    }
    for (name, engine) in engines() {
        let mut wired = Wired::new(seed, wires, engine);
        frames.iter().for_each(|sent| wired.frame(sent));
        (0..more).for_each(|_| wired.frame(&[]));
        prop_assert_eq!(&wired.state(), &model.state, "with {}", name);
    }
    Ok(())
}

fn letters(kinds: &[usize], salt: u64) -> Vec<(usize, Letter)> {
    let letter = |n: usize| Letter { number: mix(salt, n as u64), generations: 3 };
    kinds.iter().enumerate().map(|(n, kind)| (*kind, letter(n))).collect()
}

/// The kinds of what is sent before a frame: in turn, or in runs of several segments.
fn burst() -> impl Strategy<Value = Vec<usize>> {
    let runs = (0..KINDS, prop_oneof![6 => 1..3_usize, 1 => 10..30_usize]);
    let kinds = |runs: Vec<(usize, usize)>| runs.iter().flat_map(|(kind, count)| vec![*kind; *count]).collect();
    prop::collection::vec(runs, 0..25).prop_map(kinds)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn listeners_cannot_tell_lanes_from_a_line(
        seed in any::<u64>(),
        wires in prop::collection::vec((0..KINDS, prop::sample::select(&Touch::ALL[..])), 1..9),
        frames in prop::collection::vec(burst(), 1..6),
    ) {
        let wires: Vec<_> = wires.into_iter().map(|(kind, touch)| Wire { kind, touch }).collect();
        let frames: Vec<_> = frames.iter().zip(0..).map(|(kinds, salt)| letters(kinds, mix(seed, salt))).collect();
        compare(seed, &wires, &frames)?;
    }
}

/// A run that goes on where the first window ends, and a listener that panics in the second one: what the others get
/// tells where that one ends.
#[test]
fn windows_end_in_the_same_places() {
    let wires = [(0, Touch::Silent), (1, Touch::Silent), (2, Touch::WritesSecond), (2, Touch::SilentSecond)];
    let wires = wires.map(|(kind, touch)| Wire { kind, touch });
    let seed = 1;
    let panics = |letter: Letter, listener| matches!(reaction(seed, listener, letter), Reaction::Panic { .. });
    let panicking = |letter: Letter| (0..wires.len()).filter(|listener| panics(letter, *listener)).collect::<Vec<_>>();
    let letters: Vec<_> = (0..).map(|n| Letter { number: mix(seed, n), generations: 0 }).take(100_000).collect();
    let mut calm = letters.iter().filter(|letter| panicking(**letter).is_empty());
    let mut broken = letters.iter().filter(|letter| panicking(**letter) == [1]);
    // So long that it needs two chunks of memory, behind the place where the window would end without it.
    let long = WINDOW - 3_000..WINDOW + 12_000;
    let sent = (0..4 * WINDOW).map(|n| match n {
        30_000 => (1, *broken.next().unwrap()),
        n if long.contains(&n) => (0, *calm.next().unwrap()),
        n => (n % 3, *calm.next().unwrap()),
    });
    compare(seed, &wires, &[sent.collect()]).unwrap();
}

/// Panics at the event 1, and counts the others.
struct First(Vec<u64>);
/// Waits for [`First`], since both write the log.
struct Second(Vec<u64>);

impl System for First {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|first: &mut Self, event: &Sent<0>, _: ResMut<Shared<0>>| {
            first.0.push(event.letter().number);
            assert!(event.letter().number != 1, "{EXPECTED}");
        });
    }
}

impl System for Second {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|second: &mut Self, event: &Sent<1>, _: ResMut<Shared<0>>| second.0.push(event.0.number));
    }
}

/// The engines with these two systems, and with two listeners in lanes of their own.
fn with_two_systems() -> Vec<(&'static str, Engine)> {
    silence_expected_panics();
    let mut engines = engines();
    for (_, engine) in &mut engines {
        engine.insert_resource(Shared::<0>::default());
        engine.add(First(Vec::new())).unwrap().add(Second(Vec::new())).unwrap();
        engine.listen(|_: &Sent<2>| {}).unwrap();
        engine.listen(|_: &Sent<2>| {}).unwrap();
    }
    engines
}

fn send_numbers(engine: &mut Engine, sent: &[(usize, u64)]) {
    for (kind, number) in sent {
        let letter = Letter { number: *number, generations: 0 };
        match kind {
            0 => engine.send(Sent::<0>::new(letter)),
            1 => engine.send(Sent::<1>::new(letter)),
            _ => engine.send(Sent::<2>::new(letter)),
        }
    }
}

fn update(engine: &mut Engine) -> bool {
    catch_unwind(AssertUnwindSafe(|| engine.update(Duration::from_millis(1)).unwrap())).is_ok()
}

#[test]
fn disabled_systems_miss_what_comes_meanwhile_whoever_panics() {
    for (name, mut engine) in with_two_systems() {
        engine.disable_system::<Second>().unwrap();
        send_numbers(&mut engine, &[(0, 1), (2, 5), (0, 2), (1, 3)]);
        assert!(!update(&mut engine), "{name}");
        engine.enable_system::<Second>().unwrap();
        send_numbers(&mut engine, &[(1, 4)]);
        assert!(update(&mut engine), "{name}");
        assert_eq!(engine.system::<First>().unwrap().0, [1, 2], "{name}");
        assert_eq!(engine.system::<Second>().unwrap().0, [4], "{name}");
    }
}

#[test]
fn nothing_waits_for_listeners_that_are_unsubscribed() {
    for (name, mut engine) in with_two_systems() {
        engine.order().unwrap();
        engine.run(|mut subscriptions: Subscriptions| _ = subscriptions.unsubscribe::<Second, Sent<1>>()).unwrap();
        send_numbers(&mut engine, &[(1, 3), (2, 5), (0, 1)]);
        assert!(!update(&mut engine), "{name}");
        assert_eq!(engine.events().waiting(), 0, "{name}");
        engine.run(|mut subscriptions: Subscriptions| _ = subscriptions.subscribe::<Second, Sent<1>>()).unwrap();
        assert!(update(&mut engine), "{name}");
        assert!(engine.system::<Second>().unwrap().0.is_empty(), "{name}");
    }
}

/// A listener that reaches a limit goes on with its next event, so each engine stops it at the same ones.
#[test]
fn limits_are_reached_at_the_same_events() {
    let of = |builder: EngineBuilder| {
        let limits = Limits { event_bytes: 20_000, ..Limits::default() };
        let mut engine = builder.limits(limits).build();
        for _ in 0..3 {
            let answer = |event: &Sent<0>, mut sender: Sender<Sent<1>>| {
                (0..2).for_each(|_| sender.send(Sent::new(event.0)));
            };
            engine.listen(answer).unwrap();
        }
        let mut answers = engine.reader::<Sent<1>>().unwrap();
        // Runs of several segments from outside, up to the limit.
        send_numbers(&mut engine, &(0..70).map(|n| (usize::from(n % 20 == 0) * 2, n)).collect::<Vec<_>>());
        let error = engine.update(Duration::from_millis(1)).unwrap_err().to_string();
        (error, answers.drain().map(|answer| answer.0.number).collect::<Vec<_>>(), engine.events().waiting())
    };
    let expected = of(Engine::builder());
    for threads in [2, 4] {
        assert_eq!(of(Engine::builder().threads(threads).parallel_threshold(1)), expected);
    }
}

/// Without entities, so that nothing but events makes the frame worth another thread.
#[test]
fn workers_take_part_when_two_lanes_have_enough_events() {
    let mut engine = Engine::builder().threads(2).build();
    let helped = Arc::<Mutex<BTreeSet<usize>>>::default();
    for listener in 0..2 {
        let helped = Arc::clone(&helped);
        let hear = move |_: &Sent<0>| {
            if std::thread::current().name() == Some("ecs-1") {
                helped.lock().unwrap().insert(listener);
            }
        };
        engine.listen(hear).unwrap();
    }
    // A worker that wakes late finds nothing left in that frame.
    let frames = (0..10_000).take_while(|_| helped.lock().unwrap().is_empty());
    frames.for_each(|_| {
        (0..1_024).for_each(|number| engine.send(Sent::<0>::new(Letter { number, generations: 0 })));
        engine.update(Duration::from_millis(1)).unwrap();
    });
    assert!(!helped.lock().unwrap().is_empty(), "a worker has called a listener");
}
