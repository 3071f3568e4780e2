//! One forged datagram, signed as by a peer: whatever it says, the match goes on with all who play it.

use super::{GOOD, Table, address, packets, secret, state_for};
use crate::network::packet::{
    Datagram, Envelope, Feed, Frames, Hello, OPEN, Offer, Packet, Piece, Received, Refusal, Round, State, Status,
    frame_key, host_key_of, token_of,
};
use crate::network::seating::Seated;
use bounty_hunter_simulation::input::Inputs;
use bounty_hunter_simulation::simulation::MAX_TICKS;

/// The last word of a guest to the host.
fn status_of(table: &mut Table, guest: usize) -> Status {
    let token = token_of(secret(guest));
    for _ in 0..10 {
        let on_their_way = table.network.on_their_way();
        let statuses = on_their_way.iter().rev().find_map(|bytes| match Datagram::from_bytes(bytes, |_| Some(token)) {
            Datagram::Packet(Packet::Status(status)) => Some(status),
            _ => None,
        });
        if let Some(status) = statuses {
            return status;
        }
        table.step();
    }
    panic!("the guest says nothing");
}

/// Plays with one datagram after the other in the name of a peer, and asserts after each that nobody is lost.
struct Attack {
    table: Table,
    from: usize,
    to: usize,
}

impl Attack {
    fn new(from: usize, to: usize) -> Self {
        let mut table = Table::of_people(GOOD, 3, 4, 3_600.0);
        table.steps(70);
        Self { table, from, to }
    }

    #[track_caller]
    fn with(&mut self, case: &str, forge: impl FnOnce(&mut Table) -> Vec<u8>) {
        let Self { table, from, to } = self;
        let bytes = forge(table);
        table.network.forge(address(*from), address(*to), bytes);
        table.steps(20);
        table.until(case, |table| table.plays(3));
        table.steps(70);
        for (index, (peer, _)) in table.peers.iter_mut().enumerate() {
            assert_eq!((peer.ended(), peer.host_loss()), (None, None), "{case}: peer {index}");
            peer.take_desyncs();
        }
        table.assert_equal_states();
    }
}

#[test]
fn one_forged_word_of_the_host_loses_no_guest() {
    let absurd = Received { whole: u64::MAX, missing: u32::MAX, beyond: u64::MAX };
    type Change = Box<dyn Fn(&mut State)>;
    let of_round = |change: fn(&mut Round)| -> Change {
        Box::new(move |state| {
            let mut changed = state.round.clone().unwrap();
            change(&mut changed);
            state.round = Some(changed);
        })
    };
    let changes: Vec<(&str, Change)> = vec![
        ("nothing", Box::new(|_| ())),
        ("other assets", Box::new(|state| state.setup.configuration ^= 1)),
        ("another version", Box::new(|state| state.setup.version = "9.9.9".to_owned())),
        ("another mode", Box::new(|state| state.setup.mode = "nothing".to_owned())),
        ("another host", Box::new(|state| state.members[0].key ^= 1)),
        ("nobody", Box::new(|state| state.members.clear())),
        ("the host alone", Box::new(|state| state.members.truncate(1))),
        ("another member", Box::new(|state| state.you = 2)),
        ("no seat", Box::new(|state| state.members[1].seat = None)),
        ("other addresses", Box::new(|state| state.members.iter_mut().for_each(|it| it.address = address(30)))),
        ("no round", Box::new(|state| state.round = None)),
        ("the next round", of_round(|round| round.number += 1)),
        ("the last round", of_round(|round| round.number = u32::MAX)),
        ("a round of the future", of_round(|round| (round.number, round.base) = (round.number + 1, MAX_TICKS))),
        ("a round of the past", of_round(|round| (round.number, round.base) = (round.number + 1, 3))),
        ("a round of nobody", of_round(|round| round.seated.clear())),
        ("another round of nobody", of_round(|round| (round.number, round.seated) = (round.number + 1, Vec::new()))),
        ("a strange seat", of_round(|round| round.seated = vec![Seated { member: 9, seat: 99 }])),
        ("another state", of_round(|round| (round.number, round.hash) = (round.number + 1, 7))),
        ("an absurd step", Box::new(|state| state.confirmed = u64::MAX)),
        ("a late step", Box::new(|state| state.confirmed = MAX_TICKS)),
        ("the first step", Box::new(|state| state.confirmed = 0)),
        ("a late clock", Box::new(|state| state.time = state.time.wrapping_add(1 << 30))),
        ("an early clock", Box::new(|state| state.time = 0)),
        ("a strange echo", Box::new(|state| state.echo = u32::MAX)),
        ("an offer", Box::new(|state| state.offer = Some(Offer { number: 9, tick: 60, bytes: 9_999, hash: 7 }))),
        ("an empty offer", Box::new(|state| state.offer = Some(Offer { number: 9, tick: 60, bytes: 0, hash: 0 }))),
        ("a question", Box::new(move |state| state.asks_for = Some((60, absurd)))),
    ];
    let mut attack = Attack::new(0, 1);
    for (case, change) in changes {
        attack.with(case, |table| {
            let mut state = state_for(table, 1);
            state.time += 1;
            change(&mut state);
            Packet::State(state).to_bytes(token_of(secret(1)))
        });
    }
    let token = token_of(secret(1));
    let feed = Feed { after: attack.table.peers[1].0.confirmed(), inputs: vec![Inputs::none(); 90] };
    let round = attack.table.host().round().unwrap().0;
    let frames = |frame, start, received| {
        let frames = Frames { frame, ahead: i8::MIN, start, received, runs: vec![(255, Default::default()); 9] };
        Packet::Envelope(Envelope { from: 0, to: 1, round, frames }).to_bytes(host_key_of(secret(0)))
    };
    for (case, bytes) in [
        ("a farewell", Packet::Leave.to_bytes(token)),
        ("a full lobby", Packet::Refused(Refusal::Full).to_bytes(OPEN)),
        ("a removal", Packet::Refused(Refusal::Removed).to_bytes(OPEN)),
        ("a challenge", Packet::Challenge { cookie: 7 }.to_bytes(OPEN)),
        ("another protocol", b"BHNET\x00\x09".to_vec()),
        ("a piece", Packet::Piece(Piece { whole: 7, index: 0, bytes: vec![1; 1_024] }).to_bytes(token)),
        ("a feed", Packet::Feed(feed).to_bytes(token)),
        ("absurd frames", frames(i32::MAX, i32::MIN, i32::MAX)),
        ("frames of the past", frames(0, 0, 0)),
    ] {
        attack.with(case, |_| bytes);
    }
}

#[test]
fn one_forged_word_of_a_guest_loses_nobody() {
    type Change = Box<dyn Fn(&mut Status)>;
    let absurd = Received { whole: u64::MAX, missing: u32::MAX, beyond: u64::MAX };
    let changes: Vec<(&str, Change)> = vec![
        ("nothing", Box::new(|_| ())),
        ("other assets", Box::new(|status| status.configuration ^= 1)),
        ("a late clock", Box::new(|status| status.time = status.time.wrapping_add(1 << 30))),
        ("an early clock", Box::new(|status| status.time = 0)),
        ("a late echo", Box::new(|status| status.echo = u32::MAX)),
        ("no echo", Box::new(|status| status.echo = 0)),
        ("not ready", Box::new(|status| status.is_ready = false)),
        ("no round", Box::new(|status| status.round = 0)),
        ("the last round", Box::new(|status| status.round = u32::MAX)),
        ("no match", Box::new(|status| status.confirmed = None)),
        ("an absurd step", Box::new(|status| status.confirmed = Some(u64::MAX))),
        ("the first step", Box::new(|status| status.confirmed = Some(0))),
        ("another state", Box::new(|status| status.report = status.report.map(|(tick, hash)| (tick, !hash)))),
        ("a strange state", Box::new(|status| status.report = Some((u64::MAX, 7)))),
        ("something loaded", Box::new(|status| status.loaded = u32::MAX)),
        ("something received", Box::new(move |status| status.received = Some(absurd))),
        ("an offer", Box::new(|status| status.offer = Some(Offer { number: 0, tick: 60, bytes: 9, hash: 7 }))),
    ];
    let mut attack = Attack::new(1, 0);
    for (case, change) in changes {
        attack.with(case, |table| {
            let mut status = status_of(table, 1);
            status.time += 1;
            change(&mut status);
            Packet::Status(status).to_bytes(token_of(secret(1)))
        });
    }
    let token = token_of(secret(1));
    let hello =
        |token| Packet::Hello(Hello { cookie: 0, token, name: "Eve".to_owned(), watches: false }).to_bytes(OPEN);
    let round = attack.table.host().round().unwrap().0;
    let frames = Frames { frame: i32::MAX, start: i32::MIN, received: i32::MAX, ..Frames::default() };
    for (case, bytes) in [
        ("a farewell", Packet::Leave.to_bytes(token)),
        ("a greeting", hello(7)),
        ("its own greeting", hello(token)),
        ("a piece", Packet::Piece(Piece { whole: 7, index: 0, bytes: vec![1; 9] }).to_bytes(token)),
        ("frames", Packet::Envelope(Envelope { from: 1, to: 0, round, frames }).to_bytes(frame_key(token))),
    ] {
        attack.with(case, |_| bytes);
    }
}

#[test]
fn round_in_which_a_member_or_a_seat_is_named_twice_breaks_nothing() {
    let seated = |members: &[(u8, u32)]| members.iter().map(|&(member, seat)| Seated { member, seat }).collect();
    let rounds: [Vec<Seated>; 7] = [
        seated(&[(0, 0), (1, 1), (0, 2)]),
        seated(&[(1, 1), (1, 2)]),
        seated(&[(0, 0), (1, 1), (1, 1)]),
        seated(&[(0, 1), (1, 1)]),
        seated(&[(0, u32::MAX), (1, u32::MAX)]),
        (0..200).map(|member| Seated { member, seat: u32::from(member) }).collect(),
        vec![Seated { member: 1, seat: 1 }; 250],
    ];
    for (case, seated) in rounds.into_iter().enumerate() {
        let mut table = Table::of_people(GOOD, 2, 4, 600.0);
        table.steps(70);
        for _ in 0..20 {
            let mut state = state_for(&mut table, 1);
            let confirmed = table.peers[1].0.confirmed();
            let hash = table.peers[1].0.hash_at(confirmed).unwrap();
            let number = state.round.as_ref().unwrap().number + 1;
            (state.confirmed, state.round) =
                (confirmed, Some(Round { number, base: confirmed, hash, seated: seated.clone() }));
            // A guest believes a round that is named twice.
            for _ in 0..2 {
                state.time += 1;
                let bytes = Packet::State(state.clone()).to_bytes(token_of(secret(1)));
                table.network.forge(address(0), address(1), bytes);
            }
            for start in 2..6 {
                let frames = Frames { frame: 3, ahead: 0, start, received: 1, runs: vec![(2, Default::default())] };
                let envelope = Envelope { from: 0, to: 1, round: number, frames };
                let bytes = Packet::Envelope(envelope).to_bytes(host_key_of(secret(0)));
                table.network.forge(address(0), address(1), bytes);
            }
            table.step();
            assert_eq!(table.peers[1].0.round().unwrap().0, number, "case {case}: it has entered");
        }
        table.steps(200);
        let peer = &table.peers[1].0;
        assert_eq!((peer.ended(), peer.host_loss()), (None, None), "case {case}");
    }
}

#[test]
fn another_program_at_the_address_of_a_member_does_not_push_it_out() {
    let mut table = Table::of_people(GOOD, 2, 4, 600.0);
    let mut cookie = None;
    for _ in 0..200 {
        let hello = Hello { cookie: cookie.unwrap_or(0), token: 7, name: "Eve".to_owned(), watches: false };
        table.network.forge(address(1), address(0), Packet::Hello(hello).to_bytes(OPEN));
        table.step();
        // As one that reads the line.
        for packet in packets(&table) {
            if let Packet::Challenge { cookie: shown } = packet {
                cookie = Some(shown);
            }
        }
    }
    assert!(cookie.is_some());
    assert_eq!(table.host().members().len(), 2);
    assert_eq!(table.host().round().unwrap().0, 1);
    assert!(table.plays(2));
}

#[test]
fn one_forged_piece_of_a_state_delays_it_only() {
    let mut table = Table::of_people(GOOD, 2, 4, 600.0);
    table.steps(1_500);
    let late = table.join(false);
    let mut forged = 0;
    for _ in 0..600 {
        table.step();
        let piece = packets(&table).into_iter().find_map(|packet| match packet {
            Packet::Piece(piece) => Some(piece),
            _ => None,
        });
        if let Some(mut piece) = piece.filter(|_| forged == 0) {
            piece.bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
            let bytes = Packet::Piece(piece).to_bytes(token_of(secret(late)));
            (0..2).for_each(|_| table.network.forge(address(0), address(late), bytes.clone()));
            forged += 1;
        }
    }
    assert_eq!((forged, table.peers[late].0.ended()), (1, None));
    assert!(table.plays(3));
    table.assert_equal_states();
}
