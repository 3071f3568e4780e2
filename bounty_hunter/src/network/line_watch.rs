//! What a person should know about the line: how it is, and who came and went.

use std::fmt;

use super::peer::{MemberView, Peer};
use super::rollback::LineStatistics;
use bounty_hunter_simulation::name::PlayerName;

/// How long it is said that somebody came or went, 8 s.
const STEPS_TO_SAY: u32 = 480;
/// Confirmed steps from which the line counts: the first stall is the wait for those who begin later.
const STEPS_TO_BEGIN: u64 = 120;
/// The most news at once.
const MAX_NEWS: usize = 3;

/// What a person should know about the line, or about another member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineNotice {
    /// The host of the lobby has not been heard for a while.
    HostIsSilent,
    /// The host of the match has not been heard for a while, and the match waits for it.
    MatchWaitsForHost {
        /// How long it waits at most.
        seconds: u32,
        /// Whether this peer plays, and so goes on alone after that time.
        plays: bool,
    },
    /// The host is gone for good.
    HostIsGone,
    /// The state of the match arrives.
    Loading {
        /// What is here, of 100.
        percent: u32,
    },
    /// The match stands still, because the inputs of this member are missing.
    Waiting(String),
    /// A member is here for the first time.
    Joined(String),
    /// A member without a seat in a match is gone.
    Left(String),
    /// A member who plays is gone.
    Dropped(String),
    /// A member who was gone is here again.
    Returned(String),
}

impl LineNotice {
    /// That the match stands still for a member, whose name others have sent.
    pub(super) fn waiting_for(name: &str) -> Self {
        Self::Waiting(PlayerName::cleaned(name).into())
    }

    /// Whether it is about a line that is bad, and not only about somebody who comes or goes.
    #[must_use]
    pub fn is_trouble(&self) -> bool {
        match self {
            Self::HostIsSilent
            | Self::MatchWaitsForHost { .. }
            | Self::HostIsGone
            | Self::Waiting(_)
            | Self::Dropped(_) => true,
            Self::Loading { .. } | Self::Joined(_) | Self::Left(_) | Self::Returned(_) => false,
        }
    }
}

impl fmt::Display for LineNotice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HostIsSilent => write!(out, "the host does not answer"),
            Self::MatchWaitsForHost { seconds, plays: false } => {
                write!(out, "the host does not answer: the match waits for it, {seconds} s at most")
            }
            Self::MatchWaitsForHost { seconds, plays: true } => {
                write!(out, "the host does not answer: the match waits, after {seconds} s you play on against AIs")
            }
            Self::HostIsGone => write!(out, "the host is gone: you play on against AIs"),
            Self::Loading { percent } => write!(out, "loading the match: {percent} %"),
            Self::Waiting(name) => write!(out, "waiting for {name}"),
            Self::Joined(name) => write!(out, "{name} has joined"),
            Self::Left(name) => write!(out, "{name} has left"),
            Self::Dropped(name) => write!(out, "{name} is gone: an AI plays on in this seat"),
            Self::Returned(name) => write!(out, "{name} is back"),
        }
    }
}

/// How the line of a peer has been, for the screen and for a report at the end. It follows each step of the peer.
#[derive(Clone, Debug, Default)]
pub struct LineWatch {
    total: LineStatistics,
    ping_ms: u32,
    longest_ping_ms: u32,
    members: Vec<MemberView>,
    /// The last news, each with the steps left to say it.
    news: Vec<(LineNotice, u32)>,
    /// What the peer itself says.
    of_peer: Option<LineNotice>,
}

impl LineWatch {
    /// Follows a step of the peer.
    pub fn follow(&mut self, peer: &mut Peer) {
        let part = peer.take_statistics();
        let has_begun = peer.confirmed() > STEPS_TO_BEGIN;
        if has_begun {
            self.total.add(part);
        }
        self.of_peer = peer.notice();
        let members = peer.members();
        self.ping_ms = longest_ping_ms(&members);
        if has_begun {
            self.longest_ping_ms = self.longest_ping_ms.max(self.ping_ms);
        }
        self.news.retain_mut(|(_, left)| {
            *left = left.saturating_sub(1);
            *left > 0
        });
        let plays = peer.simulation().is_some();
        // The first list is no news: it says who was here before.
        if !self.members.is_empty() {
            for notice in changes(&self.members, &members, plays) {
                tracing::info!(target: "bounty_hunter::network", sentence = %notice, "news");
                self.news.push((notice, STEPS_TO_SAY));
            }
            self.news.drain(..self.news.len().saturating_sub(MAX_NEWS));
        }
        self.members = members;
    }

    /// What to say now: what lasts comes first, then the news.
    pub fn notices(&self) -> impl Iterator<Item = &LineNotice> {
        self.of_peer.iter().chain(self.news.iter().map(|(notice, _)| notice))
    }

    /// How the line has been.
    #[must_use]
    pub fn statistics(&self) -> LineStatistics {
        self.total
    }

    /// Milliseconds to the host and back; for a host, to the guest that is farthest away.
    #[must_use]
    pub fn ping_ms(&self) -> u32 {
        self.ping_ms
    }
}

/// In words, for a report.
impl fmt::Display for LineWatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LineStatistics { steps, rollbacks, deepest_rollback, stalled, longest_stall, waited } = self.total;
        write!(
            out,
            "of {steps} steps: {rollbacks} rollbacks, the deepest {deepest_rollback}; {stalled} stalled, the longest \
             {longest_stall}; {waited} waited; ping at most {} ms",
            self.longest_ping_ms
        )
    }
}

/// That of the own peer, or for a host the longest of its guests.
fn longest_ping_ms(members: &[MemberView]) -> u32 {
    let is_host = members.iter().any(|member| member.is_self && member.is_host);
    let counts = |member: &&MemberView| member.is_here && (is_host || member.is_self);
    members.iter().filter(counts).map(|member| member.ping_ms).max().unwrap_or(0)
}

/// Who came and went between two lists of members, the own peer apart.
fn changes(before: &[MemberView], now: &[MemberView], plays: bool) -> impl Iterator<Item = LineNotice> {
    let find = |members: &[MemberView], id: u8| members.iter().find(|member| member.id == id).cloned();
    let mut changes = Vec::new();
    for member in now.iter().filter(|member| !member.is_self && member.is_here) {
        match find(before, member.id) {
            None => changes.push(LineNotice::Joined(member.name.clone())),
            Some(known) if !known.is_here => changes.push(LineNotice::Returned(member.name.clone())),
            Some(_) => {}
        }
    }
    for member in before.iter().filter(|member| !member.is_self && member.is_here) {
        if !find(now, member.id).is_some_and(|member| member.is_here) {
            let name = member.name.clone();
            let is_missed = plays && member.seat.is_some();
            changes.push(if is_missed { LineNotice::Dropped(name) } else { LineNotice::Left(name) });
        }
    }
    changes.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(id: u8, is_here: bool) -> MemberView {
        MemberView {
            id,
            name: format!("guest {id}"),
            seat: Some(u32::from(id)),
            is_ready: true,
            is_here,
            ping_ms: 10 * u32::from(id),
            is_host: id == 0,
            is_self: id == 0,
        }
    }

    #[test]
    fn who_comes_and_goes_is_told_and_the_rest_is_not() {
        let before = [member(0, true), member(1, true), member(2, false), member(3, true), member(4, true)];
        let mut now = [member(0, true), member(1, false), member(2, true), member(4, true), member(5, true)];
        let news: Vec<_> = changes(&before, &now, true).map(|notice| notice.to_string()).collect();
        let gone = |id| format!("guest {id} is gone: an AI plays on in this seat");
        assert_eq!(news, ["guest 2 is back".into(), "guest 5 has joined".into(), gone(1), gone(3)]);
        assert_eq!(changes(&now, &now, true).next(), None);
        // In the lobby, and without a seat, nobody is replaced.
        assert_eq!(changes(&before[..2], &now[..1], false).next(), Some(LineNotice::Left("guest 1".into())));
        now[4].seat = None;
        assert_eq!(changes(&now[4..], &[], true).next(), Some(LineNotice::Left("guest 5".into())));
    }

    #[test]
    fn ping_of_a_host_is_that_of_its_farthest_guest() {
        let mut members = [member(0, true), member(1, true), member(2, true), member(3, false)];
        assert_eq!(longest_ping_ms(&members), 20);
        (members[0].is_self, members[1].is_self) = (false, true);
        assert_eq!(longest_ping_ms(&members), 10);
        assert_eq!(longest_ping_ms(&[]), 0);
    }
}
