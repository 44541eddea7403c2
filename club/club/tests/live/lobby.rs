//! Tests of the items that readers of the lobby get: first the whole lobby, then its
//! changes.

use std::sync::Arc;

use club::{
    Account, Club, GameRow, Lobby, LobbyChanges, LobbyItem, LobbyListening, OfferView, Settings,
    TimeControl, request_id,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use store::{MemoryStore, Store};
use tokio::time::{Duration, sleep};
use wire::TableAct;

use crate::common::{BLITZ, Scene, TestClock, terms};

/// A reader, and the reader's copy of the lobby. The copy is built from the items that the reader
/// got.
struct Reader {
    account: Option<Account>,
    listening: LobbyListening,
    lobby: Option<Lobby>,
    /// Number of items that were changes, and number of items that were whole lobbies.
    items_got: (u32, u32),
}

fn replace_offers(list: &mut Vec<OfferView>, new: Vec<OfferView>) {
    for view in new {
        match list.iter_mut().find(|old| old.id == view.id) {
            Some(old) => *old = view,
            None => list.push(view),
        }
    }
}

fn replace_games(list: &mut Vec<GameRow>, new: Vec<GameRow>) {
    for row in new {
        match list.iter_mut().find(|old| old.id == row.id) {
            Some(old) => *old = row,
            None => list.push(row),
        }
    }
    list.sort_by_key(|row| (row.at, row.id));
}

fn change(lobby: &mut Lobby, changes: LobbyChanges) {
    let stands = |view: &OfferView| !changes.gone_offers.contains(&view.id);
    lobby.seeks.retain(stands);
    lobby.challenges.retain(stands);
    let listed = |row: &GameRow| !changes.gone_games.contains(&row.id);
    lobby.mine.retain(listed);
    lobby.running.retain(listed);
    replace_offers(&mut lobby.seeks, changes.seeks);
    replace_offers(&mut lobby.challenges, changes.challenges);
    replace_games(&mut lobby.mine, changes.mine);
    replace_games(&mut lobby.running, changes.running);
}

impl Reader {
    fn new(club: &Club, account: Option<Account>) -> Reader {
        Reader {
            listening: club.listen_to_lobby(account.as_ref().map(|account| account.id)),
            account,
            lobby: None,
            items_got: (0, 0),
        }
    }

    fn catch_up(&mut self) {
        while let Some(item) = self.listening.ready() {
            match (item, &mut self.lobby) {
                (LobbyItem::Whole(whole), lobby) => {
                    *lobby = Some(whole);
                    self.items_got.1 += 1;
                }
                (LobbyItem::Changes(changes), Some(lobby)) => {
                    assert!(!changes.is_empty());
                    change(lobby, changes);
                    self.items_got.0 += 1;
                }
                (LobbyItem::Changes(_), None) => panic!("the first item must be the whole lobby"),
            }
        }
    }

    async fn check(&mut self, club: &Club) {
        self.catch_up();
        let reader = self.account.as_ref().map(|account| account.id);
        let whole = club.lobby_for(reader).await.unwrap();
        assert_eq!(self.lobby.as_ref(), Some(&whole));
    }
}

async fn scene(games: usize) -> (Club, Vec<Account>) {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let settings = Settings {
        lobby_games: games,
        ..Settings::cheap()
    };
    let club = Club::open(store, TestClock::new(), settings).await.unwrap();
    let mut all = Vec::new();
    for _ in 0..5 {
        all.push(club.guest().await.unwrap());
    }
    (club, all)
}

/// Does a random act, which the club may refuse.
async fn act(club: &Club, all: &[Account], rng: &mut ChaCha8Rng, step: u32) {
    let mut below = |n: usize| {
        use rand_chacha::rand_core::Rng;
        usize::try_from(rng.next_u32()).unwrap() % n
    };
    let (one, two) = (&all[below(all.len())], &all[below(all.len())]);
    let unlimited = || terms("wild16", TimeControl::Unlimited);
    let lobby = club.lobby_for(Some(one.id)).await.unwrap();
    let id = request_id(&format!("r{step}")).unwrap();
    match below(8) {
        0 => drop(club.seek(one.id, unlimited()).await),
        1 => drop(club.challenge(one.id, &two.name, unlimited()).await),
        2 | 3 => {
            let mut offers = lobby.seeks.iter().chain(&lobby.challenges);
            if let Some(offer) = offers.nth(below(3)) {
                drop(club.accept(&offer.id, one.id).await);
            }
        }
        4 => {
            let mut offers = lobby.seeks.iter().chain(&lobby.challenges);
            if let Some(offer) = offers.nth(below(3)) {
                drop(club.decline(&offer.id, one.id).await);
            }
        }
        5 => drop(club.pair(one.id, two.id, unlimited()).await),
        kind => {
            let acts = if kind == 6 {
                [TableAct::Adjourn, TableAct::Resume]
            } else {
                [TableAct::Abort, TableAct::Resume]
            };
            if let Some(row) = lobby.mine.get(below(4)) {
                for (act, by) in acts
                    .iter()
                    .flat_map(|act| [&row.players.white, &row.players.black].map(|by| (*act, by)))
                {
                    let id = request_id(&format!("{}{act:?}{}", id.0, by.id.0)).unwrap();
                    drop(club.act(row.id, by.id, id, act).await);
                }
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn changes_of_the_lobby_add_up_to_the_whole_lobby() {
    for (seed, most) in [(1, 1), (2, 2), (3, 3), (4, 200)] {
        let (club, all) = scene(most).await;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let accounts = all.iter().cloned().map(Some).chain([None]);
        let mut readers: Vec<Reader> = accounts.map(|one| Reader::new(&club, one)).collect();
        // A reader who reads only now and then gets many changes at once.
        let mut seldom = Reader::new(&club, None);
        for step in 0..400 {
            act(&club, &all, &mut rng, step).await;
            sleep(Duration::from_millis(5)).await;
            for reader in &mut readers {
                reader.check(&club).await;
            }
            if step % 37 == 0 {
                seldom.check(&club).await;
            }
        }
        for reader in &readers {
            assert_eq!(
                reader.items_got.1, 1,
                "the reader gets the whole lobby once"
            );
            assert!(reader.items_got.0 > 100, "{:?}", reader.items_got);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_reader_who_missed_too_much_gets_the_whole_lobby() {
    let (club, all) = scene(200).await;
    let mut reader = Reader::new(&club, None);
    reader.check(&club).await;
    for _ in 0..600 {
        let offer = club
            .seek(all[0].id, terms("wild16", TimeControl::Unlimited))
            .await;
        let offer = offer.unwrap().id;
        club.decline(&offer, all[0].id).await.unwrap();
    }
    let last = club
        .seek(all[1].id, terms("wild16", TimeControl::Unlimited))
        .await;
    last.unwrap();
    reader.check(&club).await;
    assert_eq!(reader.items_got, (0, 2));
}

#[tokio::test(start_paused = true)]
async fn private_tries_wake_no_reader_of_the_lobby() {
    let (club, all) = scene(200).await;
    let unlimited = terms("wild16", TimeControl::Unlimited);
    let game = club.pair(all[0].id, all[1].id, unlimited).await.unwrap();
    let mut reader = Reader::new(&club, Some(all[1].clone()));
    reader.check(&club).await;
    for (n, text) in ["e2d3", "e2d3", "e2e5", "e2f3"].iter().enumerate() {
        let id = request_id(&format!("t{n}")).unwrap();
        let said = club.say(game, all[0].id, id, 1, text).await.unwrap();
        assert_eq!(said.answer, "no");
        let woken = tokio::time::timeout(Duration::from_secs(3), reader.listening.next()).await;
        assert!(woken.is_err());
    }
}

/// A club lists the offers and games that the club before it had.
#[tokio::test(start_paused = true)]
async fn offers_and_games_are_listed_after_a_restart() {
    let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    let seek = scene
        .club
        .seek(scene.white.id, terms("wild16", BLITZ))
        .await;
    seek.unwrap();
    scene.reopen().await;
    let lobby = scene.club.lobby_for(None).await.unwrap();
    assert_eq!((lobby.seeks.len(), lobby.running.len()), (1, 1));
}
