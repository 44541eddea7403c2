//! The command `kriegspiel review`.

use std::{
    collections::HashMap,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use anyhow::bail;
use bots::{TurnReview, expected_result};
use rules::{Attempt, Heard, Reply, Ruleset, Try, Verdict, Winner, chess::Color};
use scores::SeatRecord;
use server::TurnWork;
use wire::{TurnWorthJson, TurnsJson};

use super::{
    games::{FormName, Found, Games, counted, game_number, opening},
    interrupt::{LINE_DELAY, LINE_PERIOD},
    load,
    terminal::{Text, shown, tell},
    usage,
};

/// Say what each turn of a finished game was worth, given only what the player had heard
///
/// For each turn, the first attempt is compared with the best one in the same
/// positions: those that were possible for the player. Values are in pawns, on
/// average over these positions; - stands for no value. A turn is marked with !
/// if a forced mate or a pawn or more was given away. If the first attempt was
/// refused, `played` is another move. docs/belief.md explains the figures.
///
/// Exit code 0: done. 1: the record breaks off or violates its rules; the turns before are
/// printed. 2: wrong use of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel review examples/castling.txt --seat white
  kriegspiel review games.pgn --game 3 --seat black --json")]
pub(super) struct Args {
    /// File of recorded games, may be compressed by gzip or Zstandard; - reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Player whose turns are reviewed
    #[arg(long, value_name = "COLOUR", default_value = "white")]
    seat: Seat,

    /// Number of the game in the file, counted from 1
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = game_number)]
    game: u64,

    /// Format of the file, if it cannot be detected from the start of the file
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,

    /// Read the game under this ruleset, even if the file names another one
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// Work for one turn: number of positions that are valued. The same number gives the same review
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    nodes: u64,

    /// Compare the values of every eighth turn of each game, of both players, with the results:
    /// a line for each tenth of the expected results
    #[arg(long, conflicts_with_all = ["json", "game", "seat"])]
    calibrate: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Copy, Clone, Debug, clap::ValueEnum)]
enum Seat {
    White,
    Black,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    if args.calibrate {
        return calibrate(args, ruleset.as_ref());
    }
    let path = shown(&args.file);
    let (recorded, fault) = match Games::open(&args.file, args.from)?
        .pick(args.game, ruleset.as_ref())?
    {
        Found::Game(recorded) => (recorded, None),
        Found::Part(recorded, fault) => (recorded, Some(fault)),
        Found::Player(_) => {
            return Err(usage(format_args!(
                "{path}: this is a player's own file, and a review needs the record of the whole game"
            )));
        }
    };
    let seat = match args.seat {
        Seat::White => Color::White,
        Seat::Black => Color::Black,
    };
    let opened = opening(&args.file, &recorded, ruleset.as_ref())?;
    let record = SeatRecord::of(&recorded, opened, seat);
    let complete = fault.is_none() && record.unjudged.is_none();
    let unjudged = record.unjudged.clone();
    let is_quiet = args.json || !io::stdout().is_terminal();
    let played = played(&record);
    let mut work = TurnWork::new(record, args.nodes)
        .map_err(|error| usage(format_args!("{path}: {error}")))?;
    let mut output = Text::new(io::stdout().lock());
    if !args.json {
        write_head(&mut output)?;
    }
    let (began, mut next_line) = (Instant::now(), LINE_DELAY);
    let mut written = 0;
    loop {
        let mut is_first = true;
        let is_done = work.advance(|| std::mem::take(&mut is_first));
        if !args.json {
            for turn in work.turns(written) {
                write_turn(&mut output, &turn, played.get(&turn.moves).copied())?;
                output.flush()?;
                written += 1;
            }
        }
        if is_done {
            break;
        }
        if is_quiet && began.elapsed() >= next_line {
            next_line = began.elapsed() + LINE_PERIOD;
            let (done, all) = work.progress();
            tell(format_args!(
                "{done} of {all} announcements reviewed; a lower --nodes takes less time"
            ));
        }
    }
    let reviewed = TurnsJson {
        complete,
        ..work.finish()
    };
    if args.json {
        writeln!(output, "{}", serde_json::to_string(&reviewed)?)?;
    } else {
        write_end(&mut output, &reviewed)?;
    }
    output.flush()?;
    match (fault, unjudged) {
        (Some(fault), _) => bail!("{path}: {fault}"),
        (None, Some((line, why))) => bail!("{path}: line {line}: {why}"),
        (None, None) => Ok(ExitCode::SUCCESS),
    }
}

/// Returns the moves of the player, each with the number of half-moves before it.
fn played(record: &SeatRecord) -> HashMap<u32, Try> {
    let moves = record.heard.iter().filter_map(|one| {
        let Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            by,
            attempt: Some(Attempt::Try(what)),
        }) = one.heard
        else {
            return None;
        };
        let before = u32::try_from(one.moves).ok()?.checked_sub(1)?;
        (by == record.seat).then_some((before, what))
    });
    moves.collect()
}

fn write_head(output: &mut impl Write) -> io::Result<()> {
    writeln!(
        output,
        "turn  first    value  best     best value   cost  played"
    )?;
    output.flush()
}

fn write_turn(
    output: &mut impl Write,
    turn: &TurnWorthJson,
    played: Option<Try>,
) -> io::Result<()> {
    let pawns = |value: i32| format!("{:.2}", f64::from(value) / 100.0);
    let number = |value: Option<i32>| value.map_or("-".to_owned(), pawns);
    let cost = turn.value.zip(turn.best_value);
    let cost = number(cost.map(|(value, best)| (best - value).max(0)));
    let best = turn.best.as_deref().unwrap_or("-");
    let mark = if turn.marked { "  !" } else { "" };
    let mate = if turn.forced_mate {
        "  forced mate"
    } else {
        ""
    };
    let asks = if turn.ask_any { "  after Any?" } else { "" };
    let played = played.map_or("-".to_owned(), |what| what.to_string());
    writeln!(
        output,
        "{:>4}  {:<6}  {:>6}  {best:<6}  {:>11}  {cost:>5}  {played:<6}{mark}{mate}{asks}",
        turn.turn,
        turn.made,
        number(turn.value),
        number(turn.best_value),
    )
}

fn write_end(output: &mut impl Write, reviewed: &TurnsJson) -> io::Result<()> {
    let marked = reviewed.turns.iter().filter(|turn| turn.marked).count();
    let all = reviewed.turns.len();
    let accuracy = reviewed
        .accuracy
        .map_or("-".to_owned(), |percent| percent.to_string());
    writeln!(
        output,
        "accuracy {accuracy} %, {marked} of {all} turns marked"
    )
}

/// Of so many turns, one is compared with the result.
const STRIDE: u64 = 8;

/// The turns in a tenth of the expected results.
#[derive(Copy, Clone, Default)]
struct Decile {
    turns: u32,
    expected: f64,
    observed: f64,
}

/// Compares the values of turns with the results of the games.
fn calibrate(args: &Args, ruleset: Option<&Ruleset>) -> anyhow::Result<ExitCode> {
    let mut games = Games::open(&args.file, args.from)?;
    let mut deciles = [Decile::default(); 10];
    while let Some(game) = games.next()? {
        let Some(opened) = games.opening(&game, ruleset, "") else {
            continue;
        };
        for seat in Color::ALL {
            let record = SeatRecord::of(&game, opened.clone(), seat);
            let over = record.heard.iter().rev().find_map(|one| {
                let Heard::Over(over) = one.heard else {
                    return None;
                };
                Some(over.winner)
            });
            let observed = match over {
                Some(Winner::Draw) => 0.5,
                Some(winner @ (Winner::White | Winner::Black)) => {
                    f64::from(winner == Winner::from(seat))
                }
                Some(Winner::Unfinished) | None => continue,
            };
            for value in values(&record, args.nodes, games.number())? {
                let expected = f64::from(expected_result(value));
                let decile = &mut deciles[((expected * 10.0) as usize).min(9)];
                decile.turns += 1;
                decile.expected += expected;
                decile.observed += observed;
            }
        }
    }
    games.finish()?;
    let mut output = Text::new(io::stdout().lock());
    writeln!(output, "expected  observed  turns")?;
    for Decile {
        turns,
        expected,
        observed,
    } in deciles.into_iter().filter(|decile| decile.turns > 0)
    {
        let [expected, observed] = [expected, observed].map(|sum| sum / f64::from(turns));
        writeln!(output, "{expected:>8.3}  {observed:>8.3}  {turns:>5}")?;
    }
    output.flush()?;
    if games.damaged > 0 {
        bail!("{} skipped", counted(games.damaged, "game"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the values of the turns that are compared, in pawns. The number of the game says which.
fn values(record: &SeatRecord, nodes: u64, game: u64) -> anyhow::Result<Vec<f32>> {
    let (choices, fen) = (record.choices, record.fen.as_deref());
    let review = TurnReview::open(choices, record.seat, &record.start, fen, nodes);
    let mut review = review.map_err(anyhow::Error::msg)?;
    let mut values = Vec::new();
    for one in &record.heard {
        let turn = review.turns().first(&one.heard);
        if turn.is_some_and(|(turn, _)| u64::from(turn) % STRIDE == game % STRIDE) {
            let reviewed = review.hear(&one.heard);
            let worth = reviewed.and_then(|reviewed| reviewed.worth);
            values.extend(worth.map(|worth| worth.made));
        } else {
            review.skip(&one.heard);
        }
    }
    Ok(values)
}
