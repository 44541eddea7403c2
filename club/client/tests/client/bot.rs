//! Tests of a bot. The test itself is the server.

use std::{
    future::pending,
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use bots::{Budget, Player};
use client::{BotClient, BotPause, BotSettings, ServerPipe};
use futures_util::SinkExt;
use rules::{Attempt, Choices, Try, rulesets};
use serde_json::{Value, json};
use tokio::{sync::Semaphore, time::Instant};
use views::PlayerView;
use wire::{ClientSays, PROTOCOL, ServerSays, TableAct, TermsJson};

use crate::{POLICY, asked, heard, open, says, watch, welcome};

/// Player that chooses the first attempt of its list.
pub struct First;

impl Player for First {
    fn attempt(&mut self, _: &PlayerView, tries: &[Try]) -> Attempt {
        Attempt::Try(tries[0])
    }
}

/// Player that chooses the attempt whose index is the number of turns so far.
struct CountsTurns(usize);

impl Player for CountsTurns {
    fn begin_turn(&mut self, _: Budget) {
        self.0 += 1;
    }

    fn attempt(&mut self, _: &PlayerView, tries: &[Try]) -> Attempt {
        Attempt::Try(tries[self.0])
    }
}

/// Player that panics at its first attempt.
struct Panics;

impl Player for Panics {
    fn attempt(&mut self, _: &PlayerView, _: &[Try]) -> Attempt {
        panic!("this bot panics on purpose")
    }
}

/// Player that thinks about its first attempt until the test lets the player continue.
struct Slow(Option<mpsc::Receiver<()>>);

impl Player for Slow {
    fn attempt(&mut self, _: &PlayerView, tries: &[Try]) -> Attempt {
        if let Some(gate) = self.0.take() {
            gate.recv().unwrap();
        }
        Attempt::Try(tries[0])
    }
}

/// Player that signals each attempt.
struct Signals(mpsc::Sender<()>);

impl Player for Signals {
    fn attempt(&mut self, _: &PlayerView, tries: &[Try]) -> Attempt {
        self.0.send(()).unwrap();
        Attempt::Try(tries[0])
    }
}

/// Player that notes the budgets of its turns.
struct Notes(Arc<Mutex<Vec<Budget>>>);

impl Player for Notes {
    fn begin_turn(&mut self, budget: Budget) {
        self.0.lock().unwrap().push(budget);
    }

    fn attempt(&mut self, _: &PlayerView, tries: &[Try]) -> Attempt {
        Attempt::Try(tries[0])
    }
}

/// Player that signals when it is dropped.
struct Dropped {
    signals: mpsc::Sender<()>,
    /// If present, the player thinks about its first attempt until the test lets it continue.
    gate: Option<mpsc::Receiver<()>>,
}

impl Player for Dropped {
    fn attempt(&mut self, _: &PlayerView, tries: &[Try]) -> Attempt {
        if let Some(gate) = self.gate.take() {
            gate.recv().unwrap();
        }
        Attempt::Try(tries[0])
    }
}

impl Drop for Dropped {
    fn drop(&mut self) {
        self.signals.send(()).unwrap();
    }
}

/// Player that accepts draws.
struct Peaceful;

impl Player for Peaceful {
    fn accepts_draw(&self, _: &PlayerView) -> bool {
        true
    }

    fn attempt(&mut self, _: &PlayerView, tries: &[Try]) -> Attempt {
        Attempt::Try(tries[0])
    }
}

/// Returns a copy of a message about the game g1, changed to be about the game g2.
fn of_other_game(of_first: &ServerSays) -> ServerSays {
    let text = serde_json::to_string(of_first).unwrap();
    says(serde_json::from_str(&text.replace("\"g1\"", "\"g2\"")).unwrap())
}

fn choices(terms: &TermsJson) -> Option<Choices> {
    rulesets::by_id(&terms.rules).map(|ruleset| ruleset.choices)
}

/// Returns the facts of a game that the bot plays as White.
fn facts(changes: &[(&str, Value)]) -> ServerSays {
    let mut game = json!({"id": "g1", "seat": "white",
        "white": {"name": "bot", "kind": "program"}, "black": {"name": "anna", "kind": "person"},
        "terms": {"rules": "wild16", "time": {"kind": "unlimited"}}, "choices": {}, "status": "running",
        "over": null, "over_words": null, "clocks": null, "white_here": true, "black_here": true,
        "offers": {"adjourn": null, "rematch": null, "next": null}, "claim_from": null,
        "can_abort": true, "first_move_by": null});
    for (key, value) in changes {
        game[key] = value.clone();
    }
    says(json!({"type": "game", "game": game}))
}

pub fn turn(n: u32, to_move: &str) -> [ServerSays; 2] {
    let view = json!({"n": n, "seat": "white", "men": "", "castling": "", "reserve": "",
        "to_move": to_move, "tries": [], "refused": [], "words": [], "draw_offer": null,
        "left": {"men": null, "pawns": 8, "pieces": 7, "kinds": null, "reserve": ""}});
    [
        heard(n, json!([{"kind": "turn", "to_move": to_move}])),
        says(json!({"type": "view", "game": "g1", "view": view})),
    ]
}

fn refused(id: &str, code: &str) -> ServerSays {
    says(json!({"type": "refused", "id": id, "code": code, "why": ""}))
}

/// Runs `script`, which plays the server, with a bot that has just subscribed to the game g1.
pub async fn against<F: Future<Output = ()>>(
    player: fn() -> Box<dyn Player>,
    pause: BotPause,
    script: impl FnOnce(ServerPipe) -> F,
) {
    let settings = BotSettings {
        choices,
        pause,
        seed: None,
        accepts_offers: true,
        thinks_ahead: false,
    };
    with(player, settings, script).await;
}

/// Like [`against`], but with these settings.
async fn with<F: Future<Output = ()>>(
    player: fn() -> Box<dyn Player>,
    settings: BotSettings,
    script: impl FnOnce(ServerPipe) -> F,
) {
    let (client, mut incoming) = open(POLICY);
    let mut bot = BotClient::new(client, move |_| player(), settings);
    bot.sit("g1");
    assert!(bot.sits("g1") && bot.games() == 1);
    let serves = async {
        let mut server = incoming.recv().await.unwrap();
        server.outgoing.send(welcome(PROTOCOL)).await.unwrap();
        assert_eq!(asked(&mut server).await, watch(0));
        script(server).await;
    };
    let plays = async {
        while bot.next().await.is_ok() {}
        pending::<()>().await
    };
    tokio::select! {
        () = serves => {}
        () = plays => {}
    }
    assert!(bot.leave("g1") && !bot.leave("g1"));
}

pub async fn tell(server: &mut ServerPipe, all: impl IntoIterator<Item = ServerSays>) {
    for says in all {
        server.outgoing.send(says).await.unwrap();
    }
}

/// Returns the bot's next request. Answers its pings.
pub async fn request(server: &mut ServerPipe) -> ClientSays {
    loop {
        let asked = asked(server).await;
        if asked != (ClientSays::Ping {}) {
            return asked;
        }
        tell(server, [ServerSays::Pong {}]).await;
    }
}

/// Returns the next try: its id, its `after`, and its text.
pub async fn next_try(server: &mut ServerPipe) -> (String, u32, String) {
    let asked = request(server).await;
    let ClientSays::Try {
        id, after, text, ..
    } = asked
    else {
        panic!("{asked:?}")
    };
    (id, after, text)
}

/// Begins a game in which the bot plays White. Returns the id of its first try.
pub async fn first_try(server: &mut ServerPipe) -> String {
    tell(server, [facts(&[])]).await;
    tell(server, turn(1, "white")).await;
    next_try(server).await.0
}

pub const NO_PAUSE: BotPause = BotPause::EachAttempt(Duration::ZERO);

/// Settings of a bot that does not pause.
const WITHOUT_PAUSES: BotSettings = BotSettings {
    choices,
    pause: NO_PAUSE,
    seed: None,
    accepts_offers: true,
    thinks_ahead: false,
};

#[tokio::test(start_paused = true)]
async fn bot_that_panics_resigns() {
    against(
        || Box::new(Panics),
        NO_PAUSE,
        |mut server| async move {
            // Hearings may come before the facts.
            let [heard, view] = turn(1, "white");
            tell(&mut server, [heard, facts(&[]), view]).await;
            let (_, after, text) = next_try(&mut server).await;
            assert_eq!((after, text.as_str()), (1, "resign"));
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn slow_player_delays_no_other_game() {
    let (opens, gate) = mpsc::channel();
    let mut gate = Some(gate);
    let (client, mut incoming) = open(POLICY);
    // Only the player of the first game is slow.
    let mut bot = BotClient::new(client, move |_| Box::new(Slow(gate.take())), WITHOUT_PAUSES);
    bot.sit("g1");
    bot.sit("g2");
    let serves = async {
        let mut server = incoming.recv().await.unwrap();
        tell(&mut server, [welcome(PROTOCOL)]).await;
        for _ in 0..2 {
            let request = asked(&mut server).await;
            assert!(matches!(request, ClientSays::Watch { .. }), "{request:?}");
        }
        let [heard, view] = turn(1, "white");
        let messages = [facts(&[]), heard, view];
        let others: Vec<ServerSays> = messages.iter().map(of_other_game).collect();
        tell(&mut server, messages).await;
        tell(&mut server, others).await;
        let mut games = Vec::new();
        for _ in 0..2 {
            let request = request(&mut server).await;
            let ClientSays::Try { game, .. } = request else {
                panic!("{request:?}");
            };
            games.push(game);
            // The try of the other game has arrived. The slow player may continue.
            let _both_are_done = opens.send(());
        }
        assert_eq!(games, ["g2", "g1"]);
    };
    let plays = async {
        while bot.next().await.is_ok() {}
        pending::<()>().await
    };
    tokio::select! {
        () = serves => {}
        () = plays => {}
    }
}

#[tokio::test(start_paused = true)]
async fn request_that_the_club_cannot_take_now_is_sent_again() {
    against(
        || Box::new(First),
        NO_PAUSE,
        |mut server| async move {
            tell(&mut server, [facts(&[])]).await;
            tell(&mut server, turn(1, "white")).await;
            let first = next_try(&mut server).await;
            for code in ["unavailable", "too-many"] {
                let begun = Instant::now();
                tell(&mut server, [refused(&first.0, code)]).await;
                assert_eq!(next_try(&mut server).await, first);
                assert_eq!(begun.elapsed().as_secs(), 1);
            }
            // After the refusal `not-possible`, the bot makes another attempt.
            tell(&mut server, [refused(&first.0, "not-possible")]).await;
            let other = next_try(&mut server).await;
            assert_ne!(other.0, first.0);
            // After the refusal `stale`, the bot waits for the next hearing.
            tell(&mut server, [refused(&other.0, "stale")]).await;
            let begun = Instant::now();
            tell(&mut server, turn(2, "white")).await;
            assert_eq!(next_try(&mut server).await.1, 2);
            assert_eq!(begun.elapsed(), Duration::ZERO);
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn bot_resigns_after_too_many_refusals_in_one_turn() {
    against(
        || Box::new(First),
        NO_PAUSE,
        |mut server| async move {
            tell(&mut server, [facts(&[])]).await;
            tell(&mut server, turn(1, "white")).await;
            for _ in 0..100 {
                let (id, _, text) = next_try(&mut server).await;
                assert_ne!(text, "resign");
                tell(&mut server, [refused(&id, "not-possible")]).await;
            }
            assert_eq!(next_try(&mut server).await.2, "resign");
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn private_refusals_add_no_pause_to_a_turn() {
    let pause = BotPause::Drawn(Duration::from_secs(4));
    against(
        || Box::new(First),
        pause,
        |mut server| async move {
            let mut begun = Instant::now();
            let id = first_try(&mut server).await;
            let paused = begun.elapsed().as_secs_f64();
            assert!((4.0..=8.1).contains(&paused), "{paused}");
            // Only White hears the refusal that follows, so there is no second pause in this turn.
            begun = Instant::now();
            tell(&mut server, [crate::answer(&id, 2)]).await;
            let no = json!([{"kind": "no", "by": "white", "attempt": "e1e8"}]);
            let [_, view] = turn(2, "white");
            tell(&mut server, [heard(2, no), view]).await;
            let (_, after, _) = next_try(&mut server).await;
            assert_eq!((after, begun.elapsed()), (2, Duration::ZERO));
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn player_is_told_of_each_turn_once() {
    against(
        || Box::new(CountsTurns(0)),
        NO_PAUSE,
        |mut server| async move {
            tell(&mut server, [facts(&[])]).await;
            tell(&mut server, turn(1, "white")).await;
            let (id, _, first) = next_try(&mut server).await;
            // The answer "no" does not begin a turn.
            tell(&mut server, [crate::answer(&id, 2)]).await;
            let no = json!([{"kind": "no", "by": "white", "attempt": "e1e8"}]);
            let [_, view] = turn(2, "white");
            tell(&mut server, [heard(2, no), view]).await;
            let (id, _, second) = next_try(&mut server).await;
            assert_eq!(second, first);
            tell(&mut server, [crate::answer(&id, 3)]).await;
            tell(&mut server, turn(3, "white")).await;
            assert_ne!(next_try(&mut server).await.2, first);
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn bot_accepts_offers_and_claims_a_win_after_the_grace() {
    against(
        || Box::new(First),
        NO_PAUSE,
        |mut server| async move {
            let offers = |adjourn, rematch| {
                let offers = json!({"adjourn": adjourn, "rematch": rematch, "next": null});
                ("offers", offers)
            };
            let (none, black) = (Value::Null, json!("black"));
            let offered = [
                (vec![offers(&black, &none)], TableAct::Adjourn),
                (
                    vec![offers(&black, &none), ("status", json!("adjourned"))],
                    TableAct::Resume,
                ),
                (
                    vec![offers(&none, &black), ("status", json!("over"))],
                    TableAct::Rematch,
                ),
                // The server's time was 1000 milliseconds when the bot connected.
                (vec![("claim_from", json!(61_000))], TableAct::ClaimWin),
            ];
            let begun = Instant::now();
            tell(&mut server, turn(1, "black")).await;
            for (changes, wanted) in offered {
                tell(&mut server, [facts(&changes)]).await;
                let asked = request(&mut server).await;
                let ClientSays::Act { id, act, .. } = asked else {
                    panic!("{asked:?}")
                };
                assert_eq!(act, wanted);
                tell(&mut server, [crate::answer(&id, 1)]).await;
            }
            assert_eq!(begun.elapsed().as_secs(), 60);
        },
    )
    .await;
}

/// Lets a game end while the bot listens to it. The player must be dropped, although the bot stays
/// at the table for a rematch.
async fn player_is_dropped(thinks_at_the_end: bool) {
    let (signals, signal) = mpsc::channel();
    let (opens, gate) = mpsc::channel();
    let mut player = Some(Dropped {
        signals,
        gate: thinks_at_the_end.then_some(gate),
    });
    let (client, mut incoming) = open(POLICY);
    let mut bot = BotClient::new(
        client,
        move |_| Box::new(player.take().unwrap()) as Box<dyn Player>,
        WITHOUT_PAUSES,
    );
    bot.sit("g1");
    let serves = async {
        let mut server = incoming.recv().await.unwrap();
        tell(&mut server, [welcome(PROTOCOL)]).await;
        asked(&mut server).await;
        tell(&mut server, [facts(&[])]).await;
        tell(&mut server, turn(1, "white")).await;
        if !thinks_at_the_end {
            let (id, ..) = next_try(&mut server).await;
            assert!(signal.try_recv().is_err());
            tell(&mut server, [crate::answer(&id, 2)]).await;
        }
        // The bot gets these messages after the end of the game. It needs no player for them.
        tell(&mut server, [facts(&[("status", json!("over"))])]).await;
        tell(&mut server, turn(2, "black")).await;
        let offers = json!({"adjourn": null, "rematch": "black", "next": null});
        let again = facts(&[("status", json!("over")), ("offers", offers)]);
        tell(&mut server, [again]).await;
        let asked = request(&mut server).await;
        assert!(
            matches!(
                asked,
                ClientSays::Act {
                    act: TableAct::Rematch,
                    ..
                }
            ),
            "{asked:?}"
        );
        if thinks_at_the_end {
            assert!(signal.try_recv().is_err());
            opens.send(()).unwrap();
        }
        while signal.try_recv().is_err() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let plays = async {
        while bot.next().await.is_ok() {}
        pending::<()>().await
    };
    tokio::select! {
        () = async { tokio::time::timeout(Duration::from_secs(600), serves).await.unwrap() } => {}
        () = plays => {}
    }
    assert!(bot.sits("g1"));
}

#[tokio::test(start_paused = true)]
async fn player_is_dropped_when_its_game_is_over() {
    player_is_dropped(false).await;
}

#[tokio::test(start_paused = true)]
async fn player_that_still_thinks_is_dropped_when_it_has_finished() {
    player_is_dropped(true).await;
}

fn offer(n: u32, to_move: &str) -> [ServerSays; 2] {
    let [_, view] = turn(n, to_move);
    [
        heard(n, json!([{"kind": "draw-offer", "by": "black"}])),
        view,
    ]
}

fn declined(n: u32, to_move: &str) -> [ServerSays; 2] {
    let [_, view] = turn(n, to_move);
    [
        heard(n, json!([{"kind": "draw-declined", "by": "white"}])),
        view,
    ]
}

#[tokio::test(start_paused = true)]
async fn draw_offer_in_the_pause_is_answered_at_once() {
    let pause = BotPause::Drawn(Duration::from_secs(4));
    against(
        || Box::new(First),
        pause,
        |mut server| async move {
            tell(&mut server, [facts(&[])]).await;
            let begun = Instant::now();
            tell(&mut server, turn(1, "white")).await;
            tell(&mut server, offer(2, "white")).await;
            let (id, after, text) = next_try(&mut server).await;
            assert_eq!((after, text.as_str()), (2, "decline-draw"));
            assert_eq!(begun.elapsed(), Duration::ZERO);
            tell(&mut server, [crate::answer(&id, 3)]).await;
            tell(&mut server, declined(3, "white")).await;
            // The length of the pause has not changed.
            assert_eq!(next_try(&mut server).await.1, 3);
            let paused = begun.elapsed().as_secs_f64();
            assert!((4.0..=8.1).contains(&paused), "{paused}");
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn draw_offer_in_the_opponents_turn_is_answered_at_once() {
    let pause = BotPause::Drawn(Duration::from_secs(4));
    against(
        || Box::new(Peaceful),
        pause,
        |mut server| async move {
            let id = first_try(&mut server).await;
            tell(&mut server, [crate::answer(&id, 2)]).await;
            tell(&mut server, turn(2, "black")).await;
            let begun = Instant::now();
            tell(&mut server, offer(3, "black")).await;
            let (_, after, text) = next_try(&mut server).await;
            assert_eq!((after, text.as_str()), (3, "accept-draw"));
            assert_eq!(begun.elapsed(), Duration::ZERO);
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn pauses_depend_only_on_the_seed() {
    let pause = BotPause::Drawn(Duration::from_secs(4));
    let settings = BotSettings {
        choices,
        pause,
        seed: Some(9),
        accepts_offers: true,
        thinks_ahead: false,
    };
    let drawn = pause.first(9, 3);
    let players: [fn() -> Box<dyn Player>; 3] = [
        || Box::new(First),
        || Box::new(CountsTurns(0)),
        || Box::new(Panics),
    ];
    for (number, player) in players.into_iter().enumerate() {
        let wanted = drawn[..if number == 2 { 1 } else { 3 }].to_vec();
        with(player, settings, |mut server| async move {
            tell(&mut server, [facts(&[])]).await;
            for (n, wanted) in (1..).zip(wanted) {
                let begun = Instant::now();
                tell(&mut server, turn(2 * n, "white")).await;
                let (id, ..) = next_try(&mut server).await;
                // The clock of the tests has a resolution of a millisecond.
                let difference = begun.elapsed().abs_diff(wanted);
                assert!(difference <= Duration::from_millis(1), "{difference:?}");
                tell(&mut server, [crate::answer(&id, 2 * n + 1)]).await;
                tell(&mut server, turn(2 * n + 1, "black")).await;
            }
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn player_is_told_how_long_it_may_think() {
    static NOTES: Mutex<Option<Arc<Mutex<Vec<Budget>>>>> = Mutex::new(None);
    let notes = Arc::new(Mutex::new(Vec::new()));
    *NOTES.lock().unwrap() = Some(Arc::clone(&notes));
    let least = Duration::from_secs(4);
    against(
        || Box::new(Notes(NOTES.lock().unwrap().clone().unwrap())),
        BotPause::Drawn(least),
        |mut server| async move {
            tell(&mut server, [facts(&[])]).await;
            tell(&mut server, turn(1, "white")).await;
            next_try(&mut server).await;
        },
    )
    .await;
    let told = notes.lock().unwrap().clone();
    let [Budget::Within(time)] = told[..] else {
        panic!("{told:?}");
    };
    assert!(time > least / 2 && time < 2 * least, "{time:?}");
}

#[tokio::test]
async fn stand_in_plays_for_a_stuck_player() {
    let (opens, gate) = mpsc::channel();
    let (thinks, thought) = mpsc::channel();
    let mut gate = Some(gate);
    let settings = BotSettings {
        choices,
        pause: BotPause::Drawn(Duration::from_millis(200)),
        seed: Some(3),
        accepts_offers: true,
        thinks_ahead: false,
    };
    let (client, mut incoming) = open(POLICY);
    let mut bot = BotClient::new(
        client,
        move |_| match gate.take() {
            Some(gate) => Box::new(Slow(Some(gate))) as Box<dyn Player>,
            None => Box::new(Signals(thinks.clone())),
        },
        settings,
    )
    .thinking_in(Arc::new(Semaphore::new(1)));
    bot.sit("g1");
    bot.sit("g2");
    let serves = async {
        let mut server = incoming.recv().await.unwrap();
        tell(&mut server, [welcome(PROTOCOL)]).await;
        for _ in 0..2 {
            asked(&mut server).await;
        }
        tell(&mut server, [facts(&[]), of_other_game(&facts(&[]))]).await;
        // The first player still thinks, but the bot makes attempts in its place.
        for n in [1, 3] {
            tell(&mut server, turn(n, "white")).await;
            let (id, after, text) = next_try(&mut server).await;
            assert_eq!(after, n);
            assert!(text != "resign", "{text}");
            tell(&mut server, [crate::answer(&id, n + 1)]).await;
            tell(&mut server, turn(n + 1, "black")).await;
        }
        // The pause of the slow player is over, so the second player may think, now or later.
        for n in (1..).step_by(2) {
            let own = turn(n, "white");
            tell(&mut server, own.iter().map(of_other_game)).await;
            let (id, ..) = next_try(&mut server).await;
            if thought.try_recv().is_ok() {
                break;
            }
            let opponents = turn(n + 1, "black");
            tell(&mut server, [crate::answer(&id, n + 1)]).await;
            tell(&mut server, opponents.iter().map(of_other_game)).await;
        }
        opens.send(()).unwrap();
    };
    let plays = async {
        while bot.next().await.is_ok() {}
        pending::<()>().await
    };
    tokio::select! {
        () = serves => {}
        () = plays => {}
    }
}
