//! The game in a window of egui (eframe), beside widgets.
//!
//! `cargo run -p ecs_windows --features egui --example egui`

use std::error::Error;
use std::time::Instant;

use ecs::prelude::*;
use ecs_windows::{Control, FIELD_M, Picture, STEP, headline, new_game, pictures, studio, toggle_replay};
use eframe::egui::{Color32, CornerRadius, Event, Key, Rect, Sense, Ui, ViewportCommand, pos2, vec2};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut engine, mut steps, mut studio) = (new_game(1)?, StepLoop::new(STEP), studio()?);
    steps.record(&mut engine)?;
    let mut before = Instant::now();
    let mut frame = move |ui: &mut Ui| -> Result<(), ecs::Error> {
        for event in ui.input(|input| input.events.clone()) {
            match event {
                Event::Key { key: Key::ArrowLeft, pressed, .. } => steps.hold(Control::Left, pressed),
                Event::Key { key: Key::ArrowRight, pressed, .. } => steps.hold(Control::Right, pressed),
                Event::Key { key: Key::R, pressed: true, repeat: false, .. } => toggle_replay(&mut engine, &mut steps)?,
                Event::Key { key: Key::Escape, .. } => ui.send_viewport_cmd(ViewportCommand::Close),
                Event::WindowFocused(false) => steps.release_all(),
                _ => {}
            }
        }

        let elapsed = std::mem::replace(&mut before, Instant::now()).elapsed();
        let advanced = steps.advance_by(&mut engine, elapsed, |engine, step| studio.frame(engine, step))?;

        ui.label(headline(&engine, &steps));
        if ui.button("Replay").clicked() {
            toggle_replay(&mut engine, &mut steps)?;
        }
        let (field, painter) = ui.allocate_painter(ui.available_size(), Sense::hover());
        painter.rect_filled(field.rect, CornerRadius::ZERO, Color32::BLACK);
        let scale = (field.rect.width() / FIELD_M[0]).min(field.rect.height() / FIELD_M[1]);
        for Picture { at_m: [x, y], size_m: [width, height], colour: [red, green, blue] } in
            pictures(&mut engine, advanced.overstep_fraction)
        {
            let centre = field.rect.min + vec2(x, y) * scale;
            let body = Rect::from_center_size(pos2(centre.x, centre.y), vec2(width, height) * scale);
            painter.rect_filled(body, CornerRadius::ZERO, Color32::from_rgb(red, green, blue));
        }
        ui.ctx().request_repaint(); // egui draws only when something happens, otherwise.
        Ok(())
    };
    let (sender, outcome) = std::sync::mpsc::channel();
    eframe::run_ui_native("Stars in egui", eframe::NativeOptions::default(), move |ui, _| {
        if let Err(error) = frame(ui) {
            _ = sender.send(error);
            ui.send_viewport_cmd(ViewportCommand::Close);
        }
    })?;
    outcome.try_recv().map_or(Ok(()), |error| Err(error.into()))
}
