//! Leaks planted in a copy of the product, to show that a test would see them.
//!
//! Each is a patch in `crates/testkit/leaks`; `cargo xtask leaks` applies them
//! to a copy of the tree and runs there the tests that must catch them.

use std::{fs, path::Path};

/// A planted leak.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub struct PlantedLeak {
    /// The name by which a test opens it.
    pub name: String,
    /// The test program that catches it, as `crate::program`.
    pub caught_by: String,
}

/// Every planted leak, sorted by name.
///
/// # Panics
/// The folder or a file of it cannot be read.
pub fn leaks() -> Vec<PlantedLeak> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("leaks");
    let entries = fs::read_dir(folder).expect("the folder of patches");
    let mut leaks: Vec<PlantedLeak> = entries
        .filter_map(|entry| {
            let path = entry.expect("an entry of the folder").path();
            if path.extension()? != "patch" {
                return None;
            }
            let text = fs::read_to_string(&path).expect("a patch is text");
            Some(PlantedLeak {
                name: path.file_stem()?.to_str()?.to_owned(),
                // A patch without this line supports the others.
                caught_by: text.lines().next()?.strip_prefix("Caught by ")?.to_owned(),
            })
        })
        .collect();
    leaks.sort();
    leaks
}

/// The names of the leaks that a test program must catch, sorted.
///
/// # Panics
/// See [`leaks`].
pub fn caught_by(program: &str) -> Vec<String> {
    let leaks = leaks().into_iter();
    leaks
        .filter(|leak| leak.caught_by == program)
        .map(|leak| leak.name)
        .collect()
}
