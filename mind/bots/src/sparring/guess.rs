//! A position that may be on the board.

use rules::{
    Direction, Directions, Own, Try,
    chess::{Bitboard, CastlingSide, Rank, Role, Square, attacks},
};

/// A position that may be on the board. Our men are known, the men of the other
/// side are guessed.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(crate) struct Guess {
    /// Men of the side to move.
    pub mover: Own,
    /// Men of the side that is not to move.
    pub other: Own,
    /// The square that a pawn has just passed by a double step. This pawn may be captured en
    /// passant on this square.
    pub passed: Option<Square>,
}

/// A man captured by a move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Taken {
    /// Square of the man before the capture.
    pub square: Square,
    /// Role of the man.
    pub role: Role,
}

/// The pawn captures that are legal in a guess.
#[derive(Copy, Clone, Default)]
pub(crate) struct PawnCaptures {
    /// Number of captures. A capture that promotes is counted once, not once for each promotion
    /// role.
    pub count: u8,
    /// Target squares of the captures.
    pub landings: Bitboard,
    /// Squares that are the target of two different captures.
    pub doubles: Bitboard,
    /// Origin squares of the captures.
    pub origins: Bitboard,
}

/// Returns the men of a side that attack a square.
pub(crate) fn attackers(side: &Own, square: Square, occupied: Bitboard) -> Bitboard {
    let men = &side.men;
    (attacks::knight_attacks(square) & men.knight)
        | (attacks::king_attacks(square) & men.king)
        | (attacks::pawn_attacks(side.color.other(), square) & men.pawn)
        | (attacks::bishop_attacks(square, occupied) & (men.bishop | men.queen))
        | (attacks::rook_attacks(square, occupied) & (men.rook | men.queen))
}

/// Returns the squares that a man attacks.
pub(crate) fn reach(side: &Own, role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    attacks::attacks(from, role.of(side.color), occupied)
}

/// Returns all squares that a side attacks.
pub(crate) fn attacked(side: &Own, occupied: Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for (role, squares) in side.men.zip_role() {
        for from in squares {
            all |= reach(side, role, from, occupied);
        }
    }
    all
}

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Guess {
    /// Returns the squares of all men.
    pub fn occupied(&self) -> Bitboard {
        self.mover.all() | self.other.all()
    }

    /// Returns the men that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.mover.king().map_or(Bitboard::EMPTY, |king| {
            attackers(&self.other, king, self.occupied())
        })
    }

    /// Returns the directions of the check; no direction if there is no check.
    pub fn directions(&self) -> Directions {
        match self.mover.king() {
            None => Directions::NONE,
            Some(king) => self
                .checkers()
                .into_iter()
                .map(|checker| Direction::of(king, checker))
                .collect(),
        }
    }

    /// Returns whether the position is possible. Both kings are on the board, no square has two
    /// men, no pawn is on the first or last rank, and the side that has just moved is not in check.
    pub fn is_possible(&self) -> bool {
        let Some(king) = self.other.king() else {
            return false;
        };
        self.mover.king().is_some()
            && (self.mover.all() & self.other.all()).is_empty()
            && ((self.mover.men.pawn | self.other.men.pawn) & Bitboard::BACKRANKS).is_empty()
            && attackers(&self.mover, king, self.occupied()).is_empty()
    }

    /// Plays a try. Returns the new position and the man that the try captured, if it captured one.
    /// Returns `None` if the try is not legal in this guess. In the new position, `mover` and
    /// `other` are swapped.
    pub fn play(&self, t: Try) -> Option<(Guess, Option<Taken>)> {
        let (mut mover, mut other) = (self.mover, self.other);
        let (mut taken, mut passed) = (None, None);
        let occupied = self.occupied();
        match t {
            Try::Drop { role, to } => {
                let last = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
                if occupied.contains(to) || last || self.mover.reserve.count(role) == 0 {
                    return None;
                }
            }
            Try::Step { from, to, .. } => {
                let role = mover.role_at(from)?;
                if mover.all().contains(to) {
                    return None;
                }
                let mut stood = to;
                match role {
                    Role::Pawn => {
                        if attacks::pawn_attacks(mover.color, from).contains(to) {
                            if self.passed == Some(to) {
                                stood = Square::from_coords(to.file(), from.rank());
                            }
                            if !other.all().contains(stood) {
                                return None;
                            }
                        } else if !mover.pawn_pushes(from, occupied).contains(to) {
                            return None;
                        } else if from.rank().distance(to.rank()) == 2 {
                            passed = attacks::between(from, to).first();
                        }
                    }
                    Role::King if from.file().distance(to.file()) == 2 => {
                        if !self.may_castle(from, to) {
                            return None;
                        }
                    }
                    Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                        if !reach(&mover, role, from, occupied).contains(to) {
                            return None;
                        }
                    }
                }
                if let Some(role) = other.role_at(stood) {
                    if role == Role::King {
                        return None;
                    }
                    other.lose(stood);
                    taken = Some(Taken {
                        square: stood,
                        role,
                    });
                }
            }
        }
        mover.play(t);
        let king = mover.king()?;
        let unsafe_king = attackers(&other, king, mover.all() | other.all()).any();
        (!unsafe_king).then_some((
            Guess {
                mover: other,
                other: mover,
                passed,
            },
            taken,
        ))
    }

    fn may_castle(&self, from: Square, to: Square) -> bool {
        let side = CastlingSide::from_king_side(to.file() > from.file());
        let corner = rules::corner(self.mover.color, side);
        let occupied = self.occupied();
        let way = attacks::between(from, to)
            .with(to)
            .with(from)
            .into_iter()
            .all(|square| attackers(&self.other, square, occupied).is_empty());
        self.mover.castling.has(side)
            && (attacks::between(from, corner) & occupied).is_empty()
            && way
    }

    /// Tests the moves of the side to move whose target square is in `landings`. Returns whether
    /// `wanted` is true for at least one of them. The tested moves may be illegal in two ways: the
    /// king is left in check, or the other side prevents castling. Drops are not tested.
    pub fn any(&self, landings: Bitboard, mut wanted: impl FnMut(Try) -> bool) -> bool {
        let (mover, occupied) = (&self.mover, self.occupied());
        let passed = self.passed.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let allowed = landings & !mover.all();
        let prey = self.other.all() | passed;
        let last_rank = Bitboard::from_rank(mover.last_rank());
        for from in mover.men.pawn {
            let targets = (mover.pawn_pushes(from, occupied)
                | (attacks::pawn_attacks(mover.color, from) & prey))
                & allowed;
            for to in targets & !last_rank {
                if wanted(Try::step(from, to)) {
                    return true;
                }
            }
            for to in targets & last_rank {
                for role in PROMOTIONS {
                    if wanted(Try::Step {
                        from,
                        to,
                        promotion: Some(role),
                    }) {
                        return true;
                    }
                }
            }
        }
        for (role, squares) in mover.men.zip_role().into_iter().skip(1) {
            for from in squares {
                for to in reach(mover, role, from, occupied) & allowed {
                    if wanted(Try::step(from, to)) {
                        return true;
                    }
                }
            }
        }
        if let Some(king) = mover.king() {
            for to in mover.castling_targets() & allowed {
                if wanted(Try::step(king, to)) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns whether the side to move has a legal move, a drop included.
    pub fn can_move(&self) -> bool {
        if self.any(Bitboard::FULL, |t| self.play(t).is_some()) {
            return true;
        }
        self.mover.reserve.iter().any(|(role, _)| {
            (!self.occupied())
                .into_iter()
                .any(|to| self.play(Try::Drop { role, to }).is_some())
        })
    }

    /// Returns the legal pawn captures of the side to move.
    pub fn pawn_captures(&self) -> PawnCaptures {
        let mut all = PawnCaptures::default();
        let passed = self.passed.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let prey = self.other.all() | passed;
        let last_rank = self.mover.last_rank();
        for from in self.mover.men.pawn {
            for to in attacks::pawn_attacks(self.mover.color, from) & prey {
                let promotion = (to.rank() == last_rank).then_some(Role::Queen);
                let t = Try::Step {
                    from,
                    to,
                    promotion,
                };
                if self.play(t).is_some() {
                    all.count += 1;
                    if all.landings.contains(to) {
                        all.doubles.add(to);
                    }
                    all.landings.add(to);
                    all.origins.add(from);
                }
            }
        }
        all
    }

    /// Returns a hash value: equal guesses have equal values.
    pub fn key(&self) -> u64 {
        let mut key = 0x9e37_79b9_7f4a_7c15_u64;
        for side in [&self.mover, &self.other] {
            key = mix(key ^ config_key(side));
        }
        mix(key ^ self.passed.map_or(64, |square| u64::from(square.to_u32())))
    }
}

/// Returns a hash value of the men and castling rights of one side.
pub(crate) fn config_key(side: &Own) -> u64 {
    let key = side.men.iter().fold(1, |key, men| mix(key ^ men.0));
    mix(key ^ u64::from(side.castling.bits()))
}

fn mix(key: u64) -> u64 {
    let key = (key ^ (key >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (key ^ (key >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Returns the number of ranks between a square and the rank where pawns of this side promote.
pub(crate) fn ranks_to_go(side: &Own, square: Square) -> u32 {
    side.color
        .relative_rank(Rank::Eighth)
        .distance(square.rank())
}
