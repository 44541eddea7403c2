//! Leaks that tests plant, as `cfg(leak_NAME)`: by the feature `leaks`, and
//! never in a release.

use std::env;

/// Every leak; docs/leaks.md says what each tells.
const LEAKS: [&str; 15] = [
    "clock_touched",
    "empty_message",
    "facts_again",
    "ids_shared",
    "lobby_by_activity",
    "lobby_tick",
    "log_line",
    "numbered_answers",
    "one_queue",
    "private_number",
    "refusal_by_rows",
    "room_hears_no",
    "stale_by_rows",
    "why_by_truth",
    "words_by_truth",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let planted = env::var_os("CARGO_FEATURE_LEAKS").is_some();
    let release = env::var("PROFILE").is_ok_and(|profile| profile != "debug");
    assert!(
        !(planted && release),
        "the feature `leaks` is for tests alone and never in a release: build without it"
    );
    for name in LEAKS {
        println!("cargo::rustc-check-cfg=cfg(leak_{name})");
        if planted {
            println!("cargo::rustc-cfg=leak_{name}");
        }
    }
    println!("cargo::rustc-env=LEAKS={}", LEAKS.join(" "));
}
