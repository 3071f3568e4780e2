//! The folder: the game, its scripts and the page, each also compressed.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

const TARGET: &str = "wasm32-unknown-unknown";
/// The scripts of the dependencies, in the order in which the page loads them: package and path in it.
const SCRIPTS: [(&str, &str); 2] = [("miniquad", "js/gl.js"), ("sapp-jsutils", "js/sapp_jsutils.js")];
/// Files from beside this package: the page has the icon of the program, and the module holds the fallback font.
const OTHERS: [&str; 2] = ["../package/bounty_hunter.svg", "../fonts/LICENSE-OFL.txt"];

/// Makes the folder and returns its path.
pub(crate) fn make() -> Result<PathBuf, Box<dyn Error>> {
    let metadata = metadata()?;
    let target = Path::new(metadata["target_directory"].as_str().ok_or("cargo names no target directory")?).to_owned();
    let modules = target.join("wasm");
    let arguments =
        ["build", "--package", "bounty_hunter", "--no-default-features", "--features", "client", "--profile", "web"];
    let built = cargo().args(arguments).args(["--target", TARGET]).arg("--target-dir").arg(&modules).status()?;
    if !built.success() {
        return Err(format!("the game was not built; if its target is missing: rustup target add {TARGET}").into());
    }
    let folder = target.join("web");
    fs::create_dir_all(&folder)?;
    put(&modules.join(TARGET).join("web/bounty_hunter.wasm"), &folder)?;
    for (package, script) in SCRIPTS {
        put(&folder_of(package, &metadata)?.join(script), &folder)?;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in fs::read_dir(here.join("page"))? {
        put(&page?.path(), &folder)?;
    }
    for other in OTHERS {
        put(&here.join(other), &folder)?;
    }
    Ok(folder)
}

/// Copies a file into a folder, and a compressed copy beside it, unless both are there already.
fn put(file: &Path, folder: &Path) -> io::Result<()> {
    let name = file.file_name().unwrap_or_default();
    let (copy, compressed) = (folder.join(name), folder.join(name).with_added_extension("gz"));
    let content = fs::read(file)?;
    if compressed.exists() && fs::read(&copy).is_ok_and(|before| before == content) {
        return Ok(());
    }
    // Without the old one: if this is stopped halfway, the next call begins again.
    let _ = fs::remove_file(&compressed);
    fs::write(&copy, &content)?;
    let unfinished = folder.join(name).with_added_extension("part");
    let mut encoder = GzEncoder::new(BufWriter::new(File::create(&unfinished)?), Compression::best());
    io::copy(&mut content.as_slice(), &mut encoder)?;
    encoder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    fs::rename(unfinished, compressed)
}

fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn metadata() -> Result<Value, Box<dyn Error>> {
    let arguments = ["metadata", "--format-version", "1", "--filter-platform", TARGET];
    let output = cargo().args(arguments).stderr(Stdio::inherit()).output()?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The folder with the sources of a package.
fn folder_of(package: &str, metadata: &Value) -> Result<PathBuf, String> {
    let packages = metadata["packages"].as_array().ok_or("cargo lists no packages")?;
    let manifest =
        packages.iter().find(|other| other["name"] == package).and_then(|found| found["manifest_path"].as_str());
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    folder.map(Path::to_owned).ok_or_else(|| format!("the package {package} is missing"))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn compressed_copy_has_the_content_also_after_a_change() {
        let folder = env::temp_dir().join(format!("bounty_hunter_web_make_{}", std::process::id()));
        fs::create_dir_all(folder.join("made")).unwrap();
        let source = folder.join("page.js");
        for content in ["one ".repeat(1_000), "two ".repeat(2_000)] {
            fs::write(&source, &content).unwrap();
            put(&source, &folder.join("made")).unwrap();
            assert_eq!(fs::read_to_string(folder.join("made/page.js")).unwrap(), content);
            let compressed = fs::read(folder.join("made/page.js.gz")).unwrap();
            let mut text = String::new();
            GzDecoder::new(compressed.as_slice()).read_to_string(&mut text).unwrap();
            assert!(text == content && compressed.len() < content.len() / 10);
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
