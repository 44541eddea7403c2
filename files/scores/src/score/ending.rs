//! The ending of a score.

use std::fmt;

use rules::chess::Color;

/// The ending of a score, as written.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Ending {
    /// `Resigns`: the side to move resigns.
    Resigns,
    /// `1-0` or `0-1`, with the winner.
    Won(Color),
    /// `1/2-1/2`, `Draw`.
    Drawn,
    /// `*`.
    Unfinished,
}

impl Ending {
    /// Reads an ending from a word.
    pub(super) fn read(word: &str) -> Option<Ending> {
        let word = word.trim_end_matches(['.', ',', ';']);
        Some(match word.to_lowercase().as_str() {
            "resigns" | "resign" | "resigned" => Ending::Resigns,
            "1-0" | "1:0" => Ending::Won(Color::White),
            "0-1" | "0:1" => Ending::Won(Color::Black),
            "1/2-1/2" | "1/2" | "\u{bd}-\u{bd}" | "\u{bd}" | "draw" | "drawn" => Ending::Drawn,
            "*" => Ending::Unfinished,
            _ => return None,
        })
    }

    /// Returns the result as PGN writes it. `to_move` is the side to move at the end.
    pub const fn result(self, to_move: Color) -> &'static str {
        match (self, to_move) {
            (Ending::Won(Color::White), _) | (Ending::Resigns, Color::Black) => "1-0",
            (Ending::Won(Color::Black), _) | (Ending::Resigns, Color::White) => "0-1",
            (Ending::Drawn, _) => "1/2-1/2",
            (Ending::Unfinished, _) => "*",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Resigns => "Resigns",
            Ending::Won(Color::White) => "1-0",
            Ending::Won(Color::Black) => "0-1",
            Ending::Drawn => "1/2-1/2",
            Ending::Unfinished => "*",
        })
    }
}
