//! Checks that a program on `ecs` is deterministic and that its snapshots and saves are whole, and names the system
//! that breaks it; looks for inputs that break it; says why two runs of the same inputs differ.
//!
//! | to ask | call |
//! |---|---|
//! | does it end in the same state, however it is run? | [`prove()`] |
//! | which inputs break it? | [`explore()`] |
//! | why did two peers end in different states? | [`diagnose()`] |
//!
//! ```
//! use std::time::Duration;
//! use ecs::prelude::*;
//! use ecs::EngineBuilder;
//! use ecs_prove::{Refuted, prove};
//!
//! fn warm(mut heat: Query<&mut u32>) {
//!     heat.iter_mut().for_each(|heat| *heat += 1);
//! }
//!
//! fn make(engine: EngineBuilder) -> Result<Engine, ecs::Error> {
//!     let mut engine = engine.build();
//!     engine.types_mut().component::<u32>("heat")?.save::<u32>(1)?;
//!     engine.add(warm)?;
//!     engine.spawn((7_u32,));
//!     Ok(engine)
//! }
//!
//! let step = |engine: &mut Engine, _| engine.update(Duration::from_millis(16));
//! let proof = prove(make, step).frames(60).run()?;
//! assert_eq!(proof.frames, 60);
//! # Ok::<(), Refuted>(())
//! ```
#![deny(unsafe_code)]

mod blame;
mod check;
mod doctor;
mod explore;
mod fault;
mod fewest;
mod process;
mod program;
mod prover;
#[cfg(feature = "proptest")]
mod strategy;

pub use self::doctor::{Diagnosis, Doctor, diagnose};
pub use self::explore::{Explored, Explorer, Finding, FindingKind, Likelihood, explore};
pub use self::fault::{Blamed, Fault, Refuted};
pub use self::fewest::needed_inputs;
pub use self::program::Program;
use self::program::{AnyError, Make, Step};
pub use self::prover::{Proof, Prover, prove};
#[cfg(feature = "proptest")]
pub use self::strategy::drawn_by;
