//! Ruleset files. A ruleset file describes a custom ruleset: a named ruleset
//! with changed choices.
//!
//! ```toml
//! id = "club-night"
//! from = "wild16"
//! title = "Wild 16, but everybody hears the answer no"
//!
//! [choices]
//! no_heard = "both"
//! ```
//!
//! `start` names a position from which the game begins, as FEN. The referee's `StartPosition` checks it.

use std::fmt;

use rules::{ChoiceError, Choices, Contradiction, Ruleset, rulesets};
use toml_edit::{Document, Item, Key, TableLike};

use crate::is_unprintable;

/// Note of a custom ruleset, if no named ruleset has the same choices.
const CUSTOM: &str = "A custom ruleset. Its file names another ruleset in `from`, and lists the choices that differ. The sources are the sources of that ruleset.";

/// Largest length of an id, in bytes.
const MAX_ID_BYTES: usize = 40;
/// Largest length of a title, in bytes.
const MAX_TITLE_BYTES: usize = 200;
/// Largest length of a start position, in bytes.
const MAX_START_BYTES: usize = 200;

/// A position in a file; both numbers count from 1.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Place {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the column, from 1, in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// What is wrong with a ruleset file.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum RulesetFault {
    /// The text is not TOML.
    #[error("not TOML: {message}")]
    Toml {
        /// Message of the TOML parser.
        message: String,
    },
    /// A key that has no meaning at this place of the file.
    #[error("unknown key `{key}`: {remedy}")]
    UnknownKey {
        /// The unknown key.
        key: String,
        /// Which keys are allowed at this place.
        remedy: &'static str,
    },
    /// The value of a key has the wrong type.
    #[error("`{key}` must be {expected}, not {found}")]
    WrongType {
        /// The key with the wrong value.
        key: String,
        /// Type that the value must have.
        expected: &'static str,
        /// Type that the value has.
        found: &'static str,
    },
    /// The key `from` is missing.
    #[error("`from` is missing: name the ruleset to start from, for example from = \"wild16\"")]
    NoFrom,
    /// `from` does not name a ruleset.
    #[error(
        "`from` does not name a ruleset: `{id}`; the named rulesets are {}",
        ids()
    )]
    UnknownFrom {
        /// The name that was given.
        id: String,
    },
    /// The id is too long, or has characters that are not allowed.
    #[error(
        "`id` cannot be `{id}`: use 1 to 40 of the characters a-z, 0-9, + and -, beginning with a letter"
    )]
    BadId {
        /// The id that was given.
        id: String,
    },
    /// The id belongs to a named ruleset with other choices.
    #[error(
        "`id` cannot be `{id}`: the named ruleset has other choices than this file; use a different id"
    )]
    TakenId {
        /// The id that was given.
        id: String,
    },
    /// The title is empty or too long, or has characters that are not visible.
    #[error("`title` must be one line of 1 to 200 bytes")]
    BadTitle,
    /// The start position is empty or too long, or has characters that are not visible.
    #[error("`start` must be a FEN of 1 to 200 bytes")]
    BadStart,
    /// A choice, or a value of a choice, does not exist.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// Two choices contradict each other.
    #[error("{0}")]
    Contradiction(Contradiction),
}

impl RulesetFault {
    /// Returns the name of the fault, for programs, and the values in its message.
    pub fn code(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let args = |name, args: &[(&'static str, &str)]| {
            let args = args.iter().map(|&(name, value)| (name, value.to_owned()));
            (name, args.collect())
        };
        match self {
            RulesetFault::Toml { .. } => args("toml", &[]),
            RulesetFault::UnknownKey { key, .. } => args("unknown-key", &[("key", key)]),
            RulesetFault::WrongType {
                key,
                expected,
                found,
            } => args(
                "wrong-type",
                &[("key", key), ("expected", expected), ("found", found)],
            ),
            RulesetFault::NoFrom => args("no-from", &[]),
            RulesetFault::UnknownFrom { id } => args("unknown-from", &[("id", id)]),
            RulesetFault::BadId { id } => args("bad-id", &[("id", id)]),
            RulesetFault::TakenId { id } => args("taken-id", &[("id", id)]),
            RulesetFault::BadTitle => args("bad-title", &[]),
            RulesetFault::BadStart => args("bad-start", &[]),
            RulesetFault::Choice(ChoiceError::UnknownField { name }) => {
                args("unknown-choice", &[("choice", name)])
            }
            RulesetFault::Choice(ChoiceError::UnknownValue { field, value, .. }) => {
                args("unknown-value", &[("choice", field), ("value", value)])
            }
            RulesetFault::Contradiction(one) => args(
                "contradiction",
                &[
                    ("choice", one.field),
                    ("value", one.value),
                    ("other", one.other),
                    ("other_value", one.other_value),
                ],
            ),
        }
    }
}

fn ids() -> String {
    let ids: Vec<_> = rulesets::ALL.iter().map(|r| &*r.id).collect();
    ids.join(", ")
}

/// Error of a ruleset file: what is wrong, and where.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RulesetFileError {
    /// Place of the error in the file; `None` if there is no such place, for example if `from` is
    /// missing.
    pub place: Option<Place>,
    /// What is wrong.
    pub fault: RulesetFault,
}

impl fmt::Display for RulesetFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for RulesetFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.fault)
    }
}

type Span = Option<std::ops::Range<usize>>;

/// Returns the position of the first byte of a span.
fn place(text: &str, span: &Span) -> Option<Place> {
    let before = text.get(..span.as_ref()?.start)?;
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    Some(Place { line, column })
}

/// Reads a ruleset file.
///
/// # Errors
/// [`RulesetFileError`] describes the first error, and contains the place of the
/// error.
///
/// # Examples
///
/// ```
/// let text = "from = \"wild16\"\n[choices]\nno_heard = \"everyone\"\n";
/// let error = notation::read_ruleset(text).expect_err("the value does not exist");
/// assert_eq!(
///     error.to_string(),
///     "line 3, column 12: `no_heard` cannot be `everyone`; the possible values are mover, both"
/// );
/// ```
pub fn read_ruleset(text: &str) -> Result<Ruleset, RulesetFileError> {
    read(text).map_err(|(fault, span)| RulesetFileError {
        place: place(text, &span),
        fault,
    })
}

type Faulty<T> = Result<T, (RulesetFault, Span)>;

fn read(text: &str) -> Faulty<Ruleset> {
    let document = Document::parse(text).map_err(|e| {
        let message = e.message().trim().replace('\n', ", ");
        (RulesetFault::Toml { message }, e.span())
    })?;
    let (mut id, mut from, mut title, mut start, mut table) = (None, None, None, None, None);
    let mut hall = false;
    for (key, item) in entries(document.as_table()) {
        match key.get() {
            "id" => id = Some((string(key, item)?, item.span())),
            "from" => from = Some((string(key, item)?, item.span())),
            "title" => title = Some((string(key, item)?, item.span())),
            "start" => start = Some(checked_start(string(key, item)?, item.span())?),
            "hall" => {
                hall = item
                    .as_bool()
                    .ok_or_else(|| wrong_type(key, item, "true or false"))?;
            }
            "choices" => {
                let choices = item
                    .as_table_like()
                    .ok_or_else(|| wrong_type(key, item, "a table"))?;
                table = Some(choices);
            }
            other => {
                let remedy = if Choices::FIELDS.iter().any(|f| f.name == other) {
                    "it is a choice and belongs under [choices]"
                } else {
                    "a ruleset file has id, from, title, start, hall and the table [choices]"
                };
                let key_text = other.to_owned();
                return Err((
                    RulesetFault::UnknownKey {
                        key: key_text,
                        remedy,
                    },
                    key.span(),
                ));
            }
        }
    }
    let (from, span) = from.ok_or((RulesetFault::NoFrom, None))?;
    let base = rulesets::by_id(from).ok_or_else(|| {
        let id = from.to_owned();
        (RulesetFault::UnknownFrom { id }, span)
    })?;
    let (choices, set) = match table {
        Some(table) => read_choices(table, base.choices)?,
        None => (base.choices, Vec::new()),
    };
    choices.check().map_err(|c| {
        // The choices `field` and `other` contradict each other. The error has the place of
        // `field` in the file. If the file does not contain `field`, the error has the place of
        // `other`.
        let of = |name| set.iter().find(|(field, _)| *field == name);
        let span = of(c.field).or(of(c.other)).and_then(|(_, s)| s.clone());
        (RulesetFault::Contradiction(c), span)
    })?;
    let id = match id {
        Some((id, span)) => checked_id(id, span, &choices)?.to_owned(),
        None if choices == base.choices => base.id.to_string(),
        None => format!("{}-custom", base.id),
    };
    let title = match title {
        Some((title, span)) => checked_title(title, span)?.to_owned(),
        None if choices == base.choices => base.title.to_string(),
        None => format!("{}, changed", base.title),
    };
    // If a named ruleset has the same choices, the sources and notes of the named ruleset apply to
    // this ruleset, too.
    let named = rulesets::ALL.iter().find(|r| r.choices == choices);
    Ok(Ruleset {
        id: id.into(),
        title: title.into(),
        choices,
        start: start.map(|fen| fen.to_owned().into()),
        hall,
        sources: named.unwrap_or(base).sources.clone(),
        notes: named.map_or(vec![CUSTOM].into(), |r| r.notes.clone()),
    })
}

type Set<'a> = Vec<(&'a str, Span)>;

fn read_choices<'a>(table: &'a dyn TableLike, mut choices: Choices) -> Faulty<(Choices, Set<'a>)> {
    let mut set = Vec::new();
    for (key, item) in entries(table) {
        let known = choices.get(key.get()).is_some();
        let value = if known { string(key, item)? } else { "" };
        choices.set(key.get(), value).map_err(|e| {
            let span = if known { item.span() } else { key.span() };
            (RulesetFault::Choice(e), span)
        })?;
        set.push((key.get(), item.span()));
    }
    Ok((choices, set))
}

fn entries(table: &dyn TableLike) -> Vec<(&Key, &Item)> {
    table
        .iter()
        .filter_map(|(name, _)| table.get_key_value(name))
        .collect()
}

fn string<'a>(key: &Key, item: &'a Item) -> Faulty<&'a str> {
    item.as_str()
        .ok_or_else(|| wrong_type(key, item, "a text in quotes"))
}

fn wrong_type(key: &Key, item: &Item, expected: &'static str) -> (RulesetFault, Span) {
    let fault = RulesetFault::WrongType {
        key: key.get().to_owned(),
        expected,
        found: item.type_name(),
    };
    (fault, item.span().or(key.span()))
}

fn checked_id<'a>(id: &'a str, span: Span, choices: &Choices) -> Faulty<&'a str> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '+' | '-');
    let fits = id.len() <= MAX_ID_BYTES
        && id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(letters);
    let given = id.to_owned();
    if !fits {
        return Err((RulesetFault::BadId { id: given }, span));
    }
    match rulesets::by_id(id) {
        Some(named) if named.choices != *choices => {
            Err((RulesetFault::TakenId { id: given }, span))
        }
        Some(_) | None => Ok(id),
    }
}

fn checked_title(title: &str, span: Span) -> Faulty<&str> {
    let fits = (1..=MAX_TITLE_BYTES).contains(&title.len()) && !title.contains(is_unprintable);
    if fits {
        Ok(title)
    } else {
        Err((RulesetFault::BadTitle, span))
    }
}

fn checked_start(fen: &str, span: Span) -> Faulty<&str> {
    let fits = (1..=MAX_START_BYTES).contains(&fen.len()) && !fen.contains(is_unprintable);
    if fits {
        Ok(fen)
    } else {
        Err((RulesetFault::BadStart, span))
    }
}

/// Returns the named ruleset that is nearest to this ruleset. If a named ruleset has the same id,
/// it is the nearest. Otherwise the nearest is the ruleset with the fewest different choices. If
/// some named rulesets have the same sources as this ruleset, only these rulesets are compared.
pub fn nearest_ruleset(ruleset: &Ruleset) -> &'static Ruleset {
    let differences = |named: &Ruleset| {
        Choices::FIELDS
            .iter()
            .filter(|f| named.choices.get(f.name) != ruleset.choices.get(f.name))
            .count()
    };
    rulesets::ALL
        .iter()
        .min_by_key(|named| {
            let other_sources = named.sources != ruleset.sources;
            (named.id != ruleset.id, other_sources, differences(named))
        })
        .expect("there is at least one named ruleset")
}

/// Returns the choices of a ruleset. `custom` is the text of a ruleset file; if it is given, the
/// choices come from this file. Otherwise `id` must be the id of a named ruleset.
///
/// Returns `None` if the file cannot be read or if there is no ruleset with
/// this id.
pub fn choices_of(id: &str, custom: Option<&str>) -> Option<Choices> {
    match custom {
        Some(text) => read_ruleset(text).ok().map(|own| own.choices),
        None => rulesets::by_id(id).map(|named| named.choices),
    }
}

/// Whether the players of a game with these terms agree that a screen in a hall shows the true
/// position; see [`Ruleset::hall`].
pub fn is_for_hall(custom: Option<&str>) -> bool {
    custom.is_some_and(|text| read_ruleset(text).is_ok_and(|own| own.hall))
}

/// Writes a ruleset as a file that people can edit. The file contains every choice, with the other
/// values of the choice in a comment. [`read_ruleset`] can read the file.
pub fn write_ruleset(ruleset: &Ruleset) -> String {
    let quoted = |text: &str| toml_edit::Value::from(text).to_string().trim().to_owned();
    let mut text = format!(
        "# A ruleset. You may change or omit any choice. An omitted choice is as in the ruleset `from`.\n\
         # A ruleset with changed choices needs an id of its own.\n\
         id = {}\nfrom = {}\ntitle = {}\n",
        quoted(&ruleset.id),
        quoted(&nearest_ruleset(ruleset).id),
        quoted(&ruleset.title),
    );
    if let Some(start) = &ruleset.start {
        text.push_str(&format!("start = {}\n", quoted(start)));
    }
    if ruleset.hall {
        text.push_str("hall = true\n");
    }
    text.push_str("\n[choices]\n");
    for field in Choices::FIELDS {
        let value = ruleset.choices.get(field.name).unwrap_or_default();
        let values: Vec<_> = field.values.iter().map(|v| v.0).collect();
        text.push_str(&format!(
            "# {}: {}\n{} = {}\n",
            field.about,
            values.join(" | "),
            field.name,
            quoted(value)
        ));
    }
    text
}
