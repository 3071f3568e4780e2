//! The systems that run once a frame: `Engine::presentation`.

use ecs::prelude::*;
use ecs::system::{ErrorPolicy, SetupError};
use ecs::{Error, System};

use super::log::{Log, engine, logged};
use crate::{ms, panics};

/// What was drawn.
#[derive(Clone, Default)]
struct Canvas(Vec<String>);

struct Height(f32);

struct Camera {
    is_enabled: bool,
    looks: u32,
}

impl System for Camera {
    fn setup(setup: &mut Setup<Self>) {
        setup.before_type::<Draw>().update(|camera: &mut Self| camera.looks += u32::from(camera.is_enabled));
    }
}

struct Draw;

impl System for Draw {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, time: Time, heights: Query<&Height>, mut canvas: ResMut<Canvas>| {
            let all: f32 = heights.iter().map(|height| height.0).sum();
            let (frame, fraction) = (time.frame(), time.overstep_fraction());
            canvas.0.push(format!("{frame}: {all} {fraction} after {:?}", time.delta()));
        });
    }
}

fn drawing() -> (Engine, StepClock) {
    let mut engine = engine();
    engine.insert_resource(Canvas::default());
    engine.spawn((Height(0.0),));
    let rise = |time: Time, mut heights: Query<&mut Height>, mut log: ResMut<Log>| {
        log.note(time.overstep_fraction());
        heights.iter_mut().for_each(|height| height.0 += 1.0);
    };
    engine.add(rise).unwrap();
    engine.presentation().add(Draw).unwrap().add(Camera { is_enabled: true, looks: 0 }).unwrap();
    (engine, StepClock::new(ms(10)))
}

#[test]
fn presentation_runs_once_a_frame_after_the_steps_with_the_time_of_frames() {
    let (mut engine, mut clock) = drawing();
    for elapsed in [25, 2, 33] {
        engine.advance(&mut clock, ms(elapsed), |_| {}).unwrap();
    }
    let drawn = ["1: 2 0.5 after 25ms", "2: 2 0.7 after 2ms", "3: 6 0 after 33ms"];
    assert_eq!(engine.resource::<Canvas>().unwrap().0, drawn);
    assert_eq!(engine.presentation().system::<Camera>().unwrap().looks, 3);
    // A step never sees where a frame is.
    assert_eq!(logged(&mut engine), "0 0 0 0 0 0");
    // A step alone presents nothing: a replay and a rollback take many.
    engine.update(ms(10)).unwrap();
    assert_eq!(engine.resource::<Canvas>().unwrap().0.len(), 3);
    let text = engine.presentation().explain().unwrap().to_string();
    assert!(text.find("Camera").unwrap() < text.find("Draw").unwrap(), "{text}");
    assert!(!engine.explain().unwrap().to_string().contains("Camera"));
}

#[test]
fn timers_conditions_and_sets_of_the_presentation_count_frames() {
    struct Overlay;
    let (mut engine, mut clock) = drawing();
    let note = |time: Time, mut canvas: ResMut<Canvas>| canvas.0.push(format!("{:?}", time.delta()));
    engine.presentation().add(note.every(ms(100)).in_set::<Overlay>()).unwrap();
    let is_high = |heights: Query<&Height>| heights.iter().any(|height| height.0 > 2.0);
    engine.presentation().configure_set::<Overlay>(|set| set.run_if(is_high)).unwrap();
    for elapsed in [150, 30, 80] {
        engine.resource_mut::<Canvas>().unwrap().0.clear();
        engine.advance(&mut clock, ms(elapsed), |_| {}).unwrap();
    }
    // 150 ms was due, then 30 + 80 + 50 ms.
    let drawn = &engine.resource::<Canvas>().unwrap().0;
    assert!(drawn.contains(&"110ms".to_owned()), "{drawn:?}");
}

/// The problem of adding a function to the presentation, or of the next frame with it.
fn problem<M: 'static>(prepare: impl FnOnce(&mut Engine), function: impl IntoSystems<M>) -> String {
    let mut engine = engine();
    engine.insert_resource(Canvas::default());
    prepare(&mut engine);
    let added = engine.presentation().add(function.into_systems()).map(drop);
    let error = added.and_then(|()| engine.present(ms(1), 0.0)).unwrap_err();
    assert!(matches!(error, Error::Setup(SetupError::Presents { .. })), "{error}");
    error.to_string().split_once("presentation: ").unwrap().1.to_owned()
}

#[derive(Clone, Copy)]
struct Drawn;

#[test]
fn presentation_cannot_change_the_simulation() {
    let looks = "it takes the whole world, commands, draws random numbers of the simulation or sends: only look at the \
                 simulation";
    assert_eq!(problem(|_| {}, |mut drawn: Sender<Drawn>| drawn.send(Drawn)), looks);
    assert_eq!(problem(|_| {}, |mut commands: Commands| commands.spawn(())), looks);
    assert_eq!(
        problem(|_| {}, |mut all: Query<&mut Height>| all.iter_mut().for_each(|height| height.0 = 0.0)),
        "it writes component Height: read it, and keep what is drawn in the system or in a resource"
    );
    let write = |mut canvas: ResMut<Canvas>| canvas.0.clear();
    struct Reader;
    impl System for Reader {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(|_: &mut Self, _: &Drawn, _: Res<Canvas>| {});
        }
    }
    let used = "it writes resource Canvas, which Reader of the simulation uses: only read it here";
    assert_eq!(problem(|engine| _ = engine.add(Reader).unwrap(), write), used);
    // Conditions of systems and of sets, too.
    struct Calm;
    impl System for Calm {
        fn setup(setup: &mut Setup<Self>) {
            setup.run_if(|canvas: Res<Canvas>| canvas.0.is_empty()).update(|_: &mut Self| {});
        }
    }
    assert_eq!(problem(|engine| _ = engine.add(Calm).unwrap(), write), used.replace("Reader", "Calm"));
    struct Quiet;
    let configure =
        |engine: &mut Engine| _ = engine.configure_set::<Quiet>(|set| set.run_if(|_: Res<Canvas>| true)).unwrap();
    assert_eq!(problem(configure, write), used.replace("Reader", "Quiet"));
    let hashed = "it writes resource Canvas, which is in snapshots and hashes: leave it out of them, or only read it";
    let register = |engine: &mut Engine| {
        _ = engine.types_mut().resource_by("canvas", |canvas: &Canvas, hash| _ = hash.number(canvas.0.len() as u64));
    };
    assert_eq!(problem(register, write), hashed);

    struct Listens;
    impl System for Listens {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(|_: &mut Self, _: &Drawn| {});
        }
    }
    let error = engine().presentation().add(Listens).err().unwrap().to_string();
    assert!(error.starts_with("Listens cannot be in the presentation: it listens"), "{error}");
    struct TakesAll;
    impl System for TakesAll {
        fn setup(setup: &mut Setup<Self>) {
            setup.update_exclusive(|_, _| {});
        }
    }
    let error = engine().presentation().add(TakesAll).err().unwrap().to_string();
    assert!(error.ends_with(looks), "{error}");
}

#[test]
fn systems_and_types_that_come_later_are_checked() {
    let (mut engine, mut clock) = drawing();
    engine.advance(&mut clock, ms(10), |_| {}).unwrap();
    engine.types_mut().resource_by("canvas", |_: &Canvas, _| {}).unwrap();
    assert!(engine.present(ms(1), 0.0).is_err());
    engine.types_mut().leave_out_resource::<Canvas>();
    engine.present(ms(1), 0.0).unwrap();
    engine.every(ms(0), |_: Res<Canvas>| {}).unwrap();
    assert!(engine.present(ms(1), 0.0).unwrap_err().to_string().contains("of the simulation uses"));
}

#[test]
fn errors_panics_and_missing_resources_of_the_presentation_are_told() {
    let mut engine = Engine::builder().on_error(ErrorPolicy::Stop).build();
    engine.presentation().add(|_: Time| Err::<(), _>("no colour")).unwrap();
    assert!(engine.present(ms(1), 0.0).unwrap_err().to_string().contains("no colour"));
    assert_eq!(engine.presentation().system_errors().len(), 1);
    assert!(engine.system_errors().is_empty());
    engine.update(ms(1)).unwrap();

    let mut engine = Engine::new();
    engine.presentation().add(Draw).unwrap();
    assert!(matches!(engine.present(ms(1), 0.0), Err(Error::MissingResource { resource: "Canvas", .. })));
    engine.insert_resource(Canvas::default());
    let shatter = |all: Query<&Height>| assert!(all.is_empty(), "it is broken");
    engine.presentation().add(shatter).unwrap();
    engine.present(ms(1), 0.0).unwrap();
    engine.spawn((Height(0.0),));
    assert!(panics(|| engine.present(ms(1), 0.0)));
    // The others have run, and the engine goes on.
    assert_eq!(engine.resource::<Canvas>().unwrap().0.len(), 2);
    engine.update(ms(1)).unwrap();
}

/// The sounds since the program played the last ones.
struct Sounds(Vec<u64>);

#[test]
fn sounds_of_all_steps_are_played_once_by_the_program() {
    let times = [5, 30, 100].map(|elapsed| {
        let mut engine = Engine::new();
        engine.insert_resource(Sounds(Vec::new()));
        engine.types_mut().leave_out_resource::<Sounds>();
        engine.listen(|_: &Drawn, time: Time, mut sounds: ResMut<Sounds>| sounds.0.push(time.frame())).unwrap();
        engine.add((|mut drawn: Sender<Drawn>| drawn.send(Drawn)).every(ms(20))).unwrap();
        let (mut clock, mut played) = (StepClock::new(ms(10)), Vec::new());
        for _ in 0..300 / elapsed {
            engine.advance(&mut clock, ms(elapsed), |_| {}).unwrap();
            played.append(&mut engine.resource_mut::<Sounds>().unwrap().0);
        }
        assert_eq!(played, (1..=15).map(|beat| 2 * beat).collect::<Vec<_>>());
        engine.time()
    });
    assert!(times.iter().all(|time| *time == times[0]));
}

#[test]
fn presentation_runs_on_the_calling_thread() {
    let mut engine = Engine::builder().threads(4).parallel_threshold(0).build();
    engine.spawn_many((0..2_000).map(|at| (Height(at as f32),)));
    let here = std::thread::current().id();
    let stay = move |_: Query<&Height>| assert_eq!(std::thread::current().id(), here);
    for _ in 0..8 {
        engine.presentation().add(stay).unwrap();
    }
    let mut clock = StepClock::new(ms(10));
    engine.advance(&mut clock, ms(30), |_| {}).unwrap();
}
