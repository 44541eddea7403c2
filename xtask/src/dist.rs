//! `cargo xtask dist`: the archive, the Debian package and the container image.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::MetadataCommand;

use crate::{crates, e2e, run, serve, supply, wheel, workspace::Workspace};

/// The glibc of Debian 11.
const TARGET: &str = "x86_64-unknown-linux-gnu.2.31";

const OUT: &str = "dist";

/// Parts of SQLite that the club does not use.
const WITHOUT: &str = "-USQLITE_ENABLE_FTS3 -USQLITE_ENABLE_FTS3_PARENTHESIS -USQLITE_ENABLE_FTS5 -USQLITE_ENABLE_RTREE";

/// Builds the program with the profile `dist`, linked against an old glibc, and packs it into
/// `target/dist`. `--check` also compiles every crate from its package and the library with the oldest
/// Rust, and tries the packages in a copy of this machine's files, as root.
/// `--smoke` packs the development build, and starts the program of the archive.
///
/// # Errors
/// A build or a check fails.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    match words {
        [] => pack(workspace, &build(workspace)?, &[]),
        [word] if word == "--check" => {
            pack(workspace, &build(workspace)?, &[])?;
            check(workspace)
        }
        [word] if word == "--smoke" => smoke(workspace),
        _ => bail!("the options are --check and --smoke"),
    }
}

/// Packs the development build, starts the program of the archive, and packs the crates.
///
/// # Errors
/// As for [`run()`].
pub fn smoke(workspace: &Workspace) -> Result<()> {
    pack(workspace, &e2e::program(workspace)?, &["fast"])?;
    let out = workspace.target().join(OUT);
    let name = format!("kriegspiel-{}-x86_64-linux", env!("CARGO_PKG_VERSION"));
    run::run(&out, &["tar", "-xzf", &format!("{name}.tar.gz")], &[])?;
    let program = format!("{name}/bin/kriegspiel");
    run::run(&out, &[&program, "--version"], &[])?;
    fs::remove_dir_all(out)?;
    packages(workspace, &["--no-verify"])
}

/// Packs every crate that can be published, as `cargo publish` would.
fn packages(workspace: &Workspace, options: &[&str]) -> Result<()> {
    let metadata = MetadataCommand::new().current_dir(&workspace.root).exec()?;
    let packages = metadata.workspace_packages().into_iter();
    let private = packages.filter(|package| package.publish.is_some());
    let private: Vec<String> = private
        .map(|package| format!("--exclude={}", package.name))
        .collect();
    let cargo = Workspace::cargo();
    // A checkout with changes can be tested, too.
    let mut words = vec![
        &*cargo,
        "package",
        "--workspace",
        "--locked",
        "--allow-dirty",
    ];
    words.extend(private.iter().map(String::as_str));
    words.extend(options);
    run::run(&workspace.root, &words, &[])?;
    let server = format!(
        "package/kriegspiel-server-{}.crate",
        env!("CARGO_PKG_VERSION")
    );
    let files = run::run_showing(&workspace.target(), &["tar", "-tzf", &server], &[], |_| {
        false
    })?;
    ensure!(
        files
            .lines
            .iter()
            .any(|file| file.ends_with("/page/index.html")),
        "the package of the server has no page"
    );
    Ok(())
}

/// Lets each sample bot play ten games.
///
/// # Errors
/// A build fails, or a bot does not play.
pub fn sample_bots(workspace: &Workspace) -> Result<()> {
    let program = e2e::program(workspace)?;
    let cargo = Workspace::cargo();
    let words = [
        &cargo,
        "build",
        "--workspace",
        "--locked",
        "--example",
        "bot",
    ];
    run::run(&workspace.root, &words, &[])?;
    let bot = program.with_file_name("examples").join("bot");
    let texts = [&program, &bot].map(|path| path.to_str().context("the path is not text"));
    let [program, bot] = texts;
    let words = ["python3", "examples/bots/check.py", program?, bot?];
    run::run(&workspace.root, &words, &[]).map(drop)
}

fn build(workspace: &Workspace) -> Result<std::path::PathBuf> {
    serve::build(workspace)?;
    let bin = wheel::tools(workspace)?;
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", bin.display());
    let folder = workspace.target().join("dist-build");
    let folder = folder.to_str().context("the path is not text")?;
    let words = [
        "cargo-zigbuild",
        "zigbuild",
        "--locked",
        "--profile",
        "dist",
        "--package",
        "kriegspiel-cli",
        "--target",
        TARGET,
        "--target-dir",
        folder,
    ];
    let env = [("PATH", path.as_str()), ("LIBSQLITE3_FLAGS", WITHOUT)];
    run::run(&workspace.root, &words, &env)?;
    Ok(Path::new(folder).join("x86_64-unknown-linux-gnu/dist/kriegspiel"))
}

fn pack(workspace: &Workspace, program: &Path, options: &[&str]) -> Result<()> {
    let out = workspace.target().join(OUT);
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    supply::write_bill(workspace)?;
    let bill = workspace.target().join(supply::BILL);
    let texts = [program, &out, &bill].map(|path| path.to_str().context("the path is not text"));
    let [program, out, bill] = texts;
    let version = env!("CARGO_PKG_VERSION");
    let script = "packaging/package.py";
    let words = ["python3", script, program?, version, out?, bill?];
    run::run(&workspace.root, &[&words[..], options].concat(), &[]).map(drop)
}

/// Compiles the library with the oldest Rust that it allows, and compares what it offers with the last
/// release, if there is one.
fn library(workspace: &Workspace) -> Result<()> {
    let oldest = format!("{}.0", env!("CARGO_PKG_RUST_VERSION"));
    let words = [
        &["rustup", "run", "--install", &oldest][..],
        &["cargo", "check", "--locked", "-p", "kriegspiel"],
        &["--features", "full"],
    ];
    run::run(&workspace.root, &words.concat(), &[])?;
    let last = workspace.git(&["describe", "--tags", "--abbrev=0", "--match", "v*"]);
    if last.is_empty() {
        println!("no release yet: nothing that the library could break");
        return Ok(());
    }
    // The tool sees what a crate defines, not what it re-exports.
    let parts = crates::rules_of("kriegspiel").map_or(&[][..], |rules| rules.may);
    let packages: Vec<String> = parts
        .iter()
        .map(|name| format!("-pkriegspiel-{name}"))
        .collect();
    let cargo = Workspace::cargo();
    let mut words = vec![
        &*cargo,
        "semver-checks",
        "--all-features",
        "--baseline-rev",
        &last,
        "-pkriegspiel",
    ];
    words.extend(packages.iter().map(String::as_str));
    run::run(&workspace.root, &words, &[])
        .context("`cargo install cargo-semver-checks --locked` installs the tool")
        .map(drop)
}

fn check(workspace: &Workspace) -> Result<()> {
    packages(workspace, &[])?;
    library(workspace)?;
    let out = workspace.target().join(OUT);
    let version = env!("CARGO_PKG_VERSION");
    let package = out.join(format!("kriegspiel_{version}_amd64.deb"));
    let image = out.join(format!("kriegspiel-{version}-image.tar"));
    let texts = [&package, &image].map(|path| path.to_str().context("the path is not text"));
    let [package, image] = texts;
    let words = ["packaging/check.sh", package?, image?];
    run::run(&workspace.root, &words, &[]).map(drop)
}
