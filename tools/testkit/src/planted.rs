//! Leaks that are planted in a copy of the product, to show that tests would
//! detect them.
//!
//! Each leak is a patch in `tools/testkit/leaks`. `cargo xtask leaks` applies
//! the patches to a copy of the source tree. In this copy it runs the tests that
//! must detect the leaks.

use std::{fs, path::Path};

/// A leak that is planted by a patch.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub struct PlantedLeak {
    /// Name of the leak. With this name, a test switches the leak on.
    pub name: String,
    /// The test program that must detect the leak, as `crate::program`.
    pub caught_by: String,
}

/// Lists all planted leaks, sorted by name.
///
/// # Panics
/// If the folder or a file in it cannot be read.
pub fn leaks() -> Vec<PlantedLeak> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("leaks");
    let entries = fs::read_dir(folder).expect("the folder of the patches can be read");
    let mut leaks: Vec<PlantedLeak> = entries
        .filter_map(|entry| {
            let path = entry.expect("the entry can be read").path();
            if path.extension()? != "patch" {
                return None;
            }
            let text = fs::read_to_string(&path).expect("the patch can be read as text");
            Some(PlantedLeak {
                name: path.file_stem()?.to_str()?.to_owned(),
                // A patch without the line `Caught by` plants no leak: it adds code that the
                // leaks of other patches use.
                caught_by: text.lines().next()?.strip_prefix("Caught by ")?.to_owned(),
            })
        })
        .collect();
    leaks.sort();
    leaks
}

/// Lists the names of the leaks that a test program must detect, sorted.
///
/// # Panics
/// As in [`leaks`].
pub fn caught_by(program: &str) -> Vec<String> {
    let leaks = leaks().into_iter();
    leaks
        .filter(|leak| leak.caught_by == program)
        .map(|leak| leak.name)
        .collect()
}
