//! The film of the highlight that a player asks for after a match: made while the result is shown.

use crate::client::drawing::layout::Layout;
use crate::client::film::{self, Filming};
use crate::client::people::People;
use crate::client::{Game, Notice};

/// What of each frame goes to the film: at least so many seconds, and on a slow machine a share of its frames.
const LEAST_SECONDS: f64 = 0.006;
const SHARE: f64 = 0.3;

/// The film of the present match.
#[derive(Default)]
pub(crate) enum HighlightFilm {
    #[default]
    NotAskedFor,
    Making(Box<Filming>),
    /// What became of it.
    Over(Notice),
}

impl HighlightFilm {
    /// Begins the film, unless it was begun.
    pub(crate) fn begin(&mut self, game: &mut dyn Game, layout: &Layout, people: People) {
        if !matches!(self, Self::NotAskedFor) {
            return;
        }
        let (Some(file), Some(playback)) = (game.film_file(), game.replay()) else { return };
        let filming = playback
            .and_then(|playback| Filming::of(playback, &file, *layout, people).map_err(|error| error.to_string()));
        *self = match filming {
            Ok(filming) => Self::Making(Box::new(filming)),
            Err(problem) => Self::failed(&problem),
        };
    }

    /// Works on it for a part of a frame.
    pub(crate) fn work(&mut self, frame_seconds: f64) {
        let Self::Making(filming) = self else { return };
        match filming.work((SHARE * frame_seconds).clamp(LEAST_SECONDS, 0.2)) {
            None => {}
            Some(Ok(file)) => {
                tracing::info!(target: "bounty_hunter::client", file = %file.display(), "highlight filmed");
                *self = Self::Over(Notice::success("the highlight is in {file}", &[("file", &file.display())]));
            }
            Some(Err(error)) => *self = Self::failed(&error.to_string()),
        }
    }

    fn failed(problem: &str) -> Self {
        tracing::warn!(target: "bounty_hunter::client", "no highlight: {problem}");
        Self::Over(Notice::problem("no highlight: {problem}", &[("problem", &problem)]))
    }

    /// What to tell the player, and whether that is no failure.
    pub(crate) fn sentence(&self) -> Option<(String, bool)> {
        match self {
            Self::NotAskedFor => None,
            Self::Making(filming) => Some((film::progress_text(filming), true)),
            Self::Over(notice) => Some((notice.in_the_language(), notice.is_success())),
        }
    }
}
