//! Facts about a position that may be announced: check directions, pawn tries,
//! mate.

use rules::{
    Direction, Directions, Try,
    chess::{Bitboard, Color, Rank, Role, Square, attacks},
};

use crate::position::Position;

/// The legal pawn captures of the side to move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct PawnTryFacts {
    /// Number of captures: the number of different pairs of origin and target. A capture that
    /// promotes counts once.
    pub count: u8,
    /// Target squares of the captures.
    pub landings: Bitboard,
    /// Target squares that two pawns can reach. These squares are also in `landings`.
    pub doubles: Bitboard,
    /// Origin squares of the captures.
    pub origins: Bitboard,
}

impl PawnTryFacts {
    fn add(&mut self, from: Square, to: Square) {
        self.count += 1;
        if self.landings.contains(to) {
            self.doubles.add(to);
        }
        self.landings.add(to);
        self.origins.add(from);
    }
}

/// Facts about the side to move. The announcements are made from these facts.
#[derive(Copy, Clone, Debug)]
pub struct Facts {
    /// Directions from which the king is in check; empty if it is not in check.
    pub check: Directions,
    /// Whether there is any legal move.
    pub any_legal: bool,
    /// The checkers and the open lines of the king, from which the other two fields were computed.
    pub seen: Seen,
}

/// Checkers and open lines of the king of the side to move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Seen {
    /// The enemy men that give check.
    checkers: Bitboard,
    /// The squares along ranks, files and diagonals from the king, up to and
    /// including the first man.
    lines: Bitboard,
}

impl Seen {
    /// A value for callers that have not computed the lines. With this value, every man counts as a
    /// man that may be on a line of the king.
    pub(crate) const UNKNOWN: Seen = Seen {
        checkers: Bitboard::EMPTY,
        lines: Bitboard::FULL,
    };

    /// Whether the man on `from` is free to move: the king is not in check, and no move of this man
    /// can bring the king into check.
    #[inline]
    pub fn leaves_free(&self, from: Square) -> bool {
        self.checkers.is_empty() && !self.lines.contains(from)
    }
}

impl Position {
    /// Returns the directions of the check against the side to move.
    pub fn check_directions(&self) -> Directions {
        self.directions_of(self.checkers())
    }

    /// Returns the directions of the check against the side to move. `seen` must be the result of
    /// [`Position::seen`].
    #[inline]
    pub fn directions_seen(&self, seen: &Seen) -> Directions {
        self.directions_of(seen.checkers)
    }

    /// Whether the side to move has any legal move. `seen` must be the result of
    /// [`Position::seen`].
    #[inline]
    pub fn any_move_seen(&self, seen: &Seen) -> bool {
        self.any_legal_seen(seen.checkers, seen.lines)
    }

    fn directions_of(&self, checkers: Bitboard) -> Directions {
        if checkers.is_empty() {
            return Directions::NONE;
        }
        let king = self.king(self.turn);
        checkers
            .into_iter()
            .map(|from| Direction::of(king, from))
            .collect()
    }

    /// Computes the lines of the king of the side to move, and the men that
    /// check this king.
    pub fn seen(&self) -> Seen {
        let king = self.king(self.turn);
        let occupied = self.occupied();
        let m = &self.men;
        let straight = attacks::rook_attacks(king, occupied);
        let slanted = attacks::bishop_attacks(king, occupied);
        let checkers = *self.sides.get(self.turn.other())
            & ((straight & (m.rook | m.queen))
                | (slanted & (m.bishop | m.queen))
                | (attacks::knight_attacks(king) & m.knight)
                | (attacks::pawn_attacks(self.turn, king) & m.pawn));
        Seen {
            checkers,
            lines: straight | slanted,
        }
    }

    /// Computes check and mate together, so that the king's lines are looked up
    /// only once.
    pub fn facts(&self) -> Facts {
        let seen = self.seen();
        Facts {
            check: self.directions_of(seen.checkers),
            any_legal: self.any_legal_seen(seen.checkers, seen.lines),
            seen,
        }
    }

    /// Returns three facts about the side to move: the directions of the check against it, its
    /// legal pawn captures, and whether it has any legal move. One call is cheaper than three
    /// separate calls.
    pub fn announcements(&self) -> (Directions, PawnTryFacts, bool) {
        let facts = self.facts();
        (
            facts.check,
            self.pawn_tries_seen(&facts.seen),
            facts.any_legal,
        )
    }

    /// Computes the legal pawn captures of the side to move.
    pub fn pawn_tries(&self) -> PawnTryFacts {
        self.pawn_tries_seen(&self.seen())
    }

    /// Computes the legal pawn captures of the side to move. `seen` must be the result of
    /// [`Position::seen`].
    pub fn pawn_tries_seen(&self, seen: &Seen) -> PawnTryFacts {
        let us = self.turn;
        let pawns = self.men.pawn & *self.sides.get(us);
        let them = *self.sides.get(us.other());
        let ready = self.passed.map_or(Bitboard::EMPTY, |sq| {
            pawns & attacks::pawn_attacks(us.other(), sq)
        });
        let west_from = pawns & !Bitboard::from_file(rules::chess::File::A);
        let east_from = pawns & !Bitboard::from_file(rules::chess::File::H);
        let (west, east, west_step, east_step) = match us {
            Color::White => (west_from.shift(7) & them, east_from.shift(9) & them, 7, 9),
            Color::Black => (
                west_from.shift(-9) & them,
                east_from.shift(-7) & them,
                -9,
                -7,
            ),
        };
        if (west | east | ready).is_empty() {
            return PawnTryFacts::default();
        }
        let origins = west.shift(-west_step) | east.shift(-east_step);
        if seen.checkers.is_empty() && ready.is_empty() && (origins & seen.lines).is_empty() {
            return PawnTryFacts {
                count: (west.count() + east.count()) as u8,
                landings: west | east,
                doubles: west & east,
                origins,
            };
        }
        let mut tries = PawnTryFacts::default();
        let mut ask = |from: Square, to: Square| {
            let promotion = (to.rank() == us.relative_rank(Rank::Eighth)).then_some(Role::Queen);
            if self.is_legal(Try::Step {
                from,
                to,
                promotion,
            }) {
                tries.add(from, to);
            }
        };
        for from in origins | ready {
            let mut targets = attacks::pawn_attacks(us, from) & them;
            if let Some(passed) = self.passed
                && ready.contains(from)
            {
                targets.add(passed);
            }
            for to in targets {
                ask(from, to);
            }
        }
        tries
    }

    /// Whether there is too little material to mate. The three cases are: king against king, king
    /// and one minor piece against king, and kings with bishops that are all on squares of one
    /// colour.
    pub fn is_dead_material(&self) -> bool {
        let m = &self.men;
        if (m.pawn | m.rook | m.queen).any() {
            return false;
        }
        let minors = m.knight | m.bishop;
        !minors.more_than_one()
            || (m.knight.is_empty()
                && ((m.bishop & Bitboard::DARK_SQUARES).is_empty()
                    || (m.bishop & Bitboard::LIGHT_SQUARES).is_empty()))
    }

    /// Whether each side has at most one knight or bishop besides its king.
    pub fn is_one_minor_each(&self) -> bool {
        let m = &self.men;
        (m.pawn | m.rook | m.queen).is_empty()
            && [self.sides.white, self.sides.black]
                .into_iter()
                .all(|side| !((m.knight | m.bishop) & side).more_than_one())
    }

    /// Whether a side has only its king: no other man on the board, and an
    /// empty reserve.
    pub fn is_bare(&self, color: Color) -> bool {
        !self.sides.get(color).more_than_one() && self.reserves.get(color).is_empty()
    }
}
