//! Roles of prefabs in a match, such as collector or stash, and what each requires.

use std::fmt::{self, Debug};

use ecs::prefab::Prefabs;

use crate::data::config::GameConfig;
use crate::data::unknown_name::UnknownName;
use crate::objects::bounty::Worth;
use crate::objects::game_object::{GameObject, GameObjectKind};
use crate::objects::gravity::{Gravity, Weight};
use crate::objects::power_up::PowerUp;
use crate::objects::scale::{Scale, shape};
use crate::physics::{Body, Category, Mobility, Shape};

/// The role of a prefab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Role {
    Collector,
    Stash,
    Bounty,
    PowerUp,
    Mine,
    /// The bounty of a gold rush, which comes back by its rule.
    Gold,
    Wall,
    Edge,
    /// Any object in the arena: a bounty or power-up by its kind, or one that no rule concerns.
    Object,
}

/// The requirements of a role.
struct Needs {
    /// Required components, by their names in prefabs.
    components: &'static [&'static str],
    /// Its kind in rules and views.
    kind: GameObjectKind,
    /// Its collision category.
    category: Category,
    /// `None` for any.
    mobility: Option<Mobility>,
}

impl Role {
    fn needs(self) -> Needs {
        use Mobility::{Fixed, Moving};
        let (components, kind, category, mobility): (&[&str], _, _, _) = match self {
            Self::Collector => (
                &["shape", "body", "drive", "capacity", "respawn delay", "life", "game object"],
                GameObjectKind::Collector,
                Category::Collector,
                Some(Moving),
            ),
            Self::Stash => {
                (&["shape", "body", "capacity", "game object"], GameObjectKind::Stash, Category::Stash, Some(Fixed))
            }
            Self::Bounty => (
                &["worth", "lifespan", "body", "respawn delay", "life", "game object"],
                GameObjectKind::Bounty,
                Category::Bounty,
                Some(Moving),
            ),
            Self::PowerUp => (
                &["power-up", "shape", "body", "lifespan", "respawn delay", "life", "game object"],
                GameObjectKind::PowerUp,
                Category::PowerUp,
                Some(Fixed),
            ),
            // What a power-up leaves behind meets what power-ups meet.
            Self::Mine => (
                &["fuse", "shape", "body", "lifespan", "life", "game object"],
                GameObjectKind::Mine,
                Category::PowerUp,
                Some(Fixed),
            ),
            Self::Gold => (
                &["worth", "lifespan", "body", "life", "game object"],
                GameObjectKind::Bounty,
                Category::Bounty,
                Some(Moving),
            ),
            Self::Wall => (&["body", "game object"], GameObjectKind::Wall, Category::Default, Some(Fixed)),
            Self::Edge => (&["edge", "body", "game object"], GameObjectKind::Wall, Category::Wall, Some(Fixed)),
            // An obstacle or a trigger box, and nothing else.
            Self::Object => (&["shape", "body"], GameObjectKind::Other, Category::Default, None),
        };
        Needs { components, kind, category, mobility }
    }

    /// Why a prefab cannot take this role, as a sentence; `None` if it can.
    #[must_use]
    pub fn refusal(self, prefabs: &Prefabs, name: &str) -> Option<String> {
        if !prefabs.contains(name) {
            return Some(UnknownName::new("prefab", name, prefabs.names()).to_string());
        }
        if self == Self::Object && is_bodiless(prefabs, name) {
            return None;
        }
        if let Some(child) = prefabs.children(name).next() {
            return Some(format!("prefab {name:?} has a child, {child:?}, which prefabs of a match cannot have"));
        }
        match (self, kind(prefabs, name)) {
            (Self::Object, _) if prefabs.component::<Worth>(name).is_some() => Self::Bounty.lack(prefabs, name),
            (Self::Object, _) if prefabs.component::<PowerUp>(name).is_some() => Self::PowerUp.lack(prefabs, name),
            (Self::Object, GameObjectKind::Bounty) => Self::Bounty.lack(prefabs, name),
            (Self::Object, GameObjectKind::PowerUp) => Self::PowerUp.lack(prefabs, name),
            (Self::Object, kind) if kind != GameObjectKind::Other => Some(format!(
                "prefab {name:?} has {kind:?} as `object.kind`, objects in the arena must have Bounty, PowerUp or none"
            )),
            _ => self.lack(prefabs, name),
        }
    }

    /// Why a prefab cannot have the `scale` that it has.
    fn refuses_scale(self, prefabs: &Prefabs, name: &str) -> Option<String> {
        prefabs.component::<Scale>(name)?;
        if let Self::Bounty | Self::Gold | Self::Wall | Self::Edge = self {
            return Some(format!(
                "prefab {name:?} has a `scale`, which {self} cannot have: other numbers give its size"
            ));
        }
        size_refusal(prefabs, name, 1.0)
    }

    /// The first requirement that a prefab does not meet.
    fn lack(self, prefabs: &Prefabs, name: &str) -> Option<String> {
        let Needs { components, kind: wanted, category, mobility } = self.needs();
        let has = |component: &str| prefabs.components(name).any(|other| other == component);
        if let Some(missing) = components.iter().find(|component| !has(component)) {
            return Some(format!("prefab {name:?} has no `{missing}`, which {self} needs"));
        }
        let instead = |field: &str, found: &dyn Debug, wanted: &dyn Debug| {
            Some(format!("prefab {name:?} has {found:?} as `{field}`, {self} needs {wanted:?}"))
        };
        if let Some(refusal) = self.refuses_scale(prefabs, name) {
            return Some(refusal);
        }
        let found = kind(prefabs, name);
        if found != wanted {
            return instead("object.kind", &found, &wanted);
        }
        let body = prefabs.component::<Body>(name)?;
        if prefabs.component::<Gravity>(name).is_some() && body.category != Category::Trigger {
            return instead("body.category", &body.category, &Category::Trigger)
                .map(|problem| format!("{problem} for its `gravity`"));
        }
        if prefabs.component::<Weight>(name).is_some() && body.mobility != Mobility::Moving {
            return instead("body.mobility", &body.mobility, &Mobility::Moving)
                .map(|problem| format!("{problem} for its `weight`"));
        }
        if self == Self::Object && body.category == Category::Trigger {
            let moves = body.mobility == Mobility::Moving;
            return moves
                .then(|| format!("prefab {name:?} is a Trigger that moves, must have Fixed as `body.mobility`"));
        }
        match mobility {
            _ if body.category != category => instead("body.category", &body.category, &category),
            Some(mobility) if body.mobility != mobility => instead("body.mobility", &body.mobility, &mobility),
            _ => None,
        }
    }
}

/// The role with its article.
impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Collector => "a collector",
            Self::Stash => "a stash",
            Self::Bounty => "a bounty",
            Self::PowerUp => "a power-up",
            Self::Mine => "a mine",
            Self::Gold => "the bounty of a gold rush",
            Self::Wall => "a wall",
            Self::Edge => "a wall beyond an edge",
            Self::Object => "an object",
        })
    }
}

/// Why an object cannot be so many times as large as its prefab, as a sentence; `None` if it can.
#[must_use]
pub fn size_refusal(prefabs: &Prefabs, name: &str, scale: f32) -> Option<String> {
    if scale != 1.0 && prefabs.component::<Worth>(name).is_some() {
        return Some(format!("scale is {scale}, must be left out: the size of {name:?} follows its value"));
    }
    let refusal = shape(prefabs, name)?.scaled(scale).refusal()?;
    Some(format!("prefab {name:?} is too large or too small by its scale: {refusal}"))
}

/// Whether the objects of a prefab are only seen from or heard: they need no body.
fn is_bodiless(prefabs: &Prefabs, name: &str) -> bool {
    let mut components = prefabs.components(name).peekable();
    components.peek().is_some() && components.all(|component| matches!(component, "camera" | "sound"))
}

/// The kind of a prefab's objects in rules and views.
#[must_use]
pub fn kind(prefabs: &Prefabs, name: &str) -> GameObjectKind {
    prefabs.component::<GameObject>(name).map_or(GameObjectKind::Other, |object| object.kind)
}

/// Half the longest side of a prefab's objects, metres; `None` if it has no size.
#[must_use]
pub fn half_extent_m(prefabs: &Prefabs, name: &str) -> Option<f32> {
    let of_bounty = prefabs.component::<Worth>(name).map(|worth| worth.half_extent_m.1);
    of_bounty.or_else(|| shape(prefabs, name).map(Shape::half_extent_m))
}

impl GameConfig {
    /// All prefabs of a match, each with the path of its name in the configuration and its role.
    #[must_use]
    pub fn prefabs(&self) -> Vec<(String, Role, &str)> {
        let kinds = &self.kinds;
        let mut prefabs = vec![
            ("kinds.collector".to_owned(), Role::Collector, kinds.collector.as_str()),
            ("kinds.stash".to_owned(), Role::Stash, &kinds.stash),
            ("kinds.bounty".to_owned(), Role::Bounty, &kinds.bounty),
            ("kinds.wall".to_owned(), Role::Wall, &kinds.wall),
            ("kinds.edge".to_owned(), Role::Edge, &kinds.edge),
        ];
        for (index, deal) in self.deals.iter().enumerate() {
            prefabs.push((format!("deals.{index}.prefab"), Role::Object, &deal.prefab));
        }
        if let Some(power_ups) = &self.rules.power_ups {
            for (index, prefab) in power_ups.prefabs.iter().enumerate() {
                prefabs.push((format!("rules.power_ups.0.prefabs.{index}"), Role::PowerUp, prefab));
            }
            if let Some(mine) = &power_ups.mine {
                prefabs.push(("rules.power_ups.0.mine.0".to_owned(), Role::Mine, mine));
            }
        }
        if let Some(gold_rush) = &self.rules.gold_rush {
            prefabs.push(("rules.gold_rush.0.prefab".to_owned(), Role::Gold, &gold_rush.prefab));
        }
        prefabs
    }

    /// Why a valid prefab would have no effect under these rules, as a sentence; `None` if it has one.
    #[must_use]
    pub fn refusal_by_rules(&self, prefabs: &Prefabs, name: &str) -> Option<String> {
        if kind(prefabs, name) != GameObjectKind::PowerUp {
            return None;
        }
        let Some(power_ups) = &self.rules.power_ups else {
            return Some(format!("prefab {name:?} is a power-up, which needs the rule set `power_ups`"));
        };
        let lays = matches!(prefabs.component(name), Some(PowerUp::Mine { .. }));
        (lays && power_ups.mine.is_none())
            .then(|| format!("prefab {name:?} lays a mine, which needs `mine` in the rule set `power_ups`"))
    }
}
