//! The answer to each request.

use ecs::EntityId;
use ecs::inspect::{Edit, Inspector};
use serde_json::{Value, json};

use crate::budget::Budget;
use crate::edits::{Change, Place};
use crate::expected::expected;
use crate::journal::{EventRecord, Journal, event_link};
use crate::listing::{Wanted, entities};
use crate::reports::{event_graph, memory, systems};
use crate::request::Request;
use crate::server::MAX_REQUEST_BYTES;
use crate::subject::Subject;
use crate::values::{Answer, entity_named, from_digits, has_text, limited, name_of, rows, to_digits};
use crate::watched::{Break, ENDED, Pace, Watched};

/// Limit of the chains of one answer.
const MAX_CHAINS: usize = 50;
/// Limits of the events that the program stops at.
const MAX_BREAKS: usize = 32;
const MAX_BREAK_BYTES: usize = 1_024;
/// Limit of the bytes of a saved moment, whose digits one request must hold.
const MAX_MOMENT_BYTES: usize = MAX_REQUEST_BYTES / 2 - 1_024;

impl<S: Subject> Watched<S> {
    pub(crate) fn answer(&mut self, subject: &mut S, request: Request) -> Answer {
        if request.leaves_the_middle_of_a_frame() {
            self.abort_partial_frame(subject)?;
        }
        match request {
            Request::Status {} => Ok(self.status(subject)),
            Request::Entities { with, without, search, columns, sort, by_label, descending, tree, skip, limit } => {
                let with = self.criteria(subject, &with)?;
                let (with, without, columns, search, sort) = (&with, &without, &columns, &search, &sort);
                let wanted = Wanted { with, without, search, columns, sort, by_label, descending, tree, skip, limit };
                entities(&subject.engine().inspector(), &wanted)
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
            Request::Events { event, search, frame, skip, limit } => {
                let until = frame.or(self.past).unwrap_or(u64::MAX);
                let is_wanted = |known: &EventRecord| {
                    (event.is_empty() || known.trace.event == event)
                        && frame.is_none_or(|frame| known.trace.frame == frame)
                        && has_text(&known.value, &search)
                };
                let (budget, mut events, mut searched_to, mut skipped) = (Budget::begin(), Vec::new(), None, 0);
                let mut has_more = false;
                let shown = subject.engine().time().frame();
                let journal = self.journal_with(subject, until.min(shown));
                for known in journal.events_until(until) {
                    if is_wanted(known) {
                        has_more = events.len() == rows(limit);
                        if has_more {
                            break;
                        }
                        match skipped < skip {
                            true => skipped += 1,
                            false => events.push(event_link(known)),
                        }
                    }
                    if budget.is_spent() {
                        searched_to = Some(known.trace.frame);
                        break;
                    }
                }
                Ok(json!({
                    "events": events, "skip": skip, "has_more": has_more, "searched_to": searched_to,
                    "known_from": journal.known_from(),
                }))
            }
            Request::EventGraph {} => event_graph(subject.engine()),
            Request::Why { event, change, entity } => self.why(subject, event, change, entity.as_deref()),
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
            Request::Blame { entity, component, resource, system, path, frame, last_change } => {
                let place = match (resource.is_empty(), system.is_empty()) {
                    (true, true) => Place::Component(entity_named(&entity)?, component),
                    (false, true) => Place::Resource(resource),
                    (_, false) => Place::System(system),
                };
                self.blame(subject, &place, &path, frame, last_change)
            }
            Request::Compare { from, to, after } => {
                let after = after.map(|after| entity_named(&after)).transpose()?;
                self.compare(subject, from, to, after)
            }
            Request::CompareBranches { with, from, bound } => self.compare_branches(subject, with, from, bound),
            Request::Pause {} => {
                (self.pace, self.runs_behind_the_past) = (Pace::Paused, false);
                self.done()
            }
            Request::Now {} => {
                if self.past.is_some() {
                    let runs_on = self.runs_behind_the_past;
                    self.return_to_the_present(subject)?;
                    if runs_on {
                        self.let_run(Pace::Running);
                    }
                }
                self.done()
            }
            Request::BeginBranch {} => {
                if self.past.is_none() {
                    return Err("this is the present: show a frame of the past, where the branch begins".to_owned());
                }
                self.go_on_from_here(subject);
                (self.pace, self.notice) = (Pace::Paused, String::new());
                self.done()
            }
            Request::Run { from_here } => {
                match from_here {
                    true => self.go_on_from_here(subject),
                    false => self.return_to_the_present(subject)?,
                }
                self.let_run(Pace::Running);
                self.done()
            }
            Request::Step { frames } => {
                match self.past {
                    Some(past) => self.seek_on(subject, past, frames)?,
                    None => self.let_run(Pace::Steps(frames)),
                }
                self.done()
            }
            Request::StepSystem {} => {
                if self.pace == Pace::Running {
                    return Err("pause before you step through the systems of a frame".to_owned());
                }
                if self.past.is_none() && self.is_over() {
                    return Err(ENDED.to_owned());
                }
                let next = match &self.partial {
                    None => Some(1),
                    Some(partial) => (partial.systems < partial.order.len()).then_some(partial.systems + 1),
                };
                match (next, self.past) {
                    (Some(count), Some(past)) => self.run_partial_frame_again(subject, past, count)?,
                    (Some(count), None) => self.pace = Pace::Systems(count),
                    (None, Some(past)) => {
                        self.abort_partial_frame(subject)?;
                        self.seek_on(subject, past, 1)?;
                    }
                    (None, None) => {
                        self.abort_partial_frame(subject)?;
                        self.pace = Pace::Steps(1);
                    }
                }
                self.notice.clear();
                self.done()
            }
            Request::RunOnce { system } => {
                self.check_present()?;
                if self.pace == Pace::Running {
                    return Err("pause before you run a system alone".to_owned());
                }
                if self.is_over() {
                    return Err(ENDED.to_owned());
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
                Ok(self.status(subject))
            }
            Request::Branches {} => Ok(self.branches()),
            Request::Branch { branch, frame } => {
                self.choose_branch(subject, branch, frame)?;
                Ok(self.status(subject))
            }
            Request::NameBranch { branch, name } => {
                self.name_branch(branch, name)?;
                Ok(self.branches())
            }
            Request::End {} => {
                if !self.is_at_end {
                    return Err("the program does not wait at its end".to_owned());
                }
                self.is_ended = true;
                self.done()
            }
            Request::Break { event, search } => {
                if self.breaks.len() == MAX_BREAKS || event.len() + search.len() > MAX_BREAK_BYTES {
                    let limits = format!("{MAX_BREAKS} stops of {MAX_BREAK_BYTES} bytes");
                    return Err(format!("there are at most {limits}: clear the others"));
                }
                self.breaks.push(Break { event, search });
                self.done()
            }
            Request::Find { question, backward } => {
                self.begin_search(subject, &question, backward)?;
                self.done()
            }
            Request::Curve { question, columns } => self.curve(subject, &question, columns),
            Request::EndSearch {} => {
                self.search = None;
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
                let (frame, bytes) = (subject.engine().time().frame(), subject.save()?);
                if bytes.len() > MAX_MOMENT_BYTES {
                    return Err(format!("the moment has {} bytes, must have at most {MAX_MOMENT_BYTES}", bytes.len()));
                }
                Ok(json!({ "frame": frame, "moment": to_digits(&bytes) }))
            }
            Request::Load { moment } => {
                let bytes = from_digits(&moment).ok_or("a moment is written in hexadecimal digits")?;
                self.load(subject, &bytes)?;
                Ok(self.status(subject))
            }
            Request::Panel { panel, .. } => Err(format!("there is no panel {panel:?}")),
            Request::Watch { stream, .. } => Err(format!("no stream {stream:?} is open")),
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
        subject.after_edit(&edit);
        self.note(subject, edit, false);
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
            "branch": self.history.current().map(|branch| json!({ "branch": branch.id, "name": branch.name })),
            "branches": self.history.branches().len(),
            "oldest": oldest,
            "latest": latest,
            "inexact": self.inexact,
            "at_end": self.is_at_end && self.pace == Pace::Paused,
            "history_bytes": self.history.bytes(),
            "notice": self.notice,
            "no_history": self.no_history,
            "frame_ms": times,
            "undo": undo,
            "redo": redo,
            "breaks": breaks,
            "search": self.search.as_ref().map(|search| search.status(&self.pace, self.is_over())),
            "selected": self.selected.map(name_of),
            "picks": self.picks.0,
            "picked": self.picks.1.map(name_of),
        })
    }

    fn branches(&self) -> Value {
        let current = self.history.current().map(|branch| branch.id);
        let branches = self.history.branches().iter().map(|branch| {
            json!({
                "branch": branch.id, "name": branch.name, "from": branch.from.map(|(id, _)| id), "begin": branch.begin,
                "latest": branch.latest(), "current": Some(branch.id) == current,
            })
        });
        json!({ "branches": branches.collect::<Vec<_>>() })
    }

    /// The chains of causes of an event, of a command, or of what changed an entity up to the shown frame.
    fn why(&mut self, subject: &mut S, event: Option<u64>, change: Option<u64>, entity: Option<&str>) -> Answer {
        let chains = match (event, change, entity) {
            (None, None, Some(entity)) => {
                let (entity, shown) = (entity_named(entity)?, subject.engine().time().frame());
                let journal = self.journal_with(subject, shown);
                let changes = journal.changes_of(entity, shown).take(MAX_CHAINS);
                changes.filter_map(|change| journal.why_change(change.number)).collect()
            }
            (None, None, None) => return Err("name an event, a change or an entity".to_owned()),
            _ => {
                let of = |journal: &Journal| match event {
                    Some(event) => journal.why_event(event),
                    None => journal.why_change(change?),
                };
                let chain = of(&self.journal).or_else(|| of(self.earlier.journal()));
                vec![chain.ok_or("it is not in the recorded frames")?]
            }
        };
        Ok(json!({ "chains": chains }))
    }
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
        "label": inspector.label(entity),
        "parent": inspector.world().parent(entity).map(name_of),
        "enabled": inspector.world().entities().is_enabled(entity),
        "components": components,
    }))
}
