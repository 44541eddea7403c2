//! The tables that run: when the club opens, when somebody comes to one, and when
//! another club has begun a game.

use std::{
    slice,
    sync::{Arc, Weak, atomic::Ordering},
};

use rules::{ByListener, chess::ByColor};
use store::{
    Act, AppendError, GameId, GameRecord, Hint, Millis, Row, SignOfLife, StoreError, TableEvent,
};
use tokio::sync::broadcast;

use crate::{
    account::Account,
    actor::Actor,
    error::ClubError,
    handle::Handle,
    inner::{Inner, closing, damaged},
    sync::lock,
    table::{ListenerState, Table},
    time::OUTAGE_LEAST,
};

/// A table, and what each listener was told.
type Folded = (Table, ByListener<ListenerState>);

impl Inner {
    /// Credits an outage and starts every running game.
    pub(super) async fn begin(self: &Arc<Self>) -> Result<(), StoreError> {
        let signs = self.store.signs_of_life().await?;
        self.liveness.begin(&signs);
        let outage = outage_from(&signs, self.time.now());
        for record in self.store.running().await? {
            match self.load_credited(&record, outage).await {
                Ok(folded) => {
                    let players = self.players(&record).await.map_err(stored)?;
                    // A game that is running has no rematch yet.
                    self.start(record, players, folded, false);
                }
                Err(StoreError::Damaged(why)) => {
                    lock(&self.damaged).push((record.id, why));
                }
                Err(error) => return Err(error),
            }
        }
        self.store.alive(self.number, self.time.now()).await?;
        self.liveness.has_written();
        Ok(())
    }

    /// A running game's table; clock time since `outage`, or since it was
    /// paused, is not counted.
    async fn load_credited(
        &self,
        record: &GameRecord,
        outage: Option<Millis>,
    ) -> Result<Folded, StoreError> {
        let mut rows = self.store.rows(record.id, 0).await?;
        let (mut table, mut states) = Table::open(record, &rows).map_err(StoreError::Damaged)?;
        loop {
            // Another club may have been quicker, or have died while it credited: what was
            // credited is not credited again, and what came after that is.
            let credited = |row: &&Row| matches!(row.act, Act::Table(TableEvent::Credited { .. }));
            let before = rows.iter().rev().find(credited).map(|row| row.at);
            let now = self.time.now();
            let now = now.saturating_add(table.time_ahead(now));
            let outage = outage
                .map(|last| last.max(before.unwrap_or(last)).max(table.touched_at()))
                .filter(|from| now.saturating_sub(*from) > OUTAGE_LEAST);
            let Some(credit) = table.judge_credit(outage, now) else {
                return Ok((table, states));
            };
            let seq = table.rows();
            let credit = slice::from_ref(&credit.row);
            match self.store.append(record.id, seq, credit, None).await {
                Ok(()) | Err(AppendError::Conflict) => {}
                Err(AppendError::Store(error)) => return Err(error),
            }
            // What this club or another has appended: a long log is not read again.
            for row in self.store.rows(record.id, seq).await? {
                table.fold(&row, &mut states);
                rows.push(row);
            }
        }
    }

    /// Starts the task of a table, unless it runs already. `next_made`: the game of
    /// its rematch exists.
    fn start(
        self: &Arc<Self>,
        record: GameRecord,
        players: ByColor<Account>,
        (table, states): Folded,
        next_made: bool,
    ) -> Arc<Handle> {
        let mut tables = lock(&self.tables);
        if let Some(running) = tables.get(&record.id) {
            return Arc::clone(running);
        }
        let id = record.id;
        let liveness = Arc::clone(&self.liveness);
        let (handle, queues) = Handle::new(record, players, (&table, states), next_made, liveness);
        let handle = Arc::new(handle);
        tables.insert(id, Arc::clone(&handle));
        drop(tables);
        let actor = Actor::new(Arc::clone(&handle), self, table, queues, next_made);
        let task = self.tasks.clone();
        tokio::spawn(async move {
            actor.run().await;
            drop(task);
        });
        handle
    }

    /// The table of a game, started if need be.
    pub(crate) async fn table(self: &Arc<Self>, game: GameId) -> Result<Arc<Handle>, ClubError> {
        if let Some(running) = lock(&self.tables).get(&game) {
            return Ok(Arc::clone(running));
        }
        if self.is_closing() {
            return Err(ClubError::closing());
        }
        let record = self.record(game).await?;
        let players = self.players(&record).await?;
        let rows = self.store.rows(game, 0).await?;
        let folded = Table::open(&record, &rows).map_err(|_| damaged(game))?;
        // The club may have died between the rematch and its game: then the table makes it.
        let next_made = match folded.0.next_game() {
            Some(next) => self.store.game(next).await.is_ok(),
            None => false,
        };
        Ok(self.start(record, players, folded, next_made))
    }

    /// Joins the running games that other clubs have begun.
    pub(super) async fn join_running(self: &Arc<Self>) {
        for record in self.store.running().await.unwrap_or_default() {
            // If it cannot be read now, it is in a second.
            if let Ok(handle) = self.table(record.id).await {
                handle.wake.notify_one();
            }
        }
    }

    /// Passes a hint on; this club joins a game that another club has begun, so
    /// that its deadlines are kept if either club goes down.
    fn pass_on(self: &Arc<Self>, hint: Hint) {
        let known = lock(&self.tables).get(&hint.game).cloned();
        match known {
            Some(handle) => {
                handle.hinted.fetch_max(hint.rows, Ordering::Relaxed);
                handle.wake.notify_one();
            }
            None if hint.rows == 1 => {
                let club = Arc::clone(self);
                tokio::spawn(async move {
                    // If it cannot be read now, it is when somebody asks for it.
                    let _later = club.table(hint.game).await;
                    club.stir_lobby();
                });
            }
            None => {}
        }
    }
}

/// Returns when the outage before this opening began; `None` if there was none. Signs from the
/// future were given by a clock that was ahead: if there are no others, nothing is known of the
/// time since the last row of each game, and none of it counts.
fn outage_from(signs: &[SignOfLife], now: Millis) -> Option<Millis> {
    let past = signs.iter().map(|sign| sign.at).filter(|at| *at <= now);
    match past.max() {
        Some(last) => Some(last).filter(|last| now.saturating_sub(*last) > OUTAGE_LEAST),
        None => (!signs.is_empty()).then_some(Millis::MIN),
    }
}

fn stored(error: ClubError) -> StoreError {
    StoreError::Other(error.to_string())
}

pub(super) async fn hear_hints(club: Weak<Inner>, mut hints: broadcast::Receiver<Hint>) {
    let Some(mut life) = club.upgrade().map(|club| club.life.subscribe()) else {
        return;
    };
    loop {
        let hint = tokio::select! {
            hint = hints.recv() => hint,
            () = closing(&mut life) => return,
        };
        let Some(club) = club.upgrade() else { return };
        match hint {
            Ok(hint) => club.pass_on(hint),
            // What was missed is found by reading.
            Err(broadcast::error::RecvError::Lagged(_)) => {
                let all: Vec<_> = lock(&club.tables).values().cloned().collect();
                for handle in all {
                    handle.hinted.fetch_add(1, Ordering::Relaxed);
                    handle.wake.notify_one();
                }
            }
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}
