//! The parts of a saved snapshot. They come in this order; some come more than once.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::slots::SavedSlots;
use crate::entity::{EntityId, SlotParts};
use crate::error::TypeKind;
use crate::random::RandomCopy;
use crate::resources::Revisions;
use crate::system::{CatchUp, Timer};
use crate::types::Blob;

#[derive(Serialize, Deserialize)]
pub(crate) enum Part {
    /// Comes first.
    Frame(SavedFrame),
    /// Types to which later parts refer by number.
    Types(Vec<SavedType>),
    /// The slots of the entities.
    Entities(SlotParts),
    /// The kinds with entities, in order.
    Kinds(Vec<SavedKind>),
    /// A list of owners of extras, to which later components refer by number.
    Owners(Vec<SavedOwners>),
    Components(SavedComponents),
    EntityLists(SavedEntityLists),
    GlobalIds(SavedGlobalIds),
    Resource(SavedValue),
    Systems(SavedSystems),
    Events(SavedEvents),
    /// Comes before the systems.
    Identities(SavedIdentities),
    /// Comes last, and only if changes are tracked.
    Changes(SavedChanges),
    /// Only if random numbers were seeded or drawn.
    Random(RandomCopy),
    /// The names of functions that were added and have all ended. Comes before the systems, and only if there are any.
    EndedFunctions(Vec<String>),
    /// Comes last, and only if a parameter has asked whether its resource changed.
    ResourceChanges(SavedResourceChanges),
    /// The controls that are held. Comes last, and only if a step loop has sent inputs.
    Controls(SavedControls),
}

impl Part {
    /// The name in errors.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Frame(_) => "frame",
            Self::Types(_) => "types",
            Self::Entities(_) => "entities",
            Self::Owners(_) => "owners",
            Self::Components(_) => "components",
            Self::Kinds(_) => "kinds",
            Self::EntityLists(_) => "entity lists",
            Self::GlobalIds(_) => "global ids",
            Self::Random(_) => "random numbers",
            Self::Resource(_) => "resource",
            Self::Systems(_) => "systems",
            Self::Events(_) => "events",
            Self::Identities(_) => "identities",
            Self::Changes(_) => "changes",
            Self::EndedFunctions(_) => "ended functions",
            Self::ResourceChanges(_) => "changes of resources",
            Self::Controls(_) => "controls",
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

/// Values of a type in the table.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedValue {
    /// The number of the type.
    pub(crate) of: u32,
    pub(crate) value: Blob,
}

/// Entities with consecutive indices and the same generation.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedOwners {
    pub(crate) first: EntityId,
    pub(crate) count: u32,
}

/// The components with which entities were made, and these entities in the order of their rows.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedKind {
    pub(crate) of: Vec<u32>,
    pub(crate) owners: Vec<SavedOwners>,
    /// The first rows are those of enabled entities.
    pub(crate) enabled: u32,
}

/// The components of a type: kind by kind, then the extras.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedComponents {
    pub(crate) of: u32,
    /// The number of the list of owners of extras. Owners of enabled ones come first.
    pub(crate) owners: u32,
    pub(crate) enabled: u32,
    /// Owners whose component is disabled individually.
    pub(crate) off: Vec<EntityId>,
    /// Empty among bytes, where the values follow this part: so they are not copied.
    pub(crate) values: Blob,
}

/// Members by list and by entity, in order. Each membership is in both.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedEntityLists {
    pub(crate) entity_lists: Vec<(String, Vec<EntityId>)>,
    pub(crate) entities: Vec<(EntityId, Vec<u32>)>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedGlobalIds {
    pub(crate) site: u32,
    pub(crate) next: u32,
    /// Entity, site and serial.
    pub(crate) ids: Vec<(EntityId, u32, u32)>,
}

/// Names that identify systems and listeners, whose positions change between programs.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct SavedIdentities {
    /// Events with listeners.
    pub(crate) events: Vec<SavedEventName>,
    /// Systems and functions in order.
    pub(crate) systems: Vec<SavedIdentity>,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedEventName {
    /// The registered name; the name of the Rust type if unregistered.
    pub(crate) name: String,
    pub(crate) is_registered: bool,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedIdentity {
    /// Whether the name of the system is registered.
    pub(crate) is_registered: bool,
    /// The number of the event of each listener.
    pub(crate) listens: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedSystems {
    pub(crate) systems: Vec<SavedSystem>,
    pub(crate) functions: SavedSlots<crate::ids::FunctionKey, usize>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedSystem {
    /// The registered name; the name of the Rust type if unregistered.
    pub(crate) name: String,
    /// The number of its type, if registered.
    pub(crate) of: Option<u32>,
    /// The key, if it is a function.
    pub(crate) function: Option<u64>,
    pub(crate) state: Option<Blob>,
    pub(crate) priority: u16,
    pub(crate) timer: Timer,
    pub(crate) catch_up: CatchUp,
    /// Positions of the systems that a function runs after and before.
    pub(crate) after: Vec<u32>,
    pub(crate) before: Vec<u32>,
    pub(crate) is_enabled: bool,
    pub(crate) listeners: Vec<(bool, u64)>,
}

/// When components were added and last changed, and when the systems that ask for it last ran.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedChanges {
    pub(crate) tick: u64,
    /// The tick before the last frame.
    pub(crate) frame_tick: u64,
    pub(crate) pools: Vec<SavedTicks>,
    /// The last run of each query that sees changes, by the position of its system.
    pub(crate) last_runs: Vec<Vec<u64>>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedTicks {
    pub(crate) of: u32,
    /// When each component was added and last changed, in the order of the owners.
    pub(crate) ticks: Vec<(u64, u64)>,
}

/// When resources were inserted and last changed, and what the parameters that ask for it know.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedResourceChanges {
    /// The type and the revisions of each resource.
    pub(crate) resources: Vec<(u32, Revisions)>,
    /// The parameters of each system, by its position: the type of the resource, and the revision when it last asked.
    /// `None` for one that never has.
    pub(crate) systems: Vec<SavedAsked>,
    /// The same for the conditions of each set, by its name.
    pub(crate) sets: Vec<(String, SavedAsked)>,
}

/// The type of the resource of each parameter, and its revision when it last asked; `None` for one that never has.
pub(crate) type SavedAsked = Vec<Option<(u32, u64)>>;

/// The controls that are held, as inputs that press them.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedControls {
    /// The number of the type of the inputs.
    pub(crate) of: u32,
    pub(crate) count: u64,
    pub(crate) presses: Blob,
}

/// Waiting events.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedEvents {
    /// Type, number of events, and events of each list.
    pub(crate) lists: Vec<(u32, u64, Blob)>,
    /// The list, the number of events, and the sending system, if any.
    pub(crate) runs: Vec<(u32, u64, Option<u32>)>,
}
