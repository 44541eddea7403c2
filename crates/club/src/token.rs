//! A session's secret.

use std::fmt;

use sha2::{Digest, Sha256};
use store::TokenHash;

/// The bytes of chance in a token.
const BYTES: usize = 32;
/// Letters and digits of a key.
const KEY: usize = 16;
/// Alphabet of keys: no letter or digit that looks like another one in print.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A session's secret: 256 bits of chance as 64 hexadecimal digits, or, where
/// it is typed by hand, 80 bits as 16 letters and digits. The store keeps its
/// hash only; it is shown once.
#[derive(Clone, Eq, PartialEq)]
pub struct Token(String);

impl Token {
    /// Draws a token from the machine's chance.
    pub(crate) fn draw() -> Token {
        let bytes: [u8; BYTES] = rand::random();
        Token(hex(&bytes))
    }

    /// Draws one that can be typed by hand.
    pub(crate) fn draw_key() -> Token {
        let bytes: [u8; KEY] = rand::random();
        let letters = bytes.map(|byte| LETTERS[usize::from(byte) % LETTERS.len()]);
        Token(letters.map(char::from).iter().collect())
    }

    /// The text that its owner shows.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// The hash of a text that may be a session's token; `None` if it can be none.
    pub(crate) fn hash(text: &str) -> Option<TokenHash> {
        let fits =
            text.len() == 2 * BYTES && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| TokenHash(Sha256::digest(text).into()))
    }

    /// The hash of a text that may be a key, which is no token of a session.
    pub(crate) fn hash_of_key(text: &str) -> Option<TokenHash> {
        let fits = text.len() == KEY && text.bytes().all(|b| LETTERS.contains(&b));
        fits.then(|| TokenHash(Sha256::digest(text).into()))
    }
}

/// Keeps the secret out of logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_are_long_and_not_shown() {
        let (one, two) = (Token::draw(), Token::draw());
        assert_ne!(one, two);
        assert_eq!(one.secret().len(), 64);
        assert!(!format!("{one:?}").contains(one.secret()));
        assert!(Token::hash(one.secret()).is_some());
        assert_ne!(Token::hash(one.secret()), Token::hash(two.secret()));
        let (key, other) = (Token::draw_key(), Token::draw_key());
        assert_eq!(key.secret().len(), 16);
        let hash = Token::hash_of_key;
        assert_ne!(hash(key.secret()), hash(other.secret()));
        assert!(hash(key.secret()).is_some());
        assert_eq!(
            (Token::hash(key.secret()), hash(one.secret())),
            (None, None)
        );
        for forged in [
            "",
            "x",
            &"g".repeat(64),
            &"A".repeat(64),
            &"0".repeat(65),
            &"0".repeat(16),
            &"A".repeat(16),
            &"a".repeat(17),
        ] {
            assert_eq!((Token::hash(forged), hash(forged)), (None, None));
        }
    }
}
