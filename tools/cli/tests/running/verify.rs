//! Compares the journals of the players with the logs of the club.

use std::collections::BTreeMap;

use referee::Event;
use rules::chess::Color;
use store::{Act, Row, TableEvent};
use wire::Side;

use super::journal::{Ask, Journal, RequestContent};

/// Results of the comparison of all logs.
#[derive(Debug, Default)]
pub struct Found {
    pub rows: u64,
    pub games: u64,
    /// Number of finished games.
    pub over: u64,
    /// Number of requests that were answered from the log, because the first answer was lost when a
    /// server was killed.
    pub answered_from_log: u64,
    /// Number of requests that were lost before they were stored, and were judged
    /// when the player sent them again.
    pub judged_later: u64,
    pub credits: u64,
    /// Times of the rows that credit an outage, for each game.
    pub credited: BTreeMap<String, Vec<i64>>,
    pub faults: Vec<String>,
}

/// Compares the log of a game with the journals of its players.
pub fn compare(found: &mut Found, game: &str, rows: &[Row], journals: &[&Journal]) {
    check_rows(found, game, rows);
    // At the end of a run, the server process may be killed just as a game begins. Then possibly
    // only one of the two players has heard of the game, so only one journal has it.
    let sits = |color: Color| {
        let mut books = journals
            .iter()
            .filter_map(|journal| journal.books.get(game));
        books.any(|book| Color::from(book.side) == color)
    };
    for row in rows {
        if let Some((color, _)) = &row.request
            && !sits(*color)
        {
            let fault = format!("game {game}: {row:?}, but no journal has this seat");
            found.faults.push(fault);
        }
    }
    for journal in journals {
        compare_seat(found, game, rows, journal);
    }
}

/// Checks that the rows are numbered without gaps, and that no game ended because a player
/// was slow.
pub fn check_rows(found: &mut Found, game: &str, rows: &[Row]) {
    found.games += 1;
    found.rows += rows.len() as u64;
    for (place, row) in rows.iter().enumerate() {
        if row.seq as usize != place {
            let fault = format!("game {game}: row {} at place {place}", row.seq);
            found.faults.push(fault);
        }
        match &row.act {
            Act::Game(Event::Flagged { .. } | Event::Aborted | Event::Left { .. }) => {
                let fault = format!(
                    "game {game}: {} at {}, although no player was slow",
                    row.act, row.at
                );
                found.faults.push(fault);
            }
            Act::Table(TableEvent::Credited { .. }) => {
                found.credits += 1;
                let of_game = found.credited.entry(game.to_owned());
                of_game.or_default().push(row.at);
            }
            Act::Table(_) | Act::Game(_) => {}
        }
    }
}

/// Compares the log of a game with the journal of one of its players.
pub fn compare_seat(found: &mut Found, game: &str, rows: &[Row], journal: &Journal) {
    let Some(book) = journal.books.get(game) else {
        found
            .faults
            .push(format!("{} has no seat in game {game}", journal.name));
        return;
    };
    let side = Color::from(book.side);
    let mut stored: Vec<&Row> = Vec::new();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for row in rows {
        if let Some((color, id)) = &row.request
            && *color == side
        {
            stored.push(row);
            *counts.entry(id.0.as_str()).or_default() += 1;
        }
    }
    let asks = journal.asks.iter().filter(|ask| ask.game == game);
    for ask in asks.clone() {
        let times = counts.get(ask.id.as_str()).copied().unwrap_or(0);
        let right = match (&ask.answer, ask.refused) {
            (Some(_), None) => times == 1,
            (None, Some(_)) => times == 0,
            (None, None) => times <= 1,
            (Some(_), Some(_)) => false,
        };
        if !right {
            let fault = format!("game {game}: {times} rows for {ask:?}");
            found.faults.push(fault);
        }
    }
    // The requests must be in the same order in the log and in the journal, and the log
    // must not contain other requests.
    let answered: Vec<&Ask> = asks.filter(|ask| ask.answer.is_some()).collect();
    let in_log: Vec<&str> = stored
        .iter()
        .filter_map(|row| row.request.as_ref().map(|(_, id)| id.0.as_str()))
        .collect();
    let in_journal: Vec<&str> = answered.iter().map(|ask| ask.id.as_str()).collect();
    if in_log != in_journal {
        let fault = format!(
            "game {game}: {side:?}'s log has {in_log:?}, the player's journal has {in_journal:?}"
        );
        found.faults.push(fault);
        return;
    }
    for (row, ask) in stored.iter().zip(answered) {
        if !fits(row, ask, book.side) {
            let fault = format!("game {game}: {row:?} for {ask:?}");
            found.faults.push(fault);
        }
        if ask.again > 0 {
            if row.at < ask.sent {
                found.answered_from_log += 1;
            } else {
                found.judged_later += 1;
            }
        }
    }
}

/// Whether the row contains the request, and the answer agrees with the row.
fn fits(row: &Row, ask: &Ask, side: Side) -> bool {
    let Some(said) = &ask.answer else {
        return false;
    };
    let said = said.answer.as_str();
    let mine = |by: Color| by == Color::from(side);
    match (&ask.what, &row.act) {
        (RequestContent::Try { text, .. }, Act::Game(event)) => match event {
            Event::Moved { by, what, .. } => {
                mine(*by) && what.to_string() == *text && said == "moved"
            }
            Event::Rebuffed {
                by, what, verdict, ..
            } => {
                let heard = [verdict.name(), "no"];
                mine(*by) && what.to_string() == *text && heard.contains(&said)
            }
            Event::Any { by, answer } => {
                let heard = match answer {
                    Some(true) => "yes",
                    Some(false) => "none",
                    None => "nonsense",
                };
                mine(*by) && text == "any" && said == heard
            }
            Event::Count { by, .. } => mine(*by) && text == "count" && said == "count",
            Event::Recap { by } => mine(*by) && text == "recap" && said == "recap",
            Event::Offered { by } => mine(*by) && text == "offer-draw" && said == "offered",
            Event::Declined { by } => mine(*by) && text == "decline-draw" && said == "declined",
            Event::Agreed { by } => mine(*by) && text == "accept-draw" && said == "drawn",
            Event::Resigned { by } => mine(*by) && text == "resign" && said == "resigned",
            Event::Opened(_)
            | Event::Withdrew { .. }
            | Event::Flagged { .. }
            | Event::Left { .. }
            | Event::Aborted => false,
        },
        (RequestContent::Act(_), Act::Table(TableEvent::RematchOffered(by))) => {
            mine(*by) && said == "done"
        }
        (RequestContent::Act(_), Act::Table(TableEvent::Rematch(_))) => said == "done",
        (RequestContent::Act(_), _) | (RequestContent::Try { .. }, Act::Table(_)) => false,
    }
}
