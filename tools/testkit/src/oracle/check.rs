//! Directions of a check (specification, section 2).

use rules::{
    Direction, Directions,
    chess::{Color, Square},
};

use super::mailbox::{Position, off, place};

/// Returns how many squares lie on the line that goes through `sq` with the slope `(df, dr)`.
fn length(sq: Square, (df, dr): (i32, i32)) -> u32 {
    let mut squares = 1;
    for sense in [1, -1] {
        let mut here = sq;
        while let Some(next) = off(here, sense * df, sense * dr) {
            squares += 1;
            here = next;
        }
    }
    squares
}

/// Returns the direction of a checker on `from`, seen from the king. If the
/// square is on none of the king's lines, the checker is a knight.
pub(super) fn direction(king: Square, from: Square) -> Direction {
    let ((kf, kr), (f, r)) = (place(king), place(from));
    if kr == r {
        return Direction::Rank;
    }
    if kf == f {
        return Direction::File;
    }
    let rising = length(king, (1, 1));
    let falling = length(king, (1, -1));
    if f - kf == r - kr {
        if rising > falling {
            Direction::Long
        } else {
            Direction::Short
        }
    } else if f - kf == kr - r {
        if falling > rising {
            Direction::Long
        } else {
            Direction::Short
        }
    } else {
        Direction::Knight
    }
}

impl Position {
    /// Returns the directions from which a side's king is checked.
    pub(super) fn check_directions(&self, color: Color) -> Directions {
        let Some(king) = self.king(color) else {
            return Directions::NONE;
        };
        self.checkers(color)
            .into_iter()
            .map(|from| direction(king, from))
            .collect()
    }
}
