//! Reactions of a level: what happens at one place, and what is then done to another.

use serde::{Deserialize, Serialize};

use crate::data::limits;

/// The most reactions of a level.
pub const MAX_REACTIONS: usize = 1_000;

/// A reaction of a level. It is also a component, of an entity that stands for the reaction during a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reaction {
    /// What it waits for.
    pub when: When,
    /// Who counts for [`When::Touched`] and [`When::Left`].
    #[serde(default)]
    pub by: By,
    /// What it does.
    #[serde(rename = "do")]
    pub action: Action,
    /// The name of the place that it acts on; without it, it acts on the object for which it happened.
    #[serde(default)]
    pub to: Option<String>,
    /// Seconds from the cause to the action. While it waits, it does not begin again.
    #[serde(default, deserialize_with = "limits::read::delay_seconds")]
    pub after_seconds: f32,
}

/// What a reaction waits for. Texts are names of places or, in `Heard`, of signals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum When {
    /// Something begins to touch the object.
    Touched(String),
    /// The last one that touched the object has left, was disabled, or died.
    Left(String),
    /// The object dies.
    Killed(String),
    /// The object comes to life.
    Spawned(String),
    /// Once, after this time of play.
    At {
        /// Seconds from the beginning of the match.
        #[serde(deserialize_with = "limits::read::delay_seconds")]
        seconds: f32,
    },
    /// Again and again, at most once in a step.
    Every {
        /// Seconds from the beginning of the match, and between two times.
        #[serde(deserialize_with = "limits::read::interval_seconds")]
        seconds: f32,
    },
    /// A reaction has sent this signal.
    Heard(String),
    /// Something of the rules.
    Happened(Happening),
}

/// An event of the rules that a level can react to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Happening {
    /// A collector picked up a bounty.
    BountyCollected,
    /// A collector emptied its pocket into a stash.
    BountyStashed,
    /// A collector took a power-up.
    PowerUpTaken,
    /// A stash is full; for nobody.
    StashFull,
    /// A player lost its last life; for nobody.
    PlayerEliminated,
    /// A collector crashed into the leader and was paid.
    CrownClaimed,
}

/// Who counts as touching an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum By {
    /// Collectors.
    #[default]
    Collector,
    /// Bounties.
    Bounty,
    /// Objects of a level, such as boulders.
    Object,
    /// All of these.
    Any,
}

/// What a reaction does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Action {
    /// Lets everything pass through the object.
    Open,
    /// Makes an open object solid again.
    Close,
    /// Puts the object back.
    Enable,
    /// Takes the object away.
    Disable,
    /// Brings the object to life.
    Spawn,
    /// Kills the object.
    Kill,
    /// Takes health from the object, which dies without any.
    Damage {
        /// Points of health.
        #[serde(deserialize_with = "limits::read::points")]
        points: f32,
    },
    /// Gives health back to the object.
    Heal {
        /// Points of health, at most up to those with which it came to life.
        #[serde(deserialize_with = "limits::read::points")]
        points: f32,
    },
    /// Puts the object elsewhere.
    Teleport {
        /// Its new centre, metres.
        #[serde(deserialize_with = "limits::read::coordinate_m")]
        at_m: (f32, f32),
        /// Its new heading; without it, the heading stays.
        #[serde(default, deserialize_with = "limits::read::heading_rad")]
        heading_rad: Option<f32>,
    },
    /// Sends a signal, for [`When::Heard`].
    Send(String),
}

impl When {
    /// The name of the place that it watches.
    #[must_use]
    pub fn place(&self) -> Option<&str> {
        match self {
            Self::Touched(name) | Self::Left(name) | Self::Killed(name) | Self::Spawned(name) => Some(name),
            Self::At { .. } | Self::Every { .. } | Self::Heard(_) | Self::Happened(_) => None,
        }
    }

    /// Whether it happens for an object that the reaction can act on.
    #[must_use]
    pub fn has_an_object(&self) -> bool {
        use Happening::{BountyCollected, BountyStashed, CrownClaimed, PowerUpTaken};
        match self {
            Self::Touched(_) | Self::Left(_) => true,
            Self::Happened(happening) => {
                matches!(happening, BountyCollected | BountyStashed | PowerUpTaken | CrownClaimed)
            }
            _ => false,
        }
    }
}
