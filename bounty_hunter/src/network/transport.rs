//! What carries datagrams: a UDP socket, or a simulated network.

/// Where a peer is.
pub type Address = std::net::SocketAddr;

/// Carries datagrams, which may get lost, come late, twice or in another order.
pub trait Transport {
    /// Sends a datagram. Nothing tells whether it arrives.
    fn send(&mut self, to: Address, bytes: &[u8]);

    /// Writes the next datagram that has arrived to `buffer` and returns its sender and its length, at most that of
    /// `buffer`; `None` if there is none.
    fn receive(&mut self, buffer: &mut [u8]) -> Option<(Address, usize)>;
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn send(&mut self, to: Address, bytes: &[u8]) {
        (**self).send(to, bytes);
    }

    fn receive(&mut self, buffer: &mut [u8]) -> Option<(Address, usize)> {
        (**self).receive(buffer)
    }
}
