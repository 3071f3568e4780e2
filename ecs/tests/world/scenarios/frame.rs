//! One frame, step by step, and the changes that each step allows.

use ecs::{
    Added, Commands, Despawned, EntityId, Error, Query, ResMut, Sender, Setup, Spawned, Spawner, System, Time, World,
};

use super::log::{self, FRAME, Log};

#[derive(Clone, Copy)]
struct Input;
#[derive(Clone, Copy)]
struct Moved(&'static str);
#[derive(Clone, Copy)]
struct Answered(&'static str);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Token(u32);

/// Logs the name of each method, and sends an event and records a command in it.
struct Tracer;

impl System for Tracer {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(Self::on_input)
            .pre_update(Self::pre_update)
            .update(Self::update)
            .post_update(Self::post_update)
            .listen(Self::on_moved)
            .listen(Self::on_answered)
            .listen(Self::on_added)
            .listen(Self::on_spawned)
            .listen(Self::on_despawned);
    }
}

impl Tracer {
    fn on_input(&mut self, _: &Input, mut log: ResMut<Log>, mut answers: Sender<Answered>, mut commands: Commands) {
        log.note("1:input");
        answers.send(Answered("input"));
        commands.spawn((Token(1),));
    }

    fn pre_update(&mut self, mut log: ResMut<Log>, mut moved: Sender<Moved>, tokens: Query<&Token>) {
        log.note(format!("2:pre[{}]", tokens.count()));
        moved.send(Moved("pre"));
    }

    fn update(&mut self, mut log: ResMut<Log>, mut moved: Sender<Moved>, mut commands: Commands) {
        log.note("3:update");
        moved.send(Moved("update"));
        commands.spawn((Token(2),));
    }

    fn post_update(&mut self, mut log: ResMut<Log>, mut moved: Sender<Moved>, tokens: Query<&Token>) {
        log.note(format!("4:post[{}]", tokens.count()));
        moved.send(Moved("post"));
    }

    fn on_moved(&mut self, moved: &Moved, mut log: ResMut<Log>, mut answers: Sender<Answered>) {
        log.note(format!("5:{}", moved.0));
        answers.send(Answered(moved.0));
    }

    fn on_answered(&mut self, answered: &Answered, mut log: ResMut<Log>, tokens: Query<&Token>) {
        log.note(format!("answer-to-{}[{}]", answered.0, tokens.count()));
    }

    fn on_added(&mut self, added: &Added<Token>, tokens: Query<&Token>, mut log: ResMut<Log>) {
        log.note(format!("7:added-{}", tokens.get(added.entity).unwrap().0));
    }

    fn on_spawned(&mut self, spawned: &Spawned, tokens: Query<&Token>, mut log: ResMut<Log>, mut commands: Commands) {
        log.note(format!("7:spawned-{}", tokens.get(spawned.entity).unwrap().0));
        commands.despawn(spawned.entity);
    }

    fn on_despawned(&mut self, _: &Despawned, mut log: ResMut<Log>) {
        log.note("7:despawned");
    }
}

#[test]
fn frame_has_eight_steps_in_one_order() {
    let mut engine = log::engine();
    engine.add(Tracer).unwrap();
    engine.send(Input);
    assert_eq!(
        log::frame(&mut engine),
        "1:input answer-to-input[0] \
         2:pre[0] 3:update 4:post[0] \
         5:pre 5:update 5:post answer-to-pre[0] answer-to-update[0] answer-to-post[0] \
         7:added-1 7:spawned-1 7:added-2 7:spawned-2 7:despawned 7:despawned"
    );
    assert_eq!(engine.query::<&Token>().count(), 0, "the commands of step 7 were applied");
    assert_eq!(
        log::frame(&mut engine),
        "2:pre[0] 3:update 4:post[0] \
         5:pre 5:update 5:post answer-to-pre[0] answer-to-update[0] answer-to-post[0] \
         7:added-2 7:spawned-2 7:despawned"
    );
}

/// Despawns its entity in pre-update and reads it until the end of the frame.
struct Reaper(EntityId);

impl System for Reaper {
    fn setup(setup: &mut Setup<Self>) {
        setup.pre_update(Self::despawn).update(Self::read).listen(Self::on_moved).listen(Self::on_despawned);
    }
}

impl Reaper {
    fn despawn(&mut self, mut commands: Commands) {
        commands.despawn(self.0);
    }

    fn read(&mut self, mut tokens: Query<&mut Token>, mut moved: Sender<Moved>) {
        tokens.get_mut(self.0).unwrap().0 += 1;
        moved.send(Moved("read"));
    }

    fn on_moved(&mut self, _: &Moved, tokens: Query<&Token>, mut log: ResMut<Log>) {
        log.note(format!("still-{}", tokens.get(self.0).unwrap().0));
    }

    fn on_despawned(&mut self, event: &Despawned, tokens: Query<&Token>, mut log: ResMut<Log>) {
        log.note(format!("gone-{}-{}", event.entity == self.0, tokens.get(self.0).is_none()));
    }
}

#[test]
fn despawned_entity_stays_readable_until_the_commands_are_applied() {
    let mut engine = log::engine();
    let entity = engine.spawn((Token(1),));
    engine.add(Reaper(entity)).unwrap();
    assert_eq!(log::frame(&mut engine), "still-2 gone-true-true");
    engine.disable_system::<Reaper>().unwrap();
    assert_eq!(log::frame(&mut engine), "");
}

struct Clockwork;

impl System for Clockwork {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).listen(Self::on_input);
    }
}

impl Clockwork {
    fn update(&mut self, time: Time, mut log: ResMut<Log>) {
        log.note(format!("{}:{}ms/{}ms", time.frame(), time.delta().as_millis(), time.elapsed().as_millis()));
        assert!((time.delta_seconds() - time.delta().as_secs_f32()).abs() < f32::EPSILON);
    }

    fn on_input(&mut self, _: &Input, time: Time, mut log: ResMut<Log>) {
        log.note(format!("heard in {}", time.frame()));
    }
}

#[test]
fn time_is_the_sum_of_the_given_deltas() {
    let mut engine = log::engine();
    engine.add(Clockwork).unwrap();
    assert_eq!(engine.time().frame(), 0);
    assert_eq!(log::frame(&mut engine), "1:10ms/10ms");
    engine.send(Input);
    assert_eq!(log::frame(&mut engine), "heard in 2 2:10ms/20ms");
    assert_eq!((engine.time().frame(), engine.time().elapsed()), (2, FRAME * 2));
}

struct Exclusive;

impl System for Exclusive {
    fn setup(setup: &mut Setup<Self>) {
        setup.update_exclusive(Self::whole).update(Self::part).listen(Self::on_moved);
    }
}

impl Exclusive {
    fn part(&mut self, mut moved: Sender<Moved>, mut log: ResMut<Log>) {
        log.note("part");
        moved.send(Moved("part"));
    }

    fn whole(&mut self, world: &mut World) {
        world.resource_mut::<Log>().unwrap().note("whole");
        for token in &mut world.query::<&mut Token>() {
            token.0 *= 2;
        }
        world.send(Moved("whole"));
    }

    fn on_moved(&mut self, moved: &Moved, mut log: ResMut<Log>) {
        log.note(format!("heard-{}", moved.0));
    }
}

#[test]
fn exclusive_method_runs_last_in_its_phase_and_its_events_keep_their_order() {
    let mut engine = log::engine();
    let entity = engine.spawn((Token(4),));
    engine.add(Exclusive).unwrap();
    assert_eq!(log::frame(&mut engine), "part whole heard-part heard-whole");
    assert_eq!(engine.get::<Token>(entity), Some(&Token(8)));
}

/// Spawns with a `Spawner` and checks whether the entity exists.
struct Nursery(Option<EntityId>);

impl System for Nursery {
    fn setup(setup: &mut Setup<Self>) {
        setup.pre_update(Self::spawn).update(Self::read);
    }
}

impl Nursery {
    fn spawn(&mut self, mut spawner: Spawner) {
        if self.0.is_none() {
            self.0 = Some(spawner.spawn((Token(5),)));
        }
    }

    fn read(&mut self, all: Query<EntityId>, mut log: ResMut<Log>) {
        log.note(all.contains(self.0.unwrap()));
    }
}

#[test]
fn entity_of_a_spawner_is_alive_after_the_frame() -> Result<(), Error> {
    let mut engine = log::engine();
    engine.add(Nursery(None))?;
    assert_eq!(log::frame(&mut engine), "false");
    let id = engine.system::<Nursery>().unwrap().0.unwrap();
    assert_eq!(engine.get::<Token>(id), Some(&Token(5)));
    assert_eq!(log::frame(&mut engine), "true");
    assert_eq!(engine.entities().len(), 1);
    Ok(())
}
