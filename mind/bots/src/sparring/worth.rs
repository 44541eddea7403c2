//! Computes the value of a position for the side that has just moved.

use rules::{
    Choices, Own, Stalemate,
    chess::{Bitboard, Role, Square},
};

use super::guess::{Guess, attacked, attackers, ranks_to_go, reach};

/// Value of mate, in pawns.
pub(crate) const MATE: f32 = 60.0;

/// Cost of a drawn stalemate for the side that has just moved, in pawns, if this side is not behind
/// in material.
const STALEMATE: f32 = 120.0;

/// Returns the value of a man, in pawns.
pub(crate) fn value(role: Role) -> f32 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 0.0,
    }
}

/// Returns the value of a side's men, including its reserve, in pawns.
pub(crate) fn material(side: &Own) -> f32 {
    let held: f32 = side
        .reserve
        .iter()
        .map(|(role, n)| value(role) * f32::from(n))
        .sum();
    side.men
        .zip_role()
        .into_iter()
        .map(|(role, squares)| value(role) * squares.count() as f32)
        .sum::<f32>()
        + held
}

/// Returns the value of the position for the side that has just moved, in
/// pawns. That side is `us`, the side to move is `them`.
pub(crate) fn worth(choices: &Choices, guess: &Guess) -> f32 {
    let (us, them) = (&guess.other, &guess.mover);
    let occupied = guess.occupied();
    let Some(king) = them.king() else {
        return 0.0;
    };
    let ours = attacked(us, occupied.without(king));
    let few = them.all().count() <= 6;
    let check = ours.contains(king);
    let flights = reach(them, Role::King, king, occupied) & !them.all() & !ours;
    if flights.is_empty() && !guess.can_move() {
        return match (check, choices.stalemate) {
            (true, _) | (false, Stalemate::Loses) => MATE,
            (false, Stalemate::Draw) if material(us) >= material(them) => -STALEMATE,
            (false, Stalemate::Draw) => 5.0,
        };
    }
    let mut sum = material(us) - material(them) - hanging(guess, ours);
    let few_left = 16 - them.all().count().min(16);
    // The free squares around the other king count more if the other side has fewer men.
    let hunt = few_left as f32 / 16.0;
    sum -= (flights.count() as f32) * 0.12 * hunt;
    if check {
        sum += 0.15;
    } else if few && flights.is_empty() {
        // Their king cannot move, so the position is close to stalemate. The guess may be slightly
        // wrong, so the true position may be stalemate. This risk has a cost.
        sum -= 4.0;
    }
    if let Some(own) = us.king() {
        sum -= 1.5 * mating_squares(guess, own).min(2) as f32;
        if few {
            sum -= 0.06 * own.distance(king) as f32;
        } else {
            // Our king is safer on our first rank.
            let home = us.color.relative_rank(rules::chess::Rank::First);
            sum -= 0.1 * own.rank().distance(home) as f32;
        }
    }
    sum += prey(guess, ours) * 0.12;
    sum += (ours & !us.all()).count() as f32 * 0.015;
    sum + pawns(us, them, hunt)
}

/// Returns a bonus for our pawns, in pawns. The bonus is greater for pawns that are closer to
/// promotion. It increases with `hunt`, which is greater if the other side has fewer men left.
fn pawns(us: &Own, them: &Own, hunt: f32) -> f32 {
    us.men
        .pawn
        .into_iter()
        .map(|pawn| {
            let gone = (6 - ranks_to_go(us, pawn).min(6)) as f32;
            let file = Bitboard::from_file(pawn.file());
            let free = (file & them.all()).is_empty();
            gone * gone * if free { 0.02 + 0.03 * hunt } else { 0.012 }
        })
        .sum()
}

/// Returns the number of squares next to our king from which a queen or a rook of the other side
/// could mate. On such a square, the queen or rook would be protected, and only our king could
/// capture it.
fn mating_squares(guess: &Guess, own: Square) -> usize {
    let (us, them) = (&guess.other, &guess.mover);
    let heavy = them.men.queen | them.men.rook;
    if heavy.is_empty() {
        return 0;
    }
    let occupied = guess.occupied();
    (reach(us, Role::King, own, occupied) & !them.all())
        .into_iter()
        .filter(|square| {
            let hitters = attackers(them, *square, occupied);
            (hitters & heavy).any()
                && hitters.more_than_one()
                && (attackers(us, *square, occupied) & !us.men.king).is_empty()
        })
        .count()
}

/// Returns an estimate, in pawns, of what we lose if the other side captures next.
fn hanging(guess: &Guess, ours: Bitboard) -> f32 {
    let (us, them) = (&guess.other, &guess.mover);
    let occupied = guess.occupied();
    let mut most = 0.0_f32;
    let mut sum = 0.0;
    for (role, squares) in us.men.zip_role() {
        for square in squares & !us.men.king {
            let hitters = attackers(them, square, occupied);
            if hitters.is_empty() {
                continue;
            }
            let loss = exchange(us, them, role, square, hitters, ours);
            most = most.max(loss);
            sum += loss;
        }
    }
    0.75 * most + 0.1 * sum
}

/// Returns our loss if `them` capture our man on a square, in pawns.
fn exchange(
    us: &Own,
    them: &Own,
    role: Role,
    square: Square,
    hitters: Bitboard,
    ours: Bitboard,
) -> f32 {
    let defended = ours.contains(square) && attackers(us, square, us.all() | them.all()).any();
    if !defended {
        return value(role);
    }
    // A king cannot capture a defended man, so the king is left out.
    let cheapest = them
        .men
        .zip_role()
        .into_iter()
        .find(|(role, squares)| *role != Role::King && (*squares & hitters).any());
    cheapest.map_or(0.0, |(hitter, _)| (value(role) - value(hitter)).max(0.0))
}

/// Returns the value of the other side's undefended men that we attack, in pawns. Only the role
/// with the greatest total value counts.
fn prey(guess: &Guess, ours: Bitboard) -> f32 {
    let them = &guess.mover;
    let theirs = attacked(them, guess.occupied());
    them.men
        .zip_role()
        .into_iter()
        .map(|(role, squares)| {
            let hit = squares & ours;
            let loose = (hit & !theirs).count() as f32;
            loose * value(role)
        })
        .fold(0.0, f32::max)
}
