//! Programs that once reached undefined behaviour, a panic or an endless loop through the safe API.
//!
//! They tell most under Miri: `cargo +nightly miri test -p lockstep_ecs --test ecs soundness`.

mod late_groups;
