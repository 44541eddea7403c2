//! The repository: where it is, which files it tracks.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use cargo_metadata::Package;

/// The root of the repository.
pub struct Workspace {
    /// Its folder.
    pub root: PathBuf,
}

impl Workspace {
    /// The repository that this program was built from.
    pub fn open() -> Result<Workspace> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.parent().context("xtask lies in the repository")?;
        ensure!(root.join("crates").is_dir(), "no crates/ beside xtask/");
        Ok(Workspace {
            root: root.to_owned(),
        })
    }

    /// A path of the repository.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The text of a file.
    pub fn read(&self, relative: &str) -> Result<String> {
        fs::read_to_string(self.path(relative)).with_context(|| format!("reading {relative}"))
    }

    /// The cargo that runs us.
    pub fn cargo() -> String {
        std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
    }

    /// Returns the folder where cargo puts what it builds.
    pub fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.path("target"), PathBuf::from)
    }

    /// Folder of a package, by path from the root.
    pub fn folder(&self, package: &Package) -> String {
        let manifest = package.manifest_path.as_std_path();
        manifest
            .parent()
            .and_then(|dir| dir.strip_prefix(&self.root).ok())
            .map(|dir| dir.to_string_lossy().replace('\\', "/"))
            .unwrap_or_default()
    }

    /// One line from git; empty where there is no git.
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

    /// Every tracked file that exists, by path from the root, sorted.
    pub fn tracked(&self) -> Result<Vec<String>> {
        let listed = self.git(&["ls-files", "-z"]);
        ensure!(!listed.is_empty(), "git lists no file here");
        let mut files: Vec<String> = listed
            .split('\0')
            .filter(|file| !file.is_empty() && self.path(file).is_file())
            .map(str::to_owned)
            .collect();
        files.sort();
        Ok(files)
    }
}
