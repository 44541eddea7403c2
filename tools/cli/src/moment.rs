//! The moment of a game that the option `--at` names.

use std::fmt;

use notation::name;
use rules::{Announcement, Heard, chess::Color};
use scores::SeatRecord;

use crate::games::counted;

/// A moment of a game.
#[derive(Copy, Clone, Debug)]
pub(super) enum At {
    /// After this number of half-moves, and the refused tries and questions that follow them.
    HalfMoves(usize),
    /// Before this move of the side, and before any try of its turn.
    Move(usize, Color),
}

impl At {
    /// Reads `20`, `10w` or `10b`.
    pub(super) fn read(text: &str) -> Result<At, String> {
        let side = text.strip_suffix('w').map(|digits| (digits, Color::White));
        let side = side.or_else(|| Some((text.strip_suffix('b')?, Color::Black)));
        let (digits, side) = side.map_or((text, None), |(digits, side)| (digits, Some(side)));
        match (digits.parse(), side) {
            (Ok(number), None) => Ok(At::HalfMoves(number)),
            (Ok(number @ 1..=1_000_000), Some(side)) => Ok(At::Move(number, side)),
            _ => Err("give a number of half-moves, as 20, or a move, as 10w or 10b".to_owned()),
        }
    }

    /// Returns the number of the first hearings of a record that belong to this moment, or why the
    /// game has no such moment.
    pub(super) fn hearings(self, record: &SeatRecord) -> Result<usize, String> {
        let moves = self.half_moves(record.first);
        if moves.is_none_or(|moves| moves > record.moves) {
            let has = counted(record.moves as u64, "half-move");
            let last = last_move(record.first, record.moves);
            return Err(format!("--at {self}: the game has {has}{last}"));
        }
        let is_last = |heard: &Heard| matches!(heard, Heard::Announced(Announcement::Turn { .. }));
        let mut heard = record.heard.iter();
        let turn = match self {
            At::HalfMoves(_) => None,
            At::Move(..) => heard.position(|one| Some(one.moves) == moves && is_last(&one.heard)),
        };
        let later = || record.heard.iter().position(|one| Some(one.moves) > moves);
        let end = turn.map(|turn| turn + 1).or_else(later);
        Ok(end.unwrap_or(record.heard.len()))
    }

    /// Returns the number of half-moves before this moment. `starter` moved first. Returns `None` if
    /// no game has such a move.
    fn half_moves(self, starter: Color) -> Option<usize> {
        match self {
            At::HalfMoves(moves) => Some(moves),
            At::Move(number, side) => {
                let from_white = 2 * (number - 1) + usize::from(side.is_black());
                from_white.checked_sub(usize::from(starter.is_black()))
            }
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::HalfMoves(moves) => write!(f, "{moves}"),
            At::Move(number, side) => write!(f, "{number}{}", side.char()),
        }
    }
}

/// Names the last of these half-moves, in brackets. `starter` moved first.
pub(super) fn last_move(starter: Color, moves: usize) -> String {
    let Some(before) = moves.checked_sub(1) else {
        return String::new();
    };
    let from_white = before + usize::from(starter.is_black());
    let side = Color::from_white(from_white.is_multiple_of(2));
    format!(" ({}'s move {})", name(side), from_white / 2 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moment_is_numbered_as_players_number_moves() {
        let (white, black) = (Color::White, Color::Black);
        for (text, starter, moves, last) in [
            ("20", white, Some(20), " (Black's move 10)"),
            ("1w", white, Some(0), ""),
            ("10w", white, Some(18), " (Black's move 9)"),
            ("10b", white, Some(19), " (White's move 10)"),
            ("1w", black, None, ""),
            ("1b", black, Some(0), ""),
            ("2w", black, Some(1), " (Black's move 1)"),
        ] {
            let at = At::read(text).unwrap();
            assert_eq!(at.half_moves(starter), moves, "{text}");
            assert_eq!(last_move(starter, moves.unwrap_or(0)), last, "{text}");
            assert_eq!(at.to_string(), text);
        }
        for text in ["", "0w", "w", "10x", "1.5", "-1", "99999999999999999999"] {
            assert!(At::read(text).is_err(), "{text}");
        }
    }
}
