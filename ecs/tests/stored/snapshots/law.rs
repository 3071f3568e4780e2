//! The property of snapshots: *snapshot, restore, run n frames* equals *run n frames*.

use ecs::Snapshot;
use proptest::prelude::*;

use super::world::{Dice, FRAME, Settings, disturb, dump, empty, run};

fn settings() -> impl Strategy<Value = Settings> {
    (any::<u32>(), prop_oneof![4 => Just(1_usize), 1 => Just(2), 1 => Just(4)]).prop_map(|(seed, threads)| Settings {
        seed: seed.into(),
        threads,
        functions_own_values: true,
        traced_frames: 0,
    })
}

/// The first lines that differ.
fn difference(left: &[String], right: &[String]) -> String {
    let lines = |dumps: &[String]| dumps.iter().flat_map(|dump| dump.lines().map(str::to_owned)).collect::<Vec<_>>();
    let (left, right) = (lines(left), lines(right));
    let at = left.iter().zip(&right).position(|(left, right)| left != right).unwrap_or(left.len().min(right.len()));
    format!("line {at}\n{}\nand\n{}", left.get(at).map_or("", |line| line), right.get(at).map_or("", |line| line))
}

macro_rules! same {
    ($left:expr, $right:expr, $when:expr) => {
        let (left, right): (&[String], &[String]) = (&$left, &$right);
        prop_assert!(left == right, "{}: {}", $when, difference(left, right));
    };
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn restored_engine_runs_as_the_original_one(
        settings in settings(),
        before in 0_u32..12,
        after in 1_u32..12,
        script in any::<u32>(),
        threads_of_fresh in 1_usize..5,
    ) {
        let mut dice = Dice(script.into());
        // Never copied: shows that taking snapshots changes nothing.
        let mut untouched = empty(settings);
        let mut engine = empty(settings);
        let mut ring: Vec<Snapshot> = (0..3).map(|_| Snapshot::new()).collect();
        let mut dice_of_untouched = dice;
        for frame in 0..before {
            disturb(&mut engine, &mut dice);
            engine.update(FRAME).unwrap();
            engine.snapshot_into(&mut ring[frame as usize % 3]).unwrap();
            disturb(&mut untouched, &mut dice_of_untouched);
            untouched.update(FRAME).unwrap();
        }
        // Events that were sent between two frames may wait.
        disturb(&mut engine, &mut dice);
        disturb(&mut untouched, &mut dice_of_untouched);
        let snapshot = engine.snapshot().unwrap();
        let (seen, hash) = (dump(&mut engine), engine.state_hash().unwrap());
        let expected = run(&mut untouched, after, dice);
        same!(run(&mut engine, after, dice), expected, "after a snapshot was taken");

        for _ in 0..2 {
            engine.restore(&snapshot).unwrap();
            same!([dump(&mut engine)], std::slice::from_ref(&seen), "restored");
            prop_assert_eq!(&engine.state_hash().unwrap(), &hash);
            same!(run(&mut engine, after, dice), expected, "run again");
        }

        let mut fresh = empty(Settings { threads: threads_of_fresh, ..settings });
        fresh.restore(&snapshot).unwrap();
        same!([dump(&mut fresh)], [seen], "in a fresh engine");
        prop_assert_eq!(&fresh.state_hash().unwrap(), &hash);
        let again = fresh.snapshot().unwrap();
        same!(run(&mut fresh, after, dice), expected, "in a fresh engine");
        // A copy of a copy, in an engine with a history of its own.
        fresh.restore(&again).unwrap();
        same!(run(&mut fresh, after, dice), expected, "in a fresh engine, from its own snapshot");
    }

    #[test]
    fn each_snapshot_of_a_ring_gives_the_same_frames(settings in settings(), script in any::<u32>(), back in 1_usize..8) {
        let mut engine = empty(settings);
        let mut ring: Vec<(Snapshot, Dice)> = (0..8).map(|_| (Snapshot::new(), Dice(0))).collect();
        let mut dice = Dice(script.into());
        let mut dumps = Vec::new();
        for frame in 0..20 {
            let (snapshot, dice_then) = &mut ring[frame % 8];
            engine.snapshot_into(snapshot).unwrap();
            *dice_then = dice;
            disturb(&mut engine, &mut dice);
            engine.update(FRAME).unwrap();
            dumps.push(dump(&mut engine));
        }
        let first = 20 - back;
        let (snapshot, mut dice) = (&ring[first % 8].0, ring[first % 8].1);
        engine.restore(snapshot).unwrap();
        for expected in &dumps[first..] {
            disturb(&mut engine, &mut dice);
            engine.update(FRAME).unwrap();
            same!([dump(&mut engine)], std::slice::from_ref(expected), "from the ring");
        }
    }
}
