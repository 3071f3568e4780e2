//! Hashes of the types of glam: the numbers of a vector in their order, those of a matrix column by column.

use super::{StableHash, StateHasher};

macro_rules! as_array {
    ($to_array:ident: $($name:ident)*) => {
        $(impl StableHash for glam::$name {
            fn stable_hash(&self, hash: &mut StateHasher) {
                self.$to_array().iter().for_each(|number| _ = hash.add(number));
            }
        })*
    };
}

as_array!(to_array: Vec2 Vec3 Vec3A Vec4 DVec2 DVec3 DVec4 IVec2 IVec3 IVec4 UVec2 UVec3 UVec4 Quat DQuat);
as_array!(to_cols_array: Mat2 Mat3 Mat3A Mat4 DMat2 DMat3 DMat4 Affine2 Affine3A DAffine2 DAffine3);
