//! `bounty_hunter level`: a level as a file of the assets.

use std::io::Write;

use bounty_hunter::assets::AssetTexts;
use bounty_hunter::level::Level;
use bounty_hunter::seeded_level::{seed_in, seeded_level};
use bounty_hunter::whole_file;
use ron::ser::PrettyConfig;

use super::Failure;
use super::arguments::LevelArguments;
use super::read_assets;

/// Prints the level, or writes it to a file.
pub(crate) fn write_level(arguments: &LevelArguments, out: &mut impl Write) -> Result<(), Failure> {
    let refuse = |error: &dyn std::fmt::Display| Failure::BadInput(error.to_string());
    let (name, directory) = (&arguments.name, arguments.assets.as_deref());
    // The level must exist and fit these assets.
    read_assets(directory)?.in_level(name).map_err(|error| refuse(&error))?;
    let text = match seed_in(name) {
        Some(seed) => text_of(name, &seeded_level(seed.map_err(|error| refuse(&error))?)),
        None => {
            let texts = directory.map_or_else(|| Ok(AssetTexts::built_in()), AssetTexts::load);
            let texts = texts.map_err(|error| refuse(&error))?;
            texts.get(&format!("levels/{name}.ron")).map_or_else(String::new, |text| text.text().to_owned())
        }
    };
    match &arguments.out {
        None => Ok(out.write_all(text.as_bytes())?),
        Some(file) => whole_file::write(file, text.as_bytes())
            .map_err(|error| Failure::Machine(format!("the level {} cannot be written: {error}", file.display()))),
    }
}

/// The file of a level.
fn text_of(name: &str, level: &Level) -> String {
    let pretty = PrettyConfig::new().depth_limit(2);
    let level = ron::ser::to_string_pretty(level, pretty).expect("levels are texts and numbers");
    format!("// The level {name}.\n{level}\n")
}

#[cfg(test)]
mod tests {
    use ecs::prefab::RonText;

    use super::*;

    #[test]
    fn file_of_a_level_from_a_seed_is_that_level() {
        for seed in 0..200 {
            let level = seeded_level(seed);
            let text = text_of(&format!("seed:{seed}"), &level);
            let read: Level = RonText::new("level.ron", &*text).read().unwrap();
            assert_eq!(read, level, "{text}");
        }
    }
}
