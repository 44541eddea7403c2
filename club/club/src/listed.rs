//! The entries of the lobby, kept in memory: offers, and games that are not over. The last changes
//! are kept too. So a reader gets only the changes, and the club does not examine unchanged entries
//! for each reader.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    ops::Bound,
};

use rules::{Listener, chess::ByColor};
use store::{AccountId, GameId, GameRecord, Millis, Offer, OfferId};
use wire::GameStatus;

use crate::{
    account::Account,
    lobby::{GameRow, Lobby, LobbyChanges, OfferKind, OfferView},
};

/// Number of changes that are kept. A reader who has missed more changes gets the whole lobby.
const MAX_CHANGES: usize = 1024;

/// Sort key of an offer in the lobby: oldest first.
pub(crate) type OfferKey = (Millis, OfferId);

/// Sort key of a game in the lobby: oldest first.
pub(crate) type GameKey = (Millis, GameId);

/// A seek or a challenge.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct ListedOffer {
    pub(crate) offer: Offer,
    pub(crate) by: Account,
    /// The player who is challenged.
    pub(crate) to: Option<Account>,
}

impl ListedOffer {
    /// Returns the offer as a reader sees it, or `None` if this reader may not see the offer.
    fn view(&self, reader: Option<AccountId>) -> Option<OfferView> {
        let yours = reader == Some(self.offer.by);
        let kind = match &self.to {
            None => OfferKind::Seek,
            Some(to) if yours || reader == Some(to.id) => OfferKind::Challenge { to: to.clone() },
            Some(_) => return None,
        };
        Some(OfferView {
            id: self.offer.id.clone(),
            kind,
            by: self.by.clone(),
            terms: self.offer.terms.clone(),
            yours,
            taken: false,
            game: None,
        })
    }
}

/// A game that is not over.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct ListedGame {
    pub(crate) record: GameRecord,
    pub(crate) players: ByColor<Account>,
    pub(crate) status: GameStatus,
    /// Whether the game is being played. If not, only its players see the game in the lobby.
    pub(crate) played: bool,
}

impl ListedGame {
    fn row(&self, seat: Listener) -> GameRow {
        GameRow {
            id: self.record.id,
            players: self.players.clone(),
            terms: self.record.terms.clone(),
            at: self.record.at,
            status: self.status,
            over: self.record.over,
            seat,
        }
    }

    /// Returns whether this reader sees the game in the list of other people's games.
    fn is_shown_to(&self, reader: Option<AccountId>) -> bool {
        self.status == GameStatus::Running
            && self.played
            && self.record.seat(reader) == Listener::Room
    }
}

/// A change of the lobby.
#[derive(Clone, Debug)]
enum Change {
    Offer(OfferKey),
    Game(GameKey),
    /// The list of the built-in bots or the name of an account has changed. After this change
    /// everybody gets the whole lobby.
    Programs,
}

/// Offers and games that are not over.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    offers: BTreeMap<OfferKey, ListedOffer>,
    offer_times: HashMap<OfferId, Millis>,
    games: BTreeMap<GameKey, ListedGame>,
    game_times: HashMap<GameId, Millis>,
    /// The running games that are being played: in a large club few of all.
    played: BTreeSet<GameKey>,
    players: HashMap<AccountId, BTreeSet<GameKey>>,
    changes: VecDeque<Change>,
    /// Number of changes so far.
    number: u64,
    /// Number of changes of the offers so far.
    offer_changes: u64,
}

/// The entries that one reader has got.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// Number of the last change that the reader has got.
    number: u64,
    offers: HashSet<OfferId>,
    mine: BTreeMap<GameKey, GameStatus>,
    running: BTreeSet<GameKey>,
}

impl Listed {
    fn note(&mut self, change: Change) {
        self.number += 1;
        self.offer_changes += u64::from(matches!(change, Change::Offer(_)));
        self.changes.push_back(change);
        if self.changes.len() > MAX_CHANGES {
            self.changes.pop_front();
        }
    }

    /// Notes that a game was added, changed or removed.
    fn note_game(&mut self, key: GameKey) {
        let game = self.games.get(&key);
        if game.is_some_and(|one| one.status == GameStatus::Running && one.played) {
            self.played.insert(key);
        } else {
            self.played.remove(&key);
        }
        self.note(Change::Game(key));
    }

    /// Returns the games after a key that a reader sees in the list of other people's games.
    fn others(
        &self,
        reader: Option<AccountId>,
        after: Bound<GameKey>,
    ) -> impl Iterator<Item = (&GameKey, &ListedGame)> {
        let played = self.played.range((after, Bound::Unbounded));
        let games = played.filter_map(|key| self.games.get_key_value(key));
        games.filter(move |(_, one)| one.is_shown_to(reader))
    }

    pub(crate) fn note_programs(&mut self) {
        self.note(Change::Programs);
    }

    pub(crate) fn put_offer(&mut self, listed: ListedOffer) {
        let key = (listed.offer.at, listed.offer.id.clone());
        self.offer_times.insert(key.1.clone(), key.0);
        self.offers.insert(key.clone(), listed);
        self.note(Change::Offer(key));
    }

    /// Removes an offer. Returns true if the offer was listed.
    pub(crate) fn remove_offer(&mut self, id: &OfferId) -> bool {
        let Some(at) = self.offer_times.remove(id) else {
            return false;
        };
        let key = (at, id.clone());
        self.offers.remove(&key);
        self.note(Change::Offer(key));
        true
    }

    /// Returns the number of changes of offers so far. If this number did not change while the
    /// store was read, the offers that were read are up to date.
    pub(crate) fn offer_changes(&self) -> u64 {
        self.offer_changes
    }

    pub(crate) fn has_offer(&self, id: &OfferId) -> bool {
        self.offer_times.contains_key(id)
    }

    /// Removes the offers for which `keep` returns false. Returns true if there were any.
    pub(crate) fn retain_offers(&mut self, keep: impl Fn(&Offer) -> bool) -> bool {
        let gone = self.offers.values().filter(|listed| !keep(&listed.offer));
        let gone: Vec<OfferId> = gone.map(|listed| listed.offer.id.clone()).collect();
        for id in &gone {
            self.remove_offer(id);
        }
        !gone.is_empty()
    }

    /// Returns the listed offers from an account and to this account.
    pub(crate) fn offers_of(&self, account: AccountId) -> Vec<OfferId> {
        let is_of = |listed: &&ListedOffer| {
            listed.by.id == account || listed.to.as_ref().is_some_and(|to| to.id == account)
        };
        let own = self.offers.values().filter(is_of);
        own.map(|listed| listed.offer.id.clone()).collect()
    }

    /// Returns the accounts that have made or received a listed offer.
    pub(crate) fn accounts_of_offers(&self) -> impl Iterator<Item = AccountId> {
        let accounts =
            |listed: &ListedOffer| [Some(listed.by.id), listed.to.as_ref().map(|to| to.id)];
        self.offers.values().flat_map(accounts).flatten()
    }

    /// Lists a game that is not over. Returns false if it is listed so already.
    pub(crate) fn put_game(&mut self, listed: ListedGame) -> bool {
        let key = (listed.record.at, listed.record.id);
        if self.games.get(&key) == Some(&listed) {
            return false;
        }
        let players = [listed.record.players.white, listed.record.players.black];
        for player in players {
            self.players.entry(player).or_default().insert(key);
        }
        self.game_times.insert(key.1, key.0);
        self.games.insert(key, listed);
        self.note_game(key);
        true
    }

    /// Changes the status of a listed game. A game that is over is removed from the list.
    pub(crate) fn set_status(&mut self, id: GameId, status: GameStatus) {
        let Some(&at) = self.game_times.get(&id) else {
            return;
        };
        let key = (at, id);
        if status == GameStatus::Over {
            self.game_times.remove(&id);
            if let Some(gone) = self.games.remove(&key) {
                let players = gone.record.players;
                for player in [players.white, players.black] {
                    if let Some(games) = self.players.get_mut(&player) {
                        games.remove(&key);
                        if games.is_empty() {
                            self.players.remove(&player);
                        }
                    }
                }
            }
        } else if let Some(listed) = self.games.get_mut(&key) {
            listed.status = status;
        }
        self.note_game(key);
    }

    /// Records whether a game is being played. Returns true if this has changed.
    pub(crate) fn set_played(&mut self, id: GameId, played: bool) -> bool {
        let key = self.game_times.get(&id).map(|at| (*at, id));
        let Some(key) = key else { return false };
        let changed = self.games.get_mut(&key).is_some_and(|listed| {
            let changed = listed.played != played;
            listed.played = played;
            changed
        });
        if changed {
            self.note_game(key);
        }
        changed
    }

    /// Shows the new name of an account. Everybody gets the whole lobby.
    pub(crate) fn see_account(&mut self, account: &Account) {
        let see = |old: &mut Account| {
            if old.id == account.id {
                *old = account.clone();
            }
        };
        for listed in self.offers.values_mut() {
            see(&mut listed.by);
            listed.to.iter_mut().for_each(see);
        }
        for listed in self.games.values_mut() {
            see(&mut listed.players.white);
            see(&mut listed.players.black);
        }
        self.note(Change::Programs);
    }

    /// Returns the number of games that are not over.
    pub(crate) fn games(&self) -> usize {
        self.games.len()
    }

    /// Returns the games of a player that are not over, oldest first.
    pub(crate) fn games_of(&self, player: AccountId) -> impl Iterator<Item = &GameRecord> {
        let keys = self.players.get(&player).into_iter().flatten();
        keys.filter_map(|key| self.games.get(key).map(|listed| &listed.record))
    }

    /// Returns the running games of a player, oldest first.
    pub(crate) fn running_games_of(&self, player: AccountId) -> impl Iterator<Item = &GameRecord> {
        let keys = self.players.get(&player).into_iter().flatten();
        keys.filter_map(|key| self.games.get(key))
            .filter(|listed| listed.status == GameStatus::Running)
            .map(|listed| &listed.record)
    }

    /// Returns the challenges to a player, oldest first.
    pub(crate) fn challenges_to(&self, player: AccountId) -> Vec<OfferId> {
        let all = self.offers.values();
        all.filter(|listed| listed.to.as_ref().is_some_and(|to| to.id == player))
            .map(|listed| listed.offer.id.clone())
            .collect()
    }

    /// Returns the whole lobby as a reader sees it, with at most `most` games of other people.
    pub(crate) fn lobby(
        &self,
        reader: Option<AccountId>,
        programs: Vec<Account>,
        most: usize,
    ) -> (Lobby, Shown) {
        let mut shown = Shown {
            number: self.number,
            ..Shown::default()
        };
        let mut lobby = Lobby {
            programs,
            ..Lobby::default()
        };
        for view in self.offers.values().filter_map(|one| one.view(reader)) {
            shown.offers.insert(view.id.clone());
            match view.kind {
                OfferKind::Challenge { .. } => lobby.challenges.push(view),
                OfferKind::Seek | OfferKind::Invitation => lobby.seeks.push(view),
            }
        }
        let own = reader.and_then(|reader| self.players.get(&reader));
        for key in own.into_iter().flatten() {
            if let Some(listed) = self.games.get(key) {
                shown.mine.insert(*key, listed.status);
                lobby.mine.push(listed.row(listed.record.seat(reader)));
            }
        }
        for (key, listed) in self.others(reader, Bound::Unbounded).take(most) {
            shown.running.insert(*key);
            lobby.running.push(listed.row(Listener::Room));
        }
        (lobby, shown)
    }

    /// Returns the changes between the entries that the reader has got (`shown`) and the present
    /// entries, and updates `shown`. Returns `None` if the reader must get the whole lobby.
    pub(crate) fn changes(
        &self,
        reader: Option<AccountId>,
        shown: &mut Shown,
        most: usize,
    ) -> Option<LobbyChanges> {
        let missed = usize::try_from(self.number - shown.number).ok()?;
        let first = self.changes.len().checked_sub(missed)?;
        let (mut offers, mut games) = (BTreeSet::new(), BTreeSet::new());
        for change in self.changes.range(first..) {
            match change {
                Change::Offer(key) => {
                    offers.insert(key);
                }
                Change::Game(key) => {
                    games.insert(*key);
                }
                Change::Programs => return None,
            }
        }
        shown.number = self.number;
        let mut changes = LobbyChanges::default();
        for key in offers {
            let view = self.offers.get(key).and_then(|one| one.view(reader));
            match view {
                Some(view) if shown.offers.insert(key.1.clone()) => match view.kind {
                    OfferKind::Challenge { .. } => changes.challenges.push(view),
                    OfferKind::Seek | OfferKind::Invitation => changes.seeks.push(view),
                },
                None if shown.offers.remove(&key.1) => changes.gone_offers.push(key.1.clone()),
                Some(_) | None => {}
            }
        }
        for key in games {
            let listed = self.games.get(&key);
            let own = listed.filter(|one| one.record.seat(reader) != Listener::Room);
            match own {
                Some(own) if shown.mine.insert(key, own.status) != Some(own.status) => {
                    changes.mine.push(own.row(own.record.seat(reader)));
                }
                None if shown.mine.remove(&key).is_some() => changes.gone_games.push(key.1),
                Some(_) | None => {}
            }
            let is_shown = listed.is_some_and(|one| one.is_shown_to(reader));
            if !is_shown && shown.running.remove(&key) {
                changes.gone_games.push(key.1);
            }
            // A resumed game can be older than the last game that is shown.
            if is_shown && shown.running.last().is_some_and(|last| key < *last) {
                self.show(key, shown, &mut changes);
            }
        }
        while shown.running.len() > most
            && let Some(last) = shown.running.pop_last()
        {
            changes.running.retain(|row| row.id != last.1);
            changes.gone_games.push(last.1);
        }
        // Now the list misses no game that is older than its last game. If the list has room, newer
        // games are added.
        let after = shown
            .running
            .last()
            .map_or(Bound::Unbounded, |last| Bound::Excluded(*last));
        for (key, _) in self.others(reader, after).take(most - shown.running.len()) {
            self.show(*key, shown, &mut changes);
        }
        Some(changes)
    }

    /// Adds a game to the list of other people's games.
    fn show(&self, key: GameKey, shown: &mut Shown, changes: &mut LobbyChanges) {
        if let Some(listed) = self.games.get(&key)
            && shown.running.insert(key)
        {
            changes.running.push(listed.row(Listener::Room));
        }
    }
}
