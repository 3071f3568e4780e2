//! [`Side`]: a process that plays one of two compared matches.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use ecs::EntityId;
use ecs::inspect::{ComparedRun, StateDump};
use ecs::snapshot::StateHash;
use serde::de::DeserializeOwned;

use super::answer::{Outcome, Request};
use crate::command_line::Failure;

/// A process that plays a replay and answers requests.
pub(super) struct Side {
    program: PathBuf,
    file: PathBuf,
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Side {
    pub(super) fn start(
        program: &Path,
        file: &Path,
        assets: Option<&Path>,
        state: Option<&Path>,
        edits: bool,
    ) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.arg("replay").arg(file).arg("--answer");
        if edits {
            command.arg("--edits");
        }
        if let Some(assets) = assets {
            command.arg("--assets").arg(assets);
        }
        if let Some(state) = state {
            command.arg("--state").arg(state);
        }
        // A log would fill the pipe, which is read only when the process ends.
        command.env_remove("RUST_LOG");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command
            .spawn()
            .map_err(|error| Failure::BadInput(format!("{} cannot be started: {error}", program.display())))?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            unreachable!("both are pipes");
        };
        let answers = BufReader::new(answers);
        Ok(Self { program: program.to_owned(), file: file.to_owned(), process, requests, answers })
    }

    fn ask<T: DeserializeOwned>(&mut self, request: &Request) -> Result<T, Failure> {
        let asked = serde_json::to_string(request).map_err(|error| self.failed(&error))?;
        let mut answer = String::new();
        let written = writeln!(self.requests, "{asked}").and_then(|()| self.answers.read_line(&mut answer));
        if !matches!(written, Ok(1..)) {
            return Err(self.ended());
        }
        let answer: Result<T, String> = serde_json::from_str(&answer).map_err(|error| self.failed(&error))?;
        answer.map_err(|error| self.failed(&error))
    }

    pub(super) fn why(&mut self, entity: Option<EntityId>, field: &str) -> Result<String, Failure> {
        self.ask(&Request::Why { entity, field: field.to_owned() })
    }

    pub(super) fn outcome(&mut self) -> Result<Outcome, Failure> {
        self.ask(&Request::Outcome)
    }

    fn failed(&self, problem: &impl std::fmt::Display) -> Failure {
        let (file, program) = (self.file.display(), self.program.display());
        Failure::BadInput(format!("{program} cannot play {file} to compare it: {problem}"))
    }

    /// The process has ended: what it complained about.
    fn ended(&mut self) -> Failure {
        let mut complaint = String::new();
        if let Some(mut errors) = self.process.stderr.take() {
            _ = errors.read_to_string(&mut complaint);
        }
        let sentence = complaint.lines().last().unwrap_or("it ends without an answer");
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

impl Drop for Side {
    fn drop(&mut self) {
        // It may have ended.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
