//! What passes between the screen and whoever speaks to the club for it.

use wire::{ClientSays, NewChallengeJson, ServerSays, Side, StepJson, TermsJson};

/// What the screen asks for.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Ask {
    /// Say this on the socket.
    Says(ClientSays),
    /// Challenge somebody.
    Challenge(NewChallengeJson),
    /// Seek a game.
    Seek(TermsJson),
    /// Accept a seek, by its id.
    AcceptSeek(String),
    /// Accept a challenge, by its id.
    AcceptChallenge(String),
    /// Decline a challenge or take it back, by its id.
    DeclineChallenge(String),
    /// Take a seek back, by its id.
    WithdrawSeek(String),
    /// Give the steps of a finished game.
    Steps(String),
    /// Write a finished game into a file.
    Save {
        /// The game.
        game: String,
        /// The file's name.
        file: String,
    },
}

/// What the screen is told.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Told {
    /// The club says this on the socket.
    Says(Box<ServerSays>),
    /// The connection is lost, for that reason; it is tried again.
    Away(String),
    /// There is a connection, and nobody listens on it yet.
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
    /// What was asked is done, in words.
    Done(String),
    /// A finished game was written down.
    Saved {
        /// The game.
        game: String,
        /// The file's name.
        file: String,
    },
    /// What was asked cannot be done, in words.
    Failed(String),
    /// The program is to end.
    End,
}

/// The guesses of one seat at one game, for whoever keeps them on this machine.
/// They are no [`Ask`]: the club never hears of them.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Guessed {
    /// The game.
    pub game: String,
    /// The seat.
    pub seat: Side,
    /// Who sits there, by his name.
    pub who: String,
    /// The men and their squares, as `qe5 nf3`; empty: nothing is to be kept.
    pub men: String,
}
