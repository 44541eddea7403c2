//! Conversion of columns to and from the types of the store.

use rules::{Over, Winner, chess::ByColor};
use sqlx::{Row as _, sqlite::SqliteRow};

use super::fault::damaged;
use crate::{
    account::{Account, AccountId, AccountKind, TokenHash},
    game::{ColorWish, GameRecord, Offer, OfferId, OfferKind, Terms, TimeControl},
    id::GameId,
    row::{ParseActError, RequestId, Row},
    store::StoreError,
};

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

fn game_id(text: &str) -> Result<GameId, StoreError> {
    text.parse()
        .map_err(|_| damaged(format_args!("`{text}` is not the id of a game")))
}

fn terms(row: &SqliteRow) -> Result<Terms, StoreError> {
    let time = match (
        row.try_get("clock_initial")?,
        row.try_get("clock_increment")?,
    ) {
        (Some(initial), Some(increment)) => TimeControl::Clock { initial, increment },
        (None, None) => TimeControl::Unlimited,
        (Some(_), None) | (None, Some(_)) => {
            return Err(damaged(
                "a clock must have an initial time and an increment, or neither",
            ));
        }
    };
    let wish: &str = row.try_get("color")?;
    let color = [ColorWish::Any, ColorWish::White, ColorWish::Black]
        .into_iter()
        .find(|known| wish_word(*known) == wish)
        .ok_or_else(|| {
            damaged(format_args!(
                "`{wish}` is not a colour that an offer can ask for"
            ))
        })?;
    Ok(Terms {
        rules: row.try_get("rules")?,
        custom: row.try_get("custom")?,
        time,
        rated: row.try_get("rated")?,
        color,
    })
}

pub(super) fn game(row: &SqliteRow) -> Result<GameRecord, StoreError> {
    let id = game_id(row.try_get("id")?)?;
    game_named(id, row).map_err(|error| {
        if let StoreError::Damaged(why) = error {
            damaged(format_args!("game {id}: {why}"))
        } else {
            error
        }
    })
}

fn game_named(id: GameId, row: &SqliteRow) -> Result<GameRecord, StoreError> {
    let winner: Option<&str> = row.try_get("winner")?;
    let reason: Option<&str> = row.try_get("reason")?;
    let end = || damaged("the end of the game cannot be read");
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
            white: AccountId(row.try_get("white")?),
            black: AccountId(row.try_get("black")?),
        },
        terms: terms(row)?,
        at: row.try_get("at")?,
        over,
    })
}

/// Parses a stored row. Fails if the row does not have the number `seq`.
pub(super) fn log_row(row: &SqliteRow, id: GameId, seq: u32) -> Result<Row, StoreError> {
    let at_fault = |why: &str| damaged(format_args!("game {id}, row {seq}: {why}"));
    let stored: i64 = row.try_get("seq")?;
    if stored != i64::from(seq) {
        return Err(at_fault(&format!(
            "row {stored} is in the place of this row"
        )));
    }
    let seat: Option<&str> = row.try_get("seat")?;
    let request = match (seat, row.try_get("request")?) {
        (None, None) => None,
        (Some(seat), Some(request)) => {
            let seat = seat
                .parse()
                .map_err(|_| at_fault("the seat is not a colour"))?;
            Some((seat, RequestId(request)))
        }
        (Some(_), None) | (None, Some(_)) => {
            return Err(at_fault("a request must have a seat and an id"));
        }
    };
    let event: &str = row.try_get("event")?;
    Ok(Row {
        seq,
        at: row.try_get("at")?,
        act: event
            .parse()
            .map_err(|error: ParseActError| at_fault(&error.to_string()))?,
        request,
    })
}

pub(super) fn account(row: &SqliteRow) -> Result<Account, StoreError> {
    let word: &str = row.try_get("kind")?;
    let kind = [
        AccountKind::Person,
        AccountKind::Guest,
        AccountKind::Program,
    ]
    .into_iter()
    .find(|known| account_kind_word(*known) == word)
    .ok_or_else(|| damaged(format_args!("`{word}` is not a kind of account")))?;
    Ok(Account {
        id: AccountId(row.try_get("id")?),
        name: row.try_get("name")?,
        kind,
        password: row.try_get("password")?,
    })
}

/// Checks that a session can be read.
pub(super) fn session(row: &SqliteRow) -> Result<(), StoreError> {
    let token: &str = row.try_get("token")?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if token.len() != 64 || !token.bytes().all(is_digit) {
        return Err(damaged("a session's token is no hash"));
    }
    for number in ["account", "at", "until"] {
        let _number: i64 = row.try_get(number)?;
    }
    Ok(())
}

pub(super) fn offer(row: &SqliteRow) -> Result<Offer, StoreError> {
    let word: &str = row.try_get("kind")?;
    let recipient: Option<i64> = row.try_get("recipient")?;
    let kind = match (word, recipient) {
        ("seek", None) => OfferKind::Seek,
        ("challenge", Some(to)) => OfferKind::Challenge { to: AccountId(to) },
        ("invitation", None) => OfferKind::Invitation,
        _ => return Err(damaged(format_args!("`{word}` is not a kind of offer"))),
    };
    let game: Option<&str> = row.try_get("game")?;
    Ok(Offer {
        id: OfferId(row.try_get("id")?),
        kind,
        by: AccountId(row.try_get("maker")?),
        terms: terms(row)?,
        at: row.try_get("at")?,
        game: game.map(game_id).transpose()?,
    })
}
