//! Facts about the opponent's men, as sentences.

use std::fmt;

use rules::{
    ROLES,
    chess::{Bitboard, ByRole, Role, Square},
    role_name,
};

use crate::certain::Certain;

/// Maximum number of squares that one sentence lists as alternatives.
const MAX_ALTERNATIVES: usize = 5;

/// A statement about the opponent's men that is true in every possible
/// position. `Display` writes it as a sentence.
///
/// ```
/// use belief::Fact;
/// use rules::chess::{Bitboard, Role, Square};
///
/// let fact = Fact::OneOf(Role::Queen, Bitboard::from_iter([Square::B7, Square::C6]));
/// assert_eq!(fact.to_string(), "The queen is on b7 or c6.");
/// assert_eq!(Fact::Left(Role::Rook, 0).to_string(), "No rook is left.");
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Fact {
    /// All men of a role are on these squares.
    On(Role, Bitboard),
    /// The only man of a role is on one of these squares.
    OneOf(Role, Bitboard),
    /// Each of these squares has a man of the role. Other squares may have men of the role too.
    Among(Role, Bitboard),
    /// The squares of all men of a role are known, except for one man. This one man is on one of
    /// the given squares.
    Other(Role, Bitboard),
    /// Some man is on the square; it has one of these roles.
    Occupied(Square, ByRole<bool>),
    /// This many men of a role are left.
    Left(Role, u8),
}

impl Fact {
    /// Returns the facts that follow from `certain`, ordered by role from the king to the pawn.
    /// Facts about occupied squares ([`Fact::Occupied`]) come last. A fact about the number of men
    /// of a role is included only if the number has changed since the start of the game. `first`
    /// are the numbers at the start.
    pub fn all(certain: &Certain, first: &ByRole<u8>) -> Vec<Fact> {
        let mut facts = Vec::new();
        for role in ROLES {
            of_role(&mut facts, certain, *first.get(role), role);
        }
        let known = Role::ALL.into_iter().map(|role| *certain.must.get(role));
        let known = known.fold(Bitboard::EMPTY, |all, squares| all | squares);
        for sq in certain.occupied & !known {
            let roles = ByRole::new_with(|role| certain.can.get(role).contains(sq));
            facts.push(Fact::Occupied(sq, roles));
        }
        facts
    }
}

fn of_role(facts: &mut Vec<Fact>, certain: &Certain, first: u8, role: Role) {
    let (least, most) = (*certain.least.get(role), *certain.most.get(role));
    let (can, must) = (*certain.can.get(role), *certain.must.get(role));
    if most == 0 {
        if first > 0 {
            facts.push(Fact::Left(role, 0));
        }
        return;
    }
    let count = (least == most).then_some(usize::from(most));
    if count == Some(must.count()) {
        facts.push(Fact::On(role, must));
        return;
    }
    let few = |squares: Bitboard| squares.count() <= MAX_ALTERNATIVES;
    if count == Some(1) && few(can) {
        facts.push(Fact::OneOf(role, can));
        return;
    }
    if must.any() {
        facts.push(Fact::Among(role, must));
    }
    let others = can & !must;
    if must.any() && count == Some(must.count() + 1) && few(others) {
        facts.push(Fact::Other(role, others));
        return;
    }
    if count.is_some() && most != first {
        facts.push(Fact::Left(role, most));
    }
}

/// Joins items with commas, and the last one with `word`: "a1, b1 or c1".
fn list(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} {word} {last}", front.join(", ")),
    }
}

fn squares(set: Bitboard, word: &str) -> String {
    let mut names: Vec<String> = set.into_iter().map(|sq| sq.to_string()).collect();
    names.sort_unstable();
    list(&names, word)
}

/// Returns a number up to ten as a word, a larger one as digits.
fn number(n: u8) -> String {
    let words = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    words
        .get(usize::from(n))
        .map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fact::On(role, at) if at.count() == 1 => {
                write!(f, "The {} is on {}.", role_name(role), squares(at, "and"))
            }
            Fact::On(role, at) => {
                write!(f, "The {}s are on {}.", role_name(role), squares(at, "and"))
            }
            Fact::OneOf(role, at) => {
                write!(f, "The {} is on {}.", role_name(role), squares(at, "or"))
            }
            Fact::Among(role, at) if at.count() == 1 => {
                write!(f, "A {} is on {}.", role_name(role), squares(at, "and"))
            }
            Fact::Among(role, at) => {
                write!(
                    f,
                    "{}s are on {}.",
                    capital(role_name(role)),
                    squares(at, "and")
                )
            }
            Fact::Other(role, at) => {
                write!(
                    f,
                    "The other {} is on {}.",
                    role_name(role),
                    squares(at, "or")
                )
            }
            Fact::Occupied(sq, roles) => {
                let names: Vec<String> = ROLES
                    .into_iter()
                    .filter(|role| *roles.get(*role))
                    .map(|role| format!("a {}", role_name(role)))
                    .collect();
                if names.len() > 3 {
                    write!(f, "A man is on {sq}.")
                } else {
                    write!(f, "{} is on {sq}.", capital(&list(&names, "or")))
                }
            }
            Fact::Left(role, n) => {
                let (men, verb) = if n < 2 { ("", "is") } else { ("s", "are") };
                write!(
                    f,
                    "{} {}{men} {verb} left.",
                    capital(&number(n)),
                    role_name(role)
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{marginals::USUAL, men::Men};

    /// Returns the sentences about these possible positions. Each position is a
    /// list of roles with their squares.
    fn sentences(positions: &[&[(Role, &[Square])]]) -> Vec<String> {
        let all = positions.iter().map(|position| {
            let mut men = Men::default();
            for (role, at) in *position {
                *men.by_role.get_mut(*role) = at.iter().copied().collect();
            }
            men
        });
        let certain = Certain::of(all);
        let facts = Fact::all(&certain, &USUAL);
        facts.iter().map(ToString::to_string).collect()
    }

    const K: Role = Role::King;
    const Q: Role = Role::Queen;
    const R: Role = Role::Rook;
    const N: Role = Role::Knight;
    const P: Role = Role::Pawn;
    use Square::*;

    #[test]
    fn one_position_locates_every_man() {
        let found = sentences(&[&[(K, &[E8]), (Q, &[D8]), (R, &[A8, H8]), (P, &[A7, B7, C7])]]);
        assert_eq!(
            found,
            [
                "The king is on e8.",
                "The queen is on d8.",
                "The rooks are on a8 and h8.",
                "No bishop is left.",
                "No knight is left.",
                "The pawns are on a7, b7 and c7.",
            ]
        );
    }

    #[test]
    fn alternatives_are_listed_with_or() {
        let found = sentences(&[
            &[(K, &[E8]), (Q, &[B7]), (R, &[A8, H8])],
            &[(K, &[E8]), (Q, &[C6]), (R, &[A8, G8])],
        ]);
        assert_eq!(
            found[1..4],
            [
                "The queen is on b7 or c6.",
                "A rook is on a8.",
                "The other rook is on g8 or h8.",
            ]
        );
    }

    #[test]
    fn too_many_alternatives_are_no_fact() {
        let on = |sq: Square| [(K, [sq])];
        let all: Vec<[(Role, [Square; 1]); 1]> = [A8, B8, C8, D8, E8, F8].map(on).to_vec();
        let lists: Vec<Vec<(Role, &[Square])>> = all
            .iter()
            .map(|one| one.iter().map(|(role, at)| (*role, &at[..])).collect())
            .collect();
        let six: Vec<&[(Role, &[Square])]> = lists.iter().map(Vec::as_slice).collect();
        assert!(sentences(&six).iter().all(|one| !one.contains("king")));
        assert_eq!(
            sentences(&six[..5])[0],
            "The king is on a8, b8, c8, d8 or e8."
        );
    }

    #[test]
    fn occupied_square_is_a_fact_if_the_role_is_unknown() {
        let found = sentences(&[
            &[(K, &[E8]), (N, &[D5]), (P, &[A7, B7])],
            &[(K, &[E8]), (P, &[B7, D5])],
        ]);
        assert_eq!(
            found,
            [
                "The king is on e8.",
                "No queen is left.",
                "No rook is left.",
                "No bishop is left.",
                "A pawn is on b7.",
                "The other pawn is on a7 or d5.",
                "A knight or a pawn is on d5.",
            ]
        );
    }

    #[test]
    fn number_of_men_is_a_fact_if_it_changed() {
        let found = sentences(&[
            &[(K, &[E8]), (R, &[A1, B1]), (N, &[C1]), (P, &[A7, B7])],
            &[(K, &[E8]), (R, &[C2, D2]), (N, &[F6]), (P, &[C6, D6])],
            &[(K, &[E8]), (R, &[E2, F2]), (N, &[A6]), (P, &[E6, F6])],
        ]);
        assert_eq!(
            found,
            [
                "The king is on e8.",
                "No queen is left.",
                "No bishop is left.",
                "The knight is on a6, c1 or f6.",
                "Two pawns are left.",
            ]
        );
    }

    #[test]
    fn several_certain_squares_are_one_sentence() {
        let found = sentences(&[
            &[(P, &[A7, B7, C7]), (K, &[E8])],
            &[(P, &[A7, B7]), (K, &[E8])],
        ]);
        assert_eq!(found.last().unwrap(), "Pawns are on a7 and b7.");
    }
}
