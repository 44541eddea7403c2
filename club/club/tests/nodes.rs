//! Tests of clubs on a Postgres database: an outage of the database, and a standby.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use club::{
    AccountId, Club, ClubError, ColorWish, GameId, Millis, RequestAnswer, Settings, SystemClock,
    Terms, TimeControl, request_id,
};
use rules::chess::Color;
use services::Postgres;
use store::PostgresStore;
use tokio::time::{sleep, timeout};

/// Longest wait for something that must happen.
const LONG: Duration = Duration::from_secs(30);
const INITIAL: Millis = 600_000;

async fn open(server: &Postgres) -> Club {
    let store = PostgresStore::open(&server.address())
        .await
        .expect("the store opens");
    store
        .commit_on_ticks()
        .await
        .expect("the ticks are started");
    Club::open(Arc::new(store), Arc::new(SystemClock), Settings::cheap())
        .await
        .expect("the club opens")
}

/// Begins a game with a clock at a club. Returns the players and the game.
async fn begin(club: &Club) -> ([AccountId; 2], GameId) {
    let white = club.guest().await.expect("the guest is created").id;
    let black = club.guest().await.expect("the guest is created").id;
    let terms = Terms {
        rules: "wild16".to_owned(),
        custom: None,
        time: TimeControl::Clock {
            initial: INITIAL,
            increment: 0,
        },
        rated: false,
        color: ColorWish::White,
    };
    let seek = club.seek(white, terms).await.expect("the seek is made");
    let game = club.accept(&seek.id, black).await.expect("the game exists");
    ([white, black], game)
}

async fn try_say(
    club: &Club,
    game: GameId,
    who: AccountId,
    text: &str,
) -> Result<RequestAnswer, ClubError> {
    let id = request_id(&format!("r-{text}")).expect("the id is valid");
    let after = club.seat_view(game, who).await?.n;
    club.say(game, who, id, after, text).await
}

/// Makes a move. After an error, sends the request again with the same id, as a client does.
async fn say(club: &Club, game: GameId, who: AccountId, text: &str) {
    let answered = async {
        loop {
            match try_say(club, game, who, text).await {
                Ok(answer) => return assert_eq!(answer.answer, "moved", "{text}"),
                // The row of the opponent's move may not have reached this club yet.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    };
    timeout(LONG, answered).await.expect("the move is answered");
}

/// Returns the time that is left to a side, as a club shows it to spectators.
async fn left(club: &Club, game: GameId, color: Color) -> Millis {
    let facts = club.facts(game, None).await.expect("the facts can be read");
    let clocks = facts.standing.clocks.expect("the game has clocks");
    *clocks.left.get(color)
}

const MOVES: [&str; 8] = [
    "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "f8e7",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_player_loses_time_in_an_outage_of_the_database() {
    let mut server = Postgres::start().expect("PostgreSQL is installed");
    let club = open(&server).await;
    let (players, game) = begin(&club).await;
    let begun = Instant::now();
    for (n, text) in MOVES[..4].iter().enumerate() {
        say(&club, game, players[n % 2], text).await;
    }
    server.kill();
    let away = Instant::now();
    // The player gets one sentence, which does not name the server of the database.
    let said = try_say(&club, game, players[0], MOVES[4]).await;
    let why = said.expect_err("the database is away").why;
    assert!(why.contains("database does not answer"), "{why}");
    assert!(!why.contains("127.0.0.1") && !why.contains('\n'), "{why}");
    sleep(Duration::from_secs(4)).await;
    let was_away = away.elapsed();
    server.resume().expect("the server starts again");
    say(&club, game, players[0], MOVES[4]).await;
    let passed = begun.elapsed();
    let spent = INITIAL - left(&club, game, Color::White).await;
    // The clocks count the time before and after the outage. They count at most about one heartbeat
    // interval of the outage itself.
    let most = passed - was_away + Duration::from_millis(600);
    let most = Millis::try_from(most.as_millis()).expect("the test is short");
    assert!((0..=most).contains(&spent), "{spent} of {most}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_takes_over_within_two_seconds() {
    let server = Arc::new(Postgres::start().expect("PostgreSQL is installed"));
    let first = open(&server).await;
    let (players, game) = begin(&first).await;
    for (n, text) in MOVES[..4].iter().enumerate() {
        say(&first, game, players[n % 2], text).await;
    }
    let standby = {
        let server = Arc::clone(&server);
        tokio::spawn(async move { open(&server).await })
    };
    sleep(Duration::from_secs(3)).await;
    assert!(!standby.is_finished(), "the first club owns the games");
    // A club that is dropped without being closed has crashed.
    drop(first);
    let died = Instant::now();
    let second = standby.await.expect("the standby opens");
    assert!(died.elapsed() < Duration::from_millis(2_500));
    for (n, text) in MOVES[4..].iter().enumerate() {
        say(&second, game, players[n % 2], text).await;
    }
    let facts = second.facts(game, Some(players[0])).await;
    let facts = facts.expect("the facts can be read");
    assert_eq!(facts.standing.over, None);
}
