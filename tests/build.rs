//! Lists the pages of the guide, so that the code of each page is compiled and run as documentation tests.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/src").canonicalize()?;
    println!("cargo::rerun-if-changed={}", pages.display());
    let mut paths: Vec<PathBuf> = fs::read_dir(pages)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut modules = String::new();
    for path in paths.iter().filter(|path| !path.ends_with("SUMMARY.md")) {
        let name = path.file_stem().unwrap_or_default().display();
        writeln!(modules, "#[doc = include_str!({path:?})]\nmod {name} {{}}").map_err(io::Error::other)?;
    }
    fs::write(PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?).join("guide.rs"), modules)
}
