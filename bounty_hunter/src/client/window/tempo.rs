//! The tempo of a match that is played in this window alone: it stops for a moment at a crash of one's own, slows down
//! before the clock runs out, and hurries once no person is left. Sudden ends are seen again slowly, as in
//! `screens/last_moments.rs`.

use bounty_hunter_simulation::simulation::view::{GameState, PlayerView, View};

/// How long a match stands still at a crash of a person at this screen.
const STOP_SECONDS: f64 = 0.08;
/// The last seconds of the clock, and their tempo.
const LAST_SECONDS: f32 = 1.0;
const LAST_TEMPO: f64 = 0.45;
/// The tempo of a match in which all people of this screen are out.
const HURRY_TEMPO: f64 = 4.0;

/// What is left of a stop.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tempo {
    stop_seconds: f64,
}

impl Tempo {
    /// Stops for a moment.
    pub(crate) fn stop(&mut self) {
        self.stop_seconds = STOP_SECONDS;
    }

    /// The time by which the match goes on in a frame, seconds.
    pub(crate) fn seconds(&mut self, view: &View, frame_seconds: f64) -> f64 {
        if self.stop_seconds > 0.0 {
            self.stop_seconds -= frame_seconds.max(0.0);
            return 0.0;
        }
        let is_running = view.state == GameState::Running && view.countdown_seconds <= 0.0;
        match view.clock_seconds {
            _ if !is_running => frame_seconds,
            left if left <= LAST_SECONDS => frame_seconds * LAST_TEMPO,
            _ if hurries(view) => frame_seconds * HURRY_TEMPO,
            _ => frame_seconds,
        }
    }
}

/// Whether the match hurries: all people at this screen are out of it.
pub(crate) fn hurries(view: &View) -> bool {
    let mut here = view.players.iter().filter(|player| player.is_here()).peekable();
    let is_out = |player: &PlayerView| player.out_at_clock_seconds.is_some();
    view.state == GameState::Running && here.peek().is_some() && here.all(is_out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::{person_here, player};

    fn view(clock_seconds: f32) -> View {
        let players = vec![person_here(0), player(1)];
        View { state: GameState::Running, clock_seconds, players, ..View::empty() }
    }

    #[test]
    fn match_stops_for_a_moment_at_a_crash() {
        let mut tempo = Tempo::default();
        assert_eq!(tempo.seconds(&view(30.0), 0.016), 0.016);
        tempo.stop();
        let stopped = (0..100).take_while(|_| tempo.seconds(&view(30.0), 0.016) == 0.0).count();
        assert_eq!(stopped, 5, "frames of 16 ms");
        assert_eq!(tempo.seconds(&view(30.0), 0.016), 0.016);
    }

    #[test]
    fn last_second_takes_longer_and_a_match_without_people_hurries() {
        let mut tempo = Tempo::default();
        assert!(tempo.seconds(&view(0.5), 0.1) < 0.05);
        let mut without = view(30.0);
        without.players[0].out_at_clock_seconds = Some(40.0);
        assert!(hurries(&without) && tempo.seconds(&without, 0.1) > 0.3);
        without.players.remove(0);
        assert!(!hurries(&without), "a match of AIs is watched at its own tempo");
        let paused = View { state: GameState::Paused, ..view(0.5) };
        assert_eq!(tempo.seconds(&paused, 0.1), 0.1);
    }
}
