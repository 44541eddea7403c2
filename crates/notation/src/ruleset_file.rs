//! Ruleset files: a custom ruleset that starts from a named one.
//!
//! ```toml
//! id = "club-night"
//! from = "wild16"
//! title = "Wild 16 with noes said aloud"
//!
//! [choices]
//! no_heard = "both"
//! ```

use std::fmt;

use rules::{ChoiceError, Choices, Contradiction, Ruleset, rulesets};
use toml_edit::{Document, Item, Key, TableLike};

/// The note of every ruleset that differs from the one it starts from.
const CUSTOM: &str = "A custom ruleset: it differs from the named one it starts from, whose sources are given, in the choices of its file.";

/// The longest id and title, in bytes.
const LONGEST_ID: usize = 40;
const LONGEST_TITLE: usize = 200;

/// A place in a file; both numbers count from 1.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Fault of a ruleset file.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum RulesetFault {
    /// No TOML.
    #[error("not TOML: {message}")]
    Toml {
        /// Message of the TOML reader.
        message: String,
    },
    /// A key that does not belong there.
    #[error("unknown key `{key}`: {remedy}")]
    UnknownKey {
        /// The key.
        key: String,
        /// Values that belong there.
        remedy: &'static str,
    },
    /// A value of the wrong type.
    #[error("`{key}` must be {expected}, not {found}")]
    WrongType {
        /// The key.
        key: String,
        /// The expected type.
        expected: &'static str,
        /// Type that was found.
        found: &'static str,
    },
    /// There is no `from`.
    #[error("`from` is missing: name the ruleset to start from, for example from = \"wild16\"")]
    NoFrom,
    /// `from` names no ruleset.
    #[error("`from` names no ruleset: `{id}`; the named ones are {}", ids())]
    UnknownFrom {
        /// As given.
        id: String,
    },
    /// An id that cannot be one.
    #[error(
        "`id` cannot be `{id}`: take 1 to 40 of the characters a-z, 0-9, + and -, a letter first"
    )]
    BadId {
        /// As given.
        id: String,
    },
    /// The id of a named ruleset with other choices.
    #[error(
        "`id` cannot be `{id}`: that is a named ruleset with other choices; take a name of your own"
    )]
    TakenId {
        /// As given.
        id: String,
    },
    /// A title that is empty, too long or has control characters.
    #[error("`title` must be one line of 1 to 200 bytes")]
    BadTitle,
    /// A choice or value that does not exist.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// Choices that cannot stand together.
    #[error("{0}")]
    Contradiction(Contradiction),
}

fn ids() -> String {
    let ids: Vec<_> = rulesets::ALL.iter().map(|r| &*r.id).collect();
    ids.join(", ")
}

/// A ruleset file that cannot be used: what is wrong, and where.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RulesetFileError {
    /// Place of the fault, if it has one.
    pub place: Option<Place>,
    /// The fault.
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

/// The place of a span's first byte.
fn place(text: &str, span: &Span) -> Option<Place> {
    let before = text.get(..span.as_ref()?.start)?;
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    Some(Place { line, column })
}

/// Reads a ruleset file.
///
/// # Errors
/// Names the key, value or contradiction at fault, and its place.
///
/// # Examples
///
/// ```
/// let text = "from = \"wild16\"\n[choices]\nno_heard = \"everyone\"\n";
/// let error = notation::read_ruleset(text).expect_err("there is no such value");
/// assert_eq!(
///     error.to_string(),
///     "line 3, column 12: `no_heard` cannot be `everyone`; it is one of mover, both"
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
    let (mut id, mut from, mut title, mut table) = (None, None, None, None);
    for (key, item) in entries(document.as_table()) {
        match key.get() {
            "id" => id = Some((string(key, item)?, item.span())),
            "from" => from = Some((string(key, item)?, item.span())),
            "title" => title = Some((string(key, item)?, item.span())),
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
                    "a ruleset file has id, from, title and the table [choices]"
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
        // The field that the file sets is the one to point at.
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
    // Whoever arrives at the choices of a named ruleset has its sources.
    let named = rulesets::ALL.iter().find(|r| r.choices == choices);
    Ok(Ruleset {
        id: id.into(),
        title: title.into(),
        choices,
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
    let fits = id.len() <= LONGEST_ID
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

/// Signs that are not seen, and change how what stands beside them is.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn checked_title(title: &str, span: Span) -> Faulty<&str> {
    let fits = (1..=LONGEST_TITLE).contains(&title.len()) && !title.contains(is_unseen);
    if fits {
        Ok(title)
    } else {
        Err((RulesetFault::BadTitle, span))
    }
}

/// The named ruleset that one starts from: itself, or of those with the same
/// sources the one with the fewest other choices.
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
        .expect("there are named rulesets")
}

/// The choices of a ruleset: of the custom one whose file's text is given, else of the named one.
///
/// `None` if the text cannot be read, or if there is no ruleset of that id.
pub fn choices_of(id: &str, custom: Option<&str>) -> Option<Choices> {
    match custom {
        Some(text) => read_ruleset(text).ok().map(|own| own.choices),
        None => rulesets::by_id(id).map(|named| named.choices),
    }
}

/// Writes a ruleset as a file, with every choice and what else it could be:
/// a file to start from. `read_ruleset` reads it back.
pub fn write_ruleset(ruleset: &Ruleset) -> String {
    let quoted = |text: &str| toml_edit::Value::from(text).to_string().trim().to_owned();
    let mut text = format!(
        "# A ruleset. Every choice below may be changed or left out; what is left out is as in `from`.\n\
         # A ruleset with changed choices needs an id of its own.\n\
         id = {}\nfrom = {}\ntitle = {}\n\n[choices]\n",
        quoted(&ruleset.id),
        quoted(&nearest_ruleset(ruleset).id),
        quoted(&ruleset.title),
    );
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
