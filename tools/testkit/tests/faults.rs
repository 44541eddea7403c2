//! The comparison with the oracle must detect every planted fault.

use std::sync::Mutex;

use testkit::faults::Fault;

/// Number of games within which a fault must be detected.
const MOST: u64 = 1500;

#[test]
fn every_planted_fault_is_caught() {
    let faults = Fault::all();
    let names: std::collections::BTreeSet<&str> = faults.iter().map(|f| f.name).collect();
    assert_eq!(
        names.len(),
        faults.len(),
        "no two faults may have the same name"
    );

    let lines = Mutex::new(Vec::new());
    let missed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for half in 0..2 {
            let (faults, lines, missed) = (&faults, &lines, &missed);
            scope.spawn(move || {
                for fault in faults.iter().skip(half).step_by(2) {
                    match fault.hunt(MOST) {
                        Some(caught) => {
                            lines.lock().expect("no thread has panicked").push(format!(
                                "{:<55} caught after {:>7} attempts in {:>4} games",
                                fault.name, caught.attempts, caught.games
                            ))
                        }
                        None => missed
                            .lock()
                            .expect("no thread has panicked")
                            .push(fault.name),
                    }
                }
            });
        }
    });
    let mut lines = lines.into_inner().expect("no thread has panicked");
    lines.sort();
    for line in &lines {
        println!("{line}");
    }
    println!("figure: planted faults caught {}", lines.len());
    let missed = missed.into_inner().expect("no thread has panicked");
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}
