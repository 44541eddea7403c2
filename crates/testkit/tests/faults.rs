//! Every planted fault is caught by the comparison with the oracle.

use std::sync::Mutex;

use testkit::faults::Fault;

/// Games within which a fault must show.
const MOST: u64 = 1500;

#[test]
fn every_planted_fault_is_caught() {
    let faults = Fault::all();
    let names: std::collections::BTreeSet<&str> = faults.iter().map(|f| f.name).collect();
    assert_eq!(names.len(), faults.len(), "every fault has its own name");

    let lines = Mutex::new(Vec::new());
    let missed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for half in 0..2 {
            let (faults, lines, missed) = (&faults, &lines, &missed);
            scope.spawn(move || {
                for fault in faults.iter().skip(half).step_by(2) {
                    match fault.hunt(MOST) {
                        Some(caught) => lines.lock().expect("no panic").push(format!(
                            "{:<55} caught after {:>7} attempts in {:>4} games",
                            fault.name, caught.attempts, caught.games
                        )),
                        None => missed.lock().expect("no panic").push(fault.name),
                    }
                }
            });
        }
    });
    let mut lines = lines.into_inner().expect("no panic");
    lines.sort();
    for line in &lines {
        println!("{line}");
    }
    println!("{} of {} faults caught", lines.len(), faults.len());
    let missed = missed.into_inner().expect("no panic");
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}
