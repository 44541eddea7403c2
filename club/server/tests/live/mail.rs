//! Tests of mail, with a server for mail (SMTP) in this process.

use std::sync::Arc;

use club::{Club, Settings, SystemClock};
use serde_json::{Value, json};
use server::{Given, Server};
use store::{AccountChange, AccountId, MemoryStore, MessageStore, Store};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::{mpsc, oneshot},
    time::timeout,
};

use crate::{
    open::{LONG, Open, Person, usual},
    roles::{Named, Row, none, row},
};

const HORSE: &str = "correct horse";

/// Rows for the table of routes and roles. The club of the table sends no mail.
pub(crate) const ROUTES: &[Row] = &[
    row("get", "/api/mail", Named::Nothing, none, [200; 6]),
    row("put", "/api/mail", Named::Nothing, credentials, NO_MAIL),
    row("put", "/api/mail/digests", Named::Nothing, on, NO_MAIL),
    row("post", "/api/mail/confirm", Named::Nothing, link, [404; 6]),
    row("post", "/api/mail/reset", Named::Nothing, address, [409; 6]),
    row("post", "/api/mail/password", Named::Nothing, new, [404; 6]),
    row(
        "post",
        "/api/mail/unsubscribe",
        Named::Nothing,
        none,
        [422; 6],
    ),
];

const NO_MAIL: [u16; 6] = [401, 409, 409, 409, 409, 409];

fn credentials() -> Value {
    json!({"address": "anna@example.org", "password": HORSE})
}

fn on() -> Value {
    json!({"on": true})
}

fn link() -> Value {
    json!({"link": "c.00.9999999999999.00.00"})
}

fn address() -> Value {
    json!({"address": "anna@example.org"})
}

fn new() -> Value {
    json!({"link": "p.00.9999999999999.00.00", "password": "battery-staple-9"})
}

/// Takes one mail from a connection: the receiver, and the mail without line breaks of its encoding.
async fn receive(stream: TcpStream, mails: &mpsc::UnboundedSender<(String, String)>) {
    let mut stream = BufReader::new(stream);
    let (mut to, mut text, mut in_text) = (String::new(), String::new(), false);
    stream.write_all(b"220 mail.example\r\n").await.unwrap();
    let mut line = String::new();
    while stream.read_line(&mut line).await.unwrap() > 0 {
        let said = line.trim_end_matches("\r\n").to_owned();
        line.clear();
        let answer = match (in_text, said.split(' ').next().unwrap()) {
            (true, ".") => {
                let text = text.replace("=\r\n", "").replace("=3D", "=");
                mails.send((to.clone(), text)).unwrap();
                in_text = false;
                "250 taken"
            }
            (true, _) => {
                text += &said;
                text += "\r\n";
                continue;
            }
            (false, "DATA") => {
                in_text = true;
                "354 go on"
            }
            (false, "RCPT") => {
                to = said;
                "250 well"
            }
            (false, _) => "250 well",
        };
        let answer = format!("{answer}\r\n");
        stream.write_all(answer.as_bytes()).await.unwrap();
    }
}

struct Mails {
    club: Open,
    server: Server,
    store: Arc<MemoryStore>,
    received: mpsc::UnboundedReceiver<(String, String)>,
}

/// Starts a club that sends mail.
async fn open() -> Mails {
    let smtp = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let given = Given {
        mail_server: Some(format!("smtp://{}", smtp.local_addr().unwrap())),
        mail_from: Some("Club <club@example.org>".to_owned()),
        public_url: Some("https://club.example".to_owned()),
        ..Given::default()
    };
    let mut config = usual();
    config.mail = given.settle().unwrap().mail;
    let (mails, received) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = smtp.accept().await {
            receive(stream, &mails).await;
        }
    });
    let store = Arc::new(MemoryStore::default());
    let club = Club::open(store.clone(), Arc::new(SystemClock), Settings::cheap());
    let server = Server::open(club.await.unwrap(), config).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopping) = oneshot::channel();
    let serving = server.clone();
    let served = tokio::spawn(async move {
        let stop = async {
            let _ = stopping.await;
        };
        serving.serve(listener, stop).await.unwrap();
    });
    Mails {
        club: Open::at(address, stop, served),
        server,
        store,
        received,
    }
}

impl Mails {
    async fn person(&self, name: &str) -> Person<'_> {
        let asked = json!({"name": name, "password": HORSE, "token": true});
        let made = self.post("/api/accounts", asked).await;
        assert_eq!(made.0, 201, "{made:?}");
        let token: Value = serde_json::from_str(&made.1).unwrap();
        Person::at(&self.club, name, token["token"].as_str().unwrap())
    }

    async fn post(&self, path: &str, body: Value) -> (u16, String) {
        let answer = self
            .club
            .ask_as("POST", path, &[], Some(body.to_string()))
            .await;
        (answer.status.as_u16(), answer.text)
    }
}

/// Receives a mail, which must go to `to`; returns its text.
async fn next(received: &mut mpsc::UnboundedReceiver<(String, String)>, to: &str) -> String {
    let next = timeout(LONG, received.recv()).await;
    let (for_whom, text) = next.unwrap().unwrap();
    assert!(for_whom.contains(&format!("<{to}>")), "{for_whom}");
    text
}

/// Returns the secret of the link with this word in a mail.
fn secret(mail: &str, word: &str) -> String {
    let (_, rest) = mail
        .split_once(&format!("https://club.example/settings#{word}="))
        .unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn set(who: &Person<'_>, address: &str, password: &str) -> u16 {
    let new = json!({"address": address, "password": password});
    who.ask("PUT", "/api/mail", new).await.status.as_u16()
}

async fn own(who: &Person<'_>) -> Value {
    who.get("/api/mail").await.json()
}

#[tokio::test]
async fn a_confirmed_address_sets_one_new_password() {
    let mut mails = open().await;
    let (store, mut received) = (
        mails.store.clone(),
        std::mem::replace(&mut mails.received, mpsc::unbounded_channel().1),
    );
    let (anna, bert) = (mails.person("Anna").await, mails.person("Bert").await);
    assert_eq!(set(&anna, "no address", HORSE).await, 422);
    assert_eq!(set(&anna, "anna@example.org", "wrong horse").await, 401);
    assert_eq!(set(&anna, "Anna@Example.org", HORSE).await, 204);
    let mail = next(&mut received, "anna@example.org").await;
    let confirm = secret(&mail, "confirm");
    let forgotten = async |address: &str| {
        mails
            .post("/api/mail/reset", json!({"address": address}))
            .await
    };
    // An address that is not confirmed resets nothing, and the link of another works for nothing else.
    assert_eq!(forgotten("anna@example.org").await.0, 204);
    assert_eq!(
        own(&anna).await,
        json!({"sends": true, "address": "", "digests": true})
    );
    let used = async |path: &str, body: Value| mails.post(path, body).await.0;
    let battery = |link: &str| json!({"link": link, "password": "battery-staple-9"});
    let forged = confirm.replacen('c', "p", 1);
    for link in ["", "p.", &forged, &confirm] {
        assert_eq!(
            used("/api/mail/password", battery(link)).await,
            404,
            "{link}"
        );
    }
    assert_eq!(
        used("/api/mail/confirm", json!({"link": confirm})).await,
        204
    );
    assert_eq!(
        used("/api/mail/confirm", json!({"link": confirm})).await,
        404
    );
    assert_eq!(own(&anna).await["address"], "anna@example.org");
    assert_eq!(own(&bert).await["address"], "");

    // A known and an unknown address get the same answer; only the known one gets a mail.
    let (unknown, known) = (
        forgotten("bert@example.org").await,
        forgotten("anna@example.org").await,
    );
    assert_eq!((unknown, known.clone()), (known, (204, String::new())));
    let mail = next(&mut received, "anna@example.org").await;
    assert!(
        mail.contains("Anna: https") && !mail.contains("Bert"),
        "{mail}"
    );
    let link = secret(&mail, "password");
    let short = json!({"link": link, "password": "short"});
    assert_eq!(used("/api/mail/password", short).await, 422);
    assert_eq!(used("/api/mail/password", battery(&link)).await, 201);
    assert_eq!(used("/api/mail/password", battery(&link)).await, 404);
    assert_eq!(anna.get("/api/mail").await.status, 401, "all sessions end");
    let signed = json!({"name": "Anna", "password": "battery-staple-9"});
    assert_eq!(used("/api/sessions", signed).await, 201);

    // The third mail to one address in an hour was the last one; other addresses get theirs.
    assert_eq!(forgotten("anna@example.org").await.0, 204);
    assert_eq!(set(&bert, "bert@example.org", HORSE).await, 204);
    let stolen = secret(&next(&mut received, "bert@example.org").await, "confirm");
    // A new password ends links that were asked for with the old one.
    let new = json!({"old": HORSE, "new": "battery-staple-9", "token": true});
    let token = bert.post("/api/password", new).await.get("token");
    let bert = Person::at(&mails.club, "Bert", &token);
    assert_eq!(
        used("/api/mail/confirm", json!({"link": stolen})).await,
        404
    );
    assert_eq!(own(&bert).await["address"], "");
    let mut refused = 0;
    while forgotten("nobody@example.org").await.0 != 429 {
        refused += 1;
        assert!(refused < 10);
    }

    // The address is deleted with the account.
    let with = async || {
        store
            .accounts_with("mail", "anna@example.org")
            .await
            .unwrap()
    };
    let anna = with().await[0];
    store
        .change_account(anna, None, &AccountChange::Delete)
        .await
        .unwrap();
    assert_eq!(with().await, []);
    assert!(received.try_recv().is_err());
    mails.club.close().await;
}

#[tokio::test]
async fn digests_name_games_of_days_twice_a_day_at_most() {
    let mut mails = open().await;
    let (store, mut received) = (
        mails.store.clone(),
        std::mem::replace(&mut mails.received, mpsc::unbounded_channel().1),
    );
    let (anna, bert) = (mails.person("Anna").await, mails.person("Bert").await);
    assert_eq!(set(&anna, "anna@example.org", HORSE).await, 204);
    let confirm = secret(&next(&mut received, "anna@example.org").await, "confirm");
    assert_eq!(
        mails
            .post("/api/mail/confirm", json!({"link": confirm}))
            .await
            .0,
        204
    );
    let mut games = Vec::new();
    for time in [
        json!({"kind": "days", "initial": 3, "increment": 3, "cap": 3}),
        json!({"kind": "unlimited"}),
    ] {
        let terms = json!({"rules": "wild16", "time": time, "color": "white"});
        let code = bert.post("/api/invitations", terms).await.get("code");
        let accepted = anna
            .post(&format!("/api/invitations/{code}/accept"), Value::Null)
            .await;
        games.push(accepted.get("game"));
    }
    let id: AccountId = store.account_named("Anna").await.unwrap().id;
    let is_due = async || store.settings(id, "mail-due").await.unwrap() == Some("yes".to_owned());
    let becomes_due = async || {
        let due = async {
            while !is_due().await {
                tokio::task::yield_now().await
            }
        };
        timeout(LONG, due).await.unwrap();
    };
    // Tries that are refused, and quick games, make no digest.
    assert_eq!(bert.say(&games[0], "1", "e2e5").await.get("answer"), "no");
    assert_eq!(
        bert.say(&games[1], "1", "g2g4").await.get("answer"),
        "moved"
    );
    mails.server.send_digests().await;
    assert!(!is_due().await && received.try_recv().is_err());

    assert_eq!(
        bert.say(&games[0], "2", "g2g4").await.get("answer"),
        "moved"
    );
    becomes_due().await;
    mails.server.send_digests().await;
    let mail = next(&mut received, "anna@example.org").await;
    assert!(
        mail.contains(&format!("Bert: https://club.example/game/{}", games[0])),
        "{mail}"
    );
    assert!(
        !mail.contains(&games[1]) && !mail.contains("g2g4"),
        "{mail}"
    );
    assert!(
        mail.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
        "{mail}"
    );

    // The next one comes twelve hours later.
    assert_eq!(
        anna.say(&games[0], "1", "e7e5").await.get("answer"),
        "moved"
    );
    assert_eq!(
        bert.say(&games[0], "3", "d2d4").await.get("answer"),
        "moved"
    );
    becomes_due().await;
    mails.server.send_digests().await;
    assert!(is_due().await && received.try_recv().is_err());
    store.keep_settings(id, "mail-digests", "0").await.unwrap();
    mails.server.send_digests().await;
    next(&mut received, "anna@example.org").await;

    // One click of a mail program ends them.
    let unsubscribe = secret(&mail, "unsubscribe");
    let path = format!("/api/mail/unsubscribe?link={unsubscribe}");
    let unfolded = mail.replace("\r\n ", "");
    assert!(
        unfolded.contains(&format!("List-Unsubscribe: <https://club.example{path}>")),
        "{mail}"
    );
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let click = Some("List-Unsubscribe=One-Click".to_owned());
    let answer = mails.club.ask_as("POST", &path, &form, click).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    assert_eq!(own(&anna).await["digests"], false);
    assert_eq!(
        anna.say(&games[0], "2", "d7d5").await.get("answer"),
        "moved"
    );
    assert_eq!(
        bert.say(&games[0], "4", "g1f3").await.get("answer"),
        "moved"
    );
    store.keep_settings(id, "mail-due", "yes").await.unwrap();
    mails.server.send_digests().await;
    assert!(!is_due().await && received.try_recv().is_err());
    mails.club.close().await;
}
