//! Relations: typed links from one entity to another, with data, found from both ends.

mod copies;
mod links;
mod parent;
mod places;

pub(crate) use self::copies::copy_all;
pub(crate) use self::links::More;
pub use self::links::{IterMut, LinkedFrom, Links};
#[doc(hidden)]
pub use self::parent::{ChildOf, Children, Parent};
pub use crate::event::{Related, Unrelated};

/// A kind of link from one entity, the *source*, to another, the *target*. The value is the data of a link.
///
/// [`Engine::relate`](crate::Engine::relate) and [`Commands::relate`](crate::Commands::relate) make links, `unrelate`
/// ends them. A source has the component [`Links<R>`], a target [`LinkedFrom<R>`], as long as there is a link; queries
/// read both. Only the engine writes them, so the two ends always agree; queries write the data of links by
/// [`LinksMut<R>`](crate::query::LinksMut). An entity that is despawned takes its links along. Disabled entities keep
/// theirs.
///
/// # Example
/// ```
/// use ecs::Engine;
/// use ecs::relation::{Links, Relation};
///
/// /// A ship lies at a port.
/// struct DockedAt { berth: u8 }
/// impl Relation for DockedAt {
///     const EXCLUSIVE: bool = true; // one port at a time
/// }
///
/// let mut engine = Engine::new();
/// let (ship, porto, faro) = (engine.spawn(()), engine.spawn(()), engine.spawn(()));
/// engine.relate(ship, porto, DockedAt { berth: 1 })?;
/// engine.relate(ship, faro, DockedAt { berth: 7 })?;
/// assert!(engine.related_to::<DockedAt>(porto).is_empty());
/// assert_eq!(engine.related_to::<DockedAt>(faro), [ship]);
/// assert_eq!(engine.get::<Links<DockedAt>>(ship).unwrap().first().1.berth, 7);
/// engine.despawn(faro)?;
/// assert!(!engine.has::<Links<DockedAt>>(ship));
/// # Ok::<(), ecs::CommandFailure>(())
/// ```
pub trait Relation: Send + Sync + Unpin + 'static {
    /// Whether a source has at most one target: a new link replaces the old one.
    const EXCLUSIVE: bool = false;
    /// What becomes of the sources when their target is despawned.
    const ON_TARGET_DESPAWN: Cleanup = Cleanup::Remove;
}

/// What becomes of the source of a link when its target is despawned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleanup {
    /// The link ends; the source stays.
    Remove,
    /// The source is despawned after the target, in the same step, as children are with their parent.
    DespawnSource,
}

/// Whether `T` is [`Links`] or [`LinkedFrom`] of some relation. It compares the names of types, once for each type of
/// component.
pub(crate) fn is_link<T>() -> bool {
    let name = std::any::type_name::<T>().strip_prefix(concat!(module_path!(), "::links::"));
    name.is_some_and(|name| name.starts_with("Links<") || name.starts_with("LinkedFrom<"))
}

/// Why programs cannot write components of a type.
#[cold]
pub(crate) fn only_read(component: &str) -> String {
    format!(
        "{component} can only be read, since both ends of a link must agree: use `set_parent` and `remove_parent`, or `relate` and \
         `unrelate`; a query writes the data of links by `LinksMut`"
    )
}

#[cfg(test)]
mod tests {
    use super::{LinkedFrom, Links, is_link};

    #[test]
    fn components_of_links_are_told_by_their_names() {
        assert!(is_link::<Links<u8>>() && is_link::<LinkedFrom<Links<()>>>());
        assert!(!is_link::<u8>() && !is_link::<Vec<Links<u8>>>() && !is_link::<Option<LinkedFrom<u8>>>());
    }
}
