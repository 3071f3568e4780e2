//! `bounty_hunter replay FILE --why STEP ENTITY [FIELD]`: what wrote a value in a step of a recorded match.

use std::collections::BTreeMap;
use std::io::Write;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::Playback;
use bounty_hunter::simulation::{Simulation, SimulationSnapshot};
use ecs::inspect::{Field, FieldValue, Question, WhyValue};
use ecs::{Engine, EntityId, Error};

use super::Failure;
use super::arguments::ReplayArguments;
use super::output::write_line;
use super::replay::playback;

/// Entities that a sentence lists.
const MOST_LISTED: usize = 8;

/// A step of a match, which can be taken again.
struct Step {
    simulation: Simulation,
    before: SimulationSnapshot,
    inputs: Inputs,
}

impl Step {
    /// Plays a match up to before a step. Calls `look` before each step that comes earlier, and before this one.
    fn reach(playback: Playback, step: u64, mut look: impl FnMut(&mut Engine, u64)) -> Result<Self, Failure> {
        let (about, mut simulation, mut inputs): (_, _, BTreeMap<u64, Inputs>) = playback.into_parts();
        if !(1..=about.steps).contains(&step) {
            return Err(refused(format!("there is no step {step}: the replay has the steps 1 to {}", about.steps)));
        }
        let none = Inputs::none();
        for at in 1..step {
            look(simulation.engine_mut(), at - 1);
            simulation.step(inputs.get(&at).unwrap_or(&none));
        }
        look(simulation.engine_mut(), step - 1);
        let before = simulation.snapshot().map_err(failed)?;
        Ok(Self { simulation, before, inputs: inputs.remove(&step).unwrap_or(none) })
    }

    fn take(&mut self) -> Result<&mut Engine, Error> {
        self.simulation.restore(&self.before)?;
        self.simulation.step(&self.inputs);
        Ok(self.simulation.engine_mut())
    }

    fn why(&mut self, field: &Field) -> Result<WhyValue, Failure> {
        why_in_step(&mut self.simulation, &self.before, &self.inputs, field).map_err(failed)
    }
}

/// Takes a step again from the state before it, while a field is watched.
pub(super) fn why_in_step(
    simulation: &mut Simulation,
    before: &SimulationSnapshot,
    inputs: &Inputs,
    field: &Field,
) -> Result<WhyValue, Error> {
    WhyValue::find(field, |request| {
        simulation.restore(before)?;
        simulation.engine_mut().inspector().begin_blame(request);
        simulation.step(inputs);
        Ok(simulation.engine_mut().inspector().end_blame().expect("no step ends the watch"))
    })
}

/// Prints what wrote a value in a step, or why nothing did and when it was written before.
pub(crate) fn print_why(assets: &Assets, arguments: &ReplayArguments, out: &mut impl Write) -> Result<(), Failure> {
    let wanted = arguments.why.as_deref().unwrap_or_default();
    let [step, subject, field @ ..] = wanted else { return Err(refused("name a step and an entity".to_owned())) };
    let number = step.parse().map_err(|_| refused(format!("{step:?} is no number of a step")))?;
    let mut step = Step::reach(playback(assets, arguments)?, number, |_, _| ())?;
    // A resource needs no entity.
    let resource = step.take().map_err(failed)?.inspector().field(None, subject);
    let fields = match (resource, field) {
        (Ok(resource), []) => vec![resource],
        (_, []) => {
            let entity = entity(&mut step, subject)?;
            fields_of(&mut step, entity)?
        }
        (_, [field, ..]) => {
            let entity = entity(&mut step, subject)?;
            vec![field_of(&mut step, entity, field)?]
        }
    };
    let mut unchanged = Vec::new();
    for field in &fields {
        let why = step.why(field)?;
        match why.blame.writes.is_empty() && fields.len() > 1 {
            true => unchanged.push(field.text()),
            false => write_lines(out, &why)?,
        }
        if why.blame.writes.is_empty() && fields.len() == 1 {
            print_last_change(assets, arguments, number, field, out)?;
        }
    }
    if !unchanged.is_empty() {
        write_line(out, format_args!("unchanged in step {number}: {}", unchanged.join(", ")))?;
    }
    Ok(())
}

/// Plays the match again to find the last step that changed a field, and prints what wrote it there.
fn print_last_change(
    assets: &Assets,
    arguments: &ReplayArguments,
    step: u64,
    field: &Field,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (mut last, mut value): (u64, Option<FieldValue>) = (0, None);
    Step::reach(playback(assets, arguments)?, step, |engine, at| {
        let now = engine.inspector().field_value(field);
        if value.as_ref() != Some(&now) {
            (last, value) = (at, Some(now));
        }
    })?;
    if last == 0 {
        return write_line(out, format_args!("it has not changed since the beginning"));
    }
    write_line(out, format_args!("it last changed in step {last}:"))?;
    let why = Step::reach(playback(assets, arguments)?, last, |_, _| ())?.why(field)?;
    write_lines(out, &why)
}

fn write_lines(out: &mut impl Write, why: &WhyValue) -> Result<(), Failure> {
    why.to_string().lines().try_for_each(|line| write_line(out, format_args!("{line}")))
}

/// The entity of an id, or the only one for which a question holds after the step, or before it.
fn entity(step: &mut Step, text: &str) -> Result<EntityId, Failure> {
    let is_id = text.split_once('v').is_some_and(|(index, version)| {
        [index, version].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let asked = if is_id { format!("entity = {text}") } else { text.to_owned() };
    let found = |engine: &Engine| -> Result<Vec<EntityId>, Failure> {
        let question = Question::new(&asked, engine).map_err(|error| refused(error.to_string()))?;
        match question.is_about_entities() && question.is_condition() {
            true => Ok(question.entities(engine)),
            false => Err(refused(format!("`{text}` names no entity: write an id, or what holds for one alone"))),
        }
    };
    let mut entities = found(step.take().map_err(failed)?)?;
    if entities.is_empty() {
        step.simulation.restore(&step.before).map_err(failed)?;
        entities = found(step.simulation.engine())?;
    }
    match entities[..] {
        [entity] => Ok(entity),
        [] => Err(refused(format!("no entity is `{text}` before or after this step"))),
        _ => {
            let names: Vec<_> = entities.iter().take(MOST_LISTED).map(ToString::to_string).collect();
            let more = if entities.len() > MOST_LISTED { " and others" } else { "" };
            Err(refused(format!("`{text}` holds for {}{more}: name one", names.join(", "))))
        }
    }
}

/// A field of an entity, which may have its component only before the step or only after it.
fn field_of(step: &mut Step, entity: EntityId, text: &str) -> Result<Field, Failure> {
    step.simulation.restore(&step.before).map_err(failed)?;
    let inspector = step.simulation.engine_mut().inspector();
    inspector.field(Some(entity), text).map_err(|error| refused(error.to_string()))
}

/// All registered components that an entity has before or after the step.
fn fields_of(step: &mut Step, entity: EntityId) -> Result<Vec<Field>, Failure> {
    let mut names = Vec::new();
    let mut note = |engine: &mut Engine| {
        let components = engine.inspector().components(entity).unwrap_or_default();
        names.extend(components.into_iter().filter_map(|component| component.name));
    };
    note(step.take().map_err(failed)?);
    step.simulation.restore(&step.before).map_err(failed)?;
    note(step.simulation.engine_mut());
    names.sort_unstable();
    names.dedup();
    let inspector = step.simulation.engine_mut().inspector();
    let fields = names.iter().map(|name| inspector.field(Some(entity), name));
    fields.collect::<Result<_, _>>().map_err(|error| refused(error.to_string()))
}

fn refused(problem: String) -> Failure {
    Failure::BadInput(problem)
}

fn failed(error: Error) -> Failure {
    Failure::BadInput(error.to_string())
}
