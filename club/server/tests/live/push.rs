//! Tests of notices by Web Push, with a push service that decrypts them.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{Request, Response},
};
use base64ct::{Base64UrlUnpadded, Encoding};
use club::{Club, Settings, SystemClock};
use http_body_util::BodyExt;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use server::{Dial, Server, Stream};
use store::MemoryStore;
use tokio::{
    io::duplex,
    net::TcpListener,
    sync::{mpsc, oneshot},
    time::timeout,
};
use web_push_native::{
    Auth, decrypt,
    p256::{
        SecretKey,
        ecdsa::{Signature, VerifyingKey, signature::Verifier},
    },
};

use crate::open::{LONG, Open, Person, usual};

/// Secret key and shared secret of every browser.
const KEY: [u8; 32] = [7; 32];
const AUTH: [u8; 16] = [9; 16];

/// A notice that reached the push service: its head, and what the browser reads.
struct Pushed {
    head: axum::http::request::Parts,
    body: Vec<u8>,
    text: Value,
}

impl Pushed {
    fn header(&self, name: &str) -> &str {
        self.head.headers[name].to_str().unwrap()
    }

    /// Returns the path, and what the notice is about.
    fn short(&self) -> (String, Value) {
        (self.head.uri.to_string(), self.text["kind"].clone())
    }
}

/// Returns what connects to a push service in this process, and what reaches the service. It answers
/// 410 to the path `/gone`, redirects from `/moved`, and never answers to `/stuck`.
fn push_service() -> (Dial, mpsc::UnboundedReceiver<Pushed>) {
    let (pushed, received) = mpsc::unbounded_channel();
    let answer = move |request: Request<hyper::body::Incoming>| {
        let pushed = pushed.clone();
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await?.to_bytes().to_vec();
            let key = SecretKey::from_slice(&KEY).unwrap();
            let text = decrypt(body.clone(), &key, &Auth::from(AUTH)).unwrap();
            let text = serde_json::from_slice(&text).unwrap();
            let path = head.uri.path().to_owned();
            pushed.send(Pushed { head, body, text }).unwrap();
            let answer = Response::builder();
            let answer = match &*path {
                "/gone" => answer.status(410),
                "/moved" => answer
                    .status(307)
                    .header("location", "https://other.example/"),
                "/stuck" => std::future::pending().await,
                _ => answer.status(201),
            };
            Ok::<_, hyper::Error>(answer.body(Body::empty()).unwrap())
        }
    };
    let dial: Dial = Arc::new(move |host| {
        let answer = answer.clone();
        Box::pin(async move {
            assert_eq!(host, "push.example");
            let (ours, its) = duplex(4096);
            let served =
                http1::Builder::new().serve_connection(TokioIo::new(its), service_fn(answer));
            tokio::spawn(served);
            let ours: Box<dyn Stream> = Box::new(ours);
            Ok(ours)
        })
    });
    (dial, received)
}

/// Starts a server that sends notices to a push service.
async fn open() -> (Open, mpsc::UnboundedReceiver<Pushed>) {
    let store = Arc::new(MemoryStore::default());
    let club = Club::open(store, Arc::new(SystemClock), Settings::cheap());
    let server = Server::open(club.await.unwrap(), usual()).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (dial, received) = push_service();
    let (stop, stopping) = oneshot::channel();
    let sender = server.clone();
    tokio::spawn(async move { sender.send_notices(dial).await });
    let served = tokio::spawn(async move {
        let stop = async {
            let _ = stopping.await;
        };
        server.serve(listener, stop).await.unwrap();
    });
    (Open::at(address, stop, served), received)
}

async fn person<'a>(club: &'a Open, name: &str) -> Person<'a> {
    let asked = json!({"name": name, "password": "correct horse", "token": true});
    let asked = Some(asked.to_string());
    let made = club.ask_as("POST", "/api/accounts", &[], asked).await;
    assert_eq!(made.status, 201, "{made:?}");
    Person::at(club, name, &made.get("token"))
}

pub fn subscription(endpoint: &str) -> Value {
    let key = SecretKey::from_slice(&KEY).unwrap().public_key();
    json!({
        "endpoint": endpoint,
        "p256dh": Base64UrlUnpadded::encode_string(&key.to_sec1_bytes()),
        "auth": Base64UrlUnpadded::encode_string(&AUTH),
        "language": "de",
    })
}

async fn subscribe(person: &Person<'_>, path: &str) {
    let new = subscription(&format!("https://push.example{path}"));
    let answer = person.ask("PUT", "/api/push", new).await;
    assert_eq!(answer.status, 204, "{answer:?}");
}

/// Receives a notice; fails if none comes.
async fn next(received: &mut mpsc::UnboundedReceiver<Pushed>) -> Pushed {
    let next = timeout(LONG, received.recv()).await;
    next.unwrap().unwrap()
}

#[tokio::test]
async fn turns_challenges_and_messages_are_pushed() {
    let (club, mut received) = open().await;
    let (anna, carl, guest) = (
        person(&club, "Anna").await,
        person(&club, "Carl").await,
        club.guest().await,
    );
    subscribe(&anna, "/anna?x=1").await;
    subscribe(&carl, "/carl").await;
    let game = club.game_between(&guest, &anna, "wild16").await;
    for (id, text) in [("1", "e2e5"), ("2", "e1e5"), ("3", "d1d5")] {
        assert_eq!(guest.say(&game, id, text).await.status, 200);
    }
    assert_eq!(guest.say(&game, "4", "e2e4").await.get("answer"), "moved");
    let turn = next(&mut received).await;
    assert_eq!(
        turn.text,
        json!({"kind": "turn", "game": game, "language": "de"})
    );
    assert_eq!(turn.head.uri, "/anna?x=1");
    let headers = ["host", "content-encoding", "ttl"].map(|name| turn.header(name));
    assert_eq!(headers, ["push.example", "aes128gcm", "86400"]);

    // The push service can check who sends it.
    let key = anna.get("/api/push").await.get("key");
    let (token, shown) = turn.header("authorization").split_once(", k=").unwrap();
    assert_eq!(shown, key);
    let (signed, signature) = token
        .strip_prefix("vapid t=")
        .unwrap()
        .rsplit_once('.')
        .unwrap();
    let decoded = |text: &str| Base64UrlUnpadded::decode_vec(text).unwrap();
    let key = VerifyingKey::from_sec1_bytes(&decoded(&key)).unwrap();
    let signature = Signature::from_slice(&decoded(signature)).unwrap();
    key.verify(signed.as_bytes(), &signature).unwrap();
    let claims = decoded(signed.split_once('.').unwrap().1);
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!(claims["aud"], "https://push.example");

    // While a page of Anna is open, the notices for others only.
    let mut page = anna.socket().await;
    page.next_of("welcome").await;
    assert_eq!(anna.say(&game, "1", "e7e5").await.get("answer"), "moved");
    assert_eq!(guest.say(&game, "5", "d2d4").await.get("answer"), "moved");
    let challenge = json!({"to": "Anna", "terms": crate::open::terms("wild16", "any")});
    assert_eq!(
        carl.post("/api/challenges", challenge.clone()).await.status,
        201
    );
    let hello = |to: &str| json!({"to": to, "text": "hello"});
    assert_eq!(guest.post("/api/messages", hello("Carl")).await.status, 201);
    let message = next(&mut received).await;
    assert_eq!(message.short(), ("/carl".to_owned(), json!("message")));
    // All notices have one length.
    assert_eq!(message.body.len(), turn.body.len());
    drop(page);
    let mut pushed = Vec::new();
    // The club notices a moment later that the page is closed.
    while pushed.is_empty() {
        assert_eq!(
            carl.post("/api/challenges", challenge.clone()).await.status,
            201
        );
        let lobby = carl.get("/api/lobby").await.json();
        let id = lobby["challenges"][1]["id"].as_str().unwrap().to_owned();
        carl.ask("DELETE", &format!("/api/challenges/{id}"), Value::Null)
            .await;
        pushed.extend(received.try_recv());
    }
    assert_eq!(
        pushed[0].short(),
        ("/anna?x=1".to_owned(), json!("challenge"))
    );
    club.close().await;
}

#[tokio::test]
async fn a_browser_that_is_gone_gets_no_more_notices() {
    let (club, mut received) = open().await;
    let guest = club.guest().await;
    for (name, path) in [("Gone", "/gone"), ("Moved", "/moved"), ("Stuck", "/stuck")] {
        let one = person(&club, name).await;
        subscribe(&one, path).await;
        assert_eq!(one.get("/api/push").await.json()["on"], true);
        let game = club.game_between(&guest, &one, "wild16").await;
        assert_eq!(guest.say(&game, "1", "e2e4").await.get("answer"), "moved");
        // A service that does not answer, and one that redirects, hold nobody up.
        assert_eq!(next(&mut received).await.short().0, path);
        let on = async || one.get("/api/push").await.json()["on"] == true;
        if path == "/gone" {
            timeout(LONG, async { while on().await {} }).await.unwrap();
        }
        assert_eq!(on().await, path != "/gone");
        let ended = one.ask("DELETE", "/api/push", Value::Null).await.status;
        assert_eq!((ended.as_u16(), on().await), (204, false));
    }
    assert!(received.try_recv().is_err());
    club.close().await;
}

#[tokio::test]
async fn only_subscriptions_of_public_services_are_taken() {
    let (club, _received) = open().await;
    let anna = person(&club, "Anna").await;
    let put = async |who: &Person<'_>, new: Value| {
        let answer = who.ask("PUT", "/api/push", new).await;
        (answer.status.as_u16(), answer.text)
    };
    let long = format!("https://push.example/{}", "x".repeat(1024));
    for endpoint in [
        "http://push.example/a",
        "https://push.example:8443/a",
        "https://anna@push.example/a",
        "https://localhost/a",
        "https://127.0.0.1/a",
        "https://10.1.2.3/a",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/a",
        "https://[::ffff:10.0.0.1]/a",
        "https://[fd00::1]/a",
        "/a",
        "",
        &long,
    ] {
        let (status, text) = put(&anna, subscription(endpoint)).await;
        assert_eq!(status, 422, "{endpoint}: {text}");
        assert!(text.contains(r#""reason":"push-form""#), "{text}");
    }
    for (key, wrong) in [
        ("p256dh", "AAAA"),
        ("auth", "AAAA"),
        ("auth", "?"),
        ("language", "<en>"),
    ] {
        let mut new = subscription("https://push.example/a");
        new[key] = wrong.into();
        assert_eq!(put(&anna, new).await.0, 422, "{key}");
    }
    let guest = club.guest().await;
    let new = subscription("https://push.example/a");
    assert_eq!(put(&guest, new.clone()).await.0, 403);
    // A program's token cannot change the account.
    let token = anna
        .post("/api/tokens", json!({"label": "bot"}))
        .await
        .get("token");
    let bot = Person::at(&club, "Anna", &token);
    assert_eq!(put(&bot, new.clone()).await.0, 403);
    assert_eq!(anna.get("/api/push").await.json()["on"], false);
    assert_eq!(put(&anna, new).await.0, 204);
    let export = crate::open::lines(&anna.get("/api/account/export").await.text);
    let own = export
        .iter()
        .find(|line| line["kind"] == "notices")
        .unwrap();
    assert_eq!(own["endpoint"], "https://push.example/a");
    club.close().await;
}
