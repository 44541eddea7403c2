//! Build script: rebuilds the crate when the built web page changes, because the crate embeds
//! that page if it exists.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Only existing paths are watched, because Cargo rebuilds the crate every time if a watched
    // path is missing.
    for path in ["page", "../../web"] {
        if Path::new(path).is_dir() {
            println!("cargo::rerun-if-changed={path}");
            return;
        }
    }
}
