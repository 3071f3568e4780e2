//! [`FieldWatcher`]: compares a field's value before and after each unit of work.

use std::any::Any;
use std::ops::Range;

use super::field::{Field, Owner, Readers, Seen};
use super::scan::{Source, scan};
use super::state::Systems;
use super::suspects::{mismatch, suspects, writes};
use super::{Blame, Write, Writer};
use crate::causal_trace::{CausalTrace, CausedBy};
use crate::event::EventTypeId;
use crate::query::Access;
use crate::system::SystemManager;
use crate::system::node::{Phase, SystemNode};
use crate::types::Leaf;
use crate::world::World;

/// Changes that are kept.
const MOST_WRITES: usize = 1_000;
/// Leaves of an event that are told.
const MOST_PARTS: usize = 12;

/// The hook of the executor: nothing, or a watched field.
#[derive(Default)]
pub(crate) struct FieldWatcher(Option<Box<Watch>>);

/// What is watched for.
pub(crate) struct Request {
    pub(crate) field: Field,
    /// The places with this value are looked for right before the unit of this number.
    pub(crate) scan: Option<(u64, Leaf)>,
    /// The frames that an inspector traced before.
    pub(crate) traced_frames: usize,
}

/// A method of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::system) enum Method {
    Phase(Phase),
    /// By its place among the listeners.
    Listener(usize),
    /// By its place among the methods that transitions call.
    Transition(usize),
}

/// A method that may write the field, and was called.
pub(super) struct Ran {
    pub(super) system: usize,
    pub(super) method: Method,
    /// 0 if its conditions were false each time.
    pub(super) calls: u64,
    pub(super) mismatch: Option<String>,
}

struct Watch {
    request: Request,
    readers: Readers,
    seen: Seen,
    frame: u64,
    /// The units that have run.
    units: u64,
    /// The events that units have sent, by their numbers, with the unit and its name.
    sent: Vec<(Range<u64>, u64, String)>,
    /// The number of events before the unit that runs.
    events_before: u64,
    /// In this frame.
    ran: Vec<Ran>,
    /// The suspects of the first frame are noted.
    has_suspects: bool,
    blame: Blame,
}

impl FieldWatcher {
    /// Whether a field is watched: then one thread runs all units in their order.
    pub(crate) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Begins to watch a field, as it is now.
    pub(crate) fn begin(&mut self, request: Request, readers: Readers, world: &World, systems: &SystemManager) {
        let seen = Seen::of(&request.field, &readers, world, Systems::All(systems));
        let blame = Blame {
            field: request.field.clone(),
            before: seen.text(&request.field),
            after: None,
            writes: Vec::new(),
            suspects: Vec::new(),
            sources: Vec::new(),
            is_scan_cut: false,
        };
        self.0 = Some(Box::new(Watch {
            request,
            readers,
            seen,
            frame: 0,
            units: 0,
            sent: Vec::new(),
            events_before: 0,
            ran: Vec::new(),
            has_suspects: false,
            blame,
        }));
    }

    /// Ends the watch; `None` if there was none. Returns the frames that an inspector traced before, too.
    pub(crate) fn end(&mut self, world: &World, systems: &SystemManager) -> Option<(Blame, usize)> {
        let mut watch = self.0.take()?;
        watch.end_unit(|_| (Writer::Program, Vec::new()), world, Systems::All(systems));
        watch.blame.after = watch.seen.text(&watch.request.field);
        Some((watch.blame, watch.request.traced_frames))
    }

    /// What changed since the last frame, the program wrote.
    pub(crate) fn begin_frame(&mut self, frame: u64, world: &World, systems: &SystemManager) {
        let Some(watch) = &mut self.0 else { return };
        watch.end_unit(|_| (Writer::Program, Vec::new()), world, Systems::All(systems));
        watch.frame = frame;
    }

    /// A method is called next; `heard` is the number of the event that it gets.
    pub(in crate::system) fn before_method(
        &mut self,
        (system, node): (usize, &SystemNode),
        method: Method,
        heard: Option<u64>,
        world: &World,
        trace: Option<&CausalTrace>,
    ) {
        let Some(watch) = &mut self.0 else { return };
        watch.events_before = world.events.collected();
        if let Some((unit, leaf)) = &watch.request.scan
            && *unit == watch.units
        {
            let (leaf, blame) = (leaf.clone(), &mut watch.blame);
            let own = &watch.request.field;
            let is_whole = scan(&leaf, own, node, method, &watch.readers, world, &mut blame.sources);
            blame.is_scan_cut = !is_whole;
            watch.scan_event(&leaf, heard, trace);
        }
        let (field, readers) = (&watch.request.field, &watch.readers);
        let may_write = |access: &&Access| writes(node, access, field, readers, world);
        let mut writing = method.accesses(node).filter(may_write).peekable();
        if writing.peek().is_some() {
            // One that matches is enough.
            let sentences: Option<Vec<_>> = writing.map(|access| mismatch(access, field, world)).collect();
            let ran = watch.ran(system, method);
            ran.calls += 1;
            ran.mismatch = sentences.and_then(|sentences| sentences.into_iter().next());
        }
    }

    /// The conditions of a listener were false.
    pub(in crate::system) fn skip_listener(&mut self, system: usize, listener: usize) {
        if let Some(watch) = &mut self.0 {
            watch.ran(system, Method::Listener(listener));
        }
    }

    /// A method has run, and its output was collected.
    pub(in crate::system) fn after_method(
        &mut self,
        node: &SystemNode,
        method: Method,
        heard: Option<(EventTypeId, Option<u64>)>,
        world: &World,
        trace: Option<&CausalTrace>,
    ) {
        let Some(watch) = &mut self.0 else { return };
        let sent = watch.events_before..world.events.collected();
        if !sent.is_empty() {
            let name = method.writer(node, None, world, |_| true, |_| None).to_string();
            watch.sent.push((sent, watch.units, name));
        }
        let field = watch.request.field.clone();
        watch.end_unit(
            |readers| {
                let value = |number| event_text(readers, trace?, number);
                let writes = |access: &Access| writes(node, access, &field, readers, world);
                let writer = method.writer(node, heard.and_then(|(_, number)| number), world, writes, value);
                let cause = match (heard, trace) {
                    (Some((_, Some(number))), Some(trace)) => trace.causes(CausedBy::Listener(node.name, number)),
                    (Some((_, None)), Some(trace)) => trace.causes_of_command(),
                    _ => Vec::new(),
                };
                (writer, cause)
            },
            world,
            Systems::One(node),
        );
    }

    /// The engine has made a transition.
    pub(in crate::system) fn after_transition(&mut self, states: &'static str, world: &World) {
        if let Some(watch) = &mut self.0 {
            watch.end_unit(|_| (Writer::Transition { states }, Vec::new()), world, Systems::None);
        }
    }

    /// The engine has applied a command of a system.
    pub(in crate::system) fn after_command(
        &mut self,
        system: &'static str,
        world: &World,
        trace: Option<&CausalTrace>,
    ) {
        let Some(watch) = &mut self.0 else { return };
        let (unit, scan) = (watch.units, &watch.request.scan);
        let heard = trace.and_then(CausalTrace::heard_by_last_change);
        if let Some((_, leaf)) = scan.as_ref().filter(|(of, _)| *of == unit) {
            let leaf = leaf.clone();
            watch.scan_event(&leaf, heard, trace);
        }
        watch.end_unit(
            |_| {
                let last = trace.and_then(CausalTrace::last_change);
                let command = last.map_or("a command", |(_, change)| change);
                let cause = last.zip(trace).map(|((number, _), trace)| trace.causes(CausedBy::Change(number)));
                (Writer::Command { command, system, heard }, cause.unwrap_or_default())
            },
            world,
            Systems::None,
        );
    }

    /// The conditions of systems were checked, which may have private state.
    pub(in crate::system) fn after_conditions(&mut self, systems: &SystemManager, world: &World) {
        if let Some(watch) = &mut self.0 {
            watch.end_unit(|_| (Writer::Conditions, Vec::new()), world, Systems::All(systems));
        }
    }

    /// The engine has added and removed the systems that come and go.
    pub(crate) fn after_changes_of_systems(&mut self, systems: &SystemManager, world: &World) {
        if let Some(watch) = &mut self.0 {
            watch.end_unit(|_| (Writer::EndOfFrame, Vec::new()), world, Systems::All(systems));
        }
    }

    /// A frame ends, before systems are switched.
    pub(in crate::system) fn end_frame(&mut self, systems: &SystemManager, world: &World) {
        let Some(watch) = &mut self.0 else { return };
        if !std::mem::replace(&mut watch.has_suspects, true) {
            watch.blame.suspects = suspects(&watch.request.field, &watch.ran, &watch.readers, systems, world);
        }
        watch.ran.clear();
        watch.sent.clear();
    }
}

impl Watch {
    fn ran(&mut self, system: usize, method: Method) -> &mut Ran {
        let known = self.ran.iter().position(|ran| (ran.system, ran.method) == (system, method));
        let at = known.unwrap_or(self.ran.len());
        if known.is_none() {
            self.ran.push(Ran { system, method, calls: 0, mismatch: None });
        }
        &mut self.ran[at]
    }

    /// Notes what the unit that has just run has changed.
    fn end_unit(
        &mut self,
        by: impl FnOnce(&Readers) -> (Writer, Vec<crate::causal_trace::CauseLink>),
        world: &World,
        systems: Systems<'_>,
    ) {
        let (unit, field) = (self.units, &self.request.field);
        self.units += 1;
        if let Owner::System(key) = field.owner
            && !systems.may_contain(key)
        {
            return;
        }
        let now = Seen::of(field, &self.readers, world, systems);
        if now == self.seen {
            return;
        }
        let (by, cause) = by(&self.readers);
        let kind = self.seen.kind(&now);
        let (changes, leaf) = self.seen.changes(&now, field);
        if self.blame.writes.len() == MOST_WRITES {
            self.blame.writes.remove(0);
        }
        self.blame.writes.push(Write { frame: self.frame, by, kind, changes, cause, unit, leaf });
        self.seen = now;
    }

    /// Adds the fields of an event that have a value.
    fn scan_event(&mut self, leaf: &Leaf, heard: Option<u64>, trace: Option<&CausalTrace>) {
        let Some((number, trace)) = heard.zip(trace) else { return };
        let (Some(event), Some((event_type, Some((events, at))))) = (trace.event_name(number), trace.value(number))
        else {
            return;
        };
        let events: &dyn Any = &**events;
        let (sources, sent) = (&mut self.blame.sources, &self.sent);
        self.readers.walk_event(event_type, events, at, &mut |field, other| {
            if other.is_as(leaf) {
                let sender = sent.iter().find(|(numbers, ..)| numbers.contains(&number));
                let sent_by = sender.map(|(_, unit, name)| (*unit, name.clone()));
                sources.push(Source::Event { event, number, field: field.to_owned(), sent_by });
            }
        });
    }
}

impl Method {
    fn writer(
        self,
        node: &SystemNode,
        number: Option<u64>,
        world: &World,
        writes: impl Fn(&Access) -> bool,
        value: impl FnOnce(u64) -> Option<String>,
    ) -> Writer {
        let system = node.name;
        match self {
            Self::Phase(phase) => Writer::System { system, phase: phase.name(), methods: self.names(node, writes) },
            Self::Listener(listener) => {
                let event = world.events.event_type(node.listens[listener].0).name;
                let method = self.names(node, |_| true).first().copied();
                Writer::Listener { system, event, method, number, value: number.and_then(value) }
            }
            Self::Transition(method) => {
                Writer::TransitionMethod { system, states: node.state_methods[method].states() }
            }
        }
    }
}

/// A traced event as people read it.
fn event_text(readers: &Readers, trace: &CausalTrace, number: u64) -> Option<String> {
    let (event_type, copied) = trace.value(number)?;
    let (events, at) = copied?;
    let mut parts = Vec::new();
    let mut count = 0;
    readers.walk_event(event_type, &**events, at, &mut |path, leaf| {
        if leaf == Leaf::Empty && path.is_empty() {
            return;
        }
        count += 1;
        if parts.len() < MOST_PARTS {
            let space = if path.is_empty() { "" } else { " " };
            parts.push(format!("{path}{space}{leaf}"));
        }
    });
    let rest = count - parts.len();
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    (!parts.is_empty()).then(|| format!("{}{rest}", parts.join(", ")))
}
