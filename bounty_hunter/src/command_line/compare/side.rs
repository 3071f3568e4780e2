//! [`Side`]: a process that plays one of two compared matches.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use ecs::EntityId;
use ecs::inspect::{ComparedRun, StateDump};
use ecs::snapshot::StateHash;
use serde::de::DeserializeOwned;

use super::answer::{Outcome, Request};
use crate::command_line::Failure;

/// Bytes of a complaint that are read at once.
const MAX_COMPLAINT: u64 = 4_096;
/// Bytes of the longest answer, the state of a match.
const MAX_ANSWER: u64 = 1 << 29;
const MAX_ANSWER_LENGTH: usize = MAX_ANSWER as usize;

/// A process that plays a replay and answers requests.
pub(crate) struct Side {
    program: PathBuf,
    file: PathBuf,
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Reads what it complains about, so that the pipe is never full; ends with its last line.
    complaints: Receiver<String>,
}

impl Side {
    pub(crate) fn start(
        program: &Path,
        file: &Path,
        assets: Option<&Path>,
        state: Option<&Path>,
        edits: bool,
    ) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.arg("replay").arg("--answer");
        if edits {
            command.arg("--edits");
        }
        if let Some(assets) = assets {
            command.arg("--assets").arg(assets);
        }
        if let Some(state) = state {
            command.arg("--state").arg(state);
        }
        command.arg("--").arg(file).env_remove("RUST_LOG");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command
            .spawn()
            .map_err(|error| Failure::BadInput(format!("{} cannot be started: {error}", program.display())))?;
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(requests), Some(answers), Some(errors)) = pipes else { unreachable!("all are pipes") };
        let answers = BufReader::new(answers);
        let (complain, complaints) = mpsc::channel();
        // The side may be gone.
        thread::spawn(move || _ = complain.send(last_line(errors)));
        Ok(Self { program: program.to_owned(), file: file.to_owned(), process, requests, answers, complaints })
    }

    fn ask<T: DeserializeOwned>(&mut self, request: &Request) -> Result<T, Failure> {
        let asked = serde_json::to_string(request).map_err(|error| self.failed(&error))?;
        let mut answer = String::new();
        let answers = &mut (&mut self.answers).take(MAX_ANSWER);
        let written = writeln!(self.requests, "{asked}").and_then(|()| answers.read_line(&mut answer));
        match written {
            Ok(1..) if answer.ends_with('\n') => {}
            Ok(MAX_ANSWER_LENGTH) => return Err(self.failed(&"its answer has no end")),
            _ => return Err(self.ended()),
        }
        let answer: Result<T, String> = serde_json::from_str(&answer).map_err(|error| self.failed(&error))?;
        answer.map_err(|error| self.failed(&error))
    }

    pub(crate) fn why(&mut self, entity: Option<EntityId>, field: &str) -> Result<String, Failure> {
        self.ask(&Request::Why { entity, field: field.to_owned() })
    }

    #[cfg(feature = "prove")]
    pub(crate) fn systems(&mut self) -> Result<Vec<String>, Failure> {
        self.ask(&Request::Systems)
    }

    /// The hash of the state after the last step, taken again with these systems alone.
    #[cfg(feature = "prove")]
    pub(crate) fn hash_of_systems(&mut self, systems: &[String]) -> Result<Option<StateHash>, Failure> {
        self.ask(&Request::Only(systems.to_vec()))
    }

    pub(super) fn outcome(&mut self) -> Result<Outcome, Failure> {
        self.ask(&Request::Outcome)
    }

    fn failed(&self, problem: &impl std::fmt::Display) -> Failure {
        let (file, program) = (self.file.display(), self.program.display());
        Failure::BadInput(format!("{program} cannot play {file} to compare it: {problem}"))
    }

    /// The process has ended, or closed its output: what it complained about.
    fn ended(&mut self) -> Failure {
        // Otherwise the end of its complaints may never come.
        _ = self.process.kill();
        // A process that it has started may keep them open.
        let complaint = self.complaints.recv_timeout(Duration::from_secs(2)).unwrap_or_default();
        let sentence = if complaint.is_empty() { "it ends without an answer" } else { &complaint };
        match sentence.strip_prefix("error: ") {
            Some(sentence) if sentence.contains("--answer") => self.failed(&"it is a build without `compare`"),
            Some(sentence) => Failure::BadInput(sentence.to_owned()),
            None => self.failed(&sentence),
        }
    }
}

impl ComparedRun for Side {
    type Error = Failure;

    fn hash_at(&mut self, step: u64) -> Result<Option<StateHash>, Failure> {
        self.ask(&Request::Hash(step))
    }

    fn dump(&mut self) -> Result<StateDump, Failure> {
        self.ask(&Request::Dump)
    }
}

/// The last line of what a process writes, with at most so many of its bytes.
fn last_line(written: impl Read) -> String {
    let (mut written, mut last) = (BufReader::new(written), Vec::new());
    let mut line = Vec::new();
    while matches!(written.by_ref().take(MAX_COMPLAINT).read_until(b'\n', &mut line), Ok(1..)) {
        std::mem::swap(&mut line, &mut last);
        line.clear();
    }
    String::from_utf8_lossy(&last).trim_end().to_owned()
}

impl Drop for Side {
    fn drop(&mut self) {
        // It may have ended.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
