//! Probabilities of the squares of the lone king.

use rules::chess::{Bitboard, Color};

/// One weight for each square. The weight of a square is in proportion to the probability that the
/// lone king is on the square. The weight is 0 if the king cannot be there. The order is a1, b1 ...
/// h8. If the men are Black's, the ranks are mirrored, as in [`OwnMen`](super::OwnMen).
pub type Weights = [f32; 64];

/// Returns weights that are 1 on the squares `kings`, and 0 on all other squares. `color` is the
/// colour of the men: if it is Black, the ranks are mirrored.
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
