//! Limited lives: a player that lost the last one does not respawn.

use ecs::{Commands, Engine, IncludeDisabled, Query, Res, Sender, Setup, System};
use serde::{Deserialize, Serialize};

use crate::events::{GameObjectKilled, PlayerEliminated};
use crate::gameplay::match_flow::GameFlow;
use crate::objects::collector::Collector;
use crate::objects::respawn::Respawn;

/// Component of a collector whose lives are limited. Written by [`CountLives`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lives {
    /// Lives left, including the present one; at 0 the player is out of the match.
    pub left: u32,
    /// Ticks left on the clock when the player went out.
    pub out_at_clock_ticks: Option<u32>,
}

impl Lives {
    /// `lives` at the start of a match.
    #[must_use]
    pub fn of(lives: u32) -> Self {
        Self { left: lives, out_at_clock_ticks: None }
    }

    /// Whether the player is still in the match.
    #[must_use]
    pub fn is_in(self) -> bool {
        self.left > 0
    }
}

/// Takes a life for each death, and the [`Respawn`] for the last one.
#[derive(Debug, Default)]
pub struct CountLives;

impl System for CountLives {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_killed);
    }
}

impl CountLives {
    fn on_killed(
        &mut self,
        event: &GameObjectKilled,
        mut mortals: Query<(&Collector, &mut Lives), IncludeDisabled>,
        flow: Res<GameFlow>,
        mut commands: Commands,
        mut eliminated: Sender<PlayerEliminated>,
    ) {
        let Some((collector, lives)) = mortals.get_mut(event.entity).filter(|(_, lives)| lives.is_in()) else { return };
        lives.left -= 1;
        if !lives.is_in() {
            lives.out_at_clock_ticks = Some(flow.ticks_left().1);
            commands.remove::<Respawn>(event.entity);
            eliminated.send(PlayerEliminated { player: collector.player });
        }
    }
}

/// Whether at least one player is out of the match and at most one is in.
#[must_use]
pub fn is_decided(engine: &Engine) -> bool {
    let (mut players, mut players_in) = (0_u32, 0_u32);
    engine.read_filtered::<&Lives, IncludeDisabled>().for_each(|lives| {
        players += 1;
        players_in += u32::from(lives.is_in());
    });
    players_in < players && players_in <= 1
}
