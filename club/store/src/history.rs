//! Checks the log of one game against what its listeners recorded. The log should be written like a
//! single list: one attempt after the other is appended. The check finds out whether this is true.
//!
//! The algorithm is the check of lists in Kyle Kingsbury and Peter Alvaro, "Elle: Inferring
//! Isolation Anomalies from Experimental Observations", PVLDB 14(3), 2020 (arXiv 2003.10554). Here
//! the log is the list, each row is a version, an attempt is an append, and a hearing is a read. An
//! edge of the following table means that one operation must be before another operation:
//!
//! | edge | reason |
//! | --- | --- |
//! | row to next row | the order of the log (Elle: `ww`) |
//! | row to the hearing that it caused | the listener has read this row (`wr`) |
//! | hearing to the next row of the log | the listener has not read that row yet (`rw`) |
//! | hearing to the next hearing of the same listener | a listener sees one history |
//! | operation to an attempt that was sent after the operation had ended | real time |
//!
//! A cycle of these edges is a fault. A hearing may come late, because the club to which the
//! listener is connected may not have read the log yet. So a hearing that came after an attempt may
//! show a state without this attempt, and this is no fault. But an attempt that was sent after a
//! hearing must be after this hearing.
//!
//! Like Elle, the check also reports elements that were lost, appended twice, or never sent.
//! Results that do not follow from the list are reported too. For this the referee judges each row
//! again, and the result must be equal to the row of the log. The times of the rows must not go
//! back.
//!
//! # Examples
//!
//! ```
//! use std::time::Duration;
//! use store::history::History;
//!
//! let mut history = History::new(&[]);
//! history.attempt(None, "one", Duration::ZERO, Some((Duration::from_millis(9), Some(2))));
//! assert_eq!(history.check(), ["attempt one was answered, but is not in the log"]);
//! ```

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use referee::{Event, Game};
use rules::{ByListener, Listener, chess::Color};

use crate::row::{Act, Millis, Row};

/// Number that the caller gives to a listener. A listener that connects again keeps its number.
pub type ListenerNumber = usize;

/// What a listener did.
#[derive(Clone, Debug)]
struct Operation {
    /// Listener of a hearing. For an attempt this field is not used.
    listener: ListenerNumber,
    /// Number of the row that was appended or read.
    row: usize,
    is_append: bool,
    begun: Duration,
    /// `None`: the listener does not know when the operation ended, or whether it happened.
    ended: Option<Duration>,
    name: String,
}

/// The log of a game, and what its listeners recorded.
#[derive(Debug)]
pub struct History<'a> {
    rows: &'a [Row],
    /// Rows by their request.
    requests: HashMap<(Color, &'a str), usize>,
    /// Rows that caused hearings, for each listener.
    hearings: ByListener<Vec<usize>>,
    operations: Vec<Operation>,
    faults: Vec<String>,
    /// Offset of the log's clock, and the tolerance; see [`History::clock`].
    clock: Option<(Millis, Millis)>,
}

impl<'a> History<'a> {
    /// Creates a history with the complete log of a game, and without operations of listeners.
    pub fn new(rows: &'a [Row]) -> History<'a> {
        let mut faults = Vec::new();
        let mut requests = HashMap::new();
        for (place, row) in rows.iter().enumerate() {
            if row.seq as usize != place {
                faults.push(format!("row {} is at place {place}", row.seq));
            }
            if let Some((color, id)) = &row.request
                && let Some(first) = requests.insert((*color, id.0.as_str()), place)
            {
                faults.push(format!(
                    "attempt {} is in the log twice, as row {first} and row {place}",
                    id.0
                ));
            }
        }
        // Other rows need not be in order; see `Table::row_time` in the crate `club`.
        let moves = |row: &&Row| matches!(row.act, Act::Game(Event::Moved { .. }));
        let mut latest: Option<&Row> = None;
        for row in rows {
            if let Some(before) = latest
                && row.at < before.at
            {
                faults.push(format!(
                    "the time of row {} is {} ms before the time of row {}",
                    row.seq,
                    before.at - row.at,
                    before.seq
                ));
            }
            latest = Some(row).filter(moves).or(latest);
        }
        let hearings = match judged_again(rows) {
            Ok(hearings) => hearings,
            Err(fault) => {
                faults.push(fault);
                ByListener::default()
            }
        };
        History {
            rows,
            requests,
            hearings,
            operations: Vec::new(),
            faults,
            clock: None,
        }
    }

    /// Makes the check compare the times of rows with the times of attempts. When the listeners'
    /// clock showed [`Duration::ZERO`], the clock of the log showed `at`. The time of an attempt's
    /// row must be after the attempt was sent and before it was answered. The check allows an error
    /// of `tolerance` milliseconds.
    pub fn clock(&mut self, at: Millis, tolerance: Millis) {
        self.clock = Some((at, tolerance));
    }

    /// Adds an attempt. `color` is the player's colour; `None` if the listener has no seat.
    /// `answered` contains the time of the answer, and the number of the hearing that the answer
    /// names.
    pub fn attempt(
        &mut self,
        color: Option<Color>,
        id: &str,
        begun: Duration,
        answered: Option<(Duration, Option<u32>)>,
    ) {
        let row = color.and_then(|color| self.requests.get(&(color, id)).copied());
        let Some(row) = row else {
            if answered.is_some() {
                let fault = format!("attempt {id} was answered, but is not in the log");
                self.faults.push(fault);
            }
            return;
        };
        if let Some(color) = color
            && let Some((_, Some(n))) = answered
        {
            let seen = self.row_of(color.into(), n);
            if seen != Some(row) {
                self.faults.push(format!(
                    "the answer to attempt {id} names hearing {n}, which row {row} did not cause"
                ));
            }
        }
        if let Some((at_zero, tolerance)) = self.clock {
            let at = self.rows[row].at;
            let earliest = at_zero.saturating_add(millis(begun));
            let latest = answered.map(|(ended, _)| at_zero.saturating_add(millis(ended)));
            let is_early = at < earliest.saturating_sub(tolerance);
            let is_late = latest.is_some_and(|latest| at > latest.saturating_add(tolerance));
            if is_early || is_late {
                let away = if is_early {
                    earliest
                } else {
                    latest.unwrap_or(earliest)
                };
                self.faults.push(format!(
                    "the time of row {row} is {} ms away from the time of attempt {id}",
                    at.abs_diff(away)
                ));
            }
        }
        self.operations.push(Operation {
            listener: 0,
            row,
            is_append: true,
            begun,
            ended: answered.map(|(ended, _)| ended),
            name: format!("attempt {id} (row {row})"),
        });
    }

    /// Adds a hearing. The hearings of a listener must be added in the order of their arrival. `of`
    /// is the seat of the listener, or the room (the spectators). `n` is the number of the hearing.
    /// `at` is the time of its arrival.
    pub fn hearing(&mut self, listener: ListenerNumber, of: Listener, n: u32, at: Duration) {
        match self.row_of(of, n) {
            Some(row) => self.operations.push(Operation {
                listener,
                row,
                is_append: false,
                begun: at,
                ended: Some(at),
                name: format!("hearing {n} of listener {listener} (row {row})"),
            }),
            None => self.faults.push(format!(
                "listener {listener} heard number {n}, which no row of the log has caused"
            )),
        }
    }

    fn row_of(&self, of: Listener, n: u32) -> Option<usize> {
        let place = usize::try_from(n).ok()?.checked_sub(1)?;
        self.hearings.get(of).get(place).copied()
    }

    /// Returns the faults, each as a sentence.
    pub fn check(mut self) -> Vec<String> {
        let cycle = Graph::of(&self).cycle();
        if !cycle.is_empty() {
            self.faults.push(format!(
                "each of these must be before the next one, and the last before the first: {}",
                cycle.join("; ")
            ));
        }
        self.faults
    }
}

fn millis(time: Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

/// Judges every event of the log again. Returns, for each listener, the rows that caused hearings.
fn judged_again(rows: &[Row]) -> Result<ByListener<Vec<usize>>, String> {
    let mut hearings = ByListener::<Vec<usize>>::default();
    let mut events: Vec<Event> = Vec::new();
    let mut game: Option<Game> = None;
    for (place, row) in rows.iter().enumerate() {
        let Act::Game(event) = &row.act else { continue };
        events.push(event.clone());
        let calls = match (&mut game, event) {
            (None, Event::Opened(opened)) => {
                game = Some(Game::open((**opened).clone()));
                None
            }
            (Some(game), event) => {
                let calls = game.calls(event);
                game.apply(event);
                Some(calls)
            }
            (None, _) => return Err(format!("row {place} is before the opening of the game")),
        };
        for listener in Listener::ALL {
            let mut heard = calls.iter().flat_map(|calls| calls.iter());
            if calls.is_none() || heard.any(|call| call.audience.includes(listener)) {
                hearings.get_mut(listener).push(place);
            }
        }
    }
    match Game::replay(&events) {
        Ok(_) => Ok(hearings),
        Err(_) if events.is_empty() => Ok(hearings),
        Err(error) => Err(format!("the log does not follow from the rules: {error}")),
    }
}

/// The graph of the operations, and of moments between them.
///
/// There is one node for each row, one for each hearing, and one for each end of an operation (a
/// moment). An attempt is the node of its row. The moments form a chain in the order of time. Each
/// operation has an edge to the moment of its end. Each attempt has an edge from the last moment
/// before it was sent. Without the chain, an operation would need an edge to each later attempt.
/// The number of edges would grow with the square of the number of operations.
struct Graph {
    names: Vec<Option<String>>,
    next: Vec<Vec<usize>>,
}

impl Graph {
    fn of(history: &History<'_>) -> Graph {
        let rows = history.rows.len();
        let mut graph = Graph {
            names: (0..rows).map(|row| Some(format!("row {row}"))).collect(),
            next: vec![Vec::new(); rows],
        };
        for row in 1..rows {
            graph.next[row - 1].push(row);
        }
        let mut last: HashMap<ListenerNumber, usize> = HashMap::new();
        let mut moments: BTreeMap<Duration, usize> = BTreeMap::new();
        for ended in history.operations.iter().filter_map(|one| one.ended) {
            moments.entry(ended).or_insert(0);
        }
        let mut before = None;
        for node in moments.values_mut() {
            *node = graph.add(None);
            if let Some(before) = before.replace(*node) {
                graph.next[before].push(*node);
            }
        }
        for operation in &history.operations {
            let node = if operation.is_append {
                graph.names[operation.row] = Some(operation.name.clone());
                operation.row
            } else {
                let node = graph.add(Some(operation.name.clone()));
                graph.next[operation.row].push(node);
                if operation.row + 1 < rows {
                    graph.next[node].push(operation.row + 1);
                }
                node
            };
            if !operation.is_append
                && let Some(before) = last.insert(operation.listener, node)
            {
                graph.next[before].push(node);
            }
            if let Some(moment) = operation.ended.and_then(|ended| moments.get(&ended)) {
                graph.next[node].push(*moment);
            }
            let earlier = moments.range(..operation.begun).next_back();
            if operation.is_append
                && let Some((_, moment)) = earlier
            {
                graph.next[*moment].push(node);
            }
        }
        graph
    }

    fn add(&mut self, name: Option<String>) -> usize {
        self.names.push(name);
        self.next.push(Vec::new());
        self.names.len() - 1
    }

    /// Returns the names of the operations of a short cycle, or nothing if there is no cycle. If
    /// many nodes are left, only cycles through the first [`MAX_CYCLE_STARTS`] nodes are compared.
    fn cycle(&self) -> Vec<String> {
        // Removes nodes without predecessors again and again, until every remaining node has a
        // predecessor. Each remaining node is on a cycle, or can be reached from a cycle.
        let mut predecessors = vec![0_usize; self.next.len()];
        for to in self.next.iter().flatten() {
            predecessors[*to] += 1;
        }
        let mut free: Vec<usize> = (0..self.next.len())
            .filter(|node| predecessors[*node] == 0)
            .collect();
        let mut removed = vec![false; self.next.len()];
        while let Some(node) = free.pop() {
            removed[node] = true;
            for to in &self.next[node] {
                predecessors[*to] -= 1;
                if predecessors[*to] == 0 {
                    free.push(*to);
                }
            }
        }
        let rest = (0..self.next.len()).filter(|node| !removed[*node]);
        let cycles = rest.take(MAX_CYCLE_STARTS);
        let shortest = cycles.filter_map(|node| self.cycle_from(node));
        let shortest = shortest.min_by_key(Vec::len).unwrap_or_default();
        let names = shortest.into_iter().filter_map(|n| self.names[n].clone());
        names.collect()
    }

    /// Returns a shortest cycle through a node, found by breadth-first search.
    fn cycle_from(&self, start: usize) -> Option<Vec<usize>> {
        let mut from: HashMap<usize, usize> = HashMap::new();
        let mut level = vec![start];
        while !level.is_empty() {
            let mut following = Vec::new();
            for node in level {
                for to in &self.next[node] {
                    if from.contains_key(to) {
                        continue;
                    }
                    from.insert(*to, node);
                    if *to == start {
                        let mut cycle = vec![start];
                        let mut at = node;
                        while at != start {
                            cycle.push(at);
                            at = from[&at];
                        }
                        cycle.reverse();
                        return Some(cycle);
                    }
                    following.push(*to);
                }
            }
            level = following;
        }
        None
    }
}

/// Maximum number of nodes through which a shortest cycle is searched.
const MAX_CYCLE_STARTS: usize = 64;

#[cfg(test)]
mod tests {
    use rules::rulesets;

    use super::*;
    use crate::row::RequestId;

    const MS: Duration = Duration::from_millis(1);

    /// Returns a log: the opening, then one move for each given time.
    fn log(times: &[Millis]) -> Vec<Row> {
        let rules = rulesets::by_id("wild16").unwrap();
        let opened = referee::Opened::new(rules, rules.choices, referee::StartPosition::initial());
        let mut game = Game::open(opened);
        let mut rows = vec![Row {
            seq: 0,
            at: 0,
            act: Act::Game(game.opened_event()),
            request: None,
        }];
        let tries = ["e2e4", "e7e5", "g1f3", "b8c6"];
        for (n, (at, text)) in times.iter().zip(tries).enumerate() {
            let by = if n % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            let attempt = text.parse().unwrap();
            let event = game.judge(by, attempt).unwrap().event;
            game.apply(&event);
            rows.push(Row {
                seq: n as u32 + 1,
                at: *at,
                act: Act::Game(event),
                request: Some((by, RequestId(format!("r{n}")))),
            });
        }
        rows
    }

    /// Returns a history with the attempts of [`log`]. Each attempt is answered 5 ms after it was
    /// sent. Both players hear of the attempt when it is answered.
    fn played<'a>(rows: &'a [Row], sent: &[u32]) -> History<'a> {
        let mut history = History::new(rows);
        for (listener, of) in [(0, Color::White), (1, Color::Black)] {
            history.hearing(listener, of.into(), 1, Duration::ZERO);
        }
        for (n, sent) in (0..).zip(sent) {
            let by = if n % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            let (begun, ended) = (*sent * MS, (*sent + 5) * MS);
            for (listener, of) in [(0, Color::White), (1, Color::Black)] {
                history.hearing(listener, of.into(), n + 2, ended);
            }
            let answer = Some((ended, Some(n + 2)));
            history.attempt(Some(by), &format!("r{n}"), begun, answer);
        }
        history
    }

    #[test]
    fn a_correct_history_has_no_fault() {
        let rows = log(&[10, 20, 30]);
        let mut history = played(&rows, &[8, 18, 28]);
        history.clock(0, 0);
        assert_eq!(history.check(), [""; 0]);
    }

    #[test]
    fn a_log_that_contradicts_real_time_is_a_fault() {
        let rows = log(&[10, 20, 30]);
        // The last attempt was answered before the first one was sent.
        let mut history = History::new(&rows);
        let white = Some(Color::White);
        history.attempt(white, "r2", MS, Some((2 * MS, None)));
        history.attempt(white, "r0", 5 * MS, Some((6 * MS, None)));
        let found = history.check();
        assert!(
            found[0].contains("r0") && found[0].contains("r2"),
            "{found:?}"
        );
    }

    #[test]
    fn an_older_hearing_after_a_newer_one_is_a_fault() {
        let rows = log(&[10, 20, 30]);
        let mut history = played(&rows, &[8, 18, 28]);
        history.hearing(1, Listener::Black, 2, 50 * MS);
        let found = history.check();
        assert!(found[0].contains("hearing 2 of listener 1"), "{found:?}");
    }

    #[test]
    fn a_hearing_before_its_attempt_is_a_fault() {
        let rows = log(&[10, 20, 30]);
        let mut history = History::new(&rows);
        history.hearing(2, Listener::Room, 3, 4 * MS);
        history.attempt(Some(Color::Black), "r1", 18 * MS, None);
        assert_eq!(history.check().len(), 1);
    }

    #[test]
    fn rows_of_a_faulty_store_are_faults() {
        let rows = log(&[10, 20, 30]);
        // The last attempt was answered before its commit, and the commit failed.
        let lost = played(&rows[..3], &[8, 18, 28]).check();
        // The club used its own clock.
        let mut history = History::new(&rows);
        history.clock(300_000, 60_000);
        history.attempt(Some(Color::White), "r0", 8 * MS, Some((13 * MS, None)));
        let wrong_clock = history.check();
        // A club that no longer owns the game has appended another reply to the first move.
        let event = |row: &Row| match &row.act {
            Act::Game(event) => Some(event.clone()),
            Act::Table(_) => None,
        };
        let first: Vec<Event> = rows[..2].iter().filter_map(event).collect();
        let stale = Game::replay(&first).unwrap();
        let stale = stale.judge(Color::Black, "d7d5".parse().unwrap()).unwrap();
        let mut rows = rows[..3].to_vec();
        rows.push(Row {
            seq: 3,
            at: 30,
            act: Act::Game(stale.event),
            request: None,
        });
        let stale = History::new(&rows).check();
        for (found, words) in [
            (lost, "r2 was answered, but is not in the log"),
            (wrong_clock, "ms away from the time of attempt r0"),
            (stale, "does not follow from the rules"),
        ] {
            let found = found.join("\n");
            assert!(found.contains(words), "{words}: {found}");
        }
    }
}
