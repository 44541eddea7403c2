//! The command `kriegspiel play --problem`.

use std::{
    fs::File,
    io::{self, BufRead, Write},
    path::PathBuf,
};

use belief::Settings;
use notation::{BoardNames, Diagram, Men, read_for_referee, words};
use problems::defender::{Defender, ProblemState};
use problems::{believe, question};
use rules::{
    Attempt, Listener, Ruleset,
    chess::{Board, Color},
    rulesets,
};
use scores::Problem;
use solver::search::{Decision, MateQuestion, SearchLimits, SearchOutcome, Solver};

use crate::{
    games::counted,
    interrupt::Work,
    problems::{
        collection::problem,
        show::shown,
        solve::{certificate, verdict_words},
    },
    terminal::Text,
};

/// Text of the command `help`.
const HELP: &str = "\
Type a move (e2e4, Nf3, exd5). A refused attempt costs no move.
  any               ask Any? (where the rules allow it)
  none              say that there is no forced mate
  board, heard      show your men; show again what was heard
  back              take the last attempt back
  possible          show positions that are possible
  solution          show the answer
  certificate FILE  write the certificate of the answer
  quit              stop";

/// A problem that a person plays at this terminal.
struct Session {
    problem: Problem,
    ruleset: &'static Ruleset,
    question: MateQuestion,
    solver: Solver,
    /// The answer, once it is computed.
    answer: Option<Decision>,
    work: Work,
}

/// Lets a person play a problem in lines of text. `file` contains the problems; `None` stands for
/// the shipped problems.
pub(super) fn main(id: &str, file: Option<&PathBuf>) -> anyhow::Result<()> {
    let work = Work::begin()?;
    let problem = problem(id, file, &work)?;
    let id = problem.id.clone();
    let wrong = |error: String| anyhow::anyhow!("{id}: {error}");
    let Some(ruleset) = rulesets::by_id(&problem.rules) else {
        anyhow::bail!("{id}: there is no ruleset {:?}", problem.rules);
    };
    let believed = believe(&problem, Settings::default(), &work.watch).map_err(wrong)?;
    let Some(belief) = believed else {
        return Ok(());
    };
    let moves = problem.own_moves.and_then(|n| u8::try_from(n).ok());
    let Some(moves) = moves.filter(|n| (1..=32).contains(n)) else {
        anyhow::bail!("{id}: mate_in must be from 1 to 32");
    };
    let Some(question) = question(&belief, moves) else {
        anyhow::bail!("{id}: too many positions are possible");
    };
    let fens: Vec<String> = question
        .positions
        .iter()
        .map(|one| one.fen(u32::from(one.quiet), 1))
        .collect();
    let mut states = vec![Defender::open(ruleset, problem.seat, &fens, moves).map_err(wrong)?];
    let mut output = Text::new(io::stdout().lock());
    let heard = shown(&problem, &belief);
    for line in &heard {
        writeln!(output, "{line}")?;
    }
    writeln!(output, "\n{HELP}")?;
    let mut session = Session {
        problem,
        ruleset,
        question,
        solver: Solver::with_bytes(64 << 20),
        answer: None,
        work,
    };
    let mut lines = io::stdin().lock().lines();
    while let Some(state) = states.last() {
        let name = session.problem.seat.fold_wb("White", "Black");
        let number = moves - state.left() + 1;
        write!(output, "\n{name}, own move {number} of {moves}> ")?;
        output.flush()?;
        session.work.reads(true);
        let line = lines.next();
        session.work.reads(false);
        let Some(line) = line.transpose()? else {
            writeln!(output)?;
            return Ok(());
        };
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word.to_ascii_lowercase().as_str() {
            "" | "help" | "?" => writeln!(output, "{HELP}")?,
            "quit" | "exit" | "resign" => return Ok(()),
            "board" => draw(&mut output, state, session.problem.seat)?,
            "heard" => {
                for line in &heard {
                    writeln!(output, "{line}")?;
                }
            }
            "back" => {
                if states.len() > 1 {
                    states.pop();
                    if let Some(state) = states.last() {
                        draw(&mut output, state, session.problem.seat)?;
                    }
                } else {
                    writeln!(output, "This is the beginning of the problem.")?;
                }
            }
            "possible" => {
                let all = state.positions();
                for fen in all.iter().take(20) {
                    writeln!(output, "  {fen}")?;
                }
                writeln!(output, "{}", counted(all.len() as u64, "position"))?;
            }
            "none" => match session.decision() {
                Decision::NoMate(_) => {
                    writeln!(output, "Right.")?;
                    session.say(&mut output)?;
                    return Ok(());
                }
                Decision::Mate(_) => writeln!(output, "Wrong: there is a forced mate.")?,
                Decision::Undecided => writeln!(output, "The solver could not decide that.")?,
            },
            "solution" => session.say(&mut output)?,
            "certificate" => session.certificate(rest.trim(), &mut output)?,
            _ => {
                if let Some(next) = session.attempt(state, line, &mut output)? {
                    states.push(next);
                }
            }
        }
        match states.last().map(Defender::state) {
            Some(ProblemState::Mated) => {
                writeln!(output, "Mate. The problem is solved.")?;
                return Ok(());
            }
            Some(ProblemState::Failed) => {
                let state = states.pop();
                writeln!(
                    output,
                    "Not mated. The opponent could have stood like this:"
                )?;
                for fen in state.iter().flat_map(Defender::positions).take(5) {
                    writeln!(output, "  {fen}")?;
                }
                writeln!(
                    output,
                    "The last attempt is taken back. Type back to go further back."
                )?;
            }
            Some(ProblemState::Open) | None => {}
        }
        if session.work.is_stopped() {
            return Ok(());
        }
    }
    Ok(())
}

fn draw(output: &mut impl Write, state: &Defender, seat: Color) -> io::Result<()> {
    let own = state.view().own();
    let mut board = Board::empty();
    for sq in own.all() {
        if let Some(role) = own.role_at(sq) {
            board.set_piece_at(sq, role.of(seat));
        }
    }
    write!(output, "{}", Diagram::new(&board, seat, Men::Letters))
}

impl Session {
    /// Makes an attempt. Returns the state after it, if the referee judges the attempt.
    fn attempt(
        &self,
        state: &Defender,
        line: &str,
        output: &mut impl Write,
    ) -> anyhow::Result<Option<Defender>> {
        let choices = &self.ruleset.choices;
        let view = state.view();
        let read = read_for_referee(line, view.own(), view.turn(), choices, BoardNames::Usual);
        let attempt = match read {
            Ok(attempt @ (Attempt::Try(_) | Attempt::Any | Attempt::Px { .. })) => attempt,
            Ok(_) => {
                writeln!(output, "That has no meaning in a problem. Type help.")?;
                return Ok(None);
            }
            Err(error) => {
                writeln!(output, "{error}")?;
                return Ok(None);
            }
        };
        let mut next = state.clone();
        match next.attempt(attempt, &|| self.work.is_stopped()) {
            Ok(heard) => {
                let listener = Listener::from(self.problem.seat);
                let sentences: Vec<String> = heard
                    .iter()
                    .filter_map(|one| words(one, choices, listener))
                    .collect();
                writeln!(output, "{}", sentences.join(" "))?;
                if next.left() != state.left() && next.state() == ProblemState::Open {
                    draw(output, &next, self.problem.seat)?;
                }
                Ok(Some(next))
            }
            Err(refusal) => {
                writeln!(output, "{refusal}")?;
                Ok(None)
            }
        }
    }

    /// Returns the answer to the problem. The first call computes the answer.
    fn decision(&mut self) -> Decision {
        if let Some(answer) = &self.answer {
            return answer.clone();
        }
        let stop = || self.work.is_stopped();
        let limits = SearchLimits {
            nodes: u64::MAX,
            stop: &stop,
        };
        let solved = self.solver.solve(&self.question, limits);
        let answer = solved.map_or(Decision::Undecided, |SearchOutcome { decision, .. }| {
            decision
        });
        self.answer.insert(answer).clone()
    }

    fn say(&mut self, output: &mut impl Write) -> io::Result<()> {
        let decision = self.decision();
        for line in verdict_words(&self.problem, &self.question, &decision) {
            writeln!(output, "{line}")?;
        }
        Ok(())
    }

    fn certificate(&mut self, path: &str, output: &mut impl Write) -> io::Result<()> {
        if path.is_empty() {
            return writeln!(output, "Type a file name: certificate FILE");
        }
        let decision = self.decision();
        let stop = || self.work.is_stopped();
        let made = certificate(
            &self.problem,
            &self.question,
            &decision,
            &mut self.solver,
            &stop,
        );
        let Some(made) = made else {
            return writeln!(output, "No certificate can be made of this answer.");
        };
        let written =
            File::create_new(path).and_then(|mut file| writeln!(file, "{}", made.write()));
        match written {
            Ok(()) => writeln!(
                output,
                "Written to {path}. `kriegspiel solve --check {path}` checks it."
            ),
            Err(error) => writeln!(output, "{path}: {error}"),
        }
    }
}
