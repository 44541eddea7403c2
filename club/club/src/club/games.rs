//! Creation of games, and the limits on their number.

use std::sync::Arc;

use rand::RngExt;
use rules::chess::ByColor;
use store::{AccountId, AccountKind, ColorWish, GameId, GameRecord, OfferId, Terms};
use tokio::sync::OwnedMutexGuard;
use wire::RefusalCode;

use crate::{
    error::ClubError,
    inner::Inner,
    refusals::{not_possible, too_many},
    sync::lock,
};

/// If there are more locks than this, the locks that nobody uses are removed.
const LOCK_CLEANUP_THRESHOLD: usize = 1000;

impl Inner {
    /// Checks that each of `players` may begin another game. A fifth of the club's room is kept for
    /// games without guests. If there are two `players`, they are
    /// the players of one game. Then the limit on games with built-in bots is checked too.
    pub(super) async fn check_games(&self, players: &[AccountId]) -> Result<(), ClubError> {
        let (in_all, running) = self.unfinished_games(players);
        for id in players {
            let settings = &self.settings;
            let all = settings.games_in_all;
            let (room, most) = match self.account(*id).await?.kind {
                AccountKind::Guest => (all / 5 * 4, settings.games_of_person),
                AccountKind::Person => (all, settings.games_of_person),
                AccountKind::Program => (all, settings.games_of_program),
            };
            if in_all >= room {
                return Err(too_many(
                    "club-full",
                    "the club has no room for another game: try again when a game has ended",
                ));
            }
            let plays = |record: &&GameRecord| record.seat(Some(*id)).color().is_some();
            if running.iter().filter(plays).count() >= most {
                return Err(not_possible(
                    "too-many-games",
                    "one of the players has too many games that are not over: end one first",
                ));
            }
        }
        self.check_games_with_bots(players, &running)
    }

    /// Returns the number of all unfinished games, and the unfinished games of `players`.
    fn unfinished_games(&self, players: &[AccountId]) -> (usize, Vec<GameRecord>) {
        let listed = lock(&self.listed);
        let own = players.iter().flat_map(|player| listed.games_of(*player));
        let mut own: Vec<GameRecord> = own.cloned().collect();
        own.sort_unstable_by_key(|record| record.id);
        own.dedup_by_key(|record| record.id);
        (listed.games(), own)
    }

    /// Returns the opponent of the built-in bot, if exactly one of the two players is a built-in
    /// bot.
    pub(crate) fn opponent_of_built_in_bot(
        &self,
        one: AccountId,
        two: AccountId,
    ) -> Option<AccountId> {
        match (self.is_built_in_bot(one), self.is_built_in_bot(two)) {
            (true, false) => Some(two),
            (false, true) => Some(one),
            (true, true) | (false, false) => None,
        }
    }

    fn is_built_in_bot(&self, id: AccountId) -> bool {
        lock(&self.programs).iter().any(|program| program.id == id)
    }

    /// Whether both players are built-in bots. Then everybody may see the umpire's board at once:
    /// nobody can tell a player of it. The owner of any other program could.
    pub(crate) fn is_exhibition(&self, record: &GameRecord) -> bool {
        let ByColor { white, black } = record.players;
        self.is_built_in_bot(white) && self.is_built_in_bot(black)
    }

    /// If one of the two players is a built-in bot, waits for the lock of the other player. The
    /// caller holds the lock while a game begins. So games that begin at the same time are counted
    /// one after the other, and the limit holds.
    pub(super) async fn lock_games_with_bots(
        &self,
        one: AccountId,
        two: AccountId,
    ) -> Option<OwnedMutexGuard<()>> {
        let person = self.opponent_of_built_in_bot(one, two)?;
        let person_lock = {
            let mut all = lock(&self.bot_game_locks);
            if all.len() > LOCK_CLEANUP_THRESHOLD {
                all.retain(|_, person_lock| Arc::strong_count(person_lock) > 1);
            }
            Arc::clone(all.entry(person).or_default())
        };
        Some(person_lock.lock_owned().await)
    }

    /// If one of `players` is a built-in bot, checks whether the other player may begin one more
    /// game with a built-in bot. `running` contains all unfinished games of both players, and may
    /// contain other games.
    fn check_games_with_bots(
        &self,
        players: &[AccountId],
        running: &[GameRecord],
    ) -> Result<(), ClubError> {
        let &[one, two] = players else { return Ok(()) };
        let Some(asks) = self.opponent_of_built_in_bot(one, two) else {
            return Ok(());
        };
        let bots: Vec<AccountId> = lock(&self.programs).iter().map(|p| p.id).collect();
        let with_a_bot = |record: &&GameRecord| match record.seat(Some(asks)).color() {
            Some(color) => bots.contains(&record.players[color.other()]),
            None => false,
        };
        if running.iter().filter(with_a_bot).count() >= self.settings.games_with_built_in_bots {
            return Err(not_possible(
                "too-many-program-games",
                "you have too many games with the club's programs that are not over: end one first",
            ));
        }
        Ok(())
    }

    /// Creates a game between two players and opens its table. `first` gets the colour that the
    /// terms name.
    pub(super) async fn make_game(
        self: &Arc<Self>,
        first: AccountId,
        other: AccountId,
        terms: Terms,
        offer: Option<OfferId>,
    ) -> Result<GameId, ClubError> {
        self.check_terms(&terms, [first, other]).await?;
        let _guard = self.lock_games_with_bots(first, other).await;
        self.check_games(&[first, other]).await?;
        let is_white = match terms.color {
            ColorWish::White => true,
            ColorWish::Black => false,
            ColorWish::Any => lock(&self.chance).random(),
        };
        let (white, black) = if is_white {
            (first, other)
        } else {
            (other, first)
        };
        let id = self.draw_game_id();
        let created = self
            .create_game(id, ByColor { white, black }, terms, offer.clone())
            .await;
        if let (Some(offer), Err(error)) = (&offer, &created)
            && error.code == RefusalCode::Taken
        {
            self.unlist_offer(offer);
        }
        created?;
        // The game is stored. If its table cannot be opened now, the table is opened when
        // somebody asks for it.
        let _later = self.table(id).await;
        // The offer is removed only now, when the lobby already lists the game. If it were removed
        // earlier, readers would believe that the offer was withdrawn.
        if let Some(offer) = offer {
            self.unlist_offer(&offer);
        }
        Ok(id)
    }
}
