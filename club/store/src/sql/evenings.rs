//! Statements on evenings, in SQL that SQLite and Postgres both accept.

use std::fmt::Debug;

use rules::chess::ByColor;

use crate::{
    account::AccountId,
    copy::Value,
    error::{StoreError, damaged},
    evening::{Evening, EveningGame, EveningId, EveningKind, EveningPlayer},
    id::GameId,
    sql::columns::{self, StoredRow, game_id, wish_word},
    store::Fence,
};

pub(crate) const EVENING: &str = "select * from evenings where id = $1";
pub(crate) const OPEN: &str = "select * from evenings where not is_over order by begins, id";
pub(crate) const OVER: &str = "\
select * from evenings where is_over order by begins desc, id desc limit $1";
pub(crate) const OF: &str = "\
select * from evenings where maker = $1
    or id in (select evening from evening_players where account = $1) order by begins, id";
pub(crate) const PLAYERS: &str =
    "select * from evening_players where evening = $1 order by joined, account";
pub(crate) const GAMES: &str = "\
select evening_games.game, evening_games.white, evening_games.black, evening_games.round,
    evening_games.at,
    games.id as begun, games.winner, games.reason
from evening_games left join games on games.id = evening_games.game
where evening_games.evening = $1 order by evening_games.at, evening_games.game";
pub(crate) const LEAVE_ALL: &str = "update evening_players set waits = null where account = $1";

const CREATE: &str = "\
insert into evenings (id, kind, name, maker, rules, custom, clock_initial, clock_increment, clock_cap, rated,
    color, at, begins, minutes)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing";
const CANCEL: &str = "delete from evenings where id = $1 and not is_over";
const REMOVE_RUNNING: &str = "\
delete from evening_games where evening = $1 and not exists (
    select 1 from games where games.id = evening_games.game and games.reason is not null)";
const END: &str = "update evenings set is_over = true where id = $1";
const SET_PLAYER: &str = "\
insert into evening_players (evening, account, joined, waits) values ($1, $2, $3, $4)
on conflict (evening, account) do update set waits = excluded.waits";
const ADD_GAME: &str = "\
insert into evening_games (game, evening, white, black, round, at)
select $1, $2, $3, $4, $5, $6 from lease where fence = $7 on conflict do nothing";
const REMOVE_GAME: &str = "\
delete from evening_games
where game = $1 and not exists (select 1 from games where games.id = evening_games.game)";

/// A change of evenings.
#[derive(Debug)]
pub(crate) enum EveningChange {
    Create(Box<Evening>),
    Cancel(EveningId),
    End(EveningId),
    SetPlayer(EveningId, EveningPlayer),
    AddGame(Fence, EveningId, EveningGame),
    RemoveGame(GameId),
}

pub(super) fn text(text: impl ToString) -> Value {
    Value::Text(Some(text.to_string()))
}

pub(super) fn number(number: i64) -> Value {
    Value::Number(Some(number))
}

/// A change that consists of statements.
pub(crate) trait Statements: Debug + Send + Sync {
    /// Returns the statements of the change, each with its values.
    fn statements(&self) -> Vec<(&'static str, Vec<Value>)>;

    /// Returns the error if the last statement has changed no row; `None` if that is no error.
    fn missed(&self) -> Option<StoreError>;
}

impl Statements for EveningChange {
    fn statements(&self) -> Vec<(&'static str, Vec<Value>)> {
        match self {
            EveningChange::Create(new) => {
                let terms = &new.terms;
                let clock = terms.time.columns().map(Value::Number);
                let mut values = vec![
                    text(&new.id.0),
                    text(new.kind.name()),
                    text(&new.name),
                    number(new.maker.0),
                ];
                values.extend([text(&terms.rules), Value::Text(terms.custom.clone())]);
                values.extend(clock);
                values.extend([Value::Truth(terms.rated), text(wish_word(terms.color))]);
                values.extend([new.at, new.begins, i64::from(new.minutes)].map(number));
                vec![(CREATE, values)]
            }
            EveningChange::Cancel(id) => vec![(CANCEL, vec![text(&id.0)])],
            EveningChange::End(id) => {
                let end = |statement| (statement, vec![text(&id.0)]);
                vec![end(REMOVE_RUNNING), end(END)]
            }
            EveningChange::SetPlayer(id, player) => {
                let of = [player.account.0, player.joined].map(number);
                let mut values = vec![text(&id.0)];
                values.extend(of);
                values.push(Value::Number(player.waits));
                vec![(SET_PLAYER, values)]
            }
            EveningChange::AddGame(fence, id, game) => {
                let ByColor { white, black } = game.players;
                let mut values = vec![text(game.game), text(&id.0)];
                values
                    .extend([white.0, black.0, i64::from(game.round), game.at, *fence].map(number));
                vec![(ADD_GAME, values)]
            }
            EveningChange::RemoveGame(game) => vec![(REMOVE_GAME, vec![text(game)])],
        }
    }

    fn missed(&self) -> Option<StoreError> {
        match self {
            EveningChange::Create(_) => Some(StoreError::Taken),
            EveningChange::AddGame(..) => Some(StoreError::Fenced),
            EveningChange::RemoveGame(_) => None,
            EveningChange::Cancel(_) | EveningChange::End(_) | EveningChange::SetPlayer(..) => {
                Some(StoreError::Absent)
            }
        }
    }
}

pub(crate) fn evening(row: &impl StoredRow) -> Result<Evening, StoreError> {
    let minutes = u32::try_from(row.number("minutes")?);
    let kind = row.text("kind")?;
    Ok(Evening {
        id: EveningId(row.text("id")?.to_owned()),
        kind: [EveningKind::Arena, EveningKind::RoundRobin]
            .into_iter()
            .find(|known| known.name() == kind)
            .ok_or_else(|| damaged(format_args!("`{kind}` is not a kind of evening")))?,
        name: row.text("name")?.to_owned(),
        maker: AccountId(row.number("maker")?),
        terms: columns::terms(row)?,
        at: row.number("at")?,
        begins: row.number("begins")?,
        minutes: minutes.map_err(|_| damaged("the length of an evening is out of range"))?,
        is_over: row.truth("is_over")?,
    })
}

pub(crate) fn player(row: &impl StoredRow) -> Result<EveningPlayer, StoreError> {
    Ok(EveningPlayer {
        account: AccountId(row.number("account")?),
        joined: row.number("joined")?,
        waits: row.number_or_null("waits")?,
    })
}

pub(crate) fn game(row: &impl StoredRow) -> Result<EveningGame, StoreError> {
    let round = u32::try_from(row.number("round")?);
    Ok(EveningGame {
        game: game_id(row.text("game")?)?,
        players: ByColor {
            white: AccountId(row.number("white")?),
            black: AccountId(row.number("black")?),
        },
        round: round.map_err(|_| damaged("the round of a game is out of range"))?,
        at: row.number("at")?,
        begun: row.text_or_null("begun")?.is_some(),
        over: columns::over(row)?,
    })
}

/// Implements [`EveningStore`](crate::evening::EveningStore) with a function that changes, and one
/// that reads rows with a statement and one value.
macro_rules! evening_store {
    ($store:ty) => {
        #[async_trait::async_trait]
        impl EveningStore for $store {
            async fn create_evening(&self, evening: &Evening) -> Result<(), StoreError> {
                let new = EveningChange::Create(Box::new(evening.clone()));
                self.change_rows(Box::new(new)).await
            }

            async fn cancel_evening(&self, id: &EveningId) -> Result<(), StoreError> {
                self.change_rows(Box::new(EveningChange::Cancel(id.clone())))
                    .await
            }

            async fn end_evening(&self, id: &EveningId) -> Result<(), StoreError> {
                self.change_rows(Box::new(EveningChange::End(id.clone())))
                    .await
            }

            async fn evening(&self, id: &EveningId) -> Result<Evening, StoreError> {
                let id = Value::Text(Some(id.0.clone()));
                let found = self.read_rows(sql::EVENING, Some(id), sql::evening).await?;
                found.into_iter().next().ok_or(StoreError::Absent)
            }

            async fn evenings(
                &self,
                is_over: bool,
                limit: u32,
            ) -> Result<Vec<Evening>, StoreError> {
                let limit = Value::Number(Some(limit.into()));
                match is_over {
                    true => self.read_rows(sql::OVER, Some(limit), sql::evening).await,
                    false => self.read_rows(sql::OPEN, None, sql::evening).await,
                }
            }

            async fn evenings_of(&self, account: AccountId) -> Result<Vec<Evening>, StoreError> {
                let of = Value::Number(Some(account.0));
                self.read_rows(sql::OF, Some(of), sql::evening).await
            }

            async fn set_evening_player(
                &self,
                evening: &EveningId,
                player: &EveningPlayer,
            ) -> Result<(), StoreError> {
                let set = EveningChange::SetPlayer(evening.clone(), player.clone());
                self.change_rows(Box::new(set)).await
            }

            async fn evening_players(
                &self,
                id: &EveningId,
            ) -> Result<Vec<EveningPlayer>, StoreError> {
                let id = Value::Text(Some(id.0.clone()));
                self.read_rows(sql::PLAYERS, Some(id), sql::player).await
            }

            async fn add_evening_game(
                &self,
                fence: Fence,
                evening: &EveningId,
                game: &EveningGame,
            ) -> Result<(), StoreError> {
                let add = EveningChange::AddGame(fence, evening.clone(), game.clone());
                self.change_rows(Box::new(add)).await
            }

            async fn remove_evening_game(&self, game: GameId) -> Result<(), StoreError> {
                self.change_rows(Box::new(EveningChange::RemoveGame(game)))
                    .await
            }

            async fn evening_games(&self, id: &EveningId) -> Result<Vec<EveningGame>, StoreError> {
                let id = Value::Text(Some(id.0.clone()));
                self.read_rows(sql::GAMES, Some(id), sql::game).await
            }
        }
    };
}
pub(crate) use evening_store;
