//! `cargo xtask wheel`: the Python package.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

use crate::{e2e, run, workspace::Workspace};

/// glibc 2.17 or later: the oldest that the standard library of Rust supports.
const COMPATIBILITY: &str = "manylinux_2_17";

/// Build tools from PyPI.
const TOOLS: [&str; 5] = [
    "maturin==1.16.0",
    "cargo-zigbuild==0.24.1",
    "ziglang==0.15.2",
    "mypy",
    "numpy",
];

const FOLDER: &str = "tools/python";
const STUBS: &str = "python/kriegspiel/_kriegspiel.pyi";

/// Optimised like the program, but linked in less time.
const PROFILE: [(&str, &str); 2] = [
    ("CARGO_PROFILE_RELEASE_LTO", "thin"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
];

/// Builds the wheel and the sdist into `target/wheels`. `--check` also tests them, `--stubs` writes the
/// stubs, and `--smoke` only plays one game with a development build.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    match words {
        [] => build(workspace).map(|wheel| println!("{}", wheel.display())),
        [word] if word == "--check" => check(workspace),
        [word] if word == "--stubs" => {
            let stubs = stubs(workspace)?;
            Ok(fs::write(workspace.path(FOLDER).join(STUBS), stubs)?)
        }
        [word] if word == "--smoke" => smoke(workspace),
        _ => bail!("the options are --check, --stubs and --smoke"),
    }
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().context("the path is not text")
}

/// Makes a virtual environment, and returns its program `python`.
fn environment(workspace: &Workspace, name: &str) -> Result<PathBuf> {
    let folder = workspace.target().join("python").join(name);
    let words = ["python3", "-m", "venv", "--clear", text(&folder)?];
    run::run(&workspace.path("."), &words, &[])
        .context("python3 with the module venv is needed")?;
    Ok(folder.join("bin/python"))
}

fn pip(workspace: &Workspace, python: &Path, packages: &[&str]) -> Result<()> {
    let words = [text(python)?, "-m", "pip", "install", "--quiet"];
    run::run(
        &workspace.path("."),
        &[&words[..], packages].concat(),
        &PROFILE,
    )
    .map(drop)
}

/// Makes an environment with the build tools, and returns the folder of its programs.
///
/// # Errors
/// Python is missing, or a package cannot be installed.
pub fn tools(workspace: &Workspace) -> Result<PathBuf> {
    let python = workspace.target().join("python/tools/bin/python");
    let marker = workspace.target().join("python/tools/installed");
    if fs::read_to_string(&marker).ok() != Some(TOOLS.join(" ")) {
        let python = environment(workspace, "tools")?;
        pip(workspace, &python, &TOOLS)?;
        fs::write(marker, TOOLS.join(" "))?;
    }
    let bin = python.parent().context("a program is in a folder")?;
    Ok(bin.to_owned())
}

fn maturin(workspace: &Workspace, words: &[&str]) -> Result<()> {
    let bin = tools(workspace)?;
    let python = bin.join("python");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", bin.display());
    let mut all = vec![text(&python)?, "-m", "maturin"];
    all.extend(words);
    let env: Vec<_> = PROFILE
        .into_iter()
        .chain([("PATH", path.as_str())])
        .collect();
    run::run(&workspace.path(FOLDER), &all, &env).map(drop)
}

/// Builds the wheel and the sdist. Returns the path of the wheel.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let target = workspace.target();
    let (out, rel) = (target.join("wheels"), target.join("rel"));
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    let (out, rel) = (text(&out)?, text(&rel)?);
    let words = ["build", "--release", "--zig", "--compatibility"];
    let places = ["--locked", "--target-dir", rel, "--out", out];
    let words = [&words[..], &[COMPATIBILITY], &places[..]].concat();
    maturin(workspace, &words)?;
    maturin(workspace, &["sdist", "--out", out])?;
    find(Path::new(out), ".whl")
}

fn find(folder: &Path, end: &str) -> Result<PathBuf> {
    let mut files = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let found = files.find(|path| path.to_str().is_some_and(|path| path.ends_with(end)));
    found.with_context(|| format!("{} has no file {end}", folder.display()))
}

/// Returns the stubs that the docs of the Rust code give.
fn stubs(workspace: &Workspace) -> Result<String> {
    let out = workspace.target().join("python/stubs");
    let target = workspace.target();
    let words = ["generate-stubs", "--profile", "dev", "--target-dir"];
    let words = [&words[..], &[text(&target)?, "--out", text(&out)?]].concat();
    maturin(workspace, &words)?;
    let stubs = fs::read_to_string(find(&out.join("kriegspiel"), ".pyi")?)?;
    // What the generator does not know: arrays, types in annotations, and the exceptions.
    let stubs = stubs.replace(
        "def __getattr__(name: str) -> Incomplete: ...\n",
        "class KriegspielError(ValueError): ...\nclass Refused(KriegspielError): ...\nclass Secret(KriegspielError): ...\n",
    );
    let stubs = stubs.replace(
        "from _typeshed import Incomplete\n",
        "from collections.abc import Iterable, Sequence\n\nimport numpy as np\n\nfrom ._types import Heard\n",
    );
    Ok(stubs.replace("-> Incomplete:", "-> np.ndarray:"))
}

/// Tests the wheel in a fresh environment without Rust, prints its speeds, and builds the sdist in
/// another environment.
fn check(workspace: &Workspace) -> Result<()> {
    let wheel = build(workspace)?;
    let folder = workspace.path(FOLDER);
    let committed = fs::read_to_string(folder.join(STUBS))?;
    ensure!(
        stubs(workspace)? == committed,
        "{FOLDER}/{STUBS} is not what the docs say: run `cargo xtask wheel --stubs`"
    );
    let python = workspace.target().join("python/tools/bin/python");
    let words = ["-m", "mypy", "--ignore-missing-imports", "--package"];
    let words = [&[text(&python)?], &words[..], &["kriegspiel"]].concat();
    run::run(&folder.join("python"), &words, &[])?;
    let program = e2e::program(workspace)?;
    let python = environment(workspace, "check")?;
    let package = format!("{}[test]", text(&wheel)?);
    pip(workspace, &python, &["--only-binary", ":all:", &package])?;
    // Neither Rust nor the sources of the package may be found.
    let env = [
        ("PATH", "/usr/bin:/bin"),
        ("PYTHONPATH", ""),
        ("KRIEGSPIEL", text(&program)?),
    ];
    let (python, tests) = (text(&python)?, folder.join("tests"));
    let words = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider"];
    let words = [&[python], &words[..], &[text(&tests)?]].concat();
    run::run(&workspace.target(), &words, &env)?;
    let words = [python, "-m", "kriegspiel.speed"];
    run::run(&workspace.target(), &words, &env)?;
    let sdist = find(&workspace.target().join("wheels"), ".tar.gz")?;
    let python = environment(workspace, "sdist")?;
    pip(workspace, &python, &[text(&sdist)?])?;
    let smoke = folder.join("smoke.py");
    let words = [text(&python)?, text(&smoke)?];
    run::run(&workspace.target(), &words, &env).map(drop)
}

/// Plays one game with a development build, without numpy.
pub fn smoke(workspace: &Workspace) -> Result<()> {
    // The words `--workspace` and `--test` choose the features with which the tests were compiled.
    let words = ["build", "--workspace", "--locked", "--quiet", "--lib"];
    let cargo = Workspace::cargo();
    let words = [&[cargo.as_str()], &words[..], &["--test", "command"]].concat();
    run::run(&workspace.path("."), &words, &[])?;
    let site = workspace.target().join("python/site");
    let package = site.join("kriegspiel");
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    fs::create_dir_all(&package)?;
    for entry in fs::read_dir(workspace.path(FOLDER).join("python/kriegspiel"))? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::copy(&path, package.join(name))?;
        }
    }
    let name = format!(
        "{}kriegspiel_umpire{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let built = workspace.target().join("debug").join(name);
    fs::copy(built, package.join("_kriegspiel.abi3.so"))?;
    let program = workspace.path(FOLDER).join("smoke.py");
    let env = [("PYTHONPATH", text(&site)?)];
    run::run(&workspace.path("."), &["python3", text(&program)?], &env).map(drop)
}
