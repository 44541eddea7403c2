//! The task of a running table. It judges requests, appends rows to the log, and updates the table
//! with the rows that are stored.

mod rows;

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak, atomic::Ordering},
    time::Duration,
};

use rules::{
    Listener,
    chess::{ByColor, Color},
};
use store::{AccountKind, AppendError, LogEnd, Millis, NewRow, RequestId, Row, StoreError};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
    time::{Instant, sleep_until},
};

use crate::{
    allowance::Allowance,
    error::{ClubError, Code},
    facts::Status,
    handle::{Handle, Pending},
    hearing::RequestAnswer,
    inner::{Inner, Life},
    table::{Circumstances, Examined, Judgement, Table},
};

/// Interval between two reads of a finished game's log while somebody listens at its table. These
/// reads find rows whose hint was lost. (A hint is the store's message that a log has grown.)
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The same interval while no other club is alive. It is longer, because then no other club appends
/// rows.
const POLL_INTERVAL_ALONE: Duration = Duration::from_secs(10);
/// Longest sleep of the task. The table of a finished game is removed from memory if nobody has
/// used the table for this time.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// Delay between a hint about a new row and the read of the log, if a call of the store is in
/// flight. If this call appends the row, the table usually gets the row within this delay. Then the
/// log is not read.
const HINT_DELAY: Duration = Duration::from_millis(20);
/// Delay before the store is called again after a failure.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(1);
/// An outage is a time that the clocks do not count, for example because no club ran. While the
/// length of an outage is unknown, a deadline is checked again at this interval, in milliseconds.
/// The table is also woken when the length becomes known.
const OPEN_OUTAGE_POLL: Millis = 50;
/// Maximum number of times that a request is judged again because the log has grown.
const MAX_ROUNDS: u32 = 50;

/// Result of a call of the store.
enum StoreReply {
    /// Result of appending a row as number `seq`.
    Appended {
        seq: u32,
        judgement: Box<Judgement>,
        /// Number of the row in the log.
        result: Result<u32, AppendError>,
    },
    /// Result of reading the log from the table's last row on.
    Read {
        /// End of the log, as the table knew it before the log was read.
        end: LogEnd,
        /// Number of a row that could not be appended because of a conflict, if the log is read for
        /// this reason. Otherwise `None`.
        conflict: Option<u32>,
        /// Largest length of the log that a hint had named when the reading began.
        hinted: u32,
        result: Result<Vec<Row>, StoreError>,
    },
    /// Result of creating the game of an agreed rematch.
    NextMade(Result<(), ClubError>),
}

/// What to do next for a request.
enum Step {
    Answer(Result<RequestAnswer, ClubError>),
    Append(RowToAppend),
    /// Read the log first.
    Read,
    /// Wait until the game of the rematch exists, then answer.
    AwaitRematch,
}

/// A row to be appended, with its judgement.
struct RowToAppend {
    judgement: Box<Judgement>,
    /// Requests of the other seat whose rows are being appended. The rows of these requests do not
    /// change the judgement, so they may be stored before the row of the judgement.
    others: Vec<(Color, RequestId)>,
}

/// A row that is being appended, and that the table does not have yet.
struct RowInFlight {
    /// The seat that requested the row; `None` for a row of the club itself.
    seat: Option<Color>,
    row: NewRow,
    /// Expected number of the row in the log. When the row is judged, the row is expected to be the
    /// next row after the rows of the table. Each time that the table gets a row that answers one
    /// of `others`, the expected number grows by one, because the other row was stored first. The
    /// judgement stays valid.
    seq: u32,
    /// Requests whose rows may come before this row.
    others: Vec<(Color, RequestId)>,
}

/// A running table. The loop of the table never waits for the store, so that a request of one seat
/// never delays the other seat. Each call of the store is a separate task.
pub(crate) struct Actor {
    handle: Arc<Handle>,
    club: Weak<Inner>,
    life: watch::Receiver<Life>,
    table: Table,
    /// How far the table's time is ahead of the club's time, in milliseconds; see
    /// [`Table::time_ahead`].
    ahead: Millis,
    queues: ByColor<mpsc::Receiver<Pending>>,
    /// Next request to be answered, for each seat.
    pending: ByColor<Option<Pending>>,
    allowances: ByColor<Allowance>,
    store_calls: JoinSet<StoreReply>,
    seat_append_in_flight: ByColor<bool>,
    club_append_in_flight: bool,
    rows_in_flight: Vec<RowInFlight>,
    /// Judgements whose rows are stored, while the confirmation of an earlier row is still missing.
    /// The key is the number of the row.
    early: BTreeMap<u32, Box<Judgement>>,
    read_in_flight: bool,
    /// Whether the log has rows that the table does not have yet. In this case, the log is read
    /// before anything is judged.
    behind: bool,
    /// Number of the row that could not be appended because the log has grown. `None` if the log
    /// was read after the failed append.
    conflict_at: Option<u32>,
    /// Time at which the log is read because of a hint. The log is not read if the table gets the
    /// row of the hint before that time.
    hint_at: Option<Instant>,
    poll_at: Instant,
    retry_at: Option<Instant>,
    /// Whether the game of an agreed rematch exists.
    next_made: bool,
    next_in_flight: bool,
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
            table,
            queues,
            pending: ByColor::default(),
            allowances: ByColor::default(),
            store_calls: JoinSet::new(),
            seat_append_in_flight: ByColor::default(),
            club_append_in_flight: false,
            rows_in_flight: Vec::new(),
            early: BTreeMap::new(),
            read_in_flight: false,
            behind: false,
            conflict_at: None,
            hint_at: None,
            poll_at: Instant::now() + POLL_INTERVAL,
            retry_at: None,
            next_made,
            next_in_flight: false,
            last_used: Instant::now(),
        }
    }

    /// Runs until the club closes, or until the game is over and nobody needs
    /// the table any more.
    pub(crate) async fn run(mut self) {
        let _cleanup = Cleanup {
            handle: Arc::clone(&self.handle),
            club: self.club.clone(),
        };
        while !self.look_around() {
            let wake_at = self.wake_at();
            tokio::select! {
                reply = self.store_calls.join_next(), if !self.store_calls.is_empty() => {
                    match reply {
                        Some(Ok(reply)) => self.take_reply(reply),
                        // The call of the store panicked. This task ends, and the next request
                        // builds the table again from the store.
                        Some(Err(_)) => break,
                        None => {}
                    }
                }
                Some(pending) = self.queues.white.recv(), if self.is_free(Color::White) => {
                    self.pending.white = Some(pending);
                }
                Some(pending) = self.queues.black.recv(), if self.is_free(Color::Black) => {
                    self.pending.black = Some(pending);
                }
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

    /// Returns the table's time. It is the club's time, unless rows were recorded while the
    /// wall clock was ahead.
    fn now(&self, club: &Inner) -> Millis {
        club.time.now().saturating_add(self.ahead)
    }

    /// Whether the seat's next request can be taken from its queue.
    fn is_free(&self, seat: Color) -> bool {
        self.pending.get(seat).is_none() && !*self.seat_append_in_flight.get(seat)
    }

    /// Does everything that can be done now. Returns true if the task must end.
    fn look_around(&mut self) -> bool {
        let Some(club) = self.club.upgrade() else {
            return true;
        };
        let now = self.now(&club);
        self.publish_standings();
        self.publish_played(&club, now);
        let life = *self.life.borrow();
        if let Life::Closing { pause } = life {
            return self.close(&club, now, pause);
        }
        // If the store has lost rows, listeners may have heard these rows. So no other row may be
        // appended in their place.
        if club.has_lost_rows() {
            self.refuse_all(&ClubError::rows_lost());
            return false;
        }
        self.look_at_hints(&club);
        self.retry_at = self.retry_at.filter(|at| *at > Instant::now());
        if self.behind {
            self.read(&club);
        }
        // If the clock has jumped, or if the shared database does not answer, nothing is judged
        // until the length of the outage is known.
        if !club.liveness.has_open_outage() {
            self.make_next_game(&club);
            match self.club_duty(&self.table, &club, now) {
                Some(judgement) => {
                    if !self.club_append_in_flight && !self.behind && self.retry_at.is_none() {
                        let duty =
                            self.beside(judgement, |table| self.club_duty(table, &club, now));
                        self.append(&club, duty);
                    }
                }
                None => {
                    for seat in Color::ALL {
                        self.serve(&club, seat, now);
                    }
                }
            }
        } else if club.liveness.is_away() {
            let away = StoreError::NoAnswer(String::new());
            self.refuse_all(&away.into());
        }
        self.is_idle(&club)
    }

    /// Refuses every request that waits and is not being stored. A client sends its request again,
    /// with the same id.
    fn refuse_all(&mut self, error: &ClubError) {
        for seat in Color::ALL {
            if *self.seat_append_in_flight.get(seat) {
                continue;
            }
            let waiting = self.pending.get_mut(seat).take();
            let queue = self.queues.get_mut(seat);
            let queued = std::iter::from_fn(|| queue.try_recv().ok());
            for pending in waiting.into_iter().chain(queued) {
                pending.answer(Err(error.clone()));
            }
        }
    }

    /// Ends all requests except those that are being stored. If `pause` is true, also pauses the
    /// clocks. Returns true when everything is done.
    fn close(&mut self, club: &Inner, now: Millis, pause: bool) -> bool {
        for seat in Color::ALL {
            let queue = self.queues.get_mut(seat);
            queue.close();
            let mut ended = Vec::new();
            if !*self.seat_append_in_flight.get(seat) {
                ended.extend(self.pending.get_mut(seat).take());
            }
            ended.extend(std::iter::from_fn(|| queue.try_recv().ok()));
            for pending in ended {
                pending.answer(Err(ClubError::closing()));
            }
        }
        if !self.store_calls.is_empty() {
            return false;
        }
        if club.has_lost_rows() {
            return true;
        }
        if self.behind {
            self.read(club);
            return false;
        }
        // The process may have been stopped for a while, and may close as soon as it runs again.
        // The time of the stop is an outage, which must be credited before the clocks are paused.
        let outage = club.liveness.outage().map(|outage| outage.from);
        let from = club.liveness.open_outage_from().or(outage);
        let credit = from.and_then(|from| {
            self.table
                .judge_outage(from.saturating_add(self.ahead), now)
        });
        match credit.or_else(|| self.table.judge_pause(now)) {
            Some(judgement) if pause && self.retry_at.is_none() => {
                let pause = self.beside(judgement, |_| None);
                self.append(club, pause);
                false
            }
            Some(_) | None => true,
        }
    }

    /// Returns a row that the club itself must append before any request is judged. Such a row is a
    /// credit of lost time, a flag fall, an abort because of a missed deadline, or the end of a
    /// game against a built-in bot whose opponent is absent.
    fn club_duty(&self, table: &Table, club: &Inner, now: Millis) -> Option<Judgement> {
        let outage = club.liveness.outage();
        outage
            .and_then(|outage| {
                let from = outage.from.saturating_add(self.ahead);
                table.judge_outage(from, now)
            })
            .or_else(|| table.judge_credit(None, now))
            .or_else(|| table.judge_due(now))
            .or_else(|| {
                let (person, kind) = self.bots_opponent(club)?;
                let presence = self.handle.connections.presence().later_by(self.ahead);
                table.judge_absence(person, kind, &presence, now)
            })
    }

    /// If exactly one of the players is a built-in bot, returns the seat of the other player, and
    /// the kind of the other player's account.
    fn bots_opponent(&self, club: &Inner) -> Option<(Color, AccountKind)> {
        let players = self.handle.players.get();
        let person = club.opponent_of_built_in_bot(players.white.id, players.black.id)?;
        let color = players.find(|player| player.id == person)?;
        Some((color, players.get(color).kind))
    }

    /// Returns the row of a judgement, and the requests whose rows may be stored before it.
    ///
    /// While a request of one seat is judged, a row of the other seat may be in flight. If that row
    /// does not change the judgement, the request of that row is one of the returned requests. Then
    /// the two rows can be stored in any order without a conflict. A conflict would delay the
    /// request, and the delay would reveal a private row of the other seat.
    fn beside(
        &self,
        judgement: Judgement,
        again: impl FnOnce(&Table) -> Option<Judgement>,
    ) -> RowToAppend {
        let mut others = Vec::new();
        // The row in flight can be applied to the table only if it was judged for the table's
        // present rows.
        if let [RowInFlight { row, seq, .. }] = self.rows_in_flight.as_slice()
            && let Some(request) = &row.request
            && *seq == self.table.rows()
            && self.early.is_empty()
        {
            let mut table = self.table.clone();
            let row = Row {
                seq: table.rows(),
                at: row.at,
                act: row.act.clone(),
                request: row.request.clone(),
            };
            table.apply(&row, &table.calls(&row));
            if again(&table).as_ref() == Some(&judgement) {
                others.push(request.clone());
            }
        }
        RowToAppend {
            judgement: Box::new(judgement),
            others,
        }
    }

    /// Whether a rematch is agreed and its game does not exist yet.
    fn awaits_rematch(&self) -> bool {
        self.table.next_game().is_some() && !self.next_made
    }

    fn make_next_game(&mut self, club: &Arc<Inner>) {
        if let Some(next) = self.table.next_game()
            && !self.next_made
            && !self.next_in_flight
            && self.retry_at.is_none()
        {
            self.next_in_flight = true;
            let (club, record) = (Arc::clone(club), self.handle.record.clone());
            self.store_calls.spawn(async move {
                StoreReply::NextMade(club.create_rematch(&record, next).await)
            });
        }
    }

    /// Answers requests of a seat until one must wait for the store.
    fn serve(&mut self, club: &Inner, seat: Color, now: Millis) {
        while !*self.seat_append_in_flight.get(seat) && !self.behind {
            let queue = self.queues.get_mut(seat);
            let next = self.pending.get_mut(seat).take();
            let Some(mut pending) = next.or_else(|| queue.try_recv().ok()) else {
                return;
            };
            self.last_used = Instant::now();
            let step = self.judge(&mut pending, club, now);
            if let Step::Answer(answer) = step {
                pending.answer(answer);
                continue;
            }
            *self.pending.get_mut(seat) = Some(pending);
            match step {
                Step::Append(judgement) => self.append(club, judgement),
                Step::Read => {
                    self.behind = true;
                    self.read(club);
                }
                Step::AwaitRematch | Step::Answer(_) => return,
            }
        }
    }

    /// Judges a request. If the state of the seat has changed since the request was last
    /// examined, the request is examined again.
    fn judge(&mut self, pending: &mut Pending, club: &Inner, now: Millis) -> Step {
        let seat = pending.request.seat;
        let published = self.handle.published(seat.into()).borrow();
        let version = published.state.version();
        let asked = match pending.admitted {
            Some((admitted, asked)) if admitted == version => asked,
            Some(_) | None => match published.state.examine(&pending.request) {
                Ok(Examined::Admitted(asked)) => asked,
                Ok(Examined::Answered(_)) if self.awaits_rematch() => return Step::AwaitRematch,
                Ok(Examined::Answered(answer)) => return Step::Answer(Ok(answer)),
                Ok(Examined::Ahead(_)) if pending.rounds == 0 => {
                    pending.rounds = 1;
                    return Step::Read;
                }
                Ok(Examined::Ahead(error)) | Err(error) => return Step::Answer(Err(error)),
            },
        };
        let limited = published.state.is_limited(asked);
        drop(published);
        pending.admitted = Some((version, asked));
        if limited && !pending.counted {
            if let Err(wait) = self.allowances.get_mut(seat).take() {
                return Step::Answer(Err(nothing_new(wait)));
            }
            pending.counted = true;
        }
        if pending.rounds > MAX_ROUNDS {
            return Step::Answer(Err(busy()));
        }
        pending.rounds += 1;
        let circumstances = Circumstances {
            now,
            presence: self.handle.connections.presence().later_by(self.ahead),
            next_game: club.draw_game_id(),
        };
        let judged = self
            .table
            .judge(seat, &pending.request.id, asked, &circumstances);
        match judged {
            Ok(judgement) => Step::Append(self.beside(judgement, |table| {
                let judged = table.judge(seat, &pending.request.id, asked, &circumstances);
                judged.ok()
            })),
            Err(error) => Step::Answer(Err(error)),
        }
    }

    fn look_at_hints(&mut self, club: &Inner) {
        let now = Instant::now();
        if self.handle.is_behind.swap(false, Ordering::Relaxed) {
            self.read(club);
        }
        if self.handle.hinted.load(Ordering::Relaxed) <= self.table.rows() {
            self.hint_at = None;
        } else if self.store_calls.is_empty() || self.hint_at.is_some_and(|at| at <= now) {
            self.hint_at = Some(now + HINT_DELAY);
            self.read(club);
        } else if self.hint_at.is_none() {
            // This club may have appended the row itself. In that case, the table gets the row soon
            // without reading the log.
            self.hint_at = Some(now + HINT_DELAY);
        }
        let others = club.liveness.has_others();
        let interval = if others {
            POLL_INTERVAL
        } else {
            POLL_INTERVAL_ALONE
        };
        self.poll_at = self.poll_at.min(now + interval);
        if self.poll_at <= now {
            // For running games, `Inner::join_running` reads the lengths of all logs together. The
            // log of a finished game must be read here, because a rematch may be agreed at another
            // club.
            if self.handle.has_listeners() && self.table.status() == Status::Over {
                self.read(club);
            }
            self.poll_at = now + interval;
        }
    }

    /// Returns the time at which the task wakes if nothing happens before.
    fn wake_at(&self) -> Instant {
        let now = Instant::now();
        let mut at = now + IDLE_TIMEOUT;
        if self.handle.has_listeners() {
            at = at.min(self.poll_at.max(now));
        }
        if let Some(hint) = self.hint_at {
            at = at.min(hint);
        }
        let Some(club) = self.club.upgrade() else {
            return now;
        };
        let time = club.time.now();
        let until = |when: Millis, least: Millis| {
            let span = when.saturating_sub(time).max(least).unsigned_abs();
            now + Duration::from_millis(span).min(IDLE_TIMEOUT)
        };
        let leapt = club.liveness.has_open_outage();
        let least = if leapt { OPEN_OUTAGE_POLL } else { 1 };
        if let Some(retry) = self.retry_at {
            at = at.min(retry);
        } else if let Some(deadline) = self.table.deadline()
            && !self.club_append_in_flight
        {
            at = at.min(until(deadline.saturating_sub(self.ahead), least));
        }
        if self.retry_at.is_none()
            && !self.club_append_in_flight
            && let Some((person, kind)) = self.bots_opponent(&club)
        {
            let presence = self.handle.connections.presence().later_by(self.ahead);
            if let Some(end) = self.table.absence_end(person, kind, &presence) {
                at = at.min(until(end.saturating_sub(self.ahead), least));
            }
        }
        if let Some(end) = self.played_until()
            && end > time.saturating_add(self.ahead)
        {
            at = at.min(until(end.saturating_sub(self.ahead), 1));
        }
        if let Some(departure) = self.handle.connections.next_departure() {
            at = at.min(until(departure, 0));
        }
        at
    }

    /// Whether the game is over and nobody needs the table any more. In this case,
    /// removes the table from the club's map.
    fn is_idle(&mut self, club: &Inner) -> bool {
        if self.handle.has_listeners() {
            self.last_used = Instant::now();
        }
        self.table.status() == Status::Over
            && self.store_calls.is_empty()
            && Color::ALL
                .into_iter()
                .all(|seat| self.pending.get(seat).is_none() && self.queues.get(seat).is_empty())
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

/// Returns the error for a limited request if the seat has made too many of them.
fn nothing_new(wait: Duration) -> ClubError {
    ClubError::too_soon(wait, |seconds| {
        format!(
            "you have made too many requests that bring nothing new, such as repeated tries: send \
             this request again in {seconds} s; new tries and `resign` are always judged"
        )
    })
}

fn busy() -> ClubError {
    ClubError::new(
        Code::Unavailable,
        "the table is too busy: nothing was done; send the request again with the same id",
    )
}
