//! Writes a score.

use referee::{Cause, Game, Opened, Refusal};
use rules::{Answer, Attempt, GameSwitch, Ruleset, chess::Color};

use super::{descriptive::descriptive, ending::Ending, read::Score, remark::number, san::san};
use crate::{
    pgn::{ROSTER, tag},
    transcript::{Header, Transcript},
};

/// Notation in which a score is written.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum ScoreForm {
    /// UCI coordinates: `e2e4 e7e5`.
    Uci,
    /// Standard algebraic notation: `1. e4 e5`.
    San,
    /// Descriptive notation, as a table of `P-K4 P-K4`.
    Descriptive,
}

/// Error: a score is not a game under a ruleset.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum TranscriptError {
    /// The referee refuses a move.
    #[error("{}{san} is refused under {rules}: {why}", number(*ply))]
    Refused {
        /// Index of the half-move; 0 is White's first move.
        ply: usize,
        /// The move, in standard algebraic notation.
        san: String,
        /// Id of the ruleset.
        rules: String,
        /// The refusal.
        why: Refusal,
    },
    /// The referee answers a move, but does not play it.
    #[error("{}{san} is answered `{}` under {rules}, and not played", number(*ply), answer.name())]
    Answered {
        /// Index of the half-move; 0 is White's first move.
        ply: usize,
        /// The move, in standard algebraic notation.
        san: String,
        /// Id of the ruleset.
        rules: String,
        /// Answer of the referee.
        answer: Answer,
    },
}

/// Maximum length of a line of moves, in bytes.
const WIDTH: usize = 80;

impl Score {
    /// Returns the side to move after the last move.
    pub fn to_move(&self) -> Color {
        let first = self.start.position().turn();
        if self.moves.len().is_multiple_of(2) {
            first
        } else {
            first.other()
        }
    }

    /// Returns the result as PGN writes it.
    pub fn result(&self) -> &'static str {
        self.ending.result(self.to_move())
    }

    /// Returns every move in one notation, without move numbers.
    pub fn texts(&self, form: ScoreForm) -> Vec<String> {
        let mut position = *self.start.position();
        self.moves
            .iter()
            .map(|t| {
                let text = match form {
                    ScoreForm::Uci => t.to_string(),
                    ScoreForm::San => san(&position, *t),
                    ScoreForm::Descriptive => descriptive(&position, *t),
                };
                position.play(*t, self.drops);
                text
            })
            .collect()
    }

    /// Returns the moves in a notation, in lines, with move numbers if the notation has them.
    pub fn written(&self, form: ScoreForm) -> String {
        let texts = self.texts(form);
        match form {
            ScoreForm::Uci => wrapped(&texts),
            ScoreForm::San => {
                let mut words = self.numbered(texts);
                if self.ending != Ending::Unfinished {
                    words.push(self.result().to_owned());
                }
                wrapped(&words)
            }
            ScoreForm::Descriptive => self.table(&texts),
        }
    }

    /// Returns the score as a plain PGN game: tags, main line, result.
    pub fn pgn(&self, tags: &[(String, String)]) -> String {
        let given = |key: &str| {
            let found = tags.iter().find(|(k, _)| k == key);
            found.map(|(_, value)| value.as_str())
        };
        let mut text = String::new();
        let mut tag = |key: &str, value: &str| tag(&mut text, key, value);
        for (key, unknown) in ROSTER {
            tag(key, given(key).unwrap_or(unknown));
        }
        tag("Result", self.result());
        if self.start != referee::StartPosition::initial() {
            tag("SetUp", "1");
            tag("FEN", &self.start.fen());
        }
        let own = ["Result", "SetUp", "FEN"];
        for (key, value) in tags {
            let known = ROSTER.iter().any(|(k, _)| k == key);
            if !known && !own.contains(&key.as_str()) {
                tag(key, value);
            }
        }
        let mut moves = self.numbered(self.texts(ScoreForm::San));
        moves.push(self.result().to_owned());
        format!("{text}\n{}", wrapped(&moves))
    }

    /// Puts the move numbers before the moves.
    fn numbered(&self, texts: Vec<String>) -> Vec<String> {
        (self.first_ply..)
            .zip(texts)
            .enumerate()
            .map(|(i, (ply, text))| {
                if ply % 2 == 0 || i == 0 {
                    format!("{} {text}", number(ply))
                } else {
                    text
                }
            })
            .collect()
    }

    fn table(&self, texts: &[String]) -> String {
        let mut cells: Vec<&str> = texts.iter().map(String::as_str).collect();
        if self.first_ply % 2 == 1 {
            cells.insert(0, "...");
        }
        let end = self.ending.to_string();
        match self.ending {
            Ending::Unfinished => {}
            Ending::Resigns | Ending::Won(_) | Ending::Drawn => cells.push(&end),
        }
        let width = cells.iter().map(|cell| cell.len()).max().unwrap_or(0);
        let mut text = String::new();
        for (row, pair) in (self.first_ply / 2 + 1..).zip(cells.chunks(2)) {
            let line = format!(
                "{:>3}. {:width$}  {}",
                row,
                pair[0],
                pair.get(1).copied().unwrap_or_default()
            );
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// Returns the transcript of the game under a ruleset, without refused tries.
    ///
    /// # Errors
    /// Under that ruleset, the referee does not play one of the moves. The error names the first
    /// such move.
    pub fn transcript(
        &self,
        ruleset: &Ruleset,
        title: &str,
        source: &str,
        switches: Vec<GameSwitch>,
    ) -> Result<Transcript, TranscriptError> {
        let choices = ruleset.switched(&switches).unwrap_or(ruleset.choices);
        let mut game = Game::open(Opened::new(ruleset, choices, self.start.clone()));
        let usual = self.start == referee::StartPosition::initial();
        let header = Header {
            title: title.to_owned(),
            rules: ruleset.id.to_string(),
            source: source.to_owned(),
            game: switches,
            fen: (!usual).then(|| self.start.fen()),
        };
        let mut transcript = Transcript::start(header, &game);
        let names = self.texts(ScoreForm::San);
        for (i, (t, san)) in self.moves.iter().zip(names).enumerate() {
            let by = game.turn();
            let answer = ask(&mut game, &mut transcript, by, Attempt::Try(*t));
            let ply = self.first_ply + i;
            let rules = ruleset.id.to_string();
            match answer {
                Ok(Answer::Moved) => {}
                Ok(answer) => {
                    return Err(TranscriptError::Answered {
                        ply,
                        san,
                        rules,
                        answer,
                    });
                }
                Err(why) => {
                    return Err(TranscriptError::Refused {
                        ply,
                        san,
                        rules,
                        why,
                    });
                }
            }
        }
        let end: &[(Color, Attempt)] = match (self.ending, game.over()) {
            (_, Some(_)) | (Ending::Unfinished, None) => &[],
            (Ending::Resigns, None) => &[(game.turn(), Attempt::Resign)],
            (Ending::Won(winner), None) => &[(winner.other(), Attempt::Resign)],
            (Ending::Drawn, None) => &[
                (game.turn(), Attempt::OfferDraw),
                (game.turn().other(), Attempt::AcceptDraw),
            ],
        };
        for (by, attempt) in end {
            // The game is not over, so an end is never refused.
            let _answer = ask(&mut game, &mut transcript, *by, *attempt);
        }
        Ok(transcript)
    }
}

fn ask(
    game: &mut Game,
    transcript: &mut Transcript,
    by: Color,
    attempt: Attempt,
) -> Result<Answer, Refusal> {
    let ruling = game.judge(by, attempt)?;
    transcript.push(game, Cause::Attempt { by, attempt }, &ruling);
    game.apply(&ruling.event);
    Ok(ruling.answer())
}

/// Joins words into lines of at most [`WIDTH`] bytes. A longer word is a line by itself.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
    text
}
