//! `bounty_hunter systems`: the order of the systems with reasons, and the event graph.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;

/// Steps of the match before the kinds of entities are listed.
const STEPS: usize = 300;

/// The systems of all rule sets in order, with the reason for each place; the kinds of entities; and the event graph.
pub(crate) fn describe_systems() -> Result<String, String> {
    let setup = MatchSetup::of_ais(0, 16, "normal");
    let mut simulation =
        Simulation::new(&Assets::built_in().with_all_rule_sets(), &setup).map_err(|error| error.to_string())?;
    // Between matches most systems are disabled.
    while simulation.step(&Inputs::none()).state != GameState::Running {}
    (0..STEPS).for_each(|_| _ = simulation.step(&Inputs::none()));
    let engine = simulation.engine_mut();
    let order = engine.explain().map_err(|error| error.to_string())?;
    let event_graph = engine.event_graph().map_err(|error| error.to_string())?;
    Ok(format!("with all rule sets:\n{order}\nevents: senders -> listeners\n{event_graph}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_of_all_rule_sets_are_listed() {
        let description = describe_systems().unwrap();
        for system in ["Rules", "PowerUps", "Ghosts", "Spells", "Magnets", "Touches", "DealDamage", "Starve", "React"] {
            assert!(description.contains(system), "{system} is missing in\n{description}");
        }
        assert!(!description.contains("warning"), "{description}");
    }
}
