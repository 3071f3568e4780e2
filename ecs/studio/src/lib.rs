//! A time-travelling inspector for programs on `ecs`: entities, components, systems, events and causes in a browser,
//! values edited in place, and any frame to go back to.
//!
//! [`Studio`] sits beside the loop of a program and serves a page. The page is a client of a documented protocol in
//! JSON (`docs/guide/src/studio.md`), so a server or a simulation without a window is watched in the same way.
//!
//! [`TraceFile`] writes a profile of any program on `ecs` for <https://ui.perfetto.dev>.
#![deny(unsafe_code)]

mod answer;
mod blame;
mod branches;
mod budget;
mod changes;
mod costs;
mod counting_heap;
mod edits;
mod expected;
mod frames;
mod history;
mod http;
mod journal;
mod listing;
mod panel;
mod questions;
mod reports;
mod request;
mod server;
mod streams;
mod studio;
mod subject;
mod trace_file;
mod values;
mod watched;

pub use self::changes::{Changes, MadeEdit};
pub use self::counting_heap::CountingHeap;
pub use self::panel::PanelAnswer;
pub use self::server::ServerError;
pub use self::studio::Studio;
pub use self::subject::Subject;
pub use self::trace_file::{TraceFile, TraceLayer};
pub use ecs::inspect::Edit;

/// The code in the README, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
