//! A position, without history.

use rules::{
    Own, Reserve, Try, Wings,
    chess::{
        Bitboard, Board, ByColor, ByRole, CastlingSide, Chess, Color, Position as _, Rank, Role,
        Setup, Square, attacks, fen::Fen,
    },
    corner,
};

/// A position: men, side to move, castling rights and en passant square. If captured men can
/// be dropped, the position also has promoted men and reserves.
///
/// A position has no move counters and no history. The game has both. A position made from a
/// [`StartPosition`](crate::StartPosition) has exactly one king for each side, and no pawn on the
/// first or last rank.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Position {
    pub(super) men: ByRole<Bitboard>,
    pub(super) sides: ByColor<Bitboard>,
    /// Squares of promoted men; empty if captured men cannot be dropped.
    pub(super) promoted: Bitboard,
    pub(super) reserves: ByColor<Reserve>,
    pub(super) turn: Color,
    pub(super) castling: ByColor<Wings>,
    /// The square that a pawn has just passed by a double step, even if no pawn
    /// can capture there.
    pub(super) passed: Option<Square>,
}

/// A man that is captured.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Captured {
    /// Square of the man before the capture.
    pub square: Square,
    /// Role of the man on the board.
    pub role: Role,
    /// Whether the man is a promoted pawn. Always false if captured men cannot
    /// be dropped.
    pub promoted: bool,
    /// Whether the capture is en passant.
    pub en_passant: bool,
}

impl Captured {
    /// Returns the role of the man in the reserve: a promoted man becomes a pawn again.
    pub const fn reserve_role(&self) -> Role {
        if self.promoted { Role::Pawn } else { self.role }
    }
}

/// Returns the wings on which each side may still castle.
fn wings(may_castle: impl Fn(Color, CastlingSide) -> bool) -> ByColor<Wings> {
    ByColor::new_with(|color| {
        let mut wings = Wings::NONE;
        for side in CastlingSide::ALL {
            if may_castle(color, side) {
                wings.add(side);
            }
        }
        wings
    })
}

impl From<&Chess> for Position {
    /// Converts a position of shakmaty, without its counters.
    #[inline]
    fn from(chess: &Chess) -> Position {
        let (men, sides) = chess.board().clone().into_bitboards();
        let castles = chess.castles();
        Position {
            men,
            sides,
            promoted: Bitboard::EMPTY,
            reserves: ByColor::default(),
            turn: chess.turn(),
            castling: wings(|color, side| castles.has(color, side)),
            passed: chess.maybe_ep_square(),
        }
    }
}

impl Position {
    /// Converts a set-up without checking it. [`StartPosition`](crate::StartPosition)
    /// checks the set-up before it calls this function.
    pub fn from_setup(setup: &Setup) -> Position {
        let (men, sides) = setup.board.clone().into_bitboards();
        let reserve = |color: Color| {
            let mut reserve = Reserve::EMPTY;
            if let Some(pockets) = &setup.pockets {
                for (role, count) in pockets.get(color).zip_role() {
                    for _ in 0..count {
                        reserve.add(role);
                    }
                }
            }
            reserve
        };
        Position {
            men,
            sides,
            promoted: if setup.pockets.is_some() {
                setup.promoted
            } else {
                Bitboard::EMPTY
            },
            reserves: ByColor::new_with(reserve),
            turn: setup.turn,
            castling: wings(|color, side| setup.castling_rights.contains(corner(color, side))),
            passed: setup.ep_square,
        }
    }

    /// Builds a position from the men, rights and reserves of both sides. The
    /// position is not checked.
    ///
    /// `promoted` are the squares of promoted men, if captured men can be
    /// dropped. `passed` is the square that a pawn has just passed by a double
    /// step.
    pub fn of_sides(
        white: &Own,
        black: &Own,
        promoted: Bitboard,
        turn: Color,
        passed: Option<Square>,
    ) -> Position {
        let mut men = white.men;
        for (role, squares) in black.men.zip_role() {
            let both = *men.get(role) | squares;
            *men.get_mut(role) = both;
        }
        Position {
            men,
            sides: ByColor {
                white: white.all(),
                black: black.all(),
            },
            promoted,
            reserves: ByColor {
                white: white.reserve,
                black: black.reserve,
            },
            turn,
            castling: ByColor {
                white: white.castling,
                black: black.castling,
            },
            passed,
        }
    }

    /// Returns the square that a pawn has just passed by a double step, even if no pawn can capture
    /// there.
    pub const fn passed(&self) -> Option<Square> {
        self.passed
    }

    /// Returns the side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the squares of all men of one colour.
    pub fn side(&self, color: Color) -> Bitboard {
        *self.sides.get(color)
    }

    /// Returns the squares of all men.
    pub fn occupied(&self) -> Bitboard {
        self.sides.white | self.sides.black
    }

    /// Returns the squares of the men of one role, of both colours.
    pub fn men(&self, role: Role) -> Bitboard {
        *self.men.get(role)
    }

    /// Returns the squares of promoted men; empty if captured men cannot be dropped.
    pub const fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// Returns both reserves.
    pub const fn reserves(&self) -> ByColor<Reserve> {
        self.reserves
    }

    /// Returns the wings on which a side may still castle.
    pub fn castling(&self, color: Color) -> Wings {
        *self.castling.get(color)
    }

    /// Returns the castling rights of both sides.
    pub const fn rights(&self) -> ByColor<Wings> {
        self.castling
    }

    /// Returns the square of a side's king.
    ///
    /// # Panics
    /// If the side has no king. A validated position has a king of each colour.
    pub fn king(&self, color: Color) -> Square {
        (self.men.king & *self.sides.get(color))
            .first()
            .expect("a validated position has a king of each colour")
    }

    /// Returns the role of the man on a square; `None` if the square is empty.
    pub fn role_at(&self, sq: Square) -> Option<Role> {
        let m = &self.men;
        if m.pawn.contains(sq) {
            Some(Role::Pawn)
        } else if !self.occupied().contains(sq) {
            None
        } else if m.knight.contains(sq) {
            Some(Role::Knight)
        } else if m.bishop.contains(sq) {
            Some(Role::Bishop)
        } else if m.rook.contains(sq) {
            Some(Role::Rook)
        } else if m.queen.contains(sq) {
            Some(Role::Queen)
        } else {
            Some(Role::King)
        }
    }

    /// Returns what the player of one colour knows of the position: the own
    /// men, castling rights and reserve.
    pub fn own(&self, color: Color) -> Own {
        let us = *self.sides.get(color);
        Own {
            color,
            men: self.men.map(|squares| squares & us),
            castling: *self.castling.get(color),
            reserve: *self.reserves.get(color),
        }
    }

    /// Converts the board to shakmaty's type.
    pub fn board(&self) -> Board {
        Board::try_from_bitboards(self.men, self.sides)
            .expect("men and sides are kept consistent by every move")
    }

    /// Returns the en passant square, if a capture there is legal now.
    pub fn legal_en_passant(&self) -> Option<Square> {
        let passed = self.passed?;
        let pawns = self.men.pawn
            & *self.sides.get(self.turn)
            & attacks::pawn_attacks(self.turn.other(), passed);
        pawns
            .into_iter()
            .any(|from| self.is_legal(Try::step(from, passed)))
            .then_some(passed)
    }

    /// Removes the en passant square if no capture there is legal. The legal
    /// moves stay the same.
    pub fn forget_idle_en_passant(&mut self) {
        self.passed = self.legal_en_passant();
    }

    /// Converts the position to a set-up with these counters. The en passant square is set only if
    /// a capture there is legal. Promoted men and reserves are set only if `drops` is true.
    pub fn setup(&self, drops: bool, halfmoves: u32, fullmoves: u32) -> Setup {
        let mut rights = Bitboard::EMPTY;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if self.castling.get(color).has(side) {
                    rights.add(corner(color, side));
                }
            }
        }
        let pocket = |color: Color| {
            let mut pocket = ByRole::default();
            for (role, count) in self.reserves.get(color).iter() {
                *pocket.get_mut(role) = count;
            }
            pocket
        };
        let mut setup = Setup::empty();
        setup.board = self.board();
        setup.promoted = if drops {
            self.promoted
        } else {
            Bitboard::EMPTY
        };
        setup.pockets = drops.then(|| ByColor::new_with(pocket));
        setup.turn = self.turn;
        setup.castling_rights = rights;
        setup.ep_square = self.legal_en_passant();
        setup.halfmoves = halfmoves;
        setup.fullmoves = fullmoves.try_into().unwrap_or(std::num::NonZeroU32::MIN);
        setup
    }

    /// Returns the FEN of [`setup`](Position::setup).
    pub fn fen(&self, drops: bool, halfmoves: u32, fullmoves: u32) -> String {
        match Fen::try_from_setup(self.setup(drops, halfmoves, fullmoves)) {
            Ok(fen) => fen.to_string(),
            Err(lossy) => lossy.ignore().to_string(),
        }
    }

    /// Returns the man that a legal try captures; `None` if the try captures nothing.
    pub fn captured_by(&self, t: Try) -> Option<Captured> {
        let Try::Step { from, to, .. } = t else {
            return None;
        };
        if self.sides.get(self.turn.other()).contains(to) {
            return Some(Captured {
                square: to,
                role: self.role_at(to)?,
                promoted: self.promoted.contains(to),
                en_passant: false,
            });
        }
        (self.passed == Some(to) && self.men.pawn.contains(from) && from.file() != to.file()).then(
            || Captured {
                square: Square::from_coords(to.file(), from.rank()),
                role: Role::Pawn,
                promoted: false,
                en_passant: true,
            },
        )
    }

    /// Whether the try is a diagonal step of a pawn of the side to move,
    /// whatever is on the target square.
    #[inline]
    pub fn is_pawn_capture(&self, t: Try) -> bool {
        match t {
            Try::Step { from, to, .. } => {
                (self.men.pawn & *self.sides.get(self.turn)).contains(from)
                    && attacks::pawn_attacks(self.turn, from).contains(to)
            }
            Try::Drop { .. } => false,
        }
    }

    /// Plays a legal try, and returns the captured man, if any. If `drops` is true, the captured
    /// man goes into the capturer's reserve.
    ///
    /// After an illegal try the position is meaningless.
    pub fn play(&mut self, t: Try, drops: bool) -> Option<Captured> {
        self.play_man(t, self.man_of(t), drops)
    }

    /// Returns the position after a try, and the captured man; `None` if the try is not legal. The
    /// captured man goes into no reserve.
    #[inline]
    pub fn after(&self, t: Try) -> Option<(Position, Option<Captured>)> {
        if !self.is_legal(t) {
            return None;
        }
        let mut after = *self;
        let captured = after.play(t, false);
        Some((after, captured))
    }

    /// Returns the role that a try moves or drops; [`Role::Pawn`] if the origin
    /// square is empty.
    #[inline]
    pub fn man_of(&self, t: Try) -> Role {
        match t {
            Try::Step { from, .. } => self.role_at(from).unwrap_or(Role::Pawn),
            Try::Drop { role, .. } => role,
        }
    }

    /// Plays a legal try like [`play`](Position::play), for a caller that knows
    /// the role `man` of the moving man.
    #[inline]
    pub fn play_man(&mut self, t: Try, man: Role, drops: bool) -> Option<Captured> {
        let us = self.turn;
        let captured = self.captured_by(t);
        self.passed = None;
        if let Some(taken) = captured {
            self.men.get_mut(taken.role).discard(taken.square);
            self.sides.get_mut(us.other()).discard(taken.square);
            self.promoted.discard(taken.square);
            if drops {
                self.reserves.get_mut(us).add(taken.reserve_role());
            }
            if taken.role == Role::Rook {
                self.forget_corner(us.other(), taken.square);
            }
        }
        match t {
            Try::Step {
                from,
                to,
                promotion,
            } => self.step(us, man, from, to, promotion, drops),
            Try::Drop { role, to } => {
                self.reserves.get_mut(us).take(role);
                self.men.get_mut(role).add(to);
                self.sides.get_mut(us).add(to);
            }
        }
        self.turn = us.other();
        captured
    }

    /// Plays a legal step that is not a capture, a promotion or castling, and loses no castling
    /// right. Only for games without drops, because this function does not track promoted men.
    #[inline]
    pub fn shift(&mut self, from: Square, to: Square, man: Role) {
        let us = self.turn;
        let squares = Bitboard::from_square(from) | Bitboard::from_square(to);
        self.men.get_mut(man).toggle(squares);
        self.sides.get_mut(us).toggle(squares);
        self.passed = if man == Role::Pawn && from.rank().distance(to.rank()) == 2 {
            let third = us.relative_rank(Rank::Third);
            Some(Square::from_coords(from.file(), third))
        } else {
            None
        };
        self.turn = us.other();
    }

    fn step(
        &mut self,
        us: Color,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
        drops: bool,
    ) {
        let shift = Bitboard::from_square(from) | Bitboard::from_square(to);
        self.sides.get_mut(us).toggle(shift);
        self.men.get_mut(role).discard(from);
        self.men.get_mut(promotion.unwrap_or(role)).add(to);
        if drops {
            let promoted = self.promoted.remove(from) || promotion.is_some();
            self.promoted.set(to, promoted);
        }
        if role == Role::Pawn && from.rank().distance(to.rank()) == 2 {
            let third = us.relative_rank(Rank::Third);
            self.passed = Some(Square::from_coords(from.file(), third));
        }
        if !self.castling.get(us).is_empty() {
            self.use_rights(us, role, from, to);
        }
    }

    /// Moves the rook if the king castles. Removes the castling rights that a move of `role` from
    /// `from` to `to` loses.
    fn use_rights(&mut self, us: Color, role: Role, from: Square, to: Square) {
        match role {
            Role::King => {
                if from.file().distance(to.file()) == 2 {
                    let side = CastlingSide::from_king_side(to.file() > from.file());
                    let rook = Bitboard::from_square(corner(us, side))
                        | Bitboard::from_square(side.rook_to(us));
                    self.men.rook.toggle(rook);
                    self.sides.get_mut(us).toggle(rook);
                }
                *self.castling.get_mut(us) = Wings::NONE;
            }
            Role::Rook => self.forget_corner(us, from),
            Role::Pawn | Role::Knight | Role::Bishop | Role::Queen => {}
        }
    }

    fn forget_corner(&mut self, color: Color, sq: Square) {
        for side in CastlingSide::ALL {
            if corner(color, side) == sq {
                self.castling.get_mut(color).discard(side);
            }
        }
    }
}
