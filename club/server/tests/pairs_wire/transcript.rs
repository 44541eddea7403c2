//! Transcript of everything that reached a listener, and the first difference of two transcripts.

use std::fmt::{self, Write};

use testkit::pairs::Pair;

use crate::line::Piece;

/// What was received on one connection in one part of a step.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Entry {
    /// Step of the pair; 0 is the opening.
    pub step: usize,
    /// Part of the step.
    pub part: &'static str,
    /// Name of the connection.
    pub way: &'static str,
    /// Received bytes with their times.
    pub pieces: Vec<Piece>,
}

impl Entry {
    /// Creates an entry. Masks texts that differ between any two games: the date of a response,
    /// and the duration in a log line.
    pub fn covered(
        step: usize,
        part: &'static str,
        way: &'static str,
        mut pieces: Vec<Piece>,
    ) -> Entry {
        for piece in &mut pieces {
            match way {
                "log" => cover_spans(&mut piece.bytes),
                // Dates are in the heads of responses. A socket has only one head, at its
                // beginning, so later bytes of a socket are not masked.
                "socket" if step > 0 => {}
                _ => cover_dates(&mut piece.bytes),
            }
        }
        Entry {
            step,
            part,
            way,
            pieces,
        }
    }
}

/// Masks the text of each date. The length of the text is always the same.
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

/// Everything that reached the listener of one game.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// Entries in order.
    pub entries: Vec<Entry>,
    /// How many requests were made.
    pub counts: Counts,
}

/// Numbers of requests.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Counts {
    /// Attempts of both sides.
    pub attempts: u64,
    /// Attempts that the listener did not hear.
    pub whispers: u64,
    /// Requests of the listener that are not attempts.
    pub asked: u64,
}

impl Transcript {
    /// Returns the number of received bytes.
    pub fn bytes(&self) -> u64 {
        let pieces = self.entries.iter().flat_map(|entry| &entry.pieces);
        pieces.map(|piece| piece.bytes.len() as u64).sum()
    }
}

/// First difference of two transcripts.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Number of the pair.
    pub index: u64,
    /// Id of the ruleset.
    pub rules: String,
    /// Listener.
    pub listener: String,
    /// Step.
    pub step: usize,
    /// Part of the step.
    pub part: &'static str,
    /// Name of the connection.
    pub way: &'static str,
    /// Received bytes in the first and in the second game.
    pub is: [String; 2],
}

/// Returns the first difference between the transcripts of a pair's two games.
pub fn first_difference(pair: &Pair, both: [&Transcript; 2]) -> Option<Difference> {
    let [a, b] = both.map(|transcript| &transcript.entries);
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

/// Returns the pieces of `one` from the first difference on, at most three, as text.
fn shown(one: &Entry, other: &Entry) -> String {
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
