//! Items, slices and pairs of queries that share the values of a pool live at the same time.

use ecs::{Engine, Query, With, Without};

struct Value(Box<u32>);
struct Mark;

fn engine() -> Engine {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..8).map(|n| (Value(Box::new(n)),)));
    ids.iter().step_by(2).for_each(|id| engine.insert(*id, (Mark,)).unwrap());
    engine
}

fn sorted(engine: &mut Engine) -> Vec<u32> {
    let mut values: Vec<_> = engine.query::<&Value>().iter().map(|value| *value.0).collect();
    values.sort_unstable();
    values
}

#[test]
fn disjoint_queries_keep_items_of_one_pool() {
    fn mix(mut marked: Query<&mut Value, With<Mark>>, mut plain: Query<&mut Value, Without<Mark>>) {
        let mut items: Vec<&mut Value> = marked.iter_mut().chain(plain.iter_mut()).collect();
        items.reverse();
        for item in &mut items {
            *item.0 += 10;
        }
        items.iter_mut().for_each(|item| *item.0 += 10);
        for (a, b) in marked.iter_mut().zip(plain.iter_mut()) {
            std::mem::swap(a, b);
        }
        marked.for_each_pair_mut(|a, b| {
            for plain in &mut plain {
                *plain.0 += 0;
                std::mem::swap(&mut a.0, &mut b.0);
                std::mem::swap(&mut a.0, &mut b.0);
            }
        });
    }
    let mut engine = engine();
    engine.run(mix).unwrap();
    assert_eq!(sorted(&mut engine), [20, 21, 22, 23, 24, 25, 26, 27]);
}

#[test]
fn slices_leave_the_other_rows_to_a_disjoint_query() {
    fn mix(mut marked: Query<(&mut Value, &Mark)>, mut plain: Query<&mut Value, Without<Mark>>) {
        let mut slots: Vec<&mut Value> = marked.slices_mut().flat_map(|(values, _)| values).collect();
        for (slot, item) in slots.iter_mut().zip(&mut plain) {
            *item.0 += 10;
            *slot.0 += 10;
        }
        *slots[0].0 = 10;
    }
    let mut engine = engine();
    engine.run(mix).unwrap();
    assert_eq!(sorted(&mut engine), [10, 11, 12, 13, 14, 15, 16, 17]);
}

#[test]
fn reader_and_writer_of_one_pool_live_at_the_same_time() {
    fn mix(plain: Query<&Value, Without<Mark>>, mut marked: Query<&mut Value, With<Mark>>) {
        let kept: Vec<&Value> = plain.iter().collect();
        marked.par_for_each(|value| *value.0 = 0);
        let sum: u32 = kept.iter().map(|value| *value.0).sum();
        assert_eq!(sum, 1 + 3 + 5 + 7);
    }
    engine().run(mix).unwrap();
}
