//! Steps back along a game from proved mates.

use belief::Situation;
use kriegspiel::{
    certificate::Certificate,
    certify::{mate_certificate, no_mate_certificate},
    solver::search::{Decision, MateQuestion, SearchLimits, Solver},
};

use super::game::{MadeGame, Moment};

/// Largest number of own moves of a problem.
pub(super) const MOST_MOVES: u8 = 7;
/// Number of own moves that is tried at every turn.
const USUAL_MOVES: u8 = 2;
/// Maximum number of positions examined for one question, by the number of own moves.
const NODES: [u64; MOST_MOVES as usize + 1] = [
    0,
    100_000,
    300_000,
    1_500_000,
    5_000_000,
    15_000_000,
    40_000_000,
    100_000_000,
];
/// Maximum number of positions that can escape in a near miss.
const MOST_ESCAPES: usize = 8;
/// Maximum number of mates, and of near misses, of one length from one game.
const MOST_ALIKE: usize = 2;
/// Maximum number of moves and refused attempts that the check of one certificate replays.
const MOST_REPLAYED: u64 = 30_000_000;
/// Maximum number of nodes of a certificate.
const MOST_NODES: usize = 200_000;

/// A problem that was found in a game.
pub(super) struct Found {
    /// Index of the turn.
    pub(super) moment: usize,
    pub(super) moves: u8,
    /// Whether there is a mate; otherwise some positions escape.
    pub(super) mate: bool,
    /// Whether the opponent has only the king.
    pub(super) lone: bool,
}

/// Which problems are still wanted, by number of own moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub(super) mates: [bool; MOST_MOVES as usize + 1],
    pub(super) near_misses: [bool; MOST_MOVES as usize + 1],
}

impl Wanted {
    fn has(&self, moves: u8, mate: bool) -> bool {
        let of = if mate { &self.mates } else { &self.near_misses };
        of.get(usize::from(moves)).copied().unwrap_or(false)
    }

    /// Whether any problem of at least this many own moves is wanted.
    fn from(&self, moves: u8) -> bool {
        (moves..=MOST_MOVES).any(|n| self.has(n, true) || self.has(n, false))
    }
}

/// What is known about one turn.
enum Verdict {
    /// The least number of own moves of a mate; some positions refute a mate in one move less.
    Mate(u8, Vec<usize>),
    /// There is no mate in this number of own moves; some positions refute it.
    None(u8, Vec<usize>),
    Unknown,
}

/// The search in one game.
pub(super) struct Search<'a> {
    pub(super) game: &'a MadeGame,
    pub(super) solver: &'a mut Solver,
    pub(super) wanted: &'a Wanted,
    pub(super) stop: &'a dyn Fn() -> bool,
}

impl Search<'_> {
    /// Finds problems, from the last turn of the game back to the first one.
    pub(super) fn run(&mut self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut next = None;
        for (index, moment) in self.game.moments.iter().enumerate().rev() {
            if (self.stop)() {
                break;
            }
            if moment.positions.is_empty() {
                next = None;
                continue;
            }
            let top = next.map_or(USUAL_MOVES, |n: u8| (n + 1).clamp(USUAL_MOVES, MOST_MOVES));
            if next.is_none() && !self.wanted.from(USUAL_MOVES) {
                break;
            }
            let alone = |one: &Situation| one.men.all().count() == 1;
            let problem = |moves: u8, mate: bool| Found {
                moment: index,
                moves,
                mate,
                lone: moment.positions.iter().all(alone),
            };
            let (mate, missed) = match self.verdict(moment, top) {
                Verdict::Mate(n, core) => (Some(n), Some((n - 1, core))),
                Verdict::None(n, core) => (None, Some((n, core))),
                Verdict::Unknown => (None, None),
            };
            next = mate;
            if let Some(n) = mate
                && moment.positions.len() > 1
                && self.has_room(&found, n, true)
            {
                found.push(problem(n, true));
            }
            if let Some((n, core)) = missed
                && self.has_room(&found, n, false)
                && self.nearly(moment, n, &core)
            {
                found.push(problem(n, false));
            }
        }
        found
    }

    /// Whether another problem of this kind is wanted from this game.
    fn has_room(&self, found: &[Found], moves: u8, mate: bool) -> bool {
        let alike = found.iter().filter(|f| f.moves == moves && f.mate == mate);
        moves >= USUAL_MOVES && self.wanted.has(moves, mate) && alike.count() < MOST_ALIKE
    }

    fn question(&self, moment: &Moment, positions: Vec<Situation>, moves: u8) -> MateQuestion {
        MateQuestion {
            choices: self.game.ruleset.choices,
            compat: None,
            positions,
            moves,
            turn: moment.turn.clone(),
        }
    }

    fn decide(&mut self, question: &MateQuestion) -> Decision {
        let limits = SearchLimits {
            nodes: NODES[usize::from(question.moves)],
            stop: self.stop,
        };
        match self.solver.solve(question, limits) {
            Ok(outcome) => outcome.decision,
            Err(_) => Decision::Undecided,
        }
    }

    /// Returns the least number of own moves of a mate, up to `top`.
    fn verdict(&mut self, moment: &Moment, top: u8) -> Verdict {
        let mut question = self.question(moment, moment.positions.clone(), 1);
        let mut core = Vec::new();
        for moves in 1..=top {
            question.moves = moves;
            match self.decide(&question) {
                Decision::Mate(_) => return Verdict::Mate(moves, core),
                Decision::NoMate(found) => core = found,
                Decision::Undecided => return Verdict::Unknown,
            }
        }
        Verdict::None(top, core)
    }

    /// Whether the belief is a near miss: without few of its positions there is a mate in this
    /// number of own moves, and in no smaller number.
    fn nearly(&mut self, moment: &Moment, moves: u8, core: &[usize]) -> bool {
        let all = moment.positions.len();
        let most = (all / 2).clamp(1, MOST_ESCAPES);
        let mut question = self.question(moment, moment.positions.clone(), moves);
        let mut core = core.to_vec();
        for _ in 0..most {
            let Some(worst) = core.first() else {
                return false;
            };
            question.positions.swap_remove(*worst);
            if question.positions.len() < 2 {
                return false;
            }
            match self.decide(&question) {
                Decision::Mate(_) => {
                    question.moves -= 1;
                    return matches!(self.decide(&question), Decision::NoMate(_));
                }
                Decision::NoMate(found) => core = found,
                Decision::Undecided => return false,
            }
        }
        false
    }

    /// Makes the certificate of a problem. Returns `None` if none can be made, or if the check does
    /// not confirm it.
    pub(super) fn certificate(&mut self, found: &Found) -> Option<Certificate> {
        let moment = &self.game.moments[found.moment];
        let question = self.question(moment, moment.positions.clone(), found.moves);
        let rules = &self.game.ruleset.id;
        let certificate = match self.decide(&question) {
            Decision::Mate(policy) => {
                mate_certificate(rules, found.moves, &question.positions, &policy)
            }
            Decision::NoMate(core) => {
                let limits = SearchLimits {
                    nodes: 4 * NODES[usize::from(found.moves)],
                    stop: self.stop,
                };
                let nodes = self.solver.refute(&question, &core, limits, MOST_NODES);
                let nodes = nodes.ok()??;
                let core: Vec<Situation> = core.iter().map(|i| question.positions[*i]).collect();
                no_mate_certificate(rules, found.moves, &core, &nodes)
            }
            Decision::Undecided => return None,
        };
        match certificate.check(MOST_REPLAYED) {
            Ok(checked) if checked.mate == found.mate => Some(certificate),
            Ok(_) | Err(_) => None,
        }
    }
}
