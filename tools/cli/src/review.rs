//! The command `kriegspiel review`.

use std::{
    collections::HashMap,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use anyhow::bail;
use bots::{ReviewedTurn, TurnReview, expected_result};
use rules::{Attempt, Heard, Reply, Ruleset, Try, Verdict, Winner, chess::Color};
use scores::SeatRecord;
use serde_json::json;
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

    /// Compare the values of TURNS turns of one player of each game with the results: a line for each
    /// tenth of the expected results, or with --json a line for each turn
    #[arg(long, value_name = "TURNS", conflicts_with_all = ["game", "seat"], value_parser = clap::value_parser!(u32).range(1..=100))]
    calibrate: Option<u32>,

    /// With --calibrate: also review these turns with 20 times the nodes, and count what it confirms
    #[arg(long, requires = "calibrate")]
    confirm: bool,

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
    if let Some(turns) = args.calibrate {
        return calibrate(args, turns, ruleset.as_ref());
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

/// How many times the nodes confirm a review.
const DEEPER: u64 = 20;
/// The best attempt is confirmed if with more nodes it loses less, in pawns.
const MAX_LOSS: f32 = 0.2;
/// The golden ratio, less one. Its multiples are spread evenly between whole numbers.
const GOLDEN: f64 = 0.618_033_988_75;

/// The turns in a tenth of the expected results.
#[derive(Copy, Clone, Default)]
struct Decile {
    turns: u32,
    expected: f64,
    observed: f64,
}

/// What a review with more nodes says of a turn.
struct Deeper {
    /// What our best attempt loses, in pawns; 0 for the same best attempt.
    loss: Option<f32>,
    is_marked: bool,
}

impl Deeper {
    fn review(ours: &ReviewedTurn, deep: &mut TurnReview) -> Deeper {
        let deeper = deep.attempt(ours.made);
        let is_same = (ours.asks, ours.best) == (deeper.asks, deeper.best);
        let other = ours.best.filter(|_| !is_same);
        let cost = |best| deep.attempt(Attempt::Try(best)).cost();
        Deeper {
            loss: if is_same {
                Some(0.0)
            } else {
                other.and_then(cost)
            },
            is_marked: deeper.is_marked(),
        }
    }
}

/// Compares the values of turns with the results of the games.
fn calibrate(args: &Args, turns: u32, ruleset: Option<&Ruleset>) -> anyhow::Result<ExitCode> {
    let mut games = Games::open(&args.file, args.from)?;
    let mut deciles = [Decile::default(); 10];
    let [mut valued, mut near, mut marked, mut confirmed] = [0; 4];
    let mut output = Text::new(io::stdout().lock());
    while let Some(game) = games.next()? {
        let Some(opened) = games.opening(&game, ruleset, "") else {
            continue;
        };
        let number = games.number();
        // Each player of a match with swapped colours, and each colour, equally often.
        let seat = Color::ALL[usize::from(number / 2 % 2 == 1)];
        let record = SeatRecord::of(&game, opened, seat);
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
        for (turn, deeper) in sampled(&record, (turns, number), args)? {
            let value = turn.worth.map(|worth| worth.made);
            let loss = deeper.as_ref().and_then(|deeper| deeper.loss);
            let is_confirmed = deeper.map(|deeper| deeper.is_marked);
            if args.json {
                let row = json!({
                    "game": number, "turn": turn.turn, "value": value, "result": observed,
                    "marked": turn.is_marked(), "loss": loss, "confirmed": is_confirmed,
                });
                writeln!(output, "{row}")?;
            }
            if turn.is_marked() {
                marked += 1;
                confirmed += u32::from(is_confirmed == Some(true));
            }
            let Some(value) = value else { continue };
            valued += 1;
            near += u32::from(loss.is_some_and(|loss| loss < MAX_LOSS));
            let expected = f64::from(expected_result(value));
            let decile = &mut deciles[((expected * 10.0) as usize).min(9)];
            decile.turns += 1;
            decile.expected += expected;
            decile.observed += observed;
        }
        output.flush()?;
    }
    games.finish()?;
    if !args.json {
        write_deciles(&mut output, deciles)?;
        if args.confirm {
            writeln!(
                output,
                "{DEEPER} times the nodes: in {near} of {valued} turns the best attempt is the same or \
                 loses less than {MAX_LOSS} pawns; {confirmed} of {marked} marked turns are confirmed"
            )?;
        }
    }
    output.flush()?;
    if games.damaged > 0 {
        bail!("{} skipped", counted(games.damaged, "game"));
    }
    Ok(ExitCode::SUCCESS)
}

fn write_deciles(output: &mut impl Write, deciles: [Decile; 10]) -> io::Result<()> {
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
    Ok(())
}

/// Reviews so many turns, at equal distances from a first one that the number of the game says.
fn sampled(
    record: &SeatRecord,
    (turns, game): (u32, u64),
    args: &Args,
) -> anyhow::Result<Vec<(ReviewedTurn, Option<Deeper>)>> {
    let (choices, fen) = (record.choices, record.fen.as_deref());
    let open = |nodes| {
        TurnReview::open(choices, record.seat, &record.start, fen, nodes)
            .map_err(anyhow::Error::msg)
    };
    let mut review = open(args.nodes)?;
    let deep = args.confirm.then(|| open(args.nodes * DEEPER));
    let mut deep = deep.transpose()?;
    let step = played(record).len() as f64 / f64::from(turns);
    let first = (game as f64 * GOLDEN).fract();
    let mut chosen: Vec<u32> = (0..turns)
        .map(|n| 1 + ((first + f64::from(n)) * step) as u32)
        .collect();
    chosen.dedup();
    let mut reviewed = Vec::new();
    for one in &record.heard {
        let turn = review.turns().first(&one.heard);
        if let Some((_, made)) = turn.filter(|(turn, _)| chosen.contains(turn)) {
            let ours = review.attempt(Attempt::Try(made));
            let deeper = deep.as_mut().map(|deep| Deeper::review(&ours, deep));
            reviewed.push((ours, deeper));
        }
        if reviewed.len() == chosen.len() {
            break;
        }
        review.skip(&one.heard);
        deep.iter_mut().for_each(|deep| deep.skip(&one.heard));
    }
    Ok(reviewed)
}
