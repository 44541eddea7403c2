//! A session at teletypes as a file: the typed lines, and every printed byte.
//!
//! ```text
//! # A comment.
//! 1+                  console 1 connects
//! 1> k2 k4            console 1 types a line
//! 1x ff fd 03         console 1 sends bytes
//! 1-                  console 1 disconnects
//! 1| (BLACK TO MOVE)  console 1 has printed a line
//! 2| ****<BEL><BEL>\  text without a line end ends with a backslash
//! ```
//!
//! In a typed line, `$1` means the key that console 1 got. In printed lines,
//! every key is replaced by `XXXX-XXXX-XXXX-XXXX`.

use std::{collections::BTreeMap, fmt::Write};

/// Text that replaces a key in a session.
pub const COVERED: &str = "XXXX-XXXX-XXXX-XXXX";

/// Action at a console.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Do {
    /// The console connects.
    Call,
    /// The console closes the connection.
    HangUp,
    /// The user types a line.
    Line(String),
    /// The client sends bytes.
    Bytes(Vec<u8>),
}

/// An action, and what every console prints after it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Step {
    /// Number of the console.
    pub console: u8,
    /// The action.
    pub what: Do,
    /// Printed bytes, by console number.
    pub printed: BTreeMap<u8, Vec<u8>>,
    remarks: Vec<String>,
}

/// A session.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Script {
    /// The steps in order.
    pub steps: Vec<Step>,
    end: Vec<String>,
}

impl Script {
    /// Parses a session.
    pub fn read(text: &str) -> Script {
        let mut script = Script::default();
        for line in text.lines() {
            if line.is_empty() || line.starts_with('#') {
                script.end.push(line.to_owned());
                continue;
            }
            let (head, rest) = line.split_at(2.min(line.len()));
            let rest = rest.strip_prefix(' ').unwrap_or(rest);
            let console = head.as_bytes()[0] - b'0';
            let what = match &head[1..] {
                "|" => {
                    let step = script.steps.last_mut().unwrap();
                    step.printed.entry(console).or_default().extend(raw(rest));
                    continue;
                }
                "+" => Do::Call,
                "-" => Do::HangUp,
                ">" => Do::Line(rest.to_owned()),
                "x" => Do::Bytes(
                    rest.split_whitespace()
                        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
                        .collect(),
                ),
                other => panic!("unknown mark {other:?} in the session line: {line}"),
            };
            let remarks = std::mem::take(&mut script.end);
            script.steps.push(Step {
                console,
                what,
                printed: BTreeMap::new(),
                remarks,
            });
        }
        script
    }

    /// Formats the session as text.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            for remark in &step.remarks {
                let _ = writeln!(text, "{remark}");
            }
            let n = step.console;
            let _ = match &step.what {
                Do::Call => writeln!(text, "{n}+"),
                Do::HangUp => writeln!(text, "{n}-"),
                Do::Line(line) if line.is_empty() => writeln!(text, "{n}>"),
                Do::Line(line) => writeln!(text, "{n}> {line}"),
                Do::Bytes(bytes) => {
                    let bytes: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                    writeln!(text, "{n}x {}", bytes.join(" "))
                }
            };
            for (console, bytes) in &step.printed {
                for line in shown(bytes) {
                    let _ = writeln!(text, "{}", format!("{console}| {line}").trim_end());
                }
            }
        }
        for remark in &self.end {
            let _ = writeln!(text, "{remark}");
        }
        text
    }

    /// Returns everything that one console prints.
    pub fn printed(&self, console: u8) -> Vec<u8> {
        let steps = self.steps.iter();
        let pieces = steps.filter_map(|step| step.printed.get(&console));
        pieces.flatten().copied().collect()
    }
}

/// Formats bytes as lines of a session.
fn shown(bytes: &[u8]) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut rest = bytes;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        let line = lines.last_mut().unwrap();
        match byte {
            b'\r' if rest.first() == Some(&b'\n') => {
                rest = &rest[1..];
                lines.push(String::new());
            }
            7 => line.push_str("<BEL>"),
            b' '..=b'~' => line.push(char::from(byte)),
            other => {
                let _ = write!(line, "<{other:02X}>");
            }
        }
    }
    match lines.last_mut() {
        Some(line) if line.is_empty() => {
            lines.pop();
        }
        Some(line) => line.push('\\'),
        None => {}
    }
    lines
}

/// Parses a line of a session into bytes.
fn raw(line: &str) -> Vec<u8> {
    let (line, end) = match line.strip_suffix('\\') {
        Some(line) => (line, ""),
        None => (line, "\r\n"),
    };
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let code = rest.strip_prefix('<').and_then(|tail| tail.split_once('>'));
        let byte = code.and_then(|(code, _)| match code {
            "BEL" => Some(7),
            code if code.len() == 2 => u8::from_str_radix(code, 16).ok(),
            _ => None,
        });
        match (byte, code) {
            (Some(byte), Some((_, tail))) => {
                bytes.push(byte);
                rest = tail;
            }
            _ => {
                bytes.extend(c.to_string().bytes());
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    bytes.extend(end.bytes());
    bytes
}

/// Replaces the key in the bytes that a console printed. Returns the new text, and the key if there
/// is one.
pub fn cover(bytes: &[u8]) -> (Vec<u8>, Option<String>) {
    const HEAD: &[u8] = b"YOUR KEY IS ";
    let mut covered = bytes.to_vec();
    let at = bytes.windows(HEAD.len()).position(|part| part == HEAD);
    let key = at.and_then(|at| {
        let from = at + HEAD.len();
        let place = covered.get_mut(from..from + COVERED.len())?;
        let key = String::from_utf8_lossy(place).into_owned();
        place.copy_from_slice(COVERED.as_bytes());
        Some(key)
    });
    (covered, key)
}

/// Inserts the keys into a line to be typed.
pub fn with_keys(line: &str, keys: &BTreeMap<u8, String>) -> String {
    keys.iter().fold(line.to_owned(), |line, (console, key)| {
        line.replace(&format!("${console}"), key)
    })
}
