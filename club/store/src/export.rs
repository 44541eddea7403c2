//! Exports games as text for the operator. The text contains the true positions, also of running
//! games.

use std::io::{self, Write};

use referee::Event;
use rules::chess::ByColor;
use serde::Serialize;

use crate::{
    account::Account,
    calendar::pgn_date,
    check,
    error::StoreError,
    game::GameRecord,
    row::{Act, Millis, Row, TableEvent},
};

/// Returns a finished game as PGN, from tags of the players and the event, and the log.
pub type PgnExport = fn(tags: &[(&str, &str)], log: &[Event]) -> String;

/// Format of an export.
#[derive(Copy, Clone, Debug)]
pub enum ExportForm {
    /// One line of JSON for each game: names, terms, and every row with its text.
    Lines,
    /// PGN with the tries, for each finished game.
    Pgn(PgnExport),
}

/// Selection of games.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum ExportGames {
    /// All games, also running games. The logs of running games contain true positions that nobody
    /// may see yet.
    All,
    /// Only games that are over.
    Finished,
}

/// Error that stopped an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Version of the line format.
const VERSION: u8 = 1;

#[derive(Serialize)]
struct GameLine<'a> {
    version: u8,
    game: String,
    white: &'a str,
    black: &'a str,
    rules: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    custom: Option<&'a str>,
    clock: Option<ClockLine>,
    rated: bool,
    at: Millis,
    over: Option<OverLine>,
    rows: Vec<RowLine<'a>>,
}

#[derive(Serialize)]
struct ClockLine {
    initial: Millis,
    increment: Millis,
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<Millis>,
}

#[derive(Serialize)]
struct OverLine {
    result: &'static str,
    reason: &'static str,
}

#[derive(Serialize)]
struct RowLine<'a> {
    seq: u32,
    at: Millis,
    event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<&'a str>,
}

/// Writes a game as one line of JSON.
pub(crate) fn write_line(
    out: &mut dyn Write,
    record: &GameRecord,
    players: &ByColor<Account>,
    rows: &[Row],
) -> io::Result<()> {
    let line = GameLine {
        version: VERSION,
        game: record.id.to_string(),
        white: &players.white.name,
        black: &players.black.name,
        rules: &record.terms.rules,
        custom: record.terms.custom.as_deref(),
        clock: match record.terms.time.columns() {
            [Some(initial), Some(increment), cap] => Some(ClockLine {
                initial,
                increment,
                cap,
            }),
            [..] => None,
        },
        rated: record.terms.rated,
        at: record.at,
        over: record.over.map(|over| OverLine {
            result: over.winner.score(),
            reason: over.reason.name(),
        }),
        rows: rows
            .iter()
            // What a player wanted to try stays private, like guesses.
            .filter(|row| !matches!(row.act, Act::Table(TableEvent::Conditional(..))))
            .map(|row| RowLine {
                seq: row.seq,
                at: row.at,
                event: row.act.to_string(),
                seat: row.request.as_ref().map(|(seat, _)| seat.to_string()),
                request: row.request.as_ref().map(|(_, id)| id.0.as_str()),
            })
            .collect(),
    };
    let mut text = serde_json::to_vec(&line)?;
    text.push(b'\n');
    out.write_all(&text)
}

/// Writes a finished game as PGN with tries.
pub(crate) fn write_pgn(
    out: &mut dyn Write,
    record: &GameRecord,
    players: &ByColor<Account>,
    rows: &[Row],
    pgn: PgnExport,
) -> io::Result<()> {
    let rated = if record.terms.rated {
        "Rated"
    } else {
        "Casual"
    };
    let tags = [
        ("Event", &*format!("{rated} game")),
        ("Date", &date(record.at)),
        ("White", &players.white.name),
        ("Black", &players.black.name),
        ("TimeControl", &record.terms.time.pgn()),
        ("GameId", &record.id.to_string()),
    ];
    out.write_all(pgn(&tags, &check::events(rows)).as_bytes())
}

/// Formats the UTC day of a time as PGN does; `????.??.??` for times before 1970 or far in the
/// future.
fn date(at: Millis) -> String {
    const DAY: Millis = 24 * 60 * 60 * 1000;
    if (0..=3_000_000).contains(&at.div_euclid(DAY)) {
        pgn_date(at)
    } else {
        "????.??.??".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn export_dates_match_the_calendar_or_are_unknown() {
        for (seconds, day) in [
            (0, "1970.01.01"),
            (86_399, "1970.01.01"),
            (86_400, "1970.01.02"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_735_603_200, "2024.12.31"),
            (4_107_542_400, "2100.03.01"),
            (-1, "????.??.??"),
            (i64::MAX / 1000, "????.??.??"),
        ] {
            assert_eq!(date(seconds * 1000), day);
        }
    }
}
