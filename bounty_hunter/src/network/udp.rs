//! UDP sockets.

use std::io::ErrorKind;
use std::net::UdpSocket;

use super::transport::{Address, Transport};

/// A UDP socket that never waits.
pub struct Udp {
    socket: UdpSocket,
}

impl Udp {
    /// Opens a socket at an address; port 0 is any free port.
    ///
    /// # Errors
    /// A sentence that names the address and the reason.
    pub fn open(address: Address) -> Result<Self, String> {
        let refuse =
            |error| format!("the address {address} cannot be used: {error}; choose another port with --host PORT");
        let socket = UdpSocket::bind(address).map_err(refuse)?;
        socket.set_nonblocking(true).map_err(refuse)?;
        Ok(Self { socket })
    }

    /// The address of the socket.
    ///
    /// # Errors
    /// A sentence with the reason.
    pub fn address(&self) -> Result<Address, String> {
        self.socket.local_addr().map_err(|error| format!("the socket has no address: {error}"))
    }
}

impl Transport for Udp {
    fn send(&mut self, to: Address, bytes: &[u8]) {
        // What cannot be sent is lost, as on a bad line.
        let _ = self.socket.send_to(bytes, to);
    }

    fn receive(&mut self, buffer: &mut [u8]) -> Option<(Address, usize)> {
        loop {
            match self.socket.recv_from(buffer) {
                Ok((length, from)) => return Some((from, length)),
                // An earlier datagram was not delivered, or this one was too long; both are lost.
                Err(error) if error.kind() == ErrorKind::ConnectionReset || error.raw_os_error() == Some(10_040) => {}
                Err(_) => return None,
            }
        }
    }
}
