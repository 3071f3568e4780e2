//! Memory overhead of a million entities with four components: bytes beyond the values themselves.
//!
//! `cargo bench -p lockstep_ecs --bench memory`

use ecs::Engine;

struct Position(#[allow(dead_code)] [f32; 3]);
struct Velocity(#[allow(dead_code)] [f32; 3]);
struct Health(#[allow(dead_code)] u32);
struct Name(#[allow(dead_code)] u64);

const COUNT: usize = 1_000_000;

fn row(n: usize) -> (Position, Velocity, Health, Name) {
    (Position([n as f32; 3]), Velocity([1.0; 3]), Health(n as u32), Name(n as u64))
}

fn print(title: &str, engine: &mut Engine) {
    let memory = engine.memory();
    let values: usize = memory.pools.iter().map(|pool| pool.len * pool.value_bytes).sum();
    let pools: usize = memory.pools.iter().map(|pool| pool.value_bytes_held + pool.index_bytes_held).sum();
    let per_entity = memory.entities.held_bytes as f64 / COUNT as f64;
    let per_component = (pools - values) as f64 / (COUNT * memory.pools.len()) as f64;
    println!("| {title} | {per_entity:.1} | {per_component:.1} |");
}

fn main() {
    println!("| a million entities with 4 components | bytes per entity | bytes per component, without its value |");
    println!("|---|---|---|");
    let mut engine = Engine::new();
    engine.reserve::<(Position, Velocity, Health, Name)>(COUNT);
    engine.spawn_many((0..COUNT).map(row));
    print("reserved, then `spawn_many`", &mut engine);
    let mut engine = Engine::new();
    (0..COUNT).for_each(|n| _ = engine.spawn(row(n)));
    print("spawned one by one", &mut engine);
    engine.shrink();
    print("the same after `shrink`", &mut engine);
}
