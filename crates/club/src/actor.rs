//! The loop of a running table: one task, which judges, has rows appended,
//! and takes in what is stored.

mod landing;

use std::{
    collections::VecDeque,
    sync::{Arc, Weak, atomic::Ordering},
    time::Duration,
};

use rules::{
    Listener,
    chess::{ByColor, Color},
};
use store::{AppendError, Row, StoreError};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
    time::{Instant, sleep_until},
};

use crate::{
    Millis,
    club::Inner,
    error::{ClubError, Code},
    facts::Status,
    handle::{Ask, Handle, too_many, until},
    table::{Circumstances, Judged, Judgement, Table},
};

/// Whether the club goes on.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Life {
    /// It does.
    Open,
    /// It closes in order: clocks are paused if no other club is alive.
    Closing {
        /// Whether clocks are paused.
        pause: bool,
    },
}

/// How often the log is read while somebody listens: a hint may be lost.
const POLL: Duration = Duration::from_secs(1);
/// As long as no other club is alive all rows are our own.
const POLL_ALONE: Duration = Duration::from_secs(10);
/// How long an idle table sleeps.
const NAP: Duration = Duration::from_secs(30);
/// How long a hint of rows that may be our own waits for them.
const HINT_WAITS: Duration = Duration::from_millis(20);
/// How long a store that failed is left alone.
const STORE_RESTS: Duration = Duration::from_secs(1);
/// While it is not known what of a leap of time counts, a flag is looked at every so many
/// milliseconds; the table is woken when it is.
const LEAP_WAITS: u64 = 50;
/// So many times a request is judged again because the log has grown.
const MOST_TRIES: u32 = 50;
/// Requests of one seat that wait here.
const MOST_ASKS: usize = 16;

/// Whose rows are under way.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Whose {
    White,
    Black,
    Club,
}

/// What comes back from the store.
enum Landed {
    Appended {
        whose: Whose,
        rows: Vec<Row>,
        result: Result<(), AppendError>,
    },
    Read(Result<Vec<Row>, StoreError>),
    NextMade(Result<(), ClubError>),
}

/// A running table. Nothing in the loop waits for the store: rows under way
/// are tasks of their own, so that what one seat asks never delays the other.
pub(crate) struct Actor {
    handle: Arc<Handle>,
    club: Weak<Inner>,
    life: watch::Receiver<Life>,
    table: Table,
    asks: ByColor<VecDeque<Ask>>,
    flights: JoinSet<Landed>,
    seat_flies: ByColor<bool>,
    club_flies: bool,
    reading: bool,
    /// The log has grown: it is to be read before anything stale is judged again.
    behind: bool,
    /// When a hint is looked at that may be of our own rows.
    hint_at: Option<Instant>,
    poll_at: Instant,
    rests_until: Option<Instant>,
    /// Whether the game of an agreed rematch exists.
    next_made: bool,
    next_flies: bool,
    last_used: Instant,
}

impl Actor {
    pub(crate) fn new(
        handle: Arc<Handle>,
        club: &Arc<Inner>,
        life: watch::Receiver<Life>,
        table: Table,
        next_made: bool,
    ) -> Actor {
        Actor {
            handle,
            club: Arc::downgrade(club),
            life,
            table,
            asks: ByColor::default(),
            flights: JoinSet::new(),
            seat_flies: ByColor::default(),
            club_flies: false,
            reading: false,
            behind: false,
            hint_at: None,
            poll_at: Instant::now() + POLL,
            rests_until: None,
            next_made,
            next_flies: false,
            last_used: Instant::now(),
        }
    }

    /// Runs until the club closes or nobody needs the table any more.
    pub(crate) async fn run(mut self, mut queue: mpsc::Receiver<Ask>) {
        let handle = Arc::clone(&self.handle);
        let _ends = Ends {
            handle: Arc::clone(&handle),
            club: self.club.clone(),
        };
        loop {
            if self.look_around() {
                break;
            }
            let wake_at = self.wake_at();
            tokio::select! {
                landed = self.flights.join_next(), if !self.flights.is_empty() => {
                    match landed {
                        Some(Ok(landed)) => self.land(landed),
                        // A store that panics: the table is read anew.
                        Some(Err(_)) => break,
                        None => {}
                    }
                }
                Some(ask) = queue.recv() => self.enqueue(ask),
                () = handle.wake.notified() => {}
                changed = self.life.changed() => {
                    if changed.is_err() {
                        break;
                    }
                }
                () = sleep_until(wake_at) => {}
            }
        }
    }

    fn enqueue(&mut self, ask: Ask) {
        self.last_used = Instant::now();
        let waiting = self.asks.get_mut(ask.request.seat);
        if waiting.len() < MOST_ASKS {
            waiting.push_back(ask);
        } else {
            answer(ask, Err(too_many()));
        }
    }

    /// Does all that can be done now; `true` if the task is to end.
    fn look_around(&mut self) -> bool {
        let Some(club) = self.club.upgrade() else {
            return true;
        };
        let now = club.clock.now();
        self.publish_standings();
        let life = *self.life.borrow();
        if let Life::Closing { pause } = life {
            for color in Color::ALL {
                let flies = *self.seat_flies.get(color);
                let waiting = self.asks.get_mut(color);
                while waiting.len() > usize::from(flies) {
                    if let Some(ask) = waiting.pop_back() {
                        answer(ask, Err(ClubError::closing()));
                    }
                }
            }
            if !self.flights.is_empty() {
                return false;
            }
            if self.behind {
                self.read(&club);
                return false;
            }
            let resting = self.rests_until.is_some();
            // A club that is stopped, and closed when it wakes, credits before it pauses.
            let outage = club.pulse.outage().map(|outage| outage.from);
            let from = club.pulse.leapt_from().or(outage);
            let credit = from.and_then(|from| self.table.judge_outage(from, now));
            match credit.or_else(|| self.table.judge_pause(now)) {
                Some(rows) if pause && !resting => {
                    self.append(&club, Whose::Club, rows);
                    return false;
                }
                Some(_) | None => return true,
            }
        }
        self.look_at_hints(&club);
        if self
            .rests_until
            .is_some_and(|until| until <= Instant::now())
        {
            self.rests_until = None;
        }
        if self.behind {
            self.read(&club);
        }
        // A time that has leapt is settled before anything is judged by it.
        if !club.pulse.has_leapt() {
            let outage = club.pulse.outage();
            let credit = outage.and_then(|o| self.table.judge_outage(o.from, now));
            let credited = credit.is_none();
            self.do_own_duty(&club, now, credit);
            if credited {
                for color in Color::ALL {
                    self.judge_head(&club, color, now);
                }
            }
        }
        self.idle(&club)
    }

    /// Credits, flags and time-outs: what the club itself has to record.
    fn do_own_duty(&mut self, club: &Arc<Inner>, now: Millis, credit: Option<Judgement>) {
        if let Some(next) = self.table.next_game()
            && !self.next_made
            && !self.next_flies
            && self.rests_until.is_none()
        {
            self.next_flies = true;
            let (club, record) = (Arc::clone(club), self.handle.record.clone());
            self.flights
                .spawn(async move { Landed::NextMade(club.make_rematch(&record, next).await) });
        }
        if self.club_flies || self.behind || self.rests_until.is_some() {
            return;
        }
        let due = credit
            .or_else(|| self.table.judge_credit(None, now))
            .or_else(|| self.table.judge_due(now));
        if let Some(rows) = due {
            self.append(club, Whose::Club, rows);
        }
    }

    /// Judges the first request of a seat that waits for no row.
    fn judge_head(&mut self, club: &Arc<Inner>, color: Color, now: Millis) {
        while !*self.seat_flies.get(color) && !self.behind && !self.table.is_paused() {
            let Some(mut ask) = self.asks.get_mut(color).pop_front() else {
                return;
            };
            let ahead = ask.request.after > self.table.chair(color).n();
            if ahead && ask.tries == 0 {
                // He has heard more than we know of: read first.
                ask.tries = 1;
                self.asks.get_mut(color).push_front(ask);
                self.behind = true;
                self.read(club);
                return;
            }
            if ask.tries > MOST_TRIES {
                answer(ask, Err(busy()));
                continue;
            }
            let circumstances = Circumstances {
                now,
                presence: self.handle.presence(),
                lot: club.draw_game(),
            };
            match self.table.judge(&ask.request, &circumstances) {
                Err(error) => answer(ask, Err(error)),
                Ok(Judged::Answered(said)) => {
                    if self.table.next_game().is_some() && !self.next_made {
                        // The rematch is told when it can be gone to.
                        self.asks.get_mut(color).push_front(ask);
                        return;
                    }
                    answer(ask, Ok(said));
                }
                Ok(Judged::First(rows)) => {
                    self.asks.get_mut(color).push_front(ask);
                    if !self.club_flies && self.rests_until.is_none() {
                        self.append(club, Whose::Club, rows);
                    }
                    return;
                }
                Ok(Judged::Append(rows)) => {
                    ask.tries += 1;
                    self.asks.get_mut(color).push_front(ask);
                    let whose = match color {
                        Color::White => Whose::White,
                        Color::Black => Whose::Black,
                    };
                    self.append(club, whose, rows);
                    return;
                }
            }
        }
    }

    fn flies(&mut self, whose: Whose) -> &mut bool {
        match whose {
            Whose::White => &mut self.seat_flies.white,
            Whose::Black => &mut self.seat_flies.black,
            Whose::Club => &mut self.club_flies,
        }
    }

    fn look_at_hints(&mut self, club: &Arc<Inner>) {
        let now = Instant::now();
        if self.handle.hinted.load(Ordering::Relaxed) <= self.table.rows() {
            self.hint_at = None;
        } else if self.flights.is_empty() || self.hint_at.is_some_and(|at| at <= now) {
            self.hint_at = Some(now + HINT_WAITS);
            self.read(club);
        } else if self.hint_at.is_none() {
            // The row may be our own, and land in a moment.
            self.hint_at = Some(now + HINT_WAITS);
        }
        let others = club.pulse.has_others();
        let poll = if others { POLL } else { POLL_ALONE };
        self.poll_at = self.poll_at.min(now + poll);
        if self.poll_at <= now {
            // Who asks now and then wants to know too what other clubs have done.
            if self.handle.has_listeners() || others {
                self.read(club);
            }
            self.poll_at = now + poll;
        }
    }

    /// When to look around again if nothing happens.
    fn wake_at(&self) -> Instant {
        let now = Instant::now();
        let mut at = now + NAP;
        if self.handle.has_listeners() {
            at = at.min(self.poll_at.max(now));
        }
        if let Some(hint) = self.hint_at {
            at = at.min(hint);
        }
        if let Some(rest) = self.rests_until {
            at = at.min(rest);
        } else if !self.club_flies
            && let (Some(deadline), Some(club)) = (self.table.deadline(), self.club.upgrade())
        {
            let least = if club.pulse.has_leapt() {
                LEAP_WAITS
            } else {
                1
            };
            let span = Duration::from_millis(until(deadline, club.clock.now()).max(least));
            at = at.min(now + span.min(NAP));
        }
        if let Some(wait) = self.handle.going_shows_in() {
            at = at.min(now + Duration::from_millis(wait));
        }
        at
    }

    /// Whether nobody needs the table any more; then it is forgotten.
    fn idle(&mut self, club: &Inner) -> bool {
        if self.handle.has_listeners() {
            self.last_used = Instant::now();
        }
        self.table.status() == Status::Over
            && self.flights.is_empty()
            && self.asks.white.is_empty()
            && self.asks.black.is_empty()
            && self.last_used.elapsed() >= NAP
            && club.forget(&self.handle)
    }
}

/// However the loop ends, listeners are told so, and whoever comes next finds
/// a table read anew.
struct Ends {
    handle: Arc<Handle>,
    club: Weak<Inner>,
}

impl Drop for Ends {
    fn drop(&mut self) {
        for listener in Listener::ALL {
            self.handle
                .told(listener)
                .send_modify(|told| told.closed = true);
        }
        if let Some(club) = self.club.upgrade() {
            club.remove(&self.handle);
        }
    }
}

fn answer(ask: Ask, answer: Result<crate::Said, ClubError>) {
    // Whoever asked may have gone away; the row stands all the same.
    let _gone = ask.reply.send(answer);
}

fn busy() -> ClubError {
    ClubError::new(
        Code::Unavailable,
        "the table is too busy: nothing was done; say it again with the same id",
    )
}
