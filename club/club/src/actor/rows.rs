//! How the actor appends and reads rows, updates its table with rows, and informs the listeners and
//! the players who wait for an answer.

use std::{
    slice,
    sync::{Arc, atomic::Ordering},
};

use rules::{Calls, Listener, chess::Color};
use store::{AppendError, LogEnd, Millis, Row, StoreError};
use tokio::time::Instant;

use super::{Actor, RowInFlight, RowToAppend, STORE_RETRY_DELAY, StoreReply};
use crate::{
    error::{ClubError, Code, store_words},
    facts::Standing,
    hearing::RequestAnswer,
    inner::Inner,
    sync::lock,
    table::Judgement,
};

impl Actor {
    /// Returns the flag that says whether a row of this seat, or of the club itself (`None`), is
    /// being appended.
    fn append_in_flight(&mut self, seat: Option<Color>) -> &mut bool {
        match seat {
            Some(seat) => self.seat_append_in_flight.get_mut(seat),
            None => &mut self.club_append_in_flight,
        }
    }

    pub(super) fn append(&mut self, club: &Inner, next: RowToAppend) {
        let RowToAppend { judgement, others } = next;
        let seat = judgement.seat();
        *self.append_in_flight(seat) = true;
        let (seq, end) = (self.table.rows(), self.table.log_end());
        self.rows_in_flight.push(RowInFlight {
            seat,
            row: judgement.row.clone(),
            seq,
            others: others.clone(),
        });
        let (store, game) = (Arc::clone(&club.store), self.handle.id());
        self.store_calls.spawn(async move {
            let rows = slice::from_ref(&judgement.row);
            let over = judgement.over();
            let result = store.append_beside(game, end, &others, rows, over).await;
            StoreReply::Appended {
                seq,
                judgement,
                result,
            }
        });
    }

    pub(super) fn read(&mut self, club: &Inner) {
        if self.read_in_flight || self.retry_at.is_some() {
            return;
        }
        self.read_in_flight = true;
        let (store, game, end) = (
            Arc::clone(&club.store),
            self.handle.id(),
            self.table.log_end(),
        );
        let conflict = self.conflict_at;
        let hinted = self.handle.hinted.load(Ordering::Relaxed);
        self.store_calls.spawn(async move {
            // The last row is read again, to find out whether the store still has it.
            let result = store.rows(game, end.rows.saturating_sub(1)).await;
            StoreReply::Read {
                end,
                conflict,
                hinted,
                result,
            }
        });
    }

    pub(super) fn take_reply(&mut self, reply: StoreReply) {
        match reply {
            StoreReply::Appended {
                seq,
                judgement,
                result,
            } => {
                let seat = judgement.seat();
                self.rows_in_flight.retain(|other| other.seat != seat);
                if let Ok(seq) = result
                    && seq > self.table.rows()
                {
                    // The previous row is stored too, but the reply about that row has not arrived
                    // yet.
                    self.early.insert(seq, judgement);
                    return self.settle_early();
                }
                *self.append_in_flight(seat) = false;
                match result {
                    Ok(seq) => self.take_appended(seq, *judgement),
                    // The log has another row with this number, which the table does not have yet.
                    Err(AppendError::Conflict) if seq == self.table.rows() => {
                        self.behind = true;
                        self.conflict_at = Some(seq);
                    }
                    Err(AppendError::Conflict) => {}
                    Err(AppendError::Store(error)) => match seat {
                        Some(seat) => self.fail(seat, &error),
                        None => self.retry_later(),
                    },
                }
            }
            StoreReply::Read {
                end,
                conflict,
                hinted,
                result,
            } => {
                self.read_in_flight = false;
                match result {
                    Ok(rows) if has_end(&rows, end) => {
                        self.take_log(&rows, conflict);
                        self.forget_hint(hinted);
                    }
                    Ok(_) | Err(StoreError::Absent) => {
                        if let Some(club) = self.club.upgrade() {
                            club.lose_rows();
                        }
                    }
                    Err(error) => self.fail_all(&error),
                }
            }
            StoreReply::NextMade(result) => {
                self.next_in_flight = false;
                match result {
                    Ok(()) => self.next_made = true,
                    Err(_) => self.retry_later(),
                }
            }
        }
        self.settle_early();
    }

    /// Applies each row of `early` for which all earlier rows are applied.
    fn settle_early(&mut self) {
        while let Some(entry) = self.early.first_entry()
            && *entry.key() <= self.table.rows()
        {
            let (seq, judgement) = entry.remove_entry();
            *self.append_in_flight(judgement.seat()) = false;
            // If the table already has the row, because the log was read, this call has no effect.
            self.take_appended(seq, *judgement);
        }
        // If rows remain in `early`, a row before them is missing. If no append is in flight, no
        // reply about the missing row will come, so the log must be read.
        self.behind |= !self.early.is_empty() && self.rows_in_flight.is_empty();
    }

    /// Updates the table with the rows that were read. If the log was read because of a conflict,
    /// `conflict` is the number of the row that could not be appended.
    fn take_log(&mut self, rows: &[Row], conflict: Option<u32>) {
        self.behind = false;
        for row in rows {
            self.take_read(row);
        }
        match self.conflict_at {
            Some(at) if at < self.table.rows() => self.conflict_at = None,
            Some(at) if conflict == Some(at) => {
                // The row that caused the conflict cannot be read, and no row can be
                // appended.
                self.conflict_at = None;
                let why = format!(
                    "game {}: no row {at} can be appended to its log",
                    self.handle.id()
                );
                self.fail_all(&StoreError::Damaged(why));
            }
            // The log was read before the conflict, so it must be read again.
            Some(_) => self.behind = true,
            None => {}
        }
    }

    /// Forgets a hint that named more rows than the log has. `hinted` is the number of rows that
    /// the hint named before the log was read. A hint is sent only after its rows are stored, so
    /// the missing rows do not exist. Without this function, the table would read its log again and
    /// again. A hint that came during the read is kept.
    fn forget_hint(&self, hinted: u32) {
        let rows = self.table.rows();
        if hinted > rows {
            let (order, hints) = (Ordering::Relaxed, &self.handle.hinted);
            // The error means that another hint has come. That hint is kept.
            let _other = hints.compare_exchange(hinted, rows, order, order);
        }
    }

    /// Answers each request that has no append in flight. The answer is an error of the store.
    fn fail_all(&mut self, error: &StoreError) {
        self.retry_later();
        for seat in Color::ALL {
            if !*self.seat_append_in_flight.get(seat) {
                self.fail(seat, error);
            }
        }
    }

    fn retry_later(&mut self) {
        self.retry_at = Some(Instant::now() + STORE_RETRY_DELAY);
    }

    /// Answers the pending request of a seat with an error of the store.
    fn fail(&mut self, seat: Color, error: &StoreError) {
        if let Some(pending) = self.pending.get_mut(seat).take() {
            let error = ClubError::new(Code::Unavailable, store_words(error));
            pending.answer(Err(error));
        }
    }

    /// Updates the table with a row that this club has stored, and answers the request that caused
    /// the row.
    fn take_appended(&mut self, seq: u32, judgement: Judgement) {
        let rows = self.table.rows();
        if seq > rows {
            self.behind = true;
        }
        // The row may have been read from the log before the store confirmed it.
        if seq != rows {
            return;
        }
        let Judgement { row, calls } = judgement;
        let row = Row {
            seq,
            at: row.at,
            act: row.act,
            request: row.request,
        };
        if let Some((seat, answer)) = self.take_in(&row, &calls)
            && !self.awaits_rematch()
            && let Some(pending) = self.pending.get_mut(seat).take()
        {
            pending.answer(Ok(answer));
        }
    }

    /// Updates the table with a row that was read from the log. If the row has the id of the
    /// pending request of its seat, that request is answered.
    fn take_read(&mut self, row: &Row) {
        if row.seq < self.table.rows() {
            return;
        }
        if row.seq > self.table.rows() {
            self.behind = true;
            return;
        }
        let calls = self.table.calls(row);
        self.take_in(row, &calls);
        if let Some((seat, id)) = &row.request
            && !self.awaits_rematch()
            && let Some(pending) = self.pending.get_mut(*seat).take_if(|p| p.request.id == *id)
        {
            let published = self.handle.published((*seat).into()).borrow();
            let answer = published.state.answer(&pending.request);
            drop(published);
            pending.answer(answer.unwrap_or_else(|| Err(ClubError::closing())));
        }
    }

    /// Updates the table with the next row and publishes its hearings. If the row answers a
    /// request, returns the seat of the request and the answer.
    fn take_in(&mut self, row: &Row, calls: &Calls) -> Option<(Color, RequestAnswer)> {
        let before = self.table.status();
        let by = row.request.as_ref().map(|(seat, _)| *seat);
        let mut answer = None;
        let updates = self.table.apply(row, calls);
        if let Some(request) = &row.request {
            // The row may have been read from the log before its append was confirmed.
            self.rows_in_flight
                .retain(|other| other.row.request.as_ref() != Some(request));
            for other in &mut self.rows_in_flight {
                if other.others.contains(request) {
                    other.seq += 1;
                }
            }
        }
        if let Some(club) = self.club.upgrade() {
            // The time of a row of another club may be later than this club's time.
            self.ahead = self.ahead.max(self.table.time_ahead(club.time.now()));
        }
        for (listener, update) in updates {
            if update.is_empty() {
                continue;
            }
            let standing = self.standing(listener);
            self.handle.published(listener).send_modify(|published| {
                let said = published.state.take(update);
                published.standing = standing;
                if listener.color() == by {
                    answer = by.zip(said);
                }
            });
        }
        if self.table.status() != before
            && let Some(club) = self.club.upgrade()
        {
            lock(&club.listed).set_status(self.handle.id(), self.table.status());
            club.notify_lobby();
        }
        self.publish_standings();
        answer
    }

    /// Returns the standing of a listener. The standing names the next game only if that game
    /// exists.
    fn standing(&self, listener: Listener) -> Standing {
        let presence = self.handle.connections.presence();
        self.table
            .standing_behind(listener, presence, self.ahead)
            .with_next(self.next_made)
    }

    /// For each listener, publishes the standing if the standing of this listener has changed.
    pub(super) fn publish_standings(&self) {
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
    /// game is listed as being played and no end is known yet; see
    /// [`Table::played_until`](crate::table::Table::played_until).
    pub(super) fn played_until(&self) -> Option<Millis> {
        let presence = self.handle.connections.presence().later_by(self.ahead);
        self.table.played_until(&presence)
    }

    /// Informs the lobby whether the game is being played. Private events have no effect on this.
    pub(super) fn publish_played(&self, club: &Inner, now: Millis) {
        let played = self.played_until().is_none_or(|end| end > now);
        if lock(&club.listed).set_played(self.handle.id(), played) {
            club.notify_lobby();
        }
    }
}

/// Whether the rows that were read begin with the last row that the table knows.
fn has_end(rows: &[Row], end: LogEnd) -> bool {
    rows.first()
        .is_some_and(|row| row.seq + 1 == end.rows && end.last_at.is_none_or(|at| row.at == at))
}
