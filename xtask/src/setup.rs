//! `cargo xtask setup`: checks which tools are installed, and installs missing ones.

use anyhow::{Result, bail};

use crate::{fuzz, run, workspace::Workspace};

/// A required tool: how to detect it, why it is needed, what to do if it is missing.
struct Tool {
    name: &'static str,
    probe: &'static [&'static str],
    why: &'static str,
    missing: Missing,
}

/// What to do if a tool is missing.
enum Missing {
    /// Install it with this cargo command.
    Install(&'static [&'static str]),
    /// Install this Debian package if the user is root; otherwise show the command.
    Package(&'static str),
    /// Stop with this instruction for the user.
    Stop(&'static str),
    /// Show this hint; the tool is optional.
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
        name: "Xvfb",
        probe: &["sh", "-c", "command -v Xvfb"],
        why: "a screen for xboard, which nobody looks at",
        missing: Missing::Package("xvfb"),
    },
    Tool {
        name: "xauth",
        probe: &["sh", "-c", "command -v xauth"],
        why: "Xvfb is started with it",
        missing: Missing::Package("xauth"),
    },
    Tool {
        name: "xboard",
        probe: &["sh", "-c", "command -v xboard || test -x /usr/games/xboard"],
        why: "the client that the ICS door is tested with",
        missing: Missing::Package("xboard"),
    },
    Tool {
        name: "xdotool",
        probe: &["sh", "-c", "command -v xdotool"],
        why: "moves a man in xboard with the mouse",
        missing: Missing::Package("xdotool"),
    },
    Tool {
        name: "import",
        probe: &["sh", "-c", "command -v import"],
        why: "looks at xboard's window",
        missing: Missing::Package("imagemagick"),
    },
    Tool {
        name: "tmux",
        probe: &["tmux", "-V"],
        why: "the terminal screens are tested in it",
        missing: Missing::Package("tmux"),
    },
    Tool {
        name: "telnet",
        probe: &["sh", "-c", "command -v telnet"],
        why: "two consoles play by it",
        missing: Missing::Package("inetutils-telnet"),
    },
    Tool {
        name: "nc",
        probe: &["sh", "-c", "command -v nc"],
        why: "a console by it shows every byte",
        missing: Missing::Package("netcat-openbsd"),
    },
    Tool {
        name: "mandoc",
        probe: &["sh", "-c", "command -v mandoc"],
        why: "the manual page is read by it",
        missing: Missing::Package("mandoc"),
    },
    Tool {
        name: "ip",
        probe: &["sh", "-c", "command -v ip"],
        why: "a network of its own, which a test breaks",
        missing: Missing::Package("iproute2"),
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

/// Checks whether Debian packages can be installed: the user is root, and apt exists.
fn package_manager() -> bool {
    run::works(&["sh", "-c", "test \"$(id -u)\" = 0"]) && run::works(&["apt-get", "--version"])
}

/// Command that installs Debian packages.
const APT: [&str; 4] = ["apt-get", "install", "--yes", "--no-install-recommends"];

/// Checks every tool, and installs missing ones with cargo or apt.
pub fn run(workspace: &Workspace, _: &[String]) -> Result<()> {
    // The Rust compiler needs no check: this program was compiled by it, and cargo
    // enforces the `rust-version` of the workspace.
    let mut stopped = Vec::new();
    let mut packages = Vec::new();
    for tool in TOOLS {
        if run::works(tool.probe) {
            println!("{:<16} there      {}", tool.name, tool.why);
            continue;
        }
        match tool.missing {
            Missing::Install(words) => {
                println!("{:<16} missing    {}", tool.name, words.join(" "));
                run::run(&workspace.root, words, &[])?;
            }
            Missing::Package(package) => {
                println!("{:<16} missing    Debian's package {package}", tool.name);
                packages.push(package);
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
    if !packages.is_empty() {
        let mut words = APT.to_vec();
        words.extend(&packages);
        if package_manager() {
            let env = [("DEBIAN_FRONTEND", "noninteractive")];
            run::run(&workspace.root, &["apt-get", "update"], &env)?;
            run::run(&workspace.root, &words, &env)?;
        } else {
            stopped.push(format!(
                "{}: run `sudo {}`, or install them as your system does",
                packages.join(", "),
                words.join(" ")
            ));
        }
    }
    if !stopped.is_empty() {
        bail!("missing: {}", stopped.join("; "));
    }
    Ok(())
}
