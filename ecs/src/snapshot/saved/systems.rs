//! Saves and loads systems and functions. Systems and listeners are identified by name, because their positions change
//! between programs.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use slotmap::{Key, KeyData};

use super::error::{LoadError, SaveError};
use super::load::Loading;
use super::part::{SavedEventName, SavedIdentities, SavedIdentity, SavedSystem, SavedSystems};
use super::save::Table;
use super::slots::SavedSlots;
use super::{Source, limits};
use crate::error::TypeKind;
use crate::event::EventTypeId;
use crate::ids::{FunctionId, FunctionKey};
use crate::snapshot::{Snapshot, SystemCopy};
use crate::steps::count;
use crate::system::{Dependency, Phase, Priority, SystemNode, Timer, Timing};
use crate::type_map::{FixedMap, TypeMap};
use crate::types::Form;

/// Stands among the systems that a function runs after: it has settings that saves do not hold, such as sets and
/// conditions. The engine that loads must have the function.
const MORE_SETTINGS: u32 = u32::MAX;

/// Stands there as well: a command added the system, so the engine that loads need not have it.
const BY_COMMAND: u32 = u32::MAX - 1;

pub(super) fn save(snapshot: &Snapshot, table: &mut Table<'_>) -> Result<SavedSystems, SaveError> {
    limits::check_systems(snapshot.systems.len())?;
    let mut places = TypeMap::default();
    for (place, copy) in snapshot.systems.iter().enumerate() {
        count(1);
        places.entry(copy.system).or_insert(place as u32);
    }
    let systems = snapshot.systems.iter().map(|copy| save_one(copy, &places, table)).collect::<Result<_, _>>()?;
    let functions = SavedSlots::of(&snapshot.functions);
    Ok(SavedSystems {
        systems,
        functions: functions.map_err(|problem| SaveError::part("functions", Form::Bytes, &problem))?,
    })
}

/// `places` has the first system or function of each type.
fn save_one(copy: &SystemCopy, places: &TypeMap<u32>, table: &mut Table<'_>) -> Result<SavedSystem, SaveError> {
    let kind = TypeKind::System;
    let types = table.types;
    let known = types.systems.of(copy.system);
    let (mut of, mut state) = (None, None);
    if let Some(entity) = copy.timing.ends_with.map(|bound| bound.entity) {
        return Err(SaveError::Observer { function: copy.rust_name.to_owned(), entity });
    }
    if let Some(local) = copy.locals.first() {
        return Err(SaveError::Local { system: copy.rust_name.to_owned(), local: local.rust_name.to_owned() });
    }
    if known.is_none() && copy.state.as_ref().is_some_and(|state| size_of_val(&**state) > 0) {
        return Err(SaveError::Function { function: copy.rust_name.to_owned() });
    }
    if let (Some(known), Some(value)) = (known, &copy.state) {
        if copy.function.is_some() {
            // A function that captures nothing is defined by its type.
            if !known.what.is_stateless() {
                return Err(SaveError::Function { function: copy.rust_name.to_owned() });
            }
        } else if size_of_val(&**value) > 0 || copy.is_by_command {
            let codec = known.codec.as_ref().ok_or_else(|| SaveError::not_saved(kind, known, table.form))?;
            let saved = codec.save(&**value, table.form, &|state, hash| known.what.hash(state, hash));
            state = Some(saved.map_err(|problem| table.failed(kind, &known.name, &problem))?);
            of = Some(table.number(kind, copy.system, &known.name, codec.version()));
        }
    }
    let place = |system: TypeId| places.get(&system).copied();
    let timing = &copy.timing;
    let mut dependencies = timing.after.iter().chain(&timing.before);
    let has_more_settings = !timing.sets.is_empty()
        || !timing.conditions.is_empty()
        || timing.phase != Phase::Update
        || timing.hook.is_some()
        || timing.is_pinned
        || dependencies.any(|dependency| place(dependency.system).is_none());
    // A system that a command added is made again as it declares itself.
    let has_more_settings = match copy.function {
        Some(_) => has_more_settings,
        None => copy.is_by_command && copy.has_more_settings,
    };
    if has_more_settings && !copy.is_of_setup {
        return Err(SaveError::MoreSettings { function: copy.rust_name.to_owned() });
    }
    let markers =
        has_more_settings.then_some(MORE_SETTINGS).into_iter().chain(copy.is_by_command.then_some(BY_COMMAND));
    let name = known.map_or(copy.rust_name, |known| &known.name).to_owned();
    limits::check_timer(&name, &timing.timer)?;
    Ok(SavedSystem {
        name,
        of,
        function: copy.function.map(|key| key.data().as_ffi()),
        state,
        priority: timing.priority.0,
        timer: timing.timer,
        catch_up: timing.catch_up,
        after: timing.after.iter().filter_map(|dependency| place(dependency.system)).chain(markers).collect(),
        before: timing.before.iter().filter_map(|dependency| place(dependency.system)).collect(),
        is_enabled: copy.is_enabled,
        listeners: copy.listeners.iter().flatten().copied().collect(),
    })
}

impl Source<'_> {
    /// The registered name of an event, or the name of its Rust type.
    fn event_name(&self, event: EventTypeId) -> SavedEventName {
        let event_type = self.events.event_type(event);
        let registered = self.types.events.of(event_type.type_id);
        let name = registered.map_or(event_type.name, |known| &known.name).to_owned();
        SavedEventName { name, is_registered: registered.is_some() }
    }

    /// Whether `saved` names this event, which may have been registered since.
    fn is_called(&self, event: EventTypeId, saved: &SavedEventName) -> bool {
        *saved == self.event_name(event) || !saved.is_registered && saved.name == self.events.event_type(event).name
    }
}

/// The identities of a snapshot that was just taken: its systems have the same positions as those of the engine.
pub(super) fn save_identities(snapshot: &Snapshot, source: &Source<'_>) -> SavedIdentities {
    let mut heard: Vec<EventTypeId> = Vec::new();
    let mut numbers = vec![None; source.events.types.len()];
    let mut number = |event: EventTypeId| {
        *numbers[event.index()].get_or_insert_with(|| {
            heard.push(event);
            heard.len() as u32 - 1
        })
    };
    let systems = snapshot.systems.iter().zip(&source.systems.nodes).map(|(copy, node)| SavedIdentity {
        is_registered: source.types.systems.of(copy.system).is_some(),
        // A function that was cancelled listens no more.
        listens: node.listens.iter().take(copy.listeners.len()).map(|(event, _)| number(*event)).collect(),
    });
    let systems = systems.collect();
    SavedIdentities { events: heard.into_iter().map(|event| source.event_name(event)).collect(), systems }
}

impl Loading<'_> {
    /// The system, or the function with this key, if the engine has it.
    fn node(&self, system: TypeId, function: Option<FunctionKey>) -> Option<&SystemNode> {
        match function {
            Some(key) => self.own_function(key),
            None => Some(self.source.systems.find(system)?.1),
        }
    }

    fn own_function(&self, key: FunctionKey) -> Option<&SystemNode> {
        self.functions.get(&key).map(|place| &self.source.systems.nodes[*place])
    }

    /// Whether a save may call this function of the engine so.
    fn is_called_so(&self, node: &SystemNode, name: &str) -> bool {
        node.name == name || self.types.systems.of(node.system).is_some_and(|known| &*known.name == name)
    }

    /// The key of the engine's own function for each saved function: the one with its key and name, or else the next
    /// one with its name. The program may have added other functions before it since.
    fn match_functions(&self, saved: &SavedSystems) -> Vec<Option<FunctionKey>> {
        let mut own: Vec<_> = saved
            .systems
            .iter()
            .map(|system| {
                let key = function_key(system.function?);
                let node = self.own_function(key).filter(|node| node.ends_with.is_none())?;
                self.is_called_so(node, &system.name).then_some(key)
            })
            .collect();
        if own.iter().zip(&saved.systems).all(|(own, system)| own.is_some() || system.function.is_none()) {
            return own;
        }
        let taken: FixedMap<FunctionKey, ()> = own.iter().flatten().map(|key| (*key, ())).collect();
        let mut left: BTreeMap<&str, VecDeque<FunctionKey>> = BTreeMap::new();
        for node in self.source.systems.nodes.iter().filter(|node| node.ends_with.is_none()) {
            count(1);
            let Some(key) = node.function.filter(|key| !taken.contains_key(key)) else { continue };
            let registered = self.types.systems.of(node.system);
            left.entry(registered.map_or(node.name, |known| &*known.name)).or_default().push_back(key);
        }
        for (own, system) in own.iter_mut().zip(&saved.systems).filter(|(own, _)| own.is_none()) {
            if system.function.is_some() {
                *own = left.get_mut(&*system.name).and_then(VecDeque::pop_front);
            }
        }
        own
    }

    /// Keeps the functions of the set-up that the saving program did not have: they come last. One that it had and
    /// that is not in the save had ended.
    fn keep_new_functions(&mut self, saved: &[SavedSystem]) {
        let taken: FixedMap<FunctionKey, ()> = self.own_functions.iter().flatten().map(|key| (*key, ())).collect();
        let names = saved.iter().filter(|system| system.function.is_some()).map(|system| &*system.name);
        let known: BTreeSet<&str> = names.chain(self.ended_functions.iter().map(String::as_str)).collect();
        for node in &self.source.systems.nodes {
            count(1);
            let is_once = matches!(node.run_state.timer(), Timer::OnceAfter { .. });
            let is_of_setup = node.is_of_setup && !is_once && node.ends_with.is_none();
            let Some(own) = node.function.filter(|own| is_of_setup && !taken.contains_key(own)) else { continue };
            let registered = self.types.systems.of(node.system).map(|known| known.name.clone());
            if known.contains(node.name) || registered.as_ref().is_some_and(|name| known.contains(&**name)) {
                continue;
            }
            let function = self.snapshot.functions.insert(self.snapshot.systems.len());
            let (function, own_key) = (Some(function), Some(own));
            self.snapshot.systems.push(SystemCopy { function, own_key, name: registered, ..SystemCopy::of(node) });
            self.loaded.new_systems.push(node.name);
        }
    }

    pub(super) fn take_systems(&mut self, saved: SavedSystems) -> Result<(), LoadError> {
        let invalid = |problem: String| LoadError::invalid("systems", problem);
        limits::check_systems(saved.systems.len())?;
        self.identify(&saved)?;
        self.functions = self.source.systems.function_places();
        self.own_functions = self.match_functions(&saved);
        for (at, system) in saved.systems.iter().enumerate() {
            let place = match self.take_system(at, system)? {
                Some(copy) => {
                    self.taken.insert((copy.system, copy.function), self.snapshot.systems.len());
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
        let copies = self.snapshot.systems.iter().enumerate();
        let places: FixedMap<_, _> = copies.filter_map(|(place, copy)| Some((copy.function?, place))).collect();
        functions.retain(|key, place| {
            let now = places.get(&key).copied();
            *place = now.unwrap_or_default();
            now.is_some()
        });
        self.snapshot.functions = functions;
        self.note_new_systems();
        self.keep_new_functions(&saved.systems);
        Ok(())
    }

    fn note_new_systems(&mut self) {
        let own = self.source.systems.nodes.iter().filter(|node| node.function.is_none() && !node.is_by_command);
        let is_new = |node: &&SystemNode| !self.taken.contains_key(&(node.system, None));
        self.loaded.new_systems = own.filter(is_new).map(|node| node.name).collect();
    }

    /// `None` if the system is gone.
    fn take_system(&self, at: usize, saved: &SavedSystem) -> Result<Option<SystemCopy>, LoadError> {
        let function = saved.function.map(function_key);
        let own_key = self.own_functions[at];
        let registered = || self.types.systems.named(&saved.name).map(|known| (known.type_id, known.rust_name));
        let is_taken = |system, function| self.taken.contains_key(&(system, function));
        // Names of Rust types lack their path, so several types may share one. Functions are told apart by their keys,
        // systems by their order.
        let fits = |node: &&SystemNode| {
            node.name == saved.name && node.function == own_key && !is_taken(node.system, function)
        };
        let is_nameless = |node: &&SystemNode| fits(node) && self.types.systems.of(node.system).is_none();
        let by_rust_name = || {
            // A function can only be the one that was matched.
            let nodes = match function {
                Some(_) => {
                    let place = own_key.and_then(|own| self.functions.get(&own));
                    place.map_or(&[][..], |place| &self.source.systems.nodes[*place..=*place])
                }
                None => &self.source.systems.nodes,
            };
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
            let loaded =
                entry.codec().and_then(|codec| (codec.copies.load_state)(codec, known.version, value.values(), 1));
            state = Some(loaded.map_err(|problem| Self::invalid_value(known, problem))?);
        }
        let (timer, catch_up, priority) = (saved.timer, saved.catch_up, Priority(saved.priority));
        let is_by_command = function.is_none() && saved.after.contains(&BY_COMMAND);
        // One that is made again has the listeners that it had.
        let listeners = match self.node(system, own_key) {
            None if is_by_command => saved.listeners.iter().copied().map(Some).collect(),
            node => self.listeners(at, saved, node),
        };
        Ok(Some(SystemCopy {
            system,
            function,
            own_key: own_key.filter(|own| Some(*own) != function),
            rust_name,
            name: entry.map(|known| known.name.clone()),
            own_type: None,
            state,
            timing: Timing { catch_up, priority, ..Timing::new(timer) },
            is_of_setup: self.own_functions[at]
                .and_then(|own| self.own_function(own))
                .is_some_and(|own| own.is_of_setup),
            is_by_command,
            has_more_settings: is_by_command && saved.after.contains(&MORE_SETTINGS),
            is_enabled: saved.is_enabled,
            listeners,
            queries: Vec::new(),
            asked: Vec::new(),
            locals: Vec::new(),
        }))
    }

    /// Loads the dependencies of a system, once all positions are known.
    fn take_links(&mut self, at: usize, saved: &SavedSystem) -> Result<(), LoadError> {
        let Some(place) = self.places[at] else { return Ok(()) };
        let copy = &self.snapshot.systems[place];
        if (copy.function.is_some() || copy.is_by_command) && saved.after.contains(&MORE_SETTINGS) {
            let own = self.node(copy.system, self.own_functions[at]).filter(|node| node.system == copy.system);
            let ended = || self.source.systems.ended_of_setup(copy.function?, copy.system);
            let own = own.map(SystemNode::timing).or_else(ended).ok_or_else(|| {
                let problem = "it has settings that saves do not hold, such as sets, conditions or functions that it runs after: add it before loading";
                let kind = if copy.function.is_some() { "function" } else { "system" };
                LoadError::invalid(format!("{kind} \"{}\"", saved.name), problem)
            })?;
            let timing = Timing { timer: saved.timer, priority: Priority(saved.priority), ..own };
            let copy = &mut self.snapshot.systems[place];
            (copy.timing, copy.is_of_setup) = (timing, true);
            return Ok(());
        }
        let dependencies = |list: &[u32]| -> Result<Vec<Dependency>, LoadError> {
            let list = list.iter().filter(|system| !copy.is_by_command || **system != BY_COMMAND);
            let copies = list.map(|system| Ok(self.place(*system)?.map(|place| &self.snapshot.systems[place])));
            let copies = copies.collect::<Result<Vec<_>, LoadError>>()?;
            let known = copies.into_iter().flatten().filter(|copy| copy.function.is_none());
            Ok(known.map(|copy| Dependency { system: copy.system, function: None, name: copy.rust_name }).collect())
        };
        let (after, before) = (dependencies(&saved.after)?, dependencies(&saved.before)?);
        // A function of the set-up may have other settings since. If it has a name, it is made again as it was saved.
        let own = self.own_functions[at].and_then(|own| self.own_function(own));
        let own = own.filter(|own| own.is_of_setup && copy.name.is_none()).map(SystemNode::timing);
        let copy = &mut self.snapshot.systems[place];
        (copy.timing.after, copy.timing.before) = (after, before);
        if let Some(own) = own {
            copy.timing = Timing { timer: saved.timer, priority: Priority(saved.priority), ..own };
        }
        Ok(())
    }

    /// Checks that the identities fit the systems.
    fn identify(&mut self, saved: &SavedSystems) -> Result<(), LoadError> {
        let SavedIdentities { events, systems } = &self.identities;
        let fits = |(identity, system): (&SavedIdentity, &SavedSystem)| {
            identity.listens.len() == system.listeners.len()
                && identity.listens.iter().all(|event| (*event as usize) < events.len())
        };
        match systems.len() == saved.systems.len() && systems.iter().zip(&saved.systems).all(fits) {
            true => Ok(()),
            false => Err(LoadError::invalid("identities", "they do not fit the systems")),
        }
    }

    /// Whether a system is unregistered.
    fn is_nameless(&self, at: usize) -> bool {
        !self.identities.systems[at].is_registered
    }

    /// The saved states of a system's listeners: each gets the first unused one of its event, or `None`.
    fn listeners(&self, at: usize, saved: &SavedSystem, node: Option<&SystemNode>) -> Vec<Option<(bool, u64)>> {
        let identities = &self.identities;
        let mut left: Vec<_> = identities.systems[at].listens.iter().zip(&saved.listeners).map(Some).collect();
        let mut take = |event: EventTypeId| {
            let is_of = |(number, _): (&u32, _)| self.source.is_called(event, &identities.events[*number as usize]);
            left.iter_mut().find(|saved| saved.is_some_and(is_of))?.take().map(|(_, state)| *state)
        };
        node.into_iter().flat_map(|node| &node.listens).map(|(event, _)| take(*event)).collect()
    }
}

/// The key of a function from its saved bits.
fn function_key(bits: u64) -> FunctionKey {
    KeyData::from_ffi(bits).into()
}

/// The name of the function is not saved: it belongs to the program.
impl Serialize for FunctionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.key.data().as_ffi().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FunctionId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = u64::deserialize(deserializer)?;
        Ok(Self { key: function_key(bits), name: "function" })
    }
}
