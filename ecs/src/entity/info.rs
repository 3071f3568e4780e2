//! A readable description of an entity.

use std::fmt;

use super::EntityId;
use crate::ids::ComponentId;

/// The components of an entity, and which of them are disabled; [`World::inspect`](crate::World::inspect) makes it.
///
/// `Display` and `Debug` print it on one line: `3v7 (disabled): Position { x_m: 2.5 }, Velocity (disabled)`. `{:#}` and
/// `{:#?}` give each component a line.
#[derive(Clone, PartialEq, Eq)]
pub struct EntityInfo {
    /// The entity.
    pub entity: EntityId,
    /// Whether the entity is enabled.
    pub is_enabled: bool,
    /// Its components, in the order of the ids of their types.
    pub components: Vec<EntityComponent>,
}

/// A component in an [`EntityInfo`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityComponent {
    /// Its type.
    pub id: ComponentId,
    /// Name of its type.
    pub name: &'static str,
    /// Whether the component itself is enabled. Queries see it if its entity is enabled, too.
    pub is_enabled: bool,
    /// Its value as `Debug` prints it; `None` unless [`Engine::show`](crate::Engine::show) was called for the type.
    pub value: Option<String>,
}

impl fmt::Display for EntityInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |is_enabled: bool| if is_enabled { "" } else { " (disabled)" };
        write!(f, "{}{}:", self.entity, mark(self.is_enabled))?;
        for (at, EntityComponent { name, is_enabled, value, .. }) in self.components.iter().enumerate() {
            let space = if f.alternate() { "\n    " } else { " " };
            write!(f, "{}{space}", if at > 0 && !f.alternate() { "," } else { "" })?;
            match value {
                // The usual `Debug` begins with the name.
                Some(value) if value.starts_with(name) => f.write_str(value)?,
                Some(value) => write!(f, "{name} = {value}")?,
                None => f.write_str(name)?,
            }
            f.write_str(mark(*is_enabled))?;
        }
        f.write_str(if self.components.is_empty() { " no components" } else { "" })
    }
}

impl fmt::Debug for EntityInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
