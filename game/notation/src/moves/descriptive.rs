//! Descriptive notation, the forms of `ks`, and UMPIRE's pairs of squares.

use rules::chess::{Bitboard, CastlingSide, Color, File, Rank, Role};

use super::{
    algebraic::castling,
    pattern::{Pattern, StepPattern, Takes},
};

/// Returns the possible meanings of a text from which the marks (`ch`, `e.p.`, `!`) were removed.
/// `color` is the side that moves.
pub(super) fn readings(text: &str, color: Color) -> Vec<Pattern> {
    if let Some(side) = castling(text) {
        return vec![Pattern::Castling(side)];
    }
    let Some(text) = capitals(text) else {
        return Vec::new();
    };
    if let Some(sides) = castles(&text) {
        return sides.iter().copied().map(Pattern::Castling).collect();
    }
    if let Some(pair) = umpire(&text, color) {
        return vec![Pattern::Step(pair)];
    }
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if let Some((man, square)) = text.split_once('@') {
        return dropped(man, square, color).into_iter().collect();
    }
    steps(&text, color).into_iter().map(Pattern::Step).collect()
}

/// Converts the text to capitals, and `Kt` to `N`. Returns `None` if the text
/// mixes small and capital letters, because descriptive notation never mixes
/// them. There are two exceptions: a small `x`, and the word "castles".
fn capitals(text: &str) -> Option<String> {
    let text = text.replace("Kt", "N").replace("kt", "n");
    let text = text.replace("KT", "N");
    let word = text.len() > 3 && text.get(..3)?.eq_ignore_ascii_case("cas");
    let small = text
        .bytes()
        .any(|c| c.is_ascii_lowercase() && c != b'x' && !word);
    let large = text.bytes().any(|c| c.is_ascii_uppercase() && !word);
    (text.is_ascii() && !(small && large)).then(|| text.to_ascii_uppercase())
}

fn castles(text: &str) -> Option<&'static [CastlingSide]> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let (first, rest) = words.split_first()?;
    match (*first, rest) {
        ("CK", []) => Some(&[CastlingSide::KingSide]),
        ("CQ", []) => Some(&[CastlingSide::QueenSide]),
        ("CASTLES" | "CASTLE", []) => Some(&CastlingSide::ALL),
        ("CASTLES" | "CASTLE", ["K" | "KR" | "KING" | "KINGS", ..]) => {
            Some(&[CastlingSide::KingSide])
        }
        ("CASTLES" | "CASTLE", ["Q" | "QR" | "QUEEN" | "QUEENS", ..]) => {
            Some(&[CastlingSide::QueenSide])
        }
        _ => None,
    }
}

/// Returns the files that a name can mean: `B` means two files, `QB` means one file.
fn files(name: &str) -> Option<Bitboard> {
    let of = |all: &[File]| all.iter().copied().map(Bitboard::from_file).collect_all();
    Some(match name {
        "QR" => of(&[File::A]),
        "QN" => of(&[File::B]),
        "QB" => of(&[File::C]),
        "Q" => of(&[File::D]),
        "K" => of(&[File::E]),
        "KB" => of(&[File::F]),
        "KN" => of(&[File::G]),
        "KR" => of(&[File::H]),
        "R" => of(&[File::A, File::H]),
        "N" => of(&[File::B, File::G]),
        "B" => of(&[File::C, File::F]),
        _ => return None,
    })
}

/// Joins several sets of squares into one.
trait CollectAll {
    fn collect_all(self) -> Bitboard;
}

impl<I: Iterator<Item = Bitboard>> CollectAll for I {
    fn collect_all(self) -> Bitboard {
        self.fold(Bitboard::EMPTY, |all, more| all | more)
    }
}

fn rank(digit: &str, color: Color) -> Option<Bitboard> {
    let &[c] = digit.as_bytes() else {
        return None;
    };
    let rank = Rank::from_char(char::from(c))?;
    Some(Bitboard::from_rank(color.relative_rank(rank)))
}

/// Returns the squares that a name can mean: `KB4` means one square, `B4` means two squares.
fn squares(name: &str, color: Color) -> Option<Bitboard> {
    let at = name.len().checked_sub(1)?;
    Some(files(name.get(..at)?)? & rank(name.get(at..)?, color)?)
}

/// Reads UMPIRE's form `K2 K4`: two squares, each with its full name, with a space between them.
fn umpire(text: &str, color: Color) -> Option<StepPattern> {
    let (from, to) = text.split_once(char::is_whitespace)?;
    two_squares(from, to.trim_start(), color)
        .filter(|step| step.from.count() == 1 && step.to.count() == 1)
}

/// Reads two squares without a man, also with short names: `K2-K4`, `K2K4`, `R2-R4`. The text is in
/// capitals.
pub(super) fn pair(text: &str, color: Color) -> Option<StepPattern> {
    let at = text.find(|c: char| c.is_ascii_digit())? + 1;
    let (from, to) = text.split_at_checked(at)?;
    two_squares(from, to.strip_prefix('-').unwrap_or(to), color)
}

fn two_squares(from: &str, to: &str, color: Color) -> Option<StepPattern> {
    Some(StepPattern {
        man: None,
        wing: None,
        from: squares(from, color)?,
        to: squares(to, color)?,
        takes: Takes::Unsaid,
        victim: None,
        promotion: None,
    })
}

fn dropped(man: &str, square: &str, color: Color) -> Option<Pattern> {
    let &[c] = man.as_bytes() else {
        return None;
    };
    Some(Pattern::Drop {
        role: Role::from_char(char::from(c))?,
        to: squares(square, color)?,
    })
}

/// A named man, with the squares on which it can be.
#[derive(Copy, Clone)]
struct NamedMan {
    role: Role,
    wing: Option<CastlingSide>,
    at: Bitboard,
}

/// Reads the name of a man: `R`, `QR`, `R1`, `R/N`, `R(K1)`, `QP`, `KBP`,
/// `P/K2`.
fn named(text: &str, color: Color) -> Option<NamedMan> {
    let (base, place) = match text.split_once(['/', '(']) {
        None => (text, None),
        Some((base, place)) => (base, Some(place.strip_suffix(')').unwrap_or(place))),
    };
    let letters = base.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut man = of_letters(letters)?;
    let digits = &base[letters.len()..];
    if !digits.is_empty() {
        man.at &= rank(digits, color)?;
    }
    if let Some(place) = place {
        let at = files(place)
            .or_else(|| rank(place, color))
            .or_else(|| squares(place, color))?;
        man.at &= at;
    }
    Some(man)
}

fn of_letters(letters: &str) -> Option<NamedMan> {
    let whole = |role, wing| NamedMan {
        role,
        wing,
        at: Bitboard::FULL,
    };
    if let Some(file) = letters.strip_suffix('P') {
        let at = if file.is_empty() {
            Bitboard::FULL
        } else {
            files(file)?
        };
        return Some(NamedMan {
            role: Role::Pawn,
            wing: None,
            at,
        });
    }
    let role = |c: u8| Role::from_char(char::from(c));
    match *letters.as_bytes() {
        [c @ (b'K' | b'Q' | b'R' | b'B' | b'N')] => Some(whole(role(c)?, None)),
        [b'K', c @ (b'R' | b'B' | b'N')] => Some(whole(role(c)?, Some(CastlingSide::KingSide))),
        [b'Q', c @ (b'R' | b'B' | b'N')] => Some(whole(role(c)?, Some(CastlingSide::QueenSide))),
        _ => None,
    }
}

fn steps(text: &str, color: Color) -> Vec<StepPattern> {
    let mut found = Vec::new();
    // A `-` or `X` never occurs inside parentheses, so the first `-` or `X`
    // separates man and target.
    let Some(at) = text.find(['-', 'X']) else {
        return found;
    };
    let takes = text.as_bytes()[at] == b'X';
    let Some(man) = named(&text[..at], color) else {
        return found;
    };
    let target = &text[at + 1..];
    let ways = promotions(target, man.role);
    // `PxR(Q)` is either a promotion to a queen or a capture of the rook on the queen's file. A
    // pawn that reaches the last rank always promotes. So in every meaning without a promotion, the
    // target square is not on the last rank.
    let unpromoted = if ways.len() > 1 {
        !Bitboard::from_rank(color.relative_rank(Rank::Eighth))
    } else {
        Bitboard::FULL
    };
    for (target, promotion) in ways {
        let within = if promotion.is_none() {
            unpromoted
        } else {
            Bitboard::FULL
        };
        let base = StepPattern {
            man: Some(man.role),
            wing: man.wing,
            from: man.at,
            to: Bitboard::EMPTY,
            takes: if takes { Takes::Yes } else { Takes::No },
            victim: None,
            promotion,
        };
        if let Some(to) = squares(target, color) {
            found.push(StepPattern {
                to: to & within,
                ..base
            });
        }
        // `KB4` is a square, not a bishop on the fourth rank. But `Q1` can be a
        // square or a queen on the first rank.
        let is_square = squares(target, color).is_some_and(|to| to.count() == 1);
        let is_queen = target.starts_with('Q') && target.len() == 2;
        if takes
            && (is_queen || !is_square)
            && let Some(victim) = named(target, color)
        {
            found.push(StepPattern {
                to: victim.at & within,
                victim: Some(victim.role),
                ..base
            });
        }
    }
    found
}

/// Returns the ways to split the text of a target into a square and a promotion. The first way has
/// no promotion. If a pawn moves and the text can end with the name of a man, a second way has a
/// promotion to this man.
fn promotions(target: &str, man: Role) -> Vec<(&str, Option<Role>)> {
    let mut ways = vec![(target, None)];
    if man != Role::Pawn {
        return ways;
    }
    let role = |c: u8| match c {
        b'Q' | b'R' | b'B' | b'N' => Role::from_char(char::from(c)),
        _ => None,
    };
    let found = match *target.as_bytes() {
        [.., b'(', c, b')'] => role(c).map(|role| (3, role)),
        [.., b'=' | b'/', c] => role(c).map(|role| (2, role)),
        [.., b'8', c] => role(c).map(|role| (1, role)),
        _ => None,
    };
    if let Some((length, role)) = found {
        ways.push((&target[..target.len() - length], Some(role)));
    }
    ways
}
