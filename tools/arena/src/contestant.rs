//! Contestants as given on the command line.

use std::{fmt, fs, io, path::Path, process::Command, str::FromStr, sync::Arc, time::Duration};

use bots::{Bot, Master, Seed, Weights, WeightsError};
use rules::Choices;

use crate::{
    guard::GuardedPlayer,
    program::{IdlePrograms, Program, ProgramSeat},
    run::RunError,
    seat::Seat,
};

/// A built-in bot, or a program that plays over pipes.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// A built-in bot, which plays in this process.
    Bot(&'static Bot),
    /// The bot `master` with other weights.
    Weighted(WeightedMaster),
    /// An external program.
    Program(CommandLine),
}

/// The bot `master` with the weights of a file: `master@FILE`.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightedMaster {
    /// Name of the file, or another name of the weights.
    pub name: String,
    /// The weights.
    pub weights: Arc<Weights>,
}

/// Returns a text that identifies weights: the 32-bit FNV-1a hash of their text form, in
/// hexadecimal.
pub(crate) fn fingerprint(weights: &Weights) -> String {
    let text = weights.to_string();
    let hash = text.bytes().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    format!("{hash:08x}")
}

/// Command line of a program: `cmd:PROGRAM ARGUMENT...`.
#[derive(Clone, Debug)]
pub struct CommandLine {
    text: String,
    program: String,
    arguments: Vec<String>,
    /// Started programs that wait for their next game.
    idle: IdlePrograms,
}

impl CommandLine {
    /// Starts the program.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(&self) -> io::Result<Program> {
        Program::start(
            &self.text,
            Command::new(&self.program).args(&self.arguments),
        )
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Error in a contestant given on the command line.
#[derive(Debug, thiserror::Error)]
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
    /// A bot other than `master` is followed by `@`.
    #[error(
        "only `master` has weights that can be replaced: write master@{} instead of {}@{}",
        notation::printable(.file),
        notation::printable(.name),
        notation::printable(.file)
    )]
    NoWeights {
        /// The bot as given.
        name: String,
        /// The file as given.
        file: String,
    },
    /// The name of the file of weights has a comma.
    #[error("`{0}` has a comma, which separates players: rename the file")]
    Comma(String),
    /// The file of weights cannot be read.
    #[error(
        "`{file}` cannot be read: {fault}; after master@, write the name of a file of weights, without a comma"
    )]
    Unread {
        /// The file.
        file: String,
        /// Error of the operating system.
        fault: io::Error,
    },
    /// The file is not a file of weights.
    #[error("`{file}`, {fault}")]
    Weights {
        /// The file.
        file: String,
        /// The error in the file.
        fault: WeightsError,
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
            if let Some((name, file)) = text.split_once('@') {
                return weighted(name, file).map(Contestant::Weighted);
            }
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
                    idle: IdlePrograms::default(),
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
            Contestant::Weighted(master) => write!(f, "master@{}", master.name),
            Contestant::Program(line) => write!(f, "cmd:{line}"),
        }
    }
}

/// Greatest size of a file of weights or changes, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Reads a small file with a text. `kind` says what the file should contain.
pub(crate) fn read_text(file: &str, kind: &str) -> io::Result<String> {
    // A path that is not a file is refused: reading a device may never end.
    let about = fs::metadata(Path::new(file))?;
    if !about.is_file() || about.len() > MAX_BYTES {
        return Err(io::Error::other(format!("this is not a file of {kind}")));
    }
    fs::read_to_string(file)
}

/// Reads a file of weights.
///
/// # Errors
/// The file cannot be read, or it is not a file of weights.
pub(crate) fn read_weights(file: &str) -> Result<Weights, ContestantError> {
    let unread = |fault| ContestantError::Unread {
        file: file.to_owned(),
        fault,
    };
    let text = read_text(file, "weights").map_err(unread)?;
    text.parse().map_err(|fault| ContestantError::Weights {
        file: file.to_owned(),
        fault,
    })
}

/// Returns the player of `NAME@FILE`.
fn weighted(name: &str, file: &str) -> Result<WeightedMaster, ContestantError> {
    if name != "master" {
        return Err(ContestantError::NoWeights {
            name: name.to_owned(),
            file: file.to_owned(),
        });
    }
    if file.contains(',') {
        return Err(ContestantError::Comma(file.to_owned()));
    }
    Ok(WeightedMaster {
        name: file.to_owned(),
        weights: Arc::new(read_weights(file)?),
    })
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
    /// Returns a text that identifies the player. If the weights in a file change, this text
    /// changes too.
    pub(crate) fn identity(&self) -> String {
        match self {
            Contestant::Bot(_) | Contestant::Program(_) => self.to_string(),
            Contestant::Weighted(master) => format!("{self}#{}", fingerprint(&master.weights)),
        }
    }

    /// Computes the tables that the player needs in many games. See [`Bot::prepare`].
    pub(crate) fn prepare(&self, choices: &Choices) {
        let bot = match self {
            Contestant::Bot(bot) => Some(*bot),
            Contestant::Weighted(_) => bots::by_name("master"),
            Contestant::Program(_) => None,
        };
        if let Some(bot) = bot {
            bot.prepare(choices);
        }
    }

    /// Creates the bot or starts the program, to play one game.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(crate) fn seat(
        &self,
        seed: Seed,
        answer_timeout: Duration,
    ) -> Result<Box<dyn Seat>, RunError> {
        Ok(match self {
            Contestant::Bot(bot) => Box::new(GuardedPlayer::new(|| bot.seat(seed))),
            Contestant::Weighted(master) => Box::new(GuardedPlayer::new(|| {
                Box::new(Master::with_weights(seed, Arc::clone(&master.weights)))
            })),
            Contestant::Program(line) => {
                let started = line.idle.take(|| line.start());
                let program = started.map_err(|fault| RunError::Start {
                    program: self.to_string(),
                    fault,
                })?;
                Box::new(ProgramSeat::new(program, seed, answer_timeout).waiting_in(&line.idle))
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
        let other = fault("sparring@x.txt");
        assert!(
            other.ends_with("write master@x.txt instead of sparring@x.txt"),
            "{other}"
        );
        assert!(fault("master@a,b").contains("has a comma, which separates players"));
        assert!(fault("master@no-such-file").starts_with("`no-such-file` cannot be read: "));
        assert!(fault("master@/dev/null").contains("this is not a file of weights"));
        for good in ["random", "random+any", "sparring", "cmd:x -y"] {
            assert_eq!(good.parse::<Contestant>().unwrap().to_string(), good);
        }
    }
}
