//! Broken assets, one for each kind of mistake: each is refused with a sentence that names the place and the remedy.

use std::fs;
use std::path::{Path, PathBuf};

use bounty_hunter::assets::Assets;

/// A broken file and its message.
struct Broken {
    /// The kind of mistake.
    kind: &'static str,
    /// The broken file.
    file: &'static str,
    /// How it is broken.
    how: How,
    /// The message after the name of the directory.
    sentence: &'static str,
}

enum How {
    /// The shipped file with the first `0` replaced by `1`.
    Instead(&'static str, &'static str),
    /// Another text.
    Text(&'static str),
    /// Bytes that are no text.
    Bytes(&'static [u8]),
}

use How::{Bytes, Instead, Text};

macro_rules! broken {
    ($($kind:literal, $file:literal, $how:expr => $sentence:literal;)+) => {
        [$(Broken { kind: $kind, file: $file, how: $how, sentence: $sentence }),+]
    };
}

/// Begins every broken level: its world and its bounties.
macro_rules! level {
    ($rest:expr) => {
        Text(concat!("(world_half_extent_m: 75, bounty_region_share: 0.5,\n", $rest, ")"))
    };
}

/// A level with a lever, a door and a ball, and one reaction.
macro_rules! room {
    ($reaction:literal) => {
        level!(concat!(
            "stashes: Places(at_m: [(60, 0)]), places: [(name: \"lever\", prefab: \"vault lever\", at_m: (0, 20)), (name: \"door\", \
             prefab: \"vault door\", at_m: (0, 0)),\n(name: \"ball\", prefab: \"boulder\", at_m: (0, -20))], reactions: [\n",
            $reaction,
            "]"
        ))
    };
}

/// Begins every broken mode.
macro_rules! mode {
    ($rest:literal) => {
        Text(concat!("(title: \"Mine\", description: \"My own.\",\n", $rest, ")"))
    };
}

#[rustfmt::skip]
fn table() -> Vec<Broken> {
    broken! {
        // The text itself.
        "empty file", "game.ron", Text("") => "game.ron:1:1: the file must be in brackets `(…)`";
        "only a comment", "prefabs/stash.ron", Text("// later\n") => "prefabs/stash.ron:2:1: the prefabs of a file must be in brackets `{…}`";
        "cut off", "keymap.ron", Text("(\n  people: [\n") => "keymap.ron:3:1: the file ends too early, a closing bracket may be missing";
        "cut off within a field", "ai/mine.ron", Text("(radar_range_m: 1") => "ai/mine.ron:1:18: the file ends too early, a closing bracket may be missing";
        "no text", "ai/normal.ron", Bytes(b"(\n\xff\xfe") => "ai/normal.ron:2:1: is not UTF-8 text: save it as UTF-8 in its editor";
        "text in UTF-16", "ai/normal.ron", Bytes(b"\xff\xfe(\0)\0") => "ai/normal.ron:1:1: is UTF-16 text, must be UTF-8: save it as UTF-8 in its editor";
        "decimal comma", "ai/mine.ron", Text("\u{feff}(\r\n  radar_range_m: 1,5,\r\n)") => "ai/mine.ron:2:18: `1,5` has a decimal comma: write `1.5`";
        "unit", "modes/mine.ron", mode!("game: (play_seconds: 90s)") => "modes/mine.ron:2:22: `90` is followed by `s`: write the number alone, the name of the field tells the unit";
        "semicolon", "levels/mine.ron", Text("(world_half_extent_m: 75;\n)") => "levels/mine.ron:1:25: values are separated by `,`, not by `;`";
        "equals sign", "keymap.ron", Instead("pause: [P]", "pause = [P]") => "keymap.ron:16:11: a name and its value are separated by `:`, not by `=`";
        "curved quotes", "game.ron", Instead("\"arena\"", "“arena”") => "game.ron:10:12: a text is in straight double quotes, `\"`, not in `“`";
        "no quotes", "game.ron", Instead("\"arena\"", "arena") => "game.ron:10:12: `level` must be a text in quotes, not `arena`";
        "word for a truth", "game.ron", Instead("accepts: false", "accepts: False") => "game.ron:27:33: `rules.only_own_stash_accepts` must be true or false, not `False`";
        "language without a name", "languages/fr.ron", Text("(name: \"\", texts: {})") => "languages/fr.ron:1:2: name has 0 letters, must have 1 to 20";
        "language with a blank name", "languages/fr.ron", Text("(name: \" \", texts: {})") => "languages/fr.ron:1:2: name has 0 letters, must have 1 to 20";
        "mode with a blank title", "modes/mine.ron", Text("(title: \" \", description: \"My own.\", game: ())") => "modes/mine.ron:1:2: title has 0 letters, must have 1 to 20";
        "translation with another value", "languages/fr.ron", Text("(name: \"français\", texts: { \"{name} wins\": \"{nom} gagne\" })") => "languages/fr.ron:1:20: \"{nom} gagne\" has the values [{nom}], must have those of \"{name} wins\": [{name}]";
        "empty translation", "languages/de.ron", Text("(name: \"Deutsch\", texts: { \"Quit\": \"\" })") => "languages/de.ron:1:19: the translation of \"Quit\" has 0 letters, must have 1 to 200";
        "comma missing", "prefabs/wall.ron", Text("{\n  \"wall\": ()\n  \"edge\": ()}") => "prefabs/wall.ron:3:3: expected a comma or a closing bracket";
        "comma missing in an AI", "ai/mine.ron", Text("(radar_range_m: 1 strategy: First)") => "ai/mine.ron:1:19: the file lacks a comma or a closing bracket";
        "text after the end", "prefabs/wall.ron", Text("{}\n!") => "prefabs/wall.ron:2:1: the text must end here: what follows does not belong to it";
        "text after the end of a level", "levels/mine.ron", Text("(world_half_extent_m: 1) )") => "levels/mine.ron:1:26: the file must end here: what follows does not belong to it";
        "no struct", "levels/mine.ron", Text("75") => "levels/mine.ron:1:1: the file must be in brackets `(…)`";
        "string not closed", "modes/mine.ron", Text("(title: \"Mine)") => "modes/mine.ron:1:9: the text that begins here has no closing quote";
        // Sizes.
        "scale of nothing", "levels/mine.ron", level!("stashes: Places(at_m: [(60, 0)]), places: [\n(prefab: \"rock\", at_m: (0, 0), scale: 0)]") => "levels/mine.ron:3:39: `places` is refused: it is 0, must be positive";
        "dust", "levels/mine.ron", level!("stashes: Places(at_m: [(60, 0)]), places: [\n(prefab: \"vault door\", at_m: (0, 0), scale: 0.01)]") => "levels/mine.ron:3:38: prefab \"vault door\" is too large or too small by its scale: half_height_m is 0.009, must be at least 0.01";
        "scaled bounty", "levels/mine.ron", level!("stashes: Places(at_m: [(60, 0)]), places: [\n(prefab: \"golden bounty\", at_m: (0, 0), scale: 2)]") => "levels/mine.ron:3:41: scale is 2, must be left out: the size of \"golden bounty\" follows its value";
        "kind of scaled bounty", "prefabs/bounty.ron", Instead("\"lifespan\"", "\"scale\": (factor: 2), \"lifespan\"") => "assets/game.ron:20:53: prefab \"bounty\" has a `scale`, which a bounty cannot have: other numbers give its size";
        "scale too large for its world", "levels/mine.ron", level!("stashes: Places(at_m: [(60, 0)]), places: [\n(prefab: \"rock\", at_m: (0, 0), scale: 60)]") => "levels/mine.ron:3:1: object 1 reaches 90 m from the centre, must stay within world_half_extent_m, 75";
        // Gravity.
        "too much gravity", "levels/mine.ron", level!("stashes: Places(at_m: [(60, 0)]), gravity_mps2: (0, -101)") => "levels/mine.ron:2:49: `gravity_mps2` is refused: y is -101, must be at least -100";
        // Reactions.
        "unknown place", "levels/mine.ron", room!("(when: Touched(\"levr\"), do: Open, to: \"door\")") => "levels/mine.ron:4:2: there is no place \"levr\", there are ball, door, lever: `lever` may be meant";
        "unknown place to act on", "levels/mine.ron", room!("(when: Touched(\"lever\"), do: Open, to: \"dor\")") => "levels/mine.ron:4:36: there is no place \"dor\", there are ball, door, lever: `door` may be meant";
        "two places of one name", "levels/mine.ron", level!("stashes: Places(at_m: [(60, 0)]), places: [\n(name: \"a\", prefab: \"rock\", at_m: (0, 0)),\n(name: \"a\", prefab: \"rock\", at_m: (9, 0))]") => "levels/mine.ron:4:2: name is \"a\", which another place has too: give each its own";
        "place without letters", "levels/mine.ron", level!("stashes: Places(at_m: [(60, 0)]), places: [\n(name: \"\", prefab: \"rock\", at_m: (0, 0))]") => "levels/mine.ron:3:2: name has 0 characters, must have 1 to 100";
        "reaction without places", "levels/mine.ron", level!("stashes: Places(at_m: [(60, 0)]), reactions: [\n(when: At(seconds: 1), do: Open, to: \"door\")]") => "levels/mine.ron:3:34: there is no place \"door\", no place has a name";
        "opening of nothing", "levels/mine.ron", room!("(when: Touched(\"lever\"), do: Open)") => "levels/mine.ron:4:1: Open needs `to`, the name of a place";
        "death of nobody", "levels/mine.ron", room!("(when: At(seconds: 1), do: Kill)") => "levels/mine.ron:4:1: Kill needs `to`, the name of a place, for this happens to no object";
        "death of a door", "levels/mine.ron", room!("(when: Touched(\"lever\"), do: Kill, to: \"door\")") => "levels/mine.ron:4:36: \"door\" cannot die: give its prefab \"vault door\" a `life`";
        "cause that cannot be", "levels/mine.ron", room!("(when: Killed(\"door\"), do: Disable, to: \"lever\")") => "levels/mine.ron:4:2: \"door\" cannot die: give its prefab \"vault door\" a `life`";
        "opening of a sensor", "levels/mine.ron", room!("(when: Touched(\"lever\"), do: Open, to: \"lever\")") => "levels/mine.ron:4:36: Open cannot act on \"lever\": its prefab \"vault lever\" is a sensor, which stops nothing";
        "opening of a ball", "levels/mine.ron", room!("(when: Touched(\"lever\"), do: Open, to: \"ball\")") => "levels/mine.ron:4:36: Open cannot act on \"ball\": its prefab \"boulder\" can die, which Kill and Spawn are for";
        "damage to a door", "levels/mine.ron", room!("(when: Touched(\"lever\"), do: Damage(points: 5), to: \"door\")") => "levels/mine.ron:4:49: Damage cannot act on \"door\": its prefab \"vault door\" has no `health`";
        "healing of nobody", "levels/mine.ron", room!("(when: At(seconds: 1), do: Heal(points: 5))") => "levels/mine.ron:4:1: Heal needs `to`, the name of a place, for this happens to no object";
        "health of a crate that is none", "prefabs/mine.ron", Text("{ \"egg\": (components: { \"toughness\": (points: 0) }) }") => "prefabs/mine.ron:1:47: `toughness.points` is refused: it is 0, must be positive";
        "jump of a door", "levels/mine.ron", room!("(when: Touched(\"lever\"), do: Teleport(at_m: (0, 0)), to: \"door\")") => "levels/mine.ron:4:54: Teleport cannot act on \"door\": its prefab \"vault door\" is fixed";
        "jump out of the world", "levels/mine.ron", room!("(when: Touched(\"lever\"), do: Teleport(at_m: (0, 76)))") => "levels/mine.ron:4:26: at_m is (0, 76), must lie within world_half_extent_m, 75";
        "signal that nothing sends", "levels/mine.ron", room!("(when: Heard(\"alarm\"), do: Open, to: \"door\")") => "levels/mine.ron:4:2: no reaction sends the signal \"alarm\", must be sent by `do: Send(\"alarm\")`";
        "signal that nothing hears", "levels/mine.ron", room!("(when: Touched(\"lever\"), do: Send(\"alarm\"))") => "levels/mine.ron:4:26: no reaction hears the signal \"alarm\", must be heard by `when: Heard(\"alarm\")`";
        "signal to a place", "levels/mine.ron", room!("(when: Heard(\"a\"), do: Send(\"a\"), to: \"door\")") => "levels/mine.ron:4:35: to is \"door\", must be left out: Send acts on no object";
        "toucher of a clock", "levels/mine.ron", room!("(when: At(seconds: 1), by: Any, do: Open, to: \"door\")") => "levels/mine.ron:4:24: by is Any, must be left out: it is for Touched and Left";
        "clock without rest", "levels/mine.ron", room!("(when: Every(seconds: 0), do: Open, to: \"door\")") => "levels/mine.ron:4:23: `reactions` is refused: it is 0, must be positive";
        "unknown action", "levels/mine.ron", room!("(when: At(seconds: 1), do: Opn, to: \"door\")") => "levels/mine.ron:4:28: `reactions` cannot be `Opn`, must be `Open`, `Close`, `Enable`, `Disable`, `Spawn`, `Kill`, `Damage`, `Heal`, `Teleport` or `Send`: `Open` may be meant";
        // The fields.
        "unknown field", "game.ron", Instead("players:", "plaiers:") => "game.ron:6:5: the file has no field `plaiers`, must be `steps_per_second`, `players`, `ai`, `level`, `play_seconds`, `countdown_seconds`, `bounties_per_player`, `least_bounties`, `kinds`, `deals`, `rules`, `habits`, `stash_sizes` or `ground`: `players` may be meant";
        "nothing in small letters", "game.ron", Instead("lives: None", "lives: none") => "game.ron:32:16: `rules.lives` must be `None` or a value, not `none`";
        "exponent of a whole number", "game.ron", Instead("players: 16", "players: 1e1") => "game.ron:6:14: `players` must be a whole number";
        "unknown field of a mode", "modes/mine.ron", mode!("gane: ()") => "modes/mine.ron:2:1: the file has no field `gane`, must be `title`, `description`, `rewind` or `game`: `game` may be meant";
        "unknown field within a mode", "modes/mine.ron", mode!("game: (players: 3,\n  speed: 2)") => "modes/mine.ron:3:3: `game` has no field `speed`, must be `steps_per_second`, `players`, `ai`, `level`, `play_seconds`, `countdown_seconds`, `bounties_per_player`, `least_bounties`, `kinds`, `deals`, `rules`, `habits`, `stash_sizes` or `ground`";
        "unknown field of a level", "levels/mine.ron", level!("stash: 1") => "levels/mine.ron:2:1: the file has no field `stash`, must be `world_half_extent_m`, `stashes`, `bounty_region_share`, `walls`, `places`, `gravity_mps2` or `reactions`: `stashes` may be meant";
        "missing field", "levels/mine.ron", level!("walls: []") => "levels/mine.ron:1:1: the file lacks the field `stashes`";
        "missing field of a mode", "modes/mine.ron", Text("(title: \"Mine\",\ngame: ())") => "modes/mine.ron:1:1: the file lacks the field `description`";
        "duplicate field", "prefabs/collector.ron", Text("{ \"collector\": (components: { \"drive\": (max_speed_mps: 1,\nmax_speed_mps: 2) }) }") => "prefabs/collector.ron:2:1: `drive` has the field `max_speed_mps` twice";
        "duplicate field of a mode", "modes/mine.ron", mode!("game: (ai: \"easy\", ai: \"hard\")") => "modes/mine.ron:2:20: `game` has the field `ai` twice";
        // The types.
        "word for a number", "prefabs/bounty.ron", Instead("2.0)", "soon)") => "prefabs/bounty.ron:17:42: `respawn delay.delay_seconds` must be a number";
        "word for a number of an AI", "ai/mine.ron", Text("(radar_range_m: wide)") => "ai/mine.ron:1:17: `radar_range_m` must be a number";
        "number for a truth", "game.ron", Instead("accepts: false", "accepts: 0") => "game.ron:27:33: `rules.only_own_stash_accepts` must be true or false";
        "fraction for a whole number", "game.ron", Instead("least_bounties: 14", "least_bounties: 14.5") => "game.ron:18:21: `least_bounties` must be a whole number";
        "negative whole number", "game.ron", Instead("least_bounties: 14", "least_bounties: -14") => "game.ron:18:21: `least_bounties` must be a whole number from 0 to 4294967295, not -14";
        "whole number beyond all bounds", "game.ron", Instead("players: 16", "players: 5000000000") => "game.ron:6:14: `players` must be a whole number from 0 to 4294967295, not 5000000000";
        "number for a name", "game.ron", Instead("\"arena\"", "3") => "game.ron:10:12: `level` must be a text in quotes";
        "unknown key", "keymap.ron", Instead("pause: [P]", "pause: [Pause]") => "keymap.ron:16:13: `pause` cannot be `Pause`, must be `A`";
        "unknown strategy", "ai/hard.ron", Instead("strategy: ", "strategy: Bold, // ") => "ai/hard.ron:4:15: `strategy` cannot be `Bold`, must be `None`, `First`, `Nearest`, `MostValuable`, `BestValuePerDistance` or `Foresight`";
        "unknown way to place stashes", "levels/mine.ron", level!("stashes: Circle") => "levels/mine.ron:2:10: `stashes` cannot be `Circle`, must be `Ring` or `Places`";
        "three coordinates", "levels/mine.ron", level!("stashes: Places(at_m: [(1, 2, 3)])") => "levels/mine.ron:2:31: `stashes` has too many values, or lacks a closing `)`";
        // The limits.
        "zero", "game.ron", Instead("steps_per_second: 60", "steps_per_second: 0") => "game.ron:4:23: `steps_per_second` is refused: it is 0, must be positive";
        "too large", "game.ron", Instead("players: 16", "players: 10001") => "game.ron:6:14: `players` is refused: it is 10001, must be at most 10000";
        "negative", "prefabs/wall.ron", Instead("2.25", "-2.25") => "prefabs/wall.ron:16:20: `edge.gap_m` is refused: it is -2.25, must not be negative";
        "thickness below zero", "prefabs/wall.ron", Instead("0.75", "-1") => "prefabs/wall.ron:14:31: `edge.half_thickness_m` is refused: it is -1, must be positive";
        "too small", "prefabs/stash.ron", Instead("250.0", "0.001") => "prefabs/stash.ron:9:30: `capacity.points` is refused: it is 0.001, must be at least 0.01";
        "beyond all floats", "prefabs/stash.ron", Instead("250.0", "1e99") => "prefabs/stash.ron:9:30: `capacity.points` is refused: it is too large a number, must be at most 1000000";
        "not a number", "ai/easy.ron", Instead("radar_range_m: 15.0", "radar_range_m: NaN") => "ai/easy.ron:8:20: `radar_range_m` is refused: it is NaN, must be a finite number";
        "infinite", "prefabs/stash.ron", Instead("250.0", "inf") => "prefabs/stash.ron:9:30: `capacity.points` is refused: it is too large a number, must be at most 1000000";
        "more than a share", "ai/greedy.ron", Instead("wander_chance: ", "wander_chance: 1") => "ai/greedy.ron:14:20: `wander_chance` is refused: it is 10.5, must be at most 1";
        "more than a share of a level", "levels/arena.ron", Instead("share: 0.9", "share: 1.5") => "levels/arena.ron:8:21: `stashes` is refused: it is 1.5, must be at most 1";
        "more than a full turn", "ai/mine.ron", Text("(radar_angle_rad: 6.3)") => "ai/mine.ron:1:19: `radar_angle_rad` is refused: it is 6.3, must be at most 6.2831855";
        "range upside down", "prefabs/bounty.ron", Instead("(4.0, 7.0)", "(7.0, 4.0)") => "prefabs/bounty.ron:15:40: `lifespan.lifetime_seconds` is refused: it is (7, 4), must be (least, most)";
        "range that begins below zero", "prefabs/bounty.ron", Instead("(5.0, 30.0)", "(-5.0, 30.0)") => "prefabs/bounty.ron:8:20: `worth.value` is refused: the lower end is -5, must be positive";
        "no lives", "modes/mine.ron", mode!("game: (rules: (lives: 0))") => "modes/mine.ron:2:23: `game.rules.lives` is refused: it is 0, must be positive";
        "spell that never cools down", "modes/mine.ron", mode!("game: (rules: (spells: Some((purge_cooldown_seconds: 0,\n strike_cooldown_seconds: 1, magnet_cooldown_seconds: 1, magnet_seconds: 1, magnet_range_m: 1, magnet_speed_mps: 1))))") => "modes/mine.ron:2:54: `game.rules.spells.purge_cooldown_seconds` is refused: it is 0, must be positive";
        "magnet without a speed", "modes/mine.ron", mode!("game: (rules: (spells: Some((\n  purge_cooldown_seconds: 1, strike_cooldown_seconds: 1, magnet_cooldown_seconds: 1,\n  magnet_seconds: 1, magnet_range_m: 1))))") => "modes/mine.ron:2:29: `game.rules.spells` lacks the field `magnet_speed_mps`";
        "unknown spell", "modes/mine.ron", mode!("game: (rules: (spells: Some((fireball_seconds: 1))))") => "modes/mine.ron:2:30: `game.rules.spells` has no field `fireball_seconds`, must be `purge_cooldown_seconds`, `strike_cooldown_seconds`, `magnet_cooldown_seconds`, `magnet_seconds`, `magnet_range_m` or `magnet_speed_mps`";
        "spell with the key of another one", "keymap.ron", Instead("strike: [X]", "strike: [Z]") => "keymap.ron:10:82: key Z is purge of person 1 as well as strike of person 1, must mean one thing only";
        "damage that heals", "modes/mine.ron", mode!("game: (rules: (health: Some((most_health: 9,\n damage: -1, grace_seconds: 0))))") => "modes/mine.ron:3:10: `game.rules.health.damage` is refused: it is -1, must be positive";
        "endless match", "modes/mine.ron", mode!("game: (play_seconds: 1e9)") => "modes/mine.ron:2:22: `game.play_seconds` is refused: it is 1000000000, must be at most 86400";
        "title of nothing", "modes/mine.ron", Text("(description: \"My own.\", title: \"\")") => "modes/mine.ron:1:26: title has 0 letters, must have 1 to 20";
        // The names.
        "unknown AI", "game.ron", Instead("\"normal\"", "\"godlike\"") => "game.ron:8:5: ai is \"godlike\", must be one of balanced, circling, easy, first, greedy, hard, idle, nearest, normal, wanderer, learned";
        "unknown AI of a mode", "modes/mine.ron", mode!("game: (players: 2, ai: \"\")") => "modes/mine.ron:2:20: ai is \"\", must be one of balanced, circling, easy, first, greedy, hard, idle, nearest, normal, wanderer, learned";
        "unknown level", "game.ron", Instead("\"arena\"", "\"moon\"") => "game.ron:10:5: level is \"moon\", must be one of arena, crossing, falls, pit, springs, vault";
        "unknown level of a mode", "modes/mine.ron", mode!("game: (level: \"moon\")") => "modes/mine.ron:2:8: level is \"moon\", must be one of arena, crossing, falls, pit, springs, vault";
        "misspelt file", "gmae.ron", Text("()") => "gmae.ron: unknown asset file, must be one of game.ron, keymap.ron, sounds.ron: `game.ron` may be meant";
        "file in another case", "Game.ron", Text("()") => "Game.ron: unknown asset file, must be one of game.ron, keymap.ron, sounds.ron: `game.ron` may be meant";
        "level in another case", "levels/Arena.ron", Text("()") => "levels/Arena.ron: differs from `levels/arena.ron` only in the case of its letters: use the same";
        "misspelt folder", "prefab/wall.ron", Text("{}") => "prefab: unknown folder of assets, `prefabs/` may be meant";
        "folder in another case", "Levels/mine.ron", Text("()") => "Levels: unknown folder of assets, `levels/` may be meant";
        "unknown folder", "enemies/wall.ron", Text("{}") => "enemies: unknown folder of assets, must be one of prefabs/, ai/, policies/, modes/, levels/, languages/";
        "directory in a directory", "mine/levels/mine.ron", Text("()") => "mine: unknown folder of assets, must be one of prefabs/, ai/, policies/, modes/, levels/, languages/";
        "folder within a folder", "levels/old/mine.ron", Text("()") => "levels/old: folders in levels/ are not read: move its files up, or begin its name with a dot";
        "second extension", "levels/mine.ron.txt", Text("()") => "levels/mine.ron.txt: is no asset file, must end in .ron: `mine.ron` may be meant";
        "other format", "prefabs/mine.json", Text("{}") => "prefabs/mine.json: is no asset file, must end in .ron: `mine.ron` may be meant";
        "extension twice", "levels/mine.ron.ron", Text("()") => "levels/mine.ron.ron: has the extension .ron twice: `mine.ron` may be meant";
        "extension with swapped letters", "levels/mine.rno", Text("()") => "levels/mine.rno: is no asset file, must end in .ron: `mine.ron` may be meant";
        "extension of a known file with swapped letters", "keymap.rno", Text("()") => "keymap.rno: is no asset file, must end in .ron: `keymap.ron` may be meant";
        "text of a known name", "ai/hard.txt", Text("()") => "ai/hard.txt: is no asset file, must end in .ron: `hard.ron` may be meant";
        "text of a known name at the top", "game.txt", Text("()") => "game.txt: is no asset file, must end in .ron: `game.ron` may be meant";
        "folder with swapped letters", "ia/mine.ron", Text("()") => "ia: unknown folder of assets, `ai/` may be meant";
        "misspelt extension", "modes/mine.rn", Text("()") => "modes/mine.rn: is no asset file, must end in .ron: `mine.ron` may be meant";
        "extension in capitals", "ai/mine.RON", Text("()") => "ai/mine.RON: is no asset file, must end in .ron: `mine.ron` may be meant";
        "invisible name", "levels/a\u{200b}b.ron", Text("()") => "levels/a\u{200b}b.ron: the name of an asset file has the character U+200B, which cannot be shown: leave it out";
        "invisible title", "modes/mine.ron", Text("(description: \"My own.\", title: \"a\u{202e}b\")") => "modes/mine.ron:1:26: title has the character U+202E, which cannot be shown: leave it out";
        "file at the wrong place", "classic.ron", Text("()") => "classic.ron: unknown asset file, must be one of game.ron, keymap.ron, sounds.ron: `modes/classic.ron` may be meant";
        // The keys.
        "key with two meanings", "keymap.ron", Instead("pause: [P]", "pause: [W]") => "keymap.ron:16:13: key W is forward of person 1 as well as pause, must mean one thing only";
        "key of a person for pausing", "keymap.ron", Instead("pause: [P]", "pause: [P, J]") => "keymap.ron:16:16: key J is left of person 3 as well as pause, must mean one thing only";
        "key twice for a person", "keymap.ron", Instead("left: [A]", "left: [W]") => "keymap.ron:10:45: key W is forward of person 1 as well as left of person 1, must mean one thing only";
        "key twice in a list", "keymap.ron", Instead("restart: [R]", "restart: [R, R]") => "keymap.ron:20:18: key R is restart as well as restart, must mean one thing only";
        "people for keys", "keymap.ron", Instead("pause: [P]", "pause: [(up: [P])]") => "keymap.ron:16:13: `pause` lacks a name here";
        "person without keys", "keymap.ron", Instead("forward: [Up]", "forward: []") => "keymap.ron:11:10: forward of person 2 has no key, must have at least one";
        "person who cannot turn left", "keymap.ron", Instead("left: [J]", "left: []") => "keymap.ron:12:38: left of person 3 has no key, must have at least one";
        "menu without keys", "keymap.ron", Instead("[Digit1, Digit2, Digit3, Digit4]", "[]") => "keymap.ron:37:5: menu_options has 0 keys, must have at least 3";
        "menu with too few keys", "keymap.ron", Instead(", Digit3, Digit4", "") => "keymap.ron:37:5: menu_options has 2 keys, must have at least 3";
        // Levels that nobody could play.
        "no places", "levels/mine.ron", level!("stashes: Places(at_m: [])") => "levels/mine.ron:2:17: at_m has no place, must have at least one";
        "too few places", "modes/mine.ron", mode!("game: (level: \"crossing\",\n  players: 17)") => "modes/mine.ron:3:3: players is 17, must be at most 16, the places of the level \"crossing\"";
        "place outside", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0),\n  (74, 0)])") => "levels/mine.ron:3:3: place 2 is outside of the world, x and y must be -72.34835 to 72.34835 for a stash and a collector to fit in";
        "place that is nowhere", "levels/mine.ron", level!("stashes: Places(at_m: [(0, NaN)])") => "levels/mine.ron:2:31: `stashes` is refused: y is NaN, must be a finite number";
        "places overlap", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0), (20, 0),\n  (3, 4)])") => "levels/mine.ron:3:3: place 3 overlaps place 1, must be at least 5.303301 m away from it";
        "wall on a place", "levels/mine.ron", level!("walls: [(at_m: (0, 9), half_extents_m: (9, 1)), (at_m: (20, 0), half_extents_m: (1, 1))],\nstashes: Places(at_m: [(0, 0),\n (20, 3)])") => "levels/mine.ron:4:2: place 2 overlaps wall 2, must be at least 2.6516504 m away from it";
        "walls overlap", "levels/mine.ron", level!("stashes: Places(at_m: [(40, 40)]), walls: [\n(at_m: (0, 0), half_extents_m: (9, 1)),\n(at_m: (9, 1), half_extents_m: (1, 2))]") => "levels/mine.ron:4:1: wall 2 overlaps wall 1, must stand clear of it";
        "wall outside", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0)]), walls: [\n(at_m: (70, 0), half_extents_m: (6, 1))]") => "levels/mine.ron:3:1: wall 1 reaches 76 m from the centre, must stay within world_half_extent_m, 75";
        "wall too thin", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0)]), walls: [\n(at_m: (9, 9), half_extents_m: (6, 0.1))]") => "levels/mine.ron:3:39: `walls` is refused: y is 0.1, must be at least 0.5";
        "walls in a ring", "levels/mine.ron", level!("stashes: Ring(ring_share: 0.9, grows_beyond_players: 64), walls: [(at_m: (9, 9), half_extents_m: (1, 1))]") => "levels/mine.ron:2:59: walls need stashes at Places, for a ring runs anywhere";
        "ring outside", "levels/mine.ron", level!("stashes: Ring(ring_share: 1, grows_beyond_players: 64)") => "levels/mine.ron:2:15: ring_share is 1, must be at most 0.975 for a stash of half_extent_m 1.875 to fit in";
        "bounties outside", "levels/arena.ron", Instead("bounty_region_share: 0.75", "bounty_region_share: 0.98") => "levels/arena.ron:13:5: bounty_region_share is 0.98, must be at most 0.97 for a bounty of half_extent_m 2.25 to fit in";
        "world too small", "levels/mine.ron", Text("(world_half_extent_m: 2,\nbounty_region_share: 0, stashes: Places(at_m: [(0, 0)]))") => "levels/mine.ron:1:2: world_half_extent_m is 2, must be more than 2.25, half the side of a bounty";
        "stash too large", "prefabs/stash.ron", Instead("1.875", "80.0") => "prefabs/stash.ron:6:18: half the side of \"stash\" is 80 m, must be less than world_half_extent_m in levels/arena.ron, 75";
        // The prefabs.
        "file of no prefabs", "prefabs/mine.ron", Text("()") => "prefabs/mine.ron:1:1: the prefabs of a file must be in brackets `{…}`";
        "unknown field of a prefab", "prefabs/mine.ron", Text("{ \"mine\": (parts: {}) }") => "prefabs/mine.ron:1:12: prefab `mine` has no field `parts`, must be `like`, `components`, `without`, `children`, `without_children` or `requires`";
        "unknown component", "prefabs/mine.ron", Text("{ \"mine\": (components: { \"shpae\": Square(half_extent_m: 1) }) }") => "prefabs/mine.ron:1:26: unknown component `shpae`: `shape` may be meant";
        "unknown field of a component", "prefabs/mine.ron", Text("{ \"mine\": (like: \"collector\",\n  components: { \"drive\": (max_speed: 1) }) }") => "prefabs/mine.ron:2:27: `drive` has no field `max_speed`, must be `max_speed_mps` or `max_turn_radps`";
        "missing field of a component", "prefabs/mine.ron", Text("{ \"mine\": (components: { \"drive\": (max_speed_mps: 1) }) }") => "prefabs/mine.ron:1:35: `drive` lacks the field `max_turn_radps`";
        "unknown shape", "prefabs/mine.ron", Text("{ \"mine\": (components: { \"shape\": Circle(half_extent_m: 1) }) }") => "prefabs/mine.ron:1:35: `shape` cannot be `Circle`, must be `Square`, `Triangle` or `Rectangle`";
        "shape of no size", "prefabs/mine.ron", Text("{ \"mine\": (components: { \"shape\": Square(half_extent_m: 0) }) }") => "prefabs/mine.ron:1:35: `shape` is refused: half_extent_m is 0, must be positive";
        "unknown category", "prefabs/mine.ron", Text("{ \"mine\": (components: { \"body\": (category: Mine, mobility: Fixed) }) }") => "prefabs/mine.ron:1:45: `body.category` cannot be `Mine`, must be `Default`, `Collector`, `Bounty`, `Stash`, `Wall`, `Radar`, `Avoider`, `PowerUp` or `Trigger`";
        "no colour", "prefabs/mine.ron", Text("{ \"mine\": (components: { \"appearance\": (color: \"red\") }) }") => "prefabs/mine.ron:1:48: `appearance.color` is refused: it is \"red\", must be \"#rrggbb\"";
        "like nothing", "prefabs/mine.ron", Text("{ \"mine\": (like: \"rok\") }") => "prefabs/mine.ron:1:18: unknown prefab `rok`: `rock` may be meant";
        "like itself", "prefabs/mine.ron", Text("{ \"mine\": (like: \"yours\"),\n\"yours\": (like: \"mine\") }") => "prefabs/mine.ron:2:17: prefab `mine` would consist of itself: mine → yours → mine";
        "two of one name", "prefabs/yours.ron", Text("{ \"rock\": () }") => "prefabs/yours.ron:1:3: there are two of the prefab `rock`, the first is at assets/prefabs/obstacles.ron:4:5";
        "unknown prefab to play with", "modes/mine.ron", mode!("game: (kinds: (collector: \"tank\"))") => "modes/mine.ron:2:16: there is no prefab \"tank\", there are boulder, bounty, brass, camera, collector, crate, dash power-up, double power-up, edge, ghost power-up, gold, golden bounty, granite, heavy collector, icy, magnet power-up, mine, mine power-up, portal, rock, rocky, rubber, sandy, shield power-up, spring, stash, stone, thorns, updraft, vast stash, vault door, vault lever, wall, wooden";
        "prefab that cannot be played with", "modes/mine.ron", mode!("game: (kinds: (collector: \"rock\"))") => "modes/mine.ron:2:16: prefab \"rock\" has no `drive`, which a collector needs";
        "unknown prefab to deal", "modes/mine.ron", mode!("game: (deals: [\n(prefab: \"silver\", objects_per_player: 1, least_objects: 1)])") => "modes/mine.ron:3:2: there is no prefab \"silver\", there are boulder, bounty, brass, camera, collector, crate, dash power-up, double power-up, edge, ghost power-up, gold, golden bounty, granite, heavy collector, icy, magnet power-up, mine, mine power-up, portal, rock, rocky, rubber, sandy, shield power-up, spring, stash, stone, thorns, updraft, vast stash, vault door, vault lever, wall, wooden";
        "wall to deal", "modes/mine.ron", mode!("game: (deals: [\n(prefab: \"wall\", objects_per_player: 1, least_objects: 1)])") => "modes/mine.ron:3:2: prefab \"wall\" has Wall as `object.kind`, objects in the arena must have Bounty, PowerUp or none";
        "power-up to deal without its rules", "modes/mine.ron", mode!("game: (deals: [\n(prefab: \"ghost power-up\", objects_per_player: 1, least_objects: 1)])") => "modes/mine.ron:3:2: prefab \"ghost power-up\" is a power-up, which needs the rule set `power_ups`";
        "stash that is no stash to rules", "prefabs/stash.ron", Instead("(kind: Stash)", "(kind: Other)") => "assets/game.ron:20:37: prefab \"stash\" has Other as `object.kind`, a stash needs Stash";
        "collector of another category", "prefabs/collector.ron", Instead("(category: Collector", "(category: Stash") => "assets/game.ron:20:13: prefab \"collector\" has Stash as `body.category`, a collector needs Collector";
        "collector that stands still", "prefabs/collector.ron", Instead("mobility: Moving", "mobility: Fixed") => "assets/game.ron:20:13: prefab \"collector\" has Fixed as `body.mobility`, a collector needs Moving";
        "kind with a child", "prefabs/bounty.ron", Instead("\"bounty\": (", "\"bounty\": (children: { \"shell\": () }, ") => "assets/game.ron:20:53: prefab \"bounty\" has a child, \"shell\", which prefabs of a match cannot have";
        "negative deal", "modes/mine.ron", mode!("game: (deals: [\n(prefab: \"rock\", objects_per_player: -1, least_objects: 1)])") => "modes/mine.ron:3:38: `game.deals` is refused: it is -1, must not be negative";
        "prefab that is no power-up", "modes/mine.ron", mode!("game: (rules: (power_ups: Some((\nprefabs: [\"rock\"], power_ups_per_player: 1, least_power_ups: 1))))") => "modes/mine.ron:3:11: prefab \"rock\" has no `power-up`, which a power-up needs";
        // Objects of levels.
        "unknown prefab of a level", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0)]), places: [\n(prefab: \"rok\", at_m: (9, 9))]") => "levels/mine.ron:3:2: there is no prefab \"rok\", there are boulder, bounty, brass, camera, collector, crate, dash power-up, double power-up, edge, ghost power-up, gold, golden bounty, granite, heavy collector, icy, magnet power-up, mine, mine power-up, portal, rock, rocky, rubber, sandy, shield power-up, spring, stash, stone, thorns, updraft, vast stash, vault door, vault lever, wall, wooden: `rock` may be meant";
        "collector that nobody plays", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0)]), places: [\n(prefab: \"collector\", at_m: (9, 9))]") => "levels/mine.ron:3:2: prefab \"collector\" has Collector as `object.kind`, objects in the arena must have Bounty, PowerUp or none";
        "object outside", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0)]), places: [\n(prefab: \"rock\", at_m: (74, 9))]") => "levels/mine.ron:3:1: object 1 reaches 75.5 m from the centre, must stay within world_half_extent_m, 75";
        "object turned too far", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0)]), places: [\n(prefab: \"rock\", at_m: (9, 9), heading_rad: 90)]") => "levels/mine.ron:3:45: `places` is refused: it is 90, must be at most 6.2831855";
        "object in a wall", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0)]), walls: [(at_m: (9, 9), half_extents_m: (2, 2))], places: [\n(prefab: \"rock\", at_m: (10, 9))]") => "levels/mine.ron:3:1: object 1 overlaps wall 1, must stand clear of it";
        "objects overlap", "levels/mine.ron", level!("stashes: Places(at_m: [(0, 0)]), places: [(prefab: \"rock\", at_m: (9, 9)),\n(prefab: \"rock\", at_m: (10, 9))]") => "levels/mine.ron:3:1: object 2 overlaps object 1, must stand clear of it";
        "object on a stash", "levels/mine.ron", level!("stashes: Places(at_m: [\n(0, 0)]), places: [(prefab: \"rock\", at_m: (3, 0))]") => "levels/mine.ron:3:1: place 1 overlaps object 1, must be at least 2.6516504 m away from it";
        "objects in a ring", "levels/mine.ron", level!("stashes: Ring(ring_share: 0.9, grows_beyond_players: 64),\nplaces: [(prefab: \"rock\", at_m: (3, 0))]") => "levels/mine.ron:3:1: places need stashes at Places, for a ring runs anywhere";
    }
    .into()
}

/// A directory of assets that is removed at the end of the test.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("bounty_hunter_broken_{}_{name}", std::process::id())))
    }

    fn write(&self, file: &str, bytes: &[u8]) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("it lies in the directory")).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // The directory may not exist.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets")
}

/// The message about a directory in which only this file is wrong.
fn complaint(broken: &Broken) -> String {
    let directory = Directory::new(&broken.kind.replace(' ', "_"));
    match broken.how {
        Text(text) => directory.write(broken.file, text.as_bytes()),
        Bytes(bytes) => directory.write(broken.file, bytes),
        Instead(from, to) => {
            let text = fs::read_to_string(shipped().join(broken.file)).unwrap();
            assert!(text.contains(from), "{} has {from}", broken.file);
            directory.write(broken.file, text.replacen(from, to, 1).as_bytes());
        }
    }
    let error = Assets::load(&directory.0).err().unwrap_or_else(|| panic!("{} is accepted", broken.kind)).to_string();
    let prefix = format!("{}/", directory.0.display());
    error.strip_prefix(&prefix).unwrap_or(&error).to_owned()
}

#[test]
fn every_kind_of_mistake_has_its_sentence_with_its_place() {
    let table = table();
    assert!(table.len() >= 40, "only {} broken assets", table.len());
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|broken| {
            let found = complaint(broken);
            // The list of all keys is long; its start is enough.
            let is_right =
                found == broken.sentence || (broken.kind == "unknown key" && found.starts_with(broken.sentence));
            (!is_right).then(|| format!("{}:\n  found    {found}\n  expected {}", broken.kind, broken.sentence))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[test]
fn every_kind_of_mistake_is_in_the_table_once() {
    let mut kinds: Vec<&str> = table().iter().map(|broken| broken.kind).collect();
    let count = kinds.len();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), count);
}

#[test]
fn directory_that_is_missing_is_named() {
    let error = Assets::load(Path::new("no/such/place")).unwrap_err();
    assert_eq!(error.to_string(), "no/such/place: no such directory");
}
