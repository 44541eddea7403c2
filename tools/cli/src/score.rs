//! The command `kriegspiel score`.

use std::{
    fmt::Write as _,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context;
use notation::{Notation, printable_lines};
use referee::StartPosition;
use rules::{Ruleset, rulesets};
use scores::{
    Form, RecordedGames,
    score::{Letters, Repair, Repairs, Score, ScoreFile, ScoreForm, Stop},
    steps, write_player_file,
};

use super::{games::reader_of, load, terminal, unpack, usage};

/// Read scores written by people
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: ScoreCommand,
}

#[derive(Debug, clap::Subcommand)]
enum ScoreCommand {
    Read(ReadArgs),
}

/// Read a score in any notation, play it move by move, and print or convert it
///
/// FILE holds one game. It is PGN, a list of moves, a table with the game in two
/// notations side by side, or a page as published, with prose before, between and
/// after the moves. The moves of a page are numbered, or stand on lines of their
/// own. Figurines, printed signs, HTML and Markdown are read, and results in words.
/// Two notations are compared, and each resolves ambiguous moves of the other. The
/// first move that cannot be played is reported with the position and the most
/// similar legal moves. A move taken from prose gets a remark.
///
/// Exit code 0: the score can be played. 1: it cannot. 2: the file is not a score,
/// or wrong use of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves are read as e4, Nbd2, exd, c8=Q, Nb1-d2, e2e4, P-K4, QPxP, R1-Q5, NxBP, P-B8=Q, p/k2-k4, K2 K4
and so on; docs/notation.md lists the forms. Lines that begin with # are skipped. Lines that begin
with = contain the same game again, in coordinates and with corrections. The score is compared with
these lines.

Examples:
  kriegspiel score read examples/hayes-juhasz-1971-score.txt
  kriegspiel score read game.txt --mend
  kriegspiel score read examples/hayes-juhasz-1971-score.txt --column algebraic --mend
  kriegspiel score read game.txt --to transcript --rules cincinnati
  kriegspiel score read article.txt --mend --to pgn --rules cincinnati > game.pgn")]
struct ReadArgs {
    /// File with the score; - is standard input
    file: PathBuf,

    /// Print only the game, in this format
    #[arg(long, value_name = "FORM")]
    to: Option<To>,

    /// If the score cannot be played, list the cheapest corrections that
    /// make it playable
    ///
    /// A correction changes at most three moves; its cost is the number of
    /// changed characters. The search stops after ten seconds and says so. With
    /// --to, the cheapest correction is used if no other one has the same cost.
    #[arg(long)]
    mend: bool,

    /// Ruleset, for a transcript, for the Rules tag of a PGN and for games with drops
    ///
    /// Without it, the file's Rules tag is used.
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// Read only one column: 1, 2, algebraic or descriptive
    #[arg(long, value_name = "WHICH")]
    column: Option<String>,

    /// Letters of the men: a language (de, fr, es, ...), or the letters of king, queen, rook,
    /// bishop and knight, as KDTLS
    ///
    /// The default is en. A score that uses S throughout for its knights needs no option.
    #[arg(long, value_name = "LANGUAGE|LETTERS", value_parser = letters)]
    letters: Option<Letters>,

    /// Start position of the score, instead of the file's FEN tag
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

#[derive(Copy, Clone, Debug, Eq, PartialEq, clap::ValueEnum)]
enum To {
    /// Tags and the main line
    Pgn,
    /// Columns with what each listener would have heard, under --rules
    Transcript,
    /// Moves in coordinates: e2e4 e7e5
    Uci,
    /// Moves in algebraic notation: 1. e4 e5
    San,
    /// A table with moves in descriptive notation: P-K4 P-K4
    Descriptive,
}

/// Maximum duration of a search for corrections.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(10);

/// Number of bytes that are read: one more than the longest valid score.
const MAX_LENGTH: u64 = (4 << 20) + 1;

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    match &args.what {
        ScoreCommand::Read(args) => read(args),
    }
}

fn read(args: &ReadArgs) -> anyhow::Result<()> {
    let name = terminal::shown(&args.file);
    let bytes = bytes(&args.file)?;
    if let Some(text) = own_file(&name, &bytes, args)? {
        let mut output = io::stdout().lock();
        output.write_all(printable_lines(&text).as_bytes())?;
        output.flush()?;
        return Ok(());
    }
    let letters = args.letters.clone().unwrap_or_default();
    let mut file =
        ScoreFile::read_with(&bytes, &letters).map_err(|e| match reader_of(&bytes, &name) {
            Some(command) => usage(format_args!(
                "{name}: this is not a score; {command} reads it"
            )),
            None if is_games(&bytes) => usage(format_args!(
                "{name}: this is a recorded game, not a score; `kriegspiel view {name}` reads it"
            )),
            None => usage(format_args!("{name}: {e}")),
        })?;
    let ruleset = ruleset(args, &file)?;
    if let Some(which) = &args.column {
        keep(&mut file, which)?;
    }
    let start = start(args, &file, &ruleset)?;
    let mut output = io::stdout().lock();
    let score = match file.play(start.clone(), &ruleset.choices) {
        Ok(score) => score,
        Err(stop) if !args.mend => {
            let letters = languages(&bytes, args, &ruleset);
            let message = format!("{stop}{}{letters}", jumps(&file));
            return Err(anyhow::anyhow!(message)).with_context(|| {
                format!(
                    "{name}: the rest of the score cannot be played (--mend searches for misprints)"
                )
            });
        }
        Err(stop) => {
            let begun = Instant::now();
            let repairs = file.repairs(start, &ruleset.choices, &mut || {
                begun.elapsed() > SEARCH_TIMEOUT
            });
            if args.to.is_none() {
                let stopped = begun.elapsed() > SEARCH_TIMEOUT;
                output.write_all(listed(&stop, &file, &repairs, stopped).as_bytes())?;
                output.flush()?;
                anyhow::ensure!(
                    !repairs.repairs.is_empty(),
                    "{name}: no correction was found"
                );
                return Ok(());
            }
            let repair = cheapest(repairs).with_context(|| name.clone())?;
            note(&format!("{name}: corrected by {repair}"));
            repair.score
        }
    };
    let text = match args.to {
        None => printable_lines(&report(&name, &file, &score)).into_owned(),
        Some(to) => {
            for difference in &score.differences {
                note(&difference.to_string());
            }
            for remark in &score.remarks {
                note(&remark.to_string());
            }
            converted(to, args, &file, &score, &ruleset)?
        }
    };
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(())
}

/// Reads one player's own file. Returns `None` if the file is another one; a text without tags is a
/// page, in which `??` is a remark.
fn own_file(name: &str, bytes: &[u8], args: &ReadArgs) -> anyhow::Result<Option<String>> {
    if !bytes.trim_ascii_start().starts_with(b"[") {
        return Ok(None);
    }
    let mut games = RecordedGames::of_form(bytes, Form::Pgn);
    let _view_or_not_read = games.next();
    let Some(view) = games.take_view() else {
        return Ok(None);
    };
    let Some(player) = view.player() else {
        return Ok(None);
    };
    let whose = notation::name(player);
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    let ruleset = ruleset.as_ref().or(view.ruleset().ok());
    let mut pgn = String::new();
    write_player_file(&mut pgn, &view, ruleset.map(|ruleset| &*ruleset.id));
    match args.to {
        Some(To::Pgn) => return Ok(Some(pgn)),
        Some(To::San) | None => {}
        Some(To::Transcript | To::Uci | To::Descriptive) => {
            return Err(usage(format_args!(
                "{name}: this is {whose}'s own file, in which moves are hidden; only --to pgn and --to san can hold it"
            )));
        }
    }
    let moves = pgn.split_once("\n\n").map_or("", |(_, moves)| moves).trim();
    if args.to.is_some() {
        return Ok(Some(format!("{moves}\n")));
    }
    let hidden = view.plies.iter().filter(|ply| ply.by != player).count();
    let remarks = view.plies.iter().filter_map(|ply| ply.note.remark.as_ref());
    let refused: usize = remarks.map(|remark| remark.refused.len()).sum();
    let shown = view.plies.len() - hidden;
    Ok(Some(format!(
        "{name}: {whose}'s own file: {}, {} hidden, {}\n\n{moves}\n",
        counted(shown, "move"),
        hidden,
        counted(refused, "refused try").replace("trys", "tries"),
    )))
}

/// Whether `kriegspiel view` shows the first game of a file, and the game is no PGN.
fn is_games(bytes: &[u8]) -> bool {
    let form = Form::of(bytes);
    let mut games = RecordedGames::of_form(bytes, form);
    form != Form::Pgn
        && matches!(games.next(), Some(Ok(Ok(game))) if game.opening().is_ok() && steps(&game, None).is_ok())
}

fn letters(text: &str) -> Result<Letters, String> {
    Letters::named(text).ok_or_else(|| {
        let known: Vec<&str> = Letters::languages().collect();
        format!(
            "give a language ({}), or the letters of king, queen, rook, bishop and knight, as KDTLS",
            known.join(", ")
        )
    })
}

/// Names the languages in whose letters the whole score can be played.
fn languages(bytes: &[u8], args: &ReadArgs, ruleset: &Ruleset) -> String {
    if args.letters.is_some() {
        return String::new();
    }
    let plays = |language: &&str| {
        let letters = Letters::named(language)?;
        let mut file = ScoreFile::read_with(bytes, &letters).ok()?;
        if let Some(which) = &args.column {
            keep(&mut file, which).ok()?;
        }
        let start = start(args, &file, ruleset).ok()?;
        file.play(start, &ruleset.choices).ok()
    };
    match Letters::languages().find(|language| plays(language).is_some()) {
        Some(language) => {
            format!("\nwith --letters {language}, the whole score can be played")
        }
        None => String::new(),
    }
}

/// Prints a message on standard error.
fn note(message: &str) {
    terminal::tell(message);
}

fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let (input, _) = unpack::open(path)?;
    let read = unpack::unpacked(path, input)?
        .take(MAX_LENGTH)
        .read_to_end(&mut bytes);
    read.map_err(|e| unpack::fault(path, &e))?;
    Ok(bytes)
}

/// Returns the ruleset given by the user. If there is none, returns the file's
/// ruleset, or else a ruleset with ordinary chess moves.
fn ruleset(args: &ReadArgs, file: &ScoreFile) -> anyhow::Result<Ruleset> {
    if let Some(named) = &args.rules {
        return load::ruleset(named);
    }
    if let Some(tagged) = file.tag("Rules").and_then(rulesets::by_id) {
        return Ok(tagged.clone());
    }
    if args.to == Some(To::Transcript) {
        return Err(usage(
            "--to transcript: give the ruleset of the game, as in --rules cincinnati",
        ));
    }
    let drops = file
        .tag("Variant")
        .is_some_and(|variant| variant.eq_ignore_ascii_case("crazyhouse"));
    Ok(if drops {
        rulesets::CRAZYKRIEG
    } else {
        rulesets::RAND
    })
}

fn keep(file: &mut ScoreFile, which: &str) -> anyhow::Result<()> {
    let notation = Notation::ALL.into_iter().find(|n| n.name() == which);
    let column = match notation {
        Some(notation) => file.columns.iter().position(|c| c.notation == notation),
        None => which.parse().ok().and_then(|n: usize| n.checked_sub(1)),
    };
    if column.is_some_and(|column| file.keep(column)) {
        return Ok(());
    }
    let has: Vec<&str> = file.columns.iter().map(|c| c.notation.name()).collect();
    Err(usage(format_args!(
        "--column: there is no column `{}`; the file has {} ({}): give 1, 2, algebraic or descriptive",
        which.escape_debug().take(40).collect::<String>(),
        has.len(),
        has.join(", ")
    )))
}

fn start(args: &ReadArgs, file: &ScoreFile, ruleset: &Ruleset) -> anyhow::Result<StartPosition> {
    if let Some(fen) = &args.fen {
        return StartPosition::from_fen(fen, &ruleset.choices)
            .map_err(|e| usage(format_args!("--fen: {e}")));
    }
    file.tag("FEN")
        .map(|fen| StartPosition::from_fen(fen, &ruleset.choices))
        .transpose()
        .map_err(|e| {
            usage(format_args!(
                "{}: the FEN tag: {e}",
                terminal::shown(&args.file)
            ))
        })
        .map(|start| start.unwrap_or_else(StartPosition::initial))
}

fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn report(name: &str, file: &ScoreFile, score: &Score) -> String {
    let names: Vec<&str> = file.columns.iter().map(|c| c.notation.name()).collect();
    let halves = counted(score.moves.len(), "half-move");
    let mut text = format!(
        "{name}: {halves}, {}, {}\n",
        names.join(" and "),
        score.result()
    );
    let mut part = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            // Writing to a string cannot fail.
            let _ignored = writeln!(
                text,
                "\n{}\n  {}",
                counted(lines.len(), title),
                lines.join("\n  ")
            );
        }
    };
    part(
        "difference",
        score.differences.iter().map(ToString::to_string).collect(),
    );
    part(
        "remark",
        score.remarks.iter().map(ToString::to_string).collect(),
    );
    text.push('\n');
    text.push_str(&score.written(ScoreForm::San));
    text
}

/// Returns remarks on the file itself, such as a missing move number.
fn jumps(file: &ScoreFile) -> String {
    let remarks = file.remarks.iter();
    remarks.map(|remark| format!("\n{remark}")).collect()
}

fn listed(stop: &Stop, file: &ScoreFile, repairs: &Repairs, stopped: bool) -> String {
    let mut text = format!("{stop}{}\n\n", jumps(file));
    if repairs.repairs.is_empty() {
        text.push_str(
            "The search found no change of at most three moves that makes the whole score playable",
        );
    } else {
        text.push_str("These changes make the whole score playable (the cheapest first):\n");
        for repair in &repairs.repairs {
            text.push_str(&format!("  {repair}\n"));
        }
        text.push_str(
            "The search changes at most three moves; more expensive corrections may exist",
        );
    }
    text.push_str(if repairs.whole {
        ".\n"
    } else if stopped {
        ". The search was stopped after ten seconds.\n"
    } else {
        ". The list is not complete.\n"
    });
    text
}

/// Returns the cheapest correction; fails if several corrections have the lowest cost.
fn cheapest(mut repairs: Repairs) -> anyhow::Result<Repair> {
    let equal = repairs
        .repairs
        .iter()
        .filter(|repair| Some(repair.cost) == repairs.repairs.first().map(|first| first.cost))
        .count();
    match equal {
        0 => anyhow::bail!("no change of at most three moves makes the score playable"),
        1 => Ok(repairs.repairs.swap_remove(0)),
        _ => {
            let all: Vec<String> = repairs.repairs[..equal]
                .iter()
                .map(ToString::to_string)
                .collect();
            anyhow::bail!(
                "several corrections have the same cost; choose one and write it into the file:\n  {}",
                all.join("\n  ")
            )
        }
    }
}

fn converted(
    to: To,
    args: &ReadArgs,
    file: &ScoreFile,
    score: &Score,
    ruleset: &Ruleset,
) -> anyhow::Result<String> {
    Ok(match to {
        To::Uci => score.written(ScoreForm::Uci),
        To::San => score.written(ScoreForm::San),
        To::Descriptive => score.written(ScoreForm::Descriptive),
        To::Pgn => {
            let mut tags = file.tags.clone();
            if args.rules.is_some() {
                // The user's ruleset replaces the tag of the file.
                tags.retain(|(key, _)| !key.eq_ignore_ascii_case("Rules"));
                tags.push(("Rules".to_owned(), ruleset.id.to_string()));
            }
            score.pgn(&tags)
        }
        To::Transcript => {
            let players = file.tag("White").zip(file.tag("Black"));
            let name = args.file.file_stem().unwrap_or_default().to_string_lossy();
            let title = match players {
                Some((white, black)) => format!("{white} - {black}"),
                None => name.into_owned(),
            };
            let source = file.tag("Site").unwrap_or("a score").to_owned();
            score
                .transcript(ruleset, &title, &source, Vec::new())?
                .to_string()
        }
    })
}
