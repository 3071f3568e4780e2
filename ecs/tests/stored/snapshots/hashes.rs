//! State hashes are equal everywhere and differ where the state differs.

use ecs::{
    Engine,
    snapshot::{StableHash, StateHasher},
};

fn hash(value: &(impl StableHash + ?Sized)) -> u64 {
    StateHasher::default().add(value).finish()
}

fn engine(is_other_way_round: bool) -> Engine {
    let mut engine = Engine::new();
    let types = engine.types_mut();
    if is_other_way_round {
        types.component::<f32>("height").unwrap().component::<u32>("score").unwrap();
    } else {
        types.component::<u32>("score").unwrap().component::<f32>("height").unwrap();
    }
    types.resource::<u64>("wind").unwrap().event::<u8>("knock").unwrap();
    engine
}

#[test]
fn hashes_of_values_never_change() {
    assert_eq!(hash(&0_u8), hash(&0_usize));
    assert_eq!(hash(&-1_i8), hash(&u64::MAX));
    assert_eq!(hash(&f32::NAN), hash(&-f32::NAN));
    assert_ne!(hash(&0.0_f32), hash(&-0.0_f32));
    assert_ne!(hash(&(vec![1_u8], vec![2_u8, 3])), hash(&(vec![1_u8, 2], vec![3_u8])));
    assert_ne!(hash("ab"), hash("ab\0"));
    let golden = (hash(&()), hash(&1_u32), hash("ecs"), hash(&(1.5_f64, Some(true))));
    assert_eq!(golden, (GOLDEN[0], GOLDEN[1], GOLDEN[2], GOLDEN[3]));
}

/// Computed from the documentation by another program. Never change them.
const GOLDEN: [u64; 4] = [0xf52a_15e9_a9b5_e89b, 0x2b66_4188_0501_d436, 0x6066_c908_e6aa_5504, 0xe8d9_3f5d_501c_d3b2];

#[test]
fn hash_is_as_documented() {
    fn by_documentation(words: &[u64]) -> u64 {
        let state = words.iter().fold(0xCBF2_9CE4_8422_2325_u64, |state, word| {
            let state = (state ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            state ^ (state >> 32)
        });
        let state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        state ^ (state >> 31)
    }
    assert_eq!(hash(&(3_u16, 1.5_f32)), by_documentation(&[3, 0x3FC0_0000]));
    assert_eq!(hash("nine byte"), by_documentation(&[9, u64::from_le_bytes(*b"nine byt"), u64::from(b'e')]));
    assert_eq!(hash(&Some(-2_i32)), by_documentation(&[1, -2_i64 as u64]));
}

#[test]
fn hash_does_not_depend_on_the_order_of_registration() {
    let mut hashes = [false, true].map(|is_other_way_round| {
        let mut engine = engine(is_other_way_round);
        if is_other_way_round {
            // In another order, so the ids of the types differ.
            let entity = engine.spawn((2.0_f32,));
            engine.insert(entity, (1_u32,)).unwrap();
        } else {
            engine.spawn((1_u32, 2.0_f32));
        }
        engine.state_hash().unwrap()
    });
    assert_eq!(hashes[0], hashes[1]);
    hashes[1].parts.pop();
    assert_eq!(hashes[0].first_difference(&hashes[1]), hashes[0].parts.last());
}

#[test]
fn difference_is_named() {
    let mut engine = engine(false);
    let entity = engine.spawn((1_u32, 2.0_f32));
    let differs = |engine: &mut Engine, change: &dyn Fn(&mut Engine)| {
        let snapshot = engine.snapshot().unwrap();
        let before = engine.state_hash().unwrap();
        change(engine);
        let after = engine.state_hash().unwrap();
        engine.restore(&snapshot).unwrap();
        assert_eq!(engine.state_hash().unwrap(), before);
        assert_ne!(before.whole, after.whole);
        assert_eq!(
            before.first_difference(&after),
            after.first_difference(&before).map(|_| before.first_difference(&after).unwrap())
        );
        before.first_difference(&after).unwrap().to_string()
    };
    assert_eq!(differs(&mut engine, &|engine| *engine.get_mut::<f32>(entity).unwrap() = 2.5), "component \"height\"");
    assert_eq!(differs(&mut engine, &|engine| _ = engine.insert_resource(3_u64)), "resource \"wind\"");
    assert_eq!(differs(&mut engine, &|engine| engine.send(1_u8)), "events");
    assert_eq!(differs(&mut engine, &|engine| engine.disable(entity).unwrap()), "entities");
    assert_eq!(differs(&mut engine, &|engine| engine.remove::<u32>(entity).unwrap()), "component \"score\"");
    assert_eq!(differs(&mut engine, &|engine| engine.disable_component::<u32>(entity).unwrap()), "component \"score\"");
    assert_eq!(differs(&mut engine, &|engine| engine.update(super::world::FRAME).unwrap()), "time");
}
