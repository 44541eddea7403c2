//! Checks in the output of strace that a process syncs the files that it must not lose.

use std::collections::{BTreeMap, HashMap};

/// System calls that [`check`] needs to see.
pub const CALLS: &str =
    "trace=openat,write,pwrite64,writev,pwritev,fsync,fdatasync,rename,renameat,renameat2";

/// Numbers of writes, syncs and renames of the files that must not be lost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub written: u32,
    pub synced: u32,
    pub renamed: u32,
}

/// One call of the trace: its name, the path of its first file descriptor, and its strings.
struct Call<'a> {
    name: &'a str,
    path: &'a str,
    text: &'a str,
}

impl<'a> Call<'a> {
    fn read(text: &'a str) -> Option<Call<'a>> {
        let (name, rest) = text.split_once('(')?;
        let path = match rest.split_once('<') {
            Some((fd, rest)) if fd.bytes().all(|b| b.is_ascii_digit()) => {
                rest.split_once('>').map_or("", |(path, _)| path)
            }
            Some(_) | None => "",
        };
        Some(Call { name, path, text })
    }

    /// Returns the strings between quotation marks: the names of files.
    fn names(&self) -> Vec<&'a str> {
        self.text.split('"').skip(1).step_by(2).collect()
    }

    fn is_output(&self) -> bool {
        let fd = self.text.strip_prefix("write(");
        fd.is_some_and(|fd| fd.starts_with("1<") || fd.starts_with("2<"))
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

/// Files whose last change is not on the disk yet, with the line of the trace and the thread.
type Unsynced<'a> = BTreeMap<&'a str, (usize, &'a str)>;

/// Output that may come only when a change is on the disk.
#[derive(Clone, Copy, Eq, PartialEq, Debug)]
pub enum Output {
    /// Output of the thread that made the change. Output of other threads does not depend on the
    /// change.
    OfThread,
    /// All output of the process.
    OfProcess,
}

/// Checks the trace of a process. `keeps` selects the files that must not be lost.
///
/// The function checks four rules:
///
/// - Before the next output, and before the process ends, every write to such a file is synced.
/// - By then, each folder in which such a file was created or renamed is synced, too.
/// - A file is synced before it is renamed.
/// - A line of a journal is synced before the next line is written.
pub fn check(trace: &[u8], output: Output, keeps: impl Fn(&str) -> bool) -> Counts {
    let trace = String::from_utf8_lossy(trace).into_owned();
    let (mut files, mut folders) = (Unsynced::new(), Unsynced::new());
    let mut syncing: HashMap<&str, (usize, &str)> = HashMap::new();
    let mut counts = Counts::default();
    for (number, line) in trace.lines().enumerate() {
        let (process, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        if call.starts_with("<... fsync resumed>") || call.starts_with("<... fdatasync resumed>") {
            if let Some((begun, path)) = syncing.remove(process)
                && call.ends_with("= 0")
            {
                counts.synced += u32::from(keeps(path));
                // A write that came after the beginning of the sync may not be on the disk.
                files.retain(|file, (written, _)| *file != path || *written > begun);
                folders.retain(|file, (changed, _)| *file != path || *changed > begun);
            }
            continue;
        }
        let Some(call) = Call::read(call) else {
            continue;
        };
        match call.name {
            "fsync" | "fdatasync" if call.text.contains("<unfinished") => {
                syncing.insert(process, (number, call.path));
            }
            "fsync" | "fdatasync" if call.text.ends_with("= 0") => {
                counts.synced += u32::from(keeps(call.path));
                files.remove(call.path);
                folders.remove(call.path);
            }
            "openat" => {
                if let Some(name) = call.names().first()
                    && keeps(name)
                    && call.text.contains("O_CREAT")
                    && !trace.lines().take(number).any(|line| line.contains(name))
                {
                    folders.insert(folder(name), (number, process));
                }
            }
            "rename" | "renameat" | "renameat2" => {
                let names = call.names();
                let [from, to] = names[..] else {
                    panic!("{line}");
                };
                if keeps(from) || keeps(to) {
                    assert!(
                        !files.contains_key(from),
                        "renamed before it is synced: {line}"
                    );
                    folders.insert(folder(to), (number, process));
                    counts.renamed += 1;
                }
            }
            _ if call.is_output() => {
                let mut unsynced = files.iter().chain(&folders);
                let first = unsynced
                    .find(|(_, (_, thread))| output == Output::OfProcess || *thread == process);
                assert!(
                    first.is_none(),
                    "{first:?} is not synced before the output: {line}"
                );
            }
            "write" | "pwrite64" | "writev" | "pwritev" if keeps(call.path) => {
                let before = files.insert(call.path, (number, process));
                let is_journal = call.path.ends_with(".journal");
                assert!(!is_journal || before.is_none(), "not synced before: {line}");
                counts.written += 1;
            }
            _ => {}
        }
    }
    assert!(files.is_empty(), "not synced at the end: {files:?}");
    assert!(folders.is_empty(), "not synced at the end: {folders:?}");
    counts
}
