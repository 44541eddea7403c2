//! The search within one turn of the seat. There are several kinds of search, because refusals and
//! questions have different costs under different rulesets. To *solve* positions means to find one
//! policy that mates against all of them.

use std::rc::Rc;

use rules::{
    Obligation, Try, TryLimit, TurnState,
    chess::{Rank, Role},
};

use crate::policy::Policy;

use super::{
    beliefs::{Beliefs, Core, Item, chain, closure, split},
    code::Code,
};

impl Beliefs<'_> {
    /// Solves the positions `from` of a belief, in a turn that has this state.
    pub(super) fn turn(
        &mut self,
        items: &[Item],
        from: &[u32],
        moves: u8,
        turn: &TurnState,
    ) -> Result<Rc<Policy>, Core> {
        let terms = &self.ordinary.terms;
        if terms.law.try_limit == TryLimit::Three {
            return self.with_limit(items, from, moves, turn);
        }
        match terms.law.obligation {
            Obligation::None if terms.any_is_free() => self.with_free_any(items, from, moves),
            Obligation::None => self.freely(items, from, moves),
            Obligation::Try | Obligation::Make => self.with_obligation(items, from, moves, turn),
        }
    }

    /// Solves positions under rulesets in which Any? costs nothing. Any? is asked first.
    fn with_free_any(
        &mut self,
        items: &[Item],
        from: &[u32],
        moves: u8,
    ) -> Result<Rc<Policy>, Core> {
        let (yes, no) = split(items, from);
        if yes.is_empty() || no.is_empty() {
            return self.freely(items, from, moves);
        }
        let yes = self.freely(items, &yes, moves)?;
        let no = self.freely(items, &no, moves)?;
        Ok(Rc::new(Policy::Any {
            yes: Some(yes),
            no: Some(no),
        }))
    }

    /// Solves positions under rulesets that allow every attempt and where refusals cost nothing.
    fn freely(&mut self, items: &[Item], from: &[u32], moves: u8) -> Result<Rc<Policy>, Core> {
        let end = self.fixpoint(items, from, moves, |_| true)?;
        if end.left.is_empty() {
            return chain(end.steps, None).ok_or_else(Vec::new);
        }
        Err(closure(items, &end.left, &end.attempts))
    }

    /// Solves positions under rulesets with an obligation: the answer yes to Any? obliges the seat
    /// to try, or to make, a pawn capture.
    fn with_obligation(
        &mut self,
        items: &[Item],
        from: &[u32],
        moves: u8,
        turn: &TurnState,
    ) -> Result<Rc<Policy>, Core> {
        if turn.obliged {
            let policy = self.obliged(items, from, moves, turn)?;
            return policy.ok_or_else(|| from.to_vec());
        }
        let end = self.fixpoint(items, from, moves, |_| true)?;
        if end.left.is_empty() {
            return chain(end.steps, None).ok_or_else(Vec::new);
        }
        let (yes, no) = split(items, &end.left);
        if turn.asked || yes.is_empty() || no.is_empty() {
            // Any? cannot help: it was already asked, or its answer is the same in all positions.
            return Err(closure(items, &end.left, &end.attempts));
        }
        if self.ordinary.terms.law.obligation == Obligation::Make {
            let yes = self.obliged(items, &yes, moves, turn)?;
            let no = self.fixpoint(items, &no, moves, |_| true)?;
            if let Some(yes) = yes
                && no.left.is_empty()
            {
                let any = Policy::Any {
                    yes: Some(yes),
                    no: chain(no.steps, None),
                };
                return chain(end.steps, Some(Rc::new(any))).ok_or_else(Vec::new);
            }
            return Err(end.left);
        }
        for capture in captures(items, from, turn) {
            let end = self.fixpoint(items, from, moves, |code| code.pair() != capture.pair())?;
            let (yes, no) = split(items, &end.left);
            if yes.is_empty() || no.is_empty() {
                continue;
            }
            let no = self.fixpoint(items, &no, moves, |_| true)?;
            if !no.left.is_empty() {
                continue;
            }
            if let Some(yes) = self.try_capture(items, &yes, moves, capture)? {
                let any = Policy::Any {
                    yes: Some(yes),
                    no: chain(no.steps, None),
                };
                return chain(end.steps, Some(Rc::new(any))).ok_or_else(Vec::new);
            }
        }
        // The core is the whole set, because there could be a forced mate against a part of the
        // set. Example: against the whole set, a certain capture must be tried before Any? is
        // asked. So this capture cannot be reserved for the obligation. Against a part of the set,
        // the capture need not be tried before Any?. So it can be reserved for the obligation.
        Err(from.to_vec())
    }

    /// Solves positions where the seat is obliged to try, or to make, a pawn capture. Returns
    /// `None` if there is no policy. Fails only if a limit has ended the search.
    fn obliged(
        &mut self,
        items: &[Item],
        from: &[u32],
        moves: u8,
        turn: &TurnState,
    ) -> Result<Option<Rc<Policy>>, Core> {
        if self.ordinary.terms.law.obligation == Obligation::Make {
            let all = captures(items, from, &TurnState::default());
            let is_capture = |code: Code| all.iter().any(|one| one.pair() == code.pair());
            let end = self.fixpoint(items, from, moves, is_capture)?;
            return Ok(end
                .left
                .is_empty()
                .then(|| chain(end.steps, None))
                .flatten());
        }
        for capture in captures(items, from, turn) {
            if let Some(policy) = self.try_capture(items, from, moves, capture)? {
                return Ok(Some(policy));
            }
        }
        Ok(None)
    }

    /// Solves positions by trying this pawn capture first. After a refusal of the capture, the
    /// obligation is met, and every attempt is allowed again.
    fn try_capture(
        &mut self,
        items: &[Item],
        from: &[u32],
        moves: u8,
        capture: Code,
    ) -> Result<Option<Rc<Policy>>, Core> {
        for code in self.promotions_of(items, from, capture) {
            let what = code.what();
            let (legal, rest): (Vec<u32>, Vec<u32>) = from
                .iter()
                .copied()
                .partition(|i| items[*i as usize].position.is_legal(what));
            let branches = match self.accepted(items, &legal, what, moves) {
                Ok(branches) => branches,
                Err(_) if self.stopped() => return Err(Vec::new()),
                Err(_) => continue,
            };
            let end = self.fixpoint(items, &rest, moves, |_| true)?;
            if end.left.is_empty() {
                return Ok(Some(Rc::new(Policy::Try {
                    what,
                    branches,
                    refused: chain(end.steps, None),
                })));
            }
        }
        Ok(None)
    }

    /// Returns the variants of a pawn capture: one for each promotion role if it promotes,
    /// otherwise only the capture itself.
    fn promotions_of(&self, items: &[Item], from: &[u32], capture: Code) -> Vec<Code> {
        let Some(position) = from.first().map(|i| &items[*i as usize].position) else {
            return vec![capture];
        };
        let last = position.turn().relative_rank(Rank::Eighth);
        let Try::Step { from, to, .. } = capture.what() else {
            return vec![capture];
        };
        if to.rank() != last {
            return vec![capture];
        }
        let promoted = |role: &Role| {
            Code::of(Try::Step {
                from,
                to,
                promotion: Some(*role),
            })
        };
        self.ordinary
            .terms
            .promotions()
            .iter()
            .map(promoted)
            .collect()
    }

    /// Solves positions under rulesets with a limit: at most three different pawn captures may be
    /// refused in a turn.
    fn with_limit(
        &mut self,
        items: &[Item],
        from: &[u32],
        moves: u8,
        turn: &TurnState,
    ) -> Result<Rc<Policy>, Core> {
        let end = self.fixpoint(items, from, moves, |_| true)?;
        if !end.left.is_empty() {
            return Err(closure(items, &end.left, &end.attempts));
        }
        let most = 3usize.saturating_sub(usize::from(turn.pawn_captures_refused));
        let all = captures(items, from, turn);
        let is_capture = |code: Code| all.iter().any(|one| one.pair() == code.pair());
        let mut used: Vec<usize> = end
            .steps
            .iter()
            .map(|(what, _)| Code::of(*what))
            .filter(|code| is_capture(*code))
            .map(Code::pair)
            .collect();
        used.sort_unstable();
        used.dedup();
        if used.len() <= most {
            return chain(end.steps, None).ok_or_else(Vec::new);
        }
        let pairs: Vec<usize> = all.iter().map(|code| code.pair()).collect();
        for chosen in choices_of(&pairs, most) {
            let end = self.fixpoint(items, from, moves, |code| {
                !is_capture(code) || chosen.contains(&code.pair())
            })?;
            if end.left.is_empty() {
                return chain(end.steps, None).ok_or_else(Vec::new);
            }
        }
        Err(from.to_vec())
    }
}

/// Lists the pawn captures that the own men allow, except those that were refused in this turn.
/// A promotion is listed once, without the promotion role.
fn captures(items: &[Item], from: &[u32], turn: &TurnState) -> Vec<Code> {
    let Some(first) = from.first() else {
        return Vec::new();
    };
    let position = &items[*first as usize].position;
    let own = position.own(position.turn());
    let mut all = Vec::new();
    for at in own.men.pawn {
        for to in own.pawn_captures(at, own.all()) {
            let t = Try::step(at, to);
            if !turn.refused_tries.contains(t) {
                all.push(Code::of(t));
            }
        }
    }
    all
}

/// Lists all ways to choose exactly `most` of these values. If there are at most `most` values, the
/// only choice is all values.
fn choices_of(pairs: &[usize], most: usize) -> Vec<Vec<usize>> {
    if pairs.len() <= most {
        return vec![pairs.to_vec()];
    }
    if most == 0 {
        return vec![Vec::new()];
    }
    let (first, rest) = (pairs[0], &pairs[1..]);
    let mut all: Vec<Vec<usize>> = choices_of(rest, most - 1)
        .into_iter()
        .map(|mut chosen| {
            chosen.push(first);
            chosen
        })
        .collect();
    all.extend(choices_of(rest, most));
    all
}
