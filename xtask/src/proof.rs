//! `cargo xtask proof`: runs checks for a long time. CI runs most of them for a short time, with the
//! other tests.

use std::{env, fmt::Write, fs};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    dist, e2e, fuzz, planted,
    run::{self, Done, seconds},
    supply,
    workspace::Workspace,
};

/// A check: a test binary, or a module of one.
struct Check {
    /// Name of the test binary; `::` and the module follow if the other tests of the binary do not belong to it.
    test: &'static str,
    /// Property that the check shows.
    about: &'static str,
    /// Environment variables of a short run.
    short: &'static [(&'static str, &'static str)],
    /// Environment variables of a long run.
    long: &'static [(&'static str, &'static str)],
}

/// All checks, in the order of the page.
const CHECKS: &[Check] = &[
    Check {
        test: "differential",
        about: "The referee and the slow oracle, written only from the specification, tell every listener the same in random games under every ruleset.",
        short: &[("KRIEGSPIEL_GAMES", "300")],
        long: &[("KRIEGSPIEL_GAMES", "20000")],
    },
    Check {
        test: "pairs",
        about: "A listener who hears the same in two games gets the same view, the same tries and the same bytes.",
        short: &[("KRIEGSPIEL_PAIRS", "1000")],
        long: &[("KRIEGSPIEL_PAIRS", "100000")],
    },
    Check {
        test: "pairs_wire",
        about: "The same for the server: socket, API and log, byte for byte and at the same times, also while the store is blocked.",
        short: &[("KRIEGSPIEL_WIRE_PAIRS", "60")],
        long: &[("KRIEGSPIEL_WIRE_PAIRS", "100000")],
    },
    Check {
        test: "live::latency",
        about: "Visitors who read a finished game of 15,000 tries at most double the median latency of other requests.",
        short: &[
            ("KRIEGSPIEL_LATENCY_TRIES", "2000"),
            ("KRIEGSPIEL_LATENCY_PERCENT", "2000"),
            ("KRIEGSPIEL_LATENCY_MS", "50"),
        ],
        long: &[
            ("KRIEGSPIEL_LATENCY_TRIES", "15000"),
            ("KRIEGSPIEL_LATENCY_PERCENT", "200"),
            ("KRIEGSPIEL_LATENCY_MS", "0"),
        ],
    },
    Check {
        test: "live::lobby_cost",
        about: "A change of the lobby costs at most twice as much with 1,000 games as with 10.",
        short: &[("KRIEGSPIEL_LOBBY_CHANGES", "16")],
        long: &[
            ("KRIEGSPIEL_LOBBY_CHANGES", "66"),
            ("KRIEGSPIEL_LOBBY_ROUNDS", "3"),
        ],
    },
    Check {
        test: "teletype_pairs",
        about: "`pairs` for teletypes, with times, prompts and bells.",
        short: &[("KRIEGSPIEL_TELETYPE_PAIRS", "20")],
        long: &[("KRIEGSPIEL_TELETYPE_PAIRS", "5000")],
    },
    Check {
        test: "door_pairs",
        about: "`pairs` for the ICS door, with times.",
        short: &[("KRIEGSPIEL_DOOR_PAIRS", "100")],
        long: &[("KRIEGSPIEL_DOOR_PAIRS", "20000")],
    },
    Check {
        test: "ks_line",
        about: "`pairs` for the two programs of a game of `ks`: messages, raw bytes, lengths and times.",
        short: &[("KRIEGSPIEL_KS_PAIRS", "20")],
        long: &[("KRIEGSPIEL_KS_PAIRS", "5000")],
    },
    Check {
        test: "players",
        about: "The attempts of every bot depend only on what its seat hears.",
        short: &[],
        long: &[("KRIEGSPIEL_PLAYER_PAIRS", "30")],
    },
    Check {
        test: "belief",
        about: "Small beliefs equal a brute-force search with the slow oracle; equal hearings give equal beliefs.",
        short: &[
            ("KRIEGSPIEL_BELIEFS", "8"),
            ("KRIEGSPIEL_BELIEF_PAIRS", "8"),
        ],
        long: &[
            ("KRIEGSPIEL_BELIEFS", "20000"),
            ("KRIEGSPIEL_BELIEF_SET", "300"),
            ("KRIEGSPIEL_BELIEF_PAIRS", "1000"),
        ],
    },
    Check {
        test: "belief_truth",
        about: "The true position is in every exact belief, superset and envelope, after each ply, for both seats.",
        short: &[],
        long: &[
            ("KRIEGSPIEL_BELIEF_PLIES", "10000000"),
            ("KRIEGSPIEL_BELIEF_LIMIT", "2000"),
            ("KRIEGSPIEL_BELIEF_SAMPLED", "1009"),
            ("KRIEGSPIEL_BELIEF_FULL_PLIES", "10000"),
            ("KRIEGSPIEL_BELIEF_FULL_SAMPLED", "0"),
        ],
    },
    Check {
        test: "belief_sample",
        about: "Beliefs that keep a sample agree with exact beliefs; predicted probabilities agree with frequencies.",
        short: &[],
        long: &[
            ("KRIEGSPIEL_SAMPLES", "100"),
            ("KRIEGSPIEL_SAMPLE_LIMIT", "100000"),
            ("KRIEGSPIEL_SAMPLE_EXACT", "3000000"),
        ],
    },
    Check {
        test: "policies",
        about: "The solver agrees with a search of all policies and with the Berkeley database; the referee confirms its certificates.",
        short: &[
            ("KRIEGSPIEL_POLICIES", "100"),
            ("KRIEGSPIEL_BEST_POLICIES", "15"),
        ],
        long: &[
            ("KRIEGSPIEL_POLICIES", "10000"),
            ("KRIEGSPIEL_BEST_POLICIES", "1000"),
            ("KRIEGSPIEL_SOLVED_PLIES", "9"),
            ("KRIEGSPIEL_PROVED_PLIES", "7"),
        ],
    },
    Check {
        test: "problems",
        about: "The solver finds every shipped verdict again; the referee confirms every certificate.",
        short: &[],
        long: &[("KRIEGSPIEL_PROBLEMS_EVERY", "1")],
    },
    Check {
        test: "endgame_tables",
        about: "The rook table agrees with a search of all policies; the longest mates of a visible king have the known lengths.",
        short: &[("KRIEGSPIEL_ENDGAME_SETS", "50")],
        long: &[
            ("KRIEGSPIEL_ENDGAME_SETS", "20000"),
            ("KRIEGSPIEL_ENDGAME_DEPTH", "3"),
        ],
    },
    Check {
        test: "endgames",
        about: "The referee confirms every solved set of queen, rook and pawn; games from random starts are mated.",
        short: &[
            ("KRIEGSPIEL_ENDGAME_EVERY", "2000"),
            ("KRIEGSPIEL_ENDGAME_GAMES", "100"),
        ],
        long: &[
            ("KRIEGSPIEL_ENDGAME_EVERY", "1"),
            ("KRIEGSPIEL_ENDGAME_GAMES", "100000"),
            ("KRIEGSPIEL_ENDGAME_MINOR_GAMES", "1000"),
        ],
    },
    Check {
        test: "formats",
        about: "Random games go through transcripts, PGN and JSON and come back unchanged.",
        short: &[("KRIEGSPIEL_FORMATS", "3")],
        long: &[
            ("KRIEGSPIEL_FORMATS", "1000"),
            ("KRIEGSPIEL_OWN_FILES", "200"),
        ],
    },
    Check {
        test: "audit",
        about: "The audit finds nothing in correct games, and exactly the planted error in others.",
        short: &[("KRIEGSPIEL_AUDITS", "15"), ("KRIEGSPIEL_PLANTS", "1")],
        long: &[("KRIEGSPIEL_AUDITS", "5000"), ("KRIEGSPIEL_PLANTS", "20")],
    },
    Check {
        test: "beginner",
        about: "A player with the plan of docs/bots.md scores more than half against `level-1`.",
        short: &[("KRIEGSPIEL_BEGINNER", "10")],
        long: &[("KRIEGSPIEL_BEGINNER", "400")],
    },
    Check {
        test: "live::bot_load",
        about: "50 people at once: half of the answers of `level-3` come within 300 ms after its pause.",
        short: &[],
        long: &[
            ("KRIEGSPIEL_BOT_GAMES", "50"),
            ("KRIEGSPIEL_BOT_SECONDS", "120"),
            ("KRIEGSPIEL_BOT_PERSON_MS", "5000"),
            ("KRIEGSPIEL_BOT_MEDIAN_MS", "300"),
        ],
    },
    Check {
        test: "python_chess",
        about: "python-chess reads the main lines of our PGN and reaches the same positions.",
        short: &[("KRIEGSPIEL_MAIN_LINES", "100")],
        long: &[("KRIEGSPIEL_MAIN_LINES", "10000")],
    },
    Check {
        test: "ticks",
        about: "A classifier that sees latencies guesses private tries no better than by chance (51.5 %).",
        short: &[("KRIEGSPIEL_TICK_MOMENTS", "80")],
        long: &[("KRIEGSPIEL_TICK_MOMENTS", "10000")],
    },
    Check {
        test: "soak",
        about: "A club under players, attacks and faults loses no answer, charges no outage, and stays fast and small.",
        short: &[
            ("KRIEGSPIEL_SOAK_SECONDS", "15"),
            ("KRIEGSPIEL_SOAK_TRIES", "2000"),
            ("KRIEGSPIEL_SOAK_PERCENT", "2000"),
        ],
        long: &[
            ("KRIEGSPIEL_SOAK_SECONDS", "3600"),
            ("KRIEGSPIEL_SOAK_TRIES", "15000"),
            ("KRIEGSPIEL_SOAK_P99", "50"),
            ("KRIEGSPIEL_SOAK_PERCENT", "2000"),
            ("KRIEGSPIEL_SOAK_GROWTH", "1024"),
        ],
    },
    Check {
        test: "kills",
        about: "After SIGKILL at any point, every answer is in the log once and in order (SQLite and Postgres).",
        short: &[("KRIEGSPIEL_KILLS", "4")],
        long: &[("KRIEGSPIEL_KILLS", "200")],
    },
    Check {
        test: "cluster",
        about: "Three nodes under faults: every answered attempt is in the log once, nobody hears two histories.",
        short: &[("KRIEGSPIEL_CLUSTER_FAULTS", "9")],
        long: &[
            ("KRIEGSPIEL_CLUSTER_FAULTS", "200"),
            ("KRIEGSPIEL_CLUSTER_GAMES", "50"),
            ("KRIEGSPIEL_CLUSTER_PAUSE", "30000"),
            ("KRIEGSPIEL_CLUSTER_SERVED", "2000"),
            ("KRIEGSPIEL_CLUSTER_RETURN", "5000"),
            ("KRIEGSPIEL_CLUSTER_RATE", "100"),
        ],
    },
    Check {
        test: "damage",
        about: "A damaged file either opens with its undamaged games, or the club names the damage.",
        short: &[("KRIEGSPIEL_DAMAGED_FILES", "12")],
        long: &[("KRIEGSPIEL_DAMAGED_FILES", "200")],
    },
    Check {
        test: "lines",
        about: "Kills and cuts at the ICS door and at teletypes: every answered move is in the game once.",
        short: &[("KRIEGSPIEL_LINE_KILLS", "4")],
        long: &[("KRIEGSPIEL_LINE_KILLS", "200")],
    },
];

/// Returns the environment variables of the short runs of all checks.
pub fn short_env() -> Vec<(&'static str, &'static str)> {
    CHECKS
        .iter()
        .flat_map(|check| check.short)
        .copied()
        .collect()
}

impl Check {
    /// Returns the name of the proof: the binary or the module.
    fn name(&self) -> &'static str {
        self.test.rsplit("::").next().unwrap_or(self.test)
    }

    /// Runs the check for a long time. A variable that is already set keeps its value.
    fn run(&self, workspace: &Workspace) -> Result<Done> {
        let program = Workspace::cargo();
        let (binary, module) = self.test.split_once("::").unwrap_or((self.test, ""));
        let words = [
            &program,
            "test",
            "--release",
            "--locked",
            "--workspace",
            "--test",
            binary,
            "--",
            module,
            "--nocapture",
        ];
        let unset = |(name, _): &&(&str, &str)| env::var_os(name).is_none();
        let env: Vec<(&str, &str)> = self.long.iter().filter(unset).copied().collect();
        run::run(&workspace.root, &words, &env).with_context(|| self.name())
    }
}

/// Path of the page of proofs.
const PAGE: &str = "docs/proofs.md";

/// Beginning of the page.
const HEAD: &str = "# Proofs\n\n\
    `cargo xtask proof [NAME...]` runs these checks for a long time and records each that passed: date, commit, time.\n\
    What a run counted is in its output. CI runs the tests among them for a short time.\n\n\
    | name | shows | last long run |\n| --- | --- | --- |\n";

/// A proof that is not a test program: name, what it shows, how it is run.
type Other = (&'static str, &'static str, fn(&Workspace) -> Result<()>);

const OTHERS: &[Other] = &[
    (
        "planted",
        "A test fails with each fault and leak of `tools/testkit/planted`, planted alone.",
        |workspace| planted::run(workspace, &[]),
    ),
    (
        "mutants",
        "cargo-mutants: tests notice faults in the code that judges attempts.",
        |workspace| {
            let env = [("KRIEGSPIEL_GAMES", "150"), ("KRIEGSPIEL_PAIRS", "200")];
            // Exit code 3: a test did not end in time, which shows the fault too.
            run::run_any(&workspace.root, &["cargo", "mutants"], &env, |code| {
                matches!(code, 0 | 3)
            })
            .map(drop)
        },
    ),
    (
        "fuzzing",
        "No parser panics on the inputs of one minute each.",
        |workspace| fuzz::run(workspace, &[]),
    ),
    (
        "docs",
        "rustdoc finds no fault: every link in the comments leads somewhere.",
        docs,
    ),
    (
        "packages",
        "The packages install, start, upgrade, are restored from a backup, and leave nothing behind.",
        |workspace| dist::run(workspace, &["--check".to_owned()]),
    ),
    (
        "sample_bots",
        "Each bot of examples/bots plays ten games; the one that asks a model, against a fake address.",
        dist::sample_bots,
    ),
    (
        "screens",
        "The page fits every screen and a finger, and axe finds nothing.",
        |workspace| e2e::screens(workspace, &[]).map(drop),
    ),
    (
        "slow_phone",
        "*Play now* within 2 s on slow 4G with a 4x slower processor; a first game under 120 kB.",
        |workspace| e2e::slow_phone(workspace).map(drop),
    ),
    (
        "supply",
        "Licences, sources and advisories of all third-party packages; writes a bill of materials.",
        |workspace| supply::check(workspace).map(|found| println!("{found}")),
    ),
];

/// In CI it would cost a minute: rustdoc needs every dependency examined once more.
fn docs(workspace: &Workspace) -> Result<()> {
    let cargo = Workspace::cargo();
    let words = [
        &*cargo,
        "doc",
        "--workspace",
        "--locked",
        "--no-deps",
        "--quiet",
    ];
    run::run(&workspace.root, &words, &[("RUSTDOCFLAGS", "-D warnings")]).map(drop)
}

/// Runs the named proofs, or all if none is named. When a proof has passed, its row in
/// docs/proofs.md is written immediately.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    let names: Vec<&str> = rows().map(|(name, _)| name).collect();
    if let Some(strange) = words.iter().find(|word| !names.contains(&word.as_str())) {
        bail!(
            "there is no proof `{strange}`; the proofs are {}",
            names.join(", ")
        );
    }
    for name in names {
        if !words.is_empty() && !words.iter().any(|word| word == name) {
            continue;
        }
        println!("\n== {name}");
        let started = std::time::Instant::now();
        if let Some(check) = CHECKS.iter().find(|check| check.name() == name) {
            check.run(workspace)?;
        } else if let Some((_, _, run)) = OTHERS.iter().find(|(other, ..)| *other == name) {
            run(workspace)?;
        }
        let last = format!("{}, {}", at(workspace)?, seconds(started.elapsed()));
        let page = workspace.read(PAGE)?;
        fs::write(workspace.path(PAGE), with_row(&page, name, &last))?;
    }
    println!("\nwrote {PAGE}");
    Ok(())
}

/// Returns the names of all proofs, with what they show.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let checks = CHECKS.iter().map(|check| (check.name(), check.about));
    checks.chain(OTHERS.iter().map(|(name, about, _)| (*name, *about)))
}

/// Returns the date and the commit, as text.
fn at(workspace: &Workspace) -> Result<String> {
    let commit = workspace.git(&["show", "--no-patch", "--format=%h", "HEAD"]);
    let changed = workspace
        .git(&["status", "--porcelain", "--untracked-files=no"])
        .lines()
        .any(|line| !line.ends_with(PAGE));
    let with = if changed { " with changes" } else { "" };
    let date = std::process::Command::new("date")
        .args(["-u", "+%F"])
        .output()?;
    ensure!(date.status.success(), "`date` failed");
    let date = String::from_utf8_lossy(&date.stdout).trim().to_owned();
    Ok(format!("{date}, `{commit}`{with}"))
}

/// Returns the page with a new last run of one proof. Rows of unknown proofs are dropped.
fn with_row(page: &str, name: &str, last: &str) -> String {
    let mut whole = HEAD.to_owned();
    for (known, about) in rows() {
        let start = format!("| `{known}` | ");
        let old = page.lines().find_map(|line| line.strip_prefix(&start));
        let old = old.and_then(|rest| rest.trim_end_matches(" |").rsplit_once(" | "));
        let old = old.map_or("not recorded", |(_, last)| last);
        let last = if known == name { last } else { old };
        let _ = writeln!(whole, "{start}{about} | {last} |");
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_replaced_and_the_others_are_kept() {
        let first = with_row("", "pairs", "today, 2.0 s");
        let both = with_row(&first, "audit", "now");
        assert!(both.starts_with(HEAD));
        let last = |name: &str| {
            let start = format!("| `{name}` | ");
            let line = both.lines().find(|line| line.starts_with(&start));
            line.and_then(|line| line.trim_end_matches(" |").rsplit(" | ").next())
        };
        assert_eq!(last("pairs"), Some("today, 2.0 s"));
        assert_eq!(last("audit"), Some("now"));
        assert_eq!(last("soak"), Some("not recorded"));
        assert_eq!(both.lines().count(), HEAD.lines().count() + rows().count());
    }
}
