//! Parses the lines of the stream.

use rules::chess::Color;

use super::input::RawLine;

/// A word of the user that is not a line of the game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Aside {
    /// Asks what may be typed.
    Help,
    /// Ends the session.
    Quit,
}

impl Aside {
    pub(crate) fn read(line: &RawLine) -> Option<Aside> {
        let RawLine::Text(text) = line else {
            return None;
        };
        match text.trim().to_ascii_lowercase().as_str() {
            "help" | "?" => Some(Aside::Help),
            "quit" | "exit" => Some(Aside::Quit),
            _ => None,
        }
    }
}

/// A parsed line. The word of a player is not parsed yet.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) enum Request<'a> {
    /// A new game, from this position or from the usual one.
    New { fen: Option<&'a str> },
    /// The time of a side is up.
    Flag { by: Option<Color> },
    /// An attempt of a player, as text.
    Word { by: Option<Color>, word: &'a str },
}

impl<'a> Request<'a> {
    /// Parses `[white |black ]WORD` or `new [FEN]`.
    pub(crate) fn read(line: &'a str) -> Request<'a> {
        let line = line.trim();
        let (first, rest) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(first, rest)| (first, rest.trim()));
        let is = |word: &str| first.eq_ignore_ascii_case(word);
        if is("new") {
            let fen = (!rest.is_empty()).then_some(rest);
            return Request::New { fen };
        }
        let (by, word) = if is("white") {
            (Some(Color::White), rest)
        } else if is("black") {
            (Some(Color::Black), rest)
        } else {
            (None, line)
        };
        if word.eq_ignore_ascii_case("flag") {
            Request::Flag { by }
        } else {
            Request::Word { by, word }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_words_with_or_without_a_colour() {
        let word = |by, word| Request::Word { by, word };
        for (line, request) in [
            ("e2e4", word(None, "e2e4")),
            ("white  e2e4 ", word(Some(Color::White), "e2e4")),
            ("Black\tany", word(Some(Color::Black), "any")),
            ("white", word(Some(Color::White), "")),
            ("white new", word(Some(Color::White), "new")),
            ("offer draw", word(None, "offer draw")),
            ("flag", Request::Flag { by: None }),
            (
                "black flag",
                Request::Flag {
                    by: Some(Color::Black),
                },
            ),
            ("new", Request::New { fen: None }),
            (
                "new 8/8 w - -",
                Request::New {
                    fen: Some("8/8 w - -"),
                },
            ),
        ] {
            assert_eq!(Request::read(line), request, "{line}");
        }
    }
}
