//! Options of doors. Users give them by flags, by environment variables or in a
//! file.

use std::{collections::BTreeMap, fmt, net::SocketAddr, str::FromStr};

use clap::{
    Arg, ArgMatches, Command,
    builder::{BoolishValueParser, TypedValueParser, ValueParser},
    value_parser,
};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor},
};

/// Address on which a door listens. A port without an address means the
/// loopback interface of this machine.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Deserialize)]
#[serde(try_from = "AddressText")]
pub struct DoorAddress(pub SocketAddr);

/// An address in a file: a string, or a number for the port alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum AddressText {
    Port(u16),
    Text(String),
}

impl TryFrom<AddressText> for DoorAddress {
    type Error = String;

    fn try_from(text: AddressText) -> Result<DoorAddress, String> {
        match text {
            AddressText::Port(port) => port.to_string().parse(),
            AddressText::Text(text) => text.parse(),
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
            format!("`{text}` is not an address: write a port, such as 5000, or an address and a port, such as 0.0.0.0:5000")
        })
    }
}

/// One option of a door.
#[derive(Copy, Clone, Debug)]
pub struct DoorOption {
    /// Name of the option's flag, and key of the option in a file.
    pub name: &'static str,
    /// Name of the option's environment variable.
    pub env: &'static str,
    /// Help text, with the default.
    pub help: &'static str,
    /// Kind of values that the option takes.
    pub kind: OptionKind,
}

/// Values that an option takes.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum OptionKind {
    /// An address with a port, or only a port on this machine.
    Address,
    /// On or off. The flag without a value means on.
    Switch,
    /// A number, at least 1. Holds the placeholder of the value in the help text.
    Number(&'static str),
}

/// The value of an option.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Value {
    /// Value of [`OptionKind::Address`].
    Address(SocketAddr),
    /// Value of [`OptionKind::Switch`].
    Switch(bool),
    /// Value of [`OptionKind::Number`].
    Number(u32),
}

impl DoorOption {
    fn arg(&self) -> Arg {
        let arg = Arg::new(self.name).long(self.name);
        let arg = arg.env(self.env).help(self.help);
        match self.kind {
            OptionKind::Address => arg
                .value_name("[ADDRESS:]PORT")
                .value_parser(ValueParser::new(|text: &str| {
                    text.parse().map(|DoorAddress(at)| Value::Address(at))
                })),
            OptionKind::Switch => arg
                .value_name("BOOL")
                .num_args(0..=1)
                .default_missing_value("true")
                .value_parser(BoolishValueParser::new().map(Value::Switch)),
            OptionKind::Number(placeholder) => arg
                .value_name(placeholder)
                .value_parser(value_parser!(u32).map(Value::Number)),
        }
    }
}

/// Deserializes a value of this kind from a file.
impl<'de> DeserializeSeed<'de> for OptionKind {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<Value, D::Error> {
        match self {
            OptionKind::Address => DoorAddress::deserialize(value).map(|at| Value::Address(at.0)),
            OptionKind::Switch => bool::deserialize(value).map(Value::Switch),
            OptionKind::Number(_) => u32::deserialize(value).map(Value::Number),
        }
    }
}

/// Values of options, by option name.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Options(BTreeMap<&'static str, Value>);

impl Options {
    /// Adds these options to a command. The help text lists these options in the order of `all`,
    /// after the options that have clap's display order 0.
    pub fn add_to(command: Command, all: impl Iterator<Item = DoorOption>) -> Command {
        let args = (1..).zip(all);
        command.args(args.map(|(place, option)| option.arg().display_order(place)))
    }

    /// Reads the values that a command line gave.
    pub fn of(matches: &ArgMatches, all: impl Iterator<Item = DoorOption>) -> Options {
        let value = |option: DoorOption| Some((option.name, *matches.get_one(option.name)?));
        Options(all.filter_map(value).collect())
    }

    /// Returns these values. If an option has no value here, its value is taken from `others`.
    #[must_use]
    pub fn or(self, others: Options) -> Options {
        Options(others.0.into_iter().chain(self.0).collect())
    }

    /// Checks that no number is 0.
    ///
    /// # Errors
    /// Returns a message that names the option.
    pub fn check(&self) -> Result<(), String> {
        let zero = self.0.iter().find(|(_, value)| **value == Value::Number(0));
        zero.map_or(Ok(()), |(name, _)| {
            Err(format!("`{name}` must be at least 1"))
        })
    }

    /// Returns the address of a door, or `None` if the door stays closed.
    pub fn address(&self, name: &str) -> Option<SocketAddr> {
        let Value::Address(at) = *self.0.get(name)? else {
            return None;
        };
        Some(at)
    }

    /// Whether a switch is on. A switch that was not given is off.
    pub fn switch(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Switch(true))
    }

    /// Returns a number, if one was given.
    pub fn number(&self, name: &str) -> Option<u32> {
        let Value::Number(number) = *self.0.get(name)? else {
            return None;
        };
        Some(number)
    }
}

/// Deserializer for the values of these options from a file. Other keys of the
/// file are ignored.
#[derive(Clone, Debug)]
pub struct FromFile(pub Vec<DoorOption>);

impl FromFile {
    /// Returns the keys of these options.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|option| option.name).collect()
    }
}

impl<'de> DeserializeSeed<'de> for FromFile {
    type Value = Options;

    fn deserialize<D: Deserializer<'de>>(self, file: D) -> Result<Options, D::Error> {
        file.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FromFile {
    type Value = Options;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("options")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Options, M::Error> {
        let mut values = Options::default();
        while let Some(key) = map.next_key::<String>()? {
            match self.0.iter().find(|option| option.name == key) {
                Some(option) => {
                    let value = map.next_value_seed(option.kind)?;
                    values.0.insert(option.name, value);
                }
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(values)
    }
}
