//! The program on this framework.

use std::path::Path;

use crate::Variant;

pub(crate) fn dependencies(root: &Path) -> String {
    let path = root.join("ecs");
    format!(
        "ecs = {{ package = \"lockstep_ecs\", path = {path:?}, features = [\"prefabs\"] }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n"
    )
}

pub(crate) fn source(variant: Variant) -> String {
    let Variant { count, prefabs, features, .. } = variant;
    let repeat = |template: &str| crate::repeat(count, template);
    let pick = |is_used: bool, with: &str, without: &str| if is_used { with } else { without }.to_owned();
    let types = format!(
        "{}\nstruct C#0 {{ value: f32 }}\n#[derive(Clone, Copy)]\nstruct E#0 {{ entity: EntityId, amount: f32 }}\n",
        pick(prefabs, "#[derive(Clone, serde::Deserialize)]", "#[derive(Clone)]"),
    );
    let updating = format!(
        "struct Update#0;
impl System for Update#0 {{
    fn setup(setup: &mut Setup<Self>) {{
        setup.update(Self::run){};
    }}
}}
impl Update#0 {{
    fn run(&mut self, time: Time, mut all: Query<(EntityId, {}, {}), With<C#2>>, mut events: Sender<E#0>) {{
        for (entity, {} value, rate) in &mut all {{
            {}
            value.value += rate.value * time.delta_seconds();
            if value.value > #0.5 {{
                events.send(E#0 {{ entity, amount: value.value }});
            }}
        }}
    }}
}}
",
        pick(features, ".run_if(is_running_#0).in_set::<Set#set>()", ""),
        pick(features, "Mut<C#0>", "&mut C#0"),
        pick(features, "Ref<C#1>", "&C#1"),
        pick(features, "mut", ""),
        pick(features, "std::hint::black_box(rate.is_changed());", ""),
    );
    let listening = format!(
        "struct Listen#0 {{ sum: f32 }}
impl System for Listen#0 {{
    fn setup(setup: &mut Setup<Self>) {{
        setup.listen(Self::hear);
    }}
}}
impl Listen#0 {{
    fn hear(&mut self, event: &E#0, mut all: Query<&mut C#0>, mut total: ResMut<Total>{}) {{
        if let Some(value) = all.get_mut(event.entity) {{
            value.value = 0.0;
        }}
        self.sum += event.amount;
        total.0 += 1{};
    }}
}}
",
        pick(features, ", hierarchy: Hierarchy", ""),
        pick(features, " + hierarchy.children(event.entity).len()", ""),
    );
    let conditions = "fn is_running_#0(total: Res<Total>) -> bool {\n    total.0 < 1_000_000 + #0\n}\n";
    let spawn = match prefabs {
        true => "    let entity = engine.spawn_prefab(\"p#0\")?;\n",
        false => "    let entity = engine.spawn((C#0 { value: #0.0 }, C#1 { value: 9.0 }, C#2 { value: 9.0 }));\n",
    };
    let spawn = format!("{spawn}    {}\n", pick(features, "engine.spawn_child(entity, ())?;", "_ = entity;"));
    let prefab =
        "    \"p#0\": (components: { \"c#0\": (value: #0.0), \"c#1\": (value: 9.0), \"c#2\": (value: 9.0) }),\n";
    let registered = format!(
        "    let mut prefabs = ecs::prefab::Prefabs::default();\n{}    prefabs.load(\"all.ron\", PREFABS)?;\n    engine.insert_resource(prefabs);\n",
        repeat("    prefabs.register::<C#0>(\"c#0\")?;\n")
    );
    let sets: String = (1..10)
        .map(|set| format!("    engine.configure_set::<Set{set}>(|set| set.after_type::<Set{}>())?;\n", set - 1))
        .collect();
    [
        "//! Generated.\n#![allow(warnings)]\nuse std::time::Duration;\nuse ecs::prelude::*;\n",
        &pick(features, "use ecs::query::{Mut, Ref};\n", ""),
        "struct Total(usize);\n",
        &repeat(&types),
        &repeat(&updating),
        &repeat(&listening),
        &pick(features, &repeat(conditions), ""),
        &pick(features, &(0..10).map(|set| format!("struct Set{set};\n")).collect::<String>(), ""),
        &pick(prefabs, &format!("const PREFABS: &str = r#\"{{\n{}}}\"#;\n", repeat(prefab)), ""),
        "fn main() -> Result<(), Box<dyn std::error::Error>> {\n    let mut engine = Engine::new();\n    engine.insert_resource(Total(0));\n",
        &repeat("    engine.add(Update#0)?.add(Listen#0 { sum: 0.0 })?;\n"),
        &pick(features, &sets, ""),
        &pick(prefabs, &registered, ""),
        &repeat(&spawn),
        "    for _ in 0..100 {\n        engine.update(Duration::from_millis(125))?;\n    }\n",
        "    println!(\"{} events\", engine.resource::<Total>().expect(\"it was inserted\").0);\n    Ok(())\n}\n",
    ]
    .concat()
}
