//! Component types by name, for tools, scripts and data.

use std::borrow::Cow;
use std::fmt;

use super::{ComponentId, ComponentManager, ComponentMask};

/// Why a name does not identify one component type.
#[derive(Clone, PartialEq, Eq)]
pub enum ComponentNameError {
    /// The engine knows no component type of this name.
    Unknown {
        /// The name.
        name: String,
    },
    /// Several types of different modules have the name.
    Ambiguous {
        /// The name.
        name: String,
        /// The types with their modules; each of these names is unique.
        paths: Vec<&'static str>,
    },
}

impl fmt::Display for ComponentNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => {
                write!(
                    f,
                    "no component is named {name}: write its registered name or its type, which the engine must have met before"
                )
            }
            Self::Ambiguous { name, paths } => {
                let paths = paths.join(" or ");
                write!(
                    f,
                    "several components are named {name}: write {paths}, or register them under names of their own"
                )
            }
        }
    }
}

crate::sentence::impl_error!(ComponentNameError);

impl ComponentManager {
    /// The id of the component type with this name: the one under which it is registered, as in saves and inspectors
    /// ([`TypeRegistry`](crate::snapshot::TypeRegistry)), or the name of the Rust type with or without its module. A
    /// registered name takes precedence over a Rust type of the same name. O(number of types).
    ///
    /// # Errors
    /// - [`ComponentNameError::Unknown`] if the engine knows no type of this name.
    /// - [`ComponentNameError::Ambiguous`] if it knows several.
    pub fn id_by_name(&self, name: &str) -> Result<ComponentId, ComponentNameError> {
        if let Some(id) = self.stable_names.named(name).and_then(|component| self.id_by_type(component)) {
            return Ok(id);
        }
        let ids = || self.ids().zip(&self.pools);
        if let Some((id, _)) = ids().find(|(_, entry)| entry.path == name) {
            return Ok(id);
        }
        let mut named = ids().filter(|(_, entry)| entry.name == name);
        match (named.next(), named.next()) {
            (None, _) => Err(ComponentNameError::Unknown { name: name.to_owned() }),
            (Some((id, _)), None) => Ok(id),
            _ => {
                let named = self.pools.iter().filter(|entry| entry.name == name);
                Err(ComponentNameError::Ambiguous {
                    name: name.to_owned(),
                    paths: named.map(|entry| entry.path).collect(),
                })
            }
        }
    }

    /// The set of the component types with these names.
    ///
    /// # Errors
    /// As [`ComponentManager::id_by_name`], for the first name that does not identify one type.
    ///
    /// # Example
    /// ```
    /// struct Body;
    ///
    /// let mut engine = ecs::Engine::new();
    /// let (body, _) = (engine.spawn((Body, 1.0_f32)), engine.spawn((Body,)));
    /// let heavy = engine.components().mask_by_names(["Body", "f32"])?;
    /// assert_eq!(engine.matching(&heavy.into()), [body]);
    /// assert!(engine.components().mask_by_names(["Boddy"]).is_err());
    /// # Ok::<(), ecs::component::ComponentNameError>(())
    /// ```
    pub fn mask_by_names<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<ComponentMask, ComponentNameError> {
        names.into_iter().map(|name| self.id_by_name(name)).collect()
    }
}

impl ComponentMask {
    /// The set with the names of its types, for printing: `{Position, Velocity}`. Each name is the registered one, or
    /// that of the Rust type if it is not registered.
    #[must_use]
    pub fn names<'a>(&'a self, components: &'a ComponentManager) -> MaskNames<'a> {
        MaskNames { mask: self, components }
    }
}

/// Prints a set of component types by their names, in the order of registration; made by [`ComponentMask::names`].
#[derive(Clone, Copy)]
pub struct MaskNames<'a> {
    mask: &'a ComponentMask,
    components: &'a ComponentManager,
}

impl<'a> MaskNames<'a> {
    /// The names one by one.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'static, str>> + 'a {
        let components = self.components;
        self.mask.iter().map(|id| match components.stable_name(id) {
            Some(name) => Cow::Owned(name.as_ref().to_owned()),
            None => Cow::Borrowed(components.name(id)),
        })
    }
}

impl fmt::Display for MaskNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (at, name) in self.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { ", " })?;
            f.write_str(&name)?;
        }
        f.write_str("}")
    }
}

impl fmt::Debug for MaskNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
