//! Tests of built-in bots at two clubs over one store. In each game, only one of the clubs plays
//! the bot. When this club dies or closes, the other club takes the game over.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use club::{
    AccountId, Clock, Club, ColorWish, GameId, Millis, Settings, Terms, TimeControl, request_id,
};
use referee::Event;
use rules::chess::Color;
use server::{Given, Server};
use store::{
    Act, AppendError, MemoryStore, NewRow, RequestId, Row, Store,
    testing::{Around, Tapped},
};
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};

/// Minimum pause of the bot. The maximum pause is twice as long.
const THINK: Duration = Duration::from_secs(2);
/// Longest time until a living club has taken over the games of a dead club.
const TAKEN_OVER: Duration = Duration::from_secs(3);
/// Longest time of a turn.
const LONG: Duration = Duration::from_secs(300);
/// Number of turns that are played before a club ends. The same number is played afterwards.
const TURNS: usize = 6;

struct Paused(Instant);

impl Clock for Paused {
    fn now(&self) -> Millis {
        1_800_000_000_000 + Millis::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

/// Hook that records requests of the bot, which plays Black. A request is recorded when a club
/// tries to append its row.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<RequestId>>>);

#[async_trait]
impl Around for Asked {
    async fn before(&self, rows: &[NewRow]) {
        let requests = rows.iter().filter_map(|row| row.request.clone());
        let black = requests.filter(|(by, _)| *by == Color::Black);
        self.0.lock().unwrap().extend(black.map(|(_, id)| id));
    }

    async fn after(&self, _: &[NewRow], _: &Result<(), AppendError>) {}
}

/// A club whose server plays the built-in bot `random`.
struct Node {
    club: Club,
    bots: JoinHandle<()>,
}

impl Node {
    async fn open(store: &Arc<dyn Store>, clock: &Arc<Paused>) -> Node {
        let club = Club::open(Arc::clone(store), clock.clone(), Settings::cheap())
            .await
            .unwrap();
        let config = Given {
            bots: Some(vec!["random".to_owned()]),
            think: Some(u64::try_from(THINK.as_millis()).unwrap()),
            ..Given::default()
        };
        let server = Server::open(club.clone(), config.settle().unwrap());
        let server = server.await.unwrap();
        let bots = tokio::spawn(async move { server.run_built_in_bots().await });
        Node { club, bots }
    }

    /// Ends like a process that is killed.
    async fn kill(self) {
        self.bots.abort();
        assert!(self.bots.await.unwrap_err().is_cancelled());
    }

    /// Closes in an orderly way.
    async fn close(self) {
        self.club.close().await;
        self.kill().await;
    }
}

/// A game of a person, who is White, against the bot. Each player hears when a try of the other
/// player is refused.
struct Against {
    store: Arc<dyn Store>,
    asked: Asked,
    person: AccountId,
    game: GameId,
    said: u32,
}

impl Against {
    /// Opens two clubs over one store, and begins a game. The first of the clubs that are returned
    /// plays the bot.
    async fn begin() -> (Against, [Node; 2]) {
        let asked = Asked::default();
        let store: Arc<dyn Store> = Arc::new(Tapped {
            store: MemoryStore::default(),
            around: asked.clone(),
        });
        let clock = Arc::new(Paused(Instant::now()));
        let mut nodes = [
            Node::open(&store, &clock).await,
            Node::open(&store, &clock).await,
        ];
        // Each club finds out that the other club is alive.
        sleep(Duration::from_secs(2)).await;
        let club = &nodes[0].club;
        let person = club.guest().await.unwrap().id;
        let terms = Terms {
            rules: "rand".to_owned(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::White,
        };
        club.challenge(person, "random", terms).await.unwrap();
        let bot = club.program("random").await.unwrap().id;
        let game = loop {
            sleep(Duration::from_millis(10)).await;
            if let Some(game) = club.waiting_for(person).0.first() {
                break *game;
            }
        };
        sleep(Duration::from_secs(1)).await;
        let plays = [
            nodes[0].club.bot_games(bot).await,
            nodes[1].club.bot_games(bot).await,
        ];
        match plays.each_ref().map(|games| games.as_slice()) {
            [[of], []] if *of == game => {}
            [[], [of]] if *of == game => nodes.reverse(),
            _ => panic!("exactly one club must play the bot: {plays:?}"),
        }
        let against = Against {
            store,
            asked,
            person,
            game,
            said: 0,
        };
        (against, nodes)
    }

    async fn rows(&self) -> Vec<Row> {
        self.store.rows(self.game, 0).await.unwrap()
    }

    /// Makes a move of White at a club.
    async fn begin_turn(&mut self, club: &Club) {
        let view = club.seat_view(self.game, self.person).await.unwrap();
        for what in view.view.tries() {
            self.said += 1;
            let id = request_id(&format!("said-{}", self.said)).unwrap();
            let n = club.seat_view(self.game, self.person).await.unwrap().n;
            let text = what.to_string();
            let said = club.say(self.game, self.person, id, n, &text);
            if said.await.unwrap().answer == "moved" {
                return;
            }
        }
    }

    /// Waits until a club knows that it is White's turn. Returns false if the game is over.
    async fn wait_for_turn(&self, club: &Club) -> bool {
        let waits = async {
            loop {
                let view = club.seat_view(self.game, self.person).await.unwrap();
                match view.view.to_move() {
                    Some(Color::White) => return true,
                    Some(Color::Black) => sleep(Duration::from_millis(5)).await,
                    None => return false,
                }
            }
        };
        timeout(LONG, waits).await.expect("the bot moves")
    }

    /// Plays at most `turns` turns at a club, and stops when the game is over. Returns how long each
    /// turn of the bot took.
    async fn play(&mut self, club: &Club, turns: usize) -> Vec<Duration> {
        let _listening = club.listen(self.game, Some(self.person), 0).await.unwrap();
        let mut took = Vec::new();
        while took.len() < turns && self.wait_for_turn(club).await {
            self.begin_turn(club).await;
            let begun = Instant::now();
            if !self.wait_for_turn(club).await {
                break;
            }
            took.push(begun.elapsed());
        }
        took
    }

    /// Checks that every attempt of the bot is in the log, and that each turn took one pause for
    /// each attempt.
    async fn check(&self, took: &[Duration]) {
        let rows = self.rows().await;
        let own = rows.iter().filter_map(|row| row.request.clone());
        let own = own.filter(|(by, _)| *by == Color::Black);
        let own: Vec<RequestId> = own.map(|(_, id)| id).collect();
        assert_eq!(*self.asked.0.lock().unwrap(), own);
        for (took, attempts) in took.iter().zip(attempts(&rows)) {
            let most = 2 * attempts * THINK + Duration::from_millis(500);
            assert!(
                (attempts * THINK..=most).contains(took),
                "{attempts} {took:?}"
            );
        }
    }
}

/// Returns the number of Black's attempts in each turn of Black.
fn attempts(rows: &[Row]) -> Vec<u32> {
    let (mut all, mut attempts) = (Vec::new(), 0);
    for row in rows {
        match &row.act {
            Act::Game(Event::Rebuffed { by, .. }) if *by == Color::Black => attempts += 1,
            Act::Game(Event::Moved { by, .. }) if *by == Color::Black => {
                all.push(attempts + 1);
                attempts = 0;
            }
            Act::Game(_) | Act::Table(_) => {}
        }
    }
    all
}

/// If both clubs played the bot in the same game, some attempts of the bot would be missing in the
/// log, or its turns would be too short.
#[tokio::test(start_paused = true)]
async fn two_clubs_make_one_attempt_at_a_time_for_a_bot() {
    let mut refused = 0;
    // The moves of the bot are random, so one game can have too few refused tries.
    while refused < 5 {
        let (mut against, nodes) = Against::begin().await;
        let mut took = Vec::new();
        for turn in 0..2 * TURNS {
            took.extend(against.play(&nodes[turn % 2].club, 1).await);
        }
        against.check(&took).await;
        let attempts = attempts(&against.rows().await);
        refused += attempts.iter().map(|n| n - 1).sum::<u32>();
        for node in nodes {
            node.kill().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn bot_of_a_killed_club_plays_on_at_another_club() {
    let (mut against, [first, second]) = Against::begin().await;
    let took = against.play(&second.club, TURNS).await;
    against.check(&took).await;
    // The club dies in the bot's turn.
    against.begin_turn(&second.club).await;
    first.kill().await;
    let begun = Instant::now();
    assert!(against.wait_for_turn(&second.club).await);
    let rows = against.rows().await;
    let attempts = *attempts(&rows).last().unwrap();
    let most = TAKEN_OVER + 2 * attempts * THINK;
    assert!(begun.elapsed() < most, "{attempts} {:?}", begun.elapsed());
    let later = against.play(&second.club, TURNS).await;
    assert!(later.len() > 1, "{later:?}");
}

#[tokio::test(start_paused = true)]
async fn bot_of_a_closed_club_plays_on_at_another_club() {
    let (mut against, [first, second]) = Against::begin().await;
    against.play(&second.club, 1).await;
    against.begin_turn(&second.club).await;
    first.close().await;
    let begun = Instant::now();
    assert!(against.wait_for_turn(&second.club).await);
    let rows = against.rows().await;
    let attempts = *attempts(&rows).last().unwrap();
    let most = Duration::from_secs(1) + 2 * attempts * THINK;
    assert!(begun.elapsed() < most, "{attempts} {:?}", begun.elapsed());
}
