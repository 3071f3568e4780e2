//! Inputs that are drawn by the strategies of proptest.

use ecs::random::RandomStream;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Draws inputs for [`explore`](crate::explore()) by a strategy of proptest. One whose filters reject too much panics.
pub fn drawn_by<S: Strategy>(strategy: S) -> impl Fn(&mut RandomStream) -> S::Value {
    move |random| {
        let seed: Vec<u8> = (0..4).flat_map(|_| random.next_u64().to_le_bytes()).collect();
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        match strategy.new_tree(&mut runner) {
            Ok(tree) => tree.current(),
            Err(reason) => panic!("the strategy draws no input: {reason}"),
        }
    }
}
