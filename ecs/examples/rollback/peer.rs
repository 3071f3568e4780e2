//! One player of a match, for any game: a session of `ggrs` that keeps the inputs, an engine, and a ring of snapshots.

use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;
use std::time::Duration;

use ecs::Snapshot;
use ecs::prelude::*;
use ggrs::{
    Config, DesyncDetection, GgrsRequest, NonBlockingSocket, P2PSession, PlayerType, PredictRepeatLast, SessionBuilder,
    SessionState,
};

use super::line_watch::{LineWatch, Patience};

const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// The most frames that are predicted, and so taken again.
const MAX_PREDICTED: usize = 8;

/// The input of one player in one frame: a plain value, whose default is no input.
pub(crate) type Input = i8;

/// Resource: the inputs of this frame, by player.
#[derive(Clone, Default)]
pub(crate) struct Inputs(pub(crate) Vec<Input>);

/// Where another player is: whatever the socket takes, such as a `SocketAddr`.
pub(crate) trait Address: Clone + Eq + Hash + Debug + 'static {}

impl<A: Clone + Eq + Hash + Debug + 'static> Address for A {}

pub(crate) struct Match<A>(PhantomData<A>);

impl<A: Address> Config for Match<A> {
    type Input = Input;
    type InputPredictor = PredictRepeatLast;
    /// The snapshots stay with the peer.
    type State = ();
    type Address = A;
}

pub(crate) struct Peer<A: Address> {
    pub(crate) session: P2PSession<Match<A>>,
    pub(crate) player: usize,
    pub(crate) line: LineWatch<A>,
    engine: Engine,
    /// The states before the last frames, by the number of the frame.
    ring: Vec<Snapshot>,
    pub(crate) rollbacks: u32,
    pub(crate) most_taken_again: i32,
}

impl<A: Address> Peer<A> {
    /// Player number `player` of those at `addresses`. `engine` is the same for all players, and has no inputs yet.
    pub(crate) fn new(
        player: usize,
        addresses: &[A],
        mut engine: Engine,
        socket: impl NonBlockingSocket<A> + 'static,
        patience: Patience,
    ) -> Result<Self, Box<dyn Error>> {
        let players = addresses.len();
        // They are set before each frame, so that a snapshot leaves them out.
        engine.types_mut().leave_out_resource::<Inputs>();
        engine.insert_resource(Inputs(vec![0; players]));
        let mut builder = SessionBuilder::<Match<A>>::new()
            .with_num_players(players)?
            .with_max_prediction_window(MAX_PREDICTED)
            .with_desync_detection_mode(DesyncDetection::On { interval: 30 })
            .with_disconnect_notify_delay(patience.with_silence / 20)
            .with_disconnect_timeout(patience.with_silence)
            .with_input_delay(1);
        for (other, address) in addresses.iter().enumerate() {
            let role = if other == player { PlayerType::Local } else { PlayerType::Remote(address.clone()) };
            builder = builder.add_player(role, other)?;
        }
        Ok(Self {
            session: builder.start_p2p_session(socket)?,
            player,
            line: LineWatch::new(patience),
            engine,
            ring: (0..=MAX_PREDICTED).map(|_| Snapshot::new()).collect(),
            rollbacks: 0,
            most_taken_again: 0,
        })
    }

    /// One frame of the clock: what `ggrs` asks for is done in its order.
    ///
    /// # Errors
    /// A sentence that says why the match is over for this player.
    pub(crate) fn frame(&mut self, input: Input) -> Result<(), Box<dyn Error>> {
        self.session.poll_remote_clients();
        let frame = self.session.current_frame();
        self.session.events().try_for_each(|event| self.line.take(event, frame))?;
        let has_begun = self.session.current_state() == SessionState::Running;
        if !self.line.may_play(has_begun)? {
            return Ok(());
        }
        self.session.add_local_input(self.player, input)?;
        let now = self.session.current_frame();
        let places = self.ring.len();
        // Without the inputs of a silent player it asks for no frame beyond those that it predicts: the match stands
        // still.
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
        Ok(())
    }
}
