//! Watches the built page: it is embedded when it is there, and need not be.
//! Leaks that tests plant, as `cfg(leak_NAME)`: by the feature `leaks`, and
//! never in a release.

use std::{env, path::Path};

/// The leaks that stand in this room; those of the club know them all.
const LEAKS: [&str; 3] = ["lobby_tick", "log_line", "numbered_answers"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    leaks();
    page();
}

fn leaks() {
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

fn page() {
    // A watched path that is missing would make every build a new one.
    let built = "../../web/dist";
    let source = "../../web";
    for path in [built, source] {
        if Path::new(path).is_dir() {
            println!("cargo::rerun-if-changed={path}");
            return;
        }
    }
}
