//! Conflicts between systems, as `Engine::explain` prints them.

use ecs::{
    Commands, Despawned, Engine, Entities, Priority, Query, Res, ResMut, Setup, Spawner, Subscriptions, System, World,
    system::{Conflict, EarlierSystem},
};

struct Health(#[expect(dead_code, reason = "never read")] f32);
struct Armour(#[expect(dead_code, reason = "never read")] f32);
struct Clock;
struct Score;

/// A system whose update has the given parameters.
macro_rules! system {
    ($name:ident($($param:ty),*) $($more:tt)*) => {
        struct $name;

        impl System for $name {
            fn setup(setup: &mut Setup<Self>) {
                setup.update(Self::update) $($more)*;
            }
        }

        impl $name {
            fn update(&mut self, $(_: $param),*) {}
        }
    };
}

system!(Heal(Query<(&mut Health, &Armour)>, Res<Clock>));
system!(Show(Query<&Health>, Res<Clock>));
system!(Wear(Query<(&Health, &mut Armour)>, ResMut<Score>));
system!(Tick(ResMut<Clock>, Res<Score>));
system!(Count(Entities));
system!(Hatch(Spawner));
system!(Breed(Spawner, Commands));
system!(Mute(Subscriptions));
system!(Unmute(Subscriptions));
system!(Last().after_type::<Show>().priority(Priority::LOWEST));

struct Judge;

impl System for Judge {
    fn setup(setup: &mut Setup<Self>) {
        setup.update_exclusive(|_: &mut Self, _: &mut World| {});
    }
}

/// Reads before the other systems and writes after them.
struct Frame;

impl System for Frame {
    fn setup(setup: &mut Setup<Self>) {
        setup.pre_update(|_: &mut Self, _: Query<&Health>| {}).post_update(|_: &mut Self, _: Query<&mut Health>| {});
    }
}

/// Has no method in any phase.
struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, _: &Despawned, _: ResMut<Clock>| {});
    }
}

system!(Read(Res<Clock>, Res<Score>));
system!(Set(ResMut<Clock>, ResMut<Score>));
system!(Reset(ResMut<Score>, ResMut<Clock>));

/// The printed lines about waves and conflicts, each behind the name of its system.
fn waves(engine: &mut Engine) -> Vec<String> {
    let mut system = String::new();
    let mut waves = Vec::new();
    for line in engine.explain().unwrap().to_string().lines().map(str::trim) {
        if let Some((place, _)) = line.split_once(" (priority ") {
            system = place.split_whitespace().last().unwrap().to_owned();
        } else if line.starts_with("wave ") || line.starts_with("conflicts ") {
            waves.push(format!("{system}: {line}"));
        }
    }
    waves
}

#[test]
fn all_conflicts_between_systems_are_named() {
    let mut engine = Engine::new();
    engine.add(Heal).unwrap().add(Show).unwrap().add(Wear).unwrap().add(Tick).unwrap();
    assert_eq!(
        waves(&mut engine),
        [
            "Heal: wave 1 of 3 in update, alone",
            "Show: wave 2 of 3 in update, may run beside Wear",
            "Show: conflicts with Heal (wave 1): component Health",
            "Wear: wave 2 of 3 in update, may run beside Show",
            "Wear: conflicts with Heal (wave 1): component Armour, component Health",
            "Tick: wave 3 of 3 in update, alone",
            "Tick: conflicts with Heal (wave 1), Show (wave 2): resource Clock",
            "Tick: conflicts with Wear (wave 2): resource Score",
        ]
    );
}

#[test]
fn spawners_subscriptions_exclusive_access_and_declared_order_conflict() {
    let mut engine = Engine::new();
    engine.add(Count).unwrap().add(Hatch).unwrap().add(Breed).unwrap();
    engine.add(Mute).unwrap().add(Unmute).unwrap().add(Show).unwrap().add(Judge).unwrap().add(Last).unwrap();
    assert_eq!(
        waves(&mut engine),
        [
            "Count: wave 1 of 5 in update, may run beside Mute, Show",
            "Hatch: wave 2 of 5 in update, may run beside Unmute",
            "Hatch: conflicts with Count (wave 1): entity ids",
            "Breed: wave 3 of 5 in update, alone",
            "Breed: conflicts with Count (wave 1), Hatch (wave 2): entity ids",
            "Mute: wave 1 of 5 in update, may run beside Count, Show",
            "Unmute: wave 2 of 5 in update, may run beside Hatch",
            "Unmute: conflicts with Mute (wave 1): subscriptions",
            "Show: wave 1 of 5 in update, may run beside Count, Mute",
            "Judge: wave 4 of 5 in update, alone",
            "Judge: conflicts with Count (wave 1), Hatch (wave 2), Breed (wave 3), Mute (wave 1), Unmute (wave 2), Show (wave 1): \
             the whole world",
            "Last: wave 5 of 5 in update, alone",
            "Last: conflicts with Show (wave 1): the declared order",
            "Last: conflicts with Judge (wave 4): the whole world",
        ]
    );
}

#[test]
fn equal_reasons_are_printed_together_in_any_order() {
    let mut engine = Engine::new();
    engine.add(Set).unwrap().add(Reset).unwrap().add(Read).unwrap();
    assert_eq!(
        waves(&mut engine)[3..],
        [
            "Read: wave 3 of 3 in update, alone",
            "Read: conflicts with Set (wave 1), Reset (wave 2): resource Clock, resource Score",
        ]
    );
}

#[test]
fn each_phase_has_its_own_waves_and_pure_listeners_have_none() {
    let mut engine = Engine::new();
    engine.add(Listener).unwrap().add(Heal).unwrap().add(Show).unwrap().add(Frame).unwrap();
    assert_eq!(
        waves(&mut engine),
        [
            "Heal: wave 1 of 2 in update, alone",
            "Show: wave 2 of 2 in update, alone",
            "Show: conflicts with Heal (wave 1): component Health",
            "Frame: wave 1 of 1 in pre-update, alone",
            "Frame: wave 1 of 1 in post-update, alone",
        ]
    );
    let explanation = engine.explain().unwrap();
    let show = &explanation.systems[2].phases[0];
    let heal = EarlierSystem { system: "Heal", wave: 1, reasons: vec![Conflict::Component("Health")] };
    assert_eq!((show.phase, show.wave, &show.conflicts), ("update", 2, &vec![heal]));
    assert_eq!(explanation.systems[0].phases, []);
}

#[test]
fn explanation_lists_what_each_system_reads_and_writes() {
    let mut engine = Engine::new();
    engine.insert_resource(Clock);
    engine.insert_resource(Score);
    engine.add(Heal).unwrap();
    engine.add(Tick).unwrap();
    engine.add(Count).unwrap();
    engine.add(Breed).unwrap();
    engine.add(Judge).unwrap();
    engine.add(Frame).unwrap();
    let explanation = engine.explain().unwrap();
    let of = |system: &str| {
        let place = explanation.systems.iter().find(|place| place.system == system).unwrap();
        (place.reads.join(", "), place.writes.join(", "))
    };
    let expected = [
        ("Heal", "component Armour, resource Clock", "component Health"),
        ("Tick", "resource Score", "resource Clock"),
        ("Count", "entity ids", ""),
        ("Breed", "", "entity ids"),
        ("Judge", "", "the whole world"),
        ("Frame", "", "component Health"),
    ];
    for (system, reads, writes) in expected {
        assert_eq!(of(system), (reads.to_owned(), writes.to_owned()), "{system}");
    }
}
