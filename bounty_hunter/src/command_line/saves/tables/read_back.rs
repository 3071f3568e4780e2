//! Reads the tables of a save back.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use bounty_hunter::assets::Assets;
use bounty_hunter::foreign_file::FileKind;
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::Replay;
use bounty_hunter::saved_match::SavedMatch;
use bounty_hunter::simulation::Simulation;
use bounty_hunter::simulation::edits::input_of;
use ecs::inspect::{Edit, Inspector};
use ecs::{Engine, EntityId};
use rusqlite::Connection;
use rusqlite::types::Value as SqlValue;
use serde_json::Value;

use super::cells::{Cell, fields, shortened, with};
use super::{Content, Row, Table, open, sqlite_problem, tables_of};
use crate::command_line::Failure;

/// The steps that a changed match is tried for, in which impossible values show.
const TRIED_STEPS: u32 = 120;

/// The save in a file of tables, with what was changed in the tables; and the number of changes.
///
/// The changes are inputs of one further step, so that the replay of the match goes on to hold.
///
/// If `allows_edits`, the match in the file may have been changed by hand before.
///
/// # Errors
/// Nothing is changed then.
/// - The file is not one of tables, or does not fit the assets.
/// - A row was added, or a value is not one that the match can have.
pub(in crate::command_line::saves) fn read_back(
    file: &Path,
    assets: &Assets,
    allows_edits: bool,
) -> Result<(SavedMatch, usize), Failure> {
    let refuse = |problem: String| Failure::BadInput(format!("the tables {}: {problem}", file.display()));
    let read = || {
        let connection = open(file)?;
        let saved = save_in(&connection)?;
        if let Some(step) = saved.replay.first_refused(|inputs| inputs.edits.is_empty()).filter(|_| !allows_edits) {
            return Err(format!(
                "its match was changed by hand before step {step}: if you trust who made it, import it with --edits"
            ));
        }
        let (mut simulation, _) = saved.resume(assets, Engine::builder())?;
        let edits = edits_in(&connection, &mut simulation)?;
        if edits.is_empty() {
            return Ok((saved, 0));
        }
        let inputs = Inputs { edits: edits.iter().map(input_of).collect(), ..Inputs::none() };
        try_out(&saved, assets, &edits)?;
        let (mut simulation, mut recorder) = saved.resume(assets, Engine::builder())?;
        simulation.step(&inputs);
        recorder.note(&inputs, &mut simulation);
        let state = simulation.save().map_err(|error| error.to_string())?;
        let changed = SavedMatch { replay: recorder.replay(&mut simulation), state };
        changed.resume(assets, Engine::builder())?;
        Ok((changed, edits.len()))
    };
    read().map_err(refuse)
}

/// Makes the changes and goes on with the match for a while, aside.
fn try_out(saved: &SavedMatch, assets: &Assets, edits: &[Edit]) -> Result<(), String> {
    let (mut simulation, _) = saved.resume(assets, Engine::builder())?;
    for edit in edits {
        simulation.edit(edit)?;
        let Edit::Component { entity, name, bytes, .. } = edit else { continue };
        // A place outside of the world, for example.
        if simulation.engine_mut().inspector().component_bytes(*entity, name).ok().flatten().as_ref() != Some(bytes) {
            return Err(format!("{name} of {entity}: a value lies outside of what the match allows"));
        }
    }
    // The sentence below tells it.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let played = panic::catch_unwind(AssertUnwindSafe(|| {
        (0..TRIED_STEPS).for_each(|_| _ = simulation.step(&Inputs::none()));
    }));
    panic::set_hook(hook);
    played.map_err(|_| "the match cannot go on with these values: change fewer at a time to find out which".to_owned())
}

/// The save beside the tables.
fn save_in(connection: &Connection) -> Result<SavedMatch, String> {
    let bytes_of = |column: &str, kind: FileKind| {
        let most = kind.max_bytes() as i64;
        let sql = format!("SELECT CASE WHEN length({column}) <= {most} THEN {column} END FROM save");
        check_columns(connection, "save", &[column])?;
        match connection.query_row(&sql, [], |row| row.get::<_, SqlValue>(0)) {
            Err(rusqlite::Error::QueryReturnedNoRows) => Err("the table save has no row: export again".to_owned()),
            Ok(SqlValue::Blob(bytes)) => Ok(bytes),
            Ok(_) => Err(format!("the {column} in the table save is damaged: export again")),
            Err(error) => Err(format!("the table save cannot be read: {}", sqlite_problem(&error))),
        }
    };
    let (state, replay) = (bytes_of("state", FileKind::State)?, bytes_of("replay", FileKind::Replay)?);
    let replay = Replay::from_bytes(&replay).map_err(|error| format!("the replay in the table save: {error}"))?;
    Ok(SavedMatch { replay, state })
}

/// A view, a virtual table or a computed column of a stranger may never end; and `SQLite` takes the name of a column
/// that is missing for a text.
fn check_columns(connection: &Connection, table: &str, columns: &[&str]) -> Result<(), String> {
    let problem = |error: rusqlite::Error| sqlite_problem(&error);
    let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE \
        AND sql NOT LIKE 'CREATE VIRTUAL%'";
    let tables: i64 = connection.query_row(sql, [table], |row| row.get(0)).map_err(problem)?;
    if tables == 0 {
        return Err(format!("the table {table} is missing: export again"));
    }
    let mut info = connection.prepare("SELECT lower(name), hidden FROM pragma_table_xinfo(?)").map_err(problem)?;
    let found =
        info.query_map([table], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))).map_err(problem)?;
    let found: BTreeMap<String, i64> = found.collect::<Result<_, _>>().map_err(problem)?;
    for column in columns {
        match found.get(*column) {
            Some(0) => {}
            Some(_) => return Err(format!("{table}.{column} is computed: export again")),
            None => return Err(format!("the column {table}.{column} is missing: export again")),
        }
    }
    Ok(())
}

/// The rows of a table by their keys, as far as a match can have them.
fn rows_in(
    connection: &Connection,
    table: &str,
    columns: &[&str],
    most: usize,
) -> Result<BTreeMap<String, Vec<Cell>>, String> {
    check_columns(connection, table, columns)?;
    let named: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let sql = format!("SELECT {} FROM \"{table}\" LIMIT {}", named.join(", "), most + 1);
    let problem = |error: rusqlite::Error| format!("the table {table}: {}", sqlite_problem(&error));
    let mut statement = connection.prepare(&sql).map_err(problem)?;
    let mut read = statement.query([]).map_err(problem)?;
    let mut rows = BTreeMap::new();
    while let Some(row) = read.next().map_err(problem)? {
        let mut cells = Vec::with_capacity(columns.len());
        for (index, column) in columns.iter().enumerate() {
            let cell = Cell::of(row.get_ref(index).map_err(problem)?);
            cells.push(cell.ok_or_else(|| format!("{table}.{column} holds bytes, which no field does"))?);
        }
        let key = key_text(&cells[0]);
        if rows.insert(key.clone(), cells).is_some() {
            return Err(format!("{table}: the row {key} is there twice"));
        }
    }
    match rows.len() > most {
        true => Err(format!("{table}: there are more rows than the match has, {most}: rows cannot be added")),
        false => Ok(rows),
    }
}

fn key_text(key: &Cell) -> String {
    match key {
        Cell::Text(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What was changed in the tables; the match is changed as well.
fn edits_in(connection: &Connection, simulation: &mut Simulation) -> Result<Vec<Edit>, String> {
    let mut inspector = simulation.engine_mut().inspector();
    let (tables, _) = tables_of(&inspector)?;
    let mut edits = entity_edits(connection, &mut inspector)?;
    for table in &tables {
        let columns: Vec<&str> =
            table.own_columns().iter().copied().chain(table.columns.iter().map(String::as_str)).collect();
        let mut found = rows_in(connection, &table.name, &columns, table.rows.len())?;
        let mut elements: Vec<Value> = table.rows.iter().map(|row| row.value.clone()).collect();
        let mut is_changed = false;
        for (index, row) in table.rows.iter().enumerate() {
            let key = key_text(&row.key(index));
            let cells = found.remove(&key);
            let is_gone = |entity| !inspector.world().entities().contains(entity);
            match (row.entity, cells) {
                // Its rows went with it.
                (Some(entity), _) if is_gone(entity) => {}
                (Some(entity), None) => edits.push(removed(&mut inspector, table, entity)?),
                (Some(entity), Some(cells)) => edits.extend(changed(&mut inspector, table, row, entity, &cells)?),
                (None, None) => return Err(format!("{}: the row {key} is gone: it cannot be removed", table.name)),
                (None, Some(cells)) => {
                    if let Some(value) = changed_value(table, row, &key, &cells)? {
                        (elements[index], is_changed) = (value, true);
                    }
                }
            }
        }
        if let Some(key) = found.keys().next() {
            return Err(format!("{}: the row {key} is new: rows cannot be added", table.name));
        }
        if let (Content::Resource(name), true) = (&table.content, is_changed) {
            edits.push(changed_resource(&mut inspector, table, name, elements)?);
        }
    }
    Ok(edits)
}

/// Entities that were removed, enabled or disabled.
fn entity_edits(connection: &Connection, inspector: &mut Inspector<'_>) -> Result<Vec<Edit>, String> {
    let entities: Vec<EntityId> = inspector.world().entities().iter().collect();
    let mut found = rows_in(connection, "entities", &["entity", "is_enabled"], entities.len())?;
    let mut edits = Vec::new();
    for entity in entities {
        let was_enabled = inspector.world().entities().is_enabled(entity).unwrap_or(true);
        match found.remove(&entity.to_string()).as_deref() {
            None => edits.push(Edit::Despawn { entity }),
            Some([_, Cell::Whole(is_enabled @ (0 | 1))]) => {
                let is_enabled = *is_enabled == 1;
                edits.extend((is_enabled != was_enabled).then_some(Edit::Entity { entity, is_enabled }));
            }
            Some(_) => return Err(format!("entities: is_enabled of {entity} must be 0 or 1")),
        }
    }
    if let Some(key) = found.keys().next() {
        return Err(format!("entities: the row {key} is new: rows cannot be added"));
    }
    for edit in &edits {
        inspector.make(edit).map_err(|error| format!("entities: {error}"))?;
    }
    Ok(edits)
}

fn removed(inspector: &mut Inspector<'_>, table: &Table, entity: EntityId) -> Result<Edit, String> {
    let Content::Components(name) = &table.content else { unreachable!("only components have entities") };
    let edit = Edit::NoComponent { entity, name: name.clone() };
    inspector.make(&edit).map_err(|error| format!("{}, row {entity}: {error}", table.name))?;
    Ok(edit)
}

/// The change of a component, if it was changed.
fn changed(
    inspector: &mut Inspector<'_>,
    table: &Table,
    row: &Row,
    entity: EntityId,
    cells: &[Cell],
) -> Result<Option<Edit>, String> {
    let Content::Components(name) = &table.content else { unreachable!("only components have entities") };
    let place =
        |problem: &dyn std::fmt::Display| format!("{}, row {entity}: {}", table.name, shortened(&problem.to_string()));
    let Cell::Whole(switch @ (0 | 1)) = &cells[1] else {
        return Err(place(&"is_enabled must be 0 or 1"));
    };
    let is_enabled = *switch == 1;
    let value = changed_value(table, row, &entity.to_string(), cells)?;
    if value.is_none() && is_enabled == row.is_enabled {
        return Ok(None);
    }
    if let Some(value) = &value {
        let before = fields(&row.value);
        let is_new = |(column, cell): &(String, Cell)| !before.contains(&(column.clone(), cell.clone()));
        let columns: Vec<String> = fields(value).into_iter().filter(is_new).map(|(column, _)| column).collect();
        let set = inspector.set_component(entity, name, value);
        set.map_err(|error| place(&format!("{}: {error}", columns.join(", "))))?;
        let made = inspector.component(entity, name, serde_json::value::Serializer).map_err(|error| place(&error))?;
        check_made(value, &made).map_err(|problem| place(&problem))?;
    }
    inspector.enable_component(entity, name, is_enabled).map_err(|error| place(&error))?;
    let bytes = inspector.component_bytes(entity, name).map_err(|error| place(&error))?;
    let bytes = bytes.ok_or_else(|| place(&"it is gone"))?;
    Ok(Some(Edit::Component { entity, name: name.clone(), bytes, is_enabled }))
}

fn changed_resource(
    inspector: &mut Inspector<'_>,
    table: &Table,
    name: &str,
    mut elements: Vec<Value>,
) -> Result<Edit, String> {
    let place = |problem: &dyn std::fmt::Display| format!("{}: {}", table.name, shortened(&problem.to_string()));
    let old = inspector.resource(name, serde_json::value::Serializer).map_err(|error| place(&error))?;
    let value = if old.is_array() { Value::Array(elements) } else { elements.swap_remove(0) };
    inspector.set_resource(name, &value).map_err(|error| place(&error))?;
    let made = inspector.resource(name, serde_json::value::Serializer).map_err(|error| place(&error))?;
    check_made(&value, &made).map_err(|problem| place(&problem))?;
    let bytes = inspector.resource_bytes(name).map_err(|error| place(&error))?;
    let bytes = bytes.ok_or_else(|| place(&"it is gone"))?;
    Ok(Edit::Resource { name: name.to_owned(), bytes })
}

/// The value with what differs in the cells of its fields; `None` if nothing does.
fn changed_value(table: &Table, row: &Row, key: &str, cells: &[Cell]) -> Result<Option<Value>, String> {
    let before = fields(&row.value);
    let mut value = None;
    for (column, cell) in table.columns.iter().zip(&cells[table.own_columns().len()..]) {
        let old = before.iter().find(|(name, _)| name == column).map_or(&Cell::Null, |(_, cell)| cell);
        if !old.is_same(cell) {
            let present = value.as_ref().unwrap_or(&row.value);
            let changed = with(present, column, cell)
                .map_err(|problem| format!("{}.{column}, row {key}: {problem}", table.name))?;
            value = Some(changed);
        }
    }
    Ok(value)
}

/// A number may be too large for its field, or be kept in limits: then it is not what was written.
fn check_made(wanted: &Value, made: &Value) -> Result<(), String> {
    let made = fields(made);
    for (column, cell) in fields(wanted) {
        let got = made.iter().find(|(name, _)| *name == column).map_or(&Cell::Null, |(_, cell)| cell);
        if !cell.is_same(got) {
            return Err(format!("{column} cannot be {cell}"));
        }
    }
    Ok(())
}
