//! A parallel iteration that sends events and records commands: in the order of the entities, at any number of threads.

use std::error::Error;
use std::time::Duration;

use ecs::prelude::*;

/// Half-life of one frame.
struct Atom;

#[derive(Clone, Copy)]
struct Decayed {
    atom: EntityId,
}

/// Counts the decays, and remembers their order.
#[derive(Default)]
struct Geiger {
    decayed: Vec<EntityId>,
}

impl System for Geiger {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::decay).listen(Self::on_decayed);
    }
}

impl Geiger {
    fn decay(
        &mut self,
        time: Time,
        mut atoms: Query<EntityId, With<Atom>>,
        mut decayed: Sender<Decayed>,
        mut commands: Commands,
    ) {
        let frame = time.frame();
        // Each chunk of rows gets a sender and commands of its own; they are joined in the order of the rows.
        atoms.par_for_each_with((&mut decayed, &mut commands), |(decayed, commands), atom| {
            if is_over(atom, frame) {
                decayed.send(Decayed { atom });
                commands.despawn(atom);
            }
        });
    }

    fn on_decayed(&mut self, event: &Decayed) {
        self.decayed.push(event.atom);
    }
}

/// Two coins for each atom and frame.
fn is_over(atom: EntityId, frame: u64) -> bool {
    let coin = atom.bits() + frame;
    (coin.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32).is_multiple_of(4)
}

fn run(threads: usize) -> Result<(Vec<EntityId>, usize), Box<dyn Error>> {
    let mut engine = Engine::builder().threads(threads).build();
    engine.add(Geiger::default())?;
    engine.spawn_many((0..20_000).map(|_| (Atom,)));
    for _ in 0..3 {
        engine.update(Duration::from_millis(16))?;
    }
    let left = engine.query::<&Atom>().count();
    let geiger = engine.system_mut::<Geiger>().expect("it was added");
    Ok((std::mem::take(&mut geiger.decayed), left))
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (decayed, left) = run(1)?;
    println!("{} atoms decayed, {left} are left", decayed.len());
    assert_eq!(decayed.len() + left, 20_000);
    for threads in [2, 4] {
        assert!(run(threads)? == (decayed.clone(), left), "the same events in the same order");
    }
    Ok(())
}
