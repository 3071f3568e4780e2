//! Queries: every entity that has certain components, with those components.

mod data;
mod entities;
mod fetch;
mod filter;
mod iter;
mod known_queries;
mod known_rows;
mod many;
mod mask_query;
mod matching;
mod read;
mod slices;
mod split;
mod stretch;
mod tally;

pub use self::data::{QueryData, ReadOnlyData};
pub use self::entities::Entities;
pub use self::filter::{IncludeDisabled, QueryFilter, With, Without};
pub use self::iter::{QueryIter, QueryIterMut};
pub(crate) use self::known_queries::KnownQueries;
pub use self::many::Query;
pub use self::many::SingleError;
pub(crate) use self::many::{QueryGuard, QueryState};
pub use self::mask_query::{MaskQuery, MaskQueryNames};
pub use self::matching::Matching;
pub use self::read::QueryRef;
pub use self::slices::{NotGrouped, SliceData};
pub(crate) use self::tally::QueryTally;
