//! Looking at other frames: what differs between two, and when a value changed.

use std::collections::BTreeMap;

use ecs::EntityId;
use serde_json::{Value, json};

use crate::budget::Budget;
use crate::edits::Place;
use crate::journal::{change_link, event_link};
use crate::subject::Subject;
use crate::values::{Answer, differences, has_text, name_of, values_of};
use crate::watched::Watched;

/// Limit of the differences between two frames.
const MAX_DIFFERENCES: usize = 1_000;
/// Limits of the frames in which the changes of a value are looked for, and of what is told of them.
const MAX_LOOKED_AT: u64 = 300;
const MAX_VALUE_CHANGES: usize = 20;
const MAX_VALUE_EVENTS: usize = 20;

impl<S: Subject> Watched<S> {
    /// Returns an error while a partly run frame is shown: showing another one would discard it.
    pub(crate) fn check_whole_frame(&self) -> Result<(), String> {
        match self.partial {
            Some(_) => Err("this is the middle of a frame: finish it before you look at other frames".to_owned()),
            None => Ok(()),
        }
    }

    /// The last changes of a component or of a part of it up to the shown frame, as far as frames are kept.
    pub(crate) fn why_value(&mut self, subject: &mut S, entity: EntityId, component: &str, path: &str) -> Answer {
        self.check_whole_frame()?;
        self.keep_the_present(subject)?;
        let inspector = subject.engine().inspector();
        inspector.entities_with([component]).map_err(|error| error.to_string())?;
        let known = inspector.components(entity).unwrap_or_default();
        let rust_name =
            known.iter().find(|known| known.name.as_deref() == Some(component)).map(|known| known.rust_name);
        let explained = subject.engine().explain().map_err(|error| error.to_string())?;
        let writes = |what: &String| what == "the whole world" || what.strip_prefix("component ") == rust_name;
        let writers = explained.systems.iter().filter(|place| place.is_enabled && place.writes.iter().any(writes));
        let writers: Vec<_> = writers.map(|place| place.system).collect();

        let (begin, latest) = self.history.range().ok_or("no frame is kept yet")?;
        let until = self.past.unwrap_or(latest);
        let oldest_wanted = begin.max(until.saturating_sub(MAX_LOOKED_AT));
        let place = Place::Component(entity, component.to_owned());
        let (found, oldest, is_cut) =
            self.value_changes(subject, &place, path, until, oldest_wanted, MAX_VALUE_CHANGES)?;
        let journal = self.journal_with(subject, until);
        let changes = found.into_iter().map(|ValueChange { earlier, frame, before, after }| {
            let events = journal.events_until(frame).take_while(|event| event.trace.frame > earlier);
            let of_entity = events.filter(|event| has_text(&event.value, &name_of(entity)));
            let events: Vec<_> = of_entity.take(MAX_VALUE_EVENTS).map(event_link).collect();
            let commands: Vec<_> = journal
                .changes_of(entity, frame)
                .take_while(|change| change.frame > earlier)
                .take(MAX_VALUE_EVENTS)
                .map(change_link)
                .collect();
            json!({
                "frame": frame, "earlier": earlier, "before": before, "after": after, "events": events, "commands": commands,
            })
        });
        let changes: Vec<_> = changes.collect();
        Ok(json!({ "changes": changes, "writers": writers, "oldest": oldest, "frame": until, "is_cut": is_cut }))
    }

    /// The last changes of a value in the frames up to `until`, the latest first; at most so many. Returns the oldest
    /// frame that was looked at, too, and whether there was no time for more.
    pub(crate) fn value_changes(
        &mut self,
        subject: &mut S,
        place: &Place,
        path: &str,
        mut until: u64,
        oldest_wanted: u64,
        most: usize,
    ) -> Result<(Vec<ValueChange>, Option<u64>, bool), String> {
        let (_, latest) = self.history.range().ok_or("no frame is kept yet")?;
        let mut seen: Option<(u64, Option<Value>)> = None;
        let mut found = Vec::new();
        let budget = Budget::of_looks(1);
        let mut is_cut;
        loop {
            // From the checkpoint before it, the frames up to this one are run again once.
            let first = self.history.owner(until).map_or(until, |branch| {
                branch.around(branch.position_of(until)).0.at.frame.max(oldest_wanted).min(until)
            });
            let mut values = Vec::new();
            let looked = self.go_through(subject, first, until, |subject, frame| {
                let value = place.value(&subject.engine().inspector());
                values.push((frame, value.and_then(|value| value.pointer(path).cloned())));
            });
            if looked.is_err() {
                self.go(subject, self.past.unwrap_or(latest))?;
            }
            looked?;
            for (frame, value) in values.into_iter().rev() {
                if let Some((later, after)) = seen.take()
                    && after != value
                {
                    found.push(ValueChange { earlier: frame, frame: later, before: value.clone(), after });
                }
                seen = Some((frame, value));
                if found.len() == most {
                    break;
                }
            }
            is_cut = budget.is_spent();
            let Some(before) = first.checked_sub(1).filter(|before| *before >= oldest_wanted) else { break };
            if is_cut || found.len() == most {
                break;
            }
            until = before;
        }
        self.go(subject, self.past.unwrap_or(latest))?;
        is_cut &= found.len() < most && seen.as_ref().is_some_and(|(frame, _)| *frame > oldest_wanted);
        Ok((found, seen.map(|(frame, _)| frame), is_cut))
    }

    /// The differences between two frames, for the entities after `after`, as many as the time limit allows.
    pub(crate) fn compare(&mut self, subject: &mut S, from: u64, to: u64, after: Option<EntityId>) -> Answer {
        self.check_whole_frame()?;
        let mut seen = Vec::new();
        self.look_at(subject, [from, to], |subject, frame| {
            seen.push((frame, entities_after(subject, after)));
            true
        })?;
        let [(from, (before, last_before)), (to, (after, last_after))] = &seen[..] else {
            return Err("no frame is kept yet".to_owned());
        };
        let mut last = [*last_before, *last_after].into_iter().flatten().min();
        let mut entities: Vec<EntityId> = before.keys().chain(after.keys()).copied().collect();
        entities.sort_unstable();
        entities.dedup();
        entities.retain(|entity| last.is_none_or(|last| *entity <= last));
        let mut differing = Vec::new();
        let mut count = 0;
        for entity in entities {
            let (of_before, of_after) = (before.get(&entity), after.get(&entity));
            let mut found = Vec::new();
            if let (Some(of_before), Some(of_after)) = (of_before, of_after) {
                differences(&of_before.disabled, &of_after.disabled, "/disabled", &mut found);
                differences(&of_before.values, &of_after.values, "", &mut found);
            }
            let is_born = of_before.is_none();
            let is_gone = of_after.is_none();
            if !found.is_empty() || is_born || is_gone {
                count += found.len().max(1);
                differing.push(json!({
                    "entity": name_of(entity), "spawned": is_born, "despawned": is_gone, "differences": found,
                }));
            }
            if count > MAX_DIFFERENCES {
                last = Some(entity);
                break;
            }
        }
        Ok(json!({ "from": from, "to": to, "entities": differing, "compared_to": last.map(name_of) }))
    }
}

/// A change of a value between two frames that can be shown.
pub(crate) struct ValueChange {
    pub(crate) earlier: u64,
    pub(crate) frame: u64,
    before: Option<Value>,
    after: Option<Value>,
}

/// An entity in a comparison.
struct Seen {
    values: Value,
    /// The types of its disabled components, and the entity itself if it is disabled.
    disabled: Value,
}

/// The entities that follow one in the order of their ids, and the last of them if the time was too short for all.
fn entities_after<S: Subject>(
    subject: &mut S,
    after: Option<EntityId>,
) -> (BTreeMap<EntityId, Seen>, Option<EntityId>) {
    let inspector = subject.engine().inspector();
    let seen = |entity| {
        let components = inspector.components(entity).unwrap_or_default();
        let mut disabled: Vec<_> =
            components.iter().filter(|known| !known.is_enabled).map(|known| known.rust_name).collect();
        if inspector.world().entities().is_enabled(entity) == Some(false) {
            disabled.push("the entity");
        }
        Seen { values: values_of(&inspector, entity).into_iter().collect(), disabled: disabled.into() }
    };
    let mut all = inspector.entities_with([]).unwrap_or_default();
    all.retain(|entity| after.is_none_or(|after| *entity > after));
    all.sort_unstable();
    let (budget, mut found) = (Budget::begin(), BTreeMap::new());
    for entity in &all {
        found.insert(*entity, seen(*entity));
        if budget.is_spent() {
            break;
        }
    }
    let last = found.keys().next_back().copied().filter(|last| Some(last) != all.last());
    (found, last)
}
