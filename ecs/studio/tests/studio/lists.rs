//! Entities and events that are searched, sorted and marked.

use ecs_studio::Studio;
use serde_json::{Value, json};

use super::{Ball, Mark, ask, engine, frame};

#[test]
fn marked_entity_is_the_same_in_the_page_and_in_the_window() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    studio.select(ball);
    assert_eq!(studio.selected(), Some(ball), "also before a page is open");
    ask(&mut studio, &mut engine, json!({ "op": "select", "entity": ball.to_string() }));
    assert_eq!(studio.selected(), Some(ball));
    let other = engine.spawn(());
    studio.select(other);
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "status" }))["selected"], other.to_string());
    ask(&mut studio, &mut engine, json!({ "op": "select" }));
    assert_eq!(studio.selected(), None);
}

#[test]
fn any_part_of_a_list_is_asked_for() {
    let (mut engine, ball) = engine();
    let children: Vec<_> = (0..3).map(|_| engine.spawn(())).collect();
    engine.spawn_many((0..2_000).map(|_| ()));
    let last = engine.spawn(());
    engine.set_parent(children[2], ball).unwrap();
    engine.set_parent(children[1], children[2]).unwrap();
    let mut studio = Studio::new();
    let mut rows = |more: Value| {
        let mut request = json!({ "op": "entities" });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let found = ask(&mut studio, &mut engine, request);
        let row = |row: &Value| (row["entity"].as_str().unwrap().to_owned(), row["depth"].as_u64().unwrap());
        (found["total"].as_u64().unwrap(), found["entities"].as_array().unwrap().iter().map(row).collect::<Vec<_>>())
    };
    let listed = |ids: [(ecs::EntityId, u64); 4]| ids.map(|(id, depth)| (id.to_string(), depth)).to_vec();
    let tree = listed([(ball, 0), (children[2], 1), (children[1], 2), (children[0], 0)]);
    assert_eq!(rows(json!({ "tree": true, "limit": 4 })), (2_005, tree));
    assert_eq!(rows(json!({ "skip": 2_004 })), (2_005, vec![(last.to_string(), 0)]));
    assert_eq!(rows(json!({ "skip": 5_000 })), (2_005, vec![]));
    // Of events, too.
    (0..500).for_each(|_| _ = frame(&mut studio, &mut engine));
    let mut events = |skip: u64, limit: u64| {
        let found = ask(&mut studio, &mut engine, json!({ "op": "events", "skip": skip, "limit": limit }));
        (found["events"].as_array().unwrap().clone(), found["has_more"].as_bool().unwrap())
    };
    let (all, has_more) = events(0, 1_000);
    assert!(all.len() > 2 && !has_more, "{}", all.len());
    assert_eq!(events(1, 1), (vec![all[1].clone()], true));
    assert_eq!(events(all.len() as u64 - 1, 1), (vec![all[all.len() - 1].clone()], false));
}

#[test]
fn entities_are_found_by_conditions_and_sorted_by_values_among_all() {
    let (mut engine, _) = engine();
    let falling = |n: u32| (Ball { height_m: ((n * 7) % 150) as f32, speed_mps: 0.0 },);
    engine.spawn_many((0..150).map(falling));
    let mut studio = Studio::new();
    let mut heights = |request: Value| {
        let found = ask(&mut studio, &mut engine, request);
        assert_eq!((&found["is_search_cut"], &found["is_sort_cut"]), (&json!(false), &json!(false)), "{found}");
        let of = |entity: &Value| entity["values"]["ball"]["height_m"].as_f64().unwrap();
        (found["total"].as_u64().unwrap(), found["entities"].as_array().unwrap().iter().map(of).collect::<Vec<_>>())
    };
    let sorted = json!({
        "op": "entities", "columns": ["ball"], "sort": "ball/height_m", "descending": true, "limit": 3,
    });
    assert_eq!(heights(sorted), (151, vec![149.0, 148.0, 147.0]), "not only of those that are listed");
    let few = json!({
        "op": "entities", "with": ["ball.height_m >= 148", "ball.height_m!=149"], "columns": ["ball"], "sort": "ball/height_m",
    });
    assert_eq!(heights(few), (1, vec![148.0]));
    for text in ["ball.width_m > 0", "ball > 0", "ball != 7", "ball.height_m = high"] {
        assert_eq!(
            heights(json!({ "op": "entities", "with": [text] })).0,
            0,
            "{text}: only a number is compared with one"
        );
    }
    // Entities without the value come last in both orders.
    let other = engine.spawn(());
    for descending in [false, true] {
        let all = json!({ "op": "entities", "sort": "ball/height_m", "descending": descending, "limit": 1 });
        let first = ask(&mut studio, &mut engine, all)["entities"][0]["entity"].clone();
        assert_ne!(first, other.to_string());
    }
    let unknown = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": ["bell.height_m > 0"] }));
    assert_eq!(unknown["error"], "no component is registered as \"bell\"");
}

#[test]
fn events_are_found_by_the_id_of_an_entity() {
    let (mut engine, ball) = engine();
    let other = engine.spawn((Ball { height_m: 0.5, speed_mps: 0.0 },));
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..100).for_each(|_| _ = frame(&mut studio, &mut engine));
    let mut balls = |search: &str| {
        let answer = ask(&mut studio, &mut engine, json!({ "op": "events", "event": "Bounced", "search": search }));
        let events = answer["events"].as_array().unwrap().clone();
        events.iter().map(|event| event["value"]["ball"].clone()).collect::<Vec<_>>()
    };
    let (all, own) = (balls(""), balls(&other.to_string()));
    assert!(!own.is_empty() && own.len() < all.len(), "{} of {}", own.len(), all.len());
    assert!(own.iter().all(|found| *found == serde_json::to_value(other).unwrap()));
    assert!(balls(&ball.to_string()).len() + own.len() == all.len());
}

#[test]
fn entities_without_a_component_are_listed() {
    let (mut engine, ball) = engine();
    let mark = engine.spawn((Mark { speed_mps: 1.0 },));
    let mut studio = Studio::new();
    let both = engine.spawn((Mark { speed_mps: 1.0 }, Ball { height_m: 1.0, speed_mps: 0.0 }));
    let mut found = |with: &[&str], without: &[&str]| {
        let answer = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": with, "without": without }));
        let entities = answer["entities"].as_array().unwrap_or_else(|| panic!("{answer}"));
        entities.iter().map(|entity| entity["entity"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&["ball"], &["mark"]), [ball.to_string()]);
    assert_eq!(found(&[], &["ball"]), [mark.to_string()]);
    assert_eq!(found(&["ball", "mark"], &[]), [both.to_string()]);
    let unknown = ask(&mut studio, &mut engine, json!({ "op": "entities", "without": ["cube"] }));
    assert!(unknown["error"].as_str().is_some_and(|error| error.contains("cube")), "{unknown}");
}
