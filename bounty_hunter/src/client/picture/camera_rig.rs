//! The movement of the camera: what of the arena is shown.
//!
//! The camera of the match, `TabletopCamera`, says what the whole is. A person may look at a part of it. The rig is no
//! part of the match.

use glam::Vec2;
use macroquad::math::{Rect, Vec2 as Point};
use serde::{Deserialize, Serialize};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::palette::Palette;
use crate::client::translation::tr;
use bounty_hunter_simulation::simulation::view::{PlayerView, View};

/// Half the shorter side of what is shown of a followed collector, and the least that is ever shown, metres.
const FOLLOWED_HALF_M: f32 = 32.0;
const MIN_HALF_M: f32 = 12.0;
/// Half the side of an arena in which collectors are too small to be steered.
const LARGE_HALF_M: f32 = 150.0;
/// Room around all players, metres.
const ROOM_M: f32 = 10.0;
/// How fast the camera reaches its aim: the share of the way per second is 1 - exp(-speed).
const SPEED_PER_SECOND: f32 = 7.0;
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

    /// The next aim: the whole, all players, each person or the leader, and the whole again.
    pub(crate) fn next_aim(&mut self, view: &View) {
        self.aim = match self.aim {
            Aim::Whole => Aim::Players,
            Aim::Players => first_player(view).map_or(Aim::Whole, Aim::Follow),
            Aim::Follow(player) => people(view).find(|person| *person > player).map_or(Aim::Whole, Aim::Follow),
            Aim::Free => Aim::Whole,
        };
        self.dragged_from = None;
    }

    /// What the camera looks at, for the viewer; `None` for the whole.
    pub(crate) fn label(&self, view: &View) -> Option<String> {
        match self.aim {
            Aim::Whole => None,
            Aim::Players => Some(tr("All players").into()),
            Aim::Follow(player) => view.players.get(player as usize).map(|player| player.name.clone()),
            Aim::Free => Some(tr("Free camera").into()),
        }
    }

    /// Moves on by the time of a frame.
    pub(crate) fn advance(&mut self, view: &View, seconds: f32) {
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
        let whole = whole(view);
        let wanted = match self.aim {
            Aim::Whole => whole,
            Aim::Players => around_players(view).unwrap_or(whole),
            Aim::Follow(player) => {
                let collector = view.collectors.iter().find(|collector| collector.player == player);
                let center = collector.map(|collector| collector.position).or(self.shot.map(|shot| shot.center));
                Shot { center: center.unwrap_or_default(), half_m: FOLLOWED_HALF_M.min(whole.half_m) }
            }
            Aim::Free => self.shot.unwrap_or(whole),
        };
        let share = 1.0 - libm::expf(-SPEED_PER_SECOND * seconds);
        let shot = self.shot.unwrap_or(wanted);
        let way = wanted.center - shot.center;
        // A collector that wraps around is far away at once.
        let is_jump = way.length() > whole.half_m && matches!(self.aim, Aim::Follow(_));
        let center = if is_jump { wanted.center } else { shot.center + way * share };
        let half_m = shot.half_m + (wanted.half_m - shot.half_m) * share;
        let is_there = way.length() < 0.01 && (wanted.half_m - half_m).abs() < 0.01;
        self.shot = Some(if is_there { wanted } else { kept_inside(Shot { center, half_m }, whole) });
    }

    /// Begins to shake.
    pub(crate) fn shake(&mut self) {
        (self.shake, self.shake_seconds) = (1.0, 0.0);
    }

    /// Zooms by notches of the wheel; the place under the pointer stays there.
    pub(crate) fn zoom(&mut self, notches: f32, pointer: Point, square: Rect, view: &View) {
        let (whole, camera) = (whole(view), self.camera(square, view, Palette::default()));
        let Some(shot) = self.shot.filter(|_| square.contains(pointer) && notches.is_finite()) else { return };
        let half_m = (shot.half_m * libm::powf(NOTCH, -notches.clamp(-5.0, 5.0))).clamp(MIN_HALF_M, whole.half_m);
        let place = camera.place(pointer);
        let center = place + (shot.center - place) * (half_m / shot.half_m);
        self.shot = Some(kept_inside(Shot { center, half_m }, whole));
        self.aim = if half_m < whole.half_m { Aim::Free } else { Aim::Whole };
    }

    /// Begins to drag the arena, if the pointer is in it.
    pub(crate) fn grab(&mut self, pointer: Point, square: Rect) {
        self.dragged_from = square.contains(pointer).then_some(pointer);
    }

    pub(crate) fn release(&mut self) {
        self.dragged_from = None;
    }

    /// Drags the arena to the pointer.
    pub(crate) fn drag(&mut self, pointer: Point, square: Rect, view: &View) {
        let (Some(from), Some(shot)) = (self.dragged_from, self.shot) else { return };
        let whole = whole(view);
        self.dragged_from = Some(pointer);
        if shot.half_m < whole.half_m {
            let camera = self.camera(square, view, Palette::default());
            let center = shot.center + camera.place(from) - camera.place(pointer);
            self.shot = Some(kept_inside(Shot { center, half_m: shot.half_m }, whole));
            self.aim = Aim::Free;
        }
    }

    /// Looks at a place, which was chosen on the minimap.
    pub(crate) fn look_at(&mut self, place: Vec2, view: &View) {
        if let Some(shot) = self.shot {
            self.shot = Some(kept_inside(Shot { center: place, ..shot }, whole(view)));
            self.aim = Aim::Free;
        }
    }

    /// The camera for a square of the window.
    pub(crate) fn camera(&self, square: Rect, view: &View, palette: Palette) -> Camera {
        let shot = self.shot.unwrap_or(whole(view));
        let swing = |radps: f32| libm::sinf(self.shake_seconds * radps) * self.shake * SHAKE_SHARE * shot.half_m;
        // Exactly still without a shake.
        let shaken = if self.shake > 0.01 { Vec2::new(swing(71.0), swing(59.0)) } else { Vec2::ZERO };
        Camera::new(square, shot.half_m, palette).looking_at(shot.center + shaken)
    }

    /// What is shown, if that is not the whole: the centre and half the side, metres.
    pub(crate) fn part(&self, view: &View) -> Option<(Vec2, f32)> {
        self.shot.filter(|shot| shot.half_m < 0.97 * whole(view).half_m).map(|shot| (shot.center, shot.half_m))
    }
}

/// What the camera of the match shows.
fn whole(view: &View) -> Shot {
    Shot { center: Vec2::ZERO, half_m: view.world_half_extent.max(1.0) }
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

/// The whole arena, or in a vast one the people.
fn aim_at_people(view: &View) -> Aim {
    let mut people = people(view);
    match (people.next(), people.next()) {
        (Some(only), None) if whole(view).half_m > LARGE_HALF_M => Aim::Follow(only),
        (Some(_), Some(_)) if whole(view).half_m > LARGE_HALF_M => Aim::Players,
        _ => Aim::Whole,
    }
}

/// The square around the living collectors of people, or of all players if no people play.
fn around_players(view: &View) -> Option<Shot> {
    let people: Vec<u32> = people(view).collect();
    let is_shown = |player: &u32| people.is_empty() || people.contains(player);
    let mut places = view.collectors.iter().filter(|one| is_shown(&one.player)).map(|one| one.position);
    let first = places.next()?;
    let (low, high) = places.fold((first, first), |(low, high), place| (low.min(place), high.max(place)));
    let half_m =
        ((high - low).max_element() / 2.0 + ROOM_M).clamp(FOLLOWED_HALF_M, whole(view).half_m.max(FOLLOWED_HALF_M));
    Some(Shot { center: (low + high) / 2.0, half_m: half_m.min(whole(view).half_m) })
}

/// The shot nearest to this one that shows nothing beyond the whole.
fn kept_inside(shot: Shot, whole: Shot) -> Shot {
    let room = (whole.half_m - shot.half_m).max(0.0);
    let center = shot.center.clamp(whole.center - Vec2::splat(room), whole.center + Vec2::splat(room));
    Shot { center, ..shot }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::{collector, person_elsewhere, person_here, player};
    use bounty_hunter_simulation::simulation::view::{CollectorView, PlayedBy};

    const SQUARE: Rect = Rect { x: 0.0, y: 0.0, w: 700.0, h: 700.0 };

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
        (0..300).for_each(|_| rig.advance(view, 1.0 / 60.0));
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
    }

    #[test]
    fn people_are_followed_from_the_start_in_a_vast_arena() {
        let places = [(0.0, 0.0), (50.0, 0.0)];
        let aim = |first_aim, people, half_m| {
            let mut rig = CameraRig::beginning_with(first_aim);
            rig.advance(&View::empty(), 0.1);
            rig.advance(&View { world_half_extent: half_m, ..view(&places, people) }, 0.1);
            rig.aim
        };
        let fitting = |people, half_m| aim(FirstAim::Fitting, people, half_m);
        assert_eq!([0, 1, 2].map(|people| fitting(people, 600.0)), [Aim::Whole, Aim::Follow(0), Aim::Players]);
        assert_eq!(fitting(1, 75.0), Aim::Whole);
        // What a person has chosen is kept in an arena of any size.
        let chosen = [FirstAim::Whole, FirstAim::Players, FirstAim::Person].map(|first_aim| aim(first_aim, 1, 600.0));
        assert_eq!(chosen, [Aim::Whole, Aim::Players, Aim::Follow(0)]);
        assert_eq!(aim(FirstAim::Person, 1, 75.0), Aim::Follow(0));
    }

    #[test]
    fn camera_looks_for_the_people_at_this_screen_and_not_for_those_at_others() {
        let places = [(-150.0, 0.0), (50.0, 0.0), (150.0, 0.0)];
        let mut network = View { world_half_extent: 600.0, ..view(&places, 0) };
        network.players = vec![person_elsewhere(0), person_here(1), person_elsewhere(2)];
        let first = |first_aim, view: &View| {
            let mut rig = CameraRig::beginning_with(first_aim);
            rig.advance(view, 0.1);
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
    fn camera_of_the_match_decides_what_the_whole_is() {
        let view = View { world_half_extent: 120.0, ..view(&[(0.0, 0.0)], 1) };
        let mut rig = CameraRig::default();
        assert_eq!(settled(&mut rig, &view), Shot { center: Vec2::ZERO, half_m: 120.0 });
        assert_eq!(rig.part(&view), None);
    }

    #[test]
    fn all_people_are_in_the_picture() {
        let view = view(&[(-60.0, 10.0), (40.0, 90.0), (199.0, 199.0)], 2);
        let mut rig = CameraRig::default();
        rig.next_aim(&view);
        let shot = settled(&mut rig, &view);
        let camera = rig.camera(SQUARE, &view, Palette::default());
        assert!(view.collectors[..2].iter().all(|collector| SQUARE.contains(camera.point(collector.position))));
        assert!(shot.half_m < 70.0, "{shot:?}");
    }

    #[test]
    fn followed_collector_is_in_the_middle_but_nothing_beyond_the_edge_is_shown() {
        let mut rig = CameraRig { aim: Aim::Follow(0), ..CameraRig::default() };
        let shot = settled(&mut rig, &view(&[(60.0, -20.0)], 1));
        assert!((shot.center - Vec2::new(60.0, -20.0)).length() < 0.1 && shot.half_m == FOLLOWED_HALF_M);
        let shot = settled(&mut rig, &view(&[(199.0, 0.0)], 1));
        assert!((shot.center - Vec2::new(168.0, 0.0)).length() < 0.1, "{shot:?}");
        // It wraps around, and the camera does not cross the arena.
        rig.advance(&view(&[(-199.0, 0.0)], 1), 1.0 / 60.0);
        assert!(rig.shot.expect("it is advanced").center.x < -150.0);
    }

    #[test]
    fn place_under_the_pointer_stays_there_while_zooming() {
        let view = view(&[(0.0, 0.0)], 1);
        let mut rig = CameraRig::default();
        settled(&mut rig, &view);
        let pointer = Point::new(400.0, 300.0);
        let place = |rig: &CameraRig| rig.camera(SQUARE, &view, Palette::default()).place(pointer);
        let before = place(&rig);
        rig.zoom(3.0, pointer, SQUARE, &view);
        assert!((place(&rig) - before).length() < 0.5 && rig.aim == Aim::Free);
        assert!(rig.part(&view).is_some());
        rig.zoom(-100.0, pointer, SQUARE, &view);
        assert_eq!(rig.aim, Aim::Whole);
    }

    #[test]
    fn arena_is_dragged_with_the_pointer() {
        let view = view(&[(0.0, 0.0)], 1);
        let mut rig = CameraRig::default();
        settled(&mut rig, &view);
        rig.drag(Point::new(10.0, 10.0), SQUARE, &view);
        assert_eq!(rig.aim, Aim::Whole, "nothing was grabbed");
        rig.zoom(5.0, SQUARE.center(), SQUARE, &view);
        rig.grab(Point::new(300.0, 300.0), SQUARE);
        let grabbed = rig.camera(SQUARE, &view, Palette::default()).place(Point::new(300.0, 300.0));
        rig.drag(Point::new(350.0, 320.0), SQUARE, &view);
        let now = rig.camera(SQUARE, &view, Palette::default()).place(Point::new(350.0, 320.0));
        assert!((now - grabbed).length() < 0.1);
        rig.release();
        rig.drag(Point::new(0.0, 0.0), SQUARE, &view);
        let later = rig.camera(SQUARE, &view, Palette::default()).place(Point::new(350.0, 320.0));
        assert_eq!(later, now);
    }

    #[test]
    fn shake_moves_the_picture_and_ends() {
        let view = view(&[(0.0, 0.0)], 1);
        let mut rig = CameraRig::default();
        settled(&mut rig, &view);
        let middle = |rig: &CameraRig| rig.camera(SQUARE, &view, Palette::default()).place(SQUARE.center());
        let still = middle(&rig);
        rig.shake();
        rig.advance(&view, 1.0 / 60.0);
        assert!((middle(&rig) - still).length() > 0.5);
        settled(&mut rig, &view);
        assert_eq!(middle(&rig), still);
    }
}
