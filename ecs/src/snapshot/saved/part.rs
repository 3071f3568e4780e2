//! What a saved snapshot consists of: parts in this order, of which some come more than once.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::blob::Blob;
use super::slots::SavedSlots;
use crate::entity::EntityId;
use crate::snapshot::TypeKind;
use crate::system::{CatchUp, Timer};

#[derive(Serialize, Deserialize)]
pub(crate) enum Part {
    /// Comes first.
    Frame(SavedFrame),
    /// All that is referred to by number later.
    Types(Vec<SavedType>),
    Entities(SavedSlots<EntityId, bool>),
    Pool(SavedPool),
    Groups(Vec<SavedGroup>),
    EntityLists(SavedEntityLists),
    GlobalIds(SavedGlobalIds),
    Resource(SavedValue),
    Systems(SavedSystems),
    Events(SavedEvents),
    /// Comes before the systems.
    Identities(SavedIdentities),
}

impl Part {
    /// What it is called in errors.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Frame(_) => "frame",
            Self::Types(_) => "types",
            Self::Entities(_) => "entities",
            Self::Pool(_) => "pool",
            Self::Groups(_) => "groups",
            Self::EntityLists(_) => "entity lists",
            Self::GlobalIds(_) => "global ids",
            Self::Resource(_) => "resource",
            Self::Systems(_) => "systems",
            Self::Events(_) => "events",
            Self::Identities(_) => "identities",
        }
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedFrame {
    pub(crate) frame: u64,
    pub(crate) delta: Duration,
    pub(crate) elapsed: Duration,
    pub(crate) delivered: u64,
    pub(crate) counted: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedType {
    pub(crate) kind: TypeKind,
    pub(crate) name: String,
    pub(crate) version: u32,
}

/// A value, or several, of a type of the table.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedValue {
    /// Number of the type in the table.
    pub(crate) of: u32,
    pub(crate) value: Blob,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedPool {
    pub(crate) of: u32,
    /// Those whose component is enabled stand first.
    pub(crate) owners: Vec<EntityId>,
    pub(crate) enabled: u32,
    /// Owners whose component was switched off by itself.
    pub(crate) off: Vec<EntityId>,
    pub(crate) values: Blob,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedGroup {
    pub(crate) of: Vec<u32>,
    pub(crate) members: u32,
}

/// Members by entity list and by entity, in order: a member is in both.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedEntityLists {
    pub(crate) entity_lists: Vec<(String, Vec<EntityId>)>,
    pub(crate) entities: Vec<(EntityId, Vec<u32>)>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedGlobalIds {
    pub(crate) site: u32,
    pub(crate) next: u32,
    /// Entities with site and serial.
    pub(crate) ids: Vec<(EntityId, u32, u32)>,
}

/// What systems and listeners are told apart by.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct SavedIdentities {
    /// Events that somebody listens to.
    pub(crate) events: Vec<SavedEventName>,
    /// Systems and functions, in their order.
    pub(crate) systems: Vec<SavedIdentity>,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedEventName {
    /// Its registered name, or the name of the Rust type if it has none.
    pub(crate) name: String,
    pub(crate) is_registered: bool,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedIdentity {
    /// Whether the name of the system is a registered one.
    pub(crate) is_registered: bool,
    /// Number of the event that each listener hears.
    pub(crate) listens: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedSystems {
    pub(crate) systems: Vec<SavedSystem>,
    pub(crate) functions: SavedSlots<crate::system::FunctionKey, usize>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedSystem {
    /// Its registered name, or the name of the Rust type if it has none.
    pub(crate) name: String,
    /// Number of its type in the table, if it is there.
    pub(crate) of: Option<u32>,
    /// What it is known by if it is a function.
    pub(crate) function: Option<u64>,
    pub(crate) state: Option<Blob>,
    pub(crate) priority: u16,
    pub(crate) timer: Timer,
    pub(crate) catch_up: CatchUp,
    /// Places of systems that a function runs after and before.
    pub(crate) after: Vec<u32>,
    pub(crate) before: Vec<u32>,
    pub(crate) is_enabled: bool,
    pub(crate) listeners: Vec<(bool, u64)>,
}

/// Events that wait.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedEvents {
    /// Type of each list, as many as there are, and the events.
    pub(crate) lists: Vec<(u32, u64, Blob)>,
    /// The number of a list, how many events of it, and who sent them, if it was a system.
    pub(crate) runs: Vec<(u32, u64, Option<u32>)>,
}
