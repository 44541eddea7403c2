//! Names of squares and moves in descriptive notation, and in the forms of
//! UMPIRE and `ks`.

use rules::{
    Own, Try,
    chess::{CastlingSide, Color, File, Role, Square},
};

/// Returns the name of a file in descriptive notation: `QR` `QN` `QB` `Q` `K`
/// `KB` `KN` `KR`.
pub const fn descriptive_file(file: File) -> &'static str {
    match file {
        File::A => "QR",
        File::B => "QN",
        File::C => "QB",
        File::D => "Q",
        File::E => "K",
        File::F => "KB",
        File::G => "KN",
        File::H => "KR",
    }
}

/// Returns the full name of a square in descriptive notation. The rank is
/// counted from the player's own side.
///
/// ```
/// use notation::descriptive_square;
/// use rules::chess::{Color, Square};
///
/// assert_eq!(descriptive_square(Square::F4, Color::White), "KB4");
/// assert_eq!(descriptive_square(Square::F4, Color::Black), "KB5");
/// ```
pub fn descriptive_square(square: Square, side: Color) -> String {
    let rank = side.relative_rank(square.rank()) as u32 + 1;
    format!("{}{rank}", descriptive_file(square.file()))
}

/// Writes a try in the form that players type to UMPIRE: `K2 K4`, `CK`, `CQ`.
///
/// The promotion man is not written, because UMPIRE always makes a queen.
/// UMPIRE has no drops; here a drop is written as `N@KB5`.
pub fn umpire_text(t: Try, own: &Own) -> String {
    match t {
        Try::Step { from, to, .. } => {
            if let Some(side) = wing(t, own) {
                return match side {
                    CastlingSide::KingSide => "CK".to_owned(),
                    CastlingSide::QueenSide => "CQ".to_owned(),
                };
            }
            let name = |square| descriptive_square(square, own.color);
            format!("{} {}", name(from), name(to))
        }
        Try::Drop { role, to } => dropped(role, to, own.color),
    }
}

/// Writes a try in the form of `ks`, with both squares named in full:
/// `p/k2-k4`, `p/k5xq6`, `o-o`, `p/k7-k8=q`.
pub fn ks_text(t: Try, own: &Own) -> String {
    match t {
        Try::Step {
            from,
            to,
            promotion,
        } => {
            if let Some(side) = wing(t, own) {
                return match side {
                    CastlingSide::KingSide => "o-o".to_owned(),
                    CastlingSide::QueenSide => "o-o-o".to_owned(),
                };
            }
            let name = |square| descriptive_square(square, own.color).to_lowercase();
            let man = own.role_at(from).unwrap_or(Role::Pawn).char();
            let link = if own.is_pawn_capture(t) { 'x' } else { '-' };
            let mut text = format!("{man}/{}{link}{}", name(from), name(to));
            if let Some(role) = promotion {
                text.push('=');
                text.push(role.char());
            }
            text
        }
        Try::Drop { role, to } => dropped(role, to, own.color).to_lowercase(),
    }
}

fn dropped(role: Role, to: Square, color: Color) -> String {
    format!("{}@{}", role.upper_char(), descriptive_square(to, color))
}

/// Returns the wing if the try is castling.
fn wing(t: Try, own: &Own) -> Option<CastlingSide> {
    let from = t.from()?;
    own.is_castling(t)
        .then(|| CastlingSide::from_king_side(t.to().file() > from.file()))
}
