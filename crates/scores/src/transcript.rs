//! Content of a transcript.

use referee::{Cause, EndCause};
use rules::{Answer, Attempt, ByListener, GameSwitch, Heard, chess::Color};

/// A game as the umpire wrote it down: what was asked, what was answered, and
/// what each listener heard.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Transcript {
    /// The lines at the top.
    pub header: Header,
    /// The lines below, in order.
    pub entries: Vec<Entry>,
}

/// The head of a transcript.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Header {
    /// Subject of the game.
    pub title: String,
    /// The ruleset's id.
    pub rules: String,
    /// Source of the game or its rules.
    pub source: String,
    /// The switches set for this game.
    pub game: Vec<GameSwitch>,
    /// The start position, if it is not the usual one.
    pub fen: Option<String>,
}

/// A line below the head.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Entry {
    /// Nothing.
    Blank,
    /// A remark: what follows the `#`.
    Comment(String),
    /// Something that happened.
    Line(TranscriptLine),
}

/// Something asked of the referee, and what became of it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct TranscriptLine {
    /// The attempt.
    pub asked: Asked,
    /// The answer; `None` if not yet known. Always `None` for [`Asked::Start`].
    pub answered: Option<Answered>,
    /// Items that White, Black and the room heard; `None` if not yet known.
    pub heard: Option<ByListener<Vec<Heard>>>,
}

/// Request to the referee.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Asked {
    /// The game is opened.
    Start,
    /// A player asks something.
    Attempt {
        /// The player.
        by: Color,
        /// The attempt.
        attempt: Attempt,
    },
    /// A player says what is no attempt (row 0). Printable characters
    /// without `"` and `|`.
    Unread {
        /// The player.
        by: Color,
        /// The player's words.
        text: String,
    },
    /// The game is to end by time or absence.
    End(EndCause),
}

impl From<Cause> for Asked {
    fn from(cause: Cause) -> Asked {
        match cause {
            Cause::Attempt { by, attempt } => Asked::Attempt { by, attempt },
            Cause::End(cause) => Asked::End(cause),
        }
    }
}

/// The umpire's note beside an attempt.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Answered {
    /// The referee's answer.
    Ruled {
        /// The answer.
        answer: Answer,
        /// For nonsense the row of the table of verdicts.
        row: Option<u8>,
    },
    /// Refused to the asker alone; nothing happened (row 1).
    Refused,
    /// It could not be read (row 0).
    NotUnderstood,
}

impl Transcript {
    /// The lines on which something happens, with their indices among the
    /// entries.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &TranscriptLine)> {
        self.entries
            .iter()
            .enumerate()
            .filter_map(|(i, entry)| match entry {
                Entry::Line(line) => Some((i, line)),
                Entry::Blank | Entry::Comment(_) => None,
            })
    }

    /// The number, from 1, of an entry's line in the printed transcript.
    pub fn line_number(&self, entry: usize) -> usize {
        let first = self.lines().next().map(|(i, _)| i);
        let heading = usize::from(self.has_columns() && first.is_some_and(|i| i <= entry));
        self.header.rows().len() + 1 + heading + entry + 1
    }

    /// Whether any line knows what was heard.
    pub(crate) fn has_columns(&self) -> bool {
        self.lines().any(|(_, line)| line.heard.is_some())
    }
}

impl Header {
    /// Keys and values in the order in which they are written.
    pub(crate) fn rows(&self) -> Vec<(&'static str, String)> {
        let mut rows = vec![
            ("title", self.title.clone()),
            ("rules", self.rules.clone()),
            ("source", self.source.clone()),
        ];
        if !self.game.is_empty() {
            let words: Vec<&str> = self.game.iter().map(|s| s.name()).collect();
            rows.push(("game", words.join(" ")));
        }
        if let Some(fen) = &self.fen {
            rows.push(("fen", fen.clone()));
        }
        rows
    }
}
