//! The remark after a move: its announcements, and the tries refused before it.

use std::fmt;

use rules::{Announcement, Direction, Directions, Heard, Tries, chess::Square};

/// A check in a remark.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct RemarkedCheck {
    /// Directions of the check.
    pub directions: Directions,
    /// Whether the text only says "diagonal", without long or short (older format).
    pub diagonal: bool,
}

/// Content of the comment `{(<announcements>:<refused tries>)}` after a move.
///
/// `X<square>` is a capture; `X` if the square is not announced. `C` is a check. The letters after
/// `C` name the directions: `F` file, `R` rank, `L` long diagonal, `S` short diagonal, `N` knight.
/// `P<n>` is the number of pawn tries of the side to move next; `P` if the number is not announced.
/// The mover's refused tries come after the colon.
///
/// An older format is read but not written:
/// `(K:<refused tries>:<announcements>)`, with `T<square>` for a capture and
/// `CR CF CD CK` for checks. In this format, `CD` is a check on a diagonal, and `CK` is a check by a
/// knight.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Remark {
    /// A capture, with its square if announced.
    pub capture: Option<Option<Square>>,
    /// A check.
    pub check: Option<RemarkedCheck>,
    /// Pawn tries, with their number if announced; `None` if no pawn tries are announced.
    pub tries: Option<Option<u8>>,
    /// Refused tries in order, as written.
    pub refused: Vec<String>,
}

impl Remark {
    /// Returns the remark on what a listener heard. `count` is the number of pawn tries to write if
    /// an announcement about pawn tries does not contain their number. If `count` is `None`, the
    /// number is computed from the announced squares. If no squares were announced, no number is
    /// written.
    pub(crate) fn of<'a>(heard: impl Iterator<Item = &'a Heard>, count: Option<u8>) -> Remark {
        let mut remark = Remark::default();
        for heard in heard {
            match *heard {
                Heard::Lost { square, .. } => {
                    let known = remark.capture.flatten();
                    remark.capture = Some(known.or(Some(square)));
                }
                Heard::Announced(Announcement::Capture(capture)) => {
                    let known = remark.capture.flatten();
                    remark.capture = Some(capture.square.or(known));
                }
                Heard::Announced(Announcement::Check { directions }) => {
                    remark.check = Some(RemarkedCheck {
                        directions,
                        diagonal: false,
                    });
                }
                Heard::Announced(Announcement::Tries(tries)) => {
                    remark.tries = remarked_tries(tries, count)
                }
                Heard::Announced(
                    Announcement::Drop { .. }
                    | Announcement::Promotion { .. }
                    | Announcement::Turn { .. },
                )
                | Heard::Reply(_)
                | Heard::Draw(_)
                | Heard::Over(_) => {}
            }
        }
        remark
    }

    /// Reads a remark with its brackets; returns `None` if the text is not a remark.
    pub fn read(text: &str) -> Option<Remark> {
        let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?;
        let mut parts = inside.split(':');
        let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
        if parts.next().is_some() {
            return None;
        }
        let (said, refused) = match third {
            None => (first, second),
            Some(said) if first.trim() == "K" => (said, second),
            Some(_) => return None,
        };
        let mut remark = Remark::default();
        for word in words(said) {
            remark.note(word)?;
        }
        remark.refused = words(refused).map(str::to_owned).collect();
        Some(remark)
    }

    fn note(&mut self, word: &str) -> Option<()> {
        let rest = word.get(1..)?;
        match word.as_bytes().first()? {
            b'X' | b'T' if rest.is_empty() => self.capture = Some(None),
            b'X' | b'T' => self.capture = Some(Some(rest.parse().ok()?)),
            b'P' if rest.is_empty() => self.tries = Some(None),
            b'P' => self.tries = Some(Some(rest.parse().ok()?)),
            b'C' => {
                let mut check = self.check.unwrap_or_default();
                for letter in rest.bytes() {
                    match letter {
                        b'F' => check.directions.add(Direction::File),
                        b'R' => check.directions.add(Direction::Rank),
                        b'L' => check.directions.add(Direction::Long),
                        b'S' => check.directions.add(Direction::Short),
                        b'N' | b'K' => check.directions.add(Direction::Knight),
                        b'D' => check.diagonal = true,
                        _ => return None,
                    }
                }
                self.check = Some(check);
            }
            _ => return None,
        }
        Some(())
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty())
}

fn remarked_tries(tries: Tries, count: Option<u8>) -> Option<Option<u8>> {
    match tries {
        Tries::Untold | Tries::Whether(false) | Tries::Count(0) => None,
        Tries::Whether(true) => Some(count),
        Tries::Count(n) => Some(Some(n)),
        Tries::Squares(set) => some(count, set.count()),
        Tries::SinglesAndDoubles { singles, doubles } => {
            some(count, singles.count() + 2 * doubles.count())
        }
    }
}

/// Returns the pawn tries for a remark. `told` is the number of pawn tries that follows from the
/// announced squares. If `told` is 0, the remark has no pawn tries. Otherwise the remark has the
/// number `count`, or the number `told` if `count` is `None`.
fn some(count: Option<u8>, told: usize) -> Option<Option<u8>> {
    (told > 0).then(|| count.or(u8::try_from(told).ok()))
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        let mut comma = "";
        if let Some(square) = self.capture {
            f.write_str("X")?;
            if let Some(square) = square {
                write!(f, "{square}")?;
            }
            comma = ",";
        }
        if let Some(check) = self.check {
            write!(f, "{comma}C")?;
            for direction in check.directions.iter() {
                f.write_str(match direction {
                    Direction::Rank => "R",
                    Direction::File => "F",
                    Direction::Long => "L",
                    Direction::Short => "S",
                    Direction::Knight => "N",
                })?;
            }
            if check.diagonal {
                f.write_str("D")?;
            }
            comma = ",";
        }
        match self.tries {
            Some(Some(n)) => write!(f, "{comma}P{n}")?,
            Some(None) => write!(f, "{comma}P")?,
            None => {}
        }
        write!(f, ":{})", self.refused.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_of_other_programs_are_read() {
        let read = |text| Remark::read(text).unwrap();
        assert_eq!(read("(:)"), Remark::default());
        assert_eq!(read("(P1:)").tries, Some(Some(1)));
        assert_eq!(read("(Xd6:)").capture, Some(Some(Square::D6)));
        assert_eq!(read("(:f6,Bg7,Rg7)").refused, ["f6", "Bg7", "Rg7"]);
        let older = read("(K:Nf3,e5:Td6,CD)");
        assert_eq!(older.refused, ["Nf3", "e5"]);
        assert_eq!(older.capture, Some(Some(Square::D6)));
        assert!(older.check.unwrap().diagonal);
        let both = read("(CK,CF:Nb1-c3)");
        let expected: Directions = [Direction::File, Direction::Knight].into_iter().collect();
        assert_eq!(both.check.unwrap().directions, expected);
        for text in ["(Xd6,CFN,P2:exd5,O-O)", "(X:)", "(P:)", "(C:)"] {
            assert_eq!(read(text).to_string(), text);
        }
        for text in [
            "",
            "(",
            "(what a move: really)",
            "(a:b:c)",
            "(Xd9:)",
            "(::::)",
            "(é:)",
        ] {
            assert_eq!(Remark::read(text), None, "{text}");
        }
    }
}
