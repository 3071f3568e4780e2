//! Serialization of [`FunctionId`].

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use slotmap::{Key, KeyData};

use crate::system::FunctionId;

/// The name of the function is not saved: it belongs to the program.
impl Serialize for FunctionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.key.data().as_ffi().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FunctionId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = u64::deserialize(deserializer)?;
        Ok(Self { key: KeyData::from_ffi(bits).into(), name: "function" })
    }
}
