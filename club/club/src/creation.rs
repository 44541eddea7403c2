//! Creation of games in the store.

use std::sync::Arc;

use referee::Event;
use rules::chess::ByColor;
use store::{
    AccountId, Act, ColorWish, GameId, GameRecord, NewGame, NewRow, OfferId, StoreError, Terms,
};
use wire::RefusalCode;

use crate::{
    error::{ClubError, StoreAnswer},
    inner::Inner,
    refusals::gone,
    terms,
};

impl Inner {
    /// Creates a game in the store. Does not open its table.
    pub(crate) async fn create_game(
        &self,
        id: GameId,
        players: ByColor<AccountId>,
        terms: Terms,
        offer: Option<OfferId>,
    ) -> Result<(), ClubError> {
        let ruleset = terms::ruleset(&terms)?;
        let opened = terms::opened(&ruleset).map_err(|error| {
            ClubError::new(RefusalCode::Invalid, "start-unfit", error.to_string())
        })?;
        let at = self.time.now();
        let game = NewGame {
            id,
            players,
            terms,
            at,
            rows: vec![NewRow {
                at,
                act: Act::Game(Event::Opened(Box::new(opened))),
                request: None,
            }],
            offer,
        };
        let created = self.store.create_game(self.fence, &game).await;
        if created == Err(StoreError::Absent) {
            return Err(ClubError::new(
                RefusalCode::NotPossible,
                "account-closed",
                "no game can begin: the account of one of the players is closed",
            ));
        }
        created.or_taken(gone)
    }

    /// Creates the game of an agreed rematch, with the colours exchanged. The terms are the
    /// same, except that nobody has asked for a colour. Does nothing if the game exists already.
    pub(crate) async fn create_rematch(
        self: &Arc<Self>,
        old: &GameRecord,
        next: GameId,
    ) -> Result<(), ClubError> {
        if self.store.game(next).await.found()?.is_some() {
            return Ok(());
        }
        let players = ByColor {
            white: old.players.black,
            black: old.players.white,
        };
        let terms = Terms {
            color: ColorWish::Any,
            ..old.terms.clone()
        };
        self.create_game(next, players, terms, None).await?;
        // If the table cannot be opened now, it is opened when somebody asks for it.
        let _later = self.table(next).await;
        Ok(())
    }
}
