//! Recovery codes. With a recovery code, the owner of an account sets a new password.

use std::fmt;

use crate::token::Token;

/// Number of recovery codes of an account.
pub(crate) const CODES: usize = 6;
/// Number of letters and digits in a code.
const LENGTH: usize = 16;
/// Number of letters and digits between two hyphens.
const GROUP: usize = 4;

/// A recovery code: 16 letters and digits. The first character says which of the account's codes
/// this code is. The other 15 characters are 75 random bits. The store keeps only the hash of the
/// code.
#[derive(Clone, Eq, PartialEq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// Draws all codes of an account from the operating system's generator.
    pub(crate) fn draw_all() -> Vec<RecoveryCode> {
        let first = Token::letters().iter().take(CODES);
        first
            .map(|letter| {
                let key = Token::draw_key();
                let rest = key.secret().get(1..LENGTH).unwrap_or_default();
                RecoveryCode(format!("{}{rest}", char::from(*letter)))
            })
            .collect()
    }

    /// Reads a code as a person types it: in upper or lower case, with or without hyphens and
    /// spaces.
    pub(crate) fn read(text: &str) -> Option<RecoveryCode> {
        let plain: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '-')
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let is_letter = |byte| Token::letters().contains(&byte);
        let fits = plain.len() == LENGTH && plain.bytes().all(is_letter);
        fits.then_some(RecoveryCode(plain))
    }

    /// Returns the text that is hashed.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }

    /// Returns the code as its owner sees it: four groups of four.
    pub fn shown(&self) -> String {
        let groups = self.0.as_bytes().chunks(GROUP).map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join("-")
    }
}

/// Returns the number of a code among the codes of its account, from 0. The first character of the
/// code says the number.
pub(crate) fn number_of(code: &RecoveryCode) -> u32 {
    let first = code.0.bytes().next();
    let at = Token::letters()
        .iter()
        .position(|letter| Some(*letter) == first);
    at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
}

/// Keeps the code out of logs.
impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_names_its_number_and_is_read_in_upper_case() {
        let codes = RecoveryCode::draw_all();
        assert_eq!(codes.len(), CODES);
        for (number, code) in (0..).zip(&codes) {
            let shown = code.shown();
            assert_eq!((shown.len(), shown.matches('-').count()), (19, 3));
            assert_eq!(number_of(code), number);
            let typed = format!(" {} ", shown.to_uppercase().replace('-', " "));
            assert_eq!(RecoveryCode::read(&typed), Some(code.clone()));
            assert!(!format!("{code:?}").contains(&code.0));
        }
        let mut all: Vec<_> = codes.iter().map(|code| &code.0[1..]).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), CODES);
        for wrong in [
            "",
            "abcd",
            "abcd-efgh-ijkm-npq",
            "abcd-efgh-ijkm-npql",
            "\u{e9}",
        ] {
            assert_eq!(RecoveryCode::read(wrong), None, "{wrong}");
        }
    }
}
