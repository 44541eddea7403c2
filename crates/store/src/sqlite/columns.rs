//! Reading and writing of the columns.

use rules::{
    Over, Winner,
    chess::{ByColor, Color},
};
use sqlx::{Row as _, sqlite::SqliteRow};

use super::fault::{damaged, fault};
use crate::{
    account::{Account, AccountId, AccountKind, TokenHash},
    game::{ColorWish, GameRecord, Offer, OfferId, OfferKind, Terms, TimeControl},
    id::GameId,
    row::{RequestId, Row},
    store::StoreError,
};

pub(super) const fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn color(word: &str) -> Option<Color> {
    [Color::White, Color::Black]
        .into_iter()
        .find(|color| color_word(*color) == word)
}

pub(super) const fn wish_word(wish: ColorWish) -> &'static str {
    match wish {
        ColorWish::Any => "any",
        ColorWish::White => "white",
        ColorWish::Black => "black",
    }
}

pub(super) const fn account_kind_word(kind: AccountKind) -> &'static str {
    match kind {
        AccountKind::Person => "person",
        AccountKind::Guest => "guest",
        AccountKind::Program => "program",
    }
}

pub(super) const fn offer_kind_word(kind: &OfferKind) -> &'static str {
    match kind {
        OfferKind::Seek => "seek",
        OfferKind::Challenge { .. } => "challenge",
        OfferKind::Invitation => "invitation",
    }
}

pub(super) fn hex(token: TokenHash) -> String {
    token.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The columns `clock_initial` and `clock_increment`.
pub(super) const fn clock(time: TimeControl) -> (Option<i64>, Option<i64>) {
    match time {
        TimeControl::Clock { initial, increment } => (Some(initial), Some(increment)),
        TimeControl::Unlimited => (None, None),
    }
}

/// Reads a column of a row; a wrong type counts as damage.
fn get<'r, T>(row: &'r SqliteRow, column: &str) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(column).map_err(|error| fault(&error))
}

fn game_id(text: &str) -> Result<GameId, StoreError> {
    text.parse()
        .map_err(|_| damaged(format_args!("`{text}` names no game")))
}

fn terms(row: &SqliteRow) -> Result<Terms, StoreError> {
    let time = match (get(row, "clock_initial")?, get(row, "clock_increment")?) {
        (Some(initial), Some(increment)) => TimeControl::Clock { initial, increment },
        (None, None) => TimeControl::Unlimited,
        (Some(_), None) | (None, Some(_)) => {
            return Err(damaged("a clock has a stock and an increment, or is none"));
        }
    };
    let wish: &str = get(row, "color")?;
    let color = [ColorWish::Any, ColorWish::White, ColorWish::Black]
        .into_iter()
        .find(|known| wish_word(*known) == wish)
        .ok_or_else(|| damaged(format_args!("`{wish}` is no colour to ask for")))?;
    Ok(Terms {
        rules: get(row, "rules")?,
        custom: get(row, "custom")?,
        time,
        rated: get(row, "rated")?,
        color,
    })
}

pub(super) fn game(row: &SqliteRow) -> Result<GameRecord, StoreError> {
    let id = game_id(get(row, "id")?)?;
    game_named(id, row).map_err(|error| match error {
        StoreError::Damaged(why) => damaged(format_args!("game {id}: {why}")),
        StoreError::Full
        | StoreError::ReadOnly(_)
        | StoreError::Taken
        | StoreError::Absent
        | StoreError::Other(_) => error,
    })
}

fn game_named(id: GameId, row: &SqliteRow) -> Result<GameRecord, StoreError> {
    let winner: Option<&str> = get(row, "winner")?;
    let reason: Option<&str> = get(row, "reason")?;
    let end = || damaged("its end cannot be read");
    let over = match (winner, reason) {
        (None, None) => None,
        (Some(winner), Some(reason)) => Some(Over {
            winner: Winner::from_score(winner).ok_or_else(end)?,
            reason: reason.parse().map_err(|_| end())?,
        }),
        (Some(_), None) | (None, Some(_)) => return Err(end()),
    };
    Ok(GameRecord {
        id,
        players: ByColor {
            white: AccountId(get(row, "white")?),
            black: AccountId(get(row, "black")?),
        },
        terms: terms(row)?,
        at: get(row, "at")?,
        over,
    })
}

/// A row of a log, before its text is read.
pub(super) struct StoredRow {
    pub(super) seq: i64,
    pub(super) at: i64,
    pub(super) event: String,
    pub(super) seat: Option<String>,
    pub(super) request: Option<String>,
}

impl StoredRow {
    pub(super) fn of(row: &SqliteRow) -> Result<StoredRow, StoreError> {
        Ok(StoredRow {
            seq: get(row, "seq")?,
            at: get(row, "at")?,
            event: get(row, "event")?,
            seat: get(row, "seat")?,
            request: get(row, "request")?,
        })
    }

    /// Parses it as row `seq` of that game's log.
    pub(super) fn read(self, id: GameId, seq: u32) -> Result<Row, StoreError> {
        let at_fault = |why: &str| damaged(format_args!("game {id}, row {seq}: {why}"));
        if self.seq != i64::from(seq) {
            return Err(at_fault(&format!("row {} stands in its place", self.seq)));
        }
        let request = match (self.seat, self.request) {
            (None, None) => None,
            (Some(seat), Some(request)) => {
                let seat = color(&seat).ok_or_else(|| at_fault("its seat is no colour"))?;
                Some((seat, RequestId(request)))
            }
            (Some(_), None) | (None, Some(_)) => {
                return Err(at_fault("a request has a seat and an id"));
            }
        };
        Ok(Row {
            seq,
            at: self.at,
            act: self.event.parse().map_err(|error| {
                let error: crate::row::ParseActError = error;
                at_fault(&error.to_string())
            })?,
            request,
        })
    }
}

pub(super) fn account(row: &SqliteRow) -> Result<Account, StoreError> {
    let word: &str = get(row, "kind")?;
    let kind = [
        AccountKind::Person,
        AccountKind::Guest,
        AccountKind::Program,
    ]
    .into_iter()
    .find(|known| account_kind_word(*known) == word)
    .ok_or_else(|| damaged(format_args!("`{word}` is no kind of account")))?;
    Ok(Account {
        id: AccountId(get(row, "id")?),
        name: get(row, "name")?,
        kind,
        password: get(row, "password")?,
    })
}

pub(super) fn offer(row: &SqliteRow) -> Result<Offer, StoreError> {
    let word: &str = get(row, "kind")?;
    let recipient: Option<i64> = get(row, "recipient")?;
    let kind = match (word, recipient) {
        ("seek", None) => OfferKind::Seek,
        ("challenge", Some(to)) => OfferKind::Challenge { to: AccountId(to) },
        ("invitation", None) => OfferKind::Invitation,
        _ => return Err(damaged(format_args!("`{word}` is no kind of offer"))),
    };
    let game: Option<&str> = get(row, "game")?;
    Ok(Offer {
        id: OfferId(get(row, "id")?),
        kind,
        by: AccountId(get(row, "maker")?),
        terms: terms(row)?,
        at: get(row, "at")?,
        game: game.map(game_id).transpose()?,
    })
}
