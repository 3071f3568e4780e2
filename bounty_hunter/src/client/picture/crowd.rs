//! Crowds: collectors, bounties, power-ups and stashes that are too small for details, as one mesh.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::models::{Mesh, Vertex, draw_mesh};

use super::interpolate::Blend;
use crate::client::drawing::camera::Camera;
use crate::client::drawing::gauges::share;
use crate::client::drawing::palette;
use crate::client::drawing::theme::{self, faded, mixed};
use bounty_hunter_simulation::simulation::view::{PowerUpView, StashView};

/// Half the side of the largest thing without details, pixels.
const SMALL_PX: f32 = 5.0;
/// Half the side of the smallest mark, pixels.
const MIN_PX: f32 = 1.0;
/// Limit of the vertices of one mesh: half of a draw call, whose indices have 16 bits.
const MAX_VERTICES: usize = 30_000;

/// Whether something with this half extent is drawn without details.
pub(crate) fn is_small(camera: &Camera, half_extent_m: f32) -> bool {
    camera.px(half_extent_m) < SMALL_PX
}

/// Meshes whose memory is used again.
#[derive(Default)]
pub(crate) struct Crowd {
    meshes: Vec<Mesh>,
    /// The number of meshes in use.
    used: usize,
}

impl Crowd {
    /// Draws all small bounties, power-ups and collectors. Bounties have the more light the nearer they are to the best
    /// value.
    pub(crate) fn draw(&mut self, camera: &Camera, blend: &Blend, power_ups: &[PowerUpView], best_value: f32) {
        self.build(camera, blend, power_ups, best_value);
        self.draw_meshes();
    }

    /// Draws small stashes.
    pub(crate) fn draw_stashes(&mut self, camera: &Camera, stashes: &[StashView]) {
        self.used = 0;
        for stash in stashes.iter().filter(|stash| is_small(camera, stash.half_extent)) {
            let color = camera.palette.color(stash.player);
            let opaque = 0.25 + 0.6 * stash.fullness.clamp(0.0, 1.0);
            self.add_square(camera, stash.position, 0.0, stash.half_extent, faded(color, opaque));
        }
        self.draw_meshes();
    }

    fn build(&mut self, camera: &Camera, blend: &Blend, power_ups: &[PowerUpView], best_value: f32) {
        self.used = 0;
        for power_up in power_ups.iter().filter(|power_up| is_small(camera, power_up.half_extent)) {
            let color = faded(theme::GHOST, power_up.alpha);
            self.add_square(camera, power_up.position, 0.0, power_up.half_extent, color);
        }
        for bounty in blend.bounties.iter().filter(|bounty| is_small(camera, bounty.half_extent)) {
            let color = bounty.color.map_or(theme::bounty(bounty.worth), palette::of_kind);
            let (heart, side) = theme::bounty_heart(color, share(bounty.value, best_value));
            let color = faded(mixed(color, heart, side * side), bounty.alpha);
            self.add_square(camera, bounty.position, bounty.heading, bounty.half_extent, color);
        }
        for collector in blend.collectors.iter().filter(|collector| is_small(camera, collector.half_extent)) {
            let color = camera.palette.color(collector.player);
            let corners = [(-1.0, -1.0), (0.0, 1.0), (1.0, -1.0)];
            self.add(camera, collector.position, collector.heading, collector.half_extent, color, &corners);
        }
    }

    fn add_square(&mut self, camera: &Camera, position: Vec2, heading: f32, half_extent_m: f32, color: Color) {
        let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)];
        self.add(camera, position, heading, half_extent_m, color, &corners);
    }

    /// Adds a convex shape, if it is in the picture.
    fn add(
        &mut self,
        camera: &Camera,
        position: Vec2,
        heading: f32,
        half_extent_m: f32,
        color: Color,
        corners: &[(f32, f32)],
    ) {
        if !camera.sees(position, half_extent_m) {
            return;
        }
        let (center, size) = (camera.point(position), camera.px(half_extent_m).max(MIN_PX));
        let (sin, cos) = libm::sincosf(heading);
        let mesh = self.mesh_with_room();
        let first = mesh.vertices.len() as u16;
        let color: [u8; 4] = color.into();
        mesh.vertices.extend(corners.iter().map(|(x, y)| {
            // Pixels grow downwards.
            let (across, along) = (x * cos - y * sin, x * sin + y * cos);
            Vertex::new(center.x + across * size, center.y - along * size, 0.0, 0.0, 0.0, color.into())
        }));
        for corner in 2..corners.len() as u16 {
            mesh.indices.extend([first, first + corner - 1, first + corner]);
        }
    }

    fn mesh_with_room(&mut self) -> &mut Mesh {
        let has_room = self.used > 0 && self.meshes[self.used - 1].vertices.len() + 4 <= MAX_VERTICES;
        if !has_room {
            if self.used == self.meshes.len() {
                self.meshes.push(Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None });
            }
            let mesh = &mut self.meshes[self.used];
            mesh.vertices.clear();
            mesh.indices.clear();
            self.used += 1;
        }
        &mut self.meshes[self.used - 1]
    }

    fn draw_meshes(&self) {
        self.meshes[..self.used].iter().for_each(draw_mesh);
    }
}

#[cfg(test)]
mod tests {
    use macroquad::math::Rect;

    use super::*;
    use crate::client::drawing::palette::Palette;
    use crate::client::sample::{collector, power_up};
    use bounty_hunter_simulation::simulation::view::CollectorView;

    fn camera(half_extent_m: f32) -> Camera {
        Camera::new(Rect::new(0.0, 0.0, 700.0, 700.0), half_extent_m, Palette::default())
    }

    fn blend(collectors: usize, half_extent_m: f32) -> Blend {
        let at = |index: usize| {
            let share = |number: usize| (number as f32 / 100.0 - 0.5) * 2.0 * half_extent_m;
            let position = Vec2::new(share(index % 100), share(index / 100 % 100));
            CollectorView { player: index as u32, position, heading: index as f32, ..collector(index as u64) }
        };
        Blend { collectors: (0..collectors).map(at).collect(), ..Blend::default() }
    }

    #[test]
    fn ten_thousand_collectors_are_a_few_meshes_of_triangles() {
        let mut crowd = Crowd::default();
        crowd.build(&camera(1_800.0), &blend(10_000, 1_800.0), &[], 30.0);
        let triangles: usize = crowd.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum();
        assert_eq!((triangles, crowd.used), (10_000, 2));
        crowd.build(&camera(1_800.0), &blend(25_000, 1_800.0), &[], 30.0);
        let in_range = |mesh: &Mesh| mesh.indices.iter().all(|index| usize::from(*index) < mesh.vertices.len());
        assert!(crowd.used == 3 && crowd.meshes.iter().all(in_range));
    }

    #[test]
    fn small_power_ups_are_squares_and_large_ones_are_not_in_the_mesh() {
        let at = |key: u64| PowerUpView { position: Vec2::new(key as f32, 0.0), half_extent: 2.0, ..power_up(key) };
        let power_ups: Vec<PowerUpView> = (0..100).map(at).collect();
        let mut crowd = Crowd::default();
        crowd.build(&camera(1_800.0), &Blend::default(), &power_ups, 30.0);
        assert_eq!((crowd.used, crowd.meshes[0].indices.len() / 3), (1, 200));
        crowd.build(&camera(75.0), &Blend::default(), &power_ups, 30.0);
        assert_eq!(crowd.used, 0, "two metres are nine pixels");
    }

    #[test]
    fn what_is_outside_of_the_picture_or_large_is_not_in_the_mesh() {
        let mut crowd = Crowd::default();
        crowd.build(&camera(1_800.0).looking_at(Vec2::splat(9_000.0)), &blend(1_000, 1_800.0), &[], 30.0);
        assert_eq!(crowd.used, 0, "far away");
        crowd.build(&camera(40.0), &blend(1_000, 1_800.0), &[], 30.0);
        assert_eq!(crowd.used, 0, "a metre is nine pixels, which is large");
    }

    #[test]
    fn mark_is_never_smaller_than_a_pixel() {
        let mut crowd = Crowd::default();
        crowd.build(&camera(9_000.0), &blend(1, 0.0), &[], 30.0);
        let vertices = &crowd.meshes[0].vertices;
        assert!((vertices[2].position.x - vertices[0].position.x).abs() >= 1.9);
    }
}
