//! The umpire's stream: reads lines, and writes what everyone hears.
//!
//! A line is `[white |black ]WORD` or `new [FEN]`. Blank lines and comments (`#`) get no answer.
//! Every other line gets one answer. The setting [`Form`] decides how the stream reads moves and
//! writes answers:
//!
//! - JSON: each answer is one line of JSON. A line must give a move in coordinates (`e2e4`).
//! - Words: each answer is one block of text. A line can give a move in every notation, if the text
//!   fits exactly one try of the player's own men.
//!
//! Two runs with the same input give the same bytes.
//!
//! The output is the umpire's record and includes the true position, so it is
//! not for players. This crate knows nothing about clubs and stores.
//!
//! ```
//! use stream::{Form, Settings};
//! use rules::rulesets::CINCINNATI;
//!
//! let mut settings = Settings::new(CINCINNATI);
//! settings.form = Form::Json;
//! let mut output = Vec::new();
//! stream::run(&b"e2e4\nwhite d2d4\n"[..], &mut output, &settings)?;
//!
//! let output = String::from_utf8(output)?;
//! let lines: Vec<_> = output.lines().collect();
//! assert!(lines[0].starts_with(r#"{"n":1,"by":"white","attempt":"e2e4","answer":"moved","#));
//! assert!(lines[1].ends_with(r#""why":"it is Black's turn"}"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod data;
mod human;
mod input;
mod json;
mod request;
mod session;
mod settings;
mod table;

use std::io::{self, BufRead, Write};

pub use self::{
    clock::TableClock,
    data::DataFile,
    input::RawLine,
    session::{Desk, Ended, LineFor, LineSource, Piped, TableSession, TypedLine, Voice},
    settings::{Form, Settings, Show},
};
use self::{
    input::read_line,
    table::{UmpireTable, new_attempt},
};

/// Referees the lines of `input` until its end.
///
/// # Errors
/// Reading or writing failed. For a closed pipe the error is
/// [`io::ErrorKind::BrokenPipe`].
pub fn run(input: impl BufRead, mut output: impl Write, settings: &Settings) -> io::Result<()> {
    if settings.form == Form::Json {
        return programs(input, output, settings);
    }
    let mut session = TableSession::open(settings, Desk::default()).map_err(io::Error::other)?;
    let _ended = session.run(&mut Piped::new(input), &mut output)?;
    Ok(())
}

/// Referees a stream of a program: every answer is one line of JSON.
fn programs(
    mut input: impl BufRead,
    mut output: impl Write,
    settings: &Settings,
) -> io::Result<()> {
    let mut table = UmpireTable::new(settings);
    let mut opening = settings.start.clone();
    let mut line = Vec::new();
    while let Some(raw) = read_line(&mut input, &mut line)? {
        if let Some(start) = opening.take() {
            let attempt = new_attempt(&start);
            let outcome = table.begin(start, attempt);
            json::write(&mut output, &outcome, &table, settings.tries)?;
        }
        if let Some(outcome) = table.answer(&raw) {
            json::write(&mut output, &outcome, &table, settings.tries)?;
        }
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rules::{
        Ruleset,
        rulesets::{CINCINNATI, WILD16},
    };

    use super::*;

    /// Returns the output for these input lines, without styles.
    fn seen(ruleset: Ruleset, prompt: bool, input: &str) -> String {
        let mut settings = Settings::new(ruleset);
        settings.form = Form::Words { show: None, prompt };
        let mut output = anstream::StripStream::new(Vec::new());
        run(input.as_bytes(), &mut output, &settings).unwrap();
        String::from_utf8(output.into_inner()).unwrap()
    }

    /// Returns the prompts in order.
    fn prompts(input: &str) -> Vec<String> {
        seen(CINCINNATI, true, input)
            .lines()
            .filter_map(|line| Some(line.split_once(" > ")?.0.to_owned()))
            .collect()
    }

    #[test]
    fn help_does_not_count_as_a_line() {
        for word in ["help", "?", " Help "] {
            let seen = seen(WILD16, true, &format!("{word}\ne2e4\n"));
            for part in [
                "White to move >      a move                  as e2e4, Nf3",
                "     a word                  px, resign\n",
                "     takeback, takeback 2    takes the last line back",
                "  1  White e2e4: moved\n",
            ] {
                assert!(seen.contains(part), "{part}: {seen}");
            }
        }
    }

    #[test]
    fn quit_ends_a_session_with_a_prompt() {
        for word in ["quit", "exit", "QUIT"] {
            let input = format!("e2e4\n{word}\n{word}\ne7e5\n");
            let seen = seen(WILD16, true, &input);
            assert!(
                seen.contains("The game is not saved: `save FILE` saves it"),
                "{seen}"
            );
            assert!(!seen.contains("e7e5: moved"), "{seen}");
        }
    }

    #[test]
    fn stream_without_a_prompt_has_no_help_and_no_quit() {
        for word in ["help", "?", "quit", "exit"] {
            let seen = seen(WILD16, false, &format!("{word}\ne2e4\n"));
            let head = format!("     {word}: not understood: ");
            assert!(seen.starts_with(&head), "{seen}");
            assert!(seen.contains("  1  White e2e4: moved\n"), "{seen}");
        }
    }

    #[test]
    fn the_prompt_says_who_moves_and_who_may_answer() {
        let played = "e2e4\nwhite offer-draw\ndecline-draw\nresign\n";
        assert_eq!(
            prompts(played),
            [
                "White to move",
                "Black to move",
                "Black to move (Black: accept-draw or decline-draw)",
                "Black to move",
                "The game is over: save FILE, new or quit",
            ]
        );
    }

    #[test]
    fn any_notation_is_read_if_answers_are_in_words() {
        let input = "e4\nd5\nexd5\nNf6\nN-B3\nR-a9\n";
        for prompt in [false, true] {
            let seen = seen(WILD16, prompt, input);
            for part in [
                "White e2e4: moved",
                "Black d7d5: moved",
                "White e4d5: moved",
                "Black g8f6: moved",
                "`N-B3` may mean b1c3 or g1f3: write the one you mean",
                "R-a9: not understood: ",
            ] {
                assert!(seen.contains(part), "{part}: {seen}");
            }
        }
        // If a program writes another notation, the answer tells it to write coordinates.
        let mut settings = Settings::new(WILD16);
        settings.form = Form::Json;
        let mut output = Vec::new();
        run(&b"e4\n"[..], &mut output, &settings).unwrap();
        let line = String::from_utf8(output).unwrap();
        assert!(line.contains("type a move as e2e4"), "{line}");
    }

    #[test]
    fn a_colour_alone_is_not_understood() {
        for line in ["white", "Black "] {
            let seen = seen(WILD16, false, &format!("{line}\n"));
            assert!(
                seen.ends_with(
                    "not understood: a colour alone is not an attempt: write `white e2e4`.\n"
                ),
                "{seen}"
            );
        }
    }
}
