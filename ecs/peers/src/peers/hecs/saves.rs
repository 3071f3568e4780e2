//! Saves, on hecs, by its own form with columns.

use hecs::serialize::column::{
    DeserializeContext, SerializeContext, deserialize, deserialize_column, serialize, try_serialize, try_serialize_id,
};
use hecs::{Archetype, ColumnBatchBuilder, ColumnBatchType, World};
use serde::de::SeqAccess;
use serde::ser::SerializeTuple;

use crate::components::{Position, Rotation, Transform, Velocity, four};
use crate::stopwatch::{Runner, on_new};

pub(super) fn save_load(count: usize) -> Runner {
    on_new(
        move || {
            let mut world = World::new();
            world.spawn_batch((0..count).map(four));
            world
        },
        |world| {
            let mut to = postcard::Serializer { output: postcard::ser_flavors::AllocVec::new() };
            serialize(&*world, &mut Columns::default(), &mut to).expect("all components are serializable");
            let bytes = postcard::ser_flavors::Flavor::finalize(to.output).expect("memory is written to");
            let mut from = postcard::Deserializer::from_bytes(&bytes);
            *world = deserialize(&mut Columns::default(), &mut from).expect("it was just saved");
        },
        super::fours,
    )
}

/// Saves four component types by number.
#[derive(Default)]
struct Columns {
    /// The component types of the archetype that is loaded.
    numbers: Vec<u8>,
}

macro_rules! columns {
    ($($number:literal $component:ty;)*) => {
        impl SerializeContext for Columns {
            fn component_count(&self, archetype: &Archetype) -> usize {
                [$(archetype.has::<$component>()),*].into_iter().filter(|has| *has).count()
            }

            fn serialize_component_ids<S: SerializeTuple>(&mut self, from: &Archetype, mut to: S) -> Result<S::Ok, S::Error> {
                $(try_serialize_id::<$component, _, _>(from, &($number as u8), &mut to)?;)*
                to.end()
            }

            fn serialize_components<S: SerializeTuple>(&mut self, from: &Archetype, mut to: S) -> Result<S::Ok, S::Error> {
                $(try_serialize::<$component, _>(from, &mut to)?;)*
                to.end()
            }
        }

        impl DeserializeContext for Columns {
            fn deserialize_component_ids<'de, A: SeqAccess<'de>>(&mut self, mut from: A) -> Result<ColumnBatchType, A::Error> {
                self.numbers.clear();
                let mut batch = ColumnBatchType::new();
                while let Some(number) = from.next_element()? {
                    match number {
                        $($number => _ = batch.add::<$component>(),)*
                        _ => unreachable!("no other number is saved"),
                    }
                    self.numbers.push(number);
                }
                Ok(batch)
            }

            fn deserialize_components<'de, A: SeqAccess<'de>>(
                &mut self,
                count: u32,
                mut from: A,
                batch: &mut ColumnBatchBuilder,
            ) -> Result<(), A::Error> {
                for number in &self.numbers {
                    match number {
                        $($number => deserialize_column::<$component, _>(count, &mut from, batch)?,)*
                        _ => unreachable!("no other number is saved"),
                    }
                }
                Ok(())
            }
        }
    };
}
columns!(0 Transform; 1 Position; 2 Rotation; 3 Velocity;);
