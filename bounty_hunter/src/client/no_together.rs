//! A window without a network: nothing is hosted, looked for or joined.

use std::convert::Infallible;
use std::marker::PhantomData;

use crate::client::devices::Devices;
use crate::client::screens::replay_screen::Leaving;
use crate::client::{ClientError, PlayOptions};
use bounty_hunter_simulation::simulation::MatchSetup;

/// The network of a window, which this build has not.
pub type Network = Option<Infallible>;

/// A lobby, which there is not.
pub(crate) struct Lobby(Infallible);

/// A search for hosts, which there is not.
pub(crate) struct Search<'a>(Infallible, PhantomData<&'a ()>);

pub(crate) async fn play_lobby(
    lobby: Lobby,
    _: &mut Network,
    _: &PlayOptions,
    _: &mut Devices,
) -> Result<Leaving, ClientError> {
    match lobby.0 {}
}

impl<'a> Search<'a> {
    pub(crate) const MOST_PLAYERS: u32 = 1;

    pub(crate) fn open(_: &'a mut Network, _: &str) -> Option<Self> {
        None
    }

    pub(crate) fn finds_hosts(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn hosts(&self) -> Vec<(u64, [String; 3])> {
        match self.0 {}
    }

    pub(crate) fn host(&mut self, _: &str, _: Option<&str>, _: &MatchSetup) -> Option<Lobby> {
        match self.0 {}
    }

    pub(crate) fn join_found(&mut self, _: u64) {
        match self.0 {}
    }

    pub(crate) fn join_typed(&mut self, _: &str) {
        match self.0 {}
    }

    pub(crate) fn step(&mut self) -> Option<Lobby> {
        match self.0 {}
    }

    pub(crate) fn asked(&self) -> Option<&str> {
        match self.0 {}
    }

    pub(crate) fn give_up(&mut self) {
        match self.0 {}
    }

    pub(crate) fn problem(&self) -> Option<&str> {
        match self.0 {}
    }

    pub(crate) fn forget_problem(&mut self) {
        match self.0 {}
    }
}
