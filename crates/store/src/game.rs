//! Games, and what leads to them.

use rules::{Over, chess::ByColor};

use crate::{
    account::AccountId,
    id::GameId,
    row::{Millis, NewRow},
};

/// How time is kept; spans in milliseconds.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum TimeControl {
    /// A stock, and something after each completed move (0 for a plain clock).
    Clock {
        /// At the beginning.
        initial: Millis,
        /// After each completed move.
        increment: Millis,
    },
    /// No clock.
    Unlimited,
}

/// Which colour the maker of an offer asks for himself.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum ColorWish {
    /// By lot.
    Any,
    /// White.
    White,
    /// Black.
    Black,
}

/// Under what terms a game is to be played.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Terms {
    /// The ruleset's id.
    pub rules: String,
    /// The text of a custom ruleset.
    pub custom: Option<String>,
    /// How time is kept.
    pub time: TimeControl,
    /// Whether it counts.
    pub rated: bool,
    /// The colour its maker asks for.
    pub color: ColorWish,
}

/// The name of a seek, a challenge or an invitation: drawn by lot.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct OfferId(pub String);

/// To whom a game is offered.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum OfferKind {
    /// To anybody.
    Seek,
    /// To one account.
    Challenge {
        /// Whom.
        to: AccountId,
    },
    /// To whoever has the link.
    Invitation,
}

/// An open offer of a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Offer {
    /// Its name.
    pub id: OfferId,
    /// To whom.
    pub kind: OfferKind,
    /// Who made it.
    pub by: AccountId,
    /// Under what terms.
    pub terms: Terms,
    /// When it was made.
    pub at: Millis,
    /// The game, once it was accepted (invitations stay for their maker to find it).
    pub game: Option<GameId>,
}

/// A challenge: an [`Offer`] to one account.
pub type Challenge = Offer;
/// An invitation: an [`Offer`] to whoever has its link.
pub type Invitation = Offer;

/// A game that is to be made, with the first rows of its log.
#[derive(Clone, PartialEq, Debug)]
pub struct NewGame {
    /// Its name.
    pub id: GameId,
    /// Who plays.
    pub players: ByColor<AccountId>,
    /// The terms.
    pub terms: Terms,
    /// When it was made.
    pub at: Millis,
    /// The first rows: the opening.
    pub rows: Vec<NewRow>,
    /// The offer from which it came, which is closed by it; a second acceptance is a conflict.
    pub offer: Option<OfferId>,
}

/// Where a game stands, for lists.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum GameStatus {
    /// It is being played, or adjourned.
    Running,
    /// It is over.
    Over,
}

/// A game in the index.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct GameRecord {
    /// Its name.
    pub id: GameId,
    /// Who plays.
    pub players: ByColor<AccountId>,
    /// The terms.
    pub terms: Terms,
    /// When it was made.
    pub at: Millis,
    /// How it ended.
    pub over: Option<Over>,
}

impl GameRecord {
    /// Where it stands.
    pub fn status(&self) -> GameStatus {
        match self.over {
            Some(_) => GameStatus::Over,
            None => GameStatus::Running,
        }
    }
}
