//! The part of the verdict that depends only on the mover's own men
//! (specification, sections 1.1 and 1.2).

use rules::{
    Direction, Directions, PromotionMan, Try,
    chess::{Color, Role, Square},
};

use super::{
    check::direction,
    mailbox::{
        PROMOTIONS, Position, Side, back_rank, forward, is_line_clear, known, last_rank, off,
        pawn_home, place,
    },
};

/// The men and rights of one side, and nothing of the other side.
#[derive(Clone, Debug)]
pub(super) struct Mine {
    pub color: Color,
    pub cells: [Option<Role>; 64],
    pub side: Side,
}

impl Mine {
    /// Takes the men and rights of one side from a position.
    pub(super) fn of(position: &Position, color: Color) -> Mine {
        let mut cells = [None; 64];
        for (sq, man) in position.men(color) {
            cells[usize::from(sq)] = Some(man.role);
        }
        Mine {
            color,
            cells,
            side: position.sides.get(color).clone(),
        }
    }

    pub(super) fn at(&self, sq: Square) -> Option<Role> {
        self.cells[usize::from(sq)]
    }

    pub(super) fn king(&self) -> Option<Square> {
        Square::ALL
            .into_iter()
            .find(|sq| self.at(*sq) == Some(Role::King))
    }

    pub(super) fn has_pawns(&self) -> bool {
        self.cells.contains(&Some(Role::Pawn))
    }

    /// Whether a try is a diagonal step forward of an own pawn. The content of
    /// the target square makes no difference.
    pub(super) fn is_pawn_capture(&self, t: Try) -> bool {
        let Try::Step { from, to, .. } = t else {
            return false;
        };
        let ((f1, r1), (f2, r2)) = (place(from), place(to));
        self.at(from) == Some(Role::Pawn) && (f1 - f2).abs() == 1 && r2 - r1 == forward(self.color)
    }

    /// Whether a try is the king's step of two squares along its rank.
    pub(super) fn is_castling(&self, t: Try) -> bool {
        let Try::Step { from, to, .. } = t else {
            return false;
        };
        let ((f1, r1), (f2, r2)) = (place(from), place(to));
        self.at(from) == Some(Role::King) && r1 == r2 && (f1 - f2).abs() == 2
    }

    /// Adds the default promotion of the ruleset, if the try is a promotion
    /// that names no man.
    pub(super) fn with_default(&self, t: Try, rule: PromotionMan) -> Try {
        let supplied = match rule {
            PromotionMan::Named => None,
            PromotionMan::QueenUnlessNamed | PromotionMan::QueenOnly => Some(Role::Queen),
        };
        match t {
            Try::Step {
                from,
                to,
                promotion: None,
            } if self.at(from) == Some(Role::Pawn) && place(to).1 == last_rank(self.color) => {
                Try::Step {
                    from,
                    to,
                    promotion: supplied,
                }
            }
            Try::Step { .. } | Try::Drop { .. } => t,
        }
    }

    /// Whether a try is imaginable (specification, section 1.1). The default
    /// promotion must have been added.
    pub(super) fn imaginable(&self, t: Try, rule: PromotionMan) -> bool {
        match t {
            Try::Drop { role, to } => {
                let rank = place(to).1;
                let barred = role == Role::Pawn && (rank == 0 || rank == 7);
                self.side.reserve.contains(&role) && self.at(to).is_none() && !barred
            }
            Try::Step {
                from,
                to,
                promotion,
            } => {
                let Some(role) = self.at(from) else {
                    return false;
                };
                let due = role == Role::Pawn && place(to).1 == last_rank(self.color);
                let named_well = match (due, promotion) {
                    (false, None) => true,
                    (true, Some(man)) => match rule {
                        PromotionMan::Named | PromotionMan::QueenUnlessNamed => {
                            PROMOTIONS.contains(&man)
                        }
                        PromotionMan::QueenOnly => man == Role::Queen,
                    },
                    (false, Some(_)) | (true, None) => false,
                };
                named_well && self.at(to).is_none() && self.moves_so(role, from, to)
            }
        }
    }

    /// Whether a man of this role could move from `from` to `to` if there were no enemy men. Own
    /// men can block the way.
    fn moves_so(&self, role: Role, from: Square, to: Square) -> bool {
        let ((f1, r1), (f2, r2)) = (place(from), place(to));
        let (df, dr) = (f2 - f1, r2 - r1);
        let (files, ranks) = (df.abs(), dr.abs());
        let straight = (files == 0) != (ranks == 0);
        let diagonal = files == ranks && files != 0;
        let ahead = forward(self.color);
        match role {
            Role::Pawn => {
                let one = df == 0 && dr == ahead;
                let two = df == 0
                    && dr == 2 * ahead
                    && r1 == pawn_home(self.color)
                    && self.clear_between(from, to);
                let capture = files == 1 && dr == ahead;
                one || two || capture
            }
            Role::Knight => (files, ranks) == (1, 2) || (files, ranks) == (2, 1),
            Role::Bishop => diagonal && self.clear_between(from, to),
            Role::Rook => straight && self.clear_between(from, to),
            Role::Queen => (straight || diagonal) && self.clear_between(from, to),
            Role::King => (files.max(ranks) == 1) || self.may_castle(from, to),
        }
    }

    /// Whether no own man is between two squares of a line.
    fn clear_between(&self, from: Square, to: Square) -> bool {
        is_line_clear(from, to, |sq| self.at(sq).is_none())
    }

    /// Whether there is a castling right for this step, and no own man is
    /// between king and rook.
    fn may_castle(&self, from: Square, to: Square) -> bool {
        let rank = back_rank(self.color);
        let free = |files: &[i32]| files.iter().all(|f| self.at(known(*f, rank)).is_none());
        if from != known(4, rank) {
            false
        } else if to == known(6, rank) {
            self.side.king_wing && free(&[5, 6])
        } else if to == known(2, rank) {
            self.side.queen_wing && free(&[1, 2, 3])
        } else {
            false
        }
    }

    /// Lists every imaginable try, sorted by its text.
    pub(super) fn all_imaginable(&self, rule: PromotionMan) -> Vec<Try> {
        let mut all = Vec::new();
        let promotions: Vec<Option<Role>> =
            [None].into_iter().chain(PROMOTIONS.map(Some)).collect();
        for from in Square::ALL {
            if self.at(from).is_none() {
                continue;
            }
            for to in Square::ALL {
                for promotion in &promotions {
                    all.push(Try::Step {
                        from,
                        to,
                        promotion: *promotion,
                    });
                }
            }
        }
        for role in Role::ALL {
            for to in Square::ALL {
                all.push(Try::Drop { role, to });
            }
        }
        all.retain(|t| self.imaginable(*t, rule));
        all.sort_by_cached_key(Try::to_string);
        all
    }

    /// Whether a try can end the announced check (specification, section 1.2).
    pub(super) fn can_answer(&self, announced: Directions, t: Try) -> bool {
        let Some(king) = self.king() else {
            return true;
        };
        if let Try::Step { from, .. } = t
            && from == king
        {
            return !self.is_castling(t);
        }
        let told: Vec<Direction> = announced.iter().collect();
        let [told] = told[..] else {
            return false;
        };
        self.line(king, told).contains(&t.to()) || self.takes_checking_passer(king, told, t)
    }

    /// Returns the squares that lie in the direction `told` from the king. On each side of the
    /// king, the squares end with the first own man, which is included.
    fn line(&self, king: Square, told: Direction) -> Vec<Square> {
        let mut squares = Vec::new();
        if told == Direction::Knight {
            for sq in Square::ALL {
                let ((f1, r1), (f2, r2)) = (place(king), place(sq));
                let (files, ranks) = ((f1 - f2).abs(), (r1 - r2).abs());
                if (files, ranks) == (1, 2) || (files, ranks) == (2, 1) {
                    squares.push(sq);
                }
            }
            return squares;
        }
        for (df, dr) in [
            (1, 0),
            (-1, 0),
            (0, 1),
            (0, -1),
            (1, 1),
            (-1, -1),
            (1, -1),
            (-1, 1),
        ] {
            let mut here = king;
            while let Some(next) = off(here, df, dr) {
                if direction(king, next) == told {
                    squares.push(next);
                }
                if self.at(next).is_some() {
                    break;
                }
                here = next;
            }
        }
        squares
    }

    /// Whether the try is a pawn capture from the fifth rank that could capture
    /// the checking pawn en passant. The captured pawn's square must have no
    /// own man and must be next to the king, on the announced diagonal.
    fn takes_checking_passer(&self, king: Square, told: Direction, t: Try) -> bool {
        let Try::Step { from, to, .. } = t else {
            return false;
        };
        let fifth = match self.color {
            Color::White => 4,
            Color::Black => 3,
        };
        if !self.is_pawn_capture(t) || place(from).1 != fifth {
            return false;
        }
        let passed = known(place(to).0, place(from).1);
        let (kf, kr) = place(king);
        let (pf, pr) = place(passed);
        let next_diagonally = (kf - pf).abs() == 1 && (kr - pr).abs() == 1;
        self.at(passed).is_none() && next_diagonally && direction(king, passed) == told
    }
}
