//! Rollback over a network by `ggrs`: two engines play one match, each ahead of the other's inputs, over a line that delays and
//! loses them. Prints how often each went back; `ggrs` compares the hashes of their states every 30 frames.
//!
//! `cargo run -p lockstep_ecs --example rollback`
//!
//! To play over UDP, replace `Line` by `ggrs::UdpNonBlockingSocket`, and call `Peer::frame` sixty times a second. `Peer` holds all
//! that a game needs: a session that keeps the inputs, an engine, and a ring of snapshots.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::error::Error;
use std::rc::Rc;
use std::time::Duration;

use ecs::Snapshot;
use ecs::prelude::*;
use ecs::snapshot::{StableHash, StateHasher};
use ecs::system::Timing;
use ggrs::{
    Config, DesyncDetection, GgrsEvent, GgrsRequest, Message, NonBlockingSocket, P2PSession, PlayerType,
    PredictRepeatLast, SessionBuilder, SessionState,
};

const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// The most frames that are predicted, and so taken again.
const MOST_PREDICTED: usize = 8;
/// Frames of a message on its way.
const DELAY: u64 = 4;
const FRAMES: u64 = 600;

/// The input of one player in one frame: a plain value, whose default is no input.
type Input = i8;

// --- the game ---

#[derive(Clone, Copy)]
struct Runner {
    player: usize,
    place_m: f32,
}

impl StableHash for Runner {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&(self.player as u64)).add(&self.place_m);
    }
}

/// Resource: the inputs of this frame, by player.
#[derive(Clone, Default)]
struct Inputs(Vec<Input>);

fn run(time: Time, inputs: Res<Inputs>, mut runners: Query<&mut Runner>) {
    for runner in &mut runners {
        runner.place_m += f32::from(inputs.0[runner.player]) * time.delta_seconds();
    }
}

fn game(players: usize) -> Result<Engine, ecs::Error> {
    let mut engine = Engine::new();
    engine.add_function(Timing::every_frame(), run)?;
    // What a snapshot holds has a name. The inputs are set before each frame, so they are left out.
    engine.types_mut().component::<Runner>("runner")?.leave_out_resource::<Inputs>();
    engine.insert_resource(Inputs(vec![0; players]));
    engine.spawn_many((0..players).map(|player| (Runner { player, place_m: 0.0 },)));
    Ok(engine)
}

// --- rollback, for any game ---

struct Match;

impl Config for Match {
    type Input = Input;
    type InputPredictor = PredictRepeatLast;
    /// The snapshots stay with the peer.
    type State = ();
    type Address = usize;
}

struct Peer {
    session: P2PSession<Match>,
    player: usize,
    engine: Engine,
    /// The states before the last frames, by the number of the frame.
    ring: Vec<Snapshot>,
    rollbacks: u32,
    most_taken_again: i32,
}

impl Peer {
    fn new(
        player: usize,
        players: usize,
        socket: impl NonBlockingSocket<usize> + 'static,
    ) -> Result<Self, Box<dyn Error>> {
        let mut builder = SessionBuilder::<Match>::new()
            .with_num_players(players)?
            .with_max_prediction_window(MOST_PREDICTED)
            .with_desync_detection_mode(DesyncDetection::On { interval: 30 })
            .with_input_delay(1);
        for other in 0..players {
            let role = if other == player { PlayerType::Local } else { PlayerType::Remote(other) };
            builder = builder.add_player(role, other)?;
        }
        Ok(Self {
            session: builder.start_p2p_session(socket)?,
            player,
            engine: game(players)?,
            ring: (0..=MOST_PREDICTED).map(|_| Snapshot::new()).collect(),
            rollbacks: 0,
            most_taken_again: 0,
        })
    }

    /// One frame of the clock: what `ggrs` asks for is done in its order.
    fn frame(&mut self, input: Input) -> Result<(), Box<dyn Error>> {
        self.session.poll_remote_clients();
        if self.session.current_state() != SessionState::Running {
            return Ok(());
        }
        self.session.add_local_input(self.player, input)?;
        let now = self.session.current_frame();
        let places = self.ring.len();
        for request in self.session.advance_frame()? {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    self.engine.snapshot_into(&mut self.ring[frame as usize % places])?;
                    let hash = self.engine.state_hash()?.whole;
                    cell.save(frame, Some(()), Some(hash.into()));
                }
                GgrsRequest::LoadGameState { frame, .. } => {
                    self.engine.restore(&self.ring[frame as usize % places])?;
                    self.rollbacks += 1;
                    self.most_taken_again = self.most_taken_again.max(now - frame);
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    let inputs = inputs.into_iter().map(|(input, _)| input).collect();
                    self.engine.insert_resource(Inputs(inputs));
                    self.engine.update(FRAME)?;
                }
            }
        }
        for event in self.session.events() {
            if let GgrsEvent::DesyncDetected { frame, .. } = event {
                return Err(format!("the states differ at frame {frame}").into());
            }
        }
        Ok(())
    }
}

// --- a bad line, in place of a network ---

#[derive(Default)]
struct Wire {
    frame: u64,
    sent: u64,
    loses: bool,
    /// By receiver: when a message arrives, its sender, and itself.
    on_their_way: [VecDeque<(u64, usize, Message)>; 2],
}

struct Line {
    own: usize,
    wire: Rc<RefCell<Wire>>,
}

impl NonBlockingSocket<usize> for Line {
    fn send_to(&mut self, message: &Message, to: &usize) {
        let mut wire = self.wire.borrow_mut();
        wire.sent += 1;
        let is_lost = wire.loses && wire.sent.is_multiple_of(7);
        let arrival = wire.frame + DELAY;
        if !is_lost {
            wire.on_their_way[*to].push_back((arrival, self.own, message.clone()));
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        let mut wire = self.wire.borrow_mut();
        let now = wire.frame;
        let count = wire.on_their_way[self.own].partition_point(|(arrival, ..)| *arrival <= now);
        wire.on_their_way[self.own].drain(..count).map(|(_, from, message)| (from, message)).collect()
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let wire = Rc::<RefCell<Wire>>::default();
    let line = |own| Line { own, wire: Rc::clone(&wire) };
    let mut peers = [Peer::new(0, 2, line(0))?, Peer::new(1, 2, line(1))?];
    // The handshake of `ggrs` repeats what is lost by the wall clock, which this example does not wait for.
    while peers.iter().any(|peer| peer.session.current_frame() == 0) {
        wire.borrow_mut().frame += 1;
        peers.iter_mut().try_for_each(|peer| peer.frame(0))?;
    }
    wire.borrow_mut().loses = true;
    for frame in 0..FRAMES {
        wire.borrow_mut().frame += 1;
        // Each player presses something else now and then.
        let inputs = [(frame / 10 % 5) as Input - 2, (frame / 7 % 3) as Input - 1];
        for (peer, input) in peers.iter_mut().zip(inputs) {
            peer.frame(input)?;
        }
    }
    for Peer { player, session, rollbacks, most_taken_again, .. } in &peers {
        let frame = session.current_frame();
        println!(
            "player {player} is at frame {frame}; it went back {rollbacks} times, by {most_taken_again} frames at most"
        );
        assert!(*rollbacks > 0 && frame > FRAMES as i32 / 2);
    }
    Ok(())
}
