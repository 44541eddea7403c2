//! Leaks that tests plant, as `cfg(leak_NAME)`: by the feature `leaks`, and
//! never in a release.

use std::env;

/// The leaks that stand in this room; docs/leaks.md says what each tells.
const LEAKS: [&str; 6] = [
    "ics_idle",
    "ics_prompt",
    "ics_truth",
    "ks_nudge",
    "teletype_bell",
    "teletype_busy",
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
}
