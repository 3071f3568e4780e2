//! The picture of the arena, between the last two views.

pub(crate) mod bodies;
pub(crate) mod camera_rig;
pub(crate) mod crowd;
pub(crate) mod debug_shapes;
pub(crate) mod effects;
pub(crate) mod faces;
pub(crate) mod finale;
pub(crate) mod ghosts;
pub(crate) mod gold;
pub(crate) mod ground;
pub(crate) mod interpolate;
pub(crate) mod mines;
pub(crate) mod own_ship;
pub(crate) mod pointers;
pub(crate) mod shade;
pub(crate) mod spells;
pub(crate) mod trails;

use std::borrow::Cow;

use glam::Vec2;
use macroquad::math::{Vec2 as Point, vec2};

use self::crowd::Crowd;
use self::effects::Effects;
use self::interpolate::Blend;
use self::shade::Shade;
use self::trails::Trails;
use crate::client::Game;
use crate::client::drawing::camera::Camera;
use crate::client::drawing::circles;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::light::Light;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, Ground, faded};
use crate::client::hud::announcements::{Announcement, Announcer};
use crate::client::hud::courses::Courses;
use crate::client::people::People;
use crate::client::translation::{self, tr_player};
use crate::client::unlocks::Look;
use bounty_hunter_simulation::simulation::view::{
    CollectorView, GameState, MineView, PlayedBy, PlayerView, StashView, View,
};

/// With more players, only people have names above their collectors.
const MAX_LABELLED: usize = 12;

/// The strength of the glow.
const GLOW: f32 = 0.9;
/// The opacity of other collectors in it.
const OTHERS_GLOW: f32 = 0.3;

/// Nothing but collectors and bounties reaches farther around its position, metres.
const FAR_M: f32 = 30.0;

/// The last two views of a match, drawn at a moment between them.
pub(crate) struct Picture {
    previous: View,
    current: View,
    blend: Blend,
    effects: Effects,
    trails: Trails,
    crowd: Crowd,
    announcer: Announcer,
    courses: Courses,
    /// A collector of another match, if one is shown.
    shade: Option<Shade>,
    /// The value of the best bounty so far.
    best_value: f32,
    step_seconds: f32,
    people: People,
}

impl Picture {
    /// A picture without a previous view.
    pub(crate) fn new(game: &dyn Game) -> Self {
        let mut current = View::empty();
        game.view_into(&mut current);
        Self::of(current, 1.0 / game.steps_per_second().max(1) as f32)
    }

    /// A picture of a view, for steps of this length.
    pub(crate) fn of(current: View, step_seconds: f32) -> Self {
        Self {
            previous: current.clone(),
            current,
            blend: Blend::default(),
            effects: Effects::default(),
            trails: Trails::default(),
            crowd: Crowd::default(),
            announcer: Announcer::default(),
            courses: Courses::default(),
            shade: None,
            best_value: 0.0,
            step_seconds,
            people: People::default(),
        }
    }

    /// The same picture with names and looks for people.
    pub(crate) fn with_people(mut self, people: People) -> Self {
        self.set_people(people);
        self
    }

    pub(crate) fn set_people(&mut self, people: People) {
        self.people = people;
        self.take_names();
    }

    pub(crate) fn people(&self) -> &People {
        &self.people
    }

    /// How the ship of a player looks: as usual unless it is that of a person at this screen.
    fn look_of(&self, player: u32) -> Look {
        let person = self.current.players.get(player as usize).and_then(|player| player.person);
        person.and_then(|person| self.people.looks.get(usize::from(person))).copied().unwrap_or_default()
    }

    /// Shows radars, targets and hit boxes from the next step on, or no longer.
    pub(crate) fn toggle_debug_draw(&mut self) {
        self.current.is_debug_drawn = !self.current.is_debug_drawn;
        self.previous.is_debug_drawn = self.current.is_debug_drawn;
    }

    /// Shows another match, or another moment of it, from now on. Effects and trails of before are gone.
    pub(crate) fn begin_again(&mut self, game: &dyn Game) {
        let is_debug_drawn = self.current.is_debug_drawn;
        *self = Self::new(game).with_people(std::mem::take(&mut self.people));
        (self.previous.is_debug_drawn, self.current.is_debug_drawn) = (is_debug_drawn, is_debug_drawn);
    }

    /// Gives people their names, and AIs theirs in the chosen language. The match knows only seats.
    fn take_names(&mut self) {
        if !translation::is_english() {
            for player in self.current.players.iter_mut().filter(|player| player.played_by == PlayedBy::Ai) {
                player.name = tr_player(&player.name);
            }
        }
        for player in &mut self.current.players {
            let name = player
                .person
                .and_then(|person| self.people.names.get(usize::from(person)))
                .filter(|name| !name.is_empty());
            if let Some(name) = name {
                player.name.clone_from(name);
            }
        }
    }

    /// Takes the view after a step.
    pub(crate) fn advance(&mut self, game: &dyn Game) {
        std::mem::swap(&mut self.previous, &mut self.current);
        game.view_into(&mut self.current);
        self.take_names();
        self.follow_step();
    }

    /// Takes a view that was kept, with its names.
    pub(crate) fn advance_to(&mut self, view: &View) {
        std::mem::swap(&mut self.previous, &mut self.current);
        self.current.clone_from(view);
        self.follow_step();
    }

    fn follow_step(&mut self) {
        self.announcer.follow(&self.previous, &self.current, self.step_seconds);
        self.courses.follow(&self.previous, &self.current);
        self.best_value = self.current.bounties.iter().map(|bounty| bounty.value).fold(self.best_value, f32::max);
        match self.current.state {
            GameState::Running | GameState::GameOver => {
                self.effects.observe(&self.previous, &self.current, self.step_seconds);
            }
            GameState::Paused => {}
            _ => self.effects.clear(),
        }
        if self.current.state != GameState::Paused {
            self.trails.record(&self.current);
        }
    }

    /// Takes the view after a rewind.
    pub(crate) fn go_back(&mut self, game: &dyn Game) {
        std::mem::swap(&mut self.previous, &mut self.current);
        game.view_into(&mut self.current);
        self.take_names();
        // Effects of later steps are gone.
        self.effects.clear();
        self.announcer = Announcer::default();
        self.trails.record(&self.current);
    }

    /// The announcement to show now.
    pub(crate) fn announcement(&self) -> Option<&Announcement> {
        self.announcer.shown()
    }

    /// What became of the people at this screen.
    pub(crate) fn courses(&self) -> &Courses {
        &self.courses
    }

    /// The views before and after the last step.
    pub(crate) fn views(&self) -> (&View, &View) {
        (&self.previous, &self.current)
    }

    /// The view after the last step.
    pub(crate) fn view(&self) -> &View {
        &self.current
    }

    /// Shows a collector of another match from now on, or none.
    pub(crate) fn set_shade(&mut self, shade: Option<Shade>) {
        self.shade = shade;
    }

    /// Draws the arena at a moment between the last two steps, `alpha` from 0 to 1.
    pub(crate) fn draw(&mut self, camera: &Camera, light: &mut Light, alpha: f32) {
        let camera = &camera.in_world(self.current.world_half_extent);
        self.effects.palette = camera.palette;
        self.blend.update(&self.previous, &self.current, alpha);
        let ground = Ground::of(self.current.ground);
        // Stands still with the clock.
        let is_plain = !light.draw_ground(camera, &ground, -self.current.clock_seconds);
        ground::draw_ground(camera, self.current.world_half_extent, &ground, is_plain);
        self.draw_objects(camera, &ground, alpha, is_plain);
        light.add_glow(GLOW, || self.draw_shining(camera, &ground, alpha));
        if self.current.is_debug_drawn {
            self.current.debug.iter().for_each(|shape| debug_shapes::draw(camera, shape));
        }
    }

    /// Draws what glows: bounties, power-ups, own collectors, effects and the edge of the world.
    fn draw_shining(&self, camera: &Camera, ground: &Ground, alpha: f32) {
        let view = &self.current;
        ground::draw_edge(camera, view.world_half_extent, ground);
        let seen = |position, half_extent: f32| camera.sees(position, 8.0 * half_extent);
        for bounty in self.blend.bounties.iter().filter(|bounty| seen(bounty.position, bounty.half_extent)) {
            bodies::draw_core(camera, bounty);
        }
        for power_up in view.power_ups.iter().filter(|power_up| seen(power_up.position, power_up.half_extent)) {
            ghosts::draw_core(camera, power_up);
        }
        for mine in view.mines.iter().filter(|mine| seen(mine.position, mine.half_extent) && !is_own(view, mine)) {
            mines::draw_shining(camera, mine);
        }
        let is_large = |collector: &&CollectorView| {
            view.is_here(collector.player) || !crowd::is_small(camera, collector.half_extent)
        };
        for collector in self.blend.collectors.iter().filter(is_large) {
            if view.is_here(collector.player) {
                let shown = own_ship::shown(camera, collector);
                own_ship::draw(camera, collector, self.look_of(collector.player).ship);
                bodies::draw_load(camera, &shown);
                self.trails.draw_load(camera, &shown);
            } else if seen(collector.position, collector.half_extent) {
                bodies::draw_silhouette(camera, collector, OTHERS_GLOW);
            }
        }
        self.draw_gold(camera);
        self.effects.draw(camera, self.seconds_ahead(alpha));
    }

    /// Draws the gold of a gold rush, or where it will appear.
    fn draw_gold(&self, camera: &Camera) {
        let (rush, clock_seconds) = (self.current.gold_rush.as_ref(), self.current.clock_seconds);
        if let Some(gold) = gold::find(rush, &self.blend.bounties) {
            let is_seen = camera.sees(gold.position, gold::reach_m(gold.half_extent));
            is_seen.then(|| gold::draw(camera, gold, clock_seconds));
        } else if let Some(rush) = rush.filter(|rush| rush.appears_in_seconds > 0.0) {
            gold::draw_coming(camera, rush);
        }
    }

    /// The time since the last step, seconds; none in a pause.
    fn seconds_ahead(&self, alpha: f32) -> f32 {
        if self.current.state == GameState::Paused { 0.0 } else { alpha * self.step_seconds }
    }

    fn draw_objects(&mut self, camera: &Camera, ground: &Ground, alpha: f32, is_plain: bool) {
        let view = &self.current;
        ground::draw_walls(camera, view, ground);
        ground::draw_stashes(camera, view);
        self.crowd.draw_stashes(camera, &view.stashes);
        for (stash, owner) in stashes_here(view) {
            let mut people = people_of_side(view, owner.index);
            ground::draw_call(camera, stash, people.any(|person| person.pocket > 0.0), view.clock_seconds);
        }
        if let Some(collector) = self.blend.collectors.first() {
            self.trails.draw(camera, collector.half_extent, |player| self.look_of(player).trail);
        }
        for collector in self.blend.collectors.iter().filter(|collector| view.is_here(collector.player)) {
            self.trails.draw_load(camera, &own_ship::shown(camera, collector));
        }
        if let Some(shade) = &self.shade {
            shade.draw(camera);
        }
        for object in self.blend.objects.iter().filter(|object| camera.sees(object.position, FAR_M)) {
            bodies::draw_object(camera, object);
        }
        self.crowd.draw(camera, &self.blend, &view.power_ups, self.best_value);
        let is_large = |half_extent| !crowd::is_small(camera, half_extent);
        let seen = |position, half_extent: f32| is_large(half_extent) && camera.sees(position, 4.0 * half_extent);
        for bounty in self.blend.bounties.iter().filter(|bounty| seen(bounty.position, bounty.half_extent)) {
            if is_plain {
                bodies::draw_halo(camera, bounty);
            }
            bodies::draw_bounty(camera, bounty, self.best_value);
        }
        for power_up in view.power_ups.iter().filter(|power_up| seen(power_up.position, power_up.half_extent)) {
            if is_plain {
                ghosts::draw_halo(camera, power_up);
            }
            ghosts::draw_power_up(camera, power_up);
        }
        for mine in view.mines.iter().filter(|mine| camera.sees(mine.position, 4.0 * mine.half_extent)) {
            mines::draw(camera, mine, is_own(view, mine));
        }
        self.draw_gold(camera);
        for collector in &self.blend.collectors {
            // The rings around a collector are seen at the opposite edge as well.
            let rings_px = camera.px(4.0 * collector.half_extent);
            let is_seen = is_large(collector.half_extent) && circles::are_seen(camera, collector.position, rings_px);
            let is_here = view.is_here(collector.player);
            // The range of a magnet reaches far, and people find themselves in every crowd.
            if !is_seen && collector.magnet_range <= 0.0 && !is_here {
                continue;
            }
            let shown = &if is_here { own_ship::shown(camera, collector) } else { *collector };
            spells::draw_magnet(camera, collector, view.tick);
            ghosts::draw_ghost(camera, shown);
            ghosts::draw_powers(camera, shown);
            mines::draw_carried(camera, shown);
            if is_here {
                bodies::draw_load(camera, shown);
                own_ship::draw(camera, collector, self.look_of(collector.player).ship);
            } else {
                bodies::draw_collector(camera, collector);
            }
            bodies::draw_health(camera, shown);
            bodies::draw_hunger(camera, shown);
        }
        self.effects.draw(camera, self.seconds_ahead(alpha));
    }

    /// Draws arrows to what the person at this screen does not see.
    pub(crate) fn draw_pointers(&self, layout: &Layout, camera: &Camera) {
        if self.current.state == GameState::Running {
            pointers::draw(layout, camera, &self.current, &self.blend.collectors);
        }
    }

    /// Draws names above the collectors of people and of all players if they are few, but not of the only person at
    /// this screen; names below the stashes of those at this screen; and the crown of the leader. Partners of
    /// people at this screen have a sign.
    pub(crate) fn draw_names(&self, camera: &Camera, scale: f32) {
        let camera = &camera.in_world(self.current.world_half_extent);
        for (stash, owner) in stashes_here(&self.current) {
            if camera.sees(stash.position, stash.half_extent) {
                ground::draw_wait(camera, stash, owner.respawn_seconds);
                let height = 8.0 * scale;
                let below = camera.point(stash.position) + vec2(0.0, camera.px(stash.half_extent) + 1.6 * height);
                draw_name(camera, below, owner, &owner.name, height, 0.9);
            }
        }
        let people_here = self.current.players.iter().filter(|player| player.is_here()).count();
        for collector in &self.blend.collectors {
            let Some(player) = self.current.players.get(collector.player as usize) else { continue };
            let collector = &if player.is_here() { own_ship::shown(camera, collector) } else { *collector };
            if !camera.sees(collector.position, collector.half_extent) {
                continue;
            }
            let is_labelled = self.current.players.len() <= MAX_LABELLED;
            let label = match player.played_by {
                _ if player.is_here() => (people_here > 1).then(|| (10.0, Cow::from(&player.name), 1.0)),
                PlayedBy::Person | PlayedBy::StandIn => Some((8.0, Cow::from(&player.name), 0.8)),
                PlayedBy::Ai if people_of_side(&self.current, player.index).next().is_some() => {
                    Some((9.0, Cow::from(format!("+ {}", player.name)), 1.0))
                }
                PlayedBy::Ai => is_labelled.then(|| (8.0, Cow::from(&player.name), 0.75)),
            };
            let height = label.as_ref().map_or(0.0, |(units, ..)| units * scale);
            if let Some((_, name, opacity)) = label {
                draw_name(camera, above(camera, collector, height), player, &name, height, opacity);
            }
            if self.current.leader == Some(player.index) {
                bodies::draw_crown(camera, collector, 1.6 * height);
            }
        }
    }
}

/// Whether the only person at this screen or a partner owns a mine: several people see whose it is by its colour.
fn is_own(view: &View, mine: &MineView) -> bool {
    let mut here = view.players.iter().filter(|player| player.is_here());
    matches!((here.next(), here.next()), (Some(only), None) if view.are_of_one_side(only.index, mine.owner))
}

/// The people at this screen among a player and its partners.
fn people_of_side(view: &View, player: u32) -> impl Iterator<Item = &PlayerView> {
    view.players.iter().filter(move |person| person.is_here() && view.are_of_one_side(person.index, player))
}

/// The stashes of the people at this screen and of their partners, with their owners.
fn stashes_here(view: &View) -> impl Iterator<Item = (&StashView, &PlayerView)> {
    let with_owner = view.stashes.iter().filter_map(|stash| Some((stash, view.players.get(stash.player as usize)?)));
    with_owner.filter(|(_, owner)| people_of_side(view, owner.index).next().is_some())
}

/// The place of a name above a collector.
fn above(camera: &Camera, collector: &CollectorView, height: f32) -> Point {
    camera.point(collector.position + Vec2::new(0.0, collector.half_extent * 1.5)) - vec2(0.0, height)
}

fn draw_name(camera: &Camera, place: Point, player: &PlayerView, name: &str, height: f32, opacity: f32) {
    let (x, y) = (camera.kept_inside(place.x, text::width(name, height)), place.y);
    let shadow = Style::new(height, faded(theme::BACKGROUND, 0.9)).align(Align::Center).weight(2.6);
    text::draw(name, x, y, shadow);
    let color = theme::mixed(camera.palette.color(player.index), theme::TEXT, 0.35);
    text::draw(name, x, y, Style::new(height, faded(color, opacity)).align(Align::Center));
}
