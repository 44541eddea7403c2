//! Measures the delay from the end of a built-in bot's pause to the bot's answer, while many games
//! are played at once.
//!
//! Environment variables:
//!
//! - `KRIEGSPIEL_BOT_GAMES`: number of games at once;
//! - `KRIEGSPIEL_BOT_SECONDS`: duration of the measurement;
//! - `KRIEGSPIEL_BOT_PERSON_MS`: time that each simulated person waits before a move;
//! - `KRIEGSPIEL_BOT_LEVEL`: name of the bot;
//! - `KRIEGSPIEL_BOT_MEDIAN_MS`: greatest allowed median of the delay.

use std::{
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use client::BotPause;
use club::{
    AccountId, Club, ColorWish, GameId, Settings, SystemClock, Terms, TimeControl, request_id,
};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use store::MemoryStore;
use tokio::{
    runtime::Builder,
    task::JoinSet,
    time::{Instant, sleep},
};

use crate::bots::{run_bot, setting, whites_turn};

/// Seed of the bot in every game.
const SEED: u64 = 50;
/// Maximum number of turns of a game. Then a new game begins.
const TURNS: usize = 200;
/// The usual minimum pause.
const MINIMUM_PAUSE: Duration = Duration::from_millis(300);
/// Maximum time after the measurement until a bot has given its first answer.
const FIRST_ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Makes random tries until one of them is a move. Returns whether the game continues.
async fn moves(club: &Club, game: GameId, by: AccountId, rng: &mut ChaCha8Rng) -> bool {
    loop {
        let view = club.seat_view(game, by).await.unwrap();
        let tries = view.view.tries();
        if tries.is_empty() {
            return false;
        }
        let what = tries[rng.next_u32() as usize % tries.len()];
        let id = request_id(&format!("{:016x}", rng.next_u64())).unwrap();
        match club.say(game, by, id, view.n, &what.to_string()).await {
            Ok(answer) if answer.answer == "moved" => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

/// Plays games against a bot, one after the other. Records the delay from the end of each pause to
/// the bot's answer.
async fn person(
    club: Club,
    bot: String,
    number: u64,
    wait: Duration,
    late: Arc<Mutex<Vec<Duration>>>,
) {
    let pauses = BotPause::Drawn(MINIMUM_PAUSE).first(SEED, TURNS);
    let mut rng = ChaCha8Rng::seed_from_u64(number);
    // Each person first waits for a random time, so that the persons do not move at the same
    // moments.
    sleep(wait.mul_f64(f64::from(rng.next_u32()) / f64::from(u32::MAX))).await;
    let by = club.guest().await.unwrap().id;
    loop {
        let terms = Terms {
            rules: "wild16".to_owned(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::White,
        };
        club.challenge(by, &bot, terms).await.unwrap();
        let game = loop {
            sleep(Duration::from_millis(50)).await;
            if let Some(game) = club.waiting_for(by).0.first() {
                break *game;
            }
        };
        let mut listening = club.listen(game, Some(by), 0).await.unwrap();
        let mut continues = whites_turn(&mut listening).await;
        for pause in &pauses {
            if !continues {
                break;
            }
            sleep(wait).await;
            continues = moves(&club, game, by, &mut rng).await;
            let begun = Instant::now();
            continues = continues && whites_turn(&mut listening).await;
            if continues {
                late.lock()
                    .unwrap()
                    .push(begun.elapsed().saturating_sub(*pause));
            }
        }
        if continues {
            let id = request_id(&format!("{:016x}", rng.next_u64())).unwrap();
            let n = club.seat_view(game, by).await.unwrap().n;
            club.say(game, by, id, n, "resign").await.unwrap();
        }
    }
}

#[test]
fn bots_answer_at_the_end_of_their_pause_in_many_games() {
    let games: u64 = setting("KRIEGSPIEL_BOT_GAMES", 10);
    let seconds: u64 = setting("KRIEGSPIEL_BOT_SECONDS", 4);
    let wait = Duration::from_millis(setting("KRIEGSPIEL_BOT_PERSON_MS", 1000));
    let bot: String = setting("KRIEGSPIEL_BOT_LEVEL", "level-3".to_owned());
    let most = Duration::from_millis(setting("KRIEGSPIEL_BOT_MEDIAN_MS", 60_000));
    let late = Arc::new(Mutex::new(Vec::new()));
    let (noted, level) = (Arc::clone(&late), bot.clone());
    let answers = Arc::clone(&late);
    // The club has its own threads, as in the real server.
    let club = thread::spawn(move || {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build();
        runtime.unwrap().block_on(async {
            let store = Arc::new(MemoryStore::default());
            let club = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await;
            let club = club.unwrap();
            run_bot(&club, &level, SEED, false).await;
            let mut persons = JoinSet::new();
            for number in 0..games {
                let (club, level, noted) = (club.clone(), level.clone(), Arc::clone(&noted));
                persons.spawn(person(club, level, number, wait, noted));
            }
            let end = async {
                sleep(Duration::from_secs(seconds)).await;
                // On an overloaded machine the first answer can come later.
                let until = Instant::now() + FIRST_ANSWER_TIMEOUT;
                while answers.lock().unwrap().is_empty() && Instant::now() < until {
                    sleep(Duration::from_millis(100)).await;
                }
            };
            tokio::select! {
                () = end => {}
                done = persons.join_next() => panic!("a person has stopped: {done:?}"),
            }
        });
    });
    club.join().unwrap();
    let mut late = late.lock().unwrap().clone();
    late.sort_unstable();
    assert!(!late.is_empty(), "no bot answered in {seconds} s");
    let at = |share: usize| late[(late.len() - 1) * share / 100];
    println!("figure: games at once against {bot} {games}");
    println!("figure: answers {}", late.len());
    // Elapsed times differ between machines, so they are printed and only the median has a limit.
    println!(
        "an answer came after its pause by: median {:?}, 99 % {:?}, longest {:?}",
        at(50),
        at(99),
        at(100)
    );
    assert!(at(50) <= most, "{:?}", at(50));
}
