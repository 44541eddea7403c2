//! Messages between the screen and its connection to the club.

use wire::{ClientSays, MomentJson, NewChallengeJson, ServerSays, Side, StepJson, TermsJson};

/// Request of the screen.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ClubRequest {
    /// Send this on the socket.
    Says(ClientSays),
    /// Challenge somebody.
    Challenge(NewChallengeJson),
    /// Seek a game.
    Seek(TermsJson),
    /// Accept a seek, by its id.
    AcceptSeek(String),
    /// Accept a challenge, by its id.
    AcceptChallenge(String),
    /// Decline or withdraw a challenge, by its id.
    DeclineChallenge(String),
    /// Withdraw a seek, by its id.
    WithdrawSeek(String),
    /// Get the steps of a finished game.
    Steps(String),
    /// Compute what a player of the game that is viewed could know.
    Belief(Side),
    /// Write a finished game into a file.
    Save {
        /// The game.
        game: String,
        /// The file's name.
        file: String,
    },
}

/// Message to the screen.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ClubMessage {
    /// Message of the club on the socket.
    Says(Box<ServerSays>),
    /// The connection is lost, with the reason; it is retried.
    Away(String),
    /// There is a new connection without subscriptions.
    Connected,
    /// This game is to be played now.
    Playing(String),
    /// The steps of a finished game.
    Steps {
        /// The game.
        game: String,
        /// Them.
        steps: Vec<StepJson>,
    },
    /// Next moment of the belief of a player, in the viewed game.
    Moment {
        /// The player.
        side: Side,
        /// It.
        moment: Box<MomentJson>,
    },
    /// There are no more moments of that player.
    MomentsEnd {
        /// The player.
        side: Side,
        /// Why, if the game goes on; else empty.
        why: String,
    },
    /// A request succeeded, in words.
    Done(String),
    /// A finished game was saved.
    Saved {
        /// The game.
        game: String,
        /// The file's name.
        file: String,
    },
    /// A request failed, in words.
    Failed(String),
    /// The program must end.
    End,
}

/// Guesses of one seat in one game, to be kept on this machine. They are not an
/// [`ClubRequest`]: they are never sent to the club.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Guessed {
    /// The game.
    pub game: String,
    /// The seat.
    pub seat: Side,
    /// Name of the player in that seat.
    pub who: String,
    /// Men and their squares, as `qe5 nf3`; empty if nothing is to be kept.
    pub men: String,
}
