//! Stories: the answers of several rulesets to the same attempts.
//!
//! A file `transcripts/NAME.txt` contains one story. Attempts and comments are
//! written by hand. Each attempt has one row or several rows with the answers.
//! Rulesets with equal answers share a row. [`Story::expand`] returns the
//! transcript for one ruleset. transcripts/README.md describes the form.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Path, PathBuf},
};

use rules::rulesets;

/// Keys of the head of a story, in the order of a transcript.
const KEYS: [&str; 5] = ["title", "rules", "source", "game", "fen"];

/// Largest width to which a column is padded, in characters. Wider cells shift
/// the cells to their right, as in a transcript.
const WIDEST: usize = 56;

/// Cells of one attempt under one ruleset: the answer, then what White, Black
/// and the spectators hear. All are empty if the answer is not known yet.
type Cells = [String; 4];

/// Ids of some rulesets, in the order of [`rulesets::ALL`].
type Ids = Vec<&'static str>;

/// A story, for all rulesets that it covers.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Story {
    /// Name of the file, without `.txt`.
    pub name: String,
    /// The rulesets that the story covers.
    pub rules: Ids,
    head: Vec<Row>,
    entries: Vec<Entry>,
}

/// A row of the head, and the rulesets to which it applies.
#[derive(Clone, Eq, PartialEq, Debug)]
struct Row {
    key: &'static str,
    of: Ids,
    value: String,
}

/// A line below the head.
#[derive(Clone, Eq, PartialEq, Debug)]
struct Entry {
    /// Number of the entry's first line in the file, from 1.
    number: usize,
    what: What,
}

#[derive(Clone, Eq, PartialEq, Debug)]
enum What {
    /// A comment: the text after `#`, and the rulesets to which it applies.
    Comment { of: Ids, text: String },
    /// An attempt, and the cells of each ruleset under which the attempt is made.
    Asked {
        asked: String,
        told: BTreeMap<&'static str, Cells>,
    },
}

/// A story expanded for one ruleset.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Expansion {
    /// The transcript, as text.
    pub text: String,
    /// For each entry of the transcript: the number of its line in the story.
    pub numbers: Vec<usize>,
}

/// Error: the story cannot be read.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct StoryError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: String,
}

impl fmt::Display for StoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl std::error::Error for StoryError {}

/// Returns a function that makes errors for this line.
fn fault(line: usize) -> impl Fn(String) -> StoryError {
    move |fault| StoryError { line, fault }
}

/// Returns the path of the folder `transcripts/`.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../transcripts")
}

/// Reads all stories, sorted by name.
///
/// # Panics
/// If a story cannot be read.
pub fn all() -> Vec<Story> {
    let entries = fs::read_dir(folder()).expect("the folder of the stories can be read");
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.expect("a folder can be read").file_name();
            Some(name.to_str()?.strip_suffix(".txt")?.to_owned())
        })
        .collect();
    names.sort();
    names.iter().map(|name| read(name)).collect()
}

/// Reads the story with this name.
///
/// # Panics
/// If there is no such story, or the story cannot be read.
pub fn read(name: &str) -> Story {
    let path = folder().join(name).with_extension("txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Story::parse(name, &text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns the rulesets of `among` that a list selects. A list is `all`,
/// `all but A, B`, `others`, `others but A, B` or `A, B`. The words `all` and
/// `others` do not include the rulesets of `taken`.
fn named(list: &str, among: &[&'static str], taken: &[&'static str]) -> Result<Ids, String> {
    let (rest, but) = match list.split_once(' ').unwrap_or((list, "")) {
        ("all" | "others", rest) => (true, rest.strip_prefix("but ").unwrap_or(rest)),
        _ => (false, list),
    };
    let mut ids = Vec::new();
    for id in but.split(',').map(str::trim).filter(|id| !id.is_empty()) {
        let found = among.iter().find(|known| **known == id);
        ids.push(*found.ok_or_else(|| format!("this story has no ruleset `{id}`"))?);
    }
    let holds = |id: &&str| rest != ids.contains(id) && !(rest && taken.contains(id));
    Ok(among.iter().copied().filter(holds).collect())
}

/// Writes a list of rulesets. `most` is the word `all` or the word `others`. If `ids` contains all
/// rulesets of `among`, the function writes only this word. If `ids` lacks only a few rulesets of
/// `among`, the function writes this word, `but`, and the missing rulesets.
fn list(ids: &[&'static str], among: &[&'static str], most: &str) -> String {
    let missing: Ids = among
        .iter()
        .copied()
        .filter(|id| !ids.contains(id))
        .collect();
    if missing.is_empty() {
        most.to_owned()
    } else if missing.len() <= 5 && 2 * missing.len() <= among.len() {
        format!("{most} but {}", missing.join(", "))
    } else {
        ids.join(", ")
    }
}

/// Splits `{LIST}` from the beginning of a text. If there is no list, returns
/// all rulesets of `among`.
fn scope<'a>(text: &'a str, among: &[&'static str]) -> Result<(Ids, &'a str), String> {
    match text.strip_prefix('{').and_then(|t| t.split_once('}')) {
        Some((ids, rest)) => Ok((named(ids, among, &[])?, rest)),
        None => Ok((among.to_vec(), text)),
    }
}

impl Story {
    /// Parses a story.
    ///
    /// # Errors
    /// [`StoryError`] contains the number of the line, and says what is wrong.
    pub fn parse(name: &str, text: &str) -> Result<Story, StoryError> {
        let everything: Ids = rulesets::ALL.iter().map(|r| by_id(&r.id)).collect();
        let mut story = Story {
            name: name.to_owned(),
            rules: everything.clone(),
            head: Vec::new(),
            entries: Vec::new(),
        };
        let mut lines = (1..).zip(text.lines());
        for (number, line) in lines.by_ref() {
            if line.is_empty() {
                break;
            }
            story.read_head(line, &everything).map_err(fault(number))?;
        }
        // The rows of the current attempt. These rows are kept until the next attempt is read,
        // because the meaning of `others` depends on all of these rows.
        let mut rows: Vec<(usize, Vec<&str>)> = Vec::new();
        for (number, line) in lines {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            if let Some(comment) = line.strip_prefix('#') {
                story.attempt(&mut rows)?;
                let (of, text) = scope(comment, &story.rules).map_err(fault(number))?;
                let what = What::Comment {
                    of,
                    text: text.to_owned(),
                };
                story.entries.push(Entry { number, what });
            } else if cells[0] != "attempt" {
                if !cells[0].is_empty() {
                    story.attempt(&mut rows)?;
                }
                rows.push((number, cells));
            }
        }
        story.attempt(&mut rows)?;
        Ok(story)
    }

    fn read_head(&mut self, line: &str, everything: &[&'static str]) -> Result<(), String> {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let key = KEYS
            .into_iter()
            .find(|known| *known == key)
            .ok_or_else(|| format!("the head of a story has no key `{key}`"))?;
        if key == "rules" {
            self.rules = named(value.trim(), everything, &[])?;
        }
        let (of, value) = scope(value.trim(), everything)?;
        let value = value.trim().to_owned();
        self.head.push(Row { key, of, value });
        Ok(())
    }

    /// Adds an attempt, with the cells from its rows.
    fn attempt(&mut self, rows: &mut Vec<(usize, Vec<&str>)>) -> Result<(), StoryError> {
        let Some((number, first)) = rows.first() else {
            return Ok(());
        };
        let (number, asked) = (*number, first[0].to_owned());
        if asked.is_empty() {
            return Err(fault(number)("the row has no attempt".to_owned()));
        }
        let mut told: BTreeMap<&'static str, Cells> = BTreeMap::new();
        let mut taken = Ids::new();
        // Rows that name rulesets come before the row with `others` or `all`.
        rows.sort_by_key(|(_, cells)| {
            let who = cells.get(2..).and_then(<[&str]>::last);
            who.is_none_or(|who| who.starts_with("others") || who.starts_with("all"))
        });
        for (line, cells) in rows.drain(..) {
            let (answer, heard, who) = match cells[..] {
                [_] => ("", ["", "", ""], "all"),
                [_, answer] => (answer, ["", "", ""], "all"),
                [_, answer, who] => (answer, ["", "", ""], who),
                [_, answer, white, black, room, who] => (answer, [white, black, room], who),
                _ => {
                    let said = "a row must have one, two, three or six columns";
                    return Err(fault(line)(said.to_owned()));
                }
            };
            let [white, black, room] = heard.map(str::to_owned);
            let cells = [answer.to_owned(), white, black, room];
            for id in named(who, &self.rules, &taken).map_err(fault(line))? {
                if told.insert(id, cells.clone()).is_some() {
                    return Err(fault(line)(format!(
                        "this attempt already has a row for `{id}`"
                    )));
                }
                taken.push(id);
            }
        }
        let what = What::Asked { asked, told };
        self.entries.push(Entry { number, what });
        Ok(())
    }

    /// Returns the transcript for one ruleset.
    ///
    /// # Panics
    /// If the story does not cover this ruleset.
    pub fn expand(&self, id: &str) -> Expansion {
        assert!(
            self.rules.contains(&id),
            "the story {} does not cover {id}",
            self.name
        );
        let mut text = String::new();
        for key in KEYS {
            let row = self
                .head
                .iter()
                .find(|row| row.key == key && row.of.contains(&id));
            let value = match (key, row) {
                ("rules", _) => id,
                (_, Some(row)) => &row.value,
                ("source", None) => rulesets::by_id(id).map_or("", |r| r.sources[0].key),
                (_, None) => continue,
            };
            text.push_str(&format!("{key:8}{value}\n"));
        }
        text.push('\n');
        let mut numbers = Vec::new();
        let mut rows = Vec::new();
        for entry in &self.entries {
            match &entry.what {
                What::Comment { of, text } if of.contains(&id) => rows.push(Err(text)),
                What::Asked { asked, told } if told.contains_key(id) => {
                    let [answer, white, black, room] = &told[id];
                    let attempt = format!("{asked} {answer}").trim_end().to_owned();
                    rows.push(Ok([attempt, white.clone(), black.clone(), room.clone()]));
                }
                What::Comment { .. } | What::Asked { .. } => continue,
            }
            numbers.push(entry.number);
        }
        if rows.iter().flatten().any(|row| !row[1].is_empty()) {
            let first = rows.iter().position(Result::is_ok).unwrap_or(0);
            let heading = ["attempt", "white", "black", "room"].map(str::to_owned);
            rows.insert(first, Ok(heading));
        }
        text.push_str(&table(&rows));
        Expansion { text, numbers }
    }

    /// Replaces the cells of one ruleset by the cells of a transcript.
    ///
    /// # Panics
    /// If the attempts of the transcript differ from the attempts of the story.
    pub fn retell(&mut self, id: &'static str, transcript: &str) {
        let body = transcript.split_once("\n\n").map_or("", |(_, body)| body);
        let mut lines = body
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
            .filter(|cells| cells[0] != "attempt");
        for entry in &mut self.entries {
            if let What::Asked { asked, told } = &mut entry.what
                && let Some(cells) = told.get_mut(id)
            {
                let line = lines
                    .next()
                    .expect("the transcript has one line for each attempt");
                let answer = line[0]
                    .strip_prefix(&**asked)
                    .expect("the line starts with the attempt of the story");
                let heard = |i: usize| line.get(i).map_or("", |cell| cell).to_owned();
                *cells = [answer.trim().to_owned(), heard(1), heard(2), heard(3)];
            }
        }
        assert_eq!(lines.next(), None, "{}, {id}", self.name);
    }

    /// Returns the rows of an attempt. The first row is for the largest group of rulesets with
    /// equal cells.
    fn grouped(&self, asked: &str, told: &BTreeMap<&'static str, Cells>) -> Vec<[String; 6]> {
        let mut groups: Vec<(&Cells, Ids)> = Vec::new();
        for id in &self.rules {
            let Some(cells) = told.get(id) else { continue };
            match groups.iter_mut().find(|(known, _)| *known == cells) {
                Some((_, ids)) => ids.push(id),
                None => groups.push((cells, vec![id])),
            }
        }
        // Moves the largest group to the front. If several groups are the largest,
        // moves the first of them. The other groups keep their order.
        let most = groups.iter().map(|(_, ids)| ids.len()).max().unwrap_or(0);
        if let Some(at) = groups.iter().position(|(_, ids)| ids.len() == most) {
            groups[..=at].rotate_right(1);
        }
        let asked_by: Ids = (self.rules.iter().copied())
            .filter(|id| told.contains_key(id))
            .collect();
        let word = if groups.len() == 1 { "all" } else { "others" };
        let all = list(&asked_by, &self.rules, word);
        let rows = groups.into_iter().enumerate();
        rows.map(|(i, (cells, ids))| {
            let who = match i {
                0 if all.starts_with(word) => all.clone(),
                _ => ids.join(", "),
            };
            let asked = if i == 0 { asked } else { "" };
            let [answer, white, black, room] = cells.clone();
            [asked.to_owned(), answer, white, black, room, who]
        })
        .collect()
    }
}

/// Returns the same id with the lifetime `'static`.
fn by_id(id: &str) -> &'static str {
    let named = rulesets::by_id(id).expect("the id names a ruleset");
    &named.id
}

/// Writes a table with comments between its rows. All columns except the last
/// are padded.
fn table<const N: usize>(rows: &[Result<[String; N], &String>]) -> String {
    let mut widths = [0; N];
    for row in rows
        .iter()
        .flatten()
        .filter(|row| !row[1..].concat().is_empty())
    {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().min(WIDEST).max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let line = match row {
            Err(comment) => format!("#{comment}"),
            Ok(row) if row[1..].concat().is_empty() => row[0].clone(),
            Ok(row) => {
                let cells: Vec<String> = (row.iter().zip(widths))
                    .map(|(cell, width)| format!("{cell:width$}"))
                    .collect();
                cells.join(" | ").trim_end().to_owned()
            }
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let everything: Ids = rulesets::ALL.iter().map(|r| by_id(&r.id)).collect();
        for Row { key, of, value } in &self.head {
            match *key {
                "rules" => writeln!(f, "{key:8}{}", list(&self.rules, &everything, "all"))?,
                _ if self.rules.iter().all(|id| of.contains(id)) => writeln!(f, "{key:8}{value}")?,
                _ => {
                    let of: Ids = of
                        .iter()
                        .copied()
                        .filter(|id| self.rules.contains(id))
                        .collect();
                    writeln!(f, "{key:8}{{{}}} {value}", list(&of, &self.rules, "all"))?;
                }
            }
        }
        writeln!(f)?;
        let comments: Vec<String> = (self.entries.iter())
            .map(|entry| match &entry.what {
                What::Comment { of, text } if *of == self.rules => text.clone(),
                What::Comment { of, text } => format!("{{{}}}{text}", list(of, &self.rules, "all")),
                What::Asked { .. } => String::new(),
            })
            .collect();
        let mut rows = Vec::new();
        for (entry, comment) in self.entries.iter().zip(&comments) {
            match &entry.what {
                What::Comment { .. } => rows.push(Err(comment)),
                What::Asked { asked, told } => {
                    rows.extend(self.grouped(asked, told).into_iter().map(Ok));
                }
            }
        }
        let first = rows.iter().position(Result::is_ok).unwrap_or(rows.len());
        let heading = ["attempt", "answer", "white", "black", "room", "rules"].map(str::to_owned);
        rows.insert(first, Ok(heading));
        f.write_str(&table(&rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title   A story\nrules   rand, ks, wild16\n\nstart\n";

    #[test]
    fn hand_written_lines_apply_to_the_named_rulesets() {
        let text = format!(
            "{HEAD}#{{ks}} One.\nwhite e2e4\nblack any | yes | ks\nblack e7e5 | no | others but rand\n"
        );
        let story = Story::parse("s", &text).unwrap();
        let body = |id: &str| {
            let text = story.expand(id).text;
            text.split_once("\n\n").unwrap().1.to_owned()
        };
        assert_eq!(body("rand"), "start\nwhite e2e4\n");
        assert_eq!(body("wild16"), "start\nwhite e2e4\nblack e7e5 no\n");
        assert_eq!(
            body("ks"),
            "start\n# One.\nwhite e2e4\nblack any yes\nblack e7e5 no\n"
        );
        assert_eq!(story.expand("ks").numbers, [4, 5, 6, 7, 8]);
        let printed = story.to_string();
        assert_eq!(Story::parse("s", &printed).unwrap().to_string(), printed);
    }

    #[test]
    fn errors_name_the_line_and_the_fault() {
        for (lines, said) in [
            (
                "white e2e4 | no | eastern",
                "line 5: this story has no ruleset `eastern`",
            ),
            (
                "white e2e4 | no | ks\n | yes | ks",
                "line 6: this attempt already has a row for `ks`",
            ),
            (
                "white e2e4 | no | a | b",
                "line 5: a row must have one, two, three or six columns",
            ),
        ] {
            let fault = Story::parse("s", &format!("{HEAD}{lines}\n")).unwrap_err();
            assert_eq!(fault.to_string(), said);
        }
        let fault = Story::parse("s", "titel   A story\n").unwrap_err();
        assert_eq!(
            fault.to_string(),
            "line 1: the head of a story has no key `titel`"
        );
    }
}
