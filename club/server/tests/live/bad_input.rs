//! Tests that malformed, excessive, slow and forged requests get clear errors, and that other
//! clients are not affected.

use std::time::Duration;

use crate::open::{LONG, lines, open, open_as, terms, usual};
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_tungstenite::tungstenite::Message;

#[tokio::test]
async fn malformed_frames_are_answered_and_the_socket_stays_open() {
    let club = open().await;
    let mut socket = club.socket().await;
    socket.next_of("welcome").await;
    for (frame, named) in [
        ("", "EOF"),
        ("{", "column"),
        ("null", "invalid type"),
        ("[]", "type"),
        ("{}", "type"),
        (r#"{"type":"sing"}"#, "sing"),
        (r#"{"type":"watch"}"#, "game"),
        (r#"{"type":"watch","game":"x","after":-1}"#, "-1"),
        (
            r#"{"type":"watch","game":"x","after":1,"seat":"white"}"#,
            "seat",
        ),
        (r#"{"type":"ping","x":1}"#, "x"),
        (
            r#"{"type":"try","id":7,"game":"x","after":0,"text":"e4"}"#,
            "7",
        ),
        (r#"{"type":"act","id":"a","game":"x","act":"win"}"#, "win"),
        ("{\"type\":\"ping\"}{", "trailing"),
        ("\u{0}", "expected value"),
    ] {
        socket.say_text(frame.to_owned()).await;
        let refused = socket.next_of("refused").await;
        assert_eq!(refused["code"], "malformed", "{frame}: {refused}");
        let id = match frame.contains(r#""id":"a""#) {
            true => json!("a"),
            false => Value::Null,
        };
        assert_eq!(refused["id"], id, "{frame}");
        let why = refused["why"].as_str().unwrap();
        assert!(why.contains(named), "{frame}: {why}");
        // The refusal names the place of the fault.
        assert!(why.contains(" line 1 column "), "{frame}: {why}");
    }
    // The refusal does not repeat a very long name completely.
    let long = json!({"type": "x".repeat(4000)}).to_string();
    socket.say_text(long).await;
    assert!(socket.next_of("refused").await.to_string().len() < 600);
    // This frame is longer than allowed, but the server still reads it.
    socket.say_text("x".repeat(5000)).await;
    assert_eq!(socket.next_of("refused").await["code"], "too-large");
    socket
        .0
        .send(Message::Binary(vec![1, 2, 3].into()))
        .await
        .unwrap();
    assert_eq!(socket.next_of("refused").await["code"], "malformed");
    for game in ["", "x", "222222222222", "../../../etc"] {
        socket
            .say(json!({"type": "watch", "game": game, "after": 0}))
            .await;
        let refused = socket.next_of("refused").await;
        assert_eq!(refused["code"], "not-found");
        assert_eq!(refused["game"], game);
        assert_eq!(refused["id"], Value::Null);
    }
    for (game, code) in [("x", "not-found"), ("../../../etc", "not-found")] {
        socket.say(json!({"type": "leave", "game": game})).await;
        let refused = socket.next_of("refused").await;
        assert_eq!(
            (&refused["code"], &refused["game"]),
            (&json!(code), &json!(game))
        );
    }
    assert_eq!(socket.all().await, Vec::<Value>::new(), "still open");
    club.close().await;
}

#[tokio::test]
async fn malformed_bodies_and_queries_are_refused_with_a_reason() {
    let club = open().await;
    let (white, _black, game) = club.game("wild16").await;
    let tries = format!("/api/games/{game}/tries");
    let json = ("content-type", "application/json");
    #[rustfmt::skip]
    let rows = [
        ("/api/seeks", json, "{", "malformed", "line 1"),
        ("/api/seeks", json, r#"{"rules":"ks"}"#, "malformed", "time"),
        ("/api/seeks", json, r#"{"rules":"ks","time":{"kind":"unlimited"},"x":1}"#, "malformed", "`x`"),
        ("/api/seeks", json, r#"{"rules":"nix","time":{"kind":"unlimited"}}"#, "invalid", "wild16"),
        ("/api/seeks", json, r#"{"rules":"ks","time":{"kind":"plain","initial":1}}"#, "invalid", "initial"),
        ("/api/seeks", ("content-type", "text/plain"), "{}", "malformed", "application/json"),
        (&tries, json, r#"{"id":"a b","after":1,"text":"e4"}"#, "invalid", "64"),
        (&tries, json, r#"{"id":"a","after":99,"text":"e4"}"#, "invalid", "after"),
        (&tries, json, r#"{"id":"a","after":1,"text":"e9"}"#, "not-understood", "e9"),
        (&tries, json, r#"{"id":"a","after":1,"text":""}"#, "not-understood", ""),
    ];
    for (path, kind, body, code, named) in rows {
        let headers = [("authorization", white.bearer.as_str()), kind];
        let answer = club
            .ask_as("POST", path, &headers, Some(body.to_owned()))
            .await;
        assert_eq!(answer.get("refused"), code, "{path} {body}: {answer:?}");
        assert!(
            answer.get("why").contains(named),
            "{path} {body}: {answer:?}"
        );
    }
    for query in [
        "after=x",
        "after=-1",
        "wait=2",
        "after=0&seat=black",
        "after=99999999999",
    ] {
        let answer = white.get(&format!("/api/games/{game}/heard?{query}")).await;
        assert_eq!(answer.get("refused"), "invalid", "{query}: {answer:?}");
    }
    club.close().await;
}

#[tokio::test]
async fn body_of_a_megabyte_is_too_large_everywhere() {
    let club = open().await;
    let (white, _black, game) = club.game("wild16").await;
    let much = "x".repeat(1 << 20);
    for path in [
        "/api/accounts",
        "/api/sessions",
        "/api/seeks",
        &format!("/api/games/{game}/tries"),
    ] {
        let headers = [("authorization", white.bearer.as_str())];
        let answer = club
            .ask_as(
                "POST",
                path,
                &headers,
                Some(format!("{{\"name\":\"{much}\"}}")),
            )
            .await;
        assert_eq!(answer.status, 413, "{path}: {answer:?}");
    }
    let say = white.say(&game, "x", &"e4".repeat(1000)).await;
    assert_eq!(say.get("refused"), "too-large", "{say:?}");
    // On the socket, a message of this length ends the connection with a goodbye.
    let mut socket = white.socket().await;
    socket.next_of("welcome").await;
    // The socket may be closed before all bytes are written.
    let _written = socket.0.send(Message::Text(much.into())).await;
    assert_eq!(socket.next().await["type"], "bye");
    // Other clients are not affected, and the seat is unchanged.
    assert_eq!(white.say(&game, "y", "e4").await.get("answer"), "moved");
    club.close().await;
}

#[tokio::test]
async fn a_flooding_client_is_refused_and_then_disconnected() {
    let mut config = usual();
    config.limits.messages = 20;
    let club = open_as(config).await;
    let (white, black, game) = club.game("wild16").await;
    let mut socket = white.socket().await;
    socket.next_of("welcome").await;
    for n in 0..500 {
        let says =
            json!({"type": "try", "id": format!("f{n}"), "game": game, "after": 1, "text": "e5"});
        if socket
            .0
            .send(Message::Text(says.to_string().into()))
            .await
            .is_err()
        {
            break;
        }
    }
    let (mut answered, mut refused) = (0, 0);
    loop {
        let says = socket.next().await;
        match says["type"].as_str() {
            Some("refused") if says["code"] == "too-many" => {
                assert!(says["id"].as_str().unwrap().starts_with('f'));
                assert_eq!(
                    (&says["request"], &says["game"]),
                    (&json!("try"), &json!(game))
                );
                assert!(
                    says["retry_after_ms"].as_u64().is_some_and(|ms| ms > 0),
                    "{says}"
                );
                refused += 1;
            }
            Some("bye") | None => break,
            Some(_) => answered += 1,
        }
    }
    assert!((30..=200).contains(&answered), "{answered}");
    assert!((50..=110).contains(&refused), "{refused}");
    assert_eq!(white.say(&game, "e", "e4").await.get("answer"), "moved");
    assert_eq!(black.say(&game, "e", "e5").await.get("answer"), "moved");
    club.close().await;
}

#[tokio::test]
async fn actions_of_one_address_are_limited() {
    let mut config = usual();
    config.limits.guests = 2;
    config.limits.accounts = 1;
    config.limits.sign_ins = 2;
    config.limits.connections = 5;
    let club = open_as(config).await;
    let limited = async |path: &str, body: Value, times: usize| {
        for _ in 0..times {
            let answer = club.ask_as("POST", path, &[], Some(body.to_string())).await;
            assert_ne!(answer.status, 429, "{answer:?}");
        }
        let answer = club.ask_as("POST", path, &[], Some(body.to_string())).await;
        assert_eq!(answer.get("refused"), "too-many", "{answer:?}");
        assert!(!answer.header("retry-after").is_empty());
    };
    let known = json!({"name": "Known", "password": "one-day-64"});
    limited("/api/guests", json!({}), 2).await;
    limited("/api/accounts", known, 1).await;
    let wrong = json!({"name": "Known", "password": "wrong-password"});
    limited("/api/sessions", wrong, 2).await;
    // Five sockets are allowed. A sixth connection is refused, even for a plain request.
    let mut sockets = Vec::new();
    for _ in 0..5 {
        sockets.push(club.socket().await);
    }
    let answer = club.get("/healthz").await;
    assert_eq!(answer.get("refused"), "too-many", "{answer:?}");
    drop(sockets.pop());
    let open_again = async {
        while club.get("/healthz").await.status != 200 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LONG, open_again).await.unwrap();
    club.close().await;
}

#[tokio::test]
async fn behind_a_proxy_each_client_has_its_own_connection_limit() {
    let mut config = usual();
    config.behind_proxy = true;
    config.limits.connections = 5;
    let club = open_as(config).await;
    let (white, _black, game) = club.game("wild16").await;
    let told = |address| [("x-forwarded-for", address)];
    // A client can write an address into the header itself. The proxy adds the true address after
    // it.
    let (here, lies, there) = ("192.0.2.1", "198.51.100.9, 192.0.2.1", "192.0.2.2");
    let heard = format!("/api/games/{game}/heard");
    let mut sockets = Vec::new();
    for address in [here, lies, here] {
        sockets.push(club.socket_as(&told(address)).await.unwrap());
    }
    let hearing = club.begin("GET", &heard, &told(here), None).await;
    let signed = [("authorization", white.bearer.as_str()), told(here)[0]];
    let own_hearing = club.begin("GET", &heard, &signed, None).await;
    assert_eq!((hearing.0.as_u16(), own_hearing.0.as_u16()), (200, 200));
    for address in [here, lies] {
        let sixth = club.socket_as(&told(address)).await.err();
        assert_eq!(sixth, Some(429), "{address}");
    }
    for path in [heard.as_str(), "/api/lobby"] {
        let refused = club.ask_as("GET", path, &told(here), None).await;
        assert_eq!(refused.get("refused"), "too-many", "{refused:?}");
        assert!(!refused.header("retry-after").is_empty());
    }
    // Clients at other addresses, and tries of a player at the same address, are not affected.
    assert!(club.socket_as(&told(there)).await.is_ok());
    let body = json!({"id": "a", "after": 1, "text": "e4"}).to_string();
    let path = format!("/api/games/{game}/tries");
    let answer = club.ask_as("POST", &path, &signed, Some(body)).await;
    assert_eq!(answer.get("answer"), "moved", "{answer:?}");
    // When one connection ends, a new one is accepted again.
    drop(hearing);
    let free_again = async {
        while club.socket_as(&told(here)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LONG, free_again).await.unwrap();
    club.close().await;
}

#[tokio::test]
async fn offers_of_an_address_are_limited_and_bots_stay_available() {
    let mut config = usual();
    config.limits.offers = 2;
    let club = open_as(config).await;
    let (white, _black, _game) = club.game("wild16").await;
    let terms = json!({"rules": "wild16", "time": {"kind": "unlimited"}});
    let headers = [("authorization", white.bearer.as_str())];
    let ask = async |path: &str, body: &Value| {
        club.ask_as("POST", path, &headers, Some(body.to_string()))
            .await
    };
    // The invitation from which the game began was already counted as one offer.
    assert_eq!(ask("/api/seeks", &terms).await.status, 201);
    let answer = ask("/api/invitations", &terms).await;
    assert_eq!(answer.get("refused"), "too-many", "{answer:?}");
    assert!(!answer.header("retry-after").is_empty());
    for _ in 0..2 {
        let challenge = json!({"to": "random", "terms": terms});
        let answer = ask("/api/challenges", &challenge).await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    club.close().await;
}

#[tokio::test]
async fn bodies_that_cannot_be_read_get_a_clear_error() {
    let club = open().await;
    let (white, _black, _game) = club.game("wild16").await;
    let zipped = [
        ("authorization", white.bearer.as_str()),
        ("content-encoding", "gzip"),
    ];
    let answer = club
        .ask_as("POST", "/api/seeks", &zipped, Some("{}".to_owned()))
        .await;
    assert_eq!(answer.get("refused"), "malformed", "{answer:?}");
    assert!(answer.get("why").to_string().contains("content-encoding"));
    let head = format!(
        "POST /api/seeks HTTP/1.1\r\nhost: club\r\nauthorization: {}\r\n\
         content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
        white.bearer
    );
    for (chunks, told) in [
        ("zz\r\n".to_owned(), "chunks cannot be read"),
        (
            format!("11000\r\n{}\r\n", "x".repeat(0x11000)),
            "at most 65536 bytes",
        ),
    ] {
        let mut stream = TcpStream::connect(club.address).await.unwrap();
        let sent = format!("{head}{chunks}");
        stream.write_all(sent.as_bytes()).await.unwrap();
        let mut said = vec![0; 4096];
        let n = stream.read(&mut said).await.unwrap();
        let said = String::from_utf8_lossy(&said[..n]).into_owned();
        assert!(said.contains(told), "{said}");
    }
    club.close().await;
}

#[tokio::test]
async fn forged_altered_and_ended_tokens_give_no_access() {
    let club = open().await;
    let (white, _black, game) = club.game("wild16").await;
    let token = white.bearer.strip_prefix("Bearer ").unwrap().to_owned();
    let flipped: String = token.chars().rev().collect();
    for bearer in [
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Bearer {flipped}"),
        format!("Bearer {token}0"),
        format!("Bearer {}", token.to_uppercase()),
        format!("Basic {token}"),
        format!("Bearer {}", "0".repeat(64)),
        "Bearer ' or 1=1 --".to_owned(),
    ] {
        let headers = [("authorization", bearer.as_str())];
        for path in ["/api/me", &format!("/api/games/{game}/view"), "/api/lobby"] {
            let answer = club.ask_as("GET", path, &headers, None).await;
            assert_eq!(answer.get("refused"), "sign-in", "{bearer} {path}");
        }
        assert_eq!(club.socket_as(&headers).await.err(), Some(401), "{bearer}");
    }
    // A token of an ended session is not valid in any request.
    let mut socket = white.socket().await;
    socket.next_of("welcome").await;
    assert_eq!(
        white
            .ask("DELETE", "/api/session", Value::Null)
            .await
            .status,
        204
    );
    assert_eq!(white.get("/api/me").await.status, 401);
    let cookie = format!("session={token}");
    let me = club
        .ask_as("GET", "/api/me", &[("cookie", &cookie)], None)
        .await;
    assert_eq!(me.json()["you"], Value::Null);
    assert!(me.text.find(&token).is_none());
    club.close().await;
}

#[tokio::test]
async fn cookie_is_accepted_only_from_pages_of_the_club() {
    let club = open().await;
    let made = club.ask_as("POST", "/api/guests", &[], None).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert!(made.json().get("token").is_none());
    let set = made.header("set-cookie").to_owned();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!set.contains("Secure"));
    let cookie = set.split(';').next().unwrap().to_owned();
    let seek = || Some(terms("ks", "any").to_string());
    let own = club.url();
    for (name, value, status) in [
        ("origin", own.as_str(), 201),
        ("sec-fetch-site", "same-origin", 201),
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("sec-fetch-site", "cross-site", 403),
        ("sec-fetch-site", "same-site", 403),
    ] {
        let headers = [("cookie", cookie.as_str()), (name, value)];
        let answer = club.ask_as("POST", "/api/seeks", &headers, seek()).await;
        assert_eq!(answer.status, status, "{name}: {value}: {answer:?}");
        let socket = club.socket_as(&headers).await.err();
        assert_eq!(socket, (status == 403).then_some(403), "{name}: {value}");
        // A page of another site must not sign a person in to a foreign account, so this request is
        // refused too.
        let guest = club
            .ask_as("POST", "/api/guests", &headers[1..], None)
            .await;
        assert_eq!(guest.status, status, "{name}: {value}");
    }
    club.close().await;
}

#[tokio::test]
async fn page_at_an_unknown_host_is_refused() {
    let mut config = usual();
    config.allow_hosts = vec!["club.lan".to_owned()];
    let club = open_as(config).await;
    let host = club.address.to_string();
    let (there, lan) = (format!("evil.example:{}", club.address.port()), "club.lan");
    for (host, origin, is_own) in [
        (host.as_str(), format!("http://{host}"), true),
        (lan, format!("http://{lan}"), true),
        // The scheme and the port are compared too.
        (&host, format!("https://{host}"), false),
        (lan, format!("http://{lan}:8080"), false),
        // The host name belongs to another site, but points at the address of this server.
        (&there, format!("http://{there}"), false),
    ] {
        let headers = [("host", host), ("origin", origin.as_str())];
        let made = club.ask_as("POST", "/api/guests", &headers, None).await;
        assert_eq!(made.status == 201, is_own, "{headers:?}: {made:?}");
        let socket = club.socket_as(&headers).await.err();
        assert_eq!(socket, (!is_own).then_some(403), "{headers:?}");
    }
    // A page at that host name can read nothing and change nothing. A program that sends this host
    // name can read, because it is not a browser.
    let reads = [("host", there.as_str()), ("accept-language", "en")];
    assert_eq!(
        club.ask_as("GET", "/api/lobby", &reads, None).await.status,
        403
    );
    let program = club.ask_as("GET", "/api/lobby", &reads[..1], None).await;
    assert_eq!(program.status, 200, "{program:?}");
    club.close().await;
}

#[tokio::test]
async fn a_lying_client_gains_no_time_and_no_turn() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    // A try must not contain times of the client.
    let path = format!("/api/games/{game}/tries");
    let lie = json!({"id": "a", "after": 1, "text": "e4", "at": 0, "clock": 999_999});
    assert_eq!(white.post(&path, lie).await.get("refused"), "malformed");
    // A try out of turn and a try for an earlier turn are refused.
    assert_eq!(
        black.say(&game, "a", "e5").await.get("refused"),
        "not-your-turn"
    );
    white.say(&game, "w", "e4").await;
    black.say(&game, "b", "e5").await;
    let stale = json!({"id": "x", "after": 1, "text": "d4"});
    assert_eq!(white.post(&path, stale).await.get("refused"), "stale");
    // No request can act for the opponent's seat.
    let acts = format!("/api/games/{game}/acts");
    let claim = json!({"id": "c", "act": "claim-win"});
    assert_eq!(
        white.post(&acts, claim).await.get("refused"),
        "not-possible"
    );
    club.close().await;
}

#[tokio::test]
async fn slow_reader_is_disconnected_and_delays_nobody() {
    let mut config = usual();
    config.client_timeout = Some(Duration::from_secs(1));
    config.limits.messages = 10_000_000;
    let club = open_as(config).await;
    let (white, black, game) = club.game("wild16").await;
    // This client repeatedly sends messages that need an answer, and reads nothing.
    let mut slow = white.socket().await;
    let says = json!({"type": "x"}).to_string();
    let mut asked = 0;
    let flood = async {
        while slow
            .0
            .send(Message::Text(says.clone().into()))
            .await
            .is_ok()
        {
            asked += 1;
        }
    };
    // The server closes the socket, because the client reads nothing.
    timeout(LONG, flood).await.unwrap();
    assert!(asked > 100);
    assert_eq!(white.say(&game, "a", "e4").await.get("answer"), "moved");
    assert_eq!(black.say(&game, "a", "e5").await.get("answer"), "moved");
    club.close().await;
}

#[tokio::test]
async fn connections_without_a_request_block_nobody() {
    let mut config = usual();
    config.limits.connections = 5;
    let club = open_as(config).await;
    let mut socket = club.socket().await;
    socket.next_of("welcome").await;
    let mut silent = Vec::new();
    for _ in 0..64 {
        let mut stream = TcpStream::connect(club.address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nhost:").await.unwrap();
        silent.push(stream);
    }
    assert_eq!(club.get("/healthz").await.status, 200);
    assert_eq!(socket.all().await, Vec::<Value>::new(), "still open");
    // The server closed the first of these connections to make room for a new one.
    let mut rest = Vec::new();
    let closed = silent[0].read_to_end(&mut rest);
    timeout(LONG, closed).await.unwrap().ok();
    club.close().await;
}

#[tokio::test]
async fn silent_connections_are_closed() {
    let mut config = usual();
    config.client_timeout = Some(Duration::from_secs(3));
    config.limits.connections = 2000;
    let club = open_as(config).await;
    let mut silent = Vec::new();
    for n in 0..300 {
        let mut stream = TcpStream::connect(club.address).await.unwrap();
        if n % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nhost:").await.unwrap();
        }
        silent.push(stream);
    }
    assert_eq!(club.get("/healthz").await.status, 200);
    for mut stream in silent {
        let mut rest = Vec::new();
        timeout(LONG, stream.read_to_end(&mut rest))
            .await
            .unwrap()
            .ok();
    }
    // Random bytes are not a request and do no harm.
    let mut stream = TcpStream::connect(club.address).await.unwrap();
    stream.write_all(&[0xff; 4096]).await.unwrap();
    let mut rest = Vec::new();
    timeout(LONG, stream.read_to_end(&mut rest))
        .await
        .unwrap()
        .ok();
    assert_eq!(club.get("/healthz").await.status, 200);
    club.close().await;
}

#[tokio::test]
async fn every_answer_has_security_headers_and_api_is_not_cached() {
    let club = open().await;
    for path in [
        "/",
        "/game/x",
        "/api",
        "/api/me",
        "/api/nothing",
        "/healthz",
        "/x.js",
    ] {
        let answer = club.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'self'"), "{path}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"));
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("strict-transport-security"), "", "{path}");
        if path.starts_with("/api/") {
            assert_eq!(answer.header("cache-control"), "no-store", "{path}");
            assert_eq!(answer.header("etag"), "", "{path}");
        }
    }
    assert_eq!(club.get("/game/222222222222").await.status, 200);
    assert_eq!(club.get("/missing.js").await.status, 404);
    assert_eq!(club.get("/api/nothing").await.get("refused"), "not-found");
    let put = club.ask_as("PUT", "/api/me", &[], None).await;
    assert_eq!(put.status, 405);
    club.close().await;

    let mut config = usual();
    config.public_url = Some("https://club.example".to_owned());
    let club = open_as(config).await;
    let answer = club.ask_as("POST", "/api/guests", &[], None).await;
    let set = answer.header("set-cookie").to_owned();
    assert!(set.contains("; Secure"), "{set}");
    let (name, token) = set.split(';').next().unwrap().split_once('=').unwrap();
    assert_eq!(name, "__Host-session");
    for (name, is_read) in [(name, true), ("session", false)] {
        let cookie = format!("{name}={token}");
        let headers = [("cookie", cookie.as_str())];
        let me = club.ask_as("GET", "/api/me", &headers, None).await;
        assert_eq!(!me.json()["you"].is_null(), is_read, "{me:?}");
    }
    assert!(!answer.header("strict-transport-security").is_empty());
    let document = club.get("/api/openapi.json").await.json();
    let scheme = &document["components"]["securitySchemes"]["cookie"];
    assert_eq!(
        scheme["name"], name,
        "the document names the cookie that is read"
    );
    let empty = lines("");
    assert!(empty.is_empty());
    club.close().await;
}
