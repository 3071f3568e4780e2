//! The rule that each public method of the types in the prelude shows an example.

use super::Finding;
use super::tree::SourceFile;

/// The types in the prelude of the framework; `text` is its front page.
#[must_use]
pub fn prelude_types(text: &str) -> Vec<&str> {
    let prelude = text.split("pub mod prelude {").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap_or_default();
    let words = prelude.split(|symbol: char| !symbol.is_alphanumeric());
    words.filter(|word| word.starts_with(char::is_uppercase)).collect()
}

/// Public methods of `types` whose documentation has no section `# Example`. The section may refer to that of another
/// method.
#[must_use]
pub fn methods_without_example(file: &SourceFile, types: &[&str]) -> Vec<Finding> {
    let lines: Vec<&str> = file.text.lines().collect();
    // The type that the lines are about, and how its public methods begin.
    let (mut of_type, mut begin) = (String::new(), "");
    let mut findings = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line.starts_with("impl") || line.starts_with("pub trait ") {
            begin = if line.starts_with("impl") { "    pub fn " } else { "    fn " };
            let open = lines[index..].iter().position(|line| line.contains('{')).unwrap_or_default();
            of_type = type_of(&lines[index..=index + open].join(" "));
        } else if *line == "}" {
            of_type.clear();
        }
        if !types.contains(&&*of_type) || !line.replace("const ", "").starts_with(begin) {
            continue;
        }
        let above = lines[..index].iter().rev().map(|line| line.trim());
        let mut docs = above.take_while(|line| line.starts_with("///") || line.starts_with("#["));
        if !docs.any(|line| line == "/// # Example" || line == "#[doc(hidden)]") {
            findings.push(format!("{}:{}: a method of {of_type} has no example", file.path, index + 1));
        }
    }
    findings
}

/// The name of the type or trait that a block is about; empty for the implementation of a trait.
fn type_of(header: &str) -> String {
    let mut depth = 0;
    let plain: String = header
        .replace("->", "")
        .chars()
        .filter(|symbol| {
            depth += i32::from(*symbol == '<');
            let is_outside = depth == 0;
            depth -= i32::from(*symbol == '>');
            is_outside
        })
        .collect();
    let words: Vec<&str> =
        plain.split(|symbol: char| symbol.is_whitespace() || symbol == '{' || symbol == ':').collect();
    match words[..] {
        _ if words.contains(&"for") => String::new(),
        ["impl", name, ..] | ["pub", "trait", name, ..] => name.to_owned(),
        _ => String::new(),
    }
}
