//! The parts of the program that features add, and what asks for them. Every build reads all arguments; it refuses
//! those of parts that it lacks.

use clap::ArgMatches;
use clap::parser::ValueSource;

/// A part of the program.
struct Part {
    feature: &'static str,
    is_built_in: bool,
    commands: &'static [&'static str],
    /// Without those that need another one of them.
    options: &'static [&'static str],
}

macro_rules! part {
    ($feature:literal, $commands:expr, $options:expr) => {
        Part { feature: $feature, is_built_in: cfg!(feature = $feature), commands: $commands, options: $options }
    };
}

const PARTS: [Part; 6] = [
    part!("client", &[], &["sound", "highlight"]),
    part!("saves", &["saves", "results"], &["data", "load", "slot"]),
    part!("network", &[], &["host", "join"]),
    part!("hot-reload", &[], &["watch"]),
    part!("studio", &[], &["studio", "profile"]),
    part!("prove", &["prove", "explore", "doctor"], &[]),
];

/// A sentence about the first part that the arguments ask for and this build lacks.
pub(super) fn lacking(arguments: &ArgMatches) -> Option<String> {
    PARTS.iter().filter(|part| !part.is_built_in).find_map(|part| part.asked_for_by(arguments))
}

impl Part {
    fn asked_for_by(&self, arguments: &ArgMatches) -> Option<String> {
        let (command, arguments) = arguments.subcommand()?;
        let asked_for = match self.commands.contains(&command) {
            true => command.to_owned(),
            false => {
                let given = |id: &&str| arguments.value_source(id) == Some(ValueSource::CommandLine);
                let mut ids = arguments.ids().map(|id| id.as_str()).filter(|id| self.options.contains(id));
                format!("--{}", ids.find(given)?)
            }
        };
        Some(format!(
            "this build lacks {asked_for}, which `cargo build -p bounty_hunter --features {}` builds",
            self.feature
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::CommandFactory;

    use super::*;
    use crate::command_line::arguments::{Arguments, with_default_command};

    /// What a build without any part says.
    fn said(arguments: &str) -> Option<String> {
        let words = with_default_command(arguments.split_whitespace().map(OsString::from));
        let matches = Arguments::command().try_get_matches_from(words).expect("these arguments are fine");
        PARTS.iter().find_map(|part| part.asked_for_by(&matches))
    }

    #[test]
    fn what_asks_for_a_part_names_its_feature() {
        for (arguments, asked_for, feature) in [
            ("bh saves", "saves", "saves"),
            ("bh results totals", "results", "saves"),
            ("bh --load friday", "--load", "saves"),
            ("bh simulate --data a --save b --every 9", "--data", "saves"),
            ("bh --slot a", "--slot", "saves"),
            ("bh --host", "--host", "network"),
            ("bh --join a --spectate", "--join", "network"),
            ("bh --assets a --watch", "--watch", "hot-reload"),
            ("bh --studio", "--studio", "studio"),
            ("bh replay a --studio --at 3", "--studio", "studio"),
            ("bh simulate --profile a.json", "--profile", "studio"),
            ("bh prove --minutes 5", "prove", "prove"),
            ("bh explore", "explore", "prove"),
            ("bh doctor a.replay", "doctor", "prove"),
            ("bh replay a --sound a.wav", "--sound", "client"),
            ("bh replay a --highlight a.gif", "--highlight", "client"),
        ] {
            let sentence = format!(
                "this build lacks {asked_for}, which `cargo build -p bounty_hunter --features {feature}` builds"
            );
            assert_eq!(said(arguments), Some(sentence), "{arguments}");
        }
        for arguments in ["bh", "bh --seed 4 --rewind", "bh simulate --matches 3", "bh systems", "bh replay a --verify"]
        {
            assert_eq!(said(arguments), None, "{arguments}");
        }
    }

    #[test]
    fn each_command_and_option_of_a_part_exists() {
        let program = Arguments::command();
        let commands: Vec<_> = program.get_subcommands().collect();
        let options: Vec<_> = commands.iter().copied().chain([&program]).flat_map(|it| it.get_arguments()).collect();
        for part in &PARTS {
            assert!(part.commands.iter().all(|name| commands.iter().any(|command| command.get_name() == *name)));
            assert!(part.options.iter().all(|name| options.iter().any(|option| option.get_id() == name)));
        }
    }
}
