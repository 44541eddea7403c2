//! Writes down why a belief has no mate: for each attempt, the replies that refute it.

use std::collections::HashMap;

use rules::{PawnTries, Try};

use crate::refutation::{RefutedAttempt, RefutedNode};

use super::{
    beliefs::{Beliefs, Core, Item, key, merge, split},
    code::{Code, role_of},
    mates::each_legal,
    terms::State,
};

/// The graph of refutations, as far as it is made.
pub(crate) struct Writer<'s, 'a> {
    search: &'s mut Beliefs<'a>,
    nodes: Vec<(u8, RefutedNode)>,
    numbers: HashMap<(u64, u64, u8), usize>,
    most: usize,
}

/// A reply that refutes an attempt.
enum Found {
    /// The attempt itself ends the game without a win.
    Itself(u32),
    /// This reply ends the game without a win.
    Reply(u32, Code),
    /// After these replies, which sound alike, there is no mate.
    Core(Vec<Item>),
}

impl<'s, 'a> Writer<'s, 'a> {
    /// Creates a writer of at most so many nodes.
    pub(crate) fn new(search: &'s mut Beliefs<'a>, most: usize) -> Writer<'s, 'a> {
        Writer {
            search,
            nodes: Vec::new(),
            numbers: HashMap::new(),
            most,
        }
    }

    /// Refutes every attempt in these positions, which must have no mate in `moves`. Returns the
    /// nodes; `None` if a limit ended the search, or if there would be too many nodes.
    pub(crate) fn write(mut self, core: &[Item], moves: u8) -> Option<Vec<RefutedNode>> {
        self.node(core, moves)?;
        // A node leads only to nodes with fewer moves: those come later.
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|i| std::cmp::Reverse(self.nodes[*i].0));
        let mut places = vec![0; order.len()];
        for (place, node) in order.iter().enumerate() {
            places[*node] = place;
        }
        let mut nodes: Vec<Option<RefutedNode>> =
            self.nodes.into_iter().map(|(_, node)| Some(node)).collect();
        Some(
            order
                .into_iter()
                .filter_map(|i| nodes[i].take())
                .map(|mut node| {
                    for attempt in &mut node.attempts {
                        attempt.to = attempt.to.map(|to| places[to]);
                    }
                    node
                })
                .collect(),
        )
    }

    fn node(&mut self, items: &[Item], moves: u8) -> Option<usize> {
        // Where Any? can be asked, its answer must not tell the positions apart.
        if self.search.ordinary.terms.choices.pawn_tries == PawnTries::OnRequest {
            let all: Vec<u32> = (0..items.len() as u32).collect();
            let (yes, no) = split(items, &all);
            if !yes.is_empty() && !no.is_empty() {
                return None;
            }
        }
        let (a, b) = key(items);
        if let Some(number) = self.numbers.get(&(a, b, moves)) {
            return Some(*number);
        }
        let number = self.nodes.len();
        if number >= self.most || self.search.ordinary.stopped {
            return None;
        }
        self.numbers.insert((a, b, moves), number);
        self.nodes.push((moves, RefutedNode::default()));
        if moves == 1 {
            return Some(number);
        }
        let mut tries: Vec<Try> = Vec::new();
        for item in items {
            each_legal(&self.search.ordinary.terms, &item.position, |t, _| {
                if !tries.contains(&t) {
                    tries.push(t);
                }
                false
            });
        }
        let mut attempts = Vec::new();
        for what in tries {
            let found = self.refutation(items, what, moves)?;
            let place = |item: &Item| (item.origin as usize, Some(item.reply.what()));
            attempts.push(match found {
                Found::Itself(i) => RefutedAttempt {
                    what,
                    by: vec![(i as usize, None)],
                    to: None,
                },
                Found::Reply(i, reply) => RefutedAttempt {
                    what,
                    by: vec![(i as usize, Some(reply.what()))],
                    to: None,
                },
                Found::Core(core) => RefutedAttempt {
                    what,
                    by: core.iter().map(place).collect(),
                    to: Some(self.node(&core, moves - 1)?),
                },
            });
        }
        self.nodes[number].1.attempts = attempts;
        Some(number)
    }

    /// Finds a refutation of an attempt. The origin of an item that is found is an index into
    /// `items`.
    fn refutation(&mut self, items: &[Item], what: Try, moves: u8) -> Option<Found> {
        let drops = self.search.ordinary.terms.drops;
        let legal: Vec<u32> = (0..items.len() as u32)
            .filter(|i| items[*i as usize].position.is_legal(what))
            .collect();
        for i in &legal {
            let position = &items[*i as usize].position;
            let mut after = *position;
            after.play_man(what, role_of(position, what), drops);
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
                next.play_man(reply, role_of(&after, reply), drops);
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
        // Each position has an answer of its own, so what the seat hears does not tell enough.
        let mut groups = Vec::new();
        let mut wins = Vec::new();
        for i in &legal {
            let position = &items[*i as usize].position;
            // Three moves at least, so that no winning tries are collected.
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

/// Returns the items of a core, in the order of the belief: equal cores have equal orders.
fn chosen(items: &[Item], core: &Core) -> Vec<Item> {
    let mut core = core.clone();
    core.sort_unstable();
    core.iter().map(|i| items[*i as usize]).collect()
}
