//! Properties that must hold for every input to the doors. A door takes lines of text.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use club::{Club, ColorWish, Settings, SystemClock, Terms, TimeControl};
use doors::{
    base::{Closing, ConnectionLimits, Console, DoorLimits, Input, telnet::Reader},
    ics::{IcsState, converse},
    ks::{GuestSays, HostSays, Player, message},
    teletype,
};
use kriegspiel::rules::rulesets;
use store::MemoryStore;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf, duplex, split},
    runtime::Builder,
    time::timeout,
};

/// Maximum length of a line, in bytes.
const MAX_LENGTH: usize = 64;

fn read(pieces: &mut dyn Iterator<Item = &[u8]>) -> (Vec<Input>, Vec<u8>) {
    let mut reader = Reader::new(MAX_LENGTH);
    let mut items = Vec::new();
    for piece in pieces {
        reader.read(piece, |item| items.push(item));
    }
    (items, reader.replies())
}

/// Telnet: the result does not depend on how the bytes are split into reads. A line
/// is text without control characters, and is not too long.
pub fn telnet(data: &[u8]) {
    let whole = read(&mut std::iter::once(data));
    assert_eq!(read(&mut data.chunks(1)), whole);
    assert_eq!(read(&mut data.chunks(7)), whole);
    for item in whole.0 {
        if let Input::Line(line) = item {
            assert!(!line.chars().any(char::is_control));
            // An invalid byte becomes a replacement character of three bytes.
            assert!(line.len() <= 3 * MAX_LENGTH);
        }
    }
}

type Line = (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>);

fn let_in(hall: &IcsState) -> Line {
    let (near, far) = duplex(1 << 20);
    let address = SocketAddr::from(([192, 0, 2, 1], 4000));
    let limits = ConnectionLimits {
        lines_per_second: 10_000,
        ..ConnectionLimits::default()
    };
    tokio::spawn(converse(hall.clone(), Console::open(far, address, limits)));
    split(near)
}

/// Sends bytes. Returns the output up to a pause.
async fn ask(line: &mut Line, bytes: &[u8]) -> Vec<u8> {
    let _gone = line.1.write_all(bytes).await;
    let mut all = Vec::new();
    let mut some = [0; 4096];
    while let Ok(Ok(n @ 1..)) = timeout(Duration::from_millis(5), line.0.read(&mut some)).await {
        all.extend(&some[..n]);
    }
    all
}

/// The door for clients of chess servers. Two players play under the ruleset that the first byte
/// selects. The first, third, fifth line and so on are from White, the other lines are from Black.
/// No input makes the door panic or stop. So after the last line two things are checked: every
/// session that has not ended gets an answer to a further line, and a new client can sign in.
pub fn ics(data: &[u8]) {
    let Some((first, data)) = data.split_first() else {
        return;
    };
    let rules = &rulesets::ALL[usize::from(*first) % rulesets::ALL.len()];
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("the runtime can be created");
    runtime.block_on(async {
        let store = Arc::new(MemoryStore::default());
        let club = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await;
        let club = club.expect("the club opens");
        let mut ids = Vec::new();
        for name in ["Anna", "Bert"] {
            ids.push(
                club.register(name, "secret-123")
                    .await
                    .expect("the account can be created")
                    .id,
            );
        }
        let terms = Terms {
            rules: rules.id.to_string(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::White,
        };
        let seek = club
            .seek(ids[0], terms)
            .await
            .expect("the seek can be made");
        club.accept(&seek.id, ids[1])
            .await
            .expect("the seek can be accepted");
        let hall = IcsState::new(club, DoorLimits::default(), Closing::default());
        let mut both = [let_in(&hall), let_in(&hall)];
        for (line, name) in both.iter_mut().zip(["Anna", "Bert"]) {
            let told = ask(line, format!("{name}\r\nsecret-123\r\n").as_bytes()).await;
            assert!(String::from_utf8_lossy(&told).contains("Creating: Anna"));
        }
        for (n, text) in data
            .split_inclusive(|byte| *byte == b'\n')
            .take(40)
            .enumerate()
        {
            ask(&mut both[n % 2], text).await;
        }
        let left = hall.people().len();
        let mut answered = 0;
        for line in &mut both {
            let told = ask(
                line,
                b"\r\n\xff\xf0\r\nunalias date\r\nset prompt 1\r\n\ndate\r\n",
            )
            .await;
            answered += usize::from(String::from_utf8_lossy(&told).contains("(UTC)"));
        }
        assert!(
            answered >= left,
            "only {answered} of {left} open sessions are answered"
        );
        let mut third = let_in(&hall);
        let told = ask(&mut third, b"guest\r\n").await;
        assert!(
            String::from_utf8_lossy(&told).contains("**** Starting Kriegspiel session as guest")
        );
    });
}

/// `ks`: a line that begins with `{` is a message from the other end; any other line is text that
/// the player types. No input makes a player panic. The output contains no control characters from
/// the input, and every message of a player can be parsed again.
pub fn ks(data: &[u8]) {
    let folder = TempDir::with_prefix("kriegspiel-fuzz-ks-");
    let folder = folder.expect("the temporary folder must be writable");
    let names = ["anna", "bert"].map(str::to_owned);
    let mut player = Player::new(names, data.len() % 2 == 1, folder.path().to_owned());
    for line in data.split(|byte| *byte == b'\n').take(40) {
        let reaction = if line.starts_with(b"{") {
            let _unread: Result<GuestSays, _> = message(line);
            let Ok(says) = message::<HostSays>(line) else {
                continue;
            };
            // A message that cannot be understood is an error, and ends the game.
            let Ok(reaction) = player.hear(says) else {
                break;
            };
            reaction
        } else {
            let typed = player.typed(&String::from_utf8_lossy(line));
            typed.expect("the request can be stored")
        };
        for shown in &reaction.shows {
            assert!(!shown.chars().any(char::is_control), "{shown:?}");
        }
        for says in reaction.says {
            let json = serde_json::to_vec(&says).expect("the message can be written as JSON");
            assert_eq!(message::<GuestSays>(&json), Ok(says));
        }
        let _drawn = (player.board(), player.heading());
    }
}

/// UMPIRE: two teletypes. The first byte decides two things: whether the program keeps the
/// simplifications of 1965, and which lines the second console types. No input makes a conversation
/// panic. While its connection is open, a console prints only characters that a teletype can print.
pub fn teletype(data: &[u8]) {
    let Some((first, data)) = data.split_first() else {
        return;
    };
    let settings = teletype::Settings {
        as_in_1965: first & 1 == 1,
        cps: None,
    };
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("the runtime can be created");
    runtime.block_on(async {
        let store = Arc::new(MemoryStore::default());
        let club = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await;
        let club = club.expect("the club opens");
        let door = teletype::Teletypes::new(club.clone(), settings, Closing::default());
        let mut conversations = Vec::new();
        let mut both: Vec<Line> = Vec::new();
        for who in 1..=2 {
            let (near, far) = duplex(1 << 20);
            let address = SocketAddr::from(([192, 0, 2, who], 4000));
            let console = Console::open(far, address, settings.connection());
            let door = door.clone();
            conversations.push(tokio::spawn(async move {
                let _hung_up = teletype::converse(&door, console).await;
            }));
            let mut line = split(near);
            ask(&mut line, b"N\r\n").await;
            both.push(line);
        }
        let begun = ask(&mut both[0], b"Y\r\n").await;
        assert!(!begun.is_empty(), "the game begins");
        for (n, text) in data
            .split_inclusive(|byte| *byte == b'\n')
            .take(40)
            .enumerate()
        {
            let n = if first & 2 == 2 { n % 2 } else { n / 2 % 2 };
            ask(&mut both[n], text).await;
            for line in &mut both {
                let printed = ask(line, b"").await;
                let text = |byte: &u8| byte.is_ascii_graphic() || b" \r\n\x07".contains(byte);
                assert!(
                    // Output with the byte 255 is not checked: this byte begins a reply to a telnet
                    // option.
                    printed.contains(&255) || printed.iter().all(text),
                    "{printed:?}"
                );
            }
        }
        drop(both);
        for conversation in conversations {
            timeout(Duration::from_secs(3600), conversation)
                .await
                .expect("a console that hung up ends its conversation")
                .expect("a conversation does not panic");
        }
        club.close().await;
    });
}
