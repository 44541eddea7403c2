//! Secrets of sessions.

use std::fmt;

use sha2::{Digest, Sha256};
use store::TokenHash;

/// Number of random bytes in a token.
const BYTES: usize = 32;
/// Number of letters and digits in a key.
const KEY: usize = 16;
/// Alphabet of keys, without letters and digits that are easily confused in print.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A session's secret: 256 random bits as 64 hexadecimal digits. A key, which is typed by hand, has
/// 80 random bits as 16 letters and digits. The store keeps only the hash of the secret. The club
/// returns the secret once, when the session begins.
#[derive(Clone, Eq, PartialEq)]
pub struct Token(String);

impl Token {
    /// Draws a random token from the operating system's generator.
    pub(crate) fn draw() -> Token {
        let bytes: [u8; BYTES] = rand::random();
        Token(hex(&bytes))
    }

    /// Draws a random key, which can be typed by hand.
    pub(crate) fn draw_key() -> Token {
        let bytes: [u8; KEY] = rand::random();
        let letters = bytes.map(|byte| LETTERS[usize::from(byte) % LETTERS.len()]);
        Token(letters.map(char::from).iter().collect())
    }

    /// Returns the alphabet of keys.
    pub(crate) fn letters() -> &'static [u8] {
        LETTERS
    }

    /// Returns the secret text, which the owner presents.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Returns the hash of a session's token; `None` if the text does not have the form of a token.
    pub(crate) fn hash(text: &str) -> Option<TokenHash> {
        let fits =
            text.len() == 2 * BYTES && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| TokenHash(Sha256::digest(text).into()))
    }

    /// Returns the hash of a key; `None` if the text does not have the form of a key. A session's
    /// token does not have the form of a key.
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

/// Formats bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads hexadecimal digits; `None` if the text has other characters.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    let pairs = digits?;
    let bytes = pairs.chunks(2).map(|pair| match pair {
        [high, low] => u8::try_from(high * 16 + low).ok(),
        _ => None,
    });
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_different_and_never_shown() {
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

    /// Checks that the texts are random. If they had only 32 random bits, two of them would almost
    /// certainly be equal. If the letter at one place depended on the letter at another place, some
    /// pairs of letters would be missing at these two places.
    fn check_randomness(draw: impl Fn() -> Token, letters: usize, bits: f64) {
        const DRAWS: usize = 300_000;
        let texts: Vec<Token> = (0..DRAWS).map(|_| draw()).collect();
        let length = texts[0].secret().len();
        assert!((letters as f64).log2() * length as f64 >= bits);
        let different: std::collections::HashSet<&str> = texts.iter().map(Token::secret).collect();
        assert_eq!(different.len(), DRAWS, "two texts are equal");
        for one in 0..length {
            for two in 0..one {
                // By chance a pair is missing in one of 10^8 runs.
                let mut is_seen = [false; 1 << 16];
                for text in &texts[..letters * letters * 32] {
                    let text = text.secret().as_bytes();
                    is_seen[usize::from(text[one]) << 8 | usize::from(text[two])] = true;
                }
                let pairs = is_seen.iter().filter(|seen| **seen).count();
                assert_eq!(pairs, letters * letters, "places {one} and {two}");
            }
        }
    }

    #[test]
    fn every_character_of_a_token_is_random() {
        check_randomness(Token::draw, 16, 128.0);
    }

    #[test]
    fn every_character_of_a_key_is_random() {
        check_randomness(Token::draw_key, 32, 80.0);
    }
}
