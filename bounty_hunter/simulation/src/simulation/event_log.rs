//! The event log: logs events and changes nothing.

use ecs::{Setup, System};

use crate::events::{
    BountyCollected, BountyStashed, GameInitialized, GameObjectCreated, GameObjectDestroyed, GameOver, GamePaused,
    GameQuit, GameRestarted, GameResumed, GameStarted, PlayerEliminated, PlayerJoined, PlayerLeft,
};

/// Listens to the events that no other system handles, and to some others.
#[derive(Clone, Debug, Default)]
pub struct EventLog;

impl System for EventLog {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(Self::note::<GameInitialized>)
            .listen(Self::note::<GameRestarted>)
            .listen(Self::note::<GameStarted>)
            .listen(Self::note::<GamePaused>)
            .listen(Self::note::<GameResumed>)
            .listen(Self::note::<GameOver>)
            .listen(Self::note::<GameQuit>)
            .listen(Self::note::<PlayerJoined>)
            .listen(Self::note::<PlayerLeft>)
            .listen(Self::note::<PlayerEliminated>)
            .listen(Self::note::<BountyStashed>)
            .listen(Self::note::<BountyCollected>)
            .listen(Self::note_detail::<GameObjectCreated>)
            .listen(Self::note_detail::<GameObjectDestroyed>);
    }
}

impl EventLog {
    fn note<E: ecs::Event + std::fmt::Debug>(&mut self, event: &E) {
        tracing::debug!(target: "bounty_hunter::event_log", "{event:?}");
    }

    fn note_detail<E: ecs::Event + std::fmt::Debug>(&mut self, event: &E) {
        tracing::trace!(target: "bounty_hunter::event_log", "{event:?}");
    }
}
