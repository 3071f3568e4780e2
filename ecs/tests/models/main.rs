//! Random operations on the framework and on naive models, of which everything visible is compared; random schedules on
//! several threads; and what safe code could break, for Miri and the sanitizers.

mod bulk;
mod changes;
#[cfg(feature = "parallel")]
mod engine_threads;
mod event_delivery;
mod event_delivery_model;
#[cfg(feature = "parallel")]
mod lanes;
#[cfg(feature = "parallel")]
mod lanes_model;
mod links;
mod operations;
mod soundness;
mod stream;
#[cfg(feature = "parallel")]
mod threads;
mod timers;

fn panics<R>(act: impl FnOnce() -> R) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(act)).is_err()
}
