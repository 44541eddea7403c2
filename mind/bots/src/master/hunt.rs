//! Search for a mate against a lone king. The possible squares of the king are
//! kept as a set.

use rules::{
    CheckTold, Choices, Direction, Own, Stalemate, Try,
    chess::{Bitboard, Role, Square, attacks},
};

use super::{distance::Distances, heard::Placements};
use crate::{
    attacks::{attacked, attackers, ranks_to_go},
    dice::Dice,
};

const MATE: f32 = 1000.0;
const DRAW: f32 = -3000.0;

/// Cost of a lost man, for each pawn that the man is worth.
const LOST: f32 = 60.0;

/// The value of a try is a weighted mean of two values: the mean value and the least value over the
/// squares of the king. This is the weight of the least value, from 0 to 1.
const CAUTION: f32 = 0.5;

/// Number of tries for our first move that are searched deeper.
const FIRST_BEAM: usize = 10;

/// Number of tries for our second move that are searched deeper.
const SECOND_BEAM: usize = 5;

/// For our first move, the best tries are searched. In addition, tries that may give check are
/// searched, but at most this many.
const CHECKS: usize = 6;

/// Search for a mate against a lone king.
pub(super) struct Hunt<'a> {
    /// The choices of the ruleset.
    pub choices: &'a Choices,
}

/// Possible results of a try, grouped by what will be heard.
struct Outcome {
    /// Our men after the try.
    own: Own,
    /// Squares of the king. If the king is on one of them, the try is refused.
    refused: Bitboard,
    /// One entry for each possible announcement. The first field is the number of squares of the
    /// king for which this announcement is made. The second field has the possible squares of the
    /// king after the announcement and the king's next move.
    heard: [(f32, Bitboard); 8],
    /// Number of entries of `heard` that are used.
    kinds: usize,
    /// Value of mates, stalemates and lost men, summed over the squares of the
    /// king.
    sum: f32,
    /// The least of these values.
    worst: f32,
    /// Number of the king's squares for which the try is legal.
    legal: f32,
}

impl Hunt<'_> {
    /// Returns the best try. `kings` are the possible squares of the king. When `late` returns
    /// true, the search ends, and only the tries that were searched until then are compared.
    pub fn best(
        &self,
        own: &Own,
        kings: Bitboard,
        tries: &[Try],
        past: &Placements,
        dice: &mut Dice,
        late: impl Fn() -> bool,
    ) -> Option<Try> {
        let few_men = own.all().count() <= 6;
        let depth = match kings.count() {
            0 => return None,
            1..=2 => 2,
            3..=6 if few_men => 2,
            _ => 1,
        };
        let tries: Vec<Try> = tries
            .iter()
            .copied()
            .filter(|t| !own.is_pawn_capture(*t) && !own.is_castling(*t) && is_best_man(*t))
            .collect();
        let mut left = FIRST_BEAM;
        let mut checks = CHECKS;
        // The longer the game makes no progress, the more random the choice is.
        let many = own.all().count() > 3;
        let randomness = 0.5 + past.configs.len() as f32 * if many { 1.0 } else { 0.05 };
        let mut best: Option<(f32, Try)> = None;
        for (_, t) in self.ranked(own, kings, &tries) {
            if best.is_some() && late() {
                break;
            }
            let mut after = *own;
            after.play(t);
            if left > 0 {
                left -= 1;
            } else if checks > 0 && (attacked(&after, after.all()) & kings).any() {
                checks -= 1;
            } else {
                continue;
            }
            let value = self.try_value(own, kings, t, depth, true)
                - match past.times(&after) {
                    0 => 0.0,
                    1 => 20.0,
                    // The third occurrence may be a draw, so the penalty is large.
                    _ => 500.0,
                }
                + randomness * dice.below(1000) as f32 * 0.001;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, t));
            }
        }
        best.map(|(_, t)| t)
    }

    /// Returns the best try without a search: compares the positions directly after the
    /// tries.
    pub fn quick(
        &self,
        own: &Own,
        kings: Bitboard,
        tries: &[Try],
        past: &Placements,
    ) -> Option<Try> {
        let tries: Vec<Try> = tries
            .iter()
            .copied()
            .filter(|t| !own.is_pawn_capture(*t) && !own.is_castling(*t) && is_best_man(*t))
            .collect();
        let value = |(value, t): (f32, Try)| {
            let mut after = *own;
            after.play(t);
            (value - 50.0 * past.times(&after) as f32, t)
        };
        let ranked = self.ranked(own, kings, &tries).into_iter().map(value);
        ranked
            .filter(|(value, _)| *value > f32::MIN)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, t)| t)
    }

    /// Returns the tries before the first one that can give stalemate, lose more than a minor piece,
    /// or repeat a placement for the third time. Each is made only if all earlier ones were refused.
    pub fn good_part(
        &self,
        own: &Own,
        mut kings: Bitboard,
        tries: impl Iterator<Item = Try>,
        past: &Placements,
    ) -> Vec<Try> {
        let is_good = |t: &Try| {
            let outcome = self.outcome(own, kings, *t);
            kings = outcome.refused;
            outcome.worst >= -LOST * value(Role::Bishop) && past.times(&outcome.own) < 2
        };
        tries.take_while(is_good).collect()
    }

    /// Returns the squares of the king for which a try is refused.
    pub fn refused(&self, own: &Own, kings: Bitboard, t: Try) -> Bitboard {
        self.outcome(own, kings, t).refused
    }

    /// Returns the tries with their values, the best first. The values are computed without further
    /// search.
    fn ranked(&self, own: &Own, kings: Bitboard, tries: &[Try]) -> Vec<(f32, Try)> {
        let mut ranked: Vec<(f32, Try)> = tries
            .iter()
            .map(|t| (self.try_value(own, kings, *t, 0, false), *t))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked
    }

    /// Returns the value of a try. Searches `depth` more moves of ours. If `probe` is true, the
    /// position after a refusal is searched too.
    fn try_value(&self, own: &Own, kings: Bitboard, t: Try, depth: usize, probe: bool) -> f32 {
        let outcome = self.outcome(own, kings, t);
        if outcome.legal == 0.0 {
            return f32::MIN;
        }
        let mut sum = outcome.sum;
        let mut worst = outcome.worst;
        for (times, next) in &outcome.heard[..outcome.kinds] {
            if next.any() {
                let value = self.value(&outcome.own, *next, depth) * 0.99 - 2.0;
                sum += times * value;
                worst = worst.min(value);
            }
        }
        if outcome.refused.any() {
            let again = if probe {
                self.value(own, outcome.refused, depth)
            } else {
                self.still(own, outcome.refused)
            } - 0.5;
            sum += outcome.refused.count() as f32 * again;
            worst = worst.min(again);
        }
        let mean = sum / kings.count() as f32;
        mean + CAUTION * (worst - mean)
    }

    /// Returns the value of a position with us to move and the king on one of
    /// `kings`.
    fn value(&self, own: &Own, kings: Bitboard, depth: usize) -> f32 {
        if depth == 0 {
            return self.still(own, kings);
        }
        let tries = imagined(own);
        let ranked = self.ranked(own, kings, &tries);
        let quick = ranked.first().map_or(DRAW, |(value, _)| *value);
        if depth == 1 {
            return quick;
        }
        ranked
            .iter()
            .take(SECOND_BEAM)
            .map(|(_, t)| self.try_value(own, kings, *t, depth - 1, false))
            .fold(f32::MIN, f32::max)
            .max(DRAW)
    }

    fn outcome(&self, own: &Own, kings: Bitboard, t: Try) -> Outcome {
        let mut after = *own;
        after.play(t);
        let standing = after.all();
        let hit = attacked(&after, standing);
        let blocked = match t {
            Try::Step { from, to, .. } => attacks::between(from, to).with(to),
            Try::Drop { to, .. } => Bitboard::from_square(to),
        };
        let near = after.king().map_or(Bitboard::EMPTY, attacks::king_attacks);
        let refused = kings & (blocked | near);
        let legal = kings & !refused;
        let mut outcome = Outcome {
            own: after,
            refused,
            heard: [(0.0, Bitboard::EMPTY); 8],
            kinds: 0,
            sum: 0.0,
            worst: MATE,
            legal: legal.count() as f32,
        };
        let mut keys = [u8::MAX; 8];
        for king in legal {
            let check = hit.contains(king);
            let replies = attacks::king_attacks(king) & !hit;
            if replies.is_empty() {
                let end = match (check, self.choices.stalemate) {
                    (true, _) | (false, Stalemate::Loses) => MATE,
                    (false, Stalemate::Draw) => DRAW,
                };
                outcome.sum += end;
                outcome.worst = outcome.worst.min(end);
                continue;
            }
            let key = if check {
                self.check_key(&after, king, standing)
            } else {
                0
            };
            let at = keys[..outcome.kinds].iter().position(|k| *k == key);
            let at = at.unwrap_or_else(|| {
                let last = outcome.kinds.min(7);
                outcome.kinds = last + 1;
                keys[last] = key;
                last
            });
            let (times, next) = &mut outcome.heard[at];
            *times += 1.0;
            *next |= replies & !standing;
            // The king can capture an unprotected man next to it.
            let taken = replies & standing;
            if taken.any() {
                let loss = self.loss(&after, taken);
                outcome.sum -= loss;
                outcome.worst = outcome.worst.min(-loss);
                if (replies & !standing).is_empty() {
                    *times -= 1.0;
                }
            }
        }
        outcome
    }

    /// Returns what we lose if the king captures one of these men.
    fn loss(&self, own: &Own, taken: Bitboard) -> f32 {
        let mut most = 0.0_f32;
        for (role, squares) in own.men.zip_role() {
            if (squares & taken).any() {
                most = most.max(value(role));
            }
        }
        let mut left = *own;
        if let Some(square) = taken.first() {
            left.lose(square);
        }
        let men = &left.men;
        if (men.queen | men.rook | men.pawn).is_empty() {
            900.0
        } else {
            LOST * most
        }
    }

    /// If we have exactly one queen, or no queen and exactly one rook, returns the mean number of
    /// moves to mate with this man, as if the king were visible. Returns `None` in all other cases.
    fn distance(&self, own: &Own, kings: Bitboard) -> Option<f32> {
        let home = own.king()?;
        let men = &own.men;
        let (distances, man) = match (men.queen.single_square(), men.rook.single_square()) {
            (Some(queen), _) => (Distances::queen(), queen),
            (None, Some(rook)) if men.queen.is_empty() => (Distances::rook(), rook),
            (None, _) => return None,
        };
        let sum: f32 = kings
            .into_iter()
            .map(|king| distances.get(home, man, king).map_or(20.0, f32::from))
            .sum();
        Some(sum / kings.count().max(1) as f32)
    }

    fn check_key(&self, own: &Own, king: Square, standing: Bitboard) -> u8 {
        match self.choices.check {
            CheckTold::Silent => 0,
            CheckTold::Bare => 1,
            CheckTold::Directions => attackers(own, king, standing)
                .into_iter()
                .fold(0, |key, from| key | (2 << Direction::of(king, from) as u8)),
        }
    }

    /// Returns the value of a position with us to move, without search.
    fn still(&self, own: &Own, kings: Bitboard) -> f32 {
        let standing = own.all();
        let hit = attacked(own, standing);
        let mut reachable = kings;
        for _ in 0..12 {
            let mut next = reachable;
            for king in reachable {
                next |= attacks::king_attacks(king) & !hit & !standing;
            }
            if next == reachable {
                break;
            }
            reachable = next;
        }
        let n = kings.count().max(1) as f32;
        let (mut distance, mut middle) = (0.0, 0.0);
        for king in kings {
            if let Some(home) = own.king() {
                distance += home.distance(king) as f32;
            }
            middle += inwards(king);
        }
        let mut sum = match self.distance(own, kings) {
            Some(moves) => {
                -4.0 * moves - 4.0 * reachable.count() as f32 - 12.0 * logarithm(kings.count())
            }
            None => {
                -3.0 * reachable.count() as f32
                    - 10.0 * logarithm(kings.count())
                    - 6.0 * distance / n
                    - 4.0 * middle / n
            }
        };
        for (role, squares) in own.men.zip_role() {
            sum += match role {
                Role::Queen => 90.0 * squares.count().min(2) as f32,
                Role::Rook => 50.0 * squares.count().min(2) as f32,
                Role::Bishop | Role::Knight => 12.0 * squares.count() as f32,
                Role::Pawn => squares
                    .into_iter()
                    .map(|pawn| 30.0 - 4.0 * ranks_to_go(own, pawn) as f32)
                    .sum(),
                Role::King => 0.0,
            };
        }
        let wanted = own.men.queen | own.men.rook;
        let threatened = wanted & !hit & reach_of(kings);
        sum - 5.0 * threatened.count() as f32
    }
}

/// Returns the value of a man, in pawns.
fn value(role: Role) -> f32 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 0.0,
    }
}

/// Returns the squares next to any of these squares.
fn reach_of(kings: Bitboard) -> Bitboard {
    kings.into_iter().fold(Bitboard::EMPTY, |all, king| {
        all | attacks::king_attacks(king)
    })
}

/// Returns an approximation of the natural logarithm. This function uses only sums and quotients,
/// so it gives the same result on every machine.
fn logarithm(n: usize) -> f32 {
    (1..n).map(|k| 1.0 / (k as f32 + 0.5)).sum()
}

/// Returns the distance of a square from the edges of the board. The distance from the nearer edge
/// is counted twice.
fn inwards(square: Square) -> f32 {
    let from_edge = |i: u32| i.min(7 - i) as f32;
    let (a, b) = (
        from_edge(square.file().to_u32()),
        from_edge(square.rank().to_u32()),
    );
    a.min(b) * 2.0 + a.max(b)
}

/// Returns false for a promotion to a bishop or knight, and true for every other try. A promotion
/// to a rook can be useful, because a queen in its place could give stalemate.
fn is_best_man(t: Try) -> bool {
    match t {
        Try::Step { promotion, .. } => {
            matches!(promotion, None | Some(Role::Queen | Role::Rook))
        }
        Try::Drop { .. } => true,
    }
}

/// Returns the moves of our side, as if the lone king were not on the board.
fn imagined(own: &Own) -> Vec<Try> {
    let all = own.all();
    let mut tries = Vec::with_capacity(48);
    for (role, squares) in own.men.zip_role() {
        for from in squares {
            let targets = match role {
                Role::Pawn => own.pawn_pushes(from, all),
                Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                    crate::attacks::reach(own, role, from, all) & !all
                }
            };
            for to in targets {
                let promotes = role == Role::Pawn && to.rank() == own.last_rank();
                tries.push(Try::Step {
                    from,
                    to,
                    promotion: promotes.then_some(Role::Queen),
                });
            }
        }
    }
    tries
}
