//! [`SavedSlots`]: slot maps with the order of their free slots. It decides which ids are assigned next, and slotmap's
//! own serialized form does not keep it.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use slotmap::{Key, SlotMap};

/// A slot as slotmap serializes it.
#[derive(Serialize, Deserialize)]
struct Slot<V> {
    value: Option<V>,
    version: u32,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedSlots<K, V> {
    slots: Vec<Slot<V>>,
    /// Indices of the free slots, the next to be used first.
    free: Vec<u32>,
    #[serde(skip)]
    keys: PhantomData<K>,
}

fn index(key: impl Key) -> u32 {
    (key.data().as_ffi() & 0xFFFF_FFFF) as u32
}

impl<K: Key, V: Clone + Default + Serialize + DeserializeOwned> SavedSlots<K, V> {
    pub(super) fn of(map: &SlotMap<K, V>) -> Result<Self, String> {
        let slots: Vec<Slot<V>> = transcode(map)?;
        let mut filled = map.clone();
        let free = slots.iter().skip(1).filter(|slot| slot.value.is_none());
        let free = free.map(|_| index(filled.insert(V::default()))).collect();
        Ok(Self { slots, free, keys: PhantomData })
    }

    pub(super) fn load(mut self) -> Result<SlotMap<K, V>, String> {
        // Filling and emptying the free slots below adds two to their versions.
        let free = self.slots.iter_mut().skip(1).filter(|slot| slot.value.is_none());
        let count = free.map(|slot| slot.version = slot.version.wrapping_sub(2)).count();
        let mut keys: Vec<Option<K>> = vec![None; self.slots.len()];
        let mut map: SlotMap<K, V> = transcode(&self.slots)?;
        for _ in 0..count {
            let key = map.insert(V::default());
            keys[index(key) as usize] = Some(key);
        }
        // The slot that is emptied last is used first.
        for at in self.free.iter().rev() {
            let key = keys.get_mut(*at as usize).and_then(Option::take);
            map.remove(key.ok_or_else(|| format!("slot {at} is not free, or free twice"))?);
        }
        match self.free.len() == count {
            true => Ok(map),
            false => Err(format!("{count} slots are free and {} are listed", self.free.len())),
        }
    }
}

fn transcode<T: DeserializeOwned>(value: &(impl Serialize + ?Sized)) -> Result<T, String> {
    let bytes = postcard::to_allocvec(value).map_err(|error| error.to_string())?;
    postcard::from_bytes(&bytes).map_err(|error| error.to_string())
}
