//! A temporary folder for one test. The folder is removed when the test ends.

use std::path::Path;

use tempfile::TempDir;

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        let folder = TempDir::with_prefix("kriegspiel-ks-");
        Folder(folder.unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
