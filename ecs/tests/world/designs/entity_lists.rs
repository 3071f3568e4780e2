//! Named entity lists keep the order of joining and never hold a despawned entity.

use std::collections::BTreeMap;

use ecs::{Commands, Engine, EntityId, EntityLists, Setup, System};
use proptest::prelude::*;

use super::FRAME;

fn members(engine: &Engine, entity_list: &str) -> Vec<EntityId> {
    engine.entity_lists().members(entity_list).collect()
}

#[test]
fn members_are_in_the_order_of_joining() {
    let mut engine = Engine::new();
    let entities: Vec<_> = (0..4).map(|_| engine.spawn(())).collect();
    for at in [2, 0, 3, 1] {
        assert_eq!(engine.join("guards", entities[at]), Ok(true));
    }
    assert_eq!(engine.join("guards", entities[2]), Ok(false), "a member keeps its place");
    assert_eq!(engine.leave("guards", entities[0]), Ok(true));
    assert_eq!(engine.leave("guards", entities[0]), Ok(false));
    assert_eq!(members(&engine, "guards"), [2, 3, 1].map(|at| entities[at]));
    assert_eq!(members(&engine, "thieves"), []);
}

#[test]
fn despawned_entity_leaves_all_lists() {
    let mut engine = Engine::new();
    let (alone, stays) = (engine.spawn(()), engine.spawn(()));
    let crowd = engine.spawn_many((0..3).map(|_| (1_u8,)));
    for entity in [alone, stays].iter().chain(&crowd) {
        engine.join("guards", *entity).unwrap();
        engine.join("singers", *entity).unwrap();
    }
    engine.despawn(alone).unwrap();
    engine.despawn_many(crowd).unwrap();
    assert_eq!((members(&engine, "guards"), members(&engine, "singers")), (vec![stays], vec![stays]));
    assert!(engine.join("guards", alone).is_err());
    let next = engine.spawn(());
    assert_eq!(engine.entity_lists().of(next).count(), 0, "a reused index inherits no membership");
}

/// Tags the first guard, so that it leaves the guards, and records a command for a despawned entity.
struct Promoter {
    gone: EntityId,
}

impl System for Promoter {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::promote);
    }
}

impl Promoter {
    fn promote(&mut self, entity_lists: EntityLists, mut commands: Commands) {
        let Some(first) = entity_lists.members("guards").next() else { return };
        commands.tag("captain", first);
        commands.leave("guards", first);
        commands.join("ältere", first);
        commands.join("guards", self.gone);
    }
}

#[test]
fn systems_read_lists_and_change_them_by_commands() {
    let mut engine = Engine::new();
    let (first, second, gone) = (engine.spawn(()), engine.spawn(()), engine.spawn(()));
    engine.join("guards", first).unwrap();
    engine.join("guards", second).unwrap();
    engine.despawn(gone).unwrap();
    engine.add(Promoter { gone }).unwrap().update(FRAME).unwrap();
    assert_eq!((engine.entity_lists().tagged("captain"), members(&engine, "guards")), (Some(first), vec![second]));
    let error = engine.command_errors()[0].to_string();
    assert!(error.starts_with(&format!("Promoter asked to join: entity {gone} does not exist")), "{error}");
    engine.update(FRAME).unwrap();
    assert_eq!(members(&engine, "captain"), [second], "a tag has one member");
    assert_eq!(members(&engine, "ältere"), [first, second]);
}

#[test]
fn leaving_a_list_without_being_a_member_is_an_error_of_the_system() {
    struct Deserter(EntityId);
    impl System for Deserter {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|deserter: &mut Self, mut commands: Commands| {
                commands.leave("guards", deserter.0);
                commands.leave("unknown", deserter.0);
            });
        }
    }
    let mut engine = Engine::new();
    let guard = engine.spawn(());
    engine.join("guards", guard).unwrap();
    engine.add(Deserter(guard)).unwrap();
    let mut errors = || {
        engine.update(FRAME).unwrap();
        engine.command_errors().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let of_unknown = "Deserter asked to leave: entity 1v1 is no member of the entity list \"unknown\"";
    assert_eq!(errors(), [of_unknown]);
    assert_eq!(
        errors(),
        ["Deserter asked to leave: entity 1v1 is no member of the entity list \"guards\"", of_unknown]
    );
}

#[test]
fn shrink_frees_memory_of_removed_members_and_keeps_the_others() {
    let mut engine = Engine::new();
    let all = engine.spawn_many((0..1_000).map(|_| ()));
    all.iter().for_each(|entity| _ = engine.join("guards", *entity).unwrap());
    let full = engine.memory().other_bytes_held;
    engine.despawn_many(all[3..].iter().copied()).unwrap();
    engine.leave("guards", all[0]).unwrap();
    engine.shrink();
    let shrunk = engine.memory().other_bytes_held;
    assert!(shrunk * 20 < full, "{full} bytes became {shrunk}");
    assert_eq!(members(&engine, "guards"), all[1..3]);
    engine.join("guards", all[0]).unwrap();
    assert_eq!(members(&engine, "guards"), [all[1], all[2], all[0]]);
}

#[test]
fn unused_list_names_count_as_memory_until_shrink() {
    let mut engine = Engine::new();
    let (anna, berta) = (engine.spawn(()), engine.spawn(()));
    engine.join("first", anna).unwrap();
    let held = |engine: &mut Engine| engine.memory().other_bytes_held;
    engine.shrink();
    let before = held(&mut engine);
    for number in 0..1_000 {
        let name = format!("squad number {number} of the whole wide world");
        engine.join(&name, anna).unwrap();
        engine.leave(&name, anna).unwrap();
    }
    engine.join("last", berta).unwrap();
    engine.join("last", anna).unwrap();
    assert!(held(&mut engine) > before + 30_000, "{} and {before}", held(&mut engine));
    engine.shrink();
    assert!(held(&mut engine) < before + 1_000, "{} and {before}", held(&mut engine));
    let entity_lists = engine.entity_lists();
    assert!(entity_lists.names().eq(["first", "last"]) && entity_lists.members("last").eq([berta, anna]));
    assert!(
        entity_lists.of(anna).eq(["first", "last"]) && entity_lists.is_empty("squad number 0 of the whole wide world")
    );
    let before = engine.snapshot().unwrap();
    engine.leave("first", anna).unwrap();
    engine.shrink();
    engine.restore(&before).unwrap();
    assert!(engine.entity_lists().of(anna).eq(["first", "last"]));
}

const NAMES: [&str; 4] = ["a", "b", "", "long name with a ü"];

#[derive(Clone, Copy, Debug)]
enum Change {
    Spawn,
    Despawn(usize),
    Join(usize, usize),
    Leave(usize, usize),
    Tag(usize, usize),
    Shrink,
}

fn change() -> impl Strategy<Value = Change> {
    let (entity, entity_list) = (0_usize..20, 0..NAMES.len());
    prop_oneof![
        3 => Just(Change::Spawn),
        1 => entity.clone().prop_map(Change::Despawn),
        8 => (entity.clone(), entity_list.clone()).prop_map(|(entity, entity_list)| Change::Join(entity, entity_list)),
        4 => (entity.clone(), entity_list.clone()).prop_map(|(entity, entity_list)| Change::Leave(entity, entity_list)),
        1 => (entity, entity_list).prop_map(|(entity, entity_list)| Change::Tag(entity, entity_list)),
        1 => Just(Change::Shrink),
    ]
}

proptest! {
    #[test]
    fn lists_equal_those_of_a_naive_model(changes in prop::collection::vec(change(), 0..200)) {
        let mut engine = Engine::new();
        let mut spawned = Vec::new();
        // All memberships in the order of joining.
        let mut model: Vec<(usize, EntityId)> = Vec::new();
        for change in changes {
            let (at, entity_list) = match change {
                Change::Spawn => {
                    spawned.push(engine.spawn(()));
                    continue;
                }
                Change::Shrink => {
                    engine.shrink();
                    continue;
                }
                Change::Despawn(at) => (at, 0),
                Change::Join(at, entity_list) | Change::Leave(at, entity_list) | Change::Tag(at, entity_list) => (at, entity_list),
            };
            let Some(entity) = spawned.get(at).copied() else { continue };
            let exists = engine.contains(entity);
            let is_member = model.contains(&(entity_list, entity));
            match change {
                Change::Spawn | Change::Shrink => {}
                Change::Despawn(_) => {
                    prop_assert_eq!(engine.despawn(entity).is_ok(), exists);
                    model.retain(|(_, member)| *member != entity);
                }
                Change::Join(..) => {
                    prop_assert_eq!(engine.join(NAMES[entity_list], entity).ok(), exists.then_some(!is_member));
                    model.extend((exists && !is_member).then_some((entity_list, entity)));
                }
                Change::Leave(..) => {
                    prop_assert_eq!(engine.leave(NAMES[entity_list], entity).ok(), exists.then_some(is_member));
                    model.retain(|membership| *membership != (entity_list, entity));
                }
                Change::Tag(..) => {
                    prop_assert_eq!(engine.tag(NAMES[entity_list], entity).is_ok(), exists);
                    if exists {
                        model.retain(|(of, member)| *of != entity_list || *member == entity);
                        model.extend((!is_member).then_some((entity_list, entity)));
                    }
                }
            }
        }
        let entity_lists = engine.entity_lists();
        let mut lists = BTreeMap::<&str, Vec<EntityId>>::new();
        for (entity_list, entity) in &model {
            lists.entry(NAMES[*entity_list]).or_default().push(*entity);
        }
        prop_assert!(entity_lists.names().eq(lists.keys().copied()));
        for (at, name) in NAMES.into_iter().enumerate() {
            let list = lists.remove(name).unwrap_or_default();
            prop_assert_eq!((entity_lists.len(name), entity_lists.is_empty(name)), (list.len(), list.is_empty()));
            prop_assert_eq!(entity_lists.tagged(name), list.first().copied());
            prop_assert_eq!(entity_lists.members(name).collect::<Vec<_>>(), list);
            for entity in &spawned {
                prop_assert_eq!(entity_lists.contains(name, *entity), model.contains(&(at, *entity)));
            }
        }
        for entity in &spawned {
            let own = model.iter().filter(|(_, member)| member == entity).map(|(entity_list, _)| NAMES[*entity_list]);
            prop_assert!(entity_lists.of(*entity).eq(own));
        }
    }
}
