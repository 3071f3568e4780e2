//! `cargo run -p web`: builds the game for the browser, and puts all that a web server needs into `target/web`.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::Value;

const TARGET: &str = "wasm32-unknown-unknown";
/// The scripts of the dependencies, in the order in which the page loads them: package and path in it.
const SCRIPTS: [(&str, &str); 2] = [("miniquad", "js/gl.js"), ("sapp-jsutils", "js/sapp_jsutils.js")];

fn main() -> ExitCode {
    match make() {
        Ok(directory) => {
            let hint = "is ready for a web server, for example: python3 -m http.server --directory";
            let said = writeln!(io::stdout(), "{0} {hint} {0}", directory.display());
            said.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
        }
        Err(error) => {
            // If standard error is closed as well, only the exit code is left.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the folder and returns its path.
fn make() -> Result<PathBuf, Box<dyn Error>> {
    let metadata = metadata()?;
    let target = Path::new(metadata["target_directory"].as_str().ok_or("cargo names no target directory")?).to_owned();
    let modules = target.join("wasm");
    let arguments =
        ["build", "--package", "bounty_hunter", "--no-default-features", "--features", "client", "--profile", "web"];
    let built = cargo().args(arguments).args(["--target", TARGET]).arg("--target-dir").arg(&modules).status()?;
    if !built.success() {
        return Err(format!("the game was not built; if its target is missing: rustup target add {TARGET}").into());
    }
    let directory = target.join("web");
    fs::create_dir_all(&directory)?;
    fs::copy(modules.join(TARGET).join("web/bounty_hunter.wasm"), directory.join("bounty_hunter.wasm"))?;
    for (package, script) in SCRIPTS {
        let source = folder_of(package, &metadata)?.join(script);
        fs::copy(&source, directory.join(source.file_name().ok_or("a script has no name")?))?;
    }
    for page in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("page"))? {
        let page = page?;
        fs::copy(page.path(), directory.join(page.file_name()))?;
    }
    // The module holds the fallback font.
    let font_licence = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fonts/LICENSE-OFL.txt");
    fs::copy(font_licence, directory.join("LICENSE-OFL.txt"))?;
    Ok(directory)
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
