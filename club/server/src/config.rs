//! Configuration of a club, from flags, environment variables and a file.
//!
//! A flag overrides the environment, the environment overrides the file, and the file overrides the
//! default.

use std::{
    fs,
    marker::PhantomData,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use axum::http::HeaderValue;
use clap::Args;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny},
};
use toml_edit::{Document, de};
use tower_http::cors::AllowOrigin;

use crate::{known_hosts::is_host, limit::Limits, mail::MailConfig, plain::plain};

/// Address of the metrics if `--metrics` has no value.
const METRICS_ADDRESS: &str = "127.0.0.1:9464";

/// Pause of the bots if `--exhibition` has no value, in milliseconds.
const EXHIBITION_PAUSE: &str = "3000";

/// Configuration from flags and environment variables, or from a file. `None` means: not
/// given.
#[derive(Clone, Debug, Default, Deserialize, Args)]
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

    /// File in which the club is stored; created if it does not exist [default: kriegspiel.db].
    /// Or the address of a Postgres database, as postgres://USER:PASSWORD@HOST/DATABASE: several
    /// machines can serve one database. Other users of the machine can read a command line, so
    /// give a password in the environment or in the file of settings
    #[arg(
        long,
        env = "KRIEGSPIEL_DATA",
        hide_env_values = true,
        value_name = "FILE|ADDRESS"
    )]
    pub data: Option<PathBuf>,

    /// Address by which people reach the club, if it differs from the address on which the club
    /// listens. With https://, cookies and headers are set accordingly
    #[arg(long, env = "KRIEGSPIEL_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// Another host name of the club, for example club.lan or club.lan:8080. These names are for
    /// http. For https, write https:// before the name. May be given several times. IP addresses,
    /// localhost and the host of the public URL are always allowed [default: none]
    #[arg(
        long,
        env = "KRIEGSPIEL_ALLOW_HOST",
        value_name = "HOST",
        value_delimiter = ','
    )]
    #[serde(deserialize_with = "words")]
    pub allow_host: Option<Vec<String>>,

    /// Another site whose pages may use the API with tokens, such as https:// and its host;
    /// `*` for every site. May be given several times [default: none]
    #[arg(
        long,
        env = "KRIEGSPIEL_ALLOW_ORIGIN",
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    #[serde(deserialize_with = "words")]
    pub allow_origin: Option<Vec<String>>,

    /// Trust X-Forwarded-For, because the club is behind a proxy that sets it [default: false]
    #[arg(long, env = "KRIEGSPIEL_BEHIND_PROXY", value_name = "BOOL", num_args = 0..=1,
          default_missing_value = "true", value_parser = clap::builder::BoolishValueParser::new())]
    pub behind_proxy: Option<bool>,

    /// Names of the built-in bots of the club; the word none for no bots [default: random, sparring
    /// and level-1 to level-6]
    #[arg(
        long,
        long_help = bots_help(),
        env = "KRIEGSPIEL_BOTS",
        value_name = "NAMES",
        value_delimiter = ','
    )]
    #[serde(deserialize_with = "words")]
    pub bots: Option<Vec<String>>,

    /// Minimum pause of the built-in bots, in milliseconds; a pause is at most twice as long, and
    /// shorter if the bot has little time. If both players hear the answer no, a bot pauses before
    /// each attempt, otherwise once in each turn. The bot thinks during the pause and makes its
    /// attempt at the end. With 0 it makes its attempt as soon as it has chosen one, which may need
    /// more processor time than a short pause [default: 300]
    #[arg(long, env = "KRIEGSPIEL_THINK", value_name = "MS")]
    pub think: Option<u64>,

    /// Maximum memory for what a built-in bot knows of one game, in MiB. A bot can use up to 0.5 MiB
    /// more. With less memory the stronger bots keep fewer possible positions [default: 8]
    #[arg(long, env = "KRIEGSPIEL_BOT_MEMORY", value_name = "MIB")]
    pub bot_memory: Option<u32>,

    /// Let the stronger built-in bots also think while the opponent is to move. Their pauses do not
    /// change. The option has no effect on the other bots [default: false]
    #[arg(long, env = "KRIEGSPIEL_THINK_AHEAD", value_name = "BOOL", num_args = 0..=1,
          default_missing_value = "true", value_parser = clap::builder::BoolishValueParser::new())]
    pub think_ahead: Option<bool>,

    /// While anybody is connected, let two of the bots play each other; everybody sees the umpire's
    /// board. The bots pause at least for so many milliseconds. Without a value: 3000
    /// [default: none]
    #[arg(long, env = "KRIEGSPIEL_EXHIBITION", value_name = "MS", num_args = 0..=1,
          default_missing_value = EXHIBITION_PAUSE)]
    #[serde(deserialize_with = "exhibition")]
    pub exhibition: Option<u64>,

    /// Form of log lines on stderr: text or JSON [default: text]
    #[arg(long, env = "KRIEGSPIEL_LOG", value_name = "FORM")]
    pub log: Option<LogForm>,

    /// Serve metrics for the operator at http://ADDRESS:PORT/metrics, in the text format of
    /// OpenMetrics. Without a value: 127.0.0.1:9464. Players must not reach this address: the
    /// metrics count the attempts of all games together [default: none]
    #[arg(long, env = "KRIEGSPIEL_METRICS", value_name = "ADDRESS:PORT", num_args = 0..=1,
          default_missing_value = METRICS_ADDRESS)]
    #[serde(deserialize_with = "metrics")]
    pub metrics: Option<SocketAddr>,

    /// Cost of checking a password; cheap is only for tests [default: normal]
    #[arg(long, env = "KRIEGSPIEL_PASSWORD_COST", value_name = "COST")]
    pub password_cost: Option<PasswordCost>,

    /// Server through which the club sends mail: smtps://USER:PASSWORD@HOST, or smtp:// for one on
    /// this machine. Needs --public-url and --mail-from. Other users of the machine can read a
    /// command line, so give a password in the environment or in the file of settings
    /// [default: the club sends no mail]
    #[arg(
        long,
        env = "KRIEGSPIEL_MAIL_SERVER",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub mail_server: Option<String>,

    /// Sender of the club's mail, such as club@example.org [default: none]
    #[arg(long, env = "KRIEGSPIEL_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,

    /// Maximum number of simultaneous connections from one address [default: 64]
    #[arg(long, env = "KRIEGSPIEL_CONNECTIONS", value_name = "N")]
    pub connections: Option<u32>,

    /// Maximum number of simultaneous connections in all [default: 4096]
    #[arg(long, env = "KRIEGSPIEL_CONNECTIONS_IN_ALL", value_name = "N")]
    pub connections_in_all: Option<u32>,

    /// Maximum number of messages per second on one socket; up to twice this number at once
    /// [default: 20]
    #[arg(long, env = "KRIEGSPIEL_MESSAGES", value_name = "N")]
    pub messages: Option<u32>,

    /// Maximum number of requests per second of one account, or of all visitors at one address; up
    /// to four times this number at once [default: 50]
    #[arg(long, env = "KRIEGSPIEL_REQUESTS", value_name = "N")]
    pub requests: Option<u32>,

    /// Maximum number of accounts created per hour from one address [default: 40]
    #[arg(long, env = "KRIEGSPIEL_ACCOUNTS", value_name = "N")]
    pub accounts: Option<u32>,

    /// Maximum number of guests per hour from one address, at each door [default: 60]
    #[arg(long, env = "KRIEGSPIEL_GUESTS", value_name = "N")]
    pub guests: Option<u32>,

    /// Maximum number of seeks, challenges and invitations created per hour from one address
    /// [default: 300]
    #[arg(long, env = "KRIEGSPIEL_OFFERS", value_name = "N")]
    pub offers: Option<u32>,

    /// Maximum number of attempts to sign in per minute from one address, at each door
    /// [default: 40]
    #[arg(long, env = "KRIEGSPIEL_SIGN_INS", value_name = "N")]
    pub sign_ins: Option<u32>,
}

/// A value of the file for a flag that can stand alone.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected `true`, or the value that the flag takes"
)]
enum Switch<T> {
    /// `true`: as the flag without a value. `false`: as if the key were missing.
    On(bool),
    Value(T),
}

fn exhibition<'de, D: Deserializer<'de>>(value: D) -> Result<Option<u64>, D::Error> {
    Ok(match Switch::deserialize(value)? {
        Switch::On(on) => on
            .then(|| EXHIBITION_PAUSE.parse())
            .transpose()
            .map_err(D::Error::custom)?,
        Switch::Value(pause) => Some(pause),
    })
}

fn metrics<'de, D: Deserializer<'de>>(value: D) -> Result<Option<SocketAddr>, D::Error> {
    Ok(match Switch::deserialize(value)? {
        Switch::On(on) => on
            .then(|| METRICS_ADDRESS.parse())
            .transpose()
            .map_err(D::Error::custom)?,
        Switch::Value(address) => Some(address),
    })
}

/// Reads one word, or a list of words.
fn words<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Vec<String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a word, or a list of words")]
    enum Words {
        One(String),
        Many(Vec<String>),
    }
    Ok(Some(match Words::deserialize(value)? {
        Words::One(word) => vec![word],
        Words::Many(words) => words,
    }))
}

/// Returns a hint for an unknown key that is nearly the name of a known one.
fn did_you_mean(why: &str, names: &[&str]) -> String {
    let known = Given::augment_args(clap::Command::new("serve"));
    let known: Vec<String> = known
        .get_arguments()
        .filter_map(|flag| flag.get_long().map(str::to_owned))
        .chain(names.iter().map(|name| (*name).to_owned()))
        .collect();
    let unknown = why.rsplit_once("unknown field `");
    let unknown = unknown.and_then(|(_, rest)| Some(rest.split_once('`')?.0));
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let near = unknown.and_then(|unknown| notation::nearest(unknown, &known));
    near.map_or_else(String::new, |near| format!("did you mean `{near}`? "))
}

/// Form of log lines.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogForm {
    /// Text for people.
    #[default]
    Text,
    /// JSON for programs: one object per line.
    Json,
}

/// Cost of checking a password.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum PasswordCost {
    /// The recommended cost.
    #[default]
    Normal,
    /// The lowest possible cost, for tests.
    Cheap,
}

/// Configuration of a club.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address on which the server listens.
    pub listen: SocketAddr,
    /// File in which the club is stored, or address of a Postgres database.
    pub data: PathBuf,
    /// The program `kriegspiel`, for the operator's page; `None`: there is no such page.
    pub program: Option<PathBuf>,
    /// Address by which people reach the club, without a slash at the end.
    pub public_url: Option<String>,
    /// Further hosts under which people reach the club, with or without a scheme.
    pub allow_hosts: Vec<String>,
    /// Other sites whose pages may use the API with tokens.
    pub allow_origins: Option<AllowOrigin>,
    /// Whether X-Forwarded-For is trusted.
    pub behind_proxy: bool,
    /// Names of the built-in bots of the club.
    pub bots: Vec<&'static bots::Bot>,
    /// Minimum pause of the bots before each attempt.
    pub think: Duration,
    /// Maximum memory for what a bot knows of one game, in bytes.
    pub bot_memory: usize,
    /// Whether the bots also think while the opponent is to move.
    pub think_ahead: bool,
    /// Minimum pause of the bots in a game against each other; `None`: there is no such game.
    pub exhibition: Option<Duration>,
    /// Seed of the bots in every game, for tests; `None`: a random seed for each game.
    pub bot_seed: Option<u64>,
    /// Form of log lines.
    pub log: LogForm,
    /// Address at which the metrics for the operator are served; `None`: they are not served.
    pub metrics: Option<SocketAddr>,
    /// Cost of checking a password.
    pub password_cost: PasswordCost,
    /// How the club sends mail; `None`: it sends none.
    pub mail: Option<MailConfig>,
    /// Limits of one address and of one socket.
    pub limits: Limits,
    /// Timeout for a client that sends a request or reads a response; `None`: the default.
    pub client_timeout: Option<Duration>,
}

/// Error: the configuration is not valid.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

/// Names of the built-in bots that play by default. A name that no bot has is ignored.
const DEFAULT_BOTS: [&str; 8] = [
    "random", "sparring", "level-1", "level-2", "level-3", "level-4", "level-5", "level-6",
];

/// Default maximum memory for what a bot knows of one game, in MiB.
const BOT_MEMORY: u32 = 8;

/// Number of bytes in a MiB.
const MIB: usize = 1 << 20;

/// Returns the help text about the built-in bots.
fn bots_help() -> String {
    let usual = DEFAULT_BOTS.iter().filter_map(|name| bots::by_name(name));
    let (usual, names) = (bots::described(usual), DEFAULT_BOTS.join(", "));
    let others: Vec<&str> = bots::ALL
        .iter()
        .map(|bot| bot.name)
        .filter(|name| !DEFAULT_BOTS.contains(name))
        .collect();
    format!(
        "Names of the built-in bots of the club; the word none for no bots [default: \
         {names}]\n\n{usual}\n\nOther bots: {}.\nEach rating is written with its 95 % \
         confidence interval. The rating of level-1 is 1000 by definition",
        others.join(", ")
    )
}

impl Given {
    /// Reads a configuration file.
    ///
    /// # Errors
    /// If the file cannot be read or parsed, or has an unknown key. The error names the file and
    /// the line.
    pub fn read(file: &Path) -> Result<Given, ConfigError> {
        let nothing = PhantomData::<IgnoredAny>;
        Given::read_beside(file, &[], nothing).map(|(given, _)| given)
    }

    /// Reads a configuration file that may also contain the keys `names`. `others` deserializes
    /// the values of these keys.
    ///
    /// # Errors
    /// If the file cannot be read or parsed, or has an unknown key. The error names the file and
    /// the line.
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
            // In `own`, the keys `names` and their values are replaced by blanks. So the lines and
            // columns of the remaining keys stay the same.
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
            let why = plain(&error.to_string());
            let hint = did_you_mean(&why, names);
            let why = why.replace("expected one of ", &format!("{hint}expected one of {also}"));
            ConfigError(format!("the file {name}: {}", why.trim_end()))
        })
    }

    /// Takes from `other` every value that is not given here.
    pub fn or(self, other: Given) -> Given {
        macro_rules! first {
            ($($field:ident)+) => {
                Given { $($field: self.$field.or(other.$field)),+ }
            };
        }
        first! {
            listen data public_url allow_host allow_origin behind_proxy bots think bot_memory think_ahead
            exhibition log metrics mail_server mail_from
            password_cost connections connections_in_all messages requests accounts guests offers
            sign_ins
        }
    }

    /// Fills in the defaults and checks the values.
    ///
    /// # Errors
    /// If a value is invalid. The error names the value and what is allowed.
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
        let listen = self
            .listen
            .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080)));
        if self.metrics == Some(listen) && listen.port() != 0 {
            return Err(ConfigError(format!(
                "the metrics cannot have the club's own address {listen}, because players reach \
                 it: give `metrics` another port"
            )));
        }
        let limits = limits! {
            connections connections_in_all messages requests accounts guests offers sign_ins
        };
        let bots = match self.bots {
            None => DEFAULT_BOTS
                .iter()
                .filter_map(|n| bots::by_name(n))
                .collect(),
            Some(names) => named_bots(&names)?,
        };
        if self.exhibition == Some(0) {
            return Err(zero("exhibition"));
        }
        if self.exhibition.is_some() && bots.len() < 2 {
            return Err(ConfigError(
                "`exhibition` needs two bots: name them with `bots`".to_owned(),
            ));
        }
        let public_url = self.public_url.as_deref().map(public_url).transpose()?;
        Ok(Config {
            listen,
            data: self.data.unwrap_or_else(|| PathBuf::from("kriegspiel.db")),
            program: None,
            mail: mail(self.mail_server, self.mail_from, public_url.as_deref())?,
            public_url,
            allow_hosts: self
                .allow_host
                .unwrap_or_default()
                .iter()
                .map(|host| allowed_host(host))
                .collect::<Result<_, _>>()?,
            allow_origins: allowed_origins(&self.allow_origin.unwrap_or_default())?,
            behind_proxy: self.behind_proxy.unwrap_or(false),
            bots,
            client_timeout: None,
            think: Duration::from_millis(self.think.unwrap_or(300)),
            bot_memory: match self.bot_memory {
                Some(0) => return Err(zero("bot_memory")),
                given => given.unwrap_or(BOT_MEMORY) as usize * MIB,
            },
            think_ahead: self.think_ahead.unwrap_or(false),
            exhibition: self.exhibition.map(Duration::from_millis),
            bot_seed: None,
            log: self.log.unwrap_or_default(),
            metrics: self.metrics,
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

fn mail(
    server: Option<String>,
    from: Option<String>,
    club: Option<&str>,
) -> Result<Option<MailConfig>, ConfigError> {
    let read = match (server, from, club) {
        (None, None, _) => return Ok(None),
        (Some(server), Some(from), Some(club)) => MailConfig::read(&server, &from, club),
        (Some(_) | None, ..) => None,
    };
    // The password must not be in the error.
    let wrong = "mail needs three values: `mail-server` like smtps://USER:PASSWORD@HOST, `mail-from` \
                 like club@example.org, and `public-url`";
    read.map(Some).ok_or_else(|| ConfigError(wrong.to_owned()))
}

fn public_url(url: &str) -> Result<String, ConfigError> {
    let wrong = || {
        ConfigError(format!(
            "`{url}` is not the address of a club: write it like https://club.example.org, without a path"
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
        "`{host}` is not a host: write it like club.lan, club.lan:8080 or https://club.example.org"
    )))
}

fn allowed_origins(origins: &[String]) -> Result<Option<AllowOrigin>, ConfigError> {
    if origins.is_empty() {
        return Ok(None);
    }
    if origins.iter().any(|origin| origin.trim() == "*") {
        return Ok(Some(AllowOrigin::any()));
    }
    let origin = |origin: &String| {
        let value = public_url(origin.trim())?;
        let value = HeaderValue::from_str(&value);
        value.map_err(|_| ConfigError(format!("`{origin}` is not the address of a site")))
    };
    let origins = origins.iter().map(origin).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(AllowOrigin::list(origins)))
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
                    "no built-in bot has the name `{name}`: the names are {known}; none means no bots"
                ))
            })
        })
        .collect()
}
