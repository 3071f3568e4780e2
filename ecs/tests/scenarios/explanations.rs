//! Why systems do not run side by side, in the words of `Engine::explain`.

use ecs::{Commands, Engine, Entities, Priority, Query, Res, ResMut, Setup, Spawner, Subscriptions, System, World};

struct Health(#[expect(dead_code, reason = "nobody reads it")] f32);
struct Armour(#[expect(dead_code, reason = "nobody reads it")] f32);
struct Clock;
struct Score;

/// A system that touches in its update what the parameters name.
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
system!(Last().after::<Show>().priority(Priority::LOWEST));

struct Judge;

impl System for Judge {
    fn setup(setup: &mut Setup<Self>) {
        setup.update_exclusive(|_: &mut Self, _: &mut World| {});
    }
}

/// The lines about waves, with the name of the system before them.
fn waves(engine: &mut Engine) -> Vec<String> {
    let explanation = engine.explain().unwrap();
    let of_place = |place: &ecs::Place| {
        let lines: Vec<_> = place.phases.iter().flat_map(|phase| lines(&phase.to_string())).collect();
        lines.into_iter().map(|line| format!("{}: {line}", place.system)).collect::<Vec<_>>()
    };
    let waves: Vec<_> = explanation.places.iter().flat_map(of_place).collect();
    let printed = lines(&explanation.to_string());
    for line in &waves {
        let (_, line) = line.split_once(": ").unwrap();
        assert!(printed.iter().any(|printed| printed == line), "{line} is not printed");
    }
    waves
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn all_that_keeps_two_systems_apart_is_named_and_all_systems_that_are_kept_apart() {
    let mut engine = Engine::new();
    engine.add(Heal).unwrap().add(Show).unwrap().add(Wear).unwrap().add(Tick).unwrap();
    assert_eq!(
        waves(&mut engine),
        [
            "Heal: wave 1 of 3 in update, alone",
            "Show: wave 2 of 3 in update, beside Wear",
            "Show: never beside Heal in update: component Health",
            "Wear: wave 2 of 3 in update, beside Show",
            "Wear: never beside Heal in update: component Armour, component Health",
            "Tick: wave 3 of 3 in update, alone",
            "Tick: never beside Heal, Show in update: resource Clock",
            "Tick: never beside Wear in update: resource Score",
        ]
    );
}

#[test]
fn ids_subscriptions_the_whole_world_and_the_declared_order_keep_systems_apart() {
    let mut engine = Engine::new();
    engine.add(Count).unwrap().add(Hatch).unwrap().add(Breed).unwrap();
    engine.add(Mute).unwrap().add(Unmute).unwrap().add(Show).unwrap().add(Judge).unwrap().add(Last).unwrap();
    assert_eq!(
        waves(&mut engine),
        [
            "Count: wave 1 of 5 in update, beside Mute, Show",
            "Hatch: wave 2 of 5 in update, beside Unmute",
            "Hatch: never beside Count in update: handing out ids",
            "Breed: wave 3 of 5 in update, alone",
            "Breed: never beside Count, Hatch in update: handing out ids",
            "Mute: wave 1 of 5 in update, beside Count, Show",
            "Unmute: wave 2 of 5 in update, beside Hatch",
            "Unmute: never beside Mute in update: switching subscriptions",
            "Show: wave 1 of 5 in update, beside Count, Mute",
            "Judge: wave 4 of 5 in update, alone",
            "Judge: never beside Count, Hatch, Breed, Mute, Unmute, Show in update: the whole world",
            "Last: wave 5 of 5 in update, alone",
            "Last: never beside Show in update: the declared order",
            "Last: never beside Judge in update: the whole world",
        ]
    );
}
