//! `cargo xtask wheel`: the Python package.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
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

/// Builds the wheel and the sdist into `target/wheels`. `--check` also tests them (all steps, or the
/// named ones), `--stubs` writes the stubs, and `--smoke` only plays one game with a development build.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    match words {
        [] => {
            build(workspace)?;
            println!("{}", wheel(workspace)?.display());
            Ok(())
        }
        [word, steps @ ..] if word == "--check" => check(workspace, steps),
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

/// Builds the wheel and the sdist.
fn build(workspace: &Workspace) -> Result<()> {
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
    maturin(workspace, &["sdist", "--out", out])
}

fn wheel(workspace: &Workspace) -> Result<PathBuf> {
    find(&workspace.target().join("wheels"), ".whl")
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

/// A name, and what it checks. A step uses what the steps before it made.
type Step = (&'static str, fn(&Workspace) -> Result<()>);

const STEPS: [Step; 7] = [
    ("build", build),
    ("stubs", check_stubs),
    ("install", install),
    ("tests", |workspace| {
        e2e::program(workspace)?; // the arena, for the variable KRIEGSPIEL
        let tests = workspace.path(FOLDER).join("tests");
        let words = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider"];
        python(
            workspace,
            "check",
            &[&words[..], &["--durations=12", text(&tests)?]].concat(),
        )
    }),
    ("comparison", |workspace| {
        python(workspace, "check", &["-m", "kriegspiel.compare_openspiel"])
    }),
    ("speed", |workspace| {
        python(workspace, "check", &["-m", "kriegspiel.speed", "--strict"])
    }),
    ("sdist", |workspace| {
        let sdist = find(&workspace.target().join("wheels"), ".tar.gz")?;
        let fresh = environment(workspace, "sdist")?;
        pip(workspace, &fresh, &[text(&sdist)?])?;
        let smoke = workspace.path(FOLDER).join("smoke.py");
        python(workspace, "sdist", &[text(&smoke)?])
    }),
];

/// Runs all steps, or those named.
fn check(workspace: &Workspace, names: &[String]) -> Result<()> {
    let known = STEPS.map(|(name, _)| name);
    for name in names {
        let text = known.join(", ");
        ensure!(
            known.contains(&name.as_str()),
            "no step `{name}`; the steps are {text}"
        );
    }
    for (name, step) in STEPS {
        if names.is_empty() || names.iter().any(|word| word == name) {
            println!("== {name}");
            let started = Instant::now();
            step(workspace).with_context(|| format!("step `{name}`"))?;
            println!("{name} took {} s", started.elapsed().as_secs());
        }
    }
    Ok(())
}

/// The stubs are those of the docs, and the types agree.
fn check_stubs(workspace: &Workspace) -> Result<()> {
    let folder = workspace.path(FOLDER);
    ensure!(
        stubs(workspace)? == fs::read_to_string(folder.join(STUBS))?,
        "{FOLDER}/{STUBS} is not what the docs say: run `cargo xtask wheel --stubs`"
    );
    let python = tools(workspace)?.join("python");
    let words = ["-m", "mypy", "--ignore-missing-imports", "--package"];
    let words = [&[text(&python)?], &words[..], &["kriegspiel"]].concat();
    run::run(&folder.join("python"), &words, &[]).map(drop)
}

/// Installs the wheel and what its tests need, without Rust.
fn install(workspace: &Workspace) -> Result<()> {
    let python = environment(workspace, "check")?;
    let wheel = wheel(workspace)?;
    let started = Instant::now();
    let words = ["--only-binary", ":all:"];
    pip(workspace, &python, &[&words[..], &[text(&wheel)?]].concat())?;
    println!("the wheel alone took {} s", started.elapsed().as_secs());
    let package = format!("{}[test]", text(&wheel)?);
    pip(workspace, &python, &[&words[..], &[&package]].concat())
}

/// Runs Python of an environment where neither Rust nor the sources of the package are found.
fn python(workspace: &Workspace, name: &str, words: &[&str]) -> Result<()> {
    let program = workspace.target().join("debug/kriegspiel");
    let env = [
        ("PATH", "/usr/bin:/bin"),
        ("PYTHONPATH", ""),
        ("KRIEGSPIEL", text(&program)?),
    ];
    let python = workspace
        .target()
        .join("python")
        .join(name)
        .join("bin/python");
    let words = [&[text(&python)?], words].concat();
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
