//! Values of registered types as bytes and as RON text (feature `serde`).

mod blob;
mod codec;
mod compact;
#[cfg(feature = "inspect")]
mod fields;
mod register;
mod relations;

pub(crate) use self::blob::{Blob, DEPTH, DEPTH_OF_PARTS, Form, SavedValues, into_bytes};
pub(crate) use self::codec::{AnyEventCodecs, Codec, EventCodecs};
#[cfg(feature = "inspect")]
pub(crate) use self::fields::{
    ComponentOperations, ReadError, SetComponent, SetResource, Show, read_value, read_value_bytes, show_value,
};
pub(crate) use self::register::Saving;
pub(crate) use self::relations::check_links;
