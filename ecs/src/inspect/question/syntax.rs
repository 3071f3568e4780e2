//! The grammar of questions, and its parser.

use super::{Comparison, Operation, QuestionError};

/// Limit of the bytes of a question, which also bounds how deep its tree is.
const MAX_BYTES: usize = 1_000;
/// Limit of brackets and signs within each other.
const MAX_DEPTH: usize = 50;
/// Those of two characters first.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::MoreOrEqual),
    ("!=", Comparison::Different),
    ("<", Comparison::Less),
    (">", Comparison::More),
    ("=", Comparison::Equal),
];

/// A question as it is written, with the places of what may be refused: bytes from 0.
#[derive(Debug, PartialEq)]
pub(super) enum Syntax {
    Number(f64),
    Text(String),
    Entity { index: u32, version: u32 },
    Flag(bool),
    Place(Place),
    Call { at: usize, name: String, arguments: Vec<(Syntax, usize)> },
    Not(Box<Syntax>),
    And(Vec<(Syntax, usize)>),
    Or(Vec<(Syntax, usize)>),
    Compare(Comparison, Box<Syntax>, Box<Syntax>),
    Calculate(Operation, Box<Syntax>, Box<Syntax>),
    Negative(Box<Syntax>),
}

/// A name with the fields behind it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) fields: Vec<String>,
    /// As it is written.
    pub(super) text: String,
}

/// The tree of a question.
pub(super) fn parse(text: &str) -> Result<Syntax, QuestionError> {
    if text.len() > MAX_BYTES {
        return Err(QuestionError::new(format!("a question has at most {MAX_BYTES} bytes, not {}", text.len())));
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let question = parser.disjunction()?;
    match parser.rest() {
        "" => Ok(question),
        _ => Err(parser.expected("an operator, or the end")),
    }
}

/// Index and version in an id such as `3v7`.
fn entity(word: &str) -> Option<(u32, u32)> {
    let (index, version) = word.split_once('v')?;
    let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?;
    Some((number(index)?, number(version)?))
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// The text from the next character that is no space.
    fn rest(&mut self) -> &'t str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }

    /// The next word, which is not taken; empty if a sign comes next.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        &rest[..rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len())]
    }

    fn take_word(&mut self, wanted: &str) -> bool {
        let is_next = self.word() == wanted;
        self.at += if is_next { wanted.len() } else { 0 };
        is_next
    }

    fn error(&self, problem: &str) -> QuestionError {
        QuestionError::at(self.text, self.at, problem.to_owned())
    }

    /// An error at the next character.
    fn expected(&mut self, what: &str) -> QuestionError {
        let (word, rest) = (self.word(), self.rest());
        let found = match rest.chars().next() {
            None => "the end".to_owned(),
            Some(_) if !word.is_empty() => format!("`{word}`"),
            Some(sign) => format!("`{sign}`"),
        };
        QuestionError::at(self.text, self.at, format!("expected {what}, not {found}"))
    }

    /// What `read` reads one level deeper.
    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Syntax, QuestionError>,
    ) -> Result<Syntax, QuestionError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error("the question nests too deep"));
        }
        self.depth += 1;
        let inner = read(self);
        self.depth -= 1;
        inner
    }

    fn disjunction(&mut self) -> Result<Syntax, QuestionError> {
        let sides = self.sides("or", Self::conjunction)?;
        Ok(only(sides, Syntax::Or))
    }

    fn conjunction(&mut self) -> Result<Syntax, QuestionError> {
        let sides = self.sides("and", Self::negation)?;
        Ok(only(sides, Syntax::And))
    }

    fn sides(
        &mut self,
        word: &str,
        read: fn(&mut Self) -> Result<Syntax, QuestionError>,
    ) -> Result<Vec<(Syntax, usize)>, QuestionError> {
        let mut sides = Vec::new();
        loop {
            self.rest();
            let at = self.at;
            sides.push((read(self)?, at));
            if !self.take_word(word) {
                return Ok(sides);
            }
        }
    }

    fn negation(&mut self) -> Result<Syntax, QuestionError> {
        match self.take_word("not") {
            true => Ok(Syntax::Not(Box::new(self.nested(Self::negation)?))),
            false => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Result<Syntax, QuestionError> {
        let left = self.sum()?;
        match COMPARISONS.into_iter().find(|(sign, _)| self.take(sign)) {
            Some((_, comparison)) => Ok(Syntax::Compare(comparison, Box::new(left), Box::new(self.sum()?))),
            None => Ok(left),
        }
    }

    fn sum(&mut self) -> Result<Syntax, QuestionError> {
        self.operations(&[("+", Operation::Plus), ("-", Operation::Minus)], Self::product)
    }

    fn product(&mut self) -> Result<Syntax, QuestionError> {
        let signs = [("*", Operation::Times), ("/", Operation::By), ("%", Operation::Remainder)];
        self.operations(&signs, Self::factor)
    }

    fn operations(
        &mut self,
        signs: &[(&str, Operation)],
        read: fn(&mut Self) -> Result<Syntax, QuestionError>,
    ) -> Result<Syntax, QuestionError> {
        let mut left = read(self)?;
        while let Some((_, operation)) = signs.iter().find(|(sign, _)| self.take(sign)) {
            left = Syntax::Calculate(*operation, Box::new(left), Box::new(read(self)?));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Syntax, QuestionError> {
        if self.take("-") {
            return Ok(Syntax::Negative(Box::new(self.nested(Self::factor)?)));
        }
        if self.take("(") {
            let inner = self.nested(Self::disjunction)?;
            return if self.take(")") { Ok(inner) } else { Err(self.expected("an operator or `)`")) };
        }
        let rest = self.rest();
        match rest.chars().next() {
            Some('"') => {
                let end = rest[1..].find('"').ok_or_else(|| self.error("the text has no quote at its end"))?;
                self.at += end + 2;
                Ok(Syntax::Text(rest[1..=end].to_owned()))
            }
            Some(digit) if digit.is_ascii_digit() => self.number(),
            Some(letter) if letter.is_alphabetic() || letter == '_' || letter == '`' => self.named(),
            _ => Err(self.expected("a name or a value")),
        }
    }

    fn number(&mut self) -> Result<Syntax, QuestionError> {
        let (word, rest) = (self.word(), self.rest());
        if let Some((index, version)) = entity(word) {
            self.at += word.len();
            return Ok(Syntax::Entity { index, version });
        }
        let mut end = 0;
        for (place, letter) in rest.char_indices() {
            let is_sign = "+-".contains(letter) && rest[..place].ends_with(['e', 'E']);
            if !(is_of_name(letter) || letter == '.' || is_sign) {
                break;
            }
            end = place + letter.len_utf8();
        }
        let number = rest[..end].parse().map_err(|_| {
            let problem = format!("`{}` is neither a number nor an entity such as 3v7", &rest[..end]);
            QuestionError::at(self.text, self.at, problem)
        })?;
        self.at += end;
        Ok(Syntax::Number(number))
    }

    /// A name with fields, a call or a word of the grammar.
    fn named(&mut self) -> Result<Syntax, QuestionError> {
        self.rest();
        let (at, is_plain) = (self.at, !self.text[self.at..].starts_with('`'));
        let name = self.name()?;
        match &*name {
            "true" | "false" if is_plain => return Ok(Syntax::Flag(name == "true")),
            "and" | "or" | "not" if is_plain => {
                self.at = at;
                return Err(self.expected("a name or a value"));
            }
            _ => {}
        }
        let end = self.at;
        if is_plain && self.take("(") {
            let mut arguments = Vec::new();
            loop {
                self.rest();
                let at = self.at;
                arguments.push((self.nested(Self::disjunction)?, at));
                if !self.take(",") {
                    break;
                }
            }
            let call = Syntax::Call { at, name, arguments };
            return if self.take(")") { Ok(call) } else { Err(self.expected("an operator, `,` or `)`")) };
        }
        self.at = end;
        let mut fields = Vec::new();
        while self.text[self.at..].starts_with('.') {
            self.at += 1;
            fields.push(self.name()?);
        }
        Ok(Syntax::Place(Place { at, name, fields, text: self.text[at..self.at].to_owned() }))
    }

    /// A word, or what stands between backquotes, right here.
    fn name(&mut self) -> Result<String, QuestionError> {
        let rest = &self.text[self.at..];
        if let Some(quoted) = rest.strip_prefix('`') {
            let end = quoted.find('`').ok_or_else(|| self.error("the name has no backquote at its end"))?;
            self.at += end + 2;
            return Ok(quoted[..end].to_owned());
        }
        let end = rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.expected("the name of a field"));
        }
        self.at += end;
        Ok(rest[..end].to_owned())
    }
}

fn only(mut sides: Vec<(Syntax, usize)>, several: fn(Vec<(Syntax, usize)>) -> Syntax) -> Syntax {
    match sides.len() {
        1 => sides.remove(0).0,
        _ => several(sides),
    }
}
