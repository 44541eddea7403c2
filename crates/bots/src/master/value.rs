//! The value of a position after a move of ours.

use rules::{
    Choices, Own, PawnTries, ReserveUse, Stalemate,
    chess::{Bitboard, Rank, Role, Square},
};

use super::{
    exchange::{Values, least},
    exposure::Exposure,
};
use crate::sparring::guess::{Guess, Taken, attacked, attackers, ranks_to_go, reach};

/// Value of mate, in pawns. If we are very far ahead in material, the value of mate is greater
/// ([`MATE_GAIN`]).
pub(crate) const MATE: f32 = 60.0;

/// Least difference between the value of mate and our lead in material, in pawns. Without this
/// difference, our lead could be worth more than mate after many drops and promotions.
const MATE_GAIN: f32 = 20.0;

/// Value of a drawn stalemate for us, in pawns, if we are not behind in material.
const STALEMATE: f32 = -60.0;

/// Returns the probability that the opponent recaptures a man that has just captured, if the
/// opponent can recapture. Some players do not recapture every pawn.
const fn retakes(captor: Role) -> f32 {
    match captor {
        Role::Pawn => 0.85,
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => 0.97,
    }
}

/// Probability that the opponent makes a pawn capture, if the referee announced to the opponent
/// that a pawn capture is possible.
const TOLD_PAWN_TRY: f32 = 0.95;
/// Probability that the opponent makes a possible pawn capture without such an announcement.
const UNTOLD_PAWN_TRY: f32 = 0.3;
/// Probability that the opponent captures a man that gives check.
const TAKES_CHECKER: f32 = 0.85;

/// Returns two numbers about an attacked man of this role. The first number is the probability that
/// the opponent captures the man, if the opponent does not know where it is. The second number is
/// added to this probability if the opponent knows where it is.
///
/// The numbers were compared with recorded games of three programs. The comparison is about men
/// that were attacked by a piece and had not captured before. In these games, 1 to 32 % of such men
/// were captured. The share depends on the role and is greatest for the queen. Most of the
/// probabilities here are greater than these shares. The reason: the bot moves its men to squares
/// for which the belief shows little danger. Where the belief is wrong, the danger is greater.
const fn takes(role: Role) -> (f32, f32) {
    match role {
        Role::Pawn => (0.08, 0.05),
        Role::Knight | Role::Bishop => (0.15, 0.12),
        Role::Rook => (0.2, 0.25),
        Role::Queen => (0.3, 0.3),
        Role::King => (0.0, 0.0),
    }
}

/// If the opponent has at most this number of men, the king included, we assume that the opponent's
/// king often captures an unprotected man ([`KING_TAKES`]). Such an opponent has few other moves.
const FEW_MEN: usize = 8;

/// Least probability that the opponent's king captures an unprotected man, if the opponent has at
/// most `FEW_MEN` men.
const KING_TAKES: f32 = 0.6;

/// Cost if the opponent knows the square of our queen or rook, as a share of the value of this man.
/// The man is in danger on every square, because the opponent can attack it with the next move.
const HUNTED: f32 = 0.04;

/// Probability that the opponent promotes a pawn, if it can promote on a square that
/// we do not attack.
const PROMOTES: f32 = 0.45;

/// Additional cost of losing our last man that can win, in pawns.
const LAST_HOPE: f32 = 8.0;

/// Cost of a capture with a man that is more valuable than the captured man, as a share of the
/// difference of the two values. The cost is subtracted in addition to the expected losses.
const DISTRUST: f32 = 0.11;

/// Cost of a check, as a share of the value of the man that gives check. The cost is subtracted in
/// addition to the expected losses. If the opponent can capture a man that gives check, the
/// opponent nearly always does so. In 100 games, a quarter of the men that gave check without a
/// capture were lost at once. The values computed from the possible positions had predicted fewer
/// losses.
const CHECK_DISTRUST: f32 = 0.12;

/// A check has the cost [`CHECK_DISTRUST`] only if the opponent has at least this number of men,
/// the king included. If the opponent had fewer men, only one in twenty of the queens that gave
/// check was lost at once.
const CHECK_DISTRUST_MEN: usize = 5;

/// Lead, in pawns, with which a side is clearly ahead. Further pawns count less and less
/// ([`Judge::utility`]).
const CLEARLY_AHEAD: f32 = 8.0;

/// Least value of a further pawn, however far a side is ahead, in pawns.
const LEAST_SLOPE: f32 = 0.25;

/// Values of the men, cost of a capture, and cost for a side that cannot win.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Worth {
    /// Values of the men.
    pub men: Values,
    /// Cost of every capture that we make, in pawns. It is subtracted in addition to the expected
    /// losses. A capture has this cost because its announcement tells the opponent the square of
    /// our man. After own captures, games ended worse for the bot than the other terms of the value
    /// predicted.
    capture: f32,
    /// Cost for a side that has no men with which it can win, in pawns.
    hopeless: f32,
}

impl Worth {
    /// The values of `level-1` to `level-5`. The ratings of these levels were measured with these
    /// values.
    pub const USUAL: Worth = Worth {
        men: Values::USUAL,
        capture: 0.0,
        hopeless: 0.0,
    };

    /// The values of `master` and `level-6`. They come from a fit to results of games.
    pub const FITTED: Worth = Worth {
        men: Values::FITTED,
        capture: 0.35,
        hopeless: 3.0,
    };

    /// Returns the value of a man, in pawns.
    const fn of(&self, role: Role) -> f32 {
        self.men.of(role)
    }

    /// Returns the value of a side's men on the board and in its reserve, in pawns.
    pub fn material(&self, side: &Own) -> f32 {
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

    /// Returns the cost for a side that has no men with which it can win, in pawns.
    fn hopelessness(&self, side: &Own) -> f32 {
        if decisive(side).is_empty() && side.reserve.is_empty() {
            self.hopeless
        } else {
            0.0
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
    /// Whether pawns count less if a side is far ahead.
    pub saturates: bool,
    /// Values of the men, cost of a capture, and cost for a side that cannot win.
    pub worth: Worth,
}

impl Judge<'_> {
    /// Returns the value of the position for us, in pawns. We have just moved to
    /// `to` and captured `taken`; in `after` the opponent is to move.
    pub fn value(&self, after: &Guess, to: Square, taken: Option<Taken>) -> f32 {
        let (us, them) = (&after.other, &after.mover);
        let occupied = after.occupied();
        let Some(king) = them.king() else {
            return 0.0;
        };
        let ours = attacked(us, occupied.without(king));
        let check = ours.contains(king);
        let flights = reach(them, Role::King, king, occupied) & !them.all() & !ours;
        let balance = self.worth.material(us) - self.worth.material(them);
        if flights.is_empty() && !after.can_move() {
            return match (check, self.choices.stalemate) {
                (true, _) | (false, Stalemate::Loses) => {
                    self.utility(MATE.max(1.2 * balance + MATE_GAIN))
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
        let mut sum = balance * (1.0 + 0.15 * hunt);
        if self.choices.reserve == ReserveUse::Drops
            && let Some(taken) = taken
        {
            sum += 0.9 * self.worth.of(taken.role);
        }
        if check {
            sum += 0.05;
        }
        sum += self.kings(after, king, flights, ours, theirs, hunt);
        sum += 0.1 * prey(self.worth, them, ours, theirs);
        sum += 0.014 * (ours & !us.all()).count() as f32;
        sum -= 0.007 * (theirs & !them.all()).count() as f32;
        sum -= loose(self.worth, us, ours);
        sum += pawns(us, them, hunt) - 0.8 * pawns(them, us, hunt);
        sum += self.worth.hopelessness(them) - self.worth.hopelessness(us);
        sum += development(us);
        let mut value = self.utility(sum);
        if self.caution > 0.0 {
            let prospect = Prospect {
                judge: self,
                pawns: sum,
                value,
            };
            if let Some(taken) = taken {
                value -= prospect.cost(1.0, self.worth.capture);
                value -= prospect.cost(DISTRUST, premium(self.worth, us, to, taken));
            }
            if check && them.all().count() >= CHECK_DISTRUST_MEN {
                value -= prospect.cost(CHECK_DISTRUST, at_stake(self.worth, us, to));
            }
            value -= self.losses(after, to, taken, check, theirs, prospect);
            if !check {
                value -= prospect.cost(PROMOTES, promotions(self.worth, them, occupied, ours));
            }
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
        let bounded = CLEARLY_AHEAD * (pawns / CLEARLY_AHEAD).tanh();
        LEAST_SLOPE * pawns + (1.0 - LEAST_SLOPE) * bounded
    }

    /// Returns the expected cost of the opponent's next capture.
    fn losses(
        &self,
        after: &Guess,
        to: Square,
        taken: Option<Taken>,
        check: bool,
        theirs: Bitboard,
        prospect: Prospect<'_>,
    ) -> f32 {
        let (us, them) = (&after.other, &after.mover);
        let occupied = after.occupied();
        let checkers = if check {
            after.checkers()
        } else {
            Bitboard::EMPTY
        };
        let pawn_try = match self.choices.pawn_tries {
            PawnTries::Silent => UNTOLD_PAWN_TRY,
            PawnTries::OnRequest => (UNTOLD_PAWN_TRY + TOLD_PAWN_TRY) / 2.0,
            PawnTries::Whether
            | PawnTries::Count
            | PawnTries::Squares
            | PawnTries::SinglesAndDoubles => TOLD_PAWN_TRY,
        };
        let decisive = decisive(us);
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
            let (unseen, seen) = takes(victim);
            let mut p: f32 = unseen + seen * self.exposure.of(square);
            if first.1 == Role::King && them.all().count() <= FEW_MEN {
                p = p.max(KING_TAKES);
            }
            if hitters.more_than_one() {
                p += 0.05;
            }
            if first.1 == Role::Pawn {
                p = p.max(pawn_try);
            }
            if checkers.any() {
                p = if checkers.contains(square) {
                    p.max(TAKES_CHECKER)
                } else if checkers.more_than_one() {
                    0.0
                } else {
                    p * 0.15
                };
            }
            if taken.is_some() && square == to {
                p = retakes(victim);
            }
            let mut gain = self.worth.men.gain(them, us, square, victim, first);
            if gain > 0.0 && decisive == Bitboard::from_square(square) {
                gain += LAST_HOPE;
            }
            // The opponent seldom makes a capture with which it loses material. So what we gain by
            // such a capture counts only in part.
            sum += prospect.cost(p, if gain < 0.0 { gain * 0.2 } else { gain });
            chance += p;
        }
        let risk = if chance > 1.0 { sum / chance } else { sum };
        risk + self.hunted(us, to, prospect)
    }

    /// Returns the expected cost if the opponent knows the squares of our queens and rooks. The man
    /// that has just moved is left out.
    fn hunted(&self, us: &Own, to: Square, prospect: Prospect<'_>) -> f32 {
        let known = |square: Square| self.exposure.of(square);
        let heavy = (us.men.queen | us.men.rook).without(to);
        let cost = |square| {
            us.role_at(square).map_or(0.0, |role| {
                prospect.cost(HUNTED * known(square), self.worth.of(role))
            })
        };
        heavy.into_iter().map(cost).sum::<f32>()
    }

    /// Returns the value of the squares of both kings, in pawns.
    fn kings(
        &self,
        after: &Guess,
        king: Square,
        flights: Bitboard,
        ours: Bitboard,
        theirs: Bitboard,
        hunt: f32,
    ) -> f32 {
        let (us, them) = (&after.other, &after.mover);
        let Some(own) = us.king() else {
            return 0.0;
        };
        let few = them.all().count() <= 5;
        let mut sum = -0.12 * hunt * flights.count() as f32;
        if few {
            sum -= 0.06 * own.distance(king) as f32;
            if flights.is_empty() && !ours.contains(king) {
                // The opponent's king has no free square, which is close to a stalemate.
                sum -= 1.5;
            }
        } else {
            let home = us.color.relative_rank(Rank::First);
            sum -= 0.12 * own.rank().distance(home) as f32;
            let near = reach(us, Role::King, own, Bitboard::EMPTY);
            sum -= 0.07 * (near & theirs).count() as f32;
            sum -= 0.9 * mating_squares(after, own, theirs).min(2) as f32;
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

impl Prospect<'_> {
    /// Returns the cost if we lose a number of pawns with this probability.
    fn cost(self, probability: f32, pawns: f32) -> f32 {
        let left = self.judge.utility(self.pawns - pawns);
        self.judge.caution * probability * (self.value - left)
    }
}

/// Returns by how much a man that captured is more valuable than the captured man, in pawns. There
/// is a cost for this difference ([`DISTRUST`]), because the captured man can have more protectors
/// in the true position than in the possible positions.
fn premium(worth: Worth, us: &Own, to: Square, taken: Taken) -> f32 {
    (at_stake(worth, us, to) - worth.of(taken.role)).max(0.0)
}

/// Returns the men of a side that are enough to win. A single knight or bishop is not included,
/// because it cannot mate.
fn decisive(side: &Own) -> Bitboard {
    let minors = side.men.knight | side.men.bishop;
    let others = side.men.queen | side.men.rook | side.men.pawn;
    if minors.more_than_one() {
        others | minors
    } else {
        others
    }
}

/// Returns what we lose if our man on a square is captured, in pawns; 0 for the king.
fn at_stake(worth: Worth, us: &Own, square: Square) -> f32 {
    us.role_at(square).map_or(0.0, |role| match role {
        Role::King => 0.0,
        Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => worth.of(role),
    })
}

/// Returns the number of squares next to our king from which a queen or a rook of the opponent
/// could mate. On such a square, the queen or rook would be protected, and only our king could
/// capture it.
fn mating_squares(after: &Guess, own: Square, theirs: Bitboard) -> usize {
    let (us, them) = (&after.other, &after.mover);
    let heavy = them.men.queen | them.men.rook;
    if heavy.is_empty() {
        return 0;
    }
    let occupied = after.occupied();
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
fn prey(worth: Worth, them: &Own, ours: Bitboard, theirs: Bitboard) -> f32 {
    them.men
        .zip_role()
        .into_iter()
        .filter(|(role, _)| *role != Role::King)
        .map(|(role, squares)| worth.of(role) * (squares & ours & !theirs).count() as f32)
        .fold(0.0, f32::max)
}

/// Returns what the opponent gains by a promotion that it can make next, in pawns.
fn promotions(worth: Worth, them: &Own, occupied: Bitboard, ours: Bitboard) -> f32 {
    let gain = worth.of(Role::Queen) - worth.of(Role::Pawn);
    let free = them
        .men
        .pawn
        .into_iter()
        .filter(|pawn| ranks_to_go(them, *pawn) == 1)
        .any(|pawn| (them.pawn_pushes(pawn, occupied) & !ours).any());
    if free { gain } else { 0.0 }
}

/// Returns the penalty for our men that no other man of ours protects, in pawns.
fn loose(worth: Worth, us: &Own, ours: Bitboard) -> f32 {
    us.men
        .zip_role()
        .into_iter()
        .filter(|(role, _)| *role != Role::King)
        .map(|(role, squares)| 0.015 * worth.of(role) * (squares & !ours).count() as f32)
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
fn development(us: &Own) -> f32 {
    let home = Bitboard::from_rank(us.color.relative_rank(Rank::First));
    let minors = us.men.knight | us.men.bishop;
    let mut sum = -0.2 * (minors & home).count() as f32;
    let centre = Bitboard::CENTER;
    sum += 0.12 * (us.men.pawn & centre).count() as f32;
    sum += 0.04 * ((us.men.knight | us.men.bishop) & !edge()).count() as f32;
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
    };

    #[test]
    fn free_promotion_of_the_opponent_has_a_cost() {
        let cost = |board: &str| {
            let board: Board = board.parse().expect("the text is a board");
            let side = |color| Own::of(&board, color, Wings::NONE, Reserve::EMPTY);
            let (white, black) = (side(Color::White), side(Color::Black));
            let occupied = white.all() | black.all();
            promotions(Worth::FITTED, &black, occupied, attacked(&white, occupied))
        };
        // Three positions: our queen stands on the square in front of the pawn, attacks this
        // square, or does neither.
        assert_eq!(cost("8/8/8/3k4/1K6/8/4p3/4Q3"), 0.0);
        assert_eq!(cost("8/8/8/3k4/1K6/8/4p3/Q7"), 0.0);
        assert!(cost("8/8/8/3k4/1K6/8/Q3p3/8") > 2.0);
    }

    #[test]
    fn only_the_side_that_is_behind_takes_great_risks() {
        // The first result says whether the player takes a pawn, although the player then loses a
        // queen with a probability of 10 %. The second result says whether the player gives up a
        // pawn in order to win a queen with a probability of 10 %.
        let plays = |lead: f32, saturates: bool| {
            let judge = Judge {
                choices: &rules::rulesets::WILD16.choices,
                exposure: &Exposure::default(),
                caution: 1.0,
                saturates,
                worth: Worth::FITTED,
            };
            let worth = |pawns: f32| judge.utility(lead + pawns);
            let risk = Prospect {
                judge: &judge,
                pawns: lead + 1.0,
                value: worth(1.0),
            };
            let chance = 0.1 * worth(9.0) + 0.9 * worth(-1.0);
            (
                worth(1.0) - risk.cost(0.1, 9.0) > worth(0.0),
                chance > worth(0.0),
            )
        };
        assert_eq!(plays(12.0, true), (false, false));
        assert_eq!(plays(-12.0, true), (true, true));
        assert_eq!(plays(12.0, false), (true, false));
        assert_eq!(plays(-12.0, false), (true, false));
    }

    fn position(board: &str) -> Guess {
        let board: Board = board.parse().expect("the text is a board");
        let side = |color| Own::of(&board, color, Wings::NONE, Reserve::EMPTY);
        Guess {
            mover: side(Color::White),
            other: side(Color::Black),
            passed: None,
        }
    }

    fn value_of(after: &Guess, to: Square, taken: Option<Taken>, caution: f32) -> f32 {
        let judge = Judge {
            choices: &rules::rulesets::WILD16.choices,
            exposure: &Exposure::default(),
            caution,
            saturates: false,
            worth: Worth::FITTED,
        };
        judge.value(after, to, taken)
    }

    #[test]
    fn check_costs_more_while_the_opponent_has_many_men() {
        // Returns the value of a check with the queen on h5, minus the value of a quiet queen move
        // to d1.
        let gain = |board: &str| {
            let guess = position(board);
            let value = |t: &str| {
                let t: rules::Try = t.parse().expect("a try");
                let (after, taken) = guess.play(t).expect("the try is legal");
                value_of(&after, t.to(), taken, 1.0)
            };
            value("e2h5") - value("e2d1")
        };
        let many = gain("4k3/pppp4/8/8/8/8/4QPPP/6K1");
        let few = gain("4k3/ppp5/8/8/8/8/4QPPP/6K1");
        assert!(many < few - 0.6, "{many} {few}");
    }

    #[test]
    fn capture_has_a_cost_even_if_nothing_can_recapture() {
        // Nothing can recapture on d5. So the cost comes only from the capture itself.
        let guess = position("6k1/5ppp/8/3p4/8/4N3/8/6K1");
        let t: rules::Try = "e3d5".parse().expect("a try");
        let (after, taken) = guess.play(t).expect("the try is legal");
        let cost = |caution: f32| {
            let value = |taken| value_of(&after, t.to(), taken, caution);
            value(None) - value(taken)
        };
        assert_eq!(cost(0.0), 0.0);
        assert!(cost(1.0) > Worth::FITTED.capture, "{}", cost(1.0));
    }

    #[test]
    fn position_without_winning_men_has_a_lower_value() {
        let value = |board: &str| {
            let swapped = position(board);
            // The opponent, Black, is to move.
            let after = Guess {
                mover: swapped.other,
                other: swapped.mover,
                passed: None,
            };
            value_of(&after, Square::E1, None, 0.0)
        };
        // A second knight makes a win possible, a first knight does not.
        let none = value("4k3/pp6/8/8/8/8/8/4K3");
        let one = value("4k3/pp6/8/8/8/8/8/4K1N1");
        let two = value("4k3/pp6/8/8/8/8/8/1N2K1N1");
        assert!(two - one > one - none + 2.0, "{none} {one} {two}");
    }
}
