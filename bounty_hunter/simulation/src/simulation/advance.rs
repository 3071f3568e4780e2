//! The work between two frames: changes of the state, building and clearing the arena, enabling and disabling systems.

use std::collections::BTreeMap;

use ecs::{
    Engine, IncludeDisabled,
    state_machine::{Hook, Next},
};

use crate::events::{GamePaused, GameResumed, GameStarted};
use crate::gameplay::lives::{self, Lives};
use crate::gameplay::match_flow::{Ending, GameFlow, GameState, MatchResult, Request};
use crate::objects::collector::Collector;
use crate::objects::stash::Stash;
use crate::objects::team::{Side, SideId, Team, list_sides};
use crate::simulation::CheckedPlan;
use crate::simulation::match_setup::{build_match, clear_match};
use crate::simulation::schedule::work_state;

use GameState::{GameOver, Initialized, NotInitialized, Paused, Restarted, Running, Started, Terminated};

/// Ends the match if it is over, grants requests, then builds the arena if due. Runs once after each frame.
pub(super) fn advance(engine: &mut Engine, plan: &CheckedPlan) {
    let Some(mut flow) = engine.remove_resource::<GameFlow>() else { return };
    let rules = &plan.rules.options;
    let before = flow.state();
    match before {
        Started if flow.countdown_ticks == 0 => change(&mut flow, Next::Change(Running), engine),
        Running if flow.is_stash_full && rules.full_stash_ends_match => end(&mut flow, Ending::StashFull, engine),
        Running if lives::is_decided(engine) => end(&mut flow, Ending::LastStanding, engine),
        Running if flow.clock_ticks == 0 => end(&mut flow, Ending::Time, engine),
        _ => {}
    }
    // If the match has just ended, requests wait for the next step.
    if flow.state() != before {
        engine.insert_resource(flow);
        return;
    }
    let state = flow.state();
    for request in std::mem::take(&mut flow.requests) {
        grant(request, &mut flow, engine);
    }
    // A requested state lasts a step, like any other.
    if flow.state() == state {
        build(&mut flow, engine, plan);
    }
    engine.insert_resource(flow);
}

/// Takes the steps that lead to a match.
fn build(flow: &mut GameFlow, engine: &mut Engine, plan: &CheckedPlan) {
    match flow.state() {
        NotInitialized => change(flow, Next::Change(Initialized), engine),
        Initialized => change(flow, Next::Change(Restarted), engine),
        Restarted => {
            clear_match(engine);
            build_match(engine, plan, flow.matches).expect("a checked plan can be built");
            // A forged save may hold any number.
            flow.matches = flow.matches.wrapping_add(1);
            (flow.countdown_ticks, flow.clock_ticks) = (plan.countdown_ticks, plan.play_ticks);
            (flow.is_stash_full, flow.result) = (false, None);
            change(flow, Next::Change(Started), engine);
        }
        _ => {}
    }
}

fn grant(request: Request, flow: &mut GameFlow, engine: &mut Engine) {
    match (request, flow.state()) {
        (Request::Pause, Started | Running) => change(flow, Next::Push(Paused), engine),
        (Request::Resume, Paused) => change(flow, Next::Pop, engine),
        (Request::Restart, Paused | GameOver) => {
            if flow.state() == Paused {
                engine.send(GameResumed);
            }
            change(flow, Next::ChangeAll(Restarted), engine);
        }
        (Request::Quit | Request::Close, Paused | GameOver) => change(flow, Next::ChangeAll(Terminated), engine),
        // The table of transitions allows `Terminated` after a pause only.
        (Request::Close, Started | Running) => {
            change(flow, Next::Push(Paused), engine);
            change(flow, Next::ChangeAll(Terminated), engine);
        }
        (Request::Close, Initialized) => change(flow, Next::Change(Terminated), engine),
        // Requests of the window wait until the match is built.
        (Request::Pause | Request::Close, NotInitialized | Initialized | Restarted) => flow.request(request),
        _ => {}
    }
}

/// Changes the state, enables the systems of the new one, and announces it. Nothing changes if the table of transitions
/// forbids it: that happens only after a state was loaded or set by hand that no match comes to, such as a pause of
/// nothing.
fn change(flow: &mut GameFlow, next: Next<GameState>, engine: &mut Engine) {
    let from = flow.state();
    let hooks = match flow.state.step(next) {
        Ok(hooks) => hooks,
        Err(error) => {
            tracing::error!(target: "bounty_hunter::match_flow", %error, "no change of state");
            return;
        }
    };
    let to = flow.state();
    tracing::debug!(target: "bounty_hunter::match_flow", ?from, ?to, "state");
    let switched = engine.set_work_state(&work_state(engine, to));
    switched.expect("the work state names systems of this engine only");
    hooks.for_each(|hook| announce(hook, engine));
}

/// Sends the events of a change of state.
fn announce(hook: Hook<GameState>, engine: &mut Engine) {
    match hook {
        Hook::Entered(Started) => engine.send(GameStarted),
        Hook::Entered(Paused) => engine.send(GamePaused),
        Hook::Resumed(_) => engine.send(GameResumed),
        Hook::Entered(GameOver) => engine.send(crate::events::GameOver),
        Hook::Left(_)
        | Hook::Paused(_)
        | Hook::Entered(NotInitialized | Initialized | Restarted | Running | Terminated) => {}
    }
}

/// Ends the match. The side that stayed in it longest wins; of several, the one with the fullest stashes; a tie is a
/// draw. A side is a player, or a team, which stays as long as one of its players.
fn end(flow: &mut GameFlow, ending: Ending, engine: &mut Engine) {
    let mut sides = Vec::new();
    list_sides(engine.read::<(&Stash, Option<&Team>)>().iter(), &mut sides);
    let winner = winner(&sides, &exits(engine));
    flow.result = Some(MatchResult { ending, winner });
    change(flow, Next::Change(GameOver), engine);
}

/// The content of each stash, by player.
#[must_use]
pub(super) fn stashes(engine: &Engine) -> Vec<f32> {
    let mut stashes = Vec::new();
    engine.read::<&Stash>().for_each(|stash| stashes.push((stash.player, stash.stashed)));
    stashes.sort_by_key(|(player, _)| *player);
    stashes.into_iter().map(|(_, stashed)| stashed).collect()
}

/// The number of the team of each player; empty without teams.
#[must_use]
pub(super) fn teams(engine: &Engine) -> Vec<u32> {
    let mut teams = Vec::new();
    engine.read::<(&Stash, &Team)>().for_each(|(stash, team)| teams.push((stash.player, team.number)));
    teams.sort_unstable();
    teams.into_iter().map(|(_, team)| team).collect()
}

/// For each side with lives: the ticks left on the clock when its last player went out, `None` while one is in.
fn exits(engine: &Engine) -> BTreeMap<SideId, Option<u32>> {
    let mut exits: BTreeMap<SideId, Option<u32>> = BTreeMap::new();
    let players = engine.read_filtered::<(&Collector, &Lives, Option<&Team>), IncludeDisabled>();
    players.for_each(|(collector, lives, team)| {
        let exit =
            exits.entry(SideId::of(collector.player, team.map(|team| team.number))).or_insert(lives.out_at_clock_ticks);
        *exit = (*exit).min(lives.out_at_clock_ticks);
    });
    exits
}

/// The player with the fullest stash of the side that has won; `None` for a tie.
fn winner(sides: &[Side], exits: &BTreeMap<SideId, Option<u32>>) -> Option<u32> {
    // `None` (still in the match) sorts first, then the fewest ticks left, which is the latest exit.
    let exit = |side: &Side| exits.get(&side.id()).copied().flatten();
    let longest = sides.iter().map(exit).min()?;
    let stayed = || sides.iter().filter(|side| exit(side) == longest);
    let highest = stayed().map(|side| side.stashed).fold(f32::NEG_INFINITY, f32::max);
    let mut best = stayed().filter(|side| side.stashed == highest);
    let winner = best.next()?;
    best.next().is_none().then_some(winner.best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_change_changes_nothing() {
        let mut flow = GameFlow { state: Started.into(), ..GameFlow::new(60) };
        end(&mut flow, Ending::Time, &mut Engine::new());
        assert_eq!(flow.state(), Started);
    }

    #[test]
    fn flow_prints_its_state_and_the_paused_one() {
        let mut flow = GameFlow { state: Started.into(), ..GameFlow::new(60) };
        assert!(
            format!("{flow:?}").starts_with("GameFlow { state: Started, paused_from: Running, steps_per_second: 60.0")
        );
        let hooks = flow.state.step(Next::Push(Paused)).expect("a match can be paused");
        assert_eq!(hooks.collect::<Vec<_>>(), [Hook::Paused(Started), Hook::Entered(Paused)]);
        assert!(format!("{flow:?}").starts_with("GameFlow { state: Paused, paused_from: Started, "));
    }

    /// Players without teams that have stashed so much.
    fn sides(stashes: &[f32]) -> Vec<Side> {
        let side = |(best, &stashed)| Side { team: None, stashed, best, best_stashed: stashed };
        (0..).zip(stashes).map(side).collect()
    }

    #[test]
    fn team_stays_as_long_as_one_of_its_players() {
        let [red, blue] = [0, 1].map(|number| Team { number });
        let side = |team, stashed, best| Side { team: Some(team), stashed, best, best_stashed: stashed };
        let sides = [side(red, 50.0, 1), side(blue, 90.0, 2)];
        let winner = |exits: &[(Team, Option<u32>)]| {
            winner(&sides, &exits.iter().map(|(team, left)| (SideId::Team(team.number), *left)).collect())
        };
        assert_eq!((winner(&[]), winner(&[(red, None), (blue, Some(9))])), (Some(2), Some(1)));
        assert_eq!(
            (winner(&[(red, Some(3)), (blue, Some(9))]), winner(&[(red, Some(9)), (blue, Some(9))])),
            (Some(1), Some(2))
        );
    }

    #[test]
    fn fullest_stash_wins_and_a_tie_is_a_draw() {
        let winner = |stashes: &[f32]| winner(&sides(stashes), &BTreeMap::new());
        assert_eq!(winner(&[10.0, 30.0, 20.0]), Some(1));
        assert_eq!(winner(&[30.0, 10.0, 30.0]), None);
        assert_eq!(winner(&[0.0, 0.0]), None);
        assert_eq!(winner(&[5.0]), Some(0));
        assert_eq!(winner(&[]), None);
    }

    #[test]
    fn player_that_stays_longest_wins_and_the_stash_decides_among_several() {
        let stashes = [90.0, 20.0, 10.0, 0.0];
        let winner = |stashes: &[f32], out: &[(u32, u32)]| {
            winner(&sides(stashes), &out.iter().map(|(player, left)| (SideId::Player(*player), Some(*left))).collect())
        };
        assert_eq!(winner(&stashes, &[(0, 500), (3, 400)]), Some(1), "two are in");
        assert_eq!(winner(&stashes, &[(0, 500), (1, 450), (2, 400)]), Some(3), "one is in");
        assert_eq!(
            winner(&stashes, &[(0, 500), (1, 300), (2, 300), (3, 400)]),
            Some(1),
            "the last two go out together"
        );
        assert_eq!(winner(&[90.0, 7.0, 7.0], &[(0, 9), (1, 3), (2, 3)]), None);
    }
}
