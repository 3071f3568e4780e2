//! [`SnapshotError`].

use std::fmt;
use std::sync::Arc;

/// The kinds of registered types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TypeKind {
    /// A component.
    Component,
    /// A resource.
    Resource,
    /// An event.
    Event,
    /// The state of a system.
    System,
    /// The private state of a function or method: the value of a [`Local`](crate::Local).
    Local,
}

impl fmt::Display for TypeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Component => "component",
            Self::Resource => "resource",
            Self::Event => "event",
            Self::System => "system",
            Self::Local => "local",
        })
    }
}

/// Why a type cannot be registered, or a snapshot cannot be taken or restored.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Values exist whose types are not registered.
    NotRegistered {
        /// The kinds of all these types, and the names of the Rust types.
        types: Vec<(TypeKind, &'static str)>,
    },
    /// The name belongs to another type.
    NameTaken {
        /// The kind of the types.
        kind: TypeKind,
        /// The name.
        name: Arc<str>,
        /// Rust names of the type that has the name and of the other one.
        rust_names: [&'static str; 2],
    },
    /// The type has another name.
    NamedTwice {
        /// The kind of the type.
        kind: TypeKind,
        /// Name of the Rust type.
        rust_name: &'static str,
        /// Its name and the other one.
        names: [Arc<str>; 2],
    },
    /// The type cannot be a component.
    Refused {
        /// The type, and how to fix it.
        reason: String,
    },
    /// The engine does not know a name in the snapshot.
    UnknownName {
        /// The kind of the type.
        kind: TypeKind,
        /// The name.
        name: Arc<str>,
    },
    /// A name means different types in the snapshot and in the engine.
    OtherType {
        /// The kind of the types.
        kind: TypeKind,
        /// The name.
        name: Arc<str>,
        /// Rust name of the type in the engine.
        rust_name: &'static str,
    },
    /// The engine lacks a system of the snapshot.
    MissingSystem {
        /// Name of the system.
        system: &'static str,
    },
    /// The engine has a system that the snapshot lacks.
    ExtraSystem {
        /// Name of the system.
        system: &'static str,
    },
    /// A plain function without a name runs once or captures values, so it cannot be copied.
    Function {
        /// Name of the function.
        function: &'static str,
    },
    /// A type must be registered before it can be saved or shown.
    Nameless {
        /// Name of the Rust type.
        rust_name: &'static str,
    },
    /// A type must be registered for saving before it can be converted to.
    NotSaved {
        /// Name of the Rust type.
        rust_name: &'static str,
    },
    /// The type is already registered for saving as another version.
    OtherVersion {
        /// Name of the Rust type.
        rust_name: &'static str,
        /// The registered version and the rejected one.
        versions: [u32; 2],
    },
    /// The current version of a type cannot be converted.
    CurrentVersion {
        /// Name of the Rust type.
        rust_name: &'static str,
        /// The version.
        version: u32,
    },
    /// Commands wait because a panic ended the frame or the run that recorded them.
    CommandsWait,
    /// The snapshot is empty, or taking it failed.
    Incomplete,
}

impl SnapshotError {
    /// A system that a command added, and that could not be made again.
    pub(crate) fn by_command(system: &str) -> Self {
        let reason = format!(
            "a command added system {system}, so a snapshot must be able to make it again: register its type with \
             engine.types_mut().system::<{system}>(\"…\"), and do not leave it out of snapshots"
        );
        Self::Refused { reason }
    }

    pub(crate) fn not_registered(kind: TypeKind, rust_name: &'static str) -> Self {
        Self::NotRegistered { types: vec![(kind, rust_name)] }
    }
}

/// The relation of a component of links, by the names of both. One call registers both components of a relation.
fn relation(component: &str) -> Option<&str> {
    let links = component.strip_prefix("Links<").or_else(|| component.strip_prefix("LinkedFrom<"));
    links?.strip_suffix('>')
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRegistered { types } => {
                let name = |(kind, rust_name): &(TypeKind, &'static str)| {
                    relation(rust_name).map_or_else(|| format!("{kind} {rust_name}"), |of| format!("relation {of}"))
                };
                let mut names: Vec<_> = types.iter().map(name).collect();
                names.dedup();
                let calls: Vec<_> =
                    names.iter().map(|name| format!(".{}>(\"…\")", name.replacen(' ', "::<", 1))).collect();
                let (verb, it) = if names.len() == 1 { ("is", "it") } else { ("are", "each") };
                write!(
                    f,
                    "{} {verb} not registered: give {it} a name at set-up: engine.types_mut(){}",
                    names.join(", "),
                    calls.join("?")
                )?;
                // What belongs to a device, for example, can be neither copied nor hashed.
                let left_out = types.iter().find_map(|(kind, rust_name)| match kind {
                    TypeKind::System => Some(format!("leave_out_system::<{rust_name}>()")),
                    TypeKind::Resource => Some(format!("leave_out_resource::<{rust_name}>()")),
                    _ => None,
                });
                left_out.map_or(Ok(()), |call| write!(f, ", or leave out what has no influence: .{call}"))
            }
            Self::NameTaken { kind, name, rust_names: [known, new] } => {
                write!(f, "{kind} {new} cannot be called \"{name}\": {known} is; give it another name")
            }
            Self::NamedTwice { kind, rust_name, names: [known, new] } => {
                write!(f, "{kind} {rust_name} is called \"{known}\" and cannot be called \"{new}\" too: name it once")
            }
            Self::Refused { reason } => f.write_str(reason),
            Self::UnknownName { kind, name } => write!(
                f,
                "the snapshot has a {kind} called \"{name}\", which this engine does not know: register the same types as in \
                 the engine that it was taken from"
            ),
            Self::OtherType { kind, name, rust_name } => write!(
                f,
                "the snapshot means another {kind} by \"{name}\" than this engine, where that is {rust_name}: register the \
                 same types under the same names"
            ),
            Self::MissingSystem { system } => {
                write!(
                    f,
                    "the snapshot was taken with system {system}, which this engine does not have: add it first; what \
                     comes and goes is given a name, a function with engine.types_mut().function(\"…\", {system}), a \
                     system with engine.types_mut().system::<{system}>(\"…\")"
                )
            }
            Self::ExtraSystem { system } => write!(
                f,
                "system {system} was not there when the snapshot was taken: restore into an engine with the same systems"
            ),
            Self::Function { function } => write!(
                f,
                "function {function} runs once or captures values, so it cannot be copied: give it a name with \
                 engine.types_mut().function(\"…\", {function}) at set-up, or make it a system"
            ),
            Self::Nameless { rust_name } => write!(
                f,
                "{rust_name} cannot be saved or shown without a name: give it one first, for example with \
                 engine.types_mut().component::<{rust_name}>(\"…\")"
            ),
            Self::NotSaved { rust_name } => write!(
                f,
                "{rust_name} is not saved, so nothing can become one: call engine.types_mut().save::<{rust_name}>(…) first"
            ),
            Self::OtherVersion { rust_name, versions: [known, other] } => write!(
                f,
                "{rust_name} is saved as version {known} and cannot be version {other}, too: call save for it once"
            ),
            Self::CurrentVersion { rust_name, version } => write!(
                f,
                "version {version} of {rust_name} is the current version and needs no conversion: pass an older version"
            ),
            Self::CommandsWait => {
                f.write_str("commands wait, since a panic ended the last frame: run a frame first, which applies them")
            }
            Self::Incomplete => f.write_str(
                "the snapshot is empty or incomplete: take one first, and do not use one that could not be taken",
            ),
        }
    }
}

crate::sentence::impl_error!(SnapshotError);
