//! Prefabs: kinds of entities as texts in [RON](https://docs.rs/ron); a new kind needs no code (feature `prefabs`).
//!
//! # A file
//!
//! ```text
//! {
//!     "collector": (
//!         components: { "shape": Triangle(1.5), "speed": (mps: 25.0, radps: 3.0), "pocket": (capacity: 100) },
//!         children: { "radar": (like: "radar") },
//!     ),
//!     // A collector that is faster, has no pocket, and has a radar with a longer reach.
//!     "ghost": (
//!         like: "collector",
//!         components: { "speed": (mps: 40.0) },
//!         without: ["pocket"],
//!         children: { "radar": (components: { "reach": (m: 60.0) }) },
//!     ),
//!     "radar": (components: { "reach": (m: 30.0) }),
//! }
//! ```
//! | field | meaning |
//! |---|---|
//! | `like` | the parent prefab, in any file; or a list of several, as `["log", "ice"]`, of which the later ones win |
//! | `components` | component values, by the names under which their types were [registered](Prefabs::register) |
//! | `without` | components of the parent prefab that this one does not have |
//! | `children` | child entities by name, written like prefabs |
//! | `without_children` | children of the parent prefab that this one does not have |
//! | `requires` | for a component, the components that an entity with it must have as well, with values |
//!
//! All fields are optional. Components and children keep the order in which they first appear, those of the parent
//! prefab first. Children nest at most 16 deep.
//!
//! # Overlays
//!
//! - Of a **struct with named fields**, a variant changes only the fields that it names. This applies to nested structs
//!   and through `Some(…)`, too. Other values (enums, tuples, numbers, lists, maps) are replaced as a whole.
//! - `without` is applied first: a component in both `without` and `components` starts from nothing.
//! - A **child** of the same name is changed in the same way. A child with its own `like` starts from that prefab.
//! - Of **several parents** the second is laid over the first in the same way, and so on. A parent that two of them
//!   have in common counts once, at its first place.
//!
//! # Requirements
//!
//! ```text
//! {
//!     "mortal": (requires: { "health": { "life": (), "grave": (color: Gray, depth_m: 2.0) } }),
//!     "wolf": (like: "mortal", components: { "health": 30, "grave": (color: Brown) }),
//!     "stone": (like: "mortal"),
//! }
//! ```
//!
//! What has `health` has `life` and a `grave` too: the wolf, but not the stone. Variants inherit requirements. They are
//! met when a file is loaded, in the order of the components and, for each, of the text, parents first; what is added
//! may require more. The values lie below those of the prefab and its parents: the grave of the wolf is brown and 2 m
//! deep. Of a component that is required several times the later values win. Overrides of one entity, and bundles,
//! require nothing; [`Engine::require`](crate::Engine::require) does so for all entities, in code.
//!
//! # Completeness
//!
//! Every prefab must be complete, parents included. Structs with named fields refuse unknown fields; inside enums,
//! tuples and lists, the type decides (`#[serde(deny_unknown_fields)]`). `Some` may be left out; other extensions of
//! RON are refused.
//!
//! [`RonText`] reads an application's other files by the same rules.
//!
//! # Spawning
//!
//! The engine spawns from the resource [`Prefabs`]: immediately by
//! [`Engine::spawn_prefab`](crate::Engine::spawn_prefab), at the end of the frame by
//! [`Commands::spawn_prefab`](crate::Commands::spawn_prefab). [`Prefab`] overrides components of one entity. All values
//! are read when a file is loaded: spawning clones them and cannot fail half-way. Texts that override components are
//! read before the first entity is spawned.
//!
//! Children are those of a [hierarchy](crate::hierarchy); `World::child_named` finds them. Ids are assigned to the
//! parent, then its children in order, then to theirs. Each entity is announced by one [`Spawned`](crate::Spawned),
//! after the [`Added`](crate::Added) of its components. Despawning a parent despawns its children after it; disabling
//! it does not affect them.
//!
//! # Reloading
//!
//! [`Engine::reload_prefabs`](crate::Engine::reload_prefabs) replaces the texts of files and updates living entities,
//! or refuses and changes nothing. With the feature `hot-reload`, a `PrefabFolder` watches a folder and reloads changed
//! files when the application asks.
//!
//! # Errors
//!
//! Every mistake is a [`PrefabError`]: one sentence with file, line and column. A file with a mistake is not loaded at
//! all. Usual slips (`1,5`, `5s`, `=` in place of `:`, curved quotes) have sentences of their own. A byte order mark
//! and any line ends are read.
mod blueprint;
mod commands;
mod definition;
mod error;
mod file_name;
#[cfg(feature = "hot-reload")]
mod folder;
mod from_prefab;
mod layers;
mod library;
mod near_miss;
mod order;
mod registry;
mod reload;
mod resolve;
mod ron_edit;
mod ron_text;
mod spawn;

pub use self::file_name::is_text_file;
#[cfg(feature = "hot-reload")]
pub use self::folder::PrefabFolder;
pub use self::from_prefab::FromPrefab;
pub use self::library::Prefabs;
pub use self::order::Prefab;
pub use self::reload::Reloaded;
pub use self::ron_edit::RonPart;
pub use self::ron_text::RonText;
pub use crate::error::PrefabError;
pub use crate::near_name::{may_be_meant, nearest_name};
