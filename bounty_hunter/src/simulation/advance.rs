//! What happens between two frames: states change, the arena is built and cleared, systems are switched.

use ecs::{
    Engine, IncludeDisabled,
    state_machine::{Hook, Next},
};

use crate::events::{GameInitialized, GamePaused, GameQuit, GameRestarted, GameResumed, GameStarted};
use crate::gameplay::lives::{self, Lives};
use crate::gameplay::match_flow::{Ending, GameFlow, GameState, MatchResult, Request};
use crate::objects::collector::Collector;
use crate::objects::stash::Stash;
use crate::simulation::match_setup::{MatchPlan, build_match, clear_match};
use crate::simulation::schedule::work_state;

use GameState::{GameOver, Initialized, NotInitialized, Paused, Restarted, Running, Started, Terminated};

/// Ends what is over, grants what was wished for, builds what is due, in this order. Call it once after each frame.
pub(super) fn advance(engine: &mut Engine, plan: &MatchPlan) {
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
    // In the step in which a match ends by itself it has ended, whatever is wished for: that is granted in the next one.
    if flow.state() != before {
        engine.insert_resource(flow);
        return;
    }
    let state = flow.state();
    for request in std::mem::take(&mut flow.requests) {
        grant(request, &mut flow, engine);
    }
    // A state that was wished for lasts a step, like any other.
    if flow.state() == state {
        build(&mut flow, engine, plan);
    }
    engine.insert_resource(flow);
}

/// Takes the steps that lead to a match.
fn build(flow: &mut GameFlow, engine: &mut Engine, plan: &MatchPlan) {
    match flow.state() {
        NotInitialized => change(flow, Next::Change(Initialized), engine),
        Initialized => change(flow, Next::Change(Restarted), engine),
        Restarted => {
            clear_match(engine);
            build_match(engine, plan, flow.matches).expect("a plan names only prefabs that are there");
            flow.matches += 1;
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
        // No state but these two may become terminated, so a window that is closed in a match pauses it first.
        (Request::Close, Started | Running) => {
            change(flow, Next::Push(Paused), engine);
            change(flow, Next::ChangeAll(Terminated), engine);
        }
        (Request::Close, Initialized) => change(flow, Next::Change(Terminated), engine),
        // What the window asks for while a match is being built waits until it is.
        (Request::Pause | Request::Close, NotInitialized | Initialized | Restarted) => flow.request(request),
        _ => {}
    }
}

/// Changes the state, lets only those systems work that have something to do in it, and announces it.
///
/// # Panics
/// With both states if the table of transitions does not allow it, which would be a mistake of this module.
fn change(flow: &mut GameFlow, next: Next<GameState>, engine: &mut Engine) {
    let from = flow.state();
    let hooks = flow.step(next).unwrap_or_else(|error| panic!("the game has lost its course: {error}"));
    let to = flow.state();
    tracing::info!(target: "bounty_hunter::match_flow", ?from, ?to, "state");
    let switched = engine.set_work_state(&work_state(engine, to));
    switched.expect("the work state names systems of this engine only");
    hooks.for_each(|hook| announce(hook, engine));
}

/// Says what a change of state means to others.
fn announce(hook: Hook<GameState>, engine: &mut Engine) {
    match hook {
        Hook::Entered(Initialized) => engine.send(GameInitialized),
        Hook::Entered(Restarted) => engine.send(GameRestarted),
        Hook::Entered(Started) => engine.send(GameStarted),
        Hook::Entered(Paused) => engine.send(GamePaused),
        Hook::Resumed(_) => engine.send(GameResumed),
        Hook::Entered(GameOver) => engine.send(crate::events::GameOver),
        Hook::Entered(Terminated) => engine.send(GameQuit),
        Hook::Left(_) | Hook::Paused(_) | Hook::Entered(NotInitialized | Running) => {}
    }
}

/// Ends the match: who stayed in it longest wins, which is everybody where lives are not limited; among those the highest
/// stash; and a tie is a draw.
fn end(flow: &mut GameFlow, ending: Ending, engine: &mut Engine) {
    let winner = winner(&stashes(engine), &exits(engine));
    flow.result = Some(MatchResult { ending, winner });
    change(flow, Next::Change(GameOver), engine);
}

/// What lies in the stashes, by player.
#[must_use]
pub(super) fn stashes(engine: &Engine) -> Vec<f32> {
    let mut stashes = Vec::new();
    engine.read::<&Stash>().for_each(|stash| stashes.push((stash.player, stash.stashed)));
    stashes.sort_by_key(|(player, _)| *player);
    stashes.into_iter().map(|(_, stashed)| stashed).collect()
}

/// What was left on the clock when players were out of the match, for those who are.
fn exits(engine: &Engine) -> Vec<(u32, u32)> {
    let mut exits = Vec::new();
    engine.read_filtered::<(&Collector, &Lives), IncludeDisabled>().for_each(|(collector, lives)| {
        exits.extend(lives.out_at_clock_ticks.map(|left| (collector.player, left)));
    });
    exits
}

/// The player whose stash is higher than that of every other who stayed as long; `None` for a tie.
fn winner(stashes: &[f32], exits: &[(u32, u32)]) -> Option<u32> {
    let mut places: Vec<(Option<u32>, f32)> = stashes.iter().map(|stashed| (None, *stashed)).collect();
    for &(player, left) in exits {
        if let Some(place) = places.get_mut(player as usize) {
            place.0 = Some(left);
        }
    }
    // Who is in stayed longer than anybody who is not, and less on the clock is longer.
    let longest = places.iter().map(|(left, _)| *left).min()?;
    let stayed = || places.iter().enumerate().filter(|(_, (left, _))| *left == longest);
    let highest = stayed().map(|(_, (_, stashed))| *stashed).fold(f32::NEG_INFINITY, f32::max);
    let mut best = stayed().filter(|(_, (_, stashed))| *stashed == highest);
    let (player, _) = best.next()?;
    best.next().is_none().then_some(player as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(
        expected = "the game has lost its course: `GameOver` may not follow `Started`: allowed after `Started` are `Paused`, `Running`"
    )]
    fn change_that_is_not_in_the_table_is_refused_and_both_states_are_named() {
        let mut flow = GameFlow { state: Started.into(), ..GameFlow::new(60) };
        end(&mut flow, Ending::Time, &mut Engine::new());
    }

    #[test]
    fn flow_prints_its_state_and_the_one_that_a_pause_goes_back_to() {
        let mut flow = GameFlow { state: Started.into(), ..GameFlow::new(60) };
        assert!(
            format!("{flow:?}").starts_with("GameFlow { state: Started, paused_from: Running, steps_per_second: 60.0")
        );
        let hooks = flow.step(Next::Push(Paused)).expect("a match can be paused");
        assert_eq!(hooks.collect::<Vec<_>>(), [Hook::Paused(Started), Hook::Entered(Paused)]);
        assert!(format!("{flow:?}").starts_with("GameFlow { state: Paused, paused_from: Started, "));
    }

    #[test]
    fn highest_stash_wins_and_a_tie_is_a_draw() {
        assert_eq!(winner(&[10.0, 30.0, 20.0], &[]), Some(1));
        assert_eq!(winner(&[30.0, 10.0, 30.0], &[]), None);
        assert_eq!(winner(&[0.0, 0.0], &[]), None);
        assert_eq!(winner(&[5.0], &[]), Some(0));
        assert_eq!(winner(&[], &[]), None);
    }

    #[test]
    fn who_stays_longest_wins_and_the_stash_decides_among_those() {
        let stashes = [90.0, 20.0, 10.0, 0.0];
        assert_eq!(winner(&stashes, &[(0, 500), (3, 400)]), Some(1), "two are in");
        assert_eq!(winner(&stashes, &[(0, 500), (1, 450), (2, 400)]), Some(3), "one is in");
        assert_eq!(winner(&stashes, &[(0, 500), (1, 300), (2, 300), (3, 400)]), Some(1), "the last two went together");
        assert_eq!(winner(&[90.0, 7.0, 7.0], &[(0, 9), (1, 3), (2, 3)]), None);
    }
}
