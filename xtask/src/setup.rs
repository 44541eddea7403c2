//! `cargo xtask setup`: what this machine needs.

use anyhow::{Result, bail};

use crate::{fuzz, house::House, run};

/// A tool: how to ask for it, and how it is installed by us.
struct Tool {
    name: &'static str,
    probe: &'static [&'static str],
    why: &'static str,
    missing: Missing,
}

/// What to do about a tool that is not there.
enum Missing {
    /// It is fetched by cargo.
    Install(&'static [&'static str]),
    /// It is a package of Debian: root installs it, anybody else is told how.
    Package(&'static str),
    /// The person must act.
    Stop(&'static str),
    /// The house does without.
    Optional(&'static str),
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "rustfmt",
        probe: &["cargo", "fmt", "--version"],
        why: "one dress for all code",
        missing: Missing::Stop("rustup component add rustfmt"),
    },
    Tool {
        name: "clippy",
        probe: &["cargo", "clippy", "--version"],
        why: "the lints of the workspace",
        missing: Missing::Stop("rustup component add clippy"),
    },
    Tool {
        name: "git",
        probe: &["git", "--version"],
        why: "tidy reads the tracked files",
        missing: Missing::Stop("install git with your system's packages"),
    },
    Tool {
        name: "a C++ compiler",
        probe: &["c++", "--version"],
        why: "the fuzzing engine is C++; the product itself is not",
        missing: Missing::Stop("install g++ or clang with your system's packages"),
    },
    Tool {
        name: "python3",
        probe: &["python3", "-m", "venv", "--help"],
        why: "python-chess reads our PGN, in a place of its own",
        missing: Missing::Stop("install Python 3 with its venv from your system's packages"),
    },
    Tool {
        name: "node",
        probe: &["npm", "--version"],
        why: "builds the page of the club",
        missing: Missing::Stop("install Node 20.19 or newer, with npm (https://nodejs.org)"),
    },
    Tool {
        name: "chromium",
        probe: &["chromium", "--version"],
        why: "the page is tested in a real browser",
        missing: Missing::Package("chromium"),
    },
    Tool {
        name: "strace",
        probe: &["strace", "--version"],
        why: "a test watches that the disk has it before anyone hears",
        missing: Missing::Stop("install strace with your system's packages"),
    },
    Tool {
        name: "unshare",
        probe: &["unshare", "-Urmn", "true"],
        why: "a full disk and a read-only one, for tests",
        missing: Missing::Stop(
            "install util-linux, and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)",
        ),
    },
    Tool {
        name: "cargo-nextest",
        probe: &["cargo", "nextest", "--version"],
        why: "runs tests of several crates side by side",
        missing: Missing::Optional("cargo install cargo-nextest --locked"),
    },
    Tool {
        name: "cargo-fuzz",
        probe: &["cargo", "fuzz", "--version"],
        why: "runs the fuzz targets",
        missing: Missing::Install(&fuzz::INSTALL),
    },
];

/// Whether we may install Debian's packages: we are root, and apt is there.
fn package_manager() -> bool {
    run::works(&["sh", "-c", "test \"$(id -u)\" = 0"]) && run::works(&["apt-get", "--version"])
}

/// Checks every tool and installs what cargo and Debian can bring.
pub fn run(house: &House, _: &[String]) -> Result<()> {
    // This program was compiled, so rustc is there and new enough: the
    // workspace names its `rust-version`, and cargo keeps to it.
    let mut stopped = Vec::new();
    for tool in TOOLS {
        if run::works(tool.probe) {
            println!("{:<16} there      {}", tool.name, tool.why);
            continue;
        }
        match tool.missing {
            Missing::Install(words) => {
                println!("{:<16} missing    {}", tool.name, words.join(" "));
                run::run(&house.root, words, &[])?;
            }
            Missing::Package(package) => {
                let how = format!("apt-get install --yes --no-install-recommends {package}");
                println!("{:<16} missing    {how}", tool.name);
                if !package_manager() {
                    stopped.push(format!(
                        "{}: run `sudo {how}`, or install it as your system does",
                        tool.name
                    ));
                    continue;
                }
                let words: Vec<&str> = how.split(' ').collect();
                let env = [("DEBIAN_FRONTEND", "noninteractive")];
                run::run(&house.root, &["apt-get", "update"], &env)?;
                run::run(&house.root, &words, &env)?;
            }
            Missing::Stop(how) => {
                println!("{:<16} missing    {how}", tool.name);
                stopped.push(format!("{}: {how}", tool.name));
            }
            Missing::Optional(how) => {
                println!("{:<16} optional   {how}", tool.name);
            }
        }
    }
    if !stopped.is_empty() {
        bail!("missing: {}", stopped.join("; "));
    }
    Ok(())
}
