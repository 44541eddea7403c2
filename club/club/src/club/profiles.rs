//! Profiles, leaderboards, and searches of finished games.

use std::collections::BTreeMap;

use rules::{Family, Winner, chess::Color, rulesets};
use store::{AccountId, AccountKind, AccountState, Against, GameSearch, ResultCount};
use wire::{GameStatus, RefusalCode};

use crate::{
    account::Account,
    error::{ClubError, StoreAnswer},
    inner::Club,
    lobby::GameRow,
    messages,
    profile::{GameTally, Leader, Profile, ProfileRating},
    ratings::{MAX_STORED_DEVIATION, PlayerRating},
    refusals::not_possible,
};

/// Name under which the text of a profile is stored among the settings of an account.
const PROFILE: &str = "profile";
/// Maximum number of changes of one rating in a profile.
const MAX_CHANGES: u32 = 100;
/// Maximum number of opponents in a profile.
const MAX_OPPONENTS: u32 = 20;
/// Maximum number of accounts in a leaderboard.
const MAX_LEADERS: u32 = 100;
/// Number of programs in a cross table.
const MAX_CROSSED: usize = 20;

fn tally(count: &ResultCount) -> GameTally {
    let color = Color::from_white(count.is_white);
    GameTally::of(color, count.winner, count.games)
}

fn nobody() -> ClubError {
    ClubError::new(
        RefusalCode::NotFound,
        "name-unknown",
        "nobody here has that name: check the spelling",
    )
}

impl Club {
    /// Returns the account with this name.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if nobody has that name.
    pub async fn named(&self, name: &str) -> Result<Account, ClubError> {
        Ok(Account::from(self.stored(name).await?))
    }

    async fn stored(&self, name: &str) -> Result<store::Account, ClubError> {
        if name.len() > 100 {
            return Err(nobody());
        }
        let found = self.0.store.account_named(name).await.found()?;
        let found = found.filter(|account| account.state != AccountState::Deleted);
        found.ok_or_else(nobody)
    }

    /// Returns those accounts that are people's, by name.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn people_of(&self, ids: Vec<AccountId>) -> Result<Vec<Account>, ClubError> {
        let mut people = Vec::new();
        for id in ids {
            people.push(self.0.account(id).await?);
        }
        people.retain(|account| account.kind == AccountKind::Person);
        people.sort_by(|one, two| one.name.cmp(&two.name));
        Ok(people)
    }

    /// Returns what everybody may know of an account. It depends on finished games only.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if nobody has that name.
    pub async fn profile(&self, name: &str) -> Result<Profile, ClubError> {
        let store = &self.0.store;
        let account = self.stored(name).await?;
        let mut ratings: Vec<ProfileRating> = Vec::new();
        for change in store.rating_changes(account.id, MAX_CHANGES).await? {
            let Some(family) = Family::from_name(&change.family) else {
                continue;
            };
            let (against, now) = (change.against, PlayerRating::from(&change));
            match ratings.last_mut() {
                Some(last) if (last.family, last.against) == (family, against) => {
                    last.now = now;
                    last.changes.push(now);
                }
                _ => ratings.push(ProfileRating {
                    family,
                    against,
                    now,
                    changes: vec![now],
                }),
            }
        }
        let mut record = BTreeMap::new();
        for count in store.results(account.id, &[]).await? {
            if count.winner != Winner::Unfinished {
                *record
                    .entry((count.rules.clone(), !count.is_white))
                    .or_insert(GameTally::default()) += tally(&count);
            }
        }
        let opponents = store.opponents(account.id, MAX_OPPONENTS).await?;
        let scores = self.scores(account.id, &opponents, |_| true).await?;
        let mut named = Vec::new();
        for id in opponents {
            let score = scores.get(&id).copied().unwrap_or_default();
            named.push((self.0.account(id).await?, score));
        }
        let color = |is_black: bool| Color::from_white(!is_black);
        Ok(Profile {
            at: account.at,
            about: store
                .settings(account.id, PROFILE)
                .await?
                .unwrap_or_default(),
            ratings,
            record: record
                .into_iter()
                .map(|((rules, is_black), score)| (rules, color(is_black), score))
                .collect(),
            opponents: named,
            account: Account::from(account),
        })
    }

    /// Sets what the owner of an account says in the profile: one line of at most 400 characters, or
    /// nothing.
    ///
    /// # Errors
    /// [`RefusalCode::NotPossible`] for a guest; [`RefusalCode::Invalid`] or
    /// [`RefusalCode::TooLarge`] if the text has a wrong form.
    pub async fn set_about(&self, account: &Account, text: &str) -> Result<(), ClubError> {
        if account.kind == AccountKind::Guest {
            return Err(not_possible(
                "about-guest",
                "a guest has no profile to write in: create an account",
            ));
        }
        let text = match text.trim() {
            "" => "",
            text => messages::checked(text)?,
        };
        Ok(self
            .0
            .store
            .keep_settings(account.id, PROFILE, text)
            .await?)
    }

    /// Returns the highest ratings that are not provisional: of people, or of programs. Programs
    /// against programs have the results among the first 20 of them.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn leaderboard(
        &self,
        family: Family,
        kind: Against,
        against: Against,
    ) -> Result<Vec<Leader>, ClubError> {
        let is_ladder = (kind, against) == (Against::Programs, Against::Programs);
        let kind = match kind {
            Against::People => AccountKind::Person,
            Against::Programs => AccountKind::Program,
        };
        let best = self.0.store.best(
            family.name(),
            against,
            kind,
            MAX_STORED_DEVIATION,
            MAX_LEADERS,
        );
        let mut leaders = Vec::new();
        for rating in best.await? {
            let account = self.0.account(rating.account).await?;
            leaders.push(Leader {
                account,
                rating: (&rating).into(),
                scores: Vec::new(),
            });
        }
        if is_ladder {
            self.add_scores(family, &mut leaders).await?;
        }
        Ok(leaders)
    }

    /// Adds the results of the first leaders against each other, in finished games of the family.
    async fn add_scores(&self, family: Family, leaders: &mut [Leader]) -> Result<(), ClubError> {
        let first = leaders.iter().take(MAX_CROSSED);
        let accounts: Vec<Account> = first.map(|leader| leader.account.clone()).collect();
        let among: Vec<AccountId> = accounts.iter().map(|account| account.id).collect();
        for leader in leaders.iter_mut().take(MAX_CROSSED) {
            let is_of_family = |rules: &str| {
                rulesets::by_id(rules).is_some_and(|ruleset| ruleset.choices.family() == family)
            };
            let scores = self.scores(leader.account.id, &among, is_of_family).await?;
            let others = accounts.iter().filter_map(|other| {
                let score = scores.get(&other.id).filter(|score| score.games() > 0)?;
                Some((other.clone(), *score))
            });
            leader.scores = others.collect();
        }
        Ok(())
    }

    /// Returns the results of an account against each of `among`, in games whose ruleset `counts`.
    async fn scores(
        &self,
        account: AccountId,
        among: &[AccountId],
        counts: impl Fn(&str) -> bool + Send,
    ) -> Result<BTreeMap<AccountId, GameTally>, ClubError> {
        let mut scores = BTreeMap::new();
        if !among.is_empty() {
            for count in self.0.store.results(account, among).await? {
                if let Some(opponent) = count.opponent.filter(|_| counts(&count.rules)) {
                    *scores.entry(opponent).or_insert(GameTally::default()) += tally(&count);
                }
            }
        }
        Ok(scores)
    }

    /// Returns finished games, newest first, as `reader` may see them. Returns at most `limit`
    /// games, and never more than 200. Games that have the same time as the last of these games are
    /// returned, too.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn games(
        &self,
        search: &GameSearch,
        reader: Option<AccountId>,
        limit: u32,
    ) -> Result<Vec<GameRow>, ClubError> {
        let club = &self.0;
        let mut rows = Vec::new();
        for record in club.store.finished(search, limit.min(200)).await? {
            rows.push(club.game_row(&record, GameStatus::Over, reader).await?);
        }
        Ok(rows)
    }
}
