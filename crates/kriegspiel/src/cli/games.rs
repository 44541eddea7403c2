//! Reads files of recorded games, for several commands.

use std::{
    cell::Cell,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read},
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};
use kriegspiel::{
    referee::Opened,
    rules::Ruleset,
    scores::{Account, Accounts, Form},
};

use super::{terminal, usage};

/// Maximum number of uncompressed bytes of one game. The limit stops the reading of
/// endless input.
const MOST_BYTES: u64 = 1 << 27;

/// Minimum size of a file in bytes for which a progress bar is shown.
const SEEN: u64 = 4 << 20;

/// Format of a file, as named on the command line.
#[derive(Copy, Clone, Debug, clap::ValueEnum)]
pub(super) enum FormName {
    /// PGN with tries
    Pgn,
    /// A transcript: one line per attempt, one column per listener
    Transcript,
    /// The lines of `kriegspiel referee --json`
    Json,
}

impl From<FormName> for Form {
    fn from(name: FormName) -> Form {
        match name {
            FormName::Pgn => Form::Pgn,
            FormName::Transcript => Form::Transcript,
            FormName::Json => Form::Json,
        }
    }
}

/// Reader of the games of a file. Damaged games are reported and counted.
pub(super) struct Games {
    path: PathBuf,
    /// Whether the start of the file does not show a known format.
    doubtful: bool,
    accounts: Accounts<Box<dyn BufRead>>,
    /// Number of bytes read since the end of the last game.
    since: Rc<Cell<u64>>,
    bar: ProgressBar,
    /// Number of games that could be read.
    pub(super) read: u64,
    /// Number of games that could not be read.
    pub(super) damaged: u64,
}

impl Games {
    /// Opens a file, which may be gzip. `-` is standard input.
    pub(super) fn open(path: &Path, form: Option<FormName>) -> anyhow::Result<Games> {
        let shown = path.display();
        let (input, length): (Box<dyn Read>, Option<u64>) = if path == Path::new("-") {
            (Box::new(io::stdin()), None)
        } else {
            let file = File::open(path).map_err(|e| usage(format_args!("{shown}: {e}")))?;
            let length = file.metadata().ok().map(|data| data.len());
            (Box::new(file), length)
        };
        let bar = bar(length);
        let input = bar.wrap_read(input);
        let mut input: Box<dyn BufRead> = Box::new(BufReader::with_capacity(1 << 18, input));
        let beginning = input.fill_buf();
        let beginning = beginning.map_err(|e| usage(format_args!("{shown}: {e}")))?;
        if beginning.starts_with(&[0x1f, 0x8b]) {
            let unpacked = MultiGzDecoder::new(input);
            input = Box::new(BufReader::with_capacity(1 << 18, unpacked));
        }
        let since = Rc::default();
        let input = Bounded {
            input,
            since: Rc::clone(&since),
        };
        let mut input: Box<dyn BufRead> = Box::new(BufReader::with_capacity(1 << 18, input));
        let (form, doubtful) = match form {
            Some(form) => (form.into(), false),
            None => {
                let beginning = input.fill_buf();
                let beginning = beginning.map_err(|e| cut(path, &e))?;
                let form = Form::of(beginning);
                (form, form == Form::Pgn && !beginning.contains(&b'['))
            }
        };
        Ok(Games {
            path: path.to_owned(),
            doubtful,
            accounts: Accounts::of_form(input, form),
            since,
            bar,
            read: 0,
            damaged: 0,
        })
    }

    /// Returns the next game that can be read.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<Account>> {
        loop {
            let Some(item) = self.accounts.next() else {
                self.bar.finish_and_clear();
                return Ok(None);
            };
            let shown = self.path.display();
            self.since.set(0);
            match item.map_err(|e| cut(&self.path, &e))? {
                Ok(account) => {
                    self.read += 1;
                    return Ok(Some(account));
                }
                Err(damage) => {
                    self.damaged += 1;
                    let hint = if self.doubtful {
                        "; is it a file of games? A list of tries is for `kriegspiel referee --rules ID < FILE`"
                    } else {
                        ""
                    };
                    self.say(&format!("{shown}: {damage}; the game is skipped{hint}"));
                }
            }
        }
    }

    /// Prints a message on standard error, above the progress bar.
    pub(super) fn say(&self, words: &str) {
        self.bar.suspend(|| terminal::tell(words));
    }
}

/// Formats a number with its noun: "1 move", "2 moves".
pub(super) fn counted(n: u64, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{n} {noun}s")
    }
}

/// Reader that fails if a game does not end within [`MOST_BYTES`].
struct Bounded {
    input: Box<dyn BufRead>,
    since: Rc<Cell<u64>>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.since.get() > MOST_BYTES {
            let most = MOST_BYTES >> 20;
            return Err(io::Error::other(format!(
                "no game ends within {most} MiB; is it a file of games?"
            )));
        }
        let read = self.input.read(buffer)?;
        self.since.set(self.since.get() + read as u64);
        Ok(read)
    }
}

/// Returns the error for input that cannot be read. The usual reason is compressed data
/// that end too early.
pub(super) fn cut(path: &Path, error: &io::Error) -> anyhow::Error {
    let shown = path.display();
    if error.kind() == io::ErrorKind::UnexpectedEof {
        usage(format_args!(
            "{shown}: the compressed data end too early: the file was cut off"
        ))
    } else {
        usage(format_args!("{shown}: {error}"))
    }
}

/// Returns the opening of a game, under `ruleset` or, if `ruleset` is `None`, under
/// the ruleset that the file names.
///
/// # Errors
/// The game cannot begin under these rules. The message ends with `hint`.
pub(super) fn opening(
    account: &Account,
    ruleset: Option<&Ruleset>,
    hint: &str,
) -> anyhow::Result<Opened> {
    let opened = match ruleset {
        Some(ruleset) => account.opening_under(ruleset),
        None => account.opening(),
    };
    opened.map_err(|e| usage(format_args!("line {}: {e}{hint}", account.line)))
}

/// Returns a progress bar, which is hidden if stderr is not a terminal or the
/// file is short.
fn bar(length: Option<u64>) -> ProgressBar {
    let Some(length) = length.filter(|l| *l >= SEEN && io::stderr().is_terminal()) else {
        return ProgressBar::hidden();
    };
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(
        "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta_precise} left",
    ) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
