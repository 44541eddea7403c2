//! Moves that win at once, found with sets of squares.

use position::{Position, Seen};
use rules::{
    Try,
    chess::{Bitboard, Rank, Role, Square, attacks},
};

use super::{
    code::castling_targets,
    terms::{State, Terms},
};

/// Calls `visit` for every legal try of the side to move, until `visit` returns true. The second
/// argument of `visit` is the role of the man that the try moves or drops. Returns whether `visit`
/// returned true.
pub(crate) fn each_legal(
    terms: &Terms,
    p: &Position,
    mut visit: impl FnMut(Try, Role) -> bool,
) -> bool {
    let mut done = false;
    p.each_legal(terms.promotions(), |t, role| done = done || visit(t, role));
    done
}

/// The squares where men of the side to move would give check to the other king.
pub(crate) struct Checks {
    king: Square,
    rook: Bitboard,
    bishop: Bitboard,
    knight: Bitboard,
    pawn: Bitboard,
    /// Own men that can give a discovered check. Such a man stands alone between the other king and
    /// an own queen, rook or bishop.
    pub discoverers: Bitboard,
}

impl Checks {
    pub(crate) fn of(p: &Position) -> Checks {
        let us = p.turn();
        let them = us.other();
        let king = p.king(them);
        let occupied = p.occupied();
        let own = p.side(us);
        let queens = p.men(Role::Queen);
        let rook = attacks::rook_attacks(king, occupied);
        let bishop = attacks::bishop_attacks(king, occupied);
        let mut discoverers = Bitboard::EMPTY;
        let blockers = (rook | bishop) & own;
        if blockers.any() {
            let without = occupied & !blockers;
            let straight = own & (p.men(Role::Rook) | queens);
            let slanted = own & (p.men(Role::Bishop) | queens);
            let behind = ((straight & !rook & attacks::rook_attacks(king, without))
                | (slanted & !bishop & attacks::bishop_attacks(king, without)))
                & !blockers;
            for sniper in behind {
                discoverers |= attacks::between(king, sniper) & blockers;
            }
        }
        Checks {
            king,
            rook,
            bishop,
            knight: attacks::knight_attacks(king),
            pawn: attacks::pawn_attacks(them, king),
            discoverers,
        }
    }

    /// Returns the squares where a man of this role would give check to the other king.
    #[inline]
    pub(crate) fn direct(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.rook | self.bishop,
            Role::King => Bitboard::EMPTY,
        }
    }

    /// Returns target squares for a man on `from`. If the man moves to one of them, it gives check,
    /// either directly or by opening a line of another man.
    #[inline]
    pub(crate) fn targets(&self, role: Role, from: Square) -> Bitboard {
        let direct = self.direct(role);
        if self.discoverers.contains(from) {
            direct | !attacks::ray(self.king, from)
        } else {
            direct
        }
    }
}

/// What the own men attack around the other king. A quick test uses it to find flight squares:
/// squares to which the other king can move.
struct Cover {
    /// Squares to which the other king could move. No own man attacks these squares.
    open: Bitboard,
    /// Squares that own queens, rooks and bishops attack. If a man moves away from such a square,
    /// it can open a line.
    sliders: Bitboard,
    /// Squares of all men except the other king.
    occupied: Bitboard,
}

impl Cover {
    fn of(p: &Position, king: Square) -> Cover {
        let us = p.turn();
        let own = p.side(us);
        let flights = attacks::king_attacks(king) & !p.side(us.other());
        let occupied = p.occupied() & !Bitboard::from_square(king);
        let queens = p.men(Role::Queen);
        let mut sliders = Bitboard::EMPTY;
        for from in (p.men(Role::Rook) | queens) & own {
            sliders |= attacks::rook_attacks(from, occupied);
        }
        for from in (p.men(Role::Bishop) | queens) & own {
            sliders |= attacks::bishop_attacks(from, occupied);
        }
        let mut near = attacks::king_attacks(p.king(us));
        for from in p.men(Role::Knight) & own {
            near |= attacks::knight_attacks(from);
        }
        let pawns = p.men(Role::Pawn) & own;
        near |= us.fold_wb(
            (pawns & !Bitboard::from_file(rules::chess::File::A)).shift(7)
                | (pawns & !Bitboard::from_file(rules::chess::File::H)).shift(9),
            (pawns & !Bitboard::from_file(rules::chess::File::A)).shift(-9)
                | (pawns & !Bitboard::from_file(rules::chess::File::H)).shift(-7),
        );
        Cover {
            open: flights & !sliders & !near,
            sliders,
            occupied,
        }
    }

    /// Returns true if the other king certainly has a flight square after the man on `from` has
    /// moved to `to`. Then the move cannot be mate. If no flight square is certain, returns false.
    /// `role` is the role of the man after the move.
    #[inline]
    fn leaves_open(&self, role: Role, from: Square, to: Square) -> bool {
        if self.open.is_empty() || self.sliders.contains(from) {
            return false;
        }
        let without = self.occupied & !Bitboard::from_square(from);
        let covers = match role {
            Role::Pawn | Role::King => return false,
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => attacks::bishop_attacks(to, without),
            Role::Rook => attacks::rook_attacks(to, without),
            Role::Queen => attacks::queen_attacks(to, without),
        };
        (self.open & !covers).any()
    }
}

/// A search for winning moves in one position.
struct Hunt<'a, F> {
    terms: &'a Terms,
    p: &'a Position,
    seen: Seen,
    cover: Cover,
    found: F,
}

impl<F: FnMut(Try) -> bool> Hunt<'_, F> {
    /// Examines a pseudo-legal move that gives check. Returns whether the search can end.
    #[inline]
    fn examine(&mut self, role: Role, becomes: Role, from: Square, t: Try) -> bool {
        if self.cover.leaves_open(becomes, from, t.to()) {
            return false;
        }
        if !self.seen.leaves_free(from) && !self.p.is_legal(t) {
            return false;
        }
        self.test(role, t)
    }

    fn test(&mut self, role: Role, t: Try) -> bool {
        let mut after = *self.p;
        after.play_man(t, role, self.terms.drops);
        let seen = after.seen();
        !after.any_move_seen(&seen) && !after.directions_seen(&seen).is_empty() && (self.found)(t)
    }

    fn run(&mut self) -> bool {
        let p = self.p;
        let us = p.turn();
        let own = p.side(us);
        let occupied = p.occupied();
        let checks = Checks::of(p);
        for from in p.men(Role::Queen) & own {
            let to = checks.targets(Role::Queen, from) & !own;
            let reach = if to.any() {
                attacks::queen_attacks(from, occupied)
            } else {
                Bitboard::EMPTY
            };
            for to in to & reach {
                if self.examine(Role::Queen, Role::Queen, from, Try::step(from, to)) {
                    return true;
                }
            }
        }
        for from in p.men(Role::Rook) & own {
            let to = checks.targets(Role::Rook, from) & !own;
            for to in to & attacks::rook_attacks(from, occupied) {
                if self.examine(Role::Rook, Role::Rook, from, Try::step(from, to)) {
                    return true;
                }
            }
        }
        for from in p.men(Role::Bishop) & own {
            let to = checks.targets(Role::Bishop, from) & !own;
            for to in to & attacks::bishop_attacks(from, occupied) {
                if self.examine(Role::Bishop, Role::Bishop, from, Try::step(from, to)) {
                    return true;
                }
            }
        }
        for from in p.men(Role::Knight) & own {
            let to = checks.targets(Role::Knight, from) & !own;
            for to in to & attacks::knight_attacks(from) {
                if self.examine(Role::Knight, Role::Knight, from, Try::step(from, to)) {
                    return true;
                }
            }
        }
        self.pawns(&checks) || self.king(&checks) || (self.terms.drops && self.drops(&checks))
    }

    fn pawns(&mut self, checks: &Checks) -> bool {
        let p = self.p;
        let us = p.turn();
        let own = p.side(us);
        let occupied = p.occupied();
        let last = Bitboard::from_rank(us.relative_rank(Rank::Eighth));
        for from in p.men(Role::Pawn) & own {
            let step = us.fold_wb(8, -8);
            let takes = attacks::pawn_attacks(us, from);
            let one = Bitboard::from_square(from).shift(step) & !occupied;
            let mut reach = one | (takes & p.side(us.other()));
            if from.rank() == us.relative_rank(Rank::Second) {
                reach |= one.shift(step) & !occupied;
            }
            for to in reach & !last & checks.targets(Role::Pawn, from) {
                if self.examine(Role::Pawn, Role::Pawn, from, Try::step(from, to)) {
                    return true;
                }
            }
            for to in reach & last {
                let without = occupied & !Bitboard::from_square(from);
                for role in self.terms.promotions() {
                    let sees = match role {
                        Role::Knight => attacks::knight_attacks(to),
                        Role::Bishop => attacks::bishop_attacks(to, without),
                        Role::Rook => attacks::rook_attacks(to, without),
                        Role::Queen | Role::King | Role::Pawn => {
                            attacks::queen_attacks(to, without)
                        }
                    };
                    let t = Try::Step {
                        from,
                        to,
                        promotion: Some(*role),
                    };
                    let checks = sees.contains(checks.king) || checks.discoverers.contains(from);
                    if checks && self.examine(Role::Pawn, *role, from, t) {
                        return true;
                    }
                }
            }
            if let Some(passed) = p.passed()
                && takes.contains(passed)
            {
                let t = Try::step(from, passed);
                if p.is_legal(t) && self.test(Role::Pawn, t) {
                    return true;
                }
            }
        }
        false
    }

    fn king(&mut self, checks: &Checks) -> bool {
        let p = self.p;
        let king = p.king(p.turn());
        if checks.discoverers.contains(king) {
            let reach = attacks::king_attacks(king) & !p.side(p.turn());
            for to in reach & checks.targets(Role::King, king) {
                let t = Try::step(king, to);
                if p.is_legal(t) && self.test(Role::King, t) {
                    return true;
                }
            }
        }
        if !p.castling(p.turn()).is_empty() {
            for t in castling_targets(p) {
                if p.is_legal(t) && self.test(Role::King, t) {
                    return true;
                }
            }
        }
        false
    }

    fn drops(&mut self, checks: &Checks) -> bool {
        let p = self.p;
        let reserve = *p.reserves().get(p.turn());
        for (role, _) in reserve.iter() {
            for to in checks.direct(role) & !p.occupied() {
                let t = Try::Drop { role, to };
                if p.is_legal(t) && self.test(role, t) {
                    return true;
                }
            }
        }
        false
    }
}

/// Calls `found` with every try of the seat that wins at once, until `found` returns true. Returns
/// whether `found` returned true.
#[inline]
pub(crate) fn winning(terms: &Terms, p: &Position, mut found: impl FnMut(Try) -> bool) -> bool {
    let few = terms.law.berkeley && p.side(p.turn().other()).count() <= 2;
    if terms.stalemate_wins || few {
        return each_legal(terms, p, |t, role| {
            let mut after = *p;
            after.play_man(t, role, terms.drops);
            terms.after_own(&after, &after.seen()) == State::Won && found(t)
        });
    }
    let king = p.king(p.turn().other());
    Hunt {
        terms,
        p,
        seen: p.seen(),
        cover: Cover::of(p, king),
        found,
    }
    .run()
}
