//! Identifies systems and listeners by name, because their positions change between programs.

use super::Source;
use super::error::LoadError;
use super::load::Loading;
use super::part::{SavedEventName, SavedIdentities, SavedIdentity, SavedSystem, SavedSystems};
use crate::event::EventTypeId;
use crate::snapshot::Snapshot;
use crate::system::SystemNode;

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
pub(super) fn save(snapshot: &Snapshot, source: &Source<'_>) -> SavedIdentities {
    let mut heard: Vec<EventTypeId> = Vec::new();
    let mut number = |event: EventTypeId| {
        let known = heard.iter().position(|known| *known == event);
        known.unwrap_or_else(|| {
            heard.push(event);
            heard.len() - 1
        }) as u32
    };
    let systems = snapshot.systems.iter().zip(&source.systems.nodes).map(|(copy, node)| SavedIdentity {
        is_registered: source.types.systems.of(copy.system).is_some(),
        listens: node.listens.iter().map(|(event, _)| number(*event)).collect(),
    });
    let systems = systems.collect();
    SavedIdentities { events: heard.into_iter().map(|event| source.event_name(event)).collect(), systems }
}

impl Loading<'_> {
    /// Checks that the identities fit the systems.
    pub(super) fn identify(&mut self, saved: &SavedSystems) -> Result<(), LoadError> {
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
    pub(super) fn is_nameless(&self, at: usize) -> bool {
        !self.identities.systems[at].is_registered
    }

    /// The saved states of a system's listeners: each gets the first unused one of its event, or `None`.
    pub(super) fn listeners(
        &self,
        at: usize,
        saved: &SavedSystem,
        node: Option<&SystemNode>,
    ) -> Vec<Option<(bool, u64)>> {
        let identities = &self.identities;
        let mut left: Vec<_> = identities.systems[at].listens.iter().zip(&saved.listeners).map(Some).collect();
        let mut take = |event: EventTypeId| {
            let is_of = |(number, _): (&u32, _)| self.source.is_called(event, &identities.events[*number as usize]);
            left.iter_mut().find(|saved| saved.is_some_and(is_of))?.take().map(|(_, state)| *state)
        };
        node.into_iter().flat_map(|node| &node.listens).map(|(event, _)| take(*event)).collect()
    }
}
