//! The command `kriegspiel rules`.

use std::io::{self, IsTerminal, Write};

use notation::{Page, compared, write_ruleset};
use rules::{CaptureHeard, Ruleset, Source, TryLimit, rulesets};

use super::{load, usage};

/// List the rulesets, or explain them in plain words with their sources
///
/// Without a name, lists the rulesets. With a name, explains that
/// ruleset: the answers and announcements, who hears them, how the game ends,
/// the sources, and where a source is silent.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel rules cincinnati
  kriegspiel rules --compare rand umpire western
  kriegspiel rules --toml wild16 > club-night.toml
  kriegspiel rules club-night.toml")]
pub(super) struct Args {
    /// Rulesets: ids, or ruleset files
    #[arg(value_name = "ID|FILE.toml")]
    rulesets: Vec<String>,

    /// Compare rulesets: each rule in words, and the rulesets that have it (all
    /// rulesets, if none is named)
    #[arg(long, conflicts_with = "toml")]
    compare: bool,

    /// Print a ruleset as a file, from which you can make a custom ruleset
    #[arg(long)]
    toml: bool,
}

/// Greatest number of columns of a comparison.
const COMPARED_WIDTH: usize = 100;

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    let named: Vec<Ruleset> = args
        .rulesets
        .iter()
        .map(|named| load::ruleset(named))
        .collect::<anyhow::Result<_>>()?;
    let text = if args.compare {
        let all: &[Ruleset] = if named.is_empty() {
            &rulesets::ALL
        } else {
            &named
        };
        compared(all, COMPARED_WIDTH)
    } else if args.toml {
        match named.as_slice() {
            [ruleset] => file(ruleset),
            _ => {
                return Err(usage(
                    "--toml: name one ruleset, as in `kriegspiel rules --toml wild16`",
                ));
            }
        }
    } else if named.is_empty() {
        list()
    } else {
        let pages: Vec<_> = (named.iter().zip(&args.rulesets))
            .map(|(ruleset, named)| Page::of(ruleset).text(78) + &commands(ruleset, named))
            .collect();
        pages.join("\n\n")
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(())
}

/// Returns the commands that play under this ruleset. `named` is the id or the file of the ruleset.
fn commands(ruleset: &Ruleset, named: &str) -> String {
    let mut text = format!("\nCommands\n  - kriegspiel play --rules {named}\n");
    let known = rulesets::by_id(&ruleset.id).is_some();
    let from = |source: Source| known && ruleset.sources.contains(&source);
    if from(Source::UMPIRE) {
        text.push_str("  - kriegspiel teletype --1965 --listen 1965\n");
    }
    if from(Source::KSREF) {
        text.push_str("  - kriegspiel ksref --paper\n");
    }
    if from(Source::KS) {
        let a = match ruleset.choices.capture_heard {
            CaptureHeard::Both => " +a",
            CaptureHeard::Capturer | CaptureHeard::Victim => "",
        };
        let p = match ruleset.choices.try_limit {
            TryLimit::Three => " +p",
            TryLimit::None => "",
        };
        for program in ["ks", "xks"] {
            text.push_str(&format!("  - kriegspiel {program}{a}{p} USER@MACHINE\n"));
        }
    }
    text
}

/// Returns the ruleset as a file with a new id, as the start of a custom ruleset.
fn file(ruleset: &Ruleset) -> String {
    let mut own = ruleset.clone();
    if rulesets::by_id(&own.id).is_some() {
        own.id = format!("my-{}", own.id).into();
        own.title = format!("{}, changed", own.title).into();
    }
    write_ruleset(&own)
}

fn list() -> String {
    let mut text: String = rulesets::ALL
        .iter()
        .map(|r| format!("{:<14}{}\n", r.id, r.title))
        .collect();
    if io::stdout().is_terminal() {
        text.push_str(
            "\n`kriegspiel rules ID` explains a ruleset, `kriegspiel rules --compare` compares all of them.\n",
        );
    }
    text
}
