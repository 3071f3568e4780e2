//! The film of the highlight that a player asks for after a match: made while the result is shown.

use crate::client::drawing::layout::Layout;
use crate::client::film::{self, Filming};
use crate::client::{Game, Notice};

/// The most of each frame that goes to the film, seconds.
const SECONDS_A_FRAME: f64 = 0.006;

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
    pub(crate) fn begin(&mut self, game: &mut dyn Game, layout: &Layout, names: Vec<String>) {
        if !matches!(self, Self::NotAskedFor) {
            return;
        }
        let (Some(file), Some(playback)) = (game.film_file(), game.replay()) else { return };
        let filming = playback
            .and_then(|playback| Filming::of(playback, &file, *layout, names).map_err(|error| error.to_string()));
        *self = match filming {
            Ok(filming) => Self::Making(Box::new(filming)),
            Err(problem) => Self::failed(&problem),
        };
    }

    /// Works on it for a part of a frame.
    pub(crate) fn work(&mut self) {
        let Self::Making(filming) = self else { return };
        match filming.work(SECONDS_A_FRAME) {
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
