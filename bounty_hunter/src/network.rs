//! Playing together over a network: rollback by `ggrs`, a host that decides who plays, and a protocol of small
//! datagrams.
//!
//! Every peer simulates the whole match and sends only its inputs. It takes each step at once, with guesses for the
//! inputs that have not arrived; when they arrive and differ, it goes back to the last right state and takes the steps
//! again. `ggrs` keeps the inputs and says when to go back; [`Peer`] is what a window or a test holds.
//!
//! - The host decides: who plays, who watches, at which step a seat changes hands. Each such change begins a new
//!   *round*, an agreed step and state from which all peers go on with a new session of `ggrs`.
//! - A guest confirms a step only once the host says that it has confirmed it in the same round. So all confirmed steps
//!   are those of one match, whoever drops out and comes back, and no peer ever takes one back.
//! - A peer that joins late watches first: it loads a snapshot and follows the confirmed inputs until it has caught up.
//! - All times are counted in steps, so tests simulate minutes of play on a bad line in seconds.
//! - A host tells its local network of its lobby, and windows list what they hear: [`Beacon`], [`Finder`].
//! - Datagrams of strangers and of peers are checked before anything is kept: lengths, numbers, addresses, keys.

mod beacon;
mod budgets;
mod download;
mod ggrs_message;
mod guest;
mod host;
mod line_watch;
mod mailbox;
mod member;
mod net_input;
mod order;
mod packet;
mod peer;
mod rollback;
mod seating;
pub mod simulated_link;
#[cfg(test)]
mod tests;
mod timeline;
mod transport;
mod udp;

pub use self::beacon::{BEACON_PORT, Beacon, Finder, FoundHost, Offer};
pub use self::guest::{Guest, HostLoss};
pub use self::host::{Desync, Host};
pub use self::line_watch::{LineNotice, LineWatch};
pub use self::net_input::NetInput;
pub use self::packet::{MAX_BYTES, MAX_NETWORK_PLAYERS, Setup, sign_again};
pub use self::peer::{MemberView, Peer};
pub use self::rollback::{INPUT_DELAY, LineStatistics, MAX_PREDICTED};
pub use self::transport::{Address, Transport};
pub use self::udp::{Udp, unmapped};
