//! `kriegspiel view`.

use std::path::PathBuf;

use anyhow::Context;
use kriegspiel::scores::{Account, steps};
use tui::{App, Review};

use super::{
    games::{FormName, Games},
    load,
    play::Look,
    usage,
};

/// Look at a finished game, step by step, on three boards
///
/// White's board, the umpire's and Black's stand side by side where the window is wide; Tab goes
/// from one to the next where it is not. The arrows go through moves and refused tries, with what
/// each heard. Any file of games is read that `kriegspiel convert` reads: PGN, transcripts, JSON
/// lines.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel view examples/castling.txt
  kriegspiel view games.pgn --game 3")]
pub(super) struct Args {
    /// A file of recorded games
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which game of the file, counted from 1
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,

    /// The form of the file, where its beginning does not tell
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,

    /// Read the game under this ruleset, whatever the file names
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    #[command(flatten)]
    look: Look,
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    let review = review(args)?;
    let app = App::view(review, args.look.start());
    tui::run(app, tui::inbox(), |_, _| {}, |_| {}).context("the terminal cannot be drawn on")
}

fn review(args: &Args) -> anyhow::Result<Review> {
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    let mut games = Games::open(&args.file, args.from)?;
    let mut found = None;
    for _ in 0..args.game.max(1) {
        found = games.next()?;
        if found.is_none() {
            break;
        }
    }
    let Some(account) = found else {
        return Err(usage(format!(
            "{}: it has {} games that can be read",
            args.file.display(),
            games.read
        )));
    };
    let opened = match &ruleset {
        Some(ruleset) => account.opening_under(ruleset),
        None => account.opening(),
    };
    let opened = opened.map_err(|e| usage(format_args!("line {}: {e}", account.line)))?;
    let rules = opened.rules.to_string();
    let steps = steps(&account, Some(opened)).map_err(|e| usage(format_args!("{e}")))?;
    let last = steps.iter().rev().find_map(|step| step.room.last());
    let end = last.cloned().unwrap_or_default();
    let name = |tag: &str, otherwise: &str| named(&account, tag, otherwise);
    Ok(Review::new(
        name("White", "White"),
        name("Black", "Black"),
        rules,
        end,
        steps,
    ))
}

fn named(account: &Account, tag: &str, otherwise: &str) -> String {
    let name = account.tags.get(tag).unwrap_or_default();
    if name.is_empty() || name == "?" {
        otherwise.to_owned()
    } else {
        name.to_owned()
    }
}
