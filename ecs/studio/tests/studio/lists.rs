//! Entities and events that are searched, sorted and marked.

use ecs_studio::Studio;
use serde_json::{Value, json};

use super::{Ball, Mark, ask, engine, frame, hash};

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
    let none = heights(json!({ "op": "entities", "with": ["ball.height_m = high"] })).0;
    assert_eq!(none, 0, "only a number is compared with one");
    for (text, sentence) in [
        ("ball.width_m > 0", "`ball` has no field `width_m`: it has height_m, speed_mps"),
        ("ball > 0", "`ball` is no number: it has height_m, speed_mps"),
        ("ball != 7", "`ball` is no number: it has height_m, speed_mps"),
    ] {
        let refused = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": [text] }));
        assert_eq!(refused["error"], sentence);
    }
    // Entities without the value come last in both orders.
    let other = engine.spawn(());
    for descending in [false, true] {
        let all = json!({ "op": "entities", "sort": "ball/height_m", "descending": descending, "limit": 1 });
        let first = ask(&mut studio, &mut engine, all)["entities"][0]["entity"].clone();
        assert_ne!(first, other.to_string());
    }
    let unknown = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": ["bell.height_m > 0"] }));
    let sentence = "column 1: no component, resource or system is registered as `bell`: `ball` may be meant";
    assert_eq!(unknown["error"], sentence);
    let value = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": ["count(ball)"] }));
    assert_eq!(value["error"], "`count(ball)` is a value and no condition: compare it, as in `… > 0`");
}

#[test]
fn table_compares_the_shown_frame_with_the_one_before() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let mut bounces = Vec::new();
    let mut before = 0.0;
    for number in 1..=700 {
        frame(&mut studio, &mut engine);
        let speed = engine.get::<Ball>(ball).unwrap().speed_mps;
        if speed > before {
            bounces.push(number);
        }
        before = speed;
    }
    assert!(bounces.len() > 3);
    let hash = hash(&mut engine);
    // Also those with a checkpoint, and at the present.
    for number in bounces.iter().flat_map(|bounce| [bounce - 1, *bounce]).chain([300, 600, 700]) {
        ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": number }));
        for question in
            ["delta(ball.speed_mps) > 0", "ball and sent(bounced) > 0", "changed(ball) and ball.speed_mps > 0"]
        {
            if question.starts_with("changed") && !bounces.contains(&number) {
                continue;
            }
            let found = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": ["ball", question] }));
            assert_eq!(found["total"], u64::from(bounces.contains(&number)), "{question} in frame {number}: {found}");
        }
    }
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    assert_eq!(super::hash(&mut engine), hash, "looking changes nothing");
}

#[test]
fn exact_id_is_found_however_many_entities_are_searched() {
    let (mut engine, _) = engine();
    let all = engine.spawn_many((0..60_000).map(|n| (Ball { height_m: n as f32, speed_mps: 0.0 },)));
    let last = all[all.len() - 1];
    let mut studio = Studio::new();
    for with in [vec![], vec!["ball.height_m > -1"]] {
        let search = json!({ "op": "entities", "search": last.to_string(), "with": with });
        let found = ask(&mut studio, &mut engine, search);
        let listed = found["entities"].as_array().unwrap();
        assert!(listed.iter().any(|row| row["entity"] == last.to_string()), "{} {}", found["total"], found["searched"]);
    }
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

#[test]
fn table_keeps_the_rows_whose_part_is_empty() {
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    struct Aim {
        at: Option<Target>,
    }
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    struct Target {
        points: Option<u32>,
        is_near: bool,
    }
    let (mut engine, _) = engine();
    let aims = engine.types_mut().component_by::<Aim>("aim", |aim, hash| _ = hash.add(&aim.at.is_some()));
    aims.unwrap().save::<Aim>(1).unwrap();
    let mut spawn = |at| engine.spawn((Aim { at },)).to_string();
    let none = spawn(None);
    let empty = spawn(Some(Target { points: None, is_near: false }));
    let whole = spawn(Some(Target { points: Some(3), is_near: true }));
    let mut studio = Studio::new();
    for (with, wanted) in [
        ("aim.at.points", vec![&none, &empty, &whole]),
        ("aim.at.is_near", vec![&none, &whole]),
        ("aim.at.points > 1", vec![&whole]),
        ("aim.at.nothing", vec![&none]),
        ("not aim.at.points and aim", vec![&none, &empty]),
    ] {
        let found = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": [with], "columns": ["aim"] }));
        let found: Vec<_> =
            found["entities"].as_array().unwrap().iter().map(|row| row["entity"].as_str().unwrap()).collect();
        assert_eq!(found, wanted, "{with}");
    }
}
