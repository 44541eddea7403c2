//! How long games waited after the death of a node or the return of the database.

use std::{
    collections::BTreeMap,
    ops::Range,
    time::{Duration, Instant},
};

use crate::{Fault, Keeper, ground::Span, player::Record};

/// A game that was not served for some time.
pub struct Waited<'a> {
    game: &'a str,
    moment: Instant,
    /// How long it was not served.
    pub time: Duration,
}

/// Finds the longest wait: the time from one of the moments to the next hearing of a game, or to the
/// next fault, without the time that the players, connected again, thought before their next attempt.
/// Only a game that was being played before and after the moment counts.
pub fn served_again<'a>(
    records: &'a [Record],
    happened: &[(Fault, usize, Span)],
    moments: &[Instant],
) -> Option<Waited<'a>> {
    let mut games: BTreeMap<&String, Vec<Instant>> = BTreeMap::new();
    for record in records {
        for (game, heard) in &record.times.heard {
            games.entry(game).or_default().extend(heard);
        }
    }
    let mut longest: Option<Waited<'_>> = None;
    for (game, heard) in games {
        for moment in moments {
            let next = heard.iter().filter(|at| *at > moment).min();
            if let Some(next) = next
                && heard.iter().any(|at| at < moment)
            {
                let faults = happened.iter().map(|(_, _, span)| span.from);
                let until = faults.filter(|at| at > moment).fold(*next, Instant::min);
                let thought = thought(records, game, *moment..until);
                let time = until.duration_since(*moment).saturating_sub(thought);
                if longest.as_ref().is_none_or(|longest| longest.time < time) {
                    longest = Some(Waited {
                        game,
                        moment: *moment,
                        time,
                    });
                }
            }
        }
    }
    longest
}

/// Returns the time from a player's last connection in this time to the next attempt in the game.
fn thought(records: &[Record], game: &String, span: Range<Instant>) -> Duration {
    let players = || records.iter().filter(|r| r.times.heard.contains_key(game));
    let connected = |record: &Record| {
        let mut events = record.times.connection.iter().rev();
        let (at, what) = events.find(|(at, _)| *at < span.end)?;
        (what == "connected" && span.contains(at)).then_some(*at)
    };
    let Some(ready) = players().filter_map(connected).min() else {
        return Duration::ZERO;
    };
    let sent = players().flat_map(|record| {
        let asks = record.journal.asks.iter().filter(|ask| ask.game == *game);
        asks.filter_map(|ask| record.times.sent.get(&ask.id))
    });
    let next = sent.copied().filter(|at| *at > ready).min();
    next.map_or(span.end, |next| next.min(span.end))
        .duration_since(ready)
}

/// The function [`story`] tells what happened within this number of milliseconds before and after a
/// moment.
const STORY: i128 = 6_000;

/// Tells what happened shortly before and shortly after the moment at which a game began to wait:
/// the faults, and what the players of the game sent and received. Times are in milliseconds from
/// this moment.
pub fn story(keeper: &Keeper, records: &[Record], waited: &Waited<'_>) -> String {
    let since = |at: Instant| match at.checked_duration_since(waited.moment) {
        Some(later) => later.as_millis() as i128,
        None => -(waited.moment.duration_since(at).as_millis() as i128),
    };
    let mut told: Vec<(i128, String)> = Vec::new();
    for (fault, n, span) in &keeper.happened {
        told.push((since(span.from), format!("{fault:?} of node {n} begins")));
        told.push((since(span.until), format!("{fault:?} of node {n} ends")));
    }
    for record in records {
        let Some(heard) = record.times.heard.get(waited.game) else {
            continue;
        };
        let name = &record.journal.name;
        for at in heard {
            told.push((since(*at), format!("{name} hears")));
        }
        let asks = record.journal.asks.iter();
        for ask in asks.filter(|ask| ask.game == waited.game) {
            if let Some(at) = record.times.sent.get(&ask.id) {
                told.push((since(*at), format!("{name} sends {}", ask.id)));
            }
            if let Some(at) = record.times.answered.get(&ask.id) {
                told.push((since(*at), format!("{name} gets the answer to {}", ask.id)));
            }
        }
        for (at, what) in &record.times.connection {
            told.push((since(*at), format!("{name}: {what}")));
        }
    }
    told.retain(|(at, _)| at.abs() <= STORY);
    told.sort();
    let lines = told.iter().map(|(at, what)| format!("\n  {at} ms: {what}"));
    format!("game {}{}", waited.game, lines.collect::<String>())
}
