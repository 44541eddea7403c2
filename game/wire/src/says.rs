//! Messages of the WebSocket, from the client and from the server.
//!
//! One text frame contains one JSON object, whose key `type` names the message.
//! The server answers unknown types and unknown keys with `refused`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    cause::CauseJson,
    club::{GameJson, HearingJson, LobbyChangesJson, LobbyJson, Millis, PlayerJson, SeatViewJson},
    message::{MessageJson, TalkGroupJson},
    text::is_false,
};

/// Version of the WebSocket messages and of the HTTP API.
pub const PROTOCOL: u32 = 1;

/// A message from the client.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClientSays {
    /// Start listening to a game: as a player if the client plays the game,
    /// otherwise as a spectator.
    Watch {
        /// Id of the game.
        game: String,
        /// Number of the last hearing that the client knows. 0 requests all
        /// hearings.
        after: u32,
    },
    /// Stop listening to a game.
    Leave {
        /// Id of the game.
        game: String,
    },
    /// Start or stop listening to the lobby.
    Lobby {
        /// True to start, false to stop.
        on: bool,
    },
    /// An attempt for the referee: a move in any notation, or a word like
    /// `any`, `count`, `recap`, `px`, `resign` or `offer-draw`.
    Try {
        /// Id that the client chooses, unique for the player in this game: 1 to
        /// 64 characters of `A-Z a-z 0-9 - _`. A second message with the same id
        /// gets the same answer and is not judged again.
        id: String,
        /// Id of the game.
        game: String,
        /// Number of the last hearing that the client knows. An attempt that
        /// was made for an earlier turn is refused.
        after: u32,
        /// The attempt as typed.
        text: String,
        /// Whether the club asks back before it tells the referee: a move that cannot be legal as
        /// far as the player knows, and a question about the player's own men, are refused with a
        /// `reason` (`impossible`, `question`). Nobody hears of it.
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
        ask: bool,
    },
    /// An action at a table that does not go to the referee.
    Act {
        /// Id that the client chooses, as for `try`.
        id: String,
        /// Id of the game.
        game: String,
        /// What the player wants to do.
        act: TableAct,
    },
    /// Start reading the messages of a group at a game. `leave` ends this too.
    Talk {
        /// Id of the game.
        game: String,
        /// The group. By default, players read the players' messages, and everybody else reads the
        /// spectators' messages.
        #[serde(default)]
        group: Option<TalkGroupJson>,
        /// Number of the last message that the client knows. 0 requests all kept messages.
        after: u32,
    },
    /// A message to a group at a game. If the client sends it again, the server writes it a second
    /// time.
    Write {
        /// Id that the client chooses, as for `try`.
        id: String,
        /// Id of the game.
        game: String,
        /// The group; the default is as for `talk`.
        #[serde(default)]
        group: Option<TalkGroupJson>,
        /// Text: one line of at most 400 characters.
        text: String,
    },
    /// Asks the server for a `pong`, to test the connection.
    Ping {},
}

/// An action of a player at a table that does not go to the referee.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum TableAct {
    /// Abort the game without a result. Possible until both sides have made
    /// their first move.
    Abort,
    /// Claim a win, because the opponent has left.
    ClaimWin,
    /// Claim a draw, because the opponent has left.
    ClaimDraw,
    /// Offer to adjourn the game, or accept the opponent's offer.
    Adjourn,
    /// Offer to resume an adjourned game, or accept the opponent's offer.
    Resume,
    /// Withdraw or decline an offer to adjourn or to resume.
    DeclineAdjourn,
    /// After the end: offer a rematch with colours exchanged, or accept the
    /// opponent's offer.
    Rematch,
    /// Withdraw or decline an offer of a rematch.
    DeclineRematch,
}

/// A message from the server.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ServerSays {
    /// The first message on a connection.
    Welcome {
        /// Version of the messages: [`PROTOCOL`].
        version: u32,
        /// Account of the client; null if the client is not signed in and can
        /// only watch.
        you: Option<PlayerJson>,
        /// Current time of the server, in milliseconds since 1970.
        now: Millis,
    },
    /// The whole lobby. Sent after `lobby`, and again if there are too many changes.
    Lobby {
        /// The lobby as this client sees it.
        lobby: LobbyJson,
    },
    /// Changes of the lobby.
    LobbyChanges {
        /// The changes as this client sees them.
        changes: LobbyChangesJson,
    },
    /// Information about a game. Sent as the answer to `watch`, and again whenever
    /// this information changes.
    Game {
        /// The game as this client sees it.
        game: GameJson,
    },
    /// The client hears something in a game.
    Heard {
        /// Id of the game.
        #[serde(deserialize_with = "crate::text::word")]
        game: String,
        /// What is heard, with its number.
        hearing: HearingJson,
    },
    /// What the client's player knows in a game. Sent after `watch`, and after a hearing. If
    /// several hearings are ready, one view is sent after the last of them.
    View {
        /// Id of the game.
        #[serde(deserialize_with = "crate::text::word")]
        game: String,
        /// What the player knows.
        view: SeatViewJson,
    },
    /// A message to a group at a game. Sent only after `talk`.
    Message {
        /// Id of the game.
        #[serde(deserialize_with = "crate::text::word")]
        game: String,
        /// The group.
        group: TalkGroupJson,
        /// The message.
        message: MessageJson,
    },
    /// The answer to a `try`, an `act` or a `write`.
    Answer {
        /// Id of the `try`, `act` or `write`.
        id: String,
        /// Id of the game.
        game: String,
        /// Number of the hearing that the `try` caused; null for an `act` or a `write`.
        n: Option<u32>,
        /// The answer in one word, as the player hears it: `moved`, `no`,
        /// `yes`, `done` and so on.
        answer: String,
        /// Why the referee refused the attempt, as far as the player can know. Absent if the
        /// attempt was not refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<CauseJson>,
        /// What the answer means, or what to do next, as a sentence.
        #[cfg_attr(feature = "typescript", ts(skip))]
        why: String,
    },
    /// A message of the client was refused. Nothing has changed, except possibly if the code is
    /// `unavailable`.
    Refused {
        /// Id of the `try`, `act` or `write` that was refused. Null if a message of another type
        /// was refused, or if the message could not be read.
        id: Option<String>,
        /// Id of the game that the refused message names; absent if it names none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<String>,
        /// Type of the refused message, for example `watch`. Null if it could not be read.
        #[serde(default)]
        request: Option<String>,
        /// Reason, for programs.
        code: RefusalCode,
        /// Reason, more exactly than `code`; null if the code says everything.
        #[serde(default)]
        reason: Option<String>,
        /// Values in the sentence, by name.
        #[serde(default)]
        args: BTreeMap<String, String>,
        /// After this time, in milliseconds, the same message is no longer refused for this reason.
        /// Null if this time is not known, or if waiting does not help.
        #[serde(default)]
        retry_after_ms: Option<u64>,
        /// Reason, as a sentence that also says what to do.
        #[cfg_attr(feature = "typescript", ts(skip))]
        why: String,
    },
    /// The answer to `ping`.
    Pong {},
    /// The server will close this connection.
    Bye {
        /// Reason, and when to connect again, as a sentence.
        #[cfg_attr(feature = "typescript", ts(skip))]
        why: String,
    },
}

/// Reason why a request was refused, for programs.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RefusalCode {
    /// The message or the body is not valid JSON of this protocol.
    Malformed,
    /// The text is not an attempt.
    NotUnderstood,
    /// The text can mean several attempts.
    Ambiguous,
    /// It is not your turn.
    NotYourTurn,
    /// The attempt was made for an earlier turn. The client must process the
    /// newer hearings first.
    Stale,
    /// The id was already used for a different request.
    IdReused,
    /// The game is over.
    GameOver,
    /// The game is adjourned.
    Adjourned,
    /// The action does not exist here, or is not possible now.
    NotPossible,
    /// The client must sign in first.
    SignIn,
    /// The client has no right to do this.
    Forbidden,
    /// The game, offer or other thing does not exist.
    NotFound,
    /// The name is reserved or in use, or another request was quicker, for example another acceptance
    /// of the same offer.
    Taken,
    /// The name, the password or the recovery code is wrong.
    WrongPassword,
    /// A value has a wrong form, or is outside its range.
    Invalid,
    /// The client has sent too many requests.
    TooMany,
    /// The message or the body is too long.
    TooLarge,
    /// The store fails, or the club is closing. If a shared database did not answer, the change may
    /// have been made nevertheless. If the request has an id, the client can send it again safely.
    Unavailable,
}

impl RefusalCode {
    /// Whether the same request can succeed later.
    pub const fn is_temporary(self) -> bool {
        matches!(self, RefusalCode::TooMany | RefusalCode::Unavailable)
    }
}
