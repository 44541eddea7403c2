//! Methods of [`Club`] for one table: hearing a game, and playing in it.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use referee::Event;
use rules::Listener;
use store::{AccountId, Act, GameId, GameRecord, RequestId, Row};
use wire::{RefusalCode, TableAct};

use crate::{
    error::ClubError,
    facts::{Clocks, GameFacts},
    finished::FinishedGame,
    hearing::RequestAnswer,
    inner::{Club, Inner, damaged},
    listening::Listening,
    refusals::not_a_player,
    seat_view::SeatView,
    sync::lock,
    table::{Body, Request, Table},
};

/// Maximum length of what a player says to the referee, in bytes.
const MAX_TEXT_BYTES: usize = 200;
/// Maximum length of the text of the tries that a player makes in advance, in bytes.
const MAX_CONDITIONAL_BYTES: usize = 1_000;

impl Club {
    /// Returns the seat of a reader: White or Black for a player. Every other reader is a
    /// spectator, also a reader who is not signed in.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such game.
    pub async fn seat(
        &self,
        game: GameId,
        reader: Option<AccountId>,
    ) -> Result<Listener, ClubError> {
        Ok(self.0.table(game).await?.seat(reader))
    }

    /// Returns the facts of a game, as a reader may know them.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such game.
    pub async fn facts(
        &self,
        game: GameId,
        reader: Option<AccountId>,
    ) -> Result<GameFacts, ClubError> {
        let table = self.0.table(game).await?;
        let seat = table.seat(reader);
        let standing = table.published(seat).borrow().standing.clone();
        Ok(table.facts(seat, standing))
    }

    /// Subscribes to a game. The subscription begins with the hearings after number `after`. As
    /// long as the subscription of a player exists, the player counts as present.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such game; [`RefusalCode::Invalid`] if the reader has not heard
    /// number `after` yet.
    pub async fn listen(
        &self,
        game: GameId,
        reader: Option<AccountId>,
        after: u32,
    ) -> Result<Listening, ClubError> {
        Ok(self.heard(game, reader, after).await?.present())
    }

    /// Subscribes to a game like [`listen`](Club::listen). But this subscription does not make a
    /// player present at the table.
    ///
    /// # Errors
    /// As for [`listen`](Club::listen).
    pub async fn heard(
        &self,
        game: GameId,
        reader: Option<AccountId>,
        after: u32,
    ) -> Result<Listening, ClubError> {
        let table = self.0.table(game).await?;
        let seat = table.seat(reader);
        if after > table.published(seat).borrow().state.n() {
            return Err(ClubError::new(
                RefusalCode::Invalid,
                "after-unknown",
                format!(
                    "`after` is {after}, but you have not heard number {after} yet: `after` must be \
                     the number of your last hearing; if the club has lost its last answers, begin \
                     again with 0"
                ),
            ));
        }
        table.note_watcher(reader);
        Ok(Listening::new(table, seat, after))
    }

    /// Returns what a player's seat knows now.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such game; [`RefusalCode::Forbidden`] for everybody who does not
    /// play in the game.
    pub async fn seat_view(&self, game: GameId, reader: AccountId) -> Result<SeatView, ClubError> {
        let table = self.0.table(game).await?;
        let seat = table.color(reader)?;
        let published = table.published(seat.into()).borrow();
        published.state.seat_view().ok_or_else(not_a_player)
    }

    /// Passes a text of a player to the referee: a try in any notation, or a word.
    ///
    /// `after` is the number of the last hearing that the player heard. A repeated `id` with the
    /// same text gets the same answer and is not judged again.
    ///
    /// # Errors
    /// A refusal, which only the asker gets. Nothing has changed.
    pub async fn say(
        &self,
        game: GameId,
        by: AccountId,
        id: RequestId,
        after: u32,
        text: &str,
    ) -> Result<RequestAnswer, ClubError> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(ClubError::new(
                RefusalCode::TooLarge,
                "attempt-long",
                format!("what you say to the referee may have at most {MAX_TEXT_BYTES} bytes"),
            ));
        }
        let table = self.0.table(game).await?;
        let seat = table.color(by)?;
        let text = text.to_owned();
        table.ask(seat, id, Body::Say { after, text }).await
    }

    /// Sets the tries that a player makes in advance; an empty text ends them. They are separated by
    /// `;` and are made in order, one in each turn of the player: `e2e4; or d2d4; e4d5 if capture d5`.
    /// A try with `or` is made if the try before it is not played. Without a condition (`quiet`,
    /// `capture`, `capture d5`, `check`, `any`), a try is made only if the opponent's last move
    /// neither took a man of the player nor gave check. When a turn comes in which no try is played,
    /// the rest is forgotten.
    ///
    /// # Errors
    /// A refusal, which only the asker gets. Nothing has changed.
    pub async fn set_conditional(
        &self,
        game: GameId,
        by: AccountId,
        id: RequestId,
        text: &str,
    ) -> Result<RequestAnswer, ClubError> {
        if text.len() > MAX_CONDITIONAL_BYTES {
            return Err(ClubError::new(
                RefusalCode::TooLarge,
                "attempt-long",
                format!("tries in advance may have at most {MAX_CONDITIONAL_BYTES} bytes"),
            ));
        }
        let table = self.0.table(game).await?;
        let seat = table.color(by)?;
        table
            .ask(seat, id, Body::Conditional(text.to_owned()))
            .await
    }

    /// Refuses a typed text that needs no referee: a question about what the player knows
    /// (`question`), and a move that cannot be legal as far as the player knows (`impossible`).
    /// Nobody hears of it, and the result depends only on what the player heard. A request that the
    /// referee has answered before is not refused: its text may be impossible now.
    ///
    /// # Errors
    /// The refusal, or that the player does not play in this game.
    pub async fn ask_back(
        &self,
        game: GameId,
        by: AccountId,
        id: Option<&RequestId>,
        text: &str,
    ) -> Result<(), ClubError> {
        let table = self.0.table(game).await?;
        let seat = table.color(by)?;
        if id.is_some_and(|id| table.is_repeat(seat, id)) {
            return Ok(());
        }
        table.published(seat.into()).borrow().state.ask_back(text)
    }

    /// Whether an attempt is exempt from the limit on the number of attempts. These attempts are
    /// exempt:
    ///
    /// - an attempt that ends the game: a resignation, or the acceptance of a draw;
    /// - the first question of each kind in a turn;
    /// - a try that the player's men allow, and that was not refused in this turn.
    ///
    /// If a door limits the rate of a player's attempts, it must not refuse exempt attempts. It
    /// must delay them.
    pub async fn is_unlimited(
        &self,
        game: GameId,
        by: AccountId,
        id: RequestId,
        after: u32,
        text: &str,
    ) -> bool {
        let Ok(table) = self.0.table(game).await else {
            return false;
        };
        let text = text.to_owned();
        let body = Body::Say { after, text };
        table
            .color(by)
            .is_ok_and(|seat| table.is_unlimited(&Request { seat, id, body }))
    }

    /// Performs an act of a player at the table.
    ///
    /// # Errors
    /// A refusal, which only the asker gets. Nothing has changed.
    pub async fn act(
        &self,
        game: GameId,
        by: AccountId,
        id: RequestId,
        act: TableAct,
    ) -> Result<RequestAnswer, ClubError> {
        let table = self.0.table(game).await?;
        let seat = table.color(by)?;
        // A repeated request gets its earlier answer. The limits apply only to a new rematch.
        if act != TableAct::Rematch || table.is_repeat(seat, &id) {
            return table.ask(seat, id, Body::Act(act)).await;
        }
        let other = *table.record.players.get(seat.other());
        for player in [by, other] {
            let state = self.0.store.account(player).await?.state;
            if state != store::AccountState::Active {
                return Err(ClubError::new(
                    RefusalCode::NotPossible,
                    "account-closed",
                    "there is no rematch: the account of one of the players is closed",
                ));
            }
        }
        // The lock is held until the game of an agreed rematch is created and counted.
        let _turn = self.0.lock_games_with_bots(by, other).await;
        self.0.check_games(&[by, other]).await?;
        table.ask(seat, id, Body::Act(act)).await
    }

    /// Returns a finished game, with everything that was hidden during play.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such game; [`RefusalCode::NotPossible`] if the game is not over.
    pub async fn finished(&self, game: GameId) -> Result<Arc<FinishedGame>, ClubError> {
        let club = &self.0;
        if let Some(finished) = club.replays.find(game) {
            return Ok(finished);
        }
        let record = club.record(game).await?;
        if record.over.is_none() {
            return Err(not_over());
        }
        let cell = club.replays.cell(game);
        let finished = cell.get_or_try_init(|| club.replay(record)).await;
        let events = finished.as_ref().ok().map(|finished| finished.log.len());
        club.replays.note(game, events);
        finished.cloned()
    }
}

impl Inner {
    /// Ends the games whose end the operator has ordered.
    pub(super) async fn end_ordered(&self) {
        // If the store fails now, the games end about half a second later.
        let games = self.store.to_end().await.unwrap_or_default();
        for game in games {
            if let Some(handle) = lock(&self.tables).get(&game) {
                handle.ends.store(true, Relaxed);
                handle.wake.notify_one();
            }
        }
    }

    /// Replays a finished game.
    async fn replay(&self, record: GameRecord) -> Result<Arc<FinishedGame>, ClubError> {
        let _place = self.replays.place().await?;
        let players = self.players(&record).await?;
        let rows = self.store.rows(record.id, 0).await?;
        let count = rows.len();
        let work = move || {
            let (table, _) = Table::open(&record, &rows).map_err(|_| damaged(record.id))?;
            let (log, clocks) = log(&record, &rows).map_err(|_| damaged(record.id))?;
            Ok(Arc::new(FinishedGame {
                id: record.id,
                players,
                choices: *table.choices(),
                at: record.at,
                over: table.over().ok_or_else(not_over)?,
                terms: record.terms,
                log,
                clocks,
            }))
        };
        self.replays.work(count, work).await?
    }
}

fn not_over() -> ClubError {
    ClubError::new(
        RefusalCode::NotPossible,
        "game-not-over",
        "the game is not over: before its end, each player knows only what they heard",
    )
}

/// Returns every event of a game, and the clocks after each event.
fn log(record: &GameRecord, rows: &[Row]) -> Result<(Vec<Event>, Vec<Option<Clocks>>), String> {
    let (mut log, mut clocks) = (Vec::new(), Vec::new());
    let (mut table, _) = Table::open(record, rows.get(..1).unwrap_or_default())?;
    for row in rows {
        if row.seq > 0 {
            table.apply(row, &table.calls(row));
        }
        if let Act::Game(event) = &row.act {
            log.push(event.clone());
            clocks.push(table.clocks());
        }
    }
    Ok((log, clocks))
}
