//! Items that lend the data of links live at the same time, beside readers of other links.

use ecs::query::LinksMut;
use ecs::relation::{Links, Relation};
use ecs::{Engine, EntityId, Query, With, Without};

struct Knows(Box<u32>);
impl Relation for Knows {}

struct Mark;

#[test]
fn data_of_links_is_lent_for_several_entities_at_once() {
    fn mix(
        mut marked: Query<(EntityId, LinksMut<Knows>), With<Mark>>,
        plain: Query<&Links<Knows>, Without<Mark>>,
    ) -> u32 {
        let kept: Vec<&Links<Knows>> = plain.iter().collect();
        let mut items: Vec<_> = marked.iter_mut().collect();
        items.reverse();
        let (first, rest) = items.split_at_mut(1);
        std::mem::swap(first[0].1.first_mut().1, rest[0].1.first_mut().1);
        let lent: Vec<&mut Knows> = items.into_iter().flat_map(|(_, links)| links).map(|(_, knows)| knows).collect();
        lent.into_iter().rev().for_each(|knows| *knows.0 += 10);
        for (_, mut links) in &mut marked {
            links.iter_mut().for_each(|(_, knows)| *knows.0 += kept.len() as u32);
        }
        kept.iter().flat_map(|links| links.iter()).map(|(_, knows)| *knows.0).sum()
    }
    let mut engine = Engine::new();
    let all: Vec<EntityId> = (0..6).map(|_| engine.spawn(())).collect();
    for (at, source) in all.iter().enumerate() {
        (1..3).for_each(|by| engine.relate(*source, all[(at + by) % 6], Knows(Box::new(at as u32))).unwrap());
        if at % 2 == 0 {
            engine.insert(*source, (Mark,)).unwrap();
        }
    }
    assert_eq!(engine.run(mix).unwrap(), 2 * (1 + 3 + 5));
    let values = |source: EntityId| engine.related::<Knows>(source).map(|(_, knows)| *knows.0).collect::<Vec<_>>();
    assert_eq!([values(all[0]), values(all[2]), values(all[4])], [vec![13, 13], vec![17, 15], vec![15, 17]]);
}
