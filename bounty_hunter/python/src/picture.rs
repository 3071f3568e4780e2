//! A picture of a match, drawn without a window: flat shapes in the colours of the players.

use bounty_hunter::arena::forward;
use bounty_hunter::view::View;
use glam::Vec2;

/// Red, green and blue.
type Color = [u8; 3];

const GROUND: Color = [16, 18, 28];
const SOLID: Color = [92, 98, 120];
const POWER_UP: Color = [120, 230, 255];
const MINE: Color = [255, 60, 60];
const MIN_BOUNTY: Color = [250, 220, 70];
const BEST_BOUNTY: Color = [240, 70, 50];

/// The most pixels of a side of a picture.
const MAX_SIZE: usize = 4096;

/// Checks the side of a picture in pixels.
///
/// # Errors
/// One sentence, if it is not 1 to 4096.
pub fn check_size(size: i64) -> Result<usize, String> {
    let size_in_range = usize::try_from(size).ok().filter(|size| (1..=MAX_SIZE).contains(size));
    size_in_range.ok_or_else(|| format!("size is {size}, must be 1 to {MAX_SIZE} pixels"))
}

/// Draws the view as `size` × `size` pixels of red, green and blue, row after row from the top.
///
/// # Panics
/// If `size` is not 1 to 4096; see [`check_size`].
#[must_use]
pub fn draw(view: &View, size: usize) -> Vec<u8> {
    assert!((1..=MAX_SIZE).contains(&size), "the size of a picture is 1 to {MAX_SIZE}");
    let mut picture = Picture { pixels: [GROUND].repeat(size * size), size, half_extent_m: view.world_half_extent };
    for wall in view.walls.iter().filter(|wall| wall.is_solid) {
        let Vec2 { x, y } = wall.half_extents;
        let corners = [(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| wall.position + Vec2::new(x, y));
        picture.fill(&corners, SOLID);
    }
    for object in &view.objects {
        picture.fill(&square(object.position, object.heading, object.shape.half_extent_m()), SOLID);
    }
    for stash in &view.stashes {
        let color = color_of(stash.player);
        picture.fill(&square(stash.position, 0.0, stash.half_extent * 1.25), mixed(GROUND, color, 0.35));
        picture.fill(&square(stash.position, 0.0, stash.half_extent * stash.fullness.sqrt() * 1.25), color);
    }
    for bounty in &view.bounties {
        let color = mixed(MIN_BOUNTY, BEST_BOUNTY, bounty.worth);
        picture.fill(&square(bounty.position, bounty.heading, bounty.half_extent), mixed(GROUND, color, bounty.alpha));
    }
    for power_up in &view.power_ups {
        picture.fill(&square(power_up.position, 0.8, power_up.half_extent), mixed(GROUND, POWER_UP, power_up.alpha));
    }
    for mine in &view.mines {
        let armed = if mine.arms_in_seconds > 0.0 { 0.5 } else { 1.0 };
        picture.fill(&square(mine.position, 0.8, mine.half_extent), mixed(GROUND, MINE, armed));
        picture.fill(&square(mine.position, 0.8, 0.5 * mine.half_extent), color_of(mine.owner));
    }
    for collector in &view.collectors {
        let (ahead, half_m) = (forward(collector.heading), collector.half_extent);
        let corner = |along: f32, left: f32| collector.position + (ahead * along + ahead.perp() * left) * half_m;
        let strength = if collector.ghost_seconds > 0.0 { 0.5 } else { 1.0 };
        let color = mixed(GROUND, color_of(collector.player), strength);
        picture.fill(&[corner(1.0, 0.0), corner(-1.0, 1.0), corner(-1.0, -1.0)], color);
        // The load, as a bright core.
        let core =
            square(collector.position - ahead * 0.3 * half_m, collector.heading, 0.45 * half_m * collector.fullness);
        picture.fill(&core, [255, 255, 255]);
    }
    picture.pixels.into_flattened()
}

/// A colour for each player: the hue turns by the golden ratio from one to the next.
fn color_of(player: u32) -> Color {
    let hue = (player as f32 * 0.618_034).fract() * 6.0;
    let channel = |offset: f32| {
        let along = (hue + offset).rem_euclid(6.0);
        let share = (2.0 - (along - 3.0).abs()).clamp(0.0, 1.0);
        (80.0 + 175.0 * (1.0 - share)) as u8
    };
    [channel(3.0), channel(1.0), channel(5.0)]
}

fn mixed(one: Color, other: Color, share: f32) -> Color {
    let share = share.clamp(0.0, 1.0);
    std::array::from_fn(|channel| {
        (f32::from(one[channel]) * (1.0 - share) + f32::from(other[channel]) * share).round() as u8
    })
}

fn square(center: Vec2, heading: f32, half_m: f32) -> [Vec2; 4] {
    let (ahead, left) = (forward(heading) * half_m, forward(heading).perp() * half_m);
    [center + ahead + left, center - ahead + left, center - ahead - left, center + ahead - left]
}

struct Picture {
    pixels: Vec<Color>,
    size: usize,
    half_extent_m: f32,
}

impl Picture {
    /// Fills a convex shape.
    fn fill(&mut self, corners: &[Vec2], color: Color) {
        let scale = self.size as f32 / (2.0 * self.half_extent_m);
        let to_pixels = |corner: &Vec2| Vec2::new(corner.x + self.half_extent_m, self.half_extent_m - corner.y) * scale;
        let corners: Vec<Vec2> = corners.iter().map(to_pixels).collect();
        if !corners.iter().all(|corner| corner.is_finite()) {
            return;
        }
        let least = corners.iter().fold(Vec2::INFINITY, |least, corner| least.min(*corner));
        let most = corners.iter().fold(Vec2::NEG_INFINITY, |most, corner| most.max(*corner));
        let range = |from: f32, to: f32| (from.max(0.0) as usize)..(to.max(0.0).ceil() as usize).min(self.size);
        for row in range(least.y, most.y) {
            for column in range(least.x, most.x) {
                let point = Vec2::new(column as f32 + 0.5, row as f32 + 0.5);
                let sides = corners.iter().zip(corners.iter().cycle().skip(1));
                let (mut is_left, mut is_right) = (true, true);
                for (from, to) in sides {
                    let side = (*to - *from).perp_dot(point - *from);
                    is_left &= side >= 0.0;
                    is_right &= side <= 0.0;
                }
                if is_left || is_right {
                    self.pixels[row * self.size + column] = color;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bounty_hunter::view::{BountyView, CollectorView};

    use super::*;

    fn pixel(picture: &[u8], size: usize, column: usize, row: usize) -> Color {
        let first = 3 * (row * size + column);
        [picture[first], picture[first + 1], picture[first + 2]]
    }

    #[test]
    fn objects_are_where_the_view_says() {
        let bounty = BountyView {
            key: 1,
            position: Vec2::new(5.0, 5.0),
            heading: 0.0,
            half_extent: 2.0,
            value: 30.0,
            worth: 1.0,
            alpha: 1.0,
            color: None,
            teleported: false,
        };
        let collector = CollectorView {
            key: 2,
            player: 0,
            position: Vec2::new(-5.0, -5.0),
            heading: 0.0,
            half_extent: 2.0,
            fullness: 0.0,
            chain_factor: 1.0,
            ghost_seconds: 0.0,
            dash_seconds: 0.0,
            shield_seconds: 0.0,
            double_seconds: 0.0,
            magnet_range: 0.0,
            carries_mine: false,
            health: None,
            starves_in_seconds: None,
            face: None,
            teleported: false,
        };
        let view =
            View { world_half_extent: 10.0, bounties: vec![bounty], collectors: vec![collector], ..View::empty() };
        let picture = draw(&view, 40);
        assert_eq!(picture.len(), 40 * 40 * 3);
        assert_eq!(pixel(&picture, 40, 30, 10), BEST_BOUNTY);
        assert_eq!(pixel(&picture, 40, 10, 30), color_of(0));
        assert_eq!(pixel(&picture, 40, 10, 10), GROUND);
    }

    #[test]
    fn size_has_limits() {
        assert_eq!((check_size(1), check_size(4096)), (Ok(1), Ok(4096)));
        for size in [i64::MIN, -1, 0, 4097, 1 << 32, i64::MAX] {
            assert_eq!(check_size(size), Err(format!("size is {size}, must be 1 to 4096 pixels")));
        }
    }

    #[test]
    fn players_have_different_colours() {
        let colors: std::collections::BTreeSet<Color> = (0..16).map(color_of).collect();
        assert_eq!(colors.len(), 16);
    }
}
