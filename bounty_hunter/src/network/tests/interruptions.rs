//! Peers that drop out, come back, stand still, and hear things late.

use std::collections::BTreeMap;

use super::{BAD, GOOD, Table, address};
use crate::network::simulated_link::LinkConditions;
use crate::network::{HostLoss, LineNotice, LineWatch, NetInput};
use ecs::random::RandomStream;

/// Datagrams take up to two seconds, overtake each other and arrive twice.
const LATE: LinkConditions = LinkConditions { delay: 4.5, jitter: 120.0, loss: 0.05, duplication: 0.2 };

/// Matches of each number of people.
const MATCHES: u64 = if cfg!(debug_assertions) { 1 } else { 40 };
/// Steps with interruptions.
const STEPS: u32 = if cfg!(debug_assertions) { 1_200 } else { 7_200 };

/// Every so many confirmed steps are compared; unoptimised, a comparison costs as much as several steps.
const STEPS_PER_COMPARISON: u64 = if cfg!(debug_assertions) { 7 } else { 1 };

/// The hashes of the confirmed steps of all peers.
#[derive(Default)]
struct Witness {
    /// The hash at each step that any peer has confirmed.
    hashes: BTreeMap<u64, u64>,
    /// The last step of each peer that was compared.
    heard: Vec<u64>,
    compared: u32,
}

impl Witness {
    /// Asserts that each peer has the same state at each step that it has confirmed as every other peer has or had.
    #[track_caller]
    fn hear(&mut self, table: &mut Table, case: &str) {
        self.heard.resize(table.peers.len(), 0);
        for (index, (peer, _)) in table.peers.iter_mut().enumerate() {
            let confirmed = peer.confirmed();
            // A peer that went back confirms the steps once more, and one that was away has none of those that it
            // missed.
            let heard = std::mem::replace(&mut self.heard[index], confirmed).min(confirmed);
            for step in (heard + 1..=confirmed).filter(|step| step.is_multiple_of(STEPS_PER_COMPARISON)) {
                let Some(hash) = peer.hash_at(step) else { continue };
                let known = *self.hashes.entry(step).or_insert(hash);
                assert_eq!(known, hash, "{case}: peer {index} differs at step {step}; {:?}", peer.host_loss());
                self.compared += 1;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Trouble {
    /// Its lines to all others are broken.
    Cut,
    /// It hears nothing, or nobody hears it.
    Deaf,
    Mute,
    /// Its line to one other guest is broken.
    CutFrom(usize),
    /// Its process stands still.
    Stopped,
}

/// The most steps in a row for which a guest may not hear its host, with a margin: after 1,800 of them it goes on
/// alone.
const LONGEST_BREAK: u32 = 1_500;
/// Steps without trouble in which a guest hears its host again.
const STEPS_TO_RECOVER: u32 = 200;

/// Troubles of a guest and of its host that follow each other.
#[derive(Clone, Copy, Default)]
struct Break {
    steps: u32,
    /// Steps since the last trouble.
    calm: u32,
}

impl Break {
    fn pass(&mut self, is_in_trouble: bool) {
        self.calm = if is_in_trouble { 0 } else { self.calm + 1 };
        self.steps = if self.calm > STEPS_TO_RECOVER { 0 } else { self.steps + 1 };
    }
}

/// The trouble of each peer, and the step at which it ends.
type Troubles = Vec<Option<(Trouble, u32)>>;

fn begin(table: &Table, peer: usize, trouble: Trouble) {
    for other in (0..table.peers.len()).filter(|other| *other != peer) {
        let (own, other_address) = (address(peer), address(other));
        match trouble {
            Trouble::Cut => table.network.cut(own, other_address),
            Trouble::Deaf => table.network.cut_one_way(other_address, own),
            Trouble::Mute => table.network.cut_one_way(own, other_address),
            Trouble::CutFrom(one) if one == other => table.network.cut(own, other_address),
            Trouble::CutFrom(_) | Trouble::Stopped => {}
        }
    }
}

/// Mends all lines except those that other peers have trouble with.
fn end(table: &Table, troubles: &Troubles) {
    for peer in 0..troubles.len() {
        (0..peer).for_each(|other| table.network.mend(address(peer), address(other)));
    }
    for (peer, trouble) in troubles.iter().enumerate() {
        if let Some((trouble, _)) = trouble {
            begin(table, peer, *trouble);
        }
    }
}

/// Plays with random interruptions of all peers, and then without; returns how many there were.
fn play(people: usize, seed: u64) -> u32 {
    let mut table = Table::of_people(BAD, people, 4, 3_600.0);
    let seats: Vec<usize> = (0..people).map(|peer| table.seat(peer)).collect();
    let mut random = RandomStream::new(seed, "test").split(people as u64);
    let (mut witness, mut troubles): (_, Troubles) = (Witness::default(), vec![None; people]);
    let mut breaks = vec![Break::default(); people];
    let mut interruptions = 0;
    for step in 0..STEPS {
        let case = format!("{people} people, seed {seed}, step {step}");
        if random.chance(0.004) {
            let is_late = random.chance(0.3);
            table.network.set_conditions(if is_late { LATE } else { BAD });
        }
        for peer in 0..people {
            if troubles[peer].is_some_and(|(_, until)| until == step) {
                troubles[peer] = None;
                end(&table, &troubles);
            }
            if troubles[peer].is_none() && random.chance(0.01) {
                let other = (random.unit() * people as f32) as usize;
                let trouble = match random.unit() {
                    ..0.35 => Trouble::Cut,
                    ..0.5 => Trouble::Deaf,
                    ..0.65 => Trouble::Mute,
                    ..0.75 if other != peer => Trouble::CutFrom(other),
                    _ => Trouble::Stopped,
                };
                let longest = if random.chance(0.2) { 1_300.0 } else { 350.0 };
                let length = random.between(10.0, longest) as u32;
                // The trouble of the host is that of each guest.
                let affected = if peer == 0 { 1..people } else { peer..peer + 1 };
                if affected.into_iter().any(|guest| breaks[guest].steps + length > LONGEST_BREAK) {
                    continue;
                }
                troubles[peer] = Some((trouble, step + 1 + length));
                begin(&table, peer, trouble);
                interruptions += 1;
            }
        }
        for (guest, broken) in breaks.iter_mut().enumerate().skip(1) {
            broken.pass(troubles[guest].is_some() || troubles[0].is_some());
        }
        table.network.pass(1.0);
        for (index, (peer, driver)) in table.peers.iter_mut().enumerate() {
            if !troubles[index].is_some_and(|(trouble, _)| trouble == Trouble::Stopped) {
                peer.step(driver.input());
            }
        }
        witness.hear(&mut table, &case);
    }
    table.network.set_conditions(BAD);
    end(&table, &vec![None; people]);
    let case = format!("{people} people, seed {seed}, afterwards");
    for _ in 0..1_000 {
        table.step();
        witness.hear(&mut table, &case);
    }
    assert!(table.plays(people), "{case}: {:?}", table.host().members());
    let ended: Vec<_> = table.peers.iter().filter_map(|(peer, _)| peer.ended()).collect();
    assert!(ended.is_empty(), "{case}: {ended:?}");
    assert_eq!((0..people).map(|peer| table.seat(peer)).collect::<Vec<_>>(), seats, "{case}");
    table.assert_equal_states();
    // Each peer misses some steps, and all together see most of them.
    let comparisons = (table.host().confirmed() / STEPS_PER_COMPARISON) as u32;
    assert!(witness.compared > comparisons * people as u32 / 2, "{case}: {} of {comparisons} steps", witness.compared);
    interruptions
}

#[test]
fn peers_that_drop_out_stop_and_come_back_play_the_same_match() {
    for people in 2..=4 {
        let interruptions: u32 = (0..MATCHES).map(|seed| play(people, seed)).sum();
        assert!(interruptions > 3, "{people} people: {interruptions}");
    }
}

#[test]
fn guest_that_drops_out_again_and_again_keeps_its_seat() {
    let mut table = Table::of_people(BAD, 3, 4, 3_600.0);
    let seat = table.seat(1);
    let mut witness = Witness::default();
    for drop in 0..6 {
        let case = format!("drop {drop}");
        // Missed by the host, and not by the other guest.
        table.network.cut(address(0), address(1));
        for _ in 0..200 {
            table.step();
            witness.hear(&mut table, &case);
        }
        table.network.mend(address(0), address(1));
        for _ in 0..500 {
            table.step();
            witness.hear(&mut table, &case);
        }
        assert!(table.plays(3), "{case}: {:?}", table.host().members());
        assert_eq!(table.seat(1), seat);
    }
    table.assert_equal_states();
}

/// Stands for no peer.
const NOBODY: usize = usize::MAX;

/// Lets all peers but one take steps. Returns what each peer is told at the end.
fn steps_without(table: &mut Table, stopped: usize, steps: u32) -> Vec<Vec<String>> {
    let mut lines: Vec<LineWatch> = table.peers.iter().map(|_| LineWatch::default()).collect();
    for _ in 0..steps {
        table.network.pass(1.0);
        for (index, (peer, driver)) in table.peers.iter_mut().enumerate().filter(|(index, _)| *index != stopped) {
            peer.step(driver.input());
            lines[index].follow(peer);
        }
    }
    lines.iter().map(|line| line.notices().map(ToString::to_string).collect()).collect()
}

#[test]
fn host_that_stood_still_for_20_seconds_goes_on_with_its_guests() {
    let mut table = Table::of_people(BAD, 3, 4, 600.0);
    table.steps(300);
    let told = steps_without(&mut table, 0, 120);
    let sentence = "the host does not answer: the match waits, after 30 s you play on against AIs";
    assert!((1..3).all(|guest| told[guest] == [sentence]), "within 2 s: {told:?}");
    let before = table.host().confirmed();
    steps_without(&mut table, 0, 1_080);
    table.steps(60);
    assert!(table.plays(3));
    assert_eq!(table.host().round().unwrap().0, 1, "nobody was lost");
    assert!((1..3).all(|guest| table.peers[guest].0.notice().is_none()));
    assert!(table.host().confirmed() > before + 30);
    table.assert_equal_states();
}

#[test]
fn guest_that_stood_still_for_20_seconds_comes_back_within_three_and_all_are_told() {
    let mut table = Table::of_people(BAD, 3, 4, 600.0);
    table.steps(300);
    let seat = table.seat(1);
    steps_without(&mut table, 1, 110);
    assert_eq!(table.host().notice(), Some(LineNotice::Waiting("guest 1".into())));
    let told = steps_without(&mut table, 1, 90);
    for other in [0, 2] {
        assert_eq!(told[other], ["guest 1 is gone: an AI plays on in this seat"], "peer {other}");
    }
    steps_without(&mut table, 1, 1_000);
    assert_eq!(table.host().notice(), None);
    let told = steps_without(&mut table, NOBODY, 180);
    assert!(table.plays(3));
    assert_eq!(table.seat(1), seat);
    for other in [0, 2] {
        assert_eq!(told[other], ["guest 1 is back"], "peer {other}");
    }
    table.steps(200);
    table.assert_equal_states();
}

#[test]
fn guest_that_stood_still_when_the_host_left_is_told_when_it_goes_on() {
    let mut table = Table::of_people(BAD, 2, 4, 600.0);
    table.steps(300);
    steps_without(&mut table, 1, 300);
    assert!(!table.host().members()[1].is_here);
    table.peers[0].0.leave();
    let told = steps_without(&mut table, 0, 120);
    assert_eq!(table.peers[1].0.host_loss(), Some(HostLoss::Left), "within 2 s");
    assert!(told[1].contains(&LineNotice::HostIsGone.to_string()), "{told:?}");
}

#[test]
fn guest_that_was_away_when_the_host_left_is_told_by_another_one() {
    let mut table = Table::of_people(BAD, 3, 4, 600.0);
    table.steps(300);
    table.network.cut(address(1), address(0));
    table.network.cut(address(1), address(2));
    table.steps(100);
    table.peers[0].0.leave();
    let told = steps_without(&mut table, 0, 600);
    assert!(told[1][0].starts_with("the host does not answer: the match waits, after 30 s"), "{told:?}");
    assert!(told[2].contains(&LineNotice::HostIsGone.to_string()), "{told:?}");
    table.network.mend(address(1), address(2));
    let told = steps_without(&mut table, 0, 120);
    assert_eq!(table.peers[1].0.host_loss(), Some(HostLoss::Left), "within 2 s");
    assert!(told[1].contains(&LineNotice::HostIsGone.to_string()), "{told:?}");
}

#[test]
fn guest_whose_host_never_comes_back_is_told_and_plays_on() {
    let mut table = Table::of_people(BAD, 2, 4, 600.0);
    let watcher = table.join(true);
    table.until("it watches", |table| table.peers[2].0.simulation().is_some());
    table.steps(300);
    steps_without(&mut table, 0, 1_700);
    assert!((1..3).all(|peer| table.peers[peer].0.host_loss().is_none()));
    steps_without(&mut table, 0, 200);
    let guest = &table.peers[1].0;
    assert_eq!(guest.host_loss(), Some(HostLoss::Silent));
    assert_eq!(guest.notice(), Some(LineNotice::HostIsGone));
    let watcher = &table.peers[watcher].0;
    assert_eq!(
        (watcher.host_loss(), watcher.ended()),
        (Some(HostLoss::Silent), Some("the host does not answer any more"))
    );
}

#[test]
fn guest_that_moves_to_another_address_comes_back_into_its_seat() {
    let mut table = Table::of_people(BAD, 3, 4, 600.0);
    table.steps(300);
    let seat = table.seat(1);
    // Its router gives it another port: the host knows the address of the proxy only.
    table.network.move_end(address(1), address(21));
    table.steps(600);
    assert!(table.plays(3), "{:?}", table.host().members());
    assert_eq!(table.seat(1), seat);
    table.assert_equal_states();
}

#[test]
fn lost_host_of_a_lobby_is_told_within_two_seconds() {
    let lobby = || {
        let mut table = Table::new(GOOD, 4, 60.0);
        table.join(false);
        table.steps(60);
        assert_eq!((table.peers[1].0.members().len(), table.peers[1].0.notice()), (2, None));
        table
    };
    let without_host = |table: &mut Table| {
        for _ in 0..120 {
            table.network.pass(1.0);
            table.peers[1].0.step(NetInput::default());
        }
    };
    let mut silent = lobby();
    without_host(&mut silent);
    assert_eq!(silent.peers[1].0.notice(), Some(LineNotice::HostIsSilent));
    let mut left = lobby();
    left.peers[0].0.leave();
    without_host(&mut left);
    assert_eq!(left.peers[1].0.ended(), Some("the host has left"));
}
