//! `kriegspiel endgame build`: computes the tables. Prints for how many placements a mate is
//! forced, and which mate takes longest.

use std::{
    io::{self, Write},
    time::Instant,
};

use rules::{CheckTold, chess::Bitboard};
use solver::endgame::{OwnMen, SolvedTable, Tables};

use super::ending::Solved;

/// Compute the tables of forced mates, and print the worst cases
///
/// Prints for each ending from how many placements of the men a mate is forced,
/// and the placement with the longest forced mate. The tables are not written to
/// a file: every program computes them when it first needs them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// KQK, KRK or KPK; if not given, all of them
    #[arg(value_name = "ENDING", hide_possible_values = true)]
    ending: Option<Solved>,

    /// Announce checks without their directions, as the ruleset eastern does
    #[arg(long)]
    bare_checks: bool,
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    let checks = if args.bare_checks {
        CheckTold::Bare
    } else {
        CheckTold::Directions
    };
    let tables = Tables::new(checks);
    let mut output = io::stdout().lock();
    for ending in Solved::ALL {
        if args.ending.is_some_and(|wanted| wanted != ending) {
            continue;
        }
        let started = Instant::now();
        let table = ending.table(&tables);
        let seconds = started.elapsed().as_secs_f64();
        let placements: Vec<OwnMen> = ending.placements(table).collect();
        let sets: usize = placements
            .iter()
            .map(|men| table.solved_sets(*men).len())
            .sum();
        let name = ending.name();
        writeln!(
            output,
            "{name}: {} placements, {sets} solved sets, computed in {seconds:.1} s",
            placements.len()
        )?;
        let worst = |kings: fn(&OwnMen) -> Bitboard| worst(table, &placements, kings);
        writeln!(
            output,
            "{name}, the king is anywhere except where it attacks an unprotected man: {}",
            worst(|men| men.possible_kings() & !men.exposing())
        )?;
        writeln!(
            output,
            "{name}, the king is anywhere: {}",
            worst(OwnMen::possible_kings)
        )?;
    }
    Ok(output.flush()?)
}

/// Returns in words for how many placements a mate is forced, and which mate takes longest.
fn worst(
    table: &SolvedTable,
    placements: &[OwnMen],
    kings: impl Fn(&OwnMen) -> Bitboard,
) -> String {
    let starts: Vec<(OwnMen, Bitboard)> = placements
        .iter()
        .map(|men| (*men, kings(men)))
        .filter(|(_, kings)| kings.any())
        .collect();
    let sure: Vec<(OwnMen, u8)> = starts
        .iter()
        .filter_map(|(men, kings)| Some((*men, table.mate_in(*men, *kings)?)))
        .collect();
    let (count, all) = (sure.len(), starts.len());
    let longest = sure.into_iter().max_by_key(|(_, moves)| *moves);
    let longest = longest.map_or_else(String::new, |(men, moves)| {
        format!(", at most {moves} moves ({men})")
    });
    format!("forced mate from {count} of {all} placements{longest}")
}
