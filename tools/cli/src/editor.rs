//! Lines that a person types at a terminal, with editing and a history.

use std::io;

use rustyline::{Config, config::Configurer, error::ReadlineError, history::MemHistory};
use stream::{LineFor, LineSource, RawLine, TypedLine};

type Line = rustyline::Editor<(), MemHistory>;

/// Line editors: one for the umpire, one for each player, and one for lines on which only Enter is
/// expected. Each editor has its own history, so no player can recall what the other one typed. No
/// history is written to the disk.
pub(super) struct Editor {
    umpire: Line,
    white: Line,
    black: Line,
    enter: Line,
}

impl Editor {
    pub(super) fn new() -> io::Result<Editor> {
        Ok(Editor {
            umpire: editor()?,
            white: editor()?,
            black: editor()?,
            enter: editor()?,
        })
    }
}

fn editor() -> io::Result<Line> {
    let config = Config::default();
    let history = MemHistory::with_config(&config);
    let mut line = Line::with_history(config, history).map_err(failed)?;
    line.set_auto_add_history(false);
    Ok(line)
}

fn failed(error: ReadlineError) -> io::Error {
    if let ReadlineError::Io(error) = error {
        return error;
    }
    io::Error::other(error.to_string())
}

impl LineSource for Editor {
    fn next(&mut self, asked: LineFor, prompt: &str) -> io::Result<TypedLine> {
        let line = match asked {
            LineFor::Umpire => &mut self.umpire,
            LineFor::Player(color) => color.fold_wb(&mut self.white, &mut self.black),
            LineFor::Enter => &mut self.enter,
        };
        loop {
            return match line.readline(prompt) {
                Ok(text) => {
                    if asked != LineFor::Enter {
                        line.add_history_entry(text.as_str()).map_err(failed)?;
                    }
                    Ok(TypedLine::Line(RawLine::from(text)))
                }
                Err(ReadlineError::Eof) => Ok(TypedLine::End),
                Err(ReadlineError::Interrupted) => Ok(TypedLine::Interrupt),
                // The signal means that the size of the window has changed.
                Err(ReadlineError::Signal(_)) => continue,
                Err(error) => Err(failed(error)),
            };
        }
    }

    fn shows_prompt(&self) -> bool {
        true
    }
}
