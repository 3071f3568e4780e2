//! What becomes of a match whose line breaks. All times are those of `ggrs`, which has the wall clock.

use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::time::Duration;

use super::line_watch::Patience;
use super::peer::Peer;
use super::simulated_link::{Line, Wire};
use super::{game, input};

/// Two players who have begun a match, and the wire between them.
struct Table {
    wire: Rc<RefCell<Wire>>,
    peers: [Peer<usize>; 2],
    frame: u64,
}

impl Table {
    fn new(patience: Patience) -> Result<Self, Box<dyn Error>> {
        let wire = Rc::<RefCell<Wire>>::default();
        let peer = |own| Peer::new(own, &[0, 1], game(2)?, Line { own, wire: Rc::clone(&wire) }, patience);
        let peers = [peer(0)?, peer(1)?];
        Ok(Self { wire, peers, frame: 0 })
    }

    fn begun(patience: Patience) -> Result<Self, Box<dyn Error>> {
        let mut table = Self::new(patience)?;
        table.play_until(|peers| peers.iter().all(|peer| peer.session.current_frame() > 60))?;
        Ok(table)
    }

    fn cut(&self, is_cut: bool) {
        self.wire.borrow_mut().is_cut = is_cut;
    }

    /// One frame of both, and why the match is over for each.
    fn frame(&mut self) -> [Option<Box<dyn Error>>; 2] {
        self.wire.borrow_mut().frame += 1;
        self.frame += 1;
        self.peers.each_mut().map(|peer| peer.frame(input(peer.player, self.frame)).err())
    }

    fn play_until(&mut self, is_enough: impl Fn(&[Peer<usize>; 2]) -> bool) -> Result<(), Box<dyn Error>> {
        while !is_enough(&self.peers) {
            self.frame().into_iter().flatten().next().map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    fn frames(&self) -> [i32; 2] {
        self.peers.each_ref().map(|peer| peer.session.current_frame())
    }

    /// Plays until the match is over for both; each says why.
    fn play_to_the_end(&mut self) -> [String; 2] {
        let mut reasons = [None, None];
        while reasons.iter().any(Option::is_none) {
            for (reason, error) in reasons.iter_mut().zip(self.frame()) {
                *reason = reason.take().or(error.map(|error| error.to_string()));
            }
        }
        reasons.map(|reason| reason.expect("the loop has waited for it"))
    }
}

/// Both are told, wait for each other, and play on as one match: `ggrs` goes on to compare their states.
pub(crate) fn short_break_is_survived() -> Result<(), Box<dyn Error>> {
    let mut table = Table::begun(Patience::USUAL)?;
    table.cut(true);
    table.play_until(|peers| peers.iter().all(|peer| !peer.line.silent.is_empty()))?;
    let before = table.frames();
    println!("frames {before:?}: neither hears the other");
    (0..100).for_each(|_| _ = table.frame());
    assert_eq!(table.frames(), before, "nobody plays on alone");
    table.cut(false);
    table.play_until(|peers| peers.iter().all(|peer| peer.line.silent.is_empty()))?;
    table.play_until(|peers| peers.iter().all(|peer| peer.session.current_frame() > before[0] + 300))?;
    println!("frames {:?}: they play on", table.frames());
    Ok(())
}

/// Each side ends with a sentence, which a program returns as an error, instead of a match of its own.
pub(crate) fn long_break_ends_the_match() -> Result<(), Box<dyn Error>> {
    let silence = Duration::from_millis(200);
    let mut table = Table::begun(Patience { with_silence: silence, ..Patience::USUAL })?;
    table.cut(true);
    for (player, reason) in table.play_to_the_end().iter().enumerate() {
        println!("player {player}: {reason}");
        assert!(reason.starts_with(&format!("{} is gone: the match is over at frame ", 1 - player)));
    }
    Ok(())
}

/// The handshake of `ggrs` has no end of its own.
pub(crate) fn match_without_an_answer_ends() -> Result<(), Box<dyn Error>> {
    let mut table = Table::new(Patience { with_an_answer: Duration::from_millis(100), ..Patience::USUAL })?;
    table.cut(true);
    for reason in table.play_to_the_end() {
        assert_eq!(reason, "not all other players answer: the match cannot begin");
    }
    Ok(())
}
