//! No release may contain a planted leak, which is put into the code on purpose.

use std::{fs, path::Path};

/// Collects the path and text of every file in a folder and its subfolders.
fn texts(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            texts(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path.display().to_string(), text));
        }
    }
}

/// No crate of the workspace contains the code of a planted leak, or a way to enable it. The test
/// does not search `testkit`, because that crate lists the planted leaks.
#[test]
fn no_crate_contains_a_planted_leak() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let wings = ["game", "mind", "club", "terminal", "files", "tools"];
    let crates = wings
        .iter()
        .flat_map(|wing| fs::read_dir(root.join(wing)).expect("the folder can be read"));
    let mut read = 0;
    for entry in crates {
        let path = entry.expect("the entry can be read").path();
        if path.ends_with("testkit") {
            continue;
        }
        let mut found = Vec::new();
        texts(&path.join("src"), &mut found);
        for name in ["Cargo.toml", "build.rs"] {
            if let Ok(text) = fs::read_to_string(path.join(name)) {
                found.push((path.join(name).display().to_string(), text));
            }
        }
        for (file, text) in &found {
            for sign in [
                "leak::",
                "mod leak;",
                "cfg(leak",
                "leaks =",
                "planted_leaks",
            ] {
                assert!(!text.contains(sign), "{file} holds {sign}");
            }
        }
        read += found.len();
    }
    assert!(read > 300, "{read} files");
}
