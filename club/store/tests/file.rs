//! Tests of the club's file: its settings, its check, its export and its backup copies.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod given;

use std::{fs, path::Path};

use given::{Folder, account, fresh, id, knights, new_game, players, request, row, said};
use referee::Event;
use rules::{Over, Reason, Winner, chess::Color};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use store::{
    Act, AppendError, ExportForm, ExportGames, NewRow, SqliteStore, Store, StoreError, TableEvent,
};

async fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path).await.unwrap()
}

/// Damages the file with an SQL statement that no store executes.
async fn tamper(path: &Path, sql: &'static str) {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(false);
    let connection = SqliteConnection::connect_with(&options).await;
    let mut connection = connection.unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

const RESIGNED: Over = Over {
    winner: Winner::Black,
    reason: Reason::Resignation,
};

/// Creates two games: game 1 is over, game 2 is running.
async fn two_games(store: &SqliteStore) {
    let players = players(store).await;
    for number in [1, 2] {
        let mut game = new_game(id(number), players, 1_735_603_200_000);
        let mut rows = knights(21);
        game.rows = rows.drain(..1).collect();
        store.create_game(0, &game).await.unwrap();
        store
            .append(id(number), 1.into(), &rows, None)
            .await
            .unwrap();
    }
    let end = NewRow {
        at: 30,
        act: Act::Game(Event::Resigned { by: Color::White }),
        request: Some((Color::White, request("bye"))),
    };
    let ended = store.append(id(1), 21.into(), &[end], Some(RESIGNED)).await;
    ended.unwrap();
    let offered = NewRow {
        at: 31,
        act: Act::Table(TableEvent::RematchOffered(Color::Black)),
        request: None,
    };
    store
        .append(id(1), 22.into(), &[offered], None)
        .await
        .unwrap();
}

#[tokio::test]
async fn every_connection_has_the_settings_for_durability() {
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    let all = store.pragmas().await.unwrap();
    assert_eq!(all.len(), 5);
    for (number, pragmas) in all.iter().enumerate() {
        assert_eq!(pragmas.journal_mode, "wal");
        assert_eq!(pragmas.synchronous, 2, "FULL");
        assert_eq!(pragmas.foreign_keys, 1);
        assert_eq!(pragmas.query_only, i64::from(number > 0), "{number}");
    }
    store.close().await;
    let closed = store.release(1).await;
    assert_eq!(
        closed,
        Err(StoreError::Other("the store was closed".to_owned()))
    );
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_file_and_its_copies() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    account(&store, "Anna").await;
    let copy = folder.path().join("copy.db");
    store.backup(&copy).await.unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{:?}", entry.path());
    }
}

#[tokio::test]
async fn written_data_is_there_after_reopening() {
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    two_games(&store).await;
    let rows = store.rows(id(1), 0).await;
    store.close().await;
    assert!(
        !folder.path().join("club.db-wal").exists(),
        "the write-ahead log must be removed"
    );
    let again = open(&folder.file()).await;
    assert_eq!(again.rows(id(1), 0).await, rows);
    assert_eq!(again.running().await.map(|games| games.len()), Ok(1));
}

#[tokio::test]
async fn two_stores_on_one_file_agree() {
    let folder = Folder::new();
    let one = open(&folder.file()).await;
    let two = open(&folder.file()).await;
    let seats = players(&one).await;
    one.create_game(0, &new_game(id(1), seats, 10))
        .await
        .unwrap();
    let mut game = fresh();
    let first = row(11, said(&mut game, Color::White, "e2e4"));
    let second = row(12, said(&mut game, Color::Black, "e7e5"));
    two.append(id(1), 1.into(), std::slice::from_ref(&first), None)
        .await
        .unwrap();
    let late = one.append(id(1), 1.into(), &[first], None).await;
    assert_eq!(late, Err(AppendError::Conflict));
    one.append(id(1), 2.into(), &[second], None).await.unwrap();
    assert_eq!(one.rows(id(1), 0).await, two.rows(id(1), 0).await);
    // Both stores append to one log at the same time, many times. Each row number must be used
    // exactly once.
    let race = async |store: &SqliteStore, at: i64| {
        let mut done = 0;
        while done < 25 {
            let seq = store.rows(id(1), 0).await.unwrap().len();
            let paused = NewRow {
                at,
                act: Act::Table(TableEvent::Paused),
                request: None,
            };
            match store
                .append(id(1), (seq as u32).into(), &[paused], None)
                .await
            {
                Ok(()) => done += 1,
                Err(error) => assert_eq!(error, AppendError::Conflict),
            }
        }
    };
    tokio::join!(race(&one, 1), race(&two, 2));
    assert_eq!(one.rows(id(1), 3).await.map(|rows| rows.len()), Ok(50));
}

#[tokio::test]
async fn a_check_finds_no_fault_in_a_correct_file() {
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    two_games(&store).await;
    let report = store.check().await.unwrap();
    assert!(report.is_well(), "{:?}", report.faults);
    assert_eq!(
        report.to_string(),
        "2 accounts, 2 games (1 running), 44 rows"
    );
}

#[tokio::test]
async fn a_check_names_the_fault_of_a_damaged_file() {
    #[rustfmt::skip]
    let cases = [
        ("delete from events where game = '222222222223' and seq = 4", "game 222222222223, row 4: row 5 is in the place of this row"),
        ("delete from events where game = '222222222224'", "game 222222222224: a log must begin with the event `opened`"),
        (
            "update events set act = 'nothing' where game = '222222222223' and seq = 2",
            "game 222222222223, row 2: `nothing` is neither an event",
        ),
        (
            "update events set act = 'w a2a5 moved' where game = '222222222223' and seq = 1",
            "game 222222222223, row 1: event 1 is impossible at this point of the game",
        ),
        (
            "update events set request = null where game = '222222222223' and seq = 2",
            "game 222222222223, row 2: a request must have a seat and an id",
        ),
        (
            "update games set winner = null, reason = null where id = '222222222223'",
            "game 222222222223: the index says running, its log says 0-1 resignation",
        ),
        ("update games set reason = 'boredom' where id = '222222222223'", "game 222222222223: the end of the game cannot be read"),
        ("update games set rules = 'rand' where id = '222222222224'", "game 222222222224: the index says that it is played under rand"),
        ("delete from games where id = '222222222224'", "21 rows refer to a missing row of another table"),
    ];
    for (sql, expected) in cases {
        let folder = Folder::new();
        let store = open(&folder.file()).await;
        two_games(&store).await;
        tamper(&folder.file(), sql).await;
        let report = store.check().await.unwrap();
        let [fault] = &report.faults[..] else {
            panic!("{sql}: {:?}", report.faults);
        };
        assert!(fault.starts_with(expected), "{sql}: {fault}");
    }
}

#[tokio::test]
async fn a_gap_in_a_log_is_an_error() {
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    two_games(&store).await;
    tamper(&folder.file(), "delete from events where seq = 4").await;
    let read = store.rows(id(1), 2).await;
    assert!(matches!(read, Err(StoreError::Damaged(_))), "{read:?}");
}

async fn exported(store: &SqliteStore, form: ExportForm, games: ExportGames) -> (u64, String) {
    let mut out = Vec::new();
    let count = store.export(form, games, &mut out).await;
    let text = String::from_utf8(out).unwrap();
    (count.unwrap(), text)
}

#[tokio::test]
async fn an_export_holds_every_row_with_its_text() {
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    two_games(&store).await;
    let (count, text) = exported(&store, ExportForm::Lines, ExportGames::All).await;
    assert_eq!((count, text.lines().count()), (2, 2));
    for (number, line) in (1..).zip(text.lines()) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["game"], id(number).to_string());
        assert_eq!(line["white"], "Anna");
        assert_eq!(line["clock"]["increment"], 2000);
        let stored = store.rows(id(number), 0).await.unwrap();
        let rows = line["rows"].as_array().unwrap();
        assert_eq!(rows.len(), stored.len());
        for (row, stored) in rows.iter().zip(stored) {
            assert_eq!(row["seq"], stored.seq);
            assert_eq!(row["at"], stored.at);
            assert_eq!(row["event"], stored.act.to_string());
            let request = stored.request.map(|(_, id)| id.0);
            assert_eq!(row["request"].as_str(), request.as_deref());
        }
    }
    let (count, text) = exported(&store, ExportForm::Lines, ExportGames::Finished).await;
    assert_eq!(count, 1);
    assert!(text.contains(r#""over":{"result":"0-1","reason":"resignation"}"#));
}

#[tokio::test]
async fn exported_pgn_has_the_tags_and_log_of_finished_games() {
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    two_games(&store).await;
    let form = ExportForm::Pgn(|tags, log| {
        let tags = tags.iter().map(|(name, value)| format!("{name} {value}\n"));
        let events = log.iter().map(|event| format!("{event}\n"));
        tags.chain(events).collect()
    });
    let (count, text) = exported(&store, form, ExportGames::All).await;
    assert_eq!(count, 1);
    let rows = store.rows(id(1), 0).await.unwrap();
    let played = rows.into_iter().filter_map(|row| match row.act {
        Act::Game(event) => Some(format!("{event}\n")),
        Act::Table(_) => None,
    });
    let log = played.collect::<String>();
    assert!(text.ends_with(&log) && !log.is_empty(), "{text}");
    assert!(text.contains("Date 2024.12.31\n"), "{text}");
    assert!(text.contains("TimeControl 180+2\n"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_made_during_games_is_complete() {
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    two_games(&store).await;
    let busy = {
        let store = store.clone();
        tokio::spawn(async move {
            for (seq, row) in (0_u32..).zip(knights(400)).skip(21) {
                store.append(id(2), seq.into(), &[row], None).await.unwrap();
            }
        })
    };
    let mut lengths = Vec::new();
    for number in 0..5 {
        let copy = folder.path().join(format!("copy{number}.db"));
        store.backup(&copy).await.unwrap();
        let copied = SqliteStore::open_existing(&copy).await.unwrap();
        let report = copied.check().await.unwrap();
        assert!(report.is_well(), "{:?}", report.faults);
        lengths.push(report.rows);
        copied.close().await;
    }
    busy.await.unwrap();
    assert!(lengths.is_sorted(), "{lengths:?}");
    assert_eq!(store.rows(id(2), 0).await.map(|rows| rows.len()), Ok(400));
}

#[tokio::test]
async fn a_copy_overwrites_nothing_and_leaves_nothing_behind() {
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    let there = folder.path().join("there.db");
    fs::write(&there, "precious").unwrap();
    let refused = store.backup(&there).await.expect_err("the target exists");
    assert!(
        refused.to_string().contains("overwrites nothing"),
        "{refused}"
    );
    assert_eq!(fs::read(&there).unwrap(), b"precious");
    let refused = store
        .backup(&folder.file())
        .await
        .expect_err("the target is the club's file");
    assert!(
        refused.to_string().contains("overwrites nothing"),
        "{refused}"
    );
    let nowhere = folder.path().join("no/such/folder.db");
    assert!(store.backup(&nowhere).await.is_err());
    // If a part of an interrupted copy remains, the next backup fails, and the error names
    // that file.
    let copy = folder.path().join("copy.db");
    fs::write(folder.path().join("copy.db.part"), "half").unwrap();
    let said = store
        .backup(&copy)
        .await
        .expect_err("a part of a copy is left");
    assert!(said.to_string().contains("copy.db.part"), "{said}");
    assert!(!copy.exists());
}

#[tokio::test]
async fn a_file_of_another_program_is_not_changed() {
    let folder = Folder::new();
    let absent = SqliteStore::open_existing(folder.file()).await;
    assert_eq!(absent.err(), Some(StoreError::Absent));
    assert!(!folder.file().exists());

    let text = folder.path().join("letter.txt");
    let letter = "Dear Anna, ".repeat(1000);
    fs::write(&text, &letter).unwrap();
    let other = folder.path().join("other.db");
    fs::write(&other, "").unwrap();
    tamper(&other, "create table recipes (name text)").await;
    for path in [&text, &other] {
        for opened in [
            SqliteStore::open(path).await,
            SqliteStore::open_existing(path).await,
        ] {
            let error = opened.expect_err("the file is not a club's");
            assert!(error.to_string().contains("not a club's file"), "{error}");
        }
    }
    assert_eq!(fs::read_to_string(&text).unwrap(), letter);
}

#[tokio::test]
async fn tables_of_a_later_version_are_not_changed() {
    let folder = Folder::new();
    open(&folder.file()).await.close().await;
    let later =
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
        values (99, '', true, '', 0)";
    tamper(&folder.file(), later).await;
    for opened in [
        SqliteStore::open(folder.file()).await,
        SqliteStore::open_existing(folder.file()).await,
    ] {
        let error = opened.expect_err("the tables are too new");
        assert!(error.to_string().contains("version 99"), "{error}");
    }
}

/// What the club would not open, a check does not call right.
#[tokio::test]
async fn a_damaged_record_of_the_migrations_is_named() {
    for damage in [
        "update _sqlx_migrations set checksum = x'00' where version = 3",
        "update _sqlx_migrations set success = false where version = 1",
        "delete from _sqlx_migrations where version = 2",
    ] {
        let folder = Folder::new();
        open(&folder.file()).await.close().await;
        tamper(&folder.file(), damage).await;
        for opened in [
            SqliteStore::open(folder.file()).await,
            SqliteStore::open_existing(folder.file()).await,
        ] {
            assert!(opened.is_err(), "{damage}");
        }
    }
}

/// A file of the version before ownership is migrated. A program of that version, which still has
/// the file open, cannot append any more.
#[tokio::test]
async fn a_file_of_the_previous_version_is_migrated() {
    let folder = Folder::new();
    let opened = knights(1)[0].act.to_string();
    let old_append = format!(
        "insert into events (game, seq, at, event) values ('222222222223', %, 10, '{opened}');"
    );
    let sql = [
        include_str!("version5.sql"),
        "insert into accounts (id, name_key, name, kind, at)
        values (1, 'anna', 'Anna', 'guest', 1), (2, 'bert', 'Bert', 'guest', 1);
        insert into games (id, white, black, rules, rated, color, at)
        values ('222222222223', 1, 2, 'wild16', false, 'any', 10);
        insert into alive (club, at) values ('7', 90), ('8', 100);",
        &old_append.replace('%', "0"),
    ]
    .concat();
    let options = SqliteConnectOptions::new().filename(folder.file());
    let old = SqliteConnection::connect_with(&options.create_if_missing(true)).await;
    let mut old = old.unwrap();
    let made = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut old).await;
    made.unwrap();
    let store = open(&folder.file()).await;
    let rows = store.rows(id(1), 0).await.unwrap();
    assert_eq!(rows.len(), 1);
    let late = AssertSqlSafe(old_append.replace('%', "1"));
    let late = sqlx::raw_sql(late).execute(&mut old).await;
    assert!(
        late.expect_err("the column has another name")
            .to_string()
            .contains("event")
    );
    let lease = store.claim(200).await.unwrap().unwrap();
    assert_eq!(lease.served_until, Some(100), "the last heartbeat");
    let report = store.check().await.unwrap();
    assert_eq!(report.faults, Vec::<String>::new());
    store.close().await;
}

/// A renewal that waited for the changes before it could come too late.
#[tokio::test]
async fn a_renewal_does_not_wait_for_many_changes() {
    let folder = Folder::new();
    let store = open(&folder.file()).await;
    let claimed = store.claim(0).await.unwrap();
    let fence = claimed.unwrap().fence;
    let mut changes = tokio::task::JoinSet::new();
    for number in 0..1000 {
        let store = store.clone();
        changes.spawn(async move { account(&store, &format!("p{number}")).await });
    }
    tokio::task::yield_now().await;
    let renewed = store.renew(fence, 0, 1, true).await;
    assert_eq!(renewed, Ok(1));
    let written = std::iter::from_fn(|| changes.try_join_next()).count();
    assert!(written < 600, "{written}");
}
