//! The file in which a refereed game is kept while it is played.
//!
//! The file is a transcript. Every line is on the disk before its answer is shown, so a crash
//! loses nothing. After a takeback, a new file is written, which replaces the old file in one step.

use std::{
    fs::{File, OpenOptions, TryLockError, rename},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use scores::Transcript;

/// Largest size, in bytes, of a file that [`DataFile::open`] accepts.
const MAX_LENGTH: u64 = 64 << 20;

/// File that holds a game, as a transcript.
#[derive(Debug)]
pub struct DataFile {
    path: PathBuf,
    file: File,
    /// Number of bytes of the complete lines.
    length: u64,
}

impl DataFile {
    /// Opens or creates the file, and returns the game in it, if there is one. An incomplete last
    /// line is removed: its answer was never shown.
    ///
    /// # Errors
    /// The error is a text that names the file, the fault and the remedy.
    pub fn open(path: &Path) -> Result<(DataFile, Option<Transcript>), String> {
        let shown = path.display();
        let said = |error: io::Error| format!("{shown}: {error}");
        let mut file = options().create(true).open(path).map_err(said)?;
        let meta = file.metadata().map_err(said)?;
        if !meta.is_file() {
            return Err(format!("{shown}: not a file; give a file for the game"));
        }
        lock(&file, path)?;
        if meta.len() > MAX_LENGTH {
            return Err(format!("{shown}: too long for a game; give another file"));
        }
        let mut bytes = Vec::new();
        let mut input = (&file).take(MAX_LENGTH);
        input.read_to_end(&mut bytes).map_err(said)?;
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| format!("{shown}: not UTF-8, so not a game; give another file"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let recorded = if text[..whole].trim().is_empty() {
            if !text.trim().is_empty() {
                return Err(format!(
                    "{shown}: not a transcript of a game; give another file"
                ));
            }
            None
        } else {
            let read = text[..whole].parse();
            Some(read.map_err(|error| {
                format!(
                    "{shown}: {error}; --data needs a game of `kriegspiel referee`, or a new file"
                )
            })?)
        };
        if whole < text.len() {
            file.set_len(whole as u64).map_err(said)?;
        }
        file.seek(SeekFrom::End(0)).map_err(said)?;
        let data = DataFile {
            path: path.to_owned(),
            file,
            length: whole as u64,
        };
        Ok((data, recorded))
    }

    /// Name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends complete lines. If this function succeeds, the lines are on the disk. If it fails,
    /// it removes the part that was written. If it cannot remove this part, the next call does it.
    pub(crate) fn append(&mut self, lines: &str) -> io::Result<()> {
        // The new lines may be shorter than a part that is left, and would not overwrite all of it.
        let written = self
            .file
            .set_len(self.length)
            .and_then(|()| self.file.seek(SeekFrom::Start(self.length)))
            .and_then(|_| self.file.write_all(lines.as_bytes()))
            .and_then(|()| self.file.sync_data());
        let Err(error) = written else {
            self.length += lines.len() as u64;
            return Ok(());
        };
        match self.file.set_len(self.length) {
            Ok(()) => Err(error),
            Err(kept) => Err(io::Error::new(
                error.kind(),
                format!(
                    "{error}; a part of the line may be in the file until a line is stored: {kept}"
                ),
            )),
        }
    }

    /// Replaces the whole text of the file in one step. After a crash, the file has either the old
    /// text or the new text.
    pub(crate) fn replace(&mut self, text: &str) -> io::Result<()> {
        let mut name = self.path.clone().into_os_string();
        name.push(".new");
        let new = PathBuf::from(name);
        let mut file = options().create(true).truncate(true).open(&new)?;
        lock(&file, &new).map_err(io::Error::other)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        rename(&new, &self.path)?;
        sync_folder(&self.path)?;
        self.file = file;
        self.length = text.len() as u64;
        Ok(())
    }
}

fn options() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true);
    // The file holds the true position. Only its owner can read it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn lock(file: &File, path: &Path) -> Result<(), String> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(format!(
            "{}: another program referees this game now; end it first",
            path.display()
        )),
        // Some file systems have no locks. On such a file system, the session runs without a lock.
        Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Syncs the folder of a file, so that the name of a new file is durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    if cfg!(unix) {
        File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

/// Writes a file. If this function succeeds, the file is on the disk. If the file exists and
/// `replace` is `false`, this function fails.
pub(crate) fn write_new(path: &Path, text: &str, replace: bool) -> io::Result<()> {
    let mut options = options();
    if replace {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    sync_folder(path)
}

#[cfg(test)]
impl DataFile {
    /// Makes every change of the file fail, until the file is opened again.
    pub(super) fn fail_changes(&mut self) {
        self.file = File::open(&self.path).expect("the file exists");
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn part_of_a_line_that_was_not_removed_is_overwritten() {
        let folder = TempDir::with_prefix("kriegspiel-data-");
        let folder = folder.unwrap();
        let path = folder.path().join("game");
        let (mut data, _) = DataFile::open(&path).unwrap();
        data.append("one\n").unwrap();
        let writable = data.file.try_clone().unwrap();
        data.fail_changes();
        let error = data.append("a long line\n").expect_err("no write succeeds");
        // A part of the line was written, and could not be removed.
        fs::write(&path, "one\na long li").unwrap();
        let said = error.to_string();
        assert!(said.contains("a part of the line"), "{said}");
        data.file = writable;
        data.append("two\n").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "one\ntwo\n");
    }
}
