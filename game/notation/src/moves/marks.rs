//! Marks written after a move: check, mate, en passant, and signs like `!` and
//! `?`.

/// Mark of a check. The variants list how the mark can be written.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum CheckMark {
    /// `+`, `++`, `ch` or `check`.
    Check,
    /// `dis ch`, `discovered check` and similar forms.
    Discovered,
    /// `dbl ch`, `double check` and similar forms.
    Double,
    /// `#`, `mate` or `checkmate`.
    Mate,
}

/// The marks after a move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Marks {
    /// The check mark, if there is one.
    pub check: Option<CheckMark>,
    /// Whether there is a mark `e.p.`.
    pub en_passant: bool,
}

/// All check marks, in lower case. If a mark ends with another mark, the longer mark comes first, so
/// that it is found first.
const CHECKS: [(&str, CheckMark); 18] = [
    ("discovered check", CheckMark::Discovered),
    ("dis. ch.", CheckMark::Discovered),
    ("dis.ch.", CheckMark::Discovered),
    ("dis. ch", CheckMark::Discovered),
    ("dis ch", CheckMark::Discovered),
    ("disch", CheckMark::Discovered),
    ("double check", CheckMark::Double),
    ("dbl. ch.", CheckMark::Double),
    ("dbl.ch.", CheckMark::Double),
    ("dbl. ch", CheckMark::Double),
    ("dbl ch", CheckMark::Double),
    ("dblch", CheckMark::Double),
    ("checkmate", CheckMark::Mate),
    ("mate", CheckMark::Mate),
    ("#", CheckMark::Mate),
    ("check", CheckMark::Check),
    ("ch", CheckMark::Check),
    ("+", CheckMark::Check),
];

const PASSING: [&str; 5] = ["(e.p.)", "(ep)", "e.p.", "e.p", "ep"];

impl Marks {
    /// Splits a text into the move and its marks. Signs like `!` are removed.
    ///
    /// # Examples
    ///
    /// ```
    /// use notation::{CheckMark, Marks};
    ///
    /// let (bare, marks) = Marks::split("PxP e.p. dis ch!");
    /// assert_eq!(bare, "PxP");
    /// assert!(marks.en_passant);
    /// assert_eq!(marks.check, Some(CheckMark::Discovered));
    /// ```
    pub fn split(text: &str) -> (&str, Marks) {
        let mut marks = Marks::default();
        let mut rest = text.trim();
        loop {
            let before = rest;
            rest = rest.trim_end_matches(|c: char| c.is_whitespace() || "!?,;".contains(c));
            if let Some((bare, mark)) = CHECKS
                .iter()
                .find_map(|(word, mark)| Some((strip_end(rest, word)?, *mark)))
            {
                // If there are several check marks, the last one is used: `ch mate` is mate.
                if marks.check.is_none() {
                    marks.check = Some(mark);
                }
                rest = bare;
            } else if let Some(bare) = PASSING.iter().find_map(|word| strip_end(rest, word)) {
                marks.en_passant = true;
                rest = bare;
            } else if let Some(bare) = rest.strip_suffix('.') {
                rest = bare;
            }
            if rest == before {
                return (rest, marks);
            }
        }
    }
}

/// Removes `end` from the end of the text, ignoring case; `None` if the text does not end with
/// `end`.
fn strip_end<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(end.len())?;
    let (rest, tail) = (text.get(..at)?, text.get(at..)?);
    tail.eq_ignore_ascii_case(end).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_into_move_and_marks() {
        let check = |mark| Marks {
            check: Some(mark),
            en_passant: false,
        };
        for (text, bare, marks) in [
            ("Nf3", "Nf3", Marks::default()),
            ("Qf2+", "Qf2", check(CheckMark::Check)),
            ("Q-B4ch", "Q-B4", check(CheckMark::Check)),
            ("Q-B4 ch.", "Q-B4", check(CheckMark::Check)),
            ("N-B6 dbl ch!", "N-B6", check(CheckMark::Double)),
            ("R-K1 dis. ch.", "R-K1", check(CheckMark::Discovered)),
            ("Qg7#", "Qg7", check(CheckMark::Mate)),
            ("Q-N7 mate", "Q-N7", check(CheckMark::Mate)),
            ("Qg7++!?", "Qg7", check(CheckMark::Check)),
            ("", "", Marks::default()),
            ("?", "", Marks::default()),
            ("\u{e9}+", "\u{e9}", check(CheckMark::Check)),
        ] {
            assert_eq!(Marks::split(text), (bare, marks), "{text}");
        }
        for text in ["exd6 e.p.", "exd6e.p.", "exd6 ep", "exd6 (e.p.)"] {
            let (bare, marks) = Marks::split(text);
            assert_eq!((bare, marks.en_passant), ("exd6", true), "{text}");
        }
    }
}
