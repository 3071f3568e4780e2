//! Changes that systems ask for: what can not be carried out is an error that names who asked.

mod conflicts;
mod model;
mod too_late;
