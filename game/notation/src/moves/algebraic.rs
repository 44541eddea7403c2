//! Algebraic notation in the forms found in print, and coordinates.

use rules::chess::{Bitboard, CastlingSide, File, Rank, Role, Square};

use super::pattern::{Pattern, StepPattern, Takes};

/// Returns the possible meanings of a text from which the marks (`+`, `e.p.`, `!`) were removed. If
/// `turned` is true, the squares in the text are rotated by 180 degrees.
pub(super) fn readings(text: &str, turned: bool) -> Vec<Pattern> {
    if let Some(side) = castling(text) {
        return vec![Pattern::Castling(side)];
    }
    let read = drop(text.as_bytes())
        .or_else(|| coordinates(text))
        .or_else(|| step(text));
    read.map(|pattern| if turned { turn(pattern) } else { pattern })
        .into_iter()
        .collect()
}

/// Reads the forms of castling that all notations have.
pub(super) fn castling(text: &str) -> Option<CastlingSide> {
    match text {
        "O-O" | "o-o" | "0-0" | "OO" | "oo" | "00" => Some(CastlingSide::KingSide),
        "O-O-O" | "o-o-o" | "0-0-0" | "OOO" | "ooo" | "000" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

fn turn(pattern: Pattern) -> Pattern {
    match pattern {
        Pattern::Castling(side) => Pattern::Castling(side),
        Pattern::Step(step) => Pattern::Step(StepPattern {
            from: step.from.rotate_180(),
            to: step.to.rotate_180(),
            ..step
        }),
        Pattern::Drop { role, to } => Pattern::Drop {
            role,
            to: to.rotate_180(),
        },
    }
}

fn file(c: u8) -> Option<File> {
    File::from_char(char::from(c)).filter(|_| c.is_ascii_lowercase())
}

fn rank(c: u8) -> Option<Rank> {
    Rank::from_char(char::from(c))
}

fn square(at: &[u8]) -> Option<Square> {
    match *at {
        [f, r] => Some(Square::from_coords(file(f)?, rank(r)?)),
        _ => None,
    }
}

fn drop(text: &[u8]) -> Option<Pattern> {
    match *text {
        [man, b'@', f, r] => Some(Pattern::Drop {
            role: Role::from_char(char::from(man))?,
            to: Bitboard::from_square(square(&[f, r])?),
        }),
        _ => None,
    }
}

/// Splits off the promotion at the end. Returns the text before the promotion, and the man that the
/// pawn becomes.
fn promotion(text: &str) -> (&str, Option<Role>) {
    let man = |c: &u8| match c {
        b'Q' | b'q' | b'R' | b'r' | b'B' | b'b' | b'N' | b'n' => Role::from_char(char::from(*c)),
        _ => None,
    };
    let found = match text.as_bytes() {
        [.., b'(', c, b')'] => man(c).map(|role| (3, role)),
        [.., b'=' | b'/', c] => man(c).map(|role| (2, role)),
        [.., b'1' | b'8', c] => man(c).map(|role| (1, role)),
        _ => None,
    };
    match found {
        Some((length, role)) => (&text[..text.len() - length], Some(role)),
        None => (text, None),
    }
}

/// Reads two squares without a man: `e2e4`, `e2-e4`, `e4xd5`, `f7g8=N`. Capital letters are
/// accepted if both squares are written with capital letters.
fn coordinates(text: &str) -> Option<Pattern> {
    let (text, promotion) = promotion(text);
    let capitals = !text.bytes().any(|c| matches!(c, b'a'..=b'h'));
    let text = if capitals {
        text.to_ascii_lowercase()
    } else {
        text.to_owned()
    };
    let (from, rest) = text.as_bytes().split_at_checked(2)?;
    let (takes, to) = match rest {
        [b'-' | b' ', to @ ..] => (Takes::Unsaid, to),
        [b'x' | b':', to @ ..] => (Takes::Yes, to),
        to => (Takes::Unsaid, to),
    };
    Some(Pattern::Step(StepPattern {
        man: None,
        wing: None,
        from: Bitboard::from_square(square(from)?),
        to: Bitboard::from_square(square(to)?),
        takes,
        victim: None,
        promotion,
    }))
}

/// Splits off the man at the beginning. Returns the man and the rest of the text. A small `b` is
/// not a bishop but a file.
fn man(text: &str) -> (Option<Role>, &str) {
    match text.as_bytes().first() {
        Some(c @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'P' | b'k' | b'q' | b'r' | b'n' | b'p')) => {
            (Role::from_char(char::from(*c)), &text[1..])
        }
        _ => (None, text),
    }
}

/// Reads what is written before the target square: nothing, a file, a rank or a
/// square.
fn origin(text: &[u8]) -> Option<Bitboard> {
    match *text {
        [] => Some(Bitboard::FULL),
        [c] => file(c)
            .map(Bitboard::from_file)
            .or_else(|| rank(c).map(Bitboard::from_rank)),
        _ => square(text).map(Bitboard::from_square),
    }
}

fn step(text: &str) -> Option<Pattern> {
    let (text, promotion) = promotion(text);
    let (man, text) = man(text);
    let separator = text.find(['x', 'X', ':', '-']);
    let (left, sign, right) = match separator {
        Some(at) => (&text[..at], text.as_bytes()[at], &text[at + 1..]),
        None => {
            // The text ends with the target square. A text of two files (`ed`) ends with a target
            // file instead.
            let both = text.as_bytes();
            let files = both.len() == 2 && file(both[1]).is_some();
            let at = both.len().checked_sub(if files { 1 } else { 2 })?;
            (text.get(..at)?, b' ', text.get(at..)?)
        }
    };
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let from = origin(left)?;
    let to = match *right {
        [f] => Bitboard::from_file(file(f)?),
        _ => Bitboard::from_square(square(right)?),
    };
    let pawn = man.is_none_or(|role| role == Role::Pawn);
    let takes = match sign {
        b'-' if left.is_empty() => return None,
        b'-' => Takes::No,
        b' ' => Takes::Unsaid,
        _ => Takes::Yes,
    };
    if !pawn {
        let whole = right.len() == 2;
        return whole.then_some(Pattern::Step(StepPattern {
            man,
            wing: None,
            from,
            to,
            takes,
            victim: None,
            promotion,
        }));
    }
    let takes = pawn_takes(man, left, takes, right)?;
    Some(Pattern::Step(StepPattern {
        man: Some(Role::Pawn),
        wing: None,
        from,
        to,
        takes,
        victim: None,
        promotion,
    }))
}

/// Returns whether the text of a pawn's move says that the pawn captures. Returns `None` if the
/// text is not a pawn's move.
fn pawn_takes(man: Option<Role>, left: &[u8], takes: Takes, right: &[u8]) -> Option<Takes> {
    let to = file(*right.first()?)?;
    match *left {
        [] if right.len() == 1 => None,
        [] if takes == Takes::Yes => Some(Takes::Yes),
        [] => Some(Takes::No),
        [c] => {
            let from = file(c)?;
            let beside = from.distance(to) == 1;
            (beside && takes != Takes::No).then_some(Takes::Yes)
        }
        // Example: `Pe2-e4`. Without the `P`, the text would have been read as coordinates.
        _ => man.map(|_| {
            if takes == Takes::Yes {
                Takes::Yes
            } else {
                Takes::Unsaid
            }
        }),
    }
}
