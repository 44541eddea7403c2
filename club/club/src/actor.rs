//! The task of a running table, the only writer of the game's log:
//!
//! ```text
//! receive -> examine -> judge -> apply to `head` -> append
//! row is durable -> apply to `heard` -> publish -> answer
//! ```

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Weak, atomic::Ordering::Relaxed},
    time::Duration,
};

use futures_util::{
    StreamExt,
    future::BoxFuture,
    stream::{FuturesOrdered, FuturesUnordered},
};
use limits::Bucket;
use rules::{
    Calls, Listener,
    chess::{ByColor, Color},
};
use store::{AccountKind, AppendError, Millis, Row, StoreError};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until},
};
use wire::{GameStatus, RefusalCode};

use crate::{
    error::{ClubError, store_words},
    facts::Standing,
    handle::{EVERY_OUTAGE, Handle, Pending},
    hearing::RequestAnswer,
    inner::{EndReason, Inner, Life},
    notices::AwayKind,
    refusals::nothing_new,
    sync::lock,
    table::{Circumstances, Examined, Idle, Judgement, Table},
};

/// Longest sleep of the task. The table of a finished game is removed from memory if nobody has
/// used the table for this time.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// Delay before the club's own rows are appended again, or the log is read again, after a failure.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(1);
/// Number of a seat's requests of one kind that bring nothing new within [`REQUESTS_SPAN`].
const REQUESTS: u32 = 40;
const REQUESTS_SPAN: Duration = Duration::from_secs(200);
/// While the ownership is overdue, a deadline is checked again at this interval, in milliseconds.
const OVERDUE_POLL: Millis = 50;

/// Rows of one append that are judged and not yet durable.
struct InFlight {
    rows: Vec<(Row, Calls)>,
    /// Request that the row answers; `None` for rows of the club itself.
    request: Option<Pending>,
    /// Requests that are refused because of this row or of earlier rows in flight.
    refused: Vec<(Pending, ClubError)>,
}

/// Result of a call of the store that is not an append.
enum StoreReply {
    /// The log, from the last row of `heard` on.
    Log(Result<Vec<Row>, StoreError>),
    /// The game of an agreed rematch is created.
    NextMade(Result<(), ClubError>),
}

/// A running table. The task never waits for the store, so a request of one seat never delays the
/// other seat.
pub(crate) struct Actor {
    handle: Arc<Handle>,
    club: Weak<Inner>,
    life: watch::Receiver<Life>,
    /// The table with all judged rows.
    head: Table,
    /// The table with the durable rows. Everything that anybody gets comes from it.
    heard: Table,
    /// How far the table's time is ahead of the club's time, in milliseconds; see
    /// [`Table::time_ahead`].
    ahead: Millis,
    queues: ByColor<mpsc::Receiver<Pending>>,
    /// Limits on requests of the seats that bring nothing new, such as repeated tries, by kind. They
    /// are the same for all connections and doors, and requests at one table change nothing at others.
    allowances: HashMap<(Color, Idle), Bucket>,
    /// Rows of `head` that `heard` does not have, and their appends.
    in_flight: VecDeque<InFlight>,
    appends: FuturesOrdered<BoxFuture<'static, Result<(), AppendError>>>,
    /// At most one other call of the store.
    call: FuturesUnordered<BoxFuture<'static, StoreReply>>,
    /// Why it is not known which rows in flight are stored. The log must be read.
    unknown: Option<StoreError>,
    retry_at: Option<Instant>,
    /// Whether the game of an agreed rematch exists, and the requests that wait for it.
    next_made: bool,
    await_next: Vec<(Pending, RequestAnswer)>,
    /// The seat whose turn was noticed last; `None` at a new game, which has only been opened.
    noticed: Option<Color>,
    last_used: Instant,
}

impl Actor {
    pub(crate) fn new(
        handle: Arc<Handle>,
        club: &Arc<Inner>,
        table: Table,
        queues: ByColor<mpsc::Receiver<Pending>>,
        next_made: bool,
    ) -> Actor {
        Actor {
            handle,
            club: Arc::downgrade(club),
            life: club.life.subscribe(),
            ahead: table.time_ahead(club.time.now()),
            noticed: table.turn().filter(|_| table.rows() > 1),
            head: table.clone(),
            heard: table,
            queues,
            allowances: HashMap::new(),
            in_flight: VecDeque::new(),
            appends: FuturesOrdered::new(),
            call: FuturesUnordered::new(),
            unknown: None,
            retry_at: None,
            next_made,
            await_next: Vec::new(),
            last_used: Instant::now(),
        }
    }

    /// Runs until the club closes, or until the game is over and nobody needs the table any more.
    pub(crate) async fn run(mut self) {
        let _cleanup = Cleanup {
            handle: Arc::clone(&self.handle),
            club: self.club.clone(),
        };
        while !self.look_around() {
            let wake_at = self.wake_at();
            tokio::select! {
                Some(appended) = self.appends.next() => self.take_appended(appended),
                Some(reply) = self.call.next() => self.take_reply(reply),
                () = self.handle.wake.notified() => {}
                changed = self.life.changed() => {
                    if changed.is_err() {
                        break;
                    }
                }
                () = sleep_until(wake_at) => {}
            }
        }
    }

    /// Returns the table's time. It is the club's time, unless rows were recorded while the wall
    /// clock was ahead.
    fn now(&self, club: &Inner) -> Millis {
        club.time.now().saturating_add(self.ahead)
    }

    /// Does everything that can be done now. Returns true if the task must end.
    fn look_around(&mut self) -> bool {
        let Some(club) = self.club.upgrade() else {
            return true;
        };
        let now = self.now(&club);
        self.publish_standings();
        self.publish_played(&club, now);
        self.retry_at = self.retry_at.filter(|at| *at > Instant::now());
        if *self.life.borrow() != Life::Open {
            return self.close(&club, now);
        }
        if let Some(ended) = club.ended() {
            self.refuse_all(&ended.error());
        } else if self.unknown.is_some() {
            self.read_log(&club);
        } else if club.liveness.is_overdue() {
            // After a stop of the process, requests wait for the next renewal.
            if let Some(error) = club.liveness.failure() {
                self.refuse_all(&unavailable(&error));
            }
        } else {
            self.make_next_game(&club);
            let outage = club.liveness.last_outage();
            let is_due = self.do_duties(&club, now);
            if let Some(outage) = outage
                && !is_due
                && self.in_flight.is_empty()
            {
                self.handle.set_credited(outage.until);
            }
            for seat in Color::ALL {
                if !is_due {
                    self.make_conditional_tries(&club, seat, now);
                }
                while !is_due
                    && self.is_free(seat)
                    && let Ok(pending) = self.queues.get_mut(seat).try_recv()
                {
                    self.serve(&club, pending, now);
                }
            }
            self.notice_turn(&club);
        }
        self.is_idle(&club)
    }

    /// Whether the seat's next request can be served: one request of a seat is in flight at a time.
    fn is_free(&self, seat: Color) -> bool {
        let is_of_seat = |pending: &Pending| pending.request.seat == seat;
        let waits = |of: &InFlight| {
            of.request.as_ref().is_some_and(is_of_seat)
                || of.refused.iter().any(|(pending, _)| is_of_seat(pending))
        };
        !self.awaits_next() && !self.in_flight.iter().any(waits)
    }

    /// Examines and judges a request.
    fn serve(&mut self, club: &Inner, pending: Pending, now: Millis) {
        self.last_used = Instant::now();
        let (seat, id) = (pending.request.seat, pending.request.id.clone());
        let (asked, limited) = {
            let state = &self.handle.published(seat.into()).borrow().state;
            match state.examine(&pending.request) {
                Ok(Examined::Admitted(asked)) => {
                    let limited = state.limited(&asked);
                    (asked, limited)
                }
                Ok(Examined::Answered(answer)) => return pending.answer(Ok(answer)),
                Err(error) => return pending.answer(Err(error)),
            }
        };
        if let Some(kind) = limited {
            let full = Bucket::new(REQUESTS, REQUESTS_SPAN);
            let allowance = self.allowances.entry((seat, kind)).or_insert(full);
            if let Err(wait) = allowance.take(1.0) {
                return pending.answer(Err(nothing_new(wait)));
            }
        }
        let circumstances = Circumstances {
            now,
            presence: self.handle.connections.presence().later_by(self.ahead),
            next_game: club.draw_game_id(),
        };
        let judge = |table: &Table| table.judge(seat, &id, asked.clone(), &circumstances);
        match judge(&self.head) {
            Ok(judgement) => self.append(club, Some(pending), judgement),
            // The refusal may reveal a row in flight, so it waits for this row.
            Err(error) => match (judge(&self.heard), self.in_flight.back_mut()) {
                (Ok(_), Some(last)) => last.refused.push((pending, error)),
                (heard, _) => pending.answer(Err(heard.err().unwrap_or(error))),
            },
        }
    }

    /// Makes the tries that a seat makes in advance, as soon as the seat has heard that it is its
    /// turn. All rows of the turn are one append, so that its time does not tell how many they are.
    fn make_conditional_tries(&mut self, club: &Inner, seat: Color, now: Millis) {
        if self.retry_at.is_none()
            && self.is_free(seat)
            && self.heard.to_move() == Some(seat)
            && let Some(first) = self.head.judge_conditional(seat, now)
        {
            self.append_all(club, None, first, |head| head.judge_conditional(seat, now));
        }
    }

    /// Notifies the player whose turn has come, unless a row in flight ends it: a try made in advance.
    fn notice_turn(&mut self, club: &Inner) {
        let turn = self.heard.turn();
        if turn == self.noticed {
            return;
        }
        let free = |seat: &Color| self.head.to_move() == Some(*seat) && self.is_free(*seat);
        self.noticed = turn.filter(free).filter(|_| self.retry_at.is_none());
        if let Some(seat) = self.noticed {
            club.notify_seat(&self.handle, seat, AwayKind::Turn);
        }
    }

    /// Applies a judgement to `head`, and appends its row to the log.
    fn append(&mut self, club: &Inner, request: Option<Pending>, judgement: Judgement) {
        self.append_all(club, request, judgement, |_| None);
    }

    /// Applies a judgement and those that follow it according to `next` to `head`, and appends all
    /// rows to the log at once.
    fn append_all(
        &mut self,
        club: &Inner,
        request: Option<Pending>,
        first: Judgement,
        next: impl Fn(&Table) -> Option<Judgement>,
    ) {
        let expected = self.head.expected(club.fence);
        let (mut new, mut rows, mut over) = (Vec::new(), Vec::new(), None);
        let mut judged = Some(first);
        while let Some(judgement) = judged {
            over = over.or(judgement.over());
            let Judgement { row, calls } = judgement;
            let judged_row = Row {
                seq: self.head.rows(),
                at: row.at,
                act: row.act.clone(),
                request: row.request.clone(),
            };
            self.head.apply(&judged_row, &calls);
            new.push(row);
            rows.push((judged_row, calls));
            judged = next(&self.head);
        }
        let (store, game) = (Arc::clone(&club.store), self.handle.id());
        self.appends.push_back(Box::pin(async move {
            store.append(game, expected, &new, over).await
        }));
        self.in_flight.push_back(InFlight {
            rows,
            request,
            refused: Vec::new(),
        });
    }

    /// Takes the result of the first append in flight.
    fn take_appended(&mut self, appended: Result<(), AppendError>) {
        match appended {
            Err(AppendError::Store(StoreError::Fenced)) => self.end(EndReason::Fenced),
            // The log will show whether the row is stored.
            _ if self.unknown.is_some() => {}
            Ok(()) => {
                let Some(durable) = self.in_flight.pop_front() else {
                    return;
                };
                let mut answer = None;
                for (row, calls) in &durable.rows {
                    answer = answer.or(self.hear(row, calls));
                }
                if let (Some(pending), Some(answer)) = (durable.request, answer) {
                    self.answer(pending, answer);
                }
                for (pending, error) in durable.refused {
                    pending.answer(Err(error));
                }
            }
            Err(AppendError::Store(error @ StoreError::NoAnswer(_))) => self.unknown = Some(error),
            Err(AppendError::Conflict) => {
                let game = self.handle.id();
                let why = format!("game {game}: no row can be appended to its log");
                // The club must not wait for a credit that cannot be stored.
                self.handle.set_credited(EVERY_OUTAGE);
                self.unknown = Some(StoreError::Damaged(why));
            }
            Err(AppendError::Store(error)) => self.reset(&error),
        }
    }

    /// Forgets the rows in flight, and refuses their requests.
    fn reset(&mut self, error: &StoreError) {
        self.appends = FuturesOrdered::new();
        self.head = self.heard.clone();
        self.retry_at = Some(Instant::now() + STORE_RETRY_DELAY);
        for lost in self.in_flight.drain(..) {
            let refused = lost.refused.into_iter().map(|(pending, _)| pending);
            for pending in lost.request.into_iter().chain(refused) {
                pending.answer(Err(unavailable(error)));
            }
        }
    }

    /// Reads the log, to find out which rows in flight are stored.
    fn read_log(&mut self, club: &Inner) {
        if self.appends.is_empty() && self.call.is_empty() && self.retry_at.is_none() {
            let (store, game) = (Arc::clone(&club.store), self.handle.id());
            // The last known row is read again, to find out whether the store still has it.
            let from = self.heard.rows().saturating_sub(1);
            let read = async move { StoreReply::Log(store.rows(game, from).await) };
            self.call.push(Box::pin(read));
        }
    }

    fn take_reply(&mut self, reply: StoreReply) {
        match reply {
            StoreReply::Log(Ok(rows)) if self.heard.ends_with(rows.first()) => {
                let error = self.unknown.take();
                for row in rows.get(1..).unwrap_or_default() {
                    let answer = self.hear(row, &self.heard.calls(row));
                    let is_answered = |pending: &mut Pending| {
                        let Pending { request, .. } = pending;
                        row.request.as_ref() == Some(&(request.seat, request.id.clone()))
                    };
                    let mut requests = self.in_flight.iter_mut().map(|of| &mut of.request);
                    let pending = requests.find_map(|request| request.take_if(is_answered));
                    if let (Some(pending), Some(answer)) = (pending, answer) {
                        self.answer(pending, answer);
                    }
                }
                if let Some(error) = error {
                    self.reset(&error);
                }
            }
            StoreReply::Log(Ok(_) | Err(StoreError::Absent)) => self.end(EndReason::RowsLost),
            StoreReply::Log(Err(error)) => {
                self.reset(&error);
                self.refuse_all(&unavailable(&error));
            }
            StoreReply::NextMade(Ok(())) => {
                self.next_made = true;
                for (pending, answer) in self.await_next.drain(..) {
                    pending.answer(Ok(answer));
                }
            }
            StoreReply::NextMade(Err(_)) => {
                self.retry_at = Some(Instant::now() + STORE_RETRY_DELAY);
            }
        }
    }

    fn end(&mut self, ended: EndReason) {
        if let Some(club) = self.club.upgrade() {
            club.end(ended);
        }
        self.reset(&StoreError::NoAnswer(String::new()));
    }

    /// Answers a request whose row is durable. The answer to an agreed rematch waits for the game.
    fn answer(&mut self, pending: Pending, answer: RequestAnswer) {
        if self.awaits_next() {
            self.await_next.push((pending, answer));
        } else {
            pending.answer(Ok(answer));
        }
    }

    /// Updates `heard` with a durable row, and publishes what each listener hears. If the row
    /// answers a request, returns the answer.
    fn hear(&mut self, row: &Row, calls: &Calls) -> Option<RequestAnswer> {
        let before = self.heard.status();
        let by = row.request.as_ref().map(|(seat, _)| *seat);
        let mut answer = None;
        for (listener, update) in self.heard.apply(row, calls) {
            if update.is_empty() {
                continue;
            }
            let standing = self.standing(listener);
            self.handle.published(listener).send_modify(|published| {
                let said = published.state.take(update);
                published.standing = standing;
                if by.is_some() && listener.color() == by {
                    answer = said;
                }
            });
        }
        if self.heard.status() != before
            && let Some(club) = self.club.upgrade()
        {
            lock(&club.listed).set_status(self.handle.id(), self.heard.status());
            club.notify_lobby();
        }
        self.publish_standings();
        answer
    }

    /// Appends every row that the club itself must append before any request is judged: a credit of
    /// lost time, an end that the operator has ordered, a flag fall, an abort because of a missed
    /// deadline, or the end of a game against a built-in bot whose opponent is absent. Returns whether such a row is left.
    fn do_duties(&mut self, club: &Inner, now: Millis) -> bool {
        while let Some(duty) = self.duty(club, now) {
            if self.retry_at.is_some() {
                return true;
            }
            self.append(club, None, duty);
        }
        false
    }

    fn duty(&self, club: &Inner, now: Millis) -> Option<Judgement> {
        self.credit(club, now)
            .or_else(|| self.head.judge_credit(None, now))
            .or_else(|| {
                let ends = self.handle.ends.load(Relaxed);
                ends.then(|| self.head.judge_end(now)).flatten()
            })
            .or_else(|| self.head.judge_due(now))
            .or_else(|| {
                let presence = self.handle.connections.presence().later_by(self.ahead);
                match self.bots_opponent(club) {
                    Some((person, kind)) => self.head.judge_absence(person, kind, &presence, now),
                    None if self.has_guest() => self.head.judge_deserted(&presence, now),
                    None => None,
                }
            })
    }

    /// Returns the row that credits the last outage.
    fn credit(&self, club: &Inner, now: Millis) -> Option<Judgement> {
        let outage = club.liveness.outage()?.later_by(self.ahead);
        self.head.judge_outage(outage.from, outage.until, now)
    }

    /// If exactly one of the players is a built-in bot, returns the seat of the other player, and
    /// the kind of the other player's account.
    fn bots_opponent(&self, club: &Inner) -> Option<(Color, AccountKind)> {
        let players = self.handle.players.get();
        let person = club.opponent_of_built_in_bot(players.white.id, players.black.id)?;
        let color = players.find(|player| player.id == person)?;
        Some((color, players.get(color).kind))
    }

    fn has_guest(&self) -> bool {
        let players = self.handle.players.get();
        let is_guest = |color| players.get(color).kind == AccountKind::Guest;
        is_guest(Color::White) || is_guest(Color::Black)
    }

    /// Whether a rematch is agreed and its game does not exist yet.
    fn awaits_next(&self) -> bool {
        self.heard.next_game().is_some() && !self.next_made
    }

    fn make_next_game(&mut self, club: &Arc<Inner>) {
        if let Some(next) = self.heard.next_game()
            && !self.next_made
            && self.call.is_empty()
            && self.retry_at.is_none()
        {
            let (club, record) = (Arc::clone(club), self.handle.record.clone());
            self.call.push(Box::pin(async move {
                StoreReply::NextMade(club.create_rematch(&record, next).await)
            }));
        }
    }

    /// Refuses every request that waits in a queue.
    fn refuse_all(&mut self, error: &ClubError) {
        for seat in Color::ALL {
            while let Ok(pending) = self.queues.get_mut(seat).try_recv() {
                pending.answer(Err(error.clone()));
            }
        }
    }

    /// Refuses new requests, waits for the rows in flight, and pauses the clocks. Returns true when
    /// everything is done.
    fn close(&mut self, club: &Inner, now: Millis) -> bool {
        for seat in Color::ALL {
            self.queues.get_mut(seat).close();
        }
        self.refuse_all(&ClubError::closing());
        for (pending, _) in self.await_next.drain(..) {
            pending.answer(Err(ClubError::closing()));
        }
        if !self.appends.is_empty() || !self.call.is_empty() {
            return false;
        }
        if club.ended().is_some() || self.retry_at.is_some() {
            return true;
        }
        if self.unknown.is_some() {
            self.read_log(club);
            return false;
        }
        let pause = || self.head.judge_pause(now);
        match self.credit(club, now).or_else(pause) {
            Some(judgement) => {
                self.append(club, None, judgement);
                false
            }
            None => true,
        }
    }

    /// Returns the standing of a listener. The standing names the next game only if that game
    /// exists.
    fn standing(&self, listener: Listener) -> Standing {
        let presence = self.handle.connections.presence();
        let standing = self
            .heard
            .standing_behind(listener, presence, self.ahead)
            .with_next(self.next_made);
        Standing {
            umpire: (listener == Listener::Room && self.is_exhibition())
                .then(|| self.heard.umpire()),
            ..standing
        }
    }

    fn is_exhibition(&self) -> bool {
        let club = self.club.upgrade();
        club.is_some_and(|club| club.is_exhibition(&self.handle.record))
    }

    /// For each listener, publishes the standing if the standing of this listener has changed.
    fn publish_standings(&self) {
        for listener in Listener::ALL {
            let standing = self.standing(listener);
            self.handle
                .published(listener)
                .send_if_modified(|published| {
                    let changed = published.standing != standing;
                    if changed {
                        published.standing = standing;
                    }
                    changed
                });
        }
    }

    /// Returns the time until which the lobby lists the game as being played. Returns `None` if the
    /// game is listed as being played and no end is known yet; see [`Table::played_until`].
    fn played_until(&self) -> Option<Millis> {
        let presence = self.handle.connections.presence().later_by(self.ahead);
        self.heard.played_until(&presence)
    }

    /// Informs the lobby whether the game is being played. Private events have no effect on this.
    fn publish_played(&self, club: &Inner, now: Millis) {
        let played = self.played_until().is_none_or(|end| end > now);
        if lock(&club.listed).set_played(self.handle.id(), played) {
            club.notify_lobby();
        }
    }

    /// Returns the time at which the task wakes if nothing happens before.
    fn wake_at(&self) -> Instant {
        let now = Instant::now();
        let mut at = now + IDLE_TIMEOUT;
        let Some(club) = self.club.upgrade() else {
            return now;
        };
        let time = self.now(&club);
        let until = |when: Millis, least: Millis| {
            let span = when.saturating_sub(time).max(least).unsigned_abs();
            now + Duration::from_millis(span).min(IDLE_TIMEOUT)
        };
        if let Some(retry) = self.retry_at {
            at = at.min(retry);
        } else {
            let least = if club.liveness.is_overdue() {
                OVERDUE_POLL
            } else {
                1
            };
            let presence = || self.handle.connections.presence().later_by(self.ahead);
            let absence = match self.bots_opponent(&club) {
                Some((person, kind)) => self.head.absence_end(person, kind, &presence()),
                None if self.has_guest() => self.head.deserted_end(&presence()),
                None => None,
            };
            for due in [self.head.deadline(), absence].into_iter().flatten() {
                at = at.min(until(due, least));
            }
        }
        if let Some(end) = self.played_until().filter(|end| *end > time) {
            at = at.min(until(end, 1));
        }
        if let Some(departure) = self.handle.connections.next_departure() {
            at = at.min(until(departure.saturating_add(self.ahead), 0));
        }
        at
    }

    /// Whether the game is over and nobody needs the table any more. In this case, removes the table
    /// from the club's map.
    fn is_idle(&mut self, club: &Inner) -> bool {
        if self.handle.has_listeners() {
            self.last_used = Instant::now();
        }
        self.heard.status() == GameStatus::Over
            && self.in_flight.is_empty()
            && self.call.is_empty()
            && Color::ALL
                .into_iter()
                .all(|seat| self.queues.get(seat).is_empty())
            && self.last_used.elapsed() >= IDLE_TIMEOUT
            && club.forget(&self.handle)
    }
}

/// Cleanup when the loop ends for any reason. Listeners learn that the table is closed. The next
/// request reads the table from the store again.
struct Cleanup {
    handle: Arc<Handle>,
    club: Weak<Inner>,
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        for listener in Listener::ALL {
            let published = self.handle.published(listener);
            published.send_modify(|published| published.closed = true);
        }
        if let Some(club) = self.club.upgrade() {
            club.remove(&self.handle);
        }
    }
}

/// Returns the error for a request whose row could not be stored.
fn unavailable(error: &StoreError) -> ClubError {
    ClubError::new(RefusalCode::Unavailable, "store", store_words(error))
}
