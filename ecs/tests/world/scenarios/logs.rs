//! What the managers log, as a subscriber hears it: targets, levels and fields.

use std::fmt::{Debug, Write};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use ecs::{Commands, Engine, EntityId, Query, Sender};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Level, Metadata, Subscriber};

/// Keeps each event of the library as a line: level, target, message, fields.
struct Kept {
    level: Level,
    lines: Arc<Mutex<Vec<String>>>,
}

struct Fields {
    message: String,
    others: String,
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let written = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.others, " {name}={value:?}"),
        };
        written.expect("a text has room");
    }
}

impl Subscriber for Kept {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("ecs::") && *metadata.level() <= self.level
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.level.into())
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields { message: String::new(), others: String::new() };
        event.record(&mut fields);
        let metadata = event.metadata();
        let line = format!("{} {} {}{}", metadata.level(), metadata.target(), fields.message, fields.others);
        self.lines.lock().expect("no test panics while it logs").push(line);
    }
}

/// Subscribers of no thread that want every line. With fewer than two subscribers in the program, `tracing` asks only
/// that of the thread which first comes to a line, and another test's thread, which has none, would silence it for all.
static OTHERS: LazyLock<[Dispatch; 2]> =
    LazyLock::new(|| [(); 2].map(|()| Dispatch::new(Kept { level: Level::TRACE, lines: Arc::default() })));

/// The lines that are logged at a level and above while `act` runs.
fn logged(level: Level, act: impl FnOnce()) -> Vec<String> {
    LazyLock::force(&OTHERS);
    let lines = Arc::new(Mutex::new(Vec::new()));
    tracing::subscriber::with_default(Kept { level, lines: lines.clone() }, act);
    let mut lines = lines.lock().expect("no test panics while it logs");
    std::mem::take(&mut *lines)
}

struct Hull;
struct Shield;
#[derive(Clone, Copy)]
struct Hit(EntityId);

fn shoot(hulls: Query<EntityId, ecs::With<Hull>>, mut hits: Sender<Hit>) {
    hulls.iter().for_each(|entity| hits.send(Hit(entity)));
}

fn sink(hit: &Hit, mut commands: Commands) {
    commands.despawn(hit.0);
}

fn frame(engine: &mut Engine) {
    engine.update(Duration::from_millis(10)).expect("the systems can be ordered");
}

fn battle() {
    let mut engine = Engine::new();
    engine.add((shoot, sink)).expect("they fit together");
    let ship = engine.spawn((Hull,));
    engine.insert(ship, (Shield,)).expect("it exists");
    engine.disable_component::<Shield>(ship).expect("it exists");
    engine.enable_component::<Shield>(ship).expect("it exists");
    engine.remove::<Shield>(ship).expect("it exists");
    engine.disable(ship).expect("it exists");
    engine.enable(ship).expect("it exists");
    frame(&mut engine);
}

/// The lines of one target.
fn of<'a>(target: &str, lines: &'a [String]) -> Vec<&'a str> {
    lines.iter().filter(|line| line.split(' ').nth(1) == Some(target)).map(String::as_str).collect()
}

#[test]
fn each_change_is_one_line_with_the_entity_in_its_one_form() {
    let lines = logged(Level::DEBUG, battle);
    let changes = ["spawned", "disabled", "enabled", "despawned"];
    let of_entities =
        |target| of(target, &lines).into_iter().filter(|line| line.contains("entity=")).collect::<Vec<_>>();
    assert_eq!(of_entities("ecs::entity"), changes.map(|what| format!("DEBUG ecs::entity {what} entity=1v1")));
    assert_eq!(
        of_entities("ecs::component"),
        [
            ("inserted", "Hull"),
            ("inserted", "Shield"),
            ("disabled", "Shield"),
            ("enabled", "Shield"),
            ("removed", "Shield")
        ]
        .map(|(what, component)| format!("DEBUG ecs::component {what} entity=1v1 component=\"{component}\""))
    );
    assert!(of("ecs::system", &lines).contains(&"DEBUG ecs::system added system=\"shoot\""), "{lines:#?}");
    assert!(of("ecs::event", &lines).iter().all(|line| line.starts_with("DEBUG ecs::event new event type")));
}

#[test]
fn listener_to_a_component_is_told_of_the_query_that_was_meant() {
    fn patch(_: &Shield) {}
    let warned = |prepare: fn(&mut Engine)| {
        let lines = logged(Level::WARN, || {
            let mut engine = Engine::new();
            engine.spawn((Shield,));
            engine.add(patch).expect("it is a function that listens");
            prepare(&mut engine);
            frame(&mut engine);
            frame(&mut engine);
        });
        of("ecs::event", &lines).len()
    };
    assert_eq!(warned(|_| {}), 1);
    // What is sent, or may be, is an event as well.
    assert_eq!(warned(|engine| _ = engine.add(|mut shields: Sender<Shield>| shields.send(Shield)).unwrap()), 0);
    assert_eq!(warned(|engine| engine.declare_external::<Shield>()), 0);
}

#[test]
fn each_delivery_is_a_line_at_the_lowest_level() {
    let lines = logged(Level::TRACE, battle);
    let delivered = "TRACE ecs::event delivered event=\"Hit\" count=1 sequence=0 system=\"sink\"";
    assert!(of("ecs::event", &lines).contains(&delivered), "{lines:#?}");
    assert!(lines.iter().any(|line| line == "TRACE ecs::counters  event=\"Hit\" sent=1"), "{lines:#?}");
}

#[test]
fn usual_work_is_silent_at_the_usual_level() {
    assert_eq!(logged(Level::INFO, battle), Vec::<String>::new());
}

#[test]
fn command_that_fails_is_told_by_fields() {
    let twice = |hit: &Hit, mut commands: Commands| {
        commands.despawn(hit.0);
        commands.despawn(hit.0);
    };
    let lines = logged(Level::WARN, || {
        let mut engine = Engine::new();
        engine.listen(twice).expect("it fits");
        let ship = engine.spawn(());
        engine.send(Hit(ship));
        frame(&mut engine);
    });
    assert_eq!(lines.len(), 1, "{lines:#?}");
    for part in ["WARN ecs::commands command not applied system=", " command=\"despawn\" failure=", "1v1"] {
        assert!(lines[0].contains(part), "{part} is not in {}", lines[0]);
    }
}
