//! State machines as components and in resources.

use std::time::Duration;

use ecs::{
    Engine, EntityId, Query, Res, ResMut, Sender, Setup, System,
    state_machine::{Hook, Next, State, StateMachine},
};

use super::Stage::{self, Over, Paused, Running, Title};

const STEP: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lamp {
    Off,
    On,
    Broken,
}

impl State for Lamp {
    const TRANSITIONS: &'static [(Self, Self)] =
        &[(Self::Off, Self::On), (Self::On, Self::Off), (Self::On, Self::Broken)];
}

/// The number of times that a lamp can be switched on.
struct Filament {
    left: u32,
}

#[derive(Clone, Copy)]
struct WentDark {
    lamp: EntityId,
    for_good: bool,
}

/// Switches all lamps on and off alternately.
#[derive(Default)]
struct Lamps {
    dark: Vec<(EntityId, bool)>,
}

impl System for Lamps {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).listen(Self::on_went_dark);
    }
}

impl Lamps {
    fn update(
        &mut self,
        mut lamps: Query<(EntityId, &mut StateMachine<Lamp>, &mut Filament)>,
        mut went_dark: Sender<WentDark>,
    ) {
        for (lamp, machine, filament) in &mut lamps {
            let next = match machine.current() {
                Lamp::Off => Next::Change(Lamp::On),
                Lamp::On if filament.left == 0 => Next::Change(Lamp::Broken),
                Lamp::On => Next::Change(Lamp::Off),
                Lamp::Broken => Next::Stay,
            };
            for hook in machine.step(next).expect("the table has what is chosen here") {
                match hook {
                    Hook::Entered(Lamp::On) => filament.left -= 1,
                    Hook::Entered(state) => went_dark.send(WentDark { lamp, for_good: state == Lamp::Broken }),
                    _ => {}
                }
            }
        }
    }

    fn on_went_dark(&mut self, event: &WentDark) {
        self.dark.push((event.lamp, event.for_good));
    }
}

#[test]
fn machines_are_components_and_their_hooks_become_events() {
    let mut engine = Engine::new();
    engine.add(Lamps::default()).unwrap();
    let weak = engine.spawn((StateMachine::<Lamp>::new(Lamp::Off), Filament { left: 1 }));
    let good = engine.spawn((StateMachine::<Lamp>::new(Lamp::On), Filament { left: 9 }));
    for _ in 0..3 {
        engine.update(STEP).unwrap();
    }
    let lamps = engine.system::<Lamps>().unwrap();
    assert_eq!(lamps.dark, [(good, false), (weak, true), (good, false)]);
    assert_eq!(engine.get::<StateMachine<Lamp>>(weak).map(|lamp| lamp.current()), Some(Lamp::Broken));
}

/// A resource: the state of the game.
struct Flow(StateMachine<Stage, 1>);

/// A resource: the step that the player requests.
struct Request(Next<Stage>);

/// Makes the requested steps, and counts the frames in which the game runs.
#[derive(Default)]
struct Course {
    log: Vec<String>,
    ran_for: u32,
}

impl System for Course {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

impl Course {
    fn update(&mut self, request: Res<Request>, mut flow: ResMut<Flow>) {
        match flow.0.step(request.0) {
            Ok(hooks) => self.log.extend(hooks.map(|hook| format!("{hook:?}"))),
            Err(error) => self.log.push(error.to_string()),
        }
        self.ran_for += u32::from(flow.0.current() == Running);
    }
}

#[test]
fn machine_in_a_resource_pauses_and_resumes() {
    let mut engine = Engine::new();
    engine.insert_resource(Flow(StateMachine::new(Title)));
    engine.insert_resource(Request(Next::Stay));
    engine.add(Course::default()).unwrap();
    for next in [
        Next::Change(Running),
        Next::Stay,
        Next::Push(Paused),
        Next::Stay,
        Next::Pop,
        Next::Change(Title),
        Next::Push(Paused),
        Next::ChangeAll(Over),
    ] {
        engine.insert_resource(Request(next));
        engine.update(STEP).unwrap();
    }
    let course = engine.system::<Course>().unwrap();
    assert_eq!(
        course.log,
        [
            "Left(Title)",
            "Entered(Running)",
            "Paused(Running)",
            "Entered(Paused)",
            "Left(Paused)",
            "Resumed(Running)",
            "`Title` may not follow `Running`: allowed after `Running` are `Paused`, `Running`, `Over`",
            "Paused(Running)",
            "Entered(Paused)",
            "Left(Paused)",
            "Left(Running)",
            "Entered(Over)",
        ]
    );
    assert_eq!(course.ran_for, 4, "it ran before and after the pause, and while the title was refused");
}
