//! The doors' way to a table.

use std::time::Duration;

use referee::Event;
use rules::Listener;
use store::{AccountId, Act, GameId, GameRecord, Millis, RequestId, Row};
use tokio::time::timeout;

use crate::{
    act::TableAct,
    error::{ClubError, Code},
    facts::{Clocks, GameFacts, Status},
    finished::FinishedGame,
    handle::Handle,
    hearing::RequestAnswer,
    inner::{Club, damaged},
    listening::Listening,
    lobby::GameRow,
    refusals::not_a_player,
    seat_view::SeatView,
    table::{Body, Table},
};

/// The longest text that may be said.
const LONGEST_TEXT: usize = 200;

/// Timeout of rows that another club may have written.
const OTHERS: Duration = Duration::from_millis(1500);

impl Club {
    /// Returns a reader's seat: players have their colour; everybody else, and
    /// a reader who is not signed in, is a spectator.
    ///
    /// # Errors
    /// [`Code::NotFound`].
    pub async fn seat(
        &self,
        game: GameId,
        reader: Option<AccountId>,
    ) -> Result<Listener, ClubError> {
        Ok(self.0.table(game).await?.seat(reader))
    }

    /// A game's facts, as a reader may know them.
    ///
    /// # Errors
    /// [`Code::NotFound`].
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

    /// Starts to listen; hearings after number `after` come first. As long as a
    /// player's listening lives, the player counts as present.
    ///
    /// # Errors
    /// [`Code::NotFound`]; [`Code::Invalid`] for a number that was not heard yet.
    pub async fn listen(
        &self,
        game: GameId,
        reader: Option<AccountId>,
        after: u32,
    ) -> Result<Listening, ClubError> {
        Ok(self.heard(game, reader, after).await?.present())
    }

    /// Reads the hearings after number `after` without listening: a player who
    /// only reads does not count as present.
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
        heard_already(&table, seat, after).await?;
        Ok(Listening::new(table, seat, after))
    }

    /// Returns what a player's seat knows now.
    ///
    /// # Errors
    /// [`Code::Forbidden`] for everybody else.
    pub async fn seat_view(&self, game: GameId, reader: AccountId) -> Result<SeatView, ClubError> {
        let table = self.0.table(game).await?;
        let seat = table.color(reader)?;
        let published = table.published(seat.into()).borrow();
        published.state.seat_view().ok_or_else(not_a_player)
    }

    /// A player speaks to the referee: a try in any notation, or a word.
    ///
    /// `after` is the last number that the player heard. The same `id` with the same
    /// text gets the same answer and is not judged again.
    ///
    /// # Errors
    /// A refusal for the asker alone; nothing has changed.
    pub async fn say(
        &self,
        game: GameId,
        by: AccountId,
        id: RequestId,
        after: u32,
        text: &str,
    ) -> Result<RequestAnswer, ClubError> {
        if text.len() > LONGEST_TEXT {
            return Err(ClubError::new(
                Code::TooLarge,
                format!("what you say to the referee has at most {LONGEST_TEXT} bytes"),
            ));
        }
        let table = self.0.table(game).await?;
        let seat = table.color(by)?;
        let text = text.to_owned();
        table.ask(seat, id, Body::Say { after, text }).await
    }

    /// A player does something at the table.
    ///
    /// # Errors
    /// A refusal for the asker alone; nothing has changed.
    pub async fn act(
        &self,
        game: GameId,
        by: AccountId,
        id: RequestId,
        act: TableAct,
    ) -> Result<RequestAnswer, ClubError> {
        let table = self.0.table(game).await?;
        let seat = table.color(by)?;
        // A repeat is answered as before; only a new rematch needs capacity.
        if act == TableAct::Rematch && !table.is_repeat(seat, &id) {
            self.0.check_games(&[by]).await?;
        }
        table.ask(seat, id, Body::Act(act)).await
    }

    /// A game that is over: everything, for everybody.
    ///
    /// # Errors
    /// [`Code::NotOver`] as long as it is not.
    pub async fn finished(&self, game: GameId) -> Result<FinishedGame, ClubError> {
        let club = &self.0;
        let record = club.record(game).await?;
        if record.over.is_none() {
            return Err(not_over());
        }
        let rows = club.store.rows(game, 0).await?;
        let (table, _) = Table::open(&record, &rows).map_err(|_| damaged(game))?;
        let (log, clocks) = log(&record, &rows).map_err(|_| damaged(game))?;
        Ok(FinishedGame {
            id: game,
            players: club.players(&record).await?,
            terms: record.terms,
            choices: *table.choices(),
            at: record.at,
            over: table.over().ok_or_else(not_over)?,
            log,
            clocks,
        })
    }

    /// A reader's finished games, newest first, made before `before`.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn games(
        &self,
        of: AccountId,
        before: Millis,
        limit: u32,
    ) -> Result<Vec<GameRow>, ClubError> {
        let club = &self.0;
        let mut rows = Vec::new();
        for record in club.store.finished(of, before, limit.min(200)).await? {
            rows.push(club.game_row(&record, Status::Over, Some(of)).await?);
        }
        Ok(rows)
    }
}

/// Checks that a listener has heard number `after`.
///
/// It may have been heard from another club over the same store: then this one
/// looks there first.
async fn heard_already(table: &Handle, seat: Listener, after: u32) -> Result<(), ClubError> {
    let mut published = table.published(seat).subscribe();
    if published.borrow().state.n() >= after {
        return Ok(());
    }
    // While somebody listens, the table reads the store each second.
    table.wake.notify_one();
    let heard = published.wait_for(|published| published.state.n() >= after);
    match timeout(OTHERS, heard).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(ClubError::new(
            Code::Invalid,
            format!(
                "`after` is {after}, and you have not heard so much: it is the number of the last thing heard"
            ),
        )),
    }
}

fn not_over() -> ClubError {
    ClubError::new(
        Code::NotOver,
        "the game is not over: until then each player knows only what they heard",
    )
}

/// Every event of a game, with the clocks after it.
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
