//! The program on bevy_ecs. It reads components from a text by reflection, as Bevy's own scenes do.

use std::path::Path;

use crate::Variant;

pub(crate) fn dependencies(_: &Path) -> String {
    "bevy_ecs = { version = \"0.20\", default-features = false, features = [\"std\", \"multi_threaded\", \"async_executor\", \"bevy_reflect\"] }
bevy_reflect = { version = \"0.20\", default-features = false, features = [\"std\"] }
ron = \"0.12\"
serde = \"1\"
"
    .to_owned()
}

pub(crate) fn source(variant: Variant) -> String {
    let Variant { count, prefabs, features, .. } = variant;
    let repeat = |template: &str| crate::repeat(count, template);
    let pick = |is_used: bool, with: &str, without: &str| if is_used { with } else { without }.to_owned();
    let types = format!(
        "{}\nstruct C#0 {{ value: f32 }}\n#[derive(Message, Clone, Copy)]\nstruct E#0 {{ entity: Entity, amount: f32 }}\n",
        pick(
            prefabs,
            "#[derive(Component, Clone, bevy_reflect::Reflect)]\n#[reflect(Component)]",
            "#[derive(Component, Clone)]"
        ),
    );
    let updating = format!(
        "fn update_#0(delta: Res<DeltaSeconds>, mut all: Query<(Entity, &mut C#0, {}), With<C#2>>, mut events: MessageWriter<E#0>) {{
    for (entity, mut value, rate) in &mut all {{
        {}
        value.value += rate.value * delta.0;
        if value.value > #0.5 {{
            events.write(E#0 {{ entity, amount: value.value }});
        }}
    }}
}}
",
        pick(features, "Ref<C#1>", "&C#1"),
        pick(features, "std::hint::black_box(rate.is_changed());", ""),
    );
    let listening = format!(
        "fn hear_#0(mut events: MessageReader<E#0>, mut all: Query<&mut C#0>, mut total: ResMut<Total>, mut sum: Local<f32>{}) {{
    for event in events.read() {{
        if let Ok(mut value) = all.get_mut(event.entity) {{
            value.value = 0.0;
        }}
        *sum += event.amount;
        total.0 += 1{};
    }}
}}
",
        pick(features, ", parents: Query<&Children>", ""),
        pick(features, " + parents.get(event.entity).map_or(0, |children| children.len())", ""),
    );
    let conditions = "fn is_running_#0(total: Res<Total>) -> bool {\n    total.0 < 1_000_000 + #0\n}\n";
    let add = format!(
        "    MessageRegistry::register_message::<E#0>(&mut world);\n    schedule.add_systems(update_#0{});\n    schedule.add_systems(hear_#0.after(update_#0));\n",
        pick(features, ".run_if(is_running_#0).in_set(Set#set)", "")
    );
    let sets: String =
        (1..10).map(|set| format!("    schedule.configure_sets(Set{set}.after(Set{}));\n", set - 1)).collect();
    let set_types: String = (0..10)
        .map(|set| format!("#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]\nstruct Set{set};\n"))
        .collect();
    let spawn = match prefabs {
        true => "    let entity = spawn_prefab(&mut world, &registry, PREFABS[#0])?;\n",
        false => "    let entity = world.spawn((C#0 { value: #0.0 }, C#1 { value: 9.0 }, C#2 { value: 9.0 })).id();\n",
    };
    let spawn = format!("{spawn}    {}\n", pick(features, "world.spawn(ChildOf(entity));", "_ = entity;"));
    let prefab = "    &[r#\"{\"@::C#0\": (value: #0.0)}\"#, r#\"{\"@::C#1\": (value: 9.0)}\"#, r#\"{\"@::C#2\": (value: 9.0)}\"#],\n"
        .replace('@', &format!("bevy_ecs_{}", variant.name));
    let prefabs_by_reflection = format!(
        "const PREFABS: &[&[&str]] = &[\n{}];
fn spawn_prefab(world: &mut World, registry: &bevy_reflect::TypeRegistry, texts: &[&str]) -> Result<Entity, Box<dyn std::error::Error>> {{
    use serde::de::DeserializeSeed;
    let entity = world.spawn_empty().id();
    for text in texts {{
        let mut text = ron::Deserializer::from_str(text)?;
        let value = bevy_reflect::serde::ReflectDeserializer::new(registry).deserialize(&mut text)?;
        let type_info = value.get_represented_type_info().ok_or(\"a type\")?;
        let component = registry.get_type_data::<ReflectComponent>(type_info.type_id()).ok_or(\"a component\")?;
        component.insert(&mut world.entity_mut(entity), value.as_partial_reflect(), registry);
    }}
    Ok(entity)
}}
",
        repeat(&prefab)
    );
    let registered = format!(
        "    let mut registry = bevy_reflect::TypeRegistry::new();\n    registry.register::<f32>();\n{}",
        repeat("    registry.register::<C#0>();\n")
    );
    [
        "//! Generated.\n#![allow(warnings)]\nuse bevy_ecs::message::{MessageRegistry, message_update_system};\nuse bevy_ecs::prelude::*;\n",
        "#[derive(Resource)]\nstruct Total(usize);\n#[derive(Resource)]\nstruct DeltaSeconds(f32);\n",
        &repeat(&types),
        &repeat(&updating),
        &repeat(&listening),
        &pick(features, &repeat(conditions), ""),
        &pick(features, &set_types, ""),
        &pick(prefabs, &prefabs_by_reflection, ""),
        "fn main() -> Result<(), Box<dyn std::error::Error>> {\n    let mut world = World::new();\n    let mut schedule = Schedule::default();\n",
        "    world.insert_resource(Total(0));\n    world.insert_resource(DeltaSeconds(0.125));\n    schedule.set_executor(bevy_ecs::schedule::SingleThreadedExecutor::new());\n",
        &repeat(&add),
        "    let mut update = Schedule::default();\n    update.add_systems(message_update_system);\n",
        &pick(features, &sets, ""),
        &pick(prefabs, &registered, ""),
        &repeat(&spawn),
        "    for _ in 0..100 {\n        schedule.run(&mut world);\n        update.run(&mut world);\n    }\n",
        "    println!(\"{} events\", world.resource::<Total>().0);\n    Ok(())\n}\n",
    ]
    .concat()
}
