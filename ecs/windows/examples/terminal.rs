//! The game in a terminal, drawn by ratatui.
//!
//! `cargo run -p ecs_windows --features terminal --example terminal`

use std::error::Error;
use std::time::Instant;

use ecs::prelude::*;
use ecs_windows::{Control, FIELD_M, Picture, STEP, headline, new_game, pictures, studio, toggle_replay};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind};
use ratatui::style::Color;
use ratatui::widgets::Block;
use ratatui::widgets::canvas::{Canvas, Rectangle};

fn play(terminal: &mut DefaultTerminal) -> Result<(), Box<dyn Error>> {
    let (mut engine, mut steps, mut studio) = (new_game(1)?, StepLoop::new(STEP), studio()?);
    steps.record(&mut engine)?;
    let mut before = Instant::now();
    loop {
        // Waits for the next frame, unless there are keys.
        while event::poll(STEP.saturating_sub(before.elapsed()))? {
            let Event::Key(key) = event::read()? else { continue };
            match key.code {
                _ if key.kind == KeyEventKind::Release => {}
                KeyCode::Left => hold_only(&mut steps, Control::Left),
                KeyCode::Right => hold_only(&mut steps, Control::Right),
                KeyCode::Down => steps.release_all(),
                KeyCode::Char('r') => toggle_replay(&mut engine, &mut steps)?,
                KeyCode::Esc => return Ok(()),
                _ => {}
            }
        }

        let elapsed = std::mem::replace(&mut before, Instant::now()).elapsed();
        let advanced = steps.advance_by(&mut engine, elapsed, |engine, step| studio.frame(engine, step))?;

        let pictures = pictures(&mut engine, advanced.overstep_fraction);
        let canvas = Canvas::default()
            .block(Block::bordered().title(headline(&engine, &steps)))
            .x_bounds([0.0, FIELD_M[0].into()])
            .y_bounds([0.0, FIELD_M[1].into()])
            .paint(|context| {
                for Picture { at_m: [x, y], size_m: [width, height], colour: [red, green, blue] } in &pictures {
                    context.draw(&Rectangle {
                        x: (x - width / 2.0).into(),
                        y: (FIELD_M[1] - y - height / 2.0).into(),
                        width: (*width).into(),
                        height: (*height).into(),
                        color: Color::Rgb(*red, *green, *blue),
                    });
                }
            });
        terminal.draw(|frame| frame.render_widget(canvas, frame.area()))?;
    }
}

/// Most terminals do not tell when a key goes up, so a key holds until the next one.
fn hold_only(steps: &mut StepLoop<Control>, control: Control) {
    steps.release_all();
    steps.press(control);
}

fn main() -> Result<(), Box<dyn Error>> {
    ratatui::run(play)
}
