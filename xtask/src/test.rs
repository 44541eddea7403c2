//! `cargo xtask test`: runs all steps of CI, in order.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, ensure};

#[cfg(unix)]
use crate::cluster;
use crate::{
    dist, e2e, proof, readme,
    run::{self, Done, seconds},
    serve, setup, tidy, wheel,
    workspace::Workspace,
};

/// Numbers of tests that passed, failed and were skipped.
#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
}

/// A step: its name and its function.
struct Step {
    name: &'static str,
    run: fn(&Workspace, &mut Tally) -> Result<()>,
}

const STEPS: &[Step] = &[
    Step {
        name: "setup",
        run: |workspace, _| setup::require_without(workspace, &DEVICE_TOOLS),
    },
    Step {
        name: "format",
        run: |workspace, _| cargo(workspace, &["fmt", "--all", "--check"], &[]).map(drop),
    },
    Step {
        name: "tidy",
        run: |workspace, _| tidy::run(workspace, &[]),
    },
    // The program embeds the web page, so the page is built before the program.
    Step {
        name: "web",
        run: |workspace, _| serve::check(workspace),
    },
    Step {
        name: "clippy",
        run: |workspace, _| clippy(workspace),
    },
    // While the steps below run, too: much of the time this step waits for clocks and pages.
    Step {
        name: BROWSER,
        run: |workspace, tally| {
            let program = e2e::build(workspace)?;
            tally.add(&e2e::run_all(workspace, &program, &[])?);
            Ok(())
        },
    },
    Step {
        name: "tests",
        run: |workspace, tally| tests(workspace, tally, &format!("not ({DEVICES})")),
    },
    Step {
        name: "devices",
        run: |workspace, tally| {
            setup::require(workspace, &DEVICE_TOOLS)?;
            tests(workspace, tally, DEVICES)
        },
    },
    Step {
        name: "doc tests",
        run: |workspace, tally| {
            let done = cargo(
                workspace,
                &["test", "--workspace", "--locked", "--doc"],
                &[],
            )?;
            tally.add(&done);
            Ok(())
        },
    },
    Step {
        name: "examples in docs",
        run: |workspace, tally| {
            e2e::program(workspace)?;
            tally.passed += readme::check(workspace)? as u64;
            Ok(())
        },
    },
    Step {
        name: "python",
        run: |workspace, _| wheel::smoke(workspace),
    },
    Step {
        name: "packages",
        run: |workspace, _| dist::smoke(workspace),
    },
    #[cfg(unix)]
    Step {
        name: "cluster",
        run: |workspace, _| cluster::run(workspace, &["--check".to_owned()]),
    },
];

/// The step that runs beside those after it.
const BROWSER: &str = "e2e";

/// Runs every step, or the steps whose names begin with one of the given words. Shows
/// the time of each step.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    let steps: Vec<&Step> = STEPS
        .iter()
        .filter(|step| words.is_empty() || words.iter().any(|w| step.name.starts_with(w)))
        .collect();
    ensure!(
        !steps.is_empty(),
        "no such step; the steps are {}",
        STEPS.iter().map(|s| s.name).collect::<Vec<_>>().join("; ")
    );
    run::compile_with_clippy();
    let mut tally = Tally::default();
    let mut times: Vec<(&str, Duration)> = Vec::new();
    let begun = Instant::now();
    let timed = |step: &Step, tally: &mut Tally| {
        let started = Instant::now();
        let result = (step.run)(workspace, tally);
        let result = result.with_context(|| format!("step `{}`", step.name));
        (step.name, started.elapsed(), result)
    };
    let result = thread::scope(|scope| {
        let mut browser = None;
        let mut result = Ok(());
        for (number, step) in (1..).zip(&steps) {
            println!("\n== {number}/{} {}", steps.len(), step.name);
            if step.name == BROWSER && number < steps.len() {
                // The steps after it must not wait for cargo in this one.
                e2e::build(workspace)?;
                browser = Some(scope.spawn(|| {
                    let mut own = Tally::default();
                    (timed(step, &mut own), own)
                }));
                continue;
            }
            let (name, time, done) = timed(step, &mut tally);
            times.push((name, time));
            if done.is_err() {
                result = done;
                break;
            }
        }
        if let Some(browser) = browser {
            let ((name, time, done), own) = browser.join().map_err(|_| anyhow!("e2e panicked"))?;
            times.push((name, time));
            tally.passed += own.passed;
            tally.failed += own.failed;
            tally.skipped += own.skipped;
            result = result.and(done);
        }
        result
    });
    show(&times, begun.elapsed());
    result?;
    if words.is_empty() || tally.passed > 0 {
        println!(
            "\n{} passed, {} failed, {} skipped",
            tally.passed, tally.failed, tally.skipped
        );
    }
    Ok(())
}

fn show(times: &[(&str, Duration)], all: Duration) {
    println!("\ntook:");
    for (name, time) in times {
        println!("  {name:<22}{:>9}", seconds(*time));
    }
    println!("  {:<22}{:>9}", "all", seconds(all));
}

/// Tests that use terminals, windows or consoles of other programs, as a filter of nextest.
const DEVICES: &str = "binary(lines) or (binary(ks) and test(/^(manual|screens)::/)) \
    or (binary(club) and test(/^(xboard|terminal|teletype)::/))";

/// Tools that only these tests need.
const DEVICE_TOOLS: [&str; 9] = [
    "Xvfb", "xauth", "xboard", "xdotool", "import", "tmux", "telnet", "nc", "mandoc",
];

/// Compiles everything, also what no test uses. No warning is allowed.
fn clippy(workspace: &Workspace) -> Result<()> {
    let words = ["build", "--workspace", "--all-targets", "--locked"];
    let done = cargo(workspace, &words, &[])?;
    let warnings = done.lines.iter().filter(|line| line.starts_with("warning"));
    ensure!(warnings.count() == 0, "warnings are errors here");
    Ok(())
}

/// Runs the tests that a filter of nextest selects, the proofs with short effort.
fn tests(workspace: &Workspace, tally: &mut Tally, filter: &str) -> Result<()> {
    let words = [
        &["nextest", "run", "--workspace", "--locked"][..],
        &["--lib", "--bins", "--tests", "--no-tests", "pass"],
        &["--no-fail-fast", "--status-level", "fail", "-E", filter],
    ];
    tally.add(&cargo(workspace, &words.concat(), &proof::short_env())?);
    Ok(())
}

fn cargo(workspace: &Workspace, words: &[&str], env: &[(&str, &str)]) -> Result<Done> {
    let program = Workspace::cargo();
    let mut all = vec![program.as_str()];
    all.extend(words);
    run::run(&workspace.root, &all, env)
}

impl Tally {
    /// Adds the numbers in the last lines of a test runner.
    fn add(&mut self, done: &Done) {
        for line in &done.lines {
            let Some(rest) = line.trim().strip_prefix("test result: ") else {
                continue;
            };
            self.passed += before(rest, " passed");
            self.failed += before(rest, " failed");
            self.skipped += before(rest, " ignored");
        }
        // The last lines of the browser tests.
        for line in &done.lines {
            self.passed += counted(line, "pass");
            self.failed += counted(line, "fail");
            self.skipped += counted(line, "skipped");
        }
        // The last line of nextest.
        for line in &done.lines {
            if let Some((_, rest)) = line.split_once(" tests run: ") {
                self.passed += before(rest, " passed");
                self.failed += before(rest, " failed");
            }
        }
    }
}

/// Returns the number in a line `# WORD NUMBER` or `\u{2139} WORD NUMBER`; 0 for other lines.
fn counted(line: &str, word: &str) -> u64 {
    let mut parts = line.split_whitespace();
    match [parts.next(), parts.next(), parts.next(), parts.next()] {
        [Some("#" | "\u{2139}"), Some(what), Some(number), None] if what == word => {
            number.parse().unwrap_or(0)
        }
        _ => 0,
    }
}

/// Returns the number directly before a word; 0 if there is no such number.
fn before(text: &str, word: &str) -> u64 {
    text.split_once(word)
        .and_then(|(head, _)| {
            head.rsplit(|c: char| !c.is_ascii_digit())
                .next()
                .and_then(|digits| digits.parse().ok())
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_lines_of_test_runners_are_summed() {
        let mut tally = Tally::default();
        tally.add(&Done {
            lines: vec![
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out"
                    .to_owned(),
                "     Summary [   0.4s] 30 tests run: 29 passed (1 slow), 1 failed, 0 skipped"
                    .to_owned(),
                "figure: games 500".to_owned(),
                "# pass 7".to_owned(),
                "\u{2139} skipped 1".to_owned(),
                "# passed in 3 s".to_owned(),
            ],
        });
        assert_eq!((tally.passed, tally.failed, tally.skipped), (48, 1, 2));
    }
}
