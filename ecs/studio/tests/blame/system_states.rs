//! What wrote the state of a system, or a `Local` of one of its methods.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::{FRAME, Health, Pressed, Struck, blame, engine, field, strike, why, writes};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Tally {
    hits: u32,
    last_points: f32,
}

impl System for Tally {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::count).update(Self::rest);
    }
}

impl Tally {
    fn count(&mut self, struck: &Struck) {
        (self.hits, self.last_points) = (self.hits + 1, struck.points);
    }

    fn rest(&mut self) {}
}

#[derive(Clone, Default)]
struct Streak(u32);

fn with_tally() -> (Engine, EntityId) {
    let (mut engine, victim) = engine(Engine::builder());
    let types = engine.types_mut();
    types.system_by::<Tally>("tally", |tally, hash| _ = hash.printed(tally)).unwrap().save::<Tally>(1).unwrap();
    engine.add((strike, Tally::default())).unwrap();
    (engine, victim)
}

#[test]
fn the_state_of_a_system_is_blamed_on_its_methods() {
    let (mut engine, _) = with_tally();
    for name in ["tally.hits", "Tally.hits", "system tally.hits"] {
        engine.send(Pressed);
        let blame = blame(&mut engine, None, name);
        assert_eq!(blame.field.system(), Some(name.trim_start_matches("system ").split('.').next().unwrap()));
        let writes: Vec<_> = blame.writes.iter().map(ToString::to_string).collect();
        let [write] = &writes[..] else { panic!("{writes:?}") };
        assert!(write.contains("Tally in its listener `count` for Struck"), "{write}");
        assert!(write.contains("→ Struck (strike, frame"), "{write}");
    }
    let unchanged = blame(&mut engine, None, "tally").to_string();
    let lines: Vec<_> = unchanged.lines().collect();
    assert_eq!(lines[0], "tally (system) is (hits 3, last_points 2.5) and did not change");
    assert!(lines[1].starts_with("  Tally in update by `rest`: it was called"), "{unchanged}");
    assert_eq!(lines[2], "  Tally in its listener `count` for Struck: no such event came");
    assert_eq!(lines.len(), 3, "{unchanged}");
}

#[test]
fn what_a_program_writes_into_a_system_between_two_frames_is_told() {
    let (mut engine, _) = with_tally();
    let field = field(&mut engine, None, "tally.last_points");
    engine.inspector().begin_blame(&field);
    engine.system_mut::<Tally>().unwrap().last_points = 77.5;
    engine.update(FRAME).unwrap();
    let blame = engine.inspector().end_blame().unwrap();
    assert_eq!(blame.writes[0].by, ecs::inspect::Writer::Program);
    assert_eq!((blame.before.as_deref(), blame.after.as_deref()), (Some("0"), Some("77.5")));
}

#[test]
fn a_value_is_followed_into_the_state_of_a_system_and_out_of_it() {
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    struct Meter {
        points: f32,
    }
    impl System for Meter {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(Self::read).update(Self::show);
        }
    }
    impl Meter {
        fn read(&mut self, struck: &Struck) {
            self.points = struck.points * 3.0;
        }
        fn show(&mut self, mut healths: Query<&mut Health>) {
            healths.iter_mut().for_each(|health| health.points = self.points);
        }
    }
    let (mut engine, victim) = engine(Engine::builder());
    engine.types_mut().system_by::<Meter>("meter", |meter, hash| _ = hash.printed(meter)).unwrap();
    engine.types_mut().save::<Meter>(1).unwrap();
    engine.add((strike, Meter::default())).unwrap();
    engine.send(Pressed);
    let why = why(&mut engine, victim, "health.points");
    assert!(why.contains("Meter in update by `show` changed health.points: 9 → 7.5"), "{why}");
    assert!(why.contains("from meter.points (system)"), "{why}");
    assert!(why.contains("Meter in its listener `read` for Struck"), "{why}");
}

#[test]
fn the_private_state_of_a_function_is_blamed() {
    fn count(_: &Struck, mut streak: Local<Streak>, mut hits: Local<u32>) {
        streak.0 += 1;
        *hits += 10;
    }
    let (mut engine, _) = engine(Engine::builder());
    let types = engine.types_mut();
    types.local_by::<Streak>("streak", |streak, hash| _ = hash.add(&streak.0)).unwrap();
    types.local::<u32>("hits").unwrap().show::<u32>().unwrap();
    engine.add((strike, count)).unwrap();
    engine.send(Pressed);
    let written = writes(&mut engine, None, "count.hits");
    assert!(
        written[0].contains("count in its listener for Struck") && written[0].contains("count.hits: 0 → 10"),
        "{written:?}"
    );
    // Without `show`, it is told that it differs.
    engine.send(Pressed);
    assert_eq!(writes(&mut engine, None, "count.streak").len(), 1);
    let state = engine.inspector().system("count", serde_json::value::Serializer).unwrap();
    assert_eq!(state["hits"], 20);
}

#[test]
fn states_that_are_not_known_are_refused_in_a_sentence() {
    #[derive(Default)]
    struct Secret(#[allow(dead_code, reason = "it only has a size")] u32);
    impl System for Secret {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self| {});
        }
    }
    let (mut engine, _) = with_tally();
    engine.add(Secret::default()).unwrap();
    let problem = |engine: &mut Engine, text: &str| engine.inspector().field(None, text).unwrap_err().to_string();
    assert!(problem(&mut engine, "Secret").contains("the state of system `Secret` is not known"));
    assert!(problem(&mut engine, "tally.hit").contains("`hits`"));
    assert!(problem(&mut engine, "tall").contains("no resource or system is registered as `tall`"));
    assert!(problem(&mut engine, "taly.hits").ends_with("may be meant"));
    // A resource comes before a system of the same name.
    engine.types_mut().resource_by::<u8>("tally", |_, _| {}).unwrap();
    engine.insert_resource(3_u8);
    assert_eq!(field(&mut engine, None, "tally").system(), None);
    assert_eq!(field(&mut engine, None, "system tally").system(), Some("tally"));
}

#[test]
fn states_have_names_of_their_own_and_paths_that_exist() {
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    struct Mover {
        x: u32,
    }
    impl System for Mover {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|mover: &mut Self| mover.x += 1).listen(Self::add_up);
        }
    }
    impl Mover {
        fn add_up(&mut self, _: &Pressed, mut hits: Local<u32>) {
            *hits += 30;
        }
    }
    #[derive(Clone, Debug, Default)]
    struct Plain {
        seconds: u32,
    }
    impl System for Plain {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|plain: &mut Self| plain.seconds += 1);
        }
    }
    fn mover(mut hits: Local<u32>) {
        *hits += 1;
    }
    let (mut engine, _) = engine(Engine::builder());
    let types = engine.types_mut();
    types.local::<u32>("hits").unwrap().show::<u32>().unwrap();
    types.system_by::<Mover>("mover", |mover, hash| _ = hash.add(&mover.x)).unwrap().save::<Mover>(1).unwrap();
    types.system_by::<Plain>("plain", |plain, hash| _ = hash.add(&plain.seconds)).unwrap().show::<Plain>().unwrap();
    engine.add((mover, mover, Mover::default(), Plain::default())).unwrap();
    engine.order().unwrap();
    let inspector = engine.inspector();
    let names: Vec<_> = inspector.state_names().into_iter().flatten().collect();
    assert_eq!(names, ["mover 2", "mover 3", "mover", "plain"], "a registered name is never that of another one");
    let problem = |text: &str| inspector.field(None, text).unwrap_err().to_string();
    assert_eq!(problem("mover.x"), "`mover` has no field `x`: it has state, hits");
    assert_eq!(problem("mover 2.x"), "`mover 2` has no field `x`: it has hits");
    assert!(problem("plain.seconds").contains("not registered for saving"));
    assert!(problem("mover.hits.0").contains("not registered for saving"));
    assert!(problem("mover.state.y").contains("`y`"));
    assert_eq!(writes(&mut engine, None, "mover.state.x"), ["frame 1: Mover in update changed mover.state.x: 0 → 1"]);
    assert_eq!(writes(&mut engine, None, "`mover 3`.hits"), ["frame 2: mover in update changed `mover 3`.hits: 1 → 2"]);
    engine.send(Pressed);
    let blame = blame(&mut engine, None, "mover.hits");
    assert!(blame.writes[0].to_string().contains("Mover in its listener `add_up` for Pressed"), "{blame}");
    // The method without the parameter cannot have written it, nor can it be a source.
    let unchanged = self::blame(&mut engine, None, "mover.hits").to_string();
    assert!(!unchanged.contains("Mover in update"), "{unchanged}");
    let before = engine.inspector().dump().unwrap();
    engine.update(FRAME).unwrap();
    let after = engine.inspector().dump().unwrap();
    let told: Vec<_> = before.differences(&after).iter().map(ToString::to_string).collect();
    let expected = [
        "state.x of system mover: 4 | 5",
        "hits of system `mover 2`: 4 | 5",
        "hits of system `mover 3`: 4 | 5",
        "system plain: seconds 4 | seconds 5",
    ];
    assert_eq!(told[..4], expected, "{told:?}");
}

#[test]
fn conditions_and_systems_that_come_and_go_are_not_the_program() {
    fn is_third(mut calls: Local<u32>) -> bool {
        *calls += 1;
        (*calls).is_multiple_of(3)
    }
    fn rest() {}
    fn blink(mut hits: Local<u64>, mut commands: Commands) {
        *hits += 100;
        commands.cancel_self();
    }
    let (mut engine, _) = engine(Engine::builder());
    let types = engine.types_mut();
    types.local::<u32>("calls").unwrap().show::<u32>().unwrap();
    types.local::<u64>("hits").unwrap().show::<u64>().unwrap();
    engine.add((rest.run_if(is_third), blink)).unwrap();
    let written = writes(&mut engine, None, "rest.calls");
    assert_eq!(written, ["frame 1: one of its conditions changed rest.calls: 0 → 1"]);
    engine.add(blink).unwrap();
    let written = writes(&mut engine, None, "blink.hits");
    assert_eq!(written.len(), 2, "{written:?}");
    assert!(written[0].contains("blink in update"), "{written:?}");
    assert!(
        written[1].contains("the engine, adding and removing systems at the end of the frame, removed"),
        "{written:?}"
    );
}

#[test]
fn private_state_is_exact_and_what_panics_is_told() {
    #[derive(Clone, Default)]
    struct Bad;
    impl std::fmt::Debug for Bad {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            panic!("no text")
        }
    }
    fn count(mut large: Local<u64>, mut speed: Local<f32>, mut word: Local<String>, _: Local<Bad>) {
        *large = if *large == 0 { 1 << 63 } else { *large + 1 };
        *speed = f32::INFINITY;
        "hi".clone_into(&mut word);
    }
    fn bad(_: Local<Bad>) {}
    let (mut engine, _) = engine(Engine::builder());
    let types = engine.types_mut();
    types.local::<u64>("large").unwrap().show::<u64>().unwrap();
    types.local_by::<f32>("speed", |speed, hash| _ = hash.add(speed)).unwrap().show::<f32>().unwrap();
    types.local::<String>("word").unwrap().show::<String>().unwrap();
    types.local_by::<Bad>("bad", |_, _| {}).unwrap().show::<Bad>().unwrap();
    engine.add((count, bad)).unwrap();
    engine.update(FRAME).unwrap();
    let asked =
        |engine: &Engine, text: &str| ecs::inspect::Question::new(text, engine).unwrap().first(engine).is_some();
    assert!(asked(&engine, "count.speed > 3") && asked(&engine, "count.word = hi"));
    assert_eq!(
        writes(&mut engine, None, "count.large"),
        ["frame 2: count in update changed count.large: 9223372036854775808 → 9223372036854775809"]
    );
    let inspector = engine.inspector();
    let shown = inspector.system("bad", serde_json::value::Serializer).unwrap_err().to_string();
    assert!(shown.contains("panicked"), "{shown}");
    assert!(ecs::inspect::Question::new("cuont.speed > 3", &engine).is_err());
}
