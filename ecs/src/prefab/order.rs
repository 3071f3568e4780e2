//! [`Prefab`]: a request to spawn from a prefab.

use std::borrow::Cow;

use crate::component::Bundle;

/// The name of a prefab to spawn, with overrides for this entity.
///
/// Without overrides, pass the name: `engine.spawn_prefab("ghost")`.
///
/// # Example
/// ```
/// # use ecs::{Engine, prefab::{Prefab, Prefabs}};
/// # #[derive(Clone, Debug, PartialEq, serde::Deserialize)]
/// # struct Speed { mps: f32, radps: f32 }
/// # #[derive(Clone, Debug, PartialEq, serde::Deserialize)]
/// # struct Position(f32, f32);
/// # let mut prefabs = Prefabs::default();
/// # prefabs.register::<Speed>("speed")?;
/// # prefabs.load("ghosts.ron", r#"{ "ghost": (components: { "speed": (mps: 2.0, radps: 3.0) }) }"#)?;
/// # let mut engine = Engine::new();
/// # engine.insert_resource(prefabs);
/// let ghost = engine.spawn_prefab(Prefab::named("ghost").with((Position(2.0, 3.0),)).with_ron("speed", "(mps: 4.0)"))?;
/// assert_eq!(engine.get(ghost), Some(&Position(2.0, 3.0)));
/// assert_eq!(engine.get(ghost), Some(&Speed { mps: 4.0, radps: 3.0 }));
/// # Ok::<(), ecs::prefab::PrefabError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "it is spawned by `spawn_prefab`"]
pub struct Prefab<'a, B = ()> {
    pub(crate) order: SpawnRequest<'a>,
    pub(crate) bundle: B,
}

/// Texts of components by path.
pub(super) type Texts<'a> = [(Cow<'a, str>, Cow<'a, str>)];

/// A prefab and the texts over it.
#[derive(Clone, Debug)]
pub(crate) struct SpawnRequest<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) texts: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> SpawnRequest<'a> {
    /// From the name, and the component and the text of each override.
    pub(super) fn of(mut texts: impl Iterator<Item = Cow<'a, str>>) -> Self {
        let name = texts.next().unwrap_or_default();
        let overrides = std::iter::from_fn(|| Some((texts.next()?, texts.next()?)));
        Self { name, texts: overrides.collect() }
    }
}

impl<'a> Prefab<'a> {
    /// The prefab called `name`.
    pub fn named(name: impl Into<Cow<'a, str>>) -> Self {
        Self { order: SpawnRequest { name: name.into(), texts: Vec::new() }, bundle: () }
    }

    /// Gives the entity the components of `bundle`, which replace those of the prefab. Their types need not be
    /// registered.
    pub fn with<B: Bundle>(self, bundle: B) -> Prefab<'a, B> {
        Prefab { order: self.order, bundle }
    }
}

impl<'a, B> Prefab<'a, B> {
    /// Overlays a component by a text; of a struct, only the fields in the text change. A component that the prefab
    /// lacks is added.
    ///
    /// The component of a child is named by its path: `turret/barrel/colour`. Spawning is refused if the component is
    /// also in the bundle of [`Prefab::with`].
    pub fn with_ron(mut self, component: impl Into<Cow<'a, str>>, ron: impl Into<Cow<'a, str>>) -> Self {
        self.order.texts.push((component.into(), ron.into()));
        self
    }
}

impl<'a> From<&'a str> for Prefab<'a> {
    fn from(name: &'a str) -> Self {
        Self::named(name)
    }
}

impl<'a> From<&'a String> for Prefab<'a> {
    fn from(name: &'a String) -> Self {
        Self::named(name)
    }
}

impl From<String> for Prefab<'_> {
    fn from(name: String) -> Self {
        Self::named(name)
    }
}
