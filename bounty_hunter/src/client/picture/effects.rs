//! Effects: sparks, rings and floating texts, from the differences between two views.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::shapes::{draw_circle, draw_rectangle};

use super::ghosts;
use super::interpolate::Merge;
use super::spells;
use crate::client::drawing::camera::Camera;
use crate::client::drawing::circles;
use crate::client::drawing::palette::Palette;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::hud::factor_text;
use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::simulation::view::{CollectorView, PlayerView, StashView, View};
use bounty_hunter_simulation::spell::Spell;

/// Limit of effects at the same time; more are dropped.
const MAX_EFFECTS: usize = 3000;
/// Sparks with a smaller radius are squares, pixels.
const SQUARE_PX: f32 = 1.5;
/// The largest extent of a ring that is too small to be seen as one, pixels.
const MIN_RING_PX: f32 = 4.0;
/// A mine with less time left has not exploded, seconds.
const MINE_END_SECONDS: f32 = 0.1;
/// With more players, only those at this screen get floating numbers.
const MAX_PLAYERS_WITH_NUMBERS: usize = 24;

/// The running effects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    running: Vec<Effect>,
    /// State of the random generator for sparks; the same in every run.
    noise: u32,
    /// The colours of new effects.
    pub(crate) palette: Palette,
}

#[derive(Clone, Debug)]
struct Effect {
    kind: Kind,
    color: Color,
    position: Vec2,
    velocity_mps: Vec2,
    age_seconds: f32,
    life_seconds: f32,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Spark { radius_m: f32 },
    Ring { from_m: f32, to_m: f32 },
    Text(String),
}

impl Effects {
    /// Ages all effects by one step, and starts effects for the differences between two views.
    pub(crate) fn observe(&mut self, previous: &View, current: &View, step_seconds: f32) {
        for effect in &mut self.running {
            effect.age_seconds += step_seconds;
            effect.position += effect.velocity_mps * step_seconds;
            effect.velocity_mps *= 0.94;
        }
        self.running.retain(|effect| effect.age_seconds < effect.life_seconds);
        if previous.players.len() == current.players.len() {
            self.observe_bounties(previous, current);
            self.observe_power_ups(previous, current);
            self.observe_mines(previous, current);
            self.observe_spells(previous, current);
            self.observe_health(previous, current);
            self.observe_collectors(previous, current);
            self.observe_scores(previous, current);
        }
    }

    /// Draws all effects `ahead_seconds` after the last step.
    pub(crate) fn draw(&self, camera: &Camera, ahead_seconds: f32) {
        for effect in &self.running {
            let age = ((effect.age_seconds + ahead_seconds) / effect.life_seconds).clamp(0.0, 1.0);
            let place = camera.point(effect.position + effect.velocity_mps * ahead_seconds);
            let color = faded(effect.color, 1.0 - age * age);
            match &effect.kind {
                Kind::Spark { radius_m } if camera.sees(effect.position, *radius_m) => {
                    let radius = camera.px(radius_m * (1.0 - 0.7 * age)).max(1.0);
                    // A crowd has thousands of sparks, too small to be seen as circles.
                    if radius < SQUARE_PX {
                        draw_rectangle(place.x - radius, place.y - radius, 2.0 * radius, 2.0 * radius, color);
                    } else {
                        draw_circle(place.x, place.y, radius, color);
                    }
                }
                Kind::Ring { from_m, to_m } if camera.px(*to_m) > MIN_RING_PX => {
                    let radius = camera.px(from_m + (to_m - from_m) * (1.0 - (1.0 - age) * (1.0 - age)));
                    circles::ring(camera, effect.position, radius, 1.0 + 3.0 * (1.0 - age), color);
                }
                Kind::Spark { .. } | Kind::Ring { .. } => {}
                Kind::Text(text) => {
                    let style = Style::new(camera.px(1.7).clamp(9.0, 22.0), color).align(Align::Center).weight(1.2);
                    text::draw(text, place.x, place.y, style);
                }
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.running.clear();
    }

    /// A bounty that disappeared before it faded was taken.
    fn observe_bounties(&mut self, previous: &View, current: &View) {
        for (still, bounty) in Merge::new(&current.bounties, &previous.bounties, |bounty| bounty.key) {
            if still.is_none() && bounty.alpha > 0.12 {
                let color = theme::bounty(bounty.worth);
                self.burst(bounty.position, color, 9, 16.0, bounty.half_extent * 0.4);
                self.ring(bounty.position, color, bounty.half_extent, bounty.half_extent * 3.2, 0.3);
            }
        }
    }

    /// A power-up that disappeared before it faded was taken.
    fn observe_power_ups(&mut self, previous: &View, current: &View) {
        for (still, power_up) in Merge::new(&current.power_ups, &previous.power_ups, |power_up| power_up.key) {
            if still.is_none() && power_up.alpha > 0.12 {
                self.burst(power_up.position, theme::GHOST, 12, 16.0, power_up.half_extent * 0.3);
                self.ring(power_up.position, theme::GHOST, power_up.half_extent, power_up.half_extent * 4.0, 0.4);
                let distance = |collector: &&CollectorView| collector.position.distance_squared(power_up.position);
                let nearest = current.collectors.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)));
                if nearest.is_some_and(|collector| current.is_here(collector.player)) {
                    self.text(power_up.position, theme::GHOST, ghosts::name(&power_up.power_up).to_owned());
                }
            }
        }
    }

    /// A mine that disappeared before its end has exploded.
    fn observe_mines(&mut self, previous: &View, current: &View) {
        for (still, mine) in Merge::new(&current.mines, &previous.mines, |mine| mine.key) {
            if still.is_none() && mine.left_seconds > MINE_END_SECONDS {
                let (place, size) = (mine.position, mine.half_extent);
                self.burst(place, theme::ALARM, 24, 30.0, size * 0.35);
                self.burst(place, self.palette.color(mine.owner), 12, 20.0, size * 0.3);
                self.ring(place, theme::ALARM, size, size * 6.0, 0.45);
                self.ring(place, theme::WHITE, size * 0.5, size * 3.5, 0.25);
            }
        }
    }

    /// A spell whose cool-down rose was cast: rings run out from the caster, or in towards a magnet.
    fn observe_spells(&mut self, previous: &View, current: &View) {
        let players = previous.players.iter().zip(&current.players);
        for (before, now) in players.filter(|(_, now)| now.spells.is_some()) {
            // The caster is alive in this step.
            let caster = current.collectors.iter().find(|collector| collector.player == now.index);
            let Some((position, half_m)) = caster.map(|caster| (caster.position, caster.half_extent)) else { continue };
            for spell in Spell::ALL.into_iter().filter(|spell| spells::is_cast(before, now, *spell)) {
                let color = spells::color(spell);
                let far_m = current.world_half_extent * 2.0;
                match spell {
                    Spell::Purge | Spell::Strike => {
                        self.ring(position, color, half_m, far_m, 1.0);
                        self.ring(position, color, half_m, far_m * 0.6, 0.9);
                        self.ring(position, theme::TEXT, half_m, far_m * 0.3, 0.7);
                    }
                    Spell::Magnet => {
                        let range_m = caster.map_or(0.0, |caster| caster.magnet_range);
                        self.ring(position, color, range_m, half_m, 0.8);
                        self.ring(position, color, range_m * 0.6, half_m, 0.8);
                    }
                }
                self.burst(position, color, 18, 30.0, half_m * 0.3);
            }
        }
    }

    /// A collector that disappeared has died; a new one has respawned.
    fn observe_collectors(&mut self, previous: &View, current: &View) {
        for (still, collector) in Merge::new(&current.collectors, &previous.collectors, |collector| collector.key) {
            if still.is_none() {
                let color = self.palette.color(collector.player);
                self.explode(collector, color, current.is_here(collector.player));
            }
        }
        for (before, collector) in Merge::new(&previous.collectors, &current.collectors, |collector| collector.key) {
            if before.is_none() && !previous.collectors.is_empty() {
                let color = self.palette.color(collector.player);
                self.ring(collector.position, color, collector.half_extent * 6.0, collector.half_extent, 0.45);
            }
        }
    }

    /// Debris, sparks and a shock wave; more of them for a collector of a person at this screen.
    fn explode(&mut self, collector: &CollectorView, color: Color, is_here: bool) {
        let (place, size) = (collector.position, collector.half_extent);
        let more = if is_here { 2 } else { 1 };
        self.burst(place, color, 26 * more, 34.0, size * 0.30);
        self.burst(place, theme::TEXT, 8 * more, 22.0, size * 0.2);
        self.burst(place, theme::ACCENT, 10 * more, 14.0, size * 0.35);
        self.ring(place, color, size, size * 5.0, 0.5);
        self.ring(place, theme::TEXT, size * 0.5, size * 3.0 * more as f32, 0.25);
    }

    /// A collector with less health was hurt.
    fn observe_health(&mut self, previous: &View, current: &View) {
        for (before, collector) in Merge::new(&previous.collectors, &current.collectors, |collector| collector.key) {
            let lost = before.and_then(|before| Some(before.health? - collector.health?));
            if lost.is_some_and(|lost| lost > 0.0) {
                self.burst(collector.position, theme::ALARM, 8, 18.0, collector.half_extent * 0.2);
                self.ring(collector.position, theme::ALARM, collector.half_extent, collector.half_extent * 2.5, 0.3);
            }
        }
    }

    /// A stash with more points glows and shows the gain.
    fn observe_scores(&mut self, previous: &View, current: &View) {
        let is_small = current.players.len() <= MAX_PLAYERS_WITH_NUMBERS;
        for (before, now) in previous.players.iter().zip(&current.players) {
            let gain = now.stashed - before.stashed;
            let find = || current.stashes.iter().find(|stash| stash.player == now.index);
            if let Some(stash) = (gain >= 0.5).then(find).flatten() {
                let color = self.palette.color(now.index);
                self.ring(stash.position, color, stash.half_extent, stash.half_extent * 3.0, 0.6);
                self.ring(stash.position, theme::TEXT, stash.half_extent, stash.half_extent * 1.8, 0.35);
                if is_small || now.is_here() {
                    self.number(stash.position, color, gain);
                }
            }
            if now.is_here() && gain < 0.5 && before.pocket >= 0.5 && now.pocket <= 0.0 {
                self.observe_loss(previous, current, now, before.pocket);
            }
            self.observe_chain(previous, current, (before, now));
            let taken = now.pocket - before.pocket;
            if taken >= 0.5 && now.is_here() {
                let collector = current.collectors.iter().find(|collector| collector.player == now.index);
                if let Some(collector) = collector {
                    self.number(collector.position, theme::ACCENT, taken);
                }
            }
        }
    }

    /// A longer chain of a person at this screen without a further bounty is a near miss; a fuller stash in the step
    /// of the own death is what the crown paid.
    fn observe_chain(&mut self, previous: &View, current: &View, (before, now): (&PlayerView, &PlayerView)) {
        if !now.is_here() {
            return;
        }
        let of = |view: &View, player: u32| view.collectors.iter().find(|other| other.player == player).copied();
        let crashed_the_leader =
            previous.leader.is_some_and(|leader| leader != now.index && of(current, leader).is_none());
        match (of(previous, now.index), of(current, now.index)) {
            // A full pocket does not grow by a bounty either.
            (Some(was), Some(is))
                if is.chain_factor > was.chain_factor
                    && now.pocket <= before.pocket
                    && now.pocket < current.pocket_capacity =>
            {
                let text = format!("{} {}", tr("Near miss"), factor_text(is.chain_factor));
                self.ring(is.position, theme::TEXT, is.half_extent * 3.0, is.half_extent, 0.25);
                self.text(is.position, theme::TEXT, text);
            }
            (Some(was), None) if crashed_the_leader && now.stashed - before.stashed >= 0.5 => {
                let text = format!("{} +{:.0}", tr("Crown"), now.stashed - before.stashed);
                self.text(was.position + Vec2::new(0.0, 3.0), theme::ACCENT, text);
            }
            _ => {}
        }
    }

    /// The pocket of a person at this screen is empty, and not into the own stash: it fell to a rival's, or was lost
    /// in a crash.
    fn observe_loss(&mut self, previous: &View, current: &View, player: &PlayerView, lost: f32) {
        let of_player =
            |view: &View| view.collectors.iter().find(|collector| collector.player == player.index).copied();
        let Some(place) = of_player(current).or(of_player(previous)).map(|collector| collector.position) else {
            return;
        };
        let has_gained = |stash: &&StashView| {
            let stashed = |view: &View| view.players.get(stash.player as usize).map_or(0.0, |player| player.stashed);
            stashed(current) > stashed(previous)
        };
        let distance = |stash: &&StashView| stash.position.distance_squared(place);
        let filled =
            current.stashes.iter().filter(has_gained).min_by(|one, other| distance(one).total_cmp(&distance(other)));
        let receiver = filled
            .filter(|_| player.respawn_seconds <= 0.0)
            .and_then(|stash| current.players.get(stash.player as usize));
        if receiver.is_some_and(|receiver| current.are_partners(receiver.index, player.index)) {
            return;
        }
        let whose = receiver
            .map_or_else(String::new, |receiver| format!(" {}", tr_with("to {name}", &[("name", &receiver.name)])));
        self.text(place, theme::ALARM, format!("-{lost:.0}{whose}"));
    }

    fn burst(&mut self, position: Vec2, color: Color, sparks: u32, speed_mps: f32, radius_m: f32) {
        for _ in 0..sparks {
            let angle = self.random() * std::f32::consts::TAU;
            let velocity_mps = Vec2::new(libm::cosf(angle), libm::sinf(angle)) * speed_mps * (0.25 + self.random());
            let life_seconds = 0.25 + 0.35 * self.random();
            let kind = Kind::Spark { radius_m };
            self.start(Effect { kind, color, position, velocity_mps, age_seconds: 0.0, life_seconds });
        }
    }

    fn ring(&mut self, position: Vec2, color: Color, from_m: f32, to_m: f32, life_seconds: f32) {
        let kind = Kind::Ring { from_m, to_m };
        self.start(Effect { kind, color, position, velocity_mps: Vec2::ZERO, age_seconds: 0.0, life_seconds });
    }

    fn number(&mut self, position: Vec2, color: Color, value: f32) {
        self.text(position, color, format!("+{value:.0}"));
    }

    fn text(&mut self, position: Vec2, color: Color, text: String) {
        let kind = Kind::Text(text);
        let (position, velocity_mps) = (position + Vec2::new(0.0, 3.0), Vec2::new(0.0, 6.0));
        self.start(Effect { kind, color, position, velocity_mps, age_seconds: 0.0, life_seconds: 1.1 });
    }

    fn start(&mut self, effect: Effect) {
        if self.running.len() < MAX_EFFECTS {
            self.running.push(effect);
        }
    }

    /// A number from 0 to 1 from a linear congruential generator.
    fn random(&mut self) -> f32 {
        self.noise = self.noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.noise >> 8) as f32 / (1u32 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::{collector, person_elsewhere, person_here, player};
    use bounty_hunter_simulation::simulation::view::{BountyView, SpellView};

    fn scene() -> View {
        let mut view = View::empty();
        view.players.push(PlayerView { stashed: 10.0, pocket: 5.0, ..person_here(0) });
        view.collectors.push(collector(4));
        view.bounties.push(BountyView {
            key: 9,
            position: Vec2::ONE,
            heading: 0.0,
            half_extent: 1.0,
            value: 10.0,
            worth: 0.5,
            alpha: 1.0,
            color: None,
            teleported: false,
        });
        view.stashes.push(StashView { player: 0, position: Vec2::ZERO, half_extent: 2.0, fullness: 0.0 });
        view
    }

    fn texts_after(change: impl Fn(&mut View)) -> (usize, Vec<String>) {
        let (previous, mut current) = (scene(), scene());
        change(&mut current);
        let mut effects = Effects::default();
        effects.observe(&previous, &current, 1.0 / 60.0);
        (effects.running.len(), texts(&effects))
    }

    fn texts(effects: &Effects) -> Vec<String> {
        let text = |effect: &Effect| match &effect.kind {
            Kind::Text(text) => Some(text.clone()),
            _ => None,
        };
        effects.running.iter().filter_map(text).collect()
    }

    #[test]
    fn equal_views_start_no_effects() {
        assert_eq!(texts_after(|_| {}), (0, vec![]));
    }

    #[test]
    fn taken_bounty_sparks_but_an_expired_one_does_not() {
        assert!(texts_after(|view| view.bounties.clear()).0 > 5);
        let (mut previous, mut current, mut effects) = (scene(), scene(), Effects::default());
        previous.bounties[0].alpha = 0.02;
        current.bounties.clear();
        effects.observe(&previous, &current, 0.1);
        assert!(effects.running.is_empty());
    }

    #[test]
    fn death_sparks_and_a_deposit_shows_its_points() {
        assert!(texts_after(|view| view.collectors.clear()).0 > 20);
        assert_eq!(texts_after(|view| view.players[0].stashed += 37.0).1, ["+37"]);
        assert_eq!(texts_after(|view| view.players[0].pocket += 12.0).1, ["+12"]);
    }

    #[test]
    fn what_people_at_other_screens_carry_is_not_counted_here() {
        let change_of = |view: fn(&mut View)| {
            let mut previous = scene();
            previous.players[0] = PlayerView { pocket: 5.0, ..person_elsewhere(0) };
            let mut current = previous.clone();
            view(&mut current);
            let mut effects = Effects::default();
            effects.observe(&previous, &current, 1.0 / 60.0);
            texts(&effects)
        };
        assert_eq!(change_of(|view| view.players[0].pocket = 17.0), [""; 0]);
        assert_eq!(change_of(|view| view.players[0].pocket = 0.0), [""; 0]);
    }

    #[test]
    fn person_sees_where_the_load_went() {
        let with_two = |change: &dyn Fn(&mut View)| {
            let mut previous = scene();
            previous.players.push(player(1));
            previous.stashes.push(StashView { player: 1, position: Vec2::ONE, half_extent: 2.0, fullness: 0.0 });
            let mut current = previous.clone();
            change(&mut current);
            let mut effects = Effects::default();
            effects.observe(&previous, &current, 1.0 / 60.0);
            texts(&effects)
        };
        let others = with_two(&|view| (view.players[0].pocket, view.players[1].stashed) = (0.0, 5.0));
        assert!(others.contains(&"-5 to Player 1".to_owned()), "{others:?}");
        let crash = with_two(&|view| {
            (view.players[0].pocket, view.players[0].respawn_seconds) = (0.0, 2.0);
            view.collectors.clear();
        });
        assert_eq!(crash, ["-5"]);
        let own = with_two(&|view| (view.players[0].pocket, view.players[0].stashed) = (0.0, 15.0));
        assert_eq!(own, ["+5"]);
    }

    #[test]
    fn longer_chain_without_a_bounty_is_a_near_miss() {
        let longer = |view: &mut View| (view.pocket_capacity, view.collectors[0].chain_factor) = (100.0, 1.5);
        assert_eq!(texts_after(longer).1, ["Near miss ×1.5"]);
        let with_full_pocket = texts_after(|view| {
            longer(view);
            view.pocket_capacity = view.players[0].pocket;
        });
        assert_eq!(with_full_pocket.1, [""; 0], "a bounty of which nothing fits in");
        let with_bounty = texts_after(|view| {
            longer(view);
            view.players[0].pocket += 12.0;
        });
        assert_eq!(with_bounty.1, ["+12"]);
    }

    #[test]
    fn crash_with_the_leader_shows_what_the_crown_paid() {
        let crash = |leader: Option<u32>, survives: bool| {
            let mut previous = View { leader, ..scene() };
            previous.players.push(player(1));
            previous.collectors.push(CollectorView { player: 1, ..collector(5) });
            previous.players[0].pocket = 0.0;
            let mut current = previous.clone();
            current.players[0].stashed += 20.0;
            current.collectors.retain(|other| survives && other.player == 1);
            let mut effects = Effects::default();
            effects.observe(&previous, &current, 1.0 / 60.0);
            texts(&effects)
        };
        assert_eq!(crash(Some(1), false), ["+20", "Crown +20"]);
        assert_eq!((crash(Some(0), false), crash(Some(1), true)), (vec!["+20".to_owned()], vec!["+20".to_owned()]));
    }

    #[test]
    fn cast_spell_has_effects_and_a_cooling_one_has_none() {
        let with_spells = |left_seconds: f32| {
            let spell = SpellView { left_seconds, cooldown_seconds: 30.0 };
            let mut view = scene();
            view.players[0].spells = Some([SpellView { left_seconds: 9.0, ..spell }, spell, spell]);
            view
        };
        let seen = |before: f32, after: f32| {
            let mut effects = Effects::default();
            effects.observe(&with_spells(before), &with_spells(after), 1.0 / 60.0);
            effects.running.len()
        };
        assert_eq!((seen(5.0, 4.9), seen(0.0, 0.0)), (0, 0));
        assert!(seen(0.0, 30.0) > 10);
    }

    #[test]
    fn hurt_collector_sparks_and_a_healed_one_does_not() {
        let with_health = |health| {
            let mut view = scene();
            view.collectors[0].health = health;
            view
        };
        let seen = |before: Option<f32>, after: Option<f32>| {
            let mut effects = Effects::default();
            effects.observe(&with_health(before), &with_health(after), 1.0 / 60.0);
            effects.running.len()
        };
        assert!(seen(Some(1.0), Some(0.6)) > 5);
        assert_eq!([seen(Some(0.6), Some(1.0)), seen(None, None), seen(Some(0.5), Some(0.5))], [0; 3]);
    }

    #[test]
    fn effects_end() {
        let mut effects = Effects::default();
        effects.observe(&scene(), &View { collectors: Vec::new(), ..scene() }, 0.02);
        for _ in 0..100 {
            effects.observe(&scene(), &scene(), 0.02);
        }
        assert!(effects.running.is_empty());
    }
}
