//! Limited lives: a player that lost the last one does not respawn.

use ecs::{Commands, Engine, IncludeDisabled, Query, Res, Sender, Setup, System};
use serde::{Deserialize, Serialize};

use crate::events::{GameObjectKilled, PlayerEliminated};
use crate::gameplay::match_flow::GameFlow;
use crate::objects::collector::Collector;
use crate::objects::respawn::Respawn;
use crate::objects::team::{Team, are_partners};

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

/// Whether at least one player is out of the match, and those that are in are one player, or of one team.
#[must_use]
pub fn is_decided(engine: &Engine) -> bool {
    let (mut is_one_out, mut is_contest, mut first) = (false, false, None);
    engine.read_filtered::<(&Lives, Option<&Team>), IncludeDisabled>().for_each(|(lives, team)| {
        if lives.is_in() {
            is_contest |= first.is_some_and(|first: Option<&Team>| !are_partners(first, team));
            first = first.or(Some(team));
        } else {
            is_one_out = true;
        }
    });
    is_one_out && !is_contest
}
