//! The movement of the camera: what of the arena is shown.
//!
//! The whole arena is shown at first, or the people if they would be too small in it. A person may look at a part of
//! it, or through a camera of the level. The rig is no part of the match.

use glam::Vec2;
use macroquad::math::{Rect, Vec2 as Point};
use serde::{Deserialize, Serialize};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::palette::Palette;
use crate::client::hud::Score;
use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::simulation::view::{CameraView, GameState, PlayerView, View};

/// Half the shorter side of what is shown of a followed collector, in a large arena and at least, and the least that is
/// ever shown, metres.
const FOLLOWED_HALF_M: f32 = 30.0;
const LEAST_FOLLOWED_HALF_M: f32 = 22.0;
const MIN_HALF_M: f32 = 12.0;
/// How far beyond the edge a part of the arena reaches at most, metres.
const BEYOND_EDGE_M: f32 = 4.0;
/// Room around all players, metres.
const ROOM_M: f32 = 10.0;
/// How fast the camera reaches its aim: the share of the way per second is 1 - exp(-speed).
const SPEED_PER_SECOND: f32 = 7.0;
/// The same on the way to the stash of a dead collector, slow enough to see the crash.
const SPEED_AFTER_DEATH_PER_SECOND: f32 = 2.0;
/// The factor of one notch of the wheel.
const NOTCH: f32 = 1.15;
/// The shake of a crash as a share of what is shown, and how fast it fades.
const SHAKE_SHARE: f32 = 0.03;
const SHAKE_FADES_PER_SECOND: f32 = 6.0;

/// What the camera looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Aim {
    /// The whole arena.
    #[default]
    Whole,
    /// All living collectors, or those of people.
    Players,
    /// The collector of a player.
    Follow(u32),
    /// What a camera of the level shows, by its key.
    Camera(u64),
    /// Where it was dragged to.
    Free,
}

/// What the camera of a match looks at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FirstAim {
    /// The people if they would be too small in the whole arena, and else the whole.
    #[default]
    Fitting,
    Whole,
    Players,
    /// The first person.
    Person,
}

impl FirstAim {
    pub(crate) const ALL: [Self; 4] = [Self::Fitting, Self::Whole, Self::Players, Self::Person];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Fitting => tr("as it fits"),
            Self::Whole => tr("whole arena"),
            Self::Players => tr("all players"),
            Self::Person => tr("follows you"),
        }
    }
}

/// The part of the arena that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shot {
    center: Vec2,
    /// Half the side of the square, metres.
    half_m: f32,
}

/// The camera of a screen.
#[derive(Clone, Debug, Default)]
pub(crate) struct CameraRig {
    aim: Aim,
    shot: Option<Shot>,
    /// What it looked at before it followed the winner, until the match begins again.
    aim_of_match: Option<Aim>,
    /// What to look at as soon as there are players, until then.
    first_aim: Option<FirstAim>,
    /// 0 to 1.
    shake: f32,
    /// Seconds of the present shake.
    shake_seconds: f32,
    /// The last position of the pointer while it drags.
    dragged_from: Option<Point>,
}

impl CameraRig {
    /// A camera that looks at the whole until there are players.
    pub(crate) fn beginning_with(first_aim: FirstAim) -> Self {
        Self { first_aim: Some(first_aim), ..Self::default() }
    }

    pub(crate) fn aim(&self) -> Aim {
        self.aim
    }

    /// The next aim: the whole, all players unless there is one person, each person or the leader, each camera of the
    /// level, and the whole again.
    pub(crate) fn next_aim(&mut self, view: &View) {
        self.aim = match self.aim {
            Aim::Whole if people(view).count() != 1 => Aim::Players,
            Aim::Whole => first_player(view).map_or(Aim::Players, Aim::Follow),
            Aim::Players => first_player(view).map_or_else(|| first_camera(&view.cameras), Aim::Follow),
            Aim::Follow(player) => {
                let next = people(view).find(|person| *person > player);
                next.map_or_else(|| first_camera(&view.cameras), Aim::Follow)
            }
            Aim::Camera(key) => {
                let rest =
                    view.cameras.iter().position(|camera| camera.key == key).map_or(view.cameras.len(), |at| at + 1);
                first_camera(&view.cameras[rest..])
            }
            Aim::Free => Aim::Whole,
        };
        self.dragged_from = None;
    }

    /// Follows a player from now on, in a film.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn follow(&mut self, player: u32) {
        self.aim = Aim::Follow(player);
    }

    /// Follows the winner, if there is one, until the match begins again.
    pub(crate) fn follow_winner(&mut self, winner: Option<u32>) {
        if let Some(winner) = winner {
            self.aim_of_match = Some(std::mem::replace(&mut self.aim, Aim::Follow(winner)));
        }
    }

    /// What the camera looks at, for the viewer; `None` for the whole, and for the only person.
    pub(crate) fn label(&self, view: &View) -> Option<String> {
        match self.aim {
            Aim::Whole => None,
            Aim::Players => Some(tr("All players").into()),
            Aim::Follow(player) if people(view).eq([player]) => None,
            Aim::Follow(player) => view.players.get(player as usize).map(|player| player.name.clone()),
            Aim::Camera(key) => {
                let at = view.cameras.iter().position(|camera| camera.key == key)?;
                Some(tr_with("Camera {number}", &[("number", &(at + 1))]))
            }
            Aim::Free => Some(tr("Free camera").into()),
        }
    }

    /// Moves on by the time of a frame.
    pub(crate) fn advance(&mut self, view: &View, layout: &Layout, seconds: f32) {
        self.shake *= libm::expf(-SHAKE_FADES_PER_SECOND * seconds);
        self.shake_seconds += seconds;
        if let Some(first_aim) = self.first_aim.take_if(|_| !view.players.is_empty()) {
            self.aim = match first_aim {
                FirstAim::Fitting => aim_at_people(view),
                FirstAim::Whole => Aim::Whole,
                FirstAim::Players => Aim::Players,
                FirstAim::Person => first_player(view).map_or(Aim::Whole, Aim::Follow),
            };
        }
        if let Some(aim) = self.aim_of_match.take_if(|_| view.state != GameState::GameOver) {
            self.aim = aim;
        }
        let (whole, area) = (whole(view, layout), layout.world);
        let inside = |shot| kept_inside(shot, area, view);
        let mut speed = SPEED_PER_SECOND;
        let wanted = match self.aim {
            Aim::Whole => whole,
            Aim::Players => around_players(view, area).map_or(whole, inside),
            Aim::Follow(player) => {
                let half_m = followed_half_m(area, view);
                let before = self.shot.map(|shot| shot.center).unwrap_or_default();
                let center = place_of(view, player).unwrap_or_else(|| {
                    speed = SPEED_AFTER_DEATH_PER_SECOND;
                    place_without_collector(view, player).unwrap_or(before)
                });
                inside(Shot { center, half_m })
            }
            Aim::Camera(key) => camera_of(view, key).map_or(whole, |camera| inside(shot_of(camera, area))),
            Aim::Free => self.shot.unwrap_or(whole),
        };
        let share = 1.0 - libm::expf(-speed * seconds);
        let shot = self.shot.unwrap_or(wanted);
        let way = wanted.center - shot.center;
        // A collector that wraps around is far away at once.
        let is_jump = way.length() > view.world_half_extent && place_of_aim(view, self.aim).is_some();
        let center = if is_jump { wanted.center } else { shot.center + way * share };
        let half_m = shot.half_m + (wanted.half_m - shot.half_m) * share;
        let is_there = way.length() < 0.01 && (wanted.half_m - half_m).abs() < 0.01;
        self.shot = Some(if is_there { wanted } else { Shot { center, half_m } });
    }

    /// Where the sounds of kinds are heard: at the followed collector, or in the middle of what is shown.
    pub(crate) fn ear(&self, view: &View) -> Vec2 {
        let middle = self.shot.map(|shot| shot.center).unwrap_or_default();
        place_of_aim(view, self.aim).unwrap_or(middle)
    }

    /// Begins to shake.
    pub(crate) fn shake(&mut self) {
        (self.shake, self.shake_seconds) = (1.0, 0.0);
    }

    /// Zooms by notches of the wheel; the place under the pointer stays there.
    pub(crate) fn zoom(&mut self, notches: f32, pointer: Point, layout: &Layout, view: &View) {
        let (whole, camera) = (whole(view, layout), self.camera(layout, view));
        let Some(shot) = self.shot.filter(|_| notches.is_finite()) else { return };
        let half_m = (shot.half_m * libm::powf(NOTCH, -notches.clamp(-5.0, 5.0))).clamp(MIN_HALF_M, whole.half_m);
        let place = camera.place(pointer);
        let center = place + (shot.center - place) * (half_m / shot.half_m);
        self.shot = Some(freely(Shot { center, half_m }, view));
        self.aim = if half_m < whole.half_m { Aim::Free } else { Aim::Whole };
    }

    /// Begins to drag the arena.
    pub(crate) fn grab(&mut self, pointer: Point) {
        self.dragged_from = Some(pointer);
    }

    pub(crate) fn release(&mut self) {
        self.dragged_from = None;
    }

    /// Drags the arena to the pointer.
    pub(crate) fn drag(&mut self, pointer: Point, layout: &Layout, view: &View) {
        let (Some(from), Some(shot)) = (self.dragged_from, self.shot) else { return };
        self.dragged_from = Some(pointer);
        if shot.half_m < whole(view, layout).half_m {
            let camera = self.camera(layout, view);
            let center = shot.center + camera.place(from) - camera.place(pointer);
            self.shot = Some(freely(Shot { center, half_m: shot.half_m }, view));
            self.aim = Aim::Free;
        }
    }

    /// Looks at a place, which was chosen on the minimap.
    pub(crate) fn look_at(&mut self, place: Vec2, view: &View) {
        if let Some(shot) = self.shot {
            self.shot = Some(freely(Shot { center: place, ..shot }, view));
            self.aim = Aim::Free;
        }
    }

    /// The camera for a window.
    pub(crate) fn camera(&self, layout: &Layout, view: &View) -> Camera {
        let shot = self.shot.unwrap_or_else(|| whole(view, layout));
        let swing = |radps: f32| libm::sinf(self.shake_seconds * radps) * self.shake * SHAKE_SHARE * shot.half_m;
        // Exactly still without a shake.
        let shaken = if self.shake > 0.01 { Vec2::new(swing(71.0), swing(59.0)) } else { Vec2::ZERO };
        Camera::new(layout.world, shot.half_m, layout.palette).looking_at(shot.center + shaken)
    }

    /// How much of the score goes with it: the whole table with the whole arena.
    pub(crate) fn score(&self, view: &View, layout: &Layout) -> Score {
        if self.shows_part(view, layout) { Score::Slim } else { Score::Whole }
    }

    /// Whether a part of the arena is shown, and not the whole.
    pub(crate) fn shows_part(&self, view: &View, layout: &Layout) -> bool {
        self.shot.is_some_and(|shot| shot.half_m < 0.97 * whole(view, layout).half_m)
    }
}

/// What the camera of the match shows: the whole arena in the free part of the window.
fn whole(view: &View, layout: &Layout) -> Shot {
    let half_m = view.world_half_extent.max(1.0);
    let (world, free) = (layout.world, layout.free);
    let px_per_m = Camera::new(free, half_m, layout.palette).px(1.0);
    let beside = free.center() - world.center();
    let shorter = |area: Rect| area.w.min(area.h);
    Shot { center: Vec2::new(-beside.x, beside.y) / px_per_m, half_m: half_m * shorter(world) / shorter(free) }
}

/// Half the shorter side of what is shown of a followed collector, metres: less in a small arena, which then fills the
/// longer side of the window.
fn followed_half_m(area: Rect, view: &View) -> f32 {
    let (shorter, longer) = (area.w.min(area.h), area.w.max(area.h));
    let filling_m = (view.world_half_extent + BEYOND_EDGE_M) * shorter / longer;
    FOLLOWED_HALF_M.min(filling_m.max(LEAST_FOLLOWED_HALF_M))
}

/// The place of the living collector of a player.
fn place_of(view: &View, player: u32) -> Option<Vec2> {
    view.collectors.iter().find(|collector| collector.player == player).map(|collector| collector.position)
}

fn place_of_aim(view: &View, aim: Aim) -> Option<Vec2> {
    match aim {
        Aim::Follow(player) => place_of(view, player),
        Aim::Camera(key) => camera_of(view, key).map(|camera| camera.position),
        _ => None,
    }
}

/// The first of some cameras, or the whole arena without any.
fn first_camera(cameras: &[CameraView]) -> Aim {
    cameras.first().map_or(Aim::Whole, |camera| Aim::Camera(camera.key))
}

fn camera_of(view: &View, key: u64) -> Option<&CameraView> {
    view.cameras.iter().find(|camera| camera.key == key)
}

/// What a camera of the level shows in an area of the window.
fn shot_of(camera: &CameraView, area: Rect) -> Shot {
    let px_per_m = area.h / (2.0 * camera.half_height);
    // With half an extent of 1 m it is so many times as many pixels.
    let px_of_one = Camera::new(area, 1.0, Palette::default()).px(1.0);
    Shot { center: camera.position, half_m: px_of_one / px_per_m }
}

/// Where to look for a player without a collector: at its stash, where the next one appears, or, once it is out of the
/// match, at the leader or another one that is alive.
fn place_without_collector(view: &View, player: u32) -> Option<Vec2> {
    let is_out = view.players.get(player as usize).is_some_and(|player| player.out_at_clock_seconds.is_some());
    if is_out {
        let leader = view.leader.and_then(|leader| place_of(view, leader));
        return leader.or(view.collectors.first().map(|collector| collector.position));
    }
    view.stashes.iter().find(|stash| stash.player == player).map(|stash| stash.position)
}

/// The players whom the camera looks for: those of the people at this screen, or of all people if a spectator watches
/// them.
fn people(view: &View) -> impl Iterator<Item = u32> + '_ {
    let anybody_is_here = view.players.iter().any(PlayerView::is_here);
    let is_looked_for = move |player: &&PlayerView| if anybody_is_here { player.is_here() } else { player.is_person() };
    view.players.iter().filter(is_looked_for).map(|player| player.index)
}

/// The first person, or else the leader or the first player.
fn first_player(view: &View) -> Option<u32> {
    people(view).next().or(view.leader).or((!view.players.is_empty()).then_some(0))
}

/// The people, or the whole arena without any.
fn aim_at_people(view: &View) -> Aim {
    let mut people = people(view);
    match (people.next(), people.next()) {
        (Some(only), None) => Aim::Follow(only),
        (Some(_), Some(_)) => Aim::Players,
        _ => Aim::Whole,
    }
}

/// A shot of the living collectors of people, or of all players if no people play.
fn around_players(view: &View, area: Rect) -> Option<Shot> {
    let people: Vec<u32> = people(view).collect();
    let is_shown = |player: &u32| people.is_empty() || people.contains(player);
    let mut places = view.collectors.iter().filter(|one| is_shown(&one.player)).map(|one| one.position);
    let first = places.next()?;
    let (low, high) = places.fold((first, first), |(low, high), place| (low.min(place), high.max(place)));
    let shorter = area.w.min(area.h);
    let needed = ((high - low) / 2.0 + Vec2::splat(ROOM_M)) * Vec2::new(shorter / area.w, shorter / area.h);
    let most = view.world_half_extent.max(1.0);
    let half_m = needed.max_element().max(FOLLOWED_HALF_M).min(most);
    Some(Shot { center: (low + high) / 2.0, half_m })
}

/// The shot nearest to this one in whose middle is the arena.
fn freely(shot: Shot, view: &View) -> Shot {
    let most = Vec2::splat(view.world_half_extent);
    Shot { center: shot.center.clamp(-most, most), ..shot }
}

/// The shot nearest to this one that shows little beyond the edge of the arena; the middle where all of it fits in.
fn kept_inside(shot: Shot, area: Rect, view: &View) -> Shot {
    let px_per_m = Camera::new(area, shot.half_m, Palette::default()).px(1.0);
    let shown = Vec2::new(area.w, area.h) / (2.0 * px_per_m);
    let room = (Vec2::splat(view.world_half_extent + BEYOND_EDGE_M) - shown).max(Vec2::ZERO);
    Shot { center: shot.center.clamp(-room, room), ..shot }
}

#[cfg(test)]
mod tests;
