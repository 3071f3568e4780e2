//! The colours and marks of players: sixteen colours, by default ones that colour-blind people can distinguish, and
//! eight marks. Partners have one colour, and each of them its mark.

use macroquad::color::Color;
use serde::{Deserialize, Serialize};

use bounty_hunter_simulation::appearance;
use bounty_hunter_simulation::simulation::view::PlayerView;

/// The eight colours of Okabe and Ito (white instead of black, because the ground is dark), then eight with the
/// largest distances for normal sight, protanopia and deuteranopia.
const DISTINCT: [u32; 16] = [
    0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xF0E442, 0x0072B2, 0xD55E00, 0xFFFFFF, //
    0x6611FF, 0xEEFFAA, 0x5577FF, 0xBB2233, 0x99BB66, 0x77DDAA, 0x446666, 0xCCDDFF,
];

/// Bright colours in the order of the rainbow, then paler ones.
const VIVID: [u32; 16] = [
    0xFF4D4D, 0x4DA6FF, 0x5CE65C, 0xFFD633, 0xFF80D5, 0xA366FF, 0xFF9433, 0x33E6CC, //
    0xB3FF66, 0x6B6BFF, 0xFFB3B3, 0xD9D9FF, 0xC68C53, 0x8CD9B3, 0xE6E6E6, 0x9E9E5C,
];

/// A choice of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PaletteKind {
    /// Safe for colour-blind people.
    #[default]
    Distinct,
    /// For normal sight.
    Vivid,
}

/// The colours of the players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    colors: [u32; 16],
    /// Seats of each team; 1 without teams.
    players_per_team: u32,
}

impl Default for Palette {
    fn default() -> Self {
        Self::new(PaletteKind::Distinct, &[])
    }
}

impl Palette {
    /// Colours, where each of the first players may have chosen one. The others exchange theirs.
    pub(crate) fn new(kind: PaletteKind, chosen: &[Option<u8>]) -> Self {
        let all = match kind {
            PaletteKind::Distinct => DISTINCT,
            PaletteKind::Vivid => VIVID,
        };
        let mut colors = all;
        for (player, choice) in chosen.iter().enumerate().take(16) {
            let wanted = choice.and_then(|choice| all.get(usize::from(choice)));
            // The first of two people who want the same colour gets it.
            let place = wanted.and_then(|wanted| colors[player..].iter().position(|color| color == wanted));
            if let Some(place) = place {
                colors.swap(player, player + place);
            }
        }
        Self { colors, players_per_team: 1 }
    }

    /// The same colours for a match of teams with so many seats each; 0 and 1 are a match without teams.
    pub(crate) fn for_teams_of(self, players: usize) -> Self {
        Self { players_per_team: u32::try_from(players).unwrap_or(u32::MAX).max(1), ..self }
    }

    /// The same colours for the players of a match.
    pub(crate) fn for_match(self, players: &[PlayerView]) -> Self {
        let is_first = |player: &&PlayerView| player.team.is_some_and(|team| team.number == 0);
        self.for_teams_of(players.iter().take_while(is_first).count())
    }

    /// The colour of a player or of its team; repeats every 16.
    pub(crate) fn color(&self, player: u32) -> Color {
        Color::from_hex(self.colors[(player / self.players_per_team % 16) as usize])
    }

    /// The mark of a player. Without teams it changes every 8 players, so colour and mark together repeat every 64;
    /// with teams, partners have different ones, as far as there are enough.
    pub(crate) fn mark(&self, player: u32) -> Mark {
        let (team, member) = (player / self.players_per_team, player % self.players_per_team);
        let mark = if self.players_per_team == 1 { player / 8 } else { member + team / 16 * self.players_per_team };
        MARKS[(mark % 8) as usize]
    }
}

/// A sign on the objects of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    Dot,
    Bar,
    Ring,
    TwoBars,
    Cross,
    /// One bar lengthwise.
    Spine,
    ThreeBars,
}

const MARKS: [Mark; 8] =
    [Mark::None, Mark::Dot, Mark::Bar, Mark::Ring, Mark::TwoBars, Mark::Cross, Mark::Spine, Mark::ThreeBars];

pub(crate) fn of_kind(color: appearance::Color) -> Color {
    let appearance::Color([red, green, blue]) = color;
    Color::from_rgba(red, green, blue, 255)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::drawing::theme::{self, Ground};
    use bounty_hunter_simulation::assets::Assets;

    fn color(player: u32) -> Color {
        Palette::default().color(player)
    }

    fn mark(player: u32) -> Mark {
        Palette::default().mark(player)
    }

    #[test]
    fn partners_have_one_color_and_two_marks_and_64_players_of_teams_can_be_told_apart() {
        let palette = Palette::default().for_teams_of(2);
        assert_eq!((palette.color(4), palette.color(5)), (color(2), color(2)));
        assert_ne!(palette.mark(4), palette.mark(5));
        for first in 0..64 {
            for second in first + 1..64 {
                let of = |player| (palette.color(player), palette.mark(player));
                assert_ne!(of(first), of(second), "{first} and {second}");
            }
        }
        let usual = Palette::default().for_teams_of(0);
        assert_eq!((usual.color(9), usual.mark(9)), (color(9), mark(9)));
    }

    #[test]
    fn chosen_color_is_exchanged_with_its_player() {
        let usual = |player| Palette::default().color(player);
        let palette = Palette::new(PaletteKind::Distinct, &[Some(5), Some(5), None, Some(3)]);
        assert_eq!((palette.color(0), palette.color(5)), (usual(5), usual(0)));
        assert_eq!((palette.color(1), palette.color(3)), (usual(1), usual(3)), "a colour is given once");
    }

    #[test]
    fn vivid_colors_are_distinct_for_normal_sight() {
        let palette = Palette::new(PaletteKind::Vivid, &[]);
        let ground = crate::client::drawing::theme::GROUND;
        for first in 0..16 {
            let apart = |other: Color| {
                let (a, b) = (lab(palette.color(first), SIGHTS[2]), lab(other, SIGHTS[2]));
                libm::sqrtf((0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum())
            };
            assert!(apart(ground) > 30.0, "player {first}");
            for second in first + 1..16 {
                let distance = apart(palette.color(second));
                assert!(distance > 12.0, "players {first} and {second} differ by {distance} only");
            }
        }
    }

    type Matrix = [[f32; 3]; 3];

    /// Full protanopia, full deuteranopia (Machado, Oliveira and Fernandes 2009; for linear RGB) and normal sight.
    const SIGHTS: [Matrix; 3] = [
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ];

    fn times(matrix: Matrix, v: [f32; 3]) -> [f32; 3] {
        matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }

    /// CIE L*a*b* of a colour as seen, from sRGB through XYZ for daylight (D65).
    fn lab(color: Color, sight: Matrix) -> [f32; 3] {
        let linear = |c: f32| if c <= 0.04045 { c / 12.92 } else { libm::powf((c + 0.055) / 1.055, 2.4) };
        let seen = times(sight, [linear(color.r), linear(color.g), linear(color.b)]).map(|c| c.clamp(0.0, 1.0));
        let xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], seen);
        let bent = |t: f32| if t > 0.008856 { libm::cbrtf(t) } else { 7.787 * t + 16.0 / 116.0 };
        let [x, y, z] = [bent(xyz[0] / 0.9505), bent(xyz[1]), bent(xyz[2] / 1.089)];
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// The lightness of a bounty as seen, 0 to 100: of its heart, and the mean of the whole.
    fn lightness_of_bounty(color: Color, share_of_best: f32, sight: Matrix) -> (f32, f32) {
        let (heart, side) = theme::bounty_heart(color, share_of_best);
        let (of_heart, of_edge, share) = (lab(heart, sight)[0], lab(color, sight)[0], side * side);
        (of_heart, of_heart * share + of_edge * (1.0 - share))
    }

    #[test]
    fn most_valuable_bounty_is_the_brightest_for_every_kind_of_sight_and_every_palette() {
        for sight in SIGHTS {
            let usual = |step: u8| {
                let worth = f32::from(step) / 20.0;
                lightness_of_bounty(theme::bounty(worth), (5.0 + 25.0 * worth) / 30.0, sight)
            };
            let rises = (0..20).all(|step| usual(step + 1).0 > usual(step).0 && usual(step + 1).1 > usual(step).1);
            assert!(rises, "a bounty that is worth more has more light");
            for palette in [PaletteKind::Distinct, PaletteKind::Vivid].map(|kind| Palette::new(kind, &[])) {
                for player in 0..16 {
                    let ship = lab(palette.color(player), sight)[0];
                    assert!(usual(20).0 >= ship, "player {player}: {ship}");
                }
            }
            assert!(usual(20).0 > lab(theme::GHOST, sight)[0] && usual(20).0 > lab(theme::HEALTH, sight)[0]);
        }
    }

    #[test]
    fn golden_bounty_has_more_light_than_any_usual_one() {
        let golden = Color::from_hex(0xFFE9A8);
        for sight in SIGHTS {
            let usual = lightness_of_bounty(theme::bounty(1.0), 0.5, sight);
            let golden = lightness_of_bounty(golden, 1.0, sight);
            assert!(golden.0 > usual.0 && golden.1 > usual.1, "{golden:?} {usual:?}");
        }
    }

    fn least_distance(a: Color, b: Color) -> f32 {
        let distance = |sight: Matrix| {
            let (a, b) = (lab(a, sight), lab(b, sight));
            libm::sqrtf((0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum())
        };
        SIGHTS.into_iter().map(distance).fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn sixteen_colors_are_distinct_for_every_kind_of_sight() {
        for first in 0..16 {
            for second in first + 1..16 {
                let distance = least_distance(color(first), color(second));
                assert!(distance > 15.0, "players {first} and {second} differ by {distance} only");
            }
        }
    }

    #[test]
    fn colors_stand_out_from_the_ground() {
        for player in 0..16 {
            let distance = least_distance(color(player), crate::client::drawing::theme::GROUND);
            assert!(distance > 30.0, "player {player} differs from the ground by {distance} only");
        }
    }

    #[test]
    fn colors_stand_out_from_the_ground_of_each_mode() {
        for (mode, ground) in Assets::built_in().modes.iter().map(|(name, mode)| (name, Ground::of(mode.game.ground))) {
            for (player, light) in (0..16).flat_map(|player| [(player, ground.base), (player, ground.glow)]) {
                let distance = least_distance(color(player), light);
                assert!(distance > 15.0, "player {player} differs from the ground of {mode} by {distance} only");
            }
        }
    }

    #[test]
    fn color_and_mark_distinguish_64_players() {
        for first in 0..64 {
            for second in first + 1..64 {
                assert_ne!((color(first), mark(first)), (color(second), mark(second)), "{first} and {second}");
            }
        }
        assert_eq!((color(64), mark(64)), (color(0), mark(0)));
    }

    #[test]
    fn simulated_deuteranopia_confuses_red_and_green() {
        let (red, green) = (Color::from_hex(0xA05030), Color::from_hex(0x708030));
        let [deuteranope, normal] = [SIGHTS[1], SIGHTS[2]].map(|sight| {
            let (a, b) = (lab(red, sight), lab(green, sight));
            (a[1] - b[1]).abs()
        });
        assert!(deuteranope < normal / 3.0, "{deuteranope} {normal}");
    }
}
