//! Signs of printed pages, and how a keyboard writes them.

/// Returns how a keyboard writes a printed sign: figurines, dashes, signs of capture, check and
/// quality, spaces. The text is empty for an invisible character. Returns `None` for every other
/// character.
///
/// # Examples
///
/// ```
/// use notation::keyboard;
///
/// let text: String = "\u{2658}\u{d7}e5\u{2021}"
///     .chars()
///     .map(|c| keyboard(c).map_or(c.to_string(), str::to_owned))
///     .collect();
/// assert_eq!(text, "Nxe5++");
/// ```
pub const fn keyboard(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2654}' | '\u{265a}' => "K",
        '\u{2655}' | '\u{265b}' => "Q",
        '\u{2656}' | '\u{265c}' => "R",
        '\u{2657}' | '\u{265d}' => "B",
        '\u{2658}' | '\u{265e}' => "N",
        '\u{2659}' | '\u{265f}' => "P",
        '\u{d7}' | '\u{2297}' | '\u{2715}' | '\u{2716}' | '\u{2717}' | '\u{2a2f}' => "x",
        '\u{2236}' | '\u{a789}' | '\u{ff1a}' => ":",
        '\u{2010}'..='\u{2015}'
        | '\u{2043}'
        | '\u{2212}'
        | '\u{2e3a}'
        | '\u{2e3b}'
        | '\u{fe58}'
        | '\u{fe63}'
        | '\u{ff0d}' => "-",
        '\u{2020}' | '\u{ff0b}' => "+",
        '\u{2021}' => "++",
        '\u{2260}' | '\u{266f}' | '\u{ff03}' => "#",
        '\u{ff1d}' => "=",
        '\u{ff0e}' => ".",
        '\u{2044}' | '\u{2215}' => "/",
        '\u{203c}' => "!!",
        '\u{2047}' => "??",
        '\u{2048}' => "?!",
        '\u{2049}' => "!?",
        '\u{2026}' => "...",
        '\u{bd}' => "1/2",
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            " "
        }
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fe0e}'
        | '\u{fe0f}'
        | '\u{feff}' => "",
        _ => return None,
    })
}

/// Writes a text with the signs of a keyboard.
///
/// # Examples
///
/// ```
/// assert_eq!(notation::plain_signs("\u{bd}\u{2013}\u{bd}"), "1/2-1/2");
/// ```
pub fn plain_signs(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match keyboard(c) {
            Some(signs) => plain.push_str(signs),
            None => plain.push(c),
        }
    }
    plain
}
