//! `play --studio`: a match that is inspected in a browser while it is played.

use std::cell::RefCell;
use std::io::stdout;
use std::rc::Rc;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use bounty_hunter::client::Game;
use bounty_hunter::game_object::Transform;
use bounty_hunter::input::Inputs;
use bounty_hunter::physics::Shape;
use bounty_hunter::simulation::{Simulation, StepReport};
use bounty_hunter::view::View;
use ecs::EntityId;
use ecs_studio::Studio;
use glam::Vec2;

use super::Failure;
use super::output::write_line;

/// How far a click may be from an object, metres.
const REACH_M: f32 = 2.0;
/// How long a refusal is shown.
const REFUSAL_SECONDS: u32 = 3;

/// The studio of all matches of a program.
pub(super) type SharedStudio = Rc<RefCell<Studio<Simulation>>>;

/// Opens the studio at an address, and prints where it is.
pub(super) fn open(address: &str, token: Option<&str>) -> Result<SharedStudio, Failure> {
    let mut studio = Studio::new();
    let address = studio.listen(address, token).map_err(|error| Failure::BadInput(error.to_string()))?;
    write_line(&mut stdout(), format_args!("the studio is at http://{address}"))?;
    Ok(Rc::new(RefCell::new(studio)))
}

/// A clock for the times of systems.
pub(super) fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// A simulation that the studio may stop, change and send back in time. It is neither recorded nor stored.
pub(super) struct StudioGame {
    simulation: Simulation,
    studio: SharedStudio,
    has_jumped: bool,
    /// The reason for refusing a request, and the steps left to show it.
    refusal: Option<(&'static str, u32)>,
}

impl StudioGame {
    pub(super) fn new(simulation: Simulation, studio: SharedStudio) -> Self {
        studio.borrow_mut().forget();
        Self { simulation, studio, has_jumped: false, refusal: None }
    }

    fn refuse(&mut self, sentence: &'static str) {
        self.refusal = Some((sentence, REFUSAL_SECONDS * self.simulation.steps_per_second()));
    }
}

/// The object at a place, or the nearest one within reach; of several, the smallest.
fn object_at(simulation: &Simulation, place: Vec2) -> Option<EntityId> {
    let mut nearest: Option<(f32, f32, EntityId)> = None;
    simulation.engine().read::<(EntityId, &Transform, &Shape)>().for_each(|(entity, transform, shape)| {
        let corners = shape.corners(transform.pose);
        let least = corners.into_iter().fold(Vec2::INFINITY, Vec2::min);
        let most = corners.into_iter().fold(Vec2::NEG_INFINITY, Vec2::max);
        let found = (place.distance(place.clamp(least, most)), shape.half_extent_m(), entity);
        if found.0 < REACH_M && nearest.is_none_or(|nearest| (found.0, found.1) < (nearest.0, nearest.1)) {
            nearest = Some(found);
        }
    });
    nearest.map(|(.., entity)| entity)
}

impl Game for StudioGame {
    fn step(&mut self, inputs: &Inputs) -> StepReport {
        self.refusal = self.refusal.and_then(|(sentence, left)| Some((sentence, left.checked_sub(1)?)));
        let mut studio = self.studio.borrow_mut();
        let report = studio.frame(&mut self.simulation, |simulation| simulation.step(inputs));
        self.has_jumped |= studio.take_changes().moved;
        report.unwrap_or_else(|| StepReport { tick: self.simulation.tick(), state: self.simulation.state() })
    }

    fn view_into(&self, view: &mut View) {
        self.simulation.view_into(view);
    }

    fn take_jump(&mut self) -> bool {
        std::mem::take(&mut self.has_jumped)
    }

    fn mark(&mut self, place: Vec2) {
        if let Some(entity) = object_at(&self.simulation, place) {
            self.studio.borrow_mut().select(entity);
        }
    }

    fn marked(&self) -> Option<(Vec2, f32)> {
        let entity = self.studio.borrow().selected()?;
        let engine = self.simulation.engine();
        let (transform, shape) = (engine.get::<Transform>(entity)?, engine.get::<Shape>(entity)?);
        Some((transform.pose.position, shape.half_extent_m()))
    }

    fn steps_per_second(&self) -> u32 {
        self.simulation.steps_per_second()
    }

    fn save(&mut self) {
        self.refuse("not saved: a match with --studio cannot be saved");
    }

    fn load(&mut self) -> bool {
        self.refuse("not loaded: a match with --studio cannot load a save");
        false
    }

    fn notice(&self) -> Option<String> {
        let refusal = self.refusal.map(|(sentence, _)| sentence.to_owned());
        refusal.or_else(|| self.studio.borrow().notice())
    }
}

#[cfg(test)]
mod tests {
    use bounty_hunter::assets::Assets;
    use bounty_hunter::simulation::MatchSetup;

    use super::*;

    #[test]
    fn inspected_match_is_the_same_as_one_that_is_not() {
        let setup = MatchSetup::of_ais(7, 4, "normal");
        let mut alone = Simulation::new(&Assets::built_in(), &setup).unwrap();
        let simulation = Simulation::new(&Assets::built_in(), &setup).unwrap();
        let mut game = StudioGame::new(simulation, Rc::default());
        let ask = |game: &mut StudioGame, request: &str| {
            let StudioGame { simulation, studio, .. } = game;
            let answer = studio.borrow_mut().answer(simulation, request);
            assert!(!answer.contains("\"error\":"), "{request}: {answer}");
            answer
        };
        ask(&mut game, r#"{ "op": "status" }"#);
        for n in 1..600_u32 {
            alone.step(&Inputs::none());
            game.step(&Inputs::none());
            if n.is_multiple_of(60) {
                ask(&mut game, r#"{ "op": "entities", "search": "collector", "columns": ["pocket", "transform"] }"#);
                ask(&mut game, r#"{ "op": "systems" }"#);
                ask(&mut game, r#"{ "op": "seek", "frame": 30 }"#);
                assert!(game.step(&Inputs::none()).tick < 40, "it shows the past");
                assert!(game.take_jump() && game.notice().is_some());
                ask(&mut game, r#"{ "op": "run" }"#);
                assert!(game.notice().is_none());
            }
        }
        assert_eq!(game.simulation.state_hash(), alone.state_hash());
        let entity = ask(&mut game, r#"{ "op": "entities", "with": ["pocket"], "limit": 1 }"#);
        let id = entity.split("\"entity\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let set = format!(
            r#"{{ "op": "set_component", "entity": "{id}", "component": "pocket", "value": {{ "carried": 60.0 }} }}"#
        );
        ask(&mut game, &set);
        game.step(&Inputs::none());
        let view = game.simulation.view();
        assert!(view.players.iter().any(|player| player.pocket == 60.0), "the edit is seen in the view");
        ask(&mut game, r#"{ "op": "undo" }"#);
        let collector = view.collectors[0].position;
        game.mark(collector + Vec2::new(0.1, 0.1));
        assert!(game.marked().is_some_and(|(place, _)| place.distance(collector) < 2.0), "it is marked by a click");
        game.mark(Vec2::new(1e6, 0.0));
        assert!(game.marked().is_some(), "a click beside all objects marks nothing else");
    }
}
