//! Compares the records of players and spectators with the finished games, and with the log.

use std::collections::BTreeMap;

use futures_util::{StreamExt, stream};
use rules::{Listener, chess::Color};
use store::{GameId, Row, Store, history::History};
use tokio::time::{Instant, sleep};
use wire::{AnswerJson, FinishedJson, HeardJson, LineJson, Side};

use super::{
    super::api::refused,
    journal::{Ask, Journal},
    seat::Played,
    shared::{AT_ONCE, MAX_READS, RETRY_PAUSE, Shared},
    spectator::SpectatorRecord,
};

/// Faults that were found, and the number of games that were compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    /// Each fault, as a sentence that names the game and the listener.
    pub(super) list: Vec<String>,
    /// Number of games whose records were compared with the finished game.
    pub(super) finished: u64,
    /// Number of games whose records were compared with the log.
    pub(super) logs: u64,
}

/// A comparison of all records.
pub(super) struct Comparison<'a> {
    played: &'a [Played],
    spectators: BTreeMap<&'a str, Vec<&'a Journal>>,
    faults: Faults,
}

const SIDES: [Side; 2] = [Side::White, Side::Black];

impl<'a> Comparison<'a> {
    /// Creates a comparison. Its list of faults begins with the faults in the journals of the
    /// listeners. These faults were found when the messages arrived.
    pub(super) fn new(played: &'a [Played], watched: &'a [SpectatorRecord]) -> Comparison<'a> {
        let mut spectators: BTreeMap<&str, Vec<&Journal>> = BTreeMap::new();
        for record in watched {
            let journals = spectators.entry(&record.game).or_default();
            journals.push(&record.journal);
        }
        let players = played.iter().flat_map(|game| &game.seats);
        let journals = players.map(|seat| &seat.journal);
        let journals = journals.chain(watched.iter().map(|record| &record.journal));
        let list = journals.flat_map(|journal| journal.faults.clone());
        Comparison {
            played,
            spectators,
            faults: Faults {
                list: list.collect(),
                ..Faults::default()
            },
        }
    }

    /// Compares the records of each finished game with the lines that the club shows to everybody
    /// after the game.
    pub(super) async fn with_finished_games(&mut self, shared: &Shared) {
        let over = self.played.iter().filter(|game| game.seats[0].is_over);
        let reading = over
            .enumerate()
            .map(|(n, game)| async move { (game, finished(shared, n, game).await) });
        let mut reading = stream::iter(reading).buffer_unordered(AT_ONCE);
        while let Some((game, finished)) = reading.next().await {
            let found = &mut self.faults.list;
            let id = game.table.id.as_str();
            let lines = match finished {
                Ok(finished) => finished.lines,
                Err(error) => {
                    found.push(format!(
                        "game {id}: the finished game cannot be read: {error:#}"
                    ));
                    continue;
                }
            };
            self.faults.finished += 1;
            for (seat, side) in game.seats.iter().zip(SIDES) {
                compare_answers(found, &seat.journal, &lines, side);
                compare_hearings(found, &seat.journal, &lines, |line| match side {
                    Side::White => &line.white,
                    Side::Black => &line.black,
                });
            }
            for journal in self.spectators.get(id).into_iter().flatten() {
                compare_hearings(found, journal, &lines, |line| &line.room);
            }
        }
    }

    /// Compares the records of each game with the log of the game.
    pub(super) async fn with_log(&mut self, store: &dyn Store) {
        for game in self.played {
            let text = game.table.id.as_str();
            let rows = match text.parse::<GameId>() {
                Ok(id) => store.rows(id, 0).await.map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            let rows = match rows {
                Ok(rows) => rows,
                Err(error) => {
                    let fault = format!("game {text}: the log cannot be read: {error}");
                    self.faults.list.push(fault);
                    continue;
                }
            };
            self.faults.logs += 1;
            for (seat, side) in game.seats.iter().zip(SIDES) {
                compare_requests(&mut self.faults.list, &seat.journal, &rows, side);
            }
            let spectators = self.spectators.get(text).into_iter().flatten().copied();
            let players = game.seats.iter().zip(SIDES);
            let players = players.map(|(seat, side)| (&seat.journal, Some(side)));
            let journals = players.chain(spectators.map(|journal| (journal, None)));
            let found = check_history(&rows, journals);
            let found = found
                .into_iter()
                .map(|fault| format!("game {text}: {fault}"));
            self.faults.list.extend(found);
        }
    }

    pub(super) fn finish(self) -> Faults {
        self.faults
    }
}

/// Reads a finished game. If a request gets a temporary refusal or no answer, it is sent again, to
/// the next node.
async fn finished(shared: &Shared, number: usize, game: &Played) -> anyhow::Result<FinishedJson> {
    let path = format!("/api/games/{}/finished.json", game.table.id);
    let mut sent = 0;
    loop {
        let api = shared.node(number + sent).with(Some(&game.seats[0].token));
        let error = match api.get(&path).await {
            Ok(finished) => return Ok(finished),
            Err(error) => error,
        };
        sent += 1;
        let is_final = refused(&error).is_some_and(|code| !code.is_temporary());
        if is_final || sent >= MAX_READS as usize {
            return Err(error);
        }
        sleep(RETRY_PAUSE).await;
    }
}

/// Compares what a listener heard with the listener's column of the finished game.
fn compare_hearings<'a>(
    found: &mut Vec<String>,
    journal: &Journal,
    lines: &'a [LineJson],
    column: impl Fn(&'a LineJson) -> &'a Vec<HeardJson>,
) {
    let mut true_ones = lines.iter().map(column).filter(|heard| !heard.is_empty());
    let mut heard = journal.heard.iter();
    let mut n = 0;
    loop {
        n += 1;
        match (heard.next(), true_ones.next()) {
            (None, None) => return,
            (Some(heard), Some(true_one)) if heard == true_one => {}
            (Some(heard), true_one) => {
                let heard = text(heard);
                let true_one = true_one.map_or_else(|| "nothing".to_owned(), |one| text(one));
                found.push(format!(
                    "{}: hearing {n} was {heard}, but in the finished game it is {true_one}",
                    journal.name
                ));
                return;
            }
            (None, Some(true_one)) => {
                found.push(format!(
                    "{}: hearing {n} did not come: {}",
                    journal.name,
                    text(true_one)
                ));
                return;
            }
        }
    }
}

fn text(heard: &[HeardJson]) -> String {
    // The conversion cannot fail, because all keys of maps in these values are text.
    serde_json::to_string(heard).unwrap_or_default()
}

/// Whether an attempt and its answer agree with a line of the finished game. Two answers agree if
/// both are `moved`, or if neither is.
fn fits(ask: &Ask, line: &LineJson) -> bool {
    let answer = ask.answer.as_deref().unwrap_or_default();
    line.attempt == ask.text && (answer == "moved") == (line.answer == AnswerJson::Moved)
}

/// Checks that the finished game has each answered attempt of this side once, in order, and no
/// other attempt of this side.
fn compare_answers(found: &mut Vec<String>, journal: &Journal, lines: &[LineJson], side: Side) {
    let answered = journal.asks.iter().filter(|ask| ask.answer.is_some());
    let mut lines = lines.iter().filter(|line| line.by == Some(side));
    for ask in answered {
        match lines.next() {
            Some(line) if fits(ask, line) => {}
            other => {
                let other = other.map_or_else(
                    || "nothing".to_owned(),
                    |line| format!("`{}` ({:?})", line.attempt, line.answer),
                );
                found.push(format!(
                    "{}: `{}` (request {}) was answered `{}`, but the finished game has {other}",
                    journal.name,
                    ask.text,
                    ask.id,
                    ask.answer.as_deref().unwrap_or_default(),
                ));
                return;
            }
        }
    }
    if let Some(line) = lines.next() {
        found.push(format!(
            "{}: the finished game has `{}`, which had no answer",
            journal.name, line.attempt
        ));
    }
}

/// Checks the history of a game: its log, and the journals of its listeners. Beside each journal is
/// the side of the player, or `None` if the listener is a spectator.
fn check_history<'a>(
    rows: &[Row],
    journals: impl Iterator<Item = (&'a Journal, Option<Side>)> + Clone,
) -> Vec<String> {
    let sent = journals.clone().flat_map(|(journal, _)| &journal.asks);
    let sent = sent.map(|ask| ask.sent);
    let heard = journals.clone().flat_map(|(journal, _)| &journal.times);
    let Some(zero) = sent.chain(heard.copied()).min() else {
        return Vec::new();
    };
    let since = |at: Instant| at.duration_since(zero);
    let mut history = History::new(rows);
    for (number, (journal, side)) in journals.enumerate() {
        let color = side.map(Color::from);
        for ask in &journal.asks {
            let answered = ask.answered.map(|(at, n)| (since(at), n));
            history.attempt(color, &ask.id, since(ask.sent), answered);
        }
        let of = color.map_or(Listener::Room, Listener::from);
        for (n, at) in (1..).zip(&journal.times) {
            history.hearing(number, of, n, since(*at));
        }
    }
    history.check()
}

/// Checks that the log has each answered request of this side once, in order, and no refused
/// request of this side.
fn compare_requests(found: &mut Vec<String>, journal: &Journal, rows: &[Row], side: Side) {
    let requests = rows.iter().filter_map(|row| row.request.as_ref());
    let own = requests.filter(|(color, _)| *color == Color::from(side));
    let mut stored = own.map(|(_, id)| id.0.as_str());
    for ask in journal.asks.iter().filter(|ask| ask.answer.is_some()) {
        let next = stored.next();
        if next != Some(ask.id.as_str()) {
            found.push(format!(
                "{}: request {} was answered `{}`, but the next request in the log is {}",
                journal.name,
                ask.id,
                ask.answer.as_deref().unwrap_or_default(),
                next.unwrap_or("none"),
            ));
            return;
        }
    }
    // The last request may be stored although no answer arrived. The missing answer is reported as
    // a separate fault.
    let open = journal.asks.last().filter(|ask| ask.is_open());
    let rest = stored.find(|id| open.is_none_or(|ask| ask.id != *id));
    if let Some(id) = rest {
        found.push(format!(
            "{}: the log has request {id}, which had no answer",
            journal.name
        ));
    }
}
