//! Record of a game as JSON lines.

use referee::{Event, Game, Refusal};
use rules::{Attempt, Calls, Listener, chess::Color};
use wire::{AnswerJson, HeardJson, LineJson, OverJson, Side};

use crate::scribe::Scribe;

/// Maximum length, in characters, of a recorded text that is not an attempt. The rest of the text is
/// cut off.
const MAX_RAW_CHARS: usize = 200;

/// Records a game as the lines that `kriegspiel referee --json` would print. The
/// first line is `new`.
#[derive(Clone, Debug, Default)]
pub struct Record {
    text: Vec<u8>,
    n: u32,
}

impl Record {
    /// Returns the lines so far; each ends with a line feed.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Writes a line. `heard` contains the calls of the event, or the reason of a refusal.
    fn line(
        &mut self,
        game: &Game,
        by: Option<Color>,
        attempt: String,
        answer: AnswerJson,
        heard: Result<&[rules::Call], String>,
    ) {
        let calls = heard.as_ref().copied().unwrap_or_default();
        let hears = |listener| {
            let start = (answer == AnswerJson::New).then(|| HeardJson::from(&game.start(listener)));
            let calls = calls.iter().filter(|call| call.audience.includes(listener));
            let calls = calls.map(|call| HeardJson::from(&call.heard));
            start.into_iter().chain(calls).collect()
        };
        let line = LineJson {
            n: self.n,
            by: by.map(Side::from),
            attempt,
            answer,
            white: hears(Listener::White),
            black: hears(Listener::Black),
            room: hears(Listener::Room),
            fen: game.sheet().fen(),
            to_move: game.to_move().map(Side::from),
            over: game.over().map(OverJson::from),
            why: heard.err(),
            tries: None,
        };
        serde_json::to_writer(&mut self.text, &line).expect("the keys of a JSON line are strings");
        self.text.push(b'\n');
        self.n += 1;
    }
}

impl Scribe for Record {
    fn opened(&mut self, game: &Game, asked: &str, calls: &Calls) {
        self.text.clear();
        self.n = 0;
        self.line(game, None, asked.to_owned(), AnswerJson::New, Ok(calls));
    }

    fn ruled(&mut self, game: &Game, by: Color, attempt: Attempt, event: &Event, calls: &Calls) {
        let answer = event
            .answer()
            .expect("only the opening event has no answer, and no attempt causes it");
        self.line(
            game,
            Some(by),
            attempt.to_string(),
            answer.into(),
            Ok(calls),
        );
    }

    fn refused(&mut self, game: &Game, by: Color, attempt: Attempt, why: &Refusal) {
        let (attempt, why) = (attempt.to_string(), why.to_string());
        self.line(game, Some(by), attempt, AnswerJson::Refused, Err(why));
    }

    fn not_understood(&mut self, game: &Game, text: &str, why: &str) {
        let text = text.chars().take(MAX_RAW_CHARS).collect();
        let answer = AnswerJson::NotUnderstood;
        self.line(game, None, text, answer, Err(why.to_owned()));
    }

    fn gone(&mut self, game: &Game, by: Color, calls: &Calls) {
        let attempt = "gone".to_owned();
        self.line(game, Some(by), attempt, AnswerJson::Gone, Ok(calls));
    }
}
