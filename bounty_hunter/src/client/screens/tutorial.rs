//! The tutorial: a short match with one sentence at a time.

use crate::client::input::bindings::Action;
use crate::client::input::hand::{Controls, Hand};
use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::keymap::{Keymap, PersonKeys};
use bounty_hunter_simulation::simulation::view::{GameState, View};

/// What a player learns, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lesson {
    #[default]
    Drive,
    Turn,
    Collect,
    Stash,
    Walls,
    OtherStashes,
    Ghost,
    Spells,
    Survive,
}

/// Seconds of a lesson that is only read.
const READING_SECONDS: f32 = 6.0;
/// Way and turn that count as done.
const WAY_M: f32 = 6.0;
const TURN_RAD: f32 = 0.6;

/// The progress of the first person.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tutorial {
    lesson: Lesson,
    way_m: f32,
    turn_rad: f32,
    /// Of the present lesson.
    seconds: f32,
}

impl Tutorial {
    /// Follows a step of the match.
    pub(crate) fn follow(&mut self, previous: &View, current: &View, step_seconds: f32, keymap: &Keymap) {
        if current.state != GameState::Running || current.countdown_seconds > 0.0 {
            return;
        }
        let place = |view: &View| view.collectors.iter().find(|collector| collector.player == 0).copied();
        let now = place(current);
        if let (Some(before), Some(now)) = (place(previous), now.filter(|now| !now.teleported)) {
            self.way_m += before.position.distance(now.position);
            self.turn_rad += (before.heading - now.heading).abs().min(0.5);
        }
        let person = |view: &View| view.players.first().map_or((0.0, 0.0), |player| (player.pocket, player.stashed));
        let ((_, stashed_before), (pocket, stashed)) = (person(previous), person(current));
        let is_read = self.seconds >= READING_SECONDS;
        let before = self.lesson;
        self.lesson = match self.lesson {
            Lesson::Drive if self.way_m > WAY_M => {
                self.turn_rad = 0.0;
                Lesson::Turn
            }
            Lesson::Turn if self.turn_rad > TURN_RAD => Lesson::Collect,
            // Lessons that are done already are skipped.
            Lesson::Drive | Lesson::Turn | Lesson::Collect if pocket > 0.0 => Lesson::Stash,
            Lesson::Stash if stashed > stashed_before => Lesson::Walls,
            Lesson::Stash if pocket <= 0.0 => Lesson::Collect,
            Lesson::Walls if is_read || !current.walls.iter().any(|wall| wall.is_solid) => Lesson::OtherStashes,
            Lesson::OtherStashes if is_read => Lesson::Ghost,
            // Without anything to touch for so long, there are no power-ups in these assets.
            Lesson::Ghost if is_read && current.power_ups.is_empty() => Lesson::Spells,
            Lesson::Ghost if now.is_some_and(|now| now.ghost_seconds > 0.0) => Lesson::Spells,
            Lesson::Spells if has_cast(previous, current) || !can_cast(current, keymap) => Lesson::Survive,
            lesson => lesson,
        };
        self.seconds = if self.lesson == before { self.seconds + step_seconds } else { 0.0 };
    }

    /// Whether the last lesson has been read.
    pub(crate) fn is_over(&self) -> bool {
        self.lesson == Lesson::Survive && self.seconds >= READING_SECONDS
    }

    /// The number of the lesson, and its sentence.
    pub(crate) fn sentence(&self, controls: Controls<'_>) -> (usize, String) {
        let label = |action| controls.label(action);
        let sentence = match self.lesson {
            Lesson::Drive => match controls.hand {
                Hand::Keys => tr_with("Hold {key} to drive", &[("key", &label(Action::Forward(0)))]),
                Hand::Pad => {
                    tr_with("Push the stick up or hold {key} to drive", &[("key", &label(Action::Forward(0)))])
                }
                Hand::Touch => tr("Drag a finger anywhere: your collector drives that way").into(),
            },
            Lesson::Turn => match controls.hand {
                Hand::Keys => {
                    let (left, right) = (label(Action::Left(0)), label(Action::Right(0)));
                    tr_with(
                        "Turn with {left} and {right}. The edges lead to the other side",
                        &[("left", &left), ("right", &right)],
                    )
                }
                Hand::Pad => tr("Turn with the stick. The edges lead to the other side").into(),
                Hand::Touch => tr("Drag to another side to turn. The edges lead to the other side").into(),
            },
            Lesson::Collect => tr("Touch a bounty: the brighter, the more it is worth").into(),
            Lesson::Stash => tr("Bring it home: touch the stash in your colour").into(),
            Lesson::Walls => tr("Walls stop you, and are no shelter: drive around them").into(),
            Lesson::OtherStashes => tr("A stash of another colour takes your load for its owner: keep clear").into(),
            Lesson::Ghost => tr("Touch a power-up: as a ghost you pass through others for some seconds").into(),
            Lesson::Spells => {
                let [magnet, purge, strike] = [Action::Magnet(0), Action::Purge(0), Action::Strike(0)].map(label);
                tr_with(
                    "Cast a spell: {magnet} pulls bounties, {purge} destroys them, {strike} strikes others down",
                    &[("magnet", &magnet), ("purge", &purge), ("strike", &strike)],
                )
            }
            Lesson::Survive => tr("Well done! A crash empties your pocket. The fullest stash wins").into(),
        };
        (self.lesson as usize + 1, sentence)
    }

    /// The number of lessons.
    pub(crate) const LESSONS: usize = Lesson::Survive as usize + 1;
}

/// Whether the first person has spells and keys for them.
fn can_cast(view: &View, keymap: &Keymap) -> bool {
    let has_keys =
        |person: &PersonKeys| !(person.magnet.is_empty() && person.purge.is_empty() && person.strike.is_empty());
    view.players.first().is_some_and(|player| player.spells.is_some()) && keymap.people.first().is_some_and(has_keys)
}

/// Whether the first person has cast a spell in this step: its cool-down has begun.
fn has_cast(previous: &View, current: &View) -> bool {
    let spells = |view: &View| view.players.first().and_then(|player| player.spells);
    let (Some(before), Some(now)) = (spells(previous), spells(current)) else { return false };
    before.iter().zip(&now).any(|(before, now)| now.left_seconds > before.left_seconds)
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::client::sample::{collector, keymap, player, power_up};
    use bounty_hunter_simulation::keymap::Key;
    use bounty_hunter_simulation::simulation::view::{PowerUpView, SpellView, WallView};

    fn view(x: f32, heading: f32, pocket: f32, stashed: f32) -> View {
        let mut collector = collector(1);
        (collector.position, collector.heading) = (Vec2::new(x, 0.0), heading);
        let mut player = player(0);
        (player.pocket, player.stashed) = (pocket, stashed);
        View { state: GameState::Running, players: vec![player], collectors: vec![collector], ..View::empty() }
    }

    /// A tutorial and the views that it follows.
    struct Pupil {
        tutorial: Tutorial,
        previous: View,
    }

    impl Pupil {
        fn new() -> Self {
            Self { tutorial: Tutorial::default(), previous: view(0.0, 0.0, 0.0, 0.0) }
        }

        /// The lesson after a step of a second.
        fn step(&mut self, next: View) -> Lesson {
            let mut keymap = keymap(1);
            keymap.people[0].magnet = vec![Key::C];
            self.tutorial.follow(&self.previous, &next, 1.0, &keymap);
            self.previous = next;
            self.tutorial.lesson
        }

        /// The lesson after reading this one for long enough.
        fn read(&mut self, next: &View) -> Lesson {
            (0..READING_SECONDS as usize).for_each(|_| _ = self.step(next.clone()));
            self.step(next.clone())
        }
    }

    /// A view in which all can be learned, after a delivery.
    fn home() -> View {
        let wall = WallView { position: Vec2::ZERO, half_extents: Vec2::ONE, is_solid: true };
        let power_up = PowerUpView { position: Vec2::ONE, ..power_up(9) };
        let mut home = view(8.0, 0.8, 0.0, 5.0);
        (home.walls, home.power_ups) = (vec![wall], vec![power_up]);
        home.players[0].spells = Some([SpellView { left_seconds: 0.0, cooldown_seconds: 3.0 }; 3]);
        home
    }

    #[test]
    fn each_lesson_waits_until_it_is_done() {
        let mut pupil = Pupil::new();
        assert_eq!(pupil.step(view(1.0, 0.0, 0.0, 0.0)), Lesson::Drive);
        assert_eq!(pupil.step(view(8.0, 0.0, 0.0, 0.0)), Lesson::Turn);
        assert_eq!(pupil.step(view(8.0, 0.4, 0.0, 0.0)), Lesson::Turn);
        assert_eq!(pupil.step(view(8.0, 0.8, 0.0, 0.0)), Lesson::Collect);
        assert_eq!(pupil.step(view(8.0, 0.8, 5.0, 0.0)), Lesson::Stash);
        assert_eq!(pupil.step(view(8.0, 0.8, 0.0, 0.0)), Lesson::Collect, "it was lost in a crash");
        assert_eq!(pupil.step(view(8.0, 0.8, 5.0, 0.0)), Lesson::Stash);
        assert_eq!(pupil.step(home()), Lesson::Walls);
        assert_eq!(pupil.read(&home()), Lesson::OtherStashes);
        assert_eq!(pupil.read(&home()), Lesson::Ghost);
        assert_eq!(pupil.read(&home()), Lesson::Ghost, "it waits for a power-up");
        let mut ghost = home();
        ghost.collectors[0].ghost_seconds = 5.0;
        assert_eq!(pupil.step(ghost), Lesson::Spells);
        assert_eq!(pupil.read(&home()), Lesson::Spells, "it waits for a spell");
        let mut cast = home();
        cast.players[0].spells.as_mut().unwrap()[2].left_seconds = 3.0;
        assert_eq!(pupil.step(cast), Lesson::Survive);
        assert!(!pupil.tutorial.is_over());
        assert_eq!(pupil.read(&home()), Lesson::Survive);
        assert!(pupil.tutorial.is_over());
    }

    #[test]
    fn lessons_about_what_the_match_lacks_are_left_out() {
        let mut pupil = Pupil::new();
        pupil.step(view(0.5, 0.0, 9.0, 0.0));
        let plain = view(8.0, 0.8, 0.0, 5.0);
        assert_eq!(pupil.step(plain.clone()), Lesson::Walls);
        assert_eq!(pupil.step(plain.clone()), Lesson::OtherStashes);
        assert_eq!(pupil.read(&plain), Lesson::Ghost);
        assert_eq!(pupil.read(&plain), Lesson::Spells);
        assert_eq!(pupil.step(plain), Lesson::Survive);
    }

    #[test]
    fn quick_player_skips_lessons() {
        assert_eq!(Pupil::new().step(view(0.5, 0.0, 9.0, 0.0)), Lesson::Stash);
    }

    #[test]
    fn sentences_speak_of_what_is_in_hand() {
        let (tutorial, keymap) = (Tutorial::default(), keymap(1));
        let sentence = |hand| tutorial.sentence(Controls { hand, keymap: &keymap });
        assert_eq!(sentence(Hand::Keys), (1, "Hold W to drive".into()));
        assert_eq!(sentence(Hand::Pad), (1, "Push the stick up or hold A to drive".into()));
        assert_eq!(sentence(Hand::Touch).1, "Drag a finger anywhere: your collector drives that way");
        let spells = Tutorial { lesson: Lesson::Spells, ..tutorial };
        let sentence = spells.sentence(Controls { hand: Hand::Touch, keymap: &keymap }).1;
        assert!(sentence.contains("Magnet pulls bounties"), "{sentence}");
    }
}
