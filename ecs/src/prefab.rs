//! Prefabs: kinds of entities as texts in [RON](https://docs.rs/ron), so that a new kind needs no code (feature `prefabs`).
//!
//! # A file
//!
//! ```text
//! {
//!     "collector": (
//!         components: { "shape": Triangle(1.5), "speed": (mps: 25.0, radps: 3.0), "pocket": (capacity: 100) },
//!         children: { "radar": (like: "radar") },
//!     ),
//!     // Like a collector, but faster, without a pocket, and with a radar that reaches further.
//!     "ghost": (
//!         like: "collector",
//!         components: { "speed": (mps: 40.0) },
//!         without: ["pocket"],
//!         children: { "radar": (components: { "reach": (m: 60.0) }) },
//!     ),
//!     "radar": (components: { "reach": (m: 30.0) }),
//! }
//! ```
//! | field | what it says |
//! |---|---|
//! | `like` | the prefab that this one is laid over, in whichever file that is |
//! | `components` | values, by the names under which their types were [registered](Prefabs::register) |
//! | `without` | components to be taken out of what lies below |
//! | `children` | parts that are entities of their own, by names, written as prefabs are |
//! | `without_children` | children to be taken out of what lies below |
//!
//! All fields can be left out. The order of components and of children is that in which they come up, what lies below first.
//! Children lie at most 16 deep within each other.
//!
//! # What a variant changes
//!
//! - Of a **struct with named fields**, only the fields that are given; so it is with structs in the fields of structs. All
//!   other values (enums, tuples, numbers, lists, maps) are given whole.
//! - What is in `without` is taken out first, so a component can be taken out and given anew: then nothing is left of it.
//! - A **child** that is there already is varied in the same way. If it says what it is `like`, it begins anew.
//!
//! Every prefab must be complete, also one that others are laid over. Unknown fields are an error in structs that can be
//! varied; within enums, tuples and lists it is for the types themselves to refuse them (`#[serde(deny_unknown_fields)]`).
//! Extensions of RON can not be enabled.
//!
//! # Spawning
//!
//! The engine spawns from the resource [`Prefabs`]: at once by [`Engine::spawn_prefab`](crate::Engine::spawn_prefab), at the
//! end of the frame by [`Commands::spawn_prefab`](crate::Commands::spawn_prefab). [`Prefab`] says what one entity has
//! differently. All values are read when a file is loaded, so a spawn from a name copies values and can not fail half-way;
//! what one entity has differently by a text is read before the first entity is there.
//!
//! An entity with children is a whole with [`Children`], each of which is [`ChildOf`] it. Ids are given to the whole first, then to
//! its parts in their order, then to the parts of these. Each entity is announced by one [`Spawned`](crate::Spawned), after the
//! [`Added`](crate::Added) of all its components. Despawning the whole despawns its parts after it. Disabling the whole
//! leaves its parts as they are.
//!
//! # Changing prefabs while entities live
//!
//! [`Engine::reload_prefabs`](crate::Engine::reload_prefabs) takes other texts for files and brings living entities into line,
//! or refuses all and keeps what is there. With the feature `hot-reload`, a `PrefabFolder` tells which files of a folder have
//! changed, and reloads them when the application asks it to.
//!
//! # What can be wrong
//!
//! Every mistake is a [`PrefabError`]: one sentence with file, line and column. Nothing of a file with a mistake is taken in.
mod blueprint;
mod definition;
mod error;
#[cfg(feature = "hot-reload")]
mod folder;
mod kind;
mod layers;
mod library;
mod order;
mod overridden;
mod parent;
mod registry;
mod reload;
mod resolve;
mod source;
mod spawn;

pub use self::error::PrefabError;
#[cfg(feature = "hot-reload")]
pub use self::folder::PrefabFolder;
pub use self::library::Prefabs;
pub(crate) use self::order::Order;
pub use self::order::Prefab;
pub(crate) use self::overridden::OverriddenSets;
pub(crate) use self::parent::PartsId;
pub use self::parent::{ChildOf, Children, FromPrefab};
pub use self::reload::Reloaded;
