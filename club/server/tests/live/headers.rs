//! Tests of headers: forwarded addresses, encodings, extensions of the socket.

use http_body_util::BodyExt;
use serde_json::Value;

use crate::open::{open, open_as, usual};

/// A proxy appends the address from which the request came. Addresses that the client itself has
/// written come earlier in the header and are ignored.
#[tokio::test]
async fn last_forwarded_address_is_taken_as_the_client() {
    let mut config = usual();
    config.behind_proxy = true;
    config.limits.guests = 1;
    let club = open_as(config).await;
    let name = "x-forwarded-for";
    for (headers, status) in [
        (vec![(name, "203.0.113.1"), (name, "198.51.100.1")], 201),
        (vec![(name, "203.0.113.2"), (name, "198.51.100.1")], 429),
        (vec![(name, "203.0.113.3, 198.51.100.1")], 429),
        (
            vec![(name, "203.0.113.3"), (name, "203.0.113.4,198.51.100.1")],
            429,
        ),
        (vec![(name, "198.51.100.1"), (name, "203.0.113.5")], 201),
        (vec![(name, "198.51.100.2, 203.0.113.5")], 429),
        // Other headers that name an address are ignored, because the proxy does not set them.
        (
            vec![("forwarded", "for=192.0.2.7"), (name, "198.51.100.1")],
            429,
        ),
        (
            vec![("x-real-ip", "192.0.2.8"), (name, "198.51.100.1")],
            429,
        ),
        // If the last address in the header is malformed, the request counts for the proxy's own
        // address.
        (vec![(name, "203.0.113.9, unknown")], 201),
        (vec![(name, "203.0.113.10"), (name, "unknown")], 429),
    ] {
        let answer = club.ask_as("POST", "/api/guests", &headers, None).await;
        assert_eq!(answer.status, status, "{headers:?}");
    }
    club.close().await;
    // Without a proxy these headers are ignored.
    let mut config = usual();
    config.limits.guests = 1;
    let club = open_as(config).await;
    for (address, status) in [("203.0.113.1", 201), ("203.0.113.2", 429)] {
        let answer = club
            .ask_as("POST", "/api/guests", &[(name, address)], None)
            .await;
        assert_eq!(answer.status, status);
    }
    club.close().await;
}

const ENCODINGS: [&str; 7] = [
    "gzip",
    "br",
    "deflate",
    "zstd",
    "*",
    "gzip, deflate, br, zstd",
    "identity;q=0, gzip;q=1.0",
];

/// Content types of responses that contain nothing secret: the page, its files, and rulesets.
const OPEN_TYPES: [&str; 5] = [
    "text/html",
    "text/css",
    "text/javascript",
    "image/svg+xml",
    "application/toml",
];

/// Whether everybody gets the same answer from this address. Such answers have an entity tag.
fn is_public(path: &str) -> bool {
    let finished = ["/finished.json", "/finished.pgn", "/finished.txt", "/steps"];
    path == "/api"
        || path == "/api/openapi.json"
        || path.starts_with("/api/rules")
        || (path.contains("/belief/") && !path.ends_with("/progress"))
        || finished.iter().any(|end| path.ends_with(end))
}

/// Secret text must not be compressed together with text that somebody else chose. Otherwise the
/// compressed length would depend on the secret.
#[tokio::test]
async fn no_answer_of_a_game_or_a_person_is_compressed() {
    let club = open().await;
    let (white, black, running) = club.game("wild16").await;
    white.say(&running, "e", "e2e4").await;
    let offer = white
        .post("/api/invitations", crate::open::terms("wild16", "white"))
        .await;
    let code = offer.get("code");
    let path = format!("/api/invitations/{code}/accept");
    let finished = black.post(&path, Value::Null).await.get("game");
    for n in 0..40 {
        white.say(&finished, &format!("t{n}"), "e2d3").await;
    }
    white.say(&finished, "end", "resign").await;
    let document = club.get("/api/openapi.json").await.json();
    let mut paths: Vec<String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, item)| item["get"].is_object())
        .map(|(path, _)| path.clone())
        .collect();
    assert!(paths.len() > 15, "{paths:?}");
    paths.extend(["/", "/game/222222222222", "/missing.js", "/api/nothing"].map(str::to_owned));
    let mut answered = 0;
    for path in &paths {
        for game in [&running, &finished] {
            let id = if path.contains("/rules/") {
                "wild16"
            } else {
                game
            };
            let path = path.replace("{id}", id).replace("{code}", &code);
            let path = path.replace("{seat}", "white");
            let path = match path.ends_with("/heard") {
                true => format!("{path}?after=0&wait=0"),
                false => path,
            };
            for encoding in ENCODINGS {
                let headers = [
                    ("authorization", white.bearer.as_str()),
                    ("accept-encoding", encoding),
                ];
                let (status, headers, ..) = club.begin("GET", &path, &headers, None).await;
                let kind = headers
                    .get("content-type")
                    .map_or("", |kind| kind.to_str().unwrap());
                let is_open = OPEN_TYPES.iter().any(|open| kind.starts_with(open));
                let encoded = headers.get("content-encoding");
                let is_public = is_public(&path) && status.is_success();
                assert!(
                    is_open || is_public || encoded.is_none(),
                    "{path} {encoding}: {encoded:?} {kind}"
                );
                let policy = headers["cache-control"].to_str().unwrap();
                let expected = match (is_public, path.starts_with("/api")) {
                    (true, _) => "public, no-cache",
                    (false, true) => "no-store",
                    (false, false) => policy,
                };
                assert_eq!(policy, expected, "{path}");
                if path.starts_with("/api") {
                    assert_eq!(headers.contains_key("etag"), is_public, "{path}");
                }
                answered += u32::from(status.is_success());
            }
        }
    }
    assert!(answered > 150, "{answered}");
    club.close().await;
}

#[tokio::test]
async fn public_answers_are_compressed_and_not_resent_if_unchanged() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let finished = format!("/api/games/{game}/finished.json");
    let running = club.get(&finished).await;
    assert_eq!(running.status, 409);
    assert_eq!(running.header("cache-control"), "no-store");
    white.say(&game, "a", "e2e4").await;
    black.say(&game, "b", "resign").await;
    for path in [
        "/api/rules",
        "/api/rules/compare",
        "/api/rules/wild16",
        "/api/openapi.json",
        finished.as_str(),
    ] {
        let plain = club.get(path).await;
        assert_eq!(plain.status, 200, "{path}");
        let gzip = [("accept-encoding", "gzip")];
        let (_, headers, body, _sender) = club.begin("GET", path, &gzip, None).await;
        let bytes = body.collect().await.unwrap().to_bytes();
        assert_eq!(headers["content-encoding"], "gzip", "{path}");
        println!("size {path} {} {}", plain.text.len(), bytes.len());
        assert!(bytes.len() < plain.text.len(), "{path}");
        let tag = headers["etag"].to_str().unwrap().to_owned();
        assert_eq!(plain.header("etag"), tag, "{path}");
        let known = [("if-none-match", tag.as_str())];
        let again = club.ask_as("GET", path, &known, None).await;
        assert_eq!(
            (again.status.as_u16(), again.text.len()),
            (304, 0),
            "{path}"
        );
        assert_eq!(again.header("etag"), tag);
        let other = [("if-none-match", "W/\"0\"")];
        let changed = club.ask_as("GET", path, &other, None).await;
        assert_eq!(changed.status, 200, "{path}");
    }
    club.close().await;
}

/// Compression collects bytes before it sends them. So compression would also delay the stream of
/// hearings.
#[tokio::test]
async fn hearings_are_sent_uncompressed_line_by_line() {
    let club = open().await;
    let (white, _black, game) = club.game("wild16").await;
    for encoding in ENCODINGS {
        let headers = [
            ("authorization", white.bearer.as_str()),
            ("accept-encoding", encoding),
        ];
        let path = format!("/api/games/{game}/heard?after=0");
        let (_, headers, mut body, _held) = club.begin("GET", &path, &headers, None).await;
        assert!(headers.get("content-encoding").is_none(), "{encoding}");
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        let line: Value = serde_json::from_slice(&frame).unwrap();
        assert_eq!(line["type"], "heard", "{encoding}");
    }
    let upgrade = [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        (
            "sec-websocket-extensions",
            "permessage-deflate; client_max_window_bits",
        ),
    ];
    let (status, headers, ..) = club.begin("GET", "/api/socket", &upgrade, None).await;
    assert_eq!(status, 101);
    assert!(headers.get("sec-websocket-extensions").is_none());
    club.close().await;
}
