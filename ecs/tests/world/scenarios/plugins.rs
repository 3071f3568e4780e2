//! Plugins: nested, added once, and tested alone.

use std::time::Duration;

use ecs::prelude::*;
use ecs::system::SetupError;
use ecs::{Error, Plugin};

struct Height(f32);

struct Gravity(f32);

struct Falling;

impl System for Falling {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fall);
    }
}

impl Falling {
    fn fall(&mut self, gravity: Res<Gravity>, mut bodies: Query<&mut Height>) {
        bodies.iter_mut().for_each(|height| height.0 -= gravity.0);
    }
}

struct GravityPlugin(f32);

impl Plugin for GravityPlugin {
    fn build(self, engine: &mut Engine) -> Result<(), Error> {
        engine.insert_resource(Gravity(self.0));
        engine.add(Falling)?;
        engine.types_mut().component::<u8>("lives")?;
        Ok(())
    }
}

/// Adds the gravity plugin unless it was added before.
struct ParachutePlugin;

impl Plugin for ParachutePlugin {
    fn build(self, engine: &mut Engine) -> Result<(), Error> {
        if !engine.has_plugin::<GravityPlugin>() {
            engine.add_plugin(GravityPlugin(1.0))?;
        }
        Ok(())
    }
}

fn height_after_a_frame(engine: &mut Engine) -> f32 {
    let body = engine.spawn((Height(10.0),));
    engine.update(Duration::ZERO).unwrap();
    engine.get::<Height>(body).unwrap().0
}

#[test]
fn plugin_adds_systems_resources_and_types() {
    let mut engine = Engine::new();
    engine.add_plugin(GravityPlugin(3.0)).unwrap();
    assert_eq!(height_after_a_frame(&mut engine), 7.0);
    assert!(engine.types_mut().component::<u16>("lives").is_err(), "the plugin took the name");
}

#[test]
fn nested_plugin_is_added_unless_it_was_added_before() {
    let mut engine = Engine::new();
    engine.add_plugin(ParachutePlugin).unwrap();
    assert_eq!(height_after_a_frame(&mut engine), 9.0);
    let mut engine = Engine::new();
    engine.add_plugin(GravityPlugin(3.0)).unwrap().add_plugin(ParachutePlugin).unwrap();
    assert_eq!(height_after_a_frame(&mut engine), 7.0);
}

#[test]
fn function_is_a_plugin() {
    fn plugin(engine: &mut Engine) -> Result<(), Error> {
        engine.add_plugin(GravityPlugin(2.0)).map(drop)
    }
    let mut engine = Engine::new();
    engine.add_plugin(plugin).unwrap();
    assert_eq!(height_after_a_frame(&mut engine), 8.0);
}

#[test]
fn plugin_is_added_once() {
    let mut engine = Engine::new();
    engine.add_plugin(GravityPlugin(1.0)).unwrap();
    let error = engine.add_plugin(GravityPlugin(2.0)).map(drop).unwrap_err();
    assert_eq!(error, SetupError::PluginAlreadyAdded { plugin: "GravityPlugin" }.into());
    assert_eq!(error.to_string(), "plugin GravityPlugin was added already: ask `has_plugin` before adding it again");
    assert_eq!(height_after_a_frame(&mut engine), 9.0);
}

#[test]
fn plugins_that_add_each_other_are_an_error() {
    struct Chicken;
    struct Egg;
    impl Plugin for Chicken {
        fn build(self, engine: &mut Engine) -> Result<(), Error> {
            engine.add_plugin(Egg).map(drop)
        }
    }
    impl Plugin for Egg {
        fn build(self, engine: &mut Engine) -> Result<(), Error> {
            engine.add_plugin(Chicken).map(drop)
        }
    }
    let error = Engine::new().add_plugin(Chicken).map(drop).unwrap_err();
    assert_eq!(error, SetupError::PluginAlreadyAdded { plugin: "Chicken" }.into());
}
