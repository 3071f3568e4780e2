//! Timed functions, and catching up after long frames.

mod broken_frames;
mod catch_up;
mod order_and_errors;
mod timed_functions;
