//! Finding, reading and writing the golden transcripts.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rules::{Choices, Ruleset, rulesets};
use scores::Transcript;

/// A golden transcript as it lies in its file.
pub struct Golden {
    pub path: PathBuf,
    pub text: String,
    pub transcript: Transcript,
}

/// The folder `transcripts/`.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../transcripts")
}

/// Every golden transcript, by path.
pub fn all() -> Vec<Golden> {
    let mut paths = Vec::new();
    for ruleset in &rulesets::ALL {
        let folder = root().join(ruleset.id.as_ref());
        let entries = fs::read_dir(&folder)
            .unwrap_or_else(|e| panic!("no stories in {}: {e}", folder.display()));
        paths.extend(entries.map(|entry| entry.expect("a folder can be read").path()));
    }
    paths.sort();
    paths.iter().map(|path| Golden::read(path)).collect()
}

impl Golden {
    pub fn read(path: &Path) -> Golden {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let transcript: Transcript = text
            .parse()
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let golden = Golden {
            path: path.to_owned(),
            text,
            transcript,
        };
        let folder = path.parent().and_then(Path::file_name);
        assert_eq!(
            folder.and_then(|f| f.to_str()),
            Some(golden.transcript.header.rules.as_str()),
            "{} lies in the wrong folder",
            path.display()
        );
        golden
    }

    /// Where an entry stands, for a person and an editor.
    pub fn place(&self, entry: usize) -> String {
        let line = self.transcript.line_number(entry);
        let path = self.path.strip_prefix(root()).unwrap_or(&self.path);
        format!("transcripts/{}:{line}", path.display())
    }

    pub fn write(&self, transcript: &Transcript) {
        let text = transcript.to_string();
        if text != self.text {
            fs::write(&self.path, text).expect("a transcript can be written");
        }
    }

    pub fn ruleset(&self) -> &'static Ruleset {
        let id = &self.transcript.header.rules;
        rulesets::by_id(id).unwrap_or_else(|| panic!("{}: no `{id}`", self.path.display()))
    }

    /// The ruleset's choices with the switches of this game.
    pub fn choices(&self) -> Choices {
        self.ruleset()
            .switched(&self.transcript.header.game)
            .unwrap_or_else(|e| panic!("{}: {e}", self.path.display()))
    }
}
