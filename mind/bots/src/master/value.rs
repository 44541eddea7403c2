//! The value of a position after a move of ours.

use position::{Captured, Position};
use rules::{
    Choices, Own, PawnTries, ReserveUse, Stalemate,
    chess::{Bitboard, Rank, Role, Square},
};

use super::{
    exchange::{gain, least},
    exposure::Exposure,
    weights::Weights,
};
use crate::attacks::{attacked, attackers, ranks_to_go, reach};

/// Value of a drawn stalemate for us, in pawns, if we are not behind in material.
const STALEMATE: f32 = -60.0;

/// If the opponent has at most this number of men, the king included, we assume that the opponent's
/// king often captures an unprotected man ([`Weights::king_takes`]). Such an opponent has few other
/// moves.
const FEW_MEN: usize = 8;

/// A check has the cost [`Weights::check_distrust`] only if the opponent has at least this number of
/// men, the king included. If the opponent had fewer men, only one in twenty of the queens that
/// gave check was lost at once.
const CHECK_DISTRUST_MEN: usize = 5;

impl Weights {
    /// Returns the value of a side's men on the board and in its reserve, in pawns.
    pub(crate) fn material(&self, side: &Own) -> f32 {
        let held: f32 = side
            .reserve
            .iter()
            .map(|(role, n)| self.of(role) * f32::from(n))
            .sum();
        let standing: f32 = side
            .men
            .zip_role()
            .into_iter()
            .filter(|(role, _)| *role != Role::King)
            .map(|(role, squares)| self.of(role) * squares.count() as f32)
            .sum();
        standing + held
    }

    /// Returns `sum`, a value in pawns, corrected for what each side can win with its men.
    fn with_hopes(&self, sum: f32, us: &Own, them: &Own) -> f32 {
        let (ours, theirs) = (hope(us), hope(them));
        let sum = sum + self.hopeless * (ours - theirs);
        if sum > 0.0 {
            sum * (self.hopeless_lead + (1.0 - self.hopeless_lead) * ours)
        } else if ours + theirs == 0.0 {
            sum * self.hopeless_lead
        } else {
            sum
        }
    }
}

/// Data that the value of a position depends on, in addition to the position itself.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Judge<'a> {
    /// The choices of the ruleset.
    pub choices: &'a Choices,
    /// Estimate of what the opponent knows about our men.
    pub exposure: &'a Exposure,
    /// Weight of the opponent's next capture, from 0 to 1.
    pub caution: f32,
    /// Weight of the opponent's next capture with a pawn, from 0 to 1.
    pub pawn_caution: f32,
    /// Whether pawns count less if a side is far ahead.
    pub saturates: bool,
    /// Values, probabilities and costs.
    pub weights: &'a Weights,
    /// The square on which the opponent's last move captured a man of ours; empty if it captured none.
    pub hit: Bitboard,
}

impl Judge<'_> {
    /// Returns the value of the position for us, in pawns. We have just moved to
    /// `to` and captured `taken`; in `after` the opponent is to move.
    pub fn value(&self, after: &Position, to: Square, taken: Option<Captured>) -> f32 {
        let turn = after.turn();
        let (us, them) = (&after.own(turn.other()), &after.own(turn));
        let (weights, occupied) = (self.weights, after.occupied());
        let Some(king) = them.king() else {
            return 0.0;
        };
        let ours = attacked(us, occupied.without(king));
        let check = ours.contains(king);
        let flights = reach(them, Role::King, king, occupied) & !them.all() & !ours;
        let balance = weights.material(us) - weights.material(them);
        if flights.is_empty() && !after.any_legal() {
            return match (check, self.choices.stalemate) {
                (true, _) | (false, Stalemate::Loses) => {
                    self.utility(weights.mate.max(1.2 * balance + weights.mate_gain))
                }
                (false, Stalemate::Draw) if balance > -1.0 => self.utility(STALEMATE),
                (false, Stalemate::Draw) => 2.0,
            };
        }
        let theirs = attacked(them, occupied);
        let men_left = them.all().count().min(16) as f32;
        // 0 if the opponent has all men, 1 if the opponent has only the king.
        let hunt = (16.0 - men_left) / 15.0;
        // Exchanges are good for the side that is ahead. So the balance counts more if the opponent
        // has fewer men.
        let mut sum = balance * (1.0 + weights.trade * hunt);
        if self.choices.reserve == ReserveUse::Drops
            && let Some(taken) = taken
        {
            sum += 0.9 * weights.of(taken.role);
        }
        if check {
            sum += weights.check;
        }
        sum += self.kings((us, them), king, flights, ours, theirs, hunt);
        sum += weights.prey * prey(weights, them, ours, theirs);
        sum += weights.reach * (ours & !us.all()).count() as f32;
        sum -= weights.their_reach * (theirs & !them.all()).count() as f32;
        sum -= loose(weights, us, ours);
        sum += pawns(us, them, hunt) - weights.their_pawns * pawns(them, us, hunt);
        sum += development(weights, us);
        sum = weights.with_hopes(sum, us, them);
        let prospect = Prospect::new(self, sum);
        let mut value = prospect.value;
        if self.caution > 0.0 {
            if let Some(taken) = taken {
                value -= prospect.cost(1.0, weights.capture);
                let chain = if self.hit.contains(to) {
                    weights.chain
                } else {
                    0.0
                };
                let distrust = weights.distrust + chain;
                value -= prospect.cost(distrust, premium(weights, us, to, taken));
            }
            if check && them.all().count() >= CHECK_DISTRUST_MEN {
                value -= prospect.cost(weights.check_distrust, at_stake(weights, us, to));
            }
            value -= self.losses((us, them), to, taken, check, theirs, prospect);
            let cost =
                |p, moves| prospect.cost(p, promotions(weights, them, occupied, ours, moves));
            if !check {
                value -= cost(weights.promotes, 1);
            }
            value -= cost(weights.promotes_later, 2);
        }
        value
    }

    /// Returns the value of a lead of `pawns` pawns, in pawns.
    ///
    /// A further pawn counts less if one side is already far ahead, because it then decides fewer
    /// games than if the sides are equal. So the bot avoids rare great losses if it is ahead, and
    /// takes risks if it is behind.
    fn utility(&self, pawns: f32) -> f32 {
        if !self.saturates {
            return pawns;
        }
        let weights = self.weights;
        let bounded = weights.clearly_ahead * (pawns / weights.clearly_ahead).tanh();
        weights.least_slope * pawns + (1.0 - weights.least_slope) * bounded
    }

    /// Returns the expected cost of the opponent's next capture.
    fn losses(
        &self,
        (us, them): (&Own, &Own),
        to: Square,
        taken: Option<Captured>,
        check: bool,
        theirs: Bitboard,
        prospect: Prospect<'_>,
    ) -> f32 {
        let weights = self.weights;
        let occupied = us.all() | them.all();
        let checkers = if let (true, Some(king)) = (check, them.king()) {
            attackers(us, king, occupied)
        } else {
            Bitboard::EMPTY
        };
        let pawn_try = match self.choices.pawn_tries {
            PawnTries::Silent => weights.untold_pawn_try,
            PawnTries::OnRequest => (weights.untold_pawn_try + weights.told_pawn_try) / 2.0,
            PawnTries::Whether
            | PawnTries::Count
            | PawnTries::Squares
            | PawnTries::SinglesAndDoubles => weights.told_pawn_try,
        };
        let hopes = hope(us);
        let (mut sum, mut chance) = (0.0, 0.0);
        for square in us.all() & theirs & !us.men.king {
            let Some(victim) = us.role_at(square) else {
                continue;
            };
            let hitters = attackers(them, square, occupied);
            let Some(first) = least(them, hitters) else {
                continue;
            };
            // The king cannot capture a protected man, so this capture does not count.
            if first.1 == Role::King && attackers(us, square, occupied.without(first.0)).any() {
                continue;
            }
            let (unseen, seen) = weights.takes(victim);
            let mut p: f32 = unseen + seen * self.exposure.of(square);
            if first.1 == Role::King && them.all().count() <= FEW_MEN {
                p = p.max(weights.king_takes);
            }
            if hitters.more_than_one() {
                p += weights.takes_twice;
            }
            if first.1 == Role::Pawn {
                p = p.max(pawn_try);
            }
            if checkers.any() {
                p = if checkers.contains(square) {
                    p.max(weights.takes_checker)
                } else if checkers.more_than_one() {
                    0.0
                } else {
                    p * weights.takes_other
                };
            }
            if taken.is_some() && square == to {
                p = weights.retakes(victim);
            }
            let caution = match first.1 {
                Role::Pawn => self.pawn_caution,
                Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => self.caution,
            };
            let mut gain = gain(weights, them, us, square, victim, first);
            if gain > 0.0 {
                let mut left = *us;
                left.lose(square);
                gain += weights.last_hope * (hopes - hope(&left));
            }
            // The opponent seldom makes a capture with which it loses material. So what we gain by
            // such a capture counts only in part.
            let lost = if gain < 0.0 {
                gain * weights.bad_capture
            } else {
                gain
            };
            sum += prospect.cost_with(caution, p, lost);
            chance += p;
        }
        let risk = if chance > 1.0 { sum / chance } else { sum };
        risk + self.hunted(us, to, prospect)
    }

    /// Returns the expected cost if the opponent knows the squares of our queens and rooks. The man
    /// that has just moved is left out.
    fn hunted(&self, us: &Own, to: Square, prospect: Prospect<'_>) -> f32 {
        let weights = self.weights;
        let known = |square: Square| self.exposure.of(square);
        let heavy = (us.men.queen | us.men.rook).without(to);
        let cost = |square| {
            us.role_at(square).map_or(0.0, |role| {
                prospect.cost(weights.hunted * known(square), weights.of(role))
            })
        };
        heavy.into_iter().map(cost).sum::<f32>()
    }

    /// Returns the value of the squares of both kings, in pawns.
    fn kings(
        &self,
        (us, them): (&Own, &Own),
        king: Square,
        flights: Bitboard,
        ours: Bitboard,
        theirs: Bitboard,
        hunt: f32,
    ) -> f32 {
        let weights = self.weights;
        let Some(own) = us.king() else {
            return 0.0;
        };
        let few = them.all().count() <= 5;
        let mut sum = -weights.flight * hunt * flights.count() as f32;
        if few {
            sum -= weights.king_distance * own.distance(king) as f32;
            if flights.is_empty() && !ours.contains(king) {
                // The opponent's king has no free square, which is close to a stalemate.
                sum -= weights.near_stalemate;
            }
        } else {
            let home = us.color.relative_rank(Rank::First);
            sum -= weights.king_advance * own.rank().distance(home) as f32;
            let near = reach(us, Role::King, own, Bitboard::EMPTY);
            sum -= weights.near_king * (near & theirs).count() as f32;
            sum -= weights.mating_square * mating_squares((us, them), own, theirs).min(2) as f32;
        }
        sum
    }
}

/// A position before the opponent's next move. It is used to compute the cost of possible losses by
/// this move.
#[derive(Copy, Clone, Debug)]
struct Prospect<'a> {
    judge: &'a Judge<'a>,
    /// Value of the position without any loss, in pawns.
    pawns: f32,
    /// [`Judge::utility`] of `pawns`. The utility is stored because each possible loss needs it.
    value: f32,
}

impl<'a> Prospect<'a> {
    fn new(judge: &'a Judge<'a>, pawns: f32) -> Prospect<'a> {
        Prospect {
            judge,
            pawns,
            value: judge.utility(pawns),
        }
    }

    /// Returns the cost if we lose a number of pawns with this probability.
    fn cost(self, probability: f32, pawns: f32) -> f32 {
        self.cost_with(self.judge.caution, probability, pawns)
    }

    /// As [`Prospect::cost`], with this weight instead of [`Judge::caution`].
    fn cost_with(self, caution: f32, probability: f32, pawns: f32) -> f32 {
        let left = self.judge.utility(self.pawns - pawns);
        caution * probability * (self.value - left)
    }
}

/// Returns by how much a man that captured is more valuable than the captured man, in pawns. There
/// is a cost for this difference ([`Weights::distrust`]), because the captured man can have more
/// protectors in the true position than in the possible positions.
fn premium(weights: &Weights, us: &Own, to: Square, taken: Captured) -> f32 {
    (at_stake(weights, us, to) - weights.of(taken.role)).max(0.0)
}

/// Returns about how often the bot mates a lone king with these men, from 0 to 1.
fn hope(side: &Own) -> f32 {
    let men = &side.men;
    if (men.queen | men.rook).any() || !side.reserve.is_empty() {
        return 1.0;
    }
    let light = men.bishop & Bitboard::LIGHT_SQUARES;
    let minors: f32 = if light.any() && light != men.bishop {
        0.95
    } else if men.bishop.any() && men.knight.any() {
        0.4
    } else {
        0.0
    };
    // Each pawn promotes in three of five games.
    let no_pawn = [1.0, 0.4, 0.16, 0.06][men.pawn.count().min(3)];
    1.0 - no_pawn * (1.0 - minors)
}

/// Returns what we lose if our man on a square is captured, in pawns; 0 for the king.
fn at_stake(weights: &Weights, us: &Own, square: Square) -> f32 {
    us.role_at(square).map_or(0.0, |role| match role {
        Role::King => 0.0,
        Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => weights.of(role),
    })
}

/// Returns the number of squares next to our king from which a queen or a rook of the opponent
/// could mate. On such a square, the queen or rook would be protected, and only our king could
/// capture it.
fn mating_squares((us, them): (&Own, &Own), own: Square, theirs: Bitboard) -> usize {
    let heavy = them.men.queen | them.men.rook;
    if heavy.is_empty() {
        return 0;
    }
    let occupied = us.all() | them.all();
    (reach(us, Role::King, own, occupied) & !them.all() & theirs)
        .into_iter()
        .filter(|square| {
            let hitters = attackers(them, *square, occupied);
            (hitters & heavy).any()
                && hitters.more_than_one()
                && (attackers(us, *square, occupied) & !us.men.king).is_empty()
        })
        .count()
}

/// Returns the value of the opponent's unprotected men that we attack, in pawns. Only
/// the role with the greatest total value counts.
fn prey(weights: &Weights, them: &Own, ours: Bitboard, theirs: Bitboard) -> f32 {
    them.men
        .zip_role()
        .into_iter()
        .filter(|(role, _)| *role != Role::King)
        .map(|(role, squares)| weights.of(role) * (squares & ours & !theirs).count() as f32)
        .fold(0.0, f32::max)
}

/// Returns what the opponent gains by a promotion that it can make with this number of moves
/// straight ahead, in pawns. We must attack none of the squares in front of the pawn.
fn promotions(
    weights: &Weights,
    them: &Own,
    occupied: Bitboard,
    ours: Bitboard,
    moves: u32,
) -> f32 {
    let gain = weights.of(Role::Queen) - weights.of(Role::Pawn);
    let next = |from, _| (them.pawn_pushes(from, occupied) & !ours).first();
    let free = them
        .men
        .pawn
        .into_iter()
        .filter(|pawn| ranks_to_go(them, *pawn) == moves)
        .any(|pawn| (0..moves).try_fold(pawn, next).is_some());
    if free { gain } else { 0.0 }
}

/// Returns the penalty for our men that no other man of ours protects, in pawns.
fn loose(weights: &Weights, us: &Own, ours: Bitboard) -> f32 {
    us.men
        .zip_role()
        .into_iter()
        .filter(|(role, _)| *role != Role::King)
        .map(|(role, squares)| weights.loose * weights.of(role) * (squares & !ours).count() as f32)
        .sum()
}

/// Returns a bonus for a side's pawns, in pawns. The bonus is greater for pawns that are
/// closer to promotion. `hunt` is 0 if the opponent has all men, and 1 if the opponent has
/// only the king.
fn pawns(side: &Own, other: &Own, hunt: f32) -> f32 {
    const PASSED: [f32; 7] = [0.0, 2.2, 1.2, 0.7, 0.4, 0.25, 0.15];
    const OTHER: [f32; 7] = [0.0, 0.8, 0.4, 0.2, 0.1, 0.05, 0.0];
    let mut sum = 0.0;
    for pawn in side.men.pawn {
        let togo = ranks_to_go(side, pawn).min(6) as usize;
        let mut files = Bitboard::from_file(pawn.file());
        if let Some(file) = pawn.file().offset(-1) {
            files |= Bitboard::from_file(file);
        }
        if let Some(file) = pawn.file().offset(1) {
            files |= Bitboard::from_file(file);
        }
        let last = side.color.relative_rank(Rank::Eighth);
        let ahead =
            other.men.pawn.into_iter().any(|sq| {
                files.contains(sq) && sq.rank().distance(last) < pawn.rank().distance(last)
            });
        sum += if ahead {
            OTHER[togo]
        } else {
            PASSED[togo] * (0.4 + 0.8 * hunt)
        };
    }
    sum
}

/// Returns the value of the development of our men, in pawns.
fn development(weights: &Weights, us: &Own) -> f32 {
    let home = Bitboard::from_rank(us.color.relative_rank(Rank::First));
    let minors = us.men.knight | us.men.bishop;
    let mut sum = -weights.home_minor * (minors & home).count() as f32;
    let centre = Bitboard::CENTER;
    sum += weights.central_pawn * (us.men.pawn & centre).count() as f32;
    sum += weights.inner_minor * (minors & !edge()).count() as f32;
    sum
}

/// Returns the squares of the edge of the board.
fn edge() -> Bitboard {
    Bitboard::BACKRANKS
        | Bitboard::from_file(rules::chess::File::A)
        | Bitboard::from_file(rules::chess::File::H)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{
        Reserve, Wings,
        chess::{Board, Color},
        rulesets::WILD16,
    };

    /// Returns the result of `ask` for a judge with the weights of `master`.
    fn judge<T>(caution: f32, saturates: bool, ask: impl FnOnce(&Judge<'_>) -> T) -> T {
        ask(&Judge {
            choices: &WILD16.choices,
            exposure: &Exposure::default(),
            caution,
            pawn_caution: caution,
            saturates,
            weights: &Weights::shipped(),
            hit: Bitboard::EMPTY,
        })
    }

    /// Returns the position with these men.
    fn position(board: &str, turn: Color) -> Position {
        let board: Board = board.parse().expect("the text is a board");
        let side = |color| Own::of(&board, color, Wings::NONE, Reserve::EMPTY);
        let (white, black) = (side(Color::White), side(Color::Black));
        Position::of_sides(&white, &black, Bitboard::EMPTY, turn, None)
    }

    /// Returns the position after a try of White, the target square, and the captured man.
    fn played(board: &str, t: &str) -> (Position, Square, Option<Captured>) {
        let t: rules::Try = t.parse().expect("a try");
        let (after, taken) = position(board, Color::White)
            .after(t)
            .expect("the try is legal");
        (after, t.to(), taken)
    }

    #[test]
    fn free_promotion_of_the_opponent_has_a_cost() {
        let cost = |board: &str, moves: u32| {
            let position = position(board, Color::White);
            let (us, them) = (position.own(Color::White), position.own(Color::Black));
            let ours = attacked(&us, position.occupied());
            promotions(&Weights::shipped(), &them, position.occupied(), ours, moves)
        };
        // Three positions: our queen stands on the square in front of the pawn, attacks this
        // square, or does neither.
        assert_eq!(cost("8/8/8/3k4/1K6/8/4p3/4Q3", 1), 0.0);
        assert_eq!(cost("8/8/8/3k4/1K6/8/4p3/Q7", 1), 0.0);
        assert!(cost("8/8/8/3k4/1K6/8/Q3p3/8", 1) > 2.0);
        // The same for a pawn that promotes a move later.
        assert_eq!(cost("8/8/8/3k4/1K6/4p3/Q7/8", 2), 0.0);
        assert_eq!(cost("8/8/8/3k4/1K6/4p3/8/Q7", 2), 0.0);
        assert!(cost("8/8/8/3k4/QK6/4p3/8/8", 2) > 2.0);
    }

    #[test]
    fn only_the_side_that_is_behind_takes_great_risks() {
        // The first result says whether the player takes a pawn, although the player then loses a
        // queen with a probability of 10 %. The second result says whether the player gives up a
        // pawn in order to win a queen with a probability of 10 %.
        let plays = |lead: f32, saturates: bool| {
            judge(1.0, saturates, |judge| {
                let worth = |pawns: f32| judge.utility(lead + pawns);
                let risk = Prospect::new(judge, lead + 1.0);
                let chance = 0.1 * worth(9.0) + 0.9 * worth(-1.0);
                (
                    worth(1.0) - risk.cost(0.1, 9.0) > worth(0.0),
                    chance > worth(0.0),
                )
            })
        };
        assert_eq!(plays(12.0, true), (false, false));
        assert_eq!(plays(-12.0, true), (true, true));
        assert_eq!(plays(12.0, false), (true, false));
        assert_eq!(plays(-12.0, false), (true, false));
    }

    #[test]
    fn check_costs_more_while_the_opponent_has_many_men() {
        // Returns the value of a check with the queen on h5, minus the value of a quiet queen move
        // to d1.
        let gain = |board: &str| {
            let value = |t: &str| {
                let (after, to, taken) = played(board, t);
                judge(1.0, false, |judge| judge.value(&after, to, taken))
            };
            value("e2h5") - value("e2d1")
        };
        let many = gain("4k3/pppp4/8/8/8/8/4QPPP/6K1");
        let few = gain("4k3/ppp5/8/8/8/8/4QPPP/6K1");
        assert!(many < few - 0.6, "{many} {few}");
    }

    #[test]
    fn caution_about_pawns_counts_only_for_captures_by_pawns() {
        // On a6, the pawn on b7 can capture the bishop. On f7, the king can capture it.
        let board = "6k1/1p6/8/8/2B5/8/5PPP/6K1";
        let cost = |t: &str| {
            let (after, to, taken) = played(board, t);
            judge(0.1, false, |judge| {
                let careful = Judge {
                    pawn_caution: 0.6,
                    ..*judge
                };
                judge.value(&after, to, taken) - careful.value(&after, to, taken)
            })
        };
        assert!(cost("c4a6") > 1.0, "{}", cost("c4a6"));
        assert_eq!(cost("c4f7"), 0.0);
    }

    #[test]
    fn capture_has_a_cost_even_if_nothing_can_recapture() {
        // Nothing can recapture on d5. So the cost comes only from the capture itself.
        let (after, to, taken) = played("6k1/5ppp/8/3p4/8/4N3/8/6K1", "e3d5");
        let cost = |caution: f32| {
            judge(caution, false, |judge| {
                judge.value(&after, to, None) - judge.value(&after, to, taken)
            })
        };
        assert_eq!(cost(0.0), 0.0);
        assert!(cost(1.0) > Weights::shipped().capture, "{}", cost(1.0));
        // On the square of the opponent's last capture, it costs more.
        let chained = judge(1.0, false, |judge| {
            let hit = Bitboard::from_square(to);
            let chained = Judge { hit, ..*judge };
            judge.value(&after, to, taken) - chained.value(&after, to, taken)
        });
        assert!(chained > 0.2, "{chained}");
    }

    /// Returns the value of a position, without the opponent's next capture. White has just moved.
    fn calm_value(board: &str) -> f32 {
        let after = position(board, Color::Black);
        judge(0.0, false, |judge| judge.value(&after, Square::E1, None))
    }

    #[test]
    fn position_without_winning_men_has_a_lower_value() {
        // A second bishop makes a win possible, a first bishop and two knights do not.
        let none = calm_value("4k3/pp6/8/8/8/8/8/4K3");
        let one = calm_value("4k3/pp6/8/8/8/8/8/4KB2");
        let two = calm_value("4k3/pp6/8/8/8/8/8/2B1KB2");
        let knights = calm_value("4k3/pp6/8/8/8/8/8/1N2K1N1");
        assert!(two - one > one - none + 2.0, "{none} {one} {two}");
        assert!(two > knights + 2.0, "{knights} {two}");
    }

    #[test]
    fn lead_is_worth_little_if_we_cannot_win() {
        // A bishop cannot win. In the first two positions, the opponent cannot win either.
        for board in ["4k3/8/8/8/8/8/8/4KB2", "4kb2/8/8/8/8/8/8/4KB2"] {
            let value = calm_value(board);
            assert!(value.abs() < 0.3, "{board}: {value}");
        }
        let against_a_pawn = calm_value("4k3/p7/8/8/8/8/8/4KB2");
        assert!(against_a_pawn < 0.2, "{against_a_pawn}");
        let with_a_rook = calm_value("4k3/p7/8/8/8/8/8/R3KB2");
        assert!(with_a_rook > 3.0, "{with_a_rook}");
    }

    /// Returns the try of White with the greatest mean value in these positions. Only tries that are
    /// legal in all of them are compared.
    fn best_try(boards: &[&str]) -> rules::Try {
        let positions: Vec<Position> = boards
            .iter()
            .map(|board| position(board, Color::White))
            .collect();
        let pairs = Square::ALL
            .into_iter()
            .flat_map(|from| Square::ALL.map(|to| rules::Try::step(from, to)));
        let value = |t: rules::Try| {
            let value = |position: &Position| {
                let (after, taken) = position.after(t)?;
                judge(1.0, true, |judge| Some(judge.value(&after, t.to(), taken)))
            };
            positions.iter().map(value).sum::<Option<f32>>()
        };
        pairs
            .filter_map(|t| Some((value(t)?, t)))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, t)| t)
            .expect("White has a legal try")
    }

    #[test]
    fn men_that_win_are_not_given_for_a_pawn() {
        // The king recaptures, and a bishop and a knight seldom mate.
        let best = best_try(&["8/8/3k4/2p5/2R5/1B6/2K3N1/8"]);
        assert_ne!(best, "c4c5".parse().expect("a try"));
        // In the second position, the king captures the queen.
        let best = best_try(&["1k6/8/p1Q5/P1K5/8/8/8/8", "8/k7/p1Q5/P1K5/8/8/8/8"]);
        assert_ne!(best, "c6a6".parse().expect("a try"));
    }

    #[test]
    fn queen_is_not_risked_for_a_mate_with_a_great_lead() {
        // On e8 the queen mates. In the second position, the rook captures it.
        let best = best_try(&[
            "6k1/1p3ppp/8/8/8/1P6/P3QPP1/RN4K1",
            "1r4k1/5ppp/8/8/8/1P6/P3QPP1/RN4K1",
        ]);
        assert_ne!(best, "e2e8".parse().expect("a try"));
    }
}
