//! Checks that no public signature names a type of the referee. The reason: a belief is computed
//! from what a seat heard, never from the game.

use std::{collections::BTreeSet, fs, path::Path};

/// Returns the names that a file imports from the referee.
fn referee_names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::from(["referee".to_owned()]);
    for part in text.split("use referee::").skip(1) {
        let import = part.split(';').next().unwrap_or_default();
        let words = import.split(|c: char| !c.is_alphanumeric() && c != '_');
        names.extend(
            words
                .filter(|word| word.starts_with(char::is_uppercase) || *word == "announcements")
                .map(str::to_owned),
        );
    }
    names
}

/// Returns everything that is public in a file, without function bodies.
fn signatures(text: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .take_while(|line| !line.starts_with("#[cfg(test)]"))
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("pub ") {
        let rest = &code[at..];
        // The signature of an item ends at its body or semicolon. The signature
        // of a field ends at its comma.
        let item = [
            "fn ", "struct ", "enum ", "const ", "use ", "type ", "trait ",
        ]
        .iter()
        .any(|word| rest["pub ".len()..].starts_with(word));
        let end = if item {
            rest.find(['{', ';']).unwrap_or(rest.len())
        } else {
            rest.find([',', '\n']).unwrap_or(rest.len())
        };
        found.push(rest[..end].to_owned());
    }
    found
}

#[test]
fn no_public_signature_names_a_type_of_the_referee() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut public = 0;
    let mut folders = vec![source];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the source directory is readable") {
            let path = entry.expect("the directory entry is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                files.push(path);
            }
        }
    }
    for path in files {
        let text = fs::read_to_string(&path).expect("the source file is readable");
        let names = referee_names(&text);
        for signature in signatures(&text) {
            public += 1;
            let words: Vec<&str> = signature
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .collect();
            let named = words.iter().find(|word| names.contains(**word));
            assert!(named.is_none(), "{}: {signature}", path.display());
        }
    }
    assert!(public > 60, "{public} public items were found");
}

#[test]
fn check_of_signatures_detects_a_type_of_the_referee() {
    let text =
        "use referee::kernel::Position;\nimpl X {\n    pub fn position(&self) -> Position {\n";
    let names = referee_names(text);
    let signature = &signatures(text)[0];
    assert!(names.iter().any(|name| signature.contains(name.as_str())));
}
