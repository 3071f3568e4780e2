//! The house rules, as functions from source text to findings.

mod code;
mod documents;
mod examples;
mod imports;
mod rules;
mod tree;
mod unsafety;

pub use documents::{missing_paths, numbers_without_units};
pub use examples::{methods_without_example, prelude_types};
pub use imports::{Arrow, arrows_between_modules, arrows_not_down, circles_across_folders, layers, top_modules};
pub use rules::{
    bad_file_name, errors_without_sentence, flat_imports, forbidden_everywhere, forbidden_in_the_simulation,
    keys_in_the_simulation, no_front_line, printing, stray_dependency, unwraps, wide_comments,
};
pub use tree::{SourceFile, Tree};
pub use unsafety::{UNSAFE_FILES, unsafe_code};

/// A violation of a rule, as `file:line: problem`.
pub type Finding = String;
