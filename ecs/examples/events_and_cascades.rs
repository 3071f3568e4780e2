//! Events: one function sends, others listen and answer. A cascade that never ends is an error that names its cycle.
//!
//! Prints each explosion, the error of the endless cascade, the senders and listeners of each event, and the counters.
//!
//! `cargo run -p lockstep_ecs --example events_and_cascades`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

#[derive(Clone, Copy)]
struct Fuse {
    frames_left: u32,
}

#[derive(Clone, Copy)]
struct Exploded {
    entity: EntityId,
}

/// Burns down fuses.
fn burn(mut fuses: Query<(EntityId, &mut Fuse)>, mut exploded: Sender<Exploded>) {
    for (entity, fuse) in &mut fuses {
        fuse.frames_left = fuse.frames_left.saturating_sub(1);
        if fuse.frames_left == 0 {
            exploded.send(Exploded { entity });
        }
    }
}

/// Reacts to explosions; it does not know the function that sends them.
fn explode(event: &Exploded, mut commands: Commands) {
    println!("  {} explodes", event.entity);
    commands.despawn(event.entity);
}

// The entity no longer exists; the event carries the last value of its component.
fn note_removed(event: &Removed<Fuse>) {
    let frames_left = event.value.as_ref().map_or(0, |fuse| fuse.frames_left);
    println!("  {} is gone, its fuse was at {frames_left}", event.entity);
}

#[derive(Clone, Copy)]
struct Question(u32);
#[derive(Clone, Copy)]
struct Answer(u32);

/// A question gets an answer, and the answer a question: an endless cascade.
fn answer(question: &Question, mut answers: Sender<Answer>) {
    answers.send(Answer(question.0 + 1));
}

fn ask(answer: &Answer, mut questions: Sender<Question>) {
    questions.send(Question(answer.0 + 1));
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add((burn, explode, note_removed))?;
    for frames_left in [1, 2, 2] {
        engine.spawn((Fuse { frames_left },));
    }
    for frame in 1..=3 {
        println!("frame {frame}, {} entities:", engine.entities().len());
        engine.update(Duration::from_millis(16))?;
    }

    engine.add((answer, ask))?;
    engine.send(Question(0));
    if let Err(error) = engine.update(Duration::from_millis(16)) {
        println!("\nerror: {error}");
    }

    println!("\nsenders and listeners:\n{}", engine.event_graph()?);
    for (name, counters) in engine.events().iter() {
        println!("{name}: {} sent, {} delivered", counters.sent, counters.delivered);
    }
    Ok(())
}
