//! `kriegspiel endgame verify`: checks every solved set of the tables with the referee.
//!
//! A solved set is a set of squares. One policy mates a lone king on any of these squares within a
//! given number of moves.
//!
//! The check shares no code with the computation of the tables. For each set, the check asks the
//! table for the next tries. For each square of the set, the referee judges these tries and each
//! reply of the lone king. Two positions are in one group if White has heard the same in both. For
//! each group the table must know a mate in fewer moves. By induction over the number of moves, no
//! mate takes more moves than the table says.

use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Write},
    process::ExitCode,
    thread,
};

use referee::{Game, Opened, StartPosition};
use rules::{
    Answer, Attempt, Choices, Heard, Listener, Reason, Ruleset, Try,
    chess::{Bitboard, Color, Square},
    heard_by,
};
use solver::endgame::{OwnMen, SolvedTable, Tables};

use super::ending::Solved;
use crate::{load, usage};

/// Check the tables with the referee, which shares no code with them
///
/// For every solved set, the referee judges the tries of the table and every
/// reply of the lone king, for each square of the set. Whatever White hears, the
/// table must then know a mate in fewer moves.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// KQK, KRK or KPK; if not given, all of them
    #[arg(value_name = "ENDING", hide_possible_values = true)]
    ending: Option<Solved>,

    /// Check every N-th set
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,

    /// Ruleset of the referee
    #[arg(long, value_name = "ID|FILE.toml", default_value = "wild16")]
    rules: String,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset = load::ruleset(&args.rules)?;
    let Some(tables) = Tables::for_rules(ruleset.choices.check) else {
        return Err(usage(format!(
            "--rules {}: the ruleset does not announce checks, so there are no tables for it",
            args.rules
        )));
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut checkers: Vec<Checker> = Vec::new();
    for ending in Solved::ALL {
        if args.ending.is_some_and(|wanted| wanted != ending) {
            continue;
        }
        let table = ending.table(tables);
        let placements: Vec<OwnMen> = ending.placements(table).collect();
        let work = |first: usize| {
            let mut checker = Checker::new(table, &ruleset);
            for (at, men) in placements.iter().enumerate() {
                if at % threads == first {
                    checker.placement(*men, at as u64, args.every);
                }
            }
            checker
        };
        let work = &work;
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|first| scope.spawn(move || work(first)))
                .collect();
            for worker in workers {
                checkers.push(worker.join().expect("a worker does not panic"));
            }
        });
    }
    let mut output = io::stdout().lock();
    let sum = |count: fn(&Checker) -> u64| checkers.iter().map(count).sum::<u64>();
    writeln!(output, "figure: sets checked {}", sum(|c| c.sets))?;
    writeln!(output, "figure: positions judged {}", sum(|c| c.positions))?;
    writeln!(output, "figure: replies judged {}", sum(|c| c.replies))?;
    writeln!(
        output,
        "figure: groups that sound alike {}",
        sum(|c| c.groups)
    )?;
    let faults: Vec<&String> = checkers.iter().flat_map(|c| &c.faults).collect();
    for fault in faults.iter().take(20) {
        writeln!(output, "error: {fault}")?;
    }
    writeln!(output, "figure: errors {}", faults.len())?;
    output.flush()?;
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

/// A check of sets by the referee.
struct Checker<'a> {
    table: &'a SolvedTable,
    ruleset: &'a Ruleset,
    choices: Choices,
    sets: u64,
    positions: u64,
    replies: u64,
    groups: u64,
    faults: Vec<String>,
}

impl<'a> Checker<'a> {
    fn new(table: &'a SolvedTable, ruleset: &'a Ruleset) -> Checker<'a> {
        Checker {
            table,
            ruleset,
            choices: ruleset.choices,
            sets: 0,
            positions: 0,
            replies: 0,
            groups: 0,
            faults: Vec::new(),
        }
    }

    /// Checks sets of a placement. A set is checked if the sum of its index and `offset` is a
    /// multiple of `every`.
    fn placement(&mut self, men: OwnMen, offset: u64, every: u64) {
        let sets = self.table.solved_sets(men);
        for (at, (kings, moves)) in sets.into_iter().enumerate() {
            if (at as u64 + offset).is_multiple_of(every)
                && let Err(fault) = self.set(men, kings, moves)
            {
                self.faults
                    .push(format!("{men}, kings {kings:?}, mate in {moves}: {fault}"));
            }
        }
    }

    /// Checks that a set is solved in this number of moves. The check assumes that the table is
    /// right about all smaller numbers of moves.
    fn set(&mut self, men: OwnMen, kings: Bitboard, moves: u8) -> Result<(), String> {
        self.sets += 1;
        let plan = self
            .table
            .plan(men, kings, &[])
            .ok_or("the table has no plan")?;
        if plan.moves > moves {
            return Err(format!("the plan needs {} moves", plan.moves));
        }
        // The key is what White hears. The value consists of the men and the possible squares of the
        // lone king.
        let mut groups: BTreeMap<String, (OwnMen, Bitboard)> = BTreeMap::new();
        for king in kings {
            self.positions += 1;
            self.square(men, king, &plan.tries, &mut groups)
                .map_err(|fault| format!("king on {king}: {fault}"))?;
        }
        for (men, kings) in groups.into_values() {
            self.groups += 1;
            match self.table.mate_in(men, kings) {
                Some(left) if left < moves => {}
                other => {
                    return Err(format!(
                        "after a move and a reply, with {men} and kings {kings:?}, the table says mate in {other:?}, not in fewer than {moves}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Places the lone king on one square and makes the tries in order, until one of them is legal.
    /// Then plays each reply of the lone king. Adds the positions after the replies to `groups`.
    fn square(
        &mut self,
        men: OwnMen,
        king: Square,
        tries: &[Try],
        groups: &mut BTreeMap<String, (OwnMen, Bitboard)>,
    ) -> Result<(), String> {
        let start = StartPosition::from_fen(&fen(men, king), &self.choices)
            .map_err(|error| error.to_string())?;
        let mut game = Game::open(Opened::new(self.ruleset, self.choices, start));
        let mut heard: Vec<Heard> = Vec::new();
        let mut played = None;
        for tried in tries {
            let ruling = game
                .judge(Color::White, Attempt::Try(*tried))
                .map_err(|refusal| refusal.to_string())?;
            heard.extend(heard_by(&ruling.calls, Listener::White));
            game.apply(&ruling.event);
            let answer = ruling.answer();
            if answer == Answer::Moved {
                played = Some(*tried);
                break;
            }
            if answer != Answer::No {
                return Err(format!("{tried} is answered {answer:?}"));
            }
        }
        let played = played.ok_or("every try is refused")?;
        match game.over().map(|over| over.reason) {
            Some(Reason::Checkmate) => return Ok(()),
            Some(other) => return Err(format!("{played} ends the game: {other:?}")),
            None => {}
        }
        let men = men.after(played);
        for reply in game.sheet().legal_tries() {
            self.replies += 1;
            let ruling = game
                .judge(Color::Black, Attempt::Try(reply))
                .map_err(|refusal| refusal.to_string())?;
            if men.squares().contains(reply.to()) {
                return Err(format!("after {played} the king takes on {}", reply.to()));
            }
            let all = heard.iter().cloned();
            let all: Vec<Heard> = all
                .chain(heard_by(&ruling.calls, Listener::White))
                .collect();
            let group = groups
                .entry(format!("{all:?}"))
                .or_insert((men, Bitboard::EMPTY));
            group.1.add(reply.to());
        }
        Ok(())
    }
}

/// The position as FEN, with White to move.
fn fen(men: OwnMen, king: Square) -> String {
    let mut letters: HashMap<Square, char> = HashMap::from([(king, 'k'), (men.king(), 'K')]);
    for (role, square) in men.others() {
        letters.insert(*square, role.upper_char());
    }
    let mut rows = Vec::new();
    for rank in (0..8).rev() {
        let mut row = String::new();
        let mut empty = 0;
        for file in 0..8 {
            let square = Square::new(rank * 8 + file);
            match letters.get(&square) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        row += &empty.to_string();
                    }
                    empty = 0;
                    row.push(*letter);
                }
            }
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        rows.push(row);
    }
    format!("{} w - - 0 1", rows.join("/"))
}
