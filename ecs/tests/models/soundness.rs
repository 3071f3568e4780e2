//! Programs that once reached undefined behaviour, a panic or an endless loop through the safe API.
//!
//! Most useful under Miri: `cargo +nightly miri test -p lockstep_ecs --test models soundness`.

mod after_panics;
mod broken_bundles;
mod despawn_all;
mod disjoint_queries;
mod dispatch_limit;
mod forgotten_guards;
mod links;
mod zero_sized_events;
