//! The game in a window of macroquad.
//!
//! `cargo run -p ecs_windows --features macroquad --example macroquad`

use std::error::Error;
use std::time::Duration;

use ecs::prelude::*;
use ecs_windows::{Control, FIELD_M, Picture, STEP, headline, new_game, pictures, studio, toggle_replay};
use macroquad::prelude::*;

const KEYS: [(KeyCode, Control); 2] = [(KeyCode::Left, Control::Left), (KeyCode::Right, Control::Right)];

async fn play() -> Result<(), Box<dyn Error>> {
    let (mut engine, mut steps, mut studio) = (new_game(1)?, StepLoop::new(STEP), studio()?);
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
            toggle_replay(&mut engine, &mut steps)?;
        }

        let elapsed = Duration::from_secs_f32(get_frame_time());
        let advanced = steps.advance_by(&mut engine, elapsed, |engine, step| studio.frame(engine, step))?;

        clear_background(BLACK);
        let scale = (screen_width() / FIELD_M[0]).min(screen_height() / FIELD_M[1]);
        for Picture { at_m: [x, y], size_m: [width, height], colour: [red, green, blue] } in
            pictures(&mut engine, advanced.overstep_fraction)
        {
            let (left, top) = ((x - width / 2.0) * scale, (y - height / 2.0) * scale);
            draw_rectangle(left, top, width * scale, height * scale, Color::from_rgba(red, green, blue, 255));
        }
        draw_text(headline(&engine, &steps), 10.0, 24.0, 24.0, WHITE);
        next_frame().await;
    }
    Ok(())
}

fn main() {
    macroquad::Window::new("Stars in macroquad", async {
        if let Err(error) = play().await {
            eprintln!("error: {error}");
        }
    });
}
