//! Finds the stories and expands them to golden transcripts.

use std::fmt::Write;

use rules::{Choices, Ruleset, rulesets};
use scores::Transcript;
use sha2::{Digest, Sha256};
use testkit::story::{self, Expansion, Story};

/// A golden transcript: one story under one ruleset.
pub struct Golden {
    /// Name for messages, for example `castling (wild16)`.
    pub name: String,
    pub text: String,
    pub transcript: Transcript,
    /// For each entry of the transcript: the number of its line in the story.
    numbers: Vec<usize>,
    story: String,
}

/// Returns all golden transcripts, in the order of stories and rulesets.
pub fn all() -> Vec<Golden> {
    story::all()
        .iter()
        .flat_map(|story| story.rules.iter().map(|id| Golden::of(story, id)))
        .collect()
}

/// Returns a list of all golden transcripts. Each line has a hash and a path, in the
/// format of `sha256sum`.
pub fn hashes() -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for golden in all() {
        let rules = &golden.transcript.header.rules;
        let digest = Sha256::digest(&golden.text);
        let hash = digest.iter().fold(String::new(), |mut hash, byte| {
            write!(hash, "{byte:02x}").expect("writing to a string cannot fail");
            hash
        });
        lines.push((format!("{rules}/{}.txt", golden.story), hash));
    }
    lines.sort();
    let lines = lines.iter().map(|(path, hash)| format!("{hash}  {path}\n"));
    lines.collect()
}

impl Golden {
    /// Expands a story for one of its rulesets.
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

    /// Returns the place of an entry as path and line, so that people and editors can
    /// find the entry.
    pub fn place(&self, entry: usize) -> String {
        let (story, line) = (&self.story, self.numbers[entry]);
        let rules = &self.transcript.header.rules;
        format!("transcripts/{story}.txt:{line} ({rules})")
    }

    pub fn ruleset(&self) -> &'static Ruleset {
        let id = &self.transcript.header.rules;
        rulesets::by_id(id).unwrap_or_else(|| panic!("{}: no `{id}`", self.name))
    }

    /// Returns the choices of the ruleset after the switches of this game were
    /// applied.
    pub fn choices(&self) -> Choices {
        self.ruleset()
            .switched(&self.transcript.header.game)
            .unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }
}
