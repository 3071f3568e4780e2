//! A naive model of event delivery: one vector of events, one flag and one number per listener.

use std::collections::BTreeMap;

/// Systems 0 to 3, in execution order.
pub(crate) const NODES: usize = 4;
/// Event types 0 to 2.
pub(crate) const KINDS: usize = 3;

/// The inputs of one frame.
#[derive(Clone, Debug)]
pub(crate) struct Feed {
    /// Calls from outside before the frame.
    pub(crate) outside: Vec<Outside>,
    /// The events that each system sends in its update: kind and number.
    pub(crate) updates: [Vec<(usize, usize)>; NODES],
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Outside {
    Send { kind: usize },
    Enable { node: usize, on: bool },
    Subscribe { node: usize, kind: usize, on: bool },
}

/// The reaction of a listener to an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reaction {
    Nothing,
    Send { kind: usize, count: usize },
    Subscribe { node: usize, kind: usize },
    Unsubscribe { node: usize, kind: usize },
    Restart { node: usize, kind: usize },
}

/// The number of an event, in the order of sending, and how many generations may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Letter {
    pub(crate) number: u64,
    pub(crate) generations: u8,
}

/// Generations of events that may follow one that a system sends.
pub(crate) const GENERATIONS: u8 = 3;

/// Equal for model and engine: it depends only on its arguments. Listeners of kind 2 only send.
pub(crate) fn reaction(seed: u64, node: usize, kind: usize, letter: Letter) -> Reaction {
    let mut hash = seed ^ (node as u64) << 40 ^ (kind as u64) << 50 ^ letter.number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^= hash >> 31;
    let (other, about) = ((hash >> 8) as usize % NODES, (hash >> 16) as usize % KINDS);
    match hash % 12 {
        0..=2 if letter.generations > 0 => Reaction::Send { kind: about, count: 1 + (hash >> 24) as usize % 3 },
        3 | 4 if kind != 2 => Reaction::Subscribe { node: other, kind: about },
        5 if kind != 2 => Reaction::Unsubscribe { node: other, kind: about },
        6 if kind != 2 => Reaction::Restart { node: other, kind: about },
        _ => Reaction::Nothing,
    }
}

/// An event was delivered to a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delivered {
    pub(crate) node: usize,
    pub(crate) kind: usize,
    pub(crate) number: u64,
}

struct Sent {
    kind: usize,
    /// The system that sent it; `None` is the outside.
    sender: Option<usize>,
    letter: Letter,
}

struct Listener {
    is_subscribed: bool,
    /// It has received, or will never receive, events with a lower number.
    next: u64,
}

pub(crate) struct Model {
    seed: u64,
    queue: Vec<Sent>,
    delivered: usize,
    next_number: u64,
    enabled: [bool; NODES],
    listeners: BTreeMap<(usize, usize), Listener>,
    pub(crate) log: Vec<Delivered>,
}

impl Model {
    pub(crate) fn new(seed: u64) -> Self {
        let all = (0..NODES).flat_map(|node| (0..KINDS).map(move |kind| (node, kind)));
        Self {
            seed,
            queue: Vec::new(),
            delivered: 0,
            next_number: 0,
            enabled: [true; NODES],
            listeners: all.map(|key| (key, Listener { is_subscribed: true, next: 0 })).collect(),
            log: Vec::new(),
        }
    }

    pub(crate) fn frame(&mut self, feed: &Feed) {
        for action in &feed.outside {
            match *action {
                Outside::Send { kind } => self.send(kind, None, 1, GENERATIONS),
                Outside::Enable { node, on } => self.enabled[node] = on,
                // A subscription from outside applies to all waiting events.
                Outside::Subscribe { node, kind, on } => self.subscribe(node, kind, on, 0),
            }
        }
        self.dispatch();
        for node in (0..NODES).filter(|node| self.enabled[*node]).collect::<Vec<_>>() {
            for (kind, count) in &feed.updates[node] {
                self.send(*kind, Some(node), *count, GENERATIONS);
            }
        }
        self.dispatch();
        self.queue.clear();
        self.delivered = 0;
    }

    fn send(&mut self, kind: usize, sender: Option<usize>, count: usize, generations: u8) {
        for _ in 0..count {
            self.queue.push(Sent { kind, sender, letter: Letter { number: self.next_number, generations } });
            self.next_number += 1;
        }
    }

    fn subscribe(&mut self, node: usize, kind: usize, on: bool, from: u64) {
        let listener = self.listeners.get_mut(&(node, kind)).unwrap();
        if on && !listener.is_subscribed {
            listener.next = listener.next.max(from);
        }
        listener.is_subscribed = on;
    }

    fn dispatch(&mut self) {
        let mut round_end = self.delivered;
        while self.delivered < self.queue.len() {
            if self.delivered == round_end {
                round_end = self.queue.len();
            }
            let first = &self.queue[self.delivered];
            let (kind, sender) = (first.kind, first.sender);
            let run: Vec<_> = self.queue[self.delivered..round_end]
                .iter()
                .take_while(|sent| sent.kind == kind && sent.sender == sender)
                .map(|sent| sent.letter)
                .collect();
            self.delivered += run.len();
            // Listeners that subscribe meanwhile receive the rest of the run after the others.
            while (0..NODES).map(|node| self.deliver(node, kind, &run)).filter(|changed| *changed).count() > 0 {}
        }
    }

    /// Returns whether a subscription changed.
    fn deliver(&mut self, node: usize, kind: usize, run: &[Letter]) -> bool {
        let mut changed = false;
        for letter in run {
            let listener = self.listeners.get_mut(&(node, kind)).unwrap();
            if letter.number < listener.next {
                continue;
            }
            if !self.enabled[node] {
                continue;
            }
            if !listener.is_subscribed {
                break;
            }
            listener.next = letter.number + 1;
            self.log.push(Delivered { node, kind, number: letter.number });
            changed |= self.react(node, kind, *letter);
        }
        changed
    }

    fn react(&mut self, node: usize, kind: usize, letter: Letter) -> bool {
        let next = letter.number + 1;
        match reaction(self.seed, node, kind, letter) {
            Reaction::Nothing => return false,
            Reaction::Send { kind, count } => {
                self.send(kind, Some(node), count, letter.generations - 1);
                return false;
            }
            Reaction::Subscribe { node, kind } => self.subscribe(node, kind, true, next),
            Reaction::Unsubscribe { node, kind } => self.subscribe(node, kind, false, next),
            Reaction::Restart { node, kind } => {
                self.subscribe(node, kind, false, next);
                self.subscribe(node, kind, true, next);
            }
        }
        true
    }
}
