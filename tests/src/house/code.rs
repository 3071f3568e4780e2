//! Rust source without comments and contents of strings, for searching words in code.

/// The text with comments and the contents of strings and characters replaced by spaces; lines keep their numbers.
#[must_use]
pub(crate) fn code_only(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let length = match chars[at] {
            '/' if chars.get(at + 1) == Some(&'/') => line_comment(&chars[at..]),
            '/' if chars.get(at + 1) == Some(&'*') => block_comment(&chars[at..]),
            '"' => string(&chars[at..]),
            'r' | 'b' if !follows_a_word(&chars, at) => raw_string(&chars[at..]),
            '\'' => character(&chars[at..]),
            _ => 0,
        };
        if length == 0 {
            code.push(chars[at]);
            at += 1;
        } else {
            let end = (at + length).min(chars.len());
            code.extend(chars[at..end].iter().map(|symbol| if *symbol == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    code
}

fn follows_a_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

fn line_comment(chars: &[char]) -> usize {
    chars.iter().position(|symbol| *symbol == '\n').unwrap_or(chars.len())
}

fn block_comment(chars: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn string(chars: &[char]) -> usize {
    let mut at = 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// The length of `r"…"` or `r#"…"#`, also after a `b`; 0 for other text.
fn raw_string(chars: &[char]) -> usize {
    let raw = if chars[0] == 'b' { 1 } else { 0 };
    if chars.get(raw) != Some(&'r') {
        return 0;
    }
    let hashes = chars[raw + 1..].iter().take_while(|symbol| **symbol == '#').count();
    let open = raw + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return 0;
    }
    let is_end = |at: usize| {
        chars[at] == '"' && chars[at + 1..].iter().take(hashes).filter(|symbol| **symbol == '#').count() == hashes
    };
    (open + 1..chars.len()).find(|at| is_end(*at)).map_or(chars.len(), |at| at + 1 + hashes)
}

/// The length of a character such as `'a'` or `'\n'`; 0 for a lifetime.
fn character(chars: &[char]) -> usize {
    match (chars.get(1), chars.get(2)) {
        (Some('\\'), _) => chars.iter().skip(3).position(|symbol| *symbol == '\'').map_or(0, |at| at + 4),
        (Some(_), Some('\'')) => 3,
        _ => 0,
    }
}

/// The code with everything in `#[cfg(test)] mod name { … }` replaced by spaces.
#[must_use]
pub(crate) fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut left = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(MARK) {
        left.push_str(&rest[..start]);
        let item = &rest[start..];
        let end = match (item.find('{'), item.find(';')) {
            (Some(open), semicolon) if semicolon.is_none_or(|semicolon| open < semicolon) => closing(item, open),
            (_, Some(semicolon)) => semicolon + 1,
            _ => item.len(),
        };
        left.extend(item[..end].chars().map(|symbol| if symbol == '\n' { '\n' } else { ' ' }));
        rest = &item[end..];
    }
    left + rest
}

/// The end of the block that opens at `open`.
fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, symbol) in code[open..].char_indices() {
        match symbol {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + at + 1;
        }
    }
    code.len()
}

/// The numbers, from 1, of the lines that contain `word` as a whole word.
pub(crate) fn lines_with(code: &str, word: &str) -> Vec<usize> {
    let is_part = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
    let begins_open = !word.starts_with(is_part);
    let ends_open = !word.ends_with(is_part);
    let stands_alone = |line: &str, at: usize| {
        // A name after an apostrophe is a lifetime.
        let before = line[..at].chars().next_back().is_some_and(|symbol| is_part(symbol) || symbol == '\'');
        let after = line[at + word.len()..].chars().next().is_some_and(is_part);
        (begins_open || !before) && (ends_open || !after)
    };
    let lines = code.lines().enumerate();
    let hits = lines.filter(|(_, line)| line.match_indices(word).any(|(at, _)| stands_alone(line, at)));
    hits.map(|(index, _)| index + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_not_code() {
        let text = "let a = \"unsafe \\\" {\"; // unsafe\n/* unsafe /* still */ unsafe */ let b = r#\"unsafe \"x\"#; let c: &'a u8 = b'\\'';";
        let code = code_only(text);
        assert!(!code.contains("unsafe") && !code.contains("still"), "{code}");
        assert!(code.contains("let b =") && code.contains("let c: &'a u8 = b"), "{code}");
        assert_eq!(code.lines().count(), 2);
    }

    #[test]
    fn code_after_a_character_of_a_quote_is_code() {
        assert!(code_only("match c { '\"' => unsafe { 1 }, '\\\\' => dbg!(2), _ => 0 }").contains("unsafe { 1 }"));
        assert!(code_only("f('\\'', x.unwrap())").contains("unwrap()"));
    }

    #[test]
    fn tests_within_a_file_are_left_out_and_code_after_them_is_not() {
        let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() { c.unwrap() }\n}\nfn d() {}\n#[cfg(test)]\nmod more;\nfn e() {}";
        let left = without_tests(code);
        assert!(
            !left.contains("unwrap") && !left.contains("more") && left.contains("fn d()") && left.contains("fn e()")
        );
        assert_eq!(left.lines().count(), code.lines().count());
    }

    #[test]
    fn whole_words_are_found() {
        assert_eq!(lines_with("a\nsleeper sleep\nasleep", "sleep"), [2]);
        assert_eq!(lines_with("x.unwrap()\nx.unwrap_or(1)\n", ".unwrap()"), [1]);
    }
}
