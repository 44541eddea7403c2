//! Tests of `ks` with two players who meet at a club. Neither of them runs a
//! referee.

use std::{
    fs,
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use wire::{LobbyJson, SessionJson};

use crate::{
    ends::{End, Folder as Kept},
    journal::{heard, own_moves, waits, whole_game},
    running::{self, Folder, Running, http},
};

/// A club, and the folder in which its players store their state.
pub struct Club {
    running: Option<Running>,
    folder: Folder,
    address: SocketAddr,
    kept: Kept,
}

impl Club {
    pub fn open() -> Club {
        let folder = Folder::new();
        let running = Running::start(running::serve(&folder), &folder);
        Club {
            address: running.address,
            running: Some(running),
            folder,
            kept: Kept::new(),
        }
    }

    /// Kills the club with SIGKILL.
    fn is_killed(&mut self) {
        self.running.take().unwrap().kill();
    }

    fn is_open_again(&mut self) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        running::plain(&mut command);
        let mut words = running::words(&self.folder.file());
        let listen = words.iter().position(|word| word == "127.0.0.1:0");
        words[listen.unwrap()] = self.address.to_string();
        command.args(words);
        self.running = Some(Running::start(command, &self.folder));
    }

    /// Creates an account, and returns a token for it.
    pub fn account(&self, name: &str) -> String {
        let body = format!(r#"{{"name":"{name}","password":"a long one","token":true}}"#);
        let made = http::ask(self.address, "POST", "/api/accounts", "", &body);
        let (status, body) = made.unwrap();
        assert_eq!(status, 201, "{body}");
        let session: SessionJson = serde_json::from_str(&body).unwrap();
        session.token.unwrap()
    }

    /// Returns the command of the player with this token. If the token is empty, the player is a
    /// guest.
    pub fn command(&self, token: &str, options: &[&str], opponent: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        running::plain(&mut command);
        if !token.is_empty() {
            command.env("KRIEGSPIEL_TOKEN", token);
        }
        command
            .env("KRIEGSPIEL_KS_STATE", self.kept.path())
            .args(["ks", "--url", &format!("http://{}", self.address)])
            .args(options)
            .arg(opponent);
        command
    }

    pub fn end(&self, token: &str, options: &[&str], opponent: &str) -> End {
        End::start(self.command(token, options, opponent))
    }

    /// Returns the folder in which a player's end stores its state.
    fn kept(&self, me: &str, opponent: &str) -> PathBuf {
        let club = self.address.to_string().replace(':', "_");
        let clubs = self.kept.path().join("-clubs").join(club);
        clubs.join(me).join(opponent)
    }

    /// Returns the lobby as this account sees it.
    fn lobby(&self, token: &str) -> LobbyJson {
        let (_, body) = http::ask(self.address, "GET", "/api/lobby", token, "").unwrap();
        serde_json::from_str(&body).unwrap()
    }
}

#[test]
fn two_accounts_meet_by_name_and_survive_kills() {
    let mut club = Club::open();
    let [anna, bert] = ["Anna", "bert"].map(|name| club.account(name));
    let mut one = club.end(&anna, &["-dw"], "bert");
    one.hears("bert is offered ks, White for Anna.");
    one.hears("--name bert Anna");
    // Upper and lower case make no difference in names.
    let mut other = club.end(&bert, &["-d"], "anna");
    one.hears("You play White against bert, by the rules ks:");
    other.hears("You play Black against anna, by the rules ks:");
    one.hears("bert is here.");
    other.hears("anna is here.");
    one.types("p-k4");
    one.hears("You play e2e4.");
    other.hears("White has moved.");
    other.types("say hello");
    one.hears("bert says: hello");
    one.types("mute");
    one.hears("Messages of bert are not shown.");
    one.types("say anything");
    one.hears("you have muted bert");
    other.types("say again");
    other.hears("has muted you: your messages and challenges do not arrive");
    one.types("unmute");
    one.hears("Messages of bert are shown.");
    one.types("say once more");
    other.hears("says: once more");

    // The club is killed. A line that is typed meanwhile is sent when the club is open again.
    club.is_killed();
    other.hears("The program tries again until the club answers.");
    other.types("d5");
    other.types("say still here");
    // The mute fails, so messages of Bert are still shown: `one` hears "still here" below.
    one.types("mute");
    one.hears("The club has not stored the change: ");
    club.is_open_again();
    other.hears("You play d7d5.");
    one.hears_each(&["Black has moved.", "bert says: still here"]);

    // An end is killed while it makes a request.
    let [annas, berts] = [club.kept("Anna", "bert"), club.kept("bert", "anna")];
    one.types("pxq5");
    while !waits(&annas) && own_moves(&annas).len() < 2 {
        thread::yield_now();
    }
    one.kill();
    let mut one = club.end(&anna, &["-dw"], "bert");
    one.hears("The game continues.");
    one.hears("You play e4d5.");
    other.hears("on d5 is gone");
    assert_eq!(own_moves(&annas), ["e2e4", "e4d5"]);
    assert_eq!(club.lobby(&anna).mine.len(), 1);
    // Bert leaves, Anna resigns, and Bert hears of the resignation after coming back.
    other.types("quit");
    assert!(other.ends().0.success());
    assert!(fs::read_dir(&berts).unwrap().count() > 1);
    one.types("any");
    one.hears("is not your move");
    one.types("resign");
    let (status, said) = one.ends();
    assert!(status.success(), "{said:?}");
    let (status, heard_last) = club.end(&bert, &["-d"], "anna").ends();
    assert!(status.success(), "{heard_last:?}");
    for said in [said, heard_last] {
        let said = said.join("\n");
        assert!(said.contains("White resigns: Black wins, 0-1."), "{said}");
        assert!(said.ends_with("The game is over."), "{said}");
    }
    assert_eq!(whole_game(&annas), whole_game(&berts));
    assert!(whole_game(&berts).contains("[White \"Anna\"]"));
    assert_eq!(own_moves(&berts), ["d7d5"]);
    assert!(!heard(&berts).is_empty());
    assert_eq!(club.lobby(&anna).mine, []);
}

/// Options of Anna and of Bert, Anna's colour (`?`: the club draws it at random), and
/// the rules.
const PAIRS: &[(&[&str], &[&str], char, &str)] = &[
    (&["-d"], &["-d"], '?', "ks:"),
    (&["-d"], &["-db"], 'w', "ks:"),
    (&["-dw", "+a"], &["-dw"], '?', "ks+a:"),
    (&["-dc"], &["-dw", "+p"], '?', "ks+p:"),
    (&["-db", "+a"], &["-d", "+p"], 'b', "ks+ap:"),
];

/// Both players start at the same time, and there is only one game.
#[test]
fn players_who_start_together_get_one_game() {
    let club = Club::open();
    let mut met = Vec::new();
    for (number, (annas, berts, color, rules)) in PAIRS.iter().enumerate() {
        let names = [format!("anna{number}"), format!("bert{number}")];
        let [anna, bert] = names.each_ref().map(|name| club.account(name));
        let one = club.end(&anna, annas, &names[1]);
        let other = club.end(&bert, berts, &names[0]);
        met.push((one, other, [anna, bert], *color, *rules));
    }
    for (mut one, mut other, tokens, color, rules) in met {
        let (first, second) = (one.hears("You play "), other.hears("You play "));
        let by = format!("by the rules {rules}");
        assert!(
            first.contains(&by) && second.contains(&by),
            "{first} {second}"
        );
        let white = first.contains("You play White");
        assert_ne!(white, second.contains("You play White"));
        match color {
            'w' => assert!(white, "{first}"),
            'b' => assert!(!white, "{first}"),
            _ => {}
        }
        for token in tokens {
            let lobby = club.lobby(&token);
            assert_eq!(lobby.mine.len(), 1);
            assert_eq!(lobby.challenges, []);
        }
    }
}

#[test]
fn a_guest_who_leaves_before_a_game_withdraws_the_invitation() {
    let club = Club::open();
    let mut one = club.end("", &["-d"], "bert");
    let line = one.hears("They type: kriegspiel ks --url ");
    one.types("quit");
    let (status, said) = one.ends();
    assert!(status.success(), "{said:?}");
    assert!(
        said.join("\n").contains("before the game has begun"),
        "{said:?}"
    );
    let (_, words) = line.split_once("--url ").unwrap();
    let (link, name) = words.split_once(' ').unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    running::plain(&mut command);
    command.env("KRIEGSPIEL_KS_STATE", Kept::new().path());
    command.args(["ks", "-d", "--url", link, name]);
    let (status, said) = End::start(command).ends();
    assert_eq!(status.code(), Some(1), "{said:?}");
    assert!(said.join("\n").contains("no such invitation"), "{said:?}");
}

#[test]
fn invitation_of_a_guest_is_accepted_by_its_link() {
    let club = Club::open();
    let mut one = club.end("", &["-dw", "+a"], "bert");
    let line = one.hears("They type: kriegspiel ks --url ");
    let (_, words) = line.split_once("--url ").unwrap();
    let (link, name) = words.split_once(' ').unwrap();
    let follows = |state: &Kept, options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        running::plain(&mut command);
        command
            .env("KRIEGSPIEL_KS_STATE", state.path())
            .args(["ks", "--url", link])
            .args(options)
            .arg("anna");
        End::start(command)
    };
    // The player who made the invitation chooses the terms of the game.
    let (status, said) = follows(&club.kept, &["-dw"]).ends();
    assert_eq!(status.code(), Some(1), "{said:?}");
    assert!(
        said.join("\n")
            .contains("the inviting player chooses the options"),
        "{said:?}"
    );
    let mut other = follows(&club.kept, &["-d"]);
    one.hears("You play White against bert, by the rules ks+a:");
    other.hears("You play Black against anna, by the rules ks+a:");
    assert!(name.starts_with("guest"), "{name}");
    // A third player follows the link too late.
    let (status, said) = follows(&Kept::new(), &["-d"]).ends();
    assert_eq!(status.code(), Some(1), "{said:?}");
    assert!(said.join("\n").contains("already accepted"), "{said:?}");

    one.types("e4");
    other.hears("White has moved.");
    // Each player comes back as the same guest.
    one.kill();
    other.kill();
    let mut one = club.end("", &["-dw", "+a"], "bert");
    one.hears("The game continues.");
    let mut other = club.end("", &["-d"], "anna");
    other.hears("The game continues.");
    other.types("e5");
    one.hears("Black has moved.");
    one.types("draw");
    other.hears("White offers a draw.");
    other.types("draw");
    for end in [one, other] {
        let (status, said) = end.ends();
        assert!(status.success(), "{said:?}");
    }
    let wholes =
        [("guest", "bert"), ("guest", "anna")].map(|(me, o)| whole_game(&club.kept(me, o)));
    assert_eq!(wholes[0], wholes[1]);
    assert!(wholes[0].contains("1/2-1/2"));
}

/// Starts a proxy between an end and the club. The proxy can delay all traffic.
fn between(to: SocketAddr) -> (SocketAddr, Arc<AtomicBool>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let holds = Arc::new(AtomicBool::new(false));
    let held = Arc::clone(&holds);
    thread::spawn(move || {
        for near in listener.incoming().map_while(Result::ok) {
            let Ok(far) = TcpStream::connect(to) else {
                continue;
            };
            for (mut from, mut to) in [
                (near.try_clone().unwrap(), far.try_clone().unwrap()),
                (far, near),
            ] {
                let held = Arc::clone(&held);
                thread::spawn(move || {
                    let mut bytes = [0; 4096];
                    while let Ok(n @ 1..) = from.read(&mut bytes) {
                        while held.load(Ordering::SeqCst) {
                            thread::sleep(Duration::from_millis(10));
                        }
                        if to.write_all(&bytes[..n]).is_err() {
                            break;
                        }
                    }
                    let _torn = to.shutdown(Shutdown::Both);
                });
            }
        }
    });
    (address, holds)
}

#[test]
fn silent_network_is_noticed_and_nothing_is_lost() {
    let mut club = Club::open();
    let [anna, bert] = ["anna", "bert"].map(|name| club.account(name));
    let mut other = club.end(&bert, &["-db"], "anna");
    other.hears("anna is offered");
    other.hears("Waiting for anna");
    let (address, holds) = between(club.address);
    club.address = address;
    let mut one = club.end(&anna, &["-d", "--silence=2"], "bert");
    one.hears("You play White");
    other.hears("You play Black");
    holds.store(true, Ordering::SeqCst);
    one.types("e4");
    one.hears("the connection was lost. The program tries again");
    holds.store(false, Ordering::SeqCst);
    one.hears("You play e2e4.");
    other.hears("White has moved.");
    assert_eq!(own_moves(&club.kept("anna", "bert")), ["e2e4"]);
}

#[test]
fn options_without_meaning_at_a_club_are_refused() {
    let club = Club::open();
    let [anna, bert] = ["anna", "bert"].map(|name| club.account(name));
    for (token, options, opponent, code, why) in [
        (&anna, &["+s"][..], "bert", 2, "neither end is the host"),
        (&anna, &["-s"], "bert", 2, "neither end is the host"),
        (&anna, &["7"], "bert", 2, "a port is part of the URL"),
        (&anna, &["-d"], "bert@mars", 2, "without a machine"),
        (&anna, &["--key", "abc"], "bert", 2, "there is no key"),
        (&anna, &["--new"], "bert", 2, "--new is for guests"),
        (&anna, &["-d"], "ANNA", 2, "anna is your own name"),
        (&anna, &["--name", "bert"], "carl", 2, "belongs to anna"),
        (
            &anna,
            &["-d"],
            "carl",
            1,
            "carl has no account at this club",
        ),
        (&"nonsense".to_owned(), &["-d"], "bert", 1, "token"),
    ] {
        let (status, said) = club.end(token, options, opponent).ends();
        assert_eq!(status.code(), Some(code), "{options:?}: {said:?}");
        assert!(said.join("\n").contains(why), "{said:?}");
    }
    // At a club, a coin toss cannot decide about an option. So both players get a message about the
    // conflict, and one player must change the wish.
    let mut one = club.end(&anna, &["-d", "+a"], "bert");
    let mut other = club.end(&bert, &["-d", "-a"], "anna");
    one.hears("One of you must give up this wish");
    other.hears("One of you must give up this wish");
    other.types("quit");
    assert!(other.ends().0.success());
    assert_eq!(
        club.lobby(&bert).challenges.len(),
        1,
        "only Anna's offer should be open"
    );
    let mut other = club.end(&bert, &["-d"], "anna");
    one.hears("by the rules ks+a:");
    other.hears("by the rules ks+a:");
}
