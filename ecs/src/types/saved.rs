//! Values of registered types as bytes and as RON text (feature `serde`).

mod blob;
mod codec;
mod compact;
mod register;
mod relations;
mod unordered;
mod writer;

pub(crate) use self::blob::{Blob, DEPTH, DEPTH_OF_PARTS, Form, SavedValues, into_bytes};
pub(crate) use self::codec::{Codec, PoolToSave};
pub(crate) use self::register::Saving;
pub(crate) use self::relations::check_links;
