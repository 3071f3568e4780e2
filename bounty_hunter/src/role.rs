//! Roles: what a prefab must have to be played as a collector, as a stash, and so on.

use std::fmt;

use ecs::Prefabs;

use crate::bounty::Worth;
use crate::shape::Shape;

/// What a prefab is played as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Role {
    Collector,
    Stash,
    Bounty,
    PowerUp,
    Wall,
    Edge,
    /// Anything that stands or lies in the arena.
    Object,
}

impl Role {
    /// The components without which it can not be played, by their names in prefabs.
    fn needs(self) -> &'static [&'static str] {
        match self {
            Self::Collector => &["shape", "body", "drive", "capacity", "respawn", "life"],
            Self::Stash => &["shape", "body", "capacity"],
            Self::Bounty => &["worth", "lifespan", "body", "respawn", "life"],
            Self::PowerUp => &["power_up", "shape", "body", "lifespan", "respawn", "life"],
            Self::Wall => &["body"],
            Self::Edge => &["edge", "body"],
            Self::Object => &["body"],
        }
    }

    /// What keeps a prefab from being played like that, in a sentence; `None` if nothing does.
    #[must_use]
    pub fn refusal(self, prefabs: &Prefabs, name: &str) -> Option<String> {
        if !prefabs.contains(name) {
            let known: Vec<&str> = prefabs.names().collect();
            return Some(format!("there is no prefab {name:?}, there are {}", known.join(", ")));
        }
        let has = |component: &str| prefabs.components(name).any(|other| other == component);
        if let Some(missing) = self.needs().iter().find(|component| !has(component)) {
            return Some(format!("prefab {name:?} has no `{missing}`, which a {self} needs"));
        }
        let is_without_size = self == Self::Object && half_extent_m(prefabs, name).is_none();
        is_without_size
            .then(|| format!("prefab {name:?} has neither `shape` nor `worth`, of which an object needs one"))
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Collector => "collector",
            Self::Stash => "stash",
            Self::Bounty => "bounty",
            Self::PowerUp => "power-up",
            Self::Wall => "wall",
            Self::Edge => "wall beyond an edge",
            Self::Object => "object",
        })
    }
}

/// Half of the longer side that objects of a prefab have at most, metres; `None` if it says nothing of a size.
#[must_use]
pub fn half_extent_m(prefabs: &Prefabs, name: &str) -> Option<f32> {
    let of_bounty = prefabs.component::<Worth>(name).map(|worth| worth.half_extent_m.1);
    of_bounty.or_else(|| prefabs.component::<Shape>(name).map(|shape| shape.half_extent_m()))
}
