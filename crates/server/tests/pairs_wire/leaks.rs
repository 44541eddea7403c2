//! Leaks planted in the product: each is caught, and none is in a release.

use std::{
    env, fs,
    path::Path,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

/// The rooms in which leaks are planted, by their build scripts.
const ROOMS: [&str; 3] = ["club", "server", "doors"];

/// Programs made here so far.
static MADE: AtomicU32 = AtomicU32::new(0);

/// The page that lists them.
const PAGE: &str = include_str!("../../../../docs/leaks.md");

/// What a room's build script says under a profile: the names that it plants,
/// or nothing if it refuses.
fn planted(room: &str, profile: &str, feature: bool) -> Option<Vec<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("crates");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let program = folder.join(format!("build-{}-{number}", std::process::id()));
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let made = Command::new(rustc)
        .args(["--edition", "2024", "-o"])
        .arg(&program)
        .arg(crates.join(room).join("build.rs"))
        .status()
        .expect("rustc is there");
    assert!(made.success());
    let mut run = Command::new(&program);
    run.current_dir(crates.join(room)).env("PROFILE", profile);
    if feature {
        run.env("CARGO_FEATURE_LEAKS", "1");
    } else {
        run.env_remove("CARGO_FEATURE_LEAKS");
    }
    let done = run.output().expect("the build script runs");
    fs::remove_file(&program).expect("it was made here");
    let said = String::from_utf8(done.stdout).expect("a build script's text");
    let names = said
        .lines()
        .filter_map(|line| line.strip_prefix("cargo::rustc-cfg=leak_"));
    done.status
        .success()
        .then(|| names.map(str::to_owned).collect())
}

#[test]
fn no_release_holds_a_leak() {
    for room in ROOMS {
        let without = |profile| planted(room, profile, false);
        assert_eq!(without("release"), Some(vec![]), "{room}");
        assert_eq!(without("debug"), Some(vec![]), "{room}");
        assert_eq!(planted(room, "release", true), None, "{room}");
        assert!(planted(room, "debug", true).is_some_and(|names| !names.is_empty()));
    }
}

#[test]
fn every_planted_leak_is_on_the_page() {
    let of = |room| planted(room, "debug", true).expect("in a build for tests");
    let mut names = of("club");
    assert!(names.len() >= 10);
    for name in of("server") {
        assert!(
            names.contains(&name),
            "the club's build script knows {name}"
        );
    }
    // The doors plant their own, and have their own pairs.
    names.extend(of("doors"));
    for name in &names {
        assert!(
            PAGE.contains(&format!("| `{name}` |")),
            "docs/leaks.md: {name}"
        );
    }
}

#[cfg(feature = "leaks")]
mod opened {
    use club::leak;
    use testkit::pairs::Pair;

    use crate::{
        SEED, on_every_processor, played,
        transcript::{Difference, first_difference},
    };

    /// Pairs within which every leak must be caught.
    const CAUGHT_WITHIN: u64 = 600;

    /// By what each leak must be caught: something that stands in one of the
    /// two games, at the first difference.
    const TELLS: &[(&str, &str)] = &[
        ("clock_touched", r#"clocks\":{"#),
        ("empty_message", r#"heard\":[]"#),
        ("facts_again", r#"type\":\"game"#),
        ("ids_shared", "id-reused"),
        ("lobby_by_activity", r#"{\"seeks\":"#),
        ("lobby_tick", r#"type\":\"lobby"#),
        ("log_line", "INFO a try"),
        ("numbered_answers", "x-request-id"),
        // A delay alone: see below.
        ("one_queue", ""),
        ("private_number", r#"hearing\":{\"n\":"#),
        ("refusal_by_rows", "(at row "),
        ("room_hears_no", r#"kind\":\"no"#),
        ("stale_by_rows", "hear what came since"),
        ("why_by_truth", " moves."),
        ("words_by_truth", r#"words\":[\"any"#),
    ];

    /// The first pair that tells, by what, and whether its bytes tell too and
    /// not the moments alone.
    fn caught(name: &'static str) -> Option<(Difference, bool)> {
        (0..CAUGHT_WITHIN).find_map(|n| {
            // By turns every ruleset and every listener.
            let pair = Pair::make(SEED, n * 7 % CAUGHT_WITHIN);
            let [one, other] = [0, 1].map(|which| {
                leak::open(Some(name));
                played(&pair, which).0
            });
            leak::open(None);
            let difference = first_difference(&pair, [&one, &other])?;
            let timeless = [&one.timeless(), &other.timeless()];
            Some((difference, first_difference(&pair, timeless).is_some()))
        })
    }

    #[test]
    fn every_planted_leak_is_caught() {
        let names: Vec<&str> = leak::all().collect();
        assert_eq!(
            names,
            TELLS.iter().map(|(name, _)| *name).collect::<Vec<_>>()
        );
        let found = on_every_processor(TELLS.len() as u64, |next| {
            let one = |n: u64| (n, caught(TELLS[n as usize].0));
            std::iter::from_fn(|| next().map(one)).collect::<Vec<_>>()
        });
        let mut found: Vec<_> = found.into_iter().flatten().collect();
        found.sort_by_key(|(n, _)| *n);
        let mut wrong = Vec::new();
        for ((name, tells), (_, caught)) in TELLS.iter().zip(found) {
            let Some((d, by_bytes)) = caught else {
                wrong.push(format!("{name} is not caught"));
                continue;
            };
            println!(
                "{name:<18} | pair {:>3} | {:<12} | {:<5} | step {:>3} | {} {}",
                d.index, d.rules, d.listener, d.step, d.way, d.part
            );
            if d.is.iter().all(|is| !is.contains(tells)) {
                wrong.push(format!("{name} is caught by something else: {d}"));
            }
            if by_bytes == (*name == "one_queue") {
                wrong.push(format!("{name}: a delay, or bytes? {d}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(TELLS.len() >= 10);
        println!("count planted leaks caught {}", TELLS.len());
    }
}
