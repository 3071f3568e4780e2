//! Senders and listeners of events, and the reasons for the order of systems: listed and printed.

use ecs::{
    Added, Despawned, Priority, Removed, Sender, Setup, Spawned, System, event::EventGraphIssue, system::Reason,
};

use super::log;

#[derive(Clone, Copy)]
struct Heard;
#[derive(Clone, Copy)]
struct Unheard;
#[derive(Clone, Copy)]
struct Unsent;
#[derive(Clone, Copy)]
struct FromOutside;
#[derive(Clone, Copy)]
struct UnheardFromOutside;
#[derive(Clone, Copy)]
struct Coins;

struct Speaker;

impl System for Speaker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::speak).post_update(Self::speak_again).priority(Priority::HIGH);
    }
}

impl Speaker {
    fn speak(&mut self, mut heard: Sender<Heard>, _: Sender<Unheard>) {
        heard.send(Heard);
    }

    fn speak_again(&mut self, _: Sender<Heard>) {}
}

struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(Self::on_heard)
            .listen(Self::on_unsent)
            .listen(Self::on_outside)
            .listen(Self::on_spawned)
            .listen(Self::on_despawned)
            .listen(Self::on_added)
            .listen(Self::on_removed);
    }
}

impl Listener {
    fn on_heard(&mut self, _: &Heard) {}
    fn on_unsent(&mut self, _: &Unsent) {}
    fn on_outside(&mut self, _: &FromOutside) {}
    fn on_spawned(&mut self, _: &Spawned) {}
    fn on_despawned(&mut self, _: &Despawned) {}
    fn on_added(&mut self, _: &Added<Coins>) {}
    fn on_removed(&mut self, _: &Removed<Coins>) {}
}

#[test]
fn events_without_sender_or_listener_are_found() {
    let mut engine = log::engine();
    engine.add(Listener).unwrap().add(Speaker).unwrap();
    engine.declare_external::<FromOutside>();
    let issues = engine.event_graph().unwrap().issues();
    assert_eq!(
        issues,
        [
            EventGraphIssue::NeverHeard { event: "Unheard", senders: vec!["Speaker"] },
            EventGraphIssue::NeverSent { event: "Unsent", listeners: vec!["Listener"] },
        ]
    );
    assert_eq!(issues[0].to_string(), "Unheard is sent by Speaker and has no listener");
    assert_eq!(issues[1].to_string(), "Unsent has no sender, but these systems listen to it: Listener");
}

#[test]
fn events_from_outside_without_a_listener_are_found_and_lifecycle_events_are_none() {
    let mut engine = log::engine();
    engine.declare_external::<UnheardFromOutside>();
    engine.send(FromOutside);
    engine.spawn((Coins,));
    log::frame(&mut engine);
    // The engine knows the type of a lifecycle event once a listener was added, also if it is gone.
    let spawned = engine.listen(|_: &Spawned| {}).unwrap();
    engine.cancel(spawned);
    log::frame(&mut engine);
    let issues: Vec<_> = engine.event_graph().unwrap().issues().iter().map(ToString::to_string).collect();
    assert_eq!(
        issues,
        [
            "FromOutside is sent from outside of the systems and has no listener",
            "UnheardFromOutside is sent from outside of the systems and has no listener",
        ]
    );
    let _reader = (engine.reader::<FromOutside>(), engine.reader::<UnheardFromOutside>());
    assert_eq!(engine.event_graph().unwrap().issues(), [], "the application reads them");
}

#[test]
fn routes_are_listed_by_event_with_senders_and_listeners() {
    let mut engine = log::engine();
    engine.add(Listener).unwrap().add(Speaker).unwrap();
    engine.send(FromOutside);
    log::frame(&mut engine);
    let event_graph = engine.event_graph().unwrap();
    let heard = event_graph.routes.iter().find(|route| route.event == "Heard").unwrap();
    assert_eq!((heard.senders.as_slice(), heard.listeners.as_slice()), (&["Speaker"][..], &["Listener"][..]));
    assert_eq!((heard.counters.sent, heard.counters.delivered), (1, 1));
    assert!(event_graph.routes.is_sorted_by_key(|route| route.event));
    let printed = event_graph.to_string();
    assert!(printed.contains("Heard: Speaker -> Listener\n"), "{printed}");
    assert!(printed.contains("FromOutside: (outside) -> Listener\n"), "{printed}");
    assert!(printed.contains("warning: Unheard is sent by Speaker and has no listener\n"), "{printed}");
}

struct Follows;

impl System for Follows {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).after_type::<Speaker>().every(std::time::Duration::from_millis(500));
    }
}

impl Follows {
    fn update(&mut self) {}
}

#[test]
fn explanation_gives_the_reason_for_each_position() {
    let mut engine = log::engine();
    engine.add(Follows).unwrap().add(Listener).unwrap().add(Speaker).unwrap();
    engine.disable_system::<Listener>().unwrap();
    let explanation = engine.explain().unwrap();
    let reasons: Vec<_> = explanation.systems.iter().map(|place| (place.system, place.ahead_of)).collect();
    assert_eq!(
        reasons,
        [
            ("Speaker", Some(("Listener", Reason::Priority))),
            ("Follows", Some(("Listener", Reason::AddedEarlier))),
            ("Listener", None),
        ]
    );
    let printed = explanation.to_string();
    for line in [
        "execution order of 3 systems",
        "  1. Speaker (priority high, update and post-update)",
        "  2. Follows (priority normal, update every 500ms)",
        "       after Speaker, as declared",
        "       ahead of Listener: the priorities are equal and it was added earlier",
        "  3. Listener (priority normal, listens only, disabled)",
        "       sends Heard, Unheard",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line} is not in\n{printed}");
    }
}

#[test]
fn explanation_of_a_cyclic_order_is_the_error() {
    let mut engine = log::engine();
    engine.add(Follows).unwrap();
    assert!(engine.explain().is_err() && engine.event_graph().is_err());
}
