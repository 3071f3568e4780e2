//! Runs that are recorded and replayed: the first difference is named by frame, type and entity, with both values.

mod comparison;
use crate::snapshots::world;

use std::time::Duration;

use ecs::{
    Commands, Engine, EntityId, Error, Query, ResMut, Setup, Snapshot, StateHash, System,
    recording::{Divergence, Recording, Replayer},
    snapshot::TypeKind,
};

const FRAME: Duration = Duration::from_millis(10);

#[derive(Clone, Debug)]
struct Position(f32);
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Key {
    Left,
    Right,
    Spawn,
}
#[derive(Clone)]
struct Score(u64);

/// Moves entities by keys. From frame `slips_from` on it adds `slip`, which is not recorded.
#[derive(Clone)]
struct Driving {
    slips_from: u64,
    frame: u64,
}

impl System for Driving {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::slip).listen(Self::drive);
    }
}

impl Driving {
    fn slip(&mut self, mut positions: Query<(EntityId, &mut Position)>) {
        self.frame += 1;
        // Only one entity slips.
        let slipping = positions.iter_mut().skip(1).take(usize::from(self.frame >= self.slips_from));
        slipping.for_each(|(_, position)| position.0 += 0.5);
    }

    fn drive(
        &mut self,
        key: &Key,
        mut positions: Query<&mut Position>,
        mut score: ResMut<Score>,
        mut commands: Commands,
    ) {
        score.0 += 1;
        match key {
            Key::Left => positions.iter_mut().for_each(|position| position.0 -= 1.0),
            Key::Right => positions.iter_mut().for_each(|position| position.0 += 1.0),
            Key::Spawn => commands.spawn((Position(10.0),)),
        }
    }
}

fn engine(slips_from: u64) -> Engine {
    let mut engine = Engine::new();
    engine.add(Driving { slips_from, frame: 0 }).unwrap();
    engine.insert_resource(Score(0));
    let types = engine.types_mut();
    types.component_by("position", |position: &Position, hash| _ = hash.add(&position.0)).unwrap();
    types.show::<Position>().unwrap();
    types.resource_by("score", |score: &Score, hash| _ = hash.number(score.0)).unwrap();
    types.system_by("driving", |driving: &Driving, hash| _ = hash.number(driving.frame)).unwrap();
    for at in 0..3 {
        engine.spawn((Position(at as f32),));
    }
    engine
}

const KEYS: [Option<Key>; 8] =
    [None, Some(Key::Left), None, Some(Key::Spawn), None, None, Some(Key::Right), Some(Key::Right)];

fn play(engine: &mut Engine, key: Option<&Key>) -> Result<(), Error> {
    key.into_iter().for_each(|key| engine.send(*key));
    engine.update(FRAME)
}

/// Records a run, with the state after each frame for which `has_state` is true.
fn record<S>(state: fn(&mut Engine) -> Result<S, Error>, has_state: impl Fn(u64) -> bool) -> Recording<Key, S> {
    let (mut engine, mut recording) = (engine(u64::MAX), Recording::new());
    for key in KEYS {
        play(&mut engine, key.as_ref()).unwrap();
        recording.frame(key);
        if has_state(recording.frames()) {
            recording.state(state(&mut engine).unwrap());
        }
    }
    recording
}

fn verify<S: ecs::snapshot::RecordedState>(recording: Recording<Key, S>, engine: &mut Engine) -> Option<Divergence> {
    Replayer::new(recording).verify(engine, play).unwrap()
}

#[test]
fn replay_agrees_with_its_recording() {
    let recording = record(Engine::state_hash, |_| true);
    let (last, hash) = recording.last_state().map(|(frame, hash)| (frame, hash.clone())).unwrap();
    let mut again = engine(u64::MAX);
    assert_eq!(verify(recording, &mut again), None);
    assert_eq!((last, again.state_hash().unwrap()), (8, hash));
}

#[test]
fn hashes_name_the_first_frame_and_the_first_type_that_differ() {
    let divergence = verify(record(Engine::state_hash, |_| true), &mut engine(5)).unwrap();
    assert_eq!((divergence.agrees_until, divergence.frame), (4, 5));
    assert_eq!(
        divergence.to_string(),
        "the replay differs after frame 5, and agrees until frame 4: component \"position\" differs; run again from there, \
         this program comes to the same states up to frame 5: the recording was made by another build, or with other data, \
         another seed or other inputs"
    );
}

#[test]
fn snapshots_also_name_the_entity_and_both_values() {
    let mut replayed = engine(5);
    let divergence = verify(record(Engine::snapshot, |_| true), &mut replayed).unwrap();
    let slipped = replayed.entities().iter().nth(1).unwrap();
    assert_eq!(
        divergence.to_string(),
        format!(
            "the replay differs after frame 5, and agrees until frame 4: component \"position\" of entity {slipped} was \
             Position(0.0) when it was recorded, and is Position(0.5) now; run again from there, this program comes to the \
             same states up to frame 5: the recording was made by another build, or with other data, another seed or other inputs"
        )
    );
    // Comparing changes nothing.
    let mut alone = engine(5);
    KEYS[..5].iter().for_each(|key| play(&mut alone, key.as_ref()).unwrap());
    for key in &KEYS[5..] {
        play(&mut replayed, key.as_ref()).unwrap();
        play(&mut alone, key.as_ref()).unwrap();
        assert_eq!(replayed.state_hash().unwrap(), alone.state_hash().unwrap());
    }
}

#[test]
fn divergence_between_sparse_states_names_the_last_equal_frame() {
    let recording = record(Engine::state_hash, |frame| frame.is_multiple_of(3));
    let divergence = verify(recording, &mut engine(4)).unwrap();
    assert_eq!((divergence.agrees_until, divergence.frame), (3, 6));
}

/// The difference that is found after the first frame if `change` changes the engine before the comparison.
fn difference_after(change: fn(&mut Engine)) -> String {
    let mut recorded = engine(u64::MAX);
    play(&mut recorded, None).unwrap();
    let snapshot = recorded.snapshot().unwrap();
    change(&mut recorded);
    ecs::snapshot::RecordedState::difference(&snapshot, &mut recorded).unwrap().unwrap().to_string()
}

#[test]
fn difference_says_what_is_missing_disabled_or_no_component() {
    let first = |engine: &Engine| engine.entities().iter().next().unwrap();
    let entity = first(&engine(0));
    let hash = |score: u64| ecs::snapshot::StateHasher::default().number(score).finish();
    let (recorded, now) = (hash(0), hash(7));
    assert_eq!(
        difference_after(|engine| engine.resource_mut::<Score>().unwrap().0 = 7),
        format!(
            "resource \"score\" was a value with hash {recorded:016x} when it was recorded, and is a value with hash {now:016x} now"
        )
    );
    let text = difference_after(|engine| {
        let entity = engine.entities().iter().next().unwrap();
        engine.remove::<Position>(entity).unwrap();
    });
    let begin = format!("component \"position\" of entity {entity} was Position(0.0) when it was recorded, and is");
    assert_eq!(text, format!("{begin} not there now"));
    let text = difference_after(|engine| {
        let entity = engine.entities().iter().next().unwrap();
        engine.disable_component::<Position>(entity).unwrap();
    });
    assert_eq!(text, format!("{begin} Position(0.0) (disabled) now"));
    assert_eq!(difference_after(|engine| _ = engine.spawn(())), "entities differ");
    assert!(
        difference_after(|engine| engine.system_mut::<Driving>().unwrap().frame = 9)
            .starts_with("system \"driving\" was")
    );
}

#[test]
fn replayer_returns_each_frame_once_from_any_start() {
    let mut replayer = Replayer::new(record(Engine::state_hash, |frame| frame == 4));
    let frames = |replayer: &mut Replayer<Key, StateHash>| {
        let mut frames = Vec::new();
        while let Some(frame) = replayer.next_frame() {
            frames.push((frame.number, frame.inputs.copied(), frame.state.is_some()));
        }
        frames
    };
    let all = frames(&mut replayer);
    assert_eq!(all.iter().map(|(_, key, _)| *key).collect::<Vec<_>>(), KEYS);
    assert_eq!(all.iter().filter(|(.., has_state)| *has_state).collect::<Vec<_>>(), [&(4, Some(Key::Spawn), true)]);
    assert_eq!((replayer.frame(), frames(&mut replayer).len()), (8, 0));
    replayer.rewind();
    assert_eq!(frames(&mut replayer), all);
    for start in (0..=9).rev() {
        replayer.seek(start);
        assert_eq!(replayer.frame(), start.min(8));
        assert_eq!(frames(&mut replayer), all[start.min(8) as usize..], "from after frame {start}");
    }
}

#[test]
fn state_of_a_frame_is_recorded_once_and_none_before_the_first() {
    let mut recording = Recording::<(), u8>::new();
    recording.state(1);
    assert_eq!(recording.last_state(), None);
    recording.frame(None);
    recording.state(2);
    recording.state(3);
    assert_eq!(recording.last_state(), Some((1, &3)));
}

#[test]
fn unnamed_type_cannot_be_recorded() {
    let error = engine(0).types_mut().show::<String>().err().unwrap().to_string();
    assert!(error.starts_with("String cannot be saved or shown without a name: give it one first"), "{error}");
}

#[test]
fn snapshot_of_other_systems_cannot_be_compared() {
    let snapshot = Engine::new().snapshot().unwrap();
    let mut engine = engine(0);
    let before = engine.state_hash().unwrap();
    let compared: Result<_, Error> = ecs::snapshot::RecordedState::difference(&snapshot as &Snapshot, &mut engine);
    assert!(compared.unwrap_err().to_string().starts_with("system Driving was not there"));
    assert_eq!(engine.state_hash().unwrap(), before);
    assert_eq!(before.parts.iter().filter(|part| part.kind == Some(TypeKind::Component)).count(), 1);
}

#[cfg(feature = "serde")]
#[test]
fn stored_recording_is_equal_and_an_invalid_one_is_refused() {
    let recording = record(Engine::state_hash, |frame| frame.is_multiple_of(2));
    let text = ron::to_string(&recording).unwrap();
    assert_eq!(ron::from_str::<Recording<Key>>(&text).unwrap(), recording);
    for broken in [
        "(frames:1,inputs:[(2,Left)],states:[])",
        "(frames:1,inputs:[(0,Left)],states:[])",
        "(frames:3,inputs:[(2,Left),(2,Left)],states:[])",
    ] {
        let error = ron::from_str::<Recording<Key>>(broken).unwrap_err().to_string();
        assert!(error.contains("must belong to its frames, in their order"), "{error}");
    }
}

/// An input that panics on drop if its flag is set.
struct Fragile(bool);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.0 || std::thread::panicking(), "the flag is set");
    }
}

#[test]
fn recording_stays_valid_if_a_truncated_input_panics_on_drop() {
    let mut recording = Recording::<Fragile, u64>::new();
    for frame in 1..=4 {
        recording.frame(Some(Fragile(frame == 3)));
        recording.state(frame);
    }
    let cut = std::panic::AssertUnwindSafe(|| recording.truncate(2));
    assert!(std::panic::catch_unwind(cut).is_err());
    assert_eq!((recording.frames(), recording.last_state()), (2, Some((2, &2))));
}
