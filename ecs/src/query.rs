//! Queries: every entity that has certain components, with those components.

mod data;
mod fetch;
mod filter;
mod iter;
mod many;
mod read;
mod split;

pub use self::data::{QueryData, ReadOnlyData};
pub use self::filter::{IncludeDisabled, QueryFilter, With, Without};
pub use self::iter::{QueryIter, QueryIterMut};
pub use self::many::Query;
pub(crate) use self::many::QueryGuard;
pub use self::many::SingleError;
pub use self::read::QueryRef;
