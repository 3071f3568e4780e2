//! Control by people and scripts: held keys and scripted intents become the intents of collectors.

use ecs::{Query, Res, Setup, System};
use serde::{Deserialize, Serialize};

use crate::control::keyboard::HeldKeys;
use crate::data::config::{Keymap, PersonKeys};
use crate::data::input::{Intent, Key};
use crate::gameplay::player::Players;
use crate::objects::collector::{Collector, Controls, DriveCollectors};
use crate::simulation::Seat;

/// Reverse speed of a person, as a share of the top speed.
const REVERSE_DRIVE: f32 = -0.5;

/// Resource: the last intent of each scripted seat, by player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScriptedIntents(pub Vec<Intent>);

/// Sets the intents of collectors that people or scripts drive.
#[derive(Debug, Default)]
pub struct ControlPlayers;

impl System for ControlPlayers {
    fn setup(setup: &mut Setup<Self>) {
        setup.before::<DriveCollectors>().update(Self::control);
    }
}

impl ControlPlayers {
    fn control(
        &mut self,
        mut collectors: Query<(&Collector, &mut Controls)>,
        players: Res<Players>,
        keymap: Res<Keymap>,
        held: Res<HeldKeys>,
        scripted: Res<ScriptedIntents>,
    ) {
        for (seat, player) in players.0.iter().enumerate() {
            let intent = match (player.keys().and_then(|keys| keymap.people.get(keys)), &player.seat) {
                (Some(keys), _) => intent_of(keys, &held),
                (None, Seat::Script) => scripted.0.get(seat).copied().unwrap_or_default(),
                (None, _) => continue,
            };
            if let Some((_, controls)) = collectors.get_mut(player.collector) {
                controls.intent = intent;
            }
        }
    }
}

/// The intent of held keys. Of two opposite keys the one pressed last counts.
#[must_use]
pub fn intent_of(keys: &PersonKeys, held: &HeldKeys) -> Intent {
    let pick = |plus: &[Key], minus: &[Key], plus_share: f32, minus_share: f32| {
        let (plus, minus) = (held.latest(plus), held.latest(minus));
        match plus.cmp(&minus) {
            std::cmp::Ordering::Greater => plus_share,
            std::cmp::Ordering::Less => minus_share,
            std::cmp::Ordering::Equal => 0.0,
        }
    };
    Intent {
        drive: pick(&keys.forward, &keys.reverse, 1.0, REVERSE_DRIVE),
        turn: pick(&keys.left, &keys.right, 1.0, -1.0),
    }
}
