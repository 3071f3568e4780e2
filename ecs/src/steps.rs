//! Counts the steps of loops whose cost must not grow with the square of what a program has. In other builds than unit tests this is
//! nothing.

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
    use crate::system::Timing;
    use crate::{Commands, Engine, EntityId, Res, ResMut, Sender};

    #[derive(Clone, Copy)]
    struct Hit(EntityId);

    impl EntityEvent for Hit {
        fn entity(&self) -> EntityId {
            self.0
        }
    }

    struct First;
    struct Second;
    struct Fixed;

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
            ("readers", |engine, _| _ = engine.add_function(Timing::every_frame(), read).unwrap()),
            ("writers and readers", |engine, at| {
                match at % 2 {
                    0 => engine.add_function(Timing::every_frame(), write).unwrap(),
                    _ => engine.add_function(Timing::every_frame(), read).unwrap(),
                };
            }),
            ("functions of a set", |engine, _| {
                _ = engine.add_function(Timing::every_frame().in_set::<First>(), write).unwrap();
            }),
            ("functions of two sets in order", |engine, at| {
                let timing = Timing::every_frame();
                let timing = if at % 2 == 0 { timing.in_set::<First>() } else { timing.in_set::<Second>() };
                engine.add_function(timing, read).unwrap();
                if at == 0 {
                    engine.configure_set::<First>(|set| set.before::<Second>()).unwrap();
                }
            }),
            ("functions of a set with a fixed step", |engine, at| {
                if at == 0 {
                    engine.configure_set::<Fixed>(|set| set.fixed_step(FRAME)).unwrap();
                }
                engine.add_function(Timing::every_frame().in_set::<Fixed>(), write).unwrap();
            }),
            ("delayed functions beside a set with a fixed step", |engine, at| {
                if at == 0 {
                    engine.configure_set::<Fixed>(|set| set.fixed_step(FRAME)).unwrap();
                    engine.add_function(Timing::every_frame().in_set::<Fixed>(), write).unwrap();
                }
                engine.after(LATE, write).unwrap();
            }),
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
                engine.add_function(Timing::every_frame(), |mut commands: Commands| commands.spawn(())).unwrap();
            }),
        ];
        for (things, add) in all {
            let (few, many) = (steps(200, add), steps(400, add));
            assert!(few >= 200, "{things}: {few} steps are too few to be all");
            assert!(many <= 5 * few / 2, "{things}: {few} steps for 200, {many} for 400");
        }
    }
}
