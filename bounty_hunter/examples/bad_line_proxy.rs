//! A UDP proxy that makes a good line bad: it loses, delays, reorders and duplicates datagrams between guests and a
//! host.
//!
//! `cargo run --release -p bounty_hunter --example bad_line_proxy -- PORT HOST [DELAY_MS] [JITTER_MS] [LOSS_PERCENT]`
//!
//! Guests join `127.0.0.1:PORT` in place of HOST, such as `127.0.0.1:7777`. The delay counts for each direction. The
//! proxy runs until it is ended.

use std::collections::BTreeMap;
use std::net::{SocketAddr, UdpSocket};
use std::thread::park_timeout;
use std::time::{Duration, Instant};

use bounty_hunter::network::MAX_BYTES;
use bounty_hunter::network::simulated_link::{LinkConditions, SimulatedLink};

/// The pause between two looks at the sockets.
const PAUSE: Duration = Duration::from_micros(500);

fn argument<T: std::str::FromStr>(number: usize, usual: Option<T>) -> Result<T, String> {
    let usage = "usage: bad_line_proxy PORT HOST [DELAY_MS] [JITTER_MS] [LOSS_PERCENT]";
    match std::env::args().nth(number) {
        Some(text) => text.parse().map_err(|_| format!("{text:?} is not right; {usage}")),
        None => usual.ok_or_else(|| usage.to_owned()),
    }
}

fn open(port: u16) -> Result<UdpSocket, String> {
    let socket = UdpSocket::bind(("127.0.0.1", port)).map_err(|error| format!("port {port}: {error}"))?;
    socket.set_nonblocking(true).map_err(|error| error.to_string())?;
    Ok(socket)
}

fn main() -> Result<(), String> {
    let port = argument(1, None)?;
    let host: SocketAddr = argument(2, None)?;
    let conditions = LinkConditions {
        delay: argument(3, Some(75.0))?,
        jitter: argument(4, Some(20.0))?,
        loss: argument(5, Some(5.0_f32))? / 100.0,
        duplication: 0.02,
    };
    let front = open(port)?;
    let mut line = SimulatedLink::new(conditions, 1);
    // The host knows each guest by the address of its own socket.
    let mut guests: Vec<(SocketAddr, UdpSocket)> = Vec::new();
    // By the time of arrival and the order: the guest, whether it goes to the host, and the datagram.
    let mut on_their_way: BTreeMap<(u64, u64), (usize, bool, Vec<u8>)> = BTreeMap::new();
    let (begun, mut order) = (Instant::now(), 0);
    let mut buffer = [0; MAX_BYTES + 1];
    println!("the bad line is at 127.0.0.1:{port}");
    loop {
        let now_us = begun.elapsed().as_micros() as u64;
        let mut send = |guest: usize, to_host: bool, bytes: &[u8]| {
            for arrival_ms in line.arrivals() {
                order += 1;
                on_their_way.insert((now_us + (arrival_ms * 1_000.0) as u64, order), (guest, to_host, bytes.to_vec()));
            }
        };
        while let Ok((length, from)) = front.recv_from(&mut buffer) {
            let guest = match guests.iter().position(|(address, _)| *address == from) {
                Some(guest) => guest,
                None => {
                    guests.push((from, open(0)?));
                    guests.len() - 1
                }
            };
            send(guest, true, &buffer[..length]);
        }
        for (guest, (_, socket)) in guests.iter().enumerate() {
            while let Ok((length, _)) = socket.recv_from(&mut buffer) {
                send(guest, false, &buffer[..length]);
            }
        }
        let later = on_their_way.split_off(&(now_us, u64::MAX));
        for (_, (guest, to_host, bytes)) in std::mem::replace(&mut on_their_way, later) {
            let (address, socket) = &guests[guest];
            // What cannot be sent is lost.
            let _ = if to_host { socket.send_to(&bytes, host) } else { front.send_to(&bytes, address) };
        }
        park_timeout(PAUSE);
    }
}
