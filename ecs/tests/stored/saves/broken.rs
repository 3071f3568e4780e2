//! Damaged saves are refused with a clear sentence and change nothing.

use ecs::{
    Engine, EntityId, Setup, System, Time,
    hierarchy::Parent,
    prelude::Configure,
    relation::Relation,
    snapshot::{LoadError, StableHash, StateHasher},
    state_machine::{Next, State, StateMachine},
    system::NextState,
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::world::{self, Dice, FRAME, Position, Settings, Speed, disturb};

const SETTINGS: Settings = Settings { seed: 7, threads: 1, functions_own_values: false, traced_frames: 0 };

#[derive(Clone, Serialize, Deserialize)]
struct Likes(u32);

impl Relation for Likes {}

impl StableHash for Likes {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.0);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    Calm,
    Angry,
}

impl State for Mood {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Self::Calm, Self::Angry), (Self::Angry, Self::Calm)];
}

struct Physics;

fn step(mut stepped: ecs::ResMut<u64>) {
    *stepped += 1;
}

/// The world of the snapshot tests, with relations, a state machine and a function in a set.
fn empty() -> Engine {
    let mut engine = world::empty(SETTINGS);
    engine.insert_resource(0_u64);
    engine.add_state_machine(StateMachine::new(Mood::Calm)).unwrap();
    engine.add(step.in_set::<Physics>().run_if(|_: Time| true)).unwrap();
    let types = engine.types_mut();
    types.relation::<Likes>("likes").unwrap().save_relation::<Likes>(1).unwrap();
    types.resource::<u64>("stepped").unwrap().save_with_text::<u64>(1).unwrap().function("step", step).unwrap();
    engine
}

/// Links some entities by random numbers, and requests a transition.
fn link(engine: &mut Engine, dice: &mut Dice) {
    let all: Vec<_> = engine.entities().iter().collect();
    let some = |dice: &mut Dice| all.get(dice.roll(all.len().max(1) as u64) as usize).copied().unwrap_or_default();
    for _ in 0..3 {
        let (source, target) = (some(dice), some(dice));
        _ = engine.relate(source, target, Likes(dice.roll(9) as u32));
        _ = engine.set_parent(some(dice), some(dice));
    }
    let next = [Next::Change(Mood::Angry), Next::Push(Mood::Angry), Next::Pop, Next::Stay][dice.roll(4) as usize];
    engine.resource_mut::<NextState<Mood>>().unwrap().set(next);
}

/// Asserts that both ends of each link agree, and that no entity is its own ancestor.
fn assert_linked<R: Relation>(engine: &Engine) {
    let pairs = |source: EntityId| engine.related::<R>(source).map(move |(target, _)| (source, target));
    let mut forth: Vec<_> = engine.entities().iter().flat_map(pairs).collect();
    let sources = |target: EntityId| engine.related_to::<R>(target).iter().map(move |source| (*source, target));
    let mut back: Vec<_> = engine.entities().iter().flat_map(sources).collect();
    forth.sort_unstable();
    back.sort_unstable();
    assert_eq!(forth, back);
    let most = engine.entities().len();
    assert!(engine.entities().iter().all(|entity| engine.ancestors(entity).take(most + 1).count() <= most));
}

/// A saved world with something of every kind.
fn saved() -> Vec<u8> {
    let (mut engine, mut dice) = (empty(), Dice(3));
    for _ in 0..20 {
        disturb(&mut engine, &mut dice);
        link(&mut engine, &mut dice);
        _ = engine.update(FRAME); // A transition may be refused.
    }
    disturb(&mut engine, &mut dice);
    link(&mut engine, &mut dice);
    assert!(engine.query::<&ecs::relation::Links<Likes>>().count() > 3, "there are links");
    assert!(engine.query::<&ecs::hierarchy::ChildOf>().count() > 3, "there are children");
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    bytes
}

fn refused(engine: &mut Engine, bytes: &[u8]) -> LoadError {
    let before = engine.state_hash().unwrap();
    let error = engine.load(&mut &*bytes).expect_err("it is broken");
    assert_eq!(engine.state_hash().unwrap(), before, "a refused save changes nothing");
    let text = error.to_string();
    assert!(
        !text.ends_with('.') && !text.contains('\n') && text.chars().next().is_some_and(char::is_lowercase),
        "{text}"
    );
    error
}

#[test]
fn errors_have_clear_sentences() {
    let (mut engine, bytes) = (empty(), saved());
    let message = |engine: &mut Engine, bytes: &[u8]| refused(engine, bytes).to_string();
    let no_save = "this is no saved snapshot: give the bytes or the text that one was saved as";
    assert_eq!(message(&mut engine, b"something else"), no_save);
    let cut = message(&mut engine, &bytes[..1000]);
    assert!(
        cut.starts_with("the saved snapshot ends too early, after ") && cut.ends_with(": use another copy"),
        "{cut}"
    );
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 16;
    let damaged = message(&mut engine, &flipped);
    assert!(damaged.starts_with("the saved snapshot is damaged in the part that begins at byte "), "{damaged}");
    let mut newer = bytes.clone();
    newer[8] = 6;
    newer[12..20].copy_from_slice(&StateHasher::default().number(6).finish().to_le_bytes());
    assert_eq!(
        message(&mut engine, &newer),
        "the snapshot was saved in form 6, and this version reads form 5: use a newer version"
    );
    assert_eq!(engine.load_text("(parts: [])").unwrap_err().to_string(), no_save);
    let text = engine.save_text().unwrap().replace("Frame(", "Frame (a");
    assert!(engine.load_text(&text).unwrap_err().to_string().starts_with("the saved snapshot is invalid (line "));
}

#[test]
fn error_of_the_reader_is_quoted() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is on fire"))
        }
    }
    let error = empty().load(&mut Failing).unwrap_err();
    assert_eq!(error.to_string(), "the saved snapshot could not be read: the disk is on fire");
}

/// Adds a part to a hash, as formats from 2 on do.
fn add(hash: &mut StateHasher, part: &[u8]) {
    let mut lanes = [(); 4].map(|()| StateHasher::default());
    let blocks = part.chunks_exact(32);
    let rest = blocks.remainder();
    for (at, word) in blocks.flat_map(|block| block.chunks(8)).enumerate() {
        lanes[at % 4].number(u64::from_le_bytes(word.try_into().unwrap()));
    }
    hash.number(part.len() as u64);
    lanes.iter().for_each(|lane| _ = hash.number(lane.finish()));
    hash.bytes(rest);
}

/// The same bytes with matching hashes, so that readers behind the hashes see the damage.
fn with_hashes(bytes: &[u8]) -> Vec<u8> {
    let mut hash = StateHasher::default();
    hash.number(5);
    let mut fixed = bytes[..12].to_vec();
    fixed.extend(hash.finish().to_le_bytes());
    let mut rest = bytes.get(20..).unwrap_or_default();
    while let Some((length, behind)) = rest.split_at_checked(8) {
        let claimed = u64::from_le_bytes(length.try_into().unwrap());
        let part = &behind[..behind.len().min(usize::try_from(claimed).unwrap_or(usize::MAX))];
        fixed.extend(length);
        fixed.extend(part);
        match claimed {
            0 => _ = hash.number(0),
            _ => add(&mut hash, part),
        }
        fixed.extend(hash.finish().to_le_bytes());
        rest = behind.get(part.len() + 8..).unwrap_or_default();
    }
    fixed
}

#[test]
fn hashes_are_as_documented() {
    let bytes = saved();
    assert_eq!(with_hashes(&bytes), bytes);
}

#[derive(Clone, Debug)]
enum Harm {
    Flip(usize, u8),
    Cut(usize),
    Insert(usize, u8),
    Copy(usize, usize, usize),
}

fn harm() -> impl Strategy<Value = Harm> {
    let at = || any::<prop::sample::Index>().prop_map(|index| index.index(1 << 20));
    prop_oneof![
        8 => (at(), 1_u8..).prop_map(|(at, bits)| Harm::Flip(at, bits)),
        1 => at().prop_map(Harm::Cut),
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Harm::Insert(at, byte)),
        2 => (at(), at(), 1_usize..20).prop_map(|(from, to, length)| Harm::Copy(from, to, length)),
    ]
}

fn apply_harm(bytes: &mut Vec<u8>, harm: &Harm) {
    let length = bytes.len();
    match *harm {
        Harm::Flip(at, bits) => bytes[at % length] ^= bits,
        Harm::Cut(at) => bytes.truncate(1 + at % length),
        Harm::Insert(at, byte) => bytes.insert(at % length, byte),
        Harm::Copy(from, to, count) => {
            let from = from % length;
            let end = (from + count).min(length);
            let copy = bytes[from..end].to_vec();
            let to = to % (length - copy.len()).max(1);
            bytes[to..to + copy.len()].copy_from_slice(&copy);
        }
    }
}

thread_local! {
    static SAVED: Vec<u8> = saved();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_flipped_bit_and_every_truncation_is_detected(at in any::<prop::sample::Index>(), bits in 1_u8.., cut in any::<bool>()) {
        let mut bytes = SAVED.with(Clone::clone);
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] ^= bits,
        }
        let error = refused(&mut empty(), &bytes);
        let is_clear = matches!(error, LoadError::NotASave | LoadError::Truncated { .. } | LoadError::Damaged { .. });
        prop_assert!(is_clear, "{error:?}");
    }

    /// Damaged bytes whose hashes match.
    #[test]
    fn damaged_bytes_with_matching_hashes_are_refused_or_give_a_usable_world(harms in prop::collection::vec(harm(), 1..4)) {
        let mut bytes = SAVED.with(Clone::clone);
        harms.iter().for_each(|harm| apply_harm(&mut bytes, harm));
        if bytes.len() < 20 {
            return Ok(());
        }
        let mut engine = empty();
        if engine.load(&mut with_hashes(&bytes).as_slice()).is_ok() {
            // Values may differ, but the world stays usable.
            for _ in 0..3 {
                let all: Vec<_> = engine.entities().iter().collect();
                let _ = engine.despawn_many(all.iter().copied().step_by(3));
                let _ = engine.insert_many(all.iter().step_by(2).map(|entity| (*entity, (Position(1.0), Speed(2.0)))));
                all.iter().step_by(5).for_each(|entity| _ = engine.disable(*entity));
                assert_linked::<Likes>(&engine);
                assert_linked::<Parent>(&engine);
                // A resource may hold what the world's own systems cannot work with, such as times of 500 years.
                if engine.update(FRAME).is_err() {
                    break;
                }
            }
            engine.state_hash().unwrap();
        }
    }
}

/// The text with the first `old` replaced by `new`.
fn instead(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "there is no {old} in\n{text}");
    text.replacen(old, new, 1)
}

#[test]
fn forged_kinds_are_refused() {
    let mut engine = empty();
    engine.spawn_many([(Position(1.0), Speed(1.0)), (Position(3.0), Speed(1.0))]);
    engine.spawn((Position(2.0),));
    let text = engine.save_text().unwrap();
    empty().load_text(&text).unwrap();
    let kinds = &text[text.find("Kinds(").unwrap()..text.find("Owners(").unwrap()];
    let with = |old: &str, new: &str| text.replace(kinds, &instead(kinds, old, new));
    for (old, new, problem) in [
        ("idx: 3", "idx: 2", "entity 2v1 is in two rows"),
        ("idx: 3", "idx: 4", "entity 4v1 does not exist"),
        ("enabled: 2", "enabled: 1", "an entity is on the wrong side"),
        ("enabled: 2", "enabled: 3", "an entity is on the wrong side"),
        ("count: 1", "count: 4", "there are more owners than entities"),
        ("count: 2", "count: 1", "an entity is on the wrong side"),
    ] {
        let error = empty().load_text(&with(old, new)).unwrap_err().to_string();
        assert!(error.contains(problem), "{new}: {error}");
    }
    // The values no longer fit the rows.
    assert!(empty().load_text(&with("of: [0, 1]", "of: [1]")).is_err());
}

#[test]
fn number_of_zero_sized_waiting_events_is_limited_across_lists() {
    #[derive(Clone, Copy, Serialize, Deserialize)]
    struct Tick;
    let make = || {
        let mut engine = Engine::new();
        engine.types_mut().event_by("tick", |_: &Tick, _| {}).unwrap().save_with_text::<Tick>(1).unwrap();
        engine
    };
    let mut engine = make();
    engine.send(Tick);
    let text = engine.save_text().unwrap();
    make().load_text(&text).unwrap();
    let hostile = instead(
        &text,
        "Events((\n            lists: [",
        "Events((\n            lists: [(0, 9000000, []), (0, 9000000, []),",
    );
    let hostile = instead(&hostile, "runs: [", "runs: [(1, 9000000, None), (0, 9000000, None),");
    let error = make().load_text(&hostile).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the saved snapshot is invalid (events): more than 16777216 wait; use one that was saved by this program"
    );
}

/// A system that is declared to run after [`First`].
struct Second;
struct First;

impl System for First {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, _: Time| {});
    }
}

impl System for Second {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<First>().update(|_: &mut Self, _: Time| {});
    }
}

fn nothing(_: Time) {}

#[test]
fn cycle_of_systems_and_functions_is_refused_before_anything_changes() {
    let make = || {
        let mut engine = Engine::new();
        engine.add(First).unwrap().add(Second).unwrap();
        engine.types_mut().function("nothing", nothing).unwrap();
        engine
    };
    let mut engine = make();
    engine.add(nothing.after_type::<Second>()).unwrap();
    let text = engine.save_text().unwrap();
    make().load_text(&text).unwrap();
    // The function is the last one in the text.
    let at = text.rfind("before: []").unwrap();
    let text = format!("{}before: [0]{}", &text[..at], &text[at + "before: []".len()..]);
    let mut engine = make();
    let before = engine.state_hash().unwrap();
    let error = engine.load_text(&text).unwrap_err().to_string();
    assert!(error.contains("First → Second → "), "{error}");
    assert_eq!(engine.state_hash().unwrap(), before);
    assert_eq!(engine.systems().iter().count(), 2, "no function was added");
    engine.update(FRAME).unwrap();
}

#[test]
fn forged_lists_of_owners_are_refused() {
    let make = || {
        let mut engine = Engine::new();
        let types = engine.types_mut();
        types.component::<u32>("score").unwrap().save_with_text::<u32>(1).unwrap();
        types.component::<u64>("money").unwrap().save_with_text::<u64>(1).unwrap();
        engine
    };
    let mut engine = make();
    engine.spawn_many([(1_u32, 1_u64), (2, 2), (3, 3)]);
    let text = engine.save_text().unwrap();
    assert_eq!(text.matches("count: 3").count(), 1, "both types have one list:\n{text}");
    make().load_text(&text).unwrap();
    for (old, new, problem) in [
        ("count: 3", "count: 4", "there are more owners than entities"),
        ("count: 3", "count: 4294967295", "there are more owners than entities"),
        ("count: 3", "count: 2", "an entity is on the wrong side"),
        ("idx: 1", "idx: 2", "entity 4v1 does not exist"),
        ("owners: 0", "owners: 1", "there is no list 1"),
        ("enabled: 3", "enabled: 2", "an entity is on the wrong side"),
        ("disabled: []", "disabled: [4]", "slot 4 is disabled and not taken"),
    ] {
        let error = make().load_text(&instead(&text, old, new)).unwrap_err().to_string();
        assert!(error.contains(problem), "{new}: {error}");
    }
}

#[test]
fn component_type_with_two_numbers_does_not_leave_rows_without_values() {
    let numbers = || {
        let mut engine = Engine::new();
        let types = engine.types_mut().component::<u32>("n").unwrap().save_with_text::<u32>(1).unwrap();
        types.component::<f32>("share").unwrap().save_with_text::<f32>(1).unwrap();
        engine
    };
    let mut engine = numbers();
    engine.spawn((1_u32,));
    engine.spawn((2_u32, 0.5_f32));
    let text = engine.save_text().unwrap();
    let again = instead(&text, "Kinds([", "Types([(kind: Component, name: \"n\", version: 1)]), Kinds([");
    let of_kind = instead(&again, "of: [0]", "of: [2]");
    for values in ["values: [2]", "values: [1]"] {
        let forged = instead(&of_kind, "values: [1,2]", values);
        let mut loaded = numbers();
        let result = loaded.load_text(&forged);
        assert!(result.is_err(), "{result:?}: {}", loaded.query::<ecs::query::Has<u32>>().count());
    }
    // All values are there: they go to both rows.
    let mut loaded = numbers();
    loaded.load_text(&of_kind).unwrap();
    assert_eq!(loaded.query::<&u32>().iter().copied().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn owner_with_the_largest_id_is_refused() {
    let mut engine = empty();
    engine.spawn((Position(1.0), Speed(1.0)));
    let text = engine.save_text().unwrap();
    let kinds = &text[text.find("Kinds(").unwrap()..text.find("Owners(").unwrap()];
    let forged = instead(kinds, "(idx: 1, version: 1)", "(idx: 4294967295, version: 4294967295)");
    let error = empty().load_text(&text.replace(kinds, &forged)).unwrap_err().to_string();
    assert!(error.contains("does not exist") || error.contains("wrong side"), "{error}");
}
