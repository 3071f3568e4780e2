//! Tests of what the camera shows.

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
fn cameras_of_the_level_follow_the_people_and_show_what_they_say() {
    let camera = |key, x, half_height| CameraView { key, position: Vec2::new(x, 0.0), half_height, order: 0 };
    let mut view = view(&[(0.0, 0.0), (50.0, 0.0)], 1);
    view.cameras = vec![camera(7, 60.0, 20.0), camera(9, 198.0, 40.0)];
    let mut rig = CameraRig::default();
    let mut next = || {
        rig.next_aim(&view);
        (rig.aim, rig.label(&view))
    };
    assert_eq!(next(), (Aim::Follow(0), None));
    assert_eq!(next(), (Aim::Camera(7), Some("Camera 1".into())));
    assert_eq!(next(), (Aim::Camera(9), Some("Camera 2".into())));
    assert_eq!(next(), (Aim::Whole, None));
    let mut rig = CameraRig { aim: Aim::Camera(7), ..CameraRig::default() };
    settled(&mut rig, &view);
    let [low, high] = rig.camera(&layout(), &view).shown();
    assert!((low.y - 20.0).abs() < 0.1 && (high.y + 20.0).abs() < 0.1, "{low} to {high}");
    assert!((rig.ear(&view) - Vec2::new(60.0, 0.0)).length() < 0.1);
    // Little beyond the edge is shown, and a camera that a reaction takes away shows the whole.
    rig.aim = Aim::Camera(9);
    settled(&mut rig, &view);
    assert!((rig.camera(&layout(), &view).shown()[1].x - (200.0 + BEYOND_EDGE_M)).abs() < 0.1);
    view.cameras.clear();
    settled(&mut rig, &view);
    assert!(!rig.shows_part(&view, &layout()) && rig.label(&view).is_none());
    rig.next_aim(&view);
    assert_eq!(rig.aim, Aim::Whole);
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
