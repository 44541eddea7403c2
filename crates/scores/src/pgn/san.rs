//! Moves in algebraic notation, on the true position or from own men alone.

use std::fmt::Write as _;

use referee::kernel::Position;
use rules::{
    Own, PromotionMan, Try,
    chess::{Bitboard, CastlingSide, Color, File, Rank, Role, Square, attacks},
};

/// Reason why a move's text is no move of a position.
#[derive(Copy, Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SanFault {
    /// It is not written as a move is.
    #[error("it is not written as a move")]
    NotAMove,
    /// It can be read, but no such move is legal there.
    #[error("no such move is legal here")]
    Illegal,
    /// Several moves are written so.
    #[error("several moves are written so; name the file or rank from which the man goes")]
    Ambiguous,
    /// A pawn on the last rank without the man it becomes.
    #[error("the promotion names no man; write it as e8=Q")]
    NoMan,
}

/// A move as it is written, before it is looked for on a board.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Written {
    /// Castling.
    Castle(CastlingSide),
    /// A drop.
    Drop(Role, Square),
    /// Any other move.
    Step {
        /// The man, if it is named; a pawn where it is not.
        role: Role,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Role>,
        /// Whether both squares stand there and no man (`e1g1`): then it may
        /// be any man's move.
        bare: bool,
    },
}

fn square(file: u8, rank: u8) -> Option<Square> {
    Square::from_ascii(&[file, rank]).ok()
}

/// Cuts off marks of check, mate, praise and en passant.
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

/// Cuts off what a pawn becomes.
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

/// The squares from which a man of one kind could come to `to`, by geometry.
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

/// The men among which a written move is looked for.
trait Men {
    fn color(&self) -> Color;
    fn role_at(&self, at: Square) -> Option<Role>;
    /// The squares of men of one kind that may come to `to`, and perhaps others.
    fn candidates(&self, role: Role, to: Square) -> Bitboard;
    /// Whether the try may be meant.
    fn allow(&self, t: Try) -> bool;
}

/// Both sides' men: what is legal may be meant.
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

/// One side's men: what is imaginable may be meant.
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

/// The one try that is written so and may be meant.
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
            // Castling is written otherwise.
            let steps = all
                .into_iter()
                .filter(|from| castling_side(role, *from, to).is_none())
                .map(step);
            only(steps.filter(|t| men.allow(*t)))
        }
    }
}

/// The legal move that is written so.
///
/// # Errors
/// Tells what is no move, what is not legal, and what several moves are.
pub fn read_san(position: &Position, text: &[u8]) -> Result<Try, SanFault> {
    read(position, text)
}

/// The one attempt, imaginable from own men, that is written so.
///
/// # Errors
/// As [`read_san`], "legal" being "imaginable from own men".
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

/// Castling as algebraic notation writes it.
pub(crate) const fn castling_text(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::KingSide => "O-O",
        CastlingSide::QueenSide => "O-O-O",
    }
}

/// The wing on which a step castles, if it does.
pub(crate) fn castling_side(role: Role, from: Square, to: Square) -> Option<CastlingSide> {
    (role == Role::King && from.rank() == to.rank() && from.file().distance(to.file()) == 2)
        .then(|| CastlingSide::from_king_side(to.file() > from.file()))
}

/// Writes a try that may be meant; `takes` says whether a piece takes something.
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

/// Writes a legal move in standard algebraic notation, without a mark of
/// check.
pub fn write_san(position: &Position, t: Try, text: &mut String) {
    write(position, t, position.captured_by(t).is_some(), text);
}

/// Writes an attempt from the mover's own men alone; `takes` says whether the
/// mover knows that something was taken.
pub fn write_own_san(own: &Own, t: Try, takes: bool, text: &mut String) {
    if own.allow(t) {
        write(own, t, takes, text);
    } else {
        // Nothing shorter would be understood.
        let _infallible = write!(text, "{t}");
    }
}
