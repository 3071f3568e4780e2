//! Asteroids in a window of macroquad: states, a hierarchy, sounds, a high score, and replays whose hashes are checked.
//!
//! `cargo run -p ecs_windows --features macroquad --example asteroids`: arrows and space; Enter begins.
#![allow(clippy::type_complexity)]

use std::{error::Error, f32::consts::PI, time::Duration};

use ecs::prelude::*;
use ecs::random::{Purpose, RandomStream};
use ecs::snapshot::{Saved, StableHash};
use ecs::state_machine::{State, StateMachine};
use ecs_windows::high_score::HighScore;
use ecs_windows::sound::{Sounds, noise, tone};
use glam::{Vec2, vec2};
use macroquad::prelude::{self as mq, Color, KeyCode};

pub(crate) const STEP: Duration = Duration::from_micros(16_667);
const FIELD: Vec2 = vec2(960.0, 720.0);
const RADII: [f32; 4] = [0.0, 15.0, 28.0, 50.0];
/// A new ship is safe for some steps; before them, it is not there.
const SAFE_STEPS: u32 = 120;
const KEYS: [KeyCode; 4] = [KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Space];
use Control::{Fire, Left, Right, Thrust};
use Phase::{Over, Playing, Title};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Control {
    Left,
    Right,
    Thrust,
    Fire,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Title,
    Playing,
    Over,
}

impl State for Phase {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Title, Playing), (Playing, Over), (Over, Playing)];
}

#[derive(Clone, StableHash, Saved)]
#[saved(name = "body")]
struct Body {
    at: Vec2,
    speed: Vec2,
    angle: f32,
    spin: f32,
    before: (Vec2, f32),
}

#[derive(Clone, Default, StableHash, Saved)]
#[saved(name = "ship")]
struct Ship {
    held: [bool; 4],
    /// A shot since the last step, also if the key went up again.
    is_fired: bool,
    reload_steps: u32,
}

/// The size, from 1 to 3, and a number that decides the outline.
#[derive(Clone, StableHash, Saved)]
#[saved(name = "rock")]
struct Rock(u8, u32);

/// The steps that a shot or a spark has left, and whether it is a shot.
#[derive(Clone, StableHash, Saved)]
#[saved(name = "spark")]
struct Spark(u32, bool);

#[derive(Clone, Copy, Default, StableHash, Saved)]
#[saved(resource, name = "game")]
pub(crate) struct Game {
    pub(crate) score: u32,
    lives: u32,
    safe_steps: u32,
}

#[derive(Clone, Copy)]
struct Fired;

/// A rock was hit by a shot or a ship.
#[derive(Clone, Copy)]
struct Hit {
    rock: EntityId,
    by: EntityId,
    is_crash: bool,
}

struct Debris;
impl Purpose for Debris {
    const NAME: &'static str = "debris";
}

fn heading(angle: f32) -> Vec2 {
    vec2(libm::cosf(angle), libm::sinf(angle)) // The same on every platform, as the standard library's are not.
}

fn body(at: Vec2, angle: f32, speed: Vec2) -> Body {
    Body { at, angle, before: (at, angle), speed, spin: 0.0 }
}

fn rock(size: u8, at: Vec2, random: &mut RandomStream) -> (Rock, Body) {
    let speed = heading(random.between(-PI, PI)) * random.between(0.6, 1.4) * (150.0 - 35.0 * f32::from(size));
    (Rock(size, random.next_u32()), Body { spin: random.between(-1.5, 1.5), ..body(at, 0.0, speed) })
}

fn press(input: &Input<Control>, mut ships: Query<&mut Ship>) {
    for ship in &mut ships {
        ship.held[*input.control() as usize] = input.is_pressed();
        ship.is_fired |= *input == Input::Pressed(Fire);
    }
}

fn begin(mut game: ResMut<Game>, loose: Query<EntityId, Or<(With<Rock>, With<Spark>)>>, mut commands: Commands) {
    *game = Game { score: 0, lives: 3, safe_steps: SAFE_STEPS };
    commands.despawn_many(loose.iter());
}

fn send_rocks(rocks: Query<&Rock>, game: Res<Game>, mut random: Random<Debris>, mut commands: Commands) {
    for _ in 0..if rocks.is_empty() { 4 + game.score / 2_000 } else { 0 } {
        let edge = vec2(random.unit() * FIELD.x, 0.0);
        commands.spawn(rock(3, edge, &mut random));
    }
}

fn steer(
    (time, mut game): (Time, ResMut<Game>),
    mut ships: Query<(&mut Ship, &mut Body)>,
    (mut commands, mut fired): (Commands, Sender<Fired>),
) {
    game.safe_steps = game.safe_steps.saturating_sub(1);
    for (ship, at) in ships.iter_mut().filter(|_| game.safe_steps < SAFE_STEPS) {
        let [left, right, thrust, fire] = ship.held;
        let ahead = heading(at.angle);
        at.spin = 4.5 * (f32::from(right) - f32::from(left));
        at.speed = 0.993 * (at.speed + ahead * 380.0 * f32::from(thrust) * time.delta_seconds());
        ship.reload_steps = ship.reload_steps.saturating_sub(1);
        if (std::mem::take(&mut ship.is_fired) || fire) && ship.reload_steps == 0 {
            ship.reload_steps = 10;
            fired.send(Fired);
            commands.spawn((Spark(55, true), body(at.at + ahead * 16.0, at.angle, at.speed + ahead * 560.0)));
        }
    }
}

fn fly(time: Time, mut bodies: Query<(EntityId, &mut Body, Option<&mut Spark>)>, mut commands: Commands) {
    for (entity, body, spark) in &mut bodies {
        let next = body.at + body.speed * time.delta_seconds();
        body.before = (body.at + next.rem_euclid(FIELD) - next, body.angle);
        body.at = next.rem_euclid(FIELD);
        body.angle += body.spin * time.delta_seconds();
        if let Some(spark) = spark {
            spark.0 -= 1;
            (spark.0 == 0).then(|| commands.try_despawn(entity));
        }
    }
}

/// The flame is a child of the ship.
fn follow(mut flames: Query<(&ChildOf, &mut Body)>, ships: Query<&Body, Without<ChildOf>>) {
    for (child_of, flame) in &mut flames {
        ships.get(child_of.parent()).into_iter().for_each(|ship| *flame = ship.clone());
    }
}

fn collide(
    hitters: Query<(EntityId, &Body, Option<&Ship>, Option<&Spark>), Without<Rock>>,
    rocks: Query<(EntityId, &Body, &Rock)>,
    (game, mut hits): (Res<Game>, Sender<Hit>),
) {
    let mut hit = Vec::new();
    for (by, &Body { at, .. }, ship, spark) in &hitters {
        let is_crash = ship.is_some() && game.safe_steps == 0;
        let is_near = |body: &Body, rock: &Rock| body.at.distance(at) < RADII[rock.0 as usize] + 6.0;
        let mut near = rocks.iter().filter(|(rock, body, size)| is_near(body, size) && !hit.contains(rock));
        let rock = near.next().filter(|_| is_crash || spark.is_some_and(|spark| spark.1));
        if let Some((rock, ..)) = rock {
            hits.send(Hit { rock, by, is_crash });
            hit.push(rock);
        }
    }
}

fn burst(
    hit: &Hit,
    (mut game, mut next): (ResMut<Game>, ResMut<NextState<Phase>>),
    rocks: Query<(&Body, &Rock), Without<Ship>>,
    mut ships: Query<&mut Body, With<Ship>>,
    (mut random, mut commands): (Random<Debris>, Commands),
) {
    let Some((&Body { at, .. }, &Rock(size, _))) = rocks.get(hit.rock) else { return };
    let mut sparks = 8 * u32::from(size);
    if let Some(ship) = ships.get_mut(hit.by) {
        (*ship, sparks, game.lives, game.safe_steps) =
            (body(FIELD / 2.0, -PI / 2.0, Vec2::ZERO), 60, game.lives - 1, SAFE_STEPS + 90);
        if game.lives == 0 {
            next.change(Over);
            game.safe_steps = u32::MAX;
        }
    } else {
        game.score += [0, 100, 50, 20][size as usize];
        commands.try_despawn(hit.by);
    }
    commands.despawn(hit.rock);
    (0..2).filter(|_| size > 1).for_each(|_| commands.spawn(rock(size - 1, at, &mut random)));
    for _ in 0..sparks {
        let speed = heading(random.between(-PI, PI)) * random.between(20.0, 220.0);
        commands.spawn((Spark(20 + random.below(40), false), body(at, 0.0, speed)));
    }
}

pub(crate) fn new_game(threads: usize) -> Result<Engine, Box<dyn Error>> {
    let mut engine = Engine::builder().threads(threads).build();
    engine.types_mut().add::<Body>()?.add::<Ship>()?.add::<Rock>()?.add::<Spark>()?.add::<Game>()?;
    engine.insert_resource(Game { safe_steps: u32::MAX, ..Game::default() });
    engine.add_state_machine(StateMachine::new(Title))?;
    engine.add((press, burst, begin.on_enter(Playing)))?.add((send_rocks, steer, fly, follow, collide).chain())?;
    let ship = engine.spawn((Ship::default(), body(FIELD / 2.0, -PI / 2.0, Vec2::ZERO)));
    engine.spawn_child(ship, (body(FIELD / 2.0, -PI / 2.0, Vec2::ZERO),))?; // The flame.
    Ok(engine)
}

/// Draws each thing as a closed line through points, which are given by their angles and distances.
fn draw(time: Time, things: Query<(&Body, Option<&Rock>, Option<&Spark>, Option<&Ship>)>, game: Res<Game>) {
    let is_shown = game.safe_steps < SAFE_STEPS && (game.safe_steps / 8).is_multiple_of(2); // It blinks.
    let is_lit = is_shown && things.iter().any(|(.., ship)| ship.is_some_and(|ship| ship.held[Thrust as usize]));
    let bump = |rock: &Rock, at: u32| RADII[rock.0 as usize] * (0.72 + 0.04 * ((rock.1 >> (3 * at)) & 7) as f32);
    for (body, rock, spark, ship) in &things {
        let (colour, points) = match (rock, spark, ship) {
            (Some(rock), ..) => (0x9fb8d8, (0..10).map(|at| (at as f32 * PI / 5.0, bump(rock, at))).collect()),
            (_, Some(spark), _) => (if spark.1 { 0x8fffc0 } else { 0xffb060 }, vec![(0.0, 2.0), (PI, 2.0)]),
            (.., Some(_)) if is_shown => (0xffffff, vec![(0.0, 16.0), (2.5, 14.0), (PI, 7.0), (-2.5, 14.0)]),
            (None, None, None) if is_lit => (0xff9030, vec![(2.8, 10.0), (PI, 24.0), (-2.8, 10.0)]),
            _ => continue,
        };
        let at = body.before.0.lerp(body.at, time.overstep_fraction());
        let angle = body.before.1 + (body.angle - body.before.1) * time.overstep_fraction();
        let corners = points.iter().map(|(turn, distance)| at + heading(angle + turn) * *distance);
        for (from, to) in corners.clone().zip(corners.cycle().skip(1)) {
            mq::draw_line(from.x, from.y, to.x, to.y, 2.0, Color::from_hex(colour));
        }
    }
}

fn text(line: &str, y: f32, size: u16) {
    let width = mq::measure_text(line, None, size, 1.0).width;
    mq::draw_text(line, (FIELD.x - width) / 2.0, y, size.into(), mq::WHITE);
}

#[macroquad::main("Asteroids")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (mut engine, mut steps) = (new_game(1)?, StepLoop::new(STEP));
    engine.presentation().add(draw)?;
    let (mut fired, mut hits) = (engine.reader::<Fired>()?, engine.reader::<Hit>()?);
    let sounds = Sounds::new([tone(0.12, |time| 900.0 - 5_000.0 * time), noise(0.3, 0.4), noise(1.0, 0.15)]).await;
    let (mut high_score, mut verdict) = (HighScore::read("asteroids_high_score.txt"), String::new());
    while !mq::is_key_pressed(KeyCode::Escape) {
        let phase = engine.resource::<CurrentState<Phase>>().map_or(Title, |phase| phase.current());
        let waits = phase != Playing && !steps.is_replaying();
        if waits && mq::is_key_pressed(KeyCode::Enter) {
            engine.resource_mut::<NextState<Phase>>().ok_or("there are no phases")?.change(Playing);
            steps.record(&mut engine)?;
        } else if waits && mq::is_key_pressed(KeyCode::R) {
            steps.replay(&mut engine)?;
        }
        for (key, control) in KEYS.into_iter().zip([Left, Right, Thrust, Fire]) {
            if mq::is_key_pressed(key) {
                steps.press(control); // Also if it goes up again in the same frame.
            }
            steps.hold(control, mq::is_key_down(key));
        }

        mq::clear_background(Color::from_hex(0x0a0d18));
        mq::set_camera(&mq::Camera2D::from_display_rect(mq::Rect::new(0.0, FIELD.y, FIELD.x, -FIELD.y)));
        steps.advance(&mut engine, Duration::from_secs_f32(mq::get_frame_time()))?;
        fired.drain().for_each(|_| sounds.play(0));
        hits.drain().for_each(|hit| sounds.play(if hit.is_crash { 2 } else { 1 }));

        let Game { score, lives, .. } = engine.resource::<Game>().map_or(Game::default(), |game| *game);
        text(&format!("{score}   {}", "A ".repeat(lives as usize)), 40.0, 32);
        if steps.is_replaying() {
            verdict = "the replay was exact".to_owned();
            text("REPLAY", 80.0, 32);
        } else if phase != Playing {
            steps.end_recording(&mut engine)?;
            high_score.offer(score);
            verdict = steps.divergence().map_or(verdict, ToString::to_string);
            text(if phase == Title { "ASTEROIDS" } else { "GAME OVER" }, 300.0, 80);
            text("Enter: begin   R: the last match again   Escape: quit", 400.0, 28);
            text(&high_score.to_string(), 440.0, 28);
            text(&verdict, 480.0, 28);
        }
        mq::next_frame().await;
    }
    Ok(())
}
