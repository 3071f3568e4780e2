//! `cargo run -p web`: builds the game for the browser, and puts all that a web server needs into `target/web`.
//! `cargo run -p web -- --serve` serves that folder, too.

mod make;
mod serve;

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

/// Where the page is served: for this machine alone.
const ADDRESS: &str = "127.0.0.1:8000";

fn main() -> ExitCode {
    let done = arguments(env::args().skip(1)).and_then(run);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed as well, only the exit code is left.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Where to serve; `None` to make the folder alone.
fn arguments(mut given: impl Iterator<Item = String>) -> Result<Option<SocketAddr>, Box<dyn Error>> {
    let Some(first) = given.next() else { return Ok(None) };
    let (address, rest) = (given.next(), given.next());
    if first != "--serve" || rest.is_some() {
        return Err(format!("{first} is not understood: use nothing, or --serve [ADDRESS:PORT]").into());
    }
    let address = address.unwrap_or_else(|| ADDRESS.to_owned());
    let refuse =
        |_| format!("{address} is no address with a port, such as {ADDRESS}, or 0.0.0.0:8000 for phones nearby");
    Ok(Some(address.parse().map_err(refuse)?))
}

fn run(serve_at: Option<SocketAddr>) -> Result<(), Box<dyn Error>> {
    // A port that is taken is told before a build of minutes.
    let server = serve_at.map(serve::Server::bind).transpose()?;
    let folder = make::make()?;
    let mut out = io::stdout();
    let Some(server) = server else {
        let hint = "is ready; to serve it: cargo run -p web -- --serve";
        return Ok(writeln!(out, "{} {hint}", folder.display())?);
    };
    writeln!(out, "{} is served at http://{}/ until Ctrl+C", folder.display(), server.address()?)?;
    Ok(server.serve(&folder)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Option<SocketAddr>, String> {
        arguments(words.iter().map(|word| (*word).to_owned())).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_are_nothing_or_an_address_to_serve_at() {
        assert_eq!(parsed(&[]), Ok(None));
        assert_eq!(parsed(&["--serve"]), Ok(Some(ADDRESS.parse().unwrap())));
        assert_eq!(parsed(&["--serve", "0.0.0.0:80"]), Ok(Some("0.0.0.0:80".parse().unwrap())));
        for (words, reason) in [
            (vec!["--served"], "--served is not understood"),
            (vec!["--serve", "here"], "here is no address with a port"),
            (vec!["--serve", "127.0.0.1"], "127.0.0.1 is no address with a port"),
            (vec!["--serve", ADDRESS, "now"], "is not understood: use nothing, or --serve"),
        ] {
            let refusal = parsed(&words).unwrap_err();
            assert!(refusal.contains(reason) && refusal.lines().count() == 1, "{refusal}");
        }
    }
}
