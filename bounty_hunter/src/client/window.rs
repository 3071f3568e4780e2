//! Opening the window, with one sentence for each failure.

pub(crate) mod clock;
pub(crate) mod frame_times;
pub(crate) mod screenshot;
pub(crate) mod tempo;

use std::any::Any;
use std::cell::RefCell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use macroquad::Window;
use macroquad::conf::Conf;
use macroquad::miniquad::conf::{Conf as NativeConf, LinuxBackend, Platform};

use crate::client::ClientError;
use crate::client::platform;
use crate::client::settings::Settings;

/// The speed and the quality of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// At the rate of the screen, antialiased.
    Screen,
    /// As fast as possible, antialiased.
    Fast,
    /// As fast as possible without antialiasing: three times as fast with software rendering.
    Fastest,
}

/// Opens the window, and runs `program` in it to its end.
///
/// # Errors
/// - [`ClientError::NoDisplay`] and [`ClientError::Window`] if it cannot be opened.
/// - The errors of the program.
pub(crate) fn run<P, T>(pace: Pace, settings: &Settings, program: P) -> Result<(), ClientError>
where
    P: FnOnce() -> T + 'static,
    T: Future<Output = Result<(), ClientError>> + 'static,
{
    let conf = conf(choose_backend()?, pace, settings);
    let is_open = Arc::new(AtomicBool::new(false));
    let outcome = Rc::new(RefCell::new(None));
    let body = {
        let (is_open, outcome) = (is_open.clone(), outcome.clone());
        async move {
            is_open.store(true, Ordering::Relaxed);
            let result = program().await;
            // In a browser `run` has returned long ago.
            platform::end(&result.as_ref().err().map(ToString::to_string).unwrap_or_default());
            *outcome.borrow_mut() = Some(result);
        }
    };
    let opened = quietly_until(&is_open, || Window::from_config(conf, body));
    if let Err(panic) = opened {
        if is_open.load(Ordering::Relaxed) {
            resume_unwind(panic);
        }
        return Err(ClientError::Window(reason(panic.as_ref())));
    }
    if platform::IS_A_PAGE {
        // In a browser the call above returns at once, and the program continues later.
        return Ok(());
    }
    if !is_open.load(Ordering::Relaxed) {
        return Err(ClientError::Window("the display did not answer".into()));
    }
    outcome.take().unwrap_or(Ok(()))
}

fn conf(linux_backend: LinuxBackend, pace: Pace, settings: &Settings) -> Conf {
    let swap_interval = (pace != Pace::Screen || !settings.has_vertical_sync).then_some(0);
    let (width, height) = settings.window_size_px;
    Conf {
        miniquad_conf: NativeConf {
            window_title: "BountyHunter".into(),
            window_width: width as i32,
            window_height: height as i32,
            fullscreen: settings.is_fullscreen,
            window_resizable: true,
            high_dpi: true,
            sample_count: if pace == Pace::Fastest { 1 } else { 4 },
            platform: Platform { linux_backend, swap_interval, linux_wm_class: "bounty_hunter", ..Platform::default() },
            ..NativeConf::default()
        },
        // Enough for 1,000 collectors in few draw calls; indices have 16 bits.
        draw_call_vertex_capacity: 60_000,
        draw_call_index_capacity: 120_000,
        ..Conf::default()
    }
}

/// X11 if there is an X server, otherwise Wayland.
///
/// # Errors
/// - [`ClientError::NoDisplay`] if there is neither.
fn choose_backend() -> Result<LinuxBackend, ClientError> {
    if cfg!(not(target_os = "linux")) {
        return Ok(LinuxBackend::X11Only);
    }
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set("DISPLAY") {
        Ok(LinuxBackend::X11Only)
    } else if is_set("WAYLAND_DISPLAY") {
        Ok(LinuxBackend::WaylandOnly)
    } else {
        Err(ClientError::NoDisplay)
    }
}

/// Runs `open` and catches its panic. The panic is printed only if the window is open.
fn quietly_until(is_open: &Arc<AtomicBool>, open: impl FnOnce()) -> Result<(), Box<dyn Any + Send>> {
    let hook = Arc::new(take_hook());
    let (usual_hook, is_open) = (hook.clone(), is_open.clone());
    set_hook(Box::new(move |panic| {
        if is_open.load(Ordering::Relaxed) {
            usual_hook(panic);
        }
    }));
    let result = catch_unwind(AssertUnwindSafe(open));
    set_hook(Box::new(move |panic| hook(panic)));
    result
}

/// The reason in a panic of the window system.
fn reason(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("for an unknown reason");
    if let Some(library) = message.split('"').find(|part| part.contains(".so")) {
        return format!("the library {library} is not installed");
    }
    if message.contains("XOpenDisplay") {
        return "no X server answers at DISPLAY".into();
    }
    message.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_library_is_named() {
        let panic = r#"X11 backend failed: LibraryNotFound(DlOpenError("libX11.so.6"))"#.to_owned();
        assert_eq!(reason(&panic), "the library libX11.so.6 is not installed");
    }

    #[test]
    fn other_panics_are_one_sentence() {
        assert_eq!(reason(&"XOpenDisplay() failed!"), "no X server answers at DISPLAY");
        assert_eq!(reason(&"first line\nsecond line"), "first line");
        assert_eq!(reason(&17), "for an unknown reason");
    }
}
