//! Moves in algebraic notation, read with the true position or with own men only.

use std::fmt::Write as _;

use position::Position;
use rules::{
    Own, PromotionMan, Try,
    chess::{Bitboard, CastlingSide, Color, File, Rank, Role, Square, attacks},
};

/// Reason why a text is not a move in a position.
#[derive(Copy, Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SanFault {
    /// The text does not have the form of a move.
    #[error("this is not the form of a move")]
    NotAMove,
    /// The text has the form of a move, but no such move is legal.
    #[error("no such move is legal here")]
    Illegal,
    /// The text fits several legal moves.
    #[error("several moves fit this text; add the file or rank of the origin")]
    Ambiguous,
    /// A promotion without the promotion piece.
    #[error("the promotion man is missing; write for example e8=Q")]
    NoMan,
}

/// A move as written, before it is compared with a board.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Written {
    /// Castling.
    Castle(CastlingSide),
    /// A drop.
    Drop(Role, Square),
    /// Any other move.
    Step {
        /// The named man; a pawn if none is named.
        role: Role,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Role>,
        /// Whether the text gives both squares and no man (`e1g1`). Such a move can be
        /// made by any man.
        bare: bool,
    },
}

fn square(file: u8, rank: u8) -> Option<Square> {
    Square::from_ascii(&[file, rank]).ok()
}

/// Removes the marks of check, mate and en passant, and the signs `!` and `?`.
fn bare(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [head @ .., b'+' | b'#' | b'!' | b'?'] => head,
            [head @ .., b'e', b'.', b'p', b'.'] | [head @ .., b'e', b'p'] => head,
            [head @ .., b'c', b'h'] if head.len() >= 2 => head,
            _ => return text,
        };
    }
}

impl Written {
    /// Reads a move: `Nf3`, `Nbd2`, `Nb1-d2`, `exd5`, `e8=Q`, `e8Q`, `e8(Q)`,
    /// `O-O`, `0-0-0`, `N@f5`, `e2e4`.
    pub(crate) fn read(text: &[u8]) -> Option<Written> {
        let text = bare(text);
        match text {
            b"O-O" | b"0-0" | b"o-o" => return Some(Written::Castle(CastlingSide::KingSide)),
            b"O-O-O" | b"0-0-0" | b"o-o-o" => {
                return Some(Written::Castle(CastlingSide::QueenSide));
            }
            [b'@', file, rank] => return Some(Written::Drop(Role::Pawn, square(*file, *rank)?)),
            [man @ b'A'..=b'Z', b'@', file, rank] => {
                let role = Role::from_char(char::from(*man))?;
                return Some(Written::Drop(role, square(*file, *rank)?));
            }
            _ => {}
        }
        let (named, rest) = match text {
            [man @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'P'), rest @ ..] => {
                (Role::from_char(char::from(*man)), rest)
            }
            _ => (None, text),
        };
        let (rest, promotion) = promotion(rest);
        let [head @ .., file, rank] = rest else {
            return None;
        };
        let to = square(*file, *rank)?;
        let (mut from_file, mut from_rank) = (None, None);
        for c in head {
            match c {
                b'a'..=b'h' if from_file.is_none() && from_rank.is_none() => {
                    from_file = Some(File::new(u32::from(c - b'a')));
                }
                b'1'..=b'8' if from_rank.is_none() => {
                    from_rank = Some(Rank::new(u32::from(c - b'1')));
                }
                b'x' | b':' | b'-' => {}
                _ => return None,
            }
        }
        Some(Written::Step {
            role: named.unwrap_or(Role::Pawn),
            file: from_file,
            rank: from_rank,
            to,
            promotion,
            bare: named.is_none() && from_file.is_some() && from_rank.is_some(),
        })
    }
}

/// Splits the promotion piece from the end of a move.
fn promotion(text: &[u8]) -> (&[u8], Option<Role>) {
    let role = |c: &u8| Role::from_char(char::from(*c));
    match text {
        [head @ .., b'=' | b'/', man] if man.is_ascii_alphabetic() => (head, role(man)),
        [head @ .., b'(', man, b')'] => (head, role(man)),
        [head @ .., man @ (b'Q' | b'R' | b'B' | b'N')] => (head, role(man)),
        [head @ .., b'1' | b'8', man @ (b'q' | b'r' | b'b' | b'n')] => {
            (&text[..head.len() + 1], role(man))
        }
        _ => (text, None),
    }
}

/// Returns the squares from which a man of this role could move to `to`, by geometry only.
fn origins(position: &Position, role: Role, to: Square) -> Bitboard {
    let us = position.turn();
    let occupied = position.occupied();
    let reach = match role {
        Role::Pawn => {
            let back = us.fold_wb(-8, 8);
            let one = Bitboard::from_square(to).shift(back);
            let two = (one & !occupied).shift(back)
                & us.fold_wb(
                    Bitboard::from_rank(Rank::Second),
                    Bitboard::from_rank(Rank::Seventh),
                );
            one | two | attacks::pawn_attacks(us.other(), to)
        }
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, occupied),
        Role::Rook => attacks::rook_attacks(to, occupied),
        Role::Queen => attacks::queen_attacks(to, occupied),
        Role::King => attacks::king_attacks(to),
    };
    reach & position.men(role) & position.side(us)
}

/// The board on which the reader searches for a written move.
trait Men {
    fn color(&self) -> Color;
    fn role_at(&self, at: Square) -> Option<Role>;
    /// Returns all squares from which a man of this role may move to `to`. The result may contain
    /// other squares with men of this role, too.
    fn candidates(&self, role: Role, to: Square) -> Bitboard;
    /// Checks whether the text can mean this try.
    fn allow(&self, t: Try) -> bool;
}

/// The true position: a text means a legal move.
impl Men for Position {
    fn color(&self) -> Color {
        self.turn()
    }

    fn role_at(&self, at: Square) -> Option<Role> {
        Position::role_at(self, at)
    }

    fn candidates(&self, role: Role, to: Square) -> Bitboard {
        origins(self, role, to)
    }

    fn allow(&self, t: Try) -> bool {
        self.is_legal(t)
    }
}

/// Own men only: a text means an imaginable try.
impl Men for Own {
    fn color(&self) -> Color {
        self.color
    }

    fn role_at(&self, at: Square) -> Option<Role> {
        Own::role_at(self, at)
    }

    fn candidates(&self, role: Role, _: Square) -> Bitboard {
        *self.men.get(role)
    }

    fn allow(&self, t: Try) -> bool {
        self.imaginable(t, PromotionMan::Named)
    }
}

fn named(candidates: Bitboard, file: Option<File>, rank: Option<Rank>) -> Bitboard {
    let files = file.map_or(Bitboard::FULL, Bitboard::from_file);
    let ranks = rank.map_or(Bitboard::FULL, Bitboard::from_rank);
    candidates & files & ranks
}

fn castle(color: Color, side: CastlingSide) -> Try {
    Try::step(
        Square::from_coords(File::E, color.relative_rank(Rank::First)),
        side.king_to(color),
    )
}

fn only(mut found: impl Iterator<Item = Try>) -> Result<Try, SanFault> {
    match (found.next(), found.next()) {
        (Some(t), None) => Ok(t),
        (None, _) => Err(SanFault::Illegal),
        (Some(_), Some(_)) => Err(SanFault::Ambiguous),
    }
}

/// Returns the only try that fits the text; fails if there are none or several.
fn read(men: &impl Men, text: &[u8]) -> Result<Try, SanFault> {
    let us = men.color();
    let allowed = |t: Try| men.allow(t).then_some(t).ok_or(SanFault::Illegal);
    match Written::read(text).ok_or(SanFault::NotAMove)? {
        Written::Castle(side) => {
            let t = castle(us, side);
            if t.from().and_then(|from| men.role_at(from)) != Some(Role::King) {
                return Err(SanFault::Illegal);
            }
            allowed(t)
        }
        Written::Drop(role, to) => allowed(Try::Drop { role, to }),
        Written::Step {
            role,
            file,
            rank,
            to,
            promotion,
            bare,
        } => {
            let step = |from| Try::Step {
                from,
                to,
                promotion,
            };
            if let (true, Some(file), Some(rank)) = (bare, file, rank) {
                return allowed(step(Square::from_coords(file, rank)));
            }
            if role == Role::Pawn
                && promotion.is_none()
                && to.rank() == us.relative_rank(Rank::Eighth)
            {
                return Err(SanFault::NoMan);
            }
            let mut all = named(men.candidates(role, to), file, rank);
            if role == Role::Pawn && file.is_none() {
                all &= Bitboard::from_file(to.file());
            }
            // A king's move written with its target square (`Kg1`) does not mean castling.
            let steps = all
                .into_iter()
                .filter(|from| castling_side(role, *from, to).is_none())
                .map(step);
            only(steps.filter(|t| men.allow(*t)))
        }
    }
}

/// Returns the legal move that fits the text.
///
/// # Errors
/// The text is not a move, fits no legal move or several legal moves, or does not name the
/// promotion piece.
pub fn read_san(position: &Position, text: &[u8]) -> Result<Try, SanFault> {
    read(position, text)
}

/// Returns the try that fits the text and is imaginable from own men.
///
/// # Errors
/// The same errors as [`read_san`], with "imaginable from own men" instead of "legal".
pub fn read_own_san(own: &Own, text: &[u8]) -> Result<Try, SanFault> {
    read(own, text)
}

fn disambiguate(text: &mut String, from: Square, rivals: Bitboard) {
    let others = rivals & !Bitboard::from_square(from);
    if others.is_empty() {
        return;
    }
    let same_file = (others & Bitboard::from_file(from.file())).any();
    let same_rank = (others & Bitboard::from_rank(from.rank())).any();
    if !same_file || same_rank {
        text.push(from.file().char());
    }
    if same_file {
        text.push(from.rank().char());
    }
}

fn finish(text: &mut String, takes: bool, to: Square, promotion: Option<Role>) {
    if takes {
        text.push('x');
    }
    let _infallible = write!(text, "{to}");
    if let Some(man) = promotion {
        text.push('=');
        text.push(man.upper_char());
    }
}

/// Returns castling in algebraic notation.
pub(crate) const fn castling_text(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::KingSide => "O-O",
        CastlingSide::QueenSide => "O-O-O",
    }
}

/// Returns the wing on which a king's step castles; `None` if the step is not castling.
pub(crate) fn castling_side(role: Role, from: Square, to: Square) -> Option<CastlingSide> {
    (role == Role::King && from.rank() == to.rank() && from.file().distance(to.file()) == 2)
        .then(|| CastlingSide::from_king_side(to.file() > from.file()))
}

/// Writes a try. `takes` says whether the move of a piece captures; it is not used for pawns.
fn write(men: &impl Men, t: Try, takes: bool, text: &mut String) {
    let Try::Step {
        from,
        to,
        promotion,
    } = t
    else {
        let _infallible = write!(text, "{t}");
        return;
    };
    let role = men.role_at(from).unwrap_or(Role::Pawn);
    if let Some(side) = castling_side(role, from, to) {
        text.push_str(castling_text(side));
        return;
    }
    let diagonal = from.file() != to.file();
    if role != Role::Pawn {
        text.push(role.upper_char());
        let rivals = men.candidates(role, to);
        if rivals.more_than_one() {
            let rivals = rivals
                .into_iter()
                .filter(|rival| men.allow(Try::step(*rival, to)))
                .collect();
            disambiguate(text, from, rivals);
        }
    } else if diagonal {
        text.push(from.file().char());
    }
    let takes = if role == Role::Pawn { diagonal } else { takes };
    finish(text, takes, to, promotion);
}

/// Writes a legal move in standard algebraic notation, without a check mark.
pub fn write_san(position: &Position, t: Try, text: &mut String) {
    write(position, t, position.captured_by(t).is_some(), text);
}

/// Writes a try, using only the mover's own men. `takes` is true if the mover knows
/// that the move captures.
pub fn write_own_san(own: &Own, t: Try, takes: bool, text: &mut String) {
    if own.allow(t) {
        write(own, t, takes, text);
    } else {
        // The try is written in coordinates, because the short notation could not be parsed again.
        let _infallible = write!(text, "{t}");
    }
}
