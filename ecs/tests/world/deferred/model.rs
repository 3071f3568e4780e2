//! Random commands of several systems, compared with a naive list of inserts.

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
enum Request {
    Colour(usize, u32),
    Weight(usize, u32),
    Both(usize, u32),
    Wet(usize),
    Bare(usize),
    Despawn(usize),
}

/// The requests of each system in this frame.
struct Requests(Vec<Vec<Request>>, Vec<EntityId>);

struct Requester<const N: usize>;

impl<const N: usize> System for Requester<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send_requests);
    }
}

impl<const N: usize> Requester<N> {
    fn send_requests(&mut self, mut requests: ResMut<Requests>, mut commands: Commands) {
        let Requests(requests, walls) = &mut *requests;
        for request in requests[N].drain(..) {
            match request {
                Request::Colour(wall, n) => commands.insert(walls[wall], (Colour(n),)),
                Request::Weight(wall, n) => commands.insert(walls[wall], (Wet, Weight(n))),
                Request::Both(wall, n) => commands.insert(walls[wall], (Weight(n), Colour(n))),
                Request::Wet(wall) => commands.insert(walls[wall], (Wet,)),
                Request::Bare(wall) => commands.remove::<Colour>(walls[wall]),
                Request::Despawn(wall) => commands.despawn(walls[wall]),
            }
        }
    }
}

fn request() -> impl Strategy<Value = Request> {
    let wall = 0..WALLS;
    prop_oneof![
        5 => (wall.clone(), any::<u32>()).prop_map(|(wall, n)| Request::Colour(wall, n)),
        3 => (wall.clone(), any::<u32>()).prop_map(|(wall, n)| Request::Weight(wall, n)),
        3 => (wall.clone(), any::<u32>()).prop_map(|(wall, n)| Request::Both(wall, n)),
        2 => wall.clone().prop_map(Request::Wet),
        2 => wall.clone().prop_map(Request::Bare),
        1 => wall.prop_map(Request::Despawn),
    ]
}

/// The components of a wall; `None` if it was despawned.
type Wall = Option<(Option<Colour>, Option<Weight>)>;

/// Applies the requests of all systems. Returns how many were refused because of a conflict, and how many because of
/// something else.
fn naive(walls: &mut [Wall], requests: &[Vec<Request>]) -> (usize, usize) {
    let (mut conflicts, mut others) = (0, 0);
    let mut inserted: BTreeMap<(usize, &'static str), usize> = BTreeMap::new();
    for (system, request) in
        requests.iter().enumerate().flat_map(|(system, list)| list.iter().map(move |request| (system, *request)))
    {
        let (at, colour, weight) = match request {
            Request::Colour(at, n) => (at, Some(Colour(n)), None),
            Request::Weight(at, n) => (at, None, Some(Weight(n))),
            Request::Both(at, n) => (at, Some(Colour(n)), Some(Weight(n))),
            Request::Wet(at) | Request::Bare(at) | Request::Despawn(at) => (at, None, None),
        };
        let Some((own_colour, own_weight)) = &mut walls[at] else {
            others += 1;
            continue;
        };
        match request {
            Request::Bare(_) => others += usize::from(own_colour.take().is_none()),
            Request::Despawn(_) => walls[at] = None,
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
    fn conflicts_equal_those_of_a_naive_list(
        frames in prop::collection::vec(prop::collection::vec(prop::collection::vec(request(), 0..6), 3), 1..6),
    ) {
        let mut engine = Engine::new();
        engine.insert_resource(Requests(Vec::new(), Vec::new()));
        engine.add(Requester::<0>).unwrap().add(Requester::<1>).unwrap().add(Requester::<2>).unwrap();
        let mut ids: Vec<_> = (0..WALLS).map(|_| engine.spawn(())).collect();
        let mut walls: Vec<Wall> = vec![Some((None, None)); WALLS];
        for requests in frames {
            let refused = naive(&mut walls, &requests);
            engine.insert_resource(Requests(requests, ids.clone()));
            engine.update(Duration::ZERO).unwrap();
            let conflicts = engine.command_errors().iter().filter(|error| error.to_string().contains("in the same frame"));
            let conflicts = conflicts.count();
            prop_assert_eq!((conflicts, engine.command_errors().len() - conflicts), refused);
            for (id, wall) in ids.iter_mut().zip(&mut walls) {
                let found = engine.contains(*id).then(|| {
                    (engine.get::<Colour>(*id).copied(), engine.get::<Weight>(*id).copied())
                });
                prop_assert_eq!(found, *wall);
                // A despawned wall is spawned again, with the index of the old one.
                if wall.is_none() {
                    (*id, *wall) = (engine.spawn(()), Some((None, None)));
                }
            }
        }
    }
}
