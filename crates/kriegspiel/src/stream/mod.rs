//! The umpire's stream: lines in, what everyone hears out.
//!
//! `[white |black ]WORD` or `new [FEN]`, a line each; every line but blank
//! ones and comments (`#`) is answered by one line of JSON, or by one block of
//! words. Two runs on the same input give the same bytes.
//!
//! The output is the umpire's sheet, which includes the true position: it is not
//! for players.
//!
//! ```
//! use kriegspiel::stream::{self, Form, Settings};
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

mod human;
mod input;
mod json;
mod request;
mod table;

use std::io::{self, BufRead, Write};

use referee::StartPosition;
use rules::{Choices, Ruleset};

use self::{
    input::read_line,
    request::Aside,
    table::{Outcome, UmpireTable, new_attempt},
};

/// Choice of the board that is drawn after each line.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Show {
    /// The true position.
    Umpire,
    /// Own men in White's view.
    White,
    /// Own men in Black's view.
    Black,
}

/// In what form lines are answered.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Form {
    /// One line of JSON each.
    Json,
    /// One block of words each, with styles as ANSI escapes: give
    /// [`run`] a writer that strips them where they are not wanted.
    Words {
        /// The diagram under each block.
        show: Option<Show>,
        /// Whether a person types the lines: shows the opening at once and a
        /// prompt before each line, and understands `help`, `?`, `quit` and
        /// `exit`, which no other stream knows.
        prompt: bool,
    },
}

/// Under what a stream is refereed.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Settings {
    /// The ruleset.
    pub ruleset: Ruleset,
    /// Its choices, with the game's switches set.
    pub choices: Choices,
    /// A position from which the first game starts, as if the first line were
    /// `new FEN`.
    pub start: Option<StartPosition>,
    /// Whether to list the attempts worth making.
    pub tries: bool,
    /// The form of the answers.
    pub form: Form,
}

impl Settings {
    /// A ruleset as it stands, from the usual position, in words.
    pub fn new(ruleset: Ruleset) -> Settings {
        Settings {
            choices: ruleset.choices,
            ruleset,
            start: None,
            tries: false,
            form: Form::Words {
                show: None,
                prompt: false,
            },
        }
    }
}

/// Referees the lines of `input` until they end.
///
/// # Errors
/// Error of reading or writing; a closed pipe is
/// [`io::ErrorKind::BrokenPipe`].
pub fn run(mut input: impl BufRead, mut output: impl Write, settings: &Settings) -> io::Result<()> {
    let mut table = UmpireTable::new(settings);
    let prompted = matches!(settings.form, Form::Words { prompt: true, .. });
    let mut opening = settings.start.clone();
    if prompted {
        let start = opening.take().unwrap_or_else(StartPosition::initial);
        open(&mut output, &mut table, settings, start)?;
    }
    let mut line = Vec::new();
    loop {
        if prompted {
            human::prompt(&mut output, &table, settings)?;
            output.flush()?;
        }
        let Some(raw) = read_line(&mut input, &mut line)? else {
            break;
        };
        match prompted.then(|| Aside::read(&raw)).flatten() {
            Some(Aside::Help) => {
                human::help(&mut output, &table, settings)?;
                continue;
            }
            Some(Aside::Quit) => return output.flush(),
            None => {}
        }
        if let Some(start) = opening.take() {
            open(&mut output, &mut table, settings, start)?;
        }
        if let Some(outcome) = table.answer(&raw) {
            write(&mut output, &outcome, &table, settings)?;
        }
    }
    if prompted {
        writeln!(output)?;
        output.flush()?;
    }
    Ok(())
}

fn open(
    output: &mut impl Write,
    table: &mut UmpireTable<'_>,
    settings: &Settings,
    start: StartPosition,
) -> io::Result<()> {
    let attempt = if settings.start.is_some() {
        new_attempt(&start)
    } else {
        "new".to_owned()
    };
    let outcome = table.begin(start, attempt);
    write(output, &outcome, table, settings)
}

/// Writes the answer to one line, whole.
fn write(
    output: &mut impl Write,
    outcome: &Outcome,
    table: &UmpireTable<'_>,
    settings: &Settings,
) -> io::Result<()> {
    match settings.form {
        Form::Json => json::write(output, outcome, table, settings.tries)?,
        Form::Words { show, .. } => human::write(output, outcome, table, settings, show)?,
    }
    output.flush()
}

#[cfg(test)]
mod tests {
    use rules::rulesets::{CINCINNATI, WILD16};

    use super::*;

    /// Output for a person who types these lines, without styles.
    fn seen(ruleset: Ruleset, prompt: bool, input: &str) -> String {
        let mut settings = Settings::new(ruleset);
        settings.form = Form::Words { show: None, prompt };
        let mut output = anstream::StripStream::new(Vec::new());
        run(input.as_bytes(), &mut output, &settings).expect("memory can be written");
        String::from_utf8(output.into_inner()).expect("the output is UTF-8")
    }

    /// The prompts, in order.
    fn prompts(input: &str) -> Vec<String> {
        seen(CINCINNATI, true, input)
            .lines()
            .filter_map(|line| Some(line.split_once(" > ")?.0.to_owned()))
            .collect()
    }

    #[test]
    fn help_is_no_line_of_the_game() {
        for word in ["help", "?", " Help "] {
            let seen = seen(WILD16, true, &format!("{word}\ne2e4\n"));
            let help = "\
White to move (a move as e2e4, px, resign, offer-draw, flag, new, help; Ctrl-D ends) >      \
a move as e2e4, px, resign, offer-draw, flag, new, help; Ctrl-D ends
     `white` or `black` before a word says who speaks. `flag`: that player's time is up.
     `new [FEN]`: another game. Ctrl-D ends.
White to move";
            assert!(seen.contains(help), "{seen}");
            assert!(seen.contains("  1  White e2e4: moved\n"), "{seen}");
        }
    }

    #[test]
    fn quit_ends_where_a_person_types() {
        for word in ["quit", "exit", "QUIT"] {
            let input = format!("e2e4\n{word}\ne7e5\n");
            let seen = seen(WILD16, true, &input);
            assert!(seen.ends_with("help; Ctrl-D ends) > "), "{seen}");
            assert!(!seen.contains("e7e5: moved"), "{seen}");
        }
    }

    #[test]
    fn a_stream_without_a_prompt_knows_neither() {
        for word in ["help", "?", "quit", "exit"] {
            let seen = seen(WILD16, false, &format!("{word}\ne2e4\n"));
            let head = format!("  1  {word}: not understood: ");
            assert!(seen.starts_with(&head), "{seen}");
            assert!(seen.contains("  2  White e2e4: moved\n"), "{seen}");
        }
    }

    #[test]
    fn the_prompt_says_what_may_be_typed_and_by_whom() {
        let played = "e2e4\nwhite offer-draw\ndecline-draw\nresign\n";
        assert_eq!(
            prompts(played),
            [
                "White to move (a move as e2e4, resign, offer-draw, flag, new, help; Ctrl-D ends)",
                "Black to move (a move as e7e5, resign, offer-draw, flag, new, help; Ctrl-D ends)",
                "Black to move (a move as e7e5, resign, flag, new, help; \
                 Black: accept-draw, decline-draw; White: withdraw-draw; Ctrl-D ends)",
                "Black to move (a move as e7e5, resign, offer-draw, flag, new, help; Ctrl-D ends)",
                "The game is over (new, new FEN, help; Ctrl-D ends)",
            ]
        );
    }

    #[test]
    fn a_colour_alone_is_not_understood() {
        for line in ["white", "Black "] {
            let seen = seen(WILD16, false, &format!("{line}\n"));
            assert!(
                seen.ends_with(
                    "not understood: a colour alone is no attempt: write `white e2e4`.\n"
                ),
                "{seen}"
            );
        }
    }
}
