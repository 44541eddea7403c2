//! The repository: its paths and its tracked files.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use cargo_metadata::Package;

/// Folders of the crates.
pub const WINGS: [&str; 6] = ["game", "mind", "club", "terminal", "files", "tools"];

/// Returns the name of a crate: the package's name without `kriegspiel-`.
pub fn crate_name(package: &str) -> &str {
    package.strip_prefix("kriegspiel-").unwrap_or(package)
}

/// Returns the crate of a file in a wing, and the rest of the path.
pub fn owner(file: &str) -> Option<(&str, &str)> {
    let (wing, rest) = file.split_once('/')?;
    WINGS.contains(&wing).then(|| rest.split_once('/'))?
}

/// The repository that contains this program's source.
pub struct Workspace {
    /// Root folder.
    pub root: PathBuf,
}

impl Workspace {
    /// Returns the repository from which this program was built.
    pub fn open() -> Result<Workspace> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest
            .parent()
            .context("the folder xtask has no parent folder")?;
        ensure!(
            root.join(WINGS[0]).is_dir(),
            "no {}/ beside xtask/",
            WINGS[0]
        );
        Ok(Workspace {
            root: root.to_owned(),
        })
    }

    /// Returns the full path of a path relative to the root.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Reads a text file, given by its path from the root.
    pub fn read(&self, relative: &str) -> Result<String> {
        fs::read_to_string(self.path(relative)).with_context(|| format!("reading {relative}"))
    }

    /// Returns the path of the cargo program that runs this task.
    pub fn cargo() -> String {
        std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
    }

    /// Returns the folder for build output.
    pub fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.path("target"), PathBuf::from)
    }

    /// Returns the folder of a package, as a path from the root.
    pub fn folder(&self, package: &Package) -> String {
        let manifest = package.manifest_path.as_std_path();
        manifest
            .parent()
            .and_then(|dir| dir.strip_prefix(&self.root).ok())
            .map(|dir| dir.to_string_lossy().replace('\\', "/"))
            .unwrap_or_default()
    }

    /// Returns the output of a git command; empty if the command fails.
    pub fn git(&self, arguments: &[&str]) -> String {
        Command::new("git")
            .args(arguments)
            .current_dir(&self.root)
            .output()
            .ok()
            .filter(|output| output.status.success())
            .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
            .unwrap_or_default()
    }

    /// Returns every tracked file that exists, except links, as paths from the root, sorted.
    pub fn tracked(&self) -> Result<Vec<String>> {
        let listed = self.git(&["ls-files", "-z"]);
        ensure!(!listed.is_empty(), "git lists no tracked files");
        let mut files: Vec<String> = listed
            .split('\0')
            .filter(|file| {
                let path = self.path(file);
                !file.is_empty() && path.is_file() && !path.is_symlink()
            })
            .map(str::to_owned)
            .collect();
        files.sort();
        Ok(files)
    }
}
