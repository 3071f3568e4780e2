//! Saves of matches: a loaded match continues equally, and saves of other matches are refused.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{LoadError, Simulation};
use bounty_hunter::view::GameState;
use ecs::random::RandomStream;
use ecs::snapshot::StateHasher;
use tests::{below, hashes_of, random_inputs, short_match};

#[test]
fn loaded_match_continues_equally_in_every_mode_from_any_step() {
    let mut random = RandomStream::new(11, "test");
    for mode in Assets::built_in().modes.keys() {
        for seed in 0..3 {
            let mut simulation = short_match(mode, seed, 1);
            let before = below(&mut random, 300);
            let (lead, inputs) = (random_inputs(&mut random, before), random_inputs(&mut random, 150));
            hashes_of(&mut simulation, &lead);
            let bytes = simulation.save().unwrap();
            let (hash, whole) = (simulation.state_hash(), simulation.engine_mut().state_hash().unwrap());
            let expected = hashes_of(&mut simulation, &inputs);

            let mut fresh = short_match(mode, seed, 2);
            fresh.load(&bytes).unwrap();
            assert_eq!((fresh.tick(), fresh.state_hash()), (before as u64, hash));
            let loaded = fresh.engine_mut().state_hash().unwrap();
            assert_eq!(whole.first_difference(&loaded), None, "{mode}, seed {seed}, step {before}");
            assert_eq!(hashes_of(&mut fresh, &inputs), expected, "{mode}, seed {seed}, step {before}");
            // A loaded match is saved as the same bytes.
            fresh.load(&bytes).unwrap();
            assert_eq!(fresh.save().unwrap(), bytes);
        }
    }
}

#[test]
fn match_can_be_saved_before_its_first_step_and_after_its_end() {
    let mut simulation = short_match("classic", 3, 1);
    let first = simulation.save().unwrap();
    while simulation.state() != GameState::GameOver {
        simulation.step(&Inputs::none());
    }
    let last = simulation.save().unwrap();
    let (tick, result, hash) = (simulation.tick(), simulation.result(), simulation.state_hash());

    let mut later = short_match("classic", 3, 1);
    later.load(&last).unwrap();
    assert_eq!((later.tick(), later.result(), later.state_hash()), (tick, result, hash));
    later.load(&first).unwrap();
    while later.state() != GameState::GameOver {
        later.step(&Inputs::none());
    }
    assert_eq!(later.state_hash(), hash);
}

fn refused(simulation: &mut Simulation, bytes: &[u8]) -> String {
    let before = (simulation.tick(), simulation.state_hash());
    let error = simulation.load(bytes).unwrap_err();
    assert_eq!((simulation.tick(), simulation.state_hash()), before, "a refused save changes nothing");
    error.to_string()
}

#[test]
fn other_matches_and_other_versions_are_refused() {
    let mut simulation = short_match("classic", 3, 1);
    let other = "its match has another set-up or other assets: load it with those";
    assert_eq!(refused(&mut simulation, &short_match("classic", 4, 1).save().unwrap()), other);
    assert_eq!(refused(&mut simulation, &short_match("power-ups", 3, 1).save().unwrap()), other);
    assert_eq!(refused(&mut simulation, b"something else"), "it is not a saved match");

    let bytes = simulation.save().unwrap();
    let length = u32::from_le_bytes(bytes[10..14].try_into().unwrap()) as usize;
    let changed = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        let hash = StateHasher::default().bytes(&bytes[..14 + length]).finish();
        bytes[14 + length..22 + length].copy_from_slice(&hash.to_le_bytes());
        bytes
    };
    // The version stands first in the header, behind its length.
    let own = env!("CARGO_PKG_VERSION");
    assert_eq!(&bytes[15..15 + own.len()], own.as_bytes());
    let saved = format!("9{}", &own[1..]);
    assert_eq!(
        refused(&mut simulation, &changed(&|bytes| bytes[15] = b'9')),
        format!("version {saved} of the game saved it, and this is version {own}: load it with version {saved}")
    );
    for format in [1, 2, 3, 4, 5, 6, 7, 9] {
        assert_eq!(
            refused(&mut simulation, &changed(&|bytes| bytes[8] = format)),
            format!(
                "version {own} of the game saved it in format {format}, and this version reads format 8: load it with the \
                 program that saved it"
            )
        );
    }
}

#[test]
fn damaged_saves_are_refused_with_a_sentence() {
    let mut simulation = short_match("survival", 3, 1);
    hashes_of(&mut simulation, &vec![Inputs::none(); 60]);
    let bytes = simulation.save().unwrap();
    let mut random = RandomStream::new(12, "test");
    for _ in 0..200 {
        let at = below(&mut random, bytes.len());
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << below(&mut random, 8);
        assert!(matches!(
            simulation.load(&flipped),
            Err(LoadError::NotASave | LoadError::Damaged | LoadError::Truncated | LoadError::State(_))
        ));
        let text = refused(&mut simulation, &bytes[..at]);
        assert!(text.contains("not a saved match") || text.contains("ends"), "{text}");
    }
}
