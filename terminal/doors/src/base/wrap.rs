//! Wraps lines at a limited width.

/// Appends a line, broken at spaces if it is longer than `width` columns.
/// Continuation lines begin with `indent`.
pub(crate) fn wrap(out: &mut String, line: &str, width: usize, indent: &str) {
    let mut columns = 0;
    for word in line.split_inclusive(' ') {
        let wide = word.trim_end().chars().count();
        if columns > 0 && columns + wide > width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(indent);
            columns = indent.len();
        }
        out.push_str(word);
        columns += word.chars().count();
    }
}
