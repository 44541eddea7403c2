//! The messages of the socket, named by who speaks.
//!
//! One text frame holds one JSON object with its `type`. Unknown types and
//! unknown keys of a client are answered with `refused`, never with silence.

use serde::{Deserialize, Serialize};

use crate::club::{GameJson, HearingJson, LobbyJson, Millis, PlayerJson, SeatViewJson};

/// The version of the socket's messages and of the HTTP API.
pub const PROTOCOL: u32 = 1;

/// Message of a client.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClientSays {
    /// Listen to a game, from the client's own seat or, without one, from the room.
    Watch {
        /// The game.
        game: String,
        /// The last number heard; 0 for everything.
        after: u32,
    },
    /// Stop listening to a game.
    Leave {
        /// The game.
        game: String,
    },
    /// Start or stop listening to the lobby.
    Lobby {
        /// Whether to listen.
        on: bool,
    },
    /// An attempt, or any other word to the referee: a try in any notation,
    /// `any`, `count`, `recap`, `px`, `resign`, `offer-draw`...
    Try {
        /// Made by the client, unique for the seat: the same id again gets the
        /// same answer and is not judged again. 1 to 64 characters of
        /// `A-Z a-z 0-9 - _`.
        id: String,
        /// The game.
        game: String,
        /// The last number heard: an attempt meant for an earlier turn is refused.
        after: u32,
        /// The words.
        text: String,
    },
    /// Something between the players and the club.
    Act {
        /// As for a try.
        id: String,
        /// The game.
        game: String,
        /// The action.
        act: TableAct,
    },
    /// Is anybody there?
    Ping {},
}

/// Action of a player at a table that does not go to the referee.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum TableAct {
    /// Break the game off before it has begun in earnest.
    Abort,
    /// Claim the win: the opponent is gone.
    ClaimWin,
    /// Claim a draw: the opponent is gone.
    ClaimDraw,
    /// Offer to adjourn, or accept that offer.
    Adjourn,
    /// Offer to resume an adjourned game, or accept that offer.
    Resume,
    /// Take back or decline an offer to adjourn or to resume.
    DeclineAdjourn,
    /// After the end: offer a rematch with colours changed, or accept it.
    Rematch,
    /// Take back or decline the rematch.
    DeclineRematch,
}

/// Message of the server.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ServerSays {
    /// The first message on a socket.
    Welcome {
        /// [`PROTOCOL`].
        version: u32,
        /// Account of the client; null for a visitor, who can only watch.
        you: Option<PlayerJson>,
        /// The server's time.
        now: Millis,
    },
    /// The lobby, whole, whenever it changes.
    Lobby {
        /// As you see it.
        lobby: LobbyJson,
    },
    /// A game's public facts: upon `watch`, and whenever they change.
    Game {
        /// As you see it.
        game: GameJson,
    },
    /// Something is heard.
    Heard {
        /// The game.
        game: String,
        /// The items heard, with their number.
        hearing: HearingJson,
    },
    /// Knowledge of your seat. It is sent after the hearing from which it
    /// follows, and after an answer that changed only what you know.
    View {
        /// The game.
        game: String,
        /// The knowledge.
        view: SeatViewJson,
    },
    /// The referee's or the club's answer to a try or an act.
    Answer {
        /// Id of the try or act.
        id: String,
        /// The game.
        game: String,
        /// The number of what you heard upon it; null for an act.
        n: Option<u32>,
        /// Answer that you heard, in one word: `moved`, `no`, `yes`, `done`...
        answer: String,
        /// Meaning of the answer here, or what to do next, in words.
        why: String,
    },
    /// A refusal: nothing has changed.
    Refused {
        /// Id of the try or act; null when the frame could not be read.
        id: Option<String>,
        /// A word for programs.
        code: RefusalCode,
        /// Text of the refusal, with the remedy.
        why: String,
    },
    /// The answer to `ping`.
    Pong {},
    /// The server is about to close this socket.
    Bye {
        /// Reason, and when to come again.
        why: String,
    },
}

/// Reason why something was refused, for programs.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RefusalCode {
    /// The frame or body is not JSON of this protocol.
    Malformed,
    /// The text is no attempt.
    NotUnderstood,
    /// The text may mean several attempts.
    Ambiguous,
    /// It is not your turn.
    NotYourTurn,
    /// The attempt was made for an earlier turn: hear first.
    Stale,
    /// The id was used for something else.
    IdReused,
    /// The game is over.
    GameOver,
    /// The game is adjourned.
    Adjourned,
    /// Nothing of that kind can be done here and now.
    NotPossible,
    /// You must sign in.
    SignIn,
    /// It is not yours to do.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// The name is taken.
    Taken,
    /// Name and password do not fit.
    WrongPassword,
    /// A value is out of its range.
    Invalid,
    /// Too many, too fast.
    TooMany,
    /// It is too long.
    TooLarge,
    /// The store cannot keep it now; nothing was done.
    Unavailable,
}

impl RefusalCode {
    /// Whether the same request may succeed later.
    pub const fn is_temporary(self) -> bool {
        matches!(self, RefusalCode::TooMany | RefusalCode::Unavailable)
    }
}
