//! Layout of a screen of a given size.

use ratatui::layout::Rect;
use rules::chess::{Color, File, Rank, Square};

/// Smallest screen that can show a board and the calls: columns, rows.
pub(crate) const MIN_SIZE: (u16, u16) = (60, 18);

/// Number of columns for the clocks, the calls and the log.
const SIDE_COLUMNS: u16 = 40;

/// Position of a board on the screen.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct BoardAt {
    /// Area of all squares.
    pub(crate) area: Rect,
    /// Size of one square: columns, rows.
    pub(crate) cell: (u16, u16),
    /// Side at the lower edge.
    pub(crate) below: Color,
}

impl BoardAt {
    /// Returns the largest board that fits into the area, with squares of at
    /// most `highest` rows.
    pub(crate) fn fitting(at: Rect, below: Color, highest: u16) -> BoardAt {
        let width_of = |h: u16| if h == 1 { 3 } else { 2 * h };
        // The names of the ranks need two columns, the names of the files one
        // row.
        let fits = |h: &u16| width_of(*h) * 8 + 2 <= at.width && h * 8 < at.height;
        let h = (1..=highest).rev().find(fits).unwrap_or(1);
        let w = if fits(&h) { width_of(h) } else { 2 };
        BoardAt {
            area: Rect::new(at.x + 2, at.y, w * 8, h * 8),
            cell: (w, h),
            below,
        }
    }

    /// Returns the size of the board with the names of ranks and files:
    /// columns, rows.
    pub(crate) fn outer(&self) -> (u16, u16) {
        (self.area.width + 2, self.area.height + 1)
    }

    /// Returns the area of a square.
    pub(crate) fn square(&self, square: Square) -> Rect {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        let (column, row) = match self.below {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        let (w, h) = self.cell;
        Rect::new(
            self.area.x + column as u16 * w,
            self.area.y + row as u16 * h,
            w,
            h,
        )
    }

    /// Returns the square at a screen position.
    pub(crate) fn hit(&self, x: u16, y: u16) -> Option<Square> {
        if !self.area.contains((x, y).into()) {
            return None;
        }
        let column = u32::from((x - self.area.x) / self.cell.0);
        let row = u32::from((y - self.area.y) / self.cell.1);
        let (file, rank) = match self.below {
            Color::White => (column, 7 - row),
            Color::Black => (7 - column, row),
        };
        Some(Square::from_coords(File::new(file), Rank::new(rank)))
    }
}

/// Areas of the parts of a table.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Layout {
    pub(crate) title: Rect,
    pub(crate) board: BoardAt,
    pub(crate) clocks: Rect,
    pub(crate) calls: Rect,
    pub(crate) log: Rect,
    /// Line with the castling rights, the guesses and the reserve.
    pub(crate) known: Rect,
    pub(crate) message: Rect,
    pub(crate) input: Rect,
    pub(crate) keys: Rect,
}

impl Layout {
    /// Returns the layout for a screen of this size, or `None` if the screen is
    /// too small.
    pub(crate) fn of(screen: Rect, below: Color) -> Option<Layout> {
        let (width, height) = (screen.width, screen.height);
        if width < MIN_SIZE.0 || height < MIN_SIZE.1 {
            return None;
        }
        let line = |y: u16, rows: u16| Rect::new(0, y, width, rows);
        // Below the board: the line with castling rights, guesses and reserve; the message; the input
        // line; the keys.
        let tall = height >= 24;
        let known = u16::from(tall);
        let message = if tall { 2 } else { 1 };
        let foot = known + message + 2;
        let room = Rect::new(
            1,
            1,
            width.saturating_sub(SIDE_COLUMNS + 2),
            height - 1 - foot,
        );
        let board = BoardAt::fitting(room, below, 6);
        let (wide, _) = board.outer();
        let x = 1 + wide + 2;
        let aside = Rect::new(x, 1, width - x - 1, height - 1 - foot);
        let calls = (aside.height * 4 / 9).clamp(5, 12);
        let foot_at = height - foot;
        Some(Layout {
            title: line(0, 1),
            board,
            clocks: Rect::new(x, aside.y, aside.width, 2),
            calls: Rect::new(x, aside.y + 2, aside.width, calls),
            log: Rect::new(
                x,
                aside.y + 2 + calls,
                aside.width,
                aside.height - 2 - calls,
            ),
            known: line(foot_at, known),
            message: line(foot_at + known, message),
            input: line(foot_at + known + message, 1),
            keys: line(height - 1, 1),
        })
    }
}

impl Layout {
    /// Makes space for a message of this number of lines. The message first covers the line with
    /// the castling rights, the guesses and the reserve. If that is not enough, the log becomes
    /// shorter.
    pub(crate) fn with_message(self, lines: usize) -> Layout {
        let most = self.message.bottom() - self.title.bottom();
        let lines = u16::try_from(lines).unwrap_or(u16::MAX).min(most);
        let more = lines.saturating_sub(self.message.height);
        if more == 0 {
            return self;
        }
        let mut all = self;
        all.message.y -= more;
        all.message.height += more;
        all.known.height = 0;
        let below = all.log.bottom().saturating_sub(all.message.y);
        all.log.height = all.log.height.saturating_sub(below);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_found_at_its_position() {
        for (width, height) in [(60, 18), (80, 24), (120, 40), (200, 60), (400, 200)] {
            for below in Color::ALL {
                let screen = Rect::new(0, 0, width, height);
                let layout = Layout::of(screen, below).unwrap();
                for square in Square::ALL {
                    let at = layout.board.square(square);
                    assert!(screen.contains((at.x, at.y).into()));
                    for (x, y) in [(at.x, at.y), (at.right() - 1, at.bottom() - 1)] {
                        assert_eq!(layout.board.hit(x, y), Some(square));
                    }
                }
                assert!(layout.board.area.bottom() < layout.keys.y);
                assert!(layout.log.height >= 2, "{width}x{height}");
                assert_eq!(layout.board.hit(0, 0), None);
            }
        }
    }

    #[test]
    fn long_message_takes_rows_from_the_log_not_the_board() {
        for (width, height) in [(60, 18), (80, 24), (200, 60)] {
            let usual = Layout::of(Rect::new(0, 0, width, height), Color::White).unwrap();
            for lines in 0..5 {
                let layout = usual.with_message(lines);
                assert!(usize::from(layout.message.height) >= lines, "{lines}");
                assert_eq!(layout.message.bottom(), layout.input.y);
                assert!(layout.log.bottom() <= layout.message.y);
                assert_eq!(layout.board, usual.board);
                // A message of at most four lines covers no square of the board.
                assert!(layout.board.area.bottom() <= layout.message.y, "{lines}");
            }
        }
    }

    #[test]
    fn squares_have_two_rows_usually_and_six_in_large_windows() {
        let cell = |w, h| {
            Layout::of(Rect::new(0, 0, w, h), Color::White)
                .unwrap()
                .board
                .cell
        };
        assert_eq!(cell(80, 24), (4, 2));
        assert_eq!(cell(200, 60), (12, 6));
        assert_eq!(Layout::of(Rect::new(0, 0, 59, 24), Color::White), None);
    }
}
