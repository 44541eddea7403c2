//! Tests of games against built-in bots: the limit on the number of such games, and how they end
//! when the person is absent.

use std::{sync::Arc, time::Duration};

use club::{
    Account, AccountKind, Club, GameId, Listening, TimeControl, request_id,
    table::{Presence, Table},
};
use rules::{
    Over, Reason,
    chess::{ByColor, Color},
};
use store::{MemoryStore, Store};
use tokio::time::sleep;
use wire::{GameStatus, RefusalCode, TableAct};

use crate::{
    common::{self, TestClock, open, terms},
    outages::stand_in,
};

/// A club that has one built-in bot.
struct Scene {
    store: Arc<dyn Store>,
    clock: Arc<TestClock>,
    club: Club,
    bot: Account,
    requests: u32,
}

impl Scene {
    async fn new() -> Scene {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let clock = TestClock::new();
        let club = open(&store, &clock).await;
        let bot = club.program("random").await.unwrap();
        Scene {
            store,
            clock,
            club,
            bot,
            requests: 0,
        }
    }

    /// Opens a new club with the same store, as if the machine had stopped for a moment.
    async fn reopen(&mut self) {
        self.club = stand_in(&self.clock).await;
        self.club = open(&self.store, &self.clock).await;
        self.club.program("random").await.unwrap();
    }

    /// Begins a game without clocks, in which the person has White.
    async fn game(&self, person: &Account) -> Result<GameId, RefusalCode> {
        let terms = terms("wild16", TimeControl::Unlimited);
        let offer = self.club.challenge(person.id, "random", terms).await;
        let offer = offer.map_err(|error| error.code)?.id;
        let accepted = self.club.accept(&offer, self.bot.id).await;
        if accepted.is_err() {
            self.club.decline(&offer, self.bot.id).await.unwrap();
        }
        accepted.map_err(|error| error.code)
    }

    async fn act(&mut self, game: GameId, by: &Account, act: TableAct) -> Result<(), RefusalCode> {
        self.requests += 1;
        let id = request_id(&format!("a{}", self.requests)).unwrap();
        let done = self.club.act(game, by.id, id, act).await;
        done.map(drop).map_err(|error| error.code)
    }

    async fn say(&mut self, game: GameId, by: &Account, text: &str) {
        self.requests += 1;
        let id = request_id(&format!("s{}", self.requests)).unwrap();
        let view = self.club.seat_view(game, by.id).await.unwrap();
        let said = self.club.say(game, by.id, id, view.n, text).await;
        said.unwrap_or_else(|error| panic!("{text}: {error}"));
    }

    async fn listen(&self, game: GameId, who: &Account) -> Listening {
        let listening = self.club.listen(game, Some(who.id), 0).await;
        listening.unwrap()
    }

    async fn over(&self, game: GameId) -> Option<Over> {
        let facts = self.club.facts(game, None).await.unwrap();
        facts.standing.over
    }

    async fn running(&self, who: &Account) -> usize {
        let lobby = self.club.lobby_for(Some(who.id)).await.unwrap();
        let runs = |row: &&club::GameRow| row.status != GameStatus::Over;
        lobby.mine.iter().filter(runs).count()
    }
}

#[tokio::test(start_paused = true)]
async fn rematches_count_as_games_with_built_in_bots() {
    let mut scene = Scene::new().await;
    let anna = scene.club.guest().await.unwrap();
    let bot = scene.bot.clone();
    let mut games = Vec::new();
    for _ in 0..5 {
        games.push(scene.game(&anna).await.unwrap());
    }
    assert_eq!(scene.game(&anna).await, Err(RefusalCode::NotPossible));
    // One game is aborted and another one begins. A rematch of the aborted game would be the
    // sixth game.
    scene.act(games[0], &anna, TableAct::Abort).await.unwrap();
    games.push(scene.game(&anna).await.unwrap());
    for by in [&anna, &bot] {
        let rematch = scene.act(games[0], by, TableAct::Rematch).await;
        assert_eq!(rematch, Err(RefusalCode::NotPossible), "{}", by.name);
    }
    // The rematch is offered while a fifth game is allowed, and accepted when there are five
    // games.
    scene.act(games[1], &anna, TableAct::Abort).await.unwrap();
    scene.act(games[0], &anna, TableAct::Rematch).await.unwrap();
    games.push(scene.game(&anna).await.unwrap());
    let accepted = scene.act(games[0], &bot, TableAct::Rematch).await;
    assert_eq!(accepted, Err(RefusalCode::NotPossible));
    // Four rematches are accepted at the same moment, while only one more game is allowed.
    for game in [2, 3] {
        scene
            .act(games[game], &anna, TableAct::Abort)
            .await
            .unwrap();
    }
    for game in [1, 2, 3] {
        scene
            .act(games[game], &anna, TableAct::Rematch)
            .await
            .unwrap();
    }
    games.push(scene.game(&anna).await.unwrap());
    let accepts = [0, 1, 2, 3].map(|at| {
        let (club, game, by) = (scene.club.clone(), games[at], bot.id);
        tokio::spawn(async move {
            let id = request_id(&format!("together{at}")).unwrap();
            club.act(game, by, id, TableAct::Rematch).await.is_ok()
        })
    });
    let mut accepted = 0;
    for one in accepts {
        accepted += usize::from(one.await.unwrap());
    }
    assert_eq!((accepted, scene.running(&anna).await), (1, 5));
}

/// What a person does, and after what time the game is over.
struct Case {
    guest: bool,
    moves: bool,
    /// Time for which the person listens, from the beginning of the game, in minutes.
    listens: u64,
    /// Time at which the club is opened again, in minutes from the beginning of the game. `None` if
    /// the club is not opened again.
    reopens: Option<u64>,
    /// Time at which the game must still be running, in minutes from the beginning of the game.
    runs: u64,
    /// Time at which the game must be over, in minutes from the beginning of the game, and the
    /// reason of the end. `None` if the game does not end in the test.
    over: Option<(u64, Reason)>,
}

const HOUR: u64 = 60;
const DAY: u64 = 24 * HOUR;

#[tokio::test(start_paused = true)]
async fn games_with_built_in_bots_end_when_the_person_is_away() {
    let usual = || Case {
        guest: true,
        moves: true,
        listens: 0,
        reopens: None,
        runs: 0,
        over: None,
    };
    let aborted = |at| Some((at, Reason::Aborted));
    let left = |at| Some((at, Reason::Abandoned));
    #[rustfmt::skip]
    let cases = [
        Case { moves: false, runs: 9, over: aborted(11), ..usual() },
        Case { guest: false, moves: false, runs: 9, over: aborted(11), ..usual() },
        Case { moves: false, listens: 5, runs: 9, over: aborted(11), ..usual() },
        // A person who is connected has time to read the rules before the first move. After a
        // disconnection, the person still has one minute.
        Case { moves: false, listens: 2 * HOUR, runs: 2 * HOUR, ..usual() },
        Case { moves: false, listens: 30, runs: 30, over: aborted(32), ..usual() },
        Case { moves: false, listens: 30, reopens: Some(30), runs: 30, over: aborted(32), ..usual() },
        Case { runs: 59, over: left(61), ..usual() },
        Case { listens: 2 * HOUR, runs: 3 * HOUR - 1, over: left(3 * HOUR + 1), ..usual() },
        Case { listens: 3 * HOUR, runs: 3 * HOUR, ..usual() },
        // After the club was opened again, the game does not end within the next hour. The limit of
        // three days is still counted from the last move.
        Case { reopens: Some(30), runs: 89, over: left(91), ..usual() },
        Case { guest: false, reopens: Some(2 * DAY), runs: 3 * DAY - 1, over: left(3 * DAY + 1), ..usual() },
    ];
    for (number, case) in cases.into_iter().enumerate() {
        let mut scene = Scene::new().await;
        let (bot, club) = (scene.bot.clone(), scene.club.clone());
        let person = if case.guest {
            club.guest().await.unwrap()
        } else {
            let made = club.register("Anna", "correct horse").await;
            made.unwrap()
        };
        drop(club);
        let game = scene.game(&person).await.unwrap();
        let mut listens = Vec::new();
        if case.listens > 0 {
            listens.push(scene.listen(game, &person).await);
        }
        if case.moves {
            scene.say(game, &person, "e2e4").await;
            scene.say(game, &bot, "e7e5").await;
        }
        let begun = scene.club.now();
        let end = case.over.map_or(case.runs + 1, |(at, _)| at);
        for minute in 0..=end {
            let due = begun + i64::try_from(minute * 60_000).unwrap();
            let wait = u64::try_from(due - scene.club.now()).unwrap_or(0);
            sleep(Duration::from_millis(wait)).await;
            if case.reopens == Some(minute) {
                listens.clear();
                scene.reopen().await;
            }
            if minute == case.listens {
                listens.clear();
            }
            if minute == case.runs {
                assert_eq!(scene.over(game).await, None, "case {number} after {minute}");
            }
        }
        let over = scene.over(game).await.map(|over| over.reason);
        assert_eq!(over, case.over.map(|(_, reason)| reason), "case {number}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_adjourned_game_with_a_built_in_bot_ends_after_an_hour() {
    let mut scene = Scene::new().await;
    let (anna, bot) = (scene.club.guest().await.unwrap(), scene.bot.clone());
    let game = scene.game(&anna).await.unwrap();
    scene.say(game, &anna, "e2e4").await;
    scene.say(game, &bot, "e7e5").await;
    for by in [&anna, &bot] {
        scene.act(game, by, TableAct::Adjourn).await.unwrap();
    }
    sleep(Duration::from_secs(59 * 60)).await;
    assert_eq!(scene.over(game).await, None);
    sleep(Duration::from_secs(2 * 60)).await;
    let over = scene.over(game).await.unwrap();
    assert_eq!(over.reason, Reason::Aborted);
}

/// Two persons play a game without clocks. The game does not end if both persons are absent.
#[tokio::test(start_paused = true)]
async fn games_of_two_persons_do_not_end_by_absence() {
    let mut scene = Scene::new().await;
    let anna = scene.club.register("Anna", "correct horse").await;
    let bert = scene.club.register("Bert", "correct horse").await;
    let (anna, bert) = (anna.unwrap(), bert.unwrap());
    let unlimited = terms("wild16", TimeControl::Unlimited);
    let game = scene.club.pair(anna.id, bert.id, unlimited).await.unwrap();
    sleep(Duration::from_secs(20 * 60)).await;
    scene.say(game, &anna, "e2e4").await;
    scene.say(game, &bert, "e7e5").await;
    sleep(Duration::from_secs(2 * 3600)).await;
    assert_eq!(scene.over(game).await, None);
}

/// Checks when a game against a built-in bot ends because the player is absent. The test tries
/// every kind of account and different times at which the player left. `came` is true if the player
/// has connected since the club opened the table.
#[tokio::test(start_paused = true)]
async fn account_kind_and_time_of_leaving_decide_when_a_game_ends() {
    let minutes = |n: u64| i64::try_from(n * 60_000).unwrap();
    for moved in [false, true] {
        let mut scene = common::Scene::new(terms("wild16", TimeControl::Unlimited)).await;
        if moved {
            scene.moves(&["e2e4", "e7e5"]).await;
        }
        let record = scene.store.game(scene.game).await.unwrap();
        let rows = scene.store.rows(scene.game, 0).await.unwrap();
        let (table, _) = Table::open(&record, &rows).unwrap();
        for (kind, span) in [
            (AccountKind::Guest, HOUR),
            (AccountKind::Person, 3 * DAY),
            (AccountKind::Program, 3 * DAY),
        ] {
            for (came, gone) in [false, true].into_iter().flat_map(|came| {
                [None, Some(0), Some(5), Some(HOUR), Some(9 * DAY)].map(|gone| (came, gone))
            }) {
                let gone_at = gone.map(|n| record.at + minutes(n));
                let presence = Presence {
                    gone: ByColor::new_with(|_| gone_at),
                    came: ByColor::new_with(|_| came),
                };
                let expected = gone.map(|gone| match (moved, came) {
                    (false, _) => (gone + 1).max(10),
                    (true, true) => gone + span,
                    (true, false) => span.max(gone + HOUR),
                });
                let ends = table.absence_end(Color::White, kind, &presence);
                let expected = expected.map(|n| record.at + minutes(n));
                assert_eq!(
                    ends, expected,
                    "{kind:?} moved {moved} came {came} gone {gone:?}"
                );
            }
        }
    }
}

/// The latest row was written while a wall clock was two hours ahead. It is private, so it changed no
/// clock, and the time of the end by absence does not tell of it.
#[tokio::test(start_paused = true)]
async fn a_private_row_of_the_future_changes_no_time() {
    let ahead = 2 * 3600 * 1000;
    let mut scene = common::Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    assert_eq!(scene.say(Color::White, "e4e6").await.answer, "no");
    let record = scene.store.game(scene.game).await.unwrap();
    let rows = scene.store.rows(scene.game, 0).await;
    let mut rows = rows.unwrap();
    let last = rows.last_mut().unwrap();
    last.at += ahead;
    let (table, _) = Table::open(&record, &rows).unwrap();
    assert_eq!(table.time_ahead(record.at), 0, "the clocks are not changed");
    let presence = Presence {
        gone: ByColor::new_with(|_| Some(record.at)),
        came: ByColor::new_with(|_| true),
    };
    let now = record.at + 3600 * 1000;
    let ends = table.judge_absence(Color::White, AccountKind::Guest, &presence, now);
    let ends = ends.unwrap();
    assert_eq!(ends.over().map(|over| over.reason), Some(Reason::Abandoned));
    assert_eq!(ends.row.at, now);
}

/// A bot plays another bot, a program of somebody else, and a person.
#[tokio::test(start_paused = true)]
async fn only_two_built_in_bots_show_the_umpires_board() {
    let mut scene = Scene::new().await;
    let (club, bot) = (scene.club.clone(), scene.bot.clone());
    let other = club.program("sparring").await.unwrap();
    let foreign = club.register_program("Foreign", "correct horse").await;
    let foreign = foreign.unwrap();
    let (person, stranger) = (club.guest().await, club.guest().await);
    let (person, stranger) = (person.unwrap(), stranger.unwrap());
    for (opponent, shows) in [(&other, true), (&foreign, false), (&person, false)] {
        let terms = terms("wild16", TimeControl::Unlimited);
        let game = club.exhibit(bot.id, opponent.id, terms).await.unwrap();
        assert_eq!(club.exhibitions(bot.id).contains(&game), shows);
        for (text, board) in [
            (
                None,
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ),
            (
                Some("e2e4"),
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            ),
        ] {
            if let Some(text) = text {
                scene.say(game, &bot, text).await;
            }
            sleep(Duration::from_millis(20)).await;
            for (reader, sees) in [
                (None, shows),
                (Some(stranger.id), shows),
                (Some(bot.id), false),
                (Some(opponent.id), false),
            ] {
                let facts = club.facts(game, reader).await.unwrap();
                let umpire = facts.standing.umpire;
                assert_eq!(
                    umpire.as_deref(),
                    sees.then_some(board),
                    "{}",
                    opponent.name
                );
            }
        }
    }
}
