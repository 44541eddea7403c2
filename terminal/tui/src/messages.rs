//! Messages between the screen and its connections to the club.

use wire::{ClientSays, MomentJson, NewChallengeJson, ServerSays, Side, StepJson, TermsJson};

/// Request of the screen.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ClubRequest {
    /// Send this message on the club's WebSocket.
    Says(ClientSays),
    /// Challenge a player.
    Challenge(NewChallengeJson),
    /// Offer a game to anybody.
    Seek(TermsJson),
    /// Accept a seek, by its id.
    AcceptSeek(String),
    /// Accept a challenge, by its id.
    AcceptChallenge(String),
    /// Decline or withdraw a challenge, by its id.
    DeclineChallenge(String),
    /// Withdraw a seek, by its id.
    WithdrawSeek(String),
    /// Hide the messages of the player with this name, or show them again.
    Mute {
        /// Name of the player.
        name: String,
        /// Whether the messages are hidden.
        on: bool,
    },
    /// Show the profile of the player with this name.
    Finger(String),
    /// List the finished games of a player; `None`: the own games.
    History(Option<String>),
    /// List the highest ratings in this family of rulesets.
    Best(&'static str),
    /// Get the steps of a finished game.
    Steps(String),
    /// Compute what this player of the viewed game could know.
    Belief(Side),
    /// Write a finished game to a file.
    Save {
        /// Id of the game.
        game: String,
        /// Name of the file.
        file: String,
    },
}

/// Message to the screen.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ClubMessage {
    /// Message of the club on the socket.
    Says(Box<ServerSays>),
    /// The connection is lost. Holds the reason; the client tries to reconnect.
    Away(String),
    /// There is a new connection, without subscriptions.
    Connected,
    /// Take the seat in the game with this id now.
    Playing(String),
    /// The steps of a finished game.
    Steps {
        /// Id of the game.
        game: String,
        /// Steps of the game.
        steps: Vec<StepJson>,
    },
    /// Next moment of a player's belief, in the viewed game.
    Moment {
        /// The player.
        side: Side,
        /// The moment.
        moment: Box<MomentJson>,
    },
    /// There are no more moments of a player.
    MomentsEnd {
        /// The player.
        side: Side,
        /// Reason why later steps of the game have no moments; empty if there are no later steps.
        why: String,
    },
    /// A text to show.
    Page {
        /// Title of the page.
        title: String,
        /// Lines of the page.
        text: String,
    },
    /// A request succeeded. Holds a message for the player.
    Done(String),
    /// A finished game was saved.
    Saved {
        /// Id of the game.
        game: String,
        /// Name of the file.
        file: String,
    },
    /// A request failed. Holds a message for the player.
    Failed(String),
    /// The program must end.
    End,
}

/// Guesses of one seat in one game, to be stored on this machine. Guesses are not part of
/// [`ClubRequest`], because they are never sent to the club.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Guessed {
    /// Id of the game.
    pub game: String,
    /// Seat of the player.
    pub seat: Side,
    /// Name of the player.
    pub who: String,
    /// Men and their squares, for example `qe5 nf3`; empty if the stored guesses must be
    /// deleted.
    pub men: String,
}
