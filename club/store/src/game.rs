//! Games and offers of games.

use rules::{Listener, Over, chess::ByColor};

use crate::{
    account::AccountId,
    id::GameId,
    row::{Millis, NewRow},
};

/// Time control; times are in milliseconds.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum TimeControl {
    /// A clock: initial time, and an increment after each completed move (0 if there is no
    /// increment).
    Clock {
        /// Initial time of each side, in milliseconds.
        initial: Millis,
        /// Increment after each completed move, in milliseconds.
        increment: Millis,
    },
    /// A bank of whole days: an increment after each completed move, up to a cap. If all three are
    /// equal, each move has this time.
    Days {
        /// Initial time of each side, in milliseconds.
        initial: Millis,
        /// Increment after each completed move, in milliseconds.
        increment: Millis,
        /// Largest time that a side can have after a move, in milliseconds.
        cap: Millis,
    },
    /// No clock.
    Unlimited,
}

impl TimeControl {
    /// Formats the time control as the PGN tag `TimeControl`, in seconds.
    pub fn pgn(self) -> String {
        match self {
            TimeControl::Unlimited => "-".to_owned(),
            TimeControl::Clock {
                initial,
                increment: 0,
            } => (initial / 1000).to_string(),
            TimeControl::Days {
                initial,
                increment,
                cap,
            } if initial == increment && increment == cap => format!("1/{}", cap / 1000),
            TimeControl::Clock { initial, increment }
            | TimeControl::Days {
                initial, increment, ..
            } => {
                format!("{}+{}", initial / 1000, increment / 1000)
            }
        }
    }

    /// Returns initial time, increment and cap, as the tables have them.
    pub(crate) const fn columns(self) -> [Option<Millis>; 3] {
        match self {
            TimeControl::Clock { initial, increment } => [Some(initial), Some(increment), None],
            TimeControl::Days {
                initial,
                increment,
                cap,
            } => [Some(initial), Some(increment), Some(cap)],
            TimeControl::Unlimited => [None; 3],
        }
    }
}

/// Colour that the maker of an offer asks for.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum ColorWish {
    /// Random.
    Any,
    /// White.
    White,
    /// Black.
    Black,
}

/// Terms of a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Terms {
    /// Id of the ruleset.
    pub rules: String,
    /// Text of the custom ruleset; `None` for a named ruleset.
    pub custom: Option<String>,
    /// Time control.
    pub time: TimeControl,
    /// Whether the game is rated.
    pub rated: bool,
    /// Colour that the maker of the offer asks for.
    pub color: ColorWish,
}

/// Random id of a seek, a challenge or an invitation.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct OfferId(pub String);

/// Addressee of an offer. `A` is the type that names an account.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum OfferKind<A = AccountId> {
    /// To anybody.
    Seek,
    /// To one account.
    Challenge {
        /// Account that is challenged.
        to: A,
    },
    /// To anybody who has the link.
    Invitation,
}

/// An offer of a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Offer {
    /// Id of the offer.
    pub id: OfferId,
    /// Addressee.
    pub kind: OfferKind,
    /// Account that made the offer.
    pub by: AccountId,
    /// Terms.
    pub terms: Terms,
    /// Time of creation.
    pub at: Millis,
    /// Game that began when the offer was accepted. An accepted invitation is kept, so that its
    /// maker can find the game. Other accepted offers are deleted.
    pub game: Option<GameId>,
}

/// A new game, with the first rows of its log.
#[derive(Clone, PartialEq, Debug)]
pub struct NewGame {
    /// Id of the game.
    pub id: GameId,
    /// Players.
    pub players: ByColor<AccountId>,
    /// Terms of the game.
    pub terms: Terms,
    /// Time of creation.
    pub at: Millis,
    /// First rows of the log: the opening.
    pub rows: Vec<NewRow>,
    /// Offer from which the game is made, if there is one. Creating the game closes the offer. If
    /// the offer was accepted already, the game is not created.
    pub offer: Option<OfferId>,
}

/// The entry of a game in the index.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct GameRecord {
    /// Id of the game.
    pub id: GameId,
    /// Players.
    pub players: ByColor<AccountId>,
    /// Terms of the game.
    pub terms: Terms,
    /// Time of creation.
    pub at: Millis,
    /// Result and reason of the end, if the game is over.
    pub over: Option<Over>,
}

impl GameRecord {
    /// Returns the seat of a reader: [`Listener::Room`] for everybody except the players.
    pub fn seat(&self, reader: Option<AccountId>) -> Listener {
        let color = reader.and_then(|id| self.players.find(|player| *player == id));
        color.map_or(Listener::Room, Listener::from)
    }
}
