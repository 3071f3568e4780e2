//! `cargo run --release -p package`: builds the game and packs it into `target/packages`, as a tar.gz for any Linux and
//! as a Debian package.

mod licences;

/// The arguments of the program, which is no library.
#[expect(dead_code, unused_imports, reason = "only the definitions are of use here, for the manual")]
#[path = "../../src/command_line"]
mod command_line {
    pub(super) mod arguments;
}

use std::env;
use std::env::consts::ARCH;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::CommandFactory;
use clap_complete::{Shell, generate_to};
use clap_mangen::Man;
use serde_json::Value;

use command_line::arguments::Arguments;

/// The version of the GNU C library is added. The window loads the other libraries when it opens.
const DEPENDS: &str = "libgcc-s1, libx11-6, libxi6, libxkbcommon0, libgl1";
/// Without it the game is silent.
const RECOMMENDS: &str = "libasound2";
/// The section of games in the manual.
const SECTION: &str = "6";

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    match make() {
        Ok(packages) => {
            let said = packages.iter().try_for_each(|package| writeln!(io::stdout(), "{}", package.display()));
            said.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
        }
        Err(error) => {
            // If standard error is closed as well, only the exit code is left.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the packages and returns their paths.
fn make() -> Outcome<Vec<PathBuf>> {
    let cargo = || Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let target = format!("{ARCH}-unknown-linux-gnu");
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &target];
    let metadata: Value = serde_json::from_slice(&output(cargo().args(arguments))?)?;
    // Both packages are named, because the features of the dependencies are those that this program was built with:
    // nothing is built twice.
    let build = [
        "build",
        "--release",
        "--locked",
        "--package",
        "package",
        "--package",
        "bounty_hunter",
        "--bin",
        "bounty_hunter",
    ];
    run(cargo().args(build))?;

    let top = Path::new(metadata["workspace_root"].as_str().ok_or("cargo names no workspace")?);
    let target = Path::new(metadata["target_directory"].as_str().ok_or("cargo names no target directory")?);
    let folder = target.join("packages");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let program = folder.join("bounty_hunter");
    run(Command::new("strip").arg("-o").arg(&program).arg(target.join("release/bounty_hunter")))?;
    let font = fs::read_to_string(top.join("bounty_hunter/fonts/LICENSE-OFL.txt"))?;
    let licences = licences::of_dependencies(&metadata, "bounty_hunter")?;
    let licences = format!("{licences}\n{}\nThe fallback font:\n\n{font}", "-".repeat(72));
    Ok(vec![tar(&folder, top, &program, &licences)?, deb(&folder, top, &program, &licences)?])
}

/// Unpacked anywhere, or over `/usr/local`.
fn tar(folder: &Path, top: &Path, program: &Path, licences: &str) -> Outcome<PathBuf> {
    let name = format!("bounty_hunter-{}-{ARCH}-linux", env!("CARGO_PKG_VERSION"));
    let root = folder.join(&name);
    copy(program, &root.join("bin/bounty_hunter"))?;
    add_shared(&root.join("share"), "site-functions")?;
    let documents = root.join("share/doc/bounty_hunter");
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md", "bounty_hunter/README.md"] {
        copy(&top.join(file), &documents.join(Path::new(file).file_name().ok_or("a file has no name")?))?;
    }
    fs::write(documents.join("LICENSES-OF-DEPENDENCIES"), licences)?;
    let package = folder.join(format!("{name}.tar.gz"));
    let reproducible = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
    run(Command::new("tar").args(reproducible).arg("-C").arg(folder).arg("-czf").arg(&package).arg(&name))?;
    Ok(package)
}

fn deb(folder: &Path, top: &Path, program: &Path, licences: &str) -> Outcome<PathBuf> {
    let root = folder.join("deb");
    copy(program, &root.join("usr/games/bounty_hunter"))?;
    add_shared(&root.join("usr/share"), "vendor-completions")?;
    let documents = root.join("usr/share/doc/bounty-hunter");
    copy(&top.join("CHANGELOG.md"), &documents.join("changelog"))?;
    gzip(&documents.join("changelog"))?;
    fs::write(documents.join("licenses-of-dependencies"), licences)?;
    gzip(&documents.join("licenses-of-dependencies"))?;
    let mit = fs::read_to_string(top.join("LICENSE-MIT"))?;
    let copyright = "BountyHunter may be used by the terms of the MIT licence below or of the Apache licence, version 2.0, which is in\n\
        /usr/share/common-licenses/Apache-2.0. The licences of what is compiled in are in licenses-of-dependencies.gz.\n\n";
    fs::write(documents.join("copyright"), copyright.to_owned() + &mit)?;

    let architecture = match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => return Err(format!("the name that Debian gives to {other} is not known here").into()),
    };
    let version = env!("CARGO_PKG_VERSION");
    let libc = newest_libc(&fs::read(program)?).ok_or("the program names no version of the GNU C library")?;
    let kilobytes = size(&root)?.div_ceil(1024);
    let control = format!(
        "Package: bounty-hunter\nVersion: {version}\nArchitecture: {architecture}\nSection: games\nPriority: optional\n\
        Maintainer: The BountyHunter authors <bounty_hunter@example.org>\nInstalled-Size: {kilobytes}\n\
        Depends: libc6 (>= {libc}), {DEPENDS}\nRecommends: {RECOMMENDS}\n\
        Description: arena game for one to four people and up to ten thousand AIs\n \
        Collectors pick up bounty and bring it to stashes; the player with the fullest\n \
        stash wins when the time is up. Matches can be recorded, replayed, saved and\n \
        rewound, and simulated without a window.\n"
    );
    fs::create_dir_all(root.join("DEBIAN"))?;
    fs::write(root.join("DEBIAN/control"), control)?;
    let package = folder.join(format!("bounty-hunter_{version}_{architecture}.deb"));
    run(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&root).arg(&package))?;
    Ok(package)
}

/// The entry in the menu of the desktop, its icon, the manual, and the completions of shells. zsh finds those of
/// programs that are installed by hand in another folder than those of the system.
fn add_shared(share: &Path, of_zsh: &str) -> Outcome<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&here.join("bounty_hunter.desktop"), &share.join("applications/bounty_hunter.desktop"))?;
    copy(&here.join("bounty_hunter.svg"), &share.join("icons/hicolor/scalable/apps/bounty_hunter.svg"))?;
    let manual = share.join("man/man6");
    fs::create_dir_all(&manual)?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    add_pages(&command, &manual)?;
    let folders = [
        (Shell::Bash, share.join("bash-completion/completions")),
        (Shell::Zsh, share.join("zsh").join(of_zsh)),
        (Shell::Fish, share.join("fish/vendor_completions.d")),
    ];
    for (shell, folder) in folders {
        fs::create_dir_all(&folder)?;
        let file = generate_to(shell, &mut Arguments::command(), "bounty_hunter", &folder)?;
        if shell == Shell::Bash {
            // bash looks for a file with the name of the program.
            fs::rename(file, folder.join("bounty_hunter"))?;
        }
    }
    Ok(())
}

/// The page of a command and those of its commands.
fn add_pages(command: &clap::Command, folder: &Path) -> Outcome<()> {
    let page = Man::new(command.clone()).section(SECTION).manual("Games");
    gzip(&page.generate_to(folder)?)?;
    command.get_subcommands().try_for_each(|below| add_pages(below, folder))
}

/// The newest version of the GNU C library whose symbols the program names.
fn newest_libc(program: &[u8]) -> Option<String> {
    const PREFIX: &[u8] = b"GLIBC_2.";
    let minor = |name: &[u8]| {
        let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
        std::str::from_utf8(&name[..digits]).ok()?.parse::<u32>().ok()
    };
    let names = program.windows(PREFIX.len()).enumerate().filter(|(_, bytes)| *bytes == PREFIX);
    let newest = names.filter_map(|(at, _)| minor(&program[at + PREFIX.len()..])).max()?;
    Some(format!("2.{newest}"))
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to).map_err(|error| format!("{} cannot be copied: {error}", from.display()))?;
    Ok(())
}

/// Replaces a file by a compressed one, which is the same for the same contents.
fn gzip(file: &Path) -> Outcome<()> {
    run(Command::new("gzip").args(["--best", "--no-name", "--force"]).arg(file))
}

/// The bytes of all files below a folder.
fn size(folder: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}

fn run(command: &mut Command) -> Outcome<()> {
    output(command.stdout(Stdio::inherit())).map(drop)
}

fn output(command: &mut Command) -> Outcome<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("{name} cannot be run: {error}"))?;
    if output.status.success() { Ok(output.stdout) } else { Err(format!("{name} failed: {}", output.status).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_version_is_found_by_number() {
        assert_eq!(newest_libc(b"..GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE").as_deref(), Some("2.34"));
        assert_eq!(newest_libc(b"nothing"), None);
    }
}
