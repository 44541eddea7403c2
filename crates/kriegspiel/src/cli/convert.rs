//! The command `kriegspiel convert`.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use kriegspiel::{
    rules::{GameSwitch, chess::Color},
    scores::{Form, Losses, Target, convert},
};

use super::{
    games::{FormName, Games, counted, opening},
    load, usage,
};

/// Convert recorded games between PGN, transcripts and JSON lines
///
/// Replays each game under its ruleset first. A game that violates its rules is
/// not converted (`kriegspiel audit` shows why). Standard error lists what the
/// target format cannot hold.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel convert examples/castling.txt --to pgn
  kriegspiel convert games.pgn --to json > games.jsonl
  kriegspiel convert games.jsonl --to pgn --rules club-night.toml
  kriegspiel convert game.txt --to pgn --view white")]
pub(super) struct Args {
    /// File of recorded games; - reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Target format
    #[arg(long, value_name = "FORM")]
    to: FormName,

    /// Format of the file, if it cannot be detected from the start of the file
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,

    /// Write only what this player could see of the game (only with --to pgn)
    #[arg(long, value_name = "WHOSE")]
    view: Option<Whose>,

    /// Read the games under this ruleset, even if the file names another one
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// Switches of the games, if the file does not hold them: 3 no-3 50 no-50
    /// mate no-mate
    #[arg(long, value_name = "LIST", num_args = 1..)]
    game: Vec<String>,

    /// Fail if the target format cannot hold everything
    #[arg(long)]
    strict: bool,
}

#[derive(Copy, Clone, Debug, clap::ValueEnum)]
enum Whose {
    White,
    Black,
}

impl Args {
    fn target(&self) -> anyhow::Result<Target> {
        Ok(match (self.to, self.view) {
            (FormName::Pgn, None) => Target::Pgn,
            (FormName::Pgn, Some(Whose::White)) => Target::PlayerPgn(Color::White),
            (FormName::Pgn, Some(Whose::Black)) => Target::PlayerPgn(Color::Black),
            (FormName::Transcript, None) => Target::Transcript,
            (FormName::Json, None) => Target::Json,
            (FormName::Transcript | FormName::Json, Some(_)) => {
                return Err(usage(
                    "--view: only a PGN can hold one player's view; add --to pgn",
                ));
            }
        })
    }
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    let to = args.target()?;
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    let switches = GameSwitch::from_lists(&args.game);
    let switches = switches.map_err(|e| usage(format_args!("--game: {e}")))?;
    let mut games = Games::open(&args.file, args.from)?;
    let mut output = BufWriter::new(io::stdout().lock());
    let mut lost = Losses::new();
    let mut notes: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    let mut written = 0_u64;
    let mut failed = 0_u64;
    while let Some(mut account) = games.next()? {
        if !switches.is_empty() {
            account.switches.clone_from(&switches);
        }
        let opened = opening(&account, ruleset.as_ref(), "")?;
        let converted = match convert(&account, Some(opened), to) {
            Ok(converted) => converted,
            Err(error) => {
                failed += 1;
                games.say(&format!("{error}; the game is skipped"));
                continue;
            }
        };
        if args.strict
            && let Some((loss, (_, line))) = converted.losses.first_key_value()
        {
            anyhow::bail!(
                "line {line}: the target format cannot hold {loss}; without --strict, this is left out"
            );
        }
        if to.form() == Some(Form::Transcript) && written > 0 {
            anyhow::bail!(
                "line {}: a transcript holds one game, but the file has more; give one file for each game",
                account.line
            );
        }
        written += 1;
        for (loss, (count, line)) in converted.losses {
            lost.entry(loss).or_insert((0, line)).0 += count;
        }
        for (line, words) in converted.notes {
            notes.entry(words).or_insert((0, line)).0 += 1;
        }
        output.write_all(converted.text.as_bytes())?;
    }
    output.flush()?;
    for (words, (count, line)) in &notes {
        let times = counted(*count as u64, "time");
        games.say(&format!("{words} ({times}, first on line {line})"));
    }
    for (loss, (count, line)) in &lost {
        let times = counted(*count as u64, "time");
        games.say(&format!("left out: {loss} ({times}, first on line {line})"));
    }
    if games.damaged + failed > 0 {
        let all = counted(games.damaged + failed, "game");
        anyhow::bail!("{all} could not be converted");
    }
    Ok(())
}
