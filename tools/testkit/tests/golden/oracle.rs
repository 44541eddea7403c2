//! Plays a story with the slow oracle.

use referee::EndCause;
use rules::{Answer, Attempt, ByListener, Heard};
use scores::{Answered, Asked, Entry, Transcript, TranscriptLine};
use testkit::oracle::{End, Oracle};

use crate::files::Golden;

pub fn open(golden: &Golden) -> Oracle {
    let header = &golden.transcript.header;
    Oracle::open(&header.rules, golden.choices(), header.fen.as_deref())
        .unwrap_or_else(|e| panic!("{}: {e}", golden.name))
}

/// Returns the umpire's note on an attempt: the answer and, for nonsense, the row of
/// the table of verdicts.
pub fn noted(answer: Answer, row: Option<u8>) -> Answered {
    Answered::Ruled {
        answer,
        row: row.filter(|_| answer == Answer::Nonsense),
    }
}

/// Returns a line in which no listener hears anything.
pub fn silent(asked: &Asked, answered: Answered) -> TranscriptLine {
    TranscriptLine {
        asked: asked.clone(),
        answered: Some(answered),
        heard: Some(ByListener::default()),
    }
}

/// Converts the cause of an end to the oracle's type.
pub fn end(cause: EndCause) -> End {
    match cause {
        EndCause::Flag(color) => End::Flag(color),
        EndCause::Gone(color) => End::Gone(color),
        EndCause::GoneDraw(color) => End::GoneDraw(color),
        EndCause::Abort => End::Abort,
    }
}

fn columns([white, black, room]: [Vec<Heard>; 3]) -> ByListener<Vec<Heard>> {
    ByListener { white, black, room }
}

/// Makes an attempt with the oracle, and returns the line for the transcript.
pub fn ask(oracle: &mut Oracle, asked: &Asked) -> TranscriptLine {
    let answered = match asked {
        Asked::Start => {
            return TranscriptLine {
                asked: asked.clone(),
                answered: None,
                heard: Some(columns(oracle.opening())),
            };
        }
        Asked::Unread { text, .. } => {
            assert!(text.parse::<Attempt>().is_err(), "`{text}` can be read");
            return silent(asked, Answered::NotUnderstood);
        }
        Asked::Attempt { by, attempt } => oracle.attempt(*by, *attempt),
        Asked::End(cause) => oracle.end(end(*cause)),
    };
    match answered {
        Err(_) => silent(asked, Answered::Refused),
        Ok(told) => TranscriptLine {
            asked: asked.clone(),
            answered: Some(noted(told.answer, told.row.map(|row| row.number()))),
            heard: Some(columns(told.heard)),
        },
    }
}

pub fn tell(golden: &Golden) -> Transcript {
    let mut oracle = open(golden);
    golden.retold(|_, line| ask(&mut oracle, &line.asked))
}

impl Golden {
    /// Returns the same transcript, with each line replaced by the line that `tell`
    /// returns.
    pub fn retold(
        &self,
        mut tell: impl FnMut(usize, &TranscriptLine) -> TranscriptLine,
    ) -> Transcript {
        let mut told = self.transcript.clone();
        for (i, entry) in told.entries.iter_mut().enumerate() {
            if let Entry::Line(line) = entry {
                *line = tell(i, line);
            }
        }
        told
    }
}
