//! Check of the store: logs, index, accounts.

use std::fmt;

use referee::{Event, Game, ReplayError};

use crate::{
    game::GameRecord,
    row::{Act, Row},
};

/// Report of a check.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Report {
    /// Accounts.
    pub accounts: u64,
    /// Games.
    pub games: u64,
    /// Games that are not over.
    pub running: u64,
    /// Rows in all their logs.
    pub rows: u64,
    /// Faults, one sentence each; empty if there are none.
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

/// Returns the events of a log that belong to the game and not to the table.
pub(crate) fn events(rows: &[Row]) -> Vec<Event> {
    let game = rows.iter().filter_map(|row| match &row.act {
        Act::Game(event) => Some(event.clone()),
        Act::Table(_) => None,
    });
    game.collect()
}

/// Replays a game's log; returns its fault, if there is one.
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
