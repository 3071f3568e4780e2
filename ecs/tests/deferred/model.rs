//! Random commands of several systems, carried out by an engine and by a naive list of who inserted what.

use std::collections::BTreeMap;
use std::time::Duration;

use ecs::{Commands, Engine, EntityId, ResMut, Setup, System};
use proptest::prelude::*;

const WALLS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Colour(u32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Weight(u32);

struct Wet;

#[derive(Clone, Copy, Debug)]
enum Wish {
    Colour(usize, u32),
    Weight(usize, u32),
    Both(usize, u32),
    Wet(usize),
    Bare(usize),
    Despawn(usize),
}

/// What each system asks for in this frame.
struct Wishes(Vec<Vec<Wish>>, Vec<EntityId>);

struct Asker<const N: usize>;

impl<const N: usize> System for Asker<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::ask);
    }
}

impl<const N: usize> Asker<N> {
    fn ask(&mut self, mut wishes: ResMut<Wishes>, mut commands: Commands) {
        let Wishes(wishes, walls) = &mut *wishes;
        for wish in wishes[N].drain(..) {
            match wish {
                Wish::Colour(wall, n) => commands.insert(walls[wall], (Colour(n),)),
                Wish::Weight(wall, n) => commands.insert(walls[wall], (Wet, Weight(n))),
                Wish::Both(wall, n) => commands.insert(walls[wall], (Weight(n), Colour(n))),
                Wish::Wet(wall) => commands.insert(walls[wall], (Wet,)),
                Wish::Bare(wall) => commands.remove::<Colour>(walls[wall]),
                Wish::Despawn(wall) => commands.despawn(walls[wall]),
            }
        }
    }
}

fn wish() -> impl Strategy<Value = Wish> {
    let wall = 0..WALLS;
    prop_oneof![
        5 => (wall.clone(), any::<u32>()).prop_map(|(wall, n)| Wish::Colour(wall, n)),
        3 => (wall.clone(), any::<u32>()).prop_map(|(wall, n)| Wish::Weight(wall, n)),
        3 => (wall.clone(), any::<u32>()).prop_map(|(wall, n)| Wish::Both(wall, n)),
        2 => wall.clone().prop_map(Wish::Wet),
        2 => wall.clone().prop_map(Wish::Bare),
        1 => wall.prop_map(Wish::Despawn),
    ]
}

/// What a wall is made of; `None` if it is gone.
type Wall = Option<(Option<Colour>, Option<Weight>)>;

/// Carries out what all systems ask for; returns how many wishes were refused because of a conflict and because of something
/// else.
fn naive(walls: &mut [Wall], wishes: &[Vec<Wish>]) -> (usize, usize) {
    let (mut conflicts, mut others) = (0, 0);
    let mut inserted: BTreeMap<(usize, &'static str), usize> = BTreeMap::new();
    for (system, wish) in
        wishes.iter().enumerate().flat_map(|(system, list)| list.iter().map(move |wish| (system, *wish)))
    {
        let (at, colour, weight) = match wish {
            Wish::Colour(at, n) => (at, Some(Colour(n)), None),
            Wish::Weight(at, n) => (at, None, Some(Weight(n))),
            Wish::Both(at, n) => (at, Some(Colour(n)), Some(Weight(n))),
            Wish::Wet(at) | Wish::Bare(at) | Wish::Despawn(at) => (at, None, None),
        };
        let Some((own_colour, own_weight)) = &mut walls[at] else {
            others += 1;
            continue;
        };
        match wish {
            Wish::Bare(_) => others += usize::from(own_colour.take().is_none()),
            Wish::Despawn(_) => walls[at] = None,
            _ => {
                let names = [colour.map(|_| "colour"), weight.map(|_| "weight")];
                let keys = || names.iter().flatten().map(|name| (at, *name));
                if keys().any(|key| inserted.get(&key).is_some_and(|by| *by != system)) {
                    conflicts += 1;
                    continue;
                }
                keys().for_each(|key| _ = inserted.insert(key, system));
                *own_colour = colour.or(*own_colour);
                *own_weight = weight.or(*own_weight);
            }
        }
    }
    (conflicts, others)
}

proptest! {
    #[test]
    fn conflicts_are_those_of_a_naive_list(
        frames in prop::collection::vec(prop::collection::vec(prop::collection::vec(wish(), 0..6), 3), 1..6),
    ) {
        let mut engine = Engine::new();
        engine.insert_resource(Wishes(Vec::new(), Vec::new()));
        engine.add(Asker::<0>).unwrap().add(Asker::<1>).unwrap().add(Asker::<2>).unwrap();
        let mut ids: Vec<_> = (0..WALLS).map(|_| engine.spawn(())).collect();
        let mut walls: Vec<Wall> = vec![Some((None, None)); WALLS];
        for wishes in frames {
            let refused = naive(&mut walls, &wishes);
            engine.insert_resource(Wishes(wishes, ids.clone()));
            engine.update(Duration::ZERO).unwrap();
            let conflicts = engine.command_errors().iter().filter(|error| error.to_string().contains("in the same frame"));
            let conflicts = conflicts.count();
            prop_assert_eq!((conflicts, engine.command_errors().len() - conflicts), refused);
            for (id, wall) in ids.iter_mut().zip(&mut walls) {
                let found = engine.contains(*id).then(|| {
                    (engine.get::<Colour>(*id).copied(), engine.get::<Weight>(*id).copied())
                });
                prop_assert_eq!(found, *wall);
                // A wall that is gone is built anew, with the index of the old one.
                if wall.is_none() {
                    (*id, *wall) = (engine.spawn(()), Some((None, None)));
                }
            }
        }
    }
}
