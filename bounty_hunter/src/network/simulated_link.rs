//! A simulated network that loses, delays, reorders and duplicates datagrams, by the clock of its user and from a seed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use super::transport::{Address, Transport};
use ecs::random::RandomStream;

/// The datagrams that wait at an end which does not read them, as in the buffer of a socket; further ones are lost.
const MAX_WAITING: usize = 300;

/// How bad a line is. Times are in the unit of the clock that drives it, such as steps or milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkConditions {
    /// The time of a datagram on its way.
    pub delay: f32,
    /// The most time that is added at random. Datagrams overtake each other if it is longer than the time between two
    /// of them.
    pub jitter: f32,
    /// The share of datagrams that get lost.
    pub loss: f32,
    /// The share of datagrams that arrive twice.
    pub duplication: f32,
}

/// Decides the fate of each datagram on one line.
#[derive(Clone, Debug)]
pub struct SimulatedLink {
    /// How bad it is now.
    pub conditions: LinkConditions,
    random: RandomStream,
}

impl SimulatedLink {
    /// A line whose fates follow from the seed.
    #[must_use]
    pub fn new(conditions: LinkConditions, seed: u64) -> Self {
        Self { conditions, random: RandomStream::new(seed, "test") }
    }

    /// The times from now at which a datagram arrives: none, one or two.
    pub fn arrivals(&mut self) -> impl Iterator<Item = f32> + use<> {
        let Self { conditions, random } = self;
        let mut later = || conditions.delay + conditions.jitter * random.unit();
        let (first, second) = (later(), later());
        let is_lost = random.chance(conditions.loss);
        let is_twice = random.chance(conditions.duplication);
        [(!is_lost).then_some(first), (!is_lost && is_twice).then_some(second)].into_iter().flatten()
    }
}

/// A datagram on its way: sender, receiver and content.
type Datagram = (Address, Address, Vec<u8>);

struct Lines {
    now: f32,
    line: SimulatedLink,
    /// By the time of arrival in thousandths, then by the order of sending.
    on_their_way: BTreeMap<(u64, u64), Datagram>,
    /// Datagrams that were put on their way.
    order: u64,
    sent: u64,
    bytes: u64,
    inboxes: BTreeMap<Address, VecDeque<(Address, Vec<u8>)>>,
    /// Ends that others see at another address, and that address.
    moved: BTreeMap<Address, Address>,
    /// Senders and receivers without a line between them.
    without_line: BTreeSet<(Address, Address)>,
}

/// A network in memory. Its ends are [`Transport`]s.
#[derive(Clone)]
pub struct Network(Rc<RefCell<Lines>>);

impl Network {
    /// A network whose lines are all equally bad.
    #[must_use]
    pub fn new(conditions: LinkConditions, seed: u64) -> Self {
        Self(Rc::new(RefCell::new(Lines {
            now: 0.0,
            line: SimulatedLink::new(conditions, seed),
            on_their_way: BTreeMap::new(),
            order: 0,
            sent: 0,
            bytes: 0,
            inboxes: BTreeMap::new(),
            moved: BTreeMap::new(),
            without_line: BTreeSet::new(),
        })))
    }

    /// An end of the network at an address. Datagrams to addresses without an end vanish.
    #[must_use]
    pub fn end(&self, address: Address) -> NetworkEnd {
        self.0.borrow_mut().inboxes.insert(address, VecDeque::new());
        NetworkEnd { network: self.clone(), address }
    }

    /// Makes all lines better or worse from now on.
    pub fn set_conditions(&self, conditions: LinkConditions) {
        self.0.borrow_mut().line.conditions = conditions;
    }

    /// Takes the line between two addresses away, as a router does between two homes.
    pub fn cut(&self, one: Address, other: Address) {
        self.cut_one_way(one, other);
        self.cut_one_way(other, one);
    }

    /// Loses what is sent from one address to another, and nothing on the way back.
    pub fn cut_one_way(&self, from: Address, to: Address) {
        self.0.borrow_mut().without_line.insert((from, to));
    }

    /// Brings the line between two addresses back.
    pub fn mend(&self, one: Address, other: Address) {
        self.0.borrow_mut().without_line.retain(|line| *line != (one, other) && *line != (other, one));
    }

    /// Lets others see an end at another address, as a router does that has lost its table; what is sent to the old one
    /// is lost.
    pub fn move_end(&self, end: Address, to: Address) {
        self.0.borrow_mut().moved.insert(end, to);
    }

    /// Lets time pass.
    pub fn pass(&self, time: f32) {
        let mut lines = self.0.borrow_mut();
        lines.now += time;
        let now = ((lines.now * 1_000.0) as u64, u64::MAX);
        let later = lines.on_their_way.split_off(&now);
        for (_, (from, to, bytes)) in std::mem::replace(&mut lines.on_their_way, later) {
            let end = lines.moved.iter().find(|(_, seen)| **seen == to).map(|(end, _)| *end);
            let to = match end {
                Some(end) => end,
                None if lines.moved.contains_key(&to) => continue,
                None => to,
            };
            if let Some(inbox) = lines.inboxes.get_mut(&to).filter(|inbox| inbox.len() < MAX_WAITING) {
                inbox.push_back((from, bytes));
            }
        }
    }

    /// Copies of the datagrams on their way.
    #[must_use]
    pub fn on_their_way(&self) -> Vec<Vec<u8>> {
        self.0.borrow().on_their_way.values().map(|(.., bytes)| bytes.clone()).collect()
    }

    /// Delivers a datagram as if `from` had sent it.
    pub fn forge(&self, from: Address, to: Address, bytes: Vec<u8>) {
        if let Some(inbox) = self.0.borrow_mut().inboxes.get_mut(&to) {
            inbox.push_back((from, bytes));
        }
    }

    /// The datagrams and bytes sent so far.
    #[must_use]
    pub fn sent(&self) -> (u64, u64) {
        let lines = self.0.borrow();
        (lines.sent, lines.bytes)
    }
}

/// One end of a [`Network`].
pub struct NetworkEnd {
    network: Network,
    address: Address,
}

impl Transport for NetworkEnd {
    fn send(&mut self, to: Address, bytes: &[u8]) {
        let mut lines = self.network.0.borrow_mut();
        (lines.sent, lines.bytes) = (lines.sent + 1, lines.bytes + bytes.len() as u64);
        if lines.without_line.contains(&(self.address, to)) {
            return;
        }
        let (now, from) = (lines.now, lines.moved.get(&self.address).copied().unwrap_or(self.address));
        let arrivals: Vec<f32> = lines.line.arrivals().collect();
        for arrival in arrivals {
            lines.order += 1;
            let key = (((now + arrival) * 1_000.0) as u64, lines.order);
            lines.on_their_way.insert(key, (from, to, bytes.to_vec()));
        }
    }

    fn receive(&mut self, buffer: &mut [u8]) -> Option<(Address, usize)> {
        let mut lines = self.network.0.borrow_mut();
        let (from, bytes) = lines.inboxes.get_mut(&self.address)?.pop_front()?;
        let length = bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        Some((from, length))
    }
}
