//! Snapshots of matches: a restored match continues equally, bit for bit.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::SimulationSnapshot;
use bounty_hunter::spell::Spell;
use bounty_hunter::view::GameState;
use ecs::random::RandomStream;
use tests::{below, hashes_of, random_inputs, short_match};

#[test]
fn restored_state_continues_equally_in_every_mode_from_any_step() {
    let mut random = RandomStream::new(1, "test");
    for mode in Assets::built_in().modes.keys() {
        for seed in 0..4 {
            let mut simulation = short_match(mode, seed, 1);
            let before = below(&mut random, 300);
            let (lead, inputs) = (random_inputs(&mut random, before), random_inputs(&mut random, 150));
            hashes_of(&mut simulation, &lead);
            let (snapshot, hash) = (simulation.snapshot().unwrap(), simulation.state_hash());
            assert_eq!(snapshot.tick(), before as u64);
            let expected = hashes_of(&mut simulation, &inputs);

            simulation.restore(&snapshot).unwrap();
            assert_eq!((simulation.tick(), simulation.state_hash()), (before as u64, hash));
            assert_eq!(hashes_of(&mut simulation, &inputs), expected, "{mode}, seed {seed}, step {before}");

            // The same in another simulation with two threads.
            let mut fresh = short_match(mode, seed, 2);
            fresh.restore(&snapshot).unwrap();
            assert_eq!(fresh.state_hash(), hash);
            assert_eq!(
                hashes_of(&mut fresh, &inputs),
                expected,
                "{mode}, seed {seed}, step {before}, in another simulation"
            );
        }
    }
}

/// A snapshot holds the events that wait for the next step, so each event type must be registered.
#[test]
fn snapshot_can_be_taken_after_every_step_of_every_mode() {
    for mode in Assets::built_in().modes.keys() {
        let mut simulation = short_match(mode, 3, 1);
        let mut snapshot = SimulationSnapshot::default();
        for step in 0..600 {
            let mut inputs = Inputs::none();
            inputs.casts.extend((0..6).map(|player| (player, Spell::ALL[(step + player as usize) % Spell::ALL.len()])));
            simulation.step(&inputs);
            simulation.snapshot_into(&mut snapshot).unwrap_or_else(|error| panic!("{mode}, step {step}: {error}"));
        }
    }
}

#[test]
fn taking_a_snapshot_changes_nothing() {
    let mut random = RandomStream::new(2, "test");
    let inputs = random_inputs(&mut random, 300);
    let (mut watched, mut alone) = (short_match("power-ups", 3, 1), short_match("power-ups", 3, 1));
    let mut ring: [SimulationSnapshot; 3] = Default::default();
    for (step, inputs) in inputs.iter().enumerate() {
        watched.step(inputs);
        alone.step(inputs);
        watched.snapshot_into(&mut ring[step % 3]).unwrap();
        assert_eq!(watched.view(), alone.view(), "step {step}");
    }
    assert_eq!(watched.state_hash(), alone.state_hash());
}

#[test]
fn ring_of_snapshots_restores_each_of_its_steps() {
    let mut random = RandomStream::new(3, "test");
    let mut simulation = short_match("classic", 5, 1);
    let inputs = random_inputs(&mut random, 200);
    let mut hashes = Vec::new();
    let mut ring: Vec<SimulationSnapshot> = (0..20).map(|_| SimulationSnapshot::default()).collect();
    for (step, inputs) in inputs.iter().enumerate() {
        simulation.step(inputs);
        hashes.push(simulation.state_hash());
        simulation.snapshot_into(&mut ring[step % 20]).unwrap();
    }
    for back in 0..20 {
        let step = inputs.len() - 1 - back;
        simulation.restore(&ring[step % 20]).unwrap();
        assert_eq!(simulation.state_hash(), hashes[step], "{back} steps back");
        if back % 7 == 0 {
            assert_eq!(hashes_of(&mut simulation, &inputs[step + 1..]), hashes[step + 1..]);
        }
    }
}

#[test]
fn finished_match_can_be_rewound() {
    let mut simulation = short_match("classic", 5, 1);
    let early = loop {
        simulation.step(&Inputs::none());
        if simulation.state() == GameState::Running {
            break simulation.snapshot().unwrap();
        }
    };
    while simulation.state() != GameState::GameOver {
        simulation.step(&Inputs::none());
    }
    let (end, stashes) = (simulation.tick(), simulation.stashes());
    simulation.restore(&early).unwrap();
    assert_eq!((simulation.state(), simulation.result()), (GameState::Running, None));
    while simulation.state() != GameState::GameOver {
        simulation.step(&Inputs::none());
    }
    assert_eq!((simulation.tick(), simulation.stashes()), (end, stashes));
}

#[test]
fn snapshot_of_a_match_by_other_rules_is_refused() {
    let snapshot = short_match("power-ups", 1, 1).snapshot().unwrap();
    let mut classic = short_match("classic", 1, 1);
    let before = classic.state_hash();
    assert!(classic.restore(&snapshot).is_err());
    assert_eq!(classic.state_hash(), before);
}
