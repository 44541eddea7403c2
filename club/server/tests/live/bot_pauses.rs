//! Tests how long a built-in bot pauses in a turn. There are tests with each ruleset and with
//! different numbers of refused tries. Other tests play pairs of games, and the bot hears the same
//! in both games of a pair. The last test checks how long the bot stays at the table of a finished
//! game.

use std::{sync::Arc, time::Duration};

use client::BotPause;
use club::{
    AccountId, Clock, Club, ColorWish, GameId, HeardItem, ListenerItem, Listening, Millis,
    Settings, SystemClock, Terms, TimeControl, request_id,
};
use referee::Event;
use rules::{Announcement, DrawTalk, Heard, NoHeard, Reply, chess::Color, rulesets};
use server::{Given, Server};
use store::{Act, MemoryStore, Row, Store};
use tokio::time::{Instant, sleep, timeout_at};

use crate::bots::{run_bot, whites_turn};

/// Minimum pause of a bot. The maximum pause is twice as long.
const THINK: Duration = Duration::from_secs(4);
/// Maximum number of turns of a game. The first number is for games where both players hear
/// refusals. The second number is for games where only the mover hears refusals.
const TURNS: [u32; 2] = [6, 80];
/// Minimum number of turns in which only the bot heard a refusal. The bot moves at random, so the
/// test plays games until it has seen enough such turns.
const REFUSED: usize = 16;
/// Maximum number of games.
const GAMES: usize = 200;

struct Paused(Instant);

impl Clock for Paused {
    fn now(&self) -> Millis {
        1_800_000_000_000 + Millis::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

/// Returns the number of Black's refused tries in Black's last turn.
fn refusals(rows: &[Row]) -> u32 {
    let events = rows.iter().rev().filter_map(|row| match &row.act {
        Act::Game(event) => Some(event),
        Act::Table(_) => None,
    });
    let turn = events
        .skip_while(|event| {
            !matches!(
                event,
                Event::Moved {
                    by: Color::Black,
                    ..
                }
            )
        })
        .skip(1)
        .take_while(|event| !matches!(event, Event::Moved { .. }));
    turn.filter(|event| {
        matches!(
            event,
            Event::Rebuffed {
                by: Color::Black,
                ..
            }
        )
    })
    .count()
    .try_into()
    .unwrap()
}

/// Returns who made the last move.
fn last_mover(rows: &[Row]) -> Option<Color> {
    rows.iter().rev().find_map(|row| match row.act {
        Act::Game(Event::Moved { by, .. }) => Some(by),
        Act::Game(_) | Act::Table(_) => None,
    })
}

#[tokio::test(start_paused = true)]
async fn bot_pauses_once_a_turn_and_once_per_public_refusal() {
    let store = Arc::new(MemoryStore::default());
    let clock = Arc::new(Paused(Instant::now()));
    let club = Club::open(store.clone(), clock, Settings::cheap())
        .await
        .unwrap();
    let config = Given {
        bots: Some(vec!["random".to_owned()]),
        think: Some(u64::try_from(THINK.as_millis()).unwrap()),
        ..Given::default()
    };
    let server = Server::open(club.clone(), config.settle().unwrap())
        .await
        .unwrap();
    tokio::spawn(async move { server.run_built_in_bots().await });
    let (mut turns, mut games, mut private) = (0, 0, Vec::new());
    let heard_by_mover = rulesets::ALL
        .iter()
        .filter(|ruleset| ruleset.choices.no_heard == NoHeard::Mover);
    for ruleset in rulesets::ALL.iter().chain(heard_by_mover.cycle()) {
        let refused = private.iter().filter(|refused| **refused > 0).count();
        let longest = private.iter().max().copied().unwrap_or(0);
        let seen_enough = refused >= REFUSED && longest > 2;
        if games >= GAMES || games >= rulesets::ALL.len() && seen_enough {
            break;
        }
        games += 1;
        let person = club.guest().await.unwrap();
        let terms = Terms {
            rules: ruleset.id.to_string(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::White,
        };
        club.challenge(person.id, "random", terms).await.unwrap();
        let game = loop {
            sleep(Duration::from_millis(10)).await;
            if let Some(game) = club.waiting_for(person.id).0.first() {
                break *game;
            }
        };
        let mut listening = club.listen(game, Some(person.id), 0).await.unwrap();
        let mut goes_on = whites_turn(&mut listening).await;
        let mut said = 0;
        let is_private = ruleset.choices.no_heard == NoHeard::Mover;
        for _ in 0..TURNS[usize::from(is_private)] {
            if !goes_on {
                break;
            }
            let view = club.seat_view(game, person.id).await.unwrap();
            for what in view.view.tries() {
                said += 1;
                let id = request_id(&format!("r{said}")).unwrap();
                let n = club.seat_view(game, person.id).await.unwrap().n;
                let answer = club.say(game, person.id, id, n, &what.to_string()).await;
                if answer.unwrap().answer == "moved" {
                    break;
                }
            }
            let begun = Instant::now();
            goes_on = whites_turn(&mut listening).await;
            let took = begun.elapsed();
            let rows = store.rows(game, 0).await.unwrap();
            if last_mover(&rows) != Some(Color::Black) {
                break;
            }
            let refused = refusals(&rows);
            let pauses = match ruleset.choices.no_heard {
                NoHeard::Mover => 1,
                NoHeard::Both => refused + 1,
            };
            let most = 2 * pauses * THINK + Duration::from_millis(100);
            assert!(
                (pauses * THINK..=most).contains(&took),
                "{}: {refused} refusals, {took:?}",
                ruleset.id
            );
            turns += 1;
            if is_private {
                private.push(refused);
            }
        }
        if goes_on {
            let id = request_id("resign").unwrap();
            let n = club.seat_view(game, person.id).await.unwrap().n;
            club.say(game, person.id, id, n, "resign").await.unwrap();
        }
    }
    println!("figure: turns {turns} games {games}");
    assert!(turns > 60, "{turns}");
    let refused = private.iter().filter(|refused| **refused > 0).count();
    assert!(refused >= REFUSED, "{private:?}");
    assert!(private.iter().any(|refused| *refused > 2), "{private:?}");
}

/// A game of a person, who is White, against a built-in bot with a known seed.
struct Against {
    club: Club,
    person: AccountId,
    bot: AccountId,
    game: GameId,
    listening: Listening,
    said: u32,
}

impl Against {
    /// Opens a club with default settings except for the seed, and begins a game under `wild16`.
    async fn open(clock: Arc<dyn Clock>, bot: &str, seed: u64) -> Against {
        Against::with(clock, bot, seed, false).await
    }

    /// Opens a club like [`open`](Self::open). If `thinks_ahead` is true, the bot also thinks while
    /// White is to move.
    async fn with(clock: Arc<dyn Clock>, bot: &str, seed: u64, thinks_ahead: bool) -> Against {
        let store = Arc::new(MemoryStore::default());
        let club = Club::open(store, clock, Settings::cheap()).await.unwrap();
        run_bot(&club, bot, seed, thinks_ahead).await;
        let (person, program) = (club.guest().await.unwrap().id, bot);
        let bot = club.program(program).await.unwrap().id;
        let terms = Terms {
            rules: "wild16".to_owned(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::White,
        };
        club.challenge(person, program, terms).await.unwrap();
        let game = loop {
            sleep(Duration::from_millis(10)).await;
            if let Some(game) = club.waiting_for(person).0.first() {
                break *game;
            }
        };
        let mut listening = club.listen(game, Some(person), 0).await.unwrap();
        assert!(whites_turn(&mut listening).await);
        Against {
            club,
            person,
            bot,
            game,
            listening,
            said: 0,
        }
    }

    async fn say(&mut self, what: &str) -> &'static str {
        self.said += 1;
        let id = request_id(&format!("said-{}", self.said)).unwrap();
        let n = self.club.seat_view(self.game, self.person).await.unwrap().n;
        let said = self.club.say(self.game, self.person, id, n, what).await;
        said.unwrap().answer
    }

    /// Makes moves of White. Returns the duration of the bot's turn after each of these moves.
    async fn play(&mut self, moves: &[&str]) -> Vec<Duration> {
        let mut took = Vec::new();
        for what in moves {
            let begun = Instant::now();
            if self.say(what).await != "moved" || !whites_turn(&mut self.listening).await {
                break;
            }
            took.push(begun.elapsed());
        }
        took
    }

    /// Returns what the bot has heard.
    async fn heard_by_bot(&self) -> Vec<Heard> {
        let mut listening = self
            .club
            .listen(self.game, Some(self.bot), 0)
            .await
            .unwrap();
        let all = self.club.seat_view(self.game, self.bot).await.unwrap().n;
        let mut heard = Vec::new();
        loop {
            let Some(ListenerItem::Hearing(hearing)) = listening.next().await else {
                continue;
            };
            heard.extend(hearing.heard.iter().filter_map(|item| match item {
                HeardItem::Start(_) => None,
                HeardItem::Heard(heard) => Some(*heard),
            }));
            if hearing.n >= all {
                return heard;
            }
        }
    }

    /// Waits until the person hears that a draw offer was declined.
    async fn declined(&mut self) {
        loop {
            let Some(ListenerItem::Hearing(hearing)) = self.listening.next().await else {
                continue;
            };
            let declines = |item: &HeardItem| {
                matches!(
                    item,
                    HeardItem::Heard(Heard::Draw(DrawTalk::Declined { .. }))
                )
            };
            if hearing.heard.iter().any(declines) {
                return;
            }
        }
    }
}

/// Moves of White in two games. At first the bot hears the same in both games, although some of
/// White's men are on different squares. The bot hears different things as soon as an answer
/// depends on one of these men.
const MOVES: [[&str; 6]; 2] = [
    ["b1c3", "a1b1", "b1a1", "a1b1", "b1a1", "a1b1"],
    ["g1f3", "h1g1", "g1h1", "h1g1", "g1h1", "h1g1"],
];

/// Plays the two games of [`MOVES`]. As long as the bot hears the same in both games, it must make
/// the same attempts in both. Returns one array for each turn of the bot in this part of the games:
/// the expected duration of the turn, and its duration in each game.
///
/// If `thinks_ahead` is true, the bot of the second game also thinks while White is to move.
async fn alike(
    clock: impl Fn() -> Arc<dyn Clock>,
    (bot, seed): (&str, u64),
    thinks_ahead: bool,
) -> Vec<[Duration; 3]> {
    let open = |ahead| Against::with(clock(), bot, seed, ahead);
    let (mut one, mut other) = tokio::join!(open(false), open(thinks_ahead));
    let (first, second) = tokio::join!(one.play(&MOVES[0]), other.play(&MOVES[1]));
    let (ours, theirs) = tokio::join!(one.heard_by_bot(), other.heard_by_bot());
    let mut turns = 0;
    for (a, b) in ours.iter().zip(&theirs) {
        let is_turn = |heard: &Heard| {
            *heard
                == Heard::Announced(Announcement::Turn {
                    to_move: Color::White,
                })
        };
        if let (
            Heard::Reply(Reply::Verdict { attempt: a, by, .. }),
            Heard::Reply(Reply::Verdict { attempt: b, .. }),
        ) = (a, b)
            && *by == Color::Black
        {
            // The bot makes its attempt before it hears the answer. So this attempt must be the
            // same in both games, even if the answers differ.
            assert_eq!(a, b, "seed {seed}");
        }
        if a != b {
            break;
        }
        turns += usize::from(is_turn(a));
    }
    let wanted = BotPause::Drawn(Duration::from_millis(300)).first(seed, MOVES[0].len());
    // The first announced turn of White is the turn at the opening, before any turn of the bot.
    let turns = turns.saturating_sub(1);
    (0..turns.min(first.len()).min(second.len()))
        .map(|turn| [wanted[turn], first[turn], second[turn]])
        .collect()
}

/// Uses the default settings and the real clock. On a slow machine a turn can take longer than its
/// pause. So the check that no turn takes longer is in the next test, which uses a paused clock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bot_turns_last_at_least_their_pause_with_usual_settings() {
    let clock = || Arc::new(SystemClock) as Arc<dyn Clock>;
    let (a, b) = tokio::join!(
        alike(clock, ("level-1", 1), false),
        alike(clock, ("level-3", 2), true)
    );
    let all: Vec<_> = a.into_iter().chain(b).collect();
    assert!(all.len() >= 4, "{all:?}");
    for [wanted, one, other] in &all {
        assert!(one >= wanted && other >= wanted, "{all:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn equal_hearings_give_equal_attempts_and_pauses() {
    let clock = || Arc::new(Paused(Instant::now())) as Arc<dyn Clock>;
    let mut turns = 0;
    for bot in ["level-1", "level-2", "level-4", "sparring", "random"] {
        for (seed, thinks_ahead) in [(0, false), (1, true), (2, true)] {
            let all = alike(clock, (bot, seed), thinks_ahead).await;
            for took in &all {
                let [wanted, one, other] = took;
                let most = *wanted + Duration::from_millis(20);
                for took in [one, other] {
                    assert!((*wanted..=most).contains(took), "{bot} {seed}: {all:?}");
                }
            }
            turns += all.len();
        }
    }
    println!("figure: turns that sound alike {turns}");
    assert!(turns >= 30, "{turns}");
}

#[tokio::test(start_paused = true)]
async fn built_in_bot_answers_a_draw_offer_at_once() {
    let clock = Arc::new(Paused(Instant::now()));
    let mut game = Against::open(clock, "level-2", 4).await;
    let wanted = BotPause::Drawn(Duration::from_millis(300)).first(4, 2);
    let soon = Duration::from_millis(50);
    let begun = Instant::now();
    game.say("offer-draw").await;
    game.declined().await;
    assert!(begun.elapsed() < soon, "{:?}", begun.elapsed());
    // White offers a draw during the pause of the bot. The pause is as long as without the offer.
    let begun = Instant::now();
    assert_eq!(game.say("b1c3").await, "moved");
    game.say("offer-draw").await;
    game.declined().await;
    assert!(begun.elapsed() < soon, "{:?}", begun.elapsed());
    assert!(whites_turn(&mut game.listening).await);
    let took = begun.elapsed();
    let most = wanted[0] + soon;
    assert!((wanted[0]..=most).contains(&took), "{took:?} {wanted:?}");
}

/// Returns whether the bot, which is Black, stays at the table for this time.
async fn bot_stays(watching: &mut Listening, for_time: Duration) -> bool {
    let ends = Instant::now() + for_time;
    loop {
        match timeout_at(ends, watching.next()).await {
            Ok(Some(ListenerItem::Facts(facts))) if !facts.standing.here.black => return false,
            Ok(Some(_)) => {}
            Ok(None) => panic!("the table is closed"),
            Err(_) => return true,
        }
    }
}

/// The bot must leave at some time, because the club keeps a table in memory while a bot is
/// present.
#[tokio::test(start_paused = true)]
async fn built_in_bot_leaves_a_finished_game_after_some_time() {
    let minutes = |n: u64| Duration::from_secs(60 * n);
    for opponent_stays in [true, false] {
        let clock = Arc::new(Paused(Instant::now()));
        let mut game = Against::open(clock, "random", 1).await;
        game.say("resign").await;
        let mut watching = game.club.listen(game.game, None, 0).await.unwrap();
        if opponent_stays {
            assert!(bot_stays(&mut watching, minutes(14)).await);
            assert!(!bot_stays(&mut watching, minutes(2)).await);
        } else {
            drop(game.listening);
            assert!(bot_stays(&mut watching, Duration::from_secs(50)).await);
            assert!(!bot_stays(&mut watching, minutes(2)).await);
        }
    }
}
