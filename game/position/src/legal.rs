//! Decides whether a try is legal, and whether there is any legal move.

use rules::{
    Try,
    chess::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks},
    corner,
};

use crate::{facts::Seen, position::Position};

impl Position {
    /// Returns the men of `by` that attack `sq`, if the squares of `occupied`
    /// are occupied.
    pub fn attackers(&self, sq: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let m = &self.men;
        *self.sides.get(by)
            & ((attacks::rook_attacks(sq, occupied) & (m.rook | m.queen))
                | (attacks::bishop_attacks(sq, occupied) & (m.bishop | m.queen))
                | (attacks::knight_attacks(sq) & m.knight)
                | (attacks::king_attacks(sq) & m.king)
                | (attacks::pawn_attacks(by.other(), sq) & m.pawn))
    }

    /// Returns the men that check the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), self.turn.other(), self.occupied())
    }

    /// Whether the king of the side to move is safe in a changed position: the king is on the
    /// square `king`, the squares of `occupied` are occupied, and the enemy men on `gone` are
    /// captured.
    fn safe(&self, king: Square, occupied: Bitboard, gone: Bitboard) -> bool {
        (self.attackers(king, self.turn.other(), occupied) & !gone).is_empty()
    }

    /// Whether a try is legal in this position. Announcements are not
    /// considered.
    ///
    /// The try does not have to be imaginable. A promotion must name the promotion role.
    pub fn is_legal(&self, t: Try) -> bool {
        self.is_legal_seen(t, self.man_of(t), &Seen::UNKNOWN)
    }

    /// Does the same as [`is_legal`](Position::is_legal), for a caller that knows `man` and `seen`.
    /// This function is faster: if the king is not in check and the man is not on a line of the
    /// king, the move cannot expose the king to check. Then no attack has to be computed.
    #[inline]
    pub fn is_legal_seen(&self, t: Try, man: Role, seen: &Seen) -> bool {
        match t {
            Try::Step {
                from,
                to,
                promotion,
            } => {
                let us = *self.sides.get(self.turn);
                if !us.contains(from) || us.contains(to) {
                    return false;
                }
                match man {
                    Role::Pawn => self.pawn_step_is_legal(from, to, promotion, seen),
                    Role::King => promotion.is_none() && self.king_step_is_legal(from, to),
                    Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {
                        promotion.is_none() && self.piece_step_is_legal(man, from, to, seen)
                    }
                }
            }
            Try::Drop { role, to } => self.drop_is_legal(role, to),
        }
    }

    fn piece_step_is_legal(&self, role: Role, from: Square, to: Square, seen: &Seen) -> bool {
        let occupied = self.occupied();
        let reach = match role {
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, occupied),
            Role::Rook => attacks::rook_attacks(from, occupied),
            Role::Queen | Role::King | Role::Pawn => attacks::queen_attacks(from, occupied),
        };
        reach.contains(to)
            && (seen.leaves_free(from) || self.king_safe_after(from, to, occupied, Bitboard::EMPTY))
    }

    /// Whether the own king is safe after a man moved from `from` to `to`. `also` contains the
    /// square of a pawn that was captured en passant; otherwise it is empty.
    pub(super) fn king_safe_after(
        &self,
        from: Square,
        to: Square,
        occupied: Bitboard,
        also: Bitboard,
    ) -> bool {
        let landing = Bitboard::from_square(to);
        let after = ((occupied & !Bitboard::from_square(from)) | landing) & !also;
        self.safe(self.king(self.turn), after, landing | also)
    }

    fn pawn_step_is_legal(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
        seen: &Seen,
    ) -> bool {
        let us = self.turn;
        let last = to.rank() == us.relative_rank(Rank::Eighth);
        let man_fits = match promotion {
            None => !last,
            Some(man) => last && !matches!(man, Role::Pawn | Role::King),
        };
        if !man_fits {
            return false;
        }
        let occupied = self.occupied();
        if attacks::pawn_attacks(us, from).contains(to) {
            if occupied.contains(to) {
                // If there is a man on `to`, it is an enemy man, because own men were excluded
                // before.
                seen.leaves_free(from) || self.king_safe_after(from, to, occupied, Bitboard::EMPTY)
            } else {
                self.passed == Some(to)
                    && self.king_safe_after(
                        from,
                        to,
                        occupied,
                        Bitboard::from_square(Square::from_coords(to.file(), from.rank())),
                    )
            }
        } else {
            from.file() == to.file()
                && self.push_reaches(from, to, occupied)
                && (seen.leaves_free(from)
                    || self.king_safe_after(from, to, occupied, Bitboard::EMPTY))
        }
    }

    fn push_reaches(&self, from: Square, to: Square, occupied: Bitboard) -> bool {
        let step = self.turn.fold_wb(8, -8);
        let one = Bitboard::from_square(from).shift(step) & !occupied;
        if one.contains(to) {
            return true;
        }
        from.rank() == self.turn.relative_rank(Rank::Second)
            && (one.shift(step) & !occupied).contains(to)
    }

    pub(super) fn king_step_is_legal(&self, from: Square, to: Square) -> bool {
        let occupied = self.occupied();
        if attacks::king_attacks(from).contains(to) {
            return self.safe(
                to,
                (occupied & !Bitboard::from_square(from)) | Bitboard::from_square(to),
                Bitboard::from_square(to),
            );
        }
        let rights = self.castling.get(self.turn);
        if rights.is_empty() {
            return false;
        }
        CastlingSide::ALL.into_iter().any(|side| {
            rights.has(side)
                && to == side.king_to(self.turn)
                && (attacks::between(from, corner(self.turn, side)) & occupied).is_empty()
                && (attacks::between(from, to)
                    | Bitboard::from_square(from)
                    | Bitboard::from_square(to))
                .into_iter()
                .all(|sq| self.safe(sq, occupied, Bitboard::EMPTY))
        })
    }

    fn drop_is_legal(&self, role: Role, to: Square) -> bool {
        let occupied = self.occupied();
        self.reserves.get(self.turn).count(role) > 0
            && !occupied.contains(to)
            && !(role == Role::Pawn && Bitboard::BACKRANKS.contains(to))
            && self.safe(
                self.king(self.turn),
                occupied | Bitboard::from_square(to),
                Bitboard::EMPTY,
            )
    }

    /// Whether the side to move has any legal move. `checkers` are the men that give check to its
    /// king. `lines` are the squares along ranks, files and diagonals from the king, up to the
    /// first man.
    pub(super) fn any_legal_seen(&self, checkers: Bitboard, lines: Bitboard) -> bool {
        let us = *self.sides.get(self.turn);
        let occupied = self.occupied();
        if checkers.is_empty() {
            // The king is not in check. So every move of a man that is on no line of the king is
            // legal. If there is such a move, the other men need not be examined.
            let free = us & !lines & !self.men.king;
            let pawns = self.men.pawn & free;
            if (pawns.shift(self.turn.fold_wb(8, -8)) & !occupied).any() {
                return true;
            }
            if (self.men.knight & free)
                .into_iter()
                .any(|from| (attacks::knight_attacks(from) & !us).any())
            {
                return true;
            }
            if ((self.men.rook | self.men.queen) & free)
                .into_iter()
                .any(|from| (attacks::rook_attacks(from, occupied) & !us).any())
            {
                return true;
            }
        }
        self.any_legal_slowly(|_| true)
    }

    /// Whether the side to move has any legal move. This function is slower than
    /// `any_move_seen`.
    pub fn any_legal(&self) -> bool {
        self.any_legal_slowly(|_| true)
    }

    /// Whether the side to move has a legal move that is not a pawn capture.
    pub fn any_legal_but_pawn_captures(&self) -> bool {
        self.any_legal_slowly(|t| match t {
            Try::Step { from, to, .. } => !self.men.pawn.contains(from) || from.file() == to.file(),
            Try::Drop { .. } => true,
        })
    }

    fn any_legal_slowly(&self, wanted: impl Fn(Try) -> bool) -> bool {
        let mut found = false;
        self.each_candidate(|t| {
            found = wanted(t) && self.is_legal(t);
            found
        });
        found
    }

    /// Lists every legal try, in no particular order. Only for tests and tools: the referee itself
    /// does not build such a list.
    pub fn legal_tries(&self) -> Vec<Try> {
        let mut all = Vec::new();
        self.each_candidate(|t| {
            if self.is_legal(t) {
                all.push(t);
            }
            false
        });
        all
    }

    /// Calls `stop` with every try that could be legal, until `stop` returns
    /// true.
    fn each_candidate(&self, mut stop: impl FnMut(Try) -> bool) {
        let us = *self.sides.get(self.turn);
        let occupied = self.occupied();
        let king = self.king(self.turn);
        let mut king_targets = attacks::king_attacks(king) & !us;
        for side in CastlingSide::ALL {
            if self.castling.get(self.turn).has(side) {
                king_targets.add(side.king_to(self.turn));
            }
        }
        for to in king_targets {
            if stop(Try::step(king, to)) {
                return;
            }
        }
        for from in us & !self.men.king {
            let Some(role) = self.role_at(from) else {
                continue;
            };
            let targets = match role {
                Role::Pawn => {
                    let step = self.turn.fold_wb(8, -8);
                    let one = Bitboard::from_square(from).shift(step);
                    let two = if from.rank() == self.turn.relative_rank(Rank::Second) {
                        one.shift(step)
                    } else {
                        Bitboard::EMPTY
                    };
                    one | two | attacks::pawn_attacks(self.turn, from)
                }
                Role::Knight => attacks::knight_attacks(from),
                Role::Bishop => attacks::bishop_attacks(from, occupied),
                Role::Rook => attacks::rook_attacks(from, occupied),
                Role::Queen | Role::King => attacks::queen_attacks(from, occupied),
            };
            for to in targets & !us {
                if role == Role::Pawn && to.rank() == self.turn.relative_rank(Rank::Eighth) {
                    for man in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                        if stop(Try::Step {
                            from,
                            to,
                            promotion: Some(man),
                        }) {
                            return;
                        }
                    }
                } else if stop(Try::step(from, to)) {
                    return;
                }
            }
        }
        for (role, _) in self.reserves.get(self.turn).iter() {
            for to in !occupied {
                if stop(Try::Drop { role, to }) {
                    return;
                }
            }
        }
    }
}
