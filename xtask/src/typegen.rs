//! `cargo xtask typegen`: the page's types, from the crate `wire`.

use std::{fs, process::Command};

use anyhow::{Context, Result, bail, ensure};

use crate::house::House;

/// Where they are written.
const FILE: &str = "web/src/wire.ts";

/// Writes the types, or with `--check` says whether they are out of date.
pub fn run(house: &House, words: &[String]) -> Result<()> {
    let check = match words {
        [] => false,
        [word] if word == "--check" => true,
        _ => bail!("`cargo xtask typegen` takes nothing but --check"),
    };
    let types = types(house)?;
    if !check {
        fs::write(house.path(FILE), types).with_context(|| format!("writing {FILE}"))?;
        println!("wrote {FILE}");
        return Ok(());
    }
    ensure!(
        house.read(FILE)? == types,
        "{FILE} is out of date: run `cargo xtask typegen` and commit it"
    );
    println!("{FILE} is up to date");
    Ok(())
}

/// What `wire` prints of its types.
fn types(house: &House) -> Result<String> {
    let words = [
        "run",
        "--quiet",
        "--locked",
        "--package",
        "wire",
        "--features",
        "typescript",
        "--example",
        "typescript",
    ];
    let output = Command::new(House::cargo())
        .args(words)
        .current_dir(&house.root)
        .output()
        .context("cannot start cargo")?;
    ensure!(
        output.status.success(),
        "the types cannot be printed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}
