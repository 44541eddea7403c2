//! The messages between the two ends: JSON objects, each with a `type`.
//!
//! `ks` has its own messages for greeting, coin toss, talk and the record of
//! the finished game. Messages about the running game are [`ClientSays`] and
//! [`ServerSays`], as on the WebSocket of a club.

use serde::{Deserialize, Serialize};
use wire::{ClientSays, ServerSays};

use super::{
    coin::{Bytes32, CoinShare},
    state_file::AgreedGame,
};
use crate::base::telnet;

/// Version of these messages. Version 1 had other messages for the game; its
/// `hello` and `bye` are the same as in version 2.
pub const VERSION: u32 = 2;

/// First message of the guest, who calls the host. It names the guest's player, and the player with
/// whom the guest wants to play.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Version of the caller's messages; see [`VERSION`].
    pub version: u32,
    /// Name of the caller.
    pub name: String,
    /// Name of the player with whom the caller wants to play.
    pub wants: String,
    /// Id of the game that the caller was in, if any.
    pub game: Option<String>,
}

/// Message of the guest. The host's own player uses the same messages, over a
/// channel in memory.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum GuestSays {
    /// First message of the guest.
    Hello(Hello),
    /// The guest's commitment, sent before the guest has seen the host's share.
    Commit {
        /// Hash of the guest's share.
        commitment: Bytes32,
    },
    /// The guest's share with the guest's wishes, sent after the guest has seen the host's share.
    Reveal {
        /// The share.
        lot: CoinShare,
    },
    /// A text for the other player.
    Say {
        /// The text.
        text: String,
    },
    /// Mutes the other player at a club, or ends the mute. Two ends without a club
    /// do not send this message: each end mutes by itself.
    Mute {
        /// Whether the other player is muted.
        on: bool,
    },
    /// Asks for the full record of a game that is over.
    Score {},
    /// The player has received everything about a game that is over.
    Ended {},
    /// Message about the game: watch, try or ping.
    #[serde(untagged)]
    Game(ClientSays),
}

/// Message of the host.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
#[expect(
    clippy::large_enum_variant,
    reason = "one message at a time is made and sent"
)]
pub enum HostSays {
    /// Begins the coin toss, because there is no game yet.
    Hello {
        /// Version of the host's messages; see [`VERSION`].
        version: u32,
        /// Name of the host's player.
        name: String,
        /// Hash of the host's share.
        commitment: Bytes32,
    },
    /// The host's share with the host's wishes, sent after the host has received the guest's
    /// commitment.
    Reveal {
        /// The share.
        lot: CoinShare,
    },
    /// The game that is played, with the seat of the player who receives this
    /// message.
    Seated(AgreedGame),
    /// Says whether the other player is connected.
    Here {
        /// Whether the other player is connected.
        here: bool,
    },
    /// A text from the other player.
    Said {
        /// The text.
        text: String,
    },
    /// The club has stored that the other player is muted, or is not muted any more. Two ends
    /// without a club do not send this message.
    Muted {
        /// Whether the other player is muted.
        on: bool,
    },
    /// A part of the record of a game that is over.
    Score {
        /// Part of a PGN file.
        text: String,
        /// Whether this is the last part.
        last: bool,
    },
    /// Message about the game, or the end of the connection.
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

/// Longest text that one player may send to the other, in characters.
const MAX_TEXT_CHARS: usize = 200;

/// Request id in the message that refuses [`GuestSays::Score`].
pub(crate) const SCORE: &str = "score";

/// Longest part of a record, in bytes. Written as JSON, a part can become six
/// times as long.
const PIECE_BYTES: usize = 2 * 1024;

/// Splits the record of a finished game into messages that are short enough for
/// the channel.
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

/// Replaces control characters by spaces, removes other characters that control
/// a terminal, and cuts the text to at most `MAX_TEXT_CHARS`.
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !telnet::controls_terminal(*c))
        .take(MAX_TEXT_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_control_a_terminal() {
        assert_eq!(plain("good\x1b[2J\x07 move\u{202e}!\n"), "good [2J  move! ");
        assert_eq!(plain(&"x".repeat(500)).len(), 200);
        assert_eq!(plain("\u{9b}31m caf\u{e9}"), " 31m caf\u{e9}");
    }

    #[test]
    fn parts_of_a_record_are_complete_and_fit_a_message() {
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
    fn messages_are_read_back_and_malformed_ones_are_refused() {
        let says = GuestSays::Game(ClientSays::Try {
            id: "a1".to_owned(),
            game: "abc234".to_owned(),
            after: 3,
            text: "e2e4".to_owned(),
            ask: false,
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
