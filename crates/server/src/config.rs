//! How a club is set up: flags, environment and a file.
//!
//! A flag counts before the environment, the environment before the file, the
//! file before the default.

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use serde::Deserialize;

use crate::limit::Limits;

/// What is asked of a club, by flags and environment, or by a file.
#[derive(Clone, Debug, Default, Deserialize, clap::Args)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Given {
    /// Where to listen [default: 127.0.0.1:8080]
    #[arg(long, env = "KRIEGSPIEL_LISTEN", value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,

    /// Let teletypes in: UMPIRE's dialogue of 1965, by telnet; a port alone is one of this machine
    /// [default: off]
    #[arg(long, env = "KRIEGSPIEL_TELETYPE", value_name = "[ADDRESS:]PORT")]
    pub teletype: Option<DoorAddress>,

    /// Keep the short cuts of 1965 at teletypes: queens only, no mate detected [default: false]
    #[arg(long = "1965", env = "KRIEGSPIEL_1965", value_name = "BOOL", num_args = 0..=1,
          default_missing_value = "true", value_parser = clap::builder::BoolishValueParser::new())]
    #[serde(rename = "1965")]
    pub as_in_1965: Option<bool>,

    /// Write so many characters a second to teletypes, as they did [default: as fast as it goes]
    #[arg(long, env = "KRIEGSPIEL_CPS", value_name = "N")]
    pub cps: Option<u32>,

    /// Let the clients of internet chess servers in, xboard among them, and bare telnet; a port
    /// alone is one of this machine [default: off]
    #[arg(long, env = "KRIEGSPIEL_ICS", value_name = "[ADDRESS:]PORT")]
    pub ics: Option<DoorAddress>,

    /// Whoever sits at a teletype or at a chess client counts as gone when his machine has given no
    /// sign of life for so long, in seconds [default: 60]
    #[arg(long, env = "KRIEGSPIEL_SILENCE", value_name = "SECONDS")]
    pub silence: Option<u32>,

    /// The file that keeps the club; made if there is none [default: kriegspiel.db]
    #[arg(long, env = "KRIEGSPIEL_DATA", value_name = "FILE")]
    pub data: Option<PathBuf>,

    /// The address by which people reach the club, if it is not the one where it listens; with
    /// https:// cookies and headers are set accordingly
    #[arg(long, env = "KRIEGSPIEL_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// Trust X-Forwarded-For: the club stands behind a proxy that sets it [default: false]
    #[arg(long, env = "KRIEGSPIEL_BEHIND_PROXY", value_name = "BOOL", num_args = 0..=1,
          default_missing_value = "true", value_parser = clap::builder::BoolishValueParser::new())]
    pub behind_proxy: Option<bool>,

    /// Programs that play in the club, by name, or none [default: random,sparring]
    #[arg(
        long,
        env = "KRIEGSPIEL_BOTS",
        value_name = "NAMES",
        value_delimiter = ','
    )]
    pub bots: Option<Vec<String>>,

    /// How long these programs wait before they try, in milliseconds, and at most twice as long
    /// [default: 300]
    #[arg(long, env = "KRIEGSPIEL_THINK", value_name = "MS")]
    pub think: Option<u64>,

    /// Log lines as text or as JSON, on stderr [default: text]
    #[arg(long, env = "KRIEGSPIEL_LOG", value_name = "FORM")]
    pub log: Option<LogForm>,

    /// What a password costs to check; cheap is for tests only [default: normal]
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

/// Where a door of lines listens: a port of this machine alone, or an address
/// and a port.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Deserialize)]
#[serde(try_from = "DoorText")]
pub struct DoorAddress(pub SocketAddr);

/// In a file a port may be a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum DoorText {
    Port(u16),
    Text(String),
}

impl TryFrom<DoorText> for DoorAddress {
    type Error = String;

    fn try_from(text: DoorText) -> Result<DoorAddress, String> {
        match text {
            DoorText::Port(port) => port.to_string().parse(),
            DoorText::Text(text) => text.parse(),
        }
    }
}

impl FromStr for DoorAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<DoorAddress, String> {
        let port = text
            .parse()
            .map(|port: u16| SocketAddr::from(([127, 0, 0, 1], port)));
        port.or_else(|_| text.parse()).map(DoorAddress).map_err(|_| {
            format!("`{text}` is no door: write a port, as 5000, or an address and a port, as 0.0.0.0:5000")
        })
    }
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

/// What a password costs to check.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum PasswordCost {
    /// As is recommended.
    #[default]
    Normal,
    /// As little as there is, for tests.
    Cheap,
}

/// A club as it is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where teletypes are let in.
    pub teletype: Option<SocketAddr>,
    /// Whether teletypes keep the short cuts of 1965.
    pub as_in_1965: bool,
    /// How many characters a second teletypes write; `None`: as fast as it goes.
    pub cps: Option<u32>,
    /// Where clients of internet chess servers are let in.
    pub ics: Option<SocketAddr>,
    /// Whose machine gives no sign of life for so long is gone from a door of lines.
    pub silence: Duration,
    /// The file that keeps the club.
    pub data: PathBuf,
    /// The address by which people reach it, without a slash at the end.
    pub public_url: Option<String>,
    /// Whether X-Forwarded-For is trusted.
    pub behind_proxy: bool,
    /// Programs that play here.
    pub bots: Vec<&'static bots::Bot>,
    /// How long they wait before each attempt.
    pub think: Duration,
    /// The form of log lines.
    pub log: LogForm,
    /// What a password costs to check.
    pub password_cost: PasswordCost,
    /// What one address, and one socket, may do.
    pub limits: Limits,
    /// How long a client may take to say what it wants; none: as usual.
    pub patience: Option<Duration>,
}

/// A club that cannot be set up as it is asked.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("the file {} cannot be read: {why}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The file does not say what a club can be asked.
    #[error("the file {}: {why}", .file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What, and where.
        why: String,
    },
    /// No such program.
    #[error("there is no program `{name}` to play here; there are {known}, or none")]
    NoSuchBot {
        /// As given.
        name: String,
        /// Those that exist.
        known: String,
    },
    /// No address of a club.
    #[error(
        "`{url}` is no address of a club: write it as https://club.example.org, without a path"
    )]
    PublicUrl {
        /// As given.
        url: String,
    },
    /// A limit of nothing.
    #[error("`{key}` must be at least 1")]
    Nothing {
        /// The limit.
        key: &'static str,
    },
}

/// The programs that play where nothing else is said, if they exist.
const USUAL_BOTS: [&str; 2] = ["random", "sparring"];

impl Given {
    /// What a file asks.
    ///
    /// # Errors
    /// Names the file, the line, and a key that does not exist.
    pub fn read(file: &Path) -> Result<Given, ConfigError> {
        let text = fs::read_to_string(file).map_err(|why| ConfigError::Unreadable {
            file: file.to_owned(),
            why,
        })?;
        toml_edit::de::from_str(&text).map_err(|error| ConfigError::Malformed {
            file: file.to_owned(),
            why: error.to_string().trim_end().to_owned(),
        })
    }

    /// What is given here, else what is given there.
    pub fn or(self, other: Given) -> Given {
        Given {
            listen: self.listen.or(other.listen),
            teletype: self.teletype.or(other.teletype),
            as_in_1965: self.as_in_1965.or(other.as_in_1965),
            cps: self.cps.or(other.cps),
            ics: self.ics.or(other.ics),
            silence: self.silence.or(other.silence),
            data: self.data.or(other.data),
            public_url: self.public_url.or(other.public_url),
            behind_proxy: self.behind_proxy.or(other.behind_proxy),
            bots: self.bots.or(other.bots),
            think: self.think.or(other.think),
            log: self.log.or(other.log),
            password_cost: self.password_cost.or(other.password_cost),
            connections: self.connections.or(other.connections),
            connections_in_all: self.connections_in_all.or(other.connections_in_all),
            messages: self.messages.or(other.messages),
            requests: self.requests.or(other.requests),
            accounts: self.accounts.or(other.accounts),
            guests: self.guests.or(other.guests),
            offers: self.offers.or(other.offers),
            sign_ins: self.sign_ins.or(other.sign_ins),
        }
    }

    /// A club as asked, with defaults for the rest.
    ///
    /// # Errors
    /// Names what cannot be, and what can.
    pub fn settle(self) -> Result<Config, ConfigError> {
        let limit = |key, given: Option<u32>, default| match given {
            Some(0) => Err(ConfigError::Nothing { key }),
            Some(n) => Ok(n),
            None => Ok(default),
        };
        let usual = Limits::default();
        Ok(Config {
            listen: self
                .listen
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            teletype: self.teletype.map(|door| door.0),
            as_in_1965: self.as_in_1965.unwrap_or(false),
            cps: self.cps.map(|n| limit("cps", Some(n), n)).transpose()?,
            ics: self.ics.map(|door| door.0),
            silence: Duration::from_secs(limit("silence", self.silence, 60)?.into()),
            data: self.data.unwrap_or_else(|| PathBuf::from("kriegspiel.db")),
            public_url: self.public_url.as_deref().map(public_url).transpose()?,
            behind_proxy: self.behind_proxy.unwrap_or(false),
            bots: match self.bots {
                None => USUAL_BOTS.iter().filter_map(|n| bots::by_name(n)).collect(),
                Some(names) => named_bots(&names)?,
            },
            patience: None,
            think: Duration::from_millis(self.think.unwrap_or(300)),
            log: self.log.unwrap_or_default(),
            password_cost: self.password_cost.unwrap_or_default(),
            limits: Limits {
                connections: limit("connections", self.connections, usual.connections)?,
                connections_in_all: limit(
                    "connections-in-all",
                    self.connections_in_all,
                    usual.connections_in_all,
                )?,
                messages: limit("messages", self.messages, usual.messages)?,
                requests: limit("requests", self.requests, usual.requests)?,
                accounts: limit("accounts", self.accounts, usual.accounts)?,
                guests: limit("guests", self.guests, usual.guests)?,
                offers: limit("offers", self.offers, usual.offers)?,
                sign_ins: limit("sign-ins", self.sign_ins, usual.sign_ins)?,
            },
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
    let wrong = || ConfigError::PublicUrl {
        url: url.to_owned(),
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

/// Whether that names a host, with a port or without.
fn is_host(text: &str) -> bool {
    let (name, port) = match text.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        Some(_) | None => (text, None),
    };
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|n| n > 0));
    let six = name.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
    let label = |label: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        !label.is_empty()
            && label.chars().all(plain)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    is_port
        && match six {
            Some(six) => six.parse::<std::net::Ipv6Addr>().is_ok(),
            None => name.split('.').all(label),
        }
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
            bots::by_name(name).ok_or_else(|| ConfigError::NoSuchBot {
                name: name.to_owned(),
                known: bots::names(),
            })
        })
        .collect()
}
