//! The framework against naive models: random operations on both, everything visible compared.

mod bulk;
mod bus;
mod bus_model;
mod groups;
mod stream;
mod timers;
mod world;
