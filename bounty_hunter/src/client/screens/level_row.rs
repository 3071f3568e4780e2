//! The level of the next match on the title screen: that of the mode, another one, or one from a seed.

use ecs::random::RandomStream;

use crate::client::translation::{tr_level, tr_with};
use crate::client::{LevelChoice, ModeChoice};
use bounty_hunter_simulation::seeded_level::{SEEDED_SEATS, seed_in, seeded_name};

/// Seeds below this are drawn: a person can tell one to another.
const SEEDS: u32 = 100_000;

#[derive(Clone, Debug, PartialEq)]
enum Chosen {
    OfMode,
    /// The name of a level that is not that of the mode.
    Other(String),
    Seeded,
}

/// The chosen level. It stays in another mode if that mode has it.
#[derive(Clone, Debug)]
pub(crate) struct LevelRow {
    chosen: Chosen,
    /// The seed that is offered after the levels.
    seed: u64,
    /// Draws the next seeds.
    random: RandomStream,
}

impl LevelRow {
    /// The level of the mode. The seed decides which seeds of levels are offered.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = RandomStream::new(seed, "seeds of levels");
        let seed = u64::from(random.below(SEEDS));
        Self { chosen: Chosen::OfMode, seed, random }
    }

    /// Takes the level of this name if there is one; an empty name means that of the mode.
    pub(crate) fn take(&mut self, name: &str) {
        self.chosen = match seed_in(name) {
            Some(Ok(seed)) => {
                self.seed = seed;
                Chosen::Seeded
            }
            Some(Err(_)) => Chosen::OfMode,
            None => Chosen::Other(name.to_owned()),
        };
    }

    /// The name of the chosen level; `None` for that of the mode.
    pub(crate) fn name(&self, mode: &ModeChoice) -> Option<String> {
        match &self.chosen {
            Chosen::Seeded => Some(seeded_name(self.seed)),
            Chosen::OfMode | Chosen::Other(_) => self.other(mode).map(|level| level.name.clone()),
        }
    }

    /// Whether it is a level from a seed.
    pub(crate) fn is_seeded(&self) -> bool {
        self.chosen == Chosen::Seeded
    }

    /// The most players of the chosen level.
    pub(crate) fn most_players(&self, mode: &ModeChoice) -> u32 {
        let most = match &self.chosen {
            Chosen::Seeded => Some(SEEDED_SEATS),
            Chosen::OfMode | Chosen::Other(_) => match self.other(mode) {
                Some(level) => level.most_players,
                None => mode.most_players,
            },
        };
        most.unwrap_or(u32::MAX)
    }

    /// Chooses the next level, or the one before: that of the mode, the others, then one from a seed. A step beyond
    /// that draws another seed.
    pub(crate) fn change(&mut self, mode: &ModeChoice, step: i32) {
        let others = mode.levels.len() as i32;
        let before = match &self.chosen {
            Chosen::Seeded => others + 1,
            Chosen::OfMode | Chosen::Other(_) => self.index(mode).map_or(0, |index| index as i32 + 1),
        };
        let next = before + step;
        if next > others + 1 {
            self.seed = u64::from(self.random.below(SEEDS));
        }
        self.chosen = match next {
            0 => Chosen::OfMode,
            next if (1..=others).contains(&next) => Chosen::Other(mode.levels[next as usize - 1].name.clone()),
            _ => Chosen::Seeded,
        };
    }

    /// The choice as text.
    pub(crate) fn text(&self, mode: &ModeChoice) -> String {
        match self.name(mode) {
            Some(name) => tr_level(&name),
            None => tr_with("{level} (default)", &[("level", &tr_level(&mode.level))]),
        }
    }

    fn index(&self, mode: &ModeChoice) -> Option<usize> {
        let Chosen::Other(name) = &self.chosen else { return None };
        mode.levels.iter().position(|level| level.name == *name)
    }

    fn other<'m>(&self, mode: &'m ModeChoice) -> Option<&'m LevelChoice> {
        self.index(mode).map(|index| &mode.levels[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::options;
    use crate::client::translation::{choose, set_languages};
    use bounty_hunter_simulation::assets::Assets;

    fn texts(row: &mut LevelRow, mode: &ModeChoice, steps: &[i32]) -> Vec<String> {
        let text = |step: &i32| {
            row.change(mode, *step);
            row.text(mode)
        };
        steps.iter().map(text).collect()
    }

    #[test]
    fn level_of_the_mode_is_followed_by_the_others_and_by_one_from_a_seed() {
        let (mode, mut row) = (&options().modes[0], LevelRow::new(1));
        assert_eq!((row.text(mode), row.name(mode)), ("Meadow (default)".to_owned(), None));
        assert_eq!(texts(&mut row, mode, &[1, 1]), ["Crossing", "Deep wood"]);
        assert_eq!(row.name(mode).as_deref(), Some("deep_wood"));
        row.change(mode, 1);
        assert!(row.is_seeded() && row.text(mode).starts_with("Seed "), "{}", row.text(mode));
        let back = texts(&mut row, mode, &[-1, -1, -1, -1]);
        assert_eq!(
            (&back[..3], row.is_seeded()),
            (&["Deep wood", "Crossing", "Meadow (default)"].map(String::from)[..], true)
        );
    }

    #[test]
    fn step_beyond_the_seed_draws_another_one_and_a_way_back_keeps_it() {
        let (mode, mut row) = (&options().modes[0], LevelRow::new(1));
        let first = texts(&mut row, mode, &[-1]);
        let others = texts(&mut row, mode, &[1, 1, 1]);
        assert!(others.iter().all(|seed| seed.starts_with("Seed ") && *seed != first[0]), "{first:?}, {others:?}");
        assert_eq!(texts(&mut row, mode, &[-1, 1])[1], others[2]);
        assert_ne!(texts(&mut LevelRow::new(2), mode, &[-1]), first, "each start offers another one");
    }

    #[test]
    fn level_limits_the_players_by_its_places() {
        let (mode, mut row) = (&options().modes[0], LevelRow::new(1));
        assert_eq!(row.most_players(mode), u32::MAX);
        let most = [1, 1, 1].map(|step| {
            row.change(mode, step);
            row.most_players(mode)
        });
        assert_eq!(most, [6, u32::MAX, 16]);
    }

    #[test]
    fn chosen_level_is_taken_again_and_that_of_the_mode_is_not_named() {
        let modes = options().modes;
        for (name, text) in [
            ("seed:77", "Seed 77"),
            ("crossing", "Crossing"),
            ("gone", "Meadow (default)"),
            ("seed:x", "Meadow (default)"),
            ("", "Meadow (default)"),
        ] {
            let mut row = LevelRow::new(1);
            row.take(name);
            assert_eq!(row.text(&modes[0]), text, "{name}");
        }
        let mut row = LevelRow::new(1);
        row.take("crossing");
        assert_eq!((row.text(&modes[1]), row.name(&modes[1])), ("Crossing (default)".to_owned(), None));
    }

    #[test]
    fn levels_have_names_in_each_language() {
        set_languages(&Assets::built_in().languages);
        let names = || ["crossing", "springs", "seed:7", "my_own"].map(tr_level);
        assert_eq!(names(), ["Crossing", "Springs", "Seed 7", "My own"]);
        choose("de");
        assert_eq!(names(), ["Kreuzung", "Quellen", "Saat 7", "My own"]);
        choose("");
    }
}
