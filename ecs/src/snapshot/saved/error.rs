//! [`SaveError`] and [`LoadError`].

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::entity::EntityId;
use crate::error::{Error, TypeKind};
use crate::types::{Entry, Form};

/// Why a snapshot could not be saved.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// No snapshot could be taken.
    Snapshot(Error),
    /// A value exists whose type is registered, but not for saving.
    NotSaved {
        /// The kind of the type.
        kind: TypeKind,
        /// The name.
        name: Arc<str>,
        /// Name of the Rust type.
        rust_name: &'static str,
        /// Whether the requested form was text.
        as_text: bool,
    },
    /// A waiting plain function captures values, which cannot be saved.
    Function {
        /// Name of the function.
        function: String,
    },
    /// A function or system was added while the engine ran, with settings that saves do not hold: no engine that loads
    /// the save would have them.
    MoreSettings {
        /// Name of the function or system.
        function: String,
    },
    /// A function or system has private state, which saves do not hold.
    Local {
        /// Name of the function or system.
        system: String,
        /// Name of the type of the state.
        local: String,
    },
    /// A function observes an entity, and the program that loads the save cannot know it.
    Observer {
        /// Name of the function.
        function: String,
        /// The entity.
        entity: EntityId,
    },
    /// A value cannot be serialized.
    Value {
        /// The part of the snapshot.
        part: String,
        /// The reason.
        problem: String,
    },
    /// A limit of loading is exceeded.
    NotLoadable {
        /// The part of the snapshot.
        part: String,
        /// The limit.
        problem: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Writing failed.
    Write {
        /// The error of the operating system.
        problem: String,
    },
}

impl SaveError {
    pub(super) fn write(error: &io::Error) -> Self {
        Self::Write { problem: error.to_string() }
    }

    pub(super) fn not_saved<V: ?Sized>(kind: TypeKind, known: &Entry<V>, form: Form) -> Self {
        let as_text = form == Form::Text;
        Self::NotSaved { kind, name: known.name.clone(), rust_name: known.rust_name, as_text }
    }

    pub(crate) fn part(part: &str, form: Form, problem: &str) -> Self {
        let form = if form == Form::Bytes { "bytes" } else { "a text" };
        Self::Value { part: part.to_owned(), problem: format!("it cannot be written as {form}: {problem}") }
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Snapshot(error) => error.fmt(f),
            Self::NotSaved { kind, name, rust_name, as_text } => {
                let save = if *as_text { "save_with_text" } else { "save" };
                write!(
                    f,
                    "{kind} \"{name}\" has a name, but no version to be saved as: call \
                     engine.types_mut().{save}::<{rust_name}>(1) at set-up"
                )
            }
            Self::Function { function } => write!(
                f,
                "function {function} captures values, which cannot be saved: keep them in a resource, or make it a system"
            ),
            Self::MoreSettings { function } => write!(
                f,
                "{function} was added while the engine ran, with settings that saves do not hold, such as sets, conditions or \
                 functions that it runs after: add it in the set-up, or check inside of it what the condition says"
            ),
            Self::Local { system, local } => write!(
                f,
                "{system} has private state, Local<{local}>, which cannot be saved: keep it in a resource, or in the fields of a system"
            ),
            Self::Observer { function, entity } => write!(
                f,
                "observer {function} of entity {entity} cannot be saved: mark the entity with a component and use \
                 Engine::listen_filtered"
            ),
            Self::Value { part, problem } => write!(f, "{part}: {problem}"),
            Self::NotLoadable { part, problem, remedy } => {
                write!(f, "the snapshot cannot be saved, because it could not be loaded ({part}): {problem}; {remedy}")
            }
            Self::Write { problem } => write!(f, "the snapshot could not be written: {problem}"),
        }
    }
}

crate::sentence::impl_error!(SaveError);

impl From<Error> for SaveError {
    fn from(error: Error) -> Self {
        Self::Snapshot(error)
    }
}

/// Why a saved snapshot could not be loaded. The engine has not changed.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The data is not a saved snapshot.
    NotASave,
    /// The data ends too early.
    Truncated {
        /// The number of bytes.
        at: u64,
    },
    /// A checksum does not match.
    Damaged {
        /// The offset of the damaged part, bytes.
        at: u64,
    },
    /// Another version of the framework wrote it.
    OtherFormat {
        /// Its format.
        found: u32,
        /// The format that this version reads.
        known: u32,
    },
    /// The engine does not know a type.
    UnknownType {
        /// The kind of the type.
        kind: TypeKind,
        /// The name.
        name: String,
    },
    /// The engine lacks an unregistered system or function.
    UnknownSystem {
        /// The name of its Rust type.
        name: String,
    },
    /// The engine cannot read this version of a type.
    UnknownVersion {
        /// The kind of the type.
        kind: TypeKind,
        /// The name.
        name: String,
        /// The saved version.
        found: u32,
        /// The version that the engine writes.
        known: u32,
    },
    /// The checksums match, but the contents are invalid: another program wrote it, or it was forged.
    Invalid {
        /// The part of the snapshot.
        part: String,
        /// The reason.
        problem: String,
    },
    /// Reading failed.
    Read {
        /// The error of the operating system.
        problem: String,
    },
    /// It cannot be restored into the engine.
    Engine(Error),
}

impl LoadError {
    pub(super) fn read(error: &io::Error) -> Self {
        Self::Read { problem: error.to_string() }
    }

    pub(crate) fn invalid(part: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid { part: part.into(), problem: problem.into() }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASave => {
                f.write_str("this is no saved snapshot: give the bytes or the text that one was saved as")
            }
            Self::Truncated { at } => {
                write!(f, "the saved snapshot ends too early, after {at} bytes: use another copy")
            }
            Self::Damaged { at } => {
                write!(f, "the saved snapshot is damaged in the part that begins at byte {at}: use another copy")
            }
            Self::OtherFormat { found, known } => write!(
                f,
                "the snapshot was saved in form {found}, and this version reads form {known}: use {} version",
                if found > known { "a newer" } else { "the older" }
            ),
            Self::UnknownType { kind, name } => write!(
                f,
                "the saved snapshot has a {kind} called \"{name}\", which this engine does not know: register it for saving, or \
                 say that it is gone with engine.types_mut().removed(TypeKind::{kind:?}, \"{name}\")"
            ),
            Self::UnknownSystem { name } => write!(
                f,
                "the saved snapshot has a system called \"{name}\", which this engine lacks: add it first, name it with \
                 engine.types_mut().function if it is a function, or say that it is gone with \
                 engine.types_mut().removed(TypeKind::System, \"{name}\")"
            ),
            Self::UnknownVersion { kind, name, found, known } if found > known => write!(
                f,
                "the saved snapshot has version {found} of {kind} \"{name}\", and this engine knows versions up to {known}: \
                 use a newer version of the program"
            ),
            Self::UnknownVersion { kind, name, found, known } => write!(
                f,
                "the saved snapshot has version {found} of {kind} \"{name}\", and this engine has version {known}: tell what to \
                 do with it by engine.types_mut().convert({found}, …)"
            ),
            Self::Invalid { part, problem } => {
                write!(f, "the saved snapshot is invalid ({part}): {problem}; use one that was saved by this program")
            }
            Self::Read { problem } => write!(f, "the saved snapshot could not be read: {problem}"),
            Self::Engine(error) => error.fmt(f),
        }
    }
}

crate::sentence::impl_error!(LoadError);

impl From<Error> for LoadError {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}
