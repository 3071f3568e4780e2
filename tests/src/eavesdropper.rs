//! A system that records every event of a match in the order of delivery.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use bounty_hunter::events::*;
use ecs::{Despawned, Disabled, Enabled, Event, Setup, Spawned, System};

/// Listens to every event of the game and to the lifecycle events. It keeps a number and a hash, so that an added,
/// missing, changed or reordered event shows.
#[derive(Default)]
pub struct Eavesdropper {
    heard: u64,
    hasher: DefaultHasher,
}

impl Eavesdropper {
    /// The number of events heard, and their hash.
    #[must_use]
    pub fn heard(&self) -> (u64, u64) {
        (self.heard, self.hasher.finish())
    }

    fn hear<E: Event + Debug>(&mut self, event: &E) {
        self.heard += 1;
        // Different numbers print differently.
        (std::any::type_name::<E>(), format!("{event:?}")).hash(&mut self.hasher);
    }
}

macro_rules! hear {
    ($($event:ident)+) => {
        impl System for Eavesdropper {
            fn setup(setup: &mut Setup<Self>) {
                $(setup.listen(Self::hear::<$event>);)+
            }
        }
    };
}

hear! {
    Spawned Despawned Enabled Disabled
    GameStarted GamePaused GameResumed GameOver
    PauseGame ResumeGame RestartGame QuitGame
    UseCheat
    GameObjectSpawned GameObjectKilled KillGameObject SpawnGameObject
    PlayerEliminated BountyCollected BountyStashed PowerUpTaken CastSpell SpellCast SpellRefused DamageTaken StashFull
    CollisionBegin CollisionEnd
}
