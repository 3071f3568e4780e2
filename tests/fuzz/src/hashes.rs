//! The formats of saves with correct hashes for any content, so that mutated content gets past the hash check.

use ecs::snapshot::StateHasher;

/// The magic bytes of a saved snapshot.
const MAGIC: [u8; 8] = *b"ecssave\n";
/// Bytes before the first part of a saved snapshot: magic bytes, format version, and their hash.
const HEAD: usize = 20;
/// Bytes before the content of a replay: magic bytes, format version and length.
const REPLAY_HEAD: usize = 18;
/// Bytes before the header of a saved match: magic bytes, format version and length.
const MATCH_HEAD: usize = 14;
const HASH: usize = 8;

/// The format and the parts of a saved snapshot, as far as it is not cut off.
pub(crate) fn parts_of(save: &[u8]) -> (u32, Vec<Vec<u8>>) {
    let format = save.get(MAGIC.len()..MAGIC.len() + 4).unwrap_or(&[1, 0, 0, 0]);
    let format = u32::from_le_bytes(format.try_into().expect("these are four bytes"));
    let mut parts = Vec::new();
    let mut rest = save.get(HEAD..).unwrap_or_default();
    while let Some((length, behind)) = rest.split_at_checked(8) {
        let length = u64::from_le_bytes(length.try_into().expect("these are eight bytes"));
        let length = behind.len().min(usize::try_from(length).unwrap_or(usize::MAX));
        if length == 0 {
            break;
        }
        parts.push(behind[..length].to_vec());
        rest = behind.get(length + HASH..).unwrap_or_default();
    }
    (format, parts)
}

/// A saved snapshot of this format with these parts.
pub(crate) fn save_of(format: u32, parts: &[Vec<u8>]) -> Vec<u8> {
    let mut hash = StateHasher::default();
    let mut save = [&MAGIC[..], &format.to_le_bytes()].concat();
    save.extend(hash.number(u64::from(format)).finish().to_le_bytes());
    for part in parts.iter().filter(|part| !part.is_empty()) {
        save.extend((part.len() as u64).to_le_bytes());
        save.extend(part);
        add(&mut hash, part);
        save.extend(hash.finish().to_le_bytes());
    }
    save.extend(0_u64.to_le_bytes());
    save.extend(hash.number(0).finish().to_le_bytes());
    save
}

/// Adds a part to a hash.
fn add(hash: &mut StateHasher, part: &[u8]) {
    let mut lanes = [(); 4].map(|()| StateHasher::default());
    let blocks = part.chunks_exact(32);
    let rest = blocks.remainder();
    for (at, word) in blocks.flat_map(|block| block.chunks_exact(8)).enumerate() {
        lanes[at % 4].number(u64::from_le_bytes(word.try_into().expect("these are eight bytes")));
    }
    hash.number(part.len() as u64);
    lanes.iter().for_each(|lane| _ = hash.number(lane.finish()));
    hash.bytes(rest);
}

/// The content of a replay, as far as it is not cut off.
pub(crate) fn content_of(replay: &[u8]) -> Vec<u8> {
    let end = replay.len().saturating_sub(HASH).max(REPLAY_HEAD);
    replay.get(REPLAY_HEAD..end).unwrap_or_default().to_vec()
}

/// A replay with this content.
pub(crate) fn replay_of(content: &[u8]) -> Vec<u8> {
    let mut replay = b"BHREPLAY\x06\0".to_vec();
    replay.extend((content.len() as u64).to_le_bytes());
    replay.extend(content);
    with_hash(replay)
}

/// The header and the snapshot of a saved match, as far as it is not cut off.
pub(crate) fn match_of(save: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let length = save.get(MATCH_HEAD - 4..MATCH_HEAD).unwrap_or(&[0; 4]);
    let length = u32::from_le_bytes(length.try_into().expect("these are four bytes")) as usize;
    let rest = save.get(MATCH_HEAD..).unwrap_or_default();
    let (header, rest) = rest.split_at(length.min(rest.len()));
    (header.to_vec(), rest.get(HASH..).unwrap_or_default().to_vec())
}

/// A saved match with this header and snapshot.
pub(crate) fn match_save_of(header: &[u8], snapshot: &[u8]) -> Vec<u8> {
    let mut save = b"BHSAVE\r\n\x05\0".to_vec();
    save.extend((header.len() as u32).to_le_bytes());
    save.extend(header);
    let mut save = with_hash(save);
    save.extend(snapshot);
    save
}

fn with_hash(mut bytes: Vec<u8>) -> Vec<u8> {
    let hash = StateHasher::default().bytes(&bytes).finish();
    bytes.extend(hash.to_le_bytes());
    bytes
}
