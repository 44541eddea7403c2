//! Chess rules of the oracle, on a board of 64 cells.
//!
//! The code is simple on purpose, without tables and bitboards. A move is legal under two
//! conditions: a man of its role can move in this way, and the own king is not attacked after the
//! move.

use rules::{
    Try,
    chess::{ByColor, Color, Role, Square},
};

/// A man on the board.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Man {
    pub color: Color,
    pub role: Role,
    /// Whether the man is a promoted pawn.
    pub promoted: bool,
}

/// Rights and reserve of a side.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Side {
    /// Whether the side may castle towards the h file.
    pub king_wing: bool,
    /// Whether the side may castle towards the a file.
    pub queen_wing: bool,
    /// Captured men that the side may drop.
    pub reserve: Vec<Role>,
}

/// The true position.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct Position {
    pub cells: [Option<Man>; 64],
    pub turn: Color,
    pub sides: ByColor<Side>,
    /// The square that a pawn has just passed by a double step.
    pub passed: Option<Square>,
    /// Half-moves since the last capture, pawn move or drop of a pawn.
    pub quiet: u32,
    /// Number of the move, from 1.
    pub number: u32,
    /// Whether captured men can be dropped by the capturer.
    pub drops: bool,
}

/// Effects of a move, for the announcements.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Done {
    /// The captured man and its square.
    pub captured: Option<(Square, Man)>,
    pub en_passant: bool,
    pub promoted: bool,
    pub dropped: Option<Role>,
    pub castled: bool,
}

/// The roles to which a pawn can promote.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

const ROOK_WAYS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_WAYS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT_STEPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// Returns file and rank of a square, each from 0.
pub(super) fn place(sq: Square) -> (i32, i32) {
    let index = u32::from(sq) as i32;
    (index % 8, index / 8)
}

/// Returns the square of a file and a rank, each from 0; `None` if it is off
/// the board.
pub(super) fn square(file: i32, rank: i32) -> Option<Square> {
    if (0..8).contains(&file) && (0..8).contains(&rank) {
        Some(Square::new((rank * 8 + file) as u32))
    } else {
        None
    }
}

/// Returns the square that is `files` files and `ranks` ranks away from `sq`; `None` if it is off
/// the board.
pub(super) fn off(sq: Square, files: i32, ranks: i32) -> Option<Square> {
    let (f, r) = place(sq);
    square(f + files, r + ranks)
}

/// Returns what a pawn's step adds to its rank: 1 for White, -1 for Black.
pub(super) fn forward(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Returns the rank, from 0, on which a side's pawns start and may move two squares.
pub(super) fn pawn_home(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => 6,
    }
}

/// Returns the rank, from 0, on which a side's king and rooks start.
pub(super) fn back_rank(color: Color) -> i32 {
    match color {
        Color::White => 0,
        Color::Black => 7,
    }
}

/// Returns the rank, from 0, on which a side's pawns promote.
pub(super) fn last_rank(color: Color) -> i32 {
    back_rank(!color)
}

/// Returns the square of a file and a rank. Both must be on the board.
pub(super) fn known(file: i32, rank: i32) -> Square {
    square(file, rank).expect("the file and rank of a square that exists")
}

/// Whether all squares between two squares of a line are empty.
pub(super) fn is_line_clear(from: Square, to: Square, is_empty: impl Fn(Square) -> bool) -> bool {
    let ((f1, r1), (f2, r2)) = (place(from), place(to));
    let (df, dr) = ((f2 - f1).signum(), (r2 - r1).signum());
    let (mut f, mut r) = (f1 + df, r1 + dr);
    while (f, r) != (f2, r2) {
        if !is_empty(known(f, r)) {
            return false;
        }
        (f, r) = (f + df, r + dr);
    }
    true
}

impl Position {
    pub(super) fn at(&self, sq: Square) -> Option<Man> {
        self.cells[usize::from(sq)]
    }

    pub(super) fn put(&mut self, sq: Square, man: Option<Man>) {
        self.cells[usize::from(sq)] = man;
    }

    /// Returns the men of a side, with their squares.
    pub(super) fn men(&self, color: Color) -> impl Iterator<Item = (Square, Man)> {
        Square::ALL
            .into_iter()
            .zip(self.cells)
            .filter_map(|(sq, man)| Some((sq, man?)))
            .filter(move |(_, man)| man.color == color)
    }

    pub(super) fn king(&self, color: Color) -> Option<Square> {
        self.men(color)
            .find(|(_, man)| man.role == Role::King)
            .map(|(sq, _)| sq)
    }

    /// Returns the squares that a man on `from` reaches in the directions `ways`. In each
    /// direction, the first square with another man is the last square.
    fn runs(&self, from: Square, ways: &[(i32, i32)]) -> Vec<Square> {
        let mut reached = Vec::new();
        for &(df, dr) in ways {
            let mut here = from;
            while let Some(next) = off(here, df, dr) {
                reached.push(next);
                if self.at(next).is_some() {
                    break;
                }
                here = next;
            }
        }
        reached
    }

    /// Returns the squares that the man on `from` attacks.
    pub(super) fn attacks(&self, from: Square) -> Vec<Square> {
        let Some(man) = self.at(from) else {
            return Vec::new();
        };
        let steps = |steps: &[(i32, i32)]| -> Vec<Square> {
            steps
                .iter()
                .filter_map(|&(df, dr)| off(from, df, dr))
                .collect()
        };
        let every_way = [ROOK_WAYS, BISHOP_WAYS].concat();
        match man.role {
            Role::Pawn => steps(&[(-1, forward(man.color)), (1, forward(man.color))]),
            Role::Knight => steps(&KNIGHT_STEPS),
            Role::Bishop => self.runs(from, &BISHOP_WAYS),
            Role::Rook => self.runs(from, &ROOK_WAYS),
            Role::Queen => self.runs(from, &every_way),
            Role::King => steps(&every_way),
        }
    }

    fn is_line_clear(&self, from: Square, to: Square) -> bool {
        is_line_clear(from, to, |sq| self.at(sq).is_none())
    }

    /// Whether a man on `from` attacks a square. Agrees with [`Position::attacks`], but makes no
    /// list.
    fn attacks_square(&self, from: Square, man: Man, sq: Square) -> bool {
        let ((f1, r1), (f2, r2)) = (place(from), place(sq));
        let (files, ranks) = ((f2 - f1).abs(), (r2 - r1).abs());
        let straight = (files == 0) != (ranks == 0);
        let diagonal = files == ranks && files > 0;
        match man.role {
            Role::Pawn => files == 1 && r2 - r1 == forward(man.color),
            Role::Knight => (files, ranks) == (1, 2) || (files, ranks) == (2, 1),
            Role::Bishop => diagonal && self.is_line_clear(from, sq),
            Role::Rook => straight && self.is_line_clear(from, sq),
            Role::Queen => (straight || diagonal) && self.is_line_clear(from, sq),
            Role::King => files.max(ranks) == 1,
        }
    }

    /// Returns the squares of the men of `by` that attack a square.
    pub(super) fn attackers(&self, sq: Square, by: Color) -> impl Iterator<Item = Square> {
        self.men(by)
            .filter(move |(from, man)| self.attacks_square(*from, *man, sq))
            .map(|(from, _)| from)
    }

    pub(super) fn is_attacked(&self, sq: Square, by: Color) -> bool {
        self.attackers(sq, by).next().is_some()
    }

    /// Returns the squares of the men that check a side's king.
    pub(super) fn checkers(&self, color: Color) -> Vec<Square> {
        self.king(color)
            .map_or(Vec::new(), |king| self.attackers(king, !color).collect())
    }

    pub(super) fn in_check(&self, color: Color) -> bool {
        self.king(color)
            .is_some_and(|king| self.is_attacked(king, !color))
    }

    /// Lists the steps and drops of the player to move, including moves after
    /// which the own king is attacked.
    fn candidates(&self) -> Vec<Try> {
        let us = self.turn;
        let mut all = Vec::new();
        for (from, man) in self.men(us) {
            match man.role {
                Role::Pawn => self.pawn_candidates(from, &mut all),
                Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                    for to in self.attacks(from) {
                        if self.at(to).is_none_or(|other| other.color != us) {
                            all.push(Try::step(from, to));
                        }
                    }
                }
            }
        }
        self.castlings(&mut all);
        if self.drops {
            self.drop_candidates(&mut all);
        }
        all
    }

    fn pawn_candidates(&self, from: Square, all: &mut Vec<Try>) {
        let us = self.turn;
        let ahead = forward(us);
        let mut targets = Vec::new();
        if let Some(one) = off(from, 0, ahead)
            && self.at(one).is_none()
        {
            targets.push(one);
            if place(from).1 == pawn_home(us)
                && let Some(two) = off(from, 0, 2 * ahead)
                && self.at(two).is_none()
            {
                targets.push(two);
            }
        }
        for to in self.attacks(from) {
            let enemy = self.at(to).is_some_and(|man| man.color != us);
            if enemy || (self.passed == Some(to) && self.at(to).is_none()) {
                targets.push(to);
            }
        }
        for to in targets {
            if place(to).1 == last_rank(us) {
                for role in PROMOTIONS {
                    all.push(Try::Step {
                        from,
                        to,
                        promotion: Some(role),
                    });
                }
            } else {
                all.push(Try::step(from, to));
            }
        }
    }

    fn castlings(&self, all: &mut Vec<Try>) {
        let us = self.turn;
        let rank = back_rank(us);
        let empty = |files: &[i32]| files.iter().all(|f| self.at(known(*f, rank)).is_none());
        let safe = |files: &[i32]| {
            files
                .iter()
                .all(|f| !self.is_attacked(known(*f, rank), !us))
        };
        let side = self.sides.get(us);
        if side.king_wing && empty(&[5, 6]) && safe(&[4, 5, 6]) {
            all.push(Try::step(known(4, rank), known(6, rank)));
        }
        if side.queen_wing && empty(&[1, 2, 3]) && safe(&[4, 3, 2]) {
            all.push(Try::step(known(4, rank), known(2, rank)));
        }
    }

    fn drop_candidates(&self, all: &mut Vec<Try>) {
        let mut roles = self.sides.get(self.turn).reserve.clone();
        roles.sort();
        roles.dedup();
        for role in roles {
            for to in Square::ALL {
                let rank = place(to).1;
                let barred = role == Role::Pawn && (rank == 0 || rank == 7);
                if self.at(to).is_none() && !barred {
                    all.push(Try::Drop { role, to });
                }
            }
        }
    }

    /// Lists every legal move.
    pub(super) fn legal(&self) -> Vec<Try> {
        self.candidates()
            .into_iter()
            .filter(|t| {
                let mut after = self.clone();
                after.make(*t);
                !after.in_check(self.turn)
            })
            .collect()
    }

    /// Makes a move. The caller must have checked that a man of this role can move in this way.
    pub(super) fn make(&mut self, t: Try) -> Done {
        let us = self.turn;
        let mut done = Done {
            captured: None,
            en_passant: false,
            promoted: false,
            dropped: None,
            castled: false,
        };
        let mut pawn = false;
        let passed = self.passed.take();
        match t {
            Try::Drop { role, to } => {
                let reserve = &mut self.sides.get_mut(us).reserve;
                let place = reserve.iter().position(|r| *r == role);
                reserve.remove(place.expect("a man that is dropped is in the reserve"));
                self.put(
                    to,
                    Some(Man {
                        color: us,
                        role,
                        promoted: false,
                    }),
                );
                pawn = role == Role::Pawn;
                done.dropped = Some(role);
            }
            Try::Step {
                from,
                to,
                promotion,
            } => {
                let mut man = self.at(from).expect("a man is on the origin of a move");
                let ((f1, r1), (f2, r2)) = (place(from), place(to));
                let mut victim = to;
                if man.role == Role::Pawn {
                    pawn = true;
                    if f1 != f2 && self.at(to).is_none() {
                        debug_assert_eq!(passed, Some(to));
                        victim = known(f2, r1);
                        done.en_passant = true;
                    }
                    if (r1 - r2).abs() == 2 {
                        self.passed = Some(known(f1, (r1 + r2) / 2));
                    }
                }
                done.captured = self.at(victim).map(|man| (victim, man));
                self.put(victim, None);
                self.put(from, None);
                if let Some(role) = promotion {
                    man.role = role;
                    man.promoted = true;
                    done.promoted = true;
                }
                self.put(to, Some(man));
                if man.role == Role::King && (f1 - f2).abs() == 2 {
                    let (corner, beside) = if f2 > f1 { (7, 5) } else { (0, 3) };
                    let rook = self.at(known(corner, r1));
                    self.put(known(corner, r1), None);
                    self.put(known(beside, r1), rook);
                    done.castled = true;
                }
                for sq in [from, to] {
                    self.leave(sq);
                }
            }
        }
        if let Some((_, victim)) = done.captured
            && self.drops
        {
            let role = if victim.promoted {
                Role::Pawn
            } else {
                victim.role
            };
            self.sides.get_mut(us).reserve.push(role);
        }
        if pawn || done.captured.is_some() {
            self.quiet = 0;
        } else {
            self.quiet += 1;
        }
        if us == Color::Black {
            self.number += 1;
        }
        self.turn = !us;
        done
    }

    /// Removes the castling rights that are lost because a man moved from `sq` or was captured on
    /// `sq`.
    fn leave(&mut self, sq: Square) {
        for color in Color::ALL {
            let rank = back_rank(color);
            let side = self.sides.get_mut(color);
            if sq == known(4, rank) {
                side.king_wing = false;
                side.queen_wing = false;
            }
            if sq == known(7, rank) {
                side.king_wing = false;
            }
            if sq == known(0, rank) {
                side.queen_wing = false;
            }
        }
    }

    /// Lists the legal pawn captures as pairs of origin and target. A capture that promotes is
    /// listed only once.
    pub(super) fn pawn_captures(&self, legal: &[Try]) -> Vec<(Square, Square)> {
        let mut found = Vec::new();
        for t in legal {
            if let Try::Step { from, to, .. } = *t {
                let pawn = self.at(from).is_some_and(|man| man.role == Role::Pawn);
                let captures = place(from).0 != place(to).0;
                if pawn && captures && !found.contains(&(from, to)) {
                    found.push((from, to));
                }
            }
        }
        found
    }

    /// Returns the square that a pawn has just passed, if a capture there is
    /// legal.
    pub(super) fn passed_if_legal(&self, legal: &[Try]) -> Option<Square> {
        let passed = self.passed?;
        self.pawn_captures(legal)
            .into_iter()
            .any(|(_, to)| to == passed)
            .then_some(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::starts::NAMED;

    #[test]
    fn attacks_square_agrees_with_the_list_of_attacks() {
        let mut attacks = 0;
        for named in NAMED {
            let position = Position::read(named.fen, false).expect("the FEN is valid");
            for (from, man) in Color::ALL.into_iter().flat_map(|side| position.men(side)) {
                let listed = position.attacks(from);
                for sq in Square::ALL {
                    let is_listed = listed.contains(&sq);
                    assert_eq!(
                        position.attacks_square(from, man, sq),
                        is_listed,
                        "{}: {from}{sq}",
                        named.name
                    );
                    attacks += usize::from(is_listed);
                }
            }
        }
        assert!(attacks > 0);
    }
}
