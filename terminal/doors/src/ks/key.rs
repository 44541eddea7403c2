//! The key of a game. One end prints it, and the user types it at the other
//! end.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};

/// Letters and digits that cannot be confused with one another.
const DIGITS: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";
/// Number of characters in a key. Each character is one of 32, so 20 characters are 100 random bits.
const KEY_LENGTH: usize = 20;
const GROUP_LENGTH: usize = 5;

/// Secret that only the two players know.
#[derive(Clone, Eq, PartialEq)]
pub struct GameKey([u8; KEY_LENGTH]);

/// Error: the text is not a key.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("a key has 20 letters and digits (no 0, 1, l or o), as in abcde-fghij-kmnpq-rstuv")]
pub struct ParseKeyError;

impl GameKey {
    /// Draws a random key.
    pub fn draw() -> GameKey {
        let chance: [u8; KEY_LENGTH] = rand::random();
        GameKey(chance.map(|byte| DIGITS[usize::from(byte & 31)]))
    }

    /// Returns the key that encrypts the traffic, derived from this game key.
    pub(crate) fn secret(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"kriegspiel ks key 1\0");
        hash.update(self.0);
        hash.finalize().into()
    }
}

impl FromStr for GameKey {
    type Err = ParseKeyError;

    fn from_str(text: &str) -> Result<GameKey, ParseKeyError> {
        let mut digits = text.to_ascii_lowercase().into_bytes();
        digits.retain(|b| !b.is_ascii_whitespace() && *b != b'-');
        let key: [u8; KEY_LENGTH] = digits.try_into().map_err(|_| ParseKeyError)?;
        let is_key = key.iter().all(|digit| DIGITS.contains(digit));
        is_key.then_some(GameKey(key)).ok_or(ParseKeyError)
    }
}

impl fmt::Display for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = self.0.chunks(GROUP_LENGTH).map(String::from_utf8_lossy);
        f.write_str(&groups.collect::<Vec<_>>().join("-"))
    }
}

/// Hides the key, because debug output may be logged.
impl fmt::Debug for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_and_read() {
        let key = GameKey::draw();
        let text = key.to_string();
        assert_eq!(text.len(), 23);
        assert_eq!(text.parse(), Ok(key.clone()));
        let typed = text.to_uppercase().replace('-', " ");
        assert_eq!(typed.parse(), Ok(key.clone()));
        assert_ne!(GameKey::draw(), key);
        assert!(!format!("{key:?}").contains(&text));
        for wrong in ["", "abcde", "abcde-fghij-kmnpq-rstu0", &format!("{text}a")] {
            assert_eq!(wrong.parse::<GameKey>(), Err(ParseKeyError), "{wrong}");
        }
    }
}
