//! The server: one thread that passes requests on to the program, and serves the page.

use std::fmt;
use std::io::Read;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::json;
use tiny_http::{Header, Method, Request as HttpRequest, Response, StatusCode};

/// Limit of the bytes of a request.
const MOST_BYTES: u64 = 1 << 20;
/// Limit of requests that are served at the same time, each in a thread, so that a slow one delays no other.
const MOST_SERVED: usize = 64;
/// How long a request waits for the program, which may not be running frames.
const PATIENCE: Duration = Duration::from_secs(2);

const PAGE: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/studio.css");
const SCRIPT: &str = include_str!("../page/studio.js");

/// Why a studio cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerError {
    /// The address is reachable from other machines, and there is no token.
    NotLocal(SocketAddr),
    /// The address cannot be used.
    Listen(String),
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLocal(address) => {
                write!(
                    f,
                    "the studio at {address} would be reachable from other machines: set a token, or use 127.0.0.1"
                )
            }
            Self::Listen(problem) => write!(f, "the studio cannot listen: {problem}"),
        }
    }
}

impl std::error::Error for ServerError {}

/// A request that waits for its answer.
pub(crate) struct Asked {
    request: String,
    reply: Sender<String>,
}

impl Asked {
    pub(crate) fn request(&self) -> &str {
        &self.request
    }

    pub(crate) fn reply(self, answer: String) {
        // The one that asked may have given up.
        _ = self.reply.send(answer);
    }
}

/// A running server; dropping it ends its thread.
pub(crate) struct Server {
    http: Arc<tiny_http::Server>,
    thread: Option<JoinHandle<()>>,
    asked: Receiver<Asked>,
    address: SocketAddr,
}

impl Server {
    pub(crate) fn start(address: &str, token: Option<&str>) -> Result<Self, ServerError> {
        let resolved = address.to_socket_addrs()?.next();
        let resolved = resolved.ok_or_else(|| ServerError::Listen(format!("{address:?} is no address")))?;
        if token.is_none() && !resolved.ip().is_loopback() {
            return Err(ServerError::NotLocal(resolved));
        }
        let http =
            tiny_http::Server::http(resolved).map_err(|error| ServerError::Listen(format!("{resolved}: {error}")))?;
        let address = http.server_addr().to_ip().ok_or_else(|| ServerError::Listen("it has no address".to_owned()))?;
        let http = Arc::new(http);
        let (sender, asked) = sync_channel(MOST_SERVED);
        let gate = Gate { token: token.map(str::to_owned), port: address.port() };
        let of_thread = Arc::clone(&http);
        let thread = std::thread::Builder::new().name("ecs studio".to_owned()).spawn(move || {
            let gate = Arc::new(gate);
            let serving = Arc::new(());
            while let Ok(request) = of_thread.recv() {
                if Arc::strong_count(&serving) > MOST_SERVED {
                    refuse(request, 503, "too many requests wait");
                    continue;
                }
                let (gate, sender, serving) = (Arc::clone(&gate), sender.clone(), Arc::clone(&serving));
                let serve = move || {
                    serve(request, &gate, &sender);
                    drop(serving);
                };
                // Without a thread the request is dropped, which closes its connection.
                _ = std::thread::Builder::new().name("ecs studio request".to_owned()).spawn(serve);
            }
        })?;
        Ok(Self { http, thread: Some(thread), asked, address })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The next request, if one waits.
    pub(crate) fn next(&self) -> Option<Asked> {
        self.asked.try_recv().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.http.unblock();
        if let Some(thread) = self.thread.take() {
            _ = thread.join();
        }
    }
}

/// Who may ask.
struct Gate {
    token: Option<String>,
    port: u16,
}

impl Gate {
    /// Refuses other machines, and pages of other sites in a browser on this machine.
    fn check(&self, request: &HttpRequest) -> Result<(), &'static str> {
        let header = |name: &str| {
            let found =
                request.headers().iter().find(|header| header.field.as_str().as_str().eq_ignore_ascii_case(name));
            found.map(|header| header.value.as_str())
        };
        let host = header("Host").unwrap_or_default();
        if header("Origin").is_some_and(|origin| origin != format!("http://{host}")) {
            return Err("requests of other pages are refused");
        }
        if let Some(token) = &self.token {
            let in_address = request.url().split_once("?token=").map(|(_, token)| token);
            return match header("X-Token").or(in_address) == Some(token) {
                true => Ok(()),
                false => Err("the token is missing or wrong"),
            };
        }
        if !request.remote_addr().is_some_and(|address| address.ip().is_loopback()) {
            return Err("other machines are refused");
        }
        match is_loopback(host, self.port) {
            true => Ok(()),
            false => Err("the name of this machine is not localhost, which a page of another site could misuse"),
        }
    }
}

/// Whether a `Host` names this machine by a loopback address. Any other name could belong to another site.
fn is_loopback(host: &str, port: u16) -> bool {
    let Some(name) = host.strip_suffix(&format!(":{port}")) else { return false };
    let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

fn serve(mut request: HttpRequest, gate: &Gate, program: &SyncSender<Asked>) {
    let path = request.url().split('?').next().unwrap_or_default().to_owned();
    if let Err(reason) = gate.check(&request) {
        return refuse(request, 403, reason);
    }
    let (kind, text) = match (request.method(), path.as_str()) {
        (Method::Get, "/") => ("text/html; charset=utf-8", PAGE),
        (Method::Get, "/studio.css") => ("text/css; charset=utf-8", STYLE),
        (Method::Get, "/studio.js") => ("text/javascript; charset=utf-8", SCRIPT),
        (Method::Post, "/api") => {
            let mut body = Vec::new();
            let read = request.as_reader().take(MOST_BYTES + 1).read_to_end(&mut body);
            let is_short = read.is_ok_and(|read| read as u64 <= MOST_BYTES);
            return match String::from_utf8(body) {
                Ok(body) if is_short => pass_on(request, body, program),
                _ => refuse(request, 400, &format!("a request is at most {MOST_BYTES} bytes of UTF-8")),
            };
        }
        _ => return refuse(request, 404, "there is no such page"),
    };
    send(request, 200, kind, text.to_owned());
}

/// Lets the program answer.
fn pass_on(request: HttpRequest, body: String, program: &SyncSender<Asked>) {
    let (reply, answer) = channel();
    if program.try_send(Asked { request: body, reply }).is_err() {
        return refuse(request, 503, "too many requests wait");
    }
    match answer.recv_timeout(PATIENCE) {
        Ok(answer) => send(request, 200, "application/json", answer),
        Err(_) => refuse(request, 503, "the program does not answer: it may not be running frames"),
    }
}

fn refuse(request: HttpRequest, status: u16, reason: &str) {
    send(request, status, "application/json", json!({ "error": reason }).to_string());
}

fn send(request: HttpRequest, status: u16, kind: &str, text: String) {
    let header = |name: &str, value: &str| {
        Header::from_bytes(name.as_bytes(), value.as_bytes()).expect("names and values are plain text")
    };
    let response = Response::from_string(text)
        .with_status_code(StatusCode(status))
        .with_header(header("Content-Type", kind))
        .with_header(header("Cache-Control", "no-store"))
        .with_header(header("X-Content-Type-Options", "nosniff"))
        .with_header(header("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"));
    // The one that asked may be gone.
    _ = request.respond(response);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_hosts() {
        for host in ["localhost:7878", "127.0.0.1:7878", "[::1]:7878", "127.1.2.3:7878"] {
            assert!(is_loopback(host, 7878), "{host}");
        }
        for host in
            ["", "localhost", "localhost:7879", "example.org:7878", "127.0.0.1.example.org:7878", "10.0.0.1:7878"]
        {
            assert!(!is_loopback(host, 7878), "{host}");
        }
    }

    #[test]
    fn other_addresses_need_a_token() {
        let error = Server::start("0.0.0.0:0", None).map(drop).unwrap_err().to_string();
        assert_eq!(
            error,
            "the studio at 0.0.0.0:0 would be reachable from other machines: set a token, or use 127.0.0.1"
        );
        assert!(Server::start("nonsense", None).is_err());
    }
}
