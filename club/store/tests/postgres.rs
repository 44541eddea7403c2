//! Tests of the store on Postgres: several stores on one database, the end of a server, copies of a
//! store, and servers that the club must not use.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod given;

use std::{
    collections::BTreeSet,
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use futures_util::future::join_all;
use given::{Folder, account, id, knights, new_game, players, request, row};
use referee::Event;
use rules::chess::Color;
use services::Postgres;
use store::{
    Act, AppendError, Database, ExportForm, ExportGames, Location, NewRow, Offer, OfferId,
    OfferKind, PostgresStore, Scope, Session, Store, StoreError, TableEvent, TokenHash,
};

fn server() -> Postgres {
    Postgres::start().unwrap()
}

async fn open(address: &str) -> PostgresStore {
    PostgresStore::open(address).await.unwrap()
}

fn location(name: &str) -> Location {
    Location::parse(name.as_ref()).unwrap()
}

fn paused(request: &str) -> NewRow {
    NewRow {
        at: 5,
        act: Act::Table(TableEvent::Paused),
        request: Some((Color::White, given::request(request))),
    }
}

/// Appends a row as a club does. After a conflict, reads the log, and appends again unless the log
/// contains the row.
async fn append_once(store: &PostgresStore, game: u64, name: &str) -> Result<(), StoreError> {
    let row = paused(name);
    loop {
        let rows = store.rows(id(game), 0).await?;
        if rows.iter().any(|old| old.request == row.request) {
            return Ok(());
        }
        let length = u32::try_from(rows.len()).unwrap();
        match store
            .append(id(game), length.into(), std::slice::from_ref(&row), None)
            .await
        {
            Err(AppendError::Conflict) => {}
            Err(AppendError::Store(error)) => return Err(error),
            Ok(()) => return Ok(()),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_three_stores_are_each_stored_once() {
    let server = server();
    let address = server.address();
    let stores = [
        open(&address).await,
        open(&address).await,
        open(&address).await,
    ];
    let players = players(&stores[0]).await;
    // The test needs several games, because a store appends to several logs with one statement. The
    // order of the logs in this statement can differ between the stores.
    for game in 0..4 {
        let created = stores[0]
            .create_game(0, &new_game(id(game), players, 10))
            .await;
        created.unwrap();
    }
    let mut tasks = Vec::new();
    for (n, store) in stores.iter().enumerate() {
        for game in 0..4 {
            let store = store.clone();
            tasks.push(tokio::spawn(async move {
                for row in 0..8 {
                    let appended = append_once(&store, game, &format!("{n}-{row}")).await;
                    appended.unwrap();
                }
            }));
        }
    }
    for task in tasks {
        task.await.unwrap();
    }
    for game in 0..4 {
        let rows = stores[0].rows(id(game), 1).await.unwrap();
        let names = rows.iter().filter_map(|row| row.request.as_ref());
        let names: Vec<&str> = names.map(|(_, name)| name.0.as_str()).collect();
        let different: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!((rows.len(), different.len()), (24, 24));
        for n in 0..3 {
            let own = names
                .iter()
                .filter(|name| name.starts_with(&format!("{n}-")));
            // The rows of each store are in the order of its appends.
            assert!(own.is_sorted(), "store {n}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answered_rows_survive_a_kill_of_the_server() {
    let mut server = server();
    let store = open(&server.address()).await;
    store.commit_on_ticks().await.unwrap();
    let players = players(&store).await;
    let created = store.create_game(0, &new_game(id(1), players, 10)).await;
    created.unwrap();
    let mut answered = Vec::new();
    for round in 0..3 {
        for row in 0..5 {
            let name = format!("{round}-{row}");
            append_once(&store, 1, &name).await.unwrap();
            answered.push(request(&name));
        }
        let last = format!("{round}-last");
        let (doing, ()) = tokio::join!(append_once(&store, 1, &last), async { server.kill() });
        // If the append was answered, the row must be in the log. If there was no answer, the row
        // may be in the log or not.
        if doing.is_ok() {
            answered.push(request(&last));
        }
        let away = append_once(&store, 1, "away").await;
        assert!(matches!(away, Err(StoreError::NoAnswer(_))), "{away:?}");
        server.resume().unwrap();
    }
    let rows = store.rows(id(1), 1).await.unwrap();
    let names: Vec<_> = rows.iter().filter_map(|row| row.request.clone()).collect();
    for name in &answered {
        let count = names.iter().filter(|(_, stored)| stored == name).count();
        assert_eq!(count, 1, "{name:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_from_file_to_postgres_and_back_is_equal() {
    let (server, folder) = (server(), Folder::new());
    let file = folder.path().join("first.db");
    let first = Database::open(&location(file.to_str().unwrap())).await;
    let first = first.unwrap();
    let store = first.store();
    let players = players(&*store).await;
    let rows = knights(1200);
    let mut game = new_game(id(1), players, 10);
    game.rows = rows[..1].to_vec();
    store.create_game(0, &game).await.unwrap();
    store
        .append(id(1), 1.into(), &rows[1..], None)
        .await
        .unwrap();
    let over = given_over();
    let other = new_game(id(2), players, 11);
    store.create_game(0, &other).await.unwrap();
    let end = [row(12, Event::Resigned { by: Color::White })];
    store
        .append(id(2), 1.into(), &end, Some(over))
        .await
        .unwrap();
    let session = Session {
        token: TokenHash([7; 32]),
        account: players.white,
        at: 1,
        until: 2,
        generation: 0,
        label: "a browser".to_owned(),
        scope: Scope::Play,
    };
    store.create_session(&session).await.unwrap();
    let offer = Offer {
        id: OfferId("o".to_owned()),
        kind: OfferKind::Challenge { to: players.black },
        by: players.white,
        terms: given::terms(),
        at: 3,
        game: None,
    };
    store.create_offer(&offer).await.unwrap();

    let second = Database::open(&location(&server.address())).await.unwrap();
    let copied = first.copy_to(&second).await.unwrap();
    assert_eq!((copied.accounts, copied.games, copied.rows), (2, 2, 1202));
    let again = first.copy_to(&second).await;
    assert!(again.is_err_and(|error| error.to_string().contains("name an empty one")));
    // The next account gets a new number.
    let carl = account(&*second.store(), "Carl").await;
    assert!(![players.white, players.black].contains(&carl));

    let third = folder.path().join("third.db");
    second.backup(&third).await.unwrap();
    assert!(second.backup(&third).await.is_err());
    let third = Database::open_existing(&location(third.to_str().unwrap())).await;
    let third = third.unwrap();
    let mut texts = Vec::new();
    for database in [&first, &second, &third] {
        let report = database.check().await.unwrap();
        assert_eq!(report.faults, Vec::<String>::new());
        let mut text = Vec::new();
        let exported = database
            .export(ExportForm::Lines, ExportGames::All, &mut text)
            .await;
        assert_eq!(exported.unwrap(), 2);
        texts.push(text);
        let store = database.store();
        assert_eq!(store.session(session.token).await, Ok(session.clone()));
        assert_eq!(store.offers().await, Ok(vec![offer.clone()]));
    }
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[1], texts[2]);
    assert_eq!(
        third.store().account(carl).await.map(|carl| carl.name),
        Ok("Carl".to_owned())
    );
    for database in [first, second, third] {
        database.close().await;
    }
}

fn given_over() -> rules::Over {
    rules::Over {
        winner: rules::Winner::Black,
        reason: rules::Reason::Resignation,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_finds_faults_of_the_logs() {
    let server = server();
    let store = open(&server.address()).await;
    let players = players(&store).await;
    let created = store.create_game(0, &new_game(id(1), players, 10)).await;
    created.unwrap();
    for (sql, fault) in [
        (
            "insert into events (game, seq, at, act) values ('x', 0, 0, 'y')",
            "missing row",
        ),
        (
            "update games set winner = '1-0', reason = 'time'",
            "the index says",
        ),
        (
            "update events set act = 'table nonsense' where seq = 0",
            "nonsense",
        ),
    ] {
        server.run(sql).unwrap();
        let report = store.check().await.unwrap();
        let found = report.faults.iter().any(|found| found.contains(fault));
        assert!(found, "{fault}: {:?}", report.faults);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_server_gives_one_clear_line() {
    let server = server();
    let said = async |address: &str| {
        let error = PostgresStore::open(address)
            .await
            .expect_err("the server is refused");
        let said = error.to_string();
        assert!(!said.contains('\n') && !said.contains("s3cret"), "{said}");
        assert!(!said.contains("file"), "{said}");
        said
    };
    let port = server.port();
    let user = |rest: &str| format!("postgres://kriegspiel:s3cret@127.0.0.1:{port}/{rest}");
    for (setting, expected) in [
        ("synchronous_commit=off", "synchronous_commit = off"),
        ("default_transaction_read_only=on", "standby or read-only"),
    ] {
        let (name, value) = setting.split_once('=').unwrap();
        let said = said(&user(&format!("postgres?options[{name}]={value}"))).await;
        assert!(said.contains(expected), "{said}");
    }
    assert!(said(&user("nowhere")).await.contains("createdb"));
    let free = services::free_port().unwrap();
    let away = said(&format!(
        "postgres://kriegspiel:s3cret@127.0.0.1:{free}/postgres"
    ))
    .await;
    assert!(away.contains("does not answer"), "{away}");
    server
        .run("create role guest login; revoke all on schema public from public")
        .unwrap();
    let guest = said(&format!(
        "postgres://guest:s3cret@127.0.0.1:{port}/postgres"
    ))
    .await;
    assert!(
        guest.contains("grant") || guest.contains("schema"),
        "{guest}"
    );
    server.run("create table other (x int)").unwrap();
    assert!(said(&user("postgres")).await.contains("not a club's"));
    // The role `club` has no rights on this table of another role, but gets the same error.
    server
        .run("create role club login; grant all on schema public to club")
        .unwrap();
    let club = format!("postgres://club:s3cret@127.0.0.1:{port}/postgres");
    assert!(said(&club).await.contains("not a club's"));
    // If an address names several servers, the store uses the first one that accepts changes.
    let list = format!("postgres://kriegspiel@127.0.0.1:{free},127.0.0.1:{port}/postgres");
    server.run("drop table other").unwrap();
    open(&list).await.close().await;
}

/// Opens a port and passes its connections on to the server. When `silent` becomes true, the open
/// connections stay open, but pass on nothing more. New connections work.
fn passed_on(server: &Postgres, silent: &Arc<AtomicBool>) -> io::Result<u16> {
    fn copy(mut from: TcpStream, mut to: TcpStream, works: impl Fn() -> bool) -> io::Result<()> {
        let mut bytes = vec![0; 16 * 1024];
        loop {
            let read = from.read(&mut bytes)?;
            if read == 0 {
                return to.shutdown(Shutdown::Both);
            }
            if works() {
                to.write_all(&bytes[..read])?;
            }
        }
    }
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let (port, to) = (listener.local_addr()?.port(), server.port());
    let silent = Arc::clone(silent);
    thread::spawn(move || -> io::Result<()> {
        for client in listener.incoming() {
            let (client, server) = (client?, TcpStream::connect(("127.0.0.1", to))?);
            let is_old = !silent.load(Ordering::Relaxed);
            for (from, to) in [(client.try_clone()?, server.try_clone()?), (server, client)] {
                let silent = Arc::clone(&silent);
                let works = move || !(is_old && silent.load(Ordering::Relaxed));
                thread::spawn(move || copy(from, to, works));
            }
        }
        Ok(())
    });
    Ok(port)
}

#[tokio::test(flavor = "multi_thread")]
async fn several_nodes_can_open_an_empty_database_at_once() {
    let server = server();
    let address = server.address();
    let opened = join_all((0..6).map(|_| PostgresStore::open(&address))).await;
    for store in opened {
        store.unwrap().close().await;
    }
}

/// On a full disk, the database could still write a renewal, because it fits into the space of the
/// previous one. Then the clocks would count time in which no row can be appended.
#[tokio::test(flavor = "multi_thread")]
async fn no_renewal_is_written_while_appends_are_refused() {
    let server = server();
    let store = open(&server.address()).await;
    let players = players(&store).await;
    let created = store.create_game(0, &new_game(id(0), players, 10)).await;
    created.unwrap();
    server
        .run(
            "create function full_disk() returns trigger language plpgsql as
                $$ begin raise exception 'no space' using errcode = '53100'; end $$;
             create trigger full_disk before insert on events execute function full_disk()",
        )
        .unwrap();
    let full = append_once(&store, 0, "first").await;
    assert_eq!(full, Err(StoreError::Full));
    for _ in 0..3 {
        assert_eq!(store.renew(0, 0, 0, true).await, Err(StoreError::Full));
    }
    server.run("drop trigger full_disk on events").unwrap();
    let rows = store.rows(id(0), 0).await.unwrap().len();
    append_once(&store, 0, "first").await.unwrap();
    let now = store.rows(id(0), 0).await.unwrap().len();
    assert_eq!(now, rows + 1);
    let lease = store.claim(0).await.unwrap();
    let fence = lease.unwrap().fence;
    store.renew(fence, 0, 0, true).await.unwrap();
    store.close().await;
}

/// A firewall may forget connections. Then these connections stay open, but nothing comes through
/// them any more.
#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_are_replaced() {
    let server = server();
    let silent = Arc::new(AtomicBool::new(false));
    let port = passed_on(&server, &silent).unwrap();
    let store = open(&format!("postgres://kriegspiel@127.0.0.1:{port}/postgres")).await;
    let everything = || async {
        let reads = (0..40).map(|_| store.running());
        let reads = join_all(reads).await;
        let signs = (0..4).map(|_| store.now());
        let signs = join_all(signs).await;
        let failed = reads.into_iter().filter_map(Result::err);
        failed
            .chain(signs.into_iter().filter_map(Result::err))
            .next()
    };
    assert_eq!(everything().await, None);
    silent.store(true, Ordering::Relaxed);
    // Each call is repeated over a new connection.
    assert_eq!(everything().await, None);
    assert_eq!(everything().await, None);
    store.close().await;
}

/// Opens a port and passes its connections on to the server, but replaces some bytes of the
/// answers. Each pair has the bytes of the server and the bytes that replace them.
fn answers_replaced(server: &Postgres, pairs: Vec<(Vec<u8>, Vec<u8>)>) -> io::Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let (port, to) = (listener.local_addr()?.port(), server.port());
    thread::spawn(move || -> io::Result<()> {
        for client in listener.incoming() {
            let (mut client, mut server) = (client?, TcpStream::connect(("127.0.0.1", to))?);
            let (mut from_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
            thread::spawn(move || io::copy(&mut from_client, &mut to_server));
            let pairs = pairs.clone();
            thread::spawn(move || -> io::Result<()> {
                let mut bytes = vec![0; 16 * 1024];
                loop {
                    let read = server.read(&mut bytes)?;
                    if read == 0 {
                        return Ok(());
                    }
                    let answer = &mut bytes[..read];
                    for (old, new) in &pairs {
                        let found = answer.windows(old.len()).position(|part| part == old);
                        if let Some(at) = found {
                            answer[at..at + new.len()].copy_from_slice(new);
                        }
                    }
                    client.write_all(answer)?;
                }
            });
        }
        Ok(())
    });
    Ok(port)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_an_old_version_is_refused() {
    let server = server();
    let show = |name: &str| server.run(&format!("show {name}")).unwrap();
    let number: i32 = show("server_version_num").parse().unwrap();
    // The server sends the number as its length (4) and four bytes.
    let value = |number: i32| [4_i32.to_be_bytes(), number.to_be_bytes()].concat();
    let text = show("server_version").into_bytes();
    let old_text = [b"13", &text[2..]].concat();
    for (number_sent, is_refused) in [(139_999, true), (140_000, false)] {
        let pairs = vec![
            (value(number), value(number_sent)),
            (text.clone(), old_text.clone()),
        ];
        let port = answers_replaced(&server, pairs).unwrap();
        let address = format!("postgres://kriegspiel:s3cret@127.0.0.1:{port}/postgres");
        match PostgresStore::open(&address).await {
            Ok(store) => {
                assert!(!is_refused, "{number_sent}");
                store.close().await;
            }
            Err(error) => {
                let said = error.to_string();
                assert!(is_refused, "{number_sent}: {said}");
                assert!(said.contains("is PostgreSQL 13"), "{said}");
                assert!(said.contains("needs 14 or later"), "{said}");
                assert!(!said.contains('\n') && !said.contains("s3cret"), "{said}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_names_the_setting_if_no_connection_is_free() {
    let server = server();
    let role = "create role busy login connection limit 0";
    server.run(role).unwrap();
    let address = server.address().replace("kriegspiel@", "busy:s3cret@");
    let error = PostgresStore::open(&address).await;
    let error = error.expect_err("the role has no connection left");
    assert!(matches!(error, StoreError::NoAnswer(_)), "{error:?}");
    let said = error.to_string();
    assert!(said.contains("raise max_connections"), "{said}");
    assert!(!said.contains('\n') && !said.contains("s3cret"), "{said}");
}

/// A database of the version before ownership is migrated. A node of that version, which still
/// runs, cannot append any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_the_previous_version_is_migrated() {
    let server = server();
    for sql in [
        include_str!("../migrations/postgres/0001_club.sql"),
        "insert into alive (club, at) values ('7', 90), ('8', 100)",
        "create function append_rows(text[], bigint[], integer[], integer[], text[], text[], text[],
            text[], bigint[], text[], text[], text[], bigint[]) returns void
        language sql as ''",
    ] {
        server.run(sql).unwrap();
    }
    let append = "select * from append_rows('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
        '{}', '{}', '{}', '{}')";
    server.run(append).unwrap();
    let store = open(&server.address()).await;
    assert!(server.run(append).is_err());
    let lease = store.claim(0).await.unwrap().unwrap();
    assert_eq!(lease.served_until, Some(100), "the last heartbeat");
    store.close().await;
}
