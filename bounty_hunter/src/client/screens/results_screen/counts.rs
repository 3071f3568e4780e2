//! The table of what happened in a match.

use std::collections::BTreeMap;

use super::rows::Rows;
use super::sheet::Sheet;
use crate::client::drawing::text::{Align, Style};
use crate::client::drawing::theme;
use crate::client::translation::{tr, tr_later};

const LETTERS: f32 = 9.0;
const NUMBER_WIDTH: f32 = 60.0;

/// What a player wants to know, by the event that counts it. `results show` prints the counts of all events.
const SHOWN: [(&str, &str); 9] = [
    ("BountyCollected", tr_later("bounties collected")),
    ("BountyStashed", tr_later("deliveries to a stash")),
    ("StashFull", tr_later("stashes filled")),
    ("PowerUpTaken", tr_later("power-ups taken")),
    ("MineExploded", tr_later("mines hit")),
    ("SpellCast", tr_later("spells cast")),
    ("DamageTaken", tr_later("hits taken")),
    ("PlayerEliminated", tr_later("players out of lives")),
    ("GamePaused", tr_later("pauses")),
];

/// What happened at least once, in the order of the table.
fn shown(events: &BTreeMap<String, i64>) -> impl Iterator<Item = (&'static str, i64)> {
    let count = |event: &str| events.get(event).copied().filter(|sent| *sent > 0);
    SHOWN.into_iter().filter_map(move |(event, words)| Some((words, count(event)?)))
}

/// Number of lines of the table.
pub(super) fn lines_of(events: &BTreeMap<String, i64>) -> usize {
    shown(events).count()
}

/// Draws the table between two shares of the width.
pub(super) fn draw(sheet: &Sheet, rows: Rows, events: &BTreeMap<String, i64>, (left, right): (f32, f32)) {
    let (left, right) = (sheet.at_share(left), sheet.at_share(right));
    sheet.write(tr("What happened"), left, rows.head(), right - left, Style::new(LETTERS, theme::FAINT));
    for (line, (words, sent)) in shown(events).enumerate() {
        let y = rows.middle(line);
        sheet.write(tr(words), left, y, right - left - NUMBER_WIDTH, Style::new(LETTERS, theme::TEXT));
        let number = Style::new(LETTERS, theme::ACCENT).align(Align::Right);
        sheet.write(&sent.to_string(), right, y, NUMBER_WIDTH, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bounty_hunter_simulation::assets::Assets;
    use bounty_hunter_simulation::simulation::{MatchSetup, Simulation};

    #[test]
    fn only_what_happened_is_shown_in_words() {
        let events = [("StashFull", 1), ("KeyDown", 40), ("BountyCollected", 7), ("SpellCast", 0)];
        let events = events.map(|(event, sent)| (event.to_owned(), sent)).into_iter().collect();
        assert_eq!(shown(&events).collect::<Vec<_>>(), [("bounties collected", 7), ("stashes filled", 1)]);
    }

    #[test]
    fn every_counted_event_exists() {
        let explained: String = ["power-ups", "spells", "brawl"]
            .map(|mode| {
                let assets = Assets::built_in().in_mode(mode).unwrap();
                let mut simulation = Simulation::new(&assets, &MatchSetup::of_ais(1, 2, "normal")).unwrap();
                simulation.engine_mut().explain().unwrap().to_string()
            })
            .concat();
        for (event, _) in SHOWN {
            assert!(explained.contains(event), "{event}");
        }
    }
}
