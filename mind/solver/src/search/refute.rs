//! Makes the refutation of a belief against which no mate can be forced. A refutation has, for each
//! attempt, the replies that refute it.

use std::collections::HashMap;

use rules::{Obligation, PawnTries, Try, TryLimit, TurnState, chess::Role};

use crate::refutation::{RefutedAttempt, RefutedNode};

use super::{
    beliefs::{Beliefs, Core, Item, key, merge, split},
    code::Code,
    mates::each_legal,
    terms::State,
};

/// Makes the graph of refutations. Each node of the graph refutes all attempts in some positions.
pub(crate) struct Writer<'s, 'a> {
    search: &'s mut Beliefs<'a>,
    nodes: Vec<WrittenNode>,
    numbers: HashMap<(u64, u64, u8, TurnPart), usize>,
    most: usize,
}

/// A node, and two numbers that decide its place in the order of nodes.
struct WrittenNode {
    /// Number of own moves left.
    moves: u8,
    /// Number of refused attempts and questions in the turn before this node.
    depth: usize,
    node: RefutedNode,
}

/// What has happened in a turn and can restrict the next attempts of the turn. If refusals cost
/// nothing under the ruleset, the value is always the default.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default)]
struct TurnPart {
    asked: bool,
    obliged: bool,
    /// The pawn captures that were refused.
    refused: Vec<Try>,
    /// Number of refused attempts and questions.
    depth: usize,
}

/// A refutation of an attempt.
enum Found {
    /// In this position, the game ends without a reply, and the seat does not win. Either the
    /// attempt ends the game, or the opponent can end it by three refused pawn captures.
    Itself(u32),
    /// In this position, this reply of the opponent ends the game, and the seat does not win.
    Reply(u32, Code),
    /// The seat cannot mate against these positions. They are positions after replies of the
    /// opponent, and the seat hears the same about all these replies.
    Core(Vec<Item>),
}

impl<'s, 'a> Writer<'s, 'a> {
    /// Creates a writer. `most` is the maximum number of nodes.
    pub(crate) fn new(search: &'s mut Beliefs<'a>, most: usize) -> Writer<'s, 'a> {
        Writer {
            search,
            nodes: Vec::new(),
            numbers: HashMap::new(),
            most,
        }
    }

    /// Refutes every attempt in these positions. There must be no forced mate in `moves` own moves
    /// against all of them. Returns the nodes, or `None` if a limit ended the search or there would
    /// be too many nodes.
    pub(crate) fn write(mut self, core: &[Item], moves: u8) -> Option<Vec<RefutedNode>> {
        self.begin(core, moves)?;
        // A node leads only to nodes with fewer own moves, or to later nodes of the same turn. The
        // nodes are sorted so that each node comes before the nodes to which it leads.
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|i| {
            let node = &self.nodes[*i];
            (std::cmp::Reverse(node.moves), node.depth)
        });
        let mut places = vec![0; order.len()];
        for (place, node) in order.iter().enumerate() {
            places[*node] = place;
        }
        let mut nodes: Vec<Option<RefutedNode>> =
            self.nodes.into_iter().map(|one| Some(one.node)).collect();
        Some(
            order
                .into_iter()
                .filter_map(|i| nodes[i].take())
                .map(|mut node| {
                    for attempt in &mut node.attempts {
                        attempt.to = attempt.to.map(|to| places[to]);
                        attempt.rest = attempt.rest.map(|rest| places[rest]);
                    }
                    if let Some((_, node)) = &mut node.any {
                        *node = places[*node];
                    }
                    node
                })
                .collect(),
        )
    }

    /// Writes the node for the beginning of a turn.
    fn begin(&mut self, items: &[Item], moves: u8) -> Option<usize> {
        if self.search.ordinary.terms.refusals_cost() {
            self.node_of_turn(items, moves, &TurnPart::default())
        } else {
            self.node(items, moves)
        }
    }

    /// Returns the number of the node for these positions, and whether the node is new. Returns
    /// `None` if there are too many nodes, or if a limit has ended the search.
    fn number(&mut self, items: &[Item], moves: u8, turn: &TurnPart) -> Option<(usize, bool)> {
        let (a, b) = key(items);
        let key = (a, b, moves, turn.clone());
        if let Some(number) = self.numbers.get(&key) {
            return Some((*number, false));
        }
        let number = self.nodes.len();
        if number >= self.most || self.search.ordinary.stopped {
            return None;
        }
        self.numbers.insert(key, number);
        self.nodes.push(WrittenNode {
            moves,
            depth: turn.depth,
            node: RefutedNode::default(),
        });
        Some((number, true))
    }

    fn node(&mut self, items: &[Item], moves: u8) -> Option<usize> {
        // If Any? can be asked, the positions of a node must all give the same answer.
        if self.search.ordinary.terms.law.pawn_tries == PawnTries::OnRequest {
            let all: Vec<u32> = (0..items.len() as u32).collect();
            let (yes, no) = split(items, &all);
            if !yes.is_empty() && !no.is_empty() {
                return None;
            }
        }
        let (number, is_new) = self.number(items, moves, &TurnPart::default())?;
        if !is_new || moves == 1 {
            return Some(number);
        }
        let tries = self.legal_tries(items);
        let mut attempts = Vec::new();
        for what in tries {
            let found = self.refutation(items, what, moves)?;
            attempts.push(self.listed(what, found, moves)?);
        }
        self.nodes[number].node.attempts = attempts;
        Some(number)
    }

    /// Lists the tries that are legal in at least one position.
    fn legal_tries(&self, items: &[Item]) -> Vec<Try> {
        let mut tries: Vec<Try> = Vec::new();
        for item in items {
            each_legal(&self.search.ordinary.terms, &item.position, |t, _| {
                if !tries.contains(&t) {
                    tries.push(t);
                }
                false
            });
        }
        tries
    }

    /// Writes the refutation of an attempt, and the node to which it leads.
    fn listed(&mut self, what: Try, found: Found, moves: u8) -> Option<RefutedAttempt> {
        let place = |item: &Item| (item.origin as usize, Some(item.reply.what()));
        let (by, to) = match found {
            Found::Itself(i) => (vec![(i as usize, None)], None),
            Found::Reply(i, reply) => (vec![(i as usize, Some(reply.what()))], None),
            Found::Core(core) => (
                core.iter().map(place).collect(),
                Some(self.begin(&core, moves - 1)?),
            ),
        };
        Some(RefutedAttempt {
            what,
            by,
            to,
            rest: None,
        })
    }

    /// Refutes every attempt and the question Any? in these positions. This function is used under
    /// rulesets in which refusals and the question can have a cost. `turn` is what has already
    /// happened in the turn. After that, there must be no forced mate.
    fn node_of_turn(&mut self, items: &[Item], moves: u8, turn: &TurnPart) -> Option<usize> {
        let (number, is_new) = self.number(items, moves, turn)?;
        if !is_new {
            return Some(number);
        }
        let mut attempts = Vec::new();
        for what in self.tries_of_turn(items, turn) {
            let legal = |item: &Item| item.position.is_legal(what);
            let fails = |item: &Item| {
                let mut after = item.position;
                let role = item.position.man_of(what);
                after.play_man(what, role, self.search.ordinary.terms.drops);
                let state = self.search.ordinary.terms.after_own(&after, &after.seen());
                state != State::Won
            };
            if moves == 1 && items.iter().any(|item| legal(item) && fails(item)) {
                continue;
            }
            if moves > 1 && items.iter().any(legal) {
                if let Some(found) = self.refutation(items, what, moves) {
                    attempts.push(self.listed(what, found, moves)?);
                    continue;
                }
                if self.search.ordinary.stopped {
                    return None;
                }
            }
            // The attempt leads to a mate in all positions where it is accepted. So there is no
            // mate against the positions where it is refused. These positions refute the attempt.
            let refused: Vec<u32> = (0..items.len() as u32)
                .filter(|i| !legal(&items[*i as usize]))
                .collect();
            let mut then = turn.clone();
            then.depth += 1;
            if is_pawn_capture(items, what) {
                then.refused.push(what);
                then.refused.sort_unstable();
                then.obliged &= self.search.ordinary.terms.law.obligation == Obligation::Make;
            }
            let (by, rest) = self.rest(items, &refused, moves, &then)?;
            attempts.push(RefutedAttempt {
                what,
                by: by.into_iter().map(|i| (i, None)).collect(),
                to: None,
                rest: Some(rest),
            });
        }
        let all: Vec<u32> = (0..items.len() as u32).collect();
        let (yes, no) = split(items, &all);
        let asks = self.search.ordinary.terms.law.pawn_tries == PawnTries::OnRequest
            && !turn.asked
            && !yes.is_empty()
            && !no.is_empty();
        if asks {
            let answered = |obliged| TurnPart {
                asked: true,
                obliged,
                depth: turn.depth + 1,
                refused: turn.refused.clone(),
            };
            let obliges = self.search.ordinary.terms.law.obligation != Obligation::None;
            let found = self
                .rest(items, &no, moves, &answered(false))
                .or_else(|| self.rest(items, &yes, moves, &answered(obliges)));
            self.nodes[number].node.any = Some(found?);
        }
        self.nodes[number].node.attempts = attempts;
        Some(number)
    }

    /// Finds a core among the positions `from`: no policy that continues this turn mates against
    /// all positions of the core. `turn` is what has already happened in the turn. Returns the
    /// indices of the positions of the core, and the node for them. Returns `None` if there is a
    /// mate, or if a limit ended the search.
    fn rest(
        &mut self,
        items: &[Item],
        from: &[u32],
        moves: u8,
        turn: &TurnPart,
    ) -> Option<(Vec<usize>, usize)> {
        let mut state = TurnState {
            asked: turn.asked,
            obliged: turn.obliged,
            pawn_captures_refused: turn.refused.len().try_into().unwrap_or(u8::MAX),
            ..TurnState::default()
        };
        for t in &turn.refused {
            state.refused_tries.add(*t);
        }
        if from.is_empty() {
            return None;
        }
        let Err(mut core) = self.search.turn(items, from, moves, &state) else {
            return None;
        };
        if core.is_empty() || self.search.ordinary.stopped {
            return None;
        }
        core.sort_unstable();
        core.dedup();
        let part: Vec<Item> = core.iter().map(|i| items[*i as usize]).collect();
        let node = self.node_of_turn(&part, moves, turn)?;
        Some((core.iter().map(|i| *i as usize).collect(), node))
    }

    /// Lists the attempts that are allowed after what has happened in `turn`. An attempt is listed
    /// if it is legal in at least one position, or if it meets an obligation.
    fn tries_of_turn(&self, items: &[Item], turn: &TurnPart) -> Vec<Try> {
        let mut tries = self.legal_tries(items);
        let choices = &self.search.ordinary.terms.law;
        if turn.obliged && choices.obligation == Obligation::Try {
            for capture in self.imaginable_captures(items) {
                if !tries.contains(&capture) {
                    tries.push(capture);
                }
            }
        }
        let spent = choices.try_limit == TryLimit::Three && turn.refused.len() >= 3;
        tries.retain(|t| {
            let capture = is_pawn_capture(items, *t);
            let allowed = if capture { !spent } else { !turn.obliged };
            allowed && !turn.refused.contains(t)
        });
        tries
    }

    /// Lists the pawn captures that the own men allow. A capture that promotes is listed once for
    /// each promotion role.
    fn imaginable_captures(&self, items: &[Item]) -> Vec<Try> {
        let Some(first) = items.first() else {
            return Vec::new();
        };
        let own = first.position.own(first.position.turn());
        let last = first
            .position
            .turn()
            .relative_rank(rules::chess::Rank::Eighth);
        let mut all = Vec::new();
        for from in own.men.pawn {
            for to in own.pawn_captures(from, own.all()) {
                if to.rank() == last {
                    let roles = self.search.ordinary.terms.promotions().iter();
                    all.extend(roles.map(|role| Try::Step {
                        from,
                        to,
                        promotion: Some(*role),
                    }));
                } else {
                    all.push(Try::step(from, to));
                }
            }
        }
        all
    }

    /// Finds a refutation of an attempt. The origins of the items in the result are indices into
    /// `items`.
    fn refutation(&mut self, items: &[Item], what: Try, moves: u8) -> Option<Found> {
        let drops = self.search.ordinary.terms.drops;
        let legal: Vec<u32> = (0..items.len() as u32)
            .filter(|i| items[*i as usize].position.is_legal(what))
            .collect();
        for i in &legal {
            let position = &items[*i as usize].position;
            let mut after = *position;
            after.play_man(what, position.man_of(what), drops);
            match self.search.ordinary.terms.after_own(&after, &after.seen()) {
                State::Won => continue,
                State::Failed => return Some(Found::Itself(*i)),
                State::Open => {}
            }
            if self.search.ordinary.terms.can_exhaust(&after) {
                return Some(Found::Itself(*i));
            }
            let base = self.search.ordinary.base();
            self.search.ordinary.list_replies(&after);
            for code in self.search.ordinary.listed(base) {
                let reply = code.what();
                let mut next = after;
                next.play_man(reply, after.man_of(reply), drops);
                if next.passed().is_some() {
                    next.forget_idle_en_passant();
                }
                let seen = next.seen();
                if self.search.ordinary.terms.fails_after_reply(&next) || !next.any_move_seen(&seen)
                {
                    return Some(Found::Reply(*i, code));
                }
                if !self.search.ordinary.mates(&next, moves - 1) {
                    if self.search.ordinary.stopped {
                        return None;
                    }
                    self.search.ordinary.note_refutation(code, moves);
                    return Some(Found::Core(vec![Item::new(next, *i, code)]));
                }
            }
        }
        // No single position refutes the attempt: after every reply, there is a forced mate if the
        // seat sees all men. So the refutation consists of several positions that the seat cannot
        // distinguish.
        let mut groups = Vec::new();
        let mut wins = Vec::new();
        for i in &legal {
            let position = &items[*i as usize].position;
            // `replies` collects winning tries only for fewer than 3 moves. Here they are not
            // needed.
            let found =
                self.search
                    .replies(position, *i, what, moves.max(3), &mut groups, &mut wins);
            if found.is_err() {
                return None;
            }
        }
        for group in &mut groups {
            merge(&mut group.items);
            match self.search.solve(&group.items, moves - 1) {
                Ok(_) => {}
                Err(_) if self.search.ordinary.stopped => return None,
                Err(core) => {
                    return Some(Found::Core(chosen(&group.items, &core)));
                }
            }
        }
        None
    }
}

/// Returns the items of a core in the order of the belief, so that equal cores have the same order.
fn chosen(items: &[Item], core: &Core) -> Vec<Item> {
    let mut core = core.clone();
    core.sort_unstable();
    core.iter().map(|i| items[*i as usize]).collect()
}

/// Returns whether a try is a pawn capture, judged from the own men only.
fn is_pawn_capture(items: &[Item], t: Try) -> bool {
    let Try::Step { from, to, .. } = t else {
        return false;
    };
    items.first().is_some_and(|item| {
        from.file() != to.file() && item.position.role_at(from) == Some(Role::Pawn)
    })
}
