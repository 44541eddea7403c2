//! Watches the built page: it is embedded when it is there, and need not be.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
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
