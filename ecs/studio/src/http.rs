//! One request and its answer over a connection: the part of HTTP/1.1 that the studio needs, with a limit for
//! everything that comes from outside. Each connection has one request and is closed after it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Limits of the head of a request.
const MAX_HEAD_BYTES: usize = 16 * 1024;
const MAX_HEADERS: usize = 64;
/// How long a request may take to arrive, and its answer to be taken.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much is read, and for how long, of a request that was refused before its body came, so that the sender sees why.
const MAX_DRAINED_BYTES: usize = 64 * 1024;
const DRAIN_PATIENCE: Duration = Duration::from_secs(1);

/// The head of a request, and its body once it was read.
pub(crate) struct Request {
    stream: TcpStream,
    begun: Instant,
    pub(crate) method: String,
    pub(crate) path: String,
    /// What follows the question mark.
    pub(crate) query: String,
    headers: Vec<(String, String)>,
    /// The part of the body that came with the head.
    body: Vec<u8>,
}

impl Request {
    /// Reads the head of a request. An error closes the connection.
    pub(crate) fn read(stream: TcpStream) -> io::Result<Self> {
        let (mut stream, begun) = (stream, Instant::now());
        let mut bytes = Vec::new();
        loop {
            let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
            let mut head = httparse::Request::new(&mut headers);
            let parsed = head.parse(&bytes).map_err(io::Error::other)?;
            if let (httparse::Status::Complete(length), Some(method), Some(target)) = (parsed, head.method, head.path) {
                let (path, query) = target.split_once('?').unwrap_or((target, ""));
                let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
                let headers = head.headers.iter().map(|header| (header.name.to_owned(), text(header.value))).collect();
                let (method, path, query) = (method.to_owned(), path.to_owned(), query.to_owned());
                let body = bytes.split_off(length);
                return Ok(Self { stream, begun, method, path, query, headers, body });
            }
            if bytes.len() >= MAX_HEAD_BYTES {
                return Err(io::Error::other("the head of the request is too long"));
            }
            read_some(&mut stream, (begun, PATIENCE), &mut bytes, MAX_HEAD_BYTES)?;
        }
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter behind the question mark, as it is written there.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.query
            .split('&')
            .filter_map(|part| part.split_once('='))
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    pub(crate) fn is_from_this_machine(&self) -> bool {
        self.stream.peer_addr().is_ok_and(|address| address.ip().is_loopback())
    }

    /// Reads the body; `None` if it is longer than `most` bytes, has no length, or does not come in time.
    pub(crate) fn body(&mut self, most: usize) -> Option<Vec<u8>> {
        let length: usize = self.header("Content-Length")?.parse().ok()?;
        if length > most || self.header("Transfer-Encoding").is_some() {
            return None;
        }
        let mut body = std::mem::take(&mut self.body);
        while body.len() < length {
            read_some(&mut self.stream, (self.begun, PATIENCE), &mut body, length).ok()?;
        }
        body.truncate(length);
        Some(body)
    }

    /// Sends the answer and closes the connection.
    pub(crate) fn answer(mut self, status: u16, kind: &str, text: &str) {
        let head = head(status, kind, &format!("Content-Length: {}\r\n", text.len()));
        let begun = Instant::now();
        let sent = write_all(&mut self.stream, begun, head.as_bytes());
        let sent = sent.and_then(|()| write_all(&mut self.stream, begun, text.as_bytes()));
        // The other side may be gone.
        if sent.is_ok() && self.stream.shutdown(Shutdown::Write).is_ok() {
            let (begun, mut drained) = (Instant::now(), Vec::new());
            while drained.len() < MAX_DRAINED_BYTES
                && read_some(&mut self.stream, (begun, DRAIN_PATIENCE), &mut drained, MAX_DRAINED_BYTES).is_ok()
            {
            }
        }
    }
}

/// A stream of events to a page (`text/event-stream`), which lasts until one side closes it.
pub(crate) struct EventStream(TcpStream);

impl EventStream {
    pub(crate) fn begin(request: Request) -> io::Result<Self> {
        let mut stream = request.stream;
        stream.set_nodelay(true)?;
        write_all(&mut stream, Instant::now(), head(200, "text/event-stream", "").as_bytes())?;
        Ok(Self(stream))
    }

    /// `data` has no line breaks.
    pub(crate) fn send(&mut self, event: &str, data: &str) -> io::Result<()> {
        write_all(&mut self.0, Instant::now(), format!("event: {event}\ndata: {data}\n\n").as_bytes())
    }
}

fn head(status: u16, kind: &str, more: &str) -> String {
    let reason = if status == 200 { "OK" } else { "Refused" };
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\n{more}Connection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'self'; frame-ancestors 'none'\r\n\r\n"
    )
}

/// What is left of the time for something; an error if that is over. The limit of the system is for each call alone, so
/// a side that takes or sends byte by byte would hold a connection for ever.
fn left(begun: Instant, patience: Duration) -> io::Result<Option<Duration>> {
    let left = patience.checked_sub(begun.elapsed()).filter(|left| !left.is_zero());
    left.map(Some).ok_or_else(|| io::ErrorKind::TimedOut.into())
}

/// Writes all of it within the time for an answer.
fn write_all(stream: &mut TcpStream, begun: Instant, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        stream.set_write_timeout(left(begun, PATIENCE)?)?;
        match stream.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads what has come, up to a length in total.
fn read_some(
    stream: &mut TcpStream,
    (begun, patience): (Instant, Duration),
    bytes: &mut Vec<u8>,
    most: usize,
) -> io::Result<()> {
    stream.set_read_timeout(left(begun, patience)?)?;
    let mut part = [0; 4096];
    let room = part.len().min(most - bytes.len());
    match stream.read(&mut part[..room])? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        read => {
            bytes.extend_from_slice(&part[..read]);
            Ok(())
        }
    }
}
