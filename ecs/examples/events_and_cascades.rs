//! Events: sent by one system, heard by another, answered by a third; and a cascade that never ends is named, not endured.
//!
//! `cargo run -p lockstep_ecs --example events_and_cascades`

use std::time::Duration;

use ecs::{Commands, Engine, EntityId, Error, Query, Removed, Sender, Setup, System};

#[derive(Clone, Copy)]
struct Fuse {
    frames_left: u32,
}

#[derive(Clone, Copy)]
struct Exploded {
    entity: EntityId,
}

/// Counts fuses down.
struct Fuses;

impl System for Fuses {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::burn);
    }
}

impl Fuses {
    fn burn(&mut self, mut fuses: Query<(EntityId, &mut Fuse)>, mut exploded: Sender<Exploded>) {
        for (entity, fuse) in &mut fuses {
            fuse.frames_left = fuse.frames_left.saturating_sub(1);
            if fuse.frames_left == 0 {
                exploded.send(Exploded { entity });
            }
        }
    }
}

/// Knows nothing of fuses: it hears what happened.
struct Blasts;

impl System for Blasts {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_exploded).listen(Self::on_removed);
    }
}

impl Blasts {
    fn on_exploded(&mut self, event: &Exploded, mut commands: Commands) {
        println!("  {} explodes", event.entity);
        commands.despawn(event.entity);
    }

    // The entity is gone by now; the event carries the last value of its component.
    fn on_removed(&mut self, event: &Removed<Fuse>) {
        println!("  {} is gone, its fuse was at {}", event.entity, event.value.frames_left);
    }
}

#[derive(Clone, Copy)]
struct Question(u32);
#[derive(Clone, Copy)]
struct Answer(u32);

/// Answers every question, and questions every answer.
struct Philosophers;

impl System for Philosophers {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_question).listen(Self::on_answer);
    }
}

impl Philosophers {
    fn on_question(&mut self, question: &Question, mut answers: Sender<Answer>) {
        answers.send(Answer(question.0 + 1));
    }

    fn on_answer(&mut self, answer: &Answer, mut questions: Sender<Question>) {
        questions.send(Question(answer.0 + 1));
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add(Fuses)?.add(Blasts)?;
    for frames_left in [1, 2, 2] {
        engine.spawn((Fuse { frames_left },));
    }
    for frame in 1..=3 {
        println!("frame {frame}, {} entities:", engine.entities().len());
        engine.update(Duration::from_millis(16))?;
    }

    engine.add(Philosophers)?;
    engine.send(Question(0));
    if let Err(error) = engine.update(Duration::from_millis(16)) {
        println!("\nthe engine says: {error}");
    }

    println!("\nwho sends and who listens:\n{}", engine.event_graph()?);
    for (name, counters) in engine.events().iter() {
        println!("{name}: {} sent, {} delivered", counters.sent, counters.delivered);
    }
    Ok(())
}
