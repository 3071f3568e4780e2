//! Changes of resources: which parameters see them, since when, and after snapshots and saves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::prelude::*;
use ecs::state_machine::{State, StateMachine};
use ecs::system::condition::resource_changed;

const FRAME: Duration = Duration::from_millis(10);

#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Score(u32);

/// What each question was answered.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Seen(Vec<(bool, bool)>);

#[derive(Clone, Copy)]
struct Ask;

#[derive(Clone, Copy)]
struct Raise;

fn ask(score: Res<Score>, mut seen: ResMut<Seen>) {
    let first = (score.is_added(), score.is_changed());
    assert_eq!((score.is_added(), score.is_changed()), first, "a call has one answer");
    seen.0.push(first);
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Score(0));
    engine.insert_resource(Seen::default());
    engine.types_mut().resource_by::<Score>("score", |score, hash| _ = hash.add(&score.0)).unwrap();
    engine.types_mut().resource_by::<Seen>("seen", |seen, hash| _ = hash.add(&seen.0)).unwrap();
    engine
}

fn run(engine: &mut Engine, frames: usize) {
    (0..frames).for_each(|_| engine.update(FRAME).unwrap());
}

fn seen(engine: &mut Engine) -> Vec<(bool, bool)> {
    std::mem::take(&mut engine.resource_mut::<Seen>().unwrap().0)
}

const NOTHING: (bool, bool) = (false, false);
const CHANGED: (bool, bool) = (false, true);
const ADDED: (bool, bool) = (true, true);

#[test]
fn first_question_sees_everything_and_later_ones_what_changed() {
    let mut engine = engine();
    engine.add(ask).unwrap();
    run(&mut engine, 2);
    engine.resource_mut::<Score>().unwrap().0 = 1;
    run(&mut engine, 2);
    engine.insert_resource(Score(2));
    run(&mut engine, 1);
    engine.remove_resource::<Score>();
    engine.insert_resource(Score(2));
    run(&mut engine, 2);
    assert_eq!(seen(&mut engine), [ADDED, NOTHING, CHANGED, NOTHING, CHANGED, ADDED, NOTHING]);
}

#[test]
fn only_a_resource_that_is_written_counts() {
    fn look(score: ResMut<Score>) {
        assert_eq!(score.0, 0);
    }
    fn keep(mut score: ResMut<Score>) {
        assert!(!score.set_if_neq(Score(0)));
        score.bypass_change_detection().0 = 0;
    }
    let mut engine = engine();
    engine.add((look, keep, ask).chain()).unwrap();
    run(&mut engine, 2);
    assert_eq!(seen(&mut engine), [ADDED, NOTHING]);
}

#[test]
fn changes_earlier_in_the_frame_are_seen_in_it() {
    fn raise(mut score: ResMut<Score>) {
        score.0 += 1;
    }
    let mut engine = engine();
    engine.add((raise, ask).chain()).unwrap();
    run(&mut engine, 2);
    assert_eq!(seen(&mut engine), [ADDED, CHANGED]);
}

#[test]
fn own_writes_do_not_count() {
    fn ask_and_write(mut score: ResMut<Score>, mut seen: ResMut<Seen>, time: Time) {
        if time.frame() != 3 {
            seen.0.push((score.is_added(), score.is_changed()));
        }
        score.0 += 1;
        if time.frame() == 2 {
            seen.0.push((score.is_added(), score.is_changed()));
        }
    }
    let mut engine = engine();
    engine.add(ask_and_write).unwrap();
    run(&mut engine, 4);
    assert_eq!(seen(&mut engine), [ADDED, NOTHING, NOTHING, NOTHING]);
    engine.resource_mut::<Score>().unwrap().0 = 9;
    run(&mut engine, 2);
    assert_eq!(seen(&mut engine), [CHANGED, NOTHING]);
}

#[test]
fn own_writes_of_a_listener_do_not_count_at_its_next_event() {
    fn hear(_: &Raise, mut score: ResMut<Score>, mut seen: ResMut<Seen>) {
        seen.0.push((score.is_added(), score.is_changed()));
        score.0 += 1;
    }
    let mut engine = engine();
    engine.add(hear).unwrap();
    for _ in 0..2 {
        (0..3).for_each(|_| engine.send(Raise));
        run(&mut engine, 1);
    }
    assert_eq!(seen(&mut engine), [ADDED, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING]);
}

#[test]
fn who_asks_seldom_misses_nothing() {
    fn ask_when_told(_: &Ask, score: Res<Score>, mut seen: ResMut<Seen>) {
        seen.0.push((score.is_added(), score.is_changed()));
    }
    fn ask_every_third(score: Res<Score>, mut seen: ResMut<Seen>, time: Time) {
        if time.frame() % 3 == 1 {
            seen.0.push((score.is_added(), score.is_changed()));
        }
    }
    let mut engine = engine();
    engine.add(ask_when_told).unwrap();
    engine.send(Ask);
    run(&mut engine, 1);
    engine.resource_mut::<Score>().unwrap().0 = 1;
    run(&mut engine, 3);
    (0..2).for_each(|_| engine.send(Ask));
    run(&mut engine, 1);
    assert_eq!(seen(&mut engine), [ADDED, CHANGED, NOTHING]);

    let mut engine = self::engine();
    engine.add(ask_every_third).unwrap();
    run(&mut engine, 1);
    engine.resource_mut::<Score>().unwrap().0 = 1;
    run(&mut engine, 6);
    assert_eq!(seen(&mut engine), [ADDED, CHANGED, NOTHING]);
}

#[test]
fn conditions_hold_for_changes_since_they_were_last_checked() {
    struct Screen;
    for of_set in [false, true] {
        let mut engine = engine();
        if of_set {
            engine.configure_set::<Screen>(|set| set.run_if(resource_changed::<Score>)).unwrap();
            engine.add(draw.in_set::<Screen>()).unwrap();
        } else {
            engine.add(draw.run_if(resource_changed::<Score>)).unwrap();
        }
        run(&mut engine, 3);
        assert_eq!(seen(&mut engine).len(), 1);
        engine.resource_mut::<Score>().unwrap().0 += 1;
        let before = engine.snapshot().unwrap();
        run(&mut engine, 3);
        assert_eq!(seen(&mut engine).len(), 1);
        engine.restore(&before).unwrap();
        run(&mut engine, 3);
        assert_eq!(seen(&mut engine).len(), 1, "the change is in the snapshot");
        engine.remove_resource::<Score>();
        run(&mut engine, 1);
        assert!(seen(&mut engine).is_empty());
    }
}

fn draw(mut seen: ResMut<Seen>) {
    seen.0.push(CHANGED);
}

/// Whether `draw` runs in each of these frames.
fn drawn(engine: &mut Engine, frames: usize) -> Vec<bool> {
    (0..frames).map(|_| engine.update(FRAME).is_ok() && !seen(engine).is_empty()).collect()
}

struct Visible(bool);

fn is_visible(visible: Res<Visible>) -> bool {
    visible.0
}

#[test]
fn change_waits_for_the_conditions_behind_it() {
    struct Screen;
    for of_set in [false, true] {
        let mut engine = engine();
        engine.insert_resource(Visible(false));
        if of_set {
            engine
                .configure_set::<Screen>(|set| set.run_if(resource_changed::<Score>).run_if(is_visible))
                .unwrap()
                .add(draw.in_set::<Screen>())
                .unwrap();
        } else {
            engine.add(draw.run_if(resource_changed::<Score>).run_if(is_visible)).unwrap();
        }
        assert_eq!(drawn(&mut engine, 2), [false, false]);
        engine.insert_resource(Visible(true));
        assert_eq!(drawn(&mut engine, 2), [true, false], "it was never drawn");
        engine.insert_resource(Visible(false));
        engine.resource_mut::<Score>().unwrap().0 += 1;
        assert_eq!(drawn(&mut engine, 2), [false, false]);
        engine.insert_resource(Visible(true));
        assert_eq!(drawn(&mut engine, 2), [true, false]);
    }
}

#[test]
fn opposite_of_a_change_holds_from_the_next_question_on() {
    let mut engine = engine();
    engine.add(draw.run_if(not(resource_changed::<Score>))).unwrap();
    assert_eq!(drawn(&mut engine, 3), [false, true, true]);
    engine.resource_mut::<Score>().unwrap().0 += 1;
    assert_eq!(drawn(&mut engine, 2), [false, true]);
}

#[test]
fn change_waits_for_a_frame_that_is_not_ended_by_a_panic() {
    struct Screen;
    let fail = |mut visible: ResMut<Visible>| {
        assert!(std::mem::replace(&mut visible.0, true), "it is invisible");
    };
    let check = |visible: Res<Visible>| {
        assert!(visible.0, "it is invisible");
        true
    };
    for (of_set, in_condition) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut engine = engine();
        engine.insert_resource(Visible(true));
        if of_set {
            engine.configure_set::<Screen>(|set| set.run_if(resource_changed::<Score>)).unwrap();
            engine.add(draw.in_set::<Screen>()).unwrap();
        } else {
            engine.add(draw.run_if(resource_changed::<Score>)).unwrap();
        }
        if in_condition {
            engine.add((|| {}).run_if(check)).unwrap();
        } else {
            engine.add(fail.in_pre_update()).unwrap();
        }
        assert_eq!(drawn(&mut engine, 2), [true, false]);
        engine.resource_mut::<Score>().unwrap().0 += 1;
        engine.insert_resource(Visible(false));
        assert!(catch_unwind(AssertUnwindSafe(|| engine.update(FRAME))).is_err());
        engine.insert_resource(Visible(true));
        assert_eq!(drawn(&mut engine, 2), [true, false], "{of_set} {in_condition}");
    }
}

#[test]
fn change_waits_for_the_resource_that_the_system_lacks() {
    let mut engine = engine();
    let draw = |_: Res<Visible>, mut seen: ResMut<Seen>| seen.0.push(CHANGED);
    engine.add(draw.run_if(resource_changed::<Score>)).unwrap();
    assert_eq!(drawn(&mut engine, 2), [false, false], "each is an error");
    engine.insert_resource(Visible(true));
    assert_eq!(drawn(&mut engine, 2), [true, false]);
}

#[test]
fn listener_with_a_condition_behind_a_change_misses_none() {
    let mut engine = engine();
    engine.insert_resource(Visible(false));
    let draw = |_: &Ask, mut seen: ResMut<Seen>| seen.0.push(CHANGED);
    engine.add(draw.run_if(resource_changed::<Score>).run_if(is_visible)).unwrap();
    (0..3).for_each(|_| engine.send(Ask));
    assert_eq!(drawn(&mut engine, 1), [false]);
    engine.insert_resource(Visible(true));
    (0..3).for_each(|_| engine.send(Ask));
    run(&mut engine, 1);
    assert_eq!(seen(&mut engine).len(), 1);
}

struct Screen;

/// A set whose condition asks once it is visible.
struct Later;

fn draw_later(mut seen: ResMut<Seen>) {
    seen.0.push(ADDED);
}

/// Two sets, configured in one order or the other.
fn with_sets(is_later_first: bool) -> Engine {
    let mut engine = engine();
    engine.types_mut().leave_out_resource::<Visible>();
    engine.insert_resource(Visible(false));
    for is_later in [is_later_first, !is_later_first] {
        if is_later {
            engine.configure_set::<Later>(|set| set.run_if(is_visible).run_if(resource_changed::<Score>)).unwrap();
        } else {
            engine.configure_set::<Screen>(|set| set.run_if(resource_changed::<Score>)).unwrap();
        }
    }
    engine.add((draw.in_set::<Screen>(), draw_later.in_set::<Later>())).unwrap();
    engine
}

/// What is drawn in the next frame, in which all is visible.
fn drawn_when_visible(engine: &mut Engine) -> Vec<(bool, bool)> {
    seen(engine);
    engine.insert_resource(Visible(true));
    run(engine, 1);
    seen(engine)
}

#[test]
fn sets_are_known_by_their_types() {
    let (mut first, mut second) = (with_sets(false), with_sets(true));
    run(&mut first, 1);
    second.restore(&first.snapshot().unwrap()).unwrap();
    assert_eq!(drawn_when_visible(&mut second), [ADDED], "the other one was drawn before");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Door {
    Shut,
    Open,
}

impl State for Door {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Self::Shut, Self::Open)];
}

#[test]
fn state_changes_only_when_a_machine_steps() {
    fn note(mut seen: ResMut<Seen>) {
        seen.0.push(CHANGED);
    }
    let mut engine = engine();
    engine.add_state_machine(StateMachine::new(Door::Shut)).unwrap();
    engine.add(note.run_if(resource_changed::<CurrentState<Door>>)).unwrap();
    run(&mut engine, 4); // It begins in one of them.
    seen(&mut engine);
    run(&mut engine, 4);
    assert!(seen(&mut engine).is_empty());
    engine.resource_mut::<NextState<Door>>().unwrap().change(Door::Open);
    run(&mut engine, 4);
    assert_eq!(seen(&mut engine).len(), 1);
}

#[test]
fn restored_engine_gets_the_same_answers() {
    let mut engine = engine();
    engine.add(ask).unwrap();
    run(&mut engine, 2);
    let quiet = engine.snapshot().unwrap();
    engine.resource_mut::<Score>().unwrap().0 = 0;
    let changed = engine.snapshot().unwrap();
    let hashes = [&quiet, &changed].map(|snapshot| {
        engine.restore(snapshot).unwrap();
        engine.state_hash().unwrap().whole
    });
    assert_ne!(hashes[0], hashes[1], "the same values, and another next answer");
    engine.restore(&changed).unwrap();
    run(&mut engine, 5);
    for (snapshot, next) in [(&quiet, NOTHING), (&changed, CHANGED)] {
        engine.restore(snapshot).unwrap();
        seen(&mut engine);
        run(&mut engine, 2);
        assert_eq!(seen(&mut engine), [next, NOTHING]);
    }
    let mut fresh = self::engine();
    fresh.add(ask).unwrap();
    fresh.restore(&quiet).unwrap();
    seen(&mut fresh);
    run(&mut fresh, 1);
    assert_eq!(seen(&mut fresh), [NOTHING]);
}

#[test]
fn resource_that_comes_back_after_a_restore_counts_as_added() {
    let mut engine = engine();
    fn ask_if_there(score: Option<Res<Score>>, mut seen: ResMut<Seen>) {
        if let Some(score) = score {
            seen.0.push((score.is_added(), score.is_changed()));
        }
    }
    engine.add(ask_if_there).unwrap();
    run(&mut engine, 1);
    (0..5).for_each(|_| engine.resource_mut::<Score>().unwrap().0 += 1);
    run(&mut engine, 1);
    engine.remove_resource::<Score>();
    let without = engine.snapshot().unwrap();
    let mut other = self::engine();
    other.add(ask_if_there).unwrap();
    other.restore(&without).unwrap();
    for engine in [&mut engine, &mut other] {
        seen(engine);
        engine.insert_resource(Score(0));
        run(engine, 2);
        assert_eq!(seen(engine), [ADDED, NOTHING]);
    }
}

#[test]
fn resource_that_stays_tells_of_its_own_changes() {
    #[derive(Default)]
    struct Texture(u32);
    fn upload(texture: Res<Texture>, mut seen: ResMut<Seen>) {
        seen.0.push((texture.is_added(), texture.is_changed()));
    }
    let mut engine = engine();
    engine.types_mut().leave_out_resource::<Texture>();
    engine.insert_resource(Texture(1));
    engine.add(upload).unwrap();
    let start = engine.snapshot().unwrap();
    run(&mut engine, 1);
    engine.restore(&start).unwrap();
    seen(&mut engine);
    run(&mut engine, 1);
    assert_eq!(seen(&mut engine), [NOTHING], "it was uploaded and has not changed");
    engine.resource_mut::<Texture>().unwrap().0 += 1;
    run(&mut engine, 1);
    assert_eq!(seen(&mut engine), [CHANGED]);
}

#[test]
fn programs_that_never_ask_keep_their_hash() {
    fn read(score: Res<Score>, mut seen: ResMut<Seen>) {
        seen.0.push((score.0 == 0, true));
    }
    let hash = |touch: bool| {
        let mut engine = engine();
        engine.add(read).unwrap();
        run(&mut engine, 1);
        if touch {
            engine.resource_mut::<Score>();
        }
        run(&mut engine, 1);
        engine.state_hash().unwrap().whole
    };
    assert_eq!(hash(false), hash(true));
}

#[cfg(feature = "serde")]
mod saved {
    use super::*;

    fn engine() -> Engine {
        let mut engine = super::engine();
        engine.types_mut().save::<Score>(1).unwrap();
        engine.types_mut().save::<Seen>(1).unwrap();
        engine.add(ask).unwrap();
        engine
    }

    #[test]
    fn loaded_engine_gets_the_same_answers() {
        for is_changed in [false, true] {
            let mut first = engine();
            run(&mut first, 3);
            if is_changed {
                first.resource_mut::<Score>().unwrap().0 = 7;
            }
            let mut save = Vec::new();
            first.save(&mut save).unwrap();
            let mut second = engine();
            second.load(&mut &save[..]).unwrap();
            assert_eq!(second.state_hash().unwrap(), first.state_hash().unwrap());
            for engine in [&mut first, &mut second] {
                seen(engine);
                run(engine, 2);
                assert_eq!(seen(engine), [(false, is_changed), NOTHING]);
            }
        }
    }
    #[test]
    fn sets_are_found_by_name() {
        let with_types = |is_later_first: bool| {
            let mut engine = with_sets(is_later_first);
            engine.types_mut().save::<Score>(1).unwrap();
            engine.types_mut().save::<Seen>(1).unwrap();
            engine
        };
        let (mut first, mut second) = (with_types(false), with_types(true));
        run(&mut first, 1);
        let mut save = Vec::new();
        first.save(&mut save).unwrap();
        second.load(&mut &save[..]).unwrap();
        assert_eq!(drawn_when_visible(&mut second), [ADDED]);
    }
}
