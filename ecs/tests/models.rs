//! The framework against naive models: random operations on both, everything visible compared.

mod bulk;
mod bus;
mod bus_model;
mod operations;
mod stream;
mod timers;
