//! The search over beliefs.
//!
//! A belief is *solved* if one policy mates against all its positions. Then each part of this
//! belief is solved too. An attempt is *good* if it leads to solved beliefs in all positions where
//! it is accepted. The search may play any good attempt. It then continues with the positions where
//! this attempt is refused. If a refused attempt costs nothing, the order of the good attempts does
//! not matter: after all of them, the same positions are left ([`Beliefs::fixpoint`]).
//!
//! If a refused attempt has a cost, the search first chooses which attempts to reserve for later.
//! Then it uses the same fixpoint:
//!
//! - If Any? leads to an obligation to *make* a pawn capture, Any? is asked last.
//! - If Any? leads to an obligation to *try* a pawn capture, Any? is asked last too, and one pawn
//!   capture is reserved for the obligation.
//! - If at most three pawn captures may be refused, the search chooses which pawn captures to use.

use std::{collections::HashMap, rc::Rc};

use belief::Report;
use position::Position;
use rules::{Try, TurnState};

use crate::policy::{Branch, Policy};

use super::{
    code::{Code, PAIRS, hash},
    mates::{each_legal, winning},
    ordinary::Ordinary,
    terms::State,
};

/// A position, its hash, and its origin.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Item {
    pub position: Position,
    pub hash: u64,
    /// Index of the position before the seat's attempt and the opponent's reply.
    pub origin: u32,
    /// The opponent's reply that led here.
    pub reply: Code,
}

impl Item {
    pub(crate) fn new(position: Position, origin: u32, reply: Code) -> Item {
        Item {
            position,
            hash: hash(&position),
            origin,
            reply,
        }
    }
}

/// Some positions of a belief, which prove that there is no forced mate: even against these
/// positions alone, no policy mates. The numbers are indices into the belief. Empty if a limit has
/// ended the search.
pub(crate) type Core = Vec<u32>;

/// Results that are remembered for one belief.
#[derive(Clone, Debug, Default)]
struct Remembered {
    /// Among the policies found so far, the policy with the fewest own moves, and this number.
    solved: Option<(u8, Rc<Policy>)>,
    /// A number of own moves, and the hashes of the positions of a core. The core proves that no
    /// policy mates within this number of own moves. The number is the greatest for which such a
    /// core is known.
    failed: Option<(u8, Vec<u64>)>,
}

/// Number of positions that are tested before the whole belief is searched. If one of these
/// positions alone has no forced mate, there is no forced mate against the belief.
const FIRST_TESTED: usize = 4;
/// Greatest number of beliefs that are remembered.
const MAX_BELIEFS: usize = 1 << 18;

/// The search over beliefs.
pub(crate) struct Beliefs<'a> {
    pub ordinary: Ordinary<'a>,
    remembered: HashMap<(u64, u64), Remembered>,
    /// Number of beliefs examined.
    pub beliefs: u64,
    /// For each index [`Code::pair`], the number of positions where a good attempt with this index
    /// was legal. Attempts with high numbers are examined first.
    useful: Vec<u32>,
    /// Temporary numbers: for each try, the number of positions in which it is legal. All numbers
    /// are 0 between two uses.
    counts: Vec<u32>,
}

/// Positions with the seat to move, after a reply of the opponent. The seat cannot distinguish
/// these positions, because it has heard the same in all of them.
pub(crate) struct Group {
    own: Report,
    reply: Report,
    pub items: Vec<Item>,
}

/// Result of a search for good attempts.
pub(super) struct Fixpoint {
    /// The good attempts, in order.
    pub(super) steps: Vec<(Try, Vec<Branch>)>,
    /// The positions where all good attempts are refused.
    pub(super) left: Vec<u32>,
    pub(super) attempts: Vec<Attempt>,
}

/// An attempt that is legal in some position of a belief.
pub(super) struct Attempt {
    code: Code,
    /// The reason why the attempt is not good: some positions where it is legal but does not lead
    /// to solved beliefs. Empty if the attempt was not examined.
    core: Core,
}

/// Sorts a belief and removes repeated positions.
pub(crate) fn merge(items: &mut Vec<Item>) {
    items.sort_unstable_by_key(|item| (item.hash, item.origin));
    items.dedup_by(|a, b| a.hash == b.hash && a.position == b.position);
}

pub(crate) fn key(items: &[Item]) -> (u64, u64) {
    items.iter().fold((items.len() as u64, 0), |(a, b), item| {
        let mixed = (item.hash ^ (item.hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (
            a.wrapping_add(item.hash),
            b.wrapping_add(mixed ^ (mixed >> 32)),
        )
    })
}

impl<'a> Beliefs<'a> {
    pub(crate) fn new(ordinary: Ordinary<'a>) -> Beliefs<'a> {
        Beliefs {
            ordinary,
            remembered: HashMap::new(),
            beliefs: 0,
            useful: vec![0; PAIRS],
            counts: vec![0; 1 << 16],
        }
    }

    pub(super) fn stopped(&self) -> bool {
        self.ordinary.stopped
    }

    /// Solves the first belief of a search, in a turn that has this state.
    pub(crate) fn solve_first(
        &mut self,
        items: &[Item],
        moves: u8,
        turn: &TurnState,
    ) -> Result<Rc<Policy>, Core> {
        let cost = self.ordinary.terms.refusals_cost();
        let fresh = !turn.asked && !turn.obliged && turn.pawn_captures_refused == 0;
        if !cost || fresh {
            return self.solve(items, moves);
        }
        let all: Vec<u32> = (0..items.len() as u32).collect();
        let mut core = Vec::new();
        for depth in 1..=moves {
            match self.turn(items, &all, depth, turn) {
                Ok(policy) => return Ok(policy),
                Err(found) => core = found,
            }
            if self.stopped() {
                return Err(Vec::new());
            }
        }
        Err(core)
    }

    /// Returns the good tries, sorted.
    pub(crate) fn first_tries(&mut self, items: &[Item], moves: u8) -> Vec<Try> {
        let all: Vec<u32> = (0..items.len() as u32).collect();
        let mut good = Vec::new();
        for attempt in self.attempts(items, &all) {
            let t = attempt.code.what();
            let legal: Vec<u32> = all
                .iter()
                .copied()
                .filter(|i| items[*i as usize].position.is_legal(t))
                .collect();
            if self.accepted(items, &legal, t, moves).is_ok() && !self.stopped() {
                good.push(t);
            }
        }
        good.sort_unstable();
        good
    }

    /// Solves a belief with the seat to move. Returns a policy that mates within `moves` own moves
    /// against each position. If there is none, returns a core: no policy mates within `moves` own
    /// moves against all its positions.
    pub(crate) fn solve(&mut self, items: &[Item], moves: u8) -> Result<Rc<Policy>, Core> {
        self.beliefs += 1;
        let cost = self.ordinary.terms.refusals_cost();
        if moves == 1 && !cost {
            let wins = self.winning(items)?;
            return self.solve_one(items, &wins);
        }
        let key = key(items);
        let mut failed = 0;
        if let Some(known) = self.remembered.get(&key) {
            if let Some((n, policy)) = &known.solved
                && *n <= moves
            {
                return Ok(Rc::clone(policy));
            }
            if let Some((n, core)) = &known.failed {
                if *n >= moves {
                    let index = |h: &u64| items.iter().position(|item| item.hash == *h);
                    return Err(core.iter().filter_map(index).map(|i| i as u32).collect());
                }
                failed = *n;
            }
        }
        let mut core = Vec::new();
        for depth in failed + 1..=moves {
            match self.solve_within(items, depth) {
                Ok(policy) => {
                    self.remember(key, |known| {
                        known.solved = Some((depth, Rc::clone(&policy)));
                    });
                    return Ok(policy);
                }
                Err(found) => core = found,
            }
            if self.stopped() {
                return Err(Vec::new());
            }
        }
        let hashes = core.iter().map(|i| items[*i as usize].hash).collect();
        self.remember(key, |known| known.failed = Some((moves, hashes)));
        Err(core)
    }

    fn remember(&mut self, key: (u64, u64), change: impl FnOnce(&mut Remembered)) {
        if self.remembered.len() >= MAX_BELIEFS {
            self.remembered.clear();
        }
        change(self.remembered.entry(key).or_default());
    }

    /// Solves a belief within `moves` own moves. There must be no solution with fewer own moves.
    fn solve_within(&mut self, items: &[Item], moves: u8) -> Result<Rc<Policy>, Core> {
        if moves == 1 {
            let wins = self.winning(items)?;
            if !self.ordinary.terms.refusals_cost() {
                return self.solve_one(items, &wins);
            }
        }
        if moves > 2 {
            for (i, item) in items.iter().enumerate().take(FIRST_TESTED) {
                if !self.ordinary.mates(&item.position, moves) {
                    return Err(if self.stopped() {
                        Vec::new()
                    } else {
                        vec![i as u32]
                    });
                }
            }
        }
        let all: Vec<u32> = (0..items.len() as u32).collect();
        self.turn(items, &all, moves, &TurnState::default())
    }

    /// Plays good attempts until no position is left or no attempt is good. Uses only attempts for
    /// which `allowed` returns true. Fails only if a limit has ended the search.
    pub(super) fn fixpoint(
        &mut self,
        items: &[Item],
        from: &[u32],
        moves: u8,
        allowed: impl Fn(Code) -> bool,
    ) -> Result<Fixpoint, Core> {
        let mut left: Vec<u32> = from.to_vec();
        let mut inside = vec![false; items.len()];
        for i in &left {
            inside[*i as usize] = true;
        }
        let mut attempts = self.attempts(items, &left);
        attempts.retain(|attempt| allowed(attempt.code));
        let mut steps: Vec<(Try, Vec<Branch>)> = Vec::new();
        let mut progress = !left.is_empty();
        while progress {
            progress = false;
            for attempt in &mut attempts {
                let refuted =
                    !attempt.core.is_empty() && attempt.core.iter().all(|i| inside[*i as usize]);
                if refuted {
                    continue;
                }
                let t = attempt.code.what();
                let legal: Vec<u32> = left
                    .iter()
                    .copied()
                    .filter(|i| items[*i as usize].position.is_legal(t))
                    .collect();
                if legal.is_empty() {
                    continue;
                }
                match self.accepted(items, &legal, t, moves) {
                    Ok(branches) => {
                        self.useful[attempt.code.pair()] += legal.len() as u32;
                        steps.push((t, branches));
                        for i in &legal {
                            inside[*i as usize] = false;
                        }
                        left.retain(|i| inside[*i as usize]);
                        progress = !left.is_empty();
                        break;
                    }
                    Err(core) => {
                        if self.stopped() {
                            return Err(Vec::new());
                        }
                        // The position that refuted this attempt often refutes the next attempt
                        // too, so it is tested first.
                        if let [one] = core[..]
                            && let Some(at) = left.iter().position(|i| *i == one)
                        {
                            left[..=at].rotate_right(1);
                        }
                        attempt.core = core;
                    }
                }
            }
        }
        Ok(Fixpoint {
            steps,
            left,
            attempts,
        })
    }

    /// Lists the attempts that are legal in at least one position, the most promising first.
    fn attempts(&mut self, items: &[Item], of: &[u32]) -> Vec<Attempt> {
        let mut seen: Vec<u16> = Vec::new();
        let counts = &mut self.counts;
        for i in of {
            each_legal(
                &self.ordinary.terms,
                &items[*i as usize].position,
                |t, _| {
                    let code = Code::of(t).0;
                    let count = &mut counts[usize::from(code)];
                    if *count == 0 {
                        seen.push(code);
                    }
                    *count += 1;
                    false
                },
            );
        }
        let first = of
            .first()
            .and_then(|i| self.ordinary.best(&items[*i as usize].position));
        let mut codes: Vec<(u64, Code)> = seen
            .into_iter()
            .map(|code| {
                let count = std::mem::take(&mut self.counts[usize::from(code)]);
                let code = Code(code);
                let known = u64::from(first == Some(code)) << 40;
                let useful = u64::from(self.useful[code.pair()]) << 8;
                (known + useful + u64::from(count), code)
            })
            .collect();
        codes.sort_unstable_by(|a, b| b.cmp(a));
        codes
            .into_iter()
            .map(|(_, code)| Attempt {
                code,
                core: Vec::new(),
            })
            .collect()
    }

    /// Solves the beliefs to which an attempt leads if it is accepted. The attempt must be legal in
    /// each of the positions `legal`.
    pub(super) fn accepted(
        &mut self,
        items: &[Item],
        legal: &[u32],
        t: Try,
        moves: u8,
    ) -> Result<Vec<Branch>, Core> {
        let fused = moves == 2 && !self.ordinary.terms.refusals_cost();
        let mut groups: Vec<Group> = Vec::new();
        let mut wins: Vec<Vec<Vec<Code>>> = Vec::new();
        for i in legal {
            self.replies(
                &items[*i as usize].position,
                *i,
                t,
                moves,
                &mut groups,
                &mut wins,
            )?;
        }
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_key(|g| std::cmp::Reverse(groups[*g].items.len()));
        let mut branches = Vec::with_capacity(groups.len());
        for g in order {
            let group = &mut groups[g];
            let found = if fused {
                self.beliefs += 1;
                self.solve_one(&group.items, &wins[g])
            } else {
                merge(&mut group.items);
                self.solve(&group.items, moves - 1)
            };
            match found {
                Ok(next) => branches.push(Branch {
                    own: group.own,
                    reply: group.reply,
                    next,
                }),
                Err(core) => {
                    let mut core: Core = core
                        .iter()
                        .map(|i| group.items[*i as usize].origin)
                        .collect();
                    core.sort_unstable();
                    core.dedup();
                    return Err(core);
                }
            }
        }
        Ok(branches)
    }

    /// For each reply to the attempt, adds the position after the reply to one of the groups. If
    /// `moves` is 2, also adds the tries that win at once in this position to `wins`. Fails if one
    /// of these positions alone has no forced mate even for a seat that sees all men. Also fails if
    /// the game can end without a win of the seat before a reply, or if no own move is left.
    pub(crate) fn replies(
        &mut self,
        position: &Position,
        origin: u32,
        t: Try,
        moves: u8,
        groups: &mut Vec<Group>,
        wins: &mut Vec<Vec<Vec<Code>>>,
    ) -> Result<(), Core> {
        let drops = self.ordinary.terms.drops;
        let mut after = *position;
        let taken = after.play_man(t, position.man_of(t), drops);
        let seen = after.seen();
        match self.ordinary.terms.after_own(&after, &seen) {
            State::Won => return Ok(()),
            State::Failed => return Err(vec![origin]),
            State::Open => {}
        }
        if moves <= 1 || self.ordinary.terms.can_exhaust(&after) {
            return Err(vec![origin]);
        }
        let own = self.ordinary.terms.report(t, taken, &after, &seen);
        let base = self.ordinary.base();
        self.ordinary.list_replies(&after);
        for code in self.ordinary.listed(base) {
            let reply = code.what();
            let mut next = after;
            let taken = next.play_man(reply, after.man_of(reply), drops);
            if next.passed().is_some() {
                next.forget_idle_en_passant();
            }
            let mut winning_tries = Vec::new();
            let holds = !self.ordinary.terms.fails_after_reply(&next)
                && if moves == 2 {
                    self.ordinary.tick();
                    winning(&self.ordinary.terms, &next, |t| {
                        winning_tries.push(Code::of(t));
                        false
                    });
                    !winning_tries.is_empty()
                } else {
                    self.ordinary.mates(&next, moves - 1)
                };
            if !holds {
                if !self.stopped() {
                    self.ordinary.note_refutation(code, moves);
                }
                return Err(vec![origin]);
            }
            let heard = self
                .ordinary
                .terms
                .report(reply, taken, &next, &next.seen());
            let at = groups
                .iter()
                .position(|group| group.reply == heard && group.own == own);
            let at = at.unwrap_or_else(|| {
                groups.push(Group {
                    own,
                    reply: heard,
                    items: Vec::new(),
                });
                wins.push(Vec::new());
                groups.len() - 1
            });
            groups[at].items.push(Item::new(next, origin, code));
            if moves == 2 {
                wins[at].push(winning_tries);
            }
        }
        Ok(())
    }

    /// Finds the tries that win at once in each position. Fails if a position has no such try.
    fn winning(&mut self, items: &[Item]) -> Result<Vec<Vec<Code>>, Core> {
        let mut all = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            self.ordinary.tick();
            let mut codes = Vec::new();
            winning(&self.ordinary.terms, &item.position, |t| {
                codes.push(Code::of(t));
                false
            });
            if codes.is_empty() {
                return Err(vec![i as u32]);
            }
            all.push(codes);
        }
        Ok(all)
    }

    /// Solves a belief in one own move. `wins` contains the tries that win at once in each
    /// position.
    fn solve_one(&mut self, items: &[Item], wins: &[Vec<Code>]) -> Result<Rc<Policy>, Core> {
        if self.ordinary.terms.any_is_free() {
            let all: Vec<u32> = (0..items.len() as u32).collect();
            let (yes, no) = split(items, &all);
            if !yes.is_empty() && !no.is_empty() {
                let yes = Some(self.one_by_one(items, wins, yes)?);
                let no = Some(self.one_by_one(items, wins, no)?);
                return Ok(Rc::new(Policy::Any { yes, no }));
            }
        }
        self.one_by_one(items, wins, (0..items.len() as u32).collect())
    }

    fn one_by_one(
        &mut self,
        items: &[Item],
        wins: &[Vec<Code>],
        mut left: Vec<u32>,
    ) -> Result<Rc<Policy>, Core> {
        let mut candidates: Vec<(u32, Code)> = Vec::new();
        for i in &left {
            for code in &wins[*i as usize] {
                match candidates.iter_mut().find(|(_, other)| other == code) {
                    Some((count, _)) => *count += 1,
                    None => candidates.push((1, *code)),
                }
            }
        }
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        let mut steps = Vec::new();
        let mut refuters: Vec<Option<u32>> = vec![None; candidates.len()];
        while !left.is_empty() {
            let mut progress = false;
            for (c, (_, code)) in candidates.iter().enumerate() {
                if refuters[c].is_some_and(|i| left.contains(&i)) {
                    continue;
                }
                let t = code.what();
                let wins_in = |i: &u32| wins[*i as usize].contains(code);
                let refuter = left
                    .iter()
                    .find(|i| !wins_in(i) && items[**i as usize].position.is_legal(t));
                refuters[c] = refuter.copied();
                if refuter.is_some() || !left.iter().any(wins_in) {
                    continue;
                }
                left.retain(|i| !wins_in(i));
                steps.push((t, Vec::new()));
                progress = true;
            }
            if !progress {
                return Err(left);
            }
        }
        chain(steps, None).ok_or_else(Vec::new)
    }
}

/// Splits positions by the answer to Any?. Returns first the positions with the answer yes, then
/// the positions with the answer no.
pub(super) fn split(items: &[Item], from: &[u32]) -> (Vec<u32>, Vec<u32>) {
    from.iter()
        .partition(|i| items[**i as usize].position.pawn_tries().count > 0)
}

/// Returns a policy that makes these attempts in order, and then follows `after`. Returns `None` if
/// there are no attempts and `after` is `None`.
pub(super) fn chain(
    steps: Vec<(Try, Vec<Branch>)>,
    after: Option<Rc<Policy>>,
) -> Option<Rc<Policy>> {
    let mut policy = after;
    for (what, branches) in steps.into_iter().rev() {
        policy = Some(Rc::new(Policy::Try {
            what,
            branches,
            refused: policy,
        }));
    }
    policy
}

/// Returns a small part of the positions `left`. The part is chosen so that it contains a
/// refutation of each attempt that is legal in one of its positions.
pub(super) fn closure(items: &[Item], left: &[u32], attempts: &[Attempt]) -> Core {
    let Some(first) = left.first() else {
        return Vec::new();
    };
    let mut core = vec![*first];
    let mut at = 0;
    while at < core.len() {
        let position = &items[core[at] as usize].position;
        for attempt in attempts {
            if attempt.core.iter().all(|i| core.contains(i)) && !attempt.core.is_empty() {
                continue;
            }
            if position.is_legal(attempt.code.what()) {
                for i in &attempt.core {
                    if !core.contains(i) {
                        core.push(*i);
                    }
                }
            }
        }
        at += 1;
    }
    core
}
