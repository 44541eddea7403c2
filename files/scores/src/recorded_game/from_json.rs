//! Reads the record of a game from the JSON lines of the umpire's stream.

use referee::EndCause;
use rules::{ByListener, Heard, Start, chess::Color};
use wire::{AnswerJson, FinishedJson, HeardJson, LineJson, ParsedHeard as Spoken};

use crate::{
    Answered, Asked, Tags,
    recorded_game::{Act, Claim, RecordedAct, RecordedGame, RecordedGameError},
};

/// Content of one line.
pub(super) enum JsonLine {
    /// A new game: a whole game if the line is a finished game of the club, otherwise only its start.
    New(Box<RecordedGame>),
    /// An act of the current game.
    Act(Box<RecordedAct>),
}

/// Converts the answer of a line; returns `None` for `new`.
fn answered(answer: AnswerJson) -> Option<Answered> {
    match answer.ruled() {
        Some(answer) => Some(Answered::Ruled { answer, row: None }),
        None if answer == AnswerJson::Refused => Some(Answered::Refused),
        None => (answer == AnswerJson::NotUnderstood).then_some(Answered::NotUnderstood),
    }
}

fn hears(list: &[HeardJson]) -> Result<(Option<Start>, Vec<Heard>), String> {
    let mut start = None;
    let mut all = Vec::with_capacity(list.len());
    for json in list {
        match Spoken::try_from(json).map_err(|e| e.to_string())? {
            Spoken::Start(opening) => start = Some(opening),
            Spoken::Heard(heard) => all.push(heard),
        }
    }
    Ok((start, all))
}

/// Reads a line. A line with a text that was not understood does not name the player who wrote the
/// text. Such a text is attributed to `to_move`.
pub(super) fn read_line(
    text: &str,
    number: u64,
    to_move: Color,
) -> Result<JsonLine, RecordedGameError> {
    let fail = |why: String| RecordedGameError::Json { line: number, why };
    match serde_json::from_str(text) {
        Ok(line) => of_line(&line, number, to_move),
        Err(error) => match serde_json::from_str(text) {
            Ok(game) => whole(&game, number).map(|recorded| JsonLine::New(Box::new(recorded))),
            Err(_) => Err(fail(format!("not a line of the umpire's stream: {error}"))),
        },
    }
}

/// Reads a finished game of the club, which is one line.
fn whole(game: &FinishedJson, number: u64) -> Result<RecordedGame, RecordedGameError> {
    if game.player.is_some() {
        return Err(RecordedGameError::View { line: number });
    }
    let mut recorded = RecordedGame {
        line: number,
        ..RecordedGame::default()
    };
    for line in &game.lines {
        match of_line(line, number, Color::White)? {
            JsonLine::New(opened) => recorded = *opened,
            JsonLine::Act(told) => recorded.acts.push(*told),
        }
    }
    recorded.tags.set("White", &game.white);
    recorded.tags.set("Black", &game.black);
    Ok(recorded)
}

fn of_line(line: &LineJson, number: u64, to_move: Color) -> Result<JsonLine, RecordedGameError> {
    let fail = |why: String| RecordedGameError::Json { line: number, why };
    let (white_start, white) = hears(&line.white).map_err(fail)?;
    let (black_start, black) = hears(&line.black).map_err(fail)?;
    let (room_start, room) = hears(&line.room).map_err(fail)?;
    let claim = |answered| Claim {
        answered,
        heard: Some(ByListener { white, black, room }),
        fen: Some(line.fen.clone()),
        ..Claim::default()
    };
    let Some(answer) = answered(line.answer) else {
        let starts = match (white_start, black_start, room_start) {
            (Some(white), Some(black), Some(room)) => {
                Some(Box::new(ByListener { white, black, room }))
            }
            (_, _, _) => None,
        };
        let fen = line.attempt.trim().strip_prefix("new ");
        let mut tags = Tags::default();
        if let Some(run) = &line.run {
            tags.set("White", &run.white);
            tags.set("Black", &run.black);
        }
        return Ok(JsonLine::New(Box::new(RecordedGame {
            line: number,
            tags,
            rules: starts.as_ref().map(|starts| starts.white.rules.to_string()),
            fen: fen.map(|fen| fen.trim().to_owned()),
            starts,
            acts: vec![RecordedAct {
                line: number,
                act: Act::Asked(Asked::Start),
                claim: claim(None),
                clock: None,
            }],
            ..RecordedGame::default()
        })));
    };
    let by = line.by.map_or(to_move, Color::from);
    let asked = match (answer, line.attempt.as_str()) {
        (Answered::NotUnderstood, text) => Asked::Unread {
            by,
            text: text.to_owned(),
        },
        (Answered::Refused, text) if text.starts_with("new") => Asked::Unread {
            by,
            text: text.to_owned(),
        },
        (_, text) => match EndCause::from_word(text, by) {
            Some(cause) => Asked::End(cause),
            None => Asked::Attempt {
                by,
                attempt: text.parse().map_err(|e| {
                    fail(format!(
                        "`{}`: {e}",
                        text.chars().take(40).collect::<String>()
                    ))
                })?,
            },
        },
    };
    Ok(JsonLine::Act(Box::new(RecordedAct {
        line: number,
        act: Act::Asked(asked),
        claim: claim(Some(answer)),
        clock: None,
    })))
}
