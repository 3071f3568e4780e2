//! Timed functions, and catching up after long frames.

mod catch_up;
mod order_and_errors;
mod panics;
mod timed_functions;
