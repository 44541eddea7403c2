//! Seeks, challenges, invitations, and the games that come from them.

use std::collections::HashSet;

use store::{
    AccountId, AccountState, GameId, GameRecord, Millis, Offer, OfferId, StoreError, Terms,
};
use tokio::sync::watch;
use wire::{GameStatus, RefusalCode};

use crate::{
    error::{ClubError, StoreAnswer},
    inner::{Club, Inner},
    lobby::{GameRow, Lobby, OfferKind, OfferView},
    lobby_listening::LobbyListening,
    notices::AwayKind,
    refusals::{gone, no_offer, not_possible, too_many},
    sync::lock,
    terms,
    time::age,
    token::Token,
};

/// Time in milliseconds after which a seek expires if nobody has accepted it. After this time the
/// maker of the seek has probably left.
const SEEK_LIFETIME: Millis = 30 * 60 * 1000;
/// A challenge or an invitation expires after this time in milliseconds if nobody has accepted it.
/// A session has the same duration.
const OFFER_LIFETIME: Millis = 30 * 24 * 3600 * 1000;
/// Number of hexadecimal digits in the id of an offer. The digits are 128 random bits, because the
/// id of an invitation is a secret that nobody must guess.
const OFFER_DIGITS: usize = 32;

fn expired(offer: &Offer) -> ClubError {
    let why = match offer.kind {
        store::OfferKind::Seek => {
            "this seek was open for 30 minutes and has expired: make your own seek"
        }
        store::OfferKind::Challenge { .. } => {
            "this challenge was open for 30 days and has expired: make a new one"
        }
        store::OfferKind::Invitation => {
            "this invitation was open for 30 days and has expired: ask for a new one"
        }
    };
    ClubError::new(RefusalCode::NotFound, "offer-expired", why)
}

/// Whether an offer has expired without being accepted.
pub(super) fn has_expired(offer: &Offer, now: Millis) -> bool {
    let stands = match offer.kind {
        store::OfferKind::Seek => SEEK_LIFETIME,
        store::OfferKind::Challenge { .. } | store::OfferKind::Invitation => OFFER_LIFETIME,
    };
    offer.game.is_none() && age(offer.at, now) >= stands
}

impl Club {
    /// Subscribes to a counter that increases when the lobby may have changed. The lobby changes if
    /// an offer is made or closed, if a game begins, ends, is adjourned or is resumed, if nobody
    /// plays a game for some time or its players come back, and if an account gets another name.
    /// Private tries never change the counter.
    pub fn lobby(&self) -> watch::Receiver<u64> {
        self.0.lobby.subscribe()
    }

    /// Returns the lobby as a reader may see it.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn lobby_for(&self, reader: Option<AccountId>) -> Result<Lobby, ClubError> {
        let club = &self.0;
        club.expire_offers();
        let programs = lock(&club.programs).clone();
        let most = club.settings.lobby_games;
        let (lobby, _) = lock(&club.listed).lobby(reader, programs, most);
        Ok(lobby)
    }

    /// Subscribes a reader to the lobby. The first item is the whole lobby; the later items are its
    /// changes.
    pub fn listen_to_lobby(&self, reader: Option<AccountId>) -> LobbyListening {
        LobbyListening::new(self.clone(), reader)
    }

    /// Returns the ids of the account's games that are not over, and the ids of the challenges to
    /// the account, oldest first.
    pub fn waiting_for(&self, account: AccountId) -> (Vec<GameId>, Vec<OfferId>) {
        self.0.expire_offers();
        let listed = lock(&self.0.listed);
        let games = listed.games_of(account).map(|record| record.id);
        (games.collect(), listed.challenges_to(account))
    }

    /// Offers a game to anybody.
    ///
    /// # Errors
    /// If the terms are invalid, or if there are too many open seeks or too many games.
    pub async fn seek(&self, by: AccountId, terms: Terms) -> Result<OfferView, ClubError> {
        self.offer_game(by, terms, store::OfferKind::Seek).await
    }

    /// Offers a game to one account, by name.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if nobody has that name; [`RefusalCode::Forbidden`] for a challenge to
    /// oneself; [`RefusalCode::NotPossible`] if one of the two mutes the other;
    /// otherwise as for [`invite`](Club::invite).
    pub async fn challenge(
        &self,
        by: AccountId,
        to: &str,
        terms: Terms,
    ) -> Result<OfferView, ClubError> {
        let to = self.named(to).await?;
        if to.id == by {
            return Err(own_challenge());
        }
        self.0.expect_not_muted(by, &to).await?;
        let kind = store::OfferKind::Challenge { to: to.id };
        let made = self.offer_game(by, terms, kind).await?;
        self.0.notify(&to, AwayKind::Challenge, None);
        Ok(made)
    }

    /// Offers a game to anybody who has the link.
    ///
    /// # Errors
    /// If the terms are invalid, or if there are too many open challenges and invitations or too
    /// many games.
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
        let to = match kind {
            store::OfferKind::Challenge { to } => Some(to),
            store::OfferKind::Seek | store::OfferKind::Invitation => None,
        };
        club.check_terms(&terms, [by].into_iter().chain(to)).await?;
        let open = club.open_offers(club.time.now()).await?;
        club.check_offers(&open, &kind)?;
        let alike = |a: &store::OfferKind, b: &store::OfferKind| {
            std::mem::discriminant(a) == std::mem::discriminant(b)
        };
        let mine = open.iter().filter(|o| o.by == by && alike(&o.kind, &kind));
        if mine.count() >= club.settings.open_offers {
            return Err(not_possible(
                "too-many-offers",
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
        let created = club.store.create_offer(&offer).await.found()?;
        created.ok_or_else(closed_account)?;
        club.list_offer(&offer).await?;
        // An account may have been closed after the check and before the offer was listed. Then the
        // offer is still in the lobby and must be removed here.
        if club.store.offer(&offer.id).await.found()?.is_none() {
            club.unlist_offer(&offer.id);
            // If no account is closed, the offer was accepted or declined: a bot may answer as soon
            // as the offer is stored. An answered offer is no error.
            if club.is_for_closed_account(&offer).await? {
                return Err(closed_account());
            }
        }
        club.offer_view(&offer, Some(by)).await
    }

    /// Begins a game between two players who have agreed already. `first` gets the colour that the
    /// terms name.
    ///
    /// # Errors
    /// If the terms are invalid, or if there are too many games.
    pub async fn pair(
        &self,
        first: AccountId,
        other: AccountId,
        terms: Terms,
    ) -> Result<GameId, ClubError> {
        let terms = terms::checked(terms)?;
        self.0.make_game(first, other, terms, None).await
    }

    /// Accepts an offer, and begins the game.
    ///
    /// # Errors
    /// [`RefusalCode::NotPossible`] if the game is rated and the account is a guest's;
    /// [`RefusalCode::Forbidden`] for an own offer; [`RefusalCode::NotFound`] for a challenge to somebody else,
    /// and for an offer that has expired; [`RefusalCode::Taken`] if somebody else has already accepted the
    /// offer.
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
        if offer.kind == store::OfferKind::Seek {
            let maker = club.account(offer.by).await?;
            club.expect_not_muted(by, &maker).await?;
        }
        club.make_game(offer.by, by, offer.terms, Some(offer.id))
            .await
    }

    /// Withdraws an own offer, or declines a challenge.
    ///
    /// # Errors
    /// [`RefusalCode::Forbidden`] for a seek or an invitation of somebody else; [`RefusalCode::NotFound`] for a
    /// challenge between two others; [`RefusalCode::Taken`] if the offer was accepted.
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
                RefusalCode::Forbidden,
                "offer-of-other",
                "this offer is somebody else's: only its maker can withdraw it",
            ));
        }
        let closed = club.store.close_offer(&offer.id).await;
        if matches!(closed, Ok(()) | Err(StoreError::Taken | StoreError::Absent)) {
            club.unlist_offer(&offer.id);
        }
        if closed == Err(StoreError::Taken) {
            return Err(gone());
        }
        closed.found()?.ok_or_else(no_offer)?;
        Ok(())
    }

    /// Returns an offer as a reader sees it. Anybody who has the id can see a seek or an
    /// invitation; only the two players can see a challenge.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such offer, if it has expired, or if the reader may not
    /// see it.
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

fn closed_account() -> ClubError {
    ClubError::new(
        RefusalCode::NotPossible,
        "account-closed",
        "this offer cannot be made: the account of one of the players is closed",
    )
}

fn own_challenge() -> ClubError {
    ClubError::new(
        RefusalCode::Forbidden,
        "challenge-to-self",
        "you cannot challenge yourself: name another player",
    )
}

fn own_offer() -> ClubError {
    ClubError::new(
        RefusalCode::Forbidden,
        "offer-own",
        "this offer is your own: another player must accept it",
    )
}

impl Inner {
    async fn offer(&self, id: &OfferId) -> Result<Offer, ClubError> {
        self.store.offer(id).await.found()?.ok_or_else(no_offer)
    }

    /// Whether an account of the offer is closed: the account that made the offer, or the account
    /// that is challenged.
    async fn is_for_closed_account(&self, offer: &Offer) -> Result<bool, ClubError> {
        let to = match offer.kind {
            store::OfferKind::Challenge { to } => Some(to),
            store::OfferKind::Seek | store::OfferKind::Invitation => None,
        };
        for id in [Some(offer.by), to].into_iter().flatten() {
            let account = self.store.account(id).await.found()?;
            if account.is_none_or(|account| account.state != AccountState::Active) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Checks whether the lobby may hold one more offer of this kind. A challenge to a built-in bot
    /// is always allowed, because the bot answers it immediately.
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
        let (most, reason, why) = if is_seek(kind) {
            (
                self.settings.seeks_in_all,
                "lobby-full",
                "there are too many open seeks: accept one of them",
            )
        } else {
            (
                self.settings.private_offers_in_all,
                "challenges-full",
                "there are too many open challenges and invitations: make or accept a seek",
            )
        };
        if stand.count() >= most {
            return Err(too_many(reason, why));
        }
        Ok(())
    }

    /// Returns the offers that have not expired at `now`.
    async fn open_offers(&self, now: Millis) -> Result<Vec<Offer>, StoreError> {
        let mut offers = self.store.offers().await?;
        offers.retain(|offer| !has_expired(offer, now));
        Ok(offers)
    }

    /// Deletes expired offers from the store. If the store fails, the expired offers stay in the
    /// store, but they are not shown.
    async fn sweep_offers(&self, now: Millis) {
        for offer in self.store.offers().await.unwrap_or_default() {
            if has_expired(&offer, now) {
                // Another club may have deleted the offer already.
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
        status: GameStatus,
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

    /// Removes expired offers from the lobby.
    pub(super) fn expire_offers(&self) {
        let now = self.time.now();
        if lock(&self.listed).retain_offers(|offer| !has_expired(offer, now)) {
            self.notify_lobby();
        }
    }

    /// Updates the lobby so that it lists the open offers of the store and no other offers.
    pub(super) async fn read_offers(&self) -> Result<(), StoreError> {
        let changes = lock(&self.listed).offer_changes();
        let offers = self.open_offers(self.time.now()).await?;
        let fresh = |offer: &&Offer| !lock(&self.listed).has_offer(&offer.id);
        let fresh: Vec<Offer> = offers.iter().filter(fresh).cloned().collect();
        let stand: HashSet<OfferId> = offers.into_iter().map(|offer| offer.id).collect();
        // If this club made or closed an offer while the store was read, `offers` may not contain
        // that change. In this case, the offers are read again later.
        if lock(&self.listed).offer_changes() != changes {
            return Ok(());
        }
        if lock(&self.listed).retain_offers(|offer| stand.contains(&offer.id)) {
            self.notify_lobby();
        }
        for offer in fresh {
            // If the accounts of the offer cannot be read now, the offer is listed when the offers
            // are read again.
            let _later = self.list_offer(&offer).await;
        }
        Ok(())
    }
}
