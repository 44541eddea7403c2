//! The handle of a running table: it sends requests to the table's task and holds what the task has
//! published.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, Ordering::Relaxed},
    },
};

use rules::{
    ByListener, Choices, Listener,
    chess::{ByColor, Color},
};
use store::{GameId, GameRecord, Millis, RequestId};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use wire::RefusalCode;

use crate::{
    account::Account,
    connections::Connections,
    error::ClubError,
    facts::{GameFacts, Standing},
    hearing::RequestAnswer,
    liveness::Liveness,
    players::Players,
    refusals::not_a_player,
    sync::lock,
    table::{Body, Examined, ListenerState, Request, Table},
};

/// What a listener may know now. The value changes only when the listener gets something. An event
/// that the listener does not hear leaves the value as it is, and wakes no task.
pub(crate) struct Published {
    pub(crate) state: ListenerState,
    pub(crate) standing: Standing,
    /// Whether the table's task has ended.
    pub(crate) closed: bool,
}

/// A request that waits for its answer.
pub(crate) struct Pending {
    pub(crate) request: Request,
    reply: oneshot::Sender<Result<RequestAnswer, ClubError>>,
}

impl Pending {
    pub(crate) fn answer(self, answer: Result<RequestAnswer, ClubError>) {
        // The requester may be gone. The row that answers the request is stored
        // anyway.
        let _gone = self.reply.send(answer);
    }
}

/// Capacity of the queue of one seat's requests. If the queue is full, a limited request (see
/// [`ListenerState::limited`]) is refused, and any other request waits.
const QUEUE_CAPACITY: usize = 16;

/// Time that stands for the end of every outage.
pub(crate) const EVERY_OUTAGE: Millis = Millis::MAX;

/// Handle of a running table. Other parts of the club use the table only through this handle.
pub(crate) struct Handle {
    pub(crate) record: GameRecord,
    pub(crate) players: Players,
    pub(crate) choices: Choices,
    pub(crate) connections: Connections,
    published: ByListener<watch::Sender<Published>>,
    /// One queue for each seat, so that a seat never waits for the other seat.
    queues: ByColor<mpsc::Sender<Pending>>,
    /// Accounts that have read as spectators at this table.
    watchers: Mutex<HashSet<store::AccountId>>,
    /// Whether the operator has ordered that the game ends.
    pub(crate) ends: AtomicBool,
    /// End of the last outage that the table has credited; [`EVERY_OUTAGE`] if none is waited for.
    credited: AtomicI64,
    /// Wakes the table's task: a request has come, a connection has changed, or the game ends.
    pub(crate) wake: Notify,
}

impl Handle {
    /// Records that the table has credited the outage that ended at `until`.
    pub(crate) fn set_credited(&self, until: Millis) {
        self.credited.store(until, Relaxed);
    }

    /// Whether the table has credited the outage that ended at `until`.
    pub(crate) fn has_credited(&self, until: Millis) -> bool {
        [until, EVERY_OUTAGE].contains(&self.credited.load(Relaxed))
    }

    /// Creates the handle of a table, and the receivers of its queues.
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
            players: Players::new(players),
            choices: *table.choices(),
            connections,
            published: states.map(publish),
            queues: ByColor { white, black },
            watchers: Mutex::default(),
            ends: AtomicBool::new(false),
            credited: AtomicI64::new(Millis::MIN),
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

    /// Returns the seat of a reader.
    pub(crate) fn seat(&self, reader: Option<store::AccountId>) -> Listener {
        self.record.seat(reader)
    }

    /// Returns the colour of a player.
    pub(crate) fn color(&self, reader: store::AccountId) -> Result<Color, ClubError> {
        self.seat(Some(reader)).color().ok_or_else(not_a_player)
    }

    /// Notes that an account reads as a spectator. Does nothing if the reader is a player, or is
    /// not signed in.
    pub(crate) fn note_watcher(&self, reader: Option<store::AccountId>) {
        if let (Some(reader), Listener::Room) = (reader, self.seat(reader)) {
            lock(&self.watchers).insert(reader);
        }
    }

    /// Whether an account has read as a spectator.
    pub(crate) fn has_watched(&self, account: store::AccountId) -> bool {
        lock(&self.watchers).contains(&account)
    }

    /// Returns what a listener may know now.
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
            players: (*self.players.get()).clone(),
            terms: self.record.terms.clone(),
            choices: self.choices,
            at: self.record.at,
            standing,
        }
    }

    /// Counts a connection of a player that begins or ends.
    pub(crate) fn count(&self, color: Color, here: bool) {
        self.connections.count(color, here);
        self.wake.notify_one();
    }

    /// Passes a request of a player to the table's task, and waits for the answer. If what the seat
    /// has heard is enough for the answer, gives it at once.
    pub(crate) async fn ask(
        &self,
        seat: Color,
        id: RequestId,
        body: Body,
    ) -> Result<RequestAnswer, ClubError> {
        let request = Request { seat, id, body };
        let limited = {
            let state = &self.published(seat.into()).borrow().state;
            match state.examine(&request)? {
                Examined::Answered(answer) => return Ok(answer),
                Examined::Admitted(asked) => state.limited(&asked).is_some(),
            }
        };
        let (reply, answer) = oneshot::channel();
        let queue = self.queues.get(seat);
        match queue.try_send(Pending { request, reply }) {
            Ok(()) => {}
            Err(mpsc::error::TrySendError::Closed(_)) => return Err(ClubError::closing()),
            Err(mpsc::error::TrySendError::Full(_)) if limited => {
                return Err(ClubError::new(
                    RefusalCode::TooMany,
                    "requests-unanswered",
                    "too many of your requests at this table are not answered yet: wait for the answers",
                ));
            }
            Err(mpsc::error::TrySendError::Full(pending)) => {
                let sent = queue.send(pending).await;
                sent.map_err(|_| ClubError::closing())?;
            }
        }
        self.wake.notify_one();
        answer.await.unwrap_or_else(|_| Err(ClubError::closing()))
    }

    /// Shows the new name of a player.
    pub(crate) fn see_player(&self, account: &Account) {
        if self.seat(Some(account.id)) != Listener::Room {
            self.players.see(account);
        }
    }

    /// Resigns for a player. Several calls with the same id resign only once.
    pub(crate) async fn resign(
        &self,
        player: store::AccountId,
        id: RequestId,
    ) -> Result<RequestAnswer, ClubError> {
        let seat = self.color(player)?;
        let text = "resign".to_owned();
        self.ask(seat, id, Body::Say { after: 0, text }).await
    }

    /// Whether an attempt of that seat is understood and is exempt from the limit on the number of
    /// attempts. The result depends only on what the seat has heard.
    pub(crate) fn is_unlimited(&self, request: &Request) -> bool {
        let published = self.published(request.seat.into()).borrow();
        match published.state.examine(request) {
            Ok(Examined::Admitted(asked)) => published.state.limited(&asked).is_none(),
            Ok(Examined::Answered(_)) | Err(_) => false,
        }
    }

    /// Whether a request with this id was answered before.
    pub(crate) fn is_repeat(&self, seat: Color, id: &RequestId) -> bool {
        let published = self.published(seat.into()).borrow();
        published.state.has_answered(id)
    }
}

/// Running tables by game.
pub(crate) type Tables = Mutex<HashMap<GameId, Arc<Handle>>>;
