//! `cargo xtask bless`: rewrites the expected output of golden tests. This output is the transcripts
//! (from the slow oracle), the conversations of `ksref`, and the screens of `tui`.

use anyhow::Result;

use crate::{run, workspace::Workspace};

/// Golden files, as (package, test that writes them, folder).
const GOLDEN: &[(&str, &str, &str)] = &[
    (
        "kriegspiel-testkit",
        "the_slow_oracle_tells_every_story_as_written",
        "transcripts",
    ),
    (
        "kriegspiel-ksref",
        "dialogs_equal_the_golden_files",
        "terminal/ksref/tests/golden",
    ),
    (
        "kriegspiel-tui",
        "screens_equal_the_stored_screens",
        "terminal/tui/tests/golden",
    ),
];

/// Rewrites the golden files, then runs all golden tests with the new files.
///
/// The files are rewritten first, because other golden tests read them too.
pub fn run(workspace: &Workspace, _: &[String]) -> Result<()> {
    let cargo = Workspace::cargo();
    let golden = |package| {
        [
            cargo.as_str(),
            "test",
            "--package",
            package,
            "--test",
            "golden",
        ]
    };
    for (package, writer, _) in GOLDEN {
        let words = [&golden(package)[..], &["--", "--exact", writer]].concat();
        run::run(&workspace.root, &words, &[("KRIEGSPIEL_BLESS", "1")])?;
    }
    for (.., folder) in GOLDEN {
        let changed = workspace.git(&["status", "--short", "--", folder]);
        if changed.is_empty() {
            println!("{folder}: nothing changed");
        } else {
            println!("{changed}\nread the difference before you keep it: git diff {folder}/");
        }
    }
    for (package, ..) in GOLDEN {
        run::run(&workspace.root, &golden(package), &[])?;
    }
    Ok(())
}
