//! Ordinary mates: forced mates in a single position, as if the seat saw all men.
//!
//! If there is a forced mate against a belief, each position of the belief has an ordinary mate. So
//! most attempts can be refuted by a search of single positions, which is fast.

use position::Position;
use rules::chess::Role;

use super::{
    code::{Code, PAIRS, hash},
    mates::{Checks, each_legal, winning},
    table::{Table, TableEntry},
    terms::{State, Terms},
};

/// Number of nodes that the search examines between two tests of the limits.
const POLL: u64 = 1 << 12;
/// Maximum number of own moves of a mate.
pub(crate) const MAX_MOVES: usize = 32;

/// Limits on the work of one search.
#[derive(Clone, Copy)]
pub(crate) struct Budget<'a> {
    pub nodes: u64,
    pub stop: &'a dyn Fn() -> bool,
}

/// The search of single positions, with the results that it remembers.
pub(crate) struct Ordinary<'a> {
    pub terms: Terms,
    pub table: &'a mut Table,
    budget: Budget<'a>,
    /// Number of positions examined.
    pub nodes: u64,
    /// Whether a limit has ended the search. If so, all results are meaningless.
    pub stopped: bool,
    /// Score of each pair of origin and target square, by the index [`Code::pair`]. The score grows
    /// each time that a try with this pair is the first move of a mate. It grows more for a longer
    /// mate. Tries with high scores are examined first.
    good: Vec<u32>,
    /// For each pair of origin and target square, by the index [`Code::pair`]: how often a reply of
    /// this pair refuted a try.
    refutes: Vec<u32>,
    /// For each number of own moves left, the last two replies that refuted a try. These replies
    /// are tested first.
    killers: [[Code; 2]; MAX_MOVES + 1],
    /// The moves that the search still has to examine, in all positions of the current line of
    /// play. The upper 32 bits of an entry say how promising the move is.
    stack: Vec<u64>,
}

fn entry(rank: u32, code: Code) -> u64 {
    (u64::from(rank) << 32) | u64::from(code.0)
}

fn code_of(entry: u64) -> Code {
    Code(entry as u16)
}

impl<'a> Ordinary<'a> {
    pub(crate) fn new(terms: Terms, table: &'a mut Table, budget: Budget<'a>) -> Ordinary<'a> {
        Ordinary {
            terms,
            table,
            budget,
            nodes: 0,
            stopped: false,
            good: vec![0; PAIRS],
            refutes: vec![0; PAIRS],
            killers: [[Code(0); 2]; MAX_MOVES + 1],
            stack: Vec::new(),
        }
    }

    /// Counts an examined position.
    #[inline]
    pub(crate) fn tick(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL)
            && (self.nodes >= self.budget.nodes || (self.budget.stop)())
        {
            self.stopped = true;
        }
    }

    /// Returns whether the seat, which is to move, can mate within `moves` own moves. The result is
    /// meaningless if a limit has ended the search.
    pub(crate) fn mates(&mut self, p: &Position, moves: u8) -> bool {
        self.tick();
        if moves == 1 {
            return winning(&self.terms, p, |_| true);
        }
        let key = hash(p);
        let mut known = self.table.get(key);
        if known.mates <= moves {
            return true;
        }
        while known.fails < moves && !self.stopped {
            let depth = known.fails + 1;
            let found = if depth == 1 {
                let mut best = None;
                winning(&self.terms, p, |t| {
                    best = Some(Code::of(t));
                    true
                });
                best
            } else {
                self.search(p, depth, known.best)
            };
            if self.stopped {
                return false;
            }
            if let Some(best) = found {
                self.good[best.pair()] += 1 << depth.min(16);
                let best = TableEntry {
                    mates: depth,
                    best,
                    ..known
                };
                self.table.put(key, best);
                return true;
            }
            known.fails = depth;
        }
        self.table.put(key, known);
        false
    }

    /// Returns the first move of a mate that [`mates`](Ordinary::mates) found, if the table still
    /// contains it.
    pub(crate) fn best(&self, p: &Position) -> Option<Code> {
        let known = self.table.get(hash(p));
        (known.mates != u8::MAX).then_some(known.best)
    }

    /// Searches for a first move of a mate in `moves` own moves. There must be no shorter mate.
    fn search(&mut self, p: &Position, moves: u8, first: Code) -> Option<Code> {
        let base = self.stack.len();
        self.list_own(p, first);
        let mut found = None;
        for at in base..self.stack.len() {
            let code = code_of(self.stack[at]);
            let t = code.what();
            let mut after = *p;
            after.play_man(t, p.man_of(t), self.terms.drops);
            if self.forced(&after, moves) {
                found = Some(code);
                break;
            }
            if self.stopped {
                break;
            }
        }
        self.stack.truncate(base);
        found.filter(|_| !self.stopped)
    }

    /// Puts the seat's moves on the stack, the most promising first.
    fn list_own(&mut self, p: &Position, first: Code) {
        let base = self.stack.len();
        let Ordinary {
            terms, stack, good, ..
        } = self;
        let checks = Checks::of(p);
        each_legal(terms, p, |t, role| {
            let code = Code::of(t);
            let check = match t.from() {
                Some(from) => checks.targets(role, from).contains(t.to()),
                None => checks.direct(role).contains(t.to()),
            };
            let mut rank = (good[code.pair()] >> 4).min(1 << 28) + 1;
            if check {
                rank += rank / 2 + 64;
            }
            if code == first {
                rank = u32::MAX;
            }
            stack.push(entry(rank, code));
            false
        });
        stack[base..].sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Returns whether the seat can mate within `moves` own moves, if the move that led to `after`
    /// is the first of them.
    pub(crate) fn forced(&mut self, after: &Position, moves: u8) -> bool {
        let seen = after.seen();
        match self.terms.after_own(after, &seen) {
            State::Won => return true,
            State::Failed => return false,
            State::Open => {}
        }
        if moves <= 1 || self.terms.can_exhaust(after) {
            return false;
        }
        for code in self.killers[usize::from(moves)] {
            if code != Code(0) && after.is_legal(code.what()) && !self.answered(after, code, moves)
            {
                return false;
            }
        }
        let base = self.stack.len();
        self.list_replies(after);
        let killers = self.killers[usize::from(moves)];
        let mut holds = true;
        for at in base..self.stack.len() {
            let code = code_of(self.stack[at]);
            if killers.contains(&code) {
                continue;
            }
            if self.stopped || !self.answered(after, code, moves) {
                holds = false;
                break;
            }
        }
        self.stack.truncate(base);
        holds
    }

    /// Puts the opponent's moves on the stack, the most dangerous first.
    pub(crate) fn list_replies(&mut self, after: &Position) {
        let base = self.stack.len();
        let Ordinary {
            terms,
            stack,
            refutes,
            ..
        } = self;
        let own = after.side(after.turn().other());
        each_legal(terms, after, |t, role| {
            let code = Code::of(t);
            let mut rank = refutes[code.pair()];
            if own.contains(t.to()) {
                rank += 1 << 20;
            }
            rank += u32::from(role == Role::King);
            stack.push(entry(rank, code));
            false
        });
        stack[base..].sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Returns whether the seat can still mate after this legal reply. `moves` includes the own
    /// move before the reply.
    fn answered(&mut self, after: &Position, reply: Code, moves: u8) -> bool {
        let t = reply.what();
        let mut next = *after;
        next.play_man(t, after.man_of(t), self.terms.drops);
        if next.passed().is_some() {
            next.forget_idle_en_passant();
        }
        if !self.terms.fails_after_reply(&next) && self.mates(&next, moves - 1) {
            return true;
        }
        if !self.stopped {
            self.note_refutation(reply, moves);
        }
        false
    }

    /// Remembers a reply that refuted a try.
    pub(crate) fn note_refutation(&mut self, reply: Code, moves: u8) {
        self.refutes[reply.pair()] += 1;
        let killers = &mut self.killers[usize::from(moves)];
        if killers[0] != reply {
            *killers = [reply, killers[0]];
        }
    }

    /// Removes the moves above `base` from the stack and returns them.
    pub(crate) fn listed(&mut self, base: usize) -> Vec<Code> {
        let codes = self.stack[base..].iter().map(|one| code_of(*one)).collect();
        self.stack.truncate(base);
        codes
    }

    /// Returns the length of the stack.
    pub(crate) fn base(&self) -> usize {
        self.stack.len()
    }
}
