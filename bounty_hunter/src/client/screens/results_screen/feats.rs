//! The page of feats: all challenges, and the medals by mode and level of the AIs.

use std::collections::BTreeMap;

use macroquad::shapes::draw_circle;

use super::sheet::Sheet;
use crate::client::drawing::gauges::draw_ring;
use crate::client::drawing::text::{Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::feat_names::{level_name, metal_color};
use crate::client::translation::{tr, tr_mode, tr_with};
use bounty_hunter_simulation::assets::AI_LEVELS;
use bounty_hunter_simulation::feats::{CHALLENGES, Challenge, Feat, MEDAL_PLAYERS, Medal};
use bounty_hunter_simulation::results::FeatRecord;

const LETTERS: f32 = 9.5;
/// The challenges stand in two columns, in shares of the width.
const COLUMNS: [(f32, f32); 2] = [(0.0, 0.49), (0.51, 1.0)];
const CHALLENGE_ROWS: usize = CHALLENGES.len().div_ceil(COLUMNS.len());
const CHALLENGE_HEIGHT: f32 = 25.0;
/// Where a title begins and a task does, in shares of a column.
const TITLE: f32 = 0.05;
const TASK: f32 = 0.36;
/// Heights from the top of the box.
const FIRST_ROW: f32 = 62.0;
const MEDALS: f32 = FIRST_ROW + CHALLENGE_ROWS as f32 * CHALLENGE_HEIGHT + 6.0;
const MEDAL_HEIGHT: f32 = 22.0;
/// Limit of modes with medals, those with the best first.
const MEDAL_ROWS: usize = 5;
/// Columns of the medals, in shares of the width.
const MODE: (f32, f32) = (0.0, 0.25);
const LEVELS: (f32, f32) = (0.3, 0.9);

pub(super) fn draw(sheet: &Sheet, feats: &[FeatRecord]) {
    let feats: Vec<Feat> = feats.iter().filter_map(|record| record.feat.parse().ok()).collect();
    let is_done = |challenge: &'static Challenge| feats.contains(&Feat::Challenge(challenge));
    let (left, right) = sheet.inner();
    let done = CHALLENGES.iter().filter(|challenge| is_done(challenge)).count();
    let heading = tr_with("{done} of {all} challenges", &[("done", &done), ("all", &CHALLENGES.len())]);
    sheet.write(&heading, left, sheet.top() + 26.0, right - left, Style::new(14.0, theme::TEXT).weight(1.1));
    for (index, challenge) in CHALLENGES.iter().enumerate() {
        let (column, row) = (COLUMNS[index / CHALLENGE_ROWS], index % CHALLENGE_ROWS);
        let y = sheet.top() + FIRST_ROW + row as f32 * CHALLENGE_HEIGHT;
        draw_challenge(sheet, column, y, challenge, is_done(challenge));
    }
    sheet.rule(left, right, sheet.top() + MEDALS - 12.0);
    draw_medals(sheet, &best_medals(&feats));
}

fn draw_challenge(sheet: &Sheet, column: (f32, f32), y: f32, challenge: &Challenge, is_done: bool) {
    let at = |share: f32| sheet.at_share(column.0 + share * (column.1 - column.0));
    let (center, radius) = (sheet.pixels(at(0.0) + 7.0, y), sheet.length(5.0));
    draw_ring(center, radius, sheet.length(1.5), if is_done { theme::ACCENT } else { theme::FAINT });
    if is_done {
        draw_circle(center.x, center.y, radius * 0.55, theme::ACCENT);
    }
    let (title, task) = if is_done { (theme::ACCENT, theme::TEXT) } else { (theme::TEXT, theme::FAINT) };
    sheet.write(tr(challenge.title), at(TITLE), y, at(TASK) - at(TITLE) - 8.0, Style::new(LETTERS, title));
    sheet.write(tr(challenge.task), at(TASK), y, at(1.0) - at(TASK), Style::new(LETTERS, task));
}

fn draw_medals(sheet: &Sheet, medals: &[(String, [Option<u32>; AI_LEVELS.len()])]) {
    let y = sheet.top() + MEDALS + 6.0;
    let (left, right) = (sheet.at_share(MODE.0), sheet.at_share(MODE.1));
    let faint = Style::new(LETTERS, theme::FAINT);
    if medals.is_empty() {
        let sentence =
            tr_with("Medals: be among the first three of {players} or more players", &[("players", &MEDAL_PLAYERS)]);
        return sheet.write(&sentence, left, y, sheet.inner_width(), faint);
    }
    sheet.write(tr("Medals"), left, y, right - left, faint);
    let level_width = (LEVELS.1 - LEVELS.0) / AI_LEVELS.len() as f32;
    let middle = |level: usize| sheet.at_share(LEVELS.0 + (level as f32 + 0.5) * level_width);
    for (level, name) in AI_LEVELS.into_iter().enumerate() {
        let room = sheet.inner_width() * level_width - 6.0;
        sheet.write(&level_name(name), middle(level), y, room, faint.align(Align::Center));
    }
    for (row, (mode, places)) in medals.iter().take(MEDAL_ROWS).enumerate() {
        let y = y + (row + 1) as f32 * MEDAL_HEIGHT;
        sheet.write(&tr_mode(mode), left, y, right - left, Style::new(LETTERS, theme::TEXT));
        for (level, place) in places.iter().enumerate() {
            let center = sheet.pixels(middle(level), y);
            let (radius, color) = match place {
                Some(place) => (7.0, metal_color(*place)),
                None => (2.0, faded(theme::FAINT, 0.5)),
            };
            draw_circle(center.x, center.y, sheet.length(radius), color);
        }
    }
}

/// The best place of each mode by level; the modes with the best medals first.
fn best_medals(feats: &[Feat]) -> Vec<(String, [Option<u32>; AI_LEVELS.len()])> {
    let mut modes: BTreeMap<&str, [Option<u32>; AI_LEVELS.len()]> = BTreeMap::new();
    for feat in feats {
        if let Feat::Medal(Medal { mode, level, place }) = feat
            && let Some(level) = AI_LEVELS.iter().position(|name| name == level)
        {
            let best = &mut modes.entry(mode).or_default()[level];
            *best = Some(best.map_or(*place, |best| best.min(*place)));
        }
    }
    let mut modes: Vec<_> = modes.into_iter().map(|(mode, places)| (mode.to_owned(), places)).collect();
    // No medal counts as the place behind the last medal.
    modes.sort_by_key(|(_, places)| places.iter().map(|place| place.unwrap_or(4)).sum::<u32>());
    modes
}

#[cfg(test)]
mod tests {
    use macroquad::math::vec2;

    use super::*;

    #[test]
    fn best_medal_of_a_mode_and_level_counts() {
        let feats = ["medal/brawl/easy/3", "medal/classic/hard/3", "untouched", "medal/classic/hard/1"];
        let feats = feats.map(|feat| feat.parse::<Feat>().unwrap());
        let expected = [("classic", [None, None, Some(1), None]), ("brawl", [Some(3), None, None, None])];
        assert_eq!(best_medals(&feats), expected.map(|(mode, places)| (mode.to_owned(), places)));
    }

    #[test]
    fn all_challenges_and_medals_lie_in_the_box() {
        let sheet = Sheet::new(vec2(1280.0, 720.0));
        assert!(CHALLENGE_ROWS * COLUMNS.len() >= CHALLENGES.len());
        let last = sheet.top() + MEDALS + 6.0 + MEDAL_ROWS as f32 * MEDAL_HEIGHT;
        assert!(last + MEDAL_HEIGHT / 2.0 <= sheet.bottom(), "{last}");
    }
}
