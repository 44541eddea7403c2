//! Everything that a seat heard, in order: as text and as rows of numbers.

use std::fmt::{self, Display, Formatter, Write as _};

use rules::{
    Announcement, Attempt, Capture, CapturedMan, Direction, DrawTalk, Heard, Reply, Reserve, Start,
    Tries, Winner,
    chess::{Bitboard, Color, Role, Square},
    role_name,
};

use crate::actions;

/// Number of rows of an information state tensor.
pub const ROWS: usize = 1024;
/// Number of columns: kind, side, action, square, man, value.
pub const COLUMNS: usize = 6;

/// Names of the kinds of rows. The kind of a row is the index in this list; 0 is an empty row.
pub const KINDS: &[&str] = &[
    "empty",
    "seat",
    "own-man",
    "castling",
    "reserve",
    "moved",
    "no",
    "nonsense",
    "repeat-no",
    "any",
    "rebuffs",
    "recap",
    "lost",
    "capture",
    "drop",
    "promotion",
    "check",
    "tries-any",
    "tries-count",
    "tries-square",
    "tries-double",
    "tries-none",
    "turn",
    "draw-offer",
    "draw-declined",
    "draw-withdrawn",
    "over",
];

fn kind(name: &str) -> i16 {
    KINDS.iter().position(|k| *k == name).unwrap_or(0) as i16
}

const fn side(color: Color) -> i16 {
    match color {
        Color::White => 1,
        Color::Black => 2,
    }
}

fn square_number(square: Option<Square>) -> i16 {
    square.map_or(0, |square| square.to_u32() as i16 + 1)
}

type Row = [i16; COLUMNS];

/// Rows of the start and of all items. `add` gets each row in order.
pub fn rows<'a>(
    start: &Start,
    color: Color,
    heard: impl Iterator<Item = &'a Heard>,
    add: &mut impl FnMut(Row),
) {
    add([kind("seat"), side(color), 0, 0, 0, 0]);
    if let Some(own) = start.own {
        for square in own.all() {
            let man = own.role_at(square).map_or(0, |role| role as i16);
            add([
                kind("own-man"),
                side(color),
                0,
                square_number(Some(square)),
                man,
                0,
            ]);
        }
        add([
            kind("castling"),
            side(color),
            0,
            0,
            0,
            own.castling.bits().into(),
        ]);
    }
    for (by, reserve) in [
        (Color::White, start.reserves.white),
        (Color::Black, start.reserves.black),
    ] {
        for (role, count) in reserve.iter() {
            add([kind("reserve"), side(by), 0, 0, role as i16, count.into()]);
        }
    }
    for item in heard {
        item_rows(item, add);
    }
}

fn item_rows(heard: &Heard, add: &mut impl FnMut(Row)) {
    match *heard {
        Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt,
        }) => {
            // Attempts that have no id are nonsense under every ruleset; they get the number after
            // the last id.
            let action = attempt.map_or(0, |attempt| {
                actions::id(attempt).unwrap_or(actions::COUNT) as i16 + 1
            });
            add([kind(verdict.name()), side(by), action, 0, 0, 0]);
        }
        Heard::Reply(Reply::Any { by, answer }) => {
            add([kind("any"), side(by), 0, 0, 0, answer.into()]);
        }
        Heard::Reply(Reply::Rebuffs { by, count }) => {
            add([kind("rebuffs"), side(by), 0, 0, 0, count.min(32_767) as i16]);
        }
        Heard::Reply(Reply::Recap { by, announcements }) => {
            let count = announcements.iter().count() as i16;
            add([kind("recap"), side(by), 0, 0, 0, count]);
            for said in announcements.iter() {
                item_rows(&said.into(), add);
            }
        }
        Heard::Lost { square, man } => {
            add([
                kind("lost"),
                0,
                0,
                square_number(Some(square)),
                man as i16,
                0,
            ]);
        }
        Heard::Announced(said) => announcement_rows(said, add),
        Heard::Draw(DrawTalk::Offer { by }) => add([kind("draw-offer"), side(by), 0, 0, 0, 0]),
        Heard::Draw(DrawTalk::Declined { by }) => {
            add([kind("draw-declined"), side(by), 0, 0, 0, 0])
        }
        Heard::Draw(DrawTalk::Withdrawn { by }) => {
            add([kind("draw-withdrawn"), side(by), 0, 0, 0, 0]);
        }
        Heard::Over(over) => {
            let winner = match over.winner {
                Winner::White => 1,
                Winner::Black => 2,
                Winner::Draw => 3,
                Winner::Unfinished => 0,
            };
            add([kind("over"), winner, 0, 0, 0, over.reason as i16]);
        }
    }
}

fn announcement_rows(said: Announcement, add: &mut impl FnMut(Row)) {
    match said {
        Announcement::Capture(Capture {
            square,
            man,
            en_passant,
        }) => {
            // 1 to 6: the man; 7: a piece.
            let man = match man {
                None => 0,
                Some(CapturedMan::Pawn) => Role::Pawn as i16,
                Some(CapturedMan::Piece) => 7,
                Some(CapturedMan::Exactly(role)) => role as i16,
            };
            add([
                kind("capture"),
                0,
                0,
                square_number(square),
                man,
                en_passant.into(),
            ]);
        }
        Announcement::Drop { by, man } => add([kind("drop"), side(by), 0, 0, man as i16, 0]),
        Announcement::Promotion { by } => add([kind("promotion"), side(by), 0, 0, 0, 0]),
        Announcement::Check { directions } => {
            let bits = directions.iter().map(|d: Direction| 1 << d as i16).sum();
            add([kind("check"), 0, 0, 0, 0, bits]);
        }
        Announcement::Tries(tries) => match tries {
            Tries::Untold => {}
            Tries::Whether(some) => add([kind("tries-any"), 0, 0, 0, 0, some.into()]),
            Tries::Count(count) => add([kind("tries-count"), 0, 0, 0, 0, count.into()]),
            Tries::Squares(squares) => try_squares(squares, Bitboard::EMPTY, add),
            Tries::SinglesAndDoubles { singles, doubles } => try_squares(singles, doubles, add),
        },
        Announcement::Turn { to_move } => add([kind("turn"), side(to_move), 0, 0, 0, 0]),
    }
}

fn try_squares(singles: Bitboard, doubles: Bitboard, add: &mut impl FnMut(Row)) {
    if (singles | doubles).is_empty() {
        add([kind("tries-none"), 0, 0, 0, 0, 0]);
    }
    for (name, squares) in [("tries-square", singles), ("tries-double", doubles)] {
        for square in squares {
            add([kind(name), 0, 0, square_number(Some(square)), 0, 0]);
        }
    }
}

/// Text of everything heard: the start, then one item after the other.
pub fn text<'a>(start: &Start, color: Color, heard: impl Iterator<Item = &'a Heard>) -> String {
    let mut text = format!("{} {}", start.rules, letter(color));
    if let Some(own) = start.own {
        let bits = own.castling.bits();
        let castling = ["-", "K", "Q", "KQ"][usize::from(bits & 3)];
        // Writing to a string cannot fail.
        let _ = write!(text, " {} {castling}", own.board().board_fen());
    }
    for (by, reserve) in [("W", start.reserves.white), ("B", start.reserves.black)] {
        if !reserve.is_empty() {
            let _ = write!(text, " {by}{}", letters(&reserve));
        }
    }
    for item in heard {
        let _ = write!(text, "; {}", Item(item));
    }
    text
}

fn letters(reserve: &Reserve) -> String {
    let men = |(role, count): (Role, u8)| std::iter::repeat_n(role.upper_char(), count.into());
    reserve.iter().flat_map(men).collect()
}

const fn letter(color: Color) -> char {
    match color {
        Color::White => 'W',
        Color::Black => 'B',
    }
}

struct Item<'a>(&'a Heard);

impl Display for Item<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self.0 {
            Heard::Reply(Reply::Verdict {
                verdict,
                by,
                attempt,
            }) => {
                write!(f, "{} {}", letter(by), verdict.name())?;
                attempt.map_or(Ok(()), |attempt: Attempt| write!(f, " {attempt}"))
            }
            Heard::Reply(Reply::Any { by, answer }) => {
                write!(
                    f,
                    "{} any {}",
                    letter(by),
                    if answer { "yes" } else { "no" }
                )
            }
            Heard::Reply(Reply::Rebuffs { by, count }) => {
                write!(f, "{} rebuffs {count}", letter(by))
            }
            Heard::Reply(Reply::Recap { by, announcements }) => {
                write!(f, "{} recap (", letter(by))?;
                for (i, said) in announcements.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{}", Item(&said.into()))?;
                }
                f.write_char(')')
            }
            Heard::Lost { square, man } => write!(f, "lost {square} {}", role_name(man)),
            Heard::Announced(said) => announcement(f, said),
            Heard::Draw(DrawTalk::Offer { by }) => write!(f, "{} offers draw", letter(by)),
            Heard::Draw(DrawTalk::Declined { by }) => write!(f, "{} declines draw", letter(by)),
            Heard::Draw(DrawTalk::Withdrawn { by }) => write!(f, "{} withdraws draw", letter(by)),
            Heard::Over(over) => write!(f, "over {over}"),
        }
    }
}

fn announcement(f: &mut Formatter<'_>, said: Announcement) -> fmt::Result {
    match said {
        Announcement::Capture(Capture {
            square,
            man,
            en_passant,
        }) => {
            f.write_str("capture")?;
            if let Some(square) = square {
                write!(f, " {square}")?;
            }
            match man {
                None => {}
                Some(CapturedMan::Pawn) => f.write_str(" pawn")?,
                Some(CapturedMan::Piece) => f.write_str(" piece")?,
                Some(CapturedMan::Exactly(role)) => write!(f, " {}", role_name(role))?,
            }
            f.write_str(if en_passant { " en passant" } else { "" })
        }
        Announcement::Drop { by, man } => write!(f, "{} drop {}", letter(by), role_name(man)),
        Announcement::Promotion { by } => write!(f, "{} promotion", letter(by)),
        Announcement::Check { directions } => {
            f.write_str("check")?;
            directions.iter().try_for_each(|d| write!(f, " {d}"))
        }
        Announcement::Tries(tries) => {
            f.write_str("tries")?;
            match tries {
                Tries::Untold => Ok(()),
                Tries::Whether(some) => f.write_str(if some { " yes" } else { " no" }),
                Tries::Count(count) => write!(f, " {count}"),
                Tries::Squares(squares) => set(f, squares),
                Tries::SinglesAndDoubles { singles, doubles } => {
                    set(f, singles)?;
                    set(f, doubles)
                }
            }
        }
        Announcement::Turn { to_move } => write!(f, "turn {}", letter(to_move)),
    }
}

fn set(f: &mut Formatter<'_>, squares: Bitboard) -> fmt::Result {
    f.write_str(" [")?;
    for (i, square) in squares.into_iter().enumerate() {
        write!(f, "{}{square}", if i == 0 { "" } else { " " })?;
    }
    f.write_char(']')
}
