//! Parses the lines of the stream.

use notation::{Question, nearest, typed_words};
use rules::{Choices, chess::Color};

use super::input::RawLine;

/// The lines that are taken back.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Back {
    /// The last lines. The value is the number of these lines.
    Last(usize),
    /// The line with this number, and all later lines.
    From(usize),
}

/// A command that a person types at the table. The command is not a line of the game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) enum Aside<'a> {
    /// Asks what may be typed.
    Help,
    /// Ends the session.
    Quit,
    /// Takes lines back.
    TakeBack(Back),
    /// Draws the true position, or the own men of a player.
    Board(Option<Color>),
    /// Repeats the last announcements.
    Again,
    /// Lists the moves.
    Moves,
    /// Saves the game to this file. Without a file, saves it to the file that `save` wrote last.
    Save(Option<&'a str>),
    /// Shows the clock.
    Clock,
    /// Stops the clock until the next line.
    Pause,
    /// A question about what a player knows.
    Ask(Question),
    /// Sets the clock of a side.
    SetClock(Color, &'a str),
    /// A known command, followed by text that is not understood. Holds a text that says how the
    /// command is written.
    Wrong(&'static str),
}

/// Words that [`meant`] can propose, besides the words of attempts.
const WORDS: [&str; 11] = [
    "help", "quit", "takeback", "undo", "board", "again", "moves", "save", "clock", "pause", "flag",
];

/// Returns the word that a person could have meant, for a line that is not understood.
pub(crate) fn meant(line: &RawLine, choices: &Choices) -> Option<&'static str> {
    let RawLine::Text(text) = line else {
        return None;
    };
    let first = text.split_whitespace().next()?;
    let words: Vec<&str> = WORDS.into_iter().chain(typed_words(choices)).collect();
    // A short word, or a word with a digit, could be a move: no other word is proposed for it.
    let is_word = first.len() > 3 && !first.contains(|c: char| c.is_ascii_digit());
    is_word.then(|| nearest(first, &words)).flatten()
}

impl Aside<'_> {
    /// Reads a command. Returns `None` if the line is not a command. `help` and `quit` are commands
    /// only if there is a prompt.
    pub(crate) fn read(line: &RawLine, prompt: bool) -> Option<Aside<'_>> {
        let RawLine::Text(text) = line else {
            return None;
        };
        let text = text.trim();
        let (first, rest) = text
            .split_once(char::is_whitespace)
            .map_or((text, ""), |(first, rest)| (first, rest.trim()));
        let alone = |aside, remedy| match rest {
            "" => Some(aside),
            _ => Some(Aside::Wrong(remedy)),
        };
        match first.to_ascii_lowercase().as_str() {
            "help" | "?" if prompt && rest.is_empty() => Some(Aside::Help),
            "quit" | "exit" if prompt && rest.is_empty() => Some(Aside::Quit),
            "takeback" | "undo" => {
                let (from, number) = match rest.split_once(char::is_whitespace) {
                    Some((from, number)) if from.eq_ignore_ascii_case("from") => (true, number),
                    _ => (false, rest),
                };
                Some(match number.trim().parse() {
                    _ if rest.is_empty() => Aside::TakeBack(Back::Last(1)),
                    Ok(number) if from => Aside::TakeBack(Back::From(number)),
                    Ok(count) if count > 0 => Aside::TakeBack(Back::Last(count)),
                    _ => Aside::Wrong(
                        "write how many lines, as in `takeback 2`, or the first line, as in `takeback from 12`",
                    ),
                })
            }
            "board" => Some(match rest.to_ascii_lowercase().as_str() {
                "" => Aside::Board(None),
                "white" => Aside::Board(Some(Color::White)),
                "black" => Aside::Board(Some(Color::Black)),
                _ => Aside::Wrong("write `board`, `board white` or `board black`"),
            }),
            "again" => alone(Aside::Again, "write `again` alone"),
            "moves" => alone(Aside::Moves, "write `moves` alone"),
            "save" => Some(Aside::Save((!rest.is_empty()).then_some(rest))),
            "pause" => alone(Aside::Pause, "write `pause` alone"),
            "clock" => Some(match rest.split_once(char::is_whitespace) {
                None if rest.is_empty() => Aside::Clock,
                Some((who, time)) if who.eq_ignore_ascii_case("white") => {
                    Aside::SetClock(Color::White, time.trim())
                }
                Some((who, time)) if who.eq_ignore_ascii_case("black") => {
                    Aside::SetClock(Color::Black, time.trim())
                }
                _ => Aside::Wrong("write `clock`, or set it, as in `clock white 4:30`"),
            }),
            _ => Question::read(text).map(Aside::Ask),
        }
    }
}

/// A parsed line. If the line is an attempt, the attempt itself is not parsed yet.
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
    fn request_is_read_with_and_without_a_colour() {
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
