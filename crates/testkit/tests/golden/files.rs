//! Finding and reading the golden transcripts: stories, expanded.

use std::fmt::Write;

use rules::{Choices, Ruleset, rulesets};
use scores::Transcript;
use sha2::{Digest, Sha256};
use testkit::story::{self, Expansion, Story};

/// A golden transcript: one story under one ruleset.
pub struct Golden {
    /// As in messages: `castling (wild16)`.
    pub name: String,
    pub text: String,
    pub transcript: Transcript,
    /// For each entry the number of its line in the story.
    numbers: Vec<usize>,
    story: String,
}

/// Every golden transcript, by story and ruleset.
pub fn all() -> Vec<Golden> {
    story::all()
        .iter()
        .flat_map(|story| story.rules.iter().map(|id| Golden::of(story, id)))
        .collect()
}

/// The list of all golden transcripts, a hash and a path a line, as `sha256sum`
/// writes it.
pub fn hashes() -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for golden in all() {
        let rules = &golden.transcript.header.rules;
        let digest = Sha256::digest(&golden.text);
        let hash = digest.iter().fold(String::new(), |mut hash, byte| {
            write!(hash, "{byte:02x}").expect("a string can be written to");
            hash
        });
        lines.push((format!("{rules}/{}.txt", golden.story), hash));
    }
    lines.sort();
    let lines = lines.iter().map(|(path, hash)| format!("{hash}  {path}\n"));
    lines.collect()
}

impl Golden {
    /// A story under one of its rulesets.
    pub fn of(story: &Story, id: &str) -> Golden {
        let name = format!("{} ({id})", story.name);
        let Expansion { text, numbers } = story.expand(id);
        let transcript: Transcript = text.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(transcript.entries.len(), numbers.len(), "{name}");
        Golden {
            name,
            text,
            transcript,
            numbers,
            story: story.name.clone(),
        }
    }

    /// Returns the place of an entry, for a person and an editor.
    pub fn place(&self, entry: usize) -> String {
        let (story, line) = (&self.story, self.numbers[entry]);
        let rules = &self.transcript.header.rules;
        format!("transcripts/{story}.txt:{line} ({rules})")
    }

    pub fn ruleset(&self) -> &'static Ruleset {
        let id = &self.transcript.header.rules;
        rulesets::by_id(id).unwrap_or_else(|| panic!("{}: no `{id}`", self.name))
    }

    /// The ruleset's choices with the switches of this game.
    pub fn choices(&self) -> Choices {
        self.ruleset()
            .switched(&self.transcript.header.game)
            .unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }
}
