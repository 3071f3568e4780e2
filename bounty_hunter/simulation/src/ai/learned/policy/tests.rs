//! Tests of policies.

use super::*;

/// The text of a policy with one layer whose biases prefer a goal.
fn text(goal: usize) -> String {
    let biases: Vec<&str> = (0..GOALS).map(|index| if index == goal { "1" } else { "0" }).collect();
    let weights = vec!["0"; GOALS * OBSERVATION_LENGTH];
    format!(
        "(observation: {OBSERVATION_VERSION}, steps_per_decision: 4, layers: [(biases: \"{}\", weights: \"{}\")])",
        biases.join(" "),
        weights.join(" ")
    )
}

fn read(text: &str) -> Result<Policy, String> {
    ron::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn policy_steers_to_the_best_goal() {
    let (observation, mut scratch) = ([0.5; OBSERVATION_LENGTH], Scratch::default());
    for goal in 0..GOALS {
        let intent = read(&text(goal)).unwrap().decide(&observation, &mut scratch);
        assert_eq!(Some(intent), intent_of_goal(goal, &observation));
    }
}

#[test]
fn layers_multiply_add_and_cut_off_negative_numbers() {
    let mut first = vec![0.0; 2 * OBSERVATION_LENGTH];
    // The first input for both outputs, then the second input.
    first[..4].copy_from_slice(&[1.0, -1.0, 10.0, 0.0]);
    let mut second = vec![0.0; 2 * GOALS];
    (second[0], second[GOALS]) = (2.0, 100.0);
    let layers =
        vec![Layer { biases: vec![0.5, 0.25], weights: first }, Layer { biases: vec![0.0; GOALS], weights: second }];
    let policy = Policy { observation: OBSERVATION_VERSION, steps_per_decision: 1, layers };
    let mut observation = [0.0; OBSERVATION_LENGTH];
    observation[..2].copy_from_slice(&[3.0, 4.0]);
    // Relu(3 + 40 + 0.5) = 43.5 and relu(-3 + 0.25) = 0.
    assert_eq!(policy.scores(&observation, &mut Scratch::default())[0], 87.0);
}

#[test]
fn written_policy_is_read_back_bit_for_bit() {
    let mut policy = read(&text(1)).unwrap();
    policy.layers[0].weights[7] = 0.1 + 0.2;
    let again = read(&ron::to_string(&policy).unwrap()).unwrap();
    assert!(again == policy && format!("{again:?}") == format!("{policy:?}"));
    policy.layers[0].weights[7] = 0.25;
    assert_ne!(format!("{again:?}"), format!("{policy:?}"), "the printed hash covers the weights");
}

#[test]
fn policy_that_does_not_fit_is_refused_with_its_reason() {
    let refusal = |text: String| read(&text).unwrap_err();
    assert!(refusal(text(0).replace("observation: 1", "observation: 9")).contains("observation is 9, must be 1"));
    assert!(refusal(text(0).replace("decision: 4", "decision: 0")).contains("must be 1 to 1000"));
    assert!(refusal(text(0).replacen("0 0 0", "0 0", 1)).contains("layer 0 has"));
    assert!(refusal(text(0).replacen("0 0 0", "0 nan 0", 1)).contains("\"nan\" is not a finite number"));
    let empty = "(observation: 1, steps_per_decision: 4, layers: [])".to_owned();
    assert!(refusal(empty).contains("must have 12"));
}
