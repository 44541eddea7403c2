//! Searches a game for problems, from the last turn back to the first one.
//!
//! A problem is a mate or a near miss. In a near miss there is no forced mate against all possible
//! positions, but there is one against most of them. There are two ways to find a near miss:
//!
//! - At a turn without a forced mate, leave out a few of the possible positions. If there is a mate
//!   against the others, the turn is a near miss.
//! - At a turn with a forced mate, add one position in which the opponent escapes.

use belief::{Settings, Situation, Watch};
use bots::{Dice, Seed};
use problems::certificate::{Certificate, CertificateError};
use problems::certify::certificate_of;
use problems::{believe, question};
use rules::TurnState;
use scores::{Problem, ProblemStart};
use solver::search::{Decision, MateQuestion, SearchLimits, Solver};

use super::{
    game::{MadeGame, Moment, altered},
    plan::{MAX_MOVES, Plan},
};

/// Least number of own moves of a problem.
const MIN_MOVES: u8 = 2;
/// Maximum number of possible positions that are left out to find a near miss.
const MAX_ESCAPES: usize = 3;
/// Positions are left out only to find near misses of at most this number of own moves.
const NEAR_MOVES: u8 = 3;
/// A problem of at least this number of own moves needs no certificate.
const SEARCHED_MOVES: u8 = 5;
/// To turn one mate into a near miss, at most this number of different positions are added, one at
/// a time.
const MAX_ADDED: usize = 10;
/// Maximum number of moves and refused attempts that the check of one certificate replays.
const MAX_REPLAYED: u64 = 30_000_000;
/// Maximum number of nodes of a certificate that proves that there is no mate. The index is the
/// number of own moves of the problem. The certificates of problems with few own moves are shipped,
/// so these certificates must be small.
const MAX_NODES: [usize; MAX_MOVES as usize + 1] =
    [0, 0, 300, 1_600, 40_000, 60_000, 60_000, 60_000];

/// A problem that was found in a game.
pub(super) struct Found {
    /// Index of the turn.
    pub(super) moment: usize,
    pub(super) moves: u8,
    /// Whether there is a mate. If `false`, the problem is a near miss.
    pub(super) mate: bool,
    /// Whether the opponent has only the king.
    pub(super) lone: bool,
    /// The possible positions as FEN, if they do not follow from what was heard. The list contains
    /// the possible positions of a turn with a forced mate, and one added position, in which the
    /// opponent escapes.
    pub(super) listed: Option<Vec<String>>,
}

/// A problem whose verdict was confirmed.
pub(super) struct MadeProblem {
    pub(super) problem: Problem,
    pub(super) moves: u8,
    pub(super) mate: bool,
    /// Whether the opponent has only the king.
    pub(super) lone: bool,
    pub(super) certificate: Option<Certificate>,
}

/// Which problems are still wanted. The index is the number of own moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub(super) mates: [bool; MAX_MOVES as usize + 1],
    pub(super) near_misses: [bool; MAX_MOVES as usize + 1],
}

impl Wanted {
    fn has(&self, moves: u8, mate: bool) -> bool {
        let of = if mate { &self.mates } else { &self.near_misses };
        of.get(usize::from(moves)).copied().unwrap_or(false)
    }

    /// Whether any problem of at least this many own moves is wanted.
    fn from(&self, moves: u8) -> bool {
        (moves..=MAX_MOVES).any(|n| self.has(n, true) || self.has(n, false))
    }
}

/// The search in one game.
pub(super) struct Search<'a> {
    pub(super) plan: &'static Plan,
    pub(super) game: &'a MadeGame,
    pub(super) solver: &'a mut Solver,
    pub(super) wanted: &'a Wanted,
    /// Numbers of failures in all games of the family (see [`Family`](super::family::Family)). A
    /// failure is a mate that could not be turned into a near miss. The index is the number of own
    /// moves of the mate.
    pub(super) failures: &'a mut [usize; MAX_MOVES as usize + 1],
    /// Problems that were found in other games of the family.
    pub(super) earlier: &'a [MadeProblem],
    pub(super) watch: &'a Watch,
    pub(super) stop: &'a dyn Fn() -> bool,
}

impl Search<'_> {
    /// Finds problems, from the last turn of the game back to the first one. Also returns the
    /// number of own moves of the longest mate that was found.
    pub(super) fn run(&mut self) -> (Vec<Found>, Option<u8>) {
        let mut found: Vec<Found> = Vec::new();
        let mut longest = None;
        let mut next = None;
        for (index, moment) in self.game.moments.iter().enumerate().rev() {
            if (self.stop)() || !self.wanted.from(MIN_MOVES) {
                break;
            }
            if moment.positions.len() < 2 {
                next = None;
                continue;
            }
            let alone = |one: &Situation| one.men().all().count() == 1;
            let problem = |moves: u8, mate: bool| Found {
                moment: index,
                moves,
                mate,
                lone: moment.positions.iter().all(alone),
                listed: None,
            };
            let (mate, cores) = self.verdict(moment, next);
            next = mate;
            longest = longest.max(mate);
            if let Some(n) = mate {
                if self.has_room(&found, n, true) {
                    found.push(problem(n, true));
                }
                let is_hopeful = self.failures[usize::from(n)] < self.plan.patience;
                if is_hopeful && self.has_room(&found, n, false) {
                    let listed = self.with_escape(moment, index, n);
                    if listed.is_some() {
                        let near = problem(n, false);
                        found.push(Found { listed, ..near });
                    } else {
                        self.failures[usize::from(n)] += 1;
                    }
                }
            }
            for (index, core) in cores.iter().enumerate() {
                let n = index as u8 + 1;
                if n <= NEAR_MOVES
                    && self.has_room(&found, n, false)
                    && self.nearly(moment, n, core)
                {
                    found.push(problem(n, false));
                }
            }
        }
        (found, longest)
    }

    /// Whether another problem of this kind is wanted from this game.
    fn has_room(&self, found: &[Found], moves: u8, mate: bool) -> bool {
        let most = if mate {
            self.plan.most_mates
        } else {
            self.plan.most_near_misses
        };
        let here = found.iter().filter(|f| f.moves == moves && f.mate == mate);
        let earlier = self.earlier.iter();
        let earlier = earlier.filter(|f| f.moves == moves && f.mate == mate);
        moves >= MIN_MOVES && self.wanted.has(moves, mate) && here.count() + earlier.count() < most
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
        self.decide_within(question, self.plan.nodes[usize::from(question.moves)])
    }

    fn decide_within(&mut self, question: &MateQuestion, nodes: u64) -> Decision {
        let limits = SearchLimits {
            nodes,
            stop: self.stop,
        };
        match self.solver.solve(question, limits) {
            Ok(outcome) => outcome.decision,
            Err(_) => Decision::Undecided,
        }
    }

    /// Looks for a mate at a turn. Returns the least number of own moves of a mate, if a mate was
    /// found. Also returns a core for each smaller number of own moves, from 1. (A core is a list of
    /// positions. No policy mates in all of these positions within that number of own moves.)
    ///
    /// `next` is the number of own moves of the mate at the next turn of the game. The function
    /// looks for mates in at most `next` + 1 own moves. If `next` is `None`, it does not search, and
    /// returns only what was already found while the game was played.
    fn verdict(&mut self, moment: &Moment, next: Option<u8>) -> (Option<u8>, Vec<Vec<usize>>) {
        let known = &moment.known;
        let mut cores = known.cores.clone();
        let top = next.map_or(0, |n| (n + 1).min(MAX_MOVES));
        if known.mate.is_some() || known.stopped && top <= self.game.foresight {
            return (known.mate, cores);
        }
        let mut question = self.question(moment, moment.positions.clone(), 1);
        while cores.len() < usize::from(top) {
            question.moves = cores.len() as u8 + 1;
            match self.decide(&question) {
                Decision::Mate(_) => return (Some(question.moves), cores),
                Decision::NoMate(found) => cores.push(found),
                Decision::Undecided => break,
            }
        }
        (None, cores)
    }

    /// Whether the turn is a near miss. Leaves out possible positions, one at a time, until there
    /// is a mate in `moves` own moves against the others. There must be no mate against them in
    /// `moves - 1` own moves. The position to leave out is the first one of the core.
    fn nearly(&mut self, moment: &Moment, moves: u8, core: &[usize]) -> bool {
        let all = moment.positions.len();
        let most = (all / 2).clamp(1, MAX_ESCAPES);
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

    /// Takes the positions of a turn that has a mate in this number of own moves. Adds a position
    /// in which the opponent escapes, so that this mate is no longer forced. To make the added
    /// position, takes one of the positions and moves one of the opponent's men to another square.
    fn with_escape(&mut self, moment: &Moment, index: usize, moves: u8) -> Option<Vec<String>> {
        let mut dice = Dice::new(Seed {
            seed: self.game.seed.stream,
            stream: (self.game.variant << 16) + index as u64,
        });
        let mut fens: Vec<String> = moment.positions.iter().map(fen).collect();
        let choices = &self.game.ruleset.choices;
        let read = |fen: &String| Situation::from_fen(choices, self.game.seat, fen).ok();
        let positions: Vec<Situation> = fens.iter().map(read).collect::<Option<_>>()?;
        let theirs = [self.game.seat.other()];
        let mut undecided = 0;
        for _ in 0..MAX_ADDED {
            let one = fens[dice.below(fens.len() as u32) as usize].clone();
            let Some(added) = altered(&one, &theirs, self.game.ruleset, &mut dice) else {
                continue;
            };
            let Some(last) = read(&added).filter(|last| !positions.contains(last)) else {
                continue;
            };
            let mut question = self.question(moment, positions.clone(), moves);
            question.positions.push(last);
            question.turn = TurnState::default();
            let nodes = self.plan.added_nodes[usize::from(moves)];
            match self.decide_within(&question, nodes) {
                Decision::NoMate(_) => {
                    fens.push(added);
                    return Some(fens);
                }
                Decision::Mate(_) => {}
                Decision::Undecided => {
                    undecided += 1;
                    if undecided >= self.plan.patience {
                        break;
                    }
                }
            }
        }
        None
    }

    /// Returns a found problem with an empty id.
    fn problem(&self, found: &Found) -> Problem {
        let moment = &self.game.moments[found.moment];
        let (start, heard) = match &found.listed {
            None => {
                let heard = self.game.heard[..moment.heard].to_vec();
                (self.game.start.clone(), heard)
            }
            Some(fens) => (ProblemStart::Positions(fens.clone()), Vec::new()),
        };
        Problem {
            id: String::new(),
            rules: self.game.ruleset.id.to_string(),
            seat: self.game.seat,
            own_moves: Some(found.moves.into()),
            positions: None,
            mate: Some(found.mate),
            start,
            heard,
            author: Some("problems make".to_owned()),
            source: Some(self.source(moment)),
        }
    }

    /// Says where a problem comes from.
    fn source(&self, moment: &Moment) -> String {
        let Seed { seed, stream } = self.game.seed;
        let variant = match self.game.variant {
            0 => String::new(),
            n => format!("variant {n}, "),
        };
        format!(
            "seed {seed}, game {stream}, {variant}own turn {}",
            moment.number
        )
    }

    /// Writes a problem and solves the written problem again. Makes a certificate, which the
    /// referee checks. Returns `None` if the verdict is not confirmed. If a certificate would be
    /// too long, problems of at least [`SEARCHED_MOVES`] own moves are accepted nevertheless.
    pub(super) fn confirm(&mut self, found: &Found) -> Option<MadeProblem> {
        let problem = self.problem(found);
        let belief = believe(&problem, Settings::default(), self.watch).ok()??;
        let question = question(&belief, found.moves)?;
        let nodes = self.plan.nodes[usize::from(found.moves)];
        let limits = |nodes| SearchLimits {
            nodes,
            stop: self.stop,
        };
        let solved = self.solver.solve(&question, limits(nodes)).ok()?;
        let agrees = match &solved.decision {
            Decision::Mate(_) => found.mate,
            Decision::NoMate(_) => !found.mate,
            Decision::Undecided => false,
        };
        if !agrees {
            return None;
        }
        let most = MAX_NODES[usize::from(found.moves)];
        let (rules, decision) = (&problem.rules, &solved.decision);
        let limits = limits(self.plan.certificate_nodes[usize::from(found.moves)]);
        let certificate = certificate_of(rules, &question, decision, self.solver, limits, most);
        match certificate.as_ref().map(|one| one.check(MAX_REPLAYED)) {
            Some(Ok(checked)) if checked.mate == found.mate => {}
            Some(Ok(_)) => return None,
            Some(Err(CertificateError::Limit(_))) | None if found.moves >= SEARCHED_MOVES => {}
            Some(Err(_)) | None => return None,
        }
        Some(MadeProblem {
            problem,
            moves: found.moves,
            mate: found.mate,
            lone: found.lone,
            certificate,
        })
    }
}

fn fen(one: &Situation) -> String {
    one.fen(u32::from(one.quiet), 1)
}
