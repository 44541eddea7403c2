//! Strangers attack the club. Each attacker has its own addresses, and pauses when the run asks for
//! it.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::{SinkExt, StreamExt};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_tungstenite::tungstenite::Message;
use wire::{ClientSays, SeekJson, ServerSays, TryJson};

use crate::{
    ground::{Ground, address},
    running::{
        http::{ask_from, connect_from},
        socket::{Socket, open_from},
    },
};

/// Number of visitors who ask for the files of a game that is long, and finished.
const VISITORS: usize = 8;
/// Number of sockets that one stranger tries to open at once.
const SOCKETS: usize = 300;
/// Number of sockets that listen to the lobby.
const LOBBY_SOCKETS: usize = 40;
/// Number of sockets over which one seat makes private attempts.
const SEAT_SOCKETS: usize = 10;
/// Number of addresses from which passwords are guessed.
const GUESSERS: usize = 10;
/// Pause of a stranger whose connection was refused.
const PAUSE: Duration = Duration::from_millis(100);
/// When no message has come for this time, a stranger makes the next attempt.
const HEARING_PAUSE: Duration = Duration::from_millis(30);

/// What the attackers know of the club.
#[derive(Clone)]
pub struct Targets {
    /// A game that is long, and finished.
    pub long_game: String,
    /// A game of the attackers, and the tokens of both seats.
    pub game: String,
    pub tokens: [String; 2],
    /// The name of an account whose password is guessed.
    pub account: String,
    /// Ports of the doors.
    pub doors: [u16; 2],
}

/// Starts all attackers. The attackers stop at the end of the run.
pub fn start(ground: &Arc<Ground>, targets: &Targets, dice: &mut StdRng) -> JoinSet<()> {
    let mut all = JoinSet::new();
    let mut seed = || StdRng::seed_from_u64(dice.random());
    for n in 0..VISITORS {
        all.spawn(replays(Arc::clone(ground), targets.clone(), n));
    }
    for n in 0..SEAT_SOCKETS {
        all.spawn(private_tries(
            Arc::clone(ground),
            targets.clone(),
            n,
            seed(),
        ));
    }
    all.spawn(repeats(Arc::clone(ground), targets.clone()));
    all.spawn(many_sockets(Arc::clone(ground)));
    for n in 0..GUESSERS {
        all.spawn(guesses(Arc::clone(ground), targets.clone(), n));
    }
    for n in 0..LOBBY_SOCKETS {
        all.spawn(lobby_listener(Arc::clone(ground), n));
    }
    all.spawn(lobby_changes(Arc::clone(ground)));
    all.spawn(bad_frames(Arc::clone(ground), targets.clone(), seed()));
    all.spawn(bad_bytes(Arc::clone(ground), targets.clone(), seed()));
    all
}

/// Requests files of a game that is long and finished, again and again.
async fn replays(ground: Arc<Ground>, targets: Targets, number: usize) {
    let from = address(11, number);
    let files = ["finished.json", "finished.pgn", "finished.txt", "steps"];
    for file in files.into_iter().cycle() {
        let Some(to) = ground.attacked().await else {
            return;
        };
        let path = format!("/api/games/{}/{file}", targets.long_game);
        match ask_from(from, to, "GET", &path, "", "").await {
            Ok((200, _)) => ground.count("attacks: files of the long game"),
            Ok((429, _)) => ground.count("attacks: files refused"),
            Ok((503, _)) | Err(_) => {}
            Ok((status, body)) => ground.fault(format!("{path}: {status} {body}")),
        }
        sleep(PAUSE).await;
    }
}

/// Makes private attempts, again and again, over many sockets of one seat.
async fn private_tries(ground: Arc<Ground>, targets: Targets, number: usize, mut dice: StdRng) {
    let tries = [
        "e2d3", "e2f3", "d2c3", "d2e3", "a1a8", "h1h8", "b1b8", "any", "e1e8", "c1h6",
    ];
    let from = address(12, 0);
    let mut asked = 0_u64;
    while let Some(to) = ground.attacked().await {
        let Ok(mut socket) = Socket::open_from(from, to, &targets.tokens[0]).await else {
            sleep(PAUSE).await;
            continue;
        };
        let (game, mut after) = (targets.game.clone(), 0);
        if socket
            .say(&ClientSays::Watch { game, after })
            .await
            .is_err()
        {
            continue;
        }
        while ground.is_up() && *ground.attacks.borrow() {
            let says = ClientSays::Try {
                id: format!("private-{number}-{asked}"),
                game: targets.game.clone(),
                after,
                text: (*tries.choose(&mut dice).unwrap()).to_owned(),
                ask: false,
            };
            asked += 1;
            if socket.say(&says).await.is_err() {
                break;
            }
            ground.count("attacks: private attempts");
            while let Ok(Ok(says)) = timeout(HEARING_PAUSE, socket.hear()).await {
                if let ServerSays::Heard { hearing, .. } = &says {
                    after = hearing.n;
                }
                if matches!(says, ServerSays::Answer { n: Some(_), .. }) {
                    ground.count("attacks: private attempts answered");
                }
            }
        }
    }
}

/// Sends the same request over and over again.
async fn repeats(ground: Arc<Ground>, targets: Targets) {
    let from = address(13, 0);
    let asked = TryJson {
        id: "again".to_owned(),
        after: 1,
        text: "e7d6".to_owned(),
        ask: false,
    };
    let body = serde_json::to_string(&asked).unwrap();
    let path = format!("/api/games/{}/tries", targets.game);
    while let Some(to) = ground.attacked().await {
        let all = (0..10).map(|_| ask_from(from, to, "POST", &path, &targets.tokens[1], &body));
        for answer in futures_util::future::join_all(all).await {
            match answer {
                Ok((500, body)) => ground.fault(format!("{path}: {body}")),
                Ok(_) => ground.count("attacks: repeated requests"),
                Err(_) => {}
            }
        }
        sleep(PAUSE).await;
    }
}

/// Opens very many sockets at once, as one stranger.
async fn many_sockets(ground: Arc<Ground>) {
    let from = address(14, 0);
    while let Some(to) = ground.attacked().await {
        let open = Arc::new(AtomicUsize::new(0));
        let mut all = JoinSet::new();
        for _ in 0..SOCKETS {
            let open = Arc::clone(&open);
            all.spawn(async move {
                if let Ok(socket) = open_from(from, to, "").await {
                    open.fetch_add(1, Ordering::Relaxed);
                    sleep(Duration::from_secs(1)).await;
                    drop(socket);
                }
            });
        }
        while all.join_next().await.is_some() {}
        let open = open.load(Ordering::Relaxed);
        ground.add("attacks: sockets opened", open as u64);
        ground.add("attacks: sockets refused", (SOCKETS - open) as u64);
        sleep(PAUSE).await;
    }
}

/// Guesses the password of an account, and of a name without an account.
async fn guesses(ground: Arc<Ground>, targets: Targets, number: usize) {
    let from = address(15, number);
    let names = [targets.account.as_str(), "nobody-at-all"];
    for (guess, name) in names.into_iter().cycle().enumerate() {
        let Some(to) = ground.attacked().await else {
            return;
        };
        let body = format!(r#"{{"name":"{name}","password":"guess-{number}-{guess}"}}"#);
        match ask_from(from, to, "POST", "/api/sessions", "", &body).await {
            Ok((200 | 201, _)) => ground.fault(format!("guess {guess} at {name} was right")),
            Ok((500, body)) => ground.fault(format!("/api/sessions: {body}")),
            Ok(_) => ground.count("attacks: passwords guessed"),
            Err(_) => {}
        }
        sleep(5 * PAUSE).await;
    }
}

/// Changes the lobby while many sockets listen to it.
async fn lobby_changes(ground: Arc<Ground>) {
    let terms = r#"{"rules":"wild16","time":{"kind":"unlimited"},"color":"any"}"#;
    // Each address makes fewer offers than the limit per hour allows.
    'addresses: for number in 0.. {
        let from = address(16, number);
        let Some(token) = guest(&ground, from).await else {
            return;
        };
        for _ in 0..250 {
            let Some(to) = ground.attacked().await else {
                return;
            };
            if let Ok((status, body)) =
                ask_from(from, to, "POST", "/api/seeks", &token, terms).await
            {
                match status {
                    201 => ground.count("attacks: seeks"),
                    429 => continue 'addresses,
                    _ => {}
                }
                if let Ok(SeekJson { id, .. }) = serde_json::from_str(&body) {
                    let path = format!("/api/seeks/{id}");
                    let _away = ask_from(from, to, "DELETE", &path, &token, "").await;
                }
            }
            sleep(3 * PAUSE).await;
        }
    }
}

/// Creates a guest. Returns `None` at the end of the run.
async fn guest(ground: &Ground, from: IpAddr) -> Option<String> {
    loop {
        let to = ground.attacked().await?;
        let made = ask_from(from, to, "POST", "/api/guests", "", r#"{"token":true}"#).await;
        if let Ok((201, body)) = made {
            let session: Option<wire::SessionJson> = serde_json::from_str(&body).ok();
            return session?.token;
        }
        sleep(PAUSE).await;
    }
}

async fn lobby_listener(ground: Arc<Ground>, number: usize) {
    while let Some(to) = ground.open().await {
        let Ok(mut socket) = Socket::open_from(address(17, number), to, "").await else {
            sleep(PAUSE).await;
            continue;
        };
        if socket.say(&ClientSays::Lobby { on: true }).await.is_err() {
            continue;
        }
        while let Ok(says) = socket.hear().await {
            if matches!(says, ServerSays::LobbyChanges { .. }) {
                ground.count("attacks: changes of the lobby heard");
            }
        }
    }
}

/// Sends frames that are not messages.
async fn bad_frames(ground: Arc<Ground>, targets: Targets, mut dice: StdRng) {
    let from = address(18, 0);
    while let Some(to) = ground.attacked().await {
        let token = ["", targets.tokens[0].as_str()][dice.random_range(0..2)];
        let Ok(mut socket) = open_from(from, to, token).await else {
            sleep(PAUSE).await;
            continue;
        };
        for _ in 0..20 {
            let sent = socket.send(bad_frame(&targets.game, &mut dice)).await;
            if sent.is_err() {
                break;
            }
            ground.count("attacks: bad frames");
        }
        while let Ok(Some(Ok(_))) = timeout(Duration::from_millis(50), socket.next()).await {}
    }
}

fn bad_frame(game: &str, dice: &mut StdRng) -> Message {
    let length = dice.random_range(0..300);
    let noise: Vec<u8> = (0..length).map(|_| dice.random()).collect();
    match dice.random_range(0..8) {
        0 => Message::binary(noise),
        1 => Message::text(String::from_utf8_lossy(&noise).into_owned()),
        2 => Message::text("x".repeat(dice.random_range(1..100_000))),
        3 => Message::text("[".repeat(dice.random_range(1..5_000))),
        4 => Message::text(r#"{"type":"try"}"#),
        5 => Message::text(format!(
            r#"{{"type":"watch","game":"{game}","after":4294967295}}"#
        )),
        6 => Message::text(r#"{"type":"act","id":"","game":"../..","act":"abort"}"#),
        _ => Message::Ping(noise.into_iter().take(100).collect::<Vec<_>>().into()),
    }
}

/// Sends bytes that are neither HTTP nor lines of a person at a door.
async fn bad_bytes(ground: Arc<Ground>, targets: Targets, mut dice: StdRng) {
    let from = address(19, 0);
    while let Some(to) = ground.attacked().await {
        let [ics, teletype] = targets.doors.map(|port| SocketAddr::new(to.ip(), port));
        let at = *[to, ics, teletype].choose(&mut dice).unwrap();
        let length = dice.random_range(1..2_000);
        let mut noise: Vec<u8> = (0..length).map(|_| dice.random()).collect();
        if dice.random_bool(0.5) {
            let start = b"GET /api/me HTTP/1.1\r\nhost: club\r\ncontent-length: 99\r\n";
            noise.splice(0..0, start.iter().copied());
        }
        let sent = async {
            let mut stream = connect_from(from, at).await?;
            stream.write_all(&noise).await?;
            let mut answer = [0; 1024];
            stream.read(&mut answer).await
        };
        if let Ok(Ok(_)) = timeout(Duration::from_millis(200), sent).await {
            ground.count("attacks: connections with bad bytes");
        }
        sleep(PAUSE).await;
    }
}
