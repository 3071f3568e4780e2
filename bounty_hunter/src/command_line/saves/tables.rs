//! A saved match as the tables of an SQLite database, which other tools ask and change: `saves export --tables` and
//! `saves import`.
//!
//! Each component type is a table with a row for each entity, each resource is one too, and views join them. Beside
//! them lies the save itself, which stays the truth: reading the tables back compares them with the save, and what
//! differs becomes a change by hand of the match in it.

mod cells;
mod read_back;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use bounty_hunter::assets::Assets;
use bounty_hunter::saved_match::SavedMatch;
use ecs::inspect::Inspector;
use ecs::{Engine, EntityId};
use rusqlite::types::ToSql;
use rusqlite::{Connection, OpenFlags, params, params_from_iter};
use serde_json::Value;

use self::cells::{Cell, fields};
pub(super) use self::read_back::read_back;
use crate::command_line::Failure;

/// Application id of such a database: `BHST`.
const APPLICATION: i64 = 0x4248_5354;
/// The format of the tables that this version writes and reads.
const FORMAT: i64 = 1;
/// The prefix of tables that are not components, whose names could be equal.
const RESOURCE: &str = "resource_";
const VIEWS: &str = include_str!("tables/views.sql");
/// The columns that the views ask for: a match without such values has them as well.
const COLUMNS_OF_VIEWS: &[(&str, &[&str])] = &[
    ("ecs_from_prefab", &["prefab"]),
    ("game_object", &["kind"]),
    ("life", &["is_alive"]),
    ("transform", &["pose_position_0", "pose_position_1", "pose_heading"]),
    ("pocket", &["carried", "links"]),
    ("capacity", &["points"]),
    ("stash", &["stashed"]),
    ("bounty", &["value", "worth"]),
    ("lifetime", &["left_seconds"]),
    ("respawn", &["left_seconds"]),
    ("ghost", &["left_seconds"]),
    ("resource_players", &["name", "collector", "stash"]),
];

/// What a table holds.
#[derive(Clone, Debug, PartialEq)]
enum Content {
    /// The components of a type, by its stable name.
    Components(String),
    /// A resource, by its stable name; a list has a row for each of its elements.
    Resource(String),
}

/// One component, or one resource or element of it.
#[derive(Clone, Debug)]
struct Row {
    /// The entity of a component.
    entity: Option<EntityId>,
    is_enabled: bool,
    value: Value,
}

impl Row {
    /// What the row is found by in its table.
    fn key(&self, index: usize) -> Cell {
        self.entity.map_or(Cell::Whole(index as i64), |entity| Cell::Text(entity.to_string()))
    }
}

#[derive(Clone, Debug)]
struct Table {
    name: String,
    content: Content,
    /// The columns of fields, beside those of [`Table::own_columns`].
    columns: Vec<String>,
    rows: Vec<Row>,
}

impl Table {
    fn new(content: Content, rows: Vec<Row>) -> Self {
        let name = match &content {
            Content::Components(name) => cells::column(name),
            Content::Resource(name) => format!("{RESOURCE}{}", cells::column(name)),
        };
        let mut columns: Vec<String> = Vec::new();
        let mut known: BTreeSet<String> = BTreeSet::new();
        let asked_for = COLUMNS_OF_VIEWS.iter().filter(|(table, _)| *table == name).flat_map(|(_, columns)| *columns);
        let of_rows = rows.iter().flat_map(|row| fields(&row.value)).map(|(column, _)| column);
        for column in of_rows.chain(asked_for.map(|column| (*column).to_owned())) {
            if known.insert(column.clone()) {
                columns.push(column);
            }
        }
        Self { name, content, columns, rows }
    }

    /// The columns that every table of its kind has: the key, and whether a component is enabled.
    fn own_columns(&self) -> &'static [&'static str] {
        match self.content {
            Content::Components(_) => &["entity", "is_enabled"],
            Content::Resource(_) => &["row"],
        }
    }

    fn create(&self) -> String {
        let own = match self.content {
            Content::Components(_) => {
                "entity TEXT PRIMARY KEY REFERENCES entities (entity) ON DELETE CASCADE, is_enabled INTEGER NOT NULL"
            }
            Content::Resource(_) => "row INTEGER PRIMARY KEY",
        };
        let columns: String = self.columns.iter().map(|column| format!(", \"{column}\" ANY")).collect();
        format!("CREATE TABLE \"{}\" ({own}{columns}) STRICT;", self.name)
    }

    /// The cells of a row, in the order of [`Table::own_columns`] and the columns of fields.
    fn cells(&self, index: usize) -> Vec<Cell> {
        let row = &self.rows[index];
        let fields = fields(&row.value);
        let field =
            |column| fields.iter().find(|(name, _)| name == column).map_or(Cell::Null, |(_, cell)| cell.clone());
        let is_enabled = row.entity.map(|_| Cell::Whole(i64::from(row.is_enabled)));
        [row.key(index)].into_iter().chain(is_enabled).chain(self.columns.iter().map(field)).collect()
    }
}

/// The tables of a match, and the names of what they cannot show.
fn tables_of(inspector: &Inspector<'_>) -> Result<(Vec<Table>, Vec<String>), String> {
    let (mut tables, mut left_out) = (Vec::new(), Vec::new());
    for name in inspector.component_names() {
        let entities = inspector.entities_with([name]).map_err(|error| error.to_string())?;
        let rows: Result<Vec<Row>, _> = entities
            .into_iter()
            .map(|entity| {
                let value = inspector.component(entity, name, serde_json::value::Serializer)?;
                let components = inspector.components(entity).unwrap_or_default();
                let is_enabled = components.iter().all(|it| it.name.as_deref() != Some(name) || it.is_enabled);
                Ok::<_, ecs::inspect::InspectError>(Row { entity: Some(entity), is_enabled, value })
            })
            .collect();
        match rows {
            Ok(rows) => tables.push(Table::new(Content::Components(name.to_owned()), rows)),
            Err(_) => left_out.push(name.to_owned()),
        }
    }
    for name in inspector.resource_names() {
        let row = |value| Row { entity: None, is_enabled: true, value };
        match inspector.resource(name, serde_json::value::Serializer) {
            Ok(Value::Array(values)) => {
                let rows = values.into_iter().map(row).collect();
                tables.push(Table::new(Content::Resource(name.to_owned()), rows));
            }
            Ok(value) => tables.push(Table::new(Content::Resource(name.to_owned()), vec![row(value)])),
            Err(_) => left_out.push(name.to_owned()),
        }
    }
    Ok((tables, left_out))
}

/// Writes a save as tables into a file, and replaces only a file of this kind.
///
/// # Errors
/// - The save cannot be loaded with these assets.
/// - The file cannot be written, or is another one.
pub(super) fn write(name: &str, saved: &SavedMatch, assets: &Assets, file: &Path) -> Result<(), Failure> {
    let refuse = |problem: String| Failure::BadInput(format!("the tables {}: {problem}", file.display()));
    let (mut simulation, _) = saved.resume(assets, Engine::builder()).map_err(Failure::BadInput)?;
    let file = &replaceable(file).map_err(refuse)?;
    let failed = |problem: String| Failure::Machine(format!("the tables {}: {problem}", file.display()));
    if file.exists() {
        let opened = File::options().append(true).open(file);
        opened.map_err(|error| failed(format!("it cannot be written: {error}")))?;
    }
    let (tables, left_out) = tables_of(&simulation.engine_mut().inspector()).map_err(refuse)?;
    // A program that is killed leaves the earlier file.
    let new = &file.with_added_extension(format!("{}.part", std::process::id()));
    let written = (|| {
        File::create_new(new).map_err(|error| format!("{} cannot be written: {error}", new.display()))?;
        let written = write_tables(name, saved, simulation.engine_mut(), &tables, &left_out, new);
        let renamed = written
            .map_err(|error| error.to_string())
            .and_then(|()| fs::rename(new, file).map_err(|error| format!("it cannot be written: {error}")));
        renamed.inspect_err(|_| _ = fs::remove_file(new))
    })();
    written.map_err(failed)
}

/// The file itself, if it is not there yet, or if it is one that [`write`] wrote.
fn replaceable(file: &Path) -> Result<PathBuf, String> {
    if !file.exists() {
        return Ok(file.to_owned());
    }
    // The file that a link leads to.
    let file = fs::canonicalize(file).map_err(|error| error.to_string())?;
    // Beside another file, what waits there for a file of this name would damage it.
    let waits = |end: &&str| {
        let mut beside = file.clone().into_os_string();
        beside.push(end);
        Path::new(&beside).exists()
    };
    if ["-wal", "-shm", "-journal"].iter().any(waits) {
        return Err("another program has it open or did not close it, so it is not replaced".to_owned());
    }
    open(&file).map_err(|problem| format!("{problem}, so it is not replaced"))?;
    Ok(file)
}

fn write_tables(
    name: &str,
    saved: &SavedMatch,
    engine: &Engine,
    tables: &[Table],
    left_out: &[String],
    file: &Path,
) -> rusqlite::Result<()> {
    let mut connection = connect(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // The file is new, and only renamed when it is whole.
    connection.pragma_update(None, "journal_mode", "OFF")?;
    let transaction = connection.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.execute_batch(
        "CREATE TABLE about (name TEXT PRIMARY KEY, value ANY) STRICT;
         CREATE TABLE save (state BLOB NOT NULL, replay BLOB NOT NULL) STRICT;
         CREATE TABLE entities (entity TEXT PRIMARY KEY, is_enabled INTEGER NOT NULL) STRICT;",
    )?;
    let about = saved.replay.about();
    let told: [(&str, &dyn ToSql); 8] = [
        ("save", &name),
        ("mode", &about.mode),
        ("level", &about.level),
        ("seed", &about.setup.seed.to_string()),
        ("players", &(about.setup.seats.len() as i64)),
        ("steps", &(about.steps as i64)),
        ("version", &about.version),
        ("without a table", &left_out.join(", ")),
    ];
    for (name, value) in told {
        transaction.execute("INSERT INTO about VALUES (?, ?)", params![name, value])?;
    }
    transaction.execute("INSERT INTO save VALUES (?, ?)", params![saved.state, saved.replay.to_bytes()])?;
    for entity in engine.entities().iter() {
        let is_enabled = engine.entities().is_enabled(entity).unwrap_or(true);
        transaction.execute("INSERT INTO entities VALUES (?, ?)", params![entity.to_string(), is_enabled])?;
    }
    for table in tables {
        transaction.execute_batch(&table.create())?;
        let places = vec!["?"; table.own_columns().len() + table.columns.len()].join(", ");
        let mut insert = transaction.prepare(&format!("INSERT INTO \"{}\" VALUES ({places})", table.name))?;
        for index in 0..table.rows.len() {
            insert.execute(params_from_iter(table.cells(index)))?;
        }
    }
    transaction.execute_batch(VIEWS)?;
    transaction.commit()
}

/// Connects to a file, also if its name looks like an address to `SQLite`.
fn connect(file: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let named = if file.is_relative() { Path::new(".").join(file) } else { file.to_owned() };
    Connection::open_with_flags(named, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// Opens a file that was written by [`write`], to read its present state, also while another program writes to it.
fn open(file: &Path) -> Result<Connection, String> {
    match fs::metadata(file) {
        Ok(there) if there.is_dir() => return Err("it is a directory".to_owned()),
        Ok(there) if !there.is_file() => return Err("it is not a plain file".to_owned()),
        // Opening it tells the error.
        _ => {}
    }
    let begin = || {
        let connection = connect(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // Functions that the file itself names are not called.
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.execute_batch("BEGIN")?;
        let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        let found = (number("application_id")?, number("user_version")?);
        Ok((connection, found))
    };
    match begin().map_err(|error| sqlite_problem(&error))? {
        (connection, (APPLICATION, FORMAT)) => Ok(connection),
        (_, (APPLICATION, other)) => Err(format!("they have format {other}, this version reads format {FORMAT}")),
        _ => Err("it is not a save in tables, as `saves export --tables` writes it".to_owned()),
    }
}

fn sqlite_problem(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => "it is not a database".to_owned(),
        Some(rusqlite::ErrorCode::CannotOpen) => "it cannot be opened: check its name and permissions".to_owned(),
        Some(rusqlite::ErrorCode::ReadOnly) => {
            "the program that wrote to it did not close it: open it there once more, and close it".to_owned()
        }
        Some(rusqlite::ErrorCode::DatabaseBusy) => {
            "another program is writing to it: try again when that has finished".to_owned()
        }
        _ => error.to_string(),
    }
}
