//! [`Prefabs`]: all loaded prefabs, by name.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::blueprint::{Blueprint, BlueprintComponent};
use super::definition::{Body, Named, read_file};
use super::error::hint;
use super::order::Texts;
use super::registry::Registry;
use super::resolve::Resolver;
use super::ron_text::RonText;
use crate::component::Component;
use crate::error::PrefabError;
use crate::steps::count;
use crate::types::Saved;

/// Resource: the prefabs from which [`Engine::spawn_prefab`](crate::Engine::spawn_prefab) spawns. The
/// [module](crate::prefab) documents the files.
///
/// # Example
/// ```
/// use ecs::{Engine, prefab::Prefabs};
///
/// #[derive(Clone, Debug, PartialEq, serde::Deserialize)]
/// struct Speed { mps: f32, radps: f32 }
///
/// let mut prefabs = Prefabs::default();
/// prefabs.register::<Speed>("speed")?;
/// prefabs.load("runners.ron", r#"{
///     "hare": (components: { "speed": (mps: 20.0, radps: 3.0) }),
///     "tired hare": (like: "hare", components: { "speed": (mps: 0.5) }),
/// }"#)?;
///
/// let mut engine = Engine::new();
/// engine.insert_resource(prefabs);
/// let hare = engine.spawn_prefab("tired hare")?;
/// assert_eq!(engine.get(hare), Some(&Speed { mps: 0.5, radps: 3.0 }));
/// # Ok::<(), ecs::prefab::PrefabError>(())
/// ```
#[derive(Clone, Default)]
pub struct Prefabs {
    registry: Registry,
    files: BTreeMap<String, Definitions>,
    /// All prefabs of all files.
    definitions: Places,
    blueprints: Blueprints,
    /// The last state of prefabs that a reload removed, for entities that were spawned from them.
    gone: Blueprints,
}

/// The prefabs of a file.
pub(super) type Definitions = Arc<[Named<Body>]>;

/// The places of definitions by name: the prefabs of a file, and a number among them.
pub(super) type Places = BTreeMap<Arc<str>, (Definitions, usize)>;

/// Resolved prefabs by name.
pub(super) type Blueprints = BTreeMap<Arc<str>, Arc<Blueprint>>;

impl Prefabs {
    /// Registers a component type under the name that prefabs use. Register all types before loading files.
    ///
    /// A component has one name: if snapshots and saves know the type by another one, no prefab is spawned.
    ///
    /// Values are read when files are loaded, and cloned when entities are spawned.
    ///
    /// # Errors
    /// If the type cannot be a component or is registered already, or the name is taken, empty or contains a `/`.
    pub fn register<T: Component + Clone + DeserializeOwned>(&mut self, name: &str) -> Result<&mut Self, PrefabError> {
        self.registry.add::<T>(name)?;
        Ok(self)
    }

    /// Registers a component type under the name that it declares, which is that of saves, inspectors and masks too.
    ///
    /// # Errors
    /// As [`Prefabs::register`].
    ///
    /// # Example
    #[cfg_attr(all(feature = "derive", feature = "serde"), doc = "```")]
    #[cfg_attr(not(all(feature = "derive", feature = "serde")), doc = "```ignore")]
    /// use ecs::{Engine, prefab::Prefabs, snapshot::{Saved, StableHash}};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Clone, Debug, PartialEq, Saved, Serialize, Deserialize, StableHash)]
    /// #[saved(name = "reach", version = 1)]
    /// struct Reach { metres: f32 }
    ///
    /// let mut prefabs = Prefabs::default();
    /// prefabs.add::<Reach>()?.load("kinds.ron", r#"{ "radar": (components: { "reach": (metres: 30.0) }) }"#)?;
    ///
    /// let mut engine = Engine::new();
    /// engine.types_mut().add::<Reach>()?;
    /// engine.insert_resource(prefabs);
    /// let radar = engine.spawn_prefab("radar")?;
    /// let far = engine.components().mask_by_names(["reach"])?;
    /// assert_eq!(engine.matching(&far.into()), [radar]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add<T: Component + Clone + DeserializeOwned + Saved>(&mut self) -> Result<&mut Self, PrefabError> {
        self.register::<T>(T::NAME)
    }

    /// Loads the prefabs of one file. `file` is its name in errors.
    ///
    /// # Errors
    /// If the text has a mistake, or a file of this name is loaded already; nothing is changed then.
    pub fn load(&mut self, file: impl Into<String>, text: impl Into<String>) -> Result<&mut Self, PrefabError> {
        self.load_all([(file, text)])
    }

    /// Loads several files, given by name and text, which may refer to each other in any order.
    ///
    /// # Errors
    /// If a text has a mistake, or a file of its name is loaded already; nothing is changed then.
    pub fn load_all<F: Into<String>, T: Into<String>>(
        &mut self,
        files: impl IntoIterator<Item = (F, T)>,
    ) -> Result<&mut Self, PrefabError> {
        let mut texts: Vec<(String, String)> = Vec::new();
        let mut names = BTreeSet::new();
        for (file, text) in files {
            let file = file.into();
            if self.files.contains_key(&file) || !names.insert(file.clone()) {
                return Err(PrefabError::new(format!("{file} is loaded already: reload it to change it")));
            }
            texts.push((file, text.into()));
        }
        let files: Result<_, _> = texts.into_iter().map(|(file, text)| Ok((file.clone(), read(file, text)?))).collect();
        self.add_files(files?)?;
        Ok(self)
    }

    /// A copy with changed and new files, and without those whose text is `None`.
    pub(super) fn with(&self, changes: Vec<(String, Option<String>)>) -> Result<Self, PrefabError> {
        let mut files = self.files.clone();
        let mut changed = Vec::new();
        for (file, text) in changes {
            files.remove(&file);
            if let Some(text) = text {
                changed.push((file.clone(), read(file, text)?));
            }
        }
        let mut with = Self { registry: self.registry.clone(), ..Self::default() };
        // Changed files come last, so that errors about duplicates point at them.
        with.add_files(files.into_iter().chain(changed).collect())?;
        Ok(with.instead_of(self))
    }

    /// Adds files whose names are new. Prefabs that are there do not change, since they refer to others that are there.
    ///
    /// # Errors
    /// If two prefabs have one name, or a prefab cannot be resolved; nothing is changed then.
    ///
    /// # Complexity
    /// O(k log n) for k prefabs that become n, and all that they consist of.
    fn add_files(&mut self, files: Vec<(String, Definitions)>) -> Result<(), PrefabError> {
        let mut new = Places::new();
        for (_, prefabs) in &files {
            for (at, prefab) in prefabs.iter().enumerate() {
                let first = new.get(&*prefab.name).or_else(|| self.definitions.get(&*prefab.name));
                if let Some((prefabs, at)) = first {
                    let place = prefabs[*at].key.span().place();
                    let problem = format!("there are two of the prefab `{}`, the first is at {place}", prefab.name);
                    return Err(prefab.error(problem));
                }
                new.insert(prefab.name.as_str().into(), (prefabs.clone(), at));
            }
        }
        let resolver = Resolver { registry: &self.registry, new: &new, known: &self.definitions };
        let mut blueprints = Vec::with_capacity(new.len());
        for (name, (prefabs, at)) in &new {
            count(1);
            blueprints.push((name.clone(), Arc::new(resolver.blueprint(&prefabs[*at])?)));
        }
        self.files.extend(files);
        new.keys().for_each(|name| drop(self.gone.remove(name)));
        self.definitions.extend(new);
        self.blueprints.extend(blueprints);
        Ok(())
    }

    /// The names of all prefabs, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.blueprints.keys().map(|name| &**name)
    }

    /// The names of all loaded files, sorted.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Whether a prefab of this name exists.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.blueprints.contains_key(name)
    }

    /// The resolved prefab: a line of RON for each component, then its children; `None` if it does not exist.
    #[must_use]
    pub fn explain(&self, name: &str) -> Option<String> {
        self.blueprints.get(name).map(|blueprint| blueprint.to_string())
    }

    /// The names of the components of a prefab, without children, in order; none if it does not exist.
    pub fn components(&self, prefab: &str) -> impl Iterator<Item = &str> {
        self.planned(prefab).map(|planned| &*planned.name)
    }

    /// The names of the children of a prefab, in order; none if it does not exist.
    pub fn children(&self, prefab: &str) -> impl Iterator<Item = &str> {
        let blueprint = self.blueprints.get(prefab).into_iter();
        blueprint.flat_map(|blueprint| blueprint.children.iter().map(|(name, _)| &**name))
    }

    /// The prefabs that a prefab is like, directly or through others, the lowest first, and at the end itself; none if
    /// it does not exist.
    ///
    /// # Example
    /// ```
    /// # let mut prefabs = ecs::prefab::Prefabs::default();
    /// let text = r#"{ "log": (), "wet": (), "raft": (like: ["log", "wet"]), "barge": (like: "raft") }"#;
    /// prefabs.load("rafts.ron", text)?;
    /// assert!(prefabs.lineage("barge").eq(["log", "wet", "raft", "barge"]));
    /// # Ok::<(), ecs::prefab::PrefabError>(())
    /// ```
    pub fn lineage(&self, prefab: &str) -> impl Iterator<Item = &str> {
        self.blueprints.get(prefab).into_iter().flat_map(|blueprint| blueprint.lineage.iter().map(|name| &**name))
    }

    /// The component of type `T` of a prefab; `None` if it or the prefab does not exist. O(number of components).
    #[must_use]
    pub fn component<T: Component>(&self, prefab: &str) -> Option<&T> {
        self.planned(prefab).find_map(|planned| planned.value.component.as_any().downcast_ref())
    }

    /// The error that an application refuses a component. It points at the component in the topmost prefab that has it;
    /// without a place if none has.
    #[must_use]
    pub fn error_in(&self, prefab: &str, component: &str, problem: impl Into<String>) -> PrefabError {
        let found = self.planned(prefab).find(|planned| *planned.name == *component);
        match found.and_then(|planned| planned.layers.last()) {
            Some(top) => top.span().error(problem),
            None => PrefabError::new(problem),
        }
    }

    fn planned(&self, prefab: &str) -> impl Iterator<Item = &BlueprintComponent> {
        self.blueprints.get(prefab).into_iter().flat_map(|blueprint| &blueprint.components)
    }

    /// These prefabs as a replacement for others. Keeps removed prefabs, so that their entities are updated if a prefab
    /// of that name is loaded again.
    pub(super) fn instead_of(mut self, others: &Self) -> Self {
        let before = others.gone.iter().chain(&others.blueprints);
        self.gone.extend(before.map(|(name, blueprint)| (Arc::clone(name), Arc::clone(blueprint))));
        self.gone.retain(|name, _| !self.blueprints.contains_key(name));
        self
    }

    /// The names of the registered ones of some component types.
    pub(super) fn names_of(&self, types: impl Iterator<Item = TypeId>) -> impl Iterator<Item = Arc<str>> {
        types.filter_map(|component| self.registry.name_of(component))
    }

    pub(super) fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(super) fn blueprints(&self) -> &Blueprints {
        &self.blueprints
    }

    /// The last state of a prefab, also of one that was removed.
    pub(super) fn last_blueprint(&self, name: &str) -> Option<&Blueprint> {
        self.blueprints.get(name).or_else(|| self.gone.get(name)).map(|blueprint| &**blueprint)
    }

    /// A resolved prefab with some texts over it.
    pub(super) fn blueprint(&self, name: &str, texts: &Texts<'_>) -> Result<(Arc<str>, Arc<Blueprint>), PrefabError> {
        let Some((name, blueprint)) = self.blueprints.get_key_value(name) else {
            return Err(PrefabError::new(format!("unknown prefab `{name}`: {}", hint(name, self.names()))));
        };
        let changed = match texts.is_empty() {
            true => Arc::clone(blueprint),
            false => Arc::new(blueprint.with_texts(name, texts, &self.registry)?),
        };
        Ok((Arc::clone(name), changed))
    }
}

/// Reads the definitions of a file.
fn read(file: String, text: String) -> Result<Definitions, PrefabError> {
    Ok(read_file(&RonText::new(file, text))?.into())
}

/// Equal if the resolved prefabs are; the names of the files do not count.
impl PartialEq for Prefabs {
    fn eq(&self, other: &Self) -> bool {
        let pairs = self.blueprints.iter().zip(&other.blueprints);
        self.blueprints.len() == other.blueprints.len()
            && pairs.into_iter().all(|((name, one), (other_name, other))| name == other_name && one.is_like(other))
    }
}

impl fmt::Debug for Prefabs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prefabs")
            .field("components", &self.registry.names().collect::<Vec<_>>())
            .field("prefabs", &self.blueprints.keys().collect::<Vec<_>>())
            .finish()
    }
}
