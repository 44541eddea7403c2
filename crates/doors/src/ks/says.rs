//! What the two ends say to each other: a JSON object each, with its `type`.

use serde::{Deserialize, Serialize};
use wire::{HearingJson, RefusalCode, Side};

use super::coin::{Bytes32, Lot};
use crate::telnet;

/// The version of these messages.
pub const VERSION: u32 = 1;

/// What the end without the referee says; and the host's own player too, who
/// sits at his table by the same words.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum GuestSays {
    /// Who calls, and whom.
    Hello {
        /// [`VERSION`].
        version: u32,
        /// What he calls himself.
        name: String,
        /// With whom he wants to play.
        wants: String,
        /// The game that he was in.
        game: Option<String>,
    },
    /// To what he binds himself before he has seen anything.
    Commit {
        /// Of his lot and wishes.
        commitment: Bytes32,
    },
    /// His lot and wishes, after he has seen the host's.
    Reveal {
        /// Both.
        lot: Lot,
    },
    /// He sits down.
    Listen {
        /// The number of the last thing that he heard.
        after: u32,
    },
    /// An attempt, or any other word to the referee.
    Try {
        /// Made by the player: the same again is not judged again.
        id: String,
        /// The number of the last thing that he heard.
        after: u32,
        /// In coordinates, or a word.
        text: String,
    },
    /// A word to the other player.
    Say {
        /// What.
        text: String,
    },
    /// He has heard how the game ended, and wants to see the whole of it.
    Score {},
    /// He has all that he wants of a game that is over.
    Ended {},
    /// Is anybody there?
    Ping {},
}

/// What the host says.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum HostSays {
    /// A game is to be begun.
    Hello {
        /// [`VERSION`].
        version: u32,
        /// What the host's player calls himself.
        name: String,
        /// To what the host binds itself.
        commitment: Bytes32,
    },
    /// The host's lot and wishes, after the guest has bound himself.
    Reveal {
        /// Both.
        lot: Lot,
    },
    /// The game that is played.
    Game {
        /// Its name.
        game: String,
        /// The seat of whoever reads this.
        seat: Side,
        /// The ruleset.
        rules: String,
        /// What the coin has decided, in words; nothing if nothing.
        tossed: String,
    },
    /// Something is heard.
    Heard {
        /// What.
        hearing: HearingJson,
    },
    /// The referee's answer.
    Answer {
        /// Of the try.
        id: String,
        /// The number of what was heard upon it.
        n: Option<u32>,
        /// In one word.
        answer: String,
    },
    /// A refusal: nothing has changed.
    Refused {
        /// Of the try.
        id: Option<String>,
        /// A word for programs.
        code: RefusalCode,
        /// In words.
        why: String,
    },
    /// Whether the other player is connected.
    Here {
        /// He is.
        here: bool,
    },
    /// The other player says something.
    Said {
        /// What.
        text: String,
    },
    /// A piece of the whole game, which is over.
    Score {
        /// Of a PGN file.
        text: String,
        /// It is the last.
        last: bool,
    },
    /// There is somebody.
    Pong {},
    /// Nothing can come of this call.
    Bye {
        /// Why, and what to do.
        why: String,
    },
}

/// The longest text that one player says to the other.
const LONGEST: usize = 200;

/// Under this name the whole of a game is refused.
pub(crate) const SCORE: &str = "score";

/// The longest piece of a game, in bytes. JSON may make it six times as long.
const PIECE: usize = 2 * 1024;

/// The whole of a game, which is over, in pieces that fit into a line.
pub fn pieces(text: &str) -> Vec<HostSays> {
    let mut says = Vec::new();
    let mut rest = text;
    loop {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(PIECE));
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

/// A text that no terminal takes for an order, and that fits into a line.
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !telnet::orders_about(*c))
        .take(LONGEST)
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
                assert!(json.len() + 16 < crate::ks::LONGEST, "{}", json.len());
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
        let says = GuestSays::Try {
            id: "a1".to_owned(),
            after: 3,
            text: "e2e4".to_owned(),
        };
        let json = serde_json::to_string(&says).unwrap();
        assert_eq!(json, r#"{"type":"try","id":"a1","after":3,"text":"e2e4"}"#);
        assert_eq!(serde_json::from_str::<GuestSays>(&json).unwrap(), says);
        for wrong in [
            r#"{"type":"peek"}"#,
            r#"{"type":"ping","more":1}"#,
            r#"{"type":"listen","after":-1}"#,
            r#"{"type":"commit","commitment":"00"}"#,
        ] {
            assert!(serde_json::from_str::<GuestSays>(wrong).is_err(), "{wrong}");
        }
    }
}
