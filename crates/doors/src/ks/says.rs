//! The messages of a line: JSON objects, each with its `type`.
//!
//! Greeting, coin, talk and the game after its end are messages of `ks`. The
//! game itself travels as [`ClientSays`] and [`ServerSays`], as on a club's
//! socket.

use serde::{Deserialize, Serialize};
use wire::{ClientSays, ServerSays};

use super::{
    coin::{Bytes32, CoinShare},
    state_file::AgreedGame,
};
use crate::base::telnet;

/// The version of these messages. Version 1 had messages of its own for the
/// game; its `hello` and `bye` are those of today.
pub const VERSION: u32 = 2;

/// Names of the caller and of the person called.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// [`VERSION`].
    pub version: u32,
    /// The caller's name.
    pub name: String,
    /// With whom the caller wants to play.
    pub wants: String,
    /// The game that the caller was in.
    pub game: Option<String>,
}

/// Message of the guest. The host's own player uses the same messages in memory.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum GuestSays {
    /// The first message.
    Hello(Hello),
    /// The guest's commitment, before it has seen the host's share.
    Commit {
        /// Hash of its share.
        commitment: Bytes32,
    },
    /// The guest's share, with its wishes, after it has seen the host's.
    Reveal {
        /// Both.
        lot: CoinShare,
    },
    /// A text to the other player.
    Say {
        /// The text.
        text: String,
    },
    /// The game is over: asks for the whole of it.
    Score {},
    /// The player has all that they want of a game that is over.
    Ended {},
    /// About the game: watch, try or ping.
    #[serde(untagged)]
    Game(ClientSays),
}

/// Message of the host.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum HostSays {
    /// There is no game yet: begins the coin.
    Hello {
        /// [`VERSION`].
        version: u32,
        /// The name of the host's player.
        name: String,
        /// The host's commitment.
        commitment: Bytes32,
    },
    /// The host's share, with its wishes, after the guest's commitment.
    Reveal {
        /// Both.
        lot: CoinShare,
    },
    /// The game that is played, and the reader's seat.
    Seated(AgreedGame),
    /// Whether the other player is connected.
    Here {
        /// Whether that player is.
        here: bool,
    },
    /// A text of the other player.
    Said {
        /// The text.
        text: String,
    },
    /// A piece of the whole game, which is over.
    Score {
        /// Part of a PGN file.
        text: String,
        /// It is the last.
        last: bool,
    },
    /// About the game, or the end of the line.
    #[serde(untagged)]
    Game(ServerSays),
}

impl From<ClientSays> for GuestSays {
    fn from(says: ClientSays) -> GuestSays {
        GuestSays::Game(says)
    }
}

impl From<ServerSays> for HostSays {
    fn from(says: ServerSays) -> HostSays {
        HostSays::Game(says)
    }
}

/// The longest text that one player says to the other.
const MAX_TEXT_CHARS: usize = 200;

/// The id under which a request for the whole of a game is refused.
pub(crate) const SCORE: &str = "score";

/// The longest piece of a game, in bytes. JSON may make it six times as long.
const PIECE_BYTES: usize = 2 * 1024;

/// The whole of a game, which is over, in pieces that fit into messages.
pub fn pieces(text: &str) -> Vec<HostSays> {
    let mut says = Vec::new();
    let mut rest = text;
    loop {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(PIECE_BYTES));
        rest = more;
        says.push(HostSays::Score {
            text: piece.to_owned(),
            last: rest.is_empty(),
        });
        if rest.is_empty() {
            return says;
        }
    }
}

/// A text without control characters, cut to the length of a line.
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !telnet::orders_about(*c))
        .take(MAX_TEXT_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_gives_orders_to_a_terminal() {
        assert_eq!(plain("good\x1b[2J\x07 move\u{202e}!\n"), "good [2J  move! ");
        assert_eq!(plain(&"x".repeat(500)).len(), 200);
        assert_eq!(plain("\u{9b}31m caf\u{e9}"), " 31m caf\u{e9}");
    }

    #[test]
    fn a_game_in_pieces_is_whole_and_each_fits_into_a_line() {
        for text in [String::new(), "\u{1}\u{e9}".repeat(5000)] {
            let mut whole = String::new();
            let says = pieces(&text);
            let says_in_all = says.len();
            for (n, says) in says.iter().enumerate() {
                let json = serde_json::to_vec(says).unwrap();
                assert!(
                    json.len() + 16 < crate::ks::channel::MAX_MESSAGE_BYTES,
                    "{}",
                    json.len()
                );
                let HostSays::Score { text, last } = says else {
                    panic!("{says:?}");
                };
                whole.push_str(text);
                assert_eq!(*last, n + 1 == says_in_all);
            }
            assert_eq!(whole, text);
        }
    }

    #[test]
    fn messages_are_read_as_they_are_written_and_no_others() {
        let says = GuestSays::Game(ClientSays::Try {
            id: "a1".to_owned(),
            game: "abc234".to_owned(),
            after: 3,
            text: "e2e4".to_owned(),
        });
        let json = serde_json::to_string(&says).unwrap();
        let written = r#"{"type":"try","id":"a1","game":"abc234","after":3,"text":"e2e4"}"#;
        assert_eq!(json, written);
        assert_eq!(serde_json::from_str::<GuestSays>(&json).unwrap(), says);
        for wrong in [
            r#"{"type":"peek"}"#,
            r#"{"type":"ping","more":1}"#,
            r#"{"type":"listen","after":1}"#,
            r#"{"type":"watch","game":"abc234","after":-1}"#,
            r#"{"type":"hello","version":2,"name":"a","wants":"b","game":null,"more":1}"#,
            r#"{"type":"commit","commitment":"00"}"#,
        ] {
            assert!(serde_json::from_str::<GuestSays>(wrong).is_err(), "{wrong}");
        }
    }
}
