//! The components of all contestants, and the arithmetic on them.

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use serde::{Deserialize, Serialize};

/// Declares structs around one value as components of every framework.
macro_rules! components {
    ($($(#[$doc:meta])* $name:ident($value:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        #[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::component::Component))]
        #[cfg_attr(feature = "shipyard", derive(shipyard::Component))]
        #[cfg_attr(feature = "evenio", derive(evenio::component::Component))]
        #[cfg_attr(feature = "flecs_ecs", derive(flecs_ecs::macros::Component))]
        pub(crate) struct $name(pub(crate) $value);

        #[cfg(feature = "specs")]
        impl specs::Component for $name {
            type Storage = specs::VecStorage<Self>;
        }
    )*};
}

components! {
    #[derive(Pod, Zeroable, Serialize, Deserialize)]
    Position([f32; 3]);
    /// The change of the position in one step.
    #[derive(Pod, Zeroable, Serialize, Deserialize)]
    Velocity([f32; 3]);
    #[derive(Serialize, Deserialize)]
    Rotation([f32; 3]);
    #[derive(Serialize, Deserialize)]
    Transform(glam::Mat4);
    /// A component that every archetype has.
    Data(f32);
    /// A component that one entity in a hundred has.
    Rare(f32);
    A(f32); B(f32); C(f32); D(f32); E(f32); F(f32); G(f32); H(f32); I(f32); J(f32); K(f32); L(f32); M(f32);
    N(f32); O(f32); P(f32); Q(f32); R(f32); S(f32); T(f32); U(f32); V(f32); W(f32); X(f32); Y(f32); Z(f32);
}

/// A component that wraps a number.
#[allow(dead_code, reason = "only optional peers with generic systems write it")]
pub(crate) trait Number: Send + Sync + Unpin + 'static {
    fn number(&mut self) -> &mut f32;
    fn value(&self) -> f32;
}

macro_rules! numbers {
    ($($component:ident)*) => {
        $(impl Number for $component {
            #[inline]
            fn number(&mut self) -> &mut f32 {
                &mut self.0
            }

            #[inline]
            fn value(&self) -> f32 {
                self.0
            }
        })*
    };
}
numbers!(A B C D E);

/// Calls a macro with the name of each of the 26 components that make 26 archetypes.
macro_rules! for_each_kind {
    ($call:ident) => {
        $crate::components::for_each_kind!($call A B C D E F G H I J K L M N O P Q R S T U V W X Y Z)
    };
    ($call:ident $($kind:ident)*) => { $($call!($kind);)* };
}
pub(crate) use for_each_kind;

/// Inversions of a matrix in one step.
pub(crate) const INVERSIONS: usize = 100;

/// The four components of entity `n`.
pub(crate) fn four(n: usize) -> (Transform, Position, Rotation, Velocity) {
    (transform(n), position(n), rotation(n), velocity(n))
}

pub(crate) fn transform(n: usize) -> Transform {
    Transform(glam::Mat4::from_diagonal(glam::Vec4::new(1.0, (n % 2 + 1) as f32, 1.0, 1.0)))
}

pub(crate) fn position(n: usize) -> Position {
    Position([n as f32, (n % 10) as f32, 1.0])
}

pub(crate) fn velocity(n: usize) -> Velocity {
    Velocity([0.5, (n % 7) as f32, 0.25])
}

pub(crate) fn rotation(n: usize) -> Rotation {
    Rotation([0.0, (n % 3) as f32, 1.0])
}

/// One step of one entity.
#[inline(always)]
pub(crate) fn advance(position: &mut Position, velocity: &Velocity) {
    position.0[0] += velocity.0[0];
    position.0[1] += velocity.0[1];
    position.0[2] += velocity.0[2];
}

/// One step of all entities; row `n` of both slices belongs to the same entity.
#[inline(always)]
pub(crate) fn advance_all(positions: &mut [Position], velocities: &[Velocity]) {
    let positions: &mut [f32] = cast_slice_mut(positions);
    let velocities: &[f32] = cast_slice(velocities);
    positions.iter_mut().zip(velocities).for_each(|(position, velocity)| *position += velocity);
}

/// One step of the fragmented case.
#[inline(always)]
pub(crate) fn age(data: &mut Data) {
    data.0 += 1.0;
}

/// One step of the join.
#[inline(always)]
pub(crate) fn enrich(data: &mut Data, rare: &Rare) {
    data.0 += rare.0;
}

/// Inverts the matrix [`INVERSIONS`] times and transforms the position by it.
#[inline(always)]
pub(crate) fn invert(transform: &mut Transform, position: &mut Position) {
    for _ in 0..INVERSIONS {
        transform.0 = transform.0.inverse();
    }
    position.0 = transform.0.transform_vector3(position.0.into()).into();
}

/// Hashes the numbers of one entity. Hashes of several entities are added, so their order does not matter.
pub(crate) fn mix<const N: usize>(values: [f32; N]) -> u64 {
    values.iter().fold(0x9E37_79B9, |sum: u64, value| {
        (sum ^ u64::from(value.to_bits())).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    })
}

/// The checksum of the numbers of many entities.
pub(crate) fn sum<const N: usize>(entities: impl IntoIterator<Item = [f32; N]>) -> u64 {
    entities.into_iter().fold(0, |sum: u64, values| sum.wrapping_add(mix(values)))
}

/// The numbers of an entity's four components that enter the checksum.
pub(crate) fn numbers(
    transform: &Transform,
    position: &Position,
    rotation: &Rotation,
    velocity: &Velocity,
) -> [f32; 4] {
    [transform.0.y_axis.y, position.0[0], rotation.0[1], velocity.0[1]]
}

/// A fixed shuffle of `0..count`.
pub(crate) fn shuffled(count: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    for at in (1..count).rev() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, ((random >> 33) % (at as u64 + 1)) as usize);
    }
    order
}
