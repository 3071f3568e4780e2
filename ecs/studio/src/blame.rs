//! What wrote a value: the frame in which it changed is run again, unit by unit.

use ecs::EntityId;
use ecs::inspect::{Blame, BlameRequest, Field, Inspector, WhyValue, Writer};
use serde_json::{Value, json};

use crate::edits::Place;
use crate::subject::Subject;
use crate::values::{Answer, name_of};
use crate::watched::Watched;

impl<S: Subject> Watched<S> {
    /// What wrote a value in a frame, or in the last one up to it in which it changed.
    pub(crate) fn blame(
        &mut self,
        subject: &mut S,
        place: &Place,
        path: &str,
        frame: Option<u64>,
        last_change: bool,
    ) -> Answer {
        self.check_whole_frame()?;
        self.keep_the_present(subject)?;
        let field = field(&subject.engine().inspector(), place, path)?;
        let (oldest, latest) = self.history.range().ok_or("no frame is kept yet")?;
        let mut frame = frame.or(self.past).unwrap_or(latest);
        if !(oldest..=latest).contains(&frame) {
            return Err(format!("there is no frame {frame}: this branch has frames {oldest} to {latest}"));
        }
        if last_change {
            let (found, looked_to, is_cut) = self.value_changes(subject, place, path, frame, oldest, 1)?;
            match found.first() {
                Some(change) => frame = change.frame,
                None => return Ok(json!({ "field": field.to_string(), "looked_to": looked_to, "is_cut": is_cut })),
            }
        }
        while self.history.owner(frame).is_some_and(|branch| branch.is_within_a_step(frame)) {
            frame += 1;
        }
        if frame == oldest {
            return Err(format!("frame {frame} is the first one that is kept: what happened in it is not known"));
        }
        let why =
            self.in_frame(subject, frame, |subject, again| WhyValue::find(&field, |request| again(subject, request)));
        self.go(subject, self.past.unwrap_or(latest))?;
        Ok(told(&why?, frame))
    }

    /// Calls `ask` with a function that runs a frame again while a field is watched.
    fn in_frame<R>(
        &mut self,
        subject: &mut S,
        frame: u64,
        ask: impl FnOnce(&mut S, &mut dyn FnMut(&mut S, BlameRequest) -> Result<Blame, String>) -> Result<R, String>,
    ) -> Result<R, String> {
        let mut before = frame - 1;
        while before > 0 && self.history.owner(before).is_some_and(|branch| branch.is_within_a_step(before)) {
            before -= 1;
        }
        let shown = self.go(subject, before)?;
        if shown != before {
            let why = self.inexact.clone().unwrap_or_else(|| format!("frame {before} cannot be shown"));
            return Err(why);
        }
        let mut snapshot = self.history.spare();
        subject.snapshot_into(&mut snapshot).map_err(|error| error.to_string())?;
        ask(subject, &mut |subject, request| self.run_watched(subject, &snapshot, before, frame, request))
    }
}

/// The field that a place and a path (RFC 6901) name.
fn field(inspector: &Inspector<'_>, place: &Place, path: &str) -> Result<Field, String> {
    let (entity, name): (Option<EntityId>, _) = match place {
        Place::Component(entity, name) => (Some(*entity), name),
        Place::Resource(name) => (None, name),
        Place::System(name) => (None, &format!("system `{name}`")),
        Place::Entity(_) => return Err("it has no value".to_owned()),
    };
    let steps = path.split('/').skip(1).map(|step| format!(".`{}`", step.replace("~1", "/").replace("~0", "~")));
    let text = format!("{name}{}", steps.collect::<String>());
    inspector.field(entity, &text).map_err(|error| error.to_string())
}

fn told(WhyValue { blame, origins }: &WhyValue, frame: u64) -> Value {
    let writes = blame.writes.iter().zip(origins).map(|(write, origins)| {
        let changes = write
            .changes
            .iter()
            .map(|change| json!({ "name": change.name, "before": change.before, "after": change.after }));
        let cause =
            write.cause.iter().map(|link| json!({ "frame": link.frame, "what": link.what, "system": link.system }));
        json!({
            "by": write.by.to_string(), "system": system_of(&write.by), "kind": write.kind.to_string(),
            "changes": changes.collect::<Vec<_>>(), "cause": cause.collect::<Vec<_>>(),
            "origins": origins.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    });
    let suspects = blame.suspects.iter().map(
        |suspect| json!({ "system": suspect.system, "place": suspect.place, "reason": suspect.reason.to_string() }),
    );
    json!({
        "frame": frame, "field": blame.field.to_string(), "entity": blame.field.entity().map(name_of),
        "before": blame.before, "after": blame.after, "writes": writes.collect::<Vec<_>>(),
        "suspects": if blame.writes.is_empty() { suspects.collect::<Vec<_>>() } else { Vec::new() },
    })
}

fn system_of(writer: &Writer) -> Option<&'static str> {
    match writer {
        Writer::System { system, .. }
        | Writer::Listener { system, .. }
        | Writer::TransitionMethod { system, .. }
        | Writer::Command { system, .. } => Some(system),
        Writer::Program | Writer::Transition { .. } | Writer::Conditions | Writer::EndOfFrame => None,
    }
}
