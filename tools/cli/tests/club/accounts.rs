//! Tests of `kriegspiel accounts` as a program.

use std::{
    path::PathBuf,
    process::{Command, Output},
};

use referee::{Game, Opened, StartPosition};
use rules::{Over, Reason, Winner, chess::ByColor, rulesets::WILD16};
use store::{
    Account, AccountKind, AccountNote, AccountState, Act, Against, GameId, MessageStore,
    NewAccount, NewRow, RatingStore, Scope, Session, SqliteStore, Store, StoredRating, TimeControl,
    TokenHash, testing::opened_game,
};
use tempfile::TempDir;

/// A folder with a club's file. The folder is removed when the test ends.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = TempDir::with_prefix("kriegspiel-accounts-");
        Folder(folder.expect("the temporary folder must be writable"))
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("club.db")
    }

    fn accounts(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        command.env_remove("KRIEGSPIEL_DATA").arg("accounts");
        command.args(words).arg("--data").arg(self.file());
        command.output().expect("the program starts")
    }

    /// Runs a command, checks that it succeeds, and returns its output.
    fn done(&self, words: &[&str]) -> String {
        let output = self.accounts(words);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{words:?}: {output:?}");
        text
    }
}

async fn add(store: &SqliteStore, name: &str, kind: AccountKind) -> Account {
    let new = NewAccount {
        name: name.to_owned(),
        kind,
        password: (kind == AccountKind::Person).then(|| "$argon2id$old".to_owned()),
        at: 1_795_341_600_000,
    };
    let id = store
        .create_account(&new)
        .await
        .expect("the account is created");
    store.account(id).await.expect("the account exists")
}

/// The test keeps the store open while the commands run, as a running club does.
#[tokio::test]
async fn accounts_can_be_changed_while_the_store_is_open() {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file())
        .await
        .expect("the store opens");
    let anna = add(&store, "Anna", AccountKind::Person).await;
    add(&store, "guest-1", AccountKind::Guest).await;
    add(&store, "sparring", AccountKind::Program).await;
    let session = Session {
        token: TokenHash([1; 32]),
        account: anna.id,
        at: 0,
        until: i64::MAX,
        generation: 0,
        label: String::new(),
        scope: Scope::Play,
    };
    store
        .create_session(&session)
        .await
        .expect("the session is created");
    let list = folder.done(&["list"]);
    assert!(list.contains("Anna") && list.contains("active"), "{list}");
    assert!(list.contains("2026-11-2"), "{list}");
    assert!(!list.contains("guest-1"), "{list}");
    assert!(folder.done(&["list", "--guests"]).contains("guest-1"));

    let before = store
        .account_changes(0)
        .await
        .expect("the changes can be read")
        .last;
    let renamed = folder.done(&["rename", "anna", "Else"]);
    assert_eq!(renamed, "Anna is now Else.\n");
    let reset = folder.done(&["reset", "Else"]);
    let password = reset.split_whitespace().find(|word| word.len() == 16);
    assert!(password.is_some(), "{reset}");
    let now = store.account(anna.id).await.expect("the account exists");
    assert_eq!(now.name, "Else");
    let hash = now.password.expect("the account has a password");
    assert!(
        hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
        "{hash}"
    );
    assert!(store.session(session.token).await.is_err());
    let told = store
        .account_changes(before)
        .await
        .expect("the changes can be read");
    assert!(told.accounts.is_some_and(|all| all.contains(&anna.id)));

    let rating = StoredRating {
        account: anna.id,
        family: "wild16".to_owned(),
        against: Against::People,
        n: 1,
        rating: 1_612_400,
        deviation: 90_000,
        volatility: 60_000,
        at: 5,
        game: None,
    };
    let rated = store.rate(None, std::slice::from_ref(&rating)).await;
    rated.expect("the rating is stored");
    assert_eq!(
        folder.done(&["rate", "Else", "wild16", "people", "1500"]),
        "The rating of Else in wild16 against people is now 1500; it was 1612.\n"
    );
    let changes = store.rating_changes(anna.id, 9).await;
    let changes = changes.expect("the ratings can be read");
    let numbers: Vec<_> = changes
        .iter()
        .map(|c| (c.n, c.rating, c.deviation))
        .collect();
    assert_eq!(numbers, [(1, 1_612_400, 90_000), (2, 1_500_000, 90_000)]);

    let bert = add(&store, "Bert", AccountKind::Person).await;
    let report = AccountNote {
        about: anna.id,
        writer: Some(bert.id),
        game: None,
        at: 1_795_341_600_000,
        text: "stalls".to_owned(),
    };
    store.add_note(&report).await.expect("the report is stored");
    let open = folder.done(&["notes"]);
    assert!(open.contains("  Else  Bert: stalls"), "{open}");
    folder.done(&["mute", "Else"]);
    folder.done(&["mute", "--undo", "Else", "--because=it sent again"]);
    assert_eq!(folder.done(&["operator", "Else"]), "Else is an operator.\n");
    let set = [club::MUTED, club::OPERATOR].map(|name| store.settings(anna.id, name));
    let [muted, operator] = set.map(|one| async { one.await.expect("the settings are read") });
    assert_eq!(
        (muted.await, operator.await),
        (Some(String::new()), Some(club::SET.to_owned()))
    );
    folder.done(&["disable", "Else", "--because", "stalled ten games"]);
    assert_eq!(folder.done(&["notes"]), "No reports.\n");
    let trail = folder.done(&["notes", "else"]);
    let acts: Vec<_> = trail
        .lines()
        .filter_map(|line| line.split_once("Else  "))
        .collect();
    let acts: Vec<_> = acts.into_iter().map(|(_, act)| act).collect();
    assert_eq!(
        acts,
        [
            "operator: renamed from Anna to Else",
            "operator: new password",
            "operator: rated 1500 in wild16 against people, not 1612",
            "Bert: stalls",
            "operator: muted",
            "operator: no longer muted: it sent again",
            "operator: an operator",
            "operator: disabled: stalled ten games",
        ]
    );
    let state = store
        .account(anna.id)
        .await
        .expect("the account exists")
        .state;
    assert_eq!(state, AccountState::Disabled);
    assert!(folder.done(&["list"]).contains("disabled"));
    folder.done(&["disable", "--undo", "Else"]);
    let deleted = folder.done(&["delete", "Else"]);
    assert!(deleted.contains("is deleted"), "{deleted}");
    let left = store
        .account(anna.id)
        .await
        .expect("the deleted account has a row");
    assert_eq!((left.state, left.password), (AccountState::Deleted, None));
    assert!(!folder.done(&["list"]).contains("Else"));
    for (words, why) in [
        (&["reset", "nobody"][..], "no account has the name nobody"),
        (&["delete", "sparring"], "one of the club's own programs"),
        (&["reset", "guest-1"], "a guest has no password"),
        (&["notes", "nobody"], "no account has the name nobody"),
        (
            &["rename", "guest-1", "level-1"],
            "kept for one of the club's own",
        ),
        (&["rename", "guest-1", "a b"], "a name must have"),
        (
            &["rate", "guest-1", "ks", "programs", "1500"],
            "guest-1 has no rating in ks against programs",
        ),
    ] {
        let refused = folder.accounts(words);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(why), "{words:?}: {said}");
    }
    store.close().await;
}

/// Anna answers after a second and wins with the scholar's mate; Bert takes a minute for each move.
#[tokio::test]
async fn figures_compare_an_account_with_its_opponents() {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file())
        .await
        .expect("the file opens");
    let anna = add(&store, "Anna", AccountKind::Person).await;
    let bert = add(&store, "Bert", AccountKind::Person).await;
    let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
    let mut game = Game::open(opened.clone());
    let (players, time) = (
        ByColor {
            white: anna.id,
            black: bert.id,
        },
        TimeControl::Clock {
            initial: 600_000,
            increment: 0,
        },
    );
    let mut new = opened_game(GameId::from_chance(1), players, &opened, time, 0);
    let mut at = 0;
    for (text, after) in [
        ("e2e4", 5_000),
        ("e7e5", 60_000),
        ("h1h5", 1_000),
        ("d1h5", 1_000),
        ("b8c6", 60_000),
        ("f1c4", 1_000),
        ("g8f6", 60_000),
        ("h5f7", 1_000),
    ] {
        at += after;
        let ruling = game.judge(game.turn(), text.parse().expect("an attempt"));
        let event = ruling.expect("it is this side's turn").event;
        game.apply(&event);
        new.rows.push(NewRow {
            at,
            act: Act::Game(event),
            request: None,
        });
    }
    let last = new.rows.split_off(new.rows.len() - 1);
    store
        .create_game(0, &new)
        .await
        .expect("the game is created");
    let length = u32::try_from(new.rows.len()).expect("the log is short");
    let ended = store
        .append(new.id, length.into(), &last, game.over())
        .await;
    assert_eq!(ended, Ok(()));
    let said = folder.done(&["figures", "Anna", "--nodes", "1000"]);
    let lines: Vec<Vec<&str>> = said
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(lines[1][3..5], ["white", "1-0"], "{said}");
    assert_eq!(lines[1].last(), Some(&"1.0"), "{said}");
    assert_eq!(
        (lines[2][0], &lines[2][lines[2].len() - 3..]),
        ("Anna", &["1.0", "1.0", "1.0"][..]),
        "{said}"
    );
    assert_eq!(
        (lines[3][0], &lines[3][lines[3].len() - 3..]),
        ("its", &["60.0", "60.0", "60.0"][..]),
        "{said}"
    );
    store.close().await;
}

/// Two newcomers of eight days ago: only Anna made a try, and came back the next day; both finished a
/// game, and came back within a week.
#[tokio::test]
async fn days_count_who_tried_finished_and_came_back() {
    const DAY: i64 = 24 * 3600 * 1000;
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).await;
    let store = store.expect("the file opens");
    let first = club::Clock::now(&club::SystemClock) - 8 * DAY;
    let bot = add(&store, "sparring", AccountKind::Program).await.id;
    let mut people = Vec::new();
    for (name, kind) in [
        ("Anna", AccountKind::Person),
        ("guest-1", AccountKind::Guest),
    ] {
        let new = NewAccount {
            name: name.to_owned(),
            kind,
            password: None,
            at: first,
        };
        people.push(store.create_account(&new).await.expect("it is created"));
    }
    let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
    for (n, (white, black, after)) in [
        (people[0], people[1], 0),
        (people[0], bot, 1),
        (people[1], bot, 7),
    ]
    .into_iter()
    .enumerate()
    {
        let id = GameId::from_chance(n as u64);
        let players = ByColor { white, black };
        let at = first + after * DAY;
        let new = opened_game(id, players, &opened, TimeControl::Unlimited, at);
        store.create_game(0, &new).await.expect("it is created");
        if after == 0 {
            let game = Game::open(opened.clone());
            let ruling = game.judge(game.turn(), "e2e4".parse().expect("an attempt"));
            let act = Act::Game(ruling.expect("a ruling").event);
            let moved = NewRow {
                at,
                act,
                request: None,
            };
            let over = Over {
                winner: Winner::White,
                reason: Reason::Resignation,
            };
            let ended = store.append(id, 1.into(), &[moved], Some(over)).await;
            assert_eq!(ended, Ok(()));
        }
    }
    let said = folder.done(&["days"]);
    let day = said
        .lines()
        .find(|line| line.starts_with(&club::utc(first)[..10]));
    let counts: Vec<&str> = day.expect("the day is listed").split_whitespace().collect();
    assert_eq!(counts[1..], ["2", "1", "2", "1", "2"], "{said}");
    store.close().await;
}
