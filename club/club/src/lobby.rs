//! The lobby: offers and lists of games.

use rules::{Listener, Over, chess::ByColor};
use store::{GameId, Millis, OfferId, Terms};
use wire::GameStatus;

use crate::{account::Account, error::ClubError, refusals::no_offer};

/// Addressee of an offer.
pub type OfferKind = store::OfferKind<Account>;

/// An offer of a game, as one reader may see it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct OfferView {
    /// Id of the offer. The id of an invitation is secret.
    pub id: OfferId,
    /// Addressee.
    pub kind: OfferKind,
    /// Account that made the offer.
    pub by: Account,
    /// Terms of the offered game.
    pub terms: Terms,
    /// Whether the reader made the offer.
    pub yours: bool,
    /// Whether somebody has accepted the offer.
    pub taken: bool,
    /// The game that came from the offer, if the offer was accepted and the reader is one of the
    /// two players.
    pub game: Option<GameId>,
}

/// One entry in a list of games.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct GameRow {
    /// Id of the game.
    pub id: GameId,
    /// Players.
    pub players: ByColor<Account>,
    /// Terms of the game.
    pub terms: Terms,
    /// Time at which the game was created.
    pub at: Millis,
    /// Status.
    pub status: GameStatus,
    /// Result of the game, if it is over.
    pub over: Option<Over>,
    /// Reader's seat, or [`Listener::Room`].
    pub seat: Listener,
}

/// The lobby, as one reader may see it.
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
    /// Accounts of the built-in bots, in the order in which they were added.
    pub programs: Vec<Account>,
}

/// Changes of the lobby that one reader sees.
///
/// An entry of these lists replaces the earlier entry with the same id.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct LobbyChanges {
    /// New seeks.
    pub seeks: Vec<OfferView>,
    /// New challenges.
    pub challenges: Vec<OfferView>,
    /// The reader's own games that are new or have another status.
    pub mine: Vec<GameRow>,
    /// Other games that are new in the list.
    pub running: Vec<GameRow>,
    /// Offers that are no longer open.
    pub gone_offers: Vec<OfferId>,
    /// Games that are no longer listed.
    pub gone_games: Vec<GameId>,
}

impl LobbyChanges {
    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        *self == LobbyChanges::default()
    }
}

/// Item for a reader of the lobby.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum LobbyItem {
    /// The whole lobby.
    Whole(Lobby),
    /// The changes since the previous item.
    Changes(LobbyChanges),
}

/// Parses the id of an offer, as it is in an address or a link: 1 to 64 ASCII letters and digits.
///
/// # Errors
/// [`RefusalCode::NotFound`](wire::RefusalCode::NotFound) if the text cannot be an id.
pub fn offer_id(text: &str) -> Result<OfferId, ClubError> {
    let fits = (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric());
    if fits {
        Ok(OfferId(text.to_owned()))
    } else {
        Err(no_offer())
    }
}
