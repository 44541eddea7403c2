//! Search two own moves ahead: an attempt, a reply of the opponent, and our best next attempts.
//!
//! The replies are drawn at random from the model of the opponent. We cannot distinguish positions
//! after the same announcements. So our next attempts are chosen for all of these positions
//! together.
//!
//! The search looks only at replies that capture nothing, because the value of a position already
//! includes the opponent's next capture (`Judge::losses`).

use std::{collections::HashMap, time::Instant};

use belief::{Opponent, Replies, Report};
use position::Position;
use rules::{
    Try, Winner,
    chess::{Bitboard, Role, Square, attacks},
};

use super::{
    exposure::Exposure,
    plan::{Bounds, Table},
    source::Possible,
    value::Judge,
};
use crate::attacks::reach;

/// Every attempt is first searched in only a part of the positions: their total number divided by
/// this constant. The best attempts are then searched in all positions.
pub(super) const FIRST_SHARE: usize = 4;

/// Number of attempts that are searched a second time, in more positions.
pub(super) const AGAIN: usize = 6;

/// After the opponent's reply, all our next attempts are first compared in at most this number of
/// positions.
const COMPARED: usize = 12;

/// Number of next attempts that are then compared in all positions. They are the best attempts of
/// the first comparison.
const BEST: usize = 8;

/// How much the result of the search counts in the value of an attempt, if very many positions were
/// searched.
const SHARE: f32 = 0.5;

/// If this number of positions was searched, the result counts half as much as `SHARE` says. A
/// result from few positions counts less, because it is too great on average. The reason: the same
/// positions are used to choose the next attempts and to measure their gain.
const FEW: f32 = 50.0;

/// Cost of a position where the opponent's reply mates us, in pawns. This cost is less than what a
/// lost game costs, because the model is not exact and finds such replies too often.
const MATED: f32 = 15.0;

/// The search of one turn.
pub(super) struct Ahead<'a> {
    pub judge: Judge<'a>,
    pub opponent: &'a Opponent,
    /// Square on which the opponent captured with the last move.
    pub captor: Option<Square>,
    /// The possible positions before the attempts.
    pub positions: &'a [Possible],
    /// Random numbers from 0 to 1. The replies are drawn with these numbers. For each attempt, at
    /// most as many positions are searched as there are random numbers.
    pub units: &'a [f64],
    /// When the search must end.
    pub until: Option<Instant>,
}

/// What the search adds to the values of one attempt.
struct Gains {
    /// Index of the attempt.
    attempt: usize,
    /// For each searched position, its index and the gain in this position.
    each: Vec<(usize, f32)>,
    /// Weighted mean of the gains.
    mean: f32,
    /// Sum of the weights of the searched positions.
    weight: f32,
}

/// A position after an attempt and a reply.
struct Reached {
    /// Index of the position before the attempt.
    from: usize,
    /// Weight of the position before the attempt.
    weight: f32,
    /// Value of the position after the attempt. The opponent's next capture is not included.
    before: f32,
    /// The position after the attempt and the reply. We are to move.
    position: Position,
}

/// A group of positions that we cannot distinguish, because all have the same announcements.
struct Group {
    /// What was announced after our attempt.
    told: Report,
    reached: Vec<Reached>,
}

impl Ahead<'_> {
    /// Searches the attempts `chosen` and adds the results to their values in the table. Returns
    /// how many pairs of an attempt and a position were searched.
    pub fn correct(&self, table: &mut Table, tries: &[Try], chosen: &[usize]) -> usize {
        let plain = table.values.clone();
        let n = table.weights.len();
        let mut searched = 0;
        let mut search = |attempt: usize, most: usize| {
            let row = &plain[attempt * n..(attempt + 1) * n];
            let legal = (0..n).filter(|at| !row[*at].is_nan());
            let legal: Vec<usize> = legal.take(most).collect();
            searched += legal.len();
            let each = self.gains(tries[attempt], &legal);
            let weights = |at: usize| self.positions[at].weight;
            let weight = each.iter().map(|(at, _)| weights(*at)).sum::<f32>();
            let sum = each.iter().map(|(at, gain)| weights(*at) * gain);
            Gains {
                attempt,
                mean: sum.sum::<f32>() / weight.max(f32::MIN_POSITIVE),
                weight,
                each,
            }
        };
        let late = || self.until.is_some_and(|until| Instant::now() >= until);
        let mut gains: Vec<Gains> = Vec::new();
        for attempt in chosen {
            if late() {
                // The time has ended before all attempts were searched. The results are not used,
                // because a comparison of searched attempts with other attempts would be unfair.
                return searched;
            }
            gains.push(search(*attempt, self.units.len().div_ceil(FIRST_SHARE)));
        }
        add(table, &plain, &gains);
        let may: Vec<bool> = (0..tries.len()).map(|at| chosen.contains(&at)).collect();
        let bounds = Bounds {
            may: &may,
            refusal: 0.0,
        };
        let mut list = table.plan(&table.weights, bounds);
        for (attempt, _) in table.ranked(&table.weights, bounds) {
            if !list.contains(&attempt) {
                list.push(attempt);
            }
        }
        for attempt in list.into_iter().take(AGAIN) {
            if late() {
                break;
            }
            let better = search(attempt, self.units.len());
            if let Some(gains) = gains.iter_mut().find(|gains| gains.attempt == attempt) {
                *gains = better;
            }
        }
        add(table, &plain, &gains);
        searched
    }

    /// Returns what we gain with our next attempt after `attempt`, for each position in `legal`. In
    /// all these positions, `attempt` is legal. Leaves out a position if `attempt` ends the game or
    /// the reply is a capture.
    fn gains(&self, attempt: Try, legal: &[usize]) -> Vec<(usize, f32)> {
        let choices = self.judge.choices;
        let calm = Judge {
            caution: 0.0,
            pawn_caution: 0.0,
            ..self.judge
        };
        let mut gains = Vec::with_capacity(legal.len());
        let mut replies = Replies::new(choices, self.opponent);
        let mut groups: Vec<Group> = Vec::new();
        let mut places: HashMap<(Report, Report), usize> = HashMap::new();
        for at in legal {
            let one = &self.positions[*at];
            let taken = one.at.position.captured_by(attempt);
            let Some((told, next)) = one.at.play(choices, attempt) else {
                continue;
            };
            let after = next.position;
            if told.over.is_some() {
                continue;
            }
            // Each position has one random number for all attempts. So the replies after different
            // attempts are similar, and the attempts can be compared better.
            let unit = self.units[*at % self.units.len()];
            let drawn = replies.draw(&next, attempt, &told, self.captor, unit);
            let Some((_, heard, reached)) = drawn else {
                continue;
            };
            if heard.lost.is_some() {
                continue;
            }
            if let Some(over) = heard.over {
                let mated = over.winner != Winner::Draw;
                gains.push((*at, if mated { -MATED } else { 0.0 }));
                continue;
            }
            let place = *places.entry((told, heard)).or_insert_with(|| {
                groups.push(Group {
                    told,
                    reached: Vec::new(),
                });
                groups.len() - 1
            });
            groups[place].reached.push(Reached {
                from: *at,
                weight: one.weight,
                before: calm.value(&after, attempt.to(), taken),
                position: reached.position,
            });
        }
        for Group { told, reached } in &groups {
            let mut exposure = self.judge.exposure.clone();
            exposure.moved_own(attempt, told.capture.is_some(), told.check.is_some());
            self.next(reached, &exposure, &mut gains);
        }
        gains
    }

    /// Appends what our next attempts gain in positions that we cannot distinguish.
    fn next(&self, reached: &[Reached], exposure: &Exposure, gains: &mut Vec<(usize, f32)>) {
        let judge = Judge {
            exposure,
            hit: Bitboard::EMPTY,
            ..self.judge
        };
        let table = |tries: &[Try], reached: &[Reached]| {
            let mut values = Vec::with_capacity(tries.len() * reached.len());
            for t in tries {
                values.extend(reached.iter().map(|one| match one.position.after(*t) {
                    Some((after, taken)) => judge.value(&after, t.to(), taken),
                    None => f32::NAN,
                }));
            }
            Table {
                weights: reached.iter().map(|one| one.weight).collect(),
                values,
                attempts: tries.len(),
            }
        };
        let first = &reached[..reached.len().min(COMPARED)];
        let mut tries: Vec<Try> = Vec::new();
        for one in first {
            each_reachable(&one.position, |t| {
                if !tries.contains(&t) {
                    tries.push(t);
                }
            });
        }
        let may = vec![true; tries.len()];
        let bounds = |count: usize| Bounds {
            may: &may[..count],
            refusal: 0.0,
        };
        let mut compared = table(&tries, first);
        if reached.len() > first.len() {
            let ranked = compared.ranked(&compared.weights, bounds(tries.len()));
            let best = ranked.iter().take(BEST).map(|(at, _)| tries[*at]);
            tries = best.collect();
            compared = table(&tries, reached);
        }
        let list = compared.plan(&compared.weights, bounds(tries.len()));
        let n = reached.len();
        for (at, one) in reached.iter().enumerate() {
            let value = |attempt: &usize| compared.values[attempt * n + at];
            let played = list.iter().map(value).find(|value| !value.is_nan());
            // If none of the compared attempts is legal in this position, there is no gain to
            // record.
            if let Some(played) = played {
                gains.push((one.from, played - one.before));
            }
        }
    }
}

/// Calls `visit` with the tries of the side to move that reach a square, whether or not they leave
/// the king in check.
fn each_reachable(position: &Position, mut visit: impl FnMut(Try)) {
    let own = position.own(position.turn());
    let occupied = position.occupied();
    let passed = position
        .passed()
        .map_or(Bitboard::EMPTY, Bitboard::from_square);
    let prey = position.side(position.turn().other()) | passed;
    let last_rank = Bitboard::from_rank(own.last_rank());
    for from in own.men.pawn {
        let takes = attacks::pawn_attacks(own.color, from) & prey;
        let targets = (own.pawn_pushes(from, occupied) | takes) & !own.all();
        for to in targets & !last_rank {
            visit(Try::step(from, to));
        }
        for to in targets & last_rank {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                let promotion = Some(role);
                visit(Try::Step {
                    from,
                    to,
                    promotion,
                });
            }
        }
    }
    for (role, squares) in own.men.zip_role().into_iter().skip(1) {
        for from in squares {
            for to in reach(&own, role, from, occupied) & !own.all() {
                visit(Try::step(from, to));
            }
        }
    }
    if let Some(king) = own.king() {
        for to in own.castling_targets() & !own.all() {
            visit(Try::step(king, to));
        }
    }
}

/// Writes new values to a table: each new value is the value without the search, which `plain`
/// contains, plus a part of the gain that the search found.
fn add(table: &mut Table, plain: &[f32], gains: &[Gains]) {
    let n = table.weights.len();
    // Our second move improves the position after every attempt. So the mean gain of all attempts
    // is subtracted, and only the differences between attempts count.
    let weight: f32 = gains.iter().map(|one| one.weight).sum();
    let sum: f32 = gains.iter().map(|one| one.weight * one.mean).sum();
    let common = sum / weight.max(f32::MIN_POSITIVE);
    for one in gains {
        let count = one.each.len() as f32;
        let share = SHARE * count / (count + FEW);
        let row = one.attempt * n..(one.attempt + 1) * n;
        let (values, plain) = (&mut table.values[row.clone()], &plain[row]);
        for (value, plain) in values.iter_mut().zip(plain) {
            *value = plain + share * (one.mean - common);
        }
        for (at, gain) in &one.each {
            values[*at] += share * (gain - one.mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::master::weights::Weights;
    use belief::Situation;
    use rules::{
        Own, Reserve, Wings,
        chess::{Board, Color},
        rulesets,
    };

    #[test]
    fn attempt_that_prepares_a_capture_gets_a_higher_value() {
        let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset");
        let board: Board = "7k/8/8/3p4/3P4/8/8/1R2K3".parse().expect("a board");
        let side = |color| Own::of(&board, color, Wings::NONE, Reserve::EMPTY);
        let one = Possible {
            at: Situation {
                position: Position::of_sides(
                    &side(Color::White),
                    &side(Color::Black),
                    Bitboard::EMPTY,
                    Color::White,
                    None,
                ),
                seat: Color::White,
                quiet: 0,
                drops: false,
            },
            weight: 1.0,
        };
        let (positions, exposure) = (vec![one; 200], Exposure::default());
        let judge = Judge {
            choices: &wild16.choices,
            exposure: &exposure,
            caution: 1.0,
            pawn_caution: 1.0,
            saturates: false,
            weights: &Weights::USUAL,
            hit: Bitboard::EMPTY,
        };
        let ahead = Ahead {
            judge,
            opponent: &Opponent::shipped(),
            captor: None,
            positions: &positions,
            units: &(0..200).map(|n| f64::from(n) / 200.0).collect::<Vec<_>>(),
            until: None,
        };
        // On b5 the rook attacks the pawn on d5, which cannot move. On b6 it attacks nothing.
        let tries = ["b1b5", "b1b6"].map(|t| t.parse().expect("a try"));
        let values = tries.map(|t: Try| {
            let (after, taken) = one.at.position.after(t).expect("the try is legal");
            vec![judge.value(&after, t.to(), taken); 200]
        });
        let mut table = Table {
            weights: vec![1.0; 200],
            values: values.concat(),
            attempts: 2,
        };
        let lead = |table: &Table| table.values[0] - table.values[200];
        let plain = lead(&table);
        let searched = ahead.correct(&mut table, &tries, &[0, 1]);
        assert_eq!(searched, 2 * (50 + 200));
        assert!(lead(&table) > plain + 0.2, "{plain} {}", lead(&table));
    }
}
