//! Wraps text at a width that people read comfortably.

use crate::base::wrap;

/// Beginnings of lines that programs read. Such a line is never wrapped.
const READ_BY_PROGRAMS: [&str; 6] = [
    "{",
    "<12>",
    "Creating: ",
    "Issuing: ",
    "Challenge: ",
    "Referee(TD)",
];

/// A line that begins with a space and has at most this many columns is a row of a board or of a
/// list. Such a row is not wrapped.
const LAYOUT_WIDTH: usize = 79;

/// Wraps the long lines of a text at spaces. Rows of boards and lists, and lines for programs, are
/// not changed.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        if is_whole(bare) {
            out.push_str(line);
            continue;
        }
        // A continuation of a list row is indented, so that it does not look
        // like another row.
        let indent = if bare.starts_with(' ') { "     " } else { "" };
        wrap(&mut out, bare, width, indent);
        out.push_str(&line[bare.len()..]);
    }
    out
}

fn is_whole(line: &str) -> bool {
    let programs = READ_BY_PROGRAMS.iter();
    (line.starts_with(' ') && line.len() <= LAYOUT_WIDTH)
        || line.ends_with("to respond)")
        || programs.into_iter().any(|begin| line.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces() {
        assert_eq!(wrapped("one two three\nfour", 7), "one two\nthree\nfour");
        assert_eq!(wrapped("one two three\n", 8), "one two\nthree\n");
        assert_eq!(wrapped("averylongword a\n\n", 4), "averylongword\na\n\n");
        assert_eq!(wrapped("a  b", 79), "a  b");
        assert_eq!(wrapped("", 79), "");
        let row = format!(" 1: 1-0  Anna vs. Bert, {}(id)", "word ".repeat(12));
        assert_eq!(wrapped(&row, 79).lines().last(), Some("     word (id)"));
    }

    #[test]
    fn lines_for_programs_and_board_rows_are_not_wrapped() {
        for line in [
            "{Game 1 (Fred vs. Ginger) Creating unrated wild/16 match.}",
            "<12> -------- -------- -------- -------- -------- --------",
            "Creating: Fred (----) Ginger (----) unrated wild/16 2 12",
            "Challenge: Fred (----) Ginger (----) unrated wild/16 2 12.",
            "Ginger (----) seeking 5 5 unrated wild/16 wild16 (\"play 1\" to respond)",
            "    2  | P | P | P |     It is your move.",
        ] {
            assert_eq!(wrapped(line, 32), line);
        }
    }
}
