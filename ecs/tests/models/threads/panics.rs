//! Panics on several threads: which one is raised, and the state afterwards.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::{Commands, EntityId, Priority, Query, Sender, Setup, System};

use crate::threads::schedule::{Schedule, engine};
use crate::threads::workers::{C, Elsewhere, Sent, Witness, c, mix};

pub(crate) const EXPECTED: &str = "it was too much";

/// The output of other threads is not captured by the test harness.
pub(crate) fn silence_expected_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !panic.payload_as_str().is_some_and(|message| message.contains(EXPECTED)) {
                loud(panic);
            }
        }));
    });
}

/// Writes a component of its own, sends events, records commands, and panics in some frames.
struct Unsteady<const W: usize>;

impl<const W: usize> System for Unsteady<W> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::stumble).post_update(Self::compute).listen(Self::on_sent);
    }
}

impl<const W: usize> Unsteady<W> {
    fn stumble(
        &mut self,
        time: ecs::Time,
        mut query: Query<(EntityId, &mut C<W>)>,
        mut sender: Sender<Sent<W>>,
        mut commands: Commands,
    ) {
        for (entity, component) in &mut query {
            component.0 = mix(component.0, time.frame());
            sender.send(Sent { by: entity.bits(), value: component.0 });
            match component.0 % 256 {
                0 => commands.despawn(entity),
                2 => panic!("{EXPECTED}, in frame {}", time.frame()),
                _ => {}
            }
        }
    }

    fn compute(&mut self, mut query: Query<&mut C<W>>) {
        query.iter_mut().for_each(|component| component.0 = mix(component.0, 7));
    }

    fn on_sent(&mut self, event: &Sent<W>, mut sender: Sender<Sent<0>>) {
        if event.value % 300 == 5 {
            sender.send(Sent { by: event.by, value: 0 });
            panic!("{EXPECTED}, at {}", event.value);
        }
    }
}

/// The panic and the state after each frame, and the number of frames in which each system panicked.
fn trace_of_panics(threads: usize) -> Vec<String> {
    let mut engine = engine(threads, &Schedule::of([4, 9], 0), &Elsewhere::new());
    engine.add(Unsteady::<0>).unwrap().add(Unsteady::<1>).unwrap().add(Unsteady::<2>).unwrap();
    engine.add(Unsteady::<3>).unwrap();
    for value in 0..24 {
        engine.spawn((c::<0>(value), c::<1>(value + 100), c::<2>(value + 200), c::<3>(value + 300)));
    }
    let mut trace = Vec::new();
    for _ in 0..100 {
        let frame = AssertUnwindSafe(|| engine.update(Duration::from_millis(16)));
        let end = match catch_unwind(frame) {
            Ok(result) => format!("{result:?}"),
            Err(payload) => *payload.downcast::<String>().expect("panics of systems are named"),
        };
        let mut components = Vec::new();
        engine.read::<(EntityId, &C<0>, &C<1>, &C<2>, &C<3>)>().for_each(|(id, a, b, c, d)| {
            components.push(mix(mix(mix(mix(id.bits(), a.0), b.0), c.0), d.0));
        });
        let heard = engine.system::<Witness>().unwrap().0;
        trace.push(format!("{end}; {} waiting; heard {heard}; {components:?}", engine.events().waiting()));
    }
    trace
}

#[test]
fn panics_and_the_state_after_them_are_equal_at_any_number_of_threads() {
    silence_expected_panics();
    let traces: Vec<_> = [1, 2, 4, 16].into_iter().map(trace_of_panics).collect();
    let frames_with = |text: &str| traces[0].iter().filter(|frame| frame.contains(text)).count();
    let counts = ["panicked in update", "panicked in its listener", "Ok(())"].map(frames_with);
    assert!(counts.iter().all(|count| *count >= 5), "the frames are not mixed: {counts:?}");
    for trace in &traces[1..] {
        assert!(trace == &traces[0]);
    }
}

/// Panics in its update if its flag is set. Each writes a component of its own, so all may run in parallel.
struct Faulty<const W: usize>(bool);

impl<const W: usize> System for Faulty<W> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|faulty: &mut Self, mut query: Query<&mut C<W>>| {
            query.iter_mut().for_each(|component| component.0 += 1);
            assert!(!faulty.0, "{EXPECTED}");
        });
    }
}

#[test]
fn first_of_several_panics_in_work_order_is_raised_at_any_number_of_threads() {
    silence_expected_panics();
    for threads in [1, 2, 4, 16] {
        for _ in 0..20 {
            let mut engine = engine(threads, &Schedule::of([], 0), &Elsewhere::new());
            let entity = engine.spawn((c::<0>(0), c::<1>(0), c::<2>(0), c::<3>(0)));
            engine.add(Faulty::<0>(false)).unwrap().add(Faulty::<3>(true)).unwrap();
            engine.add(Faulty::<1>(true)).unwrap().add(Faulty::<2>(true)).unwrap();
            engine.set_priority::<Faulty<2>>(Priority::HIGH).unwrap();
            let frame = catch_unwind(AssertUnwindSafe(|| engine.update(Duration::from_millis(16))));
            let message = frame.unwrap_err().downcast::<String>().unwrap();
            assert_eq!(*message, format!("system Faulty<2> panicked in update: {EXPECTED}"));
            let counts =
                engine.query::<(&C<0>, &C<1>, &C<2>, &C<3>)>().get(entity).map(|(a, b, c, d)| [a.0, b.0, c.0, d.0]);
            assert_eq!(counts, Some([1; 4]), "each system ran once");
        }
    }
}
