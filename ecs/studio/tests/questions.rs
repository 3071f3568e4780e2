//! The language of questions, and the examples of its page in the guide.

use std::collections::BTreeMap;
use std::time::Duration;

use ecs::inspect::{Invariants, Question};
use ecs::prelude::*;

const GUIDE: &str = include_str!("../../../docs/guide/src/questions.md");

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Ball {
    height_m: f32,
    speed_mps: f32,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
enum Mood {
    Calm,
    Hunting(Option<EntityId>),
    Tired { seconds: f32 },
}

#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Bag {
    things: Vec<u8>,
    owned: BTreeMap<String, u32>,
    place: (f32, f32),
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Mark(bool);

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Settings {
    most_balls: u32,
}

#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
struct Bounced {
    ball: EntityId,
}

/// A system with a state.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Judge {
    verdicts: Vec<u32>,
    is_strict: bool,
}

impl System for Judge {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::note);
    }
}

impl Judge {
    fn note(&mut self, _: &Bounced) {
        self.verdicts.push(self.verdicts.len() as u32 + 40);
        self.is_strict = true;
    }
}

/// Balls that fall by 1 m/s in each frame of a second, and turn at the ground.
fn fall(mut balls: Query<(EntityId, &mut Ball)>, mut bounced: Sender<Bounced>, mut drops: Local<u16>) {
    *drops += 7;
    for (entity, ball) in &mut balls {
        ball.speed_mps -= 1.0;
        ball.height_m += ball.speed_mps;
        if ball.height_m < 0.0 && ball.speed_mps < 0.0 {
            ball.speed_mps *= -1.0;
            bounced.send(Bounced { ball: entity });
        }
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.add(fall).unwrap();
    let types = engine.types_mut();
    types.component_by::<Ball>("ball", |ball, hash| _ = hash.printed(ball)).unwrap().save::<Ball>(1).unwrap();
    types.component_by::<Mood>("mood", |mood, hash| _ = hash.printed(mood)).unwrap().save::<Mood>(1).unwrap();
    types.component_by::<Bag>("bag of all", |bag, hash| _ = hash.printed(bag)).unwrap().save::<Bag>(1).unwrap();
    types.component_by::<Mark>("mark", |mark, hash| _ = hash.add(&mark.0)).unwrap().save::<Mark>(1).unwrap();
    types.component_by::<u64>("secret", |secret, hash| _ = hash.add(secret)).unwrap();
    types.event_by::<Bounced>("bounced", |bounced, hash| _ = hash.add(&bounced.ball)).unwrap();
    let settings = types.resource_by::<Settings>("settings", |settings, hash| _ = hash.add(&settings.most_balls));
    settings.unwrap().save::<Settings>(1).unwrap();
    types.local::<u16>("drops").unwrap().show::<u16>().unwrap();
    types.system_by::<Judge>("judge", |judge, hash| _ = hash.printed(judge)).unwrap().save::<Judge>(1).unwrap();
    engine.add(Judge::default()).unwrap();
    engine.insert_resource(Settings { most_balls: 2 });
    engine
}

fn question(text: &str, engine: &Engine) -> Question {
    Question::new(text, engine).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn found(text: &str, engine: &Engine) -> Vec<EntityId> {
    question(text, engine).entities(engine)
}

fn refused_by(text: &str, engine: &Engine) -> String {
    Question::new(text, engine).unwrap_err().to_string()
}

fn refused(text: &str) -> String {
    Question::new(text, &engine()).expect_err(text).to_string()
}

#[test]
fn entities_are_found_by_conditions_over_all_kinds_of_values() {
    let mut engine = engine();
    let low = engine.spawn((Ball { height_m: 1.0, speed_mps: f32::NAN }, Mood::Calm));
    let high = engine.spawn((Ball { height_m: 5.0, speed_mps: -2.0 }, Mood::Hunting(Some(low)), Mark(true)));
    let owned = BTreeMap::from([("key".to_owned(), 3)]);
    let bag = engine.spawn((Bag { things: vec![7, 9], owned, place: (1.5, -2.0) }, Mood::Tired { seconds: 4.0 }));
    let off = engine.spawn((Mark(false), Mood::Hunting(None), 7_u64));
    for (text, wanted) in [
        ("ball.height_m > 2", vec![high]),
        ("ball.height_m >= 1 and ball.height_m <= 1", vec![low]),
        ("ball.height_m*2-1 = 9 or 1+2*3 != 7", vec![high]),
        ("-ball.height_m < -(2 + 2) and 7 % 4 = 3 and 1e1 / 4 = 2.5", vec![high]),
        ("ball.speed_mps < 0 or ball.speed_mps >= 0", vec![high]),
        ("ball.speed_mps != 0", vec![low, high]),
        ("mood = Calm", vec![low]),
        ("mood = \"Hunting\"", vec![high, off]),
        ("mood.Hunting", vec![high]),
        (&format!("mood.Hunting = {low}"), vec![high]),
        ("mood.Tired.seconds + 1 = 5", vec![bag]),
        ("`bag of all`.things.1 = 9 and `bag of all`.owned.key = 3 and `bag of all`.place.1 = -2", vec![bag]),
        ("`bag of all`.things.2 = 9 or `bag of all`.owned.kay = 3", vec![]),
        ("ball", vec![low, high]),
        ("mark", vec![high]),
        ("mark = false", vec![off]),
        ("not ball and not mark", vec![bag, off]),
        ("not (ball.height_m > 2)", vec![low]),
        ("secret", vec![off]),
        (&format!("entity = {bag} or entity = {low} and ball"), vec![low, bag]),
        ("ball.height_m = high or ball = 7 or ball != 7 or mood > 1", vec![]),
        ("ball.height_m = most(ball.height_m)", vec![high]),
        ("count(ball) > settings.most_balls", vec![]),
        ("frame = 0 and seconds = 0 and ball", vec![low, high]),
    ] {
        assert_eq!(found(text, &engine), wanted, "{text}");
    }
    // Disabled ones are there.
    engine.disable(low).unwrap();
    assert_eq!(found("ball.height_m < 2", &engine), [low]);
}

#[test]
fn numbers_are_counted_and_summed() {
    let mut engine = engine();
    engine.spawn((Ball { height_m: 1.0, speed_mps: 2.0 },));
    engine.spawn((Ball { height_m: 5.0, speed_mps: 3.0 }, Mark(true)));
    engine.spawn((Mark(true),));
    let number = |text: &str| question(text, &engine).number(&engine);
    for (text, wanted) in [
        ("count(ball)", Some(2.0)),
        ("count(ball and not mark)", Some(1.0)),
        ("count(true)", Some(3.0)),
        ("sum(ball.height_m * ball.speed_mps)", Some(17.0)),
        ("sum(ball.height_m, mark)", Some(5.0)),
        ("least(ball.height_m) - most(ball.speed_mps)", Some(-2.0)),
        ("sum(`bag of all`.place.0)", Some(0.0)),
        ("least(`bag of all`.place.0)", None),
        ("settings.most_balls * 10", Some(20.0)),
        ("count(ball) <= settings.most_balls", Some(1.0)),
        ("count(ball) < settings.most_balls", Some(0.0)),
        ("ball.height_m > 2", Some(1.0)),
        ("ball.height_m + 2", None),
    ] {
        assert_eq!(number(text), wanted, "{text}");
    }
}

#[test]
fn frames_are_compared_with_the_one_before() {
    let mut engine = engine();
    let ball = engine.spawn((Ball { height_m: 10.5, speed_mps: 0.0 },));
    let still = engine.spawn((Mark(true),));
    let mut all = ["changed(ball.height_m)", "delta(ball.speed_mps) > 0", "changed(mark)", "delta(count(mark)) = 1"]
        .map(|text| question(text, &engine));
    let mut sent = question("sent(bounced)", &engine);
    let mut by_rust_name = question("sent(Bounced) > 0", &engine);
    let mut ask = |engine: &mut Engine| {
        engine.update(Duration::from_secs(1)).unwrap();
        let counts = all.each_ref().map(|question| question.first(engine).map(|found| found.entity));
        let events = (sent.number(engine), by_rust_name.number(engine));
        all.iter_mut().for_each(|question| question.end_frame(engine));
        sent.end_frame(engine);
        by_rust_name.end_frame(engine);
        (counts, events)
    };
    // Without a frame before all is unknown.
    assert_eq!(ask(&mut engine), ([None, None, None, None], (None, None)));
    let new = engine.spawn((Mark(true),));
    assert_eq!(
        ask(&mut engine),
        ([Some(Some(ball)), None, Some(Some(new)), Some(None)], (Some(0.0), Some(0.0))),
        "the speed falls, and a mark came"
    );
    engine.despawn(still).unwrap();
    engine.get_mut::<Ball>(ball).unwrap().height_m = -5.0;
    engine.get_mut::<Ball>(ball).unwrap().speed_mps = -1.0;
    let bounce = ask(&mut engine);
    assert_eq!(bounce, ([Some(Some(ball)), Some(Some(ball)), None, None], (Some(1.0), Some(1.0))));
    all.iter_mut().for_each(Question::begin_again);
    assert!(all.iter().all(|question| question.first(&engine).is_none()), "unknown again");
}

#[test]
fn conditions_that_held_for_some_frames_are_known_as_soon_as_that_is_decided() {
    let mut engine = engine();
    let moving = engine.spawn((Ball { height_m: 100.5, speed_mps: 0.0 }, Mark(true)));
    let still = engine.spawn((Mark(true),));
    let mut unmoved = question("mark and held(not changed(mark), 3)", &engine);
    let mut high = question("held(ball.height_m > 80, 4)", &engine);
    let mut some = question("held(count(mark) > 1 and sent(bounced) = 0, 2)", &engine);
    let counts = question("count(held(mark, 1))", &engine);
    assert_eq!([&unmoved, &high, &some, &counts].map(Question::frames_back), [3, 3, 2, 0]);
    assert_eq!(counts.number(&engine), Some(2.0));
    let known = |question: &Question, engine: &Engine| {
        let holds = question.first(engine).map(|found| (true, found.entity));
        holds.or_else(|| question.first_breach(engine).map(|found| (false, found.entity)))
    };
    let mut told = Vec::new();
    for number in 0..6 {
        engine.update(Duration::from_secs(1)).unwrap();
        if number == 4 {
            engine.get_mut::<Mark>(still).unwrap().0 = false;
            engine.get_mut::<Mark>(still).unwrap().0 = true;
            engine.insert(moving, (Mark(false),)).unwrap();
        }
        told.push([&unmoved, &high, &some].map(|question| known(question, &engine)));
        for question in [&mut unmoved, &mut high, &mut some] {
            question.end_frame(&engine);
            // It is the same frame.
            question.end_frame(&engine);
        }
    }
    let (moving, still) = (Some(moving), Some(still));
    assert_eq!(
        told,
        [
            [None, None, None],
            [None, None, None],
            // Two frames without a bounce, as the first one has none before.
            [None, None, Some((true, None))],
            // The ball was above 80 m in four frames, and marks did not change in three.
            [Some((true, moving)), Some((true, moving)), Some((true, None))],
            // One of the marks is false now, and the other one has not changed.
            [Some((true, still)), Some((true, moving)), Some((false, None))],
            [Some((true, still)), Some((false, moving)), Some((false, None))],
        ]
    );
    // Another moment was restored: what was before is unknown.
    unmoved.begin_again();
    assert_eq!(unmoved.first(&engine), None);
    for (text, sentence) in [
        ("held(mark)", "column 1: `held` takes a condition and a whole number of frames, from 1 to 1000"),
        ("held(mark, 0)", "column 12: `held` takes a condition and a whole number of frames, from 1 to 1000"),
        ("held(mark, 1.5)", "column 12: `held` takes a condition and a whole number of frames, from 1 to 1000"),
        ("held(mark, frame)", "column 12: `held` takes a condition and a whole number of frames, from 1 to 1000"),
        ("held(mark, 2, 3)", "column 15: `held` takes 2 of these, not 3"),
        ("held(ball.height_m + 1, 2)", "column 6: this is a value and no condition: compare it, as in `… > 0`"),
    ] {
        assert_eq!(refused(text), sentence);
    }
}

#[test]
fn memory_is_that_of_the_frames_before_alone() {
    let mut engine = engine();
    engine.spawn((Ball { height_m: 500.0, speed_mps: 0.0 },));
    let second = Duration::from_secs(1);
    let mut invariants = Invariants::read("it never falls: delta(settings.most_balls) >= 0", &engine).unwrap();
    engine.update(second).unwrap();
    invariants.check(&engine).unwrap();
    let before = engine.snapshot().unwrap();
    engine.resource_mut::<Settings>().unwrap().most_balls = 1_000;
    engine.update(second).unwrap();
    invariants.check(&engine).unwrap();
    // What was taken back is not compared with.
    engine.restore(&before).unwrap();
    engine.update(second).unwrap();
    invariants.check(&engine).unwrap();
    // Frames that were not asked about may have been anything.
    let mut high = question("held(ball.height_m > 0, 3)", &engine);
    high.end_frame(&engine);
    (0..5).for_each(|_| engine.update(second).unwrap());
    assert_eq!((high.first(&engine), high.first_breach(&engine)), (None, None));
    for _ in 0..3 {
        high.end_frame(&engine);
        engine.update(second).unwrap();
    }
    assert!(high.first(&engine).is_some());
    // A frame that is ended again counts once, also for what looks back twice.
    let text = "delta(delta(ball.height_m)) = -1";
    let (mut once, mut twice) = (question(text, &engine), question(text, &engine));
    for _ in 0..4 {
        engine.update(second).unwrap();
        assert_eq!(once.first(&engine), twice.first(&engine));
        once.end_frame(&engine);
        twice.end_frame(&engine);
        twice.end_frame(&engine);
    }
    engine.update(second).unwrap();
    assert!(twice.first(&engine).is_some());
    // A comparison of conditions holds without their components, too.
    let other = engine.spawn(());
    assert!(question("(ball and mark) = false", &engine).entities(&engine).contains(&other));
}

#[test]
fn states_of_systems_are_asked_for() {
    let mut engine = engine();
    engine.spawn((Ball { height_m: 0.5, speed_mps: 0.0 },));
    let mut drops = question("delta(fall.drops) = 7", &engine);
    let mut verdict = question("changed(judge.verdicts)", &engine);
    let mut last = question("judge.verdicts.0 = 40 and Judge.is_strict and frame < 3", &engine);
    assert!(!verdict.is_about_entities() && verdict.is_condition());
    let asked = |engine: &Engine, question: &mut Question| {
        let holds = question.first(engine).map(|_| true).or_else(|| question.first_breach(engine).map(|_| false));
        question.end_frame(engine);
        holds
    };
    assert_eq!(asked(&engine, &mut drops), None, "there is no frame before");
    assert_eq!(asked(&engine, &mut verdict), None);
    assert_eq!(asked(&engine, &mut last), Some(false), "the list is empty, and a judge begins mild");
    engine.update(Duration::from_secs(1)).unwrap();
    assert_eq!([&mut drops, &mut verdict, &mut last].map(|question| asked(&engine, question)), [Some(true); 3]);
    engine.update(Duration::from_secs(1)).unwrap();
    assert_eq!(asked(&engine, &mut drops), Some(true));
    assert_eq!(asked(&engine, &mut verdict), Some(false), "the ball rises");
    // A word stays a word, whatever systems are called.
    fn calm(mut drops: Local<u16>) {
        *drops += 1;
    }
    engine.add(calm).unwrap();
    engine.spawn((Mood::Calm,));
    assert_eq!(found("mood = calm", &engine).len() + found("mood = Calm", &engine).len(), 1);
    assert_eq!(
        refused_by("judge.verdict.0 = 1 and fall.dropz > 1", &engine),
        "column 25: `fall` has no field `dropz`: it has drops"
    );
    assert_eq!(
        refused("fal.drops > 1"),
        "column 1: no component, resource or system is registered as `fal`: `fall` may be meant"
    );
}

#[test]
fn what_cannot_be_read_is_told_in_a_sentence() {
    for (text, sentence) in [
        ("", "column 1: expected a name or a value, not the end"),
        ("ball.height_m >", "column 16: expected a name or a value, not the end"),
        ("ball.height_m > > 2", "column 17: expected a name or a value, not `>`"),
        ("ball mark", "column 6: expected an operator, or the end, not `mark`"),
        ("(ball", "column 6: expected an operator or `)`, not the end"),
        ("not and", "column 5: expected a name or a value, not `and`"),
        ("ball. height_m", "column 7: expected the name of a field, not `height_m`"),
        ("ball.height_m = \"high", "column 17: the text has no quote at its end"),
        ("`ball", "column 1: the name has no backquote at its end"),
        ("ball.height_m > 2x", "column 17: `2x` is neither a number nor an entity such as 3v7"),
        ("entity = 3v2", "`3v2` is the id of no entity: its version is odd"),
        (
            "bell.height_m > 2",
            "column 1: no component, resource or system is registered as `bell`: `ball` may be meant",
        ),
        ("ball and ä > 2", "column 10: no component, resource or system is registered as `ä`"),
        (
            "bag_of_all.things",
            "column 1: no component, resource or system is registered as `bag_of_all`: `bag of all` may be meant, with its backquotes",
        ),
        ("cuont(ball) > 2", "column 1: there is no function `cuont`: `count` may be meant"),
        ("sent(bunced)", "column 6: there is no event `bunced`: `bounced` may be meant"),
        ("sent(1)", "column 1: `sent` takes the name of an event, as in `sent(bounced)`"),
        ("ball and 1", "column 10: this is a value and no condition: compare it, as in `… > 0`"),
        ("count(ball, mark)", "column 13: `count` takes 1 of these, not 2"),
        ("count(sum(ball.height_m) > 1)", "column 7: `sum` stands within another function over all entities"),
        ("changed(1)", "column 9: `changed` takes a name, as in `changed(ball.height_m)`"),
        ("secret.x > 1", "column 1: `secret` (u64) is not registered for saving: its fields are unknown"),
    ] {
        assert_eq!(refused(text), sentence, "{text}");
    }
    assert_eq!(refused(&"(".repeat(60)), "column 52: the question nests too deep");
    assert_eq!(refused(&"-".repeat(60)), "column 52: the question nests too deep");
    assert_eq!(refused(&" ".repeat(1_001)), "a question has at most 1000 bytes, not 1001");
    // The longest question that is taken does not end the stack.
    let long = format!("1{} = 0", "+1".repeat(490));
    assert_eq!(question(&long, &engine()).number(&engine()), Some(0.0));
}

#[test]
fn invariant_names_the_first_frame_that_breaks_it() {
    let mut engine = engine();
    let ball = engine.spawn((Ball { height_m: 10.0, speed_mps: 0.0 },));
    engine.spawn((Mark(true),));
    let mut invariants = Invariants::read(
        "\u{feff}# A comment\n\nat most two: count(ball) <= settings.most_balls\nnever low: ball.height_m >= 3 or mark\n\
         no mood: mood != Calm",
        &engine,
    )
    .unwrap();
    let breach = (0..9).find_map(|_| {
        engine.update(Duration::from_secs(1)).unwrap();
        invariants.check(&engine).err()
    });
    assert_eq!(
        breach.unwrap().to_string(),
        format!(
            "frame 4 breaks \"never low\" (line 4: ball.height_m >= 3 or mark): \
             entity {ball} has ball.height_m = 0, mark = no value"
        )
    );
    assert_eq!(invariants.never_asked().collect::<Vec<_>>(), ["no mood"]);
    let mut over = Invariants::read("soon over: frame < 4 and settings.most_balls = 2", &engine).unwrap();
    let breach = over.check(&engine).unwrap_err().to_string();
    assert!(breach.ends_with("frame < 4 and settings.most_balls = 2): frame = 4, settings.most_balls = 2"), "{breach}");
    for (text, sentence) in [
        ("ball.height_m > 1", "line 1: expected a name and a colon before the question"),
        (
            "\na: bell",
            "line 2: column 1: no component, resource or system is registered as `bell`: `ball` may be meant",
        ),
        ("a: count(ball)", "line 1: this is a value and no condition: compare it, as in `… > 0`"),
    ] {
        assert_eq!(Invariants::read(text, &engine).unwrap_err().to_string(), sentence);
    }
}

#[test]
fn examples_of_the_guide_are_questions() {
    let engine = engine();
    let table = GUIDE.split("## Names").next().unwrap().lines().filter(|line| line.starts_with("| "));
    let examples: Vec<_> = table.filter_map(|line| line.split('`').nth(1)).collect();
    assert_eq!(examples.len(), 11);
    examples.iter().for_each(|text| _ = question(text, &engine));
    let file = GUIDE.split("```text\n# What must hold").nth(1).and_then(|file| file.split("```").next()).unwrap();
    let mut invariants = Invariants::read(&format!("# What must hold{file}"), &engine).unwrap();
    assert_eq!(invariants.never_asked().count(), 3);
    invariants.check(&engine).unwrap();
    assert_eq!(invariants.never_asked().collect::<Vec<_>>(), ["balls stay above the ground", "a bounce goes up"]);
    // The sentence there is that of a ball of 1.5 m below the ground.
    let mut engine = self::engine();
    engine.spawn((Ball { height_m: -1.5, speed_mps: 0.0 },));
    let breach = invariants.check(&engine).unwrap_err().to_string();
    assert!(GUIDE.contains(breach.trim_start_matches("frame 0 ")), "{breach}");
}

#[test]
fn what_is_unknown_is_told_apart_from_what_does_not_hold() {
    let mut engine = engine();
    engine.spawn((Ball { height_m: 1.0, speed_mps: 2.0 }, Mood::Tired { seconds: 4.0 }));
    engine.spawn((Bag { things: vec![7], owned: BTreeMap::new(), place: (0.0, 0.0) }, Mood::Calm));
    for (text, why) in [
        ("ball.weight_kg > 1", "`ball` has no field `weight_kg`: it has height_m, speed_mps"),
        ("delta(ball.weight_kg) = -6", "`ball` has no field `weight_kg`: it has height_m, speed_mps"),
        ("delta(ball) = -6", "`ball` is no number: it has height_m, speed_mps"),
        ("ball.height_m > 1000 and `bag of all` + 1 = 2", "`bag of all` is no number: it has things, owned, place"),
        ("6 < mood.Tired", "`mood.Tired` is no number: it has seconds"),
        ("mood.Tired.second = 1", "`mood.Tired` has no field `second`: it has seconds"),
        ("mood = 6", "`mood` is no number"),
        ("settings.most > 1", "`settings` has no field `most`: it has most_balls"),
        ("sum(ball) > 1", "`ball` is no number: it has height_m, speed_mps"),
    ] {
        assert_eq!(question(text, &engine).why_unknown(&engine).as_deref(), Some(why), "{text}");
    }
    for text in
        ["ball.height_m > 1000", "mood.Hunting", "not mark", "mood = Hunting", "changed(ball)", "sent(bounced) > 0"]
    {
        assert_eq!(question(text, &engine).why_unknown(&engine), None, "{text}");
    }
    for (text, is_known) in
        [("ball.height_m > 1000", true), ("delta(ball.height_m) > 1", false), ("ball.weight_kg > 1", false)]
    {
        assert_eq!(question(text, &engine).is_known(&engine), is_known, "{text}");
    }
}

#[test]
fn answer_shows_what_was_asked_and_for_how_many_more_it_holds() {
    let mut engine = engine();
    for height_m in [30.0, 40.0, 50.0] {
        engine.spawn((Ball { height_m, speed_mps: 0.0 },));
    }
    for (text, answer) in [
        ("delta(ball.height_m) = -1", "entity 1v1 (and 2 more) has delta(ball.height_m) = -1, ball.height_m = 29"),
        ("changed(ball.height_m) and ball.height_m > 35", "entity 2v1 (and 1 more) has ball.height_m = 39 (was 40)"),
        (
            "ball.speed_mps < 0 and delta(count(ball)) = 0 and ball.height_m > 45",
            "entity 3v1 has ball.speed_mps = -1, delta(count(ball)) = 0, count(ball) = 3, ball.height_m = 49",
        ),
        ("changed(fall.drops)", "fall.drops = 7 (was 0)"),
        ("count(changed(ball)) = 3", "count(changed(ball)) = 3"),
    ] {
        let mut question = question(text, &engine);
        let before = engine.snapshot().unwrap();
        question.end_frame(&engine);
        engine.update(Duration::from_secs(1)).unwrap();
        assert_eq!(question.first(&engine).unwrap().to_string(), answer, "{text}");
        engine.restore(&before).unwrap();
    }
}

#[test]
fn event_that_was_never_sent_is_asked_for_by_each_of_its_names() {
    #[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
    struct NearMissed;
    let mut engine = engine();
    engine.types_mut().event_by::<NearMissed>("near missed", |_, _| ()).unwrap();
    for text in ["sent(NearMissed)", "sent(`near missed`)"] {
        let mut question = question(text, &engine);
        question.end_frame(&engine);
        engine.update(Duration::from_secs(1)).unwrap();
        assert_eq!(question.number(&engine), Some(0.0), "{text}");
        engine.send(NearMissed);
        engine.update(Duration::from_secs(1)).unwrap();
        assert_eq!(question.number(&engine), Some(1.0), "{text}");
    }
    let told = "column 6: there is no event `near mised`: `near missed` may be meant, with its backquotes";
    assert_eq!(refused_by("sent(`near mised`)", &engine), told);
}
