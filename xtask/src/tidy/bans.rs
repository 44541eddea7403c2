//! Checks that no banned crate is used, and that some crates have only one version.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace::Workspace;

/// Crates that must not be in the lock file, as (crate, reason).
const BANNED: &[(&str, &str)] = &[
    (
        "aws-lc-sys",
        "the TLS provider of this project is ring; with two providers, rustls panics at its first use",
    ),
    ("openssl-sys", "the TLS provider of this project is ring"),
    ("native-tls", "the TLS provider of this project is ring"),
    ("chess", "unsound public interface, last release in 2021"),
];

/// Crates that may have only one major version in the workspace.
const SINGLE: &[Single] = &[
    Single {
        name: "shakmaty",
        excused: &[],
    },
    Single {
        name: "serde",
        excused: &[],
    },
    Single {
        name: "clap",
        excused: &[],
    },
    Single {
        name: "rand",
        // The property tests and the WebSocket use an older version.
        excused: &["proptest", "rand_xorshift", "tungstenite"],
    },
];

/// A crate that may have only one major version, and the crates that may still use another version.
struct Single {
    name: &'static str,
    excused: &'static [&'static str],
}

/// All packages must come from this source.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Looks for banned crates, second major versions and packages from other sources.
pub fn check(_: &Workspace, metadata: &Metadata) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for package in &metadata.packages {
        for (name, why) in BANNED {
            if package.name.as_str() == *name {
                wrong.push(format!("{name} is banned: {why}"));
            }
        }
        if let Some(source) = &package.source
            && source.repr != REGISTRY
        {
            wrong.push(format!("{} does not come from the registry", package.name));
        }
    }
    for single in SINGLE {
        let majors = majors(metadata, single);
        if majors.len() > 1 {
            wrong.push(format!(
                "the lock file has {} in {} major versions: {}",
                single.name,
                majors.len(),
                majors
                    .iter()
                    .map(|(major, users)| format!("{major} (for {})", users.join(", ")))
                    .collect::<Vec<_>>()
                    .join(", ")
            ));
        }
    }
    Ok(wrong)
}

/// Returns the major versions of a crate, each with its users, except the exempt users.
fn majors(metadata: &Metadata, single: &Single) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for node in metadata.resolve.iter().flat_map(|r| &r.nodes) {
        let user = &metadata[&node.id];
        if single.excused.contains(&user.name.as_str()) {
            continue;
        }
        for dep in &node.deps {
            let used = &metadata[&dep.pkg];
            if used.name.as_str() == single.name {
                let version = &used.version;
                let major = if version.major == 0 {
                    format!("0.{}", version.minor)
                } else {
                    version.major.to_string()
                };
                found
                    .entry(major)
                    .or_default()
                    .insert(user.name.to_string());
            }
        }
    }
    found
        .into_iter()
        .map(|(major, users)| (major, users.into_iter().collect()))
        .collect()
}
