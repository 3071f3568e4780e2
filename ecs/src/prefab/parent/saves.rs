//! The saved form of the components of parents and children.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{ChildOf, Children, FromPrefab};
use crate::entity::EntityId;

#[derive(Serialize, Deserialize)]
#[serde(rename = "FromPrefab")]
struct FromPrefabForm {
    prefab: String,
    overridden: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "ChildOf")]
struct ChildOfForm {
    parent: EntityId,
    name: String,
}

impl Serialize for FromPrefab {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let overridden = self.overridden.iter().map(|name| (**name).to_owned()).collect();
        FromPrefabForm { prefab: (*self.prefab).to_owned(), overridden }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FromPrefab {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let FromPrefabForm { prefab, overridden } = FromPrefabForm::deserialize(deserializer)?;
        Ok(Self { prefab: prefab.into(), overridden: overridden.into_iter().map(Arc::from).collect() })
    }
}

impl Serialize for ChildOf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ChildOfForm { parent: self.parent, name: (*self.name).to_owned() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ChildOf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ChildOfForm { parent, name } = ChildOfForm::deserialize(deserializer)?;
        Ok(Self { parent, name: name.into() })
    }
}

impl Serialize for Children {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Children {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Vec::<(String, EntityId)>::deserialize(deserializer)?;
        Ok(Self(parts.into_iter().map(|(name, part)| (name.into(), part)).collect()))
    }
}
