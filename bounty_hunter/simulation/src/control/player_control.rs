//! Control by people and scripts: the intents of the inputs become those of collectors.

use ecs::{Query, Res, Setup, System};
use serde::{Deserialize, Serialize};

use crate::data::input::Intent;
use crate::gameplay::player::Players;
use crate::objects::collector::{Collector, Controls, DriveCollectors};

/// Resource: the last intent of each seat in [`Inputs::intents`](crate::data::input::Inputs::intents), by player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeatIntents(pub Vec<Intent>);

/// Sets the intents of collectors that people or scripts drive.
#[derive(Debug, Default)]
pub struct ControlPlayers;

impl System for ControlPlayers {
    fn setup(setup: &mut Setup<Self>) {
        setup.before_type::<DriveCollectors>().update(Self::control);
    }
}

impl ControlPlayers {
    fn control(
        &mut self,
        mut collectors: Query<(&Collector, &mut Controls)>,
        players: Res<Players>,
        intents: Res<SeatIntents>,
    ) {
        for (player, intent) in players.0.iter().zip(&intents.0).filter(|(player, _)| !player.is_driven_by_ai()) {
            if let Some((_, controls)) = collectors.get_mut(player.collector) {
                controls.intent = *intent;
            }
        }
    }
}
