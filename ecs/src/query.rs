//! Queries: every entity that has certain components, with those components.

mod alignment_cache;
mod entities;
mod fetch;
mod filter;
mod iter;
mod many;
mod mask_query;
mod matching;
mod par_iter;
mod query_cache;
mod query_data;
mod query_ref;
mod query_stats;
mod row_range;
mod slices;

pub use self::entities::Entities;
pub use self::filter::{IncludeDisabled, QueryFilter, With, Without};
pub use self::iter::{QueryIter, QueryIterMut};
pub use self::many::Query;
pub use self::many::SingleError;
pub(crate) use self::many::{QueryGuard, QueryState};
pub use self::mask_query::{MaskQuery, MaskQueryNames};
pub use self::matching::Matching;
pub(crate) use self::query_cache::QueryCache;
pub use self::query_data::{QueryData, ReadOnlyData};
pub use self::query_ref::QueryRef;
pub(crate) use self::query_stats::QueryStats;
pub use self::slices::{NotGrouped, SliceData};
