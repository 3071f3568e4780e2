//! Two states and two runs, compared by the names of their types.

use std::time::Duration;

use ecs::inspect::{ComparedRun, Comparison, FieldDifference, Folding, StateDump};
use ecs::prelude::*;
use ecs::random::Purpose;
use ecs::snapshot::StateHash;

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Body {
    place_m: (f32, f32),
    #[serde(skip_serializing_if = "Option::is_none", default)]
    carries: Option<EntityId>,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Shield(u8);

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Rules {
    speed_mps: f32,
    most: u32,
}

/// A system with a state of its own.
#[derive(Clone, Debug, Default)]
struct Counter {
    seconds: u32,
}

impl System for Counter {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::count);
    }
}

impl Counter {
    fn count(&mut self) {
        self.seconds += 1;
    }
}

struct Drawing;

impl Purpose for Drawing {
    const NAME: &'static str = "drawing";
}

/// What two builds of a program differ in.
#[derive(Clone, Copy, Default)]
struct Build {
    knows_shields: bool,
    has_one_more_system: bool,
    most: u32,
    /// The resource changes in this frame, in another field.
    speeds_up: Option<u64>,
    /// The bodies are inserted in another order.
    is_swapped: bool,
    /// From this frame on, balls are as much faster.
    faster: Option<(u64, f32)>,
    draws_from: Option<u64>,
}

fn roll(time: Time, build: Res<Build>, rules: Res<Rules>, mut bodies: Query<&mut Body>) {
    let more = build.faster.filter(|(from, _)| time.frame() >= *from).map_or(0.0, |(_, more)| more);
    for body in &mut bodies {
        body.place_m.0 += rules.speed_mps + more;
    }
}

fn rest() {}

fn speed_up(time: Time, build: Res<Build>, mut rules: ResMut<Rules>) {
    if build.speeds_up == Some(time.frame()) {
        rules.speed_mps = 2.0;
    }
}

fn draw(time: Time, build: Res<Build>, mut random: Random<Drawing>) {
    if build.draws_from.is_some_and(|from| time.frame() >= from) {
        random.below(6);
    }
}

struct Run {
    engine: Engine,
    frames: u64,
}

fn run(build: Build) -> Run {
    let mut engine = Engine::builder().seed(7).build();
    let types = engine.types_mut();
    types.component_by::<Body>("body", |body, hash| _ = hash.printed(body)).unwrap().save::<Body>(1).unwrap();
    types.resource_by::<Rules>("rules", |rules, hash| _ = hash.printed(rules)).unwrap().save::<Rules>(1).unwrap();
    if build.knows_shields {
        types.component_by::<Shield>("shield", |shield, hash| _ = hash.add(&shield.0)).unwrap();
        types.save::<Shield>(1).unwrap();
    }
    types.system_by::<Counter>("counter", |counter, hash| _ = hash.add(&counter.seconds)).unwrap();
    types.show::<Counter>().unwrap();
    engine.insert_resource(Rules { speed_mps: 1.0, most: build.most });
    let first = engine.spawn((Body { place_m: (0.0, 0.0), carries: None },));
    let second = engine.spawn((Body { place_m: (5.0, 1.0), carries: Some(first) },));
    if build.is_swapped {
        for entity in [second, first] {
            let body = engine.get::<Body>(entity).unwrap().clone();
            engine.remove::<Body>(entity).unwrap();
            engine.insert(entity, (body,)).unwrap();
        }
    }
    if build.knows_shields {
        engine.insert(second, (Shield(3),)).unwrap();
    }
    engine.add(Counter::default()).unwrap();
    engine.insert_resource(build);
    engine.types_mut().leave_out_resource::<Build>();
    engine.add(roll).unwrap();
    engine.add(speed_up).unwrap();
    if build.has_one_more_system {
        engine.add(rest).unwrap();
    }
    engine.add(draw).unwrap();
    Run { engine, frames: 40 }
}

impl ComparedRun for Run {
    type Error = ecs::Error;

    fn hash_at(&mut self, frame: u64) -> Result<Option<StateHash>, ecs::Error> {
        if frame > self.frames {
            return Ok(None);
        }
        if frame > 0 {
            self.engine.update(Duration::from_secs(1))?;
        }
        self.engine.state_hash().map(Some)
    }

    fn dump(&mut self) -> Result<StateDump, ecs::Error> {
        self.engine.inspector().dump()
    }
}

fn compared(one: Build, other: Build, bound: f64) -> Comparison {
    Comparison::of(&mut run(one), &mut run(other), &Folding { bound, names: Vec::new() }).unwrap()
}

fn texts<'a>(all: impl IntoIterator<Item = &'a FieldDifference>) -> Vec<String> {
    all.into_iter().map(ToString::to_string).collect()
}

#[test]
fn equal_runs_have_no_difference() {
    let found = compared(Build::default(), Build::default(), 0.0);
    assert_eq!(found, Comparison { frames: 40, ..Comparison::default() });
    assert_eq!(found.to_string(), "all 40 frames are equal");
    let mut longer = run(Build::default());
    longer.frames = 41;
    let found = Comparison::of(&mut run(Build::default()), &mut longer, &Folding::default()).unwrap();
    assert_eq!(found.to_string(), "all 40 frames are equal; only the second goes on");
}

#[test]
fn first_frame_entity_and_field_that_differ_are_named() {
    let found = compared(Build::default(), Build { faster: Some((12, 0.5)), ..Build::default() }, 0.0);
    assert_eq!(found.frame, Some(12));
    assert_eq!(
        found.to_string(),
        "frame 12 is the first in which they differ:\n  \
         entity 1v1\n    \
         body.place_m.0: 12.0 | 12.5\n  \
         entity 2v1\n    \
         body.place_m.0: 17.0 | 17.5"
    );
}

#[test]
fn numbers_within_a_bound_are_folded_until_they_leave_it() {
    let other = Build { faster: Some((12, 0.25)), ..Build::default() };
    let found = compared(Build::default(), other, 1.0);
    // A quarter more in each frame from the twelfth on.
    assert_eq!(found.frame, Some(16));
    assert_eq!(texts(&found.differences)[0], "body.place_m.0 of entity 1v1: 16.0 | 17.25");
    assert_eq!(found.folded.len(), 1);
    assert_eq!((found.folded[0].0, found.folded[0].1.distance()), (12, Some(0.25)));
    assert_eq!(compared(Build::default(), other, 100.0).frame, None);
}

#[test]
fn what_a_mended_build_has_from_the_beginning_hides_nothing() {
    let mended = Build { most: 3, has_one_more_system: true, knows_shields: true, ..Build::default() };
    let found = compared(Build::default(), mended, 0.0);
    assert_eq!(found.frame, None);
    let folded = texts(found.folded.iter().map(|(_, difference)| difference));
    assert_eq!(folded, ["most of resource rules: 0 | 3", "timers: not shown | not shown"]);
    assert_eq!(found.unknown, [vec![], vec!["component `shield`".to_owned()]]);
    // Neither a component that one build does not know nor the number of a rule hides what comes later.
    let found = compared(Build::default(), Build { faster: Some((30, 1.0)), ..mended }, 0.0);
    assert_eq!(found.frame, Some(30));
    assert!(found.to_string().ends_with("\nonly the second knows component `shield`"), "{found}");
}

#[test]
fn what_differs_from_the_beginning_hides_no_other_value_of_its_type() {
    // Another field of a resource of which one field differs from the beginning.
    let other = Build { most: 3, speeds_up: Some(9), ..Build::default() };
    let found = compared(Build::default(), other, 0.0);
    assert_eq!(found.frame, Some(9));
    assert!(texts(&found.differences).contains(&"speed_mps of resource rules: 1.0 | 2.0".to_owned()), "{found}");
    // Components that were inserted in another order.
    let other = Build { is_swapped: true, faster: Some((12, 0.5)), ..Build::default() };
    let found = compared(Build { is_swapped: false, ..Build::default() }, other, 0.0);
    assert_eq!((found.frame, found.folded[0].0), (Some(12), 0), "{found}");
}

#[test]
fn whole_numbers_are_no_measures() {
    let found = compared(Build::default(), Build { most: 3, ..Build::default() }, 100.0);
    assert_eq!(found.folded[0].1.distance(), None);
    let [mut one, mut other] = [Build::default(), Build { most: 3, ..Build::default() }].map(run);
    let [one, other] = [&mut one, &mut other].map(|run| run.dump().unwrap());
    let folding = Folding { bound: 100.0, ..Folding::default() };
    let found = Comparison::of_states(&one, &other, &folding);
    assert_eq!(texts(&found.differences), ["most of resource rules: 0 | 3"]);
}

#[test]
fn types_that_are_named_are_folded() {
    let other = Build { faster: Some((12, 0.5)), ..Build::default() };
    let folding = Folding { names: vec!["body".to_owned()], ..Folding::default() };
    let found = Comparison::of(&mut run(Build::default()), &mut run(other), &folding).unwrap();
    assert_eq!(
        found.to_string(),
        "all 40 frames are equal\nfolded, from frame 12 on: body.place_m.0 of entity 1v1: 12.0 | 12.5"
    );
}

#[test]
fn random_streams_are_folded_and_told() {
    let later = Build { draws_from: Some(21), faster: Some((25, 1.0)), ..Build::default() };
    let found = compared(Build { draws_from: Some(99), ..Build::default() }, later, 0.0);
    assert_eq!(found.frame, Some(25));
    let folded: Vec<_> = found.folded.iter().map(|(frame, difference)| (*frame, difference.to_string())).collect();
    assert_eq!(folded, [(21, "random numbers: not shown | not shown".to_owned())]);
}

#[test]
fn entities_components_resources_and_systems_differ_by_their_values() {
    let [mut one, mut other] = [Build::default(), Build::default()].map(run);
    let [first, second] = [1_usize, 2].map(|place| one.engine.entities().iter().nth(place - 1).unwrap());
    other.engine.despawn(first).unwrap();
    other.engine.get_mut::<Body>(second).unwrap().carries = None;
    other.engine.disable_component::<Body>(second).unwrap();
    other.engine.resource_mut::<Rules>().unwrap().speed_mps = f32::NAN;
    other.engine.system_mut::<Counter>().unwrap().seconds = 9;
    let [one, other] = [&mut one, &mut other].map(|run| run.dump().unwrap());
    let found = one.differences(&other);
    assert_eq!(
        texts(&found),
        [
            "entity 1v1: with body | not there",
            "body of entity 2v1: enabled | disabled",
            "body.carries of entity 2v1: 1v1 | not there",
            "speed_mps of resource rules: 1.0 | NaN 7fc00000",
            "system counter: seconds 0 | seconds 9",
        ]
    );
    assert_eq!(found[3].distance(), None, "a number is not near what is none");
    // The other way round, each value has changed places.
    let mirrored: Vec<_> = other.differences(&one).into_iter().map(|difference| difference.values).collect();
    let expected: Vec<_> = found.into_iter().map(|FieldDifference { values: [one, other], .. }| [other, one]).collect();
    assert_eq!(mirrored, expected);
}

#[test]
fn states_of_systems_are_told_by_the_names_of_the_systems() {
    let mut run = run(Build::default());
    run.engine.update(Duration::from_secs(1)).unwrap();
    let inspector = run.engine.inspector();
    for name in ["Counter", "counter"] {
        let state = inspector.system(name, serde_json::value::Serializer).unwrap();
        assert_eq!(state, "Counter { seconds: 1 }", "its type is not registered for saving");
    }
}

#[test]
fn dumps_go_through_any_format() {
    let mut run = run(Build { knows_shields: true, ..Build::default() });
    let dump = run.dump().unwrap();
    let text = serde_json::to_string(&dump).unwrap();
    let read: StateDump = serde_json::from_str(&text).unwrap();
    assert_eq!(read, dump);
    assert!(dump.differences(&read).is_empty());
    assert!(serde_json::from_str::<StateDump>(&text[..text.len() - 2]).is_err());
}

#[test]
fn equal_components_in_another_order_are_told_without_values() {
    let make = |swapped: bool| {
        let mut run = run(Build::default());
        let all: Vec<_> = run.engine.entities().iter().collect();
        for entity in if swapped { [all[1], all[0]] } else { [all[0], all[1]] } {
            let body = run.engine.get::<Body>(entity).unwrap().clone();
            run.engine.remove::<Body>(entity).unwrap();
            run.engine.insert(entity, (body,)).unwrap();
        }
        run.dump().unwrap()
    };
    assert_eq!(texts(&make(false).differences(&make(true))), ["body: not shown | not shown"]);
}
