//! Boards as SVG, for notebooks.

use std::fmt::Write as _;

use rules::chess::{Board, Color, Piece, Role, Square};

const SIDE: u32 = 45;

const fn figure(piece: Piece) -> char {
    // The filled figures for both sides: the outlined ones are transparent.
    match piece.role {
        Role::King => '\u{265a}',
        Role::Queen => '\u{265b}',
        Role::Rook => '\u{265c}',
        Role::Bishop => '\u{265d}',
        Role::Knight => '\u{265e}',
        Role::Pawn => '\u{265f}',
    }
}

/// Draws a board, White below. `heat` colours each square, from 0 (not at all) to 1.
pub fn board(board: &Board, heat: impl Fn(Square) -> f64) -> String {
    let size = 8 * SIDE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" width=\"{size}\" \
         height=\"{size}\" font-size=\"36\" text-anchor=\"middle\" \
         font-family=\"'DejaVu Sans',sans-serif\">"
    );
    for square in Square::ALL {
        let (x, y) = (
            square.file() as u32 * SIDE,
            (7 - square.rank() as u32) * SIDE,
        );
        let fill = if square.is_light() {
            "#f0d9b5"
        } else {
            "#b58863"
        };
        // Writing to a string cannot fail.
        let mut rect = |fill: &str, opacity: f64| {
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" \
                 fill-opacity=\"{opacity:.2}\"/>"
            );
        };
        rect(fill, 1.0);
        let heat = heat(square);
        if heat > 0.005 {
            rect("#c33", heat.min(1.0) * 0.8);
        }
        if let Some(piece) = board.piece_at(square) {
            let (fill, line) = match piece.color {
                Color::White => ("#fff", "#000"),
                Color::Black => ("#000", "#fff"),
            };
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\" fill=\"{fill}\" stroke=\"{line}\" \
                 stroke-width=\"1\">{}\u{fe0e}</text>",
                x + SIDE / 2,
                y + 36,
                figure(piece)
            );
        }
    }
    svg.push_str("</svg>");
    svg
}
