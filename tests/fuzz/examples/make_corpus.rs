//! Writes the seed corpus: `cargo run --package fuzz_targets --example make_corpus`, or into another folder that is
//! named. Fails if the targets no longer know the formats of the game.

use std::fs;

use fuzz_targets::{
    asset_texts, attacks, limit_seeds, match_saves, prefab_texts, replays, save_texts, saves, studio_requests,
};

fn write(target: &str, files: Vec<Vec<u8>>) {
    let corpus = std::env::args().nth(1).unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/corpus").to_owned());
    let folder = format!("{corpus}/{target}");
    fs::create_dir_all(&folder).expect("the folder can be made");
    for (number, bytes) in files.iter().enumerate() {
        fs::write(format!("{folder}/made-{number}"), bytes).expect("the file can be written");
    }
}

fn main() {
    let texts = |texts: Vec<String>| texts.into_iter().map(String::into_bytes).collect();
    write("save", saves());
    write("save_text", texts(save_texts()));
    write("replay", replays());
    write("match_save", match_saves());
    write("assets", texts(asset_texts()));
    write("prefabs", texts(prefab_texts()));
    write("limits", limit_seeds());
    write("network", attacks());
    write("studio", texts(studio_requests()));
}
