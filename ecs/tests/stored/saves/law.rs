//! The property of saves: *save, load, run n frames* equals *run n frames*.

use ecs::{Engine, Setup, System};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::world::{
    Bumped, Dice, FRAME, Functions, Heard, Label, Listening, Marked, Position, RandomCommands, Rang, Ringing, Settings,
    Speed, disturb, dump, empty, run, unsaved,
};

fn settings() -> impl Strategy<Value = Settings> {
    (any::<u32>(), 1_usize..3).prop_map(|(seed, threads)| Settings {
        seed: seed.into(),
        threads,
        functions_own_values: false,
        traced_frames: 0,
    })
}

/// An empty world in which each type whose bit is set can be saved as bytes only.
fn empty_with_compact(settings: Settings, compact: u16) -> Engine {
    let mut engine = unsaved(settings);
    let types = engine.types_mut();
    let mut is_compact = (0..16).map(|bit| compact >> bit & 1 == 1);
    macro_rules! save {
        ($($saved:ty)+) => {
            $(match is_compact.next() {
                Some(true) => types.save::<$saved>(1).unwrap(),
                _ => types.save_with_text::<$saved>(1).unwrap(),
            };)+
        };
    }
    save!(Position Speed Label Marked Heard Functions Bumped Rang RandomCommands Ringing Listening);
    engine
}

/// Runs an engine and reports the first line that differs from the expected ones.
fn check(mut engine: Engine, frames: u32, dice: Dice, expected: &[String], when: &str) -> Result<(), TestCaseError> {
    let dumps = run(&mut engine, frames, dice);
    let lines = |dumps: &[String]| dumps.iter().flat_map(|dump| dump.lines().map(str::to_owned)).collect::<Vec<_>>();
    if dumps != expected {
        let (own, other) = (lines(&dumps), lines(expected));
        let at = own.iter().zip(&other).position(|(own, other)| own != other).unwrap_or_default();
        return Err(TestCaseError::fail(format!("{when}, line {at}:\n{}\nand\n{}", own[at], other[at])));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn loaded_engine_runs_as_the_saved_one(
        settings in settings(),
        before in 0_u32..10,
        after in 1_u32..10,
        script in any::<u32>(),
        threads in 1_usize..4,
        compact in any::<u16>(),
    ) {
        let mut dice = Dice(script.into());
        let mut engine = empty(settings);
        for _ in 0..before {
            disturb(&mut engine, &mut dice);
            engine.update(FRAME).unwrap();
        }
        // Events that were sent between two frames may wait.
        disturb(&mut engine, &mut dice);
        let (mut bytes, text) = (Vec::new(), engine.save_text().unwrap());
        engine.save(&mut bytes).unwrap();
        let (seen, hash) = (dump(&mut engine), engine.state_hash().unwrap());

        let mut fresh = empty_with_compact(Settings { threads, ..settings }, compact);
        fresh.load(&mut bytes.as_slice()).unwrap();
        prop_assert_eq!(dump(&mut fresh), seen.clone());
        prop_assert_eq!(&fresh.state_hash().unwrap(), &hash);
        let mut from_text = empty(settings);
        if let Err(error) = from_text.load_text(&text) {
            return Err(TestCaseError::fail(format!("{error}\n{text}")));
        }
        prop_assert_eq!(dump(&mut from_text), seen);
        // The text is the same when it is saved again after loading.
        let mut again = empty_with_compact(settings, compact);
        again.load(&mut bytes.as_slice()).unwrap();
        prop_assert_eq!(again.state_hash().unwrap(), hash);
        let mut bytes_again = Vec::new();
        again.save(&mut bytes_again).unwrap();
        let mut from_again = empty_with_compact(settings, !compact);
        from_again.load(&mut bytes_again.as_slice()).unwrap();

        let expected = run(&mut engine, after, dice);
        check(fresh, after, dice, &expected, "from bytes")?;
        check(from_text, after, dice, &expected, "from a text")?;
        check(from_again, after, dice, &expected, "saved twice")?;
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Knock(u8);

/// The knocks that were received.
#[derive(Debug, Default, PartialEq)]
struct Porter(Vec<u8>);

impl System for Porter {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|porter: &mut Self, knock: &Knock| porter.0.push(knock.0));
    }
}

#[test]
fn event_without_listeners_waits_for_later_listeners() {
    let make = || {
        let mut engine = Engine::new();
        engine.types_mut().event_by("knock", |knock: &Knock, hash| _ = hash.add(&knock.0)).unwrap();
        engine.types_mut().save_with_text::<Knock>(1).unwrap();
        engine
    };
    let mut engine = make();
    engine.send(Knock(7));
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    let mut fresh = make();
    fresh.load(&mut bytes.as_slice()).unwrap();
    assert_eq!(fresh.state_hash().unwrap(), engine.state_hash().unwrap());
    fresh.add(Porter::default()).unwrap().update(FRAME).unwrap();
    assert_eq!(fresh.system::<Porter>(), Some(&Porter(vec![7])));
}
