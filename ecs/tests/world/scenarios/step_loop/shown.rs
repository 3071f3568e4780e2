//! Recordings that are shown: their end, and those of other programs.

use super::*;

#[test]
fn recording_of_another_program_is_shown_and_the_own_one_goes_on() {
    let ((mut engine, mut far), (mut own, mut near)) = (new(), new());
    let start = engine.snapshot().unwrap();
    far.record(&mut engine).unwrap();
    far.press(Right);
    steps(&mut engine, &mut far, 90);
    far.end_recording(&mut engine).unwrap();
    let recording = far.recording().cloned().unwrap();

    near.record(&mut own).unwrap();
    near.press(Left);
    steps(&mut own, &mut near, 5);
    let before = ship(&own);
    let begin = |engine: &mut Engine| -> Result<(), ecs::Error> { engine.restore(&start) };
    near.show(&mut own, recording.clone(), begin).unwrap();
    steps(&mut own, &mut near, 30);
    assert!(near.is_replaying());
    assert_eq!((ship(&own).at, ship(&own).course), (30, 1));
    assert_eq!(near.recording().unwrap().frames(), 5, "the own one is still asked for");
    near.release(&Left);
    steps(&mut own, &mut near, 60);
    assert!(!near.is_replaying() && near.divergence().is_none());
    assert_eq!(ship(&own), before, "the present is back");
    steps(&mut own, &mut near, 1);
    assert_eq!(ship(&own).course, 0, "the key that was released meanwhile");
    assert_eq!(near.recording().unwrap().frames(), 6);

    // It is the recording of another state.
    let elsewhere = |engine: &mut Engine| -> Result<(), ecs::Error> {
        engine.restore(&start)?;
        engine.resource_mut::<Ship>().unwrap().at = 7;
        Ok(())
    };
    near.show(&mut own, recording.clone(), elsewhere).unwrap();
    steps(&mut own, &mut near, 90);
    assert!(near.divergence().is_some() && !near.is_replaying());

    // A start that fails leaves all as it was.
    let now = (own.state_hash().unwrap(), near.recording().unwrap().frames());
    let fails = |engine: &mut Engine| -> Result<(), Box<dyn std::error::Error>> {
        engine.restore(&start)?;
        Err("the file is damaged".into())
    };
    assert_eq!(near.show(&mut own, recording, fails).unwrap_err().to_string(), "the file is damaged");
    assert!(!near.is_replaying());
    assert_eq!((own.state_hash().unwrap(), near.recording().unwrap().frames()), now);
}

#[test]
fn frame_in_which_a_replay_ends_has_no_steps_of_the_present() {
    let (mut engine, mut loop_) = new();
    loop_.record(&mut engine).unwrap();
    steps(&mut engine, &mut loop_, 5);
    assert!(loop_.replay(&mut engine).unwrap());
    let advanced = loop_.advance(&mut engine, ms(90)).unwrap();
    assert_eq!((advanced.steps, engine.time().frame(), loop_.is_replaying()), (5, 5, false));
    steps(&mut engine, &mut loop_, 2);
    assert_eq!(engine.time().frame(), 7);
}
