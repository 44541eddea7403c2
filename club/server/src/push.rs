//! Notices by Web Push: encrypted for the browser (RFC 8291), signed with the club's key (RFC 8292),
//! and sent to the browser's push service (RFC 8030).

use std::{future::Future, io, net::IpAddr, pin::Pin, sync::Arc, time::Duration};

use axum::http::{HeaderValue, Request, StatusCode, Uri, header, uri::Scheme};
use base64ct::{Base64UrlUnpadded, Encoding};
use club::{AwayKind, AwayNotice, Subscriber};
use futures_util::{
    future::join_all,
    stream::{FuturesUnordered, StreamExt},
};
use http_body_util::Full;
use hyper::{body::Bytes, client::conn::http1};
use hyper_util::rt::TokioIo;
use limits::Buckets;
use serde_json::json;
use tokio::{
    net::{TcpStream, lookup_host},
    time::timeout,
};
use web_push_native::{Auth, WebPushBuilder, p256::PublicKey};
use wire::NewPushJson;

use crate::{app::App, door::Stream};

/// Opens a connection with TLS to port 443 of a host.
pub type Dial = Arc<dyn Fn(String) -> Dialing + Send + Sync>;
type Dialing = Pin<Box<dyn Future<Output = io::Result<Box<dyn Stream>>> + Send>>;

/// A push service must answer within this time.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of accounts to which notices are sent at once.
const MAX_AT_ONCE: usize = 16;
/// Number of notices of one account within [`NOTICES_SPAN`]; the others are not sent.
const NOTICES: u32 = 20;
const NOTICES_SPAN: Duration = Duration::from_secs(3600);
/// A push service keeps a notice for a device that is off for this time.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);
/// Length of every notice before it is encrypted, so that its length tells nothing.
const NOTICE_BYTES: usize = 128;
/// Maximum length of an endpoint, in bytes.
const MAX_ENDPOINT: usize = 1024;

/// Whether the club can send notices to a browser.
pub fn is_valid(new: &NewPushJson) -> bool {
    let is_code = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let language = &new.language;
    (2..=12).contains(&language.len())
        && language.chars().all(is_code)
        && builder(&new.endpoint, &new.p256dh, &new.auth).is_some()
}

/// Returns what encrypts notices for a browser, or `None` if its address or keys are not allowed.
fn builder(endpoint: &str, p256dh: &str, auth: &str) -> Option<WebPushBuilder> {
    let decoded = |text: &str| Base64UrlUnpadded::decode_vec(text.trim_end_matches('=')).ok();
    let is_short = endpoint.len() <= MAX_ENDPOINT;
    let endpoint: Uri = endpoint.parse().ok()?;
    let host = endpoint.host()?;
    let is_allowed = is_short
        && endpoint.scheme() == Some(&Scheme::HTTPS)
        // Neither a user nor a port.
        && endpoint.authority().is_some_and(|authority| authority == host)
        && match host.trim_matches(['[', ']']).parse() {
            Ok(address) => is_public(address),
            Err(_) => host.contains('.'),
        };
    let key = PublicKey::from_sec1_bytes(&decoded(p256dh)?).ok()?;
    let auth: [u8; 16] = decoded(auth)?.try_into().ok()?;
    let builder = WebPushBuilder::new(endpoint, key, Auth::from(auth));
    is_allowed.then(|| builder.with_valid_duration(LIFETIME))
}

/// Whether an address belongs to the public internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => {
            let [a, b, c, _] = four.octets();
            !(four.is_private()
                || four.is_loopback()
                || four.is_link_local()
                || four.is_documentation()
                || matches!(
                    (a, b, c),
                    (0 | 224.., ..) | (100, 64..=127, _) | (192, 0, 0) | (198, 18 | 19, _)
                ))
        }
        // Global unicast, without what embeds an IPv4 address (6to4, Teredo) and documentation.
        IpAddr::V6(six) => {
            let [a, b, ..] = six.segments();
            (0x2000..0x4000).contains(&a)
                && !matches!(
                    (a, b),
                    (0x2001, 0..=0x1ff | 0xdb8) | (0x2002, _) | (0x3fff, _)
                )
        }
    }
}

/// Connects to port 443 of a host, if all its addresses are public.
///
/// # Errors
/// If the host has another address or none, or cannot be reached.
pub async fn connect_public(host: &str) -> io::Result<TcpStream> {
    let host = host.trim_matches(['[', ']']);
    let found: Vec<_> = lookup_host((host, 443)).await?.collect();
    if !found.iter().all(|address| is_public(address.ip())) {
        let why = "the host has an address that is not public";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    TcpStream::connect(&*found).await
}

/// Sends every notice of the club until the club closes. What cannot be sent is lost.
pub async fn send_all(app: &App, dial: &Dial) {
    let mut notices = app.club().notices();
    let (sent, mut sending) = (Buckets::default(), FuturesUnordered::new());
    let closing = app.closing();
    tokio::pin!(closing);
    loop {
        tokio::select! {
            Some(()) = sending.next() => {}
            notice = notices.next(), if sending.len() < MAX_AT_ONCE => {
                let Some(notice) = notice else { return };
                if !app.has_socket(notice.to)
                    && sent.count(notice.to, NOTICES, NOTICES_SPAN).is_ok()
                {
                    sending.push(send(app, dial, notice));
                }
            }
            () = &mut closing => return,
        }
    }
}

/// Sends a notice to each browser of an account.
async fn send(app: &App, dial: &Dial, notice: AwayNotice) {
    let all = app.club().subscribers(notice.to).await.unwrap_or_default();
    join_all(all.iter().map(async |to| {
        let answer = timeout(ANSWER_TIMEOUT, post(app, dial, to, &notice)).await;
        if let Ok(Ok(StatusCode::NOT_FOUND | StatusCode::GONE)) = answer {
            // If the store fails now, the next notice tries again.
            let _later = app.club().remove_subscriber(to).await;
        }
    }))
    .await;
}

/// Sends a notice to the push service of a browser. Returns the status of the answer.
async fn post(
    app: &App,
    dial: &Dial,
    to: &Subscriber,
    notice: &AwayNotice,
) -> Result<StatusCode, Box<dyn std::error::Error + Send + Sync>> {
    let kind = match notice.kind {
        AwayKind::Turn => "turn",
        AwayKind::Challenge => "challenge",
        AwayKind::Message => "message",
    };
    let game = notice.game.map(|game| game.to_string());
    let text = json!({"kind": kind, "game": game, "language": to.language}).to_string();
    let request = builder(&to.endpoint, &to.p256dh, &to.auth)
        .ok_or("the subscription is not valid")?
        .build(format!("{text:NOTICE_BYTES$}"))?;
    let (mut parts, body) = request.into_parts();
    let host = parts.uri.host().unwrap_or_default().to_owned();
    let contact = app.config().public_url.as_deref();
    let contact = contact.filter(|url| url.starts_with("https://"));
    let signed = app
        .vapid()
        .authorization(&host, app.club().now() / 1000, contact);
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    parts.uri = path.parse()?;
    let headers = &mut parts.headers;
    headers.insert(header::HOST, HeaderValue::from_str(&host)?);
    headers.insert(header::AUTHORIZATION, HeaderValue::from_str(&signed)?);
    let request = Request::from_parts(parts, Full::new(Bytes::from(body)));
    let stream = TokioIo::new(dial(host).await?);
    let (mut sender, connection) = http1::handshake(stream).await?;
    tokio::select! {
        answer = sender.send_request(request) => Ok(answer?.status()),
        _ended = connection => Err("the push service gave no answer".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        for (address, expected) in [
            ("1.1.1.1", true),
            ("172.32.0.1", true),
            ("2606:4700::1111", true),
            ("0.0.0.0", false),
            ("10.0.0.1", false),
            ("100.64.0.1", false),
            ("127.0.0.1", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("192.168.1.1", false),
            ("198.18.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::ffff:1.1.1.1", false),
            ("64:ff9b::7f00:1", false),
            ("fc00::1", false),
            ("fe80::1", false),
            ("ff02::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::", false),
        ] {
            let parsed = address.parse().unwrap();
            assert_eq!(is_public(parsed), expected, "{address}");
        }
    }

    #[tokio::test]
    async fn a_host_with_a_private_address_is_not_connected() {
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            let error = connect_public(host).await.expect_err(host);
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{host}");
        }
    }
}
