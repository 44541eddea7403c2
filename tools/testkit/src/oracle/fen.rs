//! Reads and writes FEN. Reading checks little, because the FEN is known to be
//! valid.

use std::fmt::Write;

use rules::{
    Try,
    chess::{ByColor, Color, Role, Square},
};

use super::mailbox::{Man, Position, Side, known};

/// The order in which the men of a reserve are written.
const RESERVE_ORDER: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// The usual start position of chess.
pub(super) const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn man(letter: char) -> Result<Man, String> {
    let role =
        Role::from_char(letter).ok_or_else(|| format!("{letter:?} is not a letter of a man"))?;
    Ok(Man {
        color: Color::from_white(letter.is_ascii_uppercase()),
        role,
        promoted: false,
    })
}

fn letter(color: Color, role: Role) -> char {
    match color {
        Color::White => role.upper_char(),
        Color::Black => role.char(),
    }
}

impl Position {
    /// Reads a FEN that is known to be valid.
    pub(super) fn read(fen: &str, drops: bool) -> Result<Position, String> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields.next().ok_or("an empty FEN")?;
        let (board, pockets) = match board.split_once('[') {
            Some((board, rest)) => (board, rest.trim_end_matches(']')),
            None => (board, ""),
        };
        let mut position = Position {
            cells: [None; 64],
            turn: Color::White,
            sides: ByColor::default(),
            passed: None,
            quiet: 0,
            number: 1,
            drops,
        };
        let (mut file, mut rank) = (0, 7);
        let mut last = None;
        for c in board.chars() {
            match c {
                '/' => {
                    file = 0;
                    rank -= 1;
                }
                '1'..='8' => file += c as i32 - '0' as i32,
                '~' => {
                    let at: Square = last.ok_or("a `~` must follow a man")?;
                    if let Some(man) = &mut position.cells[usize::from(at)] {
                        man.promoted = true;
                    }
                }
                _ => {
                    let sq = super::mailbox::square(file, rank)
                        .ok_or("the board is larger than 8 by 8")?;
                    position.put(sq, Some(man(c)?));
                    last = Some(sq);
                    file += 1;
                }
            }
        }
        for c in pockets.chars() {
            let man = man(c)?;
            position.sides.get_mut(man.color).reserve.push(man.role);
        }
        position.turn = match fields.next() {
            Some("b") => Color::Black,
            Some("w") | None => Color::White,
            Some(other) => return Err(format!("{other:?} is not a side to move")),
        };
        for c in fields.next().unwrap_or("-").chars() {
            let side = position
                .sides
                .get_mut(Color::from_white(c.is_ascii_uppercase()));
            match c.to_ascii_lowercase() {
                'k' => side.king_wing = true,
                'q' => side.queen_wing = true,
                '-' => {}
                _ => return Err(format!("{c:?} is not a castling right")),
            }
        }
        position.passed = match fields.next() {
            None | Some("-") => None,
            Some(sq) => Some(sq.parse().map_err(|_| format!("{sq:?} is not a square"))?),
        };
        let mut count = |otherwise: u32| -> Result<u32, String> {
            fields.next().map_or(Ok(otherwise), |n| {
                n.parse().map_err(|_| format!("{n:?} is not a number"))
            })
        };
        position.quiet = count(0)?;
        position.number = count(1)?;
        Ok(position)
    }

    /// Returns the position as FEN without counters: men, reserves, side to move, castling rights,
    /// and the en passant square. The en passant square is included only if a capture there is
    /// legal.
    pub(super) fn essence(&self, legal: &[Try]) -> String {
        let mut fen = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.at(known(file, rank)) {
                    None => empty += 1,
                    Some(man) => {
                        if empty > 0 {
                            let _written = write!(fen, "{empty}");
                            empty = 0;
                        }
                        fen.push(letter(man.color, man.role));
                        if man.promoted && self.drops {
                            fen.push('~');
                        }
                    }
                }
            }
            if empty > 0 {
                let _written = write!(fen, "{empty}");
            }
            if rank > 0 {
                fen.push('/');
            }
        }
        if self.drops {
            fen.push('[');
            for color in [Color::White, Color::Black] {
                let Side { reserve, .. } = self.sides.get(color);
                for role in RESERVE_ORDER {
                    for _ in reserve.iter().filter(|r| **r == role) {
                        fen.push(letter(color, role));
                    }
                }
            }
            fen.push(']');
        }
        fen.push_str(match self.turn {
            Color::White => " w ",
            Color::Black => " b ",
        });
        let (white, black) = (self.sides.get(Color::White), self.sides.get(Color::Black));
        let rights: String = [
            (white.king_wing, 'K'),
            (white.queen_wing, 'Q'),
            (black.king_wing, 'k'),
            (black.queen_wing, 'q'),
        ]
        .into_iter()
        .filter_map(|(has, c)| has.then_some(c))
        .collect();
        fen.push_str(if rights.is_empty() { "-" } else { &rights });
        match self.passed_if_legal(legal) {
            Some(sq) => {
                let _written = write!(fen, " {sq}");
            }
            None => fen.push_str(" -"),
        }
        fen
    }

    /// Returns the position as FEN, with its counters.
    pub(super) fn fen(&self, legal: &[Try]) -> String {
        format!("{} {} {}", self.essence(legal), self.quiet, self.number)
    }
}
