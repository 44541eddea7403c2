//! Where commands keep what is this machine's alone.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// The folder of all that is kept; `None` without a home.
pub(super) fn base() -> Option<PathBuf> {
    let set = |name: &str| {
        env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let base = set("XDG_STATE_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| set("HOME").map(|home| home.join(".local/state")))?;
    Some(base.join("kriegspiel"))
}

/// Makes a folder that nobody else may look into.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
