//! The lines of a file in the signs of a keyboard: decoded, and without mark-up.

use std::mem;

use notation::{Place, keyboard};

use super::text::TextError;

/// Encoding of a file.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) enum Encoding {
    #[default]
    Utf8,
    Utf16,
    /// Also read as Latin-1, which is a subset.
    Windows1252,
}

/// A line, or a part of a line that HTML sets on a line of its own.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Line {
    /// Number of the line in the file, from 1.
    pub number: usize,
    /// The line of the file.
    pub raw: String,
    /// Characters without mark-up, each with its column in the file.
    pub chars: Vec<(char, usize)>,
}

/// Returns how the units of a UTF-16 text are stored; `None` if the text is not UTF-16. Without a byte
/// order mark, UTF-16 is recognised by the zero bytes of its ASCII characters.
fn utf16_unit(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    let beginning = &bytes[..bytes.len().min(512) & !1];
    let zeros = |of: usize| {
        let bytes = beginning.iter().skip(of).step_by(2);
        bytes.filter(|byte| **byte == 0).count()
    };
    let many = |zeros: usize| zeros * 4 > beginning.len();
    match (bytes, zeros(0), zeros(1)) {
        ([0xff, 0xfe, ..], _, _) => Some(u16::from_le_bytes),
        ([0xfe, 0xff, ..], _, _) => Some(u16::from_be_bytes),
        (_, 0, odd) if many(odd) => Some(u16::from_le_bytes),
        (_, even, 0) if many(even) => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// Returns the name of the encoding of a file in UTF-16, with or without a byte order mark, or in
/// UTF-32.
pub fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\xff\xfe\0\0") || bytes.starts_with(b"\0\0\xfe\xff") {
        return Some("UTF-32");
    }
    utf16_unit(bytes).map(|_| "UTF-16")
}

/// Decodes a file.
pub(super) fn decode(bytes: &[u8]) -> Result<(String, Encoding), TextError> {
    if let Some(name @ "UTF-32") = wide_encoding(bytes) {
        return Err(TextError::Encoding { name });
    }
    if let Some(unit) = utf16_unit(bytes) {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
        let text: String = text.collect();
        let text = text.trim_start_matches('\u{feff}').to_owned();
        return Ok((text, Encoding::Utf16));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), Encoding::Utf8),
        Err(_) => (
            bytes.iter().map(|byte| windows1252(*byte)).collect(),
            Encoding::Windows1252,
        ),
    })
}

/// The characters of Windows-1252 from 0x80 on; a space where there is none.
const WINDOWS_1252: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/// Returns the character of Windows-1252, which contains Latin-1.
pub(crate) fn windows1252(byte: u8) -> char {
    let known = usize::from(byte)
        .checked_sub(0x80)
        .and_then(|at| WINDOWS_1252.chars().nth(at));
    known.filter(|c| *c != ' ').unwrap_or(char::from(byte))
}

/// Elements of HTML that stand on lines of their own.
const BLOCKS: [&str; 24] = [
    "blockquote",
    "body",
    "br",
    "caption",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "html",
    "li",
    "ol",
    "p",
    "table",
    "tr",
    "ul",
];

/// Other elements of HTML.
const INLINE: [&str; 31] = [
    "a", "abbr", "b", "big", "code", "col", "em", "font", "i", "img", "link", "meta", "pre", "s",
    "script", "small", "span", "strike", "strong", "style", "sub", "sup", "tbody", "td", "tfoot",
    "th", "thead", "title", "tt", "u", "var",
];

/// Elements whose content is not part of the text.
const HIDDEN: [(&str, &str); 3] = [
    ("script", "</script"),
    ("style", "</style"),
    ("sup", "</sup"),
];

/// Marks of bold, italic and underlined text in forums.
const BBCODE: [&str; 6] = ["[b]", "[/b]", "[i]", "[/i]", "[u]", "[/u]"];

/// Removes the mark-up of HTML, Markdown and typography from a text.
pub(super) fn lines(text: &str) -> Result<Vec<Line>, TextError> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut cleaner = Cleaner::default();
    // Files that were joined have marks of byte order in the middle; DOS ended a file with 0x1a.
    let text = text.trim_end_matches('\u{1a}');
    for (number, raw) in (1..).zip(text.split('\n')) {
        let raw = raw.trim_start_matches('\u{feff}');
        cleaner.line = Line {
            number,
            raw: raw.to_owned(),
            chars: Vec::new(),
        };
        cleaner.clean(raw);
        let line = mem::take(&mut cleaner.line);
        cleaner.lines.push(line);
    }
    match cleaner.until {
        Some((_, at)) => Err(TextError::NeverClosed { at, sign: '<' }),
        None => Ok(cleaner.lines),
    }
}

#[derive(Default)]
struct Cleaner {
    lines: Vec<Line>,
    line: Line,
    /// Text that ends the current tag, comment or hidden element, and the place where it begins.
    until: Option<(&'static str, Place)>,
}

impl Cleaner {
    fn emit(&mut self, c: char, at: usize) {
        self.line.chars.push((c, at + 1));
    }

    fn clean(&mut self, raw: &str) {
        let chars: Vec<char> = raw.chars().collect();
        let mut at = 0;
        while let Some(c) = chars.get(at) {
            let rest = &chars[at..];
            if let Some((until, begun)) = self.until {
                if begins(rest, until) {
                    at += until.len() - 1;
                    self.until = until.starts_with("</").then_some((">", begun));
                }
                at += 1;
                continue;
            }
            at += match c {
                '<' => self.tag(rest, at),
                '&' => match entity(rest) {
                    Some((c, length)) => {
                        self.sign(c, &rest[length - 1..], at);
                        length
                    }
                    None => {
                        self.emit('&', at);
                        1
                    }
                },
                // Escaped signs of Markdown: `1\.`.
                '\\' if rest.get(1).is_some_and(char::is_ascii_punctuation) => 1,
                '*' => self.stars(&chars, at),
                '[' if BBCODE.iter().any(|tag| begins(rest, tag)) => {
                    rest.iter().take_while(|c| **c != ']').count() + 1
                }
                '\'' if rest.get(1) == Some(&'\'') => {
                    rest.iter().take_while(|c| **c == '\'').count()
                }
                c => self.sign(*c, rest, at),
            };
        }
    }

    /// Reads a sign that has no meaning as mark-up of several characters. Returns the number of
    /// characters that were read.
    fn sign(&mut self, c: char, rest: &[char], at: usize) -> usize {
        match c {
            '_'
            | '`'
            | '"'
            | '\u{201c}'..='\u{201f}'
            | '\u{ab}'
            | '\u{bb}'
            | '\u{2039}'
            | '\u{203a}'
            // Numbers of notes.
            | '\u{b2}'
            | '\u{b3}'
            | '\u{b9}'
            | '\u{2070}'..='\u{2079}' => {}
            '\u{2018}' | '\u{2019}' => self.emit('\'', at),
            // Bars of tables, bullets, and signs that judge a position.
            '|' | '\u{2022}' | '\u{b7}' | '\u{2023}' | '\u{25aa}' | '\u{b1}' | '\u{2213}'
            | '\u{2a72}' | '\u{2a71}' | '\u{221e}' | '\u{25a1}' | '\u{25b3}' | '\u{2206}' => {
                self.emit(' ', at);
            }
            c => {
                let signs = keyboard(c);
                match signs {
                    Some(signs) => signs.chars().for_each(|c| self.emit(c, at)),
                    None => self.emit(c, at),
                }
                // A space between a figurine and its square.
                let man = matches!(c, '\u{2654}'..='\u{265f}');
                let is_space = |c: &char| c.is_whitespace() || keyboard(*c) == Some(" ");
                let spaces = rest[1..].iter().take_while(|c| is_space(c)).count();
                let mark = |c: &char| matches!(c, '\u{fe0e}' | '\u{fe0f}');
                let marks = rest[1..].iter().take_while(|c| mark(c)).count();
                if man && (spaces == 1 || marks > 0) {
                    return 1 + spaces.max(marks);
                }
            }
        }
        1
    }

    /// Skips a tag of HTML.
    fn tag(&mut self, rest: &[char], at: usize) -> usize {
        let place = Place {
            line: self.line.number,
            column: at + 1,
        };
        if begins(rest, "<!--") {
            self.until = Some(("-->", place));
            return 4;
        }
        let slash = usize::from(rest.get(1) == Some(&'/'));
        let name: String = rest[1 + slash..]
            .iter()
            .take_while(|c| c.is_ascii_alphanumeric())
            .map(char::to_ascii_lowercase)
            .collect();
        let block = BLOCKS.contains(&name.as_str());
        if !block && !INLINE.contains(&name.as_str()) && !begins(rest, "<!doctype") {
            self.emit('<', at);
            return 1;
        }
        let hidden = HIDDEN.iter().find(|(tag, _)| *tag == name && slash == 0);
        self.until = Some((hidden.map_or(">", |(_, end)| *end), place));
        if block {
            let next = Line {
                number: self.line.number,
                ..Line::default()
            };
            let line = mem::replace(&mut self.line, next);
            self.lines.push(line);
        } else if matches!(name.as_str(), "td" | "th") {
            self.emit(' ', at);
            self.emit(' ', at);
        }
        1
    }

    /// Skips stars that set text in bold or begin an item of a list. A star by itself is the result
    /// of an unfinished game.
    fn stars(&mut self, chars: &[char], at: usize) -> usize {
        let length = chars[at..].iter().take_while(|c| **c == '*').count();
        let space = |c: Option<&char>| c.is_none_or(|c| c.is_whitespace() || "<>&)]".contains(*c));
        let before = at.checked_sub(1).and_then(|before| chars.get(before));
        let after = &chars[at + length..];
        let item = chars[..at].iter().all(|c| c.is_whitespace())
            && after.iter().any(|c| !c.is_whitespace());
        if length == 1 && space(before) && space(after.first()) && !item {
            self.emit('*', at);
        }
        length
    }
}

/// Checks whether the characters begin with a text, in capital or small letters.
fn begins(chars: &[char], text: &str) -> bool {
    let mut chars = chars.iter();
    text.chars()
        .all(|c| chars.next().is_some_and(|d| c.eq_ignore_ascii_case(d)))
}

/// Named characters of HTML that scores contain.
const NAMED: [(&str, char); 36] = [
    ("nbsp", '\u{a0}'),
    ("ensp", ' '),
    ("emsp", ' '),
    ("thinsp", ' '),
    ("shy", '\u{ad}'),
    ("zwnj", '\u{200c}'),
    ("zwj", '\u{200d}'),
    ("times", '\u{d7}'),
    ("otimes", '\u{2297}'),
    ("ndash", '-'),
    ("mdash", '-'),
    ("hyphen", '-'),
    ("minus", '-'),
    ("dagger", '\u{2020}'),
    ("Dagger", '\u{2021}'),
    ("ne", '\u{2260}'),
    ("hellip", '\u{2026}'),
    ("frac12", '\u{bd}'),
    ("half", '\u{bd}'),
    ("plus", '+'),
    ("num", '#'),
    ("equals", '='),
    ("period", '.'),
    ("colon", ':'),
    ("ast", '*'),
    ("plusmn", '\u{b1}'),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("lsquo", '\''),
    ("rsquo", '\''),
    ("ldquo", '"'),
    ("rdquo", '"'),
    ("bull", '\u{2022}'),
];

/// Reads an entity of HTML at the beginning of `rest`. Returns its character and its length.
fn entity(rest: &[char]) -> Option<(char, usize)> {
    const MAX_LENGTH: usize = 10;
    let end = rest.iter().take(MAX_LENGTH).position(|c| *c == ';')?;
    let name: String = rest[1..end].iter().collect();
    let c = match name.strip_prefix('#') {
        None => NAMED.iter().find(|(n, _)| *n == name)?.1,
        Some(number) => {
            let hexadecimal = number.strip_prefix(['x', 'X']);
            let code = match hexadecimal {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            let c = char::from_u32(code.ok()?)?;
            if c.is_control() { ' ' } else { c }
        }
    };
    Some((c, end + 1))
}
