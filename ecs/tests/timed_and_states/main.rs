//! Timed functions, and catching up after long frames, through the public interface.

mod catch_up;
mod order_and_errors;
mod timed_functions;
