//! Components whose drop panics: nothing happens twice, nothing is left behind, and all events are sent.

use ecs::component::Removal;
use ecs::relation::{LinkedFrom, Relation};
use ecs::{Commands, Engine, EntityId, Setup, System};

use super::log::FRAME;
use super::panics::{message_of, message_of_frame};
use crate::panics;

/// Its drop panics if it holds `true`.
struct Fragile(bool);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.0 || std::thread::panicking(), "the flag is set");
    }
}

#[test]
fn panicking_drop_does_not_stop_a_despawn() {
    let mut engine = Engine::new();
    engine.spawn((Fragile(false),));
    let others: Vec<_> = (0..3_u32).map(|n| engine.spawn((n, 'o'))).collect();
    let entity = engine.spawn((Fragile(true), 7_u32, 'x'));
    engine.despawn(others[0]).unwrap();
    assert!(panics(|| engine.despawn(entity)));
    assert!(!engine.contains(entity));
    assert_eq!(engine.components().pool::<u32>().unwrap().len(), 2, "none of its components is left");
    assert_eq!(engine.components().pool::<char>().unwrap().len(), 2);
    assert_eq!(engine.components().pool::<Fragile>().unwrap().len(), 1);
    let again = engine.spawn((8_u32, 'y', Fragile(false)));
    engine.despawn(others[1]).unwrap();
    assert_eq!(engine.query::<(&u32, &char)>().get(again), Some((&8, &'y')));
    assert_eq!(engine.query::<&u32>().count(), 2);
}

#[test]
fn panicking_drop_of_a_replaced_component_keeps_the_new_one() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Fragile(true),));
    assert!(panics(|| engine.insert(entity, (Fragile(false), 'x'))));
    assert!(!engine.get::<Fragile>(entity).unwrap().0);
    engine.insert(entity, (Fragile(false), 'y')).unwrap();
    assert_eq!(engine.get::<char>(entity), Some(&'y'));
}

/// Spawns a number in every frame. In the first frame it also removes a component whose drop panics.
struct Recorder(Option<ecs::EntityId>);

impl System for Recorder {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::record);
    }
}

impl Recorder {
    fn record(&mut self, mut commands: Commands, time: ecs::Time) {
        if let Some(entity) = self.0.take() {
            commands.remove::<Fragile>(entity);
        }
        commands.spawn((time.frame(),));
    }
}

#[test]
fn panic_of_a_command_names_the_recording_system() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Fragile(true),));
    engine.add(Recorder(Some(entity))).unwrap();
    assert_eq!(message_of_frame(&mut engine), "a command of system Recorder panicked: the flag is set");
}

#[test]
fn commands_behind_a_panicking_one_are_applied_in_the_next_frame() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Fragile(true),));
    engine.add(Recorder(Some(entity))).unwrap();
    assert!(panics(|| engine.update(FRAME)));
    assert!(engine.query::<&u64>().is_empty());
    engine.update(FRAME).unwrap();
    assert!(engine.query::<&u64>().iter().eq(&[1, 2]), "in the order of recording");
    engine.update(FRAME).unwrap();
    assert_eq!(engine.query::<&u64>().count(), 3, "no command is left");
}

/// Replaces components whose drop panics in many entities, and then sends each its number.
struct Numbering(Vec<ecs::EntityId>);

impl System for Numbering {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::number);
    }
}

impl Numbering {
    fn number(&mut self, mut commands: Commands) {
        let entities = std::mem::take(&mut self.0);
        commands.insert_many(entities.iter().map(|entity| (*entity, (Fragile(false), 7_u64))));
        commands.insert_many(entities.iter().zip(0..).map(|(entity, number)| (*entity, (number, Fragile(false)))));
        commands.insert_many(entities.iter().zip(10_u64..).map(|(entity, number)| (*entity, (Fragile(false), number))));
    }
}

/// A second system that inserts by command.
struct Beside(ecs::EntityId);

impl System for Beside {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, mut commands: Commands| commands.insert(own.0, ('x',)));
    }
}

#[test]
fn rest_of_a_bulk_insert_is_lost_with_the_panicking_insertion() {
    for are_several in [false, true] {
        let mut engine = Engine::new();
        let entities = engine.spawn_many((0..6).map(|n| (Fragile(n == 2),)));
        engine.add(Numbering(entities.clone())).unwrap();
        if are_several {
            engine.add(Beside(entities[0])).unwrap();
        }
        assert!(panics(|| engine.update(FRAME)));
        assert!(entities.iter().all(|entity| engine.get::<Fragile>(*entity).is_some()));
        assert_eq!(engine.get::<u64>(entities[5]), None);
        engine.update(FRAME).unwrap();
        assert_eq!(engine.command_errors(), []);
        let numbers: Vec<_> = entities.iter().map(|entity| engine.get::<i32>(*entity).copied().unwrap()).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5], "each bundle finds its entity");
        let numbers: Vec<_> = entities.iter().map(|entity| engine.get::<u64>(*entity).copied().unwrap()).collect();
        assert_eq!(numbers, [10, 11, 12, 13, 14, 15], "also of the type of the panicking command");
    }
}

/// Its drop panics.
struct Mine;

impl Drop for Mine {
    fn drop(&mut self) {
        panic!("the flag is set");
    }
}

/// Logs despawned entities.
#[derive(Default)]
struct Obituary(Vec<ecs::EntityId>);

impl System for Obituary {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_despawned);
    }
}

impl Obituary {
    fn on_despawned(&mut self, gone: &ecs::Despawned) {
        self.0.push(gone.entity);
    }
}

#[test]
fn despawned_event_is_sent_despite_a_panicking_drop() {
    let mut engine = Engine::new();
    engine.add(Obituary::default()).unwrap();
    let entity = engine.spawn((Mine, 1_u32));
    assert!(panics(|| engine.despawn(entity)));
    assert!(!engine.contains(entity));
    engine.update(FRAME).unwrap();
    assert_eq!(engine.system::<Obituary>().unwrap().0, [entity]);
}

/// Inserts a letter by command, in the first frame only. There are several.
struct Writing<const LETTER: char>(Option<ecs::EntityId>);

impl<const LETTER: char> System for Writing<LETTER> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, mut commands: Commands| {
            own.0.take().into_iter().for_each(|entity| commands.insert(entity, (LETTER,)));
        });
    }
}

#[test]
fn inserts_conflict_across_a_panicking_command() {
    let mut engine = Engine::new();
    let [page, fragile] = [engine.spawn(()), engine.spawn((Fragile(true),))];
    engine.add(Writing::<'a'>(Some(page))).unwrap().add(Recorder(Some(fragile))).unwrap();
    engine.add(Writing::<'b'>(Some(page))).unwrap();
    assert!(panics(|| engine.update(FRAME)));
    assert_eq!(engine.get(page), Some(&'a'));
    engine.update(FRAME).unwrap();
    assert_eq!(engine.get(page), Some(&'a'));
    let errors: Vec<_> = engine.command_errors().iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("Writing<'b'> asked to insert: Writing<'a'> inserted char into"), "{}", errors[0]);
    // The next frame is another application of commands.
    engine.system_mut::<Writing<'b'>>().unwrap().0 = Some(page);
    engine.update(FRAME).unwrap();
    assert_eq!((engine.get(page), engine.command_errors()), (Some(&'b'), &[][..]));
}

/// Its drop panics while it is armed.
struct Grenade(std::sync::Arc<std::sync::atomic::AtomicBool>);

impl Drop for Grenade {
    fn drop(&mut self) {
        assert!(!self.0.load(std::sync::atomic::Ordering::Relaxed), "the flag is set");
    }
}

#[derive(Clone, Copy)]
struct Thrown(u64);

#[test]
fn function_whose_drop_panics_in_a_restore_leaves_no_events_in_its_buffer() {
    let mut engine = Engine::new();
    engine.add(Faint::default()).unwrap();
    engine.types_mut().system_by("faint", |faint: &Faint, hash| _ = hash.number(faint.heard)).unwrap();
    let before = engine.snapshot().unwrap();
    let is_armed = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let grenade = Grenade(std::sync::Arc::clone(&is_armed));
    let throw = move |mut thrown: ecs::Sender<Thrown>| {
        let _ = &grenade;
        (0..100).for_each(|n| thrown.send(Thrown(n)));
    };
    engine.every(FRAME, throw).unwrap();
    engine.system_mut::<Faint>().unwrap().must_panic = true;
    assert!(panics(|| engine.update(FRAME)), "the frame ends with the panic, and its events wait");
    is_armed.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(panics(|| engine.restore(&before)));
    is_armed.store(false, std::sync::atomic::Ordering::Relaxed);
    engine.update(FRAME).unwrap();
    assert_eq!(engine.system::<Faint>().unwrap().heard, 0, "the restore has undone the events");
}

/// Panics in its phase if its flag is set, and listens to events.
#[derive(Clone, Default)]
struct Faint {
    must_panic: bool,
    heard: u64,
}

impl System for Faint {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, _: ecs::Time| assert!(!own.must_panic, "the flag is set"));
        setup.listen(|own: &mut Self, thrown: &Thrown| own.heard += thrown.0 + 1);
    }
}

#[test]
fn commands_of_a_function_behind_a_panicking_one_are_applied() {
    let mut engine = Engine::new();
    let entities: Vec<_> = (0..3_u32).map(|number| engine.spawn((Fragile(number < 2), number))).collect();
    let mut reserved = None;
    let act = |mut commands: Commands, mut spawner: ecs::Spawner| {
        commands.despawn(entities[0]);
        commands.remove::<Fragile>(entities[1]);
        reserved = Some(spawner.spawn((7_u32,)));
        commands.despawn(entities[2]);
    };
    assert!(panics(|| engine.run(act)));
    assert!(!engine.contains(entities[0]) && !engine.contains(entities[2]));
    assert!(!engine.has::<Fragile>(entities[1]), "the second panicking command was applied as well");
    assert_eq!(engine.get::<u32>(reserved.unwrap()), Some(&7), "its entity was spawned");
    assert_eq!(engine.entities().len(), 2, "and no other");
    assert_eq!(engine.run(|numbers: ecs::Query<&u32>| numbers.count()).unwrap(), 2);
}

/// A panic payload whose drop panics.
struct Spite;

impl Drop for Spite {
    fn drop(&mut self) {
        panic!("the flag is set");
    }
}

/// Its drop panics with `Spite`.
struct Spiteful;

impl Drop for Spiteful {
    fn drop(&mut self) {
        std::panic::panic_any(Spite);
    }
}

#[test]
fn commands_of_a_function_are_applied_despite_repeated_panics() {
    let mut engine = Engine::new();
    let [first, second] = [(); 2].map(|()| engine.spawn((Spiteful,)));
    let act = |mut commands: Commands| {
        commands.despawn(first);
        commands.despawn(second);
        commands.spawn((7_u32,));
        Spiteful
    };
    let run = std::panic::AssertUnwindSafe(|| engine.run(act).is_ok());
    let panic = std::panic::catch_unwind(run).expect_err("the first despawn panics");
    std::mem::forget(panic.downcast::<Spite>().expect("the first panic goes on"));
    assert!(!engine.contains(first) && !engine.contains(second));
    assert!(engine.query::<&u32>().iter().eq([&7]));
}

/// Its drop panics, also while the thread panics already: a second panic must not end the program.
struct Vengeful(&'static str);

impl Drop for Vengeful {
    fn drop(&mut self) {
        panic!("{} is dropped", self.0);
    }
}

/// As [`Vengeful`].
struct Bitter(#[allow(dead_code)] Vengeful);

fn vengeful() -> (Vengeful, Bitter) {
    (Vengeful("spite"), Bitter(Vengeful("bitterness")))
}

fn none_is_left(engine: &mut Engine) -> bool {
    engine.query::<&Vengeful>().is_empty() && engine.query::<&Bitter>().is_empty()
}

#[test]
fn many_panicking_drops_are_one_panic() {
    let spawn = |engine: &mut Engine| -> Vec<_> { (0..4).map(|_| engine.spawn(vengeful())).collect() };
    let mut engine = Engine::new();
    let [alone, parent, ..] = spawn(&mut engine)[..] else { unreachable!() };
    engine.spawn_child(parent, vengeful()).unwrap();
    assert_eq!(message_of(|| engine.despawn(alone).unwrap()), "spite is dropped");
    assert!(panics(|| engine.despawn(parent)));
    let left: Vec<_> = engine.query::<EntityId>().iter().collect();
    assert_eq!(left.len(), 2);
    assert!(panics(|| engine.despawn_many(left)));
    assert!(none_is_left(&mut engine) && engine.entities().is_empty());

    let entity = engine.spawn(vengeful());
    assert!(panics(|| engine.insert(entity, vengeful())), "both are replaced");
    engine.add(move |mut commands: Commands| commands.insert(alone, vengeful())).unwrap();
    assert!(panics(|| engine.update(FRAME)), "the entity is gone");
    assert!(panics(|| drop(engine)), "with the components of an entity");
}

#[test]
fn many_panicking_drops_of_one_command_are_one_panic() {
    let mut engine = Engine::new();
    let entities: Vec<_> = (0..6).map(|n| engine.spawn((n,))).collect();
    entities.iter().for_each(|entity| engine.insert(*entity, vengeful()).unwrap());
    engine
        .add(move |mut commands: Commands, time: ecs::Time| match time.frame() {
            1 => commands.remove_many::<Vengeful>(entities.clone()),
            2 => commands.despawn_many(entities.clone()),
            _ => {}
        })
        .unwrap();
    assert!(panics(|| engine.update(FRAME)));
    assert_eq!((engine.query::<&Vengeful>().count(), engine.query::<&Bitter>().count()), (0, 6));
    assert!(panics(|| engine.update(FRAME)));
    assert!(none_is_left(&mut engine) && engine.entities().is_empty());
}

#[test]
fn panics_of_a_hook_and_of_the_value_are_one() {
    let mut engine = Engine::new();
    engine.on_remove(|_: Removal<'_, Vengeful>| panic!("it stays")).unwrap();
    let entity = engine.spawn(vengeful());
    assert_eq!(message_of(|| engine.despawn(entity).unwrap()), "the hook of component Vengeful panicked: it stays");
    assert!(none_is_left(&mut engine));
}

#[test]
fn iterator_that_panics_takes_back_what_panics_as_well() {
    let mut engine = Engine::new();
    let bundles = (0..4).map(|n| {
        assert!(n < 3, "that is enough");
        vengeful()
    });
    assert_eq!(message_of(|| _ = engine.spawn_many(bundles)), "that is enough");
    assert!(none_is_left(&mut engine) && engine.entities().is_empty());
}

#[test]
fn many_panicking_links_and_resources_are_one_panic() {
    struct Tie(#[allow(dead_code)] Vengeful);
    impl Relation for Tie {}
    let mut engine = Engine::new();
    let (source, targets) = (engine.spawn(()), [(); 5].map(|()| engine.spawn(())));
    targets.iter().for_each(|target| engine.relate(source, *target, Tie(Vengeful("a link"))).unwrap());
    assert_eq!(message_of(|| engine.despawn(source).unwrap()), "a link is dropped");
    assert!(engine.query::<&LinkedFrom<Tie>>().is_empty());
    engine.insert_resource(Vengeful("a resource"));
    engine.insert_resource(Bitter(Vengeful("another")));
    assert!(panics(|| drop(engine)));
}
