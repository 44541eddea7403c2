//! The lobby: offers and lists of games.

use rules::{Listener, Over, chess::ByColor};
use store::{GameId, Millis, OfferId, Terms};

use crate::{account::Account, error::ClubError, facts::Status, refusals::no_offer};

/// Addressee of an offer.
pub type OfferKind = store::OfferKind<Account>;

/// An offer of a game, as one reader sees it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct OfferView {
    /// Its name; an invitation's is secret.
    pub id: OfferId,
    /// Addressee.
    pub kind: OfferKind,
    /// Account that made it.
    pub by: Account,
    /// Under what terms.
    pub terms: Terms,
    /// Whether the reader made it.
    pub yours: bool,
    /// Whether somebody has accepted it.
    pub taken: bool,
    /// The game, once accepted; for the two who play it.
    pub game: Option<GameId>,
}

/// A game in a list.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct GameRow {
    /// Its id.
    pub id: GameId,
    /// Players.
    pub players: ByColor<Account>,
    /// The terms.
    pub terms: Terms,
    /// Time at which it was made.
    pub at: Millis,
    /// Status.
    pub status: Status,
    /// End of the game, if it is over.
    pub over: Option<Over>,
    /// Reader's seat, or [`Listener::Room`].
    pub seat: Listener,
}

/// The lobby as one reader sees it.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Lobby {
    /// Open seeks, oldest first.
    pub seeks: Vec<OfferView>,
    /// Challenges to or from the reader, oldest first.
    pub challenges: Vec<OfferView>,
    /// The reader's own games that are not over, oldest first.
    pub mine: Vec<GameRow>,
    /// Other games that are being played, oldest first.
    pub running: Vec<GameRow>,
    /// The accounts of the club's own programs, in the order in which they came.
    pub programs: Vec<Account>,
}

/// Reads an offer's id as an address or a link holds it.
///
/// # Errors
/// [`Code::NotFound`](crate::Code::NotFound) for what can be no id.
pub fn offer_id(text: &str) -> Result<OfferId, ClubError> {
    let fits = (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric());
    if fits {
        Ok(OfferId(text.to_owned()))
    } else {
        Err(no_offer())
    }
}
