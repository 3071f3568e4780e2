//! Arrows at the edge of the window to what a person wants to know of and does not see: the own stash, the partner, the
//! leader, the nearest large bounty and the gold of a gold rush.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::math::{Rect, Vec2 as Point, vec2};
use macroquad::shapes::{draw_circle, draw_rectangle, draw_triangle};

use super::bodies;
use super::gold;
use crate::client::drawing::camera::Camera;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::theme::{self, faded, mixed};
use bounty_hunter_simulation::arena::wrapped_delta;
use bounty_hunter_simulation::simulation::view::{CollectorView, View};

/// From this worth, as a share of the range, a bounty is large.
const LARGE_WORTH: f32 = 0.6;
/// Distance of an arrow from the edge of the window, and its size, in units of the layout.
const INSET: f32 = 34.0;
const SIZE: f32 = 11.0;

/// What an arrow leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Stash,
    Partner,
    Leader,
    Bounty,
    Gold,
}

/// Draws the arrows of the only person at this screen, if its collector is alive.
pub(crate) fn draw(layout: &Layout, camera: &Camera, view: &View, collectors: &[CollectorView]) {
    let mut here = view.players.iter().filter(|player| player.is_here());
    let (Some(person), None) = (here.next(), here.next()) else { return };
    let Some(own) = collectors.iter().find(|collector| collector.player == person.index) else { return };
    for (target, way) in targets(view, own) {
        let color = match target {
            Target::Stash | Target::Partner => camera.palette.color(person.index),
            Target::Leader => theme::ACCENT,
            Target::Bounty => theme::bounty(1.0),
            Target::Gold => theme::GOLD,
        };
        let is_seen = camera.sees(own.position + way, 0.0);
        if !is_seen && let Some(place) = at_edge(layout, camera.point(own.position), vec2(way.x, -way.y)) {
            // Emptying a full pocket matters most, besides gold.
            let opacity = match target {
                Target::Stash => 0.45 + 0.55 * own.fullness,
                Target::Gold => 1.0,
                Target::Partner | Target::Leader | Target::Bounty => 0.75,
            };
            draw_arrow(place, vec2(way.x, -way.y).normalize_or_zero(), layout.scale, target, faded(color, opacity));
        }
    }
}

/// What arrows lead to, with the shortest way around the world from a collector, metres.
fn targets(view: &View, own: &CollectorView) -> impl Iterator<Item = (Target, Vec2)> {
    let way = |place: Vec2| wrapped_delta(own.position, place, view.world_half_extent);
    // Partners' stashes take loads as well.
    let stashes = view.stashes.iter().filter(|stash| view.are_of_one_side(own.player, stash.player));
    let stash = stashes
        .map(|stash| way(stash.position))
        .min_by(|one, other| one.length_squared().total_cmp(&other.length_squared()));
    let partner = view.collectors.iter().find(|other| view.are_partners(own.player, other.player));
    let partner = partner.map(|partner| way(partner.position));
    let leader = view.leader.filter(|leader| !view.are_of_one_side(*leader, own.player));
    let leader = leader.and_then(|leader| view.collectors.iter().find(|one| one.player == leader));
    let large = view.bounties.iter().filter(|bounty| bounty.worth >= LARGE_WORTH).map(|bounty| way(bounty.position));
    let bounty = large.min_by(|one, other| one.length_squared().total_cmp(&other.length_squared()));
    let leader = leader.map(|leader| way(leader.position));
    let gold = view.gold_rush.map(|rush| way(rush.position));
    // The gold is a large bounty with an arrow of its own.
    let bounty = bounty.filter(|_| gold.is_none());
    let all = [
        (Target::Stash, stash),
        (Target::Partner, partner),
        (Target::Leader, leader),
        (Target::Bounty, bounty),
        (Target::Gold, gold),
    ];
    all.into_iter().filter_map(|(target, way)| Some((target, way?)))
}

/// Where a ray from a place in a direction, both in pixels, meets the inset edge of the window.
fn at_edge(layout: &Layout, from: Point, direction: Point) -> Option<Point> {
    let inset = INSET * layout.scale;
    let world = layout.world;
    let area = Rect::new(world.x + inset, world.y + inset, world.w - 2.0 * inset, world.h - 2.0 * inset);
    if area.w <= 0.0 || area.h <= 0.0 || direction == Point::ZERO {
        return None;
    }
    let from = from.clamp(vec2(area.x, area.y), vec2(area.right(), area.bottom()));
    let reach = |from: f32, along: f32, low: f32, high: f32| match along {
        along if along > 0.0 => (high - from) / along,
        along if along < 0.0 => (low - from) / along,
        _ => f32::INFINITY,
    };
    let across = reach(from.x, direction.x, area.x, area.right());
    let upright = reach(from.y, direction.y, area.y, area.bottom());
    Some(from + direction * across.min(upright))
}

/// Draws an arrow with the sign of its target behind it.
fn draw_arrow(tip: Point, direction: Point, scale: f32, target: Target, color: Color) {
    let size = SIZE * scale;
    let (along, across) = (direction * size, vec2(-direction.y, direction.x) * size);
    let dark = faded(theme::BACKGROUND, 0.6 * color.a);
    draw_circle(tip.x - along.x, tip.y - along.y, 2.1 * size, dark);
    draw_triangle(tip + along, tip + across * 0.9, tip - across * 0.9, color);
    let middle = tip - along * 1.2;
    let half = 0.5 * size;
    match target {
        Target::Stash => {
            draw_rectangle(middle.x - half, middle.y - half, 2.0 * half, 2.0 * half, color);
            let inner = 0.5 * half;
            draw_rectangle(middle.x - inner, middle.y - inner, 2.0 * inner, 2.0 * inner, dark);
        }
        Target::Partner => {
            // A collector.
            let corner = |x: f32, y: f32| middle + vec2(x, y) * half;
            draw_triangle(corner(-1.0, 1.0), corner(0.0, -1.2), corner(1.0, 1.0), color);
        }
        Target::Leader => bodies::draw_crown_at(middle, 1.3 * half, color),
        Target::Bounty => {
            let white = mixed(color, theme::WHITE, 0.4);
            draw_rectangle(middle.x - half, middle.y - half, 2.0 * half, 2.0 * half, faded(white, color.a));
        }
        Target::Gold => {
            gold::fill_diamond(middle, 1.5 * half, color);
            gold::fill_diamond(middle, 0.9 * half, faded(theme::WHITE, color.a));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::drawing::layout::TextSize;
    use crate::client::drawing::palette::Palette;
    use crate::client::input::hand::Hand;
    use crate::client::sample::{collector, person_here, player};
    use bounty_hunter_simulation::simulation::view::{BountyView, GoldRushView, StashView, TeamView};

    fn bounty(x: f32, worth: f32) -> BountyView {
        BountyView {
            key: 1,
            position: Vec2::new(x, 0.0),
            heading: 0.0,
            half_extent: 1.0,
            value: 10.0,
            worth,
            alpha: 1.0,
            color: None,
            teleported: false,
        }
    }

    #[test]
    fn arrows_lead_the_shortest_way_around_the_world_to_stash_leader_and_large_bounty() {
        let own = CollectorView { position: Vec2::new(90.0, 0.0), ..collector(1) };
        let other = CollectorView { key: 2, player: 1, position: Vec2::new(50.0, 0.0), ..own };
        let view = View {
            players: vec![person_here(0), player(1)],
            collectors: vec![own, other],
            stashes: vec![StashView { player: 0, position: Vec2::new(-90.0, 0.0), half_extent: 2.0, fullness: 0.0 }],
            bounties: vec![bounty(88.0, 0.1), bounty(-60.0, 0.9), bounty(20.0, 0.7)],
            world_half_extent: 100.0,
            leader: Some(1),
            ..View::empty()
        };
        let found: Vec<_> = targets(&view, &own).collect();
        let ways = [(Target::Stash, 20.0), (Target::Leader, -40.0), (Target::Bounty, 50.0)];
        assert_eq!(found, ways.map(|(target, x)| (target, Vec2::new(x, 0.0))));
        let leading = View { leader: Some(0), bounties: Vec::new(), ..view };
        assert_eq!(targets(&leading, &own).count(), 1, "nobody is led to oneself");
    }

    #[test]
    fn arrows_lead_to_the_partner_and_to_the_nearest_stash_of_the_team() {
        let own = collector(1);
        let other = CollectorView { key: 2, player: 1, position: Vec2::new(-40.0, 0.0), ..own };
        let stash = |player, x| StashView { player, position: Vec2::new(x, 0.0), half_extent: 2.0, fullness: 0.0 };
        let mut view = View {
            players: vec![person_here(0), player(1)],
            collectors: vec![own, other],
            stashes: vec![stash(0, 70.0), stash(1, 50.0)],
            world_half_extent: 100.0,
            leader: Some(1),
            ..View::empty()
        };
        let found = |view: &View| targets(view, &own).map(|(target, way)| (target, way.x)).collect::<Vec<_>>();
        assert_eq!(found(&view), [(Target::Stash, 70.0), (Target::Leader, -40.0)]);
        for player in &mut view.players {
            player.team = Some(TeamView { number: 3, stashed: 0.0, out_at_clock_seconds: None });
        }
        assert_eq!(found(&view), [(Target::Stash, 50.0), (Target::Partner, -40.0)], "nobody is led to the own team");
    }

    #[test]
    fn arrow_leads_to_gold_before_it_appears_and_then_in_place_of_a_large_bounty() {
        let own = collector(1);
        let rush = GoldRushView { key: 1, position: Vec2::new(0.0, 30.0), appears_in_seconds: 3.0, value: 100.0 };
        let view = View {
            players: vec![person_here(0)],
            collectors: vec![own],
            bounties: vec![bounty(20.0, 0.9)],
            world_half_extent: 100.0,
            gold_rush: Some(rush),
            ..View::empty()
        };
        assert_eq!(targets(&view, &own).collect::<Vec<_>>(), [(Target::Gold, Vec2::new(0.0, 30.0))]);
        let without = View { gold_rush: None, ..view };
        assert_eq!(targets(&without, &own).collect::<Vec<_>>(), [(Target::Bounty, Vec2::new(20.0, 0.0))]);
    }

    #[test]
    fn arrow_stands_inside_the_window_in_each_direction() {
        let layout = Layout::new(1280.0, 720.0, TextSize::Usual, Palette::default(), Hand::default());
        for degrees in 0..72 {
            let angle = (5.0 * degrees as f32).to_radians();
            let direction = vec2(libm::cosf(angle), libm::sinf(angle)) * 60.0;
            for from in [vec2(640.0, 360.0), vec2(20.0, 700.0), vec2(1270.0, 5.0)] {
                let place = at_edge(&layout, from, direction).expect("there is a direction");
                let margin = INSET * layout.scale - 0.1;
                assert!(place.x >= margin && place.x <= 1280.0 - margin, "{place}");
                assert!(place.y >= margin && place.y <= 720.0 - margin, "{place}");
            }
        }
        assert_eq!(at_edge(&layout, vec2(9.0, 9.0), Point::ZERO), None);
    }
}
