//! Conversion of messages between people.

use club::{Message, TalkGroup};
use wire::{MessageJson, ServerSays, TalkGroupJson};

use crate::people::player;

/// Converts a message for a person who may read it.
pub fn message(message: &Message) -> MessageJson {
    MessageJson {
        n: message.n,
        from: player(&message.from),
        at: message.at,
        text: message.text.clone(),
    }
}

/// Converts a message that was written to a group at a game.
pub fn talk(game: String, group: TalkGroup, message: &Message) -> ServerSays {
    ServerSays::Message {
        game,
        group: match group {
            TalkGroup::Players => TalkGroupJson::Players,
            TalkGroup::Spectators => TalkGroupJson::Spectators,
        },
        message: self::message(message),
    }
}

/// Converts the name of a group.
pub fn talk_group(group: TalkGroupJson) -> TalkGroup {
    match group {
        TalkGroupJson::Players => TalkGroup::Players,
        TalkGroupJson::Spectators => TalkGroup::Spectators,
    }
}
