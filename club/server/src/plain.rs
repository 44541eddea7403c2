//! Errors of serde in the words of those who write JSON or TOML, not of those who write Rust.

/// Names of types in errors of serde, and what a writer of the text calls them.
const NAMES: [(&str, &str); 13] = [
    ("u8", "a whole number"),
    ("u16", "a whole number"),
    ("u32", "a whole number"),
    ("u64", "a whole number"),
    ("usize", "a whole number"),
    ("i64", "a whole number"),
    ("f64", "a number"),
    ("a sequence", "a list, such as [\"one\", \"two\"]"),
    ("socket address", ADDRESS),
    ("internally tagged enum", "an object"),
    ("struct", "an object"),
    ("enum", "a word"),
    ("path string", "a path in quotation marks"),
];

const ADDRESS: &str = "an address with its port, such as \"127.0.0.1:8080\"";

/// Returns the error with plain names of what was expected.
pub fn plain(why: &str) -> String {
    let syntax = "invalid socket address syntax";
    let why = why.replace(syntax, &format!("expected {ADDRESS}"));
    // What the writer wrote stands before.
    let Some((head, expected)) = why.rsplit_once("expected ") else {
        return why;
    };
    let named = NAMES.iter().find_map(|(rust, plain)| {
        let rest = expected.strip_prefix(rust)?;
        if !rest.is_empty() && !rest.starts_with([' ', '\n']) {
            return None;
        }
        // The name of the type follows.
        let rest = match *rust {
            "internally tagged enum" | "struct" | "enum" => {
                let name = rest.trim_start();
                name.trim_start_matches(|c: char| c.is_alphanumeric())
            }
            _ => rest,
        };
        Some(format!("{head}expected {plain}{rest}"))
    });
    named.unwrap_or(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_no_type_of_rust() {
        for (rust, said) in [
            ("expected u32", "expected a whole number"),
            (
                "1 | x = \"expected u8\"\nwrong, expected u64\n",
                "1 | x = \"expected u8\"\nwrong, expected a whole number\n",
            ),
            (
                "string, expected internally tagged enum TimeJson at line 1 column 9",
                "string, expected an object at line 1 column 9",
            ),
            ("expected struct Terms", "expected an object"),
            ("expected one of `a`, `b`", "expected one of `a`, `b`"),
            ("expected a string", "expected a string"),
        ] {
            assert_eq!(plain(rust), said);
        }
        assert!(plain("invalid socket address syntax").contains("127.0.0.1"));
    }
}
