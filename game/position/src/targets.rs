//! Lists the legal moves of each man, for callers that look ahead: beliefs and
//! solvers. The referee itself does not build such a list.

use rules::{
    Try,
    chess::{Bitboard, CastlingSide, Rank, Role, Square, attacks},
};

use crate::{facts::Seen, position::Position};

impl Position {
    /// Calls `visit` with each man of the side to move: the man's square, role and legal target
    /// squares. Castling and en passant are included. All promotions on one square count as one
    /// target. `seen` must be the result of [`Position::seen`].
    #[inline]
    pub fn each_legal_man(&self, seen: &Seen, mut visit: impl FnMut(Square, Role, Bitboard)) {
        let us = *self.sides.get(self.turn);
        let occupied = self.occupied();
        let m = &self.men;
        let safe = |from: Square, reach: Bitboard| {
            let targets = reach & !us;
            if seen.leaves_free(from) {
                targets
            } else {
                self.safe_landings(from, targets, occupied)
            }
        };
        for from in m.knight & us {
            visit(
                from,
                Role::Knight,
                safe(from, attacks::knight_attacks(from)),
            );
        }
        for from in m.bishop & us {
            visit(
                from,
                Role::Bishop,
                safe(from, attacks::bishop_attacks(from, occupied)),
            );
        }
        for from in m.rook & us {
            visit(
                from,
                Role::Rook,
                safe(from, attacks::rook_attacks(from, occupied)),
            );
        }
        for from in m.queen & us {
            visit(
                from,
                Role::Queen,
                safe(from, attacks::queen_attacks(from, occupied)),
            );
        }
        for from in m.pawn & us {
            let takes = attacks::pawn_attacks(self.turn, from);
            let reach = self.pushes(from, occupied) | (takes & occupied);
            let mut targets = safe(from, reach);
            if let Some(passed) = self.passed
                && takes.contains(passed)
                && self.is_legal(Try::step(from, passed))
            {
                targets.add(passed);
            }
            visit(from, Role::Pawn, targets);
        }
        let king = self.king(self.turn);
        visit(king, Role::King, self.legal_king_targets(king, us));
    }

    /// Calls `visit` with every legal try of the side to move, drops included, and the role of the
    /// man. `promotions` are the roles to which a pawn can promote.
    pub fn each_legal(&self, promotions: &[Role], mut visit: impl FnMut(Try, Role)) {
        let last = self.turn.relative_rank(Rank::Eighth);
        self.each_legal_man(&self.seen(), |from, role, targets| {
            for to in targets {
                if role == Role::Pawn && to.rank() == last {
                    for man in promotions {
                        let promotion = Some(*man);
                        let t = Try::Step {
                            from,
                            to,
                            promotion,
                        };
                        visit(t, role);
                    }
                } else {
                    visit(Try::step(from, to), role);
                }
            }
        });
        for (role, _) in self.reserves.get(self.turn).iter() {
            for to in self.legal_drops(role) {
                visit(Try::Drop { role, to }, role);
            }
        }
    }

    /// Returns the squares on which a man of the reserve may legally be
    /// dropped.
    pub fn legal_drops(&self, role: Role) -> Bitboard {
        if self.reserves.get(self.turn).count(role) == 0 {
            return Bitboard::EMPTY;
        }
        (!self.occupied())
            .into_iter()
            .filter(|to| self.is_legal(Try::Drop { role, to: *to }))
            .collect()
    }

    fn pushes(&self, from: Square, occupied: Bitboard) -> Bitboard {
        let step = self.turn.fold_wb(8, -8);
        let one = Bitboard::from_square(from).shift(step) & !occupied;
        if from.rank() == self.turn.relative_rank(Rank::Second) {
            one | (one.shift(step) & !occupied)
        } else {
            one
        }
    }

    #[cold]
    fn safe_landings(&self, from: Square, targets: Bitboard, occupied: Bitboard) -> Bitboard {
        targets
            .into_iter()
            .filter(|to| self.king_safe_after(from, *to, occupied, Bitboard::EMPTY))
            .collect()
    }

    fn legal_king_targets(&self, king: Square, us: Bitboard) -> Bitboard {
        let mut targets = attacks::king_attacks(king) & !us;
        for side in CastlingSide::ALL {
            if self.castling.get(self.turn).has(side) {
                targets.add(side.king_to(self.turn));
            }
        }
        targets
            .into_iter()
            .filter(|to| self.king_step_is_legal(king, *to))
            .collect()
    }
}
