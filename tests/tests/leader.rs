//! The leader: a timed system tags the collector of the fullest stash.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{Command, Inputs};
use bounty_hunter::leader::LEADER;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::stash::Stash;
use bounty_hunter::view::GameState;
use tests::match_in;

/// A running match without bounties.
fn running(players: usize) -> Simulation {
    let mut assets = Assets::built_in();
    (assets.game.least_bounties, assets.game.bounties_per_player) = (0, 0.0);
    match_in(&assets, &MatchSetup::of_ais(2, players, "normal"), GameState::Running)
}

fn stash(simulation: &mut Simulation, stashed: &[f32]) {
    simulation.engine_mut().query::<&mut Stash>().iter_mut().for_each(|stash| {
        stash.stashed = stashed[stash.player as usize];
    });
}

/// The leader after `steps` steps.
fn leader_after(simulation: &mut Simulation, steps: u32) -> Option<u32> {
    (0..steps).for_each(|_| _ = simulation.step(&Inputs::none()));
    simulation.view().leader
}

#[test]
fn fullest_stash_leads_within_a_second_and_a_tie_has_no_leader() {
    let mut simulation = running(3);
    assert_eq!(leader_after(&mut simulation, 61), None, "all stashes are empty");
    stash(&mut simulation, &[10.0, 30.0, 20.0]);
    assert_eq!(leader_after(&mut simulation, 61), Some(1));
    let crowned = simulation.engine().entity_lists().tagged(LEADER);
    assert!(crowned.is_some() && simulation.engine().entity_lists().len(LEADER) == 1);
    stash(&mut simulation, &[10.0, 30.0, 40.0]);
    assert_eq!(leader_after(&mut simulation, 61), Some(2));
    assert_eq!(simulation.engine().entity_lists().len(LEADER), 1, "only one collector leads");
    stash(&mut simulation, &[40.0, 30.0, 40.0]);
    assert_eq!(leader_after(&mut simulation, 61), None);
}

#[test]
fn leader_changes_once_a_second() {
    let mut simulation = running(2);
    stash(&mut simulation, &[5.0, 0.0]);
    // A step is a little less than a sixtieth of a second.
    let steps_to_crown = |simulation: &mut Simulation, player| {
        (1..=61).find(|_| leader_after(simulation, 1) == Some(player)).expect("a second is enough")
    };
    steps_to_crown(&mut simulation, 0);
    stash(&mut simulation, &[5.0, 6.0]);
    let steps = steps_to_crown(&mut simulation, 1);
    assert!(steps >= 60, "{steps} steps are less than a second");
}

#[test]
fn new_match_begins_without_a_leader() {
    let mut simulation = running(2);
    stash(&mut simulation, &[5.0, 0.0]);
    assert_eq!(leader_after(&mut simulation, 61), Some(0));
    simulation.step(&Inputs::none().with(Command::Pause));
    simulation.step(&Inputs::none().with(Command::Restart));
    while simulation.step(&Inputs::none()).state != GameState::Running {}
    assert_eq!(simulation.view().leader, None);
    assert!(simulation.engine().entity_lists().is_empty(LEADER));
}
