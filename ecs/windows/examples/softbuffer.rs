//! The game in a window of winit, drawn without a graphics card by softbuffer.
//!
//! `cargo run -p ecs_windows --features softbuffer --example softbuffer`

use std::error::Error;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::Instant;

use ecs::prelude::*;
use ecs_studio::Studio;
use ecs_windows::{Control, FIELD_M, Picture, STEP, headline, new_game, pictures, studio, toggle_replay};
use softbuffer::{Context, Surface};
use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

struct Program {
    engine: Engine,
    steps: StepLoop<Control>,
    studio: Studio<Engine>,
    before: Instant,
    surface: Option<Surface<Rc<Window>, Rc<Window>>>,
    outcome: Result<(), Box<dyn Error>>,
}

impl Program {
    fn key(&mut self, event: KeyEvent) -> Result<(), ecs::Error> {
        let is_pressed = event.state == ElementState::Pressed;
        match event.physical_key {
            PhysicalKey::Code(KeyCode::ArrowLeft) => self.steps.hold(Control::Left, is_pressed),
            PhysicalKey::Code(KeyCode::ArrowRight) => self.steps.hold(Control::Right, is_pressed),
            PhysicalKey::Code(KeyCode::KeyR) if is_pressed && !event.repeat => {
                toggle_replay(&mut self.engine, &mut self.steps)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        let Self { engine, steps, studio, before, surface: Some(surface), .. } = self else { return Ok(()) };
        let elapsed = std::mem::replace(before, Instant::now()).elapsed();
        let advanced = steps.advance_by(engine, elapsed, |engine, step| studio.frame(engine, step))?;

        surface.window().set_title(&headline(engine, steps));
        let size = surface.window().inner_size();
        let (Some(width), Some(height)) = (NonZeroU32::new(size.width), NonZeroU32::new(size.height)) else {
            return Ok(()); // It is minimised.
        };
        surface.resize(width, height)?;
        let mut pixels = surface.buffer_mut()?;
        pixels.fill(0);
        let scale = (size.width as f32 / FIELD_M[0]).min(size.height as f32 / FIELD_M[1]);
        for Picture { at_m, size_m, colour: [red, green, blue] } in pictures(engine, advanced.overstep_fraction) {
            let edges = |axis: usize, most: u32| {
                let from = (at_m[axis] - size_m[axis] / 2.0) * scale;
                from.max(0.0) as usize..((from + size_m[axis] * scale) as usize).min(most as usize)
            };
            for y in edges(1, size.height) {
                let row = y * size.width as usize;
                for x in edges(0, size.width) {
                    pixels[row + x] = u32::from_be_bytes([0, red, green, blue]);
                }
            }
        }
        pixels.present()?;
        Ok(())
    }
}

impl ApplicationHandler for Program {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let open = || -> Result<_, Box<dyn Error>> {
            let window = Rc::new(event_loop.create_window(Window::default_attributes())?);
            Ok(Surface::new(&Context::new(Rc::clone(&window))?, window)?)
        };
        match open() {
            Ok(surface) => self.surface = Some(surface),
            Err(error) => self.outcome = Err(error),
        }
    }

    /// As no graphics card paces the frames, a timer does.
    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if let (StartCause::Init | StartCause::ResumeTimeReached { .. }, Some(surface)) = (cause, &self.surface) {
            surface.window().request_redraw();
        }
        if self.outcome.is_err() {
            event_loop.exit();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Focused(false) => self.steps.release_all(),
            WindowEvent::KeyboardInput { event, .. } if event.physical_key == PhysicalKey::Code(KeyCode::Escape) => {
                event_loop.exit();
            }
            WindowEvent::KeyboardInput { event, .. } => self.outcome = self.key(event).map_err(Into::into),
            WindowEvent::RedrawRequested => {
                self.outcome = self.frame();
                event_loop.set_control_flow(ControlFlow::wait_duration(STEP));
            }
            _ => {}
        }
        if self.outcome.is_err() {
            event_loop.exit();
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut engine, mut steps, studio) = (new_game(1)?, StepLoop::new(STEP), studio()?);
    steps.record(&mut engine)?;
    let mut program = Program { engine, steps, studio, before: Instant::now(), surface: None, outcome: Ok(()) };
    EventLoop::new()?.run_app(&mut program)?;
    program.outcome
}
