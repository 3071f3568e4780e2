//! Events: order, runs, cascades and their budget, counters, and all layouts.

use ecs::{Engine, Error, ResMut, Sender, Setup, System, system::CascadeError};

use super::log::{self, FRAME, Log};

#[derive(Clone, Copy)]
struct Ping(u32);
#[derive(Clone, Copy)]
struct Pong(u32);

/// Sends events of alternating types.
struct Mixer;

impl System for Mixer {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send);
    }
}

impl Mixer {
    fn send(&mut self, mut pings: Sender<Ping>, mut pongs: Sender<Pong>) {
        pings.send(Ping(1));
        pongs.send(Pong(2));
        pongs.send(Pong(3));
        pings.send(Ping(4));
    }
}

struct Later;

impl System for Later {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send).after_type::<Mixer>();
    }
}

impl Later {
    fn send(&mut self, mut pings: Sender<Ping>) {
        pings.send(Ping(5));
    }
}

macro_rules! listener {
    ($name:ident, $tag:literal) => {
        struct $name;
        impl System for $name {
            fn setup(setup: &mut Setup<Self>) {
                setup.listen(Self::on_ping).listen(Self::on_pong);
            }
        }
        impl $name {
            fn on_ping(&mut self, ping: &Ping, mut log: ResMut<Log>) {
                log.note(format!("{}{}", $tag, ping.0));
            }
            fn on_pong(&mut self, pong: &Pong, mut log: ResMut<Log>) {
                log.note(format!("{}{}", $tag, pong.0));
            }
        }
    };
}

listener!(EarA, "a");
listener!(EarB, "b");

#[test]
fn events_are_delivered_first_in_first_out_across_types_and_senders() {
    let mut engine = log::engine();
    engine.add(Later).unwrap().add(EarA).unwrap().add(Mixer).unwrap();
    assert_eq!(log::frame(&mut engine), "a1 a2 a3 a4 a5");
}

#[test]
fn run_is_delivered_listener_by_listener() {
    let mut engine = log::engine();
    engine.add(EarB).unwrap().add(EarA).unwrap().add(Mixer).unwrap().add(Later).unwrap();
    assert_eq!(
        log::frame(&mut engine),
        "b1 a1 b2 b3 a2 a3 b4 a4 b5 a5",
        "runs end where the type or the sender changes"
    );
}

#[test]
fn events_sent_between_frames_are_delivered_first() {
    let mut engine = log::engine();
    engine.add(EarA).unwrap().add(Mixer).unwrap();
    engine.send(Ping(8));
    engine.send(Pong(9));
    assert_eq!(log::logged(&mut engine), "", "nothing is delivered outside of a frame");
    assert_eq!(log::frame(&mut engine), "a8 a9 a1 a2 a3 a4");
    assert_eq!(log::frame(&mut engine), "a1 a2 a3 a4", "only once");
}

#[test]
fn event_is_delivered_once_to_each_listener() {
    let mut engine = log::engine();
    engine.add(EarA).unwrap().add(EarB).unwrap();
    engine.send(Ping(1));
    assert_eq!(log::frame(&mut engine), "a1 b1");
    assert_eq!(log::frame(&mut engine), "");
    let counters = engine.events().counters::<Ping>().unwrap();
    assert_eq!((counters.sent, counters.delivered, counters.bytes, counters.peak), (1, 2, 4, 1));
    assert!(engine.events().counters::<u8>().is_none());
}

#[test]
fn waiting_counts_what_the_next_dispatch_delivers() {
    let mut engine = log::engine();
    engine.add(EarA).unwrap().add(Mixer).unwrap();
    assert_eq!(engine.events().waiting(), 0);
    engine.send(Ping(1));
    engine.send(Ping(2));
    assert_eq!(engine.events().waiting(), 2);
    fn send(mut pongs: Sender<Pong>) {
        pongs.send(Pong(3));
    }
    engine.run(send).unwrap();
    assert_eq!(engine.events().waiting(), 3);
    log::frame(&mut engine);
    assert_eq!(engine.events().waiting(), 0);
}

/// Answers each ping with pongs and each pong with a ping, until the numbers reach the limit.
struct Echo {
    limit: u32,
    answers: u32,
}

impl System for Echo {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_ping).listen(Self::on_pong);
    }
}

impl Echo {
    fn on_ping(&mut self, ping: &Ping, mut pongs: Sender<Pong>) {
        if ping.0 < self.limit {
            for _ in 0..self.answers {
                pongs.send(Pong(ping.0 + 1));
            }
        }
    }

    fn on_pong(&mut self, pong: &Pong, mut pings: Sender<Ping>) {
        if pong.0 < self.limit {
            pings.send(Ping(pong.0 + 1));
        }
    }
}

#[test]
fn events_of_listeners_are_appended_to_the_queue() {
    let mut engine = log::engine();
    engine.add(Echo { limit: 3, answers: 1 }).unwrap().add(EarA).unwrap();
    engine.send(Ping(1));
    engine.send(Ping(10));
    engine.send(Pong(20));
    assert_eq!(log::frame(&mut engine), "a1 a10 a20 a2 a3");
}

#[test]
fn cascade_below_the_budget_is_delivered_completely() {
    let mut engine = Engine::builder().dispatch_rounds(1_000).build();
    engine.insert_resource(Log::default());
    engine.add(Echo { limit: 999, answers: 1 }).unwrap().add(EarA).unwrap();
    engine.send(Ping(0));
    assert_eq!(log::frame(&mut engine).split(' ').count(), 1_000);
}

#[test]
fn endless_cascade_is_an_error_that_names_the_cycle() {
    let mut engine = log::engine();
    engine.add(Echo { limit: u32::MAX, answers: 1 }).unwrap();
    engine.send(Ping(0));
    let error = engine.update(FRAME).unwrap_err();
    let Error::Cascade(CascadeError { cycle, rounds, dropped, .. }) = &error else { panic!("{error}") };
    assert_eq!((cycle.as_slice(), *rounds, *dropped), (&["Ping", "Pong"][..], 64, 1));
    assert_eq!(
        error.to_string(),
        "listeners kept causing events, 64 in 64 rounds: Ping → Pong → Ping; 1 of them were dropped: \
         let a listener stop, or raise the budget of a dispatch"
    );
    engine.update(FRAME).unwrap();
    assert_eq!(engine.time().frame(), 2, "the frame was completed");
}

#[test]
fn doubling_cascade_is_stopped_by_the_event_budget() {
    let mut engine = Engine::builder().dispatch_events(10_000).build();
    engine.add(Echo { limit: u32::MAX, answers: 2 }).unwrap();
    engine.send(Ping(0));
    let error = engine.update(FRAME).unwrap_err();
    let Error::Cascade(CascadeError { cycle, rounds, .. }) = &error else { panic!("{error}") };
    assert_eq!(cycle.as_slice(), ["Ping", "Pong"]);
    assert!(*rounds < 64);
    let sent = engine.events().counters::<Pong>().unwrap().sent;
    assert!((5_000..50_000).contains(&sent), "{sent} sent");
}

#[test]
fn burst_of_systems_does_not_count_against_the_budget_of_cascades() {
    let mut engine = Engine::builder().dispatch_events(10).build();
    engine.insert_resource(Log::default());
    engine.add(EarA).unwrap();
    (0..1_000).for_each(|n| engine.send(Ping(n)));
    assert_eq!(log::frame(&mut engine).split(' ').count(), 1_000);
}

#[derive(Clone, Copy)]
struct Zed;
#[derive(Clone, Copy)]
struct Alpha;
#[derive(Clone, Copy)]
struct Middle;

/// Zed causes Middle, Middle causes Alpha: no cycle.
struct Chain;

impl System for Chain {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_zed).listen(Self::on_middle).listen(Self::on_alpha);
    }
}

impl Chain {
    fn on_zed(&mut self, _: &Zed, mut next: Sender<Middle>) {
        next.send(Middle);
    }

    fn on_middle(&mut self, _: &Middle, mut next: Sender<Alpha>) {
        next.send(Alpha);
    }

    fn on_alpha(&mut self, _: &Alpha) {}
}

#[test]
fn chain_longer_than_the_budget_is_printed_in_order_without_a_cycle() {
    let mut engine = Engine::builder().dispatch_rounds(2).build();
    engine.add(Chain).unwrap();
    engine.send(Zed);
    let error = engine.update(FRAME).unwrap_err().to_string();
    assert!(
        error.starts_with("listeners kept causing events, 2 in 2 rounds: Zed → Middle → Alpha; 1 of them"),
        "{error}"
    );
}

mod other {
    //! A second event type with the same short name.

    #[derive(Clone, Copy)]
    pub(super) struct Ping;
}

struct Namesakes;

impl System for Namesakes {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_ping).listen(Self::on_other).listen(Self::on_pong);
    }
}

impl Namesakes {
    fn on_ping(&mut self, _: &Ping, mut next: Sender<other::Ping>) {
        next.send(other::Ping);
    }

    fn on_other(&mut self, _: &other::Ping, mut next: Sender<Pong>) {
        next.send(Pong(1));
    }

    fn on_pong(&mut self, _: &Pong, mut next: Sender<Ping>) {
        next.send(Ping(1));
    }
}

#[test]
fn types_with_equal_short_names_are_distinguished_in_a_cycle() {
    let mut engine = Engine::new();
    engine.add(Namesakes).unwrap();
    engine.send(Ping(1));
    let Err(Error::Cascade(error)) = engine.update(FRAME) else { panic!("a cascade was expected") };
    assert_eq!(error.cycle.len(), 3, "{error}");
}

/// Receives a burst and checks that it is in order and complete.
#[derive(Default)]
struct Burst {
    size: u32,
    received: u32,
}

impl System for Burst {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send).listen(Self::on_ping);
    }
}

impl Burst {
    fn send(&mut self, mut pings: Sender<Ping>) {
        self.received = 0;
        (0..self.size).for_each(|n| pings.send(Ping(n)));
    }

    fn on_ping(&mut self, ping: &Ping) {
        assert_eq!(ping.0, self.received);
        self.received += 1;
    }
}

#[test]
fn burst_of_a_million_events_is_delivered_in_order() {
    let mut engine = Engine::new();
    engine.add(Burst { size: 1_000_000, received: 0 }).unwrap();
    for _ in 0..3 {
        engine.update(FRAME).unwrap();
        assert_eq!(engine.system::<Burst>().unwrap().received, 1_000_000);
    }
    let counters = engine.events().counters::<Ping>().unwrap();
    assert_eq!((counters.sent, counters.delivered, counters.peak), (3_000_000, 3_000_000, 1_000_000));
}

/// Logs how many pings the burst's own listener had received before the first one arrived here.
#[derive(Default)]
struct Follower(Vec<u32>);

impl System for Follower {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_ping);
    }
}

impl Follower {
    fn on_ping(&mut self, ping: &Ping, mut order: ResMut<Vec<(char, u32)>>) {
        self.0.push(ping.0);
        order.push(('f', ping.0));
    }
}

struct Leader;

impl System for Leader {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send).listen(Self::on_ping);
    }
}

impl Leader {
    fn send(&mut self, mut pings: Sender<Ping>) {
        (0..10_000).for_each(|n| pings.send(Ping(n)));
    }

    fn on_ping(&mut self, ping: &Ping, mut order: ResMut<Vec<(char, u32)>>) {
        order.push(('l', ping.0));
    }
}

#[test]
fn run_larger_than_a_memory_chunk_stays_one_run() {
    let mut engine = Engine::new();
    engine.insert_resource(Vec::<(char, u32)>::new());
    engine.add(Leader).unwrap().add(Follower::default()).unwrap();
    engine.update(FRAME).unwrap();
    let expected: Vec<_> =
        ['l', 'f'].into_iter().flat_map(|listener| (0..10_000).map(move |n| (listener, n))).collect();
    assert!(*engine.resource::<Vec<(char, u32)>>().unwrap() == expected, "all to one listener, then all to the other");
}

#[derive(Clone, Copy)]
struct Nothing;
#[derive(Clone, Copy)]
#[repr(align(64))]
struct AlignedNothing;
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
struct Aligned(u8);
#[derive(Clone, Copy)]
#[repr(align(4096))]
struct Page(u8);
#[derive(Clone, Copy)]
struct Large([u8; 200]);
#[derive(Clone, Copy)]
struct Huge([u64; 2_000]);
#[derive(Clone, Copy)]
struct Odd([u8; 3]);

/// Sends events of all layouts in turn and checks the received ones.
#[derive(Default)]
struct Shapes {
    sent: u32,
    received: [u32; 7],
}

impl System for Shapes {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .update(Self::send)
            .listen(Self::on_nothing)
            .listen(Self::on_aligned_nothing)
            .listen(Self::on_aligned)
            .listen(Self::on_page)
            .listen(Self::on_large)
            .listen(Self::on_huge)
            .listen(Self::on_odd);
    }
}

fn assert_aligned<E>(event: &E) {
    assert_eq!(std::ptr::from_ref(event) as usize % align_of::<E>(), 0, "{}", std::any::type_name::<E>());
}

impl Shapes {
    #[allow(clippy::too_many_arguments)]
    fn send(
        &mut self,
        mut nothing: Sender<Nothing>,
        mut aligned_nothing: Sender<AlignedNothing>,
        mut aligned: Sender<Aligned>,
        mut page: Sender<Page>,
        mut large: Sender<Large>,
        mut huge: Sender<Huge>,
        mut odd: Sender<Odd>,
    ) {
        for n in 0..200_u8 {
            for _ in 0..n % 3 {
                odd.send(Odd([n; 3]));
            }
            nothing.send(Nothing);
            aligned_nothing.send(AlignedNothing);
            aligned.send(Aligned(n));
            if n % 40 == 7 {
                page.send(Page(n));
                huge.send(Huge([u64::from(n); 2_000]));
            }
            large.send(Large([n; 200]));
        }
        self.sent += 1;
    }

    fn on_nothing(&mut self, event: &Nothing) {
        assert_aligned(event);
        self.received[0] += 1;
    }

    fn on_aligned_nothing(&mut self, event: &AlignedNothing) {
        assert_aligned(event);
        self.received[1] += 1;
    }

    fn on_aligned(&mut self, event: &Aligned) {
        assert_aligned(event);
        assert_eq!(u32::from(event.0), self.received[2] % 200);
        self.received[2] += 1;
    }

    fn on_page(&mut self, event: &Page) {
        assert_aligned(event);
        assert_eq!(event.0 % 40, 7);
        self.received[3] += 1;
    }

    fn on_large(&mut self, event: &Large) {
        assert!(event.0.iter().all(|byte| u32::from(*byte) == self.received[4] % 200));
        self.received[4] += 1;
    }

    fn on_huge(&mut self, event: &Huge) {
        assert_aligned(event);
        assert!(event.0.iter().all(|word| word % 40 == 7));
        self.received[5] += 1;
    }

    fn on_odd(&mut self, event: &Odd) {
        assert!(event.0.iter().all(|byte| *byte == event.0[0]));
        self.received[6] += 1;
    }
}

#[test]
fn events_of_any_size_and_alignment_are_delivered_unchanged() {
    let mut engine = Engine::new();
    engine.add(Shapes::default()).unwrap();
    for _ in 0..5 {
        engine.update(FRAME).unwrap();
    }
    assert_eq!(engine.system::<Shapes>().unwrap().received, [1_000, 1_000, 1_000, 25, 1_000, 25, 995]);
}

#[test]
fn zero_sized_events_can_be_sent_in_millions() {
    struct Count(u64);
    impl System for Count {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(Self::on_nothing);
        }
    }
    impl Count {
        fn on_nothing(&mut self, _: &Nothing) {
            self.0 += 1;
        }
    }
    let mut engine = Engine::builder().event_bytes(1 << 16).build();
    engine.add(Count(0)).unwrap();
    (0..2_000_000).for_each(|_| engine.send(Nothing));
    engine.update(FRAME).unwrap();
    assert_eq!(engine.system::<Count>().unwrap().0, 2_000_000);
}

#[test]
fn disabled_system_never_receives_events_sent_meanwhile() {
    let mut engine = log::engine();
    engine.add(EarA).unwrap().add(EarB).unwrap();
    engine.disable_system::<EarA>().unwrap();
    engine.send(Ping(1));
    assert_eq!(log::frame(&mut engine), "b1");
    engine.enable_system::<EarA>().unwrap();
    engine.send(Ping(2));
    assert_eq!(log::frame(&mut engine), "a2 b2");
}

#[test]
fn listener_time_is_measured_with_the_given_clock() {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;
    static NOW: AtomicU64 = AtomicU64::new(0);
    let mut engine = Engine::builder().clock(|| Duration::from_secs(NOW.fetch_add(3, Ordering::Relaxed))).build();
    engine.insert_resource(Log::default());
    engine.add(EarA).unwrap();
    engine.send(Ping(1));
    log::frame(&mut engine);
    assert_eq!(engine.events().counters::<Ping>().unwrap().handler_time, Duration::from_secs(3));
}
