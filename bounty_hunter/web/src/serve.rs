//! A small web server for one folder: it sends the compressed copies, and nothing from outside of the folder.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Limit of the head of a request, bytes.
const MAX_HEAD: usize = 16 * 1024;
/// How long a browser may be silent.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that listens already.
#[derive(Debug)]
pub(crate) struct Server(TcpListener);

impl Server {
    /// Listens at an address.
    ///
    /// # Errors
    /// A sentence, if the port is taken or the address is not of this machine.
    pub(crate) fn bind(address: SocketAddr) -> Result<Self, String> {
        TcpListener::bind(address).map(Self).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                let other = address.port().wrapping_add(1).max(1024);
                format!("the port of {address} is taken: choose another, such as --serve {}:{other}", address.ip())
            }
            _ => format!("the page cannot be served at {address}: {error}"),
        })
    }

    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }

    /// Answers until the program ends.
    pub(crate) fn serve(&self, folder: &Path) -> io::Result<()> {
        let folder: Arc<Path> = fs::canonicalize(folder)?.into();
        for stream in self.0.incoming() {
            let folder = Arc::clone(&folder);
            // A connection that breaks is the browser's business, and it asks again.
            if let Ok(stream) = stream {
                let _ = thread::Builder::new().spawn(move || answer(stream, &folder));
            }
        }
        Ok(())
    }
}

/// Answers one request, and closes the connection.
fn answer(mut stream: TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = Vec::new();
    let mut part = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < MAX_HEAD {
        match stream.read(&mut part)? {
            0 => return Ok(()),
            length => head.extend_from_slice(&part[..length]),
        }
    }
    let Response { head, body } = response(&String::from_utf8_lossy(&head), folder);
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)
}

#[derive(Debug, PartialEq, Eq)]
struct Response {
    head: String,
    body: Vec<u8>,
}

/// The response to a request with this head.
fn response(request: &str, folder: &Path) -> Response {
    let mut words = request.split_ascii_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if method != "GET" && method != "HEAD" {
        return refusal("405 Method Not Allowed");
    }
    let Some(file) = file_of(target, folder) else { return refusal("404 Not Found") };
    let packed = file.with_added_extension("gz");
    let is_packed = takes_gzip(request) && packed.is_file();
    let Ok(mut body) = fs::read(if is_packed { packed } else { file.clone() }) else {
        return refusal("404 Not Found");
    };
    let mut fields = format!("Content-Type: {}\r\nContent-Length: {}\r\n", content_type(&file), body.len());
    if is_packed {
        fields += "Content-Encoding: gzip\r\n";
    }
    if method == "HEAD" {
        body.clear();
    }
    let always =
        "Vary: Accept-Encoding\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close";
    Response { head: format!("HTTP/1.1 200 OK\r\n{fields}{always}\r\n\r\n"), body }
}

fn refusal(status: &str) -> Response {
    let body = format!("{status}\n").into_bytes();
    let fields = format!("Content-Type: text/plain\r\nContent-Length: {}\r\nConnection: close", body.len());
    Response { head: format!("HTTP/1.1 {status}\r\n{fields}\r\n\r\n"), body }
}

/// The file that a request means; `None` outside of the folder, also by a link, and for what is no file.
fn file_of(target: &str, folder: &Path) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html".to_owned() } else { decoded(path)? };
    let file = fs::canonicalize(folder.join(path)).ok()?;
    (file.starts_with(folder) && file.is_file()).then_some(file)
}

/// A path with its `%` codes as the bytes that they stand for.
fn decoded(path: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first == b'%' {
            let code = std::str::from_utf8(behind.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            rest = &behind[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}

/// Whether a browser takes compressed files.
fn takes_gzip(request: &str) -> bool {
    request.lines().any(|line| {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let is_taken = |coding: &str| {
            let (name, quality) = coding.split_once(";q=").unwrap_or((coding, "1"));
            name.trim().eq_ignore_ascii_case("gzip") && quality.trim().parse::<f32>().is_ok_and(|quality| quality > 0.0)
        };
        name.eq_ignore_ascii_case("accept-encoding") && value.split(',').any(is_taken)
    })
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a page, and a file beside it that is not for others; gone when the test ends.
    struct Site(PathBuf);

    impl Site {
        fn new(name: &str) -> Self {
            let top = std::env::temp_dir().join(format!("bounty_hunter_web_{name}_{}", std::process::id()));
            fs::create_dir_all(top.join("web/deep")).unwrap();
            let top = fs::canonicalize(top).unwrap();
            for (file, text) in [
                ("secret.txt", "secret"),
                ("web/index.html", "page"),
                ("web/game.wasm", "whole"),
                ("web/game.wasm.gz", "packed"),
                ("web/deep/a b.replay", "replay"),
            ] {
                fs::write(top.join(file), text).unwrap();
            }
            Self(top)
        }

        fn folder(&self) -> PathBuf {
            self.0.join("web")
        }

        fn get(&self, target: &str) -> Response {
            response(&format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n"), &self.folder())
        }
    }

    impl Drop for Site {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn files_are_sent_with_their_types_and_compressed_to_those_who_take_it() {
        let site = Site::new("files");
        let page = site.get("/?mode=spells");
        assert_eq!(page.body, b"page");
        assert!(page.head.starts_with("HTTP/1.1 200 OK\r\n") && page.head.contains("Content-Type: text/html; charset"));
        let whole = site.get("/game.wasm");
        assert!(whole.body == b"whole" && whole.head.contains("Content-Type: application/wasm\r\n"));
        assert!(!whole.head.contains("Content-Encoding"));
        let with = |coding: &str| {
            let request = format!("GET /game.wasm HTTP/1.1\r\naccept-encoding: br, {coding}\r\n\r\n");
            response(&request, &site.folder())
        };
        let packed = with("gzip");
        assert_eq!(packed.body, b"packed");
        assert!(
            packed.head.contains("Content-Type: application/wasm\r\nContent-Length: 6\r\nContent-Encoding: gzip\r\n")
        );
        assert_eq!((with("gzip;q=0").body, with("gzip;q=0.5").body), (b"whole".to_vec(), b"packed".to_vec()));
        assert_eq!(site.get("/deep/a%20b.replay").body, b"replay");
        let head = response("HEAD /game.wasm HTTP/1.1\r\n\r\n", &site.folder());
        assert!(head.body.is_empty() && head.head.contains("Content-Length: 5\r\n"));
    }

    #[test]
    fn nothing_is_sent_from_outside_of_the_folder() {
        let site = Site::new("outside");
        #[cfg(unix)]
        std::os::unix::fs::symlink(site.0.join("secret.txt"), site.folder().join("link.txt")).unwrap();
        let absolute = format!("/{}", site.0.join("secret.txt").display());
        let targets =
            ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/deep/../../secret.txt", "/link.txt"];
        let odd = ["/gone", "/deep", "/%", "/%zz", "/%00", "/a%ff", "secret.txt", ""];
        for target in targets.into_iter().chain(odd).chain([absolute.as_str()]) {
            let refused = site.get(target);
            assert_eq!(refused, refusal("404 Not Found"), "{target}");
        }
        for request in ["POST / HTTP/1.1\r\n\r\n", "", "\r\n\r\n"] {
            assert!(response(request, &site.folder()).head.starts_with("HTTP/1.1 405 "), "{request}");
        }
    }

    #[test]
    fn port_that_is_taken_is_told_with_another_one() {
        let first = Server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.address().unwrap();
        let refusal = Server::bind(address).unwrap_err();
        assert!(
            refusal.starts_with(&format!("the port of {address} is taken: choose another, such as --serve 127.0.0.1:"))
        );
        assert_eq!(refusal.lines().count(), 1);
        let foreign = Server::bind("203.0.113.1:8000".parse().unwrap()).unwrap_err();
        assert!(foreign.starts_with("the page cannot be served at 203.0.113.1:8000: "), "{foreign}");
    }

    #[test]
    fn browser_is_answered_over_its_connection() {
        let site = Site::new("connection");
        let server = Server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let (address, folder) = (server.address().unwrap(), site.folder());
        thread::spawn(move || server.serve(&folder));
        // A silent connection delays no other.
        let _silent = TcpStream::connect(address).unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
        stream.write_all(b"Host: x\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\npage"), "{answer}");
    }
}
