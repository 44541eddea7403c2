//! The opponent in a problem. The opponent sees everything, and refutes the seat's attempts if that
//! is possible.
//!
//! The defender does not choose one of the possible positions as the true one. After each attempt
//! of the seat, the defender compares all possible answers of the referee. An answer is possible if
//! the referee gives it in one or more of the possible positions. The defender chooses an answer
//! after which the seat can no longer force mate in the moves that are left. If there is no such
//! answer, the defender chooses an answer after which the mate takes longest.

use std::collections::BTreeMap;

use belief::{Settings, Situation, Watch};
use referee::{Game, Opened, Refusal, StartPosition};
use rules::{
    Attempt, Calls, Choices, Heard, Listener, Mates, Reply, Ruleset, Try, TurnState, Verdict,
    Winner, chess::Color, heard_by, rulesets,
};
use scores::{Problem, ShortList};
use solver::{
    policy::Policy,
    search::{Decision, MateQuestion, SearchLimits, Solver},
};
use views::PlayerView;

use crate::{believe, question};

/// Maximum number of positions that the solver examines in one search. There is one search for each
/// answer and each number of moves.
const NODES: u64 = 3_000_000;
/// Size of the solver's table in bytes.
const BYTES: usize = 16 << 20;

/// State of a problem that is being played.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum ProblemState {
    /// The seat is to move.
    Open,
    /// The opponent is mated in every position that is still possible.
    Mated,
    /// The moves are used up, or the game is over without mate.
    Failed,
}

/// A game that is possible for the seat.
#[derive(Clone, Debug)]
struct Line {
    game: Game,
    /// Position in which the game began, as an index.
    start: usize,
    /// Moves of both sides since then.
    moves: Vec<Try>,
}

/// A position against which no mate can be forced any more, and how it came about.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Refutation {
    /// FEN at the beginning of the problem.
    pub start: String,
    /// Moves of both sides since then.
    pub moves: Vec<Try>,
    /// FEN after these moves.
    pub end: String,
}

/// The answer to a problem from where it stands.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Solution {
    /// An attempt with which a shortest forced mate begins.
    Mate(Attempt),
    /// There is no forced mate. FEN of positions against which alone there is none.
    NoMate(Vec<String>),
}

/// A problem that is being played.
#[derive(Clone, Debug)]
pub struct Defender {
    choices: Choices,
    seat: Color,
    starts: Vec<String>,
    /// The games that are possible for the seat.
    lines: Vec<Line>,
    /// Indices of the lines against which together no mate can be forced any more.
    refuting: Vec<usize>,
    view: PlayerView,
    left: u8,
    state: ProblemState,
}

/// One answer that the referee could give.
struct Candidate {
    lines: Vec<Line>,
    heard: Vec<Heard>,
    left: u8,
    state: ProblemState,
}

impl Defender {
    /// Begins a problem. The positions are FEN. Mate and stalemate are recognised even if the
    /// ruleset does not recognise them.
    ///
    /// # Errors
    /// Returns a message if there is no position, or if a position cannot be used.
    pub fn open(
        ruleset: &Ruleset,
        seat: Color,
        positions: &[String],
        moves: u8,
    ) -> Result<Defender, String> {
        let choices = Choices {
            mates: Mates::Announced,
            ..ruleset.choices
        };
        let mut lines = Vec::with_capacity(positions.len());
        for (start, fen) in positions.iter().enumerate() {
            let position = StartPosition::from_fen(fen, &choices)
                .map_err(|error| format!("{fen}: {error}"))?;
            let game = Game::open(Opened::new(ruleset, choices, position));
            if game.to_move() != Some(seat) {
                return Err(format!("{fen}: the seat is not to move"));
            }
            lines.push(Line {
                game,
                start,
                moves: Vec::new(),
            });
        }
        let first = &lines.first().ok_or("there is no position")?.game;
        let mut view = PlayerView::open(choices, seat, &first.start(Listener::from(seat)));
        view.hear_calls(&first.opening_calls());
        Ok(Defender {
            choices,
            seat,
            starts: positions.to_vec(),
            lines,
            refuting: Vec::new(),
            view,
            left: moves,
            state: ProblemState::Open,
        })
    }

    /// Begins a problem in the positions that are possible after everything that the seat heard.
    ///
    /// # Errors
    /// Returns a message if a part of the problem is invalid, or if too many positions are possible.
    pub fn of(problem: &Problem) -> Result<Defender, String> {
        let ruleset = rulesets::by_id(&problem.rules).ok_or("there is no such ruleset")?;
        let moves = problem.own_moves.and_then(|n| u8::try_from(n).ok());
        let moves = moves.filter(|n| (1..=32).contains(n));
        let moves = moves.ok_or("mate_in must be from 1 to 32")?;
        let belief = believe(problem, Settings::default(), &Watch::default())?;
        let question = belief.and_then(|belief| question(&belief, moves));
        let question = question.ok_or("too many positions are possible")?;
        let fens = question.positions.iter();
        let fens: Vec<String> = fens.map(|one| one.fen(u32::from(one.quiet), 1)).collect();
        Defender::open(ruleset, problem.seat, &fens, moves)
    }

    /// Returns what the referee says at the beginning of a problem without a history.
    pub fn opening(&self) -> Vec<Heard> {
        let calls = self.lines.first().map(|line| line.game.opening_calls());
        let listener = Listener::from(self.seat);
        calls
            .iter()
            .flat_map(|calls| heard_by(calls, listener))
            .collect()
    }

    /// Returns what the seat knows.
    pub fn view(&self) -> &PlayerView {
        &self.view
    }

    /// Returns the number of own moves that are left.
    pub fn left(&self) -> u8 {
        self.left
    }

    /// Returns the state of the problem.
    pub fn state(&self) -> ProblemState {
        self.state
    }

    /// Returns the choices of the ruleset, with mates announced.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Returns the positions that are still possible, as FEN.
    pub fn positions(&self) -> Vec<String> {
        distinct(&self.lines)
            .into_iter()
            .map(|(fen, _)| fen)
            .collect()
    }

    /// Returns positions against which together no mate can be forced any more; empty while one can
    /// be forced. If the problem has failed, each of them alone is enough.
    pub fn refutations(&self) -> Vec<Refutation> {
        let lines = self
            .refuting
            .iter()
            .filter_map(|&index| self.lines.get(index));
        lines
            .map(|line| Refutation {
                start: self.starts[line.start].clone(),
                moves: line.moves.clone(),
                end: line.game.sheet().fen(),
            })
            .collect()
    }

    /// Solves the problem from where it stands. Returns `None` if a limit ended the work.
    pub fn solution(&self, stop: &dyn Fn() -> bool) -> Option<Solution> {
        let mut solver = Solver::with_bytes(BYTES);
        let turn = self.view.turn();
        match self.solve(&self.lines, turn, self.left, &mut solver, stop) {
            (_, Decision::Mate(policy), _) => Some(Solution::Mate(match &*policy {
                Policy::Try { what, .. } => Attempt::Try(*what),
                Policy::Any { .. } => Attempt::Any,
            })),
            (_, Decision::NoMate(_), core) => {
                let fen = |&index: &usize| self.lines[index].game.sheet().fen();
                Some(Solution::NoMate(core.iter().map(fen).collect()))
            }
            (_, Decision::Undecided, _) => None,
        }
    }

    /// Makes an attempt of the seat, and the opponent's reply if the attempt is a legal move.
    /// Returns what the seat hears. `stop` is called often; if it returns true, the defender
    /// decides at once.
    ///
    /// # Errors
    /// Returns an error if the referee does not judge the attempt. In this case nothing changes.
    pub fn attempt(
        &mut self,
        attempt: Attempt,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Heard>, Refusal> {
        let candidates = self.candidates(attempt)?;
        let mut solver = Solver::with_bytes(BYTES);
        let mut best: Option<(u32, usize, Candidate, Vec<usize>)> = None;
        for one in candidates {
            let enough = best.as_ref().is_some_and(|best| best.0 >= REFUTED);
            let (rank, refuting) = match one.state {
                ProblemState::Failed => (FAILED, (0..one.lines.len()).collect()),
                ProblemState::Mated => (0, Vec::new()),
                ProblemState::Open if enough => (0, Vec::new()),
                ProblemState::Open => self.rank(&one, &mut solver, stop),
            };
            let size = one.lines.len();
            if best
                .as_ref()
                .is_none_or(|best| (rank, size) > (best.0, best.1))
            {
                best = Some((rank, size, one, refuting));
            }
        }
        let Some((_, _, chosen, refuting)) = best else {
            return Err(Refusal::GameOver);
        };
        for heard in &chosen.heard {
            self.view.hear(heard);
        }
        self.lines = chosen.lines;
        self.refuting = refuting;
        self.left = chosen.left;
        self.state = chosen.state;
        Ok(chosen.heard)
    }

    /// Returns every answer that the seat could hear after an attempt.
    fn candidates(&self, attempt: Attempt) -> Result<Vec<Candidate>, Refusal> {
        let mut all: BTreeMap<String, Candidate> = BTreeMap::new();
        let mut add = |line: Line, heard: Vec<Heard>, left: u8| {
            let state = match line.game.over() {
                Some(over) if over.winner == Winner::from(self.seat) => ProblemState::Mated,
                Some(_) => ProblemState::Failed,
                None if left == 0 => ProblemState::Failed,
                None => ProblemState::Open,
            };
            let candidate = all
                .entry(ShortList(&heard).to_string())
                .or_insert(Candidate {
                    lines: Vec::new(),
                    heard,
                    left,
                    state,
                });
            candidate.lines.push(line);
        };
        let listener = Listener::from(self.seat);
        let mut calls = Calls::new();
        for line in &self.lines {
            let mut line = line.clone();
            line.game.attempt(self.seat, attempt, &mut calls)?;
            let own: Vec<Heard> = heard_by(&calls, listener).collect();
            line.moves.extend(own.iter().find_map(played));
            if line.game.to_move() != Some(self.seat.other()) {
                add(line, own, self.left);
                continue;
            }
            let left = self.left.saturating_sub(1);
            for reply in line.game.sheet().legal_tries() {
                let mut after = line.clone();
                if after
                    .game
                    .attempt(self.seat.other(), reply.into(), &mut calls)
                    .is_err()
                {
                    continue;
                }
                after.moves.push(reply);
                let mut heard = own.clone();
                heard.extend(heard_by(&calls, listener));
                add(after, heard, left);
            }
        }
        Ok(all.into_values().collect())
    }

    /// Rates an answer, and returns the indices of lines that refute the attempt. An answer after
    /// which the mate takes longer has a higher rating.
    fn rank(
        &self,
        one: &Candidate,
        solver: &mut Solver,
        stop: &dyn Fn() -> bool,
    ) -> (u32, Vec<usize>) {
        let mut view = self.view.clone();
        for heard in &one.heard {
            view.hear(heard);
        }
        match self.solve(&one.lines, view.turn(), one.left, solver, stop) {
            (moves, Decision::Mate(_), _) => (u32::from(moves), Vec::new()),
            (_, Decision::NoMate(_), core) => (REFUTED, core),
            (_, Decision::Undecided, _) => (UNDECIDED, Vec::new()),
        }
    }

    /// Searches for the shortest forced mate against these lines. Returns its number of own moves;
    /// if there is none, indices of lines against which together there is none.
    fn solve(
        &self,
        lines: &[Line],
        turn: &TurnState,
        left: u8,
        solver: &mut Solver,
        stop: &dyn Fn() -> bool,
    ) -> (u8, Decision, Vec<usize>) {
        let read = |(fen, index): (String, usize)| {
            let situation = Situation::from_fen(&self.choices, self.seat, &fen).ok()?;
            Some((situation, index))
        };
        let (positions, indices): (_, Vec<usize>) =
            distinct(lines).into_iter().filter_map(read).unzip();
        let mut question = MateQuestion {
            choices: self.choices,
            compat: None,
            positions,
            moves: 1,
            turn: turn.clone(),
        };
        let mut core = Vec::new();
        for moves in 1..=left {
            question.moves = moves;
            let limits = SearchLimits { nodes: NODES, stop };
            match solver.solve(&question, limits).map(|found| found.decision) {
                Ok(Decision::NoMate(found)) => core = found,
                Ok(decision) => return (moves, decision, Vec::new()),
                Err(_) => return (moves, Decision::Undecided, Vec::new()),
            }
        }
        let lines = core.iter().map(|&index| indices[index]).collect();
        (left, Decision::NoMate(core), lines)
    }
}

/// Returns the own move that the mover hears of.
fn played(heard: &Heard) -> Option<Try> {
    if let Heard::Reply(Reply::Verdict {
        verdict: Verdict::Moved,
        attempt: Some(Attempt::Try(t)),
        ..
    }) = *heard
    {
        Some(t)
    } else {
        None
    }
}

/// Returns the different positions of lines as FEN, in order, each with the index of one line.
fn distinct(lines: &[Line]) -> Vec<(String, usize)> {
    let fens = lines.iter().map(|line| line.game.sheet().fen());
    let mut all: Vec<(String, usize)> = fens.zip(0..).collect();
    all.sort();
    all.dedup_by(|one, other| one.0 == other.0);
    all
}

/// Rating of an answer for which the solver stopped before it found a decision.
const UNDECIDED: u32 = 100;
/// Rating of an answer after which there is no forced mate in the moves that are left.
const REFUTED: u32 = 200;
/// Rating of an answer that ends the problem without mate.
const FAILED: u32 = 300;

#[cfg(test)]
mod tests {
    use rules::rulesets;

    use super::*;

    fn defender(rules: &str, fens: &[&str], moves: u8) -> Defender {
        let ruleset = rulesets::by_id(rules).unwrap();
        let fens: Vec<String> = fens.iter().map(|fen| (*fen).to_owned()).collect();
        Defender::open(ruleset, Color::White, &fens, moves).unwrap()
    }

    fn attempt(defender: &mut Defender, text: &str) -> String {
        let attempt = text.parse().unwrap();
        let heard = defender.attempt(attempt, &|| false);
        ShortList(&heard.unwrap()).to_string()
    }

    /// The rook mates on a8.
    const BACK_RANK: &[&str] = &["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"];

    #[test]
    fn try_that_mates_in_every_position_solves_the_problem() {
        let mut one = defender("wild16", BACK_RANK, 1);
        attempt(&mut one, "a1a8");
        assert_eq!(one.state(), ProblemState::Mated);
    }

    #[test]
    fn wrong_move_is_refuted_and_does_not_mate() {
        let mut one = defender("wild16", BACK_RANK, 2);
        let mate = Attempt::Try("a1a8".parse().unwrap());
        assert_eq!(one.solution(&|| false), Some(Solution::Mate(mate)));
        attempt(&mut one, "a1a7");
        assert_eq!((one.state(), one.left()), (ProblemState::Open, 1));
        let refutation = &one.refutations()[0];
        assert_eq!(refutation.start, BACK_RANK[0]);
        assert_eq!(refutation.moves[0].to_string(), "a1a7");
        let core = one.refutations().into_iter().map(|one| one.end).collect();
        assert_eq!(one.solution(&|| false), Some(Solution::NoMate(core)));
        attempt(&mut one, "a7a8");
        assert_eq!(one.state(), ProblemState::Failed);
        // The king escapes.
        assert_eq!(one.refutations()[0].moves.len(), 4);
    }

    #[test]
    fn try_that_is_illegal_in_every_position_costs_no_move() {
        // The black rook is on a5 or a3. The try a1a8 is illegal in both positions.
        let fens = [
            "6k1/5ppp/8/r7/8/8/8/RR4K1 w - - 0 1",
            "6k1/5ppp/8/8/8/r7/8/RR4K1 w - - 0 1",
        ];
        let mut one = defender("wild16", &fens, 1);
        assert_eq!(attempt(&mut one, "a1a8"), "no w a1a8");
        assert_eq!((one.left(), one.positions().len()), (1, 2));
        attempt(&mut one, "b1b8");
        assert_eq!(one.state(), ProblemState::Mated);
    }
}
