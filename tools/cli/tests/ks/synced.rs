//! Each end (the program `ks` of one player) syncs its files before the player sees the result. The
//! test needs strace.

use std::fs;

use crate::{ends::Pair, running::syncs};

/// Both ends store their journal, their state and the record of the game. Each line of the journal
/// is synced before the player gets an answer to it. A file that replaces another file is synced
/// before it is renamed. The folder is synced after that.
#[test]
fn both_ends_sync_their_journal_state_and_record() {
    let mut pair = Pair::new();
    let mut start = |name: &str| {
        let trace = pair.folder.path().join(format!("{name}.trace"));
        let trace = trace.to_str().unwrap();
        let words = [
            "strace",
            "-f",
            "-y",
            "-s",
            "400",
            "-e",
            syncs::CALLS,
            "-o",
            trace,
        ];
        pair.through = words.map(str::to_owned).to_vec();
        match name {
            "anna" => pair.anna(&["-dw"]),
            _ => pair.bert(&["-d"]),
        }
    };
    let mut anna = start("anna");
    anna.hears("Waiting for bert");
    let mut bert = start("bert");
    anna.hears("White to move.");
    bert.hears("White to move.");
    anna.types("e2-e4");
    anna.hears("You play e2e4.");
    bert.hears("Black to move.");
    bert.types("e7-e5");
    bert.hears("You play e7e5.");
    anna.hears("Black has moved.");
    anna.types("ke3");
    anna.types("any");
    anna.hears("You ask any?");
    anna.types("resign");
    anna.hears("White resigns");
    bert.hears("White resigns");
    for (name, end) in [("anna", anna), ("bert", bert)] {
        let (status, said) = end.ends();
        assert!(status.success(), "{}", said.join("\n"));
        let trace = fs::read(pair.folder.path().join(format!("{name}.trace")));
        let trace = trace.unwrap();
        let of_game = format!("/{name}/");
        let counts = syncs::check(&trace, syncs::Output::OfThread, |path| {
            let ends = [".journal", ".json", ".new", ".pgn"];
            path.contains(&of_game) && ends.iter().any(|end| path.ends_with(end))
        });
        // The counts cover the state file, the record of the game, and the journal, which contains
        // requests, answers and hearings.
        assert!(counts.written > 12 && counts.synced > 12, "{counts:?}");
        assert!(counts.renamed >= 3, "{counts:?}");
    }
}
