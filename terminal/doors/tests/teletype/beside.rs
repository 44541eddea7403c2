//! Prints a session with both consoles side by side, as docs/doors.md shows it.

use crate::script::{Do, Script};

/// Width of the left console, in characters.
const WIDTH: usize = 38;

/// Prints the output of both consoles in two columns. Rows are in the order of
/// time. Typed text is in lower case, after the asterisks of the prompt.
pub fn beside(script: &Script) -> String {
    let mut text = String::new();
    let mut asked = [false; 2];
    for step in &script.steps {
        let mut columns = [Vec::new(), Vec::new()];
        let me = usize::from(step.console) - 1;
        if let Do::Line(line) = &step.what {
            let asks = if std::mem::take(&mut asked[me]) {
                "****"
            } else {
                ""
            };
            columns[me].push(format!("{asks}{line}"));
        }
        for (n, bytes) in &step.printed {
            let n = usize::from(*n) - 1;
            let printed = String::from_utf8(bytes.clone()).unwrap();
            for line in printed.lines() {
                if line.starts_with("****") {
                    asked[n] = true;
                } else {
                    columns[n].extend(wrapped(line));
                }
            }
        }
        let [left, right] = &columns;
        for row in 0..left.len().max(right.len()) {
            let cell = |column: &Vec<String>| column.get(row).cloned().unwrap_or_default();
            let row = format!("{:WIDTH$}| {}", cell(left), cell(right));
            text.push_str(row.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Wraps a line at the width of a column.
fn wrapped(line: &str) -> Vec<String> {
    if line.len() < WIDTH {
        return vec![line.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last_mut().unwrap();
        if !last.is_empty() && last.len() + 1 + word.len() > WIDTH - 1 {
            lines.push(format!("  {word}"));
        } else {
            if !last.is_empty() || word.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}
