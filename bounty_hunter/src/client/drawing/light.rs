//! Light: the moving ground, and the glow of what shines, by shaders on the graphics card.
//!
//! Both are drawn small, a quarter of the window's width and height, and enlarged. Where the shaders cannot be
//! compiled, or where frames take too long, the ground is plain and nothing glows.

use macroquad::camera::{Camera2D, set_camera, set_default_camera};
use macroquad::color::{Color, WHITE};
use macroquad::material::{Material, MaterialParams, gl_use_default_material, gl_use_material, load_material};
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::miniquad::{BlendFactor, BlendState, Equation, PipelineParams, ShaderSource, UniformDesc, UniformType};
use macroquad::texture::{DrawTextureParams, FilterMode, RenderTarget, draw_texture_ex, render_target};
use macroquad::window::{clear_background, screen_height, screen_width};

use super::camera::Camera;
use super::theme::Ground;

/// The size of what is drawn small, as a share of the window's.
const SMALL_SHARE: f32 = 0.25;
/// How far the light spreads in each pass, in pixels of the small picture.
const SPREADS: [f32; 2] = [1.2, 3.4];
/// Frames in a row that show whether the machine is fast enough, and the longest mean time of one, seconds.
const FRAMES_TO_JUDGE: u32 = 90;
const SLOW_FRAME_SECONDS: f32 = 1.0 / 35.0;

const VERTEX: &str = "#version 100
attribute vec3 position;
attribute vec2 texcoord;
attribute vec4 color0;
varying highp vec2 uv;
uniform mat4 Model;
uniform mat4 Projection;
void main() {
    gl_Position = Projection * Model * vec4(position, 1.0);
    uv = texcoord;
}";

/// Slow waves of light over the ground. `Place`: the place in the upper left corner and the size of what is shown,
/// metres.
const GROUND_FRAGMENT: &str = "#version 100
precision highp float;
varying highp vec2 uv;
uniform vec4 Base;
uniform vec4 Glow;
uniform vec4 Place;
uniform float Seconds;
void main() {
    vec2 place = Place.xy + vec2(uv.x, -uv.y) * Place.zw;
    vec2 p = place * 0.035;
    float t = Seconds * 0.12;
    p += 0.8 * vec2(sin(p.y * 1.3 + t), sin(p.x * 1.7 - t * 0.8));
    float wave = sin(p.x * 1.9 + t) * sin(p.y * 2.1 - t * 0.7) + 0.45 * sin(p.x * 3.7 - p.y * 3.1 + t * 1.3);
    float light = smoothstep(-0.7, 1.25, wave);
    gl_FragColor = vec4(mix(Base.rgb, Glow.rgb, light), 1.0);
}";

/// A blur along `Step`, in shares of the picture.
const BLUR_FRAGMENT: &str = "#version 100
precision mediump float;
varying highp vec2 uv;
uniform sampler2D Texture;
uniform vec2 Step;
void main() {
    vec4 sum = texture2D(Texture, uv) * 0.227;
    sum += (texture2D(Texture, uv + Step * 1.385) + texture2D(Texture, uv - Step * 1.385)) * 0.316;
    sum += (texture2D(Texture, uv + Step * 3.231) + texture2D(Texture, uv - Step * 3.231)) * 0.0703;
    gl_FragColor = sum;
}";

/// A picture as it is, to be added to what is there.
const ADD_FRAGMENT: &str = "#version 100
precision mediump float;
varying highp vec2 uv;
uniform sampler2D Texture;
uniform float Strength;
void main() {
    gl_FragColor = vec4(texture2D(Texture, uv).rgb * Strength, 1.0);
}";

/// The light of a window.
pub(crate) struct Light {
    shaders: Option<Shaders>,
    small: Option<Small>,
    slow: SlowFrames,
}

impl std::fmt::Debug for Light {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Light").field("is_on", &self.is_on()).finish_non_exhaustive()
    }
}

struct Shaders {
    ground: Material,
    blur: Material,
    add: Material,
}

/// Pictures of a quarter of the window's size: the one that is drawn, and one for the passes of a blur.
struct Small {
    size: Vec2,
    drawn: RenderTarget,
    blurred: RenderTarget,
}

impl Light {
    /// The light of the open window; none if it is not wanted or its shaders cannot be compiled.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let shaders = if is_wanted { Shaders::load() } else { None };
        Self { shaders, small: None, slow: SlowFrames::default() }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.shaders.is_some()
    }

    /// Notes how long a frame took. After many slow ones the light goes out for good.
    pub(crate) fn note_frame(&mut self, seconds: f32) {
        if self.is_on() && self.slow.is_too_slow(seconds) {
            tracing::info!(target: "bounty_hunter::client", "light off: frames take too long");
            (self.shaders, self.small) = (None, None);
        }
    }

    /// Covers the window with the moving ground of a match. Returns whether it did.
    pub(crate) fn draw_ground(&mut self, camera: &Camera, ground: &Ground, seconds: f32) -> bool {
        let Some((shaders, small)) = self.ready() else { return false };
        let window = vec2(screen_width(), screen_height());
        let [first, last] = camera.shown();
        let place = [first.x, first.y, last.x - first.x, first.y - last.y];
        shaders.ground.set_uniform("Base", channels(ground.base));
        shaders.ground.set_uniform("Glow", channels(ground.glow));
        shaders.ground.set_uniform("Place", place);
        shaders.ground.set_uniform("Seconds", seconds);
        small.begin_drawing();
        draw_with(&shaders.ground, &small.blurred, window, true);
        set_default_camera();
        draw_texture_ex(&small.drawn.texture, 0.0, 0.0, WHITE, stretched(window));
        true
    }

    /// Adds the glow of what `draw` draws, at its place in the window.
    pub(crate) fn add_glow(&mut self, strength: f32, draw: impl FnOnce()) {
        let Some((shaders, small)) = self.ready() else { return };
        let window = vec2(screen_width(), screen_height());
        small.begin_drawing();
        draw();
        for spread in SPREADS {
            let step = Vec2::splat(spread) / small.size;
            for (along, from, to) in
                [([step.x, 0.0], &small.drawn, &small.blurred), ([0.0, step.y], &small.blurred, &small.drawn)]
            {
                set_camera(&Camera2D { render_target: Some(to.clone()), ..of_window(window) });
                shaders.blur.set_uniform("Step", along);
                draw_with(&shaders.blur, from, window, false);
            }
        }
        set_default_camera();
        shaders.add.set_uniform("Strength", strength);
        draw_with(&shaders.add, &small.drawn, window, false);
    }

    fn ready(&mut self) -> Option<(&Shaders, &Small)> {
        let shaders = self.shaders.as_ref()?;
        let size = (Vec2::new(screen_width(), screen_height()) * SMALL_SHARE).ceil().max(Vec2::ONE);
        self.small.take_if(|small| small.size != size);
        Some((shaders, self.small.get_or_insert_with(|| Small::new(size))))
    }
}

impl Shaders {
    fn load() -> Option<Self> {
        let uniform = |name: &str, kind| UniformDesc::new(name, kind);
        let ground = vec![
            uniform("Base", UniformType::Float4),
            uniform("Glow", UniformType::Float4),
            uniform("Place", UniformType::Float4),
            uniform("Seconds", UniformType::Float1),
        ];
        let loaded = (|| {
            Ok(Self {
                ground: load(GROUND_FRAGMENT, ground, None)?,
                blur: load(BLUR_FRAGMENT, vec![uniform("Step", UniformType::Float2)], None)?,
                add: load(ADD_FRAGMENT, vec![uniform("Strength", UniformType::Float1)], Some(BlendFactor::One))?,
            })
        })();
        loaded
            .inspect_err(|error: &macroquad::Error| {
                tracing::warn!(target: "bounty_hunter::client", ?error, "no light: a shader cannot be compiled");
            })
            .ok()
    }
}

/// A material that replaces what is there, or is added to it.
fn load(fragment: &str, uniforms: Vec<UniformDesc>, added: Option<BlendFactor>) -> Result<Material, macroquad::Error> {
    let color_blend = added.map(|factor| BlendState::new(Equation::Add, factor, BlendFactor::One));
    let pipeline_params = PipelineParams { color_blend, ..PipelineParams::default() };
    let params = MaterialParams { pipeline_params, uniforms, textures: Vec::new() };
    load_material(ShaderSource::Glsl { vertex: VERTEX, fragment }, params)
}

impl Small {
    fn new(size: Vec2) -> Self {
        let target = || {
            let target = render_target(size.x as u32, size.y as u32);
            target.texture.set_filter(FilterMode::Linear);
            target
        };
        Self { size, drawn: target(), blurred: target() }
    }

    /// Draws into the small picture from now on, in coordinates of the window.
    fn begin_drawing(&self) {
        let window = vec2(screen_width(), screen_height());
        set_camera(&Camera2D { render_target: Some(self.drawn.clone()), ..of_window(window) });
        clear_background(Color::new(0.0, 0.0, 0.0, 0.0));
    }
}

/// Coordinates of the window, with the first line of a picture above.
fn of_window(window: Vec2) -> Camera2D {
    let mut camera = Camera2D::from_display_rect(Rect::new(0.0, 0.0, window.x, window.y));
    camera.zoom.y = -camera.zoom.y;
    camera
}

fn stretched(window: Vec2) -> DrawTextureParams {
    DrawTextureParams { dest_size: Some(window), ..DrawTextureParams::default() }
}

fn draw_with(material: &Material, picture: &RenderTarget, window: Vec2, flip_y: bool) {
    gl_use_material(material);
    draw_texture_ex(&picture.texture, 0.0, 0.0, WHITE, DrawTextureParams { flip_y, ..stretched(window) });
    gl_use_default_material();
}

fn channels(color: Color) -> [f32; 4] {
    [color.r, color.g, color.b, color.a]
}

/// Judges machines by the mean of many frames, so that a single hiccup says nothing.
#[derive(Clone, Debug, Default)]
struct SlowFrames {
    frames: u32,
    seconds: f32,
}

impl SlowFrames {
    fn is_too_slow(&mut self, seconds: f32) -> bool {
        (self.frames, self.seconds) = (self.frames + 1, self.seconds + seconds.min(0.25));
        if self.frames < FRAMES_TO_JUDGE {
            return false;
        }
        let mean = self.seconds / self.frames as f32;
        *self = Self::default();
        mean > SLOW_FRAME_SECONDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_is_slow_after_many_slow_frames_and_not_after_one() {
        let mut slow = SlowFrames::default();
        let judge = |slow: &mut SlowFrames, seconds: f32| (0..FRAMES_TO_JUDGE).any(|_| slow.is_too_slow(seconds));
        assert!(!judge(&mut slow, 1.0 / 60.0));
        assert!(!slow.is_too_slow(3.0) && !judge(&mut slow, 1.0 / 60.0), "a hiccup");
        assert!(!judge(&mut slow, 1.0 / 60.0) && judge(&mut slow, 1.0 / 20.0));
    }
}
