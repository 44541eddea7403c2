//! Contestants as given on the command line.

use std::{fmt, io, process::Command, str::FromStr, time::Duration};

use bots::{Bot, Seed};

use crate::{guard::GuardedPlayer, program::Program, seat::Seat};

/// A built-in bot, or a program that plays over pipes.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// A built-in bot, which plays in this process.
    Bot(&'static Bot),
    /// An external program.
    Program(CommandLine),
}

/// Command line of a program: `cmd:PROGRAM ARGUMENT...`.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct CommandLine {
    text: String,
    program: String,
    arguments: Vec<String>,
}

impl CommandLine {
    /// Returns the command that starts the program. Its pipes are not set yet.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Error in a contestant given on the command line.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ContestantError {
    /// No built-in bot has this name.
    #[error(
        "there is no bot `{}`: {}the bots are {}; cmd:PROGRAM starts a program of yours",
        notation::printable(.name),
        suggestion(.name),
        bots::names()
    )]
    UnknownBot {
        /// The name as given.
        name: String,
    },
    /// `cmd:` is not followed by a program.
    #[error("`cmd:` is not followed by a program; write cmd:PROGRAM, or cmd:\"PROGRAM ARGUMENT\"")]
    NoProgram,
    /// A quotation mark is not closed.
    #[error("`{text}` has an unclosed quotation mark")]
    OpenQuote {
        /// The command as given.
        text: String,
    },
}

/// Returns a question for an error message: whether the user meant a certain similar name. Returns
/// an empty text if no name is similar.
fn suggestion(named: &str) -> String {
    let names: Vec<&str> = bots::ALL.iter().map(|bot| bot.name).collect();
    notation::nearest(named, &names)
        .map(|name| format!("did you mean `{name}`? "))
        .unwrap_or_default()
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        let Some(line) = text.strip_prefix("cmd:") else {
            return bots::by_name(text).map(Contestant::Bot).ok_or_else(|| {
                ContestantError::UnknownBot {
                    name: text.to_owned(),
                }
            });
        };
        let words = words(line).ok_or_else(|| ContestantError::OpenQuote {
            text: text.to_owned(),
        })?;
        match words.split_first() {
            Some((program, arguments)) if !program.is_empty() => {
                Ok(Contestant::Program(CommandLine {
                    text: line.to_owned(),
                    program: program.clone(),
                    arguments: arguments.to_vec(),
                }))
            }
            Some(_) | None => Err(ContestantError::NoProgram),
        }
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Bot(bot) => f.write_str(bot.name),
            Contestant::Program(line) => write!(f, "cmd:{line}"),
        }
    }
}

/// Splits a command into words at white space outside `'...'` and `"..."`. Returns
/// `None` if a quotation mark is not closed.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

impl Contestant {
    /// Creates the bot or starts the program, to play one game.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(crate) fn seat(&self, seed: Seed, answer_timeout: Duration) -> io::Result<Box<dyn Seat>> {
        Ok(match self {
            Contestant::Bot(bot) => Box::new(GuardedPlayer::new(|| bot.seat(seed))),
            Contestant::Program(line) => {
                Box::new(Program::start(&mut line.command(), answer_timeout)?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_at_spaces_outside_quotations() {
        let split = |line| words(line).map(|w| w.join("|"));
        assert_eq!(split("prog"), Some("prog".to_owned()));
        assert_eq!(split("  a  b\tc "), Some("a|b|c".to_owned()));
        assert_eq!(
            split(r#"sh -c 'read x; echo "no"' """#),
            Some(r#"sh|-c|read x; echo "no"|"#.to_owned())
        );
        assert_eq!(split(r"C:\bots\x.exe -q"), Some(r"C:\bots\x.exe|-q".into()));
        assert_eq!(split("'open"), None);
        assert_eq!(split(""), Some(String::new()));
    }

    #[test]
    fn errors_say_what_is_wrong_with_a_contestant() {
        let fault = |text: &str| text.parse::<Contestant>().unwrap_err().to_string();
        assert_eq!(
            fault("fish"),
            format!(
                "there is no bot `fish`: the bots are {}; cmd:PROGRAM starts a program of yours",
                bots::names()
            )
        );
        let meant = fault("sparing");
        assert!(
            meant.starts_with("there is no bot `sparing`: did you mean `sparring`? the bots are "),
            "{meant}"
        );
        assert!(fault("cmd:").contains("not followed by a program"));
        assert!(fault("cmd:'' x").contains("not followed by a program"));
        assert!(fault("cmd:'x").contains("quotation mark"));
        for good in ["random", "random+any", "sparring", "cmd:x -y"] {
            assert_eq!(good.parse::<Contestant>().unwrap().to_string(), good);
        }
    }
}
