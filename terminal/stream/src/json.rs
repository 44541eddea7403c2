//! Answers to lines of the stream, written as JSON.

use std::io::{self, Write};

use rules::{Listener, Try};
use wire::{HeardJson, LineJson};

use super::table::{Outcome, UmpireTable};

fn heard(outcome: &Outcome, listener: Listener) -> Vec<HeardJson> {
    outcome
        .start(listener)
        .map(HeardJson::from)
        .into_iter()
        .chain(outcome.heard(listener).map(HeardJson::from))
        .collect()
}

/// Returns the tries as text, sorted by bytes, as the stream lists them.
pub(crate) fn listed(tries: &[Try]) -> Vec<String> {
    let mut texts: Vec<_> = tries.iter().map(Try::to_string).collect();
    texts.sort_unstable();
    texts
}

/// Writes the answer to one line as one line of JSON.
pub(crate) fn write(
    output: &mut impl Write,
    outcome: &Outcome,
    table: &UmpireTable<'_>,
    with_tries: bool,
) -> io::Result<()> {
    let game = table.game();
    let line = LineJson {
        n: outcome.n,
        by: outcome.by.map(Into::into),
        attempt: outcome.attempt.clone(),
        answer: outcome.answer,
        white: heard(outcome, Listener::White),
        black: heard(outcome, Listener::Black),
        room: heard(outcome, Listener::Room),
        fen: game.sheet().fen(),
        to_move: game.to_move().map(Into::into),
        over: game.over().map(Into::into),
        why: outcome.why.clone(),
        tries: with_tries.then(|| listed(&table.tries())),
        run: None,
        marginals: None,
    };
    serde_json::to_writer(&mut *output, &line)?;
    output.write_all(b"\n")
}
