//! Messages with hints, from one store to the other stores.
//!
//! A message is the sender's number and one word for each hint: `GAME:ROWS`, `lobby` or `presence`.
//! Stores of an earlier version ignore words that they do not know.

use std::collections::BTreeMap;

use crate::{id::GameId, store::Hint};

/// Maximum number of games in one message. Postgres allows 8000 bytes.
const MAX_GAMES: usize = 200;

const LOBBY: &str = "lobby";
const PRESENCE: &str = "presence";

/// Hints that are sent together.
#[derive(Debug, Default)]
pub(crate) struct Notice {
    games: BTreeMap<GameId, u32>,
    lobby: bool,
    presence: bool,
}

impl Notice {
    pub(crate) fn add(&mut self, hint: Hint) {
        match hint {
            Hint::Rows { game, rows } => {
                let known = self.games.entry(game).or_default();
                *known = rows.max(*known);
            }
            Hint::Lobby => self.lobby = true,
            Hint::Presence => self.presence = true,
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.games.len() >= MAX_GAMES
    }

    /// Returns the message. `number` is the number of the sender.
    pub(crate) fn text(&self, number: u64) -> String {
        let mut words = vec![number.to_string()];
        words.extend(
            self.games
                .iter()
                .map(|(game, rows)| format!("{game}:{rows}")),
        );
        words.extend(self.lobby.then(|| LOBBY.to_owned()));
        words.extend(self.presence.then(|| PRESENCE.to_owned()));
        words.join(" ")
    }

    /// Returns the number of the sender of a message.
    pub(crate) fn sender(text: &str) -> Option<u64> {
        text.split(' ').next()?.parse().ok()
    }

    /// Returns the hints of a message. A word that is not a hint is ignored.
    pub(crate) fn hints(text: &str) -> impl Iterator<Item = Hint> {
        text.split(' ').skip(1).filter_map(|word| match word {
            LOBBY => Some(Hint::Lobby),
            PRESENCE => Some(Hint::Presence),
            _ => {
                let (game, rows) = word.split_once(':')?;
                Some(Hint::Rows {
                    game: game.parse().ok()?,
                    rows: rows.parse().ok()?,
                })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_merged_written_and_read_back() {
        let (first, second) = (GameId::from_chance(1), GameId::from_chance(2));
        let rows = |game, rows| Hint::Rows { game, rows };
        let mut notice = Notice::default();
        for hint in [
            rows(second, 3),
            rows(first, 7),
            Hint::Lobby,
            rows(first, 5),
            Hint::Presence,
            Hint::Lobby,
        ] {
            notice.add(hint);
        }
        let text = notice.text(42);
        assert_eq!(Notice::sender(&text), Some(42));
        let read: Vec<Hint> = Notice::hints(&text).collect();
        let all = [rows(first, 7), rows(second, 3), Hint::Lobby, Hint::Presence];
        assert_eq!(read, all);
        for strange in ["", "x", "42", "42 e2e4 222222222222 :5 222222222222:-1"] {
            assert_eq!(Notice::hints(strange).count(), 0, "{strange}");
        }
    }
}
