//! `cargo xtask setup`: checks which tools are installed, and installs missing ones.

use anyhow::{Result, bail};

use crate::{run, workspace::Workspace};

/// A tool: how to detect it, why it is needed, and what to do if it is missing.
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
}

#[rustfmt::skip]
const TOOLS: &[Tool] = &[
    Tool { name: "rustfmt", probe: &["cargo", "fmt", "--version"], why: "formats all code", missing: Missing::Stop("rustup component add rustfmt") },
    Tool {
        name: "clippy",
        probe: &["cargo", "clippy", "--version"],
        why: "checks the lints of the workspace",
        missing: Missing::Stop("rustup component add clippy"),
    },
    Tool {
        name: "git",
        probe: &["git", "--version"],
        why: "lists the tracked files for `tidy`",
        missing: Missing::Stop("install git with your system's packages"),
    },
    Tool {
        name: "python3",
        probe: &["python3", "-m", "venv", "--help"],
        why: "runs python-chess, which reads our PGN, in a virtual environment",
        missing: Missing::Stop("install Python 3 with its venv from your system's packages"),
    },
    Tool {
        name: "node",
        probe: &["npm", "--version"],
        why: "builds the page of the club",
        missing: Missing::Stop("install Node 20.19 or newer, with npm (https://nodejs.org)"),
    },
    Tool { name: "chromium", probe: &["chromium", "--version"], why: "tests the page in a real browser", missing: Missing::Package("chromium") },
    Tool { name: "Xvfb", probe: &["sh", "-c", "command -v Xvfb"], why: "provides a virtual screen for xboard", missing: Missing::Package("xvfb") },
    Tool { name: "xauth", probe: &["sh", "-c", "command -v xauth"], why: "starts Xvfb", missing: Missing::Package("xauth") },
    Tool {
        name: "xboard",
        probe: &["sh", "-c", "command -v xboard || test -x /usr/games/xboard"],
        why: "plays at the door for chess clients in tests",
        missing: Missing::Package("xboard"),
    },
    Tool { name: "xdotool", probe: &["sh", "-c", "command -v xdotool"], why: "moves a man in xboard with the mouse", missing: Missing::Package("xdotool") },
    Tool { name: "import", probe: &["sh", "-c", "command -v import"], why: "takes pictures of xboard's window", missing: Missing::Package("imagemagick") },
    Tool { name: "tmux", probe: &["tmux", "-V"], why: "provides terminals for tests", missing: Missing::Package("tmux") },
    Tool { name: "telnet", probe: &["sh", "-c", "command -v telnet"], why: "plays as a console in tests", missing: Missing::Package("inetutils-telnet") },
    Tool { name: "nc", probe: &["sh", "-c", "command -v nc"], why: "plays as a console that shows every byte", missing: Missing::Package("netcat-openbsd") },
    Tool { name: "mandoc", probe: &["sh", "-c", "command -v mandoc"], why: "checks the manual pages", missing: Missing::Package("mandoc") },
    Tool { name: "ip", probe: &["sh", "-c", "command -v ip"], why: "creates a separate network, which tests interrupt", missing: Missing::Package("iproute2") },
    Tool {
        name: "postgres",
        probe: &[
            "sh",
            "-c",
            "command -v postgres || ls /usr/lib/postgresql/*/bin/postgres",
        ],
        why: "is the database of a club on several machines",
        missing: Missing::Package("postgresql"),
    },
    Tool { name: "setpriv", probe: &["setpriv", "--version"], why: "runs PostgreSQL under another account than root", missing: Missing::Package("util-linux") },
    Tool {
        name: "strace",
        probe: &["strace", "--version"],
        why: "shows that a row is on the disk before it is sent",
        missing: Missing::Stop("install strace with your system's packages"),
    },
    Tool {
        name: "unshare",
        probe: &["unshare", "-Urmn", "true"],
        why: "provides a full disk and a read-only disk for tests",
        missing: Missing::Stop(
            "install util-linux, and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)",
        ),
    },
    Tool {
        name: "cargo-nextest",
        probe: &["cargo", "nextest", "--version"],
        why: "runs the tests",
        missing: Missing::Install(&["cargo", "install", "cargo-nextest", "--locked"]),
    },
];

/// Checks whether Debian packages can be installed: the user is root, and apt exists.
fn package_manager() -> bool {
    run::works(&["sh", "-c", "test \"$(id -u)\" = 0"]) && run::works(&["apt-get", "--version"])
}

/// Command that installs Debian packages.
const APT: [&str; 4] = ["apt-get", "install", "--yes", "--no-install-recommends"];

/// Checks some tools, by name, and installs missing ones. Prints nothing if none is missing.
///
/// # Errors
/// A tool is missing and cannot be installed. The error says how to install it.
pub fn require(workspace: &Workspace, names: &[&str]) -> Result<()> {
    let is_missing = |tool: &&Tool| names.contains(&tool.name) && !run::works(tool.probe);
    let missing: Vec<&Tool> = TOOLS.iter().filter(is_missing).collect();
    check(workspace, &missing)
}

/// Checks all tools but some, and installs missing ones.
///
/// # Errors
/// See [`require`].
pub fn require_without(workspace: &Workspace, names: &[&str]) -> Result<()> {
    let others = TOOLS.iter().filter(|tool| !names.contains(&tool.name));
    check(workspace, &others.collect::<Vec<_>>())
}

/// Checks every tool, and installs missing ones with cargo or apt.
pub fn run(workspace: &Workspace, _: &[String]) -> Result<()> {
    check(workspace, &TOOLS.iter().collect::<Vec<_>>())
}

fn check(workspace: &Workspace, tools: &[&Tool]) -> Result<()> {
    // The Rust compiler needs no check: it has compiled this program, and cargo enforces the
    // `rust-version` of the workspace.
    let mut stopped = Vec::new();
    let mut packages = Vec::new();
    for tool in tools {
        if run::works(tool.probe) {
            println!("{:<16} installed  {}", tool.name, tool.why);
            continue;
        }
        match tool.missing {
            Missing::Install(words) => {
                println!("{:<16} missing    {}", tool.name, words.join(" "));
                run::run(&workspace.root, words, &[])?;
            }
            Missing::Package(package) => {
                println!("{:<16} missing    Debian package {package}", tool.name);
                packages.push(package);
            }
            Missing::Stop(how) => {
                println!("{:<16} missing    {how}", tool.name);
                stopped.push(format!("{}: {how}", tool.name));
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
                "{}: run `sudo {}`, or install these packages with the package manager of your system",
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
