//! What power-ups do, besides those that make ghosts and lay mines.

use ecs::{Commands, IncludeDisabled, Query, ResMut, Setup, System, Time};

use crate::events::{GameObjectKilled, PowerUpTaken};
use crate::gameplay::spell::Magnet;
use crate::gameplay::statistics::{Statistics, add_one};
use crate::objects::collector::{Collector, DriveCollectors};
use crate::objects::power_up::PowerUp;
use crate::objects::powers::Powers;

/// Gives collectors the powers of what they take, and counts them down.
#[derive(Debug, Default)]
pub struct UsePowers;

impl System for UsePowers {
    fn setup(setup: &mut Setup<Self>) {
        setup.before_type::<DriveCollectors>().update(Self::count_down).listen(Self::on_taken).listen(Self::on_killed);
    }
}

impl UsePowers {
    fn count_down(&mut self, time: Time, mut holders: Query<&mut Powers>) {
        for powers in &mut holders {
            for left_seconds in [&mut powers.dash_seconds, &mut powers.shield_seconds, &mut powers.double_seconds] {
                *left_seconds = (*left_seconds - time.delta_seconds()).max(0.0);
            }
        }
    }

    fn on_taken(
        &mut self,
        event: &PowerUpTaken,
        mut holders: Query<&mut Powers, IncludeDisabled>,
        power_ups: Query<&PowerUp, IncludeDisabled>,
        collectors: Query<&Collector, IncludeDisabled>,
        mut statistics: ResMut<Statistics>,
        mut commands: Commands,
    ) {
        statistics.note(&collectors, event.collector, |player| add_one(&mut player.power_ups));
        let Some((powers, power_up)) = holders.get_mut(event.collector).zip(power_ups.get(event.power_up)) else {
            return;
        };
        match *power_up {
            PowerUp::Dash { seconds, factor } => (powers.dash_seconds, powers.dash_factor) = (seconds, factor),
            PowerUp::Shield { seconds } => powers.shield_seconds = seconds,
            PowerUp::Double { seconds } => powers.double_seconds = seconds,
            PowerUp::Magnet { seconds, range_m, speed_mps } => {
                commands.insert(event.collector, (Magnet { left_seconds: seconds, range_m, speed_mps },));
            }
            PowerUp::Ghost { .. } | PowerUp::Mine { .. } => {}
        }
    }

    /// A killed collector respawns without powers.
    fn on_killed(&mut self, event: &GameObjectKilled, mut holders: Query<&mut Powers, IncludeDisabled>) {
        if let Some(powers) = holders.get_mut(event.entity) {
            *powers = Powers::default();
        }
    }
}
