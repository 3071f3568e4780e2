//! The best recorded match of the person, played beside the present one: a replay of its own, of which only a shade and
//! a number are drawn. The present match knows nothing of it.

use glam::Vec2;
use macroquad::miniquad::date;

use crate::client::picture::Picture;
use crate::client::picture::interpolate::between_angles;
use crate::client::picture::shade::Shade;
use bounty_hunter_simulation::player::Seat;
use bounty_hunter_simulation::replay::{Playback, Seeker};
use bounty_hunter_simulation::simulation::view::{CollectorView, GameState, View};

/// The most steps of the replay in one frame, while it catches up.
const MOST_STEPS_A_FRAME: u64 = 20;

/// A recorded match that keeps up with the present one.
pub(crate) struct OwnBest {
    seeker: Seeker,
    player: u32,
    step_seconds: f32,
    view: View,
    /// The collector of its person before the last step and after it, if it is alive.
    before: Option<CollectorView>,
    now: Option<CollectorView>,
}

impl OwnBest {
    /// A recorded match before its first step. Without people it has nothing to show.
    ///
    /// # Errors
    /// - [`ecs::Error::Snapshot`] if the engine holds a value of an unregistered type.
    pub(crate) fn new(playback: Playback) -> Result<Option<Self>, ecs::Error> {
        let about = playback.about();
        let step_seconds = 1.0 / about.steps_per_second.max(1) as f32;
        let Some(seat) = about.setup.seats.iter().position(|seat| matches!(seat, Seat::Human { .. })) else {
            return Ok(None);
        };
        let (seeker, view) = (Seeker::new(playback)?, View::empty());
        Ok(Some(Self { seeker, player: seat as u32, step_seconds, view, before: None, now: None }))
    }

    /// Keeps up with the match of a picture and shows its collector there; none if its replay cannot be played on.
    pub(crate) fn accompany(mut self, picture: &mut Picture, alpha: f32) -> Option<Self> {
        let begun = date::now();
        let followed = self.follow(picture.view(), MOST_STEPS_A_FRAME);
        let shade = followed.as_ref().ok().and_then(|()| self.shade(picture.view(), alpha));
        picture.set_shade(shade);
        if let Err(error) = followed {
            tracing::warn!(target: "bounty_hunter::client", "own best match: {error}");
            return None;
        }
        let tick = picture.view().tick;
        if tick.is_multiple_of((1.0 / self.step_seconds).round() as u64) {
            let own_best_ms = (date::now() - begun) * 1_000.0;
            tracing::debug!(target: "bounty_hunter::client", tick, own_best_ms, "own best");
        }
        Some(self)
    }

    /// Follows the present match to the same moment of its clock, by at most so many steps: also through pauses of the
    /// recorded match, and back.
    ///
    /// # Errors
    /// The replay cannot be played on.
    fn follow(&mut self, present: &View, most_steps: u64) -> Result<(), ecs::Error> {
        let Some(wanted) = seconds_left(present) else { return Ok(()) };
        let begin = self.seeker.playback().about().begin;
        let mut left = most_steps;
        while left > 0 {
            if self.tick() < begin {
                // The matches before it in the same recording.
                left -= self.seeker.seek(begin, left)?.clamp(1, left);
                self.look();
                continue;
            }
            let ahead = seconds_left(&self.view).map_or(f32::NEG_INFINITY, |now| wanted - now);
            if ahead > 1.5 * self.step_seconds {
                let steps = (ahead / self.step_seconds).ceil() as u64;
                self.seeker.seek(self.tick().saturating_sub(steps).max(begin), u64::MAX)?;
                self.look();
                self.before = None;
                if self.tick() <= begin {
                    return Ok(());
                }
            } else if ahead > -0.5 * self.step_seconds || self.seeker.step()?.is_none() {
                return Ok(());
            } else {
                self.look();
            }
            left -= 1;
        }
        Ok(())
    }

    fn tick(&self) -> u64 {
        self.seeker.playback().simulation().tick()
    }

    fn look(&mut self) {
        self.seeker.playback().simulation().view_into(&mut self.view);
        let collector = self.view.collectors.iter().find(|collector| collector.player == self.player);
        self.before = std::mem::replace(&mut self.now, collector.copied());
    }

    /// Whether it has reached the moment of the present match, about.
    fn is_beside(&self, present: &View) -> bool {
        let apart = seconds_left(present).zip(seconds_left(&self.view)).map(|(one, other)| (one - other).abs());
        apart.is_some_and(|seconds| seconds < 0.1)
    }

    /// Its person's collector at a share of the last step, 0 to 1; none while it is dead or far behind.
    fn shade(&self, present: &View, alpha: f32) -> Option<Shade> {
        let to = self.now.filter(|_| self.is_beside(present))?;
        let from = self.before.filter(|from| from.key == to.key && !to.teleported).unwrap_or(to);
        let position: Vec2 = from.position.lerp(to.position, alpha);
        let heading = between_angles(from.heading, to.heading, alpha);
        Some(Shade { position, heading, half_extent_m: to.half_extent })
    }

    /// What its person has stashed until now; none while it is far behind.
    pub(crate) fn stashed(&self, present: &View) -> Option<f32> {
        let player = self.view.players.get(self.player as usize)?;
        (self.is_beside(present) || self.view.state == GameState::GameOver).then_some(player.stashed)
    }
}

/// The time that is left of the countdown and on the clock; none before and after a match.
fn seconds_left(view: &View) -> Option<f32> {
    let is_match = matches!(view.state, GameState::Started | GameState::Running | GameState::Paused);
    (is_match || view.state == GameState::GameOver).then_some(view.countdown_seconds + view.clock_seconds)
}

#[cfg(test)]
mod tests {
    use ecs::Engine;

    use super::*;
    use bounty_hunter_simulation::assets::Assets;
    use bounty_hunter_simulation::input::{Command, Inputs, Intent};
    use bounty_hunter_simulation::replay::Recorder;
    use bounty_hunter_simulation::simulation::{MatchSetup, Simulation};

    fn setup(seed: u64) -> MatchSetup {
        let ais = MatchSetup { play_seconds: Some(6.0), ..MatchSetup::of_ais(seed, 3, "normal") };
        let mut seats = ais.seats.clone();
        seats[1] = Seat::Human { person: 0 };
        MatchSetup { seats, ..ais }
    }

    fn driving(step: u64) -> Inputs {
        Inputs::none().intent(1, Intent { drive: 1.0, turn: if step.is_multiple_of(90) { 1.0 } else { 0.1 } })
    }

    /// A recorded match with a pause of a second, after another one in the same recording; and where its person's
    /// collector was with so many milliseconds left.
    fn recorded() -> (Playback, Vec<(i64, Option<Vec2>)>) {
        let (assets, setup) = (Assets::built_in().in_mode("classic").expect("there is one"), setup(7));
        let mut simulation = Simulation::new(&assets, &setup).expect("it can be set up");
        let mut recorder = Recorder::new("classic", &assets, &setup).expect("it can be recorded");
        let mut step = |simulation: &mut Simulation, inputs: &Inputs| {
            simulation.step(inputs);
            recorder.note(inputs, simulation);
        };
        while simulation.state() != GameState::GameOver {
            step(&mut simulation, &Inputs::none());
        }
        step(&mut simulation, &Inputs::none().with(Command::Restart));
        let mut places = Vec::new();
        while simulation.state() != GameState::GameOver || simulation.begin() == 0 {
            let mut inputs = driving(simulation.tick());
            match simulation.tick() - simulation.begin() {
                300 => inputs = inputs.with(Command::Pause),
                360 => inputs = inputs.with(Command::Resume),
                _ => {}
            }
            step(&mut simulation, &inputs);
            places.extend(place(&simulation.view(), 1));
        }
        let replay = recorder.match_replay(&mut simulation);
        assert!(replay.about().begin > 300);
        (Playback::new(replay, &assets, Engine::builder()).expect("it plays"), places)
    }

    /// The milliseconds left, and the place of a player's collector.
    fn place(view: &View, player: u32) -> Option<(i64, Option<Vec2>)> {
        let collector = view.collectors.iter().find(|collector| collector.player == player);
        Some(((seconds_left(view)? * 1_000.0) as i64, collector.map(|collector| collector.position)))
    }

    #[test]
    fn recorded_match_keeps_up_with_the_present_one_through_pauses_and_back() {
        let (playback, places) = recorded();
        let mut best = OwnBest::new(playback).expect("it can be sought in").expect("a person plays");
        let assets = Assets::built_in().in_mode("classic").expect("there is one");
        let mut present = Simulation::new(&assets, &setup(8)).expect("it can be set up");
        let mut alone = Simulation::new(&assets, &setup(8)).expect("it can be set up");
        let mut compared = 0;
        let mut views = Vec::new();
        while present.state() != GameState::GameOver {
            present.step(&Inputs::none());
            alone.step(&Inputs::none());
            let view = present.view();
            best.follow(&view, 60).expect("it can be sought");
            if let Some(shade) = best.shade(&view, 1.0) {
                let (left, _) = place(&view, 1).expect("it is a match");
                // In a pause the same place comes again and again.
                let then = places.iter().rev().find(|(then, _)| (then - left).abs() <= 9).expect("it has this moment");
                let distance = then.1.map_or(f32::INFINITY, |place| place.distance(shade.position));
                assert!(distance < 0.6, "{distance} m at {left} ms");
                compared += 1;
            }
            views.push(view);
        }
        assert!(compared > 300, "{compared}");
        assert_eq!(present.state_hash(), alone.state_hash(), "the present match is what it is without it");
        // A rewind by two seconds.
        let earlier = &views[views.len() - 120];
        (0..5).for_each(|_| best.follow(earlier, 60).expect("it can be sought"));
        assert!(best.is_beside(earlier), "{:?} {:?}", seconds_left(earlier), seconds_left(&best.view));
    }

    #[test]
    fn few_steps_are_taken_in_a_frame_and_nothing_is_shown_before_it_has_caught_up() {
        let (playback, _) = recorded();
        let begin = playback.about().begin;
        let mut best = OwnBest::new(playback).expect("it can be sought in").expect("a person plays");
        let present = View { state: GameState::Running, clock_seconds: 3.0, ..View::empty() };
        best.follow(&present, MOST_STEPS_A_FRAME).expect("it can be sought");
        assert!(best.tick() <= MOST_STEPS_A_FRAME && best.shade(&present, 1.0).is_none());
        assert_eq!(best.stashed(&present), None);
        for _ in 0..(begin + 500) / MOST_STEPS_A_FRAME {
            let before = best.tick();
            best.follow(&present, MOST_STEPS_A_FRAME).expect("it can be sought");
            assert!(best.tick() - before <= MOST_STEPS_A_FRAME);
        }
        assert!(best.is_beside(&present) && best.stashed(&present).is_some());
    }

    #[test]
    fn match_without_people_has_nothing_to_show() {
        let (assets, setup) = (Assets::built_in(), MatchSetup::of_ais(1, 2, "normal"));
        let mut simulation = Simulation::new(&assets, &setup).expect("it can be set up");
        let mut recorder = Recorder::new("classic", &assets, &setup).expect("it can be recorded");
        simulation.step(&Inputs::none());
        recorder.note(&Inputs::none(), &mut simulation);
        let playback = Playback::new(recorder.replay(&mut simulation), &assets, Engine::builder()).expect("it plays");
        assert!(OwnBest::new(playback).expect("it can be sought in").is_none());
    }
}
