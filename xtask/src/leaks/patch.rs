//! Format of the patches that plant leaks and faults.
//!
//! A patch looks like a unified diff without line numbers:
//!
//! ```text
//! Caught by CRATE::TEST_PROGRAM
//! --- FILE
//! @@ TEXT
//!  an existing line
//! -an existing line that is removed
//! +a line that is added
//! ```
//!
//! The existing lines of a hunk must follow one another in the file. The indentation of these lines
//! does not matter. The search begins at the first line that contains TEXT. If there is no TEXT,
//! the lines must occur exactly once in the file. Because a patch has no line numbers, it still
//! applies after changes in other parts of the file.

/// Changes of a patch to one file.
#[derive(Debug, PartialEq)]
pub struct Part<'a> {
    /// Path of the file from the root.
    pub file: &'a str,
    hunks: Vec<Hunk<'a>>,
}

#[derive(Debug, PartialEq)]
struct Hunk<'a> {
    /// Text of a line at or before the first line of the hunk. The text may be empty.
    within: &'a str,
    lines: Vec<(Does, &'a str)>,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Does {
    Stay,
    Go,
    Come,
}

/// Reads a patch. The text before the first line `--- FILE` is a comment.
pub fn read(text: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for line in text.lines() {
        if let Some(file) = line.strip_prefix("--- ") {
            parts.push(Part {
                file,
                hunks: Vec::new(),
            });
            continue;
        }
        let Some(part) = parts.last_mut() else {
            continue;
        };
        if let Some(within) = line.strip_prefix("@@") {
            part.hunks.push(Hunk {
                within: within.trim(),
                lines: Vec::new(),
            });
        } else if let Some(hunk) = part.hunks.last_mut() {
            let (does, rest) = match line.split_at_checked(1) {
                Some(("-", rest)) => (Does::Go, rest),
                Some(("+", rest)) => (Does::Come, rest),
                Some((" ", rest)) => (Does::Stay, rest),
                Some(_) | None => (Does::Stay, line),
            };
            hunk.lines.push((does, rest));
        }
    }
    parts
}

/// Returns the text of a file after applying a patch.
///
/// # Errors
/// The patch cannot be applied; returns the reason.
pub fn apply(text: &str, part: &Part<'_>) -> Result<String, String> {
    if part.hunks.is_empty() {
        return Err("the patch has no line `@@`".to_owned());
    }
    let mut lines: Vec<&str> = text.lines().collect();
    for hunk in &part.hunks {
        let at = hunk.find(&lines)?;
        let mut old = lines[at..].iter();
        let mut new = Vec::new();
        for (does, line) in &hunk.lines {
            match does {
                Does::Come => new.push(*line),
                Does::Go => drop(old.next()),
                Does::Stay => new.extend(old.next()),
            }
        }
        let until = at + hunk.there().count();
        lines.splice(at..until, new);
    }
    Ok(lines.join("\n") + "\n")
}

impl<'a> Hunk<'a> {
    /// Returns the existing lines of the hunk, without their indentation.
    fn there(&self) -> impl Iterator<Item = &'a str> {
        let lines = self.lines.iter();
        lines
            .filter(|(does, _)| *does != Does::Come)
            .map(|(_, line)| line.trim())
    }

    /// Returns the index of the first line of the hunk in the file.
    fn find(&self, lines: &[&str]) -> Result<usize, String> {
        let there: Vec<&str> = self.there().collect();
        let Some(first) = there.first() else {
            return Err("a hunk has no existing line, so its place is unknown".to_owned());
        };
        let from = lines.iter().position(|line| line.contains(self.within));
        let Some(from) = from else {
            return Err(format!("there is no line with `{}`", self.within));
        };
        let mut places = (from..=lines.len().saturating_sub(there.len()))
            .filter(|at| lines[*at..].iter().zip(&there).all(|(a, b)| a.trim() == *b));
        match (places.next(), places.next()) {
            (None, _) => Err(format!(
                "the file does not contain the lines that begin with `{first}`"
            )),
            (Some(_), Some(_)) if self.within.is_empty() => Err(format!(
                "the file contains the lines that begin with `{first}` twice"
            )),
            (Some(at), _) => Ok(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
fn one() {
    first();
    last();
}

fn two() {
    if so {
        first();
    }
    last();
}
";

    fn applied(patch: &str) -> Result<String, String> {
        let parts = read(patch);
        let [part] = parts.as_slice() else {
            panic!("the patch should have one part");
        };
        apply(FILE, part)
    }

    #[test]
    fn hunk_is_found_after_its_text_at_any_indentation() {
        let patch = "\
Caught by a::test
--- a.rs
@@ fn two
 first();
+    more();
@@
-fn one() {
+fn three() {
";
        let expected = FILE
            .replace("        first();\n", "        first();\n    more();\n")
            .replace("one", "three");
        assert_eq!(applied(patch), Ok(expected));
    }

    #[test]
    fn patch_that_does_not_apply_names_the_reason() {
        for (patch, why) in [
            ("@@ fn four\n last();", "there is no line with `fn four`"),
            (
                "@@ fn two\n third();",
                "the file does not contain the lines that begin with `third();`",
            ),
            (
                "@@\n last();\n+more();",
                "the file contains the lines that begin with `last();` twice",
            ),
            (
                "@@\n+more();",
                "a hunk has no existing line, so its place is unknown",
            ),
            ("", "the patch has no line `@@`"),
        ] {
            let told = applied(&format!("--- a.rs\n{patch}\n"));
            assert_eq!(told, Err(why.to_owned()), "{patch}");
        }
    }
}
