//! Choices from the menu. The menu lists the moves that an ambiguous text can mean.

use rules::{
    Try,
    chess::{Color, Square},
};

use super::TableSession;
use crate::{input::RawLine, table::Outcome};

impl TableSession<'_> {
    /// Returns the tries that a number or a target square chooses from the menu, and the player who
    /// typed the ambiguous text. A square can also be the text of a pawn's move. In this case, the
    /// pawn's move and the tries of the menu are returned.
    pub(super) fn chosen(&mut self, raw: &RawLine) -> Option<(Color, Vec<Try>)> {
        let offered = std::mem::take(&mut self.offered);
        let RawLine::Text(text) = raw else {
            return None;
        };
        let text = text.trim();
        let (by, _) = *offered.first()?;
        if let Ok(number) = text.parse::<usize>() {
            let (_, t) = offered.get(number.checked_sub(1)?)?;
            return Some((by, vec![*t]));
        }
        let square: Square = text.to_ascii_lowercase().parse().ok()?;
        let tries = offered.iter().map(|(_, t)| *t);
        let mut fits: Vec<Try> = tries.filter(|t| t.to() == square).collect();
        if fits.is_empty() {
            return None;
        }
        for t in self.table.fits(by, text) {
            if !fits.contains(&t) {
                fits.push(t);
            }
        }
        Some((by, fits))
    }

    /// Answers a choice from the menu.
    pub(super) fn choice(&mut self, by: Color, raw: &RawLine, fits: Vec<Try>) -> Outcome {
        let text = match raw {
            RawLine::Text(text) | RawLine::TooLong(text) | RawLine::NotUtf8(text) => text.trim(),
            RawLine::Silent => "",
        };
        match *fits {
            [one] => {
                let word = one.to_string();
                self.table.word(Some(by), &word, &word)
            }
            _ => self.table.ambiguous(text, fits),
        }
    }
}
