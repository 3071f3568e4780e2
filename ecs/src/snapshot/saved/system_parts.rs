//! Loads systems and functions.

use super::error::LoadError;
use super::limits;
use super::load::Loading;
use super::part::{SavedSystem, SavedSystems};
use super::systems::function_key;
use crate::snapshot::{SystemCopy, TypeKind};
use crate::system::{Dependency, Priority, SystemNode, Timing};

impl Loading<'_> {
    pub(super) fn take_systems(&mut self, saved: SavedSystems) -> Result<(), LoadError> {
        let invalid = |problem: String| LoadError::invalid("systems", problem);
        limits::check_systems(saved.systems.len())?;
        self.identify(&saved)?;
        for (at, system) in saved.systems.iter().enumerate() {
            let place = match self.take_system(at, system)? {
                Some(copy) => {
                    self.snapshot.systems.push(copy);
                    Some(self.snapshot.systems.len() - 1)
                }
                None => {
                    self.note_dropped(TypeKind::System, system.name.clone(), 1);
                    None
                }
            };
            self.places.push(place);
        }
        for (at, system) in saved.systems.iter().enumerate() {
            self.take_links(at, system)?;
        }
        let mut functions = saved.functions.load().map_err(invalid)?;
        if functions.len() > saved.systems.len() {
            return Err(invalid("there are more functions than systems".to_owned()));
        }
        // Keys of functions that are gone are dropped.
        functions.retain(|key, place| {
            let now = self.snapshot.systems.iter().position(|copy| copy.function == Some(key));
            *place = now.unwrap_or_default();
            now.is_some()
        });
        self.snapshot.functions = functions;
        self.note_new_systems();
        Ok(())
    }

    fn note_new_systems(&mut self) {
        let own = self.source.systems.nodes.iter().filter(|node| node.function.is_none());
        let is_new = |node: &&SystemNode| !self.snapshot.systems.iter().any(|copy| copy.system == node.system);
        self.loaded.new_systems = own.filter(is_new).map(|node| node.name).collect();
    }

    /// `None` if the system is gone.
    fn take_system(&self, at: usize, saved: &SavedSystem) -> Result<Option<SystemCopy>, LoadError> {
        let function = saved.function.map(function_key);
        let registered = || self.types.systems.named(&saved.name).map(|known| (known.type_id, known.rust_name));
        let is_taken = |system, function| {
            self.snapshot.systems.iter().any(|copy| (copy.system, copy.function) == (system, function))
        };
        // Names of Rust types lack their path, so several types may share one. Functions are told apart by their keys, systems by
        // their order.
        let fits = |node: &&SystemNode| {
            node.name == saved.name && node.function == function && !is_taken(node.system, node.function)
        };
        let is_nameless = |node: &&SystemNode| fits(node) && self.types.systems.of(node.system).is_none();
        let by_rust_name = || {
            let nodes = &self.source.systems.nodes;
            let found = nodes.iter().find(is_nameless).or_else(|| nodes.iter().find(fits));
            found.map(|node| (node.system, node.name))
        };
        let kind = TypeKind::System;
        let found = match self.is_nameless(at) {
            true => by_rust_name().or_else(registered),
            false => registered().or_else(by_rust_name),
        };
        let Some((system, rust_name)) = found else {
            return match self.types.is_gone(kind, &saved.name) {
                true => Ok(None),
                false if self.is_nameless(at) => Err(LoadError::UnknownSystem { name: saved.name.clone() }),
                false => Err(LoadError::UnknownType { kind, name: saved.name.clone() }),
            };
        };
        let entry = self.types.systems.of(system);
        let is_function = entry.map_or(function.is_some(), |known| known.what.is_function());
        if is_taken(system, function) || is_function != function.is_some() {
            return Err(LoadError::invalid(
                format!("system \"{}\"", saved.name),
                "it is there twice, or is a function in one program only",
            ));
        }
        limits::check_timer(&saved.name, &saved.timer)?;
        let mut state = None;
        if let (Some(entry), Some(of), Some(value)) = (entry, saved.of, &saved.state) {
            let known = self.known(of, kind)?;
            let loaded = entry.what.load(known.version, value);
            state = Some(loaded.map_err(|problem| Self::invalid_value(known, problem))?);
        }
        let (timer, catch_up, priority) = (saved.timer, saved.catch_up, Priority(saved.priority));
        Ok(Some(SystemCopy {
            system,
            function,
            rust_name,
            name: entry.map(|known| known.name.clone()),
            state,
            timing: Timing { timer, catch_up, priority, after: Vec::new(), before: Vec::new() },
            is_enabled: saved.is_enabled,
            listeners: self.listeners(at, saved, self.source.systems.find(system).map(|(_, node)| node)),
        }))
    }

    /// Loads the dependencies of a system, once all positions are known.
    fn take_links(&mut self, at: usize, saved: &SavedSystem) -> Result<(), LoadError> {
        let Some(place) = self.places[at] else { return Ok(()) };
        let dependencies = |list: &[u32]| -> Result<Vec<Dependency>, LoadError> {
            let copies = list.iter().map(|system| Ok(self.place(*system)?.map(|place| &self.snapshot.systems[place])));
            let copies = copies.collect::<Result<Vec<_>, LoadError>>()?;
            let known = copies.into_iter().flatten().filter(|copy| copy.function.is_none());
            Ok(known.map(|copy| Dependency { system: copy.system, name: copy.rust_name }).collect())
        };
        let (after, before) = (dependencies(&saved.after)?, dependencies(&saved.before)?);
        let copy = &mut self.snapshot.systems[place];
        (copy.timing.after, copy.timing.before) = (after, before);
        Ok(())
    }
}
