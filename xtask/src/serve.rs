//! `cargo xtask serve`: builds the web page, then runs the club.
//!
//! The program embeds what `web/dist` contains at compile time, and does not build the page itself.
//! So a plain `cargo build` needs no npm.

use std::{fs, io, path::Path, process::Command};

use anyhow::{Context, Result, bail, ensure};

use crate::{run, workspace::Workspace};

/// Minimum version of Node for the tools of the page.
const MIN_NODE_VERSION: (u32, u32) = (20, 19);

/// Builds the page and runs `kriegspiel serve` with the given arguments.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    build(workspace)?;
    // The development build, because it needs far less time and the tests use it too. The chess of
    // the program is optimised in it.
    let mut all = vec!["run", "--package", "kriegspiel-cli", "--", "serve"];
    all.extend(words.iter().map(String::as_str));
    // The club inherits the terminal, so that Ctrl-C stops it.
    let status = run::command(Workspace::cargo())
        .args(all)
        .current_dir(&workspace.root)
        .status()
        .context("cannot start cargo")?;
    ensure!(status.success(), "the club ended with a failure ({status})");
    Ok(())
}

/// Builds `web/dist` if a source has changed after the last build. The program embeds
/// these files, so after a build of the page the program must be compiled again.
///
/// # Errors
/// Node is missing or too old, or the build fails.
pub fn build(workspace: &Workspace) -> Result<()> {
    install(workspace)?;
    if is_fresh(&workspace.path("web")).unwrap_or(false) {
        return Ok(());
    }
    npm(workspace, &["run", "--silent", "build"])
}

/// Checks whether the last build of the page is newer than all its sources.
fn is_fresh(web: &Path) -> io::Result<bool> {
    let built = fs::metadata(web.join("dist/index.html"))?.modified()?;
    let mut latest = fs::metadata(web.join("node_modules/.installed-lock"))?.modified()?;
    for entry in fs::read_dir(web)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            latest = latest.max(entry.metadata()?.modified()?);
        }
    }
    let mut folders = vec![web.join("src")];
    folders.extend(Some(web.join("public")).filter(|folder| folder.is_dir()));
    while let Some(folder) = folders.pop() {
        // The folder itself is included, because its time changes when a file in it is removed.
        latest = latest.max(fs::metadata(&folder)?.modified()?);
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            latest = latest.max(entry.metadata()?.modified()?);
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Ok(built > latest)
}

/// Checks, tests and builds the page.
///
/// # Errors
/// A check or a test fails, or there is one of the errors of [`build`].
pub fn check(workspace: &Workspace) -> Result<()> {
    install(workspace)?;
    for task in ["check", "test", "build"] {
        npm(workspace, &["run", "--silent", task])?;
    }
    Ok(())
}

/// Installs the npm packages if the lock file has changed since they were last installed.
fn install(workspace: &Workspace) -> Result<()> {
    let version = node()?;
    ensure!(
        version >= MIN_NODE_VERSION,
        "Node {}.{} is too old: the page is built with Node {}.{} or newer (https://nodejs.org)",
        version.0,
        version.1,
        MIN_NODE_VERSION.0,
        MIN_NODE_VERSION.1
    );
    let lock = workspace.read("web/package-lock.json")?;
    let modules = workspace.path("web/node_modules");
    let stamp = modules.join(".installed-lock");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    npm(workspace, &["ci", "--no-audit", "--no-fund"])?;
    fs::write(&stamp, lock).with_context(|| format!("writing {}", stamp.display()))
}

/// Returns the version of the installed Node.
fn node() -> Result<(u32, u32)> {
    let told = Command::new("node").arg("--version").output();
    let Ok(output) = told else {
        bail!(
            "Node is not installed: install Node {}.{} or newer with npm (https://nodejs.org, or your \
             system's packages `nodejs` and `npm`). Without it, `cargo run --release -- serve` \
             opens a club with its API and no page.",
            MIN_NODE_VERSION.0,
            MIN_NODE_VERSION.1
        );
    };
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    read_version(&text).with_context(|| format!("`node --version` says {text:?}"))
}

/// Parses a version like `v20.19.2`. The patch number is ignored.
fn read_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.strip_prefix('v')?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn npm(workspace: &Workspace, words: &[&str]) -> Result<()> {
    let web: &Path = &workspace.path("web");
    let mut all = vec!["npm"];
    all.extend(words);
    run::run(web, &all, &[("NO_COLOR", "1")])
        .map(drop)
        .context("in web/ (npm comes with Node; some systems have a separate package for npm)")
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "times of files are compared")]
    fn build_is_fresh_until_a_source_changes() -> io::Result<()> {
        let folder = TempDir::with_prefix("kriegspiel-web-")?;
        let web = folder.path();
        for folder in ["src/parts", "node_modules", "dist"] {
            fs::create_dir_all(web.join(folder))?;
        }
        let step = || std::thread::sleep(std::time::Duration::from_millis(20));
        for file in [
            "src/parts/a.ts",
            "index.html",
            "node_modules/.installed-lock",
        ] {
            fs::write(web.join(file), "")?;
        }
        assert!(
            is_fresh(web).is_err(),
            "a page that was never built is not fresh"
        );
        step();
        fs::write(web.join("dist/index.html"), "")?;
        assert!(is_fresh(web)?);
        step();
        fs::remove_file(web.join("src/parts/a.ts"))?;
        assert!(!is_fresh(web)?);
        step();
        fs::write(web.join("dist/index.html"), "")?;
        fs::write(web.join("index.html"), "changed")?;
        assert!(!is_fresh(web)?);
        Ok(())
    }

    #[test]
    fn versions_of_node_are_read() {
        for (text, version) in [
            ("v20.19.2", Some((20, 19))),
            ("v22.0.0-nightly", Some((22, 0))),
            ("20", None),
            ("", None),
        ] {
            assert_eq!(read_version(text), version, "{text}");
        }
    }
}
