//! The command `kriegspiel audit`.

use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
};

use rules::{Ruleset, rulesets};
use scores::{Contradiction, RecordedGame, against, follow};

use super::{
    games::{FormName, Games, files},
    load,
    terminal::{self, Text},
    usage::Usage,
};

/// Check the announcements of a recorded game against the rules
///
/// Replays every recorded game under its ruleset. Lists each announcement that
/// is wrong, missing, superfluous or made to the wrong person, with the rule
/// and its source. Reads transcripts, PGN with tries (from this program, from
/// Darkboard, older formats, ICC archives) and the lines of
/// `kriegspiel referee --json`.
///
/// Several files and folders can be given. In a folder and the folders below it,
/// every file whose name ends with .pgn, .txt, .jsonl, .json, .gz or .zst is read.
///
/// A game that cannot be read is skipped, with a message that names its number in
/// the file.
///
/// Exit code 0: nothing found. 1: something found, or a game could not be read. 2: a
/// file could not be read, or wrong use of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel audit examples/castling.txt
  kriegspiel audit archive.pgn --rules wild16
  kriegspiel audit monday.txt tuesday.txt old-games
  kriegspiel audit evening.pgn --guess-rules
  kriegspiel referee --rules rand --json < moves.txt | kriegspiel audit - --rules rand")]
pub(super) struct Args {
    /// Files of recorded games, or folders of such files; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Judge according to this ruleset, even if the file names another one
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// List the rulesets that no file contradicts. For every other ruleset, list the
    /// first contradiction
    #[arg(long, conflicts_with = "rules")]
    guess_rules: bool,

    /// Format of the files, if it cannot be detected from the start of a file
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let files = files(&args.files)?;
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    let mut output = Text::new(BufWriter::new(io::stdout().lock()));
    let mut all = Totals::default();
    let mut guesses: Vec<Option<String>> = vec![None; rulesets::ALL.len()];
    for file in &files {
        // If this file cannot be read, the remaining files are still read.
        let read = Games::open(file, args.from).and_then(|mut games| {
            let name = (files.len() > 1).then(|| terminal::shown(file));
            let prefix = name.map(|name| format!("{name}: ")).unwrap_or_default();
            let read = if args.guess_rules {
                guess(&mut games, &mut guesses, &prefix)
            } else {
                audit(&mut games, ruleset.as_ref(), &mut output, &prefix, &mut all)
            };
            all.games += games.read;
            all.damaged += games.damaged;
            read?;
            games.finish()
        });
        if let Err(error) = read {
            if files.len() == 1 || !error.is::<Usage>() {
                // What was read before the fault still counts.
                if all.games + all.damaged > 0 {
                    all.conclude(args, &guesses, &mut output)?;
                }
                output.flush()?;
                return Err(error);
            }
            terminal::tell(format_args!("{error:#}"));
            all.unread += 1;
        }
    }
    let clean = all.conclude(args, &guesses, &mut output)?;
    output.flush()?;
    Ok(ExitCode::from(match all.unread {
        0 => u8::from(!clean || all.damaged > 0),
        _ => 2,
    }))
}

/// Totals of all files.
#[derive(Default)]
struct Totals {
    games: u64,
    damaged: u64,
    unread: u64,
    judged: usize,
    found: usize,
    unjudged: u64,
}

impl Totals {
    /// Writes the totals. Returns whether nothing was found.
    fn conclude(
        &self,
        args: &Args,
        guesses: &[Option<String>],
        output: &mut impl Write,
    ) -> io::Result<bool> {
        if args.guess_rules {
            return guessed(guesses, self, output);
        }
        self.write(output)?;
        Ok(self.found == 0)
    }

    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(
            output,
            "games {}, announcements judged {}, findings {}{}",
            self.games,
            self.judged,
            self.found,
            self.faults()
        )?;
        if self.unjudged > 0 {
            writeln!(
                output,
                "games without any announcement: {} (only their moves were checked)",
                self.unjudged
            )?;
        }
        Ok(())
    }

    fn faults(&self) -> String {
        let mut text = String::new();
        if self.damaged > 0 {
            text.push_str(&format!(", games that could not be read {}", self.damaged));
        }
        if self.unread > 0 {
            text.push_str(&format!(", files that could not be read {}", self.unread));
        }
        text
    }
}

fn heading(number: u64, game: &RecordedGame, rules: &str) -> String {
    let title = if game.title.is_empty() {
        String::new()
    } else {
        format!(", {}", game.title)
    };
    format!("game {number}{title} (line {}, {rules}):", game.line)
}

fn audit(
    games: &mut Games,
    ruleset: Option<&Ruleset>,
    output: &mut impl Write,
    prefix: &str,
    all: &mut Totals,
) -> anyhow::Result<()> {
    while let Some(game) = games.next()? {
        let hint = "; --guess-rules lists the rulesets that the file does not contradict";
        let Some(opened) = games.opening(&game, ruleset, hint) else {
            continue;
        };
        let rules = opened.rules.to_string();
        let followed = follow(&game, opened, false);
        all.judged += followed.judged;
        all.found += followed.findings.len();
        all.unjudged += u64::from(followed.judged == 0);
        if followed.findings.is_empty() && followed.notes.is_empty() {
            continue;
        }
        let heading = heading(games.number(), &game, &rules);
        writeln!(output, "{prefix}{heading}")?;
        for finding in &followed.findings {
            writeln!(output, "  {finding}")?;
        }
        for (line, words) in &followed.notes {
            writeln!(output, "  line {line}: note: {words}")?;
        }
    }
    Ok(())
}

/// Records, for each ruleset, the first line that contradicts it.
fn guess(
    games: &mut Games,
    against_each: &mut [Option<String>],
    prefix: &str,
) -> anyhow::Result<()> {
    while let Some(game) = games.next()? {
        for (ruleset, found) in rulesets::ALL.iter().zip(against_each.iter_mut()) {
            if found.is_some() {
                continue;
            }
            let number = games.number();
            *found = against(&game, ruleset).map(|contradiction| match contradiction {
                Contradiction::Finding(finding) => format!("{prefix}game {number}: {finding}"),
                Contradiction::Opening(error) => {
                    format!("{prefix}game {number}: line {}: {error}", game.line)
                }
            });
        }
    }
    Ok(())
}

/// Writes which rulesets are not contradicted. Returns whether there is at least one.
fn guessed(
    against_each: &[Option<String>],
    all: &Totals,
    output: &mut impl Write,
) -> io::Result<bool> {
    if all.games == 0 {
        writeln!(
            output,
            "there are no games from which to guess the rules{}",
            all.faults()
        )?;
        return Ok(false);
    }
    let fits: Vec<&str> = rulesets::ALL
        .iter()
        .zip(against_each)
        .filter(|(_, found)| found.is_none())
        .map(|(ruleset, _)| &*ruleset.id)
        .collect();
    let fitting = if fits.is_empty() {
        "none".to_owned()
    } else {
        fits.join(", ")
    };
    writeln!(output, "not contradicted: {fitting}{}", all.faults())?;
    for (ruleset, found) in rulesets::ALL.iter().zip(against_each) {
        if let Some(found) = found {
            writeln!(output, "  {:<13} {found}", ruleset.id)?;
        }
    }
    Ok(!fits.is_empty())
}
