//! Tests of a club whose file is damaged. Either the club opens and its undamaged games can be
//! played, or the club ends and names the damage. The club never hangs.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for")]

mod running;

use std::{collections::BTreeMap, env, fs, net::SocketAddr, time::Duration};

use rand::{SeedableRng, rngs::StdRng};
use wire::{RefusedJson, SeatViewJson, TimeControlJson, TryJson};

use running::{
    Folder, Running,
    damage::{check, damage, open},
    http, serve,
};

/// Environment variable with the number of damaged files.
const FILES: &str = "KRIEGSPIEL_DAMAGED_FILES";
const FEW_FILES: usize = 12;
/// Seed of the random damage.
const SEED: u64 = 14;
/// Number of games in the file. The last two of these games are over.
const GAMES: usize = 8;

const RAPID: TimeControlJson = TimeControlJson::Fischer {
    initial: 1800,
    increment: 5,
};

/// A game in the undamaged file; White is to move.
struct StoredGame {
    id: String,
    white: String,
}

/// The files of a club, and its running games.
struct Original {
    /// Where the club ran. The files are damaged in place, because a club refuses the log of another
    /// file.
    folder: Folder,
    /// Contents of the files, by the suffix that follows the name of the database file.
    files: BTreeMap<&'static str, Vec<u8>>,
    games: Vec<StoredGame>,
}

fn say(at: SocketAddr, game: &str, token: &str, id: &str, text: &str) -> (u16, String) {
    let path = format!("/api/games/{game}/view");
    let (status, body) = http::ask(at, "GET", &path, token, "").unwrap();
    if status != 200 {
        return (status, body);
    }
    let view: SeatViewJson = serde_json::from_str(&body).unwrap();
    let asked = TryJson {
        id: id.to_owned(),
        after: view.n,
        text: text.to_owned(),
        ask: false,
    };
    let asked = serde_json::to_string(&asked).unwrap();
    let path = format!("/api/games/{game}/tries");
    http::ask(at, "POST", &path, token, &asked).unwrap()
}

fn original(closed: bool) -> Original {
    let folder = Folder::new();
    let mut server = Running::start(serve(&folder), &folder);
    let at = server.address;
    let mut games = Vec::new();
    for number in 0..GAMES {
        let (white, black) = (http::guest(at), http::guest(at));
        let id = http::game(at, &white, &black, "wild16", RAPID);
        for ply in 0..8 {
            // The knights of both sides move out and back. A few tries in between are refused.
            let (token, text) = match ply % 4 {
                0 => (&white, ["g1f3", "f3g1"][ply / 4]),
                1 => (&black, ["g8f6", "f6g8"][ply / 4]),
                2 => (&white, ["b1c3", "c3b1"][ply / 4]),
                _ => (&black, ["b8c6", "c6b8"][ply / 4]),
            };
            for (n, refused) in ["a1a8", "h1h8"].into_iter().enumerate() {
                say(at, &id, token, &format!("no-{ply}-{n}"), refused);
            }
            let (status, body) = say(at, &id, token, &format!("yes-{ply}"), text);
            assert_eq!(status, 200, "{body}");
        }
        if number < GAMES - 2 {
            games.push(StoredGame { id, white });
        } else {
            say(at, &id, &white, "end", "resign");
        }
    }
    if closed {
        assert!(server.terminate().success(), "{}", folder.log());
    } else {
        server.kill();
    }
    let mut files = BTreeMap::new();
    for end in ["", "-wal"] {
        let mut path = folder.file().into_os_string();
        path.push(end);
        if let Ok(bytes) = fs::read(path) {
            files.insert(end, bytes);
        }
    }
    Original {
        folder,
        files,
        games,
    }
}

/// Counts of the results for all files.
#[derive(Default)]
struct Found {
    counts: BTreeMap<String, u32>,
}

impl Found {
    fn count(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }
}

fn one(original: &Original, number: usize, found: &mut Found) {
    let mut dice = StdRng::seed_from_u64(SEED * 1_000_000 + number as u64);
    let folder = &original.folder;
    let mut files = original.files.clone();
    // SQLite treats unreadable data in the write-ahead log as an incomplete commit. So only the
    // database itself is damaged here.
    let bytes = files.get_mut("").unwrap();
    let done = damage(bytes, number / 2, &mut dice);
    for end in ["", "-wal", "-shm"] {
        let mut path = folder.file().into_os_string();
        path.push(end);
        match files.get(end) {
            Some(bytes) => fs::write(path, bytes).unwrap(),
            // The error means that the file does not exist.
            None => drop(fs::remove_file(path)),
        }
    }
    let _no_log = fs::remove_file(folder.path().join("log"));
    let title = format!("file {number} ({done})");
    let checked = check(&folder.file());
    let report = String::from_utf8_lossy(&checked.stdout).into_owned();
    let (club, at) = match open(folder) {
        Err(log) => {
            found.count(format!(
                "{done}: the damage is named, and the club does not open"
            ));
            assert!(log.contains("club.db"), "{title}: {log}");
            assert!(!log.contains("panicked"), "{title}: {log}");
            assert_eq!(checked.status.code(), Some(1), "{title}: {report} {log}");
            return;
        }
        Ok(opened) => opened,
    };
    found.count(format!("{done}: the club opens"));
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    for game in &original.games {
        if log.contains(&game.id) || report.contains(&game.id) {
            assert_eq!(checked.status.code(), Some(1), "{title}: {report}");
            found.count("damaged games named");
            continue;
        }
        let (status, body) = say(at, &game.id, &game.white, "after", "e2e4");
        match status {
            200 => found.count("undamaged games played"),
            401 => found.count("damaged sessions"),
            _ => {
                let refused: Result<RefusedJson, _> = serde_json::from_str(&body);
                panic!("{title}: {status} {refused:?} {report} {log}");
            }
        }
    }
    // A club without requests must use hardly any processor time.
    let before = club.cpu_time();
    std::thread::sleep(Duration::from_millis(500));
    let used = club.cpu_time() - before;
    assert!(
        used < Duration::from_millis(200),
        "{title}: {used:?} of 500 ms"
    );
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(!log.contains("panicked"), "{title}: {log}");
}

#[test]
fn damaged_files_open_or_the_damage_is_named() {
    let count = env::var(FILES).ok().and_then(|count| count.parse().ok());
    let count: usize = count.unwrap_or(FEW_FILES);
    let originals = [original(true), original(false)];
    assert!(originals[1].files.contains_key("-wal"));
    let mut found = Found::default();
    for number in 0..count {
        one(&originals[number % 2], number, &mut found);
    }
    for (what, count) in &found.counts {
        println!("figure: {what} {count}");
    }
    println!("figure: damaged files {count}");
    let of = |what: &str| found.counts.get(what).copied().unwrap_or(0);
    assert!(
        of("undamaged games played") > 0,
        "no undamaged game was played"
    );
}
