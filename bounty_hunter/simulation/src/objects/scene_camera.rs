//! Cameras of levels: where a window may look. They have no influence on a match.

use serde::{Deserialize, Serialize};

use crate::data::level::place_tag;
use crate::data::limits;

/// The most cameras of a level.
pub const MAX_CAMERAS: usize = 16;

/// Component: a camera, through which a window may look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneCamera {
    /// Half the height of what it shows, metres.
    #[serde(deserialize_with = "limits::read::camera_half_m")]
    pub half_height_m: f32,
    /// What is in its middle.
    #[serde(default)]
    pub follows: Follows,
    /// Its place among the cameras: lower numbers come first.
    #[serde(default, deserialize_with = "limits::read::order")]
    pub order: u32,
}

/// What a camera follows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Follows {
    /// The object that has it: it stays where it was placed, or moves with a body.
    #[default]
    Itself,
    /// The collector of a player, by number from 1. Without this player it stays.
    Player(#[serde(deserialize_with = "limits::read::players")] u32),
    /// The object at the place of this name. Without it the camera stays.
    Place(PlaceTag),
}

/// The tag of a named place; its name in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct PlaceTag(String);

impl PlaceTag {
    /// The tag, by which the engine finds the object.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.0
    }

    /// The name of the place.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0[place_tag("").len()..]
    }
}

impl From<String> for PlaceTag {
    fn from(name: String) -> Self {
        Self(place_tag(&name))
    }
}

impl From<PlaceTag> for String {
    fn from(tag: PlaceTag) -> Self {
        tag.name().to_owned()
    }
}
