//! The stub of a running table: what doors ask of it, and what it has published.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, atomic::AtomicU32},
};

use rules::{
    ByListener, Choices, Listener,
    chess::{ByColor, Color},
};
use store::{GameId, GameRecord, RequestId};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::{
    account::Account,
    connections::Connections,
    error::{ClubError, Code},
    facts::{GameFacts, Standing},
    hearing::RequestAnswer,
    liveness::Liveness,
    refusals::not_a_player,
    table::{Asked, Body, Examined, ListenerState, Request, Table},
};

/// All that a listener was told. It changes only when the listener is told something:
/// a task that waits for it never wakes for what the listener may not know.
pub(crate) struct Published {
    pub(crate) state: ListenerState,
    pub(crate) standing: Standing,
    /// The club has closed.
    pub(crate) closed: bool,
}

/// A request that waits for its answer.
pub(crate) struct Pending {
    pub(crate) request: Request,
    /// Its content, as understood at that version of the seat's state.
    pub(crate) admitted: Option<(u32, Asked)>,
    reply: oneshot::Sender<Result<RequestAnswer, ClubError>>,
    /// Number of times that the table has taken it up.
    pub(crate) rounds: u32,
}

impl Pending {
    pub(crate) fn answer(self, answer: Result<RequestAnswer, ClubError>) {
        // The requester may be gone; a row that answers stands all the same.
        let _gone = self.reply.send(answer);
    }
}

/// Requests of one seat that may wait for one another.
const QUEUE_CAPACITY: usize = 16;

/// A running table, as the rest of the club sees it.
pub(crate) struct Handle {
    pub(crate) record: GameRecord,
    pub(crate) players: ByColor<Account>,
    pub(crate) choices: Choices,
    pub(crate) connections: Connections,
    published: ByListener<watch::Sender<Published>>,
    /// The seats do not wait for one another.
    queues: ByColor<mpsc::Sender<Pending>>,
    /// The most rows that a hint has told of.
    pub(crate) hinted: AtomicU32,
    /// Something is to be looked at: who is here, a hint.
    pub(crate) wake: Notify,
}

impl Handle {
    /// A stub for a table, and the other ends of its queues.
    pub(crate) fn new(
        record: GameRecord,
        players: ByColor<Account>,
        (table, states): (&Table, ByListener<ListenerState>),
        next_made: bool,
        liveness: Arc<Liveness>,
    ) -> (Handle, ByColor<mpsc::Receiver<Pending>>) {
        let ahead = table.time_ahead(liveness.now());
        let connections = Connections::new(liveness);
        let presence = connections.presence();
        let publish = |listener, state| {
            watch::Sender::new(Published {
                state,
                standing: table
                    .standing_behind(listener, presence, ahead)
                    .with_next(next_made),
                closed: false,
            })
        };
        let (white, white_queue) = mpsc::channel(QUEUE_CAPACITY);
        let (black, black_queue) = mpsc::channel(QUEUE_CAPACITY);
        let handle = Handle {
            record,
            players,
            choices: *table.choices(),
            connections,
            published: states.map(publish),
            queues: ByColor { white, black },
            hinted: AtomicU32::new(0),
            wake: Notify::new(),
        };
        let queues = ByColor {
            white: white_queue,
            black: black_queue,
        };
        (handle, queues)
    }

    pub(crate) fn id(&self) -> GameId {
        self.record.id
    }

    /// Returns a reader's seat.
    pub(crate) fn seat(&self, reader: Option<store::AccountId>) -> Listener {
        self.record.seat(reader)
    }

    /// The colour of a player.
    pub(crate) fn color(&self, reader: store::AccountId) -> Result<Color, ClubError> {
        self.seat(Some(reader)).color().ok_or_else(not_a_player)
    }

    /// Returns all that a listener was told.
    pub(crate) fn published(&self, listener: Listener) -> &watch::Sender<Published> {
        self.published.get(listener)
    }

    /// Whether anybody listens.
    pub(crate) fn has_listeners(&self) -> bool {
        let published = Listener::ALL.map(|listener| self.published(listener));
        published.iter().any(|of| of.receiver_count() > 0)
    }

    pub(crate) fn facts(&self, listener: Listener, standing: Standing) -> GameFacts {
        GameFacts {
            id: self.id(),
            seat: listener,
            players: self.players.clone(),
            terms: self.record.terms.clone(),
            choices: self.choices,
            at: self.record.at,
            standing,
        }
    }

    /// A connection of a player comes or goes.
    pub(crate) fn count(&self, color: Color, here: bool) {
        self.connections.count(color, here);
        self.wake.notify_one();
    }

    /// A player asks for something.
    ///
    /// A request that the seat's own hearings decide is answered here, by the seat's own
    /// task: nothing that the other seat does can delay it.
    pub(crate) async fn ask(
        &self,
        seat: Color,
        id: RequestId,
        body: Body,
    ) -> Result<RequestAnswer, ClubError> {
        let request = Request { seat, id, body };
        let admitted = {
            let published = self.published(seat.into()).borrow();
            match published.state.examine(&request)? {
                Examined::Answered(said) => return Ok(said),
                Examined::Admitted(asked) => Some((published.state.version(), asked)),
                Examined::Ahead(_) => None,
            }
        };
        let (reply, answer) = oneshot::channel();
        let pending = Pending {
            request,
            admitted,
            reply,
            rounds: 0,
        };
        self.queues
            .get(seat)
            .try_send(pending)
            .map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => ClubError::new(
                    Code::TooMany,
                    "too many of your requests wait at this table: wait for their answers",
                ),
                mpsc::error::TrySendError::Closed(_) => ClubError::closing(),
            })?;
        answer.await.unwrap_or_else(|_| Err(ClubError::closing()))
    }

    /// Whether a request of that id was answered before.
    pub(crate) fn is_repeat(&self, seat: Color, id: &RequestId) -> bool {
        let published = self.published(seat.into()).borrow();
        published.state.has_answered(id)
    }
}

/// The tables that are live, by game.
pub(crate) type Tables = Mutex<HashMap<GameId, Arc<Handle>>>;
