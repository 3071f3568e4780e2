//! Random prefabs are spawned and compared with a naive model of their texts.

use ecs::{Engine, EntityId, hierarchy::ChildOf};
use proptest::prelude::*;
use serde::Deserialize;

use crate::prefabs::kit::part;

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Flat<const N: usize> {
    #[serde(default)]
    a: i32,
    #[serde(default)]
    b: Inner,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Inner {
    x: i32,
    y: (i32, i32),
}

/// The fields of one component in a text; `None` if a field is missing.
#[derive(Clone, Debug, Default)]
struct Fields {
    a: Option<i32>,
    x: Option<i32>,
    y: Option<(i32, i32)>,
}

/// A prefab or a child in a text.
#[derive(Clone, Debug, Default)]
struct Body {
    /// The earlier prefab that it extends.
    like: Option<prop::sample::Index>,
    components: Vec<(usize, Fields)>,
    /// Components to remove, of those that exist.
    without: Vec<prop::sample::Index>,
    children: Vec<(usize, Body)>,
    without_children: Vec<prop::sample::Index>,
}

/// The expected result of a spawn.
#[derive(Clone, Debug, Default, PartialEq)]
struct Expected {
    components: Vec<(usize, i32, i32, (i32, i32))>,
    children: Vec<(usize, Expected)>,
}

fn fields() -> impl Strategy<Value = Fields> {
    let number = || prop::option::of(0..100);
    (number(), number(), prop::option::of((0..100, 0..100))).prop_map(|(a, x, y)| Fields { a, x, y })
}

fn without_repeats<T>(pairs: Vec<(usize, T)>) -> Vec<(usize, T)> {
    let mut kept: Vec<(usize, T)> = Vec::new();
    for pair in pairs {
        if kept.iter().all(|(name, _)| *name != pair.0) {
            kept.push(pair);
        }
    }
    kept
}

fn body() -> impl Strategy<Value = Body> {
    let leaf = Just(Body::default()).boxed();
    let indices = || prop::collection::vec(any::<prop::sample::Index>(), 0..2);
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let components = prop::collection::vec((0..3_usize, fields()), 0..3).prop_map(without_repeats);
        let children = prop::collection::vec((0..3_usize, inner), 0..3).prop_map(without_repeats);
        (prop::option::of(any::<prop::sample::Index>()), components, indices(), children, indices()).prop_map(
            |(like, components, without, children, without_children)| Body {
                like,
                components,
                without,
                children,
                without_children,
            },
        )
    })
}

/// Applies `body` to the prefab that it extends, and writes its text.
fn lay(body: &Body, before: &[Expected], below: Option<&Expected>) -> (Expected, String) {
    let mut text = String::new();
    let like = body.like.filter(|_| !before.is_empty()).map(|like| like.index(before.len()));
    let mut all = below.cloned().unwrap_or_default();
    if let Some(like) = like {
        text += &format!("like: \"p{like}\", ");
        all = before[like].clone();
    }
    text += "without: [";
    for index in &body.without {
        // The text names components that exist before the removal, each once.
        if !all.components.is_empty() {
            let (name, ..) = all.components.remove(index.index(all.components.len()));
            text += &format!("\"c{name}\", ");
        }
    }
    text += "], without_children: [";
    for index in &body.without_children {
        if !all.children.is_empty() {
            let (name, _) = all.children.remove(index.index(all.children.len()));
            text += &format!("\"k{name}\", ");
        }
    }
    text += "], components: {";
    for (name, fields) in &body.components {
        let at = all.components.iter().position(|(other, ..)| other == name).unwrap_or_else(|| {
            all.components.push((*name, 0, 0, (0, 0)));
            all.components.len() - 1
        });
        let (_, a, x, y) = &mut all.components[at];
        text += &format!("\"c{name}\": (");
        if let Some(fields) = fields.a {
            *a = fields;
            text += &format!("a: {fields}, ");
        }
        if fields.x.is_some() || fields.y.is_some() {
            text += "b: (";
            if let Some(fields) = fields.y {
                *y = fields;
                text += &format!("y: {fields:?}, ");
            }
            if let Some(fields) = fields.x {
                *x = fields;
                text += &format!("x: {fields}, ");
            }
            text += ")";
        }
        text += "), ";
    }
    text += "}, children: {";
    for (name, child) in &body.children {
        let at = all.children.iter().position(|(other, _)| other == name);
        let (laid, fields) = lay(child, before, at.map(|at| &all.children[at].1));
        match at {
            Some(at) => all.children[at].1 = laid,
            None => all.children.push((*name, laid)),
        }
        text += &format!("\"k{name}\": ({fields}), ");
    }
    (all, text + "}")
}

/// The components of an entity and its children.
fn found(engine: &Engine, entity: EntityId) -> Expected {
    let mut components = Vec::new();
    fn note<const N: usize>(engine: &Engine, entity: EntityId, components: &mut Vec<(usize, i32, i32, (i32, i32))>) {
        components.extend(engine.get::<Flat<N>>(entity).map(|flat| (N, flat.a, flat.b.x, flat.b.y)));
    }
    note::<0>(engine, entity, &mut components);
    note::<1>(engine, entity, &mut components);
    note::<2>(engine, entity, &mut components);
    let children = engine.children(entity).iter().map(|child| {
        let name = engine.get::<ChildOf>(*child).unwrap().name().unwrap();
        assert_eq!(part(engine, entity, name), *child);
        (name[1..].parse().unwrap(), found(engine, *child))
    });
    let children = children.collect();
    Expected { components, children }
}

/// Components are read in another order; children keep theirs.
fn sorted(mut expected: Expected) -> Expected {
    expected.components.sort_unstable();
    expected.children = expected.children.into_iter().map(|(name, child)| (name, sorted(child))).collect();
    expected
}

fn count(expected: &Expected) -> usize {
    1 + expected.children.iter().map(|(_, child)| count(child)).sum::<usize>()
}

proptest! {
    #[test]
    fn spawned_entities_equal_the_model_of_their_texts(bodies in prop::collection::vec(body(), 1..6), split in 0..6_usize, change in body()) {
        let mut laid: Vec<Expected> = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        for body in &bodies {
            let (expected, text) = lay(body, &laid, None);
            lines.push(format!("\"p{}\": ({text}),\n", laid.len()));
            laid.push(expected);
        }
        prop_assume!(laid.iter().map(count).sum::<usize>() < 2_000);
        // The second file is loaded first: the order must not matter.
        let (first, second) = lines.split_at(split.min(lines.len()));
        let mut prefabs = ecs::prefab::Prefabs::default();
        prefabs.register::<Flat<0>>("c0").unwrap().register::<Flat<1>>("c1").unwrap().register::<Flat<2>>("c2").unwrap();
        let files = [("b.ron", format!("{{{}}}", second.concat())), ("a.ron", format!("{{{}}}", first.concat()))];
        prop_assert!(prefabs.load_all(files).is_ok());
        let mut engine = Engine::new();
        engine.insert_resource(prefabs);
        let mut total = 0;
        let mut ids = Vec::new();
        for (at, expected) in laid.iter().enumerate() {
            let entity = engine.spawn_prefab(format!("p{at}")).unwrap();
            total += count(expected);
            prop_assert_eq!(found(&engine, entity), sorted(expected.clone()));
            prop_assert_eq!(engine.entities().len(), total);
            ids.push(entity);
        }
        // After any change of the last prefab, its entities equal newly spawned ones.
        let last = laid.len() - 1;
        let (expected, text) = lay(&change, &laid[..last], None);
        prop_assume!(count(&expected) < 2_000);
        let changed: Vec<(&str, String)> = if split.min(lines.len()) > last {
            vec![("a.ron", format!("{{{}\"p{last}\": ({text})}}", first[..last].concat()))]
        } else {
            let kept = second[..second.len() - 1].concat();
            vec![("b.ron", format!("{{{kept}\"p{last}\": ({text})}}"))]
        };
        prop_assert!(engine.reload_prefabs(changed).is_ok());
        prop_assert_eq!(found(&engine, ids[last]), sorted(expected.clone()));
        prop_assert_eq!(engine.entities().len(), total - count(&laid[last]) + count(&expected));
        let next = engine.spawn_prefab(format!("p{last}")).unwrap();
        prop_assert_eq!(found(&engine, next), sorted(expected));
        engine.despawn(next).unwrap();
        engine.despawn_many(ids).unwrap();
        prop_assert!(engine.entities().is_empty());
    }
}
