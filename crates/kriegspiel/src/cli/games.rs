//! Files of recorded games, for the commands that read them.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};
use kriegspiel::{
    referee::Opened,
    rules::Ruleset,
    scores::{Account, Accounts, Form},
};

use super::usage;

/// Files shorter than this are read before a bar could be seen.
const SEEN: u64 = 4 << 20;

/// The form of a file, as named on the command line.
#[derive(Copy, Clone, Debug, clap::ValueEnum)]
pub(super) enum FormName {
    /// PGN with tries
    Pgn,
    /// A transcript: a line an attempt, a column a listener
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

/// The games of a file; damaged ones are reported and counted.
pub(super) struct Games {
    path: PathBuf,
    /// Whether nothing at its beginning shows that it holds games.
    doubtful: bool,
    accounts: Accounts<Box<dyn BufRead>>,
    bar: ProgressBar,
    /// Games that could be read.
    pub(super) read: u64,
    /// Games that could not.
    pub(super) damaged: u64,
}

impl Games {
    /// Opens a file, which may be gzip; `-` is standard input.
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
        let (form, doubtful) = match form {
            Some(form) => (form.into(), false),
            None => {
                let beginning = input.fill_buf();
                let beginning = beginning.map_err(|e| usage(format_args!("{shown}: {e}")))?;
                let form = Form::of(beginning);
                (form, form == Form::Pgn && !beginning.contains(&b'['))
            }
        };
        Ok(Games {
            path: path.to_owned(),
            doubtful,
            accounts: Accounts::of_form(input, form),
            bar,
            read: 0,
            damaged: 0,
        })
    }

    /// The next game that can be read.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<Account>> {
        loop {
            let Some(item) = self.accounts.next() else {
                self.bar.finish_and_clear();
                return Ok(None);
            };
            let shown = self.path.display();
            match item.map_err(|e| usage(format_args!("{shown}: {e}")))? {
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

    /// Says something on standard error, above the bar.
    pub(super) fn say(&self, words: &str) {
        self.bar.suspend(|| {
            // Nothing can be done if stderr is closed.
            let _ignored = writeln!(io::stderr(), "kriegspiel: {words}");
        });
    }
}

/// Returns the opening of a game: under that ruleset, or else under the one that the file names.
///
/// # Errors
/// It cannot open so; `hint` ends the message.
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

/// A bar, where someone sees it and the file is long enough.
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
