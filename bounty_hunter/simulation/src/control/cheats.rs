//! Cheats: people take over collectors of AIs, kill all collectors or bounties, and log the physics.

use ecs::{EntityId, Query, Res, ResMut, Sender, Setup, System, With};

use crate::control::ai_controller::AiController;
use crate::control::player_control::SeatIntents;
use crate::data::input::{Cheat, Intent};
use crate::events::{KillGameObject, UseCheat};
use crate::gameplay::player::{MAX_PEOPLE, Players};
use crate::objects::bounty::Bounty;
use crate::objects::collector::{Collector, Controls};
use crate::physics::{BodyReport, Physics};

/// Carries out the cheats of [`UseCheat`].
#[derive(Debug, Default)]
pub struct Cheats;

impl System for Cheats {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_kill_or_log).listen(Self::on_possession);
    }
}

fn log_body(body: &BodyReport) {
    let BodyReport { key, category, pose, velocity_mps, turn_radps, mass, is_enabled } = *body;
    let (x_m, y_m, heading_rad) = (pose.position.x, pose.position.y, pose.heading);
    let (vx_mps, vy_mps, entity) = (velocity_mps.x, velocity_mps.y, EntityId::from_bits(key.0));
    tracing::info!(
        target: "bounty_hunter::cheats", %entity, ?category, x_m, y_m, heading_rad, vx_mps, vy_mps, turn_radps, mass, is_enabled, "body"
    );
}

impl Cheats {
    fn on_kill_or_log(
        &mut self,
        event: &UseCheat,
        physics: Res<Physics>,
        collectors: Query<EntityId, With<Collector>>,
        bounties: Query<EntityId, With<Bounty>>,
        mut kills: Sender<KillGameObject>,
    ) {
        match event.cheat {
            Cheat::KillCollectors => collectors.iter().for_each(|entity| kills.send(KillGameObject { entity })),
            Cheat::KillBounties => bounties.iter().for_each(|entity| kills.send(KillGameObject { entity })),
            Cheat::LogPhysics => {
                physics.bodies().for_each(|body| log_body(&body));
            }
            _ => {}
        }
    }

    fn on_possession(
        &mut self,
        event: &UseCheat,
        mut players: ResMut<Players>,
        mut intents: ResMut<SeatIntents>,
        mut controllers: Query<(&mut AiController, &mut Controls), ecs::IncludeDisabled>,
    ) {
        let all = || players.0.iter().enumerate();
        let possessed = all().find_map(|(seat, player)| Some((seat, player.possessed_by?)));
        let count = players.0.len();
        let next = match (event.cheat, possessed) {
            (Cheat::Possess, None) => next_ai(&players, count, 1).zip(free_person(&players)),
            (Cheat::Release, Some(_)) => None,
            (Cheat::Next, Some((seat, person))) => Some((next_ai(&players, seat, 1).unwrap_or(seat), person)),
            (Cheat::Previous, Some((seat, person))) => {
                Some((next_ai(&players, seat, count - 1).unwrap_or(seat), person))
            }
            _ => return,
        };
        let mut hand_over = |seat: usize, person: Option<u8>| {
            players.0[seat].possessed_by = person;
            if let Some(intent) = intents.0.get_mut(seat) {
                *intent = Intent::IDLE;
            }
            if let Some((ai_controller, controls)) = controllers.get_mut(players.0[seat].collector) {
                ai_controller.is_relieved = person.is_some();
                controls.intent = Intent::IDLE;
            }
        };
        if let Some((seat, _)) = possessed {
            hand_over(seat, None);
        }
        if let Some((seat, person)) = next {
            hand_over(seat, Some(person));
        }
    }
}

/// The first person at this screen without a seat.
fn free_person(players: &Players) -> Option<u8> {
    (0..MAX_PEOPLE).find(|person| players.0.iter().all(|player| player.person() != Some(*person)))
}

/// The next seat driven by an AI, cycling from `start` in steps of `stride`.
fn next_ai(players: &Players, start: usize, stride: usize) -> Option<usize> {
    let count = players.0.len();
    (1..=count).map(|step| (start + step * stride) % count).find(|&seat| players.0[seat].is_driven_by_ai())
}
