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
    /// Initial time, and an increment after each completed move (0 for a plain
    /// clock).
    Clock {
        /// Initial time.
        initial: Millis,
        /// Increment after each completed move.
        increment: Millis,
    },
    /// No clock.
    Unlimited,
}

impl TimeControl {
    /// Writes it as the tag `TimeControl` of PGN, in seconds.
    pub fn pgn(self) -> String {
        match self {
            TimeControl::Unlimited => "-".to_owned(),
            TimeControl::Clock {
                initial,
                increment: 0,
            } => (initial / 1000).to_string(),
            TimeControl::Clock { initial, increment } => {
                format!("{}+{}", initial / 1000, increment / 1000)
            }
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
    /// The ruleset's id.
    pub rules: String,
    /// The text of a custom ruleset.
    pub custom: Option<String>,
    /// Time control.
    pub time: TimeControl,
    /// Whether it is rated.
    pub rated: bool,
    /// The colour its maker asks for.
    pub color: ColorWish,
}

/// Random name of a seek, a challenge or an invitation.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct OfferId(pub String);

/// Addressee of an offer; `A` is how an account is named.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum OfferKind<A = AccountId> {
    /// To anybody.
    Seek,
    /// To one account.
    Challenge {
        /// The account.
        to: A,
    },
    /// To anybody who has the link.
    Invitation,
}

/// An open offer of a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Offer {
    /// Its name.
    pub id: OfferId,
    /// Addressee.
    pub kind: OfferKind,
    /// Maker.
    pub by: AccountId,
    /// Terms.
    pub terms: Terms,
    /// Time of creation.
    pub at: Millis,
    /// Game, once the offer was accepted. (Invitations are kept so that their maker
    /// can find it.)
    pub game: Option<GameId>,
}

/// New game with the first rows of its log.
#[derive(Clone, PartialEq, Debug)]
pub struct NewGame {
    /// Its name.
    pub id: GameId,
    /// Players.
    pub players: ByColor<AccountId>,
    /// The terms.
    pub terms: Terms,
    /// Time of creation.
    pub at: Millis,
    /// The first rows: the opening.
    pub rows: Vec<NewRow>,
    /// Offer that is accepted, and closed, by it; a second acceptance is a conflict.
    pub offer: Option<OfferId>,
}

/// Game in the index.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct GameRecord {
    /// Its name.
    pub id: GameId,
    /// Players.
    pub players: ByColor<AccountId>,
    /// The terms.
    pub terms: Terms,
    /// Time of creation.
    pub at: Millis,
    /// Result and reason, if it is over.
    pub over: Option<Over>,
}

impl GameRecord {
    /// Returns a reader's seat: a spectator's for everybody but the players.
    pub fn seat(&self, reader: Option<AccountId>) -> Listener {
        let color = reader.and_then(|id| self.players.find(|player| *player == id));
        color.map_or(Listener::Room, Listener::from)
    }
}
