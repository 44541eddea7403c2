//! Tests of messages: who reads them, mutes, limits, restarts, and what they reveal.

use std::{sync::Arc, time::Duration};

use club::{Account, Club, GameId, Leaving, TalkGroup, TalkListening, TimeControl};
use referee::{Opened, StartPosition};
use rules::{
    chess::{ByColor, Color},
    rulesets::WILD16,
};
use store::{MemoryStore, Store, testing::opened_game};
use tokio::time::{sleep, timeout};
use wire::RefusalCode;

use crate::{
    common::{BLITZ, Scene, TestClock, open, own_elsewhere, terms},
    people::code,
};

const PLAYERS: TalkGroup = TalkGroup::Players;
const SPECTATORS: TalkGroup = TalkGroup::Spectators;

async fn listen(
    club: &Club,
    game: GameId,
    who: Option<&Account>,
    group: Option<TalkGroup>,
) -> Result<TalkListening, RefusalCode> {
    let reader = who.map(|account| account.id);
    let listening = club.listen_to_talk(game, reader, group, Some(0)).await;
    listening
        .map(|(_, listening)| listening)
        .map_err(|e| e.code)
}

/// Returns the texts that are ready now.
async fn texts(listening: &mut TalkListening) -> Vec<String> {
    let mut texts = Vec::new();
    while let Some(message) = listening.ready().await {
        texts.push(format!("{} {}", message.n, message.text));
    }
    texts
}

async fn write(
    scene: &Scene,
    by: &Account,
    group: Option<TalkGroup>,
    text: &str,
) -> Result<u32, RefusalCode> {
    // Because of this pause, the test does not reach the limit of messages.
    sleep(Duration::from_secs(3)).await;
    let written = scene.club.write(scene.game, by.id, group, text).await;
    written.map_err(|error| error.code)
}

fn blitz() -> club::Terms {
    terms("wild16", BLITZ)
}

#[tokio::test(start_paused = true)]
async fn each_group_reads_and_writes_its_own_messages() {
    let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    let (white, black) = (scene.white.clone(), scene.black.clone());
    let carl = scene.club.guest().await.unwrap();
    let dora = scene.club.guest().await.unwrap();
    let club = scene.club.clone();
    let game = scene.game;
    let mut players = listen(&club, game, Some(&black), None).await.unwrap();
    let mut room = listen(&club, game, Some(&dora), None).await.unwrap();
    let mut visitor = listen(&club, game, None, None).await.unwrap();
    assert_eq!(write(&scene, &white, None, " hello ").await, Ok(1));
    assert_eq!(write(&scene, &carl, None, "the queen hangs").await, Ok(1));
    assert_eq!(write(&scene, &black, Some(PLAYERS), "hi").await, Ok(2));
    assert_eq!(write(&scene, &dora, Some(SPECTATORS), "yes").await, Ok(2));
    assert_eq!(texts(&mut players).await, ["1 hello", "2 hi"]);
    for reader in [&mut room, &mut visitor] {
        assert_eq!(texts(reader).await, ["1 the queen hangs", "2 yes"]);
    }
    for (who, group) in [
        (Some(&white), SPECTATORS),
        (Some(&carl), PLAYERS),
        (None, PLAYERS),
    ] {
        let refused = listen(&club, game, who, Some(group)).await.err();
        assert_eq!(refused, Some(RefusalCode::Forbidden));
        if let Some(who) = who {
            let refused = write(&scene, who, Some(group), "x").await;
            assert_eq!(refused, Err(RefusalCode::Forbidden));
        }
    }
    // After the end the players read and write with the spectators.
    scene.say(Color::White, "resign").await;
    let mut white_reads = listen(&club, game, Some(&white), Some(SPECTATORS)).await;
    let white_reads = white_reads.as_mut().unwrap();
    assert_eq!(texts(white_reads).await, ["1 the queen hangs", "2 yes"]);
    assert_eq!(write(&scene, &white, Some(SPECTATORS), "oh").await, Ok(3));
    assert_eq!(texts(&mut room).await, ["3 oh"]);
    assert_eq!(write(&scene, &white, None, "thanks").await, Ok(3));
    assert_eq!(texts(&mut players).await, ["3 thanks"]);
    assert_eq!(texts(&mut room).await, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn players_of_a_rated_game_can_write_only_after_its_end() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let clock = TestClock::new();
    let club = open(&store, &clock).await;
    let (white, black) = (club.guest().await.unwrap(), club.guest().await.unwrap());
    let carl = club.guest().await.unwrap();
    let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
    let players = ByColor {
        white: white.id,
        black: black.id,
    };
    let id = GameId::from_chance(1);
    let time = TimeControl::Unlimited;
    let mut game = opened_game(id, players, &opened, time, club.now());
    game.terms.rated = true;
    drop(club);
    let fence = own_elsewhere(&store, &clock).await;
    store.create_game(fence, &game).await.unwrap();
    let club = open(&store, &clock).await;
    let refused = club.write(id, white.id, None, "hello").await;
    assert_eq!(code(refused), RefusalCode::NotPossible);
    assert_eq!(club.write(id, carl.id, None, "hello").await, Ok(1));
    let request = club::request_id("r").unwrap();
    club.say(id, black.id, request, 1, "resign").await.unwrap();
    assert_eq!(club.write(id, white.id, None, "thanks").await, Ok(1));
}

#[tokio::test(start_paused = true)]
async fn after_a_mute_neither_player_can_write_to_the_other() {
    let mut scene = Scene::new(blitz()).await;
    let (white, black) = (scene.white.clone(), scene.black.clone());
    let carl = scene.club.guest().await.unwrap();
    let dora = scene.club.guest().await.unwrap();
    let mut reads = listen(&scene.club, scene.game, Some(&white), None)
        .await
        .unwrap();
    assert_eq!(write(&scene, &black, None, "before").await, Ok(1));
    let muted = scene
        .club
        .mute(white.id, &black.name.to_uppercase(), true)
        .await;
    assert_eq!(muted.unwrap().id, black.id);
    for (by, part) in [(&black, "has muted you"), (&white, "you have muted")] {
        let refused = scene.club.write(scene.game, by.id, None, "x").await;
        let refused = refused.expect_err("White has muted Black");
        assert_eq!(refused.code, RefusalCode::NotPossible);
        assert!(refused.why.contains(part), "{refused}");
    }
    // White does not get Black's message from before the mute either.
    assert_eq!(texts(&mut reads).await, Vec::<String>::new());
    // The mute is kept with the account.
    drop(reads);
    scene.reopen().await;
    assert_eq!(
        write(&scene, &black, None, "x").await,
        Err(RefusalCode::NotPossible)
    );
    let list = scene.club.muted_by(white.id).await.unwrap();
    assert_eq!(list, std::slice::from_ref(&black));
    scene.club.mute(white.id, &black.name, false).await.unwrap();
    assert_eq!(write(&scene, &black, None, "again").await, Ok(2));
    // A spectator who mutes another spectator does not read the messages of that spectator. The
    // other spectators read them.
    scene.club.mute(dora.id, &carl.name, true).await.unwrap();
    assert_eq!(write(&scene, &carl, None, "look").await, Ok(1));
    for (who, expected) in [(&dora, vec![]), (&carl, vec!["1 look".to_owned()])] {
        let mut reads = listen(&scene.club, scene.game, Some(who), None)
            .await
            .unwrap();
        assert_eq!(texts(&mut reads).await, expected);
    }
    for (name, expected) in [
        (white.name.as_str(), RefusalCode::Invalid),
        ("nobody", RefusalCode::NotFound),
        ("", RefusalCode::NotFound),
    ] {
        let refused = scene.club.mute(white.id, name, true).await;
        assert_eq!(code(refused), expected, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn bad_messages_are_refused_and_not_written() {
    let scene = Scene::new(blitz()).await;
    let (white, black) = (&scene.white, &scene.black);
    for (text, expected) in [
        ("", RefusalCode::Invalid),
        (" \n ", RefusalCode::Invalid),
        ("two\nlines", RefusalCode::Invalid),
        ("\u{1b}[2J", RefusalCode::Invalid),
        (&"x".repeat(401), RefusalCode::TooLarge),
    ] {
        assert_eq!(write(&scene, white, None, text).await, Err(expected));
        let left = scene.club.leave_message(white.id, &black.name, text).await;
        assert_eq!(code(left), expected);
    }
    let nowhere = scene
        .club
        .write(GameId::from_chance(9), white.id, None, "x")
        .await;
    assert_eq!(code(nowhere), RefusalCode::NotFound);
    let mut reads = listen(&scene.club, scene.game, Some(black), None)
        .await
        .unwrap();
    assert_eq!(texts(&mut reads).await, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_player_who_writes_too_fast_must_wait() {
    let scene = Scene::new(blitz()).await;
    let write = async || {
        scene
            .club
            .write(scene.game, scene.white.id, None, "x")
            .await
    };
    for n in 1..=10 {
        assert_eq!(write().await, Ok(n));
    }
    let refused = write().await.expect_err("too fast");
    assert_eq!(refused.code, RefusalCode::TooMany);
    assert!(
        refused
            .wait
            .is_some_and(|wait| wait <= Duration::from_secs(2))
    );
    // The opponent has a separate limit.
    let other = scene
        .club
        .write(scene.game, scene.black.id, None, "x")
        .await;
    assert_eq!(other, Ok(11));
    sleep(Duration::from_secs(2)).await;
    assert_eq!(write().await, Ok(12));
    assert_eq!(code(write().await), RefusalCode::TooMany);
    // A message that is left for an account counts as four messages.
    sleep(Duration::from_secs(6)).await;
    let left = scene
        .club
        .leave_message(scene.white.id, "Nobody", "x")
        .await;
    assert_eq!(code(left), RefusalCode::NotFound);
    scene.club.register("Anna", "correct horse").await.unwrap();
    let left = scene.club.leave_message(scene.white.id, "Anna", "x").await;
    assert_eq!(code(left), RefusalCode::TooMany);
    sleep(Duration::from_secs(2)).await;
    let left = scene.club.leave_message(scene.white.id, "anna", "x").await;
    assert_eq!(left.unwrap().name, "Anna");
}

#[tokio::test(start_paused = true)]
async fn messages_survive_a_restart_and_reach_other_clubs() {
    let mut scene = Scene::new(blitz()).await;
    let (white, black) = (scene.white.clone(), scene.black.clone());
    let anna = scene.club.register("Anna", "correct horse").await.unwrap();
    write(&scene, &white, None, "first").await.unwrap();
    let left = scene
        .club
        .leave_message(white.id, "Anna", "for later")
        .await;
    left.unwrap();
    scene.reopen().await;
    let there = scene.club.clone();
    let mut reads = listen(&there, scene.game, Some(&black), None)
        .await
        .unwrap();
    assert_eq!(texts(&mut reads).await, ["1 first"]);
    write(&scene, &white, None, "second").await.unwrap();
    let second = timeout(Duration::from_secs(2), reads.next()).await;
    let second = second.unwrap().unwrap();
    assert_eq!((second.n, second.text.as_str()), (2, "second"));
    for _ in 0..2 {
        let waiting = there.waiting_messages(anna.id).await.unwrap();
        let found: Vec<_> = waiting.iter().map(|m| m.text.as_str()).collect();
        assert_eq!(found, ["for later"]);
        assert_eq!(waiting[0].from, white);
    }
    there.remove_messages(anna.id, 1).await.unwrap();
    let waiting = scene.club.waiting_messages(anna.id).await;
    assert_eq!(waiting.unwrap(), []);
    // A mute at one club is also valid at the other club.
    there.mute(black.id, &white.name, true).await.unwrap();
    sleep(Duration::from_secs(2)).await;
    assert_eq!(
        write(&scene, &white, None, "x").await,
        Err(RefusalCode::NotPossible)
    );
    let left = there.leave_message(black.id, &white.name, "x").await;
    assert_eq!(
        code(left),
        RefusalCode::NotFound,
        "guests get no messages for later"
    );
    // A closing club ends the subscription.
    there.close().await;
    assert_eq!(reads.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn nobody_reads_messages_of_a_deleted_account() {
    let scene = Scene::new(blitz()).await;
    let carl = scene.club.guest().await.unwrap();
    let dora = scene.club.guest().await.unwrap();
    let mut reads = listen(&scene.club, scene.game, Some(&dora), None)
        .await
        .unwrap();
    write(&scene, &carl, None, "hello").await.unwrap();
    write(&scene, &dora, None, "hi").await.unwrap();
    let deleted = scene.club.delete_account(&carl, None, Leaving::Resign);
    assert_eq!(deleted.await, Ok(true));
    assert_eq!(texts(&mut reads).await, ["2 hi"]);
    assert_eq!(write(&scene, &dora, None, "gone").await, Ok(3));
    assert_eq!(texts(&mut reads).await, ["3 gone"]);
}

/// A subscription names the number of the message after which it begins. If no message has had this
/// number, the subscription is refused. The number of a message stays valid after the account of
/// its sender was deleted.
#[tokio::test(start_paused = true)]
async fn subscription_after_an_unknown_number_is_refused() {
    let scene = Scene::new(blitz()).await;
    let carl = scene.club.guest().await.unwrap();
    let dora = scene.club.guest().await.unwrap();
    let listen = async |who: &Account, after| {
        let listening = scene
            .club
            .listen_to_talk(scene.game, Some(who.id), None, after);
        listening.await.map(|(_, listening)| listening)
    };
    let refused = listen(&scene.white, Some(1)).await.map(|_| ());
    let refused = refused.expect_err("nobody has written");
    assert_eq!(refused.code, RefusalCode::Invalid);
    assert!(refused.why.contains("0 for all kept messages"), "{refused}");
    write(&scene, &dora, None, "one").await.unwrap();
    write(&scene, &carl, None, "two").await.unwrap();
    for after in [3, u32::MAX] {
        let refused = listen(&dora, Some(after)).await.map(|_| ());
        assert_eq!(code(refused), RefusalCode::Invalid);
    }
    // The spectators have a message with the number 1, but the players have none.
    let refused = listen(&scene.white, Some(1)).await.map(|_| ());
    assert_eq!(code(refused), RefusalCode::Invalid);
    let deleted = scene.club.delete_account(&carl, None, Leaving::Resign);
    assert_eq!(deleted.await, Ok(true));
    let mut new = listen(&dora, None).await.unwrap();
    let mut known = listen(&dora, Some(2)).await.unwrap();
    write(&scene, &dora, None, "three").await.unwrap();
    assert_eq!(texts(&mut new).await, ["3 three"]);
    assert_eq!(texts(&mut known).await, ["3 three"]);
}

/// An account that has watched a game cannot write to the players of this game until the game is
/// over. Everybody else can write to them.
#[tokio::test(start_paused = true)]
async fn a_spectator_cannot_write_to_the_players_of_the_game() {
    let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    let club = scene.club.clone();
    let mut people = Vec::new();
    for name in ["Anna", "Bert", "Carl", "Dora", "Emil"] {
        let account = club.register(name, "correct horse").await;
        people.push(account.unwrap());
    }
    let [anna, bert, carl, dora, emil] = &people[..] else {
        panic!("five people");
    };
    let game = club
        .pair(anna.id, bert.id, terms("wild16", TimeControl::Unlimited))
        .await
        .unwrap();
    let other = club
        .pair(anna.id, carl.id, terms("wild16", TimeControl::Unlimited))
        .await
        .unwrap();
    // Carl listens to the referee, and Dora reads what spectators write. Then both stop.
    drop(club.listen(game, Some(carl.id), 0).await.unwrap());
    drop(listen(&club, game, Some(dora), None).await.unwrap());
    drop(club.listen(game, None, 0).await.unwrap());
    let writes = async |by: &Account, to: &Account| {
        sleep(Duration::from_secs(30)).await;
        let checked = club.check_line_to(by.id, to, "x").await.map(|_| ());
        let left = club.leave_message(by.id, &to.name, "x").await.map(|_| ());
        let may_write = !club.watches_game_of(by.id, to.id);
        assert_eq!(checked.is_ok(), left.is_ok(), "{checked:?} {left:?}");
        assert_eq!(checked.is_ok(), may_write, "{checked:?}");
        if let Err(refused) = checked {
            assert_eq!(refused.code, RefusalCode::NotPossible);
            assert!(refused.why.contains("when the game is over"), "{refused}");
        }
        may_write
    };
    for watcher in [carl, dora] {
        for player in [anna, bert] {
            assert!(!writes(watcher, player).await);
            assert!(writes(player, watcher).await);
        }
    }
    assert!(writes(carl, dora).await);
    assert!(writes(emil, anna).await);
    assert!(writes(anna, bert).await);
    // Carl and Anna also play against each other in another game. Even there, Carl cannot write to
    // Anna.
    let refused = club.write(other, carl.id, None, "her queen hangs").await;
    assert_eq!(code(refused), RefusalCode::NotPossible);
    scene.white = anna.clone();
    scene.game = game;
    scene.say(Color::White, "resign").await;
    assert!(writes(carl, anna).await);
    assert!(writes(dora, bert).await);
    assert_eq!(club.write(other, carl.id, None, "thanks").await, Ok(1));
}

/// The number of messages that all guests together can leave for a person is limited. The text of
/// the refusal does not show whether this guest or other guests wrote the waiting messages.
#[tokio::test(start_paused = true)]
async fn messages_of_guests_to_one_person_are_limited() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let club = open(&store, &TestClock::new()).await;
    let anna = club.register("Anna", "correct horse").await.unwrap();
    let bert = club.register("Bert", "correct horse").await.unwrap();
    let mut refusals = Vec::new();
    let mut kept = 0;
    for _ in 0..20 {
        let guest = club.guest().await.unwrap();
        for _ in 0..3 {
            sleep(Duration::from_secs(30)).await;
            match club.leave_message(guest.id, "Anna", "x").await {
                Ok(_) => kept += 1,
                Err(refused) => refusals.push(refused),
            }
        }
    }
    assert_eq!(kept, 6);
    assert!(
        refusals[0].why.contains("make an account"),
        "{}",
        refusals[0]
    );
    assert_eq!(refusals[0].code, RefusalCode::TooMany);
    refusals.dedup();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    // If a person with an account may not leave a message, the refusal does not mention guests.
    for _ in 0..5 {
        sleep(Duration::from_secs(30)).await;
        club.leave_message(bert.id, "Anna", "y").await.unwrap();
    }
    let refused = club.leave_message(bert.id, "Anna", "y").await;
    let refused = refused.expect_err("five messages of one person");
    assert!(!refused.why.contains("guest"), "{refused}");
    let waiting = club.waiting_messages(anna.id).await.unwrap();
    assert_eq!(waiting.len(), 11);
}

#[tokio::test(start_paused = true)]
async fn nobody_can_write_to_a_built_in_bot() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let club = open(&store, &TestClock::new()).await;
    let bot = club.program("random").await.unwrap();
    let anna = club.guest().await.unwrap();
    let offer = club.challenge(anna.id, "random", blitz()).await.unwrap();
    let game = club.accept(&offer.id, bot.id).await.unwrap();
    let refused = club.write(game, anna.id, None, "hello").await;
    assert_eq!(code(refused), RefusalCode::NotPossible);
    let left = club.leave_message(anna.id, "random", "hello").await;
    assert_eq!(code(left), RefusalCode::NotFound);
}

#[tokio::test(start_paused = true)]
async fn a_mute_stops_challenges_and_seeks_in_both_directions() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let club = open(&store, &TestClock::new()).await;
    let anna = club.guest().await.unwrap();
    let bert = club.guest().await.unwrap();
    let seek = club.seek(anna.id, terms("wild16", BLITZ)).await.unwrap();
    club.mute(anna.id, &bert.name, true).await.unwrap();
    for (by, to, reason) in [(&bert, &anna, "muted-by"), (&anna, &bert, "muted")] {
        let refused = club
            .challenge(by.id, &to.name, terms("wild16", BLITZ))
            .await;
        assert_eq!(refused.expect_err(reason).reason, reason);
    }
    let refused = club.accept(&seek.id, bert.id).await;
    assert_eq!(refused.expect_err("a mute").reason, "muted-by");
    club.mute(anna.id, &bert.name, false).await.unwrap();
    club.accept(&seek.id, bert.id).await.unwrap();
}
