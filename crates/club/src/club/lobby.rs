//! Seeks, challenges, invitations, and the games that come of them.

use rules::Listener;
use store::{
    AccountId, AccountKind, GameId, GameRecord, Millis, Offer, OfferId, StoreError, Terms,
};
use tokio::sync::watch;

use crate::{
    error::{ClubError, Code, StoreAnswer},
    facts::Status,
    inner::{Club, Inner},
    lobby::{GameRow, Lobby, OfferKind, OfferView},
    refusals::{gone, no_offer, too_many},
    sync::lock,
    terms,
    time::age,
    token::Token,
};

/// Lifetime of a seek that nobody accepts: its maker has gone by then.
const SEEK_STANDS: Millis = 30 * 60 * 1000;
/// A challenge or an invitation waits for somebody, as long as a session does.
const OFFER_STANDS: Millis = 30 * 24 * 3600 * 1000;
/// Digits of an offer's id: 128 bits of chance, for an invitation is a secret.
const OFFER_DIGITS: usize = 32;

fn expired(offer: &Offer) -> ClubError {
    let why = match offer.kind {
        store::OfferKind::Seek => {
            "this seek stood for 30 minutes and nobody accepted it: make one of your own"
        }
        store::OfferKind::Challenge { .. } => {
            "this challenge stood for 30 days and was not accepted: make another"
        }
        store::OfferKind::Invitation => {
            "this invitation stood for 30 days and nobody came: ask for another"
        }
    };
    ClubError::new(Code::NotFound, why)
}

/// Whether an offer that nobody accepted has stood for too long.
pub(super) fn has_expired(offer: &Offer, now: Millis) -> bool {
    let stands = match offer.kind {
        store::OfferKind::Seek => SEEK_STANDS,
        store::OfferKind::Challenge { .. } | store::OfferKind::Invitation => OFFER_STANDS,
    };
    offer.game.is_none() && age(offer.at, now) >= stands
}

impl Club {
    /// Changes whenever some lobby may have changed in public: offers, games
    /// that begin, end, are adjourned or go on. No try moves it.
    pub fn lobby(&self) -> watch::Receiver<u64> {
        self.0.lobby.subscribe()
    }

    /// The lobby as a reader sees it.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn lobby_for(&self, reader: Option<AccountId>) -> Result<Lobby, ClubError> {
        let club = &self.0;
        let mut lobby = Lobby {
            programs: lock(&club.programs).clone(),
            ..Lobby::default()
        };
        for offer in club.open_offers(club.time.now()).await? {
            let (mine, list) = match offer.kind {
                store::OfferKind::Seek => (true, &mut lobby.seeks),
                store::OfferKind::Challenge { to } => {
                    let mine = reader == Some(to) || reader == Some(offer.by);
                    (mine, &mut lobby.challenges)
                }
                store::OfferKind::Invitation => (false, &mut lobby.seeks),
            };
            if mine {
                list.push(club.offer_view(&offer, reader).await?);
            }
        }
        for record in club.store.running().await? {
            // One of another club that cannot be read here is left out.
            let Ok(table) = club.table(record.id).await else {
                continue;
            };
            let status = table.published(Listener::Room).borrow().standing.status;
            let row = club.game_row(&record, status, reader).await?;
            match (row.seat, status) {
                (_, Status::Over) => {}
                (Listener::White | Listener::Black, _) => lobby.mine.push(row),
                (Listener::Room, Status::Running) => {
                    if lobby.running.len() < club.settings.lobby_games {
                        lobby.running.push(row);
                    }
                }
                (Listener::Room, Status::Adjourned) => {}
            }
        }
        Ok(lobby)
    }

    /// Offers a game to anybody.
    ///
    /// # Errors
    /// For terms that cannot be, and beyond the number of open seeks.
    pub async fn seek(&self, by: AccountId, terms: Terms) -> Result<OfferView, ClubError> {
        self.offer_game(by, terms, store::OfferKind::Seek).await
    }

    /// Offers a game to one account, by name.
    ///
    /// # Errors
    /// [`Code::NotFound`] if nobody has that name.
    pub async fn challenge(
        &self,
        by: AccountId,
        to: &str,
        terms: Terms,
    ) -> Result<OfferView, ClubError> {
        let nobody = || {
            ClubError::new(
                Code::NotFound,
                "nobody here has that name: look at its spelling",
            )
        };
        if to.len() > 100 {
            return Err(nobody());
        }
        let to = self.0.store.account_named(to).await.found()?;
        let to = to.ok_or_else(nobody)?;
        if to.id == by {
            return Err(own_offer());
        }
        check_rated(&terms, to.kind)?;
        self.offer_game(by, terms, store::OfferKind::Challenge { to: to.id })
            .await
    }

    /// Offers a game to anybody who has the link.
    ///
    /// # Errors
    /// For terms that cannot be, and beyond the number of open invitations.
    pub async fn invite(&self, by: AccountId, terms: Terms) -> Result<OfferView, ClubError> {
        self.offer_game(by, terms, store::OfferKind::Invitation)
            .await
    }

    async fn offer_game(
        &self,
        by: AccountId,
        terms: Terms,
        kind: store::OfferKind,
    ) -> Result<OfferView, ClubError> {
        let club = &self.0;
        let terms = terms::checked(terms)?;
        check_rated(&terms, club.account(by).await?.kind)?;
        let open = club.open_offers(club.time.now()).await?;
        club.check_offers(&open, &kind)?;
        let alike = |a: &store::OfferKind, b: &store::OfferKind| {
            std::mem::discriminant(a) == std::mem::discriminant(b)
        };
        let mine = open.iter().filter(|o| o.by == by && alike(&o.kind, &kind));
        if mine.count() >= club.settings.open_offers {
            return Err(too_many(
                "you have too many open offers of this kind: withdraw one",
            ));
        }
        club.check_games(&[by]).await?;
        club.sweep_offers(club.time.now()).await;
        let offer = Offer {
            id: OfferId(Token::draw().secret().chars().take(OFFER_DIGITS).collect()),
            kind,
            by,
            terms,
            at: club.time.now(),
            game: None,
        };
        club.store.create_offer(&offer).await?;
        // An invitation stands in no lobby.
        if offer.kind != store::OfferKind::Invitation {
            club.stir_lobby();
        }
        club.offer_view(&offer, Some(by)).await
    }

    /// Begins a game of two who have agreed already; the first has the colour that
    /// the terms name.
    ///
    /// # Errors
    /// For terms that cannot be, and beyond the number of games.
    pub async fn pair(
        &self,
        first: AccountId,
        other: AccountId,
        terms: Terms,
    ) -> Result<GameId, ClubError> {
        let terms = terms::checked(terms)?;
        self.0.make_game(first, other, terms, None).await
    }

    /// Accepts an offer: the game begins.
    ///
    /// # Errors
    /// [`Code::Forbidden`] for one's own offer and for somebody else's
    /// challenge, [`Code::Taken`] if somebody was quicker.
    pub async fn accept(&self, offer: &OfferId, by: AccountId) -> Result<GameId, ClubError> {
        let club = &self.0;
        let offer = club.offer(offer).await?;
        if offer.by == by {
            return Err(own_offer());
        }
        if let store::OfferKind::Challenge { to } = offer.kind
            && to != by
        {
            return Err(no_offer());
        }
        if offer.game.is_some() {
            return Err(gone());
        }
        if has_expired(&offer, club.time.now()) {
            return Err(expired(&offer));
        }
        check_rated(&offer.terms, club.account(by).await?.kind)?;
        club.make_game(offer.by, by, offer.terms, Some(offer.id))
            .await
    }

    /// Withdraws one's own offer, or declines a challenge.
    ///
    /// # Errors
    /// [`Code::Forbidden`] for what is neither, [`Code::Taken`] once accepted.
    pub async fn decline(&self, offer: &OfferId, by: AccountId) -> Result<(), ClubError> {
        let club = &self.0;
        let offer = club.offer(offer).await?;
        let may_close = match offer.kind {
            store::OfferKind::Challenge { to } if to != by && offer.by != by => {
                return Err(no_offer());
            }
            store::OfferKind::Challenge { .. } => true,
            store::OfferKind::Seek | store::OfferKind::Invitation => offer.by == by,
        };
        if !may_close {
            return Err(ClubError::new(
                Code::Forbidden,
                "this offer is somebody else's: only its maker can withdraw it",
            ));
        }
        let closed = club.store.close_offer(&offer.id).await;
        if closed == Err(StoreError::Taken) {
            return Err(gone());
        }
        closed.found()?.ok_or_else(no_offer)?;
        club.stir_lobby();
        Ok(())
    }

    /// Returns an offer as a reader sees it: a seek or an invitation for anybody who has
    /// its id, a challenge for the two players.
    ///
    /// # Errors
    /// [`Code::NotFound`].
    pub async fn offer(
        &self,
        id: &OfferId,
        reader: Option<AccountId>,
    ) -> Result<OfferView, ClubError> {
        let club = &self.0;
        let offer = club.offer(id).await?;
        if let store::OfferKind::Challenge { to } = offer.kind
            && reader != Some(to)
            && reader != Some(offer.by)
        {
            return Err(no_offer());
        }
        if has_expired(&offer, club.time.now()) {
            return Err(expired(&offer));
        }
        club.offer_view(&offer, reader).await
    }
}

fn own_offer() -> ClubError {
    ClubError::new(
        Code::Forbidden,
        "you cannot play against yourself: let somebody else accept it",
    )
}

/// Checks that no guest plays a rated game.
fn check_rated(terms: &Terms, kind: AccountKind) -> Result<(), ClubError> {
    if terms.rated && kind == AccountKind::Guest {
        return Err(ClubError::new(
            Code::Forbidden,
            "guests play casual games only: make an account for a rated one, or switch rated off",
        ));
    }
    Ok(())
}

impl Inner {
    async fn offer(&self, id: &OfferId) -> Result<Offer, ClubError> {
        self.store.offer(id).await.found()?.ok_or_else(no_offer)
    }

    /// Checks whether one more offer of that kind may stand. A challenge to a built-in bot
    /// is answered at once, and does not count.
    fn check_offers(&self, open: &[Offer], kind: &store::OfferKind) -> Result<(), ClubError> {
        let is_seek = |kind: &store::OfferKind| *kind == store::OfferKind::Seek;
        if let store::OfferKind::Challenge { to } = *kind
            && lock(&self.programs).iter().any(|program| program.id == to)
        {
            return Ok(());
        }
        let stand = open
            .iter()
            .filter(|offer| is_seek(&offer.kind) == is_seek(kind));
        let (most, why) = if is_seek(kind) {
            (
                self.settings.seeks_in_all,
                "too many games are sought: accept one of them",
            )
        } else {
            (
                self.settings.private_offers_in_all,
                "too many challenges and invitations stand: seek a game, or accept one that is sought",
            )
        };
        if stand.count() >= most {
            return Err(too_many(why));
        }
        Ok(())
    }

    /// Returns the offers that are open at a moment.
    async fn open_offers(&self, now: Millis) -> Result<Vec<Offer>, StoreError> {
        let mut offers = self.store.offers().await?;
        offers.retain(|offer| !has_expired(offer, now));
        Ok(offers)
    }

    /// Takes expired offers out of the store. Whatever stays is not shown all the same.
    async fn sweep_offers(&self, now: Millis) {
        for offer in self.store.offers().await.unwrap_or_default() {
            if has_expired(&offer, now) {
                // Another club may have done it.
                let _gone = self.store.close_offer(&offer.id).await;
            }
        }
    }

    async fn offer_view(
        &self,
        offer: &Offer,
        reader: Option<AccountId>,
    ) -> Result<OfferView, ClubError> {
        let kind = match offer.kind {
            store::OfferKind::Seek => OfferKind::Seek,
            store::OfferKind::Challenge { to } => OfferKind::Challenge {
                to: self.account(to).await?,
            },
            store::OfferKind::Invitation => OfferKind::Invitation,
        };
        let game = match offer.game {
            Some(game) => {
                let seat = self.record(game).await?.seat(reader);
                seat.color().map(|_| game)
            }
            None => None,
        };
        Ok(OfferView {
            id: offer.id.clone(),
            kind,
            by: self.account(offer.by).await?,
            terms: offer.terms.clone(),
            yours: reader == Some(offer.by),
            taken: offer.game.is_some(),
            game,
        })
    }

    pub(super) async fn game_row(
        &self,
        record: &GameRecord,
        status: Status,
        reader: Option<AccountId>,
    ) -> Result<GameRow, ClubError> {
        Ok(GameRow {
            id: record.id,
            players: self.players(record).await?,
            terms: record.terms.clone(),
            at: record.at,
            status,
            over: record.over,
            seat: record.seat(reader),
        })
    }

    /// Returns the ids of all offers and games in the lobby, for comparison.
    pub(super) async fn lobby_print(&self) -> Option<(Vec<OfferId>, Vec<GameId>)> {
        let offers = self.open_offers(self.time.now()).await.ok()?;
        let running = self.store.running().await.ok()?;
        Some((
            offers.into_iter().map(|offer| offer.id).collect(),
            running.into_iter().map(|record| record.id).collect(),
        ))
    }
}
