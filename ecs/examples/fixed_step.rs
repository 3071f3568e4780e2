//! A fixed step: the simulation of a ball runs in steps of 10 ms, whatever the frame rate, and drawing interpolates between the last two
//! steps. Prints the order of systems in a frame of 30 ms, and where the ball is after a second at three frame rates.
//!
//! `cargo run -p lockstep_ecs --example fixed_step`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;
use ecs::system::{Backlog, FixedStep};

const STEP: Duration = Duration::from_millis(10);

/// The set of the simulation.
struct Physics;

/// The height in the last two steps.
#[derive(Clone, Copy)]
struct Height {
    before_m: f32,
    now_m: f32,
}

struct Speed {
    y_mps: f32,
}

#[derive(Default)]
struct Order(Vec<&'static str>);

/// Moves the ball.
struct Move;

impl System for Move {
    fn setup(setup: &mut Setup<Self>) {
        setup.in_set::<Physics>().before::<Hit>().update(Self::step);
    }
}

impl Move {
    fn step(&mut self, time: Time, mut balls: Query<(&mut Height, &mut Speed)>, mut order: ResMut<Order>) {
        order.0.push("move");
        for (height, speed) in &mut balls {
            speed.y_mps -= 9.81 * time.delta_seconds();
            *height = Height { before_m: height.now_m, now_m: height.now_m + speed.y_mps * time.delta_seconds() };
        }
    }
}

/// Bounces the ball at the floor.
struct Hit;

impl System for Hit {
    fn setup(setup: &mut Setup<Self>) {
        setup.in_set::<Physics>().update(Self::step);
    }
}

impl Hit {
    fn step(&mut self, mut balls: Query<(&mut Height, &mut Speed)>, mut order: ResMut<Order>) {
        order.0.push("hit");
        for (height, speed) in &mut balls {
            if height.now_m < 0.0 {
                height.now_m = -height.now_m;
                speed.y_mps = speed.y_mps.abs() * 0.8;
            }
        }
    }
}

/// Draws the ball once a frame.
struct Draw {
    drawn_m: f32,
}

impl System for Draw {
    fn setup(setup: &mut Setup<Self>) {
        setup.after::<Physics>().update(Self::draw);
    }
}

impl Draw {
    fn draw(&mut self, clock: Res<FixedStep<Physics>>, balls: Query<&Height>, mut order: ResMut<Order>) {
        order.0.push("draw");
        for height in &balls {
            self.drawn_m = height.before_m + (height.now_m - height.before_m) * clock.overstep_fraction();
        }
    }
}

fn engine() -> Result<Engine, Error> {
    let mut engine = Engine::new();
    engine.insert_resource(Order::default());
    engine.configure_set::<Physics>(|set| set.fixed_step(STEP).most_steps(10, Backlog::Drop))?;
    engine.add(Draw { drawn_m: 0.0 })?.add(Hit)?.add(Move)?;
    engine.spawn((Height { before_m: 2.0, now_m: 2.0 }, Speed { y_mps: 0.0 }));
    Ok(engine)
}

pub(crate) fn main() -> Result<(), Error> {
    let mut one = engine()?;
    one.update(3 * STEP)?;
    let order = std::mem::take(&mut one.resource_mut::<Order>().expect("it was inserted").0);
    println!("{}", order.join(" "));
    assert_eq!(order, ["move", "hit", "move", "hit", "move", "hit", "draw"]);

    let mut heights = Vec::new();
    for frames_per_second in [20, 50, 250] {
        let mut engine = engine()?;
        for _ in 0..frames_per_second {
            engine.update(Duration::from_secs(1) / frames_per_second)?;
        }
        let drawn_m = engine.system::<Draw>().expect("it was added").drawn_m;
        heights.extend(engine.query::<&Height>().iter().map(|height| height.now_m));
        println!("{frames_per_second:>3} frames a second: drawn at {drawn_m:.3} m after a second");
    }
    assert!(heights.iter().all(|height| height.to_bits() == heights[0].to_bits()), "{heights:?}");
    Ok(())
}
