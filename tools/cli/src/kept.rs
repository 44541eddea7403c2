//! Folders for files that programs store on this machine.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// Returns the folder for all stored files, or `None` if the user has no home
/// folder.
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

/// Converts the address of a club to a folder name.
pub(super) fn club(url: &str) -> String {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    let named = |c: char| if plain(c) { c } else { '_' };
    let name: String = bare.trim_end_matches('/').chars().map(named).collect();
    // A folder name must not begin with a dot: `..` would be the parent folder.
    name.trim_start_matches('.').to_owned()
}

/// Creates a folder that only its owner can read. When this function returns, the folder's name is
/// on the disk.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let new: Vec<&Path> = folder.ancestors().take_while(is_new).collect();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    for parent in new.iter().filter_map(|made| made.parent()) {
        let parent = match parent.as_os_str().is_empty() {
            true => Path::new("."),
            false => parent,
        };
        fs::File::open(parent)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_of_a_club_becomes_a_folder_name() {
        assert_eq!(club("http://127.0.0.1:8080"), "127.0.0.1_8080");
        assert_eq!(club("https://club.example.org/"), "club.example.org");
        assert_eq!(club("[::1]:80"), "___1__80");
        assert_eq!(club("http://../x"), "_x");
    }
}
