//! [`Invariants`]: questions that must hold in every frame of a run.

use std::fmt;

use super::evaluate::candidates;
use super::{Found, Question, QuestionError};
use crate::engine::Engine;

/// What must hold in every frame, read from a text of one named question a line. The guide has a page about the
/// language.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use ecs::{Engine, ResMut};
/// use ecs::inspect::Invariants;
///
/// let mut engine = Engine::new();
/// engine.types_mut().resource::<u32>("score")?.save::<u32>(1)?;
/// engine.insert_resource(0_u32);
/// engine.add(|mut score: ResMut<u32>| *score += 4)?;
/// let mut invariants = Invariants::read("# Of the whole run.\nfew points: score <= 9\n", &engine)?;
/// let breach = (0..60).find_map(|_| {
///     engine.update(Duration::ZERO).unwrap();
///     invariants.check(&engine).err()
/// });
/// assert_eq!(breach.unwrap().to_string(), r#"frame 3 breaks "few points" (line 2: score <= 9): score = 12"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Invariants {
    all: Vec<Invariant>,
}

#[derive(Clone, Debug)]
struct Invariant {
    name: String,
    line: usize,
    question: Question,
    /// There was a frame, or an entity, of which it was asked.
    was_asked: bool,
}

/// A frame that breaks an invariant.
#[derive(Clone, PartialEq, Eq)]
pub struct Breach {
    /// The name of the invariant.
    pub name: String,
    /// Its line in the text, from 1.
    pub line: usize,
    /// What must hold.
    pub question: String,
    /// The frame, the entity and the values with which it does not.
    pub found: Found,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, line, question, found } = self;
        write!(f, "frame {} breaks {name:?} (line {line}: {question}): {found}", found.frame)
    }
}

crate::sentence::impl_error!(Breach);

impl Invariants {
    /// Reads a text: in each line a name, a colon and a question. Empty lines, and those that begin with `#`, are left
    /// out.
    ///
    /// # Errors
    /// With the number of the line:
    /// - As [`Question::new`].
    /// - A line has no name, or a value in place of a condition.
    pub fn read(text: &str, engine: &Engine) -> Result<Self, QuestionError> {
        let mut all = Vec::new();
        // An editor may put a byte order mark before the text, and end lines by a carriage return alone.
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
        for (line, written) in (1..).zip(text.lines()) {
            let written = written.trim();
            if written.is_empty() || written.starts_with('#') {
                continue;
            }
            let refused = |problem: String| QuestionError::new(format!("line {line}: {problem}"));
            let (name, question) = written
                .split_once(':')
                .filter(|(name, _)| !name.trim().is_empty())
                .ok_or_else(|| refused("expected a name and a colon before the question".to_owned()))?;
            let question = Question::new(question.trim(), engine).map_err(|error| refused(error.to_string()))?;
            if !question.is_condition() {
                return Err(refused("this is a value and no condition: compare it, as in `… > 0`".to_owned()));
            }
            all.push(Invariant { name: name.trim().to_owned(), line, question, was_asked: false });
        }
        Ok(Self { all })
    }

    /// Asks all of them about the frame that has just run.
    ///
    /// # Errors
    /// - The first one that does not hold, with the frame, the entity and the values.
    pub fn check(&mut self, engine: &Engine) -> Result<(), Breach> {
        let mut broken = None;
        for Invariant { name, line, question, was_asked } in &mut self.all {
            // Another moment may have been restored.
            question.begin_again_unless_next(engine);
            if broken.is_none() {
                broken = question.first_breach(engine).map(|found| Breach {
                    name: name.clone(),
                    line: *line,
                    question: question.text().to_owned(),
                    found,
                });
            }
            *was_asked |= !question.is_about_entities() || !candidates(engine, &question.node, false).is_empty();
            question.end_frame(engine);
        }
        broken.map_or(Ok(()), Err)
    }

    /// Why one of them is unknown whatever the values are, as the values of this moment tell: it names a field that is
    /// not there; see [`Question::why_unknown`].
    #[must_use]
    pub fn why_unknown(&self, engine: &Engine) -> Option<String> {
        let unknown = self.all.iter().filter(|invariant| !invariant.question.is_known(engine));
        unknown
            .filter_map(|one| Some((one.line, one.question.why_unknown(engine)?)))
            .next()
            .map(|(line, why)| format!("line {line}: {why}"))
    }

    /// The names of those that were asked of no entity yet, since none had the components.
    pub fn never_asked(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter(|invariant| !invariant.was_asked).map(|invariant| &*invariant.name)
    }
}
