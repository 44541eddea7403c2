//! The command `kriegspiel convert`.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use rules::{GameSwitch, Ruleset, chess::Color};
use scores::{Converted, Form, Losses, PgnGame, RecordedGame, Target, convert, write_player_file};

use super::{
    games::{FormName, Games, counted, files},
    load,
    terminal::{shown, tell},
    usage::{Usage, usage},
};

/// Convert recorded games between PGN, transcripts and JSON lines
///
/// Several files and folders can be given. Each game is first replayed under its
/// ruleset. A game that cannot be read or that violates its rules is skipped, with
/// a message that names its number in the file (`kriegspiel audit` shows why).
/// Standard error lists what the target format cannot hold.
///
/// Exit code 0: every game is converted. 1: a game was skipped, or with --strict
/// the format cannot hold everything. 2: a file could not be read, or wrong use of
/// the command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel convert examples/castling.txt --to pgn
  kriegspiel convert games.pgn --to json > games.jsonl
  kriegspiel convert monday.txt tuesday.txt old-games --to pgn > all.pgn
  kriegspiel convert games.jsonl --to pgn --rules club-night.toml
  kriegspiel convert game.txt --to pgn --view white")]
pub(super) struct Args {
    /// Files of recorded games, or folders of such files; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Target format
    #[arg(long, value_name = "FORM")]
    to: FormName,

    /// Format of the files, if it cannot be detected from the start of a file
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,

    /// Write only what this player could see of the game (only with --to pgn)
    #[arg(long, value_name = "WHOSE")]
    view: Option<Whose>,

    /// Read the games under this ruleset, even if the file names another one
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// Switches that change when the games end, instead of the switches in the files: one or more
    /// of 3, no-3, 50, no-50, mate and no-mate (`kriegspiel referee --help` explains them)
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

/// Messages that are printed after a file is converted. Holds, for each message, how often it
/// occurred, and the line of its first occurrence.
#[derive(Default)]
struct Said {
    lost: Losses,
    notes: BTreeMap<String, (usize, u64)>,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let to = args.target()?;
    let files = files(&args.files)?;
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    let switches = GameSwitch::from_lists(&args.game);
    let switches = switches.map_err(|e| usage(format_args!("--game: {e}")))?;
    let mut output = BufWriter::new(io::stdout().lock());
    let (mut written, mut damaged, mut failed, mut unread) = (0_u64, 0, 0_u64, 0_u64);
    for file in &files {
        let mut said = Said::default();
        let read = Games::open(file, args.from).and_then(|mut games| {
            let mut read = || -> anyhow::Result<()> {
                while let Some(read) = games.next_or_view()? {
                    let mut game = match read {
                        Ok(game) => game,
                        Err(view) => {
                            match own_file(&view, ruleset.as_ref(), to) {
                                Ok(text) => {
                                    written += 1;
                                    output.write_all(text.as_bytes())?;
                                }
                                Err(why) => games.refuse(&why),
                            }
                            continue;
                        }
                    };
                    if !switches.is_empty() {
                        game.switches.clone_from(&switches);
                    }
                    let Some(opened) = games.opening(&game, ruleset.as_ref(), "") else {
                        continue;
                    };
                    let converted = match convert(&game, Some(opened), to) {
                        Ok(converted) => converted,
                        Err(error) => {
                            failed += 1;
                            games.report(&format!("{error}; the game is skipped"));
                            continue;
                        }
                    };
                    args.accepts(file, &game, &converted, to, written)?;
                    written += 1;
                    for (loss, (count, line)) in converted.losses {
                        said.lost.entry(loss).or_insert((0, line)).0 += count;
                    }
                    for (line, words) in converted.notes {
                        said.notes.entry(words).or_insert((0, line)).0 += 1;
                    }
                    output.write_all(converted.text.as_bytes())?;
                }
                Ok(())
            };
            let read = read();
            damaged += games.damaged;
            read?;
            games.finish()
        });
        said.say(file, files.len() > 1);
        if let Err(error) = read {
            if files.len() == 1 || !error.is::<Usage>() {
                output.flush()?;
                return Err(error);
            }
            tell(format_args!("{error:#}"));
            unread += 1;
        }
    }
    output.flush()?;
    if damaged + failed > 0 {
        let all = counted(damaged + failed, "game");
        tell(format_args!("{all} could not be converted"));
    }
    Ok(ExitCode::from(match unread {
        0 => u8::from(damaged + failed > 0),
        _ => 2,
    }))
}

/// Converts one player's own file, which only a PGN with this player's view can hold.
fn own_file(view: &PgnGame, ruleset: Option<&Ruleset>, to: Target) -> Result<String, String> {
    let rules = ruleset.or(view.ruleset().ok()).map(|ruleset| &*ruleset.id);
    match (to, view.player()) {
        (Target::PlayerPgn(player), Some(whose)) if player == whose => {
            let mut text = String::new();
            write_player_file(&mut text, view, rules);
            Ok(text)
        }
        (_, whose) => {
            let whose = whose.unwrap_or(Color::White).fold_wb("white", "black");
            Err(format!(
                "line {}: this is {whose}'s own file, in which moves are hidden; only --to pgn --view {whose} can hold it",
                view.line
            ))
        }
    }
}

impl Args {
    /// Checks that the target can hold a game.
    fn accepts(
        &self,
        file: &Path,
        game: &RecordedGame,
        converted: &Converted,
        to: Target,
        written: u64,
    ) -> anyhow::Result<()> {
        let shown = shown(file);
        if self.strict
            && let Some((loss, (_, line))) = converted.losses.first_key_value()
        {
            anyhow::bail!(
                "{shown}: line {line}: the target format cannot hold {loss}; without --strict, this is left out"
            );
        }
        if to.form() == Some(Form::Transcript) && written > 0 {
            return Err(usage(format_args!(
                "{shown}: line {}: a transcript holds one game, but there are more; convert one game at a time",
                game.line
            )));
        }
        Ok(())
    }
}

impl Said {
    fn say(&self, file: &Path, several: bool) {
        let prefix = if several {
            format!("{}: ", shown(file))
        } else {
            String::new()
        };
        for (words, (count, line)) in &self.notes {
            let times = counted(*count as u64, "time");
            tell(format_args!(
                "{prefix}{words} ({times}, first on line {line})"
            ));
        }
        for (loss, (count, line)) in &self.lost {
            let times = counted(*count as u64, "time");
            tell(format_args!(
                "{prefix}left out: {loss} ({times}, first on line {line})"
            ));
        }
    }
}
