//! The tutorial: a short match with one sentence at a time.

use crate::client::input::keys;
use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::keymap::{Key, Keymap};
use bounty_hunter_simulation::simulation::view::{GameState, View};

/// What a player learns, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lesson {
    #[default]
    Drive,
    Turn,
    Collect,
    Stash,
    Survive,
}

/// Seconds of the last lesson.
const LAST_LESSON_SECONDS: f32 = 8.0;
/// Way and turn that count as done.
const WAY_M: f32 = 6.0;
const TURN_RAD: f32 = 0.6;

/// The progress of the first person.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tutorial {
    lesson: Lesson,
    way_m: f32,
    turn_rad: f32,
    seconds: f32,
}

impl Tutorial {
    /// Follows a step of the match.
    pub(crate) fn follow(&mut self, previous: &View, current: &View, step_seconds: f32) {
        if current.state != GameState::Running || current.countdown_seconds > 0.0 {
            return;
        }
        let place = |view: &View| view.collectors.iter().find(|collector| collector.player == 0).copied();
        if let (Some(before), Some(now)) = (place(previous), place(current).filter(|now| !now.teleported)) {
            self.way_m += before.position.distance(now.position);
            self.turn_rad += (before.heading - now.heading).abs().min(0.5);
        }
        let person = |view: &View| view.players.first().map_or((0.0, 0.0), |player| (player.pocket, player.stashed));
        let ((_, stashed_before), (pocket, stashed)) = (person(previous), person(current));
        self.lesson = match self.lesson {
            Lesson::Drive if self.way_m > WAY_M => {
                self.turn_rad = 0.0;
                Lesson::Turn
            }
            Lesson::Turn if self.turn_rad > TURN_RAD => Lesson::Collect,
            // Lessons that are done already are skipped.
            Lesson::Drive | Lesson::Turn | Lesson::Collect if pocket > 0.0 => Lesson::Stash,
            Lesson::Stash if stashed > stashed_before => Lesson::Survive,
            Lesson::Stash if pocket <= 0.0 => Lesson::Collect,
            lesson => lesson,
        };
        if self.lesson == Lesson::Survive {
            self.seconds += step_seconds;
        }
    }

    /// Whether the last lesson has been read.
    pub(crate) fn is_over(&self) -> bool {
        self.seconds >= LAST_LESSON_SECONDS
    }

    /// The number of the lesson, and its sentence.
    pub(crate) fn sentence(&self, keymap: &Keymap) -> (usize, String) {
        let person = keymap.people.first();
        let label = |keys: Option<&Vec<Key>>| keys.map_or_else(String::new, |keys| keys::first_label(keys));
        let sentence = match self.lesson {
            Lesson::Drive => tr_with("Hold {key} to drive", &[("key", &label(person.map(|person| &person.forward)))]),
            Lesson::Turn => {
                let (left, right) =
                    (label(person.map(|person| &person.left)), label(person.map(|person| &person.right)));
                tr_with(
                    "Turn with {left} and {right}. The edges lead to the other side",
                    &[("left", &left), ("right", &right)],
                )
            }
            Lesson::Collect => tr("Touch a bounty: the redder, the more it is worth").into(),
            Lesson::Stash => tr("Bring it home: touch the stash in your colour").into(),
            Lesson::Survive => tr("Well done! A crash empties your pocket. The fullest stash wins").into(),
        };
        (self.lesson as usize + 1, sentence)
    }

    /// The number of lessons.
    pub(crate) const LESSONS: usize = Lesson::Survive as usize + 1;
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::client::sample::{collector, keymap, player};

    fn view(x: f32, heading: f32, pocket: f32, stashed: f32) -> View {
        let mut collector = collector(1);
        (collector.position, collector.heading) = (Vec2::new(x, 0.0), heading);
        let mut player = player(0);
        (player.pocket, player.stashed) = (pocket, stashed);
        View { state: GameState::Running, players: vec![player], collectors: vec![collector], ..View::empty() }
    }

    #[test]
    fn each_lesson_waits_until_it_is_done() {
        let mut tutorial = Tutorial::default();
        let mut previous = view(0.0, 0.0, 0.0, 0.0);
        let mut lesson = |next: View| {
            tutorial.follow(&previous, &next, 1.0);
            previous = next;
            (tutorial.lesson, tutorial.is_over())
        };
        assert_eq!(lesson(view(1.0, 0.0, 0.0, 0.0)).0, Lesson::Drive);
        assert_eq!(lesson(view(8.0, 0.0, 0.0, 0.0)).0, Lesson::Turn);
        assert_eq!(lesson(view(8.0, 0.4, 0.0, 0.0)).0, Lesson::Turn);
        assert_eq!(lesson(view(8.0, 0.8, 0.0, 0.0)).0, Lesson::Collect);
        assert_eq!(lesson(view(8.0, 0.8, 5.0, 0.0)).0, Lesson::Stash);
        assert_eq!(lesson(view(8.0, 0.8, 0.0, 0.0)).0, Lesson::Collect, "it was lost in a crash");
        assert_eq!(lesson(view(8.0, 0.8, 5.0, 0.0)).0, Lesson::Stash);
        assert_eq!(lesson(view(8.0, 0.8, 0.0, 5.0)), (Lesson::Survive, false));
        (0..6).for_each(|_| assert!(!lesson(view(8.0, 0.8, 0.0, 5.0)).1));
        assert_eq!(lesson(view(8.0, 0.8, 0.0, 5.0)), (Lesson::Survive, true));
    }

    #[test]
    fn quick_player_skips_lessons() {
        let mut tutorial = Tutorial::default();
        tutorial.follow(&view(0.0, 0.0, 0.0, 0.0), &view(0.5, 0.0, 9.0, 0.0), 1.0);
        assert_eq!(tutorial.lesson, Lesson::Stash);
    }

    #[test]
    fn sentences_name_the_own_keys() {
        let tutorial = Tutorial::default();
        assert_eq!(tutorial.sentence(&keymap(1)), (1, "Hold W to drive".into()));
    }
}
