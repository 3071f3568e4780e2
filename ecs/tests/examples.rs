//! Runs every example; its assertions must hold.

/// Includes the files as modules and runs each in its own test; `NAMES` holds all their names.
macro_rules! examples {
    ($($(#[$attribute:meta])* $name:ident = $file:literal;)*) => {
        $(
            $(#[$attribute])*
            #[path = $file]
            mod $name;
        )*

        mod runs_to_its_end {
            $(
                $(#[$attribute])*
                #[test]
                fn $name() {
                    super::$name::main().unwrap();
                }
            )*
        }

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

examples! {
    breakout = "../examples/breakout.rs";
    changes = "../examples/changes.rs";
    damage_on_contact = "../examples/damage_on_contact.rs";
    death_and_respawn = "../examples/death_and_respawn.rs";
    disjoint_queries = "../examples/disjoint_queries.rs";
    engines_side_by_side = "../examples/engines_side_by_side.rs";
    epidemic = "../examples/epidemic.rs";
    event_bus_alone = "../examples/event_bus_alone.rs";
    events_and_cascades = "../examples/events_and_cascades.rs";
    execution_order = "../examples/execution_order.rs";
    first_system = "../examples/first_system.rs";
    fixed_step = "../examples/fixed_step.rs";
    hierarchy = "../examples/hierarchy.rs";
    kinds_and_slices = "../examples/kinds_and_slices.rs";
    masks_and_gravity = "../examples/masks_and_gravity.rs";
    #[cfg(feature = "derive")]
    modules = "../examples/modules.rs";
    observers = "../examples/observers.rs";
    parallel_events = "../examples/parallel_events.rs";
    #[cfg(feature = "prefabs")]
    prefabs = "../examples/prefabs.rs";
    relations = "../examples/relations.rs";
    rewind = "../examples/rewind.rs";
    rollback = "../examples/rollback/main.rs";
    run_conditions = "../examples/run_conditions.rs";
    #[cfg(feature = "serde")]
    saves = "../examples/saves.rs";
    states = "../examples/states.rs";
    threads = "../examples/threads.rs";
    timers = "../examples/timers.rs";
    toggled_slices = "../examples/toggled_slices.rs";
    toggling_and_queries = "../examples/toggling_and_queries.rs";
    why = "../examples/why.rs";
}

#[test]
fn every_example_is_tested_and_has_less_than_150_lines() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let parts = std::fs::read_dir(&path).map(|parts| parts.map(|part| part.unwrap().path()).collect());
        for file in parts.unwrap_or_else(|_| vec![path.clone()]) {
            let lines = std::fs::read_to_string(&file).unwrap().lines().count();
            assert!(lines < 150, "{} has {lines} lines", file.display());
        }
        names.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
    }
    names.sort();
    assert_eq!(names, NAMES);
}
