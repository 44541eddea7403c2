//! The stub of a running table: what doors ask of it, and what it has told.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
};

use rules::{
    Choices, Listener,
    chess::{ByColor, Color},
};
use store::GameRecord;
use tokio::sync::{Notify, Semaphore, SemaphorePermit, mpsc, oneshot, watch};

use crate::{
    Account, AccountId, GameId, Millis, RequestId,
    chair::{Again, Chair, place},
    club::Pulse,
    error::{ClubError, Code},
    facts::{GameFacts, Standing},
    hearing::Said,
    refusals::not_a_player,
    table::{Asked, Presence, Request, Table},
};

/// All that a listener was told. It changes when he is told something, and
/// not else: whoever waits for it wakes for nothing that he may not know.
#[derive(Clone, Debug)]
pub(crate) struct Spoken {
    pub(crate) chair: Chair,
    pub(crate) standing: Standing,
    /// The club has closed.
    pub(crate) closed: bool,
}

/// A request and where its answer goes.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) request: Request,
    pub(crate) reply: oneshot::Sender<Result<Said, ClubError>>,
    pub(crate) tries: u32,
}

/// Requests of one seat that may wait for one another.
const MOST_WAITING: usize = 16;

/// A running table, as the rest of the club sees it.
pub(crate) struct Handle {
    pub(crate) record: GameRecord,
    pub(crate) players: ByColor<Account>,
    pub(crate) choices: Choices,
    pulse: Arc<Pulse>,
    told: [watch::Sender<Spoken>; 3],
    asks: mpsc::Sender<Ask>,
    /// One request of a seat at a time; the seats do not wait for one another.
    turnstiles: ByColor<Semaphore>,
    waiting: ByColor<AtomicUsize>,
    connections: Mutex<Connections>,
    /// The most rows that a hint has told of.
    pub(crate) hinted: AtomicU32,
    /// Something is to be looked at: who is here, a hint.
    pub(crate) wake: Notify,
}

/// For so long it is not told that somebody has gone: a short reconnection does not show.
const GOING_SHOWS: Millis = 5_000;

/// Who is connected.
#[derive(Debug)]
struct Connections {
    count: ByColor<u32>,
    /// Who was here since this table was opened: his going shows late.
    came: ByColor<bool>,
    presence: Presence,
}

impl Handle {
    /// A stub for a table, and the other end of its queue.
    pub(crate) fn new(
        record: GameRecord,
        players: ByColor<Account>,
        table: &Table,
        next_made: bool,
        pulse: Arc<Pulse>,
    ) -> (Handle, mpsc::Receiver<Ask>) {
        let now = pulse.now();
        let presence = Presence {
            gone: ByColor::new_with(|_| Some(now)),
            others: pulse.has_others(),
        };
        let told = Listener::ALL.map(|listener| {
            watch::Sender::new(Spoken {
                chair: table.chairs()[place(listener)].clone(),
                standing: table.standing(listener, &presence).with_next(next_made),
                closed: false,
            })
        });
        let (asks, queue) = mpsc::channel(8);
        let handle = Handle {
            record,
            players,
            choices: *table.choices(),
            pulse,
            told,
            asks,
            turnstiles: ByColor::new_with(|_| Semaphore::new(1)),
            waiting: ByColor::default(),
            connections: Mutex::new(Connections {
                count: ByColor::default(),
                came: ByColor::default(),
                presence,
            }),
            hinted: AtomicU32::new(0),
            wake: Notify::new(),
        };
        (handle, queue)
    }

    pub(crate) fn id(&self) -> GameId {
        self.record.id
    }

    /// Where a reader sits.
    pub(crate) fn seat(&self, reader: Option<AccountId>) -> Listener {
        match reader {
            Some(id) if id == self.record.players.white => Listener::White,
            Some(id) if id == self.record.players.black => Listener::Black,
            Some(_) | None => Listener::Room,
        }
    }

    /// The colour of a player.
    pub(crate) fn color(&self, reader: AccountId) -> Result<Color, ClubError> {
        self.seat(Some(reader)).color().ok_or_else(not_a_player)
    }

    /// What a listener was told.
    pub(crate) fn told(&self, listener: Listener) -> &watch::Sender<Spoken> {
        &self.told[place(listener)]
    }

    /// Whether anybody listens.
    pub(crate) fn has_listeners(&self) -> bool {
        self.told.iter().any(|told| told.receiver_count() > 0)
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

    fn connections(&self) -> MutexGuard<'_, Connections> {
        // Every change is a single assignment or two, so it is whole.
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Who is here, as it is told: going shows late, coming at once.
    pub(crate) fn presence(&self) -> Presence {
        let now = self.pulse.now();
        let connections = self.connections();
        let mut presence = connections.presence;
        presence.others = self.pulse.has_others();
        let back = self.pulse.outage().map(|outage| outage.until);
        for color in Color::ALL {
            let gone = presence.gone.get_mut(color);
            // Nobody could come while the club did not run.
            *gone = gone.map(|since| back.map_or(since, |back| since.max(back)));
            let shows = |since: &Millis| *since + GOING_SHOWS <= now;
            if *connections.came.get(color) {
                *gone = gone.filter(shows);
            }
        }
        presence
    }

    /// In how many milliseconds a going will show that does not yet.
    pub(crate) fn going_shows_in(&self) -> Option<u64> {
        let now = self.pulse.now();
        let connections = self.connections();
        let all = Color::ALL.into_iter();
        let going = all.filter(|color| *connections.came.get(*color));
        let at = going.filter_map(|color| *connections.presence.gone.get(color));
        let back = self
            .pulse
            .outage()
            .map_or(Millis::MIN, |outage| outage.until);
        at.map(|since| since.max(back) + GOING_SHOWS)
            .filter(|at| *at > now)
            .min()
            .map(|at| until(at, now))
    }

    fn count(&self, color: Color, here: bool) {
        let mut connections = self.connections();
        let count = connections.count.get_mut(color);
        *count = if here {
            count.saturating_add(1)
        } else {
            count.saturating_sub(1)
        };
        let gone = *count == 0;
        *connections.came.get_mut(color) = true;
        let since = connections.presence.gone.get_mut(color);
        *since = match (gone, *since) {
            (true, None) => Some(self.pulse.now()),
            (true, since) => since,
            (false, _) => None,
        };
        drop(connections);
        self.wake.notify_one();
    }

    /// A player speaks to the referee.
    ///
    /// What his own hearings decide is answered here, by the seat's own task:
    /// nothing that the other seat does can delay it.
    pub(crate) async fn say(
        &self,
        seat: Color,
        id: RequestId,
        after: u32,
        text: &str,
    ) -> Result<Said, ClubError> {
        match self.look(seat, &id, after, text) {
            Look::Settled(answer) => return answer,
            Look::Ask(_) => {}
        }
        let _turn = self.turn(seat).await?;
        // Something may have been heard meanwhile.
        let attempt = match self.look(seat, &id, after, text) {
            Look::Settled(answer) => return answer,
            Look::Ask(attempt) => attempt,
        };
        let request = Request {
            seat,
            id,
            after,
            asked: Asked::Attempt(attempt),
        };
        self.ask(request).await
    }

    /// What a seat's own hearings say of an attempt.
    fn look(&self, seat: Color, id: &RequestId, after: u32, text: &str) -> Look {
        let told = self.told(seat.into()).borrow();
        let chair = &told.chair;
        if let Some(answer) = chair.repeated(id, &Again::Text(text)) {
            return Look::Settled(answer);
        }
        match chair.read(text) {
            Err(error) => Look::Settled(Err(error)),
            // He has heard more than this club knows of: another serves him too.
            Ok(attempt) if after > chair.n() => Look::Ask(attempt),
            Ok(attempt) => match chair.admit(after, attempt) {
                Ok(()) => Look::Ask(attempt),
                Err(error) => Look::Settled(Err(error)),
            },
        }
    }

    /// A player does something at the table.
    pub(crate) async fn act(
        &self,
        seat: Color,
        id: RequestId,
        asked: Asked,
    ) -> Result<Said, ClubError> {
        let _turn = self.turn(seat).await?;
        let again = Again::Asked(&asked);
        let repeated = self.told(seat.into()).borrow().chair.repeated(&id, &again);
        if let Some(answer) = repeated {
            return answer;
        }
        let request = Request {
            seat,
            id,
            after: 0,
            asked,
        };
        self.ask(request).await
    }

    /// Whether a request of that id was answered before.
    pub(crate) fn is_repeat(&self, seat: Color, id: &RequestId) -> bool {
        self.told(seat.into()).borrow().chair.has_answered(id)
    }

    async fn turn(&self, seat: Color) -> Result<SemaphorePermit<'_>, ClubError> {
        let waiting = self.waiting.get(seat);
        if waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
            waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(too_many());
        }
        let _leaves = Leaves(waiting);
        self.turnstiles
            .get(seat)
            .acquire()
            .await
            .map_err(|_| ClubError::closing())
    }

    async fn ask(&self, request: Request) -> Result<Said, ClubError> {
        let (reply, answer) = oneshot::channel();
        let ask = Ask {
            request,
            reply,
            tries: 0,
        };
        if self.asks.send(ask).await.is_err() {
            return Err(ClubError::closing());
        }
        answer.await.unwrap_or_else(|_| Err(ClubError::closing()))
    }
}

/// Leaves a queue, also when the wait is broken off.
struct Leaves<'a>(&'a AtomicUsize);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(crate) fn too_many() -> ClubError {
    ClubError::new(
        Code::TooMany,
        "too many of your requests wait at this table: wait for their answers",
    )
}

enum Look {
    Settled(Result<Said, ClubError>),
    Ask(rules::Attempt),
}

/// A connection of a player, or of somebody in the room.
pub(crate) struct Connected {
    handle: Arc<Handle>,
    color: Option<Color>,
}

impl Connected {
    /// `here`: whether it counts as presence.
    pub(crate) fn new(handle: Arc<Handle>, listener: Listener, here: bool) -> Connected {
        let color = listener.color().filter(|_| here);
        match color {
            Some(color) => handle.count(color, true),
            None => handle.wake.notify_one(),
        }
        Connected { handle, color }
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        if let Some(color) = self.color {
            self.handle.count(color, false);
        }
    }
}

/// The tables that are live, by game.
pub(crate) type Tables = Mutex<HashMap<GameId, Arc<Handle>>>;

/// How long ago is told in milliseconds; a wait is never negative.
pub(crate) fn until(at: Millis, now: Millis) -> u64 {
    u64::try_from(at.saturating_sub(now)).unwrap_or(0)
}
