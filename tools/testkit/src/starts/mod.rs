//! Start positions: named positions with a certain difficulty, and random legal
//! positions.
//!
//! shakmaty checks every position. The en passant square is written after each double step next to
//! an enemy pawn, even if the enemy pawn is pinned.

mod named;
mod sparse;

use rand::{RngExt, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use rules::chess::{
    CastlingMode, Chess, EnPassantMode, Position, Setup, fen::Fen, variant::Crazyhouse,
};

pub use self::named::{NAMED, NAMED_DROPS, NAMED_EXHAUSTIBLE, NamedStart};
pub use self::sparse::Kind;

/// Returns the FEN of a set-up; `None` if the position is not legal.
pub fn validated(setup: Setup, drops: bool) -> Option<String> {
    let legal = if drops {
        setup
            .position::<Crazyhouse>(CastlingMode::Standard)
            .ok()?
            .to_setup(EnPassantMode::PseudoLegal)
    } else {
        setup
            .position::<Chess>(CastlingMode::Standard)
            .ok()?
            .to_setup(EnPassantMode::PseudoLegal)
    };
    Some(Fen::try_from_setup(legal).ok()?.to_string())
}

/// Returns a random legal start position: the last position of a random game, a
/// random board, or a named position.
pub fn random(rng: &mut ChaCha8Rng, drops: bool) -> String {
    match rng.random_range(0..10) {
        0 | 1 => playout(rng, drops),
        2 => {
            let from = if drops && rng.random_bool(0.7) {
                NAMED_DROPS
            } else {
                NAMED
            };
            let named = from.choose(rng).expect("there are named positions");
            let fen: Fen = named
                .fen
                .parse()
                .expect("the FEN of a named position can be read");
            let mut setup = fen.into_setup();
            if drops && setup.pockets.is_none() {
                setup.pockets = Some(rules::chess::ByColor::default());
            }
            validated(setup, drops).unwrap_or_else(|| playout(rng, drops))
        }
        _ => sparse::random(rng, drops),
    }
}

/// Returns the position after up to 119 random legal moves from the usual
/// start.
pub fn playout(rng: &mut ChaCha8Rng, drops: bool) -> String {
    let plies = rng.random_range(0..120);
    if drops {
        played(Crazyhouse::default(), plies, rng)
    } else {
        played(Chess::default(), plies, rng)
    }
}

fn played<P: Position + Clone>(mut position: P, plies: u32, rng: &mut ChaCha8Rng) -> String {
    for _ in 0..plies {
        let legal = position.legal_moves();
        let Some(m) = legal.choose(rng) else {
            break;
        };
        let mut next = position.clone();
        next.play_unchecked(*m);
        if next.legal_moves().is_empty() && rng.random_bool(0.9) {
            break;
        }
        position = next;
    }
    Fen::try_from_setup(position.to_setup(EnPassantMode::PseudoLegal))
        .expect("every position of a game has a FEN")
        .to_string()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn named_positions_are_legal() {
        let mut illegal = Vec::new();
        for (all, drops) in [
            (NAMED, false),
            (NAMED_EXHAUSTIBLE, false),
            (NAMED_DROPS, true),
        ] {
            for named in all {
                let fen: Fen = named.fen.parse().expect(named.name);
                if validated(fen.into_setup(), drops).is_none() {
                    illegal.push(named.name);
                }
            }
        }
        assert!(illegal.is_empty(), "{illegal:?}");
    }

    #[test]
    fn random_positions_are_legal_and_repeatable() {
        for drops in [false, true] {
            for seed in 0..300 {
                let fen = random(&mut ChaCha8Rng::seed_from_u64(seed), drops);
                let again = random(&mut ChaCha8Rng::seed_from_u64(seed), drops);
                assert_eq!(fen, again);
                let read: Fen = fen.parse().expect("the FEN can be read");
                assert_eq!(validated(read.into_setup(), drops), Some(fen));
            }
        }
    }
}
