//! Draws a board.

use std::collections::BTreeMap;

use ratatui::{layout::Rect, style::Style};
use rules::chess::{Bitboard, Board, Color, File, Piece, Rank, Square};

use super::{Pen, figures::figure};
use crate::{
    geometry::BoardAt,
    phantoms::Phantoms,
    theme::{self, MenStyle, Theme},
};

/// Marks on a board, in addition to the men.
#[derive(Clone, Default, Debug)]
pub(crate) struct Marks {
    pub(crate) cursor: Option<Square>,
    pub(crate) held: Option<Square>,
    /// Squares that the held man can try to reach.
    pub(crate) targets: Bitboard,
    /// Targets of the tries refused in this turn.
    pub(crate) refused: Bitboard,
    /// Squares named by the last announcements, and by what was heard after them.
    pub(crate) named: Bitboard,
    /// Origin and target of the last own move.
    pub(crate) moved: Bitboard,
    pub(crate) phantoms: Phantoms,
    /// Probabilities of unseen men, in per cent.
    pub(crate) heat: BTreeMap<Square, u8>,
}

/// How men are drawn: as symbols or letters, and in which colours.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Dress {
    pub(crate) men: MenStyle,
    pub(crate) theme: Theme,
}

/// Draws a board with the names of its ranks and files.
pub(crate) fn board(pen: &mut Pen<'_>, at: &BoardAt, men: &Board, marks: &Marks, dress: Dress) {
    for square in Square::ALL {
        draw_square(pen, at.square(square), square, men, marks, dress);
    }
    let (w, h) = at.cell;
    for rank in Rank::ALL {
        let place = at.square(Square::from_coords(File::A, rank));
        let row = place.y + h / 2;
        let label = Rect::new(at.area.x - 2, row - u16::from(h == 2), 1, 1);
        pen.line(label, &rank.char().to_string(), pen.styles.dim);
    }
    for file in File::ALL {
        let place = at.square(Square::from_coords(file, Rank::First));
        let label = Rect::new(place.x + (w - 1) / 2, at.area.bottom(), 1, 1);
        pen.line(label, &file.char().to_string(), pen.styles.dim);
    }
}

fn draw_square(
    pen: &mut Pen<'_>,
    at: Rect,
    square: Square,
    men: &Board,
    marks: &Marks,
    dress: Dress,
) {
    let styles = pen.styles;
    let is_cursor = marks.cursor == Some(square);
    let heat = marks.heat.get(&square).copied();
    let ground = if let Some(percent) = heat {
        styles.heat[usize::from(percent.min(99) / 25)]
    } else if is_cursor {
        styles.cursor
    } else if marks.held == Some(square) || marks.moved.contains(square) {
        styles.held
    } else if square.is_dark() {
        styles.dark_square
    } else {
        styles.light_square
    };
    let fill = if styles.shade && square.is_dark() {
        ":"
    } else {
        " "
    };
    let row_text = fill.repeat(usize::from(at.width));
    for y in at.y..at.bottom() {
        pen.line(Rect::new(at.x, y, at.width, 1), &row_text, ground);
    }
    let phantom = marks.phantoms.0.piece_at(square);
    match (men.piece_at(square), phantom) {
        (Some(man), _) => draw_man(pen, at, man, ground.patch(man_style(pen, man)), dress),
        (None, Some(man)) => draw_phantom(pen, at, man, ground.patch(styles.phantom), dress),
        (None, None) => {}
    }
    if let Some(percent) = heat {
        let text = percent_text(percent, at.width);
        let left = at.x + at.width.saturating_sub(text.len() as u16).div_ceil(2);
        let width = at.right().saturating_sub(left);
        pen.line(Rect::new(left, middle(at), width, 1), &text, ground);
    }
    draw_marks(pen, at, square, ground.patch(styles.mark), marks);
    if styles.shade && (is_cursor || marks.held == Some(square)) {
        // Without colours the cursor is drawn as brackets.
        let (left, right) = if is_cursor { ("[", "]") } else { ("(", ")") };
        let row = middle(at);
        pen.line(Rect::new(at.x, row, 1, 1), left, ground);
        pen.line(Rect::new(at.right() - 1, row, 1, 1), right, ground);
    }
}

/// Formats a probability for this number of columns. With two columns, `##`
/// means certain.
fn percent_text(percent: u8, columns: u16) -> String {
    match percent {
        0 if columns < 3 => "<".to_owned(),
        0 => "<1".to_owned(),
        100 if columns < 3 => "##".to_owned(),
        _ => percent.to_string(),
    }
}

/// Returns the screen row in which the man on a square is drawn.
fn middle(at: Rect) -> u16 {
    at.y + if at.height <= 2 { 0 } else { at.height / 2 }
}

fn man_style(pen: &Pen<'_>, man: Piece) -> Style {
    match man.color {
        Color::White => pen.styles.white_man,
        Color::Black => pen.styles.black_man,
    }
}

fn draw_man(pen: &mut Pen<'_>, at: Rect, man: Piece, style: Style, dress: Dress) {
    if at.height >= 4 && at.width >= 7 {
        let top = at.y + (at.height - 3) / 2;
        let left = at.x + (at.width - 5) / 2;
        for (y, text) in (top..).zip(figure(man.role)) {
            for (x, c) in (left..).zip(text.chars()).filter(|(_, c)| *c != ' ') {
                // Without colours, the letter of a black man is in lower case.
                let shown = if c == man.role.upper_char() {
                    man.char()
                } else {
                    c
                };
                pen.line(Rect::new(x, y, 1, 1), &shown.to_string(), style);
            }
        }
        return;
    }
    let x = at.x + (at.width - 1) / 2;
    let shown = theme::man(man, dress.men, dress.theme);
    pen.line(Rect::new(x, middle(at), 1, 1), &shown.to_string(), style);
}

/// Draws a guessed man, with a question mark.
fn draw_phantom(pen: &mut Pen<'_>, at: Rect, man: Piece, style: Style, dress: Dress) {
    let x = at.x + (at.width - 1) / 2;
    let shown = theme::man(man, dress.men, dress.theme);
    pen.line(Rect::new(x, middle(at), 2, 1), &format!("{shown}?"), style);
}

fn draw_marks(pen: &mut Pen<'_>, at: Rect, square: Square, style: Style, marks: &Marks) {
    let mark = if marks.refused.contains(square) {
        "x"
    } else if marks.named.contains(square) {
        "!"
    } else if marks.targets.contains(square) {
        "."
    } else {
        return;
    };
    // The mark is to the right of the man, or below the man if there is space.
    let place = Rect::new(at.right() - 1, at.bottom() - 1, 1, 1);
    pen.line(place, mark, style);
}
