//! The server: a thread that accepts connections, and one for each of them that passes its request on to the program,
//! serves the page, or sends what has changed.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::http::{EventStream, Request as HttpRequest};
use crate::streams::OpenedStream;

/// Limit of the bytes of a request.
pub(crate) const MAX_REQUEST_BYTES: usize = 1 << 27;
/// Limit of connections at the same time. Others are closed at once.
const MAX_CONNECTIONS: usize = 32;
/// How long a request waits for the program, which may not be running frames.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long no connection is accepted after an error, such as too many open files.
const PAUSE: Duration = Duration::from_millis(50);

/// How often a stream without news shows that the program is alive, which a page misses after 1.1 s.
const BEAT: Duration = Duration::from_millis(400);
/// Limit of connections with which another stream is begun.
const MAX_STREAMS: usize = 16;
/// Messages that wait for a slow page.
const MAX_WAITING: usize = 2;
/// How long the end waits until all pages are told of it.
const FAREWELL: Duration = Duration::from_millis(500);

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
/// The files of the page, each with its kind.
const FILES: [(&str, &str, &str); 15] = [
    ("/", HTML, include_str!("../page/index.html")),
    ("/favicon.svg", "image/svg+xml", include_str!("../page/favicon.svg")),
    ("/studio.css", CSS, include_str!("../page/studio.css")),
    ("/preact.js", SCRIPT, include_str!("../page/preact/preact.js")),
    ("/program.js", SCRIPT, include_str!("../page/program.js")),
    ("/elements.js", SCRIPT, include_str!("../page/elements.js")),
    ("/rows.js", SCRIPT, include_str!("../page/rows.js")),
    ("/values.js", SCRIPT, include_str!("../page/values.js")),
    ("/graphs.js", SCRIPT, include_str!("../page/graphs.js")),
    ("/entities.js", SCRIPT, include_str!("../page/entities.js")),
    ("/tabs.js", SCRIPT, include_str!("../page/tabs.js")),
    ("/studio.js", SCRIPT, include_str!("../page/studio.js")),
    ("/questions.js", SCRIPT, include_str!("../page/questions.js")),
    ("/begin.js", SCRIPT, include_str!("../page/begin.js")),
    ("/clock.js", SCRIPT, include_str!("../page/clock.js")),
];

/// Why a studio cannot be reached.
#[derive(Clone, PartialEq, Eq)]
pub enum ServerError {
    /// The address is reachable from other machines, and there is no token.
    NotLocal(SocketAddr),
    /// The token is empty, or has other characters than letters, digits, `-`, `.`, `_` and `~`.
    Token,
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
            Self::Token => {
                f.write_str("the token of the studio must have letters, digits, -, ., _ and ~ only, at least one")
            }
            Self::Listen(problem) => write!(f, "the studio cannot listen: {problem}"),
        }
    }
}

/// As `Display`, so that `unwrap` and a `main` that returns the error print the sentence.
impl fmt::Debug for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ServerError {}

impl From<std::io::Error> for ServerError {
    fn from(error: std::io::Error) -> Self {
        Self::Listen(error.to_string())
    }
}

/// A request that waits for its answer.
pub(crate) struct PendingRequest {
    request: String,
    reply: Sender<String>,
    /// Set by whichever comes first: the program that answers, or the sender that gives up.
    is_taken: Arc<AtomicBool>,
}

impl PendingRequest {
    pub(crate) fn request(&self) -> &str {
        &self.request
    }

    pub(crate) fn reply(self, answer: String) {
        // The one that asked may be gone.
        _ = self.reply.send(answer);
    }
}

/// A running server; dropping it ends its thread.
pub(crate) struct Server {
    asked: Receiver<PendingRequest>,
    opened: Receiver<OpenedStream>,
    /// Counts how often the program has looked for requests, so that pages see whether it runs.
    looks: Arc<AtomicU64>,
    /// Disconnected once no stream is open.
    all_closed: Receiver<()>,
    address: SocketAddr,
    is_ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// `panels` is the script of the program's panels.
    pub(crate) fn start(address: &str, token: Option<&str>, panels: String) -> Result<Self, ServerError> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if token.is_some_and(|token| token.is_empty() || !token.bytes().all(is_plain)) {
            return Err(ServerError::Token);
        }
        let resolved = address.to_socket_addrs()?.next();
        let resolved = resolved.ok_or_else(|| ServerError::Listen(format!("{address:?} is no address")))?;
        if token.is_none() && !resolved.ip().is_loopback() {
            return Err(ServerError::NotLocal(resolved));
        }
        let listener =
            TcpListener::bind(resolved).map_err(|error| ServerError::Listen(format!("{resolved}: {error}")))?;
        let address = listener.local_addr()?;
        let (program, asked) = sync_channel(MAX_CONNECTIONS);
        let (streams, opened) = channel();
        let (open, all_closed) = channel();
        let looks = Arc::new(AtomicU64::new(0));
        let policy = Arc::new(AccessPolicy { token: token.map(str::to_owned), port: address.port(), panels });
        let begun = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", std::process::id(), begun.as_nanos());
        let program = Program { requests: program, streams, looks: Arc::clone(&looks), run, _open: open };
        let is_ending = Arc::new(AtomicBool::new(false));
        let ending = Arc::clone(&is_ending);
        let accept = move || {
            for stream in listener.incoming() {
                if ending.load(Ordering::Acquire) {
                    break;
                }
                match stream {
                    // Each connection holds a reference beside this one.
                    Ok(stream) if Arc::strong_count(&policy) <= MAX_CONNECTIONS => {
                        serve_apart(stream, &policy, &program)
                    }
                    Ok(_) => {}
                    Err(_) => std::thread::park_timeout(PAUSE),
                }
            }
        };
        let thread = std::thread::Builder::new().name("ecs studio".to_owned()).spawn(accept)?;
        Ok(Self { asked, opened, looks, all_closed, address, is_ending, thread: Some(thread) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The next request whose sender still waits.
    pub(crate) fn next(&self) -> Option<PendingRequest> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.asked.try_iter().find(|asked| !asked.is_taken.swap(true, Ordering::AcqRel))
    }
}

impl Server {
    /// The next page that has begun to listen.
    pub(crate) fn next_stream(&self) -> Option<OpenedStream> {
        self.opened.try_recv().ok()
    }
}

/// The program, as a connection sees it.
#[derive(Clone)]
struct Program {
    requests: SyncSender<PendingRequest>,
    streams: Sender<OpenedStream>,
    looks: Arc<AtomicU64>,
    /// Another one after each start of the program.
    run: String,
    /// Held as long as a connection is open.
    _open: Sender<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_ending.store(true, Ordering::Release);
        // A connection wakes the thread, which does nothing but accept them.
        let mut own = self.address;
        if own.ip().is_unspecified() {
            own.set_ip(if own.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
        }
        let is_woken = TcpStream::connect_timeout(&own, Duration::from_secs(1)).is_ok();
        if let Some(thread) = self.thread.take().filter(|_| is_woken) {
            _ = thread.join();
        }
        // Streams that have come, but were not taken, end too.
        while self.next_stream().is_some() {}
        _ = self.all_closed.recv_timeout(FAREWELL);
    }
}

/// Which requests are answered.
struct AccessPolicy {
    token: Option<String>,
    port: u16,
    /// The script of the program's panels.
    panels: String,
}

impl AccessPolicy {
    /// Refuses other machines, and pages of other sites in a browser on this machine.
    fn check(&self, request: &HttpRequest) -> Result<(), &'static str> {
        let host = request.header("Host").unwrap_or_default();
        if request.header("Origin").is_some_and(|origin| origin != format!("http://{host}")) {
            return Err("requests of other pages are refused");
        }
        if let Some(token) = &self.token {
            let given = request.header("X-Token").or_else(|| request.parameter("token"));
            return match given.is_some_and(|given| is_same(given, token)) {
                true => Ok(()),
                false => Err("the token is missing or wrong"),
            };
        }
        if !request.is_from_this_machine() {
            return Err("other machines are refused");
        }
        match is_loopback(host, self.port) {
            true => Ok(()),
            false => Err("the name of this machine is not localhost, which a page of another site could misuse"),
        }
    }
}

/// Compares in a time that does not depend on the place of the first difference.
fn is_same(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    given.len() == token.len() && differences == 0
}

/// Whether a `Host` names this machine by a loopback address. Any other name could belong to another site.
fn is_loopback(host: &str, port: u16) -> bool {
    let Some(name) = host.strip_suffix(&format!(":{port}")) else { return false };
    let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

/// Serves a connection in a thread of its own, so that a slow one delays no other.
fn serve_apart(stream: TcpStream, policy: &Arc<AccessPolicy>, program: &Program) {
    let (policy, program) = (Arc::clone(policy), program.clone());
    let serve = move || {
        if let Ok(request) = HttpRequest::read(stream) {
            serve(request, &policy, &program);
        }
    };
    // Without a thread the connection is closed.
    _ = std::thread::Builder::new().name("ecs studio request".to_owned()).spawn(serve);
}

fn serve(mut request: HttpRequest, policy: &AccessPolicy, program: &Program) {
    // The files of the page are the same everywhere, and a browser asks for them without a token.
    let (kind, text) = match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/panels.js") => (SCRIPT, &*policy.panels),
        ("GET", "/stream") => {
            return match policy.check(&request) {
                Ok(()) => send_changes(request, program),
                Err(reason) => refuse(request, 403, reason),
            };
        }
        ("GET", path) if FILES.iter().any(|(known, ..)| *known == path) => {
            let (_, kind, text) = FILES.iter().find(|(known, ..)| *known == path).copied().unwrap_or_default();
            (kind, text)
        }
        ("POST", "/api") => {
            if let Err(reason) = policy.check(&request) {
                return refuse(request, 403, reason);
            }
            return match request.body(MAX_REQUEST_BYTES).and_then(|body| String::from_utf8(body).ok()) {
                Some(body) => pass_on(request, body, &program.requests),
                None => refuse(
                    request,
                    400,
                    &format!("a request has a length and at most {MAX_REQUEST_BYTES} bytes of UTF-8"),
                ),
            };
        }
        _ => return refuse(request, 404, "there is no such page"),
    };
    request.answer(200, kind, text);
}

/// Sends a page what has changed of what it watches, and signs of life.
fn send_changes(request: HttpRequest, program: &Program) {
    // Each connection holds a reference; those that ask must find a place, too.
    if Arc::strong_count(&program.looks) > MAX_STREAMS {
        return refuse(request, 503, "too many pages are open: close one");
    }
    let name = request.parameter("name").unwrap_or_default().to_owned();
    let Ok(mut stream) = EventStream::begin(request) else { return };
    let (page, changes) = sync_channel(MAX_WAITING);
    let mut sent = stream.send("hello", &json!({ "run": program.run }).to_string());
    if program.streams.send(OpenedStream { name, page }).is_err() {
        sent = stream.send("bye", "{}");
    }
    while sent.is_ok() {
        sent = match changes.recv_timeout(BEAT) {
            Ok(answers) => stream.send("answers", &answers),
            Err(RecvTimeoutError::Timeout) => {
                stream.send("beat", &json!({ "looks": program.looks.load(Ordering::Relaxed) }).to_string())
            }
            Err(RecvTimeoutError::Disconnected) => {
                _ = stream.send("bye", "{}");
                return;
            }
        };
    }
}

/// Lets the program answer.
fn pass_on(request: HttpRequest, body: String, program: &SyncSender<PendingRequest>) {
    let (reply, answer) = channel();
    let is_taken = Arc::new(AtomicBool::new(false));
    if program.try_send(PendingRequest { request: body, reply, is_taken: Arc::clone(&is_taken) }).is_err() {
        return refuse(request, 503, "too many requests wait");
    }
    let mut answered = answer.recv_timeout(PATIENCE).ok();
    // Unless the program has begun to answer, it must not do so later.
    if answered.is_none() && is_taken.swap(true, Ordering::AcqRel) {
        answered = answer.recv().ok();
    }
    match answered {
        Some(answer) => request.answer(200, "application/json", &answer),
        None => refuse(request, 503, "the program does not answer: it may not be running frames"),
    }
}

fn refuse(request: HttpRequest, status: u16, reason: &str) {
    request.answer(status, "application/json", &json!({ "error": reason }).to_string());
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
        let error = Server::start("0.0.0.0:0", None, String::new()).map(drop).unwrap_err().to_string();
        assert_eq!(
            error,
            "the studio at 0.0.0.0:0 would be reachable from other machines: set a token, or use 127.0.0.1"
        );
        assert!(Server::start("nonsense", None, String::new()).is_err());
        for token in ["", "a b", "a&b", "ä"] {
            assert_eq!(
                Server::start("0.0.0.0:0", Some(token), String::new()).map(drop).unwrap_err(),
                ServerError::Token,
                "{token:?}"
            );
        }
    }
}
