//! Text of unknown origin, made safe for a terminal.

use std::borrow::Cow;

/// Whether a character is not shown as itself. Such characters are control codes, invisible
/// characters, and characters that change the direction of the text around them. These characters
/// could move the cursor, hide text, or change the order in which parts of the text are shown.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Escapes every unprintable character of a text, as `\u{1b}` or `\n`. Every text from outside the
/// program must pass through this function, or through [`printable_lines`], before the text is
/// written to a terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_unprintable)
}

/// Escapes every unprintable character of a text except ends of lines and tabs.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_unprintable(c) && !matches!(c, '\n' | '\t'))
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_invisible_characters_are_escaped() {
        for (text, safe) in [
            ("e4 café ♔ 黒", "e4 café ♔ 黒"),
            ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"),
            ("\u{9b}31m\u{7}", "\\u{9b}31m\\u{7}"),
            ("x\u{202e}y\u{2066}z", "x\\u{202e}y\\u{2066}z"),
            ("\u{feff}\u{200b}\u{e0041}", "\\u{feff}\\u{200b}\\u{e0041}"),
        ] {
            assert_eq!(printable(text), safe);
            assert_eq!(printable_lines(text), safe);
        }
        assert_eq!(printable("a\tb\r\n"), "a\\tb\\r\\n");
        assert_eq!(printable_lines("a\tb\r\n"), "a\tb\\r\n");
    }
}
