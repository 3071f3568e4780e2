//! Plugins: systems, resources and settings that are added in one call.

use std::any::TypeId;

use super::Engine;
use crate::error::{Error, SetupError};
use crate::type_map::short_name;

/// Systems, resources, types and settings that belong together, added by [`Engine::add_plugin`].
///
/// A plugin adds other plugins in its `build`, and is tested alone in an engine of its own. A function with the
/// signature of `build` is a plugin, too.
///
/// # Example
/// ```
/// use ecs::prelude::*;
///
/// struct Gravity { mps2: f32 }
/// struct Falling;
/// # impl System for Falling {
/// #     fn setup(_: &mut Setup<Self>) {}
/// # }
///
/// /// Everything that a game with gravity needs.
/// struct PhysicsPlugin { gravity_mps2: f32 }
///
/// impl Plugin for PhysicsPlugin {
///     fn build(self, engine: &mut Engine) -> Result<(), ecs::Error> {
///         engine.insert_resource(Gravity { mps2: self.gravity_mps2 });
///         engine.add(Falling)?;
///         Ok(())
///     }
/// }
///
/// let mut engine = Engine::new();
/// engine.add_plugin(PhysicsPlugin { gravity_mps2: 9.81 })?;
/// assert_eq!(engine.resource::<Gravity>().unwrap().mps2, 9.81);
/// # Ok::<(), ecs::Error>(())
/// ```
pub trait Plugin: 'static {
    /// Adds the systems, resources and settings of the plugin to `engine`. Called once, by [`Engine::add_plugin`].
    ///
    /// # Errors
    /// The errors of the calls in it.
    ///
    /// # Example
    /// See [`Plugin`].
    fn build(self, engine: &mut Engine) -> Result<(), Error>;
}

impl<F: FnOnce(&mut Engine) -> Result<(), Error> + 'static> Plugin for F {
    fn build(self, engine: &mut Engine) -> Result<(), Error> {
        self(engine)
    }
}

/// Plugins.
impl Engine {
    /// Adds a plugin: calls its [`build`](Plugin::build).
    ///
    /// # Errors
    /// - [`SetupError::PluginAlreadyAdded`] if a plugin of this type was added. Ask [`Engine::has_plugin`] first where
    ///   several plugins need the same one.
    /// - Those of `build`; what it added before its error stays.
    ///
    /// # Example
    /// See [`Plugin`].
    pub fn add_plugin<P: Plugin>(&mut self, plugin: P) -> Result<&mut Self, Error> {
        if self.has_plugin::<P>() {
            return Err(SetupError::PluginAlreadyAdded { plugin: short_name::<P>() }.into());
        }
        // Noted first, so that plugins that add each other end in an error instead of a stack overflow.
        self.plugins.push(TypeId::of::<P>());
        plugin.build(self)?;
        Ok(self)
    }

    /// Whether a plugin of type `P` was added.
    ///
    /// # Example
    /// See [`Plugin`].
    #[must_use]
    pub fn has_plugin<P: Plugin>(&self) -> bool {
        self.plugins.contains(&TypeId::of::<P>())
    }
}
