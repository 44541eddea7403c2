//! `cargo xtask proof`: runs checks for a long time. CI runs most of these checks for a short time.

use std::{
    env,
    fmt::Write,
    fs,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use anyhow::{Context, Result, bail};

use crate::{
    e2e, fuzz, leaks, mutants,
    run::{self, Count, Done, seconds},
    supply,
    workspace::Workspace,
};

/// Length of a run.
#[derive(Copy, Clone, Eq, PartialEq)]
pub enum Effort {
    /// The length used in CI.
    Short,
    /// The length used for docs/proofs.md.
    Long,
}

/// A check: a test binary that prints counts of what it has covered. The counts are read
/// by [`Done::counts`].
pub struct Check {
    /// Crate that contains the test binary.
    pub package: &'static str,
    /// Name of the test binary.
    pub test: &'static str,
    /// Property that the check shows.
    pub about: &'static str,
    /// Environment variables of a short run.
    pub short: &'static [(&'static str, &'static str)],
    /// Environment variables of a long run.
    pub long: &'static [(&'static str, &'static str)],
}

/// All checks, in the order of the page.
pub const CHECKS: &[Check] = &[
    Check {
        package: "kriegspiel-testkit",
        test: "differential",
        about: "The referee and the slow oracle judge the same random games under every ruleset. (The slow oracle is a second referee, written only from [the specification](specification.md).) Every listener hears the same from both referees. The table counts what occurred in these games. In the table, *answer* stands before an answer of the umpire's record, and *heard* before an item that a listener heard. *Row* stands before a row of the [table of verdicts](specification.md#1-the-turn), and *end* before the reason for the end of a game.",
        short: &[("KRIEGSPIEL_GAMES", "500")],
        long: &[("KRIEGSPIEL_GAMES", "20000")],
    },
    Check {
        package: "kriegspiel-testkit",
        test: "pairs",
        about: "If a listener hears the same in two games, the listener gets the same view, the same tries and the same bytes in both games. The true positions may differ. The check detects every planted leak ([glossary](glossary.md)). In the table, `Room` is the listener that stands for all spectators. *Heard own move* is the reply to a move of the listener, and *heard move* is the reply to a move of another player. *Own* means the same before *no*, *nonsense* and *repeat no*.",
        short: &[("KRIEGSPIEL_PAIRS", "2000")],
        long: &[("KRIEGSPIEL_PAIRS", "100000")],
    },
    Check {
        package: "kriegspiel-server",
        test: "pairs_wire",
        about: "The check `pairs` for the server. If a listener hears the same in two games, the listener's socket, the answers of the API and the server's log have the same bytes in both games. The bytes come at the same times, also while the store is blocked.",
        short: &[("KRIEGSPIEL_WIRE_PAIRS", "2000")],
        long: &[("KRIEGSPIEL_WIRE_PAIRS", "100000")],
    },
    Check {
        package: "kriegspiel-server",
        test: "latency",
        about: "Eight visitors request the file of a finished game of 15,000 tries again and again. The median latency of other requests is at most twice as long as without the visitors. The test alternates rounds with the visitors and rounds without the visitors.",
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
        package: "kriegspiel-server",
        test: "lobby_cost",
        about: "40 sockets listen to the lobby. A change of the lobby takes at most twice as much time with 1,000 running games as with 10 running games.",
        short: &[("KRIEGSPIEL_LOBBY_CHANGES", "16")],
        long: &[
            ("KRIEGSPIEL_LOBBY_CHANGES", "66"),
            ("KRIEGSPIEL_LOBBY_ROUNDS", "3"),
        ],
    },
    Check {
        package: "kriegspiel-doors",
        test: "teletype_pairs",
        about: "The check `pairs` for teletypes. If a listener hears the same in two games, the listener's console gets the same bytes at the same times. Prompts and bells are included.",
        short: &[("KRIEGSPIEL_TELETYPE_PAIRS", "120")],
        long: &[("KRIEGSPIEL_TELETYPE_PAIRS", "5000")],
    },
    Check {
        package: "kriegspiel-doors",
        test: "door_pairs",
        about: "The check `pairs` for the ICS door. If a listener hears the same in two games, the listener's console gets the same bytes at the same times.",
        short: &[("KRIEGSPIEL_DOOR_PAIRS", "200")],
        long: &[("KRIEGSPIEL_DOOR_PAIRS", "20000")],
    },
    Check {
        package: "kriegspiel-doors",
        test: "ks_line",
        about: "The check `pairs` for `ks`. In `ks`, the program of one player is the host, and the program of the other player is the guest. If the guest's player hears the same in two games, the guest gets the same messages in both games. The raw bytes come at the same times, in pieces of the same lengths.",
        short: &[("KRIEGSPIEL_KS_PAIRS", "120")],
        long: &[("KRIEGSPIEL_KS_PAIRS", "5000")],
    },
    Check {
        package: "kriegspiel-testkit",
        test: "belief",
        about: "A small belief equals the result of a brute-force search with the slow oracle, under every ruleset and under rulesets with changed choices. If a seat hears the same in two games, the beliefs are equal.",
        short: &[],
        long: &[
            ("KRIEGSPIEL_BELIEFS", "20000"),
            ("KRIEGSPIEL_BELIEF_SET", "300"),
            ("KRIEGSPIEL_BELIEF_PAIRS", "1000"),
        ],
    },
    Check {
        package: "kriegspiel-testkit",
        test: "belief_truth",
        about: "The true position is in every exact belief, in every superset, and in every envelope. It agrees with every certain fact. The check plays random, aggressive and quiet games under every ruleset, and tests both seats after each ply. If the true position is missing once, the check ends with an error. The check has two parts, with two limits for the number of positions in a belief. In the first part, the limit is 2,000. If more positions are possible, the beliefs keep a sample in one of n games. In the other games, the beliefs keep only the envelope. The number n is `KRIEGSPIEL_BELIEF_SAMPLED`. If n is 0, no belief keeps a sample. In the second part, the limit is the usual limit of a belief (2,000,000). If more positions are possible, every belief keeps only the envelope.",
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
        package: "kriegspiel-testkit",
        test: "belief_sample",
        about: "A belief that keeps a sample of 100,000 positions agrees with the exact belief under the same weights. The check also compares predicted probabilities with the frequency of true predictions.",
        short: &[],
        long: &[
            ("KRIEGSPIEL_SAMPLES", "100"),
            ("KRIEGSPIEL_SAMPLE_LIMIT", "100000"),
            ("KRIEGSPIEL_SAMPLE_EXACT", "3000000"),
        ],
    },
    Check {
        package: "kriegspiel-cli",
        test: "policies",
        about: "On random small beliefs under every ruleset, the solver agrees with a brute-force search of all policies. If there is no forced mate, no policy is better than the best policy of the solver. The referee alone confirms the certificates. The check also compares the solver with the labels of the Berkeley Kriegspiel mate database. Every verdict up to 7 half-moves has a certificate. If a verdict differs from the label, docs/errata.md lists the verdict.",
        short: &[],
        long: &[
            ("KRIEGSPIEL_POLICIES", "10000"),
            ("KRIEGSPIEL_BEST_POLICIES", "1000"),
            ("KRIEGSPIEL_SOLVED_PLIES", "9"),
            ("KRIEGSPIEL_PROVED_PLIES", "7"),
        ],
    },
    Check {
        package: "kriegspiel-cli",
        test: "problems",
        about: "The program contains problems with verdicts. For each of these problems, the solver finds the same verdict again. If the verdict has a certificate, the referee confirms the certificate without the solver. The program contains some certificates only as a hash. Then the solver makes the certificate again, and its hash is equal. If a problem was made by the program and is a mate in n, the solver finds no mate in n - 1.",
        short: &[],
        long: &[("KRIEGSPIEL_PROBLEMS_EVERY", "1")],
    },
    Check {
        package: "kriegspiel-testkit",
        test: "endgame_tables",
        about: "The table of the rook against the lone king agrees with a brute-force search of all policies. The check takes random sets of squares on which the lone king may stand. It asks for mates in a small number of moves. If White sees the king, the longest mates have the known lengths.",
        short: &[("KRIEGSPIEL_ENDGAME_SETS", "100")],
        long: &[
            ("KRIEGSPIEL_ENDGAME_SETS", "20000"),
            ("KRIEGSPIEL_ENDGAME_DEPTH", "3"),
        ],
    },
    Check {
        package: "kriegspiel-cli",
        test: "endgames",
        about: "The check takes the tables of queen, rook and pawn against the lone king. A solved set is a set of squares: if White knows only that the lone king stands on one of these squares, White can force mate. For each solved set, the referee judges the tries of the table, and each reply of the lone king. Whatever White hears, the table must then have a mate in fewer moves than before. White mates the best-evading king in games from random start positions.",
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
        package: "kriegspiel-testkit",
        test: "faults",
        about: "The comparison with the oracle detects every planted fault of the referee.",
        short: &[],
        long: &[],
    },
    Check {
        package: "kriegspiel-scores",
        test: "formats",
        about: "The check converts random games of every ruleset to transcripts, PGN and JSON, and back. The new log is equal to the old log, and every listener hears the same.",
        short: &[("KRIEGSPIEL_FORMATS", "8")],
        long: &[("KRIEGSPIEL_FORMATS", "1000")],
    },
    Check {
        package: "kriegspiel-scores",
        test: "audit",
        about: "The audit ([pgn.md](pgn.md#audit)) searches recorded games for wrong announcements. In correct random games, the audit finds no error. In games with a planted error, the audit finds exactly this error.",
        short: &[("KRIEGSPIEL_AUDITS", "100"), ("KRIEGSPIEL_PLANTS", "1")],
        long: &[("KRIEGSPIEL_AUDITS", "5000"), ("KRIEGSPIEL_PLANTS", "20")],
    },
    Check {
        package: "kriegspiel-arena",
        test: "sparring",
        about: "The bot `sparring` wins at least 80 % of its games against `random` under `wild16`. If the opponent has only a king, against a queen or a rook, `sparring` mates in more than 95 % of the games. It can play under every ruleset. In the table, *games won under* stands before the number of won games of 20 games, against `random` and `random+any`. The other rows are about the games against `random` under `wild16`.",
        short: &[("KRIEGSPIEL_SPARRING", "60")],
        long: &[("KRIEGSPIEL_SPARRING", "1000")],
    },
    Check {
        package: "kriegspiel-arena",
        test: "beginner",
        about: "The plan for beginners in docs/bots.md uses no knowledge about the opponent's men. With this plan, a player scores more than half of the points against `level-1`.",
        short: &[("KRIEGSPIEL_BEGINNER", "10")],
        long: &[("KRIEGSPIEL_BEGINNER", "400")],
    },
    Check {
        package: "kriegspiel-server",
        test: "bot_load",
        about: "50 simulated people play against the built-in bot `level-3` at the same time. Each person takes 5 s for a move. A built-in bot waits for a [pause](bots.md#bots-in-a-club) before it answers. Half of the answers come at most 300 ms after the end of the pause. Short runs play 10 games and do not check the limit of 300 ms.",
        short: &[],
        long: &[
            ("KRIEGSPIEL_BOT_GAMES", "50"),
            ("KRIEGSPIEL_BOT_SECONDS", "120"),
            ("KRIEGSPIEL_BOT_PERSON_MS", "5000"),
            ("KRIEGSPIEL_BOT_MEDIAN_MS", "300"),
        ],
    },
    Check {
        package: "kriegspiel-scores",
        test: "python_chess",
        about: "The library python-chess reads the main lines of our PGN, and reaches the same final positions.",
        short: &[("KRIEGSPIEL_MAIN_LINES", "100")],
        long: &[("KRIEGSPIEL_MAIN_LINES", "10000")],
    },
    Check {
        package: "kriegspiel-club",
        test: "ticks",
        about: "A classifier guesses from latencies whether somebody made a private try. It measures the latencies of an accomplice in another game, or of the opponent in the same game. Each write to the disk takes 8 ms more than usual. Half of the measurements train the classifier. For each of the other 10,000 measurements, the classifier makes a guess. The club commits rows at fixed moments, which are called ticks; then at most 51.5 % of these guesses are right. If the club commits each row immediately, nearly all guesses are right.",
        short: &[("KRIEGSPIEL_TICK_MOMENTS", "80")],
        long: &[("KRIEGSPIEL_TICK_MOMENTS", "10000")],
    },
    Check {
        package: "kriegspiel-cli",
        test: "soak",
        about: "A club with its default settings serves players, spectators, people at every door and built-in bots. Attackers use one kind of attack after another. The check also makes faults: the club is killed or shut down, the club's clock is wrong and jumps every second, or the disk is full. Other clubs are opened with damaged copies of the club's file. No answer is lost, and no clock counts an outage. The memory grows by at most 1 MiB per minute. Without the 5 s after each fault, 99 % of all answers come within 50 ms, with and without attacks together. Under attack, the median time of an answer is at most 20 times the median without attacks. Short runs check neither the limit of 50 ms nor the growth of the memory.",
        short: &[
            ("KRIEGSPIEL_SOAK_SECONDS", "55"),
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
        package: "kriegspiel-cli",
        test: "kills",
        about: "A club on SQLite and a club on Postgres are killed with SIGKILL, at random and at chosen points. 20 games are played at the same time. The check compares the players' journals with the log: every answer is in the log once and in order, a repeated request gets the same answer, and no hearing changes. No clock counts an outage.",
        short: &[("KRIEGSPIEL_KILLS", "20")],
        long: &[("KRIEGSPIEL_KILLS", "200")],
    },
    Check {
        package: "kriegspiel-cli",
        test: "cluster",
        about: "Three nodes serve one club over Postgres. The players of each game use different nodes. The check makes faults. It kills, shuts down or pauses a node, or cuts a node off from the database. It sets the clock of a node wrong by five minutes. It kills the database or NATS, or promotes the standby server of the database. Then the check compares the players' journals with the log: every answered attempt is in the log once and in order, and no listener hears two different histories. No clock counts an outage of the database. `store::history`, which compares the log of each game with what its listeners recorded, finds no fault. When a node is shut down, its clients connect to another node, and every game continues there.",
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
        package: "kriegspiel-cli",
        test: "damage",
        about: "The check damages the file of a club: it flips bits, truncates the file, or overwrites pages with zeros. Then one of two things happens. Either the club opens, and its undamaged games can be played. Or the club names the damage and ends within 10 s, and `store check` exits with 1.",
        short: &[("KRIEGSPIEL_DAMAGED_FILES", "12")],
        long: &[("KRIEGSPIEL_DAMAGED_FILES", "200")],
    },
    Check {
        package: "kriegspiel-cli",
        test: "lines",
        about: "The club is killed with SIGKILL during a game at the ICS door. Every answered move is in the game once, and no clock counts an outage. In other games, at the ICS door and at teletypes, the network is cut. A player who connects again finds every answered move.",
        short: &[("KRIEGSPIEL_LINE_KILLS", "8")],
        long: &[("KRIEGSPIEL_LINE_KILLS", "200")],
    },
];

/// Returns the names of all test binaries in [`CHECKS`].
pub fn test_binaries() -> Vec<&'static str> {
    CHECKS.iter().map(|check| check.test).collect()
}

/// Runs every check with short effort. Two checks run at the same time, because some checks wait
/// most of the time and leave the processor free.
///
/// # Errors
/// A check fails. Checks that run at the same time finish before the error is returned.
pub fn run_short(workspace: &Workspace) -> Result<Vec<(&'static Check, Done)>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some(check) = CHECKS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = check.run(workspace, Effort::Short);
            if result.is_err() {
                next.store(CHECKS.len(), Ordering::Relaxed);
            }
            done.push((check, result?));
        }
        Ok(done)
    };
    let both: Result<Vec<Vec<_>>> = thread::scope(|scope| {
        let workers = [(); 2].map(|()| scope.spawn(worker));
        let ended = workers.map(|worker| worker.join().expect("a worker does not panic"));
        ended.into_iter().collect()
    });
    let mut all: Vec<_> = both?.into_iter().flatten().collect();
    all.sort_by_key(|(check, _)| CHECKS.iter().position(|one| one.test == check.test));
    Ok(all)
}

impl Check {
    /// Returns the arguments for cargo.
    fn words(&self, effort: Effort) -> Vec<&'static str> {
        match effort {
            // With `--workspace`, the dependencies have the same features as in the other tests. So
            // cargo need not compile them again.
            Effort::Short => vec![
                "test",
                "--workspace",
                "--locked",
                "--test",
                self.test,
                "--",
                "--nocapture",
            ],
            Effort::Long => vec![
                "test",
                "--release",
                "--locked",
                "--package",
                self.package,
                "--test",
                self.test,
                "--",
                "--nocapture",
            ],
        }
    }

    /// Returns the environment variables of a run. In a long run, a variable that is already set
    /// keeps its value. So a shorter run can be recorded too.
    fn env(&self, effort: Effort) -> Vec<(&'static str, String)> {
        match effort {
            Effort::Short => self.short.iter(),
            Effort::Long => self.long.iter(),
        }
        .map(|(name, value)| {
            let given = env::var(name).ok().filter(|_| effort == Effort::Long);
            (*name, given.unwrap_or_else(|| (*value).to_owned()))
        })
        .collect()
    }

    /// Runs the check with its environment variables.
    pub fn run(&self, workspace: &Workspace, effort: Effort) -> Result<Done> {
        let program = Workspace::cargo();
        let mut words = vec![program.as_str()];
        words.extend(self.words(effort));
        let run = match effort {
            Effort::Short => run::run_beside,
            Effort::Long => run::run,
        };
        let env = self.env(effort);
        let env: Vec<(&str, &str)> = env.iter().map(|(n, v)| (*n, v.as_str())).collect();
        run(&workspace.root, &words, &env).with_context(|| self.test.to_owned())
    }

    /// Returns the command as a person would type it.
    fn command(&self, effort: Effort) -> String {
        let env: Vec<String> = self
            .env(effort)
            .iter()
            .map(|(name, value)| format!("{name}={value} "))
            .collect();
        format!("{}cargo {}", env.concat(), self.words(effort).join(" "))
    }
}

/// Path of the page of proofs.
const PAGE: &str = "docs/proofs.md";
/// Name of the section about the fuzz targets.
const FUZZING: &str = "fuzzing";
/// Name of the section about the planted faults of the solver.
const SOLVER_FAULTS: &str = "solver_faults";
/// Name of the section about third-party packages.
const SUPPLY: &str = "supply";
/// Name of the section about the page on a slow phone.
const SLOW_PHONE: &str = "slow_phone";
/// The sections without a test binary of their own.
const OTHERS: [&str; 4] = [SOLVER_FAULTS, FUZZING, SUPPLY, SLOW_PHONE];
/// Beginning of the page.
const HEAD: &str = "# Proofs\n\n\
    `cargo xtask proof [CHECK...]` writes this page. The heading of a section is the name of a check. The section\n\
    describes the last long run that was recorded: the property that the check tests, the commit, the command, the time,\n\
    and counts. A check without a section has no recorded long run. CI runs a short version of nearly every check. In\n\
    the tables, *number* says how often the thing in the column *counted* occurred in the run. In some rows, *number* is\n\
    a size or a time.\n";

/// Runs the named checks with long effort, or all checks if none is named. Four names are not names
/// of test programs: `solver_faults` (the planted faults of the solver), `fuzzing` (all fuzz
/// targets, one minute each), `supply` (the third-party packages) and `slow_phone` (the page on a
/// slow phone). When a check has passed, its section in docs/proofs.md is written immediately.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    if let [first, rest @ ..] = words
        && first == "mutants"
    {
        return mutants::run(workspace, rest);
    }
    let names: Vec<&str> = CHECKS.iter().map(|c| c.test).chain(OTHERS).collect();
    if let Some(strange) = words.iter().find(|word| !names.contains(&word.as_str())) {
        bail!(
            "there is no proof `{strange}`; the proofs are {}",
            names.join(", ")
        );
    }
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    for check in CHECKS.iter().filter(|check| wanted(check.test)) {
        println!("\n== {}", check.test);
        let done = check.run(workspace, Effort::Long)?;
        let text = format!(
            "{}\n\n{}: `{}`, {}.\n\n{}",
            check.about,
            at(workspace)?,
            check.command(Effort::Long),
            seconds(done.took),
            counted(&done.counts())
        );
        keep(workspace, check.test, &text)?;
    }
    if wanted(SOLVER_FAULTS) {
        println!("\n== {SOLVER_FAULTS}");
        let done = leaks::test_faults(workspace, &[])?;
        let text = format!(
            "Each fault of `mind/solver/faults` is planted alone in a copy of the source tree. One of two checks must detect the \
             fault: the check of certificates, or the comparison with verdicts that have a checked certificate.\n\n\
             {}: `cargo xtask faults`, {}.\n\n{}",
            at(workspace)?,
            seconds(done.took),
            counted(&done.counts())
        );
        keep(workspace, SOLVER_FAULTS, &text)?;
    }
    if wanted(FUZZING) {
        let mut text = format!(
            "Each parser gets random input for 60 seconds. The check fails if a parser panics. The column *runs* says how many inputs the parser got. The column *took* also contains the time that cargo needs to compile.\n\n\
             {}: `cargo xtask fuzz TARGET 60`.\n\n| target | runs | took |\n| --- | ---: | ---: |\n",
            at(workspace)?
        );
        for target in fuzz::targets(workspace)? {
            println!("\n== fuzz {target}");
            let done = fuzz::one(workspace, &target, "60")?;
            let _ = writeln!(
                text,
                "| `{target}` | {} | {} |",
                fuzz::runs(&done).unwrap_or_else(|| "?".to_owned()),
                seconds(done.took)
            );
        }
        keep(workspace, FUZZING, &text)?;
    }
    if wanted(SLOW_PHONE) {
        println!("\n== {SLOW_PHONE}");
        let done = e2e::slow_phone(workspace)?;
        let text = format!(
            "The browser uses the profile \"Slow 4G\" of Chromium's developer tools (562.5 ms for each request, 180 kB/s), and its \
             processor is slowed down four times. The screen has 360 by 740 pixels. In the median of 9 first visits, *Play now* \
             is usable within two seconds. A first game of ten moves against a built-in bot, with its review, transfers less than \
             100 kB of files and answers. CI checks the bytes and the round trips, not the time.\n\n\
             {}: `cargo xtask proof {SLOW_PHONE}`, {}.\n\n{}",
            at(workspace)?,
            seconds(done.took),
            counted(&done.counts())
        );
        keep(workspace, SLOW_PHONE, &text)?;
    }
    if wanted(SUPPLY) {
        println!("\n== {SUPPLY}");
        let found = supply::check(workspace)?;
        let text = format!(
            "{}: `cargo xtask proof {SUPPLY}`.\n\n{found}",
            at(workspace)?
        );
        keep(workspace, SUPPLY, &text)?;
    }
    println!("\nwrote {PAGE}");
    Ok(())
}

/// Returns the commit and the date, as text.
fn at(workspace: &Workspace) -> Result<String> {
    let commit = workspace.git(&["rev-parse", "--short=12", "HEAD"]);
    let changed = workspace
        .git(&["status", "--porcelain", "--untracked-files=no"])
        .lines()
        .any(|line| !line.ends_with(PAGE));
    let with = if changed {
        ", with changes not yet committed"
    } else {
        ""
    };
    Ok(format!("At commit `{commit}`{with}, {}", today()?))
}

/// Writes a section of the page.
fn keep(workspace: &Workspace, name: &str, text: &str) -> Result<()> {
    let path = workspace.path(PAGE);
    let page = fs::read_to_string(&path).unwrap_or_default();
    Ok(fs::write(path, with_section(&page, name, text))?)
}

/// Returns the page with one section replaced. The sections are in the order of the
/// checks. A section without a check is removed.
fn with_section(page: &str, name: &str, text: &str) -> String {
    let mut whole = HEAD.to_owned();
    for known in CHECKS.iter().map(|c| c.test).chain(OTHERS) {
        let old = page
            .split_once(&format!("\n## {known}\n\n"))
            .map(|(_, rest)| rest.split("\n## ").next().unwrap_or(rest).trim_end());
        let section = if known == name {
            Some(text.trim_end())
        } else {
            old
        };
        if let Some(section) = section {
            let _ = write!(whole, "\n## {known}\n\n{section}\n");
        }
    }
    whole
}

/// Returns a table of the counts.
fn counted(counts: &[Count]) -> String {
    if counts.is_empty() {
        return "The check printed no counts.\n".to_owned();
    }
    let mut table = "| counted | number |\n| --- | ---: |\n".to_owned();
    for Count { what, number } in counts {
        let _ = writeln!(table, "| {what} | {number} |");
    }
    table
}

/// Returns today's date in UTC, as `YYYY-MM-DD`.
fn today() -> Result<String> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    Ok(date_of(now.as_secs() / 86_400))
}

/// Returns the date of a day, given as the number of days since 1970-01-01.
fn date_of(days: u64) -> String {
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(date_of(0), "1970-01-01");
        assert_eq!(date_of(59), "1970-03-01");
        assert_eq!(date_of(11_016), "2000-02-29");
        assert_eq!(date_of(20_454), "2026-01-01");
    }

    #[test]
    fn a_section_is_replaced_in_its_place() {
        let first = with_section("", "pairs", "Two.\n");
        assert_eq!(first, format!("{HEAD}\n## pairs\n\nTwo.\n"));
        let both = with_section(&first, "differential", "One.\n");
        assert_eq!(
            both,
            format!("{HEAD}\n## differential\n\nOne.\n\n## pairs\n\nTwo.\n")
        );
        let anew = with_section(&both, "pairs", "Three.\n");
        assert_eq!(anew, both.replace("Two", "Three"));
    }

    #[test]
    fn counts_become_a_table() {
        assert_eq!(
            counted(&[Count {
                what: "games under wild16".to_owned(),
                number: 1250
            }]),
            "| counted | number |\n| --- | ---: |\n| games under wild16 | 1250 |\n"
        );
    }
}
