//! The saved form of the component that leads to a prefab.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::FromPrefab;

#[derive(Serialize, Deserialize)]
#[serde(rename = "FromPrefab")]
struct FromPrefabForm {
    prefab: String,
    is_child: bool,
    overridden: Vec<String>,
}

impl Serialize for FromPrefab {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let overridden = self.overridden.iter().map(|name| (**name).to_owned()).collect();
        FromPrefabForm { prefab: (*self.prefab).to_owned(), is_child: self.is_child, overridden }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FromPrefab {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let FromPrefabForm { prefab, is_child, overridden } = FromPrefabForm::deserialize(deserializer)?;
        let overridden = overridden.into_iter().map(Arc::from).collect();
        Ok(Self { prefab: prefab.into(), is_child, overridden })
    }
}
