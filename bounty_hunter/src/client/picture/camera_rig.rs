//! The movement of the camera: what of the arena is shown.
//!
//! The camera of the match, `TabletopCamera`, says what the whole is. A person may look at a part of it. The rig is no
//! part of the match.

use glam::Vec2;
use macroquad::math::{Rect, Vec2 as Point};
use serde::{Deserialize, Serialize};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::palette::Palette;
use crate::client::hud::Score;
use crate::client::translation::tr;
use bounty_hunter_simulation::simulation::view::{GameState, PlayerView, View};

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

    /// The next aim: the whole, all players unless there is one person, each person or the leader, and the whole again.
    pub(crate) fn next_aim(&mut self, view: &View) {
        self.aim = match self.aim {
            Aim::Whole if people(view).count() != 1 => Aim::Players,
            Aim::Whole => first_player(view).map_or(Aim::Players, Aim::Follow),
            Aim::Players => first_player(view).map_or(Aim::Whole, Aim::Follow),
            Aim::Follow(player) => people(view).find(|person| *person > player).map_or(Aim::Whole, Aim::Follow),
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
        _ => None,
    }
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
mod tests {
    use super::*;
    use crate::client::drawing::layout::TextSize;
    use crate::client::input::hand::Hand;
    use crate::client::sample::{collector, person_elsewhere, person_here, player};
    use bounty_hunter_simulation::simulation::view::{CollectorView, PlayedBy, StashView};

    fn layout() -> Layout {
        Layout::new(1280.0, 720.0, TextSize::Usual, Palette::default(), Hand::default())
    }

    fn view(places: &[(f32, f32)], people: usize) -> View {
        let mut players: Vec<_> = (0..places.len() as u32).map(player).collect();
        (0..).zip(players.iter_mut().take(people)).for_each(|(index, player)| *player = person_here(index));
        let of = |(index, (x, y)): (usize, &(f32, f32))| CollectorView {
            player: index as u32,
            position: Vec2::new(*x, *y),
            ..collector(index as u64)
        };
        let collectors = places.iter().enumerate().map(of).collect();
        View { players, collectors, world_half_extent: 200.0, ..View::empty() }
    }

    fn settled(rig: &mut CameraRig, view: &View) -> Shot {
        (0..300).for_each(|_| rig.advance(view, &layout(), 1.0 / 60.0));
        rig.shot.expect("it has been advanced")
    }

    #[test]
    fn aims_lead_from_the_whole_to_each_person_and_back() {
        let view = view(&[(0.0, 0.0), (50.0, 0.0), (-90.0, 0.0)], 2);
        let mut rig = CameraRig::default();
        let mut next = || {
            rig.next_aim(&view);
            rig.aim
        };
        assert_eq!([next(), next(), next(), next()], [Aim::Players, Aim::Follow(0), Aim::Follow(1), Aim::Whole]);
        let mut alone = CameraRig::default();
        let mut next = || {
            alone.next_aim(&self::view(&[(0.0, 0.0), (50.0, 0.0)], 1));
            alone.aim
        };
        assert_eq!([next(), next()], [Aim::Follow(0), Aim::Whole], "one key shows all, and oneself again");
    }

    #[test]
    fn people_are_followed_from_the_start_and_a_match_of_ais_is_shown_whole() {
        let places = [(0.0, 0.0), (50.0, 0.0)];
        let aim = |first_aim, people, half_m| {
            let mut rig = CameraRig::beginning_with(first_aim);
            rig.advance(&View::empty(), &layout(), 0.1);
            rig.advance(&View { world_half_extent: half_m, ..view(&places, people) }, &layout(), 0.1);
            rig.aim
        };
        let fitting = |half_m| [0, 1, 2].map(|people| aim(FirstAim::Fitting, people, half_m));
        assert_eq!(fitting(600.0), [Aim::Whole, Aim::Follow(0), Aim::Players]);
        assert_eq!(fitting(75.0), fitting(600.0));
        // What a person has chosen is kept.
        let chosen = [FirstAim::Whole, FirstAim::Players, FirstAim::Person].map(|first_aim| aim(first_aim, 1, 600.0));
        assert_eq!(chosen, [Aim::Whole, Aim::Players, Aim::Follow(0)]);
    }

    #[test]
    fn camera_looks_for_the_people_at_this_screen_and_not_for_those_at_others() {
        let places = [(-150.0, 0.0), (50.0, 0.0), (150.0, 0.0)];
        let mut network = View { world_half_extent: 600.0, ..view(&places, 0) };
        network.players = vec![person_elsewhere(0), person_here(1), person_elsewhere(2)];
        let first = |first_aim, view: &View| {
            let mut rig = CameraRig::beginning_with(first_aim);
            rig.advance(view, &layout(), 0.1);
            rig.aim
        };
        let aims = [FirstAim::Fitting, FirstAim::Person].map(|first_aim| first(first_aim, &network));
        assert_eq!(aims, [Aim::Follow(1), Aim::Follow(1)]);
        let mut rig = CameraRig { aim: Aim::Players, ..CameraRig::default() };
        assert_eq!(settled(&mut rig, &network).center, Vec2::new(50.0, 0.0));
        rig.next_aim(&network);
        assert_eq!(rig.aim, Aim::Follow(1));
        rig.next_aim(&network);
        assert_eq!(rig.aim, Aim::Whole, "nobody else is followed");
        // A spectator has no seat: it follows each person in turn.
        network.players[1] = person_elsewhere(1);
        assert_eq!(first(FirstAim::Person, &network), Aim::Follow(0));
        let mut rig = CameraRig { aim: Aim::Follow(0), ..CameraRig::default() };
        rig.next_aim(&network);
        assert_eq!(rig.aim, Aim::Follow(1));
        // An AI plays the own seat for a while: the camera stays there.
        network.players[1] = PlayerView { played_by: PlayedBy::StandIn, ..person_here(1) };
        assert_eq!(first(FirstAim::Fitting, &network), Aim::Follow(1));
    }

    #[test]
    fn whole_arena_is_shown_in_the_free_part_of_windows_of_all_sizes() {
        let view = View { world_half_extent: 120.0, ..view(&[(0.0, 0.0)], 1) };
        for (width, height) in [(1280.0, 720.0), (800.0, 600.0), (720.0, 1280.0), (3840.0, 2160.0)] {
            let layout = Layout::new(width, height, TextSize::Usual, Palette::default(), Hand::default());
            let mut rig = CameraRig::default();
            rig.advance(&view, &layout, 0.1);
            let camera = rig.camera(&layout, &view);
            for corner in [Vec2::splat(120.0), Vec2::splat(-120.0)].map(|corner| camera.point(corner)) {
                assert!(layout.free.contains(corner), "{corner} is outside of {:?}", layout.free);
            }
            assert!(camera.px(240.0) > 0.94 * layout.free.w.min(layout.free.h));
            assert!(!rig.shows_part(&view, &layout) && rig.score(&view, &layout) == Score::Whole);
        }
    }

    #[test]
    fn all_people_are_in_the_picture() {
        let view = view(&[(-60.0, 10.0), (40.0, 90.0), (199.0, 199.0)], 2);
        let mut rig = CameraRig::default();
        rig.next_aim(&view);
        let shot = settled(&mut rig, &view);
        let camera = rig.camera(&layout(), &view);
        assert!(view.collectors[..2].iter().all(|one| layout().world.contains(camera.point(one.position))));
        assert!(shot.half_m < 70.0, "{shot:?}");
    }

    #[test]
    fn followed_collector_is_large_and_in_the_middle_but_little_beyond_the_edge_is_shown() {
        let mut rig = CameraRig { aim: Aim::Follow(0), ..CameraRig::default() };
        let near = view(&[(60.0, -20.0)], 1);
        let shot = settled(&mut rig, &near);
        assert!((shot.center - Vec2::new(60.0, -20.0)).length() < 0.1 && shot.half_m == FOLLOWED_HALF_M);
        assert!(rig.shows_part(&near, &layout()) && rig.score(&near, &layout()) == Score::Slim);
        let at_edge = view(&[(199.0, 0.0)], 1);
        settled(&mut rig, &at_edge);
        let right = rig.camera(&layout(), &at_edge).shown()[1].x;
        assert!((right - (200.0 + BEYOND_EDGE_M)).abs() < 0.1, "{right} m");
        // It wraps around, and the camera does not cross the arena.
        rig.advance(&view(&[(-199.0, 0.0)], 1), &layout(), 1.0 / 60.0);
        assert!(rig.shot.expect("it is advanced").center.x < -140.0);
    }

    #[test]
    fn camera_goes_from_a_crash_to_the_own_stash_and_after_the_last_life_to_another_collector() {
        let mut view = view(&[(60.0, -20.0), (-90.0, 30.0)], 1);
        view.stashes = vec![StashView { player: 0, position: Vec2::new(0.0, 50.0), half_extent: 2.0, fullness: 0.0 }];
        let mut rig = CameraRig { aim: Aim::Follow(0), ..CameraRig::default() };
        settled(&mut rig, &view);
        view.collectors.remove(0);
        rig.advance(&view, &layout(), 1.0 / 60.0);
        let first = rig.shot.expect("it is advanced").center;
        assert!(first.distance(Vec2::new(60.0, -20.0)) < 5.0, "the crash is seen: {first}");
        assert!(settled(&mut rig, &view).center.distance(Vec2::new(0.0, 50.0)) < 0.1);
        view.players[0].out_at_clock_seconds = Some(20.0);
        assert!(settled(&mut rig, &view).center.distance(Vec2::new(-90.0, 30.0)) < 0.1);
    }

    #[test]
    fn winner_is_followed_until_the_match_begins_again() {
        let over = View { state: GameState::GameOver, ..view(&[(0.0, 0.0), (50.0, 0.0)], 1) };
        let mut rig = CameraRig { aim: Aim::Follow(0), ..CameraRig::default() };
        rig.follow_winner(None);
        assert_eq!(rig.aim, Aim::Follow(0), "a draw");
        rig.follow_winner(Some(1));
        rig.advance(&over, &layout(), 0.1);
        assert_eq!(rig.aim, Aim::Follow(1));
        rig.advance(&View { state: GameState::Restarted, ..over }, &layout(), 0.1);
        assert_eq!(rig.aim, Aim::Follow(0));
    }

    #[test]
    fn place_under_the_pointer_stays_there_while_zooming() {
        let view = view(&[(0.0, 0.0)], 1);
        let mut rig = CameraRig::default();
        settled(&mut rig, &view);
        let pointer = Point::new(400.0, 300.0);
        let place = |rig: &CameraRig| rig.camera(&layout(), &view).place(pointer);
        let before = place(&rig);
        rig.zoom(3.0, pointer, &layout(), &view);
        assert!((place(&rig) - before).length() < 0.5 && rig.aim == Aim::Free);
        assert!(rig.shows_part(&view, &layout()));
        rig.zoom(-100.0, pointer, &layout(), &view);
        assert_eq!(rig.aim, Aim::Whole);
    }

    #[test]
    fn arena_is_dragged_with_the_pointer() {
        let view = view(&[(0.0, 0.0)], 1);
        let mut rig = CameraRig::default();
        settled(&mut rig, &view);
        rig.drag(Point::new(10.0, 10.0), &layout(), &view);
        assert_eq!(rig.aim, Aim::Whole, "nothing was grabbed");
        rig.zoom(5.0, layout().world.center(), &layout(), &view);
        rig.grab(Point::new(300.0, 300.0));
        let grabbed = rig.camera(&layout(), &view).place(Point::new(300.0, 300.0));
        rig.drag(Point::new(350.0, 320.0), &layout(), &view);
        let now = rig.camera(&layout(), &view).place(Point::new(350.0, 320.0));
        assert!((now - grabbed).length() < 0.1);
        rig.release();
        rig.drag(Point::new(0.0, 0.0), &layout(), &view);
        let later = rig.camera(&layout(), &view).place(Point::new(350.0, 320.0));
        assert_eq!(later, now);
    }

    #[test]
    fn shake_moves_the_picture_and_ends() {
        let view = view(&[(0.0, 0.0)], 1);
        let mut rig = CameraRig::default();
        settled(&mut rig, &view);
        let middle = |rig: &CameraRig| rig.camera(&layout(), &view).place(layout().world.center());
        let still = middle(&rig);
        rig.shake();
        rig.advance(&view, &layout(), 1.0 / 60.0);
        assert!((middle(&rig) - still).length() > 0.5);
        settled(&mut rig, &view);
        assert_eq!(middle(&rig), still);
    }
}
