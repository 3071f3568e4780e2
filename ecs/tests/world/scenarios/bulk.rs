//! Bulk changes: by one command, by one call, and with panics in the middle.

use ecs::{Commands, Engine, EntityId, Query, Setup, Spawner, System, With};

use super::log::FRAME;

/// Spawns and despawns in bulk.
#[derive(Default)]
struct Season {
    spawned: Vec<EntityId>,
}

impl System for Season {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::spawn).post_update(Self::despawn);
    }
}

impl Season {
    fn spawn(&mut self, mut commands: Commands, mut spawner: Spawner) {
        let spawned = &mut self.spawned;
        // The iterator itself records commands, also of the same type.
        commands.spawn_many((0..3_u64).map(|n| {
            spawned.push(spawner.spawn((n + 100,)));
            (n,)
        }));
    }

    fn despawn(&mut self, old: Query<(EntityId, &u64)>, mut commands: Commands) {
        commands.despawn_many(old.iter().map(|(entity, _)| entity));
        commands.despawn_many(self.spawned.drain(..self.spawned.len() - 3));
    }
}

#[test]
fn one_command_spawns_or_despawns_many() {
    let mut engine = Engine::new();
    engine.add(Season::default()).unwrap();
    engine.update(FRAME).unwrap();
    let seen = |engine: &mut Engine| engine.query::<&u64>().iter().copied().collect::<Vec<_>>();
    assert_eq!(seen(&mut engine), [100, 101, 102, 0, 1, 2]);
    assert!(engine.command_errors().is_empty());
    engine.update(FRAME).unwrap();
    let mut values = seen(&mut engine);
    values.sort_unstable();
    assert_eq!(values, [0, 1, 2, 100, 101, 102], "the old entities were despawned and as many spawned");
    let errors: Vec<_> = engine.command_errors().iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), 1, "the first despawned entity is named: {errors:?}");
    assert!(errors[0].starts_with("Season asked to despawn: entity "), "{}", errors[0]);
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Burning(u32);

/// Inserts `Burning` into its trees. There are several.
struct Lightning<const N: u32>(Vec<EntityId>);

impl<const N: u32> System for Lightning<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::strike);
    }
}

impl<const N: u32> Lightning<N> {
    fn strike(&mut self, mut commands: Commands) {
        commands.insert_many(self.0.iter().map(|tree| (*tree, (Burning(N), N as u8))));
    }
}

/// Removes `Burning` from all burning entities and from the given trees.
struct Rain(Vec<EntityId>);

impl System for Rain {
    fn setup(setup: &mut Setup<Self>) {
        setup.post_update(Self::fall);
    }
}

impl Rain {
    fn fall(&mut self, burning: Query<EntityId, With<Burning>>, mut commands: Commands) {
        commands.remove_many::<Burning>(self.0.drain(..).chain(burning.iter()));
    }
}

fn errors(engine: &Engine) -> Vec<String> {
    engine.command_errors().iter().map(ToString::to_string).collect()
}

#[test]
fn one_command_inserts_or_removes_a_component_of_many() {
    let mut engine = Engine::new();
    let trees = engine.spawn_many((0..6).map(|_| ("a tree",)));
    engine.despawn_many([trees[1], trees[4]]).unwrap();
    engine.add(Lightning::<1>(trees.clone())).unwrap();
    engine.update(FRAME).unwrap();
    let gone = |tree: EntityId| {
        format!(
            "Lightning<1> asked to insert: entity {tree} does not exist: it was despawned, or belongs to another engine"
        )
    };
    assert_eq!(errors(&engine), [gone(trees[1])], "the first despawned entity is named");
    let burning =
        |engine: &mut Engine| engine.query::<(EntityId, &Burning)>().iter().map(|row| row.0).collect::<Vec<_>>();
    assert_eq!(burning(&mut engine), [trees[0], trees[2], trees[3], trees[5]]);
    let query = engine.query::<(&&str, &Burning)>();
    assert_eq!(query.iter().map(|(_, burning)| *burning).collect::<Vec<_>>(), [Burning(1); 4]);
    // One of the given trees is not burning.
    engine.disable_system::<Lightning<1>>().unwrap();
    let stone = engine.spawn(("a stone",));
    engine.add(Rain(vec![stone])).unwrap();
    engine.update(FRAME).unwrap();
    assert_eq!(errors(&engine), [format!("Rain asked to remove: entity {stone} has no Burning")]);
    assert_eq!(burning(&mut engine), []);
    assert_eq!(engine.query::<&u8>().count(), 4, "the other insertions took effect");
}

#[test]
fn conflicting_bulk_insert_fails_only_for_conflicting_entities() {
    let mut engine = Engine::new();
    let gone = engine.spawn(());
    engine.despawn(gone).unwrap();
    let trees = engine.spawn_many((0..6).map(|_| ("a tree",)));
    engine.add(Lightning::<1>(trees[..4].to_vec())).unwrap();
    engine.add(Lightning::<2>([&[gone], &trees[2..]].concat())).unwrap();
    engine.update(FRAME).unwrap();
    let burning: Vec<_> = trees.iter().map(|tree| engine.get::<Burning>(*tree).unwrap().0).collect();
    assert_eq!(burning, [1, 1, 1, 1, 2, 2]);
    let stays = engine.query::<&u8>().iter().map(|value| u32::from(*value)).collect::<Vec<_>>();
    assert_eq!(stays, burning, "a bundle is refused as a whole");
    let [error] = &errors(&engine)[..] else { panic!("one command failed") };
    let conflict =
        format!("Lightning<2> asked to insert: Lightning<1> inserted Burning into entity {} in the same", trees[2]);
    assert!(error.starts_with(&conflict), "the first conflict is named, not the despawned entity: {error}");
}

#[test]
fn columns_of_unequal_length_are_refused() {
    let mut engine = Engine::new();
    let error = engine.spawn_columns((vec![1_u8, 2], vec!["one"])).unwrap_err();
    assert_eq!(error.to_string(), "the columns are of lengths [2, 1]: every row needs a value in each of them");
    assert!(engine.entities().is_empty());
}

#[test]
fn panicking_iterator_of_spawn_many_leaves_no_entity() {
    let mut engine = Engine::new();
    engine.spawn((7_u8, "seven"));
    let bundles = (0..5_u8).map(|n| (n, if n == 3 { panic!("third") } else { "fine" }));
    let spawn = std::panic::AssertUnwindSafe(|| engine.spawn_many(bundles));
    assert!(std::panic::catch_unwind(spawn).is_err());
    assert_eq!(engine.query::<(&u8, &&str)>().iter().collect::<Vec<_>>(), [(&7, &"seven")]);
    assert_eq!((engine.entities().len(), engine.components().pool::<u8>().unwrap().len()), (1, 1));
    engine.spawn_many([(8_u8, "eight")]);
    assert_eq!(engine.query::<(&u8, &&str)>().iter().collect::<Vec<_>>(), [(&7, &"seven"), (&8, &"eight")]);
}

/// Panics on the first drop only.
struct Fuse(bool);

impl Drop for Fuse {
    fn drop(&mut self) {
        assert!(!self.0, "the first drop");
    }
}

#[test]
fn panicking_drop_during_despawn_many_leaves_no_entity_alive() {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..6_u32).map(|n| (n, Fuse(n == 2), "last")));
    let despawn = std::panic::AssertUnwindSafe(|| engine.despawn_many(ids[1..5].iter().copied()));
    assert!(std::panic::catch_unwind(despawn).is_err());
    assert_eq!(engine.entities().len(), 2);
    let pools = engine.components();
    assert_eq!((pools.pool::<u32>().unwrap().len(), pools.pool::<Fuse>().unwrap().len()), (2, 2));
    assert_eq!(pools.pool::<&str>().unwrap().len(), 2);
}

#[test]
fn panicking_drop_during_despawn_many_leaves_none_alive_beside_a_disabled_entity() {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..6_u32).map(|n| (n, Fuse(n == 2), "last")));
    engine.disable(ids[5]).unwrap();
    let despawn = std::panic::AssertUnwindSafe(|| engine.despawn_many(ids[1..5].iter().copied()));
    assert!(std::panic::catch_unwind(despawn).is_err());
    assert_eq!(engine.entities().len(), 2);
    let pools = engine.components();
    assert_eq!((pools.pool::<u32>().unwrap().len(), pools.pool::<Fuse>().unwrap().len()), (2, 2));
    assert_eq!(pools.pool::<&str>().unwrap().len(), 2);
}

#[test]
fn panicking_drop_during_remove_many_leaves_none_beside_a_disabled_entity() {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..6_u32).map(|n| (n, Fuse(n == 2), "last")));
    engine.disable(ids[5]).unwrap();
    let remove = std::panic::AssertUnwindSafe(|| engine.remove_many::<Fuse>(ids[1..5].iter().copied()));
    assert!(std::panic::catch_unwind(remove).is_err());
    assert_eq!(engine.components().pool::<Fuse>().unwrap().len(), 2);
    assert!(ids[1..5].iter().all(|entity| engine.get::<Fuse>(*entity).is_none()));
    assert_eq!(engine.query::<(&u32, &Fuse)>().iter().map(|(n, _)| *n).collect::<Vec<_>>(), [0]);
}

/// Removes a component whose drop panics.
struct Removing(Vec<EntityId>);

impl System for Removing {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, mut commands: Commands| commands.remove_many::<Fuse>(own.0.drain(..)));
    }
}

#[test]
fn panicking_drop_during_remove_many_keeps_components_of_other_entities() {
    for is_by_command in [false, true] {
        let mut engine = Engine::new();
        let ids = engine.spawn_many((0..4_u32).map(|n| (n, Fuse(n == 0))));
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match is_by_command {
            false => engine.remove_many::<Fuse>(ids[..2].iter().copied()).unwrap(),
            true => {
                engine.add(Removing(ids[..2].to_vec())).unwrap();
                engine.update(FRAME).unwrap();
            }
        }));
        assert!(panicked.is_err());
        let owners: Vec<_> = engine.components().pool::<Fuse>().unwrap().iter().map(|(owner, _)| owner).collect();
        assert_eq!(owners, [ids[3], ids[2]]);
        assert_eq!(engine.query::<(&u32, &Fuse)>().iter().map(|(n, _)| *n).collect::<Vec<_>>(), [3, 2]);
        engine.update(FRAME).unwrap();
    }
}

#[test]
fn panicking_drop_during_despawn_many_leaves_no_component_of_any_kind() {
    let mut engine = Engine::new();
    let first = engine.spawn((Fuse(true),));
    let second = engine.spawn((Fuse(false), 2_u32));
    let stays = engine.spawn((Fuse(false), 3_u32));
    let despawn = std::panic::AssertUnwindSafe(|| engine.despawn_many([first, second]));
    assert!(std::panic::catch_unwind(despawn).is_err());
    assert!(engine.components().pool::<Fuse>().unwrap().iter().map(|(owner, _)| owner).eq([stays]));
    assert!(engine.components().pool::<u32>().unwrap().iter().map(|(owner, _)| owner).eq([stays]));
}

#[test]
fn iterator_of_entities_is_not_polled_after_its_end() {
    let mut engine = Engine::new();
    let ids = engine.spawn_many([(1_u8,), (2,), (3,)]);
    // Like a queue that others fill: it yields more after its first `None`.
    let mut items = [Some(ids[0]), None, Some(ids[1])].into_iter();
    engine.despawn_many(std::iter::from_fn(|| items.next().flatten())).unwrap();
    assert!(engine.contains(ids[1]));
    // Also after an entity that does not exist.
    let mut items = [Some(ids[0]), Some(ids[2]), None, Some(ids[1])].into_iter();
    assert!(engine.despawn_many(std::iter::from_fn(|| items.next().flatten())).is_err());
    assert!(engine.contains(ids[1]) && !engine.contains(ids[2]));
}

#[test]
fn free_slots_are_reused_before_new_ids_form_a_range() {
    let slots = |ids: &[EntityId]| ids.iter().map(|id| id.bits() as u32).collect::<Vec<_>>();
    let range = |first: u32, len: u32| (first..first + len).collect::<Vec<_>>();
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..100).map(|n| (n,)));
    let first = slots(&ids)[0];
    assert_eq!(slots(&ids), range(first, 100));
    assert_eq!(slots(&engine.spawn_columns((vec![0; 50],)).unwrap()), range(first + 100, 50));
    engine.despawn(ids[7]).unwrap();
    engine.despawn(ids[3]).unwrap();
    let later = slots(&engine.spawn_many((0..10).map(|n| (n,))));
    assert_eq!(later[..2], [first + 3, first + 7], "the last freed slot is reused first");
    assert_eq!(later[2..], range(first + 150, 8));
}
