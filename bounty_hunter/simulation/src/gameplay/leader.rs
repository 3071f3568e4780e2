//! The leader: once a second the collector of the fullest stash is tagged; it wears the crown.

use std::time::Duration;

use ecs::{Commands, EntityLists, Query, Res, Setup, System};

use crate::gameplay::player::Players;
use crate::objects::stash::Stash;

/// The tag of the leading collector.
pub const LEADER: &str = "leader";

/// Tags the leading collector. While two stashes tie there is no leader.
#[derive(Debug, Default)]
pub struct Crown;

impl System for Crown {
    fn setup(setup: &mut Setup<Self>) {
        setup.every(Duration::from_secs(1)).update(Self::crown);
    }
}

impl Crown {
    fn crown(
        &mut self,
        stashes: Query<&Stash>,
        players: Res<Players>,
        entity_lists: EntityLists,
        mut commands: Commands,
    ) {
        let leading = fullest(stashes.iter()).and_then(|player| Some(players.0.get(player as usize)?.collector));
        match (entity_lists.tagged(LEADER), leading) {
            (crowned, leading) if crowned == leading => {}
            (_, Some(collector)) => {
                tracing::info!(target: "bounty_hunter::match", %collector, "leads");
                commands.tag(LEADER, collector);
            }
            (Some(collector), None) => commands.leave(LEADER, collector),
            (None, None) => {}
        }
    }
}

/// The player whose stash is fuller than all others.
pub(crate) fn fullest<'a>(stashes: impl Iterator<Item = &'a Stash>) -> Option<u32> {
    let mut best: (f32, Option<u32>) = (0.0, None);
    for stash in stashes {
        if stash.stashed > best.0 {
            best = (stash.stashed, Some(stash.player));
        } else if stash.stashed == best.0 {
            best.1 = None;
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leader_has_more_than_every_other_player() {
        let of = |stashed: &[f32]| {
            let stashes: Vec<Stash> =
                (0..).zip(stashed).map(|(player, stashed)| Stash { player, stashed: *stashed }).collect();
            fullest(stashes.iter())
        };
        assert_eq!((of(&[]), of(&[0.0, 0.0]), of(&[1.0, 2.0, 0.5])), (None, None, Some(1)));
        assert_eq!((of(&[2.0, 1.0, 2.0]), of(&[2.0, 2.0, 3.0])), (None, Some(2)));
    }
}
