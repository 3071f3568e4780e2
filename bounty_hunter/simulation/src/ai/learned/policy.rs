//! A policy: a small network of layers, evaluated in a fixed order of operations, so that it decides the same on every
//! platform.

use std::fmt;

use ecs::snapshot::StateHasher;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};

use super::choices::{GOALS, intent_of_goal};
use super::observation::{OBSERVATION_LENGTH, OBSERVATION_VERSION};
use crate::data::input::Intent;

/// The most numbers of a layer; a sanity limit for files.
const MAX_NUMBERS: usize = 1 << 22;

/// `assets/policies/*.ron`: one learned AI, named after its file.
///
/// A layer multiplies its inputs by its weights and adds its biases; between two layers, negative numbers become 0. The
/// last layer scores the [goals](super::goal_names), and the policy steers to the best one.
#[derive(Clone, PartialEq, Serialize)]
pub struct Policy {
    /// The version of the observation that it was trained with.
    pub observation: u32,
    /// Steps from one decision to the next; the intent stays in between.
    pub steps_per_decision: u32,
    /// The layers in order.
    pub layers: Vec<Layer>,
}

/// A layer of a network.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// The bias of each output.
    #[serde(with = "numbers")]
    pub biases: Vec<f32>,
    /// The weights: those of the first input for each output, then those of the second input, and so on.
    #[serde(with = "numbers")]
    pub weights: Vec<f32>,
}

/// Numbers as a text with spaces between them, which is read much faster than a list in RON.
mod numbers {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(numbers: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<String> = numbers.iter().map(f32::to_string).collect();
        serializer.serialize_str(&texts.join(" "))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f32>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = |text: &str| text.parse().ok().filter(|number: &f32| number.is_finite()).ok_or(text.to_owned());
        let numbers: Result<Vec<f32>, String> = text.split_ascii_whitespace().map(number).collect();
        numbers.map_err(|text| D::Error::custom(format!("{text:?} is not a finite number")))
    }
}

/// Checks that the layers fit each other, the observation and the choices.
impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "Policy", deny_unknown_fields)]
        struct Unchecked {
            observation: u32,
            steps_per_decision: u32,
            layers: Vec<Layer>,
        }

        let Unchecked { observation, steps_per_decision, layers } = Unchecked::deserialize(deserializer)?;
        let policy = Self { observation, steps_per_decision, layers };
        policy.issue().map_or(Ok(policy), |issue| Err(D::Error::custom(issue)))
    }
}

/// Prints a hash of the weights, which stands for all of them in the hashes of states and configurations.
impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hash = StateHasher::default();
        for layer in &self.layers {
            for numbers in [&layer.biases, &layer.weights] {
                hash.bytes(&(numbers.len() as u64).to_le_bytes());
                numbers.iter().for_each(|number| _ = hash.bytes(&number.to_bits().to_le_bytes()));
            }
        }
        let Self { observation, steps_per_decision, .. } = self;
        f.debug_struct("Policy")
            .field("observation", observation)
            .field("steps_per_decision", steps_per_decision)
            .field("layers", &format_args!("{:016x}", hash.finish()))
            .finish()
    }
}

/// Memory for evaluating policies, kept from one decision to the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    inputs: Vec<f32>,
    outputs: Vec<f32>,
}

impl Policy {
    /// The intent for an observation.
    ///
    /// # Panics
    /// If the observation does not have [`OBSERVATION_LENGTH`] numbers.
    pub fn decide(&self, observation: &[f32], scratch: &mut Scratch) -> Intent {
        let goal = best(self.scores(observation, scratch));
        intent_of_goal(goal, observation).expect("the last layer scores the goals")
    }

    /// The scores of all goals.
    ///
    /// # Panics
    /// If the observation does not have [`OBSERVATION_LENGTH`] numbers.
    pub fn scores<'s>(&self, observation: &[f32], scratch: &'s mut Scratch) -> &'s [f32] {
        assert_eq!(observation.len(), OBSERVATION_LENGTH, "an observation has this many numbers");
        let Scratch { inputs, outputs } = scratch;
        inputs.clear();
        inputs.extend_from_slice(observation);
        for (index, layer) in self.layers.iter().enumerate() {
            if index > 0 {
                std::mem::swap(inputs, outputs);
                inputs.iter_mut().for_each(|number| *number = number.max(0.0));
            }
            outputs.clear();
            outputs.extend_from_slice(&layer.biases);
            // One input after the other: the sums of the outputs are independent, so the compiler can use vectors and
            // must not change the order of any sum.
            for (input, weights) in inputs.iter().zip(layer.weights.chunks_exact(layer.biases.len())) {
                if *input != 0.0 {
                    outputs.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += input * weight);
                }
            }
        }
        outputs
    }

    /// What is wrong with its sizes.
    fn issue(&self) -> Option<String> {
        if self.observation != OBSERVATION_VERSION {
            let version = self.observation;
            return Some(format!("observation is {version}, must be {OBSERVATION_VERSION}: train it again"));
        }
        if !(1..=1000).contains(&self.steps_per_decision) {
            return Some(format!("steps_per_decision is {}, must be 1 to 1000", self.steps_per_decision));
        }
        let mut inputs = OBSERVATION_LENGTH;
        for (index, layer) in self.layers.iter().enumerate() {
            let outputs = layer.biases.len();
            let expected = inputs.saturating_mul(outputs);
            if outputs == 0 || expected > MAX_NUMBERS || layer.weights.len() != expected {
                return Some(format!(
                    "layer {index} has {} weights and {outputs} biases, must have {inputs} weights for each of 1 or more biases",
                    layer.weights.len()
                ));
            }
            inputs = outputs;
        }
        let is_wrong = inputs != GOALS || self.layers.is_empty();
        is_wrong.then(|| format!("the last layer has {inputs} outputs, must have {GOALS}, the scores of the goals"))
    }
}

/// The index of the highest score; the first of equal ones.
fn best(scores: &[f32]) -> usize {
    let mut best = 0;
    for (index, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = index;
        }
    }
    best
}

#[cfg(test)]
mod tests;
