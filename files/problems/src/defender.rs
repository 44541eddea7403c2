//! The opponent in a problem. The opponent sees everything, and refutes the seat's attempts if that
//! is possible.
//!
//! The defender does not choose one of the possible positions as the true one. After each attempt
//! of the seat, the defender compares all possible answers of the referee. An answer is possible if
//! the referee gives it in one or more of the possible positions. The defender chooses an answer
//! after which the seat can no longer force mate in the moves that are left. If there is no such
//! answer, the defender chooses an answer after which the mate takes longest.

use std::collections::BTreeMap;

use belief::Situation;
use referee::{Game, Opened, Refusal, StartPosition};
use rules::{
    Attempt, Calls, Choices, Heard, Listener, Mates, Ruleset, Winner, chess::Color, heard_by,
};
use scores::ShortList;
use solver::search::{Decision, MateQuestion, SearchLimits, Solver};
use views::PlayerView;

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

/// A problem that is being played.
#[derive(Clone, Debug)]
pub struct Defender {
    choices: Choices,
    seat: Color,
    /// The games that are possible for the seat.
    games: Vec<Game>,
    view: PlayerView,
    left: u8,
    state: ProblemState,
}

/// One answer that the referee could give.
struct Candidate {
    games: Vec<Game>,
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
        let mut games = Vec::with_capacity(positions.len());
        for fen in positions {
            let start = StartPosition::from_fen(fen, &choices)
                .map_err(|error| format!("{fen}: {error}"))?;
            let game = Game::open(Opened::new(ruleset, choices, start));
            if game.to_move() != Some(seat) {
                return Err(format!("{fen}: the seat is not to move"));
            }
            games.push(game);
        }
        let first = games.first().ok_or("there is no position")?;
        let mut view = PlayerView::open(choices, seat, &first.start(Listener::from(seat)));
        view.hear_calls(&first.opening_calls());
        Ok(Defender {
            choices,
            seat,
            games,
            view,
            left: moves,
            state: ProblemState::Open,
        })
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

    /// Returns the positions that are still possible, as FEN.
    pub fn positions(&self) -> Vec<String> {
        let mut all: Vec<String> = self.games.iter().map(|game| game.sheet().fen()).collect();
        all.sort();
        all.dedup();
        all
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
        let mut best: Option<(u32, usize, Candidate)> = None;
        for one in candidates {
            let enough = best.as_ref().is_some_and(|best| best.0 >= REFUTED);
            let rank = match one.state {
                ProblemState::Failed => FAILED,
                ProblemState::Mated => 0,
                ProblemState::Open if enough => 0,
                ProblemState::Open => self.rank(&one, &mut solver, stop),
            };
            let size = one.games.len();
            if best
                .as_ref()
                .is_none_or(|best| (rank, size) > (best.0, best.1))
            {
                best = Some((rank, size, one));
            }
        }
        let Some((_, _, chosen)) = best else {
            return Err(Refusal::GameOver);
        };
        for heard in &chosen.heard {
            self.view.hear(heard);
        }
        self.games = chosen.games;
        self.left = chosen.left;
        self.state = chosen.state;
        Ok(chosen.heard)
    }

    /// Returns every answer that the seat could hear after an attempt.
    fn candidates(&self, attempt: Attempt) -> Result<Vec<Candidate>, Refusal> {
        let mut all: BTreeMap<String, Candidate> = BTreeMap::new();
        let mut add = |game: Game, heard: Vec<Heard>, left: u8| {
            let state = match game.over() {
                Some(over) if over.winner == Winner::from(self.seat) => ProblemState::Mated,
                Some(_) => ProblemState::Failed,
                None if left == 0 => ProblemState::Failed,
                None => ProblemState::Open,
            };
            let candidate = all
                .entry(ShortList(&heard).to_string())
                .or_insert(Candidate {
                    games: Vec::new(),
                    heard,
                    left,
                    state,
                });
            candidate.games.push(game);
        };
        let listener = Listener::from(self.seat);
        let mut calls = Calls::new();
        for game in &self.games {
            let mut game = game.clone();
            game.attempt(self.seat, attempt, &mut calls)?;
            let own: Vec<Heard> = heard_by(&calls, listener).collect();
            if game.to_move() != Some(self.seat.other()) {
                add(game, own, self.left);
                continue;
            }
            let left = self.left.saturating_sub(1);
            for reply in game.sheet().legal_tries() {
                let mut after = game.clone();
                if after
                    .attempt(self.seat.other(), reply.into(), &mut calls)
                    .is_err()
                {
                    continue;
                }
                let mut heard = own.clone();
                heard.extend(heard_by(&calls, listener));
                add(after, heard, left);
            }
        }
        Ok(all.into_values().collect())
    }

    /// Rates an answer. An answer after which the mate takes longer has a higher rating.
    fn rank(&self, one: &Candidate, solver: &mut Solver, stop: &dyn Fn() -> bool) -> u32 {
        let mut view = self.view.clone();
        for heard in &one.heard {
            view.hear(heard);
        }
        let mut fens: Vec<String> = one.games.iter().map(|game| game.sheet().fen()).collect();
        fens.sort();
        fens.dedup();
        let read = |fen: &String| Situation::from_fen(&self.choices, self.seat, fen).ok();
        let mut question = MateQuestion {
            law: self.choices.into(),
            positions: fens.iter().filter_map(read).collect(),
            moves: 1,
            turn: view.turn().clone(),
        };
        for moves in 1..=one.left {
            question.moves = moves;
            let limits = SearchLimits { nodes: NODES, stop };
            match solver.solve(&question, limits).map(|found| found.decision) {
                Ok(Decision::Mate(_)) => return u32::from(moves),
                Ok(Decision::NoMate(_)) => {}
                Ok(Decision::Undecided) | Err(_) => return UNDECIDED,
            }
        }
        REFUTED
    }
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
        let ruleset = rulesets::by_id(rules).expect("the id names a ruleset");
        let fens: Vec<String> = fens.iter().map(|fen| (*fen).to_owned()).collect();
        Defender::open(ruleset, Color::White, &fens, moves).expect("the positions are valid")
    }

    fn attempt(defender: &mut Defender, text: &str) -> String {
        let attempt = text.parse().expect("the text is an attempt");
        let heard = defender.attempt(attempt, &|| false);
        ShortList(&heard.expect("the attempt is judged")).to_string()
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
        attempt(&mut one, "a1a7");
        assert_eq!((one.state(), one.left()), (ProblemState::Open, 1));
        attempt(&mut one, "a7a8");
        assert_eq!(one.state(), ProblemState::Failed);
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
