//! All that reached a listener, and by what two of them differ.

use std::fmt::{self, Write};

use testkit::pairs::Pair;

use crate::line::Piece;

/// What came by one way in one part of a step.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Said {
    /// The step of the pair; 0 is the opening.
    pub step: usize,
    /// Which part of it.
    pub part: &'static str,
    /// By which way.
    pub way: &'static str,
    /// What came, and when.
    pub pieces: Vec<Piece>,
}

impl Said {
    /// With what cannot be equal covered: the wall time of an answer, and how
    /// long it took by a log line.
    pub fn covered(
        step: usize,
        part: &'static str,
        way: &'static str,
        mut pieces: Vec<Piece>,
    ) -> Said {
        for piece in &mut pieces {
            match way {
                "log" => cover_spans(&mut piece.bytes),
                // Dates stand in heads of answers, and a socket has one.
                "socket" if step > 0 => {}
                _ => cover_dates(&mut piece.bytes),
            }
        }
        Said {
            step,
            part,
            way,
            pieces,
        }
    }
}

/// The text of a date is always as long: only its letters are covered.
pub fn cover_dates(bytes: &mut [u8]) {
    const HEAD: &[u8] = b"\r\ndate: ";
    const LENGTH: usize = "Sun, 06 Nov 1994 08:49:37 GMT".len();
    let mut from = 0;
    while let Some(at) = find(&bytes[from..], HEAD) {
        let begin = from + at + HEAD.len();
        let end = (begin + LENGTH).min(bytes.len());
        bytes[begin..end].fill(b'.');
        from = end;
    }
}

fn cover_spans(bytes: &mut Vec<u8>) {
    const HEAD: &[u8] = b" ms=";
    let mut from = 0;
    while let Some(at) = find(&bytes[from..], HEAD) {
        from += at + HEAD.len();
        while bytes.get(from).is_some_and(u8::is_ascii_digit) {
            bytes.remove(from);
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let rest = bytes.get(from..)?;
        let at = from + rest.iter().position(|byte| *byte == what[0])?;
        if bytes[at..].starts_with(what) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// All that reached the listener of one game.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// In order.
    pub said: Vec<Said>,
    /// What was done to get it, in numbers.
    pub counts: Counts,
}

/// What was done, in numbers.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Counts {
    /// Attempts of either side.
    pub attempts: u64,
    /// Those that the listener did not hear.
    pub whispers: u64,
    /// Other things that the listener asked.
    pub asked: u64,
}

impl Transcript {
    /// The bytes in all.
    pub fn bytes(&self) -> u64 {
        let pieces = self.said.iter().flat_map(|said| &said.pieces);
        pieces.map(|piece| piece.bytes.len() as u64).sum()
    }
}

/// By what two transcripts differ first.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The pair.
    pub index: u64,
    /// The ruleset.
    pub rules: String,
    /// Listener.
    pub listener: String,
    /// At which step.
    pub step: usize,
    /// In which part of it.
    pub part: &'static str,
    /// By which way.
    pub way: &'static str,
    /// What came in either game.
    pub is: [String; 2],
}

/// The first difference of the transcripts of a pair's two games.
pub fn first_difference(pair: &Pair, both: [&Transcript; 2]) -> Option<Difference> {
    let [a, b] = both.map(|transcript| &transcript.said);
    let (one, other) = a.iter().zip(b).find(|(one, other)| one != other)?;
    Some(Difference {
        index: pair.index,
        rules: pair.rules().to_owned(),
        listener: format!("{:?}", pair.listener),
        step: one.step,
        part: one.part,
        way: one.way,
        is: [shown(one, other), shown(other, one)],
    })
}

/// The pieces of one that are not those of the other, from the first on.
fn shown(one: &Said, other: &Said) -> String {
    let same = one.pieces.iter().zip(&other.pieces);
    let same = same.take_while(|(a, b)| a == b).count();
    let mut text = String::new();
    for piece in one.pieces.iter().skip(same).take(3) {
        let bytes = String::from_utf8_lossy(&piece.bytes);
        let _ = write!(text, "\n    at {} ms: {bytes:?}", piece.at);
    }
    if text.is_empty() {
        text.push_str(" nothing more");
    }
    text
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "pair {} ({}, listener {}), step {}, {}: the {} differs\n  in one game:{}\n  in the other:{}",
            self.index,
            self.rules,
            self.listener,
            self.step,
            self.part,
            self.way,
            self.is[0],
            self.is[1]
        )
    }
}
