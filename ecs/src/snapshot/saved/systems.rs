//! Saves systems and functions.

use slotmap::{Key, KeyData};

use super::blob::Form;
use super::error::SaveError;
use super::limits;
use super::part::{SavedSystem, SavedSystems};
use super::save::Table;
use super::slots::SavedSlots;
use crate::snapshot::{Snapshot, SystemCopy, TypeKind};

pub(super) fn save(snapshot: &Snapshot, table: &mut Table<'_>) -> Result<SavedSystems, SaveError> {
    limits::check_systems(snapshot.systems.len())?;
    let systems = snapshot.systems.iter().map(|copy| save_one(snapshot, copy, table)).collect::<Result<_, _>>()?;
    let functions = SavedSlots::of(&snapshot.functions);
    Ok(SavedSystems {
        systems,
        functions: functions.map_err(|problem| SaveError::part("functions", Form::Bytes, &problem))?,
    })
}

fn save_one(snapshot: &Snapshot, copy: &SystemCopy, table: &mut Table<'_>) -> Result<SavedSystem, SaveError> {
    let kind = TypeKind::System;
    let types = table.types;
    let known = types.systems.of(copy.system);
    let (mut of, mut state) = (None, None);
    if let (Some(known), Some(value)) = (known, &copy.state) {
        if copy.function.is_some() {
            // A function that captures nothing is defined by its type.
            if !known.what.is_stateless() {
                return Err(SaveError::Function { function: copy.rust_name.to_owned() });
            }
        } else if size_of_val(&**value) > 0 {
            let version = known.what.versions().ok_or_else(|| SaveError::not_saved(kind, known, table.form))?.saved();
            let saved = known.what.save(&**value, table.form);
            state = Some(saved.map_err(|problem| table.failed(kind, &known.name, &problem))?);
            of = Some(table.number(kind, copy.system, &known.name, version));
        }
    }
    let place = |system| snapshot.systems.iter().position(|copy| copy.system == system).map(|place| place as u32);
    let timing = &copy.timing;
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
        after: timing.after.iter().filter_map(|dependency| place(dependency.system)).collect(),
        before: timing.before.iter().filter_map(|dependency| place(dependency.system)).collect(),
        is_enabled: copy.is_enabled,
        listeners: copy.listeners.iter().flatten().copied().collect(),
    })
}

/// The key of a function from its saved bits.
pub(super) fn function_key(bits: u64) -> crate::system::FunctionKey {
    KeyData::from_ffi(bits).into()
}
