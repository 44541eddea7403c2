//! Probabilities of the squares of the lone king.

use rules::chess::{Bitboard, Color};

/// The weight of every square for the lone king. It is in proportion to the probability that the
/// king is on the square, and 0 if the king cannot be there. The order is a1, b1 ... h8, seen from
/// the side of the men.
pub type Weights = [f32; 64];

/// Returns equal weights for the squares, seen from the side of the men of this colour.
pub fn equal_weights(kings: Bitboard, color: Color) -> Weights {
    let mut weights = [0.0; 64];
    for square in kings {
        let turned = match color {
            Color::White => square,
            Color::Black => square.flip_vertical(),
        };
        weights[turned.to_usize()] = 1.0;
    }
    weights
}
