//! Links that come and go in each frame.

use ecs::hierarchy::Hierarchy;
use ecs::relation::{Related, Relation, Unrelated};
use ecs::{Commands, Engine, EntityId, Setup, Spawner, System};

use super::{FRAME, touches_after};

struct Likes(#[allow(dead_code)] u32);
impl Relation for Likes {}

/// Despawns the family of the last frame and builds a new one, whose members like each other.
#[derive(Default)]
struct Families {
    root: Option<EntityId>,
    events: u32,
}

impl System for Families {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::exchange).listen(Self::on_related).listen(Self::on_unrelated);
    }
}

impl Families {
    fn exchange(&mut self, hierarchy: Hierarchy, mut spawner: Spawner, mut commands: Commands) {
        if let Some(root) = self.root {
            for (at, child) in hierarchy.descendants(root).enumerate() {
                match at % 3 {
                    0 => commands.set_parent(child, root),
                    1 => commands.remove_parent(child),
                    _ => commands.unrelate::<Likes>(root, child),
                }
                if at % 3 == 1 {
                    commands.despawn(child);
                }
            }
            commands.despawn(root);
        }
        let root = spawner.spawn((1_u8,));
        let mut last = root;
        for n in 0..12 {
            let child = spawner.spawn_child(if n % 2 == 0 { root } else { last }, (n,));
            commands.relate(root, child, Likes(n));
            commands.relate(child, last, Likes(n));
            last = child;
        }
        self.root = Some(root);
    }

    fn on_related(&mut self, _: &Related<Likes>) {
        self.events += 1;
    }

    fn on_unrelated(&mut self, _: &Unrelated<Likes>) {
        self.events += 1;
    }
}

#[test]
fn links_that_come_and_go_allocate_nothing() {
    let mut engine = Engine::new();
    engine.add(Families::default()).unwrap();
    let touched = touches_after(30, |_| engine.update(FRAME).unwrap());
    assert_eq!(touched, 0);
    assert_eq!((engine.entities().len(), engine.system::<Families>().unwrap().events), (13, 80 * 24 + 79 * 24));
    let before = engine.memory().other_bytes_held;
    engine.shrink();
    assert!(engine.memory().other_bytes_held < before);
}
