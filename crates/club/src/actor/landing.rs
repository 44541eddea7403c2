//! Rows on their way to the store and back.

use std::sync::Arc;

use rules::{Listener, chess::Color};
use store::{AppendError, NewRow, Row, StoreError};
use tokio::time::Instant;

use super::{Actor, Landed, STORE_RESTS, Whose, answer};
use crate::{
    chair::place,
    club::Inner,
    error::{ClubError, Code, store_words},
    facts::Standing,
    table::Judgement,
};

impl Actor {
    pub(super) fn append(&mut self, club: &Arc<Inner>, whose: Whose, judgement: Judgement) {
        *self.flies(whose) = true;
        let expected = self.table.rows();
        let (store, game) = (Arc::clone(&club.store), self.handle.id());
        self.flights.spawn(async move {
            let result = store
                .append(game, expected, &judgement.rows, judgement.over)
                .await;
            let rows = (expected..).zip(judgement.rows);
            Landed::Appended {
                whose,
                rows: rows.map(|(seq, new)| numbered(seq, new)).collect(),
                result,
            }
        });
    }

    pub(super) fn read(&mut self, club: &Arc<Inner>) {
        if self.reading || self.rests_until.is_some() {
            return;
        }
        self.reading = true;
        let (store, game, from) = (Arc::clone(&club.store), self.handle.id(), self.table.rows());
        self.flights
            .spawn(async move { Landed::Read(store.rows(game, from).await) });
    }

    pub(super) fn land(&mut self, landed: Landed) {
        match landed {
            Landed::Appended {
                whose,
                rows,
                result,
            } => {
                *self.flies(whose) = false;
                match result {
                    Ok(()) => self.take_in(&rows),
                    // What was in the way may have landed already.
                    Err(AppendError::Conflict) => {
                        let first = rows.first().map(|row| row.seq);
                        self.behind |= first == Some(self.table.rows());
                    }
                    Err(AppendError::Store(error)) => self.store_failed(whose, &error),
                }
            }
            Landed::Read(result) => {
                self.reading = false;
                match result {
                    Ok(rows) => {
                        self.behind = false;
                        self.take_in(&rows);
                    }
                    Err(error) => {
                        self.rest();
                        for color in Color::ALL {
                            if !*self.seat_flies.get(color) {
                                self.fail_head(color, &error);
                            }
                        }
                    }
                }
            }
            Landed::NextMade(result) => {
                self.next_flies = false;
                match result {
                    Ok(()) => self.next_made = true,
                    Err(_) => self.rest(),
                }
            }
        }
    }

    fn rest(&mut self) {
        self.rests_until = Some(Instant::now() + STORE_RESTS);
    }

    /// The store cannot keep a row: whoever asked for it is told so.
    fn store_failed(&mut self, whose: Whose, error: &StoreError) {
        match whose {
            Whose::White => self.fail_head(Color::White, error),
            Whose::Black => self.fail_head(Color::Black, error),
            Whose::Club => self.rest(),
        }
    }

    fn fail_head(&mut self, color: Color, error: &StoreError) {
        if let Some(ask) = self.asks.get_mut(color).pop_front() {
            answer(
                ask,
                Err(ClubError::new(Code::Unavailable, store_words(error))),
            );
        }
    }

    /// Takes in stored rows, each once, and tells whoever hears of them.
    fn take_in(&mut self, rows: &[Row]) {
        for row in rows {
            if row.seq < self.table.rows() {
                continue;
            }
            if row.seq > self.table.rows() {
                self.behind = true;
                return;
            }
            let before = self.table.status();
            let applied = self.table.apply(row);
            for listener in Listener::ALL {
                let news = &applied.news[place(listener)];
                if news.is_nothing() {
                    continue;
                }
                let standing = self.standing(listener);
                self.handle.told(listener).send_modify(|told| {
                    told.chair.take(news);
                    told.standing = standing;
                });
            }
            if self.table.status() != before
                && let Some(club) = self.club.upgrade()
            {
                club.stir_lobby();
            }
        }
        self.publish_standings();
    }

    /// A listener's standing; a rematch is told of when its game exists.
    fn standing(&self, listener: Listener) -> Standing {
        self.table
            .standing(listener, &self.handle.presence())
            .with_next(self.next_made)
    }

    /// Tells each listener whose standing has changed, and nobody else.
    pub(super) fn publish_standings(&self) {
        for listener in Listener::ALL {
            let standing = self.standing(listener);
            self.handle.told(listener).send_if_modified(|told| {
                let changed = told.standing != standing;
                if changed {
                    told.standing = standing;
                }
                changed
            });
        }
    }
}

fn numbered(seq: u32, row: NewRow) -> Row {
    Row {
        seq,
        at: row.at,
        act: row.act,
        request: row.request,
    }
}
