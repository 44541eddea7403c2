//! Content of a transcript.

use referee::{Cause, EndCause, Event, Game, Ruling};
use rules::{
    Answer, Attempt, ByListener, Calls, GameSwitch, Heard, NonsenseRow, Verdict, chess::Color,
};

/// A game as the umpire records it: the attempts, the answers, and what each
/// listener heard.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Transcript {
    /// Header: the lines at the top.
    pub header: Header,
    /// Lines below the header, in order.
    pub entries: Vec<Entry>,
}

/// Header of a transcript.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Header {
    /// Subject of the game.
    pub title: String,
    /// Id of the ruleset.
    pub rules: String,
    /// Source of the game or of its rules; empty if the header has none.
    pub source: String,
    /// The switches set for this game.
    pub game: Vec<GameSwitch>,
    /// The start position, if it is not the usual one.
    pub fen: Option<String>,
}

/// A line below the header.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Entry {
    /// A blank line.
    Blank,
    /// A comment: the text after the `#`.
    Comment(String),
    /// An attempt, the start or an end of the game.
    Line(TranscriptLine),
}

/// An attempt, the start or an end, with its answer and what the listeners heard.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct TranscriptLine {
    /// What the line records.
    pub asked: Asked,
    /// The answer; `None` if not yet known, and always for [`Asked::Start`].
    pub answered: Option<Answered>,
    /// What White, Black and the spectators heard; `None` if not yet known.
    pub heard: Option<ByListener<Vec<Heard>>>,
}

/// What a line records: the start, an attempt, a text that was not understood, or an end.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Asked {
    /// The start of the game.
    Start,
    /// An attempt of a player.
    Attempt {
        /// The player.
        by: Color,
        /// The attempt.
        attempt: Attempt,
    },
    /// Text of a player that cannot be read as an attempt (row 0 of the table of verdicts).
    /// The text consists of printable characters without `"` and `|`.
    Unread {
        /// The player.
        by: Color,
        /// Text as the player wrote it.
        text: String,
    },
    /// The end of the game by time, by absence or by abort.
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

/// The answer that the umpire notes with an attempt.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Answered {
    /// The referee's answer.
    Ruled {
        /// The answer.
        answer: Answer,
        /// Row of the table of verdicts, for nonsense only.
        row: Option<u8>,
    },
    /// The attempt was refused. Only the asker heard this, and the game is unchanged (row 1).
    Refused,
    /// The text could not be read as an attempt (row 0).
    NotUnderstood,
}

impl Transcript {
    /// Begins the transcript of a game with what is announced at its start.
    pub fn start(header: Header, game: &Game) -> Transcript {
        let mut transcript = Transcript {
            header,
            entries: Vec::new(),
        };
        transcript.add(Asked::Start, None, &game.opening_calls());
        transcript
    }

    /// Adds an attempt or an end. `game` is the state before it.
    pub fn push(&mut self, game: &Game, cause: Cause, ruling: &Ruling) {
        let answered = answered(game, &ruling.event);
        self.add(Asked::from(cause), answered, &ruling.calls);
    }

    pub(crate) fn add(&mut self, asked: Asked, answered: Option<Answered>, calls: &Calls) {
        self.entries.push(Entry::Line(TranscriptLine {
            asked,
            answered,
            heard: Some(ByListener::from(calls)),
        }));
    }

    /// Returns the entries that are neither blank nor comments, with their indices
    /// in `entries`.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &TranscriptLine)> {
        self.entries
            .iter()
            .enumerate()
            .filter_map(|(i, entry)| match entry {
                Entry::Line(line) => Some((i, line)),
                Entry::Blank | Entry::Comment(_) => None,
            })
    }

    /// Returns the line number, from 1, of an entry in the printed transcript.
    pub fn line_number(&self, entry: usize) -> usize {
        let first = self.lines().next().map(|(i, _)| i);
        let heading = usize::from(self.has_columns() && first.is_some_and(|i| i <= entry));
        self.header.rows().len() + 1 + heading + entry + 1
    }

    /// Checks whether any line has listener columns.
    pub(crate) fn has_columns(&self) -> bool {
        self.lines().any(|(_, line)| line.heard.is_some())
    }
}

impl Header {
    /// Returns keys and values in the order in which they are printed.
    pub(crate) fn rows(&self) -> Vec<(&'static str, String)> {
        let mut rows = vec![("title", self.title.clone()), ("rules", self.rules.clone())];
        if !self.source.is_empty() {
            rows.push(("source", self.source.clone()));
        }
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

/// Returns what an umpire notes with an event. `game` is the state before the event.
pub(crate) fn answered(game: &Game, event: &Event) -> Option<Answered> {
    let row = nonsense_row(game, event).map(NonsenseRow::number);
    event.answer().map(|answer| Answered::Ruled { answer, row })
}

/// Returns the row of the table of verdicts that makes the try nonsense.
pub(crate) fn nonsense_row(game: &Game, event: &Event) -> Option<NonsenseRow> {
    if let Event::Rebuffed {
        by,
        what,
        verdict: Verdict::Nonsense,
        ..
    } = *event
    {
        game.nonsense_row(by, what)
    } else {
        None
    }
}
