//! The command `kriegspiel problems show`.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use belief::{Belief, Settings, Situation};
use notation::{Diagram, Men, words};
use problems::believe;
use rules::{
    Announcement, Heard, Listener,
    chess::{Board, Color, Square},
};
use scores::{Problem, ProblemStart};

use super::collection::problem;
use crate::{games::counted, interrupt::Work, terminal::Text};

/// Show a problem as the player who must solve it sees it
///
/// Prints the own men, everything that was heard, and the question. The opponent's
/// men are shown only if a single position is possible; --possible also prints the
/// positions that are possible.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of the problem
    #[arg(value_name = "ID")]
    id: String,

    /// Read the problem from this file (JSON lines, may be gzip)
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Also print at most N possible positions, as FEN
    #[arg(long, value_name = "N")]
    possible: Option<usize>,

    /// Print the problem as one line of JSON, without the answer
    #[arg(long)]
    json: bool,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let mut problem = problem(&args.id, args.file.as_ref(), &work)?;
    let mut output = Text::new(io::stdout().lock());
    if args.json {
        problem.mate = None;
        writeln!(output, "{}", problem.write())?;
        return Ok(ExitCode::SUCCESS);
    }
    let belief = believe(&problem, Settings::default(), &work.watch)
        .map_err(|error| anyhow::anyhow!("{}: {error}", problem.id))?;
    let Some(belief) = belief else {
        return Ok(Work::stopped());
    };
    for line in shown(&problem, &belief) {
        writeln!(output, "{line}")?;
    }
    if let Some(most) = args.possible {
        writeln!(output)?;
        for (one, _) in belief.positions(most) {
            writeln!(output, "{}", one.fen(u32::from(one.quiet), 1))?;
        }
    }
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the board with the own men only.
pub(crate) fn own_board(belief: &Belief) -> Board {
    let own = belief.view().own();
    let mut board = Board::empty();
    for (square, role) in own
        .all()
        .into_iter()
        .filter_map(|sq| Some((sq, own.role_at(sq)?)))
    {
        board.set_piece_at(square, role.of(own.color));
    }
    board
}

/// Returns the board with the men of both sides.
fn full_board(one: &Situation) -> Board {
    let mut board = Board::empty();
    for sq in Square::ALL {
        if let Some((color, role)) = one.man_at(sq) {
            board.set_piece_at(sq, role.of(color));
        }
    }
    board
}

/// Returns the lines that show a problem.
pub(crate) fn shown(problem: &Problem, belief: &Belief) -> Vec<String> {
    let name = |color: Color| color.fold_wb("White", "Black");
    let (seat, other) = (name(problem.seat), name(problem.seat.other()));
    let choices = belief.view().choices();
    let mut lines = vec![format!(
        "{} ({}), {seat} to move",
        problem.id, problem.rules
    )];
    if let Some(author) = &problem.author {
        let source = problem.source.as_ref();
        let source = source.map_or(String::new(), |source| format!(", {source}"));
        lines.push(format!("By {author}{source}"));
    }
    lines.push(String::new());
    match &problem.start {
        ProblemStart::Usual => lines.push("The game began as usual.".to_owned()),
        ProblemStart::Fen(fen) => lines.push(format!("Both players know the start: {fen}")),
        ProblemStart::Unknown { own, men } => {
            lines.push(format!(
                "Start: {own}; {other} has {men} on unknown squares"
            ));
        }
        ProblemStart::Positions(_) => {
            lines.push("The possible positions are given; nothing was heard.".to_owned());
        }
    }
    if !problem.heard.is_empty() {
        lines.push(format!("What {seat} heard, a line for each turn:"));
        let mut line = Vec::new();
        for heard in &problem.heard {
            line.extend(words(heard, choices, Listener::from(problem.seat)));
            if matches!(heard, Heard::Announced(Announcement::Turn { .. })) {
                lines.push(format!("  {}", line.join(" ")));
                line.clear();
            }
        }
        if !line.is_empty() {
            lines.push(format!("  {}", line.join(" ")));
        }
    }
    lines.push(String::new());
    let known = belief.positions(2);
    let board = match known.as_slice() {
        // The player knows the whole position of the problem.
        [(only, _)] => full_board(only),
        _ => own_board(belief),
    };
    let diagram = Diagram::new(&board, problem.seat, Men::Letters).to_string();
    lines.extend(diagram.lines().map(str::to_owned));
    lines.push(String::new());
    let moves = counted(problem.own_moves.unwrap_or(0).into(), "own move");
    let positions = counted(belief.size().count().unwrap_or(0), "position");
    lines.push(format!(
        "Possible: {positions}. Can {seat} force mate within {moves} against all of them?"
    ));
    lines
}
