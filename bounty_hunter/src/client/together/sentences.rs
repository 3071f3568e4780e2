//! Sentences about a match over a network in the chosen language.

use std::fmt::Display;

use crate::client::translation::{tr, tr_later, tr_with};
use crate::network::LineNotice;

/// Why a peer may have nothing to do any more.
const REASONS: [&str; 13] = [
    tr_later("the lobby is full: ask the host for a place"),
    tr_later("the host has removed you from the match"),
    tr_later("the host plays with other assets: name the same directory with --assets"),
    tr_later("the host has left"),
    tr_later("the host does not answer any more"),
    tr_later("there is no answer from {host}: check the address, and that the host runs"),
    tr_later("the host plays version {version} of the game, and this is version {own}: install the same"),
    tr_later(
        "the host plays another version of the game: it has protocol {protocol}, and this program has {own}; \
         install the same",
    ),
    tr_later("the host plays with other assets: {problem}"),
    tr_later("{text} is no address: write one such as 192.168.1.5 or example.org:7777"),
    tr_later("there is no machine with the name {name}"),
    tr_later("the network of this machine cannot be used: {problem}"),
    tr_later("the match cannot be set up: {problem}"),
];

/// A sentence from below the window in the chosen language: one of these English texts, in which each `{name}` stands
/// for a value. Another sentence stays as it is.
fn tr_sentence(sentence: &str, texts: &[&'static str]) -> String {
    let translated = |text: &&'static str| {
        let values = values_in(sentence, text)?;
        let values: Vec<(&str, &dyn Display)> =
            values.iter().map(|(name, value)| (*name, value as &dyn Display)).collect();
        Some(tr_with(text, &values))
    };
    texts.iter().find_map(translated).unwrap_or_else(|| sentence.to_owned())
}

/// The values of a sentence by their names, if it is made from this text.
fn values_in<'s>(sentence: &'s str, text: &'static str) -> Option<Vec<(&'static str, &'s str)>> {
    let mut pieces = text.split('{');
    let mut rest = sentence.strip_prefix(pieces.next()?)?;
    let mut values = Vec::new();
    for piece in pieces {
        let (name, after) = piece.split_once('}')?;
        let end = if after.is_empty() { rest.len() } else { rest.find(after)? };
        values.push((name, &rest[..end]));
        rest = &rest[end + after.len()..];
    }
    rest.is_empty().then_some(values)
}

/// The sentence of [`Peer::ended`](crate::network::Peer::ended), or of a match that cannot be joined, in the chosen
/// language.
pub(crate) fn tr_reason(reason: &str) -> String {
    tr_sentence(reason, &REASONS)
}

/// What to tell about the line, in the chosen language.
pub(crate) fn tr_notice(notice: &LineNotice) -> String {
    match notice {
        LineNotice::HostIsSilent => tr("The host does not answer").to_owned(),
        LineNotice::MatchWaitsForHost { seconds, plays: false } => {
            tr_with("The host does not answer: the match waits for it, {seconds} s at most", &[("seconds", seconds)])
        }
        LineNotice::MatchWaitsForHost { seconds, plays: true } => tr_with(
            "The host does not answer: the match waits, after {seconds} s you play on against AIs",
            &[("seconds", seconds)],
        ),
        LineNotice::HostIsGone => tr("The host is gone: you play on against AIs").to_owned(),
        LineNotice::Loading { percent } => tr_with("Loading the match: {percent} %", &[("percent", percent)]),
        LineNotice::Waiting(name) => tr_with("Waiting for {name}", &[("name", name)]),
        LineNotice::Joined(name) => tr_with("{name} has joined", &[("name", name)]),
        LineNotice::Left(name) => tr_with("{name} has left", &[("name", name)]),
        LineNotice::Dropped(name) => tr_with("{name} is gone: an AI plays on in this seat", &[("name", name)]),
        LineNotice::Returned(name) => tr_with("{name} is back", &[("name", name)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::translation::{choose, set_languages};
    use bounty_hunter_simulation::language::Language;

    #[test]
    fn sentence_from_below_the_window_is_found_with_its_values() {
        const TEXTS: [&str; 3] = ["it is over", "no answer from {host}: look", "it has {one}, not {other}"];
        let german = ["es ist vorbei", "{host} schweigt", "{other} wäre besser als {one}"];
        let texts = TEXTS.map(str::to_owned).into_iter().zip(german.map(str::to_owned)).collect();
        let language = Language { name: "Test".to_owned(), decimal_sign: ',', texts };
        set_languages(&[("test".to_owned(), language)].into());
        let sentences = ["it is over", "no answer from {a}:7: look", "it has 3, not 4", "it has 3, not", "no"];
        let all = || sentences.map(|sentence| tr_sentence(sentence, &TEXTS));
        assert_eq!(all(), sentences);
        choose("test");
        assert_eq!(all(), ["es ist vorbei", "{a}:7 schweigt", "4 wäre besser als 3", "it has 3, not", "no"]);
    }
}
