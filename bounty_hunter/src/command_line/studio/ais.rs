//! The panel `AIs`: what each AI sees, what its choices are worth, and what it does.

use bounty_hunter::ai_controller::explain;
use bounty_hunter::learned_controller::explain_learned;
use bounty_hunter::player::{Players, Seat};
use bounty_hunter::simulation::Simulation;
use serde::Deserialize;
use serde_json::{Value, json};

/// A request of the page: the AIs of all players, with the choices of one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    #[serde(default)]
    player: usize,
}

/// Limit of players that are listed.
const MAX_LISTED: usize = 64;

pub(super) fn answer(simulation: &mut Simulation, request: &Request) -> Value {
    let players = simulation.engine().resource::<Players>().map(|players| players.0.clone()).unwrap_or_default();
    let count = players.len();
    let mut chosen = Value::Null;
    let mut listed = Vec::new();
    for (index, player) in players.into_iter().enumerate().take(MAX_LISTED) {
        let Seat::Ai { profile } = player.seat else { continue };
        let explanation = explain(simulation.engine_mut(), player.collector);
        let goals = explain_learned(simulation.engine(), player.collector);
        let sentence = match (&explanation, &goals) {
            (Some(ai), _) => ai.sentence(),
            (None, Some(goals)) => format!("Its policy takes the goal {:?}.", goals[0].0),
            (None, None) => "Its collector is dead.".to_owned(),
        };
        if let Some(goals) = goals.filter(|_| index == request.player) {
            chosen = json!({ "goals": goals });
        }
        listed.push(json!({
            "player": index,
            "profile": profile,
            "collector": player.collector.to_string(),
            "sentence": sentence,
        }));
        if index == request.player
            && let Some(ai) = explanation
        {
            let choices = ai.choices.iter().enumerate().map(|(number, choice)| {
                json!({
                    "entity": choice.entity.to_string(), "name": choice.name, "value": choice.value, "distance": choice.distance_m,
                    "score": choice.score, "is_best": ai.best == Some(number), "is_target": ai.target == Some(choice.entity),
                })
            });
            chosen = json!({
                "state": format!("{:?}", ai.state),
                "choices": choices.collect::<Vec<_>>(),
                "threats": ai.threats,
                "pocket": ai.pocket_fullness,
                "threshold": ai.stash_threshold,
                "is_late": ai.is_late,
                "wants_home": ai.wants_home,
            });
        }
    }
    json!({ "players": count, "ais": listed, "player": request.player, "chosen": chosen })
}
