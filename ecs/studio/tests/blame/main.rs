//! What wrote a field: `Inspector::begin_blame` and `WhyValue`.

mod system_states;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ecs::inspect::{Blame, Field, WhyValue};
use ecs::prelude::*;
use ecs::recording::{Recording, Replayer};
use serde::{Deserialize, Serialize};

const FRAME: Duration = Duration::from_millis(16);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Health {
    points: f32,
    armour: Armour,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Armour {
    Bare,
    Plated { thickness_m: f32 },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Score(u32);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ghost;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Rules {
    damage: f32,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Struck {
    victim: EntityId,
    points: f32,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Pressed;

fn engine(builder: ecs::EngineBuilder) -> (Engine, EntityId) {
    let mut engine = builder.build();
    let types = engine.types_mut();
    types.component_by::<Health>("health", |health, hash| _ = hash.printed(health)).unwrap();
    types.save::<Health>(1).unwrap();
    types.component_by::<Score>("score", |score, hash| _ = hash.add(&score.0)).unwrap().save::<Score>(1).unwrap();
    types.component_by::<Ghost>("ghost", |_, _| {}).unwrap().save::<Ghost>(1).unwrap();
    types.resource_by::<Rules>("house rules", |rules, hash| _ = hash.add(&rules.damage)).unwrap();
    types.save::<Rules>(1).unwrap();
    types.event_by::<Struck>("struck", |struck, hash| _ = hash.add(&struck.victim)).unwrap().save::<Struck>(1).unwrap();
    types.event_by::<Pressed>("pressed", |_, _| {}).unwrap().save::<Pressed>(1).unwrap();
    engine.insert_resource(Rules { damage: 2.5 });
    let victim = engine.spawn((Health { points: 9.0, armour: Armour::Bare }, Score(7)));
    (engine, victim)
}

fn field(engine: &mut Engine, entity: Option<EntityId>, text: &str) -> Field {
    engine.inspector().field(entity, text).unwrap()
}

fn blame(engine: &mut Engine, entity: Option<EntityId>, text: &str) -> Blame {
    let field = field(engine, entity, text);
    engine.inspector().begin_blame(&field);
    engine.update(FRAME).unwrap();
    engine.inspector().end_blame().unwrap()
}

fn writes(engine: &mut Engine, entity: Option<EntityId>, text: &str) -> Vec<String> {
    blame(engine, entity, text).writes.iter().map(ToString::to_string).collect()
}

fn why(engine: &mut Engine, entity: EntityId, text: &str) -> String {
    let (before, field) = (engine.snapshot().unwrap(), field(engine, Some(entity), text));
    let again = WhyValue::find(&field, |request| {
        engine.restore(&before)?;
        engine.inspector().begin_blame(request);
        engine.update(FRAME)?;
        Ok::<_, ecs::Error>(engine.inspector().end_blame().unwrap())
    });
    again.unwrap().to_string()
}

fn strike(_: &Pressed, rules: Res<Rules>, victims: Query<(EntityId, &Health)>, mut struck: Sender<Struck>) {
    for (victim, _) in &victims {
        struck.send(Struck { victim, points: rules.damage });
    }
}

fn hurt(struck: &Struck, mut health: Query<&mut Health>) {
    if let Some(health) = health.get_mut(struck.victim) {
        health.points -= struck.points;
    }
}

#[test]
fn a_listener_is_named_with_its_event_and_what_that_followed_from() {
    let (mut engine, victim) = engine(Engine::builder());
    engine.add((strike, hurt)).unwrap();
    engine.send(Pressed);
    assert_eq!(
        writes(&mut engine, Some(victim), "health.points"),
        ["frame 1: hurt in its listener for Struck (victim 1v1, points 2.5) changed health.points: 9 → 6.5; \
          Pressed (frame 1) → Struck (strike, frame 1)"]
    );
    // What was traced for it is traced no more.
    engine.send(Pressed);
    engine.update(FRAME).unwrap();
    assert_eq!(engine.inspector().traced_events(0).count(), 0);
}

#[test]
fn each_system_that_writes_over_another_is_told_in_order() {
    fn first(mut scores: Query<&mut Score>) {
        scores.iter_mut().for_each(|score| score.0 = 40);
    }
    fn second(mut scores: Query<&mut Score>) {
        scores.iter_mut().for_each(|score| score.0 = 7);
    }
    let (mut engine, victim) = engine(Engine::builder());
    engine.add((first, second).chain()).unwrap();
    // After the frame, nothing can be seen.
    assert_eq!(
        writes(&mut engine, Some(victim), "score"),
        ["frame 1: first in update changed score: 7 → 40", "frame 1: second in update changed score: 40 → 7"]
    );
}

#[test]
fn resources_enums_and_the_program_are_told() {
    fn soften(time: Time, mut rules: ResMut<Rules>) {
        rules.damage /= time.frame() as f32 + 1.0;
    }
    fn plate(mut health: Query<&mut Health>) {
        health.iter_mut().for_each(|health| health.armour = Armour::Plated { thickness_m: 0.25 });
    }
    let (mut engine, victim) = engine(Engine::builder());
    engine.add((soften, plate)).unwrap();
    let damage = field(&mut engine, None, "house rules.damage");
    engine.inspector().begin_blame(&damage);
    engine.resource_mut::<Rules>().unwrap().damage = 4.0;
    engine.update(FRAME).unwrap();
    let blame = engine.inspector().end_blame().unwrap();
    assert_eq!(
        blame.to_string(),
        "`house rules`.damage (resource) was 2.5 and is 2\n  \
         frame 0: the program, between frames, changed `house rules`.damage: 2.5 → 4\n  \
         frame 1: soften in update changed `house rules`.damage: 4 → 2"
    );
    engine.get_mut::<Health>(victim).unwrap().armour = Armour::Bare;
    assert_eq!(
        writes(&mut engine, Some(victim), "health.armour"),
        ["frame 2: plate in update changed health.armour: Bare → Plated, health.armour.Plated.thickness_m: 0.25"]
    );
}

#[test]
fn commands_that_insert_remove_enable_and_despawn_are_changes() {
    #[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
    enum Wish {
        Insert,
        Remove,
        Disable,
        Despawn,
    }
    fn grant(wish: &Wish, victims: Query<EntityId, With<Health>>, mut commands: Commands) {
        for victim in &victims {
            match wish {
                Wish::Insert => commands.insert(victim, (Ghost,)),
                Wish::Remove => commands.remove::<Ghost>(victim),
                Wish::Disable => commands.disable_component::<Ghost>(victim),
                Wish::Despawn => commands.despawn(victim),
            }
        }
    }
    let (mut engine, victim) = engine(Engine::builder());
    engine.add(grant).unwrap();
    let mut told = |wish| {
        engine.send(wish);
        let writes = writes(&mut engine, Some(victim), "ghost");
        assert_eq!(writes.len(), 1);
        let (_, told) = writes[0].split_once(": ").unwrap();
        told.split_once(';').unwrap().0.to_owned()
    };
    assert_eq!(told(Wish::Insert), "the command \"insert\" of grant inserted ghost: no parts");
    assert_eq!(told(Wish::Disable), "the command \"disable\" of grant disabled");
    assert_eq!(told(Wish::Remove), "the command \"remove\" of grant removed ghost: no parts");
    told(Wish::Insert);
    assert_eq!(told(Wish::Despawn), "the command \"despawn\" of grant despawned the entity with ghost: no parts");
}

#[test]
fn what_could_have_written_a_value_tells_why_it_did_not() {
    fn write(mut scores: Query<&mut Score>) {
        scores.iter_mut().for_each(|score| score.0 += 1);
    }
    fn disabled(scores: Query<&mut Score>) {
        write(scores);
    }
    fn never(scores: Query<&mut Score>) {
        write(scores);
    }
    fn no() -> bool {
        false
    }
    fn rarely(scores: Query<&mut Score>) {
        write(scores);
    }
    fn ghosts(mut ghosts: Query<(&Ghost, &mut Score)>) {
        ghosts.iter_mut().for_each(|(_, score)| score.0 += 1);
    }
    fn unhurt(mut scores: Query<&mut Score, Without<Health>>) {
        scores.iter_mut().for_each(|score| score.0 += 1);
    }
    fn same(mut scores: Query<&mut Score>) {
        scores.iter_mut().for_each(|score| score.0 = 7);
    }
    fn on_struck(_: &Struck, scores: Query<&mut Score>) {
        write(scores);
    }
    fn reads(_scores: Query<&Score>) {}

    let (mut engine, victim) = engine(Engine::builder());
    engine.add((disabled, never.run_if(no), rarely.every(Duration::from_secs(9)), ghosts, unhurt, same)).unwrap();
    engine.add((on_struck, reads)).unwrap();
    let disabled = engine.work_state().with_named("disabled", false).unwrap();
    engine.set_work_state(&disabled).unwrap();
    let told = blame(&mut engine, Some(victim), "score");
    assert_eq!(
        told.to_string(),
        "score of entity 1v1 is 7 and did not change\n  \
         disabled in update: it is disabled\n  \
         never in update: its condition was false: no\n  \
         rarely in update: its timer was not due\n  \
         ghosts in update: `Query<(&Ghost, &mut Score)>` does not match: the entity has no Ghost\n  \
         unhurt in update: `Query<&mut Score, Without<Health>>` does not match: the entity has Health\n  \
         same in update: it was called and did not change the value\n  \
         on_struck in its listener for Struck: no such event came"
    );
    engine.disable(victim).unwrap();
    let told = blame(&mut engine, Some(victim), "score");
    let same = told.suspects.iter().find(|suspect| suspect.system == "same").unwrap();
    assert_eq!(same.reason.to_string(), "`Query<&mut Score>` does not match: the entity is disabled");
}

#[test]
fn a_copied_value_is_followed_to_its_source() {
    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Aim(f64);
    fn load(mut rules: ResMut<Rules>) {
        rules.damage += 0.25;
    }
    fn on_struck(struck: &Struck, mut aims: Query<&mut Aim>) {
        aims.iter_mut().for_each(|aim| aim.0 = f64::from(struck.points));
    }
    let (mut engine, victim) = engine(Engine::builder());
    let types = engine.types_mut();
    types.component_by::<Aim>("aim", |aim, hash| _ = hash.add(&aim.0)).unwrap().save::<Aim>(1).unwrap();
    fn fire(rules: Res<Rules>, victims: Query<(EntityId, &Ghost)>, mut struck: Sender<Struck>) {
        for (victim, _) in &victims {
            struck.send(Struck { victim, points: rules.damage });
        }
    }
    engine.add(((load, fire).chain(), on_struck)).unwrap();
    engine.insert(victim, (Ghost, Aim(0.0))).unwrap();
    let told = why(&mut engine, victim, "aim");
    assert_eq!(
        told,
        "aim of entity 1v1 was 0 and is 2.75\n  \
         frame 1: on_struck in its listener for Struck (victim 1v1, points 2.75) changed aim: 0 → 2.75; \
         Struck (fire, frame 1)\n    \
         from points of the event Struck, the only place with this value that it may read, sent by fire in update\n    \
         from `house rules`.damage (resource), the only field with this value that it may read: \
         frame 1: load in update changed `house rules`.damage: 2.5 → 2.75"
    );
}

#[test]
fn a_value_that_several_places_had_is_not_guessed() {
    fn copy(rules: Res<Rules>, mut health: Query<&mut Health>) {
        let most = health.iter().map(|health| health.points).fold(rules.damage, f32::max);
        health.iter_mut().for_each(|health| health.points = most);
    }
    let (mut engine, victim) = engine(Engine::builder());
    engine.add(copy).unwrap();
    engine.resource_mut::<Rules>().unwrap().damage = 12.5;
    let twin = engine.spawn((Health { points: 12.5, armour: Armour::Bare },));
    let told = why(&mut engine, victim, "health.points");
    let places = format!("health.points of entity {twin}, `house rules`.damage (resource)");
    assert!(told.contains(&format!("{places}: which one it took is not known")), "{told}");
    engine.get_mut::<Health>(twin).unwrap().points = 1.0;
    engine.get_mut::<Health>(victim).unwrap().points = 0.5;
    engine.resource_mut::<Rules>().unwrap().damage = 1.0;
    let told = why(&mut engine, victim, "health.points");
    assert!(told.ends_with("it is a value that many places have"), "{told}");
}

#[test]
fn watching_changes_nothing_at_any_number_of_threads() {
    fn fall(time: Time, mut health: Query<&mut Health>) {
        health.par_for_each(|health| health.points *= time.frame() as f32 * 0.3 + 0.25);
    }
    fn count(mut scores: Query<&mut Score>) {
        scores.iter_mut().for_each(|score| score.0 += 1);
    }
    let run = |is_watched: bool| {
        let (mut engine, victim) = engine(Engine::builder().threads(4).parallel_threshold(0));
        engine.add((fall, count, strike, hurt)).unwrap();
        let points = field(&mut engine, Some(victim), "health.points");
        for _ in 0..5 {
            engine.send(Pressed);
            if is_watched {
                engine.inspector().begin_blame(&points);
            }
            engine.update(FRAME).unwrap();
            if is_watched {
                assert_eq!(engine.inspector().end_blame().unwrap().writes.len(), 2);
            }
        }
        engine.state_hash().unwrap()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn what_a_listener_wrote_before_it_panicked_is_its_own() {
    fn trip(_: &Pressed, mut scores: Query<&mut Score>) {
        scores.iter_mut().for_each(|score| score.0 = 99);
        panic!("it tripped");
    }
    let (mut engine, victim) = engine(Engine::builder());
    engine.add(trip).unwrap();
    engine.send(Pressed);
    let score = field(&mut engine, Some(victim), "score");
    engine.inspector().begin_blame(&score);
    let panicked = catch_unwind(AssertUnwindSafe(|| engine.update(FRAME)));
    assert!(panicked.is_err());
    let writes = engine.inspector().end_blame().unwrap().writes;
    assert_eq!(writes.len(), 1);
    assert!(writes[0].to_string().starts_with("frame 1: trip in its listener for Pressed changed score: 7 → 99"));
}

/// A system with a state that no snapshot has.
static DRIFT: AtomicU32 = AtomicU32::new(0);

#[test]
fn a_replay_that_differs_tells_whether_the_program_repeats_itself() {
    fn drift(mut health: Query<&mut Health>) {
        health.iter_mut().for_each(|health| health.points += DRIFT.fetch_add(1, Ordering::Relaxed) as f32);
    }
    fn fall(rules: Res<Rules>, mut health: Query<&mut Health>) {
        health.iter_mut().for_each(|health| health.points -= rules.damage);
    }
    let engine_with = |add: fn(&mut Engine), damage| {
        let (mut engine, _) = engine(Engine::builder());
        engine.show::<Health>();
        engine.insert_resource(Rules { damage });
        add(&mut engine);
        engine
    };
    let drifting: fn(&mut Engine) = |engine| _ = engine.add(drift).unwrap();
    let falling: fn(&mut Engine) = |engine| _ = engine.add(fall).unwrap();
    let told = |mut first: Engine, mut again: Engine| {
        let mut recording = Recording::<(), _>::new();
        for frame in 1..=9 {
            first.update(FRAME).unwrap();
            recording.frame(None);
            if frame % 3 == 0 {
                recording.state(first.state_hash().unwrap());
            }
        }
        let verified = Replayer::new(recording).verify(&mut again, |engine, _| engine.update(FRAME));
        verified.unwrap().expect("they differ").to_string()
    };
    // The same program: the recording tells only the interval, two runs of now the frame, the field and the system.
    let unsteady = told(engine_with(drifting, 2.5), engine_with(drifting, 2.5));
    let first = "the replay differs after frame 3, and agrees until frame 0: component \"health\" differs; run again from \
                 there, this program differs from itself after frame 1: component \"health\" of entity 1v1, field points, is ";
    assert!(unsteady.starts_with(first), "{unsteady}");
    assert!(unsteady.ends_with("in the second; in that frame it is written by drift in update"), "{unsteady}");
    // Another program: it repeats itself.
    let other = told(engine_with(falling, 2.5), engine_with(falling, 3.5));
    assert!(
        other.contains("this program comes to the same states up to frame 3: the recording was made by"),
        "{other}"
    );
}

#[test]
fn misspelt_fields_are_told_with_what_may_be_meant() {
    let (mut engine, victim) = engine(Engine::builder());
    let mut told = |entity, text: &str| engine.inspector().field(entity, text).unwrap_err().to_string();
    assert_eq!(told(Some(victim), "helth.points"), "no component is registered as `helth`: `health` may be meant");
    assert_eq!(told(Some(victim), "health.poinst"), "`health` has no field `poinst`: `points` may be meant");
    assert_eq!(told(Some(victim), "health.x"), "`health` has no field `x`: it has points, armour");
    assert_eq!(
        told(None, "health"),
        "no resource or system is registered as `health`: it is a component: name its entity"
    );
    assert_eq!(
        told(Some(victim), "house rules"),
        "no component is registered as `house rules`: it is a resource: leave the entity out"
    );
    // Of an enum, the path may lead to a variant that is not there now.
    assert!(engine.inspector().field(Some(victim), "health.armour.Plated.thickness_m").is_ok());
}

#[test]
fn each_write_tells_where_its_value_came_from() {
    fn copy(rules: Res<Rules>, mut healths: Query<&mut Health>) {
        healths.iter_mut().for_each(|health| health.points = rules.damage);
    }
    fn cut(mut healths: Query<&mut Health>) {
        healths.iter_mut().for_each(|health| health.points *= 0.75);
    }
    let (mut engine, victim) = engine(Engine::builder());
    engine.add((copy, cut).chain()).unwrap();
    let why = why(&mut engine, victim, "health.points");
    let lines: Vec<_> = why.lines().collect();
    assert_eq!(lines[1], "  frame 1: copy in update changed health.points: 9 → 2.5");
    assert!(lines[2].starts_with("    from `house rules`.damage (resource)"), "{why}");
    assert_eq!(lines[3], "  frame 1: cut in update changed health.points: 2.5 → 1.875");
    assert_eq!(lines[4], "    nothing that it may read had this value: it was computed there");
}
