//! Registers types for saving, their versions and conversions.

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Codec;
use super::blob::{Notation, read_any};
use super::codec::{AnyEventCodecs, EventCodecs, LoadAll, Reader, reader};
use crate::component::Component;
use crate::error::{SnapshotError, TypeKind};
use crate::event::{Despawned, Disabled, Enabled, Removed, Replaced, Spawned};
use crate::panic::told;
use crate::type_map::short_name;
use crate::types::TypeRegistry;

/// The part of a registry for saving, except the codecs.
#[derive(Default)]
pub(crate) struct Saving {
    gone: Vec<(TypeKind, String)>,
    /// Resources that are in snapshots, but not in saves.
    stays: Vec<TypeId>,
}

/// Saving (feature `serde`). Register a type under a name first, then for saving.
impl TypeRegistry {
    /// Registers a named type for saving, as this version: a component, a resource, an event or a system. When the
    /// serialized form of the type changes, use the next version, and [`TypeRegistry::convert`] for the older ones.
    ///
    /// This is for [`Engine::save`](crate::Engine::save) only; [`TypeRegistry::save_with_text`] adds the text form.
    /// Repeated calls do nothing. Each save reads the values again, and is refused if one is not read back as it is.
    /// Bytes are not self-describing, so values are refused that use `skip_serializing_if`, `skip_deserializing`,
    /// `flatten`, `untagged` or `tag` of serde. Forged bytes may nest to any depth: a recursive type must limit the
    /// depth in its own `Deserialize`.
    ///
    /// # Errors
    /// - [`SnapshotError::Nameless`] if the type has no name.
    /// - [`SnapshotError::OtherVersion`] if it is saved as another version.
    pub fn save<T: Component + Serialize + DeserializeOwned>(
        &mut self,
        version: u32,
    ) -> Result<&mut Self, SnapshotError> {
        self.save_as::<T>(version, Notation::compact(), false)
    }

    /// As [`TypeRegistry::save`], and for [`Engine::save_text`](crate::Engine::save_text). Takes about three times as
    /// long to compile.
    ///
    /// # Errors
    /// As [`TypeRegistry::save`].
    pub fn save_with_text<T: Component + Serialize + DeserializeOwned>(
        &mut self,
        version: u32,
    ) -> Result<&mut Self, SnapshotError> {
        self.save_as::<T>(version, Notation::with_text(), true)
    }

    /// Registers a type for saving. A type that is already registered keeps its notation (bytes, or bytes and text)
    /// unless `replaces` is true.
    pub(super) fn save_as<T: Component>(
        &mut self,
        version: u32,
        notation: Notation<T>,
        replaces: bool,
    ) -> Result<&mut Self, SnapshotError> {
        let new_codec = &|| Codec::new(version, notation);
        let names = (TypeId::of::<T>(), short_name::<T>());
        self.save_by(names, version, new_codec, (&EventCodecs::<T>(PhantomData), &notation), replaces)
    }

    /// As [`TypeRegistry::save_as`], compiled once for all types. `notation` is a [`Notation`] of the type.
    fn save_by(
        &mut self,
        (type_id, rust_name): (TypeId, &'static str),
        version: u32,
        new_codec: &dyn Fn() -> Codec,
        (events, notation): (&'static dyn AnyEventCodecs, &dyn Any),
        replaces: bool,
    ) -> Result<&mut Self, SnapshotError> {
        let codecs = self.codecs(type_id);
        if codecs.is_empty() {
            return Err(SnapshotError::Nameless { rust_name });
        }
        if let Some(known) = codecs.iter().filter_map(|codec| codec.as_ref()).find(|known| known.version() != version) {
            return Err(SnapshotError::OtherVersion { rust_name, versions: [known.version(), version] });
        }
        for codec in codecs {
            match codec {
                None => *codec = Some(Box::new(new_codec())),
                Some(codec) if replaces => codec.replace_current(new_codec()),
                Some(_) => {}
            }
        }
        if self.components.of(type_id).is_some() {
            events.save(&mut self.events, version, notation, replaces);
        }
        Ok(self)
    }

    /// Converts values of an older version, whose form was `Old`, when they are loaded. If `convert` fails, loading
    /// fails with its error. A second call for a version replaces the first.
    ///
    /// # Errors
    /// - [`SnapshotError::NotSaved`] if the type is not registered for saving.
    /// - [`SnapshotError::CurrentVersion`] if this is the current version.
    ///
    /// # Example
    /// ```
    /// # #[derive(Clone, serde::Serialize, serde::Deserialize)]
    /// struct Place { x_m: f32, y_m: f32 }
    ///
    /// # let mut engine = ecs::Engine::new();
    /// let types = engine.types_mut();
    /// types.component_by::<Place>("place", |_, _| {})?.save::<Place>(2)?;
    /// // Version 1 was a pair of numbers.
    /// types.convert(1, |(x_m, y_m): (f32, f32)| Ok(Place { x_m, y_m }))?;
    /// # Ok::<(), ecs::snapshot::SnapshotError>(())
    /// ```
    pub fn convert<Old: DeserializeOwned + 'static, T: Component>(
        &mut self,
        version: u32,
        convert: fn(Old) -> Result<T, String>,
    ) -> Result<&mut Self, SnapshotError> {
        self.convert_by(version, convert)
    }

    pub(super) fn convert_by<Old: DeserializeOwned + 'static, T: Component>(
        &mut self,
        version: u32,
        convert: impl Fn(Old) -> Result<T, String> + Send + Sync + 'static,
    ) -> Result<&mut Self, SnapshotError> {
        let read: Arc<LoadAll<T>> = Arc::new(move |values, count| {
            let old = read_any(values, count)?.into_iter();
            told(format_args!("the conversion from version {version} panicked"), || old.map(&convert).collect())
                .flatten()
        });
        let names = (TypeId::of::<T>(), short_name::<T>());
        self.read_by(names, version, &|| reader(read.clone()), &EventCodecs::<T>(PhantomData))
    }

    /// Sets the reader of an older version of a type.
    fn read_by(
        &mut self,
        (type_id, rust_name): (TypeId, &'static str),
        version: u32,
        new_reader: &dyn Fn() -> Reader,
        events: &'static dyn AnyEventCodecs,
    ) -> Result<&mut Self, SnapshotError> {
        let mut saved: Vec<_> = self.codecs(type_id).into_iter().flatten().collect();
        if saved.is_empty() {
            return Err(SnapshotError::NotSaved { rust_name });
        }
        if saved.iter().any(|codec| codec.version() == version) {
            return Err(SnapshotError::CurrentVersion { rust_name, version });
        }
        saved.iter_mut().for_each(|codec| codec.read_by(version, new_reader()));
        if self.components.of(type_id).is_some() {
            events.read_by(&mut self.events, version, &new_reader());
        }
        Ok(self)
    }

    /// Declares that a type of older programs is gone: loading drops its values and reports them in
    /// [`Loaded::dropped`](crate::snapshot::Loaded::dropped). Events sent by a system that is gone count as sent from
    /// outside.
    pub fn removed(&mut self, kind: TypeKind, name: &str) -> &mut Self {
        self.saving.gone.push((kind, name.to_owned()));
        if kind == TypeKind::Component {
            self.saving.gone.push((TypeKind::Event, format!("ecs added {name}")));
            self.saving.gone.push((TypeKind::Event, format!("ecs removed {name}")));
        }
        self
    }

    /// Declares that the program sets fields of a component after loading that its form leaves out with
    /// `#[serde(skip)]`, such as numbers that only this engine knows. Without this, a save is refused if a value is
    /// read back with another state hash.
    ///
    /// # Errors
    /// - [`SnapshotError::NotSaved`] if the type is not registered for saving.
    ///
    /// # Example
    /// ```
    /// #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
    /// struct Sprite {
    ///     file: String,
    ///     /// The place of the texture in this program.
    ///     #[serde(skip)]
    ///     texture: u32,
    /// }
    ///
    /// let mut engine = ecs::Engine::new();
    /// let by_both = |sprite: &Sprite, hash: &mut ecs::snapshot::StateHasher| _ = hash.add(&sprite.file).add(&sprite.texture);
    /// engine.types_mut().component_by("sprite", by_both)?.save::<Sprite>(1)?;
    /// engine.spawn((Sprite { file: "ship.png".into(), texture: 7 },));
    /// assert!(engine.save(&mut Vec::new()).is_err(), "the texture would be lost");
    /// engine.types_mut().completed_after_loading::<Sprite>()?;
    /// engine.save(&mut Vec::new())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn completed_after_loading<T: Component>(&mut self) -> Result<&mut Self, SnapshotError> {
        for event in [TypeId::of::<Removed<T>>(), TypeId::of::<Replaced<T>>()] {
            let codec = self.events.of_mut(event).map(|known| &mut known.codec);
            codec.and_then(Option::as_mut).into_iter().for_each(|codec| codec.complete());
        }
        let mut saved: Vec<_> = self.codecs(TypeId::of::<T>()).into_iter().flatten().collect();
        saved.iter_mut().for_each(|codec| codec.complete());
        match saved.is_empty() {
            true => Err(SnapshotError::NotSaved { rust_name: short_name::<T>() }),
            false => Ok(self),
        }
    }

    /// Leaves a resource out of saves: the loading engine keeps its own. For resources that every program loads itself,
    /// such as a configuration. Snapshots in memory still contain it.
    pub fn leave_out_of_saves<T: Send + Sync + 'static>(&mut self) -> &mut Self {
        self.saving.stays.push(TypeId::of::<T>());
        self
    }

    /// The codecs of a type, one for each kind under which it is registered.
    fn codecs(&mut self, of: TypeId) -> Vec<&mut Option<Box<Codec>>> {
        let component = self.components.of_mut(of).map(|known| &mut known.codec);
        let resource = self.resources.of_mut(of).map(|known| &mut known.codec);
        let event = self.events.of_mut(of).map(|known| &mut known.codec);
        let system = self.systems.of_mut(of).map(|known| &mut known.codec);
        [component, resource, event, system].into_iter().flatten().collect()
    }

    pub(crate) fn is_gone(&self, kind: TypeKind, name: &str) -> bool {
        self.saving.gone.iter().any(|(gone, of)| *gone == kind && of == name)
    }

    pub(crate) fn stays_when_loaded(&self, resource: TypeId) -> bool {
        self.saving.stays.contains(&resource)
    }

    pub(crate) fn staying_when_loaded(&self) -> Vec<TypeId> {
        self.saving.stays.clone()
    }

    /// The type saved under a name, its current version, and whether `version` can be read.
    pub(crate) fn find_saved(&self, kind: TypeKind, name: &str, version: u32) -> Option<(TypeId, u32, bool)> {
        macro_rules! found {
            ($named:expr) => {{
                let entry = $named.named(name)?;
                (entry.type_id, entry.codec.as_ref()?)
            }};
        }
        let (of, codec) = match kind {
            TypeKind::Component => found!(self.components),
            TypeKind::Resource => found!(self.resources),
            TypeKind::Event => found!(self.events),
            TypeKind::System => found!(self.systems),
            TypeKind::Local => return None,
        };
        Some((of, codec.version(), codec.can_read(version)))
    }

    /// Registers the engine's own types for saving.
    pub(crate) fn save_own_types(&mut self) {
        let saved = self.save_with_text::<Spawned>(1).and_then(|types| types.save_with_text::<Despawned>(1));
        let saved = saved.and_then(|types| types.save_with_text::<Enabled>(1)?.save_with_text::<Disabled>(1));
        let saved = saved.and_then(|types| types.save_relation::<crate::relation::Parent>(1));
        debug_assert!(saved.is_ok(), "all of these are registered");
    }
}
