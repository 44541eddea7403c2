//! Spellings of legal moves that are closest to a text.

use notation::{BoardNames, Marks, MoveText, Notation};
use position::Position;
use rules::{
    Try,
    chess::{Role, Square},
};

use super::{
    descriptive,
    fit::all_fits,
    san::{castling_side, san_without_check},
};

/// A legal move, a spelling of the move, and the number of characters in which the
/// spelling differs from the text.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct Near {
    pub t: Try,
    pub text: String,
    pub cost: u32,
}

/// Returns the number of characters to insert, remove or change to turn one text into the other.
fn distance(a: &str, b: &str) -> u32 {
    u32::try_from(strsim::levenshtein(a, b)).unwrap_or(u32::MAX)
}

/// Returns one of the spellings of the legal move `t`: the spelling that is closest to `written`.
/// Spellings that fit other legal moves, too, are left out. If no spelling remains, returns the
/// move in coordinates. Signs of check, such as `+`, are ignored in both texts.
pub(super) fn nearest(position: &Position, t: Try, written: &str, notation: Notation) -> Near {
    nearest_within(position, t, written, notation, u32::MAX).unwrap_or_else(|| Near {
        t,
        text: t.to_string(),
        cost: distance(written, &t.to_string()),
    })
}

/// Does the same as [`nearest`], but returns `None` if the spelling differs in more than `most`
/// characters.
pub(super) fn nearest_within(
    position: &Position,
    t: Try,
    written: &str,
    notation: Notation,
    most: u32,
) -> Option<Near> {
    let (bare, _) = Marks::split(written);
    let small = !bare.bytes().any(|c| c.is_ascii_uppercase());
    let mut ways = match notation {
        Notation::Algebraic => algebraic_ways(position, t),
        Notation::Descriptive => descriptive::ways(position, t),
    };
    if small && notation == Notation::Descriptive {
        for way in &mut ways {
            way.make_ascii_lowercase();
        }
    }
    let mut ranked: Vec<(u32, usize)> = ways
        .iter()
        .enumerate()
        .map(|(i, way)| (distance(bare, way), i))
        .filter(|(cost, _)| *cost <= most)
        .collect();
    ranked.sort_unstable();
    let understood = |text: &str| {
        MoveText::read(text, notation, position.turn(), BoardNames::Usual)
            .is_some_and(|read| all_fits(position, &read) == [t])
    };
    let (cost, i) = ranked.into_iter().find(|(_, i)| understood(&ways[*i]))?;
    Some(Near {
        t,
        text: ways.swap_remove(i),
        cost,
    })
}

/// Returns every way in which a printed score might write a move.
fn algebraic_ways(position: &Position, t: Try) -> Vec<String> {
    let plain = san_without_check(position, t);
    let mut ways = vec![plain];
    let Try::Step {
        from,
        to,
        promotion,
    } = t
    else {
        return ways;
    };
    if castling_side(position, t).is_some() {
        return ways;
    }
    let role = position.role_at(from).unwrap_or(Role::Pawn);
    let takes = position.captured_by(t).is_some();
    let x = if takes { "x" } else { "" };
    let ends: Vec<String> = match promotion {
        None => vec![String::new()],
        Some(man) => {
            let c = man.upper_char();
            vec![format!("={c}"), c.to_string(), format!("({c})")]
        }
    };
    for end in ends {
        if role == Role::Pawn {
            if takes {
                ways.push(format!("{}x{}{end}", from.file(), to.file()));
                ways.push(format!("{}x{to}{end}", from.file()));
            } else {
                ways.push(format!("{to}{end}"));
            }
        } else {
            let man = role.upper_char();
            for origin in origins(from) {
                ways.push(format!("{man}{origin}{x}{to}"));
            }
        }
        let man = promotion.map_or(String::new(), |man| man.char().to_string());
        ways.push(format!("{from}{to}{man}"));
        ways.push(format!("{from}-{to}{end}"));
    }
    ways
}

fn origins(from: Square) -> [String; 4] {
    [
        String::new(),
        from.file().to_string(),
        from.rank().to_string(),
        from.to_string(),
    ]
}
