//! Games as text, for Python. The one file that uses the crate `scores`.

use std::fmt::Write as _;

use pyo3::prelude::*;
use referee::{Cause, Event, Opened};
use rules::chess::Color;
use scores::{Outcome, RecordedGame, RecordedGames, Target, convert, follow};

use crate::{errors::error, game::Game, ruleset::Ruleset};

fn read(recorded: &RecordedGame, ruleset: Option<&Ruleset>) -> Result<Vec<Event>, String> {
    let opened = match ruleset {
        Some(ruleset) => recorded.opening_under(&ruleset.0),
        None => recorded.opening(),
    }
    .map_err(|e| e.to_string())?;
    let followed = follow(recorded, opened.clone(), true);
    if let Some(finding) = followed.findings.first() {
        return Err(finding.to_string());
    }
    let mut log = vec![Event::Opened(Box::new(opened))];
    for step in followed.steps {
        if let Outcome::Ruled(event) = step.outcome {
            log.push(event);
        }
    }
    Ok(log)
}

/// Reads recorded games: PGN, a transcript, or JSON lines of the umpire's stream (docs/json.md); the
/// beginning of the text says which. `ruleset` reads the games under other rules than the text names.
///
/// Raises `KriegspielError`, with the line, for a game that does not follow its rules.
#[pyfunction]
#[pyo3(signature = (text: "str", ruleset: "Ruleset | str | None" = None) -> "list[Game]")]
pub fn parse_games(text: &str, ruleset: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Game>> {
    let ruleset = ruleset.map(Ruleset::extract).transpose()?;
    let mut games = Vec::new();
    for recorded in RecordedGames::new(text.as_bytes()).map_err(error)? {
        let recorded = recorded.map_err(error)?.map_err(error)?;
        let log = read(&recorded, ruleset.as_ref())
            .map_err(|why| error(format!("line {}: {why}", recorded.line)))?;
        games.push(Game::of_log(&log)?);
    }
    Ok(games)
}

/// Writes a finished game in a form: `pgn`, `transcript` or `json`; as PGN also what one seat knows.
pub fn write(opened: &Opened, log: &[Event], form: &str, seat: Option<Color>) -> PyResult<String> {
    let target = match (form, seat) {
        ("pgn", None) => Target::Pgn,
        ("pgn", Some(seat)) => Target::PlayerPgn(seat),
        ("transcript", None) => Target::Transcript,
        ("json", None) => Target::Json,
        ("transcript" | "json", Some(_)) => {
            return Err(error("only a PGN can hold what one seat knows"));
        }
        _ => {
            return Err(error(format!(
                "form is `pgn`, `transcript` or `json`, not `{form}`"
            )));
        }
    };
    // A transcript without listeners is the list of what was asked.
    let mut text = format!(
        "title   A game\nrules   {}\nsource  kriegspiel\n\n",
        opened.rules
    );
    for event in log {
        let line = match event.cause() {
            Some(Cause::Attempt { by, attempt }) => {
                format!("{} {attempt}", by.fold_wb("white", "black"))
            }
            Some(Cause::End(end)) => match end.color() {
                Some(color) => format!("{} {}", color.fold_wb("white", "black"), end.word()),
                None => end.word().to_owned(),
            },
            None => continue,
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    let mut games = RecordedGames::new(text.as_bytes()).map_err(error)?;
    let recorded = games
        .next()
        .ok_or_else(|| error("the game cannot be written"))?;
    let recorded = recorded.map_err(error)?.map_err(error)?;
    let converted = convert(&recorded, Some(opened.clone()), target).map_err(error)?;
    Ok(converted.text)
}
