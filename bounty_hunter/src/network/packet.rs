//! The protocol: the content of every datagram, and its limits.
//!
//! A datagram is the bytes `BHNET` and the number of the protocol, then a [`Packet`] in postcard's encoding, then its
//! signature; at most [`MAX_BYTES`]. Every version of the protocol answers another one in the same way: `BHNET`, the
//! number 0, and its own number.
//!
//! Nothing is answered reliably: the host repeats the whole state of the lobby or the match to each member, and each
//! member its own status to the host, many times a second. What is lost is in the next one. Each of these carries the
//! clock of its sender and the last clock that it has from the other side, so that an old one is recognised, and a line
//! counts as whole only if it works both ways.
//!
//! The host and a member sign with the member's token, which only they know; a member signs its inputs for others with
//! a key that follows from the token. What is damaged, and what a stranger sends, is noise.

use std::hash::Hasher;

use serde::{Deserialize, Serialize};

use super::net_input::NetInput;
use super::seating::Seated;
use super::transport::Address;
use bounty_hunter_simulation::assets::Assets;
use bounty_hunter_simulation::input::Inputs;
use bounty_hunter_simulation::name::PlayerName;
use bounty_hunter_simulation::simulation::{MatchSetup, configuration_hash};

/// The most bytes of a datagram: what passes through nearly every network in one piece.
pub const MAX_BYTES: usize = 1_200;
/// The number of the protocol. Peers with another one do not understand each other.
pub(super) const PROTOCOL: u8 = 3;
const NAME: &[u8] = b"BHNET";
/// In place of the number of a protocol: an answer to another one.
const ANSWER: u8 = 0;
/// The key of what is said between strangers. Its signature shows damage only.
pub(super) const OPEN: u64 = 0;
/// The bytes of a signature, and the purpose of its number.
const SIGNATURE: usize = 8;
const SIGNED: u64 = 5;

/// The most members of a lobby, with the host; the state of all of them fits into a datagram.
pub(super) const MAX_MEMBERS: usize = 8;
/// The most players of a match over a network: each step may be taken many times.
pub const MAX_NETWORK_PLAYERS: u32 = 64;

/// The match that a host offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The version of the host's program.
    pub version: String,
    /// The mode.
    pub mode: String,
    /// The level.
    pub level: String,
    /// The profile of the AIs on seats without a person.
    pub ai: String,
    /// The number of players, people and AIs.
    pub players: u32,
    /// The seed of every random number.
    pub seed: u64,
    /// The length of the match; replaces the assets' `play_seconds`.
    pub play_seconds: Option<f32>,
    /// [`configuration_hash`] of the match with the host's assets.
    pub configuration: u64,
}

impl Setup {
    /// The set-up of a match with `assets`, which are in their mode and level.
    ///
    /// # Errors
    /// A sentence that says what does not fit together.
    pub fn new(
        assets: &Assets,
        mode: &str,
        players: u32,
        seed: u64,
        play_seconds: Option<f32>,
    ) -> Result<Self, String> {
        if players > MAX_NETWORK_PLAYERS {
            return Err(format!(
                "a match over a network has at most {MAX_NETWORK_PLAYERS} players, not {players}: lower --players"
            ));
        }
        let mut setup = Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            mode: mode.to_owned(),
            level: assets.game.level.clone(),
            ai: assets.game.ai.clone(),
            players,
            seed,
            play_seconds,
            configuration: 0,
        };
        setup.configuration = configuration_hash(assets, &setup.match_setup()).map_err(|error| error.to_string())?;
        Ok(setup)
    }

    /// The same match with another AI on the seats without a person.
    ///
    /// # Errors
    /// A sentence that says what does not fit together.
    pub fn with_ai(mut self, assets: &Assets, ai: &str) -> Result<Self, String> {
        ai.clone_into(&mut self.ai);
        self.configuration = configuration_hash(assets, &self.match_setup()).map_err(|error| error.to_string())?;
        Ok(self)
    }

    /// All seats belong to AIs; people take over some of them.
    pub(super) fn match_setup(&self) -> MatchSetup {
        let players = self.players.min(MAX_NETWORK_PLAYERS) as usize;
        MatchSetup { play_seconds: self.play_seconds, ..MatchSetup::of_ais(self.seed, players, &self.ai) }
    }

    /// The assets in the mode and level of this match.
    ///
    /// # Errors
    /// A sentence that says in what they differ from those of the host.
    pub(super) fn check(&self, assets: &Assets) -> Result<Assets, String> {
        let own = env!("CARGO_PKG_VERSION");
        if self.version != own {
            let version = PlayerName::cleaned(&self.version);
            return Err(format!(
                "the host plays version {version} of the game, and this is version {own}: install the same"
            ));
        }
        let unknown =
            |error: bounty_hunter_simulation::assets::UnknownName| format!("the host plays with other assets: {error}");
        let assets = assets.clone().in_level(&self.level).map_err(unknown)?.in_mode(&self.mode).map_err(unknown)?;
        let hash = configuration_hash(&assets, &self.match_setup()).map_err(|error| error.to_string())?;
        match hash == self.configuration {
            true => Ok(assets),
            false => Err("the host plays with other assets: name the same directory with --assets".to_owned()),
        }
    }
}

/// Asks to be let in. Repeated until there is an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Hello {
    /// The answer to a [`Packet::Challenge`], which proves that the sender receives at its address; 0 at first.
    pub(super) cookie: u64,
    /// A secret by which the host knows a member again that comes back, and with which both sign what they say to each
    /// other.
    pub(super) token: u64,
    pub(super) name: String,
    /// It wants to watch, not to play.
    pub(super) watches: bool,
}

/// Why a host refuses a newcomer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Refusal {
    Full,
    Removed,
}

/// What a member tells the host, many times a second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Status {
    /// The member's clock, which the host sends back.
    pub(super) time: u32,
    /// The newest clock of the host that the member has.
    pub(super) echo: u32,
    /// Steps to the host and back.
    pub(super) ping: u8,
    pub(super) is_ready: bool,
    /// The hash of the match with its own assets.
    pub(super) configuration: u64,
    /// The number of the round that it plays; 0 if it plays in none.
    pub(super) round: u32,
    /// The last step that the host has confirmed and the member has taken; `None` if it has no match.
    pub(super) confirmed: Option<u64>,
    /// The last state that is compared: its step and its hash.
    pub(super) report: Option<(u64, u64)>,
    /// The number of the last offer that it has loaded; 0 for none.
    pub(super) loaded: u32,
    pub(super) received: Option<Received>,
    /// Its own state, which the host has asked for.
    pub(super) offer: Option<Offer>,
}

/// The pieces of a download that have arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Received {
    /// The hash of the whole.
    pub(super) whole: u64,
    /// The first missing piece.
    pub(super) missing: u32,
    /// One bit for each of the pieces after that: whether it has arrived.
    pub(super) beyond: u64,
}

/// A member as the others see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MemberState {
    pub(super) id: u8,
    pub(super) name: String,
    /// The seat that is kept for it.
    pub(super) seat: Option<u32>,
    pub(super) is_ready: bool,
    pub(super) is_here: bool,
    pub(super) ping: u8,
    /// The key with which it signs its frames.
    pub(super) key: u64,
    pub(super) address: Address,
}

/// A round: the seats and their players from one step on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Round {
    pub(super) number: u32,
    /// The step before the first one of the round.
    pub(super) base: u64,
    /// The hash of the state there.
    pub(super) hash: u64,
    pub(super) seated: Vec<Seated>,
}

/// A state that is sent in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Offer {
    /// Counts the offers of a host.
    pub(super) number: u32,
    pub(super) tick: u64,
    pub(super) bytes: u32,
    /// The hash of the bytes.
    pub(super) hash: u64,
}

/// What the host tells each member, many times a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// The id of the receiver.
    pub(super) you: u8,
    /// The host's clock, which the member sends back.
    pub(super) time: u32,
    /// The newest clock of the member that the host has; 0 for none.
    pub(super) echo: u32,
    pub(super) setup: Setup,
    pub(super) members: Vec<MemberState>,
    pub(super) round: Option<Round>,
    /// The last confirmed step. What the host has confirmed never changes.
    pub(super) confirmed: u64,
    /// A state that replaces that of a member that cannot catch up.
    pub(super) offer: Option<Offer>,
    /// The host requests the member's state at this step, because the two differ: the step, and the pieces received so
    /// far.
    pub(super) asks_for: Option<(u64, Received)>,
}

/// A part of a saved state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Piece {
    /// The hash of the whole.
    pub(super) whole: u64,
    pub(super) index: u32,
    pub(super) bytes: Vec<u8>,
}

/// The inputs of confirmed steps, for members that watch or catch up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Feed {
    /// The step before the first one.
    pub(super) after: u64,
    pub(super) inputs: Vec<Inputs>,
}

/// The inputs of one person for another one, repeated until they are acknowledged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Frames {
    /// The frame of the sender, counted from the beginning of the round.
    pub(super) frame: i32,
    /// How many frames it is ahead of the receiver, by its own measure.
    pub(super) ahead: i8,
    /// The frame of the first input.
    pub(super) start: i32,
    /// The newest frame received from the other one.
    pub(super) received: i32,
    /// The inputs in runs: how often each is repeated, and the input.
    pub(super) runs: Vec<(u8, NetInput)>,
}

/// Frames on their way, directly or through the host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Envelope {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) round: u32,
    pub(super) frames: Frames,
}

/// The content of a datagram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant)]
pub(super) enum Packet {
    Hello(Hello),
    /// Repeat the greeting with this number.
    Challenge {
        cookie: u64,
    },
    Refused(Refusal),
    Status(Status),
    /// The sender goes, unless other words of it follow.
    Leave,
    State(State),
    Piece(Piece),
    Feed(Feed),
    Envelope(Envelope),
    /// Tries the direct line to another member, and says whether the other one was heard on it.
    Probe {
        from: u8,
        hears_you: bool,
    },
}

impl Packet {
    /// The datagram, signed with a key.
    pub(super) fn to_bytes(&self, key: u64) -> Vec<u8> {
        let head = [NAME, &[PROTOCOL]].concat();
        sign(postcard::to_extend(self, head).expect("packets hold numbers, texts and lists only"), key)
    }
}

fn sign(mut content: Vec<u8>, key: u64) -> Vec<u8> {
    let signature = secret_number(key, SIGNED, &content);
    content.extend(signature.to_le_bytes());
    content
}

/// The token of a guest with a secret.
pub(super) fn token_of(secret: u64) -> u64 {
    secret_number(secret, 3, &[])
}

/// The key with which a host with a secret signs its frames.
pub(super) fn host_key_of(secret: u64) -> u64 {
    secret_number(secret, 0, &[])
}

/// The key with which a member signs its frames for other members.
pub(super) fn frame_key(token: u64) -> u64 {
    secret_number(token, 4, &[])
}

/// What a datagram says.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub(super) enum Datagram {
    Packet(Packet),
    /// It is in another protocol; to be answered by [`answer_to_another_protocol`].
    OtherProtocol,
    /// The receiver of an own datagram has the protocol with this number.
    TheirProtocol(u8),
    /// It is not from a peer of this game.
    Noise,
}

impl Datagram {
    /// Reads a datagram. `key_of` tells with which key a packet must be signed; `None` if the sender must not send it.
    /// Takes at most a small multiple of the memory of the datagram.
    pub(super) fn from_bytes(bytes: &[u8], key_of: impl FnOnce(&Packet) -> Option<u64>) -> Self {
        match bytes.strip_prefix(NAME) {
            Some([PROTOCOL, ..]) if bytes.len() <= MAX_BYTES => {
                let Some((signed, signature)) = bytes.split_last_chunk::<SIGNATURE>() else { return Self::Noise };
                let content = signed.get(NAME.len() + 1..).unwrap_or_default();
                let Ok((packet, [])) = postcard::take_from_bytes(content) else { return Self::Noise };
                match key_of(&packet).is_some_and(|key| is_signed_with(signed, *signature, key)) {
                    true => Self::Packet(packet),
                    false => Self::Noise,
                }
            }
            Some([ANSWER, number]) => Self::TheirProtocol(*number),
            // A shorter one must not cause a longer answer.
            Some([number, _, ..]) if ![PROTOCOL, ANSWER].contains(number) => Self::OtherProtocol,
            _ => Self::Noise,
        }
    }
}

fn is_signed_with(content: &[u8], signature: [u8; SIGNATURE], key: u64) -> bool {
    secret_number(key, SIGNED, content).to_le_bytes() == signature
}

/// Signs `changed`, a changed copy of the datagram `original`, as that was signed by a peer with one of these secrets.
/// For tests and tools that attack peers: an enemy without the secrets cannot do so.
#[must_use]
pub fn sign_again(original: &[u8], changed: Vec<u8>, secrets: &[u64]) -> Vec<u8> {
    let Some((content, signature)) = original.split_last_chunk::<SIGNATURE>() else { return changed };
    let keys_of = |secret: &u64| [token_of(*secret), frame_key(token_of(*secret)), host_key_of(*secret)];
    let mut keys = secrets.iter().flat_map(keys_of).chain([OPEN]);
    match keys.find(|key| is_signed_with(content, *signature, *key)) {
        Some(key) => sign(changed[..changed.len().saturating_sub(SIGNATURE)].to_vec(), key),
        None => changed,
    }
}

/// Tells a peer with another protocol the number of this one.
pub(super) fn answer_to_another_protocol() -> Vec<u8> {
    [NAME, &[ANSWER, PROTOCOL]].concat()
}

/// A number that cannot be guessed without the secret, however many others are known: SipHash 2-4 with the secret as
/// its key.
pub(super) fn secret_number(secret: u64, purpose: u64, about: &[u8]) -> u64 {
    // Std marks it as deprecated only because maps use other ways to make a hasher.
    #[allow(deprecated)]
    let mut hash = std::hash::SipHasher::new_with_keys(secret, !secret.rotate_left(32));
    hash.write_u64(purpose);
    hash.write(about);
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_of_a_full_lobby_fits_into_a_datagram() {
        let longest = "seed:18446744073709551615";
        let assets = Assets::built_in().in_level(longest).unwrap();
        let member = |id: u8| MemberState {
            id,
            name: "ÄÖÜß€ÄÖÜß€ÄÖÜß€Ä".to_owned(),
            seat: Some(63),
            is_ready: true,
            is_here: true,
            ping: 255,
            key: u64::MAX,
            address: "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535".parse().unwrap(),
        };
        let seated = (0..MAX_MEMBERS as u8).map(|member| Seated { member, seat: 63 }).collect();
        let received = Received { whole: u64::MAX, missing: u32::MAX, beyond: u64::MAX };
        let state = State {
            you: 255,
            time: u32::MAX,
            echo: u32::MAX,
            setup: Setup { players: 64, ..Setup::new(&assets, "classic", 16, u64::MAX, Some(45.0)).unwrap() },
            members: (0..MAX_MEMBERS as u8).map(member).collect(),
            round: Some(Round { number: u32::MAX, base: u64::MAX, hash: u64::MAX, seated }),
            confirmed: u64::MAX,
            offer: Some(Offer { number: u32::MAX, tick: u64::MAX, bytes: u32::MAX, hash: u64::MAX }),
            asks_for: Some((u64::MAX, received)),
        };
        let bytes = Packet::State(state.clone()).to_bytes(7);
        assert!(bytes.len() <= MAX_BYTES, "{} bytes", bytes.len());
        assert_eq!(Datagram::from_bytes(&bytes, |_| Some(7)), Datagram::Packet(Packet::State(state)));
    }

    #[test]
    fn datagrams_of_other_protocols_are_not_read() {
        let read = |bytes: &[u8]| Datagram::from_bytes(bytes, |_| Some(OPEN));
        let bytes = Packet::Challenge { cookie: 7 }.to_bytes(OPEN);
        assert_eq!(read(&bytes), Datagram::Packet(Packet::Challenge { cookie: 7 }));
        let noise = [&[&bytes[..], &[0]].concat()[..], &bytes[..bytes.len() - 1], &bytes[1..], b"BHNET", b"BHNET\x02"];
        for (case, bytes) in noise.iter().enumerate() {
            assert_eq!(read(bytes), Datagram::Noise, "case {case}");
        }
        let mut other = bytes;
        other[5] += 1;
        assert_eq!(read(&other), Datagram::OtherProtocol);
        let answer = answer_to_another_protocol();
        assert_eq!(read(&answer), Datagram::TheirProtocol(PROTOCOL));
        assert!(answer.len() <= b"BHNET\x03\x00".len(), "it is not longer than the shortest that asks for it");
    }

    #[test]
    fn datagrams_that_are_damaged_or_signed_by_others_are_noise() {
        let status = Status { time: 7, echo: 3, ping: 1, is_ready: true, ..Status::default() };
        let packet = Packet::Status(status);
        let bytes = packet.to_bytes(1);
        assert_eq!(Datagram::from_bytes(&bytes, |_| Some(1)), Datagram::Packet(packet));
        for key in [None, Some(2), Some(OPEN)] {
            assert_eq!(Datagram::from_bytes(&bytes, |_| key), Datagram::Noise);
        }
        for bit in 8 * 6..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Datagram::from_bytes(&damaged, |_| Some(1)), Datagram::Noise, "bit {bit}");
        }
    }

    #[test]
    fn other_assets_are_told_before_a_match() {
        let assets = Assets::built_in();
        let setup = Setup::new(&assets, "classic", 4, 7, None).unwrap();
        setup.check(&assets).unwrap();
        let mut other = assets.clone();
        other.modes.get_mut("classic").unwrap().game.countdown_seconds += 1.0;
        assert_eq!(
            setup.check(&other).unwrap_err(),
            "the host plays with other assets: name the same directory with --assets"
        );
        let future = Setup { version: "9.9.9".into(), ..setup };
        assert!(future.check(&assets).unwrap_err().starts_with("the host plays version 9.9.9 of the game"));
    }

    #[test]
    fn guest_makes_the_level_of_the_seed_that_the_host_names() {
        let assets = Assets::built_in();
        let setup = Setup::new(&assets.clone().in_level("seed:7").unwrap(), "classic", 4, 7, None).unwrap();
        assert_eq!(setup.check(&assets).unwrap().game.level, "seed:7");
        let other = Setup { level: "seed:8".into(), ..setup.clone() };
        assert!(other.check(&assets).unwrap_err().starts_with("the host plays with other assets"));
        let wrong = Setup { level: "seed:-8".into(), ..setup };
        assert!(wrong.check(&assets).unwrap_err().starts_with("the host plays with other assets: there is no level"));
    }

    #[test]
    fn match_out_of_bounds_is_told_before_it_is_made() {
        let assets = Assets::built_in();
        let setup = Setup::new(&assets, "classic", 4, 7, None).unwrap();
        let refusal = |setup: Setup| setup.check(&assets).unwrap_err();
        for seconds in [1e30, 86_401.0, 0.0, f32::NAN] {
            let sentence = refusal(Setup { play_seconds: Some(seconds), ..setup.clone() });
            assert!(sentence.starts_with(&format!("play_seconds is {seconds}, must be ")), "{sentence}");
        }
        assert_eq!(refusal(Setup { players: 0, ..setup }), "a match has 1 to 10000 players, not 0");
    }
}
