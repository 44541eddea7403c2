//! Ratings: which games count, and who may play a rated game.

use referee::Event;
use rules::{
    Family,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    AccountId, AccountKind, Act, Against, GameRecord, Row, StoreError, StoredRating, Terms,
};
use wire::RefusalCode;

use crate::{
    account::Account,
    error::ClubError,
    inner::{Club, Inner},
    ratings::{self, MIN_MOVES, Series},
    refusals::not_possible,
    time::Speed,
};

impl Club {
    /// Fixes the ratings of a built-in bot, so that rated games with it are possible. They count
    /// for its opponents only.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn fix_rating(
        &self,
        bot: &Account,
        points: f64,
        deviation: f64,
    ) -> Result<(), ClubError> {
        let store = &self.0.store;
        let found = store.ratings(bot.id).await?;
        let mut changed = Vec::new();
        for family in Family::ALL {
            let series = series(&found, bot.id, family, Against::People);
            let next = series.next(ratings::fixed(points, deviation), self.0.time.now(), None);
            let is_same = |last: &StoredRating| {
                (last.rating, last.deviation) == (next.rating, next.deviation)
            };
            if !series.last.as_ref().is_some_and(is_same) {
                changed.push(next);
            }
        }
        if !changed.is_empty() {
            store.rate(None, &changed).await?;
        }
        Ok(())
    }
}

fn is_built_in(account: &store::Account) -> bool {
    account.kind == AccountKind::Program && account.password.is_none()
}

/// Finds one rating of an account among its present ratings.
fn series(found: &[StoredRating], account: AccountId, family: Family, against: Against) -> Series {
    let is_same =
        |rating: &&StoredRating| rating.family == family.name() && rating.against == against;
    Series {
        account,
        family,
        against,
        last: found.iter().find(is_same).cloned(),
    }
}

/// Returns the family of a game; `None` for custom rules.
fn family(terms: &Terms) -> Option<Family> {
    let ruleset = rulesets::by_id(&terms.rules).filter(|_| terms.custom.is_none());
    ruleset.map(|ruleset| ruleset.choices.family())
}

/// Whether both sides have made enough moves.
fn is_long_enough(rows: &[Row]) -> bool {
    let moves = |color: Color| {
        let moved =
            |row: &&Row| matches!(&row.act, Act::Game(Event::Moved { by, .. }) if *by == color);
        rows.iter().filter(moved).count()
    };
    moves(Color::White) >= MIN_MOVES && moves(Color::Black) >= MIN_MOVES
}

impl Inner {
    /// Checks that these players may play with these terms: a rated game and a game with days for
    /// each move need accounts, and a rated game needs a built-in ruleset and a rating.
    pub(super) async fn check_terms(
        &self,
        terms: &Terms,
        players: impl IntoIterator<Item = AccountId>,
    ) -> Result<(), ClubError> {
        let takes_days = Speed::of(terms.time) == Speed::Correspondence;
        if !terms.rated && !takes_days {
            return Ok(());
        }
        if terms.rated && terms.custom.is_some() {
            return Err(ClubError::new(
                RefusalCode::Invalid,
                "rated-custom",
                "a rated game needs a built-in ruleset: choose one, or play a casual game",
            ));
        }
        for id in players {
            let account = self.store.account(id).await?;
            if account.kind == AccountKind::Guest {
                return Err(if takes_days {
                    not_possible(
                        "days-guest",
                        "a guest is forgotten after some time: both players of a game with days for \
                         each move need an account",
                    )
                } else {
                    not_possible(
                        "rated-guest",
                        "guests play casual games only: both players of a rated game need an account",
                    )
                });
            }
            if terms.rated && is_built_in(&account) && self.store.ratings(id).await?.is_empty() {
                return Err(not_possible(
                    "rated-program",
                    "this program has no rating: play a level, or a casual game",
                ));
            }
        }
        Ok(())
    }

    /// Changes the ratings of the players of each rated game that has ended and is not counted yet.
    pub(super) async fn rate_finished(&self) -> Result<(), StoreError> {
        for record in self.store.uncounted().await? {
            match self.rate_game(&record).await {
                // The operator has corrected a rating meanwhile: the game is counted later.
                Ok(()) | Err(StoreError::Taken) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    async fn rate_game(&self, record: &GameRecord) -> Result<(), StoreError> {
        let changes = match self.store.rows(record.id, 0).await {
            Ok(rows) => self.rating_changes(record, &rows).await?,
            // Nobody can say how the game was played.
            Err(StoreError::Damaged(_)) => Vec::new(),
            Err(error) => return Err(error),
        };
        self.store.rate(Some(record.id), &changes).await
    }

    /// Returns the ratings after a game; none if the game does not count.
    async fn rating_changes(
        &self,
        record: &GameRecord,
        rows: &[Row],
    ) -> Result<Vec<StoredRating>, StoreError> {
        let of_game = |row: &&Row| matches!(row.act, Act::Game(_));
        let (Some(family), Some(over), Some(last)) = (
            family(&record.terms),
            record.over,
            rows.iter().rfind(of_game),
        ) else {
            return Ok(Vec::new());
        };
        if !is_long_enough(rows) {
            return Ok(Vec::new());
        }
        let accounts = ByColor {
            white: self.store.account(record.players.white).await?,
            black: self.store.account(record.players.black).await?,
        };
        let before = ByColor {
            white: self.series_of(&accounts, Color::White, family).await?,
            black: self.series_of(&accounts, Color::Black, family).await?,
        };
        let Some(after) = ratings::after(&before, over.winner, last.at) else {
            return Ok(Vec::new());
        };
        let changing = Color::ALL
            .into_iter()
            .filter(|color| !is_built_in(accounts.get(*color)));
        let next = |color| {
            let after = *after.get(color);
            before.get(color).next(after, last.at, Some(record.id))
        };
        Ok(changing.map(next).collect())
    }

    /// Returns the rating that counts for one player of a game.
    async fn series_of(
        &self,
        accounts: &ByColor<store::Account>,
        color: Color,
        family: Family,
    ) -> Result<Series, StoreError> {
        let own = accounts.get(color);
        let against = match is_built_in(own) {
            true => Against::People,
            false => ratings::as_opponent(accounts.get(color.other()).kind),
        };
        let found = self.store.ratings(own.id).await?;
        Ok(series(&found, own.id, family, against))
    }
}
