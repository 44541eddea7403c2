//! Conversion of columns to and from the types of the store.

use rules::{Over, Winner, chess::ByColor};
use sqlx::{Row as _, postgres::PgRow, sqlite::SqliteRow};

use crate::{
    account::{Account, AccountId, AccountKind, AccountState, Scope, Session, TokenHash},
    error::{StoreError, damaged},
    game::{ColorWish, GameRecord, Offer, OfferId, OfferKind, Terms, TimeControl},
    id::GameId,
    row::{ParseActError, RequestId, Row},
    sql::MANY_ROWS,
};

/// A row that a database has returned. There is one function for each type of column in the club's
/// tables.
pub(crate) trait StoredRow {
    /// Returns a text.
    fn text(&self, column: &str) -> Result<&str, sqlx::Error>;
    /// Returns a text that may be absent.
    fn text_or_null(&self, column: &str) -> Result<Option<&str>, sqlx::Error>;
    /// Returns a number.
    fn number(&self, column: &str) -> Result<i64, sqlx::Error>;
    /// Returns a number that may be absent.
    fn number_or_null(&self, column: &str) -> Result<Option<i64>, sqlx::Error>;
    /// Returns a truth value.
    fn truth(&self, column: &str) -> Result<bool, sqlx::Error>;
}

/// Implements the trait for the rows of each driver.
macro_rules! stored_rows {
    ($($row:ty)+) => {
        $(impl StoredRow for $row {
            fn text(&self, column: &str) -> Result<&str, sqlx::Error> {
                self.try_get(column)
            }

            fn text_or_null(&self, column: &str) -> Result<Option<&str>, sqlx::Error> {
                self.try_get(column)
            }

            fn number(&self, column: &str) -> Result<i64, sqlx::Error> {
                self.try_get(column)
            }

            fn number_or_null(&self, column: &str) -> Result<Option<i64>, sqlx::Error> {
                self.try_get(column)
            }

            fn truth(&self, column: &str) -> Result<bool, sqlx::Error> {
                self.try_get(column)
            }
        })+
    };
}

stored_rows!(SqliteRow PgRow);

pub(crate) const fn wish_word(wish: ColorWish) -> &'static str {
    match wish {
        ColorWish::Any => "any",
        ColorWish::White => "white",
        ColorWish::Black => "black",
    }
}

pub(crate) const fn account_kind_word(kind: AccountKind) -> &'static str {
    match kind {
        AccountKind::Person => "person",
        AccountKind::Guest => "guest",
        AccountKind::Program => "program",
    }
}

pub(crate) const fn state_word(state: AccountState) -> &'static str {
    match state {
        AccountState::Active => "active",
        AccountState::Disabled => "disabled",
        AccountState::Waiting => "waiting",
        AccountState::Resigning => "resigning",
        AccountState::Deleted => "deleted",
    }
}

pub(crate) const fn offer_kind_word(kind: &OfferKind) -> &'static str {
    match kind {
        OfferKind::Seek => "seek",
        OfferKind::Challenge { .. } => "challenge",
        OfferKind::Invitation => "invitation",
    }
}

pub(crate) fn hex(token: TokenHash) -> String {
    token.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn game_id(text: &str) -> Result<GameId, StoreError> {
    text.parse()
        .map_err(|_| damaged(format_args!("`{text}` is not the id of a game")))
}

pub(crate) fn terms(row: &impl StoredRow) -> Result<Terms, StoreError> {
    let time = match (
        row.number_or_null("clock_initial")?,
        row.number_or_null("clock_increment")?,
        row.number_or_null("clock_cap")?,
    ) {
        (Some(initial), Some(increment), None) => TimeControl::Clock { initial, increment },
        (Some(initial), Some(increment), Some(cap)) => TimeControl::Days {
            initial,
            increment,
            cap,
        },
        (None, None, None) => TimeControl::Unlimited,
        (None, ..) | (_, None, _) => {
            return Err(damaged(
                "a game must have both an initial time and an increment, or neither",
            ));
        }
    };
    let wish = row.text("color")?;
    let color = [ColorWish::Any, ColorWish::White, ColorWish::Black]
        .into_iter()
        .find(|known| wish_word(*known) == wish)
        .ok_or_else(|| {
            damaged(format_args!(
                "`{wish}` is not a colour that an offer can ask for"
            ))
        })?;
    Ok(Terms {
        rules: row.text("rules")?.to_owned(),
        custom: row.text_or_null("custom")?.map(str::to_owned),
        time,
        rated: row.truth("rated")?,
        color,
    })
}

pub(crate) fn id_of_game(row: &impl StoredRow) -> Result<GameId, StoreError> {
    game_id(row.text("id")?)
}

pub(crate) fn game(row: &impl StoredRow) -> Result<GameRecord, StoreError> {
    let id = game_id(row.text("id")?)?;
    game_named(id, row).map_err(|error| {
        if let StoreError::Damaged(why) = error {
            damaged(format_args!("game {id}: {why}"))
        } else {
            error
        }
    })
}

fn game_named(id: GameId, row: &impl StoredRow) -> Result<GameRecord, StoreError> {
    Ok(GameRecord {
        id,
        players: ByColor {
            white: AccountId(row.number("white")?),
            black: AccountId(row.number("black")?),
        },
        terms: terms(row)?,
        at: row.number("at")?,
        over: over(row)?,
    })
}

pub(crate) fn over(row: &impl StoredRow) -> Result<Option<Over>, StoreError> {
    let winner = row.text_or_null("winner")?;
    let reason = row.text_or_null("reason")?;
    let end = || damaged("the end of the game cannot be read");
    match (winner, reason) {
        (None, None) => Ok(None),
        (Some(winner), Some(reason)) => Ok(Some(Over {
            winner: Winner::from_score(winner).ok_or_else(end)?,
            reason: reason.parse().map_err(|_| end())?,
        })),
        (Some(_), None) | (None, Some(_)) => Err(end()),
    }
}

/// Parses a stored row. Fails if the row does not have the number `seq`.
fn log_row(row: &impl StoredRow, id: GameId, seq: u32) -> Result<Row, StoreError> {
    let at_fault = |why: &str| damaged(format_args!("game {id}, row {seq}: {why}"));
    let stored = row.number("seq")?;
    if stored != i64::from(seq) {
        return Err(at_fault(&format!(
            "row {stored} is in the place of this row"
        )));
    }
    let seat = row.text_or_null("seat")?;
    let request = match (seat, row.text_or_null("request")?) {
        (None, None) => None,
        (Some(seat), Some(request)) => {
            let seat = seat
                .parse()
                .map_err(|_| at_fault("the seat is not a colour"))?;
            Some((seat, RequestId(request.to_owned())))
        }
        (Some(_), None) | (None, Some(_)) => {
            return Err(at_fault("a request must have a seat and an id"));
        }
    };
    let act = row.text("act")?;
    Ok(Row {
        seq,
        at: row.number("at")?,
        act: act
            .parse()
            .map_err(|error: ParseActError| at_fault(&error.to_string()))?,
        request,
    })
}

pub(crate) fn account(row: &impl StoredRow) -> Result<Account, StoreError> {
    let word = row.text("kind")?;
    let kind = [
        AccountKind::Person,
        AccountKind::Guest,
        AccountKind::Program,
    ]
    .into_iter()
    .find(|known| account_kind_word(*known) == word)
    .ok_or_else(|| damaged(format_args!("`{word}` is not a kind of account")))?;
    let word = row.text("state")?;
    let state = [
        AccountState::Active,
        AccountState::Disabled,
        AccountState::Waiting,
        AccountState::Resigning,
        AccountState::Deleted,
    ]
    .into_iter()
    .find(|known| state_word(*known) == word)
    .ok_or_else(|| damaged(format_args!("`{word}` is not a state of an account")))?;
    Ok(Account {
        id: AccountId(row.number("id")?),
        name: row.text("name")?.to_owned(),
        kind,
        password: row.text_or_null("password")?.map(str::to_owned),
        at: row.number("at")?,
        generation: row.number("generation")?,
        state,
    })
}

/// Parses the hash of a session's token.
pub(crate) fn token(text: &str) -> Result<TokenHash, StoreError> {
    let wrong = || damaged("the token of a session is not a hash");
    let mut hash = [0; 32];
    let digits = text.as_bytes();
    if digits.len() != 2 * hash.len() || !text.is_ascii() {
        return Err(wrong());
    }
    for (byte, digits) in hash.iter_mut().zip(digits.chunks(2)) {
        let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
        *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
    }
    Ok(TokenHash(hash))
}

pub(crate) fn session(row: &impl StoredRow) -> Result<Session, StoreError> {
    let word = row.text("scope")?;
    let scope = [Scope::All, Scope::Play]
        .into_iter()
        .find(|known| known.word() == word)
        .ok_or_else(|| damaged(format_args!("`{word}` is not a scope of a session")))?;
    Ok(Session {
        token: token(row.text("token")?)?,
        account: AccountId(row.number("account")?),
        at: row.number("at")?,
        until: row.number("until")?,
        generation: row.number("generation")?,
        label: row.text("label")?.to_owned(),
        scope,
    })
}

pub(crate) fn offer(row: &impl StoredRow) -> Result<Offer, StoreError> {
    let word = row.text("kind")?;
    let recipient = row.number_or_null("recipient")?;
    let kind = match (word, recipient) {
        ("seek", None) => OfferKind::Seek,
        ("challenge", Some(to)) => OfferKind::Challenge { to: AccountId(to) },
        ("invitation", None) => OfferKind::Invitation,
        _ => return Err(damaged(format_args!("`{word}` is not a kind of offer"))),
    };
    let game = row.text_or_null("game")?;
    Ok(Offer {
        id: OfferId(row.text("id")?.to_owned()),
        kind,
        by: AccountId(row.number("maker")?),
        terms: terms(row)?,
        at: row.number("at")?,
        game: game.map(game_id).transpose()?,
    })
}

/// Parses the rows of a log. The first row must have the number `from`.
pub(crate) fn log<R: StoredRow>(
    game: GameId,
    from: u32,
    stored: &[R],
) -> Result<Vec<Row>, StoreError> {
    let numbered = (from..).zip(stored);
    numbered.map(|(seq, row)| log_row(row, game, seq)).collect()
}

/// Parses the rows of a log. If there are many rows, they are parsed on a blocking thread.
pub(crate) async fn long_log<R: StoredRow + Send + 'static>(
    game: GameId,
    from: u32,
    stored: Vec<R>,
) -> Result<Vec<Row>, StoreError> {
    if stored.len() < MANY_ROWS {
        return log(game, from, &stored);
    }
    let parsed = tokio::task::spawn_blocking(move || log(game, from, &stored)).await;
    parsed.map_err(|error| StoreError::Other(error.to_string()))?
}
