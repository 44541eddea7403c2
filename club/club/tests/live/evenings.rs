//! Evenings: arena hours with people and programs, stops at any moment, and refusals.

use std::sync::Arc;

use club::{Account, Club, EveningView, GameId, GameRow, Millis, Terms, TimeControl, evening_id};
use rules::chess::{ByColor, Color};
use store::{EveningGame, EveningId, EveningKind, MemoryStore, Store};
use tokio::time::{Duration, sleep};
use wire::{EveningStatus, GameStatus, RefusalCode, TableAct};

use crate::common::{BLITZ, TEST_START, TestClock, open, own_elsewhere, terms};

const MINUTE: Millis = 60_000;

/// An evening that begins ten minutes after the start of the test and takes half an hour.
struct Night {
    store: Arc<dyn Store>,
    clock: Arc<TestClock>,
    club: Club,
    anna: Account,
    bert: Account,
    id: EveningId,
    said: u32,
}

impl Night {
    async fn new(terms: Terms) -> Night {
        Night::of(EveningKind::Arena, terms).await
    }

    async fn of(kind: EveningKind, terms: Terms) -> Night {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let clock = TestClock::new();
        let club = open(&store, &clock).await;
        let account = async |name| {
            let account = club.register(name, "correct horse").await;
            account.unwrap()
        };
        let (anna, bert) = (account("Anna").await, account("Bert").await);
        for (name, points) in [("level-1", 1000.0), ("level-3", 1500.0)] {
            let level = club.program(name).await.unwrap();
            club.fix_rating(&level, points, 20.0).await.unwrap();
        }
        let begins = TEST_START + 10 * MINUTE;
        let made = club.make_evening(&anna, kind, " A  night ", begins, 30, terms);
        let id = made.await.unwrap().id;
        Night {
            store,
            clock,
            club,
            anna,
            bert,
            id,
            said: 0,
        }
    }

    /// Stops the club as if the machine had stopped, and opens it again.
    async fn reopen(&mut self) {
        self.stop().await;
        self.club = open(&self.store, &self.clock).await;
        for name in ["level-1", "level-3"] {
            self.club.program(name).await.unwrap();
        }
    }

    async fn stop(&mut self) {
        let other: Arc<dyn Store> = Arc::new(MemoryStore::default());
        self.club = open(&other, &self.clock).await;
    }

    /// Waits until this number of seconds after the beginning.
    async fn until(&self, seconds: Millis) {
        let at = TEST_START + 10 * MINUTE + seconds * 1000;
        let left = u64::try_from(at - self.club.now()).unwrap();
        sleep(Duration::from_millis(left)).await;
    }

    async fn join(&self, who: &Account) {
        self.club.join_evening(who, &self.id).await.unwrap();
    }

    async fn view(&self) -> EveningView {
        let view = self.club.evening(&self.id, None).await;
        view.unwrap()
    }

    /// Returns the running games of the evening, each as `White-Black`, a second later.
    async fn running(&self) -> Vec<GameRow> {
        sleep(Duration::from_secs(1)).await;
        let mut games = self.view().await.games;
        games.retain(|game| game.status == GameStatus::Running);
        games
    }

    async fn names(&self) -> Vec<String> {
        let games = self.running().await;
        games
            .iter()
            .map(|GameRow { players, .. }| format!("{}-{}", players.white.name, players.black.name))
            .collect()
    }

    async fn resign(&mut self, game: GameId, who: &Account) {
        self.said += 1;
        let id = club::request_id(&format!("r{}", self.said)).unwrap();
        let seat = self.club.seat_view(game, who.id).await;
        let after = seat.unwrap().n;
        let said = self.club.say(game, who.id, id, after, "resign").await;
        said.unwrap();
    }

    /// Returns the table: name, points, games won, games.
    async fn table(&self) -> Vec<String> {
        let table = self.view().await.table;
        let row = |place: &club::EveningPlace| {
            let (player, points) = (&place.player.name, place.points);
            format!(
                "{}. {player} {points} {} {}",
                place.place, place.won, place.games
            )
        };
        table.iter().map(row).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn an_arena_hour_survives_a_stop_in_each_round() {
    for stops in [false, true] {
        let mut night = Night::new(terms("wild16", BLITZ)).await;
        let (anna, bert) = (night.anna.clone(), night.bert.clone());
        night.join(&anna).await;
        night.join(&bert).await;
        night.until(-1).await;
        assert_eq!(night.names().await, [""; 0]);
        let mut seats = vec!["Anna-Bert", "Bert-Anna", "Anna-Bert"];
        for (round, expected) in seats.drain(..).enumerate() {
            let loses = if round == 1 { &anna } else { &bert };
            if stops {
                night.reopen().await;
            }
            assert_eq!(night.names().await, [expected], "{round}");
            if stops {
                night.reopen().await;
            }
            let game = night.running().await[0].id;
            let playing = night.club.join_evening(&anna, &night.id).await;
            assert_eq!(playing.expect_err("Anna plays").reason, "evening-playing");
            night.resign(game, loses).await;
            if stops {
                night.reopen().await;
            }
            assert_eq!(night.names().await, [""; 0], "nobody asks for a game");
            night.join(&bert).await;
            night.join(&anna).await;
        }
        assert_eq!(night.names().await.len(), 1);
        let game = night.running().await[0].id;
        night.resign(game, &bert).await;
        assert_eq!(night.table().await, ["1. Anna 6 3 4", "2. Bert 2 1 4"]);
        let left = night.club.leave_evening(&bert, &night.id).await;
        assert_eq!(left, Ok(()));

        // Nobody else is there: a program takes the seat.
        night.join(&anna).await;
        assert_eq!(night.names().await, [""; 0]);
        sleep(Duration::from_secs(15)).await;
        assert_eq!(night.names().await, ["Anna-level-1"]);
        let game = night.running().await[0].id;
        night.resign(game, &anna).await;

        night.until(30 * 60 + 1).await;
        if stops {
            night.reopen().await;
        }
        sleep(Duration::from_secs(1)).await;
        let view = night.view().await;
        assert_eq!(view.row.status, EveningStatus::Over);
        assert_eq!(night.table().await, ["1. Anna 6 3 5", "2. Bert 2 1 4"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_that_runs_at_the_end_has_fifteen_minutes() {
    for (minutes, table) in [(44, "1. Anna 2 1 1"), (46, "1. Anna 0 0 0")] {
        let mut night = Night::new(terms("wild16", BLITZ)).await;
        let (anna, bert) = (night.anna.clone(), night.bert.clone());
        night.until(29 * 60).await;
        night.join(&anna).await;
        night.join(&bert).await;
        let games = night.running().await;
        let game = games[0].id;
        // Nothing but a resignation ends an adjourned game.
        for (who, id) in [(&anna, "a1"), (&bert, "a2")] {
            let id = club::request_id(id).unwrap();
            let agreed = night.club.act(game, who.id, id, TableAct::Adjourn).await;
            agreed.unwrap();
        }
        night.until(30 * 60 + 1).await;
        let late = night.club.join_evening(&anna, &night.id).await;
        assert_eq!(late.expect_err("it is over").reason, "evening-over");
        assert_eq!(night.view().await.row.status, EveningStatus::Ending);
        night.until(minutes * 60).await;
        night.resign(game, &bert).await;
        night.until(46 * 60 + 2).await;
        assert_eq!(night.view().await.row.status, EveningStatus::Over);
        assert_eq!(night.table().await[0], table);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_between_pairing_and_game_loses_no_game() {
    let mut night = Night::new(terms("wild16", BLITZ)).await;
    let (anna, bert) = (night.anna.clone(), night.bert.clone());
    night.join(&anna).await;
    night.join(&bert).await;
    night.until(-5).await;
    night.stop().await;
    let fence = own_elsewhere(&night.store, &night.clock).await;
    let paired = EveningGame {
        game: GameId::from_chance(7),
        players: ByColor {
            white: bert.id,
            black: anna.id,
        },
        at: TEST_START + 10 * MINUTE,
        round: 0,
        begun: false,
        over: None,
    };
    let added = night
        .store
        .add_evening_game(fence, &night.id, &paired)
        .await;
    assert_eq!(added, Ok(()));
    assert_eq!(night.store.release(fence).await, Ok(()));
    sleep(Duration::from_secs(5)).await;
    night.club = open(&night.store, &night.clock).await;
    assert_eq!(night.names().await, ["Bert-Anna"]);
    assert_eq!(night.running().await[0].id, paired.game);
}

#[tokio::test(start_paused = true)]
async fn muted_players_and_guests_get_fitting_games() {
    let rated = Terms {
        rated: true,
        ..terms("wild16", BLITZ)
    };
    let night = Night::new(rated).await;
    let guest = night.club.guest().await.unwrap();
    night.club.mute(night.anna.id, "Bert", true).await.unwrap();
    for who in [&night.anna, &night.bert, &guest] {
        night.join(who).await;
    }
    night.until(1).await;
    let games = night.running().await;
    let [game] = &games[..] else {
        panic!("Anna and the guest play: {games:?}");
    };
    assert_eq!(game.players[Color::Black].id, guest.id);
    assert!(!game.terms.rated);
    night.until(16).await;
    let games = night.running().await;
    let with_program: Vec<_> = games.iter().filter(|game| game.terms.rated).collect();
    let [game] = &with_program[..] else {
        panic!("Bert plays a program: {games:?}");
    };
    assert_eq!(game.players[Color::White].id, night.bert.id);
}

#[tokio::test(start_paused = true)]
async fn unfit_requests_about_evenings_are_refused() {
    let night = Night::new(terms("wild16", BLITZ)).await;
    let (club, arena) = (&night.club, EveningKind::Arena);
    let guest = club.guest().await.unwrap();
    let program = club.program("level-1").await.unwrap();
    let soon = TEST_START + MINUTE;
    let good = || terms("wild16", BLITZ);
    let long = TimeControl::Clock {
        initial: 600_000,
        increment: 1_000,
    };
    let custom = Terms {
        custom: Some("from = \"wild16\"\n".to_owned()),
        ..good()
    };
    let far = TEST_START + 61 * 24 * 60 * MINUTE;
    let unlimited = terms("wild16", TimeControl::Unlimited);
    #[rustfmt::skip]
    let rows = [
        (&guest, "A night", soon, 30, good(), "evening-guest"),
        (&program, "A night", soon, 30, good(), "evening-guest"),
        (&night.anna, " ", soon, 30, good(), "evening-name"),
        (&night.anna, &"x".repeat(61), soon, 30, good(), "evening-name"),
        (&night.anna, "two\nlines", soon, 30, good(), "evening-name"),
        (&night.anna, "A night", soon, 45, good(), "evening-minutes"),
        (&night.anna, "A night", soon, 30, custom, "evening-rules"),
        (&night.anna, "A night", soon, 30, terms("wild16", long), "evening-time"),
        (&night.anna, "A night", soon, 30, unlimited, "evening-time"),
        (&night.anna, "A night", soon, 30, terms("none", BLITZ), "ruleset-unknown"),
        (&night.anna, "A night", TEST_START - 1, 30, good(), "evening-date"),
        (&night.anna, "A night", far, 30, good(), "evening-date"),
    ];
    for (by, name, begins, minutes, terms, reason) in rows {
        let made = club
            .make_evening(by, arena, name, begins, minutes, terms)
            .await;
        assert_eq!(made.expect_err(reason).reason, reason, "{name}");
    }
    let second = club.make_evening(&night.anna, arena, "Second", soon, 30, good());
    let second = second.await.unwrap().id;
    let third = club
        .make_evening(&night.anna, arena, "Third", soon, 30, good())
        .await;
    assert_eq!(third.expect_err("two are open").reason, "evenings-own");
    for number in 0..9 {
        let maker = club
            .register(&format!("Maker{number}"), "correct horse")
            .await;
        let maker = maker.unwrap();
        for name in ["One", "Two"] {
            let made = club
                .make_evening(&maker, arena, name, soon, 30, good())
                .await;
            made.unwrap();
        }
    }
    let full = club
        .make_evening(&night.bert, arena, "More", soon, 30, good())
        .await;
    assert_eq!(full.expect_err("twenty are open").reason, "evenings-full");

    let joins = club.join_evening(&program, &night.id).await;
    assert_eq!(joins.expect_err("a program").reason, "evening-program");
    let of_other = club.cancel_evening(&night.bert, &night.id).await;
    assert_eq!(of_other.expect_err("Anna's").reason, "evening-of-other");
    assert_eq!(club.cancel_evening(&night.anna, &second).await, Ok(()));
    for unknown in [
        club.cancel_evening(&night.anna, &second).await,
        club.join_evening(&night.anna, &second).await,
        club.leave_evening(&night.anna, &second).await,
        club.evening(&second, None).await.map(drop),
        evening_id("0123456789aß").map(drop),
    ] {
        assert_eq!(unknown.expect_err("it is gone").code, RefusalCode::NotFound);
    }
    night.until(1).await;
    let begun = club.cancel_evening(&night.anna, &night.id).await;
    assert_eq!(begun.expect_err("it has begun").reason, "evening-begun");
}

#[tokio::test(start_paused = true)]
async fn private_tries_change_nothing_in_an_evening() {
    let night = Night::new(terms("wild16", BLITZ)).await;
    night.join(&night.anna).await;
    night.join(&night.bert).await;
    night.until(1).await;
    let games = night.running().await;
    let before = night.view().await;
    let request = club::request_id("p1").unwrap();
    let no = night
        .club
        .say(games[0].id, night.anna.id, request, 1, "e2e5")
        .await;
    assert_eq!(no.unwrap().answer, "no");
    sleep(Duration::from_secs(1)).await;
    assert_eq!(night.view().await, before);
}

#[tokio::test(start_paused = true)]
async fn a_round_robin_survives_a_stop_in_each_round() {
    for stops in [false, true] {
        let mut night = Night::of(EveningKind::RoundRobin, terms("wild16", BLITZ)).await;
        let carl = night.club.register("Carl", "correct horse").await.unwrap();
        let all = [night.anna.clone(), night.bert.clone(), carl];
        for who in &all {
            sleep(Duration::from_secs(1)).await;
            night.join(who).await;
        }
        night.until(0).await;
        for pairs in [
            ["Anna-level-1", "Bert-Carl"],
            ["Anna-Bert", "level-1-Carl"],
            ["Bert-level-1", "Carl-Anna"],
        ] {
            if stops {
                night.reopen().await;
            }
            let mut names = night.names().await;
            names.sort();
            assert_eq!(names, pairs);
            let late = night.club.guest().await.unwrap();
            let late = night.club.join_evening(&late, &night.id).await;
            assert_eq!(late.expect_err("it has begun").reason, "evening-rounds");
            for game in night.running().await {
                if stops {
                    night.reopen().await;
                }
                let loses = all
                    .iter()
                    .rfind(|one| game.players.find(|two| two.id == one.id).is_some());
                night.resign(game.id, loses.unwrap()).await;
            }
        }
        sleep(Duration::from_secs(1)).await;
        assert_eq!(night.view().await.row.status, EveningStatus::Over);
        let table = ["1. Anna 4 2 3", "2. Bert 2 1 3", "3. Carl 0 0 3"];
        assert_eq!(night.table().await, table);
    }
}
