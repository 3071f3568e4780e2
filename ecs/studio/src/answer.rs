//! The answer to each request.

use ecs::EntityId;
use ecs::hierarchy::ChildOf;
use ecs::inspect::Inspector;
use serde_json::{Value, json};

use crate::edit::Edit;
use crate::edits::{Change, Place};
use crate::expected::expected;
use crate::journal::{EventRecord, event_link};
use crate::reports::{event_graph, memory, systems};
use crate::request::Request;
use crate::subject::Subject;
use crate::values::{entity_named, from_digits, has_text, limited, name_of, to_digits, values_of};
use crate::watched::{Break, Pace, Watched};

/// An answer, or a sentence that says why there is none.
pub(crate) type Answer = Result<Value, String>;

/// Limits of what one answer holds.
const MOST_ROWS: usize = 1_000;
const MOST_COLUMNS: usize = 16;
/// Limit of the bytes of values in a table. Rows beyond it are left out.
const MOST_TABLE_BYTES: usize = 1 << 22;
/// Limits of the events that the program stops at.
const MOST_BREAKS: usize = 32;
const MOST_BREAK_BYTES: usize = 1_024;
/// Entities whose values are searched for a text.
const MOST_SEARCHED: usize = 2_000;
/// Component of entities from a prefab, if the engine has prefabs.
const FROM_PREFAB: &str = "ecs from prefab";

impl<S: Subject> Watched<S> {
    pub(crate) fn answer(&mut self, subject: &mut S, request: Request) -> Answer {
        if request.leaves_the_middle_of_a_frame() {
            self.leave_partial_frame(subject)?;
        }
        match request {
            Request::Status {} => Ok(self.status(subject)),
            Request::Entities { with, without, search, columns, limit } => {
                let wanted = Wanted { with: &with, without: &without, search: &search };
                entities(&subject.engine().inspector(), &wanted, &columns, rows(limit))
            }
            Request::Entity { entity } => entity_values(subject, entity_named(&entity)?),
            Request::Names {} => {
                let inspector = subject.engine().inspector();
                let components: Vec<_> = inspector.component_names().collect();
                let resources: Vec<_> = inspector.resource_names().collect();
                let (components, resources) = (json!(components), json!(resources));
                Ok(json!({ "components": components, "resources": resources, "prefabs": subject.prefabs() }))
            }
            Request::Resource { resource } => {
                let value = limited(|to| subject.engine().inspector().resource(&resource, to));
                Ok(json!({ "name": resource, "value": value.map_err(|error| error.to_string())? }))
            }
            Request::Systems {} => systems(subject.engine(), &self.costs),
            Request::Events { event, search, frame, limit } => {
                let until = frame.or(self.past).unwrap_or(u64::MAX);
                let is_wanted = |known: &EventRecord| {
                    (event.is_empty() || known.trace.event == event)
                        && frame.is_none_or(|frame| known.trace.frame == frame)
                        && has_text(&known.value, &search)
                };
                let events: Vec<_> =
                    self.journal.events_until(until, is_wanted).take(rows(limit)).map(event_link).collect();
                Ok(json!({ "events": events }))
            }
            Request::EventGraph {} => event_graph(subject.engine()),
            Request::Why { event, change, entity } => self.why(event, change, entity.as_deref()),
            Request::Memory { pool } => memory(subject.engine(), &self.costs, &pool),
            Request::Expected { component, entity, resource, path } => {
                let place = match resource.is_empty() {
                    true => Place::Component(entity_named(&entity)?, component),
                    false => Place::Resource(resource),
                };
                expected(&subject.engine().inspector(), &place, &path)
            }
            Request::WhyValue { entity, component, path } => {
                self.why_value(subject, entity_named(&entity)?, &component, &path)
            }
            Request::Compare { from, to } => self.compare(subject, from, to),
            Request::Pause {} => {
                self.pace = Pace::Paused;
                self.done()
            }
            Request::Run { from_here } => {
                match from_here {
                    true => self.go_on_from_here(),
                    false => self.return_to_the_present(subject)?,
                }
                (self.pace, self.notice) = (Pace::Running, String::new());
                self.done()
            }
            Request::Step { frames } => {
                match self.past.and_then(|frame| self.history.after(frame)) {
                    Some(next) => self.seek(subject, next)?,
                    None => self.pace = Pace::Steps(frames),
                }
                self.notice.clear();
                self.done()
            }
            Request::StepSystem {} => {
                if self.past.is_some() {
                    return Err("this is the past: go on from here before you step through its systems".to_owned());
                }
                if self.pace == Pace::Running {
                    return Err("pause before you step through the systems of a frame".to_owned());
                }
                self.pace = match &self.partial {
                    None => Pace::Systems(1),
                    Some(partial) if partial.systems < partial.order.len() => Pace::Systems(partial.systems + 1),
                    Some(_) => {
                        self.leave_partial_frame(subject)?;
                        Pace::Steps(1)
                    }
                };
                self.notice.clear();
                self.done()
            }
            Request::RunOnce { system } => {
                self.check_present()?;
                if self.pace == Pace::Running {
                    return Err("pause before you run a system alone".to_owned());
                }
                if !subject.engine().systems().iter().any(|known| known.name == system) {
                    return Err(format!("there is no system {system:?}"));
                }
                self.pace = Pace::Alone(system);
                self.notice.clear();
                self.done()
            }
            Request::Seek { frame } => {
                self.seek(subject, frame)?;
                self.notice.clear();
                Ok(self.status(subject))
            }
            Request::Break { event, search } => {
                if self.breaks.len() == MOST_BREAKS || event.len() + search.len() > MOST_BREAK_BYTES {
                    let limits = format!("{MOST_BREAKS} stops of {MOST_BREAK_BYTES} bytes");
                    return Err(format!("there are at most {limits}: clear the others"));
                }
                self.breaks.push(Break { event, search });
                self.done()
            }
            Request::ClearBreaks {} => {
                self.breaks.clear();
                self.done()
            }
            Request::SetComponent { entity, component, path, value } => {
                let place = Place::Component(entity_named(&entity)?, component);
                self.change(subject, |watched, inspector| watched.edits.set(inspector, &place, &path, value))
            }
            Request::RemoveComponent { entity, component } => {
                self.change_place(subject, Place::Component(entity_named(&entity)?, component), Change::Removed)
            }
            Request::EnableComponent { entity, component, enabled } => self.change_place(
                subject,
                Place::Component(entity_named(&entity)?, component),
                Change::Enabled(enabled),
            ),
            Request::EnableEntity { entity, enabled } => {
                self.change_place(subject, Place::Entity(entity_named(&entity)?), Change::Enabled(enabled))
            }
            Request::EnableSystem { system, enabled } => {
                self.change_place(subject, Place::System(system), Change::Enabled(enabled))
            }
            Request::SetResource { resource, path, value } => {
                let place = Place::Resource(resource);
                self.change(subject, |watched, inspector| watched.edits.set(inspector, &place, &path, value))
            }
            Request::Spawn { prefab, arguments } => {
                let edit = match prefab {
                    Some(name) => Edit::Prefab { name, arguments: arguments.to_string() },
                    None => Edit::Spawn,
                };
                self.check_present()?;
                let spawned = self.edit_entity(subject, edit, false)?;
                Ok(json!({ "entity": spawned.map(name_of) }))
            }
            Request::Despawn { entity } => {
                self.check_present()?;
                self.edit_entity(subject, Edit::Despawn { entity: entity_named(&entity)? }, false)?;
                Ok(json!({}))
            }
            Request::Select { entity } => {
                self.selected = entity.map(|entity| entity_named(&entity)).transpose()?;
                self.done()
            }
            Request::Save {} => {
                let frame = subject.engine().time().frame();
                Ok(json!({ "frame": frame, "moment": to_digits(&subject.save()?) }))
            }
            Request::Load { moment } => {
                let bytes = from_digits(&moment).ok_or("a moment is written in hexadecimal digits")?;
                self.load(subject, &bytes)?;
                Ok(self.status(subject))
            }
            Request::Panel { panel, .. } => Err(format!("there is no panel {panel:?}")),
            Request::Undo {} => {
                self.check_present()?;
                self.undo(subject)?;
                Ok(json!({}))
            }
            Request::Redo {} => {
                self.check_present()?;
                self.redo(subject)?;
                Ok(json!({}))
            }
        }
    }

    fn change_place(&mut self, subject: &mut S, place: Place, change: Change<'_>) -> Answer {
        self.change(subject, |watched, inspector| watched.edits.make(inspector, &place, change))
    }

    /// Changes a value of the present by hand.
    fn change(
        &mut self,
        subject: &mut S,
        change: impl FnOnce(&mut Self, &mut Inspector<'_>) -> Result<Edit, String>,
    ) -> Answer {
        self.check_present()?;
        let edit = change(self, &mut subject.engine().inspector())?;
        self.note_in_history(subject, edit);
        Ok(json!({}))
    }

    fn check_present(&self) -> Result<(), String> {
        match (self.past, &self.partial) {
            (Some(_), _) => Err("this is the past: go on from here before you change something".to_owned()),
            (_, Some(_)) => Err("this is the middle of a frame: finish it before you change something".to_owned()),
            (None, None) => Ok(()),
        }
    }

    fn done(&self) -> Answer {
        Ok(json!({ "paused": self.pace != Pace::Running, "past": self.past }))
    }

    fn status(&self, subject: &mut S) -> Value {
        let engine = subject.engine();
        let (oldest, latest) = self.history.range().unzip();
        let times: Vec<_> = self.frame_times.iter().map(|time| time.as_secs_f64() * 1_000.0).collect();
        let (undo, redo) = self.edits.counts();
        let breaks: Vec<_> =
            self.breaks.iter().map(|wanted| json!({ "event": wanted.event, "search": wanted.search })).collect();
        json!({
            "frame": engine.time().frame(),
            "seconds": engine.time().elapsed().as_secs_f64(),
            "entities": engine.entities().len(),
            "paused": self.pace != Pace::Running,
            "past": self.past,
            "middle": self.partial.as_ref().map(|partial| {
                let last = partial.systems.checked_sub(1).and_then(|last| partial.order.get(last));
                json!({ "systems": partial.systems, "of": partial.order.len(), "last": last })
            }),
            "oldest": oldest,
            "latest": latest,
            "notice": self.notice,
            "no_history": self.no_history,
            "frame_ms": times,
            "undo": undo,
            "redo": redo,
            "breaks": breaks,
            "selected": self.selected.map(name_of),
        })
    }

    fn why(&self, event: Option<u64>, change: Option<u64>, entity: Option<&str>) -> Answer {
        let forgotten = || "it is not in the recorded frames".to_owned();
        let chains = match (event, change, entity) {
            (Some(event), ..) => vec![self.journal.why_event(event).ok_or_else(forgotten)?],
            (_, Some(change), _) => vec![self.journal.why_change(change).ok_or_else(forgotten)?],
            (.., Some(entity)) => {
                let changes = self.journal.changes_of(entity_named(entity)?, self.past.unwrap_or(u64::MAX));
                changes.take(MOST_ROWS).filter_map(|change| self.journal.why_change(change.number)).collect()
            }
            _ => return Err("name an event, a change or an entity".to_owned()),
        };
        Ok(json!({ "chains": chains }))
    }
}

fn rows(limit: Option<usize>) -> usize {
    limit.unwrap_or(MOST_ROWS).min(MOST_ROWS)
}

/// Which entities are listed.
struct Wanted<'a> {
    with: &'a [String],
    without: &'a [String],
    search: &'a str,
}

fn entities(inspector: &Inspector<'_>, wanted: &Wanted<'_>, columns: &[String], limit: usize) -> Answer {
    let &Wanted { with, without, search } = wanted;
    let mut columns: Vec<&String> = columns.iter().take(MOST_COLUMNS + 1).collect();
    columns.sort_unstable();
    columns.dedup();
    if columns.len() > MOST_COLUMNS {
        return Err(format!("a table has at most {MOST_COLUMNS} columns"));
    }
    // Also for names that are not registered.
    let named = columns.iter().copied().chain(without).map(String::as_str);
    inspector.entities_with(named).map_err(|error| error.to_string())?;
    let mut bytes = 0;
    let mut found = inspector.entities_with(with.iter().map(String::as_str)).map_err(|error| error.to_string())?;
    found.sort_unstable();
    let count = found.len();
    let (mut total, mut listed) = (0, Vec::new());
    for (at, entity) in found.into_iter().enumerate() {
        let components = inspector.components(entity).unwrap_or_default();
        if components.iter().any(|known| known.name.as_deref().is_some_and(|name| without.iter().any(|of| of == name)))
        {
            continue;
        }
        let label = label(inspector, entity);
        let is_found = search.is_empty()
            || name_of(entity) == search
            || label.contains(search)
            || components.iter().any(|known| known.name.as_deref().unwrap_or(known.rust_name).contains(search))
            || (at < MOST_SEARCHED && values_of(inspector, entity).values().any(|value| has_text(value, search)));
        if !is_found {
            continue;
        }
        total += 1;
        if listed.len() < limit && bytes < MOST_TABLE_BYTES {
            let value = |column: &String| limited(|to| inspector.component(entity, column, to)).unwrap_or_default();
            let values: serde_json::Map<_, _> =
                columns.iter().map(|column| ((*column).clone(), value(column))).collect();
            bytes += if columns.is_empty() { 0 } else { Value::from(values.clone()).to_string().len() };
            let names: Vec<_> =
                components.iter().map(|known| known.name.as_deref().unwrap_or(known.rust_name)).collect();
            listed.push(json!({
                "entity": name_of(entity),
                "label": label,
                "parent": inspector.world().parent(entity).map(name_of),
                "enabled": inspector.world().entities().is_enabled(entity),
                "components": names,
                "values": values,
            }));
        }
    }
    let searched = if search.is_empty() { count } else { count.min(MOST_SEARCHED) };
    Ok(json!({ "entities": listed, "total": total, "is_search_cut": searched < count, "searched": searched }))
}

/// The name of an entity below its parent, or of its prefab; empty if it has none.
fn label(inspector: &Inspector<'_>, entity: EntityId) -> String {
    let prefab = || {
        let value = limited(|to| inspector.component(entity, FROM_PREFAB, to)).ok()?;
        let name = value.get("prefab").and_then(Value::as_str)?;
        Some(name.to_owned())
    };
    let name = inspector.world().get::<ChildOf>(entity).and_then(ChildOf::name).map(str::to_owned);
    name.or_else(prefab).unwrap_or_default()
}

fn entity_values<S: Subject>(subject: &mut S, entity: EntityId) -> Answer {
    let inspector = subject.engine().inspector();
    let gone = || format!("entity {entity} does not exist at this moment");
    let component = |known: ecs::inspect::InspectedComponent| {
        let value = known.name.as_deref().map(|name| limited(|to| inspector.component(entity, name, to)));
        let (value, problem) = match value {
            Some(Ok(value)) => (value, None),
            Some(Err(error)) => (Value::Null, Some(error.to_string())),
            None => (Value::Null, Some("the type is not registered".to_owned())),
        };
        json!({
            "name": known.name.as_deref(), "type": known.rust_name, "enabled": known.is_enabled,
            "value": value, "problem": problem,
        })
    };
    let components: Vec<_> = inspector.components(entity).ok_or_else(gone)?.into_iter().map(component).collect();
    Ok(json!({
        "entity": name_of(entity),
        "label": label(&inspector, entity),
        "parent": inspector.world().parent(entity).map(name_of),
        "enabled": inspector.world().entities().is_enabled(entity),
        "components": components,
    }))
}
