//! Checks a store: its logs, its index of games, its accounts.

use std::fmt;

use referee::{Event, Game, ReplayError};

use crate::{
    game::GameRecord,
    row::{Act, Row},
};

/// Result of a check.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Report {
    /// Number of accounts.
    pub accounts: u64,
    /// Number of games.
    pub games: u64,
    /// Number of games that are not over.
    pub running: u64,
    /// Number of rows in all logs.
    pub rows: u64,
    /// Faults, one sentence for each; empty if there are none.
    pub faults: Vec<String>,
}

impl Report {
    /// Whether no fault was found.
    pub fn is_well(&self) -> bool {
        self.faults.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |n: u64, what: &str| {
            let plural = if n == 1 { "" } else { "s" };
            format!("{n} {what}{plural}")
        };
        write!(
            f,
            "{}, {} ({} running), {}",
            counted(self.accounts, "account"),
            counted(self.games, "game"),
            self.running,
            counted(self.rows, "row")
        )
    }
}

/// Returns the events of a log that are events of the game, not of the table.
pub(crate) fn events(rows: &[Row]) -> Vec<Event> {
    let game = rows.iter().filter_map(|row| match &row.act {
        Act::Game(event) => Some(event.clone()),
        Act::Table(_) => None,
    });
    game.collect()
}

/// Replays the log of a game and compares it with the index. Returns the game, or the text of the
/// first fault.
pub(crate) fn replay(record: &GameRecord, rows: &[Row]) -> Result<Game, String> {
    let id = record.id;
    let log = events(rows);
    let game = Game::replay(&log).map_err(|error| {
        let index = match &error {
            ReplayError::NotOpened => return format!("game {id}: {error}"),
            ReplayError::OpenedTwice { index } | ReplayError::Impossible { index, .. } => *index,
        };
        let of_game = |row: &&Row| matches!(row.act, Act::Game(_));
        let row = rows.iter().filter(of_game).nth(index);
        match row {
            Some(row) => format!("game {id}, row {}: {error}", row.seq),
            None => format!("game {id}: {error}"),
        }
    })?;
    if game.over() != record.over {
        let said = |over: Option<rules::Over>| match over {
            Some(over) => over.to_string(),
            None => "running".to_owned(),
        };
        return Err(format!(
            "game {id}: the index says {}, its log says {}",
            said(record.over),
            said(game.over())
        ));
    }
    if record.terms.custom.is_none() && record.terms.rules != game.rules() {
        return Err(format!(
            "game {id}: the index says that it is played under {}, its log says {}",
            record.terms.rules,
            game.rules()
        ));
    }
    Ok(game)
}
