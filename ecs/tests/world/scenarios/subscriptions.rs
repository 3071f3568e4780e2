//! Subscribing and unsubscribing, also in the middle of a run: each event is delivered once or not at all.

use ecs::{Priority, ResMut, Sender, Setup, Subscriptions, System};

use super::log::{self, Log};

#[derive(Clone, Copy)]
struct Tick(u32);
#[derive(Clone, Copy)]
struct Other(u32);

/// The action at a tick.
#[derive(Clone, Copy, PartialEq)]
enum Do {
    SubscribeEarly,
    SubscribeLate,
    UnsubscribeEarly,
    UnsubscribeLate,
    UnsubscribeSelf,
    RestartSelf,
    RestartEarly,
    SubscribeToggler,
}

fn apply(at: u32, plan: &[(u32, Do)], subscriptions: &mut Subscriptions) {
    for (_, action) in plan.iter().filter(|(when, _)| *when == at) {
        match action {
            Do::SubscribeEarly => subscriptions.subscribe::<Early, Tick>(),
            Do::SubscribeLate => subscriptions.subscribe::<Late, Tick>(),
            Do::UnsubscribeEarly => subscriptions.unsubscribe::<Early, Tick>(),
            Do::UnsubscribeLate => subscriptions.unsubscribe::<Late, Tick>(),
            Do::UnsubscribeSelf => subscriptions.unsubscribe::<Toggler, Tick>(),
            Do::RestartSelf => {
                subscriptions.unsubscribe::<Toggler, Tick>() && subscriptions.subscribe::<Toggler, Tick>()
            }
            Do::RestartEarly => subscriptions.unsubscribe::<Early, Tick>() && subscriptions.subscribe::<Early, Tick>(),
            Do::SubscribeToggler => subscriptions.subscribe::<Toggler, Tick>(),
        };
    }
}

/// Listens to ticks, and changes the subscriptions of others or its own.
struct Toggler(Vec<(u32, Do)>);

impl System for Toggler {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_tick);
    }
}

impl Toggler {
    fn on_tick(&mut self, tick: &Tick, mut log: ResMut<Log>, mut subscriptions: Subscriptions) {
        log.note(format!("s{}", tick.0));
        apply(tick.0, &self.0, &mut subscriptions);
    }
}

/// A listener before the toggler.
struct Early;

impl System for Early {
    fn setup(setup: &mut Setup<Self>) {
        setup.priority(Priority::HIGH).listen(Self::on_tick);
    }
}

impl Early {
    fn on_tick(&mut self, tick: &Tick, mut log: ResMut<Log>) {
        log.note(format!("e{}", tick.0));
    }
}

/// A listener after the toggler, which changes subscriptions too.
struct Late(Vec<(u32, Do)>);

impl System for Late {
    fn setup(setup: &mut Setup<Self>) {
        setup.priority(Priority::LOW).listen(Self::on_tick);
    }
}

impl Late {
    fn on_tick(&mut self, tick: &Tick, mut log: ResMut<Log>, mut subscriptions: Subscriptions) {
        log.note(format!("l{}", tick.0));
        apply(tick.0, &self.0, &mut subscriptions);
    }
}

/// Sends four ticks from outside to an early listener, the toggler and a late listener.
fn deliver(subscribed: [bool; 3], toggler: &[(u32, Do)], late: &[(u32, Do)]) -> String {
    let mut engine = log::engine();
    engine.add(Early).unwrap().add(Toggler(toggler.to_vec())).unwrap().add(Late(late.to_vec())).unwrap();
    engine.order().unwrap();
    let [early_is_subscribed, toggler_is_subscribed, late_is_subscribed] = subscribed;
    assert!(engine.unsubscribe::<Early, Tick>());
    assert!(engine.unsubscribe::<Toggler, Tick>());
    assert!(engine.unsubscribe::<Late, Tick>());
    assert!(!early_is_subscribed || engine.subscribe::<Early, Tick>());
    assert!(!toggler_is_subscribed || engine.subscribe::<Toggler, Tick>());
    assert!(!late_is_subscribed || engine.subscribe::<Late, Tick>());
    (0..4).for_each(|n| engine.send(Tick(n)));
    log::frame(&mut engine)
}

#[test]
fn each_listener_receives_each_event_once() {
    assert_eq!(deliver([true; 3], &[], &[]), "e0 e1 e2 e3 s0 s1 s2 s3 l0 l1 l2 l3");
}

#[test]
fn added_listener_receives_events_from_the_next_one_on() {
    assert_eq!(deliver([false, true, false], &[(1, Do::SubscribeLate)], &[]), "s0 s1 s2 s3 l2 l3");
    assert_eq!(deliver([false, true, false], &[(1, Do::SubscribeEarly)], &[]), "s0 s1 s2 s3 e2 e3");
    assert_eq!(deliver([false, true, false], &[(3, Do::SubscribeEarly)], &[]), "s0 s1 s2 s3");
}

#[test]
fn removed_listener_receives_no_more_events() {
    assert_eq!(deliver([false, true, true], &[(1, Do::UnsubscribeLate)], &[]), "s0 s1 s2 s3");
    assert_eq!(deliver([false, true, true], &[(2, Do::UnsubscribeSelf)], &[]), "s0 s1 s2 l0 l1 l2 l3");
    assert_eq!(deliver([true, true, false], &[(0, Do::UnsubscribeEarly)], &[]), "e0 e1 e2 e3 s0 s1 s2 s3");
}

#[test]
fn listener_that_resubscribes_itself_receives_no_event_twice() {
    assert_eq!(deliver([false, true, false], &[(1, Do::RestartSelf)], &[]), "s0 s1 s2 s3");
}

#[test]
fn listener_resubscribed_after_a_run_receives_no_event_twice() {
    assert_eq!(deliver([true, true, false], &[(1, Do::RestartEarly)], &[]), "e0 e1 e2 e3 s0 s1 s2 s3");
}

#[test]
fn listener_that_unsubscribed_itself_and_is_added_again_receives_the_rest() {
    let log = deliver([false, true, true], &[(0, Do::UnsubscribeSelf)], &[(1, Do::SubscribeToggler)]);
    assert_eq!(log, "s0 l0 l1 l2 l3 s2 s3");
    let log = deliver([false, true, true], &[(2, Do::UnsubscribeSelf)], &[(0, Do::SubscribeToggler)]);
    assert_eq!(log, "s0 s1 s2 l0 l1 l2 l3 s3");
}

#[test]
fn removed_and_added_listener_receives_the_rest() {
    let plan = [(0, Do::UnsubscribeLate), (2, Do::SubscribeLate)];
    assert_eq!(deliver([false, true, true], &plan, &[]), "s0 s1 s2 s3 l3");
}

#[test]
fn subscriptions_outlast_frames_and_changes_of_the_work_order() {
    let mut engine = log::engine();
    engine.add(Early).unwrap().add(Toggler(vec![(0, Do::UnsubscribeEarly)])).unwrap();
    engine.send(Tick(0));
    assert_eq!(log::frame(&mut engine), "e0 s0");
    engine.set_priority::<Early>(Priority::HIGHEST).unwrap();
    engine.add(Late(vec![])).unwrap();
    engine.send(Tick(1));
    assert_eq!(log::frame(&mut engine), "s1 l1");
    assert!(engine.subscribe::<Early, Tick>());
    assert!(!engine.subscribe::<Early, Tick>(), "it is subscribed already");
    assert!(!engine.subscribe::<Early, Other>(), "it has no listener for that");
    engine.send(Tick(2));
    assert_eq!(log::frame(&mut engine), "e2 s2 l2");
}

/// A listener that is not subscribed at first.
struct Patient;

impl System for Patient {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen_later(Self::on_tick).listen(Self::on_other);
    }
}

impl Patient {
    fn on_tick(&mut self, tick: &Tick, mut log: ResMut<Log>) {
        log.note(format!("p{}", tick.0));
    }

    fn on_other(&mut self, other: &Other, mut subscriptions: Subscriptions, mut log: ResMut<Log>) {
        log.note(format!("o{}", other.0));
        assert!(subscriptions.subscribe::<Self, Tick>());
    }
}

#[test]
fn listener_subscribed_by_an_event_receives_the_events_behind_it() {
    let mut engine = log::engine();
    engine.add(Patient).unwrap();
    engine.send(Tick(0));
    engine.send(Other(1));
    engine.send(Tick(2));
    assert_eq!(log::frame(&mut engine), "o1 p2");
}

/// Subscribes in its update, and sends events before and after.
struct Phase;

impl System for Phase {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

impl Phase {
    fn update(&mut self, mut subscriptions: Subscriptions, mut ticks: Sender<Tick>) {
        ticks.send(Tick(1));
        subscriptions.subscribe::<Patient, Tick>();
        ticks.send(Tick(2));
    }
}

#[test]
fn listener_added_in_a_phase_receives_all_undelivered_events() {
    let mut engine = log::engine();
    engine.add(Patient).unwrap().add(Phase).unwrap();
    engine.send(Tick(0));
    assert_eq!(log::frame(&mut engine), "p1 p2");
}
