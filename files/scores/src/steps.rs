//! Steps of a recorded game, described in words.

use notation::{answer_word, start_words, words};
use referee::Opened;
use rules::{Choices, Listener};
use wire::{HeardJson, LineJson, ParsedHeard, StepJson};

use crate::{ConvertError, RecordedGame, Target, convert};

/// Returns the steps of a recorded game. A step contains an attempt, what every listener heard of
/// the attempt (in words), and the true position. The game starts with `opened`, or with the start
/// in the record if `opened` is `None`.
///
/// # Errors
/// The record cannot be opened, or does not follow the rules.
pub fn steps(game: &RecordedGame, opened: Option<Opened>) -> Result<Vec<StepJson>, ConvertError> {
    let opened = match opened {
        Some(opened) => opened,
        None => game.opening()?,
    };
    let choices = opened.choices;
    let converted = convert(game, Some(opened), Target::Json)?;
    let lines = converted.text.lines();
    Ok(lines
        .map(|line| serde_json::from_str(line).expect("own output can be parsed"))
        .map(|line| step(line, &choices))
        .collect())
}

/// Describes a line in words.
pub(crate) fn step(line: LineJson, choices: &Choices) -> StepJson {
    let said = |heard: &[HeardJson], listener| {
        let each = heard.iter().filter_map(|one| {
            let told = ParsedHeard::try_from(one).expect("own output can be parsed");
            match told.under(choices) {
                ParsedHeard::Start(start) => Some(start_words(&start)),
                ParsedHeard::Heard(heard) => words(&heard, choices, listener),
            }
        });
        each.collect()
    };
    StepJson {
        white: said(&line.white, Listener::White),
        black: said(&line.black, Listener::Black),
        room: said(&line.room, Listener::Room),
        by: line.by,
        attempt: line.attempt,
        answer: line.answer,
        word: line
            .answer
            .ruled()
            .and_then(|answer| answer_word(answer, choices))
            .map(str::to_owned),
        fen: line.fen,
    }
}
