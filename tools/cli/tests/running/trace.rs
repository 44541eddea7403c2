//! Checks the order of a server's system calls in the output of strace.

use std::collections::HashMap;

/// Line numbers of the trace at which a try was written to the log and synced.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    written: Option<usize>,
    synced: Option<usize>,
}

/// Checks that for each try the row is written and synced before any byte about
/// the try is sent on a socket.
pub fn check(trace: &[u8], ids: &[String]) {
    let trace = String::from_utf8_lossy(trace);
    let mut ways: HashMap<&str, Way> = HashMap::new();
    let mut syncing: HashMap<&str, usize> = HashMap::new();
    let (mut answers, mut heard) = (0, 0);
    for (number, line) in trace.lines().enumerate() {
        let (process, call) = line
            .split_once(' ')
            .expect("the line has a process and a call");
        let call = call.trim_start();
        let of_log = call.contains("club.db-wal>");
        // SQLite uses one of these two calls, depending on how it was built.
        let syncs = call.starts_with("fdatasync(") || call.starts_with("fsync(");
        if of_log && syncs {
            syncing.insert(process, number);
        }
        let resumed =
            call.starts_with("<... fdatasync resumed>") || call.starts_with("<... fsync resumed>");
        let ends = resumed || (of_log && syncs && !call.contains("<unfinished"));
        if ends && let Some(begun) = syncing.remove(process) {
            assert!(call.ends_with("= 0"), "{call}");
            for way in ways.values_mut() {
                if way.written.is_some_and(|written| written < begun) {
                    way.synced.get_or_insert(number);
                }
            }
        }
        if of_log && call.starts_with("pwrite64(") {
            for id in ids.iter().filter(|id| call.contains(id.as_str())) {
                ways.entry(id).or_default().written.get_or_insert(number);
            }
        }
        let out = call.contains("<TCP:[") || call.contains("<socket:[");
        if out && call.contains(r#"\"type\":\"answer\""#) {
            let id = ids.iter().find(|id| call.contains(id.as_str()));
            let way = ways.get(id.expect("the line contains the id of a try").as_str());
            let synced = way.and_then(|way| way.synced);
            assert!(
                synced.is_some_and(|synced| synced < number),
                "{way:?} {call}"
            );
            answers += 1;
        } else if out && call.contains(r#"\"type\":\"heard\""#) && !ways.is_empty() {
            // Only one try is made at a time, so the hearing belongs to the last try
            // that was written.
            let late = ways.values().all(|way| way.synced.is_some());
            assert!(late, "{ways:?} {call}");
            heard += 1;
        }
    }
    assert_eq!(answers, ids.len(), "the trace must contain every answer");
    assert!(heard >= answers, "{heard} hearings");
}
