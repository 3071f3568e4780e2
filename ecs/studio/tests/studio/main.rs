//! A small program that is watched, stopped, edited and sent back in time, through the protocol.

mod blame;
mod causes;
mod costs;
mod edits;
mod history;
mod lists;
mod panels;
mod requests;
mod searches;
mod step_loop;
mod streams;
mod time;

use std::time::Duration;

use ecs::prelude::*;
use ecs_studio::Studio;
use serde_json::Value;

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Ball {
    height_m: f32,
    speed_mps: f32,
}

#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
struct Bounced {
    ball: EntityId,
    speed_mps: f32,
}

struct Gravity;

impl System for Gravity {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fall);
    }
}

impl Gravity {
    fn fall(&mut self, time: Time, mut balls: Query<(EntityId, &mut Ball)>, mut bounced: Sender<Bounced>) {
        for (entity, ball) in &mut balls {
            ball.speed_mps -= 9.81 * time.delta_seconds();
            ball.height_m += ball.speed_mps * time.delta_seconds();
            if ball.height_m < 0.0 && ball.speed_mps < 0.0 {
                ball.speed_mps *= -1.0;
                bounced.send(Bounced { ball: entity, speed_mps: ball.speed_mps });
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Pair(u64, f32);

/// Each bounce leaves a mark.
struct Marks;

#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Mark {
    speed_mps: f32,
}

impl System for Marks {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, bounced: &Bounced, mut commands: Commands| {
            commands.spawn((Mark { speed_mps: bounced.speed_mps },));
        });
    }
}

fn engine() -> (Engine, EntityId) {
    let mut engine = Engine::new();
    engine.add(Gravity).unwrap().add(Marks).unwrap();
    let types = engine.types_mut();
    types.component_by::<Ball>("ball", |ball, hash| _ = hash.printed(ball)).unwrap().save::<Ball>(1).unwrap();
    types.component_by::<Mark>("mark", |mark, hash| _ = hash.add(&mark.speed_mps)).unwrap().save::<Mark>(1).unwrap();
    types.event_by::<Bounced>("bounced", |bounced, hash| _ = hash.add(&bounced.ball)).unwrap();
    types.save::<Bounced>(1).unwrap();
    let ball = engine.spawn((Ball { height_m: 1.0, speed_mps: 0.0 },));
    (engine, ball)
}

fn frame(studio: &mut Studio<Engine>, engine: &mut Engine) -> bool {
    studio.frame(engine, |engine| engine.update(Duration::from_millis(10)).unwrap()).is_some()
}

fn ask(studio: &mut Studio<Engine>, engine: &mut Engine, request: Value) -> Value {
    serde_json::from_str(&studio.answer(engine, &request.to_string())).unwrap()
}

fn hash(engine: &mut Engine) -> u64 {
    engine.state_hash().unwrap().whole
}
