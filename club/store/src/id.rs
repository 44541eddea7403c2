//! Ids of games.

use std::{fmt, str::FromStr};

/// Random id of a game. It reveals nothing about the number of games.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct GameId(u64);

/// The 32 letters and digits that an id may contain. Letters and digits that
/// are easily confused are left out.
const DIGITS: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";
/// Length of an id in characters: 12 characters of 5 bits, 60 bits in all.
const NAME_LENGTH: usize = 12;

impl GameId {
    /// Creates an id from a random number. The upper four bits are not used.
    pub const fn from_chance(chance: u64) -> GameId {
        GameId(chance & ((1 << (5 * NAME_LENGTH)) - 1))
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for digit in (0..NAME_LENGTH).rev() {
            let value = (self.0 >> (5 * digit)) & 31;
            write!(f, "{}", char::from(DIGITS[value as usize]))?;
        }
        Ok(())
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error: the text is not the id of a game.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("the id of a game has twelve letters and digits, as in its address")]
pub struct ParseIdError;

impl FromStr for GameId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<GameId, ParseIdError> {
        if text.len() != NAME_LENGTH {
            return Err(ParseIdError);
        }
        let mut value = 0_u64;
        for byte in text.bytes() {
            let digit = DIGITS.iter().position(|&d| d == byte).ok_or(ParseIdError)?;
            value = (value << 5) | digit as u64;
        }
        Ok(GameId(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_id_is_unchanged_after_writing_and_reading() {
        for chance in [0, 1, 31, 32, u64::MAX, 0x0123_4567_89ab_cdef] {
            let id = GameId::from_chance(chance);
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(id.to_string().len(), NAME_LENGTH);
        }
        for text in ["", "2", "22222222222l", "222222222222 ", "２２２２"] {
            assert_eq!(text.parse::<GameId>(), Err(ParseIdError), "{text:?}");
        }
    }
}
