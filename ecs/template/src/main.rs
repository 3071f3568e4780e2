//! The window: keys, time and drawing. The game is in the library.

use std::error::Error;
use std::time::Duration;

use ecs::StepLoop;
use macroquad::prelude::*;
use simulation::{Control, FIELD_M, STEP, Score, discs, new_game};

const KEYS: [(KeyCode, Control); 4] = [
    (KeyCode::Left, Control::Left),
    (KeyCode::Right, Control::Right),
    (KeyCode::Up, Control::Up),
    (KeyCode::Down, Control::Down),
];

#[macroquad::main("My game")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (mut engine, mut steps) = (new_game(1)?, StepLoop::new(STEP));
    steps.record(&mut engine)?;
    while !is_key_pressed(KeyCode::Escape) {
        for (key, control) in KEYS {
            // A key can go down and up within a frame; the last call says how it is now.
            if is_key_pressed(key) {
                steps.press(control);
            }
            if is_key_released(key) {
                steps.release(&control);
            }
            steps.hold(control, is_key_down(key));
        }
        if is_key_pressed(KeyCode::R) {
            match steps.is_replaying() {
                true => steps.end_replay(&mut engine)?,
                false => _ = steps.replay(&mut engine)?,
            }
        }

        let elapsed = Duration::from_secs_f32(get_frame_time());
        let advanced = steps.advance(&mut engine, elapsed)?;

        clear_background(Color::from_hex(0x10131a));
        let scale = (screen_width() / FIELD_M[0]).min(screen_height() / FIELD_M[1]);
        for ([x_m, y_m], is_ball) in discs(&mut engine, advanced.overstep_fraction) {
            let (radius_m, colour) = if is_ball {
                (0.5, SKYBLUE)
            } else {
                (0.25, GOLD)
            };
            draw_circle(x_m * scale, y_m * scale, radius_m * scale, colour);
        }
        let coins = engine.resource::<Score>().map_or(0, |score| score.0);
        let line = match (steps.is_replaying(), steps.divergence()) {
            (true, _) => format!("{coins} coins, replay: R ends it"),
            (false, None) => format!("{coins} coins, arrows push the ball, R: replay"),
            (false, Some(difference)) => difference.to_string(),
        };
        draw_text(&line, 10.0, 24.0, 24.0, WHITE);
        next_frame().await;
    }
    Ok(())
}
