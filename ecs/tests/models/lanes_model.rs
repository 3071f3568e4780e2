//! A naive dispatcher, which calls one listener with one run at a time, and what its listeners do.

use std::collections::BTreeSet;

use crate::threads::panics::EXPECTED;

pub(crate) const KINDS: usize = 5;
/// Events after which no further run joins a window.
pub(crate) const WINDOW: usize = 1 << 14;

/// What an event says: a number that follows from its cause, and how many generations may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Letter {
    pub(crate) number: u64,
    pub(crate) generations: u8,
}

/// What a listener touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touch {
    Nothing,
    WritesFirst,
    WritesSecond,
    ReadsFirst,
    Both,
    Marks,
    /// It may switch subscriptions, so it is in line with all others.
    InLine,
    /// As `Nothing` and `WritesSecond`, without events and commands.
    Silent,
    SilentSecond,
    /// Changes marks, and sees what changed since its last event.
    SilentMarks,
    SilentHierarchy,
}

impl Touch {
    pub(crate) const ALL: [Self; 11] = [
        Self::Nothing,
        Self::WritesFirst,
        Self::WritesSecond,
        Self::ReadsFirst,
        Self::Both,
        Self::Marks,
        Self::InLine,
        Self::Silent,
        Self::SilentSecond,
        Self::SilentMarks,
        Self::SilentHierarchy,
    ];

    pub(crate) fn is_silent(self) -> bool {
        matches!(self, Self::Silent | Self::SilentSecond | Self::SilentMarks | Self::SilentHierarchy)
    }

    /// What it reads and what it writes.
    pub(crate) fn uses(self) -> (&'static [u8], &'static [u8]) {
        match self {
            Self::Nothing | Self::InLine | Self::Silent | Self::SilentHierarchy => (&[], &[]),
            Self::WritesFirst => (&[], &[0]),
            Self::WritesSecond | Self::SilentSecond => (&[], &[1]),
            Self::ReadsFirst => (&[0], &[]),
            Self::Both => (&[1], &[0]),
            Self::Marks | Self::SilentMarks => (&[], &[2]),
        }
    }

    pub(crate) fn waits_for(self, other: Self) -> bool {
        let ((reads, writes), (other_reads, other_writes)) = (self.uses(), other.uses());
        writes.iter().any(|used| other_reads.contains(used) || other_writes.contains(used))
            || other_writes.iter().any(|used| reads.contains(used))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Wire {
    pub(crate) kind: usize,
    pub(crate) touch: Touch,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reaction {
    Nothing,
    Send {
        kind: usize,
        count: usize,
    },
    Spawn,
    /// Sends one event before.
    Panic {
        kind: usize,
    },
}

pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut hash = a ^ b.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}

/// Equal for model and engine: it depends only on its arguments.
pub(crate) fn reaction(seed: u64, listener: usize, letter: Letter) -> Reaction {
    let hash = mix(seed, mix(listener as u64 + 1, letter.number));
    let kind = (hash >> 8) as usize % KINDS;
    match hash % 40 {
        0..=9 if letter.generations > 0 => Reaction::Send { kind, count: 1 + (hash >> 24) as usize % 3 },
        10..=15 => Reaction::Spawn,
        16 => Reaction::Panic { kind },
        _ => Reaction::Nothing,
    }
}

pub(crate) fn answer(listener: usize, letter: Letter, n: usize) -> Letter {
    Letter { number: mix(letter.number, (listener * 8 + n) as u64), generations: letter.generations.saturating_sub(1) }
}

/// The event, and how many entries of each shared log the listener saw before its own.
pub(crate) type Heard = Vec<(u64, usize, usize)>;

/// All that can be seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub(crate) heard: Vec<Heard>,
    pub(crate) first: Vec<(usize, u64)>,
    pub(crate) second: Vec<(usize, u64)>,
    pub(crate) born: Vec<(usize, u64)>,
    pub(crate) mark: u64,
    /// After each frame.
    pub(crate) delivered: Vec<u64>,
    /// For each kind: sent and delivered.
    pub(crate) counters: Vec<(u64, u64)>,
    pub(crate) waiting: usize,
    pub(crate) panics: Vec<Option<String>>,
}

/// One event after the other, to one listener after the other.
pub(crate) struct Model {
    pub(crate) seed: u64,
    pub(crate) wires: Vec<Wire>,
    /// For each listener the first one of its lane.
    pub(crate) lanes: Vec<usize>,
    /// Kind, the listener that sent it, and what it says.
    pub(crate) queue: Vec<(usize, Option<usize>, Letter)>,
    pub(crate) delivered: usize,
    /// For each listener how many events of the queue it has received, or will never receive.
    pub(crate) next: Vec<usize>,
    pub(crate) state: State,
    pub(crate) calls: u64,
    /// The call that changed the mark last, and the last call of each listener.
    pub(crate) marked: u64,
    pub(crate) called: Vec<Option<u64>>,
    /// Recorded in frames that a panic ended.
    pub(crate) waiting: Vec<(usize, u64)>,
}

impl Model {
    pub(crate) fn new(seed: u64, wires: &[Wire]) -> Self {
        let mut lanes: Vec<usize> = (0..wires.len()).collect();
        for _ in wires {
            for one in 0..wires.len() {
                for other in 0..wires.len() {
                    if wires[one].touch.waits_for(wires[other].touch) {
                        let first = lanes[one].min(lanes[other]);
                        (lanes[one], lanes[other]) = (first, first);
                    }
                }
            }
        }
        let state =
            State { heard: vec![Vec::new(); wires.len()], mark: 1, counters: vec![(0, 0); KINDS], ..State::default() };
        let (next, called) = (vec![0; wires.len()], vec![None; wires.len()]);
        Self {
            seed,
            wires: wires.to_vec(),
            lanes,
            queue: Vec::new(),
            delivered: 0,
            next,
            state,
            calls: 0,
            marked: 0,
            called,
            waiting: Vec::new(),
        }
    }

    pub(crate) fn frame(&mut self, sent: &[(usize, Letter)]) {
        self.queue.extend(sent.iter().map(|(kind, letter)| (*kind, None, *letter)));
        let panic = self.dispatch();
        if panic.is_none() {
            for (kind, ..) in &self.queue {
                self.state.counters[*kind].0 += 1;
            }
            self.queue.clear();
            self.delivered = 0;
            self.next.fill(0);
            self.state.born.append(&mut self.waiting);
        }
        self.state.panics.push(panic);
        self.state.delivered.push(self.calls);
    }

    pub(crate) fn is_in_line(&self, kind: usize) -> bool {
        self.wires.iter().any(|wire| wire.kind == kind && wire.touch == Touch::InLine)
    }

    pub(crate) fn dispatch(&mut self) -> Option<String> {
        let mut round_end = self.delivered;
        while self.delivered < self.queue.len() {
            if self.delivered == round_end {
                round_end = self.queue.len();
            }
            let window = self.delivered;
            let is_single = self.is_in_line(self.queue[window].0);
            let (mut broken, mut panic, mut first_waiting) = (BTreeSet::new(), None, None);
            while self.delivered < round_end {
                let (kind, sender, _) = self.queue[self.delivered];
                let is_begun = self.delivered > window;
                if is_begun && (is_single || self.is_in_line(kind) || self.delivered - window >= WINDOW) {
                    break;
                }
                let begin = self.delivered;
                let same = |sent: &&(usize, Option<usize>, Letter)| (sent.0, sent.1) == (kind, sender);
                self.delivered += self.queue[begin..round_end].iter().take_while(same).count();
                // What the listeners of the run send joins the queue in their order.
                let mut outputs = Vec::new();
                let mut broken_in_run = Vec::new();
                let is_called = |listener: &usize| self.wires[*listener].kind == kind;
                for listener in (0..self.wires.len()).filter(is_called).collect::<Vec<_>>() {
                    let mut is_broken = broken.contains(&self.lanes[listener]);
                    while !is_broken && self.next[listener] < self.delivered {
                        let at = self.next[listener].max(begin);
                        self.next[listener] = at + 1;
                        if let Some(text) = self.call(listener, self.queue[at].2, &mut outputs) {
                            panic.get_or_insert(text);
                            broken_in_run.push(self.lanes[listener]);
                            is_broken = true;
                        }
                    }
                    if self.next[listener] < self.delivered {
                        first_waiting.get_or_insert(begin);
                    }
                }
                broken.extend(broken_in_run);
                self.queue.extend(outputs);
            }
            if panic.is_some() {
                self.delivered = first_waiting.unwrap_or(self.delivered);
                return panic;
            }
        }
        None
    }

    pub(crate) fn call(
        &mut self,
        listener: usize,
        letter: Letter,
        outputs: &mut Vec<(usize, Option<usize>, Letter)>,
    ) -> Option<String> {
        let State { heard, first, second, mark, counters, .. } = &mut self.state;
        let touch = self.wires[listener].touch;
        let (reads, writes) = touch.uses();
        let seen = |shared: u8, log: &[(usize, u64)]| {
            if reads.contains(&shared) || writes.contains(&shared) { log.len() } else { 0 }
        };
        let is_changed = self.called[listener].is_none_or(|called| self.marked > called);
        let of_mark = if touch == Touch::SilentMarks { usize::from(is_changed) } else { seen(0, first) };
        heard[listener].push((letter.number, of_mark, seen(1, second)));
        self.calls += 1;
        self.called[listener] = Some(self.calls);
        counters[self.wires[listener].kind].1 += 1;
        for used in writes {
            match used {
                0 => first.push((listener, letter.number)),
                1 => second.push((listener, letter.number)),
                _ => {
                    *mark = mix(*mark, letter.number);
                    self.marked = self.calls;
                }
            }
        }
        let reaction = reaction(self.seed, listener, letter);
        if !touch.is_silent() {
            let mut send = |kind, n| outputs.push((kind, Some(listener), answer(listener, letter, n)));
            match reaction {
                Reaction::Nothing => {}
                Reaction::Send { kind, count } => (0..count).for_each(|n| send(kind, n)),
                Reaction::Spawn => self.waiting.push((listener, letter.number)),
                Reaction::Panic { kind } => send(kind, 0),
            }
        }
        matches!(reaction, Reaction::Panic { .. }).then(|| format!("{EXPECTED}: {listener} at {}", letter.number))
    }
}
