//! Search for the moves of a score, cheapest first.
//!
//! A score has one column of moves, or two columns with the same moves in two notations. A state is
//! a position after a number of half-moves. Each column adds to the cost of a move. The column adds
//! 0 if its text fits the move. Otherwise the column adds the number of characters in which the
//! text differs from a spelling of the move. The state with the lowest cost is visited first.
//! If several states have this cost, the state with the most half-moves is visited first. If
//! several states have this number of half-moves, the oldest is visited first. So the order depends
//! only on the score.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

use notation::{BoardNames, MoveText, Notation};
use position::Position;
use rules::{Try, chess::Color};

use super::{
    closest::{Near, nearest, nearest_within},
    file::Column,
    fit::named_moves,
    written::Written,
};

/// A move as written, with its parsed form.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub written: &'a Written,
    pub notation: Notation,
    pub read: Option<MoveText>,
}

impl<'a> Token<'a> {
    fn new(written: &'a Written, usual: Notation, color: Color) -> Token<'a> {
        let other = match usual {
            Notation::Algebraic => Notation::Descriptive,
            Notation::Descriptive => Notation::Algebraic,
        };
        for notation in [usual, other] {
            let read = MoveText::read(&written.text, notation, color, BoardNames::Usual);
            if read.is_some() {
                return Token {
                    written,
                    notation,
                    read,
                };
            }
        }
        Token {
            written,
            notation: usual,
            read: None,
        }
    }

    /// Returns the legal moves that fit the text.
    pub(super) fn names(&self, position: &Position) -> Vec<Try> {
        self.read
            .as_ref()
            .map_or(Vec::new(), |read| named_moves(position, read))
    }

    /// Returns the number of characters in which the text differs from a spelling of a move.
    /// Returns 0 if the text fits the move, and `None` if the number is above `most`.
    fn cost(&self, position: &Position, named: &[Try], t: Try, most: u32) -> Option<u32> {
        if named.contains(&t) {
            return Some(0);
        }
        let near = nearest_within(position, t, &self.written.text, self.notation, most)?;
        Some(near.cost.max(1))
    }

    pub(super) fn near(&self, position: &Position, t: Try) -> Near {
        nearest(position, t, &self.written.text, self.notation)
    }
}

/// Parses the columns of a score. The columns may have different lengths.
pub(super) fn tokens(columns: &[Column], first: Color) -> Vec<Vec<Token<'_>>> {
    columns
        .iter()
        .map(|column| {
            let mut color = first;
            let mut tokens = Vec::with_capacity(column.moves.len());
            for written in &column.moves {
                tokens.push(Token::new(written, column.notation, color));
                color = color.other();
            }
            tokens
        })
        .collect()
}

/// The moves that the search may play.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum CandidateMoves {
    /// Only moves that this column names. If the text of another column does not fit the move, this
    /// adds to the cost.
    NamedBy(usize),
    /// Every legal move that can be written in a way that is close enough to the text. The
    /// characters that differ add to the cost.
    AllLegal,
}

/// Limits of a search.
#[derive(Copy, Clone, Debug)]
pub(super) struct Limits {
    /// Number of answers (see [`Answer`]) after which the search stops.
    pub answers: usize,
    /// Maximum extra cost of an answer compared with the cheapest answer.
    pub extra_cost: u32,
    /// Maximum number of half-moves in an answer that are named by no column.
    pub changes: u32,
    /// Maximum number of visited states.
    pub states: u64,
    /// Maximum number of visited states that cost more than the cheapest answer.
    pub dearer: u64,
}

/// With [`CandidateMoves::AllLegal`], the maximum number of characters in which the text of a column
/// differs from a move.
const MAX_CHANGE: u32 = 4;

/// Maximum number of states in memory. That many states take a few hundred megabytes.
const MAX_NODES: usize = 1_500_000;

/// Maximum number of visits to the same position at the same half-move. Further states with this
/// position and half-move are not visited.
const VISITS: u8 = 3;

/// Moves of a whole score, and their cost.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct Answer {
    pub moves: Vec<Try>,
    pub cost: u32,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub answers: Vec<Answer>,
    /// Moves of the longest playable line. This line is used if there are no answers.
    pub deepest: Vec<Try>,
    /// Whether the search visited every state that costs no more than the cheapest answer.
    /// If there is no answer: whether it visited every state. States beyond [`VISITS`] do not count.
    /// The value is also true if the search stopped at the limit [`Limits::answers`].
    pub whole: bool,
}

#[derive(Copy, Clone, Debug)]
struct Node {
    parent: usize,
    t: Option<Try>,
    position: Position,
    ply: usize,
    cost: u32,
    changes: u32,
}

/// Entry of the queue, as (cost, half-moves, order of insertion, index of the node,
/// flag). If the flag is true, the next step plays moves that are named by no column.
type Waiting = Reverse<(u32, Reverse<usize>, u64, usize, bool)>;

pub(super) struct Search<'a> {
    columns: &'a [Vec<Token<'a>>],
    length: usize,
    drops: bool,
    candidates: CandidateMoves,
    limits: Limits,
    nodes: Vec<Node>,
    waiting: BinaryHeap<Waiting>,
    visits: HashMap<(usize, Position), u8>,
    /// Maximum cost of a further answer, set by the first answer.
    max_cost: u32,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        columns: &'a [Vec<Token<'a>>],
        start: &Position,
        drops: bool,
        candidates: CandidateMoves,
        limits: Limits,
    ) -> Search<'a> {
        let length = columns.iter().map(Vec::len).max().unwrap_or(0);
        let mut search = Search {
            columns,
            length,
            drops,
            candidates,
            limits,
            nodes: Vec::new(),
            waiting: BinaryHeap::new(),
            visits: HashMap::new(),
            max_cost: u32::MAX,
        };
        search.push(Node {
            parent: 0,
            t: None,
            position: *start,
            ply: 0,
            cost: 0,
            changes: 0,
        });
        search
    }

    fn push(&mut self, node: Node) {
        let index = self.nodes.len();
        self.nodes.push(node);
        self.wait(index, node.cost, false);
    }

    fn wait(&mut self, index: usize, cost: u32, changes: bool) {
        let ply = self.nodes[index].ply;
        let key = (cost, Reverse(ply), index as u64, index, changes);
        self.waiting.push(Reverse(key));
    }

    /// Searches until a limit is reached or `stop` returns true.
    pub(super) fn run(mut self, stop: &mut dyn FnMut() -> bool) -> Found {
        let mut answers: Vec<Answer> = Vec::new();
        let mut deepest = (0, 0);
        let (mut looked, mut dearer) = (0, 0);
        let mut whole = true;
        while let Some(Reverse((cost, _, _, index, changes))) = self.waiting.pop() {
            if answers.len() >= self.limits.answers || cost > self.max_cost {
                break;
            }
            looked += 1;
            let past = answers.first().is_some_and(|first| cost > first.cost);
            dearer += u64::from(past);
            if dearer > self.limits.dearer {
                break;
            }
            if looked > self.limits.states || self.nodes.len() > MAX_NODES || stop() {
                whole = past;
                break;
            }
            let node = self.nodes[index];
            if changes {
                self.change(index, &node);
                continue;
            }
            let visits = self.visits.entry((node.ply, node.position)).or_default();
            if *visits >= VISITS {
                continue;
            }
            *visits += 1;
            if node.ply > deepest.0 {
                deepest = (node.ply, index);
            }
            if node.ply == self.length {
                self.max_cost = self
                    .max_cost
                    .min(cost.saturating_add(self.limits.extra_cost));
                answers.push(Answer {
                    moves: self.line(index),
                    cost,
                });
                continue;
            }
            self.follow(index, &node);
        }
        Found {
            deepest: self.line(deepest.1),
            answers,
            whole,
        }
    }

    /// Returns the moves from the start to a state.
    fn line(&self, mut index: usize) -> Vec<Try> {
        let mut moves = Vec::new();
        while let Some(t) = self.nodes[index].t {
            moves.push(t);
            index = self.nodes[index].parent;
        }
        moves.reverse();
        moves
    }

    /// Returns the moves that each column names at a state; `None` for a column that
    /// has ended.
    fn named(&self, node: &Node) -> Vec<Option<(&'a Token<'a>, Vec<Try>)>> {
        let columns = self.columns;
        columns
            .iter()
            .map(|column| {
                let token = column.get(node.ply)?;
                Some((token, token.names(&node.position)))
            })
            .collect()
    }

    /// Plays every move that a column names. With [`CandidateMoves::NamedBy`], plays only the moves
    /// that this one column names.
    fn follow(&mut self, index: usize, node: &Node) {
        let named = self.named(node);
        let mut moves: Vec<Try> = Vec::new();
        for (i, column) in named.iter().enumerate() {
            let trusted = match self.candidates {
                CandidateMoves::NamedBy(c) => i == c,
                CandidateMoves::AllLegal => true,
            };
            if let Some((_, named)) = column
                && trusted
            {
                moves.extend(named);
            }
        }
        moves.sort_unstable();
        moves.dedup();
        for t in moves {
            self.play(index, node, &named, t);
        }
        match self.candidates {
            CandidateMoves::NamedBy(_) => {}
            CandidateMoves::AllLegal => self.wait(index, node.cost + 1, true),
        }
    }

    /// Plays every legal move that no column names, if a spelling of the move is close to the
    /// written text.
    fn change(&mut self, index: usize, node: &Node) {
        if node.changes >= self.limits.changes || node.cost >= self.max_cost {
            return;
        }
        let named = self.named(node);
        let mut legal = node.position.legal_tries();
        legal.sort_unstable();
        for t in legal {
            let written = named.iter().flatten().any(|(_, named)| named.contains(&t));
            if !written {
                self.play(index, node, &named, t);
            }
        }
    }

    fn play(
        &mut self,
        parent: usize,
        node: &Node,
        named: &[Option<(&Token<'_>, Vec<Try>)>],
        t: Try,
    ) {
        let mut cost = node.cost;
        let mut as_written = false;
        for (token, named) in named.iter().flatten() {
            let most = match self.candidates {
                CandidateMoves::AllLegal => MAX_CHANGE.min(self.max_cost.saturating_sub(cost)),
                CandidateMoves::NamedBy(_) => u32::MAX,
            };
            let change = match token.cost(&node.position, named, t, most) {
                Some(change) => change,
                None if self.candidates == CandidateMoves::AllLegal => return,
                None => MAX_CHANGE + 1,
            };
            as_written |= change == 0;
            cost += change;
        }
        let mut position = node.position;
        position.play(t, self.drops);
        self.push(Node {
            parent,
            t: Some(t),
            position,
            ply: node.ply + 1,
            cost,
            changes: node.changes + u32::from(!as_written),
        });
    }
}
