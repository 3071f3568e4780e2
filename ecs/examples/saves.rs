//! Saves: a save of version 1 of a program is loaded by version 2, which has changed one component and removed another.
//! Also: saves as text, and a damaged save. Prints the dropped component, the save as text, and the error of the
//! damaged save.
//!
//! `cargo run -p lockstep_ecs --features serde --example saves`

use std::error::Error;
use std::time::Duration;

use ecs::prelude::*;
use ecs::snapshot::{StateHasher, TypeKind};
use serde::{Deserialize, Serialize};

const DAY: Duration = Duration::from_secs(86_400);

/// The first version of the program.
mod first {
    use super::*;

    #[derive(Clone, Serialize, Deserialize)]
    struct Height(f32);
    #[derive(Clone, Serialize, Deserialize)]
    struct Pest;

    pub(crate) fn saved_garden() -> Result<Vec<u8>, Box<dyn Error>> {
        let mut engine = Engine::new();
        let types = engine.types_mut();
        types.component_by("height", |height: &Height, hash| _ = hash.add(&height.0))?.save_with_text::<Height>(1)?;
        types.component_by("pest", |_: &Pest, _| {})?.save_with_text::<Pest>(1)?;
        engine.add(grow)?;
        engine.spawn((Height(1.0), Pest));
        engine.spawn((Height(2.5),));
        let mut bytes = Vec::new();
        engine.save(&mut bytes)?;
        Ok(bytes)
    }
}

/// A plant in the second version, which has `width_m` and no pests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Size {
    height_m: f32,
    width_m: f32,
}

fn hash_size(size: &Size, hash: &mut StateHasher) {
    hash.add(&size.height_m).add(&size.width_m);
}

fn grow(mut sizes: Query<&mut Size>) {
    sizes.iter_mut().for_each(|size| size.height_m += 0.5);
}

fn garden() -> Result<Engine, Box<dyn Error>> {
    let mut engine = Engine::new();
    let types = engine.types_mut();
    // "height" is now `Size`; `convert` builds it from version 1.
    types.component_by("height", hash_size)?.save_with_text::<Size>(2)?;
    types.convert(1, |height_m: f32| Ok(Size { height_m, width_m: height_m / 2.0 }))?;
    types.removed(TypeKind::Component, "pest");
    engine.add(grow)?;
    Ok(engine)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let bytes = first::saved_garden()?;
    let mut engine = garden()?;
    let loaded = engine.load(&mut bytes.as_slice())?;
    for dropped in &loaded.dropped {
        println!("dropped {} {} \"{}\"", dropped.count, dropped.kind, dropped.name);
    }
    assert_eq!((loaded.dropped[0].count, loaded.converted[0].from), (1, 1));

    engine.update(DAY)?;
    let heights: Vec<f32> = engine.query::<&Size>().iter().map(|size| size.height_m).collect();
    assert_eq!(heights, [1.5, 3.0]);

    // The same save as text, for people and tests.
    let text = engine.save_text()?;
    println!("{text}");
    let mut again = garden()?;
    again.load_text(&text.replace("height_m:3.0", "height_m:4.0"))?;
    assert!(again.query::<&Size>().iter().any(|size| size.height_m == 4.0));

    // A damaged save is refused and changes nothing.
    let mut damaged = bytes;
    damaged[40] ^= 1;
    println!("{}", engine.load(&mut damaged.as_slice()).expect_err("a bit was flipped"));
    assert_eq!(engine.time().frame(), 1);
    Ok(())
}
