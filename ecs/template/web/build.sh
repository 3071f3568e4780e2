#!/bin/sh
# Builds the game for the browser: all that a web server needs is in `target/page` then.
set -eu
cd "$(dirname "$0")/.."
cargo build --profile web --target wasm32-unknown-unknown --bin game
metadata=$(cargo metadata --format-version 1 | tr ',' '\n')
target=$(echo "$metadata" | sed -n 's/^"target_directory":"\(.*\)"$/\1/p')
# The script that starts the game comes with miniquad, and must be of the same version.
miniquad=$(echo "$metadata" | sed -n 's/^"manifest_path":"\(.*\/miniquad-[0-9.]*\)\/Cargo.toml"$/\1/p')
mkdir -p "$target/page"
cp "$target/wasm32-unknown-unknown/web/game.wasm" "$miniquad/js/gl.js" web/index.html "$target/page"
echo "try it: python3 -m http.server --directory $target/page, and open http://127.0.0.1:8000"
