//! Whole-game tests live in `tests/tests`.
