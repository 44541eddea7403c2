//! Allowed dependencies of each crate, as data for `tidy`.

/// A crate, and rules for its dependencies.
pub struct CrateRules {
    /// Name of the crate.
    pub name: &'static str,
    /// Crates of this workspace on which this crate may depend directly.
    pub may: &'static [&'static str],
    /// Crates on which this crate must never depend directly, from this workspace or from outside.
    pub never: &'static [&'static str],
    /// Whether indirect dependencies on the crates in `never` are forbidden too.
    pub sealed: bool,
    /// Whether the docs of the crate must say what the crate must not depend on.
    pub says_so: bool,
}

/// Crates that the functional core must not depend on: serialisation, async runtime,
/// random numbers.
const SHELL: [&str; 4] = ["serde", "serde_json", "tokio", "rand"];

/// Rules of every crate. A crate that is missing here makes `tidy` fail.
#[rustfmt::skip]
pub const CRATES: &[CrateRules] = &[
    CrateRules { name: "rules", may: &[], never: &SHELL, sealed: true, says_so: true },
    CrateRules { name: "position", may: &["rules"],
        never: &["referee", "views", "serde", "serde_json", "tokio", "rand"], sealed: true, says_so: true },
    CrateRules { name: "referee", may: &["rules", "position"], never: &SHELL, sealed: true, says_so: true },
    CrateRules { name: "views", may: &["rules"],
        never: &["referee", "serde", "serde_json", "tokio", "rand"], sealed: true, says_so: true },
    CrateRules { name: "notation", may: &["rules", "views"],
        never: &["referee", "serde", "serde_json", "tokio", "rand"], sealed: true, says_so: true },
    CrateRules { name: "scores", may: &["rules", "position", "referee", "belief", "solver", "notation", "wire"],
        never: &["store", "club", "tokio", "rand"], sealed: true, says_so: true },
    CrateRules { name: "wire", may: &["rules", "views"],
        never: &["referee", "store", "tokio", "rand"], sealed: true, says_so: true },
    CrateRules { name: "bots", may: &["rules", "position", "views", "belief", "solver"],
        never: &["referee", "club", "wire", "tokio"], sealed: true, says_so: true },
    CrateRules { name: "belief", may: &["rules", "position", "views"],
        never: &["referee", "club", "store", "serde", "serde_json", "tokio", "rand"], sealed: true, says_so: true },
    CrateRules { name: "solver", may: &["rules", "position", "views", "belief"],
        never: &["referee", "club", "store", "serde", "serde_json", "tokio", "rand"], sealed: true, says_so: true },
    CrateRules { name: "arena", may: &["rules", "referee", "views", "notation", "scores", "bots", "belief", "wire"],
        never: &["tokio", "club", "server"], sealed: true, says_so: true },
    CrateRules { name: "store", may: &["rules", "referee"],
        never: &["club", "wire", "scores", "belief", "solver"], sealed: false, says_so: true },
    CrateRules { name: "club", may: &["rules", "referee", "views", "notation", "store", "limits", "wire"],
        never: &["server", "axum"], sealed: false, says_so: true },
    CrateRules { name: "limits", may: &[], never: &["rules", "referee", "club", "serde", "rand"], sealed: true, says_so: true },
    CrateRules { name: "present", may: &["rules", "views", "club", "wire", "notation"],
        never: &["referee", "server", "doors", "axum"], sealed: false, says_so: true },
    CrateRules { name: "services", may: &[],
        never: &["rules", "referee", "club", "store", "tokio"], sealed: true, says_so: true },
    CrateRules { name: "metrics", may: &["rules", "store"],
        never: &["club", "server", "wire", "serde"], sealed: false, says_so: true },
    CrateRules { name: "client", may: &["rules", "views", "wire", "bots"],
        never: &["referee", "club", "store", "server"], sealed: true, says_so: true },
    CrateRules { name: "doors", may: &["rules", "views", "club", "limits", "wire", "notation", "present", "client"],
        never: &["referee", "server", "axum"], sealed: false, says_so: true },
    CrateRules {
        name: "server",
        may: &[
            "rules", "views", "club", "limits", "wire", "notation", "scores", "problems", "bots", "present", "client",
        ],
        never: &["referee"],
        sealed: false,
        says_so: true,
    },
    CrateRules { name: "tui", may: &["rules", "views", "wire", "notation"],
        never: &["referee", "club", "store"], sealed: true, says_so: true },
    CrateRules { name: "ksref", may: &["rules", "position", "referee"],
        never: &["tokio", "server", "club"], sealed: true, says_so: true },
    CrateRules { name: "stream", may: &["rules", "referee", "views", "notation", "wire", "scores"],
        never: &["club", "store", "tokio", "rand"], sealed: true, says_so: true },
    CrateRules { name: "problems", may: &["rules", "referee", "views", "belief", "solver", "scores"],
        never: &["club", "store", "tokio"], sealed: true, says_so: true },
    CrateRules {
        name: "kriegspiel",
        may: &[
            "rules", "position", "referee", "views", "notation", "wire", "belief", "solver", "bots", "scores",
            "problems", "stream",
        ],
        never: &["club", "store", "server", "tokio"],
        sealed: true,
        says_so: false,
    },
    CrateRules {
        name: "cli",
        may: &[
            "rules", "referee", "views", "notation", "scores", "bots", "wire", "arena", "belief", "solver", "store",
            "club", "client", "doors", "metrics", "server", "tui", "ksref", "stream", "problems",
        ],
        never: &["testkit", "kriegspiel"],
        sealed: true,
        says_so: false,
    },
    CrateRules {
        name: "python",
        may: &[
            "rules", "referee", "views", "notation", "wire", "belief", "solver", "bots", "scores", "problems",
        ],
        never: &["club", "store", "server", "tokio"],
        sealed: true,
        says_so: true,
    },
    CrateRules { name: "testkit", may: &["rules", "referee", "views", "notation", "scores", "wire"],
        never: &["club", "server", "tokio"], sealed: true, says_so: false },
    CrateRules { name: "xtask", may: &["rules", "notation", "services"], never: &["referee"], sealed: true, says_so: false },
];

/// Returns the rules of the crate with this name.
pub fn rules_of(name: &str) -> Option<&'static CrateRules> {
    CRATES.iter().find(|rules| rules.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_crate_depends_on_what_it_must_never_know() {
        for rules in CRATES {
            for name in rules.may {
                assert!(!rules.never.contains(name), "{} and {name}", rules.name);
                assert!(
                    rules_of(name).is_some(),
                    "`{name}` is not a crate of this workspace"
                );
            }
        }
    }
}
