//! A game as the umpire's lines.

use referee::{Event, Game, Refusal};
use rules::{Attempt, Calls, Listener, chess::Color};
use wire::{AnswerJson, HeardJson, Line, OverJson, Side};

use crate::scribe::Scribe;

/// Number of characters that are kept of a line that was not understood.
const MAX_RAW_CHARS: usize = 200;

/// Writes a game as the lines that `kriegspiel referee --json` would print,
/// from the line `new` on.
#[derive(Clone, Debug, Default)]
pub struct Record {
    text: Vec<u8>,
    n: u32,
}

/// What a line says beside the state of the game.
struct Said<'a> {
    by: Option<Color>,
    attempt: String,
    answer: AnswerJson,
    calls: &'a [rules::Call],
    why: Option<String>,
}

impl Record {
    /// The lines so far, each with its line feed.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    fn line(&mut self, game: &Game, said: Said<'_>) {
        let hears = |listener| heard_by(listener, said.calls);
        let line = Line {
            n: self.n,
            by: said.by.map(Side::from),
            attempt: said.attempt,
            answer: said.answer,
            white: hears(Listener::White),
            black: hears(Listener::Black),
            room: hears(Listener::Room),
            fen: game.sheet().fen(),
            to_move: game.to_move().map(Side::from),
            over: game.over().map(OverJson::from),
            why: said.why,
            tries: None,
        };
        self.write(&line);
    }

    fn write(&mut self, line: &Line) {
        serde_json::to_writer(&mut self.text, line).expect("a line has only string keys");
        self.text.push(b'\n');
        self.n += 1;
    }
}

/// What one listener hears of the calls.
fn heard_by(listener: Listener, calls: &[rules::Call]) -> Vec<HeardJson> {
    calls
        .iter()
        .filter(|call| call.audience.includes(listener))
        .map(|call| HeardJson::from(&call.heard))
        .collect()
}

impl Scribe for Record {
    fn opened(&mut self, game: &Game, asked: &str, calls: &Calls) {
        self.text.clear();
        self.n = 0;
        let hears = |listener| {
            let mut all = vec![HeardJson::from(&game.start(listener))];
            all.extend(heard_by(listener, calls));
            all
        };
        let line = Line {
            n: self.n,
            by: None,
            attempt: asked.to_owned(),
            answer: AnswerJson::New,
            white: hears(Listener::White),
            black: hears(Listener::Black),
            room: hears(Listener::Room),
            fen: game.sheet().fen(),
            to_move: game.to_move().map(Side::from),
            over: game.over().map(OverJson::from),
            why: None,
            tries: None,
        };
        self.write(&line);
    }

    fn ruled(&mut self, game: &Game, by: Color, attempt: Attempt, event: &Event, calls: &Calls) {
        let answer = event
            .answer()
            .expect("an attempt never opens a game, and every other event answers");
        self.line(
            game,
            Said {
                by: Some(by),
                attempt: attempt.to_string(),
                answer: answer.into(),
                calls,
                why: None,
            },
        );
    }

    fn refused(&mut self, game: &Game, by: Color, attempt: Attempt, why: &Refusal) {
        self.line(
            game,
            Said {
                by: Some(by),
                attempt: attempt.to_string(),
                answer: AnswerJson::Refused,
                calls: &[],
                why: Some(why.to_string()),
            },
        );
    }

    fn not_understood(&mut self, game: &Game, text: &str, why: &str) {
        self.line(
            game,
            Said {
                by: None,
                attempt: text.chars().take(MAX_RAW_CHARS).collect(),
                answer: AnswerJson::NotUnderstood,
                calls: &[],
                why: Some(why.to_owned()),
            },
        );
    }

    fn gone(&mut self, game: &Game, by: Color, calls: &Calls) {
        self.line(
            game,
            Said {
                by: Some(by),
                attempt: "gone".to_owned(),
                answer: AnswerJson::Gone,
                calls,
                why: None,
            },
        );
    }
}
