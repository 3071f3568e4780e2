//! What names a component type, a set of them, and a function.

mod function_id;
mod mask;

pub use self::function_id::FunctionId;
pub(crate) use self::function_id::FunctionKey;
pub use self::mask::{ComponentId, ComponentMask};

/// Data of an entity: any type that is `Send + Sync + 'static`. There is nothing to derive.
///
/// An entity has at most one component of a type. A component without fields is a tag: it takes no value storage.
///
/// It is also `Unpin`, as almost all types are; a struct that derives [`Bundle`](crate::Bundle) is not, so that it
/// cannot become one component by mistake.
///
/// A few types are refused when they are used for the first time, because they only get here by mistake: tuples and
/// `()`, `Option`, `Result`, and functions and closures that were not called. A struct around them makes them
/// components.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a component",
    label = "a component owns its data and may cross threads: it is `Send + Sync + Unpin + 'static`",
    note = "a bundle is no component: instead of `(bundle, other)`, write `bundle.and((other,))`"
)]
pub trait Component: Send + Sync + Unpin + 'static {}

impl<T: Send + Sync + Unpin + 'static> Component for T {}
