//! Tests of the two ends of a game of `ks` over TCP: the coin toss, the versions, and strangers at
//! the port.

use std::{sync::Arc, time::Duration};

use club::{Club, FinishedGame, Settings, SystemClock};
use doors::ks::{
    Agreed, AgreedGame, Bytes32, Channel, CoinShare, Endpoint, GameKey, Guest, GuestEnd, GuestSays,
    Hello, Host, HostSays, StateFile, Timeouts, VERSION, Wish, Wishes, pair,
};
use rules::chess::Color;
use serde_json::Value;
use store::MemoryStore;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinHandle,
    time::timeout,
};
use wire::{ClientSays, RefusalCode, ServerSays, TableAct};

use crate::folder::Folder;

type Near = Channel<HostSays, GuestSays>;

/// Timeout of each step of a test. A step needs much less time.
const LONG: Duration = Duration::from_secs(60);

fn names() -> [String; 2] {
    ["anna", "bert"].map(str::to_owned)
}

struct Hosted {
    port: u16,
    near: Near,
    news: mpsc::UnboundedReceiver<String>,
    task: JoinHandle<Result<(), doors::ks::HostError>>,
}

impl Drop for Hosted {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn host(folder: &Folder, key: &GameKey, wishes: Wishes) -> Hosted {
    let club = Club::open(
        Arc::new(MemoryStore::default()),
        Arc::new(SystemClock),
        Settings::cheap(),
    );
    let club = club.await.unwrap();
    let state = StateFile::open(folder.path().join("host.json")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (near, far) = pair();
    let writer = Arc::new(|game: &FinishedGame| game.id.to_string());
    let host = Host::new(club, names(), wishes, key.clone(), state, writer);
    let (to_news, news) = mpsc::unbounded_channel();
    let task = tokio::spawn(host.run(listener, far, to_news));
    Hosted {
        port,
        near,
        news,
        task,
    }
}

fn guest(
    folder: &Folder,
    key: &GameKey,
    wishes: Wishes,
    port: u16,
) -> (Near, JoinHandle<Result<(), GuestEnd>>) {
    let (near, task, _) = guest_with_news(folder, key, wishes, port);
    (near, task)
}

/// Starts a guest. Returns the guest's channel, the guest's task, and the news about the guest's
/// connection.
fn guest_with_news(
    folder: &Folder,
    key: &GameKey,
    wishes: Wishes,
    port: u16,
) -> (
    Near,
    JoinHandle<Result<(), GuestEnd>>,
    mpsc::UnboundedReceiver<String>,
) {
    let [opponent, me] = names();
    let guest = Guest {
        me,
        opponent,
        wishes,
        key: key.clone(),
        timeouts: Timeouts::default(),
        state: StateFile::open(folder.path().join("guest.json")).unwrap(),
    };
    let (near, far) = pair();
    let (to_news, news) = mpsc::unbounded_channel();
    let calls = move || TcpStream::connect(("127.0.0.1", port));
    let task = tokio::spawn(async move { guest.play(calls, far, to_news).await });
    (near, task, news)
}

async fn game(near: &mut Near) -> (Color, String, String) {
    loop {
        let said = timeout(LONG, near.next()).await.unwrap();
        if let HostSays::Seated(game) = said.unwrap() {
            return (game.seat.into(), game.rules, game.tossed);
        }
    }
}

/// Parses wishes. `w`, `b` or `c` (coin) is a wish for the colour. `+a`, `-a`, `+p` and `-p` are
/// wishes for options.
fn wishes(text: &str) -> Wishes {
    let sign = |plus, minus| match (text.contains(plus), text.contains(minus)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        (false, false) => None,
    };
    Wishes {
        color: text.chars().find_map(|c| match c {
            'w' => Some(Wish::White),
            'b' => Some(Wish::Black),
            'c' => Some(Wish::Coin),
            _ => None,
        }),
        captures: sign("+a", "-a"),
        pawns: sign("+p", "-p"),
    }
}

/// Columns: wishes of the host, wishes of the guest, the host's colour, the ruleset, and what the
/// coin decides. In the columns of the colour and the ruleset, `?` means that the coin decides.
const TABLE: &[(&str, &str, char, &str, &str)] = &[
    ("", "", '?', "ks", "the colours"),
    ("w", "", 'w', "ks", ""),
    ("", "w", 'b', "ks", ""),
    ("b", "w +a", 'b', "ks+a", ""),
    ("w +a", "w -a", '?', "?", "the colours, the option a"),
    ("b -p", "c +p", '?', "?", "the colours, the option p"),
    ("w +a +p", "b", 'w', "ks+ap", ""),
    ("w +p", "b -a", 'w', "ks+p", ""),
    ("b +a -p", "w -a +p", 'b', "?", "the option a, the option p"),
];

#[tokio::test]
async fn both_ends_agree_and_play_the_same_game() {
    for &(hosts, guests, color, rules, tossed) in TABLE {
        let (one, two, key) = (Folder::new(), Folder::new(), GameKey::draw());
        let mut host = host(&one, &key, wishes(hosts)).await;
        let (mut near, task) = guest(&two, &key, wishes(guests), host.port);
        let (white, by, coin) = game(&mut host.near).await;
        let (other, same, too) = game(&mut near).await;
        assert_eq!(
            (other, &same, &too),
            (white.other(), &by, &coin),
            "{hosts} {guests}"
        );
        assert_eq!(coin, tossed, "{hosts} {guests}");
        match color {
            'w' => assert_eq!(white, Color::White),
            'b' => assert_eq!(white, Color::Black),
            _ => {}
        }
        assert!(rules == "?" || rules == by, "{hosts} {guests}: {by}");
        task.abort();
    }
}

async fn call(host: &Hosted, key: &GameKey, name: &str, wants: &str) -> Near {
    let stream = TcpStream::connect(("127.0.0.1", host.port)).await.unwrap();
    let line = Near::call(stream, key, Timeouts::default()).await.unwrap();
    line.say(GuestSays::Hello(Hello {
        version: VERSION,
        name: name.to_owned(),
        wants: wants.to_owned(),
        game: None,
    }));
    line
}

async fn said(line: &mut Near) -> HostSays {
    let said = timeout(LONG, line.next()).await.unwrap();
    said.unwrap()
}

async fn bye(line: &mut Near) -> String {
    match said(line).await {
        HostSays::Game(ServerSays::Bye { why }) => why,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn guest_that_breaks_its_commitment_is_refused() {
    let (folder, key) = (Folder::new(), GameKey::draw());
    let host = host(&folder, &key, Wishes::default()).await;
    let lot = CoinShare::draw(Wishes::default());
    let commitment = lot.commitment(Endpoint::Guest);
    let mut line = call(&host, &key, "bert", "anna").await;
    let HostSays::Hello {
        commitment: hosts, ..
    } = said(&mut line).await
    else {
        panic!("the host must send a hello");
    };
    line.say(GuestSays::Commit { commitment });
    let HostSays::Reveal { lot: shown } = said(&mut line).await else {
        panic!("the host must reveal its share");
    };
    assert!(shown.keeps(hosts, Endpoint::Host));
    // Now the guest knows the result of the coin, and reveals a share that does
    // not match its commitment.
    let lie = CoinShare::draw(Wishes::default());
    line.say(GuestSays::Reveal { lot: lie });
    assert!(
        bye(&mut line)
            .await
            .contains("not the one you committed to")
    );
    // Then the guest reconnects, and commits to another share.
    let mut line = call(&host, &key, "bert", "anna").await;
    let HostSays::Hello {
        commitment: again, ..
    } = said(&mut line).await
    else {
        panic!("the host must send a hello");
    };
    assert_eq!(again, hosts, "the host must keep its commitment");
    let commitment = lie.commitment(Endpoint::Guest);
    line.say(GuestSays::Commit { commitment });
    assert!(bye(&mut line).await.contains("a different share"));
    // The host still accepts the share of the guest's first commitment.
    let mut line = call(&host, &key, "bert", "anna").await;
    said(&mut line).await;
    let commitment = lot.commitment(Endpoint::Guest);
    line.say(GuestSays::Commit { commitment });
    said(&mut line).await;
    line.say(GuestSays::Reveal { lot });
    let HostSays::Seated(game) = said(&mut line).await else {
        panic!("the host must seat the guest");
    };
    assert_eq!(
        Color::from(game.seat),
        Agreed::of(&shown, &lot).host.other()
    );
}

#[tokio::test]
async fn guest_with_a_wrong_name_is_refused_with_the_reason() {
    let (folder, key) = (Folder::new(), GameKey::draw());
    let host = host(&folder, &key, Wishes::default()).await;
    for (name, wants) in [("carl", "anna"), ("bert", "carl"), ("be\u{1b}rt", "anna")] {
        let mut line = call(&host, &key, name, wants).await;
        let why = bye(&mut line).await;
        assert!(why.contains("anna, who waits for bert"), "{why}");
        assert!(!why.contains('\u{1b}'));
    }
}

/// `ks` uses the messages of a club's WebSocket, but only messages about this game are valid in
/// `ks`.
#[tokio::test]
async fn messages_not_about_this_game_are_refused_with_a_reason() {
    let (one, two, key) = (Folder::new(), Folder::new(), GameKey::draw());
    let mut host = host(&one, &key, Wishes::default()).await;
    let (_near, task) = guest(&two, &key, Wishes::default(), host.port);
    game(&mut host.near).await;
    let (id, elsewhere) = ("a1".to_owned(), "abc234".to_owned());
    let act = ClientSays::Act {
        id: id.clone(),
        game: elsewhere.clone(),
        act: TableAct::Adjourn,
    };
    let attempt = ClientSays::Try {
        id: id.clone(),
        game: elsewhere.clone(),
        after: 0,
        text: "e2e4".to_owned(),
        ask: false,
    };
    for (says, of, code, part) in [
        (act, Some(&id), RefusalCode::NotPossible, "`act`"),
        (
            ClientSays::Lobby { on: true },
            None,
            RefusalCode::NotPossible,
            "`lobby`",
        ),
        (
            ClientSays::Leave {
                game: elsewhere.clone(),
            },
            None,
            RefusalCode::NotPossible,
            "`leave`",
        ),
        (
            ClientSays::Watch {
                game: elsewhere.clone(),
                after: 0,
            },
            None,
            RefusalCode::NotFound,
            "no such game",
        ),
        (attempt, Some(&id), RefusalCode::NotFound, "no such game"),
    ] {
        host.near.say(says);
        let refused = loop {
            if let HostSays::Game(ServerSays::Refused { id, code, why, .. }) =
                said(&mut host.near).await
            {
                break (id, code, why);
            }
        };
        assert_eq!((refused.0.as_ref(), refused.1), (of, code));
        assert!(refused.2.contains(part), "{refused:?}");
    }
    host.near.say(ClientSays::Ping {});
    while said(&mut host.near).await != HostSays::Game(ServerSays::Pong {}) {}
    task.abort();
}

/// First message of a guest of version 1, as version 1 sent it.
const OLD_HELLO: &str = r#"{"type":"hello","version":1,"name":"bert","wants":"anna","game":null}"#;
/// Answer of a host of version 1 to a guest of another version.
const OLD_BYE: &str =
    r#"{"type":"bye","why":"this end speaks version 1 and you 2: both need the same kriegspiel"}"#;

/// Channel that reads and writes messages as plain JSON values.
type Raw = Channel<Value, Value>;

#[tokio::test]
async fn host_refuses_an_old_guest_and_both_ends_report_versions() {
    let (folder, key) = (Folder::new(), GameKey::draw());
    let mut host = host(&folder, &key, Wishes::default()).await;
    let stream = TcpStream::connect(("127.0.0.1", host.port)).await.unwrap();
    let mut line = Raw::call(stream, &key, Timeouts::default()).await.unwrap();
    line.say(serde_json::from_str::<Value>(OLD_HELLO).unwrap());
    let bye = timeout(LONG, line.next()).await.unwrap().unwrap();
    assert_eq!(
        bye.to_string(),
        r#"{"type":"bye","why":"this end speaks version 2 of ks, and you speak version 1: both ends need the same version of kriegspiel"}"#
    );
    drop(line);
    let told = timeout(LONG, host.news.recv()).await.unwrap().unwrap();
    assert_eq!(
        told,
        "bert called with version 1 of ks, and this end speaks version 2: both ends need the same version of kriegspiel."
    );
    // The host continues to wait, and accepts a guest of its own version.
    let mut line = call(&host, &key, "bert", "anna").await;
    assert!(matches!(said(&mut line).await, HostSays::Hello { .. }));
}

#[tokio::test]
async fn guest_of_an_old_host_exits_and_gives_the_reason() {
    let (folder, key) = (Folder::new(), GameKey::draw());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (_near, task) = guest(&folder, &key, Wishes::default(), port);
    let (stream, _) = listener.accept().await.unwrap();
    let mut line = Raw::answer(stream, &key, Timeouts::default())
        .await
        .unwrap();
    let hello = line.next().await.unwrap();
    let today = OLD_HELLO.replace(":1,", ":2,");
    assert_eq!(hello, serde_json::from_str::<Value>(&today).unwrap());
    line.say(serde_json::from_str::<Value>(OLD_BYE).unwrap());
    let ended = timeout(LONG, task).await.unwrap().unwrap();
    assert_eq!(
        ended.unwrap_err().to_string(),
        "the other end says: this end speaks version 1 and you 2: both need the same kriegspiel"
    );
}

/// After the key has matched once, nobody without the key can end the game.
#[tokio::test]
async fn strangers_at_the_hosts_port_do_not_end_a_game() {
    const STRANGERS: [&[u8; 20]; 2] = [b"kriegspiel-ks 1 key\n", b"SSH-2.0-Somebody_9\r\n"];
    let (one, two, key) = (Folder::new(), Folder::new(), GameKey::draw());
    let host = host(&one, &key, Wishes::default()).await;
    let between = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = between.local_addr().unwrap().port();
    let (breaks, broken) = tokio::sync::oneshot::channel();
    let to = host.port;
    let relay = tokio::spawn(async move {
        let (mut guest, _) = between.accept().await.unwrap();
        let mut real = TcpStream::connect(("127.0.0.1", to)).await.unwrap();
        tokio::select! {
            _ = tokio::io::copy_bidirectional(&mut guest, &mut real) => panic!("the copy ends only by cancellation"),
            _ = broken => drop((guest, real)),
        }
        for says in STRANGERS {
            let (mut guest, _) = between.accept().await.unwrap();
            guest.write_all(says).await.unwrap();
            guest.shutdown().await.unwrap();
            let mut rest = Vec::new();
            let _reset = guest.read_to_end(&mut rest).await;
        }
        let (mut guest, _) = between.accept().await.unwrap();
        let mut real = TcpStream::connect(("127.0.0.1", to)).await.unwrap();
        let _gone = tokio::io::copy_bidirectional(&mut guest, &mut real).await;
    });
    let (mut near, task, mut news) = guest_with_news(&two, &key, Wishes::default(), port);
    let first = game(&mut near).await;
    breaks.send(()).unwrap();
    assert_eq!(
        game(&mut near).await,
        first,
        "the guest must come back to the same game"
    );
    assert!(!task.is_finished());
    let mut told = Vec::new();
    while let Ok(line) = news.try_recv() {
        told.push(line);
    }
    assert!(
        told.iter()
            .any(|line| line.contains("another program answers there")),
        "{told:?}"
    );
    relay.abort();
    task.abort();
}

#[tokio::test]
async fn waiting_strangers_do_not_block_the_guest() {
    let (one, two, key) = (Folder::new(), Folder::new(), GameKey::draw());
    let host = host(&one, &key, Wishes::default()).await;
    // Connect more strangers than the host serves at one time. Half of them begin a call.
    let mut strangers = Vec::new();
    for n in 0..80 {
        let mut stranger = TcpStream::connect(("127.0.0.1", host.port)).await.unwrap();
        if n % 2 == 0 {
            stranger.write_all(b"kriegspiel-ks 1\n").await.unwrap();
        }
        strangers.push(stranger);
    }
    let (mut near, task) = guest(&two, &key, Wishes::default(), host.port);
    game(&mut near).await;
    task.abort();
    // The host has disconnected the first stranger, with a reason.
    let mut told = String::new();
    strangers[0].read_to_string(&mut told).await.unwrap();
    assert!(told.starts_with("kriegspiel-ks 1 bsy\n"), "{told}");
    assert!(told.contains("callers without the game's key"), "{told}");
}

/// If the host has too many connections, it disconnects the guest. The guest tells its player why,
/// and calls again.
#[tokio::test]
async fn guest_calls_again_after_a_full_host_refused_it() {
    let (two, key) = (Folder::new(), GameKey::draw());
    let full = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = full.local_addr().unwrap().port();
    let (_near, task, mut news) = guest_with_news(&two, &key, Wishes::default(), port);
    for _ in 0..2 {
        let (mut call, _) = timeout(LONG, full.accept()).await.unwrap().unwrap();
        call.write_all(b"kriegspiel-ks 1 bsy\nmore").await.unwrap();
        call.shutdown().await.unwrap();
        let mut rest = Vec::new();
        let _reset = call.read_to_end(&mut rest).await;
    }
    let told = news.recv().await.unwrap();
    assert!(told.contains("too many others call there"), "{told}");
    assert!(!task.is_finished());
    task.abort();
}

/// A second program with the same key takes the seat. The first program gets a message that its
/// seat is taken, and does not take the seat back.
#[tokio::test]
async fn second_guest_with_the_same_key_takes_the_seat() {
    let (one, two, three, key) = (Folder::new(), Folder::new(), Folder::new(), GameKey::draw());
    let host = host(&one, &key, Wishes::default()).await;
    let (mut first, first_task) = guest(&two, &key, Wishes::default(), host.port);
    let seat = game(&mut first).await;
    let (mut second, second_task) = guest(&three, &key, Wishes::default(), host.port);
    assert_eq!(game(&mut second).await.0, seat.0);
    let ended = timeout(LONG, first_task).await.unwrap().unwrap();
    let why = ended.expect_err("the first guest must end").to_string();
    assert!(
        why.contains("called with your name and this key") && why.contains("--new"),
        "{why}"
    );
    assert!(!second_task.is_finished());
    second_task.abort();
}

/// A guest disconnects if the host reveals a share that differs from its commitment. A guest also
/// disconnects if the host does not give it the seat that the coin decided.
#[tokio::test]
async fn guest_disconnects_from_a_cheating_host() {
    for lies in ["lot", "seat"] {
        let (folder, key) = (Folder::new(), GameKey::draw());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (_near, task) = guest(&folder, &key, Wishes::default(), port);
        let (stream, _) = listener.accept().await.unwrap();
        let answers = Channel::<GuestSays, HostSays>::answer(stream, &key, Timeouts::default());
        let mut line = answers.await.unwrap();
        let mut lot = CoinShare::draw(Wishes::default());
        line.next().await.unwrap();
        line.say(HostSays::Hello {
            version: VERSION,
            name: "anna".to_owned(),
            commitment: lot.commitment(Endpoint::Host),
        });
        while !matches!(line.next().await, Ok(GuestSays::Commit { .. })) {}
        if lies == "lot" {
            lot.lot = Bytes32([0; 32]);
        }
        line.say(HostSays::Reveal { lot });
        if lies == "seat" {
            let hosts = loop {
                match line.next().await.unwrap() {
                    GuestSays::Reveal { lot } => break lot,
                    _ => {}
                }
            };
            let agreed = Agreed::of(&lot, &hosts);
            line.say(HostSays::Seated(AgreedGame {
                game: "abc".to_owned(),
                // This is not the seat that the coin gave to the guest.
                seat: agreed.host.into(),
                rules: agreed.rules().to_owned(),
                tossed: agreed.tossed(),
            }));
        }
        let ended = timeout(LONG, task).await.unwrap().unwrap();
        assert!(matches!(ended, Err(GuestEnd::Coin(_))), "{lies}: {ended:?}");
    }
}

/// A host may draw again as long as the guest has shown nothing; the guest then draws again, too.
/// Once the guest has revealed its share, another commitment of the host ends the dialogue.
#[tokio::test]
async fn guest_refuses_a_host_that_redraws_after_the_reveal() {
    let (folder, key) = (Folder::new(), GameKey::draw());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (_near, task) = guest(&folder, &key, Wishes::default(), port);
    let (mut commitments, mut last) = (Vec::new(), None);
    for step in ["commits", "redraws and reveals", "commits again", "redraws"] {
        let (stream, _) = listener.accept().await.unwrap();
        let answers = Channel::<GuestSays, HostSays>::answer(stream, &key, Timeouts::default());
        let mut line = answers.await.unwrap();
        line.next().await.unwrap();
        let lots = [1, 2, 2, 3].map(|n| CoinShare {
            lot: Bytes32([n; 32]),
            wishes: Wishes::default(),
        });
        let lot = lots[commitments.len()];
        line.say(HostSays::Hello {
            version: VERSION,
            name: "anna".to_owned(),
            commitment: lot.commitment(Endpoint::Host),
        });
        if step == "redraws" {
            last = Some(line);
            break;
        }
        let theirs = loop {
            if let GuestSays::Commit { commitment } = line.next().await.unwrap() {
                break commitment;
            }
        };
        commitments.push(theirs);
        if step == "redraws and reveals" {
            line.say(HostSays::Reveal { lot });
            while !matches!(line.next().await, Ok(GuestSays::Reveal { .. })) {}
        }
    }
    assert_ne!(commitments[0], commitments[1], "the guest must draw again");
    assert_eq!(
        commitments[1], commitments[2],
        "the guest must keep its share"
    );
    let ended = timeout(LONG, task).await.unwrap().unwrap();
    let Err(GuestEnd::Coin(why)) = ended else {
        panic!("{ended:?}");
    };
    assert!(why.contains("already revealed"), "{why}");
    drop(last);
}
