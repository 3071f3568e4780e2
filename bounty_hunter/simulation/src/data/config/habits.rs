//! Habits of AIs: how those of a name play, and how they look.

use ecs::random::RandomStream;
use serde::{Deserialize, Deserializer, Serialize};

use super::AiProfile;
use crate::data::limits;
use crate::data::name::PlayerName;

/// The most habits of a match.
const MAX_HABITS: usize = 16;
/// The most names of a habit.
const MAX_NAMES: usize = 100;

/// A habit, and the names of the AIs that have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Habit {
    /// What distinguishes their ships.
    pub hull: Hull,
    /// Factor of the load with which they go home.
    #[serde(deserialize_with = "limits::read::habit_factor")]
    pub load_factor: f32,
    /// Factor of their aggression.
    #[serde(deserialize_with = "limits::read::habit_factor")]
    pub aggression_factor: f32,
    /// The names that AIs with this habit can have, each in one habit.
    #[serde(deserialize_with = "names")]
    pub names: Vec<String>,
}

/// What distinguishes the ships of AIs of one habit. It changes the picture only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hull {
    /// The triangle of a collector and nothing else.
    Plain,
    /// Two pods at the sides of the stern.
    Podded,
    /// A long fin astern.
    Finned,
    /// Two horns beside the bow.
    Horned,
}

impl Habit {
    /// A profile with this habit. Its shares stay within 0 to 1.
    #[must_use]
    pub fn applied_to(&self, profile: &AiProfile) -> AiProfile {
        AiProfile {
            stash_threshold: (profile.stash_threshold * self.load_factor).min(1.0),
            aggression: (profile.aggression * self.aggression_factor).min(1.0),
            ..profile.clone()
        }
    }
}

/// The name of an AI and the index of its habit.
pub(crate) type Character = (String, usize);

/// Deals characters in random order. When all names are taken, they are dealt again with a number.
#[derive(Debug)]
pub(crate) struct Characters {
    dealt: Vec<Character>,
    next: usize,
}

impl Characters {
    /// All characters of some habits, shuffled.
    pub(crate) fn shuffled(habits: &[Habit], random: &mut RandomStream) -> Self {
        let named = habits.iter().enumerate();
        let mut dealt: Vec<Character> =
            named.flat_map(|(index, habit)| habit.names.iter().map(move |name| (name.clone(), index))).collect();
        random.shuffle(&mut dealt);
        Self { dealt, next: 0 }
    }
}

impl Iterator for Characters {
    type Item = Character;

    /// The next one; none if no habit has a name.
    fn next(&mut self) -> Option<Character> {
        let round = self.next.checked_div(self.dealt.len())?;
        let (name, habit) = &self.dealt[self.next % self.dealt.len()];
        self.next += 1;
        Some((if round == 0 { name.clone() } else { format!("{name} {}", round + 1) }, *habit))
    }
}

/// Checks that there are not too many habits, and that no name occurs twice.
pub(crate) fn check_habits(habits: &[Habit]) -> Result<(), String> {
    check_count("habits", habits.len(), MAX_HABITS)?;
    let mut names: Vec<&str> = habits.iter().flat_map(|habit| &habit.names).map(String::as_str).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|two| two[0] == two[1]);
    twice.map_or(Ok(()), |twice| Err(format!("the name {:?} occurs twice in habits", twice[0])))
}

/// Reads the names of a habit.
fn names<'de, D: Deserializer<'de>>(text: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(text)?;
    let check = || {
        check_count("names", names.len(), MAX_NAMES)?;
        names.iter().try_for_each(|name| {
            PlayerName::new(name).map(|_| ()).map_err(|problem| format!("the name {name:?} {problem}"))
        })
    };
    check().map_err(serde::de::Error::custom)?;
    Ok(names)
}

fn check_count(name: &str, count: usize, most: usize) -> Result<(), String> {
    if count <= most { Ok(()) } else { Err(format!("{name} has {count} entries, must have at most {most}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Assets;

    fn habit(names: &[&str]) -> Habit {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Habit { hull: Hull::Plain, load_factor: 1.5, aggression_factor: 0.5, names }
    }

    #[test]
    fn characters_come_once_and_then_again_with_numbers() {
        let habits = [habit(&["Ada", "Bo"]), habit(&[]), habit(&["Cy"])];
        let dealt =
            |seed| Characters::shuffled(&habits, &mut RandomStream::new(seed, "test")).take(7).collect::<Vec<_>>();
        let characters = dealt(1);
        let mut first = characters[..3].to_vec();
        first.sort();
        assert_eq!(first, [("Ada".to_owned(), 0), ("Bo".to_owned(), 0), ("Cy".to_owned(), 2)]);
        assert_eq!(characters[3], (format!("{} 2", characters[0].0), characters[0].1));
        assert_eq!(characters[6], (format!("{} 3", characters[0].0), characters[0].1));
        assert!((2..20).any(|seed| dealt(seed) != characters), "the seed decides");
        assert_eq!(Characters::shuffled(&[habit(&[])], &mut RandomStream::new(1, "test")).next(), None);
    }

    #[test]
    fn habit_keeps_shares_within_their_limits() {
        let assets = Assets::built_in();
        let normal = &assets.ai["normal"];
        let bold = Habit { load_factor: 10.0, aggression_factor: 10.0, ..habit(&[]) }.applied_to(normal);
        assert_eq!((bold.stash_threshold, bold.aggression), (1.0, 1.0));
        let calm = habit(&[]).applied_to(normal);
        assert_eq!((calm.stash_threshold, calm.aggression), (normal.stash_threshold * 1.5, normal.aggression * 0.5));
        assert_eq!(
            AiProfile { stash_threshold: 0.0, aggression: 0.0, ..calm },
            AiProfile { stash_threshold: 0.0, aggression: 0.0, ..normal.clone() }
        );
    }
}
