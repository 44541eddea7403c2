//! Build script: rebuilds the crate when the built web page changes, because the crate embeds
//! that page if it exists.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A watched path must exist, because otherwise Cargo rebuilds the crate every time.
    let built = "../../web/dist";
    let source = "../../web";
    for path in [built, source] {
        if Path::new(path).is_dir() {
            println!("cargo::rerun-if-changed={path}");
            return;
        }
    }
}
