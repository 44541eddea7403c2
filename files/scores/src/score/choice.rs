//! Joins the words of a page that can be moves to a game.

use std::collections::BTreeMap;

use notation::{BoardNames, MoveText, Notation, Place};
use position::Position;
use referee::StartPosition;
use rules::Try;

use super::{
    fit::named_moves,
    remark::{Remark, RemarkKind, number},
    text::TextError,
    written::Written,
};

/// How surely a word is a move. A word is used only if no other word is more surely this move.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub(super) enum Rank {
    /// The move follows its number or the other side's move, or stands alone on its line.
    Numbered,
    /// The move is the only one in the prose after its number.
    Announced,
    /// The move stands in the prose between White's move and the next number.
    Prose,
    /// The word is not a move, but stands in the place of one: a misprint.
    Odd,
}

/// A word that can be a move of the game.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub ply: usize,
    pub written: Written,
    pub rank: Rank,
    /// Whether the words of both sides follow the number.
    pub full: bool,
}

/// The moves of one notation.
pub(super) struct Game {
    pub first: usize,
    pub moves: Vec<Written>,
    pub remarks: Vec<Remark>,
}

/// Maximum number of rows of a game that a page repeats without being a second game.
const REPEATED: usize = 3;

/// Maximum number of different words that are compared for one move.
const MAX_TEXTS: usize = 16;

/// Maximum number of positions that are compared to choose between words.
const MAX_NODES: usize = 20_000;

/// Joins the words to one game. Returns `None` if there is none.
pub(super) fn game(
    candidates: Vec<Candidate>,
    start: &StartPosition,
) -> Result<Option<Game>, TextError> {
    let mut plies: BTreeMap<usize, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        plies.entry(candidate.ply).or_default().push(candidate);
    }
    let best = |ply: usize| {
        let all = plies.get(&ply)?;
        all.iter().map(|candidate| candidate.rank).min()
    };
    let is_sure = |ply: usize| best(ply).is_some_and(|rank| rank < Rank::Prose);
    let Some(first) = plies.keys().copied().find(|ply| is_sure(*ply)) else {
        return Ok(None);
    };
    let mut end = first;
    while is_sure(end) || (best(end).is_some() && is_sure(end + 1)) {
        end += 1;
    }
    if let Some(error) = gap(&plies, first, end) {
        return Err(error);
    }
    if let Some(at) = second_game(&plies, first) {
        return Err(TextError::SecondGame { at });
    }
    // Numbers after the end of the game, with words that are not moves.
    while best(end) == Some(Rank::Odd) && follows(&plies, end) {
        end += 1;
    }
    let choices: Vec<Vec<&Candidate>> = (first..end)
        .map(|ply| {
            let all = plies.get(&ply).map_or(&[][..], Vec::as_slice);
            let rank = best(ply);
            let mut texts: Vec<&Candidate> = Vec::new();
            for candidate in all.iter().filter(|candidate| Some(candidate.rank) == rank) {
                let same = |t: &&Candidate| t.written.text == candidate.written.text;
                if texts.len() < MAX_TEXTS && !texts.iter().any(same) {
                    texts.push(candidate);
                }
            }
            // A row with the moves of both sides is more often the game than a note.
            texts.sort_by_key(|candidate| !candidate.full);
            texts
        })
        .collect();
    let chosen = choose(&choices, start)?;
    let mut game = Game {
        first,
        moves: Vec::new(),
        remarks: Vec::new(),
    };
    for candidate in chosen {
        let Candidate {
            ply, written, rank, ..
        } = candidate;
        if matches!(rank, Rank::Prose | Rank::Announced) {
            game.remarks.push(Remark {
                at: written.at,
                kind: RemarkKind::FromProse {
                    ply: *ply,
                    text: written.text.clone(),
                },
            });
        }
        game.moves.push(written.clone());
    }
    for candidate in plies.values().flatten() {
        let index = candidate.ply.checked_sub(first);
        let same = index
            .and_then(|index| game.moves.get(index))
            .is_some_and(|written| written.text == candidate.written.text);
        let reply = candidate.rank == Rank::Prose && candidate.ply == end;
        if (candidate.rank == Rank::Numbered || reply) && !same {
            game.remarks.push(Remark {
                at: candidate.written.at,
                kind: RemarkKind::Aside {
                    ply: candidate.ply,
                    text: candidate.written.text.clone(),
                },
            });
        }
    }
    Ok(Some(game))
}

/// Checks whether a word is after the move before it on the page.
fn follows(plies: &BTreeMap<usize, Vec<Candidate>>, ply: usize) -> bool {
    let first = |ply: usize| {
        let all = plies.get(&ply)?;
        all.iter().map(|candidate| candidate.written.at).max()
    };
    ply.checked_sub(1).and_then(first) < first(ply)
}

/// Reports the first move of the page that is missing, if several moves follow it.
fn gap(plies: &BTreeMap<usize, Vec<Candidate>>, first: usize, end: usize) -> Option<TextError> {
    let mut after = plies
        .range(end + 1..)
        .flat_map(|(_, all)| all)
        .filter(|candidate| candidate.rank == Rank::Numbered);
    let found = after.next()?;
    let several = after.any(|candidate| candidate.ply != found.ply);
    // A move that prose mentions is no gap, unless the game ends directly before it.
    let near = found.ply == end + 1 && end > first;
    (several || near).then(|| TextError::Missing {
        at: found.written.at,
        found: format!("{}{}", number(found.ply), found.written.text),
        missing: end,
    })
}

/// Returns the place of a second game that begins with the same number as the first one.
fn second_game(plies: &BTreeMap<usize, Vec<Candidate>>, first: usize) -> Option<Place> {
    let again = |ply: usize| {
        let all = plies.get(&ply)?;
        let mut full = all
            .iter()
            .filter(|candidate| candidate.rank == Rank::Numbered && candidate.full);
        full.next().zip(full.next())
    };
    let rows: Vec<_> = (first..).map_while(again).collect();
    let differs = rows
        .iter()
        .any(|(one, other)| one.written.text != other.written.text);
    let count = rows.len() / 2;
    let (_, second) = rows.first()?;
    (count > REPEATED || (count > 1 && differs)).then_some(second.written.at)
}

/// Chooses a word for every move, so that the whole game can be played. Without such words, the
/// words of the longest playable line are chosen.
fn choose<'a>(
    choices: &[Vec<&'a Candidate>],
    start: &StartPosition,
) -> Result<Vec<&'a Candidate>, TextError> {
    let firsts = || choices.iter().filter_map(|all| all.first().copied());
    if choices.iter().all(|all| all.len() < 2) {
        return Ok(firsts().collect());
    }
    struct Node {
        parent: usize,
        choice: usize,
        depth: usize,
        position: Position,
    }
    let mut nodes = vec![Node {
        parent: 0,
        choice: 0,
        depth: 0,
        position: *start.position(),
    }];
    let mut waiting = vec![0];
    let mut deepest = 0;
    let mut answer: Option<Vec<usize>> = None;
    let line = |nodes: &[Node], mut index: usize| {
        let mut line = Vec::new();
        while index > 0 {
            line.push(nodes[index].choice);
            index = nodes[index].parent;
        }
        line.reverse();
        line
    };
    while let Some(index) = waiting.pop() {
        let (depth, position) = (nodes[index].depth, nodes[index].position);
        if depth > nodes[deepest].depth {
            deepest = index;
        }
        let Some(texts) = choices.get(depth) else {
            let found = line(&nodes, index);
            let Some(known) = &answer else {
                answer = Some(found);
                continue;
            };
            // Words in prose must be the only ones that can be played.
            let doubt = (0..choices.len())
                .find(|i| known[*i] != found[*i] && choices[*i][0].rank > Rank::Numbered);
            if let Some(i) = doubt {
                let texts = [known[i], found[i]].map(|choice| choices[i][choice]);
                return Err(TextError::Doubt {
                    at: texts[0].written.at.min(texts[1].written.at),
                    ply: texts[0].ply,
                    texts: texts.map(|text| text.written.text.clone()).to_vec(),
                });
            }
            continue;
        };
        if nodes.len() > MAX_NODES {
            continue;
        }
        for (choice, text) in texts.iter().enumerate().rev() {
            for t in meant(&position, &text.written.text) {
                let mut next = position;
                next.play(t, false);
                waiting.push(nodes.len());
                nodes.push(Node {
                    parent: index,
                    choice,
                    depth: depth + 1,
                    position: next,
                });
            }
        }
    }
    let chosen = answer.unwrap_or_else(|| line(&nodes, deepest));
    let texts = choices.iter().enumerate().filter_map(|(i, all)| {
        let choice = chosen.get(i).copied().unwrap_or(0);
        all.get(choice).copied()
    });
    Ok(texts.collect())
}

/// Returns the legal moves that a text names.
fn meant(position: &Position, text: &str) -> Vec<Try> {
    let read = Notation::ALL
        .into_iter()
        .find_map(|notation| MoveText::read(text, notation, position.turn(), BoardNames::Usual));
    read.map_or(Vec::new(), |read| named_moves(position, &read))
}
