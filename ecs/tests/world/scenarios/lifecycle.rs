//! Lifecycle events of entities and components.

use ecs::{Added, Commands, Despawned, Disabled, Enabled, EntityId, Query, Removed, ResMut, Setup, Spawned, System};

use super::log::{self, Log};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Coins(u32);
struct NotCopy(#[allow(dead_code)] String);

/// Logs every lifecycle event.
struct Registrar;

impl System for Registrar {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(Self::on_spawned)
            .listen(Self::on_despawned)
            .listen(Self::on_enabled)
            .listen(Self::on_disabled)
            .listen(Self::on_added)
            .listen(Self::on_added_not_copy)
            .listen(Self::on_removed);
    }
}

impl Registrar {
    fn on_spawned(&mut self, event: &Spawned, coins: Query<&Coins>, mut log: ResMut<Log>) {
        log.note(format!("spawned:{}[{}]", event.entity, coins.get(event.entity).map_or(0, |coins| coins.0)));
    }

    fn on_despawned(&mut self, event: &Despawned, mut log: ResMut<Log>) {
        log.note(format!("despawned:{}", event.entity));
    }

    fn on_enabled(&mut self, event: &Enabled, mut log: ResMut<Log>) {
        log.note(format!("enabled:{}", event.entity));
    }

    fn on_disabled(&mut self, event: &Disabled, mut log: ResMut<Log>) {
        log.note(format!("disabled:{}", event.entity));
    }

    fn on_added(&mut self, event: &Added<Coins>, mut log: ResMut<Log>) {
        log.note(format!("added:{}", event.entity));
    }

    fn on_added_not_copy(&mut self, event: &Added<NotCopy>, mut log: ResMut<Log>) {
        log.note(format!("name:{}", event.entity));
    }

    fn on_removed(&mut self, event: &Removed<Coins>, mut log: ResMut<Log>) {
        log.note(format!("removed:{}={}", event.entity, event.value.as_ref().unwrap().0));
    }
}

#[test]
fn changes_between_frames_are_announced_in_the_next_frame() {
    let mut engine = log::engine();
    engine.add(Registrar).unwrap();
    let entity = engine.spawn((Coins(5), NotCopy("n".into())));
    assert_eq!(log::frame(&mut engine), "added:1v1 name:1v1 spawned:1v1[5]");
    engine.insert(entity, (Coins(6),)).unwrap();
    assert_eq!(log::frame(&mut engine), "", "a replacement is not announced");
    engine.remove::<Coins>(entity).unwrap();
    assert_eq!(log::frame(&mut engine), "removed:1v1=6");
    engine.insert(entity, (Coins(7),)).unwrap();
    engine.disable(entity).unwrap();
    engine.disable(entity).unwrap();
    engine.enable(entity).unwrap();
    engine.enable(entity).unwrap();
    assert_eq!(log::frame(&mut engine), "added:1v1 disabled:1v1 enabled:1v1", "a change is announced once");
    engine.get_mut::<Coins>(entity).unwrap().0 = 8;
    engine.despawn(entity).unwrap();
    assert_eq!(log::frame(&mut engine), "removed:1v1=8 despawned:1v1");
}

#[test]
fn spawns_between_adding_the_listener_and_the_first_frame_are_announced() {
    let mut engine = log::engine();
    engine.spawn((Coins(1),));
    engine.add(Registrar).unwrap();
    engine.spawn((Coins(2),));
    assert_eq!(log::frame(&mut engine), "added:2v1 spawned:2v1[2]", "earlier entities are not announced");
}

/// Makes all changes by command in one frame.
struct Changer(EntityId);

impl System for Changer {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::change).once_after(std::time::Duration::ZERO);
    }
}

impl Changer {
    fn change(&mut self, mut commands: Commands) {
        commands.disable(self.0);
        commands.insert(self.0, (Coins(3),));
        commands.spawn((Coins(4),));
        commands.remove::<Coins>(self.0);
        commands.despawn(self.0);
    }
}

#[test]
fn changes_by_command_are_announced_in_order_in_the_same_frame() {
    let mut engine = log::engine();
    let entity = engine.spawn(());
    engine.add(Registrar).unwrap().add(Changer(entity)).unwrap();
    assert_eq!(log::frame(&mut engine), "disabled:1v1 added:1v1 added:2v1 spawned:2v1[4] removed:1v1=3 despawned:1v1");
}

#[test]
fn removed_carries_the_last_value_of_a_disabled_component_too() {
    let mut engine = log::engine();
    engine.add(Registrar).unwrap();
    let entity = engine.spawn((Coins(9),));
    engine.disable_component::<Coins>(entity).unwrap();
    engine.disable(entity).unwrap();
    log::frame(&mut engine);
    engine.despawn(entity).unwrap();
    assert_eq!(log::frame(&mut engine), "removed:1v1=9 despawned:1v1");
}

#[test]
fn lifecycle_events_are_not_sent_without_listeners() {
    let mut engine = log::engine();
    let entity = engine.spawn((Coins(1),));
    engine.despawn(entity).unwrap();
    log::frame(&mut engine);
    assert_eq!(engine.events().iter().count(), 0);
}
