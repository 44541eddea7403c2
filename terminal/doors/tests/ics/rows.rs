//! Tests how much real time the answers at this door take. The opponent's private tries must not
//! noticeably delay these answers.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use doors::base::DoorLimits;
use rules::chess::ByColor;
use store::{GameId, MemoryStore, Store, testing::game_with_private_tries};

use crate::test_club::{TEST_START, TestClock, TestClub};

/// The two games that are compared. For each game: the player, the opponent, and the number of the
/// opponent's private tries.
const GAMES: [(&str, &str, u32); 2] = [("Anna", "Bert", 0), ("Cora", "Dave", 2000)];

/// Lines that the player types: tries that are refused, and lines that are
/// answered without the referee.
const LINES: [&str; 16] = [
    "a2b3", "refresh", "b2a3", "time", "b2c3", "c2b3", "c2d3", "refresh", "d2c3", "d2e3", "time",
    "f2e3", "e4d5", "e4f5", "date", "g2f3",
];

/// Returns the shortest time, because a busy machine makes the other times longer.
fn shortest(all: Vec<Duration>) -> Duration {
    all.into_iter().min().expect("something was measured")
}

/// In one game the opponent has made no private try, and in the other game 2,000 private tries. The
/// same lines are typed in both games alternately. If each of these tries delayed an answer by 50
/// microseconds, the answers of the second game would take 100 ms longer. The club's clock does not
/// advance during the test.
#[tokio::test(start_paused = true)]
async fn private_tries_of_the_opponent_delay_no_answer() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let clock = Arc::new(TestClock(tokio::time::Instant::now()));
    let limits = DoorLimits {
        sign_ins: 1000,
        ..DoorLimits::default()
    };
    let before = TestClub::over(Arc::clone(&store), clock.clone(), limits).await;
    let mut games = Vec::new();
    for (player, opponent, tries) in GAMES {
        let account = async |name| {
            let account = before.club.register(name, "secret-123").await;
            account.expect("the name is free").id
        };
        let players = ByColor {
            white: account(player).await,
            black: account(opponent).await,
        };
        games.push((players, tries));
    }
    before.club.close().await;
    for (number, (players, tries)) in (1..).zip(games) {
        let game = GameId::from_chance(number);
        let put = game_with_private_tries(&*store, game, players, tries, TEST_START).await;
        put.expect("the store takes the game");
    }
    let test_club = TestClub::over(store, clock, limits).await;
    let mut people = Vec::new();
    for (player, _, _) in GAMES {
        let person = test_club.named(player).await;
        people.push(person);
    }
    // Times of the tries, and times of the lines that are answered without the referee.
    let mut took = [(); 2].map(|()| [Vec::new(), Vec::new()]);
    for (round, line) in LINES.iter().enumerate() {
        for side in [round % 2, 1 - round % 2] {
            let begun = Instant::now();
            let told = people[side].says(line).await;
            let lasted = begun.elapsed();
            assert!(told.contains("ics%"), "{line}: {told}");
            let is_try = !["refresh", "time", "date"].contains(line);
            took[usize::from(!is_try)][side].push(lasted);
            assert_eq!(told.contains("Illegal move"), is_try, "{line}: {told}");
        }
    }
    for sides in took {
        let [without, with] = sides.map(shortest);
        assert!(
            with < without * 5 + Duration::from_millis(5),
            "{without:?} after no private try, {with:?} after 2,000"
        );
    }
}
