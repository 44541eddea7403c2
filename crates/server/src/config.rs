//! Configuration of a club: flags, environment and a file.
//!
//! A flag counts before the environment, the environment before the file, the
//! file before the default.

use std::{
    fs,
    marker::PhantomData,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{
    Deserialize,
    de::{DeserializeSeed, IgnoredAny},
};
use toml_edit::{Document, de};

use crate::{known_hosts::is_host, limit::Limits};

/// Configuration as given, by flags and environment, or by a file.
#[derive(Clone, Debug, Default, Deserialize, clap::Args)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Given {
    /// Address to listen on [default: 127.0.0.1:8080]
    #[arg(
        long,
        env = "KRIEGSPIEL_LISTEN",
        value_name = "ADDRESS:PORT",
        display_order = 0
    )]
    pub listen: Option<SocketAddr>,

    /// The file that keeps the club; made if there is none [default: kriegspiel.db]
    #[arg(long, env = "KRIEGSPIEL_DATA", value_name = "FILE")]
    pub data: Option<PathBuf>,

    /// The address by which people reach the club, if it is not the one where it listens; with
    /// https:// cookies and headers are set accordingly
    #[arg(long, env = "KRIEGSPIEL_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// Another host under which people reach the club, as club.lan or club.lan:8080 (both by http),
    /// or with https:// before it; may be given several times. IP addresses, localhost and the
    /// public URL are known without it [default: none]
    #[arg(
        long,
        env = "KRIEGSPIEL_ALLOW_HOST",
        value_name = "HOST",
        value_delimiter = ','
    )]
    pub allow_host: Option<Vec<String>>,

    /// Trust X-Forwarded-For: the club stands behind a proxy that sets it [default: false]
    #[arg(long, env = "KRIEGSPIEL_BEHIND_PROXY", value_name = "BOOL", num_args = 0..=1,
          default_missing_value = "true", value_parser = clap::builder::BoolishValueParser::new())]
    pub behind_proxy: Option<bool>,

    /// Built-in bots that play, by name, or none [default: random,sparring]
    #[arg(
        long,
        env = "KRIEGSPIEL_BOTS",
        value_name = "NAMES",
        value_delimiter = ','
    )]
    pub bots: Option<Vec<String>>,

    /// Pause of these bots before a try, in milliseconds; at most twice as long [default: 300]
    #[arg(long, env = "KRIEGSPIEL_THINK", value_name = "MS")]
    pub think: Option<u64>,

    /// Log lines as text or as JSON, on stderr [default: text]
    #[arg(long, env = "KRIEGSPIEL_LOG", value_name = "FORM")]
    pub log: Option<LogForm>,

    /// Cost of checking a password; cheap is for tests only [default: normal]
    #[arg(long, env = "KRIEGSPIEL_PASSWORD_COST", value_name = "COST")]
    pub password_cost: Option<PasswordCost>,

    /// Connections at once from one address [default: 64]
    #[arg(long, env = "KRIEGSPIEL_CONNECTIONS", value_name = "N")]
    pub connections: Option<u32>,

    /// Connections at once in all [default: 4096]
    #[arg(long, env = "KRIEGSPIEL_CONNECTIONS_IN_ALL", value_name = "N")]
    pub connections_in_all: Option<u32>,

    /// Messages a second on one socket; twice as many at once [default: 20]
    #[arg(long, env = "KRIEGSPIEL_MESSAGES", value_name = "N")]
    pub messages: Option<u32>,

    /// Requests a second of one account, or of an address's visitors; four times as many at once
    /// [default: 50]
    #[arg(long, env = "KRIEGSPIEL_REQUESTS", value_name = "N")]
    pub requests: Option<u32>,

    /// Accounts made in an hour from one address [default: 10]
    #[arg(long, env = "KRIEGSPIEL_ACCOUNTS", value_name = "N")]
    pub accounts: Option<u32>,

    /// Guests in an hour from one address, at each door [default: 60]
    #[arg(long, env = "KRIEGSPIEL_GUESTS", value_name = "N")]
    pub guests: Option<u32>,

    /// Seeks, challenges and invitations made in an hour from one address [default: 300]
    #[arg(long, env = "KRIEGSPIEL_OFFERS", value_name = "N")]
    pub offers: Option<u32>,

    /// Tries to sign in within a minute from one address, at each door [default: 10]
    #[arg(long, env = "KRIEGSPIEL_SIGN_INS", value_name = "N")]
    pub sign_ins: Option<u32>,
}

/// The form of log lines.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogForm {
    /// For people.
    #[default]
    Text,
    /// For programs: an object a line.
    Json,
}

/// Cost of checking a password.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum PasswordCost {
    /// As is recommended.
    #[default]
    Normal,
    /// As little as there is, for tests.
    Cheap,
}

/// Configuration of a club.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address on which it listens.
    pub listen: SocketAddr,
    /// The file that keeps the club.
    pub data: PathBuf,
    /// The address by which people reach it, without a slash at the end.
    pub public_url: Option<String>,
    /// Further hosts under which people reach it, with a scheme or without.
    pub allow_hosts: Vec<String>,
    /// Whether X-Forwarded-For is trusted.
    pub behind_proxy: bool,
    /// Built-in bots that play.
    pub bots: Vec<&'static bots::Bot>,
    /// Time that they wait before each attempt.
    pub think: Duration,
    /// The form of log lines.
    pub log: LogForm,
    /// Cost of checking a password.
    pub password_cost: PasswordCost,
    /// Limits of one address, and one socket.
    pub limits: Limits,
    /// Timeout of a client that sends a request or reads an answer; `None`: the usual one.
    pub client_timeout: Option<Duration>,
}

/// Error: the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

/// Built-in bots that play by default, if they exist.
const DEFAULT_BOTS: [&str; 2] = ["random", "sparring"];

impl Given {
    /// Reads a file.
    ///
    /// # Errors
    /// Names the file, the line, and a key that does not exist.
    pub fn read(file: &Path) -> Result<Given, ConfigError> {
        let nothing = PhantomData::<IgnoredAny>;
        Given::read_beside(file, &[], nothing).map(|(given, _)| given)
    }

    /// Reads a file, and with `others` the keys of those names in it.
    ///
    /// # Errors
    /// Names the file, the line, and a key that does not exist.
    pub fn read_beside<T>(
        file: &Path,
        names: &[&str],
        others: impl for<'de> DeserializeSeed<'de, Value = T>,
    ) -> Result<(Given, T), ConfigError> {
        let name = file.display();
        let text = fs::read_to_string(file)
            .map_err(|why| ConfigError(format!("the file {name} cannot be read: {why}")))?;
        let read = || {
            let document = Document::parse(&*text)?;
            let mut own = text.clone();
            // Blanks in their place, so that lines and columns stay as they are.
            for (key, value) in names.iter().filter_map(|name| document.get_key_value(name)) {
                if let (Some(from), Some(to)) = (key.span(), value.span()) {
                    own.replace_range(from.start..to.end, &" ".repeat(to.end - from.start));
                }
            }
            let others = others.deserialize(de::Deserializer::from(document))?;
            Ok::<_, de::Error>((de::from_str(&own)?, others))
        };
        read().map_err(|error| {
            let also: String = names.iter().map(|name| format!("`{name}`, ")).collect();
            let why = error.to_string();
            let why = why.replace("expected one of ", &format!("expected one of {also}"));
            ConfigError(format!("the file {name}: {}", why.trim_end()))
        })
    }

    /// Takes what is not given here from there.
    pub fn or(self, other: Given) -> Given {
        macro_rules! first {
            ($($field:ident)+) => {
                Given { $($field: self.$field.or(other.$field)),+ }
            };
        }
        first! {
            listen data public_url allow_host behind_proxy bots think log password_cost connections
            connections_in_all messages requests accounts guests offers sign_ins
        }
    }

    /// Adds the defaults.
    ///
    /// # Errors
    /// Names what cannot be, and what can.
    pub fn settle(self) -> Result<Config, ConfigError> {
        let usual = Limits::default();
        let zero =
            |field: &str| ConfigError(format!("`{}` must be at least 1", field.replace('_', "-")));
        macro_rules! limits {
            ($($field:ident)+) => {
                Limits { $($field: match self.$field {
                    Some(0) => return Err(zero(stringify!($field))),
                    given => given.unwrap_or(usual.$field),
                }),+ }
            };
        }
        let limits = limits! {
            connections connections_in_all messages requests accounts guests offers sign_ins
        };
        Ok(Config {
            listen: self
                .listen
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            data: self.data.unwrap_or_else(|| PathBuf::from("kriegspiel.db")),
            public_url: self.public_url.as_deref().map(public_url).transpose()?,
            allow_hosts: self
                .allow_host
                .unwrap_or_default()
                .iter()
                .map(|host| allowed_host(host))
                .collect::<Result<_, _>>()?,
            behind_proxy: self.behind_proxy.unwrap_or(false),
            bots: match self.bots {
                None => DEFAULT_BOTS
                    .iter()
                    .filter_map(|n| bots::by_name(n))
                    .collect(),
                Some(names) => named_bots(&names)?,
            },
            client_timeout: None,
            think: Duration::from_millis(self.think.unwrap_or(300)),
            log: self.log.unwrap_or_default(),
            password_cost: self.password_cost.unwrap_or_default(),
            limits,
        })
    }
}

impl Config {
    /// Whether people reach the club by https.
    pub fn https(&self) -> bool {
        self.public_url
            .as_deref()
            .is_some_and(|url| url.starts_with("https://"))
    }
}

fn public_url(url: &str) -> Result<String, ConfigError> {
    let wrong = || {
        ConfigError(format!(
            "`{url}` is no address of a club: write it as https://club.example.org, without a path"
        ))
    };
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .ok_or_else(wrong)?;
    let host = rest.strip_suffix('/').unwrap_or(rest);
    if !is_host(host) {
        return Err(wrong());
    }
    Ok(url.strip_suffix('/').unwrap_or(url).to_owned())
}

fn allowed_host(host: &str) -> Result<String, ConfigError> {
    let host = host.trim();
    if host.contains("://") {
        return public_url(host);
    }
    if is_host(host) {
        return Ok(host.to_owned());
    }
    Err(ConfigError(format!(
        "`{host}` is no host: write it as club.lan, club.lan:8080 or https://club.example.org"
    )))
}

fn named_bots(names: &[String]) -> Result<Vec<&'static bots::Bot>, ConfigError> {
    let names: Vec<&str> = names
        .iter()
        .map(|name| name.trim())
        .filter(|name| !name.is_empty())
        .collect();
    if names == ["none"] {
        return Ok(Vec::new());
    }
    names
        .into_iter()
        .map(|name| {
            bots::by_name(name).ok_or_else(|| {
                let known = bots::names();
                ConfigError(format!(
                    "there is no program `{name}` to play here; there are {known}, or none"
                ))
            })
        })
        .collect()
}
