//! Requests of the studio: lines of bytes, each a request, between which frames run.

use std::collections::BTreeMap;
use std::time::Duration;

use ecs::prelude::*;
use ecs_studio::{Edit, MadeEdit, Studio, Subject};
use serde::{Deserialize, Serialize};

/// Limit of requests in one input.
const MAX_REQUESTS: usize = 64;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ball {
    height_m: f32,
    speed_mps: f32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Label {
    None,
    Text(String),
    Of(EntityId),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Bounced {
    ball: EntityId,
}

struct Gravity;

impl System for Gravity {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fall).listen(Self::on_bounced);
    }
}

impl Gravity {
    fn fall(&mut self, time: Time, mut balls: Query<(EntityId, &mut Ball)>, mut bounced: Sender<Bounced>) {
        for (entity, ball) in &mut balls {
            ball.speed_mps -= 9.81 * time.delta_seconds();
            ball.height_m += ball.speed_mps * time.delta_seconds();
            if ball.height_m < 0.0 && ball.speed_mps < 0.0 {
                ball.speed_mps *= -0.5;
                bounced.send(Bounced { ball: entity });
            }
        }
    }

    fn on_bounced(&mut self, bounced: &Bounced, entities: Query<&Label>, mut commands: Commands) {
        if entities.iter().count() < 8 {
            commands.spawn((Label::Of(bounced.ball),));
        } else {
            commands.despawn(bounced.ball);
        }
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.add(Gravity).expect("one system has no order to be wrong");
    let types = engine.types_mut();
    let named = types.component_by::<Ball>("ball", |ball, hash| _ = hash.printed(ball));
    let named = named
        .and_then(|types| types.save::<Ball>(1)?.component_by("label", |label: &Label, hash| _ = hash.printed(label)));
    let named = named.and_then(|types| {
        types.save::<Label>(1)?.event_by::<Bounced>("bounced", |bounced, hash| _ = hash.printed(bounced))
    });
    let named = named.and_then(|types| types.save::<Bounced>(1)?.resource::<u64>("score")?.save::<u64>(1));
    assert!(named.is_ok(), "the names differ");
    engine.insert_resource(7_u64);
    let parent = engine.spawn((Ball { height_m: 1.0, speed_mps: 0.0 }, Label::None));
    let child = engine.spawn_child(parent, (Ball { height_m: 0.1, speed_mps: 0.0 }, Label::Text("child".to_owned())));
    assert!(child.is_ok(), "the parent is there");
    engine
}

fn frame(engine: &mut Engine) {
    let ran = engine.update(Duration::from_millis(16));
    assert!(ran.is_ok(), "{ran:?}");
}

/// Answers the requests, one for each line, with a frame after each.
///
/// # Panics
/// If a request makes the engine or the studio panic, or if the run differs from one without a studio that repeats the
/// edits.
pub fn check_studio(bytes: &[u8]) {
    let (mut watched, mut alone) = (engine(), engine());
    let mut studio = Studio::new();
    let (mut is_loaded, mut edits) = (false, Vec::new());
    // The edits before each frame of the present course.
    let mut inputs: BTreeMap<u64, Vec<Edit>> = BTreeMap::new();
    for line in String::from_utf8_lossy(bytes).lines().take(MAX_REQUESTS) {
        let answer = studio.answer(&mut watched, line);
        assert!(answer.starts_with('{'), "{answer}");
        let runs = studio.begin_frame(&mut watched);
        let changes = studio.take_changes();
        is_loaded |= changes.is_incomplete;
        match changes.is_another_branch {
            true => {
                edits = studio.edits();
                inputs.clear();
                edits.iter().for_each(|made| inputs.entry(made.frame).or_default().push(made.edit.clone()));
                edits.retain(|made| !made.for_one_frame);
            }
            false => changes.add_to(&mut edits),
        }
        if runs {
            let now = watched.time().frame();
            // Going on from an earlier moment ends what came after it.
            edits.retain(|made: &MadeEdit| made.frame <= now);
            _ = inputs.split_off(&now);
            inputs.insert(now, edits_of(&edits, now));
            edits.retain(|made| !(made.for_one_frame && made.frame == now));
            frame(&mut watched);
            studio.end_frame(&mut watched);
        }
    }
    studio.leave(&mut watched);
    is_loaded |= studio.take_changes().is_incomplete;
    let edits = studio.edits();
    if !is_loaded {
        let end = watched.time().frame();
        inputs.insert(end, edits_of(&edits, end));
        for now in 0..=end {
            for edit in inputs.remove(&now).unwrap_or_default() {
                let is_made = alone.make(&edit);
                assert!(is_made.is_ok(), "{edit:?}: {is_made:?}");
            }
            if now < end {
                frame(&mut alone);
            }
        }
        let hashes = [&mut watched, &mut alone].map(|engine| engine.state_hash().map(|hash| hash.whole).ok());
        assert_eq!(hashes[0], hashes[1], "watching changed the run");
    }
}

fn edits_of(edits: &[MadeEdit], frame: u64) -> Vec<Edit> {
    edits.iter().filter(|made| made.frame == frame).map(|made| made.edit.clone()).collect()
}

/// Lines that name every request.
#[must_use]
pub fn studio_requests() -> Vec<String> {
    let looks = r#"{"op":"status"}
{"op":"entities","with":["ball"],"search":"1","columns":["ball","label"],"limit":3}
{"op":"entity","entity":"1v1"}
{"op":"names"}
{"op":"resource","resource":"score"}
{"op":"systems"}
{"op":"events","event":"Bounced","search":"idx","frame":9,"limit":2}
{"op":"event_graph"}
{"op":"why","entity":"3v1"}
{"op":"why","event":1}
{"op":"why_value","entity":"1v1","component":"ball","path":"/height_m"}
{"op":"expected","entity":"1v1","component":"label"}
{"op":"expected","resource":"score"}
{"op":"memory","pool":"Ball"}
{"op":"select","entity":"1v1"}
{"op":"save"}"#;
    let times = r#"{"op":"pause"}
{"op":"step","frames":3}
{"op":"run"}
{"op":"seek","frame":4}
{"op":"step"}
{"op":"compare","from":1,"to":8}
{"op":"run"}
{"op":"break","event":"Bounced","search":"ball"}
{"op":"run"}
{"op":"clear_breaks"}
{"op":"seek","frame":3}
{"op":"load","moment":"00"}
{"op":"run","from_here":true}"#;
    let edits = r#"{"op":"set_component","entity":"1v1","component":"ball","path":"/height_m","value":3.5}
{"op":"set_component","entity":"1v1","component":"label","value":{"Text":"x"}}
{"op":"remove_component","entity":"1v1","component":"label"}
{"op":"enable_component","entity":"1v1","component":"ball","enabled":false}
{"op":"set_resource","resource":"score","value":8}
{"op":"spawn"}
{"op":"enable_entity","entity":"2v1","enabled":false}
{"op":"enable_system","system":"Gravity","enabled":false}
{"op":"undo"}
{"op":"redo"}
{"op":"despawn","entity":"1v1"}
{"op":"undo"}
{"op":"undo"}"#;
    let alone = r#"{"op":"pause"}
{"op":"step_system"}
{"op":"step_system"}
{"op":"enable_system","system":"Gravity","enabled":false}
{"op":"run_once","system":"Gravity"}
{"op":"undo"}
{"op":"seek","frame":1}
{"op":"run_once","system":"Gravity"}
{"op":"run"}
{"op":"entities","without":["label"]}"#;
    let courses = r#"{"op":"status"}
{"op":"spawn"}
{"op":"set_resource","resource":"score","value":8}
{"op":"status"}
{"op":"seek","frame":1}
{"op":"run","from_here":true}
{"op":"set_resource","resource":"score","value":9}
{"op":"seek","frame":2}
{"op":"step"}
{"op":"run","from_here":true}
{"op":"undo"}
{"op":"despawn","entity":"1v1"}
{"op":"branch","branch":1}
{"op":"run"}
{"op":"spawn"}
{"op":"branch","branch":3,"frame":2}
{"op":"run","from_here":true}
{"op":"name_branch","branch":2,"name":"x"}
{"op":"branches"}
{"op":"seek","frame":1}
{"op":"branch","branch":2}
{"op":"end"}"#;
    [looks, times, edits, alone, courses].map(str::to_owned).into()
}
