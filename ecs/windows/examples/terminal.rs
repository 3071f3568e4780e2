//! The game in a terminal, drawn by ratatui.
//!
//! `cargo run -p ecs_windows --features terminal --example terminal`

use std::error::Error;
use std::mem::ManuallyDrop;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
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
    let (keys, mut before) = (keys(), Instant::now());
    loop {
        // Waits for the next frame, unless there are keys.
        loop {
            let key = match keys.recv_timeout(STEP.saturating_sub(before.elapsed())) {
                Ok(Event::Key(key)) => key,
                Ok(_) => continue,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
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

/// What the terminal tells. A thread waits for it, since waiting does not end when the terminal is gone; drawing does.
fn keys() -> Receiver<Event> {
    let (sender, keys) = mpsc::channel();
    thread::spawn(move || while event::read().is_ok_and(|event| sender.send(event).is_ok()) {});
    keys
}

/// Most terminals do not tell when a key goes up, so a key holds until the next one.
fn hold_only(steps: &mut StepLoop<Control>, control: Control) {
    steps.release_all();
    steps.press(control);
}

fn main() -> Result<(), Box<dyn Error>> {
    // If the terminal is gone, its drop would print that, and panic since this fails as well.
    let mut terminal = ManuallyDrop::new(ratatui::try_init()?);
    let played = play(&mut terminal);
    _ = terminal.show_cursor();
    _ = ratatui::try_restore();
    played
}
