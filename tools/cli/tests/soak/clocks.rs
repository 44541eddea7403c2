//! Compares the time that the clocks counted with the time that really passed.
//!
//! For each interval between two moves, the test computes the longest time that a clock may count,
//! and sometimes also the shortest. The test measures with its own clock, because the club's clock
//! is wrong in some runs. The time of a row lies between two known moments: the moment when its
//! request was first sent, and the moment when somebody first heard of the row.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use wire::{ClocksJson, HeardJson, HearingJson};

use crate::{
    ground::{CREDITED_OUTAGE, Span, Timeline},
    player::Record,
    running::journal::counted,
};

/// Tolerance of all comparisons, because the club counts in whole milliseconds.
const ROUNDING: Duration = Duration::from_millis(3);

/// Numbers of checked intervals. An interval lies between two moves that a seat heard.
#[derive(Copy, Clone, Debug, Default)]
pub struct Checked {
    /// Intervals for which the upper bound was checked: a clock may count at most the length of the
    /// interval, minus the outages in it that must be credited.
    pub bounded: u64,
    /// Part of `bounded`: intervals that contain an outage that must be credited.
    pub credited: u64,
    /// Part of `bounded`: intervals for which two more conditions were checked. The counted time is
    /// at least the time from the moment when the player heard the opponent's move to the moment
    /// when the player sent a move. The counted time is equal to the length of the interval by the
    /// club's own time.
    pub exact: u64,
}

/// Time at which the request of a row was first sent, and time at which somebody first heard of the
/// row.
#[derive(Copy, Clone, Debug)]
struct RequestTimes {
    sent: Option<Instant>,
    heard: Option<Instant>,
}

impl RequestTimes {
    fn and(self, other: RequestTimes) -> RequestTimes {
        let min = |a: Option<Instant>, b: Option<Instant>| a.into_iter().chain(b).min();
        RequestTimes {
            sent: min(self.sent, other.sent),
            heard: min(self.heard, other.heard),
        }
    }
}

/// Whether a move caused the hearing. The clocks in such a hearing were set by the row of the move.
/// The clocks in the hearing of a private answer were set by an earlier row, possibly by a credit
/// that nobody heard.
fn is_move(hearing: &&HearingJson) -> bool {
    let mut heard = hearing.heard.iter();
    heard.any(|heard| matches!(heard, HeardJson::Turn { .. }))
}

/// Returns, for each move of a game, when the request of the move was sent, and when the move was
/// heard. The key is the state of the clocks in the hearing of the move.
fn known(record: &Record, game: &str) -> HashMap<ClocksKey, RequestTimes> {
    let mut sent: HashMap<u32, Instant> = HashMap::new();
    for ask in record.journal.asks.iter().filter(|ask| ask.game == game) {
        let n = ask.answer.as_ref().and_then(|answer| answer.n);
        if let Some((n, at)) = n.zip(record.times.sent.get(&ask.id)) {
            sent.insert(n, *at);
        }
    }
    let heard = record.times.heard.get(game);
    let mut all: HashMap<ClocksKey, RequestTimes> = HashMap::new();
    for hearing in record.journal.books[game].heard.iter().filter(is_move) {
        let Some(clocks) = hearing.clocks else {
            continue;
        };
        let known = RequestTimes {
            sent: sent.get(&hearing.n).copied(),
            heard: heard
                .and_then(|heard| heard.get(hearing.n as usize - 1))
                .copied(),
        };
        let key = key(&clocks);
        let both = all.get(&key).map_or(known, |before| before.and(known));
        all.insert(key, both);
    }
    all
}

/// Time of a row, and the time left on both clocks.
type ClocksKey = (i64, i64, i64);

fn key(clocks: &ClocksJson) -> ClocksKey {
    (clocks.at, clocks.white, clocks.black)
}

/// Checks the clocks of every game. Returns the number of checked intervals, and the faults.
pub fn check(records: &[Record], timeline: &Timeline) -> (Checked, Vec<String>) {
    let mut checked = Checked::default();
    let mut faults = Vec::new();
    for record in records {
        for (game, book) in &record.journal.books {
            let mut known = known(record, game);
            let others = records.iter().filter(|other| {
                other.journal.name != record.journal.name && other.journal.books.contains_key(game)
            });
            for other in others {
                for (key, more) in self::known(other, game) {
                    known.entry(key).and_modify(|one| *one = one.and(more));
                }
            }
            let moves = book.heard.iter().filter(is_move);
            let clocks = moves.filter_map(|hearing| hearing.clocks);
            let clocks: Vec<ClocksJson> = clocks.collect();
            for pair in clocks.windows(2) {
                let [before, after] = pair else { continue };
                if before == after {
                    continue;
                }
                let ends = [before, after].map(|clocks| known[&key(clocks)]);
                if let Err(why) = interval(before, after, ends, timeline, &mut checked) {
                    let name = &record.journal.name;
                    faults.push(format!("{name}, game {game}: {why}: {before:?} {after:?}"));
                }
            }
        }
    }
    (checked, faults)
}

fn interval(
    before: &ClocksJson,
    after: &ClocksJson,
    [first, last]: [RequestTimes; 2],
    timeline: &Timeline,
    checked: &mut Checked,
) -> Result<(), String> {
    let Some(lost) = counted(before, after)? else {
        return Ok(());
    };
    let lost = match u64::try_from(lost) {
        Ok(lost) => Duration::from_millis(lost),
        Err(_) => return Err(format!("the clock gained {} ms", -lost)),
    };
    let (Some(from), Some(until)) = (first.sent, last.heard) else {
        return Ok(());
    };
    let whole = Span { from, until };
    let most = timeline.chargeable(whole) + ROUNDING;
    checked.bounded += 1;
    checked.credited += u64::from(timeline.has_credited(whole));
    if lost > most {
        let long = whole.length();
        return Err(format!(
            "a clock counted {lost:?}, but it may count at most {most:?}: {long:?} minus the outages \
             that must be credited"
        ));
    }
    if timeline.has_fault(whole) || whole.length() >= CREDITED_OUTAGE {
        return Ok(());
    }
    let (Some(from), Some(until)) = (first.heard, last.sent) else {
        return Ok(());
    };
    let least = Span { from, until }.length().saturating_sub(ROUNDING);
    checked.exact += 1;
    if lost < least {
        return Err(format!(
            "a clock counted {lost:?}, but at least {least:?} passed"
        ));
    }
    let passed = after.at - before.at;
    if lost.as_millis() as i64 != passed {
        return Err(format!(
            "a clock counted {lost:?} in {passed} ms by the club's time"
        ));
    }
    Ok(())
}
