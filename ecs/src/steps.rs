//! Counts the steps of loops whose cost must not grow with the square of what a program has. In other builds than unit
//! tests this is nothing.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts steps of a loop.
#[inline(always)]
pub(crate) fn count(steps: usize) {
    #[cfg(test)]
    STEPS.with(|all| all.set(all.get() + steps as u64));
    let _ = steps;
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::STEPS;
    use crate::event::EntityEvent;
    use crate::relation::Relation;
    use crate::state_machine::{State, StateMachine};
    use crate::system::FunctionId;
    use crate::{Commands, Configure, Engine, EntityId, Res, ResMut, Sender, Setup, System};

    #[derive(Clone, Copy)]
    struct Hit(EntityId);

    impl EntityEvent for Hit {
        fn entity(&self) -> EntityId {
            self.0
        }
    }

    struct First;
    struct Second;

    const FRAME: Duration = Duration::from_millis(10);
    const LATE: Duration = Duration::from_secs(1_000);

    fn write(mut number: ResMut<u32>) {
        *number += 1;
    }

    fn read(_: Res<u32>) {}

    /// The steps in two frames with `count` things, which `add` adds one by one.
    fn steps(count: usize, add: fn(&mut Engine, usize)) -> u64 {
        let mut engine = Engine::new();
        engine.insert_resource(0_u32);
        (0..count).for_each(|at| add(&mut engine, at));
        STEPS.set(0);
        engine.update(FRAME).unwrap();
        // One comes, and one ends.
        engine.after(FRAME, write).unwrap();
        engine.update(FRAME).unwrap();
        engine.update(FRAME).unwrap();
        STEPS.get()
    }

    #[test]
    fn steps_of_frames_grow_with_the_number_of_things() {
        type Add = fn(&mut Engine, usize);
        let all: [(&str, Add); 12] = [
            ("delayed functions", |engine, _| _ = engine.after(LATE, write).unwrap()),
            ("repeating functions", |engine, _| _ = engine.every(FRAME, write).unwrap()),
            ("readers", |engine, _| _ = engine.add(read).unwrap()),
            ("writers and readers", |engine, at| {
                match at % 2 {
                    0 => engine.add(write).unwrap(),
                    _ => engine.add(read).unwrap(),
                };
            }),
            ("functions of a set", |engine, _| {
                _ = engine.add(write.in_set::<First>()).unwrap();
            }),
            ("functions of two sets in order", |engine, at| {
                engine.add(if at % 2 == 0 { read.in_set::<First>() } else { read.in_set::<Second>() }).unwrap();
                if at == 0 {
                    engine.configure_set::<First>(|set| set.before_type::<Second>()).unwrap();
                }
            }),
            ("functions after others", |engine, at| {
                _ = match at % 2 {
                    0 => engine.add(write),
                    _ => engine.add(read.after(write)),
                };
            }),
            ("chains", |engine, _| _ = engine.add((write, read).chain()).unwrap()),
            ("functions that end at once", |engine, _| {
                let entity = engine.spawn(());
                engine.after(FRAME, move |mut hits: Sender<Hit>| hits.send(Hit(entity))).unwrap();
            }),
            ("observers", |engine, _| {
                let entity = engine.spawn(());
                engine.observe(entity, |_: &Hit, mut number: ResMut<u32>| *number += 1).unwrap();
                engine.send(Hit(entity));
            }),
            ("listeners", |engine, at| {
                engine.listen(|_: &Hit, mut number: ResMut<u32>| *number += 1).unwrap();
                if at == 0 {
                    engine.send(Hit(EntityId::default()));
                }
            }),
            ("functions that command", |engine, _| {
                engine.add(|mut commands: Commands| commands.spawn(())).unwrap();
            }),
        ];
        for (things, add) in all {
            let (few, many) = (steps(200, add), steps(400, add));
            assert!(few >= 200, "{things}: {few} steps are too few to be all");
            assert!(many <= 5 * few / 2, "{things}: {few} steps for 200, {many} for 400");
        }
    }

    /// The steps of `act` after `prepare`.
    fn steps_of<T>(prepare: impl FnOnce(&mut Engine) -> T, act: impl FnOnce(&mut Engine, T)) -> u64 {
        let mut engine = Engine::new();
        let prepared = prepare(&mut engine);
        STEPS.set(0);
        act(&mut engine, prepared);
        STEPS.get()
    }

    /// Joins entity lists, which are numbered, and leaves them in another order.
    fn steps_of_lists(members: &[(usize, usize)], leaves: &[(usize, usize)]) -> u64 {
        let most = members.iter().map(|(entity, _)| entity + 1).max().unwrap_or(0);
        let names: Vec<_> = (0..=members.len()).map(|list| list.to_string()).collect();
        let prepare = |engine: &mut Engine| (0..most).map(|_| engine.spawn(())).collect::<Vec<_>>();
        steps_of(prepare, |engine, entities| {
            for (entity, list) in members {
                assert_eq!(engine.join(&names[*list], entities[*entity]), Ok(true));
            }
            for (entity, list) in leaves {
                assert_eq!(engine.leave(&names[*list], entities[*entity]), Ok(true));
            }
            assert!(names.iter().all(|name| engine.entity_lists().is_empty(name)));
        })
    }

    #[test]
    fn entity_lists_can_be_joined_and_left_one_by_one_in_any_order() {
        type Members = fn(usize) -> Vec<(usize, usize)>;
        let all: [(&str, Members); 4] = [
            ("one entity in many lists", |count| (0..count).map(|list| (0, list)).collect()),
            ("many entities in one list", |count| (0..count).map(|entity| (entity, 0)).collect()),
            ("two entities in many lists", |count| (0..count).map(|at| (at % 2, at / 2)).collect()),
            ("many entities in two lists", |count| (0..count).map(|at| (at / 2, at % 2)).collect()),
        ];
        type Order = fn(&mut Vec<(usize, usize)>);
        let orders: [Order; 3] =
            [|_| {}, |members| members.reverse(), |members| members.sort_by_key(|(entity, list)| (entity + list) % 7)];
        for (things, members) in all {
            for order in orders {
                let steps = |count: usize| {
                    let members = members(count);
                    let mut leaves = members.clone();
                    order(&mut leaves);
                    steps_of_lists(&members, &leaves)
                };
                let (few, many) = (steps(500), steps(1_000));
                assert!(few >= 500, "{things}: {few} steps are too few to be all");
                assert!(many <= 5 * few / 2, "{things}: {few} steps for 500, {many} for 1,000");
            }
        }
    }

    #[test]
    fn functions_can_be_cancelled_one_by_one_in_any_order() {
        type Add = fn(&mut Engine, EntityId) -> FunctionId;
        let all: [(&str, Add); 4] = [
            ("delayed functions", |engine, _| engine.after(LATE, write).unwrap()),
            ("repeating functions", |engine, _| engine.every(FRAME, write).unwrap()),
            ("listeners", |engine, _| engine.listen(|_: &Hit| {}).unwrap()),
            ("observers", |engine, entity| engine.observe(entity, |_: &Hit| {}).unwrap()),
        ];
        type Cancel = fn(&mut Engine, FunctionId);
        let ways: [Cancel; 2] = [
            |engine, function| assert!(engine.cancel(function)),
            |engine, function| engine.run(move |mut commands: Commands| commands.cancel(function)).unwrap(),
        ];
        type Order = fn(&mut [FunctionId]);
        let orders: [Order; 3] = [|_| {}, |functions| functions.reverse(), |functions| functions.rotate_left(200)];
        for (things, add) in all {
            for (cancel, order) in ways.iter().flat_map(|way| orders.map(|order| (way, order))) {
                let steps = |count: usize| {
                    let prepare = |engine: &mut Engine| {
                        engine.insert_resource(0_u32);
                        let entity = engine.spawn(());
                        let mut functions: Vec<_> = (0..2 * count).map(|_| add(engine, entity)).collect();
                        order(&mut functions);
                        engine.update(FRAME).unwrap();
                        functions
                    };
                    // Half of them stay.
                    steps_of(prepare, |engine, functions| {
                        functions[..count].iter().for_each(|function| cancel(engine, *function));
                        assert_eq!(engine.systems().len(), count);
                        engine.update(FRAME).unwrap();
                    })
                };
                let (few, many) = (steps(500), steps(1_000));
                assert!(few >= 500, "{things}: {few} steps are too few to be all");
                assert!(many <= 5 * few / 2, "{things}: {few} steps for 500, {many} for 1,000");
            }
        }
    }

    /// A link that can have many others beside it.
    struct Tie;
    impl Relation for Tie {}

    #[test]
    fn links_can_be_ended_in_any_order() {
        type Order = fn(&mut Vec<(EntityId, EntityId)>);
        let orders: [(&str, Order); 5] = [
            ("in order", |_| {}),
            ("in reverse", |links| links.reverse()),
            ("from the middle", |links| {
                let half = links.len() / 2;
                links.rotate_left(half);
            }),
            ("every second first", |links| {
                let (even, odd): (Vec<_>, Vec<_>) = links.iter().enumerate().partition(|(at, _)| at % 2 == 0);
                *links = even.into_iter().chain(odd).map(|(_, link)| *link).collect();
            }),
            // Each number times one that has no divisor in common with their count.
            ("scattered", |links| *links = (0..links.len()).map(|at| links[at * 1_237 % links.len()]).collect()),
        ];
        let of_source = |count: usize, is_source: bool, order: Order| {
            let prepare = |engine: &mut Engine| {
                let one = engine.spawn(());
                let others: Vec<_> = (0..count).map(|_| engine.spawn(())).collect();
                let links = others.into_iter().map(|other| if is_source { (one, other) } else { (other, one) });
                links.inspect(|(from, to)| engine.relate(*from, *to, Tie).unwrap()).collect::<Vec<_>>()
            };
            let end = |engine: &mut Engine, mut links: Vec<_>| {
                order(&mut links);
                links.into_iter().for_each(|(from, to)| engine.unrelate::<Tie>(from, to).unwrap());
                assert_eq!(engine.query::<&crate::relation::Links<Tie>>().count(), 0);
            };
            steps_of(prepare, end)
        };
        for (is_source, (name, order)) in [false, true].into_iter().flat_map(|one| orders.map(|order| (one, order))) {
            let steps = |count| of_source(count, is_source, order);
            let (few, many) = (steps(1_000), steps(2_000));
            assert!(few >= 1_000, "{name}: {few} steps are too few to be all");
            assert!(many <= 5 * few / 2, "{name}: {few} steps for 1,000, {many} for 2,000");
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn functions_that_wait_for_systems_can_be_saved() {
        struct Last;
        impl System for Last {
            fn setup(setup: &mut Setup<Self>) {
                setup.update(|_: &mut Self| {});
            }
        }
        fn wait() {}
        let steps = |count: usize| {
            let prepare = |engine: &mut Engine| {
                engine.types_mut().function("wait", wait).unwrap();
                (0..count).for_each(|_| _ = engine.add(wait.once_after(LATE).before_type::<Last>()).unwrap());
                engine.add(Last).unwrap();
            };
            steps_of(prepare, |engine, ()| engine.save(&mut Vec::new()).unwrap())
        };
        let (few, many) = (steps(500), steps(1_000));
        assert!(few >= 500, "{few} steps are too few to be all");
        assert!(many <= 5 * few / 2, "{few} steps for 500, {many} for 1,000");
    }

    #[cfg(feature = "prefabs")]
    #[test]
    fn prefabs_can_be_loaded_file_by_file() {
        use crate::prefab::Prefabs;

        let text = |at: usize| match at {
            0 => format!("\"{at}\": ()"),
            _ => format!("\"{at}\": (like: \"{}\")", at / 2),
        };
        let by_files = |count: usize, prefabs_in_file: usize| {
            let mut prefabs = Prefabs::default();
            STEPS.set(0);
            for file in 0..count / prefabs_in_file {
                let texts: Vec<_> = (0..prefabs_in_file).map(|at| text(file * prefabs_in_file + at)).collect();
                prefabs.load(format!("{file}.ron"), format!("{{ {} }}", texts.join(", "))).unwrap();
            }
            assert_eq!(prefabs.names().count(), count);
            STEPS.get()
        };
        for prefabs_in_file in [1, 10, 500] {
            let (few, many) = (by_files(500, prefabs_in_file), by_files(1_000, prefabs_in_file));
            assert!(few >= 500, "{few} steps are too few to be all");
            assert!(many <= 5 * few / 2, "{few} steps for 500, {many} for 1,000");
        }
    }

    /// Many types: of components, events, systems and states.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Numbered<const A: usize, const B: usize>(u8);

    impl<const A: usize, const B: usize> State for Numbered<A, B> {
        const TRANSITIONS: &'static [(Self, Self)] = &[(Self(0), Self(1))];
    }

    impl<const A: usize, const B: usize> System for Numbered<A, B> {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self| {});
            setup.listen(|_: &mut Self, _: &Numbered<A, B>| {});
        }
    }

    /// What is done for each type.
    trait Each {
        fn act<const A: usize, const B: usize>(engine: &mut Engine);
    }

    fn each_of_row<E: Each, const A: usize>(engine: &mut Engine) {
        E::act::<A, 0>(engine);
        E::act::<A, 1>(engine);
        E::act::<A, 2>(engine);
        E::act::<A, 3>(engine);
        E::act::<A, 4>(engine);
        E::act::<A, 5>(engine);
        E::act::<A, 6>(engine);
        E::act::<A, 7>(engine);
    }

    /// The steps to add things of 24 and of 48 types, and of two frames with them.
    fn steps_of_types<E: Each>() -> [u64; 2] {
        let rows: [fn(&mut Engine); 6] = [
            each_of_row::<E, 0>,
            each_of_row::<E, 1>,
            each_of_row::<E, 2>,
            each_of_row::<E, 3>,
            each_of_row::<E, 4>,
            each_of_row::<E, 5>,
        ];
        [3, 6].map(|count| {
            let two_frames = |engine: &mut Engine| (0..2).for_each(|_| engine.update(FRAME).unwrap());
            steps_of(
                |_| (),
                |engine, ()| {
                    rows[..count].iter().for_each(|row| row(engine));
                    two_frames(engine);
                },
            )
        })
    }

    struct Listeners;
    struct Components;
    struct Systems;
    struct Machines;

    impl Each for Listeners {
        fn act<const A: usize, const B: usize>(engine: &mut Engine) {
            engine.listen(|_: &Numbered<A, B>| {}).unwrap();
            engine.send(Numbered::<A, B>(0));
        }
    }

    impl Each for Components {
        fn act<const A: usize, const B: usize>(engine: &mut Engine) {
            engine.spawn((Numbered::<A, B>(0),));
        }
    }

    impl Each for Systems {
        fn act<const A: usize, const B: usize>(engine: &mut Engine) {
            engine.add(Numbered::<A, B>(0)).unwrap();
        }
    }

    impl Each for Machines {
        fn act<const A: usize, const B: usize>(engine: &mut Engine) {
            struct Entering<const A: usize, const B: usize>;
            impl<const A: usize, const B: usize> System for Entering<A, B> {
                fn setup(setup: &mut Setup<Self>) {
                    setup.on_enter(Numbered::<A, B>(0), |_: &mut Self| {});
                }
            }
            engine.add_state_machine(StateMachine::new(Numbered::<A, B>(0))).unwrap();
            engine.add(Entering::<A, B>).unwrap();
        }
    }

    #[test]
    fn types_can_be_added_one_by_one() {
        let all = [
            ("listeners", steps_of_types::<Listeners>()),
            ("components", steps_of_types::<Components>()),
            ("systems", steps_of_types::<Systems>()),
            ("state machines", steps_of_types::<Machines>()),
        ];
        for (things, [few, many]) in all {
            assert!(few >= 24, "{things}: {few} steps are too few to be all");
            assert!(many <= 5 * few / 2, "{things}: {few} steps for 24, {many} for 48");
        }
    }
}
