//! Tests of a server's configuration.

use std::{fs, path::PathBuf, time::Duration};

use clap::{Args, Command, FromArgMatches};
use server::{Given, LogForm, PasswordCost};
use tempfile::TempDir;

use crate::open::{open_as, usual};

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn file(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

fn flags(flags: &[&str]) -> Given {
    let command = Given::augment_args(Command::new("serve"));
    let all = std::iter::once("serve").chain(flags.iter().copied());
    Given::from_arg_matches(&command.get_matches_from(all)).unwrap()
}

#[test]
fn empty_configuration_has_the_defaults() {
    let config = Given::default().settle().unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.data, PathBuf::from("kriegspiel.db"));
    assert_eq!(config.think, Duration::from_millis(300));
    assert_eq!(config.bots[0].name, "random");
    assert_eq!((config.https(), config.behind_proxy), (false, false));
    assert_eq!(config.password_cost, PasswordCost::Normal);
    assert_eq!(config.limits, server::Limits::default());
}

#[test]
fn a_flag_overrides_the_file() {
    let folder = folder();
    let path = file(
        &folder,
        "flag.toml",
        "listen = '127.0.0.1:1'\nthink = 5\nbots = ['random']\nguests = 7\nlog = 'json'\n",
    );
    let given = flags(&["--think", "9", "--bots", "none", "--behind-proxy"]);
    let config = given.or(Given::read(&path).unwrap()).settle().unwrap();
    assert_eq!(config.listen.port(), 1);
    assert_eq!(config.think, Duration::from_millis(9));
    assert!(config.bots.is_empty());
    assert_eq!(config.limits.guests, 7);
    assert_eq!(config.log, LogForm::Json);
    assert!(config.behind_proxy);
}

#[test]
fn every_flag_is_a_key_of_the_file_and_of_the_environment() {
    let command = Given::augment_args(Command::new("serve"));
    let values = [
        ("listen", "'127.0.0.1:1'"),
        ("data", "'x.db'"),
        ("public-url", "'https://x.example'"),
        ("allow-host", "['x.example', 'https://y.example']"),
        ("allow-origin", "['https://bots.example']"),
        ("behind-proxy", "true"),
        ("1965", "true"),
        ("bots", "['random']"),
        ("log", "'json'"),
        ("metrics", "'127.0.0.1:9'"),
        ("think-ahead", "true"),
        ("password-cost", "'cheap'"),
        (
            "mail-server",
            "'smtp://127.0.0.1'\nmail-from = 'club@x.example'\npublic-url = 'https://x.example'",
        ),
        (
            "mail-from",
            "'club@x.example'\nmail-server = 'smtp://127.0.0.1'\npublic-url = 'https://x.example'",
        ),
    ];
    let folder = folder();
    for arg in command.get_arguments() {
        let key = arg.get_long().unwrap();
        let name = format!("KRIEGSPIEL_{}", key.to_uppercase().replace('-', "_"));
        assert_eq!(arg.get_env().and_then(|e| e.to_str()), Some(name.as_str()));
        let value = values
            .iter()
            .find(|(k, _)| *k == key)
            .map_or("3", |(_, v)| v);
        let path = file(&folder, "key.toml", &format!("{key} = {value}\n"));
        Given::read(&path)
            .unwrap_or_else(|e| panic!("{e}"))
            .settle()
            .unwrap_or_else(|e| panic!("{key}: {e}"));
        let help = arg.get_help().unwrap().to_string();
        assert!(help.contains("[default: ") || key == "public-url", "{help}");
    }
}

#[test]
fn invalid_addresses_of_a_club_are_refused() {
    let settle = |url: &str| {
        let public_url = Some(url.to_owned());
        let given = Given {
            public_url,
            ..Given::default()
        };
        given.settle().map(|config| config.public_url)
    };
    for url in [
        "https://club.example.org",
        "http://localhost:8080",
        "http://192.0.2.1",
        "https://[2001:db8::1]:8443",
    ] {
        assert_eq!(settle(url).expect(url).as_deref(), Some(url));
    }
    for url in [
        "https://",
        "https://..",
        "https://a..b",
        "https://-a",
        "https://a:b",
        "https://a:99999",
        "https://[::1",
        "https://a b",
        "https://:80",
        "https://[]",
    ] {
        let error = settle(url).expect_err(url).to_string();
        assert!(error.contains("https://club.example.org"), "{error}");
    }
}

#[test]
fn switches_accept_words_and_digits_for_on_and_off() {
    for (said, meant) in [
        ("1", true),
        ("0", false),
        ("yes", true),
        ("no", false),
        ("true", true),
    ] {
        let given = flags(&["--behind-proxy", said]);
        assert_eq!(given.behind_proxy, Some(meant), "{said}");
    }
}

#[test]
fn keys_of_the_file_accept_what_the_flags_accept() {
    let folder = folder();
    let text = "metrics = true\nexhibition = true\nallow-host = 'club.lan'\n";
    let given = Given::read(&file(&folder, "alone.toml", text)).unwrap();
    assert_eq!(given.metrics, "127.0.0.1:9464".parse().ok());
    assert_eq!(given.exhibition, Some(3000));
    assert_eq!(given.allow_host, Some(vec!["club.lan".to_owned()]));
    let off = "metrics = false\nexhibition = false\nbots = 'none'\n";
    let off = Given::read(&file(&folder, "off.toml", off)).unwrap();
    assert_eq!((off.metrics, off.exhibition), (None, None));
    assert!(off.settle().unwrap().bots.is_empty());
}

#[test]
fn errors_name_the_invalid_value() {
    let folder = folder();
    for (text, named) in [
        ("lisen = 'x'", "did you mean `listen`?"),
        ("public_url = 'x'", "did you mean `public-url`?"),
        ("listen = 'here'", "127.0.0.1:8080"),
        ("guests = -1", "guests"),
        ("guests = 'some'", "expected a whole number"),
        ("bots = 3", "a word, or a list of words"),
        ("metrics = 3", "`true`, or the value"),
        ("log = 'xml'", "xml"),
        ("= 3", "line 1"),
    ] {
        let path = file(&folder, "wrong.toml", text);
        let error = Given::read(&path).expect_err(text).to_string();
        assert!(
            error.contains(named) && error.contains("wrong.toml"),
            "{error}"
        );
    }
    let missing = Given::read("no-such-file.toml".as_ref()).expect_err("no file");
    assert!(missing.to_string().contains("no-such-file.toml"));
    #[rustfmt::skip]
    let rows = [
        (Given { bots: Some(vec!["deep".into()]), ..Given::default() }, "random"),
        (Given { bots: Some(vec!["random".into()]), exhibition: Some(3000), ..Given::default() }, "needs two bots"),
        (Given { exhibition: Some(0), ..Given::default() }, "`exhibition` must be at least 1"),
        (Given { mail_server: Some("smtps://anna:secret@mail.example".into()), ..Given::default() }, "mail needs three values"),
        (Given { guests: Some(0), ..Given::default() }, "guests"),
        (Given { public_url: Some("club.example".into()), ..Given::default() }, "https://"),
        (Given { public_url: Some("https://a/b".into()), ..Given::default() }, "without a path"),
    ];
    for (given, named) in rows {
        let error = given.settle().expect_err(named).to_string();
        assert!(error.contains(named), "{error}");
    }
}

/// The operator can let pages of other sites use the API with tokens, and never with cookies.
#[tokio::test]
async fn only_allowed_sites_may_use_the_api() {
    for (allowed, site, is_allowed) in [
        (None, "https://bots.example", false),
        (Some("https://bots.example"), "https://bots.example", true),
        (Some("https://bots.example"), "http://bots.example", false),
        (Some("*"), "http://localhost:5173", true),
    ] {
        let given = Given {
            allow_origin: allowed.map(|origin| vec![origin.to_owned()]),
            ..Given::default()
        };
        let mut config = usual();
        config.allow_origins = given.settle().unwrap().allow_origins;
        let club = open_as(config).await;
        let (white, _black, _game) = club.game("wild16").await;
        let preflight = [
            ("origin", site),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "authorization"),
        ];
        let asked = club.ask_as("OPTIONS", "/api/seeks", &preflight, None).await;
        let headers = [("origin", site), ("authorization", white.bearer.as_str())];
        let read = club.ask_as("GET", "/api/lobby", &headers, None).await;
        assert_eq!(read.status, 200);
        let mut answers = vec![asked, read];
        let bad = [("origin", site), ("authorization", "Bearer wrong")];
        answers.push(club.ask_as("GET", "/api/lobby", &bad, None).await);
        assert_eq!(answers[2].status, 401);
        for answer in answers {
            let told = answer.headers.get("access-control-allow-origin");
            assert_eq!(told.is_some(), is_allowed, "{allowed:?} {site} {answer:?}");
            let cookies = answer.headers.get("access-control-allow-credentials");
            assert_eq!(cookies, None);
        }
        club.close().await;
    }
    let wrong = Given {
        allow_origin: Some(vec!["bots.example/path".to_owned()]),
        ..Given::default()
    };
    assert!(wrong.settle().is_err());
}
