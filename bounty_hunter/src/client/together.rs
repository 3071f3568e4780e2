//! A match over a network in the window.

use std::cell::RefCell;
use std::rc::Rc;

use crate::client::{Game, NetworkRole, Notice};
use crate::client::translation::tr_with;
use crate::data::config::Keymap;
use crate::data::input::Inputs;
use crate::network::{LocalPlayer, LocalRequest, Peer};
use crate::simulation::StepReport;
use crate::simulation::view::{GameState, PlayedBy, View};

/// How long a sentence is shown.
const STEPS_TO_SHOW: u32 = 600;

/// A peer that outlives the window.
pub type SharedPeer = Rc<RefCell<Peer>>;

/// Steps by which a view may differ from the one before without a gap between them.
const STEPS_OF_A_JUMP: u64 = 20;

/// Called after each step with the peer; returns a sentence to show from then on.
pub type AfterStep = Box<dyn FnMut(&mut Peer) -> Option<String>>;

/// The match of a peer as the window sees it.
pub(crate) struct TogetherGame {
    peer: SharedPeer,
    after_step: AfterStep,
    /// The last sentence of `after_step`, and the steps left to show it.
    said: Option<(String, u32)>,
    local_player: LocalPlayer,
    is_fullscreen: bool,
    tick: u64,
    has_jumped: bool,
    has_left: bool,
}

impl TogetherGame {
    pub(crate) fn new(peer: SharedPeer, keymap: Keymap, after_step: AfterStep) -> Self {
        let local_player = LocalPlayer::new(keymap);
        Self {
            peer,
            after_step,
            said: None,
            local_player,
            is_fullscreen: false,
            tick: 0,
            has_jumped: false,
            has_left: false,
        }
    }
}

impl Game for TogetherGame {
    fn step(&mut self, inputs: &Inputs) -> StepReport {
        let mut peer = self.peer.borrow_mut();
        let state = peer.simulation().map_or(GameState::Started, |simulation| simulation.state());
        let (input, requests) = self.local_player.input(inputs, state);
        for request in requests {
            match request {
                LocalRequest::Leave => self.has_left = true,
                LocalRequest::ToggleFullscreen => self.is_fullscreen = !self.is_fullscreen,
            }
        }
        peer.step(input);
        self.said = self.said.take().and_then(|(sentence, left)| Some((sentence, left.checked_sub(1)?)));
        if let Some(sentence) = (self.after_step)(&mut peer) {
            self.said = Some((sentence, STEPS_TO_SHOW));
        }
        let tick = peer.simulation().map_or(self.tick, |simulation| simulation.tick());
        self.has_jumped |= tick.abs_diff(self.tick) > STEPS_OF_A_JUMP;
        self.tick = tick;
        let state = peer.simulation().map_or(state, |simulation| simulation.state());
        let is_over = self.has_left || peer.ended().is_some();
        StepReport { tick, state: if is_over { GameState::Terminated } else { state } }
    }

    fn view_into(&self, view: &mut View) {
        let peer = self.peer.borrow();
        let Some(simulation) = peer.simulation() else { return };
        simulation.view_into(view);
        view.is_fullscreen = self.is_fullscreen;
        for member in peer.members() {
            let player = member.seat.and_then(|seat| view.players.get_mut(seat as usize));
            let Some(player) = player else { continue };
            player.keys = member.is_self.then_some(0);
            if player.is_person() {
                player.name = member.name;
            } else {
                // The match says who plays the seat: its person has dropped out, or has yet to catch up.
                player.name = tr_with("{name} (AI)", &[("name", &member.name)]);
                player.played_by = PlayedBy::StandIn;
            }
        }
    }

    fn network_role(&self) -> NetworkRole {
        let members = self.peer.borrow().members();
        let is_host = members.iter().any(|member| member.is_self && member.is_host);
        if is_host { NetworkRole::Host } else { NetworkRole::Guest }
    }

    fn take_jump(&mut self) -> bool {
        std::mem::take(&mut self.has_jumped)
    }

    fn steps_per_second(&self) -> u32 {
        self.peer.borrow().simulation().map_or(60, |simulation| simulation.steps_per_second())
    }

    fn notice(&self) -> Option<Notice> {
        let sentence = self.peer.borrow().notice().or_else(|| self.said.as_ref().map(|(sentence, _)| sentence.clone()));
        sentence.map(Notice::foreign)
    }
}
