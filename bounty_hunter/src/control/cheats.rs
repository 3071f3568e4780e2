//! Cheats: keys that take over a collector, kill all collectors or bounties, and log the physics.

use ecs::{EntityId, Query, Res, ResMut, Sender, Setup, System, With};

use crate::control::ai_controller::AiController;
use crate::data::config::Keymap;
use crate::data::input::{Intent, Key};
use crate::events::{KeyDown, KillGameObject};
use crate::gameplay::player::Players;
use crate::objects::bounty::Bounty;
use crate::objects::collector::{Collector, Controls};
use crate::physics::Physics;

/// Runs the cheats.
#[derive(Debug, Default)]
pub struct Cheats;

impl System for Cheats {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_key_down);
    }
}

impl Cheats {
    #[allow(clippy::too_many_arguments)]
    fn on_key_down(
        &mut self,
        event: &KeyDown,
        keymap: Res<Keymap>,
        physics: Res<Physics>,
        mut players: ResMut<Players>,
        collectors: Query<EntityId, With<Collector>>,
        bounties: Query<EntityId, With<Bounty>>,
        mut controllers: Query<(&mut AiController, &mut Controls), ecs::IncludeDisabled>,
        mut kills: Sender<KillGameObject>,
    ) {
        let is = |keys: &[Key]| keys.contains(&event.key);
        if is(&keymap.cheat_kill_collectors) {
            collectors.iter().for_each(|entity| kills.send(KillGameObject { entity }));
        } else if is(&keymap.cheat_kill_bounties) {
            bounties.iter().for_each(|entity| kills.send(KillGameObject { entity }));
        } else if is(&keymap.cheat_dump_physics) {
            tracing::info!(target: "bounty_hunter::cheats", "all bodies\n{}", physics.describe());
        } else {
            let possessed = players.0.iter().position(|player| player.possessed_with.is_some());
            let next = match possessed {
                None if is(&keymap.cheat_possess) => next_ai(&players, players.0.len(), 1),
                Some(_) if is(&keymap.cheat_release) => None,
                Some(current) if is(&keymap.cheat_next) => next_ai(&players, current, 1),
                Some(current) if is(&keymap.cheat_previous) => next_ai(&players, current, players.0.len() - 1),
                _ => return,
            };
            if let Some(current) = possessed {
                hand_over(&mut players, current, None, &mut controllers);
            }
            if let Some(next) = next.or(possessed.filter(|_| !is(&keymap.cheat_release))) {
                let keys = free_keys(&players, keymap.people.len());
                hand_over(&mut players, next, keys, &mut controllers);
            }
        }
    }
}

/// The first unused set of keys in the keymap; `None` if all are in use.
fn free_keys(players: &Players, people: usize) -> Option<usize> {
    (0..people).find(|keys| players.0.iter().all(|player| player.keys() != Some(*keys)))
}

/// The next seat driven by an AI, cycling from `start` in steps of `stride`.
fn next_ai(players: &Players, start: usize, stride: usize) -> Option<usize> {
    let count = players.0.len();
    (1..=count).map(|step| (start + step * stride) % count).find(|&seat| players.0[seat].is_driven_by_ai())
}

/// Hands the control of a collector to a person, or back to its AI.
fn hand_over(
    players: &mut Players,
    seat: usize,
    keys: Option<usize>,
    controllers: &mut Query<(&mut AiController, &mut Controls), ecs::IncludeDisabled>,
) {
    players.0[seat].possessed_with = keys;
    if let Some((ai_controller, controls)) = controllers.get_mut(players.0[seat].collector) {
        ai_controller.is_relieved = keys.is_some();
        controls.intent = Intent::IDLE;
    }
}
