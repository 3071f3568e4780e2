//! Two queries of one method write the same component: hunters and prey. No entity is both. Prints the weights
//! after each frame, and the error of two queries that may meet.
//!
//! `cargo run -p lockstep_ecs --example disjoint_queries`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

/// In kilograms.
struct Weight(f32);

/// Eats animals that are not hunters.
struct Hunter {
    bite_kg: f32,
}

/// Hunters eat from prey. The queries are disjoint: one requires what the other excludes.
fn bite(
    mut hunters: Query<(&Hunter, &mut Weight)>,
    mut prey: Query<(EntityId, &mut Weight), Without<Hunter>>,
    mut commands: Commands,
) {
    for (hunter, weight) in &mut hunters {
        for (id, eaten) in &mut prey {
            let bite_kg = hunter.bite_kg.min(eaten.0);
            eaten.0 -= bite_kg;
            weight.0 += bite_kg;
            if eaten.0 == 0.0 {
                commands.despawn(id);
            }
        }
    }
}

/// Refused: an entity with a weight may be a hunter or not.
fn compare(_: Query<&mut Weight>, _: Query<&Weight, With<Hunter>>) {}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add(bite)?;
    let wolf = engine.spawn((Weight(40.0), Hunter { bite_kg: 2.0 }));
    let hare = engine.spawn((Weight(3.0),));
    let deer = engine.spawn((Weight(90.0),));

    for frame in 1..=2 {
        engine.update(Duration::from_secs(1))?;
        let weights: Vec<f32> = engine.read::<&Weight>().iter().map(|weight| weight.0).collect();
        println!("frame {frame}: {weights:?} kg");
    }
    assert_eq!(engine.get::<Weight>(wolf).map(|weight| weight.0), Some(47.0));
    assert!(!engine.contains(hare), "the hare is eaten");

    // Components of several entities, by their ids.
    if let Ok([wolf, deer]) = engine.query::<&mut Weight>().get_many_mut([wolf, deer]) {
        std::mem::swap(wolf, deer);
    }
    assert_eq!(engine.get::<Weight>(deer).map(|weight| weight.0), Some(47.0));

    let refused = engine.run(compare).err().map(|error| error.to_string()).unwrap_or_default();
    println!("{refused}");
    assert!(refused.contains("may find component Weight of the same entity"));
    Ok(())
}
