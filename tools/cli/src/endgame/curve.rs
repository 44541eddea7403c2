//! `kriegspiel endgame curve`: games against a lone king that avoids mate as long as possible.

use std::{
    io::{self, Write},
    thread,
};

use rules::chess::Role;
use serde_json::json;
use solver::endgame::{HuntTally, Hunter, SeededNumbers, Tables, random_start};

use crate::usage;

/// Play an ending from random starts and count the mates by move
///
/// The lone king sees everything: it takes a man if it can. Otherwise it makes a move after which
/// the mate takes longest. White does not see the lone king. At the start the king can be on every
/// square from which it cannot take a man. A pawn starts on one of the files b to g, protected by
/// its king. A game is drawn when a position occurs for the third time, or after fifty moves.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// KQK, KRK, KPK, KBBK or KBNK
    #[arg(value_name = "ENDING")]
    ending: String,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,

    /// Seed of the starts and of the king's choice among equal moves
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Results, in three groups. The group of a game depends on what is known about its start.
#[derive(Default)]
struct Results {
    /// Games from starts with a forced mate.
    sure: HuntTally,
    /// Games from starts without a forced mate, but with a forced mate if the lone king were visible.
    open: HuntTally,
    /// Games from starts without a forced mate even if the lone king were visible.
    drawn: HuntTally,
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    let name = args.ending.to_ascii_uppercase();
    let roles: &[Role] = match &*name {
        "KQK" => &[Role::Queen],
        "KRK" => &[Role::Rook],
        "KPK" => &[Role::Pawn],
        "KBBK" => &[Role::Bishop, Role::Bishop],
        "KBNK" => &[Role::Knight, Role::Bishop],
        _ => {
            return Err(usage(format!(
                "unknown ending `{}`; known are KQK, KRK, KPK, KBBK and KBNK",
                args.ending
            )));
        }
    };
    let results = play(roles, args.games, args.seed);
    let mut output = io::stdout().lock();
    for (title, tally) in [
        ("forced mate", &results.sure),
        ("no forced mate", &results.open),
        ("no mate even of a visible king", &results.drawn),
    ] {
        if args.json {
            let line = json!({
                "ending": name, "starts": title, "games": tally.games, "mates": tally.mates,
                "lost": tally.lost, "stalemates": tally.stalemates,
                "threefold": tally.threefold, "fifty": tally.fifty,
            });
            writeln!(output, "{line}")?;
        } else if tally.games > 0 {
            print(&mut output, &format!("{name}, starts with {title}"), tally)?;
        }
    }
    Ok(output.flush()?)
}

fn print(output: &mut impl Write, title: &str, tally: &HuntTally) -> io::Result<()> {
    let percent = |part: u64| 100.0 * part as f64 / tally.games as f64;
    let mated = tally.mated_within(usize::MAX);
    writeln!(
        output,
        "{title}: {} games, {:.2} % mated; lost man {}, stalemate {}, threefold {}, fifty moves {}",
        tally.games,
        percent(mated),
        tally.lost,
        tally.stalemates,
        tally.threefold,
        tally.fifty
    )?;
    write!(output, "  mated by move:")?;
    for moves in (5..=tally.mates.len()).step_by(5) {
        write!(
            output,
            " {moves}: {:.1} %",
            percent(tally.mated_within(moves))
        )?;
        if tally.mated_within(moves) == mated {
            break;
        }
    }
    writeln!(output)
}

/// Number of games that share one sequence of random numbers. It is a constant, so the results do
/// not depend on the number of threads.
const GAMES_PER_SEQUENCE: u64 = 250;

fn play(roles: &[Role], games: u64, seed: u64) -> Results {
    let tables = Tables::shared();
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let work = |first: u64| {
        let mut hunter = Hunter::new(tables);
        let mut results = Results::default();
        let sequences = (0..games.div_ceil(GAMES_PER_SEQUENCE)).skip(first as usize);
        for sequence in sequences.step_by(threads as usize) {
            let mut random =
                SeededNumbers::new(seed.wrapping_mul(1_000_003).wrapping_add(sequence));
            let left = games - sequence * GAMES_PER_SEQUENCE;
            for _ in 0..left.min(GAMES_PER_SEQUENCE) {
                let (men, kings) = random_start(roles, &mut random);
                let king = random
                    .one_of(kings)
                    .expect("a start has a square for the king");
                let solved = tables.solved(men);
                let sure = solved.is_some_and(|table| table.mate_in(men, kings).is_some());
                let end = hunter.play(men, kings, king, &mut random);
                let distances = tables.distances(men);
                let visible = distances.and_then(|distances| distances.get(men, king));
                let tally = match visible {
                    _ if sure => &mut results.sure,
                    Some(_) => &mut results.open,
                    None => &mut results.drawn,
                };
                tally.add(end);
            }
        }
        results
    };
    let mut all = Results::default();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || work(first)))
            .collect();
        for worker in workers {
            let results = worker.join().expect("a worker does not panic");
            all.sure.merge(&results.sure);
            all.open.merge(&results.open);
            all.drawn.merge(&results.drawn);
        }
    });
    all
}
